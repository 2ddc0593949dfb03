"""Large JSON documents, part by part: what a reader asks for is handed over raw, one at a time.

A reader names the lists and objects to walk into and the parts to take; everything else is passed
over. Memory is bounded by the largest part, whatever the file's size. A part that is not sound JSON
is handed over all the same, for `strict_json.parse` to refuse: its brackets tell where it ends.
"""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.strict_json import BOM

Path = tuple[str, ...]
"""Where a part stands: keys of objects, and ITEM for the elements of a list."""

ITEM = "[]"

_CHUNK = 256 * 1024
_MAX_KEYS = 10_000

# up to the next bracket that stands outside a string
_NEXT_BRACKET = re.compile(
    rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"\[\]{}]*+)*+[\[\]{}]', re.DOTALL
)
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR = re.compile(rb"[^\s\[\]{},:\"]+")
_SPACE = re.compile(rb"[ \t\r\n]*+")


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a document.

    `opened` says that an object of this path begins: `raw` is then empty, its parts follow.
    `refused` says why a part, or at the path () the whole rest of the file, cannot be read.
    """

    path: Path
    raw: bytes = b""
    opened: bool = False
    refused: Refused | None = None


def walk(
    stream: BinaryIO,
    options: ReadOptions,
    *,
    lists: Collection[Path],
    objects: Collection[Path],
    take: Collection[Path],
) -> Iterator[Part]:
    """Yield the parts under `take`, and an opening for every object under `objects`.

    Documents may follow one another. A part over `max_document_bytes` is refused and the next one
    read; after a defect between parts the rest of the file is refused as one part.
    """
    source = _Source(stream, options.max_document_bytes)
    try:
        if source.peek(at_end=b"") == BOM[:1]:
            source.step(len(BOM))
        while source.peek(at_end=b""):
            yield from _walk(source, (), lists, objects, take)
    except Refused as refused:
        yield Part((), source.rest(options.max_record_bytes + 1), refused=refused)


def _walk(
    source: "_Source",
    path: Path,
    lists: Collection[Path],
    objects: Collection[Path],
    take: Collection[Path],
) -> Iterator[Part]:
    first = source.peek()
    if first == b"[" and path in lists:
        source.step()
        below = (*path, ITEM)
        if source.peek() == b"]":
            source.step()
            return
        while True:
            yield from _walk(source, below, lists, objects, take)
            if source.separator(b"]"):
                return
    elif first == b"{" and path in objects:
        yield Part(path, opened=True)
        source.step()
        if source.peek() == b"}":
            source.step()
            return
        seen: set[str] = set()
        while True:
            key = source.key()
            if key in seen:
                raise Refused(
                    Reason.duplicate_key, "an object has one key twice; keep the right one"
                )
            seen.add(key)
            if len(seen) > _MAX_KEYS:
                raise Refused(Reason.too_complex, f"an object has over {_MAX_KEYS} keys")
            yield from _walk(source, (*path, key), lists, objects, take)
            if source.separator(b"}"):
                return
    elif path in take:
        try:
            raw = source.value()
        except _TooLarge as large:
            yield Part(path, large.kept, refused=large.refusal)
        else:
            yield Part(path, raw)
    else:
        source.pass_over()


class _TooLarge(Exception):
    """A part over the limit, passed over to its end."""

    def __init__(self, kept: bytes, size: int, limit: int) -> None:
        super().__init__()
        self.kept = kept
        self.refusal = Refused(
            Reason.too_large,
            f"{size} bytes, {limit} are allowed; split it or raise the limit",
        )


class _Source:
    """The unread part of a stream: a buffer that is refilled from its start."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._buffer = b""
        self._at = 0

    def peek(self, at_end: bytes | None = None) -> bytes:
        """Return the next byte that is no space; `at_end` where there is none."""
        while True:
            space = _SPACE.match(self._buffer, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._buffer):
                return self._buffer[self._at : self._at + 1]
            if not self._more():
                if at_end is not None:
                    return at_end
                raise _cut_short()

    def step(self, n_bytes: int = 1) -> None:
        """Pass over the byte that was peeked at."""
        self._at += n_bytes

    def separator(self, closing: bytes) -> bool:
        """Pass over a comma or a closing bracket; true for the bracket."""
        found = self.peek()
        if found not in (b",", closing):
            raise _malformed()
        self.step()
        return found == closing

    def key(self) -> str:
        """Return an object's key and pass over its colon."""
        if self.peek() != b'"':
            raise _malformed()
        raw = self._take(self._scan(_STRING))
        try:
            key: str = json.loads(raw)
        except ValueError:
            raise _malformed() from None
        if self.peek() != b":":
            raise _malformed()
        self.step()
        return key

    def value(self) -> bytes:
        """Return the next value's bytes. Raises `_TooLarge` once it has been passed over."""
        first = self.peek()
        if first in (b"{", b"["):
            return self._container()
        return self._take(self._scan(_STRING if first == b'"' else _SCALAR))

    def pass_over(self) -> None:
        """Pass over the next value, of whatever size."""
        try:
            self.value()
        except _TooLarge:
            return

    def rest(self, n_bytes: int) -> bytes:
        """Return the beginning of what was not read."""
        return self._buffer[self._at : self._at + n_bytes]

    def _container(self) -> bytes:
        depth, end, n_dropped = 0, self._at, 0
        kept = b""
        while True:
            found = _NEXT_BRACKET.match(self._buffer, end)
            if found is not None:
                end = found.end()
                depth += 1 if self._buffer[end - 1] in b"{[" else -1
                if depth == 0:
                    break
                continue
            if end - self._at > self._limit:
                kept = kept or self._buffer[self._at : self._at + self._limit]
                n_dropped += end - self._at
                self._at = end
            elif len(self._buffer) - end > self._limit:
                raise Refused(
                    Reason.too_large,
                    f"a single string of over {self._limit} bytes; the rest is not read",
                )
            seen = end - self._at
            if not self._more():
                raise _cut_short()
            end = self._at + seen
        size = n_dropped + end - self._at
        if size > self._limit:
            kept = kept or self._buffer[self._at : self._at + self._limit]
            self._at = end
            raise _TooLarge(kept, size, self._limit)
        return self._take(end)

    def _scan(self, pattern: re.Pattern[bytes]) -> int:
        while True:
            found = pattern.match(self._buffer, self._at)
            # a scalar that ends with the buffer may go on behind it
            if found is not None and (pattern is _STRING or found.end() < len(self._buffer)):
                return found.end()
            if len(self._buffer) - self._at > self._limit:
                raise Refused(
                    Reason.too_large,
                    f"a single value of over {self._limit} bytes; the rest is not read",
                )
            if not self._more():
                if found is not None:
                    return found.end()
                raise _cut_short() if pattern is _STRING else _malformed()
            if found is None and pattern is _SCALAR:
                raise _malformed()

    def _take(self, end: int) -> bytes:
        raw = self._buffer[self._at : end]
        self._at = end
        return raw

    def _more(self) -> bool:
        # as much again as waits already, so that a long value is not scanned over and over
        pending = len(self._buffer) - self._at
        chunk = self._stream.read(max(_CHUNK, min(pending, self._limit)))
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        return bool(chunk)


def _cut_short() -> Refused:
    return Refused(
        Reason.invalid_json, "not valid JSON: the file seems cut short; export it again in full"
    )


def _malformed() -> Refused:
    return Refused(
        Reason.invalid_json, "not valid JSON from here on: the rest is not read; export it again"
    )
