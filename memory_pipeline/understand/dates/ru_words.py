"""Russian words of time: numbers in words with their morphology, months, weekdays, units."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from memory_pipeline.understand import morphology
from memory_pipeline.understand.dates.chart import Context, Node
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.word_blocks import words

_UNITS = words("ноль один два три четыре пять шесть семь восемь девять десять")
_TEENS = words(
    "одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать "
    "восемнадцать девятнадцать"
)
_TENS = words("двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто")
_CARDINALS = {w: n for n, w in enumerate(_UNITS + _TEENS)} | {
    w: 10 * n for n, w in enumerate(_TENS, 2)
}
_CARDINALS |= {"сто": 100, "двести": 200, "тысяча": 1000, "двое": 2, "трое": 3, "оба": 2}
_ORDINALS = {
    w: n
    for n, w in enumerate(
        words(
            "первый второй третий четвёртый пятый шестой седьмой восьмой девятый десятый "
            "одиннадцатый двенадцатый тринадцатый четырнадцатый пятнадцатый шестнадцатый "
            "семнадцатый восемнадцатый девятнадцатый двадцатый"
        ),
        1,
    )
} | {
    "тридцатый": 30,
    "сороковой": 40,
    "пятидесятый": 50,
    "шестидесятый": 60,
    "семидесятый": 70,
    "восьмидесятый": 80,
    "девяностый": 90,
    "сотый": 100,
    "двухтысячный": 2000,
}
_NUMBER_WORD = re.compile(
    r"(?<!\w)(?:один|одн|два|две|двух|двум|двое|двадц|двен|двести|двухтыс|три|трет|трех|трем|трин"
    r"|трид|трое|четв|четыр|пят|шест|сем|седьм|вос|дев|десят|одиннад|сорок|сот|сто|тыс|перв|втор)\w*"
)
_DIGITS = re.compile(r"(?<![\w.,:/-])\d{1,6}(?![\w/]|[.,:]\d)|(?<=[-–—])\d{1,4}(?![\w/]|[.,:]\d)")
_DIGIT_ORDINAL = re.compile(
    r"(?<![\w.,:/])(\d{1,4})-?(?:ого|его|го|ому|ему|му|ое|ее|е|ый|ий|ой|й|ом|ем|м|ая|яя|я|ую|ей|х|ых)"
    r"(?!\w)"
)

MONTHS = (
    r"январ[яьюе]|янв\.?",
    r"феврал[яьюе]|фев\.?|февр\.?",
    r"март[ауе]?|мар\.?",
    r"апрел[яьюе]|апр\.?",
    r"ма[йяюе]",
    r"июн[яьюе]|июн\.?",
    r"июл[яьюе]|июл\.?",
    r"август[ауе]?|авг\.?",
    r"сентябр[яьюе]|сент?\.?",
    r"октябр[яьюе]|окт\.?",
    r"ноябр[яьюе]|ноя\.?|нояб\.?",
    r"декабр[яьюе]|дек\.?",
)
WEEKDAYS = (
    r"понедельник(?:а|у|ом|е)?|пон\.|пн\.?",
    r"вторник(?:а|у|ом|е)?|вт\.?",
    r"сред[ауые]|средой|ср\.?",
    r"четверг(?:а|у|ом|е)?|чт\.?",
    r"пятниц[ауые]|пятницей|пт\.?",
    r"суббот[ауые]|субботой|сб\.?",
    r"воскресень[еяю]|воскресеньем|воскресенья|вск\.?|вс\.?",
)
WEEKDAYS_COUNTED = (
    r"понедельник(?:а|ов)",
    r"вторник(?:а|ов)",
    r"сред[ыу]?",
    r"четверг(?:а|ов)",
    r"пятниц[ыу]?",
    r"суббот[ыу]?",
    r"воскресени?[ьй][яе]?",
)
UNITS: tuple[tuple[str, Grain], ...] = (
    (r"секунд[уыа]?|сек\.?", Grain.second),
    (r"минут[уыа]?|минуток|минутк[уи]|мин\.?", Grain.minute),
    (r"час(?:а|ов|ик)?|ч\.?", Grain.hour),
    (r"день|дня|дней|дню|дне|денек|деньк[аов]+|дн\.?|сут(?:ки|ок)", Grain.day),
    (r"недел(?:я|ю|и|е|ей|ям|ях)|недель|недельк[уи]|нед\.?", Grain.week),
    (r"месяц(?:а|ев|у|е|ы|ем|ам|ах)?|мес\.?", Grain.month),
    (r"квартал(?:а|ов|е|у|ы|ом)?", Grain.quarter),
    (r"год(?:а|у|ик|е|ы|ом)?|лет", Grain.year),
    (r"десятилети[ея]|десятилетий", Grain.decade),
)


@lru_cache(maxsize=65536)
def parses(word: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Normal form and grammemes of each reading of a word, likeliest first."""
    return tuple((p.normal_form, frozenset(p.tag.grammemes)) for p in morphology.parses(word))


@lru_cache(maxsize=4096)
def _number(word: str) -> tuple[Literal["num", "ord"], int] | None:
    for normal, _ in parses(word):
        if normal in _ORDINALS:
            return "ord", _ORDINALS[normal]
        if normal in _CARDINALS:
            return "num", _CARDINALS[normal]
    plain = word.replace("ё", "е")
    for known, value in _ORDINALS.items():
        if known.replace("ё", "е")[:-2] == plain[:-2] or known.replace("ё", "е") == plain:
            return "ord", value
    return None


def _is_somebody(text: str, end: int) -> bool:
    word = _WORD_BEFORE.search(text, max(0, end - 30), end)
    return word is not None and "anim" in parses(word.group(1))[0][1]


_WORD_BEFORE = re.compile(r"(?<!\w)([а-я]+) $")


def find_numbers(context: Context) -> Iterator[Node]:
    """Nodes `num` and `ord` for digits, and for every run of number words that reads as one;
    `ord_of` for an ordinal in the genitive, as days are named, and whether it follows somebody."""
    for match in _DIGITS.finditer(context.text):
        yield Node(match.start(), match.end(), "num", int(match.group()))
    for match in _DIGIT_ORDINAL.finditer(context.text):
        yield Node(match.start(), match.end(), "ord", int(match.group(1)))
    words = [
        (m.start(), m.end(), found)
        for m in _NUMBER_WORD.finditer(context.text)
        if (found := _number(m.group())) is not None
    ]
    for i, (start, _, _) in enumerate(words):
        total, at = 0, start
        room = 10_000
        for begin, end, (kind, value) in words[i:]:
            if begin != start and context.text[at:begin] != " ":
                break
            if value == 1000 and 0 < total < 100:
                total, room = total * 1000, 1000
            elif value < room and (total == 0 or value < 10 or room > 100 or value < 100):
                total += value
                room = 1 if value < 20 else (10 if value < 100 else 100)
            else:
                break
            at = end
            yield Node(start, end, kind, total)
            if kind == "ord":
                if context.text.endswith(("ого", "его"), start, end):
                    yield Node(start, end, "ord_of", (total, _is_somebody(context.text, start)))
                break
