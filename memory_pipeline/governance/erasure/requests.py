"""Erasure requests: filed, listed, leased, moved forward, held up, taken back.

All work goes over mem_eraser, on connections in autocommit. A request may also be put in by ingest
as two rows (`memory.erasure_request` in state `received`, `memory.erasure_request_content`); its
words are looked up when it is fenced.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import setting
from memory_pipeline.contracts.erasure import (
    Block,
    ErasureState,
    Ground,
    Originals,
    RequestStatus,
    Selector,
    StoreReport,
)
from memory_pipeline.governance.erasure.deadlines import due_at
from memory_pipeline.governance.erasure.scope import read_sql, resolve

Connection = psycopg.Connection[Any]

ORDER = tuple(ErasureState)
"""The states as a request passes them."""


class UnknownRequest(LookupError):
    """There is no such request."""


class WrongState(ValueError):
    """The request is past the point where this may be done, or not there yet."""


def file_request(
    connection: Connection,
    tenant_id: int,
    keys: Keys,
    selector: Selector,
    ground: Ground = Ground.operator,
    *,
    stops_learning: bool = False,
    originals: Originals = Originals.report,
    reference: str | None = None,
    preview_digest: str | None = None,
    received_at: datetime | None = None,
) -> UUID:
    """Append a request, in one transaction; nothing is hidden before `plan.fence`.

    `preview_digest` is `Preview.digest`: discovery then blocks where it finds something else.
    Raises what `scope.resolve` raises, and `ValueError` for a digest that is none.
    """
    request_id, received = uuid4(), received_at or datetime.now(UTC)
    digest = None if preview_digest is None else _digest(preview_digest)
    tz = str(setting(connection, tenant_id, "tz", "UTC"))
    with connection.transaction():
        scope = resolve(connection, tenant_id, keys, selector)
        connection.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, received_at, due_at,"
            " told_upto, stops_learning, originals, scope, preview_digest)"
            " values (%s, %s, %s::memory.erasure_ground, %s, %s, clock_timestamp(), %s, %s, %s, %s)",
            (
                request_id,
                tenant_id,
                ground,
                received,
                due_at(ground, received, tz),
                stops_learning,
                originals,
                Jsonb(scope),
                digest,
            ),
        )
        connection.execute(
            "insert into memory.erasure_request_content (request_id, selector, reference)"
            " values (%s, %s, %s)",
            (
                request_id,
                Jsonb(selector.model_dump(mode="json", exclude_defaults=True)),
                reference,
            ),
        )
    return request_id


def locked(connection: Connection, request_id: UUID) -> dict[str, Any]:
    """The request's row, locked until the transaction's end. Raises `UnknownRequest`."""
    with connection.cursor(row_factory=dict_row) as cursor:
        row = cursor.execute(
            "select tenant_id, ground::text as ground, state::text as state,"
            " block::text as block, received_at, due_at, scope, preview_digest, plan_digest"
            " from memory.erasure_request where request_id = %s for update",
            (request_id,),
        ).fetchone()
    if row is None:
        raise UnknownRequest(f"there is no erasure request {request_id}")
    return row


def ensure_scope(connection: Connection, keys: Keys, request_id: UUID) -> None:
    """Look the selector's words up, where a row came without a scope. Raises what `scope.resolve`
    raises, and `ValueError` for a selector that breaks its contract."""
    row = locked(connection, request_id)
    if row["scope"] is not None:
        return
    asked = connection.execute(
        "select selector from memory.erasure_request_content where request_id = %s", (request_id,)
    ).fetchone()
    if asked is None:
        raise ValueError(f"request {request_id} states no selector")
    scope = resolve(connection, row["tenant_id"], keys, Selector.model_validate(asked[0]))
    tz = str(setting(connection, row["tenant_id"], "tz", "UTC"))
    connection.execute(
        "update memory.erasure_request set scope = %s, due_at = coalesce(due_at, %s),"
        " changed_at = clock_timestamp() where request_id = %s",
        (Jsonb(scope), due_at(Ground(row["ground"]), row["received_at"], tz), request_id),
    )


def status(connection: Connection, request_id: UUID) -> RequestStatus:
    """How a request stands; `n_items` counts what it touches, by kind. Raises `UnknownRequest`."""
    found = _statuses(connection, "request_id", request_id)
    if not found:
        raise UnknownRequest(f"there is no erasure request {request_id}")
    return found[0]


def requests(connection: Connection, tenant_id: int) -> list[RequestStatus]:
    """All requests of a tenant, the newest first."""
    return _statuses(connection, "tenant_id", tenant_id)


def unfinished(connection: Connection, tenant_id: int | None = None) -> list[UUID]:
    """Requests that are neither certified nor taken back, the oldest first."""
    rows = connection.execute(
        "select request_id from memory.erasure_request where state < 'certified'"
        " and (%(tenant_id)s::int is null or tenant_id = %(tenant_id)s) order by received_at",
        {"tenant_id": tenant_id},
    ).fetchall()
    return [row[0] for row in rows]


def advance(connection: Connection, request_id: UUID, state: ErasureState) -> None:
    """Move a request forward and clear what held it up; where it stands there already, only that.
    Raises `UnknownRequest`, and `WrongState` where it would go back."""
    with connection.transaction():
        stands = ErasureState(locked(connection, request_id)["state"])
        if ORDER.index(state) < ORDER.index(stands):
            raise WrongState(f"request {request_id} is {stands}, which comes after {state}")
        connection.execute(
            "update memory.erasure_request set state = %s::memory.erasure_state, block = null,"
            " changed_at = clock_timestamp() where request_id = %s",
            (state, request_id),
        )


def block(connection: Connection, request_id: UUID, reason: Block | None) -> None:
    """Say what holds a request up, or that nothing does. Raises `UnknownRequest`."""
    cursor = connection.execute(
        "update memory.erasure_request set block = %s::memory.erasure_block,"
        " changed_at = clock_timestamp() where request_id = %s",
        (reason, request_id),
    )
    if not cursor.rowcount:
        raise UnknownRequest(f"there is no erasure request {request_id}")


def lease(connection: Connection, request_id: UUID, worker: UUID, seconds: float = 60.0) -> bool:
    """Take or prolong a request for one worker; False while another's lease runs. One that is
    taken anew, or over from a worker that is gone, counts as an attempt."""
    cursor = connection.execute(
        "update memory.erasure_request set"
        " attempt = attempt + (leased_by is distinct from %(worker)s)::int,"
        " leased_by = %(worker)s, leased_until = clock_timestamp() + make_interval(secs => %(s)s)"
        " where request_id = %(request_id)s and (leased_by is null or leased_by = %(worker)s"
        "  or leased_until < clock_timestamp())",
        {"worker": worker, "s": seconds, "request_id": request_id},
    )
    return cursor.rowcount == 1


def release(connection: Connection, request_id: UUID, worker: UUID) -> None:
    """Give the lease back; nothing where another has it."""
    connection.execute(
        "update memory.erasure_request set leased_by = null, leased_until = null"
        " where request_id = %s and leased_by = %s",
        (request_id, worker),
    )


def cancel(connection: Connection, request_id: UUID) -> None:
    """Take a request back, until keys are destroyed: what it hid is seen again, and what it
    suppressed is learned again (`memory.suppression_in_force`), under a new epoch. Its own words
    go.

    Raises `UnknownRequest`, `WrongState`.
    """
    with connection.transaction():
        # the tenant before the request, as who reads logs takes them: it may add to the request
        connection.execute(
            "select memory.enter_alone(tenant_id, request_id, 'cancelled')"
            " from memory.erasure_request where request_id = %s",
            (request_id,),
        )
        row = locked(connection, request_id)
        if row["state"] == ErasureState.cancelled:
            _forget_words(connection, request_id)
            return
        if ORDER.index(ErasureState(row["state"])) >= ORDER.index(ErasureState.keys_destroyed):
            raise WrongState(f"request {request_id} is {row['state']}: too late to take it back")
        connection.execute(
            "update memory.erasure_request set state = 'cancelled', block = null,"
            " changed_at = clock_timestamp() where request_id = %s",
            (request_id,),
        )
        _forget_words(connection, request_id)


def forget_words(connection: Connection, request_id: UUID) -> None:
    """Delete the words of a request that is scrubbed, and of those of its tenant that were taken
    back: none of them is needed any longer."""
    rows = connection.execute(
        "select r.request_id from memory.erasure_request as r"
        " join memory.erasure_request_content as c using (request_id)"
        " where r.state = 'cancelled' and r.tenant_id ="
        "  (select o.tenant_id from memory.erasure_request as o where o.request_id = %s)",
        (request_id,),
    ).fetchall()
    for found in {request_id, *(row[0] for row in rows)}:
        _forget_words(connection, found)


def _digest(written: str) -> bytes:
    if not re.fullmatch("[0-9a-f]{64}", written):
        raise ValueError("a preview's fingerprint is 64 hexadecimal digits, as a dry run prints it")
    return bytes.fromhex(written)


def _forget_words(connection: Connection, request_id: UUID) -> None:
    connection.execute("select memory.erase_request_content(%s)", (request_id,))


def open_mentions(connection: Connection, request_id: UUID) -> list[dict[str, Any]]:
    """Hits elsewhere that wait for a person: mention_id, message_id, dialog_id, span_start,
    span_end, without content."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(
            "select n.mention_id, n.message_id, m.dialog_id, n.span_start, n.span_end"
            " from memory.erasure_mention as n join memory.message as m using (message_id)"
            " where n.request_id = %s and n.state = 'open'"
            " order by m.dialog_id, m.sent_at, n.message_id, n.span_start",
            (request_id,),
        ).fetchall()


