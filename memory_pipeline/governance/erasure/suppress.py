"""What was erased and must not be learned again: scopes, and whether a statement lies in one.

A scope is a row of `memory.suppression` with its keys. Of the dimensions `entity` and `name` any
key says who; of `object` and `statement` any says what; of `dialog`, `message` and `file` any says
where; a scope asks for each of these three only where it has keys of it, and for all that it asks.
`value` keys say which words are masked where the erased person takes part, and which tellings are
hers; `name` keys are of names as they are stored and as texts have them (`aliases`).

A `message` key is a message's own, or `told_key` of its text and minute, by which it is known
under other ids, in another format.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from typing import Any
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.batches import current_epoch
from memory_pipeline.bitemporal.keys import N_BYTES, Keys, normal_name
from memory_pipeline.bitemporal.registry import registry_of
from memory_pipeline.bitemporal.statements import Registered
from memory_pipeline.contracts.statement import AtomDraft, ClosureDraft
from memory_pipeline.governance.erasure.aliases import (
    NAME_WORDS,
    first_word_key,
    name_key,
    reads_as_name,
    text_key,
)
from memory_pipeline.governance.erasure.mentions import (
    amount_spans,
    merged,
    name_spans,
    normal_spans,
    normals_of,
    words_of,
)
from memory_pipeline.understand.registry import normalise_object

WHO = ("entity", "name")
WHAT = ("object", "statement")
WHERE = ("dialog", "message", "file")
VALUE_WORDS = 4
"""Erased values of more words are recognised by their evidence alone."""

Draft = AtomDraft | ClosureDraft
Span = tuple[int, int]


def told_key(text_hash: bytes, told_at: datetime | None) -> bytes:
    """What a message is known by whatever its ids: the keyed hash of its text as first read, and
    the minute in which it was told (the finest that every format states). In SQL:
    `substr(sha256(text_hash || int8send(coalesce(floor(extract(epoch from told_at) / 60), -1)::bigint)), 1, 16)`.
    """
    minute = -1 if told_at is None else int(told_at.astimezone(UTC).timestamp() // 60)
    return hashlib.sha256(text_hash + minute.to_bytes(8, "big", signed=True)).digest()[:N_BYTES]


def value_key(keys: Keys, tenant_id: int, normal: str) -> bytes:
    """The key of an erased value's dictionary form, as `mentions.normal_value` gives it."""
    return keys.of("suppressed value", tenant_id, normal)


@dataclass(frozen=True)
class Place:
    """Where a message stands: its dialog's key, its own keys and its file's."""

    keys: frozenset[bytes]
    told_at: datetime | None


@dataclass
class Circle:
    """The people of a dialog: everybody's keys, and each speaker's by the label it bears."""

    dialog_key: bytes
    everybody: set[bytes] = field(default_factory=set)
    speakers: dict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    taken_for: dict[str, set[bytes]] = field(default_factory=lambda: defaultdict(set))

    def copy(self) -> "Circle":
        """One to which more people may be added."""
        return Circle(
            self.dialog_key,
            set(self.everybody),
            defaultdict(set, {label: set(keys) for label, keys in self.speakers.items()}),
            self.taken_for,
        )

    def take_for(self, label: str, *keys: bytes) -> None:
        """A speaker who is known to be somebody by what was said under a label that names nobody."""
        self.add(label, *keys)
        self.taken_for[normal_name(label)].update(keys)

    def add(self, label: str, *keys: bytes) -> None:
        """A speaker and the label that it bears."""
        self.speakers[normal_name(label)].update(keys)
        self.everybody.update(keys)


