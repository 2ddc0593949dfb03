"""Real services for the tests: one home for each process of a run, started once, stopped at its end."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_pipeline import settings as settings_module
from memory_pipeline.local import services as local_services
from memory_pipeline.local.services import Services
from tests.databases import fresh_database

CLEARED = ("MEMORY_", "OPENAI_", "DAGSTER_", "DBT_", "PG", "VAULT_", "BAO_")
KEPT = ("MEMORY_PIPELINE_SHARED_DATA",)
GRAPH_SERVER = ("MEMORY_NEO4J_URI", "MEMORY_NEO4J_USER", "MEMORY_NEO4J_PASSWORD")


def _clear_environment(*, keep_graph_server: bool) -> None:
    kept = KEPT + (GRAPH_SERVER if keep_graph_server else ())
    for name in list(os.environ):
        if name.startswith(CLEARED) and name not in kept:
            del os.environ[name]


@pytest.fixture(scope="session")
def home(request: pytest.FixtureRequest) -> Iterator[Path]:
    """A home of this run; its path is short because of unix sockets."""
    marked = request.config.getoption("markexpr") == "neo4j"
    _clear_environment(keep_graph_server=marked)
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    # root's services run as another account: it may pass here, or the home's data would be moved
    # to a place that outlives this folder
    folder.chmod(0o711)
    os.environ["MEMORY_PIPELINE_HOME"] = str(folder / "home")
    settings_module.settings(reread=True)
    yield folder / "home"
    local_services.stop(folder / "home")
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _same_environment_for_every_test(home: Path) -> Iterator[None]:
    before = dict(os.environ)
    sigterm = signal.getsignal(signal.SIGTERM)
    yield
    # Dagster leaves it with SIGINT's handler, which is none where the tests run in the background
    signal.signal(signal.SIGTERM, sigterm)
    if dict(os.environ) != before:
        os.environ.clear()
        os.environ.update(before)
    settings_module.settings(reread=True)


@pytest.fixture(scope="session")
def services(home: Path) -> Services:
    """The services of the run's home."""
    return local_services.ensure(home)


@pytest.fixture
def database(services: Services) -> Iterator[str]:
    """The owner's connection string to a fresh database with the schema, dropped after."""
    with fresh_database(services) as name:
        yield services.pg_dsn("mem_owner", name)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of labelled data, which is not part of the project."""
    folder = Path(
        os.environ.get("MEMORY_PIPELINE_SHARED_DATA")
        or Path(__file__).parents[2] / "shared" / "data"
    )
    if not folder.is_dir():
        pytest.skip(f"no data folder at {folder}; MEMORY_PIPELINE_SHARED_DATA names another")
    return folder
