"""Extraction by a provider's batches of calls: for bulk loads, at half the price, within a day.

A window that waits for an answer is a row of `provider_request`; what to send is made anew from
the store when it is sent. A batch is assigned, uploaded, started, collected and cleaned up, and
each step is recorded before the next, so that a run may die between any two: the file and the
batch at the provider bear our batch's id and are found again. A call without a usable answer is
never "no facts": it is asked again, alone, and after `MAX_ATTEMPTS` the window is quarantined.
The provider's files are listed until it has deleted them.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.rows import class_row

from memory_pipeline.bitemporal.batches import alone
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.understand.bulk_answers import Answers, unanswered
from memory_pipeline.understand.bulk_calls import BulkExtractor, BulkReport, Calls, Sent, groups
from memory_pipeline.understand.bulk_queue import Request
from memory_pipeline.understand.openai_chat import parsed
from memory_pipeline.understand.openai_provider import (
    ENDPOINT,
    Provider,
    ProviderBatch,
    ProviderError,
)

logger = logging.getLogger(__name__)

WINDOWS_PER_BATCH = 4_000
BYTES_PER_BATCH = 50_000_000
CHARS_PER_TOKEN = 3
"""Fewer characters than a token has on average, ru and en: a budget is not overrun by guessing."""
_CHUNK = 100


@dataclass
class Bulk:
    """One tenant's batches over one connection of the ingest role."""

    connection: psycopg.Connection[Any]
    tenant_id: int
    keys: Keys
    sealer: Sealer
    extractor: BulkExtractor
    extractor_id: int
    provider: Provider
    tz: str
    token_budget: int | None = None

    @cached_property
    def calls(self) -> Calls:
        """What is asked."""
        return Calls(self.connection, self.tenant_id, self.keys, self.extractor, self.tz)

    @cached_property
    def answers(self) -> Answers:
        """Where what is answered goes."""
        return Answers(self.calls, self.sealer)

    def run(self) -> BulkReport:
        """One round: take up what was left half-way, collect, send, delete. Raises
        `ProviderError`; what was done before stays done."""
        report = BulkReport()
        with alone(self.connection, f"provider {self.tenant_id}"):
            self.calls.forget_plans()
            for sent in self._batches("open"):
                if sent.extractor_id == self.extractor_id:
                    self._start(sent, report, is_new=False)
                else:
                    self._abandon(sent, report)
            self._collect(report)
            self._send(report)
            self._clean(report)
        return report

    def drop(self) -> BulkReport:
        """Have nothing of the tenant lie at the provider: cancel, take no answers, delete. A
        batch takes its time to end; until then its files stay listed, and the next round goes
        on. What waited is sent again by a later run, if it may."""
        report = BulkReport()
        with alone(self.connection, f"provider {self.tenant_id}"):
            report.n_dropped += self.connection.execute(
                "update memory.provider_request set state = 'dismissed', code = 'dropped'"
                " where tenant_id = %s and state = 'open' and provider_batch_id is null",
                (self.tenant_id,),
            ).rowcount
            for sent in [*self._batches("open"), *self._batches("running")]:
                self._abandon(sent, report)
            self._collect(report)
            self._clean(report)
        return report

    def _abandon(self, sent: Sent, report: BulkReport) -> None:
        native_id = sent.native_id
        if native_id is None:
            self._adopt_file(sent)
            found = self.provider.started(str(sent.provider_batch_id))
            native_id = None if found is None else found.native_id
        report.n_dropped += self._dismiss(sent)
        if native_id is None:
            self._end(sent, "never_started", "dismissed")
            return
        self.provider.cancel(native_id)
        self._set_running(sent, native_id, "cancelling")

    # ---------- sending

    def _send(self, report: BulkReport) -> None:
        n_left = self.token_budget
        while requests := self._open_requests():
            calls, gone, n_tokens = self._written(requests, n_left)
            self.calls.set_requests(gone, "dismissed", "window_gone")
            if calls:
                n_left = None if n_left is None else n_left - n_tokens
                sent = self._assign(requests[0].registry_hash, calls)
                self._start(sent, report, is_new=True)
            elif not gone:
                # the budget lets no more through; the next run goes on
                return

    def _written(
        self, requests: Sequence[Request], n_tokens_left: int | None
    ) -> tuple[list[tuple[list[Request], bytes]], list[UUID], int]:
        """Calls with the hash of their body, for requests of the first one's registry, as many
        as fit; requests whose windows are no more; and the tokens that the calls will take."""
        registry_hash = requests[0].registry_hash
        same = [r for r in requests if r.registry_hash == registry_hash]
        predicates = self.calls.predicates(registry_hash)
        if predicates is None:
            return [], [r.request_id for r in same], 0
        calls: list[tuple[list[Request], bytes]] = []
        gone: list[UUID] = []
        n_bytes = n_tokens = 0
        for group in groups(same):
            call = self.calls.call(group)
            gone += [r.request_id for r in group if r.message_id not in call.windows]
            there = [r for r in group if r.message_id in call.windows]
            if not there:
                continue
            body = self.calls.body([call.windows[r.message_id] for r in there], predicates)
            n_bytes += len(body.encode())
            cost = len(body) // CHARS_PER_TOKEN
            is_over = n_tokens_left is not None and n_tokens + cost > n_tokens_left
            if is_over or (calls and n_bytes > BYTES_PER_BATCH):
                break
            n_tokens += cost
            calls.append((there, self.calls.shown_hash(body)))
        return calls, gone, n_tokens

    def _assign(self, registry_hash: bytes, calls: Sequence[tuple[list[Request], bytes]]) -> Sent:
        """Bind requests to a new batch, by line and place."""
        sent = Sent(uuid4(), self.extractor_id, registry_hash, None, "open")
        audiences = Audiences(self.connection, self.tenant_id)
        audience_id = audiences.union(*{r.audience_id for there, _ in calls for r in there})
        with self.connection.transaction(), self.connection.cursor() as cursor:
            cursor.execute(
                "insert into memory.provider_batch (provider_batch_id, tenant_id, audience_id,"
                " extractor_id, registry_hash) values (%s, %s, %s, %s, %s)",
                (
                    sent.provider_batch_id,
                    self.tenant_id,
                    audience_id,
                    sent.extractor_id,
                    sent.registry_hash,
                ),
            )
            cursor.executemany(
                "update memory.provider_request set provider_batch_id = %s, line = %s,"
                " place = %s, shown_hash = %s where request_id = %s",
                [
                    (sent.provider_batch_id, line, place, shown_hash, request.request_id)
                    for line, (there, shown_hash) in enumerate(calls)
                    for place, request in enumerate(there)
                ],
            )
        return sent

    def _open_requests(self) -> list[Request]:
        """Requests that wait to be sent, those of other versions dismissed."""
        self.connection.execute(
            "update memory.provider_request set state = 'dismissed', code = 'other_version'"
            " where tenant_id = %s and state = 'open' and provider_batch_id is null"
            " and extractor_id <> %s",
            (self.tenant_id, self.extractor_id),
        )
        with self.connection.cursor(row_factory=class_row(Request)) as cursor:
            return cursor.execute(
                f"select {Request.COLUMNS} from memory.provider_request as r"  # noqa: S608 - a constant
                " join memory.message as m using (message_id)"
                " where r.tenant_id = %s and r.state = 'open' and r.provider_batch_id is null"
                " order by r.registry_hash, r.attempt, m.dialog_id, r.request_id limit %s",
                (self.tenant_id, WINDOWS_PER_BATCH),
            ).fetchall()

    def _start(self, sent: Sent, report: BulkReport, *, is_new: bool) -> None:
        """Bring an assigned batch to the provider, from wherever an earlier run left it."""
        input_file = None if is_new else self._adopt_file(sent)
        if input_file is None:
            lines = self._lines(sent)
            if not lines:
                self._end(sent, "nothing_left", "dismissed")
                return
            input_file = self.provider.upload(_name(sent), lines)
            self._list_file(sent, "input", input_file)
        tag = str(sent.provider_batch_id)
        started = None if is_new else self.provider.started(tag)
        if started is None:
            started = self.provider.start(input_file, tag)
        with self.connection.transaction():
            self._set_running(sent, started.native_id, started.status)
            report.n_sent += self.connection.execute(
                "update memory.provider_request set state = 'running'"
                " where provider_batch_id = %s and state = 'open'",
                (sent.provider_batch_id,),
            ).rowcount

    def _set_running(self, sent: Sent, native_id: str, status: str) -> None:
        self.connection.execute(
            "update memory.provider_batch set native_id = %s, status = %s, state = 'running'"
            " where provider_batch_id = %s",
            (native_id, status, sent.provider_batch_id),
        )

    def _lines(self, sent: Sent) -> bytes:
        predicates = self.calls.predicates(sent.registry_hash)
        lines = []
        for line, requests in self.calls.lines_of(sent):
            call = self.calls.call(requests)
            if predicates is None or len(call.windows) < len(requests):
                # another composition would be another call: those that are left are asked anew
                self.calls.again(requests, "window_gone")
                continue
            windows = [call.windows[r.message_id] for r in requests]
            body = self.extractor.request(windows, predicates)
            lines.append(
                json.dumps(
                    {
                        "custom_id": f"{sent.provider_batch_id}-{line}",
                        "method": "POST",
                        "url": ENDPOINT,
                        "body": body,
                    },
                    ensure_ascii=False,
                ).encode()
            )
        return b"\n".join(lines) + b"\n" if lines else b""

    def _adopt_file(self, sent: Sent) -> str | None:
        """The input file of a batch: as it is listed, or as it lies unlisted at the provider."""
        row = self.connection.execute(
            "select native_id from memory.provider_file"
            " where provider_batch_id = %s and kind = 'input'",
            (sent.provider_batch_id,),
        ).fetchone()
        if row is not None:
            return str(row[0])
        found = self.provider.uploaded(_name(sent))
        if found is not None:
            self._list_file(sent, "input", found)
        return found

    def _list_file(self, sent: Sent, kind: str, native_id: str) -> None:
        self.connection.execute(
            "insert into memory.provider_file (provider_file_id, tenant_id, audience_id,"
            " provider_batch_id, kind, native_id)"
            " select %s, tenant_id, audience_id, provider_batch_id, %s, %s"
            " from memory.provider_batch where provider_batch_id = %s on conflict do nothing",
            (uuid4(), kind, native_id, sent.provider_batch_id),
        )

    # ---------- collecting

    def _collect(self, report: BulkReport) -> None:
        for sent in self._batches("running"):
            if sent.native_id is None:
                continue
            found = self.provider.state(sent.native_id)
            self.connection.execute(
                "update memory.provider_batch set status = %s where provider_batch_id = %s",
                (found.status, sent.provider_batch_id),
            )
            if found.is_running:
                report.n_running += 1
                continue
            files = self._list_answers(sent, found)
            if sent.extractor_id == self.extractor_id:
                self._take(sent, found, files, report)
            else:
                # written for another model, prompt or policy: nobody knows how to read it now
                report.n_dropped += self._dismiss(sent)
            self._end(sent, found.status, "done")

    def _list_answers(self, sent: Sent, found: ProviderBatch) -> list[str]:
        files = []
        for kind, native_id in (("output", found.output_file), ("error", found.error_file)):
            if native_id:
                self._list_file(sent, kind, native_id)
                files.append(native_id)
        return files

    def _take(
        self, sent: Sent, found: ProviderBatch, files: Sequence[str], report: BulkReport
    ) -> None:
        waiting = dict(self.calls.lines_of(sent))
        answered = (
            (line, body)
            for file in files
            for line, body in self._answers(sent, file)
            if waiting.get(line)
        )
        chunk: dict[int, Any] = {}
        for line, body in answered:
            # a line that comes twice counts once
            chunk.setdefault(line, body)
            if len(chunk) >= _CHUNK:
                self.answers.store(sent, {n: (waiting.pop(n), b) for n, b in chunk.items()}, report)
                chunk.clear()
        self.answers.store(sent, {n: (waiting.pop(n), b) for n, b in chunk.items()}, report)
        rest = {
            line: (requests, unanswered(found)) for line, requests in waiting.items() if requests
        }
        self.answers.store(sent, rest, report)

    def _answers(self, sent: Sent, file: str) -> Iterator[tuple[int, Any]]:
        """Lines with their number in our batch; one that cannot be told whose it is answers
        nobody, and who waited for it is among those without answer."""
        prefix = f"{sent.provider_batch_id}-"
        for raw in self.provider.lines(file):
            try:
                line = parsed(raw.decode("utf-8"))
            except UnicodeDecodeError:
                continue
            custom_id = line.get("custom_id") if isinstance(line, dict) else None
            if not isinstance(line, dict) or not isinstance(custom_id, str):
                continue
            number = custom_id.removeprefix(prefix)
            if custom_id.startswith(prefix) and number.isascii() and number.isdigit():
                yield int(number), line

    # ---------- what both need

    def _batches(self, state: str) -> list[Sent]:
        with self.connection.cursor(row_factory=class_row(Sent)) as cursor:
            return cursor.execute(
                "select provider_batch_id, extractor_id, registry_hash, native_id, state::text"
                " from memory.provider_batch where tenant_id = %s"
                " and state = %s::memory.work_state order by made_at, provider_batch_id",
                (self.tenant_id, state),
            ).fetchall()

    def _dismiss(self, sent: Sent) -> int:
        return self.connection.execute(
            "update memory.provider_request set state = 'dismissed', code = 'dropped'"
            " where provider_batch_id = %s and state in ('open', 'running')",
            (sent.provider_batch_id,),
        ).rowcount

    def _end(self, sent: Sent, status: str, state: str) -> None:
        self.connection.execute(
            "update memory.provider_batch set status = %s, state = %s::memory.work_state,"
            " ended_at = clock_timestamp() where provider_batch_id = %s",
            (status, state, sent.provider_batch_id),
        )
        logger.info("provider batch %s: %s", sent.provider_batch_id, status)

    def _clean(self, report: BulkReport) -> None:
        """Have the provider delete the files of batches that ended."""
        rows = self.connection.execute(
            "select f.provider_file_id, f.native_id from memory.provider_file as f"
            " join memory.provider_batch as b using (provider_batch_id)"
            " where f.tenant_id = %s and f.state = 'open' and b.state in ('done', 'dismissed')"
            " order by f.made_at",
            (self.tenant_id,),
        ).fetchall()
        failed: ProviderError | None = None
        for provider_file_id, native_id in rows:
            try:
                self.provider.delete(native_id)
            except ProviderError as error:
                failed = error
                continue
            self.connection.execute(
                "update memory.provider_file set state = 'done', deleted_at = clock_timestamp()"
                " where provider_file_id = %s",
                (provider_file_id,),
            )
            report.n_files_deleted += 1
        if failed is not None:
            raise failed


def _name(sent: Sent) -> str:
    return f"memory-{sent.provider_batch_id}.jsonl"
