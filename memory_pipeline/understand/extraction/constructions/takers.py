"""Takers: how the slot of a construction is cut, in Russian and in English."""

import re
from collections.abc import Iterator, Mapping

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import is_occupation, tool_name, tools_in
from memory_pipeline.understand.extraction.numbers import find_money, small_number
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    phrase_list,
    russian_phrase,
    sentence_case,
)
from memory_pipeline.understand.extraction.places import (
    english_place,
    is_known_place,
    place_alias,
    russian_place,
)
from memory_pipeline.understand.extraction.rules.aims import VAGUE_PLAN, purpose
from memory_pipeline.understand.extraction.rules.employers_en import organisation_en
from memory_pipeline.understand.extraction.rules.employers_ru import organisation_ru
from memory_pipeline.understand.extraction.rules.learned import languages_in
from memory_pipeline.understand.extraction.rules.medicines import drug_en, drug_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, parses, reading

_NO_THING = frozenset(
    "все всё это то что вас тебя его ее её их себя меня нас ничего что-то кого-то вообще так там тут один "
    "идея вариант мысль ответ раз день время дело место люди человек пора момент случай вопрос проблема "
    "it that this them you him her everything nothing something anything me us what how when who one here there "
    "the to those these way time lot idea your his their fact things stuff".split()
)


def const(value: str | None) -> Take:
    """A value that the frame itself states."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        yield value, start, start

    return take


def place_ru(*cases: str, geo: bool = False) -> Take:
    """One place; `geo` takes only what the dictionary knows as a place."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_place(sentence.text[:stop], start, cases)
        if found is None:
            return
        word = sentence.text[found[1] : found[2]].split()[-1]
        if geo and is_russian(word) and not (
            reading(word, "Geox", cases=cases) or place_alias(found[0])
        ):  # fmt: skip
            return
        if geo and not is_russian(word) and not is_known_place(found[0]):
            return
        yield found

    return take


def place_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One place."""
    found = english_place(sentence.text[:stop], start)
    if found is not None:
        yield found


def organisation(*cases: str) -> Take:
    """One firm in a Russian sentence."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = organisation_ru(sentence.text[:stop], start, cases)
        if found is not None:
            yield found

    return take


def firm_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One firm in an English sentence; also "the city of Tacoma", "a local bakery" is none."""
    text = sentence.text[:stop]
    body = re.compile(
        r"\s*(?:the\s+)?((?:city|county|state|department|ministry|university|government|port|bank) of (?:the\s+)?[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)"
    ).match(text, start)
    if body:
        yield body[1], body.start(1), body.end(1)
        return
    found = organisation_en(text, start)
    if found is not None and not found[0][0].isdigit() and not is_known_place(found[0]):
        yield found


_NOT_A_JOB = frozenset(
    "человек муж жена брат сестра отец мать друг подруга сын дочь ребенок дурак идиот гений молодец клиент пользователь "
    "гость житель читатель подписчик веган вегетарианец вегетарианка веганка папа мама отец родитель студент студентка пенсионер победитель чемпион участник член фанат поклонник любитель мужчина женщина девушка парень".split()
)


def job_ru(*cases: str, known: bool = False) -> Take:
    """A job after words that announce one: any phrase whose head names a person by kind.

    `known` asks for the shape of an occupation, where the words before announce other things too.
    """

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_phrase(sentence.text[:stop], start, cases, 4, frozenset({"по"}))
        if found is None:
            return
        words = sentence.text[found[1] : found[2]].split()
        heads = [reading(w, "NOUN", cases=cases) for w in words]
        head = next((h for h in heads if h is not None), None)
        latin = any(w.isascii() for w in words)
        if head is None or "Name" in head.tag or head.normal_form in _NOT_A_JOB:
            return
        if "anim" not in head.tag and not latin:
            return
        if known and not is_occupation(str(head.word)):
            return
        yield found[0][:1].lower() + found[0][1:], found[1], found[2]

    return take


_JOB_END_EN = re.compile(
    r"(?=\s+(?:at|for|with|in|on|from|and|but|who|now|by|here|since|until|these|currently|so|i)\b|\s*[,.;:!?)(—–]|\s+-\s|\s*$)"
)


def job_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A job after words that announce one: up to five words before a boundary."""
    lead = re.compile(r"\s*(?:an?|the|our|their)?\s*", re.IGNORECASE).match(sentence.text, start)
    at = lead.end() if lead else start
    end = _JOB_END_EN.search(sentence.text, at, stop)
    if end is None or end.start() <= at:
        return
    value = sentence.text[at : end.start()].strip()
    words = value.split()
    if not 1 <= len(words) <= 5 or words[0].lower() in _NO_THING or words[-1].lower() in _NO_THING:
        return
    if words[0].lower().endswith("ing") or words[-1].lower() in {"team", "kid", "child", "joke", "result", "rule"}:  # fmt: skip
        return
    yield value, at, at + len(value)


