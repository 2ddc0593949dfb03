"""Migrations of the base schema and how to apply them."""

from pathlib import Path

import psycopg

HEAD = "0018"
"""The newest revision; a test holds it against the files."""


def upgrade(conninfo: str, revision: str = "head") -> None:
    """Bring the memory database at `conninfo` (the owner's login) to `revision`.

    Alembic does the work; its bookkeeping table lies in schema `public`. Raises what the
    database raises; a failed migration leaves the schema as it was, since each runs in one
    transaction.
    """
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine
    from sqlalchemy.pool import NullPool

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(conninfo, client_encoding="utf8"),
        poolclass=NullPool,
    )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def run_sql_file(name: str) -> None:
    """Execute one file of `sql/` in the running migration, as one multi-statement command."""
    from alembic import op

    text = (Path(__file__).parent / "sql" / name).read_text(encoding="utf-8")
    connection = op.get_bind().connection.dbapi_connection
    if not isinstance(connection, psycopg.Connection):
        raise TypeError("migrations run over psycopg 3")
    connection.execute(text.encode())
