"""The local extractor: deterministic, Russian and English, no model and no network."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from pydantic import JsonValue

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    Extraction,
    Span,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import ClosureAction, Polarity, Precision, Role
from memory_pipeline.understand.extraction import (
    answers,
    arrangements,
    changed_plans,
    continuations,
    corrections,
    divorces,
    exchanges,
)
from memory_pipeline.understand.extraction.attribution import cites_another, own_window
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.processes import Processes
from memory_pipeline.understand.extraction.reading import (
    Alone,
    Reading,
    Statement,
    language_of,
    local_time,
    people_of,
    read,
    speakers_of,
)
from memory_pipeline.understand.extraction.rules.none_of import none_ever
from memory_pipeline.understand.interface import ExtractionFailure
from memory_pipeline.understand.taught import with_taught

VERSION = "8"


class LocalExtractor:
    """Rules over sentences, with Russian morphology. See `Extractor`. Large loads are shared
    between `n_processes`."""

    name = "local-rules"
    version = VERSION
    model = ""
    prompt_hash = ""
    window_size = 8
    _processes = Processes(1)

    def __init__(self, n_processes: int = 1) -> None:
        if n_processes > 1:
            self._processes = Processes(n_processes)

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        """One extraction a window; never a failure. Predicates that are not offered stay out."""
        offered = frozenset(p.name for p in predicates)
        found = self._processes.extract(windows, offered, extract_windows)
        return list(with_taught(windows, found, predicates))


def extract_windows(windows: Sequence[Window], offered: frozenset[str]) -> list[Extraction]:
    """What each window states of the predicates offered."""
    with _nothing_to_collect():
        return [_extract(window, offered) for window in windows]


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """Spares the search for circles of objects that nobody holds: reading makes none, and keeps
    many objects that each search would go through."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _extract(window: Window, offered: frozenset[str]) -> Extraction:
    *earlier, message = window.messages
    if message.role is not Role.user or not message.text.strip():
        return Extraction()
    told = local_time(message, window.tz)
    lang = language_of(message)
    reading, scene = _read(window, lang, told)
    statements = list(reading.statements)
    spans: dict[int, tuple[Span, ...]] = {}
    flags = set(reading.flags)
    own = own_window(window)
    if "instruction" not in flags and not cites_another(message):
        for statement, evidence in answers.read_answer(own, scene, told):
            if not _known(statement, statements):
                spans[id(statement)] = evidence
                statements.append(statement)
        stated = {s.found.predicate for s in statements}
        for statement, evidence in exchanges.announced(own, scene, told, stated):
            spans[id(statement)] = evidence
            statements.append(statement)
        for statement, evidence in continuations.continued(own, scene, told, statements):
            spans[id(statement)] = evidence
            statements.append(statement)
    fixes = corrections.read_corrections(own, told, statements) if earlier else None
    atoms: list[AtomDraft] = []
    closures: list[ClosureDraft] = []
    if fixes is not None:
        statements = [s for s in statements if id(s) not in fixes.replaced]
        atoms.extend(fixes.atoms)
        closures.extend(fixes.closures)
    if earlier and "instruction" not in flags:
        changed = changed_plans.read_changed_plans(own, told, statements)
        atoms.extend(changed.atoms)
        closures.extend(changed.closures)
    closures.extend(divorces.read_divorce(own.messages[:-1], message, window.tz, statements))
    statements = _with_ended_job(statements)
    for s in statements:
        evidence = spans.get(id(s)) or (Span(start=s.start, end=s.end),)
        if s.found.mode in (Mode.end, Mode.cancel):
            closures.append(_closure(s, message, evidence))
        else:
            atoms.append(_atom(s, message, evidence))
            if s.found.mode is Mode.past and s.period.valid_from is None:
                closures.append(_closure(s, message, evidence))
    if "instruction" not in flags and "event" in offered:
        happened = arrangements.read_arrangements(own, told, scene, statements)
        atoms.extend(happened.atoms)
        closures.extend(c for c in happened.closures if not _is_closed(c, closures))
    return Extraction(
        atoms=tuple(a for a in atoms if a.is_candidate or a.predicate in offered),
        closures=tuple(c for c in closures if c.predicate in offered),
        flags=tuple(sorted(flags)),
    )


