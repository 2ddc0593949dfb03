"""Signal chats as text: `[2019-12-24, 12:23] Jane Doe: Hello`, lines below belong to it.

Times are on the clocks of the options' zone. A quoted message above an answer (lines with `>`) is
an attachment of kind `quote`, links to media are attachments, reactions are passed over.
The format knows no ids: a chat is known by its beginning, a person by the label.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import SentAtSource
from memory_pipeline.ingest.readers import fields
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.stamped_text import (
    Stamped,
    begins_with,
    name_by_beginning,
    split_speaker,
    stamped,
)

_STAMP = re.compile(r"\[(\d{4})-(\d{2})-(\d{2}),? (\d{2}):(\d{2})\] ")
_REACTIONS = re.compile(r"\s*\(- [^\n]{1,500} -\)\s*$")
_MEDIA = re.compile(r"!?\[(?P<name>[^\]\n]{0,300})\]\((?P<path>(?:\./)?media/[^)\n]{1,500})\)")


_MAX_END = 600


class SignalReader:
    """Reads a Signal chat, message by message."""

    name = "signal"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for the stamp at the beginning of a first line."""
        return begins_with(_STAMP, head)

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield the chat's messages; `position` is the line that one begins at."""
        dialog = name_by_beginning(stamped(stream, options, _STAMP))
        stream.seek(0)
        for row in stamped(stream, options, _STAMP):
            try:
                message = _message(row, dialog, options)
            except Refused as refused:
                yield refused.as_record(row.position, row.kept(), options.max_record_bytes)
            else:
                if message is not None:
                    yield message


def _message(row: Stamped, dialog: str, options: ReadOptions) -> RawMessage | None:
    if row.refused is not None:
        raise row.refused
    said = split_speaker(row.text)
    if said is None or row.stamp is None:
        return None
    speaker, text = said
    year, month, day, hour, minute = (int(part) for part in row.stamp.groups())
    try:
        naive = datetime(year, month, day, hour, minute)  # noqa: DTZ001 - the zone follows
    except ValueError:
        raise Refused(Reason.bad_field, "is no date and time; correct it", "sent_at") from None
    sent_at = fields.moment({"sent_at": naive.isoformat()}, "sent_at", options.tz, options)
    text, quote = _without_quote(_without_reactions(text))
    beside = [
        Attachment(kind="file", name=found["name"] or None, url=found["path"])
        for found in _MEDIA.finditer(text)
    ]
    text = _MEDIA.sub("", text).strip()
    if quote:
        beside.append(Attachment(kind="quote", caption=quote))
    if not text and not beside:
        return None
    return RawMessage(
        namespace=f"signal:{options.namespace}",
        dialog=dialog,
        speaker=speaker,
        sent_at=sent_at,
        sent_at_source=SentAtSource.stated,
        text=fields.text(text, "text", options),
        attachments=tuple(beside),
        position=row.position,
    )


def _without_reactions(text: str) -> str:
    # they stand at the end; a search of all of it could take long
    found = _REACTIONS.search(text, max(0, len(text) - _MAX_END))
    return text[: found.start()] if found else text


def _without_quote(text: str) -> tuple[str, str | None]:
    lines = text.lstrip().split("\n")
    n_quoted = 0
    while n_quoted < len(lines) and lines[n_quoted].startswith(">"):
        n_quoted += 1
    # a message that is nothing but such lines is somebody's own
    if n_quoted in (0, len(lines)):
        return text, None
    quote = "\n".join(line[1:].strip() for line in lines[:n_quoted]).strip()
    return "\n".join(lines[n_quoted:]), quote or None
