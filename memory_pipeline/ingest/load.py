"""Reads one log file into the store: message by message, chunk by chunk, resumable.

Each chunk is one batch: a killed run leaves whole batches, and reading the file again adds only
what is missing. A file counts as read when its row in `file_read` stands; it is then known by
the keyed hash of its bytes, whatever its name.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal.batches import Batch, EpochMoved, alone, batch
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import Audiences, setting
from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.governance.erasure.masking import Masker
from memory_pipeline.governance.known_secrets import looking_up, without_known
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.governance.secrets import SecretStore
from memory_pipeline.ingest.folder_log import n_bytes, open_log
from memory_pipeline.ingest.prepare import Find, Prepared, Preparer
from memory_pipeline.ingest.quarantine import DamagedRecord, Refusal, opened, quarantine
from memory_pipeline.ingest.readers.base import (
    HEAD_BYTES,
    Reader,
    ReadOptions,
    Reason,
    UnknownFormat,
    choose,
    readers,
)
from memory_pipeline.ingest.repeats import mask_repeats
from memory_pipeline.ingest.store_messages import (
    Conflict,
    Stored,
    put_secrets,
    store_messages,
    using_secrets,
)

CHUNK_MESSAGES = 1_000
HASH_BYTES = 1 << 20

logger = logging.getLogger(__name__)

Progress = Callable[[int], None]


@dataclass(frozen=True)
class LoadReport:
    """What became of a file's records. `status` is read, known (nothing new to read), refused or
    waiting (to be read again).

    `n_suppressed` of them held what was erased and were masked; `n_waiting` were left out, since
    they hold what a request would erase that may still be taken back; `epoch` is the one in which
    reading began.
    """

    file_id: UUID | None
    status: str
    n_messages: int = 0
    n_known: int = 0
    n_quarantined: int = 0
    reason: str | None = None
    problem: str | None = None
    n_suppressed: int = 0
    epoch: int = 0
    n_waiting: int = 0

    def after(self, before: "LoadReport") -> "LoadReport":
        """This report of a file's second reading and that of the first one as one."""
        return replace(
            self,
            n_messages=before.n_messages + self.n_messages,
            n_known=self.n_known - before.n_messages,
            n_quarantined=before.n_quarantined + self.n_quarantined,
        )


@dataclass(frozen=True)
class _ChunkReport:
    """What became of one chunk's records."""

    n_messages: int
    n_known: int
    n_refused: int
    n_suppressed: int
    n_waiting: int


@dataclass(frozen=True)
class ReplayReport:
    """What became of quarantined records that were read again. Of `n_not_kept` nothing can be: an
    archive refused whole leaves no bytes, and what was damaged does not open."""

    n_waiting: int
    n_replayed: int
    n_messages: int
    n_not_kept: int = 0


