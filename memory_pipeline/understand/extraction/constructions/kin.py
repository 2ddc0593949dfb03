"""Names of relatives and pets after the words that announce them."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.people import (
    is_given_name,
    name_nominative,
    relative_kind,
)
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.rules.pets import PET_EN, pet_kind_ru
from memory_pipeline.understand.extraction.sentences import Sentence

_CHILDREN_RU = {
    "дет": "ребёнок", "реб": "ребёнок", "бли": "ребёнок", "сын": "сын", "доч": "дочь", "бра": "брат",
    "сес": "сестра", "внуч": "внучка", "внук": "внук", "племянниц": "племянница", "племянник": "племянник",
}  # fmt: skip
_NAME = re.compile(r"\s*[«\"]?([A-ZА-ЯЁ][\w-]+)")
_JOINT = re.compile(r"\s*(?:,|и|and|&)\s*(?:and\s+|и\s+)?", re.IGNORECASE)


def _names(text: str, start: int, stop: int) -> Iterator[tuple[str, int, int]]:
    at = start
    while True:
        found = _NAME.match(text, at, stop)
        if found is None:
            return
        yield found[1], found.start(1), found.end(1)
        joint = _JOINT.match(text, found.end())
        if joint is None:
            return
        at = joint.end()


def _group(sentence: Sentence, name: str, before: int) -> str:
    """The word of the group `k` that stands last before an offset."""
    words = re.findall(name, sentence.low[:before])
    return words[-1] if words else ""


_MANY_RU = r"детей|дети|ребенка|сына|сыновья|сыновей|дочки|дочери|дочерей|брата|братья|братьев|сестры|сестер|внуки|внука|внучки|племянника|племянницы|близнецы|близняшки"


def children_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Several relatives named in a row ("два сына: Лёва и Марк")."""
    word = _group(sentence, _MANY_RU, start)
    kind = next((kind for stem, kind in _CHILDREN_RU.items() if word.startswith(stem)), None)
    if kind is None:
        return
    for name, a, b in _names(sentence.text, start, stop):
        plain = name_nominative(name)
        if not is_given_name(plain):
            return
        scene.people.learn(plain)
        yield f"{kind}: {plain}", a, b


def relative_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """One relative named after "назвали", "зовут"."""
    kinds = [k for w in re.findall(r"[а-я]+", sentence.low[:start]) if (k := relative_kind(w))]
    found = _NAME.match(sentence.text, start, stop)
    if not kinds or found is None:
        return
    plain = name_nominative(found[1])
    scene.people.learn(plain)
    kind = _kin_of_kin(kinds) if _OF_KIN.search(sentence.low[:start]) else kinds[-1]
    if kind is None:
        return
    scene.people.by_relation[(fold(scene.speaker), kind)] = plain
    yield f"{kind}: {plain}", found.start(1), found.end(1)


_OF_KIN = re.compile(
    r"\bу\s+(?:моей\s+|моего\s+|нашей\s+|нашего\s+|старш\w+\s+|младш\w+\s+)*(?:сестр\w+|брат\w+|сын\w*|доч\w+)\b"
)
_KIN_OF_KIN = {
    ("сестра", "дочь"): "племянница", ("брат", "дочь"): "племянница", ("сестра", "сын"): "племянник",
    ("брат", "сын"): "племянник", ("сын", "дочь"): "внучка", ("дочь", "дочь"): "внучка",
    ("сын", "сын"): "внук", ("дочь", "сын"): "внук",
}  # fmt: skip


def _kin_of_kin(kinds: list[str]) -> str | None:
    """What the child of one's kin is to oneself."""
    return _KIN_OF_KIN.get((kinds[-2], kinds[-1])) if len(kinds) > 1 else None


def pet_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A pet named after "по кличке", "зовут"."""
    found = _NAME.match(sentence.text, start, stop)
    if found is None or re.search(r"\b(?:соседск|его|ее|их|твой|твоя|чужой)\w*\b", sentence.low[:start]):  # fmt: skip
        return
    for word in reversed(re.findall(r"[а-я]+", sentence.low[:start])[-6:]):
        kind = pet_kind_ru(word)
        if kind:
            yield f"{kind}: {name_nominative(found[1])}", found.start(1), found.end(1)
            return


def pets_many_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Several pets of a kind named in a row ("два кота: Тишка и Гриша")."""
    kinds = [k for w in re.findall(r"[а-я]+", sentence.low[:start])[-2:] if (k := pet_kind_ru(w))]
    for name, a, b in _names(sentence.text, start, stop) if kinds else ():
        yield f"{kinds[-1]}: {name}", a, b


