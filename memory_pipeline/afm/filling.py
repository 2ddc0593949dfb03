"""Filling a budget step by step: take an item if it fits, exactly counted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory_pipeline.afm.costs import Costs, DialogTally
from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.scoring import Scored, wanted_fidelity
from memory_pipeline.contracts.snapshot import ItemKind, Levers, Mode, Reason
from memory_pipeline.contracts.vocabulary import Fidelity

_BY_THRESHOLD = {
    Fidelity.full: Reason.above_full,
    Fidelity.compressed: Reason.above_compressed,
    Fidelity.placeholder: Reason.below_compressed,
}

Stub = tuple[int, int]
"""First and last place, in the dialog's order, of a run of messages that are not carried."""


@dataclass
class Choice:
    """What is decided so far: the fidelity of what is carried, reasons, and stubs. Keys are
    candidate ids."""

    fidelity: dict[str, Fidelity] = field(default_factory=dict)
    reasons: defaultdict[str, list[Reason]] = field(default_factory=lambda: defaultdict(list))
    stubs: list[Stub] = field(default_factory=list)

    def copy(self) -> "Choice":
        """An independent copy."""
        reasons = {key: list(codes) for key, codes in self.reasons.items()}
        return Choice(dict(self.fidelity), defaultdict(list, reasons), list(self.stubs))


class Fill:
    """A choice that grows while it fits `limit` tokens.

    `conflicts` maps an id to those that may not be carried beside it: an atom to its evidence
    messages and back.
    """

    def __init__(
        self,
        choice: Choice,
        *,
        messages: Sequence[Candidate],
        conflicts: Mapping[str, Sequence[str]],
        costs: Costs,
        levers: Levers,
        limit: int,
        n_used: int,
        has_block: bool,
    ) -> None:
        self.choice = choice
        self.limit = limit
        self._messages = messages
        self._place = {message.id: place for place, message in enumerate(messages)}
        self._conflicts = conflicts
        self._costs = costs
        self._levers = levers
        self._n_used = n_used
        self._has_block = has_block
        self._tally = DialogTally(messages, costs)

    def take_wanted(self, item: Scored) -> bool:
        """Take an item at the fidelity that its score asks for, or the best below it that fits."""
        wanted = wanted_fidelity(item.score, self._levers)
        is_off = self._levers.mode is Mode.off
        reasons = self.choice.reasons[item.candidate.id]
        reasons.append(Reason.mode_off if is_off else _BY_THRESHOLD[wanted])
        if wanted is Fidelity.placeholder or self._is_blocked(item.candidate):
            return False
        if self._take(item.candidate, wanted):
            return True
        may_downgrade = wanted is Fidelity.full and not is_off
        if may_downgrade and self._take(item.candidate, Fidelity.compressed):
            reasons.append(Reason.downgraded)
            return True
        return False

    def take_spare(self, item: Scored) -> None:
        """Raise an item as far as what is left allows."""
        candidate = item.candidate
        now = self.choice.fidelity.get(candidate.id)
        if now is Fidelity.full or self._is_blocked(candidate):
            return
        is_raised = self._take(candidate, Fidelity.full) or (
            now is None
            and self._levers.mode is Mode.focus
            and self._take(candidate, Fidelity.compressed)
        )
        if is_raised:
            self.choice.reasons[candidate.id].append(Reason.spare_budget)

    def extend_stub(self, stub: Stub | None, place: int) -> Stub | None:
        """Let a stub reach to `place`, or start one there; null when that does not fit."""
        wider = (stub[0] if stub else place, place)
        added = self._stub_cost(wider) - (self._stub_cost(stub) if stub else 0)
        if self._n_used + added > self.limit:
            return None
        self._n_used += added
        if stub:
            self.choice.stubs.remove(stub)
        self.choice.stubs.append(wider)
        return wider

    def add_stubs(self) -> None:
        """Add stubs for the runs that are not carried while they fit, longest run first."""
        runs: list[list[int]] = [[]]
        for place, message in enumerate(self._messages):
            if message.id not in self.choice.fidelity:
                runs[-1].append(place)
            elif not message.is_critical:
                runs.append([])
        for run in sorted(filter(None, runs), key=lambda run: (-len(run), -run[0])):
            stub = (run[0], run[-1])
            if self._n_used + self._stub_cost(stub) <= self.limit:
                self._n_used += self._stub_cost(stub)
                self.choice.stubs.append(stub)

    def _is_blocked(self, candidate: Candidate) -> bool:
        return any(other in self.choice.fidelity for other in self._conflicts[candidate.id])

    def _take(self, candidate: Candidate, fidelity: Fidelity) -> bool:
        if candidate.kind is ItemKind.message:
            place = self._place[candidate.id]
            added = self._tally.added_by(place, fidelity)
        elif self._has_block:
            now = self.choice.fidelity.get(candidate.id)
            added = self._costs.of_line(candidate, fidelity)
            added -= self._costs.of_line(candidate, now) if now else 0
        else:
            return False
        if self._n_used + added > self.limit:
            return False
        self._n_used += added
        self.choice.fidelity[candidate.id] = fidelity
        if candidate.kind is ItemKind.message:
            self._tally.keep(place, fidelity)
        return True

    def _stub_cost(self, stub: Stub) -> int:
        first, last = (self._messages[place].turn or 0 for place in stub)
        return self._costs.stub(first, last)
