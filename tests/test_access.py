"""Who sees what: two tenants with equal names and ids, audiences, and attempts to read across."""

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.human import UnknownAtom
from memory_pipeline.bitemporal.reading import UnknownSubject
from memory_pipeline.bitemporal.tenants import Audiences, UnknownTenant
from memory_pipeline.governance.access import grant, revoke
from memory_pipeline.ingest.quarantine import entries
from memory_pipeline.installation import ready
from memory_pipeline.local.errors import ServiceError
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory, UnknownDialog
from tests.scenario import Message, Scenario, message, objects

CANARIES = ("canarybee", "canaryboard")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def log(employer: str) -> list[Message]:
    """The same people and ids in every tenant; one value differs."""
    return [
        message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве", message_id="m1"),
        message("Анна", "2025-03-01T10:01+03:00", f"Работаю в {employer}", message_id="m2"),
        message("Анна", "2025-03-01T10:02+03:00", "Я вегетарианка", message_id="m3",
                audience=["team"]),
    ]  # fmt: skip


BOARD = [
    message("Анна", "2025-10-10T10:00+03:00", "Переезжаю в Казань с 19-го", audience=["board"]),
    message("Анна", "2025-10-11T10:00+03:00", "Вчера уволилась из Acme", audience=["board"]),
    message("Анна", "2025-10-12T10:00+03:00", "My husband's name is Canaryboard.",
            audience=["board"], dialog_id="canaryboard", dialog_title="canaryboard"),
]  # fmt: skip


@dataclass
class World:
    """Tenant `one` with a board's secrets, tenant `two` with values of its own, and a reader of
    `one` who is granted its team."""

    one: Scenario
    two: Scenario
    reader: str = ""
    foreign: set[str] = field(default_factory=set)
    ids: dict[str, Any] = field(default_factory=dict)

    def connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.one.services.pg_dsn(self.reader), autocommit=True)


