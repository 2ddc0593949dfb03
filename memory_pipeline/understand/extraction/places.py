"""Names of places: where one starts in a text, and its nominative."""

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files

import yaml

from memory_pipeline.understand.extraction.calendar_words import CALENDAR_EN
from memory_pipeline.understand.morphology import (
    is_russian,
    like,
    nominative,
    parses,
    reading,
)

_RU_GENERIC = re.compile(
    r"(?:г\.\s*|город[еау]?\s+|городок\s+|посёлк[еау]\s+|поселк[еау]\s+|деревн[еюи]\s+|сел[оеау]\s+)",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w’'.-]*\w", re.UNICODE)
_EN_PARTICLES = frozenset({"of", "de", "la", "del", "upon", "on", "am", "the", "los", "el"})
_NOT_PLACES = CALENDAR_EN | frozenset(
    [
        "english",
        "french",
        "spanish",
        "german",
        "i",
        "i'm",
        "christmas",
        "easter",
        "zoom",
        "slack",
        "excel",
        "python",
        "java",
        "rust",
        "go",
        "react",
        "sql",
        "linux",
        "windows",
        "mac",
        "covid",
        "facebook",
        "instagram",
        "youtube",
        "netflix",
        "google",
        "amazon",
        "apple",
        "microsoft",
    ]
)
_MONTH_EN = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATE_BEGINS = re.compile(
    rf"(?:(?:on|in)\s+)?(?:the\s+)?{_MONTH_EN}\s+(?:the\s+)?\d"
    rf"|on\s+(?:the\s+\d|(?:{_MONTH_EN}|(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\b)(?!\s+\w))",
    re.IGNORECASE,
)
"""Where the date behind a name begins ("Linz on Feb 1"): "on" may also go on with a name."""


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """NFC, lower case, ё as е: the spelling under which words are compared."""
    return unicodedata.normalize("NFC", text).casefold().replace("ё", "е")


@lru_cache(maxsize=1)
def _gazetteer() -> tuple[dict[str, str], frozenset[str]]:
    text = files("memory_pipeline.understand").joinpath("data/places.yaml").read_text("utf-8")
    data = yaml.safe_load(text)
    aliases = {fold(short): full for short, full in data["aliases"].items()}
    return aliases, frozenset(data["known_en"])


def place_alias(name: str) -> str | None:
    """The full name behind a short one ("питер", "NYC"), or None."""
    return _gazetteer()[0].get(fold(name).strip(" ."))


def aliases_of(name: str) -> tuple[str, ...]:
    """The short names of a place ("Санкт-Петербург": "питер"), and the full one of a short name."""
    wanted = fold(place_alias(name) or name).strip(" .")
    short = tuple(alias for alias, full in _gazetteer()[0].items() if fold(full) == wanted)
    return (*short, wanted) if short else ()


def russian_place(text: str, start: int, cases: tuple[str, ...]) -> tuple[str, int, int] | None:
    """The place that begins at `start` in one of `cases`: (nominative, start, end), or None.

    Believed: a capitalised word that is no person's name, or a small-letter word that the
    dictionary knows as a place and as nothing else.
    """
    generic = _RU_GENERIC.match(text, start)
    at = generic.end() if generic else start
    words: list[tuple[str, int, int]] = []
    for found in re.finditer(r"[а-яё]+(?:-[а-яё]+)*", text[at : at + 60], re.IGNORECASE):
        gap = text[words[-1][2] if words else at : at + found.start()]
        if gap.strip(' «"' if not words else " "):
            break
        words.append((found[0], at + found.start(), at + found.end()))
        if len(words) == 3:
            break
    if not words:
        return _latin_place(text, at)
    for n in range(min(2, len(words)), 0, -1):
        found_place = _russian_name([w for w, _, _ in words[:n]], cases, bool(generic))
        if found_place is not None:
            return found_place, words[0][1], words[n - 1][2]
    return None


_NO_NAMES = frozenset({"PREP", "CONJ", "PRCL", "NPRO"})


def _russian_name(words: list[str], cases: tuple[str, ...], certain: bool) -> str | None:
    head = words[-1]
    if len(words) == 2:
        first = parses(words[0])[0].tag
        adjective = first.POS == "ADJF" or reading(words[0], "ADJF", cases=cases) is not None
        if not (words[0][0].isupper() and head[0].isupper() and adjective):
            return None
    elif parses(head)[0].tag.POS == "ADJF" and reading(head, "Geox") is None:
        base = nominative(head, cases)
        return place_alias(base) if base else None
    alias = place_alias(nominative(head, cases)) if len(words) == 1 else None
    if alias is not None:
        return alias
    if head[0].isupper():
        if len(head) == 1 or (len(words) == 1 and parses(head)[0].tag.POS in _NO_NAMES):
            return None
        if reading(head, "NOUN", cases=cases) is None and reading(head, "UNKN") is None:
            return None
        person = reading(head, "Name") or reading(head, "Patr")
        if person is not None and reading(head, "Geox", cases=cases) is None and not certain:
            return None
        if head.isupper() and len(head) > 1:
            return None
        return nominative(" ".join(words), cases)
    geox = reading(head, "Geox", cases=cases)
    common = any(
        p.tag.POS == "NOUN"
        and not {"Geox", "Name", "Surn", "Orgn"} & p.tag.grammemes
        and p.tag.case in cases
        for p in parses(head)
    )
    if geox is None or (common and not certain):
        return None
    name = nominative(head, cases)
    return name[:1].upper() + name[1:] if "-" not in name else like("А-А", name)


def _latin_place(text: str, start: int) -> tuple[str, int, int] | None:
    return english_place(text, start)


def english_place(text: str, start: int) -> tuple[str, int, int] | None:
    """The place that begins at `start`: (name, start, end), or None."""
    words: list[tuple[str, int, int]] = []
    at = start
    while len(words) < 4:
        found = re.compile(r"\s*([\w’'.-]*\w)").match(text, at)
        if found is None:
            break
        if words and "\n" in text[at : found.start(1)]:
            break
        words.append((found[1], found.start(1), found.end(1)))
        at = found.end(1)
        if found[1].endswith("."):
            break
    if words and words[0][0].lower() == "the":
        words = words[1:]
    if not words or is_russian(words[0][0]):
        return None
    aliases, known = _gazetteer()
    for n in range(min(3, len(words)), 0, -1):
        joined = " ".join(w for w, _, _ in words[:n])
        full = aliases.get(fold(joined))
        if full is not None and (joined.isupper() or len(joined) > 2):
            return full, words[0][1], words[n - 1][2]
        if joined.islower() and joined in known:
            return joined.title(), words[0][1], words[n - 1][2]
    taken = 0
    for i, (word, begin, _) in enumerate(words):
        if i and _DATE_BEGINS.match(text, begin):
            break
        if word[0].isupper() and word.lower() not in _NOT_PLACES:
            taken = i + 1
        elif i and word.lower() in _EN_PARTICLES:
            continue
        else:
            break
    if not taken:
        return None
    name = " ".join(w for w, _, _ in words[:taken])
    for tail in ("'s", "’s"):
        name = name.removesuffix(tail)
    return name, words[0][1], words[taken - 1][2]


def is_known_place(name: str) -> bool:
    """Whether an English name is one of the places known by heart."""
    aliases, known = _gazetteer()
    low = fold(name)
    return low in known or low in aliases
