"""Rows of the ledger and its content for the index tests, written by mem_ingest's login."""

import hashlib
import itertools
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.local.services import Services
from tests.shredding import unguarded


@dataclass
class Rows:
    """Writes tenants, audiences, messages and atoms into one test database.

    Ids are random, as everywhere; each call of `batch` makes one finished batch.
    """

    services: Services
    database: str
    _serial: Any = field(default_factory=itertools.count)
    _audiences: dict[tuple[int, tuple[str, ...]], int] = field(default_factory=dict)
    _dialogs: dict[int, tuple[uuid.UUID, uuid.UUID, uuid.UUID]] = field(default_factory=dict)

    def dsn(self, login: str) -> str:
        """Connection string of a login on the test's database."""
        return self.services.pg_dsn(login, str(conninfo_to_dict(self.database)["dbname"]))

    def connect(self, login: str) -> psycopg.Connection:
        """An autocommit connection of a login."""
        return psycopg.connect(self.dsn(login), autocommit=True)

    def key(self) -> bytes:
        """A key that no other row has."""
        return hashlib.sha256(str(next(self._serial)).encode()).digest()

    def tenant(self, name: str) -> int:
        """A new tenant."""
        with psycopg.connect(self.database, autocommit=True) as owner:
            row = owner.execute(
                "insert into memory.tenant (name) values (%s) returning tenant_id", [name]
            ).fetchone()
            assert row is not None
            return int(row[0])

    def grant(self, login: str, tenant_id: int, *audiences: str) -> None:
        """Let a reading login see audiences of a tenant (* is all)."""
        self.services.add_login(login)
        with psycopg.connect(self.database, autocommit=True) as owner:
            for audience in audiences or ("*",):
                owner.execute(
                    "insert into memory.access_grant (login, tenant_id, audience, is_granted)"
                    " values (%s, %s, %s, true)",
                    [login, tenant_id, audience],
                )

    def audience(self, tenant_id: int, *names: str) -> int:
        """The audience set of these names."""
        key = (tenant_id, tuple(sorted(names)))
        if key not in self._audiences:
            with self.connect("mem_ingest") as ingest:
                row = ingest.execute(
                    "insert into memory.audience (tenant_id, names) values (%s, %s)"
                    " returning audience_id",
                    [tenant_id, list(key[1])],
                ).fetchone()
                assert row is not None
                self._audiences[key] = int(row[0])
        return self._audiences[key]

    @contextmanager
    def batch(self, tenant_id: int) -> Iterator["Batch"]:
        """A batch whose rows commit together with its number."""
        with self.connect("mem_ingest") as ingest, ingest.transaction():
            batch = Batch(self, ingest, tenant_id, uuid.uuid4())
            yield batch
            ingest.execute("select memory.close_batch(%s, %s, 'test')", [batch.batch_id, tenant_id])

    def place(self, batch: "Batch") -> tuple[uuid.UUID, uuid.UUID, uuid.UUID]:
        """(file, dialog, speaker) of a tenant, made with its first batch."""
        if batch.tenant_id not in self._dialogs:
            file_id = uuid.uuid4()
            batch.connection.execute(
                "insert into memory.log_file values (%s, %s, %s, %s, 0, 'jsonl', 1, '2025-01-01')",
                [file_id, batch.tenant_id, batch.batch_id, self.key()],
            )
            dialog_id = batch.dialog()
            self._dialogs[batch.tenant_id] = (file_id, dialog_id, batch.entity(dialog_id))
        return self._dialogs[batch.tenant_id]


