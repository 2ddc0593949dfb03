"""History: periods valid x known, and what changed between two moments of knowledge."""

from enum import StrEnum

from pydantic import AwareDatetime, JsonValue

from memory_pipeline.contracts.base import Contract


class Period(Contract):
    """One rectangle: `object` held in [valid_from, valid_to), as known in [known_from, known_to).
    Null bounds are unbounded. `object` is null where it was erased or stands in Vault."""

    predicate: str
    object: JsonValue
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None
    known_from: AwareDatetime | None
    known_to: AwareDatetime | None
    atom_id: str
    supersedes: str | None
    supports: tuple[str, ...]
    contradicted_by: tuple[str, ...]
    erased: bool


class ChangeKind(StrEnum):
    """How an answer differs: a period that is new, one whose bounds moved, one that is gone."""

    learned = "learned"
    changed = "changed"
    withdrawn = "withdrawn"


class Change(Contract):
    """One difference between what was known at two moments. `corrected` tells that the value was
    taken back as wrong, not ended: it no longer holds anywhere where it held."""

    kind: ChangeKind
    predicate: str
    object: JsonValue
    atom_id: str
    before: tuple[AwareDatetime | None, AwareDatetime | None] | None
    after: tuple[AwareDatetime | None, AwareDatetime | None] | None
    corrected: bool = False
