"""Whose words a statement's evidence is: what somebody says of herself is hers, though it be the same
as what is erased of another."""

from collections.abc import Callable, Collection, Iterable

from memory_pipeline.governance.erasure.aliases import introduces
from memory_pipeline.governance.erasure.mentions import Forms, find, sentence_around, words_of
from memory_pipeline.understand.extraction.quotations import in_first_person


def are_own(evidence: Iterable[tuple[str, int, int]], has_name: Callable[[str], object]) -> bool:
    """Whether a speaker speaks of herself in the sentences around the evidence, each given as its
    message's text and a span [start, end): one is in the first person, as an extractor's word for
    it is not enough to keep an erased value for, and none has a name of who is erased (`has_name`),
    whom it may be about."""
    sentences = [text[slice(*sentence_around(text, start, end))] for text, start, end in evidence]
    return any(map(in_first_person, sentences)) and not any(map(has_name, sentences))


def calls_herself(text: str, names: Forms, exact: Collection[str]) -> bool:
    """Whether a message's writer introduces herself by one of the names, `exact` as they are stored
    (folded): then she is whom they name, whatever her label."""
    return any(
        introduces(text, start, end, is_exact=" ".join(words_of(text[start:end])) in exact)
        for start, end in find(names, text)
    )
