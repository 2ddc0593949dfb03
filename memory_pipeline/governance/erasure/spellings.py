"""How values are written in texts: places by their other names, dates and amounts in digits and in
words. Pure functions."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.numbers import find_money
from memory_pipeline.understand.extraction.places import aliases_of

LEAST_DIGITS = 3
"""A shorter number is anybody's; what was said of it goes with its evidence."""
MOST_GROUPS = 5

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:$|[T ])")
_MONTHS_RU = (
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября",
    "октября", "ноября", "декабря",
)  # fmt: skip
_MONTHS_EN = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_FIRST_RU = (
    "первый", "второй", "третий", "четвёртый", "пятый", "шестой", "седьмой", "восьмой", "девятый",
)  # fmt: skip
_DAYS_RU = (
    *_FIRST_RU, "десятый", "одиннадцатый", "двенадцатый", "тринадцатый", "четырнадцатый",
    "пятнадцатый", "шестнадцатый", "семнадцатый", "восемнадцатый", "девятнадцатый", "двадцатый",
    *(f"двадцать {day}" for day in _FIRST_RU), "тридцатый", "тридцать первый",
)  # fmt: skip
_FIRST_EN = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
)  # fmt: skip
_DAYS_EN = (
    *_FIRST_EN, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth",
    "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth",
    *(f"twenty-{day}" for day in _FIRST_EN), "thirtieth", "thirty-first",
)  # fmt: skip
_TENS_RU = (
    "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят", "девяносто",
)  # fmt: skip
_ROUND_RU = (
    "двадцатый", "тридцатый", "сороковой", "пятидесятый", "шестидесятый", "семидесятый",
    "восьмидесятый", "девяностый",
)  # fmt: skip
_AMOUNT = re.compile(r"(\d+)(?:[.,]\d+)?(?:\s*[A-Za-z]{3})?")
_NUMBER_RUN = re.compile(r"(?<![^\W_])\d+(?:[\s.,'’_]\d+)*")
_GROUP = re.compile(r"\d+")


def spellings(value: str, value_type: str) -> Iterator[str]:
    """How a value may be written: as it is, a place by its other names, a date in its usual forms,
    and of "cat: Miso" the name alone."""
    yield value
    kind, colon, name = value.partition(": ")
    if colon and kind and name:
        yield name
    if value_type == "place":
        yield from aliases_of(value)
    day = _DATE.match(value) if value_type == "date" else None
    if day is not None and 1 <= int(day[2]) <= 12 and 1 <= int(day[3]) <= 31:
        yield from _spelt_date(int(day[1]), int(day[2]), int(day[3]))


def _spelt_date(year: int, month: int, day: int) -> Iterator[str]:
    """A date as people write it, with its year and without: by its day alone it is told as well."""
    ru, en = _MONTHS_RU[month - 1], _MONTHS_EN[month - 1]
    ordinal = f"{day}{'th' if 10 < day < 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    spelt = _DAYS_EN[day - 1]
    for of_day in (
        *(
            f"{said} {name}"
            for name in dict.fromkeys((ru, *(ru[:n] for n in (3, 4) if len(ru) > n + 1)))
            for said in (day, f"{day}-го", f"{day}-е", _DAYS_RU[day - 1])
        ),
        *(f"{name} {said}" for name in (en, en[:3]) for said in (day, ordinal, spelt)),
        *(f"{said} {name}" for name in (en, en[:3]) for said in (day, ordinal, spelt)),
        *(f"{said} of {en}" for said in (ordinal, spelt)),
    ):  # fmt: skip
        yield from (of_day, f"{of_day} {year}", *(f"{of_day} {said}" for said in _spelt_year(year)))
    yield from (f"{year}{month:02}{day:02}", f"{day:02}{month:02}{year}")
    for first, second in ((day, month), (month, day)):
        for sign in "./":
            for written in (f"{year}", f"{year % 100:02}"):
                yield f"{first}{sign}{second}{sign}{written}"
                yield f"{first}{sign}{second:02}{sign}{written}"
                yield f"{first:02}{sign}{second:02}{sign}{written}"


def _spelt_year(year: int) -> Iterator[str]:
    """A Russian year of the last century or this in words, whole and by its last two digits."""
    century, rest = divmod(year, 100)
    if century not in (19, 20) or not rest:
        return
    tens, ones = divmod(rest, 10)
    if rest < 20:
        last = _DAYS_RU[rest - 1]
    else:
        last = f"{_TENS_RU[tens - 2]} {_FIRST_RU[ones - 1]}" if ones else _ROUND_RU[tens - 2]
    yield last
    yield f"{'тысяча девятьсот' if century == 19 else 'две тысячи'} {last}"


def amount_of(value: str) -> str | None:
    """The digits of a value that is a whole number or a sum ("300000 RUB"); None for any other."""
    found = _AMOUNT.fullmatch(value.strip())
    return found[1] if found is not None else None


def amounts(folded: str) -> Iterator[tuple[int, int, str]]:
    """Numbers in a folded text as (start, end, digits): plain ones, those in groups of three digits,
    and sums in words or with a word for thousands ("триста тысяч", "300k")."""
    for run in _NUMBER_RUN.finditer(folded):
        groups = [(found[0], found.start(), found.end()) for found in _GROUP.finditer(run[0])]
        for i in range(len(groups)):
            digits = ""
            for text, _, end in groups[i : i + MOST_GROUPS]:
                if digits and (len(text) != 3 or len(groups[i][0]) > 3):
                    break
                digits += text
                if len(digits) >= LEAST_DIGITS:
                    yield run.start() + groups[i][1], run.start() + end, digits
    at = 0
    while (found := find_money(folded, at, "ru", "UTC")) is not None:
        value, start, end, _ = found
        yield start, end, value.partition(" ")[0]
        at = max(end, at + 1)
