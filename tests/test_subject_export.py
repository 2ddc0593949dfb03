"""All that is held about a person: whole, as the login may see it, registered, never half-written."""

import json
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance import subject_export
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.subject_export import SECTIONS, SubjectExport, export_subject
from memory_pipeline.installation import ready
from tests.scenario import STORY, Scenario, message

CARD = "4111 1111 1111 1111"
MORE = (
    message("Ольга", "2025-06-01T10:00+03:00", "У меня аллергия на орехи", audience=["team"],
            dialog_title="Счета"),
    message("Ольга", "2025-06-02T10:00+03:00", f"Моя карта {CARD}"),
)  # fmt: skip


@pytest.fixture(scope="module")
def scenario(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    made = Scenario(ready(home), tmp_path_factory.mktemp("subject"))
    made.tell(*STORY, *MORE)
    made.reader(f"{made.tenant}_public", "public")
    made.reader(f"{made.tenant}_team", "public", "team")
    return made


def exported(
    scenario: Scenario, folder: Path, login: str = "operator", lang: str = "ru"
) -> tuple[SubjectExport, dict[str, Any], str]:
    with scenario.memory(login) as memory:
        written = export_subject(memory, memory.subject("Ольга"), folder, lang)
    told, document = (path.read_text(encoding="utf-8") for path in written.paths)
    return written, json.loads(told), document


def test_it_tells_all_that_is_held_and_both_files_tell_the_same(
    scenario: Scenario, tmp_path: Path
) -> None:
    written, told, document = exported(scenario, tmp_path)
    assert list(told)[-len(SECTIONS) :] == list(SECTIONS)
    assert written.counts == {section: len(told[section]) for section in SECTIONS}
    assert told["sees_whole_tenant"] is True
    entities = told["subject"]["entity_ids"]
    ((n_atoms, n_messages),) = scenario.rows(
        "select (select count(*) from memory.atom where subject_id = any(%(e)s::uuid[])"
        "  or object_entity_id = any(%(e)s::uuid[])),"
        " (select count(*) from memory.message where speaker_id = any(%(e)s::uuid[]))",
        e=entities,
    )
    assert n_atoms == len(told["facts"]) > 4
    own = [row for row in told["messages"] if row["role"] == "author"]
    about = [row for row in told["messages"] if row["role"] == "evidence"]
    assert len(own) == n_messages
    assert "Мою жену зовут Ольга" in [row["text"] for row in about]
    held = {(row["predicate"], row["object"]) for row in told["facts"]}
    assert {("location", "Тула"), ("location", "Калуга"), ("allergy", "орехи")} <= held
    for row in (*own, *about):
        assert row["text"].splitlines()[0] in document
    for word in ("Ольга", "Калуга", "health", "Счета", "Кто вправе читать", "152-ФЗ"):
        assert word in document
    evidence = {e["message_id"] for row in told["facts"] for e in row["evidence"]}
    assert evidence <= {row["message_id"] for row in told["messages"]}
    fact = next(row for row in told["facts"] if row["object"] == "орехи")
    assert fact.keys() >= {
        "label_ru", "label_en", "valid_from", "valid_to", "told_at", "recorded_at", "confidence",
        "origin", "importance", "tags", "audience", "status",
    }  # fmt: skip
    assert (fact["audience"], fact["status"], fact["origin"]) == (["team"], "held", "user")


def test_the_document_comes_in_english_too(scenario: Scenario, tmp_path: Path) -> None:
    _, _, document = exported(scenario, tmp_path, lang="en")
    assert document.startswith("# What is held about a person")
    assert "GDPR articles 15 and 20" in document
    with scenario.memory() as memory, pytest.raises(ValueError, match="ru or en"):
        export_subject(memory, memory.subject("Ольга"), tmp_path, "de")


def test_a_login_exports_what_it_may_see_and_says_so(scenario: Scenario, tmp_path: Path) -> None:
    login = f"{scenario.tenant}_public"
    _, told, document = exported(scenario, tmp_path, login)
    assert told["sees_whole_tenant"] is False
    assert told["readers"] == [{"login": login, "audience": "public"}]
    assert f"Показано только то, что вправе видеть логин {login}" in document
    assert "орехи" not in json.dumps(told, ensure_ascii=False) + document
    _, told, _ = exported(scenario, tmp_path, f"{scenario.tenant}_team")
    assert "орехи" in {row["object"] for row in told["facts"]}


def test_secrets_are_told_by_kind_alone(scenario: Scenario, tmp_path: Path) -> None:
    _, told, document = exported(scenario, tmp_path)
    assert told["secrets"] == [{"type": "card", "n_values": 1, "n_uses": 1}]
    assert CARD not in json.dumps(told) + document


def test_the_files_are_private_and_registered_with_all_they_tell_of(
    scenario: Scenario, tmp_path: Path
) -> None:
    written, told, _ = exported(scenario, tmp_path)
    assert {path.stat().st_mode & 0o777 for path in written.paths} == {0o600}
    assert sorted(tmp_path.iterdir()) == sorted(written.paths)
    items = {
        str(item_id)
        for (item_id,) in scenario.rows(
            "select item_id from memory.subject_export_item where export_id = %(id)s",
            id=written.export_id,
        )
    }
    told_of = {*told["subject"]["entity_ids"]}
    told_of |= {row["atom_id"] for row in told["facts"]}
    told_of |= {row["closure_id"] for row in told["closures"]}
    for row in told["messages"]:
        told_of |= {row["message_id"], row["dialog_id"], row["file_id"]}
    assert told_of <= items
    paths = scenario.rows(
        "select path from memory.subject_export_content where export_id = %(id)s",
        id=written.export_id,
    )
    assert {str(path) for path in written.paths} <= {path for (path,) in paths}


def test_withdrawn_and_erased_facts_are_marked(scenario: Scenario, tmp_path: Path) -> None:
    with scenario.memory() as memory:
        atom_id = memory.remember("Ольга", "tool", "Vim")
        memory.retract(atom_id)
    ((kept_id,),) = scenario.rows(
        "select a.atom_id from memory.atom as a join memory.predicate as p using (predicate_id)"
        " where a.tenant_id = %(tenant)s and p.name = 'allergy'"
        " and a.audience_id <> (select audience_id from memory.audience"
        "  where tenant_id = %(tenant)s and names = '{}')",
    )
    request_id = uuid.uuid4()
    services = scenario.services
    with psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        tenant = scenario.rows("select %(tenant)s::int")[0][0]
        eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
            " values (%s, %s, 'operator', 'fenced')",
            (request_id, tenant),
        )
        eraser.execute(
            "insert into memory.erasure_item (request_id, kind, item_id, action)"
            " values (%s, 'atom', %s, 'erase')",
            (request_id, kept_id),
        )
        _, told, document = exported(scenario, tmp_path)
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id = %s",
            (request_id,),
        )
    by_id = {row["atom_id"]: row for row in told["facts"]}
    assert (by_id[str(kept_id)]["status"], by_id[str(kept_id)]["object"]) == ("hidden", None)
    assert "скрыто" in document
    assert [row["action"] for row in told["closures"] if row["object"] == "Vim"] == ["retracted"]


