"""Facts: dialogs read into a real store, one tenant each, and what the store then answers.

The whole path is the product's: loader, extraction, resolution in SQL, reading as a login. Only
embedding and labelling are left out, which change no fact.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg

from memory_pipeline.bitemporal.history import periods
from memory_pipeline.bitemporal.reading import (
    AmbiguousSubject,
    Subject,
    UnknownPredicate,
    UnknownSubject,
)
from memory_pipeline.contracts.history import Period
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.vocabulary import Cardinality
from memory_pipeline.evaluation.database import OwnDatabase, own_database
from memory_pipeline.evaluation.records import Ask, FactsRecord
from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.registry import builtin_predicates

Progress = Callable[[int], None]
Prediction = dict[str, Any]


logger = logging.getLogger(__name__)


def predict(
    records: Sequence[FactsRecord], progress: Progress, services: Services
) -> list[Prediction]:
    """`{"id", "atoms", "asks"}` a record: the facts in force once everything was told, in the
    labelled shape, and the answers to the record's questions in their order.

    A message that the loader refuses is warned of and left out. Raises what the services raise.
    """
    said = []
    with own_database(services) as own, psycopg.connect(own.pg_url, autocommit=True) as owner:
        for number, record in enumerate(records):
            tenant = f"record-{number}"
            grant(owner, OPERATOR, tenant, ALL)
            _read(own, tenant, record)
            with Memory(own, tenant=tenant) as memory:
                store = _Store(memory, ZoneInfo(record.tz))
                atoms = store.atoms()
                answers = [{"object": store.answer(ask)} for ask in record.asks]
            said.append({"id": record.id, "atoms": atoms, "asks": answers})
            progress(1)
    return said


def _read(own: OwnDatabase, tenant: str, record: FactsRecord) -> None:
    path = own.folder / f"{tenant}.jsonl"
    lines = (
        {
            "dialog_id": record.id,
            "message_id": str(message.n),
            "turn": message.n,
            "speaker": message.speaker,
            "role": message.role.value,
            "text": message.text,
        }
        | ({"sent_at": message.sent_at.isoformat()} if message.sent_at else {})
        for message in record.messages
    )
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    with Pipeline.open(own, tenant, record.tz) as pipeline:
        for refused in pipeline.refusals(pipeline.ingest([path])):
            logger.warning(
                "record %s, message %s was refused: %s", record.id, refused["position"],
                refused["problem"],
            )  # fmt: skip
        n_failed = pipeline.extract().n_failed
        if n_failed:
            logger.warning("record %s: %d windows got no answer", record.id, n_failed)
    path.unlink()


class _Store:
    """One dialog's store, read as its operator."""

    def __init__(self, memory: Memory, zone: ZoneInfo) -> None:
        self._memory = memory
        self._zone = zone
        self._predicates: dict[str, Predicate] = {p.name: p for p in builtin_predicates()}
        self._people = self._named()

    def _named(self) -> dict[UUID, Subject]:
        """Everybody and everything, by one of their entities that this login sees."""
        rows = self._memory.connection.execute(
            "select entity_id from memory.entity where tenant_id = %s order by entity_id",
            (self._memory.tenant_id,),
        ).fetchall()
        found: dict[UUID, Subject] = {}
        for (entity_id,) in rows:
            subject = self._memory.subject(entity_id=entity_id)
            if subject.canonical_id not in {s.canonical_id for s in found.values()}:
                found[entity_id] = subject
        return found

    def atoms(self) -> list[dict[str, str | None]]:
        """What held when, as known now, one line an atom: a stretch that a stay interrupts is
        one."""
        found = []
        for subject in self._people.values():
            known = [
                period
                for period in periods(self._memory.connection, subject, None, None)
                if period.known_to is None and not period.erased and period.predicate != "event"
            ]
            known.sort(key=lambda p: (p.atom_id, p.valid_from is not None, p.valid_from))
            for _, some in groupby(known, key=lambda p: p.atom_id):
                found.append(self._shown(subject.name, list(some)))
        return sorted(found, key=lambda a: tuple(str(value) for value in a.values()))

    def _shown(self, name: str, stretches: Sequence[Period]) -> dict[str, str | None]:
        first, last = stretches[0], stretches[-1]
        return {
            "subject": name,
            "predicate": first.predicate,
            "object": None if first.object is None else str(first.object),
            "valid_from": self._day(first.valid_from),
            "valid_to": self._day(last.valid_to),
        }

    def _day(self, moment: datetime | None) -> str | None:
        return None if moment is None else moment.astimezone(self._zone).date().isoformat()

    def answer(self, ask: Ask) -> str | list[str] | None:
        """What the store answers: a value, a list where the predicate may have several, or
        None."""
        values = sorted({str(value) for value in self._values(ask) if value is not None})
        predicate = self._predicates.get(ask.predicate)
        if not values:
            return None
        is_single = predicate is None or predicate.cardinality is Cardinality.single
        return values[0] if is_single else values

    def _values(self, ask: Ask) -> list[Any]:
        try:
            entity_id = self._asked_about(ask.subject)
            if entity_id is None:
                return []
            answers = self._memory.as_of(
                entity_id=entity_id,
                predicate=ask.predicate,
                valid_at=ask.valid_at,
                known_at=ask.known_at,
            ).answers
        except UnknownPredicate:
            return []
        return [answer.object for answer in answers]

    def _asked_about(self, name: str) -> UUID | None:
        """Whom a question names: the one with this very name, else the one whose name is another
        form of it. Nobody, if several fit: a person would have to choose."""
        from memory_pipeline.understand.evaluation import same_subject

        try:
            wanted = self._memory.subject(name).canonical_id
        except AmbiguousSubject:
            return None
        except UnknownSubject:
            fitting = [e for e, other in self._people.items() if same_subject(other.name, name)]
            return fitting[0] if len(fitting) == 1 else None
        return next(e for e, other in self._people.items() if other.canonical_id == wanted)
