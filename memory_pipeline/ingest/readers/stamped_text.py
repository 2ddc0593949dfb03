"""Chats as plain text: a line that begins with a time begins a message, other lines continue it."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.strict_json import BOM

_FIRST_LINES = 5

# what phones put around names and times to keep the direction of the writing
MARKS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"

_SPEAKER = re.compile(r"(?P<speaker>[^\n]{1,200}?):(?: |\n|$)")


@dataclass(slots=True)
class Stamped:
    """One message or row: its stamp, what follows it, and the line it begins at."""

    position: int
    stamp: re.Match[str] | None
    text: str
    raw: bytes
    refused: Refused | None = None

    def kept(self) -> bytes:
        """What quarantine keeps: behind its line's number, since a row that was read again alone
        would be taken for a chat of its own, in an order of day and month of its own."""
        return b"line %d\n%s" % (self.position, self.raw)


def begins_with(stamp: re.Pattern[str], head: bytes) -> bool:
    """Tell whether one of a file's first lines that are not empty begins with the stamp."""
    text = head.removeprefix(BOM).decode("utf-8", "replace").lstrip()
    lines = [line for line in text.split("\n", 50)[:50] if line.strip()]
    return any(stamp.match(line) for line in lines[:_FIRST_LINES])


def stamped(stream: BinaryIO, options: ReadOptions, stamp: re.Pattern[str]) -> Iterator[Stamped]:
    """Yield every row of a text whose lines begin, at a new message, with `stamp`.

    A row is refused that is too large or no UTF-8, and what stands before the first stamp.
    """
    row: _Growing | None = None
    limit = options.max_record_bytes
    number = 0
    while line := stream.readline(limit + 1):
        # the pieces of an over-long line are one line
        fresh = row is None or row.ends_line
        number += fresh
        if number == 1 and fresh:
            line = line.removeprefix(BOM)
        found = stamp.match(line.decode("utf-8", "replace")) if fresh else None
        if row is None and found is None and not line.strip():
            continue
        if row is None or found is not None:
            if row is not None:
                yield row.finished(limit)
            row = _Growing(number, found)
        row.add(line, limit)
    if row is not None:
        yield row.finished(limit)


class _Growing:
    """A row whose lines are still coming; of a too large one the beginning is kept."""

    def __init__(self, position: int, stamp: re.Match[str] | None) -> None:
        self.ends_line = False
        self._position = position
        self._stamp = stamp
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, line: bytes, limit: int) -> None:
        if self._size <= limit:
            self._lines.append(line)
        self._size += len(line)
        self.ends_line = line.endswith(b"\n")

    def finished(self, limit: int) -> Stamped:
        row = Stamped(self._position, self._stamp, "", b"".join(self._lines))
        try:
            if self._size > limit:
                raise Refused(
                    Reason.too_large, f"over {limit} bytes; split the message or raise the limit"
                )
            text = row.raw.decode("utf-8")
            if self._stamp is None:
                raise Refused(
                    Reason.bad_field, "text before the first time stamp; no message is in it"
                )
            if "\x00" in text:
                raise Refused(Reason.bad_text, "a NUL stands in the text; remove it")
        except UnicodeDecodeError:
            row.refused = Refused(Reason.not_utf8, "not UTF-8; save the chat as UTF-8")
        except Refused as refused:
            row.refused = refused
        else:
            row.text = text[self._stamp.end() :].replace("\r\n", "\n").rstrip("\r\n")
        return row


def split_speaker(text: str) -> tuple[str, str] | None:
    """Return a row's speaker and words; None for a row that nobody speaks."""
    found = _SPEAKER.match(text)
    if found is None:
        return None
    speaker = found["speaker"].strip(MARKS + " \u00a0~")
    return (speaker, text[found.end() :]) if speaker else None


def name_by_beginning(rows: Iterator[Stamped]) -> str:
    """Return a dialog's id: a hash over its first row and the first one that somebody speaks.

    The format knows no id, and a chat that grew or whose file was renamed is still the same.
    """
    first: str | None = None
    for row in rows:
        if row.stamp is None:
            continue
        said = row.stamp[0].strip(MARKS) + row.text
        first = said if first is None else first
        if split_speaker(row.text) is not None:
            return _named(f"{first}\n{said}")
    return _named(first or "")


def _named(beginning: str) -> str:
    settled = unicodedata.normalize("NFC", beginning)
    return f"sha256:{hashlib.sha256(settled.encode('utf-8', 'replace')).hexdigest()[:32]}"
