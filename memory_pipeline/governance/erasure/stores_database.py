"""Stores in PostgreSQL: content tables, statistics, the request's own words.

The content of the plan goes in one transaction (`sweep.erase_content`), before any store is swept;
what these stores add is finding, the rewrite of what was touched, and the verifier's look.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, LiteralString

from psycopg import sql

from memory_pipeline.contracts.erasure import StoreReport, StoreState
from memory_pipeline.governance.erasure import mentions, scrub
from memory_pipeline.governance.erasure.answers import Drafts, planned_answers
from memory_pipeline.governance.erasure.resealing import n_unmasked
from memory_pipeline.governance.erasure.stores import Passive, Store
from memory_pipeline.governance.erasure.work import Connection, Work

SCHEMA = "memory"


def report(store: Store, n_left: int, note: str | None = None) -> StoreReport:
    """What a verifier says of a store that it could read whole."""
    state = StoreState.failed if n_left else StoreState.verified
    return StoreReport(store=store.name, state=state, n_left=n_left, note=note)


@dataclass(frozen=True)
class ContentTable(Passive):
    """A content table whose rows are items of the plan. `strings` yields (id, text) of the rows
    that the plan redacts, to be looked through for erased values."""

    table: str
    key: str
    item_kind: str
    columns: tuple[str, ...]
    also_covers: tuple[str, ...] = ()
    kind: str = "content"

    @property
    def name(self) -> str:
        """The table's name."""
        return self.table

    @property
    def covers(self) -> tuple[str, ...]:
        """The table, and the ledger or work table beside it."""
        return (f"{SCHEMA}.{self.table}", *self.also_covers)

    def find(self, work: Work) -> int:
        """Rows of erased items, and redacted rows with an erased value in them."""
        return self._n_rows(work, work.eraser)

    def scrub(self, work: Work) -> None:
        """Write the touched partitions anew."""
        if work.touches(self.item_kind):
            names = scrub.partitions(work.eraser, self.table, self._partition_keys(), work.bound)
            scrub.rewrite(work.eraser, ((SCHEMA, name) for name in names))

    def verify(self, work: Work) -> StoreReport:
        """No row of an erased item, no erased value in a redacted one."""
        n_left = self._n_rows(work, work.verifier)
        looked_for = work.forms
        note = None
        if looked_for is not None:
            n_left += sum(1 for text in self._redacted(work) if mentions.find(looked_for, text))
        elif work.ids(work.verifier, self.item_kind, "redact"):
            note = "values_no_longer_kept"
        return report(self, n_left, note)

    def _n_rows(self, work: Work, connection: Connection) -> int:
        return _count(
            connection,
            sql.SQL(
                "select count(*) from memory.erasure_item as i join {table} as c"
                " on c.{key} = i.item_id where i.request_id = %(request)s"
                " and i.kind::text = {kind} and i.action = 'erase'"
            ).format(
                table=sql.Identifier(SCHEMA, self.table),
                key=sql.Identifier(self.key),
                kind=self.item_kind,
            ),
            work.bound,
        )

    def _redacted(self, work: Work) -> Iterator[str]:
        if not self.columns:
            return
        rows = work.verifier.execute(
            sql.SQL(
                "select {columns} from memory.erasure_item as i join {table} as c"
                " on c.{key} = i.item_id where i.request_id = %(request)s"
                " and i.kind::text = {kind} and i.action = 'redact'"
            ).format(
                columns=sql.SQL(", ").join(
                    sql.SQL("c.{}").format(sql.Identifier(column)) for column in self.columns
                ),
                table=sql.Identifier(SCHEMA, self.table),
                key=sql.Identifier(self.key),
                kind=self.item_kind,
            ),
            work.bound,
        )
        for row in rows:
            for value in row:
                yield from strings_of(value)

    def _partition_keys(self) -> LiteralString:
        return (
            "select item_id as key from memory.erasure_item where request_id = %(request)s"
            " and kind in ('atom', 'message')"
        )


class AtomTable(ContentTable):
    """Objects and sentences of atoms, partitioned by subject."""

    def _partition_keys(self) -> LiteralString:
        return (
            "select a.subject_id as key from memory.erasure_item as i"
            " join memory.atom as a on a.atom_id = i.item_id"
            " where i.request_id = %(request)s and i.kind = 'atom'"
            " and i.action in ('erase', 'redact')"
        )


