"""Secrets: which values are gone from Vault, so that one told again is kept again."""

from memory_pipeline.migrations import run_sql_file

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Create the list of ended secrets and the functions that end them."""
    run_sql_file("secrets_told_again.sql")
