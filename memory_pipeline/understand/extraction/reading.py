"""One message read: its segments, sentences, findings, subjects and dates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, cast
from zoneinfo import ZoneInfo

from memory_pipeline.contracts.statement import SubjectRef, WindowMessage
from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.resolve import DateMention, resolve
from memory_pipeline.understand.extraction import candidates
from memory_pipeline.understand.extraction.attribution import named_line
from memory_pipeline.understand.extraction.bygone import bygone
from memory_pipeline.understand.extraction.conflicts import goes_on, overruled, told_already
from memory_pipeline.understand.extraction.constructions import tables as constructions
from memory_pipeline.understand.extraction.frames import Found, Mode, Rule, Scene, Who
from memory_pipeline.understand.extraction.gapping import gapped
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.period_words import FIRST_DAY
from memory_pipeline.understand.extraction.periods import (
    Period,
    begun,
    deadline_date,
    may_be_bounded,
    mention_of,
    midnight,
    period_of,
    since_ever,
    told_after,
)
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.restated import restated
from memory_pipeline.understand.extraction.rules import (
    contacts,
    family,
    health,
    limits,
    tastes,
    where,
    work,
)
from memory_pipeline.understand.extraction.rules.births import iso_date
from memory_pipeline.understand.extraction.rules.duties import TAG, tagged_duties
from memory_pipeline.understand.extraction.rules.none_of import nothing_of
from memory_pipeline.understand.extraction.segments import Segment, own_words, segments
from memory_pipeline.understand.extraction.sentences import Sentence, lower, split_sentences
from memory_pipeline.understand.extraction.subjects import companions, persons, reporter, subject_of
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.language import detect_language
from memory_pipeline.understand.morphology import parses

RULES: tuple[Rule, ...] = (
    where.find,
    work.find,
    family.find,
    health.find,
    limits.find,
    tastes.find,
    contacts.find,
    nothing_of,
    constructions.find,
    candidates.find,
)
MAX_CHARS = 8_000


@dataclass(frozen=True)
class Statement:
    """A finding with its subject and period; offsets [start, end) are the message's."""

    found: Found
    subject: SubjectRef
    period: Period
    value: str | int | None
    start: int
    end: int
    sentence: str
    quoted: bool = False


@dataclass(frozen=True)
class Names:
    """Who a message names, for those that come after it."""

    named: tuple[str, ...]
    things: tuple[str, ...]
    relations: tuple[tuple[tuple[str, str], str], ...]
    introduced: tuple[tuple[str, str], ...]


@lru_cache(maxsize=4096)
def names_in(text: str, speaker: str, lang: str, tz: str) -> Names:
    """The people that a message names, read alone: as it was when it was the last of its window,
    so that what its rules found without asking for anybody is found already."""
    people = People(speakers=(speaker,))
    scene = Scene(people, speaker, tz)
    for segment in segments(text[:MAX_CHARS]):
        for sentence in split_sentences(segment.text, lang, segment.start):
            persons(sentence, scene)
            if sentence.blocked is None:
                for rule in (limits.find, family.find):
                    _found_by(rule, sentence, scene)
    return Names(
        tuple(people.named),
        tuple(people.things),
        tuple(people.by_relation.items()),
        tuple(people.introduced.items()),
    )


def language_of(message: WindowMessage) -> str:
    """The message's language as stated, else by its letters."""
    return message.lang if message.lang in ("ru", "en") else detect_language(message.text)


class Alone(People):
    """The people of a message that is read alone. `is_asked`: whether its reading looked somebody
    up or named somebody; else it would be the same among whomever."""

    is_asked = False

    def __getattribute__(self, name: str) -> Any:
        if name != "is_asked":
            object.__setattr__(self, "is_asked", True)
        return super().__getattribute__(name)


