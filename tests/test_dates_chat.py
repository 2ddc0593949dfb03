"""Dates as chat gives them: what a sensible reader takes a sentence to mean, and when facts hold.

The sentences were written without sight of the grammar, with their answers, and stand in
`extraction_cases`. Those of other parts of the same rounds are only scored, by hand.
"""

import re
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory_pipeline.understand.dates.resolve import resolve
from memory_pipeline.understand.evaluation import read_dialog
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.registry import builtin_predicates

CASES = Path(__file__).parent / "extraction_cases"
PREDICATES = [p for p in builtin_predicates() if p.name != "event"]
TOLD = datetime.fromisoformat("2026-03-18T14:20")


def _lines(name: str) -> list[list[str]]:
    return [
        line.split(" | ")
        for line in (CASES / name).read_text(encoding="utf-8").splitlines()
        if line and line[0] != "#"
    ]


def _lang(text: str) -> str:
    return "ru" if re.search("[а-яё]", text.lower()) else "en"


def _zone(lang: str) -> ZoneInfo:
    return ZoneInfo("Europe/Moscow" if lang == "ru" else "America/New_York")


def _shown(moment: datetime | None) -> str:
    if moment is None:
        return "-"
    return moment.strftime("%Y-%m-%d" if moment.hour + moment.minute == 0 else "%Y-%m-%dT%H:%M")


@pytest.mark.parametrize("lang", ["ru", "en"])
def test_the_written_sentences_are_dated_as_written(lang: str) -> None:
    rows = [row for row in _lines("dates.txt") if _lang(row[1]) == lang]
    assert len(rows) > 150
    wrong = []
    for told, text, expected in rows:
        reference = datetime.fromisoformat(told).replace(tzinfo=_zone(lang))
        found = [
            f"{_shown(m.valid_from)}..{_shown(m.valid_to)}" for m in resolve(text, reference, lang)
        ]
        if ";".join(found) != expected and (found or expected != "-"):
            wrong.append((text, expected, found))
    assert wrong == []


def _dialog(text: str) -> dict[str, object]:
    lang = _lang(text)
    told = TOLD.replace(tzinfo=_zone(lang))
    messages = []
    for n, part in enumerate(text.split(" >>"), 1):
        days, said = (0, part) if n == 1 else (int(part.split(" ")[0]), part.split(" ", 1)[1])
        messages.append(
            {
                "n": n,
                "speaker": "Лена" if lang == "ru" else "Sam",
                "role": "user",
                "sent_at": (told + timedelta(days=days)).isoformat(),
                "text": said,
            }
        )
    return {"id": text, "lang": lang, "tz": str(_zone(lang)), "messages": messages}


def test_stated_facts_hold_when_their_sentence_says() -> None:
    wrong = []
    for text, value, start, end in _lines("fact_dates.txt"):
        predicate, _, begins = value.partition(": ")
        zone = _zone(_lang(text))
        held = [
            tuple(m and m.astimezone(zone).date().isoformat() for m in (a.valid_from, a.valid_to))
            for a in read_dialog(_dialog(text), LocalExtractor(), PREDICATES).atoms()
            if a.predicate == predicate
            and (begins == "*" or begins.split()[0].lower()[:4] in a.object.lower())
        ]
        expected = tuple(None if bound == "-" else bound for bound in (start, end))
        if expected not in held:
            wrong.append((text, expected, held))
    assert wrong == []
