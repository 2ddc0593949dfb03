"""Stores made from the content: vectors, full text, dbt's relations, the graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg import sql

from memory_pipeline.contracts.erasure import StoreReport
from memory_pipeline.governance.erasure import scrub
from memory_pipeline.governance.erasure.residue import Scanner
from memory_pipeline.governance.erasure.stores import Passive, Store
from memory_pipeline.governance.erasure.stores_database import report
from memory_pipeline.governance.erasure.stores_services import scan
from memory_pipeline.governance.erasure.texts import columns_of, needles_in, nowhere
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.index import full_text, graph, vectors
from memory_pipeline.index.items import KINDS, items_of

SCHEMA = "derived"

_PLANNED = sql.SQL(
    "select item_id, bool_or(is_gone) as is_gone from ("
    " select item_id, kind = 'atom' and action = 'erase' as is_gone from memory.erasure_item"
    "  where request_id = %(request)s and kind in ('atom', 'message')"
    "  and action in ('erase', 'redact')"
    " union all select message_id, false from memory.erasure_span where request_id = %(request)s"
    ") as i group by item_id"
)
"""Ids of atoms and messages whose content a request changes; of an erased atom nothing stands."""


def stale(connection: Connection, work: Work, table: str) -> tuple[int, str]:
    """Items of the plan whose row in an index is not made from the text that stands: how many, and
    their ids as the database writes an array, which may have a hundred thousand."""
    items = sql.SQL(" union all ").join(items_of(kind) for kind in KINDS)
    row = connection.execute(
        sql.SQL(
            "select count(*), coalesce(array_agg(v.item_id), '{{}}')::text"
            " from ({planned}) as p join {table} as v using (item_id)"
            # item by item: as a join all items would be read and hashed
            " where p.is_gone or coalesce((select false from ({items}) as i where i.item_id = v.item_id"
            " and i.owner_id = v.owner_id and sha256(convert_to(i.text, 'UTF8')) = v.text_hash"
            " limit 1), true)"
        ).format(planned=_PLANNED, table=sql.Identifier(SCHEMA, table), items=items),
        work.bound,
    ).fetchone()
    assert row is not None  # noqa: S101 - an aggregate returns a row
    return int(row[0]), row[1]


def missing(connection: Connection, work: Work, table: str) -> list[UUID]:
    """Items of the plan that stand, redacted, and have no row in an index that was refreshed since
    they came."""
    items = sql.SQL(" union all ").join(items_of(kind) for kind in KINDS)
    rows = connection.execute(
        sql.SQL(
            "select p.item_id from ({planned}) as p cross join lateral ("
            "  select i.batch_no, i.is_atom from ({items}) as i"
            "  where not p.is_gone and i.item_id = p.item_id offset 0"
            " ) as i join derived.index_state as s on s.batch_no >= i.batch_no and s.index_name"
            " = {name} || case when i.is_atom then ':atom' else ':message' end"
            " where coalesce((select false from {table} as v where v.item_id = p.item_id), true)"
        ).format(
            planned=_PLANNED,
            name=table,
            table=sql.Identifier(SCHEMA, table),
            items=items,
        ),
        work.bound,
    )
    return [row[0] for row in rows]


def _find(work: Work, tables: Sequence[str]) -> int:
    work.stale |= {table: stale(work.builder, work, table) for table in tables}
    return sum(work.stale[table][0] for table in tables)


def _forget(work: Work, tables: Sequence[str]) -> int:
    """Delete rows made from text that is no more, those found a moment ago: no text comes back."""
    n_gone = 0
    for table in tables:
        found = work.stale.pop(table, None)
        n_found, gone = stale(work.builder, work, table) if found is None else found
        if n_found:
            n_gone += vectors.forget(work.builder, gone, tables=[table])
    return n_gone


@dataclass(frozen=True)
class FullText(Passive):
    """Words of messages and atoms."""

    name: str = "full_text"
    kind: str = "derived"
    covers: tuple[str, ...] = ("derived.full_text",)

    def find(self, work: Work) -> int:
        """Rows made from text that is no more."""
        return _find(work, ["full_text"])

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them."""
        return _forget(work, ["full_text"]), None

    def restore(self, work: Work) -> None:
        """Index the redacted texts."""
        if work.has_touched(self.name):
            full_text.again(work.builder, missing(work.builder, work, "full_text"))

    def scrub(self, work: Work) -> None:
        """Write the table and its index of words anew."""
        if work.has_touched(self.name):
            scrub.rewrite(work.eraser, [(SCHEMA, "full_text")])

    def verify(self, work: Work) -> StoreReport:
        """No row made from text that is no more."""
        return report(self, stale(work.verifier, work, "full_text")[0])


