"""Russian: years, months, days and calendar units."""

import re
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from memory_pipeline.understand.dates.chart import Context, Kind
from memory_pipeline.understand.dates.common import (
    month_day,
    nth_of,
    numeric_date,
    relative_unit,
    whole,
)
from memory_pipeline.understand.dates.pieces import Edge, Grain
from memory_pipeline.understand.dates.place import unit_period
from memory_pipeline.understand.dates.ru_grammar import GRAMMAR
from memory_pipeline.understand.dates.ru_words import (
    MONTHS,
    parses,
)
from memory_pipeline.understand.dates.values import Turn, When
from memory_pipeline.understand.word_blocks import words

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")


@rule("year", NUM, r"год(?:а|у|ом|е)?|г\.?|гг\.?")
@rule("year", ORD, r"год(?:а|у|ом|е)?|г\.?")
def _year_word(_ctx: Context, number: int, _match: re.Match[str]) -> int | None:
    return number if 1900 <= number <= 2100 else None


@rule("year", r"(?:19|20)\d\d")
def _year_digits(_ctx: Context, match: re.Match[str]) -> int:
    return int(match.group())


rule("when", YEAR)(lambda _c, y: When(year=y, grain=Grain.year, latent=True))
rule("when", NUM, r"год(?:а|у|е)?|г\.")(
    lambda _c, n, _m: When(year=n, grain=Grain.year) if 1900 <= n <= 2100 else None
)
rule("when", ORD, r"год(?:а|у|е)")(
    lambda _c, n, _m: When(year=n, grain=Grain.year) if 1900 <= n <= 2100 else None
)


rule("when", r"в", ORD)(
    lambda _c, _m, n: When(year=n, grain=Grain.year) if 1900 <= n <= 2100 else None
)


@rule("when", r"в", r"(?:19|20)\d\d(?:-?(?:м|ом))?(?! ?(?:%|₽|руб|кг|км|р\.|шт|чел|тыс|раз|году))")
def _in_year(ctx: Context, _m: re.Match[str], match: re.Match[str]) -> When | None:
    following = re.match(r"\s+([а-я]+)", ctx.text[match.end() :])
    if following and "NOUN" in parses(following.group(1))[0][1]:
        return None
    return When(year=int(match.group()[:4]), grain=Grain.year)


rule("when", r"((?:19|20)\d\d)-?(?:го|му|й|м)")(
    lambda _c, m: When(year=int(m.group(1)), grain=Grain.year)
)


@rule("when", r"(?:в )?(?:(19|20)?(\d)0)-?(?:е|х|ые|ых)(?: год(?:ы|ов|ах))?")
def _decade(_ctx: Context, match: re.Match[str]) -> When:
    century = int(match.group(1) or (19 if int(match.group(2)) >= 3 else 20))
    return whole(century * 100 + int(match.group(2)) * 10, 10)


_DECADES = words("двадцат тридцат сороков пятидесят шестидесят семидесят восьмидесят девяност")
for _i, _stem in enumerate(_DECADES, 2):
    rule("when", rf"(?:в )?{_stem}(?:ые|ых)(?: год(?:ы|ов|ах))?")(
        lambda _c, _m, i=_i: whole((1900 if i >= 3 else 2000) + i * 10, 10)
    )
rule("when", r"(?:в )?нулев(?:ые|ых)(?: год(?:ы|ов|ах))?")(lambda _c, _m: whole(2000, 10))

rule("when", MONTH)(lambda _c, m: When(month=m, grain=Grain.month, latent=True))
rule("when", MONTH, r"~ ?,?", YEAR)(lambda _c, m, _x, y: When(month=m, year=y, grain=Grain.month))
rule("when", r"весь|всего|целый|за|в течение|в", WHEN)(
    lambda _c, _m, w: replace(w, latent=False) if w.month and not w.day else None
)


@rule("when", NUM, MONTH)
@rule("when", ORD, MONTH)
@rule("when", ORD, r"числа", MONTH)
def _day_month(_ctx: Context, *args: Any) -> When | None:
    return month_day(args[-1], args[0])


rule("when", WHEN, r"~ ?,?", YEAR)(
    lambda _c, w, _x, y: (
        replace(w, year=y)
        if ((w.month and w.day) or w.holiday or w.season is not None) and w.year is None
        else None
    )
)
rule("when", WHEN, r"(\d\d)(?! ?(?:час|:|мин))")(
    lambda _c, w, m: (
        replace(w, year=2000 + int(m.group(1)))
        if w.month
        and w.day
        and not w.clock
        and not w.hours
        and w.year is None
        and int(m.group(1)) < 40
        else None
    )
)
rule("when", NUM, r"числ[ао]")(lambda _c, n, _m: When(day=n) if 1 <= n <= 31 else None)
rule("when", ORD, r"числ[ао]|числе")(lambda _c, n, _m: When(day=n) if 1 <= n <= 31 else None)
rule("day_number", ORD)(lambda _c, n: When(day=n, latent=True) if 1 <= n <= 31 else None)


