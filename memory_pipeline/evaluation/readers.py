"""Readers: the messages that each log of a folder gives, beside those its publisher expects.

Expectations lie beside the logs: `target.json` of a folder, a list of `{"timestamp", "author",
"message"}` for every log in it (of the one reader that most of them have), or `NAME.expected.jsonl`
for the log NAME, a line a message, `{"sent_at", "speaker", "text"}`, in order. Times without offset
are on the clocks of UTC; breaks of lines count as spaces.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_pipeline.contracts.message import RawMessage
from memory_pipeline.evaluation.report import Miss, Report
from memory_pipeline.evaluation.scores import (
    Mark,
    Measure,
    counts_of,
    groups,
    main_measures,
    measure,
    share,
)
from memory_pipeline.ingest.folder_log import open_log
from memory_pipeline.ingest.landing import log_files
from memory_pipeline.ingest.readers.base import HEAD_BYTES, ReadOptions, UnknownFormat, choose

TARGET = "target.json"
EXPECTED = ".expected.jsonl"

Progress = Callable[[int], None]
Prediction = dict[str, Any]
Row = tuple[str | None, str, str]
"""When (UTC, to the second), who, what on one line."""


@dataclass(frozen=True)
class LogRecord:
    """A log, named by its path in the folder, and its messages where they are given, in order."""

    id: str
    path: Path
    expected: tuple[Row, ...] | None


def read_logs(folder: Path) -> list[LogRecord]:
    """The logs below a folder; files that hold expectations are none. Raises `FileNotFoundError`,
    and `ValueError` that names an expectation that does not fit."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder of logs")
    return [
        LogRecord(str(path.relative_to(folder)), path, _expected(path))
        for path in log_files([folder])
        if path.name != TARGET and not path.name.endswith(EXPECTED)
    ]


def predict(records: Sequence[LogRecord], progress: Progress) -> Iterator[Prediction]:
    """`{"id", "reader", "n_messages", "n_refused", "messages": [{"dialog_id", "message_id",
    "speaker", "role", "sent_at", "text"}]}` a log; `reader` is null where none knows the format."""
    options = ReadOptions(now=datetime.now(UTC))
    for record in records:
        progress(1)
        with open_log(record.path) as stream:
            head = stream.peek(HEAD_BYTES)[:HEAD_BYTES]
            try:
                reader = choose(head, record.path.name)
            except UnknownFormat:
                yield {"id": record.id, "reader": None, "n_messages": 0, "n_refused": 0,
                       "messages": []}  # fmt: skip
                continue
            found = list(reader.read(stream, options))
        messages = [_shown(one) for one in found if isinstance(one, RawMessage)]
        yield {
            "id": record.id,
            "reader": reader.name,
            "n_messages": len(messages),
            "n_refused": len(found) - len(messages),
            "messages": messages,
        }


def score(records: Sequence[LogRecord], said: Sequence[Prediction], name: str) -> Report:
    """Messages right by log and by format, counts, and how many logs come out exactly, in order."""
    pairs = list(zip(records, said, strict=True))
    labelled = [(r, r.expected, p) for r, p in pairs if r.expected is not None]
    marks = [m for r, expected, p in labelled for m in _marks(r.id, expected, p)]
    exact = {r.id for r, expected, p in labelled if _rows(p) == list(expected)}
    read = [p for _, p in pairs if p["reader"] is not None]
    ids = [r.id for r, *_ in labelled]
    measures = main_measures(ids, marks) if ids else []
    if ids:
        right = counts_of(ids, [Mark(i, "", True, i in exact) for i in ids])
        measures.append(measure("logs exact, in order", right[:, [0, 2]], share))
    measures += [
        _count("logs read", len(read), len(pairs)),
        _count("files that are no log", len(pairs) - len(read), len(pairs)),
        _count("messages", sum(p["n_messages"] for p in read), len(read)),
        _count("records refused", sum(p["n_refused"] for p in read), len(read)),
        _count(
            "messages without a time",
            sum(m["sent_at"] is None for p in read for m in p["messages"]),
            len(read),
        ),
    ]
    return Report(
        name=name,
        n_records=len(pairs),
        n_labelled=len(labelled),
        measures=tuple(measures),
        groups=tuple(groups(marks)),
    ).with_misses(
        [
            _miss(r.id, expected, p)
            for r, expected, p in labelled
            if r.id not in exact
        ]
    )  # fmt: skip


def _count(name: str, value: int, n: int) -> Measure:
    return Measure(name=name, value=value, n=n)


def _expected(path: Path) -> tuple[Row, ...] | None:
    own = path.with_name(path.name + EXPECTED)
    target = path.parent / TARGET
    try:
        if own.is_file():
            lines = own.read_text(encoding="utf-8").splitlines()
            rows = [json.loads(line) for line in lines if line.strip()]
            return tuple(_row(r["sent_at"], r["speaker"], r["text"]) for r in rows)
        if target.is_file():
            # the publisher lists some logs newest first
            rows = json.loads(target.read_text(encoding="utf-8"))
            found = [_row(r["timestamp"], r["author"], r["message"]) for r in rows]
            return tuple(sorted(found, key=lambda row: (row[0] or "", *row[1:])))
    except (ValueError, KeyError, TypeError) as error:
        name = own.name if own.is_file() else TARGET
        raise ValueError(
            f"{name} beside {path.name}: not the shape of an expectation ({type(error).__name__})"
        ) from None
    return None


def _row(sent_at: str | None, speaker: str, text: str) -> Row:
    moment = None
    if sent_at is not None:
        read = datetime.fromisoformat(sent_at)
        read = read if read.tzinfo else read.replace(tzinfo=UTC)
        moment = read.astimezone(UTC).isoformat(timespec="seconds")
    return moment, speaker, " ".join(text.split("\n"))


def _rows(said: Prediction) -> list[Row]:
    return [_row(m["sent_at"], m["speaker"], m["text"]) for m in said["messages"]]


def _marks(log: str, rows: Sequence[Row], said: Prediction) -> Iterator[Mark]:
    expected, got = Counter(rows), Counter(_rows(said))
    reader = said["reader"] or "none"
    for row in expected | got:
        for place in range(max(expected[row], got[row])):
            yield Mark(log, reader, place < expected[row], place < got[row], (("format", reader),))


def _shown(message: RawMessage) -> dict[str, Any]:
    return {
        "dialog_id": message.dialog,
        "message_id": message.message_id,
        "speaker": message.speaker,
        "role": message.role.value,
        "sent_at": None if message.sent_at is None else message.sent_at.isoformat(),
        "text": message.text,
    }


def _miss(log: str, expected: Sequence[Row], said: Prediction) -> Miss:
    rows = _rows(said)
    problem = "messages missing, added or changed"
    if Counter(rows) == Counter(expected):
        problem = "out of order"
    elif said["reader"] is None:
        problem = "no reader knows it"
    return Miss(record=log, problem=problem, labelled=len(expected), said=len(rows))
