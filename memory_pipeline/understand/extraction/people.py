"""Who is meant: speakers, relatives, named others, short and declined names."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.morphology import (
    grammemes,
    is_russian,
    lemma,
    like,
    nominative_word,
    parses,
    reading,
)

NAME_WORD = r"[A-ZА-ЯЁ][\w’'-]*\w"


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    text = files("memory_pipeline.understand").joinpath("data/people.yaml").read_text("utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    return data


@lru_cache(maxsize=1)
def relative_kinds() -> dict[str, str]:
    """Every word for a relative (lemma, lower case, ё folded) → its kind."""
    kinds: dict[str, str] = {}
    for group in ("relatives_ru", "relatives_en"):
        for kind, words in _data()[group].items():
            kinds.update({fold(word): kind for word in words})
    return kinds


@lru_cache(maxsize=1)
def _other_words() -> frozenset[str]:
    data = _data()
    return frozenset(fold(w) for w in [*data["others_ru"], *data["others_en"]])


@lru_cache(maxsize=1)
def _short_names() -> dict[str, frozenset[str]]:
    """Each form of a given name → the full names it may stand for (folded)."""
    found: dict[str, set[str]] = {}
    for group in _data()["short_names"]:
        for form in group:
            found.setdefault(fold(form), set()).add(fold(group[0]))
    return {form: frozenset(full) for form, full in found.items()}


@lru_cache(maxsize=1)
def _given_names() -> frozenset[str]:
    return frozenset(fold(name) for name in _data()["given_en"])


@lru_cache(maxsize=65536)
def relative_kind(word: str) -> str | None:
    """The kind of relative a word in any form names ("брату" → "брат", "mum" → "mother")."""
    kinds = relative_kinds()
    low = fold(word)
    if low in kinds:
        return kinds[low]
    if not is_russian(word):
        return None
    for parse in parses(low):
        form = parse.normal_form.replace("ё", "е")
        if form in kinds and parse.tag.POS == "NOUN":
            return kinds[form]
    return None


@lru_cache(maxsize=65536)
def is_other_person(word: str) -> bool:
    """Whether a word in any form names a person who is no relative ("коллега", "roommate")."""
    others = _other_words()
    return fold(word) in others or (is_russian(word) and lemma(word) in others)


@lru_cache(maxsize=65536)
def same_person(one: str, other: str) -> bool:
    """Whether two names can stand for one person: equal words, or a short form of the given
    name with nothing that contradicts it."""
    a = [fold(w) for w in one.split()]
    b = [fold(w) for w in other.split()]
    if a == b:
        return True
    if not a or not b:
        return False
    shorter, longer = (a, b) if len(a) <= len(b) else (b, a)
    if len(shorter) == 1:
        return shorter[0] in longer or _same_given(shorter[0], longer[0])
    return _same_given(a[0], b[0]) and a[1:] == b[1:]


def _same_given(one: str, other: str) -> bool:
    names = _short_names()
    return one == other or bool(
        names.get(one, frozenset({one})) & names.get(other, frozenset({other}))
    )


@lru_cache(maxsize=65536)
def is_given_name(word: str) -> bool:
    """Whether a word in the nominative is a given name or a short form of one."""
    low = fold(word)
    return low in _short_names() or low in _given_names() or "Name" in grammemes(word)


@lru_cache(maxsize=65536)
def name_nominative(word: str, cases: tuple[str, ...] = ()) -> str:
    """A person's name in the nominative ("Настюхе" → "Настюха", "Игорем" → "Игорь")."""
    if not is_russian(word):
        return re.sub(r"[’']s$", "", word)
    known = _short_names()
    if fold(word) in known and not cases:
        return word
    for parse in parses(word):
        if parse.tag.case is None or (cases and parse.tag.case not in cases):
            continue
        form = parse.inflect({"nomn", "sing"})
        if form is not None and fold(form.word) in known:
            return like(word, form.word)
    return nominative_word(word, cases, name=True)


