"""Whom a statement is about: the person that a verb belongs to."""

from collections.abc import Callable
from dataclasses import replace

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Scene, Who
from memory_pipeline.understand.extraction.introductions import introduction
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.persons_en import persons_en
from memory_pipeline.understand.extraction.persons_ru import persons_ru
from memory_pipeline.understand.extraction.sentences import Sentence

_SELF_CONTAINED = frozenset(
    {"address", "email", "phone", "budget_limit", "tool", "preference", "dislike", "pet"}
)


Latest = Callable[[], SubjectRef | None]
"""The last person of the message, or of those before it, that a pronoun may stand for."""


def persons(sentence: Sentence, scene: Scene) -> list[Person]:
    """The persons of a sentence in order, pronouns among them."""
    found = persons_ru(sentence, scene) if sentence.lang == "ru" else persons_en(sentence, scene)
    own = introduction(sentence)
    if own is None:
        return found
    out = []
    for person in found:
        if person.start < own.end and own.start < person.end:
            # a name's written form may be read as a case of another name ("Ника", "Влада")
            scene.people.introduce(own.name, scene.speaker, taken_for=person.name)
            me = SubjectRef(name=scene.speaker, is_speaker=True)
            person = replace(person, ref=me, name=own.name, first=True)
        out.append(person)
    return out


def subject_of(found: Found, sentence: Sentence, scene: Scene, latest: Latest) -> SubjectRef | None:
    """The subject of what a rule found, or None where it cannot be told."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    if found.subject is not None:
        return found.subject
    if found.who in (Who.first, Who.second):
        return me
    verb = found.start if found.verb is None else found.verb
    clause = sentence.clause_at(verb)
    everyone = persons(sentence, scene)
    here = [
        p
        for p in everyone
        if "nomn" in p.cases and clause.start <= p.start < verb and p.end <= verb + 3
    ]
    if not here and found.predicate not in _SELF_CONTAINED:
        here = [
            p for p in everyone
            if "nomn" in p.cases and verb < p.start < clause.end and p.start < found.end + 25
            and sentence.lang == "ru" and not p.pronoun
        ][:1]  # fmt: skip
    if here:
        if here[-1].pronoun:
            named = [
                p
                for p in everyone
                if p.end <= here[-1].start and not p.pronoun and not p.first and p.ref is not None
            ]
            if named:
                return named[-1].ref
        return _named_after(here[-1], everyone, sentence) or _resolved(here[-1], latest)
    if found.who is Who.third:
        owner = [p for p in everyone if "gent" in p.cases and verb <= p.end <= verb + 3 and p.ref]
        if owner:
            return owner[-1].ref
    earlier = [p for p in everyone if "nomn" in p.cases and p.end <= clause.start]
    if found.who is Who.third:
        oblique = [p for p in everyone if p.end <= clause.start and not p.pronoun and not p.first]
        earlier = [p for p in earlier if not p.first] or oblique
    if earlier and found.who is Who.third:
        return _resolved(earlier[-1], latest)
    if found.who is Who.third:
        return latest()
    if earlier and not earlier[-1].first:
        return _resolved(earlier[-1], latest)
    return me


def _named_after(pronoun: Person, everyone: list[Person], sentence: Sentence) -> SubjectRef | None:
    """Whom an English pronoun stands for that is named at the sentence's end ("She knows
    shorthand, my mum")."""
    last = everyone[-1]
    if sentence.lang != "en" or not pronoun.pronoun or last.pronoun or last.first:
        return None
    tail = sentence.low[last.end :].strip(" .!")
    lead = sentence.low[pronoun.end : last.start].rstrip()
    if tail not in ("", "did", "does", "has", "is") or not lead.removesuffix(" my").endswith(","):
        return None
    return last.ref


def _resolved(person: Person, latest: Latest) -> SubjectRef | None:
    return latest() if person.pronoun else person.ref
