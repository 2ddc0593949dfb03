"""From the results of a dialog's windows to the statements that each message should have."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.keys import normal_name
from memory_pipeline.bitemporal.statements import (
    Registered,
    Statement,
    StatementMaker,
    Subject,
    Told,
)
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Extraction, SubjectRef
from memory_pipeline.contracts.vocabulary import Origin, Role
from memory_pipeline.understand.windows import PlannedWindow, Turn

_ORIGIN = {
    Role.user: Origin.user,
    Role.tool: Origin.tool,
    Role.assistant: Origin.assistant,
    Role.system: Origin.assistant,
}


class WantedStatements:
    """Makes the statements of one dialog's windows."""

    def __init__(
        self,
        connection: psycopg.Connection,
        dialog_id: UUID,
        dialog_key: bytes,
        registry: Mapping[str, Registered],
        maker: StatementMaker,
    ) -> None:
        self._connection = connection
        self._dialog_id = dialog_id
        self._dialog_key = dialog_key
        self._registry = registry
        self._maker = maker

    def of(
        self, windows: Sequence[PlannedWindow], answers: Mapping[UUID, Extraction]
    ) -> dict[UUID, list[Statement]]:
        """Statements by message. All revisions of a message come together and in their order: an
        edit says only what is new in it, and takes back what it no longer says."""
        wanted: dict[UUID, list[Statement]] = {}
        before: dict[bytes, list[Statement]] = {}
        for window in windows:
            last = window.last
            said = self._said(window, answers[last.message_id])
            earlier = before.get(last.message_key)
            before[last.message_key] = said
            if earlier is not None:
                now, then = {s.meaning for s in said}, {s.meaning for s in earlier}
                told = _told(last)
                unsaid = [self._maker.taken_back(s, told) for s in earlier if s.meaning not in now]
                said = [s for s in said if s.meaning not in then]
                said = [s for s in unsaid if s is not None] + said
            wanted[last.message_id] = said
        return wanted

    def _said(self, window: PlannedWindow, answer: Extraction) -> list[Statement]:
        by_hash: dict[bytes, Statement] = {}
        told = _told(window.last)
        drafts: list[AtomDraft | ClosureDraft] = [*answer.atoms, *answer.closures]
        for draft in drafts:
            if draft.predicate not in self._registry or getattr(draft, "is_candidate", False):
                continue
            try:
                statement = self._maker.make(
                    draft, told, self._subject(draft.subject, window), self._object_entity(draft)
                )
            except ValueError:
                continue
            by_hash.setdefault(statement.statement_hash, statement)
        return list(by_hash.values())

    @cached_property
    def _labels(self) -> Mapping[UUID, set[str]]:
        """Normal forms of the speakers' labels in this dialog."""
        labels: dict[UUID, set[str]] = defaultdict(set)
        rows = self._connection.execute(
            "select e.entity_id, n.name from memory.entity as e"
            " join memory.name_content as n using (entity_id)"
            " where e.dialog_id = %s and e.kind = 'speaker' and n.form = 'label'",
            (self._dialog_id,),
        ).fetchall()
        for entity_id, name in rows:
            labels[entity_id].add(normal_name(name))
        return labels

    def _subject(self, ref: SubjectRef, window: PlannedWindow) -> Subject:
        normal = normal_name(ref.name)
        if ref.is_speaker:
            for turn in reversed(window.turns):
                if normal in self._labels.get(turn.speaker_id, ()):
                    is_own = turn.speaker_id == window.last.speaker_id
                    return Subject(turn.speaker_key, turn.speaker_id, ref.name, is_own)
        return self._maker.mention(self._dialog_key, ref.name, normal)

    def _object_entity(self, draft: AtomDraft | ClosureDraft) -> Subject | None:
        """The person that a `person` predicate's object names ("kind: name")."""
        predicate = self._registry[draft.predicate].predicate
        if predicate.value_type != "person" or not isinstance(draft, AtomDraft):
            return None
        name = str(draft.object).rpartition(":")[2].strip()
        return self._maker.mention(self._dialog_key, name, normal_name(name)) if name else None


def _told(last: Turn) -> Told:
    return Told(
        message_id=last.message_id,
        message_key=last.message_key,
        edited_at=last.edited_at,
        told_at=last.told_at,
        ordinal=last.ordinal or 0,
        origin=Origin.quoted if last.is_quoted else _ORIGIN[Role(last.role)],
        lang=last.lang,
        audience_id=last.audience_id,
    )
