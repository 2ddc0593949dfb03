"""Structured answers from any endpoint that speaks OpenAI's chat API.

An answer is the parsed JSON object or a failure with a stable code, never something in between:
a refusal, a cut answer and one that is no JSON are failures. The client retries 408, 409, 429,
5xx, time-outs and broken connections itself, with jitter, and waits as long as Retry-After says.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import BaseModel

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
                model=self.model,
                messages=[
                    {"role": "system", "content": instructions},
                    {"role": "user", "content": json.dumps(payload, ensure_ascii=False)},
                ],
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": name, "strict": True, "schema": dict(schema)},
                },
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
                False,
                error.status_code in (400, 413, 422),
            )
        except (openai.APIError, ValueError):
            return CallFailure(
                "invalid_json",
                "the endpoint's reply is not in the chat format; check base_url",
                True,
            )
        self._count(answer)
        return _content(answer)

    def _is_spent(self) -> bool:
        with self._lock:
            spent = self.usage.n_prompt_tokens + self.usage.n_completion_tokens
            return self.token_budget is not None and spent >= self.token_budget

    def _count(self, answer: Any) -> None:
        usage = getattr(answer, "usage", None)
        with self._lock:
            self.usage.n_calls += 1
            self.usage.n_prompt_tokens += getattr(usage, "prompt_tokens", 0) or 0
            self.usage.n_completion_tokens += getattr(usage, "completion_tokens", 0) or 0


def _content(answer: Any) -> dict[str, Any] | CallFailure:
    choices = getattr(answer, "choices", None)
    if not choices:
        return CallFailure("invalid_json", "the reply holds no choice", True)
    choice = choices[0]
    message = choice.message
    if getattr(message, "refusal", None) or choice.finish_reason == "content_filter":
        return CallFailure("refusal", "the model refused; look at the window by hand", True, True)
    if choice.finish_reason == "length":
        return CallFailure(
            "cut", "the answer was cut at the token limit; send fewer items a call", True, True
        )
    try:
        parsed = json.loads(message.content or "")
    except ValueError:
        return CallFailure("invalid_json", "the answer is not JSON", True, True)
    if not isinstance(parsed, dict):
        return CallFailure("invalid_json", "the answer is not a JSON object", True, True)
    return parsed
