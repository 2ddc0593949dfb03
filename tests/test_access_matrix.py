"""Role x table x verb x rows, from the catalogs: what is declared here, and nothing else, is allowed."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.local.services import Services
from tests import access_world
from tests.access_world import NARROWED, SCHEMAS, UUID, Row, World

PROJECT = Path(__file__).parents[1] / "dbt_project"
VERBS = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")
STAFF = ("mem_ingest", "mem_builder", "mem_verifier", "mem_auditor", "mem_eraser", "mem_owner")
SEES_ALL = ("mem_ingest", "mem_builder", "mem_verifier", "mem_eraser", "mem_owner")
SEES_NOT = {("mem_ingest", "intermediate"), ("mem_ingest", "marts")}
AUDITED = {
    "batch", "tombstone", "log_file", "tenant", "erasure_request", "erasure_store", "erasure_epoch",
    "redaction", "legal_hold", "audit_event", "certificate", "suppression", "suppression_key",
}  # fmt: skip
OWNERS_ALONE = {"access_grant", "tombstone", "audit_event"}
ERASERS = {
    "erasure_request", "erasure_request_content", "erasure_item", "erasure_span", "erasure_mention",
    "erasure_mention_content", "erasure_store", "legal_hold", "erasure_epoch", "redaction",
    "suppression", "suppression_key", "certificate",
}  # fmt: skip
FILED_BY_INGEST = {"erasure_request", "erasure_request_content"}
WITHHELD = {("memory", "live_secret")}
"""Views that no reader is shown."""
PACKED = {"snapshot", "snapshot_item", "snapshot_content", "export", "export_content"}

EVERY_VERB = frozenset(VERBS)
WRITES: dict[tuple[str, str], frozenset[str]] = {
    ("ledger", "mem_ingest"): frozenset({"INSERT"}),
    ("ledger", "mem_owner"): frozenset({"INSERT"}),
    ("content", "mem_ingest"): frozenset({"INSERT"}),
    ("content", "mem_owner"): frozenset({"INSERT"}),
    ("work", "mem_ingest"): frozenset({"INSERT", "UPDATE"}),
    ("work", "mem_builder"): frozenset({"INSERT", "UPDATE"}),
    ("work", "mem_owner"): frozenset({"INSERT", "UPDATE"}),
    ("derived", "mem_builder"): EVERY_VERB,
    ("derived", "mem_owner"): EVERY_VERB,
    ("mart", "mem_builder"): EVERY_VERB,
}
"""What may be written, by kind of table and role; whoever is not here writes nothing."""


def may_write(kind: str, table: str, role: str) -> frozenset[str]:
    """The verbs that change a table and that a role may use."""
    if table in ERASERS and role == "mem_eraser":
        return frozenset({"INSERT", "UPDATE"} if kind == "work" else {"INSERT"})
    if table in ERASERS and role in ("mem_ingest", "mem_builder"):
        may_file = role == "mem_ingest" and table in FILED_BY_INGEST
        return frozenset({"INSERT"} if may_file else ())
    if role == "mem_ingest" and table in OWNERS_ALONE | {"batch"}:
        return frozenset()
    if role == "mem_builder" and table in PACKED:
        return frozenset({"INSERT"})
    return WRITES.get((kind, role), frozenset())


def build_marts(services: Services, folder: Path) -> None:
    facts = conninfo_to_dict(services.pg_dsn("mem_builder"))
    environment = os.environ | {
        "MEMORY_DBT_HOST": str(facts["host"]),
        "MEMORY_DBT_USER": str(facts["user"]),
        "MEMORY_DBT_PASSWORD": str(facts["password"]),
        "MEMORY_DBT_DBNAME": str(facts["dbname"]),
        "MEMORY_DBT_PORT": str(facts.get("port", 5432)),
    }
    arguments = ["run", "--project-dir", str(PROJECT), "--profiles-dir", str(PROJECT)]
    arguments += ["--target-path", str(folder / "target"), "--log-path", str(folder / "logs")]
    run = "import sys; from dbt.cli.main import dbtRunner; "
    run += "sys.exit(not dbtRunner().invoke(sys.argv[1:]).success)"
    done = subprocess.run(
        [sys.executable, "-c", run, *arguments],
        env=environment, capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:]


@pytest.fixture(scope="module")
def world(services: Services, tmp_path_factory: pytest.TempPathFactory) -> World:
    made = access_world.make(services.home.path, tmp_path_factory.getbasetemp() / "access")
    build_marts(services, tmp_path_factory.mktemp("dbt"))
    return made


def kind_of(world: World, schema: str, table: str) -> str:
    if schema not in ("memory", "derived"):
        return "mart"
    ((kind,),) = world.rows(
        "select split_part(obj_description(%s::regclass, 'pg_class'), ':', 1)", f"{schema}.{table}"
    )
    return str(kind)


@pytest.mark.parametrize("name", ["public", "team", "all", "other"])
def test_a_reader_sees_exactly_the_rows_that_are_declared_its_own(world: World, name: str) -> None:
    reader = world.readers[name]
    seen: Counter[str] = Counter()
    wrong = []
    tables = world.relations("r", "p")
    assert {schema for schema, _ in tables} >= {"memory", "derived", "intermediate", "marts"}
    with world.connect(reader.login) as connection:
        for schema, table in tables:
            expected, own, others = world.expected(schema, table, reader)
            query = sql.SQL("select tableoid::bigint, ctid::text from {}").format(
                sql.Identifier(schema, table)
            )
            found = set(connection.execute(query).fetchall())
            if found != expected:
                wrong.append((schema, table, len(found - expected), len(expected - found)))
            seen[f"{table} own"] += len(own)
            seen[f"{table} others"] += len(others)
    assert wrong == []
    for table in ("message", "atom", "atom_content", "evidence", "full_text", "snapshot_content"):
        assert seen[f"{table} others"], f"{table} has no rows that are not {name}'s"
        assert seen[f"{table} own"], f"{table} has no rows of {name}'s"


def test_the_world_has_rows_of_every_class_in_what_can_have_them(world: World) -> None:
    """So that no cell of the matrix is right for want of rows."""
    team = world.readers["team"]
    classes: dict[str, set[str]] = {}
    for schema, table in world.relations("r", "p"):
        kept = classes.setdefault(table, set())
        for *_, tenant_id, names, login in world.rows(world.rights(schema, table, team.login)):
            if names is None or tenant_id is None:
                continue
            if tenant_id != team.tenant_id:
                kept.add("other tenant" if tenant_id == world.ids["tenant"] else "elsewhere")
            elif team.may_see(tenant_id, names, login):
                kept.add("own")
            else:
                kept.add("other audience")
    without = {
        table
        for table, found in classes.items()
        if not {"own", "other tenant", "other audience"} <= found
    }
    assert without & {
        "message", "message_content", "atom", "atom_content", "evidence", "label", "full_text",
        "extraction", "snapshot", "snapshot_content", "snapshot_item", "export", "dialog", "entity",
        "name_content", "snapshot_request",
    } == set()  # fmt: skip
    assert all("other audience" in classes[t] for t in ("reason_content", "closure", "secret"))
    restricted = {str(world.ids["restricted"]), str(world.ids["board"])}
    for table, columns in NARROWED.items():
        if table not in ("vector", "full_text", "reason_content", "label"):
            held = world.rows(f"select {', '.join(columns)} from memory.{table}")
            assert restricted & {str(value) for row in held for value in row}, table


@pytest.mark.parametrize("role", STAFF)
def test_a_working_role_reads_all_rows_or_none(world: World, role: str) -> None:
    wrong = []
    with world.connect(role) as connection:
        for schema, table in world.relations("r", "p"):
            name = sql.Identifier(schema, table)
            counted = sql.SQL("select count(*) from {}").format(name)
            may = role in SEES_ALL or (schema == "memory" and table in AUDITED)
            may = may and (role, schema) not in SEES_NOT
            try:
                found = connection.execute(counted).fetchall()
            except psycopg.errors.InsufficientPrivilege:
                found = None
            if found != (world.rows(counted.as_string()) if may else None):
                wrong.append((schema, table, found))
    assert wrong == []


REFUSED = (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)
ATTEMPTS = {
    "INSERT": "insert into {table} ({columns}) select {columns} from {table} where false",
    "UPDATE": "update {table} set {first} = {first} where false",
    "DELETE": "delete from {table} where false",
    "TRUNCATE": "truncate {table} cascade",
}


@pytest.mark.parametrize("role", ["public", "team", "all", "other", *STAFF])
def test_a_role_writes_what_is_declared_and_nothing_else(world: World, role: str) -> None:
    """Tried in the database, on no rows: rights and triggers decide before any row is touched."""
    login = world.readers[role].login if role in world.readers else role
    columns: dict[Row, list[str]] = {}
    for schema, table, column in world.rows(
        "select table_schema, table_name, column_name from information_schema.columns"
        " where table_schema = any(%s) and is_identity = 'NO' order by ordinal_position",
        list(SCHEMAS),
    ):
        columns.setdefault((schema, table), []).append(column)
    wrong = []
    with world.connect(login) as connection, connection.transaction(force_rollback=True):
        for schema, table in world.relations("r", "p"):
            kind = kind_of(world, schema, table)
            expected = may_write(kind, table, role)
            for verb, attempt in ATTEMPTS.items():
                names = [sql.Identifier(name) for name in columns[schema, table]]
                query = sql.SQL(attempt).format(
                    table=sql.Identifier(schema, table),
                    columns=sql.SQL(", ").join(names),
                    first=names[0],
                )
                try:
                    with connection.transaction(force_rollback=True):
                        connection.execute(query)
                    allowed = True
                except REFUSED:
                    allowed = False
                if allowed != (verb in expected):
                    wrong.append((schema, table, verb, "allowed" if allowed else "refused"))
    assert wrong == []


def test_no_reader_has_rights_that_row_level_security_does_not_bind(world: World) -> None:
    held = world.rows(
        "select r.rolname, c.oid::regclass::text, p.privilege from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " cross join unnest(array['REFERENCES', 'TRIGGER', 'MAINTAIN', 'INSERT', 'UPDATE', 'DELETE',"
        "  'TRUNCATE']) as p (privilege) cross join pg_roles as r"
        " where n.nspname = any(%s) and c.relkind in ('r', 'p', 'v', 'm', 'f')"
        " and r.rolname = any(%s) and has_table_privilege(r.oid, c.oid, p.privilege)",
        list(SCHEMAS),
        [reader.login for reader in world.readers.values()] + ["mem_verifier", "mem_auditor"],
    )
    assert held == []


@pytest.mark.parametrize("name", ["public", "team", "other"])
def test_a_view_shows_a_reader_no_id_of_a_row_that_is_not_its_own(world: World, name: str) -> None:
    reader = world.readers[name]
    shown: set[str] = set()
    hidden: set[str] = set()
    for schema, table in world.relations("r", "p"):
        _, own, others = world.expected(schema, table, reader)
        shown.update(UUID.findall(" ".join(own)))
        hidden.update(UUID.findall(" ".join(others)))
    views = world.relations("v")
    assert {schema for schema, _ in views} == {"memory", "staging", "marts"}
    n_rows = 0
    with world.connect(reader.login) as connection:
        for schema, view in views:
            query = sql.SQL("select to_jsonb(t)::text from {} as t").format(
                sql.Identifier(schema, view)
            )
            if (schema, view) in WITHHELD:
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(query)
                continue
            rows = connection.execute(query).fetchall()
            n_rows += len(rows)
            assert set(UUID.findall(repr(rows))) & (hidden - shown) == set(), f"{schema}.{view}"
    assert n_rows > 20


@pytest.mark.parametrize("name", ["public", "team", "all"])
def test_what_a_request_has_fenced_is_seen_by_no_reader_and_what_it_keeps_is(
    world: World, name: str
) -> None:
    message_id, atom_id, snapshot_id = world.ids["fenced"]
    with world.connect("mem_verifier") as verifier:
        seen_before = verifier.execute(
            "select array[(select count(*) from memory.message_content where message_id = %(m)s),"
            " (select count(*) from memory.atom_content where atom_id = %(a)s),"
            " (select count(*) from memory.snapshot where snapshot_id = %(s)s),"
            " (select count(*) from derived.full_text where item_id in (%(m)s, %(a)s))]",
            {"m": message_id, "a": atom_id, "s": snapshot_id},
        ).fetchone()
    assert seen_before == ([1, 1, 1, 2],)
    with world.connect(world.readers[name].login) as reader:
        texts = dict(
            reader.execute("select message_id::text, text from memory.message_content").fetchall()
        )
        assert message_id not in texts
        assert texts[world.ids["kept"]] == "Я живу в Москве"
        shown = repr(
            [
                reader.execute(query.encode()).fetchall()
                for query in (
                    "select atom_id from memory.atom_content",
                    "select item_id from derived.full_text",
                    "select snapshot_id from memory.snapshot",
                    "select snapshot_id from memory.snapshot_item",
                    "select snapshot_id from memory.export",
                )
            ]
        )
        assert not {message_id, atom_id, snapshot_id} & set(UUID.findall(shown))
        # the record stays, so that nothing it replaced reopens
        still = reader.execute("select atom_id from memory.atom where atom_id = %s", (atom_id,))
        assert still.fetchone() is not None


FAULTS = """
    select c.oid::regclass::text, 'no policy'
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any(%(schemas)s) and c.relkind in ('r', 'p', 'f') and (
        not c.relrowsecurity or not c.relforcerowsecurity
        or (n.nspname in ('memory', 'derived') and not exists (
            select from pg_policy as p where p.polrelid = c.oid and p.polpermissive
                and p.polroles = array['mem_reader'::regrole::oid]))
    )
    union all
    select polrelid::regclass::text, 'a policy for everybody'
    from pg_policy as p join pg_class as c on c.oid = p.polrelid
    join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any(%(schemas)s) and c.relname <> 'extractor' and polpermissive and (
        0 = any (polroles)
        or ('mem_reader'::regrole = any (polroles) and pg_get_expr(polqual, polrelid) = 'true'))
    union all
    select c.oid::regclass::text, 'asks as its owner'
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any(%(schemas)s) and c.relkind = 'v'
        and not coalesce('security_invoker=true' = any (c.reloptions), false)
    union all
    select c.oid::regclass::text, 'a copy without policies'
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = any(%(schemas)s) and c.relkind = 'm'
    union all
    select p.oid::regprocedure::text, 'a caller chooses what its names mean'
    from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
    where n.nspname = any(%(schemas)s) and not coalesce(p.proconfig @>
        array['search_path=pg_catalog, pg_temp'], false)
        and (p.prosecdef or p.prorettype = 'trigger'::regtype)
