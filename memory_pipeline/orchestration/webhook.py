"""Notices to a webhook: ids, counts and closed words, as one small JSON object."""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from memory_pipeline.settings import settings

TIMEOUT_S = 5.0
PAUSES_S = (1.0, 3.0)

Fact = int | str | Sequence[str] | Mapping[str, int]


class WebhookError(RuntimeError):
    """The notice did not arrive. The message leaves out the address, which may hold a token."""


def webhook_url() -> str | None:
    """The address of the settings; None where nobody listens. Raises `WebhookError` for an
    address that is not http or https."""
    secret = settings().webhook_url
    if secret is None:
        return None
    url = secret.get_secret_value()
    if not url.startswith(("http://", "https://")):
        raise WebhookError("MEMORY_PIPELINE_WEBHOOK_URL must begin with http:// or https://")
    return url


def send(url: str, event: str, facts: Mapping[str, Fact]) -> None:
    """POST `{"source", "event", "at", **facts}`, three times at most.

    Raises `WebhookError` when no attempt was answered with success.
    """
    notice = {
        "source": "memory_pipeline",
        "event": event,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        **facts,
    }
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked where the url is read
        url,
        data=json.dumps(notice).encode(),
        headers={"Content-Type": "application/json", "User-Agent": "memory_pipeline"},
        method="POST",
    )
    for pause in (*PAUSES_S, None):
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S):  # noqa: S310 - as above
                return
        except urllib.error.HTTPError as error:
            problem = f"the receiver answered {error.code}"
        except OSError as error:
            problem = f"the receiver cannot be reached ({type(error).__name__})"
        if pause is not None:
            time.sleep(pause)
    raise WebhookError(f"notice {event} was not delivered: {problem}")
