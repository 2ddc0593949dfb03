"""Homes that several long suites share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.samples import sample_files
from tests.verify.homes import home_folder, ingest


@pytest.fixture(scope="session")
def samples_folder(home: Path) -> Iterator[Path]:
    """A home into which the command line ingested the sample logs."""
    with home_folder() as folder:
        report = ingest(folder, "default", *sample_files())
        assert report["n_quarantined"] == 0
        yield folder


@pytest.fixture
def samples(samples_folder: Path) -> Services:
    """That home's services, started again where a test stopped them."""
    return ready(samples_folder)


@pytest.fixture(scope="session")
def scratch_folder(home: Path) -> Iterator[Path]:
    """An empty home; its tests use tenants of their own."""
    with home_folder() as folder:
        yield folder


@pytest.fixture
def scratch(scratch_folder: Path) -> Services:
    """That home's services, started again where a test stopped or killed them."""
    return ready(scratch_folder)
