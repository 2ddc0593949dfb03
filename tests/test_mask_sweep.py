"""The mask sweep: what an older detector stored in clear is masked everywhere, and nothing else."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hvac.exceptions import InvalidPath

from memory_pipeline.contracts.erasure import ErasureState
from memory_pipeline.contracts.statement import AtomDraft, Extraction, Span, SubjectRef
from memory_pipeline.governance.erasure.detected import Detector, Literals
from memory_pipeline.governance.erasure.residue import Scanner, files_with
from memory_pipeline.governance.mask_sweep import Sweep, sweep
from memory_pipeline.governance.secrets import MOUNT, SecretStore
from memory_pipeline.index.parity import text_parity, vector_parity
from memory_pipeline.index.vectors import vector_tables
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import DATABASE, SUPERUSER
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.sensitive.policy import load_policy
from tests.scenario import Message, Scenario, facts, message, objects

PASSWORD, WORD, CARD, KEY = (
    "Qvz77xRt#9", "шпингалетик", "5555 5555 5555 4444", "sk-proj-Zq4vT8nWx2Lk9Rb6Yc3Mf7Hd5Gj1Ps0",
)  # fmt: skip
SECRETS = (PASSWORD, WORD, CARD, KEY)
LINES = (
    message("Лев", "2025-03-03T10:00+03:00", "Я живу в Твери, карта " + CARD,
            dialog_title=f"Карта {CARD}"),
    message("Лев", "2025-03-03T10:01+03:00", f"мой пароль: {PASSWORD}, предпочитаю Postgres"),
    message("assistant", "2025-03-03T10:02+03:00", f"Записала: {PASSWORD}. И {WORD} тоже?",
            role="assistant"),
    message("Лев", "2025-03-03T10:03+03:00", f"да, пароль от вайфая: {WORD}"),
    message("Rachel", "2025-03-04T09:00+00:00", f"I live in Berlin, my API key is {KEY}",
            attachments=[{"kind": "file", "name": f"key {KEY}.txt"}], dialog_id="work"),
    message("Rachel", "2025-03-04T09:01+00:00", "I work at Acme as a designer.", dialog_id="work"),
    message("Анна", "2025-03-05T09:00+03:00", f"Купила {WORD} на дверь, живу в Туле",
            dialog_id="home"),
)  # fmt: skip
PLANTED = (0, 1, 2, 3, 4)


class Careless(LocalExtractor):
    """An extractor that learns a password, under a registered predicate and as a candidate."""

    version = "careless"

    def extract(self, windows: Any, predicates: Any) -> Any:
        return [
            self._with_password(window, answer)
            for window, answer in zip(windows, super().extract(windows, predicates), strict=True)
        ]

    def _with_password(self, window: Any, answer: Any) -> Any:
        last = window.messages[-1]
        at = last.text.find(PASSWORD)
        if at < 0 or last.role != "user" or not isinstance(answer, Extraction):
            return answer
        drafts = [
            AtomDraft(
                subject=SubjectRef(name=last.speaker, is_speaker=True), predicate=predicate,
                is_candidate=predicate != "preference", object=PASSWORD,
                text=f"{last.speaker}: {PASSWORD}", confidence=0.9,
                spans=(Span(start=at, end=at + len(PASSWORD)),),
            )
            for predicate in ("preference", "passphrase")
        ]  # fmt: skip
        return answer.model_copy(update={"atoms": (*answer.atoms, *drafts)})


@pytest.fixture
def stored(services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scenario:
    """A tenant as detectors that find nothing would have stored it, with indexes and a context."""
    scenario = Scenario(ready(services.home.path), tmp_path)
    store_unmasked(scenario, LINES, monkeypatch, Careless())
    return scenario


def store_unmasked(
    scenario: Scenario,
    lines: Sequence[Message],
    monkeypatch: pytest.MonkeyPatch,
    extractor: LocalExtractor | None = None,
) -> None:
    """Lines as detectors that find nothing would have stored them, with all indexes."""

    def nothing(self: Pipeline, text: str) -> Sequence[Any]:
        return ()

    with monkeypatch.context() as patched:
        patched.setattr(Pipeline, "find", nothing)
        scenario.read(*lines)
        with scenario.pipeline(extractor) as pipeline:
            pipeline.extract()
            pipeline.refresh_full_text()
            pipeline.embed_messages()
            pipeline.embed_atoms()
            pipeline.refresh_graph()


def dialog_of(scenario: Scenario, native_id: str) -> str:
    """The id of a dialog."""
    ((dialog,),) = scenario.rows(
        "select dialog_id from memory.dialog_content join memory.dialog using (dialog_id)"
        " where tenant_id = %(tenant)s and native_id = %(native)s",
        native=native_id,
    )
    return str(dialog)


def packed(scenario: Scenario) -> Path:
    """A context over the first dialog, written to a file."""
    dialog = dialog_of(scenario, "chat")
    out = scenario.folder / "context.txt"
    with scenario.memory() as memory:
        memory.export(memory.context(dialog, "пароль", 2000), f"пароль {PASSWORD}", out)
    return out


def swept(scenario: Scenario, **options: Any) -> Sweep:
    return sweep(scenario.services, scenario.tenant, **options)


def columns_with(scenario: Scenario, values: Sequence[str]) -> set[tuple[str, str]]:
    """Columns of text in the store's schemas that hold one of the values, of whatever tenant."""
    found = set()
    with psycopg.connect(scenario.services.pg_dsn(SUPERUSER, DATABASE)) as connection:
        columns = connection.execute(
            "select table_schema, table_name, column_name from information_schema.columns"
            " where table_schema in ('memory', 'derived', 'staging', 'intermediate', 'marts')"
            " and data_type in ('text', 'jsonb', 'ARRAY', 'tsvector', 'json')"
        ).fetchall()
        for schema, table, column in columns:
            query = (
                f'select count(*) from {schema}.{table} where position(%s in "{column}"::text) > 0'
            )
            for value in values:
                ((n,),) = connection.execute(query.encode(), (value,)).fetchall()
                found |= {(re.sub(r"_p\d+$", "", table), column)} if n else set()
    return found


