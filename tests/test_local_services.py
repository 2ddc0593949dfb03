"""The embedded services, for real: who gets in, what survives a crash, what a stop leaves."""

import json
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hvac.exceptions
import neo4j
import psutil  # type: ignore[import-untyped]
import psycopg
import pytest
from pydantic import SecretStr, ValidationError

from memory_pipeline.local import home as home_module
from memory_pipeline.local import services as local
from memory_pipeline.local.doctor import Verdict, doctor
from memory_pipeline.local.errors import HomeError, RightsError, ServiceError
from memory_pipeline.local.external import without_password
from memory_pipeline.local.home import Account, make_home, open_home, reaches
from memory_pipeline.local.process import Record, name_of
from memory_pipeline.local.roles import WORKING_LOGINS
from memory_pipeline.local.services import Services
from memory_pipeline.settings import Settings, described, settings

NAMES = ("postgres", "graph", "vault")


def pids(services: Services) -> dict[str, int]:
    return {name: Record.read(services.home, name).pid for name in services.embedded}


def secrets_of(services: Services) -> list[str]:
    stored = json.loads((services.home.path / "credentials.json").read_text())
    return [str(value) for section in stored.values() for value in section.values()]


def on_graph(services: Services, query: str) -> list[object]:
    with neo4j.GraphDatabase.driver(services.graph_uri, auth=services.graph_auth) as driver:
        records = driver.execute_query(query, database_=services.graph_database).records
    return [record[0] for record in records]


@pytest.fixture
def own_home() -> Iterator[Path]:
    """A home of one test, for what would disturb the others."""
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    folder.chmod(0o711)
    yield folder / "home"
    local.stop(folder / "home")
    shutil.rmtree(folder)


def test_a_second_ensure_finds_the_same_processes(services: Services) -> None:
    before = pids(services)
    assert pids(local.ensure(services.home.path)) == before


def test_all_three_answer_and_doctor_finds_nothing_failed(services: Services) -> None:
    assert on_graph(services, "RETURN 1") == [1]
    findings = doctor(services)
    assert {finding.service for finding in findings} == set(NAMES)
    assert [finding for finding in findings if finding.verdict is not Verdict.ok] == []


def test_the_homes_account_enters_as_owner_without_a_password(services: Services) -> None:
    assert ":" not in services.pg_url.removeprefix("postgresql://")
    with psycopg.connect(services.pg_url) as connection:
        row = connection.execute(
            "SELECT session_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = session_user"
        ).fetchone()
    assert row == ("mem_owner", False, False)


@pytest.mark.parametrize(
    "login",
    ["mem_super", *WORKING_LOGINS, "operator"],
)
def test_every_other_login_needs_its_own_password(services: Services, login: str) -> None:
    socket = services.home.socket_dir
    for password in ("", "password=wrong", f"password={os.urandom(8).hex()}"):
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(f"host={socket} dbname=memory user={login} {password}")
    with psycopg.connect(services.pg_dsn(login)) as connection:
        assert connection.info.user == login


def test_the_memory_and_dagsters_own_tables_are_apart(services: Services) -> None:
    with psycopg.connect(services.pg_dsn("mem_dagster", "dagster")):
        pass
    for login, database in (("mem_dagster", "memory"), ("mem_ingest", "dagster")):
        with pytest.raises(psycopg.OperationalError, match="permission denied"):
            psycopg.connect(services.pg_dsn(login, database))


def test_an_added_login_reads_through_its_membership_and_system_names_are_refused(
    services: Services,
) -> None:
    services.add_login("anna o'hara")
    services.add_login("anna o'hara")
    with psycopg.connect(services.pg_dsn("anna o'hara")) as connection:
        row = connection.execute("SELECT pg_has_role('mem_reader', 'USAGE')").fetchone()
    assert row == (True,)
    with pytest.raises(ServiceError, match="mem_ingest"):
        services.add_login("mem_ingest")
    with pytest.raises(ServiceError, match="nobody-here"):
        services.pg_dsn("nobody-here")


def test_text_sorts_and_folds_in_russian_whatever_the_hosts_locale(services: Services) -> None:
    with psycopg.connect(services.pg_url) as connection:
        row = connection.execute("SELECT lower('ЁЖИК'), 'а' < 'я', 'Б' COLLATE \"C\" < 'а'")
        assert row.fetchone() == ("ёжик", True, True)


