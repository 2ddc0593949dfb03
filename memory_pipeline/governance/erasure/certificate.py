"""The certificate of an erasure: refused unless everything is shown, and naming nobody.

It holds the request's id, ground and times, counts by tag, every registered store with its state,
what is not covered, and the audit log's head. Of what was erased it holds tags and counts alone.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.tenants import setting
from memory_pipeline.contracts.erasure import ErasureState, StoreReport, StoreState
from memory_pipeline.governance import audit

VERSION = 1
BACKUP_DAYS = "backup_days"
"""The tenant's setting of how many days a backup of the database lives; none are known without."""

_LIMITS = (
    "device_blocks_not_overwritten",
    "copies_handed_out_are_the_recipients",
    "object_keys_and_periods_stay_as_keyed_hashes",
)
_LIMIT_TEXTS = {
    "content_not_sealed": "Content was kept in clear inside the database and is removed "
    "physically, not by destroying a key; backups made before hold it until they expire.",
    "sealed_copies": "Sealed values lie in backups as ciphertext whose keys are destroyed. That "
    "reaches neither what was in clear (full text and vectors, names, titles, file names, "
    "attachments, values of tags that are not sealed) nor backups of Vault itself.",
    "device_blocks_not_overwritten": "Blocks that the file system freed are not overwritten on the "
    "device; use an encrypted volume.",
    "copies_handed_out_are_the_recipients": "Files handed to others are theirs to delete; their "
    "recipients are to be told.",
    "object_keys_and_periods_stay_as_keyed_hashes": "Records keep surrogate ids, keyed hashes, "
    "tags and periods, so that answers of the past stay true.",
}


