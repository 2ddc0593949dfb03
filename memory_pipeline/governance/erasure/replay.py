"""The ledger of suppressions outside the database: what makes a restored backup forget again.

`suppressions.jsonl` in the home has a line for each suppression (its scope by ids and keyed hashes,
its request), for keys that it gained, for requests that were taken back, for those past the point
where that may be done, and for certificates (their hash); each line is chained to the one before by SHA-256. It is written when something is fenced and brought up to date at each
start. A database that lacks one of its suppressions was restored from before, and is not opened
until they are replayed.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.local.errors import ServiceError

NAME = "suppressions.jsonl"
_GENESIS = "0" * 64

_REQUEST = (
    "request_id", "tenant_id", "tenant", "ground", "received_at", "due_at", "told_upto", "stops_learning",
    "originals", "scope", "asked_by",
)  # fmt: skip
_SCOPE = (
    "suppression_id", "whole_tenant", "tags", "predicate_ids", "valid_from", "valid_to",
    "told_from", "told_upto", "stops_learning",
)  # fmt: skip


class NotReplayed(ServiceError):
    """The database lacks suppressions that the home's ledger has: it was restored from before."""

    def __init__(self, n_missing: int) -> None:
        super().__init__(
            f"the database lacks {n_missing} erasures that this home's ledger has: it was restored"
            " from before them; erase again what they forgot: memory-pipeline erase replay"
        )
        self.n_missing = n_missing


class BrokenLedger(ServiceError):
    """A line of the ledger was changed, moved or taken out."""

    def __init__(self, path: Path, line: int) -> None:
        super().__init__(
            f"{path.name}, line {line}: the chain of hashes breaks here; put the file back from a"
            " copy, for it tells what a restored backup must forget"
        )


@dataclass
class Entry:
    """One suppression as the ledger has it; `request` is as it stood when it was fenced."""

    suppression: Mapping[str, Any]
    request: Mapping[str, Any]
    keys: set[tuple[str, str]] = field(default_factory=set)

    @property
    def suppression_id(self) -> UUID:
        return UUID(self.suppression["suppression_id"])


def read(path: Path) -> dict[UUID, Entry]:
    """The suppressions that count, by id; none where there is no file. Raises `BrokenLedger`."""
    entries: dict[UUID, Entry] = {}
    cancelled: set[str] = set()
    for line in _lines(path):
        if line["kind"] == "suppression":
            entry = Entry(line["suppression"], line["request"])
            entries[entry.suppression_id] = entry
        if line["kind"] == "cancelled":
            cancelled.add(line["request_id"])
        if "keys" in line:
            entries[UUID(line["suppression_id"])].keys |= {tuple(key) for key in line["keys"]}
    return {
        suppression_id: entry
        for suppression_id, entry in entries.items()
        if entry.request["request_id"] not in cancelled
    }


def record(connection: psycopg.Connection[Any], home: Path) -> int:
    """Add to the ledger what the database has and it lacks; returns how many lines that took.

    Called after each fence, discovery, cancellation and certificate, and at each start; in whatever
    order, and however often.
    """
    stored = _stored(connection)
    taken_back = _requests(connection, "r.state = 'cancelled'")
    settled = _requests(connection, "r.state >= 'keys_destroyed' and r.state <> 'cancelled'")
    issued = _issued(connection)
    path = home / NAME
    if not stored and not taken_back and not path.exists():
        return 0
    with _appending(path) as (lines, append):
        written: dict[str, set[tuple[str, str]]] = {}
        known: dict[str, set[str]] = {"cancelled": set(), "settled": set()}
        known_hashes: set[str] = set()
        for line in lines:
            if line["kind"] in known:
                known[line["kind"]].add(line["request_id"])
            if line["kind"] == "certified":
                known_hashes.add(line["sha256"])
            if "keys" in line:
                of = written.setdefault(line["suppression_id"], set())
                of |= {tuple(key) for key in line["keys"]}
        n_before = append.n
        for entry in stored:
            suppression_id = str(entry.suppression_id)
            of_it = written.get(suppression_id)
            new = sorted(entry.keys - (of_it or set()))
            more = {"suppression_id": suppression_id, "keys": new}
            if of_it is None:
                append(
                    {
                        "kind": "suppression",
                        "suppression": entry.suppression,
                        "request": entry.request,
                        **more,
                    }
                )
            elif new:
                append({"kind": "keys", **more})
        for kind, request_ids in (("cancelled", taken_back), ("settled", settled)):
            for request_id in request_ids:
                if request_id not in known[kind]:
                    append({"kind": kind, "request_id": request_id})
        for certified in issued:
            if certified["sha256"] not in known_hashes:
                append({"kind": "certified", **certified})
        return append.n - n_before


