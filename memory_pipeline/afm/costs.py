"""What candidates cost in tokens, at each fidelity and place; counted once, exactly.

A message shows its day only where it differs from that of the message before it in the context, so
its cost depends on its neighbours: `DialogTally` keeps the sum exact while messages come and go.
"""

from bisect import bisect_left, insort
from collections.abc import Sequence
from functools import lru_cache

from memory_pipeline.afm import rendering
from memory_pipeline.afm.compression import Compressor, check
from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.tokens import count, count_message
from memory_pipeline.contracts.snapshot import ItemKind
from memory_pipeline.contracts.vocabulary import Fidelity


class Costs:
    """Texts and token counts of the candidates of one packing, computed when first asked for."""

    def __init__(
        self, candidates: Sequence[Candidate], words: rendering.Words, compressor: Compressor
    ) -> None:
        self.words = words
        self._compressor = compressor
        messages = (c for c in candidates if c.kind is ItemKind.message)
        self._with_speaker = rendering.speakers_needed(messages)
        self._compressed: dict[str, str] = {}
        self._counted: dict[tuple[str, Fidelity, bool], int] = {}
        self.stub = lru_cache(maxsize=None)(self._count_stub)

    def text(self, candidate: Candidate, fidelity: Fidelity) -> str:
        """The text at a fidelity. A compression that fails its check gives way to the whole."""
        if fidelity is Fidelity.full or candidate.kind is ItemKind.atom:
            return candidate.text
        if candidate.id not in self._compressed:
            short = self._compressor.compress(candidate.text, candidate.lang)
            if short != candidate.text and not check(candidate.text, short).is_faithful:
                short = candidate.text
            self._compressed[candidate.id] = short
        return self._compressed[candidate.id]

    def content(self, message: Candidate, fidelity: Fidelity, *, with_date: bool) -> str:
        """A message's content in the chat format."""
        return rendering.chat_content(
            self.words,
            message,
            self.text(message, fidelity),
            with_date=with_date,
            with_speaker=self._with_speaker,
        )

    def line(self, candidate: Candidate, fidelity: Fidelity, *, with_date: bool = True) -> str:
        """A candidate's line of the memory block."""
        text = self.text(candidate, fidelity)
        if candidate.kind is ItemKind.atom:
            is_full = fidelity is Fidelity.full
            return rendering.atom_line(self.words, candidate, text, with_source=is_full)
        return rendering.message_line(self.words, candidate, text, with_date=with_date)

    def of_message(self, message: Candidate, fidelity: Fidelity, *, with_date: bool) -> int:
        """Tokens of a message in the chat format, its overhead included."""
        key = (message.id, fidelity, with_date)
        if key not in self._counted:
            content = self.content(message, fidelity, with_date=with_date)
            self._counted[key] = count_message(rendering.chat_role(message.role), content)
        return self._counted[key]

    def of_line(self, candidate: Candidate, fidelity: Fidelity) -> int:
        """Tokens of a dated line of the memory block."""
        key = (candidate.id, fidelity, True)
        if candidate.kind is ItemKind.message:
            return count(self.line(candidate, fidelity))
        if key not in self._counted:
            self._counted[key] = count(self.line(candidate, fidelity))
        return self._counted[key]

    def _count_stub(self, first: int, last: int) -> int:
        return count_message("system", rendering.stub(self.words, first, last))


class DialogTally:
    """The messages kept so far, in the dialog's order, and what one more would add."""

    def __init__(self, messages: Sequence[Candidate], costs: Costs) -> None:
        self._messages = messages
        self._costs = costs
        self._places: list[int] = []
        self.kept: dict[int, Fidelity] = {}

    def added_by(self, place: int, fidelity: Fidelity) -> int:
        """Tokens that the context grows by when the message at `place` gets this fidelity; negative
        when a later message need not show its day any more, which saves more."""
        index = bisect_left(self._places, place)
        before = self._places[index - 1] if index else None
        if place in self.kept:
            return self._cost(place, fidelity, before) - self._cost(place, self.kept[place], before)
        added = self._cost(place, fidelity, before)
        if index < len(self._places):
            after = self._places[index]
            added += self._cost(after, self.kept[after], place)
            added -= self._cost(after, self.kept[after], before)
        return added

    def keep(self, place: int, fidelity: Fidelity) -> None:
        """Keep the message at `place` at this fidelity."""
        if place not in self.kept:
            insort(self._places, place)
        self.kept[place] = fidelity

    def _cost(self, place: int, fidelity: Fidelity, before: int | None) -> int:
        message = self._messages[place]
        previous = None if before is None else self._messages[before]
        return self._costs.of_message(message, fidelity, with_date=shows_day(message, previous))


def shows_day(message: Candidate, previous: Candidate | None) -> bool:
    """Whether a message shows its day after `previous` (null = it comes first)."""
    if message.sent_at is None:
        return False
    if previous is None or previous.sent_at is None:
        return True
    return rendering.day(message.sent_at) != rendering.day(previous.sent_at)
