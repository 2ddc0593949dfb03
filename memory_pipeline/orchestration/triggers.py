"""What starts runs: an hourly schedule and two sensors. No automation condition fires as well.

What is to be done is read from its own place, the landing folder and the table of requests,
never from a cursor. A run key is spent even by a failed run, so it carries the number of the
attempt, counted from the runs that bear the same tag. Keys and tags hold hashes, ids and counts.
"""

import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import dagster as dg

from memory_pipeline.bitemporal.batches import current_epoch
from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.jobs import (
    TENANT_TAG,
    bulk_extraction_job,
    context_snapshot_job,
    ingest_job,
)
from memory_pipeline.orchestration.partitions import today
from memory_pipeline.orchestration.resources import MemoryHome

WORK_TAG = "memory/work"
MAX_ATTEMPTS = 5
MAX_REQUESTS = 50
BULK_TICK_SECONDS = 300

DONE = {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED}


def digest(parts: Iterable[str]) -> str:
    """A short name for a set of things to do, whatever their order."""
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:24]


def landing_state(files: Iterable[Path]) -> str:
    """Names the files that wait by their inode, size and time: no name of a file is in it."""
    return digest(
        f"{facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"
        for facts in (path.stat() for path in files)
    )


def next_attempt(instance: dg.DagsterInstance, work: str) -> int | str:
    """The number of the next attempt at `work`, or why there is none now."""
    runs = instance.get_run_records(
        dg.RunsFilter(tags={WORK_TAG: work}), limit=MAX_ATTEMPTS, order_by="id"
    )
    states = {record.dagster_run.status for record in runs}
    if states - DONE:
        return "a run is at it"
    if dg.DagsterRunStatus.SUCCESS in states:
        # the policy of landing may leave files where they are
        return "a run has done it"
    if len(runs) >= MAX_ATTEMPTS:
        return f"{MAX_ATTEMPTS} attempts failed; the hourly run or new work tries again"
    return len(runs) + 1


def request(
    instance: dg.DagsterInstance,
    work: str,
    tenant: tuple[int, str],
    *,
    partition_key: str | None = None,
) -> dg.RunRequest | dg.SkipReason:
    """A run for `work` of a tenant, unless one is at it or it failed too often."""
    attempt = next_attempt(instance, work)
    if isinstance(attempt, str):
        return dg.SkipReason(f"{work}: {attempt}")
    return dg.RunRequest(
        run_key=f"{work}-attempt{attempt}",
        partition_key=partition_key,
        tags={WORK_TAG: work, TENANT_TAG: str(tenant[0])},
        run_config=for_tenant(tenant[1]),
    )


def for_tenant(name: str) -> dict[str, object]:
    """Run configuration that names the tenant where it is not the default one."""
    default = MemoryHome().tenant
    if name == default:
        return {}
    return {"resources": {"memory_home": {"config": {"tenant": name}}}}


@dg.schedule(
    job=ingest_job,
    cron_schedule="7 * * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def hourly_ingest(
    context: dg.ScheduleEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest]:
    """Today's partition of each tenant, every hour; cheap where nothing is new."""
    at = context.scheduled_execution_time
    with memory_home.counting() as connection:
        tenants = measures.tenants(connection)
    for tenant_id, name in tenants:
        yield dg.RunRequest(
            run_key=f"hourly-{at:%Y-%m-%dT%H:%M}-{tenant_id}",
            partition_key=today().isoformat(),
            tags={TENANT_TAG: str(tenant_id)},
            run_config=for_tenant(name),
        )


@dg.sensor(
    job=ingest_job,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def new_logs_sensor(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Asks for today's partition while finished files wait in a landing folder."""
    with memory_home.counting() as connection:
        tenants = measures.tenants(connection)
    for tenant_id, name in tenants:
        if not (memory_home.services.home.path / "landing" / name).is_dir():
            continue
        with memory_home.pipeline(name) as pipeline:
            files = pipeline.landing_files()
            # files wait for an erasure that may be taken back: it moves the epoch either way
            epoch = current_epoch(pipeline.ingest_connection, pipeline.tenant_id)
        if files:
            yield request(
                context.instance,
                f"logs-{landing_state(files)}-{epoch}",
                (tenant_id, name),
                partition_key=today().isoformat(),
            )


@dg.sensor(
    job=context_snapshot_job,
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def snapshot_requests_sensor(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Asks for a run while requests for a context are open: one for all that are open."""
    with memory_home.counting() as connection:
        found = [
            (tenant, measures.open_snapshot_requests(connection, MAX_REQUESTS, tenant[0]))
            for tenant in measures.tenants(connection)
        ]
    for tenant, requests in found:
        if requests:
            yield request(context.instance, f"snapshots-{digest(requests)}", tenant)


@dg.sensor(
    job=bulk_extraction_job,
    minimum_interval_seconds=300,
    default_status=dg.DefaultSensorStatus.RUNNING,
)
def bulk_answers_sensor(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest | dg.SkipReason]:
    """Asks for a round while anything waits for a provider's batch or lies in its files. The
    same work is looked at again each tick, since only the provider knows when it has answered."""
    with memory_home.counting() as connection:
        found = [
            (tenant, measures.open_bulk_work(connection, tenant[0]))
            for tenant in measures.tenants(connection)
        ]
    tick = int(time.time()) // BULK_TICK_SECONDS
    for tenant, work in found:
        if work:
            yield request(context.instance, f"bulk-{digest([*work, str(tick)])}", tenant)
