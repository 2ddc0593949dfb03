"""Understanding without embedding: messages a second, Vault's writes included.

    python -m benchmarks.understanding [MESSAGES]

Reads a made-up chat in Russian and English in which one message in fifty holds a secret of its
own: secrets are found and written to Vault, messages stored, statements extracted, importance
labelled by the cues alone, as no vectors are made. Beside it the same texts are searched for
sensitive values alone, as a multiple of parsing their lines. Prints JSON: seconds of the clock and of this
process a stage, messages a second, seconds of the processor a thousand messages (those of the
processes that extract beside this one are among them, the services' are not), the load of the
machine. Start-up and a first small log, after
which every expression is compiled, are reported apart. Works in a home of its own that is removed
at the end.
"""

import json
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import psycopg

from benchmarks.chat import PER_DIALOG, write_chat
from memory_pipeline.index.embedder import Embedder
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.sensitive.find import find

N_MESSAGES = 5_000


class NoEmbedder:
    """Stands where the embedder would; whatever asks it for a vector fails."""

    name = "none"


def stages(services: Services, tenant: str, path: Path) -> dict[str, tuple[float, float]]:
    """Seconds of the clock and of this process that each stage took over one log."""
    taken: dict[str, tuple[float, float]] = {}

    def timed(name: str, work: Callable[[], Any]) -> None:
        wall, own = time.perf_counter(), time.process_time()
        work()
        taken[name] = (time.perf_counter() - wall, time.process_time() - own)

    with Pipeline.open(services, tenant) as pipeline:
        pipeline.embedder = cast("Embedder", NoEmbedder())
        timed("ingest", lambda: pipeline.ingest([path]))
        timed("label", pipeline.label)
        timed("extract", pipeline.extract)
    return taken


def finding(path: Path) -> tuple[float, float]:
    """Messages a second that are searched for sensitive values, once every expression is
    compiled, and that time over the time of parsing the same lines from JSON."""
    lines = path.read_text("utf-8").splitlines()
    parsed = searched = float("inf")
    for _ in range(3):
        begun = time.process_time()
        texts = [json.loads(line)["text"] for line in lines]
        parsed = min(parsed, time.process_time() - begun)
        begun = time.process_time()
        for text in texts:
            find(text)
        searched = min(searched, time.process_time() - begun)
    return len(lines) / searched, searched / parsed


def reaped() -> float:
    """Seconds of the processor that ended children took: those that extracted beside this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def counted(services: Services, tenant: str) -> tuple[int, int, int]:
    """Messages, secrets in Vault, and statements of a tenant."""
    with psycopg.connect(services.pg_dsn("mem_builder")) as connection:
        row = connection.execute(
            "select (select count(*) from memory.message where tenant_id = t.tenant_id),"
            " (select count(*) from memory.secret where tenant_id = t.tenant_id),"
            " (select count(*) from memory.atom where tenant_id = t.tenant_id)"
            " from memory.tenant as t where t.name = %s",
            (tenant,),
        ).fetchone()
    assert row is not None
    return row[0], row[1], row[2]


def main() -> None:
    """Run the measurement and print it."""
    n_messages = int(sys.argv[1]) if len(sys.argv) > 1 else N_MESSAGES
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    home = folder / "home"
    try:
        begun = time.perf_counter()
        services = ready(home)
        start_up = time.perf_counter() - begun
        write_chat(folder / "first.jsonl", 2 * PER_DIALOG, seed=1)
        n_secrets = write_chat(folder / "chat.jsonl", n_messages, seed=2)
        first = stages(services, "first", folder / "first.jsonl")
        before = reaped()
        taken = stages(services, "second", folder / "chat.jsonl")
        beside = reaped() - before
        searched_per_s, searched_over_parsed = finding(folder / "chat.jsonl")
        n_stored, n_in_vault, n_atoms = counted(services, "second")
        assert n_stored == n_messages
        whole = sum(wall for wall, _ in taken.values())
        print(
            json.dumps(
                {
                    "n_messages": n_messages,
                    "n_secrets_written": n_secrets,
                    "n_secrets_in_vault": n_in_vault,
                    "n_atoms": n_atoms,
                    "start_up_s": round(start_up, 2),
                    "first_log_s": round(sum(wall for wall, _ in first.values()), 2),
                    **{f"{name}_s": round(wall, 2) for name, (wall, _) in taken.items()},
                    **{f"{name}_cpu_s": round(own, 2) for name, (_, own) in taken.items()},
                    "processes_beside_cpu_s": round(beside, 2),
                    "cpu_s_per_1000": round(
                        (sum(own for _, own in taken.values()) + beside) / n_messages * 1_000, 3
                    ),
                    "messages_per_s": round(n_messages / whole, 1),
                    "sensitive_messages_per_s": round(searched_per_s),
                    "sensitive_over_parsing": round(searched_over_parsed, 1),
                    "load_average": round(os.getloadavg()[0], 2),
                },
                indent=2,
            )
        )
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
