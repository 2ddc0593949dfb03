"""Content as it lies in the database: in clear, or sealed under data keys that lie in Vault.

A writer hands content to the `ContentStore` of its connection and stores what comes back; a
connection that has one opens sealed values as rows are read, so that no reader knows the
difference. A sealed value is a text of its own kind:

    U+FDD0 [sealed:TAG] bundle (32 hex) record (32 hex) place (2 hex) base64(nonce, ciphertext)

U+FDD0 is a noncharacter of Unicode, which no text may hold: content that begins with it is stored
without. Each value has a data key of its own (AES-256-GCM), bound to the tenant, the record and
the column; the keys of what was written together are one bundle, one entry of Vault. Destroying a
key makes every copy of its value unreadable, in whatever backup, and touches no other.
"""

import json
import os
import re
from base64 import b64decode, b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from uuid import UUID, uuid4
from weakref import WeakKeyDictionary

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.governance.sealed_keys import BUNDLE_KEYS, Bundle, KeyRing, Slot
from memory_pipeline.governance.sealing import Sealer, SealError
from memory_pipeline.local.services import Services

MARK = "\ufdd0"
ALL_TAGS = "*"
SENTENCE = "text"
"""The tag of content whose words are known only once it is read: messages, sentences, answers."""

PLACES: tuple[tuple[str, str], ...] = (
    ("message_content", "text"),
    ("atom_content", "object"),
    ("atom_content", "text"),
    ("closure_content", "object"),
    ("closure_content", "text"),
    ("reason_content", "reason"),
    ("extraction_content", "answer"),
    ("review_content", "item"),
    ("snapshot_content", "query"),
    ("snapshot_content", "snapshot"),
    ("snapshot_request_content", "query"),
)
"""Columns that may be sealed; a place is the column's number here, which never changes."""
JSON_COLUMNS = frozenset({"object", "answer", "item", "snapshot"})

_SEALED = re.compile(
    MARK + r"\[sealed:([^\]\s]{1,64})\]([0-9a-f]{32})([0-9a-f]{32})([0-9a-f]{2})([A-Za-z0-9+/]+=*)"
)


_SHOWN = re.compile(r"\[sealed:[^\]\s]{1,64}\]")


class Sealed(NamedTuple):
    """The parts of a sealed value."""

    tag: str
    bundle_id: UUID
    record_id: UUID
    place: int
    ciphertext: bytes

    @property
    def shown(self) -> str:
        """What stands for the value where it is not opened."""
        return f"[sealed:{self.tag}]"


def is_shown(text: str) -> bool:
    """Whether a text is what stands for a sealed value whose key is gone: it says nothing."""
    return _SHOWN.fullmatch(text) is not None


def sealed_of(value: str) -> Sealed | None:
    """The parts of a sealed value; None for a text in clear."""
    found = _SEALED.fullmatch(value)
    return _parts(found) if found else None


def _parts(found: re.Match[str]) -> Sealed:
    tag, bundle_id, record_id, place, body = found.groups()
    return Sealed(tag, UUID(bundle_id), UUID(record_id), int(place, 16), b64decode(body))


class Writing(Protocol):
    """Content that is written together. `keep` before the rows are committed."""

    def text(
        self, table: str, column: str, record_id: UUID, value: str, tags: Collection[str] = ()
    ) -> str:
        """What is stored for a text that may hold any words; `tags` are those of its record."""
        ...

    def json(
        self,
        table: str,
        column: str,
        record_id: UUID,
        value: Any,
        tags: Collection[str] = (),
        *,
        is_value: bool = False,
    ) -> Jsonb:
        """What is stored for a JSON value: one that may hold any words, or the very value that
        its tags are of."""
        ...

    def keep(self) -> None:
        """Make sure that what is stored can be opened. Raises `SecretStoreError`."""
        ...


class ContentStore(Protocol):
    """How content is stored: the one place where it is decided what is sealed."""

    @property
    def seals(self) -> bool:
        """Whether anything is sealed."""
        ...

    def writing(self, tenant_id: int) -> Writing:
        """Begin to write content of a tenant."""
        ...


