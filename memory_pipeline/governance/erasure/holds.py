"""Legal holds: whose data must not be erased. A ledger, whose last row for a person counts."""

from typing import Any
from uuid import UUID, uuid4

import psycopg

Connection = psycopg.Connection[Any]


def hold(connection: Connection, tenant_id: int, entity_id: UUID | None = None) -> None:
    """Hold the data of an entity's person, or (None) of the whole tenant, over mem_eraser."""
    _append(connection, tenant_id, entity_id, is_held=True)


def release(connection: Connection, tenant_id: int, entity_id: UUID | None = None) -> None:
    """Lift the hold that was set with the same arguments; requests that it blocked go on."""
    _append(connection, tenant_id, entity_id, is_held=False)


def _append(
    connection: Connection, tenant_id: int, entity_id: UUID | None, *, is_held: bool
) -> None:
    connection.execute(
        "insert into memory.legal_hold (hold_id, tenant_id, entity_id, is_held)"
        " values (%s, %s, %s, %s)",
        (uuid4(), tenant_id, entity_id, is_held),
    )


def holds(connection: Connection, tenant_id: int) -> list[UUID | None]:
    """The entities that are held now; None stands for the whole tenant."""
    rows = connection.execute(
        "select entity_id from ("
        " select distinct on (entity_id) entity_id, is_held from memory.legal_hold"
        " where tenant_id = %s order by entity_id, set_at desc, hold_id"
        ") as last where is_held order by entity_id nulls first",
        (tenant_id,),
    ).fetchall()
    return [row[0] for row in rows]


def is_held(connection: Connection, request_id: UUID) -> bool:
    """Whether a hold stands over somebody whom a planned request reaches."""
    row = connection.execute("select memory.is_held(%s)", (request_id,)).fetchone()
    return bool(row and row[0])