def files_of(scenario: Scenario, values: Sequence[str]) -> list[str]:
    """Files of the home, outside Vault, with one of the values in some encoding."""
    home = scenario.services.home
    with psycopg.connect(scenario.services.pg_dsn(SUPERUSER, DATABASE)) as connection:
        connection.execute("commit")
        connection.execute("checkpoint")
    folders = [home.path] + [home.service(name) for name in ("logs", "postgres", "graph")]
    vault = home.service("vault")
    return [
        str(path)
        for folder in folders
        for path, _ in files_with(Scanner.of_texts(values), folder)
        if vault not in path.parents
    ]


TEXTS = (
    "select m.message_id, m.message_key, m.text_hash, m.n_chars, c.text from memory.message as m"
    " join memory.message_content as c using (message_id, dialog_id)"
    " where m.tenant_id = %(tenant)s order by m.sent_at"
)
INDEXED = """
    select count(*) from (
        select m.message_id as item_id, c.text from memory.message as m
        join memory.message_content as c using (message_id) where m.tenant_id = %(tenant)s
        union all
        select a.atom_id, c.text from memory.atom as a
        join memory.atom_content as c using (atom_id) where a.tenant_id = %(tenant)s
    ) as item left join derived.full_text as t using (item_id)
    where t.document is distinct from memory.search_document(item.text)
"""
"""Items whose full text is missing or is that of another text."""
SPANS = (
    "select e.statement_id, e.message_id, e.span_start, e.span_end,"
    " substr(c.text, e.span_start + 1, e.span_end - e.span_start)"
    " from memory.evidence as e join memory.message as m using (message_id)"
    " join memory.message_content as c using (message_id, dialog_id)"
    " where m.tenant_id = %(tenant)s order by 1, 2, 3"
)


