"""The database's resolution and the plain Python one agree on every history."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_pipeline.bitemporal import oracle, resolution
from memory_pipeline.bitemporal.resolution import EARLIEST, Rectangle, Segment, Stmt

DAY_0 = datetime(2025, 1, 1, tzinfo=UTC)
DAYS = 12
BEFORE_THE_TELLING = [timedelta(hours=hours) for hours in (-1, 0, 12, 24, 48)]
Connection = psycopg.Connection[tuple[Any, ...]]


def day(number: int | None) -> datetime | None:
    return None if number is None else DAY_0 + timedelta(days=number)


days = st.integers(0, DAYS)
maybe_day = st.one_of(st.none(), days)
values = st.sampled_from([b"a", b"b", b"c"])
flags = st.booleans()
trusts = st.sampled_from([1, 3, 3, 3, 4])


@st.composite
def atoms(draw: st.DrawFn) -> dict[str, Any]:
    shape = draw(st.sampled_from(["open", "open", "telling", "telling", "stay", "past", "denial"]))
    said: dict[str, Any] = {"object_key": draw(values), "erased": draw(st.integers(0, 5)) == 0}
    if shape == "telling":
        return said | {"start_inferred": True, "holds_when_told": True}
    if shape == "past":
        return said | {
            "start_inferred": draw(flags),
            "valid_from": draw(maybe_day),
            "until": draw(st.sampled_from([None, *BEFORE_THE_TELLING])),
            "holds_when_told": False,
        }
    said |= {"valid_from": draw(maybe_day), "holds_when_told": draw(flags)}
    if shape == "stay":
        said["valid_to"] = draw(days)
    if shape == "denial":
        said |= {"polarity": "denied", "valid_to": draw(maybe_day)}
    return said


@st.composite
def closures(draw: st.DrawFn) -> dict[str, Any]:
    action = draw(st.sampled_from(["ended", "ended", "corrected", "retracted", "cancelled"]))
    said = {
        "type": "closure",
        "action": action,
        "object_key": draw(st.one_of(st.none(), values, values)),
        "polarity": "denied" if draw(st.integers(0, 7)) == 0 else "affirmed",
        "planned_start": draw(st.one_of(st.none(), st.none(), days)),
    }
    if action == "ended":
        said["ended_at"] = draw(maybe_day)
    return said


@st.composite
def ordinary_histories(draw: st.DrawFn) -> list[Stmt]:
    """A message a statement, told day after day, about the days around it: where edges touch."""
    stmts = []
    told = 1
    ranks = draw(st.sampled_from([[3], [3], [2, 3]]))
    for number in range(draw(st.integers(2, 7))):
        told += draw(st.sampled_from([1, 1, 0]))
        near = st.integers(told - 1, told + 1)
        value = draw(st.sampled_from([b"a", b"a", b"a", b"b"]))
        shape = draw(
            st.sampled_from(["telling", "telling", "open", "stay", "ended", "any", "not", "past"])
        )
        fields: dict[str, Any] = {"object_key": value, "valid_from": day(told)}
        if shape in ("ended", "any"):
            fields = {"type": "closure", "action": "ended", "ended_at": day(draw(near))}
            fields["object_key"] = value if shape == "ended" else None
        elif shape == "telling":
            fields["start_inferred"] = True
        elif shape == "past":
            until = DAY_0 + timedelta(days=told) - draw(st.sampled_from(BEFORE_THE_TELLING[1:3]))
            fields |= {"valid_from": None, "valid_to": until, "holds_when_told": False}
        else:
            fields["valid_from"] = day(draw(near))
            fields["polarity"] = "denied" if shape == "not" else "affirmed"
            if shape == "stay":
                fields["valid_to"] = fields["valid_from"] + timedelta(days=draw(st.integers(1, 3)))
        stmts.append(
            Stmt(
                id=UUID(int=number + 1),
                told_at=day(told),
                told_order=(day(told), 0, bytes([number]), 0, 9, b""),
                trust=draw(st.sampled_from(ranks)),
                erased=draw(st.integers(0, 9)) == 0,
                **fields,
            )
        )
    return draw(st.permutations(stmts))


@st.composite
def wild_histories(draw: st.DrawFn) -> list[Stmt]:
    """Statements of every shape, spread over a few messages."""
    messages = draw(st.lists(maybe_day, min_size=1, max_size=5))
    drafts = draw(st.lists(st.one_of(atoms(), atoms(), closures()), min_size=1, max_size=9))
    stmts = []
    for number, draft in enumerate(drafts):
        message = draw(st.integers(0, len(messages) - 1))
        told = messages[message]
        fields = dict(draft)
        if fields.get("start_inferred") and fields.get("holds_when_told"):
            fields["valid_from"] = told
        for name in ("valid_from", "valid_to", "planned_start", "ended_at"):
            fields[name] = day(fields.get(name))
        told_at = day(told)
        until = fields.pop("until", None)
        if until is not None and told_at is not None:
            fields["valid_to"] = told_at - until
        order = (told_at or EARLIEST, 0, bytes([message]), draw(st.integers(0, 3)), 9)
        stmts.append(
            Stmt(
                id=UUID(int=number + 1),
                told_at=told_at,
                told_order=(*order, bytes([number])),
                trust=draw(trusts),
                own=draw(flags),
                **fields,
            )
        )
    return draw(st.permutations(stmts))


def histories() -> st.SearchStrategy[list[Stmt]]:
    """Statements of one key, in any order of arrival."""
    return st.one_of(ordinary_histories(), wild_histories())


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with psycopg.connect(database) as opened:
        yield opened


def at(segments: list[Segment], valid_at: datetime) -> tuple[Any, ...] | None:
    found = oracle.answer(segments, valid_at)
    return found and (found.object_key, found.atom_id, found.erased)


many = settings(
    max_examples=250,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@settings(many, max_examples=1000)
@given(histories())
def test_the_database_resolves_every_history_as_the_oracle_does(
    connection: Connection, stmts: list[Stmt]
) -> None:
    assert resolution.fold(connection, stmts) == oracle.timeline(stmts)


@many
@given(histories())
def test_every_cell_of_valid_and_known_lies_in_the_rectangle_of_its_answer(
    connection: Connection, stmts: list[Stmt]
) -> None:
    found = resolution.rectangles(connection, stmts)

    def covers(rectangle: Rectangle, valid_at: datetime, known_at: datetime) -> bool:
        inside = oracle.answer([rectangle.segment], valid_at) is not None
        since = rectangle.known_from is None or rectangle.known_from <= known_at
        return inside and since and (rectangle.known_to is None or known_at < rectangle.known_to)

    for known_at in (DAY_0 + timedelta(days=k) for k in range(-1, DAYS + 2)):
        line = oracle.timeline(oracle.known(stmts, known_at))
        for valid_at in (DAY_0 + timedelta(days=v) for v in range(-1, DAYS + 2)):
            covering = [r.segment for r in found if covers(r, valid_at, known_at)]
            answer = oracle.answer(line, valid_at)
            assert covering == ([answer] if answer else [])

    def key(rectangle: Rectangle) -> str:
        return repr(rectangle)

    assert sorted(found, key=key) == sorted(oracle.rectangles(stmts), key=key)


@settings(max_examples=300, deadline=None)
@given(histories(), st.randoms())
def test_erasing_an_atom_changes_no_answer_of_another_value(stmts: list[Stmt], random: Any) -> None:
    atoms_only = [stmt for stmt in stmts if stmt.affirms and not stmt.erased]
    if not atoms_only:
        return
    gone = random.choice(atoms_only)
    after = [
        Stmt(**{**stmt.__dict__, "erased": True}) if stmt.id == gone.id else stmt for stmt in stmts
    ]
    before_line, after_line = oracle.timeline(stmts), oracle.timeline(after)
    for valid_at in (DAY_0 + timedelta(days=v) for v in range(-1, DAYS + 2)):
        was, now = at(before_line, valid_at), at(after_line, valid_at)
        assert (was and was[0]) == (now and now[0])


@settings(max_examples=200, deadline=None)
@given(histories(), values, trusts, flags, st.sampled_from(BEFORE_THE_TELLING[1:3]))
def test_a_past_value_told_without_its_dates_takes_no_stretch_from_a_known_value(
    stmts: list[Stmt], value: bytes, trust: int, own: bool, until: timedelta
) -> None:
    told = DAY_0 + timedelta(days=DAYS + 1)
    past = Stmt(
        id=UUID(int=1000),
        told_at=told,
        told_order=(told, 0, b"past", 0, 9, b""),
        object_key=value,
        valid_to=told - until,
        holds_when_told=False,
        trust=trust,
        own=own,
    )
    before_line, after_line = oracle.timeline(stmts), oracle.timeline([*stmts, past])
    for valid_at in (DAY_0 + timedelta(days=v) for v in range(-1, DAYS + 3)):
        was, now = at(before_line, valid_at), at(after_line, valid_at)
        assert was is None or (now is not None and now[0] == was[0])
        assert was is not None or now is None or now[0] == value
