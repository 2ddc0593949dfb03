"""What holds when: the rules of resolution in words, its records, and the way to ask the database.

The definition in force is `migrations/sql/resolution.sql`; `oracle` reads the same rules in plain
Python, for tests. Both work on the statements of one key: one subject and one predicate, and for a
predicate with many values also one value. Which entities are one subject is settled before, by
`identity`. All periods are half-open; a missing start means since ever, a missing end means until
further notice.

**Told order.** Statements are read in the order in which the agent was told them, whenever they
arrived here. A statement without a told time counts as told before everything else.

**Rank.** Every statement has a trust. What a person says about itself ranks with what a human
confirmed. A statement changes only what was set by the same or a lower rank.

**First: what is taken back.**

a. `corrected`, `retracted`: every statement of the named value (of any value where none is named)
   that an earlier message told is left out, as if never said, if its rank is not higher. What the
   same message says stays ("the 25th, not the 19th", in whichever order). Where the closure names a
   planned start, only statements with that very start are meant. A closure takes back affirmations;
   one marked as denied takes back denials.
b. `cancelled` does the same to plans: statements that lay ahead when they were told. Where it names
   no start, it means the plans that have not begun when it is told, and if all have begun, the one
   that starts last.
c. A correction hands on the period. "350, not 300": if the new value of that same message names no
   time of its own, it takes the period of what is corrected, the earliest if there are several; in
   the place of a past value told without its dates (rule 1) it is one, too, up to the same end.
d. `ended` at t, and a denial from t, call off plans too: a plan of that value that starts at t
   or, when nothing said of that value starts before t, later. (So the end of the June trip leaves
   the August trip alone.) A denial with an end calls off only plans that lie wholly inside it.
e. What may not be taken back for its rank stays, and the closure shows as a contradiction.

**Then: the rest, in told order.** What holds is read from two layers: the *base* (open-ended
values) and *stays* (bounded values, a trip from the 1st to the 15th).

1. *An open-ended value X from s.* If the start was only inferred from the telling ("I live in X")
   and the base or a stay holds X at s, it is a restatement: one more support, no change; the
   stretch from s on gets the higher of both ranks. Otherwise the base holds X from s until the
   next change already known after p. p is the later of s and the telling if the statement says
   that X still holds, else s. A change is the start of another value (or of the same value told
   with a start of its own after a gap), or the known end of X itself; the end of some other value
   is none: "last day at Beta is 31 May" does not end Gamma, which begins on 1 May. Where the base
   holds X already, the statement is one more support there; if it names its own start inside the
   stretch, a new run begins at that start (rule 3 stops there).
   *A past value whose end was not told* ("from 2015 I used to work at Acme": it no longer holds
   when told, and its end is the telling itself) is read likewise from its start until the next
   change known after it, at most until the telling.
   *A past value told without its dates* ("I used to live in York") says that it held at some time
   before, and not when: it takes no stretch from a value that was stated for it. Where the base or
   a stay holds York anywhere before, it is one more support there (the stretch keeps its rank).
   Otherwise the base holds York on the first stretch for which it holds nothing: from the start of
   that stretch, mostly since ever, until the next change known after it, or the start of a stay of
   lower rank, at most until its end or the telling. So "I live in Leeds", said in January, stands
   when York is told in April: York was before Leeds. Such a value is one that no longer holds when
   told, without an end or with one not after the telling, and whose start is inferred; or that has
   no start, and for its end the day of the telling (less than 24 hours before it). "I lived in York
   until 2020" tells an end, and is a bounded value (rule 2).
2. *A bounded value X in [s, e)* is a stay. Where stays overlap, the one told last answers; a stay
   of the same value is one more support.
3. *`ended` at t.* Every stay of X that contains t is shortened to t, and the base's run of X that
   contains t becomes "none" from t to the run's end: older values do not come back, newer ones
   and other stays are untouched. Both layers, since after "my work for Acme ended in May" nobody
   should answer Acme. Without a named value it ends what answered just before t. Without a moment
   it ends at its telling. If X held nowhere before t but had begun before the telling ("I work at
   Acme", and a day later "I left Acme last week"), X is removed wherever it had begun by then;
   what it had replaced does not return.
4. *A denial of X from s* ("I am not in Moscow"). If what answers at s is X, as `ended` at s; of
   anything else it changes nothing. A denial with an end ("not in Moscow from the 1st to the 15th")
   takes X out of [s, e) in both layers, and X goes on at e.
5. *Rank.* A piece of the base is changed only by the same or a higher rank; "none" by anyone. Where
   stays overlap the higher rank answers, at the same rank the one told last. A stay answers before
   the base unless the base's rank is higher. What loses shows as a contradiction where it loses.
6. *An erased atom* keeps its place and answers "erased". A statement of the same value that is not
   erased takes over from its own start on.

`supersedes` is the atom whose stretch a statement took (null where it took "none", and for a stay
that lies over the base). Adjacent pieces with the same value are one period: its atom is that of
the first piece, all others that say the same are its supports. Supports and contradictions belong
to the stretch that they were said of and go when it is replaced.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from uuid import UUID

import psycopg

EARLIEST = datetime.min.replace(tzinfo=UTC)
LATEST = datetime.max.replace(tzinfo=UTC)
HUMAN_TRUST = 4

StatementId = UUID | str


@dataclass(frozen=True)
class Stmt:
    """One statement about one key.

    `told_order` is a total order: (told_at or the earliest time, ordinal or 0, message key, span
    start, span end, statement hash); the first three name the message. `own` marks a person's
    statement about itself. For a closure `polarity` says whether it means affirmations or denials.
    """

    id: StatementId
    told_at: datetime | None
    told_order: tuple[Any, ...]
    type: Literal["atom", "closure"] = "atom"
    object_key: bytes | None = None
    polarity: Literal["affirmed", "denied"] = "affirmed"
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    start_inferred: bool = False
    holds_when_told: bool = True
    trust: int = 3
    own: bool = False
    erased: bool = False
    action: Literal["ended", "corrected", "retracted", "cancelled"] | None = None
    planned_start: datetime | None = None
    ended_at: datetime | None = None

    @property
    def rank(self) -> int:
        """The trust that counts."""
        return max(self.trust, HUMAN_TRUST) if self.own else self.trust

    @property
    def told(self) -> datetime:
        """The told time, the earliest time where there is none."""
        return self.told_at or EARLIEST

    @property
    def message(self) -> tuple[Any, ...]:
        """What names its message in told order."""
        return self.told_order[:3]

    @property
    def start(self) -> datetime:
        """The start as a comparable bound."""
        return self.valid_from or EARLIEST

    @property
    def end(self) -> datetime:
        """The end as a comparable bound."""
        return self.valid_to or LATEST

    @property
    def affirms(self) -> bool:
        """Whether this is an atom that affirms its value."""
        return self.type == "atom" and self.polarity == "affirmed"

    @property
    def denies(self) -> bool:
        """Whether this is an atom that denies its value."""
        return self.type == "atom" and self.polarity == "denied"

    @property
    def is_plan(self) -> bool:
        """Whether it lay ahead when it was told."""
        return self.start > self.told

    @property
    def is_past(self) -> bool:
        """Whether it is a past value whose start was told, and its end not."""
        return (
            not self.holds_when_told
            and self.valid_to is not None
            and self.valid_to == self.told_at
            and not self.is_undated_past
        )

    @property
    def is_undated_past(self) -> bool:
        """Whether it is a past value told without its dates."""
        if self.holds_when_told or not self.affirms:
            return False
        if self.valid_to is None:
            return self.start_inferred
        if self.told_at is None or self.valid_to > self.told_at:
            return False
        on_the_day = self.told_at - self.valid_to < timedelta(days=1)
        return self.start_inferred or (self.valid_from is None and on_the_day)

    def says(self, object_key: bytes | None) -> bool:
        """Whether it affirms this value."""
        return self.affirms and self.object_key == object_key


@dataclass(frozen=True)
class Segment:
    """One period of a timeline; null bounds are unbounded."""

    valid_from: datetime | None
    valid_to: datetime | None
    atom_id: StatementId
    object_key: bytes | None
    supersedes: StatementId | None = None
    supports: tuple[StatementId, ...] = ()
    contradicted_by: tuple[StatementId, ...] = ()
    erased: bool = False


@dataclass(frozen=True)
class Rectangle:
    """A segment and the told time in which it is the answer: known_from <= k < known_to."""

    segment: Segment
    known_from: datetime | None
    known_to: datetime | None


_ROWS = """
    select array_agg(r) as statements
    from jsonb_populate_recordset(null::memory.statement_row, %s::jsonb) as r
