"""Reading a log races with an erasure of what it says: in every order of their steps nothing of it
is left, and nothing else is lost."""

from dataclasses import dataclass, field
from functools import partial
from uuid import UUID, uuid4

import pytest
from dbt_rows import day

from memory_pipeline.bitemporal.batches import Batch
from memory_pipeline.bitemporal.registry import register
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.governance.erasure.masking import Masker
from memory_pipeline.governance.erasure.mentions import normal_value
from memory_pipeline.governance.erasure.suppress import value_key
from memory_pipeline.ingest.store_messages import store_messages
from memory_pipeline.understand.registry import builtin_predicates
from tests.bitemporal.race_runner import Connection, Played, Session, Step
from tests.bitemporal.race_world import KEYS, Place, World, ends, run

TOLD, OTHER = "Я живу в Москве", "Куплю хлеба"


@pytest.fixture(autouse=True)
def registry(place: Place) -> None:
    """The registry by which the masker's extractor reads."""
    register(place.owner, builtin_predicates())


@dataclass
class Log:
    """Two messages, read as the loader does it: masked outside of the batch that stores them."""

    world: World

    def read(self, connection: Connection) -> None:
        """Read the log and mask what is suppressed now."""
        self.masker = Masker(connection, KEYS, self.world.history.tenant_id)
        self.mask()

    def mask(self) -> None:
        chunk = [self.world.message(text) for text in (TOLD, OTHER)]
        self.masked = self.masker.mask(chunk, self.world.file_id.bytes, "UTC").kept

    def store_masked(self, name: str, connection: Connection) -> None:
        """An open batch with what was read, masked anew where the epoch moved since."""
        tenant_id = self.world.history.tenant_id
        while True:
            running = Batch(tenant_id, self.world.begin(name, connection))
            (epoch,) = connection.execute("select memory.enter(%s)", [tenant_id]).fetchone() or (0,)
            if epoch == self.masker.epoch:
                break
            connection.execute("rollback")
            self.masker.load()
            self.mask()
        audiences = Audiences(connection, tenant_id)
        store_messages(connection, running, KEYS, audiences, self.world.file_id, self.masked)


@dataclass
class Erasure:
    """Of where the speaker lives: a fence, later the removal of what it found stored."""

    world: World
    request_id: UUID = field(default_factory=uuid4)

    def fence(self, connection: Connection) -> None:
        """An open fence around where Анна lives, alone in the tenant."""
        connection.execute("begin")
        tenant_id, suppression_id = self.world.history.tenant_id, uuid4()
        connection.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state, told_upto)"
            " values (%s, %s, 'operator', 'keys_destroyed', %s)",
            (self.request_id, tenant_id, day(9)),
        )
        connection.execute(
            "select memory.enter_alone(%s, %s, 'fenced')", (tenant_id, self.request_id)
        )
        connection.execute(
            "insert into memory.suppression (suppression_id, tenant_id, batch_id, request_id, tags,"
            " told_upto, stops_learning) values (%s, %s, %s, %s, '{location}', %s, false)",
            (suppression_id, tenant_id, uuid4(), self.request_id, day(9)),
        )
        for dimension, key in (
            ("name", KEYS.name(tenant_id, "Анна")),
            ("value", value_key(KEYS, tenant_id, normal_value("Москва"))),
        ):
            connection.execute(
                "insert into memory.suppression_key values (%s, %s, %s)",
                (suppression_id, dimension, key),
            )

    def erase(self, name: str, connection: Connection) -> None:
        """An open erasure of what the fence found stored, alone in the tenant."""
        batch_id, tenant_id = self.world.begin(name, connection), self.world.history.tenant_id
        connection.execute(
            "select memory.enter_alone(%s, %s, 'erased')", (tenant_id, self.request_id)
        )
        connection.execute(
            "insert into memory.erasure_item (request_id, kind, item_id, action)"
            " select %s, 'message', m.message_id, 'erase' from memory.message as m"
            " join memory.message_content as c using (message_id)"
            " where m.tenant_id = %s and c.text = %s",
            (self.request_id, tenant_id, TOLD),
        )
        connection.execute(
            "select * from memory.erase_planned(%s, %s)", (self.request_id, batch_id)
        )


def erased_meanwhile(world: World) -> list[Session]:
    """A log is read while what it says is erased: fenced first, then removed where it was stored."""
    log, erasure = Log(world), Erasure(world)
    return [
        Session(
            "A",
            (
                Step("reads", log.read),
                Step("writes", partial(log.store_masked, "A")),
                ends("A", world),
            ),
        ),
        Session(
            "eraser",
            (
                Step("fences", erasure.fence),
                Step("commits the fence", lambda connection: connection.execute("commit")),
                Step("erases", partial(erasure.erase, "eraser")),
                ends("eraser", world),
            ),
        ),
    ]


def fence_that_dies(world: World) -> list[Session]:
    """A log is read while somebody begins to fence what it says, and dies of it."""
    reading, _ = erased_meanwhile(world)
    fencing = Step("fences", Erasure(world).fence)
    return [reading, Session("eraser", (fencing, Step("dies", world.die)))]


def texts(place: Place, world: World) -> list[str]:
    """What is stored of the log's two messages, in their order."""
    rows = place.rows(
        "select c.text from memory.message as m join memory.message_content as c using (message_id)"
        " where m.tenant_id = %s order by c.text = %s, c.text",
        world.history.tenant_id,
        OTHER,
    )
    return [text for (text,) in rows]


def test_what_is_erased_while_it_is_read_is_stored_masked_or_is_erased(place: Place) -> None:
    waited: set[str] = set()

    def check(world: World, played: Played) -> None:
        waited.update(played.waited)
        told, other = texts(place, world)
        assert "Москв" not in told
        assert len(told) == len(TOLD)
        assert other == OTHER
        ((n_redacted, n_epochs),) = place.rows(
            "select (select count(distinct r.message_id) from memory.redaction as r"
            "  join memory.message as m using (message_id) where m.tenant_id = e.tenant_id),"
            " max(e.epoch) from memory.erasure_epoch as e where e.tenant_id = %s group by e.tenant_id",
            world.history.tenant_id,
        )
        # whoever came first holds the other off: what was stored before the fence is erased, what
        # comes after it is masked as it is read
        came_first = played.started.index("A writes") < played.started.index("eraser fences")
        assert n_redacted == came_first
        assert told == ("█ ████ █ ██████" if came_first else "Я ████ █ ██████")
        assert n_epochs == 2
        assert sorted(place.committed(world)) == ["A", "eraser"]

    assert run(place, erased_meanwhile, check, sessions_of=[place.sessions[0], place.eraser]) == 35
    assert {"A writes", "eraser fences", "eraser erases"} <= waited, "each holds the other off"


def test_a_fence_that_dies_hides_nothing(place: Place) -> None:
    def check(world: World, _: Played) -> None:
        assert texts(place, world) == [TOLD, OTHER]

    assert run(place, fence_that_dies, check, sessions_of=[place.sessions[0], place.eraser]) == 10
