"""Dates: the intervals that the resolver reads in a message."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from memory_pipeline.evaluation.records import DatesRecord
from memory_pipeline.evaluation.report import Miss, Report
from memory_pipeline.evaluation.scores import (
    Mark,
    counts_of,
    groups,
    main_measures,
    measure,
    share,
)
from memory_pipeline.understand.language import detect_language

if TYPE_CHECKING:
    from memory_pipeline.understand.dates.resolve import DateMention

Progress = Callable[[int], None]
Prediction = dict[str, Any]
Interval = tuple[datetime | None, datetime | None]


def predict(records: Sequence[DatesRecord], progress: Progress) -> list[Prediction]:
    """`{"id", "expect": [{"from", "to"}]}` a record, in the order of the text."""
    from memory_pipeline.understand.dates.resolve import resolve

    said = []
    for record in records:
        lang = record.lang or detect_language(record.text)
        found = resolve(record.text, record.reference, lang)
        said.append({"id": record.id, "expect": [_shown(mention) for mention in found]})
        progress(1)
    return said


def _shown(mention: "DateMention") -> dict[str, str | None]:
    """Whole days as dates, anything else as datetimes with the reference's offset."""
    bounds = (mention.valid_from, mention.valid_to)
    is_whole = mention.kind != "instant" and all(b is None or b.time() == time() for b in bounds)
    start, end = (
        None if b is None else b.date().isoformat() if is_whole else b.isoformat() for b in bounds
    )
    return {"from": start, "to": end}


def score(records: Sequence[DatesRecord], said: Sequence[Prediction], name: str) -> Report:
    """Figures over the records that have a label; an interval counts when both ends are equal."""
    labelled = [
        (r, p["expect"]) for r, p in zip(records, said, strict=True) if r.expect is not None
    ]
    marks = [mark for record, found in labelled for mark in _marks(record, found)]
    wrong = {mark.record for mark in marks if not mark.is_right}
    dated = [r.id for r, _ in labelled if r.expect]
    undated = [r.id for r, _ in labelled if not r.expect]
    measures = main_measures([r.id for r, _ in labelled], marks)
    for title, ids in (("dated rows exact", dated), ("rows without a date empty", undated)):
        right = counts_of(ids, [Mark(i, "", True, i not in wrong) for i in ids])
        measures.append(measure(title, right[:, [0, 2]], share))
    return Report(
        name=name,
        n_records=len(records),
        n_labelled=len(labelled),
        measures=tuple(measures),
        groups=tuple(groups(marks)),
    ).with_misses([_miss(r, found) for r, found in labelled if r.id in wrong])


def _marks(record: DatesRecord, found: Sequence[dict[str, str | None]]) -> Iterator[Mark]:
    expected = Counter(_interval(p.start, p.end, record.reference) for p in record.expect or ())
    kinds = {_interval(p.start, p.end, record.reference): p.kind for p in record.expect or ()}
    got = Counter(_interval(p["from"], p["to"], record.reference) for p in found)
    language = [("language", record.lang)] if record.lang else []
    for interval in expected | got:
        kind = kinds.get(interval, "not labelled")
        facets = (("class", kind), *language)
        n_expected, n_got = expected[interval], got[interval]
        for place in range(max(n_expected, n_got)):
            yield Mark(record.id, kind, place < n_expected, place < n_got, facets)


def _interval(start: str | None, end: str | None, reference: datetime) -> Interval:
    return _moment(start, reference), _moment(end, reference)


def _moment(text: str | None, reference: datetime) -> datetime | None:
    if text is None:
        return None
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=reference.tzinfo)


def _miss(record: DatesRecord, found: Sequence[dict[str, str | None]]) -> Miss:
    expected = [{"from": p.start, "to": p.end} for p in record.expect or ()]
    problem = "wrong interval"
    if len(found) < len(expected):
        problem = "missed"
    elif len(found) > len(expected):
        problem = "read where there is none"
    return Miss(record=record.id, problem=problem, labelled=expected, said=list(found))
