"""How much of what answers a question gets into its context: evidence recall on LoCoMo.

    python -m benchmarks.context [--data FILE] [--every N]

For every Nth question that names its evidence: the dialog is gathered once and packed under 500,
1000, 2000 and 4000 tokens by both strategies; recall is the share of the evidence turns that the
context carries in full or compressed, averaged over questions. Recall says nothing of the answer
that a model would give. Works in a home of its own that is removed at the end.
"""

import argparse
import json
import re
import shutil
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

import psycopg

from benchmarks.ingestion import DEFAULT
from memory_pipeline.afm.compression import ExtractiveCompressor
from memory_pipeline.afm.gather import gather
from memory_pipeline.afm.packing import pack
from memory_pipeline.contracts.snapshot import Levers, Strategy
from memory_pipeline.contracts.vocabulary import Fidelity
from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import stop
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline

BUDGETS = (500, 1000, 2000, 4000)
CARRIED = (Fidelity.full, Fidelity.compressed)
TENANT = "locomo"


def evidence_turns(question: dict[str, Any]) -> set[str]:
    """The turns that a question names, by LoCoMo's ids, corrected where the file corrects them."""
    named = question.get("evidence_corrected") or question.get("evidence") or []
    return {turn for text in named for turn in re.findall(r"D\d+:\d+", text)}


def recall_of(
    memory: Memory, sample: dict[str, Any], every: int
) -> tuple[dict[Any, list[float]], list[float]]:
    """Recall of each question by (strategy, budget), and seconds that gathering took."""
    dialog_id = memory.dialog(sample["sample_id"])
    rows = memory.connection.execute(
        "select message_id::text, native_id from memory.message_content where dialog_id = %s",
        (dialog_id,),
    )
    native = {str(message_id): str(native_id) for message_id, native_id in rows}
    found: dict[Any, list[float]] = defaultdict(list)
    seconds = []
    now = datetime.now(UTC)
    for question in sample["qa"][::every]:
        wanted = evidence_turns(question) & set(native.values())
        if not wanted:
            continue
        start = time.perf_counter()
        gathered = gather(
            memory.connection,
            memory.embedder,
            dialog_id,
            question["question"],
            valid_at=now,
            known_at=now,
            batch_no=None,
        )
        seconds.append(time.perf_counter() - start)
        evidence_of = {c.id: c.evidence_of for c in gathered.candidates}
        for strategy in Strategy:
            for budget in BUDGETS:
                packed = pack(
                    gathered.candidates, query_lang=gathered.lang, budget=budget, levers=Levers(),
                    strategy=strategy, compressor=ExtractiveCompressor(), allow_overflow=True,
                )  # fmt: skip
                carried = {item.id for item in packed.items if item.fidelity in CARRIED}
                carried |= {m for item_id in carried for m in evidence_of[item_id]}
                turns = {native[item_id] for item_id in carried if item_id in native}
                found[strategy.value, budget].append(len(wanted & turns) / len(wanted))
    return found, seconds


def main() -> None:
    """Run the measurement and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DEFAULT)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="mp-bench-"))
    folder.chmod(0o711)
    home = folder / "home"
    try:
        services = ready(home)
        with Pipeline.open(services, TENANT) as pipeline:
            pipeline.run([arguments.data])
        with psycopg.connect(services.pg_url, autocommit=True) as owner:
            grant(owner, OPERATOR, TENANT, ALL)
        recall: dict[Any, list[float]] = defaultdict(list)
        seconds: list[float] = []
        with Memory(services, tenant=TENANT) as memory:
            for sample in json.loads(arguments.data.read_text(encoding="utf-8")):
                found, took = recall_of(memory, sample, arguments.every)
                seconds += took
                for key, shares in found.items():
                    recall[key] += shares
        print(f"{len(seconds)} questions, gathered in {fmean(seconds):.3f} s each")
        for strategy in Strategy:
            means = "  ".join(
                f"{budget}: {fmean(recall[strategy.value, budget]):.3f}" for budget in BUDGETS
            )
            print(f"evidence recall, {strategy.value:10} {means}")
    finally:
        stop(home)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