def mask_mention(connection: Connection, mention_id: UUID) -> None:
    """A hit elsewhere goes as well: its span joins the plan, with what was drawn from it and the
    contexts that carry it; the plan goes on from where it stands. A statement that says the value
    there has nothing left to rest on and goes too. Raises `LookupError` where no open mention has
    this id."""
    with connection.transaction():
        row = connection.execute(
            "update memory.erasure_mention set state = 'done'"
            " where mention_id = %s and state = 'open'"
            " returning request_id, message_id, span_start, span_end",
            (mention_id,),
        ).fetchone()
        if row is None:
            raise LookupError(f"there is no open mention {mention_id}")
        connection.execute(
            "insert into memory.erasure_span (request_id, message_id, span_start, span_end)"
            " values (%s, %s, %s, %s) on conflict do nothing",
            row,
        )
        connection.execute(
            read_sql("mask_mention.sql").encode(),
            dict(zip(("request_id", "message_id", "span_start", "span_end"), row, strict=True)),
        )


def waive_mentions(
    connection: Connection,
    request_id: UUID,
    reason: str,
    mention_ids: Sequence[UUID] | None = None,
) -> int:
    """Hits elsewhere (all open ones, or those named) stay, for a reason; returns how many.
    Raises `ValueError` without a reason."""
    if not reason.strip():
        raise ValueError("say why the mention stays")
    with connection.transaction():
        rows = connection.execute(
            "update memory.erasure_mention set state = 'dismissed', waived_by = session_user"
            " where request_id = %(id)s and state = 'open'"
            " and (%(only)s::uuid[] is null or mention_id = any(%(only)s)) returning mention_id",
            {"id": request_id, "only": None if mention_ids is None else list(mention_ids)},
        ).fetchall()
        connection.execute(
            "insert into memory.erasure_mention_content (mention_id, reason)"
            " select unnest(%s::uuid[]), %s on conflict do nothing",
            ([row[0] for row in rows], reason),
        )
    return len(rows)