@dataclass(frozen=True)
class Scope:
    """One suppressed scope; `is_settled` once its request can no longer be taken back."""

    suppression_id: UUID
    request_id: UUID
    whole_tenant: bool
    tags: frozenset[str]
    predicate_ids: frozenset[int]
    valid_from: datetime | None
    valid_to: datetime | None
    told_from: datetime | None
    told_upto: datetime
    asked_upto: datetime
    stops_learning: bool
    is_settled: bool
    keys: Mapping[str, frozenset[bytes]]

    def __hash__(self) -> int:
        return hash(self.suppression_id)

    def _keys(self, dimensions: Iterable[str]) -> frozenset[bytes]:
        return frozenset().union(*(self.keys.get(name, frozenset()) for name in dimensions))

    @cached_property
    def who(self) -> frozenset[bytes]:
        """Keys of the entities and names that it is about; none: of whomever."""
        return self._keys(WHO)

    @cached_property
    def what(self) -> frozenset[bytes]:
        """Keys of objects and statements."""
        return self._keys(WHAT)

    @cached_property
    def where(self) -> frozenset[bytes]:
        """Keys of dialogs, messages and files."""
        return self._keys(WHERE)

    @cached_property
    def values(self) -> frozenset[bytes]:
        """Keys of the erased values' dictionary forms."""
        return self._keys(["value"])

    @cached_property
    def is_of_statements(self) -> bool:
        """Whether it takes some statements of a message and leaves others."""
        return bool(
            self.tags or self.predicate_ids or self.what or self.valid_from or self.valid_to
        )

    @cached_property
    def is_whole_subject(self) -> bool:
        """Whether all that is known of somebody was erased, names included."""
        return bool(self.who) and not (self.is_of_statements or self.where or self.told_from)

    def was_told(self, told_at: datetime | None) -> bool:
        """Whether what was told then (None: from the beginning) is not to be learned."""
        if self.told_from is not None and (told_at is None or told_at < self.told_from):
            return False
        return self.stops_learning or told_at is None or told_at <= self.told_upto

    def was_told_before_asked(self, told_at: datetime | None) -> bool:
        """Whether something was told before the request, though perhaps not in the scope's own
        times: what it takes words from may lie around what it takes."""
        return self.stops_learning or told_at is None or told_at <= self.asked_upto

    def is_at(self, place: Place) -> bool:
        """Whether a message is in it, by time and place."""
        return self.was_told(place.told_at) and (not self.where or bool(self.where & place.keys))

    def touches(self, circle: Circle) -> bool:
        """Whether somebody that it is about takes part in a dialog."""
        return bool(self.who & circle.everybody)

    def takes_all_of(self, place: Place, speaker: Collection[bytes]) -> bool:
        """Whether a message of this speaker is in it wholly."""
        if self.is_of_statements or not self.is_at(place):
            return False
        if not self.who:
            return self.whole_tenant or bool(self.where)
        return not self.who.isdisjoint(speaker)


@dataclass(frozen=True)
class Named:
    """A name of a scope's person in a text; `is_exact`: in the form in which it is stored."""

    scope: Scope
    start: int
    end: int
    is_exact: bool


