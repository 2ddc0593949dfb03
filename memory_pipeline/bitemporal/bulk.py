"""Bulk inserts into tables under row-level security, where COPY is refused.

Rows are copied into a temporary table of the same columns and inserted from there in one
statement; the temporary table is emptied with the transaction.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from psycopg import sql


def insert_rows(
    connection: psycopg.Connection,
    table: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    skip_known: bool = False,
) -> int:
    """Insert `rows` (values in the order of `columns`) into `memory.<table>`; returns how many
    were added. With `skip_known`, rows that break a unique key are left out."""
    stage = sql.Identifier(f"bulk_{table}")
    target = sql.Identifier("memory", table)
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            sql.SQL(
                "create temporary table if not exists {} on commit delete rows"
                " as select {} from {} with no data"
            ).format(stage, names, target)
        )
        cursor.execute(sql.SQL("truncate {}").format(stage))
        n_rows = 0
        with cursor.copy(sql.SQL("copy {} ({}) from stdin").format(stage, names)) as copy:
            for row in rows:
                copy.write_row(row)
                n_rows += 1
        if not n_rows:
            return 0
        cursor.execute(
            sql.SQL("insert into {} ({}) select {} from {} {}").format(
                target,
                names,
                names,
                stage,
                sql.SQL("on conflict do nothing" if skip_known else ""),
            )
        )
        return cursor.rowcount
