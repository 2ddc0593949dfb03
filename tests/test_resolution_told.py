"""What was said in plain words is answered as a person would: extraction and resolution together."""

from datetime import datetime
from typing import Any

import pytest

from memory_pipeline.understand.evaluation import read_dialog
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.registry import builtin_predicates

JANUARY = "2026-01-05T09:00:00+03:00"
APRIL = "2026-04-01T18:30:00+03:00"


def _dialog(lang: str, *said: tuple[str, str]) -> dict[str, Any]:
    return {
        "id": "told",
        "lang": lang,
        "tz": "Europe/Moscow",
        "messages": [
            {"n": n, "speaker": "Walt", "role": "user", "sent_at": sent_at, "text": text}
            for n, (sent_at, text) in enumerate(said)
        ],
    }


@pytest.mark.parametrize(
    ("lang", "now", "once", "expected"),
    [
        (
            "en",
            "I live in Leeds. I work at Initech.",
            "I used to work at Acme. I used to live in York.",
            {"location": ("York", "Leeds"), "employer": ("Acme", "Initech")},
        ),
        (
            "ru",
            "Живу в Самаре. Работаю в Озоне.",
            "Раньше жил в Твери. Раньше работал в Яндексе.",
            {"location": ("Тверь", "Самара"), "employer": ("Яндекс", "Озон")},
        ),
    ],
)
def test_what_someone_used_to_do_takes_nothing_from_what_he_said_he_does(
    lang: str, now: str, once: str, expected: dict[str, tuple[str, str]]
) -> None:
    read = read_dialog(
        _dialog(lang, (JANUARY, now), (APRIL, once)), LocalExtractor(), builtin_predicates()
    )

    def ask(predicate: str, valid_at: str, known_at: str | None = None) -> list[str]:
        known = datetime.fromisoformat(known_at) if known_at else None
        return read.ask("Walt", predicate, datetime.fromisoformat(valid_at), known)

    for predicate, (before, since) in expected.items():
        assert ask(predicate, "2025-12-01T00:00+03:00") == [before]
        assert ask(predicate, "2025-12-01T00:00+03:00", "2026-03-31T00:00+03:00") == []
        for valid_at in ("2026-02-01T00:00+03:00", "2026-06-01T00:00+03:00"):
            assert ask(predicate, valid_at) == [since]
            assert ask(predicate, valid_at, "2026-03-31T00:00+03:00") == [since]
