"""Whom a statement is about: the persons of a sentence, and which of them a verb belongs to."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Scene, Who
from memory_pipeline.understand.extraction.people import (
    NAME_WORD,
    is_given_name,
    is_other_person,
    name_nominative,
    relative_kind,
)
from memory_pipeline.understand.extraction.places import fold, place_alias
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, parses, reading

_TOKEN = re.compile(r"[\w’'-]*\w(?:\.(?=\s[A-ZА-Я]))?")
_NAME = re.compile(NAME_WORD)
_RU_FIRST = {
    "я": "nomn", "мы": "nomn", "мне": "datv", "нам": "datv", "меня": "gent", "нас": "gent",
    "мной": "ablt", "нами": "ablt",
}  # fmt: skip
_RU_THIRD = {
    "он": "nomn", "она": "nomn", "они": "nomn", "ему": "datv", "ей": "datv", "им": "datv",
    "его": "gent", "него": "gent", "нее": "gent", "ее": "gent", "них": "gent", "их": "gent",
}  # fmt: skip
_EN_FIRST = frozenset({"i", "we", "i'm", "we're", "i've", "we've", "i'll", "we'll", "i'd", "im", "ive"})
_EN_THIRD = frozenset(
    {"he", "she", "they", "he's", "she's", "they're", "they've", "he'll", "she'll", "they'll"}
)
_EN_NO_NAME = frozenset(
    """everyone everybody nobody noone someone somebody anybody anyone everything nothing something
    who what this that these those it its it's there here today tomorrow yesterday now then so and
    but or also just still please thanks thank hi hello hey ok okay yes no yeah yep nope well um uh
    because since when while if the a an my our your his her their some all both most each work home
    life god lol omg wow oh sorry sure great good nice currently recently finally actually honestly
    basically apparently looks sounds turns company office team people everyone's mine not never
    always maybe perhaps after before for from with at in on by to of as is are was were been update
    fyi btw note reminder correction client today's one two three january february march april may
    june july august september october november december monday tuesday wednesday thursday friday
    saturday sunday deadline budget""".split()
)
_EN_VERB = re.compile(
    r"\s+(?:still |now |currently |just |already |also |really |only |recently |finally |actually |never |always )*"
    r"(?:is|isn't|was|has|hasn't|lives?|lived|works?|worked|moved|moves|moving|loves?|likes?|hates?|prefers?|"
    r"wants?|takes|can't|cannot|can|needs?|speaks|owns|uses|used|got|started|quit|left|joined|studies|studied|"
    r"turned|turns|plans|says|said|told|will|doesn't|does|eats|bought|adopted|graduated|stays|stayed|became)\b"
)
_EN_CONTRACTED = re.compile(r"[’']s\s+(?:a|an|the|in|at|on|from|with|not|been|allergic|vegan|vegetarian|\w+ing|\w+ed|now|still|just|also|already|only|really|so|back|married|single|stuck|got|too|\d+|my|our)\b")


_IS_MY = re.compile(r"(?P<name>[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)\s+is\s+(?:my|our)\s+(?:(?:older|younger|little|big|twin)\s+)?(?P<kind>[\w-]+)")


@dataclass(frozen=True)
class Person:
    """A person named in a sentence. `ref` is null for a pronoun and for a stranger's relative.

    `cases` are the cases it may stand in (English: nomn, or gent for a possessive).
    """

    start: int
    end: int
    ref: SubjectRef | None
    cases: frozenset[str]
    first: bool = False
    pronoun: bool = False
    kind: str | None = None
    name: str | None = None


def persons(sentence: Sentence, scene: Scene) -> list[Person]:
    """The persons of a sentence in order, pronouns among them."""
    return _persons_ru(sentence, scene) if sentence.lang == "ru" else _persons_en(sentence, scene)


def _case_set(word: str) -> frozenset[str]:
    return frozenset(p.tag.case for p in parses(word) if p.tag.case)


def _persons_ru(sentence: Sentence, scene: Scene) -> list[Person]:
    text = sentence.text
    tokens = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]
    out: list[Person] = []
    i = 0
    while i < len(tokens):
        word, start, end = tokens[i]
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
            mine = not _stranger_before(tokens, i)
            cases = _case_set(word)
            ref = scene.people.relative_of(scene.speaker, kind, "ru", name) if mine else None
            stop = tokens[j - 1][2]
            if name is not None:
                scene.people.learn(name)
            out.append(Person(start, stop, ref, cases, kind=kind if mine else None, name=name))
            i = j
            continue
        elif is_russian(word) and low == word and is_other_person(word):
            name, j = _name_after(tokens, i, text)
            if name is not None:
                scene.people.learn(name)
            ref = scene.people.resolve(name) if name else None
            out.append(Person(start, tokens[j - 1][2], ref, _case_set(word), name=name))
            i = j
            continue
        elif word[0].isupper() and is_russian(word):
            person, j = _named(tokens, i, text, scene)
            if person is not None:
                out.append(person)
                i = j
                continue
        i += 1
    return out


def _is_verb(word: str) -> bool:
    return str(parses(word)[0].tag.POS) in {"VERB", "INFN", "ADVB", "PREP", "CONJ"}


def _stranger_before(tokens: list[tuple[str, int, int]], i: int) -> bool:
    """Whether the relative is somebody else's ("ее муж", "твой брат", "брат жены" reversed)."""
    before = {fold(w) for w, _, _ in tokens[max(0, i - 2) : i]}
    return bool(before & {"ее", "его", "их", "твой", "твоя", "твоей", "твоего", "твоему", "ваш", "ваша", "вашей",
                          "вашего", "вашему", "чей", "чья", "какой", "чужой", "чужая"})  # fmt: skip


