"""What a caller gives wrongly is told in words, and what a person means is understood."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from scenario import Scenario, message

from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory


@pytest.fixture
def scenario(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


WRONG: dict[str, tuple[Callable[[Memory], Any], str]] = {
    "no hits": (lambda m: m.search("чай", k=0), "k is 0"),
    "fewer than none": (lambda m: m.search("чай", k=-1), "k is -1"),
    "all the hits of the world": (lambda m: m.search("чай", k=10**12), "ask for 1 to"),
    "a zero byte in words": (lambda m: m.search("чай\0"), r"U\+0000 at character 4"),
    "half a pair in words": (lambda m: m.search("\ud83d"), r"U\+D83D"),
    "a zero byte in a name": (lambda m: m.as_of("Зоя\0"), r"the name has U\+0000"),
    "half a pair in a dialog": (lambda m: m.context("\udc00", "?", 400), "dialog's name"),
    "a zero byte in a query": (lambda m: m.context("chat", "a\0", 400), "the query"),
    "no budget": (lambda m: m.context("chat", "чай", 0), "the budget is 0"),
    "a budget beyond all": (lambda m: m.context("chat", "чай", 10**12), "give 1 to"),
    "a value that is no text": (lambda m: m.remember("Зоя", "preference", "\0"), r"U\+0000"),
    "no moment": (lambda m: m.as_of("Зоя", valid_at="вчера"), "is no moment"),
}


def test_wrong_arguments_are_told_in_words_and_days_are_moments(scenario: Scenario) -> None:
    scenario.tell(
        message("Зоя", "2025-03-03T10:00+03:00", "Я живу в Туле"),
        message("Зоя", "2025-04-03T10:00+03:00", "Я живу в Туле", dialog_id="other"),
    )
    with scenario.memory() as memory:
        for ask, told in WRONG.values():
            with pytest.raises(ValueError, match=told):
                ask(memory)
        (answer,) = memory.as_of("Зоя", valid_at=date(2025, 5, 1)).answers
        assert answer.object == "Тула"
        # the person behind both speakers may be asked for by each of its ids
        for entity_id in memory.subject("Зоя").entity_ids:
            assert memory.as_of(entity_id=entity_id).answers[0].object == "Тула"
