"""The bitemporal store under load: writing, as-of reads, dbt refreshes, filtered vector search.

    python -m benchmarks.bitemporal [SIZE…] [--samples N] [--vectors N]

SIZE is a number of statements (atoms, and about one closure among twenty); the default sizes are
10 thousand, 100 thousand and a million. Prints every line that is held to a goal, or reported, and
then JSON with a part for each size; ratios are taken inside one run. Row-level security is on,
reads are a reading login's, prepared, and timed in turns, so that a loaded machine slows all of
them. Works in a home of its own that is removed at the end.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.bitemporal_database import (
    N_LATER,
    READER,
    TEAM_READER,
    Store,
    best,
    fresh_store,
    lay_ground,
    load,
    refresh,
    run_dbt,
)
from benchmarks.bitemporal_reads import as_of, scan
from benchmarks.bitemporal_recall import recall
from benchmarks.bitemporal_store import STATEMENTS_A_SUBJECT, Ground
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop

SIZES = (10_000, 100_000, 1_000_000)
N_REFRESHES = 2
AS_OF_GOALS = {
    "periods_key": 1.5,
    "periods_subject": 2.5,
    "function_key": 3.0,
    "function_subject": 6.0,
}
WORDS = {
    "periods_key": "periods, one key",
    "periods_subject": "periods, a subject of twenty",
    "function_key": "function, one key",
    "function_subject": "function, a subject of twenty",
}


@dataclass(frozen=True)
class Filled:
    """A store, the ids it had before its first person, and its number of statements."""

    store: Store
    ground: Ground
    size: int


def fill(store: Store, services: Services, size: int) -> tuple[Filled, dict[str, Any]]:
    """Load a store and build its marts; figures of both."""
    with fresh_store(services, f"copy_{size}") as unguarded:
        ground, loaded = load(store, unguarded, size)
    store.maintain()
    start = time.perf_counter()
    built = run_dbt(store, "--full-refresh")
    store.maintain()
    return Filled(store, ground, size), {
        "load": loaded,
        "full_build_s": round(time.perf_counter() - start, 1),
        "full_build_periods_s": round(built["atom_periods"], 1),
    }


def refreshes(filled: Sequence[Filled], n_times: int) -> list[dict[str, float]]:
    """Figures of refreshes, store by store in turns, so that all of them see the same machine."""
    took: list[list[dict[str, float]]] = [[] for _ in filled]
    for attempt in range(n_times):
        for of, each in zip(took, filled, strict=True):
            of.append(refresh(each.store, each.ground, each.size, attempt))
    return [best(of) for of in took]


def apart(parts: Mapping[str, Any]) -> dict[str, Any]:
    """How far the largest size is from the smallest."""
    small, large = parts[min(parts, key=int)], parts[max(parts, key=int)]
    return {
        "as_of": {
            statistic: {name: round(of_large[name] / of_small[name], 2) for name in AS_OF_GOALS}
            for statistic, of_large, of_small in (
                ("median", large["as_of"], small["as_of"]),
                (
                    "first decile",
                    large["as_of"]["first_decile"],
                    small["as_of"]["first_decile"],
                ),
            )
        },
        "refresh_tables": round(large["refresh"]["tables_s"] / small["refresh"]["tables_s"], 2),
        "refresh_all_models": round(
            large["refresh"]["all_models_s"] / small["refresh"]["all_models_s"], 2
        ),
    }


@dataclass(frozen=True)
class Line:
    """One figure and its goal; without a goal it is reported only."""

    what: str
    value: float
    goal: float | None = None
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the figure reaches its goal."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal

    def __str__(self) -> str:
        if self.goal is None:
            return f"{self.what}: {self.value} (reported)"
        bound = "at least" if self.at_least else "at most"
        verdict = "met" if self.is_met else "NOT MET"
        return f"{self.what}: {self.value}, goal {bound} {self.goal}: {verdict}"


def lines(report: Mapping[str, Any]) -> Iterator[Line]:
    """All figures of the issue's benchmark in a report, by size, then over the sizes."""
    for size, part in report["sizes"].items():
        of = f"{int(size):,} statements, "
        yield Line(f"{of}load, statements a second", part["load"]["statements_per_s"])
        yield Line(
            f"{of}load, share of COPY into the same tables without security",
            part["load"]["share_of_guarded_copy"], 0.5, at_least=True,
        )  # fmt: skip
        yield Line(f"{of}load, share of COPY into bare tables", part["load"]["share_of_bare_copy"])
        for name, goal in AS_OF_GOALS.items():
            yield Line(f"{of}as-of over a look-up, {WORDS[name]}", part["as_of"][name], goal)
        yield Line(
            f"{of}as-of scan of all periods with content over a plain scan",
            part["scan"]["periods_with_content_over_plain"], 4.0,
        )  # fmt: skip
        yield Line(
            f"{of}as-of scan of all through the function, seconds",
            part["scan"]["function_with_content_s"],
        )
        yield Line(
            f"{of}refresh after {N_LATER:,} atoms, seconds of dbt's tables",
            part["refresh"]["tables_s"],
        )
    if len(report["sizes"]) > 1:
        for statistic, found in report["apart"]["as_of"].items():
            for name, value in found.items():
                yield Line(f"largest over smallest, as-of, {WORDS[name]}, {statistic}", value, 1.3)
        yield Line("largest over smallest, refresh", report["apart"]["refresh_tables"], 1.5)
    if "vectors" in report:
        found = report["vectors"]
        yield Line(
            f"recall@10 of filtered search in {found['n_vectors']:,} vectors",
            found["recall_at_10"], 0.99, at_least=True,
        )  # fmt: skip


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
        with ExitStack() as stores:
            filled = []
            for size in sorted(size - size % STATEMENTS_A_SUBJECT for size in asked.sizes):
                store = stores.enter_context(fresh_store(services, f"store_{size}"))
                one, part = fill(store, services, size)
                part["as_of"] = as_of(store, one.ground, size, asked.samples)
                part["scan"] = scan(store)
                filled.append(one)
                report["sizes"][str(size)] = part
                print(f"{size} statements: {json.dumps(part)}", file=sys.stderr)
            for one, took in zip(filled, refreshes(filled, N_REFRESHES), strict=True):
                report["sizes"][str(one.size)]["refresh"] = took
        report["apart"] = apart(report["sizes"])
        if asked.vectors:
            with fresh_store(services, "vectors") as store:
                report["vectors"] = recall(store, lay_ground(store), asked.vectors)
        found = list(lines(report))
        report["missed"] = [str(line) for line in found if not line.is_met]
        print(*found, sep="\n")
        print(json.dumps(report, indent=2))
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
