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
from typing import Any

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.contracts.vocabulary import Precision
from memory_pipeline.understand.dates.resolve import DateMention, resolve
from memory_pipeline.understand.extraction.event_words import (
    EVENT_NOUN_EN,
    EVENT_NOUN_RU,
    NOT_TOLD_EN,
    NOT_TOLD_RU,
    PAST_EN,
    PLAIN_EN,
    PLAIN_RU,
    THING_DIES_EN,
)
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.people import describe, is_other_person, relative_kind
from memory_pipeline.understand.extraction.periods import midnight
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.reading import Statement
from memory_pipeline.understand.extraction.rules.grammar import negated
from memory_pipeline.understand.extraction.segments import own_words, segments
from memory_pipeline.understand.extraction.sentences import Sentence, lower, split_sentences
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, lemma, parses

_MAX_CHARS = 2_000
_MAX_WORDS = 5
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


@dataclass(frozen=True)
class _Core:
    """What a sentence tells, before its people and its date: characters of the sentence."""

    what: str
    start: int
    end: int
    is_past: bool
    needs_date: bool
    thing: bool = False
    confidence: float = 0.75


_ANY_VERB_RU = Gated(r"\b(?P<verb>[а-я]{3,}(?:л|ла|ли|ло|лся|лась|лись|лось|сь|шла|шли|шел))\b")
_AHEAD_RU = Gated(
    r"\b(?P<verb>вылетаю|вылетаем|улетаю|улетаем|прилетаю|прилетаем|лечу|летим|еду|едем|уезжаю|уезжаем|приезжаю|приезжаем|встречаемся|встречаюсь|иду|идем|"
    r"[а-я]{3,}(?:у|ю|усь|юсь|им|ем|дет|дут|ет|ит|дам|дим))\b"
)
_PAST_VERB_EN = Gated(
    rf"\b(?:(?P<who>i|we|he|she|they|[a-z][\w'-]+)\s+)?(?:just\s+|finally\s+|also\s+|both\s+|all\s+)?(?P<verb>{'|'.join(PAST_EN)}|[a-z]{{3,}}ed)\b(?!['’])"
)
_AHEAD_EN = Gated(
    r"(?:^|[,;.!—-]\s*|\b(?:i'm|i am|we're|we are|i'll be|we'll be|and)\s+)(?P<ing>flying|driving|travelling|traveling|heading|meeting|leaving|returning|going|having|hosting|launching|performing|presenting|running|seeing|visiting|taking|picking|signing|landing|starting|singing|playing|racing)\b"
    r"|\b(?:i'll|we'll|i will|we will|he'll|she'll|they'll|they)\s+(?P<base>see|meet|fly|drive|visit|present|pick up|drop off|sign|submit|deliver|leave|arrive|land|perform|run|host|call|come|swing by|stop by)\b"
    r"|(?:^|[,.;!]\s*|\b(?:i'm|we're|i'll be|and)\s+)(?P<back>back)\s+(?:on\s+)?(?=(?:mon|tues|wednes|thurs|fri|satur|sun)day|the\s+\d|tomorrow|next)"
)
_STOP_RU = re.compile(
    r"[,.;:!?()—–\n]|\s(?:и|а|но|что|чтобы|если|когда|потому|так что|зато|потом|уже|тоже|наконец|вчера|сегодня|завтра|послезавтра|позавчера|утром|вечером|ночью|днем|снова|вместе)(?=\s|$|[,.;!?])"
)
_STOP_EN = re.compile(
    r"[,.;:!?()—–\n]|\s(?:and|but|so|because|when|if|that|who|which|then|after|before|while|like|so|as|until|yesterday|today|tomorrow|tonight|last|this|next|on the|again|already|finally|together|right now|at \d|around \d|went (?:great|well|fine|ok))(?=\s|$|[,.;!?])"
)
_VERY_BUSY = Gated(r"\b(?:каждый|каждую|каждое|каждые|обычно|всегда|по\s+(?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|утрам|вечерам|выходным)|every|usually|always|each|weekly|daily|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b")  # fmt: skip
_INFINITIVE_BASE = {"flying": "fly", "driving": "drive", "travelling": "travel", "traveling": "travel", "heading": "go", "meeting": "meet", "leaving": "leave", "returning": "return", "going": "go", "having": "have", "hosting": "host", "launching": "launch", "performing": "perform", "presenting": "present", "running": "run", "seeing": "see", "visiting": "visit", "taking": "take", "picking": "pick", "signing": "sign", "landing": "land", "starting": "start", "singing": "sing", "playing": "play", "racing": "race"}  # fmt: skip


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
            if sentence.blocked is None or (answering and sentence.blocked == "question"):
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
    "employer job_title owns tool diet medication medical_condition allergy deadline budget_limit pet address preference dislike "
    "skill language goal requirement legal_constraint email phone birth_date".split()
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
    cores = list(_nouns(sentence)) + list(_verbs(sentence))
    if not cores or _VERY_BUSY.search(sentence.low):
        return
    taken = [
        (s.start - sentence.start, s.end - sentence.start)
        for s in statements
        if s.found.predicate in _STATED_ELSEWHERE
    ]
    mentions = resolve(sentence.text, told, sentence.lang)
    everyone: list[Person] | None = None
    for core in cores:
        block = sentence.block_between(core.start, core.end)
        if (block and not (answering and block == "question")) or negated(sentence.low, core.start):
            continue
        if any(a < core.end and core.start < b for a, b in taken):
            continue
        mention = _mention(core, sentence, mentions, cores)
        if mention is None and core.needs_date:
            continue
        when = _when(core, mention, sentence, told)
        if when is None:
            continue
        if everyone is None:
            everyone = persons(sentence, scene)
        who = _who(core, sentence, everyone, scene)
        if not who:
            continue
        start, end, precision, is_planned = when
        what = _without_date(core, sentence, mentions)
        if " " not in what and core.what:
            what = completed(core.what, what, sentence, core.start, mentions, asked)
        if not what:
            continue
        yield Event(
            what, who, start, end, precision, sentence.start + core.start,
            sentence.start + core.end, sentence.text, core.confidence, is_planned,
        )  # fmt: skip


