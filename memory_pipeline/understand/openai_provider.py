"""A provider's side of OpenAI's Batch API: files put there, batches of calls, files deleted.

The client retries 408, 409, 429, 5xx, time-outs and broken connections itself, with jitter, and
waits as long as Retry-After says. Names and metadata hold ids of our own and no content.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from memory_pipeline.local.errors import ServiceError

MAX_LINE_BYTES = 16 * 1024 * 1024
ENDPOINT = "/v1/chat/completions"
TAG = "memory_pipeline_batch"
RUNNING = frozenset({"validating", "in_progress", "finalizing", "cancelling"})
_MAX_LISTED = 2_000


class ProviderError(ServiceError):
    """The provider cannot be reached, or refuses; what it was given stays listed."""


@dataclass(frozen=True)
class ProviderBatch:
    """A batch as the provider tells it. `status` is its word, `code` of its first error."""

    native_id: str
    status: str
    output_file: str | None
    error_file: str | None
    code: str | None

    @property
    def is_running(self) -> bool:
        """Whether answers may still come."""
        return self.status in RUNNING


@contextmanager
def _told(action: str) -> Iterator[None]:
    """Errors of the client as `ProviderError`, without content."""
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise ProviderError(
            f"the provider answered {error.status_code} when asked to {action}; what it was given"
            " stays listed and is tried again"
        ) from None
    except (openai.APIError, ValueError) as error:
        raise ProviderError(
            f"the provider could not be asked to {action} ({type(error).__name__}); what it was"
            " given stays listed and is tried again"
        ) from None


@dataclass
class Provider:
    """One endpoint. `timeout_seconds` holds for one attempt; `max_retries` counts further ones."""

    api_key: str | None
    base_url: str | None = None
    timeout_seconds: float = 120.0
    max_retries: int = 5

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            api_key=self.api_key,
            base_url=self.base_url,
            timeout=self.timeout_seconds,
            max_retries=self.max_retries,
        )

    @property
    def _once(self) -> Any:
        """For what must not be done twice: a call that seemed to fail may have been heard. The
        next round looks for what it made."""
        return self._client.with_options(max_retries=0)

    def upload(self, name: str, lines: bytes) -> str:
        """Put a file of calls there; returns its id. Raises `ProviderError`, as all here do."""
        with _told("take a file"):
            return _id(self._once.files.create(file=(name, lines), purpose="batch"))

    def uploaded(self, name: str) -> str | None:
        """The id of a file of calls by its name, if it lies there."""
        with _told("list files"):
            files = islice(self._client.files.list(purpose="batch", limit=1_000), _MAX_LISTED)
            return next((_id(file) for file in files if file.filename == name), None)

    def start(self, input_file: str, tag: str) -> ProviderBatch:
        """Have the calls of a file made within a day."""
        with _told("start a batch"):
            return _batch(
                self._once.batches.create(
                    input_file_id=input_file,
                    endpoint=ENDPOINT,
                    completion_window="24h",
                    metadata={TAG: tag},
                )
            )

    def started(self, tag: str) -> ProviderBatch | None:
        """The batch that was started under a tag, if there is one."""
        with _told("list batches"):
            batches = islice(self._client.batches.list(limit=100), _MAX_LISTED)
            return next((_batch(b) for b in batches if (b.metadata or {}).get(TAG) == tag), None)

    def state(self, native_id: str) -> ProviderBatch:
        """How a batch stands."""
        with _told("tell of a batch"):
            return _batch(self._client.batches.retrieve(native_id))

    def cancel(self, native_id: str) -> None:
        """Have no more calls of a batch made; one that ended already stays as it is."""
        import openai

        ended = (openai.NotFoundError, openai.ConflictError, openai.BadRequestError)
        with _told("cancel a batch"), suppress(*ended):
            self._client.batches.cancel(native_id)

    def lines(self, file: str) -> Iterator[bytes]:
        """The lines of a file; none if the provider has it no more. An overlong line is passed
        over: whom it answered is then among those without answer."""
        content = self._content(file)
        for line in content.split(b"\n"):
            if line.strip() and len(line) <= MAX_LINE_BYTES:
                yield line

    def _content(self, file: str) -> bytes:
        import openai

        with _told("give a file"), suppress(openai.NotFoundError):
            read: bytes = self._client.files.content(file).content
            return read
        return b""

    def delete(self, file: str) -> None:
        """Delete a file; one that is not there is deleted already."""
        import openai

        with _told("delete a file"), suppress(openai.NotFoundError):
            self._client.files.delete(file)


def _id(made: Any) -> str:
    if not isinstance(made.id, str) or not made.id:
        raise ValueError("no id")
    return made.id


def _batch(made: Any) -> ProviderBatch:
    errors = getattr(getattr(made, "errors", None), "data", None) or []
    code = getattr(errors[0], "code", None) if errors else None
    return ProviderBatch(_id(made), str(made.status), made.output_file_id, made.error_file_id, code)
