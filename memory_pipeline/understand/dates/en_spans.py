"""English: durations, ends, ranges, and what is repeated and so not dated."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Context, Kind, Mention
from memory_pipeline.understand.dates.common import (
    add_shared_rules,
    alike,
    between_two,
    duration,
    from_now,
    offset,
    relative_unit,
)
from memory_pipeline.understand.dates.en_clock import HOUR_FOLLOWS
from memory_pipeline.understand.dates.en_words import GRAMMAR
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.values import Clock, Dur, When, date_grain

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

_NEGATED = re.compile(r"(?:haven't|hasn't|have not|has not|haven’t|hasn’t|never)[^.!?;,]*$")
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
rule("mention", r"within|in under", DUR)(lambda _c, _m, d: Mention("within", d))
rule(
    "mention", r"for(?: over| about| almost| nearly| more than| at least| the last| the past)?", DUR
)(lambda ctx, m, d: _elapsed(ctx, m, d))
rule("mention", r"for", DUR, r"now|already|straight")(lambda _c, _m, d, _n: Mention("elapsed", d))
rule("mention", DUR)(lambda _c, d: Mention("elapsed_maybe", d))
_STATE = re.compile(r"(?:\b(?:have|has|haven't|hasn't|been|hadn't)\b|'ve|'s been)[^.!?;]*$")


def _elapsed(ctx: Context, match: re.Match[str], length: Dur) -> Mention | None:
    """ "for 40 days" reaches up to now only in a perfect: "I haven't smoked for 40 days"."""
    return (
        Mention("elapsed", length, tense="past")
        if _STATE.search(ctx.text[: match.start()])
        else None
    )


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
rule(
    "mention",
    r"starting(?: from| on| in)?|beginning(?: on| in)?|as of|effective(?: from)?|"
    r"from|no earlier than|no sooner than|not before",
    ANCHOR,
)(
    lambda _c, m, w: (
        Mention("from", w, announced=m.group().startswith(("starting", "beginning")))
        if m.group() != "from" or not (w.latent or w.hours)
        else None
    )
)
rule("mention", r"from", ANCHOR, r"on(?:wards?)?|onwards?|forward")(
    lambda _c, _m, w, _o: Mention("from", w)
)
_NOT = r"(?:won't|will not|not|doesn't|don't|can't|cannot|isn't|never|didn't|wouldn't|no)\b[^.!?,;]{0,40} "
rule("mention", rf"~(?<!\w){_NOT}(?:until|till|before)", ANCHOR)(
    lambda _c, m, w: (
        Mention("from", w, tense="past" if "did" in m.group() else "future")
        if not _hourlike(w)
        else None
    )
)
rule("mention", r"after|later than|any ?time after|sometimes? after", ANCHOR)(
    lambda _c, _m, w: Mention("after", w) if not _hourlike(w) and w.hours is None else None
)
rule(
    "mention",
    r"by(?: the)?(?: end of(?: the)?)?|no later than|not later than|at the latest by",
    ANCHOR,
)(
    lambda _c, m, w: (
        Mention(
            "until", w, inclusive="end" in m.group() or date_grain(w) == Grain.day, tense="future"
        )
        if not _hourlike(w)
        else None
    )
)
rule("mention", r"by(?: the)? end of(?: the)?", UNIT)(
    lambda ctx, _m, u: (
        (p := relative_unit(ctx, u, 0)) and Mention("until", p, inclusive=True, tense="future")
    )
)
rule("mention", r"through|thru|up to and including", ANCHOR)(
    lambda _c, _m, w: (
        Mention("until", w, inclusive=True, tense="future") if not _hourlike(w) else None
    )
)
rule(
    "mention",
    r"until|till|til|up to|up until|before|sometimes? before|earlier than|not after",
    ANCHOR,
)(
    lambda _c, m, w: (
        Mention("until", w, inclusive="not after" in m.group(), tense="future")
        if not _hourlike(w)
        else None
    )
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
    lambda _c, h, _m, c: (
        _range(When(clock=Clock(h, ambiguous=True)), When(clock=c)) if h <= 12 else None
    )
)
rule("mention", r"from|between", Kind("clock_p"), r"to|and|till|~-", Kind("clock_p"))(
    lambda _c, _m, a, _x, b: _range(When(clock=a), When(clock=b))
)
rule(
    "mention", WHEN, r"~(?:from |between )?", Kind("hour"), r"~ ?[-–—] ?|to|till|and", Kind("hour")
)(
    lambda _c, w, _m, a, _x, b: (
        Mention(
            "range",
            replace(w, clock=Clock(a, ambiguous=a <= 12)),
            When(clock=Clock(b, ambiguous=b <= 12)),
        )
        if (w.weekday is not None or w.fixed)
        and not w.day
        and date_grain(w) == Grain.day
        and not w.clock
        and not w.hours
        else None
    )
)
rule(
    "pair",
    r"~(?<![\w.,:/])(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?: ?[-–—] ?| to (?:the )?| through | thru | till )",
    WHEN,
)(
    lambda _c, m, w: (
        Mention("range", replace(w, day=int(m.group(1))), w, inclusive=True)
        if w.month and w.day and w.clock is None and 1 <= int(m.group(1)) < w.day
        else None
    )
)
rule("mention", r"~(?:(?:from|between) )?", Kind("pair"))(lambda _c, _m, p: p)
rule(
    "mention",
    r"~(?:from )?",
    WHEN,
    r"~ ?(?:[-–—]|to|through|thru|till|until) ?(?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\w:/]| ?[ap]m)",
)(
    lambda _c, _m, w, d: (
        Mention("range", w, replace(w, day=int(d.group(1)), weekday=None), inclusive=True)
        if w.month and w.day and w.clock is None and w.day < int(d.group(1)) <= 31
        else None
    )
)
rule("mention", r"between", WHEN, r"and (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?![\w:/]| ?[ap]m)")(
    lambda _c, _m, w, d: (
        Mention("range", w, replace(w, day=int(d.group(1)), weekday=None), inclusive=True)
        if w.month and w.day and w.clock is None and w.day < int(d.group(1)) <= 31
        else None
    )
)
rule("mention", r"before", r"(?:the )?(?:very )?end of(?: the)?", WHEN)(
    lambda _c, _m, _e, w: Mention("until", w, inclusive=True, tense="future")
)
rule("mention", r"(?:until|before|till)(?: the)? end of(?: the)?", UNIT)(
    lambda ctx, _m, u: (
        (p := relative_unit(ctx, u, 0)) and Mention("until", p, inclusive=True, tense="future")
    )
)
rule("mention", r"in", r"(\d{1,3})(?: ?[-–] ?| to | or )(\d{1,3})", UNIT)(
    lambda ctx, _m, n, u: between_two(ctx, int(n.group(1)), int(n.group(2)), u)
)
rule("mention", r"((?:19|20)\d\d) ?[-–—] ?((?:19|20)\d\d)")(
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
rule(
    "mention", r"from|between", r"((?:19|20)\d\d)", r"to|until|till|and|through", r"((?:19|20)\d\d)"
)(
    lambda _c, _f, a, _m, b: (
        Mention(
            "range",
            When(year=int(a.group(1)), grain=Grain.year),
            When(year=int(b.group(1)), grain=Grain.year),
            inclusive=True,
        )
        if int(a.group(1)) < int(b.group(1))
        else None
    )
)


def _range(first: When, second: When, bare: bool = False) -> Mention | None:
    if first.hours or second.hours or first.moment or second.moment:
        return None
    if first.clock and second.clock:
        if second.has_date and not first.has_date:
            first, second = replace(second, clock=first.clock), When(clock=second.clock)
        if second.clock and second.clock.zone_minutes is not None and first.clock:
            first = replace(
                first, clock=replace(first.clock, zone_minutes=second.clock.zone_minutes)
            )
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
    if not first.has_date or not second.has_date or not alike(first, second):
        return None
    if first.date_fields().keys() == {"day"} and second.date_fields().keys() == {"day"} and bare:
        return None
    return Mention("range", first, second, inclusive=True)


def _lasting(when: When, length: Dur) -> Mention | None:
    if (
        when.hours
        or when.moment
        or when.latent
        or (length.unit < Grain.day) == (when.clock is None)
    ):
        return None
    return Mention("lasting", when, length)


rule("mention", r"every|each|most|any", WHEN)(lambda _c, _m, _w: Mention("skip"))
rule("mention", Kind("mention"), r"daily|every day|on weekdays|weekdays|each day|every week")(
    lambda _c, _a, _m: Mention("skip")
)
rule("mention", r"every|each|per|a", UNIT)(lambda _c, _m, _u: Mention("skip"))
rule("mention", r"(?:on )?(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)")(
    lambda _c, _m: Mention("skip")
)
rule(
    "mention",
    r"(?:chinese|lunar|islamic|parsi|jewish|persian|tamil|vietnamese|korean)(?: lunar)? new year'?s?(?: day)?",
)(lambda _c, _m: Mention("skip"))
rule("mention", WHEN, r"for", DUR)(lambda _c, w, _m, d: _lasting(w, d))
rule("mention", r"for", DUR, r"from|starting(?: on| from)?|beginning(?: on)?", ANCHOR)(
    lambda _c, _m, d, _f, w: _lasting(w, d)
)
rule("mention", r"24/7|9 ?to ?5|9-5")(lambda _c, _m: Mention("skip"))

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
rule("mention", Kind("weekday"), r"~ ?[-–—] ?", Kind("weekday"))(
    lambda _c, a, _m, b: Mention("range", When(weekday=a), When(weekday=b), inclusive=True)
)
rule("mention", r"until|till|til|before|by", Kind("hour"), HOUR_FOLLOWS)(
    lambda _c, _m, h, _f: Mention("until", When(clock=Clock(h, ambiguous=h <= 12)), tense="future")
)


add_shared_rules(
    GRAMMAR, between=(r"~,?", r"~,? ?(?:on (?:the )?|at |@ ?|in the |of |the |in |around )")
)
