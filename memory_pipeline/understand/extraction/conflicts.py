"""Where two findings claim the same words: which of them stays."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.lexicon import (
    is_occupation,
    tool_name,
    tools_called_as_people,
)
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.rules.duties import LEGAL_OVER
from memory_pipeline.understand.extraction.rules.employers_ru import FIRMS
from memory_pipeline.understand.extraction.sentences import Sentence, lower
from memory_pipeline.understand.extraction.withheld_ru import withheld
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import grammemes, is_russian, parses

_NARROW = frozenset(
    {"deadline", "legal_constraint", "budget_limit", "diet", "allergy", "preference"}
)
_LEARNED = Gated(r"\bпо\s+(?:образованию|диплому)\b|\bпо специальности\b(?=.*\bработаю)")


_IN_USE = re.compile(r"\b(?:in|into|to|use|uses|using|на|в)\s+$")
"""Before a program that bears a person's name, where it is one: "we write in Julia"."""


def overruled(found: Found, founds: Sequence[Found], sentence: Sentence) -> bool:
    """Whether a finding is the same words misread, as others of the sentence show."""
    if sentence.lang == "ru" and withheld(found, founds, sentence):
        return True
    if found.predicate == "tool" and str(found.value).lower() in tools_called_as_people():
        at = sentence.low.rfind(str(found.value).lower(), 0, found.end)
        return at < 0 or _IN_USE.search(sentence.low, 0, at) is None
    if found.predicate in _NAMES and _is_no_name(found):
        return True
    if _given_up(found, founds):
        return True
    if (
        found.predicate in ("allergy", "medical_condition")
        and found.mode is Mode.state
        and sentence.lang == "ru"
    ):
        clause = sentence.clause_at(found.start)
        if _HAS_NOT.search(sentence.low, clause.start, max(clause.end, found.end)):
            return True
    if found.predicate == "location":
        if _ONLINE.match(lower(str(found.value))) or any(
            f.predicate in ("diet", "job_title") and f.end == found.end for f in founds
        ):
            return True
        return _taken_back(found, sentence) or _no_place(found, founds)
    if found.predicate in ("preference", "dislike") and sentence.lang == "en":
        if _CLAUSE_EN.search(lower(str(found.value))):
            return True
        said = sentence.low[found.start : found.end]
        return found.predicate == "preference" and _REACTION.search(said) is not None
    if found.predicate == "plan":
        # where one is to be at a time is told as a place
        return any(f.predicate == "location" and str(f.value) == str(found.value) for f in founds)
    if found.predicate == "skill":
        return _ABLE_BETTER.search(sentence.low[: found.end]) is not None
    if found.predicate == "budget_limit" and _NO_LIMIT.search(sentence.low):
        return True
    if found.predicate == "deadline":
        if _NO_DEADLINE.search(sentence.low):
            return True
        return _WISH.search(sentence.low[: found.start]) is not None and any(
            f.predicate in ("goal", "plan") and f.start <= found.start < f.end for f in founds
        )
    if found.predicate == "diet" and found.value in ("no alcohol", "без алкоголя"):
        return _DRINK_BEFORE.search(sentence.low[: found.start + 2]) is not None
    if found.predicate == "employer":
        value = str(found.value)
        if found.mode is Mode.change and _STUDIES.search(sentence.low):
            return True
        if _taken_back(found, sentence):
            return True
        if found.mode is Mode.state and _RAN_OUT.match(sentence.low, found.end):
            return True
        if _LEFT_FOR.search(sentence.low, found.start, found.end) and value[:1].isascii():
            # one leaves for a firm "в", for a program "на"
            return True
        tool = tool_name(value)
        return tool is not None and any(
            f.predicate == "tool" and str(f.value) in (value, tool) for f in founds
        )
    if found.predicate == "education" and not re.search(r"[A-Z]|\bat\b", str(found.value)):
        return sentence.lang == "en" and any(
            f is not found
            and f.predicate == "education"
            and str(f.value)[:1].isupper()
            and f.start < found.start
            for f in founds
        )
    if found.predicate == "allergy":
        if found.mode is Mode.end and _NOT_BEFORE.search(sentence.low):
            return True
        value = str(found.value).lower()
        listed = (str(f.value).lower() for f in founds if f.predicate == "allergy")
        return (
            value in _FUNCTION_WORDS
            or _NO_ALLERGEN.search(value) is not None
            or any(map(_JOKED.search, listed))
        )
    if found.predicate == "medical_condition" and _NO_ILLNESS.match(str(found.value)):
        return True
    if found.predicate == "requirement":
        said = sentence.low[found.start : found.end]
        if _MAXIM.match(lower(str(found.value))) or (
            _GUESS.search(said) and sentence.text.endswith("!")
        ):
            return True
        return any(f.predicate in _NARROW or _is_none(f) for f in founds)
    if found.predicate == "legal_constraint":
        if found.mode is Mode.state and LEGAL_OVER.search(sentence.low):
            return True
        return found.confidence < _PRECISE and any(
            f.predicate == "legal_constraint" and f.confidence >= _PRECISE for f in founds
        )
    if found.predicate == "job_title":
        if _DOING.match(str(found.value)) and not is_occupation(str(found.value).split()[-1]):
            return True
        learned = _LEARNED.search(sentence.low)
        return (
            learned is not None
            and found.start < learned.end() + 25
            and not re.search(r"\bработаю", sentence.low[: found.start + 8])
        )
    return False