def test_each_vault_role_can_do_its_work_and_nothing_more(services: Services) -> None:
    ingest, eraser = services.vault_client("ingest"), services.vault_client("eraser")
    path = f"secrets/{os.urandom(8).hex()}"

    def read(role: str, at: str) -> object:
        return services.vault_client(role).secrets.kv.v2.read_secret_version(
            at, mount_point="kv", raise_on_deleted_version=True
        )["data"]["data"]

    ingest.secrets.kv.v2.create_or_update_secret(path, {"value": "ä"}, mount_point="kv")
    assert read("reveal", path) == {"value": "ä"}
    for role in ("ingest", "eraser", "verifier", "admin"):
        with pytest.raises(hvac.exceptions.Forbidden):
            read(role, path)
    with pytest.raises(hvac.exceptions.Forbidden):
        ingest.secrets.kv.v2.create_or_update_secret("keys/hmac", {"key": "x"}, mount_point="kv")
    with pytest.raises(hvac.exceptions.Forbidden):
        eraser.secrets.kv.v2.delete_metadata_and_all_versions("keys/hmac", mount_point="kv")
    eraser.secrets.kv.v2.delete_metadata_and_all_versions(path, mount_point="kv")
    with pytest.raises(hvac.exceptions.InvalidPath):
        read("reveal", path)
    with pytest.raises(hvac.exceptions.Forbidden):
        services.vault_client("reveal").secrets.kv.v2.delete_metadata_and_all_versions(
            path, mount_point="kv"
        )


def test_no_root_token_is_left_and_what_happened_is_in_the_audit_log(services: Services) -> None:
    assert "root_token" not in services.home.credentials().section("vault")
    assert len(services.keyed_hash_key()) == 32
    log = (services.home.logs / "vault-audit.log").read_text()
    assert '"kv/data/keys/hmac"' in log
    assert not any(secret in log for secret in secrets_of(services))


