"""Reading: plans of whole scans expect readers to see most rows."""

from memory_pipeline.migrations import run_sql_file

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Write the policies of audiences anew, with another estimate and the same answer."""
    run_sql_file("expected_rows.sql")
