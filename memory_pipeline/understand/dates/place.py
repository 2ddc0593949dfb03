"""A `When` put in its place on the calendar, against the moment of telling, past or future."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone

from memory_pipeline.understand.dates.calendar import (
    HOLIDAYS,
    ONE_DAY,
    add_months,
    local,
    monday,
)
from memory_pipeline.understand.dates.pieces import Grain, grain_of, piece
from memory_pipeline.understand.dates.values import Clock, Cycle, Tense, When


@dataclass(frozen=True, slots=True)
class Period:
    """A `When` in its place: local half-open bounds; `end` is null for an instant."""

    start: datetime
    end: datetime | None
    grain: Grain


def place(when: When, reference: datetime, tense: Tense, last_day: date | None = None) -> Period:
    """The period of a `When`. `last_day` is the day of the mention before it, which a bare clock
    time takes over. Raises ValueError for a date that the calendar lacks (31 February)."""
    if when.moment is not None:
        return Period(when.moment, None, when.grain)
    today = reference.date()
    if when.clock is not None and not when.has_date:
        return Period(_next_clock(when.clock, reference, tense, last_day), None, when.clock.grain)
    if when.has_date:
        start, end, grain = place_date(when, today, tense)
    else:
        start = last_day or _part_day(when, reference, tense)
        end, grain = start + ONE_DAY, Grain.day
    if when.clock is not None:
        clock = _daytime(when.clock)
        if start == today and when.clock.ambiguous:
            clock = _half_of_today(when.clock, reference, tense)
        return Period(_at(start, clock, reference), None, when.clock.grain)
    if when.hours is not None:
        return Period(
            _midnight_plus(start, when.hours[0], reference),
            _midnight_plus(start, when.hours[1], reference),
            Grain.hour,
        )
    return Period(
        local(start, 0, 0, 0, reference), local(end, 0, 0, 0, reference), max(grain, Grain.day)
    )


def _midnight_plus(day: date, hours: int, reference: datetime) -> datetime:
    return local(day + timedelta(days=hours // 24), hours % 24, 0, 0, reference)


def _at(day: date, clock: Clock, reference: datetime) -> datetime:
    day += timedelta(days=clock.hour // 24)
    if clock.zone_minutes is not None:
        zone = timezone(timedelta(minutes=clock.zone_minutes))
        there = datetime(
            day.year, day.month, day.day, clock.hour % 24, clock.minute, clock.second, tzinfo=zone
        )
        moved = there.astimezone(reference.tzinfo)
        return local(moved.date(), moved.hour, moved.minute, moved.second, reference)
    return local(day, clock.hour % 24, clock.minute, clock.second, reference)


def _daytime(clock: Clock) -> Clock:
    """One to six o'clock on a named day is the afternoon: that is when people meet."""
    if clock.ambiguous and 1 <= clock.hour <= 6:
        return replace(clock, hour=clock.hour + 12, ambiguous=False)
    return clock


def _half_of_today(clock: Clock, reference: datetime, tense: Tense) -> Clock:
    """The half of today that the verb leaves: "выехали сегодня в семь" is not to come."""
    halves = [replace(clock, hour=clock.hour % 12 + add, ambiguous=False) for add in (0, 12)]
    over = [h for h in halves if _at(reference.date(), h, reference) <= reference]
    if tense == "past" and len(over) == 1:
        return over[0]
    if tense == "future" and len(over) == 1:
        return halves[1]
    return _daytime(clock)


def _part_day(when: When, reference: datetime, tense: Tense) -> date:
    """The day of a bare part of the day: "вечером ходили" told at noon was yesterday, "утром поеду"
    told at night is tomorrow."""
    today = reference.date()
    if when.hours is None:
        return today
    if tense == "past" and _midnight_plus(today, when.hours[0], reference) > reference:
        return today - ONE_DAY
    if tense == "future" and _midnight_plus(today, when.hours[1], reference) <= reference:
        return today + ONE_DAY
    return today


