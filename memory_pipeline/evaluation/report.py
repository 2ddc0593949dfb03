"""A report of one evaluation, and how it is shown: as text for people, as JSON for programs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from pydantic import Field, JsonValue

from memory_pipeline.contracts.base import Contract
from memory_pipeline.evaluation.scores import Group, Measure, Share

N_MISSES_SHOWN = 20


class Miss(Contract):
    """What went wrong with a record. Values of sensitive spans are left out."""

    record: str
    problem: str
    labelled: JsonValue = None
    said: JsonValue = None


class Report(Contract):
    """Figures of one evaluation. `problems` counts the misses by what went wrong, the commonest
    first; `misses` holds the worst first."""

    name: str
    note: str = ""
    n_records: int
    n_labelled: int
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    shares: tuple[Share, ...] = ()
    problems: dict[str, int] = Field(default_factory=dict)
    misses: tuple[Miss, ...] = ()

    def with_misses(self, misses: Sequence[Miss]) -> "Report":
        """The report with these misses, and their problems counted."""
        problems = dict(Counter(miss.problem for miss in misses).most_common())
        return self.model_copy(update={"misses": tuple(misses), "problems": problems})

    def without_rows(self) -> "Report":
        """The report without the records that it missed, for rows that shall stay unseen."""
        return self.model_copy(update={"misses": ()})


def markdown(reports: Sequence[Report]) -> str:
    """The reports as one Markdown text."""
    lines: list[str] = []
    for report in reports:
        lines += [f"## {report.name}", ""]
        lines += [f"{report.n_records} records, {report.n_labelled} with labels. {report.note}", ""]
        if report.measures:
            lines += _table(
                ("measure", "value", "95 % interval", "n"),
                [(m.name, _number(m), _interval(m), str(m.n)) for m in report.measures],
            )
        for by, some in groupby(report.groups, key=lambda g: g.by):
            lines += _table((by, "labelled", "said", "precision", "recall", "F1"), map(_row, some))
        for (of, by), items in groupby(report.shares, key=lambda s: (s.of, s.by)):
            rows = [(s.value, str(s.n), f"{s.n_right / s.n:.3f}") for s in items]
            lines += _table((f"{of}, by {by}", "n", "right"), rows)
        if report.problems:
            problems = report.problems.items()
            lines += _table(("problem", "n"), [(name, str(n)) for name, n in problems])
        if report.misses:
            lines += ["The worst:", ""]
            lines += [f"- {_told(miss)}" for miss in report.misses[:N_MISSES_SHOWN]]
            lines.append("")
    return "\n".join(lines)


def summary(reports: Sequence[Report]) -> str:
    """The main figures of all reports in one Markdown table."""
    rows = [
        (report.name, m.name, _number(m), _interval(m), str(m.n))
        for report in reports
        for m in report.measures
    ]
    return "\n".join(_table(("evaluation", "measure", "value", "95 % interval", "n"), rows))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    cells = [head, ["---"] * len(head), *rows]
    return [*("| " + " | ".join(row) + " |" for row in cells), ""]


def _row(group: Group) -> tuple[str, ...]:
    f = group.figures
    scores = (f.precision, f.recall, f.f1)
    return (group.value, str(f.n_labelled), str(f.n_said), *(f"{score:.3f}" for score in scores))


def _number(m: Measure) -> str:
    return f"{m.value:.0f}" if m.low is None and m.value == int(m.value) else f"{m.value:.3f}"


def _interval(m: Measure) -> str:
    return "" if m.low is None else f"{m.low:.3f} – {m.high:.3f}"


def _told(miss: Miss) -> str:
    parts = [f"{miss.record}: {miss.problem}"]
    if miss.labelled is not None:
        parts.append(f"labelled {miss.labelled}")
    if miss.said is not None:
        parts.append(f"said {miss.said}")
    return "; ".join(parts)
