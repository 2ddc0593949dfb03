"""What users teach the local extractor: phrases that state a predicate of their own.

A pattern is words with `{value}` where the value stands: "моя любимая команда — {value}", "my
favourite team is {value}". It is read in the first person, at the beginning of a sentence or of
a clause, in whatever letter case, with or without the dash. The value ends before the next clause,
with or without a comma ("Arsenal and I live in Leeds", but "Tom and Jerry"). What
a question, a condition, a joke or somebody else's words say states nothing, as everywhere.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from memory_pipeline.contracts.predicate import VALUE, Predicate
from memory_pipeline.contracts.statement import AtomDraft, Extraction, Span, SubjectRef, Window
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.dates.resolve import resolve
from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.periods import mention_of, period_of
from memory_pipeline.understand.extraction.scopes import object_end, object_start
from memory_pipeline.understand.extraction.segments import own_words, segments
from memory_pipeline.understand.extraction.sentences import Sentence, lower, split_sentences
from memory_pipeline.understand.language import detect_language

CONFIDENCE = 0.8
MAX_CHARS = 8_000

_SHAPES = {
    "integer": r"\d{1,3}(?:[  ]\d{3})+|\d+",
    "money": r"[^;!?()\n]{1,40}",
    "phone": r"\+?[\d ()-]{5,20}\d",
    "email": r"\S{1,64}@\S{1,190}\w",
}
_ANY = r"[^,;!?()\n]{1,80}"
_UNDATED = ("text", "place", "person")
"""Types whose values hold no dates and numbers, so that one beside them says when it holds."""
_WORDED = (*_UNDATED, "money")
"""Types whose values are words, which may be followed by a clause."""
_DASH = re.compile(r"\s*[—–:-]+\s*")
_BEFORE = (
    r"(?:^|(?<=[,;.!]\s)|(?<=\s[—–-]\s))"
    r"(?:(?:я|и|а|но|да|кстати|вообще|теперь|сейчас|and|but|so|well|also|btw|now|by the way)[,\s]+)*"
)
_NOTHING = re.compile(
    r"(?:(?:уже|больше|точно)\s+)?(?:не|нет|никак\w*|not|no|none|unknown|неизвестно|какой-то|что-то)\b"
)
_NOW = re.compile(r"^(?:теперь|сейчас|now|currently)\s+")
_EDGES = " \t«»“”\"'.…—–-"


@dataclass(frozen=True)
class TaughtPattern:
    """One pattern of a predicate, ready to match a sentence in lower case."""

    predicate: Predicate
    expression: re.Pattern[str]
    anywhere: re.Pattern[str]
    is_last: bool  # the value stands behind the pattern's words


@lru_cache(maxsize=4096)
def _compiled(predicate: Predicate) -> tuple[TaughtPattern, ...]:
    made = []
    for pattern in predicate.patterns:
        before, after = (_words(part) for part in lower(pattern).split(VALUE))
        shape = _SHAPES.get(predicate.value_type, _ANY)
        value = rf"(?P<value>{shape}{'?' if after and shape is _ANY else ''})"
        body = rf"{before}{value}{after}(?!\w)"
        made.append(
            TaughtPattern(
                predicate, re.compile(_BEFORE + body), re.compile(before or after), not after
            )
        )
    return tuple(made)


def _words(text: str) -> str:
    """Literal words as an expression: any run of space, any dash or colon or none."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in _DASH.split(text)]
    joined = r"\s*[—–:-]?\s*".join(parts)
    head = r"\s+" if text[:1].isspace() and parts[0] else ""
    tail = r"\s+" if text[-1:].isspace() and parts[-1] else ""
    return f"{head}{joined}{tail}"


def patterns_of(predicates: Iterable[Predicate]) -> tuple[TaughtPattern, ...]:
    """The patterns of all predicates that have some."""
    return tuple(taught for p in predicates if p.patterns for taught in _compiled(p))


def may_state(text: str, patterns: Sequence[TaughtPattern]) -> bool:
    """Whether a text may state one of the predicates: cheap, and never false where it does."""
    low = lower(text)
    return any(taught.anywhere.search(low) for taught in patterns)


