"""Two hundred canaries in two tenants: half of them are erased, by every selector, and a scan of all
bytes finds none of those and all of the others; nothing brings them back, no backup either."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memory_pipeline.commands.outcome import Exit
from memory_pipeline.contracts.erasure import Selector
from memory_pipeline.installation import ready
from memory_pipeline.local import services as local_services
from memory_pipeline.local.postgres import data_folder
from memory_pipeline.local.roles import DAGSTER_DATABASE, DATABASE
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.extraction.local import LocalExtractor
from tests.canaries import ENCODINGS, CanaryScanner, cyrillic, latin
from tests.scenario import write
from tests.verify.homes import Row, home_folder, run
from tests.verify.planted import (
    ALL,
    BLOCKS,
    BY_SELECTOR,
    ERASED,
    FIRST,
    GONE,
    KEPT_BLOCKS,
    SCANNER,
    SECOND,
    STAYING,
    erase,
    leak,
    ledger,
    plant,
    rows_of,
    selector,
)
from tests.verify.test_extractor import WithoutPlaces
from tests.verify.test_leaks import dump

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1800)]


@dataclass
class Home:
    """A home with planted canaries, a copy of its database from before any erasure, and what was
    found then."""

    path: Path
    folder: Path
    before: dict[str, set[str]]
    dumped: set[str]
    others: dict[str, list[Row]]
    ledger: dict[str, set[str]]

    @property
    def services(self) -> Services:
        return ready(self.path)

    @property
    def backup(self) -> Path:
        return self.folder / "backup"

    @property
    def exports(self) -> Path:
        return self.folder / "exports"

    def scan(self) -> dict[str, set[str]]:
        """Where canaries lie in the home and the exports, with the services stopped."""
        local_services.stop(self.path)
        return SCANNER.places(self.path, self.exports)


def dumped(services: Services) -> set[str]:
    """Canaries in dumps of both databases."""
    texts = (dump(services, name) for name in (DATABASE, DAGSTER_DATABASE))
    return set().union(*(SCANNER.found_in(text.encode()) for text in texts))


def copy(source: Path, target: Path) -> None:
    """Copy a folder with its owners and rights."""
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)


@pytest.fixture(scope="module")
def planted(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with home_folder() as path:
        folder = tmp_path_factory.mktemp("planted")
        (folder / "logs").mkdir()
        services = ready(path)
        plant(services, folder)
        leak(services)
        others, rows, in_dump = rows_of(services, KEPT_BLOCKS), ledger(services), dumped(services)
        made = Home(path, folder, {}, in_dump, others, rows)
        made.before = made.scan()
        copy(data_folder(services.home), made.backup)
        yield made


@pytest.fixture(scope="module")
def erased(planted: Home) -> Home:
    services = planted.services
    for name in ERASED:
        erase(services, FIRST, selector(services, name))
    erase(services, SECOND, Selector(whole_tenant=True))
    return planted


def assert_gone(home: Home) -> None:
    """None of the erased is anywhere, all others are where they were."""
    assert dumped(home.services) == set(STAYING)
    found = home.scan()
    assert {canary: found[canary] for canary in GONE & set(found)} == {}
    assert set(found) == set(STAYING)


@pytest.mark.parametrize("canary", [cyrillic(7), latin(7)])
def test_the_scanner_finds_a_canary_in_every_encoding_and_no_other(
    canary: str, tmp_path: Path
) -> None:
    scanner = CanaryScanner([canary, cyrillic(8), latin(8)])
    for encode in ENCODINGS.values():
        path = tmp_path / "file"
        path.write_bytes(os.urandom(9973) + encode(canary) + os.urandom(99))
        assert scanner.places(tmp_path) == {canary: {"file"}}
    path.write_bytes(os.urandom(9973))
    assert scanner.places(tmp_path) == {}


def test_before_the_erasure_every_canary_is_found_where_it_was_planted(planted: Home) -> None:
    assert len(set(ALL)) == 200
    assert 95 <= len(GONE) <= 105
    in_dump = {block.of(kind) for block in BLOCKS for kind in ERASED["file"] if kind != "export"}
    assert planted.dumped == in_dump
    for block in BLOCKS:
        for kind, canary in block.canaries.items():
            places = planted.before[canary]
            if kind == "export":
                assert places == {f"{block.number}.md"}
            else:
                assert any(place.startswith("postgres/data/base/") for place in places), kind
    for name, leaked in (("tag", "logs/"), ("atom", "dagster/"), ("predicate", "dbt/")):
        places = planted.before[BY_SELECTOR[name].of("town")]
        assert any(place.startswith(leaked) for place in places)


def test_after_it_no_byte_of_the_erased_half_is_left_and_all_of_the_other(erased: Home) -> None:
    assert_gone(erased)


def test_the_rows_edges_and_exports_of_all_others_are_equal(erased: Home) -> None:
    services = erased.services
    after = rows_of(services, KEPT_BLOCKS)
    assert all(erased.others.values())
    for table, rows in erased.others.items():
        assert after[table] == rows, table
    kept = ledger(services)
    for table, rows in erased.ledger.items():
        assert rows <= kept[table], table
    for block in KEPT_BLOCKS:
        assert block.of("export") in (erased.exports / f"{block.number}.md").read_text("utf-8")
    code, output, errors = run(erased.path, "audit", "verify")
    assert code == Exit.done, output + errors
