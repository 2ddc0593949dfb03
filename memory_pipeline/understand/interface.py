"""What understanding offers to the pipeline: one interface each, a local and an OpenAI side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import Extraction, ImportanceLabel, Window

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class ExtractionFailure:
    """A window that gave no usable answer. Never to be read as "no facts".

    `code` is stable (`refusal`, `cut`, `invalid_json`, `invalid_answer`, `missing_answer`,
    `quote_not_found`, `rate_limited`, `server_error`, `timeout`, `connection`, `rejected`);
    `detail` says where and what to do, and holds no text of the dialog. `retryable` tells
    whether the same window may succeed later unchanged.
    """

    code: str
    detail: str
    retryable: bool


@dataclass(frozen=True)
class LabelFailure:
    """A text that got no usable importance label; the codes are those of `ExtractionFailure`."""

    code: str
    detail: str
    retryable: bool


class Embedder(Protocol):
    """Turns texts into unit vectors. Passages and queries may be prefixed differently."""

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dim), rows of length 1."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dim), rows of length 1."""
        ...


class ImportanceModel(Protocol):
    """Labels messages CRITICAL, RELEVANT or TRIVIAL."""

    @property
    def version(self) -> str: ...

    def label(
        self, texts: Sequence[str], vectors: Vectors | None = None
    ) -> list[ImportanceLabel | LabelFailure]:
        """One label a text, in order. `vectors`, where given, are the texts' passage vectors of
        the embedder that the model was trained with, float32 of shape (len(texts), dim)."""
        ...


class Extractor(Protocol):
    """Draws atoms and closures from windows.

    A stored extraction is keyed by (window hash, `name`, `version`, `prompt_hash`, `model`,
    versions of the predicates offered). `window_size` is how many earlier messages of the dialog
    the extractor wants before the one it reads.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def prompt_hash(self) -> str: ...

    @property
    def window_size(self) -> int: ...

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        """One result a window, in order. A result depends on its window alone, never on what it
        came together with."""
        ...
