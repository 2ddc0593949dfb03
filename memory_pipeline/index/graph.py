"""The graph of entities and facts, over Bolt: ids, predicate names, periods, audiences.

(:Entity)-[:SUBJECT_OF]->(:Fact)-[:OBJECT]->(:Entity), and (:Fact)-[:VALUE]->(:Value) for plain
values, keyed by the hash that makes two objects equal, so that two people in one city meet. No
value, text or name lies in it: readers resolve the ids in PostgreSQL under their own rights.

The same Cypher runs on the embedded server and on Neo4j 5. The embedded one returns stored
datetimes without a zone, so they are written in UTC and read back as UTC.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from memory_pipeline.index.items import last_batch, move_watermark, one_refresh, watermark

if TYPE_CHECKING:
    from neo4j import Driver, ManagedTransaction

INDEX_NAME = "graph"
# larger writes are far slower on both servers
ROWS_AT_ONCE = 1_000

_SCHEMA: tuple[LiteralString, ...] = (
    "CREATE CONSTRAINT entity_id IF NOT EXISTS FOR (n:Entity) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT fact_id IF NOT EXISTS FOR (n:Fact) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT value_key IF NOT EXISTS FOR (n:Value) REQUIRE n.key IS UNIQUE",
)

# a restriction narrows: its readers must be granted both sets
FACTS = sql.SQL("""
    select a.atom_id::text as id, a.tenant_id as tenant, p.name as predicate,
        a.subject_id::text as subject, s.kind::text as subject_kind,
        a.object_entity_id::text as object_entity, o.kind::text as object_kind,
        case when a.object_entity_id is null and a.secret_id is null
            then a.tenant_id || ':' || encode(a.object_key, 'hex') end as value,
        (
            select array_agg(distinct name order by name)
            from (
                select unnest(u.names) as name from memory.audience as u
                where u.audience_id = a.audience_id
                union all
                select unnest(u.names) from memory.restriction as r
                join memory.audience as u using (audience_id)
                where r.atom_id = a.atom_id
                union all
                select unnest(u.names) from memory.evidence as e
                join memory.message_restriction as r using (message_id)
                join memory.audience as u on u.audience_id = r.audience_id
                where e.statement_id = a.atom_id
            ) as n
        ) as audience,
        a.valid_from, a.valid_to, a.told_at, a.kind::text as kind, a.polarity::text as polarity,
        b.batch_no
    from memory.atom as a
    join memory.batch as b using (batch_id)
    join memory.predicate as p using (predicate_id)
    join memory.entity as s on s.entity_id = a.subject_id
    left join memory.entity as o on o.entity_id = a.object_entity_id
    where exists (
            select from memory.atom_content as c
            where c.atom_id = a.atom_id and c.subject_id = a.subject_id)
        and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)
        and not exists (select from memory.tombstone as t where t.atom_id = a.atom_id)
