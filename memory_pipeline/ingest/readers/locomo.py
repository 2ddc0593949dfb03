"""LoCoMo: very long conversations of two people in dated sessions (Maharana et al., ACL 2024).

A file is a list of samples, one sample, or one bare `conversation`. A sample is one dialog, so that
a context can be packed over all of its sessions; a turn is one message, its time is its session's
(all turns of a session are equally timed, `ordinal` orders them), its picture an attachment:
`blip_caption` as caption, `query` (the search it was found by) as name, `img_url` as link.
Equal speaker names mean one person inside a sample only. Questions, summaries and observations
beside the conversation are not messages and are not read.

The format is one JSON document, so it is held in memory, up to `max_document_bytes`.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, BinaryIO

from memory_pipeline.contracts.message import Attachment, BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import SentAtSource
from memory_pipeline.ingest.readers import fields, strict_json
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused

_SESSION = re.compile(r"session_(\d{1,6})")
_SESSION_KEY = re.compile(rb'"session_\d+(_date_time)?"\s*:')
_QUESTIONS = (b'"qa"', b'"question"', b'"evidence"')

_DATE_TIME = re.compile(
    r"\s*(\d{1,2}):(\d{2})\s*([ap])\.?m\.?\s+on\s+(\d{1,2})\s+([a-z]+),?\s+(\d{4})\s*",
    re.IGNORECASE,
)
_MONTHS = {
    "january": 1,
    "february": 2,
    "march": 3,
    "april": 4,
    "may": 5,
    "june": 6,
    "july": 7,
    "august": 8,
    "september": 9,
    "october": 10,
    "november": 11,
    "december": 12,
}

_MAX_BRACKETS = 5_000_000


class LocomoReader:
    """Reads LoCoMo's JSON, the released file or single samples of it."""

    name = "locomo"
    version = 1
    has_edits = False

    def recognises(self, head: bytes, file_name: str) -> bool:  # noqa: ARG002 - content decides
        """Look for a session's key, or the questions that the released file puts before it."""
        start = head.removeprefix(strict_json.BOM).lstrip()
        if not start.startswith((b"{", b"[")):
            return False
        return bool(_SESSION_KEY.search(start)) or all(key in start for key in _QUESTIONS)

    def read(self, stream: BinaryIO, options: ReadOptions) -> Iterator[RawMessage | BadRecord]:
        """Yield every turn of every sample, sessions in the order of their numbers.

        `position` counts turns over the file, `ordinal` inside the sample, both with refused ones.
        """
        raw = stream.read(options.max_document_bytes + 1)
        try:
            if len(raw) > options.max_document_bytes:
                raise Refused(
                    Reason.too_large,
                    f"over {options.max_document_bytes} bytes; split it by samples",
                )
            document = strict_json.parse(raw, options, _MAX_BRACKETS)
        except Refused as refused:
            yield refused.as_record(1, raw, options.max_record_bytes)
            return
        samples = document if isinstance(document, list) else [document]
        position = 1
        for number, sample in enumerate(samples):
            for record in _sample(sample, position, options, f"[{number}]"):
                yield record
                position = max(position, record.position + 1)


