"""Two hundred canaries in two tenants: half of them are erased, by every selector, and a scan of all
bytes finds none of those and all of the others; nothing brings them back, no backup either."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.bitemporal.reading import AmbiguousSubject, UnknownSubject
from memory_pipeline.commands.outcome import Exit
from memory_pipeline.contracts.erasure import Selector
from memory_pipeline.governance.secrets import SecretStore, SecretStoreError
from memory_pipeline.installation import ready
from memory_pipeline.local import services as local_services
from memory_pipeline.local.postgres import data_folder
from memory_pipeline.local.programs import postgres_programs
from memory_pipeline.local.roles import DAGSTER_DATABASE, DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.orchestration.instance import in_process_run
from memory_pipeline.orchestration.partitions import ingest_days
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.extraction.local import LocalExtractor
from tests.canaries import ENCODINGS, CanaryScanner, cyrillic, latin
from tests.scenario import Message, message, write
from tests.verify.homes import ZONE, Row, View, home_folder, run, superuser
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

THIRD = "third"


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


def base_backup(services: Services, target: Path) -> None:
    """A base backup of the running server, as an operator takes one: by a login that may replicate,
    let in until the next start."""
    facts = conninfo_to_dict(services.pg_dsn(SUPERUSER, DATABASE))
    with (data_folder(services.home) / "pg_hba.conf").open("a") as rules:
        rules.write(f"local replication {SUPERUSER} scram-sha-256\n")
    with superuser(services) as connection:
        connection.execute("select pg_reload_conf()")
    reached = {"PGHOST": "host", "PGUSER": "user", "PGPASSWORD": "password"}
    program = postgres_programs(services.home) / "pg_basebackup"
    subprocess.run(
        [str(program), "-D", str(target), "-X", "stream", "-c", "fast", "--no-sync"],
        env=os.environ | {variable: str(facts[name]) for variable, name in reached.items()},
        check=True,
    )


def restore(backup: Path, data: Path) -> None:
    """Put a base backup in the place of the stopped server's data, with its owner and rights."""
    owner = data.stat()
    shutil.rmtree(data)
    shutil.copytree(backup, data, symlinks=True)
    for path in (data, *data.rglob("*")):
        os.chown(path, owner.st_uid, owner.st_gid)
    data.chmod(0o700)


CARD = "5555 5555 5555 4444"


def pay(home: Home, sent_at: datetime, number: int) -> None:
    """A card is told, in a tenant of its own."""
    said = message("Вера", sent_at.isoformat(), f"Моя карта {CARD}", dialog_id=f"pay-{number}")
    with Pipeline.open(home.services, THIRD, ZONE) as pipeline:
        pipeline.ingest([write(home.folder / f"pay-{number}.jsonl", [said])])


def revealed(services: Services) -> list[str | None]:
    """The cards that are still there, in the order in which they were told."""
    uses = View(services, THIRD).rows(
        "select u.secret_id from memory.secret_use as u join memory.message as m using (message_id)"
        " where m.tenant_id = %(tenant)s order by m.sent_at"
    )
    store = SecretStore(services.vault_client("reveal"))
    found: list[str | None] = []
    for (secret_id,) in uses:
        try:
            found.append(store.get(secret_id))
        except SecretStoreError:
            found.append(None)
    return found


def assert_vault_has_what_is_referred_to(services: Services) -> None:
    with superuser(services) as connection:
        live = connection.execute("select secret_id from memory.live_secret").fetchall()
    assert SecretStore(services.vault_client("verifier")).ids() == {row[0] for row in live}


@pytest.fixture(scope="module")
def planted(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    with home_folder() as path:
        folder = tmp_path_factory.mktemp("planted")
        (folder / "logs").mkdir()
        services = ready(path)
        plant(services, folder)
        leak(services)
        pay(Home(path, folder, {}, set(), {}, {}), datetime(2025, 3, 3, tzinfo=UTC), 1)
        others, rows, in_dump = rows_of(services, KEPT_BLOCKS), ledger(services), dumped(services)
        made = Home(path, folder, {}, in_dump, others, rows)
        base_backup(services, made.backup)
        made.before = made.scan()
        yield made


@pytest.fixture(scope="module")
def erased(planted: Home) -> Home:
    services = planted.services
    for name in ERASED:
        erase(services, FIRST, selector(services, name))
    erase(services, SECOND, Selector(whole_tenant=True))
    erase(services, THIRD, Selector(dialog="pay-1"))
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


def backfill(services: Services, tenant: str, logs: Sequence[Path]) -> None:
    """All days of the ingestion job, run by Dagster, with the logs in the landing folder again."""
    landing = services.home.path / "landing" / tenant
    landing.mkdir(parents=True, exist_ok=True)
    for log in logs:
        # a file this young may still be written to
        os.utime(shutil.copy(log, landing), (1_700_000_000, 1_700_000_000))
    for day in ingest_days(services.home.path).get_partition_keys():
        ran = in_process_run(services, tenant=tenant, day=date.fromisoformat(day))
        assert ran.success, ran.problems
    assert not [path for path in landing.iterdir() if path.is_file()]


@pytest.fixture(scope="module")
def returned(erased: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """The home after everything that could bring something back."""
    folder = tmp_path_factory.mktemp("again")
    for tenant in (FIRST, SECOND):
        blocks = [block for block in BLOCKS if block.tenant == tenant]
        lines = [line for block in blocks for line in block.lines]
        logs = [block.log(erased.folder / "logs") for block in blocks]
        if tenant == FIRST:
            backfill(erased.services, tenant, logs)
        with Pipeline.open(erased.services, tenant, ZONE) as pipeline:
            if tenant == SECOND:
                pipeline.run(logs)
            pipeline.run(renamed(folder, tenant, lines))
            pipeline.run(as_whatsapp(folder, blocks))
            # an upgrade and the way back
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
    # since the backup: a value whose row the backup lacks
    pay(returned, datetime.now(UTC), 2)
    assert revealed(returned.services) == [None, CARD]
    data = data_folder(returned.services.home)
    local_services.stop(returned.path)
    restore(returned.backup, data)
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
    assert (code, output.splitlines()[0]) == (Exit.done, "the database lacks no erasure"), errors
    code, output, errors = run(
        restored.path, "ask", "--subject", BY_SELECTOR["tag"].speaker, "--tenant", FIRST
    )
    assert code == Exit.done, errors
    assert town not in output
    assert_gone(restored)


def test_after_it_the_audit_log_says_what_it_lacks_and_holds_once_the_restore_is_recorded(
    restored: Home,
) -> None:
    code, output, errors = run(restored.path, "audit", "verify")
    assert code == Exit.check_failed, output + errors
    assert "memory-pipeline audit restored" in output
    assert "the log does NOT hold" not in output
    code, output, errors = run(restored.path, "audit", "restored")
    assert code == Exit.done, output + errors
    code, output, errors = run(restored.path, "audit", "verify")
    assert code == Exit.done, output + errors
    assert "restored from a backup, recorded as event" in output
    assert output.count("is gone; erased again and certified anew") == len(ERASED) + 2
    code, _, errors = run(restored.path, "audit", "restored")
    assert code == Exit.usage, errors


def test_after_it_a_destroyed_value_stays_so_and_is_kept_again_when_it_is_told_again(
    restored: Home,
) -> None:
    services = restored.services
    assert revealed(services) == [None]
    assert_vault_has_what_is_referred_to(services)
    pay(restored, datetime.now(UTC), 3)
    assert revealed(services) == [None, CARD]
    assert_vault_has_what_is_referred_to(services)
