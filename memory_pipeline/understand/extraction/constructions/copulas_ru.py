"""Russian clauses without a verb: "жена бухгалтер", "я теперь питерская", "мы томичи"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.extraction.constructions.clauses_ru import NO_CLAIM, is_light
from memory_pipeline.understand.extraction.constructions.demonyms import home_by_adjective, home_of
from memory_pipeline.understand.extraction.constructions.takers_ru import job_ru
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.lexicon import is_named_occupation, is_occupation
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.morphology import is_russian, lemma, parses

_EATERS = {
    "веган": "веган", "веганка": "веган", "вегетарианец": "вегетарианец", "вегетарианка": "вегетарианец",
    "сыроед": "сыроед", "сыроедка": "сыроед", "пескетарианец": "пескетарианец", "пескетарианка": "пескетарианец",
    "флекситарианец": "флекситарианец", "мясоед": "мясоед",
}  # fmt: skip
_PATIENTS = {
    "диабетик": "диабет", "гипертоник": "гипертония", "астматик": "астма", "эпилептик": "эпилепсия",
    "дальтоник": "дальтонизм", "сердечник": "болезнь сердца", "язвенник": "язва", "гемофилик": "гемофилия",
}  # fmt: skip
_BETWEEN = frozenset({"у", "меня", "нас", "по", "профессии", "специальности", "с", "со", "семьей", "женой", "мужем", "оба", "обе", "же", "ж", "родом", "но", "сам", "сама", "сами"})  # fmt: skip


@lru_cache(maxsize=16_384)
def _kind(word: str) -> str | None:
    """What sort of predicate a word in the nominative may be, or None."""
    if not is_russian(word):
        return None
    best = parses(word)[0]
    if word[0].isupper() and any({"Name", "Patr", "Surn"} & p.tag.grammemes for p in parses(word)):
        return None
    base = lemma(word)
    if best.tag.POS in ("ADJF", "ADJS") and home_by_adjective(word) is not None:
        return "home_adjective"
    nominative = next(
        (p for p in parses(word) if p.tag.POS == "NOUN" and p.tag.case == "nomn"), None
    )
    if nominative is None:
        return None
    if base in _EATERS:
        return "eater"
    if base in _PATIENTS:
        return "patient"
    if "anim" not in nominative.tag or "Name" in best.tag:
        return None
    if home_of(base) is not None or home_of(word) is not None:
        return "home"
    return "job" if is_occupation(word) else None


@lru_cache(maxsize=16_384)
def _trade_of_verb(word: str) -> tuple[str, bool] | None:
    """The trade that a verb in the present is made of, and whether the speaker does it
    ("менеджерю" → менеджер)."""
    if not _AS_VERB.search(word) or not is_russian(word):
        return None
    for parse in parses(word):
        verb = str(parse.normal_form)
        if parse.tag.POS != "VERB" or parse.tag.tense != "pres" or parse.tag.person == "2per":
            continue
        for ending in ("ствовать", "ничать", "ить"):
            trade = verb.removesuffix(ending)
            trade += "ник" if ending == "ничать" else ""
            if (
                trade != verb
                and len(trade) > 4
                and trade not in _NO_TRADE
                and is_named_occupation(trade)
            ):
                return trade, parse.tag.person == "1per"
    return None


_AS_VERB = re.compile(r"(?:[рлн](?:ю|ит|им|ят)|ству(?:ю|ет|ем)|нича(?:ю|ет|ем))(?!\w)")
_NO_TRADE = frozenset({"мастер", "гонец", "капитан"})


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What the verbless clauses of a sentence say of persons: trades, homes, ways of eating."""
    for word, start, end in sentence.tokens if _AS_VERB.search(sentence.low) else ():
        trade = _trade_of_verb(word.lower())
        if trade and sentence.clause_at(start).blocked is None:
            who = Who.first if trade[1] else Who.third
            yield Found("job_title", trade[0], start, end, Mode.state, who, verb=start, confidence=0.75, dated=True)  # fmt: skip
    kinds = [(n, kind) for n, (word, _, _) in enumerate(sentence.tokens) if (kind := _kind(word))]
    if not kinds:
        return
    everyone = persons(sentence, scene)
    for n, kind in kinds:
        word, start, end = sentence.tokens[n]
        clause = sentence.clause_at(start)
        if clause.blocked or NO_CLAIM.search(sentence.low[:start][-60:]):
            continue
        person, at = _subject(sentence, everyone, n, clause.start)
        if person is None or person.pronoun or person.ref is None:
            continue
        low = word.lower().replace("ё", "е")
        if kind == "job":
            yield from _job(sentence, scene, person, at, start, end)
        elif kind in ("home", "home_adjective"):
            home = (
                home_by_adjective(word)
                if kind == "home_adjective"
                else home_of(lemma(low)) or home_of(low)
            )
            after = sentence.tokens[n + 1][0] if n + 1 < len(sentence.tokens) and sentence.tokens[n + 1][1] < clause.end else ""  # fmt: skip
            is_attribute = (
                kind == "home_adjective"
                and is_russian(after)
                and parses(after)[0].tag.POS == "NOUN"
            )
            if home and not is_attribute:
                yield _found("location", home, person, start, end)
        elif kind == "eater":
            yield _found("diet", _EATERS[lemma(word)], person, start, end)
        else:
            yield _found("medical_condition", _PATIENTS[lemma(word)], person, start, end)


def _found(predicate: str, value: str, person: Person, start: int, end: int) -> Found:
    return Found(
        predicate, value, person.start, end, Mode.state, subject=person.ref, verb=start,
        confidence=0.75, dated=False,
    )  # fmt: skip


def _subject(
    sentence: Sentence, everyone: list[Person], n: int, start: int
) -> tuple[Person | None, int]:
    """The person right before a predicate, adverbs between, and where the predicate begins."""
    first = n
    for at in range(n - 1, -1, -1):
        word, a, _ = sentence.tokens[at]
        if a < start:
            break
        low = word.lower().replace("ё", "е")
        if low == "не":
            return None, first
        person = next((p for p in everyone if p.start <= a < p.end), None)
        is_of_me = low in ("меня", "нас") and at and sentence.tokens[at - 1][0].lower() == "у"
        if person is not None and not is_of_me:
            return (person if "nomn" in person.cases else None), first
        if low in _BETWEEN or is_light(word):
            continue
        if (
            is_russian(word)
            and parses(word)[0].tag.POS in ("ADJF", "PRTF", "NUMR")
            and first == at + 1
        ):
            first = at
            continue
        break
    return None, first


def _job(
    sentence: Sentence, scene: Scene, person: Person, at: int, start: int, end: int
) -> Iterator[Found]:
    for begin in dict.fromkeys((sentence.tokens[at][1], start)):
        for value, a, b in job_ru("nomn", known=True)(
            sentence, scene, begin, sentence.clause_at(start).end
        ):
            if a <= start < b and not (person.start <= a < person.end):
                yield _found("job_title", str(value), person, a, max(b, end))
                return
