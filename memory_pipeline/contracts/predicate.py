"""Predicate: an entry of the registry, versioned data."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import Cardinality, Importance, SensitiveClass

ValueType = Literal["text", "place", "date", "integer", "money", "person", "email", "phone"]

VALUE = "{value}"
"""Where a pattern has the value."""


def _pattern(text: str) -> str:
    words = text.split(VALUE)
    if len(words) != 2 or not any(letter.isalpha() for letter in "".join(words)):
        raise ValueError(f"a pattern has some words and {VALUE} once, as in 'my team is {VALUE}'")
    return " ".join(text.split())


Pattern = Annotated[str, AfterValidator(_pattern)]


class Predicate(Contract):
    """What a predicate means and how its values are treated.

    `examples_ru` and `examples_en` are sentences that state it. `patterns` are phrases, ru or en,
    in which a speaker states it of herself, with `{value}` where its value stands; the local
    extractor reads them. `also_called`: names under which extractors proposed it as a candidate.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)
    version: int = Field(default=1, ge=1)
    value_type: ValueType
    cardinality: Cardinality
    tags: tuple[str, ...]
    sensitivity: SensitiveClass | None = None
    default_importance: Importance = Importance.relevant
    label_ru: str
    label_en: str
    examples_ru: tuple[str, ...] = ()
    examples_en: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    also_called: tuple[str, ...] = ()
