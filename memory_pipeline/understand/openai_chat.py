"""Structured answers from any endpoint that speaks OpenAI's chat API.

An answer is the parsed JSON object or a failure with a stable code, never something in between:
a refusal, a cut answer and one that is no JSON are failures, so is one with a key twice, a number
that JSON lacks, text that a database cannot hold, or a size beyond reason. The client retries
408, 409, 429, 5xx, time-outs and broken connections itself, with jitter, and waits as long as
Retry-After says.
"""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Never

from pydantic import BaseModel, ValidationError

MAX_ANSWER_CHARS = 2_000_000
"""Far beyond what any group of windows can be answered with."""

_UNFIT = re.compile("[\x00\ud800-\udfff]")

_UNSUPPORTED_KEYWORDS = frozenset(
    {
        "default",
        "title",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "pattern",
        "format",
    }
)


@dataclass(frozen=True)
class CallFailure:
    """Why a call gave nothing. `splittable`: fewer items in one call may do better."""

    code: str
    detail: str
    retryable: bool
    splittable: bool = False


@dataclass
class Usage:
    """Counts of a run, for asset metadata."""

    n_calls: int = 0
    n_prompt_tokens: int = 0
    n_completion_tokens: int = 0


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """A model's JSON Schema in the form that strict structured outputs ask for: every property
    required, no others allowed, no keywords that the endpoint does not know. What the keywords
    said is checked on the answer instead."""
    schema = model.model_json_schema()
    return _strict(schema)  # type: ignore[no-any-return]


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    out = {
        key: {name: _strict(part) for name, part in value.items()}
        if key in ("properties", "$defs")
        else _strict(value)
        for key, value in node.items()
        if key not in _UNSUPPORTED_KEYWORDS
    }
    if out.get("type") == "object":
        out["additionalProperties"] = False
        out["required"] = list(out.get("properties", {}))
    return out


@dataclass
class StructuredChat:
    """One model at one endpoint. `api_key` and `base_url` default to what the client reads from
    its environment. `timeout_seconds` holds for one attempt; `max_retries` counts further ones.
    `token_budget` bounds the tokens of this object's life; once spent, calls fail with `budget`.
    """

    model: str
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    timeout_seconds: float = 120.0
    max_retries: int = 5
    token_budget: int | None = None
    usage: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            api_key=self.api_key,
            base_url=self.base_url,
            timeout=self.timeout_seconds,
            max_retries=self.max_retries,
        )

    def request(
        self, name: str, schema: Mapping[str, Any], instructions: str, payload: object
    ) -> dict[str, Any]:
        """The body of the call that `ask` makes, as the chat API takes it."""
        return {
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": json.dumps(payload, ensure_ascii=False)},
            ],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": name, "strict": True, "schema": dict(schema)},
            },
        }

    def ask(
        self, name: str, schema: Mapping[str, Any], instructions: str, payload: object
    ) -> dict[str, Any] | CallFailure:
        """The model's answer to `payload` (sent as JSON) under `instructions`."""
        import openai

        if self._is_spent():
            return CallFailure(
                "budget", "the run's token budget is spent; raise it or run again later", True
            )
        try:
            answer = self._client.chat.completions.create(
                **self.request(name, schema, instructions, payload)
            )
        except openai.RateLimitError:
            return CallFailure(
                "rate_limited", "the endpoint kept answering 429; run again later", True
            )
        except openai.APITimeoutError:
            return CallFailure(
                "timeout",
                "the endpoint did not answer in time; raise the timeout or send fewer items a call",
                True,
                True,
            )
        except openai.APIConnectionError:
            return CallFailure(
                "connection", "the endpoint could not be reached; check base_url", True
            )
        except openai.InternalServerError as error:
            return CallFailure(
                "server_error",
                f"the endpoint kept answering {error.status_code}; run again later",
                True,
            )
        except openai.APIStatusError as error:
            return CallFailure(
                "rejected",
                f"the endpoint answered {error.status_code}; check model, key and request size",
                # of one call alone these say that it is unfit; key and model may be mended
                error.status_code not in (400, 413, 422),
                error.status_code in (400, 413, 422),
            )
        except (openai.APIError, ValueError, RecursionError):
            return CallFailure(
                "invalid_json",
                "the endpoint's reply is not in the chat format; check base_url",
                True,
            )
        self._count(answer)
        return answer_of(answer)

    def _is_spent(self) -> bool:
        with self._lock:
            spent = self.usage.n_prompt_tokens + self.usage.n_completion_tokens
            return self.token_budget is not None and spent >= self.token_budget

    def _count(self, answer: Any) -> None:
        usage = getattr(answer, "usage", None)
        with self._lock:
            self.usage.n_calls += 1
            self.usage.n_prompt_tokens += _count_of(usage, "prompt_tokens")
            self.usage.n_completion_tokens += _count_of(usage, "completion_tokens")


def _count_of(usage: Any, name: str) -> int:
    n = getattr(usage, name, 0)
    return n if isinstance(n, int) and n > 0 else 0


def misfits(error: ValidationError) -> str:
    """The fields of an answer that break the contract, without a word of the answer: a field too
    many bears a name of the model's making."""
    found = {
        ".".join(str(part) for part in e["loc"][: -1 if e["type"] == "extra_forbidden" else None])
        + (" holds an unknown field" if e["type"] == "extra_forbidden" else "")
        for e in error.errors(include_input=False, include_url=False, include_context=False)
    }
    return f"fields {sorted(found)} break the contract"


def answer_of(completion: Any) -> dict[str, Any] | CallFailure:
    """The parsed answer of a chat completion (as the client gives it)."""
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        return CallFailure("invalid_json", "the reply holds no choice", True, True)
    choice = choices[0]
    message = getattr(choice, "message", None)
    finish = getattr(choice, "finish_reason", None)
    if message is None:
        return CallFailure("invalid_json", "the reply holds no message", True, True)
    if getattr(message, "refusal", None) or finish == "content_filter":
        return CallFailure("refusal", "the model refused; look at the window by hand", True, True)
    if finish == "length":
        return CallFailure(
            "cut", "the answer was cut at the token limit; send fewer items a call", True, True
        )
    content = getattr(message, "content", None)
    if finish != "stop":
        # a stream that broke off has no reason to have finished
        return CallFailure("cut", "the answer did not come to its end", True, True)
    return parsed(content if isinstance(content, str) else "")


def parsed(content: str) -> dict[str, Any] | CallFailure:
    """The JSON object of an answer's text, in one meaning, with text that a database can hold."""
    if len(content) > MAX_ANSWER_CHARS:
        return CallFailure("invalid_answer", "the answer is far too long", True, True)
    try:
        value = _DECODER.decode(content)
    except (ValueError, RecursionError):
        return CallFailure("invalid_json", "the answer is not JSON", True, True)
    if not isinstance(value, dict):
        return CallFailure("invalid_json", "the answer is not a JSON object", True, True)
    try:
        is_unfit = _UNFIT.search(json.dumps(value, ensure_ascii=False)) is not None
        is_unfit |= "\\u0000" in content and _holds_nul(value)
    except RecursionError:
        return CallFailure("invalid_json", "the answer is nested too deeply", True, True)
    if is_unfit:
        return CallFailure(
            "invalid_json", "the answer holds NUL or half a surrogate pair", True, True
        )
    return value


def _holds_nul(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_nul, (*value, *value.values())))
    if isinstance(value, list):
        return any(map(_holds_nul, value))
    return isinstance(value, str) and "\x00" in value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key twice")
    return members


def _constant(_name: str) -> Never:
    raise ValueError("no number of JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
