"""Which thing told before a contrast takes back, and what it puts for it ("не в Омск, а в Томск",
"not nuts but soy")."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.extraction.frames import Mode
from memory_pipeline.understand.extraction.lexicon import is_occupation
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import english_phrase, quoted_at, russian_phrase
from memory_pipeline.understand.extraction.places import english_place, fold, russian_place
from memory_pipeline.understand.extraction.reading import Statement
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.morphology import is_russian, lemma

_LEAD = re.compile(
    r"\s*[«\"]?(?:(?:in|at|from|to|for|with|on|near|the|my|a|an|it's|it is|в|во|на|из|с|со|у|к|от)\s+)*[«\"]?",
    re.IGNORECASE,
)
_CASES = {
    "из": ("gent",), "с": ("gent", "ablt"), "со": ("gent", "ablt"), "от": ("gent",), "у": ("gent",), "к": ("datv",),
    "в": ("accs", "loct", "loc2"), "во": ("accs", "loct", "loc2"), "на": ("accs", "loct", "loc2"),
}  # fmt: skip
_ANY_CASE = ("nomn", "accs", "gent", "ablt", "loct", "datv")
_TAKEN_BACK = frozenset({"location", "employer", "allergy", "medication", "job_title", "relative", "pet"})  # fmt: skip
_STANDS = (Mode.state, Mode.change)
_SINCE = re.compile(r"\b(?:теперь|уже|сейчас|больше|now|any ?more|these days)\b")
"""A word that tells of a change: what was told did hold."""
_CLAUSE = re.compile(r"\b(?:i|we|you|he|she|it|they)\b")
_IS_ALLERGY = re.compile(r"allerg|аллерг")
_FURTHER = re.compile(
    r"\b(?!(?:turns|actually|meant|mean|should|have|said|rather|that|that's|it's|this|allergic|allergy|оказалось|оказалась|оказался|имел[аи]?|виду|это|аллергия|точнее|вернее|было|конечно|разумеется|естественно|правильно|простите|извините|сорри|опечатка|опечатался|опечаталась|ошибся|ошиблась|перепутал[аи]?)\b)[^\W\d_]{4,}"
)
"""A longer word of something else that a sentence tells beside its contrast."""


def contrasted(
    said: Sequence[Statement],
    statements: Sequence[Statement],
    old: str,
    new: str,
    beside: str,
    lang: str,
    is_slip: bool,
) -> tuple[Statement, str] | None:
    """The statement that `old` names, and the value that `new` puts for it; None where no such
    thing was told, or where the message tells of something else with the same words.

    `new` is as written; `beside` is the rest of the sentence.
    """
    if _SINCE.search(beside) or _SINCE.search(lower(new)):
        return None
    for was in reversed(said):
        predicate = was.found.predicate
        if predicate not in _TAKEN_BACK or was.found.mode not in _STANDS:
            continue
        kind, _, name = str(was.value).rpartition(": ")
        if not _is_named(old, name):
            continue
        here = [
            s for s in statements if s.found.predicate == predicate and s.subject == was.subject
        ]
        if any(s.found.mode is Mode.denial and s.value == was.value for s in here):
            return None
        stated = [s for s in here if s.found.mode in _STANDS and s.value != was.value]
        if stated:
            return was, str(stated[0].value)
        if tells_more(beside) and not is_slip:
            continue
        value = _value(predicate, new, lang)
        if value is not None and predicate == "allergy" and _IS_ALLERGY.search(fold(value)):
            continue
        if value is not None and fold(value) != fold(name):
            return was, f"{kind}: {value}" if kind else value
    return None


def tells_more(beside: str) -> bool:
    """Whether the rest of a sentence tells something besides its contrast."""
    return _FURTHER.search(beside) is not None


def _is_named(words: str, name: str) -> bool:
    """Whether words name this, in any case."""
    bare = words[len(_LEAD.match(words)[0]) :]  # type: ignore[index]
    return _lemmas(bare) == _lemmas(name) != []


def _lemmas(text: str) -> list[str]:
    return [fold(lemma(w)) for w in re.findall(r"[\w'&-]+", text)]


def _value(predicate: str, new: str, lang: str) -> str | None:
    lead = _LEAD.match(new)
    at = lead.end() if lead else 0
    prepositions = re.findall(r"\w+", new[:at].lower())
    quoted = quoted_at(new, at - 1) if at and new[at - 1] in '«"' else None
    if quoted:
        return quoted[0]
    cases = _CASES.get(prepositions[0], _ANY_CASE) if prepositions else ("nomn",)
    is_ru = lang == "ru" and is_russian((re.findall(r"\w+", new[at:]) or ["x"])[0])
    if predicate == "location":
        place = russian_place(new, at, cases) if is_ru else english_place(new, at)
        return place[0] if place and not tells_more(new[place[2] :]) else None
    found = russian_phrase(new, at, cases, 3) if is_ru else english_phrase(new, at, max_words=3)
    if is_ru and found is None:
        found = russian_phrase(new, at, _ANY_CASE, 3)
    if found is None or tells_more(new[found[2] :]) or _CLAUSE.search(lower(found[0])):
        return None
    value = found[0]
    if predicate == "job_title":
        return value if is_occupation(value.split()[-1]) else None
    if predicate == "employer":
        return value if new[found[1]].isupper() else None
    if predicate in ("relative", "pet"):
        is_name = new[found[1]].isupper() and (
            predicate == "pet" or is_given_name(value.split()[0])
        )
        return value if is_name else None
    return value.lower() if value[:1].isupper() and predicate == "allergy" and is_ru else value
