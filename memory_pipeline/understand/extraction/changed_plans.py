"""What a message does to a move or a stay that its speaker planned before: puts it off ("the move got
postponed to July 1"), or calls it off by its place ("Омск отменяется")."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Span, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import ClosureAction, Role
from memory_pipeline.understand.dates.resolve import DateMention, resolve
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import lemma

_MOVE = r"(?:move|relocation|переезд\w*|релокаци\w+)"
_STAY = r"(?:trip|vacation|holidays?|visit|stay|journey|travels?|отпуск\w*|поездк\w+|командировк\w+|путешестви\w+|каникул\w*)"
_LATER_EN = (
    r"(?:postponed|pushed(?:\s+back)?|moved|delayed|shifted|rescheduled|brought forward|put off)"
)
_LATER_RU = r"(?:перенес\w*|перенос\w+|сдвину\w+|сдвига\w+|передвину\w+|отлож\w+|откладыва\w+)"
_PUT_OFF = Gated(
    rf"\b(?P<what>{_MOVE}|{_STAY})\b[^.!?\n]{{0,25}}?\b(?:{_LATER_EN}|{_LATER_RU})\b"
    rf"|\b(?:{_LATER_EN}|{_LATER_RU})\s+(?:my\s+|our\s+|the\s+|мой\s+|наш\s+|мою\s+|нашу\s+)?(?:[\w-]+\s+)?(?P<later>{_MOVE}|{_STAY})\b"
)
_NAME = r"[\w’'-]+(?:\s[\w’'-]+){0,2}?"
_OFF = Gated(
    rf"(?:^|[,.;!—–-]\s*|\b(?:but|and|so|а|и|но|ну)\s+)(?:the\s+|my\s+|our\s+)?(?P<place>{_NAME})\s+(?:(?:move|trip|plan|relocation|thing)\s+)?"
    r"(?:is\s+off|is\s+cancell?ed|was\s+cancell?ed|got\s+cancell?ed|has\s+been\s+cancell?ed|fell\s+through|is\s+not\s+happening|isn't\s+happening|won't\s+happen|did\s?n't\s+work\s+out)\b"
    rf"|(?:^|[,.;!—–-]\s*|\b(?:а|и|но|ну)\s+)(?P<place_ru>{_NAME})\s+(?:отменя[ею]тся|отменил(?:ся|ась|ось|ись)|отпал[аои]?|отпадает|сорвал(?:ся|ась|ось|ись)|не\s+состоится|накрыл(?:ся|ась|ось|ись))(?![\w-])"
)
_MOVING = re.compile(_MOVE)


@dataclass
class ChangedPlans:
    """The plans as they are now, and the ends of the old ones."""

    atoms: list[AtomDraft] = field(default_factory=list)
    closures: list[ClosureDraft] = field(default_factory=list)


def read_changed_plans(
    window: Window, told: datetime | None, statements: Sequence[Statement]
) -> ChangedPlans:
    """What the last message changes in its speaker's moves and stays to come."""
    out = ChangedPlans()
    *earlier, message = window.messages
    low = lower(message.text)
    later, off = _PUT_OFF.search(low), _OFF.search(low)
    if told is None or not (later or off) or low.rstrip().endswith("?"):
        return out
    plans = [s for m in earlier for s in _plans(m, message, window.tz, told)]
    if later is not None and plans:
        _put_off(out, plans, later, message, told, statements)
    if off is not None and not out.atoms:
        for found in _OFF.finditer(low):
            name = _lemmas(found["place"] or found["place_ru"])
            for s in plans:
                if _lemmas(str(s.value)) == name and not _is_told(s, statements):
                    out.closures.append(_called_off(s, message, found.span()))
                    break
    return out


def _plans(
    before: WindowMessage, message: WindowMessage, tz: str, told: datetime
) -> Iterator[Statement]:
    """The speaker's moves and stays of an earlier message that are still to come."""
    if before.speaker != message.speaker or before.role is not Role.user:
        return
    scene = Scene(People(speakers=(before.speaker,)), before.speaker, tz)
    for s in read(before.text, language_of(before), local_time(before, tz), scene).statements:
        start = s.period.valid_from
        is_place = s.found.predicate == "location" and s.found.mode not in (Mode.end, Mode.denial, Mode.cancel)  # fmt: skip
        if is_place and start is not None and start > told:
            yield s


def _put_off(
    out: ChangedPlans,
    plans: Sequence[Statement],
    later: re.Match[str],
    message: WindowMessage,
    told: datetime,
    statements: Sequence[Statement],
) -> None:
    """The latest plan of the kind that is named, for the days that the message puts it to."""
    is_move = _MOVING.fullmatch(later["what"] or later["later"]) is not None
    kept = [s for s in plans if (s.period.valid_to is None) == is_move]
    dates = [m for m in resolve(message.text, told, language_of(message), "future") if m.end > later.start() and m.valid_from is not None]  # fmt: skip
    if not kept or not dates or _is_told(kept[-1], statements):
        return
    was, when = kept[-1], dates[-1]
    start, end = _days(was, when)
    if (
        start is None
        or start <= told
        or (start, end) == (was.period.valid_from, was.period.valid_to)
    ):
        return
    span = (later.start(), max(later.end(), when.end))
    out.closures.append(_called_off(was, message, span))
    out.atoms.append(
        AtomDraft(
            subject=was.subject,
            predicate=was.found.predicate,
            object=was.value,
            text=message.text[:1_000],
            valid_from=start,
            valid_to=end,
            start_inferred=False,
            holds_when_told=was.period.holds,
            valid_precision=when.precision,
            confidence=0.8,
            quoted=message.quoted,
            spans=(Span(start=span[0], end=span[1]),),
        )
    )


def _days(was: Statement, when: DateMention) -> tuple[datetime | None, datetime | None]:
    """The new days: a stay that is given only its start lasts as long as it was to last."""
    begin, end = was.period.valid_from, was.period.valid_to
    if when.direction == "until" or when.valid_from is None or begin is None:
        return None, None
    if end is None:
        return when.valid_from, None
    if when.direction == "range":
        return when.valid_from, when.valid_to
    return when.valid_from, when.valid_from + (end - begin)


def _is_told(plan: Statement, statements: Sequence[Statement]) -> bool:
    """Whether the message was read as telling of the same place already."""
    return any(
        s.found.predicate == plan.found.predicate and s.value in (plan.value, None)
        for s in statements
    )


def _called_off(s: Statement, message: WindowMessage, span: tuple[int, int]) -> ClosureDraft:
    return ClosureDraft(
        action=ClosureAction.cancelled,
        subject=s.subject,
        predicate=s.found.predicate,
        object=s.value,
        planned_start=s.period.valid_from,
        text=message.text[:1_000],
        confidence=0.8,
        quoted=message.quoted,
        spans=(Span(start=span[0], end=span[1]),),
    )


def _lemmas(text: str) -> list[str]:
    return [fold(lemma(w)) for w in re.findall(r"[\w'-]+", text)]
