"""Secret values: what an erasure destroyed stays destroyed and is kept again when it is told again;
what nothing refers to is destroyed, and what a run under way writes is not."""

import json
import threading
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from memory_pipeline.bitemporal.batches import EpochMoved, batch, current_epoch
from memory_pipeline.bitemporal.tenants import tenant_id
from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector, StoreState
from memory_pipeline.governance import audit, strays
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.mask_sweep import sweep
from memory_pipeline.governance.secrets import SecretStore, SecretStoreError, identity, new_id
from memory_pipeline.ingest.prepare import FoundSecret
from memory_pipeline.ingest.store_messages import put_found, using_secrets
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.scenario import Message, Scenario, message
from tests.test_mask_sweep import store_unmasked

CARD, OTHER_CARD = "5555 5555 5555 4444", "4111 1111 1111 1111"


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


def kept(scenario: Scenario) -> list[str]:
    """Every value that a reader with the right could have revealed, by the messages that use it."""
    store = SecretStore(scenario.services.vault_client("reveal"))
    uses = scenario.rows(
        "select u.secret_id from memory.secret_use as u join memory.message as m using (message_id)"
        " where m.tenant_id = %(tenant)s order by m.sent_at, u.span_start"
    )
    return [revealed(store, secret_id) for (secret_id,) in uses]


def revealed(store: SecretStore, secret_id: UUID) -> str:
    try:
        return store.get(secret_id)
    except SecretStoreError:
        return "gone"


def in_vault(services: Services) -> set[UUID]:
    return SecretStore(services.vault_client("verifier")).ids()


def erase(scenario: Scenario, selector: Selector) -> UUID:
    with Eraser(scenario.services, scenario.tenant) as eraser:
        status = eraser.run(eraser.request(selector, Ground.operator))
    assert status.state is ErasureState.certified, status
    return status.request_id


def now() -> str:
    return datetime.now(UTC).isoformat()


TOLD: tuple[Message, ...] = (
    message("Зоя", "2025-03-03T10:00+03:00", f"Моя карта {CARD}", message_id="m1", dialog_id="a"),
    message("Зоя", "2025-03-03T10:05+03:00", "Я живу в Твери", message_id="m2", dialog_id="a"),
    message("Лев", "2025-03-03T11:00+03:00", f"А моя {OTHER_CARD}", message_id="m1", dialog_id="b"),
)


@pytest.mark.parametrize("selector", [Selector(message="m1", dialog="a"), Selector(subject="Зоя")])
def test_a_value_told_anew_after_its_erasure_is_kept_again_and_the_destroyed_one_stays_destroyed(
    scenario: Scenario, selector: Selector
) -> None:
    scenario.tell(*TOLD)
    assert kept(scenario) == [CARD, OTHER_CARD]
    before = in_vault(scenario.services)
    erase(scenario, selector)
    assert kept(scenario) == ["gone", OTHER_CARD]
    assert len(before - in_vault(scenario.services)) == 1

    # the same log, and the same under other ids: told before the erasure
    scenario.tell(*TOLD, message("Лев", "2025-03-03T12:00+03:00", "Ладно", dialog_id="b"))
    scenario.tell(*(line | {"message_id": f"x{n}"} for n, line in enumerate(TOLD[:2])))
    assert in_vault(scenario.services) <= before
    assert set(kept(scenario)) == {"gone", OTHER_CARD}

    scenario.tell(message("Зоя", now(), f"Новая старая карта {CARD}", dialog_id="c"))
    assert kept(scenario)[-1] == CARD
    assert kept(scenario)[0] == "gone"
    texts = scenario.rows(
        "select c.text from memory.message_content as c join memory.message as m"
        " using (message_id, dialog_id) where m.tenant_id = %(tenant)s order by m.sent_at"
    )
    assert "█" in texts[0][0]
    assert texts[-1] == ("Новая старая карта [CARD_1]",)
    # and destroyed again, with its own request, it is gone again
    erase(scenario, Selector(dialog="c"))
    assert set(kept(scenario)) == {"gone", OTHER_CARD}


def test_a_value_that_another_message_has_told_since_it_was_planned_is_not_destroyed(
    scenario: Scenario,
) -> None:
    scenario.tell(*TOLD)
    with Eraser(scenario.services, scenario.tenant) as eraser:
        request_id = eraser.request(Selector(dialog="a"), Ground.operator)

    def tell(step: str) -> None:
        if step == "needles":
            scenario.read(message("Лев", now(), f"Её карта {CARD}", dialog_id="b"))

    with Eraser(scenario.services, scenario.tenant, fault=tell) as eraser:
        status = eraser.run(request_id)
    assert status.state is ErasureState.certified, status
    assert kept(scenario)[-1] == CARD


