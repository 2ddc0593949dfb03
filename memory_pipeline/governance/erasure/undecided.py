"""Requests that may still be taken back, and whoever has to wait for that.

What is read while such a request stands would be masked for it, and could not be given back: it is
left where it is until the request is past that point, or taken back.
"""

import time
from typing import Any

import psycopg

WAIT_S = 30.0
"""How long a run waits for one that erases at the same time."""
_POLL_S = 0.1
_FRESH_S = 2.0
"""How long a request may stand fenced before its run is expected to have begun."""


def is_decided_soon(connection: psycopg.Connection[Any], tenant_id: int) -> bool:
    """Whether every request of a tenant is past the point after which it cannot be taken back, or
    taken back; waits up to `WAIT_S` while a run is at one of them."""
    until = time.monotonic() + WAIT_S
    while True:
        row = connection.execute(
            "select count(*), count(*) filter (where coalesce(leased_until > clock_timestamp(), false)"
            "  or changed_at > clock_timestamp() - make_interval(secs => %s))"
            " from memory.erasure_request where tenant_id = %s"
            " and state >= 'fenced' and state < 'keys_destroyed'",
            (_FRESH_S, tenant_id),
        ).fetchone()
        n_undecided, n_moving = row or (0, 0)
        if not n_undecided:
            return True
        if not n_moving or time.monotonic() > until:
            return False
        time.sleep(_POLL_S)
