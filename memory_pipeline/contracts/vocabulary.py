"""The closed sets of words that records use. The database has an enum type for each."""

from enum import StrEnum


class Role(StrEnum):
    """Who spoke, in the chat format's terms."""

    user = "user"
    assistant = "assistant"
    system = "system"
    tool = "tool"


class SentAtSource(StrEnum):
    """Where a message's time comes from; only `stated`, `dialog` and `file` are stored."""

    stated = "stated"
    neighbour = "neighbour"
    dialog = "dialog"
    file = "file"
    none = "none"


class AtomKind(StrEnum):
    """What sort of statement an atom is."""

    semantic = "semantic"
    episodic = "episodic"
    procedural = "procedural"
    decision = "decision"
    outcome = "outcome"


class Polarity(StrEnum):
    """Whether the statement affirms its value or denies it."""

    affirmed = "affirmed"
    denied = "denied"


class Precision(StrEnum):
    """How finely a valid period was said."""

    instant = "instant"
    day = "day"
    month = "month"
    quarter = "quarter"
    year = "year"


class Origin(StrEnum):
    """Whose words a statement rests on."""

    human = "human"
    user = "user"
    tool = "tool"
    assistant = "assistant"
    quoted = "quoted"
    derived = "derived"


class ClosureAction(StrEnum):
    """What a closure does to the statements that its selector matches."""

    ended = "ended"
    corrected = "corrected"
    retracted = "retracted"
    cancelled = "cancelled"


class Importance(StrEnum):
    """AFM's three classes."""

    critical = "CRITICAL"
    relevant = "RELEVANT"
    trivial = "TRIVIAL"


class Cardinality(StrEnum):
    """Whether a subject has one value of a predicate at a time, or any number."""

    single = "single"
    multi = "multi"


class SensitiveClass(StrEnum):
    """`secret` goes to Vault before anything reads the text; `personal` is content under RLS."""

    secret = "secret"  # noqa: S105 - a class name
    personal = "personal"


class AnswerStatus(StrEnum):
    """How far an answer of `ask` can be relied on."""

    known = "known"
    erased = "erased"
    contradicted = "contradicted"
    secret = "secret"  # noqa: S105 - a class name


class Fidelity(StrEnum):
    """How much of an item a context snapshot carries."""

    full = "full"
    compressed = "compressed"
    placeholder = "placeholder"
