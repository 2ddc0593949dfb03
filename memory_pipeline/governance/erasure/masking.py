"""Masks what was erased in messages that are read, before a byte of them is written anywhere.

Where a scope may touch a dialog, its messages are read by the local extractor in memory. The
evidence of statements in scope is masked but for what other statements rest on, and so are erased
values wherever the erased person takes part. Keys and hashes stay those of the original.

Who sends a message is known by more than its label: who calls herself by an erased name, or says
again what the erased person said, is taken for her (`nearness`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import BinaryIO, Generic, Literal, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import psycopg

from memory_pipeline.bitemporal.keys import Keys, normal_name
from memory_pipeline.contracts.statement import Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.governance.erasure.mentions import (
    MASK,
    find,
    forms,
    merged,
    redacted,
    without,
)
from memory_pipeline.governance.erasure.nearness import Near, near
from memory_pipeline.governance.erasure.own_words import are_own
from memory_pipeline.governance.erasure.suppress import (
    Circle,
    Draft,
    Place,
    Scope,
    Span,
    Suppressions,
    told_key,
)
from memory_pipeline.ingest.prepare import Prepared
from memory_pipeline.ingest.quarantine import Refusal
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.interface import ExtractionFailure

N_BEFORE = LocalExtractor.window_size
_BLOCK, _OVERLAP = 1 << 20, 1 << 10
_START = datetime.min.replace(tzinfo=UTC)
T = TypeVar("T", Prepared, Refusal)
Suspicion = Literal["erased", "undecided"]


@dataclass(frozen=True)
class _Turn:
    """A message as a window shows it; `prepared` where it is one of those being read."""

    shown: WindowMessage
    order: tuple[datetime, int, bytes]
    prepared: Prepared | None
    message_id: UUID | None = None


@dataclass(frozen=True)
class _Said:
    """A statement of a message, its evidence in those being read, and its scope if it is in one."""

    draft: Draft
    message: Prepared
    evidence: Sequence[tuple[int, Span]]
    scope: Scope | None


@dataclass(frozen=True)
class Sifted(Generic[T]):
    """What may be stored, of how many of them something was masked, and how many wait: they would
    be masked for a request that may still be taken back, and could not be given back then."""

    kept: list[T]
    n_masked: int
    n_waiting: int


class Masker:
    """Masks one tenant's messages by the suppressions of the epoch that they were loaded in."""

    def __init__(self, connection: psycopg.Connection, keys: Keys, tenant_id: int) -> None:
        self._connection = connection
        self._keys = keys
        self._tenant_id = tenant_id
        self.suppressions = self.load()

    def load(self) -> Suppressions:
        """Load the suppressions that count now: again whenever the epoch moved."""
        self.suppressions = Suppressions.load(self._connection, self._keys, self._tenant_id)
        return self.suppressions

    @property
    def epoch(self) -> int:
        """The epoch that what is masked may be stored in."""
        return self.suppressions.epoch

    def mask(self, chunk: Sequence[Prepared], file_key: bytes, tz: str) -> Sifted[Prepared]:
        """The messages with all that is suppressed masked."""
        masked, _ = mask_chunk(self._connection, self.suppressions, chunk, file_key, tz)
        if self._are_settled:
            return _sifted(chunk, masked, masked)
        settled = self.suppressions.settled
        return _sifted(chunk, masked, mask_chunk(self._connection, settled, chunk, file_key, tz)[0])

    def without_raw(self, refusals: Sequence[Refusal]) -> Sifted[Refusal]:
        """The refusals, those whose record may hold what was erased without it."""
        kept = _without_raw(self.suppressions, refusals)
        if self._are_settled:
            return _sifted(refusals, kept, kept)
        return _sifted(refusals, kept, _without_raw(self.suppressions.settled, refusals))

    def file_name(self, name: str) -> str:
        """A file's name without the names of people who were erased wholly, and without what was
        erased of others whom it names."""
        return _file_name(self.suppressions, name)

    def is_undecided_name(self, name: str) -> bool:
        """Whether a file's name has one that goes unless a request is taken back."""
        settled = self.suppressions.settled
        if self.file_name(name) != _file_name(settled, name):
            return True
        # what goes is known in every form only once it is discovered
        return not self._are_settled and self.suppressions.holds(name) and not settled.holds(name)

    def may_hold(self, stream: BinaryIO) -> Suspicion | None:
        """Whether a file that no reader knows may hold what was erased, for good or not yet."""
        before = b""
        found: Suspicion | None = None
        while self.suppressions and (block := stream.read(_BLOCK)):
            # a block may begin or end within a character
            text = (before + block).decode("utf-8", "ignore")
            if self.suppressions.settled.holds(text):
                return "erased"
            if found is None and (
                self.suppressions.has_undiscovered or self.suppressions.holds(text)
            ):
                found = "undecided"
            before = block[-_OVERLAP:]
        return found

    @property
    def _are_settled(self) -> bool:
        return self.suppressions.settled is self.suppressions


