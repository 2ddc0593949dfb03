"""English: years, months, days and calendar units."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Context, Kind
from memory_pipeline.understand.dates.common import (
    century,
    month_day,
    nth_of,
    numeric_date,
    relative_unit,
    whole,
    year_before_last,
)
from memory_pipeline.understand.dates.en_words import GRAMMAR, MONTH_STEMS, MONTHS
from memory_pipeline.understand.dates.pieces import Edge, Grain
from memory_pipeline.understand.dates.place import place_date, unit_period
from memory_pipeline.understand.dates.values import Turn, When
from memory_pipeline.understand.word_blocks import words

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

rule("year", r"(?:19|20)\d\d")(lambda _c, m: int(m.group()))
rule("year", r"'(\d\d)")(lambda _c, m: int(m.group(1)) + (2000 if int(m.group(1)) < 40 else 1900))
rule("when", YEAR)(lambda _c, y: When(year=y, grain=Grain.year, latent=True))


@rule(
    "when",
    r"(?:back )?in|during|throughout|for all of",
    r"(?:the year )?((?:19|20)\d\d)(?! ?(?:%|px|words|items|people|kg|km|\$))",
)
def _in_year(_ctx: Context, _m: re.Match[str], match: re.Match[str]) -> When:
    return When(year=int(match.group(1)), grain=Grain.year)


@rule("when", r"(?:in )?(?:the )?(?:(early|mid|late)[ -])?(?:((?:19|20)\d)0|'?([2-9])0)'?s")
def _decade(_ctx: Context, match: re.Match[str]) -> When | None:
    first = int(match.group(2)) * 10 if match.group(2) else 1900 + int(match.group(3)) * 10
    return _part_of_decade(first, match.group(1))


def _part_of_decade(first: int, part: str | None) -> When:
    if part is None:
        return whole(first, 10)
    return whole(first + {"early": 0, "mid": 4, "late": 7}[part], 3)


for _i, _name in enumerate(
    words("twenties thirties forties fifties sixties seventies eighties nineties"), 2
):
    rule("when", rf"(?:in )?the (?:(early|mid|late)[ -])?{_name}")(
        lambda _c, m, i=_i: _part_of_decade(1900 + 10 * i, m.group(1))
    )

rule("when", MONTH, r"~,? ?(?:of )?", YEAR)(
    lambda _c, m, _x, y: When(month=m, year=y, grain=Grain.month)
)
rule("when", r"(1[0-2]|0?[1-9])/((?:19|20)\d\d)")(
    lambda _c, m: When(month=int(m.group(1)), year=int(m.group(2)), grain=Grain.month)
)
rule("when", r"((?:19|20)\d\d)/(1[0-2]|0?[1-9])")(
    lambda _c, m: When(month=int(m.group(2)), year=int(m.group(1)), grain=Grain.month)
)
_MONTH_CONTEXT = (
    r"in|since|until|till|by|before|after|for|during|this|next|last|of|early|mid|late|all|through|"
    r"throughout|end of|from|to|between|come"
)
rule(
    "when",
    r"in|during|all of|all|throughout|all through|all throughout|(?:the )?(?:whole|entire)(?: month)?(?: of)?",
    MONTH,
)(lambda _c, _m, n: When(month=n, grain=Grain.month))
rule("when", MONTH, r"~ ?(?:the )?", ORD)(lambda _c, m, _x, n: month_day(m, n))
rule("when", MONTH, NUM)(lambda _c, m, n: month_day(m, n))
rule("when", ORD, r"~ ?(?:day )?(?:of )?", MONTH)(lambda _c, n, _m, m: month_day(m, n))
rule("when", NUM, r"~ ?(?:of )?", MONTH)(lambda _c, n, _m, m: month_day(m, n))
rule("when", r"(\d{1,2})[ -]?(" + "|".join(f"{m[:3]}[a-z]*" for m in MONTH_STEMS) + r")")(
    lambda _c, m: (
        month_day(MONTH_STEMS.index(m.group(2)[:3]) + 1, int(m.group(1)))
        if re.fullmatch(MONTHS[MONTH_STEMS.index(m.group(2)[:3])], m.group(2))
        else None
    )
)
rule("when", r"(\d{1,2})[ -]?(?=[a-z])", MONTH, r"~[ -]?(\d{4})(?!\w)")(
    lambda _c, d, m, y: (
        month_day(m, int(d.group(1)), int(y.group(1))) if 1900 <= int(y.group(1)) <= 2100 else None
    )
)
rule("when", WHEN, r"~,? ?(?:of )?", YEAR)(
    lambda _c, w, _m, y: (
        replace(w, year=y, latent=False)
        if ((w.month and w.day) or w.holiday) and w.year is None and not w.clock
        else None
    )
)
rule("when", WHEN, r"'?(\d\d)(?![:\w]| ?[ap]\.?m)")(
    lambda _c, w, m: (
        replace(w, year=2000 + int(m.group(1)))
        if w.month
        and w.day
        and w.year is None
        and not w.clock
        and not w.hours
        and int(m.group(1)) < 40
        else None
    )
)
rule(
    "when",
    r"(?:on )?the",
    r"(\d{1,2})(?:st|nd|rd|th)(?! (?:of|time|floor|grade|place|century|street|st\.?|ave|one|row|try|week|month|year|quarter|and \w+ floor|edition|birthday|anniversary)\b)",
)(lambda _c, _m, n: When(day=int(n.group(1))) if 1 <= int(n.group(1)) <= 31 else None)
_NO_NOUN = (
    r"~(?=\s*(?:$|[.,!?;:)\n-]|(?:at|and|or|but|so|we|i|he|she|they|you|it|in|for|with|of|is|was|if|because|"
    r"then|when|till|until|to|from|by|as|my|our|the|after|before|around|this|next|that|which|between|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)\b))"
)
rule("when", r"on the", ORD, _NO_NOUN)(lambda _c, _m, n, _f: When(day=n) if 1 <= n <= 31 else None)
rule("day_number", r"~(?:the )?", ORD)(lambda _c, _m, n: When(day=n) if 1 <= n <= 31 else None)
rule("when", WHEN, r"~,? ?", Kind("day_number"))(
    lambda _c, w, _m, d: (
        replace(w, day=d.day, latent=False)
        if w.weekday is not None and w.day is None and w.month is None
        else None
    )
)
rule("when", r"~(?<![\w/.])(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?![\w/])")(
    lambda _c, m: (
        numeric_date(m.group(2), m.group(1), m.group(3))
        or numeric_date(m.group(1), m.group(2), m.group(3))
    )
)
rule("when", r"~(?<![\w-])(\d{1,2})-(\d{1,2})-(\d{4})(?![\w-])")(
    lambda _c, m: (
        numeric_date(m.group(2), m.group(1), m.group(3))
        or numeric_date(m.group(1), m.group(2), m.group(3))
    )
)
rule("when", r"~(?<![\w.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w.])")(
    lambda _c, m: numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("slashed", r"~(?<![\w/.])(\d{1,2})/(\d{1,2})(?![\w/%])")(
    lambda _c, m: (
        numeric_date(m.group(2), m.group(1), None) or numeric_date(m.group(1), m.group(2), None)
    )
)
rule("when", Kind("slashed"))(lambda _c, w: replace(w, latent=True))
rule("when", r"on|due|for|date", Kind("slashed"))(lambda _c, _m, w: w)
rule("when", Kind("slashed"), r"~ ?\((mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?\)")(lambda _c, w, _m: w)
rule("when", WHEN, r"~ ?\((mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?\)")(
    lambda _c, w, _m: w if w.day and w.month and not w.clock else None
)
# a fraction hardly has such a denominator after these words
rule("when", r"(?:is|was|are|~'s|date|:)(?: on)?", Kind("slashed"))(
    lambda _c, _m, w: w if (w.day or 0) > 12 else None
)

rule("when", TURN, UNIT)(
    lambda ctx, t, u: relative_unit(ctx, u, 1 if t == 10 else t) if u != Grain.day else None
)
# beside a past verb "the following week" is counted from then
rule("when", r"(?:the )?following", UNIT)(
    lambda ctx, _m, u: (w := relative_unit(ctx, u, 1)) and replace(w, ahead=True)
)
rule("when", r"~(?:(?<!\w)in )?(?:(?<!\w)the )?", ORD, r"century|c\.")(
    lambda _c, _m, n, _w: century(n)
)
rule("when", TURN, r"century")(
    lambda ctx, t, _m: century(ctx.today.year // 100 + 1 + t) if abs(t) < 2 else None
)


@rule("said_year", r"nineteen|twenty", NUM)
def _said_in_halves(_ctx: Context, first: re.Match[str], number: int) -> int | None:
    """ "nineteen ninety-eight", "twenty fourteen"."""
    start = 1900 if first.group() == "nineteen" else 2000
    return start + number if 10 <= number < 100 else None


rule("said_year", r"two thousand(?: and)?", NUM)(
    lambda _c, _m, n: 2000 + n if 1 <= n < 100 else None
)
rule("when", r"(?:back )?in|during", Kind("said_year"))(
    lambda _c, _m, y: When(year=y, grain=Grain.year)
)
rule("year", Kind("said_year"))(lambda _c, y: y)
rule("when", r"(?:back )?in", NUM, _NO_NOUN)(
    lambda ctx, m, n, _f: (
        When(year=1900 + n, grain=Grain.year)
        if 60 <= n < 100 and re.match(r"(?:back )?in [a-z]+-[a-z]+", ctx.text[m.start() :])
        else None
    )
)
rule("when", r"the", UNIT)(
    lambda ctx, _m, u: (w := relative_unit(ctx, u, 0)) and replace(w, latent=True)
)
rule("when", UNIT, r"after next")(lambda ctx, u, _m: relative_unit(ctx, u, 2))
rule("when", UNIT, r"before last")(lambda ctx, u, _m: relative_unit(ctx, u, -2))
rule("when", r"all|rest of the|the rest of the|rest of", UNIT)(
    lambda ctx, m, u: _rest(ctx, m.group(), u)
)
rule("when", r"in|during|for|over|around", WHEN)(
    lambda _c, _m, w: w if w.fixed and w.grain != Grain.day and not w.latent else None
)


def _rest(ctx: Context, words: str, unit: Grain) -> When | None:
    if unit < Grain.week:
        return None
    start, end = unit_period(ctx.today, unit, 0)
    return When(fixed=(start if words == "all" else ctx.today, end), grain=unit)


_WEEKEND = r"(?:week[ -]?end|wkend)s?(?:'s)?"


def _weekend(ctx: Context, n: int) -> When:
    _, end = unit_period(ctx.today, Grain.week, n)
    return When(fixed=(end.fromordinal(end.toordinal() - 2), end), grain=Grain.week)


rule("when", TURN, _WEEKEND)(
    lambda ctx, t, _m: When(cycle="weekend") if t == 0 else _weekend(ctx, 0 if t == 10 else t)
)
rule("when", r"(?:on |over |at )?the weekend")(lambda _c, _m: When(cycle="weekend"))
rule("when", r"(?:the )?last", _WEEKEND, r"of|in", WHEN)(
    lambda ctx, _m, _w, _o, w: _last_weekend(ctx, w)
)


def _last_weekend(ctx: Context, when: When) -> When | None:
    if when.clock or when.hours or not when.has_date:
        return None
    start, end, grain = place_date(when, ctx.today, "unknown")
    if grain < Grain.month:
        return None
    sunday = nth_of(ctx, Edge(nth=-1, weekday=6), When(fixed=(start, end), grain=grain))
    if sunday is None or sunday.fixed is None:
        return None
    last = sunday.fixed[0]
    return When(fixed=(last.fromordinal(last.toordinal() - 1), sunday.fixed[1]), grain=Grain.week)


@rule("when", TURN, WHEN)
@rule("when", TURN, Kind("season"))
def _turned(ctx: Context, turn: int, when: When) -> When | None:
    if when.turn or when.clock or when.hours or when.fixed or when.moment:
        return None
    fields = when.date_fields()
    if fields.keys() == {"weekday"}:
        if turn == 1:
            start, _ = unit_period(ctx.today, Grain.week, 1)
            day = start.fromordinal(start.toordinal() + (when.weekday or 0))
            return When(fixed=(day, day.fromordinal(day.toordinal() + 1)))
        return replace(when, turn="last" if turn == -1 else "this", latent=False)
    if fields.keys() <= {"month"} or fields.keys() <= {"season"} or fields.keys() == {"holiday"}:
        name: Turn = "last" if turn == -1 else "next" if turn == 1 else "this"
        return replace(when, turn=name, latent=False)
    if fields.keys() == {"month", "day"} and turn == -1:
        return replace(when, turn="last", latent=False)
    return None


rule("when", r"~(?:the )?", Kind("season"), r"before last")(
    lambda ctx, _t, s, _m: year_before_last(ctx, s)
)
rule("when", TURN, r"season")(lambda ctx, t, _m: _season_step(ctx, 1 if t == 10 else t))
rule("when", r"in the|the|in|over the|all|during the|by", Kind("season"))(
    lambda ctx, m, s: (
        replace(s, latent=False)
        if m.group() not in ("the",)
        and not (m.group() == "in the" and s.season == 3 and _falls(ctx))
        else None
    )
)
rule("when", Kind("season"), r"~ ?(?:of )?", YEAR)(
    lambda _c, s, _m, y: replace(s, year=y, latent=False)
)


def _falls(ctx: Context) -> bool:
    return "in the fall of" in ctx.text and not re.search(r"in the fall of (?:19|20)\d\d", ctx.text)


def _season_step(ctx: Context, turn: int) -> When:
    start = unit_period(ctx.today, Grain.month, -(ctx.today.month % 3))[0]
    from memory_pipeline.understand.dates.calendar import add_months

    start = add_months(start, 3 * turn)
    return When(fixed=(start, add_months(start, 3)), grain=Grain.month)


@rule("when", r"~(?:the )?", ORD, r"(?:quarter|qtr)(?! (?:past|to|of an))")
def _quarter(_ctx: Context, _m: re.Match[str], number: int, _q: re.Match[str]) -> When | None:
    return When(quarter=number, grain=Grain.quarter) if 1 <= number <= 4 else None


rule("when", r"q([1-4])(?:[ /-]?((?:20)?\d\d))?")(
    lambda _c, m: When(quarter=int(m.group(1)), year=_year2(m.group(2)), grain=Grain.quarter)
)
rule("when", r"((?:20)?\d\d)[ -]?q([1-4])")(
    lambda _c, m: When(quarter=int(m.group(2)), year=_year2(m.group(1)), grain=Grain.quarter)
)
rule("when", WHEN, r"~ ?(?:of |,)? ?", YEAR)(
    lambda _c, w, _m, y: replace(w, year=y) if (w.quarter or w.half) and w.year is None else None
)
rule("when", r"(?:the )?(first|second) half of(?: the)?", WHEN)(
    lambda ctx, m, w: nth_of(ctx, Edge(half=1 if m.group(1) == "first" else 2), w)
)
rule("when", r"(?:the )?(first|second) half of(?: the)?", YEAR)(
    lambda _c, m, y: When(half=1 if m.group(1) == "first" else 2, year=y, grain=Grain.quarter)
)
rule("when", r"(?:the )?(first|second) half of(?: the| this)?", UNIT)(
    lambda ctx, m, u: (
        (p := relative_unit(ctx, u, 0))
        and nth_of(ctx, Edge(half=1 if m.group(1) == "first" else 2), p)
    )
)
rule("when", r"h([12])(?: ?(20\d\d))?")(
    lambda _c, m: When(
        half=int(m.group(1)),
        year=_year2(m.group(2)),
        grain=Grain.quarter,
        latent=m.group(2) is None,
    )
)


def _year2(digits: str | None) -> int | None:
    return None if digits is None else int(digits) % 2000 + 2000


_MONTH_NAMES = "|".join(f"{stem}[a-z]*" for stem in MONTH_STEMS)


@rule("when", r"(\d{1,2})-?(" + _MONTH_NAMES + r")-?((?:19|20)?\d\d)")
def _joined(_ctx: Context, match: re.Match[str]) -> When | None:
    number = MONTH_STEMS.index(match.group(2)[:3])
    if not re.fullmatch(MONTHS[number], match.group(2)):
        return None
    return numeric_date(match.group(1), str(number + 1), match.group(3))


rule("when", r"([1-4])q(?:[ /]?((?:20)?\d\d))?")(
    lambda _c, m: When(quarter=int(m.group(1)), year=_year2(m.group(2)), grain=Grain.quarter)
)
rule("when", r"(?:the )?(first|1st|second|2nd|third|3rd|last) of the month")(
    lambda ctx, m: nth_of(
        ctx,
        Edge(
            nth={"f": 1, "1": 1, "s": 2, "2": 2, "t": 3, "3": 3, "l": -1}[m.group(1)[0]],
            unit=Grain.day,
        ),
        When(fixed=unit_period(ctx.today, Grain.month, 0), grain=Grain.month),
    )
)
rule("when", r"(?:back )?in", r"'(\d\d)")(
    lambda _c, _m, y: When(
        year=int(y.group(1)) + (2000 if int(y.group(1)) < 40 else 1900), grain=Grain.year
    )
)
rule("when", r"([12])h ((?:19|20)\d\d)")(
    lambda _c, m: When(half=int(m.group(1)), year=int(m.group(2)), grain=Grain.quarter)
)
rule("when", r"((?:19|20)\d\d)-(0[1-9]|1[0-2])(?!-)")(
    lambda _c, m: When(month=int(m.group(2)), year=int(m.group(1)), grain=Grain.month)
)
_MONTH_AHEAD = "|".join(f"({pattern})" for pattern in MONTHS)


@rule(
    "when",
    r"(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?=(?:, \d{1,2}(?:st|nd|rd|th)?)*(?:,? (?:and|or) |, )(?:the )?"
    r"\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:" + _MONTH_AHEAD + r")(?!\w))",
)
def _listed_day(_ctx: Context, match: re.Match[str]) -> When | None:
    """A day of a list that names its month at the end ("the 3rd and the 5th of May")."""
    return month_day((match.lastindex or 2) - 1, int(match.group(1)))
