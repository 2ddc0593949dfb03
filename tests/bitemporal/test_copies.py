"""One message that comes in several logs for different readers is seen by who may read all of them,
whichever log came first."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline.bitemporal.reading import UnknownSubject
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from tests.scenario import Message, Scenario, message, objects

GRANTS = {
    "nobody": ("public",),
    "team": ("team",),
    "board": ("board",),
    "both": ("team", "board"),
    "all": ("*",),
}
HOME = message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве", message_id="m0")
MOVE = message("Анна", "2025-05-01T10:00+03:00", "Я переехала в Казань", message_id="m1")
WORK = message("Анна", "2025-05-02T10:00+03:00", "Я работаю в Сбере", message_id="m2")


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


def seen(memory: Memory) -> dict[str, Any]:
    """What a reader is told, by every way that shows a text or a value."""
    texts = memory.connection.execute(
        "select c.text from memory.message_content as c join memory.message_turn using (message_id)"
        " union all select text from memory.atom_content"
        " union all select text from memory.closure_content"
        " union all select text from memory.message_content"
        " union all select e.statement_id::text from memory.evidence as e"
        " where e.statement_id = any (memory.hidden_atoms())"
    ).fetchall()
    answers = {}
    for predicate in ("location", "employer"):
        try:
            answers[predicate] = objects(memory, "Анна", predicate, valid_at="2025-06-01")
        except UnknownSubject:
            answers[predicate] = []
    return {
        "texts": sorted(text for (text,) in texts),
        "answers": answers,
        "found": memory.connection.execute(
            "select count(*) from memory.search_text('Казань', 20, null, null, null)"
        ).fetchone(),
    }


def told_in(scenario: Scenario, logs: Sequence[Sequence[Message]]) -> dict[str, dict[str, Any]]:
    """What each reader sees after the logs, read one after the other, all of it indexed."""
    for log in logs:
        scenario.tell(*log)
        with scenario.pipeline() as pipeline:
            pipeline.refresh_full_text()
    found = {}
    for name, audiences in GRANTS.items():
        login = scenario.reader(f"{scenario.tenant}_{name}", *audiences)
        with scenario.memory(login) as memory:
            found[name] = seen(memory)
    return found


COPIES = ([HOME, MOVE | {"audience": ["team"]}], [MOVE | {"audience": ["board"]}], [MOVE, WORK])


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_reader_must_hold_the_audiences_of_all_copies_whichever_came_first(
    scenario: Scenario, order: tuple[int, ...]
) -> None:
    found = told_in(scenario, [COPIES[n] for n in order])
    for name in ("nobody", "team", "board"):
        assert found[name]["answers"] == {"location": ["Москва"], "employer": ["Сбер"]}, name
        assert not any("Казан" in text for text in found[name]["texts"]), name
        assert found[name]["found"] == (0,), name
        assert found[name] == found["nobody"]
    for name in ("both", "all"):
        assert found[name]["answers"] == {"location": ["Казань"], "employer": ["Сбер"]}, name
        assert sum("Казань" in text for text in found[name]["texts"]) >= 2
        assert found[name]["found"] == (2,), "the message and its atom"


def test_copies_in_one_file_are_as_good_as_in_several(scenario: Scenario) -> None:
    found = told_in(scenario, [[line for copy in COPIES for line in copy]])
    assert found["team"]["answers"] == {"location": ["Москва"], "employer": ["Сбер"]}
    assert found["both"]["answers"] == {"location": ["Казань"], "employer": ["Сбер"]}


def test_a_copy_for_the_same_or_fewer_readers_narrows_nothing(scenario: Scenario) -> None:
    team = MOVE | {"audience": ["team"]}
    found = told_in(scenario, [[HOME, team], [team], [MOVE]])
    assert found["team"]["answers"]["location"] == ["Казань"]
    assert found["nobody"]["answers"]["location"] == ["Москва"]
    ((n,),) = scenario.rows(
        "select count(*) from memory.message_restriction where tenant_id = %(tenant)s"
    )
    assert n == 0


def test_a_context_and_a_label_from_before_the_narrower_copy_go_with_it(scenario: Scenario) -> None:
    scenario.tell(HOME, MOVE)
    with scenario.pipeline() as pipeline:
        pipeline.label()
        pipeline.embed_messages()
        pipeline.embed_atoms()
    login = scenario.reader(f"{scenario.tenant}_nobody", "public")
    with scenario.memory(login) as memory:
        labels = "select count(*) from memory.label"
        assert memory.connection.execute(labels).fetchone() == (2,)
        memory.context("chat", "Где она живёт?", 2000)
        count = "select count(*) from memory.snapshot_content"
        assert memory.connection.execute(count).fetchone() == (1,)
        scenario.tell(MOVE | {"audience": ["board"]})
        assert memory.connection.execute(count).fetchone() == (0,)
        assert memory.connection.execute(labels).fetchone() == (1,)
