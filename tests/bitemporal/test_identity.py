"""Who is whom: merges, splits and chains, for every reader, before and after."""

import itertools
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
import yaml
from dbt_rows import PREDICATES, History, day
from hypothesis import given, settings
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.bitemporal.identity import Join, groups
from memory_pipeline.bitemporal.reading import AmbiguousSubject
from memory_pipeline.governance.access import grant
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.scenario import Scenario, message, objects

CASES = yaml.safe_load((Path(__file__).parent / "identity.yaml").read_text(encoding="utf-8"))
READERS = {"all": ("*",), "team": ("team",), "private": ("private",), "public": ("public",)}
SEES = {"all": {"team", "private"}, "team": {"team"}, "private": {"private"}, "public": set()}
Connection = psycopg.Connection[Any]


@dataclass
class Store:
    """A migrated database with a connection for each role and reader."""

    services: Services
    owner: Connection
    ingest: Connection
    readers: dict[str, Connection]

    def history(self) -> History:
        """A tenant of its own that all readers may read as far as they go."""
        made = History(self.owner, self.ingest, f"t{uuid.uuid4().hex}", "x", seed=0)
        for name, cardinality in PREDICATES.items():
            if not made.predicates.get(name):
                made.register(name, cardinality)
        for reader, audiences in READERS.items():
            for audience in audiences:
                grant(self.owner, f"identity_{reader}", made.tenant_name, audience)
        return made


@pytest.fixture(scope="module")
def store(services: Services, module_database: str) -> Iterator[Store]:
    name = str(conninfo_to_dict(module_database)["dbname"])
    for reader in READERS:
        services.add_login(f"identity_{reader}")

    def connect(login: str) -> Connection:
        return psycopg.connect(services.pg_dsn(login, name), autocommit=True)

    readers = {reader: connect(f"identity_{reader}") for reader in READERS}
    with connect("mem_owner") as owner, connect("mem_ingest") as ingest:
        yield Store(services, owner, ingest, readers)
    for opened in readers.values():
        opened.close()


@dataclass
class Played:
    """A case as it was written into the store."""

    history: History
    entities: dict[str, UUID] = field(default_factory=dict)
    steps: dict[str, UUID] = field(default_factory=dict)
    batches: dict[str, int] = field(default_factory=dict)
    joins: list[tuple[Join, str | None]] = field(default_factory=list)
    withdrawn: set[UUID] = field(default_factory=set)

    def name_of(self, entity_id: UUID) -> str:
        return next(name for name, known in self.entities.items() if known == entity_id)

    def names_of(self, entity_ids: Any) -> list[str]:
        return sorted(self.name_of(entity_id) for entity_id in entity_ids)

    def visible_joins(self, reader: str) -> list[Join]:
        return [
            join
            for join, audience in self.joins
            if join.id not in self.withdrawn and (audience is None or audience in SEES[reader])
        ]


def play(store: Store, case: dict[str, Any]) -> Played:
    history = store.history()
    played = Played(history)
    named = {
        name
        for step in case["steps"]
        for name in (*step.get("same", ()), *step.get("not_same", ()), step.get("about", ""))
        if name
    }
    with history.batch():
        for name in sorted(named):
            played.entities[name] = history.entity(case.get("names", {}).get(name, name))
    for number, step in enumerate(case["steps"]):
        name = step.get("as", f"step {number}")
        if "erase" in step:
            history.erase(played.steps[step["erase"]])
        else:
            with history.batch():
                played.steps[name] = take(played, step)
        row = store.owner.execute("select max(batch_no) from memory.batch").fetchone()
        assert row is not None
        played.batches[name] = row[0]
    return played


