"""Erasure: keys of erased rows, masks and Merkle roots at less cost, with the same results."""

from memory_pipeline.migrations import run_sql_file

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Replace the functions that a large plan spends its time in."""
    run_sql_file("erasing_cost.sql")
