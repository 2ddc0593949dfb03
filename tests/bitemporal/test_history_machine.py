"""Random histories in the store against the oracle: every reader, every clock, at random moments.

Writers append to batches of their own, which stay open side by side and end in any order or not at
all. Statements of every shape, joins and splits, labels, restrictions, withdrawals and their
re-delivery, and erasures, of several audiences. A Python copy keeps what each finished batch holds;
an answer of the store must be the oracle's over the part of the copy that the reader may see.
"""

import random
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from dbt_rows import day, object_key
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from psycopg.conninfo import conninfo_to_dict
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal import oracle
from memory_pipeline.bitemporal.identity import Join, groups
from memory_pipeline.bitemporal.resolution import EARLIEST, Segment, Stmt
from memory_pipeline.governance.access import grant
from memory_pipeline.local.services import Services
from tests.shredding import shred_atom

DAYS = 12
N_ENTITIES = 4
N_WRITERS = 3
PREDICATES = {"location": "single", "likes": "multi"}
VALUES = ("Москва", "Казань", "Tver")
AUDIENCES = ((), ("private",), ("team",), ("private", "team"))
READERS: dict[str, frozenset[str]] = {
    "public": frozenset(),
    "team": frozenset({"team"}),
    "private": frozenset({"private"}),
    "all": frozenset({"private", "team", "*"}),
}
Connection = psycopg.Connection[Any]


@dataclass(frozen=True)
class Said:
    """A statement of the copy: `stmt` as resolution reads it, `number` of its finished batch."""

    stmt: Stmt
    subject: UUID
    predicate: str
    value: str | None
    audience: frozenset[str]

    @property
    def id(self) -> UUID:
        """The statement's id."""
        assert isinstance(self.stmt.id, UUID)
        return self.stmt.id


@dataclass
class Finished:
    """What one finished batch holds."""

    said: list[Said] = field(default_factory=list)
    joins: list[tuple[Join, frozenset[str]]] = field(default_factory=list)
    withdrawn: list[tuple[UUID, frozenset[str]]] = field(default_factory=list)
    restricted: list[tuple[UUID, frozenset[str]]] = field(default_factory=list)
    labels: list[tuple[UUID, str, frozenset[str]]] = field(default_factory=list)
    erased: list[UUID] = field(default_factory=list)


@dataclass
class Writer:
    """A connection of the ingest role and the batch that it has open, if any."""

    connection: Connection
    batch_id: UUID | None = None
    holds: Finished = field(default_factory=Finished)


@dataclass
class Place:
    """The database that all machines of a test work in, each in a tenant of its own."""

    owner: Connection
    writers: list[Connection]
    readers: dict[str, Connection]
    n_points: int = 0


@pytest.fixture(scope="module")
def place(services: Services, module_database: str) -> Iterator[Place]:
    name = str(conninfo_to_dict(module_database)["dbname"])
    with ExitStack() as stack:

        def connect(login: str) -> Connection:
            opened = psycopg.connect(services.pg_dsn(login, name), autocommit=True)
            return stack.enter_context(opened)

        owner = connect("mem_owner")
        for predicate, cardinality in PREDICATES.items():
            owner.execute(
                "with new as (insert into memory.predicate (name) values (%s) returning predicate_id)"
                " insert into memory.predicate_version select predicate_id, 1, 'text', %s, '{}', null,"
                " 'RELEVANT', %s, %s, '{}' from new",
                [predicate, cardinality, predicate, predicate],
            )
        for reader in READERS:
            services.add_login(f"machine_{reader}")
        yield Place(
            owner,
            [connect("mem_ingest") for _ in range(N_WRITERS)],
            {reader: connect(f"machine_{reader}") for reader in READERS},
        )


days = st.integers(0, DAYS)
entities = st.integers(0, N_ENTITIES - 1)
writers = st.integers(0, N_WRITERS - 1)
audiences = st.sampled_from([*AUDIENCES[:1] * 3, *AUDIENCES[1:]])
picks = st.integers(0, 10**6)