class _Met(People):
    """The people of a window, gathered when one of them is looked up: most messages ask nobody."""

    def __init__(self, earlier: Sequence[WindowMessage], speaker: str, tz: str) -> None:
        self._earlier, self._speaker, self._tz = earlier, speaker, tz

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        vars(self).update(vars(_gathered(self._earlier, self._speaker, self._tz)))
        if name not in vars(self):
            raise AttributeError(name)
        return vars(self)[name]


def speakers_of(earlier: Sequence[WindowMessage], speaker: str) -> People:
    """The speakers of a window alone."""
    return People(
        tuple(dict.fromkeys([*(m.speaker for m in earlier if m.role == "user"), speaker]))
    )


def people_of(earlier: Sequence[WindowMessage], speaker: str, tz: str) -> People:
    """The people of a window, as they are known before its last message."""
    return _Met(earlier, speaker, tz)


def _gathered(earlier: Sequence[WindowMessage], speaker: str, tz: str) -> People:
    people = speakers_of(earlier, speaker)
    for message in earlier:
        if message.role != "user":
            continue
        names = names_in(message.text, message.speaker, language_of(message), tz)
        for name in names.named:
            people.learn(name)
        for thing in names.things:
            people.learn_thing(thing)
        people.by_relation.update(dict(names.relations))
        people.introduced.update(dict(names.introduced))
    return people


def local_time(message: WindowMessage, tz: str) -> datetime | None:
    """The message's time in the dialog's zone, or None."""
    return message.sent_at.astimezone(ZoneInfo(tz)) if message.sent_at is not None else None


@dataclass
class Reading:
    """What one text states: statements, and codes of what was passed over."""

    statements: list[Statement]
    flags: set[str]


def read(
    text: str, lang: str, told: datetime | None, scene: Scene, *, answering: bool = False
) -> Reading:
    """Everything that a text states, in order, with subjects and periods.

    `answering`: the text is a question turned into the statement that an answer confirms, so
    that its being a question blocks nothing.
    """
    out = Reading([], set())
    text = own_words(text)
    context = _Context(scene)
    for segment in segments(text[:MAX_CHARS]):
        if segment.quoted and segment.noted_on is None:
            continue
        moment = _noted_moment(segment, told)
        if segment.quoted and (moment is None or segment.writer is None):
            continue
        view = scene
        if segment.writer is not None:
            writer = scene.people.resolve(segment.writer)
            if not writer.is_speaker:
                continue
            view = replace(scene, speaker=writer.name)
        sentences = split_sentences(segment.text, lang, segment.start)
        if any(s.blocked == "instruction" for s in sentences):
            out.flags.add("instruction")
            continue
        mentions: dict[str, list[DateMention]] = {}
        tagged = TAG.match(segment.text) is not None if segment.start == 0 else False
        cited_to = 0
        for sentence in sentences:
            if _is_anothers_line(sentence, view):
                stop = segment.text.find("\n", sentence.start - segment.start)
                cited_to = segment.start + (stop if stop >= 0 else len(segment.text))
            if sentence.start < cited_to:
                out.flags.add("quotation")
                continue
            if sentence.blocked and not (answering and sentence.blocked == "question"):
                out.flags.add(sentence.blocked)
                context.passed.append((sentence, view))
                continue
            founds = _findings(sentence, view, out.flags, answering)
            if tagged and not founds and not out.statements:
                founds = list(tagged_duties(sentence))
            if founds:
                _place(founds, sentence, segment, view, moment, mentions, context, out)
            context.passed.append((sentence, view))
    out.statements = _drop_repeats(out.statements)
    return out


def _is_anothers_line(sentence: Sentence, scene: Scene) -> bool:
    """Whether a sentence begins a line of a talk that somebody else said ("Олег: я живу в Туле")."""
    name = named_line(sentence.text)
    if name is None:
        return False
    who = scene.people.resolve(name)
    return not (who.is_speaker and who.name == scene.speaker)


