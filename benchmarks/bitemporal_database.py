"""Stores of `benchmarks.bitemporal`: databases, the load through the product's bulk path and by
COPY, and the dbt project over them."""

import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql

from benchmarks.bitemporal_store import (
    BASE_COLUMNS,
    STATEMENT_COLUMNS,
    STATEMENTS_A_SUBJECT,
    Chunk,
    Ground,
    chunks,
    later_atoms,
)
from memory_pipeline import migrations
from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.registry import register
from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.dbt_project import PROJECT, build_environment
from memory_pipeline.understand.registry import builtin_predicates

TENANT = "benchmark"
READER = "benchmark_reader"
TEAM_READER = "benchmark_team"
N_LATER = 1_000
TABLES = ("int_refresh", "int_touched_entities", "int_subjects", "int_touched_keys", "atom_periods")
Connection = psycopg.Connection[Any]


@dataclass(frozen=True)
class Store:
    """One database of the benchmark's home."""

    services: Services
    name: str

    def connect(self, login: str) -> Connection:
        """An autocommit connection of a login."""
        return psycopg.connect(self.services.pg_dsn(login, self.name), autocommit=True)

    def maintain(self, *tables: str) -> None:
        """Vacuum and analyze tables, or all of the database, and write out what was changed: else
        the reads that come next do it, one by one, in a large store only."""
        with self.connect("mem_super") as admin:
            admin.execute(f"vacuum (analyze) {', '.join(tables)}".encode())
            admin.execute("checkpoint")


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
        tenant_id = one_value(
            owner, "select tenant_id from memory.tenant where name = %s", [TENANT]
        )
        audiences = [
            one_value(
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
        extractor_id = one_value(
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


def one_value(connection: Connection, query: str, parameters: Any = ()) -> Any:
    """The first value of the one row of a query."""
    row = connection.execute(query.encode(), parameters).fetchone()
    if row is None:
        raise RuntimeError("a statement that returns a row returned none")
    return row[0]


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


def refresh(store: Store, ground: Ground, size: int, attempt: int) -> dict[str, float]:
    """Seconds of each model in a refresh after `N_LATER` new atoms."""
    chunk = later_atoms(ground, size // STATEMENTS_A_SUBJECT, N_LATER, attempt)
    with store.connect("mem_ingest") as ingest:
        insert_chunk(ingest, ground, chunk, base=False)
    return run_dbt(store)


def best(took: Sequence[dict[str, float]]) -> dict[str, float]:
    """The best of some refreshes: of the tables alone, and of all models, views that are made anew
    included."""
    return {
        "tables_s": round(min(sum(seconds[name] for name in TABLES) for seconds in took), 3),
        "all_models_s": round(min(sum(seconds.values()) for seconds in took), 3),
        **{f"{name}_s": round(min(s[name] for s in took), 3) for name in TABLES},
    }
