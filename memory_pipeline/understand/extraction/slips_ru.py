"""What a Russian message puts right in a word or two: a name alone behind a slip ("опечатка, Тверь"),
and a deadline shifted by days that it gives ("сдвинули на неделю")."""

import re
from datetime import date, timedelta

from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import quoted_at
from memory_pipeline.understand.extraction.places import fold, russian_place
from memory_pipeline.understand.extraction.rules.employers_ru import organisation_ru
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian

_BARE = re.compile(
    r"[\s,:.!—–-]*(?:(?:я|это|имел[аи]?\s+в\s+виду|хотел[аи]?\s+(?:сказать|написать)|конечно|правильно|точнее|вернее)[\s,:—–-]+)*(?:же\s+)?(?P<prep>в|во|из|на)?\s*"
    r"(?P<name>[«\"]?[А-ЯЁ][\w-]*(?:\s[А-ЯЁ][\w-]*){0,2}[»\"]?)(?:[\s,]*(?:же|конечно|а не [\w-]+|прост\w+|извин\w+|сорри))*[\s.!,)]*$"
)
_CASES = {"в": ("loct", "loc2", "accs"), "во": ("loct", "loc2", "accs"), "на": ("loct", "loc2", "accs"), "из": ("gent",)}  # fmt: skip


def bare_name_ru(predicate: str, value: str, text: str, at: int) -> tuple[str, int, int] | None:
    """The value that a name alone, all that stands behind a slip at `at`, puts for `value`: with its
    characters [start, end); None where there is something else or the same."""
    found = _BARE.match(text, at)
    if found is None:
        return None
    start, end = found.span("name")
    kind, _, old = value.rpartition(": ")
    name: str | None = None
    if predicate == "location":
        place = russian_place(text, start, _CASES.get(found["prep"] or "", ("nomn",)))
        name = place[0] if place and place[2] == end else None
    elif found["prep"] is None and predicate in ("pet", "relative"):
        is_name = is_russian(found["name"]) and (predicate == "pet" or is_given_name(found["name"]))
        name = found["name"] if is_name else None
    elif predicate == "employer":
        firm = organisation_ru(text, start, _CASES.get(found["prep"] or "", ("nomn",)))
        name = firm[0] if firm and quoted_at(text, start) else None
    if name is None or fold(name) == fold(old):
        return None
    return (f"{kind}: {name}" if kind else name), start, end


_NUMBERS = {"один": 1, "одну": 1, "два": 2, "две": 2, "пару": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "десять": 10}  # fmt: skip
_SHIFTED = r"(?:сдвину|передвину|отодвину|подвину|перенес|отложи|продли|продлева)(?:л[аи]?|ли|ся|лся|лась|ют|ется|т|т?ся|ен[аы]?|нут[аы]?|то)?"
_HOW_LONG = rf"на\s+(?:(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+)?(?P<unit>день|дня|дней|недел[юиь]|недельку|месяц(?:а|ев)?)\b(?:\s+(?P<way>раньше|назад|вперед|позже|позднее))?"
SHIFT = Gated(rf"\b{_SHIFTED}(?:\s+(?:нам|мне|еще|срок|дедлайн|его))*\s+(?:еще\s+)?{_HOW_LONG}")
_UNREAL = re.compile(r"\b(?:если|бы|б|может|хот\w+|прос\w+|надеюсь|вдруг|возможно|наверное?)\b")
_DUE = re.compile(r"\b(?:дедлайн|срок)\w*\b")
_ALONE = re.compile(
    rf"[\s,.!)]*(?:(?:нам|мне|все|его|ура|ну|а|и|кстати|в\s+итоге|снова|опять|уже)[\s,]+)*{SHIFT.pattern}[\s,.!)]*"
)


def shifted(was: date, low: str) -> tuple[date, int, int] | None:
    """The day to which a message shifts a deadline by days, weeks or months that it names, with its
    characters [start, end); None where it shifts something else or does not say which way."""
    found = SHIFT.search(low)
    if found is None or found["way"] == "назад" or _UNREAL.search(low):
        return None
    if low.startswith("не ", max(0, found.start() - 3)):
        return None
    if _DUE.search(low) is None and _ALONE.fullmatch(low) is None:
        return None
    n = _NUMBERS.get(found["n"] or "один") or int(found["n"])
    unit = found["unit"]
    sign = -1 if found["way"] == "раньше" else 1
    if unit.startswith("мес"):
        month = was.month - 1 + sign * n
        try:
            day = was.replace(year=was.year + month // 12, month=month % 12 + 1)
        except ValueError:
            return None
    else:
        day = was + sign * n * timedelta(days=7 if unit.startswith("нед") else 1)
    return day, found.start(), found.end()
