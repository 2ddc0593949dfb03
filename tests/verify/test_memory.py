"""Memory stays where it was, however long a log is."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.verify, pytest.mark.timeout(900)]

ALLOWED_MB = 16
"""Noise of allocators; a hundred times the log may add no more."""


def measured(name: str, n_megabytes: int) -> dict[str, Any]:
    """What reading a generated log of that size took, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.memory", name, str(n_megabytes)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    ("name", "n_megabytes"),
    [("jsonl", 1_000), ("telegram", 100), ("chatgpt", 100), ("whatsapp", 100)],
)
def test_a_long_log_is_read_in_the_memory_of_a_short_one(name: str, n_megabytes: int) -> None:
    small, large = measured(name, 10), measured(name, n_megabytes)
    assert large["n_messages"] > 0.8 * n_megabytes / 10 * small["n_messages"]
    assert large["peak_mb"] < small["peak_mb"] + ALLOWED_MB
