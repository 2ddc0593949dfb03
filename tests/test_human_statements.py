"""What a human states, corrects, takes back and confirms, and that no machine undoes it."""

import uuid
from pathlib import Path

import psycopg
import pytest

from memory_pipeline.bitemporal.human import UnknownAtom
from memory_pipeline.bitemporal.reading import UnknownPredicate, UnknownSubject
from memory_pipeline.governance.access import grant
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.understand.extraction.local import LocalExtractor
from tests.scenario import Scenario, message, objects

MOSCOW = message("Анна", "2025-03-01T10:00+03:00", "Я живу в Москве")
KAZAN = message("Анна", "2025-10-10T10:00+03:00", "Переезжаю в Казань с 19-го")
TULA = message("Анна", "2026-02-01T10:00+03:00", "Я переехала в Тулу")


class Renamed(LocalExtractor):
    """The same extractor under another version."""

    version = "1-renamed"


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def scenario(started: Services, tmp_path: Path) -> Scenario:
    return Scenario(started, tmp_path)


def atom(memory: Memory, predicate: str = "location", **moments: str) -> str:
    (answer,) = memory.as_of("Анна", predicate=predicate, **moments).answers
    return answer.atom_id


def read_again(scenario: Scenario) -> None:
    """Everything that a machine may do to the store: another version, and an export anew."""
    for extractor in (Renamed(), None):
        with scenario.pipeline(extractor) as pipeline:
            pipeline.extract()
    scenario.tell(KAZAN, MOSCOW)


def test_a_correction_stands_against_every_later_extraction(scenario: Scenario) -> None:
    scenario.tell(MOSCOW, KAZAN)
    with scenario.memory() as memory:
        memory.correct(atom(memory, valid_at="2025-06-01"), "Тверь", "паспорт видел")
        for _ in range(2):
            assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Тверь"]
            assert objects(memory, "Анна", "location", valid_at="2025-12-01") == ["Казань"]
            assert objects(
                memory, "Анна", "location", valid_at="2025-06-01", known_at="2025-07-01"
            ) == ["Москва"]
            read_again(scenario)


