"""The chain of an atom, from the file it came in to the contexts that carried it."""

from typing import Any
from uuid import UUID

import psycopg
from psycopg.rows import dict_row

from memory_pipeline.bitemporal.human import UnknownAtom
from memory_pipeline.bitemporal.reading import read_sql


def chain(connection: psycopg.Connection[Any], atom_id: UUID) -> dict[str, Any]:
    """`{"atom", "messages": [{…, "file"}], "supports", "holds": [[from, to]], "derived_from", "derived", "snapshots",
    "exports", "withdrawn", "erased"}` as the login may see it. Raises `UnknownAtom`."""
    bound = {"atom_id": atom_id}
    with connection.cursor(row_factory=dict_row) as cursor:
        atom = cursor.execute(read_sql("show_atom.sql").encode(), bound).fetchone()
        if atom is None:
            raise UnknownAtom(f"there is no atom {atom_id} that this login may see")
        messages = [
            row | {"quote": row.pop("text")[row["span_start"] : row["span_end"]]}
            for row in cursor.execute(read_sql("show_messages.sql").encode(), bound)
        ]
        supported = cursor.execute(read_sql("show_supported.sql").encode(), bound).fetchall()
        lineage = cursor.execute(
            "select child_id, parent_id from memory.derivation"
            " where child_id = %(atom_id)s or parent_id = %(atom_id)s",
            bound,
        ).fetchall()
        snapshots = cursor.execute(
            "select i.snapshot_id, i.fidelity, s.n_tokens, s.budget, s.known_at"
            " from memory.snapshot_item as i join memory.snapshot as s using (snapshot_id)"
            " where i.item_id = %(atom_id)s order by s.known_at, i.snapshot_id",
            bound,
        ).fetchall()
    shown: dict[str, Any] = _plain(
        {
            "atom": atom,
            "messages": messages,
            "supports": sorted({row["atom_id"] for row in supported if row["atom_id"] != atom_id}),
            "holds": [[row["valid_from"], row["valid_to"]] for row in supported],
            "derived_from": [r["parent_id"] for r in lineage if r["child_id"] == atom_id],
            "derived": [r["child_id"] for r in lineage if r["parent_id"] == atom_id],
            "snapshots": snapshots,
        }
    )
    return shown


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if hasattr(value, "isoformat") else value
