"""From drafts to rows: entities, keys, told order, trust and audience of statements.

A draft says what a text says; a row adds where it stands among all that was ever said. The
statement hash is over all that a statement means and where it was said, so that the same window
read again gives the same hashes, whatever ids its rows have.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID, uuid4

from pydantic import JsonValue

from memory_pipeline.bitemporal.keys import Keys, Part
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Span
from memory_pipeline.contracts.vocabulary import ClosureAction, Origin
from memory_pipeline.governance.content_store import Writing

TRUST: Mapping[Origin, int] = {
    Origin.human: 4,
    Origin.user: 3,
    Origin.tool: 2,
    Origin.assistant: 1,
    Origin.quoted: 1,
}

Normalise = Callable[[Predicate, JsonValue], str]


@dataclass(frozen=True)
class Told:
    """Where and when a statement was told; `ordinal`, `message_key` and the statement's span and
    hash break ties of `told_at` (null: from the beginning)."""

    message_id: UUID | None
    message_key: bytes
    edited_at: datetime | None
    told_at: datetime | None
    ordinal: int
    origin: Origin
    lang: str
    audience_id: int
    author: str | None = None


@dataclass(frozen=True)
class Subject:
    """An entity by key; `entity_id` is null while it is new. `name` is kept for a new mention."""

    entity_key: bytes
    entity_id: UUID | None
    name: str
    is_own: bool


@dataclass(frozen=True)
class Registered:
    """A predicate of the registry with its surrogate id."""

    predicate_id: int
    predicate: Predicate


@dataclass(frozen=True)
class Statement:
    """An atom or closure ready for the store, but for the surrogates of new entities."""

    draft: AtomDraft | ClosureDraft
    told: Told
    subject: Subject
    object_entity: Subject | None
    registered: Registered
    object_key: bytes | None
    statement_hash: bytes
    meaning: bytes
    spans: tuple[Span, ...]
    secret_id: UUID | None = None
    statement_id: UUID = field(default_factory=uuid4)

    @property
    def is_atom(self) -> bool:
        """Whether it is an atom; else a closure."""
        return isinstance(self.draft, AtomDraft)


class StatementMaker:
    """Makes statements of one tenant's drafts."""

    def __init__(
        self,
        keys: Keys,
        tenant_id: int,
        registry: Mapping[str, Registered],
        normalise: Normalise,
    ) -> None:
        self._keys = keys
        self._tenant_id = tenant_id
        self._registry = registry
        self._normalise = normalise

    def mention(self, dialog_key: bytes, name: str, normal: str) -> Subject:
        """The mention chain of a name in a dialog; its id is found when it is stored."""
        key = self._keys.of("entity", self._tenant_id, dialog_key, "mention", normal)
        return Subject(key, None, name, is_own=False)

    def make(
        self,
        draft: AtomDraft | ClosureDraft,
        told: Told,
        subject: Subject,
        object_entity: Subject | None = None,
        spans: Sequence[Span] | None = None,
    ) -> Statement:
        """The statement of a draft. Raises `KeyError` for a predicate outside the registry and
        `ValueError` for an object that the predicate cannot hold."""
        registered = self._registry[draft.predicate]
        spans = tuple(spans if spans is not None else draft.spans)
        object_key = None
        if draft.object is not None:
            normal = self._normalise(registered.predicate, draft.object)
            object_key = self.object_key(registered, normal)
        meaning = self._meaning(draft, subject, object_key)
        place = [(span.back, span.start, span.end) for span in spans]
        statement_hash = self._keys.of(
            "statement", meaning, told.message_key, told.edited_at, repr(place)
        )
        return Statement(
            draft,
            told,
            subject,
            object_entity,
            registered,
            object_key,
            statement_hash,
            meaning,
            spans,
        )

    def object_key(self, registered: Registered, normal: str) -> bytes:
        """What makes two objects of a predicate's value type equal."""
        return self._keys.object(self._tenant_id, registered.predicate.value_type, normal)

    def taken_back(self, statement: Statement, told: Told) -> Statement | None:
        """The retraction of a statement that an edit of its message no longer makes; None for a
        closure, which an edit cannot unsay (its selector would have to reopen what it closed)."""
        draft = statement.draft
        if not isinstance(draft, AtomDraft):
            return None
        closure = ClosureDraft(
            action=ClosureAction.retracted,
            polarity=draft.polarity,
            subject=draft.subject,
            predicate=draft.predicate,
            object=draft.object,
            # another message that said the same is not unsaid by this one's edit
            planned_start=draft.valid_from,
            text=draft.text,
            confidence=draft.confidence,
            spans=(Span(start=0, end=0),),
        )
        return self.make(closure, told, statement.subject)

    def _meaning(
        self, draft: AtomDraft | ClosureDraft, subject: Subject, object_key: bytes | None
    ) -> bytes:
        parts: tuple[Part, ...]
        if isinstance(draft, AtomDraft):
            parts = (
                "atom",
                draft.kind,
                draft.polarity,
                draft.valid_from,
                draft.valid_to,
                draft.start_inferred,
                draft.holds_when_told,
                draft.valid_precision,
            )
        else:
            parts = (
                "closure",
                draft.action,
                draft.polarity,
                draft.planned_start,
                draft.ended_at,
                draft.valid_precision,
            )
        return self._keys.of(
            "meaning",
            self._tenant_id,
            subject.entity_key,
            draft.predicate,
            object_key,
            draft.quoted,
            *parts,
        )


