"""Rows of synthetic stores for `benchmarks.bitemporal`: people with twenty statements each.

A person has five predicates of one value with three statements each (values that replace each
other, restatements, trips, plans, a denial, one closure) and five values of a predicate of many.
All draws follow from the person's number, ids are random as everywhere. Rows are made chunk by
chunk, so that memory stays flat whatever the size.
"""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.statements import ATOM_COLUMNS, CLOSURE_COLUMNS

STATEMENTS_A_SUBJECT = 20
STATEMENTS_A_KEY = 3
MESSAGES_A_SUBJECT = 4
SUBJECTS_A_CHUNK = 500
SINGLE = ("location", "employer", "job_title", "marital_status", "address")
MULTI = "skill"
DAY_0 = datetime(2023, 1, 1, tzinfo=UTC)
DAYS = 1000
"""Everything is told, starts and ends within so many days of `DAY_0`."""

BASE_COLUMNS = {
    "dialog": ("dialog_id", "tenant_id", "batch_id", "dialog_key"),
    "entity": ("entity_id", "tenant_id", "batch_id", "kind", "dialog_id", "entity_key"),
    "message": (
        "message_id", "tenant_id", "audience_id", "batch_id", "dialog_id", "speaker_id", "file_id",
        "position", "message_key", "role", "sent_at", "sent_at_source", "lang", "text_hash",
        "n_chars",
    ),
    "label": (
        "label_id", "tenant_id", "audience_id", "batch_id", "message_id", "importance",
        "probability", "author_kind", "author",
    ),
    "extraction": (
        "extraction_id", "tenant_id", "audience_id", "batch_id", "message_id", "window_hash",
        "extractor_id", "registry_hash",
    ),
}  # fmt: skip
STATEMENT_COLUMNS = {
    "atom": tuple(ATOM_COLUMNS),
    "atom_content": ("atom_id", "subject_id", "audience_id", "object", "text"),
    "closure": tuple(CLOSURE_COLUMNS),
    "closure_content": ("closure_id", "subject_id", "audience_id", "object", "text"),
    "evidence": (
        "statement_id", "message_id", "audience_id", "batch_id", "span_start", "span_end",
    ),
}  # fmt: skip
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Ground:
    """Ids that a store had before its first person. `audiences`: most rows bear the first."""

    tenant_id: int
    audiences: tuple[int, ...]
    predicates: dict[str, int]
    extractor_id: int
    file_id: UUID


@dataclass
class Chunk:
    """Rows by table: what statements rest on, and the statements with content and evidence."""

    batch_id: UUID
    base_batch_id: UUID
    base: dict[str, list[Row]] = field(default_factory=lambda: {t: [] for t in BASE_COLUMNS})
    statements: dict[str, list[Row]] = field(
        default_factory=lambda: {t: [] for t in STATEMENT_COLUMNS}
    )


def subject_id(number: int) -> UUID:
    """The id of a person by its number."""
    return _id("subject", number)


def first_atom_id(number: int) -> UUID:
    """The id of the first atom of a person."""
    return _id("atom", number, 0)


def chunks(ground: Ground, n_statements: int) -> Iterator[Chunk]:
    """The rows of a store of `n_statements`, a multiple of twenty."""
    n_subjects = n_statements // STATEMENTS_A_SUBJECT
    for first in range(0, n_subjects, SUBJECTS_A_CHUNK):
        chunk = Chunk(_id("batch", first), _id("base batch", first))
        for number in range(first, min(first + SUBJECTS_A_CHUNK, n_subjects)):
            _Person(ground, chunk, number).write()
        yield chunk


