"""A human's statements: appended, told now, ranked above what any machine read."""

from collections.abc import Sequence
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


def target(reader: psycopg.Connection[Any], atom_id: UUID) -> Target:
    """The atom with what a statement about it needs. Raises `UnknownAtom`."""
    row = reader.execute(
        "select a.atom_id, a.subject_id, e.entity_key,"
        " coalesce((select min(n.name) from memory.name_content as n"
        "  where n.entity_id = a.subject_id and n.form <> 'native'), '?'),"
        " p.name, c.object, a.audience_id, a.valid_from, a.valid_to, a.start_inferred,"
        " a.polarity, a.valid_precision"
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
    """Appends one login's statements over the ingest role's connection."""

    def __init__(
        self,
        connection: psycopg.Connection[Any],
        tenant_id: int,
        keys: Keys,
        normalise: Normalise,
        author: str,
    ) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._keys = keys
        self._author = author
        self._maker = StatementMaker(keys, tenant_id, registry_of(connection, tenant_id), normalise)

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
    ) -> UUID:
        """State a fact about an entity, or about somebody new of that name; returns the atom's id.

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
        with batch(self._connection, self._tenant_id, "human") as running:
            subject = self._subject(running, name, entity_id)
            statement = self._maker.make(draft, told, subject)
            self._insert(running, [statement], reason)
        return statement.statement_id

    def correct(self, at: Target, value: JsonValue, reason: str | None) -> UUID:
        """The atom's value never held, `value` did, in the same period; returns the new atom's
        id."""
        told = self._told(at.audience_id, str(value))
        new = AtomDraft(
            subject=SubjectRef(name=at.subject_name, is_speaker=False),
            predicate=at.predicate,
            object=value,
            text=f"{at.subject_name}: {at.predicate} = {value}",
            valid_from=at.valid_from,
            valid_to=at.valid_to,
            start_inferred=False,
            # of its own period: what replaced it since stays
            holds_when_told=False,
            valid_precision=at.valid_precision,
            confidence=1.0,
            spans=_NOWHERE,
        )
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        closure = self._maker.make(self._closure(at, ClosureAction.corrected), told, subject)
        atom = self._maker.make(new, told, subject)
        with batch(self._connection, self._tenant_id, "human") as running:
            self._insert(running, [closure, atom], reason)
        return atom.statement_id

    def retract(self, at: Target, reason: str | None) -> UUID:
        """The atom's value never held; returns the closure's id."""
        told = self._told(at.audience_id, str(at.object))
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        closure = self._maker.make(self._closure(at, ClosureAction.retracted), told, subject)
        with batch(self._connection, self._tenant_id, "human") as running:
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
            valid_from=at.valid_from,
            valid_to=at.valid_to,
            # its start is a human's word now; inferred, it would read as "I used to"
            start_inferred=False,
            holds_when_told=False,
            valid_precision=at.valid_precision,
            confidence=1.0,
            spans=_NOWHERE,
        )
        subject = Subject(at.subject_key, at.subject_id, at.subject_name, is_own=False)
        atom = self._maker.make(draft, told, subject)
        with batch(self._connection, self._tenant_id, "human") as running:
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

    def _subject(self, running: Batch, name: str, entity_id: UUID | None) -> Subject:
        if entity_id is not None:
            row = self._connection.execute(
                "select entity_key from memory.entity where entity_id = %s and tenant_id = %s",
                (entity_id, self._tenant_id),
            ).fetchone()
            if row is None:
                raise LookupError(f"there is no entity {entity_id}")
            return Subject(bytes(row[0]), entity_id, name, is_own=False)
        entity_key = self._keys.of("entity", self._tenant_id, "human", normal_name(name))
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
            insert_rows(
                self._connection,
                f"{table}_content",
                (f"{table}_id", "subject_id", "audience_id", "object", "text"),
                [content_row(statement, audience_id, ids)],
            )
            if reason:
                self._connection.execute(
                    "insert into memory.reason_content (statement_id, audience_id, reason)"
                    " values (%s, %s, %s)",
                    (statement.statement_id, audience_id, reason),
                )