@dataclass(frozen=True)
class Loader:
    """Loads files of one tenant over one connection of the ingest role."""

    connection: psycopg.Connection
    tenant_id: int
    keys: Keys
    secrets: SecretStore
    sealer: Sealer
    find: Find
    tz: str | None = None

    @cached_property
    def masker(self) -> Masker:
        """What masks that which was erased."""
        return Masker(self.connection, self.keys, self.tenant_id)

    def load(
        self,
        path: Path,
        *,
        day: date | None = None,
        progress: Progress | None = None,
        to_archive: bool = False,
        has_landed: bool = False,
    ) -> LoadReport:
        """Read a file to its end. Raises `OSError` where it cannot be read, and what the stores
        raise; the file is then read again from its start by the next call.

        `day` is the ingest day of a file seen for the first time; a known file keeps its own. A
        file that was read whole is read again only while records of it wait for their time, or
        where it is to be archived and may hold what was erased. `has_landed` says that its owner
        handed it over.
        """
        with open_log(path) as stream:
            file_key = self._file_key(stream)
            with alone(self.connection, f"file {file_key.hex()}"):
                self.masker.load()
                return self._load(path, stream, file_key, day, progress, to_archive, has_landed)

    def _load(
        self,
        path: Path,
        stream: BufferedReader,
        file_key: bytes,
        day: date | None,
        progress: Progress | None,
        to_archive: bool,
        has_landed: bool,
    ) -> LoadReport:
        known = self._known(file_key)
        is_known = known is not None and known[1]
        if known is not None and is_known and not (to_archive and self.masker.suppressions):
            return LoadReport(known[0], "known", epoch=self.masker.epoch)
        stream.seek(0)
        head = stream.read(HEAD_BYTES)
        stream.seek(0)
        try:
            reader = choose(head, path.name)
        except UnknownFormat as error:
            return self._refuse(path, stream, file_key, known and known[0], day, str(error))
        epoch = self.masker.epoch
        if known is None and self.masker.is_undecided_name(path.name):
            return LoadReport(None, "waiting", n_waiting=1, epoch=epoch)
        file_id = (
            known[0]
            if known is not None
            else self._register(path, file_key, reader.name, reader.version, day)
        )
        report = self._read(file_id, file_key, reader, stream, progress, has_landed)
        if report.n_waiting:
            return replace(report, epoch=epoch, status="waiting")
        return replace(report, epoch=epoch, status="known" if is_known else "read")

    def _file_key(self, stream: BufferedReader) -> bytes:
        mac = self.keys.file(self.tenant_id)
        while block := stream.read(HASH_BYTES):
            mac.update(block)
        return self.keys.short(mac)

    def _known(self, file_key: bytes) -> tuple[UUID, bool] | None:
        row = self.connection.execute(
            "select f.file_id, r.file_id is not null and not exists ("
            "  select from memory.quarantine as q"
            "  where q.file_id = f.file_id and q.reason = %s and q.state = 'open')"
            " from memory.log_file as f left join memory.file_read as r using (file_id)"
            " where f.tenant_id = %s and f.file_key = %s",
            (Reason.future_time, self.tenant_id, file_key),
        ).fetchone()
        return None if row is None else (row[0], bool(row[1]))

    def _register(
        self, path: Path, file_key: bytes, reader: str, version: int, day: date | None
    ) -> UUID:
        while True:
            try:
                return self._register_named(path, file_key, reader, version, day)
            except EpochMoved:
                self.masker.load()

    def _register_named(
        self, path: Path, file_key: bytes, reader: str, version: int, day: date | None
    ) -> UUID:
        file_id = uuid4()
        name, shown_path = self._shown(path)
        with batch(self.connection, self.tenant_id, "file", self.masker.epoch) as running:
            self.connection.execute(
                "insert into memory.log_file (file_id, tenant_id, batch_id, file_key, n_bytes,"
                " reader, reader_version, first_seen_day) values (%s, %s, %s, %s, %s, %s, %s, %s)",
                (
                    file_id,
                    self.tenant_id,
                    running.batch_id,
                    file_key,
                    n_bytes(path),
                    reader,
                    version,
                    day or datetime.now(UTC).date(),
                ),
            )
            self.connection.execute(
                "insert into memory.log_file_content (file_id, name, read_from) values (%s, %s, %s)",
                (file_id, name, shown_path),
            )
        return file_id

    def _shown(self, path: Path) -> tuple[str, str | None]:
        """A file's name without secrets and erased people; its path where neither stands in it."""
        preparer = Preparer(self.keys, self.tenant_id, self.find)

        def less(text: str) -> str:
            text, _ = preparer.take_out(text)
            return without_known(self.connection, self.keys, self.tenant_id, text)

        folder = str(path.absolute().parent)
        # what ends a name would be taken for a part of the value before it
        name = self.masker.file_name(less(path.stem) + path.suffix)
        is_clean = name == path.name and less(folder) == folder
        return name, str(path.absolute()) if is_clean else None

    def _refuse(
        self,
        path: Path,
        stream: BufferedReader,
        file_key: bytes,
        file_id: UUID | None,
        day: date | None,
        problem: str,
    ) -> LoadReport:
        suspicion = self.masker.may_hold(stream)
        stream.seek(0)
        if suspicion == "undecided" or (
            file_id is None and self.masker.is_undecided_name(path.name)
        ):
            return LoadReport(file_id, "waiting", n_waiting=1, epoch=self.masker.epoch)
        file_id = file_id or self._register(path, file_key, "none", 0, day)
        refusal = Refusal(
            stage="read",
            reason="unknown_format",
            problem=problem,
            record_key=self.keys.of("refused file", self.tenant_id, file_key),
            file_id=file_id,
        )
        with batch(self.connection, self.tenant_id, "quarantine") as running:
            n_new = quarantine(self.connection, running, self.sealer, [refusal])
        return LoadReport(
            file_id,
            "refused",
            n_quarantined=n_new,
            reason="unknown_format",
            problem=problem,
            n_suppressed=int(suspicion == "erased"),
            epoch=self.masker.epoch,
        )

    def _read(
        self,
        file_id: UUID,
        file_key: bytes,
        reader: Reader,
        stream: BufferedReader,
        progress: Progress | None,
        has_landed: bool,
    ) -> LoadReport:
        tz = self.tz or setting(self.connection, self.tenant_id, "tz", "UTC")
        options = ReadOptions(now=datetime.now(UTC), tz=tz)
        preparer = Preparer(self.keys, self.tenant_id, self.find)
        audiences = Audiences(self.connection, self.tenant_id)
        n_equal: Counter[bytes] = Counter()
        n_messages = n_known = n_quarantined = n_suppressed = n_waiting = 0
        too_early: list[bytes] = []
        for chunk in batched_records(reader.read(stream, options), CHUNK_MESSAGES):
            good = [preparer.prepare(_in_zone(r, tz)) for r in chunk if isinstance(r, RawMessage)]
            refusals = [
                self._refusal(file_id, record, n_equal)
                for record in chunk
                if isinstance(record, BadRecord)
            ]
            too_early += [r.record_key for r in refusals if r.reason == Reason.future_time]
            done = self._store(file_id, file_key, tz, audiences, good, refusals)
            n_suppressed += done.n_suppressed
            n_waiting += done.n_waiting
            n_quarantined += done.n_refused
            n_messages += done.n_messages
            n_known += done.n_known
            if progress:
                progress(len(chunk))
        report = LoadReport(
            file_id,
            "read",
            n_messages,
            n_known,
            n_quarantined,
            n_suppressed=n_suppressed,
            n_waiting=n_waiting,
        )
        logger.info(
            "file %s: %d messages, %d known, %d quarantined, %d waiting",
            file_id,
            n_messages,
            n_known,
            n_quarantined,
            n_waiting,
        )
        if n_waiting:
            # not read whole: the next reading adds what is missing
            return report
        with batch(self.connection, self.tenant_id, "file") as running:
            self.connection.execute(
                "insert into memory.file_read (file_id, tenant_id, batch_id, n_messages, n_known,"
                " n_quarantined, has_landed) values (%s, %s, %s, %s, %s, %s, %s)"
                " on conflict do nothing",
                (
                    file_id,
                    self.tenant_id,
                    running.batch_id,
                    n_messages,
                    n_known,
                    n_quarantined,
                    has_landed,
                ),
            )
            self.connection.execute(
                "update memory.quarantine set state = 'done' where file_id = %s and reason = %s"
                " and state = 'open' and record_key <> all(%s)",
                (file_id, Reason.future_time, too_early),
            )
        return report

    def _store(
        self,
        file_id: UUID,
        file_key: bytes,
        tz: str,
        audiences: Audiences,
        good: Sequence[Prepared],
        refusals: Sequence[Refusal],
    ) -> _ChunkReport:
        """One chunk as one batch."""
        with looking_up(self.connection, self.tenant_id):
            good = mask_repeats(self.connection, self.keys, self.tenant_id, good)
            while True:
                messages = self.masker.mask(good, file_key, tz)
                records = self.masker.without_raw(refusals)
                try:
                    stored, n_refused = self._store_masked(
                        file_id, audiences, messages.kept, records.kept
                    )
                    return _ChunkReport(
                        stored.n_added,
                        len(messages.kept) - stored.n_added - len(stored.conflicts),
                        n_refused,
                        messages.n_masked + records.n_masked,
                        messages.n_waiting + records.n_waiting,
                    )
                except EpochMoved:
                    self.masker.load()

    def _store_masked(
        self,
        file_id: UUID,
        audiences: Audiences,
        good: Sequence[Prepared],
        refusals: Sequence[Refusal],
    ) -> tuple[Stored, int]:
        refused = list(refusals)
        epoch = self.masker.epoch
        for message in good:
            # made outside of the batch, which would keep others waiting for it
            audiences.id_of(message.raw.audience)
        with using_secrets(self.connection, self.tenant_id, good):
            put_secrets(self.connection, self.tenant_id, self.secrets, good, epoch)
            with batch(self.connection, self.tenant_id, "messages", epoch) as running:
                stored = store_messages(
                    self.connection, running, self.keys, audiences, file_id, good
                )
                for conflict in stored.conflicts:
                    refused += self._both(file_id, conflict)
                    withdraw_message(self.connection, running, conflict)
                return stored, quarantine(self.connection, running, self.sealer, refused)

    def replay(self) -> ReplayReport:
        """Read the records that readers refused once more, as the readers and limits are now.

        What is read now is stored and leaves quarantine; the rest stays as it is.
        """
        tz = self.tz or setting(self.connection, self.tenant_id, "tz", "UTC")
        options = ReadOptions(now=datetime.now(UTC), tz=tz)
        audiences = Audiences(self.connection, self.tenant_id)
        by_name = {reader.name: reader for reader in readers()}
        waiting = self.connection.execute(
            "select q.quarantine_id, q.file_id, f.file_key, q.position, f.reader, c.raw"
            " from memory.quarantine as q join memory.quarantine_content as c using (quarantine_id)"
            " join memory.log_file as f using (file_id)"
            " where q.tenant_id = %s and q.stage = 'read' and q.state = 'open'"
            " order by q.file_id, q.position",
            (self.tenant_id,),
        ).fetchall()
        n_replayed = n_messages = n_not_kept = 0
        self.masker.load()
        for quarantine_id, file_id, file_key, position, reader_name, sealed in waiting:
            try:
                raw = opened(self.sealer, sealed, quarantine_id)
            except DamagedRecord as error:
                logger.warning("%s", error)
                raw = None
            if raw is None:
                n_not_kept += 1
                continue
            reader = by_name.get(reader_name)
            records = list(reader.read(BytesIO(raw), options)) if reader else []
            good = [record for record in records if isinstance(record, RawMessage)]
            if not good or len(good) < len(records):
                continue
            preparer = Preparer(self.keys, self.tenant_id, self.find)
            placed = [record.model_copy(update={"position": position}) for record in good]
            prepared = [preparer.prepare(_in_zone(record, tz)) for record in placed]
            done = self._store(file_id, bytes(file_key), tz, audiences, prepared, ())
            n_messages += done.n_messages
            if done.n_waiting:
                continue
            n_replayed += 1
            self.connection.execute(
                "update memory.quarantine set state = 'done' where quarantine_id = %s",
                (quarantine_id,),
            )
        return ReplayReport(len(waiting), n_replayed, n_messages, n_not_kept)

    def _refusal(self, file_id: UUID, record: BadRecord, n_equal: Counter[bytes]) -> Refusal:
        equal = self.keys.of("refused", self.tenant_id, record.reason, record.raw)
        n_equal[equal] += 1
        return Refusal(
            stage="read",
            reason=record.reason,
            problem=record.problem,
            record_key=self.keys.of("refused", equal, n_equal[equal]),
            file_id=file_id,
            position=record.position,
            field=record.field,
            raw=record.raw,
        )

    def _both(self, file_id: UUID, conflict: Conflict) -> Iterator[Refusal]:
        problem = (
            "one message id came with two texts and no edit time that would order them;"
            " give the later text an edited_at, or a message id of its own"
        )
        incoming = conflict.incoming
        for text_hash, where, position, raw in (
            (incoming.text_hash, file_id, incoming.raw.position, incoming.text.encode()),
            (conflict.stored_text_hash, conflict.stored_file_id, conflict.stored_position, None),
        ):
            yield Refusal(
                stage="store",
                reason="two_texts",
                problem=problem,
                record_key=self.keys.of("two texts", incoming.message_key, text_hash),
                file_id=where,
                message_id=conflict.stored_message_id,
                position=position,
                field="message_id",
                raw=raw,
            )


