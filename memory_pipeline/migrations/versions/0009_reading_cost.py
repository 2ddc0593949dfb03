"""Reading costs less in a large store: the contents of one subject lie together in an index. Only a
session of the eraser's takes content away, whoever else may become mem_shredder."""

from memory_pipeline.migrations import run_sql_file

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the index, replace the triggers' function."""
    for name in ("reading_cost", "append_only"):
        run_sql_file(f"{name}.sql")
