"""Two tenants with equal names and ids, audiences and restrictions, and readers of either kind.

What each reader may see is said here once, as data by table, and not taken from the policies.
"""

import re
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.scenario import Message, Scenario, message

SCHEMAS = ("memory", "derived", "staging", "intermediate", "marts")
CANARIES = ("canarybee", "canaryboard")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]

_RESTRICTED = """coalesce((
    select array_agg(n) from memory.restriction as r
    join memory.audience as ra using (audience_id) cross join unnest(ra.names) as n
    where r.atom_id in ({columns})), '{{}}')"""
_BY_AUDIENCE = (
    "select u.tenant_id, u.names || {restricted}, null::name"
    " from memory.audience as u where u.audience_id = t.audience_id"
)
_BY_TENANT = "select t.tenant_id, '{}'::text[], null::name"
_BY_GOVERNOR = "select t.tenant_id, '{*}'::text[], null::name"
_NOBODY = "select 0, '{}'::text[], null::name where false"
_MESSAGES = (
    "select u.tenant_id, u.names, null::name from memory.message as m"
    " join memory.audience as u using (audience_id) where "
)
_ATOMS = (
    "select u.tenant_id, u.names || "
    + _RESTRICTED.format(columns="a.atom_id")
    + ", null::name from memory.atom as a join memory.audience as u using (audience_id) where "
)
_ENTITIES = (
    _MESSAGES
    + "m.speaker_id = t.entity_id union all "
    + _ATOMS
    + "t.entity_id in (a.subject_id, a.object_entity_id)"
)
FENCED_ITEMS = (
    "select i.item_id from memory.erasure_item as i join memory.erasure_request as r"
    " using (request_id) where r.state = 'fenced' and i.action <> 'keep'"
)
_SNAPSHOTS = (
    "select u.tenant_id, u.names || coalesce((select array_agg(n) from memory.snapshot_item as i"
    " join memory.restriction as r on r.atom_id = i.item_id"
    " join memory.audience as ra on ra.audience_id = r.audience_id cross join unnest(ra.names) as n"
    " where i.snapshot_id = s.snapshot_id), '{}'), s.login"
    " from memory.snapshot as s join memory.audience as u using (audience_id)"
    f" where s.snapshot_id not in ({FENCED_ITEMS}) and "
)
_SUBJECT_EXPORTS = (
    "select x.tenant_id, '{}'::text[], x.login from memory.subject_export as x where x.export_id = "
)
_REQUESTS = (
    "select r.tenant_id, '{*}'::text[], null::name from memory.erasure_request as r"
    " where r.request_id = "
)