def _sifted(read: Sequence[T], masked: Sequence[T], settled: Sequence[T]) -> Sifted[T]:
    """What stays as it is whatever becomes of requests that may be taken back; the rest waits."""
    kept = [
        (before, after)
        for before, after, at_last in zip(read, masked, settled, strict=True)
        if after is at_last or after == at_last
    ]
    return Sifted(
        [after for _, after in kept],
        sum(before is not after for before, after in kept),
        len(read) - len(kept),
    )


def _without_raw(suppressions: Suppressions, refusals: Sequence[Refusal]) -> list[Refusal]:
    return [
        replace(refusal, raw=None)
        if refusal.raw and suppressions.may_hold(refusal.raw)
        else refusal
        for refusal in refusals
    ]


def _file_name(suppressions: Suppressions, name: str) -> str:
    """The name without who was erased wholly, and without what was erased of those whom it names."""
    erased = {scope for scope in suppressions.scopes if scope.is_whole_subject}
    erased |= {named.scope for named in suppressions.named(name)}
    return redacted(name, suppressions.value_spans(name, erased))


def mask_chunk(
    connection: psycopg.Connection,
    suppressions: Suppressions,
    chunk: Sequence[Prepared],
    file_key: bytes,
    tz: str,
) -> tuple[list[Prepared], int]:
    """The messages with all that is suppressed masked, and how many of them that changed."""
    if not suppressions:
        return list(chunk), 0
    by_dialog: dict[bytes, list[Prepared]] = defaultdict(list)
    for message in chunk:
        by_dialog[message.dialog_key].append(message)
    circles = _circles(connection, suppressions, by_dialog)
    masked: dict[int, Prepared] = {}
    for dialog_key, messages in by_dialog.items():
        circle = circles[dialog_key]
        places = {id(message): _place(message, file_key) for message in messages}
        close = near(suppressions, messages, places)
        for message in messages:
            for scope in close[id(message)].speaks_throughout:
                circle.take_for(message.raw.speaker, *scope.who)
        touching = [
            scope
            for scope in suppressions.scopes
            if (not scope.who or scope.touches(circle))
            and any(scope.is_at(place) for place in places.values())
        ]
        if touching or any(close.values()):
            dialog = _Dialog(connection, suppressions, circle, touching, close, tz)
            masked |= dialog.masked(messages, places)
    out = [masked.get(id(message), message) for message in chunk]
    return out, sum(a is not b for a, b in zip(out, chunk, strict=True))


