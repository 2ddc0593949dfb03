"""The English grammar of dates."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from memory_pipeline.understand.dates.chart import Context, Grammar, Kind, Mention, Node
from memory_pipeline.understand.dates.common import (
    add_shared_rules,
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
from memory_pipeline.understand.dates.pieces import Edge, Grain
from memory_pipeline.understand.dates.values import (
    Clock,
    Dur,
    When,
    date_grain,
    place_date,
    unit_period,
)

GRAMMAR = Grammar()
rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

_NUMBERS = {
    w: n
    for n, w in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}
_ORDINALS = {
    w: n
    for n, w in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
        "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth "
        "twentieth".split(),
        1,
    )
} | {"thirtieth": 30}
_ANY = "|".join(sorted({*_NUMBERS, *_ORDINALS}, key=len, reverse=True))
_WORDS = re.compile(rf"(?<!\w)(?:(twenty|thirty|forty|fifty)[ -])?({_ANY})(?!\w)")
_DIGITS = re.compile(r"(?<![\w.,:/$£€#-])\d{1,5}(?![\w:/%]|[.,]\d)|(?<=[-–—])\d{1,4}(?![\w:/%]|[.,]\d)")
_DIGIT_ORDINAL = re.compile(r"(?<![\w.,:/])(\d{1,3})(?:st|nd|rd|th)(?!\w)")


@GRAMMAR.leaf
def _numbers(context: Context) -> Iterator[Node]:
    for match in _DIGITS.finditer(context.text):
        yield Node(match.start(), match.end(), "num", int(match.group()))
    for match in _DIGIT_ORDINAL.finditer(context.text):
        yield Node(match.start(), match.end(), "ord", int(match.group(1)))
    for match in _WORDS.finditer(context.text):
        tens = _NUMBERS.get(match.group(1) or "", 0)
        word = match.group(2)
        kind, value = ("num", _NUMBERS[word]) if word in _NUMBERS else ("ord", _ORDINALS[word])
        if not tens or value < 10:
            yield Node(match.start(), match.end(), kind, tens + value)


MONTHS = (
    r"january|jan\.?",
    r"february|feb\.?",
    r"march|mar\.?",
    r"april|apr\.?",
    r"may",
    r"june|jun\.?",
    r"july|jul\.?",
    r"august|aug\.?",
    r"september|sept?\.?",
    r"october|oct\.?",
    r"november|nov\.?",
    r"december|dec\.?",
)
_MONTH_STEMS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
# words that are months and something else: alone they need a word beside them
_DOUBTFUL_MONTHS = frozenset({"may", "march", "mar", "mar.", "jan", "dec", "sep", "jun"})
WEEKDAYS = (
    r"mondays?|mon\.?",
    r"tuesdays?|tues?\.?",
    r"wednesdays?|wed\.?",
    r"thursdays?|thu(?:rs?)?\.?",
    r"fridays?|fri\.?",
    r"saturdays?|sat\.?",
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
    (r"yesterday", -1),
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
    (r"halloween|all hallow'?s eve", "halloween"),
    (r"all saints'? day", "all_saints"),
    (r"(?:world )?vegan day", "vegan_day"),
    (r"guy fawkes(?: night| day)?|bonfire night", "guy_fawkes"),
    (r"veterans'? day", "veterans"),
    (r"(?:martin luther king|mlk)'?s?(?: jr\.?)?(?:'?s)? day", "mlk"),
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
    (r"maundy thursday|covenant thu(?:rsday)?|holy thursday|thu(?:rsday)? of mysteries",
     "maundy_thursday"),
    (r"ash wednesday", "ash_wednesday"),
    (r"shrove tuesday|mardi gras|pancake (?:tue(?:sday)?|day)", "shrove_tuesday"),
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
            lambda _c, m, s=season: When(season=s, grain=Grain.month, latent=True)
        )
    for pattern, hours in _PARTS:
        rule("part", pattern)(lambda _c, _m, h=hours: When(hours=h, latent=True))


_NOT_DAYS = frozenset({"new year", "boss", "boss's", "bosss", "epiphany", "the epiphany"})


def _month(number: int) -> Any:
    def build(ctx: Context, match: re.Match[str]) -> When:
        doubtful = match.group() in _DOUBTFUL_MONTHS or not ctx.raw[match.start()].isupper()
        return When(month=number, grain=Grain.month, latent=doubtful)

    return build


def _weekday(number: int) -> Any:
    def build(ctx: Context, match: re.Match[str]) -> When | None:
        word = match.group()
        if word.endswith("days"):
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
rule("when", r"(?:on |during |in |around |about |by around )(?:the )?|on ", WHEN)(
    lambda _c, _m, w: _taken_up(w)
)
rule("when", r"(?:at|for|over|until around) ", WHEN)(
    lambda _c, _m, w: _taken_up(w) if w.clock and not w.has_date or w.holiday else None
)
rule("when", r"(?:moved|pushed(?: back)?|rescheduled|postponed|shifted|delayed|scheduled|booked|set|due|planned) "
     r"(?:to|for|till|until|on)", WHEN)(
    lambda _c, _m, w: replace(w, turn="coming", latent=False) if w.has_date and not w.turn else None
)
rule("when", r"the", WHEN)(lambda _c, _m, w: w if w.has_date and w.fixed is None else None)


def _taken_up(when: When) -> When | None:
    if when.year is not None and len(when.date_fields()) == 1:
        return None
    if when.season is not None or when.hours or (when.clock and when.latent):
        return None
    return replace(when, latent=False)


# --- now and parts of the day ---------------------------------------------------------------------
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

# --- years, months, days --------------------------------------------------------------------------
rule("year", r"(?:19|20)\d\d")(lambda _c, m: int(m.group()))
rule("year", r"'(\d\d)")(lambda _c, m: 2000 + int(m.group(1)))
rule("when", YEAR)(lambda _c, y: When(year=y, grain=Grain.year, latent=True))


@rule("when", r"(?:back )?in|during|throughout|of|for all of", r"(?:the year )?((?:19|20)\d\d)(?! ?(?:%|px|words|items|people|kg|km|\$))")
def _in_year(ctx: Context, _m: re.Match[str], match: re.Match[str]) -> When:
    return When(year=int(match.group(1)), grain=Grain.year)


@rule("when", r"(?:in )?(?:the )?(?:(early|mid|late)[ -])?(?:((?:19|20)\d)0|'?([2-9])0)'?s")
def _decade(_ctx: Context, match: re.Match[str]) -> When | None:
    first = int(match.group(2)) * 10 if match.group(2) else 1900 + int(match.group(3)) * 10
    part = match.group(1)
    if part is None:
        return whole(first, 10)
    return whole(first + {"early": 0, "mid": 4, "late": 7}[part], 3)


for _i, _name in enumerate("twenties thirties forties fifties sixties seventies eighties nineties".split(), 2):
    rule("when", rf"(?:in )?the {_name}")(lambda _c, _m, i=_i: whole(1900 + 10 * i, 10))

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
rule("when", r"in|during|all of|all|throughout|whole", MONTH)(
    lambda _c, _m, n: When(month=n, grain=Grain.month)
)
rule("when", MONTH, r"~ ?(?:the )?", ORD)(lambda _c, m, _x, n: month_day(m, n))
rule("when", MONTH, NUM)(lambda _c, m, n: month_day(m, n))
rule("when", ORD, r"~ ?(?:day )?(?:of )?", MONTH)(lambda _c, n, _m, m: month_day(m, n))
rule("when", NUM, r"~ ?(?:of )?", MONTH)(lambda _c, n, _m, m: month_day(m, n))
rule("when", r"(\d{1,2})[ -]?(" + "|".join(f"{m[:3]}[a-z]*" for m in _MONTH_STEMS) + r")")(
    lambda _c, m: month_day(_MONTH_STEMS.index(m.group(2)[:3]) + 1, int(m.group(1)))
    if re.fullmatch(MONTHS[_MONTH_STEMS.index(m.group(2)[:3])], m.group(2)) else None
)
rule("when", r"(\d{1,2})[ -]?(?=[a-z])", MONTH, r"~[ -]?(\d{4})(?!\w)")(
    lambda _c, d, m, y: month_day(m, int(d.group(1)), int(y.group(1)))
    if 1900 <= int(y.group(1)) <= 2100 else None
)
rule("when", WHEN, r"~,? ?(?:of )?", YEAR)(
    lambda _c, w, _m, y: replace(w, year=y, latent=False)
    if (w.month and w.day or w.holiday) and w.year is None and not w.clock else None
)
rule("when", WHEN, r"'?(\d\d)(?![:\w]| ?[ap]\.?m)")(
    lambda _c, w, m: replace(w, year=2000 + int(m.group(1)))
    if w.month and w.day and w.year is None and not w.clock and not w.hours
    and int(m.group(1)) < 40 else None
)
rule("when", r"(?:on )?the", r"(\d{1,2})(?:st|nd|rd|th)(?! (?:of|time|floor|grade|place|century|street|st\.?|ave|one|row|try|week|month|year|quarter|and \w+ floor|edition|birthday|anniversary)\b)")(
    lambda _c, _m, n: When(day=int(n.group(1))) if 1 <= int(n.group(1)) <= 31 else None
)
rule("when", r"on the", ORD)(lambda _c, _m, n: When(day=n) if 1 <= n <= 31 else None)
rule("day_number", r"~(?:the )?", ORD)(lambda _c, _m, n: When(day=n) if 1 <= n <= 31 else None)
rule("when", WHEN, r"~,? ?", Kind("day_number"))(
    lambda _c, w, _m, d: replace(w, day=d.day, latent=False)
    if w.weekday is not None and w.day is None and w.month is None else None
)
rule("when", r"~(?<![\w/.])(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})(?![\w/])")(
    lambda _c, m: numeric_date(m.group(2), m.group(1), m.group(3))
    or numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("when", r"~(?<![\w-])(\d{1,2})-(\d{1,2})-(\d{4})(?![\w-])")(
    lambda _c, m: numeric_date(m.group(2), m.group(1), m.group(3))
    or numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("when", r"~(?<![\w.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?![\w.])")(
    lambda _c, m: numeric_date(m.group(1), m.group(2), m.group(3))
)
rule("slashed", r"~(?<![\w/.])(\d{1,2})/(\d{1,2})(?![\w/%])")(
    lambda _c, m: numeric_date(m.group(2), m.group(1), None)
    or numeric_date(m.group(1), m.group(2), None)
)
rule("when", Kind("slashed"))(lambda _c, w: replace(w, latent=True))
rule("when", r"on|due|by|until|since|from|before|after|starting|for", Kind("slashed"))(
    lambda _c, m, w: w if m.group() in ("on", "due", "for") else None
)

# --- relative units -------------------------------------------------------------------------------
rule("when", TURN, UNIT)(lambda ctx, t, u: relative_unit(ctx, u, 1 if t == 10 else t) if u != Grain.day else None)
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
    lambda ctx, t, _m: _weekend(ctx, 0 if t == 10 else t)
)
rule("when", r"(?:on |over |at )?the weekend")(lambda ctx, _m: _weekend(ctx, 0))
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
        name = {-1: "last", 1: "next"}.get(turn, "this")
        return replace(when, turn=name, latent=False)
    if fields.keys() == {"month", "day"} and turn == -1:
        return replace(when, turn="last", latent=False)
    return None


rule("when", TURN, r"season")(lambda ctx, t, _m: _season_step(ctx, 1 if t == 10 else t))
rule("when", r"in the|the|in|over the|all|during the|by", Kind("season"))(
    lambda ctx, m, s: replace(s, latent=False)
    if m.group() not in ("the",) and not (m.group() == "in the" and s.season == 3 and _falls(ctx))
    else None
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
    lambda ctx, m, u: (p := relative_unit(ctx, u, 0))
    and nth_of(ctx, Edge(half=1 if m.group(1) == "first" else 2), p)
)
rule("when", r"h([12])(?: ?(20\d\d))?")(
    lambda _c, m: When(half=int(m.group(1)), year=_year2(m.group(2)), grain=Grain.quarter,
                       latent=m.group(2) is None)
)


def _year2(digits: str | None) -> int | None:
    return None if digits is None else int(digits) % 2000 + 2000


# --- pieces of a period ---------------------------------------------------------------------------
_NTH = Kind("nth")
rule("nth", r"~(?:the )?", ORD)(lambda _c, _m, n: n)
rule("nth", r"(?:the )?last")(lambda _c, _m: -1)
rule("nth", r"~(?:the )?", ORD, r"last")(lambda _c, _m, n, _l: -n)
rule("when", _NTH, WEEKDAY, r"of(?: the)?|in(?: the)?", WHEN)(
    lambda ctx, n, d, _m, w: nth_of(ctx, Edge(nth=n, weekday=d), w)
)
rule("when", _NTH, UNIT, r"of(?: the)?|in(?: the)?", WHEN)(
    lambda ctx, n, u, _m, w: nth_of(ctx, Edge(nth=n, unit=u), w)
)
rule("when", _NTH, WEEKDAY, r"of the|in the|of|in", UNIT)(
    lambda ctx, n, d, _m, u: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(nth=n, weekday=d), p)
)
rule("when", _NTH, UNIT, r"of the|in the", UNIT)(
    lambda ctx, n, k, _m, u: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(nth=n, unit=k), p)
)
rule("when", _NTH, UNIT, r"of|in", YEAR)(
    lambda ctx, n, u, _m, y: nth_of(ctx, Edge(nth=n, unit=u), When(year=y))
)
rule("when", _NTH, WEEKDAY, r"after", WHEN)(lambda ctx, n, d, _m, w: _after(ctx, n, d, w))
rule("when", WEEKDAY, r"after next")(lambda ctx, d, _m: _coming(ctx, d, 2))
rule("when", WEEKDAY, r"before last")(lambda ctx, d, _m: _coming(ctx, d, -2))
rule("when", NUM, WEEKDAY, r"ago|back")(lambda ctx, n, d, _m: _coming(ctx, d, -n))
rule("when", r"a couple (?:of )?", WEEKDAY, r"ago|back")(lambda ctx, _m, d, _a: _coming(ctx, d, -2))
rule("when", NUM, WEEKDAY, r"from now")(lambda ctx, n, d, _m: _coming(ctx, d, n))
rule("when", WEEKDAY, r"from", WHEN)(lambda _c, d, _m, w: _inside_week(d, w))
rule("when", WEEKDAY, r"of", WHEN)(lambda _c, d, _m, w: _inside_week(d, w))
rule("when", WHEN, r"~'s", WEEKDAY)(lambda _c, w, _m, d: _inside_week(d, w))
rule("when", WEEKDAY, r"week|in a week")(lambda ctx, d, _m: _coming(ctx, d, 2))
rule("when", r"(?:the )?weekend of", WHEN)(
    lambda ctx, _m, w: (k := _week_of(ctx, w)) and k.fixed and When(
        fixed=(k.fixed[1] - timedelta(days=2), k.fixed[1]), grain=Grain.week
    ) or None
)
rule("when", r"(?:the )?week of", WHEN)(lambda ctx, _m, w: _week_of(ctx, w))
rule("when", ORD, r"~ ?(?:day )?of (?:the )?", WHEN)(
    lambda _c, n, _m, w: nth_of(_c, Edge(nth=n, unit=Grain.day), w)
    if w.fixed and w.grain == Grain.month else None
)
rule("when", NUM, r"of", WHEN)(
    lambda _c, n, _m, w: nth_of(_c, Edge(nth=n, unit=Grain.day), w)
    if w.fixed and w.grain == Grain.month and n > 0 else None
)
_EDGES = (
    (r"(?:at |in )?(?:the )?(?:very )?end of(?: the)?|late(?: in)?", "end"),
    (r"(?:at |in |by )?(?:the )?(?:beginning|start) of(?: the)?|early(?: in)?", "start"),
    (r"(?:in )?(?:the )?middle of(?: the)?", "middle"),
    (r"~(?<!\w)mid[ -]?", "middle"),
)
for _pattern, _side in _EDGES:
    rule("when", _pattern, WHEN)(
        lambda ctx, _m, w, e=_side: nth_of(ctx, Edge(side=e), w) if not w.day else None
    )
    rule("when", _pattern, YEAR)(lambda ctx, _m, y, e=_side: nth_of(ctx, Edge(side=e), When(year=y)))
    rule("when", _pattern, UNIT)(
        lambda ctx, m, u, e=_side: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(side=e), p)
        if "of" in m.group() else None
    )
rule("when", r"(?:the |at )?(?:eod|end of day|end of the day|close of business|cob)")(
    lambda ctx, _m: When(fixed=unit_period(ctx.today, Grain.day, 0))
)
rule("when", r"(?:at )?(?:the )?(?:eom|month[ -]end|end of month)")(
    lambda ctx, _m: nth_of(ctx, Edge(side="end"), When(fixed=unit_period(ctx.today, Grain.month, 0), grain=Grain.month))
)
rule("when", r"(?:at )?(?:the )?(?:eoy|year[ -]end|end of year)")(
    lambda ctx, _m: nth_of(ctx, Edge(side="end", sharp=True), When(fixed=unit_period(ctx.today, Grain.year, 0), grain=Grain.year))
)
rule("when", r"(?:the )?bom")(
    lambda ctx, _m: nth_of(ctx, Edge(side="start"), When(fixed=unit_period(ctx.today, Grain.month, 0), grain=Grain.month))
)
rule("when", r"(?:the )?boy(?! )")(
    lambda ctx, _m: (w := nth_of(ctx, Edge(side="start"), When(fixed=unit_period(ctx.today, Grain.year, 0), grain=Grain.year)))
    and replace(w, latent=True)
)


def _inside_week(weekday: int, when: When) -> When | None:
    if when.fixed is None or when.grain != Grain.week or (when.fixed[1] - when.fixed[0]).days != 7:
        return None
    day = when.fixed[0].fromordinal(when.fixed[0].toordinal() + weekday)
    return When(fixed=(day, day.fromordinal(day.toordinal() + 1)))


def _coming(ctx: Context, weekday: int, n: int) -> When | None:
    if n == 0 or abs(n) > 520:
        return None
    if n > 0:
        ordinal = ctx.today.toordinal() + (weekday - ctx.today.weekday() - 1) % 7 + 1 + 7 * (n - 1)
    else:
        ordinal = ctx.today.toordinal() - (ctx.today.weekday() - weekday - 1) % 7 - 1 + 7 * (n + 1)
    day = ctx.today.fromordinal(ordinal)
    return When(fixed=(day, day.fromordinal(ordinal + 1)))


def _after(ctx: Context, n: int, weekday: int, when: When) -> When | None:
    if n < 1 or when.clock or when.hours or not when.has_date:
        return None
    start, end, grain = place_date(when, ctx.today, "unknown")
    if grain != Grain.day:
        return None
    ordinal = end.toordinal() - 1
    day = end.fromordinal(ordinal + (weekday - start.weekday() - 1) % 7 + 1 + 7 * (n - 1))
    return When(fixed=(day, day.fromordinal(day.toordinal() + 1)))


def _week_of(ctx: Context, when: When) -> When | None:
    if when.clock or when.hours or not when.has_date:
        return None
    start, _, grain = place_date(when, ctx.today, "unknown")
    if grain != Grain.day:
        return None
    return When(fixed=unit_period(start, Grain.week, 0), grain=Grain.week)


# --- clock times ----------------------------------------------------------------------------------
_AMPM = r"([ap])\.?\s?m?\.?(?!\w)"


def _half_day(hour: int, half: str) -> int:
    return hour % 12 + (12 if half == "p" else 0)


rule("clock", r"~(?<![\w.,:])(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])(?! ?[ap]\.?m)")(
    lambda _c, m: clock_at(m.group(1), m.group(2), m.group(3), ambiguous=True)
)
rule("clock", rf"~(?<![\w.,:])(\d{{1,2}}):(\d\d)(?::(\d\d))?\s?{_AMPM}")(
    lambda _c, m: clock_at(str(_half_day(int(m.group(1)), m.group(4))), m.group(2), m.group(3))
    if 1 <= int(m.group(1)) <= 12 else None
)
rule("clock", r"~(?<![\w.,:])(\d{1,2})\s?([ap])(?:\.\s?m\.?|\s?m)(?!\w)")(
    lambda _c, m: Clock(_half_day(int(m.group(1)), m.group(2)))
    if 1 <= int(m.group(1)) <= 12 else None
)
rule("clock_p", r"~(?<![\w.,:])(\d{1,2})([ap])(?![\w.])")(
    lambda _c, m: Clock(_half_day(int(m.group(1)), m.group(2)))
    if 1 <= int(m.group(1)) <= 12 else None
)
rule("when", r"at|from|by|to|till|until", Kind("clock_p"))(
    lambda _c, m, c: When(clock=c) if m.group() == "at" else None
)
rule("when", Kind("clock_p"))(lambda _c, c: When(clock=c, latent=True))
rule("clock", r"(\d{1,2})h(\d\d)?(?!\w)")(
    lambda _c, m: clock_at(m.group(1), m.group(2) or "00")
)
rule("clock", NUM, r"o'?clock|oclock")(
    lambda _c, n, _m: Clock(n, ambiguous=True) if 1 <= n <= 12 else None
)
rule("clock", NUM, r"([ap])\.?\s?m\.?")(
    lambda _c, n, m: Clock(_half_day(n, m.group(1))) if 1 <= n <= 12 else None
)
rule("clock", NUM, NUM, r"([ap])\.?\s?m\.?")(
    lambda _c, h, n, m: Clock(_half_day(h, m.group(1)), n, grain=Grain.minute)
    if 1 <= h <= 12 and 10 <= n < 60 else None
)
rule("clock", Kind("clock"), r"([ap])\.?\s?m\.?")(
    lambda _c, c, m: replace(c, hour=_half_day(c.hour, m.group(1)), ambiguous=False)
    if c.ambiguous else None
)
rule("clock", r"noon|midday|mid day|12 noon")(lambda _c, _m: Clock(12))
rule("clock", r"midnight|12 midnight|mid ?night")(lambda _c, _m: Clock(24))
rule("hour", NUM)(lambda _c, n: n if 1 <= n <= 24 else None)


@rule("clock", r"(?:a )?(quarter|half|\d{1,2}|five|ten|twenty|twenty five)(?: minutes?)?", r"past|after|to|till|before|of|from", Kind("hourly"))
def _past(_ctx: Context, m: re.Match[str], side: re.Match[str], clock: Clock) -> Clock | None:
    words = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20, "twenty five": 25}
    minutes = words.get(m.group(1)) or (int(m.group(1)) if m.group(1).isdigit() else 0)
    if not 0 < minutes < 60 or clock.minute:
        return None
    if side.group() == "to" and minutes % 5:
        return None
    if side.group() in ("past", "after", "from"):
        return replace(clock, minute=minutes, grain=Grain.minute)
    if side.group() == "of" and m.group(1) != "quarter":
        return None
    hour = clock.hour - 1
    if clock.ambiguous and hour == 0:
        hour = 12
    return replace(clock, hour=hour, minute=60 - minutes, grain=Grain.minute)


rule("hourly", Kind("clock"))(lambda _c, c: c)
rule("hourly", Kind("hour"))(lambda _c, h: Clock(h, ambiguous=h <= 12))
rule("clock", r"half", NUM)(
    lambda ctx, _m, n: Clock(n, 30, ambiguous=True, grain=Grain.minute)
    if 1 <= n <= 12 and ctx.text.strip().startswith(("half", "at half")) else None
)
rule("when", Kind("clock"))(lambda _c, c: When(clock=c))
rule("when", Kind("clock"), r"ish|sharp|approximately|exactly|or so|approx\.?")(lambda _c, c, _m: When(clock=c))
rule("when", r"(?:the |at |@|around |about |exactly at |by |approximately )+ ?", Kind("clock"))(
    lambda _c, m, c: When(clock=c) if "by" not in m.group() else None
)
_HOUR_FOLLOWS = (
    r"~(?=\s*(?:$|[.,!?;:)\n]|(?:on|tomorrow|today|tonight|this|in the|and|so|but|for|with|to|till|"
    r"until|if|or|then|sharp|ish|mon|tue|wed|thu|fri|sat|sun|gmt|est|pst|cet|next|yesterday|as|when|"
    r"because|cause|cuz|we|i|he|she|they|you)\b))(?:ish|\s?sharp)?"
)
rule("when", r"at(?: about| around)?|@|around", Kind("hour"), _HOUR_FOLLOWS)(
    lambda _c, m, h, _f: When(clock=Clock(h, ambiguous=h <= 12)) if m.group() != "around" else None
)
rule("when", r"at(?: about| around)?|@", r"(\d{1,2})(\d\d)(?:ish)?(?![\w:.,/-])")(
    lambda _c, _m, m: (c := clock_at(m.group(1), m.group(2), ambiguous=True)) and When(clock=c)
)
rule("when", r"at", NUM, NUM, _HOUR_FOLLOWS)(
    lambda _c, _m, h, n, _f: When(clock=Clock(h, n, ambiguous=h <= 12, grain=Grain.minute))
    if 1 <= h <= 24 and 10 <= n < 60 else None
)
rule("when", Kind("hour"))(lambda _c, h: When(clock=Clock(h, ambiguous=h <= 12), latent=True))
rule("when", r"(\d{1,2})(\d\d)", PART)(
    lambda _c, m, p: (c := clock_at(m.group(1), m.group(2), ambiguous=True))
    and replace(p, clock=c, hours=None)
)
_ZONES = {
    "gmt": 0, "utc": 0, "cet": 60, "cest": 120, "msk": 180, "est": -300, "edt": -240, "cst": -360,
    "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "bst": 60, "ist": 330,
}
rule("when", WHEN, r"|".join(_ZONES))(
    lambda _c, w, m: replace(w, clock=replace(w.clock, zone_minutes=_ZONES[m.group()], ambiguous=False))
    if w.clock and w.clock.zone_minutes is None and not w.latent else None
)

# --- durations ------------------------------------------------------------------------------------
rule("dur", NUM, r"~[ -]?(?:more )?", UNIT)(lambda _c, n, _m, u: duration(n, u))
rule("dur", r"~(?<![\w.])(\d{1,3})(?=[a-z])", UNIT)(lambda _c, m, u: duration(int(m.group(1)), u))
rule("dur", r"an?|one", UNIT)(lambda _c, _m, u: duration(1, u))
rule("dur", r"(?:a )?(?:couple|pair)(?: of)?(?: more)?", UNIT)(lambda _c, _m, u: duration(2, u))
rule("dur", r"(?:a )?few", UNIT)(lambda _c, _m, u: duration(3, u) if u <= Grain.hour else None)
rule("dur", r"half an?|1/2(?: an?)?|half", UNIT)(lambda _c, _m, u: duration(0.5, u))
rule("dur", r"(?:a )?quarter(?: of)? an?|1/4(?: an?)?", UNIT)(lambda _c, _m, u: duration(0.25, u))
rule("dur", r"three[ -]quarters of an?|3/4(?: of)?(?: an?)?", UNIT)(lambda _c, _m, u: duration(0.75, u))
rule("dur", r"([123])/([24]) ?h(?:ours?|r)?")(
    lambda _c, m: duration(int(m.group(1)) / int(m.group(2)), Grain.hour)
)
rule("dur", r"~(?<![\w.])(\d{1,3})\.(\d)\s?", UNIT)(
    lambda _c, m, u: duration(float(f"{m.group(1)}.{m.group(2)}"), u)
)
rule("dur", NUM, r"and an? half", UNIT)(lambda _c, n, _m, u: duration(n + 0.5, u))
rule("dur", r"(?:an?|one)", UNIT, r"and an? half")(lambda _c, _m, u, _h: duration(1.5, u))
rule("dur", r"an?|one|a full", r"fortnight")(lambda _c, _a, _m: Dur(days=14, unit=Grain.week))
rule("dur", r"(?:about|around|exactly|roughly|almost|nearly|another|approximately)", DUR)(lambda _c, _m, d: d)
rule("dur", DUR, r"~,? ?(?:and )?", DUR)(
    lambda _c, a, _m, b: Dur(a.months + b.months, a.days + b.days, a.seconds + b.seconds, b.unit)
    if b.unit < a.unit else None
)
rule("when", r"(?:with)?in", DUR)(
    lambda ctx, m, d: from_now(ctx, d, 1) if m.group() == "in" else None
)
rule("when", DUR, r"from (?:now|today)|hence|out from now")(lambda ctx, d, _m: from_now(ctx, d, 1))
rule("when", DUR, r"ago|back|earlier")(
    lambda ctx, d, m: from_now(ctx, d, -1) if m.group() == "ago" or d.unit >= Grain.day else None
)
rule("when", DUR, r"ago", r"today|to the day|now")(lambda ctx, d, _m, _t: from_now(ctx, d, -1))
rule("when", r"in", DUR, r"'?s time")(lambda ctx, _m, d, _t: from_now(ctx, d, 1))
rule("when", DUR, r"after|from|before", WHEN)(lambda ctx, d, m, w: offset(ctx, d, -1 if m.group() == "before" else 1, w))
rule("when", r"(?:the )?(day|week|month|year) (after|before|following)", WHEN)(
    lambda ctx, m, w: offset(
        ctx,
        {"day": Dur(days=1), "week": Dur(days=7), "month": Dur(months=1), "year": Dur(months=12)}[m.group(1)],
        -1 if m.group(2) == "before" else 1,
        w,
    )
)
rule("when", MONTH, r"in", DUR)(
    lambda ctx, m, _x, d: When(month=m, year=ctx.today.year + d.months // 12, grain=Grain.month)
    if d.months and d.months % 12 == 0 and not d.days else None
)
rule("when", WHEN, DUR, r"from now|hence")(
    lambda ctx, w, d, _m: replace(w, year=ctx.today.year + d.months // 12)
    if d.months and w.holiday and d.months % 12 == 0 else None
)
rule("when", r"exactly", WHEN)(lambda _c, _m, w: w if not w.latent else None)
rule("mention", r"(?:in |over |for |during |within )?(?:the )?(?:last|past|previous)", DUR)(
    lambda _c, _m, d: Mention("last_n", d)
)
rule("mention", r"(?:in |over |for |during |within )?(?:the )?(?:next|following|coming|upcoming)", DUR)(
    lambda _c, _m, d: Mention("next_n", d)
)
rule("mention", r"(?:in|over|for|during|within|throughout) (?:the )?(?:last|past)", UNIT)(
    lambda _c, _m, u: (d := duration(1, u)) and Mention("last_n", d)
)
rule("mention", r"in", DUR)(
    lambda ctx, m, d: Mention("elapsed", d, tense="past")
    if _NEGATED.search(ctx.text[: m.start()]) else None
)
rule("mention", r"within|in under", DUR)(lambda _c, _m, d: Mention("within", d))
rule("mention", r"for(?: over| about| almost| nearly| more than| at least| the last| the past)?", DUR)(
    lambda ctx, m, d: _elapsed(ctx, m, d)
)
rule("mention", r"for", DUR, r"now|already|straight")(lambda _c, _m, d, _n: Mention("elapsed", d))
rule("mention", DUR)(lambda _c, d: Mention("elapsed_maybe", d))
_NEGATED = re.compile(r"(?:haven't|hasn't|have not|has not|haven’t|hasn’t|never)[^.!?;,]*$")
_STATE = re.compile(
    r"(?:\b(?:have|has|haven't|hasn't|been|hadn't)\b|'ve|'s been)[^.!?;]*$"
)


def _elapsed(ctx: Context, match: re.Match[str], length: Dur) -> Mention | None:
    """"for 40 days" reaches up to now only in a perfect: "I haven't smoked for 40 days"."""
    return Mention("elapsed", length, tense="past") if _STATE.search(ctx.text[: match.start()]) else None


# --- ends -----------------------------------------------------------------------------------------
ANCHOR = Kind("anchor")
rule("anchor", WHEN)(lambda _c, w: w)
rule("anchor", r"~(?:the )?", ORD)(lambda _c, _m, n: When(day=n) if 1 <= n <= 31 else None)
rule("anchor", r"(?:the end of )?((?:19|20)\d\d)")(
    lambda _c, m: When(year=int(m.group(1)), grain=Grain.year)
)
rule("anchor", Kind("slashed"))(lambda _c, w: w)
rule("mention", r"(?:ever )?since", ANCHOR)(
    lambda _c, _m, w: Mention("from", w, tense="past") if not _hourlike(w) else None
)
rule("mention", r"starting(?: from| on| in)?|beginning(?: on| in)?|as of|effective(?: from)?|"
     r"from|no earlier than|not before", ANCHOR)(
    lambda _c, m, w: Mention("from", w) if m.group() != "from" or not (w.latent or w.hours) else None
)
rule("mention", r"from", ANCHOR, r"on(?:wards?)?|onwards?|forward")(
    lambda _c, _m, w, _o: Mention("from", w)
)
_NOT = r"(?:won't|will not|not|doesn't|don't|can't|cannot|isn't|never|didn't|wouldn't|no)\b[^.!?,;]{0,40} "
rule("mention", rf"~(?<!\w){_NOT}(?:until|till|before)", ANCHOR)(
    lambda _c, m, w: Mention("from", w, tense="past" if "did" in m.group() else "future")
    if not _hourlike(w) else None
)
rule("mention", r"after|later than|any ?time after|sometimes? after", ANCHOR)(
    lambda _c, _m, w: Mention("after", w) if not _hourlike(w) and w.hours is None else None
)
rule("mention", r"by(?: the)?(?: end of(?: the)?)?|no later than|not later than|at the latest by", ANCHOR)(
    lambda _c, m, w: Mention(
        "until", w, inclusive="end" in m.group() or date_grain(w) == Grain.day, tense="future"
    ) if not _hourlike(w) else None
)
rule("mention", r"by(?: the)? end of(?: the)?", UNIT)(
    lambda ctx, _m, u: (p := relative_unit(ctx, u, 0))
    and Mention("until", p, inclusive=True, tense="future")
)
rule("mention", r"through|thru|up to and including", ANCHOR)(
    lambda _c, _m, w: Mention("until", w, inclusive=True, tense="future") if not _hourlike(w) else None
)
rule("mention", r"until|till|til|up to|up until|before|sometimes? before|earlier than|not after", ANCHOR)(
    lambda _c, m, w: Mention("until", w, inclusive="not after" in m.group(), tense="future")
    if not _hourlike(w) else None
)
rule("mention", r"until|till|til|to", ANCHOR, r"inclusive|included|\(inclusive\)")(
    lambda _c, _m, w, _i: Mention("until", w, inclusive=True, tense="future")
)
rule("mention", r"until|till|up to|by", r"(?:the )?(?:very )?end of(?: the)?", WHEN)(
    lambda _c, _m, _e, w: Mention("until", w, inclusive=True, tense="future")
)


def _hourlike(when: When) -> bool:
    """A bare number that only might be an hour."""
    return when.latent and when.clock is not None and not when.has_date


_TO = r"to|till|til|until|through|thru|~ ?[-–—] ?"
rule("mention", r"from|between|in between|later than", ANCHOR, rf"{_TO}|and|but before|~-", ANCHOR)(
    lambda _c, _m, a, _x, b: _range(a, b)
)
rule("mention", ANCHOR, r"~ ?[-–—] ?", ANCHOR)(lambda _c, a, _m, b: _range(a, b, bare=True))
rule("mention", ANCHOR, r"to|till|til|through|thru|until", ANCHOR)(
    lambda _c, a, _m, b: _range(a, b, bare=True)
)
rule("mention", Kind("hour"), r"~[-–—]|(?:to|till|until)(?!\w)", Kind("clock"))(
    lambda _c, h, _m, c: _range(When(clock=Clock(h, ambiguous=True)), When(clock=c))
    if h <= 12 else None
)
rule("mention", r"from|between", Kind("clock_p"), r"to|and|till|~-", Kind("clock_p"))(
    lambda _c, _m, a, _x, b: _range(When(clock=a), When(clock=b))
)
rule("mention", WHEN, r"~(?:from |between )?", Kind("hour"), r"~ ?[-–—] ?|to|till|and", Kind("hour"))(
    lambda _c, w, _m, a, _x, b: Mention(
        "range", replace(w, clock=Clock(a, ambiguous=a <= 12)), When(clock=Clock(b, ambiguous=b <= 12))
    ) if (w.weekday is not None or w.fixed) and not w.day and date_grain(w) == Grain.day
    and not w.clock and not w.hours else None
)
rule("pair", r"~(?<![\w.,:/])(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: ?[-–—] ?| to (?:the )?| through | thru | till )", WHEN)(
    lambda _c, m, w: Mention("range", replace(w, day=int(m.group(1))), w, inclusive=True)
    if w.month and w.day and w.clock is None and 1 <= int(m.group(1)) < w.day else None
)
rule("mention", r"~(?:(?:from|between) (?:the )?)?", Kind("pair"))(lambda _c, _m, p: p)
rule("mention", r"~(?:(?:from|between) )?", WHEN, r"~ ?(?:[-–—]|to|and|through|thru|till|until) ?(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\w:/]| ?[ap]m)")(
    lambda _c, _m, w, d: Mention("range", w, replace(w, day=int(d.group(1)), weekday=None), inclusive=True)
    if w.month and w.day and w.clock is None and w.day < int(d.group(1)) <= 31 else None
)
rule("mention", r"((?:19|20)\d\d) ?[-–—] ?((?:19|20)\d\d)")(
    lambda _c, m: Mention("range", When(year=int(m.group(1)), grain=Grain.year),
                          When(year=int(m.group(2)), grain=Grain.year), inclusive=True)
    if int(m.group(1)) < int(m.group(2)) else None
)
rule("mention", r"from|between", r"((?:19|20)\d\d)", r"to|until|till|and|through", r"((?:19|20)\d\d)")(
    lambda _c, _f, a, _m, b: Mention("range", When(year=int(a.group(1)), grain=Grain.year),
                                     When(year=int(b.group(1)), grain=Grain.year), inclusive=True)
    if int(a.group(1)) < int(b.group(1)) else None
)


def _range(first: When, second: When, bare: bool = False) -> Mention | None:
    if first.hours or second.hours or first.moment or second.moment:
        return None
    if first.clock and second.clock:
        if second.has_date and not first.has_date:
            first, second = replace(second, clock=first.clock), When(clock=second.clock)
        if second.clock and second.clock.zone_minutes is not None and first.clock:
            first = replace(first, clock=replace(first.clock, zone_minutes=second.clock.zone_minutes))
    if bare and (first.latent or second.latent):
        return None
    if (first.clock is None) != (second.clock is None):
        return None
    if first.clock and second.clock:
        a, b = first.clock, second.clock
        if a.ambiguous and not b.ambiguous:
            for hour in (a.hour % 12 + 12 * (b.hour >= 12), a.hour % 12):
                if (hour, a.minute) < (b.hour, b.minute):
                    first = replace(first, clock=replace(a, hour=hour, ambiguous=False))
                    break
        return Mention("range", first, second)
    if first.date_fields().keys() == {"day"} and second.month is not None:
        first = replace(first, month=second.month, year=second.year)
    if second.date_fields().keys() == {"day"} and first.month is not None:
        second = replace(second, month=first.month, year=first.year)
    if first.month is not None and first.year is None and second.year is not None:
        first = replace(first, year=second.year)
    if not first.has_date or not second.has_date:
        return None
    if first.date_fields().keys() == {"day"} and second.date_fields().keys() == {"day"} and bare:
        return None
    return Mention("range", first, second, inclusive=True)


def _lasting(when: When, length: Dur) -> Mention | None:
    if when.hours or when.moment or when.latent or (length.unit < Grain.day) == (when.clock is None):
        return None
    return Mention("lasting", when, length)


# --- repeated, not dated --------------------------------------------------------------------------
rule("mention", r"every|each|most|any", WHEN)(lambda _c, _m, _w: Mention("skip"))
rule("mention", Kind("mention"), r"daily|every day|on weekdays|weekdays|each day|every week")(
    lambda _c, _a, _m: Mention("skip")
)
rule("mention", r"every|each|per|a", UNIT)(lambda _c, _m, _u: Mention("skip"))
rule("mention", r"(?:on )?(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)")(
    lambda _c, _m: Mention("skip")
)
rule("mention", r"(?:chinese|lunar|islamic|parsi|jewish|persian|tamil|vietnamese|korean)(?: lunar)? new year'?s?(?: day)?")(
    lambda _c, _m: Mention("skip")
)
rule("mention", WHEN, r"for", DUR)(lambda _c, w, _m, d: _lasting(w, d))
rule("mention", r"for", DUR, r"from|starting(?: on| from)?|beginning(?: on)?", ANCHOR)(
    lambda _c, _m, d, _f, w: _lasting(w, d)
)
rule("mention", r"24/7|9 ?to ?5|9-5")(lambda _c, _m: Mention("skip"))

add_shared_rules(GRAMMAR, between=(r"~,?", r"~,? ?(?:on (?:the )?|at |@ ?|in the |of |the |in |around )"))
