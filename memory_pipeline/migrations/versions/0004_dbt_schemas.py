"""Schemas of the dbt models, what protects their relations, and what their refresh stands on."""

from memory_pipeline.migrations import run_sql_file

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the functions that dbt's hooks call, the schemas, and indexes by batch."""
    run_sql_file("dbt_schemas.sql")
