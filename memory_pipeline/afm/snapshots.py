"""Snapshots: packed contexts as the store keeps them, with every item's score and reason."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import Batch, batch, entered
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.contracts.snapshot import Snapshot


def keep(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    login: str,
    snapshot: Snapshot,
    query: str,
    audience_ids: Sequence[int],
    read_epoch: int,
) -> int:
    """Store a snapshot over the ingest role; returns its audience set, the union of those of
    what it tells.
    Raises `EpochMoved` where something was fenced or erased since `read_epoch`, in which it was
    packed."""
    audience_id = Audiences(connection, tenant_id).union(*audience_ids)
    snapshot_id = UUID(snapshot.id)
    told = [item for item in snapshot.items if item.is_told]
    with batch(connection, tenant_id, "snapshot", read_epoch) as running:
        connection.execute(
            "insert into memory.snapshot (snapshot_id, tenant_id, audience_id, batch_id, dialog_id,"
            " login, budget, n_tokens, valid_at, known_at, known_batch_no, model, levers)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                snapshot_id,
                tenant_id,
                audience_id,
                running.batch_id,
                UUID(snapshot.dialog_id),
                login,
                snapshot.budget,
                snapshot.n_tokens,
                snapshot.valid_at,
                snapshot.known_at,
                snapshot.batch_no,
                snapshot.embedding_model,
                Jsonb(snapshot.levers.model_dump(mode="json")),
            ),
        )
        writing = running.content(connection)
        stored = (
            writing.text("snapshot_content", "query", snapshot_id, query),
            writing.json(
                "snapshot_content", "snapshot", snapshot_id, snapshot.model_dump(mode="json")
            ),
        )
        connection.execute(
            "insert into memory.snapshot_content (snapshot_id, audience_id, query, snapshot)"
            " values (%s, %s, %s, %s)",
            (snapshot_id, audience_id, *stored),
        )
        insert_rows(
            connection,
            "snapshot_item",
            [
                "snapshot_id",
                "item_id",
                "audience_id",
                "is_atom",
                "fidelity",
                "score",
                "n_tokens",
                "reason",
            ],
            (
                (
                    snapshot_id,
                    UUID(item.id),
                    audience_id,
                    item.kind == "atom",
                    item.fidelity,
                    item.score,
                    item.n_tokens,
                    ",".join(item.reasons),
                )
                for item in told
            ),
        )
    return audience_id


class Erased(LookupError):
    """What was to be exported is erased, or about to be."""

    def __init__(self, snapshot_id: UUID) -> None:
        super().__init__(f"there is no snapshot {snapshot_id} any more: what it carries is erased")


def export(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    login: str,
    snapshot_id: UUID,
    audience_id: int,
    text: str,
    path: Path,
) -> UUID:
    """Write an exported snapshot to `path`, readable by its owner alone, and register it first:
    a file that erasure does not know of must not exist. Folders are made.

    The file takes its name only while nothing is fenced, so that erasure finds it, or it never was.
    Until then it is `partial_file` of its name. Raises `OSError`, and `Erased` for a snapshot that
    was fenced.
    """
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder; name a file")
    path.parent.mkdir(parents=True, exist_ok=True)
    export_id = uuid4()
    encoded = text.encode("utf-8")
    with batch(connection, tenant_id, "export") as running:
        if not _stands(connection, snapshot_id):
            raise Erased(snapshot_id)
        _register(connection, running, export_id, snapshot_id, audience_id, login, len(encoded))
        connection.execute(
            "insert into memory.export_content (export_id, audience_id, path) values (%s, %s, %s)",
            (export_id, audience_id, str(path.absolute())),
        )
    partial = partial_file(path, export_id)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(encoded)
            out.flush()
            os.fsync(out.fileno())
        with entered(connection, tenant_id) as epoch:
            if epoch != running.epoch and not _stands(connection, snapshot_id):
                raise Erased(snapshot_id)
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    return export_id


def partial_file(path: Path, export_id: UUID) -> Path:
    """The name of an export's file while it is written, which a killed process leaves behind."""
    return path.with_name(f".{path.name}.{export_id}.part")


def _stands(connection: psycopg.Connection[Any], snapshot_id: UUID) -> bool:
    """Whether a snapshot has its content and no request is about to erase it."""
    row = connection.execute(
        "select exists (select from memory.snapshot_content where snapshot_id = %(id)s)"
        " and not exists (select from memory.erasure_item as i"
        "  join memory.erasure_request as r using (request_id)"
        "  where i.item_id = %(id)s and i.action <> 'keep' and r.state <> 'cancelled')",
        {"id": snapshot_id},
    ).fetchone()
    return bool(row and row[0])


def _register(
    connection: psycopg.Connection[Any],
    running: Batch,
    export_id: UUID,
    snapshot_id: UUID,
    audience_id: int,
    login: str,
    n_bytes: int,
) -> None:
    connection.execute(
        "insert into memory.export (export_id, tenant_id, audience_id, batch_id, snapshot_id,"
        " n_bytes, login) values (%s, %s, %s, %s, %s, %s, %s)",
        (
            export_id,
            running.tenant_id,
            audience_id,
            running.batch_id,
            snapshot_id,
            n_bytes,
            login,
        ),
    )
