"""The labelled facts, fed as gold atoms, answer every question of theirs."""

import random
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import psycopg
import pytest

from memory_pipeline.bitemporal import oracle, resolution
from memory_pipeline.bitemporal.resolution import Stmt
from tests import labelled_facts
from tests.labelled_facts import SINGLE, gold, periods, sent

SPACE = UUID(int=0)


def statements(dialog: dict[str, Any]) -> dict[tuple[str, str], list[Stmt]]:
    """Gold atoms and closures by (subject, predicate)."""
    told_at = sent(dialog)
    found: dict[tuple[str, str], list[Stmt]] = {}

    def order(message: int, at: int) -> tuple[Any, ...]:
        return (told_at[message], 0, message.to_bytes(2, "big"), at, at, b"")

    for atom in gold(dialog):
        said = found.setdefault((atom.subject, atom.predicate), [])
        said.append(
            Stmt(
                id=uuid5(SPACE, f"{dialog['id']} {atom.place}"),
                told_at=told_at[atom.told_by],
                told_order=order(atom.told_by, 2 * atom.place + 1),
                object_key=atom.object.encode(),
                valid_from=atom.start,
                valid_to=atom.end,
                start_inferred=atom.start_inferred,
                holds_when_told=atom.holds_when_told,
            )
        )
        if atom.closure is not None:
            said.append(
                Stmt(
                    id=uuid5(SPACE, f"{dialog['id']} {atom.place} end"),
                    type="closure",
                    action=atom.closure.action,
                    told_at=told_at[atom.closure.told_by],
                    told_order=order(atom.closure.told_by, 2 * atom.place),
                    object_key=atom.object.encode(),
                    ended_at=atom.closure.ended_at,
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
        for value in sorted({s.object_key for s in stmts if s.object_key is not None})
    ]


@pytest.fixture(scope="module")
def dialogs(shared_data: Path) -> list[dict[str, Any]]:
    return labelled_facts.dialogs(shared_data)


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
        for key, expected in periods(dialog).items():
            lines = [oracle.timeline(stmts) for stmts in folds(dialog, key)]
            found = {
                (s.object_key.decode(), s.valid_from, s.valid_to)
                for line in lines
                for s in line
                if s.object_key is not None
            }
            if found != expected:
                wrong.append((dialog["id"], *key))
    assert not wrong
