"""What the steps of an erasure share: the request, connections by role, needles, the plan's ids."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.governance.content_store import Writing, attach, resealing, ring_of
from memory_pipeline.governance.erasure.mentions import Forms, forms
from memory_pipeline.governance.erasure.needles import Needles, read_needles
from memory_pipeline.governance.erasure.quarantined import OpenSealer
from memory_pipeline.governance.erasure.residue import Scanner
from memory_pipeline.governance.installation_keys import installation_key
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.index.embedder import Embedder, make_embedder
from memory_pipeline.local.services import Services

Connection = psycopg.Connection[Any]

ERASER = "mem_eraser"
BUILDER = "mem_builder"
VERIFIER = "mem_verifier"


def quarantine_sealer(services: Services) -> OpenSealer:
    """Gives what opens refused records, asked of Vault once it is needed."""
    return cache(lambda: Sealer(installation_key(services.vault_client("ingest"), "quarantine")))


class Unreachable(Exception):
    """A store does not answer or refuses; its request goes on once it does."""


class Connections:
    """Connections by login, opened when first asked for, in autocommit."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._stack = ExitStack()
        self._open: dict[tuple[str, str | None], Connection] = {}

    def __enter__(self) -> "Connections":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def get(self, login: str, database: str | None = None) -> Connection:
        """The login's connection, a new one where it broke. Raises `psycopg.OperationalError`."""
        key = (login, database)
        found = self._open.get(key)
        if found is None or found.closed:
            found = self._stack.enter_context(
                psycopg.connect(self._services.pg_dsn(login, database), autocommit=True)
            )
            attach(found, self._services)
            self._open[key] = found
        return found


@dataclass
class Work:
    """One request under way, as the stores are asked about it.

    `is_thorough` scrubs also what nothing was found in, once residue was. `stale` holds, by table,
    how many rows of indexes were found and not removed yet, and their ids as the database writes
    them. `originals` are files and folders outside, given by whoever runs it, in which the request's
    source files may be looked for.
    """

    services: Services
    tenant_id: int
    request_id: UUID
    connections: Connections = field(repr=False)
    originals: tuple[Path, ...] = ()
    nowhere: list[str] | None = field(default=None, repr=False)
    scanner: Scanner | None = field(default=None, repr=False)
    is_thorough: bool = False
    stale: dict[str, tuple[int, str]] = field(default_factory=dict, repr=False)

    @property
    def eraser(self) -> Connection:
        """mem_eraser's connection."""
        return self.connections.get(ERASER)

    @property
    def builder(self) -> Connection:
        """mem_builder's connection."""
        return self.connections.get(BUILDER)

    @property
    def verifier(self) -> Connection:
        """mem_verifier's connection."""
        return self.connections.get(VERIFIER)

    @property
    def home(self) -> Path:
        """The home's folder."""
        return self.services.home.path

    @cached_property
    def keys(self) -> Keys:
        """Keyed hashes of this installation."""
        return Keys(self.services.keyed_hash_key())

    @cached_property
    def sealer(self) -> OpenSealer:
        """Gives what opens refused records."""
        return quarantine_sealer(self.services)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the settings name."""
        return make_embedder(self.services.settings)

    @cached_property
    def needles(self) -> Needles | None:
        """What must be found nowhere; None once the request is certified."""
        return read_needles(self.services.vault_client("verifier"), self.request_id)

    @cached_property
    def forms(self) -> Forms | None:
        """All forms of the erased values; None once they are kept no longer."""
        return None if self.needles is None else forms(self.needles.values)

    def forget_needles(self) -> None:
        """Read them again when they are next asked for."""
        self.__dict__.pop("needles", None)
        self.__dict__.pop("forms", None)
        self.look_again()

    def look_again(self) -> None:
        """Ask anew which needles stand nowhere: rows may have come or gone."""
        self.nowhere = self.scanner = None

    @property
    def bound(self) -> dict[str, Any]:
        """Parameters of queries over the plan."""
        return {"request": self.request_id, "tenant": self.tenant_id}

    def ids(self, connection: Connection, kind: str, *actions: str) -> list[UUID]:
        """The plan's items of a kind with one of the actions."""
        return [
            row[0]
            for row in connection.execute(
                "select item_id from memory.erasure_item where request_id = %s"
                " and kind = %s::memory.erasure_kind and action::text = any(%s) order by item_id",
                (self.request_id, kind, list(actions)),
            )
        ]

    def touches(self, kind: str) -> bool:
        """Whether the plan erases or redacts any item of a kind."""
        row = self.eraser.execute(
            "select exists (select from memory.erasure_item where request_id = %s"
            " and kind = %s::memory.erasure_kind and action in ('erase', 'redact'))",
            (self.request_id, kind),
        ).fetchone()
        return bool(row and row[0])

    def has_touched(self, store: str) -> bool:
        """Whether anything of the request was ever found in a store, so that it is scrubbed."""
        row = self.eraser.execute(
            "select n_found > 0 from memory.erasure_store where request_id = %s and store = %s",
            (self.request_id, store),
        ).fetchone()
        return self.is_thorough or bool(row and row[0])

    def keep_note(self, store: str, note: str | None) -> None:
        """Remember a code of what a store could not do, for the verifier and the certificate."""
        self.eraser.execute(
            "insert into memory.erasure_store (request_id, store, note) values (%s, %s, %s)"
            " on conflict (request_id, store) do update set note ="
            " coalesce(excluded.note, erasure_store.note), changed_at = clock_timestamp()",
            (self.request_id, store, note),
        )

    @contextmanager
    def graph(self) -> Iterator[Any]:
        """A driver of the graph server, closed after. Raises `Unreachable`."""
        from neo4j.exceptions import DriverError, Neo4jError

        try:
            with self.services.graph_driver() as driver:
                yield driver
        except (DriverError, Neo4jError) as error:
            raise Unreachable(f"graph: {type(error).__name__}") from None

    @cached_property
    def resealing(self) -> Writing:
        """What seals redacted values again."""
        return resealing(ring_of(self.services), self.tenant_id)