class Suppressions:
    """All scopes of a tenant in one epoch."""

    def __init__(
        self,
        keys: Keys,
        tenant_id: int,
        epoch: int,
        scopes: tuple[Scope, ...],
        registry: Mapping[str, Registered],
    ) -> None:
        self.epoch = epoch
        self.scopes = scopes
        self.keys = keys
        self.tenant_id = tenant_id
        self.registry = registry
        self._scopes_of_name: dict[bytes, list[Scope]] = defaultdict(list)
        for scope in scopes:
            for key in scope.keys.get("name", ()):
                self._scopes_of_name[key].append(scope)
        self._begins: dict[str, bool] = {}

    def __bool__(self) -> bool:
        return bool(self.scopes)

    @classmethod
    def load(cls, connection: psycopg.Connection, keys: Keys, tenant_id: int) -> "Suppressions":
        """The scopes that count now: one query where nothing was ever fenced."""
        epoch = current_epoch(connection, tenant_id)
        scopes = _scopes(connection, tenant_id) if epoch else ()
        registry = registry_of(connection, tenant_id) if scopes else {}
        return cls(keys, tenant_id, epoch, scopes, registry)

    @cached_property
    def settled(self) -> "Suppressions":
        """Those alone whose request can no longer be taken back."""
        scopes = tuple(scope for scope in self.scopes if scope.is_settled)
        if len(scopes) == len(self.scopes):
            return self
        return Suppressions(self.keys, self.tenant_id, self.epoch, scopes, self.registry)

    @cached_property
    def has_undiscovered(self) -> bool:
        """Whether a request that may be taken back has not yet told which values it would erase."""
        return any(not scope.is_settled and not scope.values for scope in self.scopes)

    def scope_of(self, draft: Draft, circle: Circle, place: Place) -> Scope | None:
        """The scope that a statement of a message lies in, if any."""
        registered = self.registry.get(draft.predicate)
        tags = frozenset(registered.predicate.tags) if registered else frozenset()
        about = self._about(draft.subject.name, draft.subject.is_speaker, circle)
        named = self._named(draft, circle)
        for scope in self.scopes:
            if not scope.is_at(place) or not _overlaps(scope, draft):
                continue
            if scope.tags and not scope.tags & tags:
                continue
            if scope.predicate_ids and (
                registered is None or registered.predicate_id not in scope.predicate_ids
            ):
                continue
            if scope.what and self._object_key(draft, registered) not in scope.what:
                continue
            if scope.who and not (
                scope.who & about or (scope.is_whole_subject and scope.who & named)
            ):
                continue
            if scope.is_of_statements or scope.who or scope.where or scope.whole_tenant:
                return scope
        return None

    def _about(self, name: str, is_speaker: bool, circle: Circle) -> set[bytes]:
        """Keys of whom a name in a dialog means. A mention's name counts where it is a speaker's,
        or where somebody that bears it takes part under another label."""
        normal = normal_name(name)
        bearer = circle.speakers.get(normal, set())
        if is_speaker:
            return bearer | {self.keys.name(self.tenant_id, name)}
        mention = self.keys.of("entity", self.tenant_id, circle.dialog_key, "mention", normal)
        lookup = self.keys.name(self.tenant_id, name)
        spoken = {lookup, *self._name_keys(name)}
        takes_part = any(scope.who & spoken and scope.touches(circle) for scope in self.scopes)
        return bearer | {mention} | (spoken if takes_part else set())

    def _name_keys(self, name: str) -> set[bytes]:
        n_words = len(words_of(name))
        return {
            name_key(self.keys, self.tenant_id, normal)
            for start, end, normal in normal_spans(name, NAME_WORDS, self._begins_a_name)
            if len(words_of(name[start:end])) == min(n_words, NAME_WORDS)
        }

    def _begins_a_name(self, word: str) -> bool:
        found = self._begins.get(word)
        if found is None:
            found = self._begins[word] = any(
                first_word_key(self.keys, self.tenant_id, normal) in self._scopes_of_name
                for normal in normals_of(word)
            )
        return found

    def named(self, text: str) -> list[Named]:
        """Where a text names somebody of a scope, in whatever form."""
        if not self._scopes_of_name or not text:
            return []
        found: dict[Named, None] = {}
        for start, end, normal in name_spans(text, NAME_WORDS, self._begins_a_name):
            scopes = self._scopes_of_name.get(name_key(self.keys, self.tenant_id, normal))
            if not scopes or (" " not in normal and not reads_as_name(text[start:end])):
                continue
            words = text[start:end].split()
            spelt = {self.keys.name(self.tenant_id, " ".join(w)) for w in (words, words[::-1])}
            for scope in scopes:
                found[Named(scope, start, end, bool(spelt & scope.who))] = None
        return list(found)

    def tellers(self, text_hash: bytes, told_at: datetime | None) -> list[Scope]:
        """Scopes whose person told a text, known by its hash: at this minute, or at any time."""
        wanted = {text_key(text_hash)}
        if told_at is not None:
            wanted.add(told_key(text_hash, told_at))
        return [s for s in self.scopes if s.who and not wanted.isdisjoint(s.values)]

    def _named(self, draft: Draft, circle: Circle) -> set[bytes]:
        registered = self.registry.get(draft.predicate)
        if registered is None or registered.predicate.value_type != "person":
            return set()
        name = str(draft.object).rpartition(":")[2].strip()
        return self._about(name, False, circle) if name else set()

    def _object_key(self, draft: Draft, registered: Registered | None) -> bytes | None:
        if draft.object is None or registered is None:
            return None
        try:
            normal = normalise_object(registered.predicate, draft.object)
        except ValueError:
            return None
        return self.keys.object(self.tenant_id, registered.predicate.value_type, normal)

    def value_spans(self, text: str, scopes: Collection[Scope]) -> list[Span]:
        """The characters of a text that are an erased value of one of the scopes, in any form."""
        wanted = frozenset[bytes]().union(*(scope.values for scope in scopes))
        if not wanted or not text:
            return []
        said = chain(normal_spans(text, VALUE_WORDS), amount_spans(text))
        return merged(
            (start, end)
            for start, end, normal in said
            if value_key(self.keys, self.tenant_id, normal) in wanted
        )

    def may_hold(self, raw: bytes) -> bool:
        """Whether a record that no reader could read may hold what was erased: an erased value or
        name in any form, or anything where that cannot be told."""
        if not self.scopes:
            return False
        if self.has_undiscovered:
            return True
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            return True
        return any(not (scope.values or scope.who) for scope in self.scopes) or self.holds(text)

    def holds(self, text: str) -> bool:
        """Whether a text has an erased value or name, also in JSON's escapes."""
        for read in {text, unescaped(text)}:
            if self.value_spans(read, self.scopes) or self._names_somebody(read):
                return True
        return False

    def _names_somebody(self, text: str) -> bool:
        if self.named(text):
            return True
        names = frozenset[bytes]().union(
            *(scope.keys.get("name", frozenset()) for scope in self.scopes)
        )
        words = [text[start:end] for start, end, _ in normal_spans(text, VALUE_WORDS)]
        return any(self.keys.name(self.tenant_id, word) in names for word in set(words))


