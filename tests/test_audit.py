"""The audit log: whoever alters, removes, moves or adds something is found, with the place."""

import hashlib
import json
import shutil
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from memory_pipeline import migrations
from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.tenants import Audiences, tenant_id
from memory_pipeline.governance import audit
from memory_pipeline.governance.audit import Break, NotBehind
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services

Owner = psycopg.Connection[tuple[object, ...]]
KEY = b"k" * 32


@dataclass(frozen=True)
class Store:
    """A database with three batches of two messages each and an atom a message."""

    services: Services
    name: str
    atom_ids: tuple[uuid.UUID, ...] = ()

    def connect(self, login: str) -> Owner:
        return psycopg.connect(self.services.pg_dsn(login, self.name), autocommit=True)


def made(services: Services) -> Store:
    store = Store(services, f"test_{uuid.uuid4().hex[:12]}")
    make_database(services.home, services.home.credentials(), store.name)
    return store


def drop(store: Store) -> None:
    with psycopg.connect(store.services.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("drop database {} with (force)").format(sql.Identifier(store.name)))


def fill(store: Store, n_batches: int = 3) -> tuple[uuid.UUID, ...]:
    """Rows of the ledger with their content; returns the atoms."""
    atoms = []
    with store.connect("mem_ingest") as ingest:
        tenant = tenant_id(ingest, "a", create=True)
        audience = Audiences(ingest, tenant).id_of(())
        predicate = ingest.execute(
            "insert into memory.predicate (tenant_id, name) values (%s, 'city') returning predicate_id",
            (tenant,),
        ).fetchone()
        assert predicate is not None
        for number in range(n_batches):
            at, file_id, dialog_id, speaker_id = (uuid.uuid4() for _ in range(4))
            with ingest.transaction():  # as an older schema has it, too
                ingest.execute(
                    "insert into memory.log_file values (%s, %s, %s, %s, 1, 'jsonl', 1, now())",
                    (file_id, tenant, at, file_id.bytes),
                )
                ingest.execute(
                    "insert into memory.dialog values (%s, %s, %s, %s, null)",
                    (dialog_id, tenant, at, dialog_id.bytes),
                )
                ingest.execute(
                    "insert into memory.entity values (%s, %s, %s, 'speaker', %s, %s)",
                    (speaker_id, tenant, at, dialog_id, speaker_id.bytes),
                )
                for position in (1, 2):
                    message_id, atom_id = uuid.uuid4(), uuid.uuid4()
                    key = f"{number}.{position}".encode()
                    ingest.execute(
                        "insert into memory.message (message_id, tenant_id, audience_id, batch_id,"
                        " dialog_id, speaker_id, file_id, position, message_key, role, sent_at,"
                        " sent_at_source, lang, text_hash, n_chars) values (%s, %s, %s, %s, %s, %s,"
                        " %s, %s, %s, 'user', now(), 'stated', 'ru', %s, 14)",
                        (message_id, tenant, audience, at, dialog_id, speaker_id, file_id,
                         position, key, key),
                    )  # fmt: skip
                    ingest.execute(
                        "insert into memory.message_content values"
                        " (%s, %s, %s, null, 'Живу в Казани.', null, null)",
                        (message_id, dialog_id, audience),
                    )
                    ingest.execute(
                        "insert into memory.atom (atom_id, tenant_id, audience_id, batch_id,"
                        " message_id, subject_id, predicate_id, kind, object_key, polarity,"
                        " start_inferred, holds_when_told, valid_precision, message_key, span_start,"
                        " span_end, statement_hash, confidence, origin, trust, is_own, author, lang)"
                        " values (%s, %s, %s, %s, %s, %s, %s, 'semantic', 'k', 'affirmed', true,"
                        " true, 'day', %s, 7, 13, %s, 0.9, 'human', 4, true, 'operator', 'ru')",
                        (atom_id, tenant, audience, at, message_id, speaker_id, predicate[0], key,
                         key),
                    )  # fmt: skip
                    ingest.execute(
                        "insert into memory.atom_content values (%s, %s, %s, '\"Казань\"', 'x')",
                        (atom_id, speaker_id, audience),
                    )
                    atoms.append(atom_id)
                ingest.execute("select memory.close_batch(%s, %s, 'test')", (at, tenant))
    return tuple(atoms)


