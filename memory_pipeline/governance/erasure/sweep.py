"""Execution: values in Vault, the content in one transaction, then every store by itself."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, LiteralString
from uuid import uuid4

import psycopg
from psycopg import sql

from memory_pipeline.bitemporal.batches import current_epoch
from memory_pipeline.contracts.erasure import ErasureState, StoreState
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure import (
    detected,
    edits,
    mentions,
    plan,
    requests,
    resealing,
)
from memory_pipeline.governance.erasure.answers import Drafts, planned_answers
from memory_pipeline.governance.erasure.edits import Redaction
from memory_pipeline.governance.erasure.needles import Needles, gather, keep_needles
from memory_pipeline.governance.erasure.stores import Store
from memory_pipeline.governance.erasure.stores_database import masked_strings, strings_of
from memory_pipeline.governance.erasure.work import Unreachable, Work
from memory_pipeline.governance.secrets import SecretStoreError
from memory_pipeline.local.errors import ServiceError

logger = logging.getLogger(__name__)

UNREACHABLE = (Unreachable, SecretStoreError, ServiceError, psycopg.OperationalError, OSError)
"""What a store raises that does not answer; it is asked again by the next run."""

_TEXTS: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("atom_content", "atom_id", "atom", ("text",)),
    ("closure_content", "closure_id", "closure", ("text",)),
    ("reason_content", "statement_id", "reason", ("reason",)),
    ("dialog_content", "dialog_id", "dialog", ("title", "namespace", "native_id")),
)
_VALUES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("atom_content", "atom_id", "atom", ("object",)),
    ("closure_content", "closure_id", "closure", ("object",)),
    ("review_content", "review_id", "review", ("item",)),
    ("message_content", "message_id", "message", ("attachments", "tags")),
)
_OWNERS: dict[str, tuple[LiteralString, LiteralString]] = {
    "atom_content": (
        " join memory.atom as o on o.atom_id = i.item_id",
        " and c.subject_id = o.subject_id",
    ),
    "message_content": (
        " join memory.message as o on o.message_id = i.item_id",
        " and c.dialog_id = o.dialog_id",
    ),
}
"""What names the partition of a row, so that one is looked into."""


def seal_needles(work: Work) -> None:
    """Keep in Vault what the plan erases, while it can be read. Raises `SecretStoreError`."""
    if detected.is_mask(work.eraser, work.request_id):
        # what a mask sweep found it kept there itself
        seal_more(work)
        return
    values = plan.erased_values(work.eraser, work.request_id)
    found = gather(work.eraser, work.request_id, values)
    keep_needles(work.services.vault_client("eraser"), work.request_id, found)
    work.forget_needles()
    # read back before anything goes: what cannot be looked for cannot be proved gone
    work.forms  # noqa: B018 - a cached property


def seal_more(work: Work) -> None:
    """Add what mentions masked since hold to the needles, of which the erased ones are known from
    Vault alone. Raises `SecretStoreError`."""
    before = work.needles or Needles()
    found = gather(work.eraser, work.request_id, before.values)
    more = Needles(
        before.values,
        tuple(dict.fromkeys(before.texts + found.texts)),
        tuple(dict.fromkeys(before.vectors + found.vectors)),
    )
    keep_needles(work.services.vault_client("eraser"), work.request_id, more)
    work.forget_needles()


def erase_content(work: Work) -> bool:
    """Remove and redact the plan's content in one transaction, alone in the tenant, and close its
    batch. False where the plan grew since its needles were sealed: nothing is erased then, the
    grown plan stands, and the caller seals and comes again."""
    connection = work.eraser
    batch_id = uuid4()
    # what came since discovery is read before the tenant is held up, and what comes now, in it
    with connection.transaction():
        state = ErasureState(requests.locked(connection, work.request_id)["state"])
        if state is ErasureState.keys_destroyed and plan.recompute(
            connection, work.request_id, work.keys, work.sealer
        ):
            return False
        read_epoch = current_epoch(connection, work.tenant_id)
        read_plan = plan.redacted_digest(connection, work.request_id)
        redactions = read_redactions(work)
    with connection.transaction():
        row = connection.execute(
            "select memory.enter_alone(%s, %s, 'erased')", (work.tenant_id, work.request_id)
        ).fetchone()
        state = ErasureState(requests.locked(connection, work.request_id)["state"])
        is_first = state is ErasureState.keys_destroyed
        if is_first and plan.recompute(connection, work.request_id, work.keys, work.sealer):
            return False
        # content changes by an erasure alone, what is to be redacted by a plan
        is_as_read = row is not None and row[0] == read_epoch + 1
        if not is_as_read or plan.redacted_digest(connection, work.request_id) != read_plan:
            redactions = read_redactions(work)
        in_clear = resealing.reseal_rows(work, redactions)
        n_redacted = edits.put(connection, work.request_id, in_clear)
        n_redacted |= Counter(one.table for one in redactions)
        resealing.reseal_messages(work)
        work.resealing.keep()
        connection.execute("select memory.end_keys(%s)", (work.request_id,))
        counts = {
            str(row[0]): int(row[1])
            for row in connection.execute(
                "select store, n from memory.erase_planned(%s, %s)", (work.request_id, batch_id)
            )
        }
        row = connection.execute(
            "select memory.close_batch(%s, %s, 'erasure')", (batch_id, work.tenant_id)
        ).fetchone()
        connection.execute(
            "update memory.erasure_request set erased_batch_no = coalesce(erased_batch_no, %s)"
            " where request_id = %s",
            (row and row[0], work.request_id),
        )
        for table, n in counts.items():
            n_changed = n + n_redacted.get(table, 0)
            if n_changed and table not in ("tombstone", "redaction"):
                keep_state(work, table, StoreState.erased, n_found=n_changed, n_erased=n_changed)
        if is_first:
            requests.advance(connection, work.request_id, ErasureState.erased)
        details = counts | {f"redacted_{table}": n for table, n in n_redacted.items()}
        told(work, "erasure.erased" if is_first else "erasure.erased_more", details)
    return True


def told(work: Work, action: str, details: Mapping[str, Any]) -> None:
    """Append to the audit log, last in the caller's transaction."""
    audit.append(work.eraser, work.tenant_id, action, work.request_id, details)


