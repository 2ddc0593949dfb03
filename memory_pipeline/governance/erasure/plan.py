"""The plan of a request: the fence, then what it reaches by derivation, place and mention.

`memory.plan_request` closes over derivation, in the database; `discovery` reads texts. Items
(`memory.erasure_item`) tell execution what becomes of each row, by kind and action:

    kind        erase                                     redact
    atom        content goes, a tombstone comes           values in it are masked
    closure     content goes                              values in `text` are masked
    reason      content goes (id: its statement)          values are masked
    message     all of its text, native id, attachments   the characters of its spans; values in
                and tags                                  attachments and tags
    extraction  answer goes                               answer without erased drafts, values masked
    dialog      native id, namespace and title go         values in them are masked
    name        content goes                              -
    file        sealed copy and name go                   sealed copy goes, the name stays
    secret      value in Vault goes                       -
    snapshot, snapshot_request, export, review, quarantine: content (and file) goes

`hide` stands for what is fenced and was not read yet, `keep` for what was read and stays. A statement
of whomever that says the value, in words that are masked, has no ground left and goes with them; one
that rests on other words than those, or on none, is kept as it is.
"""

from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb
from pydantic import ValidationError

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import Block, ErasureState, Ground, Preview, Selector
from memory_pipeline.governance.erasure import holds
from memory_pipeline.governance.erasure.detected import is_mask
from memory_pipeline.governance.erasure.discovery import (
    discover_items,
    discover_snapshots,
    erased_values,
    show_dialogs,
)
from memory_pipeline.governance.erasure.quarantined import OpenSealer, narrow
from memory_pipeline.governance.erasure.requests import (
    ORDER,
    advance,
    block,
    ensure_scope,
    locked,
)
from memory_pipeline.governance.erasure.scope import read_sql, resolve, suppress, suppress_values

Connection = psycopg.Connection[Any]

__all__ = ["discover", "erased_values", "fence", "preview", "recompute"]


class _Held(Exception):
    """A legal hold stands over what was planned; what was written of it is undone."""


def fence(connection: Connection, request_id: UUID, keys: Keys) -> ErasureState:
    """Hide all that a request may touch from every reader, in one transaction alone in the tenant:
    the plan, all messages of the evidence dialogs, snapshots and exports, and the suppressed scope.

    Returns the state: `fenced`, or where it stands already; still `received` with a block where a
    legal hold stands, or where the selector of a row that was put in directly names nobody or
    several. Raises `UnknownRequest`.
    """
    held: Block | None = None
    with connection.transaction():
        stands = ErasureState(locked(connection, request_id)["state"])
        if stands is not ErasureState.received:
            return stands
        try:
            with connection.transaction():
                ensure_scope(connection, keys, request_id)
                _fence(connection, request_id, keys)
        except _Held:
            held = Block.legal_hold
        except (LookupError, ValidationError, ValueError):
            held = Block.selector_unclear
        if held is not None:
            block(connection, request_id, held)
    return ErasureState.received if held else ErasureState.fenced


def _fence(connection: Connection, request_id: UUID, keys: Keys) -> None:
    tenant_id = locked(connection, request_id)["tenant_id"]
    # most of the work goes before the tenant is held up; what came since is planned alone in it
    before = _stand(connection, request_id)
    _plan(connection, request_id)
    show_dialogs(connection, request_id)
    connection.execute("select memory.enter_alone(%s, %s, 'fenced')", (tenant_id, request_id))
    if _stand(connection, request_id) != before and _plan(connection, request_id):
        show_dialogs(connection, request_id)
    if holds.is_held(connection, request_id):
        raise _Held
    batch_id = uuid4()
    suppress(connection, keys, request_id, batch_id)
    advance(connection, request_id, ErasureState.fenced)
    connection.execute("select memory.close_batch(%s, %s, 'fence')", (batch_id, tenant_id))


def discover(
    connection: Connection, request_id: UUID, keys: Keys, sealer: OpenSealer | None = None
) -> ErasureState:
    """Read what the fence hides and look through the tenant: spans, mentions, what of it is
    touched; freezes `plan_digest`.

    Returns the state: `discovered`, or where it stands already; still `fenced` with a block where
    a legal hold was set since or the plan is not the one that a preview showed. Raises
    `UnknownRequest`.
    """
    with connection.transaction():
        row = locked(connection, request_id)
        stands = ErasureState(row["state"])
        if stands is not ErasureState.fenced:
            return stands
        recompute(connection, request_id, keys, sealer)
        digest = _fingerprint(connection, request_id)
        connection.execute(
            "update memory.erasure_request set plan_digest = %s where request_id = %s",
            (digest, request_id),
        )
        if holds.is_held(connection, request_id):
            block(connection, request_id, Block.legal_hold)
        elif row["preview_digest"] is not None and bytes(row["preview_digest"]) != digest:
            block(connection, request_id, Block.preview_changed)
        else:
            advance(connection, request_id, ErasureState.discovered)
            return ErasureState.discovered
    return ErasureState.fenced


