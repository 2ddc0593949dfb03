"""Full text in PostgreSQL, Russian and English, made inside the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import psycopg
from psycopg import sql

from memory_pipeline.index.items import (
    KINDS,
    Kind,
    items_of,
    last_batch,
    move_watermark,
    one_refresh,
    remove_gone,
    watermark,
    writing,
)

TABLE = sql.Identifier("derived", "full_text")
_AT_ONCE = 1_000


@dataclass(frozen=True)
class TextRefreshed:
    """What a refresh of the full text did, in rows."""

    n_added: int
    n_removed: int
    batch_no: int


def index_name(kind: Kind) -> str:
    """The name of the full text over messages or atoms in `derived.index_state`."""
    return f"full_text:{kind}"


def refresh(connection: psycopg.Connection, *, items: Sequence[Kind] = KINDS) -> TextRefreshed:
    """Bring the full text of messages, atoms or both up to the last finished batch.

    `connection` is mem_builder's, in autocommit. Raises `ValueError` inside a transaction.
    """
    n_added = n_removed = upper = 0
    for kind in items:
        name = index_name(kind)
        with one_refresh(connection, name):
            upper = last_batch(connection)
            after = watermark(connection, name)
            n_removed += remove_gone(connection, TABLE, kind, after, upper)
            with writing(connection):
                n_added += insert_items(connection, kind, after, upper)
                move_watermark(connection, name, upper)
    return TextRefreshed(n_added, n_removed, upper)


def insert_items(connection: psycopg.Connection, kind: Kind, after: int, upto: int) -> int:
    """Add the items of the batches in (after, upto]; returns how many rows. Inside the caller's
    transaction."""
    return _insert(
        connection, kind, sql.SQL("i.batch_no > {} and i.batch_no <= {}").format(after, upto)
    )


def again(connection: psycopg.Connection, item_ids: Sequence[UUID]) -> int:
    """Add items whose text was redacted and whose old words were forgotten; returns how many rows.
    `connection` is mem_builder's."""
    chosen = sql.SQL("i.item_id = any({})").format(list(item_ids))
    with writing(connection):
        return sum(_insert(connection, kind, chosen) for kind in KINDS)


def _insert(connection: psycopg.Connection, kind: Kind, which: sql.Composed) -> int:
    n_clear = connection.execute(
        sql.SQL(
            "insert into {table}"
            " select i.item_id, i.is_atom, i.tenant_id, i.audience_id, i.owner_id, i.lang,"
            " sha256(convert_to(i.text, 'UTF8')), memory.search_document(i.text)"
            " from ({items}) as i where {which} and not memory.is_sealed(i.text)"
            " on conflict (item_id) do nothing"
        ).format(table=TABLE, items=items_of(kind), which=which)
    ).rowcount
    return n_clear + _insert_sealed(connection, kind, which)


def _insert_sealed(connection: psycopg.Connection, kind: Kind, which: sql.Composed) -> int:
    """The same of sealed texts, which the database cannot read: they are opened here. What they
    are made from is the hash of the sealed text."""
    read = sql.SQL(
        "select i.item_id, i.is_atom, i.tenant_id, i.audience_id, i.owner_id, i.lang,"
        " sha256(convert_to(i.text, 'UTF8')), i.text"
        " from ({items}) as i where {which} and memory.is_sealed(i.text)"
        " and not exists (select from {table} as v where v.item_id = i.item_id)"
    ).format(table=TABLE, items=items_of(kind), which=which)
    write = sql.SQL(
        "insert into {} values (%s, %s, %s, %s, %s, %s, %s, memory.search_document(%s))"
        " on conflict (item_id) do nothing"
    ).format(TABLE)
    n_added = 0
    with connection.cursor() as cursor:
        rows = connection.execute(read)
        while some := rows.fetchmany(_AT_ONCE):
            cursor.executemany(write, some)
            n_added += cursor.rowcount
    return n_added