class _Clear:
    """Content as it is."""

    def text(
        self,
        table: str,  # noqa: ARG002
        column: str,  # noqa: ARG002
        record_id: UUID,  # noqa: ARG002
        value: str,
        tags: Collection[str] = (),  # noqa: ARG002
    ) -> str:
        return unmarked(value)

    def json(
        self,
        table: str,  # noqa: ARG002
        column: str,  # noqa: ARG002
        record_id: UUID,  # noqa: ARG002
        value: Any,
        tags: Collection[str] = (),  # noqa: ARG002
        *,
        is_value: bool = False,  # noqa: ARG002
    ) -> Jsonb:
        return Jsonb(unmarked(value) if isinstance(value, str) else value)

    def keep(self) -> None:
        return


def unmarked(text: str) -> str:
    """A text that is not mistaken for a sealed one, of the same length."""
    return "\ufffd" + text[1:] if text.startswith(MARK) else text


@dataclass(frozen=True)
class PlainStore:
    """Content lies in clear; sealed values of another time are opened by who has the keys."""

    @property
    def seals(self) -> bool:
        """Never."""
        return False

    def writing(self, tenant_id: int) -> Writing:  # noqa: ARG002
        """Nothing is to be kept."""
        return _Clear()


@dataclass(eq=False)
class _Sealing:
    """One bundle of keys while it grows."""

    ring: KeyRing
    tenant_id: int
    listed: frozenset[str]
    bundle_id: UUID = field(default_factory=uuid4)
    keys: dict[Slot, bytes] = field(default_factory=dict, repr=False)

    def text(
        self, table: str, column: str, record_id: UUID, value: str, tags: Collection[str] = ()
    ) -> str:
        tag = self._tag(tags) or SENTENCE
        return self._seal(table, column, record_id, unmarked(value), tag)

    def json(
        self,
        table: str,
        column: str,
        record_id: UUID,
        value: Any,
        tags: Collection[str] = (),
        *,
        is_value: bool = False,
    ) -> Jsonb:
        tag = self._tag(tags)
        if is_value and tag is None:
            return _Clear().json(table, column, record_id, value)
        shown = unmarked(value) if isinstance(value, str) else value
        written = json.dumps(shown, ensure_ascii=False)
        return Jsonb(self._seal(table, column, record_id, written, tag or SENTENCE))

    def keep(self) -> None:
        if self.keys:
            self.ring.keep(self.bundle_id, self.tenant_id, self.keys)
            self.bundle_id, self.keys = uuid4(), {}

    @property
    def bundle(self) -> Bundle:
        """The keys that are not kept yet."""
        return Bundle(self.tenant_id, {slot.name: key for slot, key in self.keys.items()})

    def _tag(self, tags: Collection[str]) -> str | None:
        if ALL_TAGS in self.listed:
            return min(tags, default=SENTENCE)
        return min(self.listed.intersection(tags), default=None)

    def _seal(self, table: str, column: str, record_id: UUID, value: str, tag: str) -> str:
        place = PLACES.index((table, column))
        slot = Slot(record_id, place)
        if len(self.keys) >= BUNDLE_KEYS and slot not in self.keys:
            self.keep()
        if not self.keys:
            self.ring.grows(self.bundle_id, self)
        key = self.keys.setdefault(slot, os.urandom(32))
        body = Sealer(key).seal(
            value.encode("utf-8", "surrogatepass"), _context(self.tenant_id, slot)
        )
        return (
            f"{MARK}[sealed:{tag}]{self.bundle_id.hex}{record_id.hex}{place:02x}"
            f"{b64encode(body).decode()}"
        )


@dataclass(frozen=True)
class SealedStore:
    """Values of the listed tags are sealed, and with them whatever may hold their words."""

    ring: KeyRing
    tags: frozenset[str]

    @property
    def seals(self) -> bool:
        """Always."""
        return True

    def writing(self, tenant_id: int) -> Writing:
        """A new bundle of keys."""
        return _Sealing(self.ring, tenant_id, self.tags)


