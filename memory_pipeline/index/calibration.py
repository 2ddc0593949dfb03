"""Calibration: what an embedder's cosine means on a scale from 0 (unrelated) to 1 (the same).

Cosines of e5 lie between about 0.7 and 0.95 whatever the texts, so thresholds that were set for
a scale from 0 cannot be applied to them. The map is piecewise linear through four measured
points; `memory_pipeline.index.calibrate` measures them.
"""

import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, model_validator


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


def data_file(name: str) -> Path:
    """A file of calibrations that the package carries, or could."""
    return Path(str(files("memory_pipeline.index"))) / "data" / name


def file_name(table: str) -> str:
    """The file of the calibration of the model whose vectors are in `derived.<table>`."""
    return f"calibration_{table.removeprefix('vector_')}.json"


def stored(table: str, *, default: Calibration | None = None) -> Calibration:
    """The calibration that the package carries for the model of a table of vectors.

    Raises `FileNotFoundError` where there is none and no default is given.
    """
    file = data_file(file_name(table))
    if default is not None and not file.is_file():
        return default
    return Calibration.model_validate(json.loads(file.read_text(encoding="utf-8"))["calibration"])
