"""What a request to erase reaches, what the fence hides at once, and where words mention a value."""

import unicodedata
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario import STORY, Scenario, message, objects

from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.reading import AmbiguousSubject, UnknownDialog, UnknownSubject
from memory_pipeline.contracts.erasure import Block, ErasureState, Ground, Selector
from memory_pipeline.governance.erasure import holds, plan, requests
from memory_pipeline.governance.erasure.mentions import (
    find,
    forms,
    normal_spans,
    normal_value,
    redacted,
    words_of,
)
from memory_pipeline.governance.erasure.scope import (
    AmbiguousFile,
    AmbiguousMessage,
    UnknownFile,
    UnknownItem,
    UnknownMessage,
    UnknownTag,
)
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.morphology import parses

LOCATION = Selector(subject="Дмитрий", tags=("location",))


class Planner:
    """A tenant with the eraser's connection to it."""

    def __init__(self, scenario: Scenario, connection: psycopg.Connection[Any]) -> None:
        self.scenario = scenario
        self.connection = connection
        self.keys = Keys(scenario.services.keyed_hash_key())
        self.tenant_id: int = scenario.rows("select %(tenant)s::int")[0][0]

    def file(self, selector: Selector, **more: Any) -> uuid.UUID:
        return requests.file_request(
            self.connection, self.tenant_id, self.keys, selector, Ground.operator, **more
        )

    def fence(self, selector: Selector, **more: Any) -> uuid.UUID:
        request_id = self.file(selector, **more)
        assert plan.fence(self.connection, request_id, self.keys) is ErasureState.fenced
        return request_id

    def discover(self, selector: Selector, **more: Any) -> uuid.UUID:
        request_id = self.fence(selector, **more)
        state = plan.discover(self.connection, request_id, self.keys)
        assert state is ErasureState.discovered
        return request_id

    def items(self, request_id: uuid.UUID, kind: str, *actions: str) -> set[uuid.UUID]:
        wanted = actions or ("redact", "erase")
        rows = self.connection.execute(
            "select item_id from memory.erasure_item where request_id = %s"
            " and kind = %s::memory.erasure_kind and action::text = any(%s)",
            (request_id, kind, list(wanted)),
        ).fetchall()
        return {row[0] for row in rows}

    def values(self, request_id: uuid.UUID, kind: str = "atom", *actions: str) -> list[Any]:
        rows = self.connection.execute(
            f"select object from memory.{kind}_content where {kind}_id = any(%s)",
            (list(self.items(request_id, kind, *(actions or ("erase",)))),),
        ).fetchall()
        return sorted((row[0] for row in rows), key=str)

    def redactions(self, request_id: uuid.UUID) -> list[str]:
        """The texts as they would be, of messages of which something goes."""
        rows = self.connection.execute(
            "select c.text, array_agg(array[s.span_start, s.span_end])"
            " from memory.erasure_span as s join memory.message_content as c using (message_id)"
            " where s.request_id = %s group by c.message_id, c.text",
            (request_id,),
        ).fetchall()
        return sorted(redacted(text, spans) for text, spans in rows)

    def mentions(self, request_id: uuid.UUID) -> list[str]:
        rows = self.connection.execute(
            "select c.text from memory.erasure_mention as n"
            " join memory.message_content as c using (message_id)"
            " where n.request_id = %s order by c.text",
            (request_id,),
        ).fetchall()
        return [row[0] for row in rows]

    def atom(self, value: str) -> uuid.UUID:
        row = self.connection.execute(
            "select c.atom_id from memory.atom_content as c join memory.atom as a using (atom_id)"
            " where a.tenant_id = %s and c.object = to_jsonb(%s::text)",
            (self.tenant_id, value),
        ).fetchone()
        assert row is not None, value
        return row[0]