def test_what_an_older_detector_passed_over_is_masked_everywhere_and_kept_in_vault(
    stored: Scenario,
) -> None:
    out = packed(stored)
    ahead = columns_with(stored, SECRETS)
    assert {table for table, _ in ahead} >= {
        "message_content", "atom_content", "extraction_content", "dialog_content", "full_text",
        "snapshot_content", "review_content",
    }  # fmt: skip
    assert files_of(stored, SECRETS[:1])
    texts, spans = stored.rows(TEXTS), stored.rows(SPANS)
    n_extracted = stored.rows("select count(*) from memory.extraction where tenant_id = %(tenant)s")
    with stored.memory() as memory:
        known = {name: facts(memory, name) for name in ("Rachel", "Анна")}

    counted = swept(stored, dry_run=True)
    assert stored.rows(TEXTS) == texts
    assert not stored.rows("select from memory.secret where tenant_id = %(tenant)s")

    done = swept(stored)
    assert done.is_done
    assert [status.state for status in done.requests] == [ErasureState.certified]
    assert (done.n_found, done.n_items) == (counted.n_found, counted.n_items)
    assert sum(done.n_found.values()) == len(SECRETS)

    assert columns_with(stored, (PASSWORD, CARD, KEY)) == set()
    # the plain word is another dialog's as well, where it is no secret
    assert {table for table, _ in columns_with(stored, [WORD])} <= {
        "message_content", "full_text", "extraction_content", "atom_content",
    }  # fmt: skip
    assert files_of(stored, (PASSWORD, CARD, KEY)) == []
    assert not out.exists()

    after = stored.rows(TEXTS)
    assert [row[:4] for row in after] == [row[:4] for row in texts]
    assert [len(row[4]) for row in after] == [len(row[4]) for row in texts]
    assert [n for n, (new, old) in enumerate(zip(after, texts, strict=True)) if new != old] == [
        *PLANTED
    ]
    assert after[0][4] == "Я живу в Твери, карта ████ ████ ████ ████"
    assert after[2][4] == f"Записала: {'█' * len(PASSWORD)}. И {'█' * len(WORD)} тоже?"
    moved = [(old, new) for old, new in zip(spans, stored.rows(SPANS), strict=True) if old != new]
    assert moved
    assert all(old[:4] == new[:4] and "█" in new[4] for old, new in moved)

    uses = stored.rows(
        "select s.secret_id, s.type, substr(c.text, u.span_start + 1, u.span_end - u.span_start)"
        " from memory.secret_use as u join memory.secret as s using (secret_id)"
        " join memory.message as m using (message_id)"
        " join memory.message_content as c using (message_id, dialog_id)"
        " where m.tenant_id = %(tenant)s"
    )
    assert {secret_type for _, secret_type, _ in uses} == {"card", "password", "api_key"}
    assert all(set(shown) <= {"█", " "} for _, _, shown in uses)
    store = SecretStore(stored.services.vault_client("reveal"))
    assert {store.get(secret_id) for secret_id, _, _ in uses} == set(SECRETS)

    with stored.memory() as memory:
        assert {name: facts(memory, name) for name in ("Rachel", "Анна")} == known
        assert objects(memory, "Лев", "location") == ["Тверь"]
        assert "Postgres" in objects(memory, "Лев", "preference")
        assert not [hit for hit in memory.search(f"пароль {PASSWORD}") if PASSWORD in hit.text]
    assert stored.rows(INDEXED) == [(0,)], "every message and atom has its words in full text again"
    with stored.pipeline(Careless()) as pipeline:
        pipeline.extract()
    assert stored.rows(
        "select count(*) from memory.extraction where tenant_id = %(tenant)s"
    ) == n_extracted  # fmt: skip
    assert not stored.rows(
        "select from memory.withdrawal as w join memory.atom as a on a.atom_id = w.statement_id"
        " where a.tenant_id = %(tenant)s"
    )

    again = swept(stored)
    assert (again.is_current, again.requests) == (True, [])
    stored.read(*LINES)
    assert stored.rows(TEXTS) == after


