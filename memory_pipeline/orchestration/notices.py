"""What people hear of: failed runs, stale assets, a growing quarantine, terms of erasure that near.

Ids and counts only.
"""

import json
from datetime import UTC, datetime

import dagster as dg
from dagster._core.definitions.freshness import FreshnessState

from memory_pipeline.orchestration import measures
from memory_pipeline.orchestration.groups import DAYS_BEFORE_DUE
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.triggers import WORK_TAG
from memory_pipeline.orchestration.webhook import send, webhook_url

NOBODY = dg.SkipReason("MEMORY_PIPELINE_WEBHOOK_URL is not set")


@dg.run_failure_sensor(default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=30)
def failed_runs_notice(context: dg.RunFailureSensorContext) -> dg.SkipReason | None:
    """Tells of each failed run: its id, job, and the steps that failed."""
    url = webhook_url()
    if url is None:
        return NOBODY
    run = context.dagster_run
    send(
        url,
        "run_failed",
        {
            "run_id": run.run_id,
            "job": run.job_name,
            "work": run.tags.get(WORK_TAG, ""),
            "failed_steps": sorted(
                event.step_key for event in context.get_step_failure_events() if event.step_key
            ),
        },
    )
    return None


@dg.sensor(default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=300)
def stale_assets_notice(context: dg.SensorEvaluationContext) -> dg.SensorResult | dg.SkipReason:
    """Tells when assets pass the end of their freshness window, once until they are fresh again."""
    url = webhook_url()
    if url is None:
        return NOBODY
    if context.repository_def is None:
        return dg.SkipReason("the code location is not loaded")
    keys = sorted(context.repository_def.asset_graph.materializable_asset_keys)
    stale = sorted(
        key.to_user_string()
        for key, record in context.instance.get_freshness_state_records(keys).items()
        if record.freshness_state == FreshnessState.FAIL
    )
    told = set(json.loads(context.cursor or "[]"))
    fresh_news = [key for key in stale if key not in told]
    if fresh_news:
        send(url, "assets_stale", {"assets": fresh_news, "n_stale": len(stale)})
    return dg.SensorResult(
        cursor=json.dumps(stale), skip_reason=f"{len(stale)} stale, {len(fresh_news)} newly so"
    )


@dg.sensor(default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=300)
def quarantine_growth_notice(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> dg.SensorResult | dg.SkipReason:
    """Tells when more records wait in quarantine than at the last look, by reason."""
    url = webhook_url()
    if url is None:
        return NOBODY
    with memory_home.counting() as connection:
        n_open = measures.n_open_quarantine(connection)
        reasons = measures.open_quarantine_by_reason(connection)
    before = int(context.cursor or 0)
    if n_open > before:
        send(
            url,
            "quarantine_grew",
            {"n_open": n_open, "n_new": n_open - before, "open_by_reason": reasons},
        )
    return dg.SensorResult(cursor=str(n_open), skip_reason=f"{n_open} open, {before} before")


@dg.sensor(default_status=dg.DefaultSensorStatus.RUNNING, minimum_interval_seconds=3600)
def erasure_terms_notice(
    context: dg.SensorEvaluationContext, memory_home: MemoryHome
) -> dg.SensorResult | dg.SkipReason:
    """Tells of requests to erase whose term ends within days and that are not certified, each once
    when it nears and once when it has passed."""
    url = webhook_url()
    if url is None:
        return NOBODY
    with memory_home.counting() as connection:
        due = measures.erasures_due(connection, DAYS_BEFORE_DUE)
    now = datetime.now(UTC)
    news = {f"{'late' if due_at < now else 'near'} {request_id}" for request_id, due_at in due}
    told = set(json.loads(context.cursor or "[]"))
    if news - told:
        send(
            url,
            "erasure_due",
            {
                "near": [request_id for request_id, due_at in due if due_at >= now],
                "late": [request_id for request_id, due_at in due if due_at < now],
            },
        )
    return dg.SensorResult(
        cursor=json.dumps(sorted(news)), skip_reason=f"{len(due)} near their term or past it"
    )
