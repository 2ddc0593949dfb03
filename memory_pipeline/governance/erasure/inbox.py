"""Requests that come as files: `erasure-requests/<tenant>/*.json` in the home.

A file holds the selector's fields, the ground and what else a request may state; once its request
stands it is overwritten and removed, since it may name a person. A file that cannot be a request is
set aside as `.refused` beside a `.reason` that says why, without a value of it.
"""

import json
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from pydantic import ValidationError

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.erasure import Ground, Originals, Selector
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.local.files import make_folder
from memory_pipeline.local.services import Services

FOLDER = "erasure-requests"
MAX_BYTES = 64 * 1024
SETTLED_S = 2.0

logger = logging.getLogger(__name__)


class RequestFile(Contract):
    """What a request file states."""

    selector: Selector
    ground: Ground
    originals: Originals = Originals.report
    stops_learning: bool = False
    reference: str | None = None
    preview_digest: str | None = None


def inbox(services: Services, tenant: str) -> Path:
    """The tenant's watched folder, made with the home's rights."""
    folder = services.home.path / FOLDER / tenant
    make_folder(folder.parent)
    make_folder(folder)
    return folder


def take_requests(services: Services, tenant: str) -> list[UUID]:
    """File a request, and fence its scope, for every finished file that waits; returns their ids.

    Raises what filing raises where the store is at fault; the file then stays for the next time.
    """
    folder = inbox(services, tenant)
    now = datetime.now(UTC).timestamp()
    waiting = [
        path
        for path in sorted(folder.glob("*.json"))
        if path.is_file() and not path.is_symlink() and now - path.stat().st_mtime >= SETTLED_S
    ]
    if not waiting:
        return []
    taken = []
    with Eraser(services, tenant) as eraser:
        for path in waiting:
            try:
                asked = read(path)
                request_id = eraser.request(
                    asked.selector,
                    asked.ground,
                    originals=asked.originals,
                    stops_learning=asked.stops_learning,
                    reference=asked.reference,
                    preview_digest=asked.preview_digest,
                )
            except (ValueError, LookupError) as error:
                _set_aside(path, error)
                continue
            shred(path)
            taken.append(request_id)
            logger.info("erasure request %s taken from a file", request_id)
    return taken


def read(path: Path) -> RequestFile:
    """The request in a file. Raises `ValueError` that names fields, never values."""
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"larger than {MAX_BYTES} bytes; one request a file")
    try:
        stated = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise ValueError("not JSON in UTF-8") from None
    try:
        return RequestFile.model_validate(stated)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        raise ValueError(
            "; ".join(f"{'.'.join(map(str, p['loc'])) or 'file'}: {p['msg']}" for p in problems)
        ) from None


def shred(path: Path) -> None:
    """Overwrite a file's bytes in place, then remove it; a copying file system keeps old blocks."""
    size = path.stat().st_size
    with path.open("r+b") as out:
        out.write(b"\0" * size)
        out.flush()
        os.fsync(out.fileno())
    path.unlink()


def _set_aside(path: Path, error: Exception) -> None:
    words = str(error) if isinstance(error, ValueError) else type(error).__name__
    reason = path.with_suffix(".reason")
    reason.write_text(
        f"{words}\nMend the file and name it .json again, or remove it.\n", encoding="utf-8"
    )
    reason.chmod(0o600)
    path.replace(path.with_suffix(".refused"))
    logger.warning("a file in %s is no request: %s", FOLDER, type(error).__name__)