class HistoryMachine(RuleBasedStateMachine):
    """See the module; `place` is set by the test that runs it."""

    place: Place
    n_asked = 12

    @initialize(seed=st.integers(0, 2**32))
    def begin(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.n_told = 0
        self.finished: dict[int, Finished] = {}
        for connection in self.place.writers:
            connection.rollback()
        self.writers = [Writer(connection) for connection in self.place.writers]
        tenant = f"machine{uuid.uuid4().hex}"
        owner = self.place.owner
        self.tenant_id = one(
            owner, "insert into memory.tenant (name) values (%s) returning tenant_id", tenant
        )
        self.audience_ids = {
            frozenset(names): one(
                owner,
                "insert into memory.audience (tenant_id, names) values (%s, %s)"
                " returning audience_id",
                self.tenant_id,
                list(names),
            )
            for names in AUDIENCES
        }
        self.predicate_ids = {
            name: one(owner, "select predicate_id from memory.predicate where name = %s", name)
            for name in PREDICATES
        }
        for reader, names in READERS.items():
            for name in names or {"public"}:
                grant(owner, f"machine_{reader}", tenant, name)
            self.place.readers[reader].execute(
                "select set_config('memory.tenant', %s, false)", [tenant]
            )
        self.entities = [uuid4() for _ in range(N_ENTITIES)]
        writer = self.opened(0)
        for entity_id in self.entities:
            writer.connection.execute(
                "insert into memory.entity values (%s, %s, %s, 'mention', null, %s)",
                [entity_id, self.tenant_id, writer.batch_id, entity_id.bytes],
            )
        self.finish(0)

    def opened(self, number: int) -> Writer:
        writer = self.writers[number]
        if writer.batch_id is None:
            writer.connection.execute("begin")
            writer.batch_id = uuid4()
        return writer

    # ---------- what is written

    @rule(
        writer=writers, who=entities, predicate=st.sampled_from(sorted(PREDICATES)),
        value=st.sampled_from(VALUES), shape=st.sampled_from(
            ["telling", "telling", "open", "open", "stay", "past", "once", "denial", "gap"]
        ),
        told=st.one_of(st.none(), days, days, days), start=st.one_of(st.none(), days), length=days,
        trust=st.sampled_from([1, 3, 3, 4]), own=st.booleans(), audience=audiences,
    )  # fmt: skip
    def state(
        self, writer: int, who: int, predicate: str, value: str, shape: str, told: int | None,
        start: int | None, length: int, trust: int, own: bool, audience: tuple[str, ...],
    ) -> None:  # fmt: skip
        told_at = None if told is None else day(told)
        since = None if start is None else day(start)
        until = None if start is None else day(start + length + 1)
        shapes: dict[str, dict[str, Any]] = {
            "telling": {"valid_from": told_at, "start_inferred": True},
            "open": {"valid_from": since},
            "stay": {"valid_from": since, "valid_to": until},
            "past": {"valid_from": told_at, "start_inferred": True, "holds_when_told": False},
            "once": {"valid_to": told_at, "holds_when_told": False},
            "denial": {"valid_from": since, "polarity": "denied"},
            "gap": {"valid_from": since, "valid_to": until, "polarity": "denied"},
        }
        stmt = Stmt(
            **{"told_at": told_at, "trust": trust, "own": own, "object_key": object_key(value),
               "id": uuid4(), "told_order": self.order(told_at)} | shapes[shape]
        )  # fmt: skip
        self.add(writer, Said(stmt, self.entities[who], predicate, value, frozenset(audience)))

    @rule(
        writer=writers, who=entities, predicate=st.sampled_from(sorted(PREDICATES)),
        action=st.sampled_from(["ended", "ended", "corrected", "retracted", "cancelled"]),
        value=st.sampled_from([*VALUES, None]), told=days, at=st.one_of(st.none(), days),
        trust=st.sampled_from([1, 3, 3, 4]), audience=audiences,
    )  # fmt: skip
    def close(
        self, writer: int, who: int, predicate: str, action: Any, value: str | None, told: int,
        at: int | None, trust: int, audience: tuple[str, ...],
    ) -> None:  # fmt: skip
        stmt = Stmt(
            id=uuid4(),
            told_at=day(told),
            told_order=self.order(day(told)),
            type="closure",
            action=action,
            object_key=None if value is None else object_key(value),
            ended_at=day(at) if at is not None and action == "ended" else None,
            trust=trust,
        )
        self.add(writer, Said(stmt, self.entities[who], predicate, value, frozenset(audience)))

    def order(self, told_at: datetime | None) -> tuple[Any, ...]:
        self.n_told += 1
        place = self.n_told.to_bytes(4, "big")
        return (told_at or EARLIEST, self.n_told % 3, place, 0, 1, place)

    def add(self, number: int, said: Said) -> None:
        writer = self.opened(number)
        stmt, (_, ordinal, message_key, start, end, statement_hash) = (
            said.stmt,
            said.stmt.told_order,
        )
        shared = {
            "id": stmt.id, "tenant": self.tenant_id, "batch": writer.batch_id,
            "audience": self.audience_ids[said.audience], "subject": said.subject,
            "predicate": self.predicate_ids[said.predicate], "key": stmt.object_key,
            "polarity": stmt.polarity, "told": stmt.told_at, "ordinal": ordinal,
            "message": message_key, "start": start, "end": end, "hash": statement_hash,
            "trust": stmt.trust, "own": stmt.own,
        }  # fmt: skip
        if stmt.type == "closure":
            writer.connection.execute(
                "insert into memory.closure (closure_id, tenant_id, audience_id, batch_id, action,"
                " polarity, subject_id, predicate_id, object_key, ended_at, valid_precision, told_at,"
                " ordinal, message_key, span_start, span_end, statement_hash, confidence, origin,"
                " trust, is_own, author, lang) values (%(id)s, %(tenant)s, %(audience)s, %(batch)s,"
                " %(action)s, %(polarity)s, %(subject)s, %(predicate)s, %(key)s, %(ended)s, 'day',"
                " %(told)s, %(ordinal)s, %(message)s, %(start)s, %(end)s, %(hash)s, 1, 'user',"
                " %(trust)s, %(own)s, 'tester', 'ru')",
                shared | {"action": stmt.action, "ended": stmt.ended_at},
            )
        else:
            writer.connection.execute(
                "insert into memory.atom (atom_id, tenant_id, audience_id, batch_id, subject_id,"
                " predicate_id, kind, object_key, polarity, valid_from, valid_to, start_inferred,"
                " holds_when_told, valid_precision, told_at, ordinal, message_key, span_start,"
                " span_end, statement_hash, confidence, origin, trust, is_own, author, lang) values"
                " (%(id)s, %(tenant)s, %(audience)s, %(batch)s, %(subject)s, %(predicate)s,"
                " 'semantic', %(key)s, %(polarity)s, %(valid_from)s, %(valid_to)s, %(inferred)s,"
                " %(holds)s, 'day', %(told)s, %(ordinal)s, %(message)s, %(start)s, %(end)s, %(hash)s,"
                " 1, 'user', %(trust)s, %(own)s, 'tester', 'ru')",
                shared | {
                    "valid_from": stmt.valid_from, "valid_to": stmt.valid_to,
                    "inferred": stmt.start_inferred, "holds": stmt.holds_when_told,
                },
            )  # fmt: skip
            writer.connection.execute(
                "insert into memory.atom_content values (%s, %s, %s, %s, 'x')",
                [stmt.id, said.subject, shared["audience"], Jsonb(said.value)],
            )
        writer.holds.said.append(said)

    @rule(
        writer=writers, one=entities, other=entities, is_same=st.sampled_from([True, True, False]),
        told=st.one_of(st.none(), days), audience=audiences,
    )  # fmt: skip
    def join(
        self, writer: int, one: int, other: int, is_same: bool, told: int | None,
        audience: tuple[str, ...],
    ) -> None:  # fmt: skip
        if one == other:
            return
        opened = self.opened(writer)
        statement_hash = self.order(None)[-1]
        made = Join(
            uuid4(), self.entities[one], self.entities[other], is_same,
            None if told is None else day(told), statement_hash,
        )  # fmt: skip
        opened.connection.execute(
            "insert into memory.same_as values (%s, %s, %s, %s, %s, %s, %s, 'test', 1, %s, %s,"
            " 'human', 'tester')",
            [
                made.id, self.tenant_id, self.audience_ids[frozenset(audience)], opened.batch_id,
                made.left, made.right, is_same, made.told_at, statement_hash,
            ],
        )  # fmt: skip
        opened.holds.joins.append((made, frozenset(audience)))

    def everything(self) -> list[tuple[UUID, frozenset[str]]]:
        """Statements and joins of finished batches, with their audiences."""
        return [
            found
            for batch in self.finished.values()
            for found in [
                *((said.id, said.audience) for said in batch.said),
                *((join.id, audience) for join, audience in batch.joins),
            ]
        ]

    def gone(self) -> set[UUID]:
        """What is withdrawn already, also in batches that are open."""
        held = [*self.finished.values(), *(writer.holds for writer in self.writers)]
        return {statement_id for batch in held for statement_id, _ in batch.withdrawn}

    @precondition(lambda self: self.everything())
    @rule(writer=writers, pick=picks, is_delivered_again=st.booleans())
    def withdraw(self, writer: int, pick: int, is_delivered_again: bool) -> None:
        left = [found for found in self.everything() if found[0] not in self.gone()]
        if not left:
            return
        statement_id, audience = left[pick % len(left)]
        opened = self.opened(writer)
        opened.connection.execute(
            "insert into memory.withdrawal values (%s, %s, %s, %s, 'test')",
            [statement_id, self.tenant_id, self.audience_ids[audience], opened.batch_id],
        )
        opened.holds.withdrawn.append((statement_id, audience))
        for batch in list(self.finished.values()):
            for said in batch.said:
                if said.id == statement_id and is_delivered_again:
                    # a later extraction has it again: the same words in the same place, a new row
                    self.add(writer, replace(said, stmt=replace(said.stmt, id=uuid4())))

    def atoms(self) -> list[Said]:
        return [
            said for batch in self.finished.values() for said in batch.said
            if said.stmt.type == "atom"
        ]  # fmt: skip

    @precondition(lambda self: self.atoms())
    @rule(
        writer=writers, pick=picks, importance=st.sampled_from(["CRITICAL", "TRIVIAL"]),
        audience=audiences,
    )  # fmt: skip
    def label(self, writer: int, pick: int, importance: str, audience: tuple[str, ...]) -> None:
        atom = self.atoms()[pick % len(self.atoms())].id
        opened = self.opened(writer)
        if any(labelled == atom for labelled, *_ in opened.holds.labels):
            return
        opened.connection.execute(
            "insert into memory.label (label_id, tenant_id, audience_id, batch_id, atom_id,"
            " importance, probability, author_kind, author)"
            " values (%s, %s, %s, %s, %s, %s, 1, 'human', 'tester')",
            [
                uuid4(), self.tenant_id, self.audience_ids[frozenset(audience)], opened.batch_id,
                atom, importance,
            ],
        )  # fmt: skip
        opened.holds.labels.append((atom, importance, frozenset(audience)))

    @precondition(lambda self: self.atoms())
    @rule(writer=writers, pick=picks, audience=st.sampled_from(AUDIENCES[1:]))
    def restrict(self, writer: int, pick: int, audience: tuple[str, ...]) -> None:
        atom = self.atoms()[pick % len(self.atoms())].id
        opened = self.opened(writer)
        opened.connection.execute(
            "insert into memory.restriction values (%s, %s, %s, %s, %s, 'tester')",
            [
                uuid4(), self.tenant_id, opened.batch_id, atom,
                self.audience_ids[frozenset(audience)],
            ],
        )  # fmt: skip
        opened.holds.restricted.append((atom, frozenset(audience)))

    @precondition(lambda self: self.atoms())
    @rule(pick=picks)
    def erase(self, pick: int) -> None:
        said = self.atoms()[pick % len(self.atoms())]
        if any(said.id in batch.erased for batch in self.finished.values()):
            return
        owner = self.place.owner
        with owner.transaction():
            batch_id = uuid4()
            owner.execute(
                "insert into memory.tombstone values (%s, %s, %s, %s, %s)",
                [
                    said.id, self.tenant_id, self.audience_ids[said.audience], batch_id,
                    uuid4(),
                ],
            )  # fmt: skip
            shred_atom(owner.info.dbname, said.id)
            number = one(
                owner, "select memory.close_batch(%s, %s, 'erasure')", batch_id, self.tenant_id
            )
        self.finished[number] = Finished(erased=[said.id])

    @rule(writer=writers)
    def finish(self, writer: int) -> None:
        opened = self.writers[writer]
        if opened.batch_id is None:
            return
        number = one(
            opened.connection, "select memory.close_batch(%s, %s, 'test')", opened.batch_id,
            self.tenant_id,
        )  # fmt: skip
        opened.connection.execute("commit")
        assert not self.finished or number > max(self.finished), "numbers follow the commits"
        self.finished[number] = opened.holds
        opened.batch_id, opened.holds = None, Finished()

    @rule(writer=writers)
    def die(self, writer: int) -> None:
        opened = self.writers[writer]
        if opened.batch_id is not None:
            opened.connection.execute("rollback")
            opened.batch_id, opened.holds = None, Finished()

    # ---------- what is read

    @invariant()
    def one_answer_is_the_oracles(self) -> None:
        if hasattr(self, "finished"):
            self.ask(1)

    def teardown(self) -> None:
        if not hasattr(self, "finished"):
            return
        for number in range(N_WRITERS):
            self.finish(number)
        self.ask(self.n_asked)

    def ask(self, n: int) -> None:
        draw = self.draw
        for _ in range(n):
            recorded = draw.choice([None, None, *self.finished])
            known = draw.choice([None, None, draw.randrange(-1, DAYS + 2)])
            self.check(
                draw.choice(sorted(READERS)),
                draw.choice(self.entities),
                day(draw.randrange(-1, 2 * DAYS)),
                None if known is None else day(known),
                recorded,
            )

    def visible(self, reader: str, recorded: int | None) -> Finished:
        """The part of the copy that this reader may see as of a batch."""
        names = READERS[reader]
        restricted = {
            atom
            for batch in self.finished.values()
            for atom, audience in batch.restricted
            if not audience <= names
        }
        then = [b for no, b in self.finished.items() if recorded is None or no <= recorded]
        withdrawn = {
            statement_id
            for batch in then
            for statement_id, audience in batch.withdrawn
            if audience <= names
        }
        # a tombstone acts on all clocks
        erased = {atom for batch in self.finished.values() for atom in batch.erased}
        return Finished(
            said=[
                replace(said, stmt=replace(said.stmt, erased=said.id in erased))
                for batch in then
                for said in batch.said
                if said.audience <= names and said.id not in withdrawn | restricted
            ],
            joins=[
                (join, audience)
                for batch in then
                for join, audience in batch.joins
                if audience <= names and join.id not in withdrawn
            ],
            labels=[
                found
                for _, batch in sorted(self.finished.items())
                for found in batch.labels
                if found[2] <= names
            ],
        )

    def check(
        self, reader: str, who: UUID, valid: datetime, known: datetime | None, recorded: int | None
    ) -> None:
        self.place.n_points += 1
        seen = self.visible(reader, recorded)
        members = groups(join for join, _ in seen.joins).of(who)
        connection = self.place.readers[reader]
        found = connection.execute(
            "select memory.component(array[%s]::uuid[], %s::bigint)", [who, recorded]
        ).fetchone()
        assert found is not None
        assert set(found[0]) == members
        rows = connection.execute(
            "select predicate, atom_id, object, status, valid_from, valid_to, importance, supersedes,"
            " supports, contradicted_by from memory.as_of(%s, null, %s, %s, %s)",
            [list(members), valid, known, recorded],
        ).fetchall()
        importances = {atom: importance for atom, importance, _ in seen.labels}
        expected = []
        for predicate, segment in self.answers(seen, members, valid, known):
            value = next(s.value for s in seen.said if s.stmt.id == segment.atom_id)
            disputed = bool(segment.contradicted_by)
            status = "erased" if segment.erased else "contradicted" if disputed else "known"
            assert isinstance(segment.atom_id, UUID)
            expected.append(
                (
                    predicate, segment.atom_id, None if segment.erased else value, status,
                    segment.valid_from, segment.valid_to,
                    importances.get(segment.atom_id, "RELEVANT"), segment.supersedes,
                    list(segment.supports), list(segment.contradicted_by),
                )
            )  # fmt: skip
        assert sorted(rows, key=repr) == sorted(expected, key=repr)

    @staticmethod
    def answers(
        seen: Finished, members: frozenset[UUID], valid: datetime, known: datetime | None
    ) -> Iterator[tuple[str, Segment]]:
        """What the oracle answers of each key."""
        for predicate, cardinality in PREDICATES.items():
            stmts = [
                said.stmt
                for said in seen.said
                if said.subject in members and said.predicate == predicate
            ]
            if known is not None:
                stmts = oracle.known(stmts, known)
            keys = {stmt.object_key for stmt in stmts if stmt.object_key is not None}
            told = (
                [[s for s in stmts if s.object_key in (None, key)] for key in keys]
                if cardinality == "multi"
                else [stmts]
            )
            for one_key in told:
                segment = oracle.answer(oracle.timeline(one_key), valid)
                if segment is not None:
                    yield predicate, segment


def one(connection: Connection, query: str, *bound: object) -> Any:
    row = connection.execute(query.encode(), bound).fetchone()
    assert row is not None
    return row[0]


def run(place: Place, *, examples: int, steps: int, asked: int) -> int:
    """Run machines; returns at how many points answers were compared."""
    before = place.n_points
    machine = type("Machine", (HistoryMachine,), {"place": place, "n_asked": asked})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            # shrinking a failure would take longer than reading its steps
            phases=[Phase.reuse, Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    return place.n_points - before


def test_every_reader_is_answered_as_the_oracle_answers_whatever_is_written(place: Place) -> None:
    assert run(place, examples=20, steps=40, asked=30) > 500


@pytest.mark.verify
@pytest.mark.timeout(1200)
def test_thousands_of_answers_are_the_oracles(place: Place) -> None:
    assert run(place, examples=70, steps=50, asked=60) > 5000