def test_a_retraction_leaves_nothing_and_stands(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    with scenario.memory() as memory:
        memory.retract(atom(memory), "перепутали")
        assert objects(memory, "Анна", "location") == []
        read_again(scenario)
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == []
        assert objects(memory, "Анна", "location", valid_at="2025-12-01") == ["Казань"]


def test_a_confirmation_is_a_support_that_changes_no_period(scenario: Scenario) -> None:
    scenario.tell(MOSCOW, KAZAN)
    with scenario.memory() as memory:
        memory.confirm(atom(memory, valid_at="2025-06-01"), "звонил")
        (held,) = memory.as_of("Анна", predicate="location", valid_at="2025-06-01").answers
        assert (held.object, len(held.supports)) == ("Москва", 1)
        assert held.valid_to is not None
        assert held.valid_to.date().isoformat() == "2025-10-19"
        assert objects(memory, "Анна", "location", valid_at="2025-12-01") == ["Казань"]


def test_a_past_place_told_without_dates_takes_nothing_also_when_confirmed_or_corrected(
    scenario: Scenario,
) -> None:
    scenario.tell(
        message("Анна", "2026-01-05T10:00+03:00", "Живу в Самаре"),
        message("Анна", "2026-04-01T10:00+03:00", "Раньше жила в Твери"),
    )
    with scenario.memory() as memory:

        def places() -> list[list[str]]:
            return [
                objects(memory, "Анна", "location", valid_at=moment)
                for moment in ("2025-12-01", "2026-02-01", "2026-05-01")
            ]

        assert places() == [["Тверь"], ["Самара"], ["Самара"]]
        memory.confirm(atom(memory, valid_at="2025-12-01"))
        assert places() == [["Тверь"], ["Самара"], ["Самара"]]
        memory.correct(atom(memory, valid_at="2025-12-01"), "Пермь")
        assert places() == [["Пермь"], ["Самара"], ["Самара"]]


def test_a_confirmed_value_yields_to_the_persons_own_later_move(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    with scenario.memory() as memory:
        memory.confirm(atom(memory))
        scenario.tell(TULA)
        assert objects(memory, "Анна", "location", valid_at="2026-03-01") == ["Тула"]
        assert objects(memory, "Анна", "location", valid_at="2025-12-01") == ["Москва"]


def test_what_a_human_adds_holds_from_its_date_with_author_and_reason(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    with scenario.memory() as memory:
        made = memory.remember(
            "анна", "employer", "Сбер", valid_from="2025-04-01", reason="договор"
        )
        (held,) = memory.as_of("Анна", predicate="employer").answers
        assert (held.object, held.atom_id) == ("Сбер", str(made))
        assert held.valid_from is not None
        assert held.valid_from.isoformat() == "2025-04-01T00:00:00+03:00"
        assert objects(memory, "Анна", "employer", valid_at="2025-03-31") == []
        shown = memory.show(made)["atom"]
        assert (shown["author"], shown["origin"], shown["trust"], shown["reason"]) == (
            "operator",
            "human",
            4,
            "договор",
        )
        memory.remember("Пётр Новый", "location", "Омск")
        assert objects(memory, "пётр новый", "location") == ["Омск"]


def test_what_cannot_be_stated_is_refused_in_words(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    with scenario.memory() as memory:
        with pytest.raises(UnknownPredicate, match="no_such"):
            memory.remember("Анна", "no_such", "x")
        with pytest.raises(ValueError, match="end must lie after"):
            memory.remember(
                "Анна", "location", "Омск", valid_from="2025-05-02", valid_to="2025-05-01"
            )
        with pytest.raises(ValueError, match="scalar"):
            memory.remember("Анна", "location", ["Омск"])
        with pytest.raises(UnknownAtom):
            memory.retract("00000000-0000-0000-0000-000000000000")


@pytest.mark.parametrize(
    ("predicate", "misfit", "fit"),
    [
        ("birth_date", "next spring", "1990-03-08"),
        ("birth_date", "1990-02-30", "1990-02-28"),
        ("age", "almost forty", "39"),
        ("budget_limit", "a lot", "350 000 RUB"),
        ("phone", "ask Bob", "+7 (495) 123-45-67"),
        ("email", "ana at mail", "ana@mail.example"),
        ("location", "1234", "Омск"),
    ],
)
def test_a_human_states_and_corrects_in_the_shape_of_the_predicates_type(
    scenario: Scenario, predicate: str, misfit: str, fit: str
) -> None:
    with scenario.memory() as memory:
        made = memory.remember("Анна", predicate, fit)
        for state in (
            lambda: memory.remember("Анна", predicate, misfit),
            lambda: memory.correct(made, misfit),
        ):
            with pytest.raises(ValueError, match=f"the object of {predicate} is .*, as in") as no:
                state()
            assert misfit not in str(no.value)
        assert objects(memory, "Анна", predicate) == [fit]


def test_a_login_states_for_no_audience_that_it_may_not_read(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    login = scenario.reader(f"{scenario.tenant}_r", "team")
    with scenario.memory(login) as memory:
        memory.remember("Анна", "employer", "Сбер", audiences=["team"])
        with pytest.raises(PermissionError, match="may not read"):
            memory.remember("Анна", "employer", "Озон", audiences=["board"])


def test_a_denial_is_confirmed_and_taken_back_as_a_denial(scenario: Scenario) -> None:
    scenario.tell(MOSCOW, message("Анна", "2025-05-01T10:00+03:00", "Я не живу в Москве"))
    ((denial,),) = scenario.rows(
        "select atom_id from memory.atom where tenant_id = %(tenant)s and polarity = 'denied'"
    )
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == []
        memory.confirm(denial)
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == []
        memory.retract(denial)
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Москва"]


def test_a_human_cannot_state_a_secret_and_is_told_so_without_it(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    with scenario.memory() as memory:
        at = atom(memory)
        for state in (
            lambda: memory.remember("Анна", "preference", "карта 4111 1111 1111 1111"),
            lambda: memory.correct(at, "пароль: Qwerty99!"),
            lambda: memory.retract(at, "card 4111 1111 1111 1111"),
            lambda: memory.confirm(at, "карта 4111 1111 1111 1111"),
        ):
            with pytest.raises(ValueError, match="secret") as refused:
                state()
            assert "4111 1111" not in str(refused.value)
            assert "Qwerty" not in str(refused.value)
        with pytest.raises(ValueError, match="empty"):
            memory.remember("Анна", "location", " ")
        assert objects(memory, "Анна", "location") == ["Москва"]


def test_a_login_without_all_audiences_reads_and_does_not_state(scenario: Scenario) -> None:
    scenario.tell(MOSCOW)
    login = f"reader_{uuid.uuid4().hex[:8]}"
    scenario.services.add_login(login)
    with psycopg.connect(scenario.services.pg_url, autocommit=True) as owner:
        grant(owner, login, scenario.tenant, "team")
    with Memory(scenario.services, login=login, tenant=scenario.tenant) as memory:
        at = atom(memory)
        for state in (
            lambda: memory.remember("Анна", "location", "Париж"),
            lambda: memory.correct(at, "Париж"),
            lambda: memory.retract(at),
            lambda: memory.confirm(at),
        ):
            with pytest.raises(PermissionError):
                state()
        assert objects(memory, "Анна", "location") == ["Москва"]


def test_an_atom_shows_where_it_holds_and_that_a_retracted_one_holds_nowhere(
    scenario: Scenario,
) -> None:
    scenario.tell(MOSCOW, KAZAN)
    with scenario.memory() as memory:
        moscow = atom(memory, valid_at="2025-06-01")
        ((start, end),) = memory.show(moscow)["holds"]
        assert start.startswith("2025-03-01")
        assert end == "2025-10-19T00:00:00+03:00"
        memory.retract(moscow)
        assert memory.show(moscow)["holds"] == []


def test_what_is_said_for_all_of_a_privately_known_person_makes_that_one_known_to_nobody(
    scenario: Scenario,
) -> None:
    secret = message("Ева", "2025-03-01T10:00+03:00", "Я живу в Туле", audience=["board"])
    scenario.tell(MOSCOW, secret)
    public = scenario.reader(f"{scenario.tenant}_p", "public")
    with scenario.memory() as memory, scenario.memory(public) as reader:
        private = memory.subject("Ева")
        with pytest.raises(ValueError, match="give a name"):
            memory.remember(None, "employer", "Сбер", entity_id=memory._own_entity(private))
        memory.remember("ЕВА", "employer", "Сбер", valid_from="2025-04-01")
        told = reader.as_of("Ева", predicate="employer").answers
        assert [answer.object for answer in told] == ["Сбер"]
        (shown,) = reader.connection.execute(
            "select entity_id, name from memory.name_content where name ilike 'ева'"
        ).fetchall()
        assert shown[0] not in private.entity_ids
        assert shown[1] == "ЕВА", "as it was said for all, not as it stands in the private log"
        assert objects(reader, "Ева", "location") == []
        # who may see both sees one person
        assert objects(memory, "Ева", "location") == ["Тула"]
        assert objects(memory, "Ева", "employer") == ["Сбер"]
        assert reader.connection.execute(
            "select count(*) from memory.same_as as j"
            " join memory.entity as e on e.entity_id in (j.left_id, j.right_id)"
            " where e.entity_id = %s",
            (shown[0],),
        ).fetchone() == (0,)
        # said again, it is said of the one that all know
        memory.remember("Ева", "employer", "Озон", valid_from="2025-06-01")
        assert objects(reader, "Ева", "employer") == ["Озон"]


def test_a_person_says_who_is_one_and_takes_it_back(scenario: Scenario) -> None:
    scenario.tell(
        MOSCOW,
        message("Аня", "2025-05-01T10:00+03:00", "Я переехала в Тверь", dialog_id="other"),
    )
    with scenario.memory() as memory:
        anna, anya = memory.subject("Анна"), memory.subject("Аня")
        speakers = [memory._own_entity(subject) for subject in (anna, anya)]
        memory.join(*speakers, reason="один паспорт")
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Тверь"]
        assert objects(memory, "Аня", "location", valid_at="2025-04-01") == ["Москва"]
        memory.join(*speakers, is_same=False)
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Москва"]
        assert objects(memory, "Аня", "location", valid_at="2025-04-01") == []
        with pytest.raises(ValueError, match="two"):
            memory.join(speakers[0], speakers[0])
        with pytest.raises(UnknownSubject):
            memory.join(speakers[0], uuid.uuid4())
    login = scenario.reader(f"{scenario.tenant}_r", "team")
    with scenario.memory(login) as memory:
        with pytest.raises(PermissionError):
            memory.join(*speakers)
        memory.join(*speakers, audiences=["team"])
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Тверь"]
    with scenario.memory() as memory:
        assert objects(memory, "Анна", "location", valid_at="2025-06-01") == ["Тверь"]
