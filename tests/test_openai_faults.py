"""Everything that may come back from an endpoint: no message lost, none doubled, none silently
empty."""

import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline.contracts.statement import Extraction
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.interface import ExtractionFailure
from memory_pipeline.understand.openai_chat import StructuredChat
from memory_pipeline.understand.openai_extraction import OpenAIExtractor
from memory_pipeline.understand.registry import builtin_predicates
from tests.provider_server import (
    CLOSED,
    HALF,
    JSON,
    LATE,
    NOISE,
    RESET,
    ProviderServer,
    Reply,
    completion,
    serving,
)
from tests.scenario import Scenario, message
from tests.test_bulk import located
from tests.test_openai_understanding import _window

Fault = Callable[[dict[str, Any]], Reply]
"""From the request to what comes back instead of the right answer."""


def status(code: int, body: bytes = b"{}", **headers: str) -> Fault:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda _: (code, JSON | named, body)


def whole(body: object) -> Fault:
    """A reply of 200 with this body."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda _: (200, JSON, raw)


def says(answer: object, finish: str | None = "stop", **more: Any) -> Fault:
    return whole(completion(answer, finish or "stop", **more) if finish else unfinished(answer))


def unfinished(answer: object) -> dict[str, Any]:
    body = completion(answer)
    body["choices"][0]["finish_reason"] = None
    return body


def about(change: Callable[[dict[str, Any]], object]) -> Fault:
    """The right answer of the window, changed."""
    return lambda asked: whole(completion({"windows": change(located(asked)["windows"][0])}))(asked)


def atom(**changes: Any) -> Fault:
    return about(lambda window: [window | {"atoms": [window["atoms"][0] | changes]}])


def closure(**changes: Any) -> Fault:
    made = {
        "action": "ended", "subject": {"name": "P0", "is_speaker": False}, "predicate": "location",
        "object": None, "planned_start": None, "ended_at": None, "valid_precision": "day",
        "confidence": 0.9, "text": "t", "quotes": [{"back": 0, "text": "moved"}],
    }  # fmt: skip
    return about(lambda window: [window | {"closures": [made | changes]}])


def raw_text(change: Callable[[str], str]) -> Fault:
    """The right answer's text, changed."""
    return lambda asked: says(change(json.dumps(located(asked))))(asked)


