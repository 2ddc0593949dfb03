"""Stored answers of extractors without the drafts of erased statements.

A draft is an erased statement's if it has its predicate, its object's key and its place in the
message: ids of statements are not in answers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import registry_of
from memory_pipeline.bitemporal.statements import Registered
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Extraction
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.understand.registry import normalise_object

Draft = AtomDraft | ClosureDraft
Place = tuple[int, bytes | None, int, int]

_BATCH = 500


@dataclass
class Said:
    """The statements of one message: of erased ones the places, and what becomes of the others."""

    erased: set[Place] = field(default_factory=set)
    standing: dict[Place, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """A stored answer of the plan."""

    extraction_id: UUID
    answer: Extraction
    said: Said


def planned_answers(work: Work, connection: Connection) -> Iterator[Answer]:
    """The answers that the plan rewrites, with the statements of their messages."""
    ids = work.ids(connection, "extraction", "redact")
    for start in range(0, len(ids), _BATCH):
        rows = connection.execute(
            "select x.extraction_id, x.message_id, c.answer from memory.extraction as x"
            " join memory.extraction_content as c using (extraction_id)"
            " where x.extraction_id = any(%s)",
            (ids[start : start + _BATCH],),
        ).fetchall()
        said = _said(work, connection, [row[1] for row in rows])
        for extraction_id, message_id, answer in rows:
            yield Answer(extraction_id, Extraction.model_validate(answer), said[message_id])


def _said(work: Work, connection: Connection, message_ids: Sequence[UUID]) -> Mapping[UUID, Said]:
    found: dict[UUID, Said] = defaultdict(Said)
    rows = connection.execute(
        "select s.message_id, s.predicate_id, s.object_key, s.span_start, s.span_end, i.action::text"
        " from ("
        " select atom_id as id, 'atom'::memory.erasure_kind as kind, message_id, predicate_id, object_key, span_start,"
        "  span_end from memory.atom where message_id = any(%(messages)s)"
        " union all"
        " select closure_id, 'closure'::memory.erasure_kind, message_id, predicate_id, object_key, span_start, span_end"
        "  from memory.closure where message_id = any(%(messages)s)) as s"
        " left join memory.erasure_item as i on i.request_id = %(request)s"
        "  and i.kind = s.kind and i.item_id = s.id",
        {**work.bound, "messages": list(message_ids)},
    )
    for message_id, predicate_id, object_key, start, end, action in rows:
        place = (predicate_id, object_key and bytes(object_key), start, end)
        if action == "erase":
            found[message_id].erased.add(place)
        else:
            found[message_id].standing[place] = action or "keep"
    return found


class Drafts:
    """Tells which drafts of an answer are whose."""

    def __init__(self, keys: Keys, tenant_id: int, registry: Mapping[str, Registered]) -> None:
        self._keys = keys
        self._tenant_id = tenant_id
        self._registry = registry

    @classmethod
    def of(cls, work: Work, connection: Connection) -> "Drafts":
        """Over the tenant's registry."""
        return cls(work.keys, work.tenant_id, registry_of(connection, work.tenant_id))

    def place(self, draft: Draft) -> Place | None:
        """The draft's predicate, object key and place; None for one that is no statement."""
        registered = self._registry.get(draft.predicate)
        if registered is None:
            return None
        key = None
        if draft.object is not None:
            try:
                normal = normalise_object(registered.predicate, draft.object)
            except ValueError:
                return None
            value_type = registered.predicate.value_type
            key = self._keys.object(self._tenant_id, value_type, normal)
        own = [span for span in draft.spans if span.back == 0] or list(draft.spans)
        return (
            registered.predicate_id,
            key,
            min(span.start for span in own),
            max(span.end for span in own),
        )

    def n_erased(self, answer: Answer) -> int:
        """How many drafts of erased statements an answer holds."""
        drafts: list[Draft] = [*answer.answer.atoms, *answer.answer.closures]
        return sum(1 for draft in drafts if self.place(draft) in answer.said.erased)

    def without_erased(
        self, answer: Answer, mask: Callable[[str], str], mentions: Callable[[Any], bool]
    ) -> Extraction:
        """The answer without erased drafts. What is nobody's statement goes too where its object
        mentions an erased value; sentences that do are masked, but for those of statements that
        the plan keeps as they are."""

        def kept(draft: Draft) -> bool:
            place = self.place(draft)
            if place in answer.said.erased:
                return False
            return place in answer.said.standing or not mentions(draft.object)

        def masked(draft: Any) -> Any:
            if answer.said.standing.get(self.place(draft) or (0, None, 0, 0)) == "keep":
                return draft
            text = mask(draft.text)
            name = mask(draft.subject.name)
            subject = draft.subject.model_copy(update={"name": name})
            return draft.model_copy(update={"text": text, "subject": subject})

        return answer.answer.model_copy(
            update={
                "atoms": tuple(masked(draft) for draft in answer.answer.atoms if kept(draft)),
                "closures": tuple(masked(d) for d in answer.answer.closures if kept(d)),
            }
        )
