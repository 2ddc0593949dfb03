"""The landing folder: files handed over for good, sealed into the archive once read whole."""

import stat
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Literal
from uuid import UUID

from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.ingest.folder_log import changed_at, is_folder_log, open_log, remove
from memory_pipeline.local.files import make_folder

SETTLED_S = 2.0
"""A file younger than this may still be written; writers that rename into place need not wait."""

_UNFINISHED = (".part", ".tmp", ".crdownload")

Policy = Literal["seal", "delete", "leave"]


def waiting(folder: Path, *, now: float | None = None) -> list[Path]:
    """Logs of the folder that are finished, by name: regular files, and folders that are one log.
    Links, pipes, hidden files and files that may still be written are passed over."""
    if not folder.is_dir():
        return []
    moment = time.time() if now is None else now
    return [path for path in _finished(folder) if moment - changed_at(path) >= SETTLED_S]


def _finished(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        mode = path.lstat().st_mode
        if path.name.startswith("."):
            continue
        if stat.S_ISDIR(mode):
            if is_folder_log(path):
                yield path
            else:
                yield from _finished(path)
        elif stat.S_ISREG(mode) and path.suffix not in _UNFINISHED:
            yield path


def log_files(paths: Iterator[Path] | list[Path]) -> Iterator[Path]:
    """The logs among `paths` and in the folders among them, by name; in a folder links, pipes, hidden
    and unfinished files are passed over.

    Raises `FileNotFoundError` for a path that is not there and `ValueError` for one that is neither
    a file nor a folder.
    """
    for path in paths:
        if path.is_dir() and is_folder_log(path):
            yield path
        elif path.is_dir():
            yield from _finished(path)
        elif path.is_file():
            yield path
        elif path.exists():
            raise ValueError(f"{path}: neither a file nor a folder; a pipe cannot be read twice")
        else:
            raise FileNotFoundError(f"{path}: there is no such file or folder")


def hand_over(
    path: Path,
    file_id: UUID | None,
    archive: Path,
    sealer: Sealer,
    policy: Policy = "seal",
    allowed: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Path | None:
    """Take a file that was read whole out of the landing folder; returns where it is sealed.

    A run that died in between seals again and removes then: never the other way round. The sealed
    file takes its place inside `allowed()`, which raises where something of it may be erased since
    it was read; nothing is sealed then.
    """
    if policy == "leave":
        return None
    target = None
    if policy == "seal" and file_id is not None:
        make_folder(archive.parent)
        make_folder(archive)
        target = archive / f"{file_id}.sealed"
        if not target.exists():
            _seal(path, target, sealer, allowed)
    remove(path)
    return target


def _seal(
    path: Path, target: Path, sealer: Sealer, allowed: Callable[[], AbstractContextManager[object]]
) -> None:
    waiting_file = target.with_name(f"{target.name}.new")
    try:
        with open_log(path) as source:
            sealer.seal_file(source, waiting_file)
        with allowed():
            waiting_file.replace(target)
    finally:
        waiting_file.unlink(missing_ok=True)
