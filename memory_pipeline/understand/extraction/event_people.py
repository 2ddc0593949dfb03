"""Who took part in an event, as its sentence names them."""

import re
from collections.abc import Iterator, Sequence

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.calendar_words import CALENDAR_EN
from memory_pipeline.understand.extraction.event_cores import Core
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.people import describe, is_other_person, relative_kind
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, lemma, parses


def who_took_part(
    core: Core, sentence: Sentence, everyone: Sequence[Person], scene: Scene
) -> tuple[SubjectRef, ...]:
    """Who took part: the subject, else the speaker, and whom the sentence names beside."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    clause = sentence.clause_at(core.start)
    near = [
        p for p in everyone
        if clause.start <= p.start < clause.end and not _IN_PLACE.search(sentence.low[: p.start])
    ]  # fmt: skip
    others = [p for p in near if p.ref is not None and not p.first]
    subjects = [
        p for p in others if "nomn" in p.cases and not _BESIDE.search(sentence.low[: p.start])
    ]
    is_me = any(p.first and "nomn" in p.cases for p in near)
    third = any(p.pronoun and "nomn" in p.cases and p.start < core.start for p in near)
    undergoes = [p for p in others if p.cases & {"datv"} and "nomn" not in p.cases]
    out: list[SubjectRef] = []
    if undergoes and not is_me and _IMPERSONAL.search(sentence.low[clause.start : clause.end]):
        return tuple(dict.fromkeys(p.ref for p in undergoes if p.ref is not None))
    if third and not subjects:
        before = [p.ref for p in everyone if p.start < core.start and p.ref and not p.first]
        return (before[-1],) if before else ()
    if not core.what and not is_me and (theirs := _whose(core, sentence, others)):
        return theirs
    if core.subject is not None and not is_me:
        who = scene.people.resolve(core.subject)
        return tuple(dict.fromkeys([who, *(p.ref for p in others if p.ref is not None)]))
    if is_me or core.thing or not subjects:
        out.append(me)
    out.extend(p.ref for p in others if p.ref is not None)
    out.extend(_unnamed(sentence, clause.start, clause.end, scene.speaker))
    if any(p.pronoun and "nomn" not in p.cases for p in near) and len(set(scene.people.named)) == 1:
        out.append(scene.people.resolve(scene.people.named[-1]))
    return tuple(dict.fromkeys(out))


def _is_somebody(word: str) -> bool:
    return not is_russian(word) or parses(word)[0].tag.POS == "NOUN"


def _whose(core: Core, sentence: Sentence, others: Sequence[Person]) -> tuple[SubjectRef, ...]:
    """Whose event a noun tells of: "у Тимура защита", "my sister's graduation"."""
    found = [
        p.ref for p in others
        if p.ref is not None and p.cases & {"gent"} and p.start <= core.end
        and (sentence.lang == "en" or _BY.search(sentence.low[: p.start]))
    ]  # fmt: skip
    return tuple(dict.fromkeys(found))


_BY = re.compile(r"\bу\s+(?:моего\s+|моей\s+|нашего\s+|нашей\s+)?$")
_BESIDE = re.compile(
    r"\b(?:with|to|for|from|by|at|of|about|after|before|without|near)\s+(?:my |our |the )?$"
)
_IN_PLACE = re.compile(r"\b(?:в|во|на|из|под|до)\s+$")
_IMPERSONAL = re.compile(r"\b[а-я]{3,}(?:ли|ют|ят|ут|ат)\b")
_BESIDE_EN = re.compile(
    r"\b(?P<a>[A-Z][a-z]+) and I\b|\b(?:with|met|saw)\s+(?P<b>[A-Z][a-z]+)(?=\s*(?:[,.!]|$|\b(?:in|on|at|yesterday|last|this|today|tomorrow|next|and)\b))"
)
_SOMEBODY_EN = re.compile(r"\bmy\s+([a-z]+)\b")
_SOMEBODY_RU = re.compile(r"\b(?:мой|моя|моим|моей|нашим|нашей)\s+([а-я]+)\b")


def _unnamed(sentence: Sentence, start: int, stop: int, speaker: str) -> Iterator[SubjectRef]:
    """People who are told by what they are to the speaker ("my landlord")."""
    if sentence.lang == "en":
        for one in _BESIDE_EN.finditer(sentence.text, start, stop):
            name = one["a"] or one["b"]
            if not is_known_place(name) and name.lower() not in CALENDAR_EN:
                yield SubjectRef(name=name, is_speaker=False)
    pattern = _SOMEBODY_RU if sentence.lang == "ru" else _SOMEBODY_EN
    for found in pattern.finditer(sentence.low, start, stop):
        if is_other_person(found[1]) and relative_kind(found[1]) is None and _is_somebody(found[1]):
            yield SubjectRef(
                name=describe(speaker, lemma(found[1]), sentence.lang), is_speaker=False
            )
