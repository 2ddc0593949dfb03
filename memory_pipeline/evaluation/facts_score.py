"""Scores of facts: atoms matched after normalising, their dates, and the answers to questions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.evaluation.records import FactsRecord, LabelledAtom
from memory_pipeline.evaluation.report import Miss, Report
from memory_pipeline.evaluation.scores import (
    Mark,
    Measure,
    groups,
    main_measures,
    measure,
    share,
    shares,
)
from memory_pipeline.understand.registry import builtin_predicates

Prediction = dict[str, Any]
Facets = tuple[tuple[str, str], ...]

NOT_MEANT = frozenset({"question", "sarcasm", "hypothetical"})
"""Kinds of dialogs that say things which nobody states."""


@dataclass
class _Scored:
    """One record's marks, and which of its matched atoms' dates and which of its asks are right."""

    record: str
    marks: list[Mark] = field(default_factory=list)
    dates: list[tuple[bool, Facets]] = field(default_factory=list)
    asks: list[tuple[bool, Facets]] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)


def score(records: Sequence[FactsRecord], said: Sequence[Prediction], name: str) -> Report:
    """Figures over the records that have labels: atoms where `atoms` is given, asks where their
    `object` is. Retracted atoms are left out: they are no part of the final state."""
    predicates = {predicate.name: predicate for predicate in builtin_predicates()}
    scored = [
        _score(record, prediction, predicates)
        for record, prediction in zip(records, said, strict=True)
        if record.atoms is not None or any(ask.is_labelled for ask in record.asks)
    ]
    marks = [mark for one in scored for mark in one.marks]
    n_unmeant = sum(
        mark.is_said and not mark.is_labelled
        for mark in marks
        if NOT_MEANT & {value for by, value in mark.facets if by == "kind"}
    )
    measures = [
        *main_measures([one.record for one in scored], marks),
        _share("dates right among matched", [one.dates for one in scored]),
        _share("asks answered", [one.asks for one in scored]),
        Measure(
            name="unlabelled atoms in dialogs of questions, jokes, hypotheticals",
            value=n_unmeant,
            n=len(scored),
        ),
    ]
    worst = sorted(scored, key=lambda one: -len(one.misses))
    return Report(
        name=name,
        n_records=len(records),
        n_labelled=len(scored),
        measures=tuple(measures),
        groups=tuple(groups(marks)),
        shares=(
            *shares("dates right", (item for one in scored for item in one.dates)),
            *shares("asks answered", (item for one in scored for item in one.asks)),
        ),
    ).with_misses([miss for one in worst for miss in one.misses])


def _share(name: str, items: Sequence[Sequence[tuple[bool, Facets]]]) -> Measure:
    counts = [(len(some), sum(is_right for is_right, _ in some)) for some in items]
    made = measure(name, np.array(counts, dtype=np.float64).reshape(len(counts), 2), share)
    return made.model_copy(update={"n": sum(n for n, _ in counts)})


def _score(
    record: FactsRecord, prediction: Prediction, predicates: dict[str, Predicate]
) -> _Scored:
    scored = _Scored(record.id)
    language = (("language", record.lang),) if record.lang else ()
    beside: Facets = (*language, *(("kind", kind) for kind in record.kinds))
    if record.atoms is not None:
        _score_atoms(scored, record.atoms, prediction["atoms"], predicates, beside)
    for ask, got in zip(record.asks, prediction["asks"], strict=True):
        if not ask.is_labelled:
            continue
        is_right = _same_answer(predicates.get(ask.predicate), got["object"], ask.object)
        scored.asks.append((is_right, (("class", ask.predicate), *beside)))
        if not is_right:
            problem = "ask without answer" if got["object"] is None else "ask answered wrongly"
            if ask.object is None:
                problem = "ask answered where nothing holds"
            where = f"{ask.subject} {ask.predicate} at {ask.valid_at.date()}"
            if ask.known_at:
                where += f" known {ask.known_at.date()}"
            scored.misses.append(
                Miss(
                    record=record.id,
                    problem=problem,
                    labelled=f"{where}: {ask.object}",
                    said=got["object"],
                )
            )
    return scored


def _score_atoms(
    scored: _Scored,
    labelled: Sequence[LabelledAtom],
    said: Sequence[dict[str, str | None]],
    predicates: dict[str, Predicate],
    beside: Facets,
) -> None:
    free = list(said)
    for atom in labelled:
        if atom.retracted:
            continue
        facets = (("class", atom.predicate), *beside)
        fits = [other for other in free if _same_atom(predicates.get(atom.predicate), other, atom)]
        scored.marks.append(Mark(scored.record, atom.predicate, True, bool(fits), facets))
        if not fits:
            scored.misses.append(
                Miss(record=scored.record, problem="atom missed", labelled=_told(dict(atom)))
            )
            continue
        best = max(fits, key=lambda other: _n_equal_ends(other, atom))
        free.remove(best)
        is_dated = _n_equal_ends(best, atom) == 2
        scored.dates.append((is_dated, facets))
        if not is_dated:
            scored.misses.append(
                Miss(
                    record=scored.record,
                    problem="wrong dates",
                    labelled=_told(dict(atom)),
                    said=f"{best['valid_from']}..{best['valid_to']}",
                )
            )
    for other in free:
        predicate = str(other["predicate"])
        facets = (("class", predicate), *beside)
        scored.marks.append(Mark(scored.record, predicate, False, True, facets))
        scored.misses.append(
            Miss(record=scored.record, problem="atom without cause", said=_told(other))
        )


def _same_atom(
    predicate: Predicate | None, said: dict[str, str | None], labelled: LabelledAtom
) -> bool:
    from memory_pipeline.understand.evaluation import same_subject

    return (
        said["predicate"] == labelled.predicate
        and same_subject(str(said["subject"]), labelled.subject)
        and _same_object(predicate, said["object"], labelled.object)
    )


def _same_object(predicate: Predicate | None, said: str | None, labelled: str) -> bool:
    from memory_pipeline.understand.evaluation import same_value

    if said is None or predicate is None:
        return said == labelled
    return same_value(predicate, said, labelled)


def _same_answer(predicate: Predicate | None, said: Any, labelled: Any) -> bool:
    got, wanted = list(_values(said)), list(_values(labelled))
    if len(got) != len(wanted):
        return False
    return all(any(_same_object(predicate, g, w) for g in got) for w in wanted)


def _values(answer: Any) -> Iterator[str]:
    if isinstance(answer, str):
        yield answer
    elif answer is not None:
        yield from answer


def _n_equal_ends(said: dict[str, str | None], labelled: LabelledAtom) -> int:
    return sum(
        said[end] == (wanted[:10] if wanted else None)
        for end, wanted in (("valid_from", labelled.valid_from), ("valid_to", labelled.valid_to))
    )


def _told(atom: dict[str, Any]) -> str:
    return (
        f"{atom['subject']} {atom['predicate']}: {atom['object']},"
        f" {atom['valid_from']}..{atom['valid_to']}"
    )