def is_settled(home: Path, request_id: UUID) -> bool:
    """Whether a request was ever past the point where it may be taken back, by the ledger: a
    database that was restored from before may have it as it stood then. Raises `BrokenLedger`."""
    return any(
        line["kind"] == "settled" and line["request_id"] == str(request_id)
        for line in _lines(home / NAME)
    )


def missing(connection: psycopg.Connection[Any], home: Path) -> list[Entry]:
    """The suppressions of the ledger that the database lacks, lacks keys of, or has put back without
    having fenced their request again. Raises `BrokenLedger`."""
    entries = read(home / NAME)
    if not entries:
        return []
    rows = connection.execute(
        "select s.suppression_id, array(select k.dimension::text || ':' || encode(k.key, 'hex')"
        "  from memory.suppression_key as k where k.suppression_id = s.suppression_id)"
        " from memory.suppression as s left join memory.erasure_request as r using (request_id)"
        " where s.suppression_id = any(%s)"
        " and (r.state is distinct from 'received' or r.block = 'legal_hold')",
        (list(entries),),
    ).fetchall()
    there = {suppression_id: set(keys) for suppression_id, keys in rows}
    return [
        entry
        for suppression_id, entry in entries.items()
        if suppression_id not in there
        or {f"{dimension}:{key}" for dimension, key in entry.keys} - there[suppression_id]
    ]


@dataclass(frozen=True)
class GoneCertificate:
    """A certificate that the ledger knows and the database does not have: its request's state there
    (None: it has no such request), and when it was certified again, if it was."""

    request_id: UUID
    issued_at: str
    sha256: str
    state: str | None
    again_at: str | None


def gone_certificates(
    connection: psycopg.Connection[Any], home: Path
) -> tuple[GoneCertificate, ...]:
    """Certificates that were given before the database was restored from an older backup, over a
    role that reads requests and the audit log. Raises `BrokenLedger`."""
    given = [line for line in _lines(home / NAME) if line["kind"] == "certified"]
    here = {one["sha256"]: one for one in _issued(connection)}
    again = {one["request_id"]: one["at"] for one in here.values()}
    gone = [line for line in given if line["sha256"] not in here]
    states = dict(
        connection.execute(
            "select request_id::text, state::text from memory.erasure_request"
            " where request_id = any(%s::uuid[])",
            ([line["request_id"] for line in gone],),
        ).fetchall()
    )
    return tuple(
        GoneCertificate(
            UUID(line["request_id"]),
            line["at"],
            line["sha256"],
            states.get(line["request_id"]),
            again.get(line["request_id"]),
        )
        for line in gone
    )


def replay(
    owner: psycopg.Connection[Any], eraser: psycopg.Connection[Any], home: Path
) -> list[tuple[str, UUID]]:
    """Put the missing suppressions back, with requests for what they forgot; returns the tenant and
    id of each request that is to be run, the oldest first. From here on nothing of it is learned;
    the database is whole again (`missing`) once those requests are fenced.

    A request whose dialog, file, message or atom came after the backup has nothing to erase; one
    of a person is found by the keys of whatever entity of hers the backup has. A tenant that came
    after it is made again under its id, which its keys are made of; only the owner may do that.
    Raises `BrokenLedger`, and `LookupError` where that id is another tenant's by now.
    """
    lacking = missing(eraser, home)
    found: dict[tuple[str, UUID], None] = {}
    for entry in sorted(lacking, key=lambda entry: str(entry.request["received_at"])):
        _ensure_tenant(owner, entry)
        with eraser.transaction():
            found[entry.request["tenant"], _put_back(eraser, entry)] = None
    return list(found)


