"""Where a text mentions a value, in whatever inflected form. Pure functions.

Texts and values are compared word by word, a word being a run of letters and digits: case and ё
are folded, NFC and NFD read alike, also without marks of stress, hyphens that are not seen and other
widths, Latin and Cyrillic kept apart. A Russian word is found in all
forms of its dictionary entry, an English one in its plural and possessive, a word of no dictionary
with Cyrillic endings, a number by its digits. Never inside a longer word.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Literal

from memory_pipeline.governance.erasure.spellings import (
    LEAST_DIGITS,
    amount_of,
    amounts,
    spellings,
)
from memory_pipeline.understand.morphology import is_russian, parses

MASK = "█"
NAME_TYPE = "name"
"""The type of names of people, beside the value types of the registry."""

_WORD = re.compile(r"[^\W_]+")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]")
# of nouns and adjectives, singular and plural
_ENDING = (
    "(?:а|я|о|е|и|ы|у|ю|ь|й|ом|ем|ым|им|ой|ей|ою|ею|ов|ев|ам|ям|ах|ях|ами|ями|ому|ему|ого|его|ых|их"
    "|ыми|ими|ая|яя|ую|юю|ое|ее|ые|ие|ый|ий)"
)
_ENDED_WORD = re.compile(_ENDING)
_ENDED = re.compile(rf"[-'’]{_ENDING}(?![^\W_])|['’]s(?![^\W_])")
# how words of no dictionary are declined, by their last letters
_DECLENSIONS = tuple(
    (re.compile(last), re.compile(endings))
    for last, endings in (
        (
            "(?:ый|ий|ой)$",
            "(?:ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ая|яя|ую|юю|ое|ее|ые|ие|ых|их|ыми|ими)",
        ),
        ("[ая]$", "(?:[аяыиеую]|[ое][йю]|[ая]м|[ая]ми|[ая]х)"),
        ("[ое]$", "(?:[оеаяую]|[ое]м|[ая]м|[ая]ми|[ая]х)"),
        ("[ьй]$", "(?:[ьйяюеи]|ем|ью|ев|ей|ям|ями|ях)"),
        ("[иыую]$", "[иыую]"),
        ("$", "(?:[ауеыи]|[ое]м|[ое]в|ам|ами|ах)?"),
    )
)
_GAP = re.compile(r"[^\n\w]{0,3}|[^\S\n]*\n[^\S\n]*|_")
_NOUNS = ("NOUN", "ADJF", "PRTF", "NUMR")
_ARTICLES = frozenset({"a", "an", "the"})
_SENTENCE_END = re.compile(r"[.!?…]+(?=\s)|\n")
LEAST_PHONE_DIGITS = 7
PHONE_DIGITS = 10
"""The last digits of a phone number; the code of a country is written in several ways."""
LEAST_STEM = 3
LONGEST_ENDING = 4
_PHONE_SIGN = r"[\s()./_·‐‑‒–—―−-]{0,3}"
_PHONE_RUN = re.compile(rf"\+?\d(?:{_PHONE_SIGN}\d){{6,}}")
_CODE = re.compile(rf"\+?(?<!\d)\d{{1,3}}{_PHONE_SIGN}$")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]")
_WIDE = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]")
_STRESS = re.compile("[\u0300-\u036f]")
_APART = re.compile(f"[{_STRESS.pattern[1:-1]}{_UNSEEN.pattern[1:-1]}{_WIDE.pattern[1:-1]}]")
"""Marks, signs that are not seen, letters and digits of another width: they say the same word."""


Place = tuple[int, int]
"""A phrase by its number, and the place of one of its words in it."""


@dataclass(frozen=True)
class _Word:
    """Which words of a text are this word of a value: `exact` ones, and for a word of no dictionary
    `stem` with one of its endings."""

    exact: frozenset[str]
    stem: str | None = None
    endings: re.Pattern[str] | None = None

    def fits(self, word: str) -> bool:
        return word in self.exact or (
            self.stem is not None
            and self.endings is not None
            and word.startswith(self.stem)
            and self.endings.fullmatch(word, len(self.stem)) is not None
        )


@dataclass(frozen=True)
class Forms:
    """All forms of some values (`names`: those phrases that may have a middle name within), ready to be
    looked for: by that word of a phrase which the fewest
    others have, so that a text costs the same however many values there are."""

    phrases: tuple[tuple[_Word, ...], ...] = ()
    names: frozenset[tuple[_Word, ...]] = frozenset()
    numbers: frozenset[str] = frozenset()
    phones: frozenset[str] = frozenset()
    _by_word: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    _by_stem: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.phrases or self.numbers or self.phones)

    def with_word(self, word: str) -> Iterator[tuple[tuple[_Word, ...], int]]:
        """Phrases that are known by this word, and at which of their places it stands."""
        for i, at in self._by_word.get(word, ()):
            yield self.phrases[i], at
        for n in range(min(len(word), LONGEST_ENDING + 1)):
            for i, at in self._by_stem.get(word[: len(word) - n], ()):
                known_by = self.phrases[i][at]
                if word not in known_by.exact and known_by.fits(word):
                    yield self.phrases[i], at


def forms(values: Iterable[tuple[str, str]]) -> Forms:
    """The forms of (value, value type) pairs; types are those of the registry, and `name`.

    Values that a text cannot be searched by (single letters, numbers under 100, truth values) have
    none: what was said of them goes with its evidence.
    """
    phrases: dict[tuple[_Word, ...], None] = {}
    names: set[tuple[_Word, ...]] = set()
    numbers, phones = set(), set()
    for value, value_type in values:
        digits = re.sub(r"\D", "", value)[-PHONE_DIGITS:]
        if value_type == "phone" and len(digits) >= LEAST_PHONE_DIGITS:
            phones.add(digits)
            continue
        for order in orders_of_name(words_of(value)) if value_type == NAME_TYPE else ():
            phrase = tuple(map(_word, order))
            phrases[phrase] = None
            if len(phrase) == len(_PAIR):
                names.add(phrase)
        for spelling in spellings(value, value_type):
            if (amount := amount_of(spelling)) is not None:
                numbers |= {amount} if len(amount) >= LEAST_DIGITS else set()
            elif phrase := _phrase(spelling):
                phrases[phrase] = None
    n_phrases = Counter(word for phrase in phrases for word in set(phrase))
    by_word: dict[str, list[Place]] = defaultdict(list)
    by_stem: dict[str, list[Place]] = defaultdict(list)
    for i, phrase in enumerate(phrases):
        at = min(range(len(phrase)), key=lambda n: n_phrases[phrase[n]])
        for word in phrase[at].exact:
            by_word[word].append((i, at))
        if (stem := phrase[at].stem) is not None:
            by_stem[stem].append((i, at))
    return Forms(
        tuple(phrases),
        frozenset(names),
        frozenset(numbers),
        frozenset(phones),
        {word: tuple(places) for word, places in by_word.items()},
        {stem: tuple(places) for stem, places in by_stem.items()},
    )


def find(looked_for: Forms, text: str) -> list[tuple[int, int]]:
    """Spans [start, end) of the mentions, in code points of `text` as given, sorted and disjoint."""
    if not looked_for or not text:
        return []
    folded, places = _fold(text)
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(folded)]
    spans = []
    for i, (word, _, _) in enumerate(words):
        for phrase, at in looked_for.with_word(word):
            runs = [words[max(i - at, 0) : i - at + len(phrase)]]
            if phrase in looked_for.names:
                runs.append(_around_middle(words, i - at * 2, folded))
            for run in runs:
                end = _phrase_end(phrase, run, folded)
                if end is not None:
                    ending = _ENDED.match(folded, end)
                    spans.append((run[0][1], ending.end() if ending else end))
    if looked_for.numbers:
        spans += (
            (start, end) for start, end, digits in amounts(folded) if digits in looked_for.numbers
        )
    if looked_for.phones:
        spans += _phone_spans(looked_for.phones, folded)
    if places is not None:
        spans = [(places[start], places[end]) for start, end in spans]
    return merged(spans)


def _phone_spans(phones: frozenset[str], folded: str) -> Iterator[tuple[int, int]]:
    """Phone numbers however their digits are grouped, with the code before them."""
    for run in _PHONE_RUN.finditer(folded):
        places = [run.start() + i for i, letter in enumerate(run[0]) if letter.isdigit()]
        digits = "".join(folded[place] for place in places)
        for length in {len(phone) for phone in phones}:
            for i in range(len(digits) - length + 1):
                if digits[i : i + length] not in phones:
                    continue
                after = places[i + length - 1] + 1
                if after < len(folded) and folded[after].isdigit():
                    continue
                code = _CODE.search(folded, run.start(), places[i])
                yield code.start() if code else places[i], after


def merged(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same characters as sorted, disjoint spans; empty ones fall away."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def without(
    spans: Iterable[tuple[int, int]], staying: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The characters of `spans` that no span of `staying` holds."""
    left = merged(spans)
    for low, high in merged(staying):
        left = [
            piece
            for start, end in left
            for piece in ((start, min(end, low)), (max(start, high), end))
            if piece[0] < piece[1]
        ]
    return left


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span [start, end) with the rest of the sentences or lines that it lies in."""
    before = [found.end() for found in _SENTENCE_END.finditer(text, 0, start)]
    after = _SENTENCE_END.search(text, end)
    return before[-1] if before else 0, after.start() if after else len(text)


def redacted(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with █ for every character of the spans that is not a space; the length stays."""
    out = list(text)
    for start, end in spans:
        for i in range(max(start, 0), min(end, len(out))):
            if not out[i].isspace():
                out[i] = MASK
    return "".join(out)