SEEN_BY: dict[str, str] = {
    "tenant": _BY_TENANT,
    "tenant_setting": _BY_GOVERNOR,
    "batch": _BY_TENANT,
    "access_grant": "select t.tenant_id, '{}'::text[], null::name where t.login = %(login)s",
    "log_file": _MESSAGES + "m.file_id = t.file_id union all " + _BY_GOVERNOR,
    "log_file_content": _MESSAGES
    + "m.file_id = t.file_id union all select f.tenant_id, '{*}'::text[], null::name"
    " from memory.log_file as f where f.file_id = t.file_id",
    "file_read": _BY_GOVERNOR,
    "dialog": _MESSAGES + "m.dialog_id = t.dialog_id",
    "dialog_content": _MESSAGES + "m.dialog_id = t.dialog_id",
    "extraction_pass": _MESSAGES + "m.dialog_id = t.dialog_id",
    "entity": _ENTITIES,
    "name_content": _ENTITIES,
    "secret": _MESSAGES + "m.message_id in (select message_id from memory.secret_use as x"
    " where x.secret_id = t.secret_id)",
    "predicate": _BY_TENANT,
    "predicate_version": "select p.tenant_id, '{}'::text[], null::name from memory.predicate as p"
    " where p.predicate_id = t.predicate_id",
    "extractor": "select null::int, '{}'::text[], null::name",
    "extraction_content": "select x.tenant_id, '{*}'::text[], null::name from memory.extraction as x"
    " where x.extraction_id = t.extraction_id",
    "restriction": _BY_GOVERNOR,
    "quarantine": _BY_GOVERNOR,
    "quarantine_content": "select q.tenant_id, '{*}'::text[], null::name from memory.quarantine as q"
    " where q.quarantine_id = t.quarantine_id",
    "snapshot": _SNAPSHOTS + "s.snapshot_id = t.snapshot_id",
    "snapshot_content": _SNAPSHOTS + "s.snapshot_id = t.snapshot_id",
    "snapshot_item": _SNAPSHOTS + "s.snapshot_id = t.snapshot_id",
    "snapshot_request": "select t.tenant_id, '{}'::text[], t.login",
    "snapshot_request_content": "select r.tenant_id, '{}'::text[], r.login"
    " from memory.snapshot_request as r where r.request_id = t.request_id",
    "export": _SNAPSHOTS + "s.snapshot_id = t.snapshot_id",
    "export_content": _SNAPSHOTS
    + "s.snapshot_id = (select x.snapshot_id from memory.export as x where x.export_id = t.export_id)",
    "subject_export": "select t.tenant_id, '{}'::text[], t.login",
    "subject_export_item": _SUBJECT_EXPORTS + "t.export_id",
    "subject_export_content": _SUBJECT_EXPORTS + "t.export_id",
    "erasure_request": _BY_GOVERNOR,
    "erasure_request_content": _REQUESTS + "t.request_id",
    "erasure_item": _REQUESTS + "t.request_id",
    "erasure_span": _REQUESTS + "t.request_id",
    "erasure_mention": _REQUESTS + "t.request_id",
    "erasure_mention_content": _REQUESTS + "(select n.request_id from memory.erasure_mention as n"
    " where n.mention_id = t.mention_id)",
    "erasure_store": _REQUESTS + "t.request_id",
    "certificate": _REQUESTS + "t.request_id",
    "legal_hold": _BY_GOVERNOR,
    "erasure_epoch": _BY_TENANT,
    "redaction": _MESSAGES + "m.message_id = t.message_id",
    "suppression": _BY_GOVERNOR,
    "suppression_key": "select s.tenant_id, '{*}'::text[], null::name from memory.suppression as s"
    " where s.suppression_id = t.suppression_id",
    # events of the installation are no tenant's
    "audit_event": _BY_GOVERNOR + " where t.tenant_id is not null",
    "model": _NOBODY,
    "index_state": _NOBODY,
}
"""By table: the (tenant, audience names, login) of which a reader must have one wholly; `*` asks for
all audiences, a login is waived for who has them, no tenant is everybody's. Every other table goes
by its own audience (schemas memory and derived) or is for who has all audiences (dbt's)."""

NARROWED = {
    "atom": ("atom_id",),
    "atom_content": ("atom_id",),
    "evidence": ("statement_id",),
    "reason_content": ("statement_id",),
    "derivation": ("parent_id", "child_id"),
    "label": ("atom_id",),
    "full_text": ("item_id",),
    "vector": ("item_id",),
}
"""Columns that name an atom whose later restrictions hide the row, too."""

FENCED = {
    "message_content": "message_id",
    "atom_content": "atom_id",
    "closure_content": "closure_id",
    "reason_content": "statement_id",
    "extraction_content": "extraction_id",
    "dialog_content": "dialog_id",
    "name_content": "name_id",
    "log_file_content": "file_id",
    "snapshot_request_content": "request_id",
    "export_content": "export_id",
    "subject_export_content": "export_id",
    "review_content": "review_id",
    "quarantine_content": "quarantine_id",
    "full_text": "item_id",
    "vector": "item_id",
}
"""Columns that name an item which no reader sees once a request has fenced it; a fenced snapshot is
hidden with all that hangs on it."""


@dataclass(frozen=True)
class Reader:
    """A login and what the owner granted it."""

    login: str
    tenant_id: int
    audiences: frozenset[str]

    def may_see(self, tenant_id: int | None, names: Iterable[str], login: str | None) -> bool:
        """Whether a row of these is this reader's to see."""
        if tenant_id is None:
            return True
        if tenant_id != self.tenant_id:
            return False
        has_all = "*" in self.audiences
        return has_all or (set(names) <= self.audiences and login in (None, self.login))


