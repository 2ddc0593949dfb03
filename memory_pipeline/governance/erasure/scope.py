"""What a selector means in the store: names looked up once, then ids, tags and times alone.

The scope lies in `memory.erasure_request.scope` and stays; the selector's own words go at
certification. What is never to be learned again is known by keyed hashes of the scope.
"""

from contextlib import suppress as suppress_errors
from datetime import timedelta
from importlib.resources import files
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.reading import (
    UnknownPredicate,
    find_dialog,
    find_subject,
    subject_of,
)
from memory_pipeline.contracts.erasure import Selector
from memory_pipeline.governance.erasure.aliases import FEW_CHARS, LEAST_CHARS, keys_of_name
from memory_pipeline.governance.erasure.mentions import normal_value
from memory_pipeline.governance.erasure.spellings import amount_of, spellings
from memory_pipeline.governance.erasure.suppress import told_key, value_key

Connection = psycopg.Connection[Any]


class UnknownFile(LookupError):
    """No log file of the tenant has this name or id."""


class AmbiguousFile(LookupError):
    """Several log files came under this name; `candidates` are (file id, day first seen)."""

    def __init__(self, candidates: list[tuple[UUID, str]]) -> None:
        super().__init__(f"{len(candidates)} log files came under this name; give a file's id")
        self.candidates = tuple(candidates)


class UnknownMessage(LookupError):
    """No message of the tenant has this id."""


class AmbiguousMessage(LookupError):
    """Messages of several dialogs have the log's id; `candidates` are (message id, dialog)."""

    def __init__(self, candidates: list[tuple[UUID, str]]) -> None:
        super().__init__(
            f"{len(candidates)} dialogs have a message of this id; give the dialog, too, or the"
            " store's id"
        )
        self.candidates = tuple(candidates)


class UnknownTag(LookupError):
    """No predicate that serves the tenant ever had this tag."""


class UnknownItem(LookupError):
    """The tenant has no such message, atom or entity."""


def read_sql(name: str) -> str:
    """The text of one statement of this package's `sql` folder."""
    return (
        files("memory_pipeline.governance.erasure")
        .joinpath("sql", name)
        .read_text(encoding="utf-8")
    )


def resolve(
    connection: Connection, tenant_id: int, keys: Keys, selector: Selector
) -> dict[str, Any]:
    """The scope of a selector (the keys of `memory.plan_request`), over a role that reads all.

    Raises `UnknownSubject`, `AmbiguousSubject`, `UnknownDialog`, `AmbiguousDialog`, `UnknownFile`,
    `AmbiguousFile`, `UnknownMessage`, `AmbiguousMessage`, `UnknownPredicate`, `UnknownTag`,
    `UnknownItem`.
    """
    scope: dict[str, Any] = {}
    if selector.whole_tenant:
        scope["whole_tenant"] = True
    if selector.subject is not None:
        found = find_subject(connection, keys, tenant_id, selector.subject)
        if selector.entity_id is not None and selector.entity_id not in found.entity_ids:
            raise UnknownItem("the entity is not the subject of this name; give one of them")
        scope["entity_id"] = str(found.canonical_id)
    elif selector.entity_id is not None:
        _ask(connection, tenant_id, "entity", "entity_id", selector.entity_id)
        scope["entity_id"] = str(subject_of(connection, selector.entity_id).canonical_id)
    if selector.dialog is not None:
        scope["dialog_id"] = str(find_dialog(connection, keys, tenant_id, selector.dialog))
    if selector.file is not None:
        scope["file_id"] = str(_file(connection, tenant_id, selector.file))
    if selector.message_id is not None:
        _ask(connection, tenant_id, "message", "message_id", selector.message_id)
        scope["message_id"] = str(selector.message_id)
    if selector.message is not None:
        found_id = _message(connection, tenant_id, keys, selector.message, scope.get("dialog_id"))
        if selector.message_id not in (None, found_id):
            raise UnknownItem("the message's two ids are those of two messages")
        scope["message_id"] = str(found_id)
    if selector.atom_id is not None:
        _ask(connection, tenant_id, "atom", "atom_id", selector.atom_id)
        scope["atom_id"] = str(selector.atom_id)
    if selector.atom_ids:
        known = connection.execute(
            "select count(*) from memory.atom where atom_id = any(%s) and tenant_id = %s",
            (list(selector.atom_ids), tenant_id),
        ).fetchone()
        if known is None or known[0] != len(set(selector.atom_ids)):
            raise UnknownItem("the tenant has not all of these atoms")
        scope["atom_ids"] = sorted(map(str, set(selector.atom_ids)))
    if selector.predicates:
        scope["predicate_ids"] = [
            found_id
            for name in selector.predicates
            for found_id in _predicates(connection, tenant_id, name)
        ]
    if selector.tags:
        for tag in selector.tags:
            known_tag(connection, tenant_id, tag)
        scope["tags"] = sorted(set(selector.tags))
    for bound in ("told_from", "told_to"):
        if (moment := getattr(selector, bound)) is not None:
            scope[bound] = moment.isoformat()
    return scope