def words_of(text: str) -> list[str]:
    """The words of a text, folded as they are compared."""
    return _WORD.findall(_fold(text)[0])


def normal_value(value: str) -> str:
    """The dictionary forms of a value's words, one choice where there are several: what keys of
    suppressed values are made of, as `keys.of("suppressed value", tenant_id, normal_value(v))`."""
    return " ".join(_normal(word) for word in words_of(value) if word not in _ARTICLES)


def normals_of(word: str) -> frozenset[str]:
    """The dictionary forms that a folded word may be of."""
    return _normals(word)


def normal_spans(
    text: str, max_words: int = 4, begins: Callable[[str], bool] | None = None
) -> Iterator[tuple[int, int, str]]:
    """Every run of up to `max_words` words, in each of its dictionary forms: (start, end, normal),
    offsets in code points of `text`. Some normal of a run is equal to `normal_value` of a value
    exactly where the run is that value in some form. With `begins` only runs whose first word,
    folded, it takes."""
    folded, places = _fold(text)
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(folded)]
    for i, (word, start, _) in enumerate(words):
        if begins is not None and not begins(word):
            continue
        for n in range(1, max_words + 1):
            run = words[i : i + n]
            if len(run) < n or (n > 1 and not _GAP.fullmatch(folded, run[-2][2], run[-1][1])):
                break
            ending = _ENDED.match(folded, run[-1][2])
            end = ending.end() if ending else run[-1][2]
            at = (start, end) if places is None else (places[start], places[end])
            for normals in product(*(sorted(_normals(word)) for word, _, _ in run)):
                yield *at, " ".join(normals)


