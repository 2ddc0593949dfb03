"""Redaction under the seal: the database cannot mask what it cannot read, so a sealed value that the
plan redacts is opened, masked and sealed again under a new key; the old key ends with the request.
Whoever reseals keeps the new keys (`Work.resealing`) before the transaction commits.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Protocol, TypeVar
from uuid import UUID

from psycopg import sql

from memory_pipeline.governance.content_store import JSON_COLUMNS, PLACES, SENTENCE
from memory_pipeline.governance.erasure.mentions import MASK, redacted
from memory_pipeline.governance.erasure.work import Connection, Work

_KEYS = {
    "atom_content": "atom_id",
    "closure_content": "closure_id",
    "reason_content": "statement_id",
    "extraction_content": "extraction_id",
    "review_content": "review_id",
}
"""Tables that the plan redacts and that may be sealed, with the column of a row's id."""

PLANNED_SPANS = """
    with planned as (
        select message_id, int4range(span_start, span_end) as span
        from memory.erasure_span where request_id = %(request)s
        union all
        select m.message_id, int4range(0, greatest(m.n_chars, 1))
        from memory.erasure_item as i join memory.message as m on m.message_id = i.item_id
        where i.request_id = %(request)s and i.kind = 'message' and i.action = 'erase'
    ),
    spans as (select message_id, range_agg(span) as spans from planned group by message_id)
    select m.message_id, c.text, array(
        select array[lower(span), upper(span)] from unnest(s.spans) as span)
    from spans as s
    join memory.message as m using (message_id)
    join memory.message_content as c using (message_id, dialog_id)
    where memory.is_sealed(c.text)
"""
"""Sealed messages of the plan, opened, with the characters that go."""


class Change(Protocol):
    """A column of a row that the plan redacts, and what it becomes: a text or a JSON value."""

    @property
    def table(self) -> str: ...
    @property
    def column(self) -> str: ...
    @property
    def item_id(self) -> UUID: ...
    @property
    def new(self) -> Any: ...


C = TypeVar("C", bound=Change)


def reseal_rows(work: Work, changes: Iterable[C]) -> list[C]:
    """Make those of the changes that are to sealed values; returns the others, which the database
    makes."""
    by_column: dict[tuple[str, str], list[C]] = defaultdict(list)
    for change in changes:
        by_column[change.table, change.column].append(change)
    in_clear: list[C] = []
    for (table, column), found in by_column.items():
        tags = _tags(work, table, column, [change.item_id for change in found])
        for change in found:
            tag = tags.get(change.item_id)
            if tag is None:
                in_clear.append(change)
            else:
                _put(work, table, change.item_id, column, change.new, tag)
    return in_clear


def _tags(work: Work, table: str, column: str, ids: list[UUID]) -> dict[UUID, str]:
    """Under which tags these rows are sealed, by id of those that are."""
    if (table, column) not in PLACES or table not in _KEYS:
        return {}
    key = sql.Identifier(_KEYS[table])
    # of a JSON value only a string can be sealed, and no other is written out
    text = sql.SQL(
        "case when jsonb_typeof({0}) = 'string' then {0} #>> '{{}}' end"
        if column in JSON_COLUMNS
        else "{0}"
    )
    rows = work.eraser.execute(
        sql.SQL(
            "select {key}, (memory.seal_of({text})).tag from {table}"
            " where {key} = any(%s) and memory.is_sealed({text})"
        ).format(
            key=key,
            text=text.format(sql.Identifier(column)),
            table=sql.Identifier("memory", table),
        ),
        (ids,),
    )
    return dict(rows.fetchall())


def reseal_messages(work: Work) -> dict[str, int]:
    """Mask the planned characters of sealed messages; inside the content transaction, before the
    database masks those in clear. Returns how many changed."""
    rows = work.eraser.execute(PLANNED_SPANS.encode(), work.bound).fetchall()
    n_changed = 0
    for message_id, text, spans in rows:
        new = redacted(text, spans)
        if new == text:
            continue
        n_changed += 1
        if all(letter == MASK or letter.isspace() for letter in new):
            # nothing is left to be sealed
            _reseal(work, "message_content", message_id, "text", new)
        else:
            _put(work, "message_content", message_id, "text", new, SENTENCE)
    return {"resealed_message_content": n_changed} if n_changed else {}


def n_unmasked(work: Work, connection: Connection) -> int:
    """Sealed messages of which a planned character still stands."""
    rows = connection.execute(PLANNED_SPANS.encode(), work.bound)
    return sum(redacted(text, spans) != text for _, text, spans in rows)


def _put(work: Work, table: str, item_id: UUID, column: str, value: Any, tag: str) -> None:
    if column in JSON_COLUMNS:
        sealed = str(work.resealing.json(table, column, item_id, value, (tag,)).obj)
    else:
        sealed = work.resealing.text(table, column, item_id, value, (tag,))
    _reseal(work, table, item_id, column, sealed)


def _reseal(work: Work, table: str, item_id: UUID, column: str, value: str) -> None:
    work.eraser.execute(
        "select memory.reseal(%s, %s, %s, %s, %s)",
        (work.request_id, table, item_id, column, value),
    )