@contextmanager
def planner(services: Services, folder: Path, *lines: Any) -> Iterator[Planner]:
    scenario = Scenario(services, folder)
    if lines:
        scenario.tell(*lines)
    with psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as connection:
        yield Planner(scenario, connection)


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def story(started: Services, tmp_path: Path) -> Iterator[Planner]:
    with planner(started, tmp_path, *STORY) as found:
        yield found


def derive(tenant: Planner, *pairs: tuple[uuid.UUID, uuid.UUID]) -> None:
    """Note that each first atom was derived from the second."""
    with psycopg.connect(tenant.scenario.services.pg_dsn("mem_ingest")) as ingest:
        for child, parent in pairs:
            ingest.execute(
                "insert into memory.derivation (child_id, parent_id, audience_id, batch_id)"
                " select %s, a.atom_id, a.audience_id, a.batch_id from memory.atom as a"
                " where a.atom_id = %s",
                (child, parent),
            )


# ---------- mentions


@pytest.mark.parametrize(
    ("value", "value_type", "text", "shown"),
    [
        ("Казань", "place", "в Казани, КАЗАНЬЮ, казанский, Казань-2", "в ██████, ███████, казанский, ██████-2"),
        ("Санкт-Петербург", "place", "в Питере и Санкт Петербургом", "в ██████ и █████ ███████████"),
        ("Нижний Новгород", "place", "из Нижнего Новгорода", "из ███████ █████████"),
        ("Пётр", "name", "Петру, Пётром, Петрович", "█████, ██████, Петрович"),
        ("канарейкаQ7", "text", "канарейкаQ7-ом, канарейкаQ7ом, канарейкаQ77", "██████████████, █████████████, канарейкаQ77"),
        ("Зюкозавр", "text", "о зюкозаврах и Зюкозавре", "о ██████████ и █████████"),
        ("designer", "text", "Designers, a designer's, redesigner", "█████████, a ██████████, redesigner"),
        ("Postgres", "text", "Postgres'а, Postgresом, PostgreSQL", "██████████, ██████████, PostgreSQL"),
        ("120000 RUB", "money", "120 000 рублей, 1120000, 120000.", "███ ███ ██████, 1120000, ██████."),
        ("300000 RUB", "money", "триста тысяч, 300к, 300 тыс., 300 людей", "██████ █████, ████, ███ ████, 300 людей"),
        ("300000 USD", "money", "three hundred thousand or 300k", "█████ ███████ ████████ or ████"),
        ("42", "integer", "42 и 142", "42 и 142"),
        ("1990-05-04", "date", "May 4, 1990; 4 мая 1990; 04.05.1990", "███ ██ ████; █ ███ ████; ██████████"),
        ("1990-03-08", "date", "восьмого марта, 8-го марта, 18 марта", "████████ █████, ████ █████, 18 марта"),
        ("1990-05-23", "date", "May 23rd, the twenty-third of May, May 2", "███ ████, the ████████████ ██ ███, May 2"),
        ("+79123456789", "phone", "8 (912) 345-67-89", "█ █████ █████████"),
        ("olga@example.org", "email", "пиши: olga@example.org", "пиши: ████████████████"),
        ("Кот", "text", "Kot, коту", "Kot, ████"),
    ],
)  # fmt: skip
def test_a_value_is_found_in_every_form_and_never_inside_a_longer_word(
    value: str, value_type: str, text: str, shown: str
) -> None:
    assert redacted(text, find(forms([(value, value_type)]), text)) == shown


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_composed_and_decomposed_texts_read_alike(form: str) -> None:
    text = unicodedata.normalize(form, "Из Йошкар-Олы — ёлки")
    found = redacted(text, find(forms([("Йошкар-Ола", "place")]), text))
    assert len(found) == len(text)
    assert words_of(found) == ["из", "елки"]


WORDS = ("Казань", "аналитик", "Ольга", "пенициллин", "Сочи", "кошка", "врач", "Тверь", "ель")