def _nouns(sentence: Sentence) -> Iterator[_Core]:
    """Nouns that name an event; only a date makes them one."""
    if sentence.lang == "ru":
        for found in EVENT_NOUN_RU.finditer(sentence.low):
            stop = _STOP_RU.search(sentence.low, found.end())
            end = stop.start() if stop else len(sentence.low)
            yield _Core("", found.start(), end, False, True, confidence=0.7)
        return
    for found in EVENT_NOUN_EN.finditer(sentence.low):
        begin = found.start()
        lead = re.search(
            r"((?:[\w'’-]+\s+){0,3})$", sentence.text[:begin]
        )
        words = (lead[1] if lead else "").split()
        kept: list[str] = []
        for word in reversed(words):
            if not re.fullmatch(r"[A-Za-z][\w'’-]*", word) or word.lower() in _NOT_IN_NAME:
                break
            kept.insert(0, word)
        begin -= len(" ".join(kept)) + (1 if kept else 0)
        tail = re.compile(r"\s+with\s+(?:the\s+|my\s+|our\s+)?[\w'’&-]+(?:\s[A-Z][\w'’&-]+){0,2}").match(sentence.text, found.end())  # fmt: skip
        yield _Core("", begin, tail.end() if tail else found.end(), False, True, confidence=0.7)


_NOT_IN_NAME = frozenset(
    "a an the my our your his her their this that is are was were be i we you he she they had has have having got get to for at in on of with and or but so "
    "if when did do does no not just also some any next last another after before during until about over me us him them it its it's there's here going doing "
    "anyway anyways hopefully probably maybe actually also attend attended attending missed miss for love loved hate hey hi yes ok please still then than now new".split()
)


def _verbs(sentence: Sentence) -> Iterator[_Core]:
    yield from _verbs_ru(sentence) if sentence.lang == "ru" else _verbs_en(sentence)


def _verbs_ru(sentence: Sentence) -> Iterator[_Core]:
    low = sentence.low
    for found in _ANY_VERB_RU.finditer(low):
        verb = next((p for p in parses(found["verb"]) if p.tag.POS == "VERB"), None)
        if verb is None or verb.tag.tense != "past" or verb is not parses(found["verb"])[0]:
            continue
        form = verb.normal_form.replace("ё", "е")
        if verb.tag.aspect != "perf" and form not in PLAIN_RU or form in NOT_TOLD_RU:
            continue
        stop = _STOP_RU.search(low, found.end())
        end = stop.start() if stop else len(low)
        thing = _is_thing(sentence, found.start(), verb.tag)
        yield _Core(form, found.start("verb"), end, True, form not in PLAIN_RU, thing)
    for found in _AHEAD_RU.finditer(low):
        verb = parses(found["verb"])[0]
        if verb.tag.POS != "VERB" or verb.tag.mood != "indc" or verb.tag.person == "2per":
            continue
        form = verb.normal_form.replace("ё", "е")
        if verb.tag.tense == "futr" and form in NOT_TOLD_RU:
            continue
        moves = found["verb"].startswith(("вылет", "улет", "прилет", "лечу", "летим", "еду", "едем", "уезж", "приезж", "встреча", "иду", "идем"))  # fmt: skip
        if verb.tag.tense != "futr" and not moves:
            continue
        stop = _STOP_RU.search(low, found.end())
        end = stop.start() if stop else len(low)
        yield _Core(_perfective(form), found.start("verb"), end, False, True)


