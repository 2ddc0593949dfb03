"""Bytes of erased content: in which encodings they may lie somewhere, and a scan for them.

The scan looks for any number of needles at once at the speed of a few numpy passes: each pattern is
recognised by eight of its bytes, looked up in a bitmap of hashes, and compared where it may begin.
"""

import base64
import json
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

import numpy as np

MIN_BYTES = 6
"""Shorter patterns meet by chance in files of gigabytes; they are looked for in texts only."""

Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

_ANCHOR = 8
_LEAST_BITS, _MOST_BITS = 20, 26
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_CHUNK = 4 << 20


def encodings(value: str) -> set[bytes]:
    """The ways in which a text may lie in a file: UTF-8 and UTF-16 (NFC and NFD), hex, base64 at
    each of its three alignments, URL-encoded, escaped in JSON."""
    found: set[bytes] = set()
    for form in {value, unicodedata.normalize("NFC", value), unicodedata.normalize("NFD", value)}:
        raw = form.encode("utf-8", "surrogatepass")
        found |= {
            raw,
            form.encode("utf-16-le", "surrogatepass"),
            form.encode("utf-16-be", "surrogatepass"),
            raw.hex().encode(),
            raw.hex().upper().encode(),
            quote(raw).encode(),
            quote(raw).lower().encode(),
            json.dumps(form)[1:-1].encode(),
            json.dumps(form, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass"),
            *_base64(raw),
        }
    return {pattern for pattern in found if len(pattern) >= MIN_BYTES}


def _base64(raw: bytes) -> Iterator[bytes]:
    for lead in range(3):
        # the characters that depend on the needle alone
        text = base64.b64encode(bytes(lead) + raw)
        start = (lead * 8 + 5) // 6
        end = (lead + len(raw)) * 8 // 6
        yield text[start:end]


class Scanner:
    """Looks for needles, each known by a number and any number of byte patterns."""

    def __init__(self, patterns: Iterable[tuple[int, bytes]]) -> None:
        self._short: list[tuple[int, bytes]] = []
        self._by_anchor: dict[bytes, list[tuple[int, bytes]]] = defaultdict(list)
        for number, pattern in set(patterns):
            if len(pattern) < _ANCHOR:
                self._short.append((number, pattern))
            else:
                self._by_anchor[pattern[:_ANCHOR]].append((number, pattern))
        # sparse, so that few places have to be compared
        bits = (len(self._by_anchor) * 64).bit_length()
        self._bits = min(max(bits, _LEAST_BITS), _MOST_BITS)
        self._bitmap = np.zeros(1 << self._bits, dtype=bool)
        anchors = np.frombuffer(b"".join(self._by_anchor), dtype="<u8")
        self._bitmap[_hashed(anchors, self._bits)] = True
        sizes = [len(pattern) for _, pattern in self._short]
        sizes += [len(p) for found in self._by_anchor.values() for _, p in found]
        self.longest = max(sizes, default=0)

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> "Scanner":
        """A scanner of texts in all their encodings, numbered in their order."""
        return cls((n, pattern) for n, text in enumerate(texts) for pattern in encodings(text))

    def hits(self, data: bytes) -> set[int]:
        """Numbers of the needles that `data` holds."""
        found = {number for number, pattern in self._short if pattern in data}
        if not self._by_anchor:
            return found
        for shift in range(_ANCHOR):
            n = (len(data) - shift) // _ANCHOR
            if n <= 0:
                break
            words = np.frombuffer(data, dtype="<u8", count=n, offset=shift)
            for at in np.flatnonzero(self._bitmap[_hashed(words, self._bits)]):
                start = int(at) * _ANCHOR + shift
                for number, pattern in self._by_anchor.get(data[start : start + _ANCHOR], ()):
                    if number not in found and data.startswith(pattern, start):
                        found.add(number)
        return found

    def hits_in(self, stream: BinaryIO) -> set[int]:
        """Numbers of the needles that a stream holds, read in flat memory."""
        found: set[int] = set()
        tail = b""
        while chunk := stream.read(_CHUNK):
            data = tail + chunk
            found |= self.hits(data)
            tail = data[-(self.longest - 1) :] if self.longest > 1 else b""
        return found


def _hashed(words: Words, bits: int) -> Words:
    return (words * _FACTOR) >> np.uint64(64 - bits)


def files_under(folder: Path) -> Iterator[Path]:
    """Regular files below a folder, links not followed; a file alone is itself."""
    if folder.is_file() and not folder.is_symlink():
        yield folder
        return
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path


def files_with(scanner: Scanner, folder: Path) -> Iterator[tuple[Path, set[int]]]:
    """Files below a folder that hold a needle, or bear one in their name, with the needles'
    numbers. A file that goes while it is looked for is passed over; raises `OSError` for one that
    may not be read."""
    for path in files_under(folder):
        try:
            with path.open("rb") as stream:
                found = scanner.hits_in(stream)
        except FileNotFoundError:
            continue
        found |= scanner.hits(str(path.relative_to(folder)).encode("utf-8", "surrogateescape"))
        if found:
            yield path, found