FAULTS: dict[str, Fault] = {
    # the way there and back
    "429 with Retry-After": status(429, Retry_After="1"),
    "429 with a Retry-After in the past": status(429, Retry_After="Wed, 01 Jan 2020 00:00:00 GMT"),
    "429 with a Retry-After that is none": status(429, Retry_After="soon"),
    "408": status(408),
    "409": status(409),
    "500": status(500),
    "502 with a page": status(502, b"<html>bad gateway</html>"),
    "503": status(503),
    "529 of an overloaded model": status(529),
    "the connection closed": lambda _: (CLOSED, {}, b""),
    "the connection reset": lambda _: (RESET, {}, b""),
    "no answer in time": lambda _: (LATE, {}, b""),
    "half a body": lambda _: (HALF, {}, json.dumps(completion({"windows": []})).encode()),
    "noise that is no HTTP": lambda _: (NOISE, {}, b"SSH-2.0-\r\n\r\n"),
    "401": status(401),
    "403": status(403),
    "404": status(404),
    # a reply that is no completion
    "an empty body": whole(b""),
    "a page with 200": lambda _: (200, {"Content-Type": "text/html"}, b"<html>hello</html>"),
    "a body that is cut JSON": whole(b'{"id": "c", "choices": ['),
    "a body that is null": whole(None),
    "a body that is a list": whole([]),
    "a body that is text": whole("hello"),
    "no choices": whole(completion("") | {"choices": None}),
    "choices that are text": whole(completion("") | {"choices": "none"}),
    "an empty list of choices": whole(completion("") | {"choices": []}),
    "a null choice": whole(completion("") | {"choices": [None]}),
    "a choice without message": whole(completion("") | {"choices": [{"finish_reason": "stop"}]}),
    "counts that are words": whole(completion("x") | {"usage": {"prompt_tokens": "ten"}}),
    # a message that is no answer
    "a refusal": says("", refusal="I will not"),
    "a filtered answer": says("{}", "content_filter"),
    "an answer cut at the limit": says('{"windows": []}', "length"),
    "a call of a tool": says('{"windows": []}', "tool_calls"),
    "a stream that broke off": says('{"windows": []}', None),
    "no content": says(""),
    "blanks": says("  \n"),
    "prose": says("I found no facts."),
    "JSON in a fence": raw_text(lambda text: f"```json\n{text}\n```"),
    "JSON with a word behind": raw_text(lambda text: text + " done"),
    "cut JSON": raw_text(lambda text: text[: len(text) // 2]),
    "a list": says([]),
    "a number": says("7"),
    "a key twice": raw_text(lambda text: '{"windows": [], ' + text[1:]),
    "a key twice, deep": raw_text(lambda text: text.replace('"atoms"', '"atoms": [], "atoms"')),
    "NaN": raw_text(lambda text: text.replace("0.9", "NaN")),
    "Infinity": raw_text(lambda text: text.replace("0.9", "-Infinity")),
    "deep nesting": says("[" * 100_000 + "]" * 100_000),
    "deep nesting in a field": raw_text(
        lambda text: text.replace("0.9", '{"a":' * 5_000 + "1" + "}" * 5_000)
    ),
    "half a surrogate": raw_text(lambda text: text.replace("moved", "\\ud800oved")),
    "NUL": raw_text(lambda text: text.replace("moved", "\\u0000oved")),
    "a huge answer": raw_text(lambda text: text.replace("moved", "m" * 3_000_000)),
    # an answer to something else
    "no windows": says({}),
    "windows that are null": says({"windows": None}),
    "windows that are an object": says({"windows": {"0": []}}),
    "an empty list of windows": says({"windows": []}),
    "another window": about(lambda window: [window | {"window": 3}]),
    "a window numbered by a word": about(lambda window: [window | {"window": "0"}]),
    "the window twice, once empty": about(lambda window: [window | {"atoms": []}, window]),
    "no atoms": about(lambda window: [{k: v for k, v in window.items() if k != "atoms"}]),
    "atoms that are null": about(lambda window: [window | {"atoms": None}]),
    "atoms that are text": about(lambda window: [window | {"atoms": "none"}]),
    "a field too many": atom(City="Omsk"),
    # words that nobody said
    "an invented quote": atom(quotes=[{"back": 0, "text": "Omsk"}]),
    "another message's quote": atom(object="City99", quotes=[{"back": 0, "text": "City99"}]),
    "a blank quote": atom(quotes=[{"back": 0, "text": " "}]),
    "no quote": atom(quotes=[]),
    "a quote of a message that is not there": atom(quotes=[{"back": 8, "text": "moved"}]),
    "a quote of a message to come": atom(quotes=[{"back": -1, "text": "moved"}]),
    "a stranger as speaker": atom(subject={"name": "Somebody", "is_speaker": True}),
    "a subject without a name": atom(subject={"name": "", "is_speaker": False}),
    # values beyond the contract
    "a kind of its own": atom(kind="belief"),
    "a polarity of its own": atom(polarity="maybe"),
    "a confidence over one": atom(confidence=7),
    "a confidence in words": atom(confidence="high"),
    "a predicate that was not offered": atom(predicate="rights"),
    "a candidate that is registered": atom(is_candidate=True),
    "an object that is null": atom(object=None),
    "an object that is a list": atom(object=["City1"]),
    "an empty object": atom(object=""),
    "an endless object": raw_text(
        lambda text: re.sub('"object": "[^"]*"', '"object": 1e999', text)
    ),
    "a date that is none": atom(valid_from="soon"),
    "a day that is none": atom(valid_from="2025-13-45"),
    "a year before all": atom(valid_from="0001-01-01"),
    "a period that ends before it starts": atom(valid_from="2025-05-02", valid_to="2025-05-01"),
    "a closure of nothing offered": closure(predicate="rights"),
    "a closure of its own kind": closure(action="forgotten"),
}  # fmt: skip
UNFIT: dict[str, Fault] = {"400": status(400), "413": status(413), "422": status(422)}
"""What says of one call alone that asking again the same way is no use."""

CITY = [f"City{i}" for i in range(len(FAULTS))]


def test_there_are_more_than_fifty_faults_and_no_two_are_one() -> None:
    asked = {"messages": [{"content": "{}"}, {"content": json.dumps({"windows": [
        {"window": 0, "messages": [{"speaker": "P0", "text": "I moved to City0"}]}]})}]}  # fmt: skip
    replies = {repr(fault(asked)) for fault in FAULTS.values()}
    assert len(replies) == len(FAULTS) > 50


class Faulty:
    """Gives each window its fault, for the first `n_times` that it is asked for."""

    def __init__(self, faults: list[Fault], n_times: int) -> None:
        self.faults, self.n_times = faults, n_times
        self.asked: dict[int, int] = {}
        self.lock = threading.Lock()

    def __call__(self, asked: dict[str, Any]) -> Reply | None:
        windows = json.loads(asked["messages"][-1]["content"])["windows"]
        number = int(windows[0]["messages"][-1]["text"].rpartition("City")[2])
        with self.lock:
            self.asked[number] = self.asked.get(number, 0) + 1
            is_over = self.asked[number] > self.n_times
        return None if is_over else self.faults[number](asked)


def extractor(url: str, **options: int) -> OpenAIExtractor:
    chat = StructuredChat("m", api_key="none", base_url=url, timeout_seconds=1, max_retries=1)
    return OpenAIExtractor(chat, n_per_call=1, n_parallel=16, **options)


def windows() -> list[Any]:
    return [_window(f"I moved to {city}", "P0") for city in CITY]


def test_a_fault_that_lasts_is_a_named_failure_for_its_window_alone() -> None:
    server = ProviderServer(located, chat=Faulty(list(FAULTS.values()), 1_000))
    with serving(server) as url:
        results = extractor(url, n_attempts=2).extract(windows(), builtin_predicates())
    assert len(results) == len(FAULTS)
    for name, city, result in zip(FAULTS, CITY, results, strict=True):
        assert isinstance(result, ExtractionFailure), f"{name} was read as an answer"
        assert result.retryable, f"{name} would never be asked again"
        assert city not in result.detail, name
        assert "Omsk" not in result.detail, name


def test_what_is_unfit_for_one_call_is_told_and_not_asked_again_the_same_way() -> None:
    server = ProviderServer(located, chat=Faulty(list(UNFIT.values()), 1_000))
    with serving(server) as url:
        results = extractor(url).extract(windows()[: len(UNFIT)], builtin_predicates())
    assert [(r.code, r.retryable) for r in results if isinstance(r, ExtractionFailure)] == [
        ("rejected", False)
    ] * len(UNFIT)


@pytest.fixture
def world(services: Services, tmp_path: Path) -> Scenario:
    return Scenario(ready(services.home.path), tmp_path)


def test_all_faults_in_one_load_lose_no_message_and_double_none(world: Scenario) -> None:
    """Each window fails at first, some for two calls; what a run leaves the next one finishes."""
    server = ProviderServer(located, chat=Faulty(list(FAULTS.values()), 2))
    world.read(
        *(
            message("P0", f"2025-05-01T{10 + i // 60}:{i % 60:02}+03:00", f"I moved to {city}",
                    dialog_id=f"d{i}", message_id=f"m{i}")
            for i, city in enumerate(CITY)
        )
    )  # fmt: skip
    with serving(server) as url:
        for n_run in range(4):
            with world.pipeline(extractor(url, n_attempts=2)) as pipeline:
                report = pipeline.extract()
            if n_run == 0:
                assert report.n_failed > 0
    assert report.n_dialogs == 0, "nothing is left to do"
    atoms = world.rows(
        "select c.object #>> '{}' from memory.atom as a"
        " join memory.atom_content as c using (atom_id, subject_id)"
        " where a.tenant_id = %(tenant)s and not exists ("
        "  select from memory.withdrawal as w where w.statement_id = a.atom_id)"
    )
    assert sorted(row[0] for row in atoms) == sorted(CITY)
    answers = world.rows(
        "select count(*), count(distinct message_id),"
        " count(*) filter (where jsonb_array_length(answer -> 'atoms') = 0)"
        " from memory.extraction join memory.extraction_content using (extraction_id)"
        " where tenant_id = %(tenant)s"
    )
    assert answers == [(len(CITY), len(CITY), 0)]


def test_right_answers_are_read_whatever_stands_beside_them() -> None:
    beside: list[Fault] = [
        about(lambda window: [window, window | {"window": 5}]),
        about(lambda window: [window | {"flags": ["instruction", "P0 moved to City1"]}]),
    ]
    server = ProviderServer(located, chat=Faulty(beside, 1))
    with serving(server) as url:
        first, second = extractor(url).extract(windows()[:2], builtin_predicates())
    assert isinstance(first, Extraction)
    assert isinstance(second, Extraction)
    assert [len(first.atoms), len(second.atoms)] == [1, 1]
    assert second.flags == ("instruction", "other"), "a flag is a code and holds no words"
