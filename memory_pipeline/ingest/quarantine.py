"""Quarantine: refused records, whole and sealed, with where and why; each counts once."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal.batches import Batch
from memory_pipeline.governance.sealing import Sealer, SealError


class DamagedRecord(ValueError):
    """What was kept of a refused record does not open."""

    def __init__(self, quarantine_id: UUID) -> None:
        super().__init__(
            f"quarantined record {quarantine_id} does not open: it was cut or altered, or sealed"
            " under another key; read its file again"
        )
        self.quarantine_id = quarantine_id


@dataclass(frozen=True)
class Refusal:
    """One refused record or message. `record_key` is what makes two refusals the same one.

    `problem` says in words what is wrong and what helps, without content.
    """

    stage: str
    reason: str
    problem: str
    record_key: bytes
    file_id: UUID | None = None
    message_id: UUID | None = None
    position: int | None = None
    field: str | None = None
    raw: bytes | None = None


def quarantine(
    connection: psycopg.Connection, running: Batch, sealer: Sealer, refusals: Sequence[Refusal]
) -> int:
    """Record the refusals that are not recorded yet; returns how many were new."""
    if not refusals:
        return 0
    n_new = 0
    with connection.cursor() as cursor:
        for refusal in refusals:
            quarantine_id = uuid4()
            cursor.execute(
                "insert into memory.quarantine (quarantine_id, tenant_id, batch_id, file_id,"
                " message_id, position, stage, reason, field, record_key)"
                " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)"
                " on conflict (tenant_id, record_key) do nothing",
                (
                    quarantine_id,
                    running.tenant_id,
                    running.batch_id,
                    refusal.file_id,
                    refusal.message_id,
                    refusal.position,
                    refusal.stage,
                    refusal.reason,
                    refusal.field,
                    refusal.record_key,
                ),
            )
            if cursor.rowcount:
                n_new += 1
                # an archive that is refused whole gives no bytes: nothing is kept of it
                sealed = sealer.seal(refusal.raw, quarantine_id.bytes) if refusal.raw else None
                cursor.execute(
                    "insert into memory.quarantine_content (quarantine_id, problem, raw)"
                    " values (%s, %s, %s)",
                    (quarantine_id, refusal.problem, sealed),
                )
    return n_new


def entries(connection: psycopg.Connection, state: str = "open") -> list[dict[str, Any]]:
    """Quarantined records that this login may see, oldest first, without their content."""
    rows = connection.execute(
        "select q.quarantine_id, f.name, q.position, q.stage, q.field, q.reason, c.problem,"
        " q.state, q.message_id, q.file_id"
        " from memory.quarantine as q"
        " join memory.quarantine_content as c using (quarantine_id)"
        " left join memory.log_file_content as f using (file_id)"
        " left join memory.batch as b using (batch_id)"
        " where q.state = %s::memory.work_state order by b.batch_no, q.position",
        (state,),
    ).fetchall()
    names = [
        "quarantine_id",
        "file",
        "position",
        "stage",
        "field",
        "reason",
        "problem",
        "state",
        "message_id",
        "file_id",
    ]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in rows]


def count_open(connection: psycopg.Connection, tenant_id: int) -> int:
    """How many refused records of a tenant stand open."""
    row = connection.execute(
        "select count(*) from memory.quarantine where tenant_id = %s and state = 'open'",
        (tenant_id,),
    ).fetchone()
    return int(row[0]) if row else 0


def record(connection: psycopg.Connection, sealer: Sealer, quarantine_id: UUID) -> bytes | None:
    """The refused record in clear, or None where nothing was kept. Raises `KeyError` for an id
    that this login does not see, `DamagedRecord` for one that does not open."""
    row = connection.execute(
        "select raw from memory.quarantine_content where quarantine_id = %s", (quarantine_id,)
    ).fetchone()
    if row is None:
        raise KeyError(str(quarantine_id))
    return opened(sealer, row[0], quarantine_id)


def opened(sealer: Sealer, sealed: bytes | None, quarantine_id: UUID) -> bytes | None:
    """What was kept of a record, in clear; None where nothing was. Raises `DamagedRecord`."""
    if not sealed:
        return None
    try:
        return sealer.open(bytes(sealed), quarantine_id.bytes)
    except SealError:
        raise DamagedRecord(quarantine_id) from None


def shown(raw: bytes) -> str:
    """A record as text for a person; bytes that are not UTF-8 as base64."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return "base64:" + base64.b64encode(raw).decode("ascii")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, UUID) else value