ATOM_COLUMNS = [
    "atom_id",
    "tenant_id",
    "audience_id",
    "batch_id",
    "extraction_id",
    "message_id",
    "subject_id",
    "predicate_id",
    "kind",
    "object_key",
    "object_entity_id",
    "secret_id",
    "polarity",
    "valid_from",
    "valid_to",
    "start_inferred",
    "holds_when_told",
    "valid_precision",
    "told_at",
    "ordinal",
    "message_key",
    "span_start",
    "span_end",
    "statement_hash",
    "confidence",
    "origin",
    "trust",
    "is_own",
    "author",
    "lang",
]
CLOSURE_COLUMNS = [
    "closure_id",
    "tenant_id",
    "audience_id",
    "batch_id",
    "extraction_id",
    "message_id",
    "action",
    "polarity",
    "subject_id",
    "predicate_id",
    "object_key",
    "planned_start",
    "ended_at",
    "valid_precision",
    "told_at",
    "ordinal",
    "message_key",
    "span_start",
    "span_end",
    "statement_hash",
    "confidence",
    "origin",
    "trust",
    "is_own",
    "author",
    "lang",
]


def statement_row(
    statement: Statement,
    *,
    tenant_id: int,
    batch_id: UUID,
    audience_id: int,
    extraction_id: UUID | None,
    entity_ids: Mapping[bytes, UUID],
) -> tuple[object, ...]:
    """The row of `memory.atom` or `memory.closure`, in the order of its columns."""
    draft, told = statement.draft, statement.told
    origin = Origin.quoted if draft.quoted else told.origin
    own = [span for span in statement.spans if span.back == 0] or list(statement.spans)
    tail = (
        told.told_at,
        told.ordinal,
        told.message_key,
        min(span.start for span in own),
        max(span.end for span in own),
        statement.statement_hash,
        draft.confidence,
        origin,
        TRUST[origin],
        statement.subject.is_own and not draft.quoted,
        told.author,
        told.lang,
    )
    head = (
        statement.statement_id,
        tenant_id,
        audience_id,
        batch_id,
        extraction_id,
        told.message_id,
    )
    subject_id = entity_ids[statement.subject.entity_key]
    if isinstance(draft, AtomDraft):
        thing = statement.object_entity
        return (
            *head,
            subject_id,
            statement.registered.predicate_id,
            draft.kind,
            statement.object_key,
            entity_ids[thing.entity_key] if thing else None,
            statement.secret_id,
            draft.polarity,
            draft.valid_from,
            draft.valid_to,
            draft.start_inferred,
            draft.holds_when_told,
            draft.valid_precision,
            *tail,
        )
    return (
        *head,
        draft.action,
        draft.polarity,
        subject_id,
        statement.registered.predicate_id,
        statement.object_key,
        draft.planned_start,
        draft.ended_at,
        draft.valid_precision,
        *tail,
    )


def content_row(
    statement: Statement, audience_id: int, entity_ids: Mapping[bytes, UUID], writing: Writing
) -> tuple[object, ...]:
    """The row of `memory.atom_content` or `memory.closure_content`."""
    draft = statement.draft
    table = "atom_content" if statement.is_atom else "closure_content"
    own_id, tags = statement.statement_id, statement.registered.predicate.tags
    shown = None
    if draft.object is not None:
        shown = writing.json(table, "object", own_id, draft.object, tags, is_value=True)
    subject_id = entity_ids[statement.subject.entity_key]
    text = writing.text(table, "text", own_id, draft.text, tags)
    return (own_id, subject_id, audience_id, shown, text)
