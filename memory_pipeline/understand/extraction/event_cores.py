"""What a sentence tells of, before its people and its date: nouns that name an event, verbs of doing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

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
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses
from memory_pipeline.understand.word_blocks import words


@dataclass(frozen=True)
class Core:
    """What a sentence tells, before its people and its date: characters of the sentence."""

    what: str
    start: int
    end: int
    is_past: bool
    needs_date: bool
    thing: bool = False
    confidence: float = 0.75
    subject: str | None = None
    is_vague: bool = False
    """Whether its verb alone does not say what happened."""


_ANY_VERB_RU = Gated(r"\b(?P<verb>[а-я]{3,}(?:л|ла|ли|ло|лся|лась|лись|лось|сь|шла|шли|шел))\b")
_AHEAD_RU = Gated(
    r"\b(?P<verb>вылетаю|вылетаем|улетаю|улетаем|прилетаю|прилетаем|лечу|летим|еду|едем|уезжаю|уезжаем|приезжаю|приезжаем|встречаемся|встречаюсь|иду|идем|"
    r"[а-я]{3,}(?:у|ю|усь|юсь|им|ем|дет|дут|ет|ит)|[а-я]{1,5}(?:дам|дим))\b"
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
_INFINITIVE_BASE = {"flying": "fly", "driving": "drive", "travelling": "travel", "traveling": "travel", "heading": "go", "meeting": "meet", "leaving": "leave", "returning": "return", "going": "go", "having": "have", "hosting": "host", "launching": "launch", "performing": "perform", "presenting": "present", "running": "run", "seeing": "see", "visiting": "visit", "taking": "take", "picking": "pick", "signing": "sign", "landing": "land", "starting": "start", "singing": "sing", "playing": "play", "racing": "race"}  # fmt: skip


def nouns(sentence: Sentence) -> Iterator[Core]:
    """Nouns that name an event; only a date makes them one."""
    if sentence.lang == "ru":
        for found in EVENT_NOUN_RU.finditer(sentence.low):
            stop = _STOP_RU.search(sentence.low, found.end())
            end = stop.start() if stop else len(sentence.low)
            yield Core("", found.start(), end, False, True, confidence=0.7)
        return
    for found in EVENT_NOUN_EN.finditer(sentence.low):
        begin = found.start()
        lead = re.search(r"((?:[\w'’-]+\s+){0,3})$", sentence.text[:begin])
        words = (lead[1] if lead else "").split()
        kept: list[str] = []
        for word in reversed(words):
            if not re.fullmatch(r"[A-Za-z][\w'’-]*", word) or word.lower() in _NOT_IN_NAME:
                break
            kept.insert(0, word)
        begin -= len(" ".join(kept)) + (1 if kept else 0)
        tail = re.compile(r"\s+with\s+(?:the\s+|my\s+|our\s+)?[\w'’&-]+(?:\s[A-Z][\w'’&-]+){0,2}").match(sentence.text, found.end())  # fmt: skip
        yield Core("", begin, tail.end() if tail else found.end(), False, True, confidence=0.7)


_NOT_IN_NAME = frozenset(
    words(
        "a an the my our your his her their this that is are was were be i we you he she they had has have having got get to for at in on of with and or but so "
        "if when did do does no not just also some any next last another after before during until about over me us him them it its it's there's here going doing "
        "anyway anyways hopefully probably maybe actually also attend attended attending missed miss for love loved hate hey hi yes ok please still then than now new"
    )
)


def verbs(sentence: Sentence) -> Iterator[Core]:
    yield from _verbs_ru(sentence) if sentence.lang == "ru" else _verbs_en(sentence)


def _verbs_ru(sentence: Sentence) -> Iterator[Core]:
    low = sentence.low
    for found in _ANY_VERB_RU.finditer(low):
        verb = next((p for p in parses(found["verb"]) if p.tag.POS == "VERB"), None)
        if verb is None or verb.tag.tense != "past" or verb is not parses(found["verb"])[0]:
            continue
        form = verb.normal_form.replace("ё", "е")
        if (verb.tag.aspect != "perf" and form not in PLAIN_RU) or form in NOT_TOLD_RU:
            continue
        stop = _STOP_RU.search(low, found.end())
        end = stop.start() if stop else len(low)
        thing = _is_thing(sentence, found.start(), verb.tag)
        is_plain = form in PLAIN_RU
        yield Core(form, found.start("verb"), end, True, not is_plain, thing, is_vague=not is_plain)
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
        yield Core(_perfective(form), found.start("verb"), end, False, True)


_PERFECTIVE = {
    "вылетать": "вылететь", "улетать": "улететь", "прилетать": "прилететь", "лететь": "полететь", "ехать": "поехать",
    "уезжать": "уехать", "приезжать": "приехать", "встречаться": "встретиться", "идти": "пойти",
}  # fmt: skip


def _perfective(form: str) -> str:
    return _PERFECTIVE.get(form, form)


_PREPOSITION = re.compile(
    r"\b(?:в|во|на|с|со|к|ко|у|о|об|по|от|до|из|за|для|под|над|при|через|про|перед|этот|прошлый|прошлую|этой|эту)\s+(?:[а-я]+\s+)?$"
)


def _is_thing(sentence: Sentence, at: int, verb: Any) -> bool:
    """Whether a thing, not a person, stands before the verb as its subject, and agrees with it."""
    word = re.search(r"([а-яё-]+)\s*$", sentence.text[:at], re.IGNORECASE)
    if word is None or _PREPOSITION.search(sentence.low[: word.start()]):
        return False
    for noun in parses(word[1]):
        if noun.tag.POS == "NOUN" and noun.tag.case == "nomn" and "inan" in noun.tag:
            return noun.tag.number == verb.number and verb.gender in (None, noun.tag.gender)
    return False


def _verbs_en(sentence: Sentence) -> Iterator[Core]:
    low = sentence.low
    for found in THING_DIES_EN.finditer(low):
        yield Core("", found.start(), found.end(), True, True, True)
    for found in _PAST_VERB_EN.finditer(low):
        verb = found["verb"]
        who = found["who"]
        if who is not None and who in _NOT_IN_NAME - {"i", "we", "he", "she", "they", "and"}:
            continue
        name = None
        if who is not None and who not in _PRONOUNS and not _WHEN.fullmatch(who):
            named = sentence.text[found.start("who") : found.end("who")]
            if named[:1].isupper() and found.start("who") >= 0 and not who.endswith("'s"):
                name = named
            elif not re.search(r"\b(?:my|our)\s+(?:\w+\s+)?$", low[: found.start("who")]):
                continue
        if verb == "passed" and re.match(r"\s+(?:away|by|out|on|over|up)\b", low[found.end() :]):
            continue
        if verb in NOT_TOLD_EN and not _had_event(low, found.end(), verb):
            continue
        if re.search(r"\b(?:is|are|was|were|be|been|being|get|got|gets|to|'s)\s+(?:\w+ly\s+)?$", low[: found.start("verb")]):  # fmt: skip
            continue
        if _ARTICLE.search(low[: found.start("verb")]):
            continue
        head = low[: found.start()]
        goes_on = head.rstrip().endswith(",") and re.search(r"\b(?:i|we)\b", head) is not None
        if who is None and not goes_on and not _DROPS_SUBJECT.search(head):
            continue
        stop = _STOP_EN.search(low, found.end())
        end = stop.start() if stop else len(low)
        is_plain = verb in PLAIN_EN and _is_main(sentence, found.start()) and end > found.end()
        is_vague = verb not in PLAIN_EN and verb not in PAST_EN
        yield Core(
            base_of(verb),
            found.start("verb"),
            end,
            True,
            not is_plain,
            subject=name,
            is_vague=is_vague,
        )
    for found in _AHEAD_EN.finditer(low):
        at = found.start(found.lastgroup or 0)
        stop = _STOP_EN.search(low, found.end())
        end = stop.start() if stop else len(low)
        base = found["base"] or _INFINITIVE_BASE.get(found["ing"] or "", "return")
        yield Core(base, at, end, False, True)


_PRONOUNS = frozenset(
    words("i we he she they and then just finally also so but yes yep yeah today yesterday")
)
_WHEN = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|night|week|month|year|morning|evening|afternoon|weekend|summer|winter|spring|autumn|january|february|march|april|may|june|july|august|september|october|november|december|ago"
)
_ARTICLE = re.compile(
    r"\b(?:an?|the|my|your|his|her|our|their|so|very|really|too|this|that|some)\s+$"
)
_DROPS_SUBJECT = re.compile(
    r"(?:^|[.!;:—–]|\b(?:and|but|then|so|yep|yes|yeah|yup|today|yesterday|just|finally|lol)),?\s*(?:just\s+|finally\s+)*$"
)
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


_FROM_BASE = {base: past for past, base in PAST_EN.items()}


def past_of(base: str) -> str:
    """The past form of an English verb."""
    if base in _FROM_BASE:
        return _FROM_BASE[base]
    return f"{base}d" if base.endswith("e") else f"{base}ed"


def base_of(verb: str) -> str:
    """The base of an English past form."""
    if verb in PAST_EN:
        return PAST_EN[verb]
    stem = verb[:-2]
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        return stem[:-1]
    if re.search(r"(?:[^aeiou][aeiou][vzcgs]|[aeiou]r[vs]|[^aeiou]l|uat|eat|iz|at|ut|os|us|ag|ang|pos|iv|re|ir|[^o]ur|nit|vit|cit)$", stem):  # fmt: skip
        return stem + "e"
    return stem
