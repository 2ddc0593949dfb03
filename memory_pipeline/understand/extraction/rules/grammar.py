"""Grammar that rules share: the person of a verb, and negation before it."""

import re

from memory_pipeline.understand.extraction.frames import Who

_NEGATED = re.compile(r"(?:\bне|\bни|\bnot|n't|\bnever|\bникогда не|\bno longer)\s+(?:\w+\s+)?$")
_ABSENT = re.compile(
    r"(?:\bне|\bнет|\bnot|n't|\bno|\bnever|no longer|\bwithout|\bбез)\s+(?:\w+\s+)?$"
)


def person_of(found: re.Match[str]) -> Who:
    """The grammatical person by the named group that matched."""
    groups = found.groupdict()
    if groups.get("first") or groups.get("firsting") or groups.get("future"):
        return Who.first
    if groups.get("third") or groups.get("future3"):
        return Who.third
    if groups.get("second"):
        return Who.second
    return Who.open


def negated(low: str, at: int) -> bool:
    """Whether a negation stands right before `at`, or one word earlier."""
    return _NEGATED.search(low, max(0, at - 40), at) is not None


def absent(low: str, at: int) -> bool:
    """Whether what stands at `at` is said to be missing ("no allergy", "без")."""
    return _ABSENT.search(low, max(0, at - 40), at) is not None
