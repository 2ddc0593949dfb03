"""Frames of English clauses: who does it, in which form, and noun phrases of any words.

A verb class is written once; `told` and `being` put it into the first person, into the clipped
form that begins a chat message, into a second verb of the same subject, and into the third person.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from memory_pipeline.understand.extraction.constructions.engine import (
    Construction,
    Piece,
    Take,
    _apply,
    construction,
)
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.persons_en import persons_en
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated, Gates

ADV = (
    r"(?:(?:(?!(?:hard|bare|rare|near|scarce|supposed|alleged|possib|probab|fami|on)ly\b)[a-z]{2,}ly|now|still|also|just|always|often|back|again|"
    r"already|both|all|even|so|very|quite|pretty|too|well|once|since|kind of|sort of|a bit|a little|these days|at last|at present|at the moment|right now|only)\s+)*"
)
_OPENING = (
    r"(?:and|but|so|well|ok|okay|oh|yeah|yes|yep|(?:no|nope|nah)(?=[,.!])|btw|fyi|update|news|honestly|also|hey|hi|hello|anyway|right|ah|um|uh|plus|tbh|lol|ps|sorry|"
    r"actually|personally|basically|luckily|sadly|finally|just|currently|nowadays|these days|at the moment|right now|for now|good news|big news|guess what|"
    r"long story short|quick intro|quick update|(?:last|this|next) \w+|(?:as of|from|since|in|on|after) [\w ]{2,25}?,)"
)
LEAD = rf"^(?:{_OPENING}[,:!.—-]*\s+){{0,3}}"
"""Where a clause without a subject begins: what it says is the speaker's."""
_GAP = r"(?:\s+|(?<=\s))"
_I = r"\b(?:i|we|my (?:husband|wife|partner|family|girlfriend|boyfriend|fianc[eé]+|folks|parents|mum|mom|dad|mother|father|sister|brother|son|daughter|kids|flatmate|room-?mate|housemate|best friend|mate|friend|cousin) and i|both of us|me and [a-z' ]{2,20}?)"
_SAME = r"(?:(?!\b(?:he|she|they|who|my|his|her|you|if|would|to|not|never)\b)[^.!?;\n]){2,80}?"
_ENUMERATED = frozenset(
    {"location", "allergy", "medical_condition", "diet", "employer", "medication"}
)
"""What one tells of oneself in a row ("I'm 34, allergic to nuts, based in Leeds")."""
_I_AM = r"(?:and |but |so |hi,? )?(?:i'm|i am|im|i've been|we're|i live|i work|we live)\b"
_BE_FIRST = r"\b(?:i'm|i am|im|i've been|i have been|ive been|we're|we are|we've been|we have been)"
_BE_THIRD = r"(?:'s been|'s|\bis|\bhas been|\bhave been|\bare)"


_ENDS = ("", "s", "e", "es", "ed", "ing", *(f"{c}ing" for c in "bdgmnpt"))
"""What may follow the first letters of a verb."""


_OF_ALL = (
    "have got get has with for at in on just been always really still both also not never like "
    "want make take do did does the this that good more most all so it to from about into up "
    "down out off now very had was is am are be can will as by an a my our i we ve m re s went "
    "gone go only too one way time back again over than then them him her you your their there "
    "here no yes know read work works "
)
_COMMON = frozenset(_OF_ALL.split())
"""Words that most sentences have: a class that needs one names its rarer words itself."""


def keys_of(pattern: str) -> str:
    """The beginnings of the words of which every match of a pattern has one, as keys."""
    cues = Gated(pattern).cues or frozenset()
    words = []
    for cue in sorted(cues):
        word = cue.strip("^$")
        if word.isalpha() and word not in _COMMON:
            words.extend(
                [word] if len(word) > 3 or cue[0] == "^" else [word + end for end in _ENDS]
            )
    return " ".join(words)


class Core:
    """The words that every frame of a verb class needs, looked for once in a sentence."""

    __slots__ = ("_has", "_text", "gate")

    def __init__(self, pattern: str) -> None:
        self.gate = Gated(pattern)
        self._text = ""
        self._has = False

    def is_in(self, low: str) -> bool:
        """Whether a lower-cased sentence has them."""
        if low is not self._text:
            self._has = self.gate.search(low) is not None
            self._text = low
        return self._has