@dataclass
class World:
    """Tenants `one` and `two`, their readers, and what the reader of `one`'s team may not learn."""

    services: Services
    one: Scenario
    two: Scenario
    readers: dict[str, Reader] = field(default_factory=dict)
    foreign: frozenset[str] = frozenset()
    ids: dict[str, Any] = field(default_factory=dict)

    def connect(self, login: str) -> Connection:
        """An autocommit connection of a login."""
        return psycopg.connect(self.services.pg_dsn(login), autocommit=True)

    def rows(self, query: str, *bound: object) -> list[Row]:
        """Rows as the verifier reads them: all."""
        with self.connect("mem_verifier") as verifier:
            return verifier.execute(query.encode(), bound or None).fetchall()

    def relations(self, *kinds: str) -> list[tuple[str, str]]:
        """Schema and name of every table (r, p) or view (v) of ours."""
        found = self.rows(
            "select n.nspname::text, c.relname::text from pg_class as c"
            " join pg_namespace as n on n.oid = c.relnamespace"
            " where n.nspname = any(%s) and c.relkind::text = any(%s) order by 1, 2",
            list(SCHEMAS),
            list(kinds),
        )
        return [(str(schema), str(name)) for schema, name in found]

    def rights(self, schema: str, table: str, login: str) -> str:
        """The query of (tableoid, ctid, row as text, tenant, names, login) for each way to a row."""
        root = re.sub(r"^((message|atom)_content)_p\d+$", r"\1", table)
        root = "vector" if schema == "derived" and root.startswith("vector_") else root
        columns = {
            row[0]
            for row in self.rows(
                "select attname::text from pg_attribute where attrelid = %s::regclass"
                " and attnum > 0 and not attisdropped",
                f"{schema}.{table}",
            )
        }
        if schema not in ("memory", "derived"):
            seen = _BY_GOVERNOR if "tenant_id" in columns else _NOBODY
        else:
            narrowing = NARROWED.get(root)
            restricted = (
                _RESTRICTED.format(columns=", ".join(f"t.{name}" for name in narrowing))
                if narrowing
                else "'{}'::text[]"
            )
            seen = SEEN_BY.get(root) or _BY_AUDIENCE.replace("{restricted}", restricted)
        if root in FENCED and schema in ("memory", "derived"):
            seen = f"select * from ({seen}) as w where t.{FENCED[root]} not in ({FENCED_ITEMS})"
        return (
            "select t.tableoid::bigint, t.ctid::text, to_jsonb(t)::text, w.* from"
            f' "{schema}"."{table}" as t left join lateral ({seen})'
            " as w (tenant_id, names, login) on true"
        ).replace("%(login)s", sql.Literal(login).as_string())

    def expected(
        self, schema: str, table: str, reader: Reader
    ) -> tuple[set[Row], list[str], list[str]]:
        """The rows (tableoid, ctid) that a reader should see, their texts, and the others' texts."""
        seen: set[Row] = set()
        texts: dict[Row, str] = {}
        for tableoid, ctid, text, tenant_id, names, login in self.rows(
            self.rights(schema, table, reader.login)
        ):
            texts[tableoid, ctid] = text
            if names is not None and reader.may_see(tenant_id, names, login):
                seen.add((tableoid, ctid))
        shown = [text for row, text in texts.items() if row in seen]
        return seen, shown, [text for row, text in texts.items() if row not in seen]


def log(employer: str) -> list[Message]:
    """The same people, ids and times in both tenants; one value differs."""
    return [
        message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве", message_id="m1"),
        message("Анна", "2025-03-01T10:01+03:00", f"Работаю в {employer}", message_id="m2"),
        message("Анна", "2025-03-01T10:02+03:00", "Я вегетарианка", message_id="m3",
                audience=["team"]),
        message("Анна", "2025-03-02T10:02+03:00", "У меня аллергия на пенициллин", message_id="m4"),
    ]  # fmt: skip


BOARD = [
    message("Анна", "2025-10-10T10:00+03:00", "Переезжаю в Казань с 19-го", audience=["board"]),
    message("Анна", "2025-10-11T10:00+03:00", "Вчера уволилась из Acme", audience=["board"]),
    message("Анна", "2025-10-12T10:00+03:00", "My husband's name is Canaryboard.",
            audience=["board"], dialog_id="canaryboard", dialog_title="canaryboard"),
    message("Анна", "2025-10-12T10:01+03:00", "Мой пароль: canaryboardQ7x9LmZ4",
            audience=["board"], dialog_id="canaryboard"),
]  # fmt: skip


