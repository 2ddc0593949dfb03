"""One migrated database for all tests of a file that leave no trace, or trace by tenant."""

from collections.abc import Iterator

import pytest

from memory_pipeline.local.services import Services
from tests.bitemporal import race_world
from tests.databases import fresh_database


@pytest.fixture(scope="module")
def module_database(services: Services) -> Iterator[str]:
    """The owner's connection string to a fresh database with the schema, for one file's tests."""
    with fresh_database(services) as name:
        yield services.pg_dsn("mem_owner", name)


@pytest.fixture(scope="module")
def place(services: Services, module_database: str) -> Iterator[race_world.Place]:
    """Sessions that race, in a database of the file's own."""
    with race_world.entered(services, module_database) as entered:
        yield entered
