"""Statement drafts: what an extractor draws from one window, before it is stored.

A draft names people and things as the text does; the store turns names into entities, values
into keys, and adds the message's told time, origin and audience.
"""

from pydantic import AwareDatetime, Field, JsonValue

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import (
    AtomKind,
    ClosureAction,
    Importance,
    Polarity,
    Precision,
    Role,
)


class WindowMessage(Contract):
    """One message of a window as understanding may see it: masked, with its computed time.

    `local` is the zone-aware time of the message in the dialog's zone, or null when the message
    has no time at all. `speaker` is the label; the extractor names the speaker by it.
    """

    speaker: str
    role: Role
    sent_at: AwareDatetime | None
    lang: str
    text: str
    quoted: bool = False


class Window(Contract):
    """The unit of extraction: the last message, and up to N before it in its dialog.

    Statements are drawn from the last message alone; the others only help to read it.
    `tz` is the IANA name of the zone in which dates without a time are midnight.
    """

    messages: tuple[WindowMessage, ...] = Field(min_length=1)
    tz: str


class Span(Contract):
    """Characters [start, end) (code points) of a window's message; `back` 0 is the last message,
    1 the one before it."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)
    back: int = Field(default=0, ge=0)


class SubjectRef(Contract):
    """Whom a statement is about: a speaker of the window (by label), or somebody or something
    mentioned (by its fullest name, nominative)."""

    name: str = Field(min_length=1)
    is_speaker: bool


class AtomDraft(Contract):
    """One fact of the window. Null `valid_from` = since ever, null `valid_to` = until further
    notice; both half-open. `start_inferred`: the start is only the moment of telling.
    `holds_when_told`: the text says that it still holds now. `predicate` is a registry name, or a
    free name with `is_candidate`. `object` is a JSON scalar in the predicate's value form; that of
    an `episodic` atom is an `EpisodicObject`."""

    kind: AtomKind = AtomKind.semantic
    subject: SubjectRef
    predicate: str = Field(min_length=1)
    is_candidate: bool = False
    object: JsonValue
    text: str
    polarity: Polarity = Polarity.affirmed
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    start_inferred: bool = False
    holds_when_told: bool = True
    valid_precision: Precision = Precision.day
    confidence: float = Field(ge=0, le=1)
    quoted: bool = False
    spans: tuple[Span, ...] = Field(min_length=1)


class EpisodicObject(Contract):
    """The object of an `episodic` atom: what happened or is arranged, a short phrase in the text's
    language, and who took part, by name. When is the atom's own period; `what` alone makes two
    events of a subject equal, so that one may be called off without its guests being named."""

    what: str = Field(min_length=1)
    participants: tuple[str, ...] = Field(min_length=1)


class ClosureDraft(Contract):
    """A statement that ends or takes back others: subject, predicate, object (null = whatever
    held there), for `ended` the moment, for a plan its start. `polarity` says whether it means
    affirmations or denials."""

    action: ClosureAction
    polarity: Polarity = Polarity.affirmed
    subject: SubjectRef
    predicate: str = Field(min_length=1)
    object: JsonValue = None
    planned_start: AwareDatetime | None = None
    ended_at: AwareDatetime | None = None
    valid_precision: Precision = Precision.day
    text: str
    confidence: float = Field(ge=0, le=1)
    quoted: bool = False
    spans: tuple[Span, ...] = Field(min_length=1)


class Extraction(Contract):
    """The result of one window. `flags` are codes (`instruction`, `hypothetical`, …)."""

    atoms: tuple[AtomDraft, ...] = ()
    closures: tuple[ClosureDraft, ...] = ()
    flags: tuple[str, ...] = ()


class ImportanceLabel(Contract):
    """A class with its probability and who gave it (`manual` tag, `rule`, `model`).

    `p_critical` is the probability that it is CRITICAL, where the author knows it: what lies in
    the policy's band goes before a person."""

    label: Importance
    probability: float = Field(ge=0, le=1)
    p_critical: float | None = Field(default=None, ge=0, le=1)
    author: str
