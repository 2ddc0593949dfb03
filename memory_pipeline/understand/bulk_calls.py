"""Calls of a bulk extraction: their windows, made anew from the store, and their requests' rows."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

import psycopg
from psycopg.rows import class_row

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import earlier_registries
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import Extraction, Window
from memory_pipeline.understand.bulk_queue import NewRequests, Request
from memory_pipeline.understand.interface import ExtractionFailure, Extractor
from memory_pipeline.understand.windows import (
    PlannedWindow,
    dialog_turns,
    fill_windows,
    plan_windows,
)

MAX_ATTEMPTS = 3
WINDOWS_PER_CALL = 8
_PLANS_KEPT = 16


class BulkExtractor(Extractor, Protocol):
    """An extractor whose calls can be written down and read later."""

    def request(self, windows: Sequence[Window], predicates: Sequence[Predicate]) -> dict[str, Any]:
        """The body of one call."""
        ...

    def read(
        self, completion: Any, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        """What a completion answers to `request`, one result a window."""
        ...


@dataclass
class BulkReport:
    """Counts of one round."""

    n_sent: int = 0
    n_answered: int = 0
    n_asked_again: int = 0
    n_failed: int = 0
    n_dropped: int = 0
    n_running: int = 0
    n_files_deleted: int = 0
    n_prompt_tokens: int = 0
    n_completion_tokens: int = 0


@dataclass(frozen=True)
class Sent:
    """A batch of ours."""

    provider_batch_id: UUID
    extractor_id: int
    registry_hash: bytes
    native_id: str | None
    state: str


@dataclass(frozen=True)
class Call:
    """Windows of one call, by message, as they are stored now; one that is no more is not here."""

    windows: dict[UUID, Window]
    planned: dict[UUID, PlannedWindow]


@dataclass
class Calls:
    """The calls of one tenant over one connection of the ingest role."""

    connection: psycopg.Connection[Any]
    tenant_id: int
    keys: Keys
    extractor: BulkExtractor
    tz: str
    _plans: dict[UUID, dict[UUID, PlannedWindow]] = field(default_factory=dict, repr=False)

    def forget_plans(self) -> None:
        """Look at the dialogs anew: a round begins."""
        self._plans.clear()

    def lines_of(self, sent: Sent) -> Iterator[tuple[int, list[Request]]]:
        """Unanswered requests of a batch by line."""
        with self.connection.cursor(row_factory=class_row(Request)) as cursor:
            rows = cursor.execute(
                f"select {Request.COLUMNS} from memory.provider_request as r"  # noqa: S608 - a constant
                " where provider_batch_id = %s and state in ('open', 'running')"
                " order by line, place",
                (sent.provider_batch_id,),
            ).fetchall()
        by_line: dict[int, list[Request]] = defaultdict(list)
        for request in rows:
            by_line[request.line or 0].append(request)
        yield from by_line.items()

    def call(self, requests: Sequence[Request]) -> Call:
        """The windows of requests as they are stored now; those that are no more are left out."""
        same = {}
        for request in requests:
            window = self._planned(request.message_id)
            if window is not None and window.window_hash == request.window_hash:
                same[request.message_id] = window
        filled = fill_windows(self.connection, list(same.values()), self.tz)
        return Call(dict(zip(same, filled, strict=True)), same)

    def _planned(self, message_id: UUID) -> PlannedWindow | None:
        """The window of a message. Plans of a few dialogs are kept for the round; what a
        redaction changes is the text, which is read each time."""
        for plan in self._plans.values():
            if message_id in plan:
                return plan[message_id]
        row = self.connection.execute(
            "select dialog_id from memory.message where message_id = %s", (message_id,)
        ).fetchone()
        if row is None:
            return None
        turns = dialog_turns(self.connection, row[0])
        if len(self._plans) >= _PLANS_KEPT:
            self._plans.pop(next(iter(self._plans)))
        self._plans[row[0]] = {
            window.last.message_id: window
            for window in plan_windows(self.keys, turns, self.extractor.window_size)
        }
        return self._plans[row[0]].get(message_id)

    def predicates(self, registry_hash: bytes) -> list[Predicate] | None:
        registries = earlier_registries(self.connection, self.keys, self.tenant_id)
        registry = registries.get(registry_hash)
        return None if registry is None else [entry.predicate for entry in registry.values()]

    def body(self, windows: Sequence[Window], predicates: Sequence[Predicate]) -> str:
        return json.dumps(self.extractor.request(windows, predicates), ensure_ascii=False)

    def shown_hash(self, body: str) -> bytes:
        return self.keys.of("shown", self.tenant_id, body)

    def set_requests(self, request_ids: Sequence[UUID], state: str, code: str | None) -> None:
        self.connection.execute(
            "update memory.provider_request set state = %s::memory.work_state, code = %s"
            " where request_id = any(%s)",
            (state, code, list(request_ids)),
        )

    def again(self, requests: Sequence[Request], code: str) -> None:
        """Have windows asked anew, if they are still there when it comes to it."""
        self.set_requests([r.request_id for r in requests], "dismissed", code)
        NewRequests(self.connection, self.tenant_id).add(
            [
                (r.audience_id, r.message_id, r.window_hash, r.extractor_id, r.registry_hash)
                for r in requests
                if r.attempt < MAX_ATTEMPTS
            ]
        )


def groups(requests: Sequence[Request]) -> Iterator[list[Request]]:
    """What goes into one call: several windows the first time, one where that failed."""
    group: list[Request] = []
    for request in requests:
        if request.attempt > 1:
            yield [request]
            continue
        group.append(request)
        if len(group) == WINDOWS_PER_CALL:
            yield group
            group = []
    if group:
        yield group
