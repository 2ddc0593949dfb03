"""ChatGPT's data export: `conversations.json`, or one conversation of it.

A conversation is a tree: an edited question and an answer tried again are branches. **Only the
active branch is read**, from `current_node` up to the root; the archived file keeps the others.
Without `current_node` the newest leaf ends the branch.

Read is what a person sees: messages of the user and of the assistant, and pictures that a tool
made. Passed over: system messages, `user_editable_context` (the profile and the instructions that
the account adds to every conversation), thoughts, calls of tools and what tools answer, messages
marked as visually hidden. A conversation with `is_do_not_remember`, or a temporary one, is refused
as `do_not_remember`; quarantine keeps its id and nothing else of it.

A message's time is its `create_time`. Where it is null the message has no time of its own; where no
message of a conversation has one, all get the conversation's (`sent_at_source` dialog).
Speakers: the role's word, with the account as id, where the export states it (`user_id`, or
`user.json` beside it); else the id ties a user to the conversation, so that two accounts stay two.
Ids of conversations are unique over accounts, so the namespace is one: an export with the
account's id and one without it hold the same dialogs.
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

NAMESPACE = "chatgpt"

_MAPPING = re.compile(rb'"mapping"\s*:\s*\{')
_CAPTURE = re.compile(rb'"provider"\s*:\s*"chatgpt"')

_MAX_BRACKETS = 2_000_000

_UNSEEN = {
    "user_editable_context",
    "model_editable_context",
    "thoughts",
    "reasoning_recap",
    "execution_output",
    "tether_browsing_display",
    "tether_quote",
    "system_error",
    "computer_output",
    "sonic_webpage",
    "super_widget",
}
_ROLES = {"user": Role.user, "assistant": Role.assistant, "tool": Role.tool}

# links to sources are drawn as buttons; in the text they are marks in the private use area
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")

_PICTURES = {"image_asset_pointer": "image", "audio_asset_pointer": "audio"}


class ChatGptReader:
    """Reads ChatGPT's conversations, one at a time."""

    name = "chatgpt"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a conversation's `mapping`, or the mark of a captured one."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        if not start.startswith((b"[", b"{")):
            return False
        return bool(_MAPPING.search(start) or (_CAPTURE.search(start) and b"raw_prov" in start))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the messages of every conversation's active branch, from its root.

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
        # a capture by a browser extension keeps the conversation as the service sent it
        whole = fields.inner(whole, "raw_provider_payload") or whole
        mapping = whole.get("mapping")
        if not isinstance(mapping, dict):
            raise Refused(Reason.missing_field, "a conversation needs its mapping", "mapping")
        dialog = fields.words(whole, "conversation_id") or fields.words(whole, "id")
        if dialog is None:
            raise Refused(Reason.missing_field, "a conversation needs an id", "id")
        if whole.get("is_do_not_remember") is True or whole.get("is_temporary_chat") is True:
            raise Refused(
                Reason.do_not_remember,
                "its owner asked for it not to be remembered; it is not read and nothing of it kept",
            )
        if not all(isinstance(node, dict) for node in mapping.values()):
            raise Refused(Reason.bad_field, "a node must be an object", "mapping")
        branch = _branch(mapping, whole.get("current_node"))
        account = fields.words(whole, "user_id") or options.account
        title = fields.words(whole, "title")
    except Refused as refused:
        forgotten = refused.reason is Reason.do_not_remember
        raw = f"conversation {dialog}".encode() if forgotten else part.raw
        yield refused.as_record(position, raw, options.max_record_bytes)
        return
    seen = [
        (key, message)
        for key, message, following in _with_next(branch, mapping)
        if _is_seen(message, following)
    ]
    shared_time = _shared_time(whole, [message for _, message in seen], options)
    for ordinal, (key, message) in enumerate(seen, start=1):
        try:
            found = _message(message, options)
            role = _ROLES[fields.inner(message, "author")["role"]]
            speaker = fields.words(fields.inner(message, "author"), "name") or role.value
            sent_at = fields.epoch(message, "create_time", options)
            source = SentAtSource.none if sent_at is None else SentAtSource.stated
            if sent_at is None and shared_time is not None:
                sent_at, source = shared_time, SentAtSource.dialog
            message_id = fields.words(message, "id") or key
        except Refused as refused:
            # a conversation of its own, so that it can be read again from quarantine
            alone = {key: whole[key] for key in ("title", "user_id") if key in whole}
            alone |= {"id": dialog, "current_node": key, "mapping": {key: {"message": message}}}
            raw = json.dumps(alone, ensure_ascii=False).encode()
            yield refused.within("message").as_record(position, raw, options.max_record_bytes)
        else:
            if not found[0].strip() and not found[1]:
                continue
            owner = account if role is Role.user else None
            yield RawMessage(
                namespace=NAMESPACE,
                dialog=dialog,
                dialog_title=title,
                message_id=message_id,
                speaker=speaker,
                speaker_id=owner or f"{dialog}#{role.value}",
                role=role,
                sent_at=sent_at,
                sent_at_source=source,
                ordinal=ordinal,
                text=found[0],
                attachments=found[1],
                position=position,
            )
        position += 1


