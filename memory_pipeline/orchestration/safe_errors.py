"""Errors of a step, told without content.

Dagster keeps an exception's message and its causes in its own database, where erasure does not
reach. PostgreSQL quotes rows in its DETAIL, pydantic the input, built-in exceptions the value. So
a step lets out a new error with what is known to be free of content: the class, the SQLSTATE and
the constraint, the place in the code, and the words of this project's own exceptions.
"""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import psycopg
from pydantic import ValidationError

PACKAGE = Path(__file__).parents[1]
TRANSIENT = (psycopg.OperationalError, ConnectionError, TimeoutError)

RETRIES = dg.RetryPolicy(max_retries=2, delay=5, backoff=dg.Backoff.EXPONENTIAL)


def safe_error(error: BaseException) -> str:
    """What went wrong, without a value that came out of a log."""
    words = [type(error).__name__]
    if isinstance(error, psycopg.Error):
        diag = error.diag
        words += [
            f"{label} {value}"
            for label, value in (
                ("sqlstate", error.sqlstate),
                ("constraint", diag.constraint_name),
                ("table", diag.table_name),
                ("column", diag.column_name),
            )
            if value
        ]
    elif isinstance(error, ValidationError):
        kinds = sorted({problem["type"] for problem in error.errors(include_input=False)})
        words.append(f"{error.error_count()} problems with {error.title}: {', '.join(kinds)}")
    elif type(error).__module__.startswith("memory_pipeline."):
        words.append(str(error))
    place = _place(error)
    return ", ".join(words) + (f" (at {place})" if place else "")


def _place(error: BaseException) -> str | None:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if PACKAGE in path.parents and path != Path(__file__):
            return f"{path.relative_to(PACKAGE.parent)}:{frame.lineno}"
    return None


@contextmanager
def without_content() -> Iterator[None]:
    """Let no exception out but `dagster.Failure` whose words are safe; only what may pass by
    itself is retried."""
    try:
        yield
    except dg.Failure:
        raise
    except Exception as error:  # noqa: BLE001 - nothing may pass unread
        raise dg.Failure(
            description=safe_error(error), allow_retries=isinstance(error, TRANSIENT)
        ) from None