def things_ru(*cases: str, words: int = 3, limit: int = 3) -> Take:
    """An enumeration of things in Russian, in one of `cases`."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, words, limit):
            if name.lower() in _NO_THING:
                return
            yield name, a, b

    return take


def slot_ru(*cases: str, words: int = 3) -> Take:
    """A phrase that fills the slot to its very end (the object before its verb)."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop].rstrip()
        first = start
        for n in range(words):
            found = russian_phrase(text, first, cases, words, frozenset({"без"}))
            if found is not None and found[2] == len(text) and found[0].lower() not in _NO_THING:
                yield found
                return
            gap = re.compile(r"\S+\s+").match(text, first)
            if gap is None or n == words - 1:
                return
            first = gap.end()

    return take


def things_en(words: int = 3, limit: int = 3, keep: frozenset[str] = frozenset()) -> Take:
    """An enumeration of things in English."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop]
        if keep:
            one = english_phrase(text, start, keep, words)
            if one is not None and one[0].lower().split()[0] not in _NO_THING:
                yield one
            return
        if re.compile(r"\s*(?:the|that|this|your|his|her|their|these|those|how)\b", re.IGNORECASE).match(text, start):  # fmt: skip
            return
        for name, a, b in phrase_list(text, start, "en", max_words=words, limit=limit):
            if name.lower().split()[0] in _NO_THING:
                return
            yield name, a, b

    return take


def subject_en(words: int = 3) -> Take:
    """The noun phrase of the slot, whole ("Long meetings" of "Long meetings drive me crazy")."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        value = sentence.text[start:stop].strip()
        bare = re.sub(r"^(?:the|a|an|my|all|those|these)\s+", "", value, flags=re.IGNORECASE)
        parts = bare.lower().split()
        if not 1 <= len(parts) <= words or parts[0] in _NO_THING | {"i", "he", "she", "we", "they"}:
            return
        yield bare, stop - len(bare), stop

    return take


