"""The English grammar of dates: words of time and parts of the day."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from memory_pipeline.understand.dates.chart import Context, Grammar, Kind, Node
from memory_pipeline.understand.dates.common import month_day
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.place import unit_period
from memory_pipeline.understand.dates.values import When
from memory_pipeline.understand.word_blocks import words

GRAMMAR = Grammar()
rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

_NUMBERS = {
    w: n
    for n, w in enumerate(
        words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen twenty"
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_ORDINALS = {
    w: n
    for n, w in enumerate(
        words(
            "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
            "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
            "twentieth"
        ),
        1,
    )
} | {"thirtieth": 30}
_ANY = "|".join(sorted({*_NUMBERS, *_ORDINALS}, key=len, reverse=True))
_WORDS = re.compile(
    rf"(?<!\w)(?:(twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -])?({_ANY})(?!\w)"
)
_HUNDRED = re.compile(r"(?<!\w)(?:an?|one) hundred(?! (?:and|thousand|million))(?!\w)")
_DIGITS = re.compile(
    r"(?<![\w.,:/$£€#-])\d{1,5}(?![\w/%]|[.,:]\d)|(?<=[-–—])\d{1,4}(?![\w/%]|[.,:]\d)"
)
_DIGIT_ORDINAL = re.compile(r"(?<![\w.,:/])(\d{1,3})(?:st|nd|rd|th)(?!\w)")


_MONTH_WORD = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_LIST = re.compile(
    rf"(?<!\w)({_MONTH_WORD}) \d{{1,2}}(?:st|nd|rd|th)?((?:, \d{{1,2}}(?:st|nd|rd|th)?)*"
    r"(?:,? (?:and|&|or) (?:the )?\d{1,2}(?:st|nd|rd|th)?))(?![\w:/.]|\s?(?:[ap]m|percent|people))"
)


@GRAMMAR.leaf
def _listed_days(context: Context) -> Iterator[Node]:
    """The days of a list that follow its month ("January 3, 4 and 5"), but for the first."""
    for match in _LIST.finditer(context.text):
        month = MONTH_STEMS.index(match.group(1)[:3]) + 1
        for day in re.finditer(r"(\d+)(?:st|nd|rd|th)?", match.group(2)):
            at = match.start(2)
            found = month_day(month, int(day.group(1)))
            if found is not None:
                yield Node(at + day.start(), at + day.end(), "when", found)


@GRAMMAR.leaf
def _numbers(context: Context) -> Iterator[Node]:
    for match in _DIGITS.finditer(context.text):
        yield Node(match.start(), match.end(), "num", int(match.group()))
    for match in _DIGIT_ORDINAL.finditer(context.text):
        yield Node(match.start(), match.end(), "ord", int(match.group(1)))
    for match in _HUNDRED.finditer(context.text):
        yield Node(match.start(), match.end(), "num", 100)
    for match in _WORDS.finditer(context.text):
        tens = _NUMBERS.get(match.group(1) or "", 0)
        word = match.group(2)
        kind, value = ("num", _NUMBERS[word]) if word in _NUMBERS else ("ord", _ORDINALS[word])
        if not tens or value < 10:
            yield Node(match.start(), match.end(), kind, tens + value)
        else:
            yield Node(match.start(2), match.end(), kind, value)


MONTHS = (
    r"january|januar?y|jan\.?",
    r"february|febuary|feburary|feb\.?",
    r"march|mar\.?",
    r"april|apr\.?",
    r"may",
    r"june|jun\.?",
    r"july|jul\.?",
    r"august|aug\.?",
    r"september|septem?ber|setpember|sept?\.?",
    r"october|oct\.?",
    r"november|nov\.?",
    r"december|dec\.?",
)
MONTH_STEMS = words("jan feb mar apr may jun jul aug sep oct nov dec")
# words that are months and something else: alone they need a word beside them
_DOUBTFUL_MONTHS = frozenset(
    {"april", "june", "august", "may", "march", "mar", "mar.", "jan", "dec", "sep", "jun"}
)
WEEKDAYS = (
    r"mondays?|mon\.?",
    r"tuesdays?|teusday|tusday|tues?\.?",
    r"wednesdays?|wendesday|wedn?e?sday|wensday|weds?\.?",
    r"thursdays?|thurdsay|thrusday|thursay|thu(?:rs?)?\.?",
    r"fridays?|fri\.?",
    r"saturdays?|saturay|satruday|saterday|sat\.?",
    r"sundays?|sun\.?",
)
UNITS: tuple[tuple[str, Grain], ...] = (
    (r"sec(?:ond)?s?|\"", Grain.second),
    (r"min(?:ute)?s?|m", Grain.minute),
    (r"hours?|hrs?|h", Grain.hour),
    (r"days?", Grain.day),
    (r"weeks?|wks?", Grain.week),
    (r"months?|mos?", Grain.month),
    (r"quarters?|qtrs?", Grain.quarter),
    (r"years?|yrs?", Grain.year),
    (r"decades?", Grain.decade),
)
_DAYS = (
    (r"today|todays|at this time", 0),
    (r"yesterday|yesteday|yest[ae]rday|yesterady", -1),
    (r"(?:the )?day before yesterday", -2),
    (r"tomorrow|tomorrows|tmrw|tmr|tomm?or?rows?", 1),
    (r"(?:the )?day after tomorrow", 2),
)
_TURNS = (
    (r"this|current", 0),
    (r"(?:this )?coming|upcoming", 10),
    (r"last|past|previous|prior|this past", -1),
    (r"next|following|around next", 1),
)
_HOLIDAYS = (
    (r"(?:christmas|xmas|x-mas)(?: day)?", "christmas"),
    (r"(?:christmas|xmas|x-mas) eve", "christmas_eve"),
    (r"new year'?s(?: day)?|new year", "new_year"),
    (r"new year'?s'? eve|nye", "new_year_eve"),
    (r"boxing day", "boxing_day"),
    (r"(?:saint |st\.? )?valentine'?s?(?: day)?|vday|v-day", "valentine"),
    (r"(?:saint|st\.?) patrick'?s?(?: day)?|paddy'?s day", "patrick"),
    (r"april fools?'?s?(?: day)?", "fools_day"),
    (r"earth day", "earth_day"),
    (r"may day", "may_day"),
    (r"may the (?:4th|fourth)", "may_fourth"),
    (r"cinco de mayo", "cinco"),
    (r"juneteenth", "juneteenth"),
    (r"independence day|(?:the )?(?:4th|fourth) of july", "independence"),
    (r"bastille day", "bastille"),
    (r"groundhog day", "groundhog"),
    (r"pi day", "pi_day"),
    (r"flag day", "flag_day"),
    (r"tax day", "tax_day"),
    (r"canada day", "canada_day"),
    (r"australia day", "australia_day"),
    (r"anzac day", "anzac_day"),
    (r"(?:saint|st\.?) andrew'?s(?: day)?", "andrew"),
    (r"election day", "election_day"),
    (r"(?:remembrance|armistice) day", "veterans"),
    (r"halloween|all hallow'?s eve", "halloween"),
    (r"all saints'? day", "all_saints"),
    (r"(?:world )?vegan day", "vegan_day"),
    (r"guy fawkes(?: night| day)?|bonfire night", "guy_fawkes"),
    (r"veterans'? day", "veterans"),
    (r"(?:martin luther king|mlk)(?:'s|s)?(?: jr\.?)?(?:'s|s)? day", "mlk"),
    (r"presidents?'? ?s? ?day|washington'?s birthday", "presidents"),
    (r"mothers?'?s? day", "mothers"),
    (r"fathers?'?s? day", "fathers"),
    (r"memorial day", "memorial"),
    (r"labou?r day", "labor"),
    (r"columbus day|indigenous peoples'? day", "columbus"),
    (r"boss'?s?(?: day)?", "boss"),
    (r"thanksgiving(?: day)?|turkey day", "thanksgiving"),
    (r"black friday", "black_friday"),
    (r"cyber monday", "cyber_monday"),
    (r"international women'?s day|women'?s day", "womens_day"),
    (r"(?:the )?epiphany", "epiphany"),
    (r"easter(?: sunday)?", "easter"),
    (r"good friday", "good_friday"),
    (r"easter mon(?:day)?", "easter_monday"),
    (r"palm sunday|branch sunday", "palm_sunday"),
    (
        r"maundy thursday|covenant thu(?:rsday)?|holy thursday|thu(?:rsday)? of mysteries",
        "maundy_thursday",
    ),
    (r"ash wednesday", "ash_wednesday"),
    (r"shrove tuesday|fat tuesday|mardi gras|pancake (?:tue(?:sday)?|day)", "shrove_tuesday"),
    (r"pentecost|white sunday|whit sunday", "pentecost"),
    (r"whit monday|monday of the holy spirit", "whit_monday"),
    (r"trinity sunday", "trinity"),
    (r"orthodox easter(?: (?:sunday|day))?", "easter_ru"),
    (r"orthodox good friday|orthodox great friday", "good_friday_ru"),
    (r"orthodox christmas", "christmas_ru"),
    (r"lazarus saturday", "lazarus"),
    (r"(?:orthodox )?(?:clean|ash|shrove|pure|green) monday|monday of lent", "clean_monday"),
    (r"(?:the )?ides of march", "ides_of_march"),
)
_SEASONS = ((r"winter", 0), (r"spring", 1), (r"summer", 2), (r"fall|autumn", 3))
_PARTS = (
    (r"early (?:in the )?morning", (0, 9)),
    (r"morning|mornings", (0, 12)),
    (r"afternoon|arvo", (12, 19)),
    (r"lunch(?:time)?|lunch break", (12, 14)),
    (r"evening|night|nite", (18, 24)),
    (r"after ?lunch", (13, 17)),
    (r"after ?work", (17, 21)),
    (r"after ?school", (15, 21)),
)


def _add_words() -> None:
    for pattern, days in _DAYS:
        rule("when", pattern)(
            lambda ctx, _, d=days: When(fixed=unit_period(ctx.today, Grain.day, d))
        )
    for number, pattern in enumerate(MONTHS, 1):
        rule("month", pattern)(lambda _c, _m, n=number: n)
        rule("when", pattern)(_month(number))
    for number, pattern in enumerate(WEEKDAYS):
        rule("when", pattern)(_weekday(number))
        rule("weekday", pattern)(lambda _c, _m, n=number: n)
    for pattern, grain in UNITS:
        rule("unit", pattern if grain != Grain.second else r"sec(?:ond)?s?")(
            lambda _c, _m, g=grain: g
        )
    for pattern, turn in _TURNS:
        rule("turn", pattern)(lambda _c, _m, t=turn: t)
    for pattern, name in _HOLIDAYS:
        rule("when", pattern)(lambda _c, m, n=name: When(holiday=n, latent=m.group() in _NOT_DAYS))
    for pattern, season in _SEASONS:
        rule("season", pattern)(
            lambda _c, _m, s=season: When(season=s, grain=Grain.month, latent=True)
        )
    for pattern, hours in _PARTS:
        rule("part", pattern)(lambda _c, _m, h=hours: When(hours=h, latent=True))


_NOT_DAYS = frozenset({"new year", "boss", "boss's", "bosss", "epiphany", "the epiphany"})


def _month(number: int) -> Any:
    def build(ctx: Context, match: re.Match[str]) -> When:
        doubtful = match.group() in _DOUBTFUL_MONTHS or not ctx.raw[match.start()].isupper()
        return When(month=number, grain=Grain.month, latent=doubtful)

    return build


# "a Saturday", "some Friday" is any of them
_SOME_DAY = re.compile(
    r"(?<!\w)(?:an?|some) (?:random |nice |rainy |sunny |typical |regular |quiet |lazy |busy )?$"
)


def _weekday(number: int) -> Any:
    def build(ctx: Context, match: re.Match[str]) -> When | None:
        word = match.group()
        if word.endswith("days") or _SOME_DAY.search(ctx.text, 0, match.start()):
            return None
        # "sat", "sun", "wed" and "mon" in lower case are mostly other words
        short = len(word.rstrip(".")) <= 4 and not ctx.raw[match.start()].isupper()
        proper = ctx.text[match.end() : match.end() + 3] == " s " or word == "sun"
        return When(weekday=number, latent=short or (proper and len(word) == 3))

    return build


_add_words()
rule("when", Kind("season"))(lambda _c, s: s)
rule("turn", r"the", TURN)(lambda _c, _m, t: t)
rule("when", PART)(lambda _c, p: p)
rule("when", r"on(?: the)?", Kind("short_day"))(lambda _c, _m, d: When(weekday=d))
rule("short_day", r"(mon|tues?|weds?|thu(?:rs?)?|fri|sat)(?! (?:and|down|up|there|it)\b)\.?")(
    lambda _c, m: ("mo", "tu", "we", "th", "fr", "sa").index(m.group()[:2])
)
rule(
    "when",
    r"(?:moved|pushed(?: back)?|rescheduled|postponed|shifted|delayed|scheduled|booked|set|due|planned)"
    r"(?: it| this| that| us| me)? (?:to|for|till|until|on)",
    WHEN,
)(lambda _c, _m, w: replace(w, turn="coming", latent=False) if w.has_date and not w.turn else None)
rule("when", r"the", WHEN)(lambda _c, _m, w: w if w.has_date and w.fixed is None else None)


rule("now", r"(?:right |just )?now|at the moment|atm|immediately|asap")(lambda _c, m: m.group())
rule("when", Kind("now"))(
    lambda ctx, _n: When(moment=ctx.reference, grain=Grain.second, latent=True)
)
rule("when", r"tonight|tonite|this evening|this night|today evening")(
    lambda ctx, _m: When(fixed=unit_period(ctx.today, Grain.day, 0), hours=(18, 24))
)
rule("when", r"late tonight|late last night")(
    lambda ctx, m: When(
        fixed=unit_period(ctx.today, Grain.day, -1 if "last" in m.group() else 0), hours=(21, 24)
    )
)
rule("when", r"last night|yesterday night")(
    lambda ctx, _m: When(fixed=unit_period(ctx.today, Grain.day, -1), hours=(18, 24))
)
rule("when", r"this", PART)(
    lambda ctx, _m, p: replace(p, fixed=unit_period(ctx.today, Grain.day, 0), latent=False)
)
rule("when", r"last|yesterday", PART)(
    lambda ctx, _m, p: replace(p, fixed=unit_period(ctx.today, Grain.day, -1), latent=False)
)
rule("when", r"in the|at|during the|by the", PART)(lambda _c, _m, p: p)
rule("when", PART, r"of", WHEN)(
    lambda _c, p, _m, w: replace(w, hours=p.hours, latent=False) if w.has_date else None
)
rule("when", r"early|late|mid|in the", PART)(lambda _c, _m, p: p)
rule("when", r"early(?: on)?", WHEN)(
    lambda _c, _m, w: (
        replace(w, hours=(0, 9)) if w.hours == (0, 12) and w.has_date and not w.clock else None
    )
)
_DAY_BEFORE = re.compile(
    r"(?:(?<!\w)(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat)\.?|(?:mon|tues|wednes|thurs|fri|satur|sun)day),? ?$"
)
rule("when", r"or|and|&", r"(mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun)\.?")(
    lambda ctx, a, d: (
        When(weekday=("mo", "tu", "we", "th", "fr", "sa", "su").index(d.group()[:2]))
        if _DAY_BEFORE.search(ctx.text, 0, a.start())
        else None
    )
)
rule("when", r"early this", r"morning")(
    lambda ctx, _m, _p: When(fixed=unit_period(ctx.today, Grain.day, 0), hours=(0, 9))
)
