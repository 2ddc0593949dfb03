"""Content in both modes: what is sealed is opened for who may read it and for nobody else, answers are
the same, and what is erased takes its keys with it, partly erased values too."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from memory_pipeline import settings as settings_module
from memory_pipeline.contracts.erasure import (
    ErasureState,
    Ground,
    Selector,
    StoreState,
)
from memory_pipeline.governance import sealed_keys
from memory_pipeline.governance.content_store import (
    MARK,
    PLACES,
    Opener,
    attach,
    resealing,
    ring_of,
    sealed_of,
)
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.mask_sweep import sweep
from memory_pipeline.governance.sealed_keys import KeyRing, Slot
from memory_pipeline.governance.sealing import SealError
from memory_pipeline.governance.secrets import SecretStoreError
from memory_pipeline.governance.subject_export import export_subject
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.extraction.local import LocalExtractor
from tests.scenario import STORY, Scenario, message, objects, story_answers
from tests.test_erasure_sweep import erase, index

pytestmark = pytest.mark.verify

PACKAGE = Path(settings_module.__file__).parent
WHERE = Selector(subject="Дмитрий", tags=("location",))
STORED = """
    select c.text from memory.message_content as c join memory.message as m using (message_id)
        where m.tenant_id = %(tenant)s
    union all select c.object #>> '{}' from memory.atom_content as c
        join memory.atom as a using (atom_id) where a.tenant_id = %(tenant)s
    union all select c.text from memory.atom_content as c
        join memory.atom as a using (atom_id) where a.tenant_id = %(tenant)s
    union all select c.text from memory.closure_content as c
        join memory.closure as a using (closure_id) where a.tenant_id = %(tenant)s
    union all select c.answer #>> '{}' from memory.extraction_content as c
        join memory.extraction as x using (extraction_id) where x.tenant_id = %(tenant)s
    union all select c.query from memory.snapshot_content as c
        join memory.snapshot as s using (snapshot_id) where s.tenant_id = %(tenant)s
    union all select c.snapshot #>> '{}' from memory.snapshot_content as c
        join memory.snapshot as s using (snapshot_id) where s.tenant_id = %(tenant)s
    union all select c.reason from memory.reason_content as c
        join memory.atom as a on a.atom_id = c.statement_id where a.tenant_id = %(tenant)s
"""
"""Content of a tenant as it is stored, of every kind that can be sealed."""


def in_mode(services: Services, folder: Path, tags: str) -> Scenario:
    """A tenant of the run's home whose pipeline seals these tags."""
    os.environ["MEMORY_PIPELINE_SEALED_TAGS"] = tags
    settings_module.settings(reread=True)
    return Scenario(ready(services.home.path), folder)


@pytest.fixture(params=["plain", "sealed"])
def mode(request: pytest.FixtureRequest) -> str:
    """How content is stored."""
    return str(request.param)


@pytest.fixture
def scenario(mode: str, services: Services, tmp_path: Path) -> Scenario:
    """A tenant in a mode."""
    return in_mode(services, tmp_path, "*" if mode == "sealed" else "")


@pytest.fixture
def sealed(services: Services, tmp_path: Path) -> Scenario:
    """A tenant whose content is sealed."""
    return in_mode(services, tmp_path, "*")


def stored(scenario: Scenario) -> list[str]:
    return [row[0] for row in scenario.rows(STORED) if row[0] is not None]


def opener(scenario: Scenario) -> Opener:
    """Opens with the keys that Vault has now."""
    return Opener(KeyRing(scenario.services.vault_client))


def home_has(home: Path, text: str) -> list[Path]:
    """Files of the home that hold a text."""
    found = []
    for path in home.rglob("*"):
        if path.is_file() and not path.is_symlink():
            try:
                found += [path] if text.encode() in path.read_bytes() else []
            except FileNotFoundError:
                # a temporary file of the server
                continue
    return found


def checkpoint(scenario: Scenario) -> None:
    with psycopg.connect(
        scenario.services.pg_dsn("mem_super", "postgres"), autocommit=True
    ) as admin:
        admin.execute("checkpoint")


# ---------- both modes