PHRASE, SOCIAL, FOREIGN, HEADER, RU_WORD = (
    "correct horse battery staple", "536-22-4871", "C01234567", "dXNlcjpwYXNzd29yZDEyMw==", "ромашка"
)  # fmt: skip
UNSEEN = (PHRASE, SOCIAL, FOREIGN, HEADER, RU_WORD)
SPOKEN = (
    message("Лев", "2025-03-03T10:00+03:00", f"password:{PHRASE}"),
    message("Rachel", "2025-03-03T10:01+03:00", f"my SSN is {SOCIAL}, I live in Berlin"),
    message("Rachel", "2025-03-03T10:02+03:00", f"and my passport {FOREIGN}"),
    message("Лев", "2025-03-03T10:03+03:00", f"Authorization: Basic {HEADER}"),
    message("Лев", "2025-03-03T10:04+03:00", f"пaроль от вайфая: {RU_WORD}"),
    message("Анна", "2025-03-05T09:00+03:00", "Живу в Туле, купила стол", dialog_id="home"),
)
HARMLESS = (
    message("Лев", "2025-03-03T10:00+03:00", "Опять забыл пароль"),
    message("Анна", "2025-03-03T10:01+03:00", "Kotik2019 — это ник моего брата"),
    message("Лев", "2025-03-03T10:02+03:00", "Анна, напиши пароль:"),
    message("Анна", "2025-03-03T10:03+03:00", "Ромашка цветёт у дома"),
    message("Rachel", "2025-03-03T10:04+03:00", "the office asked for my SSN"),
    message("Rachel", "2025-03-03T10:05+03:00", "536 22 4871 rows were read, I live in Berlin"),
    message("Rachel", "2025-03-03T10:06+03:00", "the password is too short"),
)
QUERIES = ("пароль", "забыл пароль", "Rachel SSN")


def contexts(scenario: Scenario, native_id: str, queries: Sequence[str]) -> None:
    """Pack a dialog for each query, tight and wide."""
    dialog = dialog_of(scenario, native_id)
    with scenario.memory() as memory:
        for query in queries:
            for budget in (300, 2000):
                memory.context(dialog, query, budget, allow_overflow=True)


def snapshots(scenario: Scenario) -> list[tuple[str, str]]:
    """(dialog, content) of the packed contexts that stand."""
    return scenario.rows(
        "select d.native_id, c.snapshot::text from memory.snapshot as s"
        " join memory.snapshot_content as c using (snapshot_id)"
        " join memory.dialog_content as d using (dialog_id)"
        " where s.tenant_id = %(tenant)s order by 1, 2"
    )


def indexed(scenario: Scenario) -> dict[str, list[tuple[Any, ...]]]:
    """Every index row of the tenant, as it is."""
    rows = {}
    with psycopg.connect(scenario.services.pg_dsn(SUPERUSER, DATABASE)) as connection:
        for table in [*vector_tables(connection), "full_text"]:
            rows[table] = connection.execute(
                f"select v::text from derived.{table} as v join memory.tenant as t"
                " using (tenant_id) where t.name = %s order by 1".encode(),
                (scenario.tenant,),
            ).fetchall()
    return rows


