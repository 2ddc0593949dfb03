"""Parity of the derived indexes with the ledger, as asset checks."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import dagster as dg

from memory_pipeline.orchestration.groups import GRAPH
from memory_pipeline.orchestration.indexes import atom_vectors, full_text, memory_graph
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.orchestration.safe_errors import RETRIES

if TYPE_CHECKING:
    from memory_pipeline.index.parity import Parity

CHECK = "parity"
DESCRIPTION = (
    "The index holds what the ledger and its content say, and nothing else: same ids, owners, "
    "audiences and content hashes; for vectors a sample embedded again, cosine at least 0.999."
)


def asset_of(index: str) -> dg.AssetKey:
    """The asset that fills an index, by the index's name in the report."""
    if index.startswith("vector_"):
        # one table holds messages and atoms; it is whole once the atoms are in
        return atom_vectors.key
    return full_text.key if index == "full_text" else memory_graph.key


def outcomes(reports: Iterable["Parity"]) -> str:
    """Which indexes are equal to the truth and which are not, in one line."""
    return ", ".join(
        f"{report.index} {'equal' if report.is_equal else 'differs'}" for report in reports
    )


@dg.multi_asset_check(
    name="parity",
    specs=[
        dg.AssetCheckSpec(CHECK, asset=asset, description=DESCRIPTION)
        for asset in (atom_vectors, full_text, memory_graph)
    ],
    retry_policy=RETRIES,
    pool=GRAPH,
)
def parity(memory_home: MemoryHome) -> Iterator[dg.AssetCheckResult]:
    """Compare all indexes with the ledger in one step."""
    with memory_home.pipeline() as pipeline:
        reports = list(pipeline.parity())
    for report in reports:
        yield dg.AssetCheckResult(
            check_name=CHECK,
            asset_key=asset_of(report.index),
            passed=report.is_equal,
            metadata={
                name: value
                for name, value in report.model_dump().items()
                if isinstance(value, int | float)
            },
        )
