"""A message's own part: what others say in it blanked, so that an answer, a correction or an end
is never read off their words."""

import re
from functools import lru_cache

from memory_pipeline.contracts.statement import Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.extraction.people import is_given_name, same_person
from memory_pipeline.understand.extraction.quotations import in_first_person, without_quotations
from memory_pipeline.understand.extraction.segments import segments
from memory_pipeline.understand.extraction.sentences import lower

_NAMED_LINE = re.compile(r"(?P<name>[A-ZА-ЯЁ][\w-]+(?: [A-ZА-ЯЁ][\w-]+)?):\s+(?=\S)")


def named_line(text: str) -> str | None:
    """Who says a line of a talk that is copied with its speaker ("Олег: я живу в Туле"), where
    somebody speaks of themself in it; else None."""
    found = _NAMED_LINE.match(text)
    if found is None or not in_first_person(text[found.end() :]):
        return None
    return found["name"] if is_given_name(found["name"].split()[0]) else None


def own_window(window: Window) -> Window:
    """The window with each user's own words only, offsets kept."""
    own = tuple(own_part(m) if m.role is Role.user else m for m in window.messages)
    if all(a is b for a, b in zip(own, window.messages, strict=True)):
        return window
    return window.model_copy(update={"messages": own})


# a message is asked for in each of the windows that it belongs to
@lru_cache(maxsize=4096)
def own_part(message: WindowMessage) -> WindowMessage:
    """The message without quotations, quoted lines and others' lines; itself where it has none."""
    text = _without_others(message)
    for segment in segments(message.text):
        if segment.quoted:
            end = segment.start + len(segment.text.rstrip("\n"))
            text = text[: segment.start] + " " * (end - segment.start) + text[end:]
    return message if text == message.text else message.model_copy(update={"text": text})


@lru_cache(maxsize=4096)
def cites_another(message: WindowMessage) -> bool:
    """Whether a message tells what another says: what is left of it answers nothing."""
    return _without_others(message) != message.text


def _without_others(message: WindowMessage) -> str:
    text = without_quotations(message.text, lower(message.text))
    if ":" not in text:
        return text
    lines = []
    for line in text.split("\n"):
        who = named_line(line)
        is_own = who is None or same_person(who, message.speaker)
        lines.append(line if is_own else " " * len(line))
    return "\n".join(lines)
