"""`Memory`: the store as one login sees it. The command line and programs use the same class."""

import contextlib
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import psycopg
from psycopg.rows import dict_row
from pydantic import JsonValue

from memory_pipeline.afm.compression import Compressor, ExtractiveCompressor, NoCompressor
from memory_pipeline.bitemporal import reading
from memory_pipeline.bitemporal.batches import entered, in_one_epoch
from memory_pipeline.bitemporal.history import difference, periods
from memory_pipeline.bitemporal.human import HumanStatements, target
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.moments import moment
from memory_pipeline.bitemporal.reading import AmbiguousDialog as AmbiguousDialog
from memory_pipeline.bitemporal.reading import Subject
from memory_pipeline.bitemporal.reading import UnknownDialog as UnknownDialog
from memory_pipeline.bitemporal.registry import registry_of
from memory_pipeline.bitemporal.tenants import Audiences, UnknownTenant
from memory_pipeline.bitemporal.texts import storable
from memory_pipeline.contracts.answer import Answers, Hit
from memory_pipeline.contracts.history import Change, Period
from memory_pipeline.contracts.snapshot import Levers, Snapshot, Strategy
from memory_pipeline.contracts.vocabulary import Precision, SensitiveClass
from memory_pipeline.governance.content_store import attach, content_store
from memory_pipeline.index.embedder import Embedder, make_embedder
from memory_pipeline.installation import DEFAULT_TENANT, ready
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services
from memory_pipeline.understand.registry import check_object, normalise_object

MOST_HITS = 1_000
MOST_TOKENS = 10_000_000

COMPRESSORS: dict[str, Callable[[], Compressor]] = {
    "extractive": ExtractiveCompressor,
    "none": NoCompressor,
}


