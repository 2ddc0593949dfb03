"""Instagram's and Facebook's `message_N.json`: one chat, or a part of a long one.

The export writes UTF-8 bytes as if each were a character; such texts and names are put right.
It lists the newest message first; they are read oldest first. Rows that only tell of an event
("… sent an attachment", a reaction, a call) and unsent ones have no words of a person and are
passed over; what was sent stands as an attachment.
A chat is known by its `thread_path`, where it has none by the names of those who took part.
The files are at most ten thousand messages each, so one is read as a whole.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused

_SENDER = re.compile(rb'"sender_name"\s*:')
_TIME = re.compile(rb'"timestamp_ms"\s*:')

_MAX_BRACKETS = 2_000_000

_KINDS = {
    "photos": "image",
    "videos": "video",
    "audio_files": "audio",
    "files": "file",
    "gifs": "image",
}
_EVENT = re.compile(
    r"(.{1,80} )?(sent an attachment\.|sent a photo\.|sent a voice message\.|sent a video\."
    r"|reacted .{1,20} to your message ?|liked a message|started (an audio|a video) (call|chat)"
    r"|missed (an audio|a video) (call|chat)|(audio|video) (call|chat) ended)",
    re.IGNORECASE,
)


class InstagramReader:
    """Reads one `message_N.json` of Instagram or Facebook."""

    name = "instagram"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a message's sender and time."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        return start.startswith(b"{") and bool(_SENDER.search(start) and _TIME.search(start))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the chat's messages, oldest first; `position` is the row's place in the file."""
        raw = stream.read(options.max_document_bytes + 1)
        try:
            if len(raw) > options.max_document_bytes:
                raise Refused(
                    Reason.too_large, f"over {options.max_document_bytes} bytes; raise the limit"
                )
            whole = strict_json.parse(raw, options, _MAX_BRACKETS)
            rows = whole.get("messages") if isinstance(whole, dict) else None
            if not isinstance(rows, list):
                raise Refused(Reason.missing_field, "must be a list of messages", "messages")
            dialog = _dialog(whole, rows)
            title = _put_right(fields.words(whole, "title"))
        except Refused as refused:
            yield refused.as_record(1, raw, options.max_record_bytes)
            return
        # rows of one time keep the order of their telling, which the file has backwards
        order = sorted(range(len(rows)), key=lambda index: (_time(rows[index]), -index))
        for index in order:
            try:
                message = _message(rows[index], dialog, title, index + 1, options)
            except Refused as refused:
                # a chat of its own, so that it can be read again from quarantine
                alone = {"messages": [rows[index]], "thread_path": dialog, "title": title}
                said = json.dumps(alone, ensure_ascii=False).encode()
                yield refused.within(f"messages[{index}]").as_record(
                    index + 1, said, options.max_record_bytes
                )
            else:
                if message is not None:
                    yield message


def _time(row: Any) -> float:
    value = row.get("timestamp_ms") if isinstance(row, dict) else None
    return value if isinstance(value, int | float) else 0.0


def _dialog(whole: dict[str, Any], rows: list[Any]) -> str:
    path = fields.words(whole, "thread_path")
    if path is not None:
        return path
    people = fields.objects(whole, "participants")
    names = {str(person.get("name")) for person in people} or {
        str(row.get("sender_name")) for row in rows if isinstance(row, dict)
    }
    listed = json.dumps(sorted(names)).encode()
    return f"sha256:{hashlib.sha256(listed).hexdigest()[:32]}"


def _message(
    row: Any, dialog: str, title: str | None, position: int, options: ReadOptions
) -> RawMessage | None:
    if not isinstance(row, dict):
        raise Refused(Reason.not_object, "a message must be an object")
    if row.get("is_unsent") is True:
        return None
    beside = tuple(_attachments(row))
    said = row.get("content")
    text = _put_right(fields.text("" if said is None else said, "content", options)) or ""
    if _EVENT.fullmatch(text.strip()):
        text = ""
    if not text.strip() and not beside:
        return None
    speaker = _put_right(fields.words(row, "sender_name"))
    if speaker is None:
        raise Refused(Reason.missing_field, "say who spoke", "sender_name")
    sent_at = fields.moment(row, "timestamp_ms", options.tz, options)
    return RawMessage(
        namespace=f"instagram:{options.namespace}",
        dialog=dialog,
        dialog_title=title,
        speaker=speaker,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
        text=text,
        attachments=beside,
        position=position,
    )


def _attachments(row: dict[str, Any]) -> Iterator[Attachment]:
    for key, kind in _KINDS.items():
        for item in fields.objects(row, key):
            yield Attachment(kind=kind, name=fields.words(item, "uri"))
    if sticker := fields.inner(row, "sticker"):
        yield Attachment(kind="sticker", name=fields.words(sticker, "uri"))
    if share := fields.inner(row, "share"):
        link = share.get("link")
        said = share.get("share_text")
        yield Attachment(
            kind="link",
            name=_put_right(fields.words(share, "original_content_owner")),
            caption=_put_right(said) if isinstance(said, str) and said else None,
            url=link if isinstance(link, str) else None,
        )


def _put_right(text: str | None) -> str | None:
    """Read characters that stand for bytes as the UTF-8 they are; leave any other text."""
    if text is None or text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return text
