"""All that is held about a person, for the person: 152-FZ article 14, GDPR articles 15 and 20.

Two files tell the same: JSON of a stable shape, and a document to read in Russian or English. They
tell what the login may see, and say so. The files are registered with everything they tell of before
a byte is written, so that a later erasure finds them; what is fenced meanwhile is written anew.

The JSON is one object, its lists in this order, each written row by row:

    {"format", "version", "export_id", "made_at", "tenant", "login", "sees_whole_tenant",
     "subject": {"name", "entity_ids"}, "readers": [{"login", "audience"}],
     "external_models": {"allowed", "placeholders"}, "retention": [{"rule"}],
     "operator_supplies": [what only the operator can tell],
     "names", "facts", "periods", "closures", "messages", "mentions", "sources", "recipients", "secrets",
     "automated_decisions": [{…}]}

The rows' fields are the columns of `sql/subject_*.sql` (`periods`: of `bitemporal/sql/periods.sql`).
Of a mention, which is another's message, only what stands around the name is told.
Times are ISO 8601 with an offset. Of secrets only types and counts are told.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, TextIO
from uuid import UUID, uuid4

import psycopg
from psycopg.rows import dict_row

from memory_pipeline.bitemporal.batches import batch, entered, in_one_epoch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.reading import Subject, read_sql
from memory_pipeline.bitemporal.tenants import setting
from memory_pipeline.governance.access import grants
from memory_pipeline.governance.erasure.aliases import names_nobody
from memory_pipeline.governance.erasure.discovery import queries_of
from memory_pipeline.governance.erasure.mentions import NAME_TYPE, find, forms
from memory_pipeline.governance.erasure.retention import rules_of
from memory_pipeline.governance.subject_document import Document
from memory_pipeline.memory import Memory
from memory_pipeline.understand.sensitive.policy import load_policy

FORMAT, VERSION = "memory-pipeline subject export", 1
SECTIONS = (
    "names", "facts", "periods", "closures", "messages", "mentions", "sources", "recipients",
    "secrets", "automated_decisions",
)  # fmt: skip
OPERATOR_SUPPLIES = (
    "operator", "purposes", "legal_grounds", "methods", "cross_border_transfer", "processors",
)  # fmt: skip
_FILES = {"sources": "subject_dialogs.sql", "automated_decisions": "subject_decisions.sql"}
_ROWS = 1_000
_MENTION_CHARS = 60


@dataclass(frozen=True)
class SubjectExport:
    """What was written: the registered id, the files, and how many rows each list has."""

    export_id: UUID
    paths: tuple[Path, ...]
    counts: dict[str, int]


def export_subject(memory: Memory, subject: Subject, folder: Path, lang: str) -> SubjectExport:
    """Write all that `memory`'s login may see of a person into `folder`: `subject-<id>.json` and
    `.md` (`lang`: ru or en), readable by their owner alone. Memory use does not grow with the
    person's rows. Raises `OSError`, and `ValueError` for another language."""
    if lang not in ("ru", "en"):
        raise ValueError("the document is written in ru or en")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with psycopg.connect(memory.services.pg_dsn("mem_ingest"), autocommit=True) as writer:

        def work(epoch: int) -> SubjectExport:
            return _write(memory, writer, subject, folder.absolute(), lang, epoch)

        return in_one_epoch(writer, memory.tenant_id, work)


def _write(
    memory: Memory,
    writer: psycopg.Connection[Any],
    subject: Subject,
    folder: Path,
    lang: str,
    epoch: int,
) -> SubjectExport:
    export_id, reader = uuid4(), memory.connection
    paths = tuple(folder / f"subject-{export_id}.{ending}" for ending in ("json", "md"))
    parts = tuple(path.with_name(f".{path.name}.part") for path in paths)
    with reader.transaction(), contextlib.ExitStack() as stack:
        # one look at the store for what is registered and what is written
        reader.execute("set transaction isolation level repeatable read, read only")
        head = _head(memory, writer, subject, export_id)
        _register(memory, writer, subject, export_id, (*paths, *parts), epoch)
        stack.callback(_remove, parts)
        json_file, document_file = (stack.enter_context(_private(part)) for part in parts)
        document = Document(document_file, lang)
        counts = _fill(reader, subject, memory.tenant_id, head, json_file, document)
        for file in (json_file, document_file):
            file.flush()
            os.fsync(file.fileno())
        with entered(writer, memory.tenant_id, epoch):
            for part, path in zip(parts, paths, strict=True):
                part.replace(path)
    return SubjectExport(export_id, paths, counts)


