"""Erasure carried out over the real services: nothing of it is left anywhere, and all else is."""

import base64
import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from memory_pipeline.contracts.erasure import (
    Block,
    ErasureState,
    Ground,
    Originals,
    RequestStatus,
    Selector,
    StoreState,
)
from memory_pipeline.governance.erasure.certificate import is_genuine
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.needles import read_needles
from memory_pipeline.governance.erasure.residue import Scanner, files_with
from memory_pipeline.governance.secrets import SecretStore, SecretStoreError
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import DAGSTER, DAGSTER_DATABASE, DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.scenario import STORY, Scenario, facts, message, objects, write

WHERE = Selector(subject="Дмитрий", tags=("location",))
CARD = "5555 5555 5555 4444"


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Iterator[Scenario]:
    yield Scenario(ready(services.home.path), tmp_path)
    for name in ("dagster", "dbt"):
        shutil.rmtree(services.home.path / name / "planted", ignore_errors=True)


def superuser(services: Services) -> psycopg.Connection[Any]:
    return psycopg.connect(services.pg_dsn(SUPERUSER, DATABASE), autocommit=True)


def index(scenario: Scenario) -> None:
    """Bring all indexes up to date."""
    with scenario.pipeline() as pipeline:
        pipeline.refresh_full_text()
        pipeline.embed_messages()
        pipeline.embed_atoms()
        pipeline.refresh_graph()


def erase(scenario: Scenario, selector: Selector, **options: Any) -> RequestStatus:
    """File a request and run it."""
    with Eraser(scenario.services, scenario.tenant, **options) as eraser:
        return eraser.run(eraser.request(selector, Ground.operator))


def assert_certified(status: RequestStatus) -> None:
    left = [store for store in status.stores if store.state is StoreState.failed]
    assert (status.state, status.block, left) == (ErasureState.certified, None, [])


def others(scenario: Scenario) -> dict[str, list[Any]]:
    """What is held about everybody else."""
    with scenario.memory() as memory:
        return {name: facts(memory, name) for name in ("Анна", "Rachel", "Ольга")}


def test_forgetting_where_somebody_lives_takes_it_from_everywhere_and_nothing_else(
    scenario: Scenario,
) -> None:
    scenario.tell(*STORY)
    index(scenario)
    before = others(scenario)
    status = erase(scenario, WHERE)
    assert_certified(status)
    with scenario.memory() as memory:
        for valid_at in ("2025-04-01", "2025-06-05", "2025-10-17", "2025-11-01"):
            for known_at in (None, "2025-09-01", "2025-10-11"):
                answers = memory.as_of(
                    "Дмитрий", predicate="location", valid_at=valid_at, known_at=known_at
                ).answers
                assert {(a.status.value, a.object) for a in answers} <= {("erased", None)}
        assert objects(memory, "Дмитрий", "preference") == ["Postgres"]
        assert not [hit for hit in memory.search("переезжаю в Казань") if "Казан" in hit.text]
    assert others(scenario) == before
    with scenario.pipeline() as pipeline:
        assert all(report.is_equal for report in pipeline.parity())
    with Eraser(scenario.services, scenario.tenant) as eraser:
        body = eraser.certificate(status.request_id)
        assert body["categories"] == ["location"]
        with psycopg.connect(scenario.services.pg_dsn("mem_auditor")) as auditor:
            assert is_genuine(auditor, body)
        # no value is kept to look for it again, and what can be looked for is not there
        assert {r.state for r in eraser.verify(status.request_id)} <= {
            StoreState.verified, StoreState.not_verifiable,
        }  # fmt: skip
    client = scenario.services.vault_client("verifier")
    assert read_needles(client, status.request_id) is None