def recompute(
    connection: Connection, request_id: UUID, keys: Keys, sealer: OpenSealer | None = None
) -> int:
    """The plan anew, in the caller's transaction: what came since joins it, nothing is taken out.
    Returns how many items are new. To be called before any content is gone.

    It is made again only where the tenant got a batch, or the registry a version, since it was.
    A mask sweep's plan is whole from the first, and reading would have its values destroyed.
    Without a `sealer` no refused record is read: all of the evidence's files go.
    """
    if is_mask(connection, request_id):
        return 0
    row = connection.execute(
        "select read_upto, read_predicates, read_asked from memory.erasure_request"
        " where request_id = %s",
        (request_id,),
    ).fetchone()
    now = _stand(connection, request_id)
    before = _n_items(connection, request_id)
    if row == now:
        return 0
    connection.execute(
        "update memory.erasure_request set read_upto = %s, read_predicates = %s, read_asked = %s"
        " where request_id = %s",
        (*now, request_id),
    )
    if row is not None and row[:2] == now[:2]:
        discover_snapshots(connection, request_id)
        return _n_items(connection, request_id) - before
    _plan(connection, request_id)
    values = discover_items(connection, request_id)
    if sealer is not None:
        narrow(connection, request_id, keys, values, sealer)
    if ORDER.index(ErasureState(locked(connection, request_id)["state"])) > 0:
        suppress_values(connection, keys, request_id, values)
    return _n_items(connection, request_id) - before


def redacted_digest(connection: Connection, request_id: UUID) -> tuple[int, int]:
    """How many items a plan redacts, and a sum over which: equal as long as they are the same."""
    row = connection.execute(
        "select count(*), coalesce(sum(uuid_hash_extended(item_id, 0)), 0)::numeric"
        " from memory.erasure_item where request_id = %s and action = 'redact'",
        (request_id,),
    ).fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return int(row[0]), int(row[1])


def _stand(connection: Connection, request_id: UUID) -> tuple[int, int, int]:
    """What a plan is made of, as marks that move with it: the tenant's last batch, in whose
    transaction all else comes; how many versions predicates have, and how many contexts were asked
    for, of which neither has a batch."""
    row = connection.execute(
        "select (select coalesce(max(b.batch_no), 0) from memory.batch as b"
        "  where b.tenant_id = r.tenant_id), (select count(*) from memory.predicate_version),"
        " (select count(*) from memory.snapshot_request as s where s.tenant_id = r.tenant_id)"
        " from memory.erasure_request as r where r.request_id = %s",
        (request_id,),
    ).fetchone()
    assert row is not None  # noqa: S101 - locked by the caller
    return int(row[0]), int(row[1]), int(row[2])


def _plan(connection: Connection, request_id: UUID) -> int:
    """What a request reaches by derivation and place; returns how many items are new."""
    n_new = _close(connection, request_id)
    told = connection.execute(read_sql("rest_on_whole.sql").encode(), {"request_id": request_id})
    # what only messages tell that go wholly goes with them, whomever it was taken to be about
    return n_new + told.rowcount + _close(connection, request_id) if told.rowcount else n_new


def _close(connection: Connection, request_id: UUID) -> int:
    row = connection.execute("select memory.plan_request(%s)", (request_id,)).fetchone()
    assert row is not None  # noqa: S101 - a function gives one row
    return int(row[0])


def _n_items(connection: Connection, request_id: UUID) -> int:
    row = connection.execute(
        "select count(*) from memory.erasure_item where request_id = %s", (request_id,)
    ).fetchone()
    return int(row[0]) if row else 0


def preview(
    connection: Connection,
    tenant_id: int,
    keys: Keys,
    selector: Selector,
    sealer: OpenSealer | None = None,
) -> Preview:
    """What a request of this selector would reach now, by kind and action; nothing is written and
    nobody is held up. Raises as `requests.file_request`."""
    request_id = uuid4()
    with connection.transaction(force_rollback=True):
        connection.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, scope)"
            " values (%s, %s, %s::memory.erasure_ground, %s)",
            (
                request_id,
                tenant_id,
                Ground.operator,
                Jsonb(resolve(connection, tenant_id, keys, selector)),
            ),
        )
        recompute(connection, request_id, keys, sealer)
        rows = connection.execute(
            "select kind::text, action::text, array_agg(item_id order by item_id)"
            " from memory.erasure_item where request_id = %s and action in ('redact', 'erase')"
            " group by kind, action order by kind, action",
            (request_id,),
        ).fetchall()
        others = connection.execute(
            "select 'span', count(*) from memory.erasure_span where request_id = %(id)s"
            " union all"
            " select 'mention', count(*) from memory.erasure_mention where request_id = %(id)s",
            {"id": request_id},
        ).fetchall()
        of_others = connection.execute(
            read_sql("count_others.sql").encode(), {"request_id": request_id}
        ).fetchone()
        others += [("of others", of_others[0] if of_others else 0)]
        return Preview(
            counts={f"{kind} {action}": len(ids) for kind, action, ids in rows}
            | {name: n for name, n in others if n},
            item_ids={f"{kind} {action}": tuple(ids) for kind, action, ids in rows},
            digest=_fingerprint(connection, request_id).hex(),
        )


def _fingerprint(connection: Connection, request_id: UUID) -> bytes:
    row = connection.execute("select memory.plan_fingerprint(%s)", (request_id,)).fetchone()
    assert row is not None  # noqa: S101 - a function gives one row
    return bytes(row[0])
