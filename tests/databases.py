"""Databases of tests: copies of one that was migrated once in this run."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

from memory_pipeline import migrations
from memory_pipeline.local import roles
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services

MIGRATED = "test_migrated"


def _migrated(services: Services) -> str:
    with psycopg.connect(services.pg_dsn("mem_super", "postgres")) as admin:
        found = admin.execute("select from pg_database where datname = %s", [MIGRATED]).fetchone()
    if found is None:
        make_database(services.home, services.home.credentials(), MIGRATED)
        migrations.upgrade(services.pg_dsn("mem_owner", MIGRATED))
    return MIGRATED


@contextmanager
def fresh_database(services: Services) -> Iterator[str]:
    """The name of a database with the schema and no rows but the schema's own, dropped after."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    migrated = _migrated(services)
    with psycopg.connect(services.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
        copied = sql.SQL("create database {} owner {} template {}")
        admin.execute(copied.format(*map(sql.Identifier, (name, roles.OWNER, migrated))))
        admin.execute(sql.SQL("revoke all on database {} from public").format(sql.Identifier(name)))
        roles.admit(admin, name)
        try:
            yield name
        finally:
            admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(name)))
