"""What was erased does not come back: by no file, export, order, extractor, replay or race."""

import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from memory_pipeline import installation
from memory_pipeline import memory as memory_module
from memory_pipeline.afm import packing
from memory_pipeline.bitemporal.batches import batch
from memory_pipeline.bitemporal.human import UnknownAtom
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance.erasure import replay
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.mentions import MASK, normal_value
from memory_pipeline.governance.erasure.suppress import Suppressions, told_key, value_key
from memory_pipeline.ingest import load
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.extraction.local import LocalExtractor
from tests.scenario import Message, Scenario, message, write

MARCH = "2025-03-03T10:00+03:00"
CUT_OFF = datetime(2025, 6, 1, tzinfo=UTC)


@dataclass
class World(Scenario):
    """A tenant, of which something may be fenced by hand."""

    keys: Keys = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.keys = Keys(self.services.keyed_hash_key())

    @property
    def tenant_id(self) -> int:
        return int(self.rows("select %(tenant)s::int")[0][0])

    def person(self, name: str) -> list[tuple[str, bytes]]:
        """Keys of a person: of all its entities and of the name."""
        rows = self.rows(
            "select e.entity_key from memory.entity as e where e.entity_id in ("
            " select unnest(memory.component(array(select n.entity_id from memory.name_content as n"
            " join memory.entity as x using (entity_id)"
            " where x.tenant_id = %(tenant)s and n.lookup = %(lookup)s))))",
            lookup=self.keys.name(self.tenant_id, name),
        )
        found = [("entity", bytes(row[0])) for row in rows]
        return [*found, ("name", self.keys.name(self.tenant_id, name))]

    def values(self, *values: str) -> list[tuple[str, bytes]]:
        """Keys of erased values."""
        return [
            ("value", value_key(self.keys, self.tenant_id, normal_value(value))) for value in values
        ]

    def fence(
        self,
        keys: Sequence[tuple[str, bytes]],
        *,
        tags: Sequence[str] = (),
        told_upto: datetime = CUT_OFF,
        stops_learning: bool = False,
        connection: psycopg.Connection[Any] | None = None,
    ) -> UUID:
        """Suppress a scope as a fence does; in the caller's transaction, if one is given."""
        if connection is None:
            with psycopg.connect(self.services.pg_dsn("mem_eraser")) as own:
                return self.fence(
                    keys, tags=tags, told_upto=told_upto, stops_learning=stops_learning,
                    connection=own,
                )  # fmt: skip
        request_id, suppression_id, tenant_id = uuid4(), uuid4(), self.tenant_id
        connection.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, state, told_upto,"
            " stops_learning, scope) values (%s, %s, 'operator', 'certified', %s, %s, '{}')",
            (request_id, tenant_id, told_upto, stops_learning),
        )
        connection.execute("select memory.enter_alone(%s, %s, 'fenced')", (tenant_id, request_id))
        connection.execute(
            "insert into memory.suppression (suppression_id, tenant_id, batch_id, request_id, tags,"
            " told_upto, stops_learning) values (%s, %s, %s, %s, %s, %s, %s)",
            (suppression_id, tenant_id, uuid4(), request_id, list(tags), told_upto, stops_learning),
        )
        for dimension, key in dict.fromkeys(keys):
            connection.execute(
                "insert into memory.suppression_key values (%s, %s, %s)",
                (suppression_id, dimension, key),
            )
        return suppression_id

    def hide(self, kind: str, item_id: UUID | str, audience_id: int | None, action: str) -> UUID:
        """Fence one item of a request of its own."""
        request_id = uuid4()
        with psycopg.connect(self.services.pg_dsn("mem_eraser")) as eraser:
            eraser.execute(
                "insert into memory.erasure_request (request_id, tenant_id, ground, state)"
                " values (%s, %s, 'operator', 'fenced')",
                (request_id, self.tenant_id),
            )
            eraser.execute(
                "select memory.enter_alone(%s, %s, 'fenced')", (self.tenant_id, request_id)
            )
            eraser.execute(
                "insert into memory.erasure_item values (%s, %s, %s, %s, %s)",
                (request_id, kind, item_id, audience_id, action),
            )
        return request_id

    def embed(self) -> None:
        """Bring the vectors up to date."""
        with self.pipeline() as pipeline:
            pipeline.embed_messages()
            pipeline.embed_atoms()

    def texts(self) -> list[str]:
        """Texts of all stored messages, in told order."""
        return [
            row[0]
            for row in self.rows(
                "select c.text from memory.message as m join memory.message_content as c"
                " using (message_id) where m.tenant_id = %(tenant)s order by m.sent_at, m.position"
            )
        ]

    def atoms(self) -> list[tuple[str, Any]]:
        """Predicates and objects of all atoms that stand."""
        return sorted(
            self.rows(
                "select p.name, c.object from memory.atom as a join memory.atom_content as c"
                " using (atom_id) join memory.predicate as p using (predicate_id)"
                " where a.tenant_id = %(tenant)s and not exists (select from memory.withdrawal as w"
                " where w.statement_id = a.atom_id)"
            ),
            key=repr,
        )

    def tell_file(self, path: Path) -> None:
        with self.pipeline() as pipeline:
            pipeline.ingest([path])
            pipeline.extract()


