"""Russian: years, months, days and calendar units."""

import re
from dataclasses import replace
from datetime import date
from typing import Any, Literal

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
rule("when", r"в|начал[ое]|конц[ео]|середин[ае]", r"десят(?:ые|ых)(?! числ)(?: год(?:ы|ов|ах))?")(
    lambda ctx, m, _d: (
        whole(2010, 10)
        if m.group() == "в"
        else nth_of(ctx, Edge(side=_SIDE_OF[m.group()[0]]), whole(2010, 10))
    )
)
_SIDE_OF: dict[str, Literal["start", "middle", "end"]] = {"н": "start", "к": "end", "с": "middle"}
_ROMAN = {"xv": 15, "xvi": 16, "xvii": 17, "xviii": 18, "xix": 19, "xx": 20, "xxi": 21}


@rule("when", r"(?:в )?([xvi]{2,5})(?:-?(?:м|ом|й|ый|го))? век(?:е|а|у)?")
def _roman_century(_ctx: Context, match: re.Match[str]) -> When | None:
    return century(_ROMAN.get(match.group(1), 0))


rule("when", r"~(?:(?<!\w)в )?", ORD, r"век(?:е|а|у)?")(lambda _c, _p, n, _m: century(n))
rule("when", TURN, r"век(?:е|а|у)?")(
    lambda ctx, t, _m: century(ctx.today.year // 100 + 1 + t) if abs(t) < 3 else None
)
rule("when", r"в", ORD, r"год[уе]")(
    lambda _c, _m, n, _y: (
        When(year=n + (2000 if n < 40 else 1900), grain=Grain.year) if 10 <= n < 100 else None
    )
)
rule("when", r"в", r"(\d\d)-м")(
    lambda _c, _m, n: When(year=_full_year(int(n.group(1))), grain=Grain.year)
)
rule("when", r"в", ORD)(
    lambda _c, _m, n: When(year=_full_year(n), grain=Grain.year) if 60 <= n < 100 else None
)


def _full_year(number: int) -> int:
    return number + (2000 if number < 40 else 1900)


rule("when", r"(?:в )?нулев(?:ые|ых)(?: год(?:ы|ов|ах))?")(lambda _c, _m: whole(2000, 10))

rule("when", MONTH)(lambda _c, m: When(month=m, grain=Grain.month, latent=True))
rule("when", MONTH, r"~ ?,?", YEAR)(lambda _c, m, _x, y: When(month=m, year=y, grain=Grain.month))
rule("when", r"весь|всего|целый|за|в течение|в", WHEN)(
    lambda _c, _m, w: replace(w, latent=False) if w.month and not w.day else None
)


rule(
    "when",
    WHEN,
    r"~ ?\((?:пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье)\.?\)",
)(lambda _c, w, _m: w if w.day and w.month and not w.clock else None)


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
rule("when", NUM, r"числ[аоу]")(lambda _c, n, _m: When(day=n) if 1 <= n <= 31 else None)
rule("when", ORD, r"числ[аоуе]")(lambda _c, n, _m: When(day=n) if 1 <= n <= 31 else None)
rule("day_number", ORD)(lambda _c, n: When(day=n, latent=True) if 1 <= n <= 31 else None)


@rule("when", r"(\d{1,2})-?(?:го|е|ое|му|ого|ому)(?!\w)")
def _bare_day(ctx: Context, match: re.Match[str]) -> When | None:
    number = int(match.group(1))
    following = re.match(r"\s+([а-яё]+)", ctx.text[match.end() :])
    if not 1 <= number <= 31:
        return None
    if following and counted(following.group(1)):
        return None
    return When(day=number)


NEXT_WORD = r"~(?=\s*([а-яё]*))"


@rule("when", Kind("ord_of"), NEXT_WORD)
def _day_in_words(_ctx: Context, ordinal: tuple[int, bool], word: re.Match[str]) -> When | None:
    """ "двенадцатого вернусь"; the first three are too often no days ("третьего не дано"), and
    behind somebody it counts them ("ребёнка четвёртого")."""
    number, is_of_somebody = ordinal
    if is_of_somebody or not 4 <= number <= 31 or counted(word.group(1)):
        return None
    return When(day=number)


def counted(word: str) -> bool:
    """A noun or adjective that an ordinal before it can belong to ("5-го этажа")."""
    if not word:
        return False
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
rule("when", r"(0[1-9]|1[0-2])[./]((?:19|20)\d\d)")(
    lambda _c, m: When(month=int(m.group(1)), year=int(m.group(2)), grain=Grain.month)
)
rule(
    "when",
    r"~(?<![\w.,/-])(\d{1,2})\.(\d{2})\.?(?![\w/%]|[.,]\d|\s?(?:руб|кг|км|%|₽|\$|€|м\b|л\b|тыс|млн|"
    r"миллион|балл|градус|грамм|литр|метр|процент|евро|доллар|мм\b|см\b))",
)(
    lambda ctx, m: (
        numeric_date(m.group(1), m.group(2), None)
        if not re.search(
            r"(?:верс\w+|v|стать\w+|ст\.|пункт\w*|п\.|сборк\w+|на|по|глав\w|раздел\w*|параграф\w*|§|"
            r"кабинет\w*|каб\.?|комнат\w|ауд\.?|аудитори\w+|цен[ауы]\w*(?: вопроса)?|стоит|стоил\w?|"
            r"курс\w*|билд\w*|размер\w*|сч[её]т\w*|оценк\w+|рейтинг\w*)\s*$",
            ctx.text[: m.start()],
        )
        else None
    )
)
rule("when", r"~(?<![\w.,/-])(\d{1,2})\.(\d)(?![\w.,/%])")(
    lambda _c, m: (w := numeric_date(m.group(1), m.group(2), None)) and replace(w, latent=True)
)


@rule("when", TURN, UNIT)
def _turn_unit(ctx: Context, turn: int, unit: Grain) -> When | None:
    found = relative_unit(ctx, unit, 0 if turn == 10 else turn)
    # beside a past verb "на следующий день" is counted from then
    return replace(found, ahead=True) if found and unit == Grain.day and turn == 1 else found


rule("when", r"(?:на )?т(?:ой|у) недел[еию]")(lambda _c, _m: When(cycle="that_week"))
rule("when", r"в|на|за", WHEN)(lambda _c, _m, w: w if w.fixed and w.grain != Grain.day else None)
rule("when", TURN, r"выходны[ехм]\w*")(
    lambda ctx, t, _m: When(cycle="weekend") if t == 0 else _weekend(ctx, 0 if t == 10 else t)
)
rule("when", r"(?:на|в|за) выходны(?:е|х)|выходные|к выходным")(
    lambda _c, _m: When(cycle="weekend")
)
rule("when", WHEN, r"~ ?[-–—]? ?", r"выходн(?:ой|ая|ые)")(
    lambda _c, w, _d, _m: w if w.day or w.weekday is not None or w.fixed else None
)


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
    if when.season is not None and turn == -2:
        return year_before_last(ctx, when)
    if when.month is not None or when.season is not None or when.holiday:
        if when.day is not None or when.year is not None:
            return None
        if when.season is not None and turn in (-1, 1) and when.season != 0:
            return replace(when, year=ctx.today.year + turn, latent=False)
        name: Turn = "last" if turn == -1 else "this" if turn == 0 else "next"
        return replace(when, turn=name, latent=False) if turn != -2 else None
    return None


rule("when", Kind("season"), r"(\d\d)-?го(?: года)?")(
    lambda _c, s, y: replace(s, year=_full_year(int(y.group(1))), latent=False)
)
rule("when", r"все|всю|весь|целое|целую|за", Kind("season"))(
    lambda _c, _m, s: replace(s, latent=False)
)
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
_TENS = {"перв": 0, "втор": 10, "трет": 20, "посл": 20}


@rule(
    "when",
    r"(?:в(?:о)? )?(перв|втор|трет|посл)(?:ая|ой|ую|ья|ью|ьей|едняя|едней|еднюю) декад[аеуы]",
    WHEN,
)
def _ten_days(ctx: Context, match: re.Match[str], month: When) -> When | None:
    if not month.month or month.day:
        return None
    edges = {0: Edge(side="start"), 10: Edge(side="middle"), 20: Edge(side="end", late=True)}
    return nth_of(ctx, edges[_TENS[match.group(1)]], month)


rule("half", r"перв(?:ая|ой|ую|ое|ом) (?:половин[аеуы]|полугоди[еи])")(lambda _c, _m: 1)
rule("half", r"втор(?:ая|ой|ую|ое|ом) (?:половин[аеуы]|полугоди[еи])")(lambda _c, _m: 2)
rule("when", r"(?:в |во )?(?:перв|втор)(?:ом|ое) полугоди[еи]")(
    lambda _c, m: When(half=1 if "перв" in m.group() else 2, grain=Grain.quarter)
)
rule("when", ORD, r"полугоди[еию]")(
    lambda _c, n, _m: When(half=n, grain=Grain.quarter) if n <= 2 else None
)
rule("half", ORD, r"половин[аеуы]|полугоди[еию]")(lambda _c, n, _m: n if n <= 2 else None)
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
