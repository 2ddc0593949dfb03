"""Cutting an object out of a sentence: noun phrases, quoted names, lists."""

import re
from functools import lru_cache

from memory_pipeline.understand.morphology import is_russian, nominative, parses, reading

_TOKEN = re.compile(r"\s*([\w@+#'’&/.-]*[\w+#])")
_QUOTED = re.compile(r"\s*[«\"“„]([^»\"”“\n]{2,60})[»\"”“]")
_EN_STOP = frozenset(
    [
        "and",
        "or",
        "but",
        "so",
        "because",
        "since",
        "when",
        "while",
        "if",
        "that",
        "which",
        "who",
        "whom",
        "whose",
        "for",
        "with",
        "at",
        "in",
        "on",
        "from",
        "to",
        "by",
        "until",
        "till",
        "after",
        "before",
        "as",
        "than",
        "then",
        "now",
        "today",
        "tomorrow",
        "yesterday",
        "tonight",
        "this",
        "next",
        "last",
        "too",
        "also",
        "though",
        "although",
        "however",
        "please",
        "pls",
        "lol",
        "haha",
        "btw",
        "fyi",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "am",
        "has",
        "have",
        "had",
        "do",
        "does",
        "did",
        "will",
        "would",
        "can",
        "could",
        "should",
        "may",
        "might",
        "must",
        "i",
        "i'm",
        "i've",
        "i'd",
        "i'll",
        "we've",
        "we'll",
        "he's",
        "she's",
        "they're",
        "you're",
        "that's",
        "there's",
        "we",
        "we're",
        "you",
        "he",
        "she",
        "they",
        "it",
        "it's",
        "there",
        "here",
        "again",
        "anymore",
        "instead",
        "unless",
        "except",
        "either",
        "neither",
        "about",
        "over",
        "under",
        "through",
        "these",
        "days",
        "currently",
        "ago",
        "every",
        "starting",
        "effective",
        "anyway",
        "just",
        "yet",
        "already",
        "still",
        "not",
        "no",
        "never",
        "ever",
        "like",
    ]
)
_RU_KEEP = frozenset({"без", "из", "у", "на", "в", "с", "по", "для", "под", "от", "к", "о"})
_RU_STOP = frozenset(
    [
        "и",
        "или",
        "но",
        "а",
        "же",
        "ли",
        "бы",
        "что",
        "чтобы",
        "если",
        "когда",
        "пока",
        "сначала",
        "потому",
        "так",
        "как",
        "где",
        "который",
        "которая",
        "которые",
        "уже",
        "еще",
        "теперь",
        "сейчас",
        "снова",
        "опять",
        "тоже",
        "также",
        "только",
        "лишь",
        "очень",
        "вообще",
        "просто",
        "кстати",
        "пожалуйста",
        "плиз",
        "пж",
        "вроде",
        "сегодня",
        "завтра",
        "вчера",
        "послезавтра",
        "позавчера",
        "потом",
        "зато",
        "хотя",
        "ведь",
        "вот",
        "ну",
        "нет",
        "не",
        "да",
        "это",
        "этот",
        "эта",
        "эти",
        "тут",
        "там",
    ]
)
_LIST = re.compile(
    r"\s*(?:,|;|\+|&|/)\s*(?:(?:и|а также|and|or|plus|also)\s+)?|\s+(?:и|а также|and|or|plus|as well as)\s+",
    re.IGNORECASE,
)
_TRIM_EN = re.compile(
    r"^(?:(?:a|an|the|my|our|some|any|all|both|really|very|quite|decent|good|fluent|basic|bit of|little|lot of|lots of|just|only|mostly|mainly|also|more|now|still|too)\s+)+",
    re.IGNORECASE,
)
_TRIM_TAIL = re.compile(
    r"(?:\s+(?:too|also|now|again|please|pls|lol|haha|though|anymore|instead|mostly|mainly|actually|really|of|the|a|an|my|a lot|together|lately|very much|so much|at all|right now|at the moment|these days))+$",
    re.IGNORECASE,
)


def quoted_at(text: str, start: int) -> tuple[str, int, int] | None:
    """The name in quotation marks that begins at `start`: (name, start, end), or None."""
    found = _QUOTED.match(text, start)
    return (found[1].strip(), found.start(1), found.end(1)) if found else None


