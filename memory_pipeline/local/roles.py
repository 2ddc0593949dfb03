"""The logins and groups of PostgreSQL, and the databases they meet in.

Roles belong to the whole server, not to a database: two installations on one server share them.
`mem_owner` owns the database and its schema and makes logins for readers; it is no superuser. On
an external server the login of MEMORY_PG_URL takes its place.
"""

import secrets
from dataclasses import dataclass
from typing import LiteralString

import psycopg
from psycopg import sql

from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import RightsError

OWNER = "mem_owner"
SUPERUSER = "mem_super"
READER = "mem_reader"
ERASER = "mem_eraser"
OPERATOR = "operator"
DAGSTER = "mem_dagster"
DATABASE = "memory"
DAGSTER_DATABASE = "dagster"
SECTION = "postgres"


@dataclass(frozen=True)
class Role:
    """A role of the server; a group has no login and no password."""

    name: str
    login: bool = True
    bypasses_rls: bool = False


ROLES = (
    Role(READER, login=False),
    # owns the functions that erase, so that nobody's login does
    Role("mem_shredder", login=False),
    Role("mem_ingest"),
    Role("mem_builder"),
    Role(ERASER),
    Role("mem_verifier"),
    Role("mem_auditor"),
    Role("mem_backup", bypasses_rls=True),
    Role(DAGSTER),
    Role(OPERATOR),
)
WORKING_LOGINS = (
    "mem_ingest",
    "mem_builder",
    "mem_eraser",
    "mem_verifier",
    "mem_auditor",
    "mem_backup",
)

# admin: may give it to logins; set: may make objects that belong to it
_OWNER_MEMBERSHIPS: tuple[tuple[str, LiteralString], ...] = (
    (READER, "ADMIN TRUE, INHERIT FALSE, SET TRUE"),
    ("mem_shredder", "ADMIN FALSE, INHERIT FALSE, SET TRUE"),
    ("mem_builder", "ADMIN FALSE, INHERIT FALSE, SET TRUE"),
)

# to see whose snapshots hold up a scrub, and to end it
_ERASER_MEMBERSHIPS = ("pg_checkpoint", "pg_read_all_stats")


@dataclass(frozen=True)
class Rights:
    """What the connected login may do on its server."""

    login: str
    superuser: bool
    creates_roles: bool
    creates_databases: bool


def rights_of(connection: psycopg.Connection) -> Rights:
    """The rights of the connection's own login."""
    row = connection.execute(
        "SELECT rolname, rolsuper, rolcreaterole, rolcreatedb FROM pg_roles"
        " WHERE rolname = current_user"
    ).fetchone()
    assert row is not None  # noqa: S101 - a connected login is in the catalog
    name, superuser, roles, databases = row
    return Rights(name, superuser, superuser or roles, superuser or databases)


def _existing(connection: psycopg.Connection, table: LiteralString) -> set[str]:
    query: dict[str, LiteralString] = {
        "roles": "SELECT rolname FROM pg_roles",
        "databases": "SELECT datname FROM pg_database",
    }
    return {row[0] for row in connection.execute(query[table])}


def create_login(
    connection: psycopg.Connection,
    credentials: Credentials,
    name: str,
    *,
    exists: bool,
    bypasses_rls: bool = False,
) -> None:
    """Make a login with a random password of this home, or give an existing one a new password.

    The server gets the password's SCRAM verifier, so that no statement log can hold it.
    """
    password = secrets.token_urlsafe(24)
    verifier = connection.pgconn.encrypt_password(
        password.encode(), name.encode(), b"scram-sha-256"
    ).decode()
    action: LiteralString = "ALTER" if exists else "CREATE"
    options: LiteralString = " BYPASSRLS" if bypasses_rls else ""
    connection.execute(
        sql.SQL(action + " ROLE {} LOGIN" + options + " PASSWORD {}").format(
            sql.Identifier(name), sql.Literal(verifier)
        )
    )
    credentials.put(SECTION, **{name: password})


