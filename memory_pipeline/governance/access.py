"""Who may read what: grants of audiences to logins, kept by the owner and appended only."""

from dataclasses import dataclass
from datetime import datetime

import psycopg

from memory_pipeline.bitemporal.tenants import tenant_id

ALL = "*"


@dataclass(frozen=True)
class Grant:
    """One login's right in one tenant, as it stands."""

    login: str
    tenant: str
    audience: str
    set_at: datetime


def grant(connection: psycopg.Connection, login: str, tenant: str, audience: str) -> None:
    """Let `login` read `audience` (`*`: all) of `tenant`, which is made if it is new. The
    connection is the owner's."""
    _set(connection, login, tenant_id(connection, tenant, create=True), audience, True)


def revoke(connection: psycopg.Connection, login: str, tenant: str, audience: str) -> None:
    """Take a grant back. Raises `UnknownTenant`; revoking what was never granted does no harm."""
    _set(connection, login, tenant_id(connection, tenant), audience, False)


def _set(
    connection: psycopg.Connection, login: str, tenant: int, audience: str, is_granted: bool
) -> None:
    connection.execute(
        "insert into memory.access_grant (login, tenant_id, audience, is_granted)"
        " values (%s, %s, %s, %s)",
        (login, tenant, audience, is_granted),
    )


def grants(connection: psycopg.Connection) -> list[Grant]:
    """All rights that stand, by login and tenant."""
    rows = connection.execute(
        "select login, name, audience, set_at from ("
        "  select distinct on (login, tenant_id, audience)"
        "   login, tenant_id, audience, is_granted, set_at"
        "  from memory.access_grant order by login, tenant_id, audience, grant_id desc"
        " ) as g join memory.tenant using (tenant_id)"
        " where is_granted order by login, name, audience"
    ).fetchall()
    return [Grant(*row) for row in rows]
