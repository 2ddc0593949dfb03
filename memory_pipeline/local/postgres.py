"""The embedded PostgreSQL 18: own cluster, own rules of who gets in, no TCP."""

import os
import shutil
import signal
import time
from pathlib import Path

import psycopg
from psycopg.conninfo import make_conninfo

from memory_pipeline.local import process, roles
from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import StartError
from memory_pipeline.local.files import make_folder, write_private
from memory_pipeline.local.home import Home, own_account
from memory_pipeline.local.process import Record
from memory_pipeline.local.programs import postgres_programs

SERVICE = "postgres"
STOP = signal.SIGINT  # PostgreSQL's fast shutdown
# parallel plans pass their rows through shared memory, of which containers often have 64 MB
PARALLEL_SHARED_MEMORY_BYTES = 512 * 2**20

_CONF = """\
# written at every start; a change here is lost
listen_addresses = ''
unix_socket_directories = '{socket_dir}'
unix_socket_permissions = 0700
max_connections = 200
password_encryption = scram-sha-256
timezone = 'UTC'
log_timezone = 'UTC'
default_text_search_config = 'pg_catalog.simple'

# nothing of a row's content gets into the log
log_destination = stderr
logging_collector = off
log_line_prefix = '%m [%p] '
log_error_verbosity = terse
log_min_messages = warning
log_min_error_statement = panic
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_statement = none
log_min_duration_statement = -1
log_connections = ''
log_checkpoints = off
track_activity_query_size = 256
update_process_title = off

# erased rows do not live on in recycled files of the log
wal_recycle = off
wal_init_zero = on
wal_level = replica
max_slot_wal_keep_size = 1GB

# a session that went away may not hold back vacuum; long loads are allowed
idle_in_transaction_session_timeout = 5min
transaction_timeout = 0

# modest: two cores, shared with the program itself
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 16MB
maintenance_work_mem = 256MB
max_wal_size = 2GB
checkpoint_timeout = 15min
jit = off
random_page_cost = 1.1
max_locks_per_transaction = 128
max_parallel_workers_per_gather = {gather}
max_parallel_maintenance_workers = {maintenance}
"""

_HBA = """\
# written at every start; a change here is lost
local all {owner} peer map=owner
local all all scram-sha-256
"""


def data_folder(home: Home) -> Path:
    """The cluster's data folder."""
    return home.service(SERVICE) / "data"


def conninfo(home: Home, login: str, password: str | None, database: str) -> str:
    """How a login reaches a database of the embedded server."""
    facts = {"host": str(home.socket_dir), "user": login, "dbname": database}
    if password is not None:
        facts["password"] = password
    return make_conninfo(**facts)


def start(home: Home, credentials: Credentials, timeout_s: float) -> Record:
    """Make the cluster if it is missing, start the server, bring its roles and databases up to
    date. The home's lock is held. Raises `StartError`.
    """
    deadline = time.monotonic() + timeout_s
    data = data_folder(home)
    for stray in process.strays(str(data)):
        process.end(stray, STOP)
    _drop_lock_of_the_dead(data)
    password = credentials.ensure_random(roles.SECTION, roles.SUPERUSER)
    programs = postgres_programs(home)
    if not data.exists():
        _make_cluster(home, programs, password, timeout_s)
    _configure(home)
    version = _run_server(home, programs, password, deadline)
    record = Record.read(home, SERVICE)
    _bring_up_to_date(home, credentials, password)
    return Record(record.pid, record.started, True, [], version).write(home, SERVICE)


def _drop_lock_of_the_dead(data: Path) -> None:
    """Remove the lock file of a server that has ended.

    PostgreSQL itself takes a zombie, or another program that got the pid after a reboot, for a
    living server. Against a real one its shared memory still guards.
    """
    lock = data / "postmaster.pid"
    try:
        pid = int(lock.read_text().split(maxsplit=1)[0])
    except (FileNotFoundError, IndexError, ValueError):
        return
    if process.name_of(pid) != "postgres":
        lock.unlink()


def _make_cluster(home: Home, programs: Path, password: str, timeout_s: float) -> None:
    folder = home.service(SERVICE)
    half = folder / "data.new"
    if half.exists():
        shutil.rmtree(half)
    password_file = folder / "initdb.password"
    write_private(password_file, password + "\n", home.owner)
    try:
        process.run(
            home,
            [
                str(programs / "initdb"),
                f"--pgdata={half}",
                f"--username={roles.SUPERUSER}",
                f"--pwfile={password_file}",
                "--auth-local=scram-sha-256",
                "--auth-host=reject",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--data-checksums",
                "--no-instructions",
            ],
            folder=folder,
            timeout_s=timeout_s,
        )
    finally:
        password_file.unlink()
    half.rename(data_folder(home))