FORGOTTEN = message("Анна", "2025-03-03T10:00+03:00", "Я предпочитаю Postgres", message_id="m5")


def _fence(world: World, scenario: Scenario) -> None:
    """What a request hides of the forgotten message, of a snapshot and of what lies beside; it
    keeps the message before."""
    (dialog_id,) = scenario.rows(
        "select dialog_id from memory.dialog_content where native_id = 'chat' and dialog_id in"
        " (select dialog_id from memory.dialog where tenant_id = %(tenant)s)"
    )[0]
    with scenario.memory(world.readers["all"].login) as memory:
        packed = memory.context("chat", "Что она предпочитает?", 2000)
        memory.export(packed, "x", scenario.folder / "fenced.md")
    ((packed_for,),) = scenario.rows(
        "select audience_id from memory.snapshot where snapshot_id = %(id)s", id=packed.id
    )
    ((message_id, atom_id, kept, audience_id),) = scenario.rows(
        "select m.message_id, a.atom_id, other.message_id, m.audience_id from memory.message as m"
        " join memory.message_content as c using (message_id)"
        " join memory.atom as a on a.message_id = m.message_id"
        " cross join memory.message_content as other"
        " where m.tenant_id = %(tenant)s and c.native_id = 'm5' and other.native_id = 'm1'"
        " and m.dialog_id = %(dialog)s and other.dialog_id = %(dialog)s",
        dialog=dialog_id,
    )
    items = [
        ("message", message_id, audience_id, "redact"),
        ("message", kept, audience_id, "keep"),
        ("atom", atom_id, audience_id, "erase"),
        ("snapshot", packed.id, packed_for, "hide"),
    ]
    request_id = uuid.uuid4()
    with world.connect("mem_eraser") as eraser, eraser.transaction():
        tenant_id = scenario.rows("select %(tenant)s::int")[0][0]
        eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
            " values (%s, %s, 'operator', 'fenced')",
            (request_id, tenant_id),
        )
        eraser.execute("select memory.enter_alone(%s, %s, 'fenced')", (tenant_id, request_id))
        for kind, item_id, item_audience_id, action in items:
            eraser.execute(
                "insert into memory.erasure_item (request_id, kind, item_id, item_audience_id,"
                " action) values (%s, %s, %s, %s, %s)",
                (request_id, kind, item_id, item_audience_id, action),
            )
    world.ids |= {"fenced": (str(message_id), str(atom_id), packed.id), "kept": str(kept)}


def _restrict(pipeline: Pipeline, atom_id: uuid.UUID | str, *names: str) -> None:
    audience = Audiences(pipeline.ingest_connection, pipeline.tenant_id).id_of(names)
    with batch(pipeline.ingest_connection, pipeline.tenant_id, "test") as running:
        pipeline.ingest_connection.execute(
            "insert into memory.restriction (restriction_id, tenant_id, batch_id, atom_id,"
            " audience_id, author) values (%s, %s, %s, %s, %s, 'operator')",
            (uuid.uuid4(), pipeline.tenant_id, running.batch_id, atom_id, audience),
        )