@pytest.fixture
def world(services: Services, tmp_path: Path) -> World:
    ready(services.home.path)
    return World(services, tmp_path)


def settled(path: Path) -> Path:
    """A file that nobody writes to any more."""
    os.utime(path, (0, 0))
    return path


def forgotten_location(world: World, *, stops_learning: bool = False) -> UUID:
    """Дмитрий is known to live in Москва and to prefer Postgres; his location is suppressed."""
    world.tell(
        message("Дмитрий", MARCH, "Привет", message_id="0"),
        message("Дмитрий", MARCH, "Я предпочитаю Postgres", message_id="1"),
    )
    return world.fence(
        [*world.person("Дмитрий"), *world.values("Москва")],
        tags=["location"],
        stops_learning=stops_learning,
    )


def log(dialog: str = "chat") -> list[Message]:
    return [
        message("Дмитрий", "2025-03-04T10:00+03:00", "Я живу в Москве", dialog_id=dialog),
        message("Анна", "2025-03-04T10:01+03:00", "И как тебе московская жизнь в Москве?",
                dialog_id=dialog),
        message("Дмитрий", "2025-03-04T10:02+03:00", "Работаю в Яндексе аналитиком",
                dialog_id=dialog),
        message("Дмитрий", "2025-10-10T10:00+03:00", "Переезжаю в Казань с 19-го", dialog_id=dialog),
    ]  # fmt: skip


def test_a_statement_in_scope_is_masked_before_it_is_stored_and_others_and_later_ones_are_kept(
    world: World,
) -> None:
    forgotten_location(world)

    world.tell(*log())

    said = world.texts()[2:]
    assert said[0].replace(MASK, "").strip() in ("", "Я")
    assert len(said[0]) == len("Я живу в Москве")
    assert said[1] == "И как тебе московская жизнь в ██████?"
    assert said[2:] == ["Работаю в Яндексе аналитиком", "Переезжаю в Казань с 19-го"]
    atoms = world.atoms()
    assert ("employer", "Яндекс") in atoms
    assert ("location", "Казань") in atoms
    assert "Москва" not in {value for _, value in atoms}


@pytest.mark.parametrize("dialog", ["chat", "another"])
def test_the_same_log_again_renamed_or_reordered_or_in_another_dialog_brings_nothing_back(
    world: World, dialog: str
) -> None:
    forgotten_location(world)
    lines = log(dialog)
    for part in (lines, lines[::-1], lines[1:] + lines[:1]):
        world.tell(*part)
    assert "Москве" not in "".join(world.texts())
    assert [value for name, value in world.atoms() if name == "location"] == ["Казань"]


