"""What sealed content costs over content in clear: ingestion, and as-of reads of one key.

    python -m benchmarks.sealing [--pairs N] [--reads N]

Reads the project's own logs (537 messages, ru and en) into tenants of one home, in clear and sealed
by turns, so that other load on the machine meets both. Prints JSON: messages a second of the stages
that write content (ingestion and extraction, no vectors), milliseconds of an as-of read of one key
through the Python API and of the bare function, each with the ratio sealed over plain of the
medians (of pairs for ingestion), CPU seconds of this process too; and of the first read of a key
whose bundle of data keys is not in the process yet; and bytes of texts as stored. Works in a home of its own that is removed at
the end.
"""

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from memory_pipeline.bitemporal import reading
from memory_pipeline.governance.access import grant
from memory_pipeline.governance.content_store import ring_of
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services, stop
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline

SAMPLES = Path(__file__).parents[1] / "memory_pipeline" / "samples"
MODES = ("plain", "sealed")
WARM_UP = 20


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds and CPU seconds of this process that `work` took."""
    start, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - cpu


def ingest(services: Services, tenant: str) -> int:
    """Read and extract the samples as a new tenant; returns how many messages there are."""
    with Pipeline.open(services, tenant, "Europe/Moscow") as pipeline:
        report = pipeline.ingest(sorted(SAMPLES.glob("*.jsonl")))
        pipeline.extract()
    return report.n_messages


def ratio(sealed: list[float], plain: list[float]) -> float:
    """The median of the pairs' ratios."""
    return round(statistics.median(a / b for a, b in zip(sealed, plain, strict=True)), 3)


def measure(services: Services, n_pairs: int, n_reads: int) -> dict[str, Any]:
    """All figures, by turns."""
    by_mode = {
        mode: replace(
            services,
            settings=services.settings.model_copy(
                update={"sealed_tags": "*" if mode == "sealed" else ""}
            ),
        )
        for mode in MODES
    }
    wall: dict[str, list[float]] = defaultdict(list)
    cpu: dict[str, list[float]] = defaultdict(list)
    n_messages, stored = 0, {}
    with psycopg.connect(services.pg_url, autocommit=True) as owner:
        # the first of each warms what is loaded once a process
        for number in range(n_pairs + 1):
            for mode in MODES if number % 2 else MODES[::-1]:
                tenant = f"{mode}-{number}"
                grant(owner, OPERATOR, tenant, "*")
                seconds, busy = timed(lambda m=mode, t=tenant: ingest(by_mode[m], t))  # type: ignore[misc]
                if number:
                    wall[mode].append(seconds)
                    cpu[mode].append(busy)
                    n_messages, stored[mode] = stored_of(owner, tenant)
    reads: dict[str, list[float]] = defaultdict(list)
    bare: dict[str, list[float]] = defaultdict(list)
    first: dict[str, list[float]] = defaultdict(list)
    now = datetime.now(UTC)
    opened = {mode: Memory(by_mode[mode], tenant=f"{mode}-1") for mode in MODES}
    subjects = {mode: opened[mode].subject("Дмитрий") for mode in MODES}
    place = {
        mode: reading.predicate_id(opened[mode].connection, opened[mode].tenant_id, "location")
        for mode in MODES
    }

    def as_of(mode: str) -> None:
        opened[mode].as_of("Дмитрий", predicate="location", valid_at="2025-11-01")

    def function(mode: str) -> None:
        opened[mode].connection.execute(
            "select * from memory.as_of(%s, %s, %s, %s, null)",
            (list(subjects[mode].entity_ids), place[mode], now, None),
        ).fetchall()

    for number in range(n_reads + WARM_UP):
        for mode in MODES:
            for kept, work in ((reads, as_of), (bare, function)):
                seconds, _ = timed(lambda w=work, m=mode: w(m))  # type: ignore[misc]
                if number >= WARM_UP:
                    kept[mode].append(seconds)
    for _ in range(WARM_UP):
        for mode in MODES:
            ring_of(services).forget_all()
            first[mode].append(timed(lambda m=mode: function(m))[0])  # type: ignore[misc]
    for memory in opened.values():
        memory.__exit__()
    return {
        "n_messages": n_messages,
        "n_pairs": n_pairs,
        "messages_per_s": {
            mode: round(n_messages / statistics.median(wall[mode]), 1) for mode in MODES
        },
        "ingestion_sealed_over_plain": ratio(wall["sealed"], wall["plain"]),
        "ingestion_cpu_sealed_over_plain": ratio(cpu["sealed"], cpu["plain"]),
        "text_bytes_sealed_over_plain": round(stored["sealed"] / stored["plain"], 2),
        "as_of_ms": medians(reads),
        "as_of_sealed_over_plain": over(reads),
        "function_ms": medians(bare),
        "function_sealed_over_plain": over(bare),
        "first_read_of_a_bundle_ms": medians(first),
    }


def stored_of(owner: psycopg.Connection[Any], tenant: str) -> tuple[int, int]:
    """How many messages a tenant has, and the bytes of their texts as they are stored."""
    row = owner.execute(
        "select count(*), sum(pg_column_size(c.text)) from memory.message as m"
        " join memory.message_content as c using (message_id, dialog_id)"
        " join memory.tenant as t using (tenant_id) where t.name = %s",
        (tenant,),
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def medians(seconds: dict[str, list[float]]) -> dict[str, float]:
    """Medians in milliseconds."""
    return {mode: round(1000 * statistics.median(seconds[mode]), 3) for mode in MODES}


def over(seconds: dict[str, list[float]]) -> float:
    """Sealed over plain, of the medians."""
    return round(statistics.median(seconds["sealed"]) / statistics.median(seconds["plain"]), 3)


def main() -> None:
    """Run the measurement and print it."""
    asked = argparse.ArgumentParser()
    asked.add_argument("--pairs", type=int, default=5)
    asked.add_argument("--reads", type=int, default=300)
    options = asked.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    try:
        print(json.dumps(measure(ready(folder / "home"), options.pairs, options.reads), indent=2))
    finally:
        stop(folder / "home")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
