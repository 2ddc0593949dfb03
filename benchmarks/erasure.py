"""Erasure over stores with derivations, vectors and graph, against raw deletes of the same rows.

    python -m benchmarks.erasure [--atoms N] [--dim D]

Prints JSON: for one atom in a hundred (a tag of many people) and for one person with a tenth of the
store the time to state `erased` (the content's transaction, then full text, vectors and graph) over
one raw DELETE of the same content rows with the deletes from the same indexes; the scrub over
VACUUM FULL of the touched partitions; the verification; and what planning a fixed scope takes in
stores of 10 thousand, 100 thousand and N atoms. Raw deletes and rewrites run in a copy of the store,
just before, so that a loaded machine slows both. Works in a home of its own that is removed at the
end.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID, uuid4, uuid5

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from benchmarks.bitemporal_database import READER, TEAM_READER, Store, fresh_store, lay_ground
from benchmarks.bitemporal_store import Ground
from benchmarks.erasure_store import DERIVED, FIXED, SCOPE, Drawn, fill, index, large_subject
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import ErasureState, Selector
from memory_pipeline.governance.erasure import execution, plan, requests, scrub, sweep
from memory_pipeline.governance.erasure.stores import Store as Place
from memory_pipeline.governance.erasure.stores_database import CONTENT_TABLES, MessageTable
from memory_pipeline.governance.erasure.stores_derived import FullText, Graph, Vectors
from memory_pipeline.governance.erasure.work import Connection, Connections, Work
from memory_pipeline.index import graph
from memory_pipeline.index.embedder import table_name
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop

T = TypeVar("T")
SMALLEST = (10_000, 100_000)
ERASED_GOAL, SCRUB_GOAL = 3.0, 1.3
N_PLANS = 3
COPY_TRIES = 60
TABLES: tuple[Place, ...] = (MessageTable(), *CONTENT_TABLES)
CONTENT = (
    ("message_content", "message_id", "message"),
    *((table.table, table.key, table.item_kind) for table in CONTENT_TABLES),
)
INDEXES: tuple[Place, ...] = (FullText(), Vectors(), Graph())


class _Connections(Connections):
    """Connections to a store beside the home's own database."""

    def __init__(self, services: Services, database: str) -> None:
        super().__init__(services)
        self._database = database

    def get(self, login: str, database: str | None = None) -> Connection:
        """As the product asks, but in the store."""
        return super().get(login, database or self._database)


