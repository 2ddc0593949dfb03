"""JSON Lines: a chat message a line, or a dialog a line in the OpenAI chat shape, also mixed.

**A message a line**: `dialog_id`, `speaker`, `text`; and `role`, `sent_at`, `message_id`, `turn`,
`tz`, `audience`, `tags`, `edited_at`, `attachments`, `speaker_id`, `dialog_title`, `quoted`.
Without `role` the speaker is taken for a person (`user`), unless the label is itself a role's word.
Without `sent_at` the message is read as one without a time.

**A dialog a line**: `messages`, and for all of them `dialog_id` (or `id`), `tz`, `audience`, `tags`,
`dialog_title` (or `title`). A message has `role` and `content`, and may have every field of the
first shape. Its speaker is `speaker` or `name`. Where neither is given the role's word serves as
label and `speaker_id` ties it to this dialog: two people who are both called "user" stay two.
A dialog without an id is named after a hash of its messages, never after its place, so that it
is the same dialog in any file; equal ones count once, and one that grew is another: give it an id.
All messages of such a line share its number as `position`; `ordinal` tells them apart.

Fields of other names are not read; the archived file keeps them. Lines end in LF or CRLF, empty
ones are passed over, a byte order mark at the start too.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.chat_shape import content

_KNOWN_KEY = re.compile(rb'"(dialog_id|speaker|text|sent_at|messages)"\s*:')
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_SKIP_BYTES = 64 * 1024

_ROLES = {role.value: role for role in Role} | {"developer": Role.system, "function": Role.tool}


class JsonLinesReader:
    """Reads JSON Lines of messages and of dialogs, line by line, in flat memory."""

    name = "jsonl"
    version = 1
    has_edits = True

    def recognises(self, head: bytes, file_name: str) -> bool:
        """Look for a line that opens an object with a known key; a JSON document is not lines."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        named = file_name.lower().endswith(_LINE_SUFFIXES)
        if not start:
            return named
        if start.startswith(b"[") or start.split(b"\n", 1)[0].strip() == b"{":
            return False
        lines = [line for line in start.split(b"\n") if line.lstrip().startswith(b"{")]
        return any(_KNOWN_KEY.search(line) for line in lines) or (named and bool(lines))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the messages of every line and one `BadRecord` for each line with a defect.

        In a dialog's line the sound messages are read and the first defect is named with the
        number of messages refused.
        """
        position = 0
        while line := stream.readline(options.max_line_bytes + 1):
            position += 1
            if len(line) > options.max_line_bytes and not line.endswith(b"\n"):
                yield _too_long(line, stream, position, options)
                continue
            if position == 1:
                line = line.removeprefix(strict_json.BOM)
            if line.isspace() or not line:
                continue
            try:
                record = strict_json.parse(line, options)
                if not isinstance(record, dict):
                    raise Refused(Reason.not_object, "a line must hold one JSON object")
                if "messages" not in record:
                    yield _message(record, position, options)
                    continue
            except Refused as refused:
                yield refused.as_record(position, line.rstrip(b"\r\n"), options.max_record_bytes)
                continue
            yield from _dialog(record, line, position, options)


def _too_long(line: bytes, stream: BinaryIO, position: int, options: ReadOptions) -> BadRecord:
    size = len(line)
    kept = line[: options.max_record_bytes]
    while rest := stream.readline(_SKIP_BYTES):
        size += len(rest)
        if rest.endswith(b"\n"):
            break
    return BadRecord(
        position=position,
        reason=Reason.too_large.value,
        problem=f"line of {size} bytes, {options.max_line_bytes} are allowed; split it or raise "
        f"the limit (the first {len(kept)} bytes are kept here)",
        raw=kept,
    )


def _message(record: fields.Record, position: int, options: ReadOptions) -> RawMessage:
    dialog = fields.label(record, "dialog_id")
    speaker = fields.label(record, "speaker")
    if dialog is None:
        raise Refused(Reason.missing_field, "name the dialog of the message", "dialog_id")
    if speaker is None:
        raise Refused(Reason.missing_field, "say who spoke", "speaker")
    if record.get("text") is None:
        raise Refused(Reason.missing_field, 'state the text, "" where there is none', "text")
    role = _role(record) or _ROLES.get(speaker.strip().lower(), Role.user)
    tz = fields.zone_name(record)
    sent_at = fields.moment(record, "sent_at", tz or options.tz, options)
    edited_at = fields.moment(record, "edited_at", tz or options.tz, options)
    if edited_at is not None and sent_at is not None and edited_at < sent_at:
        raise Refused(Reason.bad_field, "must not lie before sent_at", "edited_at")
    return RawMessage(
        namespace=options.namespace,
        dialog=dialog,
        dialog_title=fields.label(record, "dialog_title"),
        message_id=fields.label(record, "message_id"),
        speaker=speaker,
        speaker_id=fields.label(record, "speaker_id"),
        role=role,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
        tz=tz,
        edited_at=edited_at,
        ordinal=fields.ordinal(record, "turn"),
        text=fields.text(record["text"], "text", options),
        attachments=fields.attachments(record),
        audience=fields.labels(record, "audience"),
        tags=fields.labels(record, "tags"),
        quoted=fields.flag(record, "quoted"),
        position=position,
    )


def _role(record: fields.Record) -> Role | None:
    value = record.get("role")
    if value is None:
        return None
    role = _ROLES.get(value.strip().lower()) if isinstance(value, str) else None
    if role is None:
        raise Refused(Reason.bad_field, "must be user, assistant, system or tool", "role")
    return role


def _dialog(
    record: fields.Record, line: bytes, position: int, options: ReadOptions
) -> Iterator[RawMessage | BadRecord]:
    raw = line.rstrip(b"\r\n")
    try:
        messages = record["messages"]
        if not isinstance(messages, list):
            raise Refused(Reason.bad_field, "must be a list of messages", "messages")
        shared = _shared(record, messages)
    except Refused as refused:
        yield refused.as_record(position, raw, options.max_record_bytes)
        return
    first: Refused | None = None
    n_refused = 0
    for number, entry in enumerate(messages, start=1):
        try:
            if not isinstance(entry, dict):
                raise Refused(Reason.not_object, "a message must be an object")
            yield _entry(entry, shared, number, position, options)
        except Refused as refused:
            n_refused += 1
            first = first or refused.within(f"messages[{number - 1}]")
    if first is not None:
        first.problem += f"; {n_refused} of {len(messages)} messages of this line are refused"
        yield first.as_record(position, raw, options.max_record_bytes)


def _shared(record: fields.Record, messages: list[Any]) -> dict[str, Any]:
    """Return what a dialog's line states for all of its messages, checked once."""
    dialog = fields.label(record, "dialog_id") or fields.label(record, "id")
    title = fields.label(record, "dialog_title") or fields.label(record, "title")
    return {
        "dialog_id": dialog or _name_by_content(messages),
        "dialog_title": title,
        "tz": fields.zone_name(record),
        "audience": list(fields.labels(record, "audience")),
        "tags": list(fields.labels(record, "tags")),
    }


