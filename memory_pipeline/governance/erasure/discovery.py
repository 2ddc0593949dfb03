"""Reading what a plan reaches: which characters go, what the erased values are mentioned in.

Everything runs in the caller's transaction over mem_eraser, in batches, so that memory stays flat.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.governance.content_store import is_shown
from memory_pipeline.governance.erasure.aliases import NOBODY, names_nobody
from memory_pipeline.governance.erasure.mentions import (
    NAME_TYPE,
    Forms,
    find,
    forms,
    merged,
    search_words,
    without,
    words_of,
)
from memory_pipeline.governance.erasure.own_words import are_own, calls_herself, may_be_of_both
from memory_pipeline.governance.erasure.scope import read_sql

Connection = psycopg.Connection[Any]
Span = tuple[int, int]

BATCH = 1_000
PHRASES = 1_000
"""So many are looked for in full text at once."""
ONLY_NEAR = frozenset({"integer", "money", "date"})
"""Types whose values say nothing where nobody speaks of their subject."""


def erased_values(connection: Connection, request_id: UUID) -> list[tuple[str, str]]:
    """(value, value type) of what a request erases, while the content is still there; names of a
    whole subject have the type `name`. Secrets are none: their masks say nothing. Nor is what the
    same subject still says outside of a part of the tellings that goes."""
    rows = connection.execute(
        read_sql("erased_values.sql").encode(), {"request_id": request_id}
    ).fetchall()
    found: dict[tuple[str, str], None] = {}
    for value, value_type in rows:
        if value is None or isinstance(value, bool | list | dict):
            continue
        text = str(value)
        if value_type == "person":
            # what the person is to the subject stands before a colon
            text = text.rpartition(":")[2].strip()
            value_type = NAME_TYPE
        # in a restored backup, what was erased before has no key any more
        if text and not is_shown(text):
            found[text, value_type] = None
    return list(found)


def discover_items(connection: Connection, request_id: UUID) -> list[tuple[str, str]]:
    """Narrow what a plan hides to what is touched, with spans and mentions; returns the values.

    May be called again; spans and mentions that are there stay.
    """
    tenant_id, is_whole_tenant = _asked(connection, request_id)
    while True:
        # where everything goes, nothing that stays could mention it
        values = [] if is_whole_tenant else erased_values(connection, request_id)
        discovery = _Discovery(connection, request_id, tenant_id, forms(values))
        discovery.messages()
        if not discovery.groundless():
            break
        # what rests on these goes as well, and what they say of the value
        connection.execute("select memory.plan_request(%s)", (request_id,))
    discovery.texts("atom")
    discovery.texts("closure")
    discovery.texts("reason")
    discovery.extractions()
    discovery.beside()
    discovery.dialogs()
    discovery.run("narrow_dialogs.sql")
    discovery.names()
    discovery.snapshots()
    discovery.run("find_secrets.sql")
    discovery.run("narrow_files.sql")
    far = [(value, kind) for value, kind in values if kind not in ONLY_NEAR]
    discovery.elsewhere(forms(far), [value for value, _ in far])
    return values


def discover_snapshots(connection: Connection, request_id: UUID) -> None:
    """Read again what may have come without a batch: contexts that were asked for since."""
    tenant_id, is_whole_tenant = _asked(connection, request_id)
    row = connection.execute(
        "select exists (select from memory.snapshot_request where tenant_id = %s)", (tenant_id,)
    ).fetchone()
    if row is not None and row[0]:
        values = [] if is_whole_tenant else erased_values(connection, request_id)
        _Discovery(connection, request_id, tenant_id, forms(values)).snapshots()


def show_dialogs(connection: Connection, request_id: UUID) -> None:
    """Leave hidden only such dialogs' names as mention an erased value: a fence must not make a
    dialog of many people unknown. Part of the fence, so only names are read."""
    tenant_id, is_whole_tenant = _asked(connection, request_id)
    if not is_whole_tenant:
        values = erased_values(connection, request_id)
        _Discovery(connection, request_id, tenant_id, forms(values)).dialogs()


def _asked(connection: Connection, request_id: UUID) -> tuple[int, bool]:
    row = connection.execute(
        "select tenant_id, coalesce((scope ->> 'whole_tenant')::boolean, false)"
        " from memory.erasure_request where request_id = %s",
        (request_id,),
    ).fetchone()
    assert row is not None  # noqa: S101 - locked by the caller
    return int(row[0]), bool(row[1])


class _Discovery:
    """One pass of reading for one request."""

    def __init__(
        self, connection: Connection, request_id: UUID, tenant_id: int, looked_for: Forms
    ) -> None:
        self._connection = connection
        self._tenant_id = tenant_id
        self._request_id = request_id
        self._forms = looked_for
        self._own: set[UUID] = set()

    @cached_property
    def _people(self) -> tuple[list[UUID], Forms, set[str]]:
        """Everybody whom the request is about, their names in all forms, and as they are stored."""
        rows = self._connection.execute(
            read_sql("erased_people.sql").encode(), {"request_id": self._request_id}
        ).fetchall()
        stored = {name for _, names in rows for name in names if not names_nobody(name)}
        exact = {" ".join(words_of(name)) for name in stored}
        names = forms((name, NAME_TYPE) for name in stored)
        return [entity_id for entity_id, _ in rows], names, exact

    def run(self, name: str, **bound: Any) -> None:
        """One statement of the `sql` folder."""
        self._connection.execute(read_sql(name).encode(), {"request_id": self._request_id} | bound)

    def rows(self, name: str, **bound: Any) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement, in batches, while others run beside it."""
        with self._connection.cursor(name=f"discovery_{uuid4().hex}") as cursor:
            cursor.execute(read_sql(name).encode(), {"request_id": self._request_id} | bound)
            while rows := cursor.fetchmany(BATCH):
                yield rows

    def act(self, kind: str, actions: Sequence[tuple[UUID, str]]) -> None:
        """Set what becomes of planned items; those that are not planned yet join."""
        if actions:
            self.run(
                "set_actions.sql",
                kind=kind,
                ids=[item_id for item_id, _ in actions],
                actions=[action for _, action in actions],
            )

    def mentions(self, value: object) -> bool:
        """Whether some text of a JSON value mentions what is looked for."""
        return any(find(self._forms, text) for text in dict.fromkeys(_strings(value)))

    def messages(self) -> None:
        """Spans and actions of the messages of the evidence dialogs."""
        for rows in self.rows("read_messages.sql"):
            spans: list[tuple[UUID, UUID, int, int]] = []
            actions = []
            mentioned = {
                message_id: found
                for message_id, text, _, is_whole, is_later, _, _ in rows
                if not is_whole and not is_later and (found := find(self._forms, text))
            }
            others, shared = self.own_words(list(mentioned))
            for message_id, text, beside, is_whole, is_later, erased, staying in rows:
                everything = [(0, len(text))] if is_whole else _pairs(erased)
                # a message that goes wholly goes whatever was read from it
                left = everything if is_whole else without(everything, _pairs(staying))
                found = without(mentioned.get(message_id, ()), others.get(message_id, ()))
                own = merged([*left, *found])
                spans += [(self._request_id, message_id, start, end) for start, end in own]
                if is_whole and own == merged(everything):
                    actions.append((message_id, "erase"))
                elif own or (not is_later and self.mentions(beside)):
                    actions.append((message_id, "redact"))
                else:
                    actions.append((message_id, "keep"))
            insert_rows(
                self._connection,
                "erasure_span",
                ("request_id", "message_id", "span_start", "span_end"),
                spans,
                skip_known=True,
            )
            self.act("message", actions)
            self.to_be_decided(
                (message_id, start, end)
                for message_id, spans_of_both in shared.items()
                for start, end in mentioned[message_id]
                if any(low < end and start < high for low, high in spans_of_both)
            )

    def to_be_decided(self, hits: Iterable[tuple[UUID, int, int]]) -> None:
        """Mentions that stay until a person says otherwise, and what is drawn from them."""
        rows = [(uuid4(), self._request_id, *hit) for hit in hits]
        if not rows:
            return
        insert_rows(
            self._connection,
            "erasure_mention",
            ("mention_id", "request_id", "message_id", "span_start", "span_end"),
            rows,
            skip_known=True,
        )
        self._drawn_from({message_id for _, _, message_id, _, _ in rows})

    def own_words(self, message_ids: list[UUID]) -> tuple[dict[UUID, list[Span]], ...]:
        """Where these messages say what a speaker whom the request is not about says of herself: her
        own memory, in which an erased value is hers; and where of that it may be said of both."""
        found: dict[UUID, list[Span]] = defaultdict(list)
        shared: dict[UUID, list[Span]] = defaultdict(list)
        if not message_ids:
            return found, shared
        people, names, exact = self._people
        rows = self._connection.execute(
            read_sql("read_own_words.sql").encode(),
            {"request_id": self._request_id, "ids": message_ids, "people": people},
        )
        evidence: dict[UUID, list[tuple[UUID, int, int, str]]] = defaultdict(list)
        speakers: dict[UUID, tuple[UUID, UUID]] = {}
        for statement_id, *row, speaker_id, dialog_id in rows:
            evidence[statement_id].append((row[0], row[1], row[2], row[3]))
            speakers[statement_id] = dialog_id, speaker_id
        # whoever calls herself by an erased name is whom it names: under a label such as "user" in
        # the whole dialog, under another one in that message
        introduced = self._introduced(set(speakers.values()), names, exact)
        for statement_id, told in evidence.items():
            said = [(text, start, end) for _, start, end, text in told]
            if speakers[statement_id] in introduced or any(
                calls_herself(text, names, exact) for text, _, _ in said
            ):
                continue
            if are_own(said, partial(find, names)):
                self._own.add(statement_id)
                is_shared = may_be_of_both(said, partial(find, names))
                for message_id, start, end, _ in told:
                    found[message_id].append((start, end))
                    if is_shared:
                        shared[message_id].append((start, end))
        return found, shared

    def _introduced(
        self, speakers: set[tuple[UUID, UUID]], names: Forms, exact: set[str]
    ) -> set[tuple[UUID, UUID]]:
        """Those of the (dialog, speaker) whose label names nobody, and who introduce themselves there
        by one of the names."""
        if not speakers or not names:
            return set()
        said = self._connection.execute(
            read_sql("read_nameless.sql").encode(),
            {
                "dialogs": [dialog_id for dialog_id, _ in speakers],
                "speakers": [speaker_id for _, speaker_id in speakers],
                "labels": list(NOBODY),
            },
        )
        return {
            (dialog_id, speaker_id)
            for dialog_id, speaker_id, text in said
            if calls_herself(text, names, exact)
        }

    def groundless(self) -> bool:
        """Statements of whomever whose own value was masked in their evidence: nothing is left that
        they could rest on, so they go with it. Whether there are new ones."""
        is_grown = False
        if not self._forms:
            return is_grown
        for rows in self.rows("read_groundless.sql"):
            for kind in ("atom", "closure"):
                found = [
                    (item_id, "erase")
                    for item_kind, item_id, value in rows
                    if item_kind == kind and item_id not in self._own and self.mentions(value)
                ]
                self.act(kind, found)
                is_grown = is_grown or bool(found)
        return is_grown

    def texts(self, kind: str) -> None:
        """Sentences of statements that stay, drawn from the same dialogs: where the value is not
        what they say, it goes from their sentence."""
        for rows in self.rows(f"read_{kind}s.sql"):
            actions = []
            for item_id, value, text, is_hidden in rows:
                in_text, in_value = self.mentions(text), self.mentions(value)
                if in_text and not in_value:
                    actions.append((item_id, "redact"))
                elif in_text or is_hidden:
                    actions.append((item_id, "keep"))
            self.act(kind, actions)

    def extractions(self) -> None:
        """Stored answers: those of the evidence, and those that mention the value."""
        for rows in self.rows("read_extractions.sql"):
            self.act(
                "extraction",
                [
                    (item_id, planned or ("redact" if self.mentions(answer) else "keep"))
                    for item_id, answer, planned in rows
                ],
            )

    def dialogs(self) -> None:
        """Names of the dialogs."""
        for rows in self.rows("read_dialogs.sql"):
            self.act(
                "dialog",
                [(item_id, "redact" if self.mentions(name) else "keep") for item_id, name in rows],
            )

    def beside(self) -> None:
        """Review lists and names of files: each with its text and planned action."""
        for rows in self.rows("read_beside.sql"):
            for kind, item_id, content, planned, on_mention in rows:
                action = on_mention if self.mentions(content) else planned
                if action is not None:
                    self.act(kind, [(item_id, action)])

    def names(self) -> None:
        """Names of whom only what is erased told of."""
        self.run("find_names.sql")

    def snapshots(self) -> None:
        """Packed contexts and their requests and files: those that carry or mention it go."""
        for rows in self.rows("read_snapshots.sql"):
            for kind, item_id, content, carries, is_planned in rows:
                if carries or self.mentions(content):
                    self.act(kind, [(item_id, "erase")])
                elif is_planned:
                    self.act(kind, [(item_id, "keep")])
        self.run("follow_exports.sql")

    def elsewhere(self, looked_for: Forms, values: Sequence[str]) -> None:
        """Hits in the tenant's other dialogs, for a person to decide."""
        if not looked_for:
            return
        self._connection.execute(
            "create temporary table if not exists found_elsewhere (item_id uuid primary key)"
            " on commit delete rows"
        )
        self._connection.execute("delete from pg_temp.found_elsewhere")
        phrases = queries_of(looked_for)
        for start in range(0, max(len(phrases), len(values)), PHRASES):
            found = self._connection.execute(
                read_sql("find_elsewhere.sql").encode(),
                {
                    "tenant_id": self._tenant_id,
                    "phrases": phrases[start : start + PHRASES],
                    "values": list(values[start : start + PHRASES]),
                },
            )
            self._hits(looked_for, found)
        found = self._connection.execute(
            read_sql("find_unindexed.sql").encode(), {"tenant_id": self._tenant_id}
        )
        self._hits(looked_for, found)

    def _hits(self, looked_for: Forms, found: psycopg.Cursor[Any]) -> None:
        """Mentions in those of some messages that lie outside of the plan."""
        while message_ids := [row[0] for row in found.fetchmany(BATCH)]:
            rows = self._connection.execute(
                read_sql("read_elsewhere.sql").encode(),
                {"request_id": self._request_id, "ids": message_ids},
            ).fetchall()
            self.to_be_decided(
                (message_id, start, end)
                for message_id, text in rows
                for start, end in find(looked_for, text)
            )

    def _drawn_from(self, message_ids: set[UUID]) -> None:
        """Note, as kept, the sentences and answers that are masked with their message if a person
        says so."""
        for rows in self.rows("read_far.sql", ids=list(message_ids)):
            for kind, item_id, content in rows:
                if self.mentions(content):
                    self.act(kind, [(item_id, "keep")])


def _pairs(spans: Iterable[Sequence[int]] | None) -> list[Span]:
    return [(start, end) for start, end in spans or ()]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def queries_of(looked_for: Forms) -> list[str]:
    """The phrases as queries of full text: of each every word, in any form."""
    phrases = []
    for phrase in search_words(looked_for):
        words = []
        for exact, prefix in phrase:
            terms = [*exact, *([f"{prefix}:*"] if prefix else [])]
            words.append("(" + " | ".join(terms) + ")")
        phrases.append(" & ".join(words))
    return phrases
