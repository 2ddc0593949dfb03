"""Counts for metadata, as the builder reads them: numbers by closed words, never content."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import LiteralString

import psycopg
from psycopg import sql


def _one(connection: psycopg.Connection, query: LiteralString, values: Sequence[object]) -> int:
    row = connection.execute(query, values).fetchone()
    return 0 if row is None else int(row[0])


def _by_word(
    connection: psycopg.Connection, query: LiteralString, values: Sequence[object] = ()
) -> dict[str, int]:
    return {str(word): int(n) for word, n in connection.execute(query, values)}


def n_files(connection: psycopg.Connection, days: Sequence[date]) -> int:
    """Log files first seen on these days."""
    return _one(
        connection,
        "select count(*) from memory.log_file where first_seen_day = any (%s)",
        [list(days)],
    )


def n_messages(connection: psycopg.Connection, days: Sequence[date]) -> int:
    """Revisions of messages from files first seen on these days."""
    return _one(
        connection,
        "select count(*) from memory.message as m join memory.log_file as f using (file_id)"
        " where f.first_seen_day = any (%s)",
        [list(days)],
    )


def messages_by_day(connection: psycopg.Connection, n_days: int = 14) -> dict[str, int]:
    """Messages of the last ingest days that had any, as month-day."""
    found = _by_word(
        connection,
        "select to_char(f.first_seen_day, 'MM-DD'), count(*) from memory.message as m"
        " join memory.log_file as f using (file_id)"
        " group by f.first_seen_day order by f.first_seen_day desc limit %s",
        [n_days],
    )
    return dict(reversed(found.items()))


def importance(connection: psycopg.Connection, days: Sequence[date]) -> dict[str, int]:
    """Messages of these days by importance."""
    return _by_word(
        connection,
        "select e.importance, count(i.message_id)"
        " from unnest(enum_range(null::memory.importance)) as e (importance)"
        " left join ("
        "  select l.message_id, l.importance from memory.message_importance as l"
        "  join memory.message as m using (message_id)"
        "  join memory.log_file as f using (file_id) where f.first_seen_day = any (%s)"
        " ) as i on i.importance = e.importance"
        " group by e.importance order by e.importance",
        [list(days)],
    )


def atoms_by_kind(connection: psycopg.Connection, days: Sequence[date]) -> dict[str, int]:
    """Standing atoms drawn from messages of these days, by kind."""
    return _by_word(
        connection,
        "select e.kind, count(a.atom_id)"
        " from unnest(enum_range(null::memory.atom_kind)) as e (kind)"
        " left join ("
        "  select a.atom_id, a.kind from memory.atom as a"
        "  join memory.message as m using (message_id)"
        "  join memory.log_file as f using (file_id) where f.first_seen_day = any (%s)"
        "  and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)"
        " ) as a on a.kind = e.kind"
        " group by e.kind order by e.kind",
        [list(days)],
    )


def quarantine_by_state(connection: psycopg.Connection) -> dict[str, int]:
    """Quarantined records by state."""
    return _by_word(
        connection, "select state, count(*) from memory.quarantine group by state order by state"
    )


def open_quarantine_by_reason(connection: psycopg.Connection) -> dict[str, int]:
    """Open quarantined records by the reader's or stage's reason, most frequent first."""
    return _by_word(
        connection,
        "select reason, count(*) from memory.quarantine where state = 'open'"
        " group by reason order by count(*) desc, reason",
    )


def n_open_quarantine(connection: psycopg.Connection) -> int:
    """Quarantined records that wait for a decision."""
    return _one(connection, "select count(*) from memory.quarantine where state = 'open'", [])


def n_open_reviews(connection: psycopg.Connection) -> int:
    """Items that a person should look at."""
    return _one(connection, "select count(*) from memory.review where state = 'open'", [])


def tenants(connection: psycopg.Connection) -> list[tuple[int, str]]:
    """Ids and names of all tenants."""
    return [
        (int(tenant_id), str(name))
        for tenant_id, name in connection.execute(
            "select tenant_id, name from memory.tenant order by tenant_id"
        )
    ]


def open_snapshot_requests(
    connection: psycopg.Connection, limit: int, tenant_id: int | None = None
) -> list[str]:
    """Ids of contexts that were asked for and not yet packed, oldest first."""
    return [
        str(request_id)
        for (request_id,) in connection.execute(
            "select request_id from memory.snapshot_request where state in ('open', 'running')"
            " and (%(tenant_id)s::int is null or tenant_id = %(tenant_id)s)"
            " order by requested_at, request_id limit %(limit)s",
            {"tenant_id": tenant_id, "limit": limit},
        )
    ]


def open_bulk_work(connection: psycopg.Connection, tenant_id: int) -> list[str]:
    """What bulk extraction of a tenant has left to do: requests to send, batches to collect,
    provider's files to delete; ids and the provider's last word."""
    return [
        str(word)
        for (word,) in connection.execute(
            "select request_id::text from memory.provider_request"
            " where tenant_id = %(id)s and state = 'open'"
            " union all select provider_batch_id || ' ' || coalesce(status, '')"
            " from memory.provider_batch where tenant_id = %(id)s and state in ('open', 'running')"
            " union all select provider_file_id::text from memory.provider_file"
            " where tenant_id = %(id)s and state = 'open' order by 1",
            {"id": tenant_id},
        )
    ]


def bulk_by_state(connection: psycopg.Connection, tenant_id: int) -> dict[str, int]:
    """Windows that were left to a provider's batches, by state."""
    return _by_word(
        connection,
        "select state, count(*) from memory.provider_request where tenant_id = %s"
        " group by state order by state",
        [tenant_id],
    )


