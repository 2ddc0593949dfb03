"""Migrations: an older, populated schema reaches the newest one and keeps its rows."""

import uuid
from pathlib import Path

import psycopg
import pytest

from memory_pipeline import migrations
from memory_pipeline.bitemporal.tenants import Audiences, tenant_id
from memory_pipeline.governance.access import grant
from memory_pipeline.local.postgres import make_database
from memory_pipeline.local.services import Services

VERSIONS = Path(migrations.__file__).parent / "versions"


def test_the_newest_revision_is_the_one_that_a_ready_home_asks_for() -> None:
    assert max(path.name[:4] for path in VERSIONS.glob("[0-9]*.py")) == migrations.HEAD


def test_a_populated_first_schema_reaches_the_newest_and_keeps_its_rows(services: Services) -> None:
    name = f"test_{uuid.uuid4().hex[:12]}"
    make_database(services.home, services.home.credentials(), name)
    owner_url = services.pg_dsn("mem_owner", name)
    kept = "select message_id, text_hash, role, sent_at from memory.message"
    texts = "select message_id, text, native_id from memory.message_content"
    try:
        migrations.upgrade(owner_url, "0001")
        with psycopg.connect(owner_url, autocommit=True) as owner:
            grant(owner, "operator", "a", "*")
        with psycopg.connect(services.pg_dsn("mem_ingest", name), autocommit=True) as ingest:
            tenant = tenant_id(ingest, "a")
            audience = Audiences(ingest, tenant).id_of(())
            with ingest.transaction():  # as a batch was written then
                ids = [uuid.uuid4() for _ in range(5)]
                file_id, dialog_id, speaker_id, message_id, at = ids
                ingest.execute(
                    "insert into memory.log_file values (%s, %s, %s, '', 1, 'jsonl', 1, now())",
                    (file_id, tenant, at),
                )
                ingest.execute(
                    "insert into memory.dialog values (%s, %s, %s, '', null)",
                    (dialog_id, tenant, at),
                )
                ingest.execute(
                    "insert into memory.entity values (%s, %s, %s, 'speaker', %s, '')",
                    (speaker_id, tenant, at, dialog_id),
                )
                ingest.execute(
                    "insert into memory.message (message_id, tenant_id, audience_id, batch_id,"
                    " dialog_id, speaker_id, file_id, position, message_key, role, sent_at,"
                    " sent_at_source, lang, text_hash, n_chars) values"
                    " (%s, %s, %s, %s, %s, %s, %s, 1, '', 'user', now(), 'stated', 'ru', '', 6)",
                    (message_id, tenant, audience, at, dialog_id, speaker_id, file_id),
                )
                ingest.execute(
                    "insert into memory.message_content values (%s, %s, %s, 'm1', 'Привет', null,"
                    " null)",
                    (message_id, dialog_id, audience),
                )
                ingest.execute("select memory.close_batch(%s, %s, 'test')", (at, tenant))
            before = ingest.execute(kept).fetchall(), ingest.execute(texts).fetchall()
            with pytest.raises(psycopg.errors.UndefinedFunction):
                ingest.execute("select * from memory.rectangles_of('{}')")

        migrations.upgrade(owner_url)

        with psycopg.connect(services.pg_dsn("mem_ingest", name), autocommit=True) as ingest:
            assert (ingest.execute(kept).fetchall(), ingest.execute(texts).fetchall()) == before
            assert ingest.execute("select * from memory.rectangles_of('{}')").fetchall() == []
        with psycopg.connect(owner_url, autocommit=True) as owner:
            found = owner.execute("select version_num from public.alembic_version").fetchall()
            assert found == [(migrations.HEAD,)]
            owner.execute("select memory.install_rules()")
        with psycopg.connect(services.pg_dsn("operator", name), autocommit=True) as reader:
            assert len(reader.execute("select * from memory.message_turn").fetchall()) == 1
    finally:
        with psycopg.connect(services.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def test_a_table_without_kind_or_rule_for_readers_stops_the_migration(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as owner:
        for statement, words in (
            ("create table memory.forgotten (n int)", "does not say which kind"),
            ("comment on table memory.forgotten is 'ledger: x'", "no rule for readers"),
        ):
            owner.execute(statement.encode())
            with pytest.raises(psycopg.errors.RaiseException, match=words):
                owner.execute("select memory.install_rules()")