def test_killed_services_come_back_with_their_data(own_home: Path) -> None:
    first = local.ensure(own_home)
    key = first.keyed_hash_key()
    with psycopg.connect(first.pg_url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 7 AS seven")
    on_graph(first, "CREATE (:Kept {seven: 7})")
    held_open = psycopg.connect(first.pg_url)
    before = pids(first)
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    while any(name_of(pid) for pid in before.values()):
        time.sleep(0.01)
    again = local.ensure(own_home)
    held_open.close()
    assert not set(before.values()) & set(pids(again).values())
    with psycopg.connect(again.pg_url) as connection:
        assert connection.execute("SELECT seven FROM kept").fetchone() == (7,)
    assert on_graph(again, "MATCH (k:Kept) RETURN k.seven") == [7]
    assert (again.graph_uri, again.vault_addr) == (first.graph_uri, first.vault_addr)
    reader = again.vault_client("ingest")
    stored = reader.secrets.kv.v2.read_secret_version(
        "keys/hmac", mount_point="kv", raise_on_deleted_version=True
    )
    assert stored["data"]["metadata"]["version"] == 1
    assert again.keyed_hash_key() == key


def test_many_starters_share_one_set_of_processes_and_a_stop_leaves_none(own_home: Path) -> None:
    start = (
        "import sys; from pathlib import Path; from memory_pipeline.local.services import ensure;"
        "from memory_pipeline.local.process import Record, name_of; s = ensure(Path(sys.argv[1]));"
        "print([Record.read(s.home, n).pid for n in ('postgres', 'graph', 'vault')])"
    )
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", start, str(own_home)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    told = {starter.communicate(timeout=200)[0] for starter in starters}
    assert [starter.returncode for starter in starters] == [0, 0, 0]
    assert len(told) == 1
    running: list[int] = json.loads(told.pop())
    children = [
        child.pid for pid in running for child in psutil.Process(pid).children(recursive=True)
    ]
    assert sorted(local.stop(own_home)) == sorted(NAMES)
    assert not any(name_of(pid) for pid in running)
    assert not any(name_of(pid) for pid in children)
    assert local.stop(own_home) == []
    states = local.status(own_home)["services"].values()
    assert {state["state"] for state in states} == {"stopped"}


def test_a_starter_that_died_before_it_was_done_leaves_nothing_in_the_way(own_home: Path) -> None:
    services = local.ensure(own_home)
    before = pids(services)
    for name in NAMES:
        (services.home.run / f"{name}.json").unlink()
    again = local.ensure(own_home)
    assert not set(before.values()) & set(pids(again).values())
    assert not any(name_of(pid) for pid in before.values())
    assert on_graph(again, "RETURN 1") == [1]


def test_nothing_listens_beyond_loopback(services: Services) -> None:
    for pid in pids(services).values():
        process = psutil.Process(pid)
        for member in [process, *process.children(recursive=True)]:
            for connection in member.net_connections(kind="inet"):
                if connection.status == psutil.CONN_LISTEN:
                    address = connection.laddr.ip.removeprefix("::ffff:")
                    assert address == "127.0.0.1"


def test_no_file_of_a_home_is_readable_by_group_or_others(services: Services) -> None:
    roots = {services.home.path, services.home.socket_dir}
    roots |= {services.home.service(name).parent for name in NAMES}
    seen = 0
    for root in roots:
        for path in [root, *root.rglob("*")]:
            # PostgreSQL removes temporary files while we look
            if path.is_symlink() or not path.exists():
                continue
            # files there are of those who hand them over; the folder itself keeps others out
            if services.home.path / "landing" in path.parents:
                continue
            seen += 1
            mode = stat.S_IMODE(path.lstat().st_mode)
            # the home made by root lets its services' account pass, not look
            allowed = 0o710 if path in roots and services.home.account else 0o700
            if path.is_dir():
                assert mode & ~allowed == 0, path
            elif not path.is_relative_to(services.home.service("programs")):
                assert mode & 0o077 == 0, path
    assert seen > 100


def test_no_credential_is_in_status_doctor_repr_logs_or_command_lines(services: Services) -> None:
    shown = repr(services) + json.dumps(local.status(services.home.path))
    shown += "".join(finding.model_dump_json() for finding in doctor(services))
    for pid in pids(services).values():
        shown += " ".join(psutil.Process(pid).cmdline())
        shown += " ".join(psutil.Process(pid).environ().values())
    for log in services.home.logs.iterdir():
        shown += log.read_text(errors="replace")
    assert secrets_of(services)
    assert not [name for name in secrets_of(services) if name in shown]


def test_status_of_a_home_that_was_never_made_starts_and_makes_nothing(tmp_path: Path) -> None:
    told = local.status(tmp_path / "none")
    assert told["pg_url"] is None
    assert {state["state"] for state in told["services"].values()} == {"stopped"}
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root's services run as another account")
def test_a_home_that_the_services_account_cannot_reach_keeps_their_data_elsewhere(
    monkeypatch: pytest.MonkeyPatch, own_home: Path, tmp_path: Path
) -> None:
    monkeypatch.setattr(home_module, "ELSEWHERE", own_home.parent / "elsewhere")
    # pytest's own folders are closed to every other account
    made = make_home(tmp_path / "home")
    assert made.account is not None
    assert made.service("postgres").is_relative_to(own_home.parent / "elsewhere")
    assert reaches(made.account, made.service("postgres"))
    assert not reaches(made.account, made.path / "credentials.json", "r")
    assert stat.S_IMODE(tmp_path.stat().st_mode) & 0o011 == 0


def test_a_long_home_path_gets_a_private_socket_folder_elsewhere(own_home: Path) -> None:
    made = make_home(own_home.parent / ("long-" * 24))
    assert not made.socket_dir.is_relative_to(made.path)
    assert len(os.fsencode(made.socket_dir / ".s.PGSQL.5432")) <= 107
    assert open_home(made.path) == made


def test_an_external_postgres_is_prepared_and_no_embedded_one_is_started(
    services: Services, own_home: Path
) -> None:
    chosen = Settings(
        MEMORY_PG_URL=SecretStr(services.pg_uri("mem_super")),
        MEMORY_NEO4J_URI=services.graph_uri,
        MEMORY_VAULT_ADDR=services.vault_addr,
    )
    used = local.ensure(own_home, chosen)
    assert used.embedded == frozenset()
    assert list((own_home / "postgres").iterdir()) == []
    with psycopg.connect(used.pg_url) as connection:
        assert connection.execute("SELECT count(*) FROM pg_extension").fetchone() is not None
    told = local.status(own_home, chosen)
    assert {state["state"] for state in told["services"].values()} == {"reachable"}
    assert not [secret for secret in secrets_of(services) if secret in json.dumps(told)]
    verdicts = {finding.check: finding.verdict for finding in doctor(used)}
    assert verdicts["row_level_security"] is Verdict.limited


@pytest.mark.parametrize(
    ("turned", "why"),
    [
        ({"dbname": "no_such_base"}, 'database "no_such_base" does not exist'),
        ({"user": "no_such_role"}, "no_such_role"),
        ({"password": "wrong-canary-word"}, "password authentication failed"),
        ({"host": "127.0.0.1", "port": "9"}, "Connection refused"),
    ],
)
def test_a_database_that_is_not_reached_says_why_and_the_others_are_still_looked_at(
    services: Services, turned: dict[str, str], why: str
) -> None:
    url = psycopg.conninfo.make_conninfo(services.pg_dsn("operator"), **turned)
    beside = settings().model_copy(update={"pg_url": SecretStr(url)})
    used = local.started(services.home.path, beside)
    findings = doctor(used)
    (failed,) = (f for f in findings if f.verdict is Verdict.failed)
    assert (failed.service, failed.check) == ("postgres", "reachable")
    assert why in failed.value
    assert {f.service for f in findings} == set(NAMES)
    told = local.status(services.home.path, beside)["services"]["postgres"]
    assert told["state"] == "unreachable"
    assert why in told["reason"]
    secret = psycopg.conninfo.conninfo_to_dict(url)["password"]
    assert str(secret) not in failed.value + json.dumps(told)


def test_an_external_login_without_rights_is_told_what_an_admin_must_run(
    services: Services, own_home: Path
) -> None:
    with psycopg.connect(services.pg_dsn("mem_super"), autocommit=True) as connection:
        connection.execute("ALTER ROLE mem_auditor RENAME TO mem_auditor_away")
    try:
        chosen = Settings(MEMORY_PG_URL=SecretStr(services.pg_uri("mem_ingest")))
        chosen = chosen.model_copy(
            update={"neo4j_uri": services.graph_uri, "vault_addr": services.vault_addr}
        )
        with pytest.raises(RightsError, match='CREATE ROLE "mem_auditor" LOGIN;'):
            local.ensure(own_home, chosen)
    finally:
        with psycopg.connect(services.pg_dsn("mem_super"), autocommit=True) as connection:
            connection.execute("ALTER ROLE mem_auditor_away RENAME TO mem_auditor")


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://o:pä@db:5432/m?sslmode=require", "postgresql://o@db:5432/m?sslmode=require"),
        ("postgresql:///m?host=/s&user=o&password=p", "postgresql:///m?host=/s&user=o"),
        ("host=/s user=o password=p dbname=m", "user=o dbname=m host=/s"),
    ],
)
def test_an_external_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(SecretStr(url)) == shown


