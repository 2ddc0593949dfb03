"""How a speaker introduces themself: the name that they give, in the form in which they write it."""

import re
from dataclasses import dataclass

from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_NAME = r"(?P<name>{first}(?:\s{first})?)(?P<end>\s*(?:[,.!;:)…—–\n]|$|{after}\s))"
_LEAD_RU = r"(?:(?:всем\s+)?(?:привет\w*|здравствуйте|добрый\s+(?:день|вечер)|доброе\s+утро|хай)\W+|(?:ну|а|и|да|кстати)[,\s]+)*"
_LEAD_EN = r"(?:(?:hi|hey|hello|good\s+(?:morning|evening|afternoon))(?:\s+(?:all|there|everyone|guys))?\W+|(?:and|so|well|btw|also)[,\s]+)*"
_RU = Gated(
    rf"(?:^|(?<=[,;(]\s)){_LEAD_RU}(?P<how>я|меня\s+зовут|зовут\s+меня|мое\s+имя|это|с\s+вами)(?:\s+снова)?\s*(?:[—–:-]\s*)?"
    + _NAME.format(first=r"[а-я][а-я-]+", after=r"\s+(?:из|и)")
)
_EN = Gated(
    rf"(?:^|(?<=[,;(]\s)){_LEAD_EN}(?P<how>i'm|i\s+am|im|my\s+name\s+is|my\s+name's|name's|this\s+is|it's|call\s+me)\s+"
    + _NAME.format(first=r"[a-z][a-z'-]+", after=r"\s+(?:from|and|here)")
)
_POINTS = frozenset({"это", "this is", "it's"})
"""What points at another as well ("Это Вася, мой кот")."""
_OTHERS = re.compile(
    r"[\s,—–-]*(?:мой|моя|мое|мои|наш\w*|его|ее|их|твой|твоя|он|она|кот\w*|пес|собака|друг|подруга|брат|сестра|мама|папа|муж|жена|сын|дочь|"
    r"my|our|his|her|their|your|he|she|the|an?\s|who)"
)
_MINE = re.compile(
    r"\b(?:я|мне|меня|мой|моя|мы|i|i'm|i've|my|me)\b"
    r"|\b(?:живу|работаю|учусь|езжу|болею|принимаю|пишу|ищу|хочу|люблю|не ем|переехал[аи]?)\b"
)


@dataclass(frozen=True)
class Introduction:
    """A name given as one's own; offsets [start, end) are the sentence's."""

    name: str
    start: int
    end: int


def introduction(sentence: Sentence) -> Introduction | None:
    """The speaker's own name that a sentence gives, or None."""
    pattern = _RU if sentence.lang == "ru" else _EN
    for found in pattern.finditer(sentence.low):
        start, end = found.span("name")
        how = re.sub(r"\s+", " ", found["how"])
        written = _capitalised(sentence.text[start:end])
        if not written or sentence.block_between(found.start(), end):
            continue
        is_said_to_be_one = any(word in how for word in ("name", "имя", "зовут"))
        if not is_said_to_be_one and not is_given_name(written.split()[0]):
            continue
        behind = sentence.low[end:]
        if how in _POINTS and (_OTHERS.match(behind) or not _MINE.search(behind)):
            continue
        return Introduction(written, start, start + len(written))
    return None


def _capitalised(words: str) -> str:
    """The words as far as they are written as a name is."""
    named = []
    for word in words.split(" "):
        if not word[:1].isupper():
            break
        named.append(word)
    return " ".join(named)
