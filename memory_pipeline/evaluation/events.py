"""Events: dialogs read by the extractor, and how what it tells fits what was labelled.

A told event fits a labelled one of its dialog where the phrases share enough lemmas
(`same_phrase`); of several the one with the same date is taken first, then the one with the most
people in common. Over the fitted, people are scored as sets and dates as equal or not: by the
instant where a clock time is labelled, else by the local days of both ends; an unlabelled date
must be unsaid. What is called off later is no part of the final state.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from memory_pipeline.contracts.statement import AtomDraft, EpisodicObject
from memory_pipeline.evaluation.records import DialogMessage, Record
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
from memory_pipeline.understand.word_blocks import words

Progress = Callable[[int], None]
Prediction = dict[str, Any]
Facets = tuple[tuple[str, str], ...]

EVENT = "event"
_ENOUGH = 0.5
_LIGHT = frozenset(
    words(
        "a an the of in to for on with at be my his her our their have do make go take get в на с со и у к ко по от за из о об сделать"
    )
)


class LabelledEvent(BaseModel):
    """One labelled event; `end` is exclusive. Both are null where the dialog gives no date, and
    `end` is where a clock time is the whole date."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    participants: tuple[str, ...]
    what: str
    start: str | None = Field(alias="from")
    end: str | None = Field(alias="to")


class EventsRecord(Record):
    """A dialog with its events; null where it is only to be predicted."""

    tz: str = "UTC"
    kinds: tuple[str, ...] = ()
    messages: tuple[DialogMessage, ...]
    events: tuple[LabelledEvent, ...] | None = None


@dataclass
class _Scored:
    """One record's marks, and of its fitted events the dates and the people."""

    record: str
    marks: list[Mark] = field(default_factory=list)
    dates: list[tuple[bool, Facets]] = field(default_factory=list)
    people: list[tuple[int, int, int]] = field(default_factory=list)
    misses: list[Miss] = field(default_factory=list)


def predict(records: Sequence[EventsRecord], progress: Progress) -> list[Prediction]:
    """`{"id", "events"}` a record, in the labelled shape: the events that stand once everything
    was told, by the shipped extractor and the oracle of resolution, without a store."""
    from memory_pipeline.understand.evaluation import read_dialog
    from memory_pipeline.understand.extraction.local import LocalExtractor
    from memory_pipeline.understand.registry import builtin_predicates

    extractor, predicates = LocalExtractor(), builtin_predicates()
    out = []
    for record in records:
        zone = ZoneInfo(record.tz)
        dialog = read_dialog(_as_labelled(record), extractor, predicates)
        events = [
            _shown(draft, zone)
            for draft in dialog.standing(EVENT)
        ]  # fmt: skip
        out.append({"id": record.id, "events": events})
        progress(1)
    return out


def _as_labelled(record: EventsRecord) -> dict[str, Any]:
    messages = [
        {
            "speaker": m.speaker,
            "role": m.role.value,
            "sent_at": m.sent_at.isoformat() if m.sent_at else None,
            "text": m.text,
        }
        for m in record.messages
    ]
    return {"id": record.id, "tz": record.tz, "lang": record.lang or "", "messages": messages}


def _shown(draft: AtomDraft, zone: ZoneInfo) -> dict[str, Any]:
    told = EpisodicObject.model_validate(draft.object)
    start, end = draft.valid_from, draft.valid_to
    is_instant = start is not None and draft.valid_precision.value == "instant"
    return {
        "participants": list(told.participants),
        "what": told.what,
        "from": _moment(start, zone, is_instant),
        "to": None if start is None or is_instant else _moment(end, zone, False),
        "precision": draft.valid_precision.value if start else None,
    }


def _moment(moment: datetime | None, zone: ZoneInfo, is_instant: bool) -> str | None:
    if moment is None:
        return None
    local = moment.astimezone(zone)
    return local.isoformat() if is_instant else local.date().isoformat()


