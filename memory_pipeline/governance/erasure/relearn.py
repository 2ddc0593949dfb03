"""Keeps what was erased from being learned again from stored text: by another extractor, after a
backfill, from a window that came to be read otherwise.

What such a reading finds in scope becomes no statement and is left out of the stored answer; its
evidence, if it still stands in a text, is handed to a request that masks it.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.store_statements import Quote
from memory_pipeline.contracts.statement import Extraction
from memory_pipeline.governance.erasure.masking import stored_circles
from memory_pipeline.governance.erasure.mentions import Forms, find, forms, redacted
from memory_pipeline.governance.erasure.suppress import (
    Circle,
    Draft,
    Place,
    Scope,
    Suppressions,
    told_key,
)
from memory_pipeline.understand.windows import PlannedWindow


class Relearning:
    """What of one dialog's windows is suppressed, in one epoch."""

    def __init__(
        self, connection: psycopg.Connection, suppressions: Suppressions, dialog_key: bytes
    ) -> None:
        self._connection = connection
        self._suppressions = suppressions
        self._dialog_key = dialog_key
        circles = (
            stored_circles(connection, suppressions, [dialog_key]) if suppressions.scopes else {}
        )
        self._circle = circles.get(dialog_key, Circle(dialog_key))
        self._places: dict[UUID, Place] = {}

    @property
    def epoch(self) -> int:
        """The epoch in which what is let through may be stored."""
        return self._suppressions.epoch

    @property
    def are_settled(self) -> bool:
        """Whether no request may be taken back whose scope counts."""
        return self._suppressions.settled is self._suppressions

    def scope_of(self, draft: Draft, window: PlannedWindow) -> Scope | None:
        """The scope that a statement of a window lies in, if any."""
        if not self._suppressions.scopes:
            return None
        return self._suppressions.scope_of(draft, self._circle, self._place(window))

    def gone(self, window: PlannedWindow, answer: Extraction) -> Forms:
        """The values of an answer's statements that lie in a scope."""
        if not self._suppressions.scopes:
            return Forms()
        registry = self._suppressions.registry
        drafts: list[Draft] = [*answer.atoms, *answer.closures]
        return forms(
            (str(draft.object), registry[draft.predicate].predicate.value_type)
            for draft in drafts
            if draft.object is not None
            and draft.predicate in registry
            and self.scope_of(draft, window) is not None
        )

    def let_through(self, window: PlannedWindow, answer: Extraction) -> Extraction:
        """An answer without what lies in a scope, also in the sentences of the rest."""
        if not self._suppressions.scopes:
            return answer
        gone = self.gone(window, answer)
        return answer.model_copy(
            update={
                "atoms": tuple(
                    without_words(a, gone) for a in answer.atoms if self.scope_of(a, window) is None
                ),
                "closures": tuple(
                    without_words(c, gone)
                    for c in answer.closures
                    if self.scope_of(c, window) is None
                ),
            }
        )

    def redacted(self, windows: Sequence[PlannedWindow]) -> set[UUID]:
        """Messages among the windows' last whose window has a redacted text: a result over it
        cannot unsay what was read before."""
        if not self.epoch:
            return set()
        ids = {turn.message_id for window in windows for turn in window.turns}
        rows = self._connection.execute(
            "select distinct message_id from memory.redaction where message_id = any(%s)",
            (list(ids),),
        ).fetchall()
        found = {row[0] for row in rows}
        return {
            window.last.message_id
            for window in windows
            if any(turn.message_id in found for turn in window.turns)
        }

    def follow_up(self, found: Mapping[UUID, Sequence[Quote]]) -> int:
        """Hand evidence in scope (by suppression) that still stands to requests that mask it;
        returns how many spans were new to all of them. Runs in the caller's batch."""
        n_new = 0
        for suppression_id, quotes in found.items():
            row = self._connection.execute(
                "select memory.file_follow_up(%s, %s, %s, %s)",
                (
                    suppression_id,
                    [quote.message_id for quote in quotes],
                    [quote.start for quote in quotes],
                    [quote.end for quote in quotes],
                ),
            ).fetchone()
            n_new += int(row[0]) if row else 0
        return n_new

    def _place(self, window: PlannedWindow) -> Place:
        last = window.last
        if last.message_id not in self._places:
            row = self._connection.execute(
                "select f.file_key from memory.message as m join memory.log_file as f"
                " using (file_id) where m.message_id = %s",
                (last.message_id,),
            ).fetchone()
            # as ingestion sees it: a time that was only inferred is none
            is_stated = last.sent_at_source != "none" or last.edited_at is not None
            told_at = last.told_at if is_stated else None
            keys = {self._dialog_key, last.message_key, told_key(last.text_hash, told_at)}
            keys |= {bytes(row[0])} if row else set()
            self._places[last.message_id] = Place(frozenset(keys), told_at)
        return self._places[last.message_id]


def without_words(draft: Draft, gone: Forms) -> Draft:
    """A statement with values masked in its sentence."""
    spans = find(gone, draft.text) if gone else []
    return draft.model_copy(update={"text": redacted(draft.text, spans)}) if spans else draft
