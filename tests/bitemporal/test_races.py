"""What sessions that race leave behind: in every order of their steps, what one of the orders one
after the other would."""

from functools import partial
from typing import Any

import pytest
from dbt_rows import day

from tests.bitemporal.race_runner import Played, Session, Step, orders
from tests.bitemporal.race_world import Place, Spec, World, ends, run

VALUES = ("Москва", "Казань", "Tver", "Acme")


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
