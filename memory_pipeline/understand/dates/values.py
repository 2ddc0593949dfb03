"""What a piece of a date expression means before the reference and the tense are applied.

`When` is a conjunction: a date part (fields that narrow the calendar, or a fixed period), a clock
time, a part of the day. Two pieces merge when their fields complete each other. `place` then
turns a `When` into a period against the reference, past or future.
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from memory_pipeline.understand.dates.calendar import (
    ONE_DAY,
)
from memory_pipeline.understand.dates.pieces import Edge, Grain

Tense = Literal["past", "future", "unknown"]
Turn = Literal["last", "this", "next", "coming", ""]
Cycle = Literal["weekend", "that_week"]


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time. `ambiguous`: twelve-hour, and the half of the day was not said."""

    hour: int
    minute: int = 0
    second: int = 0
    ambiguous: bool = False
    grain: Grain = Grain.hour
    zone_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class Dur:
    """A length of time: calendar months and days, elapsed seconds; `unit` is the finest said."""

    months: int = 0
    days: int = 0
    seconds: float = 0
    unit: Grain = Grain.day


@dataclass(frozen=True, slots=True)
class When:
    """Fields that narrow a moment; null says nothing. `fixed` is a period of whole days already
    placed on the calendar, `moment` an instant, `of` a piece of another `When`. `latent` readings count only when a rule takes
    them up or when they are the whole text. `turn` says which occurrence was asked for. `cycle` is a stretch
    of the week that the tense places: "на выходных", "на той неделе". `ahead`: counted on from now, which
    beside a past verb means from then ("через неделю уехал"), a moment that nobody gave."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    quarter: int | None = None
    half: int | None = None
    season: int | None = None
    holiday: str | None = None
    cycle: Cycle | None = None
    of: "tuple[Edge, When] | None" = None
    fixed: tuple[date, date] | None = None
    moment: datetime | None = None
    grain: Grain = Grain.day
    clock: Clock | None = None
    hours: tuple[int, int] | None = None
    latent: bool = False
    ahead: bool = False
    turn: Turn = ""

    @property
    def has_date(self) -> bool:
        """Whether anything but a time of the day was said."""
        return bool(self.fixed or self.moment or self.of or self.date_fields())

    def date_fields(self) -> dict[str, int | str]:
        """The calendar fields that were said."""
        return {name: v for name in _FIELDS if (v := getattr(self, name)) is not None}


_FIELDS = ("year", "month", "day", "weekday", "quarter", "half", "season", "holiday", "cycle")
_TOGETHER = (
    {"weekday", "month", "day", "year"},
    {"weekday", "holiday", "year"},
    {"quarter", "year"},
    {"half", "year"},
    {"season", "year"},
    {"holiday", "year"},
    {"cycle", "weekday"},
)


def merge(a: When, b: When) -> When | None:
    """Both pieces as one, or None where they do not complete each other."""
    if a.moment or b.moment or a.of or b.of:
        return None
    if (a.clock and b.clock) or (a.hours and b.hours and not (a.clock or b.clock)):
        return None
    a_date, b_date = a.has_date, b.has_date
    if a.fixed and b.fixed:
        return None
    if a_date and b_date:
        dated = _merge_dates(a, b)
        if dated is None:
            return None
    else:
        dated = a if a_date else b
    clock = a.clock or b.clock
    hours = a.hours or b.hours
    if clock and hours:
        fitted = _fit(clock, hours)
        if fitted is None:
            return None
        clock, hours = fitted, None
    if (clock or hours) and dated.has_date and date_grain(dated) != Grain.day:
        return None
    return replace(dated, clock=clock, hours=hours, latent=False)


def _merge_dates(a: When, b: When) -> When | None:
    if a.fixed or b.fixed:
        fixed, other = (a, b) if a.fixed else (b, a)
        return _within(fixed, other)
    fields_a, fields_b = a.date_fields(), b.date_fields()
    if fields_a.keys() & fields_b.keys():
        return None
    both = fields_a.keys() | fields_b.keys()
    if not any(both <= allowed for allowed in _TOGETHER) or both == {"day", "year"}:
        return None
    if both == {"weekday", "month"} or both == {"weekday", "year"}:
        return None
    merged = replace(a, **fields_b, turn=a.turn or b.turn)  # type: ignore[arg-type]
    return replace(merged, grain=min(a.grain, b.grain))


def _within(fixed: When, other: When) -> When | None:
    assert fixed.fixed is not None  # noqa: S101 - narrows the type for the checker
    start, end = fixed.fixed
    fields = other.date_fields()
    if fixed.grain == Grain.year and fields.keys() <= {
        "month",
        "day",
        "quarter",
        "half",
        "season",
        "holiday",
    }:
        return replace(other, year=start.year)
    if fixed.grain == Grain.month and fields.keys() == {"day"}:
        day = start + timedelta(days=(other.day or 1) - 1)
        return When(fixed=(day, day + ONE_DAY)) if day < end else None
    if fixed.grain == Grain.week and fields.keys() == {"weekday"}:
        day = start + timedelta(days=other.weekday or 0)
        return When(fixed=(day, day + ONE_DAY)) if day < end else None
    if fixed.grain == Grain.day and end - start == ONE_DAY:
        own = {
            "weekday": start.weekday(),
            "day": start.day,
            "month": start.month,
            "year": start.year,
        }
        agrees = all(own.get(name, value) == value for name, value in fields.items())
        return fixed if agrees else None
    return None


def _fit(clock: Clock, hours: tuple[int, int]) -> Clock | None:
    start, end = hours
    if not clock.ambiguous:
        return clock if start <= clock.hour < end or end <= clock.hour + 24 else None
    if clock.hour == 12 and start >= 18:
        return replace(clock, hour=24, ambiguous=False)
    for hour in (clock.hour % 12, clock.hour % 12 + 12):
        if start <= hour < end:
            return replace(clock, hour=hour, ambiguous=False)
    if start >= 12:
        return replace(clock, hour=clock.hour % 12 + 12, ambiguous=False)
    return replace(clock, hour=clock.hour % 12, ambiguous=False)


def date_grain(when: When) -> Grain:
    """Day, or something longer, of the date part."""
    if when.fixed or when.holiday:
        return Grain.day if when.holiday else when.grain
    if when.cycle:
        return Grain.week if when.weekday is None else Grain.day
    if when.of is not None:
        return (
            Grain.day if when.of[0].unit == Grain.day or when.of[0].side == "end" else Grain.month
        )
    if when.day is not None or when.weekday is not None:
        return Grain.day
    return Grain.month
