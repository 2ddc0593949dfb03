"""Who is whom: the rules of joins in words, and in plain Python as the oracle of tests.

The definition in force is `migrations/sql/identity.sql`. An atom refers to the finest entity, one
speaker or mention chain of one dialog. That two entities are one person or thing is a statement of
its own, appended like any other, and who is whom is a pure function of these statements: a merge
moves no row, and a split is one more statement.

1. *Which statements.* Those that this reader may see, recorded and not withdrawn at the batch that is
   asked about. Identity acts on the recorded clock only: what an answer says of an earlier known time
   is resolved over the people as they are joined now.
2. *Per pair the last told counts.* `same_as` told after `not_same_as` joins again. Automatic joins
   have no told time and count as told before everything else, so a human's word goes before them.
3. *Pairs that are not the same come first, then joins in told order.* A join that would bring
   together a pair that is said to be not the same, directly or by a chain, is skipped; it goes before
   a person. When the pair may be joined again, a skipped join takes effect without a further word.
4. *Names join nothing.* Two contracts or two people called alike are two until a statement says
   otherwise; automatic joins are those of one dialog or one namespace, by rules of their own.

What is said of several entities that are one is read as one timeline, by told order and rank as
always (`resolution`); after a split everybody has again what was said of him alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory_pipeline.bitemporal.resolution import EARLIEST


@dataclass(frozen=True)
class Join:
    """One statement about two entities; `told_at` null is told before everything else."""

    id: UUID
    left: UUID
    right: UUID
    is_same: bool
    told_at: datetime | None
    statement_hash: bytes

    @property
    def pair(self) -> frozenset[UUID]:
        """The two, in no order."""
        return frozenset((self.left, self.right))

    @property
    def order(self) -> tuple[datetime, bytes]:
        """Its place in told order."""
        return self.told_at or EARLIEST, self.statement_hash


@dataclass(frozen=True)
class Groups:
    """Who is one with whom; everybody who is in no statement is alone."""

    members: Mapping[UUID, frozenset[UUID]]
    skipped: tuple[Join, ...]

    def of(self, entity_id: UUID) -> frozenset[UUID]:
        """All entities that are one with this one, itself included."""
        return self.members.get(entity_id, frozenset((entity_id,)))


def groups(joins: Iterable[Join]) -> Groups:
    """Rules 2 and 3 over the statements that count by rule 1."""
    last: dict[frozenset[UUID], Join] = {}
    for join in sorted(joins, key=lambda join: join.order):
        last[join.pair] = join
    apart = [join for join in last.values() if not join.is_same]
    members: dict[UUID, frozenset[UUID]] = {}
    skipped: list[Join] = []
    for join in sorted((j for j in last.values() if j.is_same), key=lambda join: join.order):
        merged = frozenset[UUID]().union(*(members.get(e, frozenset((e,))) for e in join.pair))
        is_new = len({members.get(e, frozenset((e,))) for e in join.pair}) == 2
        if is_new and any(pair.pair <= merged for pair in apart):
            skipped.append(join)
            continue
        members |= dict.fromkeys(merged, merged)
    return Groups(members, tuple(skipped))
