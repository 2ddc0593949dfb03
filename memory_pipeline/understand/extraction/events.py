"""Events: who took part, what happened or is arranged, and when.

An event is a noun that names one beside a date ("встреча с подрядчиком в пятницу"), or a verb of
doing with its date: past and perfective ("в субботу женился"), or announced ("завтра вылетаю").
Without a date only verbs that tell of nothing but events make one, and its time stays unknown: it
was before the telling. What a question, a joke or a condition says is none, nor what is negated.
A state, a habit and what another predicate states in the same words are none either.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.resolve import DateMention, resolve
from memory_pipeline.understand.extraction.event_cores import Core, nouns, verbs
from memory_pipeline.understand.extraction.event_people import who_took_part
from memory_pipeline.understand.extraction.event_phrases import completed, phrase_of
from memory_pipeline.understand.extraction.event_words import PLAIN_EN
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.periods import midnight
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.reading import Statement, dates_in
from memory_pipeline.understand.extraction.rules.grammar import negated
from memory_pipeline.understand.extraction.segments import own_words, segments
from memory_pipeline.understand.extraction.sentences import Sentence, lower, split_sentences
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

_MAX_CHARS = 2_000
_AN_HOUR = timedelta(hours=1)
"""How long an event of a clock time is said to last: nobody says when it ends, and it ends."""


@dataclass(frozen=True)
class Event:
    """An event told at characters [start, end) of its message. `is_planned`: it was to come."""

    what: str
    participants: tuple[SubjectRef, ...]
    valid_from: datetime | None
    valid_to: datetime | None
    precision: Precision
    start: int
    end: int
    sentence: str
    confidence: float
    is_planned: bool


_VERY_BUSY = Gated(r"\b(?:каждый|каждую|каждое|каждые|обычно|всегда|по\s+(?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|вечерам|выходным)|every|usually|always|each|weekly|daily|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b")  # fmt: skip


def read_events(
    text: str,
    lang: str,
    told: datetime | None,
    scene: Scene,
    statements: Sequence[Statement],
    *,
    asked: str = "",
    answering: bool = False,
) -> list[Event]:
    """The events that a message tells of, in order. Nothing of a message without a time.

    `asked`: the question before it, which may name what the answer leaves out. `answering`: the
    text is itself a question, said yes to.
    """
    if told is None or not may_tell(text, lang):
        return []
    out: list[Event] = []
    for segment in segments(own_words(text)[:_MAX_CHARS]):
        if segment.quoted:
            continue
        sentences = split_sentences(segment.text, lang, segment.start)
        if any(s.blocked in ("instruction", "joke") for s in sentences):
            return []
        for sentence in sentences:
            is_open = sentence.blocked is None or (answering and sentence.blocked == "question")
            if is_open and may_tell(sentence.text, sentence.lang):
                out.extend(_in_sentence(sentence, told, scene, statements, asked, answering))
    return _once(out)


_TOLD_RU = Gated(
    r"\b(?:вчера|сегодня|завтра|позавчера|послезавтра|понедельник\w*|вторник\w*|сред[аеуы]|четверг\w*|пятниц\w+|суббот\w+|воскресень\w|недел\w+|месяц\w*|год\w*|выходны\w+|"
    r"январ\w+|феврал\w+|март\w|апрел\w+|ма[йюя]|июн\w|июл\w|август\w*|сентябр\w+|октябр\w+|ноябр\w+|декабр\w+|летом|весной|осенью|зимой|назад|утром|вечером|ночью|днем)\b|\d"
)
_TOLD_EN = Gated(
    r"\b(?:yesterday|today|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|week|month|year|january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|ago|morning|evening|afternoon|night|noon|summer|winter|spring|autumn|fall)\b|\d"
)
_PLAIN_RU = Gated(
    r"\b(?:с[ъл]?езди|сходи|слета|слома|сфот|пожени|жени|сда|подписа|защити|откры|запусти|затопи|встрети|познакоми|упа|разби|потеря|наш|выигра|проигра|пробежа|проопер|сыгра|выступи|прове|отпраздн|отмети|похорони|роди|вылете|прилете|улете|приеха|верну|заеха|побыва|посети|спе|станцева|поруга|подра|помири|попа|вреза|сгоре|взорва|украл|ограби)[а-я]*\b"
)
_PLAIN_EN = Gated(rf"\b(?:{'|'.join(sorted(PLAIN_EN))})\b")


def may_tell(text: str, lang: str) -> bool:
    """Whether a text has a date, or a verb that needs none: most tell of no event."""
    low = lower(text)
    if lang == "ru":
        return _TOLD_RU.search(low) is not None or _PLAIN_RU.search(low) is not None
    return _TOLD_EN.search(low) is not None or _PLAIN_EN.search(low) is not None


_STATED_ELSEWHERE = frozenset(
    words(
        "employer job_title owns tool diet medication medical_condition allergy deadline budget_limit pet address preference dislike "
        "skill language goal requirement legal_constraint email phone birth_date"
    )
)
"""Predicates whose change in the same words is the whole news."""


def _in_sentence(
    sentence: Sentence,
    told: datetime,
    scene: Scene,
    statements: Sequence[Statement],
    asked: str,
    answering: bool,
) -> Iterator[Event]:
    cores = list(nouns(sentence)) + list(verbs(sentence))
    if not cores or _VERY_BUSY.search(sentence.low):
        return
    taken = [
        (s.start - sentence.start, s.end - sentence.start, s.found.predicate == "owns")
        for s in statements
        if s.found.predicate in _STATED_ELSEWHERE
    ]
    mentions: Sequence[DateMention] | None = None
    everyone: list[Person] | None = None
    for core in cores:
        block = sentence.block_between(core.start, core.end)
        if (block and not (answering and block == "question")) or negated(sentence.low, core.start):
            continue
        if any(a < core.end and core.start < b and not (core.thing and own) for a, b, own in taken):
            continue
        if mentions is None:
            mentions = dates_in(sentence.text, told, sentence.lang)
        mention = _mention(core, sentence, mentions, cores)
        if mention is None and core.needs_date and not (answering and core.is_past):
            continue
        when = _when(core, mention, sentence, told)
        if when is None:
            continue
        if everyone is None:
            everyone = persons(sentence, scene)
        who = who_took_part(core, sentence, everyone, scene)
        if not who:
            continue
        start, end, precision, is_planned = when
        what = phrase_of(core, sentence, mentions)
        if " " not in what and core.what:
            what = completed(core.what, what, sentence, core.start, mentions, asked)
        if not what or (core.what and core.is_vague and " " not in what):
            continue
        yield Event(
            what, who, start, end, precision, sentence.start + core.start,
            sentence.start + core.end, sentence.text, core.confidence, is_planned,
        )  # fmt: skip


def _mention(
    core: Core, sentence: Sentence, mentions: Sequence[DateMention], cores: Sequence[Core]
) -> DateMention | None:
    """The date of an event: in its clause, else the sentence's one where no other event is nearer."""
    usable = [m for m in mentions if m.direction in ("point", "range") and m.valid_from is not None]
    inside = [
        m for m in usable
        if any(c.start <= m.start < c.end and c.start < core.end and core.start < c.end for c in sentence.clauses)
    ]  # fmt: skip
    pool = inside or (usable if len(usable) == 1 else [])
    if not pool:
        return None
    best = min(pool, key=lambda m: _distance(core, m.start, m.end))
    if any(
        c is not core and _distance(c, best.start, best.end) < _distance(core, best.start, best.end)
        and not (c.start < core.end and core.start < c.end)
        for c in cores
    ) and not inside:  # fmt: skip
        return None
    return best


