"""Logins in what machines read: headers, commands, assignments, elements."""

import base64
import binascii
import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, Candidate
from memory_pipeline.understand.sensitive.value_words import is_no_value

_HEADER = re.compile(
    r"(?<!\w)(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"'`]?(?:(?P<scheme>basic|bearer|token|digest|apikey|api-key|bot|oauth)\s+)?"
    r"(?P<value>[^\s\"'`,;<>{}$\[\]]{6,})",
    re.I,
)
_BASIC = re.compile(r"(?<!\w)basic\s+(?P<value>[A-Za-z0-9+/]{6,}={0,2})(?![\w+/=])", re.I)
_BEARER = re.compile(r"(?<!\w)bearer\s+(?P<value>[A-Za-z0-9_\-.~+/]{8,}=*)", re.I)
_CLIENT = re.compile(r"(?<!\w)(?:curl|wget|lftp|xh|https?)\s", re.I)
_USER = re.compile(
    r"(?<!\S)(?:-u|-U|--user|--proxy-user|--auth|-a)[ =]?[\"']?[^\s:\"'$<{]+:(?P<value>[^\s\"'$<{][^\s\"']{2,})"
)
_OPTION = re.compile(
    r"(?<!\S)--?(?P<name>[a-z][a-z\-]*?-)?(?P<kind>pass(?:word|phrase|wd)?|pwd|token|api-?key|secret)(?P<link>=|\s+)"
    r"[\"']?(?P<value>[^\s\"'\-$<{\[][^\s\"']{3,})",
    re.I,
)
_SHORT_OPTION = re.compile(
    r"(?<!\w)(?:sshpass\s+-p\s*|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]*?\s-p(?=\S)|redis-cli\b[^\n|;]*?\s-a\s+|"
    r"(?:zip|unzip)\b[^\n|;]*?\s-P\s*|7z\b[^\n|;]*?\s-p(?=\S))[\"']?(?P<value>[^\s\"'$<{\[][^\s\"']{3,})"
)
_ASSIGNED = re.compile(
    r"(?<![\w\-.])[\"']?(?:(?:[A-Za-z][A-Za-z0-9]*[_.\-]){1,6}(?=pass|pwd|secret|token|api|access|encr|priv)|PG(?=PASS)|(?=(?:secret|api|access|encryption|private)[_\-]key))"
    r"(?P<kind>password|passwd|passphrase|pass|pwd|secret[_\-]?key|secret|token|api[_\-]?key|"
    r"access[_\-]?key|encryption[_\-]?key|private[_\-]?key)[\"']?(?P<gap>\s*)[:=](?P<space>\s*)(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>$={(\[][^\s\"'`<>]{3,})",
    re.I,
)
_ELEMENT = re.compile(
    r"<(?P<name>password|passwd|pwd|passphrase|secret|token|apikey|api_key)(?:\s[^<>]*)?>(?P<value>[^<>\n]{3,120})</(?P=name)>",
    re.I,
)
_LEAST = 3
_TRAIL = ".,;:)]}»”\"'`"
_KEYS = frozenset({"token", "apikey", "api-key", "api_key", "secret", "bearer", "bot", "oauth"})
_PATH = re.compile(r"[A-Za-z_]+(?:\.[A-Za-z_]+)+\Z|[^\W\d]\w*\(.*")


def find_command_logins(text: str) -> Iterator[Candidate]:
    """Values in headers of requests, options of commands, named settings and elements."""
    low = text.lower()
    if "authorization" in low or "basic" in low or "bearer" in low:
        yield from _headers(text)
    if "-" in text:
        for match in _USER.finditer(text):
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            if _CLIENT.search(line):
                yield from _candidate(match, "password")
        for match in _OPTION.finditer(text):
            value = match.group("value").rstrip(_TRAIL)
            if match.group("link") == "=" or _is_no_word(value):
                yield from _candidate(match, _type(match.group("kind")))
        for match in _SHORT_OPTION.finditer(text):
            yield from _candidate(match, "password")
    if "=" in text or ":" in text:
        for match in _ASSIGNED.finditer(text):
            name = text[match.start() : match.start("value")].partition(":")[0]
            alone = re.match(r"[ \t]*(?:$|\n)", text[match.end() :]) is not None
            tight = (
                match.group("quote")
                or not (match.group("gap") + match.group("space"))
                or (name.isupper() and alone)
            )
            if _is_no_word(match.group("value").rstrip(_TRAIL)) or tight:
                yield from _candidate(match, _type(match.group("kind")))
    if "</" in text:
        for match in _ELEMENT.finditer(text):
            yield from _candidate(match, _type(match.group("name")))


def _headers(text: str) -> Iterator[Candidate]:
    for match in _HEADER.finditer(text):
        scheme = (match.group("scheme") or "").lower()
        if _is_no_word(match.group("value").rstrip(_TRAIL)):
            yield from _candidate(match, "password" if scheme in ("basic", "digest") else "api_key")
    for match in _BASIC.finditer(text):
        if _is_login(match.group("value")):
            yield Candidate(*match.span("value"), "password", match.group("value"), CHECKED)
    for match in _BEARER.finditer(text):
        if any(map(str.isdigit, match.group("value"))):
            yield from _candidate(match, "api_key")


def _is_login(value: str) -> bool:
    """Whether it decodes to a name and a password."""
    try:
        said = base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in said and said.isprintable()


def _type(kind: str) -> str:
    return "api_key" if kind.lower() in _KEYS or kind.lower().endswith("key") else "password"


def _candidate(match: re.Match[str], kind: str) -> Iterator[Candidate]:
    value = match.group("value").rstrip(_TRAIL)
    start = match.start("value")
    plain = value.lower()
    said_of_it = plain.isalpha() and is_no_value(plain)
    hidden = set(value) <= set("*•xX.-_")
    if len(value) >= _LEAST and not (_PATH.match(value) or said_of_it or hidden):
        yield Candidate(start, start + len(value), kind, value, KEYED)


def _is_no_word(value: str) -> bool:
    """A digit, a sign or letters of both sizes: no word of a sentence, nor a name in capitals."""
    if any(map(str.isdigit, value)):
        return True
    if re.search(r"[a-zа-я][A-ZА-Я]", value) is not None:
        return True
    return re.search(r"[!@#$%^&*+=?~]", value.rstrip("!?")) is not None
