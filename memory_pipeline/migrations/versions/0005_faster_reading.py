"""Quicker answers: one look per key, cheaper policies, a quicker fold."""

from memory_pipeline.migrations import run_sql_file

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Quicker answers: one look per key, cheaper policies, a quicker fold."""
    run_sql_file("faster_reading.sql")
