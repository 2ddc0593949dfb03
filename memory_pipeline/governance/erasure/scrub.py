"""The physical scrub of PostgreSQL: rewritten tables, statistics, a fresh write-ahead log.

A deleted row stays on disk until its table is rewritten (VACUUM alone leaves it in the page, and in
HNSW indexes), in the log until its files are gone, and all of it as long as an old snapshot may
still read it. So the scrub waits for those first.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from memory_pipeline.governance.erasure.work import Work
from memory_pipeline.local import postgres, roles

WAIT_S = 60.0
LOCK_TIMEOUT_S = 5
TRIES = 12

Connection = psycopg.Connection[Any]


class ScrubPending(Exception):
    """Something that is open elsewhere holds the scrub up; it is tried again by the next run."""


@dataclass(frozen=True)
class Horizon:
    """What may still read rows that were deleted: counts of sessions, prepared transactions and
    replication slots."""

    n_sessions: int
    n_prepared: int
    n_slots: int

    @property
    def is_clear(self) -> bool:
        """Whether nothing may."""
        return self.n_sessions + self.n_prepared + self.n_slots == 0


def horizon(connection: Connection, before: str) -> Horizon:
    """What holds a snapshot from before the transaction id `before` (as text)."""
    row = connection.execute(
        "select (select count(*) from pg_stat_activity as a where pid <> pg_backend_pid()"
        "  and backend_xmin is not null and age(backend_xmin) >= age(%(before)s::xid)"
        "  and (datname = current_database() or datname is null)"
        # the snapshot of VACUUM keeps no row, that of ANALYZE does, autovacuum's too
        "  and not exists (select from pg_stat_progress_vacuum as v where v.pid = a.pid)),"
        " (select count(*) from pg_prepared_xacts where age(transaction) >= age(%(before)s::xid)),"
        " (select count(*) from pg_replication_slots"
        "  where xmin is not null or catalog_xmin is not null or restart_lsn is not null)",
        {"before": before},
    ).fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return Horizon(*map(int, row))


def wait_for_horizon(connection: Connection, wait_s: float = WAIT_S) -> None:
    """Wait until nobody may still read what was deleted before now. Raises `ScrubPending`."""
    row = connection.execute(
        "select (pg_snapshot_xmax(pg_current_snapshot())::text::numeric % 4294967296)::text"
    ).fetchone()
    assert row is not None  # noqa: S101 - a function returns a row
    # a snapshot taken from now on begins at or after this one, and is as young as it
    before = str((int(row[0]) - 1) % 4294967296)
    deadline = time.monotonic() + wait_s
    while not (found := horizon(connection, before)).is_clear:
        if time.monotonic() > deadline:
            raise ScrubPending(
                f"{found.n_sessions} open transactions, {found.n_prepared} prepared ones and"
                f" {found.n_slots} replication slots may still read what was erased; end them"
            )
        time.sleep(0.1)


def rewrite(connection: Connection, tables: Iterable[tuple[str, str]]) -> int:
    """Write tables (schema, name) anew without what was deleted, indexes too; returns how many.

    Raises `ScrubPending` where readers keep one locked all the time.
    """
    named = [sql.Identifier(schema, name) for schema, name in tables]
    if not named:
        return 0
    connection.execute(f"set lock_timeout = '{LOCK_TIMEOUT_S}s'".encode())
    try:
        for table in named:
            _rewrite(connection, table)
    finally:
        connection.execute("reset lock_timeout")
    return len(named)


def _rewrite(connection: Connection, table: sql.Identifier) -> None:
    for remaining in reversed(range(TRIES)):
        try:
            connection.execute(sql.SQL("vacuum (full, analyze false) {}").format(table))
            return
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            if remaining == 0:
                raise ScrubPending(
                    f"{table.as_string()} is read or written all the time; the rewrite needs"
                    " it alone for a moment"
                ) from None
            time.sleep(0.2)


def is_embedded(work: Work) -> bool:
    """Whether PostgreSQL is the home's own, with its files and its superuser within reach."""
    return postgres.SERVICE in work.services.embedded


def superuser(work: Work) -> Connection | None:
    """A superuser's connection to the memory's database, where there is one."""
    if not is_embedded(work):
        return None
    return work.connections.get(roles.SUPERUSER, work.eraser.info.dbname)


def renew_log(connection: Connection) -> bool:
    """Begin a new file of the write-ahead log and drop the old ones; False without the right."""
    try:
        connection.execute("select pg_switch_wal()")
        connection.execute("checkpoint")
        # the files before the last checkpoint's are dropped by the next one
        connection.execute("select pg_switch_wal()")
        connection.execute("checkpoint")
    except psycopg.errors.InsufficientPrivilege:
        return False
    return True


def partitions(
    connection: Connection, table: str, keys: LiteralString, bound: dict[str, Any]
) -> list[str]:
    """The partitions of memory.`table` into which values fall that the query `keys` selects as
    `key`; the table itself if it has none."""
    children = [
        row[0]
        for row in connection.execute(
            "select c.relname from pg_inherits as i join pg_class as c on c.oid = i.inhrelid"
            " where i.inhparent = to_regclass(%s) order by c.oid",
            (f"memory.{table}",),
        )
    ]
    if not children:
        return [table]
    # each partition's own bound is asked for the values
    query = sql.SQL(
        # gathered once: a partition that holds none of them is asked for every one
        "with wanted as materialized (select distinct key from ({keys}) as k)"
        " select c.relname from pg_inherits as i join pg_class as c on c.oid = i.inhrelid"
        " cross join lateral (select (regexp_match(pg_get_expr(c.relpartbound, c.oid),"
        " 'modulus (\\d+), remainder (\\d+)', 'i'))::int[] as part) as p"
        " where i.inhparent = to_regclass(%(table)s) and exists ("
        " select from wanted as k where satisfies_hash_partition("
        " to_regclass(%(table)s), p.part[1], p.part[2], k.key)) order by c.relname"
    ).format(keys=sql.SQL(keys))
    rows = connection.execute(query, {**bound, "table": f"memory.{table}"})
    return [row[0] for row in rows]
