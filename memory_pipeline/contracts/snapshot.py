"""Snapshot: a context packed under a token budget, with every item's score and reason.

Texts in a snapshot are content: the fields that hold them stay out of `repr`.
"""

from enum import StrEnum
from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import Fidelity, Importance


class ItemKind(StrEnum):
    """What an item of a snapshot is."""

    message = "message"
    atom = "atom"


class Strategy(StrEnum):
    """In which order items get the budget.

    `published` goes oldest first and downgrades what no longer fits. `ranked` goes by score,
    highest first, and then spends what is left on the next best items.
    """

    published = "published"
    ranked = "ranked"


class Mode(StrEnum):
    """`focus` scores and compresses; `off` carries the newest items verbatim (creative work)."""

    focus = "focus"
    off = "off"


class Reason(StrEnum):
    """Why an item has its fidelity. An item may have several."""

    critical_in_force = "critical_in_force"
    listed_once = "listed_once"
    replaced = "replaced"
    mode_off = "mode_off"
    above_full = "above_full"
    above_compressed = "above_compressed"
    below_compressed = "below_compressed"
    downgraded = "downgraded"
    spare_budget = "spare_budget"
    carried_by_message = "carried_by_message"
    carried_by_atom = "carried_by_atom"
    in_stub = "in_stub"
    no_budget = "no_budget"


class Levers(Contract):
    """What a caller may turn. `half_life` in turns: 6 for brainstorms, 20 for slow consulting."""

    half_life: float = Field(default=12.0, gt=0)
    full: float = Field(default=0.45, ge=0, le=1)
    compressed: float = Field(default=0.25, ge=0, le=1)
    mode: Mode = Mode.focus

    @model_validator(mode="after")
    def _thresholds_in_order(self) -> Self:
        if self.compressed > self.full:
            raise ValueError("levers: `compressed` must not be above `full`")
        return self


class Weights(Contract):
    """The terms of a score: constant + max(0, sim) * (base + recency * w)."""

    constant: float
    base: float
    recency: float


class ChatMessage(Contract):
    """One message of the chat format that is sent to a model."""

    role: Literal["system", "user", "assistant"]
    content: str = Field(repr=False)


class SnapshotItem(Contract):
    """One candidate as the snapshot treats it, carried or not.

    `score` equals `weights` applied to `sim` and `w`. `n_tokens` is what the item adds to the
    exported chat messages, its chat overhead included; an item inside a stub shares the stub, whose
    tokens stand at its first item. `rendered` is the item's text in the messages, empty where only
    a stub or nothing stands for it. `evidence` are the message ids that an atom rests on.
    """

    kind: ItemKind
    id: str
    fidelity: Fidelity
    importance: Importance
    importance_probability: float
    score: float
    sim: float
    turns_ago: int = Field(ge=0)
    w: float
    weights: Weights
    n_tokens: int = Field(ge=0)
    reasons: tuple[Reason, ...]
    turn: int | None = None
    replaced: bool = False
    replaced_by: str | None = None
    evidence: tuple[str, ...] = ()
    rendered: str = Field(default="", repr=False)

    @property
    def is_told(self) -> bool:
        """Whether the context holds what the item says: in its own words or in another item's."""
        elsewhere = {Reason.carried_by_message, Reason.carried_by_atom, Reason.listed_once}
        return bool(self.rendered) or not elsewhere.isdisjoint(self.reasons)


class Packed(Contract):
    """The result of packing, before the store gives it an identity.

    `n_tokens` counts the exported chat messages with their overhead, and equals `n_tokens_frame`
    (headings, instruction, reply priming) plus the sum of the items' `n_tokens`. `overflow` is true
    only where the caller allowed the critical items alone to exceed the budget.
    """

    budget: int
    n_tokens: int
    n_tokens_frame: int
    n_tokens_markdown: int
    overflow: bool
    levers: Levers
    strategy: Strategy
    compression: str
    tokenizer: str
    lang: str
    items: tuple[SnapshotItem, ...]
    messages: tuple[ChatMessage, ...]
    markdown: str = Field(repr=False)


class Snapshot(Packed):
    """A packed context as stored: what was asked, as of when, with which models.

    `query_hash` is a keyed hash, never the query. `batch_no` is the recorded moment.
    """

    id: str
    dialog_id: str
    query_hash: str
    embedding_model: str
    valid_at: AwareDatetime
    known_at: AwareDatetime
    batch_no: int = Field(ge=0)

    @classmethod
    def of(
        cls,
        packed: Packed,
        *,
        id: str,  # noqa: A002 - the field's name
        dialog_id: str,
        query_hash: str,
        embedding_model: str,
        valid_at: AwareDatetime,
        known_at: AwareDatetime,
        batch_no: int,
    ) -> Self:
        """Give a packed context its identity."""
        fields = {name: getattr(packed, name) for name in Packed.model_fields}
        return cls(
            **fields,
            id=id,
            dialog_id=dialog_id,
            query_hash=query_hash,
            embedding_model=embedding_model,
            valid_at=valid_at,
            known_at=known_at,
            batch_no=batch_no,
        )
