"""Log files and their messages, by ingest day."""

from collections.abc import Iterator

import dagster as dg

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.groups import HOURLY, INGESTION, OWNERS
from memory_pipeline.orchestration.partitions import BACKFILL, INGEST_DAYS, days_of, today
from memory_pipeline.orchestration.plots import bars
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES

LOG_FILES = dg.AssetKey("log_files")
MESSAGES = dg.AssetKey("messages")


@dg.multi_asset(
    name="read_logs",
    specs=[
        dg.AssetSpec(
            LOG_FILES,
            description="Log files of the landing folder, known by the keyed hash of their bytes. "
            "A file that was read whole moves, sealed, to the archive. A partition holds the files "
            "first seen on that day (UTC).",
            group_name=INGESTION,
            owners=OWNERS,
            kinds={"python", "postgres", "file"},
            freshness_policy=HOURLY,
        ),
        dg.AssetSpec(
            MESSAGES,
            deps=[LOG_FILES],
            description="Turns of dialogs by revision, secrets masked and in Vault before anything "
            "reads the text. What cannot be read is in quarantine, with file, line and reason.",
            group_name=INGESTION,
            owners=OWNERS,
            kinds={"python", "postgres", "vault"},
            freshness_policy=HOURLY,
        ),
    ],
    partitions_def=INGEST_DAYS,
    backfill_policy=BACKFILL,
    retry_policy=RETRIES,
)
def read_logs(
    context: dg.AssetExecutionContext, memory_home: MemoryHome
) -> Iterator[dg.MaterializeResult[None]]:
    """Read what waits in the landing folder, if today is among the run's days.

    A file keeps the day that saw it first, so a run of an older day has nothing to read: it
    counts what that day holds.
    """
    days = days_of(context)
    n_files = n_added = n_known = n_quarantined = n_waiting = 0
    if today() in days:
        with memory_home.pipeline() as pipeline:
            report = pipeline.ingest_landing(day=today())
        n_files, n_added = report.n_files, report.n_messages
        n_known, n_quarantined = report.n_known, report.n_quarantined
        n_waiting = report.n_waiting
    with memory_home.counting() as connection:
        yield dg.MaterializeResult(
            asset_key=LOG_FILES,
            metadata={
                "dagster/partition_row_count": measures.n_files(connection, days),
                "n_files_read": n_files,
            },
        )
        yield dg.MaterializeResult(
            asset_key=MESSAGES,
            metadata={
                "dagster/partition_row_count": measures.n_messages(connection, days),
                "n_added": n_added,
                "n_known": n_known,
                "n_quarantined": n_quarantined,
                "n_waiting": n_waiting,
                "messages_by_ingest_day": bars(
                    measures.messages_by_day(connection), "messages by ingest day"
                ),
            },
        )