def _next_clock(clock: Clock, reference: datetime, tense: Tense, last_day: date | None) -> datetime:
    if last_day is not None:
        return _at(last_day, clock, reference)
    if tense != "past":
        clock = _daytime(clock)
    hours = (clock.hour % 12, clock.hour % 12 + 12) if clock.ambiguous else (clock.hour,)
    today = reference.date()
    found = sorted(
        _at(today + timedelta(days=days), replace(clock, hour=hour), reference)
        for days in (-1, 0, 1)
        for hour in hours
    )
    if tense == "past":
        return max((t for t in found if t <= reference), default=found[0])
    return min((t for t in found if t > reference), default=found[-1])


def place_date(when: When, today: date, tense: Tense) -> tuple[date, date, Grain]:
    """The days [start, end) of the date part of a `When` and the grain it speaks in."""
    if when.fixed is not None:
        return (*when.fixed, when.grain)
    if when.of is not None:
        found = piece(when.of[0], *place_date(when.of[1], today, tense))
        if found is None:
            raise ValueError("the period has no such piece")
        return (*found, grain_of(found))
    if when.cycle is not None:
        start, end = _place_cycle(when.cycle, today, tense)
        if when.weekday is None:
            return start, end, Grain.week
        start += timedelta(days=(when.weekday - start.weekday()) % 7)
        if start >= end:
            raise ValueError("the days do not hold this weekday")
        return start, start + ONE_DAY, Grain.day
    past = (tense == "past" and when.turn not in ("coming", "next")) or when.turn == "last"
    if when.holiday is not None:
        return (*_place_holiday(when, today, past), Grain.day)
    if when.season is not None:
        return (*_place_season(when, today, past), Grain.month)
    if when.quarter is not None or when.half is not None:
        return _place_part_of_year(when, today, tense)
    if when.month is not None and when.day is not None:
        start = _place_month_day(when, today, tense)
        return start, start + ONE_DAY, Grain.day
    if when.month is not None:
        start = _place_month(when, today, past)
        return start, add_months(start, 1), Grain.month
    if when.day is not None:
        start = _place_day_of_month(when, today, past)
        return start, start + ONE_DAY, Grain.day
    if when.weekday is not None:
        start = _place_weekday(when, today, past)
        return start, start + ONE_DAY, Grain.day
    if when.year is not None:
        return date(when.year, 1, 1), date(when.year + 1, 1, 1), Grain.year
    raise ValueError("a time expression without a date")


def _place_cycle(cycle: Cycle, today: date, tense: Tense) -> tuple[date, date]:
    """The weekend past has begun, the coming one may have; "that week" is never the present one."""
    if cycle == "that_week":
        return unit_period(today, Grain.week, 1 if tense == "future" else -1)
    _, end = unit_period(today, Grain.week, 0)
    saturday = end - timedelta(days=2)
    if tense == "past" and saturday > today:
        saturday -= timedelta(weeks=1)
    return saturday, saturday + timedelta(days=2)


def _place_holiday(when: When, today: date, past: bool) -> tuple[date, date]:
    period = HOLIDAYS[when.holiday or ""]
    if when.year is not None:
        return period(when.year)
    around = [period(today.year + n) for n in (-1, 0, 1, 2)]
    if past:
        return [p for p in around if p[0] < today or (p[0] == today and when.turn == "")][-1]
    coming = [p for p in around if p[1] > today]
    return coming[0]


def _place_season(when: When, today: date, past: bool) -> tuple[date, date]:
    season = when.season or 0
    if when.year is not None:
        # "winter 2024" is said of the winter that begins in that year
        return _season(when.year + (season == 0), season)
    around = [_season(today.year + n, season) for n in (-2, -1, 0, 1, 2)]
    if when.turn == "last":
        return [p for p in around if p[1] <= today][-1]
    if when.turn == "next":
        return next(p for p in around if p[0] > today)
    if when.turn == "this":
        inside = [p for p in around if p[0] <= today < p[1]]
        return inside[0] if inside else _season(today.year + (season == 0), season)
    if past:
        return [p for p in around if p[0] <= today][-1]
    return next(p for p in around if p[1] > today)