def test_what_is_found_does_not_hang_on_what_was_packed(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = ready(services.home.path)
    other = Scenario(home, tmp_path)
    store_unmasked(other, SPOKEN, monkeypatch)
    untouched = indexed(other), other.rows(TEXTS)
    assert all(untouched[0].values())

    found = []
    for queries in ((), QUERIES):
        scenario = Scenario(home, tmp_path)
        store_unmasked(scenario, SPOKEN, monkeypatch)
        contexts(scenario, "chat", queries)
        contexts(scenario, "home", queries)
        texts, before = scenario.rows(TEXTS), snapshots(scenario)
        assert len(before) == 4 * len(queries)

        done = swept(scenario)
        assert [status.state for status in done.requests] == [ErasureState.certified]
        found.append(done.n_found)
        masked = [text for *_, text in scenario.rows(TEXTS)]
        assert not [text for text in masked for value in UNSEEN if value in text]
        assert masked[1] == f"my SSN is {'█' * len(SOCIAL)}, I live in Berlin"
        assert masked[5] == texts[5][4]
        assert not scenario.rows(
            "select from memory.atom as a join memory.atom_content as c using (atom_id)"
            " where a.tenant_id = %(tenant)s and exists (select from unnest(%(values)s::text[]) as v"
            "  where position(v in coalesce(c.object::text, '') || c.text) > 0)",
            values=list(UNSEEN),
        )
        # a context that carries none of them stands as it was
        kept = [one for one in before if not any(value in one[1] for value in UNSEEN)]
        assert snapshots(scenario) == kept
        assert bool(kept) == bool(queries)
        assert scenario.rows(INDEXED) == [(0,)]
        with scenario.pipeline() as pipeline:
            pipeline.embed_messages()
            pipeline.embed_atoms()
            builder = pipeline.builder_connection
            assert vector_parity(builder, pipeline.embedder).is_equal
            assert text_parity(builder).is_equal
        n_rows = {name: len(rows) for name, rows in indexed(scenario).items()}
        assert len(set(n_rows.values())) == 1, n_rows
        assert n_rows == {name: len(rows) for name, rows in untouched[0].items()}
        assert swept(scenario).is_current
    assert found == [{"password": 3, "snils": 1, "passport_ru": 1}] * 2
    assert (indexed(other), other.rows(TEXTS)) == untouched


def test_lines_that_only_stand_under_each_other_in_a_context_announce_nothing(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(*HARMLESS)
    with scenario.pipeline() as pipeline:
        pipeline.refresh_full_text()
        pipeline.embed_messages()
        pipeline.embed_atoms()
    assert [text for *_, text in scenario.rows(TEXTS)] == [line["text"] for line in HARMLESS]
    contexts(scenario, "chat", QUERIES)
    texts, packs, rows = scenario.rows(TEXTS), snapshots(scenario), indexed(scenario)
    detector = Detector(load_policy())
    joined = "\n".join(line["text"] for line in HARMLESS)
    assert detector.secrets(joined), "under each other the lines do look like secrets"

    done = swept(scenario)
    assert (done.is_done, done.n_found, done.n_items, done.requests) == (True, {}, {}, [])
    assert (scenario.rows(TEXTS), snapshots(scenario), indexed(scenario)) == (texts, packs, rows)


CHILD = """
import os, signal, sys
from functools import partial
from pathlib import Path
from memory_pipeline.governance import mask_sweep
from memory_pipeline.installation import ready

home, tenant, step = sys.argv[1:]

def die(at):
    if at == step:
        os.kill(os.getpid(), signal.SIGKILL)

kept = mask_sweep.keep_needles
def keep(*arguments):
    kept(*arguments)
    die("planned")

mask_sweep.keep_needles = keep
mask_sweep.Eraser = partial(mask_sweep.Eraser, fault=die)
mask_sweep.sweep(ready(Path(home)), tenant)
"""


def test_a_sweep_that_was_killed_is_carried_on_and_nothing_is_done_twice(stored: Scenario) -> None:
    for step in ("planned", "needles", "content", "store vectors", "verify"):
        killed = subprocess.run(
            [sys.executable, "-c", CHILD, str(stored.services.home.path), stored.tenant, step],
            check=False, capture_output=True, text=True, env=dict(os.environ),
        )  # fmt: skip
        assert killed.returncode == -signal.SIGKILL, (step, killed.stderr)
    done = swept(stored)
    assert [status.state for status in done.requests] == [ErasureState.certified]
    assert done.n_items == {}
    assert columns_with(stored, (PASSWORD, CARD, KEY)) == set()
    assert stored.rows(
        "select count(*), count(distinct request_id) from memory.erasure_request"
        " where tenant_id = %(tenant)s"
    ) == [(1, 1)]  # fmt: skip
    (row,) = stored.rows("select count(*) from memory.secret where tenant_id = %(tenant)s")
    assert row == (len(SECRETS),)
    kept = stored.services.vault_client("verifier").secrets.kv.v2
    with pytest.raises(InvalidPath):
        kept.list_secrets(path="erasure", mount_point=MOUNT)


def test_what_is_masked_is_masked_for_good_and_looked_at_no_more() -> None:
    detector = Detector(load_policy(), [PASSWORD])
    for text in (
        f"пароль: {PASSWORD}, карта {CARD}", f"my password is {PASSWORD}", f"token={KEY}; ok",
        "паспорт 4509 123456, СНИЛС 112-233-445 95",
    ):  # fmt: skip
        masked = detector.mask(text)
        assert len(masked) == len(text)
        assert "█" in masked
        assert not any(secret in masked for secret in SECRETS)
        assert detector.secrets(masked) == []
        assert detector.mask(masked) == masked


def test_a_value_is_found_as_it_is_written_and_never_inside_a_word() -> None:
    literals = Literals(["рот", "a-1", "#x9"])
    assert [*literals.spans("крот рот, рота")] == [(5, 8, "рот")]
    assert [*literals.spans("a-1 ba-1 a-12 (a-1)")] == [(0, 3, "a-1"), (15, 18, "a-1")]
    assert [*literals.spans("#x9")] == [(0, 3, "#x9")]
