"""Slack's export: `users.json` and lists of channels, and a folder of day files for each channel.

The whole export is one log: a day file alone says neither its channel nor who its ids are.
A channel is a dialog; an answer in a thread stands in it at its own time, with the `ts` of the
thread as an attachment of kind `reply`. `edited` makes a revision. Rows that tell of an event
(joined, renamed, pinned, deleted) are passed over. Mentions, channels and links in the text read
as they are shown. A speaker is known by the user's id, the label is the display name and the real name an alias; a bot is an
assistant. Messages of others that a message shows (`attachments`) are attachments of kind `quote`.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.json_walk import ITEM, walk

DAY_FILE = re.compile(r"(?:(?P<root>.*)/)?(?P<channel>[^/]+)/\d{4}-\d{2}-\d{2}\.json")
"""The path of a day file inside an export."""

LISTS = ("users.json", "channels.json", "groups.json", "dms.json", "mpims.json")
"""The files beside the channels' folders that say who and what the ids are."""

_ROW = re.compile(rb'"ts"\s*:\s*"\d{6,12}\.\d{1,6}"')
_TYPE = re.compile(rb'"type"\s*:\s*"message"')

_READ = {"", "thread_broadcast", "file_share", "bot_message", "me_message", "message_changed"}

_MARKUP = re.compile(r"<([^<>\n]{1,4000})>")