def with_taught(
    windows: Sequence[Window], found: Sequence[Extraction], predicates: Sequence[Predicate]
) -> Iterator[Extraction]:
    """The extractions, with what users taught: a candidate that the registry holds by now is an
    atom of its predicate, and patterns are read."""
    names = {p.name: p.name for p in predicates} | {
        other: p.name for p in predicates for other in p.also_called
    }
    patterns = patterns_of(predicates)
    for window, answer in zip(windows, found, strict=True):
        taken = [
            atom.model_copy(update={"predicate": names[atom.predicate], "is_candidate": False})
            if atom.is_candidate and atom.predicate in names
            else atom
            for atom in answer.atoms
        ]
        known = {(atom.predicate, str(atom.object).lower()) for atom in taken}
        taught = [
            atom
            for atom in _read(window, patterns)
            if (atom.predicate, str(atom.object).lower()) not in known
        ]
        yield answer.model_copy(update={"atoms": (*taken, *taught)})


def _read(window: Window, patterns: Sequence[TaughtPattern]) -> list[AtomDraft]:
    """What the last message states by the patterns, of its speaker."""
    message = window.messages[-1]
    if (
        message.role is not Role.user
        or message.quoted
        or not patterns
        or not may_state(message.text, patterns)
    ):
        return []
    told = message.sent_at and message.sent_at.astimezone(ZoneInfo(window.tz))
    lang = message.lang if message.lang in ("ru", "en") else detect_language(message.text)
    found = []
    for segment in segments(own_words(message.text[:MAX_CHARS])):
        if segment.quoted:
            continue
        sentences = split_sentences(segment.text, lang, segment.start)
        if any(sentence.blocked == "instruction" for sentence in sentences):
            continue
        for sentence in sentences:
            if not sentence.blocked:
                found += [
                    _atom(sentence, taught, match, message.speaker, told)
                    for taught, match in _matches(sentence, patterns)
                ]
    return [atom for atom in found if atom is not None]


def _matches(
    sentence: Sentence, patterns: Sequence[TaughtPattern]
) -> Iterator[tuple[TaughtPattern, re.Match[str]]]:
    for taught in patterns:
        match = taught.expression.search(sentence.low)
        if match and not sentence.block_between(match.start(), match.end()):
            yield taught, match


def _atom(
    sentence: Sentence,
    taught: TaughtPattern,
    match: re.Match[str],
    speaker: str,
    told: datetime | None,
) -> AtomDraft | None:
    start, end = match.span("value")
    last = match.end()
    if taught.predicate.value_type in _WORDED:
        if taught.is_last:
            last = end = object_end(sentence.text, sentence.low, start, end)
        else:
            start = object_start(sentence.text, sentence.low, start, end)
    if _NOTHING.match(sentence.low[start:end]):
        return None
    now = _NOW.match(sentence.low[start:end])
    start += now.end() if now else 0
    found = Found(taught.predicate.name, None, match.start(), end, Mode.state, Who.first)
    mention = None
    if told is not None and taught.predicate.value_type in _UNDATED:
        dates = [
            m.model_copy(update={"start": m.start + sentence.start, "end": m.end + sentence.start})
            for m in resolve(sentence.text, told, sentence.lang)
        ]
        mention = mention_of(found, sentence, dates, [found])
        if mention is not None and start < mention.start - sentence.start < end:
            # "is Zenit since May": the date is none of the value
            end = mention.start - sentence.start
    value = sentence.text[start:end].strip(_EDGES)
    period = period_of(found, mention, told)
    if not value or period is None:
        return None
    return AtomDraft(
        subject=SubjectRef(name=speaker, is_speaker=True),
        predicate=taught.predicate.name,
        object=_typed(value, taught.predicate.value_type),
        text=sentence.text[:1_000],
        valid_from=period.valid_from,
        valid_to=period.valid_to,
        start_inferred=period.inferred,
        holds_when_told=period.holds,
        valid_precision=period.precision,
        confidence=CONFIDENCE,
        spans=(Span(start=sentence.start + match.start(), end=sentence.start + last),),
    )


def _typed(value: str, value_type: str) -> str | int:
    if value_type == "integer":
        digits = re.sub(r"\D", "", value)
        return int(digits) if digits else value
    return value