@given(word=st.sampled_from(WORDS), pick=st.integers(0, 99), before=st.text(max_size=8))
@settings(max_examples=150, deadline=None)
def test_every_inflection_of_a_word_is_found_and_known_by_its_dictionary_form(
    word: str, pick: int, before: str
) -> None:
    entry = next(p for p in parses(word) if p.normal_form == word.lower() and p.tag.POS == "NOUN")
    inflected = entry.lexeme[pick % len(entry.lexeme)].word
    text = f"{before} {inflected}."
    start = len(before) + 1
    spans = find(forms([(word, "text")]), text)
    assert any(a <= start and start + len(inflected) <= b for a, b in spans)
    assert normal_value(word) in {normal for _, _, normal in normal_spans(inflected, 1)}


@given(text=st.text(max_size=60), word=st.sampled_from(WORDS))
@settings(max_examples=150, deadline=None)
def test_nothing_else_in_a_text_is_touched_and_its_length_stays(text: str, word: str) -> None:
    entries = [p for p in parses(word) if p.tag.POS == "NOUN"]
    own = {form.word.replace("ё", "е") for entry in entries for form in entry.lexeme}
    found = redacted(text, find(forms([(word, "text")]), text))
    assert len(found) == len(text)
    if not own & set(words_of(text)):
        assert found == text


# ---------- the closure


def test_a_tag_of_a_subject_takes_its_statements_and_nothing_of_others(story: Planner) -> None:
    request_id = story.discover(LOCATION)
    assert story.values(request_id) == ["Казань", "Москва", "Сочи"]
    assert story.redactions(request_id) == sorted(
        ["Я Дмитрий, ███████ ██ ██████", "█ █ ██ ██ ████ █ █ ████", "█████████ █ ██████ █ █████"]
    )
    assert not story.mentions(request_id)
    assert not story.items(request_id, "dialog") | story.items(request_id, "name")


def test_a_sentence_of_two_facts_loses_the_words_of_one(story: Planner) -> None:
    request_id = story.discover(Selector(atom_id=story.atom("аналитик")))
    assert story.redactions(request_id) == ["Работаю в Яндексе ██████████"]
    assert story.values(request_id, "atom", "redact") == ["Яндекс"]


def test_one_atom_goes_alone(story: Planner) -> None:
    request_id = story.discover(Selector(atom_id=story.atom("Казань")))
    assert story.values(request_id) == ["Казань"]
    assert len(story.redactions(request_id)) == 1


def test_what_was_derived_goes_however_deep_and_in_circles(story: Planner) -> None:
    kazan, acme = story.atom("Казань"), story.atom("Acme")
    postgres = story.atom("Postgres")
    derive(story, (acme, kazan), (postgres, acme), (kazan, postgres))
    request_id = story.discover(Selector(atom_id=kazan))
    assert story.items(request_id, "atom", "erase") == {kazan, acme, postgres}


def test_a_closure_that_names_the_erased_value_goes_too(story: Planner) -> None:
    request_id = story.discover(Selector(atom_id=story.atom("Berlin")))
    assert story.values(request_id, "closure") == ["Berlin"]
    assert story.redactions(request_id) == ["█ ████ ██ ██████.", "█ █████ ████ ██ ██████ anymore."]


def test_values_are_masked_in_the_dialog_whoever_speaks_and_elsewhere_wait_for_a_person(
    started: Services, tmp_path: Path
) -> None:
    lines = (
        message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Казани"),
        message("assistant", "2025-03-03T10:01+03:00", "Казань, запомнил!", role="assistant"),
        message("Анна", "2025-03-03T10:02+03:00", "Люблю Postgres"),
        message("Борис", "2025-03-04T10:00+03:00", "Еду к другу, в Казанью не назовёшь", dialog_id="far"),
        message("Борис", "2025-03-04T10:01+03:00", "Ничего особенного", dialog_id="far"),
    )  # fmt: skip
    with planner(started, tmp_path, *lines) as tenant:
        with tenant.scenario.pipeline() as pipeline:
            pipeline.refresh_full_text()
        request_id = tenant.discover(LOCATION)
        assert "██████, запомнил!" in tenant.redactions(request_id)
        assert tenant.mentions(request_id) == ["Еду к другу, в Казанью не назовёшь"]
        assert not any("Postgres" in text for text in tenant.redactions(request_id))
        waiting = requests.open_mentions(tenant.connection, request_id)
        assert requests.status(tenant.connection, request_id).n_open_mentions == 1
        requests.mask_mention(tenant.connection, waiting[0]["mention_id"])
        assert not requests.open_mentions(tenant.connection, request_id)
        assert "Еду к другу, в ███████ не назовёшь" in tenant.redactions(request_id)


