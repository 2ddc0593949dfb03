"""English dates of birth told in words or with a short year ("the seventh of March, eighty-nine")."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.numbers import NUMBER_WORD_EN, small_number
from memory_pipeline.understand.gated import Gated

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTH = rf"(?:{_MONTHS}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"]  # fmt: skip
_UNITS = "|".join(_ORDINALS[:9])
_DAY = rf"(?:(?:twenty|thirty)[\s-](?:{_UNITS})|{'|'.join(reversed(_ORDINALS))}|thirtieth|\d{{1,2}}(?:st|nd|rd|th)?)"
_YEAR = rf"(?:(?:19|20)\d\d|'?\d\d(?!\d|\s*(?:years|yrs|%|am|pm|:))|(?:nineteen|twenty)[\s-]+(?:oh[\s-]+)?(?:{NUMBER_WORD_EN})|two thousand(?:\s+and)?(?:\s+(?:{NUMBER_WORD_EN}))?|(?:thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?)"
_SPOKEN = Gated(
    rf"\b(?:born|birthday|bday|b-day|dob|date of birth|birth date|birthdate)\b[^.!?\n]{{0,40}}?"
    rf"(?:(?:the\s+)?(?P<day>{_DAY})\s+(?:of\s+)?(?P<month>{_MONTH})|(?P<month2>{_MONTH})\s+(?:the\s+)?(?P<day2>{_DAY}))"
    rf"\s*,?\s+(?:of\s+|in\s+|back in\s+)?(?P<year>{_YEAR})(?![\w-])"
    rf"|\b(?:born|birthday|bday|dob|date of birth)\b[^.!?\n]{{0,25}}?(?<![\d/.])(?P<d>\d{{1,2}})[/.-](?P<m>\d{{1,2}})[/.-](?P<y>\d\d)(?![\d/.])"
)


_BORN_BY = 2020
"""The latest year that one of two digits may mean: who writes has been born for some time."""


def spoken_births_en(low: str, born_by: int = _BORN_BY) -> Iterator[tuple[str, int, int]]:
    """ISO dates of birth with the characters [start, end) that tell them."""
    for found in _SPOKEN.finditer(low):
        year: int | None
        if found["y"]:
            # day first, unless only the month fits there
            day, month = int(found["d"]), int(found["m"])
            if month > 12:
                day, month = month, day
            year = _century(int(found["y"]), born_by)
        else:
            name = (found["month"] or found["month2"]).strip(".")
            month = next(
                n for n, m in enumerate(_MONTHS.split("|"), start=1) if m.startswith(name[:3])
            )
            day = _day(found["day"] or found["day2"])
            year = _year(found["year"], born_by)
        if year is not None and 1 <= month <= 12 and 1 <= day <= 31:
            yield f"{year:04d}-{month:02d}-{day:02d}", found.start(), found.end()


def _day(said: str) -> int:
    digits = re.match(r"\d+", said)
    if digits:
        return int(digits[0])
    *tens, last = re.split(r"[\s-]", said)
    if last == "thirtieth":
        return 30
    return {"twenty": 20, "thirty": 30}.get(tens[0], 0) + _ORDINALS.index(last) + 1 if tens else _ORDINALS.index(last) + 1  # fmt: skip


def _century(short: int, born_by: int) -> int:
    return 2000 + short if 2000 + short <= born_by else 1900 + short


def _year(said: str, born_by: int) -> int | None:
    digits = said.strip("' ")
    if digits.isdigit():
        return int(digits) if len(digits) == 4 else _century(int(digits), born_by)
    thousand = re.match(r"two thousand(?:\s+and)?\s*(.*)$", said)
    if thousand:
        return 2000 + (small_number(thousand[1]) or 0 if thousand[1] else 0)
    century = re.match(r"(nineteen|twenty)[\s-]+(?:oh[\s-]+)?(.+)$", said)
    if century:
        rest = small_number(century[2])
        return None if rest is None else (1900 if century[1] == "nineteen" else 2000) + rest
    short = small_number(said)
    return None if short is None else _century(short, born_by)