def pet_named_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A pet's name beside its kind ("Барсик — мой кот", "Кот Семён умер")."""
    name = sentence.text[start:stop]
    if not name[:1].isupper():
        return
    words = re.findall(r"[а-я]+", sentence.low[max(0, start - 25) : stop + 30])
    kinds = [kind for w in words if w != name.lower() and (kind := pet_kind_ru(w))]
    if kinds:
        yield (
            f"{kinds[-1] if sentence.low[stop:].lstrip()[:1] in '-—–,' else kinds[0]}: {name}",
            start,
            stop,
        )


_MANY_EN = {
    "kids": "child", "children": "child", "twins": "child", "sons": "son", "boys": "son", "daughters": "daughter",
    "girls": "daughter", "brothers": "brother", "sisters": "sister", "cousins": "cousin", "nephews": "nephew",
    "nieces": "niece", "grandkids": "grandchild", "grandchildren": "grandchild", "siblings": "sibling",
}  # fmt: skip


def children_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Several relatives named in a row ("two daughters, Ivy and June")."""
    word = _group(sentence, "|".join(_MANY_EN), start)
    if not word:
        return
    for name, a, b in _names(sentence.text, start, stop):
        if name in {"I", "The", "They", "We"}:
            return
        scene.people.learn(name)
        yield f"{_MANY_EN[word]}: {name}", a, b


_THEIR_CHILD = re.compile(
    r"\b(?:her|his|their)\s+(?:first\s+|second\s+|new\s+|little\s+)*(?:baby|child|kid|newborn)\b"
)


def relative_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """One relative named after "called", "his name is"."""
    words = re.findall(r"[a-z]+(?:-in-law)?", sentence.low[:start])[-5:]
    # whom a relative has is another one ("my sister has a friend called Kim")
    after = next((n for n in range(len(words), 0, -1) if words[n - 1] in _HAVE), 0)
    kinds = [k for w in words[after:] if (k := _BABY.get(w) or relative_kind(w))]
    if after and any(relative_kind(w) for w in words[:after]):
        return
    found = _NAME.match(sentence.text, start, stop)
    if not kinds or found is None or _THEIR_CHILD.search(sentence.low, 0, start):
        return
    name = re.sub(r"['’]s$", "", found[1])
    scene.people.learn(name)
    scene.people.by_relation[(fold(scene.speaker), kinds[-1])] = name
    yield f"{kinds[-1]}: {name}", found.start(1), found.end(1)


_HAVE = frozenset({"has", "have", "had", "got", "owns", "keeps", "adopted", "bought"})
_BABY = {"boy": "son", "girl": "daughter", "kid": "child", "child": "child"}


def relative_named_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A name said to be a relative ("Claire is my stepmother")."""
    name = sentence.text[start:stop].strip()
    kind = re.compile(r"(?:my|our)\s+(?:[a-z]+\s+){0,1}?([a-z]+(?:-in-law)?)\b").search(sentence.low, stop)  # fmt: skip
    if kind is None or not name[:1].isupper() or not all(w[0].isupper() for w in name.split()):
        return
    relation = relative_kind(kind[1])
    if relation is None or name.split()[0] in {"This", "That", "He", "She", "It", "Here", "There", "What", "Who"}:  # fmt: skip
        return
    scene.people.learn(name)
    yield f"{relation}: {name}", start, stop


_PET = re.compile(rf"\b({PET_EN})s?\b")


def pet_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A pet named after the words that announce its name."""
    kinds = _PET.findall(sentence.low[:start])
    if not kinds:
        return
    for name, a, _b in _names(sentence.text, start, stop):
        plain = re.sub(r"['’]s$", "", name)
        if plain in {"I", "The", "He", "She", "It", "We", "They"}:
            return
        yield f"{kinds[-1]}: {plain}", a, a + len(plain)


def pet_named_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A name said to be a pet ("Max is our golden retriever")."""
    name = sentence.text[start:stop].strip()
    kind = _PET.search(sentence.low, stop)
    if kind is None or not name[:1].isupper() or name in {"He", "She", "It", "This", "That", "They"}:  # fmt: skip
        return
    lead = re.compile(r"(?:my|our)\s+((?:[a-z]+\s+){0,3})").search(sentence.low, stop, kind.start())
    described = (lead[1] if lead else "") + kind[1]
    plain = re.sub(r"^(?:(?:beloved|old|sweet|little|big|new|dear|crazy|\d+-year-old)\s+)+", "", described)  # fmt: skip
    yield f"{plain}: {name}", start, stop
