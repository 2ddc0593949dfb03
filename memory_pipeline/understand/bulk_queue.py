"""Windows that wait for a provider's batch: what the extraction stage leaves to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.understand.results import Version
from memory_pipeline.understand.windows import PlannedWindow

Key = tuple[int, UUID, bytes, int, bytes]
"""Audience, message, window hash, extractor, registry hash."""


@dataclass(frozen=True)
class Request:
    """A row of `provider_request`."""

    COLUMNS: ClassVar[str] = (
        "r.request_id, r.audience_id, r.message_id, r.window_hash, r.extractor_id,"
        " r.registry_hash, r.attempt, r.line, r.shown_hash"
    )

    request_id: UUID
    audience_id: int
    message_id: UUID
    window_hash: bytes
    extractor_id: int
    registry_hash: bytes
    attempt: int
    line: int | None
    shown_hash: bytes | None


@dataclass(frozen=True)
class NewRequests:
    """Adds requests of one tenant."""

    connection: psycopg.Connection[Any]
    tenant_id: int

    def add(self, keys: Iterable[Key]) -> None:
        """A request for each window, numbered after its earlier attempts."""
        with self.connection.cursor() as cursor:
            cursor.executemany(
                "insert into memory.provider_request (request_id, tenant_id, audience_id,"
                " message_id, window_hash, extractor_id, registry_hash, attempt)"
                " select %(id)s, %(tenant)s, %(audience)s, %(message)s, %(window)s, %(extractor)s,"
                " %(registry)s, coalesce(max(attempt), 0) + 1 from memory.provider_request"
                " where tenant_id = %(tenant)s and window_hash = %(window)s"
                " and extractor_id = %(extractor)s and registry_hash = %(registry)s"
                " on conflict do nothing",
                [
                    {
                        "id": uuid4(),
                        "tenant": self.tenant_id,
                        "audience": audience_id,
                        "message": message_id,
                        "window": window_hash,
                        "extractor": extractor_id,
                        "registry": registry_hash,
                    }
                    for audience_id, message_id, window_hash, extractor_id, registry_hash in keys
                ],
            )


@dataclass(frozen=True)
class BulkQueue:
    """What a tenant's extraction leaves to a provider's batch: with `is_taking` every window
    without a stored result, else only those that wait there already."""

    connection: psycopg.Connection[Any]
    tenant_id: int
    is_taking: bool

    def left(
        self, version: Version, windows: Sequence[PlannedWindow], audiences: Audiences
    ) -> dict[bytes, bool]:
        """The windows that are not to be extracted now, by hash, and whether their answer is
        still to come: one that was refused in the end lies in quarantine."""
        if not windows:
            return {}
        rows = self.connection.execute(
            "select distinct on (window_hash) window_hash, state::text"
            " from memory.provider_request where tenant_id = %s and extractor_id = %s"
            " and registry_hash = %s and window_hash = any(%s)"
            " order by window_hash, attempt desc",
            (
                self.tenant_id,
                version.extractor_id,
                version.registry_hash,
                [window.window_hash for window in windows],
            ),
        ).fetchall()
        states = {bytes(window_hash): state for window_hash, state in rows}
        left = {key: True for key, state in states.items() if state in ("open", "running")}
        if not self.is_taking:
            return left
        left |= {key: False for key, state in states.items() if state in ("done", "failed")}
        new = [window for window in windows if window.window_hash not in left]
        NewRequests(self.connection, self.tenant_id).add(
            (
                audiences.union(*{turn.audience_id for turn in window.turns}),
                window.last.message_id,
                window.window_hash,
                version.extractor_id,
                version.registry_hash,
            )
            for window in new
        )
        return left | {window.window_hash: True for window in new}
