"""What was refused, and what waits for a person."""

import dagster as dg

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.atoms import extracted_atoms, message_labels
from memory_pipeline.orchestration.groups import GOVERNANCE, HOURLY, OWNERS
from memory_pipeline.orchestration.ingestion import MESSAGES
from memory_pipeline.orchestration.plots import bars
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES


@dg.asset(
    group_name=GOVERNANCE,
    owners=OWNERS,
    kinds={"postgres"},
    deps=[MESSAGES, message_labels, extracted_atoms],
    retry_policy=RETRIES,
    freshness_policy=HOURLY,
)
def quarantine(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Refused and undecidable input, sealed, each with its reason; and the review list."""
    with memory_home.counting() as connection:
        states = measures.quarantine_by_state(connection)
        reasons = measures.open_quarantine_by_reason(connection)
        n_reviews = measures.n_open_reviews(connection)
    return dg.MaterializeResult(
        metadata={
            "dagster/row_count": sum(states.values()),
            "n_open": states.get("open", 0),
            "n_open_reviews": n_reviews,
            "open_by_reason": bars(reasons, "open quarantine by reason"),
        }
    )
