"""Erasure in sets: redaction and tombstones of a whole plan at once."""

from memory_pipeline.migrations import run_sql_file

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Replace the functions."""
    run_sql_file("erasure_sets.sql")
