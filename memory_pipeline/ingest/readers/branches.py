"""The branch of a conversation that its owner last saw, where answers were tried again or edited."""

from collections.abc import Mapping


def active_branch(parents: Mapping[str, str | None], leaf: str) -> list[str]:
    """Return the nodes from the root to `leaf`, following `parents`.

    A parent that is not a key is above the root. Ends where a loop would begin.
    """
    found: dict[str, None] = {}
    at: str | None = leaf
    while at is not None and at in parents and at not in found:
        found[at] = None
        at = parents[at]
    return list(found)[::-1]
