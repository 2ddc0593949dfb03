"""The bitemporal store under load: writing, as-of reads, dbt refreshes, filtered vector search.

    python -m benchmarks.bitemporal [SIZE…] [--samples N] [--vectors N]

SIZE is a number of statements (atoms, and about one closure among twenty); the default sizes are
10 thousand, 100 thousand and a million. Prints JSON with a part for each size, as ratios taken
inside one run, and the goals that were missed. Row-level security is on, reads are a reading
login's, prepared, and timed in turns, so that a loaded machine slows all of them. Works in a home
of its own that is removed at the end.
"""

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.bitemporal_database import (
    READER,
    TEAM_READER,
    fresh_store,
    lay_ground,
    load,
    refresh,
    run_dbt,
)
from benchmarks.bitemporal_reads import as_of, scan
from benchmarks.bitemporal_recall import recall
from benchmarks.bitemporal_store import STATEMENTS_A_SUBJECT
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop

SIZES = (10_000, 100_000, 1_000_000)
AS_OF_GOALS = {
    "periods_key": 1.5,
    "periods_subject": 2.5,
    "function_key": 3.0,
    "function_subject": 6.0,
}


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
            print(f"{size} statements: {json.dumps(report['sizes'][str(size)])}", file=sys.stderr)
        report["apart"] = apart(report["sizes"])
        if asked.vectors:
            with fresh_store(services, "vectors") as store:
                report["vectors"] = recall(store, lay_ground(store), asked.vectors)
        report["missed"] = missed(report)
        print(json.dumps(report, indent=2))
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