def unescaped(text: str) -> str:
    """A text with JSON's escapes of characters read."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)


def _overlaps(scope: Scope, draft: Draft) -> bool:
    """Whether a statement speaks of some time of the scope's period."""
    if scope.valid_from is None and scope.valid_to is None:
        return True
    if isinstance(draft, AtomDraft):
        start, end = draft.valid_from, draft.valid_to
    else:
        start = end = draft.ended_at or draft.planned_start
    before = scope.valid_to is None or start is None or start < scope.valid_to
    after = scope.valid_from is None or end is None or end > scope.valid_from
    return before and after


def _scopes(connection: psycopg.Connection, tenant_id: int) -> tuple[Scope, ...]:
    rows = connection.execute(
        "select s.suppression_id, s.request_id, s.whole_tenant, s.tags, s.predicate_ids,"
        " s.valid_from, s.valid_to, s.told_from, s.told_upto,"
        " coalesce(r.told_upto, s.told_upto), s.stops_learning,"
        # a restored database may have a suppression without its request
        " coalesce(r.state >= 'keys_destroyed', true),"
        " array(select k.dimension::text from memory.suppression_key as k"
        "  where k.suppression_id = s.suppression_id order by k.dimension, k.key),"
        " array(select k.key from memory.suppression_key as k"
        "  where k.suppression_id = s.suppression_id order by k.dimension, k.key)"
        " from memory.suppression as s left join memory.erasure_request as r using (request_id)"
        " where s.tenant_id = %s and r.state is distinct from 'cancelled'"
        " order by s.suppression_id",
        (tenant_id,),
    ).fetchall()
    return tuple(_scope(row) for row in rows)


def _scope(row: Sequence[Any]) -> Scope:
    suppression_id, request_id, whole_tenant, tags, predicate_ids, *times, dimensions, keys = row
    valid_from, valid_to, told_from, told_upto, asked_upto, stops_learning, is_settled = times
    by_dimension: dict[str, set[bytes]] = defaultdict(set)
    for dimension, key in zip(dimensions, keys, strict=True):
        by_dimension[dimension].add(bytes(key))
    return Scope(
        suppression_id,
        request_id,
        whole_tenant,
        frozenset(tags),
        frozenset(predicate_ids),
        valid_from,
        valid_to,
        told_from,
        told_upto,
        asked_upto,
        stops_learning,
        is_settled,
        {name: frozenset(of) for name, of in by_dimension.items()},
    )