def n_snapshots(connection: psycopg.Connection) -> int:
    """Packed contexts."""
    return _one(connection, "select count(*) from memory.snapshot", [])


def n_rows(connection: psycopg.Connection, schema: str, table: str) -> int:
    """Rows of a table."""
    row = connection.execute(
        sql.SQL("select count(*) from {}").format(sql.Identifier(schema, table))
    ).fetchone()
    return 0 if row is None else int(row[0])


def n_items(connection: psycopg.Connection, table: str, *, is_atom: bool | None) -> int:
    """Rows of an index of schema derived: of messages, of atoms, or all."""
    row = connection.execute(
        sql.SQL(
            "select count(*) from {} where %(is_atom)s::boolean is null or is_atom = %(is_atom)s"
        ).format(sql.Identifier("derived", table)),
        {"is_atom": is_atom},
    ).fetchone()
    return 0 if row is None else int(row[0])


def open_erasures(connection: psycopg.Connection, tenant_id: int, limit: int) -> list[str]:
    """Ids of requests to erase that may go on, those due first; not those that wait for a person
    or whose subject is under a legal hold."""
    return [
        str(request_id)
        for (request_id,) in connection.execute(
            "select r.request_id from memory.erasure_request as r"
            " where r.tenant_id = %(tenant_id)s and r.state < 'certified'"
            " and r.block is distinct from 'legal_hold'"
            " and (r.block is distinct from 'review_open' or not exists ("
            "  select from memory.erasure_mention as m where m.request_id = r.request_id"
            "  and m.state in ('open', 'running')))"
            " and (r.leased_until is null or r.leased_until < clock_timestamp())"
            " order by r.due_at nulls last, r.received_at, r.request_id limit %(limit)s",
            {"tenant_id": tenant_id, "limit": limit},
        )
    ]


def erasures_by_state(connection: psycopg.Connection) -> dict[str, int]:
    """Requests to erase by state."""
    return _by_word(
        connection,
        "select state, count(*) from memory.erasure_request group by state order by state",
    )


def erasures_due(connection: psycopg.Connection, within_days: int) -> list[tuple[str, datetime]]:
    """Ids and terms of unfinished requests whose term ends within so many days, or has ended."""
    return [
        (str(request_id), due_at)
        for request_id, due_at in connection.execute(
            "select request_id, due_at from memory.erasure_request where state < 'certified'"
            " and due_at < clock_timestamp() + make_interval(days => %s)"
            " order by due_at, request_id",
            (within_days,),
        )
    ]


def n_open_mentions(connection: psycopg.Connection) -> int:
    """Erased values found in other dialogs that wait for a person."""
    return _one(
        connection,
        "select count(*) from memory.erasure_mention where state in ('open', 'running')",
        [],
    )
