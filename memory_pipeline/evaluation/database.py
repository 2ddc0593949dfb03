"""A database of its own on the home's server, for one evaluation, dropped at its end.

Its secrets are taken out of Vault again. What a killed evaluation left is removed by the next: an
advisory lock in the home's own database tells which of them still run.
"""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from memory_pipeline import migrations
from memory_pipeline.governance.secrets import MOUNT
from memory_pipeline.local import postgres, roles
from memory_pipeline.local.services import Services

PREFIX = "memory_eval_"


@dataclass(frozen=True)
class OwnDatabase(Services):
    """The services of a home with another database in place of `memory`, and a private folder
    for files of the evaluation."""

    database: str
    folder: Path

    @property
    def pg_url(self) -> str:
        """Connection string of the owner's login."""
        return make_conninfo(super().pg_url, dbname=self.database)

    def pg_dsn(self, login: str, database: str | None = None) -> str:
        """Connection string of a login. Raises as `Services.pg_dsn` does."""
        return super().pg_dsn(login, database or self.database)


@contextmanager
def own_database(services: Services) -> Iterator[OwnDatabase]:
    """A fresh database with the schema. Raises what making and migrating raise."""
    name = f"{PREFIX}{uuid.uuid4().hex[:12]}"
    parts = {field.name: getattr(services, field.name) for field in fields(services)}
    own = OwnDatabase(**parts, database=name, folder=services.home.path / "evaluation" / name)
    with psycopg.connect(services.pg_url, autocommit=True) as owner:
        _remove_leftovers(owner, own)
        owner.execute("select pg_advisory_lock(hashtextextended(%s, 0))", (name,))
        try:
            own.folder.parent.mkdir(mode=0o700, exist_ok=True)
            own.folder.mkdir(mode=0o700)
            _make(services, owner, name)
            migrations.upgrade(own.pg_url)
            yield own
        finally:
            _remove(owner, own, name)


def _make(services: Services, owner: psycopg.Connection, name: str) -> None:
    if postgres.SERVICE in services.embedded:
        postgres.make_database(services.home, services.home.credentials(), name)
        return
    roles.ensure_database(owner, name, roles.rights_of(owner).login)
    roles.admit(owner, name)
    with psycopg.connect(make_conninfo(services.pg_url, dbname=name), autocommit=True) as inside:
        inside.execute("create extension if not exists vector")


def _remove_leftovers(owner: psycopg.Connection, own: OwnDatabase) -> None:
    names = owner.execute(
        "select datname from pg_database where starts_with(datname, %s)", (PREFIX,)
    ).fetchall()
    for (name,) in names:
        row = owner.execute(
            "select pg_try_advisory_lock(hashtextextended(%s, 0))", (name,)
        ).fetchone()
        if row and row[0]:
            _remove(owner, own, name)
            owner.execute("select pg_advisory_unlock(hashtextextended(%s, 0))", (name,))


def _remove(owner: psycopg.Connection, own: OwnDatabase, name: str) -> None:
    shutil.rmtree(own.folder.parent / name, ignore_errors=True)
    present = owner.execute("select from pg_database where datname = %s", (name,)).fetchone()
    if present is None:
        return
    _forget_secrets(own, name)
    owner.execute(sql.SQL("drop database {}").format(sql.Identifier(name)))


def _forget_secrets(own: OwnDatabase, name: str) -> None:
    with psycopg.connect(own.pg_dsn("mem_ingest", name), autocommit=True) as connection:
        made = connection.execute("select to_regclass('memory.secret') is not null").fetchone()
        if not (made and made[0]):
            return
        secret_ids = connection.execute("select secret_id from memory.secret").fetchall()
    if secret_ids:
        kv = own.vault_client("eraser").secrets.kv.v2
        for (secret_id,) in secret_ids:
            kv.delete_metadata_and_all_versions(path=f"secrets/{secret_id}", mount_point=MOUNT)
