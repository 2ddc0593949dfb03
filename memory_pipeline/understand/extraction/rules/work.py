"""What a sentence says of work, learning and tools."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Scene
from memory_pipeline.understand.extraction.rules.employers_en import work_en
from memory_pipeline.understand.extraction.rules.employers_ru import work_ru
from memory_pipeline.understand.extraction.rules.learned import learned_en, learned_ru
from memory_pipeline.understand.extraction.rules.tools import tools
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import AnyOf

_TRIGGER = AnyOf(
    r"работ|заявлен|редактир|рисую|монтир|верста|у нас|сижу|оффер|сдела|труж|служу|служит|у меня|\s[—–-]\s|уволи|уволь|сократ|устро|вышел|вышла|выхо[дж]|переш|перехо|взяли|приняли|ушел|ушла|ухожу|должност|повыси|назнач|стал[аи]?\b|"
    r"теперь|\bя\b|он[аи]?\b|[«]|учусь|учит|учил|закончил|окончил|диплом|вуз|универ|говорю|говорит|владе|знаю|знает|умею|умеет|язык|"
    r"польз|использ|пишу|пишем|сижу|сидим|стек|снес|пересел|шар[юи]|разбира|держ[иу]|удалил|редактор|тимлид|"
    r"work|employ|i've been|been [a-z]+ing |everything|\bat\b|made me|drives|drove|notice|freelanc|laid|job|join|hired|quit|left|leav|laid off|fired|resign|promot|i'm|i am|\bim\b|is\b|'s\b|as an?\b|title|role|studied|study|degree|graduat|phd|"
    r"major|mba|diploma|bilingual|ditched|replaced|my \w+ is|speak|fluent|know|good at|skill|use|using|switched|stack|editor|run(?:s|ning)? on|infra|\bci\b|migrat|dropped|gone|moved|start"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001 - a rule's signature
    """Work, education, skills, languages and tools of the sentence."""
    if not _TRIGGER.is_in(sentence.low):
        return
    if sentence.lang == "ru":
        yield from work_ru(sentence)
        yield from learned_ru(sentence)
    else:
        yield from work_en(sentence)
        yield from learned_en(sentence)
    yield from tools(sentence)
