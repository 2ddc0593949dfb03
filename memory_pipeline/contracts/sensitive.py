"""Sensitive spans: where a text holds a secret or a personal value."""

from pydantic import Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import SensitiveClass


class SensitiveSpan(Contract):
    """Characters [start, end) (code points) of a text, their type and class.

    `normal` is the value in its normalised form (digits of a card, lower-case e-mail); equal
    values have equal `normal`. It is never logged and never stored in clear outside content."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    type: str
    sensitive_class: SensitiveClass
    normal: str = Field(repr=False)
