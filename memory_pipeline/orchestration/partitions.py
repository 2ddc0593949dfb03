"""The partition of the ledger's assets: the day on which a log file was first seen, in UTC."""

import contextlib
import warnings
from datetime import UTC, date, datetime
from pathlib import Path

import dagster as dg

# the only mark of backfill policies on assets; the lock keeps the version that was tested
warnings.filterwarnings("ignore", message=r"(?s).*backfill_policy", category=dg.BetaWarning)

# a stand-in for declarations; `in_days_of` puts an installation's own days in its place
INGEST_DAYS = dg.DailyPartitionsDefinition(start_date="2025-01-01", timezone="UTC", end_offset=1)

# a backfill of a year is a dozen runs; each does nothing where versions are equal
BACKFILL = dg.BackfillPolicy.multi_run(max_partitions_per_run=31)


def ingest_days(home: Path) -> dg.DailyPartitionsDefinition:
    """The days of an installation: from the first time its definitions were loaded, so that none
    before it shows as missing, to today."""
    kept = home / "dagster" / "first_day"
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError), kept.open("x") as file:
        file.write(today().isoformat())
    return dg.DailyPartitionsDefinition(
        start_date=kept.read_text(),
        timezone="UTC",
        # today's partition exists from its first second, not from tomorrow
        end_offset=1,
    )


def in_days_of(home: Path, asset: dg.AssetsDefinition) -> dg.AssetsDefinition:
    """A declared asset with the days of an installation."""
    days = ingest_days(home)
    return asset.map_asset_specs(
        lambda spec: spec.replace_attributes(partitions_def=days) if spec.partitions_def else spec
    )


def today() -> date:
    """The ingest day that files seen now belong to."""
    return datetime.now(UTC).date()


def days_of(context: dg.AssetExecutionContext) -> list[date]:
    """The ingest days that a run was asked for, oldest first."""
    return [date.fromisoformat(key) for key in sorted(context.partition_keys)]
