"""The Russian grammar of dates: words of time and parts of the day."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from memory_pipeline.understand.dates.chart import Context, Grammar, Kind
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.place import unit_period
from memory_pipeline.understand.dates.ru_words import (
    MONTHS,
    UNITS,
    WEEKDAYS,
    WEEKDAYS_COUNTED,
    find_numbers,
    parses,
)
from memory_pipeline.understand.dates.values import When

GRAMMAR = Grammar()
rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")

GRAMMAR.leaf(find_numbers)

_CYCLE_DAYS = (
    (r"сегодня|сегодняшн(?:ий|его|ем) (?:день|дня|дне)", 0),
    (r"вчера|вчерашн(?:ий|его|ем) (?:день|дня|дне)", -1),
    (r"позавчера", -2),
    (r"позапозавчера", -3),
    (r"завтра|завтрашн(?:ий|его|ем) (?:день|дня|дне)", 1),
    (r"послезавтра", 2),
    (r"послепослезавтра", 3),
)
_TURNS = (
    (r"(?:эт(?:от|а|о(?= лет| воскр| утро)|и|ого|ой|ом|их|у|им)|текущ\w+|нынешн\w+|сей|сего)", 0),
    (r"(?:ближайш\w+)", 10),
    (r"(?:прошл\w+|прошедш\w+|минувш\w+|предыдущ\w+)", -1),
    (r"(?:позапрошл\w+)", -2),
    (r"(?:следующ\w+|будущ\w+|грядущ\w+|наступающ\w+)", 1),
)
_HOLIDAYS = (
    (r"католическо\w+ рождеств\w+", "christmas"),
    (r"рождеств[оауе]м?(?: христов\w+)?", "christmas_ru"),
    (r"(?:рождественский )?сочельник\w*", "christmas_eve_ru"),
    (r"новогодн(?:юю|ей|яя) ноч\w+", "new_year_eve"),
    (r"нов(?:ый|ого|ому|ым|ом) год(?:а|у|ом)?|нг", "new_year"),
    (r"стар(?:ый|ого|ому) нов(?:ый|ого|ому) год(?:а|у)?", "old_new_year"),
    (r"новогодни[ехм]+ (?:праздник\w+|каникул\w*|выходны\w+)", "new_year_holidays"),
    (r"крещени[еяю]", "epiphany_ru"),
    (r"татьянин\w* (?:день|дня)", "tatiana"),
    (r"маслениц[аыуе]|масленицей|масленичн\w+ недел\w+", "maslenitsa"),
    (r"(?:день|дня|дню) (?:святого|св\.?) валентина|день влюбл[её]нных", "valentine"),
    (r"(?:день|дня|дню) защитника отечества", "defender"),
    (r"(?:международн\w+ )?женск(?:ий|ого|ому) (?:день|дня|дню)", "womens_day"),
    (r"(?:день|дня|дню) смеха|(?:день|дня|дню) дурака", "fools_day"),
    (r"(?:день|дня|дню) космонавтики", "cosmonautics"),
    (
        r"майские(?: (?:праздники|выходные|каникулы))?|майских(?: (?:праздник\w+|выходных|каникул))?"
        r"|майским(?: праздникам)?",
        "may_holidays",
    ),
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
    (r"поздно вечером|поздним вечером|ближе к ночи", (18, 24)),
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
    def build(ctx: Context, match: re.Match[str]) -> When | None:
        # "среда" is also an environment, and a capital inside a sentence makes a proper name
        word = match.group()
        if re.search(
            r"(?:как|когда|какой)[ -]?(?:нибудь|то|либо) (?:во? )?$", ctx.text[: match.start()]
        ):
            return None
        before = ctx.text[: match.start()].rstrip()
        name = ctx.raw[match.start()].isupper() and before[-1:] not in (
            "",
            ".",
            "!",
            "?",
            "(",
            "\n",
        )
        short = len(word.rstrip(".")) <= 3
        return When(weekday=number, latent=word in ("среда", "среды") or name or short)

    return build


_add_words()
rule("when", Kind("season"))(lambda _c, s: s)
rule("when", Kind("part"))(lambda _c, p: p)
rule("when", r"весь|всю|все", Kind("part"))(lambda _c, _m, p: p)
rule("when", r"в(?:о)?|на", WHEN)(
    lambda _c, m, w: (
        replace(
            w,
            latent=False,
            turn=w.turn or ("coming" if m.group() == "на" and not w.holiday else ""),
        )
        if w.weekday is not None or w.holiday or w.fixed or (w.month and not w.day)
        else None
    )
)
_DAY_BEFORE = re.compile(
    r"(?<!\w)(?:пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау])\.?,? ?$"
)
rule("when", r"и|или", r"(пн|вт|ср|чт|пт|сб|вс)\.?")(
    lambda ctx, a, d: (
        When(weekday=("пн", "вт", "ср", "чт", "пт", "сб", "вс").index(d.group(1)))
        if _DAY_BEFORE.search(ctx.text, 0, a.start())
        else None
    )
)
rule("when", r"в", r"течение|продолжение", WHEN)(lambda _c, _a, _b, w: w if w.has_date else None)


for _number, _pattern in enumerate(WEEKDAYS):
    rule("weekday", _pattern)(lambda _c, _m, n=_number: n)
for _number, _pattern in enumerate(WEEKDAYS_COUNTED):
    rule("weekdays", _pattern)(lambda _c, _m, n=_number: n)


def names_of_people(context: Context) -> Iterator[tuple[int, int]]:
    """Spans of month words that are first names here: "Августа Семёновна", "Майя"."""
    for match in re.finditer(
        r"(?<!\w)(?:Март[ауые]|Август[ауые]?|Ма[яй]) +([А-ЯЁ][а-яё]+)", context.raw
    ):
        if any(tag & {"Patr", "Surn"} for _, tag in parses(match.group(1).lower())):
            yield match.start(), match.end()