def test_a_waived_mention_stays_with_its_reason(started: Services, tmp_path: Path) -> None:
    lines = (
        message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Казани"),
        message("Борис", "2025-03-04T10:00+03:00", "Был в Казани", dialog_id="far"),
    )
    with planner(started, tmp_path, *lines) as tenant:
        request_id = tenant.discover(LOCATION)
        with pytest.raises(ValueError, match="why"):
            requests.waive_mentions(tenant.connection, request_id, " ")
        assert requests.waive_mentions(tenant.connection, request_id, "another's trip") == 1
        assert requests.status(tenant.connection, request_id).n_open_mentions == 0


def test_equal_names_in_two_tenants_are_two_people(started: Services, tmp_path: Path) -> None:
    line = message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Казани")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    with planner(started, tmp_path / "a", line) as one, planner(started, tmp_path / "b", line) as two:  # fmt: skip
        one.fence(LOCATION)
        with one.scenario.memory() as memory:
            assert objects(memory, "Дмитрий", "location") == [None]
        with two.scenario.memory() as memory:
            assert objects(memory, "Дмитрий", "location") == ["Казань"]


def test_a_person_of_many_dialogs_goes_wholly_with_names_and_words(story: Planner) -> None:
    request_id = story.discover(Selector(subject="Ольга"))
    assert story.values(request_id) == [
        "olga@example.org", "Калуга", "Сбер", "Тула", "врач", "жена: Ольга",
    ]  # fmt: skip
    names = story.connection.execute(
        "select distinct name from memory.name_content where name_id = any(%s)",
        (list(story.items(request_id, "name")),),
    ).fetchall()
    assert names == [("Ольга",)]
    spoken = story.connection.execute(
        "select m.message_id from memory.message as m join memory.name_content as n"
        " on n.entity_id = m.speaker_id where m.tenant_id = %s and n.name = 'Ольга'",
        (story.tenant_id,),
    ).fetchall()
    assert {row[0] for row in spoken} <= story.items(request_id, "message", "erase")
    # what she said goes, what others say of her without her name stays
    assert "Мою жену зовут █████" in story.redactions(request_id)
    assert story.values(request_id, "atom", "redact") == ["женат"]


def test_a_dialog_a_file_and_a_told_range_are_taken_by_place_and_time(story: Planner) -> None:
    by_dialog = story.discover(Selector(dialog="home"))
    n_messages = story.scenario.rows(
        "select count(*) from memory.message as m join memory.dialog_content as d using (dialog_id)"
        " where m.tenant_id = %(tenant)s and d.native_id = 'home'"
    )[0][0]
    assert len(story.items(by_dialog, "message", "erase")) == n_messages
    assert len(story.items(by_dialog, "dialog", "erase")) == 1
    assert "Postgres" in story.values(by_dialog)
    assert "Казань" not in story.values(by_dialog)
    ranged = story.discover(
        Selector(subject="Дмитрий", tags=("location",), told_from="2025-10-01T00:00+03:00")  # type: ignore[arg-type]
    )
    assert story.values(ranged) == ["Казань"]
    name = story.scenario.rows(
        "select c.name from memory.log_file_content as c join memory.log_file as f using (file_id)"
        " where f.tenant_id = %(tenant)s"
    )[0][0]
    by_file = story.discover(Selector(file=name))
    assert len(story.items(by_file, "file", "erase")) == 1
    assert {"Казань", "Postgres", "Hamburg"} <= set(story.values(by_file))