class Bench:
    """One store with what its measures share."""

    def __init__(
        self, store: Store, ground: Ground, keys: Keys, embedder: Drawn, n_atoms: int
    ) -> None:
        self.store = store
        self.ground = ground
        self.keys = keys
        self.embedder = embedder
        self.n_atoms = n_atoms

    @contextmanager
    def planned(self, store: Store, selector: Selector) -> Iterator[tuple[Connection, UUID]]:
        """A connection with a request that is planned to the end."""
        with store.connect("mem_eraser") as eraser:
            request_id = requests.file_request(eraser, self.ground.tenant_id, self.keys, selector)
            plan.fence(eraser, request_id, self.keys)
            plan.discover(eraser, request_id, self.keys)
            yield eraser, request_id

    def plan_time(self, selector: Selector) -> dict[str, float]:
        """Seconds of the fence and of discovery, the medians of some; all is undone."""
        took: dict[str, list[float]] = {"fence_s": [], "discovery_s": []}
        with self.store.connect("mem_eraser") as eraser:
            for _ in range(N_PLANS):
                with eraser.transaction(force_rollback=True):
                    request_id = requests.file_request(
                        eraser, self.ground.tenant_id, self.keys, selector
                    )
                    for name, step in (("fence_s", plan.fence), ("discovery_s", plan.discover)):
                        took[name].append(_timed(step, eraser, request_id, self.keys))
        return {name: round(statistics.median(seconds), 3) for name, seconds in took.items()}

    def fill_graph(self, n_others: int) -> int:
        """The facts that the scopes erase, and some others; returns how many."""
        large = large_subject(self.keys)
        n_facts = 0
        services = self.store.services
        with self.store.connect("mem_builder") as builder, services.graph_driver() as driver:
            graph.prepare(driver, services.graph_database)
            chosen = sql.SQL(
                " where f.subject = {large} or f.predicate in ({scope}, {derived})"
                " or mod(hashtext(f.id)::bigint + 2147483648, 1000) < {share}"
            ).format(
                large=str(large), scope=SCOPE[0], derived=DERIVED,
                share=n_others * 1000 // max(self.n_atoms, 1),
            )  # fmt: skip
            with driver.session(database=services.graph_database) as session:
                for rows in _chunks(_graph_rows(builder, chosen)):
                    session.execute_write(graph._write, rows)
                    n_facts += len(rows)
        return n_facts

    def erase(self, selector: Selector) -> dict[str, Any]:
        """A scope erased by the product, and the same rows raw in a copy of the store."""
        raw = self._raw(selector)
        seconds: dict[str, float] = {}
        services = self.store.services
        with _Connections(services, self.store.name) as connections:
            request_id = requests.file_request(
                connections.get("mem_eraser"), self.ground.tenant_id, self.keys, selector
            )
            work = Work(services, self.ground.tenant_id, request_id, connections)
            work.__dict__["embedder"] = self.embedder
            seconds["fence"] = _timed(execution.fence, work)
            seconds["discovery"] = _timed(plan.discover, work.eraser, request_id, work.keys)
            seconds["needles"] = _timed(sweep.seal_needles, work)
            requests.advance(work.eraser, request_id, ErasureState.keys_destroyed)
            seconds["content"] = _timed(_erase_content, work)
            for place in INDEXES:
                seconds[place.name] = _timed(_swept, work, place)
            scrub.wait_for_horizon(work.eraser)
            seconds["scrub"] = sum(_timed(place.scrub, work) for place in (*TABLES, *INDEXES))
            verified = {}
            for place in (*TABLES, *INDEXES):
                start = time.perf_counter()
                report = place.verify(work)
                verified[place.name] = round(time.perf_counter() - start, 3)
                if report.n_left:
                    raise RuntimeError(f"{place.name} still holds {report.n_left} items")
        erased = sum(seconds[name] for name in ("content", *(place.name for place in INDEXES)))
        raw_s = raw["content_s"] + raw["indexes_s"] + raw["graph_s"]
        return {
            "n_rows": raw["n_rows"],
            "n_vectors_made_again": raw["n_redacted"],
            "raw_s": {name: round(raw[name], 3) for name in raw if name.endswith("_s")},
            "steps_s": {name: round(value, 3) for name, value in seconds.items()},
            "erased_over_raw": round(erased / raw_s, 2),
            "in_postgres_over_raw": round(
                (erased - seconds["graph"]) / (raw["content_s"] + raw["indexes_s"]), 2
            ),
            "content_over_raw": round(seconds["content"] / raw["content_s"], 2),
            "scrub_over_vacuum_full": round(seconds["scrub"] / raw["rewrite_s"], 2),
            "verification_s": round(sum(verified.values()), 2),
            "slowest_verified": dict(sorted(verified.items(), key=lambda at: -at[1])[:3]),
        }

    def _raw(self, selector: Selector) -> dict[str, Any]:
        """The same rows deleted, and the touched partitions rewritten, in a copy of the store."""
        with (
            _copied(self.store) as copy,
            self.planned(copy, selector) as (eraser, request_id),
            copy.connect("mem_super") as admin,
        ):
            # nothing of the product's: no triggers, no look for references
            admin.execute("set session_replication_role = replica")
            admin.execute(
                "create temporary table planned as select kind::text as kind, action::text, item_id"
                " from memory.erasure_item where request_id = %s and action in ('redact', 'erase')",
                (request_id,),
            )
            admin.execute("create index on pg_temp.planned (kind, item_id)")
            admin.execute("analyze pg_temp.planned")
            content = [
                sql.SQL("delete from {} as c using {}").format(
                    sql.Identifier("memory", table), _rows_of(table, key, kind)
                )
                for table, key, kind in CONTENT
            ]
            items = sql.SQL(
                "delete from {} where item_id in (select item_id from pg_temp.planned"
                " where kind in ('atom', 'message'))"
            )
            vectors = table_name(self.embedder.name, self.embedder.dim)
            indexes = [
                items.format(sql.Identifier("derived", name)) for name in ("full_text", vectors)
            ]
            rewritten = [("memory", name) for name in _touched(admin)]
            rewritten += [("derived", "full_text"), ("derived", vectors)]
            facts = [
                row[0]
                for row in admin.execute(
                    "select item_id from pg_temp.planned where kind = 'atom' and action = 'erase'"
                )
            ]
            graph_s = self._raw_graph(copy, facts)
            n_rows, content_s = _run(admin, content)
            _, indexes_s = _run(admin, indexes)
            redacted = admin.execute(
                "select count(*) from pg_temp.planned where kind = 'message' and action = 'redact'"
            ).fetchone()
            scrub.wait_for_horizon(eraser)
            rewrite_s = _timed(scrub.rewrite, eraser, rewritten)
        return {
            "n_rows": n_rows,
            "n_redacted": redacted and redacted[0],
            "content_s": content_s,
            "indexes_s": indexes_s,
            "graph_s": graph_s,
            "rewrite_s": rewrite_s,
        }

    def _raw_graph(self, copy: Store, facts: list[UUID]) -> float:
        """Seconds to delete as many facts of the same shape, which are put in first."""
        database = copy.services.graph_database
        took = 0.0
        with copy.connect("mem_builder") as builder, copy.services.graph_driver() as driver:
            for chosen in _chunks(facts):
                ids = sql.SQL(" where f.id = any({})").format([str(fact) for fact in chosen])
                twins = list(_graph_rows(builder, ids))
                for row in twins:
                    # with ends of their own: those of the store keep their degrees
                    row["id"] = str(uuid4())
                    row["subject"] = str(uuid5(UUID(row["subject"]), "twin"))
                    row["value"] = row["value"] and f"twin {row['value']}"
                with driver.session(database=database) as session:
                    session.execute_write(graph._write, twins)
                    start = time.perf_counter()
                    session.execute_write(_remove_facts, [row["id"] for row in twins])
                    took += time.perf_counter() - start
        return took


