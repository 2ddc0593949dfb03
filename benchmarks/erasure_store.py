"""Stores of `benchmarks.erasure`: the people of `benchmarks.bitemporal_store` with all that an
erasure goes through: texts, stored answers, derivations, full text, vectors and facts of the graph.

Beside them every tenth person tells of an allergy, from which another atom is derived (one atom in
a hundred, tag `health`); `N_FIXED` people tell of a duty (tag `legal`), whatever the store's size;
and one person alone says a share of all. The values are words of no dictionary, each of one person;
one in twenty is spoken of in another person's dialog too. Rows are made chunk by chunk.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Any
from uuid import UUID, uuid5

import numpy as np
import numpy.typing as npt
from pgvector import HalfVector
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg.types.json import Jsonb

from benchmarks.bitemporal_database import Connection, Store, copy_rows
from benchmarks.bitemporal_store import (
    BASE_COLUMNS,
    DAY_0,
    MULTI,
    STATEMENT_COLUMNS,
    STATEMENTS_A_SUBJECT,
    Ground,
    chunks,
)
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import AtomDraft, Extraction, Span, SubjectRef
from memory_pipeline.index import full_text
from memory_pipeline.index.calibration import IDENTITY, Calibration
from memory_pipeline.index.embedder import table_name
from memory_pipeline.index.items import KINDS, items_of, last_batch, move_watermark
from memory_pipeline.index.vectors import index_name
from memory_pipeline.understand.registry import builtin_predicates, normalise_object

N_FIXED = 100
SHARE = 10
"""One atom in so many is the large subject's."""
SCOPE = ("allergy", "health")
DERIVED = "requirement"
FIXED = ("legal_constraint", "legal")
EVERY = 10
ATOMS_A_MESSAGE = 5
SENTENCE = 80
CONTENT_COLUMNS = {
    "message_content": ("message_id", "dialog_id", "audience_id", "native_id", "text"),
    "extraction_content": ("extraction_id", "audience_id", "answer"),
    "derivation": ("child_id", "parent_id", "audience_id", "batch_id"),
    "dialog_content": ("dialog_id", "namespace", "native_id", "title", "native_lookup"),
}
Rows = dict[str, list[tuple[Any, ...]]]
LARGE = "large"
_SPEAKER = SubjectRef(name="Speaker", is_speaker=True)


