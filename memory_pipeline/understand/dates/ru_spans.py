"""Russian: durations, ends, ranges, and what is repeated and so not dated."""

import re
from dataclasses import replace
from typing import Any

from memory_pipeline.understand.dates.chart import Context, Kind, Mention
from memory_pipeline.understand.dates.common import (
    add_shared_rules,
    alike,
    between_two,
    duration,
    from_now,
    later_half,
    month_of_years,
    numeric_date,
    offset,
    relative_unit,
    weekday_steps,
    weeks_from,
)
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.ru_clock import hour_when
from memory_pipeline.understand.dates.ru_days import NEXT_WORD, counted
from memory_pipeline.understand.dates.ru_grammar import GRAMMAR
from memory_pipeline.understand.dates.values import Dur, When, date_grain

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")

_ONE_OR_TWO = r"полтор[аы]|пар[уы]"


def _few(word: str) -> float:
    return 1.5 if word.startswith("полт") else 2


rule("dur", NUM, UNIT)(lambda _c, n, u: duration(n, u))
rule("dur", UNIT)(lambda _c, u: duration(1, u))
rule("dur", r"пар[уы]|парочк[уи]", UNIT)(lambda _c, _m, u: duration(2, u))
rule("dur", r"полтор[аы]", UNIT)(lambda _c, _m, u: duration(1.5, u))
rule("dur", r"полчас(?:а|ика)?")(lambda _c, _m: duration(0.5, Grain.hour))
rule("dur", r"полгода|полугода")(lambda _c, _m: duration(6, Grain.month))
rule("dur", r"полмесяца")(lambda _c, _m: duration(15, Grain.day))
rule("dur", r"четверть часа")(lambda _c, _m: duration(15, Grain.minute))
rule("dur", NUM, r"с половиной", UNIT)(lambda _c, n, _m, u: duration(n + 0.5, u))
rule("dur", r"(\d+)[.,]5", UNIT)(lambda _c, m, u: duration(int(m.group(1)) + 0.5, u))
rule("dur", Kind("dur"), r"~ ?(?:и )?", Kind("dur"))(
    lambda _c, a, _m, b: (
        Dur(a.months + b.months, a.days + b.days, a.seconds + b.seconds, b.unit)
        if b.unit < a.unit
        else None
    )
)
rule("when", r"(?:ровно |примерно |где-то )?через|спустя", DUR)(
    lambda ctx, _m, d: from_now(ctx, d, 1)
)
rule("when", UNIT, r"через", Kind("num"))(lambda ctx, u, _m, n: from_now(ctx, duration(n, u), 1))
rule("when", UNIT, r"через", _ONE_OR_TWO)(
    lambda ctx, u, _m, n: from_now(ctx, duration(_few(n.group()), u), 1)
)
rule("when", UNIT, _ONE_OR_TWO, r"(?:тому )?назад")(
    lambda ctx, u, n, _m: from_now(ctx, duration(_few(n.group()), u), -1)
)
rule("when", DUR, r"(?:тому )?назад,?(?: в| во)?", WHEN)(
    lambda ctx, d, _m, w: weeks_from(ctx, w, replace(d, days=-d.days))
)
rule("mention", r"самое позднее|не позднее чем|максимум(?= [вк])", WHEN)(
    lambda _c, _m, w: Mention("until", w, inclusive=True, tense="future") if w.has_date else None
)
rule("when", DUR, r"(?:тому )?назад,? в", MONTH)(
    lambda ctx, d, _m, n: month_of_years(ctx, n, d, -1)
)
rule("when", r"через", DUR, r"в", MONTH)(lambda ctx, _m, d, _x, n: month_of_years(ctx, n, d, 1))
rule("when", WHEN, r"через", DUR)(lambda ctx, w, _m, d: weeks_from(ctx, w, d))
rule("when", r"через", DUR, WHEN)(lambda ctx, _m, d, w: weeks_from(ctx, w, d))
rule("when", NUM, Kind("weekdays"), r"(?:тому )?назад")(
    lambda ctx, n, d, _m: weekday_steps(ctx, d, -n)
)
rule("when", r"пар[уы]", Kind("weekdays"), r"(?:тому )?назад")(
    lambda ctx, _m, d, _a: weekday_steps(ctx, d, -2)
)
rule("when", DUR, r"(?:тому )?назад")(lambda ctx, d, _m: from_now(ctx, d, -1))
rule("when", UNIT, NUM, r"(?:тому )?назад")(lambda ctx, u, n, _m: from_now(ctx, duration(n, u), -1))
rule("when", r"ровно", WHEN)(lambda _c, _m, w: w)
rule("when", r"канун|накануне", WHEN)(lambda ctx, _m, w: offset(ctx, Dur(days=1), -1, w))
rule("when", r"(?:на )?следующий день после", WHEN)(
    lambda ctx, _m, w: offset(ctx, Dur(days=1), 1, w)
)
rule("mention", r"через|спустя", DUR, r"после")(lambda _c, _m, _d, _a: Mention("skip"))
rule("when", r"через", DUR, r"после", WHEN)(lambda ctx, _m, d, _x, w: offset(ctx, d, 1, w))
rule("when", r"за", DUR, r"до", WHEN)(lambda ctx, _m, d, _x, w: offset(ctx, d, -1, w))
rule("mention", r"через", r"(\d{1,3}) ?[-–] ?(\d{1,3})", UNIT)(
    lambda ctx, _m, n, u: between_two(ctx, int(n.group(1)), int(n.group(2)), u)
)
rule("mention", r"(?:за |в )?(?:эти )?последни(?:е|х|й)|(?:за |в )последн(?:юю|ий|ее)", DUR)(
    lambda _c, _m, d: Mention("last_n", d)
)
rule("mention", r"(?:в )?(?:следующи|ближайши)(?:е|х)", DUR)(lambda _c, _m, d: Mention("next_n", d))
rule("mention", r"(?:в|за) (?:прошедшие|прошлые|минувшие)", DUR)(
    lambda _c, _m, d: Mention("last_n", d)
)
rule("mention", r"в течение", DUR)(lambda _c, _m, d: Mention("within", d))
rule("mention", r"уже(?: целых| почти| больше| как)?|вот уже", DUR)(
    lambda _c, _m, d: Mention("elapsed", d)
)
rule("mention", DUR, r"уже")(lambda _c, d, _m: Mention("elapsed", d))
rule("mention", UNIT, NUM)(lambda _c, u, n: (d := duration(n, u)) and Mention("elapsed_maybe", d))
rule("mention", UNIT, NUM, r"уже|как(?! раз(?!\w))")(
    lambda _c, u, n, _m: (d := duration(n, u)) and Mention("elapsed", d)
)
rule("mention", r"через", DUR, r"~ ?[-–—] ?", DUR)(lambda _c, _m, _a, _x, _b: Mention("skip"))
rule("mention", DUR)(lambda _c, d: Mention("elapsed_maybe", d))
_RUNNING = {"д": Grain.day, "н": Grain.week, "м": Grain.month, "г": Grain.year}
rule("mention", ORD, r"день|недел[юя]|месяц|год")(
    lambda _c, n, m: Mention("running_maybe", n, _RUNNING[m.group()[0]]) if n > 1 else None
)

