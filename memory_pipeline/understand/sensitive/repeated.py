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
_TOKEN = re.compile(r"[^\s«»“”„█]{3,}")
_INNER = re.compile(r"[^:=/|,;@()\[\]{}<>\"'`’.?&!*~]{3,}")
_OPENING, _CLOSING = "([{<\"'`*_~#", ".,;:!?)]}>\"'`*_~…"
_MOST_CUTS = 4
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
    return len(value) >= LEAST_TELLING and not value.isalpha()


def forms(text: str, *, telling_only: bool = False) -> Iterator[Form]:
    """The forms of a text's tokens, overlapping where one lies in another."""
    if len(text) < _LEAST or (telling_only and text.isalpha()):
        return
    seen = Unveiled(text)
    shown = seen.shown
    marks = [m.span() for m in MARK.finditer(shown)] if "[" in shown else []
    for start, end in _spans(shown):
        if any(start < until and since < end for since, until in marks):
            continue
        value = shown[start:end]
        telling = is_telling(value)
        if telling_only and not telling:
            continue
        kinds = [("password", value)]
        if len(value) >= _LEAST_KEY and not value.isalpha():
            kinds.append(("api_key", value))
        yield Form(*seen.span(start, end), tuple(kinds), telling)
    for match in _NUMBER.finditer(shown):
        digits = _GAPS.sub("", match.group())
        kinds = [("password", match.group())] if digits != match.group() else []
        if len(digits) >= _LEAST_IDENTIFIER:
            kinds += [(kind, digits) for kind in _NUMBER_TYPES]
        if kinds:
            yield Form(*seen.span(*match.span()), tuple(kinds), is_telling(digits))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    for token in _TOKEN.finditer(text):
        word = token.group()
        start, end = token.span()
        if word.isalnum():
            yield from _checked(text, ((start, end), _without_ending(text, start, end)))
        else:
            yield from _checked(text, _wrapped(text, start, end))


def _wrapped(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The token without what opens and closes it, cut at each closing sign, and its inner parts."""
    lead = start
    while lead < end and text[lead] in _OPENING:
        lead += 1
    for since in {start, lead}:
        until = end
        for _ in range(_MOST_CUTS):
            yield since, until
            if until <= since or text[until - 1] not in _CLOSING:
                break
            until -= 1
        else:
            until = since + len(text[since:until].rstrip(_CLOSING))
        yield _without_ending(text, since, until)
    for part in _INNER.finditer(text, start, end):
        yield part.span()
        yield _without_ending(text, *part.span())
    # a value may hold such a sign: what stands behind "login:" or before "@host"
    for sign in (":", "=", "/"):
        at = text.find(sign, start, end)
        if at > 0:
            host = text.rfind("@", at, end)
            yield at + 1, end
            yield at + 1, start + len(text[start:end].rstrip(_CLOSING))
            if host > 0:
                yield at + 1, host


def _without_ending(text: str, start: int, end: int) -> tuple[int, int]:
    ending = _ENDING.search(text[start:end])
    return (start, start + ending.start()) if ending else (start, end)


def _checked(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans that could be a secret's, each once."""
    for start, end in set(spans):
        value = text[start:end]
        if not _LEAST <= len(value) <= _MOST:
            continue
        if value.isalpha() and len(value) < LEAST_TELLING:
            continue
        if not _YEAR.match(value) and any(map(str.isalnum, value)):
            yield start, end
