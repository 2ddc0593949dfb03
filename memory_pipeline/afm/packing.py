"""Packing: which candidate goes into a context at which fidelity, under an exact token budget.

Design §7. Critical items in force and the chat format's overhead are reserved first. The rest gets
what remains, by one of two strategies (`contracts.snapshot.Strategy`). An atom and the messages it
rests on are never both carried, nor are two atoms that read alike. What is not carried stands in stubs that merge over neighbouring
turns.
"""

from collections import defaultdict
from collections.abc import Sequence

from memory_pipeline.afm import assembly
from memory_pipeline.afm.compression import Compressor
from memory_pipeline.afm.costs import Costs
from memory_pipeline.afm.filling import Choice, Fill
from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.rendering import block_words
from memory_pipeline.afm.scoring import Scored, score_all
from memory_pipeline.afm.tokens import REPLY_PRIMING, TOKENIZER
from memory_pipeline.contracts.snapshot import ItemKind, Levers, Mode, Packed, Reason, Strategy
from memory_pipeline.contracts.vocabulary import Fidelity

STUB_SHARE = 0.05
"""`ranked` keeps at most this share of the free budget for stubs: each costs about 13 tokens, a
third of a short message."""


class CriticalBudgetError(ValueError):
    """The critical items in force alone exceed the budget. Holds ids and counts, no content."""

    def __init__(self, item_ids: Sequence[str], n_tokens_needed: int, budget: int) -> None:
        self.item_ids = tuple(item_ids)
        self.n_tokens_needed = n_tokens_needed
        self.budget = budget
        super().__init__(
            f"{len(self.item_ids)} critical items in force need {n_tokens_needed} tokens, the "
            f"budget is {budget}: raise the budget, or allow an overflow; items: "
            f"{', '.join(self.item_ids)}"
        )


def pack(
    candidates: Sequence[Candidate],
    *,
    query_lang: str,
    budget: int,
    levers: Levers,
    strategy: Strategy | str,
    compressor: Compressor,
    allow_overflow: bool = False,
) -> Packed:
    """Pack a dialog's messages and atoms into at most `budget` tokens of chat messages.

    `query_lang` picks the language of the block's own words (`ru`, else English). Ids must be
    unique. The Markdown rendering stays within the budget too. Deterministic: the same candidates,
    in any order, give the same result.

    Raises:
        CriticalBudgetError: critical items in force alone exceed the budget, and no overflow is
            allowed.
        ValueError: two candidates share an id, the strategy is unknown, or the budget is below the
            3 tokens of an empty request.
    """
    if len({c.id for c in candidates}) != len(candidates):
        raise ValueError("pack: two candidates share an id; give each message and atom once")
    if budget < REPLY_PRIMING:
        raise ValueError(f"pack: budget {budget} is below {REPLY_PRIMING}, an empty request's size")
    strategy = Strategy(strategy)
    costs = Costs(candidates, block_words(query_lang), compressor)
    plan = _Plan(score_all(candidates, levers), costs, levers)

    is_overflow = bool(plan.reserved_ids) and plan.n_reserved > budget
    if is_overflow and not allow_overflow:
        raise CriticalBudgetError(plan.reserved_ids, plan.n_reserved, budget)
    # A budget too small for the empty block still serves the newest or best message.
    has_block = is_overflow or plan.n_reserved <= budget
    if is_overflow:
        choice = plan.base.copy()
    elif strategy is Strategy.published:
        choice = plan.published(budget, has_block=has_block)
    else:
        choice = plan.ranked(budget, has_block=has_block)

    context = assembly.assemble(plan.scored, choice, costs, has_block=has_block)
    while not is_overflow and max(context.n_tokens, context.n_tokens_markdown) > budget:
        plan.drop_one(choice)
        context = assembly.assemble(plan.scored, choice, costs, has_block=has_block)
    plan.explain(choice)
    return Packed(
        budget=budget,
        n_tokens=context.n_tokens,
        n_tokens_frame=context.n_frame,
        n_tokens_markdown=context.n_tokens_markdown,
        overflow=is_overflow,
        levers=levers,
        strategy=strategy,
        compression=compressor.name,
        tokenizer=TOKENIZER,
        lang=query_lang,
        items=assembly.snapshot_items(plan.scored, choice, context),
        messages=tuple(context.messages),
        markdown=context.markdown,
    )


