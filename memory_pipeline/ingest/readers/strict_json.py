"""JSON as a log may be trusted with: one meaning, bounded depth, text that a database can hold.

Python's parser takes NaN, the last of two equal keys, lone surrogates and NUL; PostgreSQL refuses
or changes them later, when the place is no longer known. So they are refused here.
"""

import json
import re
from typing import Any, Never

from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused

BOM = b"\xef\xbb\xbf"

# Each bracket may become an object of 64 bytes and more: this bounds what a small file can claim.
MAX_BRACKETS = 200_000

_UNFIT = re.compile("[\x00\ud800-\udfff]")


def parse(raw: bytes, options: ReadOptions, max_brackets: int = MAX_BRACKETS) -> Any:
    """Return the value of one JSON text in UTF-8 (a leading byte order mark is passed over).

    Raises `Refused`: not_utf8, invalid_json, duplicate_key, bad_number, bad_text, too_complex.
    """
    try:
        text = raw.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(
            Reason.not_utf8,
            f"byte {error.start + 1} is not UTF-8; save the log as UTF-8",
        ) from None
    brackets = text.count("{") + text.count("[")
    if brackets > max_brackets:
        raise Refused(Reason.too_complex, f"over {max_brackets} objects and lists; split it")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Refused(Reason.invalid_json, _where(error)) from None
    except RecursionError:
        raise _too_deep(options.max_depth) from None
    except ValueError:
        raise Refused(Reason.bad_number, "a number is too long; write it as a string") from None
    if brackets > options.max_depth:
        _check_depth(value, options.max_depth)
    # NUL and surrogates can only come from escapes: raw ones fail above
    if "\\u" in text:
        _check_text(value)
    return value


def _where(error: json.JSONDecodeError) -> str:
    at_end = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    if at_end:
        return "not valid JSON: it seems cut short; write the record again in full"
    place = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno}"
    return f"not valid JSON at {place}; correct it and ingest the file again"


def _too_deep(max_depth: int) -> Refused:
    return Refused(Reason.too_complex, f"nested deeper than {max_depth}; flatten the record")


def _check_depth(value: Any, max_depth: int) -> None:
    level: list[Any] = [value]
    for _ in range(max_depth + 1):
        below: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return
        level = below
    if any(isinstance(item, dict | list) for item in level):
        raise _too_deep(max_depth)


def _check_text(value: Any) -> None:
    level: list[Any] = [value]
    while level:
        item = level.pop()
        if isinstance(item, str):
            if _UNFIT.search(item):
                raise Refused(
                    Reason.bad_text,
                    "an escape stands for NUL or half a surrogate pair; remove it",
                )
        elif isinstance(item, dict):
            level.extend(item)
            level.extend(item.values())
        elif isinstance(item, list):
            level.extend(item)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused(Reason.duplicate_key, "an object has one key twice; keep the right one")
    return members


def _constant(_name: str) -> Never:
    raise Refused(Reason.bad_number, "NaN and Infinity are no JSON; write null")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