"""


def fold(connection: psycopg.Connection[Any], stmts: Iterable[Stmt]) -> list[Segment]:
    """The timeline of one key as the database resolves it; statement ids must be UUIDs."""
    found = connection.execute(
        f"""
        with given as ({_ROWS})
        select s.valid_from, s.valid_to, s.atom_id, s.object_key, s.supersedes, s.supports,
            s.contradicted_by, s.erased
        from given
        cross join lateral unnest(memory.fold_key(given.statements)) as s
        """,  # noqa: S608 - a constant of this module
        [_as_json(stmts)],
    )
    return [_segment(row) for row in found]


def rectangles(connection: psycopg.Connection[Any], stmts: Iterable[Stmt]) -> list[Rectangle]:
    """The rectangles valid x known of one key as the database resolves them."""
    found = connection.execute(
        f"""
        with given as ({_ROWS})
        select s.valid_from, s.valid_to, s.atom_id, s.object_key, s.supersedes, s.supports,
            s.contradicted_by, s.erased, s.known_from, s.known_to
        from given
        cross join lateral memory.rectangles(given.statements) as s
        """,  # noqa: S608 - a constant of this module
        [_as_json(stmts)],
    )
    return [Rectangle(_segment(row[:8]), row[8], row[9]) for row in found]


def _segment(row: tuple[Any, ...]) -> Segment:
    valid_from, valid_to, atom_id, object_key, supersedes, supports, against, erased = row
    return Segment(
        valid_from,
        valid_to,
        atom_id,
        object_key,
        supersedes,
        tuple(supports),
        tuple(against),
        erased,
    )


def _as_json(stmts: Iterable[Stmt]) -> str:
    return json.dumps([_row(stmt) for stmt in stmts])


def _row(stmt: Stmt) -> dict[str, Any]:
    def moment(value: datetime | None) -> str | None:
        return value.isoformat() if value else None

    def binary(value: bytes | None) -> str | None:
        return f"\\x{value.hex()}" if value is not None else None

    _, ordinal, message_key, span_start, span_end, statement_hash = stmt.told_order
    return {
        "statement_id": str(stmt.id),
        "is_closure": stmt.type == "closure",
        "action": stmt.action,
        "object_key": binary(stmt.object_key),
        "denied": stmt.polarity == "denied",
        "valid_from": moment(stmt.valid_from),
        "valid_to": moment(stmt.valid_to),
        "start_inferred": stmt.start_inferred,
        "holds_when_told": stmt.holds_when_told,
        "planned_start": moment(stmt.planned_start),
        "ended_at": moment(stmt.ended_at),
        "told_at": moment(stmt.told_at),
        "ordinal": ordinal,
        "message_key": binary(message_key),
        "span_start": span_start,
        "span_end": span_end,
        "statement_hash": binary(statement_hash),
        "trust": stmt.rank,
        "erased": stmt.erased,
    }
