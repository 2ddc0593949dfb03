"""Gates before expressions: a text that cannot match is never searched, and nothing else changes."""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_pipeline.contracts.statement import Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.ingest.readers.base import HEAD_BYTES, choose
from memory_pipeline.understand import gated
from memory_pipeline.understand.dates import resolve
from memory_pipeline.understand.extraction import corrections, reading, sentences
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.gated import AnyOf, Gated
from memory_pipeline.understand.language import detect_language
from memory_pipeline.understand.registry import builtin_predicates
from tests.labelled_facts import dialogs
from tests.reading import OPTIONS

SHARED = Path(__file__).parents[2] / "shared" / "data"
SAMPLES = Path(__file__).parents[1] / "memory_pipeline" / "samples"
EXPRESSIONS = (
    r"\b(?:i|we)\s+(?:still\s+|now\s+)*(?:live|reside)s?\s+(?:in|at)\s+(?P<o>\w+)",
    r"\bя\b|\bмы\b|он[аи]?\b|не в\b|y/o|фз",
    r"(?P<what>[\w .+#]{2,20}?)\s+is\s+my\s+(?:editor|ide|go-to)",
    r"(?<!\w)(?:19|20)\d\d(?!\w)|cancell?ed|[а-я]+лся\b",
    r"^so\s+(?!then)moved|(?<=\d)\s?(?:k|тыс)\b|\s[—–-]\s",
    r"[Mm]y\s+(?:[\w-]+\s+){0,2}?(?:dog|cat)['’]s",
    r"x*y+z{2,3}|(?:ab){2}c?",
)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(EXPRESSIONS), st.sampled_from([0, re.IGNORECASE]))
def test_what_matches_passes_the_gate(data: st.DataObject, pattern: str, flags: int) -> None:
    expression = re.compile(pattern, flags)
    text = data.draw(st.text(" a-z.я", max_size=4)) + data.draw(st.from_regex(expression))
    gate = Gated(pattern, flags)
    found, wanted = gate.search(text), expression.search(text)
    assert wanted is None or (found is not None and found.span() == wanted.span())
    assert [m.span() for m in gate.finditer(text)] == [m.span() for m in expression.finditer(text)]
    if not flags:
        assert AnyOf(pattern).is_in(text) == (wanted is not None)


@pytest.mark.parametrize("pattern", EXPRESSIONS[:-1])
def test_a_text_without_any_of_its_words_does_not(pattern: str) -> None:
    assert not Gated(pattern).may_match("hello there, gentle people!")


def test_letters_that_match_in_another_case_and_are_not_lowered_open_every_gate() -> None:
    letters = re.compile("[a-zа-яё]", re.IGNORECASE)
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if letters.fullmatch(character) and not re.fullmatch("[a-zа-яё]", character.lower()):
            assert gated.cues_in(character) is None, hex(code)


def _dialogs() -> Iterator[tuple[str, list[WindowMessage]]]:
    """The samples' dialogs and, where they are at hand, the labelled ones and LoCoMo's."""
    files = [*sorted(SAMPLES.glob("*.jsonl"))]
    if SHARED.is_dir():
        files.append(SHARED / "locomo" / "locomo_dev.json")
        for dialog in dialogs(SHARED):
            yield (
                dialog["tz"],
                [
                    _message(
                        m["speaker"], m["role"], datetime.fromisoformat(m["sent_at"]), m["text"]
                    )
                    for m in dialog["messages"]
                ],
            )
    for path in files:
        with path.open("rb") as stream:
            reader = choose(stream.read(HEAD_BYTES), path.name)
            stream.seek(0)
            by_dialog: dict[str, list[WindowMessage]] = {}
            for raw in reader.read(stream, OPTIONS):
                by_dialog.setdefault(raw.dialog, []).append(  # type: ignore[union-attr]
                    _message(raw.speaker, raw.role, raw.sent_at, raw.text)  # type: ignore[union-attr]
                )
        yield from (("Europe/Moscow", messages) for messages in by_dialog.values())


def _message(speaker: str, role: str, sent_at: datetime | None, text: str) -> WindowMessage:
    return WindowMessage(
        speaker=speaker,
        role=Role(role),
        sent_at=sent_at and sent_at.astimezone(UTC),
        lang=detect_language(text),
        text=text,
    )


@pytest.mark.verify
def test_the_extractor_reads_the_same_with_every_gate_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    windows = [
        Window(messages=tuple(messages[max(0, n - 8) : n + 1]), tz=tz)
        for tz, messages in _dialogs()
        for n in range(len(messages))
    ]
    assert len(windows) > 500
    behind_gates = LocalExtractor().extract(windows, builtin_predicates())
    for cached in (
        sentences._sentences, sentences._found_in, reading.names_in, resolve._mentions_in,
        resolve._said_in, corrections._said,
    ):  # fmt: skip
        cached.cache_clear()
    monkeypatch.setattr(gated, "cues_in", lambda _: None)
    assert LocalExtractor().extract(windows, builtin_predicates()) == behind_gates