def later_atoms(ground: Ground, n_subjects: int, n: int, attempt: int) -> Chunk:
    """One new atom each for `n` keys of people that the store has, told after all others."""
    chunk = Chunk(_id("batch", "later", attempt), _id("no base", attempt))
    step = max(1, n_subjects * len(SINGLE) // n)
    for key in range(n):
        number, predicate = divmod(key * step % (n_subjects * len(SINGLE)), len(SINGLE))
        person = _Person(ground, chunk, number)
        person.draw = random.Random(f"later {attempt} {key}")
        person.later(SINGLE[predicate], DAYS + attempt, key)
    return chunk


class _Person:
    def __init__(self, ground: Ground, chunk: Chunk, number: int) -> None:
        self.ground = ground
        self.chunk = chunk
        self.number = number
        self.subject_id = subject_id(number)
        self.draw = random.Random(number)
        self.audience_id = ground.audiences[0]
        if self.draw.random() < 0.2:
            self.audience_id = self.draw.choice(ground.audiences)
        self.values: dict[str, list[str]] = {}

    def write(self) -> None:
        """The dialog, its messages with their extractions, and the statements."""
        ground, batch_id = self.ground, self.chunk.base_batch_id
        base = self.chunk.base
        dialog_id = _id("dialog", self.number)
        base["dialog"].append((dialog_id, ground.tenant_id, batch_id, dialog_id.bytes))
        base["entity"].append(
            (self.subject_id, ground.tenant_id, batch_id, "speaker", dialog_id,
             self.subject_id.bytes)
        )  # fmt: skip
        for n in range(MESSAGES_A_SUBJECT):
            message_id = _id("message", self.number, n)
            base["message"].append(
                (message_id, ground.tenant_id, self.audience_id, batch_id, dialog_id,
                 self.subject_id, ground.file_id, n, message_id.bytes, "user", self._sent(n),
                 "stated", "ru", message_id.bytes, 400)
            )  # fmt: skip
            importance = "CRITICAL" if self.draw.random() < 0.05 else "RELEVANT"
            base["label"].append(
                (_id("label", self.number, n), ground.tenant_id, self.audience_id, batch_id,
                 message_id, importance, 0.9, "rule", "benchmark")
            )  # fmt: skip
            base["extraction"].append(
                (_id("extraction", self.number, n), ground.tenant_id, self.audience_id, batch_id,
                 message_id, message_id.bytes, ground.extractor_id, b"registry")
            )  # fmt: skip
        closed = self.number % len(SINGLE)
        for n in range(STATEMENTS_A_SUBJECT):
            key, position = divmod(n, STATEMENTS_A_KEY)
            if key >= len(SINGLE):
                self._open_ended(n, MULTI, f"{MULTI} {n} {self.draw.randrange(40)}")
            elif position == 2 and key == closed:
                self._closure(n, SINGLE[key])
            else:
                self._statement(n, SINGLE[key], position)

    def _statement(self, n: int, predicate: str, position: int) -> None:
        fresh = f"{predicate} {self.draw.randrange(200)}"
        told = self._told(n)
        kind = self.draw.random()
        if position == 0:
            self._atom(n, predicate, fresh, told - timedelta(days=self.draw.randrange(300)), None)
        elif position == 1 and kind < 0.3:
            self._atom(n, predicate, fresh, told + timedelta(days=10), None)
        elif position == 1 or kind < 0.4:
            self._open_ended(n, predicate, fresh)
        elif kind < 0.75:
            self._open_ended(n, predicate, self.values[predicate][-1])
        elif kind < 0.95:
            self._atom(n, predicate, fresh, told, told + timedelta(days=14))
        else:
            self._atom(n, predicate, self.values[predicate][-1], told, None, denied=True)

    def _open_ended(self, n: int, predicate: str, value: str) -> None:
        self._atom(n, predicate, value, self._told(n), None, inferred=True)

    def later(self, predicate: str, day: int, key: int) -> None:
        """A value told on a later day, resting on the person's last message."""
        last = STATEMENTS_A_SUBJECT - 1
        told = DAY_0 + timedelta(days=day, seconds=key)
        self._atom(
            last, predicate, f"{predicate} {self.draw.randrange(200)}", told, None,
            inferred=True, told=told, atom_id=_id("later", day, key),
        )  # fmt: skip

    def _atom(
        self,
        n: int,
        predicate: str,
        value: str,
        valid_from: datetime,
        valid_to: datetime | None,
        *,
        inferred: bool = False,
        denied: bool = False,
        told: datetime | None = None,
        atom_id: UUID | None = None,
    ) -> None:
        atom_id = atom_id or _id("atom", self.number, n)
        self.values.setdefault(predicate, []).append(value)
        statements = self.chunk.statements
        statements["atom"].append(
            (*self._head(atom_id, n), self.subject_id, self.ground.predicates[predicate],
             "semantic", _hash(value), None, None, "denied" if denied else "affirmed", valid_from,
             valid_to, inferred, True, "day", *self._tail(atom_id, n, told))
        )  # fmt: skip
        statements["atom_content"].append(
            (atom_id, self.subject_id, self.audience_id, Jsonb(value), _sentence(predicate, value))
        )
        self._evidence(atom_id, n)

    def _closure(self, n: int, predicate: str) -> None:
        closure_id = _id("closure", self.number, n)
        value = self.values[predicate][-1]
        statements = self.chunk.statements
        statements["closure"].append(
            (*self._head(closure_id, n), "ended", "affirmed", self.subject_id,
             self.ground.predicates[predicate], _hash(value), None, self._told(n), "day",
             *self._tail(closure_id, n, None))
        )  # fmt: skip
        statements["closure_content"].append(
            (closure_id, self.subject_id, self.audience_id, Jsonb(value),
             _sentence(predicate, value))
        )  # fmt: skip
        self._evidence(closure_id, n)

    def _evidence(self, statement_id: UUID, n: int) -> None:
        message, start = _place(n)
        self.chunk.statements["evidence"].append(
            (statement_id, _id("message", self.number, message), self.audience_id,
             self.chunk.batch_id, start, start + 70)
        )  # fmt: skip

    def _head(self, statement_id: UUID, n: int) -> Row:
        message, _ = _place(n)
        return (
            statement_id, self.ground.tenant_id, self.audience_id, self.chunk.batch_id,
            _id("extraction", self.number, message), _id("message", self.number, message),
        )  # fmt: skip

    def _tail(self, statement_id: UUID, n: int, told: datetime | None) -> Row:
        message, start = _place(n)
        return (
            told or self._told(n), 0, _id("message", self.number, message).bytes, start,
            start + 70, _hash(str(statement_id)), 0.9, "user", 4, True, None, "ru",
        )  # fmt: skip

    def _told(self, n: int) -> datetime:
        return self._sent(_place(n)[0])

    def _sent(self, message: int) -> datetime:
        return DAY_0 + timedelta(days=300 + self.number % 80 + 180 * message)


def _place(n: int) -> tuple[int, int]:
    """In which message of its person a statement stands, and at which character: each message
    brings one statement of every predicate of one value, the last one brings the rest."""
    n_keyed = len(SINGLE) * STATEMENTS_A_KEY
    if n < n_keyed:
        return n % STATEMENTS_A_KEY, n // STATEMENTS_A_KEY * 80
    return STATEMENTS_A_KEY, (n - n_keyed) * 80


def _sentence(predicate: str, value: str) -> str:
    return f"Человек сказал, что его {predicate} — это {value}, и просил это помнить."


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _id(*parts: object) -> UUID:
    digest = hashlib.md5(repr(parts).encode(), usedforsecurity=False).digest()
    return UUID(bytes=digest, version=4)