@pytest.fixture(scope="module")
def store(services: Services) -> Iterator[Store]:
    empty = made(services)
    migrations.upgrade(services.pg_dsn("mem_owner", empty.name))
    yield Store(services, empty.name, fill(empty))
    drop(empty)


@pytest.fixture
def tampering(store: Store) -> Iterator[Owner]:
    """The owner without the tables' triggers; whatever it does is taken back."""
    with store.connect("mem_owner") as owner, owner.transaction(force_rollback=True):
        for table in ("audit_event", "batch", "message", "atom"):
            owner.execute(
                sql.SQL("alter table memory.{} disable trigger user").format(sql.Identifier(table))
            )
        yield owner


def verified(connection: Owner, path: Path) -> list[Break]:
    return list(audit.verify(connection, KEY, path).breaks)


def test_the_log_of_a_store_holds_and_every_batch_has_its_event(
    store: Store, tmp_path: Path
) -> None:
    heads = tmp_path / "heads.jsonl"
    with store.connect("mem_auditor") as auditor:
        audit.export_head(auditor, KEY, heads)
        audit.export_head(auditor, KEY, heads)
        found = audit.verify(auditor, KEY, heads)
        told = auditor.execute(
            "select batch_no, n_rows, action from memory.audit_event order by seq"
        ).fetchall()
    assert (found.holds, found.n_events, found.n_batches, found.n_heads) == (True, 4, 3, 2)
    assert told == [(None, None, "genesis"), (1, 4, "batch"), (2, 4, "batch"), (3, 4, "batch")]
    assert heads.stat().st_mode & 0o777 == 0o600


