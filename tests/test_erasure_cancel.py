"""A request that is taken back takes nothing with it: not what was read while it stood either."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from scenario import Scenario, message, objects, write

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance.erasure import plan, undecided
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.requests import WrongState
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from tests.test_erasure_attack import assert_certified
from tests.test_ingest import settled

DAY = "2025-03-{:02}T10:00+03:00"
TOLD = (message("Дмитрий", DAY.format(1), "Я живу в Москве", dialog_id="first", message_id="1"),)
LATE = (
    message("Ольга", DAY.format(2), "Переехал?", dialog_id="late", message_id="1"),
    message("Дмитрий", DAY.format(3), "Да, я живу в Казани", dialog_id="late", message_id="2"),
    message("Дмитрий", DAY.format(4), "Я предпочитаю Postgres", dialog_id="late", message_id="3"),
)
LOCATION = Selector(subject="Дмитрий", tags=("location",))


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


@pytest.fixture
def eraser(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> Iterator[Eraser]:
    """What is known of Dmitri, and the eraser; who reads does not wait for requests at rest."""
    monkeypatch.setattr(undecided, "_FRESH_S", 0.0)
    scenario.tell(*TOLD)
    with Eraser(scenario.services, scenario.tenant) as found:
        yield found


def stored(scenario: Scenario) -> list[str]:
    """All that is stored of the later dialog, in order."""
    return [
        row[0]
        for row in scenario.rows(
            "select c.text from memory.message as m join memory.message_content as c"
            " using (message_id) join memory.dialog_content as d on d.dialog_id = m.dialog_id"
            " where m.tenant_id = %(tenant)s and d.native_id <> 'first' order by m.sent_at"
        )
    ]


def discover(scenario: Scenario, request_id: UUID) -> None:
    """The step after the fence, the last one from which a request may be taken back."""
    keys = Keys(scenario.services.keyed_hash_key())
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as connection:
        assert plan.discover(connection, request_id, keys) is ErasureState.discovered


def read(scenario: Scenario, path: Path) -> tuple[str, int, int, int]:
    """Reads one file, and what came of it: status, added, known, waiting."""
    with scenario.pipeline() as pipeline:
        ((_, report),) = pipeline.ingest([path]).files
        pipeline.extract()
    return report.status, report.n_messages, report.n_known, report.n_waiting


def test_what_a_request_would_take_waits_and_comes_in_clear_if_it_is_taken_back(
    scenario: Scenario, eraser: Eraser
) -> None:
    path = write(scenario.folder / "late.jsonl", LATE)
    asked = eraser.request(LOCATION, Ground.operator)
    assert read(scenario, path) == ("waiting", 2, 0, 1)
    assert stored(scenario) == ["Переехал?", "Я предпочитаю Postgres"]
    discover(scenario, asked)
    assert read(scenario, path) == ("waiting", 0, 2, 1)
    eraser.cancel(asked)
    assert read(scenario, path) == ("read", 1, 2, 0)
    assert stored(scenario) == [line["text"] for line in LATE]
    assert read(scenario, path) == ("known", 0, 0, 0)
    with scenario.memory() as memory:
        assert objects(memory, "Дмитрий", "location", valid_at="2025-06-01") == ["Казань"]


def test_what_waited_is_masked_once_the_request_cannot_be_taken_back(
    scenario: Scenario, eraser: Eraser
) -> None:
    path = write(scenario.folder / "late.jsonl", LATE)
    asked = eraser.request(LOCATION, Ground.operator)
    assert read(scenario, path)[0] == "waiting"
    assert_certified(eraser.run(asked))
    assert read(scenario, path) == ("read", 1, 2, 0)
    assert not [text for text in stored(scenario) if "Казан" in text]
    with scenario.memory() as memory:
        assert objects(memory, "Дмитрий", "preference", valid_at="2025-06-01") == ["Postgres"]


def test_a_later_request_that_is_taken_back_does_not_lift_an_earlier_erasure(
    scenario: Scenario, eraser: Eraser
) -> None:
    assert_certified(eraser.run(eraser.request(LOCATION, Ground.operator)))
    path = write(scenario.folder / "late.jsonl", LATE)
    asked = eraser.request(Selector(subject="Дмитрий", tags=("preference",)), Ground.operator)
    assert read(scenario, path) == ("waiting", 2, 0, 1), "the town's erasure is for good"
    eraser.cancel(asked)
    assert read(scenario, path) == ("read", 1, 2, 0)
    said = stored(scenario)
    assert said[0] == "Переехал?"
    assert "Казан" not in said[1]
    assert said[2] == "Я предпочитаю Postgres"


def test_a_landed_file_stays_where_it_is_until_the_request_is_settled(
    scenario: Scenario, eraser: Eraser
) -> None:
    asked = eraser.request(LOCATION, Ground.operator)
    with scenario.pipeline() as pipeline:
        path = settled(write(pipeline.landing / "late.jsonl", LATE))
        clear = path.read_bytes()
        assert pipeline.ingest_landing().n_waiting == 1
        assert pipeline.landing_files() == [path]
        assert path.read_bytes() == clear
        assert not list(pipeline.archive.glob("*"))
        eraser.cancel(asked)
        report = pipeline.ingest_landing()
        assert (report.n_messages, report.n_waiting) == (1, 0)
        assert pipeline.landing_files() == []
        (sealed,) = pipeline.archive.iterdir()
        assert b"".join(pipeline.sealer("archive").open_file(sealed)) == clear


def test_records_and_files_that_nobody_can_read_wait_as_well(
    scenario: Scenario, eraser: Eraser
) -> None:
    asked = eraser.request(Selector(subject="Дмитрий"), Ground.operator)
    discover(scenario, asked)
    torn = scenario.folder / "torn.jsonl"
    whole = (
        '{"dialog_id": "torn", "speaker": "Ольга", "sent_at": "2025-03-05T10:00Z", "text": "Да"}'
    )
    torn.write_text(f'{whole}\n{{"speaker": "Дмитрий", "text": "Я живу в\n', encoding="utf-8")
    strange = scenario.folder / "notes.txt"
    strange.write_text("Дмитрий живёт в Москве", encoding="utf-8")
    named = write(scenario.folder / "Дмитрий.jsonl", [message("Ольга", DAY.format(5), "Ну да")])
    paths = [torn, strange, named]

    def statuses() -> list[tuple[str, int]]:
        with scenario.pipeline() as pipeline:
            return [
                (report.status, report.n_quarantined)
                for path in paths
                for _, report in pipeline.ingest([path]).files
            ]

    assert statuses() == [("waiting", 0)] * 3
    names = "select count(*) from memory.log_file_content as c join memory.log_file as f"
    names += " using (file_id) where f.tenant_id = %(tenant)s and c.name like '%%Дмитрий%%'"
    assert scenario.rows(names) == [(0,)]
    eraser.cancel(asked)
    assert statuses() == [("read", 1), ("refused", 1), ("read", 0)]
    assert scenario.rows(names) == [(1,)]
    kept = scenario.rows(
        "select count(*) from memory.quarantine as q join memory.quarantine_content as c"
        " using (quarantine_id) where q.tenant_id = %(tenant)s and q.stage = 'read'"
        " and q.reason <> 'unknown_format' and c.raw is not null"
    )
    assert kept == [(1,)]


def test_who_reads_waits_for_a_run_that_is_at_the_request(
    scenario: Scenario, eraser: Eraser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undecided, "_FRESH_S", 30.0)
    path = write(scenario.folder / "late.jsonl", LATE)
    asked = eraser.request(LOCATION, Ground.operator)
    found: list[tuple[str, int, int, int]] = []
    reader = threading.Thread(target=lambda: found.append(read(scenario, path)))
    reader.start()
    until = time.monotonic() + 20
    while len(stored(scenario)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert eraser.status(asked).state is ErasureState.fenced
    assert reader.is_alive()
    eraser.cancel(asked)
    reader.join(timeout=30)
    assert found == [("read", 3, 0, 0)], "read twice, counted as once"
    assert stored(scenario) == [line["text"] for line in LATE]


def test_what_destroyed_keys_is_not_taken_back_in_a_database_restored_from_before(
    scenario: Scenario, eraser: Eraser
) -> None:
    asked = eraser.request(LOCATION, Ground.operator)
    assert_certified(eraser.run(asked))
    with psycopg.connect(
        scenario.services.pg_dsn(SUPERUSER, DATABASE), autocommit=True
    ) as connection:
        # a state never goes back but in a database that another one is put in the place of
        connection.execute("set session_replication_role = replica")
        move = "update memory.erasure_request set state = %s where request_id = %s"
        connection.execute(move, ("fenced", asked))
        with pytest.raises(WrongState, match="ledger"):
            eraser.cancel(asked)
        connection.execute(move, ("certified", asked))
    again = eraser.request(LOCATION, Ground.operator)
    eraser.cancel(again)
    assert eraser.status(again).state is ErasureState.cancelled


@pytest.mark.parametrize("is_taken_back", [True, False], ids=["taken back", "erased"])
def test_what_was_read_before_a_request_is_learned_after_it_is_settled(
    scenario: Scenario, eraser: Eraser, is_taken_back: bool
) -> None:
    both = message("Дмитрий", DAY.format(5), "Живу в Казани. Я предпочитаю Postgres",
                   dialog_id="late", message_id="9")  # fmt: skip
    scenario.read(both)
    asked = eraser.request(LOCATION, Ground.operator)
    with scenario.pipeline() as pipeline:
        report = pipeline.extract()
    assert (report.n_undecided, report.n_atoms) == (1, 0)
    if is_taken_back:
        eraser.cancel(asked)
    else:
        assert_certified(eraser.run(asked))
    with scenario.pipeline() as pipeline:
        report = pipeline.extract()
    assert report.n_undecided == 0
    with scenario.memory() as memory:
        known = objects(memory, "Дмитрий", "location", valid_at="2025-06-01")
        assert known == (["Казань"] if is_taken_back else [None])
        assert objects(memory, "Дмитрий", "preference", valid_at="2025-06-01") == ["Postgres"]
    assert ("Казан" in stored(scenario)[0]) is is_taken_back


def test_a_record_that_nobody_can_read_waits_before_it_is_known_what_goes(
    scenario: Scenario, eraser: Eraser
) -> None:
    path = scenario.folder / "torn.jsonl"
    path.write_text("{torn Москва\n", encoding="utf-8")
    asked = eraser.request(LOCATION, Ground.operator)
    assert read(scenario, path) == ("waiting", 0, 0, 1)
    assert_certified(eraser.run(asked))
    assert read(scenario, path)[0] == "read"
    kept = scenario.rows(
        "select count(*) from memory.quarantine as q join memory.quarantine_content as c"
        " using (quarantine_id) where q.tenant_id = %(tenant)s and c.raw is not null"
    )
    assert kept == [(0,)]


def test_a_file_name_tells_nothing_that_was_erased_of_whom_it_names(
    scenario: Scenario, eraser: Eraser
) -> None:
    assert_certified(eraser.run(eraser.request(LOCATION, Ground.operator)))
    for name in ("Дмитрий живёт в Москве", "Москва без имён"):
        read(
            scenario,
            write(scenario.folder / f"{name}.jsonl", [message("Ольга", DAY.format(9), name)]),
        )
    names = scenario.rows(
        "select c.name, c.read_from is null from memory.log_file_content as c join memory.log_file"
        " as f using (file_id) where f.tenant_id = %(tenant)s and c.name like '%% %%' order by c.name"
    )
    assert names == [("Дмитрий живёт в ██████.jsonl", True), ("Москва без имён.jsonl", False)]
