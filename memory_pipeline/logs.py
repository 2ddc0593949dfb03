"""The program's own log: what goes through the root's handler holds no content.

Errors are told by class, SQLSTATE, constraint and place, never by words that may quote a row or a
parameter; of a message that quotes a server's error all from its first detail on is dropped; what
looks like a secret or a contact is masked. This is a net under the rule that nobody logs content.
"""

import logging
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

PACKAGE = Path(__file__).parent
FORMAT = "%(levelname)s %(name)s: %(message)s"

# what PostgreSQL, its drivers and SQLAlchemy say after an error's first line
_DETAILS = re.compile(
    r"\n?^\s*(?:(?:DETAIL|CONTEXT|STATEMENT|QUERY|HINT|WHERE|LINE \d+):|\[(?:SQL|parameters): ).*",
    re.MULTILINE | re.DOTALL,
)
_CAST = re.compile(r'(invalid input \w+ for [^:"]*(?:"[^"]*")?: ?)".*"', re.DOTALL)
_FAILING_ROW = re.compile(r"(Failing row contains|Key) \(.*", re.DOTALL)
_KEPT = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*"
)
_LOOKED_AT = re.compile(
    r"@|(?:\d[ \-\u00a0.()–]{0,3}){5}\d|[A-Za-z0-9_\-+/=.~:]{16}|private key|парол|passw|pwd|пин-?код|\bpin\b|ваш код|your code|кодов|секретн|secret word|wi-?fi|ssid|creds|логин|уч[её]тк",
    re.IGNORECASE,
)

ExceptionInfo = (
    tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
)


def install(level: str) -> logging.Handler:
    """Give the root logger this handler, once; `level` is the handler's, since libraries set levels
    of their own and would be heard through the root."""
    root = logging.getLogger()
    for known in root.handlers:
        if isinstance(known.formatter, RedactingFormatter):
            known.setLevel(level)
            return known
    handler = logging.StreamHandler()
    handler.setLevel(level)
    handler.setFormatter(RedactingFormatter(FORMAT))
    root.addHandler(handler)
    return handler


class RedactingFormatter(logging.Formatter):
    """Formats a record without content."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's line, and below it the places of an error."""
        safe = logging.makeLogRecord(vars(record))
        safe.msg, safe.args = redacted(_message(record)), None
        # a formatter before may have left the error's own words here
        safe.exc_text = None
        return super().format(safe)

    def formatException(self, ei: ExceptionInfo) -> str:  # noqa: N802 - logging's name
        """Classes and places of an error and of what it came from, innermost last."""
        lines = []
        for error in _chain(ei[1]):
            lines += [line.rstrip() for line in traceback.format_tb(error.__traceback__)]
            lines.append(safe_error(error))
        return "\n".join(lines)


def redacted(text: str) -> str:
    """A message without details of a server's error and with sensitive values masked."""
    text = _DETAILS.sub("", text)
    text = _FAILING_ROW.sub(r"\1 […]", _CAST.sub(r"\1[…]", text))
    if not _LOOKED_AT.search(text):
        return text
    from memory_pipeline.understand.sensitive import chat_logins, credentials, network, numbers
    from memory_pipeline.understand.sensitive.candidate import settle

    kept = [match.span() for match in _KEPT.finditer(text)]
    found = settle(
        one
        for detector in (
            network.find_emails, credentials.find_keys, credentials.find_key_blocks,
            credentials.find_announced_keys, credentials.find_passwords,
            chat_logins.find_login_pairs, numbers.find_cards,
            numbers.find_accounts, numbers.find_iban, numbers.find_snils, numbers.find_inn,
            numbers.find_passports, numbers.find_phones,
        )
        for one in detector(text)
        if not any(one.start < end and start < one.end for start, end in kept)
    )  # fmt: skip
    for one in sorted(found, key=lambda one: -one.start):
        text = f"{text[: one.start]}[{one.type.upper()}]{text[one.end :]}"
    return text


def safe_error(error: BaseException) -> str:
    """What went wrong, without a value that came out of a log."""
    words = [type(error).__name__]
    module = type(error).__module__.partition(".")[0]
    if module in ("psycopg", "psycopg2"):
        diag = getattr(error, "diag", None)
        words += [
            f"{label} {value}"
            for label, value in (
                ("sqlstate", getattr(error, "sqlstate", None) or getattr(error, "pgcode", None)),
                ("constraint", getattr(diag, "constraint_name", None)),
                ("table", getattr(diag, "table_name", None)),
                ("column", getattr(diag, "column_name", None)),
            )
            if value
        ]
    elif module in ("pydantic", "pydantic_core"):
        words += _problems(error)
    elif module == "memory_pipeline":
        words.append(str(error))
    place = _place(error)
    return ", ".join(words) + (f" (at {place})" if place else "")


def _problems(error: BaseException) -> list[str]:
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return []
    kinds = sorted({problem["type"] for problem in error.errors(include_input=False)})
    return [f"{error.error_count()} problems with {error.title}: {', '.join(kinds)}"]


def _place(error: BaseException) -> str | None:
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if PACKAGE in path.parents and path.name != "safe_errors.py":
            return f"{path.relative_to(PACKAGE.parent)}:{frame.lineno}"
    return None


def _message(record: logging.LogRecord) -> str:
    """The message, where errors among its arguments stand for themselves without their words."""
    message = safe_error(record.msg) if isinstance(record.msg, BaseException) else str(record.msg)
    if not record.args:
        return message
    if isinstance(record.args, dict):
        return message % {name: _argument(value) for name, value in record.args.items()}
    return message % tuple(_argument(value) for value in record.args)


def _argument(value: object) -> object:
    return safe_error(value) if isinstance(value, BaseException) else value


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
