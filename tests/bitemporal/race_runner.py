"""Races as specs: sessions of steps, played in every order over real connections.

A step that waits for a lock is left waiting while the others go on, as PostgreSQL's isolation
tester does; after each step every session has ended its step or waits for a lock, so that the same
order always plays the same way. Orders in which a session's next step is due while it waits for
another are played too: the step comes when the one before it is done.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import psycopg

Connection = psycopg.Connection[Any]
PATIENCE_SECONDS = 30


@dataclass(frozen=True)
class Step:
    """One thing that a session does."""

    name: str
    do: Callable[[Connection], object]


@dataclass(frozen=True)
class Session:
    """Steps in their order; between them another session's may come."""

    name: str
    steps: tuple[Step, ...]


@dataclass
class Played:
    """What was seen of one order: the steps as they were started, and those that had to wait."""

    started: list[str] = field(default_factory=list)
    waited: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def orders(sessions: Sequence[Session]) -> Iterator[tuple[int, ...]]:
    """Every order of the steps that keeps each session's own: the number of a session for each."""

    def further(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield ()
        for number, n_left in enumerate(left):
            if n_left:
                rest = (*left[:number], n_left - 1, *left[number + 1 :])
                yield from ((number, *order) for order in further(rest))

    return further(tuple(len(session.steps) for session in sessions))


def play(
    sessions: Sequence[Session],
    order: Sequence[int],
    connections: Sequence[Connection],
    control: Connection,
    after_each: Callable[[], object] = lambda: None,
) -> Played:
    """Play the steps in one order. Raises what a step raises, and `TimeoutError` for a session that
    waits for ever."""
    played = Played()
    pids = [connection.info.backend_pid for connection in connections]
    running: dict[int, list[tuple[str, Future[object]]]] = {n: [] for n in range(len(sessions))}

    def settle() -> None:
        for number, steps in running.items():
            while steps:
                name, future = steps[0]
                done, _ = wait([future], timeout=0.004)
                if done:
                    future.result()
                    played.ended.append(name)
                    steps.pop(0)
                elif is_waiting(control, pids[number]):
                    if name not in played.waited:
                        played.waited.append(name)
                    break

    left = [list(session.steps) for session in sessions]
    pools = [ThreadPoolExecutor(max_workers=1) for _ in sessions]
    try:
        for number in order:
            step = left[number].pop(0)
            name = f"{sessions[number].name} {step.name}"
            played.started.append(name)
            running[number].append((name, pools[number].submit(step.do, connections[number])))
            settle()
            after_each()
        futures = [future for steps in running.values() for _, future in steps]
        _, late = wait(futures, timeout=PATIENCE_SECONDS)
        if late:
            raise TimeoutError(f"{played} waits for ever")
        settle()
        return played
    finally:
        for connection in connections:
            if any(not future.done() for steps in running.values() for _, future in steps):
                connection.cancel()
        for pool in pools:
            pool.shutdown()


def is_waiting(control: Connection, pid: int) -> bool:
    """Whether a session waits for a lock that another holds."""
    row = control.execute("select cardinality(pg_blocking_pids(%s)) > 0", [pid]).fetchone()
    return bool(row and row[0])
