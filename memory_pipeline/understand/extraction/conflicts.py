"""Where two findings claim the same words: which of them stays."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.rules.duties import LEGAL_OVER
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.withheld_ru import withheld
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import grammemes

_NARROW = frozenset(
    {"deadline", "legal_constraint", "budget_limit", "diet", "allergy", "preference"}
)
_LEARNED = Gated(r"\bпо\s+(?:образованию|диплому)\b|\bпо специальности\b(?=.*\bработаю)")


def overruled(found: Found, founds: Sequence[Found], sentence: Sentence) -> bool:
    """Whether a finding is the same words misread, as others of the sentence show."""
    if sentence.lang == "ru" and withheld(found, founds, sentence):
        return True
    if _given_up(found, founds):
        return True
    if found.predicate == "location":
        return _taken_back(found, sentence) or _no_place(found, founds)
    if found.predicate == "diet" and found.value in ("no alcohol", "без алкоголя"):
        return _DRINK_BEFORE.search(sentence.low[: found.start + 2]) is not None
    if found.predicate == "employer":
        value = str(found.value)
        if _taken_back(found, sentence):
            return True
        return tool_name(value) is not None and any(
            f.predicate == "tool" and str(f.value) == value for f in founds
        )
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


_NOT_THERE = Gated(
    r"\bне\s+(?P<old>(?:в|во|на|из|под)\s+[\w-]+(?:\s[\w-]+)?)\s*,?\s*а\s+(?:в|во|на|из|под)\s"
    r"|\bnot\s+(?P<old_en>(?:in|to|from)\s+[\w'-]+(?:\s[\w'-]+)?)\s*,?\s*but\s+(?:in|to|from)\s"
)
_DRINK_BEFORE = re.compile(
    r"\b(?:coffee|tea|milk|juice|soda|cola|coke|water|cocoa|beer|wine|vodka|whisky|кофе|чай|молоко|сок|колу|воду|какао|пиво|вино|водку)\s+(?:i\s*|we\s*|я\s*|мы\s*)?\w{0,2}$"
)
"""A drink in front of its verb ("coffee I don't drink"): it is what is not drunk."""
_LISTED = frozenset({"medication", "diet", "tool", "language", "skill", "preference", "allergy"})


def _taken_back(found: Found, sentence: Sentence) -> bool:
    """Whether a place or firm is the one that its sentence denies for another ("не в Самару, а в Уфу")."""
    if found.mode not in (Mode.state, Mode.change, Mode.stay):
        return False
    for match in _NOT_THERE.finditer(sentence.low):
        start, end = match.span("old" if match["old"] else "old_en")
        if start < found.end <= end:
            return True
    return False


def _given_up(found: Found, founds: Sequence[Found]) -> bool:
    """Whether a list was read into a clause that ends what it was taken for ("принимаю метформин,
    аспирин больше не пью")."""
    return (
        found.predicate in _LISTED
        and found.mode is Mode.state
        and any(
            f.mode in (Mode.end, Mode.denial)
            and f.predicate == found.predicate
            and f.value == found.value
            and found.start < f.end
            for f in founds
        )
    )


_PRECISE = 0.85
"""How sure a rule is that names what is forbidden: the whole sentence then says it again."""
_NO_ALLERGEN = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|weekends?|work(?:ing)?|people|small talk|bullshit|drama|commitment|exercise|meetings?|"
    r"stupid\w*|nonsense|effort|responsibility|monday\w*|понедельник\w*|вторник\w*|пятниц\w*|утр[оа]|работ[ауы]|люди|людей|глупост\w+|тупост\w+|"
    r"vegan|vegetarian|pescatarian|вегетариан\w+|веган\w*|пескетариан\w+|лекарств\w*|препарат\w*|продукт\w*|ед[ау]\b|что-нибудь|что-то|чего-нибудь|созвон\w*|дедлайн\w*|начальник\w*|норм|ок|нет)\b"
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
        and not (b.mode is Mode.stay and found.mode in (Mode.state, Mode.change))
        for b in before
    )


_OVER = frozenset({Mode.end, Mode.cancel, Mode.denial})