def _read(window: Window, lang: str, told: datetime | None) -> tuple[Reading, Scene]:
    """What the last message states, and the scene that it was read in.

    Who was named before matters only to a message that states something or answers a question,
    and to the reading itself only where somebody is looked up.
    """
    *earlier, message = window.messages
    if not earlier or "?" not in earlier[-1].text:
        alone = Alone((message.speaker,))
        scene = Scene(alone, message.speaker, window.tz)
        reading = read(message.text, lang, told, scene)
        if not earlier:
            return reading, scene
        is_silent = not reading.statements and "unknown_subject" not in reading.flags
        if is_silent or not alone.is_asked:
            people = (
                speakers_of(earlier, message.speaker)
                if is_silent
                else people_of(earlier, message.speaker, window.tz)
            )
            return reading, Scene(people, message.speaker, window.tz)
    scene = Scene(people_of(earlier, message.speaker, window.tz), message.speaker, window.tz)
    return read(message.text, lang, told, scene), scene


def _is_closed(one: ClosureDraft, others: Sequence[ClosureDraft]) -> bool:
    """Whether another closure says the same."""
    return any(
        (o.action, o.subject, o.predicate, o.object, o.planned_start)
        == (one.action, one.subject, one.predicate, one.object, one.planned_start)
        for o in others
    )


def _known(one: Statement, others: list[Statement]) -> bool:
    return any(
        o.found.predicate == one.found.predicate
        and o.subject == one.subject
        and str(o.value).lower() == str(one.value).lower()
        for o in others
    )


def _with_ended_job(statements: list[Statement]) -> list[Statement]:
    """Who leaves an employer for nowhere leaves the post as well."""
    from dataclasses import replace

    out = list(statements)
    working = {
        s.subject
        for s in statements
        if s.found.predicate in ("employer", "job_title") and s.found.mode is not Mode.end
    }
    for s in statements:
        if (
            s.found.predicate == "employer"
            and s.found.mode is Mode.end
            and s.subject not in working
        ):
            job = replace(
                s.found, predicate="job_title", value=None, confidence=s.found.confidence - 0.1
            )
            out.append(replace(s, found=job, value=None))
    return out


def _object(value: str | int | None) -> JsonValue:
    return value


def _atom(s: Statement, message: WindowMessage, spans: tuple[Span, ...]) -> AtomDraft:
    denied = s.found.mode is Mode.denial
    return AtomDraft(
        subject=s.subject,
        predicate=s.found.predicate,
        is_candidate=s.found.candidate,
        object=_object(s.value),
        text=s.sentence[:1_000],
        polarity=Polarity.denied if denied else Polarity.affirmed,
        valid_from=s.period.valid_from,
        valid_to=s.period.valid_to,
        start_inferred=s.period.inferred,
        holds_when_told=s.period.holds,
        valid_precision=s.period.precision,
        confidence=round(s.found.confidence, 3),
        quoted=message.quoted or s.quoted,
        spans=spans,
    )


def _closure(s: Statement, message: WindowMessage, spans: tuple[Span, ...]) -> ClosureDraft:
    cancelled = s.found.mode is Mode.cancel
    ended = (
        s.period.valid_to if s.found.mode is Mode.past else s.period.valid_to or s.period.valid_from
    )
    never = s.found.mode is Mode.end and s.value is None and none_ever(s.found, s.sentence)
    action = ClosureAction.retracted if never else ClosureAction.ended
    return ClosureDraft(
        action=ClosureAction.cancelled if cancelled else action,
        subject=s.subject,
        predicate=s.found.predicate,
        object=_object(s.value),
        ended_at=None if cancelled or never else ended,
        valid_precision=s.period.precision if not s.period.inferred else Precision.day,
        text=s.sentence[:1_000],
        confidence=round(s.found.confidence, 3),
        quoted=message.quoted or s.quoted,
        spans=spans,
    )
