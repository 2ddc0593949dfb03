"""The audit log: events in a chain of hashes, and heads of the chain kept outside the database.

The database chains every event to the one before (migration 0007), so an event that was altered,
removed or moved is found by recomputing; a batch's event holds a Merkle root over the batch's rows.
A chain inside alone does not stop whoever may rewrite all of it, nor shows that its last events are
gone: so heads are appended to a file of the home, each authenticated by a key in Vault together with
the one before. Keep copies of that file elsewhere.
"""

import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

if TYPE_CHECKING:
    from memory_pipeline.local.services import Services

HEADS_FILE = "audit-heads.jsonl"
_KEY = "audit"
_BATCHES = 10_000


@dataclass(frozen=True)
class Head:
    """The chain up to an event: its number, hash and time."""

    seq: int
    hash: bytes
    at: datetime


@dataclass(frozen=True)
class Break:
    """A place where the log does not hold: what `place` numbers (event, batch, or line of the
    heads' file), its number, and what is wrong with it."""

    what: str
    place: int
    fault: str


@dataclass(frozen=True)
class Verified:
    """What was looked at, and where it does not hold; empty `breaks` mean that all does."""

    n_events: int
    n_batches: int
    n_heads: int
    breaks: tuple[Break, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was altered, removed or moved."""
        return not self.breaks


@dataclass(frozen=True)
class _Line:
    seq: int
    hash: str
    at: str
    mac: str


def append(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    action: str,
    request_id: UUID | None = None,
    details: Mapping[str, Any] | None = None,
) -> int:
    """Append an event as the eraser, inside the caller's transaction; returns its number.

    `details` holds counts, codes and hashes, never content. The batches' lock is held until the
    transaction ends, so this comes last in one.
    """
    row = connection.execute(
        "select memory.append_audit(%s, %s, %s, p_details => %s)",
        (tenant_id, action, request_id, Jsonb(dict(details or {}))),
    ).fetchone()
    assert row is not None  # noqa: S101 - a function returns a row
    return int(row[0])


def head(connection: psycopg.Connection[Any]) -> Head:
    """The chain's last event. Raises `LookupError` where there is none."""
    row = connection.execute(
        "select seq, hash, at from memory.audit_event order by seq desc limit 1"
    ).fetchone()
    if row is None:
        raise LookupError("the audit log is empty; its first event came with the schema")
    return Head(int(row[0]), bytes(row[1]), row[2])


def keep_head(services: "Services", out: Path | None = None) -> Head:
    """Append the chain's head to the home's file, and to `out` where another place is given (its
    lines are authenticated among themselves). Raises what the database and Vault raise, `OSError`,
    and `ValueError` for a file that is none of heads."""
    from memory_pipeline.governance.installation_keys import installation_key

    key = installation_key(services.vault_client("ingest"), _KEY)
    with psycopg.connect(services.pg_dsn("mem_auditor"), autocommit=True) as connection:
        kept = export_head(connection, key, services.home.path / HEADS_FILE)
        if out is not None:
            export_head(connection, key, out)
    return kept


def verify_home(services: "Services", heads: Path | None = None) -> Verified:
    """`verify` as the auditor, against the home's file of heads or a copy of it. Raises what the
    database and Vault raise."""
    from memory_pipeline.governance.installation_keys import installation_key

    key = installation_key(services.vault_client("ingest"), _KEY)
    with psycopg.connect(services.pg_dsn("mem_auditor"), autocommit=True) as connection:
        return verify(connection, key, heads or services.home.path / HEADS_FILE)


def export_head(connection: psycopg.Connection[Any], key: bytes, path: Path) -> Head:
    """Append the chain's head to the file at `path` (one JSON object a line, mode 0600). `key` is
    the installation's, from Vault. Raises `OSError`, and `ValueError` for a line that is no head."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        now = head(connection)
        before = ""
        for number, text in enumerate(file, start=1):
            line = _read(text)
            if line is None:
                raise ValueError(f"{path.name}, line {number}: no head; take the file from a copy")
            before = line.mac
        told = _Line(now.seq, now.hash.hex(), now.at.isoformat(), "")
        mac = _mac(key, before, told)
        fields = {"seq": told.seq, "hash": told.hash, "at": told.at, "mac": mac}
        file.write(json.dumps(fields) + "\n")
        file.flush()
        os.fsync(file.fileno())
    return now


def verify(
    connection: psycopg.Connection[Any], key: bytes | None, path: Path, *, limit: int = 10
) -> Verified:
    """Recompute the chain, the roots over every batch's rows, and hold both against the heads that
    were exported; tells of `limit` breaks at most. `connection` is the verifier's or auditor's;
    without `key` (no access to Vault) the heads' own authentication is not checked."""
    breaks = [
        Break("event", int(seq), str(fault))
        for seq, fault in connection.execute(
            "select seq, fault from memory.audit_breaks(%s)", (limit,)
        ).fetchall()
    ]
    n_batches, after = 0, 0
    while rows := connection.execute(
        "select batch_no, fault from memory.audit_batches(%s, %s)", (after, _BATCHES)
    ).fetchall():
        breaks += [Break("batch", int(no), str(fault)) for no, fault in rows if fault]
        n_batches += len(rows)
        after = int(rows[-1][0])
    n_heads, broken = _heads(connection, key, path)
    row = connection.execute("select count(*) from memory.audit_event").fetchone()
    return Verified(int(row[0]) if row else 0, n_batches, n_heads, (*breaks, *broken)[:limit])


def _heads(
    connection: psycopg.Connection[Any], key: bytes | None, path: Path
) -> tuple[int, list[Break]]:
    if not path.exists():
        return 0, []
    found, before = [], ""
    heads: list[tuple[int, _Line]] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = _read(text)
        if line is None:
            found.append(Break("head", number, "unreadable"))
            continue
        if key is not None and not hmac.compare_digest(line.mac, _mac(key, before, line)):
            found.append(Break("head", number, "altered"))
        before = line.mac
        heads.append((number, line))
    stored = {
        int(seq): bytes(digest).hex()
        for seq, digest in connection.execute(
            "select seq, hash from memory.audit_event where seq = any(%s)",
            ([line.seq for _, line in heads],),
        )
    }
    for _, line in heads:
        if line.seq not in stored:
            found.append(Break("event", line.seq, "missing_though_exported"))
        elif stored[line.seq] != line.hash:
            found.append(Break("event", line.seq, "differs_from_exported_head"))
    return len(heads), found


def _read(text: str) -> _Line | None:
    """A line of the heads' file; None where it is no head."""
    try:
        told = json.loads(text)
        return _Line(int(told["seq"]), str(told["hash"]), str(told["at"]), str(told["mac"]))
    except (ValueError, KeyError, TypeError):
        return None


def _mac(key: bytes, before: str, line: _Line) -> str:
    told = json.dumps([before, line.seq, line.hash, line.at]).encode()
    return hmac.new(key, b"audit head" + told, hashlib.sha256).hexdigest()