class CertificateRefused(Exception):
    """What stands against a certificate, as codes."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("no certificate: " + "; ".join(reasons))
        self.reasons = tuple(reasons)


def issue(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    request_id: UUID,
    stores: Sequence[StoreReport],
    undeclared: Collection[str],
) -> dict[str, Any]:
    """Certify a verified request over mem_eraser, inside the caller's transaction, and return the
    certificate. `stores` are the verifier's reports of every registered store.

    Raises `CertificateRefused`: a store that was not verified and is not among those that cannot
    be, a place that no store declares, an open mention, a broken audit log.
    """
    reasons = _reasons(connection, request_id, stores, undeclared)
    if reasons:
        raise CertificateRefused(reasons)
    body = _body(connection, tenant_id, request_id, stores)
    connection.execute(
        "insert into memory.certificate (request_id, body) values (%s, %s)",
        (request_id, Jsonb(body)),
    )
    audit.append(connection, tenant_id, "erasure.certified", request_id, _told(body))
    return body


def certificate(connection: psycopg.Connection[Any], request_id: UUID) -> dict[str, Any]:
    """The certificate of a request. Raises `LookupError` where there is none yet."""
    row = connection.execute(
        "select body from memory.certificate where request_id = %s", (request_id,)
    ).fetchone()
    if row is None:
        raise LookupError(f"request {request_id} has no certificate; see `erase status`")
    return dict(row[0])


def is_genuine(connection: psycopg.Connection[Any], body: dict[str, Any]) -> bool:
    """Whether a certificate, however it came back, is the one that was told to the audit log."""
    row = connection.execute(
        "select details from memory.audit_event"
        " where action = 'erasure.certified' and request_id = %s",
        (body.get("request_id"),),
    ).fetchone()
    return row is not None and dict(row[0]) == _told(body)


def readable(body: dict[str, Any]) -> str:
    """The certificate for people, in Markdown."""
    lines = [
        "# Certificate of erasure",
        "",
        f"- request: {body['request_id']}",
        f"- ground: {body['ground']}",
        f"- received: {body['received_at']}",
        f"- due: {body['due_at'] or 'no term set by law'}",
        f"- content store: {body['content_mode']}",
        f"- backups: {_backups(body)}",
        f"- categories: {', '.join(body['categories']) or 'without a tag'}",
        f"- types of destroyed secrets: {', '.join(body.get('secret_types', ())) or 'none'}",
        "",
        "| what | how many |",
        "| --- | --- |",
        *(f"| {name} | {n} |" for name, n in body["counts"].items()),
        "",
        "| step | at | audit event |",
        "| --- | --- | --- |",
        *(f"| {step['step']} | {step['at']} | {step['seq']} |" for step in body["steps"]),
        "",
        "| store | state | found | erased | left | note |",
        "| --- | --- | --- | --- | --- | --- |",
        *(
            f"| {s['store']} | {s['state']} | {_n(s['n_found'])} | {_n(s['n_erased'])}"
            f" | {_n(s['n_left'])} | {s['note'] or ''} |"
            for s in body["stores"]
        ),
        "",
        "Not covered:",
        "",
        *(f"- {_LIMIT_TEXTS[limit]}" for limit in body["limits"]),
        "",
        f"Audit log: event {body['audit']['seq']}, hash {body['audit']['hash']}",
        "",
    ]
    return "\n".join(lines)


def _n(count: int | None) -> str:
    return "" if count is None else str(count)


def _backups(body: dict[str, Any]) -> str:
    until = body["backups_until"]
    return f"may hold it until {until}" if until else "none are known to this installation"


def _reasons(
    connection: psycopg.Connection[Any],
    request_id: UUID,
    stores: Sequence[StoreReport],
    undeclared: Collection[str],
) -> list[str]:
    found = [
        f"store {report.store} is {report.state}"
        for report in stores
        if report.state not in (StoreState.verified, StoreState.not_verifiable)
    ]
    found += [
        f"store {report.store} does not say why it is not verifiable"
        for report in stores
        if report.state is StoreState.not_verifiable and not report.note
    ]
    found += [
        f"store {report.store} has {report.n_left} left" for report in stores if report.n_left
    ]
    found += [f"undeclared place {name}" for name in sorted(undeclared)]
    if not stores:
        found.append("no store was verified")
    row = connection.execute(
        "select r.state::text, (select count(*) from memory.erasure_mention as m"
        "  where m.request_id = r.request_id and m.state not in ('done', 'dismissed'))"
        " from memory.erasure_request as r where r.request_id = %s",
        (request_id,),
    ).fetchone()
    if row is None:
        raise LookupError(f"there is no erasure request {request_id}")
    if row[0] != ErasureState.verified:
        found.append(f"the request is {row[0]}")
    if row[1]:
        found.append(f"{row[1]} mentions wait for a person")
    breaks = connection.execute("select count(*) from memory.audit_breaks(1)").fetchone()
    if breaks and breaks[0]:
        found.append("the audit log does not hold")
    return found


def _body(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    request_id: UUID,
    stores: Sequence[StoreReport],
) -> dict[str, Any]:
    row = connection.execute(
        "select ground::text, received_at, due_at, originals, clock_timestamp(),"
        " encode(plan_digest, 'hex') from memory.erasure_request where request_id = %s",
        (request_id,),
    ).fetchone()
    assert row is not None  # noqa: S101 - read above in the same transaction
    ground, received_at, due_at, originals, now, plan_digest = row
    days = setting(connection, tenant_id, BACKUP_DAYS)
    n_ended, n_clear = _sealing(connection, request_id)
    mode = "plain" if not n_ended else "mixed" if n_clear else "sealed"
    head = audit.head(connection)
    return {
        "kind": "certificate of erasure",
        "version": VERSION,
        "request_id": str(request_id),
        "ground": ground,
        "received_at": received_at.isoformat(),
        "due_at": due_at and due_at.isoformat(),
        "issued_at": now.isoformat(),
        "content_mode": mode,
        "sealing": {"n_keys_destroyed": n_ended, "n_in_clear": n_clear},
        "originals": originals,
        "backups_until": days and (now + timedelta(days=float(days))).isoformat(),
        "tz": setting(connection, tenant_id, "tz", "UTC"),
        "categories": categories(connection, request_id),
        "secret_types": secret_types(connection, request_id),
        "counts": _counts(connection, request_id),
        "steps": steps(connection, request_id),
        "stores": [report.model_dump(mode="json") for report in stores],
        "limits": [
            *(("content_not_sealed",) if mode != "sealed" else ()),
            *(("sealed_copies",) if mode != "plain" else ()),
            *_LIMITS,
        ],
        "plan_digest": plan_digest,
        "audit": {"seq": head.seq, "hash": head.hash.hex()},
    }


def categories(connection: psycopg.Connection[Any], request_id: UUID) -> list[str]:
    """The tags of the atoms that a request erases, sorted."""
    rows = connection.execute(
        "select distinct tag from memory.erasure_item as i"
        " join memory.atom as a on a.atom_id = i.item_id"
        " join memory.predicate_current as p using (predicate_id) cross join unnest(p.tags) as tag"
        " where i.request_id = %s and i.kind = 'atom' and i.action = 'erase' order by tag",
        (request_id,),
    ).fetchall()
    return [row[0] for row in rows]


def secret_types(connection: psycopg.Connection[Any], request_id: UUID) -> list[str]:
    """The types of the secrets whose values a request destroyed, sorted."""
    rows = connection.execute(
        "select distinct s.type from memory.secret_end as e join memory.secret as s"
        " using (secret_id) where e.request_id = %s order by s.type",
        (request_id,),
    ).fetchall()
    return [row[0] for row in rows]


def steps(connection: psycopg.Connection[Any], request_id: UUID) -> list[dict[str, Any]]:
    """The steps of a request as the audit log tells them, in order."""
    rows = connection.execute(
        "select action, at, seq from memory.audit_event where request_id = %s order by seq",
        (request_id,),
    ).fetchall()
    return [
        {"step": action.removeprefix("erasure."), "at": at.isoformat(), "seq": seq}
        for action, at, seq in rows
    ]


def _counts(connection: psycopg.Connection[Any], request_id: UUID) -> dict[str, int]:
    """How many items of which kind went or lost something; of a source file that its owner keeps,
    only that it was one: what became of it the store `originals` tells."""
    rows = connection.execute(
        "select case"
        "  when i.kind = 'file' and i.action = 'redact' and not f.has_landed then 'original outside'"
        "  when i.action = 'erase' then i.kind::text || ' erased'"
        "  else i.kind::text || ' redacted' end, count(*)"
        " from memory.erasure_item as i"
        " left join memory.file_read as f on i.kind = 'file' and f.file_id = i.item_id"
        " where i.request_id = %(id)s and i.action in ('erase', 'redact') group by 1"
        " union all"
        " select 'mention ' || case state when 'dismissed' then 'waived' else 'masked' end,"
        " count(*) from memory.erasure_mention where request_id = %(id)s group by 1"
        " order by 1",
        {"id": request_id},
    ).fetchall()
    return {name: int(n) for name, n in rows}


def _sealing(connection: psycopg.Connection[Any], request_id: UUID) -> tuple[int, int]:
    """How many data keys the request ended, and how many erased or redacted items had a value or a
    text in clear."""
    row = connection.execute(
        "with ended as (select record_id, place from memory.key_end where request_id = %(id)s),"
        " planned as ("
        "  select i.item_id, p.place from memory.erasure_item as i"
        "  join (values ('atom', 1), ('atom', 2), ('closure', 4), ('extraction', 6),"
        "   ('snapshot', 9)) as p (kind, place) on p.kind = i.kind::text"
        "  where i.request_id = %(id)s and i.action = 'erase'"
        "  union select s.message_id, 0 from memory.erasure_span as s where s.request_id = %(id)s)"
        " select (select count(*) from ended), (select count(distinct p.item_id) from planned as p"
        "  where not exists (select from ended as e"
        "   where e.record_id = p.item_id and e.place = p.place))",
        {"id": request_id},
    ).fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)


def _told(body: dict[str, Any]) -> dict[str, str]:
    canonical = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return {"certificate_sha256": hashlib.sha256(canonical.encode()).hexdigest()}
