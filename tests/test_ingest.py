"""Files to stored messages: what is refused, what counts once, what is masked, what is sealed."""

import itertools
import json
import os
import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from memory_pipeline.governance.secrets import SecretStore, SecretStoreError
from memory_pipeline.ingest.quarantine import entries, record
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.scenario import STORY, Message, Scenario, message, objects, split, write

CARD = "4539 1488 0343 6467"
API_KEY = "sk-proj-Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
NOON = "2025-05-01T12:00+03:00"


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def scenario(started: Services, tmp_path: Path) -> Scenario:
    return Scenario(started, tmp_path)


def texts(scenario: Scenario) -> list[str]:
    return [
        text
        for (text,) in scenario.rows(
            "select c.text from memory.message as m"
            " join memory.message_content as c using (message_id, dialog_id)"
            " where m.tenant_id = %(tenant)s and not exists ("
            "  select from memory.withdrawal as w where w.statement_id = m.message_id)"
            " order by m.sent_at, m.position"
        )
    ]


def refused(scenario: Scenario) -> list[tuple[str, int, str | None, str]]:
    """File, line, field and reason of what is in quarantine."""
    with scenario.memory() as memory:
        found = entries(memory.connection)
    assert all(entry["problem"] for entry in found)
    return sorted((e["file"], e["position"], e["field"], e["reason"]) for e in found)


# ---------- what is refused


def test_each_bad_record_is_named_by_file_line_and_reason_and_the_rest_is_read(
    scenario: Scenario,
) -> None:
    good = [message("Анна", f"2025-05-01T12:0{n}+03:00", f"Хорошо {n}") for n in range(3)]
    lines = [
        json.dumps(good[0], ensure_ascii=False).encode(),
        b'{"dialog_id": "chat", "speaker": "\xd0\x90", "text": "cut o',
        json.dumps(good[1], ensure_ascii=False).encode("cp1251"),
        json.dumps(message("Анна", "2124-01-01T00:00Z", "Из будущего")).encode(),
        json.dumps(message("Анна", NOON, "x" * 5_000_000)).encode(),
        json.dumps(message("Анна", "вчера", "Когда?")).encode(),
        json.dumps(good[2], ensure_ascii=False).encode(),
        json.dumps(message("Анна", None, "Без времени"), ensure_ascii=False).encode(),
    ]
    path = scenario.folder / "mixed.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    with scenario.pipeline() as pipeline:
        report = pipeline.ingest([path])
        assert (report.n_messages, report.n_quarantined) == (3, 5)
        assert len(pipeline.refusals(report)) == 5
        sealer = pipeline.sealer("quarantine")
    assert refused(scenario) == [
        ("mixed.jsonl", 2, None, "invalid_json"),
        ("mixed.jsonl", 3, None, "not_utf8"),
        ("mixed.jsonl", 4, "sent_at", "future_time"),
        ("mixed.jsonl", 5, "text", "too_large"),
        ("mixed.jsonl", 6, "sent_at", "bad_field"),
    ]
    assert texts(scenario) == ["Хорошо 0", "Хорошо 2", "Без времени"]
    with scenario.memory() as memory:
        cut = next(e for e in entries(memory.connection) if e["position"] == 2)
        whole = record(memory.connection, sealer, UUID(str(cut["quarantine_id"])))
    assert whole == lines[1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        ("Привет\n".encode("utf-16"), "UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "neither text nor"),
        (b"just some words\n", "no reader knows"),
    ],
)
def test_a_file_that_no_reader_knows_is_refused_once(
    scenario: Scenario, content: bytes, words: str
) -> None:
    path = scenario.folder / "odd.bin"
    path.write_bytes(content)
    for n_new in (1, 0):
        with scenario.pipeline() as pipeline:
            ((_, loaded),) = pipeline.ingest([path]).files
        assert (loaded.status, loaded.reason, loaded.n_quarantined) == (
            "refused",
            "unknown_format",
            n_new,
        )
        assert words in str(loaded.problem)


