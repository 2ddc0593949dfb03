"""What is indexed: standing messages in their latest revision, and standing atoms.

An item is a message (owner: its dialog) or an atom (owner: its finest subject) whose content is
there, that is not withdrawn, and that lies in a finished batch. The SELECTs below are the one
definition; refresh, parity and rebuild put them into their statements.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, LiteralString

import psycopg
from psycopg import sql

Kind = Literal["message", "atom"]
KINDS: tuple[Kind, ...] = ("message", "atom")

_MESSAGES = sql.SQL("""
    select m.message_id as item_id, false as is_atom, m.tenant_id, m.audience_id,
        m.dialog_id as owner_id, m.lang, b.batch_no, c.text
    from memory.message as m
    join memory.batch as b using (batch_id)
    join memory.message_content as c using (message_id, dialog_id)
    where not exists (select from memory.withdrawal as w where w.statement_id = m.message_id)
        and not exists (
            select from memory.message as l
            where l.tenant_id = m.tenant_id and l.message_key = m.message_key
                and l.edited_at > coalesce(m.edited_at, '-infinity')
                and not exists (
                    select from memory.withdrawal as w where w.statement_id = l.message_id)
                and exists (select from memory.batch as b where b.batch_id = l.batch_id))
""")

_ATOMS = sql.SQL("""
    select a.atom_id as item_id, true as is_atom, a.tenant_id, a.audience_id,
        a.subject_id as owner_id, a.lang, b.batch_no, c.text
    from memory.atom as a
    join memory.batch as b using (batch_id)
    join memory.atom_content as c using (atom_id, subject_id)
    where not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
        and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
""")


def items_of(kind: Kind) -> sql.SQL:
    """A SELECT of item_id, is_atom, tenant_id, audience_id, owner_id, lang, batch_no, text."""
    return _MESSAGES if kind == "message" else _ATOMS


def is_made(connection: psycopg.Connection, table: str) -> bool:
    """Whether this table of derived is there; a model has none before its first refresh."""
    row = connection.execute(
        "select to_regclass(format('derived.%%I', %s::text)) is not null", [table]
    ).fetchone()
    return bool(row and row[0])


def last_batch(connection: psycopg.Connection) -> int:
    """The number of the last finished batch, 0 before the first."""
    row = connection.execute("select coalesce(max(batch_no), 0) from memory.batch").fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return int(row[0])


def watermark(connection: psycopg.Connection, index_name: str) -> int:
    """The last batch that an index holds, 0 before its first refresh."""
    row = connection.execute(
        "select batch_no from derived.index_state where index_name = %s", [index_name]
    ).fetchone()
    return 0 if row is None else int(row[0])


def move_watermark(
    connection: psycopg.Connection, index_name: str, batch_no: int, model: str | None = None
) -> None:
    """Say that an index holds everything up to `batch_no`; part of the caller's transaction."""
    connection.execute(
        "insert into derived.index_state (index_name, model, batch_no) values (%s, %s, %s)"
        " on conflict (index_name) do update set model = excluded.model,"
        " batch_no = excluded.batch_no, refreshed_at = clock_timestamp()",
        [index_name, model, batch_no],
    )


@contextmanager
def one_refresh(connection: psycopg.Connection, index_name: str) -> Iterator[None]:
    """Hold the session's lock on an index, so that two refreshes do not do the same work.

    Raises `ValueError` inside a transaction: models are not called while one is open.
    """
    if not connection.autocommit or connection.info.transaction_status != 0:
        raise ValueError(
            "an index is refreshed over a connection in autocommit, outside of any "
            "transaction: open it with autocommit=True"
        )
    connection.execute("select pg_advisory_lock(hashtextextended(%s, 0))", [f"index {index_name}"])
    try:
        yield
    finally:
        if not connection.closed:
            connection.execute(
                "select pg_advisory_unlock(hashtextextended(%s, 0))", [f"index {index_name}"]
            )


@contextmanager
def writing(connection: psycopg.Connection) -> Iterator[None]:
    """A transaction that adds rows to an index, shut out while `forget` is at work.

    Without it, a row made from content read before an erasure could come in after it.
    """
    with connection.transaction():
        connection.execute(
            "select pg_advisory_xact_lock_shared(hashtextextended('memory.forget', 0))"
        )
        yield


_GONE: dict[Kind, tuple[LiteralString, ...]] = {
    "message": (
        "select w.statement_id from memory.withdrawal as w join memory.batch as b using (batch_id)"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s",
        "select o.message_id from memory.message as m join memory.batch as b using (batch_id)"
        " join memory.message as o on o.tenant_id = m.tenant_id and o.message_key = m.message_key"
        " and m.edited_at > coalesce(o.edited_at, '-infinity')"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s and not exists ("
        " select from memory.withdrawal as w where w.statement_id = m.message_id)",
        "select v.item_id from {table} as v where not v.is_atom and not exists ("
        " select from memory.message_content as c"
        " where c.message_id = v.item_id and c.dialog_id = v.owner_id)",
    ),
    "atom": (
        "select w.statement_id from memory.withdrawal as w join memory.batch as b using (batch_id)"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s",
        "select t.atom_id from memory.tombstone as t join memory.batch as b using (batch_id)"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s",
        "select v.item_id from {table} as v where v.is_atom and not exists ("
        " select from memory.atom_content as c"
        " where c.atom_id = v.item_id and c.subject_id = v.owner_id)",
    ),
}


def remove_gone(
    connection: psycopg.Connection, table: sql.Identifier, kind: Kind, after: int, upto: int
) -> int:
    """Delete rows whose item was withdrawn, erased or edited in the batches (after, upto], and
    those whose content is gone, whenever that was; returns how many."""
    gone = sql.SQL(" union ").join(sql.SQL(part).format(table=table) for part in _GONE[kind])
    return connection.execute(
        sql.SQL("delete from {table} where item_id in ({gone})").format(table=table, gone=gone),
        {"after": after, "upto": upto},
    ).rowcount
