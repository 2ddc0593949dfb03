"""The review lists: what a person should look at, as far as this person may see it.

Candidates for predicates, borderline importance, flagged windows, joins that were skipped. An
item has the audience of what it came from; counts are over the visible items alone, and closing
takes the same right as reading.
"""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.rows import dict_row

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.memory import Memory
from memory_pipeline.understand.candidates import CANDIDATE, plain
from memory_pipeline.understand.windows import read_sql

BORDERLINE = "borderline_importance"
N_EXAMPLES = 3


def counts(memory: Memory) -> dict[str, dict[str, int]]:
    """Items by kind and state."""
    found: dict[str, dict[str, int]] = {}
    for kind, state, n in memory.connection.execute(
        "select kind, state::text, count(*) from memory.review where tenant_id = %s"
        " group by kind, state order by kind, state",
        (memory.tenant_id,),
    ):
        found.setdefault(kind, {})[state] = n
    return found


def items(
    memory: Memory,
    *,
    kind: str | None = None,
    state: str | None = "open",
    review_id: UUID | None = None,
    limit: int = 100,
) -> list[dict[str, Any]]:
    """Items with what they are about and where it was said, oldest first. An item whose content
    was erased stays, without it."""
    bound = {
        "tenant_id": memory.tenant_id,
        "kind": kind,
        "state": state,
        "review_id": review_id,
        "limit": limit,
    }
    with memory.connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(read_sql("review_items.sql").encode(), bound).fetchall()


def candidates(memory: Memory, *, state: str | None = "open") -> list[dict[str, Any]]:
    """`[{"predicate", "n", "n_dialogs", "examples": [{"object", "text"}]}]`: what extractors
    proposed as predicates, the commonest first."""
    rows = memory.connection.execute(
        "select r.review_id, m.dialog_id, c.item from memory.review as r"
        " join memory.review_content as c using (review_id)"
        " left join memory.message as m on m.message_id = r.message_id"
        " where r.tenant_id = %s and r.kind = %s"
        " and (%s::text is null or r.state::text = %s) order by r.review_id",
        (memory.tenant_id, CANDIDATE, state, state),
    )
    found: dict[str, dict[str, Any]] = {}
    for _, dialog_id, item in rows:
        name = _name_of(item)
        one = found.setdefault(name, {"predicate": name, "n": 0, "dialogs": set(), "examples": []})
        one["n"] += 1
        one["dialogs"].add(dialog_id)
        example = {"object": item.get("object"), "text": item.get("text")}
        if len(one["examples"]) < N_EXAMPLES and example not in one["examples"]:
            one["examples"].append(example)
    for one in found.values():
        one["n_dialogs"] = len(one.pop("dialogs"))
    return sorted(found.values(), key=lambda one: (-one["n"], one["predicate"]))


def _name_of(item: Any) -> str:
    return plain(str(item.get("predicate", "")))


def ids_of_candidate(memory: Memory, name: str) -> list[UUID]:
    """Open items of one candidate. Raises `LookupError` where the login sees none."""
    rows = memory.connection.execute(
        "select r.review_id, c.item from memory.review as r"
        " join memory.review_content as c using (review_id)"
        " where r.tenant_id = %s and r.kind = %s and r.state = 'open'",
        (memory.tenant_id, CANDIDATE),
    ).fetchall()
    found = [review_id for review_id, item in rows if _name_of(item) == plain(name)]
    if not found:
        raise LookupError(f"no open candidate is called {plain(name)}, as this login sees it")
    return found


def close(
    memory: Memory,
    writer: psycopg.Connection[Any],
    review_ids: Sequence[UUID],
    *,
    dismissed: bool = False,
    importance: Importance | None = None,
) -> int:
    """Close items that this login sees; returns how many were open. `dismissed`: there was
    nothing in it. `importance` labels the messages of borderline items on this login's word,
    which no machine's label replaces.

    Raises `LookupError` for an item that the login does not see, `ValueError` for a label of
    another kind of item, `PermissionError` where the login may not state for that audience.
    """
    rows = memory.connection.execute(
        "select review_id, kind, message_id, audience_id from memory.review"
        " where tenant_id = %s and review_id = any(%s)",
        (memory.tenant_id, list(review_ids)),
    ).fetchall()
    missing = set(review_ids) - {row[0] for row in rows}
    if missing:
        raise LookupError(f"there is no review item {min(map(str, missing))} for this login")
    if importance is not None:
        if any(kind != BORDERLINE for _, kind, *_ in rows):
            raise ValueError(f"only items of the kind {BORDERLINE} take a label")
        for audience_id in {row[3] for row in rows}:
            memory.may_state(audience_id)
    with batch(writer, memory.tenant_id, "review") as running:
        for _, _, message_id, audience_id in rows if importance is not None else ():
            writer.execute(
                "insert into memory.label (label_id, tenant_id, audience_id, batch_id, message_id,"
                " importance, probability, author_kind, author)"
                " values (%s, %s, %s, %s, %s, %s, 1, 'human', %s)",
                (
                    uuid4(),
                    memory.tenant_id,
                    audience_id,
                    running.batch_id,
                    message_id,
                    importance,
                    memory.login,
                ),
            )
        return _close(writer, [row[0] for row in rows], "dismissed" if dismissed else "done")


def close_candidates(
    writer: psycopg.Connection[Any], tenant_id: int, names: Collection[str]
) -> int:
    """Close the candidates that a predicate took in, by the names it has; returns how many."""
    rows = writer.execute(
        "select r.review_id, c.item from memory.review as r"
        " join memory.review_content as c using (review_id)"
        " where r.tenant_id = %s and r.kind = %s and r.state = 'open'",
        (tenant_id, CANDIDATE),
    ).fetchall()
    return _close(writer, [row[0] for row in rows if _name_of(row[1]) in names], "done")


def _close(writer: psycopg.Connection[Any], review_ids: Sequence[UUID], state: str) -> int:
    return writer.execute(
        "update memory.review set state = %s::memory.work_state"
        " where review_id = any(%s) and state in ('open', 'running')",
        (state, list(review_ids)),
    ).rowcount
