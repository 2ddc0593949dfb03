"""Moments as people give them: dates and times in a tenant's zone."""

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
