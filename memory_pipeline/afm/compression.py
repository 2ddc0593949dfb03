"""Compression of one message: whole sentences are kept or left out, and the result is checked."""

from dataclasses import dataclass
from typing import Protocol

from memory_pipeline.afm import sentences

KEPT_SHARE = 0.5
"""Sentences are added until about this share of the text's characters is kept."""

_GAP = " … "
_ALIGNED = 0.5
_WORTH_KEEPING = 1.0  # below it stand greetings and small talk


class Compressor(Protocol):
    """Shortens a text. `name` goes into the snapshot. The result is checked by the caller."""

    @property
    def name(self) -> str: ...

    def compress(self, text: str, lang: str) -> str: ...


class NoCompressor:
    """Leaves texts as they are: an item is then carried whole or not at all."""

    name = "none"

    def compress(self, text: str, lang: str) -> str:  # noqa: ARG002 - the protocol's
        """The text itself."""
        return text


class ExtractiveCompressor:
    """Keeps the sentences that say most, verbatim and in order; deterministic, ru and en.

    What is kept keeps its numbers, names and negations, since no sentence is cut. Sentences that
    bind (must, only, limit, allergy…) always stay.
    """

    name = "extractive"

    def compress(self, text: str, lang: str) -> str:  # noqa: ARG002 - cues of both languages apply
        """The text, or the part of its sentences that says most, "…" where some were left out."""
        units = sentences.units(text)
        if len(units) < 2:
            return text
        ranked = sorted(range(len(units)), key=lambda i: (-_information(units[i]), i))
        kept = {i for i in ranked if sentences.has_constraint(units[i])}
        room = KEPT_SHARE * sum(map(len, units)) - sum(len(units[i]) for i in kept)
        for i in ranked:
            says_something = _information(units[i]) >= _WORTH_KEEPING and len(units[i]) <= room
            if i not in kept and (not kept or says_something):
                kept.add(i)
                room -= len(units[i])
        compressed = _join(units, kept)
        return compressed if len(compressed) < len(text) else text


def _join(units: list[str], kept: set[int]) -> str:
    runs: list[list[str]] = []
    previous = -2
    for i in sorted(kept):
        if i != previous + 1:
            runs.append([])
        runs[-1].append(units[i])
        previous = i
    return _GAP.join(map(sentences.join, runs))


def _information(unit: str) -> float:
    """How much a sentence says: figures, names and cues first, then distinct content words."""
    value = 3.0 * min(3, len(sentences.numbers(unit)))
    value += 1.5 * min(3, sentences.names(unit))
    value += 3.0 * sentences.has_constraint(unit) + 2.0 * sentences.has_negation(unit)
    value += 0.4 * len(sentences.content_stems(unit))
    if unit.rstrip().endswith("?"):
        value -= 2.0
    return value


@dataclass(frozen=True)
class CompressionCheck:
    """What a compressed text lost of the sentences that it kept, in counts."""

    n_kept: int
    n_lost_numbers: int
    n_lost_negations: int
    n_added_negations: int
    n_lost_constraints: int
    n_invented_numbers: int

    @property
    def is_faithful(self) -> bool:
        """Nothing that changes the meaning of a kept sentence was lost or added."""
        return not (
            self.n_lost_numbers
            or self.n_lost_negations
            or self.n_added_negations
            or self.n_lost_constraints
            or self.n_invented_numbers
        )


def check(original: str, compressed: str) -> CompressionCheck:
    """Compare a compressed text with its original, sentence by sentence.

    A sentence counts as kept when at least half of its content words are in one sentence of the
    compressed text; numbers, negations and binding words are then compared between the two. Words
    are matched by their beginnings, so a paraphrase in other words counts as left out.
    """
    # A sentence taken over verbatim answers for itself, not for others that resemble it.
    targets = [
        target
        for part in compressed.split(_GAP)
        for target in sentences.units(part)
        if target not in original
    ]
    n_kept = lost_numbers = lost_negations = added_negations = lost_constraints = 0
    for unit in sentences.units(original):
        if unit in compressed:
            n_kept += 1
            continue
        target = _aligned(unit, targets)
        if target is None:
            continue
        n_kept += 1
        lost_numbers += len(sentences.numbers(unit) - sentences.numbers(target))
        negated, target_negated = sentences.has_negation(unit), sentences.has_negation(target)
        lost_negations += negated and not target_negated
        added_negations += target_negated and not negated
        lost_constraints += sentences.has_constraint(unit) and not sentences.has_constraint(target)
    return CompressionCheck(
        n_kept=n_kept,
        n_lost_numbers=lost_numbers,
        n_lost_negations=lost_negations,
        n_added_negations=added_negations,
        n_lost_constraints=lost_constraints,
        n_invented_numbers=len(sentences.numbers(compressed) - sentences.numbers(original)),
    )


def _aligned(unit: str, targets: list[str]) -> str | None:
    stems = sentences.content_stems(unit)
    if not stems or not targets:
        return None
    best = max(targets, key=lambda target: len(stems & sentences.content_stems(target)))
    share = len(stems & sentences.content_stems(best)) / len(stems)
    return best if share >= _ALIGNED else None
