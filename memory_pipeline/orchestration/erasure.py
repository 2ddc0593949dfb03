"""The erasure job, and what starts it: requests as rows, and request files in a watched folder.

A run carries one request on from wherever it stands. What is to be done is read from the table of
requests, so a failed run costs an attempt and nothing else; attempts are counted anew each hour,
since a store that was down for long must not end a request for good.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

import dagster as dg
from pydantic import Field

from memory_pipeline.contracts.erasure import Block, ErasureState
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.inbox import take_requests
from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.groups import DAYS_BEFORE_DUE, OWNERS
from memory_pipeline.orchestration.jobs import TENANT_TAG
from memory_pipeline.orchestration.plots import bars
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import without_content
from memory_pipeline.orchestration.triggers import WORK_TAG, for_tenant, next_attempt

MAX_REQUESTS = 50
OP = "carry_on_erasure"
ERASURES = dg.AssetKey("erasures")


class ErasureConfig(dg.Config):
    """Which request is carried on; an id says nothing of whom."""

    request_id: str = Field(description="Id of the request.")


@dg.op(name=OP, out=dg.Out(dg.Nothing), description="Carries one request on to its certificate.")
def carry_on_erasure(
    context: dg.OpExecutionContext, config: ErasureConfig, memory_home: MemoryHome
) -> None:
    """Fails where something holds the request up that may pass; waits for a person without."""
    with without_content(), Eraser(memory_home.services, memory_home.tenant) as eraser:
        status = eraser.run(UUID(config.request_id), progress=context.log.info)
    context.log.info(f"request {status.request_id}: {status.state}, {status.block or 'free'}")
    with without_content():
        told = erasures_metadata(memory_home)
    context.log_event(dg.AssetMaterialization(ERASURES, metadata=told))
    done = status.state is ErasureState.certified
    if not done and status.block not in (Block.review_open, Block.legal_hold):
        raise dg.Failure(f"request {status.request_id} is held up: {status.block or status.state}")


@dg.job(
    description="Carries a request to erase on: fence, plan, content, stores, scrub, verification,"
    " certificate.",
    tags={"memory/purpose": "erasure"},
    metadata={"owners": ", ".join(OWNERS)},
)
def erasure_job() -> None:
    """One step, resumable at any point of it."""
    carry_on_erasure()


def erasures_metadata(memory_home: MemoryHome) -> dict[str, dg.MetadataValue | int]:
    """What the asset of all requests shows: counts, by state and by what waits."""
    with memory_home.counting() as connection:
        states = measures.erasures_by_state(connection)
        due = measures.erasures_due(connection, DAYS_BEFORE_DUE)
        n_mentions = measures.n_open_mentions(connection)
    return {
        "dagster/row_count": sum(states.values()),
        "n_certified": states.get("certified", 0),
        "n_near_or_past_their_term": len(due),
        "n_mentions_for_a_person": n_mentions,
        "by_state": bars(states, "requests by state"),
    }


def run_config(request_id: UUID | str) -> dict[str, object]:
    """Run configuration that names the request."""
    return {"ops": {OP: {"config": {"request_id": str(request_id)}}}}


@dg.sensor(
    job=erasure_job,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def erasure_requests_sensor(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Takes request files in, then asks for a run for each request that may go on."""
    with memory_home.counting() as connection:
        tenants = measures.tenants(connection)
    for tenant_id, name in tenants:
        with without_content():
            take_requests(memory_home.services, name)
        with memory_home.counting() as connection:
            found = measures.open_erasures(connection, tenant_id, MAX_REQUESTS)
        for request_id in found:
            work = f"erasure-{request_id}-{datetime.now(UTC):%Y%m%d%H}"
            attempt = next_attempt(context.instance, work)
            if isinstance(attempt, str):
                yield dg.SkipReason(f"{work}: {attempt}")
                continue
            yield dg.RunRequest(
                run_key=f"{work}-attempt{attempt}",
                tags={WORK_TAG: work, TENANT_TAG: str(tenant_id)},
                run_config={**run_config(request_id), **for_tenant(name)},
            )