def test_what_is_fenced_while_it_is_written_is_written_anew_without_it(
    scenario: Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill = subject_export._fill
    n_fences: list[int] = []

    def fill_and_fence(*given: Any) -> dict[str, int]:
        counts = fill(*given)
        if not n_fences:
            n_fences.append(1)
            dsn = scenario.services.pg_dsn("mem_eraser")
            with psycopg.connect(dsn, autocommit=True) as eraser:
                tenant = scenario.rows("select %(tenant)s::int")[0][0]
                eraser.execute(
                    "select memory.enter_alone(%s, %s, 'fenced')", (tenant, uuid.uuid4())
                )
        return counts

    monkeypatch.setattr(subject_export, "_fill", fill_and_fence)
    written, _, _ = exported(scenario, tmp_path)
    assert n_fences == [1]
    assert sorted(tmp_path.iterdir()) == sorted(written.paths), "the first attempt left nothing"


def test_an_erasure_of_what_an_export_tells_takes_the_export_with_it(
    home: Path, tmp_path: Path
) -> None:
    scenario = Scenario(ready(home), tmp_path)
    scenario.tell(*STORY)
    with scenario.memory() as memory:
        olgas = export_subject(memory, memory.subject("Ольга"), tmp_path / "out", "ru")
        annas = export_subject(memory, memory.subject("Анна"), tmp_path / "out", "ru")
    with Eraser(scenario.services, scenario.tenant) as eraser:
        request_id = eraser.request(Selector(subject="Анна", tags=("health",)), Ground.operator)
        done = eraser.run(request_id)
    assert done.state is ErasureState.certified, (done.block, done.n_open_mentions, done.stores)
    assert not any(path.exists() for path in annas.paths)
    assert all(path.exists() for path in olgas.paths)
    left = scenario.rows(
        "select distinct export_id from memory.subject_export_content"
        " where export_id = any(%(ids)s)",
        ids=[annas.export_id, olgas.export_id],
    )
    assert left == [(olgas.export_id,)]
