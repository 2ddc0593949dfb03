"""The extraction stage: from messages to statements, dialog by dialog.

For each dialog that gained a message, or whose last pass was another version's, every window is
hashed; those whose stored result is not the one in use are served from the store, or extracted.
What the new result has and the store lacks is appended; what it lacks is withdrawn, which acts
on the recorded clock alone. Model calls run outside of transactions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import Batch, alone, batch
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import registry_hash, registry_of
from memory_pipeline.bitemporal.statements import Normalise, Registered, Statement, StatementMaker
from memory_pipeline.bitemporal.store_statements import NewStatement, Quote, StatementStore
from memory_pipeline.bitemporal.tenants import Audiences, setting
from memory_pipeline.contracts.statement import Extraction
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.ingest.quarantine import Refusal, quarantine
from memory_pipeline.understand.interface import ExtractionFailure, Extractor
from memory_pipeline.understand.results import Result, Version, keep_results, stored_results
from memory_pipeline.understand.wanted import WantedStatements
from memory_pipeline.understand.windows import (
    PlannedWindow,
    dialog_turns,
    fill_windows,
    plan_windows,
    read_sql,
)

EXTRACT_WINDOWS = 512
"""How many windows are read, extracted and kept in memory together."""


@dataclass
class ExtractReport:
    """Counts of a run of the stage."""

    n_dialogs: int = 0
    n_windows: int = 0
    n_extracted: int = 0
    n_atoms: int = 0
    n_closures: int = 0
    n_withdrawn: int = 0
    n_failed: int = 0
    n_reviews: int = 0


@dataclass
class ExtractStage:
    """Runs extraction for one tenant over one connection of the ingest role."""

    connection: psycopg.Connection
    tenant_id: int
    keys: Keys
    sealer: Sealer
    extractor: Extractor
    normalise: Normalise
    report: ExtractReport = field(default_factory=ExtractReport)

    def run(
        self, *, day: date | None = None, progress: Callable[[int], None] | None = None
    ) -> ExtractReport:
        """Bring every dialog (of the files first seen on `day`, if given) up to the active
        extractor and registry. Does nothing at equal versions."""
        registry = registry_of(self.connection, self.tenant_id)
        version = Version(self._extractor_id(), registry_hash(self.keys, registry))
        stale = self.connection.execute(
            read_sql("stale_dialogs.sql").encode(),
            {
                "tenant_id": self.tenant_id,
                "extractor_id": version.extractor_id,
                "registry_hash": version.registry_hash,
                "day": day,
            },
        ).fetchall()
        if not stale:
            return self.report
        tz = str(setting(self.connection, self.tenant_id, "tz", "UTC"))
        for dialog_id, _ in stale:
            with alone(self.connection, f"extract {dialog_id}"):
                _DialogRun(self, dialog_id, registry, version, tz).run()
            self.report.n_dialogs += 1
            if progress:
                progress(1)
        return self.report

    def _extractor_id(self) -> int:
        extractor = self.extractor
        identity = (
            extractor.name,
            extractor.version,
            extractor.model,
            extractor.prompt_hash,
        )
        self.connection.execute(
            "insert into memory.extractor (name, version, model, prompt_hash)"
            " values (%s, %s, %s, %s) on conflict do nothing",
            identity,
        )
        row = self.connection.execute(
            "select extractor_id from memory.extractor where (name, version, model, prompt_hash)"
            " = (%s, %s, %s, %s)",
            identity,
        ).fetchone()
        if row is None:
            raise RuntimeError("the extractor was not registered")
        return int(row[0])


class _DialogRun:
    """One pass over one dialog."""

    def __init__(
        self,
        stage: ExtractStage,
        dialog_id: UUID,
        registry: Mapping[str, Registered],
        version: Version,
        tz: str,
    ) -> None:
        self.stage = stage
        self.connection = stage.connection
        self.tenant_id = stage.tenant_id
        self.keys = stage.keys
        self.dialog_id = dialog_id
        self.registry = registry
        self.version = version
        self.audiences = Audiences(stage.connection, stage.tenant_id)
        row = self.connection.execute(
            "select dialog_key, tz from memory.dialog where dialog_id = %s", (dialog_id,)
        ).fetchone()
        if row is None:
            raise LookupError("the dialog is gone")
        self.tz = str(row[1] or tz)
        maker = StatementMaker(stage.keys, stage.tenant_id, registry, stage.normalise)
        self.wanted = WantedStatements(self.connection, dialog_id, bytes(row[0]), registry, maker)
        self.store = StatementStore(self.connection, self.tenant_id, self.keys, dialog_id)
        self.tag_audiences: Mapping[str, list[str]] = setting(
            self.connection, self.tenant_id, "tag_audiences", {}
        )

    def run(self) -> None:
        seen = self.connection.execute("select memory.batch_at(null)").fetchone()
        seen_batch_no = int(seen[0]) if seen else 0
        turns = dialog_turns(self.connection, self.dialog_id)
        planned = list(plan_windows(self.keys, turns, self.stage.extractor.window_size))
        self.stage.report.n_windows += len(planned)
        retry_later = False
        for group in self._groups(planned):
            retry_later |= self._serve(group)
        with batch(self.connection, self.tenant_id, "pass") as running:
            self.stage.report.n_withdrawn += self.store.withdraw_orphans(running)
            self._join_mentions(running)
            if not retry_later:
                self.connection.execute(
                    "insert into memory.extraction_pass (tenant_id, batch_id, dialog_id,"
                    " extractor_id, registry_hash, seen_batch_no)"
                    " values (%s, %s, %s, %s, %s, %s)",
                    (
                        self.tenant_id,
                        running.batch_id,
                        self.dialog_id,
                        self.version.extractor_id,
                        self.version.registry_hash,
                        seen_batch_no,
                    ),
                )

    def _groups(self, planned: Sequence[PlannedWindow]) -> Iterable[list[PlannedWindow]]:
        """Windows to serve, in bounded groups; all revisions of a message together, since what
        an edit takes back depends on what stood before it. For the same reason an edited message
        is served in every pass: the revision before it may have been withdrawn."""
        by_message: dict[bytes, list[PlannedWindow]] = defaultdict(list)
        for window in planned:
            by_message[window.last.message_key].append(window)
        group: list[PlannedWindow] = []
        for windows in by_message.values():
            is_edited = any(w.last.edited_at is not None for w in windows)
            if not is_edited and all(self._is_served(w) for w in windows):
                continue
            group += windows
            if len(group) >= EXTRACT_WINDOWS:
                yield group
                group = []
        if group:
            yield group

    def _is_served(self, window: PlannedWindow) -> bool:
        return window.is_served(self.version.extractor_id, self.version.registry_hash)

    def _serve(self, group: Sequence[PlannedWindow]) -> bool:
        """Extract and store a group; returns whether some window should be tried again later."""
        results, failures = self._results(group)
        with batch(self.connection, self.tenant_id, "extraction") as running:
            self._store(running, group, results)
            quarantine(
                self.connection,
                running,
                self.stage.sealer,
                [self._refusal(window, failure) for window, failure in failures],
            )
        self.stage.report.n_failed += len(failures)
        return any(failure.retryable for _, failure in failures)

    def _results(
        self, group: Sequence[PlannedWindow]
    ) -> tuple[dict[UUID, Result], list[tuple[PlannedWindow, ExtractionFailure]]]:
        known = stored_results(self.connection, self.tenant_id, self.version, group)
        missing = [window for window in group if window.window_hash not in known]
        windows = fill_windows(self.connection, missing, self.tz)
        predicates = [entry.predicate for entry in self.registry.values()]
        answers = self.stage.extractor.extract(windows, predicates) if windows else []
        self.stage.report.n_extracted += len(windows)
        failures = []
        for window, answer in zip(missing, answers, strict=True):
            if isinstance(answer, ExtractionFailure):
                failures.append((window, answer))
            else:
                known[window.window_hash] = Result(uuid4(), answer, True)
        return {
            window.last.message_id: known[window.window_hash]
            for window in group
            if window.window_hash in known
        }, failures

    def _store(
        self, running: Batch, group: Sequence[PlannedWindow], results: Mapping[UUID, Result]
    ) -> None:
        served = [window for window in group if window.last.message_id in results]
        answers = {message_id: result.answer for message_id, result in results.items()}
        wanted = self.wanted.of(served, answers)
        standing = self.store.standing([window.last.message_id for window in served])
        new = [
            NewStatement(
                statement,
                results[window.last.message_id].extraction_id,
                self._audience(window, statement),
                _quotes(window, statement),
            )
            for window in served
            for statement in wanted[window.last.message_id]
            if statement.statement_hash not in standing[window.last.message_id]
        ]
        gone = [
            statement_id
            for message_id, statements in standing.items()
            for statement_hash, statement_id in statements.items()
            if statement_hash not in {s.statement_hash for s in wanted[message_id]}
        ]
        keep_results(self.connection, running, self.version, self.audiences, served, results)
        n_atoms, n_closures = self.store.append(running, new)
        report = self.stage.report
        report.n_atoms += n_atoms
        report.n_closures += n_closures
        report.n_withdrawn += self.store.withdraw(running, gone)
        for window in served:
            self._review(running, window, answers[window.last.message_id])

    def _audience(self, window: PlannedWindow, statement: Statement) -> int:
        """The union over the messages that the statement rests on, narrowed by tag policy."""
        rests_on = {
            window.turns[-1 - span.back].audience_id
            for span in statement.spans
            if span.back < len(window.turns)
        } | {window.last.audience_id}
        extra = [
            name
            for tag in statement.registered.predicate.tags
            for name in self.tag_audiences.get(tag, ())
        ]
        return self.audiences.union(*rests_on, extra=extra)

    def _review(self, running: Batch, window: PlannedWindow, answer: Extraction) -> None:
        """Candidates for new predicates and a flagged window go before a person."""
        items = [
            (
                "candidate_predicate",
                {"predicate": a.predicate, "object": a.object, "text": a.text},
            )
            for a in answer.atoms
            if a.is_candidate or a.predicate not in self.registry
        ] + [(f"flag_{flag}", {"flag": flag}) for flag in answer.flags]
        for kind, item in items:
            row = self.connection.execute(
                "insert into memory.review (review_id, tenant_id, audience_id, batch_id, kind,"
                " message_id, item_key) values (%s, %s, %s, %s, %s, %s, %s)"
                " on conflict (tenant_id, kind, item_key) do nothing returning review_id",
                (
                    uuid4(),
                    self.tenant_id,
                    window.last.audience_id,
                    running.batch_id,
                    kind,
                    window.last.message_id,
                    self.keys.of("review", kind, window.last.message_key, repr(item)),
                ),
            ).fetchone()
            if row is not None:
                self.stage.report.n_reviews += 1
                self.connection.execute(
                    "insert into memory.review_content (review_id, audience_id, item)"
                    " values (%s, %s, %s)",
                    (row[0], window.last.audience_id, Jsonb(item)),
                )

    def _refusal(self, window: PlannedWindow, failure: ExtractionFailure) -> Refusal:
        return Refusal(
            stage="extract",
            reason=failure.code,
            problem=failure.detail,
            record_key=self.keys.of(
                "refused window",
                window.window_hash,
                self.version.extractor_id,
                self.version.registry_hash,
                failure.code,
            ),
            message_id=window.last.message_id,
        )

    def _join_mentions(self, running: Batch) -> None:
        """A mention of a dialog that bears one speaker's label in it is that speaker."""
        bound = {
            "tenant_id": self.tenant_id,
            "batch_id": running.batch_id,
            "dialog_id": self.dialog_id,
        }
        self.connection.execute(read_sql("part_mentions.sql").encode(), bound)
        self.connection.execute(read_sql("join_mentions.sql").encode(), bound)


def _quotes(window: PlannedWindow, statement: Statement) -> tuple[Quote, ...]:
    return tuple(
        Quote(window.turns[-1 - span.back].message_id, span.start, span.end)
        for span in statement.spans
        if span.back < len(window.turns)
    )
