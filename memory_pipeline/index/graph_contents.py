"""What the graph should hold and what it holds, in one shape, for the parity check."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

from memory_pipeline.index.graph import FACTS, ROWS_AT_ONCE, as_row, as_utc, count

if TYPE_CHECKING:
    from neo4j import Driver


def expected_facts(connection: psycopg.Connection) -> Iterator[dict[str, Any]]:
    """What the graph should hold, by id: a fact's properties and what it joins.

    Inside the caller's transaction.
    """
    with connection.cursor("expected_facts", row_factory=dict_row) as cursor:
        cursor.itersize = ROWS_AT_ONCE
        cursor.execute(sql.SQL("select * from ({}) as f order by id").format(FACTS))
        for fact in cursor:
            row = as_row(fact)
            yield {
                "id": row["id"],
                "joins": (row["subject"], row["object_entity"], row["value"]),
                **{name: value for name, value in row["properties"].items() if value is not None},
            }


def stored_facts(driver: "Driver", database: str) -> Iterator[dict[str, Any]]:
    """What the graph holds, by id, in the shape of `expected_facts`."""
    query: LiteralString = (
        "MATCH (f:Fact) WHERE f.id > $after WITH f ORDER BY f.id LIMIT $n"
        " OPTIONAL MATCH (s:Entity)-[:SUBJECT_OF]->(f)"
        " OPTIONAL MATCH (f)-[:OBJECT]->(o:Entity)"
        " OPTIONAL MATCH (f)-[:VALUE]->(v:Value)"
        " RETURN properties(f) AS properties, s.id AS subject, o.id AS object, v.key AS value"
        " ORDER BY properties.id"
    )
    after = ""
    with driver.session(database=database) as session:
        while True:
            rows = session.execute_read(
                lambda transaction, after: transaction.run(
                    query, after=after, n=ROWS_AT_ONCE
                ).data(),
                after,
            )
            for row in rows:
                properties = row["properties"]
                for name in ("valid_from", "valid_to", "told_at"):
                    if properties.get(name) is not None:
                        properties[name] = as_utc(properties[name])
                yield {
                    **{name: value for name, value in properties.items() if value is not None},
                    "joins": (row["subject"], row["object"], row["value"]),
                }
            if not rows:
                return
            after = rows[-1]["properties"]["id"]


def loose_nodes(driver: "Driver", database: str) -> int:
    """How many entities and values no fact joins."""
    query: LiteralString = (
        "MATCH (n) WHERE (n:Entity OR n:Value) AND NOT (n)--() RETURN count(n) AS n"
    )
    with driver.session(database=database) as session:
        return session.execute_read(count, query)
