"""A small bottom-up chart parser: rules over patterns and over the nodes already found.

A rule is a sequence of items. A string is a pattern on the lower-cased text, whole words only;
a `Kind` is a node. Spaces between items do not count. Rules run until nothing new is found.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from memory_pipeline.understand.dates.firsts import first_chars
from memory_pipeline.understand.dates.values import Tense
from memory_pipeline.understand.gated import Gated, Gates

_SPACES = frozenset(" \t\n\u00a0")
_WORD_START = re.compile(r"(?<!\w)\S")
_MAX_ROUNDS = 6
_MAX_NODES = 600


@dataclass(frozen=True, slots=True)
class Kind:
    """An item of a rule: a node of this kind."""

    name: str


@dataclass(frozen=True, slots=True)
class Node:
    """A piece [start, end) of the text with its meaning."""

    start: int
    end: int
    kind: str
    value: Any


@dataclass(slots=True)
class Context:
    """What a rule may look at besides its own pieces."""

    text: str
    raw: str
    reference: datetime
    nodes: list[Node] = field(default_factory=list)

    @property
    def today(self) -> date:
        """The reference's day in its own zone."""
        return self.reference.date()


Item = re.Pattern[str] | Kind
Build = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Rule:
    """`build` gets the context and one argument an item (a match or a node's value) and gives the
    new node's value, or None when the rule does not apply. `wanted` are the kinds it needs,
    `chars` those with which its first pattern can begin (null = any)."""

    kind: str
    items: tuple[Item, ...]
    build: Build
    wanted: frozenset[str]
    chars: frozenset[str] | None


@dataclass(slots=True)
class Grammar:
    """The rules of one language: `words` read patterns alone, `rules` also need nodes. A rule that
    begins with a pattern is tried only at the characters with which the pattern can begin."""

    words: list[Rule] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    leaves: list[Callable[[Context], Iterator[Node]]] = field(default_factory=list)
    _gates: tuple[Gates, Gates] | None = None

    def rule(self, kind: str, *items: str | Kind) -> Callable[[Build], Build]:
        """Adds a rule; the decorated function builds its value."""

        def add(build: Build) -> Build:
            made = tuple(_item(i) for i in items)
            wanted = frozenset(i.name for i in made if isinstance(i, Kind))
            first = items[0]
            chars = first_chars(first) if isinstance(first, str) and first[0] != "~" else None
            rule = Rule(kind, made, build, wanted, chars)
            (self.rules if wanted else self.words).append(rule)
            self._gates = None
            return build

        return add

    def leaf(self, find: Callable[[Context], Iterator[Node]]) -> None:
        """Adds a finder of first nodes, such as numbers in words."""
        self.leaves.append(find)

    def fitting(self, text: str) -> tuple[list[Rule], list[Rule]]:
        """Those of `words` and of `rules`, in order, whose patterns the text may all match."""
        if self._gates is None:
            self._gates = (_gates_of(self.words), _gates_of(self.rules))
        words, rules = (gates.passed(text) for gates in self._gates)
        return [self.words[n] for n in words], [self.rules[n] for n in rules]


def _gates_of(rules: Iterable[Rule]) -> Gates:
    return Gates(
        [Gated(item.pattern) for item in rule.items if isinstance(item, re.Pattern)]
        for rule in rules
    )


@dataclass(frozen=True, slots=True)
class Mention:
    """A finished reading with what surrounds it said. `state`: with a present verb it tells of a
    state that goes on, so its start is past. `announced`: "starting March 3" looks ahead even after
    a past verb, where the date is near."""

    form: str
    first: Any = None
    second: Any = None
    inclusive: bool = False
    tense: Tense | None = None
    state: bool = False
    announced: bool = False


def _item(item: str | Kind) -> Item:
    if isinstance(item, Kind):
        return item
    return re.compile(r"(?<![\w])(?:" + item + r")(?![\w])" if item[:1] != "~" else item[1:])


