"""What a context gathers of a store: each person's facts by themselves, with who said them."""

from pathlib import Path

import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.contracts.snapshot import Snapshot
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.installation import ready
from tests.scenario import Message, Scenario, message


def packed(home: Path, folder: Path, *said: Message, budget: int = 600) -> Snapshot:
    scenario = Scenario(ready(home), folder)
    scenario.tell(*said)
    with scenario.pipeline() as pipeline:
        pipeline.label()
    with scenario.memory() as memory:
        return memory.context("chat", "Что учесть? What matters?", budget)


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("У меня аллергия на мёд.", "У меня больше нет аллергии на мёд."),
        ("I am allergic to honey.", "I am no longer allergic to honey."),
        ("Я живу в Твери.", "Я живу в Рязани."),
        ("I live in Leeds.", "I live in Oslo."),
    ],
)
def test_what_one_person_says_ends_nothing_of_another(
    home: Path, tmp_path: Path, own: str, others: str
) -> None:
    context = packed(
        home, tmp_path,
        message("Антон", "2025-03-03T10:00+03:00", own),
        message("Белла", "2025-03-03T10:01+03:00", others),
    )  # fmt: skip
    assert not any(item.replaced for item in context.items if own in item.rendered)
    assert any(own in item.rendered for item in context.items)
    assert "не действует" not in context.markdown
    assert "no longer in force" not in context.markdown


def test_an_allergy_stays_critical_when_another_person_lost_hers(
    home: Path, tmp_path: Path
) -> None:
    context = packed(
        home, tmp_path,
        message("Антон", "2025-03-03T10:00+03:00", "У меня аллергия на мёд."),
        message("Белла", "2025-03-03T10:01+03:00", "У меня больше нет аллергии на мёд."),
    )  # fmt: skip
    (allergy,) = [item for item in context.items if item.turn == 1]
    assert (allergy.importance, allergy.score) == (Importance.critical, 1.0)
    assert "У меня аллергия на мёд." in allergy.rendered


def test_a_line_of_memory_says_who_said_it_and_one_sentence_stands_once(
    home: Path, tmp_path: Path
) -> None:
    scenario = Scenario(ready(home), tmp_path)
    scenario.tell(
        message("Антон", "2025-03-01T10:00+03:00", "С 1 марта работаю в Яндексе тимлидом.",
                dialog_id="before"),
        message("Антон", "2025-03-03T10:00+03:00", "Привет!"),
        message("Белла", "2025-03-03T10:01+03:00", "Привет, Антон"),
    )  # fmt: skip
    with scenario.memory() as memory:
        context = memory.context("chat", "Где работает Антон?", 600)
    assert context.markdown.count("работаю в Яндексе тимлидом") == 1
    assert "- Антон: С 1 марта работаю в Яндексе тимлидом." in context.markdown


def test_a_message_of_which_an_erasure_left_nothing_is_not_packed_and_turns_stay(
    home: Path, tmp_path: Path
) -> None:
    scenario = Scenario(ready(home), tmp_path)
    scenario.tell(
        message("Антон", "2025-03-03T10:00+03:00", "Привет!"),
        message("Белла", "2025-03-03T10:01+03:00", "У меня аллергия на мёд!"),
        message("Белла", "2025-03-03T10:02+03:00", "Аллергия на мёд, говорю."),
        message("Антон", "2025-03-03T10:03+03:00", "Мёд убрали, чай готов"),
    )
    with Eraser(scenario.services, scenario.tenant) as eraser:
        status = eraser.run(eraser.request(Selector(subject="Белла"), Ground.operator))
    assert status.state is ErasureState.certified
    with scenario.memory() as memory:
        context = memory.context("chat", "Что учесть?", 600)
    assert [item.turn for item in context.items if item.turn] == [1, 4]
    (last,) = [item for item in context.items if item.turn == 4]
    assert "чай готов" in last.rendered
    assert "Мёд" not in context.markdown
