"""Where two findings claim the same words: which of them stays."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.rules.duties import LEGAL_OVER
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import grammemes

_NARROW = frozenset(
    {"deadline", "legal_constraint", "budget_limit", "diet", "allergy", "preference"}
)
_LEARNED = Gated(r"\bпо\s+(?:образованию|диплому)\b|\bпо специальности\b(?=.*\bработаю)")


def overruled(found: Found, founds: Sequence[Found], sentence: Sentence) -> bool:
    """Whether a finding is the same words misread, as others of the sentence show."""
    if found.predicate == "location":
        return _no_place(found, founds)
    if found.predicate == "allergy":
        return _NO_ALLERGEN.search(str(found.value).lower()) is not None
    if found.predicate == "requirement":
        return any(f.predicate in _NARROW for f in founds)
    if found.predicate == "legal_constraint":
        if found.mode is Mode.state and LEGAL_OVER.search(sentence.low):
            return True
        return found.confidence < _PRECISE and any(
            f.predicate == "legal_constraint" and f.confidence >= _PRECISE for f in founds
        )
    if found.predicate == "job_title":
        learned = _LEARNED.search(sentence.low)
        return (
            learned is not None
            and found.start < learned.end() + 25
            and not re.search(r"\bработаю", sentence.low[: found.start + 8])
        )
    return False


_PRECISE = 0.85
"""How sure a rule is that names what is forbidden: the whole sentence then says it again."""
_NO_ALLERGEN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|weekends?|work(?:ing)?|people|small talk|bullshit|drama|commitment|exercise|meetings?|"
    r"stupid\w*|nonsense|effort|responsibility|monday\w*|понедельник\w*|вторник\w*|пятниц\w*|утр[оа]|работ[ауы]|люди|людей|глупост\w+|тупост\w+|"
    r"созвон\w*|дедлайн\w*|начальник\w*|норм|ок|нет)\b"
)
"""What one is only jokingly allergic to."""
_FIRM_WORD = re.compile(r"(?:банк|сбер|яндекс|газпром|телеком|нефть|софт|маркет|строй)\w{0,2}$")


def _no_place(found: Found, founds: Sequence[Found]) -> bool:
    """Whether what was taken for a place is a firm or a tool that the same words name."""
    value = str(found.value or "")
    if value.isascii() and tool_name(value) is not None:
        return True
    if _FIRM_WORD.search(value.lower()) or "Orgn" in grammemes(value):
        return True
    return any(
        f.predicate in ("employer", "tool")
        and str(f.value).lower().split()[:1] == value.lower().split()[:1]
        for f in founds
    ) and not is_known_place(value)


def told_already(found: Found, before: Sequence[Found]) -> bool:
    """Whether a rule found the same predicate in the same words already."""
    return any(
        b.predicate == found.predicate
        and b.start < found.end
        and found.start < b.end
        and (b.mode in _OVER) == (found.mode in _OVER)
        for b in before
    )


_OVER = frozenset({Mode.end, Mode.cancel, Mode.denial})