def test_a_redaction_keeps_lengths_hashes_and_what_others_said_and_starts_no_extraction(
    scenario: Scenario,
) -> None:
    scenario.tell(*STORY)
    columns = (
        "select m.message_key, m.text_hash, m.n_chars, length(c.text), c.text from memory.message"
        " as m join memory.message_content as c using (message_id, dialog_id)"
        " where m.tenant_id = %(tenant)s order by m.message_id"
    )
    before = scenario.rows(columns)
    windows = scenario.rows("select count(*) from memory.extraction where tenant_id = %(tenant)s")
    assert_certified(erase(scenario, WHERE))
    after = scenario.rows(columns)
    assert [row[:4] for row in after] == [row[:4] for row in before]
    changed = [(old[4], new[4]) for old, new in zip(before, after, strict=True) if old != new]
    assert sorted(changed) == sorted(
        {
            "Я Дмитрий, работаю из Москвы": "Я Дмитрий, ███████ ██ ██████",
            "С 1 по 15 июня я в Сочи": "█ █ ██ ██ ████ █ █ ████",
            "Переезжаю в Казань с 19-го": "█████████ █ ██████ █ █████",
        }.items()
    )
    with scenario.pipeline() as pipeline:
        report = pipeline.extract()
    assert report.n_atoms == 0
    assert scenario.rows(
        "select count(*) from memory.extraction where tenant_id = %(tenant)s"
    ) == windows  # fmt: skip