def _distance(core: Core, start: int, end: int) -> int:
    if start < core.end and core.start < end:
        return 0
    return start - core.end if start >= core.end else core.start - end


_When = tuple[datetime | None, datetime | None, Precision, bool]


def _when(
    core: Core, mention: DateMention | None, sentence: Sentence, told: datetime
) -> _When | None:
    """Start, end, precision, whether it is to come; None where the tense and the date disagree."""
    if mention is None:
        return None, midnight(told) + timedelta(days=1), Precision.day, False
    if core.is_past and mention.valid_from is not None and mention.valid_from > told:
        again = [
            m for m in resolve(sentence.text, told, sentence.lang, "past")
            if m.start == mention.start
        ]  # fmt: skip
        mention = again[0] if again else mention
    start, end = mention.valid_from, mention.valid_to
    if start is None or (core.is_past and start > told):
        return None
    if not core.is_past and core.what and end is not None and end <= midnight(told):
        return None
    return timed(mention, told, is_past=core.is_past, words=sentence.low)


_HALF_DAY = (4, 12)
_IN_EVENING = re.compile(
    r"^(?!.*\b(?:am|a\.m|morning|утра|утром)\b).*\b(?:dinner|drinks|party|concert|gig|show|quiz|ужин\w*|вечеринк\w+|концерт\w*|спектакл\w+|тусовк\w+)\b",
    re.DOTALL,
)
"""Events that are held in the evening: their bare "at 7" is 19:00."""


def timed(
    mention: DateMention, told: datetime, *, is_past: bool = False, words: str = ""
) -> _When | None:
    """Start, end, precision of a date as an event's, and whether it is to come. `words`: the
    sentence, which may say that it is of the evening."""
    start, end = mention.valid_from, mention.valid_to
    if start is None:
        return None
    is_planned = start > told or (end is not None and end > told and not is_past)
    if mention.kind == "instant" or end is None:
        if _IN_EVENING.search(words) and _HALF_DAY[0] <= start.hour < _HALF_DAY[1]:
            start += timedelta(hours=12)
        return start, start + _AN_HOUR, Precision.instant, is_planned
    if mention.precision is Precision.instant:
        # a part of a day ("last night") says on which day, and no clock time
        return midnight(start), midnight(start) + timedelta(days=1), Precision.day, is_planned
    return start, end, mention.precision, is_planned


def _once(events: Sequence[Event]) -> list[Event]:
    """One event of words told twice: the noun within a verb's phrase is its part."""
    out: list[Event] = []
    for event in sorted(events, key=lambda e: (e.start, -e.end)):
        if any(o.start <= event.start and event.end <= o.end for o in out):
            continue
        if any(event.start < o.end and o.start < event.end for o in out):
            continue
        out.append(event)
    return out
