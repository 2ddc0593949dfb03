"""Two hundred canaries in two tenants: half of them are erased, by every selector, and a scan of all
bytes finds none of those and all of the others; nothing brings them back, no backup either."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from memory_pipeline.bitemporal.reading import AmbiguousSubject, UnknownSubject
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
from tests.scenario import Message, write
from tests.verify.homes import ZONE, Row, home_folder, run
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
    Chat,
    erase,
    leak,
    ledger,
    named,
    plant,
    rows_of,
    selector,
)
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
    exported = {block.of("export") for block in BLOCKS}
    in_dump = dumped(home.services)
    assert named(in_dump & GONE) == []
    assert named(STAYING - exported - in_dump) == []
    found = home.scan()
    assert {name: found[name.canary] for name in named(GONE & set(found))} == {}
    assert named(STAYING - set(found)) == []


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
    for table, appended in erased.ledger.items():
        assert appended <= kept[table], table
    for block in KEPT_BLOCKS:
        assert block.of("export") in (erased.exports / f"{block.number}.md").read_text("utf-8")
    code, output, errors = run(erased.path, "audit", "verify")
    assert code == Exit.done, output + errors


# ---------- what could bring it back


class Careful(LocalExtractor):
    """A later version, which reads every window anew."""

    version = "careful"


def as_whatsapp(folder: Path, blocks: Sequence[Chat]) -> list[Path]:
    """Each chat as a messenger exports it: no ids, minutes only, a format of its own."""
    paths = []
    for block in blocks:
        path = folder / f"WhatsApp Chat with {block.number}.txt"
        said = (
            (datetime.fromisoformat(line["sent_at"]).astimezone(ZoneInfo(ZONE)), line)
            for line in block.lines
        )
        path.write_text(
            "".join(f"{at:%d.%m.%Y, %H:%M} - {x['speaker']}: {x['text']}\n" for at, x in said),
            encoding="utf-8",
        )
        paths.append(path)
    return paths


def renamed(folder: Path, name: str, lines: Sequence[Message]) -> list[Path]:
    """The same lines in files of other names: as they are, from the end, under other ids, and so
    that no reader can read them."""
    other = [line | {"message_id": f"x{n}"} for n, line in enumerate(lines)]
    broken = folder / f"{name}-broken.jsonl"
    broken.write_text(
        "".join(json.dumps(line, ensure_ascii=False)[:-1] + "\n" for line in lines), "utf-8"
    )
    return [
        write(folder / f"{name}-again.jsonl", lines),
        write(folder / f"{name}-reversed.jsonl", lines[::-1]),
        write(folder / f"{name}-other-ids.jsonl", other),
        broken,
    ]


@pytest.fixture(scope="module")
def returned(erased: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The home after everything that could bring something back."""
    folder = tmp_path_factory.mktemp("again")
    for tenant in (FIRST, SECOND):
        blocks = [block for block in BLOCKS if block.tenant == tenant]
        lines = [line for block in blocks for line in block.lines]
        with Pipeline.open(erased.services, tenant, ZONE) as pipeline:
            pipeline.run([block.log(erased.folder / "logs") for block in blocks])
            pipeline.run(renamed(folder, tenant, lines))
            pipeline.run(as_whatsapp(folder, blocks))
            # a backfill of its only day, an upgrade and the way back
            pipeline.extract(day=datetime.now(UTC).date())
            for extractor in (Careful(), LocalExtractor()):
                pipeline.extractor = extractor
                pipeline.extract()
            assert pipeline.replay_quarantine().n_waiting >= 0
    local_services.stop(erased.path)
    code, output, errors = run(erased.path, "rebuild", "all")
    assert code == Exit.done, output + errors
    return erased


def test_nothing_of_it_comes_back_by_logs_exports_extractors_quarantine_or_rebuilds(
    returned: Home,
) -> None:
    services = returned.services
    tag, subject = BY_SELECTOR["tag"], BY_SELECTOR["subject"]
    with Memory(services, tenant=FIRST) as memory:
        # the other program's export made another person of the same name
        with pytest.raises(AmbiguousSubject) as same:
            memory.subject(tag.speaker)
        found = [
            answer.object
            for entity_id, *_ in same.value.candidates
            for answer in memory.as_of(entity_id=entity_id, predicate="location").answers
        ]
        assert set(found) == {None}
        with pytest.raises(UnknownSubject):
            memory.subject(subject.speaker)
        for canary in GONE:
            for hit in memory.search(canary, 5):
                assert canary not in hit.text
        packed = memory.context(tag.of("dialog"), f"где живёт {tag.speaker}", 2000)
        assert tag.of("town") not in packed.markdown
        assert tag.of("text") in packed.markdown
    assert_gone(returned)


# ---------- a backup from before


@pytest.fixture(scope="module")
def restored(returned: Home) -> Home:
    """The home with its database from before any erasure."""
    local_services.stop(returned.path)
    data = data_folder(returned.services.home)
    local_services.stop(returned.path)
    shutil.rmtree(data)
    copy(returned.backup, data)
    return returned


def test_a_restored_backup_opens_after_it_was_made_to_forget_again_and_not_before(
    restored: Home,
) -> None:
    town = BY_SELECTOR["tag"].of("town")
    code, output, errors = run(
        restored.path, "ask", "--subject", BY_SELECTOR["tag"].speaker, "--tenant", FIRST
    )
    assert code == Exit.not_replayed, output + errors
    assert "erase replay" in errors
    # control: the backup has it all
    assert town in restored.scan()
    code, output, errors = run(restored.path, "erase", "replay", "--json")
    assert code in (Exit.done, Exit.review_open), output + errors
    waiting = [status for status in json.loads(output) if status["state"] != "certified"]
    for status in waiting:
        assert status["block"] == "review_open"
        command = ("erase", "waive", status["request_id"], "--reason", "of others")
        code, output, errors = run(restored.path, *command, "--tenant", FIRST)
        assert code == Exit.done, output + errors
    code, output, errors = run(restored.path, "erase", "replay")
    assert (code, output.strip()) == (Exit.done, "the database lacks no erasure"), errors
    code, output, errors = run(
        restored.path, "ask", "--subject", BY_SELECTOR["tag"].speaker, "--tenant", FIRST
    )
    assert code == Exit.done, errors
    assert town not in output
    assert_gone(restored)