def genitive(name: str) -> str:
    """A name in the genitive, word by word ("Инна" → "Инны"); unknown words stay."""
    out = []
    for word in name.split():
        parse = reading(word, "Name", "sing", cases=("nomn",)) or reading(
            word, "NOUN", "sing", cases=("nomn",)
        )
        form = parse.inflect({"gent"}) if parse is not None else None
        out.append(like(word, form.word) if form is not None else word)
    return " ".join(out)


@dataclass
class People:
    """The people of a window: its speakers, and who was named, in order of appearance.

    `named` holds full names (nominative), `things` firms and projects; `by_relation` maps a kind of relative to a name, for
    the speaker who has that relative; `introduced` a folded name that a speaker gave as their own
    to that speaker.
    """

    speakers: tuple[str, ...]
    named: list[str] = field(default_factory=list)
    things: list[str] = field(default_factory=list)
    by_relation: dict[tuple[str, str], str] = field(default_factory=dict)
    relatives: dict[str, SubjectRef] = field(default_factory=dict)
    introduced: dict[str, str] = field(default_factory=dict)

    def learn(self, name: str) -> None:
        """Remembers a name; a fuller form of one already known takes its place as the latest."""
        if name in self.named:
            self.named.remove(name)
        self.named.append(name)

    def introduce(self, name: str, speaker: str, taken_for: str | None = None) -> None:
        """Remembers that a speaker calls themself so; `taken_for` is whom the name was read as."""
        self.named = [known for known in self.named if known not in (name, taken_for)]
        self.introduced[fold(name)] = speaker

    def last_relative(self) -> SubjectRef | None:
        """The one relative that was spoken of, or None where there were several or none."""
        return next(iter(self.relatives.values())) if len(self.relatives) == 1 else None

    def learn_thing(self, name: str) -> None:
        """Remembers a firm, product or project that may be meant by "they" or "it"."""
        if name in self.things:
            self.things.remove(name)
        self.things.append(name)

    def resolve(self, name: str) -> SubjectRef:
        """The person a nominative name stands for: a speaker, somebody named before, or new."""
        for speaker in self.speakers:
            if fold(speaker) == fold(name):
                return SubjectRef(name=speaker, is_speaker=True)
        if fold(name) in self.introduced:
            return SubjectRef(name=self.introduced[fold(name)], is_speaker=True)
        fuller = [n for n in self.named if same_person(n, name)]
        exact = [n for n in fuller if fold(n) == fold(name)]
        if exact:
            return SubjectRef(name=exact[-1], is_speaker=False)
        spoken = [s for s in self.speakers if same_person(s, name)]
        if len(spoken) == 1 and not fuller:
            return SubjectRef(name=spoken[0], is_speaker=True)
        if len(set(fuller)) == 1:
            return SubjectRef(name=fuller[0], is_speaker=False)
        return SubjectRef(name=name, is_speaker=False)

    def relative_of(self, speaker: str, kind: str, lang: str, name: str | None) -> SubjectRef:
        """The relative of a speaker, by name where one is known, else described."""
        if name is not None:
            self.by_relation[(fold(speaker), kind)] = name
        known = name or self.by_relation.get((fold(speaker), kind))
        found = (
            self.resolve(known)
            if known is not None
            else SubjectRef(name=describe(speaker, kind, lang), is_speaker=False)
        )
        self.relatives[found.name] = found
        return found


def describe(speaker: str, kind: str, lang: str) -> str:
    """An unnamed relative in words: "брат Инны", "Jade's mom"."""
    if lang == "ru":
        return f"{kind} {genitive(speaker)}"
    short = {"mother": "mom", "father": "dad", "grandmother": "grandma", "grandfather": "grandpa"}
    return f"{speaker}'s {short.get(kind, kind)}"


def looks_like_name(words: Iterable[str]) -> bool:
    """Whether capitalised words are a person's name rather than a sentence's first word."""
    return any(is_given_name(word) for word in words)
