"""Rules for `birth_date`, and full dates in ISO form."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.rules.births_en import spoken_births_en
from memory_pipeline.understand.extraction.rules.births_ru import spoken_births
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|январ\w|феврал\w|марта|апрел\w|мая|июн\w|июл\w|августа|сентябр\w|октябр\w|ноябр\w|декабр\w"
DATE = rf"\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{MONTHS}),?\s+\d{{4}}|(?:{MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
BIRTH = Gated(
    rf"\b(?P<cue>родил(?:ся|ась|ись)|появил(?:ся|ась) на свет|рожден[аы]?|на свет\b|рожд\.|год рождения|дата моего рождения|род\.|дата рождения|день рождения|др\b|д\.\s?р\.|г\.\s?р\.|born|(?:came into|entered) (?:the|this) world|dob|bday|b-day|date of birth|birthday|birth date|birthdate)(?P<gap>[^.!?\n]{{0,40}}?)(?P<date>{DATE})(?P<fix>(?:[.,!]*\s*(?:тьфу|ой|то есть|точнее|вернее|нет|no wait|sorry|i mean|wait|correction|no,? hang on|hang on|hold on|scratch that|make that|no,? make that)[,.!]*\s*(?:нет,?\s*|i mean,?\s*|no,?\s*|в\s+)?)(?:(?P<date2>{DATE})|(?P<year2>(?:19|20)\d\d)(?!\d)))?"
)
MONTH_NUMBERS = {
    m: i + 1
    for i, group in enumerate(
        (
            "jan янв",
            "feb фев",
            "mar мар",
            "apr апр",
            "may мая май",
            "jun июн",
            "jul июл",
            "aug авг",
            "sep сен",
            "oct окт",
            "nov ноя",
            "dec дек",
        )
    )
    for m in group.split()
}


def iso_date(text: str, lang: str) -> str | None:
    """The ISO form of a full date written in digits or with a month's name, or None.

    Digits with slashes are month first in English, day first in Russian.
    """
    low = text.lower()
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", low):
        return low
    digits = re.fullmatch(r"(\d{1,2})([./])(\d{1,2})[./](\d{4})", low)
    if digits:
        day, month, year = int(digits[1]), int(digits[3]), int(digits[4])
        if (digits[2] == "/" and lang == "en" and month > 12) or (
            digits[2] == "/" and lang == "en" and day <= 12
        ):
            day, month = month, day
    else:
        numbers = [int(n) for n in re.findall(r"\d+", low)]
        name = re.search(MONTHS, low)
        if name is None or len(numbers) < 2:
            return None
        day, year = numbers[0], numbers[-1]
        month = MONTH_NUMBERS[name[0][:3]]
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1900 <= year <= 2100):
        return None
    return f"{year:04d}-{month:02d}-{day:02d}"


_BORN_AFTER = Gated(
    rf"(?P<date>{DATE})\s*(?:г\.?|года?)?\s*(?:рождения|г\.\s?р\.?|рожд\b)"
    rf"|\b(?:год\s+рождения|рожд\.?)\s*[:—-]?\s*(?P<year>\d{{4}}),?\s*(?P<day>\d{{1,2}}\s+(?:{MONTHS}))"
    rf"|\b(?P<year3>\d{{4}})\s*(?:года?\s+рождения|г\.\s?р\.?),?\s*(?P<day3>\d{{1,2}}\s+(?:{MONTHS}))"
)
"""The date before the word for birth, and the year before the day, as Russian papers have them."""


def _born_after(sentence: Sentence) -> Iterator[tuple[str, int, int]]:
    for found in _BORN_AFTER.finditer(sentence.low):
        year, day = found["year"] or found["year3"], found["day"] or found["day3"]
        value = iso_date(f"{day} {year}" if year else found["date"], "ru")
        if value is not None:
            yield value, found.start(), found.end()


def births(sentence: Sentence, everyone: list[Person]) -> Iterator[Found]:
    """Dates of birth; a slip of the tongue right after gives the later date."""
    said = (
        [*_born_after(sentence), *spoken_births(sentence.low)]
        if sentence.lang == "ru"
        else list(spoken_births_en(sentence.low))
    )
    if BIRTH.search(sentence.low) is None:
        for day, start, end in said[-1:]:
            people = [p for p in everyone if p.end <= end and not p.pronoun]
            whom = people[-1].ref if people else None
            if people and whom is None:
                continue
            yield Found(
                "birth_date", day, start, end, Mode.timeless, Who.first if whom is None else Who.open,
                subject=whom, confidence=0.9, dated=False,
            )  # fmt: skip
    for found in BIRTH.finditer(sentence.low):
        value = iso_date(found["date2"] or found["date"], sentence.lang)
        if value is None:
            continue
        if found["year2"]:
            value = found["year2"] + value[4:]
        before = [p for p in everyone if p.end <= found.start("date") and not p.pronoun]
        owner = before[-1].ref if before else None
        if before and owner is None:
            continue
        whose = Who.first if owner is None else Who.open
        yield Found(
            "birth_date",
            value,
            found.start(),
            found.end(),
            Mode.timeless,
            whose,
            subject=owner,
            confidence=0.92,
            dated=False,
        )
