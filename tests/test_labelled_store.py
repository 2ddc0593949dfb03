"""The labelled facts, fed as atoms through the store's own tables, answer every question of theirs."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import register, registry_of
from memory_pipeline.bitemporal.statements import (
    ATOM_COLUMNS,
    CLOSURE_COLUMNS,
    Statement,
    StatementMaker,
    Subject,
    Told,
    content_row,
    statement_row,
)
from memory_pipeline.bitemporal.tenants import Audiences, tenant_id
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Span, SubjectRef
from memory_pipeline.contracts.vocabulary import ClosureAction, Origin
from memory_pipeline.governance.access import grant
from memory_pipeline.governance.content_store import content_store
from memory_pipeline.local.services import Services
from memory_pipeline.understand.registry import builtin_predicates, normalise_object
from tests import labelled_facts
from tests.databases import fresh_database
from tests.labelled_facts import SINGLE, GoldAtom, ends_apart, gold, periods, sent

READER = "reader_labelled"
N_BATCHES = 7
Connection = psycopg.Connection[Any]


@dataclass
class Labelled:
    """The labelled dialogs in one tenant, a subject an entity of its dialog. `said` is how an atom
    that is told with its end is put."""

    name: str
    said: Callable[[GoldAtom], GoldAtom]
    dialogs: list[dict[str, Any]]
    owner: Connection
    ingest: Connection
    keys: Keys = field(default_factory=lambda: Keys(b"a key of the tests alone"))
    entity_ids: dict[tuple[str, str], UUID] = field(default_factory=dict)
    tenant: int = 0

    def fill(self) -> None:
        """Write all statements in random order, in several batches."""
        self.tenant = tenant_id(self.owner, self.name, create=True)
        grant(self.owner, READER, self.name, "public")
        register(self.owner, builtin_predicates())
        registry = registry_of(self.ingest, self.tenant)
        assert {
            n for n, known in registry.items() if known.predicate.cardinality == "single"
        } >= SINGLE
        maker = StatementMaker(self.keys, self.tenant, registry, normalise_object)
        audience = Audiences(self.ingest, self.tenant).id_of(())
        made = [
            (key, statement)
            for dialog in self.dialogs
            for atom in map(self.said, gold(dialog))
            for key, statement in self.statements(maker, dialog, atom, audience)
        ]
        random.Random(11).shuffle(made)
        with batch(self.ingest, self.tenant, "test") as running:
            for key, statement in made:
                if key not in self.entity_ids:
                    self.entity_ids[key] = uuid4()
                    self.ingest.execute(
                        "insert into memory.entity (entity_id, tenant_id, batch_id, kind, entity_key)"
                        " values (%s, %s, %s, 'mention', %s)",
                        (self.entity_ids[key], self.tenant, running.batch_id,
                         statement.subject.entity_key),
                    )  # fmt: skip
        for n in range(N_BATCHES):
            self.write(made[n::N_BATCHES], audience)

    def statements(
        self, maker: StatementMaker, dialog: dict[str, Any], atom: GoldAtom, audience: int
    ) -> Iterator[tuple[tuple[str, str], Statement]]:
        """An atom, and the closure that ends it or takes it back, each told by its message."""
        key = (dialog["id"], atom.subject)
        subject = Subject(
            self.keys.of("entity", self.tenant, *key), None, atom.subject, is_own=False
        )
        about = SubjectRef(name=atom.subject, is_speaker=False)

        def told(message: int) -> Told:
            return Told(
                message_id=None,
                message_key=self.keys.of("message", dialog["id"], message),
                edited_at=None,
                told_at=sent(dialog)[message],
                ordinal=0,
                origin=Origin.user,
                lang=dialog["lang"],
                audience_id=audience,
                author="labels",
            )

        draft = AtomDraft(
            subject=about,
            predicate=atom.predicate,
            object=atom.object,
            text=f"{atom.subject}: {atom.predicate} = {atom.object}",
            valid_from=atom.start,
            valid_to=atom.end,
            start_inferred=atom.start_inferred,
            holds_when_told=atom.holds_when_told,
            confidence=1,
            spans=(Span(start=2 * atom.place + 1, end=2 * atom.place + 2),),
        )
        yield key, maker.make(draft, told(atom.told_by), subject)
        if atom.closure is not None:
            place = 2 * atom.place + (2 if atom.closure.told_by == atom.told_by else 0)
            closure = ClosureDraft(
                action=ClosureAction(atom.closure.action),
                subject=about,
                predicate=atom.predicate,
                object=atom.object,
                ended_at=atom.closure.ended_at,
                text=f"{atom.subject}: {atom.closure.action} {atom.predicate} = {atom.object}",
                confidence=1,
                # a message says what ends before it says what is now, and a value before its end
                spans=(Span(start=place, end=place + 1),),
            )
            yield key, maker.make(closure, told(atom.closure.told_by), subject)

    def write(self, made: list[tuple[tuple[str, str], Statement]], audience: int) -> None:
        """Append statements as one batch of the ingest role."""
        ids = {s.subject.entity_key: self.entity_ids[key] for key, s in made}
        writing = content_store(self.ingest).writing(self.tenant)
        with batch(self.ingest, self.tenant, "test") as running:
            for table, columns in (("atom", ATOM_COLUMNS), ("closure", CLOSURE_COLUMNS)):
                some = [s for _, s in made if s.is_atom == (table == "atom")]
                rows = [
                    statement_row(
                        s, tenant_id=self.tenant, batch_id=running.batch_id, audience_id=audience,
                        extraction_id=None, entity_ids=ids,
                    )
                    for s in some
                ]  # fmt: skip
                insert_rows(self.ingest, table, columns, rows)
                insert_rows(
                    self.ingest,
                    f"{table}_content",
                    (f"{table}_id", "subject_id", "audience_id", "object", "text"),
                    [content_row(s, audience, ids, writing) for s in some],
                )


@pytest.fixture(scope="module")
def stores(services: Services, shared_data: Path) -> Iterator[tuple[list[Labelled], Connection]]:
    """Two tenants of one database, by how ends are told that no later value brings about: each by
    a closure, or those told with their value as its own."""
    services.add_login(READER)
    with (
        fresh_database(services) as name,
        psycopg.connect(services.pg_dsn("mem_owner", name), autocommit=True) as owner,
        psycopg.connect(services.pg_dsn("mem_ingest", name), autocommit=True) as ingest,
        psycopg.connect(services.pg_dsn(READER, name), autocommit=True) as reader,
    ):
        dialogs = labelled_facts.dialogs(shared_data)
        made = [
            Labelled("closures", ends_apart, dialogs, owner, ingest),
            Labelled("own ends", lambda atom: atom, dialogs, owner, ingest),
        ]
        for labelled in made:
            labelled.fill()
        yield made, reader


@pytest.fixture(params=[0, 1], ids=["ends as closures", "ends of their own"])
def labelled(
    stores: tuple[list[Labelled], Connection], request: pytest.FixtureRequest
) -> tuple[Labelled, Connection]:
    return stores[0][request.param], stores[1]


def predicate_id(reader: Connection, name: str) -> int:
    row = reader.execute(
        "select predicate_id from memory.predicate where name = %s", (name,)
    ).fetchone()
    assert row is not None, name
    return int(row[0])


def test_every_labelled_question_is_answered_rightly_by_the_store(
    labelled: tuple[Labelled, Connection],
) -> None:
    made, reader = labelled
    wrong = []
    asks = [(dialog["id"], ask) for dialog in made.dialogs for ask in dialog["asks"]]
    assert len(asks) == 226
    for dialog_id, ask in asks:
        # of some who are asked about nothing was said
        entity_id = made.entity_ids.get((dialog_id, ask["subject"]))
        known_at = ask["known_at"] and datetime.fromisoformat(ask["known_at"])
        rows = reader.execute(
            "select object from memory.as_of(array[%s]::uuid[], %s, %s, %s)",
            (
                entity_id,
                predicate_id(reader, ask["predicate"]),
                datetime.fromisoformat(ask["valid_at"]),
                known_at,
            ),
        ).fetchall()
        expected = ask["object"] if isinstance(ask["object"], list) else [ask["object"]]
        if sorted(row[0] for row in rows) != sorted(o for o in expected if o is not None):
            wrong.append((dialog_id, ask["predicate"], ask["valid_at"], ask["known_at"]))
    assert not wrong, f"{len(wrong)} of {len(asks)} answered wrongly: {wrong}"


def test_the_periods_of_the_store_are_the_labelled_ones(
    labelled: tuple[Labelled, Connection],
) -> None:
    made, reader = labelled
    wrong = []
    n_periods = 0
    for dialog in made.dialogs:
        for (subject, predicate), expected in periods(dialog).items():
            rows = reader.execute(
                "select c.object, r.valid_from, r.valid_to from memory.rectangles_of(array[%s]::uuid[],"
                " %s) as r join memory.atom_content as c using (atom_id) where r.known_to is null",
                (made.entity_ids[dialog["id"], subject], predicate_id(reader, predicate)),
            ).fetchall()
            n_periods += len(rows)
            if set(rows) != expected or len(rows) != len(expected):
                wrong.append((dialog["id"], subject, predicate, rows, expected))
    assert not wrong, wrong
    assert n_periods > 150


def test_no_end_that_a_later_value_brings_about_is_in_the_store(
    labelled: tuple[Labelled, Connection],
) -> None:
    made, reader = labelled
    counts = reader.execute(
        "select (select count(*) from memory.atom as a where a.tenant_id = t.tenant_id),"
        " (select count(valid_to) from memory.atom as a where a.tenant_id = t.tenant_id),"
        " (select count(*) from memory.closure as c where c.tenant_id = t.tenant_id)"
        " from memory.tenant as t where t.tenant_id = %s",
        (made.tenant,),
    ).fetchone()
    atoms = [atom for dialog in made.dialogs for atom in gold(dialog)]
    own, told = sum(a.end is not None for a in atoms), sum(a.closure is not None for a in atoms)
    labelled_ends = sum(a["valid_to"] is not None for d in made.dialogs for a in d["atoms"])
    assert own > 5
    assert told > 20
    assert labelled_ends - own - told > 20, "ends that successors bring about"
    apart = made.said is ends_apart
    assert counts == (len(atoms), 0 if apart else own, told + (own if apart else 0))
