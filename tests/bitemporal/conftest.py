"""One migrated database for all tests of a file that leave no trace, or trace by tenant."""

import uuid
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from memory_pipeline import migrations
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services
from tests.bitemporal import race_world


@pytest.fixture(scope="module")
def module_database(services: Services) -> Iterator[str]:
    """The owner's connection string to a fresh database with the schema, for one file's tests."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    make_database(services.home, services.home.credentials(), name)
    try:
        migrations.upgrade(services.pg_dsn("mem_owner", name))
        yield services.pg_dsn("mem_owner", name)
    finally:
        with psycopg.connect(services.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))


@pytest.fixture(scope="module")
def place(services: Services, module_database: str) -> Iterator[race_world.Place]:
    """Sessions that race, in a database of the file's own."""
    with race_world.entered(services, module_database) as entered:
        yield entered
