"""Health: conditions, procedures and drugs, each as the words that name it."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.sensitive.candidate import KEYED, LIKELY, Candidate
from memory_pipeline.understand.sensitive.health_lists import (
    EN_MODIFIERS,
    EN_PHRASES,
    EN_TERMS,
    RU_ADJECTIVES,
    RU_PHRASES,
    RU_STEMS,
    RU_TAILS,
)
from memory_pipeline.understand.word_blocks import words

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BY_PREFIX: dict[str, tuple[str, ...]] = {}
for _stem in sorted(RU_STEMS, key=len, reverse=True):
    _BY_PREFIX[_stem[:3]] = (*_BY_PREFIX.get(_stem[:3], ()), _stem)
_RU_PHRASES = re.compile(r"(?<!\w)(?:" + "|".join(RU_PHRASES) + r")(?!\w)")
_EN_PHRASES = re.compile(r"(?<!\w)(?:" + "|".join(EN_PHRASES) + r")(?!\w)")
# one word of every English phrase: without any of them the phrases need not be tried
_EN_ANCHORS = frozenset(
    words(
        "disease failure murmur crohn parkinson alzheimer crohn's parkinson's alzheimer's crohns parkinsons alzheimers pressure attack attacks stroke "
        "allergy allergies allergic intolerance intolerant syndrome sclerosis fibrosis palsy dystrophy apnea apnoea thrombosis "
        "fibrillation bifida degeneration neuron neurone disorder replacement surgery bypass sleeve transplant transplants stone stones "
        "gallstone gallstones gallbladder canal c-section section torn broken herniated slipped fractured hiv hepatitis type birth thinner "
        "thinners blocker blockers beta-blocker beta-blockers sleeping pump depression post-partum pregnant pregnancy anxiety panic suicidal"
    )
)
_EN_ANCHOR_ENDS = frozenset({"olerant", "ositive"})
_RU_HINTS = (
    "давлен",
    "температур",
    "приступ",
    "операц",
    "кров",
    "вич",
    "спид",
    "дцп",
    "сдвг",
    "орв",
    "экстрак",
    "зрен",
    "аппендиц",
    "слух",
    "удален",
    "тип",
    "позиц",
    "недел",
    "перелом",
    "беремен",
    "групп",
    "порок",
    "камн",
    "пересад",
    "донор",
    "протез",
    "слабосл",
    "инвалид",
    "синдром",
)


def find_russian_health(low: str) -> Iterator[Candidate]:
    """Russian terms by stem, with the adjectives before and the words after that belong to them."""
    words = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(low)]
    for i, (_, end, word) in enumerate(words):
        stems = _BY_PREFIX.get(word[:3])
        if stems is None or not any(_is_form(word, s) for s in stems):
            continue
        begin = _with_adjectives(words, i, low)
        stop = _with_tail(low, word, end)
        yield Candidate(begin, stop, "health", low[begin:stop], KEYED)
    if any(hint in low for hint in _RU_HINTS):
        for match in _RU_PHRASES.finditer(low):
            yield Candidate(match.start(), match.end(), "health", match.group(), KEYED)


def _is_form(word: str, stem: str) -> bool:
    """An inflected form of the stem: a stem that ends in "$" is a whole word."""
    if stem.endswith("$"):
        return word == stem[:-1]
    return word.startswith(stem) and len(word) - len(stem) <= 4


def _with_adjectives(words: list[tuple[int, int, str]], i: int, low: str) -> int:
    begin = words[i][0]
    for start, end, word in reversed(words[max(0, i - 2) : i]):
        if low[end:begin].strip(" ") or not any(word.startswith(a) for a in RU_ADJECTIVES):
            break
        if not {"ADJF", "ADVB"} & parses(word)[0][1]:
            break
        begin = start
    return begin


def _with_tail(low: str, word: str, end: int) -> int:
    for stem, tail in RU_TAILS:
        if word.startswith(stem):
            match = re.compile(tail).match(low, end)
            if match is not None and match.end() > end:
                return match.end()
    return end


def find_english_health(low: str) -> Iterator[Candidate]:
    """English terms, with the modifiers before them ("celiac disease", "type 2 diabetes")."""
    words = [(m.start(), m.end(), m.group()) for m in _WORD.finditer(low)]
    for i, (start, end, word) in enumerate(words):
        if word not in EN_TERMS and not (word.endswith("s") and word[:-1] in EN_TERMS):
            continue
        begin = start
        for left, right, before in reversed(words[max(0, i - 2) : i]):
            if low[right:begin] not in (" ", "-") or before not in EN_MODIFIERS:
                break
            begin = left
        typed = re.search(r"type[ -](?:1|2|i|ii|one|two) $", low[:begin])
        begin = typed.start() if typed else begin
        yield Candidate(begin, end, "health", low[begin:end], LIKELY)
    if not any(word in _EN_ANCHORS or word[-7:] in _EN_ANCHOR_ENDS for _, _, word in words):
        return
    for match in _EN_PHRASES.finditer(low):
        yield Candidate(match.start(), match.end(), "health", match.group(), KEYED)