_RAN_OUT = re.compile(
    r"\s+(?:has\s+|just\s+|finally\s+)*(?:ended|is over|is up|was over|came to an end|finished|ran out|expired|fell through)\b"
)
"""Behind a job that is told of as over ("my job at Acme ended in May")."""
_LEFT_FOR = re.compile(r"\bуш(?:ел|ла|ли)\s+на\s+[a-z]")
_NO_LIMIT = re.compile(
    r"\b(?:don't|do not|didn't) have (?:an? |the )?budget\b|\bbudget (?:is|was) not\b|\bbudget (?:isn't|wasn't)\b|\bspent\b[^.!?]*\bof (?:the|our|my) budget\b"
    r"|\b(?:raised|cut|increased|reduced|lowered) (?:the|our|my) budget by\b|\bот бюджета\b[^.!?]*\bосталось\b|\bосталось\b[^.!?]*\bот бюджета\b"
)
"""A sum that is spent, left or added, or denied: no limit."""
_NO_DEADLINE = re.compile(r"\bdeadline (?:is|was) not\b|\bdeadline (?:isn't|wasn't)\b")
_ONLINE = re.compile(
    r"(?:телеграмм?|телега|ватсап|вотсап|инстаграмм?|зум|скайп|слак|дискорд|вайбер|telegram|whatsapp|instagram|zoom|skype|slack|discord)$"
)
"""Where one is without being anywhere."""
_HAS_NOT = re.compile(
    r"\bу\s+(?:меня|нас|него|нее|[а-я]{3,})\s+(?:\w+\s+)?(?:нет|(?:никогда\s+)?не\s+было)\b"
)
"""An illness that is said not to be there, its name first ("диабета у меня нет")."""
_REACTION = re.compile(
    r"\b(?:love|loved|loving|like|liked|adore|dig)\s+(?:all\s+)?(?:the|your|this|that|these|those)\s+"
    r"(?!beach|ocean|sea|seaside|outdoors|mountains?|city|country|countryside|cold|heat|rain|snow|sun|summer|winter|theat|opera|gym|library|arts?\b|water|woods|forest|wild|night|morning|weekend|idea of|smell of|sound of|taste of|feeling of|way)"
)
"""What somebody likes of what is shown or told, which is praise and no taste ("love the colors")."""
_CLAUSE_EN = re.compile(
    r"\b(?:it's|it is|that's|he's|she's|they're|i'm|we're|there's|thankfully|luckily|sadly)\b"
)
_ABLE_BETTER = re.compile(r"\bable to (?:better|more|fully|finally|really)\b")
_GUESS = re.compile(r"\bmust (?:have|be|feel|'ve)\b")
_DOING = re.compile(r"\w{3,}ing\b")
_WISH = re.compile(r"\b(?:хочу|хотим|мечтаю|мечтаем)\s*$")
_MAXIM = re.compile(
    r"never (?:give up|say never|stop|forget|lose|mind|let|underestimate|look back|ever)\b"
    r"|(?:the \w+|\w+ing|love|hope|trust|family|friendship|balance|communication|support) (?:is|are) (?:\w+ )?(?:essential|important|crucial|vital|key|everything)\b"
    r"|никогда не (?:сдавай|забыва|останавлива|теря|говори)"
)
"""A saying, which asks for nothing."""
_NAMES = frozenset({"location", "employer", "relative", "pet", "education", "address"})
_SMALL_WORDS = frozenset(
    {"a", "an", "the", "in", "on", "at", "to", "of", "for", "from", "with", "by", "and", "or", "but", "since", "until", "i", "it", "my", "our",
     "nowhere", "anywhere", "somewhere", "here", "there", "moment", "now"}
)  # fmt: skip
_SMALL_RU = frozenset({"PREP", "CONJ", "PRCL", "NPRO"})
_LETTERS = re.compile(r"[^\W_]+")