def english_phrase(
    text: str, start: int, keep: frozenset[str] = frozenset(), max_words: int = 5
) -> tuple[str, int, int] | None:
    """The noun phrase from `start` to the next boundary: (phrase, start, end), or None.

    `keep` are words that would end a phrase but belong to this one ("to", "over").
    """
    words: list[tuple[str, int, int]] = []
    at = start
    while len(words) < max_words:
        found = _TOKEN.match(text, at)
        if found is None:
            break
        if "\n" in text[at : found.start(1)]:
            break
        word = found[1]
        if word.lower().replace("’", "'") in _EN_STOP - keep:
            break
        words.append((word, found.start(1), found.end(1)))
        at = found.end(1)
        if word.endswith("."):
            break
    while words and words[-1][0].lower() in keep:
        words.pop()
    if not words:
        return None
    begin, end = words[0][1], words[-1][2]
    phrase = text[begin:end]
    trimmed = _TRIM_EN.sub("", phrase)
    begin += len(phrase) - len(trimmed)
    trimmed = _TRIM_TAIL.sub("", trimmed)
    if not trimmed or trimmed.lower() in {"a", "an", "the", "it", "that", "this", "them", "one"}:
        return None
    return trimmed, begin, begin + len(trimmed)


def russian_phrase(
    text: str,
    start: int,
    cases: tuple[str, ...],
    max_words: int = 5,
    keep: frozenset[str] = _RU_KEEP,
) -> tuple[str, int, int] | None:
    """The noun phrase from `start` in one of `cases`: (its nominative, start, end), or None."""
    words: list[tuple[str, int, int]] = []
    at = start
    seen_noun = False
    while len(words) < max_words:
        found = _TOKEN.match(text, at)
        if found is None or "\n" in text[at : found.start(1)]:
            break
        word = found[1]
        low = word.lower().replace("ё", "е")
        if low in _RU_STOP:
            break
        if is_russian(word):
            parse = parses(word)[0]
            pos = str(parse.tag.POS)
            if low in keep and seen_noun:
                pass
            elif (len(word) == 1 and low in "всукоияа") or (
                pos
                in {
                    "PREP",
                    "VERB",
                    "INFN",
                    "CONJ",
                    "GRND",
                    "PRCL",
                    "NPRO",
                    "INTJ",
                    "PRED",
                    "COMP",
                }
                and (reading(word, "NOUN", cases=cases) is None)
            ):
                break
            elif pos == "ADVB" and reading(word, "NOUN", cases=cases) is None:
                if seen_noun:
                    break
                at = found.end(1)
                if not words:
                    continue
                break
            elif seen_noun and pos == "NOUN":
                previous = words[-1][0].lower()
                if (
                    previous not in keep
                    and not _agree(previous, word, cases)
                    and not any(
                        p.tag.case in ("gent", "gen2") or "Geox" in p.tag or "Surn" in p.tag
                        for p in parses(word)
                    )
                ):
                    break
            seen_noun = seen_noun or reading(word, "NOUN") is not None
        else:
            seen_noun = True
        words.append((word, found.start(1), found.end(1)))
        at = found.end(1)
    while words and words[-1][0].lower() in keep:
        words.pop()
    if not words or not seen_noun:
        return None
    begin, end = words[0][1], words[-1][2]
    return nominative(" ".join(w for w, _, _ in words), cases), begin, end


@lru_cache(maxsize=16_384)
def _agree(adjective: str, noun: str, cases: tuple[str, ...]) -> bool:
    """Whether a word that may also be a noun is the adjective of the noun behind it ("главным
    бухгалтером")."""
    for one in parses(adjective):
        if str(one.tag.POS) not in ("ADJF", "PRTF") or one.tag.case not in cases:
            continue
        for other in parses(noun):
            is_one_form = (other.tag.case, other.tag.number) == (one.tag.case, one.tag.number)
            same_gender = one.tag.number == "plur" or other.tag.gender == one.tag.gender
            if other.tag.POS == "NOUN" and is_one_form and same_gender:
                return True
    return False


def phrase_list(
    text: str,
    start: int,
    lang: str,
    cases: tuple[str, ...] = ("accs",),
    max_words: int = 4,
    limit: int = 6,
) -> list[tuple[str, int, int]]:
    """The members of an enumeration that begins at `start`, each as a phrase."""
    out: list[tuple[str, int, int]] = []
    at = start
    shared: frozenset[str] = frozenset()
    while len(out) < limit:
        quoted = quoted_at(text, at)
        piece = quoted or (
            russian_phrase(text, at, cases, max_words, frozenset({"без"}))
            if lang == "ru"
            else english_phrase(text, at, max_words=max_words)
        )
        if piece is None:
            break
        written = text[piece[1] : piece[2]]
        if (
            at > start
            and lang == "en"
            and (_ORDER_EN.match(text, piece[1]) or _SELF_EN.match(text, piece[1]))
        ):
            break
        if at > start and (_acts(text, piece[2], lang) or _says_who(written, cases)):
            break
        if lang == "ru" and quoted is None:
            own = _cases_of(written)
            if own and shared and not own & shared:
                break
            shared = own & shared if own and shared else own or shared
        if lang == "ru" and quoted is None:
            piece = _with_attribute(text, piece)
        out.append(piece)
        joint = _LIST.match(text, piece[2] + (1 if quoted else 0))
        if joint is None:
            break
        at = joint.end()
        if "\n" in joint[0]:
            break
    return out


