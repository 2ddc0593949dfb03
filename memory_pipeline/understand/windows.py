"""Windows: the unit of extraction, by dialog and never by batch.

A window is one message, from which alone statements are drawn, with the latest revisions of up
to N messages before it in its dialog. Its hash is over keys, edit times and the keyed hashes of
the texts as first read, so that a redaction starts no extraction; where a time was only inferred
from the neighbours it is part of the hash too, since a late message may shift it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg
from psycopg.rows import class_row

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.statement import Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role

SPEAKING_ROLES = frozenset({Role.user, Role.tool})
"""Roles whose own words are evidence; an assistant's and a system's are not."""


@dataclass(frozen=True)
class Turn:
    """One standing revision of a message, without its text."""

    message_id: UUID
    message_key: bytes
    text_hash: bytes
    edited_at: datetime | None
    told_at: datetime | None
    read_at: datetime | None
    sent_at_source: str
    ordinal: int | None
    role: str
    speaker_id: UUID
    speaker_key: bytes
    lang: str
    is_quoted: bool
    tz: str | None
    audience_id: int
    revision: int
    is_latest: bool
    extraction_id: UUID | None
    window_hash: bytes | None
    extractor_id: int | None
    registry_hash: bytes | None


@dataclass(frozen=True)
class PlannedWindow:
    """A window by its turns, the read one last; texts are fetched when it is extracted."""

    turns: tuple[Turn, ...]
    window_hash: bytes

    @property
    def last(self) -> Turn:
        """The turn from which statements are drawn."""
        return self.turns[-1]

    def is_served(self, extractor_id: int, registry_hash: bytes) -> bool:
        """Whether the stored result in use is this window's under these versions."""
        last = self.last
        return (
            last.window_hash == self.window_hash
            and last.extractor_id == extractor_id
            and last.registry_hash == registry_hash
        )


def read_sql(name: str) -> str:
    """The text of one statement of this package's `sql` folder."""
    return files("memory_pipeline.understand").joinpath("sql", name).read_text(encoding="utf-8")


def dialog_turns(connection: psycopg.Connection, dialog_id: UUID) -> list[Turn]:
    """All standing revisions of a dialog in turn order, an edit after what it edits."""
    with connection.cursor(row_factory=class_row(Turn)) as cursor:
        cursor.execute(read_sql("dialog_turns.sql").encode(), {"dialog_id": dialog_id})
        return cursor.fetchall()


def plan_windows(keys: Keys, turns: Sequence[Turn], window_size: int) -> Iterator[PlannedWindow]:
    """The windows of a dialog: one for each revision of a message whose words are evidence."""
    before: list[Turn] = []
    for turn in turns:
        context = [earlier for earlier in before if earlier.message_key != turn.message_key]
        window = (*context[-window_size:], turn) if window_size else (turn,)
        if turn.role in SPEAKING_ROLES:
            yield PlannedWindow(window, _window_hash(keys, window))
        if turn.is_latest:
            before = [*before[-window_size - 1 :], turn]


def _window_hash(keys: Keys, window: Sequence[Turn]) -> bytes:
    parts: list[Any] = []
    for turn in window:
        inferred = turn.read_at if turn.sent_at_source == "none" else None
        parts += [turn.message_key, turn.edited_at, turn.text_hash, inferred]
    return keys.of("window", *parts)


def fill_windows(
    connection: psycopg.Connection, planned: Sequence[PlannedWindow], tz: str
) -> list[Window]:
    """The windows with their texts and speakers' labels, for an extractor to read.

    Times are in the dialog's zone: the message's own, else `tz`.
    """
    ids = {turn.message_id for window in planned for turn in window.turns}
    speakers = {turn.speaker_id for window in planned for turn in window.turns}
    texts: dict[UUID, str] = dict(
        connection.execute(
            "select message_id, text from memory.message_content where message_id = any(%s)",
            (list(ids),),
        ).fetchall()
    )
    labels: dict[UUID, str] = dict(
        connection.execute(
            "select distinct on (entity_id) entity_id, name from memory.name_content"
            " where entity_id = any(%s) and form = 'label' order by entity_id, lookup",
            (list(speakers),),
        ).fetchall()
    )
    # a message belongs to several windows
    messages = {
        turn.message_id: WindowMessage(
            speaker=labels.get(turn.speaker_id, "?"),
            role=Role(turn.role),
            sent_at=turn.read_at and turn.read_at.astimezone(ZoneInfo(turn.tz or tz)),
            lang=turn.lang,
            text=texts.get(turn.message_id, ""),
            quoted=turn.is_quoted,
        )
        for turn in {t.message_id: t for window in planned for t in window.turns}.values()
    }
    return [
        Window(
            messages=tuple(messages[turn.message_id] for turn in window.turns),
            tz=window.last.tz or tz,
        )
        for window in planned
    ]