def _head(
    memory: Memory, writer: psycopg.Connection[Any], subject: Subject, export_id: UUID
) -> dict[str, Any]:
    row = memory.connection.execute(
        "select %s = any (memory.governed_tenants()), clock_timestamp()", (memory.tenant_id,)
    ).fetchone()
    sees_all, now = row or (False, None)
    with psycopg.connect(memory.services.pg_url, autocommit=True) as owner:
        readers = [
            {"login": right.login, "audience": right.audience}
            for right in grants(owner)
            if right.tenant == memory.tenant and (sees_all or right.login == memory.login)
        ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "export_id": export_id,
        "made_at": now,
        "tenant": memory.tenant,
        "login": memory.login,
        "sees_whole_tenant": bool(sees_all),
        "subject": {"name": subject.name, "entity_ids": sorted(subject.entity_ids)},
        "readers": readers,
        "external_models": {
            "allowed": bool(setting(writer, memory.tenant_id, "external_models", False)),
            "placeholders": sorted(load_policy(memory.tenant).placeholders),
        },
        "retention": [
            {"rule": str(rule)} for rule in rules_of(memory.services.home.path, memory.tenant)
        ],
        "operator_supplies": list(OPERATOR_SUPPLIES),
    }


def _register(
    memory: Memory,
    writer: psycopg.Connection[Any],
    subject: Subject,
    export_id: UUID,
    paths: tuple[Path, ...],
    epoch: int,
) -> None:
    with batch(writer, memory.tenant_id, "subject_export", epoch) as running:
        writer.execute(
            "insert into memory.subject_export (export_id, tenant_id, batch_id, login)"
            " values (%s, %s, %s, %s)",
            (export_id, memory.tenant_id, running.batch_id, memory.login),
        )
        writer.cursor().executemany(
            "insert into memory.subject_export_content (export_id, path) values (%s, %s)",
            [(export_id, str(path)) for path in paths],
        )
        with memory.connection.cursor(name="subject_items") as items:
            items.itersize = _ROWS
            items.execute(_sql("subject_items.sql"), {"subjects": list(subject.entity_ids)})
            insert_rows(
                writer,
                "subject_export_item",
                ("export_id", "item_id"),
                ((export_id, item_id) for (item_id,) in items),
                skip_known=True,
            )
        insert_rows(
            writer,
            "subject_export_item",
            ("export_id", "item_id"),
            (
                (export_id, row[item])
                for row in _mentions(memory.connection, subject, memory.tenant_id)
                for item in ("message_id", "dialog_id", "file_id")
            ),
            skip_known=True,
        )


def _fill(
    reader: psycopg.Connection[Any],
    subject: Subject,
    tenant_id: int,
    head: dict[str, Any],
    json_file: TextIO,
    document: Document,
) -> dict[str, int]:
    json_file.write("{\n")
    for name, value in head.items():
        json_file.write(f" {_json(name)}: {_json(value)},\n")
    document.begin(head)
    counts = {}
    for section in SECTIONS:
        document.section(section)
        json_file.write(f" {_json(section)}: [")
        n = 0
        for row in _rows(reader, section, subject, tenant_id):
            json_file.write(f"{',' if n else ''}\n  {_json(row)}")
            document.row(section, row)
            n += 1
        json_file.write("]" if section == SECTIONS[-1] else "],\n")
        document.end(section, n)
        counts[section] = n
    json_file.write("\n}\n")
    return counts


def _rows(
    reader: psycopg.Connection[Any], section: str, subject: Subject, tenant_id: int
) -> Iterator[dict[str, Any]]:
    if section == "mentions":
        yield from _mentions(reader, subject, tenant_id)
        return
    wanted: dict[str, Any] = {"subjects": list(subject.entity_ids)}
    if section == "periods":
        query = read_sql("periods.sql").encode()
        wanted |= {"predicate_id": None, "batch_no": None}
    else:
        query = _sql(_FILES.get(section, f"subject_{section}.sql"))
    with reader.cursor(name=f"subject_{section}", row_factory=dict_row) as cursor:
        cursor.itersize = _ROWS
        cursor.execute(query, wanted)
        yield from cursor


def _mentions(
    reader: psycopg.Connection[Any], subject: Subject, tenant_id: int
) -> Iterator[dict[str, Any]]:
    """Others' messages that mention the person, as an erasure would find them."""
    rows = reader.execute(_sql("subject_names.sql"), {"subjects": list(subject.entity_ids)})
    columns = [column.name for column in rows.description or ()]
    names = {row[columns.index("name")] for row in rows}
    looked_for = forms((name, NAME_TYPE) for name in names if name and not names_nobody(name))
    if not looked_for:
        return
    with reader.cursor(name="subject_mentions", row_factory=dict_row) as cursor:
        cursor.itersize = _ROWS
        cursor.execute(
            _sql("subject_mentions.sql"),
            {
                "subjects": list(subject.entity_ids),
                "tenant_id": tenant_id,
                "phrases": queries_of(looked_for),
            },
        )
        for row in cursor:
            spans = find(looked_for, row["text"])
            if spans:
                low = max(0, spans[0][0] - _MENTION_CHARS)
                yield row | {"text": row["text"][low : spans[-1][1] + _MENTION_CHARS]}


def _sql(name: str) -> bytes:
    return files("memory_pipeline.governance").joinpath("sql", name).read_bytes()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime | date) else str(value)


@contextlib.contextmanager
def _private(path: Path) -> Iterator[TextIO]:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        yield out


def _remove(parts: tuple[Path, ...]) -> None:
    for part in parts:
        part.unlink(missing_ok=True)
