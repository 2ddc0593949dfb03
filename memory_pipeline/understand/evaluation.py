"""Scores of understanding against labelled records, in memory and without a store.

Facts are scored as they come out after resolution: each dialog's statements are extracted,
resolved by the oracle, and compared with the labelled atoms that were not retracted.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memory_pipeline.bitemporal.oracle import answer, known, timeline
from memory_pipeline.bitemporal.resolution import Segment, Stmt
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    Extraction,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import Cardinality
from memory_pipeline.understand.extraction.people import same_person
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.interface import Extractor
from memory_pipeline.understand.morphology import lemma
from memory_pipeline.understand.registry import normalise_object

Record = Mapping[str, Any]
_FREE_TEXT_OVERLAP = 0.5


def is_held_out(record_id: str) -> bool:
    """Whether a record belongs to the third that rules are not developed on."""
    return int(hashlib.sha256(record_id.encode()).hexdigest(), 16) % 3 == 0


@dataclass
class FactScore:
    """Counts over atoms, their dates and the asks; `misses` and `extras` name predicates."""

    n_gold: int = 0
    n_said: int = 0
    n_right: int = 0
    n_dated_right: int = 0
    n_asks: int = 0
    n_asks_right: int = 0
    misses: list[tuple[str, str]] = field(default_factory=list)
    extras: list[tuple[str, str]] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.n_right / self.n_said if self.n_said else 1.0

    @property
    def recall(self) -> float:
        return self.n_right / self.n_gold if self.n_gold else 1.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def summary(self) -> dict[str, float]:
        """The figures, rounded, for a report."""
        return {
            "n_gold": self.n_gold,
            "n_said": self.n_said,
            "precision": round(self.precision, 3),
            "recall": round(self.recall, 3),
            "f1": round(self.f1, 3),
            "dates_right": round(self.n_dated_right / self.n_right, 3) if self.n_right else 0.0,
            "n_asks": self.n_asks,
            "asks_right": round(self.n_asks_right / self.n_asks, 3) if self.n_asks else 0.0,
        }


@dataclass(frozen=True)
class SaidAtom:
    """An atom as resolution leaves it, in the labelled shape."""

    subject: str
    predicate: str
    object: str
    valid_from: datetime | None
    valid_to: datetime | None


def windows_of(record: Record, window_size: int) -> list[Window]:
    """The windows of a labelled dialog, one a message."""
    messages = [
        WindowMessage(
            speaker=m["speaker"],
            role=m["role"],
            sent_at=datetime.fromisoformat(m["sent_at"]) if m.get("sent_at") else None,
            lang=record["lang"],
            text=m["text"],
        )
        for m in record["messages"]
    ]
    return [
        Window(messages=tuple(messages[max(0, i - window_size) : i + 1]), tz=record["tz"])
        for i in range(len(messages))
    ]


@dataclass
class ReadDialog:
    """A dialog's statements by key, ready to be resolved at any moment."""

    stmts: dict[tuple[str, str, str | None], list[Stmt]]
    drafts: dict[int, AtomDraft]
    predicates: Mapping[str, Predicate]

    def atoms(self) -> list[SaidAtom]:
        """What holds when, once everything was told."""
        out = []
        for (_, predicate, _), stmts in self.stmts.items():
            runs: dict[Any, list[Segment]] = defaultdict(list)
            for segment in timeline(stmts):
                runs[segment.atom_id].append(segment)
            for atom_id, parts in runs.items():
                draft = self.drafts[atom_id]
                out.append(
                    SaidAtom(
                        draft.subject.name,
                        predicate,
                        str(draft.object),
                        parts[0].valid_from,
                        parts[-1].valid_to,
                    )
                )
        return out

    def standing(self, predicate: str) -> list[AtomDraft]:
        """The drafts of a predicate that nothing took back, in the order of their telling."""
        found: dict[Any, AtomDraft] = {}
        for (_, name, _), stmts in self.stmts.items():
            if name == predicate:
                for segment in timeline(stmts):
                    found[segment.atom_id] = self.drafts[segment.atom_id]  # type: ignore[index]
        return [found[atom_id] for atom_id in sorted(found)]

    def ask(
        self, subject: str, predicate: str, valid_at: datetime, known_at: datetime | None
    ) -> list[str]:
        """The values that held at `valid_at` as known at `known_at`."""
        found = []
        for (_, name, _), stmts in self.stmts.items():
            if name != predicate:
                continue
            told = stmts if known_at is None else known(stmts, known_at)
            segment = answer(timeline(told), valid_at)
            if segment is None:
                continue
            draft = self.drafts[segment.atom_id]  # type: ignore[index]
            if same_subject(draft.subject.name, subject):
                found.append(str(draft.object))
        return found