_SELF_EN = re.compile(
    r"(?:based|living|working|married|divorced|single|widowed|retired|employed|self-employed|studying|born|aged|vegan|vegetarian|veggie|pescatarian|diabetic|asthmatic)\b(?=\s*(?:[,.;!]|$|\s(?:in|at|for|with|to|from|since|as|and)\b))",
    re.IGNORECASE,
)
"""What one is besides, told in a row with the list."""
_ORDER_EN = re.compile(
    r"(?:bring|keep|make|take|put|use|leave|avoid|watch|let|tell|ask|call|text|check|shout|send|give|get|stay|pick|pack|plan|expect|bear|mind|open|shut|close|turn|read|note|remember|see|look)\s+(?:the|an?|me|it|them|him|her|your|my|us|that|this|in mind|out|away|off|up|for|to|sure|any|some)\b",
    re.IGNORECASE,
)
"""An order to the reader behind a list, no further member of it."""
_ATTRIBUTE = re.compile(r"\s+(?:(?P<ablt>с|со)|без|из|от|для)\s+(?P<noun>[а-яё-]+)", re.IGNORECASE)


def _with_attribute(text: str, piece: tuple[str, int, int]) -> tuple[str, int, int]:
    """A member of a list with what it is made of ("чай с чабрецом"), where another member follows."""
    found = _ATTRIBUTE.match(text, piece[2])
    if found is None or _LIST.match(text, found.end()) is None:
        return piece
    cases = ("ablt",) if found["ablt"] else ("gent",)
    noun = reading(found["noun"], "NOUN", "inan", cases=cases)
    if noun is None or noun.normal_form in _TIMES:
        return piece
    return piece[0] + found[0], piece[1], found.end()


_TIMES = frozenset(
    {
        "утро", "вечер", "ночь", "день", "детство", "рождение", "юность", "молодость", "начало", "год", "месяц",
        "неделя", "весна", "лето", "осень", "зима", "работа", "семья", "январь", "февраль", "март", "апрель", "май",
        "июнь", "июль", "август", "сентябрь", "октябрь", "ноябрь", "декабрь", "понедельник", "вторник", "среда",
        "четверг", "пятница", "суббота", "воскресенье", "давление", "боль", "кашель", "рука", "проблема",
    }
)  # fmt: skip
"""What stands after a preposition and tells when or what for, not what a thing is made of."""


@lru_cache(maxsize=16_384)
def _cases_of(phrase: str) -> frozenset[str]:
    """The cases that a phrase may stand in, by its first noun: members of a list share one."""
    for word in phrase.split():
        nouns = [p.tag for p in parses(word) if p.tag.POS == "NOUN"] if is_russian(word) else []
        if nouns and parses(word)[0].is_known:
            return frozenset(_LIKE.get(tag.case, tag.case) for tag in nouns if tag.case)
    return frozenset()


_LIKE = {"gen2": "gent", "loc2": "loct", "acc2": "accs"}
_NEXT_WORD = re.compile(
    r"(?:\s+(?:не|ни|уже|еще|ещё|совсем|вообще|почти|никогда|тоже|больше|давно|редко|просто|терпеть))*"
    r"\s+(?P<word>[а-яё]+)\b",
    re.IGNORECASE,
)
_SUBJECT_RU = frozenset({"я", "мы", "мне", "нам", "он", "она", "ей", "ему", "они"})
_SUBJECT_EN = re.compile(
    r"\s+(?:(?:i|we|he|she|they)(?:['’]\w+)?\s|(?:like|is|are|was|were|makes?|gives?|has|have|if|when|whether)\b)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\s*[—–-]\s*(?:не|нет|ни|никогда|no|not|never)\b|\s+(?:нет|нельзя)\b", re.IGNORECASE
)


def _acts(text: str, end: int, lang: str) -> bool:
    """Whether a predicate of its own stands right after: a new clause began, not the list's next
    member ("чай, кофе не пью", "tea, coffee I can't stand")."""
    if _DENIED.match(text, end):
        return True
    if lang != "ru":
        return _SUBJECT_EN.match(text, end) is not None
    following = _NEXT_WORD.match(text, end)
    if following is None:
        return False
    word = following["word"]
    return word.lower() in _SUBJECT_RU or parses(word)[0].tag.POS == "VERB"


def _says_who(phrase: str, cases: tuple[str, ...]) -> bool:
    """Whether one word names somebody in the nominative where the list stands in other cases: it
    says who one is ("аллергия на пыль, вегетарианка")."""
    if not is_russian(phrase) or "nomn" in cases:
        return False
    nouns = [parse.tag for parse in parses(phrase) if parse.tag.POS == "NOUN"]
    return bool(nouns) and all(
        "anim" in tag and tag.case == "nomn" and tag.number == "sing" for tag in nouns
    )


def sentence_case(phrase: str) -> str:
    """A phrase without outer quotes and doubled spaces."""
    return re.sub(r"\s+", " ", phrase).strip(" «»\"'“”.,;:-")
