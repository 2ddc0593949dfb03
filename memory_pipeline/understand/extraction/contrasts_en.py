"""What an English sentence denies for something else it names ("not in Bath but in Bristol")."""

import re

_CONTRAST = re.compile(
    r"\bnot\s+(?P<old>(?P<prep>in|at|from|to|for|with|on|near)\s+(?!just\b|only\b)(?:the\s+)?[a-z][\w&'-]*(?:\s[a-z][\w&'-]+){0,2}?)\s*,?\s*"
    r"(?P<but>but(?:\s+rather)?)\s+(?:(?P<again>(?:in|at|from|to|for|with|on|near)\s)|(?P<new>[a-z][\w'-]+(?:\s[a-z][\w'-]+)?(?=\s*(?:[,.;!)]|$)|\s+(?:now|these days|since|as|and|for|from))))"
)


def without_denied_en(text: str, low: str) -> str:
    """The text with what it denies for something else blanked, character by character: the
    preposition that both share stays. `low` is the text in lower case, of the same length."""
    out = text
    for found in _CONTRAST.finditer(low):
        head = text[found.start("old") + len(found["prep"]) :].strip()
        if found["new"] is not None and not (
            head[:1].isupper() and text[found.start("new")].isupper()
        ):
            continue
        stop = found.end("but")
        kept = "" if found["again"] else f"{found['prep']} "
        blank = " " * (stop - found.start() - len(kept)) + kept
        out = out[: found.start()] + blank + out[stop:]
    return out
