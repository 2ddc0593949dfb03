"""Of each log file, which dialogs and times it told of, known messages included, and where it lies."""

from memory_pipeline.migrations import run_sql_file

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Create the list, and say of a file that was read whether it had landed."""
    run_sql_file("file_places.sql")
