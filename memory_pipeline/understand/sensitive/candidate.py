"""What a detector hands on, and how overlapping findings are settled."""

from collections.abc import Iterable
from dataclasses import dataclass, field

# a checked identifier beats a keyword rule, which beats a look of digits or capitals
CHECKED, KEYED, LIKELY, LOOSE = 3, 2, 1, 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """Characters [start, end), their type, normal form and how sure the rule is."""

    start: int
    end: int
    type: str
    normal: str = field(repr=False)
    rank: int = LIKELY


def settle(found: Iterable[Candidate]) -> list[Candidate]:
    """The surest, then longest, candidates that do not overlap, in order of the text."""
    kept: list[Candidate] = []
    for one in sorted(found, key=lambda c: (-c.rank, -(c.end - c.start), c.start)):
        if all(one.end <= k.start or k.end <= one.start for k in kept):
            kept.append(one)
    return sorted(kept, key=lambda c: c.start)
