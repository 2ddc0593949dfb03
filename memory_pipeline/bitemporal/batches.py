"""Batches: the recorded clock. A batch's rows become visible when its row is inserted, last."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import psycopg


@dataclass
class Batch:
    """One running batch: its id for the rows, and after the block its gapless number."""

    tenant_id: int
    batch_id: UUID = field(default_factory=uuid4)
    batch_no: int | None = None


@contextmanager
def alone(connection: psycopg.Connection, name: str) -> Iterator[None]:
    """Hold off other sessions that work on what `name` names, which would do it twice. A lock of
    the session, so that it may span several batches and calls of a model between them."""
    connection.execute("select pg_advisory_lock(hashtextextended(%s, 0))", (name,))
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", (name,))


@contextmanager
def batch(connection: psycopg.Connection, tenant_id: int, kind: str) -> Iterator[Batch]:
    """One transaction whose rows carry the batch's id; the number is taken last, at commit."""
    running = Batch(tenant_id)
    with connection.transaction():
        yield running
        row = connection.execute(
            "select memory.close_batch(%s, %s, %s)", (running.batch_id, tenant_id, kind)
        ).fetchone()
        if row is None:
            raise RuntimeError("the batch got no number")
        running.batch_no = int(row[0])
