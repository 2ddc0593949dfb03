"""Stored results of windows: looked up before anything is extracted, kept once it is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.batches import Batch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.contracts.statement import Extraction
from memory_pipeline.understand.candidates import EarlierRegistries, names_in
from memory_pipeline.understand.windows import PlannedWindow


@dataclass(frozen=True)
class Version:
    """Who extracts, and which predicates are offered: with the window, a stored result's key."""

    extractor_id: int
    registry_hash: bytes


@dataclass(frozen=True)
class Result:
    """A window's result: the id of its row, stored already or to be stored now."""

    extraction_id: UUID
    answer: Extraction
    is_new: bool


def stored_results(
    connection: psycopg.Connection,
    tenant_id: int,
    version: Version,
    earlier: EarlierRegistries,
    windows: Sequence[PlannedWindow],
) -> dict[bytes, Result]:
    """The results that are stored for windows under a version, by window hash: those under its
    registry, and those under the latest earlier one that no predicate set since concerns."""
    by_hash = {window.window_hash: window for window in windows}
    rows = connection.execute(
        "select x.window_hash, x.registry_hash, x.extraction_id, coalesce(c.answer, '{}')"
        # an answer that was erased is an empty one: nothing is read again for want of it
        " from memory.extraction as x"
        " left join memory.extraction_content as c using (extraction_id)"
        " where x.tenant_id = %s and x.extractor_id = %s and x.registry_hash = any(%s)"
        " and x.window_hash = any(%s)",
        (tenant_id, version.extractor_id, earlier.hashes, list(by_hash)),
    ).fetchall()
    rows.sort(key=lambda row: earlier.age(bytes(row[1])))
    texts = earlier.texts(window for window in windows)
    found: dict[bytes, Result] = {}
    for window_hash, registry_hash, extraction_id, answer in rows:
        key = bytes(window_hash)
        text = texts.get(by_hash[key].last.message_id, "")
        if key not in found and not earlier.concerns(bytes(registry_hash), names_in(answer), text):
            found[key] = Result(extraction_id, Extraction.model_validate(answer), False)
    return found


def keep_results(
    connection: psycopg.Connection,
    running: Batch,
    version: Version,
    audiences: Audiences,
    served: Sequence[PlannedWindow],
    results: Mapping[UUID, Result],
) -> None:
    """Store the new among `results` (by message) and note which result serves which message."""
    fresh = [
        (results[w.last.message_id], w, audiences.union(*{turn.audience_id for turn in w.turns}))
        for w in served
        if results[w.last.message_id].is_new
    ]
    insert_rows(
        connection,
        "extraction",
        [
            "extraction_id",
            "tenant_id",
            "audience_id",
            "batch_id",
            "message_id",
            "window_hash",
            "extractor_id",
            "registry_hash",
        ],
        (
            (
                result.extraction_id,
                running.tenant_id,
                audience_id,
                running.batch_id,
                window.last.message_id,
                window.window_hash,
                version.extractor_id,
                version.registry_hash,
            )
            for result, window, audience_id in fresh
        ),
    )
    writing = running.content(connection)
    insert_rows(
        connection,
        "extraction_content",
        ("extraction_id", "audience_id", "answer"),
        (
            (
                result.extraction_id,
                audience_id,
                writing.json(
                    "extraction_content",
                    "answer",
                    result.extraction_id,
                    result.answer.model_dump(mode="json"),
                ),
            )
            for result, _, audience_id in fresh
        ),
    )
    insert_rows(
        connection,
        "extraction_use",
        ("message_id", "extraction_id", "audience_id", "batch_id"),
        (
            (
                window.last.message_id,
                results[window.last.message_id].extraction_id,
                window.last.audience_id,
                running.batch_id,
            )
            for window in served
            if window.last.extraction_id != results[window.last.message_id].extraction_id
        ),
    )
