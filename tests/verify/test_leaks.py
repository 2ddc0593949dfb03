"""No secret of the logs is found in clear in any file of a home; personal values only in the
database."""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.governance.erasure.act import ActFacts, write_papers
from memory_pipeline.governance.erasure.certificate import readable
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.installation import ready
from memory_pipeline.local import services as local_services
from memory_pipeline.local.programs import postgres_programs
from memory_pipeline.local.roles import DAGSTER_DATABASE, DATABASE, OPERATOR, SUPERUSER
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
ERASED, ASKED_BY, NAMED = "Zurbaganworks", "ticket-of-Quillfeather", "Marigold Quillfeather"
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


@pytest.fixture(scope="module")
def proof(used: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A fact is exported and erased over the command line; what is shown for it, outside the home."""
    folder = tmp_path_factory.mktemp("proof")
    tenant = ("--tenant", "erased")
    line = {"dialog_id": "d", "speaker": "Ann", "sent_at": "2025-03-04T09:00+00:00"}
    log = write_lines(
        folder / "log.jsonl",
        [json.dumps(line | {"text": text}) for text in (f"I work at {ERASED}.", "I live in Bath.")],
    )
    commands: list[tuple[str | Path, ...]] = [
        ("ingest", log, "--tz", ZONE),
        ("access", "grant", OPERATOR, "--audience", "*"),
        ("subject", "export", "Ann"),
        ("erase", "--subject", "Ann", "--tag", "work", "--yes", "--reference", ASKED_BY,
         "--ground", "consent_withdrawn"),
        ("audit", "head", "--out", folder / "heads.jsonl"),
    ]  # fmt: skip
    for command in commands:
        more = () if command[0] == "audit" else tenant
        code, output, errors = run(used, *command, *more, MEMORY_PIPELINE_LOG_LEVEL="DEBUG")
        assert code == 0, output + errors
        (folder / f"{command[0]}.log").write_text(errors, encoding="utf-8")
    services = ready(used)
    with Eraser(services, "erased") as eraser:
        (done,) = eraser.list()
        body = eraser.certificate(done.request_id)
    (folder / "certificate.json").write_text(json.dumps(body), encoding="utf-8")
    (folder / "certificate.md").write_text(readable(body), encoding="utf-8")
    facts = ActFacts.model_validate(
        {"operator_name": "x", "operator_address": "x", "subject": NAMED,
         "information_system": "x", "destroyed_by": [{"name": "x", "position": "x"}]}
    )  # fmt: skip
    acts = write_papers(body, facts, folder / "acts")
    log.unlink()
    return [*acts, *(path for path in folder.iterdir() if path.is_file())]


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


def test_what_is_shown_for_an_erasure_and_its_logs_hold_nothing_of_what_was_erased(
    used: Path, proof: list[Path]
) -> None:
    assert {path.name.partition("_")[0] for path in proof} >= {
        "act", "log", "certificate.json", "certificate.md", "heads.jsonl", "erase.log",
    }  # fmt: skip
    for path in proof:
        text = path.read_text(encoding="utf-8")
        assert ERASED not in text, path
        assert ASKED_BY not in text, path
        assert (NAMED in text) is (path.parent.name == "acts"), path
    for name in ("audit-heads.jsonl", "suppressions.jsonl"):
        assert (used / name).stat().st_size, name


def test_no_file_of_the_home_holds_a_secret_and_only_the_database_personal_values(
    used: Path,
    proof: list[Path],
) -> None:
    local_services.stop(used)
    gone = (*SECRETS, REFUSED_SECRET, ERASED, ASKED_BY, NAMED)
    found = places(used, (*gone, *PERSONAL, *PUBLIC))
    for public in PUBLIC:
        assert any(place.startswith("postgres/data/base/") for place in found[public])
    for value in PERSONAL:
        assert found[value]
        assert all(place.startswith("postgres/data/") for place in found[value])
    for secret in gone:
        assert not found[secret]
