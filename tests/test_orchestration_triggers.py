"""Schedule, sensors and notices, tick by tick: attempts, not cursors, and no name in any key."""

import json
import os
import shutil
import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import dagster as dg
import psycopg
import pytest
from dagster._core.definitions.freshness import FreshnessState, FreshnessStateChange

from memory_pipeline.definitions import assemble
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.orchestration import notices, triggers, webhook
from memory_pipeline.orchestration.jobs import context_snapshot_job, ingest_job
from memory_pipeline.orchestration.partitions import today
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.settings import settings

FILE = "кузьма-зубробизонов.jsonl"


@pytest.fixture(scope="module")
def ready_services(home: Path) -> Services:
    return ready(home)


@pytest.fixture(autouse=True)
def _nothing_else_waits(ready_services: Services) -> None:
    """Tests before this one share the home, and may have left files and requests of theirs."""
    for path in (ready_services.home.path / "landing").glob("*/*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    with psycopg.connect(ready_services.pg_dsn("mem_ingest"), autocommit=True) as ingest:
        ingest.execute(
            "update memory.snapshot_request set state = 'dismissed' where state = 'open'"
        )


@pytest.fixture
def memory_home(ready_services: Services) -> MemoryHome:
    return MemoryHome(home=str(ready_services.home.path))


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    with dg.DagsterInstance.ephemeral() as made:
        yield made


@pytest.fixture
def waiting_file(ready_services: Services) -> Iterator[Path]:
    landing = ready_services.home.path / "landing" / "default"
    landing.mkdir(parents=True, exist_ok=True)
    path = landing / FILE
    path.write_text("{}\n")
    os.utime(path, (time.time() - 60,) * 2)
    yield path
    path.unlink()


def tick(
    sensor: dg.SensorDefinition, instance: dg.DagsterInstance, memory_home: MemoryHome
) -> tuple[list[dg.RunRequest], str | None]:
    """Requests of one tick, or why there are none."""
    with dg.build_sensor_context(instance=instance) as context:
        evaluated = sensor(context, memory_home=memory_home)
        assert isinstance(evaluated, Iterator)
        found = list(evaluated)
    requests = [one for one in found if isinstance(one, dg.RunRequest)]
    skips = [one.skip_message for one in found if isinstance(one, dg.SkipReason)]
    return requests, skips[0] if skips else None


def run_of(
    instance: dg.DagsterInstance, request: dg.RunRequest, status: dg.DagsterRunStatus
) -> dg.DagsterRun:
    @dg.job(name="ingest_job")
    def stand_in() -> None: ...

    return instance.create_run_for_job(stand_in, status=status, tags=dict(request.tags))


def test_waiting_files_are_asked_for_again_under_a_new_key_until_a_run_has_done_them(
    instance: dg.DagsterInstance, memory_home: MemoryHome, waiting_file: Path
) -> None:
    requests, _ = tick(triggers.new_logs_sensor, instance, memory_home)
    assert len(requests) == 1
    first = requests[0]
    assert first.run_key is not None
    assert first.run_key.endswith("-attempt1")
    assert first.partition_key == today().isoformat()
    told = json.dumps([first.run_key, dict(first.tags), dict(first.run_config or {})])
    assert "кузьма" not in told.encode().decode("unicode_escape")
    assert all(len(value) < 100 for value in first.tags.values())

    lost = run_of(instance, first, dg.DagsterRunStatus.STARTED)
    assert tick(triggers.new_logs_sensor, instance, memory_home)[0] == []
    instance.report_run_failed(lost)

    for n in range(2, triggers.MAX_ATTEMPTS + 1):
        again, _ = tick(triggers.new_logs_sensor, instance, memory_home)
        assert [request.run_key for request in again] == [
            first.run_key.replace("-attempt1", f"-attempt{n}")
        ]
        run_of(instance, again[0], dg.DagsterRunStatus.FAILURE)
    nothing, why = tick(triggers.new_logs_sensor, instance, memory_home)
    assert nothing == []
    assert why is not None
    assert "attempts failed" in why

    # a file written anew is new work
    os.utime(waiting_file, (time.time() - 30,) * 2)
    renewed, _ = tick(triggers.new_logs_sensor, instance, memory_home)
    assert renewed[0].run_key is not None
    assert renewed[0].run_key.endswith("-attempt1")
    assert renewed[0].run_key != first.run_key
    run_of(instance, renewed[0], dg.DagsterRunStatus.SUCCESS)
    assert tick(triggers.new_logs_sensor, instance, memory_home)[0] == []


def test_an_empty_landing_folder_asks_for_nothing(
    instance: dg.DagsterInstance, memory_home: MemoryHome
) -> None:
    assert tick(triggers.new_logs_sensor, instance, memory_home) == ([], None)


def test_open_snapshot_requests_ask_for_one_run_that_names_no_query(
    instance: dg.DagsterInstance, memory_home: MemoryHome, ready_services: Services
) -> None:
    assert tick(triggers.snapshot_requests_sensor, instance, memory_home) == ([], None)
    with psycopg.connect(ready_services.pg_dsn("mem_ingest"), autocommit=True) as ingest:
        (tenant,) = ingest.execute(
            "select tenant_id from memory.tenant where name = 'default'"
        ).fetchone() or (None,)
        ingest.execute(
            "insert into memory.audience (tenant_id, names) values (%s, '{}')"
            " on conflict do nothing",
            [tenant],
        )
        (audience,) = ingest.execute(
            "select audience_id from memory.audience where tenant_id = %s and names = '{}'",
            [tenant],
        ).fetchone() or (None,)
        dialog, request = uuid.uuid4(), uuid.uuid4()
        ingest.execute(
            "insert into memory.dialog (dialog_id, tenant_id, batch_id, dialog_key)"
            " values (%s, %s, gen_random_uuid(), %s)",
            [dialog, tenant, dialog.bytes],
        )
        ingest.execute(
            "insert into memory.snapshot_request (request_id, tenant_id, audience_id, dialog_id,"
            " budget) values (%s, %s, %s, %s, 1000)",
            [request, tenant, audience, dialog],
        )
        requests, _ = tick(triggers.snapshot_requests_sensor, instance, memory_home)
        assert len(requests) == 1
        assert requests[0].run_key is not None
        assert requests[0].run_key.startswith("snapshots-")
        run_of(instance, requests[0], dg.DagsterRunStatus.STARTED)
        assert tick(triggers.snapshot_requests_sensor, instance, memory_home)[0] == []

        ingest.execute(
            "update memory.snapshot_request set state = 'failed' where request_id = %s", [request]
        )
        assert tick(triggers.snapshot_requests_sensor, instance, memory_home) == ([], None)


def test_the_schedule_asks_for_todays_partition_of_each_tenant(memory_home: MemoryHome) -> None:
    with dg.build_schedule_context(scheduled_execution_time=datetime.now(UTC)) as context:
        evaluated = triggers.hourly_ingest(context, memory_home=memory_home)
        assert isinstance(evaluated, Iterator)
        requests = [one for one in evaluated if isinstance(one, dg.RunRequest)]
    assert requests
    assert {request.partition_key for request in requests} == {today().isoformat()}
    assert len({request.run_key for request in requests}) == len(requests)


def test_jobs_of_the_triggers_are_those_of_the_code_location(home: Path) -> None:
    repository = assemble(home).get_repository_def()
    for job in (ingest_job, context_snapshot_job):
        assert repository.has_job(job.name)


# ---------- notices


class Receiver:
    """A local receiver of notices, which fails as often as it is told to."""

    def __init__(self) -> None:
        self.notices: list[dict[str, object]] = []
        self.n_failures = 0
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if receiver.n_failures:
                    receiver.n_failures -= 1
                    self.send_response(503)
                else:
                    receiver.notices.append(json.loads(body))
                    self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook/token-in-the-path"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.setattr(webhook, "PAUSES_S", (0.01, 0.01))
    made = Receiver()
    monkeypatch.setenv("MEMORY_PIPELINE_WEBHOOK_URL", made.url)
    settings(reread=True)
    yield made
    made.server.shutdown()


def test_a_notice_is_sent_again_after_a_failure_and_its_error_hides_the_address(
    receiver: Receiver,
) -> None:
    receiver.n_failures = 2
    webhook.send(receiver.url, "run_failed", {"run_id": "r"})
    assert [(one["event"], one["run_id"]) for one in receiver.notices] == [("run_failed", "r")]
    receiver.n_failures = 3
    with pytest.raises(webhook.WebhookError, match="answered 503") as refused:
        webhook.send(receiver.url, "run_failed", {})
    receiver.server.shutdown()
    receiver.server.server_close()
    with pytest.raises(webhook.WebhookError, match="cannot be reached") as unreached:
        webhook.send(receiver.url, "run_failed", {})
    for error in (refused, unreached):
        assert "token-in-the-path" not in str(error.value)


def test_a_failed_run_is_told_by_id_and_step(
    instance: dg.DagsterInstance, receiver: Receiver
) -> None:
    @dg.op
    def breaks() -> None:
        raise ValueError("Зубробизонов")

    @dg.job
    def breaking_job() -> None:
        breaks()

    result = breaking_job.execute_in_process(instance=instance, raise_on_error=False)
    context = dg.build_run_status_sensor_context(
        sensor_name="failed_runs_notice",
        dagster_instance=instance,
        dagster_run=result.dagster_run,
        dagster_event=result.get_run_failure_event(),
    ).for_run_failure()
    notices.failed_runs_notice(context)
    (notice,) = receiver.notices
    assert notice["run_id"] == result.run_id
    assert notice["job"] == "breaking_job"
    assert "Зубробизонов" not in str(notice)


def test_a_growing_quarantine_is_told_once_for_each_growth(
    instance: dg.DagsterInstance,
    receiver: Receiver,
    memory_home: MemoryHome,
    ready_services: Services,
    tmp_path: Path,
) -> None:
    def look(cursor: str | None) -> str:
        with dg.build_sensor_context(instance=instance, cursor=cursor) as context:
            result = notices.quarantine_growth_notice(context, memory_home=memory_home)
        assert isinstance(result, dg.SensorResult)
        return str(result.cursor)

    cursor = look(None)
    receiver.notices.clear()
    # a log of its own: a record counts once
    path = tmp_path / "broken.jsonl"
    path.write_text(f'{{"text": "{uuid.uuid4()}\n')
    with Pipeline.open(ready_services) as pipeline:
        report = pipeline.ingest([path])
        assert report.n_quarantined == 1
        cursor = look(cursor)
        cursor = look(cursor)
        pipeline.ingest_connection.execute(
            "update memory.quarantine set state = 'dismissed' where file_id = %s",
            [report.files[0][1].file_id],
        )
    (notice,) = receiver.notices
    assert (notice["event"], notice["n_new"]) == ("quarantine_grew", 1)
    assert "invalid_json" in dict(notice["open_by_reason"])  # type: ignore[call-overload]


def test_stale_assets_are_told_when_they_become_stale(
    instance: dg.DagsterInstance, receiver: Receiver, home: Path
) -> None:
    repository = assemble(home).get_repository_def()

    def becomes(asset: str, before: FreshnessState, after: FreshnessState) -> None:
        # what Dagster's daemon writes
        instance.report_runless_asset_event(
            FreshnessStateChange(
                key=dg.AssetKey(asset),
                new_state=after,
                previous_state=before,
                state_change_timestamp=time.time(),
            )
        )

    def look(cursor: str | None) -> str:
        with dg.build_sensor_context(
            instance=instance, cursor=cursor, repository_def=repository
        ) as context:
            result = notices.stale_assets_notice(context)
        assert isinstance(result, dg.SensorResult)
        return str(result.cursor)

    becomes("messages", FreshnessState.WARN, FreshnessState.FAIL)
    cursor = look(look(None))
    becomes("quarantine", FreshnessState.PASS, FreshnessState.FAIL)
    becomes("messages", FreshnessState.FAIL, FreshnessState.PASS)
    look(cursor)
    assert [one["assets"] for one in receiver.notices] == [["messages"], ["quarantine"]]


def test_without_an_address_nobody_is_told(
    instance: dg.DagsterInstance, memory_home: MemoryHome
) -> None:
    settings(reread=True)
    with dg.build_sensor_context(instance=instance) as context:
        assert isinstance(
            notices.quarantine_growth_notice(context, memory_home=memory_home), dg.SkipReason
        )