def ensure_roles(
    connection: psycopg.Connection, credentials: Credentials, *, owner: str, reset: bool
) -> None:
    """Make the missing roles and memberships; the connection is in autocommit.

    `reset` gives a login whose password this home does not know a new one (embedded server only:
    on a shared server another installation may use it). Raises `RightsError`.
    """
    rights = rights_of(connection)
    existing = _existing(connection, "roles")
    missing = [role for role in ROLES if role.name not in existing]
    if missing and not rights.creates_roles:
        raise RightsError(
            f"{rights.login} may not create roles, and these are missing: "
            f"{', '.join(role.name for role in missing)}. An admin must run:\n"
            + admin_script(rights.login)
        )
    for role in ROLES:
        exists = role.name in existing
        if not role.login:
            if not exists:
                connection.execute(
                    sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(role.name))
                )
        elif not exists or (reset and credentials.get(SECTION, role.name) is None):
            create_login(
                connection,
                credentials,
                role.name,
                exists=exists,
                bypasses_rls=role.bypasses_rls and rights.superuser,
            )
    if missing or rights.superuser:
        _ensure_memberships(connection, owner)
    if rights.superuser:
        for group in _ERASER_MEMBERSHIPS:
            connection.execute(
                sql.SQL("GRANT {} TO {}").format(sql.Identifier(group), sql.Identifier(ERASER))
            )


def _ensure_memberships(connection: psycopg.Connection, owner: str) -> None:
    for group, options in _OWNER_MEMBERSHIPS:
        connection.execute(
            sql.SQL("GRANT {} TO {} WITH " + options).format(
                sql.Identifier(group), sql.Identifier(owner)
            )
        )
    connection.execute(
        sql.SQL("GRANT {} TO {}").format(sql.Identifier(READER), sql.Identifier(OPERATOR))
    )


def ensure_database(connection: psycopg.Connection, name: str, owner: str) -> bool:
    """Make a database of UTF-8 text sorted by code point; True if it was made now."""
    if name in _existing(connection, "databases"):
        return False
    connection.execute(
        sql.SQL(
            "CREATE DATABASE {} OWNER {} TEMPLATE template0 ENCODING 'UTF8'"
            " LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"
        ).format(sql.Identifier(name), sql.Identifier(owner))
    )
    connection.execute(
        sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(name))
    )
    return True


def let_erase(connection: psycopg.Connection) -> None:
    """Let the eraser begin a new file of the write-ahead log; a right in each database, which a
    superuser gives."""
    connection.execute(
        sql.SQL("GRANT EXECUTE ON FUNCTION pg_catalog.pg_switch_wal() TO {}").format(
            sql.Identifier(ERASER)
        )
    )


def admit(connection: psycopg.Connection, database: str) -> None:
    """Let the working logins and the readers into a database with the memory's schema."""
    working = sql.SQL(", ").join(sql.Identifier(name) for name in WORKING_LOGINS)
    connection.execute(
        sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {} TO {}").format(
            sql.Identifier(database), working
        )
    )
    connection.execute(
        sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(
            sql.Identifier(database), sql.Identifier(READER)
        )
    )


def admin_script(owner: str) -> str:
    """SQL that an admin of an external server runs once for the login `owner`."""
    lines = []
    for role in ROLES:
        options = ("LOGIN" if role.login else "NOLOGIN") + " BYPASSRLS" * role.bypasses_rls
        lines.append(f'CREATE ROLE "{role.name}" {options};')
    lines += [
        f'GRANT "{group}" TO "{owner}" WITH {options};' for group, options in _OWNER_MEMBERSHIPS
    ]
    lines += [
        f'GRANT "{READER}" TO "{OPERATOR}";',
        *(f'GRANT "{group}" TO "{ERASER}";' for group in _ERASER_MEMBERSHIPS),
        f'CREATE DATABASE "{DAGSTER_DATABASE}" OWNER "{DAGSTER}";',
        "-- in the database of the memory:",
        "CREATE EXTENSION IF NOT EXISTS vector;",
        f'GRANT EXECUTE ON FUNCTION pg_catalog.pg_switch_wal() TO "{ERASER}";',
        "-- then give each login a password (\\password NAME) and put it into ~/.pgpass",
    ]
    return "\n".join(lines)