def _name_by_content(messages: list[Any]) -> str:
    # NFC and LF, as texts are stored: a log that was only encoded anew keeps its dialogs
    whole = json.dumps(messages, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    settled = unicodedata.normalize("NFC", whole.replace("\\r\\n", "\\n").replace("\\r", "\\n"))
    return f"sha256:{hashlib.sha256(settled.encode()).hexdigest()[:32]}"


def _entry(
    entry: fields.Record, shared: dict[str, Any], number: int, position: int, options: ReadOptions
) -> RawMessage:
    dialog = shared["dialog_id"]
    role = _role(entry)
    if role is None:
        raise Refused(Reason.missing_field, "must be user, assistant, system or tool", "role")
    flat = {key: value for key, value in entry.items() if value is not None}
    flat["dialog_id"] = dialog
    flat.setdefault("dialog_title", shared["dialog_title"])
    flat.setdefault("tz", shared["tz"])
    flat.setdefault("turn", number)
    flat.setdefault("message_id", entry.get("id"))
    # a message may narrow the dialog's audience by naming its own, tags add up
    flat.setdefault("audience", shared["audience"])
    flat["tags"] = [*shared["tags"], *fields.labels(entry, "tags")]
    flat.setdefault("speaker", entry.get("name"))
    if flat["speaker"] is None:
        flat["speaker"] = role.value
        flat.setdefault("speaker_id", f"{dialog}#{role.value}")
    beside = fields.attachments(entry)
    if "text" not in flat:
        flat["text"], parts = content(entry, options)
        beside += parts
    flat["attachments"] = None
    return _message(flat, position, options).model_copy(update={"attachments": beside})
