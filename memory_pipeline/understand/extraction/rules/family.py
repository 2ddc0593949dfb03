"""What a sentence says of family, pets and ages."""

from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.people import relative_kinds
from memory_pipeline.understand.extraction.rules.ages import ages
from memory_pipeline.understand.extraction.rules.births import births
from memory_pipeline.understand.extraction.rules.marriage import marital_en, marital_ru
from memory_pipeline.understand.extraction.rules.pets import PET_EN, PET_STEMS, pets_en, pets_ru
from memory_pipeline.understand.extraction.rules.relatives import relatives
from memory_pipeline.understand.extraction.sentences import STEM, Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import AnyOf

_TRIGGER = AnyOf(
    r"брат|сестр|мам|мать|пап|отец|отц|сын|доч|муж|жен|супруг|бабуш|дедуш|дед\b|тет|дяд|племян|свекр|тещ|тест|внук|внуч|зят|невест|кузен|жених|"
    r"кот|кош|собак|пес\b|пса|щен|попуг|хомяк|кролик|черепах|такс|корги|разве|развод|холост|вдов|распис|помолв|"
    r"\bлет\b|\bмне\b|исполн|стукн|родил|рожд|днюх|днюш|именин|на свет|\bдр\b|"
    r"brother|sister|mom|mum|mother|dad|father|son\b|daughter|husband|wife|cousin|aunt|uncle|grand|niece|nephew|fianc|twin|hubby|"
    r"dog|cat\b|pupp|kitten|pet\b|"
    + PET_EN
    + r"|married|single|divorc|widow|engaged|hitched|knot|separated|years? old|yo\b|y/o|turned|turns|\bi'm \d|\bi am \d|born|dob|bday|birth|i'm \w+ty|aged?\b|\bis \d|goodbye|семь|шесть|пять|год"
)


@lru_cache(maxsize=1)
def _family_stems() -> frozenset[str]:
    """How the words for relatives and pets begin."""
    return PET_STEMS | {kind[:STEM] for kind in relative_kinds() if not kind.isascii()}


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Relatives, pets, marriage, ages and birthdays of the sentence."""
    if (
        not sentence.has_digit
        and sentence.stems.isdisjoint(_family_stems())
        and not _TRIGGER.is_in(sentence.low)
    ):
        return
    everyone = persons(sentence, scene)
    yield from relatives(sentence, everyone, scene)
    yield from births(sentence, everyone)
    if sentence.lang == "ru":
        yield from pets_ru(sentence)
        yield from marital_ru(sentence, everyone, scene)
    else:
        yield from pets_en(sentence, everyone)
        yield from marital_en(sentence)
    yield from ages(sentence, everyone)