class SlackDayReader:
    """Recognises a day file that came without its export, and says what to do."""

    name = "slack"
    version = 1
    has_edits = True

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a list of messages with Slack's time stamps."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        return start.startswith(b"[") and bool(_ROW.search(start) and _TYPE.search(start))

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Refuse the file: its channel is not known."""
        refused = Refused(
            Reason.missing_field,
            "a day file does not say its channel; ingest the export's folder or its zip",
            "channel",
        )
        yield refused.as_record(
            1, stream.read(options.max_record_bytes + 1), options.max_record_bytes
        )


@dataclass
class _Workspace:
    team: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    real_names: dict[str, str] = field(default_factory=dict)
    bots: set[str] = field(default_factory=set)
    channels: dict[str, str] = field(default_factory=dict)
    channel_names: dict[str, str] = field(default_factory=dict)


def read_export(
    files: Iterable[tuple[str, BinaryIO]], options: ReadOptions
) -> Iterator[RawMessage | BadRecord]:
    """Yield the messages of an export's files, given as path and stream: `LISTS` come first.

    `position` counts rows over the whole export.
    """
    workspace = _Workspace()
    position = 0
    for path, stream in files:
        day = DAY_FILE.fullmatch(path)
        for part in walk(stream, options, lists={()}, objects=(), take={(), (ITEM,)}):
            position += 1
            try:
                if part.refused is not None:
                    raise part.refused
                row = strict_json.parse(part.raw, options)
                if not isinstance(row, dict):
                    raise Refused(Reason.not_object, "a row must be an object")
                if day is None:
                    _note(path.rsplit("/", 1)[-1], row, workspace)
                    continue
                message = _message(row, day["channel"], workspace, position, options)
            except Refused as refused:
                yield refused.as_record(position, part.raw, options.max_record_bytes)
            else:
                if message is not None:
                    yield message


def _note(name: str, row: dict[str, Any], workspace: _Workspace) -> None:
    key = fields.words(row, "id")
    if key is None:
        raise Refused(Reason.missing_field, "a user or channel needs an id", "id")
    if name == "users.json":
        workspace.team = workspace.team or fields.words(row, "team_id")
        profile = fields.inner(row, "profile")
        workspace.names[key] = _name(profile, row) or key
        real = fields.words(profile, "real_name") or fields.words(row, "real_name")
        if real is not None:
            workspace.real_names[key] = real
        if row.get("is_bot") is True or key == "USLACKBOT":
            workspace.bots.add(key)
        return
    # folders of direct messages are named by the id
    title = fields.words(row, "name") or key
    workspace.channels[title] = key
    workspace.channel_names[key] = title


def _name(profile: dict[str, Any], row: dict[str, Any]) -> str | None:
    return (
        fields.words(profile, "display_name")
        or fields.words(profile, "real_name")
        or fields.words(row, "real_name")
        or fields.words(row, "name")
        or fields.words(profile, "name")
    )


def _message(
    row: dict[str, Any], channel: str, workspace: _Workspace, position: int, options: ReadOptions
) -> RawMessage | None:
    if row.get("type", "message") != "message" or str(row.get("subtype") or "") not in _READ:
        return None
    if row.get("subtype") == "message_changed":
        row = fields.inner(row, "message")
    beside = tuple(_attachments(row, workspace))
    text = fields.text(_shown(row.get("text"), workspace), "text", options)
    if not text.strip() and not beside:
        return None
    speaker_id = fields.words(row, "user") or fields.words(row, "bot_id")
    profile = fields.inner(row, "user_profile")
    speaker = (
        workspace.names.get(speaker_id or "")
        or _name(profile, {})
        or fields.words(row, "username")
        or fields.words(fields.inner(row, "bot_profile"), "name")
        or speaker_id
    )
    if speaker is None:
        raise Refused(Reason.missing_field, "say who spoke", "user")
    real = workspace.real_names.get(speaker_id or "") or fields.words(profile, "real_name")
    is_bot = "bot_id" in row or row.get("subtype") == "bot_message" or speaker_id in workspace.bots
    sent_at = fields.epoch(row, "ts", options)
    edited_at = fields.epoch(fields.inner(row, "edited"), "ts", options)
    if edited_at is not None and (sent_at is None or edited_at < sent_at):
        edited_at = None
    thread = fields.words(row, "thread_ts")
    if thread is not None and thread != row.get("ts"):
        beside = (*beside, Attachment(kind="reply", name=thread))
    return RawMessage(
        namespace=f"slack:{workspace.team or ''}",
        dialog=workspace.channels.get(channel, channel),
        dialog_title=workspace.channel_names.get(channel, channel),
        message_id=fields.words(row, "ts"),
        speaker=speaker,
        speaker_id=speaker_id,
        speaker_alias=None if real == speaker else real,
        role=Role.assistant if is_bot else Role.user,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.stated,
        edited_at=edited_at,
        text=text,
        attachments=beside,
        position=position,
    )


def _attachments(row: dict[str, Any], workspace: _Workspace) -> Iterator[Attachment]:
    for item in fields.objects(row, "files"):
        link = item.get("url_private")
        yield Attachment(
            kind="file",
            name=fields.words(item, "name") or fields.words(item, "title"),
            url=link if isinstance(link, str) else None,
            media_type=fields.words(item, "mimetype"),
        )
    for item in fields.objects(row, "attachments"):
        said = item.get("text") or item.get("fallback")
        link = item.get("from_url") or item.get("title_link")
        quotes = "author_id" in item or item.get("is_msg_unfurl") is True
        yield Attachment(
            kind="quote" if quotes else "link",
            name=fields.words(item, "author_name") or fields.words(item, "title"),
            caption=_shown(said, workspace) or None if isinstance(said, str) else None,
            url=link if isinstance(link, str) else None,
        )


def _shown(value: Any, workspace: _Workspace) -> str:
    """Return a text with Slack's markup as people see it."""
    if value is not None and not isinstance(value, str):
        raise Refused(Reason.bad_field, "must be a string", "text")

    def piece(found: re.Match[str]) -> str:
        target, _, shown = found[1].partition("|")
        sign, rest = target[:1], target[1:]
        if sign == "@":
            return "@" + (workspace.names.get(rest) or shown or rest)
        if sign == "#":
            return "#" + (shown or workspace.channel_names.get(rest) or rest)
        if sign == "!":
            return shown or "@" + rest
        return shown or target.removeprefix("mailto:")

    return html.unescape(_MARKUP.sub(piece, value or ""))
