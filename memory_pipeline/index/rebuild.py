"""Rebuild derived indexes from the truth: vectors beside and swapped, the others emptied and
filled. Works also where the tables, or the whole schema, were dropped."""

from collections.abc import Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING, Literal

import psycopg
from psycopg import sql

from memory_pipeline.index import full_text, graph, vectors
from memory_pipeline.index.embedder import Embedder, table_name
from memory_pipeline.index.items import (
    KINDS,
    last_batch,
    move_watermark,
    one_refresh,
    remove_gone,
    writing,
)
from memory_pipeline.index.parity import Parity, graph_parity, text_parity, vector_parity

if TYPE_CHECKING:
    from neo4j import Driver

Index = Literal["vectors", "full_text", "graph"]
INDEXES: tuple[Index, ...] = ("vectors", "full_text", "graph")


def rebuild(
    connection: psycopg.Connection,
    what: Collection[Index],
    *,
    embedder: Embedder | None = None,
    driver: "Driver | None" = None,
    graph_database: str = "memory",
) -> list[Parity]:
    """Make the named indexes anew and compare them with the truth.

    `connection` is mem_builder's, in autocommit; vectors need `embedder`, the graph `driver`.
    Readers see the old vectors until the new ones are complete; the full text is locked while it
    is filled, the graph grows under their eyes. Raises `ValueError` for a missing argument and
    what embedder and driver raise; a rebuild that dies is begun anew.
    """
    if "vectors" in what and embedder is None:
        raise ValueError("rebuilding vectors needs an embedder")
    if "graph" in what and driver is None:
        raise ValueError("rebuilding the graph needs a driver")
    connection.execute("select memory.create_derived()")
    reports = []
    if "full_text" in what:
        rebuild_full_text(connection)
        reports.append(text_parity(connection))
    if "vectors" in what and embedder is not None:
        rebuild_vectors(connection, embedder)
        reports.append(vector_parity(connection, embedder))
    if "graph" in what and driver is not None:
        graph.clear(connection, driver, graph_database)
        graph.refresh(connection, driver, graph_database)
        reports.append(graph_parity(connection, driver, graph_database))
    return reports


def rebuild_vectors(connection: psycopg.Connection, embedder: Embedder) -> None:
    """Embed every text anew into a table beside, and swap; also moves a model to a new version."""
    table = table_name(embedder.name, embedder.dim)
    calibration = embedder.calibration.model_dump_json()
    connection.execute(
        "select memory.register_model(%s, %s, %s, %s, %s)",
        [table, embedder.name, embedder.version, embedder.dim, calibration],
    )
    names = [vectors.index_name(embedder, kind) for kind in KINDS]
    with ExitStack() as locks:
        for name in names:
            locks.enter_context(one_refresh(connection, name))
        row = connection.execute("select memory.start_vector_rebuild(%s)", [table]).fetchone()
        assert row is not None  # noqa: S101 - a function call returns a row
        beside = sql.Identifier("derived", row[0])
        done = [vectors.fill(connection, embedder, beside, kind, after=0) for kind in KINDS]
        with writing(connection):
            # what went while the table was filled
            for kind, part in zip(KINDS, done, strict=True):
                remove_gone(connection, beside, kind, part.batch_no, last_batch(connection))
            connection.execute(
                "select memory.finish_vector_rebuild(%s, %s, %s)",
                [table, embedder.version, calibration],
            )
            for name, part in zip(names, done, strict=True):
                move_watermark(connection, name, part.batch_no, embedder.name)


def rebuild_full_text(connection: psycopg.Connection) -> None:
    """Empty and fill the full text in one transaction."""
    with ExitStack() as locks:
        for kind in KINDS:
            locks.enter_context(one_refresh(connection, full_text.index_name(kind)))
        upper = last_batch(connection)
        with writing(connection):
            connection.execute(sql.SQL("truncate {}").format(full_text.TABLE))
            for kind in KINDS:
                full_text.insert_items(connection, kind, 0, upper)
                move_watermark(connection, full_text.index_name(kind), upper)
