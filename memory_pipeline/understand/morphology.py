"""Russian word forms: lemmas, cases and the nominative of a noun phrase."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

_WORD = re.compile(r"[а-яё]+(?:-[а-яё]+)*", re.IGNORECASE)
_MODIFIERS = frozenset({"ADJF", "PRTF"})
OBLIQUE = frozenset({"gent", "datv", "accs", "ablt", "loct", "gen2", "loc2"})


@lru_cache(maxsize=1)
def _analyzer() -> Any:
    import pymorphy3

    return pymorphy3.MorphAnalyzer()


@lru_cache(maxsize=65536)
def parses(word: str) -> tuple[Any, ...]:
    """All readings of one word, likeliest first (`pymorphy3` parses)."""
    return tuple(_analyzer().parse(word.lower()))


@lru_cache(maxsize=65536)
def is_russian(word: str) -> bool:
    """Whether the whole word is written in Russian letters."""
    return _WORD.fullmatch(word) is not None


@lru_cache(maxsize=65536)
def lemmas(word: str) -> frozenset[str]:
    """The dictionary forms of all readings of a word, ё folded to е."""
    return frozenset(parse.normal_form.replace("ё", "е") for parse in parses(word))


@lru_cache(maxsize=65536)
def cases_of(word: str) -> frozenset[str]:
    """The cases of all readings of a word."""
    return frozenset(parse.tag.case for parse in parses(word) if parse.tag.case)


@lru_cache(maxsize=65536)
def lemma(word: str) -> str:
    """The dictionary form of a Russian word, ё folded to е; other words lower-cased."""
    if not is_russian(word):
        return word.lower()
    if word.lower().endswith("-на-дону"):
        return f"{lemma(word[:-8])}-на-дону"
    form: str = parses(word)[0].normal_form
    return form.replace("ё", "е")


@lru_cache(maxsize=65536)
def grammemes(word: str) -> frozenset[str]:
    """Every grammeme of every reading of a Russian word; empty for others."""
    if not is_russian(word):
        return frozenset()
    found: set[str] = set()
    for parse in parses(word):
        found |= parse.tag.grammemes
    return frozenset(found)


@lru_cache(maxsize=65536)
def reading(word: str, *wanted: str, cases: tuple[str, ...] | frozenset[str] = ()) -> Any | None:
    """The likeliest reading that has all `wanted` grammemes and one of `cases`, or None."""
    if not is_russian(word):
        return None
    for parse in _likeliest(word):
        tag = parse.tag
        if all(grammeme in tag for grammeme in wanted) and (not cases or tag.case in cases):
            return parse
    return None


_FEMININE = re.compile(r"[а-яё]{3,}и(?:я|ю|ей)", re.IGNORECASE)


def _likeliest(word: str) -> Sequence[Any]:
    """The readings of a word: of one that the dictionary lacks and that ends so, the feminine ones
    first ("целиакия" is no case of "целиакий")."""
    found = parses(word)
    if found[0].is_known or not _FEMININE.fullmatch(word):
        return found
    return sorted(found, key=lambda parse: "femn" not in parse.tag)


def like(original: str, form: str) -> str:
    """`form` with the capital letters of `original`."""
    if original.isupper() and len(original) > 1:
        return form.upper()
    if "-" in original and form.count("-") == original.count("-"):
        return "-".join(
            like(a, b) for a, b in zip(original.split("-"), form.split("-"), strict=True)
        )
    return form[:1].upper() + form[1:] if original[:1].isupper() else form


@lru_cache(maxsize=16384)
def nominative_word(word: str, cases: tuple[str, ...] = (), name: bool = False) -> str:
    """One noun in the nominative, its number kept. `name` prefers the reading as a given name."""
    if not is_russian(word):
        return word
    if word.lower().endswith("-на-дону"):
        return f"{nominative_word(word[:-8], cases)}{word[-8:]}"
    choice = None
    if name:
        choice = reading(word, "Name", "sing", cases=cases) or reading(
            word, "Surn", "sing", cases=cases
        )
    choice = choice or reading(word, "Geox", cases=cases) or reading(word, "NOUN", cases=cases)
    choice = choice or reading(word, "NOUN") or parses(word)[0]
    form = choice.inflect({"nomn"})
    return like(word, form.word if form is not None else word)


@lru_cache(maxsize=16384)
def nominative(phrase: str, cases: tuple[str, ...] = ()) -> str:
    """A noun phrase in the nominative: its adjectives and head; what follows the head stays.

    `cases` are the cases that the phrase may stand in (the preposition or verb before it says
    which). A phrase without a Russian noun comes back unchanged.
    """
    words = phrase.split(" ")
    bare = [word.strip("«»\"'.,()") for word in words]
    head = None
    for i, word in enumerate(bare):
        if reading(word, "PREP") and not reading(word, "NOUN"):
            break
        parse = reading(word, "NOUN", cases=cases) or reading(word, "NPRO", cases=cases)
        if parse is not None and not (
            parses(word)[0].tag.POS in _MODIFIERS and i + 1 < len(bare) and _is_noun(bare[i + 1])
        ):
            head = i
            break
        if is_russian(word) and parses(word)[0].tag.POS not in _MODIFIERS | {"ADVB", "NUMR"}:
            break
    if head is None:
        return phrase
    noun = reading(bare[head], "NOUN", cases=cases) or reading(bare[head], "NPRO", cases=cases)
    assert noun is not None  # noqa: S101 - the head was chosen by this reading
    first, hyphen, last = bare[head].rpartition("-")
    if hyphen and first[:1].isupper() and not noun.is_known:
        # of a foreign name only the last part is declined ("в Нови-Саде")
        made = f"{first}-{nominative(last, cases)}"
        return " ".join([*words[:head], words[head].replace(bare[head], made), *words[head + 1 :]])
    number = noun.tag.number or "sing"
    out = list(words)
    form = noun.inflect({"nomn", number})
    if form is not None:
        out[head] = words[head].replace(bare[head], like(bare[head], form.word))
    for i in range(head):
        modifier = next((p for p in parses(bare[i]) if p.tag.POS in _MODIFIERS), None)
        if modifier is None:
            continue
        wanted = {"nomn", number} | ({noun.tag.gender} if number == "sing" else set())
        inflected = modifier.inflect({grammeme for grammeme in wanted if grammeme})
        if inflected is not None:
            out[i] = words[i].replace(bare[i], like(bare[i], inflected.word))
    return " ".join(out)


def _is_noun(word: str) -> bool:
    return is_russian(word) and parses(word)[0].tag.POS == "NOUN"
