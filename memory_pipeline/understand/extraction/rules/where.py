"""What a sentence says of where somebody is."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.rules.addresses import addresses
from memory_pipeline.understand.extraction.rules.location_en import find_en
from memory_pipeline.understand.extraction.rules.location_ru import find_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import AnyOf

RU_TRIGGER = AnyOf(
    r"жив[уеё]|прожива|обита|нахо[жд]|базиру|зиму|оста[юе]|сижу|сидит|торч|снима|работа|перее|перебир|перебр|релоц|вернул|вернус|верне|возвращ|"
    r"перево|перевел|осел|обоснов|обустро|посел|пересел|буду|будем|будет|еду|едем|едет|лечу|летим|летит|уезж|улета|команди|отпуск|отдых|гощу|гости|"
    r"уехал|съехал|свал|жил|переезд|сейчас|теперь|пока|снова|опять|\bя\b|\bмы\b|он[аи]?\b|не в\b|приземл"
)
EN_TRIGGER = AnyOf(
    r"'s (?:in|at|back|now|still)\b|\b(?:liv(?:e|es|ed|ing)|resid|stay|based|mov(?:e|ed|ing|es)|relocat|work(?:s|ing)?\b|i'm|i am|im|we're|we are|he's|she's|they're|is|are|been|home|left|leaving|returning|transferr|settled|desk|be in|rent|swapped|traded|resident|posting|set up|landed|came back|got back|stuck|camping|crashing)"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001 - a rule's signature
    """`location` and `address` of the sentence."""
    if sentence.lang == "ru":
        if RU_TRIGGER.is_in(sentence.low) or " в " in sentence.low:
            yield from find_ru(sentence)
    elif EN_TRIGGER.is_in(sentence.low):
        yield from find_en(sentence)
    if sentence.has_digit:
        yield from addresses(sentence)
