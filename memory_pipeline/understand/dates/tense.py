"""Past or future, from the verbs near a date expression.

The rule, for both languages: the verb nearest to the expression inside its clause decides; a
clause without a verb takes the nearest verb of its sentence when it holds hardly more than the
expression. A present tense speaks of the future ("I leave on Friday"), and of the past only after
"since". Without any verb nothing is decided.
"""

import re
from functools import lru_cache
from typing import Literal

from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.word_blocks import words

ClauseTense = Literal["past", "present", "future", "none"]

_SENTENCE_END = re.compile(r"[.!?;…\n]+(?=\s|$)|\n")
_CLAUSE_END = re.compile(r",|;|:|\s[-–—]\s|\(|\)|\sbut\s|\sso\s|\sthen\s|\sа\s|\sно\s|\sто\s")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FEW_WORDS = 0

_EN_FUTURE = frozenset(
    words(
        "will ll won't shall gonna gotta must should need needs can let's lets please pls want wants "
        "plan plans planning due remind hope hoping tbd upcoming wanna try"
    )
)
_EN_PAST = frozenset(
    words(
        "was were wasn't weren't had hadn't did didn't been went came got gave took made said told saw "
        "knew thought found left felt kept began brought bought built broke chose drew drove drank ate "
        "fell flew forgot froze grew heard held hid laid led lent lost meant met paid ran rang "
        "rode rose sang sank sat sent shot showed slept sold spent spoke stood stole stuck "
        "swam taught threw understood woke wore won wrote became quit dealt dug fought hung "
        "kicked knelt caught swore tore wept bit blew burnt learnt crashed ago"
    )
)
_EN_NOT_PAST = frozenset(
    words(
        "need feed speed bed red seed weed shed indeed wed sped ted fed embed hundred biweekly "
        "supposed scheduled expected booked sacred naked wicked bed"
    )
)
_EN_BEFORE_A_DAY = frozenset(words("on this next last or and by until till every for from"))
_EN_BEFORE_PASSIVE = frozenset(words("be is are am to a the get gets"))
_EN_PRESENT = frozenset(
    words(
        "is are am 's 're 'm it's i'm he's she's we're they're you're there's isn't aren't works work "
        "starts start have has do does don't doesn't goes go be"
    )
)
# motion and beginning: their present tense announces
_RU_ANNOUNCE = frozenset(
    words(
        "идти ехать лететь плыть переезжать переходить выходить уезжать улетать приезжать прилетать "
        "начинать начинаться стартовать приступать открываться закрываться вступать съезжать уходить "
        "возвращаться заступать перебираться ложиться сдавать запускать планировать собираться "
        "хотеть ждать обещать повышаться дорожать меняться отключать вводить"
    )
)
# what is "назначен" or "заказан" is still to come
_RU_ARRANGED = frozenset(
    words("заказать назначить запланировать забронировать записать наметить перенести отложить")
)
# what was promised is still to come
_RU_FORETOLD = frozenset(words("обещать пообещать прогнозировать посулить"))
_RU_THINGS = frozenset(words("дела стекла сила тела села"))
_RU_NEED = frozenset(words("надо нужно пора придётся следует должен нельзя можно"))


@lru_cache(maxsize=65536)
def _ru_word(word: str) -> ClauseTense:
    if word in ("буду", "будет", "будем", "будут", "будешь", "будете", "давай", "давайте"):
        return "future"
    if word in _RU_NEED:
        return "future"
    for normal, tag in parses(word)[:1]:
        if "VERB" in tag:
            if "past" in tag:
                return "future" if normal in _RU_FORETOLD else "past"
            if "futr" in tag or "impr" in tag:
                return "future"
            return "future" if normal in _RU_ANNOUNCE else "present"
        if "PRTS" in tag and normal in _RU_ARRANGED:
            return "future"
        if "PRTS" in tag or "PRTF" in tag or "GRND" in tag:
            return "past" if "past" in tag or "perf" in tag else "present"
        if "INFN" in tag:
            return "future"
    # "пекла в субботу": the noun "пекло" comes first among the readings
    is_form = word.endswith(("ла", "ли")) and word not in _RU_THINGS
    if is_form and any("VERB" in tag and "past" in tag for _, tag in parses(word)):
        return "past"
    # "еду в Псков": the noun "еда" comes first
    if any("1per" in tag and normal in _RU_ANNOUNCE for normal, tag in parses(word)):
        return "future"
    if word == "нет":
        return "present"
    return "none"


_RU_ASKED = frozenset(
    words(
        "просить обещать говорить требовать ждать хотеть планировать думать надеяться предлагать "
        "собираться договариваться намереваться велеть обязать успевать"
    )
)


def ru_lasted(clause: str) -> bool:
    """Whether a past verb of the imperfective tells of a state or habit ("жил", "не курила"), and
    not of a wish or an order for what is to come ("просили", "обещали")."""
    for word in _WORD.findall(clause):
        normal, tag = parses(word)[0]
        if "VERB" in tag and "past" in tag:
            return "impf" in tag and normal not in _RU_ASKED
    return False


def ru_present(clause: str) -> bool:
    """Whether a verb of the words tells of what goes on now."""
    return any(_ru_word(word) == "present" for word in _WORD.findall(clause))


def _en_word(word: str, before: str) -> ClauseTense:
    if word in _EN_FUTURE or word.endswith("'ll"):
        return "future"
    if word == "sat" and before in _EN_BEFORE_A_DAY:
        return "none"
    if word in _EN_PAST:
        return "none" if before in ("be", "to", "get", "gets", "a", "the") else "past"
    if word.endswith("ed") and len(word) > 3 and word not in _EN_NOT_PAST:
        return "none" if before in _EN_BEFORE_PASSIVE or before.endswith("'s") else "past"
    if word in ("going",) or word in _EN_PRESENT:
        return "present"
    return "none"


def tense_of(text: str, start: int, end: int, lang: str) -> ClauseTense:
    """The tense of the clause around [start, end) of the lower-cased text."""
    left = max((m.end() for m in _SENTENCE_END.finditer(text, 0, start)), default=0)
    after = _SENTENCE_END.search(text, end)
    right = after.start() if after else len(text)
    cuts = [
        m for m in _CLAUSE_END.finditer(text, left, right) if m.end() <= start or m.start() >= end
    ]
    clause_left = max((m.end() for m in cuts if m.end() <= start), default=left)
    clause_right = min((m.start() for m in cuts if m.start() >= end), default=right)
    found = _nearest(text, clause_left, clause_right, start, end, lang)
    if found != "none":
        return found
    others = [
        m
        for m in _WORD.finditer(text, clause_left, clause_right)
        if m.end() <= start or m.start() >= end
    ]
    if len(others) > _FEW_WORDS:
        return "none"
    return _nearest(text, left, right, start, end, lang)


def _nearest(text: str, left: int, right: int, start: int, end: int, lang: str) -> ClauseTense:
    best: tuple[int, ClauseTense] | None = None
    words = [
        (m.start(), m.end(), m.group().replace("’", "'")) for m in _WORD.finditer(text, left, right)
    ]
    before = ""
    for begin, stop, word in words:
        previous, before = before, word
        if begin < end and stop > start:
            continue
        found = _ru_word(word) if lang == "ru" else _en_word(word, previous)
        if found == "none":
            continue
        distance = start - stop if stop <= start else begin - end
        if best is None or distance < best[0] or (found == "future" and best[1] == "present"):
            best = (distance, found)
    return best[1] if best else "none"
