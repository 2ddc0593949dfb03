"""Builders that both grammars share."""

from dataclasses import replace
from datetime import date, timedelta

from memory_pipeline.understand.dates.calendar import ONE_DAY, add_months, shift
from memory_pipeline.understand.dates.chart import Context, Grammar, Kind, Mention
from memory_pipeline.understand.dates.pieces import Edge, Grain, grain_of, piece
from memory_pipeline.understand.dates.place import place_date, unit_period
from memory_pipeline.understand.dates.values import Clock, Dur, When, merge

_SECONDS = {Grain.second: 1, Grain.minute: 60, Grain.hour: 3600}
_MONTHS = {Grain.month: 1, Grain.quarter: 3, Grain.year: 12, Grain.decade: 120}


def century(number: int) -> When | None:
    """The years of a century, which begins with the year 1 of it."""
    return whole(100 * (number - 1) + 1, 100) if 10 <= number <= 21 else None


def whole(year: int, n_years: int) -> When:
    """A span of whole years."""
    grain = Grain.decade if n_years == 10 else Grain.year
    return When(fixed=(date(year, 1, 1), date(year + n_years, 1, 1)), grain=grain)


def month_day(month: int, day: int, year: int | None = None) -> When | None:
    """A day of a month, or None where no year has it."""
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    if (month in (4, 6, 9, 11) and day > 30) or (month == 2 and day > 29):
        return None
    return When(month=month, day=day, year=year)


def numeric_date(day: str, month: str, year: str | None) -> When | None:
    """A date in digits; two-digit years from 40 on belong to the last century."""
    number = int(year) if year else None
    if number is not None and number < 100:
        number += 2000 if number < 40 else 1900
    if number is not None and not 1900 <= number <= 2100:
        return None
    return month_day(int(month), int(day), number)


def clock_at(
    hour: str, minute: str, second: str | None = None, ambiguous: bool = False
) -> Clock | None:
    """A clock time in digits, or None where there is none such."""
    if int(hour) > 24 or int(minute) > 59 or int(second or 0) > 59:
        return None
    return Clock(
        int(hour),
        int(minute),
        int(second or 0),
        ambiguous=ambiguous and 1 <= int(hour) <= 12 and hour[0] != "0",
        grain=Grain.second if second else Grain.minute,
    )


def duration(n: float, unit: Grain) -> Dur | None:
    """`n` units; fractions only where they come out in whole smaller units."""
    if n > 10_000:
        return None
    if unit in _SECONDS:
        return Dur(seconds=n * _SECONDS[unit], unit=unit)
    if unit in (Grain.day, Grain.week):
        days = n * (7 if unit == Grain.week else 1)
        return (
            Dur(days=int(days), unit=unit)
            if days == int(days)
            else Dur(days=int(days), seconds=(days % 1) * 86400, unit=unit)
        )
    months = n * _MONTHS[unit]
    if months == int(months):
        return Dur(months=int(months), unit=unit)
    return Dur(months=int(months), days=15, unit=unit)


def days_from(day: date, length: Dur, sign: int) -> date:
    """The day at a distance of calendar months and days."""
    return add_months(day, sign * length.months) + timedelta(days=sign * length.days)


def from_now(ctx: Context, length: Dur | None, sign: int) -> When | None:
    """The moment (for hours and finer) or the day at this distance from the reference."""
    if length is None:
        return None
    try:
        if length.unit < Grain.day:
            day = days_from(ctx.today, length, sign)
            start = ctx.reference.replace(year=day.year, month=day.month, day=day.day)
            moment = shift(start, sign * length.seconds)
            return When(moment=moment, grain=length.unit, ahead=sign > 0)
        day = days_from(ctx.today, length, sign)
    except (ValueError, OverflowError):
        return None
    return When(fixed=(day, day + ONE_DAY), ahead=sign > 0)


