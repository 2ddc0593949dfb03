"""Importance, local: manual tags, then rules and a small classifier over local embeddings."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.contracts.statement import ImportanceLabel
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.understand.importance_cues import Cues, ImportancePolicy, load_policy
from memory_pipeline.understand.interface import LabelFailure, Vectors

CLASSES = (Importance.critical, Importance.relevant, Importance.trivial)
EMBEDDING_SCALE = 12.0
"""What centred unit vectors are multiplied by, so that one penalty fits them and the cues."""


@dataclass(frozen=True)
class ImportanceWeights:
    """A trained classifier: one set of weights with vectors and one without.

    `full` has shape (dim + cues + 1, 3), `cues_only` (cues + 1, 3), the last row is the bias;
    `mean` of shape (dim,) centres the vectors. `cue_names` guard against another set of cues.
    """

    full: NDArray[np.float32]
    cues_only: NDArray[np.float32]
    mean: NDArray[np.float32]
    cue_names: tuple[str, ...]
    embedder: str

    def probabilities(
        self, cues: NDArray[np.float32], vectors: Vectors | None
    ) -> NDArray[np.float32]:
        """Shape (n, 3), in the order of `CLASSES`."""
        if vectors is None:
            return softmax(with_bias(cues) @ self.cues_only)
        return softmax(with_bias(features(cues, vectors, self.mean)) @ self.full)


def features(
    cues: NDArray[np.float32], vectors: Vectors, mean: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Centred and scaled vectors beside the cues, shape (n, dim + cues)."""
    return np.hstack([(vectors - mean) * EMBEDDING_SCALE, cues]).astype(np.float32)


def with_bias(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows with a last column of ones."""
    return np.hstack([rows, np.ones((len(rows), 1), dtype=np.float32)])


def softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Row-wise softmax."""
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True), dtype=np.float32)


@lru_cache(maxsize=1)
def builtin_weights() -> ImportanceWeights:
    """The weights that `importance_training` wrote into the package."""
    raw = files("memory_pipeline.understand").joinpath("data/importance_model.npz").read_bytes()
    with np.load(BytesIO(raw), allow_pickle=False) as stored:
        return ImportanceWeights(
            full=stored["full"],
            cues_only=stored["cues_only"],
            mean=stored["mean"],
            cue_names=tuple(stored["cue_names"].tolist()),
            embedder=str(stored["embedder"]),
        )


class LocalImportance:
    """Labels by manual tag, else by the classifier. See `ImportanceModel`.

    `policy` decides what counts as critical; it must keep the built-in kinds' names (a kind is
    switched off by `critical: false`, its patterns may change).
    """

    def __init__(
        self, policy: ImportancePolicy | None = None, weights: ImportanceWeights | None = None
    ) -> None:
        self._policy = policy or load_policy()
        self._cues = Cues(self._policy)
        self._weights = weights or builtin_weights()
        if self._cues.names != self._weights.cue_names:
            missing = sorted(set(self._weights.cue_names) ^ set(self._cues.names))
            raise ValueError(
                f"importance policy, field kinds: {missing} differ from the kinds the classifier "
                "was trained with; keep the names and switch kinds off by critical: false"
            )
        digest = hashlib.sha256()
        digest.update(self._weights.full.tobytes())
        digest.update(self._weights.cues_only.tobytes())
        digest.update(json.dumps(self._policy.model_dump(mode="json"), sort_keys=True).encode())
        self._version = f"local-{digest.hexdigest()[:12]}"

    @property
    def version(self) -> str:
        """Changes with the weights and with the policy."""
        return self._version

    @property
    def embedder(self) -> str:
        """The name of the embedder whose passage vectors `label` expects."""
        return self._weights.embedder

    def label(
        self, texts: Sequence[str], vectors: Vectors | None = None
    ) -> list[ImportanceLabel | LabelFailure]:
        """One label a text; without vectors the cues alone decide, less surely."""
        if not texts:
            return []
        cues = self._cues.of(texts)
        # rounded, so that the last bits, which depend on what is multiplied together, decide nothing
        probabilities = self._weights.probabilities(cues, vectors).round(3)
        author = "rule" if vectors is None else "model"
        return [
            self._label(text, row, p, float(threshold), author)
            for text, row, p, threshold in zip(
                texts, cues, probabilities, self._cues.thresholds(cues), strict=True
            )
        ]

    @property
    def review_band(self) -> tuple[float, float]:
        """The probabilities of CRITICAL that the policy sends to the review list."""
        return self._policy.thresholds.review

    def _label(
        self,
        text: str,
        cues: NDArray[np.float32],
        p: NDArray[np.float32],
        threshold: float,
        author: str,
    ) -> ImportanceLabel:
        if self._cues.is_tagged(text):
            return ImportanceLabel(label=Importance.critical, probability=1.0, author="manual")
        if not text.strip():
            return ImportanceLabel(label=Importance.trivial, probability=1.0, author="rule")
        critical = float(p[0])
        if critical >= threshold and not self._cues.is_switched_off(cues):
            label, probability = Importance.critical, critical
        elif critical >= threshold:
            label, probability, author = Importance.relevant, critical, "rule"
        else:
            rest = 1 if p[1] >= p[2] else 2
            label, probability = CLASSES[rest], float(p[rest])
        return ImportanceLabel(
            label=label, probability=probability, p_critical=critical, author=author
        )