def pending_spans(work: Work) -> bool:
    """Whether the plan has spans that are not redacted yet: a mention was masked since."""
    row = work.eraser.execute(
        "select exists (select from memory.erasure_span as s where s.request_id = %s"
        " and not exists (select from memory.redaction as r where r.request_id = s.request_id"
        "  and r.message_id = s.message_id and r.span_start = s.span_start"
        "  and r.span_end = s.span_end))",
        (work.request_id,),
    ).fetchone()
    return bool(row and row[0])


def read_redactions(work: Work) -> list[Redaction]:
    """What becomes of the rows that the plan redacts: erased values masked, drafts of erased
    statements left out. Reads only. Raises `edits.NotLess` where it would be something else."""
    needles = work.needles or Needles()
    looked_for = work.forms or mentions.forms(())
    detector = detected.detector_of(work.eraser, work.request_id, needles.texts)

    def mask(text: str) -> str:
        if detector is not None:
            return detector.mask(text)
        return mentions.redacted(text, mentions.find(looked_for, text))

    def mentioned(value: Any) -> bool:
        return any(mentions.find(looked_for, text) for text in strings_of(value))

    found: list[Redaction] = []
    for table, key, kind, columns in _TEXTS:
        for item_id, column, value in _planned(work, table, key, kind, columns):
            new = mask(value)
            if new != value:
                found.append(edits.of_text(table, column, item_id, value, new))
    for table, key, kind, columns in _VALUES:
        for item_id, column, value in _planned(work, table, key, kind, columns):
            changed = masked_strings(value, mask)
            if changed != value:
                found.append(edits.of_json(table, column, item_id, value, changed))
    if detector is not None:
        answers: Iterator[tuple[Any, Any, Any]] = (
            (item_id, value, detector.less_answer(value))
            for item_id, _, value in _planned(
                work, "extraction_content", "extraction_id", "extraction", ("answer",)
            )
        )
    else:
        drafts = Drafts.of(work, work.eraser)
        answers = (
            (
                planned.extraction_id,
                planned.answer.model_dump(mode="json"),
                less.model_dump(mode="json"),
            )
            for planned in planned_answers(work, work.eraser)
            for less in (drafts.without_erased(planned, mask, mentioned),)
        )
    for item_id, value, less in answers:
        if less != value:
            found.append(edits.of_json("extraction_content", "answer", item_id, value, less))
    return found


