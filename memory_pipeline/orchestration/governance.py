"""What was refused and waits for a person, what is to be erased; the daily head of the audit log, and retention."""

from collections.abc import Iterator
from datetime import UTC, datetime

import dagster as dg
import psycopg

from memory_pipeline.bitemporal.tenants import tenant_id
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.retention import file_due_requests, rules_of
from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.atoms import extracted_atoms, message_labels
from memory_pipeline.orchestration.erasure import erasures_metadata
from memory_pipeline.orchestration.groups import GOVERNANCE, HOURLY, OWNERS
from memory_pipeline.orchestration.ingestion import MESSAGES
from memory_pipeline.orchestration.jobs import TENANT_TAG
from memory_pipeline.orchestration.plots import bars
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES, without_content
from memory_pipeline.orchestration.triggers import for_tenant


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


@dg.asset(
    group_name=GOVERNANCE,
    owners=OWNERS,
    kinds={"postgres"},
    deps=[MESSAGES, extracted_atoms],
    retry_policy=RETRIES,
    freshness_policy=HOURLY,
)
def erasures(memory_home: MemoryHome) -> dg.MaterializeResult[None]:
    """Requests to erase by state, those near their term, and the certificates given. Each erasure
    run reports it too."""
    return dg.MaterializeResult(metadata=erasures_metadata(memory_home))


@dg.op(out=dg.Out(dg.Nothing), retry_policy=RETRIES)
def keep_audit_head(context: dg.OpExecutionContext, memory_home: MemoryHome) -> None:
    """Append the audit log's head to the file outside the database."""
    with without_content():
        kept = audit.keep_head(memory_home.services)
    context.log.info(f"head of event {kept.seq}")


@dg.job(
    description="Keeps the audit log's head outside the database.",
    tags={"memory/purpose": "audit"},
)
def audit_head_job() -> None:
    """One step: a line more in the file of heads."""
    keep_audit_head()


@dg.op(out=dg.Out(dg.Nothing), retry_policy=RETRIES)
def file_retention(context: dg.OpExecutionContext, memory_home: MemoryHome) -> None:
    """File requests for what has run out; the erasure sensor carries them on."""
    services, tenant = memory_home.services, memory_home.tenant
    with without_content():
        rules = rules_of(services.home.path, tenant)
        if not rules:
            return
        with (
            psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as connection,
            Eraser(services, tenant) as eraser,
        ):
            filed = file_due_requests(
                eraser, connection, tenant_id(connection, tenant), rules, datetime.now(UTC)
            )
    context.log.info(f"{len(rules)} rules, {len(filed)} requests")


@dg.job(
    description="Files requests to erase what has run out by the tenant's rules of retention.",
    tags={"memory/purpose": "erasure"},
)
def retention_job() -> None:
    """One step: what is in a request already is not asked for again."""
    file_retention()


daily_audit_head = dg.ScheduleDefinition(
    name="daily_audit_head",
    job=audit_head_job,
    cron_schedule="20 0 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)


@dg.schedule(
    job=retention_job,
    cron_schedule="40 0 * * *",
    execution_timezone="UTC",
    default_status=dg.DefaultScheduleStatus.RUNNING,
)
def daily_retention(
    context: dg.ScheduleEvaluationContext, memory_home: MemoryHome
) -> Iterator[dg.RunRequest]:
    """One run a day for each tenant."""
    at = context.scheduled_execution_time
    with memory_home.counting() as connection:
        tenants = measures.tenants(connection)
    for number, name in tenants:
        yield dg.RunRequest(
            run_key=f"retention-{at:%Y-%m-%d}-{number}",
            tags={TENANT_TAG: str(number)},
            run_config=for_tenant(name),
        )