def test_settings_name_the_variable_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_PIPELINE_EMBEDDER", "word2vec")
    with pytest.raises(ValidationError, match="embedder"):
        settings(reread=True)
    monkeypatch.setenv("MEMORY_PIPELINE_EMBEDDER", "openai")
    monkeypatch.setenv("MEMORY_PIPELINE_HOME", "here")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    read = settings(reread=True)
    assert (read.embedder, read.home) == ("openai", Path.cwd() / "here")
    assert "sk-hidden" not in repr(read)
    assert all(row.description for row in described())
    assert "MEMORY_PG_URL" in {row.variable for row in described()}


def test_an_ordinary_user_runs_everything_and_another_accounts_home_is_refused() -> None:
    if os.geteuid() != 0:
        pytest.skip("the whole run is an ordinary user's; only root can become another account")
    user = pwd.getpwnam("nobody")
    identity: dict[str, Any] = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    minor = f"python{sys.version_info.major}.{sys.version_info.minor}"
    found = [sys.executable, shutil.which(minor, path="/usr/local/bin:/usr/bin")]
    account = Account(user.pw_name, user.pw_uid, user.pw_gid)
    reachable = [path for path in found if path and reaches(account, Path(path))]
    if not reachable or not reaches(account, Path(local.__file__), "r"):
        pytest.skip("interpreter or checkout lie where an ordinary user cannot reach them")
    python, checkout = reachable[0], Path(local.__file__).parents[2]
    folder = Path(tempfile.mkdtemp(prefix="mp-"))
    try:
        os.chown(folder, user.pw_uid, user.pw_gid)
        program = (
            "import sys; from pathlib import Path; import psycopg;"
            "from memory_pipeline.local.services import ensure, stop;"
            "s = ensure(Path(sys.argv[1]));"
            "print(psycopg.connect(s.pg_url).execute('SELECT session_user').fetchone()[0],"
            " len(s.keyed_hash_key()), s.home.account, sorted(stop(Path(sys.argv[1]))))"
        )
        done = subprocess.run(
            [python, "-c", program, str(folder / "home")],
            env={
                "PYTHONPATH": os.pathsep.join([str(checkout), *sys.path]),
                "PATH": "/usr/bin:/bin",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            timeout=200,
            **identity,
        )
        assert done.stdout.split() == (
            ["mem_owner", "32", "None", "['graph',", "'postgres',", "'vault']"]
        ), done.stderr
        with pytest.raises(HomeError, match="belongs to uid"):
            local.ensure(folder / "home")
    finally:
        shutil.rmtree(folder)
