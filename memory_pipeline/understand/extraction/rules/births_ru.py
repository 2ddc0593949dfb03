"""Russian dates of birth as they are said: in words, with a year of two digits, before or after the word
for birth."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

_MONTHS = words(
    "январ[яьюе] феврал[яьюе] март[ае]? апрел[яьюе] ма[йяе] июн[яьюе] июл[яьюе] август[ае]? сентябр[яьюе] октябр[яьюе] "
    "ноябр[яьюе] декабр[яьюе]"
)
_MONTH = "|".join(_MONTHS)
_STEMS = words(
    "перв втор треть четверт пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат "
    "шестнадцат семнадцат восемнадцат девятнадцат двадцат"
)
_UNITS = {stem: n for n, stem in enumerate(_STEMS, 1)} | {"тридцат": 30}
_TENS_STEMS = {"сороков": 40, "пятидесят": 50, "шестидесят": 60, "семидесят": 70, "восьмидесят": 80, "девяност": 90}  # fmt: skip
_TENS = {"двадцать": 20, "тридцать": 30, "сорок": 40, "пятьдесят": 50, "шестьдесят": 60, "семьдесят": 70, "восемьдесят": 80, "девяносто": 90}  # fmt: skip
_ENDING = r"(?:ого|его|ом|ем|ое|ее|ый|ий|ой)"
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_ROUND = "|".join(_TENS_STEMS)
_DAY = rf"(?P<day>\d{{1,2}})(?:-?(?:го|ого|е|ое))?|(?P<day_tens>двадцать|тридцать)?\s*(?P<day_word>{_UNIT}){_ENDING}"
_YEAR = (
    r"(?P<year>(?:19|20)\d\d)(?!\d)|['’]?(?P<short>\d\d)(?:-?(?:го|ого|м|ом|й)\b|(?=\s*(?:г\b|год)))"
    rf"|(?:тысяча\s+девятьсот\s+)?(?:(?P<tens>{'|'.join(_TENS)})\s+)?(?P<unit>{_UNIT}){_ENDING}\b|(?:тысяча\s+девятьсот\s+)?(?P<round>{_ROUND}){_ENDING}\b"
    rf"|две\s+тысячи\s+(?P<new>{_UNIT}){_ENDING}\b|(?P<zero>двухтысячн){_ENDING}\b"
)
_DATE = Gated(rf"(?<![\w.])(?:{_DAY})\s+(?P<month>{_MONTH}),?\s+(?:в\s+)?(?:{_YEAR})")
_SHORT_DIGITS = Gated(
    r"(?<![\w.])(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>(?:\d\d){1,2})(?![\d./])"
)
_YEAR_FIRST = Gated(
    rf"\b(?:в\s+)?(?P<year>(?:19|20)\d\d)(?:-?м)?(?:\s+год[ау])?\s*,\s+(?P<day>\d{{1,2}})(?:-?го)?\s+(?P<month>{_MONTH})(?!\w)"
)
BIRTH_WORD = Gated(
    r"\b(?:родил(?:ся|ась|ись)|рожден[аы]?|появил(?:ся|ась)\s+на\s+свет|на\s+свет\b|дат\w+\s+(?:(?:его|ее|моего|мое)\s+)?рождени[яе]|"
    r"день\s+рожд\w+|дн[её]м?\s+рожд\w+|днюх\w+|днюшк\w+|др\b|д\.\s?р\.|г\.\s?р\.|рожд\.|года\s+рождения|именинни\w+|для\s+(?:полиса|анкеты|страховки|брони|договора|загранпаспорта|визы|билетов|билета)\b(?=[^.!?\d]{0,12}\d))"
)
_NEAR = 60


def spoken_births(low: str) -> Iterator[tuple[str, int, int]]:
    """Full dates beside a word for birth: (ISO form, start, end)."""
    cue = BIRTH_WORD.search(low)
    if cue is None:
        return
    for pattern in (_DATE, _SHORT_DIGITS, _YEAR_FIRST):
        for found in pattern.finditer(low):
            if found.start() - cue.end() > _NEAR or cue.start() - found.end() > _NEAR:
                continue
            value = _iso(found)
            if value is not None and not (cue[0].startswith("для") and value > "2016"):
                yield value, min(found.start(), cue.start()), max(found.end(), cue.end())


def _iso(found: re.Match[str]) -> str | None:
    part = found.groupdict()
    day = int(part["day"]) if part["day"] else _added(part["day_tens"], part["day_word"])
    month = int(part["month"]) if part["month"].isdigit() else _month(part["month"])
    year = _year(part)
    if year is None or not (1 <= day <= 31 and 1 <= month <= 12 and 1900 <= year <= 2030):
        return None
    return f"{year:04d}-{month:02d}-{day:02d}"


def _month(word: str) -> int:
    return next(n for n, month in enumerate(_MONTHS, 1) if re.fullmatch(month, word))


def _added(tens: str | None, unit: str) -> int:
    return _TENS.get(tens or "", 0) + _UNITS[unit]


def _year(part: dict[str, str | None]) -> int | None:
    said = part.get("year") or part.get("short")
    if said is not None:
        return int(said) if len(said) == 4 else _century(int(said))
    if part.get("zero"):
        return 2000
    new, round_, unit = part.get("new"), part.get("round"), part.get("unit")
    if new:
        return 2000 + _UNITS[new]
    if round_:
        return 1900 + _TENS_STEMS[round_]
    if unit is None:
        return None
    return _century(_added(part.get("tens"), unit))


def _century(two_digits: int) -> int:
    """A year by its last two digits: nobody is born in the time to come."""
    return (2000 if two_digits < 30 else 1900) + two_digits
