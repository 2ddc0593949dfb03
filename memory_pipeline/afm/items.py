"""Candidate: what the store's side hands to packing."""

from typing import Self

from pydantic import AwareDatetime, Field, model_validator

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.snapshot import ItemKind
from memory_pipeline.contracts.vocabulary import Importance, Role


class Candidate(Contract):
    """A message of the dialog, or an atom, that may go into a context.

    Messages: `turn` counts from 1 in the dialog's order, `sent_at` may be null. Atoms: `told_at`
    (null = from the beginning), `evidence_of` = ids of the messages that state it, `speaker` who
    said it, null for what a person told the store. `in_force` is
    false once everything the item states is closed or replaced at the asked moment (for a message:
    all of its atoms), and null when nothing is known about it, which counts as in force.
    `replaced_by` is the id of the atom that took its place. `sim` is the calibrated cosine to the
    query, or any ranking signal on the same scale.
    """

    kind: ItemKind
    id: str = Field(min_length=1)
    text: str = Field(repr=False)
    speaker: str | None = Field(default=None, repr=False)
    role: Role = Role.user
    sent_at: AwareDatetime | None = None
    told_at: AwareDatetime | None = None
    turn: int | None = Field(default=None, ge=1)
    importance: Importance = Importance.relevant
    importance_probability: float = Field(default=1.0, ge=0, le=1)
    in_force: bool | None = None
    replaced_by: str | None = None
    evidence_of: tuple[str, ...] = ()
    sim: float = Field(default=0.0, ge=-1, le=1)
    lang: str = "en"
    tags: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _message_has_a_turn(self) -> Self:
        if self.kind is ItemKind.message and self.turn is None:
            raise ValueError("candidate: a message needs `turn`; number the dialog's messages")
        return self

    @property
    def is_critical(self) -> bool:
        """Critical and in force: carried in full whatever the query."""
        return self.importance is Importance.critical and self.in_force is not False

    @property
    def is_replaced(self) -> bool:
        """Nothing that it states holds any more at the asked moment."""
        return self.in_force is False
