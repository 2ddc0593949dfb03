"""Needles: what a request erases, kept in Vault from discovery to certificate, so that the verifier
knows what must be found nowhere. They are never in PostgreSQL or in a file."""

import base64
import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

import numpy as np
import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from memory_pipeline.governance.content_store import is_shown
from memory_pipeline.governance.secrets import MOUNT, SecretStoreError
from memory_pipeline.index.vectors import vector_tables

T = TypeVar("T")

MAX_NEEDLES = 20_000
"""Of each kind; of more, evenly chosen ones are looked for."""

_ENTRY_CHARS = 400_000  # the embedded server refuses entries of more than 1 MiB
_VECTOR_BYTES = 32
_MIN_CHARS = 2


@dataclass(frozen=True)
class VectorNeedle:
    """The first bytes of a stored vector, and of which table and text (hash) it was."""

    table: str
    text_hash: bytes
    head: bytes


@dataclass(frozen=True)
class Needles:
    """What a request erases: values with their types, texts (sentences, spans, names), vectors.
    Its repr shows none of them."""

    values: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    texts: tuple[str, ...] = field(default=(), repr=False)
    vectors: tuple[VectorNeedle, ...] = field(default=(), repr=False)

    @property
    def all_texts(self) -> tuple[str, ...]:
        """Values and texts, each once."""
        return tuple(dict.fromkeys([value for value, _ in self.values] + list(self.texts)))


_TEXTS = """
    select c.text from memory.erasure_item as i join memory.atom as a on a.atom_id = i.item_id
        join memory.atom_content as c using (atom_id, subject_id)
        where i.request_id = %(request)s and i.kind = 'atom' and i.action = 'erase'
    union select c.text from memory.erasure_item as i
        join memory.closure_content as c on c.closure_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'closure' and i.action = 'erase'
    union select c.reason from memory.erasure_item as i
        join memory.reason_content as c on c.statement_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'reason' and i.action = 'erase'
    union select c.name from memory.erasure_item as i
        join memory.name_content as c on c.name_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'name' and i.action = 'erase'
    union select unnest(array[c.title, c.native_id]) from memory.erasure_item as i
        join memory.dialog_content as c on c.dialog_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'dialog' and i.action = 'erase'
    union select c.name from memory.erasure_item as i
        join memory.log_file_content as c on c.file_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'file' and i.action = 'erase'
    union select unnest(array[c.text, c.native_id]) from memory.erasure_item as i
        join memory.message as m on m.message_id = i.item_id
        join memory.message_content as c using (message_id, dialog_id)
        where i.request_id = %(request)s and i.kind = 'message' and i.action = 'erase'
"""
_SPANS = """
    select c.text, array_agg(array[s.span_start, s.span_end])
    from memory.erasure_span as s join memory.message as m using (message_id)
    join memory.message_content as c using (message_id, dialog_id)
    where s.request_id = %(request)s
    group by m.message_id, c.text
"""


def gather(
    connection: psycopg.Connection[Any], request_id: UUID, values: Iterable[tuple[str, str]]
) -> Needles:
    """The needles of a request's plan while its content is there, read as the eraser."""
    texts = [row[0] for row in connection.execute(_TEXTS.encode(), {"request": request_id})]
    for text, spans in connection.execute(_SPANS.encode(), {"request": request_id}):
        texts += [text[start:end] for start, end in spans]
    kept = {
        text
        for text in texts
        if text and any(letter not in "█ \t\r\n" for letter in text) and not is_shown(text)
    }
    return Needles(
        _some(sorted(pair for pair in set(values) if len(pair[0]) >= _MIN_CHARS)),
        _some(sorted(text for text in kept if len(text) >= _MIN_CHARS)),
        _some(_vectors(connection, request_id)),
    )


def _some(found: Sequence[T]) -> tuple[T, ...]:
    if len(found) <= MAX_NEEDLES:
        return tuple(found)
    return tuple(found[n * len(found) // MAX_NEEDLES] for n in range(MAX_NEEDLES))


def _vectors(connection: psycopg.Connection[Any], request_id: UUID) -> list[VectorNeedle]:
    """Heads of the vectors that go, but for those that an item which stays has as well."""
    register_vector(connection)
    found = []
    for table in vector_tables(connection):
        rows = connection.execute(
            sql.SQL(
                "with planned as ("
                " select item_id from memory.erasure_item where request_id = %(request)s"
                " and kind in ('atom', 'message') and action in ('erase', 'redact')"
                " union select message_id from memory.erasure_span where request_id = %(request)s)"
                " select distinct on (v.text_hash) v.text_hash, v.embedding"
                " from planned join {table} as v using (item_id)"
                " where not exists (select from {table} as o where o.text_hash = v.text_hash"
                " and o.item_id not in (select item_id from planned))"
            ).format(table=sql.Identifier("derived", table)),
            {"request": request_id},
        )
        for text_hash, vector in rows:
            head = vector.to_numpy().astype(np.dtype("<f2")).tobytes()[:_VECTOR_BYTES]
            found.append(VectorNeedle(table, bytes(text_hash), head))
    return found


def keep_needles(client: Any, request_id: UUID, needles: Needles) -> None:
    """Write a request's needles into Vault as the eraser, in place of those kept before; parts
    first, their number last. Raises `SecretStoreError`."""
    text = json.dumps(
        {
            "values": needles.values,
            "texts": needles.texts,
            "vectors": [
                (v.table, v.text_hash.hex(), base64.b64encode(v.head).decode())
                for v in needles.vectors
            ],
        }
    )
    parts = [text[n : n + _ENTRY_CHARS] for n in range(0, len(text), _ENTRY_CHARS)]
    with _told():
        for number, part in enumerate(parts, start=1):
            _put(client, request_id, number, {"part": part})
        _put(client, request_id, 0, {"n_parts": len(parts)})


def read_needles(client: Any, request_id: UUID) -> Needles | None:
    """A request's needles, as the verifier; None where there are none. Raises
    `SecretStoreError`."""
    from hvac.exceptions import InvalidPath

    with _told():
        try:
            n_parts = _get(client, request_id, 0)["n_parts"]
        except InvalidPath:
            return None
        text = "".join(_get(client, request_id, n)["part"] for n in range(1, n_parts + 1))
    kept = json.loads(text)
    return Needles(
        tuple((value, kind) for value, kind in kept["values"]),
        tuple(kept["texts"]),
        tuple(
            VectorNeedle(table, bytes.fromhex(text_hash), base64.b64decode(head))
            for table, text_hash, head in kept["vectors"]
        ),
    )


def destroy_needles(client: Any, request_id: UUID) -> None:
    """Destroy a request's needles for good, as the eraser. Raises `SecretStoreError`."""
    from hvac.exceptions import InvalidPath

    kv = client.secrets.kv.v2
    with _told(), contextlib.suppress(InvalidPath):
        listed = kv.list_secrets(path=f"erasure/{request_id}", mount_point=MOUNT)
        for name in listed["data"]["keys"]:
            kv.delete_metadata_and_all_versions(
                path=f"erasure/{request_id}/{name}", mount_point=MOUNT
            )


def _put(client: Any, request_id: UUID, number: int, secret: dict[str, Any]) -> None:
    client.secrets.kv.v2.create_or_update_secret(
        path=f"erasure/{request_id}/{number}", secret=secret, mount_point=MOUNT
    )


def _get(client: Any, request_id: UUID, number: int) -> dict[str, Any]:
    answer = client.secrets.kv.v2.read_secret_version(
        path=f"erasure/{request_id}/{number}", mount_point=MOUNT, raise_on_deleted_version=True
    )
    return dict(answer["data"]["data"])


@contextlib.contextmanager
def _told() -> Iterator[None]:
    from hvac.exceptions import InvalidPath, VaultError
    from requests.exceptions import RequestException

    try:
        yield
    except InvalidPath:
        raise
    except (VaultError, RequestException) as error:
        raise SecretStoreError(f"Vault keeps no needles: {type(error).__name__}") from None
