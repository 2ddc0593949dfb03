"""The husband or wife who is one no longer, where the speaker tells of a divorce."""

import re
from collections.abc import Iterator, Sequence

from memory_pipeline.contracts.statement import ClosureDraft, Span, WindowMessage
from memory_pipeline.contracts.vocabulary import ClosureAction, Role
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.people import (
    People,
    is_given_name,
    name_nominative,
    same_person,
)
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.sentences import lower

_DIVORCED = re.compile(r"развед|в разводе|divorced")
_SPOUSES = frozenset({"муж", "жена", "husband", "wife"})
_FROM = re.compile(
    r"\b(?P<verb>[Рр]азвел(?:ась|ся)|[Рр]азвёлся)\s+со?\s+(?:(?:мужем|женой)\s+)?(?P<name>[А-ЯЁ][а-яё]+)\b"
)
_EX = {"ась": "муж", "ся": "жена"}


def read_divorce(
    earlier: Sequence[WindowMessage],
    message: WindowMessage,
    tz: str,
    statements: Sequence[Statement],
) -> Iterator[ClosureDraft]:
    """Ends of who was told of as the speaker's husband or wife: named now, or before."""
    parted = [
        s for s in statements
        if s.found.predicate == "marital_status" and s.subject.is_speaker
        and s.found.mode is Mode.change and _DIVORCED.match(lower(str(s.value)))
    ]  # fmt: skip
    if not parted:
        return
    divorce = parted[0]
    named = _FROM.search(message.text)
    name = name_nominative(named["name"], ("ablt",)) if named else None
    if named and name and is_given_name(name):
        yield _ended(f"{_EX[named['verb'][-3:].lstrip('л')]}: {name}", divorce, message)
    for before in earlier:
        if before.speaker != message.speaker or before.role is not Role.user:
            continue
        scene = Scene(People(speakers=(before.speaker,)), before.speaker, tz)
        for s in read(before.text, language_of(before), local_time(before, tz), scene).statements:
            kind, _, spouse = str(s.value).partition(": ")
            is_spouse = s.found.predicate == "relative" and kind in _SPOUSES and bool(spouse)
            if is_spouse and s.subject.is_speaker and not (name and same_person(name, spouse)):
                yield _ended(str(s.value), divorce, message)


def _ended(value: str, divorce: Statement, message: WindowMessage) -> ClosureDraft:
    return ClosureDraft(
        action=ClosureAction.ended,
        subject=divorce.subject,
        predicate="relative",
        object=value,
        ended_at=divorce.period.valid_from,
        valid_precision=divorce.period.precision,
        text=message.text[:1_000],
        confidence=0.8,
        quoted=message.quoted,
        spans=(Span(start=divorce.start, end=divorce.end),),
    )
