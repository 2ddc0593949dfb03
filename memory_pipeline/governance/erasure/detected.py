"""What a request of a mask sweep redacts: secrets as the detectors find them now, and the values
found so wherever the planned rows say them again. Other requests go by erased values.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

import psycopg

from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.contracts.vocabulary import SensitiveClass
from memory_pipeline.governance.erasure.mentions import MASK, redacted
from memory_pipeline.understand.sensitive.find import find
from memory_pipeline.understand.sensitive.policy import SensitivePolicy, load_policy

DETECTOR = "detector"
"""The key of a request's scope that makes it a sweep's, with the detectors' version."""

_WORD = re.compile(r"[^\W_]+")
_MASKED = re.compile(f"{MASK}+(?: {MASK}+)*")
_LEAST_MARK = 5


class Literals:
    """Finds given strings as they are written, never inside a longer word. A text costs the same
    however many strings there are."""

    def __init__(self, values: Iterable[str]) -> None:
        self._by_word: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for value in set(values):
            first = _WORD.search(value)
            if first is not None:
                self._by_word[first.group()].append((first.start(), value))

    def spans(self, text: str) -> Iterator[tuple[int, int, str]]:
        """(start, end, string) of every occurrence, in code points."""
        if not self._by_word:
            return
        for word in _WORD.finditer(text):
            for lead, value in self._by_word.get(word.group(), ()):
                start = word.start() - lead
                end = start + len(value)
                if start >= 0 and text.startswith(value, start) and _stands_alone(text, start, end):
                    yield start, end, value


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start].isalnum() and text[start].isalnum()
    after = text[end : end + 1].isalnum() and text[end - 1].isalnum()
    return not before and not after


class Detector:
    """The detectors under a tenant's policy, over stored texts, some of them redacted already."""

    def __init__(self, policy: SensitivePolicy, values: Iterable[str] = ()) -> None:
        self._policy = policy
        self._literals = Literals(values)

    def secrets(self, text: str) -> list[SensitiveSpan]:
        """Secrets of a text as code points of it; what is redacted is nothing to look at."""
        shown = _MASKED.sub(lambda m: _as_mark(m.group()), text) if MASK in text else text
        return [
            span
            for span in find(shown, policy=self._policy)
            if span.sensitive_class is SensitiveClass.secret
            and MASK not in text[span.start : span.end]
        ]

    def mask(self, text: str) -> str:
        """The text with a block for every character of its secrets that is no space."""
        own = [(span.start, span.end) for span in self.secrets(text)]
        return redacted(text, [*own, *((s, e) for s, e, _ in self._literals.spans(text))])

    def less_answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        """A stored answer without the drafts whose object has a secret, and everything else in it
        masked: a masked object would be another statement's."""
        less = {}
        for name, part in answer.items():
            if name in ("atoms", "closures"):
                part = [
                    draft
                    for draft in part
                    if self.masked(draft.get("object")) == draft.get("object")
                ]
            less[name] = self.masked(part)
        return less

    def masked(self, value: Any) -> Any:
        """A JSON value with its strings masked."""
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, dict):
            return {key: self.masked(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.masked(part) for part in value]
        return value


def _as_mark(blocks: str) -> str:
    """A typed mask of equal length, in which no detector looks; too short ones stay."""
    if len(blocks) < _LEAST_MARK:
        return blocks
    return f"[{'X' * (len(blocks) - 4)}_1]"


def is_mask(connection: psycopg.Connection[Any], request_id: UUID) -> bool:
    """Whether a request is a mask sweep's, which planned it whole."""
    row = connection.execute(
        "select scope ? %s from memory.erasure_request where request_id = %s",
        (DETECTOR, request_id),
    ).fetchone()
    return row is not None and bool(row[0])


def detector_of(
    connection: psycopg.Connection[Any], request_id: UUID, values: Iterable[str]
) -> Detector | None:
    """The detector that redacts a sweep's request, with the values that it found; None for a
    request of another kind."""
    if not is_mask(connection, request_id):
        return None
    row = connection.execute(
        "select t.name from memory.erasure_request as r join memory.tenant as t using (tenant_id)"
        " where r.request_id = %s",
        (request_id,),
    ).fetchone()
    return Detector(load_policy(row and row[0]), values)
