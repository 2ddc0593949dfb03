"""The Dagster instance of a home: its configuration, runs in this process, the UI's processes.

What Dagster stores lies in the database `dagster` of the home's PostgreSQL, entered by the login
`mem_dagster`, which may not enter the memory's. Its password stays in the home; processes get it
by the environment variable that `dagster.yaml` names.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from uuid import uuid4

import dagster as dg
from dagster import DagsterEventType
from rich.console import Console

from memory_pipeline.local import ports, process
from memory_pipeline.local.files import write_private
from memory_pipeline.local.roles import DAGSTER, DAGSTER_DATABASE
from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.dbt_project import connection_variables, prepare_manifest
from memory_pipeline.orchestration.partitions import today
from memory_pipeline.orchestration.resources import MemoryHome

CHECKOUT = Path(__file__).parents[2]
TEMPLATE_VARIABLE = "MEMORY_PIPELINE_DAGSTER_YAML"
URL_VARIABLE = "MEMORY_DAGSTER_PG_URL"
PROCESS_TAG = "memory/process"
DEFAULT_PORT = 3000
STOP_TIMEOUT_S = 20

Told = Callable[[str, str], None]
"""Called with a step's name and `started`, `done` or `failed`."""

_TOLD = {
    DagsterEventType.STEP_START: "started",
    DagsterEventType.STEP_SUCCESS: "done",
    DagsterEventType.STEP_FAILURE: "failed",
}


@dataclass(frozen=True)
class RunResult:
    """What became of a run in this process. `problems` says of each failed step why, without
    content."""

    run_id: str
    success: bool
    n_materialized: int
    failed_steps: tuple[str, ...]
    problems: tuple[str, ...]
    n_checks: int
    failed_checks: tuple[str, ...]
    warned_checks: tuple[str, ...]


@dataclass(frozen=True)
class Servers:
    """The two processes of the UI. `environment` is added to this process's; it holds a
    password."""

    webserver: list[str]
    daemon: list[str]
    environment: dict[str, str]
    url: str

    def __repr__(self) -> str:
        return f"Servers({self.url})"


def prepare_instance(services: Services) -> Path:
    """Write the home's `dagster.yaml` from the template; returns the folder for DAGSTER_HOME.

    Raises `FileNotFoundError` where the template of MEMORY_PIPELINE_DAGSTER_YAML is not there.
    """
    folder = services.home.path / "dagster"
    folder.mkdir(mode=0o700, exist_ok=True)
    template = Path(os.environ.get(TEMPLATE_VARIABLE) or CHECKOUT / "dagster.yaml")
    text = template.read_text(encoding="utf-8")
    written = folder / "dagster.yaml"
    if not written.exists() or written.read_text(encoding="utf-8") != text:
        write_private(written, text)
    return folder


def instance_environment(services: Services) -> dict[str, str]:
    """The variables that a Dagster process of this home needs; one holds a password."""
    return {
        "DAGSTER_HOME": str(prepare_instance(services)),
        "MEMORY_PIPELINE_HOME": str(services.home.path),
        URL_VARIABLE: services.pg_uri(DAGSTER, DAGSTER_DATABASE),
    }