def _name_after(
    tokens: list[tuple[str, int, int]], i: int, text: str
) -> tuple[str | None, int]:
    """The name right after a relative's word, and the index after what was taken."""
    j = i + 1
    if j < len(tokens) and fold(tokens[j][0]) in {"зовут", "звать"}:
        j += 1
    elif j + 1 < len(tokens) and fold(tokens[j][0]) == "по" and fold(tokens[j + 1][0]) == "имени":
        j += 2
    names: list[str] = []
    last = tokens[j - 1][2]
    wanted = tuple(sorted(_case_set(tokens[i][0])))
    while j < len(tokens) and len(names) < 2:
        word, start, end = tokens[j]
        gap = text[last:start]
        if not word[0].isupper() or (gap.strip(" «\"") and not (not names and gap in (", ", " - ", " — "))):
            break
        if gap in (", ", " - ", " — ") and not is_given_name(name_nominative(word, wanted)):
            break
        if not is_russian(word) or not (
            reading(word, "Name") or reading(word, "Surn") or (names and reading(word, "Patr")) or is_given_name(name_nominative(word))
        ):
            if is_russian(word) or names:
                break
        agreeing = tuple(c for c in wanted if c in _case_set(word)) if is_russian(word) else ()
        names.append(name_nominative(word, agreeing))
        last = end
        j += 1
    return (" ".join(names), j) if names else (None, i + 1)


def _named(
    tokens: list[tuple[str, int, int]], i: int, text: str, scene: Scene
) -> tuple[Person | None, int]:
    word, start, end = tokens[i]
    plausible = reading(word, "Name") or is_given_name(word) or _known(word, scene)
    if not plausible:
        surname = parses(word)[0]
        if "Surn" not in surname.tag or start == 0:
            return None, i
    geographic = reading(word, "Geox")
    if geographic is not None and not is_given_name(name_nominative(word)):
        return None, i
    if i and fold(tokens[i - 1][0]).strip(".") in {"ул", "улица", "улице", "проспект", "проспекте", "пр-т", "площадь", "переулок", "наб", "набережная", "им", "имени", "станция", "метро"}:
        return None, i
    if place_alias(word) and i and fold(tokens[i - 1][0]) in {"в", "во", "из", "на", "под"}:
        return None, i
    cases = _case_set(word)
    names = [name_nominative(word)]
    j = i + 1
    if j < len(tokens) and tokens[j][0][0].isupper() and text[end : tokens[j][1]] == " ":
        following = tokens[j][0]
        if is_russian(following) and (reading(following, "Surn") or reading(following, "Patr")):
            names.append(name_nominative(following, tuple(sorted(cases & _case_set(following)))))
            end = tokens[j][2]
            j += 1
    ref = scene.people.resolve(" ".join(names))
    if not ref.is_speaker:
        scene.people.learn(ref.name)
    return Person(start, end, ref, cases, name=ref.name, first=ref.is_speaker and ref.name == scene.speaker), j