def test_a_whole_tenant_leaves_nothing_out(story: Planner) -> None:
    request_id = story.discover(Selector(whole_tenant=True))
    for kind, table in (("atom", "atom"), ("message", "message"), ("dialog", "dialog"), ("file", "log_file")):  # fmt: skip
        key = "file_id" if kind == "file" else f"{kind}_id"
        rows = story.scenario.rows(f"select {key} from memory.{table} where tenant_id = %(tenant)s")
        assert story.items(request_id, kind, "erase") == {row[0] for row in rows}


def test_a_secret_goes_with_its_last_use(started: Services, tmp_path: Path) -> None:
    card = "4111 1111 1111 1111"
    lines = (
        message("Дмитрий", "2025-03-03T10:00+03:00", f"Моя карта {card}"),
        message("Анна", "2025-03-03T10:00+03:00", f"Карта {card}", dialog_id="other"),
    )
    with planner(started, tmp_path, *lines) as tenant:
        first = tenant.discover(Selector(dialog="chat"))
        assert not tenant.items(first, "secret")
        requests.cancel(tenant.connection, first)
        both = tenant.discover(Selector(whole_tenant=True))
        assert len(tenant.items(both, "secret")) == 1


# ---------- who is meant


def test_a_name_must_mean_one_person(started: Services, tmp_path: Path, story: Planner) -> None:
    with pytest.raises(UnknownSubject):
        story.file(Selector(subject="Никто"))
    with pytest.raises(UnknownDialog):
        story.file(Selector(dialog="nowhere"))
    with pytest.raises(UnknownFile):
        story.file(Selector(file="none.jsonl"))
    with pytest.raises(UnknownTag):
        story.file(Selector(tags=("nonesuch",)))
    two = [
        message("Иван", "2025-03-03T10:00+03:00", "Я живу в Твери", speaker_id=f"u{n}", dialog_id=f"d{n}")
        for n in (1, 2)
    ]  # fmt: skip
    (tmp_path / "two").mkdir()
    with planner(started, tmp_path / "two", *two) as tenant:
        with pytest.raises(AmbiguousSubject) as refused:
            tenant.file(Selector(subject="Иван"))
        assert len(refused.value.candidates) == 2
        entity_id = refused.value.candidates[0][0]
        request_id = tenant.discover(Selector(entity_id=entity_id))
        assert len(tenant.items(request_id, "atom", "erase")) == 1
        for folder in ("x", "y"):
            (tmp_path / folder).mkdir()
            tenant.scenario.folder = tmp_path / folder
            tenant.scenario.read(message("Пётр", "2025-03-05T10:00+03:00", folder), name="a.jsonl")
        with pytest.raises(AmbiguousFile) as several:
            tenant.file(Selector(file="a.jsonl"))
        assert len(several.value.candidates) == 2


def test_a_message_is_named_by_the_logs_id_within_its_dialog_with_all_its_edits(
    story: Planner,
) -> None:
    story.scenario.read(
        message("Анна", "2025-10-14T09:00+03:00", "Да", dialog_id="home", message_id="w1")
    )
    with pytest.raises(AmbiguousMessage) as several:
        story.file(Selector(message="w1"))
    assert [dialog for _, dialog in several.value.candidates] == ["home", "work"]
    by_ours = story.discover(Selector(message=str(several.value.candidates[1][0])))
    by_dialog = story.discover(Selector(message="w1", dialog="work"))
    assert story.items(by_ours, "message", "erase") == story.items(by_dialog, "message", "erase")
    edited = story.discover(Selector(message="w10"))
    assert len(story.items(edited, "message", "erase")) == 2
    for unknown in (Selector(message="w99"), Selector(message="h1", dialog="work")):
        with pytest.raises(UnknownMessage):
            story.file(unknown)
    with pytest.raises(UnknownItem):
        story.file(Selector(message="w10", message_id=several.value.candidates[0][0]))


