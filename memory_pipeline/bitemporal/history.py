"""History of a subject: its periods on both axes, and the difference of two moments."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import psycopg
from psycopg.rows import dict_row

from memory_pipeline.bitemporal.reading import Subject, read_sql
from memory_pipeline.contracts.history import Change, ChangeKind, Period


def periods(
    connection: psycopg.Connection[Any],
    subject: Subject,
    predicate_id: int | None,
    batch_no: int | None,
) -> list[Period]:
    """All rectangles valid x known of the subject, over what the login may see."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(
            read_sql("periods.sql").encode(),
            {
                "subjects": list(subject.entity_ids),
                "predicate_id": predicate_id,
                "batch_no": batch_no,
            },
        ).fetchall()
    return [
        Period.model_validate(
            row
            | {
                "atom_id": str(row["atom_id"]),
                "supersedes": row["supersedes"] and str(row["supersedes"]),
                "supports": tuple(map(str, row["supports"])),
                "contradicted_by": tuple(map(str, row["contradicted_by"])),
            }
        )
        for row in rows
    ]


def difference(found: Sequence[Period], earlier: datetime, later: datetime) -> list[Change]:
    """What was learned, changed and taken back between two moments of knowledge.

    Periods are matched by the atom that they rest on, so a value that merely got its end counts
    as changed. `earlier` must lie before `later`.
    """
    if earlier >= later:
        raise ValueError("a difference needs an earlier and a later moment")
    before, after = _known(found, earlier), _known(found, later)
    changes = []
    for atom_id in [*before, *(new for new in after if new not in before)]:
        old, new = before.get(atom_id, []), after.get(atom_id, [])
        for was, now in _pairs(old, new):
            if was is not None and now is not None and _bounds(was) == _bounds(now):
                continue
            shown = now or was
            if shown is None:
                continue
            kind = ChangeKind.changed
            if was is None:
                kind = ChangeKind.learned
            elif now is None:
                kind = ChangeKind.withdrawn
            changes.append(
                Change(
                    kind=kind,
                    predicate=shown.predicate,
                    object=shown.object,
                    atom_id=shown.atom_id,
                    before=was and _bounds(was),
                    after=now and _bounds(now),
                    corrected=bool(old) and not new,
                )
            )
    return changes


def _known(found: Sequence[Period], at: datetime) -> dict[str, list[Period]]:
    known: dict[str, list[Period]] = defaultdict(list)
    for period in found:
        if (period.known_from is None or period.known_from <= at) and (
            period.known_to is None or at < period.known_to
        ):
            known[period.atom_id].append(period)
    return known


def _pairs(
    old: Sequence[Period], new: Sequence[Period]
) -> list[tuple[Period | None, Period | None]]:
    """Equal bounds first, then in order of time."""
    left = [p for p in old if _bounds(p) not in {_bounds(q) for q in new}]
    right = [p for p in new if _bounds(p) not in {_bounds(q) for q in old}]
    length = max(len(left), len(right))
    padded_left: list[Period | None] = [*left, *[None] * (length - len(left))]
    padded_right: list[Period | None] = [*right, *[None] * (length - len(right))]
    return list(zip(padded_left, padded_right, strict=True))


def _bounds(period: Period) -> tuple[datetime | None, datetime | None]:
    return period.valid_from, period.valid_to
