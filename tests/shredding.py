"""Content that is gone, as after an erasure, for tests of what is left."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from memory_pipeline.local.services import ensure


@contextmanager
def unguarded(database: str) -> Iterator[psycopg.Connection[Any]]:
    """A transaction in which no trigger guards content: the superuser's, since no other can have
    one, and a session of the eraser's takes a request and its plan."""
    with psycopg.connect(ensure().pg_dsn("mem_super", database)) as admin:
        admin.execute("set session_replication_role = replica")
        yield admin


def shred_atom(database: str, atom_id: object) -> None:
    """Take an atom's content away."""
    with unguarded(database) as admin:
        admin.execute("delete from memory.atom_content where atom_id = %s", [atom_id])
