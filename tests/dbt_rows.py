"""Random histories for the dbt tests: statements of people, joins, withdrawals, erasures.

Statements are a person's own, so that they need no extraction and no message.
"""

import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import batch
from tests.shredding import shred_atom

DAY_0 = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = 40
PREDICATES = {"location": "single", "employer": "single", "likes": "multi"}
VALUES = ("Москва", "Казань", "Tver", "Acme", "чай")


def day(number: int) -> datetime:
    """Midnight of a day of the histories."""
    return DAY_0 + timedelta(days=number)


@dataclass
class History:
    """Writes into one tenant of a test's database; ids are random, draws follow the seed."""

    owner: psycopg.Connection
    ingest: psycopg.Connection
    tenant_name: str
    canary: str
    seed: int
    tenant_id: int = 0
    audiences: dict[tuple[str, ...], int] = field(default_factory=dict)
    predicates: dict[str, int] = field(default_factory=dict)
    entities: list[UUID] = field(default_factory=list)
    atoms: list[UUID] = field(default_factory=list)
    closures: list[UUID] = field(default_factory=list)
    joins: list[UUID] = field(default_factory=list)
    _batch_id: UUID | None = None

    def __post_init__(self) -> None:
        self.draw = random.Random(self.seed)
        row = self.owner.execute(
            "insert into memory.tenant (name) values (%s) returning tenant_id", [self.tenant_name]
        ).fetchone()
        assert row is not None
        self.tenant_id = row[0]
        for names in ((), ("private",), ("team",)):
            row = self.ingest.execute(
                "insert into memory.audience (tenant_id, names) values (%s, %s)"
                " returning audience_id",
                [self.tenant_id, list(names)],
            ).fetchone()
            assert row is not None
            self.audiences[names] = row[0]

    def register(self, name: str, cardinality: str) -> None:
        """Add a version of a predicate, made where it is missing."""
        self.owner.execute(
            "insert into memory.predicate (tenant_id, name) values (null, %s)"
            " on conflict do nothing",
            [name],
        )
        row = self.owner.execute(
            "select p.predicate_id, count(v.version) from memory.predicate as p"
            " left join memory.predicate_version as v using (predicate_id)"
            " where p.name = %s group by p.predicate_id",
            [name],
        ).fetchone()
        assert row is not None
        self.predicates[name], n_versions = row
        self.owner.execute(
            "insert into memory.predicate_version values"
            " (%s, %s, 'text', %s, %s, null, 'RELEVANT', %s, %s, '{}')",
            [self.predicates[name], n_versions + 1, cardinality, [name], name, name],
        )

    @contextmanager
    def batch(self) -> Iterator[None]:
        """One finished batch."""
        with batch(self.ingest, self.tenant_id, "test") as running:
            self._batch_id = running.batch_id
            yield

    def entity(self, name: str = "Дмитрий") -> UUID:
        """A new mention, with a name."""
        entity_id = uuid4()
        self.ingest.execute(
            "insert into memory.entity values (%s, %s, %s, 'mention', null, %s)",
            [entity_id, self.tenant_id, self._batch_id, entity_id.bytes],
        )
        self.ingest.execute(
            "insert into memory.name_content values (%s, %s, 'label', %s, %s)",
            [uuid4(), entity_id, f"{name} {self.canary}", entity_id.bytes],
        )
        self.entities.append(entity_id)
        return entity_id

    def atom(
        self,
        subject_id: UUID,
        predicate: str,
        value: str,
        *,
        told_at: datetime | None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        start_inferred: bool = False,
        holds_when_told: bool = True,
        polarity: str = "affirmed",
        trust: int = 3,
        audience: tuple[str, ...] = (),
    ) -> UUID:
        """State something about an entity."""
        atom_id = uuid4()
        audience_id = self.audiences[audience]
        self.ingest.execute(
            "insert into memory.atom (atom_id, tenant_id, audience_id, batch_id, subject_id,"
            " predicate_id, kind, object_key, polarity, valid_from, valid_to, start_inferred,"
            " holds_when_told, valid_precision, told_at, message_key, span_start, span_end,"
            " statement_hash, confidence, origin, trust, is_own, author, lang)"
            " values (%s, %s, %s, %s, %s, %s, 'semantic', %s, %s, %s, %s, %s, %s, 'day', %s, %s,"
            " 0, 1, %s, 1, 'user', %s, false, 'tester', 'ru')",
            [
                atom_id, self.tenant_id, audience_id, self._batch_id, subject_id,
                self.predicates[predicate], object_key(value), polarity, valid_from, valid_to,
                start_inferred, holds_when_told, told_at, atom_id.bytes, atom_id.bytes, trust,
            ],
        )  # fmt: skip
        self.ingest.execute(
            "insert into memory.atom_content values (%s, %s, %s, %s, %s)",
            [atom_id, subject_id, audience_id, Jsonb(value), f"{predicate}: {value} {self.canary}"],
        )
        self.atoms.append(atom_id)
        return atom_id

    def closure(
        self,
        subject_id: UUID,
        predicate: str,
        action: str,
        value: str | None,
        told_at: datetime,
        trust: int | None = None,
    ) -> UUID:
        """End something, or take it back; of random trust unless given."""
        closure_id = uuid4()
        self.ingest.execute(
            "insert into memory.closure (closure_id, tenant_id, audience_id, batch_id, action,"
            " subject_id, predicate_id, object_key, ended_at, valid_precision, told_at,"
            " message_key, span_start, span_end, statement_hash, confidence, origin, trust,"
            " is_own, author, lang) values (%s, %s, %s, %s, %s, %s, %s, %s, %s, 'day', %s, %s,"
            " 0, 1, %s, 1, 'user', %s, false, 'tester', 'ru')",
            [
                closure_id, self.tenant_id, self.audiences[()], self._batch_id, action, subject_id,
                self.predicates[predicate], value and object_key(value),
                told_at if action == "ended" else None, told_at, closure_id.bytes,
                closure_id.bytes, trust or self.draw.choice([1, 3, 3]),
            ],
        )  # fmt: skip
        self.ingest.execute(
            "insert into memory.closure_content values (%s, %s, %s, %s, %s)",
            [closure_id, subject_id, self.audiences[()], Jsonb(value), f"end {self.canary}"],
        )
        self.closures.append(closure_id)
        return closure_id

    def join(
        self,
        left_id: UUID,
        right_id: UUID,
        *,
        is_same: bool = True,
        told: int | None = None,
        audience: tuple[str, ...] = (),
        is_automatic: bool = False,
    ) -> UUID:
        """Say that two entities are, or are not, one: told on a day, by default later than all
        before, or found automatically, which has no told time."""
        same_as_id = uuid4()
        told_at = None if is_automatic else day(len(self.joins) if told is None else told)
        self.ingest.execute(
            "insert into memory.same_as values"
            " (%s, %s, %s, %s, %s, %s, %s, 'test', 1, %s, %s, 'human', 'tester')",
            [
                same_as_id, self.tenant_id, self.audiences[audience], self._batch_id, left_id,
                right_id, is_same, told_at, same_as_id.bytes,
            ],
        )  # fmt: skip
        self.joins.append(same_as_id)
        return same_as_id

    def withdraw(self, statement_id: UUID) -> None:
        """Withdraw a statement or a join."""
        self.ingest.execute(
            "insert into memory.withdrawal values (%s, %s, %s, %s, 'test')",
            [statement_id, self.tenant_id, self.audiences[()], self._batch_id],
        )

    def erase(self, atom_id: UUID) -> None:
        """Leave a tombstone in place of an atom's content, as an erasure does."""
        with batch(self.owner, self.tenant_id, "erasure") as running:
            self.owner.execute(
                "insert into memory.tombstone values (%s, %s, %s, %s, %s)",
                [atom_id, self.tenant_id, self.audiences[()], running.batch_id, uuid4()],
            )
            shred_atom(self.owner.info.dbname, atom_id)

    def statements(self, n: int, subjects: list[UUID]) -> None:
        """`n` random statements about some entities: values, trips, plans, denials, closures."""
        draw = self.draw
        for _ in range(n):
            subject_id = draw.choice(subjects)
            predicate = draw.choice(list(PREDICATES))
            value = draw.choice(VALUES)
            told = draw.randrange(DAYS)
            if draw.random() < 0.2:
                action = draw.choice(["ended", "ended", "corrected", "retracted", "cancelled"])
                named = draw.choice([value, value, None])
                self.closure(subject_id, predicate, action, named, day(told))
                continue
            start = draw.randrange(DAYS)
            stays = draw.random() < 0.3
            inferred = not stays and draw.random() < 0.5
            self.atom(
                subject_id,
                predicate,
                value,
                told_at=None if draw.random() < 0.05 else day(told),
                valid_from=day(told if inferred else start),
                valid_to=day(start + draw.randint(1, 9)) if stays else None,
                start_inferred=inferred,
                holds_when_told=draw.random() < 0.8,
                polarity="denied" if draw.random() < 0.1 else "affirmed",
                trust=draw.choice([1, 3, 3, 4]),
                audience=draw.choice([(), (), (), ("private",), ("team",)]),
            )


def object_key(value: str) -> bytes:
    """What makes two objects equal in the tests."""
    return hashlib.sha256(value.encode()).digest()[:16]