def _known(word: str, scene: Scene) -> bool:
    """Whether a declined word is a word of a name already known in the window."""
    forms = {p.normal_form.replace("ё", "е") for p in parses(word)}
    return any(
        fold(part) in forms for name in [*scene.people.named, *scene.people.speakers] for part in name.split()
    )


def _persons_en(sentence: Sentence, scene: Scene) -> list[Person]:
    text, low = sentence.text, sentence.low
    tokens = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(text)]
    for named in _IS_MY.finditer(text):
        kind = relative_kind(named["kind"])
        if kind:
            scene.people.learn(named["name"])
            scene.people.by_relation[(fold(scene.speaker), kind)] = named["name"]
    out: list[Person] = []
    i = 0
    while i < len(tokens):
        word, start, end = tokens[i]
        plain = low[start:end]
        base = re.sub(r"'s$", "", plain)
        possessive = frozenset({"gent"}) if base != plain and not _EN_CONTRACTED.match(low, end - 2) else frozenset({"nomn"})
        previous = low[tokens[i - 1][1] : tokens[i - 1][2]] if i else ""
        if plain in _EN_FIRST:
            me = SubjectRef(name=scene.speaker, is_speaker=True)
            out.append(Person(start, end, me, frozenset({"nomn"}), first=True))
        elif plain in _EN_THIRD:
            out.append(Person(start, end, None, frozenset({"nomn"}), pronoun=True))
        elif plain in _COLLECTIVE_EN:
            out.append(Person(start, end, None, frozenset({"nomn"})))
        elif (kind := relative_kind(base)) and not base == "ma":
            stranger = previous in {"your", "his", "her", "their", "a", "the", "every", "any", "no", "whose"} or previous.endswith("'s")
            bare = previous not in {"my", "our", "younger", "older", "elder", "little", "big", "twin", "baby", "youngest", "oldest", "eldest", "dear", "late"}
            if bare and kind not in {"mother", "father", "grandmother", "grandfather", "brother", "sister", "husband", "wife"}:
                stranger = True
            if bare and not stranger and not (start == 0 or previous in {"and", "but", "so", "today", "yesterday", ""}):
                stranger = True
            name, j = _english_name(tokens, i + 1, text, end)
            if name is not None and possessive == frozenset({"gent"}):
                name, j = None, i + 1
            ref = None if stranger else scene.people.relative_of(scene.speaker, kind, "en", name)
            if name is not None:
                scene.people.learn(name)
            stop = tokens[j - 1][2]
            cases = possessive
            if name is not None and re.match(r"['’]s\b", text[stop - 2 : stop + 1]) and not _EN_CONTRACTED.match(low, stop - 2):
                cases = frozenset({"gent"})
            out.append(Person(start, stop, ref, cases, kind=None if stranger else kind, name=name))
            i = j
            continue
        elif is_other_person(base) and previous in {"my", "our"}:
            name, j = _english_name(tokens, i + 1, text, end)
            if name is not None:
                scene.people.learn(name)
            ref = scene.people.resolve(name) if name else None
            out.append(Person(start, tokens[j - 1][2], ref, possessive, name=name))
            i = j
            continue
        elif word[0].isupper() and base not in _EN_NO_NAME and plain not in _EN_NO_NAME:
            person, j = _english_named(tokens, i, text, low, scene)
            if person is not None:
                out.append(person)
                i = j
                continue
        i += 1
    return out


def _english_name(
    tokens: list[tuple[str, int, int]], i: int, text: str, end: int
) -> tuple[str | None, int]:
    """A capitalised name of up to two words from token `i` on, right after `end`."""
    names: list[str] = []
    j = i
    while j < len(tokens) and len(names) < 2:
        word, start, stop = tokens[j]
        gap = text[end:start]
        appositive = gap == ", " and not names and is_given_name(re.sub(r"['’]s$", "", word))
        if not word[0].isupper() or (gap != " " and not appositive) or fold(word) in _EN_NO_NAME | _EN_FIRST:
            break
        names.append(re.sub(r"['’]s$", "", word))
        end = stop
        j += 1
        if names[-1] != word:
            break
    return (" ".join(names), j) if names else (None, i)


