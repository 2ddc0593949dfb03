"""Russian: clock times."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Context, Kind
from memory_pipeline.understand.dates.common import (
    clock_at,
)
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.ru_grammar import GRAMMAR
from memory_pipeline.understand.dates.ru_words import (
    parses,
)
from memory_pipeline.understand.dates.values import Clock, When
from memory_pipeline.understand.word_blocks import words

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")

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
rule("when", r"час(?:ов|а)(?: так)? (?:в|к)", NUM)(
    lambda _c, _m, n: hour_when(n, said=True) if 1 <= n <= 24 else None
)
rule("bare_hour", NUM)(lambda _c, n: n if 0 <= n <= 24 else None)


def hour_when(number: int, said: bool = False) -> When:
    """An hour without its minutes; `said` where a word shows that it is one."""
    return When(clock=Clock(number, ambiguous=1 <= number <= 12, grain=Grain.hour), latent=not said)


rule("when", Kind("clock"))(lambda _c, c: When(clock=c))
rule("when", r"в|к", Kind("hour"))(lambda _c, _m, n: hour_when(n, said=True))
rule("when", Kind("hour"), NUM, r"минут[уы]?|мин\.?")(
    lambda _c, h, m, _m: (
        When(clock=Clock(h, m, ambiguous=1 <= h <= 12, grain=Grain.minute)) if m < 60 else None
    )
)
rule("when", Kind("hour"))(lambda _c, n: hour_when(n))


_COUNTED = frozenset({"NOUN", "ADJF", "ADJS", "NUMR", "PRTF"})


@rule("when", r"в|к", Kind("bare_hour"))
def _at_hour(ctx: Context, prefix: re.Match[str], number: int) -> When | None:
    if re.search(r"раза?\s$", ctx.text[: prefix.start()]):
        return None
    # the number's end is not known here, so the next word is read behind its last character
    following = re.match(
        r"[вк]\s+(?:\d+|[а-яё]+(?:\s+(?:один|два|три|четыре))?)\s*([а-яё%]*)",
        ctx.text[prefix.start() :],
    )
    if not number or number > 24:
        return None
    word = following.group(1) if following else ""
    of_day = word in ("", "утра", "дня", "вечера", "ночи")
    if not of_day and (word == "%" or parses(word)[0][1] & _COUNTED):
        return None
    return hour_when(number, said=True)


@rule("when", WHEN, r"утра|дня|пополудни|вечера|ночи|пополуночи")
def _part_of_day(_ctx: Context, when: When, match: re.Match[str]) -> When | None:
    clock = when.clock
    if clock is None or not 1 <= clock.hour <= 12 or when.hours or when.moment:
        return None
    hour, part = clock.hour, match.group()
    if (part == "ночи" and hour >= 10) or (part in ("дня", "пополудни", "вечера") and hour < 12):
        hour += 12
    elif part in ("утра", "пополуночи") and hour == 12:
        hour = 0
    return replace(when, clock=replace(clock, hour=hour, ambiguous=False), latent=False)


rule("when", Kind("bare_hour"), r"утра|вечера|ночи")(
    lambda _c, n, m: _part_of_day(_c, hour_when(n), m)
)
_HALF_STEMS = words("перв втор трет четверт пят шест седьм восьм девят десят одиннадцат двенадцат")
rule("when", r"(?:в )?(?:полдень|полудня)")(lambda _c, _m: When(clock=Clock(12)))
rule("when", r"(?:в )?(?:полночь|полуночи)")(lambda _c, _m: When(clock=Clock(24)))
rule("when", r"~(?<!\w)(?:в )?(?:половин[ауе] |пол[ -]?)", Kind("half_of"))(
    lambda _c, _m, n: When(clock=Clock((n - 1) or 12, 30, ambiguous=True, grain=Grain.minute))
)
rule("when", r"(?:в )?четверть", ORD)(
    lambda _c, _m, n: (
        When(clock=Clock((n - 1) or 12, 15, ambiguous=True, grain=Grain.minute))
        if n <= 12
        else None
    )
)
rule("half_of", ORD)(lambda _c, n: n if 1 <= n <= 12 else None)
rule(
    "when",
    r"(?:в )?пол(перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат)(?:ого|ьего)",
)(
    lambda _c, m: When(
        clock=Clock(
            (_HALF_STEMS.index(m.group(1).replace("ё", "е")) or 12),
            30,
            ambiguous=True,
            grain=Grain.minute,
        )
    )
)
rule("when", r"без четверти", Kind("bare_hour"))(
    lambda _c, _m, n: (
        When(clock=Clock((n - 1) or 12, 45, ambiguous=True, grain=Grain.minute))
        if 1 <= n <= 12
        else None
    )
)
rule("when", r"без", NUM, r"~ ?(?:минут )?", Kind("bare_hour"))(
    lambda _c, _m, k, _x, n: (
        When(clock=Clock((n - 1) or 12, 60 - k, ambiguous=True, grain=Grain.minute))
        if 1 <= n <= 12 and 0 < k < 30
        else None
    )
)
