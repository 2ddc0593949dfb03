"""Published cases of other bitemporal systems, retyped, answered by the oracle and the database.

A case is a list of operations in told order and of questions. An operation is a `put` of a value
(`from`, `to`: its period, open where left out), an `update` (a put only where something holds), a
`delete` of a period, or an `erase` of a key; `at` is its system time, here the told time, and by
default each operation comes a day after the one before. `key` tells things apart. Integers are days.
A question is about a moment (`valid`, `known`), about all values within a stretch of valid or known
time (FROM-TO without its end, BETWEEN with it), or about `rows`, the periods themselves.

`is` and `are` say what this store answers, `theirs` what that system answers where it differs; a put
that it refuses is marked so. What is said of the other systems is held against a model of them: at
each moment the last operation over it answers. Neighbours of one value are one period here.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
import yaml

from memory_pipeline.bitemporal import oracle, resolution
from memory_pipeline.bitemporal.resolution import EARLIEST, LATEST, Rectangle, Segment, Stmt

FOLDER = Path(__file__).parent / "anchors"
DAY_0 = datetime(2000, 1, 1, tzinfo=UTC)
TODAY = datetime(2024, 11, 1, tzinfo=UTC)
Connection = psycopg.Connection[tuple[Any, ...]]
Case = dict[str, Any]


def published() -> list[Case]:
    return [
        case | {"suite": path.stem}
        for path in sorted(FOLDER.glob("*.yaml"))
        for case in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


CASES = published()


def moment(value: Any) -> datetime | None:
    if value is None or value in ("ever", "open"):
        return None
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    assert isinstance(value, int), value
    return DAY_0 + timedelta(days=value)


@dataclass(frozen=True)
class Operation:
    """What one operation does to one key; `value` null takes out."""

    key: str
    at: datetime
    value: str | None
    start: datetime
    end: datetime
    only_what_holds: bool
    refused: bool
    erases: bool


def operations(case: Case) -> list[Operation]:
    found = []
    for place, said in enumerate(case["operations"]):
        value = said.get("put", said.get("update"))
        assert len({"put", "update", "delete", "erase"} & said.keys()) == 1, said
        found.append(
            Operation(
                key=str(said.get("key", "k")),
                at=moment(said.get("at")) or TODAY + timedelta(days=place),
                value=None if value is None else str(value),
                start=moment(said.get("from")) or EARLIEST,
                end=moment(said.get("to")) or LATEST,
                only_what_holds="update" in said,
                refused=said.get("refused", False),
                erases="erase" in said,
            )
        )
    return found


class Ours:
    """The operations as statements of this store."""

    def __init__(self, case: Case) -> None:
        self.keys: dict[str, list[Stmt]] = {}
        self._n = 0
        for operation in operations(case):
            stmts = self.keys.setdefault(operation.key, [])
            if operation.erases:
                self.keys[operation.key] = [replace(s, erased=s.affirms) for s in stmts]
            elif operation.value is None:
                self._delete(operation, stmts)
            elif operation.only_what_holds:
                for start, end, _ in self._pieces(operation, stmts):
                    stmts.append(self._atom(operation, operation.value, start, end))
            else:
                start, end = operation.start, operation.end
                stmts.append(self._atom(operation, operation.value, start, end))

    def _delete(self, operation: Operation, stmts: list[Stmt]) -> None:
        """Deny what holds there, and what comes to light beneath."""
        while pieces := self._pieces(operation, stmts):
            for start, end, value in pieces:
                stmts.append(self._atom(operation, value, start, end, denied=True))

    @staticmethod
    def _pieces(operation: Operation, stmts: list[Stmt]) -> list[tuple[datetime, datetime, str]]:
        found = []
        for segment in oracle.timeline(stmts):
            start = max(operation.start, segment.valid_from or EARLIEST)
            end = min(operation.end, segment.valid_to or LATEST)
            if start < end and segment.object_key is not None:
                found.append((start, end, segment.object_key.decode()))
        return found

    def _atom(
        self,
        operation: Operation,
        value: str,
        start: datetime,
        end: datetime,
        *,
        denied: bool = False,
    ) -> Stmt:
        self._n += 1
        return Stmt(
            id=UUID(int=self._n),
            told_at=operation.at,
            told_order=(operation.at, 0, self._n.to_bytes(4, "big"), 0, 0, b""),
            object_key=value.encode(),
            polarity="denied" if denied else "affirmed",
            valid_from=None if start == EARLIEST else start,
            valid_to=None if end == LATEST else end,
        )


class Theirs:
    """The model: of each key, the last operation over a moment answers."""

    def __init__(self, case: Case) -> None:
        self.operations = [o for o in operations(case) if not o.refused]

    def answer(self, key: str, valid_at: datetime, known_at: datetime) -> str | None:
        found: str | None = None
        for operation in self.operations:
            if operation.key != key:
                continue
            if operation.erases:
                found = None
            elif (
                operation.at <= known_at
                and operation.start <= valid_at < operation.end
                and (found is not None or not operation.only_what_holds)
            ):
                found = operation.value
        return found

    def within(
        self, key: str, valid: tuple[datetime, datetime], known: tuple[datetime, datetime]
    ) -> set[str]:
        """The values that answer anywhere within two stretches, both with their ends."""
        valid_edges = (
            {valid[0]} | {o.start for o in self.operations} | {o.end for o in self.operations}
        )
        known_edges = {known[0]} | {o.at for o in self.operations}
        found = {
            self.answer(key, v, k)
            for v in valid_edges
            if valid[0] <= v <= valid[1]
            for k in known_edges
            if known[0] <= k <= known[1]
        }
        return {value for value in found if value is not None}


def stretch(line: dict[str, Any], name: str) -> tuple[datetime, datetime]:
    """A stretch of the valid or known axis that a line asks about, with its ends."""
    if name in line:
        at = moment(line[name])
        assert at is not None
        return at, at
    if f"{name}_between" in line:
        start, end = map(moment, line[f"{name}_between"])
        return start or EARLIEST, end or LATEST
    if f"{name}_from_to" in line:
        start, end = map(moment, line[f"{name}_from_to"])
        return start or EARLIEST, (end or LATEST) - timedelta(microseconds=1)
    return (LATEST, LATEST) if name == "known" else (EARLIEST, LATEST)


def shown(segment: Segment | None) -> str | None:
    if segment is None:
        return None
    assert segment.object_key is not None
    return "erased" if segment.erased else segment.object_key.decode()


def meets(rectangle: Rectangle, valid: tuple[Any, Any], known: tuple[Any, Any]) -> bool:
    segment = rectangle.segment
    return (
        (segment.valid_from or EARLIEST) <= valid[1]
        and valid[0] < (segment.valid_to or LATEST)
        and (rectangle.known_from or EARLIEST) <= known[1]
        and (rectangle.known_to is None or known[0] < rectangle.known_to)
    )


@pytest.fixture(scope="module")
def connection(module_database: str) -> Iterator[Connection]:
    with psycopg.connect(module_database) as opened:
        yield opened


@pytest.mark.parametrize("case", CASES, ids=[f"{c['suite']}: {c['name']}" for c in CASES])
def test_a_published_case_is_answered_as_published_or_as_said(
    case: Case, connection: Connection
) -> None:
    ours, theirs = Ours(case), Theirs(case)
    assert case["expect"]
    for line in case["expect"]:
        key = str(line.get("key", "k"))
        stmts = ours.keys.get(key, [])
        valid, known = stretch(line, "valid"), stretch(line, "known")
        if "rows" in line:
            rows = [(str(v), moment(f), moment(t)) for v, f, t in line["rows"]]
            told = oracle.known(stmts, known[0])
            for periods in (oracle.timeline(told), resolution.fold(connection, told)):
                assert [(shown(s), s.valid_from, s.valid_to) for s in periods] == rows
            continue
        if "are" in line:
            expected = {str(value) for value in line["are"]}
            for found in (oracle.rectangles(stmts), resolution.rectangles(connection, stmts)):
                assert {shown(r.segment) for r in found if meets(r, valid, known)} == expected
            published = {str(value) for value in line.get("theirs", line["are"])}
            assert theirs.within(key, valid, known) == published
            continue
        told = oracle.known(stmts, known[0])
        answer = None if line["is"] == "none" else str(line["is"])
        for segment in (
            oracle.answer(oracle.timeline(told), valid[0]),
            oracle.answer(resolution.fold(connection, told), valid[0]),
        ):
            assert shown(segment) == answer
            for name in ("from", "to"):
                if name in line and segment is not None:
                    assert getattr(segment, f"valid_{name}") == moment(line[name])
        published_answer = line.get("theirs", line["is"])
        assert (theirs.answer(key, valid[0], known[0]) or "none") == str(published_answer)


def test_there_are_at_least_eighty_published_cases_each_with_its_source() -> None:
    assert len({(case["suite"], case["name"]) for case in CASES}) == len(CASES)
    assert len(CASES) >= 80
    assert all(case["source"].split(",")[0] for case in CASES)
    asked = [line for case in CASES for line in case["expect"]]
    assert sum("valid" in line and "is" in line for line in asked) >= 80, "AS OF"
    assert sum(any("between" in name for name in line) for line in asked) >= 20, "BETWEEN"
    assert sum("theirs" in line for line in asked) >= 5, "where open ends differ, both are stated"
