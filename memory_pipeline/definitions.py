"""The Dagster code location. It assembles; the logic is in the packages that the assets call."""

from pathlib import Path

import dagster as dg

from memory_pipeline.logs import install
from memory_pipeline.orchestration.atoms import extracted_atoms, message_labels
from memory_pipeline.orchestration.bitemporal import bitemporal_models
from memory_pipeline.orchestration.context import context_snapshots
from memory_pipeline.orchestration.erasure import erasure_job, erasure_requests_sensor
from memory_pipeline.orchestration.executors import chosen_executor
from memory_pipeline.orchestration.expectations import expectations
from memory_pipeline.orchestration.governance import (
    audit_head_job,
    daily_audit_head,
    daily_retention,
    erasures,
    quarantine,
    retention_job,
)
from memory_pipeline.orchestration.indexes import (
    atom_vectors,
    full_text,
    memory_graph,
    message_vectors,
)
from memory_pipeline.orchestration.ingestion import read_logs
from memory_pipeline.orchestration.jobs import (
    bulk_extraction_job,
    context_snapshot_job,
    ingest_job,
    rebuild_indexes_job,
)
from memory_pipeline.orchestration.notices import (
    erasure_terms_notice,
    failed_runs_notice,
    quarantine_growth_notice,
    stale_assets_notice,
)
from memory_pipeline.orchestration.parity import parity
from memory_pipeline.orchestration.partitions import in_days_of
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.triggers import (
    bulk_answers_sensor,
    hourly_ingest,
    new_logs_sensor,
    snapshot_requests_sensor,
)
from memory_pipeline.settings import settings


def assemble(home: Path) -> dg.Definitions:
    """Everything that Dagster shows and runs, for the installation in `home`.

    The first load there parses the dbt project (8 s). Raises `DbtError`, `SuiteError` and
    `ExecutorSettingError`.
    """
    return dg.Definitions(
        assets=[
            in_days_of(home, read_logs),
            in_days_of(home, message_labels),
            in_days_of(home, extracted_atoms),
            bitemporal_models(home),
            message_vectors,
            atom_vectors,
            full_text,
            memory_graph,
            context_snapshots,
            quarantine,
            erasures,
        ],
        asset_checks=[expectations, parity],
        jobs=[
            ingest_job,
            rebuild_indexes_job,
            context_snapshot_job,
            bulk_extraction_job,
            erasure_job,
            audit_head_job,
            retention_job,
        ],
        schedules=[hourly_ingest, daily_audit_head, daily_retention],
        sensors=[
            new_logs_sensor,
            snapshot_requests_sensor,
            bulk_answers_sensor,
            erasure_requests_sensor,
            failed_runs_notice,
            stale_assets_notice,
            quarantine_growth_notice,
            erasure_terms_notice,
        ],
        resources={"memory_home": MemoryHome(home=str(home))},
        loggers={"console": dg.colored_console_logger.configured({"log_level": "ERROR"})},
        executor=chosen_executor(),
    )


@dg.definitions
def definitions() -> dg.Definitions:
    """The code location of the home that the settings name."""
    install(settings().log_level)
    return assemble(settings().home)