def score(records: Sequence[EventsRecord], said: Sequence[Prediction], name: str) -> Report:
    """Figures over the records that have labels."""
    scored = [
        _score(record, prediction["events"])
        for record, prediction in zip(records, said, strict=True)
        if record.events is not None
    ]
    marks = [mark for one in scored for mark in one.marks]
    dated = [one.dates for one in scored]
    counts = [(len(some), sum(is_right for is_right, _ in some)) for some in dated]
    dates = measure(
        "dates right among matched", np.array(counts, dtype=np.float64).reshape(-1, 2), share
    )
    people = [pair for one in scored for pair in one.people]
    shared, n_said, n_labelled = (sum(p[i] for p in people) for i in range(3))
    f1 = 2 * shared / (n_said + n_labelled) if n_said + n_labelled else 1.0
    worst = sorted(scored, key=lambda one: -len(one.misses))
    return Report(
        name=name,
        n_records=len(records),
        n_labelled=len(scored),
        measures=(
            *main_measures([one.record for one in scored], marks),
            dates.model_copy(update={"n": sum(n for n, _ in counts)}),
            Measure(name="participants of matched, F1", value=f1, n=len(people)),
        ),
        groups=tuple(groups(marks)),
        shares=tuple(shares("dates right", (item for some in dated for item in some))),
    ).with_misses([miss for one in worst for miss in one.misses])


def _score(record: EventsRecord, said: Sequence[dict[str, Any]]) -> _Scored:
    scored = _Scored(record.id)
    language = (("language", record.lang),) if record.lang else ()
    facets: Facets = (*language, *(("kind", kind) for kind in record.kinds))
    free = list(said)
    for event in record.events or ():
        fits = [other for other in free if same_phrase(other["what"], event.what)]
        scored.marks.append(Mark(record.id, EVENT, True, bool(fits), facets))
        if not fits:
            scored.misses.append(
                Miss(record=record.id, problem="event missed", labelled=_told(event))
            )
            continue
        best = max(fits, key=lambda o: (_same_date(o, event), _shared(o, event)))
        free.remove(best)
        is_dated = _same_date(best, event)
        scored.dates.append((is_dated, facets))
        n_shared = _shared(best, event)
        scored.people.append((n_shared, len(best["participants"]), len(event.participants)))
        if not is_dated:
            scored.misses.append(
                Miss(
                    record=record.id, problem="wrong date", labelled=_told(event), said=_said(best)
                )
            )
    for other in free:
        scored.marks.append(Mark(record.id, EVENT, False, True, facets))
        scored.misses.append(
            Miss(record=record.id, problem="event without cause", said=_said(other))
        )
    return scored


def same_phrase(said: str, labelled: str) -> bool:
    """Whether two phrases tell of one event: half of their lemmas, light words apart, are shared,
    or all of the shorter one's."""
    a, b = _lemmas(said), _lemmas(labelled)
    shared = len(a & b)
    return bool(shared) and (shared / len(a | b) >= _ENOUGH or shared == min(len(a), len(b)))


def _lemmas(text: str) -> set[str]:
    from memory_pipeline.understand.extraction.places import fold
    from memory_pipeline.understand.morphology import lemma

    words = [lemma(w) for w in re.findall(r"\d+|[^\W\d_]+", fold(text))]
    kept = {re.sub(r"(?:ing|ed|es|s)$", "", w) if w.isascii() and len(w) > 4 else w for w in words}
    return kept - _LIGHT or kept


def _same_date(said: dict[str, Any], event: LabelledEvent) -> bool:
    if event.start is None or said["from"] is None:
        return said["from"] is None and event.start is None
    if "T" in event.start:
        said_at, at = (datetime.fromisoformat(text) for text in (said["from"], event.start))
        return "T" in said["from"] and said_at == at
    said_days = [end and str(end)[:10] for end in (said["from"], said["to"])]
    return said_days == [end and end[:10] for end in (event.start, event.end)]


def _shared(said: dict[str, Any], event: LabelledEvent) -> int:
    from memory_pipeline.understand.evaluation import same_subject

    free = list(said["participants"])
    n = 0
    for person in event.participants:
        found = next((p for p in free if same_subject(p, person)), None)
        if found is not None:
            free.remove(found)
            n += 1
    return n


def _told(event: LabelledEvent) -> str:
    return f"{', '.join(event.participants)}: {event.what}, {event.start}..{event.end}"


def _said(event: dict[str, Any]) -> str:
    return f"{', '.join(event['participants'])}: {event['what']}, {event['from']}..{event['to']}"