def test_the_story_is_answered_alike_with_every_index_and_by_every_way_of_asking(
    services: Services, tmp_path: Path
) -> None:
    told: dict[str, list[Any]] = {}
    for tags in ("", "*"):
        scenario = in_mode(services, tmp_path, tags)
        scenario.tell(*STORY)
        index(scenario)
        with scenario.pipeline() as pipeline:
            assert all(report.is_equal for report in pipeline.parity())
            assert all(r.is_equal for r in pipeline.rebuild(["vectors", "full_text", "graph"]))
        with scenario.memory() as memory:
            (kazan,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
            shown = memory.show(kazan.atom_id)
            snapshot = memory.context("work", "Где живёт Дмитрий?", 400)
            folder = tmp_path / f"export{tags == '*'}"
            written = export_subject(memory, memory.subject("Дмитрий"), folder, "ru")
            document = json.loads(written.paths[0].read_text(encoding="utf-8"))
            told[tags] = [
                story_answers(memory),
                [(p.predicate, p.object) for p in memory.history("Дмитрий")],
                [(c.predicate, c.kind) for c in memory.diff("2025-04-01", "2025-11-01", "Дмитрий")],
                [hit.text for hit in memory.search("переезжаю в Казань", k=3)],
                sorted(str(f["object"]) for f in memory.neighbours("Дмитрий")["facts"]),
                [(m["quote"], m["native_id"]) for m in shown["messages"]],
                shown["atom"]["object"],
                # ids are of each tenant's own
                sorted(re.sub("[0-9a-f]{8}", "", item.rendered) for item in snapshot.items),
                sorted(row["text"] for row in document["messages"]),
                sorted(str(row["object"]) for row in document["facts"]),
            ]
        is_sealed = [text.startswith(MARK) for text in stored(scenario)]
        assert is_sealed
        assert set(is_sealed) == {tags == "*"}
    assert told[""] == told["*"]
    assert told["*"][6] == "Казань"


def test_another_extractor_and_back_ends_where_it_began(scenario: Scenario) -> None:
    class Fewer(LocalExtractor):
        version = "1-fewer-sealed"

        def extract(self, windows: Any, predicates: Any) -> Any:
            return super().extract(windows, [p for p in predicates if p.name != "location"])

    scenario.tell(*STORY)
    with scenario.memory() as memory:
        first = story_answers(memory)
        with scenario.pipeline(Fewer()) as pipeline:
            assert pipeline.extract().n_withdrawn > 0
        assert objects(memory, "Дмитрий", "location") == []
        with scenario.pipeline() as pipeline:
            report = pipeline.extract()
        assert (report.n_extracted, report.n_atoms > 0) == (0, True)
        assert story_answers(memory) == first


def test_humans_correct_confirm_and_retract_and_read_their_reasons(
    scenario: Scenario, mode: str
) -> None:
    scenario.tell(*STORY)
    with scenario.memory() as memory:
        job = memory.as_of("Ольга", predicate="job_title").answers[0].atom_id
        new = memory.correct(job, "хирург", "сама сказала")
        assert objects(memory, "Ольга", "job_title") == ["хирург"]
        assert memory.show(new)["atom"]["reason"] == "сама сказала"
        (kazan,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
        memory.confirm(kazan.atom_id)
        (held,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
        assert (held.object, len(held.supports)) == ("Казань", 1)
        memory.retract(UUID(str(new)), "ошибка")
        assert objects(memory, "Ольга", "job_title") != ["хирург"]
    assert {text.startswith(MARK) for text in stored(scenario)} == {mode == "sealed"}


def test_the_same_log_again_adds_nothing_and_makes_no_key(sealed: Scenario) -> None:
    sealed.read(*STORY)
    made: list[UUID] = []
    keep = KeyRing.keep
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            KeyRing,
            "keep",
            lambda ring, bundle_id, tenant_id, keys: (
                made.append(bundle_id),
                keep(ring, bundle_id, tenant_id, keys),
            ),
        )
        assert sealed.read(*STORY, name="again.jsonl").n_messages == 0
        assert made == []
        assert sealed.read(message("Пётр", "2025-12-01T10:00+03:00", "Я живу в Омске")).n_messages
        assert len(made) == 1


def test_forgetting_is_certified_in_its_mode_and_all_else_is_as_before(
    scenario: Scenario, mode: str
) -> None:
    scenario.tell(*STORY)
    index(scenario)
    backup = stored(scenario)
    with scenario.memory() as memory:
        before = {k: v for k, v in story_answers(memory).items() if k[0] != "Дмитрий"}
    status = erase(scenario, WHERE)
    assert (status.state, status.block) == (ErasureState.certified, None)
    with scenario.memory() as memory:
        for valid_at in ("2025-04-01", "2025-06-05", "2025-10-17", "2025-11-01"):
            answers = memory.as_of("Дмитрий", predicate="location", valid_at=valid_at).answers
            assert {(a.status.value, a.object) for a in answers} <= {("erased", None)}
        assert objects(memory, "Дмитрий", "preference") == ["Postgres"]
        assert {k: v for k, v in story_answers(memory).items() if k[0] != "Дмитрий"} == before
        (work,) = memory.connection.execute(
            "select array_agg(c.text order by c.text) from memory.message_content as c"
        ).fetchall()
        assert not [text for text in opened_texts(scenario) if "Казан" in text or "Моск" in text]
        assert "Я Дмитрий, ███████ ██ ██████" in opened_texts(scenario)
        assert work
    with scenario.pipeline() as pipeline:
        assert all(report.is_equal for report in pipeline.parity())
        assert pipeline.extract().n_atoms == 0
    with Eraser(scenario.services, scenario.tenant) as eraser:
        body = eraser.certificate(status.request_id)
        assert {r.state for r in eraser.verify(status.request_id)} <= {
            StoreState.verified, StoreState.not_verifiable,
        }  # fmt: skip
    assert body["content_mode"] == mode
    assert ("content_not_sealed" in body["limits"]) is (mode == "plain")
    assert ("sealed_copies" in body["limits"]) is (mode == "sealed")
    opens = opener(scenario)
    clear = [opens.text(text) for text in backup]
    if mode == "plain":
        assert any("Казань" in text for text in clear), "a backup in clear keeps what it had"
        return
    assert body["sealing"]["n_keys_destroyed"] > 4
    assert body["sealing"]["n_in_clear"] == 0
    assert not [text for text in clear if "Казан" in text or "Москв" in text]
    # what was not erased stays readable in a backup
    assert "Я предпочитаю Postgres" in clear
    assert any("Acme" in text for text in clear)


def opened_texts(scenario: Scenario) -> list[str]:
    opens = opener(scenario)
    return [
        opens.text(row[0])
        for row in scenario.rows(
            "select c.text from memory.message_content as c join memory.message as m"
            " using (message_id) where m.tenant_id = %(tenant)s"
        )
    ]


# ---------- under the seal


def test_a_mask_sweep_masks_under_the_seal(
    sealed: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "find", lambda *_: ())
        sealed.tell(
            message("Инга", "2025-03-03T10:00+03:00", "Моя карта 5555 5555 5555 4444"),
            message("Инга", "2025-03-03T10:01+03:00", "Я живу в Туле"),
        )
    backup = stored(sealed)
    assert any("5555 4444" in opener(sealed).text(text) for text in backup)
    done = sweep(sealed.services, sealed.tenant)
    assert [status.state for status in done.requests] == [ErasureState.certified]
    assert not any("5555" in text for text in opened_texts(sealed))
    assert all(text.startswith(MARK) for text in stored(sealed))
    clear = [opener(sealed).text(text) for text in backup]
    assert not any("5555" in text for text in clear)
    assert "Я живу в Туле" in clear


def test_a_log_that_was_rewritten_is_known_again(scenario: Scenario) -> None:
    lines = [
        {k: v for k, v in line.items() if k != "message_id"}
        for line in (
            message("Инга", "2025-03-03T10:00+03:00", "Я живу в Туле, у реки"),
            message("Инга", "2025-03-03T10:05+03:00", "Я предпочитаю чай"),
        )
    ]
    scenario.tell(*lines)
    assert erase(scenario, Selector(subject="Инга", tags=("location",))).state is (
        ErasureState.certified
    )
    masked = next(text for text in opened_texts(scenario) if "█" in text)
    again = [lines[0] | {"text": masked}, lines[1]]
    assert scenario.read(*again, name="rewritten.jsonl").n_messages == 0
    assert len(opened_texts(scenario)) == 2


def test_erasing_one_value_leaves_the_others_of_its_tag_in_backups_too(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    backup = stored(sealed)
    with sealed.memory() as memory:
        (kazan,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
    status = erase(sealed, Selector(atom_id=UUID(str(kazan.atom_id))))
    assert status.state is ErasureState.certified
    with sealed.memory() as memory:
        assert objects(memory, "Дмитрий", "location", valid_at="2025-10-17") == ["Москва"]
    opens = opener(sealed)
    clear = [opens.text(text) for text in backup]
    assert not [text for text in clear if "Казан" in text]
    assert '"Москва"' in clear
    assert "Я Дмитрий, работаю из Москвы" in clear


def test_without_the_step_that_destroys_keys_there_is_no_certificate(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    status = erase(sealed, WHERE, skip=frozenset({"data_keys"}))
    assert status.state is not ErasureState.certified
    (keys,) = [store for store in status.stores if store.store == "data_keys"]
    assert keys.state is StoreState.failed
    assert keys.n_left


def test_a_run_that_dies_before_keys_are_destroyed_destroys_them_when_it_goes_on(
    sealed: Scenario,
) -> None:
    class Died(Exception):
        pass

    def dies(step: str) -> None:
        if step == "stores":
            raise Died

    sealed.tell(*STORY)
    backup = stored(sealed)
    with Eraser(sealed.services, sealed.tenant, fault=dies) as eraser:
        request_id = eraser.request(WHERE, Ground.operator)
        with pytest.raises(Died):
            eraser.run(request_id)
    assert any("Казань" in opener(sealed).text(text) for text in backup)
    with Eraser(sealed.services, sealed.tenant) as eraser:
        assert eraser.run(request_id).state is ErasureState.certified
    assert not any("Казан" in opener(sealed).text(text) for text in backup)


def test_no_file_of_the_home_holds_a_sealed_value_in_clear(
    services: Services, tmp_path: Path
) -> None:
    found = {}
    for tags in ("", "*"):
        scenario = in_mode(services, tmp_path, tags)
        word = f"Жвахл{uuid4().hex[:6]}"
        scenario.tell(
            message("Инга", "2025-03-03T10:00+03:00", f"Я живу в городе {word}"),
            message("Инга", "2025-03-03T10:01+03:00", f"Мой врач сказал: {word} вреден"),
        )
        index(scenario)
        with scenario.memory() as memory:
            memory.context("chat", f"Что такое {word}?", 400)
            assert [word in text for text in opened_texts(scenario)] == [True, True]
        checkpoint(scenario)
        found[tags] = home_has(services.home.path, word)
    assert found[""], "the scan finds what is not sealed"
    assert found["*"] == []


@pytest.mark.parametrize("first", ["", "*"], ids=["plain first", "sealed first"])
@pytest.mark.parametrize("is_one_tenant", [True, False], ids=["one tenant", "two tenants"])
def test_the_same_text_in_clear_and_under_the_seal_holds_up_neither_erasure(
    services: Services, tmp_path: Path, first: str, is_one_tenant: bool
) -> None:
    said = "Я живу в Кинешме, у самой Волги"
    one = in_mode(services, tmp_path, first)
    one.tell(message("Инга", "2025-03-03T10:00+03:00", said))
    other = in_mode(services, tmp_path, "" if first else "*")
    if is_one_tenant:
        other.tenant = one.tenant
    other.tell(message("Пётр", "2025-04-03T10:00+03:00", said, dialog_id="other"))
    index(other)
    for scenario, name in ((one, "Инга"), (other, "Пётр")):
        with Eraser(scenario.services, scenario.tenant) as eraser:
            request_id = eraser.request(Selector(subject=name), Ground.operator)
            if eraser.run(request_id).n_open_mentions:
                eraser.waive(request_id, "another person's home")
            status = eraser.run(request_id)
        assert (status.state, status.block) == (ErasureState.certified, None)


def test_sql_shows_sealed_bytes_and_a_mask_with_the_tag(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    login = sealed.reader(f"{sealed.tenant}_reader", "*")
    with psycopg.connect(sealed.services.pg_dsn(login), autocommit=True) as reader:
        rows = reader.execute(
            "select c.object, c.text, memory.shown(c.object), memory.shown(c.text)"
            " from memory.atom_content as c join memory.atom as a using (atom_id)"
            " join memory.predicate as p using (predicate_id)"
            " where p.name = 'location' and a.tenant_id = ("
            "  select tenant_id from memory.tenant where name = %s)",
            (sealed.tenant,),
        ).fetchall()
    assert rows
    for value, text, shown_value, shown_text in rows:
        assert (shown_value, shown_text) == ("[sealed:location]", "[sealed:location]")
        for stored_text in (value, text):
            found = sealed_of(stored_text)
            assert found is not None
            assert found.shown == "[sealed:location]"
    with sealed.memory(login) as memory:
        assert objects(memory, "Дмитрий", "location") == ["Казань"]


def test_values_of_other_tags_stay_in_clear_and_their_sentences_do_not(
    services: Services, tmp_path: Path
) -> None:
    scenario = in_mode(services, tmp_path, "location")
    scenario.tell(*STORY)
    rows = scenario.rows(
        "select p.name, c.object #>> '{}', c.text from memory.atom_content as c"
        " join memory.atom as a using (atom_id) join memory.predicate as p using (predicate_id)"
        " where a.tenant_id = %(tenant)s"
    )
    values = {name: value.startswith(MARK) for name, value, _ in rows}
    assert values["location"] is True
    assert values["preference"] is False
    assert all(text.startswith(MARK) for _, _, text in rows)
    status = erase(scenario, WHERE)
    assert status.state is ErasureState.certified
    with Eraser(scenario.services, scenario.tenant) as eraser:
        assert eraser.certificate(status.request_id)["content_mode"] == "sealed"


def test_what_was_stored_in_one_mode_is_read_in_the_other(
    services: Services, tmp_path: Path
) -> None:
    plain = in_mode(services, tmp_path, "")
    plain.tell(*STORY[:5])
    both = in_mode(services, tmp_path, "*")
    both.tenant = plain.tenant
    both.tell(*STORY[5:])
    back = in_mode(services, tmp_path, "")
    back.tenant = plain.tenant
    assert {text.startswith(MARK) for text in stored(back)} == {True, False}
    with back.memory() as memory:
        mixed = story_answers(memory)
    once = in_mode(services, tmp_path, "")
    once.tell(*STORY)
    with once.memory() as memory:
        assert {k: [f[:3] for f in v] for k, v in story_answers(memory).items()} == {
            k: [f[:3] for f in v] for k, v in mixed.items()
        }
    status = erase(back, WHERE)
    assert status.state is ErasureState.certified
    with Eraser(back.services, back.tenant) as eraser:
        assert eraser.certificate(status.request_id)["content_mode"] == "mixed"


def test_what_a_backup_brings_back_says_nothing_and_is_forgotten_again(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    kept: dict[str, list[Any]] = {}
    with psycopg.connect(sealed.services.pg_dsn("mem_super", "memory"), autocommit=True) as admin:
        tables = ("atom_content", "extraction_content", "message_content")
        for table in tables:
            kept[table] = admin.execute(
                f"select to_jsonb(c)::text from memory.{table} as c"
            ).fetchall()
        assert erase(sealed, WHERE).state is ErasureState.certified
        admin.execute("set session_replication_role = replica")
        for table in tables:
            admin.execute(
                f"insert into memory.{table} select r.* from unnest(%s::text[]) as kept (row)"
                f" cross join jsonb_populate_record(null::memory.{table}, kept.row::jsonb) as r"
                + (
                    " on conflict (message_id, dialog_id) do update set text = excluded.text"
                    if table == "message_content"
                    else " on conflict do nothing"
                ),
                ([row[0] for row in kept[table]],),
            )
    texts = opened_texts(sealed)
    assert texts.count("[sealed:text]") == 3
    with sealed.pipeline() as pipeline:
        pipeline.extract()
    with sealed.memory() as memory:
        assert objects(memory, "Дмитрий", "preference") == ["Postgres"]
    status = erase(sealed, Selector(subject="Дмитрий"))
    assert (status.state, status.block) == (ErasureState.certified, None)
    with sealed.memory() as memory:
        assert objects(memory, "Rachel", "employer") == ["Acme"]


# ---------- the seal itself


def test_a_value_opens_in_its_own_place_alone(sealed: Scenario) -> None:
    ring, record = ring_of(sealed.services), uuid4()
    writing = resealing(ring, 7)
    stored_text = writing.text("atom_content", "text", record, "тайна", ("health",))
    assert Opener(ring).text(stored_text) == "тайна", "in this process before it is kept"
    assert opener(sealed).text(stored_text) == "[sealed:health]"
    writing.keep()
    assert opener(sealed).text(f"<{stored_text}>") == "<тайна>"
    found = sealed_of(stored_text)
    assert found is not None
    (key, tenant_id) = ring.key(found.bundle_id, Slot(record, found.place)) or (b"", 0)
    assert tenant_id == 7
    other = uuid4()
    for record_id, place, tenant in ((other, 2, 7), (record, 4, 7), (record, 2, 8)):
        bundle = uuid4()
        ring.keep(bundle, tenant, {Slot(record_id, place): key})
        moved = stored_text.replace(found.bundle_id.hex, bundle.hex)
        moved = moved.replace(f"{record.hex}02", f"{record_id.hex}{place:02x}")
        with pytest.raises(SealError):
            opener(sealed).text(moved)
    at = len(stored_text) - 6
    altered = stored_text[:at] + ("A" if stored_text[at] != "A" else "B") + stored_text[at + 1 :]
    with pytest.raises(SealError):
        opener(sealed).text(altered)


def test_a_destroyed_key_shows_a_mask_and_the_others_of_its_bundle_open(sealed: Scenario) -> None:
    ring = KeyRing(sealed.services.vault_client)
    bundle, records = uuid4(), [uuid4() for _ in range(3)]
    slots = [Slot(record, 0) for record in records]
    ring.keep(bundle, 1, {slot: os.urandom(32) for slot in slots})
    assert ring.destroy(bundle, slots[:1]) == 1
    assert ring.destroy(bundle, slots[:1]) == 0
    assert ring.key(bundle, slots[0]) is None
    assert ring.key(bundle, slots[1]) is not None
    assert ring.destroy(bundle, slots) == 2
    from hvac.exceptions import InvalidPath

    with pytest.raises(InvalidPath):
        sealed.services.vault_client("verifier").secrets.kv.v2.read_secret_metadata(
            path=f"{sealed_keys.FOLDER}/{bundle}", mount_point="kv"
        )


def test_keys_are_kept_in_the_process_for_a_bounded_time_and_number(
    sealed: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_keys, "CACHED_KEYS", 3)
    ring = KeyRing(sealed.services.vault_client)
    bundles = [uuid4() for _ in range(3)]
    for bundle in bundles:
        ring.keep(bundle, 1, {Slot(bundle, 0): os.urandom(32)})
    assert len(ring._cache) == 1
    KeyRing(sealed.services.vault_client).destroy(bundles[2], [Slot(bundles[2], 0)])
    assert ring.key(bundles[2], Slot(bundles[2], 0)) is not None, "still in this process"
    monkeypatch.setattr(sealed_keys, "CACHE_SECONDS", 0.0)
    assert ring.key(bundles[2], Slot(bundles[2], 0)) is None


def test_a_large_write_is_several_bundles(
    sealed: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_pipeline.governance.content_store.BUNDLE_KEYS", 5)
    sealed.tell(*STORY)
    assert len({found.bundle_id for text in stored(sealed) if (found := sealed_of(text))}) > 10
    with sealed.memory() as memory:
        assert objects(memory, "Дмитрий", "location") == ["Казань"]


def test_where_vault_does_not_answer_nothing_is_stored_and_nothing_is_read(
    sealed: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    import requests

    sealed.tell(*STORY)

    def down(*_: Any, **__: Any) -> Any:
        raise requests.ConnectionError

    n_stored = len(stored(sealed))
    ring = ring_of(sealed.services)
    ring.forget_all()
    with sealed.memory() as memory, sealed.pipeline() as pipeline:
        path = sealed.folder / "late.jsonl"
        path.write_text(json.dumps(message("Анна", "2025-12-01T10:00+03:00", "Я живу в Омске")))
        loader = pipeline._loader()
        monkeypatch.setattr(ring, "_client", down)
        with pytest.raises(SecretStoreError):
            objects(memory, "Дмитрий", "location")
        with pytest.raises(SecretStoreError):
            loader.load(path)
        monkeypatch.undo()
        assert len(stored(sealed)) == n_stored
        assert objects(memory, "Дмитрий", "location") == ["Казань"]
        assert loader.load(path).n_messages == 1


def test_a_text_that_looks_sealed_is_taken_for_what_it_is(scenario: Scenario, mode: str) -> None:
    record = uuid4()
    forged = f"{MARK}[sealed:location]{uuid4().hex}{record.hex}00{'A' * 44}"
    scenario.tell(
        message("Анна", "2025-12-01T10:00+03:00", forged),
        message("Анна", "2025-12-01T10:01+03:00", "Я живу в Омске"),
    )
    texts = opened_texts(scenario)
    assert len(texts) == 2
    assert any("[sealed:location]" in text for text in texts)
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location") == ["Омск"]
    if mode == "plain":
        assert all(not text.startswith(MARK) for text in stored(scenario))


def test_sealed_texts_change_by_resealing_alone(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    before = stored(sealed)
    with (
        psycopg.connect(sealed.services.pg_dsn("mem_super", "memory"), autocommit=True) as admin,
        admin.transaction(force_rollback=True),
    ):
        # as the eraser's functions run: in its session, as mem_shredder
        admin.execute(
            "create function memory.try_change(p_change text) returns int language plpgsql"
            " security definer as $$ declare n int; begin"
            " execute p_change; get diagnostics n = row_count; return n; end $$"
        )
        admin.execute("alter function memory.try_change(text) owner to mem_shredder")
        admin.execute("grant execute on function memory.try_change(text) to mem_eraser")
        admin.execute("set local session authorization mem_eraser")

        def change(what: str) -> int:
            row = admin.execute("select memory.try_change(%s)", (what,)).fetchone()
            assert row is not None
            return int(row[0])

        assert change(
            "update memory.message_content set text = translate(text, 'abcdef', '██████')"
            f" where starts_with(text, '{MARK}')"
        )
        assert (
            change(
                "update memory.message_content set text = text"
                f" where text ~ '█' and starts_with(text, '{MARK}')"
            )
            == 0
        )
        for table, column in (("atom_content", "text"), ("closure_content", "text")):
            with pytest.raises(psycopg.errors.RestrictViolation), admin.transaction():
                change(
                    f"update memory.{table} set {column} = 'x' where starts_with({column}, '{MARK}')"
                )
        with pytest.raises(psycopg.errors.RestrictViolation), admin.transaction():
            change(
                "update memory.extraction_content set answer = '{}'"
                f" where starts_with(answer #>> '{{}}', '{MARK}')"
            )
    assert sorted(stored(sealed)) == sorted(before)
    with (
        psycopg.connect(sealed.services.pg_dsn("mem_eraser"), autocommit=True) as eraser,
        pytest.raises(psycopg.errors.NoDataFound),
    ):
        eraser.execute(
            "select memory.reseal(%s, 'message_content', %s, 'text', 'x')", (uuid4(), uuid4())
        )


def test_places_are_never_renumbered() -> None:
    # a place stands in stored values, in the names of their keys and in the database's functions
    assert [f"{table}.{column}" for table, column in PLACES] == [
        "message_content.text", "atom_content.object", "atom_content.text",
        "closure_content.object", "closure_content.text", "reason_content.reason",
        "extraction_content.answer", "review_content.item", "snapshot_content.query",
        "snapshot_content.snapshot", "snapshot_request_content.query",
    ]  # fmt: skip


def test_connections_that_carry_content_are_attached() -> None:
    """A connection without a content store writes in clear and reads ciphertext, so each module
    that opens one says so, or is known to carry no content."""
    carries_none = {
        "installation.py", "demo.py", "evaluation/database.py", "evaluation/facts.py",
        "orchestration/resources.py", "orchestration/governance.py", "governance/audit.py",
        "governance/strays.py", "governance/subject_export.py", "governance/erasure/eraser.py",
        "migrations/__init__.py", "local/postgres.py", "local/services.py", "local/doctor.py",
        "local/external.py", "commands/access.py", "commands/review.py", "commands/erase.py",
        "commands/retention.py", "index/vectors.py",
    }  # fmt: skip
    found = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        for text in (path.read_text(encoding="utf-8"),)
        if re.search(r"psycopg\.connect\(", text) and "attach(" not in text
    }
    assert found <= carries_none


def test_attaching_is_of_one_connection(sealed: Scenario) -> None:
    sealed.tell(*STORY)
    query = (
        "select c.text from memory.message_content as c join memory.message as m using (message_id)"
        " join memory.tenant as t using (tenant_id) where t.name = %s"
    )
    with (
        psycopg.connect(sealed.services.pg_dsn("mem_ingest")) as bare,
        psycopg.connect(sealed.services.pg_dsn("mem_ingest")) as opened,
    ):
        attach(opened, sealed.services)
        assert any(row[0].startswith(MARK) for row in bare.execute(query, (sealed.tenant,)))
        assert not any(row[0].startswith(MARK) for row in opened.execute(query, (sealed.tenant,)))


@pytest.fixture(autouse=True)
def _plain_after() -> Iterator[None]:
    yield
    os.environ.pop("MEMORY_PIPELINE_SEALED_TAGS", None)
    settings_module.settings(reread=True)
