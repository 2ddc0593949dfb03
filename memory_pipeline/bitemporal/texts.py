"""Texts that people give, as the store can take them."""

import re

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str, what: str) -> str:
    """The text as it is; `what` names it for the error. Raises `ValueError` with the remedy for one
    that PostgreSQL has no place for: with U+0000, or half of a surrogate pair."""
    found = _UNSTORABLE.search(text)
    if found is not None:
        raise ValueError(
            f"{what} has U+{ord(found[0]):04X} at character {found.start() + 1}, which no stored"
            " text may hold; leave it out"
        )
    return text
