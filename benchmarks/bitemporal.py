"""The bitemporal store under load: writing, as-of reads, dbt refreshes, filtered vector search.

    python -m benchmarks.bitemporal [SIZE…] [--samples N] [--vectors N]

SIZE is a number of statements (atoms, and about one closure among twenty); the default sizes are
10 thousand, 100 thousand and a million. Prints JSON with a part for each size, as ratios taken
inside one run, and the goals that were missed. Row-level security is on, reads are the operator's
or another reading login's, prepared, and timed in turns, so that a loaded machine slows all of
them. Works in a home of its own that is removed at the end.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import numpy.typing as npt
import psycopg
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql

from benchmarks.bitemporal_store import (
    BASE_COLUMNS,
    DAY_0,
    DAYS,
    SINGLE,
    STATEMENT_COLUMNS,
    STATEMENTS_A_SUBJECT,
    Chunk,
    Ground,
    chunks,
    first_atom_id,
    later_atoms,
    subject_id,
)
from memory_pipeline import migrations
from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.registry import register
from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.index.embedder import table_name
from memory_pipeline.index.search import EXACT_UP_TO, search_vectors
from memory_pipeline.installation import ready
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services, stop
from memory_pipeline.orchestration.dbt_project import PROJECT, build_environment
from memory_pipeline.understand.registry import builtin_predicates

SIZES = (10_000, 100_000, 1_000_000)
TENANT = "benchmark"
READER = "benchmark_reader"
TEAM_READER = "benchmark_team"
N_LATER = 1_000
TURN = 20
DIM = 384
Connection = psycopg.Connection[Any]
Floats = npt.NDArray[Any]
AS_OF_GOALS = {
    "periods_key": 1.5,
    "periods_subject": 2.5,
    "function_key": 3.0,
    "function_subject": 6.0,
}


@dataclass(frozen=True)
class Store:
    """One database of the benchmark's home."""

    services: Services
    name: str

    def connect(self, login: str) -> Connection:
        """An autocommit connection of a login."""
        return psycopg.connect(self.services.pg_dsn(login, self.name), autocommit=True)

    def maintain(self, *tables: str) -> None:
        """Vacuum and analyze tables, or all of the database."""
        with self.connect("mem_super") as admin:
            admin.execute(f"vacuum (analyze) {', '.join(tables)}".encode())


