"""Importance of messages and the statements drawn from them, by the ingest day of their file."""

from collections import Counter

import dagster as dg

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.groups import ATOMS, HOURLY, MODELS, OWNERS
from memory_pipeline.orchestration.ingestion import MESSAGES
from memory_pipeline.orchestration.partitions import BACKFILL, INGEST_DAYS, days_of
from memory_pipeline.orchestration.plots import bars
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES


@dg.asset(
    group_name=ATOMS,
    owners=OWNERS,
    kinds={"python", "postgres"},
    deps=[MESSAGES, "message_vectors"],
    partitions_def=INGEST_DAYS,
    backfill_policy=BACKFILL,
    retry_policy=RETRIES,
    pool=MODELS,
    freshness_policy=HOURLY,
)
def message_labels(
    context: dg.AssetExecutionContext, memory_home: MemoryHome
) -> dg.MaterializeResult[None]:
    """Importance of each message (CRITICAL, RELEVANT, TRIVIAL): the manual tag, else rules or the
    tenant's model. A message is labelled once by each version; a person's label counts before
    all."""
    days = days_of(context)
    done: Counter[str] = Counter()
    with memory_home.pipeline() as pipeline:
        for day in days:
            done.update(vars(pipeline.label(day=day)))
        done.update(pipeline.costs())
    with memory_home.counting() as connection:
        counts = measures.importance(connection, days)
    return dg.MaterializeResult(
        metadata={
            **done,
            "dagster/partition_row_count": sum(counts.values()),
            "importance": bars(counts, "messages by importance"),
        }
    )


@dg.asset(
    group_name=ATOMS,
    owners=OWNERS,
    kinds={"python", "postgres"},
    deps=[MESSAGES, message_labels],
    partitions_def=INGEST_DAYS,
    backfill_policy=BACKFILL,
    retry_policy=RETRIES,
    pool=MODELS,
    freshness_policy=HOURLY,
)
def extracted_atoms(
    context: dg.AssetExecutionContext, memory_home: MemoryHome
) -> dg.MaterializeResult[None]:
    """Statements (atoms and closures) with evidence, dates, audience and origin. Windows are
    extracted again when their dialog gains a message or the extractor or registry changes; at
    equal versions a backfill does nothing."""
    days = days_of(context)
    done: Counter[str] = Counter()
    with memory_home.pipeline() as pipeline:
        for day in days:
            done.update(vars(pipeline.extract(day=day)))
        done.update(pipeline.costs())
    with memory_home.counting() as connection:
        counts = measures.atoms_by_kind(connection, days)
    return dg.MaterializeResult(
        metadata={
            **done,
            "dagster/partition_row_count": sum(counts.values()),
            "atoms_by_kind": bars(counts, "standing atoms by kind"),
        }
    )
