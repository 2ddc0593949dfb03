"""Moments as people give and read them: dates and times in a tenant's zone."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo


def moment(text: str, tz: str) -> datetime:
    """The aware moment that `text` (ISO 8601) names; a date alone is its local midnight, a time
    without an offset is local. Raises `ValueError` with the remedy."""
    zone = ZoneInfo(tz)
    try:
        if len(text) <= 10:
            return datetime.combine(date.fromisoformat(text), time(), zone)
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{text!r} is no moment; write 2025-10-17 or 2025-10-17T12:00:00+03:00"
        ) from None
    return found if found.tzinfo else found.replace(tzinfo=zone)


def worded(at: datetime) -> str:
    """A moment for people, in the zone that it carries: a local midnight is its date alone, any
    other moment has its time and offset, as its date alone may be another day where it was told."""
    return f"{at:%Y-%m-%d}" if at.time() == time() else at.isoformat(" ", "minutes")


def worded_period(start: datetime | None, end: datetime | None) -> str:
    """A half-open period for people; no bound is an ellipsis."""
    return f"[{worded(start) if start else '…'}, {worded(end) if end else '…'})"
