"""Calendar arithmetic and the holidays that the resolver knows, by name of the holiday."""

import calendar
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

ONE_DAY = timedelta(days=1)


def add_months(day: date, months: int) -> date:
    """The same day of the month `months` later, or that month's last day where it has none."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    return date(year, month, min(day.day, calendar.monthrange(year, month)[1]))


def shift(moment: datetime, seconds: float) -> datetime:
    """Elapsed time added to an aware moment, counted across changes of the zone's offset."""
    moved = moment.astimezone(UTC) + timedelta(seconds=seconds)
    return moved.astimezone(moment.tzinfo)


def local(day: date, hour: int, minute: int, second: int, reference: datetime) -> datetime:
    """A wall-clock time in the reference's zone; one that a change of offset skips moves on."""
    wall = datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=reference.tzinfo)
    return wall.astimezone(UTC).astimezone(reference.tzinfo)


def monday(day: date) -> date:
    """The Monday of the day's week."""
    return day - timedelta(days=day.weekday())


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The nth weekday (0 = Monday) of a month; negative counts from its end; None if none."""
    first, n_days = calendar.monthrange(year, month)
    if nth > 0:
        number = 1 + (weekday - first) % 7 + 7 * (nth - 1)
    else:
        last = (first + n_days - 1) % 7
        number = n_days - (last - weekday) % 7 + 7 * (nth + 1)
    return date(year, month, number) if 1 <= number <= n_days else None


def easter(year: int) -> date:
    """Western Easter Sunday (the anonymous Gregorian computus)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    month, day = divmod(d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114, 31)
    return date(year, month, day + 1)


def orthodox_easter(year: int) -> date:
    """Orthodox Easter Sunday in the Gregorian calendar, 1900 to 2099 (Meeus' Julian computus)."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    return date(year, month, day + 1) + timedelta(days=13)


def _fixed(month: int, day: int, n_days: int = 1) -> Callable[[int], tuple[date, date]]:
    def period(year: int) -> tuple[date, date]:
        start = date(year, month, day)
        return start, start + timedelta(days=n_days)

    return period


def _nth(month: int, weekday: int, nth: int, plus: int = 0) -> Callable[[int], tuple[date, date]]:
    def period(year: int) -> tuple[date, date]:
        start = nth_weekday(year, month, weekday, nth)
        if start is None:
            raise ValueError(f"month {month} has no weekday {weekday} number {nth}")
        start += timedelta(days=plus)
        return start, start + ONE_DAY

    return period


def _feast(
    base: Callable[[int], date], plus: int, n_days: int = 1
) -> Callable[[int], tuple[date, date]]:
    def period(year: int) -> tuple[date, date]:
        start = base(year) + timedelta(days=plus)
        return start, start + timedelta(days=n_days)

    return period


HOLIDAYS: dict[str, Callable[[int], tuple[date, date]]] = {
    "new_year": _fixed(1, 1),
    "new_year_eve": _fixed(12, 31),
    "old_new_year": _fixed(1, 14),
    "new_year_holidays": _fixed(1, 1, 8),
    "christmas": _fixed(12, 25),
    "christmas_eve": _fixed(12, 24),
    "christmas_ru": _fixed(1, 7),
    "christmas_eve_ru": _fixed(1, 6),
    "epiphany_ru": _fixed(1, 19),
    "epiphany": _fixed(1, 6),
    "tatiana": _fixed(1, 25),
    "boxing_day": _fixed(12, 26),
    "valentine": _fixed(2, 14),
    "defender": _fixed(2, 23),
    "womens_day": _fixed(3, 8),
    "patrick": _fixed(3, 17),
    "fools_day": _fixed(4, 1),
    "cosmonautics": _fixed(4, 12),
    "earth_day": _fixed(4, 22),
    "may_day": _fixed(5, 1),
    "may_holidays": _fixed(5, 1, 9),
    "may_fourth": _fixed(5, 4),
    "cinco": _fixed(5, 5),
    "victory": _fixed(5, 9),
    "juneteenth": _fixed(6, 19),
    "russia_day": _fixed(6, 12),
    "independence": _fixed(7, 4),
    "bastille": _fixed(7, 14),
    "knowledge": _fixed(9, 1),
    "teachers_ru": _fixed(10, 5),
    "halloween": _fixed(10, 31),
    "all_saints": _fixed(11, 1),
    "vegan_day": _fixed(11, 1),
    "groundhog": _fixed(2, 2),
    "pi_day": _fixed(3, 14),
    "flag_day": _fixed(6, 14),
    "tax_day": _fixed(4, 15),
    "canada_day": _fixed(7, 1),
    "australia_day": _fixed(1, 26),
    "anzac_day": _fixed(4, 25),
    "andrew": _fixed(11, 30),
    "election_day": _nth(11, 0, 1, plus=1),
    "guy_fawkes": _fixed(11, 5),
    "unity": _fixed(11, 4),
    "november_holidays": _fixed(11, 4),
    "veterans": _fixed(11, 11),
    "constitution": _fixed(12, 12),
    "ivan_kupala": _fixed(7, 7),
    "ides_of_march": _fixed(3, 15),
    "mlk": _nth(1, 0, 3),
    "presidents": _nth(2, 0, 3),
    "mothers": _nth(5, 6, 2),
    "memorial": _nth(5, 0, -1),
    "fathers": _nth(6, 6, 3),
    "labor": _nth(9, 0, 1),
    "columbus": _nth(10, 0, 2),
    "boss": _fixed(10, 16),
    "thanksgiving": _nth(11, 3, 4),
    "black_friday": _nth(11, 3, 4, plus=1),
    "cyber_monday": _nth(11, 3, 4, plus=4),
    "mothers_ru": _nth(11, 6, -1),
    "easter": _feast(easter, 0),
    "good_friday": _feast(easter, -2),
    "easter_monday": _feast(easter, 1),
    "palm_sunday": _feast(easter, -7),
    "maundy_thursday": _feast(easter, -3),
    "ash_wednesday": _feast(easter, -46),
    "shrove_tuesday": _feast(easter, -47),
    "pentecost": _feast(easter, 49),
    "whit_monday": _feast(easter, 50),
    "trinity": _feast(easter, 56),
    "easter_ru": _feast(orthodox_easter, 0),
    "good_friday_ru": _feast(orthodox_easter, -2),
    "trinity_ru": _feast(orthodox_easter, 49),
    "palm_sunday_ru": _feast(orthodox_easter, -7),
    "lazarus": _feast(orthodox_easter, -8),
    "clean_monday": _feast(orthodox_easter, -48),
    "maslenitsa": _feast(orthodox_easter, -55, 7),
}
