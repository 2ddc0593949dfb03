"""Sensitive values: the spans that the detector finds in a message, under the packaged policy."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from memory_pipeline.evaluation.records import LabelledSpan, SensitiveRecord
from memory_pipeline.evaluation.report import Miss, Report
from memory_pipeline.evaluation.scores import (
    Mark,
    counts_of,
    groups,
    main_measures,
    measure,
    recall,
)

UNMISTAKABLE = frozenset(
    {"card", "iban", "passport_ru", "inn", "snils", "email", "phone", "api_key"}
)
"""Types of a fixed form, of which hardly any may be missed."""

Progress = Callable[[int], None]
Prediction = dict[str, Any]


def predict(records: Sequence[SensitiveRecord], progress: Progress) -> list[Prediction]:
    """`{"id", "spans": [{"start", "end", "type"}]}` a record, in code points, ends exclusive."""
    from memory_pipeline.understand.sensitive.find import find

    said = []
    for record in records:
        spans = [
            {"start": span.start, "end": span.end, "type": span.type}
            for span in find(record.text, record.lang)
        ]
        said.append({"id": record.id, "spans": spans})
        progress(1)
    return said


def score(records: Sequence[SensitiveRecord], said: Sequence[Prediction], name: str) -> Report:
    """Figures over the records that have a label; a span counts when ends and type are equal."""
    labelled = [
        (r, [LabelledSpan(**span) for span in p["spans"]])
        for r, p in zip(records, said, strict=True)
        if r.spans is not None
    ]
    marks = [mark for record, found in labelled for mark in _marks(record, found)]
    ids = [record.id for record, _ in labelled]
    unmistakable = counts_of(ids, [mark for mark in marks if mark.label in UNMISTAKABLE])
    return Report(
        name=name,
        n_records=len(records),
        n_labelled=len(labelled),
        measures=(
            *main_measures(ids, marks),
            measure("recall of identifiers, contacts and keys", unmistakable, recall),
        ),
        groups=tuple(groups(marks)),
    ).with_misses([miss for record, found in labelled for miss in _misses(record, found)])


def _marks(record: SensitiveRecord, found: Sequence[LabelledSpan]) -> Iterator[Mark]:
    expected, got = set(record.spans or ()), set(found)
    language = [("language", record.lang)] if record.lang else []
    for span in sorted(expected | got, key=lambda s: (s.start, s.end, s.type)):
        facets = (("class", span.type), *language)
        yield Mark(record.id, span.type, span in expected, span in got, facets)


def _misses(record: SensitiveRecord, found: Sequence[LabelledSpan]) -> Iterator[Miss]:
    """What was missed, with what was said in its place; then what was said without cause."""
    missed = [span for span in record.spans or () if span not in found]
    extra = [span for span in found if span not in (record.spans or ())]
    for span in missed:
        over = [s for s in extra if s.start < span.end and span.start < s.end]
        problem = "missed"
        if over:
            problem = "wrong ends" if any(s.type == span.type for s in over) else "wrong type"
        extra = [s for s in extra if s not in over]
        yield Miss(
            record=record.id,
            problem=f"{span.type}: {problem}",
            labelled=_place(span),
            said=[_place(s) for s in over] or None,
        )
    for span in extra:
        yield Miss(record=record.id, problem=f"{span.type}: found where there is none",
                   said=_place(span))  # fmt: skip


def _place(span: LabelledSpan) -> str:
    return f"{span.type} {span.start}..{span.end}"