@cache
def make(home: Path, folder: Path) -> World:
    """The world of a run's home; made once."""
    services = ready(home)
    one, two = Scenario(services, folder / "one"), Scenario(services, folder / "two")
    made = World(services, one, two)
    for scenario, employer in ((one, "Acme"), (two, "Canarybee")):
        scenario.folder.mkdir(parents=True, exist_ok=True)
        scenario.tell(*log(employer))
        tenant_id = scenario.rows("select %(tenant)s::int")[0][0]
        kinds = ("public", "team", "*") if scenario is one else ("*",)
        for audience in kinds:
            name = {"*": "all"}.get(audience, audience) if scenario is one else "other"
            login = scenario.reader(f"{scenario.tenant}_{name}", audience)
            made.readers[name] = Reader(login, tenant_id, frozenset({audience, "public"}))
    one.tell(*BOARD, FORGOTTEN)
    for scenario in (one, two):
        scenario.read(message("Анна", "canarybee canaryboard", "Я"), name="canarybee.jsonl")
        login = made.readers["all" if scenario is one else "other"].login
        with scenario.pipeline() as pipeline:
            pipeline.label()
            pipeline.embed_messages()
            pipeline.embed_atoms()
            pipeline.refresh_full_text()
            pipeline.refresh_graph()
        with scenario.memory(login) as memory:
            memory.remember("Анна", "tool", "canarybee" if scenario is two else "canaryboard",
                            audiences=["board"], reason="canaryboard")  # fmt: skip
            packed = memory.context("chat", "Где она живёт?", 2000)
            memory.export(packed, "canaryboard", scenario.folder / "canaryboard.md")
            memory.request_context("chat", "canarybee canaryboard", 100)
    with one.memory(made.readers["team"].login) as memory:
        packed = memory.context("chat", "Какая у неё аллергия?", 2000)
        made.ids["packed"] = packed.id
        memory.export(packed, "x", one.folder / "team.md")
        memory.request_context("chat", "x", 100)

    def atom(scenario: Scenario, condition: str) -> Row:
        (found, *_) = scenario.rows(
            "select a.atom_id, a.subject_id, m.dialog_id, a.tenant_id from memory.atom as a"
            " join memory.message as m using (message_id) join memory.predicate as p"
            " using (predicate_id) join memory.audience as u on u.audience_id = a.audience_id"
            f" where a.tenant_id = %(tenant)s and {condition} order by a.told_at"
        )
        return found

    allergy = atom(one, "p.name = 'allergy'")[0]
    board = atom(one, "'board' = any (u.names)")
    with one.pipeline() as pipeline:
        _restrict(pipeline, allergy, "board")
        _restrict(pipeline, board[0], "board", "hr")
        # a summary of two atoms, and what a model might have made of them
        with batch(pipeline.ingest_connection, pipeline.tenant_id, "test") as running:
            pipeline.ingest_connection.execute(
                "insert into memory.derivation (child_id, parent_id, audience_id, batch_id)"
                " select %s, a.atom_id, a.audience_id, %s from memory.atom as a"
                " where a.tenant_id = %s",
                (uuid.uuid4(), running.batch_id, pipeline.tenant_id),
            )
        pipeline.refresh_graph()
    with one.memory(made.readers["team"].login) as memory:
        # what was packed before carries the restricted atom, this does not
        memory.export(memory.context("chat", "?", 2000), "x", one.folder / "later.md")
    with one.memory(made.readers["public"].login) as memory:
        memory.context("chat", "?", 2000)
    _fence(made, one)
    foreign = atom(two, "p.name = 'employer'")
    made.ids |= {
        "atom": foreign[0], "subject": foreign[1], "dialog": foreign[2], "tenant": foreign[3],
        "board": board[0], "restricted": allergy, "one": board[3], "two": two.tenant,
        "own": atom(one, "p.name = 'location' and u.names = '{}'")[0],
        "own_subject": board[1],
    }  # fmt: skip
    team = made.readers["team"]
    shown: set[str] = set()
    hidden: set[str] = set()
    for schema, table in made.relations("r", "p"):
        _, own, others = made.expected(schema, table, team)
        shown.update(UUID.findall(" ".join(own)))
        hidden.update(UUID.findall(" ".join(others)))
    # what the own log says is in nobody's batch alone
    made.foreign = frozenset(hidden - shown)
    assert {str(made.ids["atom"]), str(board[0]), str(allergy)} <= made.foreign
    with psycopg.connect(services.pg_url, autocommit=True) as owner:
        # a reader on a server that lets everybody make temporary things
        owner.execute(
            sql.SQL("grant temporary on database {} to {}").format(
                sql.Identifier(owner.info.dbname), sql.Identifier(team.login)
            )
        )
    return made


def leaks(world: World, said: str) -> list[str]:
    """What is in some output that the reader of the team may not learn."""
    found = [canary for canary in CANARIES if canary in said.casefold()]
    return found + sorted(set(UUID.findall(said)) & world.foreign)
