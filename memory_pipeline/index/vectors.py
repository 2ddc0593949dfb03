"""Vectors in PostgreSQL: incremental, each distinct text embedded once, outside transactions.

A refresh lists the items of the batches after the index's watermark, takes over vectors of equal
texts that the table holds already, and embeds the rest in batches of texts of like length: a
thread embeds one batch while the database writes the one before. Rows are written batch by batch,
the watermark moves in the last transaction, so a refresh that dies is taken up by the next one.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from memory_pipeline.index.embedder import MAX_CHARS, Embedder, Vectors, table_name
from memory_pipeline.index.items import (
    KINDS,
    Kind,
    is_made,
    items_of,
    last_batch,
    move_watermark,
    one_refresh,
    remove_gone,
    watermark,
    writing,
)

Prepare = Callable[[psycopg.Connection], object]

BATCH_SIZE = 256
_IDS_AT_ONCE = 5_000


class ModelVersionError(Exception):
    """The table holds vectors of another version of the model; `rebuild` makes them anew."""


@dataclass(frozen=True)
class Refreshed:
    """What a refresh did. `n_embedded` counts distinct texts, `n_reused` items whose text had a
    vector already."""

    n_added: int
    n_removed: int
    n_embedded: int
    n_reused: int
    batch_no: int


def index_name(embedder: Embedder, kind: Kind) -> str:
    """The name of a model's index over messages or atoms in `derived.index_state`."""
    return f"{table_name(embedder.name, embedder.dim)}:{kind}"


def register(connection: psycopg.Connection, embedder: Embedder) -> sql.Identifier:
    """Make sure that the model has its table; returns it.

    Raises `ModelVersionError` when the table holds another version's vectors.
    """
    table = table_name(embedder.name, embedder.dim)
    row = connection.execute(
        "select version from derived.model where table_name = %s", [table]
    ).fetchone()
    if row is None:
        connection.execute(
            "select memory.register_model(%s, %s, %s, %s, %s)",
            [
                table,
                embedder.name,
                embedder.version,
                embedder.dim,
                embedder.calibration.model_dump_json(),
            ],
        )
    elif row[0] != embedder.version:
        raise ModelVersionError(
            f"derived.{table} holds vectors of {embedder.name} {row[0]}, and this is "
            f"{embedder.version}; run `memory-pipeline rebuild vectors`"
        )
    return sql.Identifier("derived", table)


def refresh(
    connection: psycopg.Connection,
    embedder: Embedder,
    *,
    items: Sequence[Kind] = KINDS,
    batch_size: int = BATCH_SIZE,
) -> Refreshed:
    """Bring the vectors of messages, atoms or both up to the last finished batch.

    `connection` is mem_builder's, in autocommit. Raises what the embedder raises (what was
    embedded before stays), `ModelVersionError`, and `ValueError` inside a transaction.
    """
    table = register(connection, embedder)
    parts = []
    for kind in items:
        name = index_name(embedder, kind)
        with one_refresh(connection, name):
            done = fill(
                connection,
                embedder,
                table,
                kind,
                after=watermark(connection, name),
                batch_size=batch_size,
            )
            move_watermark(connection, name, done.batch_no, embedder.name)
            parts.append(done)
    return Refreshed(
        sum(part.n_added for part in parts),
        sum(part.n_removed for part in parts),
        sum(part.n_embedded for part in parts),
        sum(part.n_reused for part in parts),
        min((part.batch_no for part in parts), default=0),
    )


def fill(
    connection: psycopg.Connection,
    embedder: Embedder,
    table: sql.Identifier,
    kind: Kind,
    *,
    after: int,
    batch_size: int = BATCH_SIZE,
) -> Refreshed:
    """Add the items of the batches after `after` to a table of vectors, and remove those that
    are gone. The caller holds the index's lock and moves its watermark."""
    upper = last_batch(connection)
    new = sql.SQL("i.batch_no > {} and i.batch_no <= {}").format(after, upper)
    _list_pending(connection, table, kind, new)
    n_removed = remove_gone(connection, table, kind, after, upper)
    n_added, n_embedded, n_reused = _embed_listed(connection, embedder, table, kind, batch_size)
    return Refreshed(n_added + n_reused, n_removed, n_embedded, n_reused, upper)