class _Dialog:
    """One dialog of a chunk, that some scopes touch."""

    def __init__(
        self,
        connection: psycopg.Connection,
        suppressions: Suppressions,
        circle: Circle,
        touching: Sequence[Scope],
        close: Mapping[int, Near],
        tz: str,
    ) -> None:
        self._connection = connection
        self._suppressions = suppressions
        self._circle = circle
        self._touching = touching
        self._close = close
        self._tz = tz

    def masked(
        self, messages: Sequence[Prepared], places: Mapping[int, Place]
    ) -> dict[int, Prepared]:
        """Those of the messages that change, by the original's id."""
        said = self._statements(messages, places)
        # of whomever: words are masked where something was said of them here
        concerned = [
            scope
            for scope in self._touching
            if scope.who or scope.where or any(one.scope is scope for one in said)
        ]
        in_scope: dict[int, list[Span]] = defaultdict(list)
        staying: dict[int, list[Span]] = defaultdict(list)
        gone = forms(
            (str(one.draft.object), self._value_type(one.draft))
            for one in said
            if one.scope is not None and one.draft.object is not None
        )
        for one in said:
            for key, span in one.evidence:
                (staying if one.scope is None else in_scope)[key].append(span)
        own = self._own_words(messages, said, in_scope)
        out: dict[int, Prepared] = {}
        for message in messages:
            place = places[id(message)]
            close = self._close[id(message)]
            here = [scope for scope in concerned if scope.is_at(place)]
            here += [scope for scope in close.scopes if scope not in here]
            # an answer that repeats the value is told after the statement that it repeats
            worded = here + [
                scope
                for scope in concerned
                if not scope.is_at(place)
                and scope.was_told_before_asked(place.told_at)
                and any(one.scope is scope for one in said)
            ]
            if not worded and not in_scope[id(message)]:
                continue
            spans = [*without(in_scope[id(message)], staying[id(message)]), *close.spans]
            changed = self._mask(
                message, place, here, worded, spans, find(gone, message.text), own[id(message)]
            )
            if changed is not None:
                out[id(message)] = changed
        return out

    def _own_words(
        self,
        messages: Sequence[Prepared],
        said: Sequence["_Said"],
        in_scope: Mapping[int, Sequence[Span]],
    ) -> dict[int, list[Span]]:
        """Where speakers of whom no scope is say something of themselves, by message: an erased value
        is their own there, as `discovery` leaves it. What rests on an erased person's words or on
        those of a statement in scope is none of it."""
        who = frozenset[bytes]().union(*(scope.who for scope in self._touching))
        erased = {id(m) for m in messages if who & self._speaker(m)}
        by_id = {id(message): message for message in messages}
        own: dict[int, list[Span]] = defaultdict(list)
        for one in said:
            raw = one.message.raw
            if (
                one.scope is None
                and one.draft.subject.is_speaker
                and raw.role is Role.user
                and not raw.quoted
                and not erased & {id(one.message), *(key for key, _ in one.evidence)}
                and not any(
                    start < span[1] and span[0] < end
                    for key, span in one.evidence
                    for start, end in in_scope[key]
                )
                and are_own(
                    ((by_id[key].text, *span) for key, span in one.evidence),
                    self._suppressions.named,
                )
            ):
                for key, span in one.evidence:
                    own[key].append(span)
        return own

    def _value_type(self, draft: Draft) -> str:
        registered = self._suppressions.registry.get(draft.predicate)
        return registered.predicate.value_type if registered else "text"

    def _mask(
        self,
        message: Prepared,
        place: Place,
        here: Sequence[Scope],
        worded: Sequence[Scope],
        spans: Sequence[Span],
        gone: Sequence[Span],
        own: Sequence[Span],
    ) -> Prepared | None:
        speaker = self._speaker(message)
        raw = message.raw
        beside: dict[str, object] = {
            "dialog": self._words(raw.dialog, worded),
            "dialog_title": raw.dialog_title and self._words(raw.dialog_title, worded),
        }
        is_all = any(scope.takes_all_of(place, speaker) for scope in here)
        # who said what is wholly erased is told by other messages or by none
        if is_all or any(scope.is_whole_subject and scope.who & speaker for scope in here):
            beside |= {"speaker": MASK, "speaker_id": None, "speaker_alias": None}
        if is_all:
            beside |= {"tags": (), "message_id": None}
            emptied = replace(message, raw=raw.model_copy(update=beside), attachments=())
            return _with_text(emptied, [(0, len(message.text))])
        beside["tags"] = tuple(self._words(tag, worded) for tag in raw.tags)
        attachments = tuple(
            {name: self._words(value, worded) for name, value in attachment.items()}
            for attachment in message.attachments
        )
        values = [
            *self._suppressions.value_spans(message.text, worded),
            *(gone if worded or spans else ()),
        ]
        all_spans = merged([*spans, *without(values, own)])
        same = all(getattr(raw, name) == value for name, value in beside.items())
        if not all_spans and same and attachments == message.attachments:
            return None
        return _with_text(
            replace(message, raw=raw.model_copy(update=beside), attachments=attachments), all_spans
        )

    def _speaker(self, message: Prepared) -> set[bytes]:
        """Keys of whoever speaks, those of the person that she is known to be included."""
        found = _speaker_keys(self._suppressions, message)
        label = normal_name(message.raw.speaker)
        for scope in self._touching:
            if scope.who & self._circle.taken_for.get(label, set()):
                found |= scope.who
        for scope in self._close[id(message)].speaks:
            found |= scope.who
        return found

    def _circle_of(self, message: Prepared) -> Circle:
        """The dialog's circle as one message shows it."""
        close = self._close[id(message)]
        if not close:
            return self._circle
        circle = self._circle.copy()
        for scope in close.scopes:
            circle.everybody |= scope.who
        for scope in close.speaks:
            circle.add(message.raw.speaker, *scope.who)
        return circle

    def _words(self, text: str, here: Sequence[Scope]) -> str:
        return redacted(text, self._suppressions.value_spans(text, here))

    def _statements(
        self, messages: Sequence[Prepared], places: Mapping[int, Place]
    ) -> list["_Said"]:
        """What the messages say."""
        turns = self._turns(messages)
        read = [
            n
            for n, turn in enumerate(turns)
            if turn.prepared is not None
            and turn.shown.role in (Role.user, Role.tool)
            and (
                self._close[id(turn.prepared)]
                or any(scope.is_at(places[id(turn.prepared)]) for scope in self._touching)
            )
        ]
        windows = [
            Window(
                messages=tuple(t.shown for t in turns[max(0, n - N_BEFORE) : n + 1]), tz=self._tz
            )
            for n in read
        ]
        predicates = [entry.predicate for entry in self._suppressions.registry.values()]
        found: list[_Said] = []
        answers = LocalExtractor().extract(windows, predicates) if windows else []
        for n, answer in zip(read, answers, strict=True):
            message = turns[n].prepared
            if isinstance(answer, ExtractionFailure) or message is None:
                continue
            drafts: list[Draft] = [*answer.atoms, *answer.closures]
            circle = self._circle_of(message)
            for draft in drafts:
                scope = self._suppressions.scope_of(draft, circle, places[id(message)])
                evidence = [
                    (id(turns[n - span.back].prepared), (span.start, span.end))
                    for span in draft.spans
                    if span.back <= n and turns[n - span.back].prepared is not None
                ]
                found.append(_Said(draft, message, evidence, scope))
        return found

    def _turns(self, messages: Sequence[Prepared]) -> list[_Turn]:
        stored = _stored_turns(self._connection, self._circle.dialog_key, messages, self._tz)
        known = {turn.order[2] for turn in stored}
        last = _START
        turns = stored
        for n, message in enumerate(messages):
            # a message without a time stands where the file has it
            last = message.raw.sent_at or last
            if message.message_key in known and message.raw.edited_at is None:
                turns = [turn for turn in turns if turn.order[2] != message.message_key]
            turns.append(_Turn(_shown(message, self._tz), (last, n, message.message_key), message))
        return sorted(turns, key=lambda turn: turn.order)


