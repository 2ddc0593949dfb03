"""Takers of duties: what is forbidden by an imperative, a visa, a physician."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import sentence_case
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import parses

_FORCE_RU = re.compile(
    r"(?:^|\s)(?:никогда|категорически|ни в коем случае|ни за что|ни при каких(?: обстоятельствах)?|строго|пожалуйста|прошу|больше|мне|мной)(?=\s|$)"
)


def imperative_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A prohibition as an infinitive phrase ("в выходные не звоните никогда")."""
    clause = sentence.clause_at(start)
    words = _FORCE_RU.sub(" ", _FORCE_RU.sub(" ", sentence.low[clause.start : clause.end]))
    words = re.sub(r"[^\w\s-]", " ", words)
    parts = words.split()
    try:
        at = parts.index("не")
    except ValueError:
        return
    verb = next(
        (p for p in parses(parts[at + 1]) if p.tag.POS == "VERB" and p.tag.mood == "impr"), None
    ) if at + 1 < len(parts) else None  # fmt: skip
    if verb is None:
        return
    rest = parts[:at] + parts[at + 2 :]
    if not rest or len(rest) > 8:
        return
    yield " ".join(["не", verb.normal_form, *rest]), clause.start, clause.end


_VOWELS = "aeiou"


def _gerund(verb: str) -> str:
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    if re.search(rf"^[^{_VOWELS}]*[{_VOWELS}][bdgmnprt]$", verb):
        return f"{verb}{verb[-1]}ing"
    return f"{verb}ing"


def barred_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What a visa or a contract does not let one do ("doesn't let me freelance")."""
    end = re.compile(r"[,.;!?()]|\s(?:so|until|unless|but|because|and then)\b").search(sentence.low, start, stop)  # fmt: skip
    words = sentence.text[start : end.start() if end else stop].split()
    source = re.search(
        r"\b(visa|permit|contract|nda|non-?compete|lease|licen[cs]e|parole|probation|injunction|settlement|court order)\b",
        sentence.low,
    )
    if not 1 <= len(words) <= 8 or source is None:
        return
    verb = words[0].lower()
    act = verb if verb.endswith("ing") else _gerund(verb)
    value = " ".join(["no", act, *words[1:]])
    yield f"{value} (on the {source[1]})", start, start + len(" ".join(words))


def prohibition_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A prohibition to whoever reads, as it is said."""
    end = re.compile(r"[.;!?()]|,\s(?:it|i|that|this|please|thanks)\b").search(sentence.low, start, stop)  # fmt: skip
    value = sentence_case(sentence.text[start : end.start() if end else stop])
    if 2 <= len(value.split()) <= 10:
        yield f"never {value}", start, start + len(value)