_PERFECTIVE = {
    "вылетать": "вылететь", "улетать": "улететь", "прилетать": "прилететь", "лететь": "полететь", "ехать": "поехать",
    "уезжать": "уехать", "приезжать": "приехать", "встречаться": "встретиться", "идти": "пойти",
}  # fmt: skip


def _perfective(form: str) -> str:
    return _PERFECTIVE.get(form, form)


def _is_thing(sentence: Sentence, at: int, verb: Any) -> bool:
    """Whether a thing, not a person, stands before the verb as its subject, and agrees with it."""
    word = re.search(r"([а-яё-]+)\s*$", sentence.text[:at], re.IGNORECASE)
    if word is None:
        return False
    for noun in parses(word[1]):
        if noun.tag.POS == "NOUN" and noun.tag.case == "nomn" and "inan" in noun.tag:
            return noun.tag.number == verb.number and verb.gender in (None, noun.tag.gender)
    return False


def _verbs_en(sentence: Sentence) -> Iterator[_Core]:
    low = sentence.low
    for found in THING_DIES_EN.finditer(low):
        yield _Core("", found.start(), found.end(), True, True, True)
    for found in _PAST_VERB_EN.finditer(low):
        verb = found["verb"]
        who = found["who"]
        if who is not None and who in _NOT_IN_NAME - {"i", "we", "he", "she", "they", "and"}:
            continue
        if verb in NOT_TOLD_EN and not _had_event(low, found.end(), verb):
            continue
        if re.search(r"\b(?:is|are|was|were|be|been|being|get|got|gets|to|'s)\s+(?:\w+ly\s+)?$", low[: found.start("verb")]):  # fmt: skip
            continue
        if _ARTICLE.search(low[: found.start("verb")]):
            continue
        stop = _STOP_EN.search(low, found.end())
        end = stop.start() if stop else len(low)
        is_plain = verb in PLAIN_EN and _is_main(sentence, found.start()) and end > found.end()
        yield _Core(_base(verb), found.start("verb"), end, True, not is_plain)
    for found in _AHEAD_EN.finditer(low):
        at = found.start(found.lastgroup or 0)
        stop = _STOP_EN.search(low, found.end())
        end = stop.start() if stop else len(low)
        base = found["base"] or _INFINITIVE_BASE.get(found["ing"] or "", "return")
        yield _Core(base, at, end, False, True)


_ARTICLE = re.compile(r"\b(?:an?|the|my|your|his|her|our|their|so|very|really|too|this|that|some)\s+$")
_SUBORDINATE = re.compile(
    r"\b(?:who|which|that|when|whenever|after|before|while|since|because|where|whom|if|as|used to|how)\b"
)


def _is_main(sentence: Sentence, at: int) -> bool:
    """Whether a verb tells the news itself, not beside other news ("the group I attended")."""
    head = sentence.low[sentence.clause_at(at).start : at + 1]
    return _SUBORDINATE.search(head) is None and re.search(r"\b(?:i|we|my|our)\b|^\W*$", sentence.low[sentence.clause_at(at).start : at + 3]) is not None  # fmt: skip


def _had_event(low: str, at: int, verb: str) -> bool:
    """ "Had his surgery", "took the exam", "saw the show": a light verb and an event's noun."""
    if verb not in ("had", "took", "did", "got", "gave"):
        return False
    return EVENT_NOUN_EN.search(low[at : at + 40]) is not None


def _base(verb: str) -> str:
    """The base of an English past form."""
    if verb in PAST_EN:
        return PAST_EN[verb]
    stem = verb[:-2]
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    if re.search(r"(?:[^aeiou][aeiou][vzcgs]|[aeiou]r[vs]|[^aeiou]l|uat|eat|iz|at|ut|os|us|ag|ang|pos|iv|re|ir|ur|nit|vit|cit)$", stem):  # fmt: skip
        return stem + "e"
    return stem


