"""Where a text may say a secret again that another text told: the tokens that could be one.

Nothing announces a value there, so nothing but its keyed hash can tell. Of a token all forms are
given in which the sentence, an address or a path may have wrapped it. A telling one, long enough and no
plain word, may stand anywhere in a tenant; a short number or a word means the secret in its own
dialog alone.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from memory_pipeline.understand.sensitive.candidate import MARK
from memory_pipeline.understand.sensitive.veils import Unveiled

LEAST_TELLING = 6
_LEAST = 4
_LEAST_KEY = 8
_MOST = 256
_REDACTED = "█"
_WORD = re.compile(rf"(?<!\w)(?P<word>[^\W\d_]{{{LEAST_TELLING},64}})(?!\w)[!?]*")
# a digit, a sign within or letters of both sizes: what no plain word of a sentence has
_STRONG = re.compile(
    r"(?<![^\s«»“”„█])(?=[^\s«»“”„█]*?(?:\d|[^\w\s«»“”„█]\w|\w[_@#$%^&*+=~]))[^\s«»“”„█]{4,}"
)
# what may stand beside a value, and within one
_SIGN = re.compile(r"[^\w\s\-]|(?<=[A-Za-z0-9])_(?=\W|$)|(?<=\W)_")
_NEAR = 5
_SENTENCE = ".,;:!?…()\"'-—–"
# "Kite77-то", "от Kite77-го"
_ENDING = re.compile(r"(?<=[A-Za-z0-9])-?[а-яё]{1,3}\Z")
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_NUMBER = re.compile(r"(?<![\w])\d(?:[ \u00a0\-.]{0,2}\d){3,19}(?!\w)")
_NUMBER_TYPES = ("passport_ru", "bank_account", "snils", "inn")
_LEAST_IDENTIFIER = 8
_GAPS = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Form:
    """Characters [start, end) of a text that may be a secret, the types and normal forms it would
    have, and whether it would be one in every dialog."""

    start: int
    end: int
    kinds: tuple[tuple[str, str], ...] = field(repr=False)
    is_telling: bool


def is_telling(value: str) -> bool:
    """Whether a value, met anywhere, is that secret and no chance."""
    return len(value) >= LEAST_TELLING and not _is_word(value)


def _is_word(value: str) -> bool:
    """Whether nothing but a sentence's signs makes it more than one plain word."""
    return value.strip(_SENTENCE).isalpha()


def forms(text: str, *, telling_only: bool = False) -> Iterator[Form]:
    """The forms of a text's tokens, overlapping where one lies in another."""
    seen = Unveiled(text)
    shown = seen.shown
    marks = [m.span() for m in MARK.finditer(shown)] if "[" in shown else []
    for start, end in _spans(shown, telling_only):
        if marks and any(start < until and since < end for since, until in marks):
            continue
        value = shown[start:end]
        telling = is_telling(value)
        if telling_only and not telling:
            continue
        kinds: tuple[tuple[str, str], ...] = (("password", value),)
        if telling and len(value) >= _LEAST_KEY:
            kinds = (*kinds, ("api_key", value))
        yield Form(*seen.span(start, end), kinds, telling)
    for match in _NUMBER.finditer(shown):
        digits = _GAPS.sub("", match.group())
        numbers = [("password", match.group())] if digits != match.group() else []
        if len(digits) >= _LEAST_IDENTIFIER:
            numbers += [(kind, digits) for kind in _NUMBER_TYPES]
        if numbers:
            yield Form(*seen.span(*match.span()), tuple(numbers), is_telling(digits))


def _spans(text: str, telling_only: bool) -> Iterator[tuple[int, int]]:
    if not telling_only:
        for match in _WORD.finditer(text):
            yield match.span("word")
            if match.end("word") < match.end():
                yield match.span()
    for token in _STRONG.finditer(text):
        start, end = token.span()
        if token.group().isalnum():
            yield from _checked(text, ((start, end), _without_ending(text, start, end)))
        else:
            yield from _checked(text, _wrapped(text, start, end))


def _wrapped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The token between any two of its signs that lie near each other or end it: a value may hold such
    a sign, and be what stands behind "login:", before "@host", in brackets or before a full stop."""
    signs = [match.start() for match in _SIGN.finditer(text, start, end)]
    since, until = [start, *(at + 1 for at in signs)], [*signs, end]
    for n, begin in enumerate(since):
        for stop in {*until[n : n + _NEAR], *until[-_NEAR:]}:
            if begin < stop:
                yield begin, stop
                yield _without_ending(text, begin, stop)
    for stop in until:
        yield start, stop


def _without_ending(text: str, start: int, end: int) -> tuple[int, int]:
    ending = _ENDING.search(text[start:end])
    return (start, start + ending.start()) if ending else (start, end)


def _checked(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans that could be a secret's, each once."""
    for start, end in set(spans):
        value = text[start:end]
        if not _LEAST <= len(value) <= _MOST:
            continue
        if _is_word(value):
            continue
        if not _YEAR.match(value) and any(map(str.isalnum, value)):
            yield start, end
