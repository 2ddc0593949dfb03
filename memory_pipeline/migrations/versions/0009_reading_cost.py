"""Reading costs less: what every as-of query asks of access is asked once."""

from memory_pipeline.migrations import run_sql_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Replace the functions."""
    run_sql_file("reading_cost.sql")