def test_another_export_of_the_chat_in_another_format_with_other_ids_brings_nothing_back(
    world: World, tmp_path: Path
) -> None:
    forgotten_location(world)
    export = tmp_path / "WhatsApp Chat with Дмитрий.txt"
    export.write_text(
        "04.03.2025, 10:00 - Дмитрий: Я живу в Москве\n"
        "04.03.2025, 10:01 - Анна: А я работаю в Яндексе\n"
        "05.03.2025, 10:02 - Дмитрий: Ладно\n",
        encoding="utf-8",
    )
    world.tell_file(export)
    assert len(world.texts()) == 5
    assert "Москве" not in "".join(world.texts())
    assert [name for name, _ in world.atoms() if name == "location"] == []
    assert ("employer", "Яндекс") in world.atoms()


def test_other_people_of_the_same_value_are_untouched_where_the_erased_takes_no_part(
    world: World,
) -> None:
    forgotten_location(world)
    world.tell(
        message("Ольга", "2025-03-05T10:00+03:00", "Я живу в Москве", dialog_id="elsewhere"),
        message("Пётр", "2025-03-05T10:01+03:00", "А Дмитрий хороший", dialog_id="elsewhere"),
    )
    assert world.texts()[-2:] == ["Я живу в Москве", "А Дмитрий хороший"]
    assert ("location", "Москва") in world.atoms()


def test_learning_stops_where_it_was_asked_to(world: World) -> None:
    forgotten_location(world, stops_learning=True)
    world.tell(*log())
    assert [name for name, _ in world.atoms() if name == "location"] == []
    assert "Казань" not in "".join(world.texts())
    assert ("employer", "Яндекс") in world.atoms()


def test_a_request_that_was_taken_back_suppresses_nothing(world: World) -> None:
    forgotten_location(world)
    with psycopg.connect(world.services.pg_dsn("mem_ingest")) as connection:
        assert Suppressions.load(connection, world.keys, world.tenant_id)
    world.fence(world.person("Анна"))
    with psycopg.connect(world.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where tenant_id = %s",
            (world.tenant_id,),
        )
        assert not Suppressions.load(eraser, world.keys, world.tenant_id)


def test_a_person_erased_wholly_comes_back_without_words_name_and_lookup(world: World) -> None:
    world.tell(message("Дмитрий", MARCH, "Привет", message_id="0"))
    world.fence([*world.person("Дмитрий"), *world.values("Дмитрий")])
    world.read(
        message("Дмитрий", "2025-03-04T10:00+03:00", "Моя почта d@example.org, звони",
                dialog_id="new", dialog_title="Чат с Дмитрием"),
        message("Анна", "2025-03-04T10:01+03:00", "Дмитрию привет, а я живу в Туле",
                dialog_id="new"),
        name="Дмитрий.jsonl",
    )  # fmt: skip
    with world.pipeline() as pipeline:
        pipeline.extract()
    new = world.rows(
        "select d.title, c.text, array(select n.name from memory.name_content as n"
        "  where n.entity_id = m.speaker_id and n.form = 'label') from memory.message as m"
        " join memory.message_content as c using (message_id)"
        " join memory.dialog_content as d on d.dialog_id = m.dialog_id"
        " where m.tenant_id = %(tenant)s and d.native_id = 'new' order by m.sent_at"
    )
    assert [row[2] for row in new] == [[MASK], ["Анна"]]
    assert set(new[0][1]) <= {MASK, " "}
    assert new[1][1] == "███████ привет, а я живу в Туле"
    assert new[0][0] == "Чат с ████████"
    lookup = world.keys.name(world.tenant_id, "Дмитрий")
    ids = world.rows(
        "select d.native_id from memory.name_content as n join memory.entity as e using (entity_id)"
        " join memory.dialog_content as d using (dialog_id)"
        " where e.tenant_id = %(tenant)s and n.lookup = %(lookup)s",
        lookup=lookup,
    )
    assert ids == [("chat",)], "only what was stored before has the name, until it is erased"
    files = world.rows(
        "select c.name from memory.log_file as f join memory.log_file_content as c using (file_id)"
        " where f.tenant_id = %(tenant)s and c.name like '%%█%%'"
    )
    assert files == [("███████.jsonl",)]
    assert ("location", "Тула") in world.atoms()


