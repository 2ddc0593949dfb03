"""The three services of a home: started on demand, shared by its processes, stopped together."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.local import (
    external,
    graph,
    ports,
    postgres,
    process,
    roles,
    vault,
    vault_setup,
)
from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import ServiceError, UnknownLogin
from memory_pipeline.local.home import Home, make_home, open_home
from memory_pipeline.local.process import Record
from memory_pipeline.settings import Settings
from memory_pipeline.settings import settings as current_settings

if TYPE_CHECKING:
    import hvac
    import neo4j

_hmac_keys: dict[tuple[str, str | None], bytes] = {}

Start = Callable[[Home, Credentials, float], Record]
EMBEDDED: dict[str, tuple[Start, Any]] = {
    postgres.SERVICE: (postgres.start, postgres.STOP),
    graph.SERVICE: (graph.start, graph.STOP),
    vault.SERVICE: (vault.start, vault.STOP),
}


@dataclass(frozen=True)
class Services:
    """How to reach a home's services. Its repr shows no password.

    `pg_url` is the owner's, without a password on the embedded server (the home's account is let
    in by the operating system's word) and with that of MEMORY_PG_URL on an external one.
    """

    home: Home
    settings: Settings = field(repr=False)
    graph_uri: str
    graph_database: str
    vault_addr: str
    embedded: frozenset[str]
    _credentials: Credentials = field(repr=False)

    @property
    def pg_url(self) -> str:
        """URL of the owner's login on the memory database."""
        if self.settings.pg_url is not None:
            return self.settings.pg_url.get_secret_value()
        return owner_url(self.home)

    def pg_dsn(self, login: str, database: str | None = None) -> str:
        """Connection string of a login, with its password. Keep it out of logs and messages.

        Raises `ServiceError` for a login that this home does not know on its embedded server; on
        an external one libpq then looks into ~/.pgpass.
        """
        password = self._credentials.get(roles.SECTION, login)
        if self.settings.pg_url is not None:
            return external.pg_dsn(self.settings.pg_url, login, password, database)
        if password is None and login != roles.OWNER:
            raise UnknownLogin(f"no login {login} in this home; see `memory-pipeline access list`")
        return postgres.conninfo(self.home, login, password, database or roles.DATABASE)

    def pg_uri(self, login: str, database: str | None = None, driver: str = "postgresql") -> str:
        """The same as a URL with a host in it, which SQLAlchemy's users ask for. Holds the
        password.
        """
        facts = {
            name: str(value)
            for name, value in conninfo_to_dict(self.pg_dsn(login, database)).items()
        }
        secret = f":{quote(facts['password'], safe='')}" if "password" in facts else ""
        host, port = facts.get("host", "localhost"), facts.get("port")
        user, name = quote(facts["user"], safe=""), quote(facts["dbname"], safe="")
        known = {"user", "password", "host", "port", "dbname"}
        query = {key: value for key, value in facts.items() if key not in known}
        if host.startswith("/"):
            query["host"] = host
            host = "localhost"
        options = "&".join(f"{key}={quote(value, safe='/')}" for key, value in query.items())
        where = f"{host}:{port}" if port else host
        return f"{driver}://{user}{secret}@{where}/{name}" + (f"?{options}" if options else "")

    @property
    def graph_auth(self) -> tuple[str, str] | None:
        """Login and password of the graph server; None for one without authentication."""
        if graph.SERVICE in self.embedded:
            return graph.USER, self._credentials.ensure_random(graph.SERVICE, graph.USER)
        password = self.settings.neo4j_password
        return None if password is None else (self.settings.neo4j_user, password.get_secret_value())

    def graph_driver(self) -> "neo4j.Driver":
        """A driver of the graph server; close it. Queries name `graph_database`."""
        import neo4j

        return neo4j.GraphDatabase.driver(
            self.graph_uri,
            auth=self.graph_auth,
            notifications_min_severity="OFF",
            connection_acquisition_timeout=30,
        )

    def vault_client(self, role: str) -> "hvac.Client":
        """A client of the vault as ingest, reveal, eraser, verifier or admin. Its token lives an
        hour and is not renewed: take a fresh client for each piece of work.

        Raises `ServiceError`.
        """
        if vault.SERVICE in self.embedded:
            return vault_setup.login(self.vault_addr, self._credentials, vault.SERVICE, role)
        return external.vault_login(self.settings, self._credentials, role)

    def keyed_hash_key(self) -> bytes:
        """The installation's key of keyed hashes, 32 bytes; read once a process."""
        cached = (self.home.id, self.settings.vault_addr)
        if cached not in _hmac_keys:
            _hmac_keys[cached] = vault_setup.read_hmac_key(self.vault_client("ingest"))
        return _hmac_keys[cached]

    def add_login(self, name: str) -> None:
        """Make a login that may read (member of mem_reader) with a random password of this home.

        A login of this home that exists already is left as it is. Raises `ServiceError` for a
        name that another part of the system uses.
        """
        if name in {role.name for role in roles.ROLES if role.name != roles.OPERATOR} | {
            roles.OWNER,
            roles.SUPERUSER,
        }:
            raise ServiceError(f"{name} is a login of the system itself; choose another name")
        with psycopg.connect(self.pg_url, autocommit=True) as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_roles WHERE rolname = %s", [name]
            ).fetchone()
            if found is None:
                roles.create_login(connection, self._credentials, name, exists=False)
            elif self._credentials.get(roles.SECTION, name) is None:
                raise ServiceError(
                    f"a login {name} exists on the server, and this home does not know its "
                    "password; choose another name"
                )
            connection.execute(
                sql.SQL("GRANT {} TO {}").format(sql.Identifier(roles.READER), sql.Identifier(name))
            )