def again(
    connection: psycopg.Connection, embedder: Embedder, item_ids: Sequence[UUID]
) -> Refreshed:
    """Make the vectors of items whose text was redacted and whose old vectors were forgotten.

    Other models' indexes make theirs at their next refresh. `connection` is mem_builder's, in
    autocommit. Raises as `refresh`.
    """
    table = register(connection, embedder)
    done = Refreshed(0, 0, 0, 0, 0)
    for kind in KINDS:
        with one_refresh(connection, index_name(embedder, kind)):
            for start in range(0, len(item_ids), _IDS_AT_ONCE):
                some = list(item_ids[start : start + _IDS_AT_ONCE])
                chosen = sql.SQL("i.item_id = any({})").format(some)
                _list_pending(connection, table, kind, chosen)
                n_added, n_embedded, n_reused = _embed_listed(
                    connection, embedder, table, kind, BATCH_SIZE
                )
                done = Refreshed(
                    done.n_added + n_added + n_reused,
                    0,
                    done.n_embedded + n_embedded,
                    done.n_reused + n_reused,
                    0,
                )
    with connection.transaction():
        # a watermark of 0 only makes the next refresh look for what is missing
        connection.execute(
            "update derived.index_state set batch_no = 0"
            " where starts_with(index_name, 'vector_') and index_name <> all(%s)",
            [[index_name(embedder, kind) for kind in KINDS]],
        )
    return done


def _embed_listed(
    connection: psycopg.Connection,
    embedder: Embedder,
    table: sql.Identifier,
    kind: Kind,
    batch_size: int,
) -> tuple[int, int, int]:
    """Give vectors to what is listed; returns rows embedded, distinct texts embedded, rows taken
    over from equal texts."""
    register_vector(connection)
    n_reused = _take_over_known(connection, table, kind)
    n_added, n_embedded = _embed_pending(connection, embedder, table, kind, batch_size)
    connection.execute("drop table pg_temp.pending, pg_temp.ready, pg_temp.distinct_text")
    return n_added, n_embedded, n_reused


def _list_pending(
    connection: psycopg.Connection, table: sql.Identifier, kind: Kind, which: sql.Composed
) -> None:
    connection.execute("drop table if exists pg_temp.pending, pg_temp.ready")
    connection.execute(
        "create temp table pending (item_id uuid primary key, owner_id uuid not null,"
        " text_hash bytea not null, n_chars int not null)"
    )
    connection.execute("create temp table ready (text_hash bytea, embedding halfvec)")
    connection.execute(
        sql.SQL(
            "insert into pg_temp.pending"
            " select i.item_id, i.owner_id, sha256(convert_to(i.text, 'UTF8')), length(i.text)"
            " from ({items}) as i"
            " where {which} and not exists (select from {table} as v where v.item_id = i.item_id)"
        ).format(items=items_of(kind), table=table, which=which)
    )


def _insert(table: sql.Identifier, kind: Kind, vectors: sql.SQL) -> sql.Composed:
    # the text is looked at again: it may have been redacted since it was listed
    return sql.SQL(
        "with done as ("
        " insert into {table}"
        " select i.item_id, i.is_atom, i.tenant_id, i.audience_id, i.owner_id, p.text_hash,"
        " x.embedding"
        " from ({vectors}) as x"
        " join pg_temp.pending as p using (text_hash)"
        " join ({items}) as i on i.item_id = p.item_id and i.owner_id = p.owner_id"
        " where sha256(convert_to(i.text, 'UTF8')) = p.text_hash"
        " on conflict (item_id) do nothing"
        " returning item_id)"
        " select count(*) from done"
    ).format(table=table, vectors=vectors, items=items_of(kind))


