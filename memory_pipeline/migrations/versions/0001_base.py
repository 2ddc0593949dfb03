"""The base schema: four kinds of table, roles' rights, append-only, batches, three clocks."""

from memory_pipeline.migrations import run_sql_file

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create types, tables and the functions that the rules stand on, then install the rules."""
    from alembic import op

    run_sql_file("base_types.sql")
    run_sql_file("base_tables.sql")
    run_sql_file("base_functions.sql")
    run_sql_file("reading.sql")
    op.execute("select memory.install_rules()")
