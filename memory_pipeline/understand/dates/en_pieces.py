"""English: pieces of a period, such as the last Friday of a month."""

from dataclasses import replace
from datetime import timedelta

from memory_pipeline.understand.dates.chart import Context, Kind
from memory_pipeline.understand.dates.common import (
    from_now,
    nth_of,
    relative_unit,
    weekday_steps,
)
from memory_pipeline.understand.dates.en_words import GRAMMAR
from memory_pipeline.understand.dates.pieces import Edge, Grain
from memory_pipeline.understand.dates.place import place_date, unit_period
from memory_pipeline.understand.dates.values import Dur, When, date_grain

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

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
    lambda ctx, n, d, _m, u: (
        (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(nth=n, weekday=d), p)
    )
)
rule("when", _NTH, UNIT, r"of the|in the", UNIT)(
    lambda ctx, n, k, _m, u: (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(nth=n, unit=k), p)
)
rule("when", _NTH, UNIT, r"of|in", YEAR)(
    lambda ctx, n, u, _m, y: nth_of(ctx, Edge(nth=n, unit=u), When(year=y))
)
rule("when", _NTH, WEEKDAY, r"after", WHEN)(lambda ctx, n, d, _m, w: _after(ctx, n, d, w))
rule("when", WEEKDAY, r"after next")(lambda ctx, d, _m: weekday_steps(ctx, d, 2))
rule("when", WEEKDAY, r"before last")(lambda ctx, d, _m: weekday_steps(ctx, d, -2))
rule("when", NUM, WEEKDAY, r"ago|back")(lambda ctx, n, d, _m: weekday_steps(ctx, d, -n))
rule("when", r"a couple (?:of )?", WEEKDAY, r"ago|back")(
    lambda ctx, _m, d, _a: weekday_steps(ctx, d, -2)
)
rule("when", NUM, WEEKDAY, r"from now")(lambda ctx, n, d, _m: weekday_steps(ctx, d, n))
rule("when", WEEKDAY, r"from", WHEN)(lambda _c, d, _m, w: _inside_week(d, w))
rule("when", WEEKDAY, r"of", WHEN)(lambda _c, d, _m, w: _inside_week(d, w))
rule("when", WHEN, r"~'s", WEEKDAY)(lambda _c, w, _m, d: _inside_week(d, w))
rule("when", WEEKDAY, r"week|in a week")(lambda ctx, d, _m: weekday_steps(ctx, d, 2))
rule("when", r"(?:the )?weekend of", WHEN)(
    lambda ctx, _m, w: (
        (
            (k := _week_of(ctx, w))
            and k.fixed
            and When(fixed=(k.fixed[1] - timedelta(days=2), k.fixed[1]), grain=Grain.week)
        )
        or None
    )
)
rule("when", r"(?:the )?week of", WHEN)(lambda ctx, _m, w: _week_of(ctx, w))
rule("when", r"~(?:the )?", ORD, r"~ ?(?:day )?of (?:the )?", WHEN)(
    lambda _c, _t, n, _m, w: (
        nth_of(_c, Edge(nth=n, unit=Grain.day), w) if w.fixed and w.grain == Grain.month else None
    )
)
rule("when", NUM, r"of", WHEN)(
    lambda _c, n, _m, w: (
        nth_of(_c, Edge(nth=n, unit=Grain.day), w)
        if w.fixed and w.grain == Grain.month and n > 0
        else None
    )
)
_EDGES = (
    (r"(?:at |in )?(?:the )?(?:very )?end of(?: the)?", "end"),
    (r"(?:at |in |by )?(?:the )?(?:beginning|start) of(?: the)?|early(?: in)?", "start"),
    (r"(?:in )?(?:the )?middle of(?: the)?", "middle"),
    (r"~(?<!\w)mid[ -]?", "middle"),
)
rule("when", r"~(?<!\w)(?:in )?late(?: in)?[ -]", WHEN)(
    lambda ctx, _m, w: nth_of(ctx, Edge(side="end", late=True), w) if not w.day else None
)
rule("when", r"(?:in )?late(?: in)?", YEAR)(
    lambda ctx, _m, y: nth_of(ctx, Edge(side="end"), When(year=y))
)
rule("when", r"(?:the )?(first|last)", NUM, UNIT, r"of(?: the)?|in", WHEN)(
    lambda ctx, m, n, u, _o, w: nth_of(
        ctx, Edge(side="start" if m.group(1) == "first" else "end", unit=u, count=n), w
    )
)
for _pattern, _side in _EDGES:
    rule("when", _pattern, WHEN)(
        lambda ctx, _m, w, e=_side: nth_of(ctx, Edge(side=e), w) if not w.day else None
    )
    rule("when", _pattern, YEAR)(
        lambda ctx, _m, y, e=_side: nth_of(ctx, Edge(side=e), When(year=y))
    )
    rule("when", _pattern, UNIT)(
        lambda ctx, m, u, e=_side: (
            (p := relative_unit(ctx, u, 0)) and nth_of(ctx, Edge(side=e), p)
            if "of" in m.group()
            else None
        )
    )
