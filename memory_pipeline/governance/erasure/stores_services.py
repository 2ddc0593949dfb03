"""Stores of the services: Vault, PostgreSQL's files and log, server logs, Dagster, dbt, providers,
and backups, which are named because nobody here reaches them."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg import sql

from memory_pipeline.bitemporal.tenants import setting
from memory_pipeline.contracts.erasure import StoreReport, StoreState
from memory_pipeline.governance import strays
from memory_pipeline.governance.erasure import scrub
from memory_pipeline.governance.erasure.needles import VectorNeedle
from memory_pipeline.governance.erasure.residue import Scanner, encodings, files_with
from memory_pipeline.governance.erasure.stores import Passive, Store, Unreachable
from memory_pipeline.governance.erasure.stores_database import report
from memory_pipeline.governance.erasure.texts import Column, columns_of, needles_in, nowhere
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.governance.secrets import SecretStore
from memory_pipeline.index.vectors import vector_tables
from memory_pipeline.local.roles import DAGSTER, DAGSTER_DATABASE

BACKUP_DAYS = "backup_days"
MOST_PLACES = 5
"""So many files are named that hold what should be gone."""


@dataclass(frozen=True)
class Vault(Passive):
    """Secret values, by id, and the needles of requests under way. A value that nothing refers to is
    nobody's, so it may be of the request."""

    name: str = "vault"
    kind: str = "service"
    covers: tuple[str, ...] = ("vault/secrets", "vault/erasure", "home/vault")

    def find(self, work: Work) -> int:
        """Values of the plan, those that an earlier step destroyed among them."""
        return len(self._doomed(work))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """End the plan's secrets, then destroy their values, and those that nothing refers to."""
        work.eraser.execute("select memory.end_secrets(%s)", (work.request_id,))
        SecretStore(work.services.vault_client("eraser")).destroy(self._there(work))
        strays.destroy(work.services)
        return len(self._doomed(work)) - len(self._there(work)), None

    def verify(self, work: Work) -> StoreReport:
        """No value of the plan is there, and none without an owner."""
        found = strays.find(work.services)
        notes = [
            f"{n}_{word}"
            for n, word in ((found.n_kept, "stray"), (found.n_unmarked, "unmarked"))
            if n
        ]
        return report(self, len(self._there(work)) + found.n_kept, ", ".join(notes) or None)

    @staticmethod
    def _doomed(work: Work) -> set[UUID]:
        rows = work.verifier.execute(
            "select secret_id from memory.doomed_secrets(%s)", (work.request_id,)
        ).fetchall()
        return {row[0] for row in rows}

    @classmethod
    def _there(cls, work: Work) -> set[UUID]:
        doomed = cls._doomed(work)
        return doomed and doomed & SecretStore(work.services.vault_client("verifier")).ids()


def _scanner(work: Work) -> Scanner:
    """Looks for every needle that stands nowhere in the memory, vectors included."""
    if work.scanner is not None:
        return work.scanner
    patterns = [(n, p) for n, text in enumerate(nowhere(work)) for p in encodings(text)]
    if work.needles is not None:
        standing = _standing_heads(work, work.needles.vectors)
        patterns += [
            (n, vector.head)
            for n, vector in enumerate(work.needles.vectors, start=len(nowhere(work)))
            if (vector.table, vector.head) not in standing
        ]
    work.scanner = Scanner(patterns)
    return work.scanner


def _standing_heads(work: Work, vectors: Sequence[VectorNeedle]) -> set[tuple[str, bytes]]:
    """Those of the vectors that an item which stays has as well. They are compared themselves, not
    the hashes of their texts: a text that is sealed for one item, here or in another tenant, has
    another hash for each, and one vector."""
    found: set[tuple[str, bytes]] = set()
    for table in {vector.table for vector in vectors} & set(vector_tables(work.verifier)):
        # sent in the network's order of bytes, after two counts of two bytes
        sent = {
            np.frombuffer(vector.head, "<f2").astype(">f2").tobytes(): vector.head
            for vector in vectors
            if vector.table == table
        }
        length = len(next(iter(sent)))
        rows = work.verifier.execute(
            sql.SQL(
                "select distinct substr(halfvec_send(embedding), 5, {length}) from {table}"
                " where substr(halfvec_send(embedding), 5, {length}) = any(%s)"
            ).format(length=length, table=sql.Identifier("derived", table)),
            (list(sent),),
        )
        found |= {(table, sent[bytes(head)]) for (head,) in rows}
    return found


