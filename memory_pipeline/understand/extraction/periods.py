"""When a found value holds: its date mention, and what the mention means for its mode.

Which date belongs to a statement:

- The date of its own clause, or of a clause that holds hardly more than the date ("I live in
  Tula, since 2019"). A date beside other words of another clause is theirs ("I live in Tula,
  seeing a doctor tomorrow"), unless that clause begins what was stated ("got a job at X, starting
  April 1") or the statement is itself a change.
- Of a state that is told without its change only a start or an end that the words name as such
  counts: "since", "с мая", "for two years", "until". A bare day beside it is something else's
  ("I take metformin at 8").
- But for a verb that begins such a state right beside it ("diagnosed in January", "turned 30
  yesterday"), which makes the day its start.
- "Давно", "for ages", "с детства": it began nobody knows when, so no start is stated (null, since
  ever), and never today's. "Недавно", "recently" say only that it is new: a start before all that
  was told would be wronger than the day of telling, which stands.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.resolve import DateMention
from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.period_words import (
    APART,
    BEGINS,
    BOUND,
    CONTINUES,
    FILLERS,
    LAST_DAY,
    LONG_AGO,
    PERFECT,
    RETURNS,
    STARTS,
    THERE,
)
from memory_pipeline.understand.extraction.sentences import Sentence

_FAR = 70
_WORD = re.compile(r"[^\W\d_]+")
_NEAR = 30


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
    here = [
        m for m in mentions
        if sentence.start <= m.start and m.end <= sentence.start + len(sentence.text)
        and (found.dated or _bounds(found, m, sentence))
    ]  # fmt: skip
    best: tuple[float, DateMention] | None = None
    for m in here:
        start, end = m.start - sentence.start, m.end - sentence.start
        read_as_date = str(found.value) in sentence.low[start:end]
        if (
            isinstance(found.value, int)
            and read_as_date
            and start < found.end
            and found.start < end
        ):
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
        begins_itself = found.mode is Mode.state or found.predicate in _UNSHARED
        if not inside and begins_itself and not _is_bare(found, m, sentence):
            continue
        if inside and rival < distance and not _inside(found, clause.start, clause.end):
            continue
        rank = distance + (0 if inside else 40) + (0 if m.direction != "duration" else 10)
        if best is None or rank < best[0]:
            best = (rank, m)
    return _as_meant(found, _whole(best[1], here), sentence) if best else None


def _whole(mention: DateMention, mentions: Sequence[DateMention]) -> DateMention:
    """A start with the end that stands right behind it ("с завтрашнего дня и до 21 июля")."""
    for first, last in itertools.pairwise(sorted(mentions, key=lambda m: m.start)):
        if mention is first and first.direction == "from" and last.direction == "duration":
            lasts = _length(last)
            if lasts and first.valid_from is not None and last.start - first.end <= 1:
                return first.model_copy(
                    update={
                        "direction": "range",
                        "valid_to": first.valid_from + lasts,
                        "end": last.end,
                    }
                )
        if (
            mention in (first, last)
            and first.direction == "from"
            and last.direction == "until"
            and last.start - first.end <= _BESIDE
            and first.valid_from is not None
            and last.valid_to is not None
            and first.valid_from < last.valid_to
        ):
            return first.model_copy(
                update={"direction": "range", "valid_to": last.valid_to, "end": last.end}
            )
    return mention


_BESIDE = 5


def _length(mention: DateMention) -> timedelta | None:
    if mention.valid_from is None or mention.valid_to is None:
        return None
    return mention.valid_to - mention.valid_from


def told_after(
    found: Found, mention: DateMention | None, low: str, at: int, mentions: Sequence[DateMention]
) -> DateMention | None:
    """The date of a statement with what the next words tell of it: when a job begins that was got
    ("got hired at X! I start June 1"), until when a stay lasts ("in Y now. here until Friday").

    `low` is the lower-cased text behind the statement's clause, which begins at `at` of the message.
    """
    stretch = _NEXT_SENTENCE.match(low)
    end = at + (stretch.end() if stretch else 0)
    here = [m for m in mentions if at <= m.start and m.end <= end]
    if len(here) != 1:
        return mention
    one = here[0]
    begins = found.predicate in ("employer", "job_title") and found.mode is Mode.change
    if begins and mention is None and one.direction in ("point", "from") and STARTS.match(low):
        return one
    stays = found.predicate == "location" and found.mode in (Mode.state, Mode.stay, Mode.change)
    if not stays or one.direction != "until" or one.valid_to is None or not THERE.match(low):
        return mention
    if mention is None:
        return one
    if mention.direction != "point" or mention.valid_from is None:
        return mention
    end_of_stay = one.valid_to
    if end_of_stay <= mention.valid_from:
        # "еду в понедельник, буду там до пятницы": the Friday after it
        end_of_stay += timedelta(weeks=1)
    if end_of_stay <= mention.valid_from:
        return mention
    return mention.model_copy(update={"direction": "range", "valid_to": end_of_stay})


_NEXT_SENTENCE = re.compile(r"[\s,;.!?)…]*[^.!?\n]{0,80}")


def _as_meant(found: Found, mention: DateMention, sentence: Sentence) -> DateMention:
    """The date as the clause means it: "вернусь 25-го" ends a stay, a last day is still one."""
    at = mention.start - sentence.start
    if (
        mention.direction == "from"
        and found.predicate in _FORBIDS
        and _UNTIL.match(sentence.low, at) is not None
    ):
        # "can't eat nuts until June": what is forbidden is so until then
        return mention.model_copy(update={"direction": "until", "valid_to": mention.valid_from})
    if mention.direction != "point" or mention.valid_from is None:
        return mention
    clause = sentence.clause_at(at)
    words = sentence.low[clause.start : clause.end]
    if found.mode is Mode.end and mention.valid_to is not None and LAST_DAY.search(words):
        return mention.model_copy(update={"valid_from": mention.valid_to})
    apart = not (clause.start < found.end and found.start < clause.end)
    stays = found.predicate == "location" and found.mode in (Mode.state, Mode.stay)
    if apart and stays and RETURNS.search(words) and mention.tense != "past":
        return mention.model_copy(update={"direction": "until", "valid_to": mention.valid_from})
    return mention


_FORBIDS = frozenset({"diet", "legal_constraint"})
_UNTIL = re.compile(r"(?:until|till|before|до)\b|(?:\S+\s){1,12}?(?:until|till|before|до)\b")


def _bounds(found: Found, mention: DateMention, sentence: Sentence) -> bool:
    """Whether a date bounds a state that is told without a change, beside which others are not its."""
    if found.mode is Mode.timeless:
        return False
    if mention.direction == "from" or (mention.direction == "duration" and mention.tense == "past"):
        return True
    if mention.direction in ("until", "range"):
        return found.predicate in _BOUNDED or found.mode is Mode.past
    return found.mode is Mode.past or _begins(found, mention, sentence)


_UNSHARED = frozenset({"owns", "pet", "tool", "relative"})
"""What begins by itself: a date of another clause is of something else ("взяли двушку, ключи осенью")."""
_BOUNDED = frozenset(
    {
        "location",
        "employer",
        "job_title",
        "medication",
        "diet",
        "address",
        "tool",
        "legal_constraint",
        "budget_limit",
    }
)


def _begins(found: Found, mention: DateMention, sentence: Sentence) -> bool:
    """Whether a verb right beside what was found makes a day of its clause its start."""
    if mention.direction != "point":
        return False
    verbs = BEGINS.get(found.predicate)
    at = mention.start - sentence.start
    clause = sentence.clause_at(at)
    if not (clause.start < found.end and found.start < clause.end):
        return _begins_apart(found, sentence.low[clause.start : clause.end])
    if verbs is None:
        return False
    left = max(clause.start, found.start - _NEAR)
    return verbs.search(sentence.low, left, min(clause.end, found.end + _NEAR)) is not None


def _begins_apart(found: Found, clause: str) -> bool:
    verbs = APART.get(found.predicate)
    return verbs is not None and verbs.search(clause) is not None


def begun(found: Found, mention: DateMention | None, sentence: Sentence) -> Found:
    """What was found, as a change where its clause tells how it began, and as a state where a perfect
    with "for ages" tells that it goes on."""
    if mention is None and found.mode is Mode.past and PERFECT.search(sentence.low):
        state = replace(found, mode=Mode.state)
        return state if since_ever(state, sentence) else found
    if mention is None or found.mode is not Mode.state or not _begins(found, mention, sentence):
        return found
    return replace(found, mode=Mode.change)


def may_be_bounded(found: Found, sentence: Sentence) -> bool:
    """Whether the sentence may hold a date of a state that is told without a change."""
    if found.mode is Mode.past or BOUND.search(sentence.low) is not None:
        return True
    verbs = BEGINS.get(found.predicate)
    if verbs is not None and verbs.search(sentence.low) is not None:
        return True
    return _begins_apart(found, sentence.low)


def since_ever(found: Found, sentence: Sentence) -> bool:
    """Whether a state is said to be old, without its start being given."""
    if found.mode not in (Mode.state, Mode.change):
        return False
    clause = sentence.clause_at(found.start)
    said = LONG_AGO.search(sentence.low)
    return said is not None and clause.start <= said.start() < max(clause.end, found.end)


def _is_bare(found: Found, mention: DateMention, sentence: Sentence) -> bool:
    """Whether the clause of a date holds hardly more than it, or begins what was found."""
    at = mention.start - sentence.start
    clause = sentence.clause_at(at)
    words = (
        sentence.low[clause.start : at]
        + " "
        + sentence.low[at + mention.end - mention.start : clause.end]
    )
    if STARTS.match(words) or FILLERS.issuperset(_WORD.findall(words)):
        return True
    goes_on = CONTINUES.get(found.predicate)
    if goes_on is not None and mention.direction == "until" and goes_on.search(words):
        return True
    stays = found.predicate == "location" and RETURNS.search(words) is not None
    return stays or _begins_apart(found, words)


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
    if mention is not None and mention.direction == "until" and mode is Mode.past:
        return Period(
            None, mention.valid_to, inferred=False, holds=False, precision=mention.precision
        )
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
            # "for the past five years" a state has held until now
            return Period(start, None, inferred=False, holds=True, precision=precision)
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


_PERIOD_END = re.compile(r"\bend of\b|\bконц[ае]\b")
"""The end of a period: its last day still counts."""


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
        if exclusive and end == midnight(end) and not _PERIOD_END.search(words):
            return end.date()
        return (end - timedelta(microseconds=1)).date()
    if mention.valid_from is None:
        return None
    if mention.direction == "point" and mention.valid_to is not None:
        return (mention.valid_to - timedelta(microseconds=1)).date()
    return mention.valid_from.date()