@dataclass
class _Context:
    """What a pronoun may refer back to; looked for only when one asks."""

    scene: Scene
    spoken_of: SubjectRef | None = None
    passed: list[tuple[Sentence, Scene]] = field(default_factory=list)

    def latest(self) -> SubjectRef | None:
        """The last person named, if any."""
        while self.passed:
            sentence, scene = self.passed.pop()
            person = _third_person(sentence, scene)
            if person is not None:
                self.spoken_of = person
                self.passed.clear()
        if self.spoken_of is None:
            others = [n for n in self.scene.people.named if fold(n) != fold(self.scene.speaker)]
            if others:
                self.spoken_of = self.scene.people.resolve(others[-1])
        return self.spoken_of


def _noted_moment(segment: Segment, told: datetime | None) -> datetime | None:
    if segment.noted_on is None or told is None:
        return told
    iso = iso_date(segment.noted_on.lower().replace(",", ""), "ru")
    if iso is None:
        return None
    year, month, day = (int(part) for part in iso.split("-"))
    try:
        return datetime(year, month, day, tzinfo=told.tzinfo)
    except ValueError:
        return None


def _findings(sentence: Sentence, scene: Scene, flags: set[str], answering: bool) -> list[Found]:
    whole = gapped(_standing(sentence, scene, flags, answering), sentence, scene, _plain)
    return list(restated(whole, sentence, scene, _plain))


def _plain(sentence: Sentence, scene: Scene) -> list[Found]:
    """What stands in words that were put together."""
    return _standing(sentence, scene, set(), False)


def _standing(sentence: Sentence, scene: Scene, flags: set[str], answering: bool) -> list[Found]:
    founds: list[Found] = []
    for rule in RULES:
        before = tuple(founds)
        for found in _found_by(rule, sentence, scene):
            if (
                rule is constructions.find
                and told_already(found, before)
                and not goes_on(found, before, sentence)
            ):
                continue
            block = sentence.block_between(found.start, found.end)
            if answering and block == "question":
                block = None
            if block and block not in found.ignores:
                flags.add(block)
                continue
            if found.who is Who.second and not scene.confirming:
                continue
            founds.append(found)
    return [bygone(f, sentence) for f in founds if not overruled(f, founds, sentence)]


def _found_by(rule: Rule, sentence: Sentence, scene: Scene) -> tuple[Found, ...]:
    """What a rule finds. Kept with the sentence where the rule asked for nobody: a message is
    read again among its people, and for the messages after it."""
    kept = sentence.found.setdefault((scene.speaker, scene.tz, scene.confirming), {})
    if rule in kept:
        return cast("tuple[Found, ...]", kept[rule])
    people = scene.people
    if not isinstance(people, Alone):
        return tuple(rule(sentence, scene))
    was_asked, people.is_asked = people.is_asked, False
    found = tuple(rule(sentence, scene))
    if not people.is_asked:
        kept[rule] = found
    people.is_asked |= was_asked
    return found


def _third_person(sentence: Sentence, scene: Scene) -> SubjectRef | None:
    named = [
        p for p in persons(sentence, scene) if not p.first and not p.pronoun and p.ref is not None
    ]
    return named[-1].ref if named else None


def _place(
    founds: list[Found],
    sentence: Sentence,
    segment: Segment,
    scene: Scene,
    moment: datetime | None,
    mentions: dict[str, list[DateMention]],
    context: "_Context",
    out: Reading,
) -> None:
    for found in sorted(founds, key=lambda f: _comes_after(f, sentence)):
        subject = subject_of(found, sentence, scene, context.latest)
        if subject is None:
            out.flags.add("unknown_subject")
            continue
        if subject.is_speaker:
            subject = reporter(found, sentence, scene) or subject
        mention = None
        if moment is not None and (
            found.dated or found.predicate == "deadline" or may_be_bounded(found, sentence)
        ):
            dates = mentions.setdefault(sentence.lang, [])
            if not dates:
                dates.extend(_mentions(segment, moment, sentence.lang))
            candidate = replace(found, dated=True) if found.predicate == "deadline" else found
            mention = mention_of(
                candidate, sentence, dates, [] if found.predicate == "deadline" else founds
            )
            if found.predicate in ("employer", "job_title", "location"):
                behind = sentence.start + sentence.clause_at(max(found.end - 1, found.start)).end
                rest = lower(segment.text[behind - segment.start :])
                mention = told_after(found, mention, rest, behind, dates)
        if (
            mention is not None
            and moment is not None
            and mention.valid_from is not None
            and mention.valid_from > moment
            and _looks_back(sentence, found)
            and not _told_apart(mention, found, sentence)
        ):
            past = _same_words(mention, segment, moment, sentence.lang, "past")
            mention = past if past.valid_from is not None and past.valid_from <= moment else mention
        if mention is not None and moment is not None and _lasts(found, mention, moment, sentence):
            past = _same_words(mention, segment, moment, sentence.lang, "past")
            mention = past if past.valid_from is not None and past.valid_from <= moment else mention
        if (
            found.predicate == "deadline"
            and mention is not None
            and moment is not None
            and mention.valid_to is not None
            and mention.valid_to <= moment
        ):
            mention = _same_words(mention, segment, moment, sentence.lang, "future")
        if (
            mention is not None
            and moment is not None
            and mention.valid_from is not None
            and mention.valid_from <= moment
            and (
                found.is_later
                or (
                    found.predicate in ("employer", "job_title", "location")
                    and _is_coming(sentence, mention.start - segment.start, segment)
                )
            )
        ):
            mention = _same_words(mention, segment, moment, sentence.lang, "future")
        if (
            found.mode is Mode.denial
            and found.predicate == "location"
            and mention is not None
            and mention.direction in ("point", "range")
            and mention.valid_to is not None
        ):
            # "not in Moscow this week": the home does not end by it
            out.flags.add("away_for_a_time")
            continue
        value = found.value
        if found.predicate == "deadline":
            if mention is None:
                continue
            at = mention.start - segment.start
            words = lower(segment.text[at : mention.end - segment.start])
            day = deadline_date(mention, words)
            if day is None or moment is None or day < moment.date():
                continue
            value, mention = day.isoformat(), None
        found = begun(found, mention, sentence)
        clause = sentence.clause_at(found.start)
        is_dated = mention is not None and sentence.start + clause.start <= mention.start
        follows = (
            None if found.is_later and is_dated else _then(found, sentence, subject, out.statements)
        )
        period = follows or period_of(found, mention, moment)
        mention = None if follows else mention
        if period is not None and mention is None and not follows and since_ever(found, sentence):
            period = Period(None, None, inferred=False, holds=True)
        if period is None:
            out.flags.add("no_date")
            continue
        if (
            found.mode is Mode.change
            and mention is None
            and not follows
            and _announces(sentence, found)
        ):
            out.flags.add("no_date")
            continue
        if mention is not None and moment is not None and _of_old(found, mention, moment, sentence):
            period = replace(period, holds=False)
        is_over = found.mode is Mode.past and mention is not None and mention.direction == "point"
        if is_over and moment is not None and sentence.lang == "ru":
            period = _over_by(period, moment)
        if segment.quoted:
            period = replace(period, inferred=False, holds=False)
        start = sentence.start + found.start
        end = sentence.start + found.end
        if mention is not None:
            start = min(start, segment.start + mention.start - segment.start)
            end = max(end, mention.end)
        at = sentence.start - segment.start
        words = segment.text[at : at + len(sentence.text)]
        said = Statement(found, subject, period, value, start, end, words, segment.quoted)
        out.statements.append(said)
        for other in companions(found, subject, sentence, scene):
            out.statements.append(replace(said, subject=other))
        if not subject.is_speaker:
            context.spoken_of = subject
            context.passed.clear()


_AFTERWARDS = Gated(
    r"\s*(?:и\s+|а\s+|ну\s+а\s+)?(?:потом|затем|дальше|после\s+(?:этого|чего|него|нее)|а там)\b"
)


def _comes_after(found: Found, sentence: Sentence) -> bool:
    """Whether a value is told as the one after another."""
    if found.is_later:
        return True
    if found.predicate != "location" or found.mode not in (Mode.change, Mode.stay):
        return False
    if sentence.lang != "ru" or _AFTERWARDS.search(sentence.low) is None:
        return False
    clause = sentence.clause_at(found.start if found.verb is None else found.verb)
    return _AFTERWARDS.expression.match(sentence.low, clause.start) is not None


def _then(
    found: Found, sentence: Sentence, subject: SubjectRef, before: Sequence[Statement]
) -> Period | None:
    """The period of a value that comes after another one's end ("до мая я в Твери, потом в Пскове")."""
    if not _comes_after(found, sentence):
        return None
    ends = [
        s.period.valid_to for s in before
        if s.found.predicate == found.predicate and s.subject == subject and s.period.valid_to is not None
    ]  # fmt: skip
    return Period(ends[-1], None, inferred=False, holds=False) if ends else None


_FUTURE = re.compile(
    r"^(?:переезжа|перееду|переедем|перебира|переберусь|возвраща|вернусь|релоцируюсь|перевожусь|перевод[ия]т|отправля[ею]т|перебрасыва|переведут|отправят|устраиваюсь|перехожу|выхожу|переходит|выходит|"
    r"i'm |i am |im |we're |we are |i'll |we'll |i will |we will |going to|gonna|about to|is |are |he's |she's |they're |'s |moving|relocating|will )"
)


_PAST = re.compile(
    r"\b(?:уже не|больше не|задним числом)\b|\b(?:moved|joined|left|quit|got|started|relocated|was|were|been|switched|became|promoted|turned|split|separated|divorced|died|handed|resigned|graduated|adopted|rescued|retroactive\w*|sold|bought)\b"
)


_PAST_RU = re.compile(r"\b[а-я]{2,}(?:л|ла|ли|лся|лась|лись)\b")


def _over_by(period: Period, moment: datetime) -> Period:
    """The period of what is over, which ends at its telling at the latest ("зимой жил в Таиланде")."""
    today = midnight(moment)
    if period.valid_to is None or period.valid_to <= today:
        return period
    if period.valid_from is not None and period.valid_from >= today:
        return period
    return replace(period, valid_to=today)


_COMES_NOW = re.compile(
    r",\s+(?:\w+\s+)?(?:выхожу|выходим|приступаю|начинаю|стартую|выйду|начну)\b"
)
"""What is done already leads to what is to come ("принял оффер, выхожу 12 января")."""


def _told_apart(mention: DateMention, found: Found, sentence: Sentence) -> bool:
    """Whether a date to come has a verb of its own in another clause ("устроилась, выхожу 1 мая")."""
    if mention.start >= sentence.start + len(sentence.text):
        return True
    clause = sentence.clause_at(mention.start - sentence.start)
    if clause.start <= found.start < clause.end:
        return False
    words = sentence.low[clause.start : clause.end]
    return mention.tense == "future" or FIRST_DAY.search(words) is not None


def _looks_back(sentence: Sentence, found: Found) -> bool:
    """Whether what was found is told as done already, so that its date cannot be to come."""
    if found.mode not in (Mode.change, Mode.end, Mode.past):
        return False
    near = sentence.low[max(0, found.start - 12) : found.end]
    if sentence.lang == "ru" and _COMES_NOW.search(near) is not None:
        return False
    return (
        _PAST.search(near) is not None
        # a town may end as a verb does ("Барнаул")
        or any(parses(word)[0].tag.POS == "VERB" for word in _PAST_RU.findall(near))
        or "retroactiv" in sentence.low
        or "задним числом" in sentence.low
    )