def _branch(nodes: dict[str, dict[str, Any]], current: Any) -> list[str]:
    parents = {
        key: parent if isinstance(parent := node.get("parent"), str) else None
        for key, node in nodes.items()
    }
    if not isinstance(current, str) or current not in nodes:
        if not nodes:
            return []
        inner_nodes = set(parents.values())
        leaves = [key for key in nodes if key not in inner_nodes] or list(nodes)
        current = max(leaves, key=lambda key: _time_or_zero(fields.inner(nodes[key], "message")))
    return active_branch(parents, current)


def _time_or_zero(message: dict[str, Any]) -> float:
    value = message.get("create_time")
    return value if isinstance(value, int | float) else 0.0


def _with_next(
    branch: list[str], nodes: dict[str, dict[str, Any]]
) -> Iterator[tuple[str, dict[str, Any], str]]:
    messages = [
        (key, message) for key in branch if (message := fields.inner(nodes[key], "message"))
    ]
    roles = [str(fields.inner(message, "author").get("role")) for _, message in messages]
    for (key, message), following in zip(messages, [*roles[1:], ""], strict=False):
        yield key, message, following


def _is_seen(message: dict[str, Any], following: str) -> bool:
    """Tell whether the message is shown; `following` is the role of the next one, or ""."""
    role = str(fields.inner(message, "author").get("role"))
    content = fields.inner(message, "content")
    kind = str(content.get("content_type"))
    if role not in _ROLES or kind in _UNSEEN:
        return False
    if fields.inner(message, "metadata").get("is_visually_hidden_from_conversation") is True:
        return False
    if role == "tool":
        return any(
            str(part.get("content_type")) in _PICTURES for part in fields.objects(content, "parts")
        )
    if role == "assistant" and message.get("recipient", "all") != "all":
        # a call is addressed to a tool, and the tool answers; interrupted, it is bare code
        parts = content.get("parts")
        first = parts[0] if isinstance(parts, list) and parts else None
        is_code = kind == "code" or (isinstance(first, str) and first.lstrip().startswith("{"))
        return following != "tool" and not is_code
    return True


def _message(message: dict[str, Any], options: ReadOptions) -> tuple[str, tuple[Attachment, ...]]:
    content = fields.inner(message, "content")
    parts = content.get("parts")
    if parts is None:
        parts = [content.get("text") or ""]
    if not isinstance(parts, list):
        raise Refused(Reason.bad_field, "must be a list of parts", "content.parts")
    texts: list[str] = []
    beside: list[Attachment] = []
    for part in parts:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            if isinstance(part.get("text"), str):
                texts.append(part["text"])
            else:
                beside.append(_asset(part))
        elif part is not None:
            raise Refused(Reason.bad_field, "a part must be a string or an object", "content.parts")
    beside.extend(
        Attachment(
            kind="file",
            name=fields.words(item, "name"),
            media_type=fields.words(item, "mime_type"),
        )
        for item in fields.objects(fields.inner(message, "metadata"), "attachments")
    )
    # what a tool says beside its picture is meant for the assistant
    is_tool = fields.inner(message, "author").get("role") == "tool"
    said = "" if is_tool else _CITATION.sub("", "\n".join(text for text in texts if text))
    return fields.text(said, "content", options), tuple(beside)


def _asset(part: dict[str, Any]) -> Attachment:
    kind = _PICTURES.get(str(part.get("content_type")), "unknown")
    if "audio" in str(part.get("content_type")):
        kind = "audio"
    return Attachment(kind=kind, name=fields.words(part, "asset_pointer"))


def _shared_time(
    whole: dict[str, Any], messages: list[dict[str, Any]], options: ReadOptions
) -> datetime | None:
    if any(message.get("create_time") is not None for message in messages):
        return None
    try:
        return fields.epoch(whole, "create_time", options)
    except Refused:
        return None
