"""Telegram Desktop's JSON export, of one chat or of the whole account.

A message's `text` is a string or a list of strings and entities; they are joined as they stand,
but for a space before a bare link that touches the entity before it, since Telegram finds a link
only where a word begins. Service rows (joined, pinned, called) are no messages and passed over.
A forward is `quoted`, its author an attachment of kind `forward`; the id of the message that a
reply answers is one of kind `reply`. `edited_unixtime` makes a revision.
Times are `date_unixtime`; old exports have only `date`, on the clocks of the options' zone.
Everybody is a user but for the bot of a chat with a bot, which is an assistant.
Messages are read one at a time, in the file's order.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.json_walk import ITEM, walk

_LISTS = {(side, "list") for side in ("chats", "left_chats")}
_CHATS = {(), *((*path, ITEM) for path in _LISTS)}
_MESSAGES = {(*chat, "messages") for chat in _CHATS}
_FACTS = {(*chat, key) for chat in _CHATS for key in ("id", "name", "type")}

_LOG = re.compile(rb'"(messages|chats)"\s*:\s*[\[{]')
_MESSAGE = re.compile(rb'"(date_unixtime|from_id|text_entities|actor_id)"\s*:')
_ACCOUNT = re.compile(rb'"personal_information"\s*:\s*\{')

_KINDS = {
    "sticker": "sticker",
    "voice_message": "audio",
    "audio_file": "audio",
    "video_message": "video",
    "video_file": "video",
    "animation": "video",
}


class TelegramReader:
    """Reads Telegram Desktop's `result.json`, message by message."""

    name = "telegram"
    version = 1
    has_edits = True

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a list of messages with Telegram's keys, or for an account's export."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        if not start.startswith(b"{"):
            return False
        return bool(_LOG.search(start) and _MESSAGE.search(start)) or (
            bool(_ACCOUNT.search(start)) and b'"contacts"' in start
        )

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the messages of every chat; `position` counts rows over the file."""
        position = 0
        chat: dict[str, Any] = {}
        for part in walk(
            stream,
            options,
            lists=_LISTS | _MESSAGES,
            objects={*_CHATS, ("chats",), ("left_chats",)},
            take=_FACTS | {(*path, ITEM) for path in _MESSAGES},
        ):
            if part.opened:
                chat = {} if part.path in _CHATS else chat
                continue
            position += part.path[-1:] == (ITEM,) or part.refused is not None
            # an export without the chat's id and name is known by its first message
            chat.setdefault("beginning", hashlib.sha256(part.raw).hexdigest()[:32])
            raw = part.raw
            try:
                if part.refused is not None:
                    raise part.refused
                value = strict_json.parse(part.raw, options)
                if part.path in _FACTS:
                    chat[part.path[-1]] = value
                    continue
                raw = _with_chat(value, chat)
                message = _message(value, chat, position, options)
            except Refused as refused:
                yield refused.as_record(max(position, 1), raw, options.max_record_bytes)
            else:
                if message is not None:
                    yield message


def _dialog(chat: dict[str, Any]) -> str:
    stated = fields.words(chat, "id") or fields.words(chat, "name")
    return stated or f"sha256:{chat['beginning']}"


def _with_chat(row: Any, chat: dict[str, Any]) -> bytes:
    """Return a row as an export of its own, so that it can be read again from quarantine."""
    facts = {key: chat[key] for key in ("id", "name", "type") if key in chat}
    facts["id"] = _dialog(chat)
    return json.dumps({**facts, "messages": [row]}, ensure_ascii=False).encode()


def _message(
    row: Any, chat: dict[str, Any], position: int, options: ReadOptions
) -> RawMessage | None:
    if not isinstance(row, dict):
        raise Refused(Reason.not_object, "a message must be an object")
    if row.get("type", "message") != "message":
        return None
    text = fields.text(_text(row.get("text")), "text", options)
    beside = _attachments(row)
    if not text.strip() and not beside:
        return None
    speaker_id = fields.words(row, "from_id")
    speaker = fields.words(row, "from") or speaker_id or "Deleted Account"
    sent_at = _moment(row, "date", options)
    edited_at = _moment(row, "edited", options)
    # old exports write the beginning of time where a message was never edited
    if edited_at is not None and (sent_at is None or edited_at < sent_at):
        edited_at = None
    is_bot = chat.get("type") == "bot_chat" and speaker_id == f"user{chat.get('id')}"
    forwarded = "forwarded_from" in row or "saved_from" in row
    return RawMessage(
        namespace=f"telegram:{options.namespace}",
        dialog=_dialog(chat),
        dialog_title=fields.words(chat, "name"),
        message_id=fields.words(row, "id"),
        speaker=speaker,
        speaker_id=speaker_id,
        role=Role.assistant if is_bot else Role.user,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
        edited_at=edited_at,
        ordinal=fields.ordinal(row, "id") if isinstance(row.get("id"), int) else None,
        text=text,
        attachments=beside,
        quoted=forwarded,
        position=position,
    )


def _moment(row: dict[str, Any], name: str, options: ReadOptions) -> datetime | None:
    exact = f"{name}_unixtime"
    if row.get(exact) in (0, "0"):
        return None
    if row.get(exact) is not None:
        return fields.epoch(row, exact, options)
    if isinstance(row.get(name), str) and row[name].startswith("1970-"):
        return None
    return fields.moment(row, name, options.tz, options)


def _text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if not isinstance(value, list):
        raise Refused(Reason.bad_field, "must be a string or a list", "text")
    said = ""
    after_entity = False
    for piece in value:
        if isinstance(piece, str):
            said += piece
            after_entity = False
            continue
        if not isinstance(piece, dict) or not isinstance(piece.get("text"), str):
            raise Refused(Reason.bad_field, "an entity must hold a text", "text")
        touches = after_entity and piece.get("type") == "link" and (said[-1:].strip() != "")
        said += " " + piece["text"] if touches else piece["text"]
        after_entity = True
    return said


def _attachments(row: dict[str, Any]) -> tuple[Attachment, ...]:
    found: list[Attachment] = []
    media = fields.words(row, "mime_type")
    if "photo" in row:
        found.append(Attachment(kind="image", name=_file(row, "photo"), media_type=media))
    if "file" in row or "media_type" in row:
        kind = _KINDS.get(str(row.get("media_type")), "file")
        name = fields.words(row, "file_name") or _file(row, "file")
        caption = fields.words(row, "sticker_emoji") or fields.words(row, "title")
        found.append(Attachment(kind=kind, name=name, caption=caption, media_type=media))
    if place := fields.inner(row, "location_information"):
        caption = f"{place.get('latitude')}, {place.get('longitude')}"
        name = fields.words(row, "place_name") or fields.words(row, "address")
        found.append(Attachment(kind="location", name=name, caption=caption))
    if person := fields.inner(row, "contact_information"):
        parts = (fields.words(person, key) for key in ("first_name", "last_name"))
        name = " ".join(part for part in parts if part) or None
        found.append(
            Attachment(kind="contact", name=name, caption=fields.words(person, "phone_number"))
        )
    if poll := fields.inner(row, "poll"):
        found.append(Attachment(kind="poll", caption=_text(poll.get("question")) or None))
    if not found and not _text(row.get("text")).strip():
        return ()
    if author := fields.words(row, "forwarded_from") or fields.words(row, "saved_from"):
        found.append(Attachment(kind="forward", name=author))
    if answered := fields.words(row, "reply_to_message_id"):
        found.append(Attachment(kind="reply", name=answered))
    return tuple(found)


def _file(row: dict[str, Any], name: str) -> str | None:
    # a file that was not exported is a remark in brackets
    value = fields.words(row, name)
    return None if value is None or value.startswith("(") else value