class Framed(Gated):
    """An expression that is tried only where its core stands: frames begin with words that most
    sentences have."""

    __slots__ = ("_core",)

    def __init__(self, pattern: str, core: Core) -> None:
        super().__init__(pattern)
        self._core = core

    @property
    def expression(self) -> re.Pattern[str]:
        """The expression, as far as the engine asks of it."""
        return cast("re.Pattern[str]", self)

    @property
    def core_gate(self) -> Gated:
        """What the core needs."""
        return self._core.gate

    def has_core(self, low: str) -> bool:
        """Whether a lower-cased sentence has the core."""
        return self._core.is_in(low)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        if not self._core.is_in(text):
            return iter(())
        return super().expression.finditer(text, start)


def framed(made: Construction, core: Core) -> Construction:
    """A construction behind its core."""
    return replace(made, pattern=Framed(made.pattern.pattern, core))


class Clauses:
    """Constructions looked up by all that each of them needs: its own words, its core's, and its
    keys."""

    def __init__(self, entries: Sequence[Construction]) -> None:
        self._entries = tuple((entry, _keyed(entry)) for entry in entries)
        self.gates = Gates(tuple(_needs(*keyed)) for keyed in self._entries)

    def find(self, sentence: Sentence, scene: Scene) -> Iterator[Found]:
        """What the constructions find in a sentence, in their order."""
        taken: list[tuple[str, int, int]] = []
        for n in self.gates.passed(sentence.low):
            entry, keyed = self._entries[n]
            # its gate is open
            if keyed.expression.search(sentence.low) is None:
                continue
            if isinstance(entry.pattern, Framed) and not entry.pattern.has_core(sentence.low):
                continue
            for found, a, b in _apply(entry, sentence, scene):
                if any(p == found.predicate and x < b and a < y for p, x, y in taken):
                    continue
                taken.append((found.predicate, a, max(b, a + 1)))
                yield found


def _keyed(entry: Construction) -> Gated:
    return Gated(rf"\b(?:{'|'.join(sorted(entry.keys))})")


def _needs(entry: Construction, keyed: Gated) -> Iterator[Gated]:
    yield entry.pattern
    yield keyed
    if isinstance(entry.pattern, Framed):
        yield entry.pattern.core_gate


def frame(
    predicate: str,
    keys: str,
    pattern: str,
    take: Take,
    mode: Mode = Mode.state,
    who: Who | None = None,
    *,
    core: str | None = None,
    **options: Any,
) -> Construction:
    """A construction whose keys may be contractions ("don't" is looked up as "don"). `core`: what
    the sentence must have besides."""
    plain = re.sub(r"'\w*", "", keys)
    made = construction(predicate, plain, pattern, take, mode, who, **options)
    return made if core is None else framed(made, Core(core))


def by_person(take: Take, longest: int = 8) -> Take:
    """What `take` reads, where somebody other than the speaker is the clause's subject: named,
    a relative or a pronoun, at most `longest` words before the slot."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        found = tuple(take(sentence, scene, start, stop))
        if not found:
            return
        clause = sentence.clause_at(max(0, start - 1))
        before = [
            p
            for p in persons_en(sentence, scene)
            if "nomn" in p.cases and clause.start <= p.start and p.end <= start
        ]
        if not before or before[-1].first:
            return
        if len(sentence.low[before[-1].end : start].split()) <= longest:
            yield from found

    return taking


def by_owner(take: Take, longest: int = 5) -> Take:
    """What `take` reads, where a possessive names whose it is ("my husband's employer is"): the
    finding is that person's."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        owners = [
            p for p in persons_en(sentence, scene)
            if p.end <= start and not p.first and p.ref is not None
        ]  # fmt: skip
        if owners and len(sentence.low[owners[-1].end : start].split()) <= longest:
            yield from take(sentence, scene, start, stop)

    return taking


