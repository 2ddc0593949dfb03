"""The OpenAI chat shape: the content of one message as text and attachments."""

import re
from typing import Any

from memory_pipeline.contracts.message import Attachment
from memory_pipeline.ingest.readers.base import ReadOptions, Reason, Refused
from memory_pipeline.ingest.readers.fields import Record, text

_TEXT_PARTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?[;,]")


def content(record: Record, options: ReadOptions) -> tuple[str, tuple[Attachment, ...]]:
    """Return a chat message's text and what came beside it.

    Text parts are joined by line breaks. Pictures, sound, files and calls of tools become
    attachments; data inside the message (a `data:` link, a sound) is left to the archived file and
    only its media type kept. A message that only calls tools has the text "".
    """
    value = record.get("content")
    calls = _calls(record)
    if value is None:
        refusal = record.get("refusal")
        if refusal is not None:
            return text(refusal, "refusal", options), calls
        if calls:
            return "", calls
        raise Refused(Reason.missing_field, "a message needs text or content", "content")
    if isinstance(value, str):
        return text(value, "content", options), calls
    if not isinstance(value, list):
        raise Refused(Reason.bad_field, "must be a string or a list of parts", "content")
    texts: list[str] = []
    beside: list[Attachment] = []
    for part in value:
        if isinstance(part, str):
            texts.append(part)
            continue
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise Refused(Reason.bad_field, "a part must be an object with a type", "content")
        key = _TEXT_PARTS.get(part["type"])
        if key is None:
            beside.append(_part(part))
        elif isinstance(part.get(key), str):
            texts.append(part[key])
        else:
            raise Refused(Reason.bad_field, "a text part must hold a string", "content")
    return text("\n".join(texts), "content", options), (*beside, *calls)


def _part(part: dict[str, Any]) -> Attachment:
    kind = part["type"]
    inner = part.get(kind)
    if kind in ("image_url", "input_image"):
        image = part.get("image_url")
        link = image.get("url") if isinstance(image, dict) else image
        return _linked("image", link)
    if kind == "input_audio":
        sort = inner.get("format") if isinstance(inner, dict) else None
        return Attachment(kind="audio", media_type=f"audio/{sort}" if _string(sort) else None)
    if kind in ("file", "input_file"):
        holder = inner if isinstance(inner, dict) else part
        name = _string(holder.get("filename")) or _string(holder.get("file_id"))
        return Attachment(kind="file", name=name)
    return Attachment(kind="unknown")


def _linked(kind: str, link: Any) -> Attachment:
    url = _string(link)
    if url is not None and (data := _DATA_URL.match(url)):
        return Attachment(kind=kind, media_type=data.group(1))
    return Attachment(kind=kind, url=url)


def _calls(record: Record) -> tuple[Attachment, ...]:
    value = record.get("tool_calls")
    calls = [] if value is None else value
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise Refused(Reason.bad_field, "must be a list of objects", "tool_calls")
    functions = [call.get("function") or call.get("custom") for call in calls]
    functions += [] if record.get("function_call") is None else [record["function_call"]]
    found: list[Attachment] = []
    for function in functions:
        if not isinstance(function, dict):
            raise Refused(Reason.bad_field, "a call must name its function", "tool_calls")
        stated = _string(function.get("arguments")) or _string(function.get("input"))
        found.append(
            Attachment(kind="tool_call", name=_string(function.get("name")), caption=stated)
        )
    return tuple(found)


def _string(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
