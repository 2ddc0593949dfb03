"""The derived indexes: vectors, full text, graph. Each refresh does what is new since the last."""

from typing import Any

import dagster as dg

from memory_pipeline.index.embedder import table_name
from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.atoms import extracted_atoms
from memory_pipeline.orchestration.groups import GRAPH, HOURLY, INDEXES, MODELS, OWNERS
from memory_pipeline.orchestration.ingestion import MESSAGES
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES

# the models are built before: one chain, so that no index is newer than the answers
STATEMENTS = [extracted_atoms.key, dg.AssetKey("atoms_current")]


def counts_of(report: Any) -> dict[str, int]:
    """The numbers of a stage's report; nothing else of it may become metadata."""
    return {
        name: value
        for name, value in vars(report).items()
        if isinstance(value, int) and not isinstance(value, bool)
    }


@dg.asset(
    group_name=INDEXES,
    owners=OWNERS,
    kinds={"postgres", "pgvector"},
    deps=[MESSAGES],
    retry_policy=RETRIES,
    pool=MODELS,
    freshness_policy=HOURLY,
)
def message_vectors(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Embeddings of messages (halfvec, HNSW, cosine); each distinct text is embedded once."""
    with memory_home.pipeline() as pipeline:
        report = pipeline.embed_messages()
        table = table_name(pipeline.embedder.name, pipeline.embedder.dim)
    return dg.MaterializeResult(
        metadata={
            **counts_of(report),
            "dagster/row_count": _n_items(memory_home, table, is_atom=False),
        }
    )


@dg.asset(
    group_name=INDEXES,
    owners=OWNERS,
    kinds={"postgres", "pgvector"},
    deps=STATEMENTS,
    retry_policy=RETRIES,
    pool=MODELS,
    freshness_policy=HOURLY,
)
def atom_vectors(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Embeddings of the atoms' sentences, in the table of the messages' model."""
    with memory_home.pipeline() as pipeline:
        report = pipeline.embed_atoms()
        table = table_name(pipeline.embedder.name, pipeline.embedder.dim)
    return dg.MaterializeResult(
        metadata={
            **counts_of(report),
            "dagster/row_count": _n_items(memory_home, table, is_atom=True),
        }
    )


@dg.asset(
    group_name=INDEXES,
    owners=OWNERS,
    kinds={"postgres"},
    deps=STATEMENTS,
    retry_policy=RETRIES,
    freshness_policy=HOURLY,
)
def full_text(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Words of messages and atoms, Russian and English in one index."""
    with memory_home.pipeline() as pipeline:
        report = pipeline.refresh_full_text()
    return dg.MaterializeResult(
        metadata={
            **counts_of(report),
            "dagster/row_count": _n_items(memory_home, "full_text", is_atom=None),
        }
    )


@dg.asset(
    group_name=INDEXES,
    owners=OWNERS,
    kinds={"neo4j"},
    deps=STATEMENTS,
    retry_policy=RETRIES,
    pool=GRAPH,
    freshness_policy=HOURLY,
)
def memory_graph(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Entities and facts as a graph: ids, predicates, the statements' own times and audiences,
    and no value, text or name."""
    with memory_home.pipeline() as pipeline:
        report = pipeline.refresh_graph()
    return dg.MaterializeResult(metadata=dict(counts_of(report)))


def _n_items(memory_home: MemoryHome, table: str, *, is_atom: bool | None) -> int:
    with memory_home.counting() as connection:
        return measures.n_items(connection, table, is_atom=is_atom)
