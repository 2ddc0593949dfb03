"""English: clock times."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Context, Kind
from memory_pipeline.understand.dates.common import (
    clock_at,
)
from memory_pipeline.understand.dates.en_words import GRAMMAR
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.values import Clock, When

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

_AMPM = r"([ap])\.?\s?m?\.?(?!\w)"


def _half_day(hour: int, half: str) -> int:
    return hour % 12 + (12 if half == "p" else 0)


rule("clock", r"~(?<![\w.,:])(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])(?! ?[ap]\.?m)")(
    lambda _c, m: clock_at(m.group(1), m.group(2), m.group(3), ambiguous=True)
)
rule("clock", rf"~(?<![\w.,:])(\d{{1,2}}):(\d\d)(?::(\d\d))?\s?{_AMPM}")(
    lambda _c, m: (
        clock_at(str(_half_day(int(m.group(1)), m.group(4))), m.group(2), m.group(3))
        if 1 <= int(m.group(1)) <= 12
        else None
    )
)
rule("clock", r"~(?<![\w.,:])(\d{1,2})\s?([ap])(?:\.\s?m\.?|\s?m)(?!\w)")(
    lambda _c, m: (
        Clock(_half_day(int(m.group(1)), m.group(2))) if 1 <= int(m.group(1)) <= 12 else None
    )
)
rule("clock_p", r"~(?<![\w.,:])(\d{1,2})([ap])(?![\w.])")(
    lambda _c, m: (
        Clock(_half_day(int(m.group(1)), m.group(2))) if 1 <= int(m.group(1)) <= 12 else None
    )
)
rule("when", r"at|from|by|to|till|until", Kind("clock_p"))(
    lambda _c, m, c: When(clock=c) if m.group() == "at" else None
)
rule("clock", r"(\d{1,2})h(\d\d)?(?!\w)")(lambda _c, m: clock_at(m.group(1), m.group(2) or "00"))
rule("clock", NUM, r"o'?clock|oclock")(
    lambda _c, n, _m: Clock(n, ambiguous=True) if 1 <= n <= 12 else None
)
rule("clock", NUM, r"([ap])\.?\s?m\.?")(
    lambda _c, n, m: Clock(_half_day(n, m.group(1))) if 1 <= n <= 12 else None
)
rule("clock", NUM, NUM, r"([ap])\.?\s?m\.?")(
    lambda _c, h, n, m: (
        Clock(_half_day(h, m.group(1)), n, grain=Grain.minute)
        if 1 <= h <= 12 and 10 <= n < 60
        else None
    )
)
rule("clock", Kind("clock"), r"([ap])\.?\s?m\.?")(
    lambda _c, c, m: (
        replace(c, hour=_half_day(c.hour, m.group(1)), ambiguous=False) if c.ambiguous else None
    )
)
rule("clock", r"noon|midday|mid day|12 noon")(lambda _c, _m: Clock(12))
rule("clock", r"midnight|12 midnight|mid ?night")(lambda _c, _m: Clock(24))
rule("hour", NUM)(lambda _c, n: n if 1 <= n <= 24 else None)


_MINUTES = r"(?:a )?(quarter|half|\d{1,2}|five|ten|twenty|twenty five)(?: minutes?)?"
_SIDE = r"past|after|to|till|before|of|from"


def _past(
    _ctx: Context, m: re.Match[str], side: re.Match[str], clock: Clock, *_after: re.Match[str]
) -> Clock | None:
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


rule("hourly", Kind("hour"))(lambda _c, h: Clock(h, ambiguous=h <= 12))
rule("clock", r"half", NUM)(
    lambda ctx, _m, n: (
        Clock(n, 30, ambiguous=True, grain=Grain.minute)
        if 1 <= n <= 12 and ctx.text.strip().startswith(("half", "at half"))
        else None
    )
)
rule("when", Kind("clock"))(lambda _c, c: When(clock=c))
rule("when", Kind("clock"), r"ish|sharp|approximately|exactly|or so|approx\.?")(
    lambda _c, c, _m: When(clock=c)
)
rule("when", r"(?:the |at |@|around |about |exactly at |by |approximately )+ ?", Kind("clock"))(
    lambda _c, m, c: When(clock=c) if "by" not in m.group() else None
)
HOUR_FOLLOWS = (
    r"~(?=\s*(?:$|[.,!?;:)\n]|(?:on|tomorrow|today|tonight|this|in the|and|so|but|for|with|to|till|"
    r"until|if|or|then|sharp|ish|mon|tue|wed|thu|fri|sat|sun|gmt|est|pst|cet|next|yesterday|as|when|"
    r"because|cause|cuz|we|i|he|she|they|you)\b))(?:ish|\s?sharp)?"
)
rule("when", r"at(?: about| around)?|@|around", Kind("hour"), HOUR_FOLLOWS)(
    lambda _c, m, h, _f: When(clock=Clock(h, ambiguous=h <= 12)) if m.group() != "around" else None
)
rule("when", r"at(?: about| around)?|@", r"(\d{1,2})(\d\d)(?:ish)?(?![\w:.,/-])")(
    lambda _c, _m, m: (c := clock_at(m.group(1), m.group(2), ambiguous=True)) and When(clock=c)
)
rule("when", r"at", NUM, NUM, HOUR_FOLLOWS)(
    lambda _c, _m, h, n, _f: (
        When(clock=Clock(h, n, ambiguous=h <= 12, grain=Grain.minute))
        if 1 <= h <= 24 and 10 <= n < 60
        else None
    )
)
rule("when", Kind("hour"))(lambda _c, h: When(clock=Clock(h, ambiguous=h <= 12), latent=True))
rule("when", r"(\d{1,2})(\d\d)", PART)(
    lambda _c, m, p: (
        (c := clock_at(m.group(1), m.group(2), ambiguous=True)) and replace(p, clock=c, hours=None)
    )
)
_ZONES = {
    "gmt": 0,
    "utc": 0,
    "cet": 60,
    "cest": 120,
    "msk": 180,
    "est": -300,
    "edt": -240,
    "cst": -360,
    "cdt": -300,
    "mst": -420,
    "mdt": -360,
    "pst": -480,
    "pdt": -420,
    "bst": 60,
    "ist": 330,
}
rule("when", WHEN, r"|".join(_ZONES))(
    lambda _c, w, m: (
        replace(w, clock=replace(w.clock, zone_minutes=_ZONES[m.group()], ambiguous=False))
        if w.clock and w.clock.zone_minutes is None and not w.latent
        else None
    )
)
rule("clock", r"~(?<![\w.,:])(\d{1,2})\.(\d\d)\s?([ap])\.?m\.?(?!\w)")(
    lambda _c, m: (
        clock_at(str(_half_day(int(m.group(1)), m.group(3))), m.group(2))
        if 1 <= int(m.group(1)) <= 12
        else None
    )
)
rule("when", r"at", r"(\d{1,2})\.(\d\d)(?![\w.%])")(
    lambda _c, _m, m: (c := clock_at(m.group(1), m.group(2), ambiguous=True)) and When(clock=c)
)
rule("clock", _MINUTES, _SIDE, Kind("clock"))(_past)
# a bare number is an hour only where no noun follows: "5 to 10 minutes" is none
rule("clock", _MINUTES, _SIDE, Kind("hourly"), HOUR_FOLLOWS)(_past)
rule("clock", _MINUTES, _SIDE, Kind("hourly"), r"~(?=\s?(?:in|at) the )")(_past)
rule("clock", r"(?:a )?(quarter|half)", r"past|to|till", Kind("hourly"))(_past)
