"""Every case of `bitemporal_cases/` is answered as a person would, by the oracle and the database."""

import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml

from memory_pipeline.bitemporal import oracle, resolution
from memory_pipeline.bitemporal.resolution import EARLIEST, LATEST, Segment, Stmt
from memory_pipeline.local.services import Services
from tests.databases import fresh_database

FOLDER = Path(__file__).parent / "bitemporal_cases"
TRUST = {"human": 4, "self": 3, "user": 3, "tool": 2, "assistant": 1}
ACTIONS = ("ended", "corrected", "retracted", "cancelled")
Connection = psycopg.Connection[tuple[Any, ...]]


def cases() -> list[Any]:
    found = []
    for path in sorted(FOLDER.glob("*.yaml")):
        found += [
            pytest.param(case, id=f"{path.stem}: {case['name']}")
            for case in yaml.safe_load(path.read_text(encoding="utf-8"))
        ]
    return found


@pytest.fixture(scope="module")
def connection(services: Services) -> Iterator[Connection]:
    with (
        fresh_database(services) as name,
        psycopg.connect(services.pg_dsn("mem_owner", name)) as opened,
    ):
        yield opened


def moment(value: Any) -> datetime | None:
    if value in (None, "ever", "never", "open"):
        return None
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC)
    assert isinstance(value, date), value
    return datetime.combine(value, time(), UTC)


def key(value: Any) -> bytes | None:
    return None if value == "any" else str(value).encode()


def statement(place: int, said: dict[str, Any]) -> Stmt:
    told = moment(said["told"])
    message = str(said.get("message", f"message {place}")).encode()
    who = said.get("who", "user")
    shared = {
        "id": uuid.UUID(int=place + 1),
        "told_at": told,
        "told_order": (told or EARLIEST, 0, message, place, place, bytes([place])),
        "trust": TRUST[who],
        "own": who == "self",
        "erased": said.get("erased", False),
    }
    for action in ACTIONS:
        if action in said:
            return Stmt(
                **shared,
                type="closure",
                action=action,
                object_key=key(said[action]),
                polarity="denied" if said.get("of") == "denials" else "affirmed",
                planned_start=moment(said.get("start")),
                ended_at=moment(said.get("at")),
            )
    denied = "not" in said
    return Stmt(
        **shared,
        object_key=key(said["not" if denied else "is"]),
        polarity="denied" if denied else "affirmed",
        valid_from=moment(said["from"]) if "from" in said else told,
        valid_to=moment(said.get("to")),
        start_inferred="from" not in said,
        holds_when_told=said.get("holds", True),
    )


def check(found: Segment | None, expected: dict[str, Any], named: dict[str, uuid.UUID]) -> None:
    value = expected["is"]
    if value == "none":
        assert found is None
        return
    assert found is not None
    if value == "erased":
        assert found.erased
    else:
        assert (found.object_key, found.erased) == (key(value), False)
    if "from" in expected:
        assert found.valid_from == moment(expected["from"])
    if "to" in expected:
        assert found.valid_to == moment(expected["to"])
    if "supersedes" in expected:
        assert found.supersedes == named.get(expected["supersedes"])
    for name in ("supports", "contradicted_by"):
        if name in expected:
            assert getattr(found, name) == tuple(named[other] for other in expected[name])


@pytest.mark.parametrize("case", cases())
def test_a_case_is_answered_as_a_person_would(case: dict[str, Any], connection: Connection) -> None:
    stmts = [statement(place, said) for place, said in enumerate(case["statements"])]
    named = {
        said["as"]: stmt.id
        for said, stmt in zip(case["statements"], stmts, strict=True)
        if "as" in said
    }
    public = [
        stmt
        for said, stmt in zip(case["statements"], stmts, strict=True)
        if said.get("audience") != "private"
    ]
    for expected in case["expect"]:
        seen = public if expected.get("reader") == "public" else stmts
        valid_at = moment(expected["valid"])
        known_at = moment(expected.get("known")) or LATEST
        assert valid_at is not None
        told = oracle.known(seen, known_at)
        check(oracle.answer(oracle.timeline(told), valid_at), expected, named)
        check(oracle.answer(resolution.fold(connection, told), valid_at), expected, named)
        from_rectangles = [
            rectangle.segment
            for rectangle in resolution.rectangles(connection, seen)
            if (rectangle.known_from or EARLIEST) <= known_at
            and (rectangle.known_to is None or known_at < rectangle.known_to)
        ]
        check(oracle.answer(from_rectangles, valid_at), expected, named)
