"""The Russian grammar, assembled: each part adds its rules to it when it is imported."""

from memory_pipeline.understand.dates import ru_clock, ru_days, ru_spans  # noqa: F401
from memory_pipeline.understand.dates.ru_grammar import GRAMMAR, names_of_people

__all__ = ["GRAMMAR", "names_of_people"]