_LASTING_RU = re.compile(
    r"\b(?:жив(?:у|ем|ет|ут)|прожива(?:ю|ем|ет|ют)|обита(?:ю|ем|ет|ют)|снима(?:ю|ем|ет|ют)|работа(?:ю|ем|ет|ют)|труж(?:усь|имся)"
    r"|трудит?ся|служ(?:у|им|ит|ат)|уч(?:у|усь|им|имся|ится|атся)|пь(?:ю|ем|ет|ют)|принима(?:ю|ем|ет|ют)|сиж(?:у|им)|сид(?:им|ит|ят)"
    r"|пользу(?:юсь|емся|ется|ются)|преподаю|преподает|веду|ведет|числюсь|числится|занима(?:юсь|емся|ется|ются)|состо(?:ю|им|ит))\b"
)
_TO_COME = re.compile(r"\b(?:буд(?:у|ем|ет|ут)|следующ\w+|нов(?:ого|ой) (?:года|недели))\b")


def _lasts(found: Found, mention: DateMention, moment: datetime, sentence: Sentence) -> bool:
    """Whether a state that a verb in the present tells has a month, season or year to come for its
    start: it is the last one then ("с января живу в Твери"). A day soon to come may be announced."""
    if (
        sentence.lang != "ru"
        or found.mode not in (Mode.state, Mode.change)
        or found.is_later
        or mention.direction != "from"
        or mention.precision is Precision.day
        or mention.valid_from is None
        or mention.valid_from <= moment
    ):
        return False
    clause = sentence.clause_at(found.start)
    is_state = found.mode is Mode.state
    said = sentence.low[clause.start if is_state else found.start : max(clause.end, found.end)]
    return _LASTING_RU.search(said) is not None and _TO_COME.search(said) is None


_STILL_RU = re.compile(
    r"\b(?:до сих пор|с тех пор|по сей день|теперь|сейчас|уже|тут|здесь|так и|остал(?:ся|ась|ись)|вот)\b"
)

_YEARS_AGO = re.compile(r"\b(?:лет|года|год)\s+(?:тому\s+)?назад\b|\byears?\s+ago\b")
_NOW_EN = re.compile(
    r"\b(?:now|still|since|ever|today|currently|here|these days|stayed|never (?:left|looked back))\b|\b(?:i'm|i am|we're|i've|we've|have|has)\b"
)


def _of_old(found: Found, mention: DateMention, moment: datetime, sentence: Sentence) -> bool:
    """Whether a change is told of a year long past, which does not say that it still holds ("в 2019
    переехал в Казань", "in 2019 I moved to Denver"): what is known to have begun later goes on."""
    is_russian = sentence.lang == "ru"
    return (
        found.mode is Mode.change
        and found.predicate in ("location", "employer", "job_title")
        and mention.direction == "point"
        and (mention.precision is Precision.year or _YEARS_AGO.search(sentence.low) is not None)
        and mention.valid_from is not None
        and mention.valid_from.year < moment.year
        and (_looks_back(sentence, found) if is_russian else not _NOW_EN.search(sentence.low))
        and _STILL_RU.search(sentence.low) is None
    )


_COMING = Gated(
    r"\b(?<!уже )(?<!вот )(?:с понедельника|со вторника|со среды|с четверга|с пятницы|с субботы|с воскресенья)\s+"
    r"(?:(?:уже\s+|я\s+|он\s+|она\s+|мы\s+)*"
    r"(?:выхо[дж]\w+|перехо[дж]\w+|приступа\w+|начина[юе]\w*|стартую|стартует|переезжа\w+|заступа\w+|уезжа\w+)"
    r"|(?:я\s+|он\s+|она\s+|мы\s+|теперь\s+|официально\s+|снова\s+)*(?:работа(?:ю|ет|ем)|труж\w+|служу|живу|живем|живет|базируюсь|сижу|числюсь|преподаю|веду))\b"
    r"|\bс\s+[^.!?]{2,60}?\bбуду\s+[а-я-]+(?:ом|ем|ой|ей)\b"
)
"""A weekday right before a verb in the present announces ("с понедельника работаю в Омске"): what
lasts already is told verb first ("работаю с понедельника") or with "уже"."""


