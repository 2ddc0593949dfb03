"""What sessions that race leave behind: in every order of their steps, what one of the orders one
after the other would."""

import copy
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from dbt_rows import History, day
from psycopg.conninfo import conninfo_to_dict

from memory_pipeline.bitemporal.batches import Batch
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.contracts.message import RawMessage
from memory_pipeline.ingest.prepare import Prepared, Preparer
from memory_pipeline.ingest.store_messages import store_messages
from memory_pipeline.local.services import Services
from tests.bitemporal.race_runner import Connection, Played, Session, Step, orders, play

KEYS = Keys(b"a key of the tests alone")
VALUES = ("Москва", "Казань", "Tver", "Acme")


@dataclass
class World:
    """A tenant of its own for one order, and what its sessions write."""

    history: History
    entity: UUID
    file_id: UUID
    batches: dict[str, UUID] = field(default_factory=dict)

    @property
    def predicate_id(self) -> int:
        return self.history.predicates["location"]

    def begin(self, name: str, connection: Connection) -> UUID:
        connection.execute("begin")
        self.batches[name] = uuid4()
        return self.batches[name]

    def write(self, name: str, value: str, told: int, connection: Connection) -> None:
        """An open batch with one statement in it."""
        writer = copy.copy(self.history)
        writer.ingest, writer.atoms = connection, []
        writer._batch_id = self.begin(name, connection)
        writer.atom(
            self.entity, "location", value, told_at=day(told), valid_from=day(told),
            start_inferred=True,
        )  # fmt: skip

    def ingest(self, name: str, texts: tuple[str, ...], connection: Connection) -> None:
        """An open batch with messages in it, in the order of `texts`."""
        running = Batch(self.history.tenant_id, self.begin(name, connection))
        audiences = Audiences(connection, self.history.tenant_id)
        chunk = [self.message(text) for text in texts]
        store_messages(connection, running, KEYS, audiences, self.file_id, chunk)

    def message(self, text: str) -> Prepared:
        raw = RawMessage(
            dialog="chat", message_id=text, speaker="Анна", sent_at=day(1), text=text, position=1
        )
        return Preparer(KEYS, self.history.tenant_id, lambda _: ()).prepare(raw)

    def close(self, name: str, connection: Connection) -> None:
        """Take the batch's number."""
        connection.execute(
            "select memory.close_batch(%s, %s, 'race')",
            [self.batches[name], self.history.tenant_id],
        )

    def end(self, name: str, connection: Connection) -> None:
        """Take the batch's number and commit."""
        self.close(name, connection)
        connection.execute("commit")

    def die(self, connection: Connection) -> None:
        connection.execute("rollback")


@dataclass
class Place:
    """A migrated database, four sessions of the ingest role, one that looks, one that prepares."""

    owner: Connection
    control: Connection
    reader: Connection
    sessions: list[Connection]

    def world(self) -> World:
        made = History(self.owner, self.control, f"t{uuid.uuid4().hex}", "x", seed=0)
        row = self.owner.execute(
            "select predicate_id from memory.predicate where name = 'location'"
        ).fetchone()
        if row is None:
            made.register("location", "single")
        else:
            made.predicates["location"] = row[0]
        file_id = uuid4()
        with made.batch():
            entity = made.entity()
            self.control.execute(
                "insert into memory.log_file values (%s, %s, %s, %s, 1, 'jsonl', 1, '2025-01-01')",
                [file_id, made.tenant_id, made._batch_id, file_id.bytes],
            )
        return World(made, entity, file_id)

    def rows(self, query: str, *bound: object) -> list[tuple[Any, ...]]:
        return self.reader.execute(query.encode(), bound).fetchall()

    def held(self, world: World) -> list[tuple[Any, ...]]:
        """What holds when, by everything that was committed."""
        return self.rows(
            "select c.object, t.valid_from, t.valid_to from memory.timeline(array[%s]::uuid[], %s,"
            " null) as t join memory.atom_content as c using (atom_id) order by t.valid_from",
            world.entity,
            world.predicate_id,
        )

    def is_gapless(self) -> bool:
        ((n, highest),) = self.rows("select count(*), coalesce(max(batch_no), 0) from memory.batch")
        return bool(n == highest)

    def committed(self, world: World) -> list[str]:
        """The sessions' batches in the order of their numbers."""
        names = {batch_id: name for name, batch_id in world.batches.items()}
        rows = self.rows(
            "select batch_id from memory.batch where batch_id = any(%s) order by batch_no",
            list(names),
        )
        return [names[batch_id] for (batch_id,) in rows]


@pytest.fixture(scope="module")
def place(services: Services, module_database: str) -> Iterator[Place]:
    name = str(conninfo_to_dict(module_database)["dbname"])
    with ExitStack() as stack:

        def connect(login: str) -> Connection:
            opened = psycopg.connect(services.pg_dsn(login, name), autocommit=True)
            return stack.enter_context(opened)

        yield Place(
            connect("mem_owner"),
            connect("mem_ingest"),
            connect("mem_verifier"),
            [connect("mem_ingest") for _ in range(4)],
        )


def ends(name: str, world: World) -> Step:
    return Step("ends", partial(world.end, name))


Spec = Callable[[World], list[Session]]


