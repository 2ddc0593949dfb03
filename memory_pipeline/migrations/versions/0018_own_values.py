"""Secrets: a database's values in Vault are told from another's."""

from memory_pipeline.migrations import run_sql_file

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Give what a database is known by."""
    run_sql_file("own_values.sql")
