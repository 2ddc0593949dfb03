"""Reads bytes as the pipeline would: chosen by content, with the options of the tests."""

import io
import json
import zipfile
from datetime import UTC, datetime
from typing import Any

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.ingest.readers.base import HEAD_BYTES, ReadOptions, choose

OPTIONS = ReadOptions(now=datetime(2026, 12, 1, tzinfo=UTC), tz="Europe/Moscow")
ENDLESS_S = 10.0
"""Seconds of the processor after which reading something small and hostile counts as endless."""


def read_raw(
    raw: bytes, reader: str | None = None, options: ReadOptions = OPTIONS
) -> list[RawMessage | BadRecord]:
    """Read a file's bytes; `reader` is the one that has to recognise them."""
    chosen = choose(raw[:HEAD_BYTES], "export")
    assert reader in (None, chosen.name)
    return list(chosen.read(io.BytesIO(raw), options))


def read_json(document: Any, reader: str, options: ReadOptions = OPTIONS) -> list[Any]:
    """Read a value written as JSON."""
    return read_raw(json.dumps(document, ensure_ascii=False).encode(), reader, options)


def messages(records: list[RawMessage | BadRecord]) -> list[RawMessage]:
    """The records, which are all messages."""
    assert all(isinstance(record, RawMessage) for record in records), records
    return [record for record in records if isinstance(record, RawMessage)]


def zipped(**files: Any) -> bytes:
    """A zip file of texts, bytes and values written as JSON; `__` in a name stands for `/`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            raw = content if isinstance(content, bytes | str) else json.dumps(content)
            archive.writestr(name.replace("__", "/"), raw)
    return out.getvalue()
