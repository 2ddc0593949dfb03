"""Batches: the recorded clock. A batch's rows become visible when its row is inserted, last.

Every batch runs inside an epoch of its tenant, which grows when something is fenced or erased:
work that was read in an older epoch than the one it would be stored in is done again.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.governance.content_store import Writing, content_store

Result = TypeVar("Result")


class EpochMoved(Exception):
    """Something was fenced or erased since this work was read: throw it away, do it again."""


@dataclass
class Batch:
    """One running batch: its id for the rows, the tenant's epoch that it runs in, and after the
    block its gapless number."""

    tenant_id: int
    batch_id: UUID = field(default_factory=uuid4)
    epoch: int = 0
    batch_no: int | None = None
    _writing: Writing | None = None

    def content(self, connection: psycopg.Connection) -> Writing:
        """What stores the batch's content; what it needs to be opened is kept before the batch is
        finished."""
        if self._writing is None:
            self._writing = content_store(connection).writing(self.tenant_id)
        return self._writing

    def keep_content(self) -> None:
        """Make sure that the content can be opened. Raises `SecretStoreError`."""
        if self._writing is not None:
            self._writing.keep()


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
def alongside(connection: psycopg.Connection, name: str) -> Iterator[None]:
    """Share what `name` names with other sessions, while nobody has it `alone`. A lock of the
    session, as theirs."""
    connection.execute("select pg_advisory_lock_shared(hashtextextended(%s, 0))", (name,))
    try:
        yield
    finally:
        if not connection.broken:
            connection.execute("select pg_advisory_unlock_shared(hashtextextended(%s, 0))", (name,))


def current_epoch(connection: psycopg.Connection, tenant_id: int) -> int:
    """The tenant's epoch as of now; 0 where nothing was ever fenced."""
    row = connection.execute(
        "select coalesce(max(epoch), 0) from memory.erasure_epoch where tenant_id = %s",
        (tenant_id,),
    ).fetchone()
    return int(row[0]) if row else 0


def in_one_epoch(
    connection: psycopg.Connection, tenant_id: int, work: Callable[[int], Result]
) -> Result:
    """What `work` returns, called with the epoch in which it reads; it is called again as often
    as it raises `EpochMoved`, which requests to erase cannot do without end."""
    while True:
        try:
            return work(current_epoch(connection, tenant_id))
        except EpochMoved:
            continue


@contextmanager
def entered(
    connection: psycopg.Connection, tenant_id: int, read_epoch: int | None = None
) -> Iterator[int]:
    """One transaction in which nothing of the tenant is fenced or erased; yields the epoch.

    Raises `EpochMoved` where that is not `read_epoch`, the one in which what is to be written was
    read (None: nothing was).
    """
    with connection.transaction():
        row = connection.execute("select memory.enter(%s)", (tenant_id,)).fetchone()
        epoch = int(row[0]) if row else 0
        if read_epoch is not None and epoch != read_epoch:
            raise EpochMoved
        yield epoch


@contextmanager
def batch(
    connection: psycopg.Connection, tenant_id: int, kind: str, read_epoch: int | None = None
) -> Iterator[Batch]:
    """One transaction whose rows carry the batch's id; the number is taken last, at commit.
    Raises `EpochMoved` as `entered` does, before anything is written."""
    with entered(connection, tenant_id, read_epoch) as epoch:
        running = Batch(tenant_id, epoch=epoch)
        yield running
        running.keep_content()
        row = connection.execute(
            "select memory.close_batch(%s, %s, %s)", (running.batch_id, tenant_id, kind)
        ).fetchone()
        if row is None:
            raise RuntimeError("the batch got no number")
        running.batch_no = int(row[0])
