"""The extraction stage: from messages to statements, dialog by dialog.

For each dialog that gained a message, or whose last pass was another version's, every window is
hashed; those whose stored result is not the one in use are served from the store, or extracted.
What the new result has and the store lacks is appended; what it lacks is withdrawn, which acts
on the recorded clock alone. Model calls run outside of transactions.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import Batch, batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys, normal_name
from memory_pipeline.bitemporal.registry import registry_hash, registry_of
from memory_pipeline.bitemporal.statements import (
    ATOM_COLUMNS,
    CLOSURE_COLUMNS,
    Normalise,
    Registered,
    Statement,
    StatementMaker,
    Subject,
    Told,
    content_row,
    statement_row,
)
from memory_pipeline.bitemporal.tenants import Audiences, setting
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft, Extraction, SubjectRef
from memory_pipeline.contracts.vocabulary import Origin, Role
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.ingest.quarantine import Refusal, quarantine
from memory_pipeline.understand.interface import ExtractionFailure, Extractor
from memory_pipeline.understand.windows import (
    PlannedWindow,
    Turn,
    dialog_turns,
    fill_windows,
    plan_windows,
    read_sql,
)

EXTRACT_WINDOWS = 512
"""How many windows are read, extracted and kept in memory together."""

_ORIGIN = {
    Role.user: Origin.user,
    Role.tool: Origin.tool,
    Role.assistant: Origin.assistant,
    Role.system: Origin.assistant,
}

logger = logging.getLogger(__name__)


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


@dataclass(frozen=True)
class _Result:
    """A window's stored result: the row's id, or a new one with its answer."""

    extraction_id: UUID
    answer: Extraction
    is_new: bool


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
        offered = registry_hash(self.keys, registry)
        extractor_id = self._extractor_id()
        stale = self.connection.execute(
            read_sql("stale_dialogs.sql").encode(),
            {
                "tenant_id": self.tenant_id,
                "extractor_id": extractor_id,
                "registry_hash": offered,
                "day": day,
            },
        ).fetchall()
        if not stale:
            return self.report
        tz = str(setting(self.connection, self.tenant_id, "tz", "UTC"))
        for dialog_id, _ in stale:
            _DialogRun(self, dialog_id, registry, offered, extractor_id, tz).run()
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
        offered: bytes,
        extractor_id: int,
        tz: str,
    ) -> None:
        self.stage = stage
        self.connection = stage.connection
        self.tenant_id = stage.tenant_id
        self.keys = stage.keys
        self.dialog_id = dialog_id
        self.registry = registry
        self.offered = offered
        self.extractor_id = extractor_id
        self.maker = StatementMaker(stage.keys, stage.tenant_id, registry, stage.normalise)
        self.audiences = Audiences(stage.connection, stage.tenant_id)
        row = self.connection.execute(
            "select dialog_key, tz from memory.dialog where dialog_id = %s", (dialog_id,)
        ).fetchone()
        if row is None:
            raise LookupError("the dialog is gone")
        self.dialog_key = bytes(row[0])
        self.tz = str(row[1] or tz)
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
                        self.extractor_id,
                        self.offered,
                        seen_batch_no,
                    ),
                )

    def _groups(self, planned: Sequence[PlannedWindow]) -> Iterable[list[PlannedWindow]]:
        """Windows to serve, in bounded groups; all revisions of a message together, since what
        an edit takes back depends on what stood before it."""
        by_message: dict[bytes, list[PlannedWindow]] = defaultdict(list)
        for window in planned:
            by_message[window.last.message_key].append(window)
        group: list[PlannedWindow] = []
        for windows in by_message.values():
            if all(w.is_served(self.extractor_id, self.offered) for w in windows):
                continue
            group += windows
            if len(group) >= EXTRACT_WINDOWS:
                yield group
                group = []
        if group:
            yield group

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
    ) -> tuple[dict[UUID, _Result], list[tuple[PlannedWindow, ExtractionFailure]]]:
        stored = self.connection.execute(
            "select x.window_hash, x.extraction_id, c.answer from memory.extraction as x"
            " join memory.extraction_content as c using (extraction_id)"
            " where x.tenant_id = %s and x.extractor_id = %s and x.registry_hash = %s"
            " and x.window_hash = any(%s)",
            (self.tenant_id, self.extractor_id, self.offered, [w.window_hash for w in group]),
        ).fetchall()
        known = {
            bytes(window_hash): _Result(extraction_id, Extraction.model_validate(answer), False)
            for window_hash, extraction_id, answer in stored
        }
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
                known[window.window_hash] = _Result(uuid4(), answer, True)
        return {
            window.last.message_id: known[window.window_hash]
            for window in group
            if window.window_hash in known
        }, failures

    def _store(
        self, running: Batch, group: Sequence[PlannedWindow], results: Mapping[UUID, _Result]
    ) -> None:
        served = [window for window in group if window.last.message_id in results]
        wanted = self._wanted(served, results)
        active = self._active([window.last.message_id for window in served])
        new: list[tuple[Statement, UUID, int]] = []
        for window in served:
            message_id = window.last.message_id
            result = results[message_id]
            new += [
                (statement, result.extraction_id, self._audience(window, statement))
                for statement in wanted[message_id]
                if statement.statement_hash not in active[message_id]
            ]
        self._insert_extractions(running, served, results)
        entity_ids = self._entity_ids(running, [statement for statement, _, _ in new])
        self._insert_statements(running, new, entity_ids, {w.last.message_id: w for w in served})
        self._withdraw(running, wanted, active)
        self._review(running, served, results)

    def _wanted(
        self, served: Sequence[PlannedWindow], results: Mapping[UUID, _Result]
    ) -> dict[UUID, list[Statement]]:
        """The statements that each message should have: an edit says only what is new in it, and
        takes back what it no longer says."""
        wanted: dict[UUID, list[Statement]] = {}
        before: dict[bytes, list[Statement]] = {}
        for window in served:
            last = window.last
            said = self._said(window, results[last.message_id].answer)
            earlier = before.get(last.message_key)
            before[last.message_key] = said
            if earlier is not None:
                now, then = {s.meaning for s in said}, {s.meaning for s in earlier}
                told = self._told(last)
                unsaid = [self.maker.taken_back(s, told) for s in earlier if s.meaning not in now]
                said = [s for s in said if s.meaning not in then]
                said = [s for s in unsaid if s is not None] + said
            wanted[last.message_id] = said
        return wanted

    def _said(self, window: PlannedWindow, answer: Extraction) -> list[Statement]:
        labels = self._labels
        by_hash: dict[bytes, Statement] = {}
        told = self._told(window.last)
        drafts: list[AtomDraft | ClosureDraft] = [*answer.atoms, *answer.closures]
        for draft in drafts:
            if draft.predicate not in self.registry or getattr(draft, "is_candidate", False):
                continue
            subject = self._subject(draft.subject, window, labels)
            thing = self._object_entity(draft)
            try:
                statement = self.maker.make(draft, told, subject, thing)
            except ValueError:
                continue
            by_hash.setdefault(statement.statement_hash, statement)
        return list(by_hash.values())

    def _told(self, last: Turn) -> Told:
        return Told(
            message_id=last.message_id,
            message_key=last.message_key,
            edited_at=last.edited_at,
            told_at=last.told_at,
            ordinal=last.ordinal or 0,
            origin=Origin.quoted if last.is_quoted else _ORIGIN[Role(last.role)],
            lang=last.lang,
            audience_id=last.audience_id,
        )

    @property
    def _labels(self) -> Mapping[UUID, set[str]]:
        """Normal forms of the speakers' labels in this dialog."""
        if not hasattr(self, "_label_cache"):
            labels: dict[UUID, set[str]] = defaultdict(set)
            rows = self.connection.execute(
                "select e.entity_id, n.name from memory.entity as e"
                " join memory.name_content as n using (entity_id)"
                " where e.dialog_id = %s and e.kind = 'speaker' and n.form = 'label'",
                (self.dialog_id,),
            ).fetchall()
            for entity_id, name in rows:
                labels[entity_id].add(normal_name(name))
            self._label_cache = labels
        return self._label_cache

    def _subject(
        self, ref: SubjectRef, window: PlannedWindow, labels: Mapping[UUID, set[str]]
    ) -> Subject:
        normal = normal_name(ref.name)
        if ref.is_speaker:
            for turn in reversed(window.turns):
                if normal in labels.get(turn.speaker_id, ()):
                    is_own = turn.speaker_id == window.last.speaker_id
                    return Subject(turn.speaker_key, turn.speaker_id, ref.name, is_own)
        return self.maker.mention(self.dialog_key, ref.name, normal)

    def _object_entity(self, draft: AtomDraft | ClosureDraft) -> Subject | None:
        """The person that a `person` predicate's object names ("kind: name")."""
        predicate = self.registry[draft.predicate].predicate
        if predicate.value_type != "person" or not isinstance(draft, AtomDraft):
            return None
        name = str(draft.object).rpartition(":")[2].strip()
        return self.maker.mention(self.dialog_key, name, normal_name(name)) if name else None

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

    def _active(self, message_ids: Sequence[UUID]) -> dict[UUID, dict[bytes, UUID]]:
        """Hashes and ids of the machine's statements that stand for each message."""
        active: dict[UUID, dict[bytes, UUID]] = defaultdict(dict)
        rows = self.connection.execute(
            "select s.message_id, s.statement_hash, s.statement_id from ("
            "  select message_id, statement_hash, atom_id as statement_id, author"
            "  from memory.atom where message_id = any(%(ids)s)"
            "  union all"
            "  select message_id, statement_hash, closure_id, author"
            "  from memory.closure where message_id = any(%(ids)s)"
            " ) as s where s.author is null and not exists ("
            "  select from memory.withdrawal as w where w.statement_id = s.statement_id)",
            {"ids": list(message_ids)},
        ).fetchall()
        for message_id, statement_hash, statement_id in rows:
            active[message_id][bytes(statement_hash)] = statement_id
        return active

    def _insert_extractions(
        self, running: Batch, served: Sequence[PlannedWindow], results: Mapping[UUID, _Result]
    ) -> None:
        fresh = {
            results[w.last.message_id].extraction_id: (
                w.last.message_id,
                w.window_hash,
                self.audiences.union(*{turn.audience_id for turn in w.turns}),
                results[w.last.message_id].answer,
            )
            for w in served
            if results[w.last.message_id].is_new
        }
        insert_rows(
            self.connection,
            "extraction",
            [
                "extraction_id",
                "tenant_id",
                "audience_id",
                "batch_id",
                "message_id",
                "window_hash",
                "extractor_id",
                "registry_hash",
            ],
            (
                (
                    extraction_id,
                    self.tenant_id,
                    audience_id,
                    running.batch_id,
                    message_id,
                    window_hash,
                    self.extractor_id,
                    self.offered,
                )
                for extraction_id, (message_id, window_hash, audience_id, _) in fresh.items()
            ),
        )
        insert_rows(
            self.connection,
            "extraction_content",
            ("extraction_id", "audience_id", "answer"),
            (
                (extraction_id, audience_id, Jsonb(answer.model_dump(mode="json")))
                for extraction_id, (_, _, audience_id, answer) in fresh.items()
            ),
        )
        insert_rows(
            self.connection,
            "extraction_use",
            ("message_id", "extraction_id", "audience_id", "batch_id"),
            (
                (
                    w.last.message_id,
                    results[w.last.message_id].extraction_id,
                    w.last.audience_id,
                    running.batch_id,
                )
                for w in served
                if not w.is_served(self.extractor_id, self.offered)
            ),
        )

    def _entity_ids(self, running: Batch, statements: Sequence[Statement]) -> dict[bytes, UUID]:
        """Ids of all entities named, with rows for the mentions that are new."""
        named = {
            subject.entity_key: subject
            for statement in statements
            for subject in (statement.subject, statement.object_entity)
            if subject is not None
        }
        ids = {key: s.entity_id for key, s in named.items() if s.entity_id is not None}
        mentions = [subject for key, subject in named.items() if key not in ids]
        if not mentions:
            return ids
        insert_rows(
            self.connection,
            "entity",
            ["entity_id", "tenant_id", "batch_id", "kind", "dialog_id", "entity_key"],
            (
                (uuid4(), self.tenant_id, running.batch_id, "mention", self.dialog_id, m.entity_key)
                for m in mentions
            ),
            skip_known=True,
        )
        rows = self.connection.execute(
            "select entity_key, entity_id from memory.entity"
            " where tenant_id = %s and entity_key = any(%s)",
            (self.tenant_id, [mention.entity_key for mention in mentions]),
        ).fetchall()
        ids |= {bytes(key): entity_id for key, entity_id in rows}
        insert_rows(
            self.connection,
            "name_content",
            ("name_id", "entity_id", "form", "name", "lookup"),
            (
                (
                    uuid4(),
                    ids[mention.entity_key],
                    "label",
                    mention.name,
                    self.keys.name(self.tenant_id, mention.name),
                )
                for mention in mentions
            ),
            skip_known=True,
        )
        return ids

    def _insert_statements(
        self,
        running: Batch,
        new: Sequence[tuple[Statement, UUID, int]],
        entity_ids: Mapping[bytes, UUID],
        windows: Mapping[UUID, PlannedWindow],
    ) -> None:
        secrets = self._secret_uses([s.told.message_id for s, _, _ in new if s.told.message_id])
        new = [
            (replace(s, secret_id=secrets.get((s.told.message_id, str(s.draft.object)))), x, a)
            for s, x, a in new
        ]
        for table, columns, is_atom in (
            ("atom", ATOM_COLUMNS, True),
            ("closure", CLOSURE_COLUMNS, False),
        ):
            chosen = [item for item in new if item[0].is_atom is is_atom]
            n_added = insert_rows(
                self.connection,
                table,
                columns,
                (
                    statement_row(
                        statement,
                        tenant_id=self.tenant_id,
                        batch_id=running.batch_id,
                        audience_id=audience_id,
                        extraction_id=extraction_id,
                        entity_ids=entity_ids,
                    )
                    for statement, extraction_id, audience_id in chosen
                ),
            )
            insert_rows(
                self.connection,
                f"{table}_content",
                (f"{table}_id", "subject_id", "audience_id", "object", "text"),
                (content_row(statement, audience, entity_ids) for statement, _, audience in chosen),
            )
            if is_atom:
                self.stage.report.n_atoms += n_added
            else:
                self.stage.report.n_closures += n_added
        insert_rows(
            self.connection,
            "evidence",
            ["statement_id", "message_id", "audience_id", "batch_id", "span_start", "span_end"],
            (
                (
                    statement.statement_id,
                    window.turns[-1 - span.back].message_id,
                    audience_id,
                    running.batch_id,
                    span.start,
                    span.end,
                )
                for statement, _, audience_id in new
                if statement.told.message_id is not None
                for window in [windows[statement.told.message_id]]
                for span in statement.spans
                if span.back < len(window.turns)
            ),
            skip_known=True,
        )

    def _secret_uses(self, message_ids: Sequence[UUID]) -> dict[tuple[UUID | None, str], UUID]:
        """Secrets by message and the mask that stands for them, where the mask is unambiguous."""
        rows = self.connection.execute(
            "select u.message_id, '[' || upper(s.type) || ']', min(s.secret_id::text)::uuid"
            " from memory.secret_use as u join memory.secret as s using (secret_id)"
            " where u.message_id = any(%s)"
            " group by u.message_id, s.type having count(distinct s.secret_id) = 1",
            (list(message_ids),),
        ).fetchall()
        return {(message_id, mask): secret_id for message_id, mask, secret_id in rows}

    def _withdraw(
        self,
        running: Batch,
        wanted: Mapping[UUID, Sequence[Statement]],
        active: Mapping[UUID, Mapping[bytes, UUID]],
    ) -> None:
        gone = [
            statement_id
            for message_id, statements in active.items()
            for statement_hash, statement_id in statements.items()
            if statement_hash not in {s.statement_hash for s in wanted[message_id]}
        ]
        cursor = self.connection.execute(
            "insert into memory.withdrawal (statement_id, tenant_id, audience_id, batch_id, reason)"
            " select s.statement_id, %(tenant_id)s, s.audience_id, %(batch_id)s, 'extraction'"
            " from ("
            "  select atom_id as statement_id, audience_id from memory.atom"
            "  where atom_id = any(%(ids)s)"
            "  union all"
            "  select closure_id, audience_id from memory.closure where closure_id = any(%(ids)s)"
            " ) as s"
            " where not exists ("
            "  select from memory.tombstone as t where t.atom_id = s.statement_id)"
            " on conflict (statement_id) do nothing",
            {"tenant_id": self.tenant_id, "batch_id": running.batch_id, "ids": gone},
        )
        self.stage.report.n_withdrawn += cursor.rowcount

    def _review(
        self, running: Batch, served: Sequence[PlannedWindow], results: Mapping[UUID, _Result]
    ) -> None:
        """Candidates for new predicates and flagged windows go before a person."""
        for window in served:
            message_id, key = window.last.message_id, window.last.message_key
            answer = results[message_id].answer
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
                        message_id,
                        self.keys.of("review", kind, key, repr(item)),
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
                "refused window", window.window_hash, self.extractor_id, self.offered, failure.code
            ),
            message_id=window.last.message_id,
        )

    def _join_mentions(self, running: Batch) -> None:
        """A mention of a dialog that bears a speaker's label in it is that speaker."""
        self.connection.execute(
            read_sql("join_mentions.sql").encode(),
            {
                "tenant_id": self.tenant_id,
                "batch_id": running.batch_id,
                "dialog_id": self.dialog_id,
            },
        )