def _ask(connection: Connection, tenant_id: int, table: str, key: str, item_id: UUID) -> None:
    query = sql.SQL("select from {} where {} = %s and tenant_id = %s").format(
        sql.Identifier("memory", table), sql.Identifier(key)
    )
    if connection.execute(query, (item_id, tenant_id)).fetchone() is None:
        raise UnknownItem(f"the tenant has no {table} {item_id}")


def _file(connection: Connection, tenant_id: int, name: str) -> UUID:
    rows: list[tuple[UUID, str]] = connection.execute(
        "select f.file_id, f.first_seen_day::text from memory.log_file as f"
        " left join memory.log_file_content as c using (file_id)"
        " where f.tenant_id = %s and (f.file_id::text = %s or c.name = %s)"
        " order by f.first_seen_day, f.file_id",
        (tenant_id, name, name.replace("\\", "/").rpartition("/")[2]),
    ).fetchall()
    if not rows:
        raise UnknownFile("no log file of the tenant came under this name")
    if len(rows) > 1:
        raise AmbiguousFile(rows)
    return rows[0][0]


def _message(
    connection: Connection, tenant_id: int, keys: Keys, name: str, dialog_id: str | None
) -> UUID:
    """The first revision of a message, given the store's id of one or the log's own; within a dialog
    where one is given. Found by its key, so that an id is found whose text has gone."""
    with suppress_errors(ValueError):
        as_id = UUID(name)
        found = connection.execute(
            "select from memory.message where message_id = %s and tenant_id = %s",
            (as_id, tenant_id),
        ).fetchone()
        if found is not None:
            return as_id
    dialogs = connection.execute(
        "select dialog_key from memory.dialog"
        " where tenant_id = %(tenant)s and dialog_id = coalesce(%(dialog)s::uuid, dialog_id)",
        {"tenant": tenant_id, "dialog": dialog_id},
    ).fetchall()
    rows: list[tuple[UUID, str]] = connection.execute(
        "select distinct on (m.message_key) m.message_id, coalesce(c.native_id, d.dialog_id::text)"
        " from memory.message as m join memory.dialog as d using (dialog_id)"
        " left join memory.dialog_content as c using (dialog_id)"
        " where m.tenant_id = %s and m.message_key = any(%s)"
        " order by m.message_key, m.edited_at nulls first",
        (tenant_id, [keys.native_message(tenant_id, bytes(row[0]), name) for row in dialogs]),
    ).fetchall()
    if not rows:
        raise UnknownMessage("no message of the tenant has this id")
    if len(rows) > 1:
        raise AmbiguousMessage(sorted(rows, key=lambda row: (row[1], row[0])))
    return rows[0][0]


def _predicates(connection: Connection, tenant_id: int, name: str) -> list[int]:
    """A predicate's id, and that of the common one that the tenant's own stands before."""
    rows = connection.execute(
        "select predicate_id from memory.predicate"
        " where name = %s and (tenant_id is null or tenant_id = %s) order by predicate_id",
        (name, tenant_id),
    ).fetchall()
    if not rows:
        raise UnknownPredicate(f"the registry has no predicate {name!r}")
    return [row[0] for row in rows]


def known_tag(connection: Connection, tenant_id: int, tag: str) -> None:
    """Raises `UnknownTag` for a tag that no predicate of the tenant ever had."""
    if (
        connection.execute(
            "select from memory.predicate_version as v join memory.predicate as p"
            " using (predicate_id) where %s = any (v.tags)"
            " and (p.tenant_id is null or p.tenant_id = %s) limit 1",
            (tag, tenant_id),
        ).fetchone()
        is None
    ):
        raise UnknownTag(f"no predicate has the tag {tag!r}")


