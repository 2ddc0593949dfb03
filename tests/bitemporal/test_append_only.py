"""Nobody changes or removes what was appended, by whatever way round the tables."""

import itertools
import uuid
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from dbt_rows import History, day
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.local.services import Services

LOGINS = (
    "mem_owner", "mem_ingest", "mem_builder", "mem_eraser", "mem_verifier", "mem_auditor",
    "reader_append",
)  # fmt: skip
OURS = ["memory", "derived", "staging", "intermediate", "marts"]
REFUSED = (
    psycopg.errors.RestrictViolation,
    psycopg.errors.InsufficientPrivilege,
    psycopg.errors.ObjectNotInPrerequisiteState,  # a view that takes no rows
    psycopg.errors.FeatureNotSupported,
)
AROUND = {
    "a do block": "do $$ begin {verb}; end $$",
    "a function of one's own": "create function pg_temp.f() returns void language plpgsql as"
    " $$ begin {verb}; end $$; select pg_temp.f()",
    "a function that runs as its maker": "create function pg_temp.f() returns void language plpgsql"
    " security definer as $$ begin {verb}; end $$; select pg_temp.f()",
    "a prepared statement": "prepare p as {verb}; execute p",
    "a common table expression": "with gone as ({verb} returning 1) select count(*) from gone",
    "a cursor": "declare c cursor for select * from {table} for update; fetch c;"
    " delete from {table} where current of c",
    "a view of one's own": "create temporary view v as select * from {table}; delete from v",
    "a view that may be written": "create temporary view v with (security_invoker) as select * from"
    " {table}; update v set {column} = {column}",
    "a rule on a table of one's own": "create temporary table t (x int); create rule r as on insert"
    " to t do instead {verb}; insert into t values (1)",
    "a trigger on a table of one's own": "create temporary table t (x int); create function"
    " pg_temp.f() returns trigger language plpgsql as $$ begin {verb}; return new; end $$;"
    " create trigger g before insert on t for each row execute function pg_temp.f();"
    " insert into t values (1)",
    "triggers switched off": "set session_replication_role = replica; {verb}",
    "the shredder's name": "set role mem_shredder; {verb}",
    "a function given to the shredder": "grant create on schema memory to mem_shredder; create"
    " function memory.f() returns void language plpgsql security definer as $$ begin {verb}; end $$;"
    " alter function memory.f() owner to mem_shredder; select memory.f()",
    "a truncation that cascades": "truncate memory.tenant cascade",
}
VERBS = ("delete from {table}", "update {table} set {column} = {column}")
TABLES = {"memory.atom": "told_at", "memory.atom_content": "text", "memory.closure": "told_at"}
Connection = psycopg.Connection[Any]


@dataclass
class Store:
    """A database with rows in it, and how to enter it."""

    services: Services
    name: str

    def connect(self, login: str) -> Connection:
        return psycopg.connect(self.services.pg_dsn(login, self.name))

    def rows(self, query: str, *bound: object) -> list[tuple[Any, ...]]:
        with self.connect("mem_verifier") as verifier:
            return verifier.execute(query.encode(), bound or None).fetchall()

    def held(self) -> list[tuple[Any, ...]]:
        """All rows of the tables that the attempts are about."""
        each = (f"select '{table}', t::text from {table} as t" for table in TABLES)
        return self.rows(" union all ".join(each) + " order by 1, 2")


@pytest.fixture(scope="module")
def store(services: Services, module_database: str) -> Store:
    services.add_login("reader_append")
    made = Store(services, str(conninfo_to_dict(module_database)["dbname"]))
    with (
        psycopg.connect(module_database, autocommit=True) as owner,
        psycopg.connect(services.pg_dsn("mem_ingest", made.name), autocommit=True) as ingest,
    ):
        history = History(owner, ingest, f"t{uuid.uuid4().hex}", "x", seed=0)
        history.register("location", "single")
        with history.batch():
            entity = history.entity()
            history.atom(entity, "location", "Tver", told_at=day(1), valid_from=day(1))
            history.closure(entity, "location", "ended", "Tver", day(2))
        owner.execute(
            "insert into memory.access_grant (login, tenant_id, audience, is_granted)"
            " values ('reader_append', %s, '*', true)",
            [history.tenant_id],
        )
    assert len(made.held()) == 3
    return made


@pytest.mark.parametrize("login", LOGINS)
@pytest.mark.parametrize("way", AROUND.values(), ids=AROUND.keys())
def test_no_way_round_changes_or_removes_a_row(store: Store, login: str, way: str) -> None:
    before = store.held()
    with store.connect(login) as connection:
        for (table, column), verb in itertools.product(TABLES.items(), VERBS):
            command = verb.format(table=table, column=column)
            with pytest.raises(REFUSED):
                run(connection, way.format(verb=command, table=table, column=column))
            connection.rollback()
            connection.execute("deallocate all")
            connection.commit()
    assert store.held() == before


def run(connection: Connection, statements: str) -> None:
    """All statements, one command each: together they would be one implicit transaction."""
    for statement in [statements] if "$$" in statements else statements.split("; "):
        connection.execute(statement.encode())


@pytest.mark.parametrize("login", LOGINS)
def test_no_view_is_a_way_to_write(store: Store, login: str) -> None:
    views = store.rows(
        "select n.nspname::text, c.relname::text, (select attname::text from pg_attribute as a"
        "  where a.attrelid = c.oid and a.attnum = 1) from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname = any (%s) and c.relkind = 'v'",
        OURS,
    )
    assert len(views) >= 4
    allowed = []
    with store.connect(login) as connection:
        for schema, view, column in views:
            for verb in VERBS:
                query = sql.SQL(verb).format(
                    table=sql.Identifier(schema, view), column=sql.Identifier(column)
                )
                try:
                    connection.execute(query)
                    allowed.append((view, verb))
                except REFUSED:
                    pass
                connection.rollback()
    assert allowed == []
