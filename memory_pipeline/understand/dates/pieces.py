"""Pieces of a calendar period: its nth week or weekday, a half, its beginning, middle or end."""

from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from typing import Literal

from memory_pipeline.understand.dates.calendar import ONE_DAY, add_months, monday, nth_weekday


class Grain(IntEnum):
    """The unit in which an expression speaks, finest first."""

    second = 0
    minute = 1
    hour = 2
    day = 3
    week = 4
    month = 5
    quarter = 6
    year = 7
    decade = 8


@dataclass(frozen=True, slots=True)
class Edge:
    """Which piece of a period is meant: its nth unit or weekday, a half, or a side of it. The end
    of a month is its last day, of a week its Friday to Sunday, of a year December (`sharp`: its
    last day; `third`: the rest from the 20th); a beginning or middle is a third. `count` units
    stand at the side ("the first ten days"); `late` is the last third of a month. `plus`: the day
    at this many months and days from a day."""

    nth: int = 0
    unit: Grain | None = None
    weekday: int | None = None
    half: int = 0
    side: Literal["start", "middle", "end", ""] = ""
    sharp: bool = False
    third: bool = False
    count: int = 0
    late: bool = False
    plus: tuple[int, int] | None = None


def grain_of(period: tuple[date, date]) -> Grain:
    """The grain in which a period of this length speaks."""
    n_days = (period[1] - period[0]).days
    if n_days < 28:
        return Grain.week if n_days == 7 else Grain.day
    return Grain.month if n_days < 80 else Grain.quarter


def piece(edge: Edge, start: date, end: date, grain: Grain) -> tuple[date, date] | None:
    """The days [start, end) of the piece of a period, or None where it has none such."""
    if edge.weekday is not None:
        day = nth_weekday_in(start, end, edge.weekday, edge.nth)
        return (day, day + ONE_DAY) if day else None
    if edge.plus is not None:
        day = add_months(start, edge.plus[0]) + timedelta(days=edge.plus[1])
        return day, day + ONE_DAY
    if edge.count:
        return _counted(edge, start, end)
    if edge.unit == Grain.day:
        day = start + timedelta(days=edge.nth - 1) if edge.nth > 0 else end + timedelta(edge.nth)
        return (day, day + ONE_DAY) if start <= day < end else None
    if edge.unit == Grain.week:
        return _nth_week(edge.nth, start, end)
    if edge.unit == Grain.month:
        first = add_months(start, edge.nth - 1) if edge.nth > 0 else add_months(end, edge.nth)
        return (first, add_months(first, 1)) if start <= first < end else None
    if edge.half:
        middle = start + timedelta(days=15) if grain == Grain.month else None
        if middle is None:
            n_months = (end.year - start.year) * 12 + end.month - start.month
            middle = add_months(start, n_months // 2) if n_months > 1 else start + (end - start) / 2
        return (start, middle) if edge.half == 1 else (middle, end)
    if edge.third and edge.side == "end":
        return start + timedelta(days=19), end
    if edge.late and grain == Grain.month:
        return start + timedelta(days=20), end
    return _side(edge.side, start, end, grain, edge.sharp)


def _counted(edge: Edge, start: date, end: date) -> tuple[date, date] | None:
    if edge.unit == Grain.month:
        first, last = add_months(start, edge.count), add_months(end, -edge.count)
    elif edge.unit in (Grain.day, Grain.week):
        n_days = timedelta(days=edge.count * (7 if edge.unit == Grain.week else 1))
        first, last = start + n_days, end - n_days
    else:
        return None
    found = (start, first) if edge.side == "start" else (last, end)
    return found if start <= found[0] < found[1] <= end else None


def _nth_week(nth: int, start: date, end: date) -> tuple[date, date]:
    """The nth Monday-to-Monday week that begins in the period; from the end, that ends in it."""
    if nth > 0:
        first = monday(start)
        if first < start:
            first += timedelta(weeks=1)
        found = first + timedelta(weeks=nth - 1)
    else:
        last = monday(end - ONE_DAY)
        if last + timedelta(days=7) > end:
            last -= timedelta(weeks=1)
        found = last + timedelta(weeks=nth + 1)
    return found, found + timedelta(weeks=1)


def _side(side: str, start: date, end: date, grain: Grain, sharp: bool) -> tuple[date, date] | None:
    if grain == Grain.decade:
        first = {"start": 0, "middle": 48, "end": 84}[side]
        return add_months(start, first), add_months(start, first + 36)
    if side == "end":
        if grain == Grain.week:
            return end - timedelta(days=3), end
        if grain == Grain.year and not sharp:
            return add_months(end, -1), end
        return end - ONE_DAY, end
    if grain == Grain.week:
        return (
            (start, start + timedelta(days=3))
            if side == "start"
            else (start + timedelta(days=2), start + timedelta(days=4))
        )
    if grain == Grain.month and (end - start).days <= 31:
        return (
            (start, start + timedelta(days=10))
            if side == "start"
            else (start + timedelta(days=10), start + timedelta(days=20))
        )
    n_months = (end.year - start.year) * 12 + end.month - start.month
    third = max(1, n_months // 4 if n_months == 12 else n_months // 3)
    if side == "start":
        return start, add_months(start, third)
    return add_months(start, (n_months - third) // 2), add_months(
        start, (n_months + third + 1) // 2
    )


def nth_weekday_in(start: date, end: date, weekday: int, nth: int) -> date | None:
    """The nth weekday inside [start, end); negative counts from the end."""
    if end == add_months(start, 1) and start.day == 1:
        return nth_weekday(start.year, start.month, weekday, nth)
    if nth > 0:
        found = start + timedelta(days=(weekday - start.weekday()) % 7 + 7 * (nth - 1))
    else:
        last = end - ONE_DAY
        found = last - timedelta(days=(last.weekday() - weekday) % 7 - 7 * (nth + 1))
    return found if start <= found < end else None
