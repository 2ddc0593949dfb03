"""Russian clauses that are nothing but when and what: "теперь Анапа", "с мая в Ереване", "уже начальник смены".

A clause is read only where a word of beginning or lasting opens it and what follows fills it to its
end, so that a place where something else happens is not taken for where somebody lives.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.constructions.clauses_ru import is_light, is_period
from memory_pipeline.understand.extraction.constructions.demonyms import home_by_adjective
from memory_pipeline.understand.extraction.constructions.open_takers_ru import sure_drug, workplace
from memory_pipeline.understand.extraction.constructions.takers_ru import job_ru, place_ru
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.rules.employers_ru import known_firm
from memory_pipeline.understand.extraction.rules.medicines import SURE_DRUG_RU
from memory_pipeline.understand.extraction.sentences import STEM, Clause, Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.morphology import is_russian, parses
from memory_pipeline.understand.word_blocks import words

_IN = ("loct", "loc2")
_BEGINS = frozenset(words("теперь уже снова опять отныне наконец официально заново вновь нынче"))
_LASTS = frozenset(words("сейчас пока временно пока-что еще до"))
_THEN = frozenset(words("потом затем дальше далее после"))
_JOINTS = frozenset(
    words("и а но да то же ж вот сам сама все там тут что ну короче ура так значит сразу")
)
_HOMEWARD = frozenset(
    words("насовсем навсегда обратно домой назад насовсем совсем надолго постоянно")
)
_ME = frozenset({"я", "мы"})
_OPENERS = _BEGINS | _LASTS | _THEN | _ME | _JOINTS | _HOMEWARD | {"с", "со", "у"}
_NUMBER = re.compile(r"\d{1,4}(?:-?[а-я]{1,3})?")
_TIMES = frozenset(words("сегодня завтра вчера послезавтра позавчера сегодняшний завтрашний вчерашний следующий этот прошлый тот конец начало середина новый"))  # fmt: skip


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What such clauses tell of a place, a job, a firm or a medicine."""
    low = sentence.low
    is_marked = not _MARKERS.isdisjoint(sentence.stems)
    is_told = _OF_WHOM.search(sentence.text) is not None
    if not (is_marked or is_told or _ME_LAST.search(low)):
        return
    tokens = sentence.tokens
    at = 0
    for clause in sentence.clauses:
        while at < len(tokens) and tokens[at][1] < clause.start:
            at += 1
        first = at
        while at < len(tokens) and tokens[at][1] < clause.end:
            at += 1
        if clause.blocked or not 2 <= at - first <= 12:
            continue
        here = [(low[a:b], a, b) for _, a, b in tokens[first:at]]
        start = 1 if here[0][0] in _JOINTS else 0
        is_name = sentence.text[here[start][1]].isupper() and start + 1 < len(here)
        if is_told and is_name and start + 1 < len(here):
            yield from _of_named(sentence, scene, clause, here[start:])
        elif is_told and _ABLATIVE.search(here[start][0]):
            yield from _as_what(sentence, scene, clause, here[start:])
        if is_marked and (here[0][0] in _OPENERS or any(w == "до" for w, _, _ in here[1:3])):
            yield from _led(sentence, scene, clause, here)
        elif here[-1][0] in _ME:
            yield from _before_me(clause, here)


_MARKERS = frozenset(word[:STEM] for word in (*_BEGINS, *_LASTS, *_THEN, "с", "со"))
_ME_LAST = re.compile(r"[сц]к(?:ий|ая|ие)\s+(?:я|мы)\b")
_OF_WHOM = re.compile(
    r"(?:^|[,:;—–]\s)(?:[иа]\s)?(?:[А-ЯЁ][а-яё]+|[а-яё]+(?:ом|ем|ой|ей|ым|им))\s[^,:;]{0,40}?\b(?:в|во|на)\s"
)
"""A clause that begins with a name or a trade in the ablative, and has a place."""


def _before_me(clause: Clause, here: list[tuple[str, int, int]]) -> Iterator[Found]:
    """A town's adjective right before "I" ("опять мурманский я", "тамбовские мы")."""
    word, start, end = here[-2]
    town = home_by_adjective(word) if all(is_light(w) for w, _, _ in here[:-2]) else None
    if town is not None:
        yield Found("location", town, start, end, Mode.state, Who.first, verb=clause.start, confidence=0.7, dated=False)  # fmt: skip