def test_a_value_that_vault_lost_with_a_restored_database_is_kept_again_when_it_is_told_again(
    scenario: Scenario,
) -> None:
    scenario.tell(*TOLD)
    ((lost,),) = scenario.rows(
        "select s.secret_id from memory.secret_use as s join memory.message as m using (message_id)"
        " join memory.dialog_content as d using (dialog_id)"
        " where m.tenant_id = %(tenant)s and d.native_id = 'a'"
    )
    SecretStore(scenario.services.vault_client("eraser")).destroy([lost])
    strays.destroy(scenario.services, ends_lost=True)
    scenario.tell(message("Зоя", now(), f"Карта {CARD}", dialog_id="c"))
    assert kept(scenario) == ["gone", OTHER_CARD, CARD]


def own_id(scenario: Scenario) -> UUID:
    with psycopg.connect(scenario.services.pg_dsn("mem_ingest"), autocommit=True) as connection:
        return new_id(identity(connection))


def test_values_of_another_installation_that_shares_the_vault_are_left_and_counted(
    scenario: Scenario, database: str
) -> None:
    scenario.tell(*TOLD)
    before = strays.find(scenario.services)
    with psycopg.connect(database, autocommit=True) as other:
        theirs = new_id(identity(other))
    old, own = uuid.uuid4(), own_id(scenario)
    SecretStore(scenario.services.vault_client("ingest")).put({theirs: CARD, old: CARD, own: CARD})
    try:
        found = strays.destroy(scenario.services)
        assert found.values == {own}
        assert found.n_unmarked == before.n_unmarked + 2
        assert in_vault(scenario.services) >= {theirs, old}
        assert own not in in_vault(scenario.services)
        # an erasure leaves them as well, says so, and is certified
        request_id = erase(scenario, Selector(dialog="a"))
        assert in_vault(scenario.services) >= {theirs, old}
        with Eraser(scenario.services, scenario.tenant) as eraser:
            (vault,) = [found for found in eraser.verify(request_id) if found.store == "vault"]
        assert (vault.state, vault.n_left) == (StoreState.verified, 0)
        assert vault.note == f"{found.n_unmarked}_unmarked"
    finally:
        SecretStore(scenario.services.vault_client("eraser")).destroy([theirs, old])


def found_of(value: str) -> FoundSecret:
    return FoundSecret("card", uuid.uuid4().bytes, value, 0, len(value))


def test_values_that_a_dead_run_left_are_destroyed_by_the_next_one_and_fail_the_verifier(
    scenario: Scenario,
) -> None:
    scenario.tell(*TOLD)
    request_id = erase(scenario, Selector(dialog="a"))
    of_run = in_vault(scenario.services)
    ingest = SecretStore(scenario.services.vault_client("ingest"))
    ingest.put({own_id(scenario): CARD})
    with psycopg.connect(scenario.services.pg_dsn("mem_ingest"), autocommit=True) as connection:
        of = tenant_id(connection, scenario.tenant)
        put_found(connection, of, ingest, [found_of(CARD)])
    assert len(in_vault(scenario.services) - of_run) == 2
    with Eraser(scenario.services, scenario.tenant) as eraser:
        (vault,) = [found for found in eraser.verify(request_id) if found.store == "vault"]
    assert (vault.state, vault.n_left, vault.note) == (StoreState.failed, 2, "2_stray")
    scenario.read(message("Лев", now(), "Ладно", dialog_id="b"))
    assert in_vault(scenario.services) == of_run
    with Eraser(scenario.services, scenario.tenant) as eraser:
        (vault,) = [found for found in eraser.verify(request_id) if found.store == "vault"]
    assert vault.state is StoreState.verified


def test_in_a_database_whose_restore_was_not_recorded_an_ingestion_destroys_nothing(
    scenario: Scenario,
) -> None:
    scenario.read(TOLD[1])
    SecretStore(scenario.services.vault_client("ingest")).put({(stray := own_id(scenario)): CARD})
    heads = scenario.services.home.path / audit.HEADS_FILE
    kept_heads = heads.read_bytes() if heads.exists() else b""
    gone = {"seq": 10**9, "hash": "00", "at": now(), "mac": ""}
    heads.write_bytes(kept_heads + json.dumps(gone).encode() + b"\n")
    try:
        scenario.read(message("Лев", now(), "Да", dialog_id="b"))
        assert stray in in_vault(scenario.services)
    finally:
        heads.write_bytes(kept_heads)
    scenario.read(message("Лев", now(), "Нет", dialog_id="b"))
    assert stray not in in_vault(scenario.services)


