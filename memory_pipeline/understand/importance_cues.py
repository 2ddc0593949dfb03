"""The importance policy and the cues that a text gives under it."""

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import Field, field_validator

from memory_pipeline.contracts.base import Contract
from memory_pipeline.understand.gated import AnyOf

_PERSON = re.compile(r"\b(?:i|i'm|my|we|our|me|я|мы|у меня|мне|мой|моя|наш|нас|нам)\b")
_EMOJI = re.compile(r"[\U0001f300-\U0001faff☀-➿]")
_GENERIC = (
    "words",
    "is_short",
    "is_long",
    "digits",
    "question",
    "exclamation",
    "emoji",
    "person",
    "is_letterless",
)


class Kind(Contract):
    """A kind of content, whether it can make a message critical, and what gives it away."""

    critical: bool
    patterns: tuple[str, ...]

    @field_validator("patterns")
    @classmethod
    def _compile(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(
                    f"pattern {pattern!r} is no regular expression: {error}"
                ) from error
        return patterns


class Thresholds(Contract):
    """From which probability a message is CRITICAL, and which probabilities go to review.

    `without_kind` is for messages in which no kind that may be critical speaks: of all that people
    write, most of what only resembles a constraint is such."""

    critical: float = Field(ge=0, le=1)
    without_kind: float = Field(default=0.7, ge=0, le=1)
    review: tuple[Annotated[float, Field(ge=0, le=1)], Annotated[float, Field(ge=0, le=1)]]


class ImportancePolicy(Contract):
    """What counts as critical (`data/importance_policy.yaml` describes the file)."""

    version: int = Field(ge=1)
    manual_tags: tuple[str, ...]
    thresholds: Thresholds
    kinds: dict[str, Kind]


def load_policy(path: Path | None = None) -> ImportancePolicy:
    """The policy of a file, or the built-in one. Raises `pydantic.ValidationError` naming the
    field that breaks its shape, and `OSError` when the file cannot be read."""
    if path is None:
        return _builtin_policy()
    return ImportancePolicy.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=1)
def _builtin_policy() -> ImportancePolicy:
    resource = files("memory_pipeline.understand").joinpath("data/importance_policy.yaml")
    return ImportancePolicy.model_validate(yaml.safe_load(resource.read_text("utf-8")))


class Cues:
    """Turns texts into cue vectors under a policy."""

    def __init__(self, policy: ImportancePolicy) -> None:
        self.policy = policy
        self._kinds = tuple(sorted(policy.kinds))
        self.names = (*self._kinds, *_GENERIC)
        self._patterns = [AnyOf("|".join(policy.kinds[k].patterns)) for k in self._kinds]
        tags = "|".join(re.escape(tag) for tag in policy.manual_tags)
        self._tag = re.compile(rf"\s*(?:{tags})", re.IGNORECASE)

    def is_tagged(self, text: str) -> bool:
        """Whether the writer marked the message as critical, at its start."""
        return self._tag.match(text) is not None

    def is_switched_off(self, cues: NDArray[np.float32]) -> bool:
        """Whether only kinds that the policy does not count as critical speak for it, where the
        built-in policy would count them."""
        builtin = _builtin_policy().kinds
        hits = [name for name, hit in zip(self._kinds, cues, strict=False) if hit]
        counted = [n for n in hits if n in builtin and builtin[n].critical]
        return bool(counted) and not any(self.policy.kinds[n].critical for n in counted)

    def thresholds(self, cues: NDArray[np.float32]) -> NDArray[np.float32]:
        """From which probability each text is CRITICAL, shape (n,), for cues as `of` gives them."""
        counted = [n for n, name in enumerate(self._kinds) if self.policy.kinds[name].critical]
        speaks = cues[:, counted].any(axis=1)
        limits = self.policy.thresholds
        return np.where(speaks, limits.critical, limits.without_kind).astype(np.float32)

    def of(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Float32 of shape (len(texts), number of cues)."""
        return np.array([self._of(text) for text in texts], dtype=np.float32).reshape(
            len(texts), len(self.names)
        )

    def _of(self, text: str) -> list[float]:
        low = text.strip().lower().replace("ё", "е").replace("’", "'")
        n_words = len(low.split())
        hits = [1.0 if pattern.is_in(low) else 0.0 for pattern in self._patterns]
        generic = [
            min(math.log1p(n_words) / 4, 1.5),
            float(n_words <= 4),
            float(n_words >= 30),
            float(any(c.isdigit() for c in low)),
            float("?" in low),
            float("!" in low),
            float(_EMOJI.search(low) is not None),
            float(_PERSON.search(low) is not None),
            float(not any(c.isalpha() for c in low)),
        ]
        return hits + generic