def test_a_suppressed_message_is_known_again_by_its_text_and_minute_under_other_ids(
    world: World,
) -> None:
    sent = datetime(2025, 3, 4, 7, 0, 30, tzinfo=UTC)
    known = told_key(world.keys.text("Встреча у входа"), sent)
    world.read(message("Анна", MARCH, "Привет"))
    world.fence([("message", known)])
    world.read(
        message("Анна", "2025-03-04T10:00:05+03:00", "Встреча у входа", dialog_id="other"),
        message("Анна", "2025-03-04T10:01:05+03:00", "Встреча у входа", dialog_id="other"),
    )
    assert world.texts()[1:] == ["███████ █ █████", "Встреча у входа"]


def test_quarantine_and_archive_never_get_what_was_erased(world: World, tmp_path: Path) -> None:
    forgotten_location(world)
    torn = '{"dialog_id": "chat", "speaker": "Дмитрий", "text": "Я живу в \\u041c\\u043e\\u0441\\u043a\\u0432\\u0435"'
    other = '{"dialog_id": "chat", "speaker": "Ольга", "text": "Ладно"'
    with world.pipeline() as pipeline:
        landed = write(pipeline.landing / "landed.jsonl", log())
        with landed.open("a", encoding="utf-8") as out:
            out.write(f"{torn}\n{other}\n")
        clean = write(pipeline.landing / "clean.jsonl", [message("Ольга", MARCH, "Да")])
        for path in (landed, clean):
            settled(path)
        report = pipeline.ingest_landing()
        sealed = sorted(pipeline.archive.iterdir())
        assert [(name, r.n_suppressed > 0) for name, r in report.files] == [
            ("clean.jsonl", False),
            ("landed.jsonl", True),
        ]
        assert [path.stem for path in sealed] == [str(report.files[0][1].file_id)]
        assert not landed.exists()
        assert not clean.exists()
    raw = world.rows(
        "select c.raw is not null from memory.quarantine as q"
        " join memory.quarantine_content as c using (quarantine_id)"
        " where q.tenant_id = %(tenant)s order by q.position"
    )
    assert raw == [(False,), (True,)], "a record with an erased value is counted and not kept"


def test_a_known_file_that_is_landed_again_after_an_erasure_is_not_archived(world: World) -> None:
    lines = [message("Дмитрий", MARCH, "Я живу в Москве")]
    with world.pipeline() as pipeline:
        pipeline.ingest([write(world.folder / "before.jsonl", lines)])
        world.fence([*world.person("Дмитрий"), *world.values("Москва")], tags=["location"])
        settled(write(pipeline.landing / "again.jsonl", lines))
        ((_, loaded),) = pipeline.ingest_landing().files
        assert (loaded.status, loaded.n_messages, loaded.n_suppressed) == ("known", 0, 1)
        assert not list(pipeline.archive.glob("*"))


