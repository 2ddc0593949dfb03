"""The persons of a Russian sentence."""

import re
from collections.abc import Sequence
from functools import lru_cache

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.owners_ru import kept_by_another, owned_by_next
from memory_pipeline.understand.extraction.people import (
    is_given_name,
    is_other_person,
    name_nominative,
    relative_kind,
)
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.places import fold, place_alias
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import (
    cases_of,
    is_russian,
    lemmas,
    parses,
    reading,
)
from memory_pipeline.understand.word_blocks import words

_RU_FIRST = {
    "я": "nomn", "мы": "nomn", "мне": "datv", "нам": "datv", "меня": "gent", "нас": "gent",
    "мной": "ablt", "нами": "ablt",
}  # fmt: skip
_RU_THIRD = {
    "он": "nomn", "она": "nomn", "они": "nomn", "ему": "datv", "ей": "datv", "им": "datv",
    "его": "gent", "него": "gent", "нее": "gent", "ее": "gent", "них": "gent", "их": "gent",
}  # fmt: skip
_COLLECTIVE_RU = frozenset(
    {
        "родители",
        "дети",
        "друзья",
        "соседи",
        "коллеги",
        "ребята",
        "родственники",
        "предки",
        "некоторые",
        "многие",
        "кто-то",
        "кто",
    }
)


_BEGINNERS = frozenset({"PREP", "CONJ"})


@lru_cache(maxsize=65536)
def _names_nobody(word: str) -> bool:
    """Whether a word says nothing of a person in any sentence: most do not."""
    low = fold(word)
    if low in _RU_FIRST or low in _RU_THIRD or low in _COLLECTIVE_RU:
        return False
    if not is_russian(word):
        return True
    if parses(word)[0].tag.POS in _BEGINNERS:
        # "Из" at the beginning of a sentence may be read as a case of "Иза"
        return True
    is_relative = relative_kind(word) is not None and not _is_verb(word)
    return not (is_relative or word[0].isupper() or (low == word and is_other_person(word)))


def persons_ru(sentence: Sentence, scene: Scene) -> list[Person]:
    """The persons of a Russian sentence in order, pronouns among them."""
    text = sentence.text
    tokens = sentence.tokens
    out: list[Person] = []
    i = 0
    while i < len(tokens):
        word, start, end = tokens[i]
        if _names_nobody(word):
            i += 1
            continue
        low = fold(word)
        if low in _RU_FIRST:
            me = SubjectRef(name=scene.speaker, is_speaker=True)
            out.append(Person(start, end, me, frozenset({_RU_FIRST[low]}), first=True))
        elif low in _RU_THIRD:
            out.append(Person(start, end, None, frozenset({_RU_THIRD[low]}), pronoun=True))
        elif low in _COLLECTIVE_RU:
            out.append(Person(start, end, None, frozenset({"nomn"})))
        elif is_russian(word) and (kind := relative_kind(word)) and not _is_verb(word):
            name, j = _name_after(tokens, i, text)
            owned = owned_by_next(tokens, i, text)
            mine = not (owned or _stranger_before(tokens, i) or kept_by_another(tokens, i))
            if owned:
                name, j = None, i + 1
            cases = cases_of(word)
            if i and owned_by_next(tokens, i - 1, text):
                cases = frozenset({"gent"})
            ref: SubjectRef | None = None
            if mine:
                ref = scene.people.relative_of(scene.speaker, kind, "ru", name)
            elif name is not None:
                ref = scene.people.resolve(name)
            stop = tokens[j - 1][2]
            if name is not None:
                scene.people.learn(name)
            out.append(Person(start, stop, ref, cases, kind=kind if mine else None, name=name))
            i = j
            continue
        elif is_russian(word) and low == word and is_other_person(word):
            name, j = (
                (None, i + 1) if owned_by_next(tokens, i, text) else _name_after(tokens, i, text)
            )
            if name is not None:
                scene.people.learn(name)
            ref = scene.people.resolve(name) if name else None
            out.append(Person(start, tokens[j - 1][2], ref, cases_of(word), name=name))
            i = j
            continue
        elif word[0].isupper() and is_russian(word) and low not in _EPONYMS:
            person, j = _named(tokens, i, text, scene)
            if person is not None:
                out.append(person)
                i = j
                continue
        i += 1
    return out