def suppress(connection: Connection, keys: Keys, request_id: UUID, batch_id: UUID) -> None:
    """Write the scope down as one that must not be learned again, in the fence's transaction."""
    row = connection.execute(
        "select tenant_id, scope, told_upto, stops_learning from memory.erasure_request"
        " where request_id = %s",
        (request_id,),
    ).fetchone()
    assert row is not None  # noqa: S101 - locked by the fence
    tenant_id, scope, told_upto, stops_learning = row
    bounds = connection.execute(
        "select (%(scope)s::jsonb ->> 'told_from')::timestamptz,"
        " least(%(upto)s, (%(scope)s::jsonb ->> 'told_to')::timestamptz"
        "  - interval '1 microsecond')",
        {"scope": Jsonb(scope), "upto": told_upto},
    ).fetchone()
    told_from, upto = bounds or (None, told_upto)
    predicate_ids = scope.get("predicate_ids", [])
    found: set[tuple[str, bytes]] = set()
    entity_id = scope.get("entity_id")
    if (atom_id := scope.get("atom_id")) is not None:
        atom = connection.execute(
            "select subject_id, predicate_id, object_key, statement_hash, told_at"
            " from memory.atom where atom_id = %s",
            (atom_id,),
        ).fetchone()
        if atom is not None:
            subject_id, predicate, object_key, statement_hash, told_at = atom
            entity_id = entity_id or subject_id
            predicate_ids = [predicate]
            found |= {("object", bytes(object_key)), ("statement", bytes(statement_hash))}
            if told_at is not None:
                # the one telling; formats state it to the minute at least
                told_from = told_at.replace(second=0, microsecond=0)
                upto = min(upto, told_from + timedelta(minutes=1, microseconds=-1))
    if (atom_ids := scope.get("atom_ids")) is not None:
        # each by itself: what is common to them is no condition
        rows = connection.execute(
            "select statement_hash from memory.atom where atom_id = any(%s::uuid[])", (atom_ids,)
        ).fetchall()
        found |= {("statement", bytes(statement_hash)) for (statement_hash,) in rows}
    if entity_id is not None:
        found |= _person(connection, keys, tenant_id, entity_id)
    found |= _places(connection, tenant_id, scope)
    suppression_id = uuid4()
    connection.execute(
        "insert into memory.suppression (suppression_id, tenant_id, batch_id, request_id,"
        " whole_tenant, tags, predicate_ids, told_from, told_upto, stops_learning)"
        " values (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
        (
            suppression_id,
            tenant_id,
            batch_id,
            request_id,
            bool(scope.get("whole_tenant")),
            scope.get("tags", []),
            predicate_ids,
            told_from,
            upto,
            stops_learning,
        ),
    )
    _add_keys(connection, ((suppression_id, dimension, key) for dimension, key in found))


def suppress_values(
    connection: Connection, keys: Keys, request_id: UUID, values: list[tuple[str, str]]
) -> None:
    """Keys of the erased values' dictionary forms, to mask them in what is read later, and of what
    the scope's person told, to know it again from another export."""
    rows = connection.execute(
        "select suppression_id, tenant_id from memory.suppression where request_id = %s",
        (request_id,),
    ).fetchall()
    for suppression_id, tenant_id in rows:
        spelt = {spelling for pair in values for spelling in spellings(*pair)}
        normals = {amount_of(spelling) or normal_value(spelling) for spelling in spelt} - {""}
        _add_keys(
            connection,
            ((suppression_id, "value", value_key(keys, tenant_id, n)) for n in sorted(normals)),
        )
    if rows:
        connection.execute(
            read_sql("suppress_tellings.sql").encode(),
            {
                "request_id": request_id,
                "few_chars": FEW_CHARS,
                "least_chars": LEAST_CHARS,
            },
        )


def _person(
    connection: Connection, keys: Keys, tenant_id: int, entity_id: object
) -> set[tuple[str, bytes]]:
    rows = connection.execute(
        "select e.entity_key, n.name from unnest(memory.component(array[%s]::uuid[])) as member"
        " join memory.entity as e on e.entity_id = member"
        " left join memory.name_content as n on n.entity_id = member",
        (entity_id,),
    ).fetchall()
    names = {name for _, name in rows if name is not None}
    return {("entity", bytes(key)) for key, _ in rows} | {
        ("name", key)
        for name in names
        for key in {keys.name(tenant_id, name)} | keys_of_name(keys, tenant_id, name)
    }


def _places(
    connection: Connection, tenant_id: int, scope: dict[str, Any]
) -> set[tuple[str, bytes]]:
    """Keys of the dialog and file, and of the messages there, whatever ids they come with again."""
    found: set[tuple[str, bytes]] = set()
    named = [scope.get(name) for name in ("dialog_id", "file_id", "message_id")]
    # with two conditions of place both must hold, which keys of either would not say
    if sum(value is not None for value in named) == 1:
        rows = connection.execute(
            "select 'dialog', dialog_key from memory.dialog where dialog_id = %s"
            " union all select 'file', file_key from memory.log_file where file_id = %s",
            (scope.get("dialog_id"), scope.get("file_id")),
        ).fetchall()
        found |= {(dimension, bytes(key)) for dimension, key in rows}
    if any(named):
        rows = connection.execute(
            "select message_key, text_hash, coalesce(edited_at, sent_at)"
            " from memory.placed_messages(%s, %s)",
            (tenant_id, Jsonb(scope)),
        ).fetchall()
        for message_key, text_hash, told_at in rows:
            found.add(("message", bytes(message_key)))
            if told_at is not None:
                found.add(("message", told_key(bytes(text_hash), told_at)))
    return found


def _add_keys(connection: Connection, rows: Any) -> None:
    insert_rows(
        connection,
        "suppression_key",
        ("suppression_id", "dimension", "key"),
        rows,
        skip_known=True,
    )
