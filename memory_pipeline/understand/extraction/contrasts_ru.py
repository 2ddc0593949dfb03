"""What a Russian sentence denies for another thing of the same kind ("не в Самару, а в Уфу")."""

from functools import lru_cache

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, parses, reading

_PREPOSITION = r"(?:в|во|на|из|с|со|под|у|к|ко|за|по|от|до|для|про|о|об|без)"
_NOT_BUT = Gated(
    rf"\bне\s+(?P<old_prep>{_PREPOSITION}\s+)?(?P<old>[«\"]?[а-яa-z][\w-]*(?:\s[\w-]+){{0,2}}?[»\"]?)\s*,?\s+а\s+"
    rf"(?P<new_prep>{_PREPOSITION}\s+)?[«\"]?(?P<new>[\w-]+)"
)
_ON_SIGHT = Gated(r"\bна\s+(?:дух|нюх)\s+(?=не\s)")
"""A set phrase that only strengthens the negation behind it."""
_NOUNS = frozenset({"NOUN", "ADJF", "PRTF"})


def without_denied(text: str, low: str) -> str:
    """The text with such denied words blanked, offsets kept: what is left is the thing that holds."""
    for found in _ON_SIGHT.finditer(low):
        text = text[: found.start()] + " " * (found.end() - found.start()) + text[found.end() :]
    if " а " not in low:
        return text
    for found in _NOT_BUT.finditer(low):
        if bool(found["old_prep"]) != bool(found["new_prep"]):
            continue
        if reading(found["old"].split()[0], "Geox", cases=("loct", "loc2")) is not None:
            continue  # where somebody is not is a statement of its own
        if found["old_prep"] is None and not _are_alike(found["old"].split(), found["new"]):
            continue
        start, stop = found.start(), found.start("new_prep" if found["new_prep"] else "new")
        text = text[:start] + " " * (stop - start) + text[stop:]
    return text


def _are_alike(denied: list[str], stated: str) -> bool:
    """Whether what is denied is a noun phrase, and what is stated can stand in its case."""
    words = [word.strip('«»"') for word in (*denied, stated)]
    cases = [_cases(word) if is_russian(word) else frozenset() for word in words]
    return all(cases) and bool(cases[-2] & cases[-1])


@lru_cache(maxsize=16_384)
def _cases(word: str) -> frozenset[str]:
    """The cases in which a word may stand as a noun or an adjective; none for a verb."""
    tag = parses(word)[0].tag
    if str(tag.POS) not in _NOUNS and "impr" not in tag:
        return frozenset()
    return frozenset(str(p.tag.case) for p in parses(word) if str(p.tag.POS) in _NOUNS)
