"""Filtered vector search of `benchmarks.bitemporal` against exact search."""

import statistics
import time
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from benchmarks.bitemporal_database import TEAM_READER, Connection, Store
from benchmarks.bitemporal_store import Ground
from memory_pipeline.index.embedder import table_name
from memory_pipeline.index.search import EXACT_UP_TO, search_vectors

MODEL = "benchmark"
DIM = 384
Floats = npt.NDArray[Any]


def recall(store: Store, ground: Ground, n_vectors: int, n_queries: int = 100) -> dict[str, Any]:
    """Recall of filtered search against exact search over what the reader may see: clustered
    synthetic vectors, of which a reader without the audience `private` sees three quarters."""
    draw = np.random.default_rng(11)
    centres = _unit(draw.standard_normal((200, DIM)))
    queries = _near(draw, centres, n_queries)
    exact = _unit(queries.astype(np.float32))
    found: list[list[tuple[float, UUID]]] = [[] for _ in range(n_queries)]
    table = table_name(MODEL, DIM)
    public, private, team = ground.audiences
    with store.connect("mem_builder") as builder:
        builder.execute("select memory.register_model(%s, %s, '1', %s, '{}')", (table, MODEL, DIM))
        register_vector(builder)
        n_visible = 0
        start = time.perf_counter()
        for first in range(0, n_vectors, 2_000):
            n = min(2_000, n_vectors - first)
            embeddings = _near(draw, centres, n)
            audiences = draw.choice([public, private, team], size=n, p=[0.6, 0.25, 0.15])
            ids = [uuid4() for _ in range(n)]
            _add_vectors(builder, table, ground.tenant_id, ids, audiences, embeddings)
            seen = np.flatnonzero(audiences != private)
            n_visible += len(seen)
            near = exact @ _unit(embeddings[seen].astype(np.float32)).T
            for row, kept in zip(near, found, strict=True):
                best = np.argsort(-row)[:10]
                kept.extend((float(row[at]), ids[seen[at]]) for at in best)
                kept.sort(reverse=True)
                del kept[10:]
        fill_s = time.perf_counter() - start
    store.maintain(f"derived.{table}")
    took = []
    n_hits = 0
    with store.connect(TEAM_READER) as reader:
        for query, expected in zip(queries, found, strict=True):
            start = time.perf_counter()
            hits = search_vectors(reader, query, 10, model=MODEL)
            took.append(time.perf_counter() - start)
            n_hits += len({hit.item_id for hit in hits} & {item for _, item in expected})
    return {
        "n_vectors": n_vectors,
        "n_visible": n_visible,
        "through_hnsw": n_visible > EXACT_UP_TO,
        "recall_at_10": round(n_hits / (10 * n_queries), 4),
        "search_ms": round(statistics.median(took) * 1e3, 1),
        "vectors_per_s_added": round(n_vectors / fill_s),
    }


def _near(draw: np.random.Generator, centres: Floats, n: int) -> Floats:
    """Half-precision vectors of length 1 around centres drawn at random."""
    drawn = centres[draw.integers(len(centres), size=n)]
    return _unit(drawn + 0.8 * _unit(draw.standard_normal((n, DIM)))).astype(np.float16)


def _unit(rows: Floats) -> Floats:
    scaled: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def _add_vectors(
    builder: Connection,
    table: str,
    tenant_id: int,
    ids: list[UUID],
    audiences: Floats,
    embeddings: Floats,
) -> None:
    target = sql.Identifier("derived", table)
    with builder.transaction(), builder.cursor() as cursor:
        cursor.execute(
            sql.SQL("create temporary table fresh on commit drop as table {} with no data").format(
                target
            )
        )
        with cursor.copy("copy fresh from stdin") as copy:
            for item_id, audience, embedding in zip(ids, audiences, embeddings, strict=True):
                copy.write_row(
                    (item_id, True, tenant_id, int(audience), item_id, item_id.bytes,
                     HalfVector(embedding))
                )  # fmt: skip
        cursor.execute(sql.SQL("insert into {} select * from fresh").format(target))
