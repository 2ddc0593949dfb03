"""The daily jobs of governance: the audit log's head, and requests for what has run out."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import psycopg
import pytest

from memory_pipeline.contracts.erasure import Ground, Selector
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.retention import POLICY
from memory_pipeline.installation import ready
from memory_pipeline.orchestration import erasure, governance
from memory_pipeline.orchestration.resources import MemoryHome
from tests.scenario import Scenario, message


def ran(job: dg.JobDefinition, home: Path, tenant: str = "default") -> dg.ExecuteInProcessResult:
    with dg.DagsterInstance.ephemeral() as instance:
        return job.execute_in_process(
            instance=instance,
            resources={"memory_home": MemoryHome(home=str(home), tenant=tenant)},
        )


@pytest.fixture
def scenario(home: Path, tmp_path: Path) -> Iterator[Scenario]:
    made = Scenario(ready(home), tmp_path)
    made.tell(message("Анна", "2025-03-03T10:00+03:00", "У меня аллергия на орехи"))
    path = home / POLICY
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_text(
        f"tenants:\n  {made.tenant}:\n    health: 30 days after told_at\n", encoding="utf-8"
    )
    yield made
    path.unlink()


def test_each_run_keeps_a_head_that_the_log_is_held_against(home: Path) -> None:
    services = ready(home)
    before = audit.verify_home(services).n_heads
    assert ran(governance.audit_head_job, home).success
    found = audit.verify_home(services)
    assert (found.n_heads, found.breaks) == (before + 1, ())
    assert (home / audit.HEADS_FILE).stat().st_mode & 0o777 == 0o600


def test_what_has_run_out_is_asked_to_go_once(home: Path, scenario: Scenario) -> None:
    asked = (
        "select ground::text, state::text from memory.erasure_request where tenant_id = %(tenant)s"
    )
    assert ran(governance.retention_job, home, scenario.tenant).success
    assert ran(governance.retention_job, home, scenario.tenant).success
    assert scenario.rows(asked) == [("retention", "fenced")]
    ((request_id,),) = scenario.rows(
        "select request_id from memory.erasure_request where tenant_id = %(tenant)s"
    )
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id = %s",
            (request_id,),
        )


def test_an_erasure_run_tells_how_all_requests_stand(home: Path, scenario: Scenario) -> None:
    with Eraser(scenario.services, scenario.tenant) as eraser:
        request_id = eraser.request(Selector(subject="Анна", tags=("health",)), Ground.operator)
    with dg.DagsterInstance.ephemeral() as instance:
        resources = {"memory_home": MemoryHome(home=str(home), tenant=scenario.tenant)}
        done = erasure.erasure_job.execute_in_process(
            instance=instance, resources=resources, run_config=erasure.run_config(request_id)
        )
    (event,) = done.get_asset_materialization_events()
    told = event.step_materialization_data.materialization.metadata
    assert event.asset_key == governance.erasures.key == erasure.ERASURES
    assert told["n_certified"].value >= 1
    assert told["dagster/row_count"].value >= told["n_certified"].value


def test_the_schedule_asks_for_one_run_of_each_tenant_a_day(home: Path, scenario: Scenario) -> None:
    with dg.build_schedule_context(scheduled_execution_time=datetime.now(UTC)) as context:
        evaluated = governance.daily_retention(context, memory_home=MemoryHome(home=str(home)))
        assert isinstance(evaluated, Iterator)
        requests = [one for one in evaluated if isinstance(one, dg.RunRequest)]
    assert len({request.run_key for request in requests}) == len(requests)
    tenant = scenario.rows("select %(tenant)s::int")[0][0]
    assert str(tenant) in {request.tags["memory/tenant"] for request in requests}
