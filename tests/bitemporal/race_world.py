"""What races are played over: a tenant of its own for each order, and sessions of several roles."""

import copy
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import psycopg
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
    """A migrated database, four sessions of the ingest role, an eraser's, one that looks, one that
    prepares."""

    owner: Connection
    control: Connection
    reader: Connection
    eraser: Connection
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


@contextmanager
def entered(services: Services, module_database: str) -> Iterator[Place]:
    """A place in a database, its sessions open."""
    name = str(conninfo_to_dict(module_database)["dbname"])
    with ExitStack() as stack:

        def connect(login: str) -> Connection:
            opened = psycopg.connect(services.pg_dsn(login, name), autocommit=True)
            return stack.enter_context(opened)

        yield Place(
            connect("mem_owner"),
            connect("mem_ingest"),
            connect("mem_verifier"),
            connect("mem_eraser"),
            [connect("mem_ingest") for _ in range(4)],
        )


def ends(name: str, world: World) -> Step:
    return Step("ends", partial(world.end, name))


Spec = Callable[[World], list[Session]]


def run(
    place: Place,
    spec: Spec,
    check: Callable[[World, Played], None],
    *,
    every: int = 1,
    sessions_of: list[Connection] | None = None,
) -> int:
    """Play every order of a spec (or each `every`-th), each in a world of its own; returns how many."""
    connections = sessions_of or place.sessions
    n = 0
    for order in list(orders(spec(place.world())))[::every]:
        world = place.world()
        sessions = spec(world)
        seen: list[int] = []

        def look(seen: list[int] = seen) -> None:
            ((highest,),) = place.rows("select coalesce(max(batch_no), 0) from memory.batch")
            assert place.is_gapless(), "a number that a reader saw has none missing below it"
            seen.append(highest)

        played = play(sessions, order, connections[: len(sessions)], place.control, look)
        assert seen == sorted(seen)
        assert place.is_gapless()
        check(world, played)
        n += 1
    return n
