"""Erasure: a use of a secret that a mask sweep masked is no use that went."""

from memory_pipeline.migrations import run_sql_file

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Replace what tells which secrets a request destroys."""
    run_sql_file("swept_uses.sql")
