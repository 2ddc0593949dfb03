"""The raw side of `benchmarks.erasure`: the same rows deleted in a copy of the store by statements
that know them beforehand, with no triggers, references or policies, and leave no trace."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar
from uuid import UUID, uuid4, uuid5

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from benchmarks.bitemporal_database import Store
from memory_pipeline.governance.erasure.stores import Store as Place
from memory_pipeline.governance.erasure.stores_database import CONTENT_TABLES, MessageTable
from memory_pipeline.governance.erasure.work import Connection
from memory_pipeline.index import graph

T = TypeVar("T")
COPY_TRIES = 60
WARM_FACTS, WARM_ROUNDS = 2_000, 3
TABLES: tuple[Place, ...] = (MessageTable(), *CONTENT_TABLES)
CONTENT = (
    ("message_content", "message_id", "message"),
    *((table.table, table.key, table.item_kind) for table in CONTENT_TABLES),
)


@contextmanager
def copied(store: Store) -> Iterator[Store]:
    """A copy of a store that nobody is connected to, dropped after."""
    name = f"{store.name}_raw"
    admin_dsn = store.services.pg_dsn("mem_super", "postgres")
    copying = sql.SQL("create database {} template {}").format(
        sql.Identifier(name), sql.Identifier(store.name)
    )
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        for remaining in reversed(range(COPY_TRIES)):
            try:
                admin.execute(copying)
                break
            except psycopg.errors.ObjectInUse:
                # a worker of autovacuum is still connected
                if not remaining:
                    raise
                time.sleep(1)
    try:
        yield Store(store.services, name)
    finally:
        with psycopg.connect(admin_dsn, autocommit=True) as admin:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def prepare(admin: Connection, request_id: UUID) -> None:
    """Note the items of a request that is planned in the copy where raw statements find them."""
    # nothing of the product's: no triggers, no look for references
    admin.execute("set session_replication_role = replica")
    admin.execute(
        "create temporary table planned as select kind::text as kind, action::text, item_id"
        " from memory.erasure_item where request_id = %s and action in ('redact', 'erase')",
        (request_id,),
    )
    admin.execute("create index on pg_temp.planned (kind, item_id)")
    admin.execute("analyze pg_temp.planned")


def tables_of(place: Place, admin: Connection, vectors: str) -> list[tuple[str, str]]:
    """What is rewritten of a store: its tables or partitions that hold planned rows."""
    if place.name == "full_text":
        return [("derived", "full_text")]
    if place.name == "vectors":
        return [("derived", vectors)]
    return [
        ("memory", row[0])
        for table, key, kind in CONTENT
        if table == place.name
        for row in admin.execute(
            sql.SQL(
                "select distinct r.relname from {} as c cross join pg_class as r cross join {}"
                " and r.oid = c.tableoid"
            ).format(sql.Identifier("memory", table), _rows_of(table, key, kind))
        )
    ]


def delete(copy: Store, admin: Connection, vectors: str) -> dict[str, float]:
    """The planned rows deleted in the copy."""
    content = [
        sql.SQL("delete from {} as c using {}").format(
            sql.Identifier("memory", table), _rows_of(table, key, kind)
        )
        for table, key, kind in CONTENT
    ]
    items = sql.SQL(
        "delete from {} where item_id in (select item_id from pg_temp.planned"
        " where kind in ('atom', 'message'))"
    )
    indexes = [items.format(sql.Identifier("derived", name)) for name in ("full_text", vectors)]
    redacted = admin.execute(
        "select count(*) from pg_temp.planned where kind = 'message' and action = 'redact'"
    ).fetchone()
    facts = _planned_facts(admin)
    fresh_graph_s = _delete_fresh(copy, facts)
    graph_s = _delete_twins(copy, facts)
    n_rows, content_s = _run(admin, content)
    _, indexes_s = _run(admin, indexes)
    return {
        "n_rows": n_rows,
        "n_redacted": int(redacted[0]) if redacted else 0,
        "content": content_s,
        "indexes": indexes_s,
        "graph": graph_s,
        "fresh_graph": fresh_graph_s,
    }


def warm(copy: Store, admin: Connection) -> int:
    """Remove twins of some planned facts as both sides do, in turns, before either is measured: the
    graph's server compiles a statement while its first thousands of rows run. Returns how many each
    side removed."""
    facts = _planned_facts(admin)[:WARM_FACTS]
    n_removed = 0
    with copy.services.graph_driver() as driver:
        database = copy.services.graph_database
        for _ in range(WARM_ROUNDS):
            _delete_fresh(copy, facts)
            for twins in _fresh_twins(copy, facts):
                with driver.session(database=database) as session:
                    session.execute_write(graph._write, twins)
                n_removed += graph.remove(driver, database, [row["id"] for row in twins])
    return n_removed


def _planned_facts(admin: Connection) -> list[UUID]:
    return [
        row[0]
        for row in admin.execute(
            "select p.item_id from pg_temp.planned as p"
            " join memory.atom as a on a.atom_id = p.item_id join memory.batch as b using (batch_id)"
            " where p.kind = 'atom' and p.action = 'erase'"
            # last written, first removed, as the product does
            " order by b.batch_no desc, a.atom_id desc"
        )
    ]


def with_twins(
    rows: Iterable[dict[str, Any]], twinned: Callable[[dict[str, Any]], bool]
) -> Iterator[dict[str, Any]]:
    """Facts as the graph takes them, and beside each that is `twinned` one of the same shape, which
    the raw side deletes: among the same neighbours, of a subject with as many."""
    for row in rows:
        yield row
        if twinned(row):
            yield _twin(row, str(_twin_id(UUID(row["id"]))))


def _twin_id(fact_id: UUID) -> UUID:
    return uuid5(fact_id, "twin")


def _twin(row: dict[str, Any], twin_id: str) -> dict[str, Any]:
    """With ends of its own: those of the store keep their degrees."""
    subject = str(uuid5(UUID(row["subject"]), "twin"))
    value = row["value"] and f"twin {row['value']}"
    properties = row["properties"] | {"subject": subject}
    return row | {"id": twin_id, "subject": subject, "value": value, "properties": properties}


def _delete_twins(copy: Store, facts: list[UUID]) -> float:
    """Seconds to delete the facts that were laid beside these."""
    ids = [str(_twin_id(fact)) for fact in facts]
    with (
        copy.services.graph_driver() as driver,
        driver.session(database=copy.services.graph_database) as session,
    ):
        if graph.n_stored(driver, copy.services.graph_database, ids) != len(ids):
            raise RuntimeError("a planned fact has no twin in the graph")
        start = time.perf_counter()
        for some in chunks(ids):
            session.execute_write(_remove_facts, some)
        return time.perf_counter() - start


def _delete_fresh(copy: Store, facts: list[UUID]) -> float:
    """Seconds to delete as many facts that were put in, a thousand at a time, just before: beside one
    another, of subjects with no others."""
    took = 0.0
    with copy.services.graph_driver() as driver:
        for twins in _fresh_twins(copy, facts):
            with driver.session(database=copy.services.graph_database) as session:
                session.execute_write(graph._write, twins)
                start = time.perf_counter()
                session.execute_write(_remove_facts, [row["id"] for row in twins])
                took += time.perf_counter() - start
    return took


def _fresh_twins(copy: Store, facts: list[UUID]) -> Iterator[list[dict[str, Any]]]:
    ids = sql.SQL(" where f.id = any({})").format([str(fact) for fact in facts])
    with copy.connect("mem_builder") as builder:
        for rows in chunks(graph_rows(builder, ids)):
            fresh = []
            for row in rows:
                twin = _twin(row, str(uuid4()))
                twin["subject"] = twin["properties"]["subject"] = str(
                    uuid5(UUID(row["subject"]), "fresh")
                )
                fresh.append(twin | {"value": row["value"] and f"fresh {row['value']}"})
            yield fresh


def _remove_facts(transaction: Any, ids: list[str]) -> None:
    transaction.run("UNWIND $ids AS id MATCH (f:Fact {id: id}) DETACH DELETE f", ids=ids).consume()


def _rows_of(table: str, key: str, kind: str) -> sql.Composed:
    """The planned rows of a content table, looked for in the partition where they lie."""
    joined, matched = "", ""
    if owner := {"message_content": "dialog_id", "atom_content": "subject_id"}.get(table):
        joined = f" join memory.{kind} as m on m.{kind}_id = p.item_id"
        matched = f" and c.{owner} = m.{owner}"
    return sql.SQL("{} as p{} where p.kind = {} and c.{} = p.item_id{}").format(
        sql.Identifier("pg_temp", "planned"), sql.SQL(joined), kind, sql.Identifier(key),
        sql.SQL(matched),
    )  # fmt: skip


def _run(admin: Connection, statements: list[sql.Composed]) -> tuple[int, float]:
    """Rows and seconds of one transaction."""
    start = time.perf_counter()
    with admin.transaction():
        n_rows = sum(admin.execute(statement).rowcount for statement in statements)
    return n_rows, time.perf_counter() - start


def graph_rows(builder: Connection, which: sql.Composed) -> Iterator[dict[str, Any]]:
    """Facts as the graph takes them, of the atoms that a condition on `f` chooses."""
    with (
        builder.transaction(),
        builder.cursor(f"facts_{uuid4().hex}", row_factory=dict_row) as cursor,
    ):
        cursor.itersize = graph.ROWS_AT_ONCE
        cursor.execute(sql.SQL("select * from ({}) as f{}").format(graph.FACTS, which))
        for fact in cursor:
            yield graph.as_row(fact)


def chunks(rows: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(rows)
    while some := list(islice(remaining, graph.ROWS_AT_ONCE)):
        yield some