def test_a_merged_person_is_one_subject(started: Services, tmp_path: Path) -> None:
    lines = (
        message("Дима", "2025-03-03T10:00+03:00", "Я живу в Твери", dialog_id="one"),
        message("Дмитрий", "2025-03-04T10:00+03:00", "Я живу в Казани", dialog_id="two"),
    )
    with planner(started, tmp_path, *lines) as tenant:
        with (
            psycopg.connect(started.pg_dsn("mem_ingest"), autocommit=True) as ingest,
            batch(ingest, tenant.tenant_id, "test") as running,
        ):
            ingest.execute(
                "insert into memory.same_as (same_as_id, tenant_id, audience_id, batch_id, left_id,"
                " right_id, is_same, rule, rule_version, told_at, statement_hash, origin, author)"
                " select gen_random_uuid(), a.tenant_id, a.audience_id, %s, a.subject_id,"
                " b.subject_id, true, 'human', 1, now(), 'm', 'human', 'operator'"
                " from memory.atom as a join memory.atom as b on b.tenant_id = a.tenant_id"
                " and b.atom_id > a.atom_id where a.tenant_id = %s",
                (running.batch_id, tenant.tenant_id),
            )
        request_id = tenant.discover(Selector(subject="Дима", tags=("location",)))
        assert tenant.values(request_id) == ["Казань", "Тверь"]


# ---------- the fence


def test_a_fence_hides_at_once_from_every_reader_and_reopens_nothing(story: Planner) -> None:
    with story.scenario.pipeline() as pipeline:
        pipeline.embed_messages()
        pipeline.embed_atoms()
        pipeline.refresh_full_text()
    kazan = story.atom("Казань")
    with story.scenario.memory() as memory:
        snapshot = memory.context("work", "Где живёт Дмитрий?", 500)
        assert objects(memory, "Дмитрий", "location", valid_at="2025-11-01") == ["Казань"]
    story.fence(Selector(atom_id=kazan))
    with story.scenario.memory() as memory:
        after = memory.as_of("Дмитрий", predicate="location", valid_at="2025-11-01").answers
        assert [(a.status.value, a.object) for a in after] == [("erased", None)]
        assert objects(memory, "Дмитрий", "location", valid_at="2025-10-17") == ["Москва"]
        assert objects(memory, "Дмитрий", "preference") == ["Postgres"]
        periods = [p for p in memory.history("Дмитрий", predicate="location") if p.erased]
        assert {p.atom_id for p in periods} == {str(kazan)}
        assert all(p.object is None for p in periods)
        assert not any("Казан" in (hit.text or "") for hit in memory.search("Казань", 20))
        assert memory.show(kazan)["atom"]["object"] is None
        assert not memory.show(kazan)["messages"]
        packed = memory.context("work", "Казань", 500)
        assert "Казан" not in packed.model_dump_json()
        for query, bound in (
            ("select from memory.snapshot_content where snapshot_id = %s", snapshot.id),
            ("select from memory.atom_content where atom_id = %s", kazan),
            ("select from derived.full_text where item_id = %s", kazan),
        ):
            assert memory.connection.execute(query.encode(), (bound,)).fetchone() is None
        record = memory.connection.execute(
            "select atom_id from memory.atom where atom_id = %s", (kazan,)
        ).fetchone()
        assert record == (kazan,)


def test_a_dialog_named_by_the_value_is_hidden_by_name_and_others_are_not(
    started: Services, tmp_path: Path
) -> None:
    lines = (
        message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Казани", dialog_id="a", dialog_title="О Казани"),
        message("Дмитрий", "2025-03-04T10:00+03:00", "Живу в Казани", dialog_id="b", dialog_title="О еде"),
    )  # fmt: skip
    with planner(started, tmp_path, *lines) as tenant:
        request_id = tenant.fence(LOCATION)
        with tenant.scenario.memory() as memory:
            with pytest.raises(UnknownDialog):
                memory.dialog("a")
            assert memory.dialog("b")
        plan.discover(tenant.connection, request_id, tenant.keys)
        assert len(tenant.items(request_id, "dialog", "redact")) == 1