_EPONYMS = frozenset(
    {
        "паркинсон",
        "паркинсона",
        "паркинсоном",
        "альцгеймер",
        "альцгеймера",
        "альцгеймером",
        "крон",
        "бехтерев",
    }
)
"""Physicians whose names stand for an illness."""


def _is_verb(word: str) -> bool:
    return str(parses(word)[0].tag.POS) in {"VERB", "INFN", "ADVB", "PREP", "CONJ"}


def _stranger_before(tokens: Sequence[tuple[str, int, int]], i: int) -> bool:
    """Whether the relative is somebody else's ("ее муж", "твой брат", "брат жены" reversed)."""
    before = {fold(w) for w, _, _ in tokens[max(0, i - 2) : i]}
    return bool(before & {"ее", "его", "их", "твой", "твоя", "твоей", "твоего", "твоему", "ваш", "ваша", "вашей",
                          "вашего", "вашему", "чей", "чья", "какой", "чужой", "чужая"})  # fmt: skip


_POSSESSIVE = frozenset(
    words("мой моя моего моей моему моим моем наш наша нашего нашей нашему нашим")
)


def _name_after(
    tokens: Sequence[tuple[str, int, int]], i: int, text: str
) -> tuple[str | None, int]:
    """The name right after a relative's word, and the index after what was taken."""
    j = i + 1
    if (
        j < len(tokens)
        and fold(tokens[j][0]) in _POSSESSIVE
        and text[tokens[i][2] : tokens[j][1]] == " "
    ):
        j += 1
    if j < len(tokens) and fold(tokens[j][0]) in {"зовут", "звать", "назвали", "назвал", "назвала"}:
        j += 1
    elif j + 1 < len(tokens) and fold(tokens[j][0]) == "по" and fold(tokens[j + 1][0]) == "имени":
        j += 2
    names: list[str] = []
    last = tokens[j - 1][2]
    called = j > i + 1 and fold(tokens[j - 1][0]) not in _POSSESSIVE
    wanted = () if called else tuple(sorted(cases_of(tokens[i][0])))
    while j < len(tokens) and len(names) < 2:
        word, start, end = tokens[j]
        gap = text[last:start]
        if not word[0].isupper() or (
            gap.strip(' «"') and not (not names and gap in (", ", " - ", " — "))
        ):
            break
        if gap in (", ", " - ", " — ") and not is_given_name(name_nominative(word, wanted)):
            break
        if (
            not is_russian(word)
            or not (
                reading(word, "Name")
                or reading(word, "Surn")
                or (names and reading(word, "Patr"))
                or is_given_name(name_nominative(word))
            )
        ) and (is_russian(word) or names):
            break
        if fold(word) in _EPONYMS:
            break
        agreeing = tuple(c for c in wanted if c in cases_of(word)) if is_russian(word) else ()
        kin = parses(tokens[i][0])[0].tag
        stands = called or (kin.case == "nomn" and kin.number == "sing")
        is_written_so = stands and reading(word, "Name", "sing", cases=("nomn",)) is not None
        names.append(word if is_written_so else name_nominative(word, agreeing))
        last = end
        j += 1
    return (" ".join(names), j) if names else (None, i + 1)


