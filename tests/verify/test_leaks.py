"""No secret of the logs is found in clear in any file of a home; personal values only in the
database."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.installation import ready
from memory_pipeline.local import services as local_services
from memory_pipeline.local.programs import postgres_programs
from memory_pipeline.local.roles import DAGSTER_DATABASE, DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from tests.verify.homes import ZONE, View, run, sample_lines, write_lines

pytestmark = [pytest.mark.verify, pytest.mark.timeout(900)]

SECRETS = (
    "4599 000123", "771234009903", "112-900-550 09", "2200 1234 0000 5678",
    "sk-test-4vTq8LmXz2RbK7wNc9Yd", "Tishka!Vs!Kresla2025", "GB82 WEST 1234 5698 7654 32",
    "sk-test-Qm7Zp3XtW9cVb5LhR2Ks",
)  # fmt: skip
PERSONAL = (
    "14 мая 1991", "+7 999 555-01-42", "d.severov@mail.example", "192.0.2.17",
    "rachel.hartwell@mail.example", "+44 7700 900123",
)  # fmt: skip
PUBLIC = ("Переезжаю в Казань с 19-го", "the wallpaper has roosters")
REFUSED_SECRET = "sk-test-Zx81LqWm40TnRvYc72Ub"
BLOCK = 1 << 22


def forms(value: str) -> list[bytes]:
    """A value as it was written, without separators, and as the hexadecimal of its bytes."""
    bare = "".join(c for c in value if c.isalnum())
    written = value.encode()
    found = {written, written.hex().encode(), value.encode("utf-16-le")}
    if any(c in " -" for c in value) and bare.isascii():
        found |= {bare.encode(), bare.lower().encode()}
    return sorted(found)


def places(folder: Path, values: Sequence[str]) -> dict[str, set[str]]:
    """The files under a folder that hold a value in one of its forms, links followed."""
    wanted = {value: forms(value) for value in values}
    overlap = max(len(form) for value in wanted.values() for form in value)
    found: dict[str, set[str]] = {value: set() for value in values}
    for path in files_under(folder):
        tail = b""
        with path.open("rb") as stream:
            while block := stream.read(BLOCK):
                text = tail + block
                for value, written in wanted.items():
                    if any(form in text for form in written):
                        found[value].add(str(path.relative_to(folder)))
                tail = text[-overlap:]
    return found


def files_under(folder: Path) -> Iterator[Path]:
    for base, _, names in os.walk(folder, followlinks=True):
        for name in names:
            path = Path(base, name)
            if path.is_file():
                yield path


def dump(services: Services, database: str) -> str:
    """A whole database as SQL, values that are compressed or stored aside included."""
    facts = conninfo_to_dict(services.pg_dsn(SUPERUSER, database))
    reached = {"PGHOST": "host", "PGUSER": "user", "PGPASSWORD": "password", "PGDATABASE": "dbname"}
    done = subprocess.run(
        [str(postgres_programs(services.home) / "pg_dump"), "--inserts"],
        env=os.environ | {variable: str(facts[name]) for variable, name in reached.items()},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode()


@pytest.fixture(scope="module")
def used(samples_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home after a refused line with a secret, a search, and a context that was exported."""
    folder = tmp_path_factory.mktemp("used")
    log = write_lines(
        folder / "broken.jsonl", [*sample_lines("family-chat")[:1], f'{{"text": "{REFUSED_SECRET}']
    )
    code, output, errors = run(
        samples_folder, "ingest", log, "--tenant", "refused", "--tz", ZONE, "--json"
    )
    assert code == 3, errors
    assert json.loads(output)["n_quarantined"] == 1
    assert REFUSED_SECRET not in output + errors
    services = ready(samples_folder)
    with View(services).memory() as memory:
        memory.search("номер телефона и почта")
        snapshot = memory.context("dmitry-2025-07-docs", "паспорт и телефон", 2000)
        written = folder / "context.md"
        memory.export(snapshot, snapshot.markdown, written)
    for secret in SECRETS:
        assert secret not in written.read_text("utf-8")
    return samples_folder


def test_the_planted_values_stand_in_the_logs() -> None:
    text = "\n".join(sample_lines())
    for value in (*SECRETS, *PERSONAL, *PUBLIC):
        assert value in text


def test_a_dump_of_the_databases_holds_no_secret(used: Path) -> None:
    services = ready(used)
    text = dump(services, DATABASE).encode()
    for value in (*PUBLIC, *PERSONAL):
        assert value.encode() in text
    text += dump(services, DAGSTER_DATABASE).encode()
    for secret in (*SECRETS, REFUSED_SECRET):
        assert not [form for form in forms(secret) if form in text]


def test_no_file_of_the_home_holds_a_secret_and_only_the_database_personal_values(
    used: Path,
) -> None:
    local_services.stop(used)
    found = places(used, (*SECRETS, REFUSED_SECRET, *PERSONAL, *PUBLIC))
    for public in PUBLIC:
        assert any(place.startswith("postgres/data/base/") for place in found[public])
    for value in PERSONAL:
        assert found[value]
        assert all(place.startswith("postgres/data/") for place in found[value])
    for secret in (*SECRETS, REFUSED_SECRET):
        assert not found[secret]