def owner_url(home: Home) -> str:
    """URL of the embedded server's owner, without a password."""
    return f"postgresql://{roles.OWNER}@/{roles.DATABASE}?host={quote(str(home.socket_dir))}"


def ensure(home: Path | None = None, settings: Settings | None = None) -> Services:
    """The services of a home (default: of the settings), those that do not run started and
    external ones prepared.

    Raises `HomeError`, `StartError`, `RightsError`, and what an external server's client raises
    that does not reach it.
    """
    services = started(home, settings)
    external.prepare(services.home, services.settings, services._credentials)
    return services


def started(home: Path | None = None, settings: Settings | None = None) -> Services:
    """The services of a home with the embedded ones running; external ones are named and not
    spoken to. Raises `HomeError`, `StartError`.
    """
    chosen = settings or current_settings()
    opened = make_home(home.absolute() if home else chosen.home, chosen.service_account)
    wanted = _embedded(chosen)
    records = {name: Record.read(opened, name) for name in wanted}
    if not all(record.ready and record.lives() for record in records.values()):
        records = _start_missing(opened, wanted, chosen.start_timeout)
    bolt = records[graph.SERVICE].ports[1] if graph.SERVICE in records else 0
    return Services(
        home=opened,
        settings=chosen,
        graph_uri=chosen.neo4j_uri or f"bolt://{ports.LOOPBACK}:{bolt}",
        graph_database=chosen.neo4j_database if chosen.neo4j_uri else graph.DATABASE,
        vault_addr=chosen.vault_addr or vault.address(records[vault.SERVICE]),
        embedded=frozenset(wanted),
        _credentials=opened.credentials(),
    )


def _embedded(settings: Settings) -> list[str]:
    replaced = {
        postgres.SERVICE: settings.pg_url,
        graph.SERVICE: settings.neo4j_uri,
        vault.SERVICE: settings.vault_addr,
    }
    return [name for name in EMBEDDED if replaced[name] is None]


def _start_missing(home: Home, wanted: list[str], timeout_s: float) -> dict[str, Record]:
    with home.lock(timeout_s * 2):
        credentials = home.credentials()
        with ThreadPoolExecutor(len(EMBEDDED)) as pool:
            starting = {
                name: pool.submit(_start_one, home, credentials, name, timeout_s) for name in wanted
            }
        return {name: future.result() for name, future in starting.items()}


def _start_one(home: Home, credentials: Credentials, name: str, timeout_s: float) -> Record:
    record = Record.read(home, name)
    start, polite = EMBEDDED[name]
    if record.lives():
        if record.ready:
            return record
        # its starter died before it was ready
        process.end(record, polite)
    return start(home, credentials, timeout_s)


def stop(home: Path | None = None) -> list[str]:
    """Stop the embedded services of a home; gives the names of those that ran."""
    opened = open_home(home.absolute() if home else current_settings().home)
    if opened is None:
        return []
    with opened.lock(current_settings().start_timeout), ThreadPoolExecutor(len(EMBEDDED)) as pool:
        ended = pool.map(lambda name: _stop_one(opened, name), EMBEDDED)
        return [name for name, ran in zip(EMBEDDED, ended, strict=True) if ran]


def _stop_one(home: Home, name: str) -> bool:
    record = Record.read(home, name)
    ran = process.end(record, EMBEDDED[name][1])
    if record.ready:
        Record(ports=record.ports, version=record.version).write(home, name)
    return ran


def status(home: Path | None = None, settings: Settings | None = None) -> dict[str, Any]:
    """What runs, without starting anything and without a password:
    `{"home", "pg_url", "services": {"postgres": {…}, "graph": {…}, "vault": {…}}}`.

    `pg_url` is null while the home is not made, and names no password of an external server.
    An external server is `reachable` or `unreachable`, the latter with its `reason`.
    """
    chosen = settings or current_settings()
    path = home.absolute() if home else chosen.home
    opened = open_home(path)
    if chosen.pg_url is not None:
        pg_url: str | None = external.without_password(chosen.pg_url)
    else:
        pg_url = None if opened is None else owner_url(opened)
    addresses = {
        postgres.SERVICE: pg_url,
        graph.SERVICE: chosen.neo4j_uri,
        vault.SERVICE: chosen.vault_addr,
    }
    wanted = _embedded(chosen)
    services = {
        name: _embedded_status(opened, name)
        if name in wanted
        else _external_status(chosen, name, addresses[name])
        for name in EMBEDDED
    }
    return {"home": str(path), "pg_url": pg_url, "services": services}


def _external_status(settings: Settings, name: str, address: str | None) -> dict[str, Any]:
    why = external.why_unreachable(settings, name)
    state = "reachable" if why is None else "unreachable"
    return {"kind": "external", "state": state, "address": address, "reason": why}


def _embedded_status(home: Home | None, name: str) -> dict[str, Any]:
    record = Record() if home is None else Record.read(home, name)
    running = record.lives()
    address = None
    if running and home is not None:
        address = {
            postgres.SERVICE: lambda: str(home.socket_dir),
            graph.SERVICE: lambda: f"bolt://{ports.LOOPBACK}:{record.ports[1]}",
            vault.SERVICE: lambda: vault.address(record),
        }[name]()
    state = "stopped"
    if running:
        state = "running" if record.ready else "starting"
    return {
        "kind": "embedded",
        "state": state,
        "address": address,
        "pid": record.pid if running else None,
        "version": record.version or None,
    }
