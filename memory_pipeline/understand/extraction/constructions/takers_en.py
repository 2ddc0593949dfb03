"""Takers of English slots: places, firms, jobs, things, aims."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.constructions.takers import NO_THING, aim
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    phrase_list,
)
from memory_pipeline.understand.extraction.places import (
    english_place,
    is_known_place,
)
from memory_pipeline.understand.extraction.rules.aims import purpose
from memory_pipeline.understand.extraction.rules.employers_en import organisation_en
from memory_pipeline.understand.extraction.sentences import Sentence


def place_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One place."""
    found = english_place(sentence.text[:stop], start)
    if found is not None:
        yield found


def firm_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One firm in an English sentence; also "the city of Tacoma", "a local bakery" is none."""
    text = sentence.text[:stop]
    body = re.compile(
        r"\s*(?:the\s+)?((?:city|county|state|department|ministry|university|government|port|bank) of (?:the\s+)?[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)"
    ).match(text, start)
    if body:
        yield body[1], body.start(1), body.end(1)
        return
    found = organisation_en(text, start)
    if found is not None and not found[0][0].isdigit() and not is_known_place(found[0]):
        yield found


_JOB_END_EN = re.compile(
    r"(?=\s+(?:at|for|with|in|on|from|and|but|who|now|by|here|since|until|these|currently|so|i|today|tomorrow|yesterday|tonight|again|as|after)\b|\s*[,.;:!?)(—–]|\s+-\s|\s*$)"
)


def job_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A job after words that announce one: up to five words before a boundary."""
    lead = re.compile(r"\s*(?:(?:an?|the|our|their)\s+)?", re.IGNORECASE).match(
        sentence.text, start
    )
    at = lead.end() if lead else start
    end = _JOB_END_EN.search(sentence.text, at, stop)
    if end is None or end.start() <= at:
        return
    value = sentence.text[at : end.start()].strip()
    words = value.split()
    if not 1 <= len(words) <= 5 or words[0].lower() in NO_THING or words[-1].lower() in NO_THING:
        return
    if (words[0].lower().endswith("ing") and words[0].lower() != "acting") or words[-1].lower() in {"team", "kid", "child", "joke", "result", "rule"}:  # fmt: skip
        return
    yield value, at, at + len(value)


_ACT = frozenset({"to", "for", "in", "on", "with", "at", "over", "by", "about"})


def things_en(words: int = 3, limit: int = 3, keep: frozenset[str] = frozenset()) -> Take:
    """An enumeration of things in English."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop]
        if keep:
            one = english_phrase(text, start, keep, words)
            if one is not None and one[0].lower().split()[0] not in NO_THING:
                yield one
            return
        if re.compile(r"\s*(?:the|that|this|your|his|her|their|these|those|how)\b", re.IGNORECASE).match(text, start):  # fmt: skip
            return
        doing = re.compile(r"\s*(?!being\b)[a-z]{3,}ing\b").match(text, start)
        if doing is not None:
            whole_act = english_phrase(text, start, _ACT, 7)
            if whole_act is not None:
                yield whole_act
            return
        for name, a, b in phrase_list(text, start, "en", max_words=words, limit=limit):
            if name.lower().split()[0].split("'")[0] in NO_THING | {
                "being",
                "i",
                "we",
                "he",
                "she",
                "they",
            }:
                return
            yield name, a, b

    return take


def subject_en(words: int = 3) -> Take:
    """The noun phrase of the slot, whole ("Long meetings" of "Long meetings drive me crazy")."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        value = sentence.text[start:stop].strip()
        bare = re.sub(r"^(?:the|a|an|my|all|those|these)\s+", "", value, flags=re.IGNORECASE)
        parts = bare.lower().split()
        if not 1 <= len(parts) <= words or parts[0] in NO_THING | {"i", "he", "she", "we", "they"}:
            return
        yield bare, stop - len(bare), stop

    return take


def dropped_aim(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """An aim that is given up, its gerund as a plain verb."""
    end = re.compile(r"[,.;!?()]").search(sentence.text, start, stop)
    value = purpose(sentence.text[start : end.start() if end else stop])
    if value:
        yield re.sub(r"^(\w+?)ing\b", r"\1", value), start, start + len(value)


def plain_verb_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one can do, in up to five words."""
    end = re.compile(
        r"[,.;!?()]|\s(?:and|but|so|because|when|if|now|too|last|this|since)\b"
    ).search(sentence.low, start, stop)
    value = sentence.text[start : end.start() if end else stop].strip()
    if 1 <= len(value.split()) <= 5 and not re.match(
        r"(?:be|have|do|get|love|say|deal|live|handle|let|help|cope|feel|see|tell|know)\b", value
    ):
        yield value, start, start + len(value)


_VERB_EN = re.compile(r"(?:is|are|was|the|a|an|my|it|that|this|not|\w+ing)\b")


def infinitive_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """An aim whose first word is a plain verb."""
    if not _VERB_EN.match(sentence.low[start:].lstrip()):
        yield from aim(sentence, scene, start, stop)
