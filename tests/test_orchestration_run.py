"""The whole graph once through Dagster on the real services, and what Dagster then remembers."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
import psycopg
import pytest
from pydantic import BaseModel, ValidationError

from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.instance import (
    PROCESS_TAG,
    RunResult,
    end_lost_runs,
    in_process_run,
    opened_instance,
    webserver_command,
)
from memory_pipeline.orchestration.safe_errors import safe_error, without_content
from memory_pipeline.pipeline import Pipeline

# no dictionary has these, so that any trace of them is a leak
NAME, PLACE, FILE = "Зубробизонов", "Тмутараканск", "кузьма-зубробизонов"

# other tests of this home write into the default one
TENANT = "zoo"

LINES = [
    ("2025-03-03T09:00:00+03:00", "Кузьма", "user", f"Меня зовут Кузьма {NAME}, живу в Казани"),
    ("2025-03-03T09:01:00+03:00", "ассистент", "assistant", "Очень приятно, Кузьма!"),
    ("2025-03-04T10:00:00+03:00", "Кузьма", "user", "[CRITICAL] У меня аллергия на арахис"),
    ("2025-10-10T10:00:00+03:00", "Кузьма", "user", f"Переезжаю в {PLACE} с 19-го"),
    ("2025-10-10T10:01:00+03:00", "Кузьма", "user", "ок"),
    ("2025-10-10T10:02:00+03:00", "Кузьма", "user", "Почта kuzma.zubrobizonov@example.org"),
]
PLANTED = (NAME, PLACE, FILE, "zubrobizonov", "арахис", "Кузьма")


@dataclass(frozen=True)
class Ran:
    services: Services
    first: RunResult
    second: RunResult
    steps: list[tuple[str, str]]


def put_log(services: Services) -> Path:
    landing = services.home.path / "landing" / TENANT
    landing.mkdir(parents=True, exist_ok=True)
    path = landing / f"{FILE}.jsonl"
    lines = [
        json.dumps(
            {"dialog_id": f"d-{FILE}", "sent_at": at, "speaker": who, "role": role, "text": text},
            ensure_ascii=False,
        )
        for at, who, role, text in LINES
    ]
    path.write_text("\n".join([*lines, f'{{"dialog_id": "d", "text": "{NAME}']) + "\n")
    # a file this young may still be written to
    os.utime(path, (time.time() - 60,) * 2)
    return path


@pytest.fixture(scope="module")
def ran(home: Path) -> Ran:
    services = ready(home)
    with Pipeline.open(services) as pipeline:
        # the graph server is one for all databases of a run's home: others' facts are not ours
        pipeline.rebuild(["graph"])
    path = put_log(services)
    steps: list[tuple[str, str]] = []
    first = in_process_run(
        services, tenant=TENANT, told=lambda step, what: steps.append((step, what))
    )
    assert not path.exists(), first
    second = in_process_run(services, tenant=TENANT)
    return Ran(services, first, second, steps)


def events(services: Services) -> Iterator[str]:
    with psycopg.connect(services.pg_dsn("mem_dagster", "dagster")) as connection:
        for (event,) in connection.execute("select event from event_logs order by id"):
            # stored as ASCII
            yield event.encode().decode("unicode_escape", errors="replace") + event


def metadata(services: Services, asset: str, run_id: str) -> dict[str, object]:
    with opened_instance(services) as instance:
        records = instance.fetch_materializations(dg.AssetKey(asset), limit=5).records
        made = next(record for record in records if record.run_id == run_id)
        assert made.asset_materialization is not None
        return {name: value.value for name, value in made.asset_materialization.metadata.items()}


def test_the_whole_graph_materialises_and_its_checks_pass(ran: Ran) -> None:
    assert ran.first.success, ran.first
    assert ran.first.failed_steps == ()
    assert ran.first.failed_checks == ()
    assert ran.first.n_checks >= 20
    done = [step for step, what in ran.steps if what == "done"]
    for earlier, later in zip(
        ["read_logs", "message_vectors", "message_labels", "extracted_atoms", "bitemporal_models"],
        ["message_vectors", "message_labels", "extracted_atoms", "bitemporal_models", "full_text"],
        strict=True,
    ):
        assert done.index(earlier) < done.index(later)


def test_metadata_counts_what_was_done_and_a_second_run_does_nothing(ran: Ran) -> None:
    first = metadata(ran.services, "messages", ran.first.run_id)
    assert (first["n_added"], first["n_quarantined"]) == (6, 1)
    assert str(first["messages_by_ingest_day"]).startswith("![messages by ingest day](data:image")
    assert metadata(ran.services, "quarantine", ran.first.run_id)["n_open"]
    assert metadata(ran.services, "message_labels", ran.first.run_id)["n_labelled"] == 6
    n_atoms = metadata(ran.services, "extracted_atoms", ran.first.run_id)["n_atoms"]
    assert isinstance(n_atoms, int)
    assert n_atoms >= 1
    periods = metadata(ran.services, "atom_periods", ran.first.run_id)
    assert periods["dagster/row_count"]

    assert ran.second.success
    again = metadata(ran.services, "messages", ran.second.run_id)
    assert again["n_added"] == 0
    assert again["dagster/partition_row_count"] == first["dagster/partition_row_count"]
    assert metadata(ran.services, "message_labels", ran.second.run_id)["n_labelled"] == 0
    assert metadata(ran.services, "extracted_atoms", ran.second.run_id)["n_extracted"] == 0
    assert metadata(ran.services, "message_vectors", ran.second.run_id)["n_added"] == 0


def test_the_rebuild_job_makes_the_indexes_again_equal_to_the_truth(ran: Ran) -> None:
    result = in_process_run(ran.services, job="rebuild_indexes_job")
    assert result.success
    with opened_instance(ran.services) as instance:
        told = " ".join(entry.message for entry in instance.all_logs(result.run_id))
    assert "full_text equal" in told
    assert "graph equal" in told


def test_dagster_remembers_nothing_personal(ran: Ran) -> None:
    password = ran.services.pg_uri("mem_builder").split("@")[0].rpartition(":")[2]
    n_seen = 0
    for event in events(ran.services):
        n_seen += 1
        assert not [word for word in (*PLANTED, password) if word in event], event[:300]
    assert n_seen > 100
    with psycopg.connect(ran.services.pg_dsn("mem_dagster", "dagster")) as connection:
        for (body,) in connection.execute("select run_body from runs"):
            assert not [word for word in (*PLANTED, password) if word in body]
        for (value,) in connection.execute("select value from run_tags"):
            assert not [word for word in PLANTED if word in value]


def test_dbt_leaves_only_manifest_and_parse_cache_in_the_home(ran: Ran) -> None:
    folder = ran.services.home.path / "dbt"
    assert sorted(path.name for path in folder.iterdir()) == ["lock", "target"]
    password = ran.services.pg_uri("mem_builder").split("@")[0].rpartition(":")[2].encode()
    for path in folder.rglob("*"):
        if path.is_file():
            raw = path.read_bytes()
            assert password not in raw, path
            assert NAME.encode() not in raw, path


def test_a_failing_step_tells_the_constraint_and_not_the_row(ran: Ran) -> None:
    class Strict(BaseModel):
        n: int

    with psycopg.connect(ran.services.pg_dsn("mem_builder"), autocommit=True) as connection:
        connection.execute("create temp table people (name text constraint one_name unique)")
        connection.execute("insert into people values (%s)", [NAME])
        with pytest.raises(psycopg.errors.UniqueViolation) as violation:
            connection.execute("insert into people values (%s)", [NAME])
    assert NAME in str(violation.value)
    told = safe_error(violation.value)
    assert told.startswith("UniqueViolation, sqlstate 23505, constraint one_name")
    with pytest.raises(ValidationError) as invalid:
        Strict.model_validate({"n": NAME})
    for error in (violation.value, invalid.value, KeyError(NAME), ValueError(NAME)):
        assert NAME not in safe_error(error)

    @dg.op
    def failing() -> None:
        with without_content():
            raise KeyError(NAME)

    @dg.job
    def failing_job() -> None:
        failing()

    with opened_instance(ran.services) as instance:
        result = failing_job.execute_in_process(instance=instance, raise_on_error=False)
        assert not result.success
        logged = [str(record) for record in instance.all_logs(result.run_id)]
    assert any("Failure" in record for record in logged)
    assert not [record for record in logged if NAME in record]


def test_a_run_in_the_background_leaves_what_is_started_later_to_be_ended_by_sigterm(
    ran: Ran,
) -> None:
    @dg.op(required_resource_keys={"memory_home"})
    def nothing() -> None: ...

    @dg.job
    def some_job() -> None:
        nothing()

    # as a shell starts what it puts into the background
    sigint = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert in_process_run(ran.services, job=some_job).success
        with subprocess.Popen(["sleep", "60"]) as child:
            child.terminate()
            assert child.wait(10) == -signal.SIGTERM
    finally:
        signal.signal(signal.SIGINT, sigint)


def test_a_run_whose_process_was_killed_is_ended_and_gives_back_its_slots(ran: Ran) -> None:
    @dg.job
    def some_job() -> None: ...

    with opened_instance(ran.services) as instance:
        lost = instance.create_run_for_job(
            some_job, status=dg.DagsterRunStatus.STARTED, tags={PROCESS_TAG: "999999999:1"}
        )
        assert end_lost_runs(instance) == [lost.run_id]
        ended = instance.get_run_by_id(lost.run_id)
        assert ended is not None
        assert ended.status == dg.DagsterRunStatus.FAILURE
        assert end_lost_runs(instance) == []


def test_the_instance_has_its_own_login_and_no_file_with_its_password(ran: Ran) -> None:
    servers = webserver_command(ran.services)
    assert servers.url.startswith("http://127.0.0.1:")
    password = ran.services.pg_uri("mem_dagster", "dagster").split("@")[0].rpartition(":")[2]
    assert password not in repr(servers)
    assert not [part for part in (*servers.webserver, *servers.daemon) if password in part]
    written = ran.services.home.path / "dagster" / "dagster.yaml"
    assert written.stat().st_mode & 0o777 == 0o600
    assert password not in written.read_text()
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(ran.services.pg_dsn("mem_dagster", "memory"))
