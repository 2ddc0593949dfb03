"""Writing what a machine read: entities, statements with content and evidence, withdrawals.

All methods run inside the caller's batch, so that a statement is never there without its content
and its evidence.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal.batches import Batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.statements import (
    ATOM_COLUMNS,
    CLOSURE_COLUMNS,
    Statement,
    content_row,
    statement_row,
)


@dataclass(frozen=True)
class Quote:
    """Characters [start, end) (code points) of a stored message's text."""

    message_id: UUID
    start: int
    end: int


@dataclass(frozen=True)
class NewStatement:
    """A statement to be appended, the extraction it comes from, who may read it, and on what it
    rests."""

    statement: Statement
    extraction_id: UUID
    audience_id: int
    quotes: tuple[Quote, ...]


class StatementStore:
    """Appends and withdraws a machine's statements of one dialog."""

    def __init__(
        self, connection: psycopg.Connection, tenant_id: int, keys: Keys, dialog_id: UUID
    ) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._keys = keys
        self._dialog_id = dialog_id

    def standing(self, message_ids: Sequence[UUID]) -> dict[UUID, dict[bytes, UUID]]:
        """Hashes and ids of the machine's statements that stand, by message."""
        found: dict[UUID, dict[bytes, UUID]] = defaultdict(dict)
        rows = self._connection.execute(
            "select s.message_id, s.statement_hash, s.statement_id from ("
            "  select message_id, statement_hash, atom_id as statement_id, author"
            "  from memory.atom where message_id = any(%(ids)s)"
            "  union all"
            "  select message_id, statement_hash, closure_id, author"
            "  from memory.closure where message_id = any(%(ids)s)"
            " ) as s where s.author is null and not exists ("
            "  select from memory.withdrawal as w where w.statement_id = s.statement_id)",
            {"ids": list(message_ids)},
        ).fetchall()
        for message_id, statement_hash, statement_id in rows:
            found[message_id][bytes(statement_hash)] = statement_id
        return found

    def append(self, running: Batch, new: Sequence[NewStatement]) -> tuple[int, int]:
        """Append statements; returns how many atoms and how many closures."""
        entity_ids = self._entity_ids(running, [item.statement for item in new])
        new = self._with_secrets(new)
        n_atoms = self._insert(
            running, "atom", ATOM_COLUMNS, [n for n in new if n.statement.is_atom], entity_ids
        )
        n_closures = self._insert(
            running,
            "closure",
            CLOSURE_COLUMNS,
            [n for n in new if not n.statement.is_atom],
            entity_ids,
        )
        insert_rows(
            self._connection,
            "evidence",
            ["statement_id", "message_id", "audience_id", "batch_id", "span_start", "span_end"],
            (
                (
                    item.statement.statement_id,
                    quote.message_id,
                    item.audience_id,
                    running.batch_id,
                    quote.start,
                    quote.end,
                )
                for item in new
                for quote in item.quotes
            ),
            skip_known=True,
        )
        return n_atoms, n_closures

    def _insert(
        self,
        running: Batch,
        table: str,
        columns: Sequence[str],
        new: Sequence[NewStatement],
        entity_ids: Mapping[bytes, UUID],
    ) -> int:
        n_added = insert_rows(
            self._connection,
            table,
            columns,
            (
                statement_row(
                    item.statement,
                    tenant_id=self._tenant_id,
                    batch_id=running.batch_id,
                    audience_id=item.audience_id,
                    extraction_id=item.extraction_id,
                    entity_ids=entity_ids,
                )
                for item in new
            ),
        )
        writing = running.content(self._connection)
        insert_rows(
            self._connection,
            f"{table}_content",
            (f"{table}_id", "subject_id", "audience_id", "object", "text"),
            (content_row(item.statement, item.audience_id, entity_ids, writing) for item in new),
        )
        return n_added

    def _entity_ids(self, running: Batch, statements: Sequence[Statement]) -> dict[bytes, UUID]:
        """Ids of all entities named, with rows for the mentions that are new."""
        named = {
            subject.entity_key: subject
            for statement in statements
            for subject in (statement.subject, statement.object_entity)
            if subject is not None
        }
        ids = {key: s.entity_id for key, s in named.items() if s.entity_id is not None}
        mentions = [subject for key, subject in named.items() if key not in ids]
        if not mentions:
            return ids
        insert_rows(
            self._connection,
            "entity",
            ["entity_id", "tenant_id", "batch_id", "kind", "dialog_id", "entity_key"],
            (
                (
                    uuid4(),
                    self._tenant_id,
                    running.batch_id,
                    "mention",
                    self._dialog_id,
                    mention.entity_key,
                )
                for mention in mentions
            ),
            skip_known=True,
        )
        rows = self._connection.execute(
            "select entity_key, entity_id from memory.entity"
            " where tenant_id = %s and entity_key = any(%s)",
            (self._tenant_id, [mention.entity_key for mention in mentions]),
        ).fetchall()
        ids |= {bytes(key): entity_id for key, entity_id in rows}
        insert_rows(
            self._connection,
            "name_content",
            ("name_id", "entity_id", "form", "name", "lookup"),
            (
                (
                    uuid4(),
                    ids[mention.entity_key],
                    "label",
                    mention.name,
                    self._keys.name(self._tenant_id, mention.name),
                )
                for mention in mentions
            ),
            skip_known=True,
        )
        return ids

    def _with_secrets(self, new: Sequence[NewStatement]) -> list[NewStatement]:
        """The statements, those whose object is a secret's mask referring to the secret; equal
        masks of one message stand for one value."""
        told = {item.statement.told.message_id for item in new}
        rows = self._connection.execute(
            "select distinct u.message_id, c.text, u.span_start, u.span_end, u.secret_id"
            " from memory.secret_use as u join memory.message_content as c using (message_id)"
            " where c.dialog_id = %s and u.message_id = any(%s)",
            (self._dialog_id, list(told - {None})),
        ).fetchall()
        secrets = {
            (message_id, text[start:end]): secret_id
            for message_id, text, start, end, secret_id in rows
        }
        return [
            replace(
                item,
                statement=replace(
                    item.statement,
                    secret_id=secrets.get(
                        (item.statement.told.message_id, str(item.statement.draft.object))
                    ),
                ),
            )
            for item in new
        ]

    def withdraw(self, running: Batch, statement_ids: Collection[UUID]) -> int:
        """Withdraw statements that a newer result lacks; returns how many. What was erased, or is
        about to be, stays, and so does what rests on a redacted message: a result over the redacted
        text cannot unsay it."""
        if not statement_ids:
            return 0
        return self._connection.execute(
            "insert into memory.withdrawal (statement_id, tenant_id, audience_id, batch_id, reason)"
            " select s.statement_id, %(tenant_id)s, s.audience_id, %(batch_id)s, 'extraction'"
            " from ("
            "  select atom_id as statement_id, audience_id from memory.atom"
            "  where atom_id = any(%(ids)s)"
            "  union all"
            "  select closure_id, audience_id from memory.closure where closure_id = any(%(ids)s)"
            " ) as s"
            " where not exists ("
            "  select from memory.tombstone as t where t.atom_id = s.statement_id)"
            " and not exists ("
            "  select from memory.evidence as v join memory.redaction as r using (message_id)"
            "  where v.statement_id = s.statement_id)"
            " and not exists ("
            "  select from memory.erasure_item as i join memory.erasure_request as q"
            "  using (request_id) where i.item_id = s.statement_id and i.action = 'erase'"
            "  and q.state <> 'cancelled')"
            " on conflict (statement_id) do nothing",
            {
                "tenant_id": self._tenant_id,
                "batch_id": running.batch_id,
                "ids": list(statement_ids),
            },
        ).rowcount

    def withdraw_orphans(self, running: Batch) -> int:
        """Withdraw what was drawn from messages of the dialog that stand no longer.

        Ingestion withdraws them with their message; a pass that had read the message before may
        have stored some after.
        """
        rows = self._connection.execute(
            "select s.statement_id from memory.message as m"
            " join memory.withdrawal as gone on gone.statement_id = m.message_id"
            " join ("
            "  select message_id, atom_id as statement_id, author from memory.atom"
            "  union all"
            "  select message_id, closure_id, author from memory.closure"
            " ) as s on s.message_id = m.message_id"
            " where m.dialog_id = %s and s.author is null and not exists ("
            "  select from memory.withdrawal as w where w.statement_id = s.statement_id)",
            (self._dialog_id,),
        ).fetchall()
        return self.withdraw(running, [row[0] for row in rows])
