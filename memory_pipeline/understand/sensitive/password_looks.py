"""What a password looks like, apart from the words around it."""

import re

_CLOSING = {'"': '"', "'": "'", "`": "`"}
_TRAIL = ".,;:)]}»”\"'`"
# "getpass(…", "os.environ[…": what a program calls or looks up
_CALL = re.compile(r"[A-Za-z_][A-Za-z_.]*[(\[][^\d]*\Z")
_RANGE = re.compile(r"\d{1,2}[\-–]\d{1,2}\Z")
_CONTRACTED = re.compile(r"[^\W\d_]+['’][^\W\d_]{1,2}\Z")
_PLACEHOLDER = re.compile(r"[\[{(<][^\d\]})>]*[\]})>]?\Z")
_MARKUP = re.compile(r"[*_]{1,3}[^\W\d_]+|[^\W\d_]+[*_:]{1,4}\Z")

_JOINED = re.compile(r"[^\W\d_]{2,}(?:_[^\W\d_]{2,})+")
"""Words joined by "_" ("orange_cat")."""
_IDENTIFIER = re.compile(
    r"(?:^|_)(?:id|ids|name|key|keys|token|hash|salt|user|users|field|column|table|pass|password|pwd|value|type|file|path|url|db|env|var|is|has|get|set|"
    r"reset|check|max|min|size|length|count|manager|policy|auth|login|config|test|data|date|at|min|str|list|dict)(?:_|$)",
    re.IGNORECASE,
)
"""A part that names of programs have."""


def whole_value(value: str, before: str, strong: bool) -> str:
    """A value without the punctuation of its sentence. "!" at the end belongs to the value, "?" does
    after a colon, a closing bracket where the value opens one."""
    quote = _CLOSING.get(before)
    if quote is not None and quote in value:
        return value[: value.index(quote)]
    value = re.split(r"</|><", value, maxsplit=1)[0]
    while value and (value[-1] in _TRAIL or (value[-1] == "?" and not strong)):
        if value[-1] == ")" and value.count("(") >= value.count(")"):
            break
        value = value[:-1]
    return value


def looks_like_password(value: str, strong: bool) -> bool:
    """Whether a value is no plain word; after a colon or "=" (`strong`) less tells that."""
    if (
        "://" in value
        or value.startswith("//")
        or (re.fullmatch(r"[\d.,:%]+(?:[a-zа-я]{1,4})?", value) and not strong)
    ):
        return re.fullmatch(r"\d{4,12}", value) is not None
    if re.fullmatch(r"\[[A-Z_]+_?\d*\]?", value) or set(value) <= set("*•x.-_"):
        return False
    if _PLACEHOLDER.match(value) or _MARKUP.match(value) or _CALL.match(value):
        return False
    # what it looks like is judged without the sentence's own exclamation
    look = value.rstrip("!?")
    if look.isdigit():
        return 4 <= len(look) <= 16
    if _RANGE.match(look) or _CONTRACTED.match(look):
        return False
    if re.search(r"\d", look) and re.search(r"[^\W\d_]", look):
        return True
    if re.search(r"[^\w]", look) and not look.endswith("'s"):
        if re.search(r"[!@#$%^&*+=?~]", look):
            return True
        return strong or (look.count("-") >= 1 and re.search(r"[A-ZА-Я]", look) is not None)
    return re.search(r"[a-zа-я][A-ZА-Я]", look) is not None or (
        _JOINED.fullmatch(look) is not None and _IDENTIFIER.search(look) is None
    )
