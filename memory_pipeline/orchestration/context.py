"""Packed contexts, for those who asked for one."""

import dagster as dg
from pydantic import Field

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.groups import CONTEXT, OWNERS
from memory_pipeline.orchestration.indexes import (
    atom_vectors,
    full_text,
    memory_graph,
    message_vectors,
)
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES


class PackConfig(dg.Config):
    """How much one run packs."""

    limit: int = Field(default=50, ge=1, le=1000, description="Requests packed at most.")


@dg.asset(
    group_name=CONTEXT,
    owners=OWNERS,
    kinds={"python", "postgres"},
    deps=["atoms_current", message_vectors, atom_vectors, full_text, memory_graph],
    retry_policy=RETRIES,
)
def context_snapshots(config: PackConfig, memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Contexts packed into a token budget (AFM) for the open requests, each item with its score
    and reason."""
    with memory_home.pipeline() as pipeline:
        n_packed = len(pipeline.pack_requests(limit=config.limit))
    with memory_home.counting() as connection:
        return dg.MaterializeResult(
            metadata={
                "n_packed": n_packed,
                "n_requests_open": len(measures.open_snapshot_requests(connection, limit=10_000)),
                "dagster/row_count": measures.n_snapshots(connection),
            }
        )
