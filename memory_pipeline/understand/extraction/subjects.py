"""Whom a statement is about: the person that a verb belongs to."""

from collections.abc import Callable

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Scene, Who
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
    return persons_ru(sentence, scene) if sentence.lang == "ru" else persons_en(sentence, scene)


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
        return _resolved(here[-1], latest)
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


def _resolved(person: Person, latest: Latest) -> SubjectRef | None:
    return latest() if person.pronoun else person.ref
