"""Predicate: an entry of the registry, versioned data."""

from pydantic import Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import Cardinality, Importance, SensitiveClass


class Predicate(Contract):
    """What a predicate means and how its values are treated.

    `value_type` is one of text, place, date, integer, money, person, email, phone.
    `examples_ru` and `examples_en` are sentences that state it.
    """

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    version: int = Field(default=1, ge=1)
    value_type: str
    cardinality: Cardinality
    tags: tuple[str, ...]
    sensitivity: SensitiveClass | None = None
    default_importance: Importance = Importance.relevant
    label_ru: str
    label_en: str
    examples_ru: tuple[str, ...] = ()
    examples_en: tuple[str, ...] = ()
