"""Dates of birth: a date with its year beside a word for birth, or in a line of personal data."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import KEYED, LIKELY, Candidate

_RU_MONTH = r"(?:январ[яь]|феврал[яь]|марта?|апрел[яь]|ма[яй]|июн[яь]|июл[яь]|августа?|сентябр[яь]|октябр[яь]|ноябр[яь]|декабр[яь])"
_EN_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?:19|20)\d\d"
_RU_SAID = (
    r"(?:двадцать |тридцать )?(?:перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат|тринадцат|"
    r"четырнадцат|пятнадцат|шестнадцат|семнадцат|восемнадцат|девятнадцат|двадцат|тридцат)(?:ое|ого|ье|ьего)"
)
_RU_SAID_YEAR = (
    r"(?:(?:тысяча девятьсот|две тысячи|девятьсот)\s)?(?:(?:двадцать|тридцать|сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяносто)\s)?"
    r"(?:перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|одиннадцат|двенадцат|тринадцат|четырнадцат|пятнадцат|шестнадцат|семнадцат|"
    r"восемнадцат|девятнадцат|двадцат|тридцат|сороков|пятидесят|шестидесят|семидесят|восьмидесят|девяност|двухтысячн)(?:ого|ьего)(?: года)?"
)
_DATE = re.compile(
    rf"(?<![\w.\-/])(?:\d{{1,2}}[./\-]\d{{1,2}}[./\-](?:{_YEAR}|\d\d)|{_YEAR}[./\-]\d{{1,2}}[./\-]\d{{1,2}}"
    rf"|\d{{1,2}}(?:-?(?:го|е|ое))?\s{_RU_MONTH}\s,?{_YEAR}|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?{_EN_MONTH},?\s{_YEAR}"
    rf"|{_EN_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s{_YEAR}|\d{{1,2}}-{_EN_MONTH}-(?:{_YEAR}|\d\d)|{_RU_SAID}\s{_RU_MONTH}\s{_RU_SAID_YEAR})(?![\w\-/]|\.\d)",
    re.I,
)
_BIRTH = re.compile(
    r"(?:родил\w*|рожд[её]н\w*|рождени\w*|(?<!\w)д\.?\s?р\.?(?!\w)|(?<!\w)г\.?\s?р\.?(?!\w)|днюх\w*|день варенья|birthday|birthdate|birth|"
    r"(?<!\w)born(?!\w)|(?<!\w)dob(?!\w)|d\.o\.b|b-day|(?<!\w)bday(?!\w))",
    re.I,
)
_NOT_BIRTH = re.compile(
    r"(?:выдан\w*|действ\w+ до|issued|expires?|expiry|valid|exp\b|премьер\w*|released?|came out|landing|договор\w*|"
    r"приказ\w*|умер\w*|died|скончал\w*|свадьб\w*|wedding|married|от)\W{0,3}$",
    re.I,
)
_AFTER = re.compile(
    r"\s?(?:г\.?\s?р\.?(?!\w)|года? рождения|д\.?\s?р\.?(?!\w)|(?:is )?my birthday|года? рожд)",
    re.I,
)
_BEFORE_CHARS, _AFTER_CHARS = 70, 24


def find_birth_dates(text: str, names: list[Candidate]) -> Iterator[Candidate]:
    """Dates that a word for birth announces, or that follow a full name as in a form."""
    for match in _DATE.finditer(text):
        before = text[max(0, match.start() - _BEFORE_CHARS) : match.start()]
        sentence = re.split(r"[!?\n]|\.\s(?=[A-ZА-ЯЁ])", before)[-1]
        if _NOT_BIRTH.search(before):
            continue
        words = _BIRTH.search(sentence) or _AFTER.match(text, match.end())
        listed = any(
            0 <= match.start() - n.end <= 3 and not text[n.end : match.start()].strip(" ,;\n\t|/–-")
            for n in names
        )
        if words or listed:
            yield Candidate(
                match.start(),
                match.end(),
                "birth_date",
                " ".join(match.group().lower().split()),
                KEYED if words else LIKELY,
            )