def _planned(
    work: Work, table: str, key: str, kind: str, columns: tuple[str, ...]
) -> Iterator[tuple[Any, str, Any]]:
    owner, matched = _OWNERS.get(table, ("", ""))
    query = sql.SQL(
        "select c.{key}, {columns} from memory.erasure_item as i{owner} join {table} as c"
        " on c.{key} = i.item_id{matched} where i.request_id = %s"
        " and i.kind = %s::memory.erasure_kind and i.action = 'redact'"
    ).format(
        key=sql.Identifier(key),
        owner=sql.SQL(owner),
        matched=sql.SQL(matched),
        columns=sql.SQL(", ").join(sql.SQL("c.{}").format(sql.Identifier(c)) for c in columns),
        table=sql.Identifier("memory", table),
    )
    # read whole before it is written: ids and short texts of one request's redacted rows
    for row in work.eraser.execute(query, (work.request_id, kind)).fetchall():
        for column, value in zip(columns, row[1:], strict=True):
            if value is not None:
                yield row[0], column, value


def sweep(
    work: Work, stores: Collection[Store], skip: Collection[str], fault: Callable[[str], None]
) -> list[str]:
    """Erase in each store by itself; returns the names of those that did not answer. What was
    done in one stays done."""
    failed = []
    for store in stores:
        if store.name in skip:
            continue
        try:
            n_found = store.find(work)
            if n_found:
                # before it goes: a run that dies here leaves remains that the next one scrubs
                keep_state(work, store.name, StoreState.open, n_found=n_found)
            n_erased, note = store.erase(work)
            n_found = max(n_found, n_erased)
        except UNREACHABLE as error:
            logger.warning("store %s: %s", store.name, type(error).__name__)
            keep_state(work, store.name, StoreState.failed, note=type(error).__name__)
            failed.append(store.name)
            continue
        keep_state(
            work, store.name, StoreState.erased, n_found=n_found, n_erased=n_erased, note=note
        )
        fault(f"store {store.name}")
    return failed


def restore(work: Work, stores: Collection[Store], skip: Collection[str]) -> list[str]:
    """Index again what stands, redacted, in the place of what each store lost; returns the names of
    those that did not answer."""
    failed = []
    for store in stores:
        if store.name in skip:
            continue
        try:
            store.restore(work)
        except UNREACHABLE as error:
            logger.warning("store %s: %s", store.name, type(error).__name__)
            keep_state(work, store.name, StoreState.failed, note=type(error).__name__)
            failed.append(store.name)
    return failed


def keep_state(
    work: Work,
    store: str,
    state: StoreState,
    *,
    n_found: int | None = None,
    n_erased: int | None = None,
    n_left: int | None = None,
    note: str | None = None,
) -> None:
    """Say how far a store has come. What was found and erased before a run died is not forgotten:
    the greater count stays."""
    work.eraser.execute(
        "insert into memory.erasure_store (request_id, store, store_state, n_found, n_erased,"
        " n_left, note) values (%s, %s, %s, %s, %s, %s, %s)"
        " on conflict (request_id, store) do update set store_state = excluded.store_state,"
        " n_found = greatest(erasure_store.n_found, excluded.n_found),"
        " n_erased = greatest(erasure_store.n_erased, excluded.n_erased),"
        " n_left = excluded.n_left,"
        # what could not be done stays said, what failed and works again does not
        " note = case when excluded.store_state = 'failed'"
        "  then coalesce(erasure_store.note, excluded.note)"
        "  when erasure_store.store_state = 'failed' then excluded.note"
        "  else coalesce(excluded.note, erasure_store.note) end,"
        " changed_at = clock_timestamp()",
        (work.request_id, store, state, n_found, n_erased, n_left, note),
    )