def test_discovery_shows_again_what_is_not_touched(story: Planner) -> None:
    request_id = story.fence(LOCATION)
    with story.scenario.memory() as memory:
        snapshots = memory.connection.execute("select count(*) from memory.message_content")
        hidden = (snapshots.fetchone() or (0,))[0]
    plan.discover(story.connection, request_id, story.keys)
    with story.scenario.memory() as memory:
        seen = memory.connection.execute("select count(*) from memory.message_content").fetchone()
        total = story.scenario.rows(
            "select count(*) from memory.message where tenant_id = %(tenant)s"
        )[0][0]
        assert seen is not None
        assert hidden < seen[0] == total - len(story.items(request_id, "message"))
        assert objects(memory, "Rachel", "location", valid_at="2025-12-01") == ["Hamburg"]


def test_taking_back_lifts_the_fence_and_the_suppression(story: Planner) -> None:
    request_id = story.discover(LOCATION)
    in_force = "select from memory.suppression_in_force where request_id = %s"
    assert story.connection.execute(in_force, (request_id,)).fetchone() is not None
    requests.cancel(story.connection, request_id)
    assert story.connection.execute(in_force, (request_id,)).fetchone() is None
    with story.scenario.memory() as memory:
        assert objects(memory, "Дмитрий", "location", valid_at="2025-11-01") == ["Казань"]
    late = story.discover(LOCATION)
    requests.advance(story.connection, late, ErasureState.keys_destroyed)
    with pytest.raises(requests.WrongState):
        requests.cancel(story.connection, late)
    with pytest.raises(requests.WrongState):
        requests.advance(story.connection, late, ErasureState.discovered)


def test_a_hold_blocks_and_a_lifted_one_lets_go(story: Planner) -> None:
    entity_id = story.scenario.rows(
        "select a.subject_id from memory.atom as a join memory.atom_content as c using (atom_id)"
        " where a.tenant_id = %(tenant)s and c.object = to_jsonb('Казань'::text)"
    )[0][0]
    holds.hold(story.connection, story.tenant_id, entity_id)
    request_id = story.file(LOCATION)
    assert plan.fence(story.connection, request_id, story.keys) is ErasureState.received
    assert requests.status(story.connection, request_id).block is Block.legal_hold
    assert not story.items(request_id, "atom")
    others = story.discover(Selector(subject="Rachel", tags=("location",)))
    assert story.items(others, "atom", "erase")
    holds.release(story.connection, story.tenant_id, entity_id)
    assert holds.holds(story.connection, story.tenant_id) == []
    assert plan.fence(story.connection, request_id, story.keys) is ErasureState.fenced
    holds.hold(story.connection, story.tenant_id)
    assert plan.discover(story.connection, request_id, story.keys) is ErasureState.fenced
    assert requests.status(story.connection, request_id).block is Block.legal_hold


def test_a_preview_writes_nothing_and_its_fingerprint_is_asked_for(story: Planner) -> None:
    shown = plan.preview(story.connection, story.tenant_id, story.keys, LOCATION)
    again = plan.preview(story.connection, story.tenant_id, story.keys, LOCATION)
    assert shown == again
    assert shown.counts["atom erase"] == 3
    assert requests.requests(story.connection, story.tenant_id) == []
    same = story.discover(LOCATION, preview_digest=shown.digest)
    requests.cancel(story.connection, same)
    story.scenario.tell(
        message("Дмитрий", "2025-11-20T10:00+03:00", "Переехал в Самару", dialog_id="work")
    )
    changed = story.fence(LOCATION, preview_digest=shown.digest)
    assert plan.discover(story.connection, changed, story.keys) is ErasureState.fenced
    assert requests.status(story.connection, changed).block is Block.preview_changed


