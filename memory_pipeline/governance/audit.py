"""The audit log: events in a chain of hashes, and heads of the chain kept outside the database.

The database chains every event to the one before (migration 0007), so an event that was altered,
removed or moved is found by recomputing; a batch's event holds a Merkle root over the batch's rows.
A chain inside alone does not stop whoever may rewrite all of it, nor shows that its last events are
gone: so heads are appended to a file of the home, each authenticated by a key in Vault together with
the one before. Keep copies of that file elsewhere.

A database restored from a backup ends before heads that were exported, as one does whose last events
were cut off: the operator alone knows which it is, and says so (`record_restore`). That is an event of
its own and a line of the file, both of which name the head that is gone and the one that was kept, so
that whoever reads either later hears of it.
"""

import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

if TYPE_CHECKING:
    from memory_pipeline.governance.erasure.replay import GoneCertificate
    from memory_pipeline.local.services import Services

HEADS_FILE = "audit-heads.jsonl"
RESTORED = "store.restored"
"""The event of a restore that the operator recorded."""
_KEY = "audit"
_BATCHES = 10_000
_GENESIS = {"seq": 0, "hash": ""}


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
class Behind:
    """Exported heads that the log lacks: `lost_seq` is the newest of them, of `lost_at`; what was
    exported up to `kept_seq` (0: nothing) is there."""

    kept_seq: int
    lost_seq: int
    lost_at: str


@dataclass(frozen=True)
class Restored:
    """A restore that was recorded as event `seq`: events after `kept_seq`, up to `lost_seq` at
    least, are gone."""

    seq: int
    kept_seq: int
    lost_seq: int
    at: str


class NotBehind(ValueError):
    """No restore is to be recorded: the log has every head that was exported, or it does not hold
    for another reason."""


