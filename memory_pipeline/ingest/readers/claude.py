"""Claude's data export: `conversations.json`, or one conversation of it.

Read is what a person sees: the text blocks of a message (where it has none, its `text`); thinking,
calls of tools and their results are passed over. Files and pasted documents are attachments by
name; a document's extracted text is left to the archived file.
Where messages name their parents, only the active branch is read: from `current_leaf_message_uuid`,
or else the last message, up to the root; the archived file keeps answers that were tried again.
Speakers are `human` and `assistant`; the human's id is the account's, where the export states it,
else it is tied to the conversation. Times are UTC. A temporary conversation is refused as `do_not_remember`.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.branches import active_branch
from memory_pipeline.ingest.readers.json_walk import ITEM, Part, walk

NAMESPACE = "claude"

_MESSAGES = re.compile(rb'"chat_messages"\s*:\s*\[')
_CAPTURE = re.compile(rb'"provider"\s*:\s*"claude-ai"')

_MAX_BRACKETS = 2_000_000

_ROLES = {"human": Role.user, "user": Role.user, "assistant": Role.assistant}


class ClaudeReader:
    """Reads Claude's conversations, one at a time."""

    name = "claude"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a conversation's `chat_messages`, or the mark of a captured one."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        if not start.startswith((b"[", b"{")):
            return False
        return bool(_MESSAGES.search(start) or (_CAPTURE.search(start) and b"raw_prov" in start))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the messages of every conversation's active branch, in its order.

        `position` counts messages over the file, `ordinal` inside the conversation.
        """
        position = 1
        for part in walk(stream, options, lists={()}, objects=(), take={(), (ITEM,)}):
            for record in _conversation(part, position, options):
                yield record
                position = max(position, record.position + 1)


def _conversation(
    part: Part, position: int, options: ReadOptions
) -> Iterator[RawMessage | BadRecord]:
    dialog: str | None = None
    try:
        if part.refused is not None:
            raise part.refused
        whole = strict_json.parse(part.raw, options, _MAX_BRACKETS)
        if not isinstance(whole, dict):
            raise Refused(Reason.not_object, "a conversation must be an object")
        whole = fields.inner(whole, "raw_provider_payload") or whole
        messages = whole.get("chat_messages")
        if not isinstance(messages, list):
            raise Refused(Reason.missing_field, "a conversation needs messages", "chat_messages")
        dialog = fields.words(whole, "uuid")
        if dialog is None:
            raise Refused(Reason.missing_field, "a conversation needs an id", "uuid")
        if whole.get("is_temporary") is True:
            raise Refused(
                Reason.do_not_remember,
                "its owner asked for it not to be remembered; it is not read and nothing of it kept",
            )
        account = fields.words(fields.inner(whole, "account"), "uuid") or options.account
        title = fields.words(whole, "name")
    except Refused as refused:
        forgotten = refused.reason is Reason.do_not_remember
        raw = f"conversation {dialog}".encode() if forgotten else part.raw
        yield refused.as_record(position, raw, options.max_record_bytes)
        return
    for ordinal, message in enumerate(_branch(messages, whole), start=1):
        try:
            if not isinstance(message, dict):
                raise Refused(Reason.not_object, "a message must be an object")
            role = _ROLES.get(str(message.get("sender")))
            if role is None:
                raise Refused(Reason.bad_field, "must be human or assistant", "sender")
            text = fields.text(_text(message), "text", options)
            beside = _attachments(message)
            sent_at = _sent_at(message, options)
            message_id = fields.words(message, "uuid")
        except Refused as refused:
            # a conversation of its own, so that it can be read again from quarantine
            alone = {key: whole[key] for key in ("uuid", "name", "account") if key in whole}
            raw = json.dumps(alone | {"chat_messages": [message]}, ensure_ascii=False).encode()
            yield refused.within("chat_messages").as_record(position, raw, options.max_record_bytes)
        else:
            if not text.strip() and not beside:
                continue
            owner = account if role is Role.user else None
            yield RawMessage(
                namespace=NAMESPACE,
                dialog=dialog,
                dialog_title=title,
                message_id=message_id,
                speaker=str(message["sender"]),
                speaker_id=owner or f"{dialog}#{role.value}",
                role=role,
                sent_at=sent_at,
                sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
                ordinal=ordinal,
                text=text,
                attachments=beside,
                position=position,
            )
        position += 1


def _sent_at(message: dict[str, Any], options: ReadOptions) -> datetime | None:
    # the service writes UTC; some tools that pass its answers on cut the offset off
    stated = message.get("created_at")
    stated = stated.rstrip("+") if isinstance(stated, str) else stated
    return fields.moment({"created_at": stated}, "created_at", "UTC", options)


def _branch(messages: list[Any], whole: dict[str, Any]) -> list[Any]:
    by_id = {
        message["uuid"]: message
        for message in messages
        if isinstance(message, dict) and isinstance(message.get("uuid"), str)
    }
    named = [m for m in by_id.values() if isinstance(m.get("parent_message_uuid"), str)]
    if len(by_id) < len(messages) or len(named) < len(messages):
        return messages
    leaf = whole.get("current_leaf_message_uuid")
    if not isinstance(leaf, str) or leaf not in by_id:
        leaf = messages[-1]["uuid"] if messages else ""
    branch = active_branch({key: m["parent_message_uuid"] for key, m in by_id.items()}, leaf)
    return [by_id[key] for key in branch]


def _text(message: dict[str, Any]) -> str:
    blocks = [
        block["text"]
        for block in fields.objects(message, "content")
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    if any(block.strip() for block in blocks):
        return "\n".join(blocks)
    said = message.get("text")
    if said is not None and not isinstance(said, str):
        raise Refused(Reason.bad_field, "must be a string", "text")
    return said or ""


def _attachments(message: dict[str, Any]) -> tuple[Attachment, ...]:
    listed = [*fields.objects(message, "attachments"), *fields.objects(message, "files")]
    return tuple(
        Attachment(
            kind="file",
            name=fields.words(item, "file_name"),
            media_type=fields.words(item, "file_type"),
        )
        for item in listed
    )
