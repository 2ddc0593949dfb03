"""The dbt project against a real database: full builds, refreshes, who sees what."""

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from dbt_rows import DAYS, PREDICATES, History, day
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.local.services import Services
from tests.databases import fresh_database

PROJECT = Path(__file__).parents[1] / "dbt_project"
SCHEMAS = ["staging", "intermediate", "marts"]
COLUMNS = (
    "subject_id, predicate_id, valid_from, valid_to, known_from, known_to, atom_id, object_key,"
    " supersedes, supports, contradicted_by, erased"
)
Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]


@dataclass
class Store:
    """A database, its histories, and the periods that each build left."""

    services: Services
    database: str
    folder: Path
    canary: str
    people: History | None = None
    after_refresh: list[Row] | None = None
    resolved: list[Row] | None = None
    after_full_build: list[Row] | None = None
    after_full_refresh: list[Row] | None = None
    n_vacuums: list[int] = field(default_factory=list)

    def connect(self, login: str) -> Connection:
        """An autocommit connection of a login."""
        return psycopg.connect(self.services.pg_dsn(login, self.database), autocommit=True)

    def dbt(self, *commands: str) -> None:
        """Run dbt commands as mem_builder does, one after the other; each must succeed."""
        facts = conninfo_to_dict(self.services.pg_dsn("mem_builder", self.database))
        environment = os.environ | {
            "MEMORY_DBT_HOST": str(facts["host"]),
            "MEMORY_DBT_USER": str(facts["user"]),
            "MEMORY_DBT_PASSWORD": str(facts["password"]),
            "MEMORY_DBT_DBNAME": self.database,
            "MEMORY_DBT_PORT": str(facts.get("port", 5432)),
        }
        folders = ["--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)]
        folders += ["--target-path", str(self.folder / "target")]
        folders += ["--log-path", str(self.folder / "logs")]
        run = "import json, sys; from dbt.cli.main import dbtRunner; "
        run += "sys.exit(not all(dbtRunner().invoke(c).success for c in json.loads(sys.argv[1])))"
        done = subprocess.run(
            [sys.executable, "-c", run, json.dumps([c.split() + folders for c in commands])],
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def periods(self) -> list[Row]:
        """All rows of atom_periods, sorted."""
        with self.connect("mem_verifier") as verifier:
            return rows(verifier, f"select {COLUMNS} from marts.atom_periods")

    def count_vacuums(self) -> None:
        """Keep how often the builds have vacuumed atom_periods as it is now."""
        with self.connect("mem_verifier") as verifier:
            found = verifier.execute(
                "select vacuum_count from pg_stat_user_tables"
                " where schemaname = 'marts' and relname = 'atom_periods'"
            ).fetchall()
        self.n_vacuums += [n for (n,) in found]

    def resolve(self) -> list[Row]:
        """The rectangles of every key by the function, sorted."""
        with self.connect("mem_verifier") as verifier:
            return rows(
                verifier,
                "with subjects as (select distinct (memory.component(array[subject_id]))[1] as id"
                " from memory.atom) select s.id as subject_id, r.* from subjects as s"
                " cross join lateral memory.rectangles_of(memory.component(array[s.id])) as r",
            )


def rows(connection: Connection, query: str, arguments: list[Any] | None = None) -> list[Row]:
    """The rows of a query in an order that does not depend on the plan."""
    return sorted(connection.execute(query, arguments).fetchall(), key=repr)


@pytest.fixture(scope="module")
def store(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store built whole, then refreshed after every kind of change, then built whole again."""
    with fresh_database(services) as name:
        made = Store(services, name, tmp_path_factory.mktemp("dbt"), f"canary{uuid.uuid4().hex}")
        with made.connect("mem_owner") as owner, made.connect("mem_ingest") as ingest:
            fill(made, owner, ingest)
        yield made


def fill(made: Store, owner: Connection, ingest: Connection) -> None:
    """The history of the store; the builds lie between its parts."""
    people = History(owner, ingest, "people", made.canary, seed=1)
    others = History(owner, ingest, "others", made.canary, seed=2)
    for history in (people, others):
        history.predicates = {}
    for predicate, cardinality in PREDICATES.items():
        people.register(predicate, cardinality)
    others.predicates = people.predicates
    for login, tenant_id, audience in (
        ("dbt_all", people.tenant_id, "*"),
        ("dbt_team", people.tenant_id, "team"),
    ):
        made.services.add_login(login)
        owner.execute(
            "insert into memory.access_grant (login, tenant_id, audience, is_granted)"
            " values (%s, %s, %s, true)",
            [login, tenant_id, audience],
        )
    for history in (people, others):
        with history.batch():
            entities = [history.entity() for _ in range(14)]
            history.statements(220, entities)
            for left, right in ((0, 1), (1, 2), (3, 4), (5, 6)):
                history.join(entities[left], entities[right])
    made.dbt("build")
    made.count_vacuums()

    entities = people.entities
    with people.batch():
        people.statements(25, [*entities[:4], people.entity()])
        people.join(entities[7], entities[8])
        people.join(entities[3], entities[4], is_same=False)
        people.withdraw(people.joins[1])
        for atom_id in people.draw.sample(people.atoms[:150], 6):
            people.withdraw(atom_id)
        people.withdraw(people.closures[0])
    for atom_id in people.draw.sample(people.atoms[150:170], 4):
        people.erase(atom_id)
    with people.batch():
        lonely = people.entity()
        only = people.atom(lonely, "location", "Tver", told_at=day(1), valid_from=day(1))
    with people.batch():
        people.withdraw(only)
    people.register("employer", "multi")
    # the first refresh dies half way
    made.dbt("run --select staging intermediate", "build --exclude-resource-type unit_test")

    made.people = people
    made.after_refresh = made.periods()
    made.count_vacuums()
    made.resolved = made.resolve()
    owner.execute("drop schema staging, intermediate, marts cascade")
    made.dbt('build --vars {"check_all":true}')
    made.after_full_build = made.periods()
    made.dbt("run --full-refresh --select marts")
    made.after_full_refresh = made.periods()


def test_a_refresh_after_every_kind_of_change_leaves_what_the_function_resolves(
    store: Store,
) -> None:
    assert store.resolved
    assert store.after_refresh == store.resolved


def test_a_refresh_leaves_what_a_build_from_nothing_leaves(store: Store) -> None:
    assert store.after_refresh == store.after_full_build
    assert store.after_refresh == store.after_full_refresh


def test_a_refresh_reads_no_table_from_end_to_end_to_clean_it(store: Store) -> None:
    assert store.n_vacuums == [1, 1]


def test_the_view_the_function_and_the_store_answer_alike_at_any_moment(store: Store) -> None:
    fields = "predicate, object, text, status, valid_from, valid_to, importance, tags, atom_id,"
    fields += " told_of_id, supersedes, supports, contradicted_by"
    of_memory = fields.replace("told_of_id", "subject_id")
    n_answers = 0
    with store.connect("dbt_all") as reader:
        subjects = reader.execute("select distinct subject_id from marts.atom_periods").fetchall()
        for valid_at, known_at in ((3, 5), (20, 9), (20, 30), (DAYS, DAYS), (-400, DAYS)):
            moments = [day(valid_at), day(known_at)]
            found = rows(reader, f"select {fields} from marts.atoms_as_of(%s, %s)", moments)
            expected = []
            for (subject_id,) in subjects:
                expected += reader.execute(
                    f"select {of_memory} from memory.as_of(memory.component(array[%s]), null, %s, %s)",
                    [subject_id, *moments],
                ).fetchall()
            with reader.transaction():
                reader.execute("select set_config('memory.valid_at', %s, true)", [str(moments[0])])
                reader.execute("select set_config('memory.known_at', %s, true)", [str(moments[1])])
                viewed = rows(reader, f"select {fields} from marts.atoms_as_of")
            assert found == sorted(expected, key=repr)
            assert viewed == found
            n_answers += len(found)
    assert n_answers > 100


def test_what_holds_now_follows_the_clock_without_new_rows(store: Store) -> None:
    with store.connect("dbt_all") as reader, reader.transaction():
        now = rows(reader, "select * from marts.atoms_current")
        assert now == rows(reader, "select * from marts.atoms_as_of(now(), now())")
        assert now == rows(reader, "select * from marts.atoms_as_of")
        before, after = (
            rows(reader, "select atom_id from marts.atoms_as_of(%s, now())", [day(number)])
            for number in (5, 25)
        )
        assert before != after


def test_marts_are_read_by_logins_that_are_granted_all_audiences_of_the_tenant(
    store: Store,
) -> None:
    assert store.people is not None
    whole = "select count(*), count(distinct tenant_id), min(tenant_id) from {}"
    marts = ["atom_periods", "atoms_current", "atoms_as_of", "subject_profiles", "contradictions"]
    tables = [f"marts.{mart}" for mart in marts] + ["intermediate.int_subjects"]
    with store.connect("dbt_all") as reader:
        for table in tables:
            n_rows, n_tenants, tenant_id = reader.execute(whole.format(table)).fetchone() or ()
            assert n_rows > 0, table
            assert (n_tenants, tenant_id) == (1, store.people.tenant_id), table
        reader.execute("set memory.audiences = 'team'")
        assert [reader.execute(whole.format(table)).fetchone() for table in tables] == [
            (0, 0, None) for _ in tables
        ]
    with store.connect("dbt_team") as reader:
        assert reader.execute("select count(*) from memory.atom").fetchone() != (0,)
        for table in tables:
            assert reader.execute(whole.format(table)).fetchone() == (0, 0, None), table


def test_a_profile_and_a_contradiction_show_what_the_answers_show(store: Store) -> None:
    with store.connect("dbt_all") as reader, reader.transaction():
        profiles = rows(
            reader,
            "select subject_id, predicate, unnest(atom_ids), cardinality(subject_names) > 0"
            " from marts.subject_profiles",
        )
        current = rows(
            reader, "select subject_id, predicate, atom_id, true from marts.atoms_current"
        )
        assert profiles == current
        pairs = rows(
            reader,
            "select atom_id, other_statement_id, other_is_closure, other_text is not null,"
            " exists (select from memory.closure as c where c.closure_id = other_statement_id)"
            " from marts.contradictions",
        )
        assert pairs
        assert all(is_closure == in_ledger for *_, is_closure, _, in_ledger in pairs)
        held = "select sum(n_atoms) from marts.memory_scorecard"
        assert reader.execute(held).fetchone() == (len(current),)


def test_an_erased_atom_keeps_its_place_and_shows_nothing(store: Store) -> None:
    with store.connect("dbt_all") as reader:
        shown = reader.execute(
            "select a.object, a.text, a.status from marts.atom_periods as p"
            " cross join lateral marts.atoms_as_of(coalesce(p.valid_from, '-infinity'),"
            " coalesce(p.known_from, '-infinity')) as a"
            " where p.erased and a.atom_id = p.atom_id"
        ).fetchall()
    assert shown
    assert set(shown) == {(None, None, "erased")}


def test_tables_hold_no_content_and_every_relation_is_protected(store: Store) -> None:
    with store.connect("mem_owner") as owner:
        found = owner.execute(
            "select c.relkind, c.relname, coalesce(c.reloptions, '{}'), c.relrowsecurity,"
            " c.relforcerowsecurity from pg_class as c"
            " where c.relnamespace::regnamespace::text = any (%s) and c.relkind <> 'i'",
            [SCHEMAS],
        ).fetchall()
        texts = owner.execute(
            "select table_name, column_name from information_schema.columns as c"
            " join information_schema.tables as t using (table_schema, table_name)"
            " where table_schema = any (%s) and t.table_type = 'BASE TABLE'"
            " and c.data_type not in ('uuid', 'integer', 'bigint', 'boolean', 'bytea',"
            " 'timestamp with time zone')",
            [SCHEMAS],
        ).fetchall()
    assert len(found) > len(list((PROJECT / "models").rglob("*.sql"))) - 1
    for kind, name, options, is_secured, is_forced in found:
        assert kind in ("v", "r"), name
        if kind == "v":
            assert "security_invoker=true" in options, name
        else:
            assert (is_secured, is_forced) == (True, True), name
    assert sorted(texts) == [
        ("atom_periods", "contradicted_by"),
        ("atom_periods", "evidence_message_ids"),
        ("atom_periods", "predicate"),
        ("atom_periods", "supports"),
    ]


def test_dbt_leaves_no_content_behind(store: Store) -> None:
    written = [path for path in store.folder.rglob("*") if path.is_file()]
    assert any(path.name == "run_results.json" for path in written)
    assert not any((store.folder / "logs").rglob("*.log*"))
    for path in written:
        content = path.read_bytes()
        assert store.canary.encode() not in content, path
        assert "Казань".encode() not in content, path
