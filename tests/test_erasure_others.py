"""What other people say of themselves is theirs: an erasure takes nothing of it, whatever they share
with who is erased, and in however many of the same dialogs."""

import random
from pathlib import Path
from typing import Any

import pytest
from scenario import Message, Scenario, message

from memory_pipeline.contracts.erasure import Ground, Selector
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.mentions import find, forms
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.test_erasure_attack import assert_certified, erase, texts

DAY = "2025-03-03T10:{:02}+03:00"
SHARED = (
    message("Лев", DAY.format(0), "Я Лев, живу в Казани", message_id="a"),
    message("Лев", DAY.format(1), "У меня аллергия на орехи", message_id="b"),
    message("Зоя", DAY.format(2), "Я тоже живу в Казани", message_id="c"),
    message("Зоя", DAY.format(3), "У меня аллергия на орехи", message_id="d"),
    message("assistant", DAY.format(4), "Лев, вы в Казани, орехов нельзя", role="assistant",
            message_id="e"),
    message("Зоя", DAY.format(5), "Лев живёт в Казани, у него аллергия на орехи", message_id="f"),
    message("Зоя", DAY.format(6), "В Казань я переехала к Льву", message_id="g"),
)  # fmt: skip


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


def owned(scenario: Scenario) -> dict[str, list[tuple[Any, ...]]]:
    """Every statement's rows, by the speaker it is about, as hashes."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for name, *row in scenario.rows(
        "select n.name, a.atom_id, md5(a::text), md5(c::text), p.name, c.object"
        " from memory.atom as a join memory.atom_content as c using (atom_id, subject_id)"
        " join memory.predicate as p using (predicate_id)"
        " join memory.entity as e on e.entity_id = a.subject_id and e.kind = 'speaker'"
        " join memory.name_content as n on n.entity_id = a.subject_id and n.form = 'label'"
        " where a.tenant_id = %(tenant)s"
        "  and not exists (select from memory.withdrawal as w where w.statement_id = a.atom_id)"
        " order by a.atom_id"
    ):
        found.setdefault(name, []).append(tuple(row))
    return found


@pytest.mark.parametrize(
    "selector",
    [Selector(subject="Лев"), Selector(subject="Лев", tags=("location", "health"))],
    ids=["whole", "tags"],
)
def test_what_another_speaker_says_of_herself_stays_where_it_is_the_same(
    scenario: Scenario, selector: Selector
) -> None:
    scenario.tell(*SHARED)
    before = owned(scenario)
    assert {(p, o) for _, _, _, p, o in before["Зоя"]} >= {
        ("location", "Казань"), ("allergy", "орехи"),
    }  # fmt: skip
    with Eraser(scenario.services, scenario.tenant) as eraser:
        preview = eraser.preview(selector)
    assert_certified(erase(scenario, selector))
    after = owned(scenario)
    assert preview.counts.get("of others", 0) >= 1, "what she says of him, or with his name"
    with_his_name = {row[0] for row in before["Зоя"]} - {row[0] for row in after["Зоя"]}
    assert len(with_his_name) <= 1
    assert with_his_name <= set(preview.item_ids["atom erase"])
    assert [row for row in before["Зоя"] if row[0] not in with_his_name] == after["Зоя"]
    assert "Лев" not in after
    said = texts(scenario)
    assert said[2:4] == ["Я тоже живу в Казани", "У меня аллергия на орехи"]
    others = [said[n] for n in (0, 1, 4, 5, 6)]
    assert not [text for text in others if "Казан" in text or "орех" in text]


def test_another_export_brings_back_hers_alone(scenario: Scenario) -> None:
    scenario.tell(*SHARED)
    assert_certified(erase(scenario, Selector(subject="Лев", tags=("location", "health"))))
    again = [
        line | {"dialog_id": "copy", "message_id": f"copy{n}"} for n, line in enumerate(SHARED)
    ]
    scenario.tell(*again)
    said = texts(scenario)[len(SHARED) :]
    assert said[2:4] == ["Я тоже живу в Казани", "У меня аллергия на орехи"]
    assert not [
        text for n in (0, 1, 4, 5) for text in [said[n]] if "Казан" in text or "орех" in text
    ]
    assert "Лев" not in owned(scenario)


def test_people_who_say_the_same_in_one_dialog_are_erased_one_by_one(scenario: Scenario) -> None:
    draw = random.Random(19)
    people = ("Лев", "Зоя", "Инга", "Пётр")
    says = (
        "Я живу в {}", "Работаю в {}", "У меня аллергия на {}", "Я предпочитаю {}",
    )  # fmt: skip
    values = (("Туле", "Омске"), ("Сбере", "Озоне"), ("орехи", "мёд"), ("чай", "кофе"))
    lines: list[Message] = []
    for n in range(24):
        k = draw.randrange(4)
        lines.append(
            message(draw.choice(people), DAY.format(n), says[k].format(draw.choice(values[k])))
        )
    scenario.tell(*lines)
    for name in ("Инга", "Лев"):
        before = owned(scenario)
        assert_certified(erase(scenario, Selector(subject=name)))
        after = owned(scenario)
        assert name not in after
        del before[name]
        assert after == before


def test_an_erased_sum_and_day_come_back_in_no_other_wording(scenario: Scenario) -> None:
    scenario.tell(
        message("Лев", DAY.format(0), "Мой бюджет 300 000 рублей"),
        message("Лев", DAY.format(1), "Мой день рождения 8 марта 1990 года"),
        message("Зоя", DAY.format(2), "Триста тысяч у Льва, а родился восьмого марта"),
    )
    assert_certified(erase(scenario, Selector(subject="Лев")))
    scenario.tell(message("Инга", DAY.format(3), "Лев, 300к и 8-го марта, верно?"))
    for said in texts(scenario):
        assert not [
            word for word in ("300", "тысяч", "восьм", "март", "8-го") if word in said.lower()
        ]


@pytest.mark.parametrize(
    "selector",
    [Selector(subject="Лев"), Selector(subject="Лев", tags=("location",))],
    ids=["whole", "tags"],
)
def test_who_introduces_himself_by_the_erased_name_speaks_of_nobody_else(
    scenario: Scenario, selector: Selector
) -> None:
    scenario.tell(
        message("Лев", DAY.format(0), "Я Лев, живу в Кинешме.", message_id="a"),
        message("guest", DAY.format(1), "Меня зовут Лев. Живу в Кинешме.", message_id="b"),
        message("guest", DAY.format(2), "Напомню, я живу в Кинешме.", message_id="c"),
        message("Аня", DAY.format(3), "Это Лев. Я живу в Кинешме.", message_id="d"),
        message("Аня", DAY.format(4), "Я тоже живу в Кинешме.", message_id="e"),
    )
    assert_certified(erase(scenario, selector))
    said = texts(scenario)
    assert not [text for text in said[:4] if "Кинешм" in text]
    assert said[4] == "Я тоже живу в Кинешме.", "her own, when she speaks herself"
    assert [row[4] for row in owned(scenario).get("Аня", [])] == ["Кинешма"]
    assert not [row for row in owned(scenario).get("guest", []) if row[3] == "location"]


def test_a_full_name_goes_in_either_order_and_with_a_middle_name(scenario: Scenario) -> None:
    scenario.tell(
        message("Глеб Дубов", DAY.format(0), "Живу в Кинешме.", message_id="a"),
        message("Аня", DAY.format(1), "Дубову Глебу передам.", message_id="b"),
        message("Аня", DAY.format(2), "Глеб Иванович Дубов заболел.", message_id="c"),
    )
    assert_certified(erase(scenario, Selector(subject="Глеб Дубов")))
    assert texts(scenario)[1:] == [
        "██████ █████ передам.",
        "████ ████████ █████ ███████.",
    ]
    scenario.tell(
        message("Аня", DAY.format(5), "Письмо Глеба Ивановича Дубова пришло.", dialog_id="later",
                message_id="f"),
    )  # fmt: skip
    assert texts(scenario)[-1] == "Письмо █████ █████████ ██████ пришло."


@pytest.mark.parametrize(
    ("erased", "hers", "is_kept"),
    [
        ("Живу в Казани", "Мы живём в Казани", True),
        ("Живу в Казани", "Я живу с ним в Казани", False),
        ("Живу в Казани", "Я живу в Казани. Лев тоже.", False),
        ("I live in Leeds", "We live in Leeds", False),
        ("I live in Leeds", "I live in Leeds with him", True),
        ("I live in Leeds", "I live in Leeds. So does Лев", True),
    ],
)
def test_what_another_may_say_of_both_waits_for_a_person(
    scenario: Scenario, erased: str, hers: str, is_kept: bool
) -> None:
    scenario.tell(message("Лев", DAY.format(0), erased), message("Зоя", DAY.format(1), hers))
    with Eraser(scenario.services, scenario.tenant) as eraser:
        asked = eraser.request(Selector(subject="Лев", tags=("location",)), Ground.operator)
        assert eraser.run(asked).n_open_mentions == 1
        assert texts(scenario)[1] == hers
        if is_kept:
            eraser.waive(asked, "her own home")
        else:
            eraser.mask(asked)
        assert_certified(eraser.run(asked))
    assert ("█" in texts(scenario)[1]) is not is_kept
    assert bool(owned(scenario).get("Зоя")) is is_kept


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        ("1990-03-08", "date", "8 мар 1990"),
        ("1990-03-08", "date", "19900308"),
        ("1990-03-08", "date", "1990/03/08"),
        ("1990-03-08", "date", "восьмого марта тысяча девятьсот девяностого"),
        ("1990-03-08", "date", "8 марта девяностого"),
        ("2005-11-30", "date", "тридцатого ноября две тысячи пятого"),
        ("350000 USD", "money", "three hundred and fifty thousand"),
        ("350000 USD", "money", "350_000"),
        ("500000 RUB", "money", "полмиллиона"),
        ("500000 USD", "money", "half a million"),
        ("+7 903 555-01-44", "phone", "8 903 555–01–44"),
        ("+7 903 555-01-44", "phone", "+７９０３５５５０１４４"),
        ("+7 903 555-01-44", "phone", "8(903)555/01/44"),
        ("Казань", "place", "Каза\u0301ни"),
        ("Казань", "place", "Ка\u200bзани"),
        ("пенициллин", "text", "пени\u00adциллина"),
        ("Ёлкина", "name", "Е\u0308лкиной"),
    ],
)
def test_a_value_is_found_in_every_writing(value: str, kind: str, said: str) -> None:
    text = f"да, {said}, верно"
    assert find(forms([(value, kind)]), text) == [(4, 4 + len(said))]