class Memory:
    """One login's view of one tenant. Use it as a context manager.

    `audiences` may narrow what the login was granted, and never widen it. Times without an offset
    are in the tenant's zone.
    """

    def __init__(
        self,
        services: Services | None = None,
        *,
        login: str = OPERATOR,
        tenant: str = DEFAULT_TENANT,
        audiences: Sequence[str] | None = None,
    ) -> None:
        self.services = services or ready()
        self.login = login
        self.tenant = tenant
        self._stack = contextlib.ExitStack()
        self.connection = self._stack.enter_context(
            psycopg.connect(self.services.pg_dsn(login), autocommit=True)
        )
        attach(self.connection, self.services)
        self._set("memory.tenant", tenant)
        if audiences is not None:
            self._set("memory.audiences", ",".join(audiences) or "public")
        row = self.connection.execute(
            "select tenant_id from memory.tenant where name = %s", (tenant,)
        ).fetchone()
        if row is None:
            self._stack.close()
            raise UnknownTenant(tenant)
        self.tenant_id = int(row[0])
        self._set("TimeZone", self.tz)

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _set(self, name: str, value: str) -> None:
        self.connection.execute("select set_config(%s, %s, false)", (name, value))

    @cached_property
    def keys(self) -> Keys:
        """Keyed hashes of this installation."""
        return Keys(self.services.keyed_hash_key())

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the settings name."""
        return make_embedder(self.services.settings)

    @cached_property
    def tz(self) -> str:
        """The tenant's zone."""
        with self._writer() as connection:
            row = connection.execute(
                "select value from memory.tenant_setting where tenant_id = %s and name = 'tz'"
                " order by setting_id desc limit 1",
                (self.tenant_id,),
            ).fetchone()
        return "UTC" if row is None else str(row[0])

    def moment(self, text: str | date | None) -> datetime | None:
        """A moment from text, from a day (its local midnight), or from a time that may lack an
        offset, in the tenant's zone. Raises `ValueError`."""
        if isinstance(text, datetime):
            return text if text.tzinfo else text.replace(tzinfo=ZoneInfo(self.tz))
        return None if text is None else moment(str(text), self.tz)

    @contextlib.contextmanager
    def _writer(self) -> Any:
        with psycopg.connect(self.services.pg_dsn("mem_ingest"), autocommit=True) as connection:
            yield attach(connection, self.services)

    # ---------- reading

    def subject(self, name: str | None = None, entity_id: UUID | str | None = None) -> Subject:
        """The one person or thing of a name or entity id. Raises `UnknownSubject`,
        `AmbiguousSubject`, `ValueError`."""
        if entity_id is not None:
            return reading.subject_of(self.connection, UUID(str(entity_id)))
        if name is None:
            raise ValueError("give a name or an entity id")
        return reading.find_subject(self.connection, self.keys, self.tenant_id, name)

    def as_of(
        self,
        name: str | None = None,
        *,
        entity_id: UUID | str | None = None,
        predicate: str | None = None,
        valid_at: str | date | None = None,
        known_at: str | date | None = None,
        recorded_at: str | date | None = None,
    ) -> Answers:
        """What held of a subject at `valid_at`, as the agent was told by `known_at`, from what the
        store held at `recorded_at`; each defaults to now. A predicate narrows.

        Raises `UnknownSubject`, `AmbiguousSubject`, `UnknownPredicate`, `ValueError`.
        """
        now = datetime.now(ZoneInfo(self.tz))
        recorded = self.moment(recorded_at)
        batch_no = self.batch_at(recorded)
        if entity_id is not None:
            subject = reading.subject_of(self.connection, UUID(str(entity_id)), batch_no)
        elif name is not None:
            subject = reading.find_subject(
                self.connection, self.keys, self.tenant_id, name, batch_no
            )
        else:
            raise ValueError("give a name or an entity id")
        wanted = predicate and reading.predicate_id(self.connection, self.tenant_id, predicate)
        valid, known = self.moment(valid_at) or now, self.moment(known_at) or now
        return Answers(
            subject=subject.name,
            valid_at=valid,
            known_at=known,
            recorded_at=recorded,
            answers=tuple(
                reading.answers(self.connection, subject, wanted or None, valid, known, batch_no)
            ),
        )

    def history(
        self,
        name: str | None = None,
        *,
        entity_id: UUID | str | None = None,
        predicate: str | None = None,
        recorded_at: str | date | None = None,
    ) -> list[Period]:
        """All periods of a subject, valid x known. Raises as `as_of` does."""
        subject = self.subject(name, entity_id)
        wanted = predicate and reading.predicate_id(self.connection, self.tenant_id, predicate)
        batch_no = self.batch_at(self.moment(recorded_at))
        return periods(self.connection, subject, wanted or None, batch_no)

    def timeline(
        self, path: Path, name: str | None = None, *, entity_id: UUID | str | None = None
    ) -> None:
        """Draw a subject's history to a `.html` or `.png` file. Raises as `as_of` does, and
        `ValueError` where there is nothing to draw."""
        from memory_pipeline import timeline

        subject = self.subject(name, entity_id)
        found = periods(self.connection, subject, None, None)
        refs = reading.evidence(self.connection, [UUID(period.atom_id) for period in found])
        timeline.write(
            path,
            subject.name,
            found,
            {str(statement_id): known for statement_id, known in refs.items()},
            datetime.now(ZoneInfo(self.tz)),
        )

    def diff(
        self,
        known_from: str | date,
        known_to: str | date | None = None,
        name: str | None = None,
        *,
        entity_id: UUID | str | None = None,
        predicate: str | None = None,
    ) -> list[Change]:
        """What was learned, changed and taken back of a subject between two moments of knowledge;
        `known_to` defaults to now. Raises as `as_of` does."""
        earlier, later = self.moment(known_from), self.moment(known_to) or datetime.now(UTC)
        if earlier is None:
            raise ValueError("give the earlier moment")
        found = self.history(name, entity_id=entity_id, predicate=predicate)
        return difference(found, earlier, later)

    def batch_at(self, recorded_at: datetime | None) -> int | None:
        """The last batch recorded by a moment; None for now."""
        if recorded_at is None:
            return None
        row = self.connection.execute("select memory.batch_at(%s)", (recorded_at,)).fetchone()
        return int(row[0]) if row else 0

    def search(
        self,
        text: str,
        k: int = 10,
        *,
        valid_at: str | date | None = None,
        known_at: str | date | None = None,
    ) -> list[Hit]:
        """The `k` visible atoms and messages that fit `text` best, by meaning and by words.

        Of atoms only those that hold at `valid_at`, as known at `known_at` (defaults: now), and
        messages told by then. Raises `ValueError` for an empty text, and for a `k` that is not from
        1 to 1,000.
        """
        from memory_pipeline.index.search import hybrid

        if not storable(text, "the text").strip():
            raise ValueError("give some words to search for")
        if not 1 <= k <= MOST_HITS:
            raise ValueError(f"k is {k}; ask for 1 to {MOST_HITS} hits")
        now = datetime.now(ZoneInfo(self.tz))
        valid, known = self.moment(valid_at) or now, self.moment(known_at) or now
        found = hybrid(
            self.connection, self.embedder, text, max(4 * k, 40), tenant_id=self.tenant_id
        )
        scores = {hit.item_id: hit.score for hit in found}
        hits = [
            Hit(score=round(scores[row.pop("item_id")], 6), id=str(row.pop("shown_id")), **row)
            for row in self._described(list(scores), valid, known)
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:k]

    def texts(
        self,
        item_ids: Sequence[str],
        *,
        valid_at: str | date | None = None,
        known_at: str | date | None = None,
    ) -> dict[str, str]:
        """What some atoms and messages say, by id, of those that this login sees. Atoms that hold
        at `valid_at`, as known at `known_at`; each defaults to now."""
        now = datetime.now(UTC)
        valid, known = self.moment(valid_at) or now, self.moment(known_at) or now
        rows = self._described([UUID(item_id) for item_id in item_ids], valid, known)
        return {str(row["shown_id"]): row["text"] for row in rows}

    def _described(
        self, ids: Sequence[UUID], valid_at: datetime, known_at: datetime
    ) -> list[dict[str, Any]]:
        with self.connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(
                reading.read_sql("describe_hits.sql").encode(),
                {"ids": ids, "valid_at": valid_at, "known_at": known_at},
            ).fetchall()

    def dialog(self, name: str) -> UUID:
        """The store's id of a dialog, given that or the log's own. Raises `UnknownDialog`, `AmbiguousDialog`."""
        return reading.find_dialog(self.connection, self.keys, self.tenant_id, name)

    def _masked(self, text: str, dialog_id: UUID | None = None) -> str:
        """A text that somebody typed, as ingestion would store it: secrets come in through logs
        alone, which put them into Vault."""
        from memory_pipeline.governance.known_secrets import as_stored

        return as_stored(self.connection, self.keys, self.tenant_id, text, dialog_id)

    def neighbours(
        self,
        name: str | None = None,
        *,
        entity_id: UUID | str | None = None,
        depth: int = 1,
    ) -> dict[str, Any]:
        """Facts that hold now within `depth` steps of a subject in the graph, with names and values
        read from PostgreSQL under this login's rights: `{"subject", "facts": [{"fact_id",
        "subject", "predicate", "object", "depth", "valid_from", "valid_to"}]}`.

        Raises `UnknownSubject`, `AmbiguousSubject`, and what the graph's driver raises.
        """
        from memory_pipeline.index.graph import neighbours

        subject = self.subject(name, entity_id)
        audiences = self.connection.execute("select names from memory.audience").fetchall()
        with self.services.graph_driver() as driver:
            found = neighbours(
                driver,
                self.services.graph_database,
                subject.entity_ids,
                tenant_id=self.tenant_id,
                audiences=[row[0] for row in audiences],
                depth=depth,
                same=self._same,
            )
        depths = {fact.fact_id: fact.depth for fact in found}
        with self.connection.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(
                reading.read_sql("describe_facts.sql").encode(),
                {"ids": list(depths), "now": datetime.now(UTC)},
            ).fetchall()
        facts = [row | {"depth": depths[row["fact_id"]]} for row in rows]
        return {
            "subject": subject.name,
            "facts": sorted(
                (fact | {"fact_id": str(fact["fact_id"])} for fact in facts),
                key=lambda fact: (fact["depth"], fact["predicate"], fact["fact_id"]),
            ),
        }

    def _same(self, entity_ids: set[UUID]) -> set[UUID]:
        row = self.connection.execute(
            "select memory.component(%s::uuid[])", (list(entity_ids),)
        ).fetchone()
        return set(row[0]) if row and row[0] else set()

    # ---------- contexts

    def context(
        self,
        dialog: str,
        query: str,
        budget: int,
        *,
        valid_at: str | date | None = None,
        known_at: str | date | None = None,
        recorded_at: str | date | None = None,
        levers: Levers | None = None,
        strategy: Strategy | str = Strategy.ranked,
        compression: str = "extractive",
        allow_overflow: bool = False,
        read_epoch: int | None = None,
    ) -> Snapshot:
        """Pack what a model should see of a dialog and its people into `budget` tokens, and keep
        the snapshot with every item's score and reason. What is packed while something is fenced
        or erased is packed again.

        `read_epoch` is the tenant's epoch in which `query` was read from the store, if it was: it
        may be erased since, and `EpochMoved` is raised. Raises `CriticalBudgetError`,
        `UnknownDialog`, `AmbiguousDialog`, `ValueError`.
        """
        from memory_pipeline.afm import snapshots
        from memory_pipeline.afm.gather import gather
        from memory_pipeline.afm.packing import pack

        if compression not in COMPRESSORS:
            raise ValueError(f"no compression {compression!r}; known: {', '.join(COMPRESSORS)}")
        _check_context(query, budget)
        if strategy not in list(Strategy):
            raise ValueError(f"no strategy {str(strategy)!r}; known: {', '.join(Strategy)}")
        now = datetime.now(ZoneInfo(self.tz))
        valid, known = self.moment(valid_at) or now, self.moment(known_at) or now

        query = self._masked(query, self.dialog(dialog))

        def packed_in(epoch: int) -> Snapshot:
            dialog_id = self.dialog(dialog)
            batch_no = self.batch_at(self.moment(recorded_at))
            gathered = gather(
                self.connection,
                self.embedder,
                dialog_id,
                query,
                valid_at=valid,
                known_at=known,
                batch_no=batch_no,
            )
            packed = pack(
                gathered.candidates,
                query_lang=gathered.lang,
                budget=budget,
                levers=levers or Levers(),
                strategy=strategy,
                compressor=COMPRESSORS[compression](),
                allow_overflow=allow_overflow,
            )
            current = batch_no if batch_no is not None else self.batch_at(now)
            snapshot = Snapshot.of(
                packed,
                id=str(uuid4()),
                dialog_id=str(dialog_id),
                query_hash=self.keys.of("query", self.tenant_id, query).hex(),
                embedding_model=self.embedder.name,
                valid_at=valid,
                known_at=known,
                batch_no=current or 0,
            )
            told = {item.id for item in snapshot.items if item.is_told}
            with self._writer() as connection:
                snapshots.keep(
                    connection,
                    self.tenant_id,
                    self.login,
                    snapshot,
                    query,
                    [gathered.audience_ids[item_id] for item_id in sorted(told)],
                    epoch,
                )
            return snapshot

        if read_epoch is not None:
            return packed_in(read_epoch)
        return in_one_epoch(self.connection, self.tenant_id, packed_in)

    def request_context(self, dialog: str, query: str, budget: int) -> UUID:
        """Ask for a context to be packed by the pipeline later; returns the request's id.

        Raises `UnknownDialog`, `AmbiguousDialog`, `ValueError`.
        """
        _check_context(query, budget)
        dialog_id, request_id = self.dialog(dialog), uuid4()
        query = self._masked(query, dialog_id)
        with self._writer() as connection, entered(connection, self.tenant_id):
            audience_id = Audiences(connection, self.tenant_id).id_of(())
            connection.execute(
                "insert into memory.snapshot_request (request_id, tenant_id, audience_id,"
                " dialog_id, login, budget) values (%s, %s, %s, %s, %s, %s)",
                (request_id, self.tenant_id, audience_id, dialog_id, self.login, budget),
            )
            writing = content_store(connection).writing(self.tenant_id)
            stored = writing.text("snapshot_request_content", "query", request_id, query)
            writing.keep()
            connection.execute(
                "insert into memory.snapshot_request_content (request_id, audience_id, query)"
                " values (%s, %s, %s)",
                (request_id, audience_id, stored),
            )
        return request_id

    def export(self, snapshot: Snapshot, text: str, path: Path) -> UUID:
        """Write a rendering of a kept snapshot to a file that erasure knows of."""
        from memory_pipeline.afm import snapshots

        # of an erased snapshot the record stays, without content
        row = self.connection.execute(
            "select s.audience_id from memory.snapshot as s join memory.snapshot_content as c"
            " using (snapshot_id) where s.snapshot_id = %s",
            (UUID(snapshot.id),),
        ).fetchone()
        if row is None:
            raise LookupError(f"there is no snapshot {snapshot.id}")
        with self._writer() as connection:
            return snapshots.export(
                connection, self.tenant_id, self.login, UUID(snapshot.id), row[0], text, path
            )

    # ---------- human statements

    def show(self, atom_id: UUID | str) -> dict[str, Any]:
        """The chain of an atom: file, message, atom, what it supports, what was derived from it,
        the snapshots that carry it. Raises `UnknownAtom`."""
        from memory_pipeline.bitemporal.chain import chain

        return chain(self.connection, UUID(str(atom_id)))

    def remember(
        self,
        name: str | None,
        predicate: str,
        value: JsonValue,
        *,
        entity_id: UUID | str | None = None,
        valid_from: str | date | None = None,
        valid_to: str | date | None = None,
        precision: Precision = Precision.day,
        audiences: Sequence[str] = (),
        reason: str | None = None,
    ) -> UUID:
        """State a fact on this login's word, about a known subject or somebody new.

        Raises `AmbiguousSubject`, `UnknownPredicate`, `ValueError` for a value that does not fit the
        predicate's type too, `PermissionError` for an audience that the login itself may not read.
        """
        reading.predicate_id(self.connection, self.tenant_id, predicate)

        def state(human: HumanStatements) -> UUID:
            with self._writer() as connection:
                audience = Audiences(connection, self.tenant_id)
                audience_id = audience.id_of(audiences)
                known: UUID | None = None
                one_with: tuple[UUID, int] | None = None
                try:
                    subject = self.subject(name, entity_id)
                    known, shown = human.entity_for(subject.entity_ids, audience_id), subject.name
                    if known is None:
                        if name is None:
                            raise ValueError(
                                "that audience does not know this entity: give a name for it"
                            )
                        shown, behind = name, self._own_entity(subject)
                        seen_by = audience.union(audience_id, self._audience_of(behind))
                        one_with = behind, seen_by
                except reading.UnknownSubject:
                    if entity_id is not None or name is None:
                        raise
                    shown = name
            self.may_state(audience_id, name, value, reason)
            self._check_object(predicate, value)
            return human.add(
                shown,
                known,
                predicate,
                value,
                valid_from=self.moment(valid_from),
                valid_to=self.moment(valid_to),
                precision=precision,
                audience_id=audience_id,
                reason=reason,
                one_with=one_with,
            )

        return self._stated(state)

    def join(
        self,
        entity_id: UUID | str,
        other_id: UUID | str,
        *,
        is_same: bool = True,
        audiences: Sequence[str] = (),
        reason: str | None = None,
    ) -> UUID:
        """State that two entities are one person or thing, or with `is_same=False` that they are
        not; the last word on a pair counts, and either is undone by the other. Returns the
        statement's id. Raises `UnknownSubject`, `ValueError`, `PermissionError`."""

        def state(human: HumanStatements) -> UUID:
            for one in (entity_id, other_id):
                self.subject(entity_id=one)
            with self._writer() as connection:
                audience_id = Audiences(connection, self.tenant_id).id_of(audiences)
            self.may_state(audience_id, reason)
            return human.join(
                UUID(str(entity_id)),
                UUID(str(other_id)),
                is_same=is_same,
                audience_id=audience_id,
                reason=reason,
            )

        return self._stated(state)

    def correct(self, atom_id: UUID | str, value: JsonValue, reason: str | None = None) -> UUID:
        """The atom's value never held, `value` did in its place; returns the new atom's id.
        Raises `UnknownAtom`, `ValueError`."""

        def state(human: HumanStatements) -> UUID:
            at = target(self.connection, UUID(str(atom_id)))
            self.may_state(at.audience_id, value, reason)
            self._check_object(at.predicate, value)
            return human.correct(at, value, reason)

        return self._stated(state)

    def retract(self, atom_id: UUID | str, reason: str | None = None) -> UUID:
        """The atom's value never held; returns the closure's id. Raises `UnknownAtom`."""

        def state(human: HumanStatements) -> UUID:
            at = target(self.connection, UUID(str(atom_id)))
            self.may_state(at.audience_id, reason)
            return human.retract(at, reason)

        return self._stated(state)

    def confirm(self, atom_id: UUID | str, reason: str | None = None) -> UUID:
        """The atom is right; returns the id of the support. Raises `UnknownAtom`."""

        def state(human: HumanStatements) -> UUID:
            at = target(self.connection, UUID(str(atom_id)))
            self.may_state(at.audience_id, reason)
            return human.confirm(at, reason)

        return self._stated(state)

    def _stated(self, state: Callable[[HumanStatements], UUID]) -> UUID:
        """What `state` stores, called again where what it read may be erased since."""
        with self._writer() as connection:

            def in_epoch(epoch: int) -> UUID:
                return state(
                    HumanStatements(
                        connection, self.tenant_id, self.keys, normalise_object, self.login, epoch
                    )
                )

            return in_one_epoch(connection, self.tenant_id, in_epoch)

    def _check_object(self, predicate: str, value: JsonValue) -> None:
        with self._writer() as connection:
            registered = registry_of(connection, self.tenant_id).get(predicate)
        if registered is not None:
            check_object(registered.predicate, value)

    def may_state(self, audience_id: int, *texts: object) -> None:
        """A human's word outranks what machines read. What the whole tenant sees takes the right
        to all of its audiences, other facts the right to their own. Secrets come in through logs
        alone, which put them into Vault."""
        from memory_pipeline.understand.sensitive.find import find

        row = self.connection.execute(
            "select is_granted from memory.access_grant where login = session_user"
            " and tenant_id = %s and audience = '*' order by grant_id desc limit 1",
            (self.tenant_id,),
        ).fetchone()
        is_everyones = self.connection.execute(
            "select from memory.audience where audience_id = %s and names = '{}'", (audience_id,)
        ).fetchone()
        if not (row and row[0]) and is_everyones is not None:
            raise PermissionError(
                "stating what the whole tenant sees takes a grant of all audiences (*)"
            )
        self._may_read(audience_id)
        for text in texts:
            if isinstance(text, str) and not storable(text, "an object or a reason").strip():
                raise ValueError("an object or a reason must not be empty")
            for span in find(str(text)) if text is not None else ():
                if span.sensitive_class is SensitiveClass.secret:
                    raise ValueError(
                        f"this holds a secret ({span.type}), which only logs bring into Vault;"
                        " leave it out"
                    )

    def _own_entity(self, subject: Subject) -> UUID:
        """A visible entity of the subject to hang a new statement on."""
        row = self.connection.execute(
            "select min(entity_id::text)::uuid from memory.entity where entity_id = any(%s)",
            (list(subject.entity_ids),),
        ).fetchone()
        if row is None or row[0] is None:
            raise reading.UnknownSubject("no entity of this subject is visible")
        found: UUID = row[0]
        return found

    def _audience_of(self, entity_id: UUID) -> int:
        """The widest audience, of those that this login sees, in which an entity is known."""
        row = self.connection.execute(
            "select audience_id from memory.audience as u join ("
            "  select audience_id from memory.message where speaker_id = %(id)s"
            "  union select audience_id from memory.atom"
            "   where subject_id = %(id)s or object_entity_id = %(id)s) as known using (audience_id)"
            " order by cardinality(u.names), audience_id limit 1",
            {"id": entity_id},
        ).fetchone()
        if row is None:
            raise reading.UnknownSubject("no entity of this subject is visible")
        return int(row[0])

    def _may_read(self, audience_id: int) -> None:
        row = self.connection.execute(
            "select %s = any (memory.readable())", (audience_id,)
        ).fetchone()
        if row is None or not row[0]:
            raise PermissionError("the login may not read the audience that it would write for")


def _check_context(query: str, budget: int) -> None:
    storable(query, "the query")
    if not 1 <= budget <= MOST_TOKENS:
        raise ValueError(f"the budget is {budget}; give 1 to {MOST_TOKENS} tokens")
