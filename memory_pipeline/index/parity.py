"""Parity: does each derived index hold what the ledger and its content say, and nothing else?"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg
from psycopg import sql
from psycopg.rows import dict_row
from pydantic import BaseModel, ConfigDict

from memory_pipeline.index import graph, graph_contents, vectors
from memory_pipeline.index.embedder import MAX_CHARS, Embedder, table_name
from memory_pipeline.index.items import KINDS, items_of

if TYPE_CHECKING:
    from neo4j import Driver

_SAMPLED = 32
_MIN_COSINE = 0.999


class Parity(BaseModel):
    """One index compared with the truth, in counts only.

    `n_changed` are items whose text, owner, audience or (graph) properties differ. For vectors
    `worst_cosine` is the least similarity of stored vectors to freshly made ones, over
    `n_sampled` items taken evenly.
    """

    model_config = ConfigDict(frozen=True)

    index: str
    model: str | None = None
    n_expected: int
    n_found: int
    n_missing: int
    n_extra: int
    n_changed: int
    n_sampled: int = 0
    worst_cosine: float | None = None

    @property
    def is_equal(self) -> bool:
        """Whether nothing is missing, left over or different."""
        return (
            self.n_missing + self.n_extra + self.n_changed == 0
            and self.n_expected == self.n_found
            and (self.worst_cosine is None or self.worst_cosine >= _MIN_COSINE)
        )


def _items() -> sql.Composed:
    return sql.SQL(" union all ").join(items_of(kind) for kind in KINDS)


def _compare(connection: psycopg.Connection, table: str) -> dict[str, int]:
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(
            sql.SQL(
                "select count(i.item_id) as n_expected, count(v.item_id) as n_found,"
                " count(*) filter (where v.item_id is null) as n_missing,"
                " count(*) filter (where i.item_id is null) as n_extra,"
                " count(*) filter (where i.item_id is not null and v.item_id is not null"
                " and (v.text_hash, v.is_atom, v.tenant_id, v.audience_id, v.owner_id)"
                " is distinct from (sha256(convert_to(i.text, 'UTF8')), i.is_atom, i.tenant_id,"
                " i.audience_id, i.owner_id)) as n_changed"
                " from ({items}) as i full join {table} as v on v.item_id = i.item_id"
            ).format(items=_items(), table=sql.Identifier("derived", table))
        ).fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return row


def vector_parity(connection: psycopg.Connection, embedder: Embedder) -> Parity:
    """Compare a model's vectors with the truth; a sample of texts is embedded again.

    `connection` is mem_builder's or mem_verifier's.
    """
    table = table_name(embedder.name, embedder.dim)
    counts = _compare(connection, table)
    sample = connection.execute(
        sql.SQL(
            "select i.item_id, case when memory.is_sealed(i.text) then i.text"
            " else left(i.text, %s) end from ({items}) as i"
            " join {table} as v using (item_id) order by v.text_hash limit %s"
        ).format(items=_items(), table=sql.Identifier("derived", table)),
        [MAX_CHARS, _SAMPLED],
    ).fetchall()
    worst = None
    if sample:
        fresh = embedder.passages([text[:MAX_CHARS] for _, text in sample])
        stored = vectors.vectors_of(connection, embedder, [item_id for item_id, _ in sample])
        cosines = [
            float(np.dot(vector, stored[item_id]))
            for (item_id, _), vector in zip(sample, fresh, strict=True)
        ]
        worst = min(cosines)
    return Parity(
        index=table, model=embedder.name, n_sampled=len(sample), worst_cosine=worst, **counts
    )


def text_parity(connection: psycopg.Connection) -> Parity:
    """Compare the full text with the truth."""
    return Parity(index="full_text", **_compare(connection, "full_text"))


def graph_parity(connection: psycopg.Connection, driver: "Driver", database: str) -> Parity:
    """Compare facts, their properties and their relationships with the truth.

    Both sides are read in the order of their ids and merged, so memory does not grow with them.
    """
    counts = dict.fromkeys(("n_expected", "n_found", "n_missing", "n_extra", "n_changed"), 0)
    with connection.transaction():
        expected = graph_contents.expected_facts(connection)
        for wanted, found in _merged(expected, graph_contents.stored_facts(driver, database)):
            counts["n_expected"] += wanted is not None
            counts["n_found"] += found is not None
            counts["n_missing"] += found is None
            counts["n_extra"] += wanted is None
            counts["n_changed"] += wanted is not None and found is not None and wanted != found
    counts["n_extra"] += graph_contents.loose_nodes(driver, database)
    return Parity(index=graph.INDEX_NAME, **counts)


def _merged(
    left: Iterable[dict[str, Any]], right: Iterable[dict[str, Any]]
) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    """Pairs of rows with one id out of two streams that are sorted by id."""
    lefts, rights = iter(left), iter(right)
    a, b = next(lefts, None), next(rights, None)
    while a is not None or b is not None:
        if b is None or (a is not None and a["id"] < b["id"]):
            yield a, None
            a = next(lefts, None)
        elif a is None or b["id"] < a["id"]:
            yield None, b
            b = next(rights, None)
        else:
            yield a, b
            a, b = next(lefts, None), next(rights, None)


def parity(
    connection: psycopg.Connection,
    embedder: Embedder | None = None,
    driver: "Driver | None" = None,
    graph_database: str = "memory",
) -> list[Parity]:
    """Compare full text, and the vectors and the graph where embedder and driver are given."""
    reports = [text_parity(connection)]
    if embedder is not None:
        reports.append(vector_parity(connection, embedder))
    if driver is not None:
        reports.append(graph_parity(connection, driver, graph_database))
    return reports
