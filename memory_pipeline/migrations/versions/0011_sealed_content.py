"""Sealed content: what the database must know of values whose keys lie in Vault."""

from memory_pipeline.migrations import run_sql_file

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Create the functions, the list of ended keys and the guard of sealed texts."""
    run_sql_file("sealed_content.sql")
