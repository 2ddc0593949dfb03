"""From a text to its date mentions: prefilter, parse, choose, place."""

import re
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Literal

from pydantic import AwareDatetime, Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates import en, ru
from memory_pipeline.understand.dates.calendar import local, shift
from memory_pipeline.understand.dates.chart import Context, Mention, Node, parse
from memory_pipeline.understand.dates.common import days_from
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.place import Period, place, unit_period
from memory_pipeline.understand.dates.surroundings import (
    FAR_CHARS,
    going_on,
    in_its_clause,
    is_booked,
    of_a_habit,
)
from memory_pipeline.understand.dates.tense import ClauseTense, tense_of
from memory_pipeline.understand.dates.values import Dur, Tense, When, merge

Kind = Literal["span", "instant", "open"]
Direction = Literal["point", "range", "from", "until", "duration"]

_TRIGGER = {
    "ru": re.compile(
        r"\d|янв|фев|март|апр|ма[йяе]|июн|июл|авг|сент|окт|нояб|дек|понед|вторн|сред|четв|пятн|субб"
        r"|воскр|сегодн|вчера|завтра|недел|месяц|год|лет|час|минут|секунд|день|дня|дней|дн[яеё]м|сут"
        r"|утр|вечер|ноч|зим|весн|лет|осен|квартал|выходн|праздник|рожд|пасх|майск|полдень|полноч"
        r"|числа|один|дв[аеу]|три|полтор|перв|втор|трет|деся|двадц|тридц|девян|восьм|семи|шест|пят|нулев|масл|троиц|крещ|полу|пол"
        r"|(?<!\w)(?:пн|вт|ср|чт|пт|сб|вск?)(?!\w)|сочельник|обед|век|хэллоуин|хеллоуин|купал|нг"
    ),
    "en": re.compile(
        r"\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|day|week|year"
        r"|month|hour|minute|second|yr|night|morning|evening|noon|tomorrow|yesterday|ago|now|decade"
        r"|quarter|qtr|summer|winter|spring|fall|autumn|eod|eom|eoy|xmas|christmas|easter|hallow"
        r"|tom+or|eve|ramadan|lent|season|century|teen|fortnight|ides|bom|boy|three|two|ties|five|clock|pentecost|first|third|fourth|fifth|sixth|tenth|past|thanksgiv|boxing|nye|lunch|canada|anzac|australia|groundhog|election"
        r"|(?<!\w)(?:one|four|six|seven|eight|nine|ten|eleven|twelve)(?!\w)|[ap]m(?!\w)"
    ),
}
_MAX_CHARS = 20_000
_CHUNK_CHARS = 600
_TITLE = re.compile(r"«[^«»\n]{1,80}»|“[A-ZА-ЯЁ][^“”\n]{1,80}”|\"[A-ZА-ЯЁ][^\"\n]{1,80}\"")
_PRECISION = {
    Grain.second: Precision.instant,
    Grain.minute: Precision.instant,
    Grain.hour: Precision.instant,
    Grain.day: Precision.day,
    Grain.week: Precision.day,
    Grain.month: Precision.month,
    Grain.quarter: Precision.quarter,
    Grain.year: Precision.year,
    Grain.decade: Precision.year,
}