def withdraw_message(connection: psycopg.Connection, running: Batch, conflict: Conflict) -> None:
    """Withdraw a stored message that can no longer be believed, with all drawn from it."""
    connection.execute(
        "insert into memory.withdrawal (statement_id, tenant_id, audience_id, batch_id, reason)"
        " select statement_id, %(tenant_id)s, audience_id, %(batch_id)s, 'two_texts'"
        " from (select %(message_id)s::uuid as statement_id, %(audience_id)s::int as audience_id"
        "  union all"
        "  select atom_id, audience_id from memory.atom where message_id = %(message_id)s"
        "  union all"
        "  select closure_id, audience_id from memory.closure where message_id = %(message_id)s"
        " ) as drawn"
        # what was erased keeps its place
        " where drawn.statement_id = %(message_id)s or not exists ("
        "  select from memory.redaction where message_id = %(message_id)s)"
        " and not exists ("
        "  select from memory.tombstone as t where t.atom_id = drawn.statement_id)"
        " on conflict (statement_id) do nothing",
        {
            "tenant_id": running.tenant_id,
            "batch_id": running.batch_id,
            "message_id": conflict.stored_message_id,
            "audience_id": conflict.audience_id,
        },
    )


def batched_records(
    records: Iterable[RawMessage | BadRecord], size: int
) -> Iterator[tuple[RawMessage | BadRecord, ...]]:
    """The records in tuples of at most `size`."""
    iterator = iter(records)
    while chunk := tuple(islice(iterator, size)):
        yield chunk


def _in_zone(raw: RawMessage, tz: str) -> RawMessage:
    return raw if raw.tz else raw.model_copy(update={"tz": tz})