def parse(grammar: Grammar, context: Context) -> list[Node]:
    """All nodes that the grammar finds in the text."""
    chart: dict[tuple[str, int], list[Node]] = defaultdict(list)
    by_kind: dict[str, list[Node]] = defaultdict(list)
    seen: set[tuple[int, int, str, Any]] = set()
    fresh: list[Node] = []
    starts: dict[int, list[tuple[int, int, Any]]] = {}

    def put(node: Node) -> None:
        key = (node.start, node.end, node.kind, node.value)
        if key not in seen and len(seen) < _MAX_NODES:
            seen.add(key)
            fresh.append(node)

    def apply(rule: Rule, begin: Iterable[tuple[int, int, Any]]) -> None:
        for at, end, value in begin:
            for args, stop in _match(rule.items, end, value, text, chart):
                built = rule.build(context, *args)
                if built is not None:
                    put(Node(at, stop, rule.kind, built))

    text = context.text
    words, rules = grammar.fitting(text)
    places = _word_starts(text)
    for find in grammar.leaves:
        for node in find(context):
            put(node)
    for rule in words:
        if begin := _starts(rule, text, places):
            apply(rule, begin)
    for _ in range(_MAX_ROUNDS):
        if not fresh:
            break
        for node in fresh:
            chart[node.kind, node.start].append(node)
            by_kind[node.kind].append(node)
        context.nodes.extend(fresh)
        kinds_new = {node.kind for node in fresh}
        fresh = []
        for number, rule in enumerate(rules):
            if rule.wanted.isdisjoint(kinds_new) or not rule.wanted <= by_kind.keys():
                continue
            first = rule.items[0]
            if isinstance(first, Kind):
                apply(rule, [(n.start, n.end, n.value) for n in by_kind[first.name]])
                continue
            if number not in starts:
                starts[number] = [
                    (at, _past_spaces(text, end), value)
                    for at, end, value in _starts(rule, text, places)
                ]
            second = rule.items[1]
            begin = starts[number]
            if isinstance(second, Kind):
                # a pattern that may be empty matches everywhere
                begin = [way for way in begin if (second.name, way[1]) in chart]
            apply(rule, begin)
    context.nodes.extend(fresh)
    return context.nodes


def _word_starts(text: str) -> dict[str, list[int]]:
    """The places where a word can begin, by the character that stands there."""
    places: dict[str, list[int]] = {}
    for match in _WORD_START.finditer(text):
        places.setdefault(match.group(), []).append(match.start())
    return places


def _starts(rule: Rule, text: str, places: dict[str, list[int]]) -> list[tuple[int, int, Any]]:
    item = rule.items[0]
    if isinstance(item, Kind):
        return []
    if rule.chars is None:
        return [(m.start(), m.end(), m) for m in item.finditer(text)]
    if rule.chars.isdisjoint(places):
        return []
    found = []
    for char in rule.chars & places.keys():
        for at in places[char]:
            match = item.match(text, at)
            if match is not None:
                found.append((at, match.end(), match))
    return found


def _match(
    items: tuple[Item, ...],
    end: int,
    value: Any,
    text: str,
    chart: dict[tuple[str, int], list[Node]],
) -> Sequence[tuple[tuple[Any, ...], int]]:
    """The ways to go on after a rule's first item, which ends at `end`: arguments and end of each."""
    ways: list[tuple[tuple[Any, ...], int]] = [((value,), end)]
    for item in items[1:]:
        longer: list[tuple[tuple[Any, ...], int]] = []
        for args, stop in ways:
            at = _past_spaces(text, stop)
            if isinstance(item, Kind):
                longer.extend(
                    ((*args, node.value), node.end) for node in chart.get((item.name, at), ())
                )
            elif (found := item.match(text, at)) is not None:
                longer.append(((*args, found), found.end()))
        if not longer:
            return ()
        ways = longer
    return ways


def _past_spaces(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACES:
        at += 1
    return at
