"""Reading the store as one login: names, answers, histories. Row-level security decides what
there is; nothing here filters by right."""

import contextlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.texts import storable
from memory_pipeline.contracts.answer import Answer, EvidenceRef


@dataclass(frozen=True)
class Subject:
    """A person or thing: all its finest entities, and the smallest of them as its name in the
    store. `name` is what people call it."""

    entity_ids: tuple[UUID, ...]
    name: str

    @property
    def canonical_id(self) -> UUID:
        """The smallest member: a pure function of the joins that this reader sees."""
        return min(self.entity_ids)


class UnknownSubject(LookupError):
    """No visible person or thing has this name or id."""


class AmbiguousSubject(LookupError):
    """A name fits several; `candidates` are (entity id, names, number of dialogs)."""

    def __init__(self, name: str, candidates: Sequence[tuple[UUID, tuple[str, ...], int]]) -> None:
        super().__init__(f"{len(candidates)} people or things are called {name!r}; give --entity")
        self.candidates = tuple(candidates)


class AmbiguousDialog(LookupError):
    """A dialog id of the log fits several dialogs; `candidates` are their surrogate ids."""

    def __init__(self, name: str, candidates: Sequence[UUID]) -> None:
        super().__init__(f"{len(candidates)} dialogs have the id {name!r}; give the store's id")
        self.candidates = tuple(candidates)


class UnknownDialog(LookupError):
    """No visible dialog has this id."""


class UnknownPredicate(LookupError):
    """The registry has no such predicate."""


def read_sql(name: str) -> str:
    """The text of one statement of this package's `sql` folder."""
    return files("memory_pipeline.bitemporal").joinpath("sql", name).read_text(encoding="utf-8")


def find_subject(
    connection: psycopg.Connection[Any],
    keys: Keys,
    tenant_id: int,
    name: str,
    batch_no: int | None = None,
) -> Subject:
    """The one visible person or thing of this name; case, ё and spaces do not matter.

    A speaker goes before people who are only mentioned under the name. Raises `UnknownSubject`,
    `AmbiguousSubject`, `ValueError`.
    """
    storable(name, "the name")
    kinds = _bearers(connection, keys, tenant_id, name, batch_no)
    if not kinds and (shown := _shown(connection, keys, tenant_id, name)) != name:
        return find_subject(connection, keys, tenant_id, shown, batch_no)
    if not kinds and batch_no is not None:
        later = _bearers(connection, keys, tenant_id, name, None)
        if later:
            # nothing was recorded of any of them
            return Subject(tuple(later), name)
    components: list[tuple[UUID, ...]] = []
    while left := kinds.keys() - {member for members in components for member in members}:
        row = connection.execute(
            "select memory.component(array[%s]::uuid[], %s::bigint)", (min(left), batch_no)
        ).fetchone()
        components.append(tuple(row[0]) if row else (min(left),))
    speakers = [members for members in components if "speaker" in {kinds.get(m) for m in members}]
    chosen = speakers or components
    if not chosen:
        raise UnknownSubject(f"nobody and nothing is called {name!r}")
    if len(chosen) > 1:
        raise AmbiguousSubject(name, [_candidate(connection, members) for members in chosen])
    return Subject(chosen[0], name)


def _bearers(
    connection: psycopg.Connection[Any],
    keys: Keys,
    tenant_id: int,
    name: str,
    batch_no: int | None,
) -> dict[UUID, str]:
    """The kinds of those who bear a name, by id, among those recorded up to a batch."""
    rows = connection.execute(
        read_sql("find_names.sql").encode(),
        {"lookup": keys.name(tenant_id, name), "tenant_id": tenant_id, "batch_no": batch_no},
    ).fetchall()
    return dict(rows)


def subject_of(
    connection: psycopg.Connection[Any], entity_id: UUID, batch_no: int | None = None
) -> Subject:
    """The person or thing that an entity belongs to. Raises `UnknownSubject`."""
    row = connection.execute(
        # a person whom only joins make, by a native id or a label, is no entity of any message
        "select memory.component(array[%(id)s]::uuid[], %(batch_no)s::bigint)"
        " where exists (select from memory.entity where entity_id = %(id)s)"
        " or exists (select from memory.same_as where %(id)s in (left_id, right_id))",
        {"id": entity_id, "batch_no": batch_no},
    ).fetchone()
    if row is None:
        raise UnknownSubject(f"there is no entity {entity_id}")
    members = tuple(row[0])
    names = _candidate(connection, members)[1]
    return Subject(members, names[0] if names else str(entity_id))


