"""When a found value holds: its date mention, and what the mention means for its mode."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.resolve import DateMention
from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.sentences import Sentence

_FAR = 70


@dataclass(frozen=True)
class Period:
    """Half-open validity as a draft states it (`AtomDraft`), without its value."""

    valid_from: datetime | None
    valid_to: datetime | None
    inferred: bool
    holds: bool
    precision: Precision = Precision.day


def midnight(moment: datetime) -> datetime:
    """The local midnight of the moment's day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def mention_of(
    found: Found, sentence: Sentence, mentions: Sequence[DateMention], others: Sequence[Found]
) -> DateMention | None:
    """The date that belongs to what was found: in its clause, else the nearest of the sentence
    that no other finding stands closer to."""
    if not found.dated:
        return None
    here = [
        m for m in mentions
        if sentence.start <= m.start and m.end <= sentence.start + len(sentence.text)
    ]  # fmt: skip
    best: tuple[float, DateMention] | None = None
    for m in here:
        start, end = m.start - sentence.start, m.end - sentence.start
        if isinstance(found.value, int) and start < found.end and found.start < end:
            continue
        distance = _distance(found, start, end)
        if distance > _FAR:
            continue
        clause = sentence.clause_at(start)
        inside = clause.start < found.end and found.start < clause.end
        rival = min(
            (
                _distance(o, start, end)
                for o in others
                if o is not found and o.dated and (o.start, o.end) != (found.start, found.end)
            ),
            default=1_000,
        )
        shared = (len(here) == 1 and found.mode in (Mode.change, Mode.end)) or any(
            o is not found and o.dated and sentence.clause_at(o.start) == sentence.clause_at(found.start)
            for o in others
        )  # fmt: skip
        owned = not inside and any(
            o is not found and o.dated and clause.start <= o.start < clause.end for o in others
        )
        if not inside and (rival < distance or owned) and not shared:
            continue
        if inside and rival < distance and not _inside(found, clause.start, clause.end):
            continue
        rank = distance + (0 if inside else 40) + (0 if m.direction != "duration" else 10)
        if best is None or rank < best[0]:
            best = (rank, m)
    return best[1] if best else None


def _inside(found: Found, start: int, end: int) -> bool:
    return start <= found.start < end or start < found.end <= end


def _distance(found: Found, start: int, end: int) -> int:
    if start < found.end and found.start < end:
        return 0
    return start - found.end if start >= found.end else found.start - end


def period_of(found: Found, mention: DateMention | None, told: datetime | None) -> Period | None:
    """The period of a found value, or None where it is announced without saying when.

    `told` is the local moment of telling, None for a message without a time: then a value holds
    since ever, and nothing that needs a date can be placed.
    """
    mode = found.mode
    if mode is Mode.timeless:
        return Period(None, None, inferred=False, holds=True)
    if told is None:
        if mode in (Mode.stay, Mode.past):
            return None
        return Period(None, None, inferred=True, holds=True)
    today = midnight(told)
    if mention is None or mention.valid_from is None:
        if mode is Mode.stay:
            return None
        if mode is Mode.past:
            return Period(None, today, inferred=False, holds=False)
        return Period(today, None, inferred=True, holds=True)
    start, end, precision = mention.valid_from, mention.valid_to, mention.precision
    match mention.direction:
        case "from":
            holds = start <= told
            return Period(start, None, inferred=False, holds=holds, precision=precision)
        case "duration":
            if mention.kind == "open":
                return Period(start, None, inferred=False, holds=True, precision=precision)
            if mode is Mode.past:
                return Period(start, end, inferred=False, holds=False, precision=precision)
            if mode is Mode.stay or (end is not None and end > told):
                return Period(start, end, inferred=start == today, holds=True, precision=precision)
            return Period(today, None, inferred=True, holds=True)
        case "until":
            if mode is Mode.change:
                return None
            if mode is Mode.past:
                return Period(None, end, inferred=False, holds=False, precision=precision)
            return Period(today, end, inferred=True, holds=True, precision=precision)
        case "range":
            return Period(start, end, inferred=False, holds=start <= told, precision=precision)
    if mode in (Mode.change, Mode.end, Mode.denial):
        return Period(start, None, inferred=False, holds=True, precision=precision)
    if mode is Mode.past:
        return Period(start, end, inferred=False, holds=False, precision=precision)
    if found.predicate == "location" and end is not None:
        if end <= today and mode is Mode.state:
            return None
        return Period(start, end, inferred=False, holds=start <= told, precision=precision)
    if mode is Mode.stay:
        return (
            Period(start, end, inferred=False, holds=start <= told, precision=precision)
            if end
            else None
        )
    if start > told and mention.kind == "span":
        return Period(start, None, inferred=False, holds=False, precision=precision)
    return Period(today, None, inferred=True, holds=True)


def deadline_date(mention: DateMention, words: str) -> date | None:
    """The day that a deadline names: the last day that still counts, or the day not reached.

    "By the 30th" and "до 30 апреля включительно" name the 30th, so does "до 30 апреля" in common
    speech; the period's end tells them apart, the named day is the same.
    """
    if mention.direction in ("until", "range") and mention.valid_to is not None:
        exclusive = (
            words.startswith(("before", "до ", "till ", "until ")) and "включит" not in words
        )
        end = mention.valid_to
        if exclusive and end == midnight(end):
            return end.date()
        return (end - timedelta(microseconds=1)).date()
    if mention.valid_from is None:
        return None
    if mention.direction == "point" and mention.valid_to is not None:
        return (mention.valid_to - timedelta(microseconds=1)).date()
    return mention.valid_from.date()