def _ensure_tenant(owner: psycopg.Connection[Any], entry: Entry) -> None:
    tenant_id, name = entry.request["tenant_id"], entry.request["tenant"]
    with owner.transaction():
        owner.execute(
            "insert into memory.tenant (tenant_id, name) overriding system value values (%s, %s)"
            " on conflict do nothing",
            (tenant_id, name),
        )
        owner.execute(
            "select setval(pg_get_serial_sequence('memory.tenant', 'tenant_id'), max(tenant_id))"
            " from memory.tenant"
        )
    row = owner.execute(
        "select from memory.tenant where tenant_id = %s and name = %s", (tenant_id, name)
    ).fetchone()
    if row is None:
        raise LookupError(f"tenant {tenant_id} of this database is not the one of the ledger")


def _put_back(connection: psycopg.Connection[Any], entry: Entry) -> UUID:
    request, scope = dict(entry.request), dict(entry.suppression)
    request_id, tenant_id = UUID(request["request_id"]), request["tenant_id"]
    connection.execute("select memory.enter_alone(%s, %s, 'fenced')", (tenant_id, request_id))
    request["scope"] = Jsonb(_present_scope(connection, entry))
    connection.execute(
        "insert into memory.erasure_request (request_id, tenant_id, ground, received_at, due_at,"
        " told_upto, stops_learning, originals, scope, asked_by)"
        " values (%(request_id)s, %(tenant_id)s, %(ground)s, %(received_at)s, %(due_at)s,"
        " %(told_upto)s, %(stops_learning)s, %(originals)s, %(scope)s, %(asked_by)s)"
        " on conflict (request_id) do nothing",
        request,
    )
    batch_id = uuid4()
    connection.execute(
        "insert into memory.suppression (suppression_id, tenant_id, batch_id, request_id,"
        " whole_tenant, tags, predicate_ids, valid_from, valid_to, told_from, told_upto,"
        " stops_learning) values (%(suppression_id)s, %(tenant_id)s, %(batch_id)s, %(request_id)s,"
        " %(whole_tenant)s, %(tags)s, %(predicate_ids)s, %(valid_from)s, %(valid_to)s,"
        " %(told_from)s, %(told_upto)s, %(stops_learning)s) on conflict do nothing",
        {**scope, "tenant_id": tenant_id, "batch_id": batch_id, "request_id": request_id},
    )
    insert_rows(
        connection,
        "suppression_key",
        ("suppression_id", "dimension", "key"),
        (
            (entry.suppression_id, dimension, bytes.fromhex(key))
            for dimension, key in sorted(entry.keys)
        ),
        skip_known=True,
    )
    connection.execute("select memory.close_batch(%s, %s, 'replay')", (batch_id, tenant_id))
    return request_id


_KEYED = {
    "entity_id": ("entity", "select entity_id from memory.entity where entity_key = any(%s)"),
    "dialog_id": ("dialog", "select dialog_id from memory.dialog where dialog_key = any(%s)"),
    "file_id": ("file", "select file_id from memory.log_file where file_key = any(%s)"),
    "message_id": ("message", "select message_id from memory.message where message_key = any(%s)"),
    "atom_id": ("statement", "select atom_id from memory.atom where statement_hash = any(%s)"),
}
_KNOWN = {
    "entity_id": "select from memory.entity where entity_id = %s",
    "dialog_id": "select from memory.dialog where dialog_id = %s",
    "file_id": "select from memory.log_file where file_id = %s",
    "message_id": "select from memory.message where message_id = %s",
    "atom_id": "select from memory.atom where atom_id = %s",
}