def take(played: Played, step: dict[str, Any]) -> UUID:
    history = played.history
    audience = (step["audience"],) if "audience" in step else ()
    if "undo" in step:
        history.withdraw(played.steps[step["undo"]])
        played.withdrawn.add(played.steps[step["undo"]])
        return played.steps[step["undo"]]
    if "same" in step or "not_same" in step:
        is_same = "same" in step
        left, right = (played.entities[e] for e in step["same" if is_same else "not_same"])
        is_automatic = step.get("automatic", False)
        made = history.join(
            left, right, is_same=is_same, told=step.get("told"), audience=audience,
            is_automatic=is_automatic,
        )  # fmt: skip
        told_at = None if is_automatic else day(step["told"])
        join = Join(made, left, right, is_same, told_at, made.bytes)
        played.joins.append((join, step.get("audience")))
        return made
    about, predicate = played.entities[step["about"]], step.get("predicate", "location")
    told_at = day(step["told"])
    for action in ("ended", "retracted"):
        if action in step:
            return history.closure(about, predicate, action, step[action], told_at, trust=3)
    return history.atom(
        about,
        predicate,
        step["is"],
        told_at=told_at,
        valid_from=day(step.get("from", step["told"])),
        start_inferred="from" not in step,
        trust=step.get("trust", 3),
        audience=audience,
    )


def check(store: Store, played: Played, line: dict[str, Any]) -> None:
    reader = line.get("reader", "all")
    connection = store.readers[reader]
    if "skipped" in line or "review" in line:
        expected = sorted(sorted(pair) for pair in line.get("skipped", line.get("review", ())))
        if "review" in line:
            rows = connection.execute(
                "select c.item ->> 'left_id', c.item ->> 'right_id' from memory.review as r"
                " join memory.review_content as c using (review_id)"
                " where r.tenant_id = %s and r.kind = 'skipped_join' and r.state = 'open'",
                [played.history.tenant_id],
            ).fetchall()
            assert sorted(played.names_of(map(UUID, row)) for row in rows) == expected
            return
        skipped = groups(played.visible_joins(reader)).skipped
        assert sorted(played.names_of(join.pair) for join in skipped) == expected
        rows = connection.execute(
            "select j.left_id, j.right_id from memory.same_as as j where j.same_as_id = any("
            "(memory.grouped(memory.reached_entities(%s, null), null)).skipped)",
            [list(played.entities.values())],
        ).fetchall()
        assert sorted(played.names_of(row) for row in rows) == expected
        return
    who = played.entities[line["who"]]
    batch_no = played.batches[line["after"]] if "after" in line else None
    row = connection.execute(
        "select memory.component(array[%s]::uuid[], %s::bigint)", [who, batch_no]
    ).fetchone()
    assert row is not None
    members = row[0]
    if "one_with" in line:
        assert played.names_of(members) == line["one_with"]
        if batch_no is None:
            assert groups(played.visible_joins(reader)).of(who) == set(members)
        return
    known = line.get("known")
    rows = connection.execute(
        "select object, status, valid_from, valid_to, cardinality(contradicted_by)"
        " from memory.as_of(%s, %s, %s, %s, %s)",
        [
            members,
            played.history.predicates[line.get("predicate", "location")],
            day(line["valid"]),
            None if known is None else day(known),
            batch_no,
        ],
    ).fetchall()
    wanted = line["is"] if isinstance(line["is"], list) else [line["is"]]
    shown = ["erased" if status == "erased" else value for value, status, *_ in rows]
    assert sorted(shown) == sorted(value for value in wanted if value != "none")
    for column, name in ((2, "from"), (3, "to")):
        if name in line:
            assert rows[0][column] == (None if line[name] == "open" else day(line[name]))
    if "contradicted" in line:
        assert rows[0][4] == line["contradicted"]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_who_is_whom_and_what_holds_of_them(case: dict[str, Any], store: Store) -> None:
    played = play(store, case)
    assert case["expect"]
    for line in case["expect"]:
        check(store, played, line)


