"""A human's statements: appended, told now, ranked above what any machine read."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
from pydantic import JsonValue

from memory_pipeline.bitemporal.batches import Batch, batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys, normal_name
from memory_pipeline.bitemporal.registry import registry_of
from memory_pipeline.bitemporal.resolution import Stmt
from memory_pipeline.bitemporal.statements import (
    ATOM_COLUMNS,
    CLOSURE_COLUMNS,
    Normalise,
    Statement,
    StatementMaker,
    Subject,
    Told,
    content_row,
    statement_row,
)
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Span, SubjectRef
from memory_pipeline.contracts.vocabulary import ClosureAction, Origin, Polarity, Precision
from memory_pipeline.understand.language import detect_language

_NOWHERE = (Span(start=0, end=0),)

_KNOWN_TO = """
    with known_to (names) as (
        select names from memory.audience where audience_id = %(audience_id)s
    )
    select e.entity_id
    from memory.entity as e
    cross join known_to as k
    where e.entity_id = any (%(ids)s) and (
        exists (
            select from memory.message as m
            join memory.audience as u using (audience_id)
            where m.speaker_id = e.entity_id and u.names <@ k.names and not exists (
                select from memory.message_restriction as r
                join memory.audience as ru on ru.audience_id = r.audience_id
                where r.message_id = m.message_id and not ru.names <@ k.names)
        )
        or exists (
            select from memory.atom as a
            join memory.audience as u using (audience_id)
            where e.entity_id in (a.subject_id, a.object_entity_id) and u.names <@ k.names
                and not exists (
                    select from memory.restriction as r
                    join memory.audience as ru on ru.audience_id = r.audience_id
                    where r.atom_id = a.atom_id and not ru.names <@ k.names)
                and not exists (
                    select from memory.evidence as v
                    join memory.message_restriction as r using (message_id)
                    join memory.audience as ru on ru.audience_id = r.audience_id
                    where v.statement_id = a.atom_id and not ru.names <@ k.names)
        )
    )
    order by e.entity_id limit 1