class Slow(SecretStore):
    """Writes to Vault and waits before its rows follow."""

    wrote, may_go_on = threading.Event(), threading.Event()

    def put(self, values: Mapping[UUID, str]) -> None:
        super().put(values)
        self.wrote.set()
        assert self.may_go_on.wait(60)


def test_what_a_run_under_way_writes_is_neither_counted_nor_lost(scenario: Scenario) -> None:
    scenario.read(TOLD[1])
    store = Slow(scenario.services.vault_client("ingest"))
    ingest = SecretStore(scenario.services.vault_client("ingest"))
    found: list[strays.Strays] = []
    with (
        psycopg.connect(scenario.services.pg_dsn("mem_ingest"), autocommit=True) as connection,
        psycopg.connect(scenario.services.pg_dsn("mem_ingest"), autocommit=True) as other,
    ):
        of = tenant_id(connection, scenario.tenant)
        epoch = current_epoch(connection, of)
        secret = found_of(CARD)
        writer = threading.Thread(target=put_found, args=(connection, of, store, [secret], epoch))
        writer.start()
        assert store.wrote.wait(60)
        looker = threading.Thread(target=lambda: found.append(strays.find(scenario.services)))
        looker.start()
        store.may_go_on.set()
        writer.join(60)
        looker.join(60)
        assert found[0].values == frozenset()

        # a row whose message is being stored
        with using_secrets(connection, of):
            put_found(connection, of, ingest, [used := found_of(OTHER_CARD)], epoch)
            looker = threading.Thread(target=lambda: found.append(strays.find(scenario.services)))
            looker.start()
            looker.join(2)
            assert looker.is_alive()
            ((used_id,),) = other.execute(
                "insert into memory.secret_use"
                " (secret_id, message_id, audience_id, batch_id, span_start, span_end)"
                " select s.secret_id, m.message_id, m.audience_id, m.batch_id, 0, 1"
                " from memory.live_secret as s join memory.message as m using (tenant_id)"
                " where s.value_key = %s returning secret_id",
                (used.value_key,),
            ).fetchall()
        looker.join(60)
        assert used_id not in found[1].unused.get(of, ())

        # a row that is not used: whoever was about to use it hears that it has ended
        strays.destroy(scenario.services)
        with pytest.raises(EpochMoved), batch(connection, of, "messages", epoch):
            pass
        put_found(connection, of, store, [secret], current_epoch(connection, of))
        ((secret_id,),) = other.execute(
            "select secret_id from memory.live_secret where value_key = %s", (secret.value_key,)
        ).fetchall()
    assert SecretStore(scenario.services.vault_client("reveal")).get(secret_id) == CARD


def test_values_of_another_database_of_the_server_are_its_own(
    scenario: Scenario, database: str
) -> None:
    SecretStore(scenario.services.vault_client("ingest")).put({(mine := own_id(scenario)): CARD})
    with psycopg.connect(database, autocommit=True) as owner:
        of = tenant_id(owner, "other", create=True)
        owner.execute(
            "insert into memory.secret (secret_id, tenant_id, batch_id, type, value_key)"
            " values (%s, %s, %s, 'card', 'k')",
            (mine, of, uuid.uuid4()),
        )
        strays.destroy(scenario.services)
        assert mine in in_vault(scenario.services)
    SecretStore(scenario.services.vault_client("eraser")).destroy([mine])


def test_a_value_masked_by_a_sweep_stays_while_another_message_uses_it(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_unmasked(
        scenario,
        [
            message("Зоя", "2025-03-03T10:00+03:00", f"Моя карта {CARD}", dialog_id="a"),
            message("Лев", "2025-03-03T11:00+03:00", f"Её карта {CARD}", dialog_id="b"),
        ],
        monkeypatch,
    )
    assert sweep(scenario.services, scenario.tenant).is_done
    assert kept(scenario) == [CARD, CARD]
    erase(scenario, Selector(dialog="a"))
    assert kept(scenario) == [CARD, CARD]
    erase(scenario, Selector(dialog="b"))
    assert kept(scenario) == ["gone", "gone"]