@dataclass(frozen=True)
class Vectors(Passive):
    """Vectors of messages and atoms, of every model."""

    name: str = "vectors"
    kind: str = "derived"
    covers: tuple[str, ...] = ("derived.vector_*",)

    def find(self, work: Work) -> int:
        """Rows made from text that is no more."""
        return _find(work, vectors.vector_tables(work.builder))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them."""
        return _forget(work, vectors.vector_tables(work.builder)), None

    def restore(self, work: Work) -> None:
        """Embed the redacted texts."""
        if not work.has_touched(self.name):
            return
        absent = {
            item_id
            for table in vectors.vector_tables(work.builder)
            for item_id in missing(work.builder, work, table)
        }
        if absent:
            vectors.again(work.builder, work.embedder, sorted(absent))

    def scrub(self, work: Work) -> None:
        """Write the tables and their HNSW indexes anew: a vector that vacuum passed over stays in
        the pages of both."""
        if work.has_touched(self.name):
            tables = vectors.vector_tables(work.eraser)
            scrub.rewrite(work.eraser, ((SCHEMA, table) for table in tables))

    def verify(self, work: Work) -> StoreReport:
        """No row made from text that is no more, in no model's table."""
        n_left = sum(
            stale(work.verifier, work, table)[0] for table in vectors.vector_tables(work.verifier)
        )
        return report(self, n_left)


@dataclass(frozen=True)
class Marts(Passive):
    """Relations that dbt builds: ids, times and labels by rule, so nothing is removed; the next
    build follows the tombstones. Any erased value in one is residue."""

    name: str = "marts"
    kind: str = "derived"
    covers: tuple[str, ...] = ("staging.*", "intermediate.*", "marts.*")

    def find(self, work: Work) -> int:
        """Needles in any column of text."""
        return self._n_hits(work, work.eraser)

    def verify(self, work: Work) -> StoreReport:
        """No needle in any column of text."""
        return report(self, self._n_hits(work, work.verifier))

    @staticmethod
    def _n_hits(work: Work, connection: Connection) -> int:
        texts = nowhere(work)
        if not texts:
            return 0
        scanner = Scanner.of_texts(texts)
        schemas = ("staging", "intermediate", "marts")
        columns = [place for schema in schemas for place in columns_of(connection, schema)]
        return len(needles_in(connection, columns, scanner))


@dataclass(frozen=True)
class Graph(Passive):
    """The graph: facts of erased atoms, and entities and values that only they joined."""

    name: str = "graph"
    kind: str = "service"
    covers: tuple[str, ...] = ("home/graph",)

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them with what nothing else joins."""
        ids = [
            row[0]
            for row in work.eraser.execute(
                "select a.atom_id from memory.erasure_item as i"
                " join memory.atom as a on a.atom_id = i.item_id"
                " join memory.batch as b using (batch_id)"
                " where i.request_id = %s and i.kind = 'atom' and i.action = 'erase'"
                # what the graph wrote last first: an entity's facts are a list with the newest at its
                # head, which is gone through for each that is taken out
                " order by b.batch_no desc, a.atom_id desc",
                (work.request_id,),
            )
        ]
        with work.graph() as driver:
            return graph.remove(driver, work.services.graph_database, ids), None

    def verify(self, work: Work) -> StoreReport:
        """No fact of an erased atom, and no needle in the embedded server's files."""
        n_left = self._n_facts(work, work.verifier)
        if n_left or self.name not in work.services.embedded or work.needles is None:
            return report(self, n_left)
        return scan(work, self, (work.services.home.service(self.name),))

    @staticmethod
    def _n_facts(work: Work, connection: Connection) -> int:
        ids = work.ids(connection, "atom", "erase")
        with work.graph() as driver:
            return graph.n_stored(driver, work.services.graph_database, ids)


DERIVED_STORES: tuple[Store, ...] = (FullText(), Vectors(), Marts(), Graph())
