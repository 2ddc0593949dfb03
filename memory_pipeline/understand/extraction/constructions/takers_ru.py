"""Takers of Russian slots: places, firms, jobs, things, aims."""

import re
from collections.abc import Iterator, Sequence

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.constructions.takers import NO_THING, aim
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import is_occupation
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import (
    phrase_list,
    russian_phrase,
)
from memory_pipeline.understand.extraction.places import (
    is_known_place,
    place_alias,
    russian_place,
)
from memory_pipeline.understand.extraction.rules.aims import purpose
from memory_pipeline.understand.extraction.rules.employers_ru import organisation_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, nominative, parses, reading


def place_ru(*cases: str, geo: bool = False) -> Take:
    """One place; `geo` takes only what the dictionary knows as a place."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_place(sentence.text[:stop], start, cases)
        if found is None:
            return
        word = sentence.text[found[1] : found[2]].split()[-1]
        if geo and is_russian(word) and not (
            reading(word, "Geox", cases=cases) or place_alias(found[0])
        ):  # fmt: skip
            return
        if geo and not is_russian(word) and not is_known_place(found[0]):
            return
        if geo and word[0].islower() and not (is_known_place(found[0]) or parses(word)[0].is_known):
            # a word that is not in the dictionary may be read as anything
            return
        yield found

    return take


def organisation(*cases: str) -> Take:
    """One firm in a Russian sentence."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = organisation_ru(sentence.text[:stop], start, cases)
        if found is None:
            return
        quoted = sentence.text[found[1] - 1 : found[1]] in ("«", '"', "“")
        person = any("Name" in p.tag and p.is_known for p in parses(found[0].split()[0]))
        if quoted or not person:
            yield found

    return take


_NOT_A_JOB = frozenset(
    [
        "человек",
        "муж",
        "жена",
        "брат",
        "сестра",
        "отец",
        "мать",
        "друг",
        "подруга",
        "сын",
        "дочь",
        "ребенок",
        "дурак",
        "идиот",
        "гений",
        "молодец",
        "клиент",
        "пользователь",
        "гость",
        "житель",
        "читатель",
        "подписчик",
        "веган",
        "вегетарианец",
        "вегетарианка",
        "веганка",
        "папа",
        "мама",
        "отец",
        "родитель",
        "студент",
        "студентка",
        "пенсионер",
        "победитель",
        "чемпион",
        "участник",
        "член",
        "фанат",
        "поклонник",
        "любитель",
        "мужчина",
        "женщина",
        "девушка",
        "парень",
    ]
)


def job_ru(*cases: str, known: bool = False) -> Take:
    """A job after words that announce one: any phrase whose head names a person by kind.

    `known` asks for the shape of an occupation, where the words before announce other things too.
    """

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_phrase(sentence.text[:stop], start, cases, 4, frozenset({"по"}))
        if found is None:
            return
        words = sentence.text[found[1] : found[2]].split()
        heads = [reading(w, "NOUN", cases=cases) for w in words]
        nouns = [h for h in heads if h is not None]
        head = next((h for h in nouns if is_occupation(str(h.word))), nouns[0] if nouns else None)
        latin = any(w.isascii() for w in words)
        if head is None or "Name" in head.tag or head.normal_form in _NOT_A_JOB:
            return
        if "anim" not in head.tag and not latin:
            return
        if known and not is_occupation(str(head.word)):
            return
        yield _as_listed(found[0][:1].lower() + found[0][1:], words), found[1], found[2]

    return take


def _as_listed(value: str, words: Sequence[str]) -> str:
    """A job's phrase with its head as the list of occupations has it: a word of no dictionary is
    declined by guess ("девопсом" → "девопёс")."""
    for word in words:
        for ending in ("ом", "ем", "а", "у", "е"):
            base = word.removesuffix(ending).lower()
            if base != word.lower() and is_occupation(base) and base not in value.split():
                made = nominative(word)
                return " ".join(base if part == made else part for part in value.split())
    return value


def things_ru(*cases: str, words: int = 3, limit: int = 3) -> Take:
    """An enumeration of things in Russian, in one of `cases`."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, words, limit):
            if name.lower() in NO_THING or is_given_name(name.split()[0]):
                return
            yield name, a, b

    return take


def slot_ru(*cases: str, words: int = 3) -> Take:
    """A phrase that fills the slot to its very end (the object before its verb)."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop].rstrip()
        first = start
        for n in range(words):
            found = russian_phrase(text, first, cases, words, frozenset({"без"}))
            if found is not None and found[2] == len(text) and found[0].lower() not in NO_THING:
                yield found
                return
            gap = re.compile(r"\S+\s+").match(text, first)
            if gap is None or n == words - 1:
                return
            first = gap.end()

    return take


def infinitive_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """An aim whose first word is an infinitive; what stands before it is passed over."""
    text = sentence.text[:stop]
    head = re.compile(r"(?:[\w-]+\s+){0,3}?(?P<verb>[а-яё]+(?:ть|ти|чь|ться|тись|чься))\b").match(text, start)  # fmt: skip
    if head is not None and reading(head["verb"], "INFN") is not None:
        yield from aim(sentence, scene, head.start("verb"), stop)


def genitive_of(inner: Take, form: str) -> Take:
    """What `inner` takes, its one word in the genitive within `form`; longer ones as they are."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            parse = parses(str(value))[0] if is_russian(str(value)) else None
            case = parse.inflect({"gent"}) if parse is not None else None
            yield form.format(case.word if case is not None else value), a, b

    return take


_EMPTY_ACT = re.compile(
    r"(?:быть|делать|сказать|спросить|узнать|уточнить|посмотреть|пойти|идти|спать|есть|что|поспать|отдохнуть)\b"
)


def plans_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Actions of an enumeration ("взять отпуск и съездить на Алтай"), each with its object."""
    end = re.compile(r"[.;!?()\n]|,\s+(?!(?:[а-я]+\s+)?[а-я]+(?:ть|ти|чь|ться)\b)").search(sentence.text, start, stop)  # fmt: skip
    raw = sentence.text[start : end.start() if end else stop]
    at = start
    for piece in re.split(r"((?:,\s+|\s+)(?:и|а\s+потом|потом|а\s+также)\s+(?=[а-я]+(?:ть|ти|чь|ться)\b)|,\s+)", raw):  # fmt: skip
        value = purpose(piece)
        head = re.match(r"[а-яё]+(?:ть|ти|чь|ться|тись)\b", value.lower())
        if head and len(value.split()) > 1 and not _EMPTY_ACT.match(value.lower()):
            yield value, at, at + len(piece)
        at += len(piece)