def _sample(
    sample: Any, position: int, options: ReadOptions, place: str
) -> Iterator[RawMessage | BadRecord]:
    try:
        if not isinstance(sample, dict):
            raise Refused(Reason.not_object, "a sample must be an object", place)
        conversation = sample.get("conversation", sample)
        if not isinstance(conversation, dict):
            raise Refused(Reason.bad_field, "must be an object", f"{place}.conversation")
        dialog = fields.label(sample, "sample_id") or _name_by_content(conversation)
    except Refused as refused:
        yield refused.as_record(position, _dump(sample), options.max_record_bytes)
        return
    numbers = sorted({int(found[1]) for key in conversation if (found := _SESSION.fullmatch(key))})
    ordinal = 0
    for session in numbers:
        name = f"session_{session}"
        turns = conversation[name]
        date_name = f"{name}_date_time"
        sent_at: datetime | None = None
        try:
            sent_at = _date_time(conversation.get(date_name), date_name, options)
            if not isinstance(turns, list):
                raise Refused(Reason.bad_field, "must be a list of turns", name)
        except Refused as refused:
            defect = conversation.get(date_name) if isinstance(turns, list) else turns
            yield refused.within(place).as_record(position, _dump(defect), options.max_record_bytes)
        for index, turn in enumerate(turns if isinstance(turns, list) else []):
            ordinal += 1
            try:
                yield _turn(turn, dialog, sent_at, ordinal, position, options)
            except Refused as refused:
                yield refused.within(f"{place}.{name}[{index}]").as_record(
                    position, _dump(turn), options.max_record_bytes
                )
            position += 1


def _turn(
    turn: Any,
    dialog: str,
    sent_at: datetime | None,
    ordinal: int,
    position: int,
    options: ReadOptions,
) -> RawMessage:
    if not isinstance(turn, dict):
        raise Refused(Reason.not_object, "a turn must be an object")
    speaker = fields.label(turn, "speaker")
    if speaker is None:
        raise Refused(Reason.missing_field, "say who spoke", "speaker")
    if sent_at is not None and sent_at > options.latest:
        raise Refused(Reason.future_time, "its session lies in the future; correct the date")
    pictures = _pictures(turn)
    if turn.get("text") is None and not pictures:
        raise Refused(Reason.missing_field, "a turn needs a text or a picture", "text")
    return RawMessage(
        namespace=dialog,
        dialog=dialog,
        message_id=fields.label(turn, "dia_id"),
        speaker=speaker,
        sent_at=sent_at,
        sent_at_source=SentAtSource.none if sent_at is None else SentAtSource.dialog,
        ordinal=ordinal,
        text="" if turn.get("text") is None else fields.text(turn["text"], "text", options),
        attachments=pictures,
        position=position,
    )


def _pictures(turn: dict[str, Any]) -> tuple[Attachment, ...]:
    links = turn.get("img_url") or []
    links = [links] if isinstance(links, str) else links
    said = (turn.get("blip_caption"), turn.get("query"))
    if not isinstance(links, list) or not all(isinstance(link, str) for link in links):
        raise Refused(Reason.bad_field, "must be a list of links", "img_url")
    if not all(isinstance(item, str | None) for item in said):
        raise Refused(Reason.bad_field, "must be a string", "blip_caption")
    caption, query = said
    if not links and not caption and not query:
        return ()
    first, *others = links or [None]
    return (
        Attachment(kind="image", name=query or None, caption=caption or None, url=first),
        *(Attachment(kind="image", url=link) for link in others),
    )


def _date_time(value: Any, name: str, options: ReadOptions) -> datetime | None:
    """Return a session's moment ("1:56 pm on 8 May, 2023") on the clocks of the options' zone."""
    if value is None:
        return None
    found = _DATE_TIME.fullmatch(value) if isinstance(value, str) else None
    try:
        if found is None:
            raise ValueError
        hour, minute, half, day, month, year = found.groups()
        if not 1 <= int(hour) <= 12:
            raise ValueError
        naive = datetime(  # noqa: DTZ001 - the zone follows
            int(year),
            _MONTHS[month.lower()],
            int(day),
            int(hour) % 12 + (12 if half.lower() == "p" else 0),
            int(minute),
        )
    except (ValueError, KeyError):
        raise Refused(
            Reason.bad_field,
            'must look like "1:56 pm on 8 May, 2023"; the turns are read without a time',
            name,
        ) from None
    return fields.on_clock(naive, options.tz)


def _name_by_content(conversation: dict[str, Any]) -> str:
    return f"sha256:{hashlib.sha256(_dump(conversation)).hexdigest()[:32]}"


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True).encode()
