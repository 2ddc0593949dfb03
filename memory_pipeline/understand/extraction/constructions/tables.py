"""The constructions of both languages, looked up together."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.conflicts import goes_on, told_already
from memory_pipeline.understand.extraction.constructions import (
    copulas_ru,
    cues_ru,
    fragments_ru,
    named_programs,
    wishes_ru,
)
from memory_pipeline.understand.extraction.constructions.body_en import BODY_EN
from memory_pipeline.understand.extraction.constructions.chat_en import CHAT_EN
from memory_pipeline.understand.extraction.constructions.chat_ru import CHAT_RU
from memory_pipeline.understand.extraction.constructions.clause_frames_ru import LIFE_FRAMES
from memory_pipeline.understand.extraction.constructions.clauses_en import Clauses
from memory_pipeline.understand.extraction.constructions.clauses_ru import Frames
from memory_pipeline.understand.extraction.constructions.ellipsis import (
    ELLIPSIS_EN,
    ELLIPSIS_RU,
)
from memory_pipeline.understand.extraction.constructions.en_life import LIFE_EN
from memory_pipeline.understand.extraction.constructions.en_taste import TASTE_EN
from memory_pipeline.understand.extraction.constructions.engine import merged
from memory_pipeline.understand.extraction.constructions.everyday_en import EVERYDAY_EN
from memory_pipeline.understand.extraction.constructions.family_en import FAMILY_EN
from memory_pipeline.understand.extraction.constructions.limits_en import LIMITS_EN
from memory_pipeline.understand.extraction.constructions.nominal_ru import NOMINAL_RU
from memory_pipeline.understand.extraction.constructions.roundabout_en import ROUNDABOUT_EN
from memory_pipeline.understand.extraction.constructions.roundabout_ru import (
    ROUNDABOUT_RU,
    introduced,
)
from memory_pipeline.understand.extraction.constructions.ru_life import LIFE_RU
from memory_pipeline.understand.extraction.constructions.ru_taste import TASTE_RU
from memory_pipeline.understand.extraction.constructions.ru_work import WORK_RU
from memory_pipeline.understand.extraction.constructions.standing_orders import ORDERS_EN, ORDERS_RU
from memory_pipeline.understand.extraction.constructions.taste_frames_ru import TASTE_FRAMES
from memory_pipeline.understand.extraction.constructions.wants_en import WANTS_EN
from memory_pipeline.understand.extraction.constructions.work_en import WORK_EN
from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.sentences import Sentence

_RU = merged(LIFE_RU, WORK_RU, TASTE_RU, ELLIPSIS_RU, CHAT_RU, ORDERS_RU)
_NOMINAL_RU = merged(NOMINAL_RU)
_ROUNDABOUT_RU = merged(ROUNDABOUT_RU)
_FRAMES_RU = Frames(LIFE_FRAMES, TASTE_FRAMES)
_EN = merged(LIFE_EN, TASTE_EN, ELLIPSIS_EN, CHAT_EN, ORDERS_EN)
_CLAUSES_EN = Clauses(
    [*BODY_EN, *WORK_EN, *WANTS_EN, *LIMITS_EN, *FAMILY_EN, *EVERYDAY_EN, *ROUNDABOUT_EN]
)

_MORE_RU = (
    _FRAMES_RU.find,
    copulas_ru.find,
    _NOMINAL_RU.find,
    cues_ru.find,
    wishes_ru.find,
    fragments_ru.find,
    named_programs.find,
    _ROUNDABOUT_RU.find,
    introduced,
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What the constructions of the sentence's language find."""
    if sentence.lang != "ru":
        found_en = list(_EN.find(sentence, scene))
        yield from found_en
        in_clauses = [
            f
            for f in _CLAUSES_EN.find(sentence, scene)
            if not told_already(f, found_en) or goes_on(f, found_en, sentence)
        ]
        yield from in_clauses
        for found in named_programs.find(sentence, scene):
            if not told_already(found, [*found_en, *in_clauses]):
                yield found
        return
    told = list(_RU.find(sentence, scene))
    yield from told
    for find_more in _MORE_RU:
        for found in find_more(sentence, scene):
            if not told_already(found, told):
                told.append(found)
                yield found