def _mention(
    core: _Core, sentence: Sentence, mentions: Sequence[DateMention], cores: Sequence[_Core]
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


def _distance(core: _Core, start: int, end: int) -> int:
    if start < core.end and core.start < end:
        return 0
    return start - core.end if start >= core.end else core.start - end


_When = tuple[datetime | None, datetime | None, Precision, bool]


def _when(
    core: _Core, mention: DateMention | None, sentence: Sentence, told: datetime
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
    return timed(mention, told, is_past=core.is_past)


def timed(mention: DateMention, told: datetime, *, is_past: bool = False) -> _When | None:
    """Start, end, precision of a date as an event's, and whether it is to come."""
    start, end = mention.valid_from, mention.valid_to
    if start is None:
        return None
    is_planned = start > told or (end is not None and end > told and not is_past)
    if mention.kind == "instant" or end is None:
        return start, start + _AN_HOUR, Precision.instant, is_planned
    if mention.precision is Precision.instant:
        # a part of a day ("last night") says on which day, and no clock time
        return midnight(start), midnight(start) + timedelta(days=1), Precision.day, is_planned
    return start, end, mention.precision, is_planned


def _who(
    core: _Core, sentence: Sentence, everyone: Sequence[Person], scene: Scene
) -> tuple[SubjectRef, ...]:
    """Who took part: the subject, else the speaker, and whom the sentence names beside."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    clause = sentence.clause_at(core.start)
    near = [
        p for p in everyone
        if clause.start <= p.start < clause.end and not _IN_PLACE.search(sentence.low[: p.start])
    ]  # fmt: skip
    others = [p for p in near if p.ref is not None and not p.first]
    subjects = [p for p in others if "nomn" in p.cases]
    is_me = any(p.first and "nomn" in p.cases for p in near)
    third = any(p.pronoun and "nomn" in p.cases and p.start < core.start for p in near)
    undergoes = [p for p in others if p.cases & {"datv"} and "nomn" not in p.cases]
    out: list[SubjectRef] = []
    if undergoes and not is_me and _IMPERSONAL.search(sentence.low[clause.start : clause.end]):
        return tuple(dict.fromkeys(p.ref for p in undergoes if p.ref is not None))
    if third and not subjects:
        return ()
    if is_me or core.thing or not subjects:
        out.append(me)
    out.extend(p.ref for p in others if p.ref is not None)
    out.extend(_unnamed(sentence, clause.start, clause.end, scene.speaker))
    if any(p.pronoun and "nomn" not in p.cases for p in near) and len(set(scene.people.named)) == 1:
        out.append(scene.people.resolve(scene.people.named[-1]))
    return tuple(dict.fromkeys(out))


_IN_PLACE = re.compile(r"\b(?:в|во|на|из|под|до)\s+$")
_IMPERSONAL = re.compile(r"\b[а-я]{3,}(?:ли|ют|ят|ут|ат)\b")
_SOMEBODY_EN = re.compile(r"\bmy\s+([a-z]+)\b")
_SOMEBODY_RU = re.compile(r"\b(?:мой|моя|моим|моей|нашим|нашей)\s+([а-я]+)\b")


def _unnamed(sentence: Sentence, start: int, stop: int, speaker: str) -> Iterator[SubjectRef]:
    """People who are told by what they are to the speaker ("my landlord")."""
    pattern = _SOMEBODY_RU if sentence.lang == "ru" else _SOMEBODY_EN
    for found in pattern.finditer(sentence.low, start, stop):
        if is_other_person(found[1]) and relative_kind(found[1]) is None:
            yield SubjectRef(name=describe(speaker, lemma(found[1]), sentence.lang), is_speaker=False)


_ASKS = frozenset(
    "кто что где когда как куда зачем почему какой какая какие сколько а и ну же ли бы за тебя тебе ты вы вас вам у в на с не мы нам нас уже то там это всё все или"
    " who what where when how why did do does you your the a an is are was were end up to will would so and have has had get got it that in on at still".split()
)


def completed(
    verb: str,
    what: str,
    sentence: Sentence,
    start: int,
    mentions: Sequence[DateMention],
    asked: str,
) -> str:
    """A verb without an object with what stands before it in its clause, else with what the
    question before named ("а отчёт?" "сдам в пятницу")."""
    clause = sentence.clause_at(start)
    head = "".join(
        " " if any(m.start <= clause.start + i < m.end for m in mentions) else c
        for i, c in enumerate(sentence.text[clause.start : start])
    )
    before = _objects(head, sentence.lang) if sentence.lang == "ru" else ""
    return " ".join([what, before or _from_question(verb, asked, sentence.lang)]).strip()


def _objects(text: str, lang: str) -> str:
    """The noun phrase at the end of a text that stands before its verb, with its preposition."""
    words: list[str] = []
    for word in reversed(re.findall(r"[\w«»-]+", text)):
        bare = word.strip("«»")
        if not is_russian(bare):
            break
        parse = next((p for p in parses(bare) if p.tag.POS in ("NOUN", "ADJF", "PREP", "NUMR")), None)
        if parse is None or bare.lower() in _FILLER or bare.lower() in _EDGE and not words:
            break
        if parse.tag.POS == "NOUN" and words and is_noun(words[0]):
            break
        words.insert(0, word)
        if parse.tag.POS == "PREP":
            break
    nouns = [w for w in words if is_noun(w.strip("«»"))]
    if not nouns or "Name" in parses(nouns[-1])[0].tag:
        return ""
    return " ".join(words[-3:])


def is_noun(word: str) -> bool:
    """Whether a Russian word may be a noun."""
    return is_russian(word) and any(p.tag.POS == "NOUN" for p in parses(word)[:2])


def _from_question(verb: str, asked: str, lang: str) -> str:
    if not asked:
        return ""
    words = re.findall(r"[\w'’-]+", asked)
    if lang == "ru":
        verbs = [w for w in words if is_russian(w) and parses(w)[0].tag.POS == "VERB"]
        same = any(parses(w)[0].normal_form.replace("ё", "е") == verb for w in verbs)
        if verbs and not same:
            return ""
        nouns = [w for w in words if w not in verbs and w.lower() not in _ASKS and is_noun(w) and not w[0].isupper()]  # fmt: skip
        return " ".join(nouns[:2])
    for i, word in enumerate(words):
        plain = word.lower()
        if verb in (plain, _base(plain) if plain.endswith("ed") or plain in PAST_EN else plain.removesuffix("ing")):  # fmt: skip
            return " ".join(_trimmed([w for w in words[i + 1 :] if w.lower() not in _FILLER]))
    return ""


def _without_date(core: _Core, sentence: Sentence, mentions: Sequence[DateMention]) -> str:
    """The phrase of an event: its verb as an infinitive and its object, or its noun; no date."""
    spans = [(m.start, m.end) for m in mentions if m.start < core.end and core.start < m.end]
    text = "".join(
        " " if any(a <= core.start + i < b for a, b in spans) else c
        for i, c in enumerate(sentence.text[core.start : core.end])
    )
    words = text.split()
    if core.what and not core.thing:
        rest = [w for w in words[1:] if w.lower() not in _FILLER]
        return " ".join([core.what, *_trimmed(rest)])
    if core.thing and sentence.lang == "ru":
        noun = re.search(r"([а-яё-]+)\s*$", sentence.text[: core.start], re.IGNORECASE)
        return " ".join([core.what, noun[1].lower() if noun else ""]).strip()
    if sentence.lang == "en" and core.thing:
        *things, verb = [w for w in words if w.lower() not in {"the", "my", "our", "down", "up"}]
        return " ".join([*things, _base(verb.lower())])
    kept = _trimmed([w for w in words if w.lower() not in _FILLER])
    if kept and sentence.lang == "ru" and is_russian(kept[0]):
        noun = next((p for p in parses(kept[0]) if p.tag.POS == "NOUN"), None)
        form = noun.inflect({"nomn"}) if noun is not None else None
        kept[0] = form.word if form is not None else kept[0].lower()
    elif kept:
        kept[0] = kept[0] if kept[0].isupper() else kept[0][:1].lower() + kept[0][1:]
    return " ".join(kept)


_FILLER = frozenset(
    "свою свой свое своё свои своего моя мой мою моё мои наш наша нашу ваш ваша ваши эти эта этот my our his her their your я мы он она они меня нас мне нам его ее её их это этот эту уже вот же бы там тут еще ещё опять всё все наконец-то очень "
    "в на с к у о по и а i we he she they me us him her them it just really already finally also".split()
) - {"в", "на", "с", "к", "у", "о", "по"}
_EDGE = frozenset("в на с со к ко у о об по от до из за для и а the a an at on in by to for with of from around about is was 's".split())


def _trimmed(words: list[str]) -> list[str]:
    """At most a few words, without a preposition left over where a date stood."""
    out = [w.strip("-–—\"'") if not w.startswith(("«", "»")) else w for w in words][:_MAX_WORDS]
    out = [w for w in out if w]
    while out and out[-1].lower() in _EDGE:
        out.pop()
    return out


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
