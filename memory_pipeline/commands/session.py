"""What commands work with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory_pipeline.local.services import Services
    from memory_pipeline.memory import Memory


def ready() -> "Services":
    """The services of the home, started and current."""
    from memory_pipeline.installation import ready as make_ready

    return make_ready()


@contextmanager
def opened_memory(
    login: str, tenant: str, audiences: list[str] | None = None
) -> "Iterator[Memory]":
    """The store as a login sees it."""
    from memory_pipeline.memory import Memory

    with Memory(ready(), login=login, tenant=tenant, audiences=audiences) as memory:
        yield memory