def _configure(home: Home) -> None:
    data = data_folder(home)
    memory = os.statvfs("/dev/shm") if Path("/dev/shm").is_dir() else None  # noqa: S108
    parallel = (
        memory is not None and memory.f_bavail * memory.f_frsize >= PARALLEL_SHARED_MEMORY_BYTES
    )
    conf = _CONF.format(
        socket_dir=str(home.socket_dir).replace("'", "''"),
        gather=2 if parallel else 0,
        maintenance=2 if parallel else 0,
    )
    account = own_account().name.replace('"', '""')
    write_private(data / "postgresql.conf", conf, home.owner)
    write_private(data / "pg_hba.conf", _HBA.format(owner=roles.OWNER), home.owner)
    ident = f'owner "{account}" {roles.OWNER}\n'
    write_private(data / "pg_ident.conf", ident, home.owner)
    _make_socket_dir(home)


def _make_socket_dir(home: Home) -> None:
    folder = make_folder(home.socket_dir, home.owner)
    facts = folder.lstat()
    wanted = os.geteuid() if home.account is None else home.account.uid
    if folder.is_symlink() or facts.st_uid != wanted or facts.st_mode & 0o077:
        raise StartError(
            f"{folder} was there before, and is not a private folder of uid {wanted}; remove it, "
            "or choose a shorter MEMORY_PIPELINE_HOME, which needs no folder outside"
        )


def _run_server(home: Home, programs: Path, password: str, deadline: float) -> str:
    """Start until it answers; gives the server's version."""
    target = conninfo(home, roles.SUPERUSER, password, "postgres")
    versions: list[str] = []

    def ready() -> bool:
        try:
            with psycopg.connect(target, connect_timeout=5) as connection:
                row = connection.execute("SHOW server_version").fetchone()
                versions.append(row[0] if row else "")
        except psycopg.OperationalError:
            return False
        return True

    data = data_folder(home)
    while True:
        record = process.spawn(
            home,
            [str(programs / "postgres"), "-D", str(data)],
            log="postgres.log",
            folder=home.service(SERVICE),
        )
        record.write(home, SERVICE)
        try:
            if process.wait_ready(record, ready, max(0.0, deadline - time.monotonic())):
                return versions[-1]
        except StartError:
            process.end(record, signal.SIGQUIT)
            raise StartError(
                f"PostgreSQL did not answer in time; see {home.logs / 'postgres.log'}"
            ) from None
        # backends of a killed server may still hold its shared memory for a moment
        if time.monotonic() > deadline - 1 or not _may_pass(home):
            raise StartError(f"PostgreSQL ended while starting; see {home.logs / 'postgres.log'}")
        time.sleep(0.2)


def _may_pass(home: Home) -> bool:
    with (home.logs / "postgres.log").open("rb") as log:
        log.seek(max(0, log.seek(0, os.SEEK_END) - 2000))
        tail = log.read()
    return b"shared memory block" in tail or b"lock file" in tail


def _bring_up_to_date(home: Home, credentials: Credentials, password: str) -> None:
    target = conninfo(home, roles.SUPERUSER, password, "postgres")
    with psycopg.connect(target, autocommit=True) as connection:
        present = connection.execute(
            "SELECT 1 FROM pg_roles WHERE rolname = %s", [roles.OWNER]
        ).fetchone()
        if present is None:
            connection.execute(f"CREATE ROLE {roles.OWNER} LOGIN CREATEROLE")
        roles.ensure_roles(connection, credentials, owner=roles.OWNER, reset=True)
        if roles.ensure_database(connection, roles.DAGSTER_DATABASE, roles.DAGSTER):
            for name in ("postgres", "template1"):
                connection.execute(f"REVOKE ALL ON DATABASE {name} FROM PUBLIC")
    make_database(home, credentials, roles.DATABASE)


def make_database(home: Home, credentials: Credentials, name: str) -> None:
    """Make a database like `memory` on the embedded server unless it is there: the owner's, with
    the extension that only the superuser can add.
    """
    password = credentials.get(roles.SECTION, roles.SUPERUSER)
    with psycopg.connect(
        conninfo(home, roles.SUPERUSER, password, "postgres"), autocommit=True
    ) as connection:
        roles.ensure_database(connection, name, roles.OWNER)
        roles.admit(connection, name)
    with psycopg.connect(
        conninfo(home, roles.SUPERUSER, password, name), autocommit=True
    ) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        connection.execute("ALTER EXTENSION vector UPDATE")
        roles.let_erase(connection)