def verifier_rows(services: Services, query: str, *bound: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(services.pg_dsn("mem_verifier"), autocommit=True) as verifier:
        return verifier.execute(query.encode(), bound or None).fetchall()


RELATIONS = (
    "select n.nspname, c.relname, exists (select from pg_attribute where attrelid = c.oid"
    "  and attname = 'tenant_id' and not attisdropped)"
    " from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
    " where n.nspname in ('memory', 'derived', 'staging', 'intermediate', 'marts')"
    " and c.relkind in ('r', 'p', 'v') and has_table_privilege('mem_reader', c.oid, 'select')"
    " order by 1, 2"
)


@pytest.fixture(scope="module")
def world(services: Services, tmp_path_factory: pytest.TempPathFactory) -> World:
    started = ready(services.home.path)
    made = World(
        Scenario(started, tmp_path_factory.mktemp("one")),
        Scenario(started, tmp_path_factory.mktemp("two")),
    )
    made.one.tell(*log("Acme"))
    made.one.read(*BOARD, name="canaryboard.jsonl")
    made.two.tell(*log("Canarybee"))
    for tenant in (made.one, made.two):
        with tenant.pipeline() as pipeline:
            pipeline.extract()
            pipeline.refresh_full_text()
        tenant.read(message("Анна", "canarybee canaryboard", "Я"), name="canarybee.jsonl")
    made.reader = made.one.reader(f"{made.one.tenant}_r", "team")

    for schema, table, has_tenant in verifier_rows(started, RELATIONS):
        if has_tenant:
            query = sql.SQL("select to_jsonb(t)::text from {} as t where tenant_id = %s").format(
                sql.Identifier(schema, table)
            )
            for (row,) in verifier_rows(started, query.as_string(), tenant_id(made.two)):
                made.foreign.update(UUID.findall(row))
    board = (
        "select atom_id::text from memory.atom as a join memory.audience as u using (audience_id)"
    )
    made.foreign.update(
        row[0] for row in verifier_rows(started, board + " where 'board' = any (u.names)")
    )
    (subject, atom, dialog), *_ = verifier_rows(
        started,
        "select a.subject_id, a.atom_id, m.dialog_id from memory.atom as a"
        " join memory.message as m using (message_id) where a.tenant_id = %s",
        tenant_id(made.two),
    )
    made.ids = {"subject": subject, "atom": atom, "dialog": dialog, "tenant": tenant_id(made.two)}
    assert len(made.foreign) > 20
    return made


def tenant_id(scenario: Scenario) -> int:
    ((found,),) = scenario.rows("select %(tenant)s::int")
    return int(found)


def leaks(world: World, said: str) -> list[str]:
    """What of the other tenant, or of the board, is in some output."""
    found = [canary for canary in CANARIES if canary in said.lower()]
    return found + sorted(set(UUID.findall(said)) & world.foreign)


def test_no_relation_shows_a_reader_anything_of_another_tenant_or_audience(world: World) -> None:
    relations = verifier_rows(world.one.services, RELATIONS)
    assert len(relations) > 60
    n_rows = 0
    with world.connect() as connection:
        for schema, table, _ in relations:
            query = sql.SQL("select to_jsonb(t)::text from {} as t").format(
                sql.Identifier(schema, table)
            )
            rows = connection.execute(query).fetchall()
            n_rows += len(rows)
            assert leaks(world, repr(rows)) == [], f"{schema}.{table}"
    assert n_rows > 100


ATTEMPTS = {
    "naming the other tenant": "set memory.tenant = '{two}'; {everything}",
    "clearing the tenant": "set memory.tenant = ''; {everything}",
    "naming the audience": "set memory.audiences = 'board'; {everything}",
    "naming all audiences": "set memory.audiences = '*'; {everything}",
    "clearing the audiences": "select set_config('memory.audiences', '', false); {everything}",
    "settings inside a transaction": "begin; set local memory.audiences = 'team,board'; {everything}",
    "another role": "set role mem_ingest; {everything}",
    "the group's role": "set role mem_reader; {everything}",
    "the owner's role": "set role mem_owner; {everything}",
    "the operator's session": "set session authorization operator; {everything}",
    "row security off": "set row_security = off; {everything}",
    "a leaking function": "create function pg_temp.leak(text) returns boolean language plpgsql"
    " cost 0.0001 as $$ begin raise notice '%', $1; return true; end $$;"
    " select count(*) from memory.message_content where pg_temp.leak(text)",
    "a leaking operator": "create operator public.<<< (function = pg_catalog.texteq,"
    " leftarg = text, rightarg = text)",
    "a temporary table": "create temporary table t as select * from memory.message_content; table t",
    "a schema of one's own": "create schema mine; {everything}",
    "a type that shadows": "create domain pg_temp.uuid as text; select memory.hidden_atoms()",
    "an error that quotes": "select count(text::int) from memory.message_content",
    "an error by division": "select 1 / (case when text ilike '%canary%' then 0 else 1 end)"
    " from memory.message_content",
    "an error by key": "insert into memory.tenant (name) values ('{two}')",
    "a grant to oneself": "insert into memory.access_grant (login, tenant_id, audience, is_granted)"
    " values (session_user, {tenant}, '*', true); {everything}",
    "the plan": "explain (analyze, verbose) select * from memory.message_content"
    " where text ilike '%canary%'",
    "statistics": "select * from pg_stats where schemaname in ('memory', 'derived')",
    "raw statistics": "select * from pg_statistic",
    "other sessions": "select query from pg_stat_activity where usename <> session_user",
    "answers about the other's subject": "select * from memory.as_of(array['{subject}'::uuid], null,"
    " now(), null)",
    "periods of the other's subject": "select * from memory.rectangles_of(array['{subject}'::uuid])",
    "statements of the other's subject": "select * from memory.statements_of("
    "array['{subject}'::uuid], null, null, null)",
    "one's own for the other's": "select memory.component(array['{subject}'::uuid])"
    " = array['{subject}'::uuid]",
    "words of the other tenant": "select * from memory.search_text('Canarybee canaryboard', 100,"
    " {tenant}, null, null)",
    "words of any tenant": "select * from memory.search_text('Canarybee canaryboard', 100, null,"
    " null, null)",
    "a lookup by key": "select * from memory.name_content where lookup in (select lookup from"
    " memory.name_content) and name ilike '%canary%'",
    "what is hidden": "select memory.hidden_atoms()",
    "what one may read": "select memory.readable(), memory.readable_tenants(),"
    " memory.governed_tenants(); select * from memory.audience",
    "a file of the server": "select pg_read_file('PG_VERSION')",
    "a copy to the server": "copy memory.message_content to '/dev/null'",
    "a batch of one's own": "select memory.close_batch(gen_random_uuid(), {tenant}, 'x')",
    "a snapshot request": "select * from memory.snapshot_request_content",
    "a lock": "lock table memory.message in access exclusive mode",
}
EVERYTHING = "select text from memory.message_content; select object from memory.atom_content"


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
def test_no_attempt_reads_across(world: World, attempt: str) -> None:
    facts = world.ids | {"two": world.two.tenant, "everything": EVERYTHING}
    said: list[str] = []
    with world.connect() as connection:
        connection.add_notice_handler(lambda notice: said.append(str(notice.message_primary)))
        try:
            cursor = connection.execute(attempt.format(**facts).encode())
            while True:
                if cursor.description:
                    said.append(repr(cursor.fetchall()))
                if not cursor.nextset():
                    break
        except psycopg.Error as error:
            said.append(f"{error} {error.diag.message_detail} {error.diag.context}")
    asked = (
        {str(world.ids["subject"])}
        if str(world.ids["subject"]) in attempt.format(**facts)
        else set()
    )
    assert set(leaks(world, " ".join(said))) - asked == set()
    assert said


def test_settings_narrow(world: World) -> None:
    with world.connect() as connection:
        count = "select count(*) from memory.message"
        assert connection.execute(count).fetchone() == (3,)
        connection.execute("set memory.audiences = 'public'")
        assert connection.execute(count).fetchone() == (2,)
        connection.execute(f"set memory.tenant = '{world.two.tenant}'".encode())
        assert connection.execute(count).fetchone() == (0,)


API_ATTEMPTS: dict[str, tuple[type[Exception], Callable[[Memory, dict[str, Any]], Any]]] = {
    "an atom": (UnknownAtom, lambda m, ids: m.show(ids["atom"])),
    "a subject": (UnknownSubject, lambda m, ids: m.as_of(entity_id=ids["subject"])),
    "a name": (UnknownSubject, lambda m, _: m.as_of("Canaryboard")),
    "a dialog": (UnknownDialog, lambda m, ids: m.dialog(str(ids["dialog"]))),
    "a dialog's own id": (UnknownDialog, lambda m, _: m.dialog("canaryboard")),
    "a correction": (UnknownAtom, lambda m, ids: m.correct(ids["atom"], "x")),
    "a retraction": (UnknownAtom, lambda m, ids: m.retract(ids["atom"])),
    "a confirmation": (UnknownAtom, lambda m, ids: m.confirm(ids["atom"])),
    "an addition": (
        UnknownSubject,
        lambda m, ids: m.remember(None, "location", "x", entity_id=ids["subject"]),
    ),
}


@pytest.mark.parametrize(("error", "attempt"), API_ATTEMPTS.values(), ids=API_ATTEMPTS.keys())
def test_the_api_finds_nothing_across(
    world: World, error: type[Exception], attempt: Callable[[Memory, dict[str, Any]], Any]
) -> None:
    with world.one.memory(world.reader) as memory, pytest.raises(error) as raised:
        attempt(memory, world.ids)
    assert not any(canary in str(raised.value) for canary in CANARIES[:1])


def test_a_login_enters_only_its_tenants_and_sees_no_quarantine(world: World) -> None:
    with pytest.raises(UnknownTenant):
        Memory(world.two.services, login=world.reader, tenant=world.two.tenant)
    with pytest.raises(ServiceError, match="no login"):
        Memory(world.two.services, login="nobody_at_all", tenant=world.two.tenant)
    with world.one.memory(world.reader) as memory:
        assert entries(memory.connection) == []
    with world.one.memory() as memory:
        assert [entry["file"] for entry in entries(memory.connection)] == ["canarybee.jsonl"]
        assert objects(memory, "Анна", "employer", valid_at="2025-05-01") == ["Acme"]


def test_a_private_statement_neither_shows_nor_closes_anything_for_others(world: World) -> None:
    at = "2025-12-01"
    with world.one.memory() as everything, world.one.memory(world.reader) as team:
        assert objects(everything, "Анна", "location", valid_at=at) == ["Казань"]
        assert objects(everything, "Анна", "employer", valid_at=at) == []
        (place,) = team.as_of("Анна", predicate="location", valid_at=at).answers
        assert (place.object, place.valid_to, place.supersedes) == ("Москва", None, None)
        assert objects(team, "Анна", "employer", valid_at=at) == ["Acme"]
        assert objects(team, "Анна", "diet", valid_at=at) == ["вегетарианка"]
    with world.one.memory(audiences=["team"]) as narrowed:
        assert objects(narrowed, "Анна", "location", valid_at=at) == ["Москва"]
    with world.one.memory(world.reader, audiences=["board"]) as widened:
        assert objects(widened, "Анна", "location", valid_at=at) == ["Москва"]
        assert objects(widened, "Анна", "diet", valid_at=at) == []


@pytest.fixture
def small(services: Services, tmp_path: Path) -> Scenario:
    made = Scenario(ready(services.home.path), tmp_path)
    made.tell(
        message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве"),
        message("Анна", "2025-03-01T10:01+03:00", "Работаю в Acme"),
    )
    return made


def test_a_restriction_hides_an_atom_on_every_clock(small: Scenario) -> None:
    login = small.reader(f"{small.tenant}_r", "team")
    with small.memory() as everything, small.memory(login) as team:
        (held,) = everything.as_of("Анна", predicate="location").answers
        before = everything.as_of("Анна").known_at
        assert objects(team, "Анна", "location") == ["Москва"]
        with small.pipeline() as pipeline:
            pipeline.refresh_full_text()
            audience = Audiences(pipeline.ingest_connection, pipeline.tenant_id).id_of(["board"])
            with batch(pipeline.ingest_connection, pipeline.tenant_id, "test") as running:
                pipeline.ingest_connection.execute(
                    "insert into memory.restriction (restriction_id, tenant_id, batch_id, atom_id,"
                    " audience_id, author) values (%s, %s, %s, %s, %s, 'operator')",
                    (uuid.uuid4(), pipeline.tenant_id, running.batch_id, held.atom_id, audience),
                )
        for moments in ({}, {"recorded_at": before}, {"known_at": before}, {"valid_at": before}):
            assert objects(team, "Анна", "location", **moments) == []
            assert objects(everything, "Анна", "location", **moments) == ["Москва"]
        assert objects(team, "Анна", "employer") == ["Acme"]
        with pytest.raises(UnknownAtom):
            team.show(held.atom_id)
        for table, column in (("evidence", "statement_id"), ("atom_content", "atom_id")):
            query = f"select count(*) from memory.{table} where {column} = %s"
            assert team.connection.execute(query.encode(), (held.atom_id,)).fetchone() == (0,)
        said = team.connection.execute("select * from memory.extraction_content").fetchall()
        assert said == []
        found = team.connection.execute(
            "select count(*) from derived.full_text where item_id = %s", (held.atom_id,)
        ).fetchone()
        assert found == (0,)


def test_a_grant_and_its_revocation_act_at_once_and_a_later_start_undoes_neither(
    small: Scenario,
) -> None:
    login = small.reader(f"{small.tenant}_r", "team")
    with (
        small.memory(login) as memory,
        psycopg.connect(small.services.pg_url, autocommit=True) as owner,
    ):
        assert objects(memory, "Анна", "location") == ["Москва"]
        revoke(owner, login, small.tenant, "team")
        with pytest.raises(UnknownSubject):
            memory.as_of("Анна")
        grant(owner, login, small.tenant, "team")
        assert objects(memory, "Анна", "location") == ["Москва"]

        revoke(owner, "operator", "default", "*")
        try:
            ready(small.services.home.path)
            with pytest.raises(UnknownTenant):
                Memory(small.services)
        finally:
            grant(owner, "operator", "default", "*")
