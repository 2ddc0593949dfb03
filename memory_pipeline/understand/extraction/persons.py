"""A person as a sentence names one."""

from dataclasses import dataclass

from memory_pipeline.contracts.statement import SubjectRef


@dataclass(frozen=True)
class Person:
    """A person named in a sentence. `ref` is null for a pronoun and for a stranger's relative.

    `cases` are the cases it may stand in (English: nomn, or gent for a possessive).
    """

    start: int
    end: int
    ref: SubjectRef | None
    cases: frozenset[str]
    first: bool = False
    pronoun: bool = False
    kind: str | None = None
    name: str | None = None
