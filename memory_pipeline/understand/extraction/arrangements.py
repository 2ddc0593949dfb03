"""What becomes of an event that was told of: said yes to, called off, put off to another day."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    EpisodicObject,
    Span,
    SubjectRef,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import AtomKind, ClosureAction, Role
from memory_pipeline.understand.dates.resolve import resolve
from memory_pipeline.understand.extraction.event_cores import past_of
from memory_pipeline.understand.extraction.event_words import (
    CANCELLED_EN,
    CANCELLED_RU,
    MOVED_EN,
    MOVED_RU,
)
from memory_pipeline.understand.extraction.events import (
    Event,
    may_tell,
    read_events,
    timed,
)
from memory_pipeline.understand.extraction.exchanges import says_yes
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.sentences import lower, split_sentences
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import lemma
from memory_pipeline.understand.word_blocks import words

EVENT = "event"
_ANY_TRIP = Gated(
    r"\b(?:поездк\w+|командировк\w+|отпуск\w*|тур|путешестви\w+|никуда не (?:еду|едем|лечу|летим)|не (?:еду|едем|лечу|летим)|trip|travel|vacation|holiday|it's|it is|that's|not going|going)\b"
)
_TRAVELS = re.compile(
    r"\b(?:fly|drive|travel|trip|leave|go|camping|visit|hike|return|retreat|лететь|вылететь|улететь|прилететь|полететь|поехать|ехать|поездка|командировка|отпуск|вернуться|уехать|приехать|съездить|поход)\b"
)
_STOP = frozenset(
    words("the a an of in to for on with at my our i в на с со и у к по от из за его её ее не")
)


@dataclass
class Told:
    """Atoms and closures of events that a message makes."""

    atoms: list[AtomDraft]
    closures: list[ClosureDraft]


def read_arrangements(
    window: Window, told: datetime | None, scene: Scene, statements: Sequence[Statement]
) -> Told:
    """The events of a window's last message, and what it says of those told before it."""
    *earlier, message = window.messages
    before = earlier[-1] if earlier and earlier[-1].speaker != message.speaker else None
    asked = before.text if before is not None and "?" in before.text else ""
    lang = language_of(message)
    out = Told([], [])
    if told is None or ("?" in message.text and len(message.text) < 12):
        return out
    low = lower(message.text)
    is_off = (CANCELLED_RU if lang == "ru" else CANCELLED_EN).search(low)
    is_moved = (MOVED_RU if lang == "ru" else MOVED_EN).search(low)
    events = read_events(message.text, lang, told, scene, statements, asked=asked)
    if (is_off or is_moved) and earlier:
        planned = [
            (e, m) for m in earlier for e in _planned(m, window.tz, told)
        ]  # fmt: skip
        ended = list(_meant(planned, message, (is_off or is_moved).start()))  # type: ignore[union-attr]
        if is_moved and not is_off:
            moved = _moved(ended[-1:], message, told, lang)
            if moved is not None:
                out.atoms.append(_atom(moved, message, (Span(start=0, end=len(message.text)),)))
            else:
                ended = []
            events = []
        for event, source in ended:
            if source.role is Role.user:
                out.closures.append(_closure(event, message))
        if is_off:
            out.closures.extend(_stays(earlier, message, window.tz, told, low))
            events = [e for e in events if not e.is_planned or _apart(e, low, is_off)]
    if asked and before is not None and says_yes(low) and (not events or _is_bare(events)):
        confirmed = _confirmed(asked, before, message, told, scene)
        spans: tuple[Span, ...] = (
            Span(start=0, end=len(asked), back=1),
            Span(start=0, end=len(message.text)),
        )
        out.atoms.extend(_atom(e, message, spans) for e in confirmed)
        if confirmed:
            return out
    out.atoms.extend(_atom(e, message, (Span(start=e.start, end=e.end),)) for e in events)
    return out


def _asker(before: WindowMessage) -> list[SubjectRef]:
    return [SubjectRef(name=before.speaker, is_speaker=True)] if before.role is Role.user else []


_DID_YOU = re.compile(
    r"\bdid\s+(?:you|u)\s+(?:guys\s+)?(?:finally\s+)?(?P<verb>[a-z]+)\b", re.IGNORECASE
)


def _is_bare(events: Sequence[Event]) -> bool:
    return all(" " not in e.what for e in events)


def _confirmed(
    asked: str, before: WindowMessage, message: WindowMessage, told: datetime, scene: Scene
) -> list[Event]:
    """What an offer or a question about the past tells once it is said yes to: of an offer both
    take part; what was done, the one who was asked has done, when the answer says."""
    lang = language_of(before)
    turned = _DID_YOU.sub(lambda m: f"I {past_of(m['verb'].lower())}", asked)
    found = read_events(turned, lang, told, scene, (), answering=True)
    offers = [e for e in found if e.is_planned and e.precision.value in ("instant", "day")]
    if offers:
        return [
            replace(e, participants=tuple(dict.fromkeys([*_asker(before), *e.participants])))
            for e in offers
        ]
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    if turned == asked and (lang != "ru" or any(e.participants != (me,) for e in found)):
        return []
    when = [
        w for m in resolve(message.text, told, language_of(message), "past")
        if m.direction == "point" and (w := timed(m, told, is_past=True)) and w[0] and w[0] <= told
    ]  # fmt: skip
    return [
        replace(e, valid_from=when[0][0], valid_to=when[0][1], precision=when[0][2])
        if when and e.valid_from is None
        else e
        for e in found
        if not e.is_planned
    ]


