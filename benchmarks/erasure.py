"""Erasure over stores with derivations, vectors and graph, against raw deletes of the same rows.

    python -m benchmarks.erasure [--atoms N] [--facts N] [--vectors N] [--dim D]

Prints JSON: for one atom in a hundred (a tag of many people) and for one person with a tenth of the
store the time to state `erased`, the scrub, the verification; and what planning a fixed scope takes
in stores of 10 thousand, 100 thousand and N atoms.

What is compared. The product's side is all that stands between a sealed plan and a store without the
content: the transaction of the content (the plan looked at again, answers read and redacted, rows
deleted, texts masked, tombstones, redactions, the batch with its Merkle root, the audit event), then
the rows of full text, vectors and graph. The raw side is one run of DELETEs over the same rows: of
every content table by the plan's ids, of a message that is only masked its whole row; of full text
and vectors by the same ids; of the graph's facts, twins that were laid beside them, last written first as the
product does (`erased_over_raw_with_fresh_graph` has instead as many that were put in a moment before, a thousand at
a time: they lie beside one another, of subjects with few others, and cost a third). It knows its rows
beforehand, has no triggers, no references, no policies, and leaves no trace. What an erasure must do
beyond a DELETE is the product's cost.

Not in that ratio, and printed in `steps_s`: fence, discovery, needles (which are the plan and its
proof; `whole_over_raw` has them too), and `restored`, which indexes what stands, redacted, anew.
`locked_s` is how long nobody else could write in the tenant.

The scrub is held against VACUUM FULL of the touched partitions and indexed tables, store by store in
turns, `content_scrub_over_vacuum_full` for the content tables alone. The raw side runs in a copy of
the store, just before the product's, so that a loaded machine slows both; before either, some thousand
facts are put in the graph and removed as each side does it, until its server has compiled both. Facts of the graph and
vectors, beside those that the scopes erase, are as many as asked for: building an HNSW index of a
million takes longer than all else. Works in a home of its own that is removed at the end.
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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from psycopg import sql

from benchmarks.bitemporal_database import READER, TEAM_READER, Store, fresh_store, lay_ground
from benchmarks.bitemporal_store import Ground
from benchmarks.erasure_raw import (
    TABLES,
    chunks,
    copied,
    delete,
    graph_rows,
    prepare,
    tables_of,
    warm,
    with_twins,
)
from benchmarks.erasure_store import DERIVED, FIXED, SCOPE, Drawn, fill, index, large_subject
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import ErasureState, Selector
from memory_pipeline.governance.erasure import execution, plan, requests, scrub, sweep
from memory_pipeline.governance.erasure.stores import Store as Place
from memory_pipeline.governance.erasure.stores_derived import FullText, Graph, Vectors
from memory_pipeline.governance.erasure.work import Connection, Connections, Work
from memory_pipeline.index import graph
from memory_pipeline.index.embedder import table_name
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop

SMALLEST = (10_000, 100_000)
ERASED_GOAL, SCRUB_GOAL = 3.0, 1.3
N_PLANS = 3
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
                # as the product's refresh
                " order by f.batch_no, f.id"
            ).format(
                large=str(large), scope=SCOPE[0], derived=DERIVED,
                share=n_others * 1000 // max(self.n_atoms, 1),
            )  # fmt: skip
            with driver.session(database=services.graph_database) as session:
                erased = (SCOPE[0], DERIVED)
                written = with_twins(
                    graph_rows(builder, chosen),
                    lambda row: (
                        row["subject"] == str(large) or row["properties"]["predicate"] in erased
                    ),
                )
                for rows in chunks(written):
                    session.execute_write(graph._write, rows)
                    n_facts += len(rows)
        return n_facts

    def erase(self, selector: Selector) -> dict[str, Any]:
        """A scope erased by the product, and the same rows raw in a copy of the store."""
        seconds: dict[str, float] = {}
        locked: dict[str, float] = {}
        services = self.store.services
        vectors = table_name(self.embedder.name, self.embedder.dim)
        with (
            copied(self.store) as copy,
            copy.connect("mem_super") as admin,
            copy.connect("mem_eraser") as copy_eraser,
            _Connections(services, self.store.name) as connections,
        ):
            raw_request = requests.file_request(
                copy_eraser, self.ground.tenant_id, self.keys, selector
            )
            plan.fence(copy_eraser, raw_request, self.keys)
            plan.discover(copy_eraser, raw_request, self.keys)
            prepare(admin, raw_request)
            request_id = requests.file_request(
                connections.get("mem_eraser"), self.ground.tenant_id, self.keys, selector
            )
            work = Work(services, self.ground.tenant_id, request_id, connections)
            work.__dict__["embedder"] = self.embedder
            seconds["fence"] = _timed(execution.fence, work)
            locked["fence"] = self._since_entered(work)
            seconds["discovery"] = _timed(plan.discover, work.eraser, request_id, work.keys)
            seconds["needles"] = _timed(sweep.seal_needles, work)
            requests.advance(work.eraser, request_id, ErasureState.keys_destroyed)
            touched = {
                place.name: tables_of(place, admin, vectors) for place in (*TABLES, *INDEXES)
            }
            n_warmed = warm(copy, admin)
            raw = delete(copy, admin, vectors)
            seconds["content"] = _timed(_erase_content, work)
            locked["content"] = self._since_entered(work)
            for place in INDEXES:
                seconds[place.name] = _timed(_swept, work, place)
            seconds["restored"] = _timed(sweep.restore, work, INDEXES, ())
            scrub.wait_for_horizon(work.eraser)
            scrub.wait_for_horizon(copy_eraser)
            scrubs = {
                place.name: (
                    _timed(scrub.rewrite, copy_eraser, touched[place.name]),
                    _timed(place.scrub, work),
                )
                for place in (*TABLES, *INDEXES)
            }
            verified = {}
            for place in (*TABLES, *INDEXES):
                start = time.perf_counter()
                report = place.verify(work)
                verified[place.name] = round(time.perf_counter() - start, 3)
                if report.n_left:
                    raise RuntimeError(f"{place.name} still holds {report.n_left} items")
        erased = sum(seconds[name] for name in ("content", *(place.name for place in INDEXES)))
        planned = sum(seconds[name] for name in ("fence", "discovery", "needles"))
        raw_s = raw["content"] + raw["indexes"] + raw["graph"]
        raw_scrub, own_scrub = map(sum, zip(*scrubs.values(), strict=True))
        raw_content, own_content = map(
            sum, zip(*(scrubs[place.name] for place in TABLES), strict=True)
        )
        return {
            "n_rows": int(raw.pop("n_rows")),
            "n_vectors_made_again": int(raw.pop("n_redacted")),
            "n_facts_warmed_each": n_warmed,
            "raw_s": {name: round(value, 3) for name, value in raw.items()},
            "steps_s": {name: round(value, 3) for name, value in seconds.items()},
            "locked_s": {name: round(value, 3) for name, value in locked.items()},
            "erased_over_raw": round(erased / raw_s, 2),
            "erased_over_raw_with_fresh_graph": round(
                erased / (raw_s - raw["graph"] + raw["fresh_graph"]), 2
            ),
            "in_postgres_over_raw": round(
                (erased - seconds["graph"]) / (raw["content"] + raw["indexes"]), 2
            ),
            "content_over_raw": round(seconds["content"] / raw["content"], 2),
            "whole_over_raw": round((erased + planned) / raw_s, 2),
            "scrub_s": round(own_scrub, 3),
            "vacuum_full_s": round(raw_scrub, 3),
            "scrub_over_vacuum_full": round(own_scrub / raw_scrub, 2),
            "content_scrub_over_vacuum_full": round(own_content / raw_content, 2),
            "n_scrubbed": sum(map(len, touched.values())),
            "verification_s": round(sum(verified.values()), 2),
            "slowest_verified": dict(sorted(verified.items(), key=lambda at: -at[1])[:3]),
        }

    @staticmethod
    def _since_entered(work: Work) -> float:
        """Seconds since the last step that held the tenant began to."""
        row = work.eraser.execute(
            "select extract(epoch from clock_timestamp() - max(at)) from memory.erasure_epoch"
            " where request_id = %s",
            (work.request_id,),
        ).fetchone()
        return float(row[0]) if row else 0.0


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


@contextmanager
def made(services: Services, size: int, dim: int, n_vectors: int) -> Iterator[Bench]:
    """A store of about so many atoms, indexed; the graph apart."""
    with fresh_store(services, f"erasure_{size}") as store:
        ground, keys = lay_ground(store), Keys(services.keyed_hash_key())
        fill(store, ground, keys, size)
        embedder = index(store, keys, dim, min(n_vectors / size, 1.0))
        store.maintain()
        yield Bench(store, ground, keys, embedder, size)


def missed(report: dict[str, Any]) -> list[str]:
    """Goals that the figures do not reach, in words."""
    found = []
    for scope, part in report["scopes"].items():
        for name, goal in (
            ("erased_over_raw", ERASED_GOAL),
            ("scrub_over_vacuum_full", SCRUB_GOAL),
            ("content_scrub_over_vacuum_full", SCRUB_GOAL),
        ):
            if part[name] > goal:
                found.append(f"{scope} {name}: {part[name]}, goal at most {goal}")
    return found


def main() -> None:
    """Run the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--atoms", type=int, default=100_000, metavar="N")
    parser.add_argument("--facts", type=int, default=50_000, help="of the graph, beside the erased")
    parser.add_argument("--vectors", type=int, default=50_000, help="beside those of the erased")
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
            with made(services, size, asked.dim, asked.vectors) as bench:
                report["plan"][str(size)] = bench.plan_time(fixed)
        start = time.perf_counter()
        with made(services, asked.atoms, asked.dim, asked.vectors) as bench:
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
