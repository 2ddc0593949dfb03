"""What a rule finds: a predicate's value in a sentence, how it is stated, and about whom."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.sentences import Sentence


class Mode(Enum):
    """How a value is stated."""

    state = "state"  # it holds
    change = "change"  # it begins
    stay = "stay"  # it holds for a bounded time, or not at all
    past = "past"  # it held
    end = "end"  # it ends or has ended
    denial = "denial"  # it does not hold
    cancel = "cancel"  # it was planned and is called off
    timeless = "timeless"  # it always holds


class Who(Enum):
    """The grammatical person of the statement, where the rule itself names nobody."""

    first = "first"
    third = "third"
    open = "open"  # the form does not say; the speaker, unless somebody else is named
    second = "second"  # taken only when confirming somebody's question


@dataclass(frozen=True)
class Found:
    """One value found; offsets are the sentence's. `verb` is where its subject is looked for.

    `value` null means "whatever held". `dated` false: dates nearby belong to something else.
    `is_later`: it comes after what the same sentence says to hold now.
    """

    predicate: str
    value: str | int | None
    start: int
    end: int
    mode: Mode = Mode.state
    who: Who = Who.open
    subject: SubjectRef | None = None
    verb: int | None = None
    confidence: float = 0.85
    dated: bool = True
    ignores: frozenset[str] = frozenset()
    candidate: bool = False
    is_later: bool = False


@dataclass(frozen=True)
class Scene:
    """What a rule may know besides its sentence: the people of the window and the zone."""

    people: People
    speaker: str
    tz: str
    confirming: bool = False


Rule = Callable[[Sentence, Scene], Iterator[Found]]
