"""What a detector hands on, and how overlapping findings are settled."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field

# what a replaced value leaves behind; nothing sensitive is looked for inside it
MARK = re.compile(r"\[[A-Z]+(?:_[A-Z]+)?_\d{1,3}\]")
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
    starts: list[int] = []
    for one in sorted(found, key=lambda c: (-c.rank, -(c.end - c.start), c.start)):
        at = bisect_left(starts, one.start)
        before = at == 0 or kept[at - 1].end <= one.start
        if before and (at == len(kept) or one.end <= kept[at].start):
            starts.insert(at, one.start)
            kept.insert(at, one)
    return kept
