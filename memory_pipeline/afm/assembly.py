"""From decisions to the finished context: chat messages, Markdown, and one record an item."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memory_pipeline.afm import rendering
from memory_pipeline.afm.costs import Costs, shows_day
from memory_pipeline.afm.filling import Choice
from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.scoring import Scored
from memory_pipeline.afm.tokens import count, count_messages
from memory_pipeline.contracts.snapshot import (
    ChatMessage,
    ItemKind,
    Reason,
    SnapshotItem,
)
from memory_pipeline.contracts.vocabulary import Fidelity, Importance


@dataclass
class Context:
    """A rendered context. `rendered` and `n_item_tokens` are by candidate id."""

    messages: list[ChatMessage] = field(default_factory=list)
    markdown: str = ""
    n_frame: int = 0
    rendered: dict[str, str] = field(default_factory=dict)
    n_item_tokens: dict[str, int] = field(default_factory=dict)

    @property
    def n_tokens(self) -> int:
        """Tokens of the chat messages, overhead included, counted on the final texts."""
        return count_messages(self.messages)

    @property
    def n_tokens_markdown(self) -> int:
        """Tokens of the Markdown rendering."""
        return count(self.markdown)


def n_frame_tokens(words: rendering.Words) -> int:
    """Tokens of a request whose block has its headings and nothing under them."""
    empty = rendering.markdown(words, (), (), ())
    return count_messages([ChatMessage(role="system", content=empty)])


def assemble(scored: Sequence[Scored], choice: Choice, costs: Costs, *, has_block: bool) -> Context:
    """Render what was chosen. `scored` is in chronological order."""
    context = Context()
    candidates = [s.candidate for s in scored]
    if has_block:
        _add_block(context, candidates, choice, costs)
    _add_dialog(context, candidates, choice, costs)
    added = sum(context.n_item_tokens.values())
    context.n_frame = context.n_tokens - added
    if has_block:
        context.markdown = _markdown(candidates, choice, costs)
    return context


def _add_block(
    context: Context, candidates: Sequence[Candidate], choice: Choice, costs: Costs
) -> None:
    critical: list[str] = []
    relevant: list[str] = []
    rest: list[str] = []
    for candidate in candidates:
        fidelity = choice.fidelity.get(candidate.id)
        if fidelity is None or not (candidate.is_critical or candidate.kind is ItemKind.atom):
            continue
        line = costs.line(candidate, fidelity)
        context.rendered[candidate.id] = line
        if Reason.listed_once in choice.reasons[candidate.id]:
            continue
        context.n_item_tokens[candidate.id] = costs.of_line(candidate, fidelity)
        if candidate.is_critical:
            critical.append(line)
        else:
            (rest if candidate.importance is Importance.trivial else relevant).append(line)
    content = rendering.markdown(costs.words, critical, relevant, rest)
    context.messages.append(ChatMessage(role="system", content=content))


def _add_dialog(
    context: Context, candidates: Sequence[Candidate], choice: Choice, costs: Costs
) -> None:
    messages = [c for c in candidates if c.kind is ItemKind.message]
    stub_at = dict(choice.stubs)
    previous: Candidate | None = None
    for place, message in enumerate(messages):
        if place in stub_at:
            first, last = message.turn or 0, messages[stub_at[place]].turn or 0
            content = rendering.stub(costs.words, first, last)
            context.messages.append(ChatMessage(role="system", content=content))
            context.n_item_tokens[message.id] = costs.stub(first, last)
        fidelity = choice.fidelity.get(message.id)
        if fidelity is None or message.is_critical:
            continue
        with_date = shows_day(message, previous)
        content = costs.content(message, fidelity, with_date=with_date)
        role = rendering.chat_role(message.role)
        context.messages.append(ChatMessage(role=role, content=content))
        context.rendered[message.id] = content
        context.n_item_tokens[message.id] = costs.of_message(message, fidelity, with_date=with_date)
        previous = message


def _markdown(candidates: Sequence[Candidate], choice: Choice, costs: Costs) -> str:
    """The block with the dialog in it: carried messages stand under the heading of their class,
    stubs under the last."""
    critical: list[str] = []
    relevant: list[str] = []
    rest: list[str] = []
    last_of: dict[int, Candidate] = {}
    messages = [c for c in candidates if c.kind is ItemKind.message]
    for candidate in candidates:
        fidelity = choice.fidelity.get(candidate.id)
        if fidelity is None or Reason.listed_once in choice.reasons[candidate.id]:
            continue
        if candidate.is_critical:
            critical.append(costs.line(candidate, fidelity))
            continue
        section = rest if candidate.importance is Importance.trivial else relevant
        with_date = shows_day(candidate, last_of.get(id(section)))
        section.append(costs.line(candidate, fidelity, with_date=with_date))
        if candidate.kind is ItemKind.message:
            last_of[id(section)] = candidate
    for first, last in sorted(choice.stubs):
        turns = (messages[first].turn or 0, messages[last].turn or 0)
        rest.append(f"- {rendering.stub(costs.words, *turns)}\n")
    return rendering.markdown(costs.words, critical, relevant, rest)


def snapshot_items(
    scored: Sequence[Scored], choice: Choice, context: Context
) -> tuple[SnapshotItem, ...]:
    """One record a candidate, carried or not, in chronological order."""
    return tuple(
        SnapshotItem(
            kind=s.candidate.kind,
            id=s.candidate.id,
            fidelity=choice.fidelity.get(s.candidate.id, Fidelity.placeholder),
            importance=s.candidate.importance,
            importance_probability=s.candidate.importance_probability,
            score=s.score,
            sim=s.candidate.sim,
            turns_ago=s.turns_ago,
            w=s.w,
            weights=s.weights,
            n_tokens=context.n_item_tokens.get(s.candidate.id, 0),
            reasons=tuple(dict.fromkeys(choice.reasons[s.candidate.id])),
            turn=s.candidate.turn,
            replaced=s.candidate.is_replaced,
            replaced_by=s.candidate.replaced_by,
            evidence=s.candidate.evidence_of,
            rendered=context.rendered.get(s.candidate.id, ""),
        )
        for s in scored
    )
