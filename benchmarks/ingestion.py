"""Ingestion and indexing of LoCoMo's dialogs against the bare embedder.

    python -m benchmarks.ingestion [FILE]

Prints JSON: seconds of the bare embedder over the same distinct texts in the same batches, of the
whole main job with vectors made beside it, their ratio, and messages a second where every vector
is known already (a second tenant reads the same log). Start-up is reported apart. Works in a home
of its own that is removed at the end.
"""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from memory_pipeline.index.embedder import make_embedder
from memory_pipeline.index.vectors import BATCH_SIZE
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services, stop
from memory_pipeline.pipeline import Pipeline

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "locomo" / "locomo_dev.json"


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds that `work` took, and what it gave."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def distinct_texts(services: Services) -> list[str]:
    """Every distinct text that the job embedded, shortest first."""
    with psycopg.connect(services.pg_dsn("mem_builder")) as connection:
        rows = connection.execute(
            "select text from memory.message_content union select text from memory.atom_content"
        ).fetchall()
    return sorted((row[0] for row in rows if row[0]), key=len)


def main() -> None:
    """Run the measurement and print it."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    home = folder / "home"
    try:
        start_up, services = timed(lambda: ready(home))
        embedder = make_embedder(services.settings)
        embedder.passages(["warm"])

        def job(tenant: str) -> int:
            with Pipeline.open(services, tenant) as pipeline:
                ingested, _, _ = pipeline.run([path])
            return ingested.n_messages

        whole, n_messages = timed(lambda: job("first"))
        texts = distinct_texts(services)
        bare, _ = timed(
            lambda: [
                embedder.passages(texts[at : at + BATCH_SIZE])
                for at in range(0, len(texts), BATCH_SIZE)
            ]
        )
        again, n_again = timed(lambda: job("second"))
        print(
            json.dumps(
                {
                    "file": path.name,
                    "n_messages": n_messages,
                    "n_distinct_texts": len(texts),
                    "start_up_s": round(start_up, 2),
                    "embedder_alone_s": round(bare, 2),
                    "main_job_s": round(whole, 2),
                    "main_job_over_embedder": round(whole / bare, 3),
                    "vectors_known_s": round(again, 2),
                    "vectors_known_messages_per_s": round(n_again / again, 1),
                },
                indent=2,
            )
        )
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