def dropped_aim(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """An aim that is given up, its gerund as a plain verb."""
    end = re.compile(r"[,.;!?()]").search(sentence.text, start, stop)
    value = purpose(sentence.text[start : end.start() if end else stop])
    if value:
        yield re.sub(r"^(\w+?)ing\b", r"\1", value), start, start + len(value)


def plain_verb_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What one can do, in up to five words."""
    end = re.compile(
        r"[,.;!?()]|\s(?:and|but|so|because|when|if|now|too|last|this|since)\b"
    ).search(sentence.low, start, stop)
    value = sentence.text[start : end.start() if end else stop].strip()
    if 1 <= len(value.split()) <= 5 and not re.match(
        r"(?:be|have|do|get|love|say|deal|live|handle|let|help|cope|feel|see|tell|know)\b", value
    ):
        yield value, start, start + len(value)


def aim(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What is aimed at: an infinitive phrase up to the clause's end."""
    end = re.compile(r"[,.;!?()\n]|\s[—–-]\s").search(sentence.text, start, stop)
    raw = sentence.text[start : end.start() if end else stop]
    value = purpose(raw)
    if value and not VAGUE_PLAN.match(value.lower()) and len(value.split()) > 1:
        yield value, start, start + len(raw)


_VERB_EN = re.compile(r"(?:is|are|was|the|a|an|my|it|that|this|not|\w+ing)\b")


def infinitive_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """An aim whose first word is a plain verb."""
    if not _VERB_EN.match(sentence.low[start:].lstrip()):
        yield from aim(sentence, scene, start, stop)


def infinitive_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """An aim whose first word is an infinitive; what stands before it is passed over."""
    text = sentence.text[:stop]
    head = re.compile(r"(?:[\w-]+\s+){0,3}?(?P<verb>[а-яё]+(?:ть|ти|чь|ться|тись|чься))\b").match(text, start)  # fmt: skip
    if head is not None and reading(head["verb"], "INFN") is not None:
        yield from aim(sentence, scene, head.start("verb"), stop)


def whole(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The whole sentence, as a rule is stated."""
    value = sentence_case(sentence.text)[:200]
    if 2 <= len(value.split()) <= 30:
        yield value, 0, len(sentence.text)


def said(names: Mapping[str, str] | None = None) -> Take:
    """The words of the slot themselves, or what `names` calls them."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        words = sentence.text[start:stop].strip()
        yield (names or {}).get(words.lower().replace("ё", "е"), words), start, stop

    return take


def rest(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What follows, up to the end of the clause."""
    end = re.compile(r"[,.;!?()\n]|\s[—–]\s").search(sentence.text, start, stop)
    value = sentence_case(sentence.text[start : end.start() if end else stop])
    if 1 <= len(value.split()) <= 8:
        yield value, start, start + len(value)


def money(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A sum of money within the slot."""
    found = find_money(sentence.low[:stop], start, sentence.lang, scene.tz)
    if found is None or found[1] - start > 30:
        return
    value, a, b, said = found
    if not said and float(value.split()[0]) < 1_000:
        return
    if re.match(r"\s*(?:%|процент|percent|people|человек|мин|час|дн|недел|раз|лет|год|км|кг|hours?|days?|words|miles)", sentence.low[b:]):  # fmt: skip
        return
    yield value, a, b


def number(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """An age within the slot."""
    value = small_number(sentence.low[start:stop])
    if value is not None and value >= 3:
        yield value, start, stop


def known_tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Tools known by name alone, where the words before announce other things too."""
    for value, a, b in tool(sentence, scene, start, stop):
        if tool_name(str(value)) is None:
            return
        yield value, a, b


def tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Tools right after a verb of use: known ones, or names in foreign letters or capitals."""
    text, low = sentence.text[:stop], sentence.low[:stop]
    at = start
    while True:
        known = tools_in(text, low, at, min(stop, at + 30), strict=False)[:1]
        if known and not low[at : known[0][1]].strip():
            name, a, b = known[0]
        else:
            latin = re.compile(
                r"\s*(?P<name>[A-Z][\w+#]*(?:[.-]\w+)*(?:\s[A-Z][\w+#]*){0,2})(?!['’\w])"
            ).match(text, at)
            if latin is None or latin["name"].split()[0] in {"I", "My", "The", "It", "We", "He", "She"}:  # fmt: skip
                return
            name, a, b = latin["name"], latin.start("name"), latin.end("name")
            if is_known_place(name) or is_given_name(name.split()[0]):
                return
        yield name, a, b
        joint = re.compile(r"\s*(?:,|\+|/|&)\s*(?:and\s+|и\s+)?|\s+(?:and|и)\s+").match(low, b)
        if joint is None:
            return
        at = joint.end()


def language(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Languages within the slot's next words."""
    for name, a, b in languages_in(sentence.low, start, min(stop, start + 40), sentence.lang):
        yield name, a, b


def drug(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One medicine."""
    low = sentence.low[:stop]
    found = drug_ru(low, start) if sentence.lang == "ru" else drug_en(low, start)
    if found is not None:
        yield found


def formed(inner: Take, form: str) -> Take:
    """What `inner` takes, put into words (`{}`)."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            yield form.format(value), a, b

    return take


def genitive_of(inner: Take, form: str) -> Take:
    """What `inner` takes, its one word in the genitive within `form`; longer ones as they are."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            parse = parses(str(value))[0] if is_russian(str(value)) else None
            case = parse.inflect({"gent"}) if parse is not None else None
            yield form.format(case.word if case is not None else value), a, b

    return take
