"""An erasure with a step left out, killed at any point, or without one of its services is never
certified; once it is whole again it is, and nothing else is lost."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import Block, ErasureState, RequestStatus, StoreState
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure import requests
from memory_pipeline.governance.erasure.certificate import is_genuine
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.needles import read_needles
from memory_pipeline.governance.erasure.stores import registered
from memory_pipeline.installation import ready
from memory_pipeline.local import vault_setup
from memory_pipeline.local.services import Services
from tests.canaries import CanaryScanner, cyrillic
from tests.scenario import Scenario, facts
from tests.test_erasure_sweep import ZOYA, Rich
from tests.verify.homes import kill_service, superuser

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1800)]

NEVER_HOLD = {
    "closure_content", "reason_content", "review_content", "snapshot_request_content", "marts",
    "refused_requests", "exports_folder", "originals", "provider_files", "backups",
    "quarantine_content", "dialog_content", "data_keys",
}  # fmt: skip
"""Registered stores that hold nothing, or nothing in clear, of the one person of these tests."""
LEFT_OUT = [store.name for store in registered() if store.name not in NEVER_HOLD]


def failed_stores(status: RequestStatus) -> set[str]:
    """Stores in which the verifier found something."""
    return {store.store for store in status.stores if store.state is StoreState.failed}


def assert_certified(status: RequestStatus) -> None:
    """It is done, and everything was verified."""
    assert (status.state, status.block, failed_stores(status)) == (
        ErasureState.certified, None, set(),
    )  # fmt: skip


@dataclass
class World:
    """A tenant whose every store holds something of one person, and of another."""

    number: int
    services: Services
    folder: Path
    scenario: Scenario = field(init=False)
    held: Rich = field(init=False)

    def __post_init__(self) -> None:
        self.scenario = Scenario(self.services, self.folder)
        self.held = Rich(self.scenario, f"{cyrillic(self.number)}нск")
        self.held.plant()

    def start(self) -> None:
        """Start what does not run, perhaps on other ports."""
        self.services = self.scenario.services = ready(self.services.home.path)

    @contextmanager
    def eraser(self, **options: Any) -> Iterator[Eraser]:
        with Eraser(self.services, self.scenario.tenant, **options) as eraser:
            yield eraser

    def ask(self) -> UUID:
        """File the request to erase the person, fenced by its first run."""
        with self.eraser() as eraser:
            return requests.file_request(
                eraser._connection, eraser.tenant_id, Keys(self.services.keyed_hash_key()), ZOYA
            )

    def run(self, request_id: UUID, **options: Any) -> RequestStatus:
        with self.eraser(**options) as eraser:
            return eraser.run(request_id)

    def other(self) -> list[Any]:
        """All that is known of the other person, and how many messages there are."""
        with self.scenario.memory() as memory:
            known = facts(memory, "Лев")
        counted = "select count(*), sum(n_chars) from memory.message where tenant_id = %(tenant)s"
        return [*known, *self.scenario.rows(counted)]

    def assert_clean(self, request_id: UUID) -> None:
        """Certified, once and truly; the canary is nowhere, nor what was kept to look for it."""
        with self.eraser() as eraser:
            assert_certified(eraser.status(request_id))
            body = eraser.certificate(request_id)
        with psycopg.connect(self.services.pg_dsn("mem_auditor")) as auditor:
            assert is_genuine(auditor, body)
        events = self.scenario.rows(
            "select action, count(*) from memory.audit_event where tenant_id = %(tenant)s"
            " and request_id = %(request)s group by action",
            request=request_id,
        )
        assert {n for _, n in events} == {1}
        with superuser(self.services) as connection:
            connection.execute("checkpoint")
        home = self.services.home
        assert CanaryScanner([cyrillic(self.number)]).places(home.path) == {}
        assert read_needles(self.services.vault_client("verifier"), request_id) is None


@pytest.fixture(autouse=True)
def _chain_holds(scratch: Services) -> Iterator[None]:
    yield
    assert audit.verify_home(ready(scratch.home.path)).holds


@pytest.fixture
def _autovacuum_is_off(scratch: Services) -> Iterator[None]:
    """It may overwrite the remains of a small table that a left out scrub should have: then a
    certificate is right."""
    with superuser(scratch) as connection:
        connection.execute("alter system set autovacuum = off")
        connection.execute("select pg_reload_conf()")
    yield
    with superuser(scratch) as connection:
        connection.execute("alter system reset autovacuum")
        connection.execute("select pg_reload_conf()")


@pytest.mark.usefixtures("_autovacuum_is_off")
@pytest.mark.parametrize("left_out", LEFT_OUT)
def test_with_any_one_step_left_out_the_verification_fails_and_no_certificate_comes(
    scratch: Services, tmp_path: Path, left_out: str
) -> None:
    for attempt in range(3):
        number = LEFT_OUT.index(left_out) + 100 * attempt
        world = World(number, scratch, tmp_path / str(attempt))
        asked = world.ask()
        status = world.run(asked, skip={left_out})
        if status.state is not ErasureState.certified:
            break
        # the server tidies a page that it reads, too: nothing remained then, and that was said
        world.assert_clean(asked)
    assert (status.state, status.block) == (ErasureState.scrubbed, Block.residue_found)
    assert failed_stores(status)
    assert failed_stores(status) <= {left_out, "database_files"}
    with world.eraser() as eraser, pytest.raises(LookupError, match="no certificate"):
        eraser.certificate(status.request_id)
    assert_certified(world.run(status.request_id))


KILLED = """
import os, signal, sys
from pathlib import Path
from uuid import UUID
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.installation import ready

