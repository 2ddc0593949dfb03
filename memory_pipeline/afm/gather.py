"""Gathers what may go into a context: a dialog's messages and its people's atoms in force.

Reads over the asking reader's own connection, so that row-level security decides what there is.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any
from uuid import UUID

import numpy as np
import psycopg
from psycopg.rows import namedtuple_row
from psycopg.types.json import Jsonb

from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.relevance import relevance
from memory_pipeline.contracts.snapshot import ItemKind
from memory_pipeline.governance.erasure.mentions import MASK
from memory_pipeline.index.embedder import Embedder
from memory_pipeline.index.vectors import vectors_of
from memory_pipeline.understand.language import detect_language

_BARE = re.compile(rf"[\W_]*{MASK}[\W_]*")
"""A text in which no letter or digit is left beside what was masked."""


@dataclass(frozen=True)
class Gathered:
    """Candidates, and the audience set of each item for the snapshot's own."""

    candidates: tuple[Candidate, ...]
    audience_ids: Mapping[str, int]
    lang: str


def read_sql(name: str) -> str:
    """The text of one statement of this package's `sql` folder."""
    return files("memory_pipeline.afm").joinpath("sql", name).read_text(encoding="utf-8")


def gather(
    connection: psycopg.Connection[Any],
    embedder: Embedder,
    dialog_id: UUID,
    query: str,
    *,
    valid_at: datetime,
    known_at: datetime,
    batch_no: int | None,
) -> Gathered:
    """The candidates for a context of `dialog_id`, scored against `query`."""
    bound: dict[str, Any] = {
        "dialog_id": dialog_id,
        "valid_at": valid_at,
        "known_at": known_at,
        "batch_no": batch_no,
    }
    messages: list[Any]
    alive: list[Any]
    atoms: list[Any]
    with connection.cursor(row_factory=namedtuple_row) as cursor:
        told: list[Any] = list(
            cursor.execute(read_sql("dialog_messages.sql").encode(), bound).fetchall()
        )
        # numbered with those of which an erasure left nothing to read: their turns stay theirs
        messages = [message for message in told if not _BARE.fullmatch(message.text)]
        cursor.execute(read_sql("dialog_subjects.sql").encode(), bound)
        # one list a person: what is folded together counts as told of one
        people = [row[0] for row in cursor.fetchall()]
        bound["people"] = Jsonb([[str(entity_id) for entity_id in members] for members in people])
        alive = list(cursor.execute(read_sql("alive_atoms.sql").encode(), bound).fetchall())
        atoms = list(cursor.execute(read_sql("atoms_in_force.sql").encode(), bound).fetchall())
        evidence = _evidence(cursor, [atom.atom_id for atom in atoms])
        stated = _stated(cursor, [message.message_id for message in messages])
    sims = _relevance(connection, embedder, query, messages, atoms)
    standing = {atom.atom_id for atom in alive} | {s for atom in alive for s in atom.supports}
    took_over = {atom.supersedes: atom.atom_id for atom in alive if atom.supersedes}
    n_russian = sum(message.lang == "ru" for message in messages)
    lang = "ru" if n_russian * 2 > len(messages) else detect_language(query)
    candidates = []
    for message in messages:
        said = stated.get(message.message_id, [])
        candidates.append(
            Candidate(
                kind=ItemKind.message,
                id=str(message.message_id),
                text=message.text,
                speaker=message.speaker,
                role=message.role,
                sent_at=message.told_at,
                turn=message.turn,
                importance=message.importance,
                importance_probability=message.probability,
                in_force=any(atom_id in standing for atom_id in said) if said else None,
                replaced_by=next((str(took_over[a]) for a in said if a in took_over), None),
                sim=sims[message.message_id],
                lang=message.lang,
                tags=tuple(message.tags or ()),
            )
        )
    candidates += [
        Candidate(
            kind=ItemKind.atom,
            id=str(atom.atom_id),
            text=atom.text,
            speaker=atom.speaker,
            told_at=atom.known_from,
            importance=atom.importance,
            in_force=True,
            evidence_of=tuple(str(e) for e in evidence.get(atom.atom_id, ())),
            sim=sims[atom.atom_id],
            lang=atom.lang,
            tags=tuple(atom.tags),
        )
        for atom in atoms
    ]
    audience_ids = {str(message.message_id): message.audience_id for message in messages}
    audience_ids |= {str(atom.atom_id): atom.audience_id for atom in atoms}
    return Gathered(tuple(candidates), audience_ids, lang)


def _evidence(cursor: psycopg.Cursor[Any], atom_ids: list[UUID]) -> dict[UUID, list[UUID]]:
    found: dict[UUID, list[UUID]] = defaultdict(list)
    cursor.execute(
        "select statement_id, message_id from memory.evidence where statement_id = any(%s)"
        " order by statement_id, message_id",
        (atom_ids,),
    )
    for statement_id, message_id in cursor.fetchall():
        found[statement_id].append(message_id)
    return found


def _stated(cursor: psycopg.Cursor[Any], message_ids: list[UUID]) -> dict[UUID, list[UUID]]:
    """Atoms by the message that states them, withdrawn ones left out."""
    found: dict[UUID, list[UUID]] = defaultdict(list)
    cursor.execute(
        "select a.message_id, a.atom_id from memory.atom as a where a.message_id = any(%s)"
        " and a.polarity = 'affirmed' and not exists ("
        "  select from memory.withdrawal as w where w.statement_id = a.atom_id)"
        " order by a.message_id, a.atom_id",
        (message_ids,),
    )
    for message_id, atom_id in cursor.fetchall():
        found[message_id].append(atom_id)
    return found


def _relevance(
    connection: psycopg.Connection[Any],
    embedder: Embedder,
    query: str,
    messages: Sequence[Any],
    atoms: Sequence[Any],
) -> dict[UUID, float]:
    """`relevance` of the messages, in the dialog's order, and of the atoms, by id; what was never
    embedded has a cosine of 0."""
    ids = [message.message_id for message in messages] + [atom.atom_id for atom in atoms]
    bound = {
        "query": query,
        "texts": [item.text for item in (*messages, *atoms)],
        "speakers": [item.speaker for item in (*messages, *atoms)],
    }
    fits = connection.execute(read_sql("word_fit.sql").encode(), bound).fetchall()
    stored = vectors_of(connection, embedder, ids)
    cosines = np.zeros(len(ids))
    places = [place for place, item_id in enumerate(ids) if item_id in stored]
    if places:
        raw = np.stack([stored[ids[place]] for place in places]) @ embedder.queries([query])[0]
        cosines[places] = embedder.calibration(raw)
    dealt = relevance(
        cosines,
        np.array([fit for fit, _ in fits], dtype=float),
        np.array([is_named for _, is_named in fits], dtype=bool),
        len(messages),
    )
    return dict(zip(ids, map(float, dealt), strict=True))
