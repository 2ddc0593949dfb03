"""A deadline put right by a word or two: by another day of its month ("oops, the 21st"), or shifted by days
that the message gives ("сдвинули на неделю", "slipped by a week")."""

import re
from datetime import date, timedelta

from memory_pipeline.understand.gated import Gated

_OTHER_DAY = re.compile(
    r"[\s,:.!—–-]*(?:(?:нет|не|то есть|я|имел[аи]? в виду|i meant?|it's|no|make that|rather|sorry)[\s,]+)*(?:the\s+|на\s+|до\s+)?"
    r"(?P<day>\d{1,2})(?:st|nd|rd|th|\s*-?\s*(?:го|е|ое))(?:[\s,]+(?:то есть|же|конечно|числа|rather|actually|sorry|извини\w*))*[\s.!)]*$"
)


def other_day(was: date, low: str, at: int) -> tuple[date, int, int] | None:
    """The day of the deadline's own month that stands alone behind a slip at `at`, with its characters
    [start, end)."""
    found = _OTHER_DAY.match(low, at)
    if found is None:
        return None
    try:
        day = was.replace(day=int(found["day"]))
    except ValueError:
        return None
    return None if day == was else (day, *found.span("day"))


_NUMBERS = {"один": 1, "одну": 1, "два": 2, "две": 2, "пару": 2, "три": 3, "четыре": 4, "пять": 5, "шесть": 6, "семь": 7, "десять": 10}  # fmt: skip
_SHIFTED = r"(?:сдвину|передвину|отодвину|подвину|перенес|отложи|продли|продлева)(?:л[аи]?|ли|ся|лся|лась|ют|ется|т|т?ся|ен[аы]?|нут[аы]?|то)?"
_HOW_LONG = rf"на\s+(?:(?P<n>\d{{1,2}}|{'|'.join(_NUMBERS)})\s+)?(?P<unit>день|дня|дней|недел[юиь]|недельку|месяц(?:а|ев)?)\b(?:\s+(?P<way>раньше|назад|вперед|позже|позднее))?"
_NUMBERS_EN = {"a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}  # fmt: skip
_SHIFTED_EN = (
    r"\b(?:slipped|slips|(?:(?:has been|was|is|got|been|they|we)\s+)?(?:pushed|moved|put|set|shifted|postponed|delayed|extended))"
    r"(?:\s+(?:it|the deadline))?(?:\s+(?P<back>back|out|off|forward|up))?\s+(?:by\s+)?(?:another\s+)?"
    rf"(?P<n_en>\d{{1,2}}|{'|'.join(_NUMBERS_EN)})\s+(?P<unit_en>day|week|month)s?\b"
)
SHIFT = Gated(
    rf"\b{_SHIFTED}(?:\s+(?:нам|мне|еще|срок|дедлайн|его))*\s+(?:еще\s+)?{_HOW_LONG}|{_SHIFTED_EN}"
)
_UNREAL = re.compile(
    r"\b(?:если|бы|б|может|хот\w+|прос\w+|надеюсь|вдруг|возможно|наверное?|if|could|might|may|should|would|hope|ask\w*|wants?|maybe|not)\b|n't\b"
)
_DUE = re.compile(r"\b(?:дедлайн|срок)\w*\b|\bdeadline\b|\bdue date\b")
_ALONE = re.compile(
    rf"[\s,.!)]*(?:(?:нам|мне|все|его|ура|ну|а|и|кстати|в\s+итоге|снова|опять|уже|it|it's|they|we)[\s,]+)*(?:{SHIFT.pattern})[\s,.!)]*"
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
    if found["unit_en"]:
        n = _NUMBERS_EN.get(found["n_en"]) or int(found["n_en"])
        unit, sign = found["unit_en"], -1 if found["back"] in ("up", "forward") else 1
    else:
        n = _NUMBERS.get(found["n"] or "один") or int(found["n"])
        unit, sign = found["unit"], -1 if found["way"] == "раньше" else 1
    if unit.startswith(("мес", "month")):
        month = was.month - 1 + sign * n
        try:
            day = was.replace(year=was.year + month // 12, month=month % 12 + 1)
        except ValueError:
            return None
    else:
        day = was + sign * n * timedelta(days=7 if unit.startswith(("нед", "week")) else 1)
    return day, found.start(), found.end()