def test_a_message_that_was_too_early_is_read_once_its_time_has_come(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_pipeline.ingest import load

    early = message("Анна", "2025-05-03T12:00+03:00", "Послезавтра")
    before = [message("Анна", NOON, "Сегодня"), early]

    class Clock(load.datetime):
        @classmethod
        def now(cls, tz: object) -> "Clock":  # type: ignore[override]  # noqa: ARG003
            return cls.fromisoformat("2025-05-01T10:00+00:00")

    with monkeypatch.context() as then:
        then.setattr(load, "datetime", Clock)
        scenario.read(*before, name="a.jsonl")
    assert refused(scenario) == [("a.jsonl", 2, "sent_at", "future_time")]
    scenario.read(*before, name="a.jsonl")
    assert texts(scenario) == ["Сегодня", "Послезавтра"]
    assert refused(scenario) == []
    assert scenario.read(*before, name="a.jsonl").files[0][1].status == "known"


# ---------- what counts once


def test_a_file_read_again_renamed_or_exported_anew_adds_nothing(scenario: Scenario) -> None:
    untimed = [message("Анна", None, text) for text in ("Да", "Да", "Нет")]
    for line in untimed:
        del line["message_id"]
    lines = [*STORY, *untimed]
    first = scenario.read(*lines, name="a.jsonl")
    assert (first.n_messages, first.n_quarantined) == (len(lines), 0)
    again = scenario.read(*lines, name="a.jsonl")
    renamed = scenario.read(*lines, name="b.jsonl")
    assert [r.files[0][1].status for r in (again, renamed)] == ["known", "known"]
    anew = scenario.read(*reversed(lines), name="c.jsonl")
    assert (anew.n_messages, anew.n_known) == (0, len(lines))


def test_a_message_without_time_is_kept_and_its_facts_count_as_told_from_the_beginning(
    scenario: Scenario,
) -> None:
    scenario.tell(message("Анна", None, "Я живу в Твери"))
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location", known_at="2001-01-01") == ["Тверь"]


# ---------- one id, two texts

ONE = message("Анна", NOON, "Я живу в Твери", message_id="m1")
OTHER = ONE | {"text": "Я живу в Туле"}


@pytest.mark.parametrize("order", list(itertools.permutations([ONE, OTHER])))
@pytest.mark.parametrize("is_split", [False, True])
def test_two_texts_of_one_id_are_both_refused_in_any_order(
    scenario: Scenario, order: tuple[Message, Message], is_split: bool
) -> None:
    beside = message("Анна", NOON, "Я вегетарианка")
    if is_split:
        scenario.tell(order[0], beside)
        scenario.tell(order[1])
        scenario.tell(order[0])
    else:
        scenario.tell(*order, beside)
    assert [(field, reason) for *_, field, reason in refused(scenario)] == [
        ("message_id", "two_texts")
    ] * 2
    assert texts(scenario) == ["Я вегетарианка"]
    with scenario.memory() as memory:
        assert [a.predicate for a in memory.as_of("Анна").answers] == ["diet"]


def test_a_second_text_with_its_edit_time_is_a_revision(scenario: Scenario) -> None:
    scenario.tell(ONE, OTHER | {"edited_at": "2025-05-01T13:00+03:00"})
    assert refused(scenario) == []
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location") == ["Тула"]
        assert objects(memory, "Анна", "location", known_at="2025-05-01T12:30") == ["Тверь"]


# ---------- many at once


def test_four_sessions_that_read_the_same_logs_at_once_add_each_message_once(
    scenario: Scenario,
) -> None:
    lines = [
        line | {"audience": [("team", "board")[n % 2]], "text": f"{line['text']} {CARD}"}
        for n, line in enumerate(STORY)
    ]
    paths = [path for seed in (1, 2) for path in split(scenario.folder, lines, seed)]

    def read(seed: int) -> None:
        with scenario.pipeline() as pipeline:
            pipeline.ingest(random.Random(seed).sample(paths, len(paths)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read, range(4)))
    assert len(texts(scenario)) == len(STORY)
    assert refused(scenario) == []
    for table in ("log_file", "file_read"):
        found = scenario.rows(f"select count(*) from memory.{table} where tenant_id = %(tenant)s")
        assert found == [(len(paths),)]
    assert scenario.rows("select count(*) from memory.secret where tenant_id = %(tenant)s") == [
        (1,)
    ]


# ---------- secrets


def columns(connection: psycopg.Connection) -> Iterator[tuple[str, str, str]]:
    """Every column of ours that can hold a text."""
    yield from connection.execute(
        "select n.nspname, c.relname, a.attname from pg_attribute as a"
        " join pg_class as c on c.oid = a.attrelid join pg_namespace as n on n.oid = c.relnamespace"
        " where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped"
        " and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')"
        " and a.atttypid::regtype::text in"
        " ('text', 'text[]', 'jsonb', 'json', 'bytea', 'name', 'character varying', 'tsvector')"
    ).fetchall()


def test_a_secret_stands_in_vault_and_in_no_table(scenario: Scenario) -> None:
    lines = [
        message("Анна", NOON, f"Моя карта {CARD}, не теряй"),
        message("Анна", NOON, f"Ещё раз карта {CARD.replace(' ', '')}"),
        message("Rachel", NOON, f"Use the API key {API_KEY} for the test server."),
        message(
            "Rachel", NOON, "See the picture",
            attachments=[{"kind": "image", "caption": f"карта {CARD}"}],
            tags=[f"карта {CARD}"], dialog_title=f"карта {CARD}", dialog_id="titled",
        ),
    ]  # fmt: skip
    scenario.tell(*lines, message("Анна", NOON, f"cut {CARD}") | {"sent_at": f"{CARD}"})
    with scenario.pipeline() as pipeline:
        pipeline.refresh_full_text()
    assert texts(scenario)[:3] == [
        "Моя карта [CARD_1], не теряй",
        "Ещё раз карта [CARD_1]",
        "Use the API key [KEY_1] for the test server.",
    ]

    with psycopg.connect(scenario.services.pg_dsn("mem_verifier"), autocommit=True) as verifier:
        seen = 0
        needles = [CARD, CARD.replace(" ", ""), API_KEY]
        for schema, table, column in columns(verifier):
            name = sql.Identifier(column)
            query = sql.SQL("select count(*) from {} where {} or {}").format(
                sql.Identifier(schema, table),
                sql.SQL("{}::text ilike any (%(like)s)").format(name),
                sql.SQL("{}::text ilike any (%(hex)s)").format(name),
            )
            like = [f"%{needle}%" for needle in needles]
            as_hex = [f"%{needle.encode().hex()}%" for needle in needles]
            try:
                (found,) = verifier.execute(query, {"like": like, "hex": as_hex}).fetchone() or (0,)
            except psycopg.errors.InsufficientPrivilege:
                assert schema not in ("memory", "derived"), f"{schema}.{table} is not verified"
                continue
            seen += 1
            assert found == 0, f"{schema}.{table}.{column}"
        assert seen > 100

    uses = scenario.rows(
        "select s.secret_id, s.type, count(*) from memory.secret as s"
        " join memory.secret_use using (secret_id) where s.tenant_id = %(tenant)s"
        " group by 1, 2 order by 3"
    )
    assert [n for *_, n in uses] == [1, 2], "equal values share a row"
    card = uses[1][0]
    ingest = SecretStore(scenario.services.vault_client("ingest"))
    with pytest.raises(SecretStoreError):
        ingest.get(card)
    reveal = SecretStore(scenario.services.vault_client("reveal"))
    assert re.sub(r"\D", "", reveal.get(card)) == CARD.replace(" ", "")


# ---------- the landing folder


def settled(path: Path) -> Path:
    past = time.time() - 60
    os.utime(path, (past, past), follow_symlinks=False)
    return path


def test_a_landed_file_is_sealed_into_the_archive_and_opens_under_the_key(
    scenario: Scenario,
) -> None:
    with scenario.pipeline() as pipeline:
        path = settled(write(pipeline.landing / "a.jsonl", STORY))
        clear = path.read_bytes()
        report = pipeline.ingest_landing()
        assert report.n_messages == len(STORY)
        assert not path.exists()
        (sealed,) = pipeline.archive.iterdir()
        assert sealed.stat().st_mode & 0o077 == 0
        assert "Москвы".encode() not in sealed.read_bytes()
        assert b"".join(pipeline.sealer("archive").open_file(sealed)) == clear

        settled(write(pipeline.landing / "again.jsonl", STORY))
        assert pipeline.ingest_landing().files[0][1].status == "known"
        assert list(pipeline.archive.iterdir()) == [sealed]
        assert pipeline.landing_files() == []


def test_what_is_no_finished_file_is_passed_over(scenario: Scenario) -> None:
    with scenario.pipeline() as pipeline:
        folder = pipeline.landing
        for name in ("torn.jsonl.part", "torn.tmp", ".hidden.jsonl"):
            settled(write(folder / name, STORY))
        elsewhere = settled(write(scenario.folder / "elsewhere.jsonl", STORY))
        (folder / "link.jsonl").symlink_to(elsewhere)
        os.mkfifo(folder / "pipe.jsonl")
        write(folder / "young.jsonl", STORY)
        assert pipeline.landing_files() == []
        assert pipeline.ingest_landing().files == []
        assert [name for name, _ in pipeline.ingest([folder]).files] == ["young.jsonl"]
        with pytest.raises(ValueError, match="neither a file nor a folder"):
            pipeline.ingest([folder / "pipe.jsonl"])
        with pytest.raises(FileNotFoundError, match=r"none\.jsonl"):
            pipeline.ingest([folder / "none.jsonl"])


def test_a_killed_read_is_finished_by_the_next(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memory_pipeline.ingest import load

    paths = split(scenario.folder, STORY, 7)
    with scenario.pipeline() as pipeline, monkeypatch.context() as killed:
        killed.setattr(load, "CHUNK_MESSAGES", 2)
        calls = itertools.count()

        def die(n: int) -> None:
            if next(calls) == 1:
                raise KeyboardInterrupt

        loader = pipeline._loader()
        biggest = max(paths, key=lambda path: path.stat().st_size)
        with pytest.raises(KeyboardInterrupt):
            loader.load(biggest, progress=die)
        assert len(texts(scenario)) == 4
    with scenario.pipeline() as pipeline:
        assert pipeline.ingest(paths).n_known == 4
    assert len(texts(scenario)) == len(STORY)