@contextmanager
def opened_instance(services: Services) -> Iterator[dg.DagsterInstance]:
    """The home's instance; its tables are made at the first time (3 s)."""
    variables = instance_environment(services)
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        with dg.DagsterInstance.from_config(variables["DAGSTER_HOME"]) as instance:
            yield instance
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def in_process_run(
    services: Services,
    *,
    job: str | dg.JobDefinition = "ingest_job",
    tenant: str = "default",
    day: date | None = None,
    run_config: Mapping[str, object] | None = None,
    told: Told | None = None,
) -> RunResult:
    """Run a job of the code location in this process; it shows in the UI like any other run.

    A job without assets may be given itself, which spares loading the code location. `day`
    (default: today) is the partition of a partitioned job. A failed step is in the result,
    not raised; its words are in the event log. Raises what loading the definitions raises.
    """
    definition = _definition(services, job) if isinstance(job, str) else job
    with opened_instance(services) as instance, _sigterm_kept():
        end_lost_runs(instance)
        run_id = str(uuid4())
        if told is not None:
            instance.add_event_listener(run_id, _listener(told))
        result = definition.execute_in_process(
            instance=instance,
            run_id=run_id,
            partition_key=(day or today()).isoformat() if definition.partitions_def else None,
            run_config={
                **(run_config or {}),
                "resources": {
                    "memory_home": {"config": {"home": str(services.home.path), "tenant": tenant}}
                },
                # the caller is told by `told`; every event is in the instance all the same
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            tags={PROCESS_TAG: _process_name()},
            # a job taken from the code location has it
            resources={} if isinstance(job, str) else {"memory_home": MemoryHome()},
            raise_on_error=False,
        )
    failures = result.get_step_failure_events()
    checks = result.get_asset_check_evaluations()
    return RunResult(
        run_id=result.run_id,
        success=result.success,
        n_materialized=len(result.get_asset_materialization_events()),
        failed_steps=tuple(event.step_key or "" for event in failures),
        problems=tuple(_problem(event) for event in failures),
        n_checks=len(checks),
        failed_checks=_not_passed(checks, dg.AssetCheckSeverity.ERROR),
        warned_checks=_not_passed(checks, dg.AssetCheckSeverity.WARN),
    )


@contextmanager
def _sigterm_kept() -> Iterator[None]:
    """Dagster leaves SIGTERM with the handler of SIGINT, which a process in the background ignores;
    so would the servers that it starts from then on, and nobody could end them but by SIGKILL."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)


def _definition(services: Services, job: str) -> dg.JobDefinition:
    # 6 s to import: not for those who only serve the UI
    from memory_pipeline.definitions import assemble

    prepare_manifest(services.home.path, variables=connection_variables(services))
    return assemble(services.home.path).resolve_job_def(job)


def _not_passed(
    checks: Sequence[dg.AssetCheckEvaluation], severity: dg.AssetCheckSeverity
) -> tuple[str, ...]:
    return tuple(
        sorted(
            f"{check.asset_key.to_user_string()}:{check.check_name}"
            for check in checks
            if not check.passed and check.severity == severity
        )
    )


def _problem(event: dg.DagsterEvent) -> str:
    error = event.step_failure_data.error
    words = error.message.strip().rpartition("Failure: ")[2] if error else "unknown"
    return f"{event.step_key}: {words}"


def _listener(told: Told) -> Callable[[dg.EventLogEntry], None]:
    def listen(entry: dg.EventLogEntry) -> None:
        event = entry.dagster_event
        if event is not None and event.event_type in _TOLD and event.step_key:
            told(event.step_key, _TOLD[event.event_type])

    return listen


def _process_name() -> str:
    mine = process.record_of(os.getpid())
    return f"{mine.pid}:{mine.started:.0f}"


def end_lost_runs(instance: dg.DagsterInstance) -> list[str]:
    """Mark the runs failed whose process in this machine has ended, and free their slots.

    A killed process cannot say so itself, and its slot would block a pool for good. Returns the
    ids of those runs.
    """
    ended = []
    for record in instance.get_run_records(
        dg.RunsFilter(
            statuses=[dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.STARTING],
        )
    ):
        run = record.dagster_run
        pid, _, started = run.tags.get(PROCESS_TAG, "").partition(":")
        if not pid or process.Record(pid=int(pid), started=float(started)).lives():
            continue
        instance.report_run_failed(run, "the process of this run ended before the run did")
        instance.event_log_storage.free_concurrency_slots_for_run(run.run_id)
        ended.append(run.run_id)
    return ended


def webserver_command(services: Services, port: int | None = None) -> Servers:
    """The commands of webserver and daemon, on loopback: `port`, else 3000, else any free one.

    Who reaches the port may start runs: the webserver knows no logins.
    """
    chosen = port or ports.choose([DEFAULT_PORT], 1)[0]
    folder = Path(sys.executable).parent
    workspace = ["-w", str(CHECKOUT / "workspace.yaml")]
    return Servers(
        webserver=[
            str(folder / "dagster-webserver"),
            "-h",
            ports.LOOPBACK,
            "-p",
            str(chosen),
            *("--dagster-log-level", "warning", "--code-server-log-level", "warning"),
            *workspace,
        ],
        daemon=[str(folder / "dagster-daemon"), "run", "--log-level", "warning", *workspace],
        environment=instance_environment(services),
        url=f"http://{ports.LOOPBACK}:{chosen}",
    )


def serve(services: Services, port: int | None = None) -> None:
    """Run webserver and daemon until interrupted, or until one of them ends; say where.

    Both, and what they started, have ended when this returns; a run that is cut off goes on where
    it was with the next one.
    """
    servers = webserver_command(services, port)
    environment = {**os.environ, **servers.environment}
    running: list[subprocess.Popen[bytes]] = []
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        for command in (servers.webserver, servers.daemon):
            # groups of their own: each starts servers of code, and those runs
            child = subprocess.Popen(command, env=environment, start_new_session=True)
            running.append(child)
        Console().print(f"Lineage at {servers.url} (loading takes half a minute); Ctrl-C stops it")
        while all(child.poll() is None for child in running):
            time.sleep(0.5)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, previous)
        for child in running:
            _signal_group(child, signal.SIGTERM)
        for child in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(STOP_TIMEOUT_S)
            _signal_group(child, signal.SIGKILL)


def _signal_group(child: "subprocess.Popen[bytes]", number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt
