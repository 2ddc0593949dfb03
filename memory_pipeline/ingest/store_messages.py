"""Stores one chunk of prepared messages, in one transaction, as often as you like.

Rows are matched by keyed hashes, so that a message that is stored already adds nothing, from
whatever file it comes and however often.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from uuid import UUID, uuid4

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import Batch, alone, alongside, batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.governance.content_store import content_store
from memory_pipeline.governance.secrets import SecretStore, identity, new_id, secrets_lock, use_lock
from memory_pipeline.ingest.prepare import FoundSecret, Prepared

_STAGE_COLUMNS = [
    "position",
    "new_message_id",
    "new_dialog_id",
    "new_speaker_id",
    "new_person_id",
    "audience_id",
    "dialog_key",
    "speaker_key",
    "person_key",
    "message_key",
    "text_hash",
    "role",
    "sent_at",
    "sent_at_source",
    "edited_at",
    "ordinal",
    "tz",
    "lang",
    "is_quoted",
    "n_chars",
    "namespace",
    "native_dialog",
    "dialog_title",
    "dialog_lookup",
    "native_id",
    "speaker",
    "speaker_native",
    "speaker_lookup",
    "native_lookup",
    "speaker_alias",
    "alias_lookup",
    "text",
    "attachments",
    "tags",
]


@dataclass(frozen=True)
class Conflict:
    """A message whose id is stored already with another text."""

    incoming: Prepared
    stored_message_id: UUID
    stored_text_hash: bytes
    stored_file_id: UUID
    stored_position: int
    audience_id: int


@dataclass(frozen=True)
class Stored:
    """What became of a chunk: messages added, and those that contradict a stored one."""

    n_added: int
    conflicts: tuple[Conflict, ...]


def read_sql(name: str) -> str:
    """The text of one statement of this package's `sql` folder."""
    return files("memory_pipeline.ingest").joinpath("sql", name).read_text(encoding="utf-8")


@contextmanager
def using_secrets(
    connection: psycopg.Connection, tenant_id: int, chunk: Sequence[Prepared] | None = None
) -> Iterator[None]:
    """While secrets (of the chunk, if it has any) go to Vault and what refers to them is stored:
    nobody takes them for those of a dead run."""
    if chunk is not None and not any(message.secrets for message in chunk):
        yield
        return
    with alongside(connection, use_lock(tenant_id)):
        yield


def put_secrets(
    connection: psycopg.Connection,
    tenant_id: int,
    store: SecretStore,
    chunk: Sequence[Prepared],
    read_epoch: int | None = None,
) -> None:
    """Make sure that every secret of the chunk's new messages is in Vault and known, one write a
    distinct value. One that was destroyed comes back by a message told after its erasure alone.

    Runs before the chunk's transaction, since Vault takes no part in one: a failure in between
    leaves values that no text refers to yet, never a text without its value; the next run destroys
    them (`governance.strays`). Raises `EpochMoved` before anything is written.
    """
    told = [message for message in chunk if message.secrets]
    if not told:
        return
    stored = _stored_keys(connection, tenant_id, told)
    destroyed = _destroyed(connection, tenant_id, told)
    secrets = [
        secret
        for message in told
        if (message.message_key, message.raw.edited_at) not in stored
        for secret in message.secrets
        if _is_told_after(message, destroyed.get(secret.value_key))
    ]
    put_found(connection, tenant_id, store, secrets, read_epoch)


def put_found(
    connection: psycopg.Connection,
    tenant_id: int,
    store: SecretStore,
    secrets: Iterable[FoundSecret],
    read_epoch: int | None = None,
) -> None:
    """The same of secrets, wherever they were found."""
    found = {secret.value_key: secret for secret in secrets}
    if not found or not _unknown(connection, tenant_id, found):
        return
    with alone(connection, secrets_lock(tenant_id)):
        followed = _unknown(connection, tenant_id, found)
        own = identity(connection)
        new = {key: new_id(own) for key in followed}
        with batch(connection, tenant_id, "secrets", read_epoch) as running:
            # inside, so that no erasure of values passes between Vault and their rows
            store.put({secret_id: found[key].value for key, secret_id in new.items()})
            insert_rows(
                connection,
                "secret",
                ("secret_id", "tenant_id", "batch_id", "type", "value_key", "follows"),
                (
                    (secret_id, tenant_id, running.batch_id, found[key].type, key, followed[key])
                    for key, secret_id in new.items()
                ),
            )


def _unknown(
    connection: psycopg.Connection, tenant_id: int, value_keys: Collection[bytes]
) -> dict[bytes, UUID | None]:
    """Those of some values that Vault does not have, each with the ended secret that a new one
    follows."""
    rows = connection.execute(
        "select k.value_key, last.secret_id from unnest(%s::bytea[]) as k (value_key)"
        " left join lateral (select s.secret_id from memory.secret as s"
        "  where s.tenant_id = %s and s.value_key = k.value_key and not exists ("
        "   select from memory.secret as n where n.tenant_id = s.tenant_id"
        "   and n.value_key = s.value_key and n.follows = s.secret_id)) as last on true"
        " where last.secret_id is null or exists ("
        "  select from memory.secret_end as e where e.secret_id = last.secret_id)",
        (list(value_keys), tenant_id),
    ).fetchall()
    return {bytes(value_key): follows for value_key, follows in rows}


def _stored_keys(
    connection: psycopg.Connection, tenant_id: int, messages: Iterable[Prepared]
) -> set[tuple[bytes, datetime | None]]:
    rows = connection.execute(
        "select message_key, edited_at from memory.message"
        " where tenant_id = %s and message_key = any(%s)",
        (tenant_id, [message.message_key for message in messages]),
    ).fetchall()
    return {(bytes(key), edited_at) for key, edited_at in rows}


def _destroyed(
    connection: psycopg.Connection, tenant_id: int, messages: Iterable[Prepared]
) -> dict[bytes, datetime]:
    """Of the messages' values that erasures destroyed, up to which moment they were told."""
    keys = {secret.value_key for message in messages for secret in message.secrets}
    rows = connection.execute(
        "select s.value_key, max(r.told_upto) from memory.secret as s"
        " join memory.secret_end as e using (secret_id)"
        " join memory.erasure_request as r using (request_id)"
        " where s.tenant_id = %s and s.value_key = any(%s) group by s.value_key",
        (tenant_id, list(keys)),
    ).fetchall()
    return {bytes(key): told_upto for key, told_upto in rows}


def _is_told_after(message: Prepared, told_upto: datetime | None) -> bool:
    told_at = message.raw.edited_at or message.raw.sent_at
    return told_upto is None or (told_at is not None and told_at > told_upto)


def store_messages(
    connection: psycopg.Connection,
    running: Batch,
    keys: Keys,
    audiences: Audiences,
    file_id: UUID,
    chunk: Sequence[Prepared],
) -> Stored:
    """Insert what the chunk adds: dialogs, speakers, names, joins, messages, uses of secrets
    (which `put_secrets` made known).

    Runs inside the batch's transaction. The first of two messages of one id and edit time is
    stored; the other comes back as a conflict if its text differs.
    """
    chunk = _first_of_each_key(chunk)
    new_ids = {uuid4(): message for message in chunk}
    with connection.cursor() as cursor:
        cursor.execute(read_sql("stage_messages.sql").encode())
        texts = _stored_texts(connection, running, new_ids)
        _stage(cursor, running.tenant_id, keys, audiences, new_ids, texts)
        bound = {
            "tenant_id": running.tenant_id,
            "batch_id": running.batch_id,
            "file_id": file_id,
        }
        for name in (
            "insert_dialogs",
            "insert_speakers",
            "insert_names",
            "insert_joins",
            "insert_places",
        ):
            cursor.execute(read_sql(f"{name}.sql").encode(), bound)
        _drop_rewritten(cursor, running.tenant_id, new_ids)
        cursor.execute(read_sql("insert_messages.sql").encode(), bound)
        row = cursor.fetchone()
        cursor.execute(read_sql("narrow_messages.sql").encode(), bound)
        cursor.execute(read_sql("find_conflicts.sql").encode(), bound)
        conflicts = [
            Conflict(new_ids[new_id], *stored)
            for new_id, redacted, *stored in cursor.fetchall()
            if redacted != new_ids[new_id].text
        ]
    return Stored(int(row[0]) if row else 0, tuple(conflicts))