def _apart(event: Event, low: str, cancel: "re.Match[str] | None") -> bool:
    """Whether an event stands in another sentence than the word that calls one off."""
    if cancel is None:
        return True
    between = low[min(event.end, cancel.end()) : max(event.start, cancel.start())]
    return re.search(r"[.!?;\n]", between) is not None


def _planned(message: WindowMessage, tz: str, now: datetime) -> list[Event]:
    """The events to come that an earlier message told of, read alone."""
    if not may_tell(message.text, language_of(message)):
        return []
    told = local_time(message, tz)
    scene = Scene(People(speakers=(message.speaker,)), message.speaker, tz)
    lang = language_of(message)
    found = read_events(message.text, lang, told, scene, (), answering=message.role is Role.user)
    return [e for e in found if e.is_planned and (e.valid_to is None or e.valid_to > now)]


def _meant(
    planned: Sequence[tuple[Event, WindowMessage]], message: WindowMessage, at: int
) -> Iterator[tuple[Event, WindowMessage]]:
    """The planned events that the words around a call-off name; a trip, or none named, means the
    journeys of the speaker, else the one that was told of last."""
    sentences = split_sentences(message.text, language_of(message))
    here = next((s for s in sentences if s.start <= at < s.start + len(s.text) + 1), None)
    if here is None or here.blocked is not None:
        return
    words = {lemma(w) for w in re.findall(r"[\w-]+", here.low)} - _STOP
    named = [
        (e, m) for e, m in planned
        if {_plain(w) for w in re.findall(r"[\w-]+", lower(e.what))} & {_plain(w) for w in words}
    ]  # fmt: skip
    if named:
        yield from named
        return
    own = [(e, m) for e, m in planned if m.speaker == message.speaker or m.role is not Role.user]
    if _ANY_TRIP.search(here.low):
        journeys = [(e, m) for e, m in own if _TRAVELS.search(_lemmas(e.what))]
        if journeys or re.search(r"trip|поездк|командировк|отпуск|vacation|едем|еду|лечу|летим", here.low):  # fmt: skip
            yield from journeys
            return
    if re.search(r"\b(?:it|ее|её|его|это|that|them)\b", here.low):
        yield from own[-1:]


def _plain(word: str) -> str:
    found = lemma(word)
    return found.removesuffix("s") if found.isascii() else found


def _lemmas(text: str) -> str:
    return " ".join(lemma(w) for w in re.findall(r"[\w-]+", lower(text)))


def _moved(
    ended: Sequence[tuple[Event, WindowMessage]],
    message: WindowMessage,
    told: datetime,
    lang: str,
) -> Event | None:
    """The event on the day that it was put off to, if the message says one."""
    if not ended:
        return None
    dates = [m for m in resolve(message.text, told, lang, "future") if m.valid_from is not None]
    if not dates:
        return None
    event, source = ended[0]
    when = timed(dates[-1], told)
    if when is None:
        return None
    start, end, precision, is_planned = when
    who = event.participants
    if source.role is not Role.user:
        who = (SubjectRef(name=message.speaker, is_speaker=True),)
    return replace(
        event, participants=who, valid_from=start, valid_to=end, precision=precision,
        is_planned=is_planned, sentence=message.text[:1_000],
    )  # fmt: skip


def _stays(
    earlier: Sequence[WindowMessage], message: WindowMessage, tz: str, told: datetime, low: str
) -> Iterator[ClosureDraft]:
    """The stay elsewhere that a journey called off would have been."""
    if not _ANY_TRIP.search(low):
        return
    for before in earlier:
        if before.speaker != message.speaker or before.role is not Role.user:
            continue
        scene = Scene(People(speakers=(before.speaker,)), before.speaker, tz)
        said = read(before.text, language_of(before), local_time(before, tz), scene)
        for s in said.statements:
            is_stay = s.found.predicate == "location" and s.period.valid_to is not None
            if is_stay and s.period.valid_from is not None and s.period.valid_from > told:
                yield ClosureDraft(
                    action=ClosureAction.cancelled,
                    subject=s.subject,
                    predicate="location",
                    object=s.value,
                    planned_start=s.period.valid_from,
                    text=message.text[:1_000],
                    confidence=0.75,
                    quoted=message.quoted,
                    spans=(Span(start=0, end=len(message.text)),),
                )


def _object(event: Event) -> dict[str, object]:
    return EpisodicObject(
        what=event.what, participants=tuple(p.name for p in event.participants)
    ).model_dump(mode="json")


def _atom(event: Event, message: WindowMessage, spans: tuple[Span, ...]) -> AtomDraft:
    return AtomDraft(
        kind=AtomKind.episodic,
        subject=event.participants[0],
        predicate=EVENT,
        object=_object(event),
        text=event.sentence[:1_000],
        valid_from=event.valid_from,
        valid_to=event.valid_to,
        holds_when_told=False,
        valid_precision=event.precision,
        confidence=event.confidence,
        quoted=message.quoted,
        spans=spans,
    )


def _closure(event: Event, message: WindowMessage) -> ClosureDraft:
    return ClosureDraft(
        action=ClosureAction.cancelled,
        subject=event.participants[0],
        predicate=EVENT,
        object=_object(event),
        planned_start=event.valid_from,
        valid_precision=event.precision,
        text=message.text[:1_000],
        confidence=0.75,
        quoted=message.quoted,
        spans=(Span(start=0, end=len(message.text)),),
    )
