"""The jobs: the whole graph for ingest days, the indexes, the contexts. Erasure's is in `erasure`."""

import dagster as dg
from pydantic import Field

from memory_pipeline.index.rebuild import INDEXES
from memory_pipeline.orchestration.context import context_snapshots
from memory_pipeline.orchestration.groups import MODELS
from memory_pipeline.orchestration.parity import outcomes
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES

TENANT_TAG = "memory/tenant"

ingest_job = dg.define_asset_job(
    "ingest_job",
    selection=dg.AssetSelection.all(),
    description="Everything, from the landing folder to packed contexts, for ingest days.",
    tags={"memory/purpose": "ingest"},
)

context_snapshot_job = dg.define_asset_job(
    "context_snapshot_job",
    selection=dg.AssetSelection.assets(context_snapshots),
    description="Packs the contexts that were asked for.",
    tags={"memory/purpose": "context"},
)


class RebuildConfig(dg.Config):
    """What is dropped and made anew."""

    indexes: list[str] = Field(
        default=list(INDEXES), description="The indexes to rebuild: vectors, full_text, graph."
    )


@dg.op(pool=MODELS, out=dg.Out(dg.Nothing))
def rebuild_indexes(
    context: dg.OpExecutionContext, config: RebuildConfig, memory_home: MemoryHome
) -> None:
    """Drop derived indexes, make them again from the ledger, and compare them with it."""
    if not set(config.indexes) <= set(INDEXES):
        raise dg.Failure(f"no index has such a name; choose among {', '.join(INDEXES)}")
    with memory_home.pipeline() as pipeline:
        reports = pipeline.rebuild([index for index in INDEXES if index in config.indexes])
    context.log.info(f"rebuilt: {outcomes(reports)}")
    different = [report.index for report in reports if not report.is_equal]
    if different:
        raise dg.Failure(f"not equal to the truth after a rebuild: {', '.join(different)}")


@dg.job(
    description="Drops vectors, full text and graph and makes them again, then checks parity.",
    tags={"memory/purpose": "rebuild"},
)
def rebuild_indexes_job() -> None:
    """One step: a rebuild that stops half-way is taken up by the next refresh."""
    rebuild_indexes()


@dg.op(pool=MODELS, out=dg.Out(dg.Nothing), retry_policy=RETRIES)
def bulk_round(context: dg.OpExecutionContext, memory_home: MemoryHome) -> None:
    """Collect what a provider answered, send what waits, delete its files; then extract what was
    answered and bring the indexes up to date."""
    with memory_home.pipeline() as pipeline:
        report = pipeline.run_bulk()
        if report.n_answered or report.n_failed:
            pipeline.run([])
    context.add_output_metadata(vars(report))


@dg.job(
    description="One round of bulk extraction: collects a provider's answers and deletes its files.",
    tags={"memory/purpose": "bulk"},
)
def bulk_extraction_job() -> None:
    """One step: what is left half-way is recorded, and the next round goes on."""
    bulk_round()