def _shown(message: Prepared, tz: str) -> WindowMessage:
    raw = message.raw
    zone = ZoneInfo(raw.tz or tz)
    return WindowMessage(
        speaker=raw.speaker,
        role=raw.role,
        sent_at=raw.sent_at and raw.sent_at.astimezone(zone),
        lang=message.lang,
        text=message.text,
        quoted=raw.quoted,
    )


def _stored_turns(
    connection: psycopg.Connection, dialog_key: bytes, messages: Sequence[Prepared], tz: str
) -> list[_Turn]:
    """What is stored of a dialog up to the last of the messages: as many, and a window's more."""
    last = max((m.raw.sent_at for m in messages if m.raw.sent_at), default=None)
    rows = connection.execute(
        "select r.message_id, r.message_key, r.read_at, coalesce(r.ordinal, 0), r.role::text,"
        " r.lang, r.is_quoted, r.tz, c.text, (select n.name from memory.name_content as n"
        "  where n.entity_id = r.speaker_id and n.form = 'label' order by n.lookup limit 1)"
        " from memory.message_revision as r"
        " join memory.dialog as d on d.dialog_id = r.dialog_id"
        " join memory.message_content as c on c.message_id = r.message_id"
        "  and c.dialog_id = r.dialog_id"
        " where d.dialog_key = %s and r.is_latest and (r.read_at <= %s or %s::timestamptz is null)"
        " order by r.read_at desc nulls last, r.ordinal desc nulls last limit %s",
        (dialog_key, last, last, len(messages) + N_BEFORE),
    ).fetchall()
    return [
        _Turn(
            WindowMessage(
                speaker=label or "?",
                role=Role(role),
                sent_at=read_at and read_at.astimezone(ZoneInfo(zone or tz)),
                lang=lang,
                text=text,
                quoted=is_quoted,
            ),
            (read_at or _START, ordinal, bytes(message_key)),
            None,
            message_id,
        )
        for message_id, message_key, read_at, ordinal, role, lang, is_quoted, zone, text, label
        in rows
    ]  # fmt: skip