def _take_over_known(connection: psycopg.Connection, table: sql.Identifier, kind: Kind) -> int:
    known = sql.SQL(
        "select h.text_hash, v.embedding"
        " from (select distinct text_hash from pg_temp.pending) as h"
        " cross join lateral ("
        " select embedding from {table} as v where v.text_hash = h.text_hash limit 1) as v"
    ).format(table=table)
    with writing(connection):
        row = connection.execute(_insert(table, kind, known)).fetchone()  # type: ignore[arg-type]
        connection.execute(
            sql.SQL(
                "delete from pg_temp.pending as p"
                " where exists (select from {table} as v where v.item_id = p.item_id)"
            ).format(table=table)
        )
    return 0 if row is None else int(row[0])


def _embed_pending(
    connection: psycopg.Connection,
    embedder: Embedder,
    table: sql.Identifier,
    kind: Kind,
    batch_size: int,
) -> tuple[int, int]:
    """Embed what is listed; returns how many rows and how many distinct texts."""
    n_added = n_embedded = 0
    under_way: deque[tuple[list[bytes], Future[Vectors]]] = deque()
    with ThreadPoolExecutor(1, thread_name_prefix="embedder") as worker:
        try:
            for hashes, texts in _distinct_texts(connection, kind, batch_size):
                under_way.append((hashes, worker.submit(embedder.passages, texts)))
                n_embedded += len(hashes)
                if len(under_way) > 1:
                    n_added += _write(connection, table, kind, under_way.popleft())
            while under_way:
                n_added += _write(connection, table, kind, under_way.popleft())
        finally:
            worker.shutdown(cancel_futures=True)
    return n_added, n_embedded


def _distinct_texts(
    connection: psycopg.Connection, kind: Kind, batch_size: int
) -> Iterator[tuple[list[bytes], list[str]]]:
    """Batches of (hashes, texts), longest first, so that a batch's texts are of like length."""
    connection.execute("drop table if exists pg_temp.distinct_text")
    connection.execute(
        "create temp table distinct_text as"
        " select row_number() over (order by n_chars desc, text_hash) as n, item_id, owner_id,"
        " text_hash"
        " from (select distinct on (text_hash) * from pg_temp.pending order by text_hash) as p"
    )
    connection.execute("create index on pg_temp.distinct_text (n)")
    start = 0
    read = sql.SQL(
        # a sealed text is cut when it is open
        "select t.text_hash, case when memory.is_sealed(i.text) then i.text else left(i.text, %s) end"
        " from pg_temp.distinct_text as t"
        " join ({items}) as i on i.item_id = t.item_id and i.owner_id = t.owner_id"
        " where t.n > %s and t.n <= %s and sha256(convert_to(i.text, 'UTF8')) = t.text_hash"
        " order by t.n"
    ).format(items=items_of(kind))
    row = connection.execute("select count(*) from pg_temp.distinct_text").fetchone()
    n_texts = 0 if row is None else int(row[0])
    while start < n_texts:
        rows = connection.execute(read, [MAX_CHARS, start, start + batch_size]).fetchall()
        if rows:
            yield [bytes(row[0]) for row in rows], [row[1][:MAX_CHARS] for row in rows]
        start += batch_size


def _write(
    connection: psycopg.Connection,
    table: sql.Identifier,
    kind: Kind,
    done: tuple[list[bytes], "Future[Vectors]"],
) -> int:
    hashes, future = done
    vectors = future.result().astype(np.float16)
    with writing(connection), connection.cursor() as cursor:
        with cursor.copy("copy pg_temp.ready from stdin with (format binary)") as copy:
            copy.set_types(["bytea", "halfvec"])
            for text_hash, vector in zip(hashes, vectors, strict=True):
                copy.write_row((text_hash, HalfVector(vector)))
        ready = sql.SQL("select text_hash, embedding from pg_temp.ready")
        row = cursor.execute(_insert(table, kind, ready)).fetchone()
        cursor.execute("truncate pg_temp.ready")
    return 0 if row is None else int(row[0])


