"""Resolution: a past value told without its dates takes no stretch from a value stated for it."""

from memory_pipeline.migrations import run_sql_file

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Replace the functions of the fold; derived periods are read anew."""
    run_sql_file("undated_past.sql")
