"""Expressions that are searched for only in texts that hold a word which every match needs.

What is needed is read off the expression itself, so that the two cannot drift apart: each match
holds one of a set of *cues*. A cue is a whole word, or two to four characters of a word, where `^`
and `$` stand for its beginning and end, or a sign like `/`, or any digit. A text that has none of
an expression's cues cannot match it, and most sentences state nothing.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

_WORD = re.compile(r"\w+")
_SEPARATOR = re.compile(r"(\W)")
_PLAIN = re.compile(r"[0-9A-Z_a-zЁА-яё]")
_EDGE = "\0"
_GAP = " "
_DIGIT = "0-9"
_WHOLE = re.compile(r"\\[1-9]|\(\?[aiLmsux(]|\(\?P=")
"""Flags and references to groups: an expression with one is not cut into its branches."""
_COMMON_SIGNS = ".,'’-"
_LONGEST = 4
_SHORTEST = 2
_MOST_STRINGS = 160
_FOLDED_APART = re.compile("[İıſᲀ-ᲈ]")
"""Letters that match an ASCII or Cyrillic one in another case, and are not lowered to it."""

_Cues = frozenset[str]
_KNOWN: set[str] = set()
"""The cues of all expressions: no other is looked for in a text."""
_READ: dict[tuple[str, int], _Cues | None] = {}
"""What every expression that was read needs."""


class Gated:
    """A regular expression with the cues of which a text must have one, or None.

    Read when it is first asked for, and compiled when a text first passes the gate: most
    expressions meet none.
    """

    __slots__ = ("_compiled", "_cues", "_is_read", "flags", "pattern")

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None
        self._cues: _Cues | None = None
        self._is_read = False

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        cues = self._cues if self._is_read else self.cues
        if cues is not None:
            found = cues_in(text)
            if found is not None and cues.isdisjoint(found):
                return None
        return (self._compiled or self.expression).search(text, start)

    def finditer(self, text: str, start: int = 0) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        if not self.may_match(text):
            return iter(())
        return (self._compiled or self.expression).finditer(text, start)

    def may_match(self, text: str) -> bool:
        """Whether the text has what every match needs."""
        cues = self._cues if self._is_read else self.cues
        if cues is None:
            return True
        found = cues_in(text)
        return found is None or not cues.isdisjoint(found)

    @property
    def cues(self) -> frozenset[str] | None:
        """The cues of which each match has one, or None where there are none such."""
        if not self._is_read:
            self._cues = _cues_of(self.pattern, self.flags)
            _look_for(self._cues or ())
            self._is_read = True
        return self._cues

    @property
    def expression(self) -> re.Pattern[str]:
        """The compiled expression."""
        if self._compiled is None:
            self._compiled = re.compile(self.pattern, self.flags)
        return self._compiled


class Gates:
    """Many things that each need several expressions: which of them a text may have.

    Looked up by the cues that the text has, so that the cost grows with the text and not with
    their number.
    """

    __slots__ = ("_always", "_by_cue", "_cues", "_needs")

    def __init__(self, things: Iterable[Iterable[Gated]]) -> None:
        self._needs: list[tuple[_Cues, ...]] = []
        self._by_cue: dict[str, list[int]] = {}
        self._always: list[int] = []
        for n, expressions in enumerate(things):
            needs = [cues for expression in expressions if (cues := expression.cues) is not None]
            rarest = _best(needs)
            self._needs.append(tuple(cues for cues in needs if cues is not rarest))
            if rarest is None:
                self._always.append(n)
            for cue in rarest or ():
                self._by_cue.setdefault(cue, []).append(n)
        self._cues = frozenset(self._by_cue)

    def passed(self, text: str) -> list[int]:
        """The numbers, in order, of those whose expressions may all match in the text."""
        found = cues_in(text)
        if found is None:
            return list(range(len(self._needs)))
        if not self._always and self._cues.isdisjoint(found):
            return []
        may = set(self._always)
        for cue in self._cues & found:
            may.update(self._by_cue[cue])
        needs = self._needs
        return [n for n in sorted(may) if not any(map(found.isdisjoint, needs[n]))]


class AnyOf:
    """An alternation that is only asked whether it matches: of its branches, those are searched
    for whose cues a text has."""

    __slots__ = ("_branches", "_compiled", "_cues", "_rest", "pattern")

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._branches: dict[str, list[str]] = {}
        self._compiled: dict[str, re.Pattern[str]] = {}
        rest: list[str] = []
        for branch in [pattern] if _WHOLE.search(pattern) else _branches(pattern):
            cues = _cues_of(branch)
            for cue in cues or ():
                self._branches.setdefault(cue, []).append(branch)
            if cues is None:
                rest.append(branch)
        self._rest = re.compile("|".join(rest)) if rest else None
        self._cues = frozenset(self._branches)
        _look_for(self._cues)

    def is_in(self, text: str) -> bool:
        """Whether the expression matches somewhere in the text."""
        found = cues_in(text)
        if found is None:
            return re.search(self.pattern, text) is not None
        if self._rest is not None and self._rest.search(text):
            return True
        if self._cues.isdisjoint(found):
            return False
        for cue in self._cues & found:
            expression = self._compiled.get(cue)
            if expression is None:
                expression = self._compiled[cue] = re.compile("|".join(self._branches[cue]))
            if expression.search(text):
                return True
        return False


def _branches(pattern: str) -> list[str]:
    """The alternatives of an expression: what stands between its outermost bars."""
    cuts = [-1]
    depth = 0
    for found in re.finditer(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", pattern, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if found[0] == "|" and depth == 0:
            cuts.append(found.start())
    cuts.append(len(pattern))
    return [pattern[a + 1 : b] for a, b in pairwise(cuts)]


def _look_for(cues: Collection[str]) -> None:
    if _KNOWN.issuperset(cues):
        return
    _KNOWN.update(cues)
    for cached in (cues_in, _cues_in_low, _cues_in_word):
        cached.cache_clear()


@lru_cache(maxsize=4096)
def cues_in(text: str) -> _Cues | None:
    """The known cues that a text has, or None where it may match any expression."""
    return None if _FOLDED_APART.search(text) else _cues_in_low(text.lower())


@lru_cache(maxsize=4096)
def _cues_in_low(low: str) -> _Cues:
    found = _KNOWN.intersection(low)
    for word in _WORD.findall(low):
        found |= _cues_in_word(word)
    return frozenset(found)


@lru_cache(maxsize=16_384)
def _cues_in_word(word: str) -> _Cues:
    marked = f"^{word}$"
    pieces = [
        marked[at : at + size]
        for size in range(_SHORTEST, _LONGEST + 1)
        for at in range(len(marked) - size + 1)
    ]
    if any(c.isdecimal() for c in word):
        pieces.append(_DIGIT)
    return frozenset(_KNOWN.intersection([marked, *pieces]))


_A_WORD_CHARACTER = (
    [(op.IN, [(op.CATEGORY, op.CATEGORY_WORD)])],
    [(op.CATEGORY, op.CATEGORY_WORD)],
)


class _Part(NamedTuple):
    """What a part of an expression matches: `strings`, if they are few (of word characters,
    signs, edges of words and gaps between them), and cues of which each match has one."""

    strings: frozenset[str] | None
    cues: _Cues | None


_ANYTHING = _Part(None, None)


def _cues_of(pattern: str, flags: int = 0) -> _Cues | None:
    """The cues of which each match of an expression has one, or None. Raises `re.error`."""
    key = (pattern, int(flags))
    if key not in _READ:
        _READ[key] = _cues_of_parsed(parser.parse(pattern, flags))
    return _READ[key]


def expressions_read() -> dict[tuple[str, int], frozenset[str] | None]:
    """What this process has read: to read an expression takes longer than to be told its cues."""
    return _READ.copy()


def take_as_read(known: Mapping[tuple[str, int], frozenset[str] | None]) -> None:
    """Spares this process what another one of the same program has read."""
    _READ.update(known)


def _cues_of_parsed(parsed: Iterable[tuple[Any, Any]]) -> _Cues | None:
    part = _sequence(parsed)
    return part.cues if part.strings is None else _needed(part.strings)


def _sequence(items: Iterable[tuple[Any, Any]]) -> _Part:
    run = frozenset({""})
    is_whole = True
    candidates: list[_Cues | None] = []
    for is_literal, group in groupby(items, lambda item: item[0] is op.LITERAL):
        for part in [_literals(group)] if is_literal else [_part(*item) for item in group]:
            if part.strings is not None and len(run) * len(part.strings) <= _MOST_STRINGS:
                run = frozenset(a + b for a in run for b in part.strings)
                continue
            is_whole = False
            candidates += [part.cues, _needed(run)]
            run = part.strings or frozenset({""})
    if is_whole:
        return _Part(run, None)
    return _Part(None, _best([*candidates, _needed(run)]))


def _literals(items: Iterable[tuple[Any, Any]]) -> _Part:
    characters = [_character(chr(value)) for _, value in items]
    if None in characters:
        return _ANYTHING
    return _Part(frozenset({"".join(c for c in characters if c is not None)}), None)


@lru_cache(maxsize=16_384)
def _character(character: str) -> str | None:
    """A character as the cues know it, or None where it may match what they do not."""
    if not _WORD.match(character):
        is_sign = not character.isspace() and character not in (_EDGE, _GAP)
        return character if is_sign and character.swapcase() == character else _GAP
    return character.lower() if _PLAIN.match(character) else None


def _part(kind: Any, value: Any) -> _Part:
    if kind is op.IN:
        return _class(value)
    if kind is op.AT:
        is_edge = value in (
            op.AT_BOUNDARY, op.AT_BEGINNING, op.AT_BEGINNING_STRING, op.AT_END, op.AT_END_STRING
        )  # fmt: skip
        return _Part(frozenset({_EDGE}), None) if is_edge else _ANYTHING
    if kind is op.SUBPATTERN:
        return _sequence(value[-1])
    if kind is op.BRANCH:
        return _either([_sequence(branch) for branch in value[1]])
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        return _repeated(*value)
    if kind is op.ASSERT_NOT and value[1].data in _A_WORD_CHARACTER:
        return _Part(frozenset({_EDGE}), None)
    if kind is op.ASSERT:
        return _Part(None, _cues_of_parsed(value[1]))
    return _ANYTHING


def _class(members: Sequence[tuple[Any, Any]]) -> _Part:
    if members == [(op.CATEGORY, op.CATEGORY_DIGIT)]:
        return _Part(None, frozenset({_DIGIT}))
    strings: set[str] = set()
    for kind, value in members:
        character = None
        if kind is op.LITERAL:
            character = _character(chr(value))
        elif kind is op.CATEGORY and value in (op.CATEGORY_SPACE, op.CATEGORY_NOT_WORD):
            character = _GAP
        if character is None:
            return _ANYTHING
        strings.add(character)
    return _Part(frozenset(strings), None)


def _either(parts: Sequence[_Part]) -> _Part:
    strings: set[str] = set()
    for part in parts:
        strings.update(part.strings or ())
    if len(strings) <= _MOST_STRINGS and all(part.strings is not None for part in parts):
        return _Part(frozenset(strings), None)
    needs = [part.cues if part.strings is None else _needed(part.strings) for part in parts]
    return _Part(None, None if None in needs else frozenset().union(*(n or () for n in needs)))


def _repeated(least: int, most: int, items: Iterable[tuple[Any, Any]]) -> _Part:
    part = _sequence(items)
    if part.strings is not None and (most == 1 or part.strings == {_GAP}):
        return _Part(part.strings if least else part.strings | {""}, None)
    if least == 0:
        return _ANYTHING
    return _Part(None, part.cues if part.strings is None else _needed(part.strings))


def _needed(strings: Iterable[str]) -> _Cues | None:
    """One cue of each string, or None where one of them has none."""
    cues: set[str] = set()
    for string in strings:
        cue = _cue_of(string)
        if cue is None:
            return None
        cues.add(cue)
    return frozenset(cues)


@lru_cache(maxsize=16_384)
def _cue_of(string: str) -> str | None:
    """The most telling cue of a string: a whole word, else the piece with the most letters."""
    found: list[str] = []
    pieces = _SEPARATOR.split(string)
    for n, piece in enumerate(pieces):
        if n % 2 or not piece:
            found.append(piece)
            continue
        begins, ends = n > 0, n < len(pieces) - 1
        marked = "^" * begins + piece + "$" * ends
        is_cue = (begins and ends) or len(marked) <= _LONGEST
        found.append(marked if is_cue else piece[:_LONGEST])
    best = max(found, key=_telling)
    return best if _telling(best) else None


@lru_cache(maxsize=16_384)
def _telling(cue: str) -> float:
    """The more letters the rarer; an edge counts half, and one letter alone tells nothing."""
    if len(cue) < _SHORTEST:
        is_sign = cue not in ("", _EDGE, _GAP) and not _WORD.match(cue)
        return is_sign * (0.5 if cue in _COMMON_SIGNS else 1.0)
    if cue == _DIGIT:
        return 1.0
    return len(cue) - (cue[0] == "^") / 2 - (cue[-1] == "$") / 2


def _best(candidates: Iterable[_Cues | None]) -> _Cues | None:
    usable = [cues for cues in candidates if cues]
    return max(usable, key=lambda cues: (min(map(_telling, cues)), -len(cues)), default=None)