@rule("when", r"(\d{1,2})-?(?:го|е|ое|му|ого|ому)(?!\w)")
def _bare_day(ctx: Context, match: re.Match[str]) -> When | None:
    number = int(match.group(1))
    following = re.match(r"\s+([а-яё]+)", ctx.text[match.end() :])
    if not 1 <= number <= 31:
        return None
    if following and _counted(following.group(1)):
        return None
    return When(day=number)


def _counted(word: str) -> bool:
    """A noun or adjective that an ordinal before it can belong to ("5-го этажа")."""
    tag = parses(word)[0][1]
    return "ADJF" in tag or ("NOUN" in tag and "nomn" not in tag)


rule("when", WHEN, Kind("day_number"))(
    lambda _c, w, d: (
        replace(w, day=d.day, latent=False)
        if w.weekday is not None and w.day is None and w.month is None
        else None
    )
)
rule("when", r"(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})(?:\s?(?:г\.?|года))?")(
    lambda _c, m: numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("when", r"~(?<![\w.,/-])(\d{1,2})\.(\d{2})\.?(?![\w/%]|[.,]\d|\s?(?:руб|кг|км|%|₽|м\b|л\b))")(
    lambda ctx, m: (
        numeric_date(m.group(1), m.group(2), None)
        if not re.search(
            r"(?:верс\w+|v|стать\w+|ст\.|пункт\w*|п\.|сборк\w+|на|по)\s*$", ctx.text[: m.start()]
        )
        else None
    )
)
rule("when", r"~(?<![\w.,/-])(\d{1,2})\.(\d)(?![\w.,/%])")(
    lambda _c, m: (w := numeric_date(m.group(1), m.group(2), None)) and replace(w, latent=True)
)


@rule("when", TURN, UNIT)
def _turn_unit(ctx: Context, turn: int, unit: Grain) -> When | None:
    return relative_unit(ctx, unit, 0 if turn == 10 else turn)


rule("when", r"в|на|за", WHEN)(lambda _c, _m, w: w if w.fixed and w.grain != Grain.day else None)
rule("when", TURN, r"выходны[ехм]\w*")(lambda ctx, t, _m: _weekend(ctx, 0 if t == 10 else t))
rule("when", r"(?:на|в) выходны(?:е|х)|выходные|к выходным")(lambda ctx, _m: _weekend(ctx, 0))


def _weekend(ctx: Context, n: int) -> When:
    _, end = unit_period(ctx.today, Grain.week, n)
    return When(fixed=(end.fromordinal(end.toordinal() - 2), end), grain=Grain.week)


def _one_day(ordinal: int) -> When:
    return When(fixed=(date.fromordinal(ordinal), date.fromordinal(ordinal + 1)))


@rule("when", TURN, WHEN)
@rule("when", TURN, Kind("season"))
def _turned(ctx: Context, turn: int, when: When) -> When | None:
    if when.turn or when.clock or when.hours or when.fixed:
        return None
    if when.weekday is not None and when.month is None and when.day is None:
        if turn == 1:
            start, _ = unit_period(ctx.today, Grain.week, turn)
            return _one_day(start.toordinal() + when.weekday)
        if turn < 0:
            back = (ctx.today.weekday() - when.weekday - 1) % 7 + 1 + 7 * (-turn - 1)
            return _one_day(ctx.today.toordinal() - back)
        return replace(when, turn="this", latent=False) if turn in (0, 10) else None
    if when.month is not None or when.season is not None or when.holiday:
        if when.day is not None or when.year is not None:
            return None
        if when.season is not None and turn in (-1, 1) and when.season != 0:
            return replace(when, year=ctx.today.year + turn, latent=False)
        name: Turn = "last" if turn == -1 else "this" if turn == 0 else "next"
        return replace(when, turn=name, latent=False) if turn != -2 else None
    return None


rule("when", Kind("season"), YEAR)(lambda _c, s, y: replace(s, year=y, latent=False))


@rule("when", ORD, r"квартал(?:а|е|у|ом)?|кв\.?")
@rule("when", NUM, r"квартал(?:а|е|у|ом)?|кв\.")
def _quarter(_ctx: Context, number: int, _match: re.Match[str]) -> When | None:
    return When(quarter=number, grain=Grain.quarter) if 1 <= number <= 4 else None


rule("when", r"q([1-4])(?: ?(20\d\d))?")(
    lambda _c, m: When(quarter=int(m.group(1)), year=int(m.group(2)) if m.group(2) else None)
)
rule("when", r"(i|ii|iii|iv) кв(?:артал(?:а|е|у)?|\.)?")(
    lambda _c, m: When(quarter=("i", "ii", "iii", "iv").index(m.group(1)) + 1)
)
rule("when", WHEN, YEAR)(
    lambda _c, w, y: replace(w, year=y) if (w.quarter or w.half) and w.year is None else None
)
rule("half", r"перв(?:ая|ой|ую|ое|ом) (?:половин[аеуы]|полугоди[еи])")(lambda _c, _m: 1)
rule("half", r"втор(?:ая|ой|ую|ое|ом) (?:половин[аеуы]|полугоди[еи])")(lambda _c, _m: 2)
rule("when", r"(?:в |во )?(?:перв|втор)(?:ом|ое) полугоди[еи]")(
    lambda _c, m: When(half=1 if "перв" in m.group() else 2, grain=Grain.quarter)
)
rule("when", Kind("half"), WHEN)(lambda ctx, h, w: nth_of(ctx, Edge(half=h), w))
rule("when", Kind("half"), UNIT)(
    lambda ctx, h, u: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(half=h), p)
)
rule("when", ORD, r"недел[яюие]", WHEN)(
    lambda ctx, n, _m, w: nth_of(ctx, Edge(nth=n, unit=Grain.week), w)
)
rule("when", r"последн(?:яя|юю|ей) недел[яюие]", WHEN)(
    lambda ctx, _m, w: nth_of(ctx, Edge(nth=-1, unit=Grain.week), w)
)
rule("when", ORD, WHEN, WHEN)(
    lambda ctx, n, d, w: (
        nth_of(ctx, Edge(nth=n, weekday=d.weekday), w)
        if d.weekday is not None and d.day is None
        else None
    )
)
rule("when", r"последн(?:ий|яя|юю|ее|его|ей)", WHEN, WHEN)(
    lambda ctx, _m, d, w: (
        nth_of(ctx, Edge(nth=-1, weekday=d.weekday), w)
        if d.weekday is not None and d.day is None
        else None
    )
)
rule("when", r"последн(?:ий|его) день", WHEN)(
    lambda ctx, _m, w: nth_of(ctx, Edge(nth=-1, unit=Grain.day), w)
)
for _pattern, _edge in (
    (r"(?:в )?конц[еауо]м?|конец", "end"),
    (r"(?:в )?начал[оеау]", "start"),
    (r"(?:в )?середин[аеуы]", "middle"),
):
    rule("when", _pattern, WHEN)(lambda ctx, _m, w, e=_edge: nth_of(ctx, Edge(side=e), w))
    rule("when", _pattern, UNIT)(
        lambda ctx, _m, u, e=_edge: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(side=e), p)
    )
