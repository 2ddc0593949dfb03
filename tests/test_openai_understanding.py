"""The OpenAI side of understanding, against a local server that speaks the protocol and fails on
script."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memory_pipeline.contracts.statement import Extraction, ImportanceLabel, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.understand.interface import ExtractionFailure, LabelFailure
from memory_pipeline.understand.openai_chat import StructuredChat, strict_schema
from memory_pipeline.understand.openai_extraction import OpenAIExtractor, _Answers
from memory_pipeline.understand.openai_importance import OpenAIImportance
from memory_pipeline.understand.registry import builtin_predicates

Reply = tuple[int, dict[str, str], bytes]
Script = Callable[[int, dict[str, Any]], Reply | None]
"""From the number of the request (from 0) and its payload to a scripted fault, or None."""


def _completion(answer: object, finish: str = "stop", refusal: str | None = None) -> Reply:
    content = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    body = {
        "id": "c", "object": "chat.completion", "created": 0, "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": {
            "role": "assistant", "content": None if refusal else content, "refusal": refusal}}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


class _Server:
    def __init__(self, script: Script, right: Callable[[dict[str, Any]], object]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.script, self.right = script, right
        self.lock = threading.Lock()

    def answer(self, body: dict[str, Any]) -> Reply:
        payload = json.loads(body["messages"][-1]["content"])
        with self.lock:
            number = len(self.requests)
            self.requests.append(body)
        return self.script(number, payload) or _completion(self.right(payload))


@contextmanager
def _serving(
    script: Script, right: Callable[[dict[str, Any]], object]
) -> Iterator[tuple[str, _Server]]:
    scripted = _Server(script, right)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, headers, reply = scripted.answer(body)
            if status == 0:
                self.connection.close()
                return
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _chat(url: str, **options: Any) -> StructuredChat:
    return StructuredChat("m", api_key="none", base_url=url, timeout_seconds=5, **options)


def _window(text: str, speaker: str = "Anna") -> Window:
    sent = datetime.fromisoformat("2025-10-10T12:00:00+03:00")
    return Window(
        messages=(WindowMessage(speaker=speaker, role="user", sent_at=sent, lang="en", text=text),),
        tz="Europe/Moscow",
    )


def _atom(text: str, **changes: Any) -> dict[str, Any]:
    city = text.split()[-1]
    return {
        "kind": "semantic", "subject": {"name": "Anna", "is_speaker": True}, "predicate": "location",
        "is_candidate": False, "object": city, "polarity": "affirmed", "valid_from": "2025-10-19",
        "valid_to": None, "start_inferred": False, "holds_when_told": False, "valid_precision": "day",
        "confidence": 0.9, "text": text, "quotes": [{"back": 0, "text": city}], **changes,
    }  # fmt: skip


def _facts(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        "windows": [
            {
                "window": w["window"],
                "atoms": [_atom(w["messages"][-1]["text"])],
                "closures": [],
                "flags": [],
            }
            for w in payload["windows"]
        ]
    }


def _labels(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        "labels": [
            {"index": m["index"], "label": "RELEVANT", "probability": 0.8}
            for m in payload["messages"]
        ]
    }


def _nothing(number: int, payload: dict[str, Any]) -> None:
    return None


def test_a_good_answer_becomes_drafts_with_spans_and_local_midnight() -> None:
    with _serving(_nothing, _facts) as (url, server):
        chat = _chat(url)
        [result] = OpenAIExtractor(chat).extract([_window("I move to Kazan")], builtin_predicates())
    assert isinstance(result, Extraction)
    [atom] = result.atoms
    assert (atom.object, atom.spans[0].start, atom.spans[0].end) == ("Kazan", 10, 15)
    assert atom.valid_from is not None
    assert atom.valid_from.isoformat() == "2025-10-19T00:00:00+03:00"
    assert (chat.usage.n_calls, chat.usage.n_prompt_tokens) == (1, 10)
    sent = server.requests[0]["response_format"]
    assert sent["json_schema"]["strict"] is True


def test_several_windows_go_in_one_call_and_come_back_in_order() -> None:
    windows = [_window(f"I move to City{i}") for i in range(20)]
    with _serving(_nothing, _facts) as (url, server):
        results = OpenAIExtractor(_chat(url), n_per_call=8).extract(windows, builtin_predicates())
    assert [r.atoms[0].object for r in results if isinstance(r, Extraction)] == [
        f"City{i}" for i in range(20)
    ]
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (_completion("", refusal="I will not"), "refusal"),
        (_completion('{"windows": [', finish="length"), "cut"),
        (_completion("not json"), "invalid_json"),
        (_completion([1, 2]), "invalid_json"),
        (_completion({"windows": []}), "missing_answer"),
        (_completion({"windows": [{"window": 0, "atoms": [], "closures": [], "flags": []}] * 2}), "missing_answer"),
        (_completion({"windows": [{"window": 0}]}), "invalid_answer"),
        (_completion({"windows": [{"window": 0, "atoms": [_atom("I move to Kazan", confidence=7)], "closures": [], "flags": []}]}), "invalid_answer"),
        (_completion({"windows": [{"window": 0, "atoms": [_atom("I move to Kazan", predicate="rights")], "closures": [], "flags": []}]}), "invalid_answer"),
        (_completion({"windows": [{"window": 0, "atoms": [_atom("I move to Kazan", valid_from="soon")], "closures": [], "flags": []}]}), "invalid_answer"),
        (_completion({"windows": [{"window": 0, "atoms": [_atom("I move to Kazan", quotes=[{"back": 0, "text": "Omsk"}])], "closures": [], "flags": []}]}), "quote_not_found"),
        ((401, {}, b"{}"), "rejected"),
        ((503, {"Retry-After": "0"}, b"{}"), "server_error"),
        ((429, {"Retry-After": "0"}, b"{}"), "rate_limited"),
        ((0, {}, b""), "connection"),
    ],
)  # fmt: skip
def test_a_lasting_fault_is_a_named_failure_and_never_an_empty_extraction(
    fault: Reply, code: str
) -> None:
    with _serving(lambda *_: fault, _facts) as (url, _):
        chat = _chat(url, max_retries=1)
        [result] = OpenAIExtractor(chat, n_attempts=2).extract(
            [_window("I move to Kazan")], builtin_predicates()
        )
    assert isinstance(result, ExtractionFailure)
    assert result.code == code
    assert "Kazan" not in result.detail


def test_one_bad_window_of_a_call_does_not_spoil_its_neighbours() -> None:
    def right(payload: dict[str, Any]) -> dict[str, Any]:
        answer = _facts(payload)
        for entry, window in zip(answer["windows"], payload["windows"], strict=True):
            if "Omsk" in window["messages"][-1]["text"]:
                entry["atoms"][0]["quotes"] = [{"back": 0, "text": "Tula"}]
        return answer

    with _serving(_nothing, right) as (url, _):
        results = OpenAIExtractor(_chat(url), n_attempts=2).extract(
            [_window("I move to Kazan"), _window("I move to Omsk"), _window("I move to Perm")],
            builtin_predicates(),
        )
    assert [getattr(r, "code", "fine") for r in results] == ["fine", "quote_not_found", "fine"]


def test_retry_after_is_waited_for() -> None:
    moments: list[float] = []

    def script(number: int, payload: dict[str, Any]) -> Reply | None:
        moments.append(datetime.now().timestamp())  # noqa: DTZ005 - a difference only
        return (429, {"Retry-After": "1"}, b"{}") if number == 0 else None

    with _serving(script, _labels) as (url, _):
        [label] = OpenAIImportance(_chat(url)).label(["we have a dog"])
    assert isinstance(label, ImportanceLabel)
    assert moments[1] - moments[0] >= 1


def test_importance_sends_a_text_once_and_never_a_tagged_one() -> None:
    with _serving(_nothing, _labels) as (url, server):
        labels = OpenAIImportance(_chat(url)).label(["a b", "[!] nuts", "a b", "  "])
    assert [label.label for label in labels if isinstance(label, ImportanceLabel)] == [
        Importance.relevant, Importance.critical, Importance.relevant, Importance.trivial,
    ]  # fmt: skip
    assert labels[1].author == "manual"  # type: ignore[union-attr]
    assert [
        m["text"] for m in json.loads(server.requests[0]["messages"][-1]["content"])["messages"]
    ] == ["a b"]


def test_a_label_outside_the_three_classes_is_a_failure() -> None:
    def wrong(payload: dict[str, Any]) -> dict[str, Any]:
        return {"labels": [{"index": 0, "label": "URGENT", "probability": 0.8}]}

    with _serving(_nothing, wrong) as (url, _):
        [label] = OpenAIImportance(_chat(url), n_attempts=1).label(["a"])
    assert isinstance(label, LabelFailure)
    assert label.code == "invalid_answer"


def test_a_spent_token_budget_stops_the_calls() -> None:
    with _serving(_nothing, _facts) as (url, server):
        chat = _chat(url, token_budget=10)
        extractor = OpenAIExtractor(chat, n_per_call=1, n_parallel=1)
        results = extractor.extract(
            [_window("I move to Kazan"), _window("I move to Omsk")], builtin_predicates()
        )
    assert isinstance(results[0], Extraction)
    assert isinstance(results[1], ExtractionFailure)
    assert results[1].code == "budget"
    assert len(server.requests) == 1


def test_the_schema_is_strict_at_every_object() -> None:
    def objects(node: object) -> Iterator[dict[str, Any]]:
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for part in node.values():
                yield from objects(part)
        elif isinstance(node, list):
            for part in node:
                yield from objects(part)

    found = list(objects(strict_schema(_Answers)))
    assert len(found) == 6
    assert all(
        o["additionalProperties"] is False and set(o["required"]) == set(o["properties"])
        for o in found
    )