def _is_no_name(found: Found) -> bool:
    """Whether what should name somebody or something is a letter or words that name nothing."""
    if found.value is None:
        return False
    name = str(found.value).rpartition(": ")[2]
    return all(_is_small(word, found.predicate) for word in _LETTERS.findall(name))


def _is_small(word: str, predicate: str) -> bool:
    if word.isdigit():
        return False
    if is_russian(word):
        return len(word) == 1 or str(parses(word)[0].tag.POS) in _SMALL_RU
    # a firm may be called by one letter
    return word.lower() in _SMALL_WORDS or (len(word) == 1 and predicate != "employer")


_NOT_BEFORE = Gated(r"\b(?:раньше|прежде|до этого)\b[^.!?,]*\bне\s+было\b")
"""What was not there before is not said to have ended."""
_NO_ILLNESS = re.compile(r"(?:no|without|нет|без)\s", re.IGNORECASE)


def _is_none(found: Found) -> bool:
    """Whether nothing of a kind is said to be there ("никаких лекарств не принимаю")."""
    return found.mode is Mode.end and found.value is None and found.predicate == "medication"


_STUDIES = Gated(
    r"\b(?:start(?:s|ed|ing)?|join(?:s|ed|ing)?|into)\b[^.!?]{2,60}?\b(?:majoring|studying|freshman|sophomore|undergrad|fresher|first year|reading (?:law|maths|english|history|medicine)|(?:her|his|my|their) (?:degree|phd|masters?|master's|course))\b"
)
"""Somebody begins at a school, not at a firm."""
_NOT_THERE = Gated(
    r"\bне\s+(?P<old>(?:в|во|на|из|под)\s+[\w-]+(?:\s[\w-]+)?)\s*,?\s*а\s+(?:в|во|на|из|под)\s"
    r"|\b(?:not|it's not)\s+(?P<old_en>(?:(?:in|to|from)\s+)?[\w'-]+(?:\s[\w'-]+)?)\s*,?\s*(?:but\s+(?:in|to|from)\s|(?:i'm|we're|i live) in\s*,)"
)
_DRINK_BEFORE = re.compile(
    r"\b(?:coffee|tea|milk|juice|soda|cola|coke|water|cocoa|beer|wine|vodka|whisky|кофе|чай|молоко|сок|колу|воду|какао|пиво|вино|водку)\s+(?:i\s*|we\s*|я\s*|мы\s*)?\w{0,2}$"
)
"""A drink in front of its verb ("coffee I don't drink"): it is what is not drunk."""
_LISTED = frozenset(
    {"medication", "diet", "tool", "language", "skill", "preference", "dislike", "allergy", "pet", "relative", "requirement"}
)  # fmt: skip


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
_JOKED = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|small talk|bullshit|drama|commitment|exercise|meetings?|nonsense|effort|responsibility)\b"
)
"""One of these makes a joke of the whole list."""
_FUNCTION_WORDS = frozenset(
    {"for", "of", "on", "with", "under", "and", "or", "about", "re", "regarding", "no", "any", "by", "in", "as"}
)  # fmt: skip
_NO_ALLERGEN = re.compile(
    r"\b(?:remember|right|сожалени[еюя]|счасть[еюя]|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mornings?|weekends?|work(?:ing)?|people|small talk|bullshit|drama|commitment|exercise|meetings?|"
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
    if (
        value.lower().replace("ё", "е") in FIRMS
        or _FIRM_WORD.search(value.lower())
        or "Orgn" in grammemes(value)
    ):
        return True
    return any(
        f.predicate in ("employer", "tool")
        and str(f.value).lower().split()[:1] == value.lower().split()[:1]
        for f in founds
    ) and not is_known_place(value)


_NEXT_MEMBER = re.compile(r"\s*(?:,|&|\+|/|\b(?:and|or|plus)\b)")


_NEW_CLAUSE = re.compile(r"\s*(?:[—–-]\s*)?(?:i|i'm|i've|we|he|she|they|no|not|never|is|are)\b")


def goes_on(found: Found, before: Sequence[Found], sentence: Sentence) -> bool:
    """Whether an English finding is a further member of a list of which others were found before ("Lightroom
    and Capture One")."""
    same = [b for b in before if b.predicate == found.predicate and b.start < found.end]
    is_listed = sentence.lang == "en" and found.predicate in _LISTED
    if not is_listed or found.mode is not Mode.state or not same:
        return False
    last = max(same, key=lambda b: b.end)
    if last.mode is not Mode.state or any(str(b.value) == str(found.value) for b in same):
        return False
    if _NEW_CLAUSE.match(sentence.low, found.end):
        return False
    between = sentence.low[last.end : found.end]
    return _NEXT_MEMBER.match(between) is not None and lower(str(found.value)) in between


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