def test_quarantine_that_is_replayed_passes_through_the_suppression(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = message("Дмитрий", MARCH, "Я живу в Москве", attachments=[{"kind": "image"}])
    with world.pipeline() as pipeline:
        with monkeypatch.context() as patch:
            patch.setattr(load, "ReadOptions", functools.partial(load.ReadOptions, max_depth=1))
            pipeline.ingest([write(world.folder / "deep.jsonl", [deep])])
        world.read(message("Дмитрий", MARCH, "Привет"))
        world.fence([*world.person("Дмитрий"), *world.values("Москва")], tags=["location"])
        assert pipeline.replay_quarantine().n_messages == 1
        pipeline.extract()
    assert "Москве" not in "".join(world.texts())
    assert world.atoms() == []


class _Newer(LocalExtractor):
    version = "newer"


class _Blind(LocalExtractor):
    """An older extractor, that read nothing."""

    name = "blind"

    def extract(self, windows: Any, predicates: Any) -> Any:
        found = super().extract(windows, predicates)
        return [answer.model_copy(update={"atoms": (), "closures": ()}) for answer in found]


def test_what_an_older_extractor_missed_is_not_learned_by_a_newer_and_its_text_is_handed_over(
    world: World,
) -> None:
    """The text stands, since nothing was known of it when its scope was erased."""
    world.read(message("Дмитрий", MARCH, "Я живу в Москве, предпочитаю Postgres"))
    with world.pipeline(_Blind()) as pipeline:
        pipeline.extract()
    assert world.atoms() == []
    world.fence(world.person("Дмитрий"), tags=["location"])

    with world.pipeline(_Newer()) as pipeline:
        report = pipeline.extract()

    assert report.n_follow_ups == 1
    assert [name for name, _ in world.atoms()] == ["preference"]
    answers = world.rows(
        "select c.answer::text from memory.extraction as x join memory.extraction_content as c"
        " using (extraction_id) where x.tenant_id = %(tenant)s"
    )
    assert not [row for row in answers if "Москв" in row[0]]
    spans = world.rows(
        "select r.state::text, i.action::text, substr(c.text, s.span_start + 1,"
        "  s.span_end - s.span_start) from memory.erasure_span as s"
        " join memory.erasure_request as r using (request_id)"
        " join memory.erasure_item as i on i.request_id = r.request_id and i.item_id = s.message_id"
        " join memory.message_content as c on c.message_id = s.message_id"
        " where r.tenant_id = %(tenant)s"
    )
    assert [(state, action) for state, action, _ in spans] == [("received", "redact")]
    assert "Москве" in spans[0][2]
    with world.pipeline(_Blind()) as pipeline:
        pipeline.extract()
    with world.pipeline(_Newer()) as pipeline:
        assert pipeline.extract().n_follow_ups == 0, "what is planned is not planned again"


def test_nothing_erased_or_about_to_be_is_withdrawn_by_a_later_extraction(world: World) -> None:
    world.tell(message("Дмитрий", MARCH, "Я живу в Москве"))
    ((atom_id,),) = world.rows("select atom_id from memory.atom where tenant_id = %(tenant)s")
    world.hide("atom", atom_id, None, "erase")
    with world.pipeline(_Blind()) as pipeline:
        assert pipeline.extract().n_withdrawn == 0
    world.read(message("Дмитрий", MARCH, "Ладно"))
    with world.pipeline(_Blind()) as pipeline:
        assert pipeline.extract().n_withdrawn == 0, "served already: nothing is read again"
    assert ("location", "Москва") in world.atoms()


# ---------- races: the fence comes while something is being written


@contextmanager
def at_its_end(then: Callable[[], object]) -> Iterator[threading.Thread]:
    """`then` in a thread that the caller starts, and that has ended well after the block."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            then()
        except BaseException as error:  # noqa: BLE001 - a thread's failure is the test's
            failed.append(error)

    thread = threading.Thread(target=run)
    yield thread
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert failed == []


def waits(services: Services) -> None:
    """Returns once some session waits for an advisory lock."""
    with psycopg.connect(services.pg_dsn("mem_verifier"), autocommit=True) as watcher:
        for _ in range(600):
            row = watcher.execute(
                "select count(*), pg_sleep(0.05) from pg_locks"
                " where locktype = 'advisory' and not granted"
            ).fetchone()
            if row and row[0]:
                return
    raise AssertionError("nobody waited")


def test_what_was_read_before_a_fence_and_is_stored_after_it_is_masked(world: World) -> None:
    """The fence holds its lock while the log is read; ingestion waits, and masks anew."""
    world.tell(message("Дмитрий", MARCH, "Привет", message_id="0"))
    keys = [*world.person("Дмитрий"), *world.values("Москва")]
    with psycopg.connect(world.services.pg_dsn("mem_eraser")) as eraser:
        world.fence(keys, tags=["location"], connection=eraser)
        with at_its_end(lambda: world.tell(*log())) as thread:
            thread.start()
            waits(world.services)
            eraser.commit()
    assert "Москве" not in "".join(world.texts())
    assert ("employer", "Яндекс") in world.atoms()
    assert [value for name, value in world.atoms() if name == "location"] == ["Казань"]


def test_a_fence_waits_for_a_batch_that_began_before_it(world: World) -> None:
    world.read(message("Дмитрий", MARCH, "Привет"))
    done = threading.Event()

    def fence() -> None:
        world.fence(world.person("Дмитрий"), tags=["location"])
        done.set()

    with psycopg.connect(world.services.pg_dsn("mem_ingest"), autocommit=True) as ingest:
        # the batch ends first, the thread is waited for after
        with at_its_end(fence) as thread, batch(ingest, world.tenant_id, "test") as running:
            thread.start()
            waits(world.services)
            assert not done.is_set()
            assert running.epoch == 0
        with batch(ingest, world.tenant_id, "test") as running:
            assert running.epoch == 1


class _FencesMeanwhile(LocalExtractor):
    """An extractor during whose first call something is fenced."""

    name = "slow"

    def __init__(self, fence: Callable[[], object]) -> None:
        self._fence: Callable[[], object] | None = fence

    def extract(self, windows: Any, predicates: Any) -> Any:
        found = super().extract(windows, predicates)
        if self._fence is not None:
            fence, self._fence = self._fence, None
            fence()
        return found


def test_an_answer_that_was_drawn_before_a_fence_is_thrown_away(world: World) -> None:
    world.read(message("Дмитрий", MARCH, "Я живу в Москве, предпочитаю Postgres"))

    def fence() -> None:
        world.fence(world.person("Дмитрий"), tags=["location"])

    with world.pipeline(_FencesMeanwhile(fence)) as pipeline:
        assert pipeline.extract().n_extracted == 2
    assert [name for name, _ in world.atoms()] == ["preference"]


def test_an_export_that_is_written_while_its_snapshot_is_fenced_is_not_left_behind(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell(message("Дмитрий", MARCH, "Я живу в Москве", message_id="1"))
    world.embed()
    path = world.folder / "packed.md"
    fsync = os.fsync

    def fence_then_sync(descriptor: int) -> None:
        monkeypatch.undo()
        world.hide("snapshot", packed.id, None, "hide")
        fsync(descriptor)

    with world.memory() as memory:
        packed = memory.context("chat", "Где он?", 500)
        monkeypatch.setattr(os, "fsync", fence_then_sync)
        with pytest.raises(LookupError, match="erased"):
            memory.export(packed, "Москва", path)
        with pytest.raises(LookupError):
            memory.export(packed, "Москва", path)
    assert [p.name for p in world.folder.iterdir() if "packed" in p.name] == []


def test_a_context_that_was_gathered_before_a_fence_is_packed_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell(
        message("Дмитрий", MARCH, "Я живу в Москве", message_id="1"),
        message("Дмитрий", MARCH, "Я предпочитаю Postgres", message_id="2"),
    )
    world.embed()
    ((message_id, audience_id),) = world.rows(
        "select m.message_id, m.audience_id from memory.message as m join memory.message_content"
        " as c using (message_id) where m.tenant_id = %(tenant)s and c.native_id = '1'"
    )
    pack, fenced = packing.pack, []

    def fence_then_pack(*positional: Any, **named: Any) -> Any:
        if not fenced:
            fenced.append(world.hide("message", message_id, audience_id, "redact"))
        return pack(*positional, **named)

    monkeypatch.setattr(packing, "pack", fence_then_pack)
    with world.memory() as memory:
        packed = memory.context("chat", "Где он?", 500)
    assert str(message_id) not in {item.id for item in packed.items}
    kept = world.rows("select snapshot_id::text from memory.snapshot where tenant_id = %(tenant)s")
    assert kept == [(packed.id,)]


def test_a_human_cannot_confirm_what_is_fenced_while_she_reads_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.tell(message("Дмитрий", MARCH, "Я живу в Москве", message_id="1"))
    ((atom_id, audience_id),) = world.rows(
        "select atom_id, audience_id from memory.atom where tenant_id = %(tenant)s"
    )
    read = memory_module.target

    def read_then_fence(reader: Any, at: UUID) -> Any:
        found = read(reader, at)
        monkeypatch.undo()
        world.hide("atom", atom_id, audience_id, "erase")
        return found

    monkeypatch.setattr(memory_module, "target", read_then_fence)
    with world.memory() as memory, pytest.raises(UnknownAtom):
        memory.confirm(atom_id)
    assert world.rows("select count(*) from memory.atom where tenant_id = %(tenant)s") == [(1,)]


# ---------- with the eraser itself


def erase(world: World, selector: Selector, **more: Any) -> None:
    with Eraser(world.services, world.tenant) as eraser:
        request_id = eraser.request(selector, Ground.operator, **more)
        status = eraser.run(request_id)
        if status.n_open_mentions:
            eraser.waive(request_id, "somebody else's")
            status = eraser.run(request_id)
        assert status.state is ErasureState.certified, status


def test_after_an_erasure_every_way_back_in_is_closed_and_later_and_other_facts_are_kept(
    world: World, tmp_path: Path
) -> None:
    lines = [
        message("Дмитрий", "2025-03-04T10:00:00+03:00", "Я живу в Москве"),
        message("Анна", "2025-03-04T10:01:00+03:00", "В Москве красиво"),
        message("Дмитрий", "2025-03-04T10:02:00+03:00", "Я предпочитаю Postgres"),
        message("Дмитрий", "2025-10-10T10:00:00+03:00", "Переезжаю в Казань с 19-го"),
    ]
    other = message("Ольга", "2025-03-05T10:00+03:00", "Я живу в Москве", dialog_id="elsewhere")
    world.tell(*lines)
    world.tell(other)
    before = world.atoms()
    assert ("location", "Москва") in before
    assert ("location", "Казань") in before

    erase(world, Selector(subject="Дмитрий", tags=("location",)))

    ((person,),) = world.rows(
        "select a.subject_id from memory.atom as a join memory.predicate as p using (predicate_id)"
        " where a.tenant_id = %(tenant)s and p.name = 'preference'"
    )
    kept = [("location", "Москва"), ("preference", "Postgres")]
    assert world.atoms() == kept, "Ольга's place, and his preference"
    export = tmp_path / "WhatsApp Chat with Дмитрий.txt"
    export.write_text(
        "04.03.2025, 10:00 - Дмитрий: Я живу в Москве\n"
        "10.10.2025, 10:00 - Дмитрий: Переезжаю в Казань с 19-го\n",
        encoding="utf-8",
    )
    for back_in in (
        lambda: world.tell(*lines),
        lambda: world.tell(*lines[::-1]),
        lambda: world.tell(*[line | {"message_id": uuid4().hex} for line in lines]),
        lambda: world.tell(*[line | {"dialog_id": "copy"} for line in lines]),
        lambda: world.tell_file(export),
        lambda: _extract_as(world, _Newer()),
        lambda: _extract_as(world, _Blind()),
        lambda: _extract_as(world, LocalExtractor()),
    ):
        back_in()
        said = "".join(text for text in world.texts() if text != other["text"])
        assert "Москв" not in said
        assert "Казан" not in said
        # copies under other ids say again what is not erased, and nothing else
        assert set(world.atoms()) <= set(kept)
    assert set(world.atoms()) == set(kept)
    with world.memory() as memory:
        for moment in ("2025-04-01", "2025-11-01"):
            found = memory.as_of(entity_id=person, predicate="location", valid_at=moment)
            assert [answer.status.value for answer in found.answers] == ["erased"]
    world.tell(message("Дмитрий", datetime.now(UTC).isoformat(), "Я живу в Самаре"))
    assert ("location", "Самара") in world.atoms(), "told later"


def _extract_as(world: World, extractor: LocalExtractor) -> None:
    with world.pipeline(extractor) as pipeline:
        pipeline.extract()


# ---------- the ledger outside the database


def test_a_restored_database_lacks_what_the_ledger_has_until_it_is_replayed(
    world: World, database: str, tmp_path: Path
) -> None:
    """The fresh database stands for one that was restored from before."""
    suppression_id = forgotten_location(world)
    cancelled = world.fence(world.person("Анна"))
    folder = tmp_path / "home"
    folder.mkdir()
    with psycopg.connect(world.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        assert replay.record(eraser, folder) >= 2
        assert replay.record(eraser, folder) == 0
        eraser.execute(
            "update memory.erasure_request set state = 'cancelled' where request_id ="
            " (select request_id from memory.suppression where suppression_id = %s)",
            (cancelled,),
        )
        assert replay.record(eraser, folder) == 1
        assert replay.missing(eraser, folder) == []
    content = (folder / replay.NAME).read_text(encoding="utf-8")
    assert (folder / replay.NAME).stat().st_mode & 0o777 == 0o600
    assert not {"Дмитрий", "Моск", "Анна"} & set(content.split('"'))

    name = psycopg.conninfo.conninfo_to_dict(database)["dbname"]
    with (
        psycopg.connect(database, autocommit=True) as owner,
        psycopg.connect(
            world.services.pg_dsn("mem_eraser", str(name)), autocommit=True
        ) as restored,
    ):
        lacking = {entry.suppression_id for entry in replay.missing(restored, folder)}
        assert suppression_id in lacking
        assert cancelled not in lacking

        requests = replay.replay(owner, restored, folder)

        assert world.tenant in {tenant for tenant, _ in requests}
        assert len({request_id for _, request_id in requests}) == len(lacking)
        states = restored.execute("select distinct state::text from memory.erasure_request")
        assert states.fetchall() == [("received",)]
        assert len(replay.missing(restored, folder)) == len(lacking), "what it forgot still stands"
        assert replay.replay(owner, restored, folder) == requests, "a run that died goes on"
        restored.execute("update memory.erasure_request set state = 'keys_destroyed'")
        assert replay.missing(restored, folder) == []
        loaded = Suppressions.load(restored, world.keys, world.tenant_id)
        with psycopg.connect(world.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
            first = Suppressions.load(eraser, world.keys, world.tenant_id)
        assert loaded.scopes == first.scopes
        assert loaded.epoch > 0


def test_a_ledger_that_was_changed_is_refused_and_a_torn_last_line_is_written_again(
    world: World, tmp_path: Path
) -> None:
    forgotten_location(world)
    path = tmp_path / replay.NAME
    with psycopg.connect(world.services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
        replay.record(eraser, tmp_path)
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        assert replay.record(eraser, tmp_path) == 1
        assert path.read_bytes() == whole
        path.write_bytes(whole.replace(b'"stops_learning":false', b'"stops_learning":true ', 1))
        with pytest.raises(replay.BrokenLedger):
            replay.missing(eraser, tmp_path)


def test_a_home_whose_database_lacks_an_erasure_is_not_opened(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    forgotten_location(world)
    ready(world.services.home.path)
    monkeypatch.setattr(installation, "missing", lambda *_: [object()])
    with pytest.raises(replay.NotReplayed, match="erase replay"):
        ready(world.services.home.path)
    assert ready(world.services.home.path, to_replay=True)