def _english_named(
    tokens: list[tuple[str, int, int]], i: int, text: str, low: str, scene: Scene
) -> tuple[Person | None, int]:
    word, start, end = tokens[i]
    previous = low[tokens[i - 1][1] : tokens[i - 1][2]] if i else ""
    if previous in {"in", "at", "to", "from", "near", "of", "on", "into", "around", "the", "a", "an", "for", "called", "named", "via", "using"}:
        return None, i
    base = re.sub(r"['’]s$", "", word)
    full, j = _english_name(tokens, i, text, start - 1 if start else 0)
    if start == 0:
        names = [base]
        j = 1
        if base == word and len(tokens) > 1 and text[end : tokens[1][1]] == " ":
            following = re.sub(r"['’]s$", "", tokens[1][0])
            if tokens[1][0][0].isupper() and fold(tokens[1][0]) not in _EN_NO_NAME | _EN_FIRST:
                names.append(following)
                j = 2
        full = " ".join(names)
    if full is None:
        return None, i
    stop = tokens[j - 1][2]
    contracted = low[stop - 2 : stop] == "'s" and _EN_CONTRACTED.match(low, stop - 2) is not None
    possessive = low[stop - 2 : stop] == "'s" and not contracted
    acts = contracted or _EN_VERB.match(low, stop) is not None
    given = is_given_name(full.split()[0])
    known = any(n == full for n in scene.people.named) or any(fold(s) == fold(full) for s in scene.people.speakers)
    if not (acts or given or known):
        return None, i
    ref = scene.people.resolve(full)
    if not ref.is_speaker and not possessive:
        scene.people.learn(ref.name)
    cases = frozenset({"gent"}) if possessive else frozenset({"nomn"})
    return Person(start, stop, ref, cases, name=ref.name, first=ref.is_speaker and ref.name == scene.speaker), j


_COLLECTIVE_RU = frozenset({"родители", "дети", "друзья", "соседи", "коллеги", "ребята", "родственники", "предки", "некоторые", "многие", "кто-то", "кто"})
_COLLECTIVE_EN = frozenset({"parents", "folks", "kids", "friends", "neighbors", "neighbours", "guys", "people", "in-laws", "grandparents", "everyone", "everybody", "someone", "nobody", "who"})
_SELF_CONTAINED = frozenset({"address", "email", "phone", "budget_limit", "tool", "preference", "dislike", "pet"})


Latest = Callable[[], SubjectRef | None]
"""The last person of the message, or of those before it, that a pronoun may stand for."""


def subject_of(found: Found, sentence: Sentence, scene: Scene, latest: Latest) -> SubjectRef | None:
    """The subject of what a rule found, or None where it cannot be told."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    if found.subject is not None:
        return found.subject
    if found.who in (Who.first, Who.second):
        return me
    verb = found.start if found.verb is None else found.verb
    clause = sentence.clause_at(verb)
    everyone = persons(sentence, scene)
    here = [p for p in everyone if "nomn" in p.cases and clause.start <= p.start < verb and p.end <= verb + 3]
    if not here and found.predicate not in _SELF_CONTAINED:
        here = [
            p for p in everyone
            if "nomn" in p.cases and verb < p.start < clause.end and p.start < found.end + 25
            and sentence.lang == "ru" and not p.pronoun
        ][:1]  # fmt: skip
    if here:
        if here[-1].pronoun:
            named = [p for p in everyone if p.end <= here[-1].start and not p.pronoun and not p.first and p.ref is not None]
            if named:
                return named[-1].ref
        return _resolved(here[-1], latest)
    earlier = [p for p in everyone if "nomn" in p.cases and p.end <= clause.start]
    if found.who is Who.third:
        oblique = [p for p in everyone if p.end <= clause.start and not p.pronoun and not p.first]
        earlier = [p for p in earlier if not p.first] or oblique
    if earlier and found.who is Who.third:
        return _resolved(earlier[-1], latest)
    if found.who is Who.third:
        return latest()
    if earlier and not earlier[-1].first:
        return _resolved(earlier[-1], latest)
    return me


def _resolved(person: Person, latest: Latest) -> SubjectRef | None:
    return latest() if person.pronoun else person.ref
