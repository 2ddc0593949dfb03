"""Whose words a statement's evidence is: what somebody says of herself is hers, though it be the same
as what is erased of another."""

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from memory_pipeline.governance.erasure.aliases import introduces
from memory_pipeline.governance.erasure.mentions import Forms, find, sentence_around, words_of
from memory_pipeline.understand.extraction.quotations import in_first_person
from memory_pipeline.understand.morphology import is_russian, parses

_SHARED = re.compile(
    r"\b(?:мы|нас|нам|нами|наш\w{0,3}|вместе|вдво[её]м|об[ае]|обоих|обоим|он|она|они|н?его|н?е[ёй]"
    r"|н?ему|н?им|н?их|ним|ними|нём|нем"
    r"|we|we['’]\w+|us|our|ours|both|together|he|she|they|him|her|them|his|hers|their|theirs"
    r"|(?:he|she|they)['’]\w+)\b",
    re.IGNORECASE,
)


def are_own(evidence: Iterable[tuple[str, int, int]], has_name: Callable[[str], object]) -> bool:
    """Whether a speaker speaks of herself in the sentences around the evidence, each given as its
    message's text and a span [start, end): one is in the first person, as an extractor's word for
    it is not enough to keep an erased value for, and none has a name of who is erased (`has_name`),
    whom it may be about."""
    sentences = [text[slice(*sentence_around(text, start, end))] for text, start, end in evidence]
    return any(map(in_first_person, sentences)) and not any(map(has_name, sentences))


def may_be_of_both(
    evidence: Iterable[tuple[str, int, int]], has_name: Callable[[str], object]
) -> bool:
    """Whether what a speaker says of herself may also be said of who is erased: "we live there", "he
    does too", or the name stands elsewhere in the message. A person has to decide."""
    return any(
        has_name(text) or _is_shared(text[slice(*sentence_around(text, start, end))])
        for text, start, end in evidence
    )


def _is_shared(sentence: str) -> bool:
    return _SHARED.search(sentence) is not None or any(map(_is_plural, words_of(sentence)))


@lru_cache(maxsize=8192)
def _is_plural(word: str) -> bool:
    """Whether a word is a Russian verb of "we"."""
    return is_russian(word) and {"VERB", "1per", "plur"} <= parses(word)[0].tag.grammemes


def calls_herself(text: str, names: Forms, exact: Collection[str]) -> bool:
    """Whether a message's writer introduces herself by one of the names, `exact` as they are stored
    (folded): then she is whom they name, whatever her label."""
    return any(
        introduces(text, start, end, is_exact=" ".join(words_of(text[start:end])) in exact)
        for start, end in find(names, text)
    )