def _is_coming(sentence: Sentence, at: int, segment: Segment) -> bool:
    """Whether the date at `at` belongs to a verb of beginning in the present: it is to come."""
    offset = at - (sentence.start - segment.start)
    return any(m.start() <= offset < m.end() for m in _COMING.finditer(sentence.low))


def _same_words(
    mention: DateMention,
    segment: Segment,
    moment: datetime,
    lang: str,
    tense: Literal["past", "future"],
) -> DateMention:
    """The same words read in a tense, or the mention as it is where they cannot be."""
    for m in resolve(segment.text, moment, lang, tense):
        if m.start + segment.start == mention.start:
            return m.model_copy(
                update={"start": m.start + segment.start, "end": m.end + segment.start}
            )
    return mention


def _announces(sentence: Sentence, found: Found) -> bool:
    """Whether a change is spoken of as coming: without its date it cannot be placed."""
    if found.predicate not in ("location", "employer"):
        return False
    words = sentence.low[found.start : found.end].lstrip()
    return _FUTURE.match(words) is not None


_TAKEN_BACK = re.compile(
    r"\b(?:не|not)\s+(?:(?:в|во|с|со|на|on|in|at|since|from|the)\s+)*$|\b(?:а не|rather than|instead of)\s+(?:\w{1,5}\s+)?$"
)


_SHIFTS = Gated(
    r"\b(?:сутки|день|дня|два|две|три|неделя|месяц|ночь)\s+через\s+(?:сутки|день|два|двое|три|трое|неделю|месяц|ночь)\b"
)
"""How shifts are counted ("сутки через трое"), which is no day to come."""


def _in_shifts(low: str, at: int) -> bool:
    return any(found.start() <= at < found.end() for found in _SHIFTS.finditer(low))


def _mentions(segment: Segment, moment: datetime, lang: str) -> list[DateMention]:
    """The dates of a segment, without one that its words deny for another ("не 1 мая, а 1 апреля")."""
    low = lower(segment.text)
    found = _dates_of(segment, moment, lang)
    if _SHIFTS.search(low):
        found = [m for m in found if not _in_shifts(low, m.start - segment.start)]
    stand = [m for m in found if not _TAKEN_BACK.search(low[: m.start - segment.start])]
    return stand or found


def _dates_of(segment: Segment, moment: datetime, lang: str) -> list[DateMention]:
    return [
        m.model_copy(update={"start": m.start + segment.start, "end": m.end + segment.start})
        if segment.start
        else m
        for m in dates_in(segment.text, moment, lang)
    ]


def dates_in(text: str, moment: datetime, lang: str) -> tuple[DateMention, ...]:
    """The dates of a text told at a moment. See `resolve`."""
    return tuple(resolve(text, moment, lang))


def _drop_repeats(statements: list[Statement]) -> list[Statement]:
    """One statement of a value about a subject: the surest, dated before undated."""
    kept: dict[tuple[str, str, str, bool], Statement] = {}
    for s in statements:
        ending = s.found.mode in (Mode.end, Mode.denial, Mode.cancel)
        key = (fold(s.subject.name), s.found.predicate, fold(str(s.value)), ending)
        old = kept.get(key)
        if old is None:
            kept[key] = s
            continue
        stated, was = not s.period.inferred, not old.period.inferred
        if s.period != old.period and stated and was and s.found.predicate == "location":
            kept[(*key[:3], ending ^ True)] = s
        elif (stated, s.found.confidence) > (was, old.found.confidence):
            kept[key] = s
    return sorted(kept.values(), key=lambda s: (s.start, s.end))
