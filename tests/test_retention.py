"""Retention: rules in YAML, what has run out by them, and the requests that they file."""

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground
from memory_pipeline.governance.erasure import holds, retention
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.retention import due, file_due_requests, rules_of
from memory_pipeline.installation import ready
from tests.scenario import Scenario, message

NOW = datetime(2026, 6, 1, tzinfo=UTC)
LINES = (
    message("Дмитрий", "2025-03-03T10:00+03:00", "Я Дмитрий, работаю из Москвы"),
    message("Дмитрий", "2025-10-10T18:05+03:00", "Переезжаю в Казань с 19-го"),
    message("Дмитрий", "2025-10-11T18:05+03:00", "У меня аллергия на пенициллин"),
    message("Анна", "2026-05-20T10:00+03:00", "У меня аллергия на орехи"),
    message("Анна", "2026-05-20T10:01+03:00", "Я живу в Твери"),
)


def policy(folder: Path, text: str) -> Path:
    (folder / "policies").mkdir(mode=0o700, exist_ok=True)
    (folder / retention.POLICY).write_text(text, encoding="utf-8")
    return folder


def rules(folder: Path, text: str) -> tuple[retention.RetentionRule, ...]:
    return rules_of(policy(folder, "default:\n  " + text), "any")


@pytest.fixture
def scenario(home: Path, tmp_path: Path) -> Scenario:
    made = Scenario(ready(home), tmp_path)
    made.tell(*LINES)
    return made


def objects(scenario: Scenario, ids: list[uuid.UUID]) -> list[Any]:
    rows = scenario.rows(
        "select object #>> '{}' from memory.atom_content where atom_id = any(%(ids)s) order by 1",
        ids=ids,
    )
    return [row[0] for row in rows]


def found(scenario: Scenario, *rule: retention.RetentionRule, now: datetime = NOW) -> list[Any]:
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        tenant = scenario.rows("select %(tenant)s::int")[0][0]
        return objects(scenario, due(eraser, tenant, rule, now))


def test_rules_are_read_by_tenant_and_say_themselves(tmp_path: Path) -> None:
    home = policy(
        tmp_path,
        "default:\n  health: 180 days after valid_to\n  location/episodic: 1 day after told_at\n"
        "tenants:\n  acme:\n    '*/procedural': 730 days after recorded_at\n  free: {}\n",
    )
    assert [str(rule) for rule in rules_of(home, "other")] == [
        "health: 180 days after valid_to",
        "location/episodic: 1 days after told_at",
    ]
    assert [str(rule) for rule in rules_of(home, "acme")] == [
        "*/procedural: 730 days after recorded_at"
    ]
    assert rules_of(home, "free") == ()
    assert rules_of(tmp_path / "elsewhere", "other") == (), "the packaged file has no rules"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("default:\n  health: soon", r"retention\.yaml: health: say `N days after`"),
        ("default:\n  health: 0 days after told_at", "N at least 1"),
        ("default:\n  health/strange: 1 day after told_at", "a kind is one of semantic"),
        ("default:\n  '*': 1 day after told_at", "name a tag"),
        ("rules: {}", "`default` and `tenants`"),
        ("default: [health]", "rules are lines like"),
        ("default: {", "line 1: no YAML"),
    ],
)
def test_a_rule_that_is_none_is_refused_with_its_place(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        rules_of(policy(tmp_path, text), "any")


def test_what_ended_long_ago_has_run_out_and_what_holds_on_has_not(
    scenario: Scenario, tmp_path: Path
) -> None:
    """Moscow ended when Kazan began, though nobody ever said an end."""
    (rule,) = rules(tmp_path, "location: 180 days after valid_to")
    assert found(scenario, rule) == ["Москва"]
    assert found(scenario, rule, now=datetime(2026, 4, 16, 20, tzinfo=UTC)) == []
    assert found(scenario, rule, now=datetime(2026, 4, 16, 22, tzinfo=UTC)) == ["Москва"]


def test_the_telling_the_recording_the_kind_and_the_tag_decide(
    scenario: Scenario, tmp_path: Path
) -> None:
    by_telling = rules(tmp_path, "health: 100 days after told_at")
    assert found(scenario, *by_telling) == ["пенициллин"]
    assert found(scenario, *rules(tmp_path, "health/episodic: 100 days after told_at")) == []
    every = rules(tmp_path, "'*/semantic': 1 day after told_at")
    assert len(found(scenario, *every)) == 5
    recorded = rules(tmp_path, "health: 30 days after recorded_at")
    assert found(scenario, *recorded, now=datetime.now(UTC)) == []
    assert len(found(scenario, *recorded, now=datetime(2050, 1, 1, tzinfo=UTC))) == 2


def test_a_legal_hold_keeps_what_has_run_out(scenario: Scenario, tmp_path: Path) -> None:
    rule = rules(tmp_path, "'*/semantic': 1 day after told_at")
    ((entity_id,),) = scenario.rows(
        "select e.entity_id from memory.name_content as n join memory.entity as e using (entity_id)"
        " where n.name = 'Анна' and e.tenant_id = %(tenant)s and e.kind = 'speaker'"
    )
    tenant = scenario.rows("select %(tenant)s::int")[0][0]
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        holds.hold(eraser, tenant, entity_id)
        assert "орехи" not in found(scenario, *rule)
        assert "пенициллин" in found(scenario, *rule)
        holds.hold(eraser, tenant)
        assert found(scenario, *rule) == []
        holds.release(eraser, tenant)
        holds.release(eraser, tenant, entity_id)
    assert "орехи" in found(scenario, *rule)


def test_what_has_run_out_is_asked_to_go_once_and_goes(scenario: Scenario, tmp_path: Path) -> None:
    rule = rules(tmp_path, "location: 180 days after valid_to")
    tenant = scenario.rows("select %(tenant)s::int")[0][0]
    dsn = scenario.services.pg_dsn("mem_eraser")
    with (
        psycopg.connect(dsn, autocommit=True) as connection,
        Eraser(scenario.services, scenario.tenant) as eraser,
    ):
        (request_id,) = file_due_requests(eraser, connection, tenant, rule, NOW)
        assert file_due_requests(eraser, connection, tenant, rule, NOW) == []
        filed = eraser.status(request_id)
        assert (filed.ground, filed.state) == (Ground.retention, ErasureState.fenced)
        done = eraser.run(request_id)
        assert done.state is ErasureState.certified, (done.block, done.stores)
    assert scenario.rows(
        "select count(*) from memory.atom_content as c join memory.atom as a using (atom_id)"
        " where a.tenant_id = %(tenant)s and c.object = '\"Москва\"'"
    ) == [(0,)]
    with scenario.memory() as memory:
        (now,) = memory.as_of("Дмитрий", predicate="location").answers
        (then,) = memory.as_of("Дмитрий", predicate="location", valid_at="2025-10-01").answers
    assert (now.object, then.status.value) == ("Казань", "erased")


def test_a_rule_of_a_tag_that_no_predicate_has_is_refused(
    scenario: Scenario, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"retention\.yaml: helth: .*no predicate has the tag"):
        found(scenario, *rules(tmp_path, "helth: 10 days after told_at"))