def _place(message: Prepared, file_key: bytes) -> Place:
    told_at = message.raw.edited_at or message.raw.sent_at
    same = told_key(message.text_hash, told_at)
    return Place(frozenset({message.dialog_key, message.message_key, same, file_key}), told_at)


def _speaker_keys(suppressions: Suppressions, message: Prepared) -> set[bytes]:
    keys, tenant_id, raw = suppressions.keys, suppressions.tenant_id, message.raw
    names = filter(None, (raw.speaker, raw.speaker_id, raw.speaker_alias))
    return {message.speaker_key, message.person_key, *(keys.name(tenant_id, n) for n in names)}


def _circles(
    connection: psycopg.Connection,
    suppressions: Suppressions,
    by_dialog: Mapping[bytes, Sequence[Prepared]],
) -> dict[bytes, Circle]:
    """Who takes part in the dialogs: in what is stored, and in what is being read."""
    circles = stored_circles(connection, suppressions, list(by_dialog))
    for dialog_key, messages in by_dialog.items():
        circle = circles.setdefault(dialog_key, Circle(dialog_key))
        for message in messages:
            circle.add(message.raw.speaker, *_speaker_keys(suppressions, message))
    return circles


def stored_circles(
    connection: psycopg.Connection, suppressions: Suppressions, dialog_keys: Collection[bytes]
) -> dict[bytes, Circle]:
    """Who takes part in stored dialogs, with the persons behind them and those mentioned."""
    rows = connection.execute(
        "select d.dialog_key, e.kind = 'speaker', e.entity_key, n.name, n.lookup,"
        " array(select p.entity_key from memory.same_as as s"
        "  join memory.entity as p on p.entity_id = s.right_id where s.left_id = e.entity_id)"
        " from memory.dialog as d join memory.entity as e using (dialog_id)"
        " left join memory.name_content as n using (entity_id)"
        " where d.tenant_id = %s and d.dialog_key = any(%s)",
        (suppressions.tenant_id, list(dialog_keys)),
    ).fetchall()
    circles = {bytes(row[0]): Circle(bytes(row[0])) for row in rows}
    for dialog_key, is_speaker, entity_key, name, lookup, persons in rows:
        circle = circles[bytes(dialog_key)]
        keys = {bytes(key) for key in (entity_key, lookup, *persons) if key is not None}
        if is_speaker:
            circle.everybody |= keys
            if name is not None:
                circle.speakers[normal_name(name)] |= keys
        else:
            circle.everybody.add(bytes(entity_key))
    return circles


def _with_text(message: Prepared, spans: Sequence[Span]) -> Prepared:
    return replace(
        message,
        text=redacted(message.text, spans),
        secrets=tuple(
            secret
            for secret in message.secrets
            if not any(start < secret.end and secret.start < end for start, end in spans)
        ),
    )
