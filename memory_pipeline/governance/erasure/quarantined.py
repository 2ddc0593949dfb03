"""Which refused records a request takes: those that name its person or hold an erased value, and
not what others sent in the same file. Each is opened in memory; one that does not open, or is no
text, goes, for nobody can say what it holds."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.governance.erasure.mentions import NAME_TYPE, Forms, find, forms
from memory_pipeline.governance.erasure.scope import read_sql
from memory_pipeline.governance.erasure.suppress import unescaped
from memory_pipeline.governance.sealing import Sealer, SealError

Connection = psycopg.Connection[Any]
OpenSealer = Callable[[], Sealer]
"""Gives what opens quarantined records; asked only where there is one."""

_BATCH = 1_000
_TOKEN = re.compile(r"[\w@.+:-]{2,100}")


@dataclass(frozen=True)
class _Person:
    """How a record names the request's person: by a name, or by the id that a log has of her."""

    names: Forms
    dialogs: tuple[str, ...]
    native_keys: frozenset[bytes]
    namespaces: tuple[str, ...]
    keys: Keys
    tenant_id: int

    def is_in(self, text: str) -> bool:
        """Whether a text names her."""
        if find(self.names, text) or any(dialog in text for dialog in self.dialogs):
            return True
        return any(
            self.keys.of("person", self.tenant_id, namespace, "native", token) in self.native_keys
            for token in set(_TOKEN.findall(text))
            for namespace in self.namespaces
        )


def narrow(
    connection: Connection,
    request_id: UUID,
    keys: Keys,
    values: Iterable[tuple[str, str]],
    sealer: OpenSealer,
) -> None:
    """Set what becomes of the tenant's refused records, in the caller's transaction. A value alone
    takes a record of the evidence's files; a name, one of any file."""
    person = _person(connection, request_id, keys)
    looked_for = forms(values)
    opened: Sealer | None = None
    with connection.cursor(name="quarantined") as cursor:
        cursor.execute(read_sql("read_quarantine.sql").encode(), {"request_id": request_id})
        while rows := cursor.fetchmany(_BATCH):
            actions: list[tuple[UUID, str]] = []
            for quarantine_id, raw, is_planned, goes in rows:
                if raw and not goes:
                    opened = opened or sealer()
                    text = _text(opened, bytes(raw), quarantine_id)
                    goes = text is None and is_planned
                    if text is not None:
                        both = {text, unescaped(text)}
                        goes = any(person.is_in(read) for read in both) or (
                            is_planned and any(find(looked_for, read) for read in both)
                        )
                if goes != is_planned:
                    actions.append((quarantine_id, "erase" if goes else "keep"))
            if actions:
                connection.execute(
                    read_sql("set_quarantine.sql").encode(),
                    {
                        "request_id": request_id,
                        "ids": [item_id for item_id, _ in actions],
                        "actions": [action for _, action in actions],
                    },
                )


def _text(sealer: Sealer, raw: bytes, quarantine_id: UUID) -> str | None:
    try:
        return sealer.open(raw, quarantine_id.bytes).decode("utf-8")
    except (SealError, UnicodeDecodeError):
        return None


def _person(connection: Connection, request_id: UUID, keys: Keys) -> _Person:
    rows = connection.execute(
        "select r.tenant_id, e.entity_key, n.name, d.namespace"
        " from memory.erasure_request as r"
        " cross join lateral unnest(memory.scope_members(r.scope)) as member"
        " join memory.entity as e on e.entity_id = member"
        " left join memory.name_content as n on n.entity_id = member"
        " left join memory.dialog_content as d on d.dialog_id = e.dialog_id"
        " where r.request_id = %s",
        (request_id,),
    ).fetchall()
    dialogs = connection.execute(
        "select d.native_id from memory.erasure_request as r join memory.dialog_content as d"
        " on d.dialog_id = (r.scope ->> 'dialog_id')::uuid where r.request_id = %s",
        (request_id,),
    ).fetchall()
    return _Person(
        names=forms({(row[2], NAME_TYPE) for row in rows if row[2] is not None}),
        dialogs=tuple(row[0] for row in dialogs if row[0]),
        native_keys=frozenset(bytes(row[1]) for row in rows),
        namespaces=tuple({row[3] for row in rows if row[3] is not None} | {""}),
        keys=keys,
        tenant_id=rows[0][0] if rows else 0,
    )
