"""What was taken from a stored value, as edits that the database makes itself: by construction they
only mask characters and leave out elements of arrays, so what comes back need not be compared.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from memory_pipeline.governance.erasure.mentions import MASK
from memory_pipeline.governance.erasure.work import Connection

Path = list[str]
Spans = list[tuple[int, int]]
Edit = tuple[Path, Spans | None]
"""A path in a JSON value, the empty one of itself, and the characters to be masked there; None leaves
the element out."""


class NotLess(ValueError):
    """A value is not the stored one with masked characters and fewer elements."""


@dataclass(frozen=True)
class Redaction:
    """A stored value of the plan and its edits, of a text these are spans; and what it becomes, for
    one that the database cannot edit."""

    table: str
    column: str
    item_id: UUID
    edits: list[Edit] | Spans
    new: Any = field(repr=False)


def of_text(table: str, column: str, item_id: UUID, old: str, new: str) -> Redaction:
    """How a column of text becomes `new`. Raises `NotLess`."""
    return Redaction(table, column, item_id, masked_spans(old, new), new)


def of_json(table: str, column: str, item_id: UUID, old: Any, new: Any) -> Redaction:
    """How a JSON value becomes `new`. Raises `NotLess`."""
    return Redaction(table, column, item_id, list(_edits(old, new, [])), new)


def masked_spans(old: str, new: str) -> Spans:
    """The characters of `old` that are blocks in `new`, in code points. Raises `NotLess`."""
    if len(old) != len(new):
        raise NotLess("a masked text has the length of the stored one")
    spans: Spans = []
    start = 0
    for is_kept, run in groupby(zip(old, new, strict=True), lambda pair: pair[0] == pair[1]):
        letters = list(run)
        if not is_kept:
            # spaces stay in the database, so they must have stayed here
            if any(after != MASK or before.isspace() for before, after in letters):
                raise NotLess("a text may only be masked")
            spans.append((start, start + len(letters)))
        start += len(letters)
    return spans


def _edits(old: Any, new: Any, path: Path) -> Iterator[Edit]:
    """Edits in an order in which the database may make them: no path moves before it is used."""
    if old == new and type(old) is type(new):
        return
    if isinstance(old, str) and isinstance(new, str):
        yield path, masked_spans(old, new)
    elif isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key, value in old.items():
            yield from _edits(value, new[key], [*path, key])
    elif isinstance(old, list) and isinstance(new, list | tuple):
        # from the end: what is left out moves only what was done before
        at = len(new) - 1
        for n in range(len(old) - 1, -1, -1):
            here = [*path, str(n)]
            found = _edits_or_none(old[n], new[at], here) if at >= 0 else None
            if found is None:
                yield here, None
            else:
                yield from found
                at -= 1
        if at >= 0:
            raise NotLess("a list holds what the stored one does not")
    else:
        raise NotLess("a value is of another kind or has other keys")


def _edits_or_none(old: Any, new: Any, path: Path) -> list[Edit] | None:
    try:
        return list(_edits(old, new, path))
    except NotLess:
        return None


def put(connection: Connection, request_id: UUID, redactions: list[Redaction]) -> dict[str, int]:
    """Redact planned values, column by column, in the caller's transaction; returns how many
    changed, by table. Raises what `memory.redact_rows` raises."""
    counts: dict[str, int] = {}
    by_column: dict[tuple[str, str], list[Redaction]] = {}
    for one in redactions:
        by_column.setdefault((one.table, one.column), []).append(one)
    for (table, column), found in by_column.items():
        row = connection.execute(
            sql.SQL("select memory.redact_rows(%s, %s, %s, %s, %s)"),
            (
                request_id,
                table,
                column,
                [one.item_id for one in found],
                [Jsonb(one.edits) for one in found],
            ),
        ).fetchone()
        counts[table] = counts.get(table, 0) + int(row[0] if row else 0)
    return counts