@dataclass(frozen=True)
class Verified:
    """What was looked at, and where it does not hold; empty `breaks` mean that all does.

    `behind` is given where all that is wrong is what a restored backup, or a log whose last events
    were cut off, lacks of the exported heads; `restores` are those that were recorded."""

    n_events: int
    n_batches: int
    n_heads: int
    breaks: tuple[Break, ...]
    behind: Behind | None = None
    restores: tuple[Restored, ...] = ()
    gone_certificates: tuple["GoneCertificate", ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing was altered, removed or moved, but for what a recorded restore names."""
        return not self.breaks


@dataclass(frozen=True)
class _Line:
    """A head of the file; `restored` on the line of a restore: the head before it, which is gone,
    and the last one that was kept."""

    seq: int
    hash: str
    at: str
    mac: str
    restored: Mapping[str, Mapping[str, Any]] | None = None


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
    """`verify` as the auditor, against the home's file of heads or a copy of it, and what the home's
    ledger knows of certificates. Raises what the database and Vault raise, and `BrokenLedger`."""
    from memory_pipeline.governance.erasure.replay import gone_certificates
    from memory_pipeline.governance.installation_keys import installation_key

    key = installation_key(services.vault_client("ingest"), _KEY)
    with psycopg.connect(services.pg_dsn("mem_auditor"), autocommit=True) as connection:
        found = verify(connection, key, heads or services.home.path / HEADS_FILE)
        return replace(found, gone_certificates=gone_certificates(connection, services.home.path))


def export_head(connection: psycopg.Connection[Any], key: bytes, path: Path) -> Head:
    """Append the chain's head to the file at `path` (one JSON object a line, mode 0600). `key` is
    the installation's, from Vault. Raises `OSError`, and `ValueError` for a line that is no head."""
    with _appending(path) as file:
        now = head(connection)
        _append(file, path, key, now)
    return now


def record_restore(services: "Services", out: Path | None = None) -> Restored:
    """Record that the database was restored from a backup: an event of the log and a line of the
    home's file of heads (and of `out`, a copy), each naming the newest head that is gone and the
    last one that was kept. A copy that was not there then gets its line by another call.

    Raises `NotBehind`, `OSError`, `ValueError` for a file that is none of heads, and what the
    database and Vault raise.
    """
    from memory_pipeline.governance.installation_keys import installation_key

    key = installation_key(services.vault_client("ingest"), _KEY)
    own = services.home.path / HEADS_FILE
    with psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as connection:
        recorded = note_restore(connection, key, own)
        if out is not None:
            noted = note_restore(connection, key, out, appends_event=False)
            recorded = recorded or noted
    if recorded is None:
        raise NotBehind("the log has every head that was exported: there is no restore to record")
    return recorded


def note_restore(
    connection: psycopg.Connection[Any], key: bytes, path: Path, *, appends_event: bool = True
) -> Restored | None:
    """Append the restore's line to one file of heads, with its event as the eraser, or with the one
    that there is; None where the file's heads are all there. Raises as `record_restore`."""
    with _appending(path) as file:
        found = _compare(connection, key, path)
        if not found.breaks:
            return None
        if found.behind is None or _chain_breaks(connection, 1):
            raise NotBehind("the log was altered, not restored; see `audit verify`")
        kept, lost = found.kept, found.lost[-1]
        restored = {
            "lost": {"seq": lost.seq, "hash": lost.hash, "at": lost.at},
            "kept": _GENESIS if kept is None else {"seq": kept.seq, "hash": kept.hash},
        }
        if appends_event:
            connection.execute(
                "select memory.append_audit(null, %s, p_details => %s)", (RESTORED, Jsonb(restored))
            )
        row = connection.execute(
            "select seq, hash, at from memory.audit_event where action = %s"
            " order by seq desc limit 1",
            (RESTORED,),
        ).fetchone()
        if row is None:
            raise NotBehind("the home's own file of heads is not behind: this is no copy of it")
        event = Head(int(row[0]), bytes(row[1]), row[2])
        _append(file, path, key, event, restored)
    return Restored(event.seq, found.behind.kept_seq, found.behind.lost_seq, event.at.isoformat())


@contextmanager
def _appending(path: Path) -> Iterator[TextIO]:
    """The file of heads, alone among processes, readable by the home's owner alone."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def _append(
    file: TextIO,
    path: Path,
    key: bytes,
    now: Head,
    restored: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    before = ""
    file.seek(0)
    for number, text in enumerate(file, start=1):
        line = _read(text)
        if line is None:
            raise ValueError(f"{path.name}, line {number}: no head; take the file from a copy")
        before = line.mac
    told = _Line(now.seq, now.hash.hex(), now.at.isoformat(), "", restored)
    fields = {"seq": told.seq, "hash": told.hash, "at": told.at}
    fields |= {"restored": restored} if restored else {}
    file.write(json.dumps(fields | {"mac": _mac(key, before, told)}) + "\n")
    file.flush()
    os.fsync(file.fileno())


def verify(
    connection: psycopg.Connection[Any], key: bytes | None, path: Path, *, limit: int = 10
) -> Verified:
    """Recompute the chain, the roots over every batch's rows, and hold both against the heads that
    were exported; tells of `limit` breaks at most. `connection` is the verifier's or auditor's;
    without `key` (no access to Vault) the heads' own authentication is not checked."""
    breaks = _chain_breaks(connection, limit)
    n_batches, after = 0, 0
    while rows := connection.execute(
        "select batch_no, fault from memory.audit_batches(%s, %s)", (after, _BATCHES)
    ).fetchall():
        breaks += [Break("batch", int(no), str(fault)) for no, fault in rows if fault]
        n_batches += len(rows)
        after = int(rows[-1][0])
    found = _compare(connection, key, path)
    row = connection.execute("select count(*) from memory.audit_event").fetchone()
    return Verified(
        int(row[0]) if row else 0,
        n_batches,
        found.n_heads,
        (*breaks, *found.breaks)[:limit],
        None if breaks else found.behind,
        found.restores,
    )


def is_behind(connection: psycopg.Connection[Any], path: Path) -> bool:
    """Whether the log lacks a head that was exported, and no restore was recorded: what lies outside
    the database may then belong to what it lacks."""
    return bool(_compare(connection, None, path).breaks)


def _chain_breaks(connection: psycopg.Connection[Any], limit: int) -> list[Break]:
    return [
        Break("event", int(seq), str(fault))
        for seq, fault in connection.execute(
            "select seq, fault from memory.audit_breaks(%s)", (limit,)
        ).fetchall()
    ]


@dataclass(frozen=True)
class _Compared:
    """A file of heads held against the log: `lost` are those that it lacks and that no recorded
    restore names, `kept` the last one before them."""

    n_heads: int
    breaks: tuple[Break, ...] = ()
    lost: tuple[_Line, ...] = ()
    kept: _Line | None = None
    behind: Behind | None = None
    restores: tuple[Restored, ...] = ()


def _compare(connection: psycopg.Connection[Any], key: bytes | None, path: Path) -> _Compared:
    if not path.exists():
        return _Compared(0)
    broken, before = [], ""
    lines: list[_Line] = []
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        line = _read(text)
        if line is None:
            broken.append(Break("head", number, "unreadable"))
            continue
        if key is not None and not hmac.compare_digest(line.mac, _mac(key, before, line)):
            broken.append(Break("head", number, "altered"))
        before = line.mac
        lines.append(line)
    stored = {
        int(seq): (bytes(digest).hex(), at, action)
        for seq, digest, at, action in connection.execute(
            "select seq, hash, at, action from memory.audit_event where seq = any(%s)",
            ([line.seq for line in lines],),
        )
    }
    there = [line.seq in stored and stored[line.seq][0] == line.hash for line in lines]
    named, restores = _restores(lines, there, {s: action for s, (*_, action) in stored.items()})
    lost = [n for n in range(len(lines)) if not there[n] and n not in named]
    faults = [
        Break(
            "event",
            lines[n].seq,
            "differs_from_exported_head" if lines[n].seq in stored else "missing_though_exported",
        )
        for n in lost
    ]
    kept = next((lines[n] for n in reversed(range(lost[0])) if there[n]), None) if lost else None
    # what came after a restore is later than what was exported before it: an event of the same
    # number that is not was put in its place
    is_later = all(
        lines[n].seq not in stored or stored[lines[n].seq][1] > datetime.fromisoformat(lines[n].at)
        for n in lost
    )
    behind = None
    if lost and is_later and not broken:
        newest = lines[lost[-1]]
        behind = Behind(kept.seq if kept else 0, newest.seq, newest.at)
    return _Compared(
        len(lines),
        (*broken, *faults),
        tuple(lines[n] for n in lost),
        kept,
        behind,
        restores,
    )


def _restores(
    lines: Sequence[_Line], there: Sequence[bool], actions: Mapping[int, str]
) -> tuple[set[int], tuple[Restored, ...]]:
    """The places of the heads that recorded restores name as gone, and those restores. One counts
    where the log has its event."""
    named: set[int] = set()
    found = []
    for n, line in enumerate(lines):
        if line.restored is None or not there[n] or actions[line.seq] != RESTORED:
            continue
        kept, lost = line.restored["kept"], line.restored["lost"]
        places = [m for m in range(n) if lines[m].hash == kept["hash"]]
        if kept["seq"] and not places:
            continue
        named |= set(range(places[-1] + 1 if places else 0, n))
        found.append(Restored(line.seq, int(kept["seq"]), int(lost["seq"]), line.at))
    return named, tuple(found)


def _read(text: str) -> _Line | None:
    """A line of the heads' file; None where it is no head."""
    try:
        told = json.loads(text)
        restored = told.get("restored")
        if restored is not None:
            restored = {part: dict(restored[part]) for part in ("kept", "lost")}
        return _Line(
            int(told["seq"]), str(told["hash"]), str(told["at"]), str(told["mac"]), restored
        )
    except (ValueError, KeyError, TypeError):
        return None


def _mac(key: bytes, before: str, line: _Line) -> str:
    parts = [before, line.seq, line.hash, line.at]
    told = json.dumps([*parts, line.restored] if line.restored else parts, sort_keys=True).encode()
    return hmac.new(key, b"audit head" + told, hashlib.sha256).hexdigest()