class _Plan:
    """The fixed part of one packing: scores, order, conflicts, and what is reserved.

    `base` is the choice that every strategy starts from: the critical items in force, messages
    before atoms, each wording once. `n_reserved` counts them with the frame.
    """

    def __init__(self, scored: Sequence[Scored], costs: Costs, levers: Levers) -> None:
        self.scored = sorted(
            scored, key=lambda s: (-s.turns_ago, -s.score, s.candidate.kind, s.candidate.id)
        )
        self._costs = costs
        self._levers = levers
        self._messages = [s.candidate for s in self.scored if s.candidate.kind is ItemKind.message]
        self._message_ids = {message.id for message in self._messages}
        self._conflicts = _conflicts([s.candidate for s in self.scored])
        self.base = Choice()
        self.reserved_ids: list[str] = []
        self.n_reserved = assembly.n_frame_tokens(costs.words)
        self._reserve()

    def _reserve(self) -> None:
        newest_first = [s.candidate for s in reversed(self.scored) if s.candidate.is_critical]
        messages_first = sorted(newest_first, key=lambda c: c.kind is ItemKind.atom)
        listed: set[tuple[str, str | None]] = set()
        carried_messages: set[str] = set()
        for candidate in messages_first:
            if carried_messages.intersection(self._conflicts[candidate.id]):
                continue
            if candidate.kind is ItemKind.message:
                carried_messages.add(candidate.id)
            self.base.fidelity[candidate.id] = Fidelity.full
            self.base.reasons[candidate.id].append(Reason.critical_in_force)
            if _wording(candidate) in listed:
                self.base.reasons[candidate.id].append(Reason.listed_once)
                continue
            listed.add(_wording(candidate))
            self.reserved_ids.append(candidate.id)
            self.n_reserved += self._costs.of_line(candidate, Fidelity.full)

    def published(self, budget: int, *, has_block: bool) -> Choice:
        """Oldest first, each downgraded when it does not fit."""
        fill = self._fill(budget, has_block=has_block)
        place = -1
        stub = None
        for item in self.scored:
            is_message = item.candidate.kind is ItemKind.message
            place += is_message
            if item.candidate.id in self.base.fidelity:
                continue
            is_taken = fill.take_wanted(item)
            if is_message:
                stub = None if is_taken else fill.extend_stub(stub, place)
        return fill.choice

    def ranked(self, budget: int, *, has_block: bool) -> Choice:
        """Highest score first; what is left goes to the next best, whatever the thresholds."""
        fill = self._fill(budget, has_block=has_block)
        self._rank(fill)
        if all(m.id in fill.choice.fidelity for m in self._messages):
            return fill.choice
        n_free = budget - (self.n_reserved if has_block else REPLY_PRIMING)
        fill = self._fill(budget - int(STUB_SHARE * n_free), has_block=has_block)
        self._rank(fill)
        fill.limit = budget
        fill.add_stubs()
        return fill.choice

    def _rank(self, fill: Fill) -> None:
        is_off = self._levers.mode is Mode.off
        competing = [s for s in self.scored if s.candidate.id not in self.base.fidelity]
        order = sorted(
            competing,
            key=lambda s: (
                0.0 if is_off else -s.score,
                s.turns_ago,
                s.candidate.kind,
                s.candidate.id,
            ),
        )
        for item in order:
            fill.take_wanted(item)
        for item in order:
            if item.score > 0:
                fill.take_spare(item)

    def drop_one(self, choice: Choice) -> None:
        """Take back the last stub, or else the item with the lowest score."""
        if choice.stubs:
            choice.stubs.pop()
            return
        droppable = [
            s
            for s in self.scored
            if s.candidate.id in choice.fidelity and s.candidate.id not in self.base.fidelity
        ]
        lowest = min(droppable, key=lambda s: (s.score, -s.turns_ago, s.candidate.id)).candidate.id
        del choice.fidelity[lowest]
        choice.reasons[lowest].append(Reason.no_budget)

    def explain(self, choice: Choice) -> None:
        """Add the reasons that are only known once everything is chosen."""
        in_stub = {
            self._messages[place].id
            for first, last in choice.stubs
            for place in range(first, last + 1)
        }
        for item in self.scored:
            candidate = item.candidate
            reasons = choice.reasons[candidate.id]
            if candidate.is_replaced:
                reasons.append(Reason.replaced)
            if candidate.id in choice.fidelity:
                continue
            beside = [o for o in self._conflicts[candidate.id] if o in choice.fidelity]
            if beside and candidate.kind is ItemKind.message:
                reasons.append(Reason.carried_by_atom)
            elif any(other in self._message_ids for other in beside):
                reasons.append(Reason.carried_by_message)
            elif beside:
                reasons.append(Reason.listed_once)
            elif candidate.id not in in_stub and Reason.below_compressed not in reasons:
                reasons.append(Reason.no_budget)
            if candidate.id in in_stub:
                reasons.append(Reason.in_stub)

    def _fill(self, limit: int, *, has_block: bool) -> Fill:
        return Fill(
            self.base.copy(),
            messages=self._messages,
            conflicts=self._conflicts,
            costs=self._costs,
            levers=self._levers,
            limit=limit,
            n_used=self.n_reserved if has_block else REPLY_PRIMING,
            has_block=has_block,
        )


def _wording(candidate: Candidate) -> tuple[str, str | None]:
    """What two items have in common that need not both be read."""
    return " ".join(candidate.text.casefold().split()), candidate.speaker


def _conflicts(candidates: Sequence[Candidate]) -> defaultdict[str, list[str]]:
    """Which candidates are not carried beside each other, both ways: an atom and its evidence
    messages, and atoms that read alike, as several facts of one sentence do."""
    message_ids = {c.id for c in candidates if c.kind is ItemKind.message}
    conflicts: defaultdict[str, list[str]] = defaultdict(list)
    alike: defaultdict[tuple[str, str | None], list[str]] = defaultdict(list)
    for atom in candidates:
        if atom.kind is not ItemKind.atom:
            continue
        for message_id in message_ids.intersection(atom.evidence_of):
            conflicts[atom.id].append(message_id)
            conflicts[message_id].append(atom.id)
        for other in alike[_wording(atom)]:
            conflicts[atom.id].append(other)
            conflicts[other].append(atom.id)
        alike[_wording(atom)].append(atom.id)
    return conflicts
