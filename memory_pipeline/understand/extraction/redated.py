"""A date that a speaker takes back: "not on May 1 but on April 1", "it was April, not May"."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.extraction.reading import dates_in
from memory_pipeline.understand.extraction.rules.births import MONTH_NUMBERS, MONTHS

_DAY = re.compile(
    r"(?<![\d.:])(\d{1,2})(?:st|nd|rd|th|-?(?:го|ого|е|ое))?(?![\d:]|\s*(?:%|руб|тыс|лет|год))"
)
_YEAR = re.compile(r"\b((?:19|20)\d\d)\b")
_NUMERIC = re.compile(r"\b(\d{1,2})[./](\d{1,2})(?:[./]((?:19|20)\d\d))?\b")
_MONTH = re.compile(rf"\b(?:{MONTHS})\b|\b(?:март|май|август|мае|марте|августе)\b")
_BARE = re.compile(
    rf"[\s,.:;!—–-]*(?:(?:it\s+was|it's|that\s+was|это\s+было|было|on|in|the|в|с|со|from|since)\s+)*"
    rf"(?P<date>(?:\d{{1,2}}(?:st|nd|rd|th|-?го)?\s+)?(?:of\s+)?(?:{MONTHS})(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\s+(?:19|20)\d\d)?"
    rf"|\d{{1,2}}[./]\d{{1,2}}(?:[./](?:19|20)\d\d)?)[\s,.!]*"
)


@dataclass(frozen=True)
class _Parts:
    """The parts of a date that words name."""

    day: int | None = None
    month: int | None = None
    year: int | None = None

    def __bool__(self) -> bool:
        return (self.day, self.month, self.year) != (None, None, None)

    def fits(self, was: date) -> bool:
        """Whether a day has all the parts that are named."""
        named = ((self.day, was.day), (self.month, was.month), (self.year, was.year))
        return all(part in (None, real) for part, real in named)


def _parts(words: str) -> _Parts:
    numeric = _NUMERIC.search(words)
    if numeric:
        year = int(numeric[3]) if numeric[3] else None
        return _Parts(int(numeric[1]), int(numeric[2]), year)
    month, a_year = _MONTH.search(words), _YEAR.search(words)
    rest = _YEAR.sub(" ", words)
    day = _DAY.search(rest)
    return _Parts(
        int(day[1]) if day and 1 <= int(day[1]) <= 31 else None,
        MONTH_NUMBERS[month[0][:3] if month[0] != "мае" else "май"] if month else None,
        int(a_year[1]) if a_year else None,
    )


def redated(
    was: date, old: str, new: str, told: datetime | None, lang: str, *, ahead: bool = False
) -> tuple[date, Precision] | None:
    """The day that `new` names in place of `old`, where `old` names the day `was`; with how exact
    it is. None where the words are no such dates. Both are in lower case.

    A part that only the old words name is no part of the new: "not May 1 but April" is April.
    `ahead`: the day is to come, as a deadline is, so that a month without its year is the next.
    """
    before, now = _parts(old), _parts(new)
    if before and now:
        return _moved(was, before, now, told, ahead) if before.fits(was) else None
    if told is None or before or now:
        return None
    here, there = dates_in(old, told, lang), dates_in(new, told, lang)
    if len(here) != 1 or len(there) != 1:
        return None
    start, moved = here[0].valid_from, there[0].valid_from
    if start is None or moved is None or start.date() != was:
        return None
    return moved.date(), there[0].precision


def _moved(
    was: date, before: _Parts, now: _Parts, told: datetime | None, ahead: bool
) -> tuple[date, Precision] | None:
    day = now.day or (was.day if before.day is None else None)
    if now.day is None and now.month is None:
        day = was.day
    month = now.month or was.month
    year = now.year or was.year
    try:
        moved = date(year, month, day or 1)
        if now.year is None and told is not None and ahead and moved < told.date():
            moved = date(year + 1, month, day or 1)
        elif now.year is None and told is not None and was <= told.date() < moved:
            # told as past already: the month before it in the calendar, not the one to come
            moved = date(year - 1, month, day or 1)
    except ValueError:
        return None
    return (moved, Precision.day if day else Precision.month) if moved != was else None


def bare_date(low: str) -> str | None:
    """The date that is all that a text says ("it was April 1"), or None."""
    found = _BARE.fullmatch(low)
    return found["date"] if found else None
