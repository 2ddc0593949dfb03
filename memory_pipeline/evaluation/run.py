"""One evaluation from file to reports: read the records, predict, write what was said, score."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from memory_pipeline.evaluation import dates, events, facts_score, importance, readers, sensitive
from memory_pipeline.evaluation.records import (
    DatesRecord,
    FactsRecord,
    ImportanceRecord,
    Record,
    SensitiveRecord,
    read_records,
)
from memory_pipeline.evaluation.report import Report, markdown, summary

Progress = Callable[[int], None]
Prediction = dict[str, Any]

RECORDS: dict[str, type[Record]] = {
    "importance": ImportanceRecord,
    "facts": FactsRecord,
    "dates": DatesRecord,
    "sensitive": SensitiveRecord,
    "events": events.EventsRecord,
}


def evaluate(
    name: str, data: Path, predictions: Path | None, *, kept_apart: bool, quiet: bool = False
) -> list[Report]:
    """Predict over the records of `data`, write the predictions if asked, and score.

    `kept_apart` adds reports of the two parts of the labelled sets: that on which rules were
    developed, and the third that was kept from it, whose rows are then not shown. Raises `FileNotFoundError`, `ValueError` for a
    record that does not fit, and what the services raise.
    """
    records = read_records(data, RECORDS[name])
    with _progress(name, len(records), quiet) as told:
        said = _predict(name, records, told)
    if predictions is not None:
        _write(said, predictions)
    by_id = {line["id"]: line for line in said}
    reports = [
        _score(name, some, [by_id[record.id] for record in some], f"{name}{part}")
        for part, some in _parts(name, records, kept_apart)
    ]
    if len(reports) > 1:
        whole, developed, apart = reports
        reports = [whole.without_rows(), developed, apart.without_rows()]
    if name == "importance":
        reports = _with_cross_validation(reports[0], records, quiet)
    return reports


def evaluate_readers(
    folder: Path, predictions: Path | None, *, quiet: bool = False
) -> list[Report]:
    """Read every log below a folder, write what was read if asked, and score where messages are
    given. Raises `FileNotFoundError`, and `ValueError` for an expectation that does not fit."""
    logs = readers.read_logs(folder)
    with _progress("readers", len(logs), quiet) as told:
        said = list(readers.predict(logs, told))
    if predictions is not None:
        _write(said, predictions)
    return [readers.score(logs, said, "readers")]


def _write(said: Sequence[Prediction], path: Path) -> None:
    lines = (json.dumps(line, ensure_ascii=False) + "\n" for line in said)
    path.write_text("".join(lines), encoding="utf-8")


def evaluate_all(folder: Path, *, quiet: bool = False) -> list[Report]:
    """Evaluate every set that lies in a folder under its name, `facts.jsonl` and so on, and the logs
    of its folder `chat_exports`. Raises `FileNotFoundError` where none does, and as `evaluate`."""
    found = {name: folder / f"{name}.jsonl" for name in RECORDS}
    present = {name: path for name, path in found.items() if path.is_file()}
    logs = folder / "chat_exports"
    if not present and not logs.is_dir():
        names = ", ".join(f"{name}.jsonl" for name in found)
        raise FileNotFoundError(f"{folder} holds none of {names} and no folder {logs.name}")
    reports = [
        report
        for name, path in present.items()
        for report in evaluate(name, path, None, kept_apart=True, quiet=quiet)
    ]
    return reports + (evaluate_readers(logs, None, quiet=quiet) if logs.is_dir() else [])


def write_report(reports: Sequence[Report], path: Path) -> None:
    """The figures as Markdown to `path`; the same with every miss as JSON beside it."""
    figures = markdown([report.without_rows() for report in reports])
    path.write_text(f"# Evaluation\n\n{summary(reports)}\n{figures}", encoding="utf-8")
    path.with_suffix(".json").write_text(as_json(reports) + "\n", encoding="utf-8")


def as_json(reports: Sequence[Report]) -> str:
    """The reports as a JSON list."""
    found = [report.model_dump(mode="json") for report in reports]
    return json.dumps(found, ensure_ascii=False, indent=2)


def _predict(name: str, records: Any, told: Progress) -> list[Prediction]:
    match name:
        case "importance":
            return importance.predict(records, told)
        case "dates":
            return dates.predict(records, told)
        case "sensitive":
            return sensitive.predict(records, told)
        case "events":
            return events.predict(records, told)
        case _:
            # the store and what reads into it take a second to load
            from memory_pipeline.evaluation import facts
            from memory_pipeline.installation import ready

            return facts.predict(records, told, ready())


def _score(name: str, records: Any, said: Sequence[Prediction], title: str) -> Report:
    match name:
        case "importance":
            return importance.score(records, said, title)
        case "dates":
            return dates.score(records, said, title)
        case "sensitive":
            return sensitive.score(records, said, title)
        case "events":
            return events.score(records, said, title)
        case _:
            return facts_score.score(records, said, title)


def _with_cross_validation(shipped: Report, records: Any, quiet: bool) -> list[Report]:
    note = importance.IN_SAMPLE.format(importance.n_trained_on(records))
    reports = [shipped.model_copy(update={"note": note})]
    with _progress("cross-validation", None, quiet):
        said = importance.cross_validated(records)
    if said is not None:
        folded = importance.score(records, said, "importance, cross-validated")
        reports.append(folded.model_copy(update={"note": importance.FOLDED}))
    return reports


def _parts(
    name: str, records: Sequence[Record], kept_apart: bool
) -> list[tuple[str, Sequence[Record]]]:
    """The whole, and its two parts. Importance has none: its model is trained on all rows, and
    cross-validation takes their place; nor do events, whose part kept apart is a file of its own."""
    if not kept_apart or name in ("importance", "events"):
        return [("", records)]
    from memory_pipeline.understand.evaluation import is_held_out

    return [
        ("", records),
        (", the part developed on", [r for r in records if not is_held_out(r.id)]),
        (", the part kept apart", [r for r in records if is_held_out(r.id)]),
    ]


@contextmanager
def _progress(title: str, total: int | None, quiet: bool) -> Iterator[Progress]:
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TimeElapsedColumn(), console=Console(stderr=True)) as bars:
        task = bars.add_task(title, total=total)
        yield lambda n: bars.advance(task, n)