""")

_MERGE_ENTITIES: LiteralString = (
    "UNWIND $rows AS row MERGE (e:Entity {id: row.id}) SET e.tenant = row.tenant, e.kind = row.kind"
)
_MERGE_VALUES: LiteralString = (
    "UNWIND $rows AS row MERGE (v:Value {key: row.key}) SET v.tenant = row.tenant"
)
_MERGE_FACTS: LiteralString = (
    "UNWIND $rows AS row MERGE (f:Fact {id: row.id}) SET f += row.properties"
)
# the embedded server finds relationships by an anchored node only, so both ends are matched; it looks
# through those of the pattern's first node, and an entity may have a hundred thousand where a fact
# has three
_JOIN_SUBJECTS: LiteralString = (
    "UNWIND $rows AS row MATCH (f:Fact {id: row.id}) MATCH (e:Entity {id: row.end})"
    " MERGE (f)<-[:SUBJECT_OF]-(e)"
)
_JOIN_OBJECTS: LiteralString = (
    "UNWIND $rows AS row MATCH (f:Fact {id: row.id}) MATCH (e:Entity {id: row.end})"
    " MERGE (f)-[:OBJECT]->(e)"
)
_JOIN_VALUES: LiteralString = (
    "UNWIND $rows AS row MATCH (f:Fact {id: row.id}) MATCH (v:Value {key: row.end})"
    " MERGE (f)-[:VALUE]->(v)"
)

_PROPERTIES = (
    "tenant", "predicate", "subject", "object_entity", "audience", "valid_from", "valid_to",
    "told_at", "kind", "polarity", "batch_no",
)  # fmt: skip


@dataclass(frozen=True)
class GraphRefreshed:
    """What a refresh of the graph did, in facts."""

    n_written: int
    n_removed: int
    batch_no: int


@dataclass(frozen=True)
class Neighbour:
    """A fact that was reached, and what it joins. `depth` 1 is a fact of the start itself."""

    fact_id: UUID
    subject_id: UUID
    object_entity_id: UUID | None
    value_key: str | None
    depth: int


def prepare(driver: "Driver", database: str) -> None:
    """Make the constraints, which are also the indexes. Idempotent."""
    with driver.session(database=database) as session:
        for statement in _SCHEMA:
            session.run(statement).consume()


def as_utc(value: Any) -> datetime | None:
    """A datetime as either server returns it, as an aware datetime in UTC."""
    if value is None:
        return None
    native: datetime = value if isinstance(value, datetime) else value.to_native()
    return native.replace(tzinfo=UTC) if native.tzinfo is None else native.astimezone(UTC)


def refresh(connection: psycopg.Connection, driver: "Driver", database: str) -> GraphRefreshed:
    """Bring the graph up to the last finished batch.

    `connection` is mem_builder's, in autocommit. A refresh that dies is taken up by the next one:
    writes are MERGE, the watermark moves last. Raises what the driver raises after its retries.
    """
    with one_refresh(connection, INDEX_NAME):
        prepare(driver, database)
        upper = last_batch(connection)
        after = watermark(connection, INDEX_NAME)
        n_removed = _remove_gone(connection, driver, database, after, upper)
        changed = sql.SQL(
            "select * from ({facts}) as f where batch_no > %(after)s and batch_no <= %(upto)s"
            " union all"
            " select * from ({facts}) as f where batch_no <= %(after)s and f.id in ("
            " select r.atom_id::text from memory.restriction as r"
            " join memory.batch as b using (batch_id)"
            " where b.batch_no > %(after)s and b.batch_no <= %(upto)s"
            " union all select e.statement_id::text from memory.message_restriction as r"
            " join memory.evidence as e using (message_id)"
            " join memory.batch as b on b.batch_id = r.batch_id"
            " where b.batch_no > %(after)s and b.batch_no <= %(upto)s)"
            # an order that erasure can go back by
            " order by batch_no, id"
        ).format(facts=FACTS)
        n_written = 0
        # held beyond its transaction: the graph is written between the fetches
        with connection.cursor("facts", row_factory=dict_row, withhold=True) as cursor:
            cursor.itersize = ROWS_AT_ONCE
            cursor.execute(changed, {"after": after, "upto": upper})
            with driver.session(database=database) as session:
                for rows in _chunks(map(as_row, cursor)):
                    session.execute_write(_write, rows)
                    n_written += len(rows)
        move_watermark(connection, INDEX_NAME, upper)
    return GraphRefreshed(n_written, n_removed, upper)


def as_row(fact: dict[str, Any]) -> dict[str, Any]:
    """A row of `FACTS` as the graph's writes take it, with the node's properties."""
    fact["audience"] = fact["audience"] or []
    for name in ("valid_from", "valid_to", "told_at"):
        fact[name] = as_utc(fact[name])
    fact["properties"] = {name: fact[name] for name in _PROPERTIES}
    return fact


def _chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_AT_ONCE)):
        yield some


def _write(transaction: "ManagedTransaction", rows: list[dict[str, Any]]) -> None:
    entities = {
        row[end]: {"id": row[end], "tenant": row["tenant"], "kind": row[f"{word}_kind"]}
        for row in rows
        for end, word in (("subject", "subject"), ("object_entity", "object"))
        if row[end] is not None
    }
    values = {
        row["value"]: {"key": row["value"], "tenant": row["tenant"]}
        for row in rows
        if row["value"] is not None
    }
    facts = [{"id": row["id"], "properties": row["properties"]} for row in rows]

    def ends(name: str) -> list[dict[str, str]]:
        return [{"id": row["id"], "end": row[name]} for row in rows if row[name] is not None]

    for statement, parameters in (
        (_MERGE_ENTITIES, list(entities.values())),
        (_MERGE_VALUES, list(values.values())),
        (_MERGE_FACTS, facts),
        (_JOIN_SUBJECTS, ends("subject")),
        (_JOIN_OBJECTS, ends("object_entity")),
        (_JOIN_VALUES, ends("value")),
    ):
        if parameters:
            transaction.run(statement, rows=parameters).consume()


def _remove_gone(
    connection: psycopg.Connection, driver: "Driver", database: str, after: int, upto: int
) -> int:
    """Remove facts that were withdrawn or got a tombstone in these batches."""
    gone = connection.execute(
        "select w.statement_id::text from memory.withdrawal as w"
        " join memory.batch as b using (batch_id)"
        " join memory.atom as a on a.atom_id = w.statement_id"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s"
        " union"
        " select t.atom_id::text from memory.tombstone as t join memory.batch as b using (batch_id)"
        " where b.batch_no > %(after)s and b.batch_no <= %(upto)s",
        {"after": after, "upto": upto},
    )
    return remove(driver, database, (row[0] for row in gone))


def remove(driver: "Driver", database: str, fact_ids: Iterable[str | UUID]) -> int:
    """Remove facts, and entities and values that no other fact joins; returns how many facts.

    For refresh and for erasure. Deleted properties may stay on the server's disk, which is why
    they are ids and hashes only.
    """
    n_removed = 0
    with driver.session(database=database) as session:
        for ids in _chunks(str(fact_id) for fact_id in fact_ids):
            n_removed += session.execute_write(_remove, ids)
    return n_removed


def _remove(transaction: "ManagedTransaction", ids: list[str]) -> int:
    # told and removed in one pass; a fact has the ids of the entities that it joins
    found = transaction.run(
        "UNWIND $ids AS id MATCH (f:Fact {id: id}) OPTIONAL MATCH (f)-[:VALUE]->(v:Value)"
        " WITH f, f.id AS fact, f.subject AS subject, f.object_entity AS object, v.key AS value"
        " DETACH DELETE f RETURN fact, subject, object, value",
        ids=ids,
    ).data()
    facts = {row["fact"] for row in found}
    entities = {row[end] for row in found for end in ("subject", "object")} - {None}
    values = {row["value"] for row in found} - {None}
    transaction.run(
        "UNWIND $ids AS id MATCH (e:Entity {id: id}) WHERE NOT (e)--() DELETE e",
        ids=sorted(entities),
    ).consume()
    transaction.run(
        "UNWIND $keys AS key MATCH (v:Value {key: key}) WHERE NOT (v)--() DELETE v",
        keys=sorted(values),
    ).consume()
    return len(facts)


def n_stored(driver: "Driver", database: str, fact_ids: Iterable[str | UUID]) -> int:
    """How many of these facts the graph holds."""
    query: LiteralString = "UNWIND $ids AS id MATCH (f:Fact {id: id}) RETURN f.id AS id"
    n_found = 0
    with driver.session(database=database) as session:
        for ids in _chunks(str(fact_id) for fact_id in fact_ids):
            n_found += session.execute_read(
                lambda transaction, ids: len(transaction.run(query, ids=ids).data()), ids
            )
    return n_found


def clear(connection: psycopg.Connection, driver: "Driver", database: str) -> None:
    """Delete every node and set the watermark back; part of a rebuild."""
    with one_refresh(connection, INDEX_NAME):
        # first, so that a run that dies here is repaired by the next refresh
        move_watermark(connection, INDEX_NAME, 0)
        deletions: tuple[LiteralString, ...] = (
            "MATCH (n:Fact) WITH n LIMIT 1000 DETACH DELETE n RETURN count(*) AS n",
            "MATCH (n:Entity) WITH n LIMIT 1000 DETACH DELETE n RETURN count(*) AS n",
            "MATCH (n:Value) WITH n LIMIT 1000 DETACH DELETE n RETURN count(*) AS n",
        )
        with driver.session(database=database) as session:
            for statement in deletions:
                while session.execute_write(count, statement):
                    pass


def count(transaction: "ManagedTransaction", statement: LiteralString) -> int:
    """The column `n` of a statement's only row."""
    record = transaction.run(statement).single()
    return 0 if record is None else int(record["n"])


def neighbours(
    driver: "Driver",
    database: str,
    entity_ids: Iterable[UUID],
    *,
    tenant_id: int,
    audiences: Iterable[Sequence[str]],
    depth: int = 1,
    same: Callable[[set[UUID]], set[UUID]] | None = None,
    limit: int = 1_000,
) -> list[Neighbour]:
    """Facts within `depth` steps of the entities; a step goes over one fact to what it joins.

    Only facts of the tenant whose audience names all lie in `audiences` (the name sets that the
    reader may read) are returned or passed through. `same` widens a set of entities by those that
    the reader takes for the same (resolved in PostgreSQL); it is asked at every step. At most
    `limit` facts, nearest first. The caller resolves the ids in PostgreSQL under its own rights.
    """
    names = sorted({name for audience in audiences for name in audience})
    reached: dict[str, Neighbour] = {}
    visited_entities: set[str] = set()
    visited_values: set[str] = set()
    entities = set(entity_ids)
    values: set[str] = set()
    with driver.session(database=database) as session:
        for step in range(1, depth + 1):
            if same is not None and entities:
                entities |= same(entities)
            start = {str(entity_id) for entity_id in entities} - visited_entities
            visited_entities |= start
            values -= visited_values
            visited_values |= values
            if not start and not values:
                break
            rows = session.execute_read(
                _step, sorted(start), sorted(values), names, tenant_id, limit
            )
            entities, values = set(), set()
            for row in rows:
                if row["fact"] in reached or len(reached) >= limit:
                    continue
                found = Neighbour(
                    UUID(row["fact"]),
                    UUID(row["subject"]),
                    None if row["object"] is None else UUID(row["object"]),
                    row["value"],
                    step,
                )
                reached[row["fact"]] = found
                entities |= {found.subject_id, found.object_entity_id or found.subject_id}
                values |= {found.value_key} if found.value_key is not None else set()
    return list(reached.values())


_VISIBLE: LiteralString = (
    " WHERE f.tenant = $tenant AND all(name IN f.audience WHERE name IN $names)"
    " OPTIONAL MATCH (f)-[:VALUE]->(v:Value)"
    " RETURN f.id AS fact, f.subject AS subject, f.object_entity AS object, v.key AS value"
    " ORDER BY fact LIMIT $limit"
)
_STEPS: tuple[tuple[LiteralString, str], ...] = (
    ("UNWIND $entities AS id MATCH (e:Entity {id: id})-[:SUBJECT_OF]->(f:Fact)", "entities"),
    ("UNWIND $entities AS id MATCH (f:Fact)-[:OBJECT]->(e:Entity {id: id})", "entities"),
    ("UNWIND $values AS key MATCH (f:Fact)-[:VALUE]->(x:Value {key: key})", "values"),
)


def _step(
    transaction: "ManagedTransaction",
    entities: list[str],
    values: list[str],
    names: list[str],
    tenant_id: int,
    limit: int,
) -> list[dict[str, Any]]:
    parameters: dict[str, Any] = {
        "entities": entities,
        "values": values,
        "names": names,
        "tenant": tenant_id,
        "limit": limit,
    }
    return [
        record.data()
        for match, start in _STEPS
        if parameters[start]
        for record in transaction.run(match + _VISIBLE, parameters)
    ]