def scan(
    work: Work,
    store: Store,
    folders: tuple[Path, ...],
    place: Callable[[Path], str] | None = None,
) -> StoreReport:
    """The verifier's look through files: every needle that stands nowhere else is in none. `place`
    names a file that has one, where its name holds no content."""
    if work.needles is None:
        return StoreReport(
            store=store.name, state=StoreState.not_verifiable, note="values_no_longer_kept"
        )
    scanner = _scanner(work)
    found: set[int] = set()
    n_files = 0
    places: dict[str, None] = {}
    for folder in folders:
        if not folder.exists():
            continue
        try:
            for path, numbers in files_with(scanner, folder):
                found |= numbers
                n_files += 1
                if place is not None:
                    places[place(path)] = None
        except OSError as error:
            return StoreReport(
                store=store.name,
                state=StoreState.failed,
                note=f"unreadable_{type(error).__name__}",
            )
    if not n_files:
        return report(store, len(found), None)
    named = ",".join(list(places)[:MOST_PLACES])
    return report(store, len(found), f"in_{n_files}_files" + (f":{named}" if named else ""))


@dataclass(frozen=True)
class DatabaseFiles(Passive):
    """PostgreSQL's data folder: tables, indexes, temporary files, the write-ahead log."""

    name: str = "database_files"
    kind: str = "service"
    covers: tuple[str, ...] = ("home/postgres",)

    def scrub(self, work: Work) -> None:
        """Drop the files of the write-ahead log that hold what was erased."""
        scrub.renew_log(work.eraser)

    def verify(self, work: Work) -> StoreReport:
        """Every byte of the data folder; of a server elsewhere nothing can be said."""
        if not scrub.is_embedded(work):
            return StoreReport(
                store=self.name, state=StoreState.not_verifiable, note="files_out_of_reach"
            )
        return scan(work, self, self._folders(work), lambda path: self._place(work, path))

    @staticmethod
    def _place(work: Work, path: Path) -> str:
        """What a file of the data folder is: a table or index of the memory, the log, or a path."""
        data = work.services.home.service("postgres") / "data"
        inside = path.relative_to(data)
        number = re.fullmatch(r"base/(\d+)/(\d+)(?:[._].+)?", inside.as_posix())
        if number is None:
            return inside.parts[0]
        row = work.verifier.execute(
            "select pg_filenode_relation(0, %s)::text from pg_database"
            " where datname = current_database() and oid = %s",
            (int(number[2]), int(number[1])),
        ).fetchone()
        return str(row[0]) if row is not None and row[0] is not None else inside.as_posix()

    @staticmethod
    def _folders(work: Work) -> tuple[Path, ...]:
        """All but the tables of databases that are not the memory's or Dagster's: those of
        evaluations hold labelled dialogs of their own."""
        data = work.services.home.service("postgres") / "data"
        rows = work.verifier.execute(
            "select oid::text from pg_database where datname in (current_database(), %s)",
            (DAGSTER_DATABASE,),
        )
        ours = tuple(data / "base" / row[0] for row in rows)
        temporary = (data / "base" / "pgsql_tmp",)
        return tuple(path for path in data.iterdir() if path.name != "base") + ours + temporary