"""


def test_every_relation_and_function_is_protected_and_a_new_one_that_is_not_is_found(
    world: World,
) -> None:
    with world.connect("mem_owner") as owner, owner.transaction(force_rollback=True):
        bound = {"schemas": list(SCHEMAS)}
        assert owner.execute(FAULTS, bound).fetchall() == []
        owner.execute(
            "create table memory.new_open (x int);"
            "create table memory.new_unread (x int);"
            "alter table memory.new_unread enable row level security, force row level security;"
            "create table memory.new_loose (x int);"
            "alter table memory.new_loose enable row level security, force row level security;"
            "create policy p on memory.new_loose for select to mem_reader using (true);"
            "create view memory.new_view as select * from memory.atom;"
            "create materialized view memory.new_copy as select * from memory.atom;"
            "create function memory.new_function() returns bigint language sql security definer"
            " as 'select count(*) from memory.atom';"
        )
        assert sorted(owner.execute(FAULTS, bound).fetchall()) == [
            ("memory.new_copy", "a copy without policies"),
            ("memory.new_function()", "a caller chooses what its names mean"),
            ("memory.new_loose", "a policy for everybody"),
            ("memory.new_open", "no policy"),
            ("memory.new_unread", "no policy"),
            ("memory.new_view", "asks as its owner"),
        ]
