"""Clauses that leave out the verb of the one before: "работаю в Сбере, с 1 июня в Яндексе", "the cap is
$300k, $350k from June", "my brother lives in York, my sister in Bath".

A remnant is read as the clause before it with the remnant's words in the place of its value, by the
rules that read that clause. It must be all date, person and value: a word besides, and it is left alone.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.dates.resolve import DateMention, resolve
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated

Read = Callable[[Sentence, Scene], Sequence[Found]]

_DATED = frozenset({"location", "employer", "budget_limit", "job_title"})
"""Of whom there is one at a time: another one with a date follows it."""
_PREDICATES = _DATED | {"allergy", "medication", "preference", "dislike", "tool", "language"}
_MODES = (Mode.state, Mode.change, Mode.stay)
_JOINT = Gated(
    r"\s*[,;]\s*(?:(?:а|и|но|and|but|then|потом|затем)\s+)*|\s+(?:а|и|and|but|then)\s+(?:then\s+|потом\s+|затем\s+)?"
)
_THEN = re.compile(r"\b(?:потом|затем|then|after that|afterwards)\b")
_FILLER = re.compile(
    r"\b(?:уже|я|мы|же|там|теперь|снова|опять|потом|затем|then|now|back|again|after that|afterwards)\b"
)
_LEAD = re.compile(
    r"\b(?:from|since|as of|starting|beginning|until|till|on|in|с|со|до|начиная с)\s+$"
)
"""What stands before a date and is not always read as a part of it."""
_VALUE = re.compile(r"(?:(?P<at>в|во|на|у|in|at|to|for|with)\s+)?(?P<value>\S.*)")
_NUMBER = re.compile(r"[$€£]?\d[\d .,]*\d|[$€£]?\d")
_END = re.compile(r"[\s.!]*$")
_WORD = re.compile(r"\S+")
_ARTICLE = re.compile(r"\b(?:an?|the)\s+$|^(?:an?|the)\s")
_OWN = re.compile(r"\b(?:мой|моя|мои|моего|моей|моих|my|our|наш|наша|нашего|нашей)\b")
_SOMEBODY = re.compile(
    r"(?:(?:my|our|the|мой|моя|наш|наша)\s+)?(?:[a-z]+['’]s\s+)?(?:colleague|coworker|co-worker|boss|manager|friend|neighbou?r|roommate|"
    r"flatmate|teammate|mate|team|client|dog|cat|коллега|начальник|начальница|босс|друг|подруга|сосед|соседка|клиент|команда)\b"
)
_BARE_NUMBER = re.compile(r"[$€£]?[\d .,]+$")
_ANY = datetime(2025, 1, 1, tzinfo=UTC)
"""Where dates stand does not hang on the moment that they are told at."""


@dataclass(frozen=True)
class _Remnant:
    """Characters [start, end) of the value's words in the sentence, their preposition, and what stands
    beside them from `lead` on: a person (`who`), or somebody of whom no more is known (`is_anothers`)."""

    lead: int
    start: int
    end: int
    at: str | None
    value: str
    who: SubjectRef | None
    is_anothers: bool
    begins: bool


def gapped(
    founds: Sequence[Found], sentence: Sentence, scene: Scene, read: Read
) -> tuple[Found, ...]:
    """All that a sentence says where its findings are followed by clauses without a verb: the
    findings, those among them that come later marked so, and what the clauses say."""
    if not any(f.predicate in _PREDICATES for f in founds) or _JOINT.search(sentence.low) is None:
        return tuple(founds)
    out = list(founds)
    for first in founds:
        if (
            first not in out
            or first.predicate not in _PREDICATES
            or first.mode not in _MODES
            or first.value is None
        ):
            continue
        for remnant in _remnants(first, sentence, scene):
            if remnant.is_anothers:
                out = [f for f in out if f is first or not _lists(f, first, remnant)]
                if remnant.who is None:
                    continue
            elif first.predicate not in _DATED:
                break
            is_later = first.mode is Mode.state and remnant.who is None
            there = [
                f for f in out
                if f is not first and f.start < remnant.end and remnant.start < f.end
            ]  # fmt: skip
            if there:
                out = [
                    replace(f, is_later=True)
                    if f in there and f.predicate == first.predicate and is_later
                    else f
                    for f in out
                ]
                continue
            found = _read(first, remnant, sentence, scene, read)
            if found is not None:
                out.append(replace(found, is_later=is_later))
    return tuple(out)


def _lists(found: Found, first: Found, remnant: _Remnant) -> bool:
    """Whether a finding took a remnant about somebody else for more of the same list."""
    return (
        found.predicate == first.predicate
        and found.start <= first.start
        and remnant.lead < found.end
    )


def _remnants(first: Found, sentence: Sentence, scene: Scene) -> Iterator[_Remnant]:
    low = sentence.low
    at = first.end
    is_first = True
    while at < len(low):
        joint = _JOINT.expression.search(low, at)
        if joint is None:
            return
        between = low[at : joint.start()]
        if is_first and between.strip():
            dates = _dates(sentence, at, joint.start())
            if _without(between, dates).strip():
                return
        following = _JOINT.expression.search(low, joint.end())
        end = following.start() if following else len(low) - len(_END.search(low)[0])  # type: ignore[index]
        remnant = _remnant(joint.end(), end, joint[0], sentence, scene)
        if remnant is None:
            return
        yield remnant
        at, is_first = end, False


def _remnant(start: int, end: int, joint: str, sentence: Sentence, scene: Scene) -> _Remnant | None:
    dates = _dates(sentence, start, end)
    left = _without(sentence.low[start:end], dates)
    who, is_anothers = None, False
    if not dates:
        other = _SOMEBODY.match(left)
        person = next((p for p in persons(sentence, scene) if start <= p.start < end), None)
        if other is not None:
            left = " " * other.end() + left[other.end() :]
            is_anothers = True
        elif person is not None:
            before = _OWN.sub(" ", sentence.low[start : person.start])
            of_whom = "gent" in person.cases and before.strip() == "у"
            if (before.strip() and not of_whom) or not (of_whom or "nomn" in person.cases):
                return None
            if person.first or person.ref is None or person.end >= end:
                return None
            who = person.ref
            left = " " * (person.end - start) + left[person.end - start :]
    is_next = _THEN.search(f"{joint} {left}") is not None
    left = _FILLER.sub(lambda found: " " * len(found[0]), left)
    found = _VALUE.search(left)
    if found is None or not (dates or who or is_anothers or is_next):
        return None
    value = found["value"].rstrip()
    if "  " in value:
        return None
    at = start + found.start()
    stop = start + found.start("value") + len(value)
    begins = is_next or any(date.direction == "from" for date in dates)
    return _Remnant(
        start, at, stop, found["at"], value, who, is_anothers or who is not None, begins
    )


def _read(
    first: Found, remnant: _Remnant, sentence: Sentence, scene: Scene, read: Read
) -> Found | None:
    """What the remnant says in the place of the value before it."""
    clause = sentence.clause_at(first.start)
    said = sentence.low[clause.start : first.end]
    written = sentence.text[remnant.start : remnant.end]
    if remnant.at is not None:
        places = list(re.finditer(r"\b(?:в|во|на|у|in|at|to|for|with)\s", said))
        if not places or not _alike(places[-1][0].strip(), remnant.at):
            return None
        cut, rest = places[-1].start(), ""
    elif first.predicate == "budget_limit":
        number = _NUMBER.search(said)
        if number is None:
            return None
        cut = number.start()
        # "300 тысяч, с июня 350": the unit is said once
        rest = said[number.end() :] if _BARE_NUMBER.match(remnant.value) else ""
    else:
        words = [found.start() for found in _WORD.finditer(said)]
        n_words = len(str(first.value).split())
        if len(words) <= n_words:
            return None
        cut, rest = words[-n_words], ""
        article = _ARTICLE.search(said[:cut])
        if article and _ARTICLE.match(f"{remnant.value} "):
            cut = article.start()
    lead = sentence.text[clause.start : clause.start + cut]
    text = f"{lead}{written}{rest}"
    stated = [
        f
        for f in read(Sentence(text, 0, sentence.lang, None), scene)
        if f.predicate == first.predicate and f.end > len(lead)
    ]
    if len({f.value for f in stated}) != 1 or stated[0].value == first.value:
        return None
    one = max(stated, key=lambda f: f.confidence)
    if one.end != len(text):
        return None
    return replace(
        one,
        start=remnant.start,
        end=remnant.end,
        verb=first.verb,
        who=Who.third if remnant.who else first.who,
        subject=remnant.who or first.subject,
        mode=Mode.change if first.mode is Mode.state and remnant.begins else one.mode,
        dated=True,
        confidence=min(one.confidence, 0.8),
    )


def _alike(one: str, other: str) -> bool:
    return one == other or {one, other} <= {"в", "во", "на"}


def _dates(sentence: Sentence, start: int, end: int) -> tuple[DateMention, ...]:
    # as written and after a comma: a month without its capital, or a sender, may be a name
    words = ", " + sentence.text[start:end]
    return tuple(
        date.model_copy(update={"start": date.start - 2, "end": date.end - 2})
        for date in resolve(words, _ANY, sentence.lang)
        if date.start >= 2
    )


def _without(words: str, dates: Sequence[DateMention]) -> str:
    for date in dates:
        lead = _LEAD.search(words[: date.start])
        start = lead.start() if lead else date.start
        words = words[:start] + " " * (date.end - start) + words[date.end :]
    return words
