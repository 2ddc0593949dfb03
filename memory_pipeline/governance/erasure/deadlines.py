"""By when a request must be done: working days of Russia, calendar days and months, by ground.

152-FZ: article 20 part 3 (7 working days), article 21 parts 3 (10 working days), 4 and 5 (30 days),
5.1 (10 working days). GDPR: article 12(3), one month. Working days follow articles 95 and 112 of the
Labour Code; the days off that the government moves each year stand in `working_days.yaml`, which an
operator keeps current.
"""

from calendar import monthrange
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

import yaml

from memory_pipeline.contracts.erasure import Ground

_WORKING_DAYS = {Ground.not_necessary: 7, Ground.unlawful: 10, Ground.stop_processing: 10}
_DAYS = {Ground.purpose_reached: 30, Ground.consent_withdrawn: 30}
_MONTHS = {
    Ground.gdpr_consent: 1,
    Ground.gdpr_objection: 1,
    Ground.gdpr_no_longer_needed: 1,
    Ground.gdpr_unlawful: 1,
    Ground.gdpr_obligation: 1,
}

# article 112 of the Labour Code, (month, day)
_HOLIDAYS = frozenset({(1, day) for day in range(1, 9)} | {
    (2, 23), (3, 8), (5, 1), (5, 9), (6, 12), (11, 4),
})  # fmt: skip
_SATURDAY = 5


def due_at(ground: Ground, received_at: datetime, tz: str) -> datetime | None:
    """The end of the last day on which the request may still be done, in the zone `tz`; None where
    the law sets no term (retention, an operator's own wish). The day of receipt does not count."""
    zone = ZoneInfo(tz)
    received = received_at.astimezone(zone).date()
    if ground in _WORKING_DAYS:
        last = add_working_days(received, _WORKING_DAYS[ground])
    elif ground in _DAYS:
        last = received + timedelta(days=_DAYS[ground])
    elif ground in _MONTHS:
        last = add_months(received, _MONTHS[ground])
    else:
        return None
    return datetime.combine(last + timedelta(days=1), time(), zone)


def add_working_days(start: date, n_days: int) -> date:
    """The `n_days`-th working day after `start`."""
    day = start
    while n_days:
        day += timedelta(days=1)
        n_days -= is_working_day(day)
    return day


def add_months(start: date, n_months: int) -> date:
    """The same day of a later month, or that month's last (Regulation 1182/71, article 3)."""
    month = start.month - 1 + n_months
    year, month = start.year + month // 12, month % 12 + 1
    return date(year, month, min(start.day, monthrange(year, month)[1]))


def is_working_day(day: date) -> bool:
    """Whether a five-day week works on this day in Russia.

    In a year whose moved days are known they decide; in any other a holiday on a weekend moves to
    the next day that is none, but for those of January.
    """
    known = _moved().get(day.year)
    if known is not None:
        free, worked = known
        if day in worked:
            return True
        return not (day in free or day.weekday() >= _SATURDAY or (day.month, day.day) in _HOLIDAYS)
    return not (
        day.weekday() >= _SATURDAY or (day.month, day.day) in _HOLIDAYS or day in _shifted(day.year)
    )


@cache
def _shifted(year: int) -> frozenset[date]:
    found: set[date] = set()
    for month, day in sorted(_HOLIDAYS):
        moved = date(year, month, day)
        if month == 1 or moved.weekday() < _SATURDAY:
            continue
        while moved.weekday() >= _SATURDAY or (moved.month, moved.day) in _HOLIDAYS | {
            (d.month, d.day) for d in found
        }:
            moved += timedelta(days=1)
        found.add(moved)
    return frozenset(found)


@cache
def _moved() -> dict[int, tuple[frozenset[date], frozenset[date]]]:
    text = files("memory_pipeline.governance.erasure").joinpath("data", "working_days.yaml")
    years = yaml.safe_load(text.read_text(encoding="utf-8"))
    for year, days in years.items():
        if not set(days) <= {"free", "worked"}:  # `on` and `off` are no words in YAML
            raise ValueError(f"working_days.yaml: {year}: it has `free` and `worked`, nothing else")
    return {
        year: (frozenset(days.get("free", ())), frozenset(days.get("worked", ())))
        for year, days in years.items()
    }
