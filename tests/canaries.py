"""Unique strings to plant and to look for, and a scanner of bytes that owes the product nothing.

All canaries begin with one of two stems, so a scan looks for the stems' encodings and compares the
rest only there: two hundred strings in a dozen encodings cost a few passes over the bytes.
"""

import base64
import json
import mmap
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import quote

CYRILLIC_STEM, LATIN_STEM = "Щай", "Qvoxy"
_CYRILLIC = ("ба", "ве", "ги", "до", "жу", "ла", "ми", "но", "ру", "са")
_LATIN = ("ba", "ve", "gi", "do", "zu", "la", "mi", "no", "ru", "sa")
_HEAD = 5


def cyrillic(number: int) -> str:
    """A string of its own for each number below 1,000, with a letter that NFD takes apart."""
    return CYRILLIC_STEM + _digits(_CYRILLIC, number)


def latin(number: int) -> str:
    """The same in ASCII."""
    return LATIN_STEM + _digits(_LATIN, number)


def _digits(syllables: tuple[str, ...], number: int) -> str:
    return "".join(syllables[number // power % 10] for power in (100, 10, 1))


def _base64(raw: bytes, lead: int) -> bytes:
    """What of the base64 is the same whatever stands around, `lead` bytes after a multiple of 3."""
    coded = base64.b64encode(bytes(lead) + raw)
    return coded[-(-lead * 8 // 6) : (lead + len(raw)) * 8 // 6]


ENCODINGS: Mapping[str, Callable[[str], bytes]] = {
    "plain": str.encode,
    "small": lambda text: text.lower().encode(),
    "nfd": lambda text: unicodedata.normalize("NFD", text).encode(),
    "utf-16-le": lambda text: text.encode("utf-16-le"),
    "utf-16-be": lambda text: text.encode("utf-16-be"),
    "hex": lambda text: text.encode().hex().encode(),
    "HEX": lambda text: text.encode().hex().upper().encode(),
    "base64 0": lambda text: _base64(text.encode(), 0),
    "base64 1": lambda text: _base64(text.encode(), 1),
    "base64 2": lambda text: _base64(text.encode(), 2),
    "url": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()).encode(),
    "url of words": lambda text: quote(text).encode(),
    "json": lambda text: json.dumps(text)[1:-1].encode(),
}
"""Ways in which a text may lie in bytes."""


class CanaryScanner:
    """Tells which of some canaries lie in bytes, in whatever encoding."""

    def __init__(self, canaries: Iterable[str]) -> None:
        self._by_head: dict[bytes, list[tuple[bytes, str]]] = defaultdict(list)
        for canary in canaries:
            for pattern in {encode(canary) for encode in ENCODINGS.values()}:
                self._by_head[pattern[:_HEAD]].append((pattern, canary))

    def found_in(self, data: bytes | mmap.mmap) -> set[str]:
        """The canaries in bytes."""
        found = set()
        for head, patterns in self._by_head.items():
            longest = max(len(pattern) for pattern, _ in patterns)
            at = data.find(head)
            while at >= 0:
                near = data[at : at + longest]
                found |= {canary for pattern, canary in patterns if near.startswith(pattern)}
                at = data.find(head, at + 1)
        return found

    def places(self, *folders: Path) -> dict[str, set[str]]:
        """For each canary found the files under some folders that hold it or bear it in their
        name, by their path from the folder; links are followed."""
        found: dict[str, set[str]] = defaultdict(set)
        for folder in folders:
            for path in _files(folder):
                name = str(path.relative_to(folder))
                for canary in self.found_in(name.encode()) | self._in_file(path):
                    found[canary].add(name)
        return dict(found)

    def _in_file(self, path: Path) -> set[str]:
        if not path.stat().st_size:
            return set()
        with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as m:
            return self.found_in(m)


def _files(folder: Path) -> Iterator[Path]:
    # a service's folder may be a link: root's services keep theirs elsewhere
    for path in folder.iterdir():
        if path.is_dir():
            yield from _files(path)
        elif path.is_file():
            yield path