def _led(
    sentence: Sentence, scene: Scene, clause: Clause, here: list[tuple[str, int, int]]
) -> Iterator[Found]:
    n, marks = _lead(here, 0)
    if n >= len(here):
        return
    if not marks and any(w == "до" for w, _, _ in here[n + 1 :]):
        marks = {"lasts"}
    if not marks:
        return
    begins = bool(marks & {"begins", "then"})
    is_mine = "me" in marks
    start, stop = here[n][1], clause.end
    word = here[n][0]
    if word == "у" and n + 2 < len(here) and here[n + 1][0] in ("себя", "родителей", "мамы"):
        n += 2
        start, word = here[n][1], here[n][0]
    mode = Mode.change if begins else Mode.state
    tail_of_me = here[-1][0] in _ME
    if tail_of_me and n == len(here) - 2 and begins:
        yield from _before_me(clause, here)
        return
    found: list[tuple[str, str, int]] = []
    if word in ("в", "во", "на") and n + 1 < len(here):
        behind = here[n + 1][1]
        toward = "then" in marks or "homeward" in marks
        cases = ("accs",) if toward else _IN
        found = [
            ("location", str(v), b)
            for v, _, b in place_ru(*cases, geo=True)(sentence, scene, behind, stop)
        ]
        if not found and begins and not toward:
            named = (
                known_firm(sentence.text, behind) is not None or sentence.text[behind - 1] in '«"“'
            )
            pieces = (
                workplace(*_IN)(sentence, scene, _quote(sentence, behind), stop) if named else ()
            )
            found = [("employer", str(v), b) for v, _, b in pieces]
    elif word == "у" and begins and n + 1 < len(here):
        behind = _quote(sentence, here[n + 1][1])
        if sentence.text[behind] in '«"“':
            pieces = workplace("gent")(sentence, scene, behind, stop)
            found = [("employer", str(v), b) for v, _, b in pieces]
    elif "then" not in marks:
        found = [
            ("location", str(v), b)
            for v, _, b in place_ru("nomn", geo=True)(sentence, scene, start, stop)
        ]
        resident = _RESIDENT.match(sentence.low, start)
        if not found and resident:
            found = [
                ("location", str(v), b)
                for v, _, b in place_ru("gent", geo=True)(sentence, scene, resident.end(), stop)
            ]
        if not found and begins:
            found = [
                ("job_title", str(v), b)
                for v, _, b in job_ru("nomn", known=True)(sentence, scene, start, stop)
            ]
        if not found and begins:
            found = [
                ("medication", str(v), b) for v, a, b in sure_drug(sentence, scene, start, stop)
                if a == start and SURE_DRUG_RU.search(str(v))
            ]  # fmt: skip
    for predicate, value, end in found[:1]:
        if not _ends(here, end):
            return
        whose = (
            (None, Who.first)
            if is_mine or tail_of_me
            else _spoken_of(sentence, scene, clause.start)
        )
        if whose is None:
            return
        yield Found(
            predicate, value, here[0][1], end, mode, whose[1], whose[0], verb=here[0][1],
            confidence=0.7, dated=True,
        )  # fmt: skip


_RESIDENT = re.compile(r"(?:житель(?:ница)?|резидент|обитатель(?:ница)?)\s+")
_WENT = re.compile(
    r"\b(?:уехал|перее|перебрал|махнул|укатил|свалил|отправил|подал|релоцировал|разъехал|эмигрировал|улетел)[а-я]*"
)


def _of_named(
    sentence: Sentence, scene: Scene, clause: Clause, here: list[tuple[str, int, int]]
) -> Iterator[Found]:
    """Where somebody named is, the verb left to the clause before ("Катя Рогова в Берлин, Катя Зимина
    в Тбилиси")."""
    person = next((p for p in persons(sentence, scene) if p.start == here[0][1]), None)
    if (
        person is None
        or person.ref is None
        or not person.name
        or "nomn" not in person.cases
        or person.first
    ):
        return
    given = person.name.split()[0]
    if not is_given_name(given) or not sentence.text.startswith(given, person.start):
        return
    n = next((i for i, (_, a, _) in enumerate(here) if a >= person.end), len(here))
    n += 2 if n < len(here) and here[n][0] == "из" else 0
    n, _ = _lead(here, n)
    if n + 1 >= len(here) or here[n][0] not in ("в", "во", "на"):
        return
    went = _WENT.search(sentence.low[: clause.start]) is not None
    for cases, mode in ((("accs",), Mode.change), (_IN, Mode.state)):
        if mode is Mode.change and not went:
            continue
        for value, _, end in place_ru(*cases, geo=True)(
            sentence, scene, here[n + 1][1], clause.end
        ):
            if _ends(here, end):
                yield Found(
                    "location", value, person.start, end, mode, Who.third, person.ref, verb=here[n][1],
                    confidence=0.7, dated=True,
                )  # fmt: skip
                return