rule("when", r"(?:the |at )?(?:eod|end of day|end of the day|close of business|cob)")(
    lambda ctx, _m: When(fixed=unit_period(ctx.today, Grain.day, 0))
)
rule("when", r"(?:the |at )?(?:eod|end of (?:the )?day|close of business|cob)(?: on| of)?", WHEN)(
    lambda _c, _m, w: w if w.has_date and not w.clock and date_grain(w) == Grain.day else None
)
rule(
    "when",
    r"(?:this time|this day|same day|same time|around this time) (last|next) (week|month|year)",
)(
    lambda ctx, m: from_now(
        ctx,
        {"week": Dur(days=7), "month": Dur(months=1), "year": Dur(months=12)}[m.group(2)],
        -1 if m.group(1) == "last" else 1,
    )
)
rule("when", r"(?:at )?(?:the )?(?:eom|month[ -]end|end of month)")(
    lambda ctx, _m: nth_of(
        ctx, Edge(side="end"), When(fixed=unit_period(ctx.today, Grain.month, 0), grain=Grain.month)
    )
)
rule("when", r"(?:at )?(?:the )?(?:eoy|year[ -]end|end of year)")(
    lambda ctx, _m: nth_of(
        ctx,
        Edge(side="end", sharp=True),
        When(fixed=unit_period(ctx.today, Grain.year, 0), grain=Grain.year),
    )
)
rule("when", r"(?:the )?bom")(
    lambda ctx, _m: nth_of(
        ctx,
        Edge(side="start"),
        When(fixed=unit_period(ctx.today, Grain.month, 0), grain=Grain.month),
    )
)
rule("when", r"(?:the )?boy(?! )")(
    lambda ctx, _m: (
        (
            w := nth_of(
                ctx,
                Edge(side="start"),
                When(fixed=unit_period(ctx.today, Grain.year, 0), grain=Grain.year),
            )
        )
        and replace(w, latent=True)
    )
)


def _inside_week(weekday: int, when: When) -> When | None:
    if when.fixed is None or when.grain != Grain.week or (when.fixed[1] - when.fixed[0]).days != 7:
        return None
    day = when.fixed[0].fromordinal(when.fixed[0].toordinal() + weekday)
    return When(fixed=(day, day.fromordinal(day.toordinal() + 1)))


def _after(ctx: Context, n: int, weekday: int, when: When) -> When | None:
    if n < 1 or when.weekday is not None or when.clock or when.hours or not when.has_date:
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


rule("nth", r"(?:the )?(?:second|next)[- ]to[- ]last|(?:the )?last but one")(lambda _c, _m: -2)
rule("when", r"~(?:the )?", WEEKDAY, r"after", WHEN)(lambda ctx, _m, d, _a, w: _after(ctx, 1, d, w))
rule("when", r"~(?:the )?", WEEKDAY, r"before", WHEN)(lambda ctx, _m, d, _a, w: _before(ctx, d, w))


def _before(ctx: Context, weekday: int, when: When) -> When | None:
    if when.clock or when.hours or not when.has_date or when.weekday is not None:
        return None
    start, _, grain = place_date(when, ctx.today, "unknown")
    if grain != Grain.day:
        return None
    day = start.fromordinal(start.toordinal() - (start.weekday() - weekday - 1) % 7 - 1)
    return When(fixed=(day, day.fromordinal(day.toordinal() + 1)))