@contextmanager
def fresh_store(services: Services, name: str) -> Iterator[Store]:
    """A migrated database, dropped after."""
    make_database(services.home, services.home.credentials(), name)
    try:
        migrations.upgrade(services.pg_dsn("mem_owner", name))
        yield Store(services, name)
    finally:
        with psycopg.connect(services.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def lay_ground(store: Store) -> Ground:
    """Tenant, audiences, registry, extractor and log file; equal calls give equal ids."""
    with store.connect("mem_owner") as owner:
        register(owner, builtin_predicates())
        grant(owner, READER, TENANT, ALL)
        grant(owner, TEAM_READER, TENANT, "team")
        tenant_id = _one(owner, "select tenant_id from memory.tenant where name = %s", [TENANT])
        audiences = [
            _one(
                owner,
                "insert into memory.audience (tenant_id, names) values (%s, %s)"
                " returning audience_id",
                [tenant_id, names],
            )
            for names in ([], ["private"], ["team"])
        ]
        predicates = dict(
            owner.execute("select name, predicate_id from memory.predicate").fetchall()
        )
        extractor_id = _one(
            owner,
            "insert into memory.extractor (name, version, model, prompt_hash)"
            " values ('benchmark', '1', 'none', '') returning extractor_id",
        )
        file_id = uuid4()
        owner.execute(
            "insert into memory.log_file values (%s, %s, %s, 'file', 0, 'jsonl', 1, '2025-01-01')",
            (file_id, tenant_id, uuid4()),
        )
    return Ground(tenant_id, tuple(audiences), predicates, extractor_id, file_id)


def _one(connection: Connection, query: str, parameters: Any = ()) -> Any:
    row = connection.execute(query.encode(), parameters).fetchone()
    if row is None:
        raise RuntimeError("a statement that returns a row returned none")
    return row[0]


########## load


@contextmanager
def timed(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Add what the block took to `seconds[name]`."""
    start = time.perf_counter()
    yield
    seconds[name] += time.perf_counter() - start


def unguard(owner: Connection) -> None:
    """Switch row-level security off, and make bare tables of the statements' columns. Keys,
    indexes and triggers of the others stay."""
    tables = owner.execute(
        "select format('%I.%I', n.nspname, c.relname) from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where n.nspname = 'memory' and c.relkind in ('r', 'p')"
    ).fetchall()
    for (table,) in tables:
        owner.execute(
            f"alter table {table} disable row level security, no force row level security".encode()
        )
    owner.execute("create schema bare")
    for table in STATEMENT_COLUMNS:
        owner.execute(f"create table bare.{table} as table memory.{table} with no data".encode())


def copy_rows(
    connection: Connection, schema: str, table: str, columns: Sequence[str], rows: Sequence[Any]
) -> None:
    """COPY rows into a table."""
    command = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(schema, table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor, cursor.copy(command) as copy:
        for row in rows:
            copy.write_row(row)


def insert_chunk(ingest: Connection, ground: Ground, chunk: Chunk, *, base: bool) -> None:
    """One batch through the product's bulk path."""
    columns, rows = (BASE_COLUMNS, chunk.base) if base else (STATEMENT_COLUMNS, chunk.statements)
    with batch(ingest, ground.tenant_id, "benchmark") as running:
        running.batch_id = chunk.base_batch_id if base else chunk.batch_id
        for table in columns:
            insert_rows(ingest, table, columns[table], rows[table], skip_known=table == "evidence")


def copy_chunk(owner: Connection, ground: Ground, chunk: Chunk, schema: str) -> None:
    """The same rows by COPY, in one transaction, with the batch's row where there are keys."""
    with owner.transaction():
        for table, columns in STATEMENT_COLUMNS.items():
            copy_rows(owner, schema, table, columns, chunk.statements[table])
        if schema == "memory":
            owner.execute(
                "select memory.close_batch(%s, %s, 'benchmark')",
                (chunk.batch_id, ground.tenant_id),
            )


def load(store: Store, unguarded: Store, size: int) -> tuple[Ground, dict[str, Any]]:
    """Fill the store, and beside it the same rows by COPY, batch by batch in turns."""
    seconds: dict[str, float] = defaultdict(float)
    ground, bare_ground = lay_ground(store), lay_ground(unguarded)
    bare_ground = Ground(
        ground.tenant_id, ground.audiences, ground.predicates, ground.extractor_id,
        bare_ground.file_id,
    )  # fmt: skip
    n_rows: dict[str, int] = defaultdict(int)
    with (
        store.connect("mem_ingest") as ingest,
        unguarded.connect("mem_owner") as owner,
    ):
        unguard(owner)
        pairs = zip(chunks(ground, size), chunks(bare_ground, size), strict=True)
        for chunk, bare_chunk in pairs:
            insert_chunk(ingest, ground, chunk, base=True)
            with owner.transaction():
                for table, columns in BASE_COLUMNS.items():
                    copy_rows(owner, "memory", table, columns, bare_chunk.base[table])
            with timed(seconds, "product"):
                insert_chunk(ingest, ground, chunk, base=False)
            with timed(seconds, "guarded_copy"):
                copy_chunk(owner, bare_ground, bare_chunk, "memory")
            with timed(seconds, "bare_copy"):
                copy_chunk(owner, bare_ground, bare_chunk, "bare")
            for table, rows in chunk.statements.items():
                n_rows[table] += len(rows)
    return ground, {
        "n_atoms": n_rows["atom"],
        "n_closures": n_rows["closure"],
        "n_rows": sum(n_rows.values()),
        "statements_per_s": round(size / seconds["product"]),
        "share_of_guarded_copy": round(seconds["guarded_copy"] / seconds["product"], 3),
        "share_of_bare_copy": round(seconds["bare_copy"] / seconds["product"], 3),
    }


########## as-of reads

_FUNCTION = (
    "select a.*, array(select e.message_id from memory.evidence as e"
    " where e.statement_id = a.atom_id) as evidence_message_ids"
    " from memory.as_of(array[$1]::uuid[], {}, $3, $4) as a"
)
_MART = "select * from marts.atoms_as_of($3, $4) where subject_id = $1{}"
_PERIODS = (
    "select p.*, c.object, c.text from marts.atom_periods as p"
    " left join memory.atom_content as c on c.atom_id = p.atom_id and c.subject_id = p.told_of_id"
    " where p.subject_id = $1{} and (p.valid_from is null or p.valid_from <= $3)"
    " and (p.valid_to is null or p.valid_to > $3)"
    " and (p.known_from is null or p.known_from <= $4)"
    " and (p.known_to is null or p.known_to > $4)"
)
READS = {
    "primary_key": (
        "select object, text from memory.atom_content where atom_id = $1 and subject_id = $2",
        ("uuid", "uuid"),
    ),
    **{
        f"{name}_{span}": (query, ("uuid", "int4", "timestamptz", "timestamptz"))
        for span, key, argument in (
            ("key", " and p.predicate_id = $2", "$2"),
            ("subject", "", "nullif($2, 0)"),
        )
        for name, query in (
            ("periods", _PERIODS.format(key)),
            ("mart", _MART.format(key.replace("p.", ""))),
            ("function", _FUNCTION.format(argument)),
        )
    },
}


def as_of(store: Store, ground: Ground, size: int, n_samples: int) -> dict[str, Any]:
    """Medians of prepared as-of reads over that of a primary-key lookup, reads in turns."""
    draw = np.random.default_rng(7)
    n_subjects = size // STATEMENTS_A_SUBJECT
    took: dict[str, list[float]] = defaultdict(list)
    rows: dict[str, int] = defaultdict(int)
    with store.connect(READER) as reader:
        server = reader.pgconn
        oids = dict(
            reader.execute(
                "select typname, oid from pg_type"
                " where typname in ('uuid', 'int4', 'timestamptz', 'int8')"
            ).fetchall()
        )
        for name, (query, types) in READS.items():
            _check(server.prepare(name.encode(), query.encode(), [oids[t] for t in types]))
        for n in range(n_samples // TURN):
            for name in READS:
                for _ in range(TURN):
                    moment = str(DAY_0.replace(year=2024 + n % 3))
                    if name == "primary_key":
                        other = int(draw.integers(n_subjects))
                        values = [str(first_atom_id(other)), str(subject_id(other))]
                    else:
                        subject = str(subject_id(int(draw.integers(n_subjects))))
                        predicate = ground.predicates[SINGLE[int(draw.integers(len(SINGLE)))]]
                        asked = str(predicate if name.endswith("_key") else 0)
                        values = [subject, asked, moment, moment]
                    parameters = [value.encode() for value in values]
                    start = time.perf_counter()
                    result = server.exec_prepared(name.encode(), parameters)
                    took[name].append(time.perf_counter() - start)
                    _check(result)
                    rows[name] += result.ntuples
    medians = {name: statistics.median(values) for name, values in took.items()}
    base = medians.pop("primary_key")
    return {
        "primary_key_us": round(base * 1e6, 1),
        **{name: round(value / base, 2) for name, value in medians.items()},
        "rows_a_read": {name: round(n / n_samples, 2) for name, n in rows.items()},
    }


def _check(result: Any) -> None:
    if result.error_message:
        raise RuntimeError(result.error_message.decode())


########## dbt


def run_dbt(store: Store, *arguments: str) -> dict[str, float]:
    """Run the project's models; returns the seconds of each model, without dbt's start-up."""
    with tempfile.TemporaryDirectory(prefix="mp-bench-dbt-") as written:
        environment = build_environment(store.services, Path(written))
        environment["MEMORY_DBT_DBNAME"] = store.name
        script = "import sys; from dbt.cli.main import dbtRunner;"
        script += " sys.exit(not dbtRunner().invoke(sys.argv[1:]).success)"
        done = subprocess.run(
            [
                sys.executable, "-c", script, "run", *arguments, "--project-dir", str(PROJECT),
                "--profiles-dir", str(PROJECT), "--target-path", written, "--log-path", written,
                "--threads", "1",
            ],
            env=environment,
            capture_output=True,
            text=True,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
        results = json.loads((Path(written) / "run_results.json").read_text(encoding="utf-8"))
    return {r["unique_id"].rsplit(".", 1)[-1]: r["execution_time"] for r in results["results"]}


TABLES = ("int_refresh", "int_touched_entities", "int_subjects", "int_touched_keys", "atom_periods")


def refresh(store: Store, ground: Ground, size: int, n_times: int = 2) -> dict[str, float]:
    """Seconds of a refresh after `N_LATER` new atoms, the best of some: of the tables alone, and
    of all models, views that are made anew included."""
    took = []
    for attempt in range(n_times):
        chunk = later_atoms(ground, size // STATEMENTS_A_SUBJECT, N_LATER, attempt)
        with store.connect("mem_ingest") as ingest:
            insert_chunk(ingest, ground, chunk, base=False)
        took.append(run_dbt(store))
    tables = min(sum(seconds[name] for name in TABLES) for seconds in took)
    return {
        "tables_s": round(tables, 3),
        "all_models_s": round(min(sum(seconds.values()) for seconds in took), 3),
        **{f"{name}_s": round(min(s[name] for s in took), 3) for name in TABLES},
    }


########## scans


_HELD = (
    "(p.valid_from is null or p.valid_from <= $1) and (p.valid_to is null or p.valid_to > $1)"
    " and (p.known_from is null or p.known_from <= $2)"
    " and (p.known_to is null or p.known_to > $2)"
)
_SCANNED = "select count(*), sum(length(text)), count(object) from "
SCANS = {
    "plain_content": _SCANNED + "memory.atom_content",
    "plain_periods": "select count(*), max(atom_id::text), max(known_from) from marts.atom_periods",
    "periods": (
        "select count(*), max(atom_id::text), max(known_from) from marts.atom_periods as p where "
        + _HELD
    ),
    "periods_with_content": (
        _SCANNED + "marts.atom_periods as p"
        " join memory.atom_content as c on c.atom_id = p.atom_id and c.subject_id = p.told_of_id"
        " where " + _HELD
    ),
    "function_with_content": (
        _SCANNED + "(select distinct subject_id from memory.atom) as s"
        " cross join lateral memory.as_of(array[s.subject_id], null, $1, $2) as a"
    ),
}


def scan(store: Store) -> dict[str, Any]:
    """Seconds of scans of everything in the reader's role, the best of two each, and ratios."""
    moment = DAY_0 + timedelta(days=DAYS)
    took: dict[str, float] = {}
    n_rows = {}
    with store.connect(READER) as reader:
        for name, query in SCANS.items():
            for _ in range(2):
                start = time.perf_counter()
                bound = query.replace("$1", "%(at)s").replace("$2", "%(at)s")
                n_rows[name] = _one(reader, bound, {"at": moment})
                seconds = time.perf_counter() - start
                took[name] = min(seconds, took.get(name, seconds))
    return {
        "n_rows": n_rows,
        **{f"{name}_s": round(seconds, 3) for name, seconds in took.items()},
        "periods_over_plain": round(took["periods"] / took["plain_periods"], 2),
        "periods_with_content_over_plain": round(
            took["periods_with_content"] / took["plain_content"], 2
        ),
        "function_over_plain": round(took["function_with_content"] / took["plain_content"], 2),
    }


########## the whole


def measure(services: Services, size: int, n_samples: int) -> dict[str, Any]:
    """All figures of one size."""
    with fresh_store(services, f"store_{size}") as store:
        with fresh_store(services, f"copy_{size}") as unguarded:
            ground, loaded = load(store, unguarded, size)
        store.maintain()
        start = time.perf_counter()
        built = run_dbt(store, "--full-refresh")
        store.maintain()
        return {
            "load": loaded,
            "full_build_s": round(time.perf_counter() - start, 1),
            "full_build_periods_s": round(built["atom_periods"], 1),
            "as_of": as_of(store, ground, size, n_samples),
            "scan": scan(store),
            "refresh": refresh(store, ground, size),
        }


def apart(parts: Mapping[str, Any]) -> dict[str, Any]:
    """How far the largest size is from the smallest."""
    small, large = parts[min(parts, key=int)], parts[max(parts, key=int)]
    return {
        "as_of": {
            name: round(large["as_of"][name] / small["as_of"][name], 2) for name in AS_OF_GOALS
        },
        "refresh_tables": round(large["refresh"]["tables_s"] / small["refresh"]["tables_s"], 2),
        "refresh_all_models": round(
            large["refresh"]["all_models_s"] / small["refresh"]["all_models_s"], 2
        ),
    }


def missed(report: Mapping[str, Any]) -> list[str]:
    """Goals that the figures do not reach, in words."""
    found = []

    def hold(what: str, value: float, goal: float, *, at_least: bool = False) -> None:
        if value < goal if at_least else value > goal:
            found.append(f"{what}: {value}, goal {'at least' if at_least else 'at most'} {goal}")

    for size, part in report["sizes"].items():
        load_share = part["load"]["share_of_guarded_copy"]
        hold(f"{size} load", load_share, 0.5, at_least=True)
        for name, goal in AS_OF_GOALS.items():
            hold(f"{size} as-of {name}", part["as_of"][name], goal)
        hold(f"{size} scan", part["scan"]["periods_with_content_over_plain"], 4.0)
    for name, value in report["apart"]["as_of"].items():
        hold(f"as-of {name}, large over small", value, 1.3)
    hold("refresh, large over small", report["apart"]["refresh_tables"], 1.5)
    if "vectors" in report:
        hold("recall@10", report["vectors"]["recall_at_10"], 0.99, at_least=True)
    return found


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES, metavar="SIZE")
    parser.add_argument("--samples", type=int, default=2_000, help="reads of each kind")
    parser.add_argument("--vectors", type=int, default=40_000, help="0: leave them out")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    home = folder / "home"
    try:
        services = ready(home)
        services.add_login(READER)
        services.add_login(TEAM_READER)
        report: dict[str, Any] = {"sizes": {}}
        for size in sorted(size - size % STATEMENTS_A_SUBJECT for size in asked.sizes):
            report["sizes"][str(size)] = measure(services, size, asked.samples)
            print(f"{size} statements measured", file=sys.stderr)
        report["apart"] = apart(report["sizes"])
        if asked.vectors:
            with fresh_store(services, "vectors") as store:
                report["vectors"] = vectors(store, lay_ground(store), asked.vectors)
        report["missed"] = missed(report)
        print(json.dumps(report, indent=2))
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
