"""The English grammar, assembled: each part adds its rules to it when it is imported."""

from memory_pipeline.understand.dates import (  # noqa: F401
    en_clock,
    en_days,
    en_lengths,
    en_pieces,
    en_spans,
)
from memory_pipeline.understand.dates.en_words import GRAMMAR

__all__ = ["GRAMMAR"]