"""


class UnknownAtom(LookupError):
    """The login sees no such atom."""


@dataclass(frozen=True)
class Target:
    """A stored atom that a human points at, as this human may see it."""

    atom_id: UUID
    subject_id: UUID
    subject_key: bytes
    subject_name: str
    predicate: str
    object: JsonValue
    audience_id: int
    valid_from: datetime | None
    valid_to: datetime | None
    start_inferred: bool
    polarity: Polarity
    valid_precision: Precision
    holds_when_told: bool
    told_at: datetime | None

    def period(self) -> dict[str, Any]:
        """Its period as another statement repeats it, which says of no other time that it holds:
        what replaced the value since stays."""
        stmt = Stmt(
            id=self.atom_id,
            told_at=self.told_at,
            told_order=(),
            polarity=self.polarity.value,
            valid_from=self.valid_from,
            valid_to=self.valid_to,
            start_inferred=self.start_inferred,
            holds_when_told=self.holds_when_told,
        )
        undated = stmt.is_undated_past
        return {
            "valid_from": None if undated else self.valid_from,
            "valid_to": (self.valid_to or self.told_at) if undated else self.valid_to,
            # a start is a human's word now; inferred, it would read as "I used to"
            "start_inferred": undated,
            "holds_when_told": False,
        }


def target(reader: psycopg.Connection[Any], atom_id: UUID) -> Target:
    """The atom with what a statement about it needs. Raises `UnknownAtom`."""
    row = reader.execute(
        "select a.atom_id, a.subject_id, e.entity_key,"
        " coalesce((select min(n.name) from memory.name_content as n"
        "  where n.entity_id = a.subject_id and n.form <> 'native'), '?'),"
        " p.name, c.object, a.audience_id, a.valid_from, a.valid_to, a.start_inferred,"
        " a.polarity, a.valid_precision, a.holds_when_told, a.told_at"
        " from memory.atom as a join memory.entity as e on e.entity_id = a.subject_id"
        " join memory.predicate as p using (predicate_id)"
        " join memory.atom_content as c on c.atom_id = a.atom_id and c.subject_id = a.subject_id"
        " where a.atom_id = %s",
        (atom_id,),
    ).fetchone()
    if row is None:
        raise UnknownAtom(f"there is no atom {atom_id} with content that this login may see")
    found: tuple[Any, ...] = row
    facts = dict(zip((field.name for field in fields(Target)), found, strict=True))
    facts["polarity"] = Polarity(facts["polarity"])
    facts["valid_precision"] = Precision(facts["valid_precision"])
    return Target(**facts)


class HumanStatements:
    """Appends one login's statements over the ingest role's connection. What they speak of was
    read in `read_epoch`: raises `EpochMoved`, before anything is written, where it may be erased
    since."""

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        tenant_id: int,
        keys: Keys,
        normalise: Normalise,
        author: str,
        read_epoch: int,
    ) -> None:
        self._connection = connection
        self._read_epoch = read_epoch
        self._tenant_id = tenant_id
        self._keys = keys
        self._author = author
        self._maker = StatementMaker(keys, tenant_id, registry_of(connection, tenant_id), normalise)

    def _batch(self) -> AbstractContextManager[Batch]:
        return batch(self._connection, self._tenant_id, "human", self._read_epoch)

    def add(
        self,
        name: str,
        entity_id: UUID | None,
        predicate: str,
        value: JsonValue,
        *,
        valid_from: datetime | None,
        valid_to: datetime | None,
        precision: Precision,
        audience_id: int,
        reason: str | None,
        one_with: tuple[UUID, int] | None = None,
    ) -> UUID:
        """State a fact about an entity, or about somebody new of that name; returns the atom's id.
        `one_with` joins the new one to an entity, for an audience that may see both.

        Without `valid_from` it holds from now on. Raises `KeyError` for an unknown predicate and
        `ValueError` for an object that it cannot hold.
        """
        told = self._told(audience_id, f"{predicate} {value}")
        if valid_to is not None and valid_to <= (valid_from or told.told_at or valid_to):
            raise ValueError("the period is empty: its end must lie after its start")
        draft = AtomDraft(
            subject=SubjectRef(name=name, is_speaker=False),
            predicate=predicate,
            object=value,
            text=f"{name}: {predicate} = {value}",
            valid_from=valid_from or told.told_at,
            valid_to=valid_to,
            start_inferred=valid_from is None,
            valid_precision=precision,
            confidence=1.0,
            spans=_NOWHERE,
        )
        with self._batch() as running:
            subject = self._subject(running, name, entity_id, audience_id)
            statement = self._maker.make(draft, told, subject)
            self._insert(running, [statement], reason)
            if one_with is not None and subject.entity_id not in (None, one_with[0]):
                self._join(running, subject.entity_id, *one_with, is_same=True)
        return statement.statement_id

    def join(
        self, one: UUID, other: UUID, *, is_same: bool, audience_id: int, reason: str | None
    ) -> UUID:
        """State that two entities are one person or thing, or that they are not; the last told of
        a pair counts. Returns the statement's id. Raises `ValueError` for one entity twice."""
        if one == other:
            raise ValueError("give two entities")
        with self._batch() as running:
            same_as_id = self._join(running, one, other, audience_id, is_same=is_same)
            if reason:
                self._reason(running, same_as_id, audience_id, reason)
        return same_as_id

    def entity_for(self, entity_ids: Sequence[UUID], audience_id: int) -> UUID | None:
        """The one of some entities that everybody of an audience knows already; None where none is:
        what is said there of a narrower one would make that one known."""
        row = self._connection.execute(
            _KNOWN_TO, {"ids": list(entity_ids), "audience_id": audience_id}
        ).fetchone()
        return row[0] if row else None

    def _join(
        self, running: Batch, one: UUID | None, other: UUID, audience_id: int, *, is_same: bool
    ) -> UUID:
        same_as_id = uuid4()
        statement_hash = self._keys.of("same_as", self._tenant_id, str(is_same), same_as_id.bytes)
        self._connection.execute(
            "insert into memory.same_as (same_as_id, tenant_id, audience_id, batch_id, left_id,"
            " right_id, is_same, rule, rule_version, told_at, statement_hash, origin, author)"
            " values (%s, %s, %s, %s, %s, %s, %s, 'human', 1, %s, %s, 'human', %s)",
            (
                same_as_id,
                self._tenant_id,
                audience_id,
                running.batch_id,
                one,
                other,
                is_same,
                datetime.now(UTC),
                statement_hash,
                self._author,
            ),
        )
        return same_as_id

    def correct(self, at: Target, value: JsonValue, reason: str | None) -> UUID:
        """The atom's value never held, `value` did, in the same period; returns the new atom's
        id."""
        told = self._told(at.audience_id, str(value))
        new = AtomDraft(
            subject=SubjectRef(name=at.subject_name, is_speaker=False),
            predicate=at.predicate,
            object=value,
            text=f"{at.subject_name}: {at.predicate} = {value}",
            **at.period(),
            valid_precision=at.valid_precision,
            confidence=1.0,
            spans=_NOWHERE,
        )
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        closure = self._maker.make(self._closure(at, ClosureAction.corrected), told, subject)
        atom = self._maker.make(new, told, subject)
        with self._batch() as running:
            self._insert(running, [closure, atom], reason)
        return atom.statement_id

    def retract(self, at: Target, reason: str | None) -> UUID:
        """The atom's value never held; returns the closure's id."""
        told = self._told(at.audience_id, str(at.object))
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        closure = self._maker.make(self._closure(at, ClosureAction.retracted), told, subject)
        with self._batch() as running:
            self._insert(running, [closure], reason)
        return closure.statement_id

    def confirm(self, at: Target, reason: str | None) -> UUID:
        """The atom's value holds as it says, on a human's word; returns the new support's id."""
        told = self._told(at.audience_id, str(at.object))
        draft = AtomDraft(
            subject=SubjectRef(name=at.subject_name, is_speaker=False),
            predicate=at.predicate,
            object=at.object,
            text=f"{at.subject_name}: {at.predicate} = {at.object}",
            polarity=at.polarity,
            **at.period(),
            valid_precision=at.valid_precision,
            confidence=1.0,
            spans=_NOWHERE,
        )
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        atom = self._maker.make(draft, told, subject)
        with self._batch() as running:
            self._insert(running, [atom], reason)
        return atom.statement_id

    def _told(self, audience_id: int, text: str) -> Told:
        return Told(
            message_id=None,
            message_key=self._keys.of("human", self._tenant_id, uuid4().bytes),
            edited_at=None,
            told_at=datetime.now(UTC),
            ordinal=0,
            origin=Origin.human,
            lang=detect_language(text),
            audience_id=audience_id,
            author=self._author,
        )

    @staticmethod
    def _closure(at: Target, action: ClosureAction) -> ClosureDraft:
        return ClosureDraft(
            action=action,
            polarity=at.polarity,
            subject=SubjectRef(name=at.subject_name, is_speaker=False),
            predicate=at.predicate,
            object=at.object,
            text=f"{at.subject_name}: {action} {at.predicate} = {at.object}",
            confidence=1.0,
            spans=_NOWHERE,
        )

    def _subject(
        self, running: Batch, name: str, entity_id: UUID | None, audience_id: int
    ) -> Subject:
        if entity_id is not None:
            row = self._connection.execute(
                "select entity_key from memory.entity where entity_id = %s and tenant_id = %s",
                (entity_id, self._tenant_id),
            ).fetchone()
            if row is None:
                raise LookupError(f"there is no entity {entity_id}")
            return Subject(bytes(row[0]), entity_id, name, is_own=False)
        # one for each audience: who is known to some alone is nobody to the others
        names = self._connection.execute(
            "select names from memory.audience where audience_id = %s", (audience_id,)
        ).fetchone()
        entity_key = self._keys.of(
            "entity", self._tenant_id, "human", normal_name(name), *(names[0] if names else ())
        )
        self._connection.execute(
            "insert into memory.entity (entity_id, tenant_id, batch_id, kind, entity_key)"
            " values (%s, %s, %s, 'mention', %s) on conflict do nothing",
            (uuid4(), self._tenant_id, running.batch_id, entity_key),
        )
        row = self._connection.execute(
            "select entity_id from memory.entity where tenant_id = %s and entity_key = %s",
            (self._tenant_id, entity_key),
        ).fetchone()
        if row is None:
            raise LookupError("the new entity is not there")
        self._connection.execute(
            "insert into memory.name_content (name_id, entity_id, form, name, lookup)"
            " values (%s, %s, 'label', %s, %s) on conflict do nothing",
            (uuid4(), row[0], name, self._keys.name(self._tenant_id, name)),
        )
        return Subject(entity_key, row[0], name, is_own=False)

    def _insert(self, running: Batch, statements: Sequence[Statement], reason: str | None) -> None:
        for statement in statements:
            audience_id = statement.told.audience_id
            entity_id = statement.subject.entity_id
            if entity_id is None:
                raise LookupError("a human's statement needs a stored subject")
            ids = {statement.subject.entity_key: entity_id}
            table = "atom" if statement.is_atom else "closure"
            insert_rows(
                self._connection,
                table,
                ATOM_COLUMNS if statement.is_atom else CLOSURE_COLUMNS,
                [
                    statement_row(
                        statement,
                        tenant_id=self._tenant_id,
                        batch_id=running.batch_id,
                        audience_id=audience_id,
                        extraction_id=None,
                        entity_ids=ids,
                    )
                ],
            )
            writing = running.content(self._connection)
            insert_rows(
                self._connection,
                f"{table}_content",
                (f"{table}_id", "subject_id", "audience_id", "object", "text"),
                [content_row(statement, audience_id, ids, writing)],
            )
            if reason:
                self._reason(running, statement.statement_id, audience_id, reason)

    def _reason(self, running: Batch, statement_id: UUID, audience_id: int, reason: str) -> None:
        writing = running.content(self._connection)
        stored = writing.text("reason_content", "reason", statement_id, reason)
        self._connection.execute(
            "insert into memory.reason_content (statement_id, audience_id, reason)"
            " values (%s, %s, %s)",
            (statement_id, audience_id, stored),
        )
