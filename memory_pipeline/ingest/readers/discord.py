"""Discord channels as DiscordChatExporter writes them in JSON.

Read are ordinary messages, replies and answers to commands; the rest (joined, pinned, called) are
service rows and passed over. `timestampEdited` makes a revision. A forward is `quoted`; the id of
the message that a reply answers is an attachment of kind `reply`. The speaker is the nickname,
known by the author's id over all channels; a bot is an assistant.
Messages are read one at a time, in the file's order.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.json_walk import ITEM, walk

NAMESPACE = "discord"

_KEYS = re.compile(rb'"channel"\s*:\s*\{')
_MARKS = re.compile(rb'"(guild|exportedAt|dateRange)"\s*:')

_READ = {
    "Default",
    "Reply",
    "ChatInputCommand",
    "ApplicationCommand",
    "ContextMenuCommand",
    "0",
    "19",
    "20",
    "23",
}


class DiscordReader:
    """Reads one channel's JSON, message by message."""

    name = "discord"
    version = 1
    has_edits = True

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for the channel and the exporter's keys around it."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        return start.startswith(b"{") and bool(_KEYS.search(start) and _MARKS.search(start))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the channel's messages; `position` counts rows over the file."""
        position = 0
        channel: dict[str, Any] = {}
        for part in walk(
            stream,
            options,
            lists={("messages",)},
            objects={()},
            take={("channel",), ("messages", ITEM)},
        ):
            if part.opened:
                channel = {}
                continue
            position += part.path == ("messages", ITEM) or part.refused is not None
            raw = part.raw
            try:
                if part.refused is not None:
                    raise part.refused
                value = strict_json.parse(part.raw, options)
                if part.path == ("channel",):
                    channel = value if isinstance(value, dict) else {}
                    continue
                raw = _with_channel(value, channel)
                message = _message(value, channel, position, options)
            except Refused as refused:
                yield refused.as_record(max(position, 1), raw, options.max_record_bytes)
            else:
                if message is not None:
                    yield message


def _with_channel(row: Any, channel: dict[str, Any]) -> bytes:
    """Return a row as an export of its own, so that it can be read again from quarantine."""
    whole = {"guild": {}, "channel": channel, "messages": [row]}
    return json.dumps(whole, ensure_ascii=False).encode()


def _message(
    row: Any, channel: dict[str, Any], position: int, options: ReadOptions
) -> RawMessage | None:
    if not isinstance(row, dict):
        raise Refused(Reason.not_object, "a message must be an object")
    if str(row.get("type", "Default")) not in _READ:
        return None
    dialog = fields.words(channel, "id")
    if dialog is None:
        raise Refused(
            Reason.missing_field, "the channel needs an id before its messages", "channel"
        )
    forwarded = fields.inner(row, "forwardedMessage")
    said = row.get("content") or forwarded.get("content") or ""
    text = fields.text(said, "content", options)
    beside = [*_attachments(row), *_attachments(forwarded)]
    if not text.strip() and not beside:
        return None
    if answered := fields.words(fields.inner(row, "reference"), "messageId"):
        beside.append(Attachment(kind="forward" if forwarded else "reply", name=answered))
    author = fields.inner(row, "author")
    speaker = fields.words(author, "nickname") or fields.words(author, "name")
    speaker_id = fields.words(author, "id")
    sent_at = fields.moment(row, "timestamp", options.tz, options)
    edited_at = fields.moment(row, "timestampEdited", options.tz, options)
    if edited_at is not None and (sent_at is None or edited_at < sent_at):
        edited_at = None
    return RawMessage(
        namespace=NAMESPACE,
        dialog=dialog,
        dialog_title=fields.words(channel, "name"),
        message_id=fields.words(row, "id"),
        speaker=speaker or speaker_id or "Deleted User",
        speaker_id=speaker_id,
        role=Role.assistant if author.get("isBot") is True else Role.user,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
        edited_at=edited_at,
        text=text,
        attachments=tuple(beside),
        quoted=bool(forwarded),
        position=position,
    )


def _attachments(row: dict[str, Any]) -> Iterator[Attachment]:
    for item in fields.objects(row, "attachments"):
        link = item.get("url")
        yield Attachment(
            kind="file",
            name=fields.words(item, "fileName"),
            url=link if isinstance(link, str) else None,
        )
    for item in fields.objects(row, "stickers"):
        yield Attachment(kind="sticker", name=fields.words(item, "name"))
    for item in fields.objects(row, "embeds"):
        said = [item.get(key) for key in ("title", "description")]
        caption = "\n".join(part for part in said if isinstance(part, str) and part)
        link = item.get("url")
        if caption or isinstance(link, str):
            yield Attachment(
                kind="link", caption=caption or None, url=link if isinstance(link, str) else None
            )
