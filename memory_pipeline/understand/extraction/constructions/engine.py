"""A construction is a frame of words with a slot: matched by pattern, its slot cut by a taker.

Constructions are looked up by the beginnings of the words that a sentence has, so that a
sentence is matched against the few that can fit it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.rules.medicines import owner_ru
from memory_pipeline.understand.extraction.sentences import STEM, Sentence
from memory_pipeline.understand.gated import Gated, cues_in

Piece = tuple[str | int | None, int, int]
"""A value with the characters [start, end) of the sentence it was read from."""
Take = Callable[[Sentence, Scene, int, int], Iterable[Piece]]
"""Reads the values of a slot: (sentence, scene, start, stop)."""


@dataclass(frozen=True)
class Construction:
    """One way to state a predicate.

    `pattern` matches the lower-cased sentence; the slot is its group `o`, or whatever follows.
    Groups `first` and `third` tell the person; `who` where the pattern itself does.
    `negatable`: a negation before the pattern turns it into nothing. `owned`: its subject is who
    is named before it in an oblique case ("у папы диабет, на метформин посадили").
    """

    predicate: str
    pattern: Gated
    take: Take
    keys: frozenset[str]
    mode: Mode = Mode.state
    who: Who | None = None
    confidence: float = 0.8
    dated: bool | None = None
    negatable: bool = True
    ignores: frozenset[str] = frozenset()
    owned: bool = False


def construction(
    predicate: str,
    keys: str,
    pattern: str,
    take: Take,
    mode: Mode = Mode.state,
    who: Who | None = None,
    *,
    confidence: float = 0.8,
    dated: bool | None = None,
    negatable: bool = True,
    ignores: frozenset[str] = frozenset(),
    owned: bool = False,
) -> Construction:
    """A construction from words: `keys` are words of which a sentence must have one (as it
    begins: the first four letters count)."""
    return Construction(
        predicate,
        Gated(pattern),
        take,
        frozenset(key[:STEM] for key in keys.split()),
        mode,
        who,
        confidence,
        dated,
        negatable,
        ignores,
        owned,
    )


class Table:
    """Constructions by the word beginnings that may start them."""

    def __init__(self, *groups: Sequence[Construction]) -> None:
        """Of several groups, each finds for itself: words that one has taken are free for the
        next."""
        self.groups = groups
        self._entries = tuple((n, entry) for n, group in enumerate(groups) for entry in group)
        self._by_stem: dict[str, tuple[int, ...]] = {}
        for n, (_, entry) in enumerate(self._entries):
            for key in entry.keys:
                self._by_stem[key] = (*self._by_stem.get(key, ()), n)

    def find(self, sentence: Sentence, scene: Scene) -> Iterator[Found]:
        """What the constructions find in a sentence, in table order."""
        fitting: set[int] = set()
        for stem in self._by_stem.keys() & sentence.stems:
            fitting.update(self._by_stem[stem])
        if not fitting:
            return
        needs = [(*self._entries[n], self._entries[n][1].pattern.cues) for n in sorted(fitting)]
        has = cues_in(sentence.low)
        taken: list[tuple[int, str, int, int]] = []
        for group, entry, cues in needs:
            if has is not None and cues is not None and cues.isdisjoint(has):
                continue
            for found, a, b in _apply(entry, sentence, scene):
                key = (group, found.predicate)
                if any((g, p) == key and x < b and a < y for g, p, x, y in taken):
                    continue
                taken.append((*key, a, max(b, a + 1)))
                yield found


def merged(*tables: Table) -> Table:
    """Several tables looked up as one, each still by itself."""
    return Table(*(group for table in tables for group in table.groups))


def _after_dative(match: re.Match[str]) -> int:
    """Where the person whom a duty or a medicine falls to has been named."""
    return match.end("dat") if match.groupdict().get("dat") else match.start()


def _apply(
    entry: Construction, sentence: Sentence, scene: Scene
) -> Iterator[tuple[Found, int, int]]:
    """Findings, each with the characters [start, end) of its value."""
    low = sentence.low
    for match in entry.pattern.expression.finditer(low):
        if entry.negatable and negated(low, match.start()):
            continue
        slot = match.groupdict().get("o")
        start, stop = (match.start("o"), match.end("o")) if slot else (match.end(), len(low))
        who = entry.who or person_of(match)
        owner, is_told = (
            owner_ru(sentence, scene, _after_dative(match)) if entry.owned else (None, True)
        )
        if not is_told:
            owner = scene.people.last_relative()
            if owner is None:
                continue
        for value, a, b in entry.take(sentence, scene, start, stop):
            dated = entry.mode not in (Mode.state, Mode.timeless)
            found = Found(
                entry.predicate,
                value,
                min(match.start(), a),
                max(match.end(), b) if slot else max(b, match.end()),
                entry.mode,
                who,
                owner,
                verb=match.start(),
                confidence=entry.confidence,
                dated=dated if entry.dated is None else entry.dated,
                ignores=entry.ignores,
            )
            yield found, a, b
