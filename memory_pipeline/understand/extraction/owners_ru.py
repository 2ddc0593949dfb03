"""Whose a person, an animal or a thing is, where a Russian genitive tells it ("муж Кати", "жена брата",
"у Кати муж", "кот Марины")."""

import re
from collections.abc import Sequence
from functools import lru_cache

from memory_pipeline.understand.extraction.people import is_other_person, relative_kind
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.morphology import cases_of, is_russian, parses, reading

Token = tuple[str, int, int]


def owned_by_next(tokens: Sequence[Token], i: int, text: str) -> bool:
    """Whether the word behind is a person in the genitive whose the one at `i` is, and not the name
    of that one ("муж Кати", and not "муж Антон")."""
    if i + 1 >= len(tokens) or text[tokens[i][2] : tokens[i + 1][1]] != " ":
        return False
    owner = tokens[i + 1][0]
    return is_russian(owner) and is_owner(owner, tokens[i][0])


@lru_cache(maxsize=16_384)
def is_owner(word: str, of: str) -> bool:
    """Whether a word is a name or a relative in the genitive that cannot stand in apposition to `of`:
    they have no case and gender in common ("мама Олега", "муж Кати")."""
    is_name = word[0].isupper() and reading(word, "Name", "sing", cases=("gent",)) is not None
    is_kin = word[0].islower() and relative_kind(word) is not None
    if not (is_name or is_kin):
        return False
    heads = {
        (str(p.tag.case), str(p.tag.gender))
        for p in parses(of)
        if p.tag.POS == "NOUN" and p.tag.number == "sing"
    }
    if is_kin:
        return "gent" in cases_of(word) and "nomn" in {case for case, _ in heads}
    names = {
        (str(p.tag.case), str(p.tag.gender))
        for p in parses(word)
        if "Name" in p.tag and p.tag.number == "sing"
    }
    return bool(heads) and not any(
        case == other and (gender == sex or "ms-f" in (gender, sex))
        for case, gender in names
        for other, sex in heads
    )


_CHILD = frozenset({"сын", "дочь"})


def kept_by_another(tokens: Sequence[Token], i: int) -> bool:
    """Whether a relative is of somebody else who is named before ("у Кати муж", "у нее брат"). A child
    of the speaker's kin stays the speaker's kin."""
    if "nomn" not in cases_of(tokens[i][0]):
        return False
    for at in range(max(0, i - 3), i - 1):
        if fold(tokens[at][0]) != "у":
            continue
        owner = tokens[at + 1][0]
        if fold(owner) in ("него", "нее", "них"):
            return True
        if not is_russian(owner):
            return False
        if relative_kind(owner) is not None:
            return relative_kind(tokens[i][0]) not in _CHILD
        is_name = owner[0].isupper() and reading(owner, "Name", cases=("gent",)) is not None
        return is_name or is_other_person(owner)
    return False


def owned_animate(text: str) -> bool:
    """Whether a text ends in somebody or an animal with the person whose it is ("начальник Марины ")."""
    found = _LAST_PAIR.search(text)
    if found is None or not is_owner(found[2], found[1]):
        return False
    return any("anim" in p.tag and p.tag.POS == "NOUN" for p in parses(found[1])[:2])


_LAST_PAIR = re.compile(r"([А-ЯЁа-яё]+) ([А-ЯЁ][а-яё]+)\s+(?:[а-яё]+\s+){0,2}$")
