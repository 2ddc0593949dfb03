"""The extraction stage: from messages to statements, dialog by dialog.

For each dialog that gained a message, or whose last pass was another version's, every window is
hashed; those whose stored result is not the one in use are served from the store, or extracted.
What the new result has and the store lacks is appended; what it lacks is withdrawn, which acts
on the recorded clock alone. Model calls run outside of transactions.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID, uuid4

import psycopg
from pydantic import JsonValue

from memory_pipeline.bitemporal.batches import Batch, EpochMoved, alone, batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import registry_hash, registry_of
from memory_pipeline.bitemporal.statements import Normalise, Registered, Statement, StatementMaker
from memory_pipeline.bitemporal.store_statements import NewStatement, Quote, StatementStore
from memory_pipeline.bitemporal.tenants import Audiences, setting
from memory_pipeline.contracts.statement import Extraction
from memory_pipeline.governance.erasure.mentions import Forms
from memory_pipeline.governance.erasure.relearn import Relearning, without_words
from memory_pipeline.governance.erasure.suppress import Suppressions
from memory_pipeline.governance.erasure.undecided import is_decided_soon
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.ingest.quarantine import Refusal, quarantine
from memory_pipeline.understand.bulk_queue import BulkQueue
from memory_pipeline.understand.candidates import CANDIDATE, EarlierRegistries
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
    """Counts of a run of the stage. `n_undecided` windows say what a request would erase that may
    still be taken back: they are served once it is settled."""

    n_dialogs: int = 0
    n_windows: int = 0
    n_extracted: int = 0
    n_atoms: int = 0
    n_closures: int = 0
    n_withdrawn: int = 0
    n_failed: int = 0
    n_reviews: int = 0
    n_waiting: int = 0
    n_follow_ups: int = 0
    n_undecided: int = 0


@dataclass
class ExtractStage:
    """Runs extraction for one tenant over one connection of the ingest role. `queue`: what is left
    to a provider's batches of calls."""

    connection: psycopg.Connection
    tenant_id: int
    keys: Keys
    sealer: Sealer
    extractor: Extractor
    normalise: Normalise
    queue: BulkQueue | None = None
    report: ExtractReport = field(default_factory=ExtractReport)
    suppressions: Suppressions = field(init=False)

    def load_suppressions(self) -> None:
        """What was erased, as of now: at the start, and whenever the epoch moved."""
        self.suppressions = Suppressions.load(self.connection, self.keys, self.tenant_id)

    def run(
        self, *, day: date | None = None, progress: Callable[[int], None] | None = None
    ) -> ExtractReport:
        """Bring every dialog (of the files first seen on `day`, if given) up to the active
        extractor and registry. Does nothing at equal versions."""
        registry = registry_of(self.connection, self.tenant_id)
        version = Version(self.extractor_id(), registry_hash(self.keys, registry))
        earlier = EarlierRegistries(
            self.connection, self.keys, self.tenant_id, version.extractor_id, registry
        )
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
        self.load_suppressions()
        tz = str(setting(self.connection, self.tenant_id, "tz", "UTC"))
        undecided = []
        for dialog_id, _ in stale:
            n_before = self.report.n_undecided
            with alone(self.connection, f"extract {dialog_id}"):
                _DialogRun(self, dialog_id, registry, version, earlier, tz).run()
            self.report.n_dialogs += 1
            if self.report.n_undecided > n_before:
                undecided.append(dialog_id)
            if progress:
                progress(1)
        if undecided and is_decided_soon(self.connection, self.tenant_id):
            self.load_suppressions()
            self.report.n_undecided = 0
            for dialog_id in undecided:
                with alone(self.connection, f"extract {dialog_id}"):
                    _DialogRun(self, dialog_id, registry, version, earlier, tz).run()
        return self.report

    def extractor_id(self) -> int:
        """The id of the active extractor, which is registered if it is new."""
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
        earlier: EarlierRegistries,
        tz: str,
    ) -> None:
        self.stage = stage
        self.connection = stage.connection
        self.tenant_id = stage.tenant_id
        self.keys = stage.keys
        self.dialog_id = dialog_id
        self.registry = registry
        self.version = version
        self.earlier = earlier
        self.audiences = Audiences(stage.connection, stage.tenant_id)
        row = self.connection.execute(
            "select dialog_key, tz from memory.dialog where dialog_id = %s", (dialog_id,)
        ).fetchone()
        if row is None:
            raise LookupError("the dialog is gone")
        self.tz = str(row[1] or tz)
        maker = StatementMaker(stage.keys, stage.tenant_id, registry, stage.normalise)
        self.dialog_key = bytes(row[0])
        self.wanted = WantedStatements(self.connection, dialog_id, self.dialog_key, registry, maker)
        self.relearning = self._relearning()
        self.store = StatementStore(self.connection, self.tenant_id, self.keys, dialog_id)
        self.tag_audiences: Mapping[str, list[str]] = setting(
            self.connection, self.tenant_id, "tag_audiences", {}
        )

    def _relearning(self) -> Relearning:
        return Relearning(self.connection, self.stage.suppressions, self.dialog_key)

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
        carried = self.earlier.serving(planned)
        group: list[PlannedWindow] = []
        for windows in by_message.values():
            is_edited = any(w.last.edited_at is not None for w in windows)
            if not is_edited and all(
                self._is_served(w) or w.last.message_id in carried for w in windows
            ):
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
        while True:
            try:
                return self._serve_in(self.relearning.epoch, group)
            except EpochMoved:
                self.stage.load_suppressions()
                self.relearning = self._relearning()

    def _serve_in(self, epoch: int, group: Sequence[PlannedWindow]) -> bool:
        results, failures, n_waiting = self._results(group)
        with batch(self.connection, self.tenant_id, "extraction", epoch) as running:
            n_undecided = self._store(running, group, results)
            quarantine(
                self.connection,
                running,
                self.stage.sealer,
                [self._refusal(window, failure) for window, failure in failures],
            )
        self.stage.report.n_failed += len(failures)
        self.stage.report.n_waiting += n_waiting
        self.stage.report.n_undecided += n_undecided
        is_whole = not n_waiting and not n_undecided
        return not is_whole or any(failure.retryable for _, failure in failures)

    def _results(
        self, group: Sequence[PlannedWindow]
    ) -> tuple[dict[UUID, Result], list[tuple[PlannedWindow, ExtractionFailure]], int]:
        """Results by message, failures, and how many windows wait for a provider's batch."""
        known = stored_results(self.connection, self.tenant_id, self.version, self.earlier, group)
        missing = [window for window in group if window.window_hash not in known]
        left: dict[bytes, bool] = {}
        if self.stage.queue is not None:
            left = self.stage.queue.left(self.version, missing, self.audiences)
            missing = [window for window in missing if window.window_hash not in left]
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
        return (
            {
                window.last.message_id: known[window.window_hash]
                for window in group
                if window.window_hash in known
            },
            failures,
            sum(left.values()),
        )

    def _store(
        self, running: Batch, group: Sequence[PlannedWindow], results: Mapping[UUID, Result]
    ) -> int:
        """Stores what the windows give; returns how many were left for later, since a request may
        still be taken back that would erase what they say."""
        served = [window for window in group if window.last.message_id in results]
        wanted = self.wanted.of(
            served, {message_id: result.answer for message_id, result in results.items()}
        )
        standing = self.store.standing([window.last.message_id for window in served])
        barred: dict[UUID, list[Quote]] = defaultdict(list)
        undecided = self._undecided(served, wanted)
        for window in undecided:
            for statement in wanted[window.last.message_id]:
                scope = self.relearning.scope_of(statement.draft, window)
                if scope is not None and (
                    statement.statement_hash not in standing[window.last.message_id]
                ):
                    barred[scope.suppression_id] += _quotes(window, statement)
        served = [window for window in served if window not in undecided]
        standing = {window.last.message_id: standing[window.last.message_id] for window in served}
        new = []
        for window in served:
            erased = self.relearning.gone(window, results[window.last.message_id].answer)
            for statement in wanted[window.last.message_id]:
                if statement.statement_hash in standing[window.last.message_id]:
                    continue
                scope = self.relearning.scope_of(statement.draft, window)
                if scope is not None:
                    barred[scope.suppression_id] += _quotes(window, statement)
                    continue
                new.append(
                    NewStatement(
                        _without_words(statement, erased),
                        results[window.last.message_id].extraction_id,
                        self._audience(window, statement),
                        _quotes(window, statement),
                    )
                )
        kept_by_redaction = self.relearning.redacted(served)
        gone = [
            statement_id
            for message_id, statements in standing.items()
            for statement_hash, statement_id in statements.items()
            if statement_hash not in {s.statement_hash for s in wanted[message_id]}
            and message_id not in kept_by_redaction
        ]
        results = {window.last.message_id: self._let_through(window, results) for window in served}
        keep_results(self.connection, running, self.version, self.audiences, served, results)
        n_atoms, n_closures = self.store.append(running, new)
        report = self.stage.report
        report.n_atoms += n_atoms
        report.n_closures += n_closures
        report.n_withdrawn += self.store.withdraw(running, gone)
        report.n_follow_ups += self.relearning.follow_up(barred)
        self._review(running, served, results)
        return len(undecided)

    def _undecided(
        self, served: Sequence[PlannedWindow], wanted: Mapping[UUID, Sequence[Statement]]
    ) -> list[PlannedWindow]:
        """Windows with a statement in the scope of a request that may still be taken back: what
        would be stored of them now could not be put right then."""
        if self.relearning.are_settled:
            return []
        return [
            window
            for window in served
            if any(
                scope is not None and not scope.is_settled
                for statement in wanted[window.last.message_id]
                for scope in (self.relearning.scope_of(statement.draft, window),)
            )
        ]

    def _let_through(self, window: PlannedWindow, results: Mapping[UUID, Result]) -> Result:
        result = results[window.last.message_id]
        return replace(result, answer=self.relearning.let_through(window, result.answer))

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

    def _review(
        self, running: Batch, served: Sequence[PlannedWindow], results: Mapping[UUID, Result]
    ) -> None:
        """Candidates for new predicates and flagged windows go before a person."""
        rows = [
            (
                uuid4(),
                window.last.audience_id,
                kind,
                window.last.message_id,
                self.keys.of("review", kind, window.last.message_key, repr(item)),
                item,
            )
            for window in served
            for kind, item in self._doubtful(results[window.last.message_id].answer)
        ]
        if not rows:
            return
        review_ids, audience_ids, kinds, message_ids, item_keys, items = zip(*rows, strict=True)
        added = self.connection.execute(
            "insert into memory.review (review_id, tenant_id, audience_id, batch_id, kind,"
            " message_id, item_key)"
            " select review_id, %s, audience_id, %s, kind, message_id, item_key"
            " from unnest(%s::uuid[], %s::int[], %s::text[], %s::uuid[], %s::bytea[])"
            " as new (review_id, audience_id, kind, message_id, item_key)"
            " on conflict (tenant_id, kind, item_key) do nothing returning review_id",
            (
                self.tenant_id,
                running.batch_id,
                *map(list, (review_ids, audience_ids, kinds, message_ids, item_keys)),
            ),
        ).fetchall()
        is_new = {row[0] for row in added}
        writing = running.content(self.connection)
        self.stage.report.n_reviews += insert_rows(
            self.connection,
            "review_content",
            ("review_id", "audience_id", "item"),
            (
                (review_id, audience_id, writing.json("review_content", "item", review_id, item))
                for review_id, audience_id, item in zip(
                    review_ids, audience_ids, items, strict=True
                )
                if review_id in is_new
            ),
        )

    def _doubtful(self, answer: Extraction) -> list[tuple[str, dict[str, JsonValue]]]:
        """What of an answer a person should look at, by the kind of review."""
        return [
            (CANDIDATE, {"predicate": a.predicate, "object": a.object, "text": a.text})
            for a in answer.atoms
            if a.is_candidate or a.predicate not in self.registry
        ] + [(f"flag_{flag}", {"flag": flag}) for flag in answer.flags]

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


def _without_words(statement: Statement, erased: Forms) -> Statement:
    if not erased:
        return statement
    return replace(statement, draft=without_words(statement.draft, erased))


def _quotes(window: PlannedWindow, statement: Statement) -> tuple[Quote, ...]:
    return tuple(
        Quote(window.turns[-1 - span.back].message_id, span.start, span.end)
        for span in statement.spans
        if span.back < len(window.turns)
    )
