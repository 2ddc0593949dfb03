"""The partition of the ledger's assets: the day on which a log file was first seen, in UTC."""

import warnings
from datetime import UTC, date, datetime

import dagster as dg

# the only mark of backfill policies on assets; the lock keeps the version that was tested
warnings.filterwarnings("ignore", message=r"(?s).*backfill_policy", category=dg.BetaWarning)

INGEST_DAYS = dg.DailyPartitionsDefinition(
    start_date="2025-01-01",
    timezone="UTC",
    # today's partition exists from its first second, not from tomorrow
    end_offset=1,
)

# a backfill of a year is a dozen runs; each does nothing where versions are equal
BACKFILL = dg.BackfillPolicy.multi_run(max_partitions_per_run=31)


def today() -> date:
    """The ingest day that files seen now belong to."""
    return datetime.now(UTC).date()


def days_of(context: dg.AssetExecutionContext) -> list[date]:
    """The ingest days that a run was asked for, oldest first."""
    return [date.fromisoformat(key) for key in sorted(context.partition_keys)]