def told(
    predicate: str,
    keys: str,
    verbs: str,
    take: Take,
    mode: Mode = Mode.state,
    *,
    third: str | None = "",
    clipped: str | None = "",
    joined: bool = True,
    confidence: float = 0.72,
    dated: bool | None = None,
    negatable: bool = True,
    ignores: frozenset[str] = frozenset(),
    core: str | None = None,
) -> list[Construction]:
    """A verb class with its slot after it. `core` is what every sentence of it has, where that is
    rarer than the verbs.

    `verbs` are the forms after "I"; `third` those after "she", `clipped` those that may begin a
    message without a subject: the same ones where empty, none where null.
    """
    options: dict[str, Any] = {
        "confidence": confidence,
        "dated": dated,
        "negatable": negatable,
        "ignores": ignores,
    }
    made = []
    keys = (
        f"{keys} {keys_of(rf'{chr(92)}b(?:{verbs})')} {keys_of(rf'{chr(92)}b(?:{third or verbs})')}"
    )
    bare = verbs if clipped == "" else clipped
    if bare == verbs:
        starts = rf"(?P<first>{_I}(?:'ve|'d| have| had)?\s+|{LEAD}){ADV}(?:{verbs})"
    elif bare:
        starts = rf"(?P<first>{_I}(?:'ve|'d| have| had)?\s+{ADV}(?:{verbs})|{LEAD}{ADV}(?:{bare}))"
    else:
        starts = rf"(?P<first>{_I}(?:'ve|'d| have| had)?\s+){ADV}(?:{verbs})"
    made.append(frame(predicate, keys, rf"{starts}{_GAP}", take, mode, **options))
    if joined:
        again = rf"(?P<first>(?:^|[.;]\s*)(?:and |but |so )?(?:i|we|i've|we've|i'm|we're|left|moved|got|started|bought|quit|sold|joined|finished|been|became|took)\b{_SAME}(?:,\s*(?:and\s+|then\s+|but\s+)?|\s(?:and|then|but)\s+){ADV}(?:{verbs})){_GAP}"
        made.append(frame(predicate, keys, again, take, mode, **options))
    if third is not None:
        made.append(
            frame(
                predicate,
                keys,
                rf"(?P<third>\b(?:{third or verbs})){_GAP}",
                by_person(take),
                mode,
                **options,
            )
        )
    needed = Core(
        core
        or rf"\b(?:{'|'.join(dict.fromkeys(part for part in (verbs, bare, third) if part))})".replace(
            "(?P<o>", "(?:"
        )
    )
    return [framed(one, needed) for one in made]


def being(
    predicate: str,
    keys: str,
    words: str,
    take: Take,
    mode: Mode = Mode.state,
    *,
    clipped: bool = True,
    after: str = r"(?:\s+|(?<=\s))",
    confidence: float = 0.72,
    dated: bool | None = None,
    negatable: bool = True,
    ignores: frozenset[str] = frozenset(),
    core: str | None = None,
) -> list[Construction]:
    """What one is ("I'm into", "she's allergic to", "allergic to"), with the slot after it or
    within it (group `o`)."""
    options: dict[str, Any] = {
        "confidence": confidence,
        "dated": dated,
        "negatable": negatable,
        "ignores": ignores,
    }
    keys = f"{keys} {keys_of(rf'{chr(92)}b(?:{words})')}"
    first = rf"{_BE_FIRST}\s+{ADV}(?:an?\s+)?"
    if clipped:
        first = rf"(?:{first}|{LEAD}(?:been\s+|an?\s+)?{ADV})"
    needed = Core(core or rf"\b(?:{words}){after}".replace("(?P<o>", "(?:"))
    made = [
        frame(predicate, keys, rf"(?P<first>{first})(?:{words}){after}", take, mode, **options),
        frame(
            predicate,
            keys,
            rf"(?P<third>{_BE_THIRD}\s+{ADV}(?:an?\s+)?)(?:{words}){after}",
            by_person(take),
            mode,
            **options,
        ),
    ]
    if clipped and predicate in _ENUMERATED:
        again = rf"(?P<first>(?:^|[.;]\s*){_I_AM}{_SAME}(?:,\s*(?:and\s+|but\s+)?|\s(?:and|but)\s+)(?:been\s+|an?\s+)?{ADV})"
        made.append(frame(predicate, keys, rf"{again}(?:{words}){after}", take, mode, **options))
    return [framed(one, needed) for one in made]


def of_first(
    predicate: str, keys: str, pattern: str, take: Take, mode: Mode = Mode.state, **options: Any
) -> Construction:
    """A frame that itself says that the speaker is meant."""
    return frame(predicate, keys, pattern, take, mode, Who.first, **options)
