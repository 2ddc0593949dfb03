"""Erasure: requests, plans, fences, suppression, the audit chain and the eraser's functions."""

from memory_pipeline.migrations import run_sql_file

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables, then their rules, then what works on them."""
    run_sql_file("erasure_tables.sql")
    run_sql_file("erasure_rules.sql")
    run_sql_file("erasure_plan.sql")
    run_sql_file("erasure_functions.sql")
    run_sql_file("erasure_replay.sql")
    run_sql_file("audit.sql")