def vectors_of(
    connection: psycopg.Connection, embedder: Embedder, item_ids: Iterable[UUID]
) -> dict[UUID, Vectors]:
    """Stored vectors, float32 of shape (dim,) and length 1, of those items that have one and
    that the connection's login may see; none where nothing was ever embedded."""
    table = table_name(embedder.name, embedder.dim)
    if not is_made(connection, table):
        return {}
    register_vector(connection)
    query = sql.SQL("select item_id, embedding from {} where item_id = any(%s)").format(
        sql.Identifier("derived", table)
    )
    found: dict[UUID, Vectors] = {}
    remaining = iter(item_ids)
    with connection.cursor(binary=True) as cursor:
        while some := list(islice(remaining, _IDS_AT_ONCE)):
            for item_id, half in cursor.execute(query, [some]):
                vector = half.to_numpy().astype(np.float32)
                found[item_id] = vector / np.linalg.norm(vector)
    return found


def vector_tables(connection: psycopg.Connection) -> list[str]:
    """The tables of vectors in schema derived, of all models; also those that a rebuild is filling."""
    return [
        row[0]
        for row in connection.execute(
            "select relname from pg_class where relnamespace = 'derived'::regnamespace"
            " and relkind = 'r' and starts_with(relname, 'vector_') order by relname"
        )
    ]


def forget(
    connection: psycopg.Connection,
    item_ids: Sequence[UUID] | str,
    *,
    tables: Sequence[str] | None = None,
) -> int:
    """Delete items from every table of vectors and from full text, or from `tables` alone; returns
    how many rows. Ids may come as the database writes an array of them.

    For erasure, after the content is gone: no refresh under way brings a row back.
    """
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(hashtextextended('memory.forget', 0))")
        if tables is None:
            tables = [*vector_tables(connection), "full_text"]
        return sum(
            connection.execute(
                sql.SQL("delete from {} where item_id = any(%s::uuid[])").format(
                    sql.Identifier("derived", table)
                ),
                [item_ids if isinstance(item_ids, str) else list(item_ids)],
            ).rowcount
            for table in tables
        )


class Follower:
    """A thread that keeps an index up to date while something else fills the store."""

    def __init__(
        self, conninfo: str, embedder: Embedder, items: Sequence[Kind], prepare: Prepare
    ) -> None:
        self._conninfo = conninfo
        self._prepare = prepare
        self._embedder = embedder
        self._items = items
        self._wake = threading.Event()
        self._ending = threading.Event()
        self._complete = False
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="follower")
        self._work = self._pool.submit(self._follow)

    def wake(self) -> None:
        """Say that a batch was finished."""
        self._wake.set()

    def end(self, *, complete: bool) -> None:
        """Stop; with `complete`, after a last refresh. Raises what the thread raised."""
        self._complete = complete
        self._ending.set()
        self._wake.set()
        self._pool.shutdown()
        self._work.result()

    def _follow(self) -> None:
        with psycopg.connect(self._conninfo, autocommit=True) as connection:
            self._prepare(connection)
            while not self._ending.is_set():
                self._wake.wait()
                self._wake.clear()
                if not self._ending.is_set():
                    refresh(connection, self._embedder, items=self._items)
            if self._complete:
                refresh(connection, self._embedder, items=self._items)


@contextmanager
def following(
    conninfo: str,
    embedder: Embedder,
    *,
    items: Sequence[Kind] = ("message",),
    prepare: Prepare = lambda _: None,
) -> Iterator[Follower]:
    """Refresh beside the block's own work: it calls `wake()` after each finished batch, and at
    its end everything is indexed. `conninfo` is mem_builder's; `prepare` is called with the
    connection before it is used."""
    follower = Follower(conninfo, embedder, items, prepare)
    try:
        yield follower
    except BaseException:
        follower.end(complete=False)
        raise
    follower.end(complete=True)
