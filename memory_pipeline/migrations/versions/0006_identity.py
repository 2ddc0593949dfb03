"""What joins, splits and their cases taught the resolution."""

from memory_pipeline.migrations import run_sql_file

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """What joins, splits and their cases taught the resolution."""
    run_sql_file("identity.sql")