def _first_of_each_key(chunk: Sequence[Prepared]) -> list[Prepared]:
    """Drop exact repeats, so that one statement does not meet one key twice; different texts of
    one key stay, in order, and become conflicts, other audiences narrow."""
    seen: set[tuple[object, ...]] = set()
    kept = []
    for message in chunk:
        raw = message.raw
        identity = (message.message_key, raw.edited_at, message.text_hash, raw.audience)
        if identity not in seen:
            seen.add(identity)
            kept.append(message)
    return kept


def _stored_texts(
    connection: psycopg.Connection, running: Batch, new_ids: Mapping[UUID, Prepared]
) -> dict[UUID, str]:
    """What is stored for each message's text. Of messages that are known a store that seals stages
    none: it would make keys for nothing, and clear text has no place in a temporary table."""
    known: set[tuple[bytes, datetime | None]] = set()
    if content_store(connection).seals:
        known = _stored_keys(connection, running.tenant_id, new_ids.values())
    writing = running.content(connection)
    return {
        new_id: ""
        if (message.message_key, message.raw.edited_at) in known
        else writing.text("message_content", "text", new_id, message.text)
        for new_id, message in new_ids.items()
    }


def _drop_rewritten(
    cursor: psycopg.Cursor, tenant_id: int, new_ids: Mapping[UUID, Prepared]
) -> None:
    """Take messages that only a redaction tells from stored ones off the stage."""
    masked = [
        new_id
        for new_id, message in new_ids.items()
        if message.raw.message_id is None and "█" in message.text
    ]
    if not masked:
        return
    cursor.execute(
        read_sql("find_rewritten.sql").encode(), {"tenant_id": tenant_id, "masked": masked}
    )
    same = [new_id for new_id, text in cursor.fetchall() if text == new_ids[new_id].text]
    cursor.execute("delete from stage_message where new_message_id = any(%s)", (same,))


def _stage(
    cursor: psycopg.Cursor,
    tenant_id: int,
    keys: Keys,
    audiences: Audiences,
    new_ids: Mapping[UUID, Prepared],
    texts: Mapping[UUID, str],
) -> None:
    columns = sql.SQL(", ").join(map(sql.Identifier, _STAGE_COLUMNS))
    audience_ids = [audiences.id_of(message.raw.audience) for message in new_ids.values()]
    with cursor.copy(sql.SQL("copy stage_message ({}) from stdin").format(columns)) as copy:
        for (new_id, message), audience_id in zip(new_ids.items(), audience_ids, strict=True):
            raw = message.raw
            source = raw.sent_at_source if raw.sent_at is not None else "none"
            copy.write_row(
                (
                    raw.position,
                    new_id,
                    uuid4(),
                    uuid4(),
                    uuid4(),
                    audience_id,
                    message.dialog_key,
                    message.speaker_key,
                    message.person_key,
                    message.message_key,
                    message.text_hash,
                    raw.role,
                    raw.sent_at,
                    source,
                    raw.edited_at,
                    raw.ordinal,
                    raw.tz,
                    message.lang,
                    raw.quoted,
                    len(message.text),
                    raw.namespace,
                    raw.dialog,
                    raw.dialog_title,
                    keys.name(tenant_id, raw.dialog),
                    raw.message_id,
                    raw.speaker,
                    raw.speaker_id,
                    keys.name(tenant_id, raw.speaker),
                    keys.name(tenant_id, raw.speaker_id) if raw.speaker_id else None,
                    raw.speaker_alias,
                    keys.name(tenant_id, raw.speaker_alias) if raw.speaker_alias else None,
                    texts[new_id],
                    Jsonb(list(message.attachments)) if message.attachments else None,
                    list(raw.tags) or None,
                )
            )
    with cursor.copy("copy stage_secret_use from stdin") as copy:
        for new_id, message in new_ids.items():
            for found in message.secrets:
                copy.write_row((new_id, found.value_key, found.start, found.end))