def _place_part_of_year(when: When, today: date, tense: Tense) -> tuple[date, date, Grain]:
    if when.quarter is not None:
        first, n_months = 3 * (when.quarter - 1) + 1, 3
    else:
        first, n_months = 6 * ((when.half or 1) - 1) + 1, 6
    year = when.year if when.year is not None else today.year
    start = date(year, first, 1)
    if when.year is None and tense == "past" and start > today:
        start = add_months(start, -12)
    elif when.year is None and tense == "future" and add_months(start, n_months) <= today:
        start = add_months(start, 12)
    return start, add_months(start, n_months), Grain.quarter


# a date of the last weeks is meant as such where the verb says nothing
_JUST_PAST_DAYS = 31


def _place_month_day(when: When, today: date, tense: Tense) -> date:
    month, day = when.month or 1, when.day or 1
    if when.year is not None:
        return date(when.year, month, day)
    found = []
    for year in range(today.year - 8, today.year + 9):
        try:
            found.append(date(year, month, day))
        except ValueError:
            continue
    if when.weekday is not None:
        matching = [d for d in found if d.weekday() == when.weekday]
        if matching:
            return min(matching, key=lambda d: abs((d - today).days))
    if not found:
        raise ValueError("no such day in the calendar")
    before = [d for d in found if d <= today]
    after = [d for d in found if d >= today]
    if (tense == "past" and when.turn != "coming") or when.turn == "last":
        return before[-1]
    if tense == "unknown" and when.turn == "" and (today - before[-1]).days <= _JUST_PAST_DAYS:
        return before[-1]
    return after[0]


def _place_month(when: When, today: date, past: bool) -> date:
    month = when.month or 1
    if when.year is not None:
        return date(when.year, month, 1)
    this = date(today.year, month, 1)
    here = this.month == today.month
    if when.turn == "last":
        return this if this < today.replace(day=1) else add_months(this, -12)
    if when.turn == "next":
        return this if this > today else add_months(this, 12)
    if when.turn == "this":
        return this
    if past:
        return this if this <= today else add_months(this, -12)
    return this if here or this > today else add_months(this, 12)


def _place_day_of_month(when: When, today: date, past: bool) -> date:
    number = when.day or 1
    step = -1 if past else 1
    months = today.replace(day=1)
    for n in range(24):
        first = add_months(months, step * n)
        try:
            found = first.replace(day=number)
        except ValueError:
            continue
        if when.weekday is not None and found.weekday() != when.weekday:
            continue
        if (past and found <= today) or (not past and found >= today):
            return found
    raise ValueError("no such day in the calendar")


def _place_weekday(when: When, today: date, past: bool) -> date:
    weekday = when.weekday or 0
    if when.turn == "this" and weekday == today.weekday():
        return today
    if past:
        return today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return today + timedelta(days=(weekday - today.weekday() - 1) % 7 + 1)


def unit_period(today: date, unit: Grain, n: int) -> tuple[date, date]:
    """The calendar unit `n` steps from the one that holds today: 0 this, -1 last, 1 next."""
    if unit == Grain.day:
        start = today + timedelta(days=n)
        return start, start + ONE_DAY
    if unit == Grain.week:
        start = monday(today) + timedelta(weeks=n)
        return start, start + timedelta(weeks=1)
    months = {Grain.month: 1, Grain.quarter: 3, Grain.year: 12, Grain.decade: 120}[unit]
    index = (today.year * 12 + today.month - 1) // months + n
    start = date(*divmod_month(index * months))
    return start, add_months(start, months)


def divmod_month(index: int) -> tuple[int, int, int]:
    """Year, month and first day of the month with this count since year 0."""
    year, month = divmod(index, 12)
    return year, month + 1, 1


def _season(year: int, season: int) -> tuple[date, date]:
    """Meteorological season: 0 winter (from December of the year before), 1 spring, …"""
    start = add_months(date(year - 1, 12, 1), 3 * season)
    return start, add_months(start, 3)