FLIPPED = "overlay(hash placing set_byte(substr(hash, 9, 1), 0, get_byte(hash, 8) # 1) from 9)"
TAMPERED: dict[str, tuple[str, list[Break]]] = {
    "one byte of a hash": (
        f"update memory.audit_event set hash = {FLIPPED} where seq = 2",
        [Break("event", 2, "altered"), Break("event", 3, "not_chained")],
    ),
    "a field of an event": (
        "update memory.audit_event set n_rows = 3 where seq = 3",
        [Break("event", 3, "altered")],
    ),
    "when it was": (
        "update memory.audit_event set at = at + interval '1 microsecond' where seq = 3",
        [Break("event", 3, "altered")],
    ),
    "a row removed from the middle": (
        "delete from memory.audit_event where seq = 3",
        [Break("event", 4, "missing_before"), Break("batch", 2, "batch_without_event")],
    ),
    "the first row removed": (
        "delete from memory.audit_event where seq = 1",
        [Break("event", 1, "genesis_missing"), Break("event", 2, "missing_before")],
    ),
    "two rows in another order": (
        "update memory.audit_event set seq = case seq when 2 then -3 else -2 end where seq in (2, 3);"
        "update memory.audit_event set seq = -seq where seq < 0",
        [Break("event", 2, "not_chained"), Break("event", 3, "not_chained"),
         Break("event", 4, "not_chained")],
    ),
    "a row put in between": (
        "update memory.audit_event set seq = -seq - 1 where seq > 2;"
        "update memory.audit_event set seq = -seq where seq < 0;"
        "insert into memory.audit_event select 3, tenant_id, at, actor, action, request_id, null,"
        " n_rows, rows_root, details, hash, sha256('x') from memory.audit_event where seq = 2",
        [Break("event", 3, "altered"), Break("event", 4, "not_chained"),
         Break("event", 5, "altered")],
    ),
    "the time of a batch": (
        "update memory.batch set recorded_at = recorded_at - interval '1 day' where batch_no = 1",
        [Break("batch", 1, "batch_changed")],
    ),
    "a batch removed": (
        "delete from memory.batch where batch_no = 2", [Break("batch", 2, "batch_missing")],
    ),
    "the period of an atom": (
        "update memory.atom set valid_to = now() where atom_id = (select a.atom_id from memory.atom"
        " as a join memory.batch as b using (batch_id) where b.batch_no = 2 limit 1)",
        [Break("batch", 2, "rows_changed")],
    ),
    "a message removed": (
        "set local session_replication_role = replica; delete from memory.message where message_id ="
        " (select m.message_id from memory.message as m join memory.batch as b using (batch_id)"
        " where b.batch_no = 3 limit 1)",
        [Break("batch", 3, "rows_changed")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", TAMPERED)
def test_whatever_is_tampered_with_is_named_with_its_place(
    store: Store, tmp_path: Path, what: str
) -> None:
    statements, expected = TAMPERED[what]
    login = "mem_super" if "replica" in statements else "mem_owner"
    with store.connect(login) as owner, owner.transaction(force_rollback=True):
        for table in ("audit_event", "batch", "message", "atom"):
            owner.execute(f"alter table memory.{table} disable trigger user".encode())
        owner.execute(statements.encode())
        assert verified(owner, tmp_path / "none") == expected
    with store.connect("mem_verifier") as verifier:
        assert verified(verifier, tmp_path / "none") == []


def rewritten_from(owner: Owner, seq: int) -> None:
    """What an owner can do who knows how the chain is made: every hash after is right again."""
    owner.execute(
        sql.SQL(
            "do $$ declare e memory.audit_event; before bytea; begin"
            " select hash into before from memory.audit_event where seq = {seq} - 1;"
            " for e in select * from memory.audit_event where seq >= {seq} order by seq loop"
            "  e.prev_hash := before; before := sha256(before || memory.audit_bytes(e));"
            "  update memory.audit_event set prev_hash = e.prev_hash, hash = before where seq = e.seq;"
            " end loop; end $$"
        ).format(seq=sql.Literal(seq))
    )


def drop_last(owner: Owner) -> None:
    owner.execute("delete from memory.audit_event where seq = 4")
    owner.execute("delete from memory.batch where batch_no = 3")


def fork(owner: Owner) -> None:
    owner.execute("update memory.audit_event set actor = 'somebody' where seq = 3")
    rewritten_from(owner, 3)


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (drop_last, [Break("event", 4, "missing_though_exported")]),
        (fork, [Break("event", 4, "differs_from_exported_head")]),
    ],
)
def test_what_a_chain_inside_cannot_show_the_exported_head_does(
    store: Store, tampering: Owner, tmp_path: Path,
    tamper: Callable[[Owner], None], expected: list[Break],
) -> None:  # fmt: skip
    heads = tmp_path / "heads.jsonl"
    with store.connect("mem_auditor") as auditor:
        audit.export_head(auditor, KEY, heads)
    tamper(tampering)
    assert verified(tampering, tmp_path / "none") == [], "a chain inside alone says nothing"
    assert verified(tampering, heads) == expected


def test_a_restore_is_told_from_an_altered_log_and_recorded_with_what_is_gone_and_what_was_kept(
    store: Store, tampering: Owner, tmp_path: Path
) -> None:
    heads, copy = tmp_path / "heads.jsonl", tmp_path / "copy.jsonl"
    audit.export_head(tampering, KEY, heads)
    audit.append(tampering, 1, "test")
    audit.export_head(tampering, KEY, heads)
    shutil.copy(heads, copy)
    tampering.execute("delete from memory.audit_event where seq = 5")
    behind = audit.verify(tampering, KEY, heads)
    assert behind.behind is not None
    assert (behind.behind.kept_seq, behind.behind.lost_seq, behind.holds) == (4, 5, False)
    assert audit.is_behind(tampering, heads)

    # whatever comes after it, and a head of that, says nothing of the restore
    audit.append(tampering, 1, "test.later")
    audit.append(tampering, 1, "test.later")
    audit.export_head(tampering, KEY, heads)
    assert verified(tampering, heads) == [Break("event", 5, "differs_from_exported_head")]
    noted = audit.note_restore(tampering, KEY, heads)
    assert noted is not None
    assert (noted.seq, noted.kept_seq, noted.lost_seq) == (7, 4, 5)
    found = audit.verify(tampering, KEY, heads)
    assert (found.holds, found.behind, found.restores) == (True, None, (noted,))
    assert audit.note_restore(tampering, KEY, heads) is None
    told = tampering.execute("select details from memory.audit_event where seq = 7").fetchone()
    assert told is not None
    assert {part: head["seq"] for part, head in dict(told[0]).items()} == {"lost": 5, "kept": 4}  # type: ignore[call-overload]

    # a copy from before does not know of it, and hears of the same event
    assert not audit.verify(tampering, KEY, copy).holds
    assert audit.note_restore(tampering, KEY, copy, appends_event=False) == noted
    assert audit.verify(tampering, KEY, copy).holds
    assert audit.head(tampering).seq == 7

    # a record that is cut off again, or of another than the last head, excuses nothing
    first, second, third, line = heads.read_text().splitlines()
    forged = json.loads(line)
    forged["restored"]["kept"]["seq"] = 3
    heads.write_text("\n".join((first, second, third, json.dumps(forged))) + "\n")
    assert Break("head", 4, "altered") in verified(tampering, heads)
    heads.write_text("\n".join((first, second, third, line)) + "\n")
    tampering.execute("delete from memory.audit_event where seq = 7")
    assert [broken.place for broken in verified(tampering, heads)] == [5, 7]


def test_a_log_that_was_altered_or_has_all_its_heads_takes_no_record_of_a_restore(
    store: Store, tampering: Owner, tmp_path: Path
) -> None:
    heads = tmp_path / "heads.jsonl"
    audit.export_head(tampering, KEY, heads)
    assert audit.note_restore(tampering, KEY, heads) is None
    fork(tampering)
    assert audit.verify(tampering, KEY, heads).behind is None
    with pytest.raises(NotBehind):
        audit.note_restore(tampering, KEY, heads)
    tampering.execute("update memory.audit_event set n_rows = 9 where seq = 2")
    tampering.execute("delete from memory.audit_event where seq = 4")
    assert audit.verify(tampering, KEY, heads).behind is None
    with pytest.raises(NotBehind):
        audit.note_restore(tampering, KEY, heads)


def test_a_head_that_was_changed_moved_or_forged_is_named_by_its_line(
    store: Store, tmp_path: Path
) -> None:
    heads = tmp_path / "heads.jsonl"
    with store.connect("mem_auditor") as auditor:
        for _ in range(3):
            audit.export_head(auditor, KEY, heads)
        first, second, third = heads.read_text().splitlines()
        told = json.loads(second)
        for lines, expected in (
            (
                [first, json.dumps(told | {"at": "2020-01-01"}), third],
                [Break("head", 2, "altered")],
            ),
            ([first, third], [Break("head", 2, "altered")]),
            ([second, third], [Break("head", 1, "altered")]),
            ([first, "{}", second], [Break("head", 2, "unreadable")]),
        ):
            heads.write_text("\n".join(lines) + "\n")
            assert verified(auditor, heads) == expected
        heads.write_text("{}\n")
        with pytest.raises(ValueError, match=r"heads\.jsonl, line 1: no head"):
            audit.export_head(auditor, KEY, heads)


def root_of(leaves: list[bytes]) -> bytes:
    """RFC 6962, 2.1, as it is written there."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = 1
    while 2 * k < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + root_of(leaves[:k]) + root_of(leaves[k:])).digest()


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(leaves=st.lists(st.binary(max_size=40), max_size=70))
def test_the_root_over_rows_is_that_of_rfc_6962(tampering: Owner, leaves: list[bytes]) -> None:
    row = tampering.execute("select memory.merkle_root(%s::bytea[])", (leaves,)).fetchone()
    assert row is not None
    assert row[0] == root_of(leaves)


def test_rows_give_the_same_root_whatever_a_session_has_set(store: Store, tmp_path: Path) -> None:
    with store.connect("mem_verifier") as verifier:
        for name, value in (
            ("TimeZone", "Asia/Tokyo"), ("DateStyle", "German, DMY"), ("bytea_output", "escape"),
            ("extra_float_digits", "-3"), ("IntervalStyle", "iso_8601"),
        ):  # fmt: skip
            verifier.execute("select set_config(%s, %s, false)", (name, value))
        assert verified(verifier, tmp_path / "none") == []


def test_a_later_column_without_a_value_changes_no_root(tampering: Owner, tmp_path: Path) -> None:
    for table in ("message", "atom"):
        tampering.execute(f"alter table memory.{table} add column later text".encode())
    assert verified(tampering, tmp_path / "none") == []


def test_erasure_leaves_the_chain_and_all_roots_as_they_are(services: Services) -> None:
    store = made(services)
    try:
        migrations.upgrade(services.pg_dsn("mem_owner", store.name))
        atoms, request_id = fill(store), uuid.uuid4()
        with store.connect("mem_eraser") as eraser:
            tenant = tenant_id(eraser, "a")
            eraser.execute(
                "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
                " values (%s, %s, 'operator', 'keys_destroyed')",
                (request_id, tenant),
            )
            eraser.execute(
                "insert into memory.erasure_item (request_id, kind, item_id, action)"
                " values (%s, 'atom', %s, 'erase')",
                (request_id, atoms[0]),
            )
            eraser.execute(
                "insert into memory.erasure_span select %s, message_id, 7, 13 from memory.atom"
                " where atom_id = %s",
                (request_id, atoms[0]),
            )
            eraser.execute(
                "insert into memory.erasure_item (request_id, kind, item_id, action)"
                " select %s, 'message', message_id, 'redact' from memory.atom where atom_id = %s",
                (request_id, atoms[0]),
            )
            with batch(eraser, tenant, "erasure") as running:
                eraser.execute(
                    "select memory.erase_planned(%s, %s)", (request_id, running.batch_id)
                )
            left = eraser.execute("select count(*) from memory.atom_content").fetchone()
            redacted = eraser.execute(
                "select count(*) from memory.message_content where text = 'Живу в ██████.'"
            ).fetchone()
            found = audit.verify(eraser, None, Path("none"))
        assert (left, redacted) == ((5,), (1,))
        assert (found.holds, found.n_batches) == (True, 4)
    finally:
        drop(store)


def test_batches_of_an_older_schema_are_told_when_the_log_begins(
    services: Services, tmp_path: Path
) -> None:
    store = made(services)
    try:
        migrations.upgrade(services.pg_dsn("mem_owner", store.name), "0006")
        fill(store, 2)
        migrations.upgrade(services.pg_dsn("mem_owner", store.name))
        with store.connect("mem_owner") as owner:
            told = owner.execute(
                "select action, batch_no, n_rows from memory.audit_event order by seq"
            ).fetchall()
            assert told == [("genesis", None, None), ("batch", 1, 4), ("batch", 2, 4)]
            assert verified(owner, tmp_path / "none") == []
            owner.execute("alter table memory.message disable trigger user")
            owner.execute(
                "update memory.message set n_chars = 15 where position = 1 and batch_id ="
                " (select batch_id from memory.batch where batch_no = 1)"
            )
            assert verified(owner, tmp_path / "none") == [Break("batch", 1, "rows_changed")]
    finally:
        drop(store)


def test_the_log_is_written_by_its_functions_alone(store: Store) -> None:
    """Nobody who works with the store appends an event of its own making, or changes one."""
    for login in ("mem_ingest", "mem_builder", "mem_eraser", "mem_verifier", "mem_auditor"):
        with (
            store.connect(login) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(
                "insert into memory.audit_event values"
                " (99, null, now(), 'x', 'x', null, null, null, null, '{}', '', '')"
            )
    with store.connect("mem_ingest") as ingest, pytest.raises(psycopg.errors.InsufficientPrivilege):
        ingest.execute("select memory.append_audit(null, 'erasure.certified')")