def read_dialog(
    record: Record, extractor: Extractor, predicates: Sequence[Predicate]
) -> ReadDialog:
    """Extracts a labelled dialog and sorts its statements by key.

    Raises `RuntimeError` when the extractor fails on a window.
    """
    by_name = {p.name: p for p in predicates}
    windows = windows_of(record, extractor.window_size)
    drafts: dict[int, AtomDraft] = {}
    pending: list[tuple[tuple[str, str, str | None], Stmt, Cardinality]] = []
    n = 0
    for i, (window, result) in enumerate(
        zip(windows, extractor.extract(windows, predicates), strict=True)
    ):
        if not isinstance(result, Extraction):
            raise RuntimeError(f"window {i} of record {record['id']} failed: {result.code}")
        told = window.messages[-1].sent_at
        said: list[AtomDraft | ClosureDraft] = [*result.atoms, *result.closures]
        for draft in said:
            if draft.predicate not in by_name or (
                isinstance(draft, AtomDraft) and draft.is_candidate
            ):
                continue
            predicate = by_name[draft.predicate]
            normal = None if draft.object is None else normalise_object(predicate, draft.object)
            key_object = normal if predicate.cardinality is Cardinality.multi else None
            n += 1
            if isinstance(draft, AtomDraft):
                drafts[n] = draft
            pending.append(
                (
                    (fold(draft.subject.name), draft.predicate, key_object),
                    _stmt(n, i, draft, told, normal, window),
                    predicate.cardinality,
                )
            )
    stmts: dict[tuple[str, str, str | None], list[Stmt]] = defaultdict(list)
    for key, stmt, _ in pending:
        stmts[key].append(stmt)
    for (subject, name, value), closures in list(stmts.items()):
        if value is None and by_name[name].cardinality is Cardinality.multi:
            for other in list(stmts):
                if other[:2] == (subject, name) and other[2] is not None:
                    stmts[other].extend(closures)
            del stmts[(subject, name, value)]
    return ReadDialog(dict(stmts), drafts, by_name)


def _stmt(
    n: int,
    ordinal: int,
    draft: AtomDraft | ClosureDraft,
    told: datetime | None,
    normal: str | None,
    window: Window,
) -> Stmt:
    span = draft.spans[-1]
    order = (
        told or datetime.min.replace(tzinfo=ZoneInfo("UTC")),
        ordinal,
        b"",
        span.start,
        span.end,
        n,
    )
    own = draft.subject.is_speaker and draft.subject.name == window.messages[-1].speaker
    key = None if normal is None else normal.encode()
    if isinstance(draft, AtomDraft):
        return Stmt(
            id=n,  # type: ignore[arg-type]
            told_at=told,
            told_order=order,
            object_key=key,
            polarity=draft.polarity.value,
            valid_from=draft.valid_from,
            valid_to=draft.valid_to,
            start_inferred=draft.start_inferred,
            holds_when_told=draft.holds_when_told,
            trust=1 if draft.quoted else 3,
            own=own and not draft.quoted,
        )
    return Stmt(
        id=n,  # type: ignore[arg-type]
        told_at=told,
        told_order=order,
        type="closure",
        object_key=key,
        action=draft.action.value,
        planned_start=draft.planned_start,
        ended_at=draft.ended_at,
        own=own,
    )


def same_value(predicate: Predicate, said: str, gold: str) -> bool:
    """Whether two objects count as equal in a score: exactly for typed values, by words for
    free text, where one of several good wordings was labelled."""
    a, b = normalise_object(predicate, said), normalise_object(predicate, gold)
    if a == b or predicate.value_type in ("money", "date", "integer", "email", "phone"):
        return a == b
    if predicate.value_type == "place":
        return a == b
    words_a, words_b = _words(a), _words(b)
    if not words_a or not words_b:
        return False
    shared = len(words_a & words_b)
    return shared / len(words_a | words_b) >= _FREE_TEXT_OVERLAP or (
        shared == min(len(words_a), len(words_b)) and shared >= 1 and predicate.value_type == "text"
    )