@pytest.mark.parametrize("seed", range(4))
def test_everybody_is_grouped_as_the_oracle_groups_them_whatever_the_joins(
    store: Store, seed: int
) -> None:
    history = store.history()
    played = Played(history)
    draw = history.draw
    draw.seed(seed)
    with history.batch():
        played.entities = {str(n): history.entity() for n in range(7)}
    ids = list(played.entities.values())
    snapshots: list[tuple[int, list[tuple[Join, str | None]], set[UUID]]] = []
    for _ in range(14):
        with history.batch():
            if played.joins and draw.random() < 0.2:
                undone = draw.choice(played.joins)[0].id
                if undone not in played.withdrawn:
                    history.withdraw(undone)
                    played.withdrawn.add(undone)
            else:
                left, right = draw.sample(ids, 2)
                audience = draw.choice([None, None, "team", "private"])
                told = draw.choice([None, draw.randrange(5), draw.randrange(30)])
                is_same = draw.random() < 0.7
                made = history.join(
                    left, right, is_same=is_same, told=told, is_automatic=told is None,
                    audience=() if audience is None else (audience,),
                )  # fmt: skip
                told_at = None if told is None else day(told)
                join = Join(made, left, right, is_same, told_at, made.bytes)
                played.joins.append((join, audience))
        row = store.owner.execute("select max(batch_no) from memory.batch").fetchone()
        assert row is not None
        snapshots.append((row[0], list(played.joins), set(played.withdrawn)))
    for (batch_no, joins, withdrawn), reader in itertools.product(snapshots, READERS):
        then = Played(history, played.entities, joins=joins, withdrawn=withdrawn)
        expected = groups(then.visible_joins(reader))
        for entity_id in ids:
            row = (
                store.readers[reader]
                .execute(
                    "select memory.component(array[%s]::uuid[], %s::bigint)", [entity_id, batch_no]
                )
                .fetchone()
            )
            assert row is not None
            assert set(row[0]) == expected.of(entity_id)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans(), st.integers(0, 9))))
def test_no_group_holds_a_pair_that_is_not_the_same_and_order_of_arrival_is_no_matter(
    drawn: list[tuple[int, int, bool, int]],
) -> None:
    joins = [
        Join(UUID(int=n), UUID(int=left), UUID(int=right), is_same, day(told), bytes([n % 256]))
        for n, (left, right, is_same, told) in enumerate(drawn)
        if left != right
    ]
    found = groups(joins)
    assert groups(reversed(joins)) == found
    last = {join.pair: join for join in sorted(joins, key=lambda join: join.order)}
    for pair, join in last.items():
        one, other = pair
        together = other in found.of(one)
        assert not (together and not join.is_same)
        assert together or not join.is_same or join in found.skipped


def test_names_that_look_alike_never_touch_from_the_log_to_the_answer(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(
        message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве", speaker_id="a-1"),
        message("Анна", "2025-03-02T10:00+03:00", "Я живу в Казани", speaker_id="a-2",
                dialog_id="other"),
        message("Анна П.", "2025-03-03T10:00+03:00", "Я живу в Твери", speaker_id="a-3"),
    )  # fmt: skip
    with scenario.memory() as memory:
        with pytest.raises(AmbiguousSubject) as ambiguous:
            memory.as_of("Анна")
        lives = {
            memory.as_of(entity_id=entity_id, predicate="location").answers[0].object
            for entity_id, *_ in ambiguous.value.candidates
        }
        assert lives == {"Москва", "Казань"}
        assert objects(memory, "Анна П.", "location") == ["Тверь"]
        memory.remember("Договор 1234567", "deadline", "2025-05-01", valid_from="2025-03-01")
        memory.remember("Счёт 1234567", "deadline", "2025-06-01", valid_from="2025-04-01")
        assert objects(memory, "Договор 1234567", "deadline") == ["2025-05-01"]
        assert objects(memory, "Счёт 1234567", "deadline") == ["2025-06-01"]
        memory.retract(memory.as_of("Счёт 1234567").answers[0].atom_id)
        assert objects(memory, "Договор 1234567", "deadline") == ["2025-05-01"]
        assert objects(memory, "Счёт 1234567", "deadline") == []
