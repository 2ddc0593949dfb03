"""English: ends, ranges, and what is repeated and so not dated."""

from dataclasses import replace

from memory_pipeline.understand.dates.chart import Kind, Mention
from memory_pipeline.understand.dates.common import (
    add_shared_rules,
    alike,
    between_two,
    later_half,
    relative_unit,
    weeks_from,
)
from memory_pipeline.understand.dates.en_clock import HOUR_FOLLOWS
from memory_pipeline.understand.dates.en_words import GRAMMAR
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.values import Clock, Dur, When, date_grain

rule = GRAMMAR.rule
NUM, ORD, UNIT, DUR = Kind("num"), Kind("ord"), Kind("unit"), Kind("dur")
WHEN, MONTH, YEAR, TURN = Kind("when"), Kind("month"), Kind("year"), Kind("turn")
WEEKDAY, PART = Kind("weekday"), Kind("part")

# "swing by tomorrow" sets no term
_PHRASAL = "".join(
    f"(?<!{word} )"
    for word in (
        "swing",
        "stop",
        "drop",
        "come",
        "pass",
        "go",
        "swung",
        "stopped",
        "dropped",
        "came",
        "went",
        "passed",
        "stopping",
        "swinging",
        "dropping",
        "coming",
        "passing",
        "going",
    )
)
_MOVED = r"moved|pushed(?: back)?|rescheduled|postponed|shifted|delayed|changed|switched|bumped"
rule(
    "when",
    rf"(?:{_MOVED})(?: (?:it|this|that|us|me|the \w+|my \w+|our \w+))? from",
    Kind("anchor"),
    r"to",
    Kind("anchor"),
)(
    lambda _c, _m, _a, _t, b: (
        replace(b, turn=b.turn or "coming", latent=False) if b.has_date and not b.fixed else b
    )
)
rule(
    "mention",
    r"(?:extended|prolonged|running|runs|open|lasts|valid|good)(?: it| this| that)? to",
    Kind("anchor"),
)(
    lambda _c, _m, w: (
        Mention("until", w, inclusive=date_grain(w) == Grain.day, tense="future")
        if w.has_date
        else None
    )
)
ANCHOR = Kind("anchor")
rule("anchor", WHEN)(lambda _c, w: w)
rule("anchor", r"~(?:the )?", ORD)(lambda _c, _m, n: When(day=n) if 1 <= n <= 31 else None)
rule("anchor", r"(?:the end of )?((?:19|20)\d\d)")(
    lambda _c, m: When(year=int(m.group(1)), grain=Grain.year)
)
rule("anchor", Kind("slashed"))(lambda _c, w: w)
rule(
    "mention",
    r"(?:ever )?since(?: around| about| roughly| approximately| maybe| like| at least)?",
    ANCHOR,
)(lambda _c, _m, w: Mention("from", w, tense="past") if not _hourlike(w) else None)
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
# "from April" is a month where somebody or "on" follows, else perhaps a sender
rule("mention", r"from", MONTH, r"~(?=,? ?(?:on|i|we|he|she|they|it|you|my|our|the)\b)")(
    lambda _c, _m, n, _f: Mention("from", When(month=n, grain=Grain.month))
)
# nobody sends a number, and what a comma parts from the words before is no sender
rule("mention", r"~(?:(?<=, )|(?<=and )|(?<=\d )|(?<=\dk ))from", MONTH)(
    lambda _c, _m, n: Mention("from", When(month=n, grain=Grain.month))
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
    rf"{_PHRASAL}by(?: the)?(?: end of(?: the)?)?|no later than|not later than|at the latest by",
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
rule(
    "mention",
    r"(?<!came )(?<!come )(?<!comes )(?<!went )(?<!gone )(?<!goes )(?<!got )(?:through|thru)(?! on\b| at\b)|up to and including",
    ANCHOR,
)(
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
rule("mention", WHEN, r"at the (?:very )?latest")(
    lambda _c, w, _m: Mention("until", w, inclusive=True, tense="future") if w.has_date else None
)
rule("when", DUR, r"ago,?(?: on)?", WHEN)(
    lambda ctx, d, _m, w: weeks_from(ctx, w, replace(d, days=-d.days))
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
    if bare and (first.latent or second.latent) and not _two_months(first, second):
        return None
    if (first.clock is None) != (second.clock is None):
        return None
    if first.clock and second.clock:
        return Mention("range", replace(first, clock=later_half(first.clock, second.clock)), second)
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


def _two_months(first: When, second: When) -> bool:
    """ "April to June last year": a doubtful month beside one that is none."""
    return (
        first.date_fields().keys() == {"month"}
        and second.date_fields().keys() == {"month", "year"}
        and not second.latent
    )


def _lasting(when: When, length: Dur) -> Mention | None:
    if (
        when.hours
        or when.moment
        or when.latent
        or (length.unit < Grain.day) == (when.clock is None)
    ):
        return None
    return Mention("lasting", when, length)


rule(
    "mention",
    MONTH,
    r"(?:issue|edition|cover|sessions?|revolution|madness|babies|baby|birthstone)\b",
)(lambda _c, _n, _m: Mention("skip"))
rule("mention", r"every|each|most|any", WHEN)(lambda _c, _m, _w: Mention("habit"))
rule("mention", Kind("mention"), r"daily|every day|on weekdays|weekdays|each day|every week")(
    lambda _c, _a, _m: Mention("skip")
)
rule("mention", r"every|each|per|a", UNIT)(lambda _c, _m, _u: Mention("skip"))
_EACH_DAY = r"(?:on )?(?:mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)"
rule("mention", _EACH_DAY)(lambda _c, _m: Mention("habit"))
rule("mention", _EACH_DAY, r"~,? ?(?:at |from )?", WHEN)(
    lambda _c, _m, _x, w: Mention("skip") if w.clock and not w.has_date else None
)
rule(
    "mention",
    Kind("weekday"),
    r"(?:school|mood|vibes?|blues|roast|best|funday|paper|feeling|drivers?)",
)(lambda _c, _d, _m: Mention("skip"))
rule("mention", r"(?:well )?over|more than|at least|several|many|some|a good", DUR, r"ago|back")(
    lambda _c, _m, _d, _a: Mention("skip")
)
rule("mention", r"several|many|some|countless", UNIT, r"ago|back|later")(
    lambda _c, _m, _d, _a: Mention("skip")
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

rule("mention", Kind("weekday"), r"~ ?[-–—] ?", Kind("weekday"))(
    lambda _c, a, _m, b: Mention("range", When(weekday=a), When(weekday=b), inclusive=True)
)
rule("mention", r"until|till|til|before|by", Kind("hour"), HOUR_FOLLOWS)(
    lambda _c, _m, h, _f: Mention("until", When(clock=Clock(h, ambiguous=h <= 12)), tense="future")
)


add_shared_rules(
    GRAMMAR, between=(r"~,?", r"~,? ?(?:on (?:the )?|at |@ ?|in the |of |the |in |around )")
)
