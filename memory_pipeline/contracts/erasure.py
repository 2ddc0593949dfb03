"""Erasure: what is asked for, why, how far it has come, and what is shown for it."""

from datetime import date, datetime
from enum import StrEnum
from typing import Self
from uuid import UUID

from pydantic import AwareDatetime, Field, model_validator

from memory_pipeline.contracts.base import Contract


class Ground(StrEnum):
    """Why content must go: the cases of 152-FZ articles 20 and 21 and of GDPR article 17(1)."""

    consent_withdrawn = "consent_withdrawn"
    purpose_reached = "purpose_reached"
    unlawful = "unlawful"
    not_necessary = "not_necessary"
    stop_processing = "stop_processing"
    gdpr_consent = "gdpr_consent"
    gdpr_objection = "gdpr_objection"
    gdpr_no_longer_needed = "gdpr_no_longer_needed"
    gdpr_unlawful = "gdpr_unlawful"
    gdpr_obligation = "gdpr_obligation"
    retention = "retention"
    operator = "operator"


class ErasureState(StrEnum):
    """How far a request has come; it only moves forward."""

    received = "received"
    fenced = "fenced"
    discovered = "discovered"
    keys_destroyed = "keys_destroyed"
    erased = "erased"
    scrubbed = "scrubbed"
    verified = "verified"
    certified = "certified"
    cancelled = "cancelled"


class Block(StrEnum):
    """What holds a request up; it goes on by itself once that is gone."""

    legal_hold = "legal_hold"
    review_open = "review_open"
    store_unreachable = "store_unreachable"
    scrub_pending = "scrub_pending"
    residue_found = "residue_found"
    preview_changed = "preview_changed"
    selector_unclear = "selector_unclear"


class StoreState(StrEnum):
    """How far a registered store has come in a request."""

    open = "open"
    erased = "erased"
    scrubbed = "scrubbed"
    verified = "verified"
    failed = "failed"
    not_verifiable = "not_verifiable"


class Originals(StrEnum):
    """What happens to log files outside the landing folder: named, or rewritten in place."""

    report = "report"
    rewrite = "rewrite"


class Selector(Contract):
    """What is to go: every condition given must hold; at least one of those up to `predicates`, or
    all of the tenant. `message` is the log's id of a message or ours, `message_id` ours.
    `told_from` and `told_to` bound when it was told, half-open. `atom_ids` is for those that have
    run out together, at retention."""

    subject: str | None = None
    entity_id: UUID | None = None
    dialog: str | None = None
    message: str | None = None
    message_id: UUID | None = None
    file: str | None = None
    atom_id: UUID | None = None
    atom_ids: tuple[UUID, ...] = ()
    tags: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    told_from: AwareDatetime | None = None
    told_to: AwareDatetime | None = None
    whole_tenant: bool = False

    @model_validator(mode="after")
    def _names_something(self) -> Self:
        named: tuple[object, ...] = (
            self.subject, self.entity_id, self.dialog, self.message, self.message_id, self.file,
            self.atom_id, self.atom_ids or None, self.tags or None, self.predicates or None,
        )  # fmt: skip
        if self.whole_tenant == any(part is not None for part in named):
            raise ValueError(
                "name what is to go (a subject, entity, dialog, message, file, atom, tag or"
                " predicate), or the whole tenant, not both"
            )
        if self.told_from and self.told_to and self.told_from >= self.told_to:
            raise ValueError("the range is empty: it must begin before it ends")
        return self

    @property
    def is_whole_subject(self) -> bool:
        """Whether all that is known of a person goes, names included."""
        return (self.subject is not None or self.entity_id is not None) and not (
            self.tags or self.predicates or self.told_from or self.told_to
            or self.dialog or self.message or self.message_id or self.file or self.atom_id
            or self.atom_ids
        )  # fmt: skip


class Preview(Contract):
    """What a request would reach: counts by store and kind, ids, and a fingerprint over the ids.
    `of others` counts statements that would go though the request is not about their subject."""

    counts: dict[str, int]
    item_ids: dict[str, tuple[UUID, ...]]
    digest: str


class StoreReport(Contract):
    """One registered store in a request: counts and codes, no content."""

    store: str
    state: StoreState
    n_found: int | None = None
    n_erased: int | None = None
    n_left: int | None = None
    note: str | None = None


class RequestStatus(Contract):
    """A request as it stands. `due_at` is the end of its term, `due_on` the last day of it in the
    tenant's zone."""

    request_id: UUID
    ground: Ground
    state: ErasureState
    block: Block | None
    attempt: int
    received_at: datetime
    due_at: datetime | None
    due_on: date | None
    n_items: dict[str, int] = Field(default_factory=dict)
    n_open_mentions: int = 0
    stores: tuple[StoreReport, ...] = ()
