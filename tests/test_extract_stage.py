"""The extraction stage: order, versions and edits change what is stored, and never the answers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import Extraction, ImportanceLabel, Window
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.importance import LocalImportance
from memory_pipeline.understand.interface import ExtractionFailure, LabelFailure, Vectors
from tests.scenario import (
    STORY,
    Message,
    Scenario,
    facts,
    message,
    objects,
    split,
    story_answers,
)

STANDING_ATOMS = """
    select p.name, c.object #>> '{}', a.polarity, a.valid_from, a.valid_to, a.told_at, a.trust,
        a.is_own, a.span_start, a.span_end
    from memory.atom as a
    join memory.atom_content as c using (atom_id, subject_id)
    join memory.predicate as p using (predicate_id)
    where a.tenant_id = %(tenant)s and not exists (
        select from memory.withdrawal as w where w.statement_id = a.atom_id)
    order by 1, 2, 3, 4, 5, 6, 9
"""


class Fewer(LocalExtractor):
    """Another version, which finds no locations."""

    version = "1-fewer"

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        return super().extract(windows, [p for p in predicates if p.name != "location"])


@dataclass
class Failing(LocalExtractor):
    """Another version, which gives no answer to a text until it is `mended`."""

    text: str
    retryable: bool = True
    mended: bool = False
    version: str = "1-failing"

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        failure = ExtractionFailure(
            "timeout", "no answer in time; it is asked again", self.retryable
        )
        return [
            failure if window.messages[-1].text == self.text and not self.mended else answer
            for window, answer in zip(windows, super().extract(windows, predicates), strict=True)
        ]


@dataclass
class Interrupted(LocalExtractor):
    """Reads on while a contradicting copy of a message arrives."""

    scenario: Scenario
    arriving: list[Message] = field(default_factory=list)
    version: str = "1-interrupted"

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        while self.arriving:
            self.scenario.read(self.arriving.pop())
        return super().extract(windows, predicates)


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def scenario(started: Services, tmp_path: Path) -> Scenario:
    return Scenario(started, tmp_path)


def test_any_order_and_split_of_the_logs_gives_the_same_atoms_and_answers(
    started: Services, tmp_path: Path
) -> None:
    whole = Scenario(started, tmp_path)
    whole.tell(*STORY)
    with whole.memory() as memory:
        expected = story_answers(memory)
    assert objects_of(expected, "Дмитрий", "location") == {"Москва", "Сочи", "Казань"}
    assert objects_of(expected, "Ольга", "location") >= {"Калуга"}

    for seed, is_read_bit_by_bit in ((1, False), (2, True)):
        other = Scenario(started, tmp_path)
        paths = split(tmp_path, STORY, seed)
        with other.pipeline() as pipeline:
            for path in paths:
                pipeline.ingest([path])
                if is_read_bit_by_bit:
                    pipeline.extract()
            pipeline.ingest(paths[:2])
            pipeline.extract()
        with other.memory() as memory:
            assert story_answers(memory) == expected, seed
        assert other.rows(STANDING_ATOMS) == whole.rows(STANDING_ATOMS), seed


def objects_of(
    answers: dict[tuple[str, str, str], list[tuple[str, ...]]], who: str, what: str
) -> set[str]:
    return {
        fact[1] for (name, *_), held in answers.items() for fact in held
        if name == who and fact[0] == what
    }  # fmt: skip


def test_an_extractor_version_changed_and_changed_back_ends_where_it_began(
    scenario: Scenario,
) -> None:
    scenario.tell(*STORY)
    with scenario.memory() as memory:
        first = story_answers(memory)
        atom_id = memory.as_of("Ольга", predicate="job_title").answers[0].atom_id
        memory.correct(atom_id, "хирург", "сама сказала")
        corrected = facts(memory, "Ольга")
        before = datetime.now(UTC)

        with scenario.pipeline(Fewer()) as pipeline:
            report = pipeline.extract()
            assert report.n_withdrawn > 0
            assert pipeline.extract().n_dialogs == 0
        assert objects(memory, "Дмитрий", "location") == []
        assert objects(memory, "Дмитрий", "location", recorded_at=before) == ["Казань"]
        assert objects(memory, "Ольга", "job_title") == ["хирург"]

        with scenario.pipeline() as pipeline:
            report = pipeline.extract()
            assert report.n_extracted == 0, "stored results are used again"
            assert report.n_atoms > 0
        assert facts(memory, "Ольга") == corrected
        again = story_answers(memory)
        assert {k: v for k, v in again.items() if k[0] != "Ольга"} == {
            k: v for k, v in first.items() if k[0] != "Ольга"
        }


def test_nothing_is_done_at_equal_versions_and_one_message_reads_only_its_windows(
    scenario: Scenario,
) -> None:
    lines = [message("Анна", f"2025-03-03T10:{n:02}+03:00", f"Сообщение {n}") for n in range(30)]
    scenario.tell(*lines)
    with scenario.pipeline() as pipeline:
        assert pipeline.extract().n_windows == 0
    scenario.read(message("Анна", "2025-03-03T10:30+03:00", "Я живу в Твери"))
    with scenario.pipeline() as pipeline:
        report = pipeline.extract()
    assert (report.n_windows, report.n_extracted, report.n_atoms) == (31, 1, 1)


def test_an_edit_takes_back_its_own_words_and_not_those_of_another_message(
    scenario: Scenario,
) -> None:
    edit = message("Анна", "2025-05-01T10:00+03:00", "Я живу в Москве", message_id="m2")
    scenario.tell(
        message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве", message_id="m1"),
        edit,
        edit | {"text": "Я живу в Твери", "edited_at": "2025-05-01T11:00+03:00"},
    )
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location", valid_at="2025-04-01") == ["Москва"]
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Тверь"]


def test_the_first_of_an_edited_message_may_be_found_out_late(scenario: Scenario) -> None:
    """Two texts of the unedited message come after the edit was read: only the edit counts."""
    first = message("Анна", "2025-05-01T10:00+03:00", "Я живу в Твери", message_id="m1")
    scenario.tell(
        first,
        first | {"text": "Я живу в Твери, работаю врачом", "edited_at": "2025-05-01T11:00+03:00"},
    )
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location", known_at="2025-05-01T10:30") == ["Тверь"]
        scenario.tell(first | {"text": "Я живу в Туле"})
        assert objects(memory, "Анна", "location", known_at="2025-05-01T10:30") == []
        assert objects(memory, "Анна", "location") == ["Тверь"]
        assert objects(memory, "Анна", "job_title") == ["врач"]


def test_two_passes_at_once_append_nothing_twice(scenario: Scenario) -> None:
    scenario.tell(*STORY)
    with scenario.pipeline(Fewer()) as pipeline:
        pipeline.extract()
    expected = scenario.rows(STANDING_ATOMS)

    def back_and_forth(version: type[LocalExtractor]) -> None:
        with scenario.pipeline(version()) as pipeline:
            pipeline.extract()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(back_and_forth, [LocalExtractor] * 4))
        list(pool.map(back_and_forth, [Fewer] * 4))
    assert scenario.rows(STANDING_ATOMS) == expected


def test_what_was_drawn_from_a_message_withdrawn_meanwhile_is_withdrawn(
    scenario: Scenario,
) -> None:
    said = message("Анна", "2025-05-01T10:00+03:00", "Я живу в Твери", message_id="m1")
    scenario.read(said, message("Анна", "2025-05-01T10:01+03:00", "Я вегетарианка"))
    copy = said | {"text": "Я живу в Туле"}
    with scenario.pipeline(Interrupted(scenario, [copy])) as pipeline:
        pipeline.extract()
        pipeline.extract()
    with scenario.memory() as memory:
        assert [a.predicate for a in memory.as_of("Анна").answers] == ["diet"]


@pytest.mark.parametrize("retryable", [True, False])
def test_a_window_without_answer_lands_in_quarantine_and_takes_nothing_back(
    scenario: Scenario, retryable: bool
) -> None:
    scenario.tell(
        message("Анна", "2025-05-01T10:00+03:00", "Я живу в Твери"),
        message("Анна", "2025-05-01T10:01+03:00", "Я вегетарианка"),
    )
    failing = Failing("Я живу в Твери", retryable)
    with scenario.pipeline(failing) as pipeline:
        report = pipeline.extract()
        assert (report.n_failed, report.n_withdrawn) == (1, 0)
        failing.mended = True
        assert pipeline.extract().n_dialogs == (1 if retryable else 0)
    refused = scenario.rows(
        "select stage, reason, message_id is null from memory.quarantine"
        " where tenant_id = %(tenant)s"
    )
    assert refused == [("extract", "timeout", False)]
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location") == ["Тверь"]


def test_a_mention_joins_a_speaker_only_while_one_speaker_bears_the_label(
    scenario: Scenario,
) -> None:
    about = message("Дмитрий", "2025-05-01T10:00+03:00", "Мою жену зовут Ольга")
    one = message("Ольга", "2025-05-01T10:01+03:00", "Привет", speaker_id="7")
    two = message("Ольга", "2025-05-01T10:02+03:00", "И вам привет", speaker_id="8")
    joins = (
        "select count(*) from memory.same_as as j where j.tenant_id = %(tenant)s"
        " and j.rule = 'mention_label' and not exists ("
        "  select from memory.withdrawal as w where w.statement_id = j.same_as_id)"
    )
    scenario.tell(about, one)
    assert scenario.rows(joins) == [(1,)]
    scenario.tell(two)
    assert scenario.rows(joins) == [(0,)]


@dataclass
class Always(LocalImportance):
    """A version that calls every message the same, and fails on one text."""

    label_as: str
    fails_on: str = ""

    @property
    def version(self) -> str:
        return f"always-{self.label_as}"

    @property
    def embedder(self) -> str:
        return "another embedder"

    @property
    def review_band(self) -> tuple[float, float]:
        return (0.0, 0.5)

    def label(
        self, texts: Sequence[str], vectors: Vectors | None = None
    ) -> list[ImportanceLabel | LabelFailure]:
        assert vectors is None
        return [
            LabelFailure("timeout", "no answer in time; it is asked again", True)
            if text == self.fails_on
            else ImportanceLabel(label=Importance(self.label_as), probability=0.9, author="model")
            for text in texts
        ]


def test_labels_follow_the_active_version_there_and_back(scenario: Scenario) -> None:
    scenario.read(*(message("Анна", "2025-05-01T10:00+03:00", text) for text in ("Раз", "Два")))
    counts = (
        "select l.importance::text, count(*) from memory.message_importance as l"
        " join memory.message as m using (message_id) where m.tenant_id = %(tenant)s group by 1"
    )

    def label(model: Always) -> tuple[int, int]:
        with scenario.pipeline() as pipeline:
            pipeline.importance_model = model
            report = pipeline.label()
        return report.n_labelled, report.n_failed

    assert label(Always("CRITICAL", fails_on="Два")) == (1, 1)
    assert label(Always("CRITICAL")) == (1, 0)
    assert label(Always("CRITICAL")) == (0, 0)
    assert scenario.rows(counts) == [("CRITICAL", 2)]
    assert label(Always("TRIVIAL")) == (2, 0)
    assert scenario.rows(counts) == [("TRIVIAL", 2)]
    assert label(Always("CRITICAL")) == (2, 0)
    assert scenario.rows(counts) == [("CRITICAL", 2)]


def test_a_label_does_not_depend_on_whether_the_vector_was_there_yet(
    started: Services, tmp_path: Path
) -> None:
    said = ("Бюджет не больше 300 тысяч", "Ладно", "We ship on Friday")
    labels = []
    for is_embedded in (False, True):
        scenario = Scenario(started, tmp_path)
        scenario.read(*(message("Анна", "2025-05-01T10:00+03:00", text) for text in said))
        with scenario.pipeline() as pipeline:
            if is_embedded:
                pipeline.embed_messages()
            pipeline.label()
        labels.append(
            scenario.rows(
                "select position, importance::text, author_kind::text, round(probability::numeric, 2)"
                " from memory.label join memory.message using (message_id)"
                " where label.tenant_id = %(tenant)s order by 1"
            )
        )
    assert labels[0] == labels[1]
    assert labels[0][0][1:3] == ("CRITICAL", "model")