def _present_scope(connection: psycopg.Connection[Any], entry: Entry) -> dict[str, Any]:
    """The request's scope with ids that this database has, where it has one of the same keys."""
    scope = dict(entry.request["scope"] or {})
    for name, (dimension, query) in _KEYED.items():
        if scope.get(name) is None:
            continue
        if connection.execute(_KNOWN[name].encode(), (scope[name],)).fetchone() is not None:
            continue
        keys = [bytes.fromhex(key) for kind, key in entry.keys if kind == dimension]
        row = connection.execute(f"{query} order by 1 limit 1".encode(), (keys,)).fetchone()
        if row is not None:
            scope[name] = str(row[0])
    return scope


def _stored(connection: psycopg.Connection[Any]) -> list[Entry]:
    rows = connection.execute(
        "select to_jsonb(s), to_jsonb(r) || jsonb_build_object('tenant', t.name), array(select k.dimension::text || ':' ||"
        "  encode(k.key, 'hex') from memory.suppression_key as k"
        "  where k.suppression_id = s.suppression_id)"
        " from memory.suppression as s join memory.erasure_request as r using (request_id)"
        " join memory.tenant as t on t.tenant_id = s.tenant_id"
        " where r.state <> 'cancelled' order by r.received_at, s.suppression_id"
    ).fetchall()
    return [
        Entry(
            {name: scope[name] for name in _SCOPE},
            {name: request[name] for name in _REQUEST},
            {(dimension, key) for dimension, _, key in (key.partition(":") for key in keys)},
        )
        for scope, request, keys in rows
    ]


def _requests(connection: psycopg.Connection[Any], which: LiteralString) -> list[str]:
    rows = connection.execute(
        sql.SQL(
            "select distinct s.request_id::text from memory.suppression as s"
            " join memory.erasure_request as r using (request_id) where {} order by 1"
        ).format(sql.SQL(which))
    ).fetchall()
    return [row[0] for row in rows]


def _issued(connection: psycopg.Connection[Any]) -> list[dict[str, str]]:
    rows = connection.execute(
        "select c.request_id::text, e.details ->> 'certificate_sha256', e.at"
        " from memory.certificate as c join memory.audit_event as e"
        "  on e.request_id = c.request_id and e.action = 'erasure.certified' order by e.seq"
    ).fetchall()
    return [
        {"request_id": request_id, "sha256": sha256, "at": at.isoformat()}
        for request_id, sha256, at in rows
    ]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        with path.open("rb") as stream:
            yield from _checked(path, stream.read())


def _checked(path: Path, content: bytes) -> Iterator[dict[str, Any]]:
    """The whole lines in order. One that was cut off by a crash is the last, and not counted."""
    before = _GENESIS
    lines = content.split(b"\n")
    for n, line in enumerate(lines[:-1], start=1):
        try:
            found = json.loads(line)
            is_chained = found["before"] == before and found["hash"] == _hash(before, found["of"])
        except (ValueError, KeyError, TypeError):
            is_chained = False
        if not is_chained:
            raise BrokenLedger(path, n)
        before = found["hash"]
        yield found["of"] | {"hash": before}


def _hash(before: str, of: Mapping[str, Any]) -> str:
    told = json.dumps(of, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(f"{before}\n{told}".encode()).hexdigest()


class _Append:
    """Appends chained lines, each on the disk before the next."""

    def __init__(self, descriptor: int, lines: Sequence[Mapping[str, Any]]) -> None:
        self._descriptor = descriptor
        self._before = str(lines[-1]["hash"]) if lines else _GENESIS
        self.n = len(lines)

    def __call__(self, of: Mapping[str, Any]) -> None:
        line = {"n": self.n + 1, "before": self._before, "hash": _hash(self._before, of), "of": of}
        written = json.dumps(line, sort_keys=True, separators=(",", ":")).encode() + b"\n"
        os.write(self._descriptor, written)
        os.fsync(self._descriptor)
        self._before, self.n = str(line["hash"]), self.n + 1


@contextmanager
def _appending(path: Path) -> Iterator[tuple[list[dict[str, Any]], _Append]]:
    """The ledger's lines and what appends to them, alone among processes; a torn last line is cut
    off. The file is readable by the home's owner alone."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        content = path.read_bytes()
        lines = list(_checked(path, content))
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            os.ftruncate(descriptor, whole)
        yield lines, _Append(descriptor, lines)
    finally:
        os.close(descriptor)