@dataclass(frozen=True)
class Drawn:
    """An embedder of random unit vectors: what is made anew of redacted texts costs its row and
    its place in the index, no model."""

    dim: int
    name: str = "random"
    version: str = "1"
    calibration: Calibration = IDENTITY

    def passages(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Unit rows, others at every call."""
        return _unit(np.random.default_rng(), len(texts), self.dim).astype(np.float32)

    queries = passages


@dataclass
class _Writer:
    """Rows of one chunk, by table."""

    ground: Ground
    keys: Keys
    batch_id: UUID
    audience_id: int
    rows: Rows = field(default_factory=lambda: defaultdict(list))

    def message(
        self, message_id: UUID, dialog_id: UUID, subject_id: UUID, position: int, texts: list[str]
    ) -> None:
        """A message of its own, with a stored answer of a draft for each sentence."""
        text = _text(texts)
        sent = DAY_0 + timedelta(days=position % 900)
        self.rows["message"].append(
            (message_id, self.ground.tenant_id, self.audience_id, self.batch_id, dialog_id,
             subject_id, self.ground.file_id, position, message_id.bytes, "user", sent, "stated",
             "ru", message_id.bytes, len(text))
        )  # fmt: skip
        self.rows["extraction"].append(
            (_derived(message_id, "extraction"), self.ground.tenant_id, self.audience_id,
             self.batch_id, message_id, message_id.bytes, self.ground.extractor_id, b"registry")
        )  # fmt: skip
        self.rows["message_content"].append((message_id, dialog_id, self.audience_id, None, text))

    def answer(self, extraction_id: UUID, told: Sequence[tuple[str, str, str, int]]) -> None:
        """The answer that a message's atoms were made of: (predicate, value, text, start)."""
        answer = Extraction(
            atoms=tuple(
                AtomDraft(
                    subject=_SPEAKER, predicate=predicate, object=value, text=text, confidence=0.9,
                    spans=(Span(start=start, end=start + len(text)),),
                )
                for predicate, value, text, start in told
            )
        )  # fmt: skip
        self.rows["extraction_content"].append(
            (extraction_id, self.audience_id, answer.model_dump_json())
        )

    def atom(
        self, atom_id: UUID, message_id: UUID, subject_id: UUID, predicate: str, value: str,
        text: str, start: int, *, origin: str = "user",
    ) -> None:  # fmt: skip
        """An atom of a message, with content and evidence."""
        self.rows["atom"].append(
            (atom_id, self.ground.tenant_id, self.audience_id, self.batch_id,
             _derived(message_id, "extraction"), message_id, subject_id,
             self.ground.predicates[predicate], "semantic",
             self.keys.object(self.ground.tenant_id, "text", _normal(predicate, value)), None, None, "affirmed", DAY_0,
             None, True, True, "day", DAY_0 + timedelta(days=10), 0, message_id.bytes, start,
             start + len(text), atom_id.bytes, 0.9, origin, 4, True, None, "ru")
        )  # fmt: skip
        self.rows["atom_content"].append(
            (atom_id, subject_id, self.audience_id, Jsonb(value), text)
        )
        self.rows["evidence"].append(
            (atom_id, message_id, self.audience_id, self.batch_id, start, start + len(text))
        )


def fill(store: Store, ground: Ground, keys: Keys, n_atoms: int) -> None:
    """The content of a store of about `n_atoms` atoms, batch by batch, by COPY as the owner."""
    n_large = n_atoms // SHARE
    n_people = (n_atoms - n_large) // STATEMENTS_A_SUBJECT
    tables = (*BASE_COLUMNS, *STATEMENT_COLUMNS, *CONTENT_COLUMNS)
    with store.connect("mem_owner") as owner, _unforced(owner, "memory", tables):
        for rows, batch_id in _people(ground, keys, n_people):
            _copy(owner, ground, rows, batch_id)
        for rows, batch_id in _large(ground, keys, n_large):
            _copy(owner, ground, rows, batch_id)


@contextmanager
def _unforced(owner: Connection, schema: str, tables: Sequence[str]) -> Iterator[None]:
    """COPY is refused under row-level security; meanwhile the owner is not under it."""
    command = sql.SQL("alter table {} {} row level security")
    for force in ("no force", "force"):
        for table in tables:
            owner.execute(command.format(sql.Identifier(schema, table), sql.SQL(force)))
        if force == "no force":
            yield


def _copy(owner: Connection, ground: Ground, rows: Rows, batch_id: UUID) -> None:
    columns = {**BASE_COLUMNS, **STATEMENT_COLUMNS, **CONTENT_COLUMNS}
    with owner.transaction():
        for table, names in columns.items():
            if rows.get(table):
                copy_rows(owner, "memory", table, names, rows[table])
        owner.execute(
            "select memory.close_batch(%s, %s, 'benchmark')", (batch_id, ground.tenant_id)
        )


def _people(ground: Ground, keys: Keys, n_people: int) -> Iterator[tuple[Rows, UUID]]:
    duty_step = max(n_people // N_FIXED, 1)
    number = 0
    for chunk in chunks(ground, n_people * STATEMENTS_A_SUBJECT):
        writer = _Writer(ground, keys, chunk.batch_id, ground.audiences[0])
        rows = writer.rows
        for table, base in chunk.base.items():
            rows[table] = [_in_batch(table, row, chunk.batch_id) for row in base]
        for table, statements in chunk.statements.items():
            rows[table] = list(statements)
        sentences: dict[UUID, list[tuple[int, str]]] = defaultdict(list)
        told: dict[UUID, list[tuple[str, str, str, int]]] = defaultdict(list)
        contents = {row[0]: (row[3].obj, row[4]) for row in rows["atom_content"]}
        contents |= {row[0]: (row[3].obj, row[4]) for row in rows["closure_content"]}
        for statement_id, message_id, _, _, start, _ in rows["evidence"]:
            value, text = contents[statement_id]
            sentences[message_id].append((start, text))
            told[message_id].append((MULTI, value, text, start))
        dialogs = {row[0]: row[4] for row in rows["message"]}
        messages: Rows = {"message_content": []}
        for message_id, parts in sentences.items():
            text = _text([part for _, part in sorted(parts)])
            messages["message_content"].append(
                (message_id, dialogs[message_id], ground.audiences[0], None, text)
            )
        rows["message_content"] = messages["message_content"]
        for row in list(rows["extraction"]):
            writer.answer(row[0], told[row[4]])
        people = [(row[0], row[4]) for row in rows["entity"]]
        for subject_id, dialog_id in people:
            rows["dialog_content"].append(
                (dialog_id, "benchmark", str(dialog_id), None, dialog_id.bytes)
            )
            extra = [_spoken_of(keys, number)] if number % (20 * EVERY) == 1 else []
            if number % EVERY == 0:
                _tell(writer, keys, SCOPE[0], number, subject_id, dialog_id, derives=True)
            if number % duty_step == 0 and number // duty_step < N_FIXED:
                _tell(writer, keys, FIXED[0], number, subject_id, dialog_id, derives=False)
            if extra:
                message_id = _derived(subject_id, "hearsay")
                writer.message(message_id, dialog_id, subject_id, 6, extra)
                writer.answer(_derived(message_id, "extraction"), [])
            number += 1
        yield rows, chunk.batch_id


def _tell(
    writer: _Writer, keys: Keys, predicate: str, number: int, subject_id: UUID, dialog_id: UUID,
    *, derives: bool,
) -> None:  # fmt: skip
    value = f"{predicate} {word(keys, predicate, number)}"
    text = f"У меня {value}, запомни это, пожалуйста."
    message_id = _derived(subject_id, predicate)
    atom_id = _derived(message_id, "atom")
    writer.message(message_id, dialog_id, subject_id, 5, [text, "Больше сказать нечего."])
    writer.answer(_derived(message_id, "extraction"), [(predicate, value, text, 0)])
    writer.atom(atom_id, message_id, subject_id, predicate, value, text, 0)
    if derives:
        child_id = _derived(message_id, "derived")
        writer.atom(
            child_id, message_id, subject_id, DERIVED, f"без {value}",
            f"Нужно обходиться без {value}.", 0, origin="derived",
        )  # fmt: skip
        writer.rows["derivation"].append((child_id, atom_id, writer.audience_id, writer.batch_id))


def _spoken_of(keys: Keys, number: int) -> str:
    """A sentence of somebody else about the value of the person before."""
    value = word(keys, SCOPE[0], number - 1)
    return f"А ещё я слышал про {SCOPE[0]} {value} от знакомых."


def _large(ground: Ground, keys: Keys, n_atoms: int) -> Iterator[tuple[Rows, UUID]]:
    dialog_id, subject_id = _large_dialog(keys), large_subject(keys)
    a_chunk = 10_000
    for first in range(0, n_atoms, a_chunk):
        writer = _Writer(ground, keys, _id(keys, f"large {first}"), ground.audiences[0])
        if first == 0:
            writer.rows["dialog"].append(
                (dialog_id, ground.tenant_id, writer.batch_id, dialog_id.bytes)
            )
            writer.rows["dialog_content"].append(
                (dialog_id, "benchmark", str(dialog_id), None, dialog_id.bytes)
            )
            writer.rows["entity"].append(
                (subject_id, ground.tenant_id, writer.batch_id, "speaker", dialog_id,
                 subject_id.bytes)
            )  # fmt: skip
        for at in range(first, min(first + a_chunk, n_atoms), ATOMS_A_MESSAGE):
            message_id = _id(keys, f"large message {at}")
            told = []
            for n in range(ATOMS_A_MESSAGE):
                value = f"дело {word(keys, LARGE, (at + n) // 2)}"
                text = f"Я веду {value}, и о нём нужно помнить."
                told.append((MULTI, value, text, n * SENTENCE))
                writer.atom(
                    _id(keys, f"large atom {at + n}"), message_id, subject_id, MULTI, value, text,
                    n * SENTENCE,
                )  # fmt: skip
            writer.message(message_id, dialog_id, subject_id, at, [text for _, _, text, _ in told])
            writer.answer(_derived(message_id, "extraction"), told)
        yield writer.rows, writer.batch_id


def large_subject(keys: Keys) -> UUID:
    """The person with a share of all atoms."""
    return _id(keys, "large subject")


def _large_dialog(keys: Keys) -> UUID:
    return _id(keys, "large dialog")


def word(keys: Keys, kind: str, number: int) -> str:
    """A word of no dictionary, of its number alone."""
    consonants, vowels = "бвгдзклмнпрст", "аеиоу"
    rest = int.from_bytes(keys.of(kind, number)[:4], "big")
    out = ""
    for _ in range(4):
        rest, consonant = divmod(rest, len(consonants))
        rest, vowel = divmod(rest, len(vowels))
        out += consonants[consonant] + vowels[vowel]
    number_left = number
    while number_left:
        number_left, consonant = divmod(number_left, len(consonants))
        out += consonants[consonant] + "о"
    return out + "к"


def index(store: Store, keys: Keys, dim: int, share: float = 1.0) -> Drawn:
    """Full text of all items, and random vectors of those that the scopes erase and of a share of
    the others; the vectors' index is made once all are in."""
    embedder = Drawn(dim)
    table = table_name(embedder.name, dim)
    with store.connect("mem_builder") as builder:
        full_text.refresh(builder)
        builder.execute(
            "select memory.register_model(%s, %s, '1', %s, '{}')", (table, embedder.name, dim)
        )
        upto = last_batch(builder)
        for kind in KINDS:
            move_watermark(builder, index_name(embedder, kind), upto, embedder.name)
    target = sql.Identifier("derived", table)
    with (
        store.connect("mem_owner") as owner,
        store.connect("mem_owner") as reading,
        _unforced(owner, "derived", [table]),
    ):
        indexes = owner.execute(
            "select indexname, indexdef from pg_indexes where schemaname = 'derived'"
            " and tablename = %s and indexdef like '%%hnsw%%'",
            (table,),
        ).fetchall()
        owner.execute("set maintenance_work_mem = '1GB'")
        for name, _ in indexes:
            owner.execute(sql.SQL("drop index {}").format(sql.Identifier("derived", name)))
        draw = np.random.default_rng(7)
        register_vector(owner)
        for kind in KINDS:
            with reading.transaction(), reading.cursor(name="items") as cursor:
                cursor.itersize = 5_000
                cursor.execute(
                    sql.SQL(
                        "select item_id, is_atom, tenant_id, audience_id, owner_id,"
                        " sha256(convert_to(text, 'UTF8')) from ({items}) as i"
                        " where owner_id in ({large}, {dialog})"
                        " or mod(hashtext(item_id::text)::bigint + 2147483648, 1000) < {share}"
                        " or item_id in (select e.item_id from memory.evidence as v"
                        "  join memory.atom as a on a.atom_id = v.statement_id"
                        "  join memory.predicate as p using (predicate_id)"
                        "  cross join lateral (values (v.statement_id), (v.message_id)) as e (item_id)"
                        "  where p.name in ({scope}, {derived}))"
                    ).format(
                        items=items_of(kind),
                        large=large_subject(keys),
                        dialog=_large_dialog(keys),
                        share=round(share * 1000),
                        scope=SCOPE[0],
                        derived=DERIVED,
                    )
                )
                while rows := cursor.fetchmany(5_000):
                    vectors = _unit(draw, len(rows), dim).astype(np.float16)
                    copying = sql.SQL("copy {} from stdin").format(target)
                    with owner.cursor() as writing, writing.copy(copying) as copy:
                        for row, vector in zip(rows, vectors, strict=True):
                            copy.write_row((*row, HalfVector(vector)))
        for _, definition in indexes:
            owner.execute(definition.encode())
    return embedder


def _normal(predicate: str, value: str) -> str:
    """As the product stores it: what a draft of an answer is found again by."""
    return normalise_object(_predicates()[predicate], value)


@cache
def _predicates() -> dict[str, Predicate]:
    return {predicate.name: predicate for predicate in builtin_predicates()}


def _in_batch(table: str, row: tuple[Any, ...], batch_id: UUID) -> tuple[Any, ...]:
    at = BASE_COLUMNS[table].index("batch_id")
    return (*row[:at], batch_id, *row[at + 1 :])


def _text(sentences: Sequence[str]) -> str:
    """Sentences at every `SENTENCE` characters."""
    return "".join(sentence.ljust(SENTENCE) for sentence in sentences)


def _derived(item_id: UUID, what: str) -> UUID:
    return uuid5(item_id, what)


def _id(keys: Keys, what: str) -> UUID:
    return UUID(bytes=keys.of("benchmark", what), version=4)


def _unit(draw: np.random.Generator, n: int, dim: int) -> npt.NDArray[Any]:
    rows = draw.standard_normal((n, dim), dtype=np.float32)
    scaled: npt.NDArray[Any] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled
