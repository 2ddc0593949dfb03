"""Events: what the local extractor makes an episodic atom, with whom and when, and what it leaves."""

import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory_pipeline.contracts.statement import (
    AtomDraft,
    EpisodicObject,
    Extraction,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import AtomKind, ClosureAction, Precision, Role
from memory_pipeline.evaluation.events import same_phrase
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.language import detect_language
from memory_pipeline.understand.registry import builtin_predicates
from tests.scenario import Scenario, message

CASES = Path(__file__).parent / "extraction_cases" / "events.txt"
PREDICATES = builtin_predicates()
ZONES = {"ru": "Europe/Moscow", "en": "America/New_York"}
WANTED = re.compile(r"(?P<what>.+?) \((?P<who>.+)\) (?P<when>\S+)")


def _read(conversation: str) -> tuple[Extraction, ZoneInfo]:
    lang = detect_language(conversation)
    zone = ZoneInfo(ZONES[lang])
    messages = []
    for text in conversation.split(" | "):
        speaker, _, said = text.rpartition("> ")
        role = Role.assistant if speaker == "assistant" else Role.user
        messages.append(
            WindowMessage(
                speaker=speaker or "Дмитрий",
                role=role,
                sent_at=datetime(2025, 10, 10, 12, tzinfo=zone),
                lang=lang,
                text=said,
            )
        )
    window = Window(messages=tuple(messages), tz=zone.key)
    [result] = LocalExtractor().extract([window], PREDICATES)
    assert isinstance(result, Extraction)
    return result, zone


def _when(atom: AtomDraft, zone: ZoneInfo) -> str:
    if atom.valid_from is None:
        return "?"
    start = atom.valid_from.astimezone(zone)
    if atom.valid_precision is Precision.instant:
        return f"{start:%Y-%m-%dT%H:%M}"
    assert atom.valid_to is not None
    return f"{start:%Y-%m-%d}..{atom.valid_to.astimezone(zone):%Y-%m-%d}"


def _told(conversation: str) -> list[str]:
    result, zone = _read(conversation)
    out = []
    for atom in result.atoms:
        if atom.kind is AtomKind.episodic:
            told = EpisodicObject.model_validate(atom.object)
            out.append(f"{told.what} ({', '.join(told.participants)}) {_when(atom, zone)}")
    for closure in result.closures:
        if closure.predicate == "event" and closure.action is ClosureAction.cancelled:
            told = EpisodicObject.model_validate(closure.object)
            out.append(f"cancel {told.what}")
    return out


def _equal(said: str, wanted: str) -> bool:
    a, b = WANTED.fullmatch(said), WANTED.fullmatch(wanted)
    if a is None or b is None:
        return a is b and same_phrase(said, wanted) and said[:6] == wanted[:6]
    people = [set(found["who"].split(", ")) for found in (a, b)]
    return same_phrase(a["what"], b["what"]) and people[0] == people[1] and a["when"] == b["when"]


def _differences(line: str) -> list[str]:
    conversation, wanted = line.split(" => ")
    said = _told(conversation)
    problems = []
    for want in [] if wanted == "-" else wanted.split("; "):
        found = next((one for one in said if _equal(one, want)), None)
        if found is None:
            problems.append(f"{conversation}: not found: {want}")
        else:
            said.remove(found)
    return problems + [f"{conversation}: found too much: {one}" for one in said]


def _lines() -> list[str]:
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def test_the_written_events_are_read_as_written() -> None:
    assert [problem for line in _lines() for problem in _differences(line)] == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("с 20 по 27 октября я в Сочи | поездку отменили", "Сочи"),
        ("I'm in Lisbon from October 20 to October 27 | the trip is off", "Lisbon"),
    ],
)
def test_a_journey_called_off_takes_back_the_stay(text: str, place: str) -> None:
    result, _ = _read(text)
    closures = [c for c in result.closures if c.predicate == "location"]
    assert [(c.action, c.object) for c in closures] == [(ClosureAction.cancelled, place)]
    assert closures[0].planned_start is not None


def test_an_event_without_a_date_has_none_and_is_over() -> None:
    result, zone = _read("ну сходила я на «Щелкунчика»")
    [atom] = [a for a in result.atoms if a.kind is AtomKind.episodic]
    assert atom.valid_from is None
    assert atom.valid_to == datetime(2025, 10, 11, tzinfo=zone)
    assert not atom.holds_when_told


def test_no_event_where_the_predicate_is_not_offered() -> None:
    window = Window(
        messages=(
            WindowMessage(
                speaker="Дмитрий",
                role=Role.user,
                sent_at=datetime(2025, 10, 10, 12, tzinfo=ZoneInfo("Europe/Moscow")),
                lang="ru",
                text="вчера подписали договор",
            ),
        ),
        tz="Europe/Moscow",
    )
    [result] = LocalExtractor().extract([window], [p for p in PREDICATES if p.name == "location"])
    assert isinstance(result, Extraction)
    assert result.atoms == ()


def test_events_are_asked_for_and_found_and_one_called_off_is_gone(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(
        message("Дмитрий", "2025-10-10T12:00+03:00", "вчера подписали договор аренды"),
        message("Дмитрий", "2025-10-10T12:01+03:00", "в среду встреча с юристом"),
        message("Дмитрий", "2025-10-10T12:02+03:00", "16 октября лекция о вулканах"),
        message("Дмитрий", "2025-10-13T12:00+03:00", "лекцию отменили"),
    )
    with scenario.pipeline() as pipeline:
        pipeline.embed_atoms()
        pipeline.embed_messages()
        pipeline.refresh_full_text()
    with scenario.memory() as memory:
        told: dict[int, list[str]] = {}
        for day in (9, 11, 15, 16):
            asked = memory.as_of(
                "Дмитрий",
                predicate="event",
                valid_at=datetime(2025, 10, day, 12, tzinfo=ZoneInfo("Europe/Moscow")),
            )
            told[day] = [str(answer.object["what"]) for answer in asked.answers]
            assert all(answer.tags == ("event",) for answer in asked.answers)
        hits = memory.search("встреча с юристом", valid_at="2025-10-15")
    assert told == {9: ["подписать договор аренды"], 11: [], 15: ["встреча с юристом"], 16: []}
    assert any(hit.predicate == "event" for hit in hits if hit.kind == "atom")