def writers(n: int) -> Spec:
    """Sessions that each say where one person lives, told a day after the other."""

    def spec(world: World) -> list[Session]:
        return [
            Session(
                name, (Step("writes", partial(world.write, name, value, told)), ends(name, world))
            )
            for told, (name, value) in enumerate(zip("ABCD"[:n], VALUES, strict=False), start=1)
        ]

    return spec


def crossing(world: World) -> list[Session]:
    """Two slow batches: the number is taken in one step, the commit comes in another."""
    return [
        Session(
            name,
            (
                Step("writes", partial(world.write, name, value, told)),
                Step("takes its number", partial(world.close, name)),
                Step("commits", lambda connection: connection.execute("commit")),
            ),
        )
        for told, (name, value) in enumerate(zip("AB", VALUES, strict=False), start=1)
    ]


def ingests(world: World) -> list[Session]:
    """The same log read twice at once, its messages in opposite order."""
    return [
        Session("A", (Step("reads", partial(world.ingest, "A", ("м1", "м2"))), ends("A", world))),
        Session("B", (Step("reads", partial(world.ingest, "B", ("м2", "м1"))), ends("B", world))),
    ]


def dying(world: World) -> list[Session]:
    """The same log read twice at once, and the first reader dies."""
    return [
        Session("A", (Step("reads", partial(world.ingest, "A", ("м1", "м2"))), Step("dies", world.die))),
        Session("B", (Step("reads", partial(world.ingest, "B", ("м1", "м2"))), ends("B", world))),
    ]  # fmt: skip


def run(place: Place, spec: Spec, check: Callable[[World, Played], None], *, every: int = 1) -> int:
    """Play every order of a spec (or each `every`-th), each in a world of its own; returns how many."""
    n = 0
    for order in list(orders(spec(place.world())))[::every]:
        world = place.world()
        sessions = spec(world)
        seen: list[int] = []

        def look(seen: list[int] = seen) -> None:
            ((highest,),) = place.rows("select coalesce(max(batch_no), 0) from memory.batch")
            assert place.is_gapless(), "a number that a reader saw has none missing below it"
            seen.append(highest)

        played = play(sessions, order, place.sessions[: len(sessions)], place.control, look)
        assert seen == sorted(seen)
        assert place.is_gapless()
        check(world, played)
        n += 1
    return n


def lives(n: int) -> list[tuple[Any, ...]]:
    """Where the person lived when `n` writers said so, a day after the other."""
    return [
        (value, day(told), day(told + 1) if told < n else None)
        for told, value in enumerate(VALUES[:n], start=1)
    ]


def test_two_writers_on_one_key_leave_what_was_told_in_told_order(place: Place) -> None:
    def check(world: World, played: Played) -> None:
        assert place.held(world) == lives(2)
        assert played.waited == []
        assert place.committed(world) == [name[0] for name in played.ended if "ends" in name]

    assert run(place, writers(2), check) == 6


def test_four_writers_on_one_key_leave_what_was_told_in_told_order(place: Place) -> None:
    def check(world: World, played: Played) -> None:
        assert place.held(world) == lives(4)
        assert place.committed(world) == [name[0] for name in played.ended if "ends" in name]

    assert run(place, writers(4), check, every=36) == 70


@pytest.mark.verify
def test_four_writers_on_one_key_in_every_order(place: Place) -> None:
    def check(world: World, _: Played) -> None:
        assert place.held(world) == lives(4)

    assert run(place, writers(4), check) == 2520


def test_two_slow_batches_whose_commits_cross_are_numbered_as_they_commit(place: Place) -> None:
    n_waited = 0

    def check(world: World, played: Played) -> None:
        nonlocal n_waited
        n_waited += len(played.waited)
        assert place.held(world) == lives(2)
        assert place.committed(world) == [name[0] for name in played.ended if "number" in name]

    assert run(place, crossing, check) == 20
    assert n_waited > 0, "who takes a number holds off the next until the commit"


def test_a_log_read_twice_at_once_is_stored_once(place: Place) -> None:
    n_waited = 0

    def check(world: World, played: Played) -> None:
        nonlocal n_waited
        n_waited += len(played.waited)
        rows = place.rows(
            "select c.text, count(*) from memory.message as m join memory.message_content as c"
            " using (message_id) where m.tenant_id = %s group by 1 order by 1",
            world.history.tenant_id,
        )
        assert rows == [("м1", 1), ("м2", 1)]
        ((n_speakers, n_dialogs),) = place.rows(
            "select count(distinct m.speaker_id), count(distinct m.dialog_id) from memory.message as m"
            " where m.tenant_id = %s",
            world.history.tenant_id,
        )
        assert (n_speakers, n_dialogs) == (1, 1)

    assert run(place, ingests, check) == 6
    assert n_waited > 0, "who comes second waits for the first"


def test_a_reader_that_dies_leaves_the_log_to_the_one_that_waited(place: Place) -> None:
    def check(world: World, _: Played) -> None:
        rows = place.rows(
            "select c.text, m.batch_id from memory.message as m join memory.message_content as c"
            " using (message_id) where m.tenant_id = %s order by 1",
            world.history.tenant_id,
        )
        assert rows == [("м1", world.batches["B"]), ("м2", world.batches["B"])]

    assert run(place, dying, check) == 6


def test_every_order_of_the_steps_is_played_once() -> None:
    sessions = [Session("A", (Step("1", len), Step("2", len))), Session("B", (Step("1", len),))]
    assert sorted(orders(sessions)) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]
