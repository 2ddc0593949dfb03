"""Resolution: the fold over the statements of a key, and the answers that stand on it."""

from memory_pipeline.migrations import run_sql_file

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Install the one definition of resolution and the functions that read through it."""
    run_sql_file("resolution.sql")
    run_sql_file("answers.sql")
