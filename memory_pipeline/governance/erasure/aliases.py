"""By what an erased person is known again in texts that are read later, whoever sends them: her
names in any form, and what she told. Nothing of it is kept but keyed hashes.

Of a name there are a key of its words' dictionary forms, and one of each word that it begins with,
so that a text's other words are not hashed in runs. Of a message that she told there are the key of
its text and minute, and, where it is long enough to be nobody else's by chance, of its text alone.
"""

import hashlib
import re
from collections.abc import Iterator

from memory_pipeline.bitemporal.keys import N_BYTES, Keys, normal_name
from memory_pipeline.governance.erasure.mentions import normal_value, orders_of_name
from memory_pipeline.understand.morphology import grammemes, is_russian, parses

NAME_WORDS = 4
"""A name of more words is known by its first ones."""
LEAST_CHARS = 40
"""A shorter text may well be another's: it is known by its text and minute."""
FEW_CHARS = 12
"""A shorter text is anybody's in any minute."""

Span = tuple[int, int]

NOBODY = frozenset(
    {
        "user", "human", "person", "customer", "client", "guest", "me", "you", "i", "admin", "bot",
        "system", "tool", "assistant", "ai", "agent", "operator", "unknown", "пользователь",
        "человек", "клиент", "гость", "я", "вы", "ты", "админ", "бот", "ассистент", "помощник",
        "оператор", "неизвестный",
    }
)  # fmt: skip
"""Labels that name nobody."""
_NAMES = frozenset({"Name", "Surn", "Patr"})

_INTRODUCED = re.compile(
    r"(?:(?:меня\s+зовут|зовут\s+меня|мо[её]\s+имя|my\s+name\s+is|my\s+name['’]s|i['’]?m|i\s+am"
    r"|(?:^|[.!?\n,;:—–-]\s*)(?:а\s+)?я)"
    r"|(?P<this>(?:^|[.!?\n]\s*)(?:(?:привет|здравствуйте|добрый\s+день|hi|hello)[,!.]?\s+)?"
    r"(?:это|this\s+is|it['’]s))"
    r"|(?P<end>с\s+уважением|regards|sincerely|yours))\s*[,:—–-]?\s*$",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(?:$|[,.!;:—–-]|\n)")
_BEFORE_NAME = 48
_LEAD = re.compile(r"[\s>*•|~_-]*(?:\[[^\]\n]{1,40}\]\s*)?(?:\d[\d\s.,:/-]{3,20}\s*)?[\s>*•|~_-]*")
_SAID = re.compile(r"[*_~]*\s*(?:[(\[][^)\]\n]{1,40}[)\]])?\s*:")
_QUOTED = re.compile(r"«([^»]+)»|“([^”]+)”|„([^“]+)“|\"([^\"\n]+)\"")
_HEADED = re.compile(r"\s*>|[^:\n]{1,40}:\s")
_QUOTE_MARK = re.compile(r"[ \t>]*")


def names_nobody(label: str) -> bool:
    """Whether a speaker's label is what a log calls whoever writes."""
    return normal_name(label) in NOBODY


def text_key(text_hash: bytes) -> bytes:
    """What an erased telling is known by at any time. In SQL:
    `substr(sha256(text_hash || convert_to('at any time', 'UTF8')), 1, 16)`."""
    return hashlib.sha256(text_hash + b"at any time").digest()[:N_BYTES]


def name_key(keys: Keys, tenant_id: int, normal: str) -> bytes:
    """The key of a name in its dictionary form."""
    return keys.of("suppressed name", tenant_id, normal)


def first_word_key(keys: Keys, tenant_id: int, normal: str) -> bytes:
    """The key of the word that such a name begins with."""
    return keys.of("suppressed name's first word", tenant_id, normal)


def keys_of_name(keys: Keys, tenant_id: int, name: str) -> set[bytes]:
    """All keys of a name; of one that says nobody in particular, none."""
    words = normal_value(name).split()[:NAME_WORDS]
    if names_nobody(name) or not words or (len(words) == 1 and not _is_telling(name, words[0])):
        return set()
    orders = [words, *orders_of_name(words)]
    return {name_key(keys, tenant_id, " ".join(order)) for order in orders} | {
        first_word_key(keys, tenant_id, order[0]) for order in orders
    }


def _is_telling(name: str, word: str) -> bool:
    """Whether a single word can be looked for: not one that the language has for other things."""
    if len(word) < 2 or word.isdigit():
        return False
    spoken = name.strip().lower()
    is_word = is_russian(spoken) and any(parse.is_known for parse in parses(spoken))
    return not is_word or bool(grammemes(spoken) & _NAMES)


def reads_as_name(text: str) -> bool:
    """Whether a single word of a text is meant as a name: written so, or nothing else."""
    if text[:1].isupper():
        return True
    word = text.lower()
    return is_russian(word) and all(
        parse.is_known and parse.tag.grammemes & _NAMES for parse in parses(word)
    )


def introduces(text: str, start: int, end: int, *, is_exact: bool) -> bool:
    """Whether the speaker calls himself by the name at [start, end); `is_exact`: it is in the form
    in which it is stored."""
    found = _INTRODUCED.search(text[max(0, start - _BEFORE_NAME) : start])
    if found is None or _is_anothers(text, start):
        return False
    if found["this"] or found["end"]:
        return is_exact and _ENDS.match(text, end) is not None
    said = found[0].strip().lower()
    return is_exact or "зовут" in said or "имя" in said


def _is_anothers(text: str, at: int) -> bool:
    """Whether what stands there is quoted, or said by whoever a line's head names."""
    line_start = text.rfind("\n", 0, at) + 1
    return _HEADED.match(text, line_start, at) is not None or any(
        found.start() < at < found.end() for found in _QUOTED.finditer(text)
    )


def told_span(text: str, start: int, end: int) -> Span | None:
    """The words that a transcript or a quotation gives to the name at [start, end): the rest of its
    line, and the quoted lines below it; None where the name does not head a line."""
    line_start = text.rfind("\n", 0, start) + 1
    if _LEAD.fullmatch(text, line_start, start) is None or _SAID.match(text, end) is None:
        return None
    line_end = _line_end(text, end)
    is_quote = text[line_start:start].lstrip().startswith(">")
    while is_quote and line_end < len(text):
        following = text[line_end + 1 : _line_end(text, line_end + 1)]
        said = following.lstrip()
        if not said.startswith(">") or re.match(r"[^:\n]{1,40}:\s", said.lstrip("> ")):
            break
        line_end += 1 + len(following)
    return start, line_end


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def quotations(text: str) -> Iterator[list[Span]]:
    """What in a text may be another's words repeated, each as its pieces by line: runs of quoted
    lines, lines, what stands after a colon, what stands in quotation marks."""
    run: list[Span] = []
    start = 0
    while start <= len(text):
        end = _line_end(text, start)
        mark = _QUOTE_MARK.match(text, start, end)
        begin = mark.end() if mark else start
        is_quoted = ">" in text[start:begin]
        if is_quoted:
            run.append((begin, end))
        elif run:
            yield run
            run = []
        yield [(begin, end)]
        for colon in re.finditer(r":[ \t]+", text[begin:end]):
            yield [(begin + colon.end(), end)]
        start = end + 1
    if run:
        yield run
    for found in _QUOTED.finditer(text):
        group = next(n for n in range(1, 5) if found[n] is not None)
        yield [found.span(group)]