def _named(
    tokens: Sequence[tuple[str, int, int]], i: int, text: str, scene: Scene
) -> tuple[Person | None, int]:
    word, start, end = tokens[i]
    if text[start - 1 : start] in ("«", '"', "“"):
        return None, i
    if str(parses(word)[0].tag.POS) == "PREP":
        # "Из" begins a sentence more often than it is Isa's
        return None, i
    is_within = i > 0 and fold(tokens[i - 1][0]) in {"в", "во"}
    if is_within and not (parses(word)[0].is_known or _known(word, scene)):
        # a firm, rather than somebody whose name the dictionary lacks
        return None, i
    plausible = reading(word, "Name") or is_given_name(word) or _known(word, scene)
    if not plausible:
        surname = parses(word)[0]
        if "Surn" not in surname.tag or start == 0:
            return None, i
    geographic = reading(word, "Geox")
    if geographic is not None and (
        not is_given_name(name_nominative(word))
        or ("Geox" in parses(word)[0].tag and i and fold(tokens[i - 1][0]) in _WHERE)
    ):
        return None, i
    if i and fold(tokens[i - 1][0]).strip(".") in {
        "ул",
        "улица",
        "улице",
        "проспект",
        "проспекте",
        "пр-т",
        "площадь",
        "переулок",
        "наб",
        "набережная",
        "им",
        "имени",
        "станция",
        "метро",
    }:
        return None, i
    if place_alias(word) and i and fold(tokens[i - 1][0]) in {"в", "во", "из", "на", "под"}:
        return None, i
    cases = _cases_of_one(word)
    if i and _governs(tokens[i - 1][0]):
        cases = cases - {"nomn"}
    names = [word if _is_subject(tokens, i, text, scene) else name_nominative(word)]
    j = i + 1
    if j < len(tokens) and tokens[j][0][0].isupper() and text[end : tokens[j][1]] == " ":
        following = tokens[j][0]
        if is_russian(following) and (
            reading(following, "Surn") or reading(following, "Patr") or _is_surname(following)
        ):
            known = reading(following, "Surn") or reading(following, "Patr")
            shared = tuple(sorted(cases & cases_of(following)))
            is_as_written = known is None and "nomn" in cases
            names.append(following if is_as_written else name_nominative(following, shared))
            end = tokens[j][2]
            j += 1
    ref = scene.people.resolve(" ".join(names))
    if not ref.is_speaker:
        scene.people.learn(ref.name)
    return Person(
        start, end, ref, cases, name=ref.name, first=ref.is_speaker and ref.name == scene.speaker
    ), j


@lru_cache(maxsize=16_384)
def _cases_of_one(word: str) -> frozenset[str]:
    """The cases of one person's name, which is hardly ever a plural ("Марины")."""
    single = frozenset(
        p.tag.case for p in parses(word) if "Name" in p.tag and p.tag.number == "sing"
    )
    return single or cases_of(word)


def _is_subject(tokens: Sequence[tuple[str, int, int]], i: int, text: str, scene: Scene) -> bool:
    """Whether a name that may be a case of another one ("Ника", "Влада") is a nominative here: it
    is known in this form, or begins a clause before a verb that a woman or anybody may have."""
    word, start, end = tokens[i]
    if reading(word, "Name", "sing", cases=("nomn",)) is None:
        return False
    known = [*scene.people.named, *scene.people.speakers, *scene.people.introduced]
    if any(fold(word) in fold(name).split() for name in known):
        return True
    begins = i == 0 or text[tokens[i - 1][2] : start].strip() != "" or _is_joint(tokens[i - 1][0])
    behind = [w for w, _, _ in tokens[i + 1 : i + 4]]
    while behind and (fold(behind[0]) in _BEFORE_VERB):
        behind.pop(0)
    if not begins or not behind or text[end : end + 1] in (",", "."):
        return False
    verb = parses(behind[0])[0].tag
    return str(verb.POS) == "VERB" and (
        (str(verb.number), str(verb.person)) == ("sing", "3per") or str(verb.gender) == "femn"
    )


def _governs(word: str) -> bool:
    """Whether what follows a word stands in an oblique case."""
    return str(parses(word)[0].tag.POS) == "PREP"


_WHERE = frozenset({"в", "во", "из", "на", "под", "до", "через"})


def _is_surname(word: str) -> bool:
    """Whether a word the dictionary does not know is built as surnames are."""
    return _SURNAME.match(word) is not None and not is_given_name(name_nominative(word))


_SURNAME = re.compile(r"[А-ЯЁ][а-яё]+(?:[оеё]в|[оеё]ва|ин|ина|ын|ына|[сц]к(?:ий|ая)|енко|чук|юк)$")
"""How surnames end that the dictionary does not know."""
_BEFORE_VERB = frozenset(
    {"не", "уже", "еще", "теперь", "сейчас", "тоже", "давно", "снова", "опять", "больше", "недавно"}
)


def _is_joint(word: str) -> bool:
    return fold(word) in {"и", "а", "но", "что", "когда", "если", "пока", "кстати", "зато"}


def _known(word: str, scene: Scene) -> bool:
    """Whether a declined word is a word of a name already known in the window."""
    forms = lemmas(word)
    return not all(
        forms.isdisjoint(_words_of(name)) for name in [*scene.people.named, *scene.people.speakers]
    )


@lru_cache(maxsize=4096)
def _words_of(name: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in name.split())
