"""Answer: what held, as `ask` and the Python API give it."""

from typing import Any

from pydantic import AwareDatetime, JsonValue

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import AnswerStatus, Importance, Precision


class EvidenceRef(Contract):
    """Where an answer was learned. Ids are the log's own where it has them, else the store's;
    `turn` is the message's number in its dialog, counted when read."""

    message_id: str
    dialog_id: str
    turn: int


class Answer(Contract):
    """One value that held. `object` is null where it was erased or stands in Vault."""

    predicate: str
    object: JsonValue
    status: AnswerStatus
    valid_from: AwareDatetime | None
    valid_to: AwareDatetime | None
    valid_precision: Precision
    known_from: AwareDatetime | None
    confidence: float
    importance: Importance
    tags: tuple[str, ...]
    atom_id: str
    supersedes: str | None
    supports: tuple[str, ...]
    contradicted_by: tuple[str, ...] = ()
    evidence: tuple[EvidenceRef, ...]


class Answers(Contract):
    """All that held of a subject at a moment, as known at another."""

    subject: str
    valid_at: AwareDatetime
    known_at: AwareDatetime
    recorded_at: AwareDatetime | None = None
    answers: tuple[Answer, ...]

    def as_json(self) -> dict[str, Any]:
        """The documented JSON shape of `ask --json`."""
        beside: Any = {"recorded_at": True, "answers": {"__all__": {"contradicted_by"}}}
        return self.model_dump(mode="json", exclude=beside)


class Hit(Contract):
    """One result of a search: an atom or a message that the reader may see."""

    kind: str
    id: str
    text: str
    score: float
    dialog_id: str | None = None
    turn: int | None = None
    predicate: str | None = None
    subject: str | None = None
    status: AnswerStatus | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
