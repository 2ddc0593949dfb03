"""Passports of other countries, beside the word: seven to nine characters, most of them digits."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import KEYED, Candidate

_PASSPORT = re.compile(
    r"(?<!\w)(?:(?:[Зз]агран)?[Пп]аспорт\w*|ПАСПОРТ\w*|[Pp]assport|PASSPORT)(?!\w)(?P<gap>[^\d\n.!?;]{0,40}?|(?:\s?(?:no|num)\.)?[^\d\n.!?;]{0,12}?)"
    r"(?<![\w\-/.,$€£])(?P<value>\d{9}|[A-Z]\d{7,8}|[A-Z]{2}\d{6,7}|\d{2}[A-Z]{2}\d{5}|"
    r"[CFGHJKLMNPRTVWXYZ](?=[0-9A-Z]*\d[0-9A-Z]*\d[0-9A-Z]*\d)[0-9CFGHJKLMNPRTVWXYZ]{8})(?![\w\-/]|[.,:]\d)",
)
_OTHER_NUMBER = re.compile(
    r"(?<!\w)(?:application|appointment|reference|ref|order|tracking|case|receipt|ticket|booking|phone|"
    r"call|tel|заказ\w*|заявлени\w*|заявк\w*|запис\w*|талон\w*|трек\w*|тел\w*|инн|билет\w*)(?!\w)",
    re.I,
)


def find_foreign_passports(text: str) -> Iterator[Candidate]:
    """Numbers after the word for a passport, unless another number's word stands between."""
    for match in _PASSPORT.finditer(text):
        if _OTHER_NUMBER.search(match.group("gap")) is None:
            yield Candidate(*match.span("value"), "passport_ru", match.group("value"), KEYED)
