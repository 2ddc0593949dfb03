"""What fills a slot of an English construction: noun phrases of any words."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import POINTING_EN
from memory_pipeline.understand.extraction.phrases import english_phrase
from memory_pipeline.understand.extraction.sentences import Sentence

_EMPTY = POINTING_EN | frozenset(
    [
        "why",
        "where",
        "one",
        "here",
        "there",
        "those",
        "these",
        "way",
        "time",
        "lot",
        "lots",
        "idea",
        "fact",
        "thing",
        "things",
        "stuff",
        "some",
        "any",
        "all",
        "much",
        "enough",
        "more",
        "less",
        "so",
        "very",
        "too",
        "not",
        "no",
        "never",
        "i",
        "we",
        "he",
        "she",
        "they",
        "to",
        "the",
        "being",
        "your",
        "his",
        "their",
        "someone",
        "anyone",
        "everyone",
        "people",
        "people's",
        "guys",
        "myself",
        "yourself",
        "himself",
        "herself",
        "themselves",
        "whatever",
        "whichever",
        "whether",
        "if",
        "each",
        "other",
        "another",
        "better",
        "worse",
        "best",
        "worst",
        "same",
        "such",
        "like",
        "just",
        "only",
        "even",
        "again",
        "yet",
        "ever",
        "quite",
        "really",
        "pretty",
        "my",
        "our",
        "its",
        "a",
        "an",
        "u",
        "ya",
        "yall",
    ]
)
_LEADING = re.compile(r"\s*(?:(?:an?|the|my|our|some|any|all|both|kinds of|sorts of)\s+)*")
_VAGUE_START = re.compile(
    r"\s*(?:it|that|this|you|your|him|her|his|them|their|when|how|what|who|why|where|if|to (?:say|see|hear|be|admit|ask|bother|do|know|tell|break)|the (?:way|fact|idea|time|thing|other|same|whole|first|last|next|one)|being (?:able|honest)|i|we|he|she|they|people(?! who\b)|everyone|me|us|not|no|these|those|and|or|but|one)\b"
)
_OF_YOURS = re.compile(r"\b(?:you|your|yours|u|ur)\b")
_OF_THING = frozenset({"in", "on", "at", "with", "over", "to", "by", "for", "without", "from", "through"})  # fmt: skip


def noun_en(
    words: int = 5,
    *,
    limit: int = 3,
    keep: frozenset[str] = frozenset(),
    acts: bool = True,
    plain: bool = False,
) -> Take:
    """Things of any words, in a row; a gerund with what belongs to it.

    `keep`: prepositions that belong to the phrase. `acts`: a gerund serves. `plain`: the row is
    one thing.
    """

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop]
        at, n = start, 0
        while n < limit:
            if _VAGUE_START.match(sentence.low, at):
                return
            doing = re.compile(r"\s*[a-z]{3,}ing\b", re.IGNORECASE).match(text, at)
            if doing and not acts:
                return
            found = english_phrase(text, at, _OF_THING if doing else keep, 6 if doing else words)
            if found is None:
                return
            first = found[0].lower().split()[0]
            if first.split("'")[0] in _EMPTY or len(found[0]) < 2 or first[0].isdigit():
                return
            if _OF_YOURS.search(found[0].lower()):
                return
            yield found
            n += 1
            joint = re.compile(r"\s*(?:,\s*(?:and\s+|or\s+)?|\+|&|/|\s(?:and|or|plus)\s)\s*").match(text, found[2])  # fmt: skip
            if joint is None or plain or (doing and " " in found[0]):
                return
            following = text[joint.end() :]
            if re.match(
                r"(?:i|we|he|she|it|they|you|my|his|her|that|this|not|no|so|but|which|who|can|will|is|am|are|was|have|has|had|do|don't|get|got|love|hate|like|then|also|now|i'm|it's|we're|there|even|always|never)\b",
                following, re.IGNORECASE,
            ):  # fmt: skip
                return
            if re.match(r"(?:based|living|working|married|divorced|single|widowed|retired|vegan|vegetarian|diabetic|born|aged|keep|make|watch|avoid|bring|leave|so|shout|let|tell|ask|call|text|check|don't|just|please|feel|drop|come|hit|ping|give|message|contact)\b|(?:tastes?|smells?|looks?|sounds?|feels?|makes?|gives?|reminds?|turns?)\s|\w+\s+(?:is|are|was|were|has|have|had|can|will|did|does|[a-z]+s\s+(?:the|a|my|me|like))\b", following):  # fmt: skip
                return
            at = joint.end()

    return take


def slot_en(words: int = 4) -> Take:
    """The noun phrase that fills the slot, whole."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        value = sentence.text[start:stop].strip(" ,.;:!?-—–\"'")
        lead = _LEADING.match(value.lower())
        bare = value[lead.end() :] if lead else value
        parts = bare.lower().split()
        if not 1 <= len(parts) <= words or parts[0].split("'")[0] in _EMPTY or len(bare) < 2:
            return
        at = sentence.text.find(bare, start)
        yield bare, at, at + len(bare)

    return take


def formed_of(take: Take, forms: dict[str, str], form: str) -> Take:
    """What `take` reads, put into words by the verb before it ("tore" → "torn {}")."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        before = re.findall(r"[a-z]+", sentence.low[:start])
        verb = next((forms[w] for w in reversed(before) if w in forms), "")
        for value, a, b in take(sentence, scene, start, stop):
            yield form.format(verb=verb, value=value).strip(), a, b

    return taking
