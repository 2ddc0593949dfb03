"""The constructions of both languages, looked up together."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.chat_en import CHAT_EN
from memory_pipeline.understand.extraction.constructions.chat_ru import CHAT_RU
from memory_pipeline.understand.extraction.constructions.ellipsis import (
    ELLIPSIS_EN,
    ELLIPSIS_RU,
)
from memory_pipeline.understand.extraction.constructions.en_life import LIFE_EN
from memory_pipeline.understand.extraction.constructions.en_taste import TASTE_EN
from memory_pipeline.understand.extraction.constructions.engine import merged
from memory_pipeline.understand.extraction.constructions.ru_life import LIFE_RU
from memory_pipeline.understand.extraction.constructions.ru_taste import TASTE_RU
from memory_pipeline.understand.extraction.constructions.ru_work import WORK_RU
from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.sentences import Sentence

_RU = merged(LIFE_RU, WORK_RU, TASTE_RU, ELLIPSIS_RU, CHAT_RU)
_EN = merged(LIFE_EN, TASTE_EN, ELLIPSIS_EN, CHAT_EN)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What the constructions of the sentence's language find."""
    return (_RU if sentence.lang == "ru" else _EN).find(sentence, scene)
