"""Typed fields of a parsed record: each is as the format says, absent, or refused by name."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from memory_pipeline.contracts.message import Attachment
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused, zone

Record = Mapping[str, Any]

MAX_LABEL = 1_000
"""Longest id, label or zone, in characters."""

MAX_ORDINAL = 2**31 - 1

_PLAIN_NUMBER = re.compile(r"\d{1,16}(\.\d{1,9})?")

_EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)

# 1973 to 5138 in either unit: the two ranges do not meet, so a number says which it is
_EPOCH_SECONDS = (1e8, 1e11)
_EPOCH_MILLIS = (1e11, 1e14)


def label(record: Record, name: str) -> str | None:
    """Return an id or a name: a string, or a whole number as its digits. None where absent."""
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        raise Refused(Reason.bad_field, "must be a string or a whole number", name)
    if not value.strip():
        raise Refused(Reason.bad_field, "must not be empty; leave it out where unknown", name)
    if len(value) > MAX_LABEL:
        raise Refused(Reason.bad_field, f"must have at most {MAX_LABEL} characters", name)
    return value


def words(record: Record, name: str) -> str | None:
    """Return a text that an export may leave empty or null; None where there is nothing in it."""
    value = record.get(name)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    return label(record, name)


def inner(record: Record, name: str) -> dict[str, Any]:
    """Return an object below `record`, empty where there is none."""
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def objects(record: Record, name: str) -> list[dict[str, Any]]:
    """Return the objects of a list below `record`, empty where there is none."""
    value = record.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(value: Any, name: str, options: ReadOptions) -> str:
    """Return a message's text as it stands, bounded in size."""
    if not isinstance(value, str):
        raise Refused(Reason.bad_field, "must be a string", name)
    limit = options.max_record_bytes
    # no character takes more than four bytes, so most texts need no encoding to be measured
    if len(value) * 4 > limit and (size := len(value.encode())) > limit:
        raise Refused(
            Reason.too_large,
            f"text of {size} bytes, {limit} are allowed; split the message or raise the limit",
            name,
        )
    return value


def labels(record: Record, name: str) -> tuple[str, ...]:
    """Return a list of names (one string counts as a list of one), each once, in its order."""
    value = record.get(name)
    if value is None:
        return ()
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(
        isinstance(item, str) and item.strip() and len(item) <= MAX_LABEL for item in items
    ):
        raise Refused(Reason.bad_field, "must be a list of strings that are not empty", name)
    return tuple(dict.fromkeys(items))


def ordinal(record: Record, name: str) -> int | None:
    """Return a turn's number, a whole number from 0, or None where absent."""
    value = record.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MAX_ORDINAL:
        raise Refused(Reason.bad_field, f"must be a whole number from 0 to {MAX_ORDINAL}", name)
    return value


def flag(record: Record, name: str) -> bool:
    """Return a boolean, false where absent."""
    value = record.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise Refused(Reason.bad_field, "must be true or false", name)
    return value


def zone_name(record: Record, name: str = "tz") -> str | None:
    """Return the IANA name of a zone, or None where absent."""
    value = label(record, name)
    if value is not None and zone(value) is None:
        raise Refused(Reason.bad_field, "must be an IANA zone such as Europe/Moscow", name)
    return value


def moment(record: Record, name: str, tz: str, options: ReadOptions) -> datetime | None:
    """Return a stated time with its offset, or None where absent.

    ISO 8601 with an offset, or without one and then on the clocks of `tz`: an hour that the clock
    shows twice is its first pass, one that it skips is counted as if it had not been moved yet, a
    date alone is its midnight. Or a number since 1970: seconds from 1e8, milliseconds from 1e11.
    Refuses what lies before 1970 or after `options.latest`.
    """
    value = record.get(name)
    if value is None:
        return None
    found = _from_number(value, name) if not isinstance(value, str) else _from_iso(value, name)
    if found.utcoffset() is None:
        found = on_clock(found, tz)
    if found < _EARLIEST:
        raise Refused(
            Reason.bad_field, "lies before 1970; state the real time or leave it out", name
        )
    if found > options.latest:
        raise Refused(
            Reason.future_time,
            "lies in the future; correct the time, or ingest the file again once it has passed",
            name,
        )
    return found


def epoch(record: Record, name: str, options: ReadOptions) -> datetime | None:
    """Return a time since 1970 that an export may write as a number or as a string of one."""
    value = record.get(name)
    if isinstance(value, str) and _PLAIN_NUMBER.fullmatch(value):
        record = {name: float(value)}
    return moment(record, name, options.tz, options)


def on_clock(naive: datetime, tz: str) -> datetime:
    """Return a wall-clock time of a known zone with its offset, the first of two where it repeats."""
    # a fixed offset, since Python holds zoned times in a repeated or skipped hour equal to nothing
    offset = naive.replace(tzinfo=zone(tz)).utcoffset()
    return naive.replace(tzinfo=timezone(offset or timedelta()))


def _from_iso(value: str, name: str) -> datetime:
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        raise Refused(
            Reason.bad_field, "must be ISO 8601, such as 2025-10-10T18:05:00+03:00", name
        ) from None


def _from_number(value: Any, name: str) -> datetime:
    if isinstance(value, int | float) and not isinstance(value, bool):
        for (low, high), unit in ((_EPOCH_SECONDS, 1), (_EPOCH_MILLIS, 1000)):
            if low <= value < high:
                return datetime.fromtimestamp(value / unit, UTC)
    raise Refused(
        Reason.bad_field,
        "must be ISO 8601, or seconds or milliseconds since 1970 as a plain number",
        name,
    )


def attachments(record: Record, name: str = "attachments") -> tuple[Attachment, ...]:
    """Return what lay beside the text: objects with kind, name, caption, url, media_type, or
    strings, each a link or a file's name. Further keys of an object are passed over.
    """
    value = record.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Refused(Reason.bad_field, "must be a list of objects", name)
    found: list[Attachment] = []
    for item in value:
        if isinstance(item, str) and item.strip():
            place = {"url": item} if "://" in item else {"name": item}
            found.append(Attachment(kind="file", **place))
            continue
        if not isinstance(item, dict) or not all(
            isinstance(item.get(key), str | None)
            for key in ("kind", "name", "caption", "url", "media_type")
        ):
            raise Refused(Reason.bad_field, "must be a list of objects with string values", name)
        found.append(
            Attachment(
                kind=item.get("kind") or "file",
                name=item.get("name"),
                caption=item.get("caption"),
                url=item.get("url"),
                media_type=item.get("media_type"),
            )
        )
    return tuple(found)
