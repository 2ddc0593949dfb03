"""Files that one account alone can read, written whole or not at all."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

FILE_MODE = 0o600
FOLDER_MODE = 0o700


class Owner:
    """The account that a file is for. None: the account of this process."""

    def __init__(self, uid: int | None = None, gid: int | None = None) -> None:
        self.uid = -1 if uid is None else uid
        self.gid = -1 if gid is None else gid


SELF = Owner()


def write_private(path: Path, data: bytes | str, owner: Owner = SELF) -> None:
    """Put `data` at `path`, readable and writable by `owner` only, by one rename."""
    raw = data.encode() if isinstance(data, str) else data
    # beside the target, under a name nobody can have made a link of
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE)
    try:
        with os.fdopen(handle, "wb") as stream:
            os.fchown(stream.fileno(), owner.uid, owner.gid)
            stream.write(raw)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def make_folder(path: Path, owner: Owner = SELF, mode: int = FOLDER_MODE) -> Path:
    """Make the folder `path` unless it is there, with this owner and mode."""
    try:
        path.mkdir(mode=FOLDER_MODE)
    except FileExistsError:
        return path
    os.chown(path, owner.uid, owner.gid)
    path.chmod(mode)
    return path


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object at `path`, or an empty one where there is no file."""
    try:
        loaded: dict[str, Any] = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    return loaded


def write_json(path: Path, value: dict[str, Any], owner: Owner = SELF) -> None:
    """Put `value` at `path` as JSON, readable by `owner` only."""
    write_private(path, json.dumps(value, indent=2, sort_keys=True) + "\n", owner)