def _remove_facts(transaction: Any, ids: list[str]) -> None:
    transaction.run("UNWIND $ids AS id MATCH (f:Fact {id: id}) DETACH DELETE f", ids=ids).consume()


def _timed(step: Callable[..., Any], *arguments: Any) -> float:
    start = time.perf_counter()
    step(*arguments)
    return time.perf_counter() - start


def _erase_content(work: Work) -> None:
    while not sweep.erase_content(work):
        sweep.seal_needles(work)


def _swept(work: Work, place: Place) -> None:
    if sweep.sweep(work, [place], (), lambda _: None):
        raise RuntimeError(f"{place.name} does not answer")


def _rows_of(table: str, key: str, kind: str) -> sql.Composed:
    """The planned rows of a content table, looked for in the partition where they lie."""
    joined, matched = "", ""
    if owner := {"message_content": "dialog_id", "atom_content": "subject_id"}.get(table):
        joined = f" join memory.{kind} as m on m.{kind}_id = p.item_id"
        matched = f" and c.{owner} = m.{owner}"
    return sql.SQL("{} as p{} where p.kind = {} and c.{} = p.item_id{}").format(
        sql.Identifier("pg_temp", "planned"), sql.SQL(joined), kind, sql.Identifier(key),
        sql.SQL(matched),
    )  # fmt: skip


def _touched(admin: Connection) -> list[str]:
    """The tables and partitions of content that hold planned rows."""
    return [
        row[0]
        for table, key, kind in CONTENT
        for row in admin.execute(
            sql.SQL(
                "select distinct r.relname from {} as c cross join pg_class as r cross join {}"
                " and r.oid = c.tableoid"
            ).format(sql.Identifier("memory", table), _rows_of(table, key, kind))
        )
    ]


def _run(admin: Connection, statements: list[sql.Composed]) -> tuple[int, float]:
    """Rows and seconds of one transaction."""
    start = time.perf_counter()
    with admin.transaction():
        n_rows = sum(admin.execute(statement).rowcount for statement in statements)
    return n_rows, time.perf_counter() - start


