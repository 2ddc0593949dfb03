"""Real servers in place of the embedded ones: prepared once for this home, then only used."""

import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from pydantic import SecretStr

from memory_pipeline.local import graph, postgres, roles, vault, vault_setup
from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import RightsError, ServiceError
from memory_pipeline.local.home import Home
from memory_pipeline.settings import Settings

if TYPE_CHECKING:
    import hvac

PREPARED = "prepared"
_BOLT_PORT = 7687
_CONNECT_S = 3


def pg_dsn(url: SecretStr, login: str, password: str | None, database: str | None) -> str:
    """The owner's connection string, turned to another login and database."""
    facts = _facts(url)
    if login not in (roles.OWNER, facts.get("user")):
        facts["user"] = login
        facts.pop("password", None)
        if password is not None:
            facts["password"] = password
    if database is not None:
        facts["dbname"] = database
    return make_conninfo(**facts)


def _facts(url: SecretStr) -> dict[str, str]:
    return {name: str(value) for name, value in conninfo_to_dict(url.get_secret_value()).items()}


def without_password(url: SecretStr) -> str:
    """The URL as it may be shown."""
    text = url.get_secret_value()
    if "://" not in text:
        facts = _facts(url)
        facts.pop("password", None)
        return make_conninfo(**facts)
    # urlunsplit would drop the empty host of a URL that names a socket folder
    scheme, _, rest = text.partition("://")
    rest, mark, query = rest.partition("?")
    pairs = [pair for pair in query.split("&") if not pair.startswith("password=")]
    authority, slash, path = rest.partition("/")
    login, at, where = authority.rpartition("@")
    user = login.partition(":")[0]
    return f"{scheme}://{user}{at}{where}{slash}{path}{mark}{'&'.join(pairs)}"


def refusal(error: psycopg.Error, url: SecretStr | None) -> str:
    """What the database's client says of a connection that failed, on one line and without the
    password: the host, the database or the role that is not there."""
    said = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
    password = _facts(url).get("password") if url is not None else None
    return said.replace(password, "***") if password else said


def why_unreachable(settings: Settings, service: str) -> str | None:
    """Why an external server is not reached; None for one that is."""
    try:
        if service == postgres.SERVICE and settings.pg_url is not None:
            url = settings.pg_url.get_secret_value()
            psycopg.connect(url, connect_timeout=_CONNECT_S).close()
        elif service == graph.SERVICE and settings.neo4j_uri is not None:
            where = urlsplit(settings.neo4j_uri)
            place = where.hostname or "localhost", where.port or _BOLT_PORT
            socket.create_connection(place, _CONNECT_S).close()
        elif service == vault.SERVICE and settings.vault_addr is not None:
            return None if vault.health(settings.vault_addr) else "it does not answer"
    except psycopg.Error as error:
        return refusal(error, settings.pg_url)
    except OSError as error:
        return error.strerror or type(error).__name__
    return None


def prepare(home: Home, settings: Settings, credentials: Credentials) -> None:
    """Make what the external servers lack, once for each server. Raises `RightsError`."""
    servers = {
        "postgres": without_password(settings.pg_url) if settings.pg_url else None,
        "vault": settings.vault_addr if settings.vault_token else None,
    }
    todo = {
        name: server
        for name, server in servers.items()
        if server is not None and credentials.get(PREPARED, name) != server
    }
    if not todo:
        return
    with home.lock(settings.start_timeout):
        if settings.pg_url and "postgres" in todo:
            _prepare_postgres(settings.pg_url, credentials)
        if settings.vault_addr and settings.vault_token and "vault" in todo:
            token = settings.vault_token.get_secret_value()
            admin = vault_setup.client(settings.vault_addr, token)
            vault_setup.set_up(admin, credentials, _section(settings.vault_addr))
        credentials.put(PREPARED, **todo)


def _prepare_postgres(url: SecretStr, credentials: Credentials) -> None:
    with psycopg.connect(url.get_secret_value(), autocommit=True) as connection:
        rights = roles.rights_of(connection)
        roles.ensure_roles(connection, credentials, owner=rights.login, reset=False)
        try:
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            roles.admit(connection, connection.info.dbname)
            roles.ensure_database(connection, roles.DAGSTER_DATABASE, roles.DAGSTER)
        except psycopg.errors.InsufficientPrivilege as error:
            raise RightsError(
                f"{rights.login} may not prepare the database ({error.diag.message_primary}). "
                "An admin must run what is missing of:\n" + roles.admin_script(rights.login)
            ) from None


def _section(addr: str) -> str:
    return f"vault {addr}"


def vault_login(settings: Settings, credentials: Credentials, role: str) -> "hvac.Client":
    """A client of the external vault: as the role that was set up there, else with the AppRole or
    the token of the settings. Raises `ServiceError`.
    """
    addr = settings.vault_addr
    assert addr is not None  # noqa: S101 - asked for external vaults only
    if credentials.get(_section(addr), f"{role}_role_id") is not None:
        return vault_setup.login(addr, credentials, _section(addr), role)
    if settings.vault_role_id and settings.vault_secret_id:
        entered = vault_setup.client(addr)
        entered.auth.approle.login(
            role_id=settings.vault_role_id.get_secret_value(),
            secret_id=settings.vault_secret_id.get_secret_value(),
        )
        return entered
    raise ServiceError(
        "no way into the vault: set MEMORY_VAULT_TOKEN once, or MEMORY_VAULT_ROLE_ID and "
        "MEMORY_VAULT_SECRET_ID"
    )