def resealing(ring: KeyRing, tenant_id: int) -> Writing:
    """Writes in place of sealed values: all of it sealed, whatever the settings say now."""
    return SealedStore(ring, frozenset({ALL_TAGS})).writing(tenant_id)


def _context(tenant_id: int, slot: Slot) -> bytes:
    table, column = PLACES[slot.place]
    return f"{tenant_id}|{slot.record_id.hex}|{table}.{column}".encode()


class Opener:
    """Opens sealed values. One whose key was destroyed is shown as `[sealed:TAG]`."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    def text(self, value: str) -> str:
        """The text with every sealed value in it opened. Raises `SecretStoreError` where Vault
        does not answer and `SealError` where a value was altered."""
        return _SEALED.sub(lambda found: str(self._clear(_parts(found))), value)

    def json(self, value: Any) -> Any:
        """A JSON value with its sealed parts opened. Raises as `text`."""
        if isinstance(value, str):
            if MARK not in value:
                return value
            sealed = sealed_of(value)
            if sealed is None:
                return self.text(value)
            clear = self._clear(sealed)
            column = PLACES[sealed.place][1]
            if column not in JSON_COLUMNS:
                return clear
            if clear == sealed.shown:
                # of a value its mask, of a document an empty one, as where it was erased
                return clear if column == "object" else {}
            return json.loads(clear)
        if isinstance(value, list):
            return [self.json(part) for part in value]
        if isinstance(value, dict):
            return {name: self.json(part) for name, part in value.items()}
        return value

    def _clear(self, sealed: Sealed) -> str:
        if sealed.place >= len(PLACES):
            raise SealError("a sealed value says that it is of no column that is sealed")
        slot = Slot(sealed.record_id, sealed.place)
        found = self._ring.key(sealed.bundle_id, slot)
        if found is None:
            return sealed.shown
        key, tenant_id = found
        clear = Sealer(key).open(sealed.ciphertext, _context(tenant_id, slot))
        return clear.decode("utf-8", "surrogatepass")


_stores: "WeakKeyDictionary[psycopg.Connection[Any], ContentStore]" = WeakKeyDictionary()
_rings: dict[tuple[str, str], KeyRing] = {}
_PLAIN = PlainStore()


def attach(connection: psycopg.Connection[Any], services: Services) -> psycopg.Connection[Any]:
    """Let the connection write content as the settings say and open what is sealed; returns it.
    To be called before its first cursor is made."""
    ring = ring_of(services)
    tags = frozenset(services.settings.sealed_tags.split(",")) - {""}
    _stores[connection] = SealedStore(ring, tags) if tags else _PLAIN
    opener = Opener(ring)
    _open_texts(connection, opener)
    _open_json(connection, opener)
    return connection


def ring_of(services: Services) -> KeyRing:
    """The data keys of a home, cached for the process."""
    place = (services.home.id, services.vault_addr)
    if place not in _rings:
        _rings[place] = KeyRing(services.vault_client)
    return _rings[place]


def content_store(connection: psycopg.Connection[Any]) -> ContentStore:
    """How content is stored over a connection: in clear over one that nothing was attached to."""
    return _stores.get(connection, _PLAIN)


def _open_texts(connection: psycopg.Connection[Any], opener: Opener) -> None:
    mark = MARK.encode()

    class Text(psycopg.adapt.Loader):
        """A text of the database, opened where it is sealed."""

        def load(self, data: Any) -> str:
            raw = bytes(data)
            text = raw.decode("utf-8", "surrogatepass")
            return opener.text(text) if mark in raw else text

    for name in ("text", "varchar"):
        connection.adapters.register_loader(name, Text)


def _open_json(connection: psycopg.Connection[Any], opener: Opener) -> None:
    mark = MARK.encode()

    class Json(psycopg.adapt.Loader):
        """A JSON value of the database, opened where it is sealed."""

        def load(self, data: Any) -> Any:
            raw = bytes(data)
            value = json.loads(raw)
            return opener.json(value) if mark in raw else value

    for name in ("json", "jsonb"):
        connection.adapters.register_loader(name, Json)
