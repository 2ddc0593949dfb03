"""Errors of a step, told without content.

Dagster keeps an exception's message and its causes in its own database, where erasure does not
reach. PostgreSQL quotes rows in its DETAIL, pydantic the input, built-in exceptions the value. So
a step lets out a new error with what is known to be free of content: the class, the SQLSTATE and
the constraint, the place in the code, and the words of this project's own exceptions.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg
import psycopg

from memory_pipeline.logs import safe_error

__all__ = ["RETRIES", "TRANSIENT", "safe_error", "without_content"]

TRANSIENT = (psycopg.OperationalError, ConnectionError, TimeoutError)

RETRIES = dg.RetryPolicy(max_retries=2, delay=5, backoff=dg.Backoff.EXPONENTIAL)


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