def _statuses(connection: Connection, column: str, only: object) -> list[RequestStatus]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(
            sql.SQL(
                "select r.request_id, r.ground::text as ground, r.state::text as state,"
                " r.block::text as block, r.attempt, r.received_at, r.due_at,"
                " ((r.due_at - interval '1 microsecond') at time zone coalesce(("
                "  select value #>> '{{}}' from memory.tenant_setting as s"
                "  where s.tenant_id = r.tenant_id and s.name = 'tz'"
                "  order by s.setting_id desc limit 1), 'UTC'))::date as due_on,"
                " coalesce((select jsonb_object_agg(i.kind, i.n) from ("
                "  select kind, count(*) as n from memory.erasure_item"
                "  where request_id = r.request_id and action <> 'keep' group by kind) as i), '{{}}')"
                "  as n_items,"
                " (select count(*) from memory.erasure_mention as n"
                "  where n.request_id = r.request_id and n.state in ('open', 'running'))"
                "  as n_open_mentions"
                " from memory.erasure_request as r where r.{} = %(only)s"
                " order by r.received_at desc, r.request_id"
            ).format(sql.Identifier(column)),
            {"only": only},
        ).fetchall()
        stores = cursor.execute(
            "select request_id, store, store_state::text as state, n_found, n_erased, n_left, note"
            " from memory.erasure_store where request_id = any(%s) order by store",
            ([row["request_id"] for row in rows],),
        ).fetchall()
    by_request: dict[UUID, list[StoreReport]] = {row["request_id"]: [] for row in rows}
    for store in stores:
        by_request[store.pop("request_id")].append(StoreReport.model_validate(store))
    return [
        RequestStatus.model_validate(row | {"stores": tuple(by_request[row["request_id"]])})
        for row in rows
    ]
