"""Typed masks for secrets, stable placeholders for external models, and the way back.

A mask is `[CARD_1]`: ASCII in square brackets, which the tokenizers keep in a few whole tokens and
models copy unchanged; the number tells apart the different values of one text, equal values share
it. A number that the text already uses in such a form is skipped.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.contracts.vocabulary import SensitiveClass
from memory_pipeline.understand.sensitive.candidate import MARK

_NAMES = {
    "name_full": "PERSON",
    "api_key": "KEY",
    "bank_account": "ACCOUNT",
    "passport_ru": "PASSPORT",
}

_OPAQUE = re.compile(r"\d+|[0-9a-fA-F\-]{20,}|[\w\-]{1,7}")


def is_opaque(native_id: str) -> bool:
    """Whether a program counted or drew an id: a check sum in it would be chance."""
    return _OPAQUE.fullmatch(native_id) is not None


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Maps code points of a masked text to the original and back. Pieces are (original start,
    original end, masked start, masked end) of each replacement, in order."""

    pieces: tuple[tuple[int, int, int, int], ...] = ()

    def to_original(self, offset: int, *, end: bool = False) -> int:
        """The original offset of a masked one. Inside a mask: the value's start, or its end for
        the `end` of a span."""
        return self._move(offset, end, source=2, target=0)

    def to_masked(self, offset: int, *, end: bool = False) -> int:
        """The masked offset of an original one, likewise."""
        return self._move(offset, end, source=0, target=2)

    def _move(self, offset: int, end: bool, source: int, target: int) -> int:
        index = bisect_right(self.pieces, offset, key=lambda p: p[source]) - 1
        if index < 0:
            return offset
        piece = self.pieces[index]
        if offset >= piece[source + 1]:
            return offset - piece[source + 1] + piece[target + 1]
        if offset == piece[source]:
            return piece[target]
        return piece[target + 1] if end else piece[target]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A text with its spans replaced. `values` maps each replacement to the written value; it is
    left out of the representation, as it holds what must not be shown."""

    text: str
    offsets: OffsetMap
    values: Mapping[str, str] = field(repr=False)

    def restore(self, answer: str) -> str:
        """The answer with every known placeholder put back; unknown ones stay as they are."""
        return MARK.sub(lambda m: self.values.get(m.group(), m.group()), answer)


def mask(text: str, spans: Iterable[SensitiveSpan]) -> tuple[str, OffsetMap]:
    """The text with every secret of `spans` as a typed mask, and the map of offsets. Personal
    values stay. Spans must not overlap: ValueError."""
    secrets = [s for s in spans if s.sensitive_class is SensitiveClass.secret]
    done = replace_spans(text, secrets)
    return done.text, done.offsets


def placeholders(text: str, spans: Iterable[SensitiveSpan], types: frozenset[str]) -> Replaced:
    """The text as an external model may see it: every secret, and the personal values of the
    policy's `types`, as placeholders that `restore` puts back in the answer."""
    return replace_spans(
        text,
        [s for s in spans if s.sensitive_class is SensitiveClass.secret or s.type in types],
    )


def mask_name(kind: str, n: int) -> str:
    """The mark of the `n`-th distinct value of a type in a text."""
    return f"[{_NAMES.get(kind, kind.upper())}_{n}]"


def replace_spans(text: str, spans: Iterable[SensitiveSpan]) -> Replaced:
    """Every span as `[TYPE_n]`; equal values of a type get the same number."""
    taken = {m.group() for m in MARK.finditer(text)}
    marks: dict[tuple[str, str], str] = {}
    values: dict[str, str] = {}
    counts: dict[str, int] = {}
    parts: list[str] = []
    pieces: list[tuple[int, int, int, int]] = []
    at = length = 0
    for span in sorted(spans, key=lambda s: s.start):
        if span.start < at or span.end > len(text):
            raise ValueError("spans overlap or lie outside the text; pass the spans of this text")
        mark = marks.get((span.type, span.normal))
        while mark is None:
            counts[span.type] = counts.get(span.type, 0) + 1
            mark = mask_name(span.type, counts[span.type])
            if mark in taken:
                mark = None
        marks[span.type, span.normal] = mark
        values.setdefault(mark, text[span.start : span.end])
        parts += (text[at : span.start], mark)
        begin = length + span.start - at
        length = begin + len(mark)
        pieces.append((span.start, span.end, begin, length))
        at = span.end
    parts.append(text[at:])
    return Replaced("".join(parts), OffsetMap(tuple(pieces)), values)
