"""Rules for `relative`, and the marriage that naming a spouse tells of."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene
from memory_pipeline.understand.extraction.people import (
    NAME_WORD,
    is_given_name,
    relative_kind,
)
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_SPOUSES = {"муж": "замужем", "жена": "женат", "husband": "married", "wife": "married"}
_PARTED = Gated(
    r"\b(?:separated|split up|divorc\w+|broke up|развел\w+|развод\w*|разошл\w+|расстал\w+|passed away|died|умер\w*|погиб\w*)\b"
)
EN_NAMED = Gated(
    r"\b(?:[Mm]y|[Oo]ur)\s+(?:[\w-]+\s+)?(?P<kind>[\w-]+(?:['’]s)?)(?:\s+name\s+is|\s+is\s+(?:called|named)|,? (?:named|called))\s+(?P<name>[A-Z][\w’'-]+)|\b(?:[Tt]his is|[Mm]eet)\s+(?:my|our)\s+(?P<kind2>\w+),?\s+(?P<name2>[A-Z][\w-]+)"
)

_LATE = re.compile(r"\b(?:ex|late|former|бывш\w+|покойн\w+|future|будущ\w+)[\s-]+(?:\w+\s+)?$")
_NONE = re.compile(
    r"\b(?:нет|нету|никакого|никакой|не было|не имею|не имеется)\s+(?:у\s+меня\s+)?(?:никак[а-я]+\s+)?(?:мужа|жены|супруг[аи])\b|\b(?:мужа|жены|супруг[аи])\s+(?:у\s+меня\s+)?(?:нет|нету|не было)\b"
)
_OWN = re.compile(r"\b(?:мой|моя|моего|моей|моему|моим|my|наш\w*|у меня)\s*$")
_APPOSITION = Gated(
    rf"(?P<name>{NAME_WORD}(?:\s{NAME_WORD})?)(?:\s+(?:is|[-—–])|,)\s+(?:my|our|мой|моя|мне)\s+(?:(?:older|younger|elder|little|big|baby|twin|dear|младший|младшая|старший|старшая|родной|родная|двоюродный|двоюродная)\s+)?(?P<kind>[\w-]+)(?!\s+(?:tongue|language)\b)"
)


_CHILD_OF = Gated(
    r"\bу\s+(?:моей\s+|моего\s+|нашей\s+|нашего\s+|старш\w+\s+|младш\w+\s+)*(?:сестр\w+|брат\w+|сын\w*|доч\w+)\b[^.!?]{0,25}\b(?:родил\w+|сын\w*|доч\w+|пополнени\w+)\b"
)
_GRANDCHILDREN = {
    ("сестра", "дочь"): "племянница", ("брат", "дочь"): "племянница", ("сестра", "сын"): "племянник",
    ("брат", "сын"): "племянник", ("сын", "дочь"): "внучка", ("дочь", "дочь"): "внучка",
    ("сын", "сын"): "внук", ("дочь", "сын"): "внук",
}  # fmt: skip


def _kin_of_kin(before: list[str], kind: str, low: str) -> str | None:
    """What a named child is to the speaker: one's own, or that of the kin who has it ("у брата
    родился сын…"); None where that kin's child is no kin that has a word."""
    if not before or kind not in ("сын", "дочь") or not _CHILD_OF.search(low + kind):
        return kind
    return _GRANDCHILDREN.get((before[-1], kind))


_TITLES = frozenset({"grandmother", "grandfather", "aunt", "uncle"})


def _is_title(sentence: Sentence, person: Person) -> bool:
    """Whether an English word for a relative is a part of the name ("Nana Bev is 89")."""
    owned = re.search(r"\b(?:my|our)\s+(?:\w+\s+)?$", sentence.low[: person.start])
    return sentence.lang == "en" and person.kind in _TITLES and owned is None


def relatives(sentence: Sentence, everyone: list[Person], scene: Scene) -> Iterator[Found]:
    """Relatives whose names are said, and the marriage that a spouse tells of."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    parted = _PARTED.search(sentence.low) is not None
    for person in everyone:
        if person.kind is None:
            continue
        if person.name is not None and not _is_title(sentence, person):
            before_it = [p.kind for p in everyone if p.kind and p.end <= person.start]
            kin = _kin_of_kin(before_it, person.kind, sentence.low[: person.start])
            if kin is None:
                continue
            yield Found(
                "relative",
                f"{kin}: {person.name}",
                person.start,
                person.end,
                Mode.state,
                subject=me,
                confidence=0.9,
                dated=False,
            )
        spouse = None if parted else _SPOUSES.get(person.kind)
        before = sentence.low[: person.start]
        if spouse and _NONE.search(sentence.low):
            spouse = None
        if spouse and not _LATE.search(before) and (person.name is not None or _OWN.search(before)):
            yield Found(
                "marital_status",
                spouse,
                person.start,
                person.end,
                Mode.state,
                subject=me,
                confidence=0.8,
                dated=False,
            )
    for found in EN_NAMED.finditer(sentence.text):
        name = found["name"] or found["name2"]
        kind = relative_kind(re.sub(r"['’]s$", "", found["kind"] or found["kind2"]))
        if kind:
            scene.people.learn(name)
            scene.people.by_relation[(fold(scene.speaker), kind)] = name
            yield Found(
                "relative",
                f"{kind}: {name}",
                found.start(),
                found.end(),
                Mode.state,
                subject=me,
                confidence=0.88,
                dated=False,
            )
    for found in _APPOSITION.finditer(sentence.text):
        kind = relative_kind(found["kind"])
        name = found["name"]
        if name.isupper() or (
            "," in found[0] and not all(is_given_name(part) for part in name.split()[:1])
        ):
            continue
        if kind and not any(p.start == found.start("kind") and p.name for p in everyone):
            scene.people.learn(name)
            yield Found(
                "relative",
                f"{kind}: {name}",
                found.start(),
                found.end(),
                Mode.state,
                subject=me,
                confidence=0.88,
                dated=False,
            )
            spouse = _SPOUSES.get(kind)
            if spouse:
                yield Found(
                    "marital_status",
                    spouse,
                    found.start(),
                    found.end(),
                    Mode.state,
                    subject=me,
                    confidence=0.8,
                    dated=False,
                )