_ABLATIVE = re.compile(r"(?:ом|ем|ой|ей|ым|им)$")


def _as_what(
    sentence: Sentence, scene: Scene, clause: Clause, here: list[tuple[str, int, int]]
) -> Iterator[Found]:
    """What one is and where, the verb left out ("охранником в ТЦ «Меркурий»")."""
    start = here[0][1]
    for job, a, end in job_ru("ablt", known=True)(sentence, scene, start, clause.end):
        n = next((i for i, (_, x, _) in enumerate(here) if x >= end), len(here))
        if a != start or n + 1 >= len(here) or here[n][0] not in ("в", "во", "на"):
            return
        behind = _quote(sentence, here[n + 1][1])
        mall = _MALL.match(sentence.low, behind)
        behind = mall.end() if mall else behind
        for firm, x, y in workplace(*_IN)(sentence, scene, behind, clause.end):
            yield Found(
                "employer", firm, start, y, Mode.state, Who.first, verb=start, confidence=0.7,
                dated=False,
            )  # fmt: skip
            yield Found("job_title", job, start, max(end, x), Mode.state, Who.first, verb=start, confidence=0.7, dated=False)  # fmt: skip


_MALL = re.compile(r"(?:тц|трц|бц|жк|гк|ск)\s+(?=[«\"])")


def _quote(sentence: Sentence, at: int) -> int:
    return at - 1 if sentence.text[at - 1] in '«"“' else at


def _lead(here: list[tuple[str, int, int]], n: int) -> tuple[int, set[str]]:
    """The index behind the words that say when, and what they mark."""
    marks: set[str] = set()
    while n < len(here):
        word = here[n][0]
        if word in _ME:
            marks.add("me")
        elif word in _BEGINS:
            marks.add("begins")
        elif word in _THEN:
            marks.add("then")
        elif word in _HOMEWARD:
            marks.add("homeward")
        elif (stop := _time(here, n)) > n:
            if word in ("с", "со"):
                marks.add("begins")
            elif word in ("до", "на"):
                marks.add("lasts")
            n = stop
            continue
        elif word in _LASTS:
            marks.add("lasts")
        elif word not in _JOINTS:
            break
        n += 1
    if marks <= {"me", "homeward"}:
        return n, set()
    return n, marks


def _time(here: list[tuple[str, int, int]], n: int) -> int:
    """The index behind a phrase of time that begins at `n`; `n` itself where none does."""
    at = n
    if here[at][0] in ("с", "со", "до", "на", "по", "через", "к", "в", "после"):
        at += 1
    first = at
    while at < len(here) and at - first < 4 and _is_time(here[at][0]):
        at += 1
    return at if at > first else n


@lru_cache(maxsize=16_384)
def _is_time(word: str) -> bool:
    if _NUMBER.fullmatch(word) or is_period(word):
        return True
    if not is_russian(word):
        return False
    parse = parses(word)[0]
    return (
        word in _TIMES
        or str(parse.normal_form) in _TIMES
        or "NUMR" in parse.tag
        or "Anum" in parse.tag
    )


def _ends(here: list[tuple[str, int, int]], end: int) -> bool:
    """Whether nothing but time and filling words stands behind `end`."""
    n = next((i for i, (_, a, _) in enumerate(here) if a >= end), len(here))
    while n < len(here):
        stop = _time(here, n)
        if stop > n:
            n = stop
        elif here[n][0] in _ME | _HOMEWARD | _JOINTS | _LASTS | _BEGINS:
            n += 1
        else:
            return False
    return True


def _spoken_of(
    sentence: Sentence, scene: Scene, before: int
) -> tuple[SubjectRef | None, Who] | None:
    """Whom the clauses before spoke of last: the speaker, somebody named, whoever a pronoun stands
    for; None where it is somebody who cannot be told."""
    told = [p for p in persons(sentence, scene) if p.end <= before and "nomn" in p.cases]
    known = [p for p in told if p.first or p.pronoun or p.ref is not None]
    if not known:
        return None if told else (None, Who.first)
    last = known[-1]
    if last.pronoun:
        return None, Who.third
    return (None, Who.first) if last.first else (last.ref, Who.third)
