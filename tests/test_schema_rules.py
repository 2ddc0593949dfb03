"""What every table, view and function of the schema must obey, asked of the catalogs themselves."""

import threading
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.tenants import tenant_id
from memory_pipeline.local.services import Services
from tests.databases import fresh_database

KINDS = {"ledger", "content", "work", "derived"}
OURS = ("memory", "derived", "staging", "intermediate", "marts")
LOGINS = ("mem_owner", "mem_ingest", "mem_builder", "mem_eraser", "mem_verifier", "reader_rules")
ERASERS = {
    "erasure_request", "erasure_request_content", "erasure_item", "erasure_span", "erasure_mention",
    "erasure_mention_content", "erasure_store", "legal_hold", "erasure_epoch", "redaction",
    "suppression", "suppression_key", "certificate",
}  # fmt: skip
APPEND, FORWARD = ["INSERT", "MAINTAIN"], ["INSERT", "MAINTAIN", "UPDATE"]
REFUSED = (psycopg.errors.RestrictViolation, psycopg.errors.InsufficientPrivilege)


class Schema:
    """One migrated database for all tests of this file, which change nothing that stays."""

    def __init__(self, services: Services, name: str) -> None:
        self.services = services
        self.name = name

    def connect(self, login: str) -> psycopg.Connection:
        return psycopg.connect(self.services.pg_dsn(login, self.name), autocommit=True)

    def rows(self, query: str, *bound: object) -> list[tuple[object, ...]]:
        with self.connect("mem_owner") as owner:
            return owner.execute(query.encode(), bound or None).fetchall()

    def tables(self, *kinds: str) -> list[tuple[str, str]]:
        return [
            (str(schema), str(table))
            for schema, table, kind in self.rows(TABLES)
            if str(kind) in kinds
        ]


TABLES = """
    select n.nspname, c.relname, split_part(obj_description(c.oid, 'pg_class'), ':', 1)
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('memory', 'derived') and c.relkind in ('r', 'p', 'f', 'm')
    order by 1, 2
"""


@pytest.fixture(scope="module")
def schema(services: Services) -> Iterator[Schema]:
    services.add_login("reader_rules")
    with fresh_database(services) as name:
        made = Schema(services, name)
        with made.connect("mem_builder") as builder:
            builder.execute("select memory.register_model('vector_rules_4', 'rules', '1', 4, '{}')")
        yield made


def test_every_table_says_its_kind_and_is_protected_and_every_view_asks_as_its_reader(
    schema: Schema,
) -> None:
    assert {str(kind) for *_, kind in schema.rows(TABLES)} == KINDS
    assert len(schema.tables(*KINDS)) > 70
    assert [t for t in schema.tables("derived") if t[1].startswith("vector_")]

    unprotected = schema.rows(
        "select c.oid::regclass::text from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname = any(%s) and c.relkind in ('r', 'p')"
        " and not (c.relrowsecurity and c.relforcerowsecurity)",
        list(OURS),
    )
    assert unprotected == []

    unread = schema.rows(
        "select c.oid::regclass::text from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname in ('memory', 'derived') and c.relkind in ('r', 'p') and not exists ("
        "  select from pg_policies as p where p.schemaname = n.nspname and p.tablename = c.relname"
        "  and p.permissive = 'PERMISSIVE' and p.roles = '{mem_reader}' and p.cmd = 'SELECT')"
    )
    assert unread == []

    open_to_readers = schema.rows(
        "select tablename, policyname from pg_policies where schemaname = any(%s)"
        " and (roles && '{public}'::name[] or roles && '{mem_reader}'::name[] and qual = 'true')"
        " and tablename <> 'extractor'",
        list(OURS),
    )
    assert open_to_readers == []

    views = schema.rows(
        "select c.oid::regclass::text, coalesce('security_invoker=true' = any (c.reloptions), false)"
        " from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname = any(%s) and c.relkind = 'v'",
        list(OURS),
    )
    assert len(views) >= 4
    assert [name for name, asks_as_reader in views if not asks_as_reader] == []

    materialised = schema.rows(
        "select matviewname from pg_matviews where schemaname = any(%s)", list(OURS)
    )
    assert materialised == [], "a materialised view knows no row-level security"


def test_functions_that_run_as_the_owner_pin_their_names_and_are_not_for_everybody(
    schema: Schema,
) -> None:
    definers = schema.rows(
        "select p.oid::regprocedure::text, coalesce(array_to_string(p.proconfig, ' '), ''),"
        " has_function_privilege('mem_auditor', p.oid, 'execute')"
        " from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace"
        " where n.nspname = any(%s) and p.prosecdef",
        list(OURS),
    )
    assert len(definers) >= 5
    assert [
        name for name, config, _ in definers if "search_path=pg_catalog" not in str(config)
    ] == []
    everybodys = schema.rows(
        "select p.oid::regprocedure::text from pg_proc as p"
        " join pg_namespace as n on n.oid = p.pronamespace"
        " cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as acl"
        " where n.nspname = any(%s) and p.prosecdef and acl.grantee = 0",
        list(OURS),
    )
    assert everybodys == []


