"""Which needles still stand somewhere in the memory, and so may lie in its files as well.

A value that another dialog or another person keeps is no residue. What is found in no row of the
memory must be found in no byte of the home either.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from psycopg import sql

from memory_pipeline.governance.erasure.residue import Scanner
from memory_pipeline.governance.erasure.work import Connection, Work

_BLOCK_CHARS = 1 << 20


class Column(NamedTuple):
    """A column that holds text."""

    schema: str
    table: str
    name: str


def columns_of(connection: Connection, schema: str) -> list[Column]:
    """Columns of text, text arrays, JSON and full text of a schema's tables, partitions apart."""
    return [
        Column(*row)
        for row in connection.execute(
            "select n.nspname, c.relname, a.attname from pg_attribute as a"
            " join pg_class as c on c.oid = a.attrelid join pg_namespace as n"
            " on n.oid = c.relnamespace where n.nspname = %s and c.relkind in ('r', 'p', 'm')"
            " and not c.relispartition and a.attnum > 0 and not a.attisdropped"
            " and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype,"
            " 'json'::regtype, 'varchar'::regtype, 'name'::regtype, 'tsvector'::regtype)"
            " order by 1, 2, 3",
            (schema,),
        )
    ]


def needles_in(connection: Connection, columns: Iterable[Column], scanner: Scanner) -> set[int]:
    """Numbers of the needles that these columns hold anywhere; read in blocks."""
    found: set[int] = set()
    for column in columns:
        for block in _blocks(connection, column):
            found |= scanner.hits(block)
    return found


def _blocks(connection: Connection, column: Column) -> Iterator[bytes]:
    query = sql.SQL("select {}::text from {}").format(
        sql.Identifier(column.name), sql.Identifier(column.schema, column.table)
    )
    block: list[str] = []
    size = 0
    with connection.transaction(), connection.cursor("texts") as cursor:
        cursor.itersize = 2_000
        for (text,) in cursor.execute(query):
            if text is None:
                continue
            block.append(text)
            size += len(text)
            if size > _BLOCK_CHARS:
                yield "\0".join(block).encode("utf-8", "surrogatepass")
                block, size = [], 0
    yield "\0".join(block).encode("utf-8", "surrogatepass")


def nowhere(work: Work) -> list[str]:
    """Needles that no row of the memory holds any more; read once a verification, as the
    verifier."""
    if work.needles is None:
        return []
    if work.nowhere is None:
        texts = work.needles.all_texts
        # short ones too: they are looked for in texts alone
        scanner = Scanner(
            (n, pattern.encode("utf-8", "surrogatepass"))
            for n, text in enumerate(texts)
            for pattern in {text, _in_json(text)}
        )
        # a word's dictionary form may stand in the full text of what stays, and nowhere else
        columns = columns_of(work.verifier, "memory") + columns_of(work.verifier, "derived")
        found = needles_in(work.verifier, columns, scanner)
        work.nowhere = [text for n, text in enumerate(texts) if n not in found]
    return work.nowhere


def _in_json(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)[1:-1]