def test_what_comes_after_discovery_joins_the_plan_and_what_is_told_later_stays(
    story: Planner,
) -> None:
    request_id = story.discover(LOCATION)
    postgres = story.atom("Postgres")
    derive(story, (postgres, story.atom("Москва")))
    with story.scenario.memory() as memory:
        later = memory.remember("Дмитрий", "location", "Самара")
    with story.connection.transaction():
        assert plan.recompute(story.connection, request_id, story.keys) > 0
    with story.connection.transaction():
        assert plan.recompute(story.connection, request_id, story.keys) == 0
    assert postgres in story.items(request_id, "atom", "erase")
    assert later not in story.items(request_id, "atom")
    requests.cancel(story.connection, request_id)
    stopping = story.discover(LOCATION, stops_learning=True)
    assert later in story.items(stopping, "atom", "erase")


def test_a_request_put_in_as_rows_is_taken_or_says_that_it_is_unclear(story: Planner) -> None:
    def put_in(selector: str) -> uuid.UUID:
        request_id = uuid.uuid4()
        with psycopg.connect(story.scenario.services.pg_dsn("mem_ingest")) as ingest:
            ingest.execute(
                "insert into memory.erasure_request (request_id, tenant_id, ground)"
                " values (%s, %s, 'gdpr_consent')",
                (request_id, story.tenant_id),
            )
            ingest.execute(
                "insert into memory.erasure_request_content (request_id, selector)"
                " values (%s, %s::jsonb)",
                (request_id, selector),
            )
        return request_id

    known, unknown = (
        put_in('{"subject": "Дмитрий", "tags": ["location"]}'),
        put_in('{"subject": "Никто"}'),
    )
    assert {known, unknown} <= set(requests.unfinished(story.connection, story.tenant_id))
    assert plan.fence(story.connection, known, story.keys) is ErasureState.fenced
    status = requests.status(story.connection, known)
    assert status.due_at is not None
    # the tenant's zone is Moscow's, where the term ends at midnight
    last = (status.due_at - timedelta(minutes=1)).astimezone(ZoneInfo("Europe/Moscow")).date()
    assert status.due_on == last
    assert plan.fence(story.connection, unknown, story.keys) is ErasureState.received
    assert requests.status(story.connection, unknown).block is Block.selector_unclear


def test_one_worker_at_a_time_has_a_request(story: Planner) -> None:
    request_id = story.file(LOCATION)
    one, two = uuid.uuid4(), uuid.uuid4()
    assert requests.lease(story.connection, request_id, one, 60)
    assert requests.lease(story.connection, request_id, one, 0)
    assert requests.lease(story.connection, request_id, two, 60)
    assert not requests.lease(story.connection, request_id, one, 60)
    assert requests.status(story.connection, request_id).attempt == 2
    requests.release(story.connection, request_id, two)
    assert requests.lease(story.connection, request_id, one, 60)


@pytest.mark.parametrize(
    ("name", "text", "masked"),
    [
        ("Глеб Дубов", "Дубову Глебу передам", "██████ █████ передам"),
        ("Глеб Дубов", "с Глебом Ивановичем Дубовым", "с ██████ ██████████ ███████"),
        ("Глеб Дубов", "Глеб и Дубов", "Глеб и Дубов"),
        ("Глеб Дубов", "Глеб любит Дубов", "Глеб любит Дубов"),
        ("Лев Иванович Зюзин", "Зюзину Льву, Лев Зюзин", "██████ ████, ███ █████"),
        ("John Smith", "Smith, John met John A. Smith", "██████ ████ met ████ ██ █████"),
        ("John Smith", "John a Smith", "John a Smith"),
    ],
)
def test_a_name_is_found_in_either_order_and_around_a_middle_name(
    name: str, text: str, masked: str
) -> None:
    assert redacted(text, find(forms([(name, "name")]), text)) == masked