@dataclass
class Batch:
    """One batch being written."""

    rows: Rows
    connection: psycopg.Connection
    tenant_id: int
    batch_id: uuid.UUID

    def dialog(self) -> uuid.UUID:
        """A new dialog."""
        dialog_id = uuid.uuid4()
        self.connection.execute(
            "insert into memory.dialog (dialog_id, tenant_id, batch_id, dialog_key)"
            " values (%s, %s, %s, %s)",
            [dialog_id, self.tenant_id, self.batch_id, self.rows.key()],
        )
        return dialog_id

    def entity(self, dialog_id: uuid.UUID | None = None, kind: str = "speaker") -> uuid.UUID:
        """A new entity."""
        entity_id = uuid.uuid4()
        self.connection.execute(
            "insert into memory.entity (entity_id, tenant_id, batch_id, kind, dialog_id, entity_key)"
            " values (%s, %s, %s, %s, %s, %s)",
            [entity_id, self.tenant_id, self.batch_id, kind, dialog_id, self.rows.key()],
        )
        return entity_id

    def messages(
        self,
        texts: Iterable[str],
        audience_id: int | Sequence[int],
        *,
        edits: uuid.UUID | None = None,
    ) -> list[uuid.UUID]:
        """Messages in the tenant's dialog; with `edits`, a later revision of that message."""
        file_id, dialog_id, speaker_id = self.rows.place(self)
        texts = list(texts)
        audiences = [audience_id] * len(texts) if isinstance(audience_id, int) else audience_id
        ids = [uuid.uuid4() for _ in texts]
        message_key = None
        if edits is not None:
            row = self.connection.execute(
                "select message_key from memory.message where message_id = %s", [edits]
            ).fetchone()
            assert row is not None
            message_key = row[0]
        now = datetime(2025, 3, 1, tzinfo=UTC)
        insert_rows(
            self.connection,
            "message",
            (
                "message_id", "tenant_id", "audience_id", "batch_id", "dialog_id", "speaker_id",
                "file_id", "position", "message_key", "role", "sent_at", "sent_at_source",
                "edited_at", "lang", "text_hash", "n_chars",
            ),
            (
                (
                    message_id, self.tenant_id, audience, self.batch_id, dialog_id, speaker_id,
                    file_id, n, message_key or self.rows.key(), "user", now, "stated",
                    now if edits else None, "ru", b"h", len(text),
                )
                for n, (message_id, audience, text) in enumerate(
                    zip(ids, audiences, texts, strict=True)
                )
            ),
        )  # fmt: skip
        insert_rows(
            self.connection,
            "message_content",
            ("message_id", "dialog_id", "audience_id", "text"),
            (
                (message_id, dialog_id, audience, text)
                for message_id, audience, text in zip(ids, audiences, texts, strict=True)
            ),
        )
        return ids

    def atom(
        self,
        subject_id: uuid.UUID,
        predicate: str,
        text: str,
        audience_id: int,
        *,
        object_key: bytes | None = None,
        object_entity_id: uuid.UUID | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        told_at: datetime | None = None,
    ) -> uuid.UUID:
        """An atom that a person stated; its predicate is registered when it is new."""
        atom_id = uuid.uuid4()
        self.connection.execute(
            "insert into memory.predicate (tenant_id, name) values (null, %s)"
            " on conflict do nothing",
            [predicate],
        )
        self.connection.execute(
            "insert into memory.atom (atom_id, tenant_id, audience_id, batch_id, subject_id,"
            " predicate_id, kind, object_key, object_entity_id, polarity, valid_from, valid_to,"
            " start_inferred, holds_when_told, valid_precision, told_at, message_key, span_start,"
            " span_end, statement_hash, confidence, origin, trust, is_own, author, lang)"
            " select %s, %s, %s, %s, %s, predicate_id, 'semantic', %s, %s, 'affirmed', %s, %s,"
            " false, true, 'day', %s, %s, 0, 1, %s, 1, 'human', 4, true, 'tester', 'ru'"
            " from memory.predicate where name = %s and tenant_id is null",
            [
                atom_id, self.tenant_id, audience_id, self.batch_id, subject_id,
                object_key or self.rows.key(), object_entity_id, valid_from, valid_to, told_at,
                self.rows.key(), self.rows.key(), predicate,
            ],
        )  # fmt: skip
        self.connection.execute(
            "insert into memory.atom_content (atom_id, subject_id, audience_id, object, text)"
            " values (%s, %s, %s, %s, %s)",
            [atom_id, subject_id, audience_id, Jsonb(text), text],
        )
        return atom_id

    def withdraw(self, statement_id: uuid.UUID, audience_id: int) -> None:
        """Withdraw a message or an atom."""
        self.connection.execute(
            "insert into memory.withdrawal values (%s, %s, %s, %s, 'test')",
            [statement_id, self.tenant_id, audience_id, self.batch_id],
        )

    def restrict(self, atom_id: uuid.UUID, audience_id: int) -> None:
        """Narrow an atom's audience."""
        self.connection.execute(
            "insert into memory.restriction values (%s, %s, %s, %s, %s, 'tester')",
            [uuid.uuid4(), self.tenant_id, self.batch_id, atom_id, audience_id],
        )


def shred(rows: Rows, item_id: uuid.UUID) -> None:
    """Take an item's content away."""
    with unguarded(str(conninfo_to_dict(rows.database)["dbname"])) as admin:
        admin.execute("delete from memory.message_content where message_id = %s", [item_id])
        admin.execute("delete from memory.atom_content where atom_id = %s", [item_id])
