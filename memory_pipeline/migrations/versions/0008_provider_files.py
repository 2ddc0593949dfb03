"""What lies with a provider of models: batches, requests and files, until deleted there."""

from memory_pipeline.migrations import run_sql_file

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the tables and their rules."""
    run_sql_file("provider_files.sql")
