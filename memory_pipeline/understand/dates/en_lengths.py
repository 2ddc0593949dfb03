"""English: lengths of time, and the moments at such a distance."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Context, Kind, Mention
from memory_pipeline.understand.dates.common import duration, from_now, month_of_years, offset
from memory_pipeline.understand.dates.en_words import GRAMMAR
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.values import Dur, When

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH = Kind("when"), Kind("month")


_NEGATED = re.compile(r"(?:haven't|hasn't|have not|has not|haven’t|hasn’t|never)[^.!?;,]*$")
_STATE = re.compile(r"(?:\b(?:have|has|haven't|hasn't|been|hadn't)\b|'ve|'s been)[^.!?;]*$")
rule("dur", NUM, r"~[ -]?(?:more )?", UNIT)(lambda _c, n, _m, u: duration(n, u))
rule("dur", r"~(?<![\w.])(\d{1,3})(?=[a-z])", UNIT)(lambda _c, m, u: duration(int(m.group(1)), u))
rule("dur", r"an?|one", UNIT)(lambda _c, _m, u: duration(1, u))
rule("dur", r"(?:a )?(?:couple|pair)(?: of)?(?: more)?", UNIT)(lambda _c, _m, u: duration(2, u))
rule("dur", r"(?:a )?few", UNIT)(lambda _c, _m, u: duration(3, u) if u <= Grain.hour else None)
rule("dur", r"half an?|1/2(?: an?)?|half", UNIT)(lambda _c, _m, u: duration(0.5, u))
rule("dur", r"(?:a )?quarter(?: of)? an?|1/4(?: an?)?", UNIT)(lambda _c, _m, u: duration(0.25, u))
rule("dur", r"three[ -]quarters of an?|3/4(?: of)?(?: an?)?", UNIT)(
    lambda _c, _m, u: duration(0.75, u)
)
rule("dur", r"([123])/([24]) ?h(?:ours?|r)?")(
    lambda _c, m: duration(int(m.group(1)) / int(m.group(2)), Grain.hour)
)
rule("dur", r"~(?<![\w.])(\d{1,3})\.(\d)\s?", UNIT)(
    lambda _c, m, u: duration(float(f"{m.group(1)}.{m.group(2)}"), u)
)
rule("dur", NUM, r"and an? half", UNIT)(lambda _c, n, _m, u: duration(n + 0.5, u))
rule("dur", r"(?:an?|one)", UNIT, r"and an? half")(lambda _c, _m, u, _h: duration(1.5, u))
rule("dur", r"an?|one|a full", r"fortnight")(lambda _c, _a, _m: Dur(days=14, unit=Grain.week))
rule("dur", r"(?:about|around|exactly|roughly|almost|nearly|another|approximately)", DUR)(
    lambda _c, _m, d: d
)
rule("dur", DUR, r"~,? ?(?:and )?", DUR)(
    lambda _c, a, _m, b: (
        Dur(a.months + b.months, a.days + b.days, a.seconds + b.seconds, b.unit)
        if b.unit < a.unit
        else None
    )
)
rule("when", r"(?:with)?in", DUR)(
    lambda ctx, m, d: from_now(ctx, d, 1) if m.group() == "in" else None
)
rule("when", DUR, r"from (?:now|today)|hence|out from now")(lambda ctx, d, _m: from_now(ctx, d, 1))
rule("when", DUR, r"ago|back|earlier")(
    lambda ctx, d, m: from_now(ctx, d, -1) if m.group() == "ago" or d.unit >= Grain.day else None
)
rule("when", DUR, r"ago", r"today|to the day|now")(lambda ctx, d, _m, _t: from_now(ctx, d, -1))
rule("when", r"in", DUR, r"(?:'?s )?time")(lambda ctx, _m, d, _t: from_now(ctx, d, 1))
rule("when", DUR, r"after|from|before", WHEN)(
    lambda ctx, d, m, w: offset(ctx, d, -1 if m.group() == "before" else 1, w)
)
rule("when", r"(?:the )?(day|week|month|year) (after|before|following)", WHEN)(
    lambda ctx, m, w: offset(
        ctx,
        {"day": Dur(days=1), "week": Dur(days=7), "month": Dur(months=1), "year": Dur(months=12)}[
            m.group(1)
        ],
        -1 if m.group(2) == "before" else 1,
        w,
    )
)
rule("when", DUR, r"ago,? in", MONTH)(lambda ctx, d, _m, n: month_of_years(ctx, n, d, -1))
rule("when", r"in", MONTH, DUR, r"ago")(lambda ctx, _i, n, d, _m: month_of_years(ctx, n, d, -1))
rule("when", MONTH, r"in", DUR)(
    lambda ctx, m, _x, d: (
        When(month=m, year=ctx.today.year + d.months // 12, grain=Grain.month)
        if d.months and d.months % 12 == 0 and not d.days
        else None
    )
)
rule("when", WHEN, DUR, r"from now|hence")(
    lambda ctx, w, d, _m: (
        replace(w, year=ctx.today.year + d.months // 12)
        if d.months and w.holiday and d.months % 12 == 0
        else None
    )
)
rule("when", r"exactly", WHEN)(lambda _c, _m, w: w if not w.latent else None)
rule("mention", r"(?:in |over |for |during |within )?(?:the )?(?:last|past|previous)", DUR)(
    lambda _c, _m, d: Mention("last_n", d)
)
rule(
    "mention",
    r"(?:in |over |for |during |within )?(?:the )?(?:next|following|coming|upcoming)",
    DUR,
)(lambda _c, _m, d: Mention("next_n", d))
rule("mention", r"(?:in|over|for|during|within|throughout) (?:the )?(?:last|past)", UNIT)(
    lambda _c, _m, u: (d := duration(1, u)) and Mention("last_n", d)
)
rule("mention", r"in", DUR)(
    lambda ctx, m, d: (
        Mention("elapsed", d, tense="past") if _NEGATED.search(ctx.text[: m.start()]) else None
    )
)
rule("mention", r"in", DUR, r"to|or|~ ?[-–—] ?", DUR)(lambda _c, _m, _a, _x, _b: Mention("skip"))
rule("mention", r"within|in under", DUR)(lambda _c, _m, d: Mention("within", d))
rule(
    "mention", r"for(?: over| about| almost| nearly| more than| at least| the last| the past)?", DUR
)(lambda ctx, m, d: _elapsed(ctx, m, d))
rule("mention", r"for", DUR, r"now|already|straight")(
    lambda ctx, m, d, n: (
        Mention("elapsed", d, tense="past")
        if n.group() != "straight" or _STATE.search(ctx.text[: m.start()])
        else Mention("elapsed", d)
    )
)
_RUNNING = {"day": Grain.day, "week": Grain.week, "month": Grain.month, "year": Grain.year}
rule("mention", ORD, r"(?:day|week|month|year)")(
    lambda _c, n, m: Mention("running_maybe", n, _RUNNING[m.group()]) if n > 1 else None
)
rule("mention", DUR, r"already|now")(
    lambda ctx, d, m: (
        Mention("elapsed", d, tense="past") if _STATE.search(ctx.text[: m.start()]) else None
    )
)
rule("mention", DUR)(lambda _c, d: Mention("elapsed_maybe", d))


def _elapsed(ctx: Context, match: re.Match[str], length: Dur) -> Mention | None:
    """ "for 40 days" reaches up to now only in a perfect: "I haven't smoked for 40 days"."""
    return (
        Mention("elapsed", length, tense="past")
        if _STATE.search(ctx.text[: match.start()])
        else None
    )


_SHORT_UNITS = {
    "h": Grain.hour,
    "hr": Grain.hour,
    "hrs": Grain.hour,
    "m": Grain.minute,
    "min": Grain.minute,
    "mins": Grain.minute,
    "s": Grain.second,
    "sec": Grain.second,
    "d": Grain.day,
    "w": Grain.week,
    "wk": Grain.week,
    "wks": Grain.week,
    "mo": Grain.month,
    "y": Grain.year,
    "yr": Grain.year,
    "yrs": Grain.year,
}
rule("dur", r"(\d{1,3})(h|hrs?|m|mins?|s|sec|d|w|wks?|mo|y|yrs?)")(
    lambda _c, m: duration(int(m.group(1)), _SHORT_UNITS[m.group(2)])
)
