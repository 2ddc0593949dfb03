"""A folder that is one log, as one stream of bytes: an unpacked Slack export.

A line that says so, then for every file one line of JSON with its name and size and then its bytes.
The stream is made while it is read, so nothing is copied; it is the same for the same files, and
may be sealed into the archive like a file's.
"""

import io
import json
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from memory_pipeline.ingest.readers import slack

MAGIC = b"memory_pipeline folder 1\n"

_MAX_HEADER = 8 * 1024
_CHUNK = 256 * 1024


def is_folder_log(path: Path) -> bool:
    """Tell whether a folder is a Slack export: its lists beside folders of day files."""
    if not any((path / name).is_file() for name in slack.LISTS[:2]):
        return False
    return any(
        slack.DAY_FILE.fullmatch(f"{day.parent.name}/{day.name}") for day in path.glob("*/*")
    )


def files_of(path: Path) -> list[Path]:
    """Regular files of a folder in the order of their paths; links and hidden ones not."""
    return sorted(
        file
        for file in path.rglob("*")
        if not file.name.startswith(".") and stat.S_ISREG(file.lstat().st_mode)
    )


def open_log(path: Path) -> io.BufferedReader:
    """Open a log file, or a folder that is one log. Raises `OSError`."""
    if path.is_dir():
        return io.BufferedReader(_FolderStream(path), _CHUNK)
    return path.open("rb")


def n_bytes(path: Path) -> int:
    """Size of a log file, or of all files of a folder."""
    if path.is_dir():
        return sum(file.lstat().st_size for file in files_of(path))
    return path.stat().st_size


def changed_at(path: Path) -> float:
    """When a log file, or any file of a folder, was last written, in seconds since 1970."""
    if path.is_dir():
        return max((file.lstat().st_mtime for file in files_of(path)), default=0.0)
    return path.lstat().st_mtime


def remove(path: Path) -> None:
    """Remove a log file, or a folder with all in it."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


class _FolderStream(io.RawIOBase):
    """The bytes of a folder's files, made as they are read; can only be wound back to its start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._parts = self._pieces()
        self._waiting = b""
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if (offset, whence) != (0, io.SEEK_SET):
            raise io.UnsupportedOperation("a folder is read from its start")
        self._parts, self._waiting, self._at = self._pieces(), b"", 0
        return 0

    def readinto(self, buffer: Any) -> int:
        self._waiting = self._waiting or next(self._parts, b"")
        n = min(len(buffer), len(self._waiting))
        buffer[:n] = self._waiting[:n]
        self._waiting = self._waiting[n:]
        self._at += n
        return n

    def _pieces(self) -> Iterator[bytes]:
        yield MAGIC
        for path in files_of(self._folder):
            size = path.lstat().st_size
            name = path.relative_to(self._folder).as_posix()
            yield json.dumps({"name": name, "n_bytes": size}).encode() + b"\n"
            with path.open("rb") as stream:
                while size and (piece := stream.read(min(size, _CHUNK))):
                    size -= len(piece)
                    yield piece
            if size:
                raise OSError("a file of the folder shrank while it was read; read it again")


def members(stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Yield the files of a folder's stream by name, each to be read before the next is asked for.

    Raises `ValueError` where the bytes are no such stream.
    """
    if stream.read(len(MAGIC)) != MAGIC:
        raise ValueError("not a folder's stream")
    while header := stream.readline(_MAX_HEADER):
        name, size = _facts(header)
        member = _Member(stream, size)
        yield name, io.BufferedReader(member, _CHUNK)
        member.pass_over()


def _facts(header: bytes) -> tuple[str, int]:
    facts = json.loads(header)
    name, size = (facts.get("name"), facts.get("n_bytes")) if isinstance(facts, dict) else (0, 0)
    if not isinstance(name, str) or not isinstance(size, int) or size < 0:
        raise ValueError("a file's line must hold its name and size")
    return name, size


class _Member(io.RawIOBase):
    """The next `n_left` bytes of a stream."""

    def __init__(self, stream: BinaryIO, n_left: int) -> None:
        self._stream = stream
        self._n_left = n_left

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._stream.read(min(len(buffer), self._n_left))
        buffer[: len(piece)] = piece
        self._n_left -= len(piece)
        return len(piece)

    def pass_over(self) -> None:
        """Leave the stream behind this member's end."""
        while self._n_left:
            piece = self._stream.read(min(self._n_left, _CHUNK))
            if not piece:
                raise ValueError("the stream ends inside a file")
            self._n_left -= len(piece)
