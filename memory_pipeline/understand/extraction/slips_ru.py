"""A name alone behind a slip, in Russian: "опечатка, Тверь"."""

import re

from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import quoted_at
from memory_pipeline.understand.extraction.places import fold, russian_place
from memory_pipeline.understand.extraction.rules.employers_ru import organisation_ru
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
