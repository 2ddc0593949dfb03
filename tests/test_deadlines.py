"""By when a request is due: working days of Russia, calendar days, months."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.contracts.erasure import Ground
from memory_pipeline.governance.erasure.deadlines import (
    add_months,
    add_working_days,
    due_at,
    is_working_day,
)

MOSCOW = "Europe/Moscow"
# working days by month of the official production calendars (five-day week)
CALENDARS = {
    2025: [17, 20, 21, 22, 18, 19, 23, 21, 22, 23, 19, 22],
    2026: [15, 19, 21, 22, 19, 21, 23, 21, 22, 22, 20, 22],
}


def days_of(year: int) -> list[date]:
    first = date(year, 1, 1)
    return [first + timedelta(days=n) for n in range((date(year + 1, 1, 1) - first).days)]


@pytest.mark.parametrize("year", CALENDARS)
def test_a_year_has_the_working_days_of_the_production_calendar(year: int) -> None:
    counted = Counter(day.month for day in days_of(year) if is_working_day(day))
    assert [counted[month] for month in range(1, 13)] == CALENDARS[year]


@pytest.mark.parametrize(
    ("day", "works"),
    [
        ("2025-01-09", True), ("2025-05-02", False), ("2025-05-08", False), ("2025-06-13", False),
        ("2025-11-01", True), ("2025-11-03", False), ("2025-12-31", False),
        ("2026-01-08", False), ("2026-01-09", False), ("2026-01-12", True), ("2026-03-09", False),
        ("2026-05-11", False), ("2026-05-12", True), ("2026-12-31", False),
    ],
)  # fmt: skip
def test_days_that_were_moved_are_off_and_on(day: str, works: bool) -> None:
    assert is_working_day(date.fromisoformat(day)) is works


@pytest.mark.parametrize(
    ("day", "works"),
    [
        # 2027: 1 May is a Saturday, 9 May a Sunday, 12 June a Saturday; January's do not move
        ("2027-05-03", False), ("2027-05-04", True), ("2027-05-10", False), ("2027-06-14", False),
        ("2027-01-11", True), ("2027-02-23", False), ("2027-02-24", True), ("2027-12-31", True),
        # 2028: 12 June is a Monday, 4 November a Saturday
        ("2028-06-12", False), ("2028-06-13", True), ("2028-11-06", False), ("2028-11-07", True),
    ],
)  # fmt: skip
def test_a_year_that_is_not_known_follows_the_labour_code(day: str, works: bool) -> None:
    assert is_working_day(date.fromisoformat(day)) is works


def received(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("ground", "at", "due"),
    [
        # over New Year: 10 working days after 26 December 2025 (29 and 30 December, then from 12 January)
        ("unlawful", "2025-12-26T12:00+03:00", "2026-01-22T00:00+03:00"),
        ("not_necessary", "2025-12-30T23:59+03:00", "2026-01-21T00:00+03:00"),
        # over May: 2, 8 and 9 May 2025 are off; 1, 11 May 2026 are
        ("not_necessary", "2025-04-28T12:00+03:00", "2025-05-14T00:00+03:00"),
        ("stop_processing", "2026-04-29T12:00+03:00", "2026-05-16T00:00+03:00"),
        ("consent_withdrawn", "2025-12-31T12:00+03:00", "2026-01-31T00:00+03:00"),
        ("purpose_reached", "2026-02-01T12:00+03:00", "2026-03-04T00:00+03:00"),
        ("gdpr_consent", "2026-01-31T12:00+03:00", "2026-03-01T00:00+03:00"),
        ("gdpr_objection", "2024-01-30T12:00+03:00", "2024-03-01T00:00+03:00"),
        ("gdpr_unlawful", "2025-12-15T12:00+03:00", "2026-01-16T00:00+03:00"),
    ],
)  # fmt: skip
def test_a_request_is_due_at_the_end_of_the_last_day(ground: str, at: str, due: str) -> None:
    assert due_at(Ground(ground), received(at), MOSCOW) == received(due)


def test_the_day_of_receipt_is_that_of_the_zone_and_does_not_count() -> None:
    at = datetime(2026, 6, 1, 22, tzinfo=UTC)
    assert due_at(Ground.consent_withdrawn, at, "UTC") == datetime(2026, 7, 2, tzinfo=UTC)
    assert due_at(Ground.consent_withdrawn, at, MOSCOW) == received("2026-07-03T00:00+03:00")


@pytest.mark.parametrize("ground", [Ground.retention, Ground.operator])
def test_an_own_wish_has_no_term(ground: Ground) -> None:
    assert due_at(ground, datetime.now(UTC), MOSCOW) is None


def test_every_ground_of_a_law_has_a_term() -> None:
    without = {g for g in Ground if due_at(g, datetime.now(UTC), MOSCOW) is None}
    assert without == {Ground.retention, Ground.operator}


@given(
    st.dates(date(2020, 1, 1), date(2035, 12, 31)), st.integers(1, 40)
)  # fmt: skip
def test_between_start_and_end_lie_exactly_that_many_working_days(start: date, n: int) -> None:
    end = add_working_days(start, n)
    between = [start + timedelta(days=k) for k in range(1, (end - start).days + 1)]
    assert is_working_day(end)
    assert sum(map(is_working_day, between)) == n


@given(st.dates(date(2020, 1, 1), date(2035, 12, 31)), st.integers(0, 24))
def test_months_end_on_the_same_day_or_the_months_last(start: date, n: int) -> None:
    end = add_months(start, n)
    assert (end.year - start.year) * 12 + end.month - start.month == n
    assert end.day == start.day or (end + timedelta(days=1)).day == 1