def test_erasing_one_atom_leaves_what_it_replaced_where_it_was(scenario: Scenario) -> None:
    scenario.tell(*STORY)
    with scenario.memory() as memory:
        (kazan,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
    assert_certified(erase(scenario, Selector(atom_id=UUID(str(kazan.atom_id)))))
    with scenario.memory() as memory:
        assert objects(memory, "Дмитрий", "location", valid_at="2025-10-17") == ["Москва"]
        (later,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
        assert later.status.value == "erased"


ZOYA = Selector(subject="Зоя")


@dataclass
class Rich:
    """A tenant whose every store holds something of one person: a log that landed, a secret, a
    snapshot, an export."""

    scenario: Scenario
    town: str
    log: bytes = b""

    def __post_init__(self) -> None:
        town, scenario = self.town, self.scenario
        lines = (
            message("Зоя", "2025-03-03T10:00+03:00", f"Я живу в {town}е, на тихой улице"),
            message("Зоя", "2025-03-03T10:02+03:00", f"Моя карта {CARD}, больше ничего"),
            message("Лев", "2025-03-03T10:05+03:00", "А я живу в Твери"),
        )
        self.log = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        with scenario.pipeline() as pipeline:
            self.land(pipeline)
            assert pipeline.ingest_landing().n_messages == 3
            pipeline.extract()
        index(scenario)
        (dialog,) = scenario.rows(
            "select dialog_id from memory.dialog where tenant_id = %(tenant)s"
        )
        with scenario.memory() as memory:
            packed = memory.context(str(dialog[0]), "где она живёт", 2000)
            memory.export(packed, f"Зоя живёт в {town}е", self.exported)

    @property
    def exported(self) -> Path:
        return self.scenario.folder / "context.txt"

    def land(self, pipeline: Pipeline) -> Path:
        """Put the log into the landing folder, settled."""
        path = pipeline.landing / f"{uuid.uuid4().hex}.jsonl"
        path.write_bytes(self.log)
        os.utime(path, (1e9, 1e9))
        return path

    def files(self) -> list[str]:
        """Files of the home in which the town stands in some encoding."""
        with superuser(self.scenario.services) as connection:
            connection.execute("checkpoint")
        home = self.scenario.services.home
        scanner = Scanner.of_texts([self.town])
        folders = [home.path] + [home.service(name) for name in ("logs", "postgres", "graph")]
        return [str(path) for folder in folders for path, _ in files_with(scanner, folder)]

    def plant(self) -> None:
        """Put the town where nothing of ours would: into logs, Dagster, dbt, and lay the log into
        the landing folder once more."""
        services = self.scenario.services
        with (services.home.logs / "postgres.log").open("a") as log:
            log.write(f"DETAIL: {self.town}\n")
        for name in ("dagster", "dbt"):
            folder = services.home.path / name
            folder.mkdir(mode=0o700, exist_ok=True)
            (folder / "planted").mkdir(mode=0o700, exist_ok=True)
            folder /= "planted"
            (folder / "run.log").write_bytes(base64.b64encode(self.town.encode()))
        with psycopg.connect(services.pg_dsn(DAGSTER, DAGSTER_DATABASE)) as connection:
            connection.execute("create table if not exists event (body text)")
            connection.execute("insert into event values (%s)", [f"failed: {self.town}"])
        with self.scenario.pipeline() as pipeline:
            self.land(pipeline)
        with superuser(services) as connection:
            column = "alter table memory.name_content alter column name set statistics"
            connection.execute(f"{column} 100".encode())
            connection.execute("analyze memory.name_content (name)")
            connection.execute(f"{column} 0".encode())


PURGED = {
    "archive", "exports", "landing", "vault", "vectors", "full_text", "graph", "logs", "dagster",
    "dagster_files", "dbt_files", "statistics", "request_words",
}  # fmt: skip
"""Stores that are purged each by itself."""
REWRITTEN = {
    "atom_content", "message_content", "extraction_content", "name_content", "snapshot_content",
    "database_files",
}  # fmt: skip
"""Stores of which the content transaction leaves physical remains."""


def failed_stores(status: RequestStatus) -> set[str]:
    return {store.store for store in status.stores if store.state is StoreState.failed}


@pytest.mark.verify
def test_every_store_that_is_left_out_is_named_and_no_certificate_comes_until_it_is_not(
    scenario: Scenario,
) -> None:
    held = Rich(scenario, "Урюпинск")
    held.plant()
    # the scanner sees what was planted
    assert {Path(path).parent.name for path in held.files()} >= {"logs", "planted"}
    status = erase(scenario, ZOYA, skip=PURGED | REWRITTEN)
    assert (status.state, status.block) == (ErasureState.scrubbed, Block.residue_found)
    assert failed_stores(status) == PURGED | {"database_files"}
    with (
        Eraser(scenario.services, scenario.tenant) as eraser,
        pytest.raises(LookupError, match="no certificate"),
    ):
        eraser.certificate(status.request_id)
    assert held.exported.exists()
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert_certified(eraser.run(status.request_id))
    assert held.files() == []
    with psycopg.connect(scenario.services.pg_dsn(DAGSTER, DAGSTER_DATABASE)) as connection:
        told = connection.execute("select body from event").fetchone()
        assert told == (f"failed: {'#' * len(held.town)}",)
        connection.execute("drop table event")
    assert not held.exported.exists()
    assert not list((scenario.services.home.path / "landing" / scenario.tenant).iterdir())
    ((secret_id,),) = scenario.rows(
        "select secret_id from memory.secret where tenant_id = %(tenant)s"
    )
    with pytest.raises(SecretStoreError):
        SecretStore(scenario.services.vault_client("reveal")).get(secret_id)
    with scenario.memory() as memory:
        assert objects(memory, "Лев", "location") == ["Тверь"]


def restore_text(scenario: Scenario) -> None:
    """What a careless restore of one row would do: the text of an erased message comes back."""
    with superuser(scenario.services) as connection:
        connection.execute("alter table memory.message_content disable trigger all")
        connection.execute(
            "update memory.message_content as c set text = overlay(c.text placing 'Вернулось'"
            " from 1 for 9) from memory.message as m join memory.tenant as t using (tenant_id)"
            " where m.message_id = c.message_id and t.name = %s and c.text like '█████████%%'",
            [scenario.tenant],
        )
        connection.execute("alter table memory.message_content enable trigger all")


def restore_atom(scenario: Scenario) -> None:
    """The same with the content of an erased atom."""
    with superuser(scenario.services) as connection:
        connection.execute(
            "insert into memory.atom_content (atom_id, subject_id, audience_id, object, text)"
            " select a.atom_id, a.subject_id, a.audience_id, '\"Вернулось\"', 'Вернулось'"
            " from memory.tombstone as o join memory.atom as a using (atom_id)"
            " join memory.tenant as t on t.tenant_id = a.tenant_id where t.name = %s"
            " on conflict do nothing",
            [scenario.tenant],
        )


@pytest.mark.parametrize(
    ("restore", "store"), [(restore_text, "message_content"), (restore_atom, "atom_content")]
)
def test_content_that_comes_back_behind_the_erasers_back_refuses_the_certificate(
    scenario: Scenario, restore: Callable[[Scenario], None], store: str
) -> None:
    scenario.tell(*STORY)

    def tamper(step: str) -> None:
        if step == "scrub":
            restore(scenario)

    status = erase(scenario, WHERE, fault=tamper)
    assert (status.state, status.block) == (ErasureState.scrubbed, Block.residue_found)
    assert store in failed_stores(status)
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert_certified(eraser.run(status.request_id))


@pytest.mark.verify
def test_an_open_snapshot_of_another_session_holds_the_scrub_up_and_nothing_is_certified(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_pipeline.governance.erasure.scrub.WAIT_S", 0.5)
    scenario.tell(*STORY)
    with psycopg.connect(scenario.services.pg_dsn("mem_ingest")) as reader:
        reader.execute("set transaction isolation level repeatable read")
        reader.execute("select count(*) from memory.batch")
        status = erase(scenario, WHERE)
        assert (status.state, status.block) == (ErasureState.erased, Block.scrub_pending)
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert_certified(eraser.run(status.request_id))


def test_a_mention_elsewhere_waits_for_a_person_who_masks_or_waives_it(
    scenario: Scenario,
) -> None:
    scenario.tell(
        message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Плёсе"),
        message("Анна", "2025-03-05T10:00+03:00", "Летим в Плёс на выходные", dialog_id="other"),
        message("Анна", "2025-03-06T10:00+03:00", "В Плёсе красиво", dialog_id="other"),
    )
    texts = (
        "select c.text from memory.message_content as c join memory.message as m"
        " using (message_id, dialog_id) where m.tenant_id = %(tenant)s order by m.sent_at"
    )
    with Eraser(scenario.services, scenario.tenant) as eraser:
        request_id = eraser.request(WHERE, Ground.operator)
        status = eraser.run(request_id)
        assert (status.state, status.block) == (ErasureState.verified, Block.review_open)
        first, second = eraser.mentions(request_id)
        assert {first.dialog, second.dialog} == {"other"}
        eraser.mask(request_id, [first.mention_id])
        eraser.waive(request_id, "another person's trip", [second.mention_id])
        assert_certified(eraser.run(request_id))
    assert [row[0] for row in scenario.rows(texts)] == [
        "Я ████ █ █████", "Летим в ████ на выходные", "В Плёсе красиво",
    ]  # fmt: skip


def test_a_place_that_no_store_declares_refuses_the_certificate(scenario: Scenario) -> None:
    scenario.tell(*STORY)
    folder = scenario.services.home.path / "notes"
    folder.mkdir()
    try:
        status = erase(scenario, WHERE)
        assert (status.state, status.block) == (ErasureState.verified, Block.residue_found)
    finally:
        folder.rmdir()
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert_certified(eraser.run(status.request_id))


def test_originals_outside_are_rewritten_where_asked_and_named_where_not(
    scenario: Scenario,
) -> None:
    scenario.tell(*STORY)
    (log,) = scenario.folder.glob("*.jsonl")
    before = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    with Eraser(scenario.services, scenario.tenant) as eraser:
        asked = eraser.request(WHERE, Ground.operator, originals=Originals.rewrite)
        status = eraser.run(asked)
    assert_certified(status)
    (said,) = [store for store in status.stores if store.store == "originals"]
    assert (said.state, said.note) == (StoreState.not_verifiable, "1_rewritten")
    after = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 3
    assert all(
        len(old["text"]) == len(new["text"]) and set(new["text"]) - set(old["text"]) == {"█"}
        and old | {"text": ""} == new | {"text": ""}
        for old, new in changed
    )  # fmt: skip
    n_messages = scenario.rows("select count(*) from memory.message where tenant_id = %(tenant)s")
    with scenario.pipeline() as pipeline:
        again = pipeline.ingest([log])
    assert (again.n_messages, again.n_quarantined) == (0, 0), "a rewritten log is known"
    assert n_messages == scenario.rows(
        "select count(*) from memory.message where tenant_id = %(tenant)s"
    )


def test_an_original_is_counted_once_where_it_holds_some_of_what_goes_and_never_where_it_landed(
    scenario: Scenario,
) -> None:
    pie = [
        message("Анна", f"2025-03-0{n}T10:00+03:00", "Пирог готов", dialog_id="pie") for n in (1, 2)
    ]
    perm = message("Дмитрий", "2025-11-05T10:00+03:00", "Живу в Перми", dialog_id="perm")
    with scenario.pipeline() as pipeline:
        for name, lines in (
            ("story", STORY), ("pie", pie[:1]), ("pie-again", pie), ("again", [*STORY[:1], pie[1]]),
        ):  # fmt: skip
            pipeline.ingest([write(scenario.folder / f"{name}.jsonl", lines)])
        landed = write(pipeline.landing / "perm.jsonl", [perm])
        os.utime(landed, (1_700_000_000, 1_700_000_000))
        assert pipeline.ingest_landing().n_messages == 1
        pipeline.extract()
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert eraser.preview(WHERE).counts["file redact"] == 3
        status = eraser.run(eraser.request(WHERE, Ground.operator, originals=Originals.rewrite))
        assert_certified(status)
        (said,) = [store for store in status.stores if store.store == "originals"]
        assert (said.note, said.n_found) == ("2_rewritten", 2)
        for name in ("story", "again"):
            text = (scenario.folder / f"{name}.jsonl").read_text(encoding="utf-8")
            assert "работаю из Москвы" not in text
        # its sealed copy went with the first request, and it is no original outside for that
        more = eraser.run(eraser.request(Selector(subject="Дмитрий"), Ground.operator))
        (said,) = [store for store in more.stores if store.store == "originals"]
        assert (said.note, said.n_found) == ("2_reported", 2)


def test_the_name_in_a_value_of_kind_and_name_goes_alone_too_and_a_word_of_others_is_no_residue(
    scenario: Scenario,
) -> None:
    scenario.tell(
        message("Ирина", "2025-03-01T10:00+03:00", "У меня кот Тишка"),
        message("Ирина", "2025-03-01T10:01+03:00", "У меня аллергия на арахис"),
        message("Ирина", "2025-03-02T10:00+03:00", "Тишка, слезь со стола!"),
        message("Пётр", "2025-03-03T10:00+03:00", "Арахиса в пироге нет", dialog_id="pie"),
    )
    index(scenario)
    with Eraser(scenario.services, scenario.tenant) as eraser:
        pet = eraser.request(Selector(subject="Ирина", predicates=("pet",)), Ground.operator)
        assert_certified(eraser.run(pet))
        food = eraser.request(Selector(subject="Ирина", predicates=("allergy",)), Ground.operator)
        assert eraser.run(food).block is Block.review_open
        eraser.waive(food, "о пироге, не о ней")
        assert_certified(eraser.run(food))
    texts = scenario.rows(
        "select c.text from memory.message_content as c join memory.message as m"
        " using (message_id) where m.tenant_id = %(tenant)s order by m.sent_at"
    )
    assert texts[2][0] == "█████, слезь со стола!"
    assert texts[3][0] == "Арахиса в пироге нет"