def weeks_from(ctx: Context, when: When, length: Dur) -> When | None:
    """The weekday named, whole weeks on from its coming one ("в четверг через неделю"): the week is
    counted from today, so it is the weekday of the week that the distance reaches."""
    n_days = length.days
    if when.date_fields().keys() != {"weekday"} or when.fixed or when.clock or when.hours:
        return None
    if length.unit != Grain.week or length.months or n_days % 7:
        return None
    start = unit_period(ctx.today, Grain.week, n_days // 7)[0]
    day = start + timedelta(days=when.weekday or 0)
    return When(fixed=(day, day + ONE_DAY))


def month_of_years(ctx: Context, month: int, length: Dur, sign: int) -> When | None:
    """The month named of the year at a distance of whole years ("три года назад в марте")."""
    if not length.months or length.months % 12 or length.days or length.seconds:
        return None
    return When(month=month, year=ctx.today.year + sign * length.months // 12, grain=Grain.month)


def relative_unit(ctx: Context, unit: Grain, n: int) -> When | None:
    """The calendar unit `n` steps away as a period."""
    if unit < Grain.day:
        return None
    return When(fixed=unit_period(ctx.today, unit, n), grain=unit)


def weekday_steps(ctx: Context, weekday: int, n: int) -> When | None:
    """The nth such weekday before (negative) or after today."""
    if n == 0 or abs(n) > 520:
        return None
    if n > 0:
        ordinal = ctx.today.toordinal() + (weekday - ctx.today.weekday() - 1) % 7 + 1 + 7 * (n - 1)
    else:
        ordinal = ctx.today.toordinal() - (ctx.today.weekday() - weekday - 1) % 7 - 1 + 7 * (n + 1)
    day = ctx.today.fromordinal(ordinal)
    return When(fixed=(day, day.fromordinal(ordinal + 1)))


def alike(first: When, second: When) -> bool:
    """Whether two dates can be the ends of one range: no year to a day, no bare day to a week."""
    a, b = first.date_fields().keys(), second.date_fields().keys()
    if (a == {"year"}) != (b == {"year"}):
        return False
    return a != {"day"} or second.fixed is None


def offset(ctx: Context, length: Dur, sign: int, when: When) -> When | None:
    """The day at a distance from a named day ("three days after Easter")."""
    if when.clock or when.hours or when.latent or not when.has_date or length.unit < Grain.day:
        return None
    start, end, grain = place_date(when, ctx.today, "unknown")
    if grain != Grain.day or (end - start).days != 1:
        return None
    if when.fixed is None and when.year is None:
        plus = (sign * length.months, sign * length.days)
        return When(of=(Edge(unit=Grain.day, plus=plus), when))
    day = days_from(start, length, sign)
    return When(fixed=(day, day + ONE_DAY))


def year_before_last(ctx: Context, season: When) -> When:
    """The season of the year before the last one: "позапрошлым летом", "the summer before last"."""
    start, end, grain = place_date(replace(season, turn="last"), ctx.today, "past")
    return When(fixed=(add_months(start, -12), add_months(end, -12)), grain=grain)


def later_half(first: Clock, second: Clock) -> Clock:
    """The start of a range of clock times in the half of the day that its end shows."""
    if first.ambiguous and not second.ambiguous:
        for hour in (first.hour % 12 + 12 * (second.hour >= 12), first.hour % 12):
            if (hour, first.minute) < (second.hour, second.minute):
                return replace(first, hour=hour, ambiguous=False)
    return first


def between_two(ctx: Context, low: int, high: int, unit: Grain) -> Mention | None:
    """ "in 3-4 days": from the nearer of the two days to the end of the farther."""
    if unit < Grain.day or not 0 < low < high:
        return None
    first, second = (from_now(ctx, duration(n, unit), 1) for n in (low, high))
    return Mention("range", first, second, inclusive=True)


def nth_of(ctx: Context, edge: Edge, whole_part: When) -> When | None:
    """The piece `edge` of a month, quarter, week or year; placed later where the whole is."""
    if whole_part.clock or whole_part.hours or whole_part.moment or not whole_part.has_date:
        return None
    try:
        start, end, grain = place_date(whole_part, ctx.today, "unknown")
    except ValueError:
        return None
    if grain == Grain.day and edge.side == "end" and whole_part.fixed:
        return whole_part
    if grain < Grain.week or (end.year - start.year > 10 and edge.side):
        return None
    found = piece(edge, start, end, grain)
    if found is None:
        return None
    if whole_part.fixed is None and whole_part.year is None:
        return When(of=(edge, replace(whole_part, latent=False)), grain=grain_of(found))
    return When(fixed=found, grain=grain_of(found))


def add_shared_rules(grammar: Grammar, between: tuple[str, ...]) -> None:
    """The rules that both languages have: pieces that complete each other, ISO dates, and a range
    of clock times on a day. `between` is what may stand between two pieces."""
    when, mention = Kind("when"), Kind("mention")
    for gap in between:
        grammar.rule("when", when, gap, when)(lambda _c, a, _m, b: _merged(a, b))
        grammar.rule("mention", mention, gap, when)(lambda _c, a, _m, b: _dated(a, b))
        grammar.rule("mention", when, gap, mention)(lambda _c, a, _m, b: _dated(b, a))
    grammar.rule("when", r"((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?:t(?=\d))?")(
        lambda _c, m: month_day(int(m.group(2)), int(m.group(3)), int(m.group(1)))
    )
    grammar.rule(
        "when",
        r"~(?<![\w.,/-])((?:19|20)\d\d)-(\d\d)-(\d\d)[t ](\d\d):(\d\d)(?::(\d\d))?(?:\.\d+)?z?",
    )(
        lambda _c, m: (
            (d := month_day(int(m.group(2)), int(m.group(3)), int(m.group(1))))
            and replace(d, clock=clock_at(m.group(4), m.group(5), m.group(6)))
        )
    )


def _merged(a: When, b: When) -> When | None:
    if (
        a.latent
        and b.latent
        and not (a.clock or b.clock)
        and a.weekday is None
        and b.weekday is None
    ):
        return None
    if (a.latent and a.clock) or (b.latent and b.clock and not b.has_date):
        # a bare number is an hour only beside a part of the day or a day's name
        other = b if a.latent and a.clock else a
        if other.hours is None:
            return None
    if (a.year and not a.month and a.latent) or (b.year and not b.month and b.latent):
        return None
    return merge(a, b)


def _dated(mention: Mention, day: When) -> Mention | None:
    """A range or an end of clock times on a day."""
    first, second = mention.first, mention.second
    if mention.form not in ("range", "until", "from", "after") or not isinstance(first, When):
        return None
    if first.clock is None or first.has_date or day.clock or day.moment:
        return None
    if isinstance(second, When) and (second.clock is None or second.has_date):
        return None
    on = merge(first, day)
    return replace(mention, first=on) if on is not None else None