@dataclass(frozen=True)
class Scanned(Passive):
    """A folder of the home that should hold no content: what is found is destroyed.

    Logs are overwritten in place, since a server holds them open; other files are removed.
    """

    name: str
    folder: str
    overwrites: bool = False
    kind: str = "file"
    others: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()

    @property
    def covers(self) -> tuple[str, ...]:
        """The folder, and what else is looked through with it."""
        return (f"home/{self.folder}", *self.others)

    def find(self, work: Work) -> int:
        """Files with a needle."""
        return sum(1 for _ in files_with(_scanner(work), self._path(work)))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Overwrite the needles, or remove the files."""
        found = list(files_with(_scanner(work), self._path(work)))
        texts = nowhere(work)
        for path, numbers in found:
            if self.overwrites or path.name in self.spared:
                overwrite(path, [texts[n] for n in numbers if n < len(texts)])
            else:
                path.unlink(missing_ok=True)
        return len(found), None

    def verify(self, work: Work) -> StoreReport:
        """No file with a needle."""
        return scan(work, self, (self._path(work),))

    def _path(self, work: Work) -> Path:
        return (work.home / self.folder).resolve()


def overwrite(path: Path, texts: list[str]) -> None:
    """Put `#` over every byte of these texts in a file, in whatever encoding, in place: a server
    that appends to the file goes on."""
    patterns = sorted(
        {pattern for text in texts for pattern in encodings(text)}, key=len, reverse=True
    )
    with path.open("r+b") as stream:
        content = stream.read()
        for pattern in patterns:
            at = content.find(pattern)
            while at >= 0:
                stream.seek(at)
                stream.write(b"#" * len(pattern))
                at = content.find(pattern, at + len(pattern))
        stream.flush()
        os.fsync(stream.fileno())


@dataclass(frozen=True)
class Dagster(Passive):
    """Dagster's own database: events, runs, ticks. It should hold ids and counts alone."""

    name: str = "dagster"
    kind: str = "service"
    covers: tuple[str, ...] = ("database/dagster",)

    def find(self, work: Work) -> int:
        """Needles in any column of text."""
        return len(self._found(work)[1])

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Overwrite them where they stand."""
        connection, found = self._found(work)
        texts = nowhere(work)
        for column in columns_of(connection, "public") if found else ():
            for number in found:
                self._replace(connection, column, texts[number])
        return len(found), None

    def scrub(self, work: Work) -> None:
        """Write the tables of events anew; the log of all databases is renewed after."""
        if not work.has_touched(self.name):
            return
        connection = self._connection(work)
        tables = {(column.schema, column.table) for column in columns_of(connection, "public")}
        scrub.rewrite(connection, sorted(tables))

    def verify(self, work: Work) -> StoreReport:
        """No needle in any column of text."""
        if work.needles is None:
            return StoreReport(
                store=self.name, state=StoreState.not_verifiable, note="values_no_longer_kept"
            )
        return report(self, len(self._found(work)[1]))

    def _found(self, work: Work) -> tuple[Connection, set[int]]:
        connection = self._connection(work)
        texts = nowhere(work)
        if not texts:
            return connection, set()
        return connection, needles_in(
            connection, columns_of(connection, "public"), Scanner.of_texts(texts)
        )

    @staticmethod
    def _connection(work: Work) -> Connection:
        try:
            return work.connections.get(DAGSTER, DAGSTER_DATABASE)
        except psycopg.OperationalError:
            raise Unreachable("dagster: its database does not answer") from None

    @staticmethod
    def _replace(connection: Connection, column: Column, text: str) -> None:
        for pattern in {p.decode("utf-8", "replace") for p in encodings(text)}:
            if "�" in pattern or "\0" in pattern:
                continue
            connection.execute(
                sql.SQL(
                    "update {table} set {column} = replace({column}::text, {old}, {new})::{type}"
                    " where strpos({column}::text, {old}) > 0"
                ).format(
                    table=sql.Identifier(column.schema, column.table),
                    column=sql.Identifier(column.name),
                    old=pattern,
                    new="#" * len(pattern),
                    type=sql.SQL(_type_of(connection, column)),
                )
            )


def _type_of(connection: Connection, column: Column) -> Any:
    row = connection.execute(
        "select a.atttypid::regtype::text from pg_attribute as a"
        " where a.attrelid = format('%%I.%%I', %s::text, %s::text)::regclass and a.attname = %s",
        column,
    ).fetchone()
    assert row is not None  # noqa: S101 - the column was listed just now
    return row[0]


@dataclass(frozen=True)
class Provider(Passive):
    """Files with texts and answers at a provider of models: its batches' own run deletes them once
    they ended, and until then the request waits."""

    name: str = "provider_files"
    kind: str = "outside"
    covers: tuple[str, ...] = (
        "memory.provider_batch", "memory.provider_request", "memory.provider_file",
    )  # fmt: skip

    def find(self, work: Work) -> int:
        """Files with windows of the plan's messages that the provider has."""
        return self._n_files(work, work.eraser)

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Nothing from here: the batches are ended and cleaned by who sent them."""
        return 0, "provider_has_files" if self.find(work) else None

    def verify(self, work: Work) -> StoreReport:
        """No file with windows of the plan's messages is left at the provider."""
        n_left = self._n_files(work, work.verifier)
        return report(self, n_left, "provider_has_files" if n_left else None)

    @staticmethod
    def _n_files(work: Work, connection: Connection) -> int:
        row = connection.execute(
            "select to_regclass('memory.provider_file') is not null"
        ).fetchone()
        if row is None or not row[0]:
            return 0
        row = connection.execute(
            "select count(distinct f.provider_file_id) from memory.provider_file as f"
            " join memory.provider_request as q using (provider_batch_id)"
            " where f.state <> 'done' and q.message_id in ("
            " select message_id from memory.erasure_span where request_id = %(request)s"
            " union select item_id from memory.erasure_item where request_id = %(request)s"
            "  and kind = 'message' and action in ('erase', 'redact'))",
            work.bound,
        ).fetchone()
        return int(row[0]) if row else 0


@dataclass(frozen=True)
class Backups(Passive):
    """Backups and archived logs of the database: out of reach, named with their horizon."""

    name: str = "backups"
    kind: str = "outside"
    covers: tuple[str, ...] = ()

    def verify(self, work: Work) -> StoreReport:
        """Whether any may be there: by the tenant's setting and the server's own archiving."""
        days = setting(work.verifier, work.tenant_id, BACKUP_DAYS)
        row = work.verifier.execute("select current_setting('archive_mode')").fetchone()
        notes = [f"until_{days}_days_after"] if days else []
        if row is not None and row[0] != "off":
            notes.append("archived_log")
        if not notes:
            return StoreReport(store=self.name, state=StoreState.verified, note="none_known")
        return StoreReport(store=self.name, state=StoreState.not_verifiable, note=",".join(notes))


SERVICE_STORES: tuple[Store, ...] = (
    Vault(),
    Provider(),
    Scanned("logs", "logs", overwrites=True),
    Dagster(),
    Scanned("dagster_files", "dagster", spared=("dagster.yaml",)),
    Scanned("dbt_files", "dbt"),
    DatabaseFiles(),
    Backups(),
)
