"""The Russian grammar of dates."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from memory_pipeline.understand.dates.chart import Context, Grammar, Kind, Mention, Node
from memory_pipeline.understand.dates.common import (
    add_shared_rules,
    between_two,
    clock_at,
    duration,
    from_now,
    month_day,
    nth_of,
    numeric_date,
    offset,
    relative_unit,
    whole,
)
from memory_pipeline.understand.dates.ru_words import (
    MONTHS,
    UNITS,
    WEEKDAYS,
    find_numbers,
    parses,
)
from memory_pipeline.understand.dates.pieces import Edge, Grain
from memory_pipeline.understand.dates.values import Clock, Dur, When, date_grain, unit_period

GRAMMAR = Grammar()
rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")

GRAMMAR.leaf(find_numbers)

_CYCLE_DAYS = (
    (r"сегодня|сегодняшн(?:ий|его|ем) (?:день|дня|дне)", 0),
    (r"вчера", -1),
    (r"позавчера", -2),
    (r"позапозавчера", -3),
    (r"завтра|завтрашн(?:ий|его|ем) (?:день|дня|дне)", 1),
    (r"послезавтра", 2),
    (r"послепослезавтра", 3),
)
_TURNS = (
    (r"(?:эт(?:от|а|о|и|ого|ой|ом|их|у|им)|текущ\w+|нынешн\w+|сей|сего)", 0),
    (r"(?:ближайш\w+)", 10),
    (r"(?:прошл\w+|прошедш\w+|минувш\w+|предыдущ\w+)", -1),
    (r"(?:позапрошл\w+)", -2),
    (r"(?:следующ\w+|будущ\w+|грядущ\w+|наступающ\w+)", 1),
)
_HOLIDAYS = (
    (r"католическо\w+ рождеств\w+", "christmas"),
    (r"рождеств[оауе]м?(?: христов\w+)?", "christmas_ru"),
    (r"(?:рождественский )?сочельник\w*", "christmas_eve_ru"),
    (r"нов(?:ый|ого|ому|ым|ом) год(?:а|у|ом)?|нг", "new_year"),
    (r"стар(?:ый|ого|ому) нов(?:ый|ого|ому) год(?:а|у)?", "old_new_year"),
    (r"новогодни[ехм]+ (?:праздник\w+|каникул\w*|выходны\w+)", "new_year_holidays"),
    (r"крещени[еяю]", "epiphany_ru"),
    (r"татьянин\w* (?:день|дня)", "tatiana"),
    (r"(?:день|дня|дню) (?:святого|св\.?) валентина|день влюбл[её]нных", "valentine"),
    (r"(?:день|дня|дню) защитника отечества", "defender"),
    (r"(?:международн\w+ )?женск(?:ий|ого|ому) (?:день|дня|дню)", "womens_day"),
    (r"(?:день|дня|дню) смеха|(?:день|дня|дню) дурака", "fools_day"),
    (r"(?:день|дня|дню) космонавтики", "cosmonautics"),
    (r"майские(?: (?:праздники|выходные|каникулы))?|майских(?: (?:праздник\w+|выходных|каникул))?"
     r"|майским(?: праздникам)?", "may_holidays"),
    (r"первомай|первомая", "may_day"),
    (r"(?:день|дня|дню) победы", "victory"),
    (r"(?:день|дня|дню) россии", "russia_day"),
    (r"ивана? купала", "ivan_kupala"),
    (r"(?:день|дня|дню) знаний", "knowledge"),
    (r"(?:день|дня|дню) учителя", "teachers_ru"),
    (r"(?:день|дня|дню) народного единства|ноябрьские(?: праздники)?|ноябрьских", "unity"),
    (r"(?:день|дня|дню) матери", "mothers_ru"),
    (r"(?:день|дня|дню) конституции", "constitution"),
    (r"пасх[аиуе]|пасхой", "easter_ru"),
    (r"троиц[аыуе]|троицей", "trinity_ru"),
    (r"вербн\w+ воскресень\w", "palm_sunday_ru"),
    (r"х[еэ]ллоуин\w*", "halloween"),
    (r"черн(?:ая|ую|ой) пятниц[ауые]", "black_friday"),
)
_SEASONS = (
    (r"зим[аыуе]|зимой|зимою", 0),
    (r"весн[аыуе]|весной|весною", 1),
    (r"лет[оау]|летом|лете", 2),
    (r"осен[ьи]|осенью", 3),
)
_PARTS = (
    (r"рано утром|ранним утром", (0, 9)),
    (r"утром|с утра|утра|утро|утречком|поутру", (0, 12)),
    (r"днем|дня", (12, 19)),
    (r"после обеда|во второй половине дня", (12, 18)),
    (r"в первой половине дня|до обеда", (0, 12)),
    (r"в обед", (12, 14)),
    (r"вечером|вечера|вечер|вечерком", (18, 24)),
    (r"ночью|ночи|ночь", (0, 6)),
)


def _add_words() -> None:
    for pattern, days in _CYCLE_DAYS:
        rule("when", pattern)(
            lambda ctx, _, d=days: When(fixed=unit_period(ctx.today, Grain.day, d))
        )
    for number, pattern in enumerate(MONTHS, 1):
        rule("month", pattern)(lambda _c, _m, n=number: n)
    for number, pattern in enumerate(WEEKDAYS):
        rule("when", pattern)(_weekday(number))
    for pattern, grain in UNITS:
        rule("unit", pattern)(lambda _c, _m, g=grain: g)
    for pattern, turn in _TURNS:
        rule("turn", pattern)(lambda _c, _m, t=turn: t)
    for pattern, name in _HOLIDAYS:
        rule("when", pattern)(lambda _c, _m, n=name: When(holiday=n))
    for pattern, season in _SEASONS:
        rule("season", pattern)(
            lambda _c, m, s=season: When(
                season=s, grain=Grain.month, latent=m.group()[-2:] not in ("ом", "ой", "ью", "ою")
            )
        )
    for pattern, hours in _PARTS:
        rule("part", pattern)(
            lambda _c, m, h=hours: When(
                hours=h, latent=m.group() in ("дня", "ночи", "утра", "вечера", "днем")
            )
        )


def _weekday(number: int) -> Any:
    def build(ctx: Context, match: re.Match[str]) -> When:
        # "среда" is also an environment, and a capital inside a sentence makes a proper name
        word = match.group()
        before = ctx.text[: match.start()].rstrip()
        name = ctx.raw[match.start()].isupper() and before[-1:] not in ("", ".", "!", "?", "(", "\n")
        short = len(word.rstrip(".")) <= 3
        return When(weekday=number, latent=word in ("среда", "среды") or name or short)

    return build


_add_words()
rule("when", Kind("season"))(lambda _c, s: s)
rule("when", Kind("part"))(lambda _c, p: p)
rule("when", r"в(?:о)?|на", WHEN)(
    lambda _c, m, w: replace(w, latent=False, turn=w.turn or ("coming" if m.group() == "на" and not w.holiday else ""))
    if w.weekday is not None or w.holiday or w.fixed or (w.month and not w.day) else None
)
rule("when", r"в", r"течение|продолжение", WHEN)(lambda _c, _a, _b, w: w if w.has_date else None)


# --- years, months, days --------------------------------------------------------------------------
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


_DECADES = "двадцат тридцат сороков пятидесят шестидесят семидесят восьмидесят девяност".split()
for _i, _stem in enumerate(_DECADES, 2):
    rule("when", rf"(?:в )?{_stem}(?:ые|ых)(?: год(?:ы|ов|ах))?")(
        lambda _c, _m, i=_i: whole((1900 if i >= 3 else 2000) + i * 10, 10)
    )
rule("when", r"(?:в )?нулев(?:ые|ых)(?: год(?:ы|ов|ах))?")(lambda _c, _m: whole(2000, 10))

rule("when", MONTH)(lambda _c, m: When(month=m, grain=Grain.month, latent=True))
rule("when", MONTH, r"~ ?,?", YEAR)(
    lambda _c, m, _x, y: When(month=m, year=y, grain=Grain.month)
)
rule("when", r"весь|всего|целый|за|в течение|в", WHEN)(
    lambda _c, _m, w: replace(w, latent=False) if w.month and not w.day else None
)


@rule("when", NUM, MONTH)
@rule("when", ORD, MONTH)
@rule("when", ORD, r"числа", MONTH)
def _day_month(_ctx: Context, *args: Any) -> When | None:
    return month_day(args[-1], args[0])


rule("when", WHEN, r"~ ?,?", YEAR)(
    lambda _c, w, _x, y: replace(w, year=y)
    if (w.month and w.day or w.holiday or w.season is not None) and w.year is None else None
)
rule("when", WHEN, r"(\d\d)(?! ?(?:час|:|мин))")(
    lambda _c, w, m: replace(w, year=2000 + int(m.group(1)))
    if w.month and w.day and not w.clock and not w.hours and w.year is None
    and int(m.group(1)) < 40 else None
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
    lambda _c, w, d: replace(w, day=d.day, latent=False)
    if w.weekday is not None and w.day is None and w.month is None else None
)
rule("when", r"(\d{1,2})[./](\d{1,2})[./](\d{4}|\d{2})(?:\s?(?:г\.?|года))?")(
    lambda _c, m: numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("when", r"~(?<![\w.,/-])(\d{1,2})\.(\d{2})\.?(?![\w/%]|[.,]\d|\s?(?:руб|кг|км|%|₽|м\b|л\b))")(
    lambda ctx, m: numeric_date(m.group(1), m.group(2), None)
    if not re.search(r"(?:верс\w+|v|стать\w+|ст\.|пункт\w*|п\.|сборк\w+|на|по)\s*$",
                     ctx.text[: m.start()]) else None
)
rule("when", r"~(?<![\w.,/-])(\d{1,2})\.(\d)(?![\w.,/%])")(
    lambda _c, m: (w := numeric_date(m.group(1), m.group(2), None)) and replace(w, latent=True)
)


# --- relative units -------------------------------------------------------------------------------
@rule("when", TURN, UNIT)
def _turn_unit(ctx: Context, turn: int, unit: Grain) -> When | None:
    return relative_unit(ctx, unit, 0 if turn == 10 else turn)


rule("when", r"в|на|за", WHEN)(lambda _c, _m, w: w if w.fixed and w.grain != Grain.day else None)
rule("when", TURN, r"выходны[ехм]\w*")(
    lambda ctx, t, _m: _weekend(ctx, 0 if t == 10 else t)
)
rule("when", r"(?:на|в) выходны(?:е|х)|выходные|к выходным")(lambda ctx, _m: _weekend(ctx, 0))


def _weekend(ctx: Context, n: int) -> When:
    start, end = unit_period(ctx.today, Grain.week, n)
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
        name = {-1: "last", 1: "next", 0: "this", 10: "next"}.get(turn)
        return replace(when, turn=name, latent=False) if name else None
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
rule("when", ORD, r"недел[яюие]", WHEN)(lambda ctx, n, _m, w: nth_of(ctx, Edge(nth=n, unit=Grain.week), w))
rule("when", r"последн(?:яя|юю|ей) недел[яюие]", WHEN)(
    lambda ctx, _m, w: nth_of(ctx, Edge(nth=-1, unit=Grain.week), w)
)
rule("when", ORD, WHEN, WHEN)(
    lambda ctx, n, d, w: nth_of(ctx, Edge(nth=n, weekday=d.weekday), w)
    if d.weekday is not None and d.day is None else None
)
rule("when", r"последн(?:ий|яя|юю|ее|его|ей)", WHEN, WHEN)(
    lambda ctx, _m, d, w: nth_of(ctx, Edge(nth=-1, weekday=d.weekday), w)
    if d.weekday is not None and d.day is None else None
)
rule("when", r"последн(?:ий|его) день", WHEN)(lambda ctx, _m, w: nth_of(ctx, Edge(nth=-1, unit=Grain.day), w))
for _pattern, _edge in ((r"(?:в )?конц[еауо]м?|конец", "end"), (r"(?:в )?начал[оеау]", "start"),
                        (r"(?:в )?середин[аеуы]", "middle")):
    rule("when", _pattern, WHEN)(lambda ctx, _m, w, e=_edge: nth_of(ctx, Edge(side=e), w))
    rule("when", _pattern, UNIT)(
        lambda ctx, _m, u, e=_edge: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(side=e), p)
    )
rule("when", ORD, r"числа", WHEN)(
    lambda _c, n, _m, w: When(day=n, month=w.month, year=w.year) if w.month else None
)


# --- clock times ----------------------------------------------------------------------------------
rule("clock", r"(?:в )?(\d{1,2}):(\d\d)(?::(\d\d))?(?:\s?ч\.?)?(?!:)")(
    lambda _c, m: clock_at(m.group(1), m.group(2), m.group(3))
)
rule("clock", r"(?:в )?(\d{1,2})ч(\d\d)")(lambda _c, m: clock_at(m.group(1), m.group(2)))
rule("clock", r"(?:в|к|до|с|по) (\d{1,2})[.-](\d\d)(?![.\d])")(
    lambda _c, m: clock_at(m.group(1), m.group(2))
)
rule("hour", NUM, r"час(?:а|ов|у|ам)?|ч\.?")(lambda _c, n, _m: n if 0 <= n <= 24 else None)
rule("hour", r"~(?<!\w)(\d{1,2})ч(?!\w)")(lambda _c, m: int(m.group(1)))
rule("hour", r"час")(lambda _c, _m: 1)
rule("bare_hour", NUM)(lambda _c, n: n if 0 <= n <= 24 else None)


def _hour(number: int, said: bool = False) -> When:
    return When(
        clock=Clock(number, ambiguous=1 <= number <= 12, grain=Grain.hour), latent=not said
    )


rule("when", Kind("clock"))(lambda _c, c: When(clock=c))
rule("when", r"в|к", Kind("hour"))(lambda _c, _m, n: _hour(n, said=True))
rule("when", Kind("hour"), NUM, r"минут[уы]?|мин\.?")(
    lambda _c, h, m, _m: When(clock=Clock(h, m, ambiguous=1 <= h <= 12, grain=Grain.minute))
    if m < 60 else None
)
rule("when", Kind("hour"))(lambda _c, n: _hour(n))
rule("when", Kind("bare_hour"), r"утра|вечера|ночи")(lambda _c, n, m: _part_of_day(_c, _hour(n), m))


@rule("when", r"в|к", Kind("bare_hour"))
def _at_hour(ctx: Context, prefix: re.Match[str], number: int) -> When | None:
    if re.search(r"раза?\s$", ctx.text[: prefix.start()]):
        return None
    # the number's end is not known here, so the next word is read behind its last character
    following = re.match(r"[вк]\s+(?:\d+|[а-яё]+(?:\s+(?:один|два|три|четыре))?)\s*([а-яё%]*)",
                         ctx.text[prefix.start() :])
    if not number or number > 24:
        return None
    word = following.group(1) if following else ""
    if word and (word == "%" or parses(word)[0][1] & {"NOUN", "ADJF", "ADJS", "NUMR", "PRTF"}):
        if word not in ("утра", "дня", "вечера", "ночи"):
            return None
    return _hour(number, said=True)


@rule("when", WHEN, r"утра|дня|пополудни|вечера|ночи|пополуночи")
def _part_of_day(_ctx: Context, when: When, match: re.Match[str]) -> When | None:
    clock = when.clock
    if clock is None or not 1 <= clock.hour <= 12 or when.hours or when.moment:
        return None
    hour, part = clock.hour, match.group()
    if part == "ночи" and hour >= 10:
        hour += 12
    elif part in ("дня", "пополудни", "вечера") and hour < 12:
        hour += 12
    elif part in ("утра", "пополуночи") and hour == 12:
        hour = 0
    return replace(when, clock=replace(clock, hour=hour, ambiguous=False), latent=False)


rule("when", r"(?:в )?(?:полдень|полудня)")(lambda _c, _m: When(clock=Clock(12)))
rule("when", r"(?:в )?(?:полночь|полуночи)")(lambda _c, _m: When(clock=Clock(24)))
rule("when", r"~(?<!\w)(?:в )?(?:половин[ауе] |пол[ -]?)", Kind("half_of"))(
    lambda _c, _m, n: When(clock=Clock((n - 1) or 12, 30, ambiguous=True, grain=Grain.minute))
)
rule("when", r"(?:в )?четверть", ORD)(
    lambda _c, _m, n: When(clock=Clock((n - 1) or 12, 15, ambiguous=True, grain=Grain.minute))
    if n <= 12 else None
)
rule("half_of", ORD)(lambda _c, n: n if 1 <= n <= 12 else None)
rule("when", r"(?:в )?пол(перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат)(?:ого|ьего)")(
    lambda _c, m: When(
        clock=Clock((_HALF_STEMS.index(m.group(1).replace("ё", "е")) or 12), 30, ambiguous=True,
                    grain=Grain.minute)
    )
)
_HALF_STEMS = (
    "перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат".split()
)
rule("when", r"без четверти", Kind("bare_hour"))(
    lambda _c, _m, n: When(clock=Clock((n - 1) or 12, 45, ambiguous=True, grain=Grain.minute))
    if 1 <= n <= 12 else None
)
rule("when", r"без", NUM, r"~ ?(?:минут )?", Kind("bare_hour"))(
    lambda _c, _m, k, _x, n: When(
        clock=Clock((n - 1) or 12, 60 - k, ambiguous=True, grain=Grain.minute)
    ) if 1 <= n <= 12 and 0 < k < 30 else None
)

# --- durations ------------------------------------------------------------------------------------
rule("dur", NUM, UNIT)(lambda _c, n, u: duration(n, u))
rule("dur", UNIT)(lambda ctx, u: duration(1, u))
rule("dur", r"пар[уы]|парочк[уи]", UNIT)(lambda _c, _m, u: duration(2, u))
rule("dur", r"полтор[аы]", UNIT)(lambda _c, _m, u: duration(1.5, u))
rule("dur", r"полчас(?:а|ика)?")(lambda _c, _m: duration(0.5, Grain.hour))
rule("dur", r"полгода|полугода")(lambda _c, _m: duration(6, Grain.month))
rule("dur", r"полмесяца")(lambda _c, _m: duration(15, Grain.day))
rule("dur", r"четверть часа")(lambda _c, _m: duration(15, Grain.minute))
rule("dur", NUM, r"с половиной", UNIT)(lambda _c, n, _m, u: duration(n + 0.5, u))
rule("dur", r"(\d+)[.,]5", UNIT)(lambda _c, m, u: duration(int(m.group(1)) + 0.5, u))
rule("dur", Kind("dur"), r"~ ?(?:и )?", Kind("dur"))(
    lambda _c, a, _m, b: Dur(a.months + b.months, a.days + b.days, a.seconds + b.seconds, b.unit)
    if b.unit < a.unit else None
)
rule("when", r"(?:ровно |примерно |где-то )?через|спустя", DUR)(lambda ctx, _m, d: from_now(ctx, d, 1))
rule("when", UNIT, r"через", Kind("num"))(
    lambda ctx, u, _m, n: from_now(ctx, duration(n, u), 1) if u <= Grain.week else None
)
rule("when", DUR, r"(?:тому )?назад")(lambda ctx, d, _m: from_now(ctx, d, -1))
rule("when", UNIT, NUM, r"(?:тому )?назад")(lambda ctx, u, n, _m: from_now(ctx, duration(n, u), -1))
rule("when", r"ровно", WHEN)(lambda _c, _m, w: w)
rule("when", r"канун|накануне", WHEN)(lambda ctx, _m, w: offset(ctx, Dur(days=1), -1, w))
rule("when", r"(?:на )?следующий день после", WHEN)(lambda ctx, _m, w: offset(ctx, Dur(days=1), 1, w))
rule("when", r"через", DUR, r"после", WHEN)(lambda ctx, _m, d, _x, w: offset(ctx, d, 1, w))
rule("when", r"за", DUR, r"до", WHEN)(lambda ctx, _m, d, _x, w: offset(ctx, d, -1, w))
rule("mention", r"через", r"(\d{1,3}) ?[-–] ?(\d{1,3})", UNIT)(
    lambda ctx, _m, n, u: between_two(ctx, int(n.group(1)), int(n.group(2)), u)
)
rule("mention", r"(?:за |в )?(?:эти )?последни(?:е|х|й)|(?:за |в )последн(?:юю|ий|ее)", DUR)(
    lambda _c, _m, d: Mention("last_n", d)
)
rule("mention", r"(?:в )?(?:следующи|ближайши)(?:е|х)", DUR)(lambda _c, _m, d: Mention("next_n", d))
rule("mention", r"(?:в|за) (?:прошедшие|прошлые|минувшие)", DUR)(lambda _c, _m, d: Mention("last_n", d))
rule("mention", r"в течение", DUR)(lambda _c, _m, d: Mention("within", d))
rule("mention", r"уже(?: целых| почти| больше| как)?|вот уже", DUR)(
    lambda ctx, _m, d: Mention("elapsed", d)
)
rule("mention", DUR)(lambda ctx, d: Mention("elapsed_maybe", d))

# --- ends -----------------------------------------------------------------------------------------
ANCHOR = Kind("anchor")
rule("anchor", WHEN)(lambda _c, w: w)
rule("anchor", Kind("bare_hour"))(lambda _c, n: _hour(n) if n else None)
rule("anchor", ORD)(lambda _c, n: When(day=n) if 1 <= n <= 31 else None)
rule("anchor", r"(?:19|20)\d\d")(lambda _c, m: When(year=int(m.group()), grain=Grain.year))
rule("mention", r"(?:начиная )?с(?:о)?|начиная с(?:о)?|от", ANCHOR)(
    lambda _c, m, w: Mention("from", w, state=True) if m.group() != "от" and _plain(w) else None
)
rule("mention", r"не раньше|не ранее(?: чем)?", ANCHOR)(lambda _c, _m, w: Mention("from", w, tense="future"))
rule("mention", r"после", ANCHOR)(lambda _c, _m, w: Mention("after", w) if w.hours is None else None)
rule("mention", r"(?:вплоть )?до|перед|раньше", ANCHOR)(
    lambda _c, _m, w: Mention("until", w, tense="future") if _plain(w) else None
)
rule("mention", r"до", ANCHOR, r"включительно")(
    lambda _c, _m, w, _x: Mention("until", w, inclusive=True, tense="future")
)
rule("mention", r"по", ANCHOR, r"включительно")(
    lambda _c, _m, w, _x: Mention("until", w, inclusive=True, tense="future")
)
rule("edge_end", r"(?:самого )?конц[ау]", WHEN)(lambda _c, _m, w: w if w.has_date else None)
rule("edge_end", r"(?:самого )?конц[ау]", UNIT)(lambda ctx, _m, u: relative_unit(ctx, u, 0))
rule("mention", r"(?:вплоть )?до|к", Kind("edge_end"))(
    lambda _c, _m, w: Mention("until", w, inclusive=True, tense="future")
)
rule("mention", r"до|после|к", Kind("hour"))(
    lambda _c, m, n: Mention("after" if m.group() == "после" else "until", _hour(n, said=True))
)
rule("mention", r"к", ANCHOR)(
    lambda _c, _m, w: Mention("until", w, inclusive=date_grain(w) == Grain.day, tense="future")
    if w.has_date or w.clock and not w.clock.ambiguous else None
)
rule("mention", r"не поз(?:же|днее)(?: чем)?|не поздней", ANCHOR)(
    lambda _c, _m, w: Mention("until", w, inclusive=True, tense="future")
)


def _plain(when: When) -> bool:
    """Not a bare number that only might be an hour, and not "с утра"."""
    if when.has_date:
        return True
    return when.clock is not None and not when.latent


@rule("mention", r"с(?:о)?|от", ANCHOR, r"по|до|~[-–—]", ANCHOR)
@rule("mention", r"между", ANCHOR, r"и", ANCHOR)
def _from_to(_ctx: Context, _m: re.Match[str], first: When, _x: re.Match[str], second: When) -> Any:
    return _range(first, second)


rule("mention", WHEN, r"~[-–—/]", WHEN)(lambda _c, a, _m, b: _range(a, b, dashed=True))
rule("mention", WHEN, r"по|до", WHEN)(lambda _c, a, _m, b: _range(a, b, dashed=True))
rule("mention", r"((?:19|20)\d\d)\s?[-–—]\s?((?:19|20)\d\d)(?:\s?(?:гг?\.?|годы|годах))?")(
    lambda _c, m: Mention(
        "range", When(year=int(m.group(1)), grain=Grain.year),
        When(year=int(m.group(2)), grain=Grain.year), inclusive=True,
    ) if int(m.group(1)) < int(m.group(2)) else None
)
rule("mention", r"~(?:(?<!\w)в )?", MONTH, r"~ ?[-–—/] ?", MONTH)(
    lambda _c, _m, a, _x, b: Mention(
        "range", When(month=a, grain=Grain.month), When(month=b, grain=Grain.month), inclusive=True
    ) if a != b else None
)
rule("when_day_pair", r"~(?<![\w.,:/])(\d{1,2})\.?\s?[-–—/]\s?", WHEN)(
    lambda _c, m, w: (int(m.group(1)), w) if w.month and w.day and not w.weekday else None
)
rule("mention", Kind("when_day_pair"))(
    lambda _c, p: Mention("range", replace(p[1], day=p[0]), p[1], inclusive=True)
    if p[0] < p[1].day and p[1].clock is None else None
)
rule("mention", r"с(?:о)?|от", Kind("bare_hour"), r"~(?:до|по|[-–—])", Kind("bare_hour"), r"час(?:ов|а)|ч\.?")(
    lambda _c, _m, a, _x, b, _h: _range(_hour(a), _hour(b))
)


def _range(first: When, second: When, dashed: bool = False) -> Mention | None:
    if first.hours or second.hours or first.moment or second.moment:
        return None
    if first.clock and second.clock and second.has_date and not first.has_date:
        first, second = replace(second, clock=first.clock), When(clock=second.clock)
    if dashed and (first.latent or second.latent):
        return None
    if first.clock and not first.has_date and second.has_date and second.clock is None:
        if second.day is not None and second.month is not None and first.clock.grain == Grain.hour:
            first = When(day=first.clock.hour, month=second.month, year=second.year)
        else:
            return None
    if (second.clock is None) != (first.clock is None):
        return None
    if first.day is not None and first.month is None and second.month is not None:
        first = replace(first, month=second.month, year=second.year)
    if first.month is not None and first.year is None and second.year is not None:
        first = replace(first, year=second.year)
    return Mention("range", first, second, inclusive=second.clock is None)


rule("mention", r"с(?:о)?", ANCHOR, r"на", DUR)(lambda _c, _m, w, _x, d: _lasting(w, d))
rule("mention", r"на", DUR, r"с(?:о)?", ANCHOR)(lambda _c, _m, d, _x, w: _lasting(w, d))
rule("mention", WHEN, r"на", DUR)(lambda _c, w, _m, d: _lasting(w, d) if not w.latent else None)


def _lasting(when: When, length: Dur) -> Mention | None:
    if when.hours or when.moment or (length.unit < Grain.day) == (when.clock is None):
        return None
    return Mention("lasting", when, length)


# --- repeated, not dated --------------------------------------------------------------------------
rule("mention", r"кажд\w+|люб\w+", WHEN)(lambda _c, _m, _w: Mention("skip"))
rule("mention", r"по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|"
     r"утрам|вечерам|выходным|будням)")(lambda _c, _m: Mention("skip"))
rule("mention", Kind("mention"), r"по будням|по выходным|ежедневно|каждый день|каждую неделю|каждый месяц")(
    lambda _c, _a, _m: Mention("skip")
)
rule("mention", r"раз в", UNIT)(lambda _c, _m, _u: Mention("skip"))
rule("mention", r"~(?<!\w)(?:кабинет|комната|каб\.|ауд\.|аудитория|артикул|рейс|код|заказ|номер|№|лот)\s*№?\s*\d+")(
    lambda _c, _m: Mention("skip")
)

add_shared_rules(GRAMMAR, between=(r"~,?", r"~,? ?(?:в |во |на |к )"))


def names_of_people(context: Context) -> Iterator[tuple[int, int]]:
    """Spans of month words that are first names here: "Августа Семёновна", "Майя"."""
    for match in re.finditer(r"(?<!\w)(?:Март[ауые]|Август[ауые]?|Ма[яй]) +([А-ЯЁ][а-яё]+)", context.raw):
        if any(tag & {"Patr", "Surn"} for _, tag in parses(match.group(1).lower())):
            yield match.start(), match.end()