def _words(text: str) -> set[str]:
    stop = {
        "в",
        "на",
        "и",
        "с",
        "у",
        "по",
        "для",
        "от",
        "the",
        "a",
        "an",
        "of",
        "in",
        "to",
        "for",
        "and",
        "on",
        "be",
        "at",
        "my",
        "i",
    }
    return {_stem(lemma(w)) for w in re.findall(r"\d+|[^\W\d]+", fold(text)) if w not in stop}


def _stem(word: str) -> str:
    return re.sub(r"(?:ing|ed|es|s)$", "", word) if len(word) > 4 and word.isascii() else word


def same_subject(said: str, gold: str) -> bool:
    """Whether two names count as one in a score: equal, or forms of one person's name."""
    plain = re.sub(r"\s*\([^)]*\)$", "", gold)
    return fold(said) == fold(gold) or (same_person(said, plain) and "'s " not in said)


def score_facts(
    records: Iterable[Record], extractor: Extractor, predicates: Sequence[Predicate]
) -> FactScore:
    """Precision, recall and dates of atoms, and the share of asks answered, over dialogs."""
    by_name = {p.name: p for p in predicates}
    score = FactScore()
    for record in records:
        dialog = read_dialog(record, extractor, [p for p in predicates if p.name != "event"])
        said = dialog.atoms()
        zone = ZoneInfo(record["tz"])
        gold = [a for a in record["atoms"] if not a.get("retracted")]
        free = list(range(len(said)))
        score.n_gold += len(gold)
        score.n_said += len(said)
        for atom in gold:
            fits = [
                i for i in free
                if said[i].predicate == atom["predicate"]
                and same_subject(said[i].subject, atom["subject"])
                and same_value(by_name[atom["predicate"]], said[i].object, atom["object"])
            ]  # fmt: skip
            if not fits:
                score.misses.append(
                    (record["id"], f"{atom['subject']} {atom['predicate']}: {atom['object']}")
                )
                continue
            best = max(fits, key=lambda i: _dates_equal(said[i], atom, zone))
            free.remove(best)
            score.n_right += 1
            if _dates_equal(said[best], atom, zone) == 2:
                score.n_dated_right += 1
            else:
                found = said[best]
                score.misses.append(
                    (
                        record["id"],
                        f"dates of {atom['predicate']} {atom['object']}: {_day(found.valid_from, zone)}..{_day(found.valid_to, zone)} for {atom['valid_from']}..{atom['valid_to']}",
                    )
                )
        score.extras.extend(
            (
                record["id"],
                f"{said[i].subject} {said[i].predicate}: {said[i].object} {_day(said[i].valid_from, zone)}..{_day(said[i].valid_to, zone)}",
            )
            for i in free
        )
        for ask in record.get("asks", ()):
            score.n_asks += 1
            right = _ask_right(dialog, ask, by_name)
            score.n_asks_right += right
            if not right:
                score.misses.append(
                    (
                        record["id"],
                        f"ask {ask['predicate']} at {ask['valid_at'][:10]} known {ask['known_at']}: {ask['object']}",
                    )
                )
    return score


def _day(moment: datetime | None, zone: ZoneInfo) -> str | None:
    return moment.astimezone(zone).date().isoformat() if moment else None


def _dates_equal(said: SaidAtom, gold: Mapping[str, Any], zone: ZoneInfo) -> int:
    pairs = ((said.valid_from, gold["valid_from"]), (said.valid_to, gold["valid_to"]))
    return sum(_day(moment, zone) == (value[:10] if value else None) for moment, value in pairs)


def _ask_right(
    dialog: ReadDialog, ask: Mapping[str, Any], predicates: Mapping[str, Predicate]
) -> bool:
    predicate = predicates[ask["predicate"]]
    known_at = datetime.fromisoformat(ask["known_at"]) if ask.get("known_at") else None
    got = dialog.ask(
        ask["subject"], ask["predicate"], datetime.fromisoformat(ask["valid_at"]), known_at
    )
    wanted = ask["object"]
    wanted = [] if wanted is None else [wanted] if isinstance(wanted, str) else list(wanted)
    if len(got) != len(wanted):
        return False
    return all(any(same_value(predicate, g, w) for g in got) for w in wanted)