home, tenant, request_id, *steps = sys.argv[1:]
services = ready(Path(home))
for step in steps:
    child = os.fork()
    if child == 0:
        def die(reached):
            if reached == step:
                os.kill(os.getpid(), signal.SIGKILL)
        with Eraser(services, tenant, fault=die) as eraser:
            eraser.run(UUID(request_id))
        os._exit(0)
    _, ended = os.waitpid(child, 0)
    print(step, os.waitstatus_to_exitcode(ended), sep="\\t")
"""
"""Carries a request on in a process a step, each killed when it reaches that step."""


def test_killed_at_every_step_the_request_is_carried_on_to_a_true_certificate(
    scratch: Services, tmp_path: Path
) -> None:
    undisturbed, world = (World(50 + n, scratch, tmp_path / str(n)) for n in range(2))
    steps: list[str] = []
    asked = undisturbed.ask()
    status = undisturbed.run(asked, fault=steps.append)
    undisturbed.assert_clean(asked)
    found = {store.store for store in status.stores if store.n_found}
    assert found & NEVER_HOLD == set(), "a store that holds something is left out by no test"
    # `stores` and `scrub` come again where the verifier found something, which it did not
    assert len(steps) == len(set(steps)) > 40
    before, asked = world.other(), world.ask()
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(scratch.home.path), world.scenario.tenant, str(asked),
         *steps],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    codes = dict(line.split("\t") for line in done.stdout.splitlines())
    assert codes == dict.fromkeys(steps, str(-signal.SIGKILL)), done.stderr
    world.run(asked)
    world.assert_clean(asked)
    assert world.other() == before


SERVICES = ("postgres", "graph", "vault")
DOWN_AT = ("content", "stores")
FIRST_DOWN = 60


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("at", DOWN_AT)
def test_without_a_service_the_request_waits_and_is_finished_once_it_is_back(
    scratch: Services, tmp_path: Path, service: str, at: str
) -> None:
    number = FIRST_DOWN + DOWN_AT.index(at) + 10 * SERVICES.index(service)
    world = World(number, scratch, tmp_path)
    before, asked = world.other(), world.ask()

    def end(step: str) -> None:
        if step == at:
            kill_service(scratch.home.path, service)

    if service == "postgres":
        # nobody is there to be told
        with pytest.raises(psycopg.OperationalError):
            world.run(asked, fault=end)
    else:
        status = world.run(asked, fault=end)
        assert (status.block, status.state is ErasureState.certified) == (
            Block.store_unreachable, False,
        )  # fmt: skip
    world.start()
    world.run(asked)
    world.assert_clean(asked)
    assert world.other() == before


def seal(services: Services) -> None:
    """Seal the vault, as an operator with a right of her own does."""
    admin = services.vault_client("admin")
    admin.sys.create_or_update_acl_policy(
        "sealer", 'path "sys/seal" { capabilities = ["update", "sudo"] }'
    )
    role = admin.auth.approle
    role.create_or_update_approle("sealer", token_policies=["sealer"], token_type="service")
    entered = vault_setup.client(services.vault_addr)
    entered.auth.approle.login(
        role_id=role.read_role_id("sealer")["data"]["role_id"],
        secret_id=role.generate_secret_id("sealer")["data"]["secret_id"],
    )
    entered.sys.seal()


def test_with_vault_sealed_the_request_waits_and_is_finished_once_it_is_open(
    scratch: Services, tmp_path: Path
) -> None:
    world = World(99, scratch, tmp_path)
    before, asked = world.other(), world.ask()
    seal(scratch)
    try:
        status = world.run(asked)
        assert (status.state, status.block) == (ErasureState.discovered, Block.store_unreachable)
    finally:
        kill_service(scratch.home.path, "vault")
        world.start()
    world.run(asked)
    world.assert_clean(asked)
    assert world.other() == before
