"""Scores of design §7: importance, similarity to the query, and recency in turns."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from memory_pipeline.afm.items import Candidate
from memory_pipeline.contracts.snapshot import ItemKind, Levers, Mode, Weights
from memory_pipeline.contracts.vocabulary import Fidelity, Importance

CRITICAL = Weights(constant=1.0, base=0.0, recency=0.0)
RELEVANT = Weights(constant=0.0, base=0.4, recency=0.4)
TRIVIAL = Weights(constant=0.0, base=0.0, recency=0.25)

_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Scored:
    """A candidate with the terms of its score."""

    candidate: Candidate
    turns_ago: int
    w: float
    weights: Weights
    score: float


def score(weights: Weights, sim: float, w: float) -> float:
    """The score that the stored terms add up to."""
    return weights.constant + max(0.0, sim) * (weights.base + weights.recency * w)


def weights_of(candidate: Candidate) -> Weights:
    """The weights of a candidate's class; critical but no longer in force counts as relevant."""
    if candidate.importance is Importance.trivial:
        return TRIVIAL
    return CRITICAL if candidate.is_critical else RELEVANT


def recency(turns_ago: int, half_life: float) -> float:
    """w = 0.5^(turns_ago / half_life)."""
    return float(0.5 ** (turns_ago / half_life))


def wanted_fidelity(value: float, levers: Levers) -> Fidelity:
    """The fidelity that a score asks for; `off` carries everything verbatim."""
    if levers.mode is Mode.off or value >= levers.full:
        return Fidelity.full
    return Fidelity.compressed if value >= levers.compressed else Fidelity.placeholder


def score_all(candidates: Sequence[Candidate], levers: Levers) -> list[Scored]:
    """Score candidates, in their order.

    `turns_ago` of a message counts the messages after it; an atom's is the number of messages sent
    after its `told_at`. A message without a time counts as sent with the one before it; an atom
    without one is as old as its evidence in this dialog, else older than all of it.
    """
    messages = sorted(
        (c for c in candidates if c.kind is ItemKind.message), key=lambda c: (c.turn or 0, c.id)
    )
    after = {c.id: len(messages) - 1 - place for place, c in enumerate(messages)}
    sent: list[datetime] = []
    for message in messages:
        sent.append(message.sent_at or (sent[-1] if sent else _BEGINNING))
    sent.sort()

    scored = []
    for candidate in candidates:
        if candidate.kind is ItemKind.message:
            turns_ago = after[candidate.id]
        elif candidate.told_at is not None:
            turns_ago = len(sent) - bisect_right(sent, candidate.told_at)
        else:
            turns_ago = min(
                (after[m] for m in candidate.evidence_of if m in after), default=len(sent)
            )
        w = recency(turns_ago, levers.half_life)
        weights = weights_of(candidate)
        scored.append(Scored(candidate, turns_ago, w, weights, score(weights, candidate.sim, w)))
    return scored