rule("when", ORD, r"числа", WHEN)(
    lambda _c, n, _m, w: When(day=n, month=w.month, year=w.year) if w.month else None
)

_MONTH_AHEAD = "|".join(f"({pattern})" for pattern in MONTHS)


@rule(
    "when",
    r"(\d{1,2})(?:-?го)?(?=(?:,\s\d{1,2}(?:-?го)?)*(?:\s(?:и|или)|,)\s\d{1,2}(?:-?го)?\s(?:"
    + _MONTH_AHEAD
    + r"))",
)
def _listed_day(_ctx: Context, match: re.Match[str]) -> When | None:
    """A day of a list that names its month at the end ("15, 16 и 17 ноября")."""
    return month_day((match.lastindex or 2) - 1, int(match.group(1)))


rule("when", r"~[«\"](\d{1,2})[»\"]", MONTH)(lambda _c, d, m: month_day(m, int(d.group(1))))
rule("when", r"~(?<![\w-])(\d{1,2})-(\d{1,2})-(\d{4})(?![\w-])")(
    lambda _c, m: numeric_date(m.group(1), m.group(2), m.group(3))
)


@rule("when", r"(?:в )?(перв|десят|двадцат)(?:ых|ые) числ(?:ах|а)", MONTH)
def _third_of_month(ctx: Context, match: re.Match[str], month: int) -> When | None:
    side: Literal["start", "middle", "end"] = "start"
    if match.group(1) == "десят":
        side = "middle"
    elif match.group(1) == "двадцат":
        side = "end"
    return nth_of(ctx, Edge(side=side, third=True), When(month=month, grain=Grain.month))
