"""The labelled facts, fed as gold atoms, answer every question of theirs."""

import json
import random
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

import psycopg
import pytest

from memory_pipeline.bitemporal import oracle, resolution
from memory_pipeline.bitemporal.resolution import Stmt

SINGLE = {
    "location",
    "employer",
    "job_title",
    "age",
    "birth_date",
    "marital_status",
    "budget_limit",
    "deadline",
    "address",
}
SPACE = UUID(int=0)


def moment(text: str | None, zone: ZoneInfo) -> datetime | None:
    if text is None:
        return None
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=zone)


def statements(dialog: dict[str, Any]) -> dict[tuple[str, str], list[Stmt]]:
    """Gold atoms by (subject, predicate). An end that a later value brings about is withheld; an end
    told by another message is a closure of that message; an end told with the value is its own."""
    zone = ZoneInfo(dialog["tz"])
    sent = {m["n"]: datetime.fromisoformat(m["sent_at"]) for m in dialog["messages"]}
    found: dict[tuple[str, str], list[Stmt]] = {}
    for place, atom in enumerate(dialog["atoms"]):
        key = (atom["subject"], atom["predicate"])
        told_by = max(atom["source"])
        start, end = moment(atom["valid_from"], zone), moment(atom["valid_to"], zone)
        succeeded = atom["predicate"] in SINGLE and any(
            moment(other["valid_from"], zone) == end
            for other in dialog["atoms"]
            if (other["subject"], other["predicate"]) == key and other is not atom
        )
        ended_by = atom.get("ended_by")
        is_stay = end is not None and ended_by is None and not succeeded
        object_key = atom["object"].encode()

        def order(message: int, at: int, sent: Any = sent) -> tuple[Any, ...]:
            return (sent[message], 0, message.to_bytes(2, "big"), at, at, b"")

        found.setdefault(key, []).append(
            Stmt(
                id=uuid5(SPACE, f"{dialog['id']} {place}"),
                told_at=sent[told_by],
                told_order=order(told_by, 2 * place + 1),
                object_key=object_key,
                valid_from=start,
                valid_to=end if is_stay else None,
                start_inferred=start is not None and start.date() == sent[told_by].date(),
                holds_when_told=not is_stay,
            )
        )
        retracted = atom.get("retracted", False)
        if ended_by is not None and (retracted or not succeeded):
            found[key].append(
                Stmt(
                    id=uuid5(SPACE, f"{dialog['id']} {place} end"),
                    type="closure",
                    action="corrected" if retracted else "ended",
                    told_at=sent[ended_by],
                    told_order=order(ended_by, 2 * place),
                    object_key=object_key,
                    ended_at=None if retracted else end,
                )
            )
    return found


def folds(dialog: dict[str, Any], key: tuple[str, str]) -> list[list[Stmt]]:
    """The statements of one (subject, predicate), a list for each timeline that they make."""
    stmts = statements(dialog).get(key, [])
    if key[1] in SINGLE:
        return [stmts]
    return [
        [s for s in stmts if s.object_key == value]
        for value in sorted({s.object_key for s in stmts})
    ]


@pytest.fixture(scope="module")
def dialogs(shared_data: Path) -> list[dict[str, Any]]:
    lines = (shared_data / "labelled" / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_every_labelled_question_is_answered_from_gold_atoms(
    dialogs: list[dict[str, Any]], database: str
) -> None:
    shuffle = random.Random(7)
    wrong = []
    asked = 0
    with psycopg.connect(database) as connection:
        for dialog in dialogs:
            for ask in dialog["asks"]:
                asked += 1
                valid_at = datetime.fromisoformat(ask["valid_at"])
                values = []
                for stmts in folds(dialog, (ask["subject"], ask["predicate"])):
                    if ask["known_at"]:
                        stmts = oracle.known(stmts, datetime.fromisoformat(ask["known_at"]))
                    shuffle.shuffle(stmts)
                    line = resolution.fold(connection, stmts)
                    assert line == oracle.timeline(stmts)
                    held = oracle.answer(line, valid_at)
                    values += [held.object_key.decode()] if held and held.object_key else []
                expected = ask["object"] if isinstance(ask["object"], list) else [ask["object"]]
                if sorted(values) != sorted(value for value in expected if value is not None):
                    wrong.append((dialog["id"], ask["predicate"], ask["valid_at"]))
    assert not wrong, f"{len(wrong)} of {asked} answered wrongly: {wrong}"


def test_the_periods_of_the_labelled_facts_come_out_as_labelled(
    dialogs: list[dict[str, Any]],
) -> None:
    wrong = []
    for dialog in dialogs:
        zone = ZoneInfo(dialog["tz"])
        expected: dict[tuple[str, str], set[Any]] = {}
        for atom in dialog["atoms"]:
            start, end = moment(atom["valid_from"], zone), moment(atom["valid_to"], zone)
            if not atom.get("retracted"):
                key = (atom["subject"], atom["predicate"])
                expected.setdefault(key, set()).add((atom["object"].encode(), start, end))
        for key, periods in expected.items():
            lines = [oracle.timeline(stmts) for stmts in folds(dialog, key)]
            found = {(s.object_key, s.valid_from, s.valid_to) for line in lines for s in line}
            if found != periods:
                wrong.append((dialog["id"], *key))
    assert not wrong