@contextmanager
def _copied(store: Store) -> Iterator[Store]:
    """A copy of a store that nobody is connected to, dropped after."""
    name = f"{store.name}_raw"
    admin_dsn = store.services.pg_dsn("mem_super", "postgres")
    copying = sql.SQL("create database {} template {}").format(
        sql.Identifier(name), sql.Identifier(store.name)
    )
    with psycopg.connect(admin_dsn, autocommit=True) as admin:
        for remaining in reversed(range(COPY_TRIES)):
            try:
                admin.execute(copying)
                break
            except psycopg.errors.ObjectInUse:
                # a worker of autovacuum is still connected
                if not remaining:
                    raise
                time.sleep(1)
    try:
        yield Store(store.services, name)
    finally:
        with psycopg.connect(admin_dsn, autocommit=True) as admin:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


def _graph_rows(builder: Connection, which: sql.Composed) -> Iterator[dict[str, Any]]:
    """Facts as the graph takes them, of the atoms that a condition on `f` chooses."""
    with (
        builder.transaction(),
        builder.cursor(f"facts_{uuid4().hex}", row_factory=dict_row) as cursor,
    ):
        cursor.itersize = graph.ROWS_AT_ONCE
        cursor.execute(sql.SQL("select * from ({}) as f{}").format(graph.FACTS, which))
        for fact in cursor:
            yield graph.as_row(fact)


def _chunks(rows: Iterable[T]) -> Iterator[list[T]]:
    remaining = iter(rows)
    while some := list(islice(remaining, graph.ROWS_AT_ONCE)):
        yield some


@contextmanager
def made(services: Services, size: int, dim: int) -> Iterator[Bench]:
    """A store of about so many atoms, indexed; the graph apart."""
    with fresh_store(services, f"erasure_{size}") as store:
        ground, keys = lay_ground(store), Keys(services.keyed_hash_key())
        fill(store, ground, keys, size)
        embedder = index(store, dim)
        store.maintain()
        yield Bench(store, ground, keys, embedder, size)


def missed(report: dict[str, Any]) -> list[str]:
    """Goals that the figures do not reach, in words."""
    found = []
    for scope, part in report["scopes"].items():
        for name, goal in (
            ("erased_over_raw", ERASED_GOAL),
            ("scrub_over_vacuum_full", SCRUB_GOAL),
        ):
            if part[name] > goal:
                found.append(f"{scope} {name}: {part[name]}, goal at most {goal}")
    return found


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--atoms", type=int, default=100_000, metavar="N")
    parser.add_argument("--facts", type=int, default=50_000, help="of the graph, beside the erased")
    parser.add_argument("--dim", type=int, default=64, help="of the vectors")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    home = folder / "home"
    report: dict[str, Any] = {"atoms": asked.atoms, "load": os.getloadavg(), "plan": {}}
    try:
        services = ready(home)
        services.add_login(READER)
        services.add_login(TEAM_READER)
        fixed = Selector(tags=(FIXED[1],))
        for size in (size for size in SMALLEST if size < asked.atoms):
            with made(services, size, asked.dim) as bench:
                report["plan"][str(size)] = bench.plan_time(fixed)
        start = time.perf_counter()
        with made(services, asked.atoms, asked.dim) as bench:
            report["filled_s"] = round(time.perf_counter() - start)
            report["plan"][str(asked.atoms)] = bench.plan_time(fixed)
            scopes = {
                "one_in_a_hundred": Selector(tags=(SCOPE[1],)),
                "one_large_subject": Selector(entity_id=large_subject(bench.keys)),
            }
            report["n_facts"] = bench.fill_graph(asked.facts)
            report["filled_with_graph_s"] = round(time.perf_counter() - start)
            print(json.dumps(report), file=sys.stderr)
            report["scopes"] = {}
            for name, selector in scopes.items():
                report["scopes"][name] = bench.erase(selector)
                print(json.dumps({name: report["scopes"][name]}), file=sys.stderr)
        report["load_after"] = os.getloadavg()
        report["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        report["missed"] = missed(report)
        print(json.dumps(report, indent=2))
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
