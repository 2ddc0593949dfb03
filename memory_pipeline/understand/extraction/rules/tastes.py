"""What a sentence says of tastes, aims and possessions."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.rules.tastes_en import find_en
from memory_pipeline.understand.extraction.rules.tastes_ru import find_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import AnyOf

_TRIGGER = AnyOf(
    r"предпочита|заход[яи]т|тащусь|переношу|бесят|люблю|любим|любит|обожа|нрав|хочется|ненавиж|терпеть|не перевар|не выношу|раздража|бесит|не люблю|не любит|цель|мечта|план|собира|намерен|"
    r"купил|угнал|украл|picked|ditch|велик|приобр|у меня есть|у нас есть|владе|машин|велосипед|дач|мотоцикл|самокат|квартир|продал|беру|лишь бы|"
    r"prefer|love|favou?rite|hate|dislike|can't stand|cannot stand|not a fan|despise|goal|aim|plan|going to|intend|own\b|bought|sold|have a\b|got a|got myself|drive|ride|rather|like\b|enjoy|adore|detest|loathe|allergic to small|not into|fan of|into|obsessed|get about in|wanna|gonna|hoping|want to|хочу|хотим|езжу|вожу"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001 - a rule's signature
    """Tastes, aims and possessions of the sentence."""
    if not _TRIGGER.is_in(sentence.low):
        return
    if sentence.lang == "ru":
        yield from find_ru(sentence)
    else:
        yield from find_en(sentence)