# "с месяц назад" is about a month ago
_ABOUT_AGO = re.compile(r" (?:час|недел[юьк]\w*|месяц|полгода|год) (?:тому )?назад")
ANCHOR = Kind("anchor")
rule("anchor", WHEN)(lambda _c, w: w)
rule("anchor", Kind("bare_hour"))(lambda _c, n: hour_when(n) if n else None)
rule("anchor", ORD, NEXT_WORD)(
    lambda _c, n, word: When(day=n) if 1 <= n <= 31 and not counted(word.group(1)) else None
)
rule("anchor", r"(?:19|20)\d\d")(lambda _c, m: When(year=int(m.group()), grain=Grain.year))
rule("mention", r"(?:начиная )?с(?:о)?|начиная с(?:о)?|от", ANCHOR)(
    lambda ctx, m, w: (
        (
            Mention("point", w)
            if _ABOUT_AGO.match(ctx.text, m.end())
            else Mention("from", w, state=True)
        )
        if m.group() != "от" and _plain(w)
        else None
    )
)
rule("mention", r"не раньше|не ранее(?: чем)?", ANCHOR)(
    lambda _c, _m, w: Mention("from", w, tense="future")
)
rule("mention", r"после", ANCHOR)(
    lambda _c, _m, w: Mention("after", w) if w.hours is None else None
)
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
    lambda _c, m, n: Mention("after" if m.group() == "после" else "until", hour_when(n, said=True))
)
rule("mention", r"к", ANCHOR)(
    lambda _c, _m, w: (
        Mention("until", w, inclusive=date_grain(w) == Grain.day, tense="future")
        if w.has_date or (w.clock and not w.clock.ambiguous)
        else None
    )
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
def _from_to(_ctx: Context, m: re.Match[str], first: When, _x: re.Match[str], second: When) -> Any:
    if m.group() == "от" and first.clock and first.latent and second.clock and second.latent:
        return None  # "от 8 до 16 ГБ"
    return _range(first, second)


rule("mention", WHEN, r"~[-–—/]", WHEN)(lambda _c, a, _m, b: _range(a, b, dashed=True))
rule("mention", WHEN, r"по|до", WHEN)(lambda _c, a, _m, b: _range(a, b, dashed=True))
rule("mention", r"((?:19|20)\d\d)\s?[-–—]\s?((?:19|20)\d\d)(?:\s?(?:гг?\.?|годы|годах))?")(
    lambda _c, m: (
        Mention(
            "range",
            When(year=int(m.group(1)), grain=Grain.year),
            When(year=int(m.group(2)), grain=Grain.year),
            inclusive=True,
        )
        if int(m.group(1)) < int(m.group(2))
        else None
    )
)
rule("mention", r"~(?:(?<!\w)в )?", MONTH, r"~ ?[-–—/] ?", MONTH)(
    lambda _c, _m, a, _x, b: (
        Mention(
            "range",
            When(month=a, grain=Grain.month),
            When(month=b, grain=Grain.month),
            inclusive=True,
        )
        if a != b
        else None
    )
)
rule("when_day_pair", r"~(?<![\w.,:/])(\d{1,2})\.?\s?[-–—/]\s?", WHEN)(
    lambda _c, m, w: (int(m.group(1)), w) if w.month and w.day and not w.weekday else None
)
rule("mention", Kind("when_day_pair"))(
    lambda _c, p: (
        Mention("range", replace(p[1], day=p[0]), p[1], inclusive=True)
        if p[0] < p[1].day and p[1].clock is None
        else None
    )
)
rule(
    "mention",
    r"с(?:о)?|от",
    Kind("bare_hour"),
    r"~(?:до|по|[-–—])",
    Kind("bare_hour"),
    r"час(?:ов|а)|ч\.?",
)(lambda _c, _m, a, _x, b, _h: _range(hour_when(a), hour_when(b)))


def _range(first: When, second: When, dashed: bool = False) -> Mention | None:
    if first.hours or second.hours or first.moment or second.moment:
        return None
    if first.clock and second.clock and second.has_date and not first.has_date:
        first, second = replace(second, clock=first.clock), When(clock=second.clock)
    if first.clock and second.clock:
        first = replace(first, clock=later_half(first.clock, second.clock))
    if dashed and (first.latent or second.latent):
        return None
    if first.clock and not first.has_date and second.has_date and second.clock is None:
        if second.day is not None and second.weekday is None and first.clock.grain == Grain.hour:
            first = When(day=first.clock.hour, month=second.month, year=second.year)
        else:
            return None
    if (second.clock is None) != (first.clock is None):
        return None
    if first.day is not None and first.month is None and second.month is not None:
        first = replace(first, month=second.month, year=second.year)
    if first.month is not None and first.year is None and second.year is not None:
        first = replace(first, year=second.year)
    if not alike(first, second):
        return None
    return Mention("range", first, second, inclusive=second.clock is None)


rule("mention", r"с(?:о)?", ANCHOR, r"на", DUR)(lambda _c, _m, w, _x, d: _lasting(w, d))
rule("mention", r"на", DUR, r"с(?:о)?", ANCHOR)(lambda _c, _m, d, _x, w: _lasting(w, d))
rule("mention", WHEN, r"на", DUR)(lambda _c, w, _m, d: _lasting(w, d) if not w.latent else None)


def _lasting(when: When, length: Dur) -> Mention | None:
    if when.hours or when.moment or (length.unit < Grain.day) == (when.clock is None):
        return None
    return Mention("lasting", when, length)


rule("mention", r"кажд\w+|люб\w+", WHEN)(lambda _c, _m, _w: Mention("habit"))
rule(
    "mention",
    r"по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|"
    r"утрам|вечерам|выходным|будням)",
)(lambda _c, _m: Mention("habit"))
rule(
    "mention",
    Kind("mention"),
    r"по будням|по выходным|ежедневно|каждый день|каждую неделю|каждый месяц",
)(lambda _c, _a, _m: Mention("skip"))
rule(
    "mention",
    r"(?:как|когда|какой)[ -]?(?:нибудь|то|либо)|через(?! \d)|обычно|всегда",
    r"~ ?(?:во? )?",
    Kind("weekday"),
)(lambda _c, _m, _x, _w: Mention("skip"))
rule("mention", r"в одно и то же время")(lambda _c, _m: Mention("skip"))
rule("mention", r"в (?:тот|этот) (?:же )?(?:самый )?(?:день|вечер|год|месяц)")(
    lambda _c, _m: Mention("skip")
)
rule("when", WHEN, r"в этот (?:же )?(?:самый )?день")(
    lambda _c, w, _m: w if w.fixed and w.grain == Grain.day else None
)
rule("mention", r"(?:за |в )?(?:эти )?последние", r"годы|дни|недели|месяцы|часы|времена")(
    lambda _c, _m, _u: Mention("skip")
)
_VAGUE = r"несколько|много|немало|больше(?: чем)?|более(?: чем)?|свыше|не один|не одну"
rule("mention", _VAGUE, DUR, r"(?:тому )?назад|спустя")(lambda _c, _m, _d, _a: Mention("skip"))
rule("mention", r"через|спустя", _VAGUE, DUR)(lambda _c, _m, _v, _d: Mention("skip"))
rule(
    "mention",
    r"ежедневно|каждый день|по будням|по выходным|круглосуточно",
    r"~,? ?с",
    Kind("bare_hour"),
    r"до|по",
    Kind("bare_hour"),
)(lambda _c, _m, _x, _a, _y, _b: Mention("skip"))
rule("mention", r"раз в", UNIT)(lambda _c, _m, _u: Mention("skip"))
rule(
    "mention",
    r"~(?<!\w)(?:кабинет|комната|каб\.|ауд\.|аудитория|артикул|рейс|код|заказ|номер|№|лот)\s*№?\s*\d+",
)(lambda _c, _m: Mention("skip"))

rule("mention", r"улиц\w*|ул\.|площад\w*|пл\.|переул\w*|колхоз\w*|станци\w+", WHEN)(
    lambda _c, _m, _w: Mention("skip")
)
rule(
    "mention",
    r"не сегодня[- ]завтра|со дня на день|изо дня в день|день в день|(?:сто|тысячу) лет(?: назад)?",
)(lambda _c, _m: Mention("skip"))
rule(
    "mention",
    WHEN,
    r"каждого месяца|каждый месяц|ежегодно|каждый год|каждого года|ежедневно|каждый день",
)(lambda _c, _w, _m: Mention("skip"))
rule(
    "mention",
    r"(?:каждый|каждую|каждое) (?:год|месяц|день|неделю|утро|вечер)|ежедневно|ежегодно|ежемесячно|еженедельно|по (?:"
    r"понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|вечерам|выходным|будням)",
    r"~,? ?",
    WHEN,
)(lambda _c, _m, _x, _w: Mention("skip"))
rule("when", r"в ночь с(?:о)?", ANCHOR, r"на", WHEN)(lambda _c, _m, a, _x, b: _night_to(a, b))
rule("when", r"в ночь на", WHEN)(lambda _c, _m, w: _night_to(w, w))
# moved "с 8 на 10 июня": the day that counts is the new one
rule("when", r"с(?:о)?", ANCHOR, r"на", ANCHOR)(
    lambda _c, _m, a, _x, b: (
        replace(b, turn=b.turn or "coming")
        if a.has_date and b.has_date and not (b.clock or b.hours or a.clock or a.hours or a.fixed)
        else None
    )
)


def _night_to(first: When, second: When) -> When | None:
    if not (first.has_date and second.has_date) or second.clock or second.hours:
        return None
    return replace(second, hours=(0, 6)) if date_grain(second) == Grain.day else None


rule("mention", Kind("mention"), r"включительно")(
    lambda _c, m, _x: replace(m, inclusive=True) if m.form == "range" else None
)
rule("mention", r"по(?! \w*[уюе](?!\w))", WHEN)(
    lambda _c, _m, w: (
        Mention("until", w, inclusive=True, tense="future")
        if w.month is not None and not w.hours and not w.clock
        else None
    )
)
rule("mention", Kind("weekday"), r"~ ?[-–—] ?", Kind("weekday"))(
    lambda _c, a, _m, b: Mention("range", When(weekday=a), When(weekday=b), inclusive=True)
)
rule("when", r"через", UNIT, NUM)(lambda ctx, _m, u, n: from_now(ctx, duration(n, u), 1))


@rule(
    "mention",
    r"~(?<![\w.,/-])(\d{1,2})\.(\d{2})\s?[-–—]\s?(\d{1,2})\.(\d{2})(?:\.(\d{4}|\d{2}))?(?![\w/%-]|[.,]\d)",
)
def _numeric_range(_ctx: Context, match: re.Match[str]) -> Mention | None:
    first = numeric_date(match.group(1), match.group(2), match.group(5))
    second = numeric_date(match.group(3), match.group(4), match.group(5))
    return Mention("range", first, second, inclusive=True) if first and second else None


add_shared_rules(GRAMMAR, between=(r"~,?", r"~,? ?(?:в |во |на |к )"))
