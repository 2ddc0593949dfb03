"""What a reader of a log format is, what it is told, how it refuses, and how one is chosen."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import BinaryIO, Protocol, runtime_checkable
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory_pipeline.contracts.message import BadRecord, RawMessage

ENTRY_POINT_GROUP = "memory_pipeline.readers"

HEAD_BYTES = 64 * 1024
"""How much of a file's beginning `choose` should be given."""

# JSON Lines last: a document on one line, or a chat that quotes one, would also pass for lines.
_BUILT_IN = tuple(
    EntryPoint(name, f"memory_pipeline.ingest.{place}", group=ENTRY_POINT_GROUP)
    for name, place in (
        ("archive", "archives:ArchiveReader"),
        ("locomo", "readers.locomo:LocomoReader"),
        ("chatgpt", "readers.chatgpt:ChatGptReader"),
        ("claude", "readers.claude:ClaudeReader"),
        ("telegram", "readers.telegram:TelegramReader"),
        ("discord", "readers.discord:DiscordReader"),
        ("instagram", "readers.instagram:InstagramReader"),
        ("slack", "readers.slack:SlackDayReader"),
        ("signal", "readers.signal:SignalReader"),
        ("whatsapp", "readers.whatsapp:WhatsAppReader"),
        ("jsonl", "readers.jsonl:JsonLinesReader"),
    )
)


class Reason(StrEnum):
    """The stable codes of `BadRecord.reason` that the built-in readers use."""

    invalid_json = "invalid_json"
    not_utf8 = "not_utf8"
    too_large = "too_large"
    too_complex = "too_complex"
    duplicate_key = "duplicate_key"
    bad_number = "bad_number"
    bad_text = "bad_text"
    not_object = "not_object"
    missing_field = "missing_field"
    bad_field = "bad_field"
    future_time = "future_time"
    do_not_remember = "do_not_remember"
    unknown_format = "unknown_format"
    bad_archive = "bad_archive"


class Refused(Exception):
    """A record, or a part of one, that a reader refuses; becomes a `BadRecord`.

    `problem` names the defect and the remedy and holds no content of the record.
    """

    def __init__(self, reason: Reason, problem: str, field: str | None = None) -> None:
        """Keep the stable code, the words and the field's name."""
        super().__init__(problem)
        self.reason = reason
        self.problem = problem
        self.field = field

    def within(self, prefix: str) -> "Refused":
        """Return the same refusal with its field's name below `prefix`."""
        return Refused(
            self.reason, self.problem, f"{prefix}.{self.field}" if self.field else prefix
        )

    def as_record(self, position: int, raw: bytes, keep_bytes: int) -> BadRecord:
        """Return the quarantine record; of an over-long `raw` the first `keep_bytes` bytes stay.

        The file itself is archived, so what is cut here is not lost.
        """
        problem = self.problem
        if len(raw) > keep_bytes:
            problem += f" ({len(raw)} bytes; the first {keep_bytes} are kept here)"
        return BadRecord(
            position=position,
            field=self.field,
            reason=self.reason.value,
            problem=problem,
            raw=raw[:keep_bytes],
        )


class UnknownFormat(Exception):
    """No reader recognises a file's beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """What a reader is told about the tenant and its limits. Sizes are in bytes.

    Raises `ValueError` for a `now` without offset or a zone that is not an IANA name.
    """

    now: datetime
    """The clock that future times are measured against; aware."""
    tz: str = "UTC"
    """Zone of times that state none: the tenant's setting, never the host's."""
    namespace: str = ""
    """Where equal speaker labels mean one person, for formats that have no account of their own."""
    account: str | None = None
    """The account whose export is read, where an archive says it beside the dialogs."""
    future_allowance: timedelta = timedelta(days=1)
    """How far ahead of `now` a stated time may lie: clocks differ, calendars do not."""
    max_record_bytes: int = 1024 * 1024
    """Largest text of one message, and the most of a refused record that quarantine keeps."""
    max_line_bytes: int = 8 * 1024 * 1024
    """Largest line of a line format; one line may hold a whole dialog."""
    max_document_bytes: int = 64 * 1024 * 1024
    """Largest part of a JSON document that is held in memory: a conversation, or the whole file
    of a format that has no parts."""
    max_depth: int = 64
    """Deepest nesting of a JSON value."""
    latest: datetime = field(init=False)
    """The latest moment that is not in the future: `now` and the allowance."""

    def __post_init__(self) -> None:
        """Check the clock and the zone once, so that no record has to."""
        if self.now.utcoffset() is None:
            raise ValueError("now needs an offset")
        if zone(self.tz) is None:
            raise ValueError("tz must be an IANA zone such as Europe/Moscow")
        object.__setattr__(self, "latest", self.now + self.future_allowance)


@runtime_checkable
class Reader(Protocol):
    """Turns the bytes of one log format into messages, in the order of the file.

    A reader infers nothing: what the file does not state stays empty. It refuses record by
    record, names place, reason and remedy, and reads on. Memory does not grow with the file,
    except where the format is one document; then the size is bounded.
    """

    name: str
    """Stable name, kept with every file that was read by it."""
    version: int
    """Raised whenever the same bytes would give other messages."""
    has_edits: bool
    """Whether the format can state an edit (`edited_at`). Where it can, a second text under one
    id that states its edit time is a revision; without that time, and in formats that cannot,
    it contradicts the first."""

    def recognises(self, head: bytes, file_name: str) -> bool:
        """Tell by a file's first bytes, helped by its name, whether it is of this format."""
        ...

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield every record of the file once: read, or refused with its reason."""
        ...


@cache
def readers() -> tuple[Reader, ...]:
    """Return all readers: those installed under `memory_pipeline.readers`, then the built-in ones.

    An installed reader comes first, so that it can take over a format. Raises `TypeError` for an
    entry point that does not make a `Reader`.
    """
    installed = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    found: list[Reader] = []
    for point in (*installed, *_BUILT_IN):
        reader = point.load()()
        if not isinstance(reader, Reader):
            raise TypeError(f"entry point {point.value} of {ENTRY_POINT_GROUP} makes no Reader")
        found.append(reader)
    return tuple(found)


def choose(head: bytes, file_name: str) -> Reader:
    """Return the first reader that recognises a file by its first `HEAD_BYTES` bytes.

    Raises `UnknownFormat` with the remedy in words; it names no content.
    """
    for reader in readers():
        if reader.recognises(head, file_name):
            return reader
    if not head.strip():
        raise UnknownFormat("the file is empty")
    if _is_utf16(head):
        raise UnknownFormat("the file is not UTF-8 text; save it as UTF-8 and ingest it again")
    if file_name.lower().endswith(".zip"):
        raise UnknownFormat("the file is no zip file, or a damaged one; export or copy it again")
    if b"\x00" in head:
        raise UnknownFormat("the file is neither text nor a zip file of logs")
    known = ", ".join(reader.name for reader in readers())
    raise UnknownFormat(f"no reader knows this format; known are: {known}")


def _is_utf16(head: bytes) -> bool:
    """By its mark, or by the zeros that every other byte of Latin text in it is."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    return len(head) > 1 and any(2 * half.count(0) > len(half) for half in (head[::2], head[1::2]))


@cache
def zone(name: str) -> ZoneInfo | None:
    """Return the zone of an IANA name, or None where there is none such."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
