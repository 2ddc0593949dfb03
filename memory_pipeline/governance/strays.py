"""Values in Vault that no row refers to, and what becomes of them.

A value goes to Vault before its row is committed, and its row before the message that uses it. A run
that dies in between leaves a value without a row, or a row that nothing uses; a database restored from
before has neither row. Nobody could reach such a value, and an erasure would not find it by its plan.
So each ingestion destroys them at its beginning, each erasure before it is verified, and the verifier
counts them. What a run under way has written is told apart by its locks (`secrets_lock`, `use_lock`);
should somebody be about to use a row that ends, the tenant's epoch has it store the value anew.

Other installations may share the Vault, and their values have no row here either. So only a value that
is marked as this database's own is its stray. One that bears no such mark, another's or of a time before
there were marks, is left where it is and counted apart.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.batches import alone
from memory_pipeline.governance.secrets import (
    SecretStore,
    SecretStoreError,
    identity,
    is_own,
    secrets_lock,
    use_lock,
)
from memory_pipeline.local.roles import DAGSTER_DATABASE
from memory_pipeline.local.services import Services

logger = logging.getLogger(__name__)

ERASER = "mem_eraser"
VERIFIER = "mem_verifier"

Connection = psycopg.Connection[tuple[object, ...]]


@dataclass(frozen=True)
class Strays:
    """What Vault and the database do not agree on: `values` of Vault without a row that says they
    are kept, `unused` secrets that nothing refers to, and `lost` ones whose value is not there, by
    tenant; `n_unmarked` values have no row either and are not marked as this database's: another's, or
    from before there were marks."""

    values: frozenset[UUID]
    unused: dict[int, frozenset[UUID]]
    lost: dict[int, frozenset[UUID]]
    n_unmarked: int = 0

    @property
    def n_kept(self) -> int:
        """How many values Vault has that it should not."""
        return len(self.values) + sum(map(len, self.unused.values()))


def find(services: Services) -> Strays:
    """Compare as the verifier. Waits for what is being written at this moment, and counts nothing of
    it. Raises `SecretStoreError`, and what the database raises."""
    with psycopg.connect(services.pg_dsn(VERIFIER), autocommit=True) as connection:
        kept, unused = _kept(connection), _unused(connection)
        there = SecretStore(services.vault_client("verifier")).ids()
        # whoever wrote what was seen so far has ended when its locks were had
        _wait_for_writers(connection)
        after = _kept(connection)
        ownerless = there - after.keys()
        own = identity(connection)
        values = {secret_id for secret_id in ownerless if is_own(own, secret_id)}
        if values:
            # a copy of this database marks its values as this one does
            values -= _of_other_databases(services, connection)
        if unused:
            still = _unused(connection)
            unused = {
                tenant_id: secret_ids & still[tenant_id]
                for tenant_id, secret_ids in unused.items()
                if secret_ids & still.get(tenant_id, frozenset())
            }
    lost: dict[int, set[UUID]] = {}
    for secret_id in kept.keys() & after.keys() - there:
        lost.setdefault(kept[secret_id], set()).add(secret_id)
    return Strays(
        frozenset(values),
        unused,
        {tenant_id: frozenset(ids) for tenant_id, ids in lost.items()},
        sum(not is_own(own, secret_id) for secret_id in ownerless),
    )


def destroy(services: Services, *, ends_lost: bool = False) -> Strays:
    """Destroy what `find` finds; returns it. `ends_lost` also says of secrets whose value is not
    there that they have ended, so that such a value is stored when it is told again: for a database
    that was restored from before an erasure. Raises as `find`."""
    found = find(services)
    if found.n_unmarked:
        logger.warning("%d values in Vault are nobody's here and left", found.n_unmarked)
    lost = found.lost if ends_lost else {}
    if not (found.n_kept or lost):
        return found
    with psycopg.connect(services.pg_dsn(ERASER), autocommit=True) as connection:
        for tenant_id, secret_ids in found.unused.items():
            _end(connection, tenant_id, secret_ids, is_lost=False)
        for tenant_id, secret_ids in lost.items():
            _end(connection, tenant_id, secret_ids, is_lost=True)
        # one that was used in the meantime has not ended
        unused = frozenset[UUID]().union(*found.unused.values())
        gone = found.values | (unused - _kept(connection).keys())
    SecretStore(services.vault_client("eraser")).destroy(gone)
    logger.info("destroyed %d values in Vault that nothing refers to", len(gone))
    return found


def _end(
    connection: Connection, tenant_id: int, secret_ids: frozenset[UUID], *, is_lost: bool
) -> None:
    connection.execute(
        "select memory.end_stray_secrets(%s, %s, %s)", (tenant_id, list(secret_ids), is_lost)
    )


def _kept(connection: Connection) -> dict[UUID, int]:
    """The tenants of all secrets that have not ended."""
    rows = connection.execute("select secret_id, tenant_id from memory.live_secret").fetchall()
    return {UUID(str(secret_id)): int(str(tenant_id)) for secret_id, tenant_id in rows}


def _unused(connection: Connection) -> dict[int, frozenset[UUID]]:
    """Secrets that nothing refers to, by tenant."""
    found: dict[int, frozenset[UUID]] = {}
    for tenant_id in _tenants(connection):
        rows = connection.execute("select memory.unused_secrets(%s)", (tenant_id,)).fetchall()
        if rows:
            found[tenant_id] = frozenset(UUID(str(row[0])) for row in rows)
    return found


def _tenants(connection: Connection) -> list[int]:
    return [int(str(row[0])) for row in connection.execute("select tenant_id from memory.tenant")]


def _wait_for_writers(connection: Connection) -> None:
    for tenant_id in _tenants(connection):
        for lock in (secrets_lock(tenant_id), use_lock(tenant_id)):
            with alone(connection, lock):
                pass


def _of_other_databases(services: Services, connection: Connection) -> set[UUID]:
    """The secrets of other databases of the server, which evaluations make beside the memory."""
    found: set[UUID] = set()
    for name in _other_databases(connection):
        try:
            with psycopg.connect(services.pg_dsn(VERIFIER, name), autocommit=True) as other:
                row = other.execute("select to_regclass('memory.secret') is not null").fetchone()
                if row is not None and row[0]:
                    _wait_for_writers(other)
                    rows = other.execute("select secret_id from memory.secret").fetchall()
                    found |= {UUID(str(secret_id)) for (secret_id,) in rows}
        except psycopg.Error as error:
            if name in _other_databases(connection):
                # it may have secrets: nothing is destroyed that may be another's
                raise SecretStoreError(
                    f"a database beside the memory cannot be asked: {type(error).__name__}"
                ) from None
    return found


def _other_databases(connection: Connection) -> Iterator[str]:
    """Databases of the same owner that the login may enter."""
    rows = connection.execute(
        "select d.datname from pg_database as d join pg_database as ours using (datdba)"
        " where ours.datname = current_database() and d.datallowconn"
        " and d.datname not in (current_database(), %s)"
        " and has_database_privilege(d.datname, 'CONNECT')",
        (DAGSTER_DATABASE,),
    )
    return (str(row[0]) for row in rows.fetchall())