class AnswerTable(ContentTable):
    """Extractors' answers, rewritten without the drafts of erased statements."""

    def verify(self, work: Work) -> StoreReport:
        """No erased answer is there, and no draft of an erased statement in another."""
        drafts = Drafts.of(work, work.verifier)
        n_left = self._n_rows(work, work.verifier)
        n_left += sum(drafts.n_erased(answer) for answer in planned_answers(work, work.verifier))
        return report(self, n_left)


@dataclass(frozen=True)
class MessageTable(Passive):
    """Texts of messages, partitioned by dialog: what is erased is masked and stays in its place."""

    name: str = "message_content"
    kind: str = "content"
    covers: tuple[str, ...] = ("memory.message_content",)

    def find(self, work: Work) -> int:
        """Messages of which a planned character still stands."""
        return self._n_unmasked(work, work.eraser) + n_unmasked(work, work.eraser)

    def scrub(self, work: Work) -> None:
        """Write the touched partitions anew."""
        names = scrub.partitions(
            work.eraser,
            self.name,
            "select m.dialog_id as key from memory.message as m join ("
            " select message_id from memory.erasure_span where request_id = %(request)s union"
            " select item_id from memory.erasure_item where request_id = %(request)s"
            " and kind::text in ('message', 'attachment') and action in ('erase', 'redact')"
            ") as p using (message_id)",
            work.bound,
        )
        scrub.rewrite(work.eraser, ((SCHEMA, name) for name in names))

    def verify(self, work: Work) -> StoreReport:
        """Every planned span is masked, wholly redacted messages have nothing else."""
        n_sealed = n_unmasked(work, work.verifier)
        return report(self, self._n_unmasked(work, work.verifier) + n_sealed)

    @staticmethod
    def _n_unmasked(work: Work, connection: Connection) -> int:
        return _count(
            connection,
            sql.SQL(
                "with planned as ("
                " select message_id, int4range(span_start, span_end) as span, false as whole"
                " from memory.erasure_span where request_id = %(request)s"
                " union all select m.message_id, int4range(0, greatest(m.n_chars, 1)), true"
                " from memory.erasure_item as i join memory.message as m on m.message_id = i.item_id"
                " where i.request_id = %(request)s and i.kind = 'message' and i.action = 'erase'"
                "), spans as (select message_id, range_agg(span) as spans, bool_or(whole) as whole"
                " from planned group by message_id)"
                " select count(*) from spans as s join memory.message as m using (message_id)"
                " join memory.message_content as c using (message_id, dialog_id)"
                " where not memory.is_sealed(c.text)"
                " and memory.masked(c.text, s.spans) <> c.text"
                " or s.whole and num_nonnulls(c.native_id, c.attachments, c.tags) > 0"
            ),
            work.bound,
        ) + _count(
            connection,
            sql.SQL(
                "select count(*) from memory.erasure_item as i"
                " join memory.message as m on m.message_id = i.item_id"
                " join memory.message_content as c using (message_id, dialog_id)"
                " where i.request_id = %(request)s and i.kind::text = 'attachment'"
                " and i.action = 'erase' and num_nonnulls(c.attachments, c.tags) > 0"
            ),
            work.bound,
        )


@dataclass(frozen=True)
class OwnWords(Passive):
    """The request's selector, reference and reasons, and those of requests that were taken back;
    they go before the certificate."""

    name: str = "request_words"
    kind: str = "content"
    covers: tuple[str, ...] = (
        "memory.erasure_request", "memory.erasure_request_content", "memory.erasure_mention_content",
        "memory.erasure_store",
    )  # fmt: skip

    def find(self, work: Work) -> int:
        """Rows with the request's words."""
        return self._n_rows(work, work.eraser)

    def scrub(self, work: Work) -> None:
        """Write the two tables anew."""
        tables = ("erasure_request_content", "erasure_mention_content")
        scrub.rewrite(work.eraser, ((SCHEMA, table) for table in tables))

    def verify(self, work: Work) -> StoreReport:
        """No row of the request is there."""
        return report(self, self._n_rows(work, work.verifier))

    @staticmethod
    def _n_rows(work: Work, connection: Connection) -> int:
        return _count(
            connection,
            sql.SQL(
                "select (select count(*) from memory.erasure_request_content as c"
                " join memory.erasure_request as r using (request_id)"
                " where c.request_id = %(request)s"
                "  or r.tenant_id = %(tenant)s and r.state = 'cancelled') + (select count(*)"
                " from memory.erasure_mention as m join memory.erasure_mention_content as c"
                " using (mention_id) where m.request_id = %(request)s)"
            ),
            work.bound,
        )