def find_dialog(connection: psycopg.Connection[Any], keys: Keys, tenant_id: int, name: str) -> UUID:
    """The store's id of a dialog, given that or the log's own. Raises `UnknownDialog`,
    `AmbiguousDialog`, `ValueError`."""
    storable(name, "the dialog's name")
    with contextlib.suppress(ValueError):
        as_id = UUID(name)
        if connection.execute(
            "select 1 from memory.dialog where dialog_id = %s and tenant_id = %s",
            (as_id, tenant_id),
        ).fetchone():
            return as_id
    rows = connection.execute(
        "select c.dialog_id from memory.dialog_content as c join memory.dialog as d"
        " using (dialog_id) where c.native_lookup = %s and d.tenant_id = %s"
        " order by c.dialog_id",
        (keys.name(tenant_id, name), tenant_id),
    ).fetchall()
    if not rows:
        if (shown := _shown(connection, keys, tenant_id, name)) != name:
            return find_dialog(connection, keys, tenant_id, shown)
        raise UnknownDialog(f"there is no dialog {name!r}")
    if len(rows) > 1:
        raise AmbiguousDialog(name, [row[0] for row in rows])
    found: UUID = rows[0][0]
    return found


def _shown(connection: psycopg.Connection[Any], keys: Keys, tenant_id: int, name: str) -> str:
    """A log's own name as it is stored, without the secrets that stand in it."""
    from memory_pipeline.governance.known_secrets import as_stored

    return as_stored(connection, keys, tenant_id, name)


def _candidate(
    connection: psycopg.Connection[Any], members: Sequence[UUID]
) -> tuple[UUID, tuple[str, ...], int]:
    names = connection.execute(
        "select name, count(*) from memory.name_content where entity_id = any(%s)"
        " and form <> 'native' group by name order by count(*) desc, name",
        (list(members),),
    ).fetchall()
    # the person behind speakers is no row that a reader sees, so its id could not be asked for
    seen = connection.execute(
        "select count(distinct dialog_id), min(entity_id::text)::uuid from memory.entity"
        " where entity_id = any(%s)",
        (list(members),),
    ).fetchone()
    n_dialogs, entity_id = seen or (0, None)
    return entity_id or min(members), tuple(name for name, _ in names), int(n_dialogs)


def predicate_id(connection: psycopg.Connection[Any], tenant_id: int, name: str) -> int:
    """The id of a predicate that serves the tenant. Raises `UnknownPredicate`."""
    row = connection.execute(
        "select predicate_id from memory.predicate"
        " where name = %s and (tenant_id is null or tenant_id = %s)"
        " order by tenant_id nulls last limit 1",
        (name, tenant_id),
    ).fetchone()
    if row is None:
        raise UnknownPredicate(f"the registry has no predicate {name!r}")
    return int(row[0])


def answers(
    connection: psycopg.Connection[Any],
    subject: Subject,
    predicate: int | None,
    valid_at: datetime,
    known_at: datetime | None,
    batch_no: int | None,
) -> list[Answer]:
    """What held of the subject at `valid_at`, as known at `known_at` and recorded by `batch_no`
    (null: now), with evidence."""
    parameters: list[Any] = [*subject.entity_ids, predicate, valid_at, known_at]
    if batch_no is not None:
        parameters.append(batch_no)
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(
            _as_of(len(subject.entity_ids), at_batch=batch_no is not None), parameters
        ).fetchall()
    wanted = {row["atom_id"] for row in rows} | {s for row in rows for s in row["supports"]}
    found = evidence(connection, list(wanted))
    return [
        Answer(
            predicate=row["predicate"],
            object=None if row["status"] in ("erased", "secret") else row["object"],
            # what is fenced has its record and no content that anybody sees
            status="erased" if row["text"] is None else row["status"],
            valid_from=row["valid_from"],
            valid_to=row["valid_to"],
            valid_precision=row["valid_precision"],
            known_from=row["known_from"],
            confidence=round(row["confidence"], 6),
            importance=row["importance"],
            tags=tuple(row["tags"]),
            atom_id=str(row["atom_id"]),
            supersedes=row["supersedes"] and str(row["supersedes"]),
            supports=tuple(str(s) for s in row["supports"]),
            contradicted_by=tuple(str(s) for s in row["contradicted_by"]),
            evidence=tuple(
                ref for s in (row["atom_id"], *row["supports"]) for ref in found.get(s, ())
            ),
        )
        for row in rows
    ]


def _as_of(n_members: int, *, at_batch: bool) -> sql.Composed:
    """The function's call with a parameter for each of a subject's members, and for the batch if
    one is asked for.

    A plan that is kept for any values then knows how many entities there are, looks into their
    partitions alone, and reads no batches for nothing. With the members as one array, PostgreSQL
    takes such a plan for dear and makes a new one for every call: four times the cost.
    """
    return sql.SQL("select * from memory.as_of(array[{}]::uuid[], %s, %s, %s{})").format(
        sql.SQL(", ").join([sql.Placeholder()] * n_members),
        sql.SQL(", %s" if at_batch else ""),
    )


def evidence(
    connection: psycopg.Connection[Any], statement_ids: list[UUID]
) -> dict[UUID, list[EvidenceRef]]:
    """Where statements were learned, by statement."""
    found: dict[UUID, list[EvidenceRef]] = defaultdict(list)
    rows = connection.execute(read_sql("evidence.sql").encode(), {"ids": statement_ids}).fetchall()
    for statement_id, message_id, dialog_id, turn in rows:
        found[statement_id].append(
            EvidenceRef(message_id=message_id, dialog_id=dialog_id, turn=turn)
        )
    return found