def amount_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Every number of a text, however it is written: (start, end, digits), offsets in code points."""
    folded, places = _fold(text)
    for start, end, digits in amounts(folded):
        if len(digits) >= LEAST_DIGITS:
            yield ((start, end, digits) if places is None else (places[start], places[end], digits))


def search_words(looked_for: Forms) -> list[list[tuple[list[str], str | None]]]:
    """For a full-text search: of each phrase, of each word, its exact forms and a prefix."""
    return [[(sorted(word.exact), word.stem) for word in phrase] for phrase in looked_for.phrases]


_PAIR = ("given", "family")
_MIDDLE = re.compile(r"[а-я]{2,}(?:ович|евич|ьич|овн|евн|ичн)[а-я]{0,3}|[^\W\d_]")
"""A patronymic in any form, or an initial."""


def orders_of_name(words: Sequence[str]) -> list[list[str]]:
    """The ways in which a name of two words, or of two and a middle one, is written: either first, the
    middle name left out, or last. Of any other name there is one, which is not given."""
    if len(words) == len(_PAIR):
        return [list(words), list(words[::-1])]
    if len(words) == len(_PAIR) + 1 and _MIDDLE.fullmatch(words[1]):
        given, middle, family = words
        return [[given, family], [family, given], [family, given, middle]]
    return []


def name_spans(
    text: str, max_words: int, begins: Callable[[str], bool]
) -> Iterator[tuple[int, int, str]]:
    """As `normal_spans`, and every pair of words around a patronymic or an initial."""
    yield from normal_spans(text, max_words, begins)
    folded, places = _fold(text)
    words = [(found[0], found.start(), found.end()) for found in _WORD.finditer(folded)]
    for i, (word, start, _) in enumerate(words):
        pair = _around_middle(words, i, folded)
        if pair and begins(word):
            end = pair[1][2]
            at = (start, end) if places is None else (places[start], places[end])
            for normals in product(*(sorted(_normals(one)) for one, _, _ in pair)):
                yield *at, " ".join(normals)


def _around_middle(
    words: Sequence[tuple[str, int, int]], first: int, folded: str
) -> list[tuple[str, int, int]]:
    """The word at `first` and the next but one, where a middle name stands between; else nothing. The
    first one is said to end where the middle name does."""
    run = words[first : first + len(_PAIR) + 1] if first >= 0 else []
    if len(run) <= len(_PAIR) or not _MIDDLE.fullmatch(run[1][0]):
        return []
    if len(run[1][0]) == 1 and not folded.startswith(".", run[1][2]):
        return []  # "и", "a" are words of their own
    if not _GAP.fullmatch(folded, run[0][2], run[1][1]):
        return []
    if not _GAP.fullmatch(folded, run[1][2], run[2][1]):
        return []
    return [(run[0][0], run[0][1], run[1][2]), run[2]]


def _phrase_end(
    phrase: Sequence[_Word], run: Sequence[tuple[str, int, int]], folded: str
) -> int | None:
    if len(run) < len(phrase):
        return None
    for i, (word, (text, start, _)) in enumerate(zip(phrase, run, strict=True)):
        if not word.fits(text) or (i and not _GAP.fullmatch(folded, run[i - 1][2], start)):
            return None
    return run[-1][2]


def _fold(text: str) -> tuple[str, list[int] | None]:
    """The text as it is compared, and where each of its characters (and its end) stands in `text`;
    None where nothing shifts."""
    low = text.lower()
    if (
        len(low) == len(text)
        and _APART.search(text) is None
        and unicodedata.is_normalized("NFC", text)
    ):
        return low.replace("ё", "е"), None
    out: list[str] = []
    places: list[int] = []
    i = 0
    while i < len(text):
        j = i + 1
        while j < len(text) and (unicodedata.combining(text[j]) or _UNSEEN.match(text[j])):
            j += 1
        kept = _UNSEEN.sub("", text[i:j])
        form: Literal["NFC", "NFKC"] = "NFKC" if _WIDE.match(kept) else "NFC"
        cluster = unicodedata.normalize(form, kept).lower().replace("ё", "е")
        # a mark of stress that joins no letter
        cluster = _STRESS.sub("", cluster)
        # one character of the text may fold to several, whose span is still the whole of it
        out.append(cluster)
        places += [i] * len(cluster)
        i = j
    places.append(len(text))
    return "".join(out), places


def _phrase(value: str) -> tuple[_Word, ...]:
    words = [word for word in words_of(value) if word not in _ARTICLES]
    # a single letter says nothing, a date of digits alone does
    return tuple(_word(word) for word in words) if sum(map(len, words)) > 1 else ()


@lru_cache(maxsize=65536)
def _word(word: str) -> _Word:
    if word.isdigit():
        return _Word(frozenset({word}))
    russian = is_russian(word)
    if russian and any(parse.is_known for parse in parses(word)):
        return _Word(frozenset({word}) | _lexemes(word))
    exact = {word}
    if russian:
        exact |= _lexemes(word)
    elif not _CYRILLIC.search(word):
        exact |= {f"{word}s", f"{word}es"} | ({f"{word[:-1]}ies"} if word.endswith("y") else set())
    if len(word) < LEAST_STEM:
        return _Word(frozenset(exact))
    for last, endings in _DECLENSIONS:
        found = last.search(word)
        if found is not None:
            return _Word(frozenset(exact), word[: found.start()], endings)
    raise AssertionError("the last rule fits every word")


def _lexemes(word: str) -> frozenset[str]:
    """All forms of the dictionary entries that a Russian word may be of: of names and things, where
    it can be one."""
    read = parses(word)
    named = [parse for parse in read if parse.tag.POS in _NOUNS] or list(read[:1])
    entries = [parse for parse in named if parse.normal_form.replace("ё", "е") == word] or named
    return frozenset(form.word.replace("ё", "е") for parse in entries for form in parse.lexeme)


@lru_cache(maxsize=65536)
def _normals(word: str) -> frozenset[str]:
    """The dictionary forms that a word may be of. Words of no dictionary lose their ending."""
    if is_russian(word) and any(parse.is_known for parse in parses(word)):
        return frozenset(parse.normal_form.replace("ё", "е") for parse in parses(word))
    if _CYRILLIC.search(word):
        return frozenset({word} | _bare(word))
    latin = {word} | {word.removesuffix(end) for end in ("s", "es") if len(word) > LEAST_STEM}
    return frozenset(latin | ({f"{word[:-3]}y"} if word.endswith("ies") else set()))


def _normal(word: str) -> str:
    found = _normals(word)
    # a word that is in a dictionary's form already means itself
    is_known = is_russian(word) and any(parse.is_known for parse in parses(word))
    return word if is_known and word in found else min(found)


def _bare(word: str) -> frozenset[str]:
    """A word of no dictionary without each ending that it may have."""
    return frozenset(
        word[:-n]
        for n in range(1, 4)
        if len(word) - n >= LEAST_STEM and _ENDED_WORD.fullmatch(word[-n:])
    )
