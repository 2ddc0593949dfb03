"""Russian clauses read by their verb: whoever does it, in whatever order the words stand.

A frame names verbs by their dictionary form, so that every person, tense and participle of them
counts, and the slots in which its object may stand: a preposition or none, and a taker that reads
the value. The object is looked for after the verb and before it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.people import relative_kind
from memory_pipeline.understand.extraction.phrases import russian_phrase
from memory_pipeline.understand.extraction.rules.pets import pet_kind_ru
from memory_pipeline.understand.extraction.sentences import STEM, Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, parses, reading

Needs = Callable[[Sentence], bool]
"""Whether a sentence may hold an object of the kind that a frame asks for."""
Token = tuple[str, int, int]

_REACH = 9
"""How many words from its verb an object may stand."""
_PASSED_OVER = frozenset({"ADVB", "PRCL", "NPRO", "PRED", "COMP"})
_LIGHT = frozenset({"как", "таки", "уже", "еще", "только", "очень", "все", "это", "один", "раз", "раза", "сам", "сама", "сами", "значит", "короче", "самый", "весь", "целый", "никакой", "язык", "языком", "языками", "языки"})  # fmt: skip
_PERIODS = frozenset(
    {
        "год", "месяц", "неделя", "день", "утро", "вечер", "ночь", "час", "минута", "сутки", "лето", "зима", "весна",
        "осень", "раз", "полгода", "понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье",
        "выходной", "время", "жизнь", "век", "пора", "январь", "февраль", "март", "апрель", "май", "июнь", "июль",
        "август", "сентябрь", "октябрь", "ноябрь", "декабрь",
    }
)  # fmt: skip
_BEGINS = frozenset({"начать", "начинать", "стать", "приняться", "приходиться", "продолжать"})
_STOPS = frozenset({"перестать", "бросить", "прекратить", "закончить", "завязать", "кончить", "прекращать", "бросать"})  # fmt: skip
NO_CLAIM = Gated(
    r"\b(?:чтобы|чтоб|пусть|давай|давайте|пускай|будто|словно|как-будто|боюсь|кажется|похоже|подозреваю|думаешь|никто|никому)\b|\bне (?:факт|знаю|уверен\w*|думаю|помню)\b"
)
_CANNOT = Gated(
    r"\b(?:терпеть|выносить|выдержать|видеть)\s+(?:[а-я]+\s+){0,2}?не\s+мо(?:гу|жем|жет|гут)\b|\bне\s+мо(?:гу|жем|жет|гут)\s+(?:терпеть|выносить)\b"
)
_ONCE = Gated(r"\b(?:раньше|прежде|когда-то|одно время|в молодости|до этого)\b")


@dataclass(frozen=True)
class Slot:
    """Where an object stands: after one of `preps`, or bare where there are none."""

    preps: frozenset[str]
    take: Take


@dataclass(frozen=True)
class Frame:
    """What some verbs tell. The modes say what a tense means; None where it tells nothing.

    `undergone`: it happens to whom an oblique case names, else to the speaker ("сыну
    выписали…", "меня перевели…"); `named` asks that somebody is. A value without slots is
    stated by the verb alone.
    """

    predicate: str
    verbs: frozenset[str]
    slots: tuple[Slot, ...]
    present: Mode | None
    past: Mode | None
    future: Mode | None
    negated: Mode | None
    undergone: bool
    named: bool
    value: str | None
    dated: bool | None
    confidence: float
    ignores: frozenset[str]
    needs: Needs | None


def slot(preps: str, take: Take) -> Slot:
    """An object after one of `preps`, which are parted by spaces; bare for an empty string."""
    return Slot(frozenset(preps.split()), take)


def frame(
    predicate: str,
    verbs: str,
    *slots: Slot,
    present: Mode | None = Mode.state,
    past: Mode | None = None,
    future: Mode | None = None,
    negated: Mode | None = None,
    undergone: bool = False,
    named: bool = False,
    value: str | None = None,
    dated: bool | None = None,
    confidence: float = 0.75,
    ignores: str = "",
    needs: Needs | None = None,
) -> Frame:
    """A frame of verbs, which are infinitives parted by spaces."""
    return Frame(
        predicate, frozenset(verbs.replace("ё", "е").split()), slots, present, past, future, negated,
        undergone, named, value, dated, confidence, frozenset(ignores.split()), needs,
    )  # fmt: skip


class Frames:
    """Frames by their verbs."""

    def __init__(self, *groups: Sequence[Frame]) -> None:
        self._by_verb: dict[str, tuple[Frame, ...]] = {}
        for group in groups:
            for one in group:
                for verb in one.verbs:
                    self._by_verb[verb] = (*self._by_verb.get(verb, ()), one)
        self._stems: frozenset[str] = frozenset()

    def stems(self) -> frozenset[str]:
        """How the forms of the verbs begin: a sentence without one of these tells nothing."""
        if not self._stems:
            self._stems = frozenset(
                form.word.replace("ё", "е")[:STEM]
                for verb in self._by_verb
                for parse in _infinitives(verb)
                for form in parse.lexeme
            )
        return self._stems

    @lru_cache(maxsize=16_384)  # noqa: B019 - tables live as long as the process
    def of(self, word: str) -> tuple[tuple["_Verb", tuple[Frame, ...]], ...]:
        """The frames of a word's readings as a verb, each with its reading."""
        out = []
        for parse in parses(word):
            pos = str(parse.tag.POS)
            verb = str(parse.normal_form).replace("ё", "е")
            if pos in ("VERB", "PRTS", "INFN") and verb in self._by_verb:
                if "impr" in parse.tag:
                    continue
                tense = "past" if pos == "PRTS" else str(parse.tag.tense or "")
                lasting = "impf" in parse.tag
                out.append(
                    (_Verb(pos, tense, lasting, str(parse.tag.person or ""), str(parse.tag.number or ""), str(parse.tag.gender or ""), "tran" in parse.tag), self._by_verb[verb])
                )  # fmt: skip
        out.sort(key=lambda one: one[0].tense == "futr")
        return tuple(out[:1])

    def find(self, sentence: Sentence, scene: Scene) -> Iterator[Found]:
        """What the verbs of a sentence tell."""
        stems = self._stems or self.stems()
        if stems.isdisjoint(sentence.stems):
            return
        low = sentence.low
        for n, (_, start, end) in enumerate(sentence.tokens):
            word = low[start:end]
            if word[:STEM] not in stems:
                continue
            for verb, frames in self.of(word):
                clause = sentence.clause_at(start)
                before = [
                    t for t in sentence.tokens[max(0, n - _REACH) : n] if t[1] >= clause.start
                ]
                near = [low[a:b] for _, a, b in before]
                told = [
                    (one, mode)
                    for one in frames
                    if (one.needs is None or one.needs(sentence))
                    and (clause.blocked is None or clause.blocked in one.ignores)
                    and (mode := _mode(one, verb, near, sentence)) is not None
                ]
                if not told or NO_CLAIM.search(low[max(0, start - 60) : start]):
                    continue
                for one, mode in told:
                    yield from _told(one, mode, verb, n, before, sentence, scene)


@dataclass(frozen=True)
class _Verb:
    pos: str
    tense: str
    lasting: bool
    person: str
    number: str
    gender: str
    takes_object: bool


@lru_cache(maxsize=2048)
def _infinitives(verb: str) -> tuple[Any, ...]:
    return tuple(p for p in parses(verb) if p.tag.POS == "INFN")


def _told(
    one: Frame,
    mode: Mode,
    verb: _Verb,
    n: int,
    before: list[Token],
    sentence: Sentence,
    scene: Scene,
) -> Iterator[Found]:
    _, begin, end = sentence.tokens[n]
    clause = sentence.clause_at(begin)
    who = {"1per": Who.first, "2per": Who.second, "3per": Who.third}.get(verb.person, Who.open)
    after = [t for t in sentence.tokens[n + 1 : n + 1 + _REACH] if t[1] < clause.end]
    pieces: list[Piece] = []
    for place in one.slots:
        pieces = _read(place, sentence, scene, before, after, begin, clause.end)
        if pieces:
            break
    if not one.slots:
        pieces = [(one.value, begin, begin)]
    if not pieces:
        return
    subject: SubjectRef | None = None
    if one.undergone:
        if who in (Who.first, Who.second):
            return
        found, is_told = _sufferer(sentence, scene, clause.start, clause.end, pieces)
        if not is_told or (one.named and found is None):
            return
        subject = found or SubjectRef(name=scene.speaker, is_speaker=True)
        who = Who.open
    elif who in (Who.third, Who.open) and _is_anothers(
        one, verb, before, after, pieces, sentence, scene
    ):
        return
    dated = mode not in (Mode.state, Mode.timeless) if one.dated is None else one.dated
    for value, a, b in pieces:
        yield Found(
            one.predicate, value, min(begin, a), max(end, b), mode, who, subject, verb=begin,
            confidence=one.confidence, dated=dated, ignores=one.ignores,
        )  # fmt: skip


def _mode(one: Frame, verb: _Verb, near: list[str], sentence: Sentence) -> Mode | None:
    last = near[-2:]
    if "не" in last or "ни" in last[-1:]:
        if verb.tense == "pres" and ("больше" in near or "уже" in near):
            return Mode.end if one.present is Mode.state else None
        return one.negated if verb.tense == "pres" or one.undergone else None
    if verb.pos == "INFN" and one.negated is not None and _CANNOT.search(sentence.low):
        return one.negated
    if verb.pos == "INFN":
        leading = {str(p.normal_form) for w in near[-3:] for p in parses(w)[:1]}
        if leading & _STOPS:
            return Mode.end if one.present is Mode.state else None
        return Mode.change if leading & _BEGINS and one.present is Mode.state else None
    if verb.tense == "pres":
        return one.present
    if verb.tense == "futr":
        return one.future
    if verb.lasting and verb.pos != "PRTS":
        if one.past is Mode.past or (one.present is Mode.state and _ONCE.search(sentence.low)):
            return Mode.past
        return one.past if one.undergone else None
    return one.past


def _read(
    place: Slot,
    sentence: Sentence,
    scene: Scene,
    before: list[Token],
    after: list[Token],
    begin: int,
    stop: int,
) -> list[Piece]:
    """The values of a slot: after the verb, else before it."""
    if place.preps:
        for token in (*after, *reversed(before)):
            if token[0].lower().replace("ё", "е") in place.preps:
                found = list(place.take(sentence, scene, _past_space(sentence, token[2]), stop))
                if found:
                    return found
        return []
    at = 0
    while at < len(after):
        found = list(place.take(sentence, scene, after[at][1], stop))
        if found:
            return found
        passed = _passed(after, at, sentence)
        if passed == at:
            break
        at = passed
    for first in range(len(before)):
        found = list(place.take(sentence, scene, before[first][1], begin))
        if found and all(is_light(word) for word, start, _ in before if start >= found[-1][2]):
            return found
    return []


def _past_space(sentence: Sentence, at: int) -> int:
    while at < len(sentence.text) and sentence.text[at] == " ":
        at += 1
    return at


@lru_cache(maxsize=16_384)
def is_light(word: str) -> bool:
    """Whether a word may stand between a verb and its object and changes nothing."""
    low = word.lower().replace("ё", "е")
    if low in _LIGHT:
        return True
    tag = parses(low)[0].tag if is_russian(low) else None
    return tag is not None and str(tag.POS) in _PASSED_OVER


@lru_cache(maxsize=16_384)
def is_period(word: str) -> bool:
    """Whether a word in any form names a stretch of time."""
    return is_russian(word) and str(parses(word)[0].normal_form) in _PERIODS


def _passed(tokens: list[Token], at: int, sentence: Sentence) -> int:
    """The index after what may stand between a verb and its object: adverbs, times, people in
    other cases, phrases with a preposition. `at` itself where nothing may be passed."""
    word, _, end = tokens[at]
    if is_light(word) or (is_russian(word) and parses(word)[0].normal_form == "мочь"):
        return at + 1
    if is_period(word) or (at + 1 < len(tokens) and is_period(tokens[at + 1][0])):
        return at + 1
    if relative_kind(word) is not None:
        return at + 1
    if is_russian(word) and reading(word, "PREP") is not None:
        phrase = russian_phrase(sentence.text, end, ("gent", "datv", "accs", "ablt", "loct", "loc2"), 2, frozenset())  # fmt: skip
        stop = phrase[2] if phrase is not None else end
        while at < len(tokens) and tokens[at][1] < stop:
            at += 1
        return at if phrase is not None else at + 1
    if word.isdigit():
        return at + 1
    return at


def _sufferer(
    sentence: Sentence, scene: Scene, start: int, stop: int, pieces: list[Piece]
) -> tuple[SubjectRef | None, bool]:
    """Whom an oblique case names in a clause; the flag is false where nobody can be told."""
    for person in persons(sentence, scene):
        if not start <= person.start < stop or any(a <= person.start < b for _, a, b in pieces):
            continue
        ahead = sentence.low[: person.start].rstrip().rpartition(" ")[2]
        if person.cases & {"datv", "gent", "accs"} and not (
            "nomn" in person.cases and not person.first and person.start != start and ahead != "у"
        ):
            if reading(ahead, "PREP") is not None and ahead != "у":
                continue
            if person.pronoun:
                known = scene.people.last_relative()
                return known, known is not None
            return person.ref, person.ref is not None
    for word, a, _ in sentence.tokens:
        if start <= a < stop and not any(x <= a < y for _, x, y in pieces) and _is_somebody(word):
            return None, False
    return None, True


@lru_cache(maxsize=16_384)
def _is_somebody(word: str) -> bool:
    """Whether a word names a person, whoever it be, to whom something happens."""
    best = parses(word)[0] if is_russian(word) else None
    return (
        best is not None
        and best.tag.POS == "NOUN"
        and "anim" in best.tag
        and best.tag.case == "datv"
    )


def _is_anothers(
    one: Frame,
    verb: _Verb,
    before: list[Token],
    after: list[Token],
    pieces: list[Piece],
    sentence: Sentence,
    scene: Scene,
) -> bool:
    """Whether a thing or an unknown somebody is the subject ("завод переехал в Тулу")."""
    people = [p for p in persons(sentence, scene) if "nomn" in p.cases]
    for word, start, end in (*before, *after[:2]):
        if any(p.start <= start < p.end for p in people):
            return False
        if any(a <= start < b for _, a, b in pieces) or not is_russian(word):
            continue
        if pet_kind_ru(word) is not None and end <= (pieces[0][1] if pieces else end):
            return True
        parse = parses(word)[0]
        moves = one.predicate in ("location", "employer")
        if (
            verb.takes_object
            and not moves
            and "inan" in parse.tag
            and reading(word, "NOUN", cases=("accs",))
        ):
            continue
        if parse.tag.POS != "NOUN" or parse.tag.case != "nomn" or is_period(word):
            continue
        agrees = str(parse.tag.number) == verb.number and (
            not verb.gender or verb.number == "plur" or str(parse.tag.gender) == verb.gender
        )
        if agrees and end <= sentence.clause_at(start).end:
            return True
    return False
