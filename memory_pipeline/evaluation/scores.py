"""Counts, figures and their intervals.

Everything scored is a set of marks: something that a record holds by its label, by prediction or
by both. Figures are over marks, intervals over records: records are drawn anew with replacement,
since the marks of one record are not independent.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.contracts.base import Contract

DRAWS = 1_000

Counts = NDArray[np.float64]
Value = Callable[[Counts], Counts]
"""From counts, on the last axis, to a figure; of any number of leading axes."""


@dataclass(frozen=True)
class Mark:
    """Something labelled, said, or both. `facets` name the groups that it counts in, such as
    ("language", "ru"); a record may be of several kinds."""

    record: str
    label: str
    is_labelled: bool
    is_said: bool
    facets: tuple[tuple[str, str], ...] = field(default=())

    @property
    def is_right(self) -> bool:
        """Labelled and said."""
        return self.is_labelled and self.is_said


class Figures(Contract):
    """Precision, recall and F1 of some marks; 1 where nothing was to be said and nothing was."""

    n_labelled: int
    n_said: int
    n_right: int
    precision: float
    recall: float
    f1: float


class Group(Contract):
    """The figures of a group, such as `by` language, `value` ru."""

    by: str
    value: str
    figures: Figures


class Measure(Contract):
    """One number with its 95 % interval (null where it is a plain count) and how many records or
    items it rests on."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int


class Share(Contract):
    """How many of a group's items are right."""

    of: str
    by: str
    value: str
    n_right: int
    n: int


def precision(counts: Counts) -> Counts:
    """Of counts (labelled, said, right)."""
    return _ratio(counts[..., 2], counts[..., 1])


def recall(counts: Counts) -> Counts:
    """Of counts (labelled, said, right)."""
    return _ratio(counts[..., 2], counts[..., 0])


def f1(counts: Counts) -> Counts:
    """Of counts (labelled, said, right)."""
    return _ratio(2 * counts[..., 2], counts[..., 0] + counts[..., 1])


def share(counts: Counts) -> Counts:
    """Of counts (all, right)."""
    return _ratio(counts[..., 1], counts[..., 0])


def _ratio(part: Counts, whole: Counts) -> Counts:
    return np.where(whole > 0, part / np.maximum(whole, 1), 1.0)


def figures(marks: Iterable[Mark]) -> Figures:
    """The figures of marks taken together."""
    counts = _sum(marks)
    return Figures(
        n_labelled=int(counts[0]),
        n_said=int(counts[1]),
        n_right=int(counts[2]),
        precision=round(float(precision(counts)), 4),
        recall=round(float(recall(counts)), 4),
        f1=round(float(f1(counts)), 4),
    )


def groups(marks: Sequence[Mark]) -> list[Group]:
    """The figures by every facet, the weakest of a facet first."""
    found: dict[tuple[str, str], list[Mark]] = defaultdict(list)
    for mark in marks:
        for facet in mark.facets:
            found[facet].append(mark)
    made = [Group(by=by, value=value, figures=figures(some)) for (by, value), some in found.items()]
    order = {by: place for place, by in enumerate(dict.fromkeys(by for by, _ in found))}
    return sorted(made, key=lambda g: (order[g.by], g.figures.f1, g.value))


def _sum(marks: Iterable[Mark]) -> Counts:
    total = np.zeros(3)
    for mark in marks:
        total += (mark.is_labelled, mark.is_said, mark.is_right)
    return total


def measure(name: str, counts: Counts, value: Value) -> Measure:
    """A figure of `counts` of shape (records, k) with its bootstrap interval over records."""
    n = len(counts)
    if n == 0:
        return Measure(name=name, value=1.0, n=0)
    drawn = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), DRAWS) @ counts
    low, high = np.quantile(value(drawn), (0.025, 0.975))
    return Measure(
        name=name,
        value=round(float(value(counts.sum(axis=0))), 4),
        low=round(float(low), 4),
        high=round(float(high), 4),
        n=n,
    )


def counts_of(records: Sequence[str], marks: Iterable[Mark]) -> Counts:
    """Counts (labelled, said, right) of shape (records, 3)."""
    by_record: dict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        by_record[mark.record].append(mark)
    return np.array([_sum(by_record[record]) for record in records]).reshape(len(records), 3)


def main_measures(records: Sequence[str], marks: Sequence[Mark]) -> list[Measure]:
    """Precision, recall and F1 over all marks, with intervals."""
    counts = counts_of(records, marks)
    return [
        measure("precision", counts, precision),
        measure("recall", counts, recall),
        measure("F1", counts, f1),
    ]


def shares(of: str, items: Iterable[tuple[bool, Sequence[tuple[str, str]]]]) -> list[Share]:
    """Shares of right items by facet, the weakest of a facet first. Items are (is right, facets)."""
    found: Mapping[tuple[str, str], list[bool]] = defaultdict(list)
    for is_right, facets in items:
        for facet in facets:
            found[facet].append(is_right)
    made = [
        Share(of=of, by=by, value=value, n_right=sum(some), n=len(some))
        for (by, value), some in found.items()
    ]
    order = {by: place for place, by in enumerate(dict.fromkeys(by for by, _ in found))}
    return sorted(made, key=lambda s: (order[s.by], s.n_right / s.n, s.value))