@dataclass(frozen=True)
class Statistics(Passive):
    """What PostgreSQL keeps of a column's values for the planner: of content columns nothing."""

    name: str = "statistics"
    kind: str = "catalog"
    covers: tuple[str, ...] = ()

    def find(self, work: Work) -> int:
        """Content columns with statistics, where a superuser is at hand."""
        connection = scrub.superuser(work)
        return len(self._kept(connection)) if connection is not None else 0

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Clear them."""
        connection = scrub.superuser(work)
        if connection is None:
            return 0, "no_superuser"
        kept = self._kept(connection)
        for schema, table, column, inherited in kept:
            connection.execute(
                "select pg_clear_attribute_stats(%s, %s, %s, %s)",
                (schema, table, column, inherited),
            )
        return len(kept), None

    def scrub(self, work: Work) -> None:
        """Write the catalogs of statistics anew."""
        connection = scrub.superuser(work)
        if connection is not None:
            for table in ("pg_statistic", "pg_statistic_ext_data"):
                scrub.rewrite(connection, [("pg_catalog", table)])

    def verify(self, work: Work) -> StoreReport:
        """No content column has statistics, and none is set to gather any."""
        n_open = _count(
            work.verifier,
            sql.SQL(
                "select count(*) from pg_attribute as a join pg_class as c on c.oid = a.attrelid"
                " join pg_namespace as n on n.oid = c.relnamespace"
                " where n.nspname in ('memory', 'derived') and c.relkind in ('r', 'p')"
                " and split_part(obj_description(c.oid, 'pg_class'), ':', 1) = 'content'"
                " and a.attnum > 0 and not a.attisdropped and a.attstattarget is distinct from 0"
                " and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype,"
                " 'bytea'::regtype)"
            ),
            {},
        )
        connection = scrub.superuser(work)
        if connection is None:
            # values were never gathered where the targets were 0 from the first day
            return report(self, n_open, "by_targets_only")
        return report(self, n_open + len(self._kept(connection)))

    @staticmethod
    def _kept(connection: Connection) -> list[tuple[str, str, str, bool]]:
        return [
            (str(row[0]), str(row[1]), str(row[2]), bool(row[3]))
            for row in connection.execute(
                "select s.schemaname, s.tablename, s.attname, s.inherited from pg_stats as s"
                " join pg_attribute as a"
                "  on a.attrelid = format('%I.%I', s.schemaname, s.tablename)::regclass"
                "  and a.attname = s.attname"
                " where s.schemaname in ('memory', 'derived') and a.attstattarget = 0"
            )
        ]


def _count(connection: Connection, query: sql.SQL | sql.Composed, bound: dict[str, Any]) -> int:
    row = connection.execute(query, bound).fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return int(row[0])


def strings_of(value: Any) -> Iterator[str]:
    """The strings in a JSON value, and its numbers as they are written."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from strings_of(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def masked_strings(value: Any, mask: Callable[[str], str]) -> Any:
    """A JSON value with its strings masked."""
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {key: masked_strings(part, mask) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [masked_strings(part, mask) for part in value]
    return value


CONTENT_TABLES: tuple[ContentTable, ...] = (
    AtomTable("atom_content", "atom_id", "atom", ("object", "text")),
    ContentTable("closure_content", "closure_id", "closure", ("object", "text")),
    ContentTable("reason_content", "statement_id", "reason", ("reason",)),
    AnswerTable("extraction_content", "extraction_id", "extraction", ("answer",)),
    ContentTable("dialog_content", "dialog_id", "dialog", ("title", "namespace", "native_id")),
    ContentTable("name_content", "name_id", "name", ()),
    ContentTable("snapshot_content", "snapshot_id", "snapshot", ()),
    ContentTable(
        "snapshot_request_content", "request_id", "snapshot_request", (),
        ("memory.snapshot_request",),
    ),
    ContentTable("review_content", "review_id", "review", ("item",), ("memory.review",)),
    ContentTable(
        "quarantine_content", "quarantine_id", "quarantine", (), ("memory.quarantine",)
    ),
)  # fmt: skip
DATABASE_STORES: tuple[Store, ...] = (MessageTable(), *CONTENT_TABLES, OwnWords(), Statistics())
