"""Orders that are to last: "do not schedule anything on Fridays", "always send invoices as PDF", «никому не
давайте мой адрес», «не звони мне до девяти».

An order without "never" or "always" may be for this once. It counts as lasting where it names something
that comes again: a day of the week, a time of day, whoever, whatever, what is mine.
"""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Table, construction
from memory_pipeline.understand.extraction.frames import Scene, Who
from memory_pipeline.understand.extraction.phrases import sentence_case
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import parses
from memory_pipeline.understand.word_blocks import words

_BEGIN_EN = r"(?:^|[.!;:]\s*|,\s*(?:and|but)\s+)(?:please,?\s+|seriously,?\s+|just\s+|and\s+)*"
_SERVE_EN = (
    r"(?:call|text|email|e-mail|phone|ring|contact|book|schedule|send|use|put|share|suggest|recommend|add|show|deploy|push|merge|cc|include|"
    r"order|offer|serve|post|publish|mention|write|reply|answer|ship|delete|store|log|page|charge|invoice|format|translate|plan|set up|address|disclose)"
)
_LASTS_EN = (
    r"(?:\bon\s+(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\bon (?:weekends|holidays)\b|\b(?:before|after|past|until)\s+\d{1,2}\b|\b(?:before|after) (?:noon|lunch|dark|work|hours)\b"
    r"|\bany(?:thing|one|body|where|more)\b|\bevery\b|\bmy\s+(?:\w+\s+)?(?:e-?mail|address|phone|number|name|photo|data|calendar|account|card)s?\b|\bwithout (?:asking|my|checking)\b|\bby (?:phone|e-?mail|sms|text)\b|\bin (?:the )?(?:mornings?|evenings?|afternoons?)\b)"
)
_ONCE_EN = re.compile(
    r"\b(?:today|now|yet|tonight|tomorrow|this (?:time|week|morning|evening)|it|that|him|her|them)\b"
)
_MOST_WORDS = 14


def whole_order(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """An English order as it is said, to the end of its clause."""
    end = re.compile(r"[.;!?()]|,\s(?:it|i|that|this|please|thanks|because|since)\b").search(sentence.low, start, stop)  # fmt: skip
    last = end.start() if end else stop
    said = sentence_case(sentence.text[start:last])
    if 3 <= len(said.split()) <= _MOST_WORDS and not _ONCE_EN.search(sentence.low, start, last):
        yield said, start, last


_SERVE_RU = frozenset(
    words(
        "звонить писать бронировать ставить назначать присылать слать отправлять использовать предлагать советовать рекомендовать "
        "давать передавать показывать добавлять заказывать упоминать отвечать включать сообщать публиковать выкладывать планировать "
        "обращаться называть оформлять списывать удалять хранить дарить привозить"
    )
)
_LASTS_RU = re.compile(
    r"\b(?:никому|никогда|ничего|никаких|никакой|нигде|никуда|всегда|больше|по\s+(?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|выходным|будням|утрам|вечерам|ночам|телефону|почте)"
    r"|(?:до|после|раньше|позже)\s+(?:\d{1,2}|обеда|девяти|десяти|восьми|семи|шести|одиннадцати|полудня)|на (?:рабочую|личную|домашнюю) почту|мо[йяюеи]\s+(?:[а-я]+\s+)?(?:адрес|телефон|номер|имя|фото|почт\w+|данные)"
    r"|без (?:моего|предупреждения|спроса|согласия))\b"
)
_ONCE_RU = re.compile(
    r"\b(?:сегодня|сейчас|пока|завтра|ему|ей|им|его|её|ее|их|это|этого|туда|сюда|так|такое)\b"
)
_LEAD_RU = re.compile(r"(?:пожалуйста|плиз|прошу|и|а|только|ну)[,\s]+", re.IGNORECASE)


def whole_order_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A Russian order as it is said, where it is one to somebody who serves, and is to last."""
    clause = sentence.clause_at(start)
    begin = clause.start
    while (lead := _LEAD_RU.match(sentence.text, begin, clause.end)) is not None:
        begin = lead.end()
    low = sentence.low[begin : clause.end]
    said = sentence_case(sentence.text[begin : clause.end].rstrip(" .!"))
    if not 3 <= len(said.split()) <= _MOST_WORDS or low.rstrip().endswith("?"):
        return
    if _ONCE_RU.search(low) or not _LASTS_RU.search(low):
        return
    if any(_is_order(word) for word in low.split()):
        yield said, begin, clause.end


def _is_order(word: str) -> bool:
    return any(
        parse.tag.POS == "VERB" and parse.tag.mood == "impr" and parse.normal_form in _SERVE_RU
        for parse in parses(word.strip(".,!;:"))
    )


ORDERS_EN = Table(
    [
        construction(
            "requirement", "don't don dont do", rf"{_BEGIN_EN}(?P<o>(?:don't|do not)\s+{_SERVE_EN}\b(?=[^.!?;]*{_LASTS_EN})[^.!?;]*)", whole_order, who=Who.first, dated=False, negatable=False, confidence=0.7),
        construction(
            "requirement", "always", rf"{_BEGIN_EN}(?P<o>always\s+{_SERVE_EN}\b[^.!?;]*)", whole_order, who=Who.first, dated=False, negatable=False, confidence=0.7),
    ]
)  # fmt: skip
ORDERS_RU = Table(
    [
        construction(
            "requirement", "не никому никогда всегда", r"(?:^|[.!;:]\s*|,\s*)(?:пожалуйста,?\s+|прошу,?\s+|и\s+|а\s+)*(?:никому\s+|никогда\s+|больше\s+|нигде\s+)*(?:не|всегда)\s+[а-я]{3,}(?:и|й|ь|йте|ите|ьте)\b", whole_order_ru, who=Who.first, dated=False, negatable=False, confidence=0.7),
    ]
)  # fmt: skip