@pytest.mark.parametrize("login", LOGINS)
def test_no_login_changes_or_empties_a_ledger_or_content_table_be_it_empty(
    schema: Schema, login: str
) -> None:
    tables = schema.tables("ledger", "content")
    assert ("memory", "atom_content_p3") in tables
    allowed = []
    with schema.connect(login) as connection:
        for schema_name, table in tables:
            (column,) = schema.rows(
                "select attname from pg_attribute where attrelid = %s::regclass"
                " and attnum > 0 and not attisdropped and attidentity = '' order by attnum limit 1",
                f"{schema_name}.{table}",
            )[0]
            for command in (
                "delete from {table}",
                "update {table} set {column} = {column}",
                "truncate {table} cascade",
                "merge into {table} using (select 1) as s on false when matched then delete",
            ):
                query = sql.SQL(command).format(
                    table=sql.Identifier(schema_name, table), column=sql.Identifier(str(column))
                )
                try:
                    connection.execute(query)
                    allowed.append(query.as_string())
                except REFUSED:
                    pass
    assert allowed == []


def test_views_and_upserts_are_no_way_round(schema: Schema) -> None:
    with schema.connect("mem_owner") as owner:
        tenant = tenant_id(owner, "a", create=True)
        for command in (
            "delete from memory.message_turn",
            "update memory.predicate_current set name = 'x'",
        ):
            with pytest.raises((*REFUSED, psycopg.errors.ObjectNotInPrerequisiteState)):
                owner.execute(command.encode())
    with schema.connect("mem_ingest") as ingest, pytest.raises(REFUSED):
        ingest.execute(
            "insert into memory.audience (tenant_id, names) values (%s, '{}'), (%s, '{}')"
            " on conflict (tenant_id, names) do update set names = '{x}'",
            (tenant, tenant),
        )


def test_work_moves_only_forward_and_is_never_deleted(schema: Schema) -> None:
    with schema.connect("mem_ingest") as ingest:
        tenant = tenant_id(ingest, "a", create=True)
        with batch(ingest, tenant, "test") as running:
            ingest.execute(
                "insert into memory.quarantine (quarantine_id, tenant_id, batch_id, stage, reason,"
                " record_key) values (%s, %s, %s, 'read', 'x', '')",
                (uuid.uuid4(), tenant, running.batch_id),
            )
        ingest.execute("update memory.quarantine set state = 'done'")
        with pytest.raises(psycopg.errors.RestrictViolation, match="only forward"):
            ingest.execute("update memory.quarantine set state = 'open'")
    tables = schema.tables("work")
    assert len(tables) >= 3
    for login in LOGINS:
        with schema.connect(login) as connection:
            for schema_name, table in tables:
                name = sql.Identifier(schema_name, table)
                for command in ("delete from {}", "truncate {} cascade"):
                    with pytest.raises(REFUSED):
                        connection.execute(sql.SQL(command).format(name))


def test_readers_write_nothing_and_work_roles_only_what_is_theirs(schema: Schema) -> None:
    written = schema.rows(
        "select r.rolname, c.oid::regclass::text, acl.privilege_type from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " cross join lateral aclexplode(c.relacl) as acl join pg_roles as r on r.oid = acl.grantee"
        " where n.nspname in ('memory', 'derived') and acl.privilege_type <> 'SELECT'"
        " and r.rolname in ('mem_reader', 'mem_verifier', 'mem_auditor', 'mem_backup')"
    )
    assert written == []
    erasers = schema.rows(
        "select c.relname, c.relkind::text, split_part(obj_description(c.oid, 'pg_class'), ':', 1),"
        " array_agg(acl.privilege_type order by acl.privilege_type) from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " cross join lateral aclexplode(c.relacl) as acl"
        " where n.nspname in ('memory', 'derived') and acl.grantee = 'mem_eraser'::regrole"
        " and acl.privilege_type <> 'SELECT' group by 1, 2, 3"
    )
    beyond = {
        str(table): rights
        for table, relkind, kind, rights in erasers
        if rights != ["MAINTAIN"]
        and (table not in ERASERS or rights != (FORWARD if kind == "work" else APPEND))
    }
    assert beyond == {}, "the eraser changes content through its functions alone"
    assert {str(table) for table, _, _, rights in erasers if rights != ["MAINTAIN"]} == ERASERS
    grants = schema.rows(
        "select has_table_privilege(l, 'memory.access_grant', 'insert'), l"
        " from unnest(array['mem_ingest', 'mem_builder', 'mem_reader', 'mem_eraser']) as l"
    )
    assert [login for may, login in grants if may] == [], "only the owner says who reads what"


def test_batch_numbers_are_gapless_and_follow_commit_order_under_slow_writers(
    schema: Schema,
) -> None:
    """Eight writers start together; what a reader saw of the clock never changes behind it."""
    with schema.connect("mem_ingest") as ingest:
        tenant = tenant_id(ingest, "a", create=True)
    start, failed, seen = threading.Barrier(9), [], []
    done = threading.Event()

    def write(n: int) -> None:
        try:
            with schema.connect("mem_ingest") as ingest:
                start.wait()
                for k in range(6):
                    with batch(ingest, tenant, f"{n}"):
                        ingest.execute("select pg_sleep(%s)", ((n * 7 + k * 3) % 5 / 100,))
                        if (n + k) % 7 == 0:
                            raise InterruptedError
        except InterruptedError:
            pass
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failed.append(error)

    def watch() -> None:
        with schema.connect("mem_verifier") as verifier:
            start.wait()
            while not done.is_set():
                seen.append(
                    verifier.execute(
                        "select coalesce(max(batch_no), 0), count(*), max(recorded_at)"
                        " from memory.batch"
                    ).fetchone()
                )

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    watcher = threading.Thread(target=watch)
    for thread in (*threads, watcher):
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    watcher.join()
    assert failed == []
    assert all(highest == count for highest, count, _ in seen)
    stored = schema.rows("select batch_no, recorded_at from memory.batch order by batch_no")
    assert [no for no, _ in stored] == list(range(1, len(stored) + 1))
    moments = [at for _, at in stored]
    assert moments == sorted(set(moments))
