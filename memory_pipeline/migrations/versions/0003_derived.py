"""Derived tables: embedding models, vectors, full text, and how far each index is."""

from memory_pipeline.migrations import run_sql_file

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the functions that make the derived tables, and call them; they install the rules."""
    run_sql_file("derived_tables.sql")
