"""A home made ready: services up, schema current, the operator granted its tenant."""

from pathlib import Path

import psycopg

from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.governance.erasure.replay import NotReplayed, missing, record
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services, ensure
from memory_pipeline.migrations import HEAD, upgrade
from memory_pipeline.settings import Settings, variable

DEFAULT_TENANT = "default"


def ready(home: Path | None = None, *, to_replay: bool = False) -> Services:
    """The services of a home (default: of the settings), with everything that work needs.

    Quick where all is ready: one connection asks for the schema's revision. Raises what starting,
    migrating and connecting raise, and `NotReplayed` for a database that was restored from before
    an erasure, unless it is opened `to_replay` it.
    """
    services = ensure(home)
    with psycopg.connect(services.pg_url, autocommit=True) as connection:
        if _revision(connection) != HEAD:
            upgrade(services.pg_url)
        if not _is_decided(connection):
            grant(connection, OPERATOR, DEFAULT_TENANT, ALL)
        _check_sealed_tags(connection, services)
        if not to_replay:
            lacking = missing(connection, services.home.path)
            if lacking:
                raise NotReplayed(len(lacking))
            record(connection, services.home.path)
    return services


def _check_sealed_tags(connection: psycopg.Connection, services: Services) -> None:
    """Raises `ValueError` for a tag to be sealed that no predicate has: its values would be stored
    in clear, and nobody would know."""
    named = set(services.settings.sealed_tags.split(",")) - {"", "*"}
    if not named:
        return
    from memory_pipeline.understand.registry import builtin_predicates

    rows = connection.execute(
        "select distinct tag from memory.predicate_version cross join unnest(tags) as tag"
    ).fetchall()
    known = {row[0] for row in rows} | {tag for p in builtin_predicates() for tag in p.tags}
    if unknown := sorted(named - known):
        raise ValueError(
            f"{variable('sealed_tags', Settings.model_fields['sealed_tags'])}: no predicate has the"
            f" tag {', '.join(map(repr, unknown))}; there are {', '.join(sorted(known))}"
        )


def _is_decided(connection: psycopg.Connection) -> bool:
    """Whether the operator's right in the default tenant was ever set: a later start must not
    undo that it was revoked."""
    row = connection.execute(
        "select exists (select from memory.access_grant join memory.tenant using (tenant_id)"
        " where login = %s and name = %s and audience = %s)",
        (OPERATOR, DEFAULT_TENANT, ALL),
    ).fetchone()
    return bool(row and row[0])


def _revision(connection: psycopg.Connection) -> str | None:
    row = connection.execute("select to_regclass('public.alembic_version')").fetchone()
    if row is None or row[0] is None:
        return None
    found = connection.execute("select version_num from public.alembic_version").fetchone()
    return None if found is None else str(found[0])