class DateMention(Contract):
    """A date expression at code points [start, end) of a text, and the period it names.

    Bounds are half-open and carry the reference's zone. `kind`: a `span` has both ends, an
    `instant` is a clock time (`valid_to` null), an `open` period has no end. `direction` is what
    the words say: `point` one date, moment or calendar period; `range` a start and an end; `from`
    only a start ("с 19-го", "since"); `until` only an end, the start is then the reference ("до
    пятницы", "by Friday"); `duration` a length that reaches up to or on from the reference ("the
    past ten days", "не курю 40 дней"). `tense` is how the occurrence was chosen."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None
    precision: Precision
    kind: Kind
    direction: Direction
    tense: Tense


def resolve(
    text: str, reference: datetime, lang: str, tense: Tense = "unknown"
) -> list[DateMention]:
    """The date mentions of a text, in order, not overlapping.

    `reference` is the aware moment of telling; its zone gives midnight. `lang` is `ru` or `en`.
    `tense` decides which occurrence a weekday, day number or month without a year means; when
    unknown, the verbs near each expression decide (see `tense`), and where there is none: the
    coming one, but for a day and month of the last 31 days, which is meant as such.
    Raises ValueError for a naive reference or another language."""
    if reference.tzinfo is None:
        raise ValueError("reference has no zone; give an aware datetime")
    if lang not in _TRIGGER:
        raise ValueError("lang must be 'ru' or 'en'")
    told = (reference.replace(tzinfo=None), reference.tzinfo, reference.fold)
    return [
        mention.model_copy(update={"start": mention.start + offset, "end": mention.end + offset})
        if offset
        else mention
        for offset, chunk in _chunks(text[:_MAX_CHARS])
        for mention in _mentions_in(chunk, *told, lang, tense)
    ]


def _chunks(text: str) -> list[tuple[int, str]]:
    """Pieces of bounded length, cut at line ends, so that the cost grows with the length only."""
    if len(text) <= _CHUNK_CHARS:
        return [(0, text)]
    pieces, at = [], 0
    while at < len(text):
        end = at + _CHUNK_CHARS
        if end < len(text):
            cut = max(text.rfind("\n", at, end), text.rfind(". ", at, end))
            cut = cut if cut > at else text.rfind(" ", at, end)
            end = cut + 1 if cut > at else end
        pieces.append((at, text[at:end]))
        at = end
    return pieces


def _lower(text: str) -> str:
    lowered = text.lower().replace("ё", "е")
    if len(lowered) != len(text):
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text).replace("ё", "е")
    return lowered


# a message is read alone, among those before it and for its events; equal moments of two zones
# are not one key
@lru_cache(maxsize=2048)
def _mentions_in(
    raw: str, wall_clock: datetime, zone: tzinfo | None, fold: int, lang: str, tense: Tense
) -> tuple[DateMention, ...]:
    text = _lower(raw)
    if not _TRIGGER[lang].search(text):
        return ()
    reference = wall_clock.replace(tzinfo=zone, fold=fold)
    mentions: list[DateMention] = []
    last_day: date | None = None
    last_end = 0
    for node in _said_in(raw, wall_clock, zone, fold, lang):
        spoken = tense_of(text, node.start, node.end, lang) if tense == "unknown" else tense
        if spoken == "past" and is_booked(node, text, lang):
            spoken = "future"
        inherits = last_day if not re.search(r"[.!?\n]", text[last_end : node.start]) else None
        try:
            placed = _place_mention(
                in_its_clause(node, spoken, text, lang), reference, spoken, inherits
            )
        except (ValueError, OverflowError):
            continue
        if placed is None:
            continue
        mention = _mention(node, placed, raw)
        mentions.append(mention)
        if mention.valid_from is not None and _names_a_day(node.value):
            last_day, last_end = mention.valid_from.date(), node.end
    return tuple(mentions)


# the same words are placed anew where another tense is asked for
@lru_cache(maxsize=1024)
def _said_in(
    raw: str, wall_clock: datetime, zone: tzinfo | None, fold: int, lang: str
) -> tuple[Node, ...]:
    """What a text says of dates, in order, before a tense places it."""
    text = _lower(raw)
    context = Context(text=text, raw=raw, reference=wall_clock.replace(tzinfo=zone, fold=fold))
    nodes = parse(ru.GRAMMAR if lang == "ru" else en.GRAMMAR, context)
    blocked = [m.span() for m in _TITLE.finditer(raw)]
    if lang == "ru":
        blocked.extend(ru.names_of_people(context))
    chosen = _join_days_and_times(_choose(nodes, text, blocked), text)
    return tuple(going_on(n, text, lang) for n in chosen)


def _names_a_day(value: Mention) -> bool:
    first = value.first
    return (
        value.form in ("point", "range")
        and isinstance(first, When)
        and (first.has_date and first.moment is None)
    )


def _choose(nodes: list[Node], text: str, blocked: list[tuple[int, int]]) -> list[Node]:
    """The longest readings that do not overlap; a marked one before a bare one of equal length."""
    stripped = text.strip(" .,!?\n")
    candidates = []
    for node in nodes:
        if node.kind == "mention":
            candidates.append(node)
        elif node.kind == "when":
            covers = text[node.start : node.end].strip(" .,!?\n") == stripped
            if not node.value.latent or covers:
                value = Mention("point", replace(node.value, latent=False))
                candidates.append(Node(node.start, node.end, "when", value))
    candidates.sort(
        key=lambda n: (
            n.value.form in ("elapsed_maybe", "running_maybe"),
            -(n.end - n.start),
            n.value.form not in ("skip", "habit"),
            n.kind != "mention",
            isinstance(n.value.first, When) and n.value.first.date_fields().keys() == {"day"},
            n.start,
        )
    )
    taken: list[Node] = []
    for node in candidates:
        if any(node.start < t.end and t.start < node.end for t in taken):
            continue
        if any(b[0] <= node.start and node.end <= b[1] for b in blocked):
            continue
        taken.append(node)
    ordered = sorted((n for n in taken if n.value.form != "skip"), key=lambda n: n.start)
    return [n for n in ordered if n.value.form != "habit" and not of_a_habit(n, ordered, text)]


_ANNOUNCED_AHEAD = timedelta(days=90)


def _join_days_and_times(nodes: list[Node], text: str) -> list[Node]:
    """A day and a clock time of one clause with other words between ("on 31 December we work from
    9 to 14") are one mention; it spans both."""
    joined: list[Node] = []
    for node in nodes:
        before = joined[-1] if joined else None
        if before is not None:
            gap = text[before.end : node.start]
            near = len(gap) <= FAR_CHARS and not re.search(r"[.!?;,:\n()]", gap)
            for day, timed in ((before, node), (node, before)) if near else ():
                both = _on_day(day.value, timed.value)
                if both is not None:
                    joined[-1] = Node(before.start, node.end, "mention", both)
                    break
            else:
                joined.append(node)
            continue
        joined.append(node)
    return joined


def _on_day(day: Mention, timed: Mention) -> Mention | None:
    if day.form != "point" or timed.form not in ("point", "range"):
        return None
    if day.first.clock or day.first.moment or timed.first.clock is None or timed.first.has_date:
        return None
    first = merge(day.first, timed.first)
    return replace(timed, first=first) if first is not None else None


def _tense_for(mention: Mention, spoken: ClauseTense) -> Tense:
    if mention.tense is not None:
        return mention.tense
    if mention.state and spoken == "present":
        return "past"
    if spoken in ("past", "future"):
        return spoken  # type: ignore[return-value]
    return "future" if spoken == "present" else "unknown"


def _place_mention(
    mention: Mention, reference: datetime, spoken: ClauseTense, last_day: date | None
) -> tuple[datetime | None, datetime | None, Grain, Kind, Direction, Tense] | None:
    tense = _tense_for(mention, spoken)
    today = local(reference.date(), 0, 0, 0, reference)
    if mention.form == "running":
        unit: Grain = mention.second
        start, _ = unit_period(reference.date(), unit, 1 - mention.first)
        begun = local(start, 0, 0, 0, reference)
        return begun, None, max(unit, Grain.day), "open", "duration", "past"
    if mention.form in ("undated", "running_maybe"):
        return None
    if mention.form in ("last_n", "next_n", "within", "elapsed", "goes_on", "elapsed_maybe"):
        return _place_length(mention, reference, spoken)
    first = place(mention.first, reference, tense, last_day)
    if (
        mention.state
        and mention.tense is None
        and spoken in ("present", "none")
        and _is_far_off(mention.first)
    ):
        # "с весны", "с 1 сентября работаю": going on, or announced where that lies near and nearer
        earlier = place(mention.first, reference, "past", last_day)
        first = place(mention.first, reference, "future", last_day)
        nearer = min(first, earlier, key=lambda p: abs(p.start - reference))
        is_soon = first.start - reference <= _ANNOUNCED_AHEAD
        first = nearer if is_soon else earlier
    if mention.announced and spoken == "past" and _is_far_off(mention.first):
        # "I've accepted a job, starting March 3"
        coming = place(mention.first, reference, "future", last_day)
        if coming.start - reference <= _ANNOUNCED_AHEAD:
            first, tense = coming, "future"
    if mention.form == "point":
        kind: Kind = "instant" if first.end is None else "span"
        return first.start, first.end, first.grain, kind, "point", tense
    if mention.form == "from":
        return first.start, None, first.grain, "open", "from", tense
    if mention.form == "after":
        start = first.start if first.end is None else first.end
        return start, None, first.grain, "open", "from", tense
    if mention.form == "until":
        if tense == "future" and not mention.inclusive and _comes_again(mention.first):
            # "до лета" said in summer is the next one
            first = place(replace(mention.first, turn="next"), reference, tense, last_day)
        begin = today if first.end is not None else reference
        end = first.end if mention.inclusive and first.end is not None else first.start
        # the end of something past: where it began was not said
        known = begin if end > begin else None
        return known, end, first.grain, "span", "until", tense
    if mention.form == "lasting":
        end = _after(first.start, mention.second, reference)
        return first.start, end, first.grain, "span", "range", tense
    second = _place_second(mention, first, reference)
    end = second.end if mention.inclusive and second.end is not None else second.start
    if end <= first.start:
        return None
    return first.start, end, min(first.grain, second.grain), "span", "range", tense


def _comes_again(when: When) -> bool:
    """A bare season or month: its start, once past, lies a year ahead."""
    fields = when.date_fields().keys()
    return when.turn == "" and when.of is None and (fields == {"month"} or fields == {"season"})


def _is_far_off(when: When) -> bool:
    """A month, season, feast or their piece: it comes once a year."""
    return bool(
        when.year is None and (when.of or when.month or when.season is not None or when.holiday)
    )


def _place_second(mention: Mention, first: Period, reference: datetime) -> Period:
    """The end of a range: its first occurrence after the start."""
    second: When = mention.second
    start = first.start
    if second.clock is not None and not second.has_date:
        clock = second.clock
        hours = [clock.hour]
        if clock.ambiguous:
            hours = [clock.hour % 12, clock.hour % 12 + 12]
        for days in (0, 1):
            for hour in hours:
                exact = replace(clock, hour=hour, ambiguous=False)
                day = start.date() + timedelta(days=days)
                found = place(
                    When(fixed=(day, day + timedelta(days=1)), clock=exact), reference, "future"
                )
                if found.start > start:
                    return found
    return place(second, start, "future" if second.year is None else "unknown")


def _after(start: datetime, length: Dur, reference: datetime) -> datetime:
    if length.unit < Grain.day:
        return shift(start, length.seconds)
    return local(days_from(start.date(), length, 1), start.hour, start.minute, 0, reference)


def _place_length(
    mention: Mention, reference: datetime, spoken: ClauseTense
) -> tuple[datetime | None, datetime | None, Grain, Kind, Direction, Tense] | None:
    length: Dur = mention.first
    if length.unit < Grain.day:
        now, back, on = (
            reference,
            shift(reference, -length.seconds),
            shift(reference, length.seconds),
        )
        grain = length.unit
    else:
        now, back, on = (
            local(day, 0, 0, 0, reference)
            for day in (
                reference.date(),
                days_from(reference.date(), length, -1),
                days_from(reference.date(), length, 1),
            )
        )
        grain = Grain.day
    if mention.form == "last_n":
        return back, now, grain, "span", "duration", "past"
    if mention.form == "next_n":
        return now, on, grain, "span", "duration", "future"
    if mention.form == "within":
        return now, on, grain, "span", "until", "future"
    if mention.form == "goes_on" or (
        mention.form == "elapsed" and (mention.tense == "past" or spoken != "past")
    ):
        return back, None, grain, "open", "duration", "past"
    return None


def _mention(
    node: Node,
    placed: tuple[datetime | None, datetime | None, Grain, Kind, Direction, Tense],
    raw: str,
) -> DateMention:
    start, end, grain, kind, direction, tense = placed
    piece = raw[node.start : node.end]
    trimmed = piece.rstrip(" ,.")
    return DateMention(
        start=node.start,
        end=node.start + (len(trimmed) or len(piece)),
        valid_from=start,
        valid_to=end,
        precision=_PRECISION[grain],
        kind=kind,
        direction=direction,
        tense=tense,
    )
