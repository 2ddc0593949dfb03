"""Data keys of sealed values in Vault: bundles of them, written once, read often, only ever shrunk.

`keys/subjects/<bundle>` holds `{"tenant_id": 1, "keys": {"<record, 32 hex><place, 2 hex>": "<base64>"}}`.
KV keeps one version, so a bundle that is written without a key has no trace of it; a bundle
without keys goes with its metadata.
"""

import threading
import time
from base64 import b64decode, b64encode
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple, Protocol
from uuid import UUID
from weakref import WeakValueDictionary

from memory_pipeline.governance.secrets import MOUNT, SecretStoreError

FOLDER = "keys/subjects"
BUNDLE_KEYS = 4_000  # some 400 kB; the embedded server refuses entries of more than 1 MiB
CACHE_SECONDS = 60.0
CACHED_KEYS = 200_000
_LOGIN_SECONDS = 1_800.0
_TRIES = 5

Login = Callable[[str], Any]
"""Gives a client of Vault in a role."""


class Slot(NamedTuple):
    """Whose key: a record, and the number of the column in `content_store.PLACES`."""

    record_id: UUID
    place: int

    @property
    def name(self) -> str:
        """What the key is called in its bundle."""
        return f"{self.record_id.hex}{self.place:02x}"


class Bundle(NamedTuple):
    """The keys of a bundle, by the name of their slot."""

    tenant_id: int
    keys: Mapping[str, bytes]


_GONE = Bundle(0, {})


class Growing(Protocol):
    """A bundle that is not kept yet."""

    @property
    def bundle(self) -> Bundle:
        """Its keys so far."""
        ...


class KeyRing:
    """Reads and writes bundles. Those read lately are kept for a minute, so that a destroyed key
    opens nothing for longer; safe to be used by several threads."""

    def __init__(self, login: Login) -> None:
        self._login = login
        self._lock = threading.RLock()
        self._clients: dict[str, tuple[float, Any]] = {}
        self._cache: OrderedDict[UUID, tuple[float, Bundle]] = OrderedDict()
        self._n_cached = 0
        self._growing: WeakValueDictionary[UUID, Growing] = WeakValueDictionary()

    def __repr__(self) -> str:
        return "KeyRing(…)"

    def grows(self, bundle_id: UUID, growing: Growing) -> None:
        """Let this process open what is sealed under a bundle while that is being written."""
        with self._lock:
            self._growing[bundle_id] = growing

    def keep(self, bundle_id: UUID, tenant_id: int, keys: Mapping[Slot, bytes]) -> None:
        """Write a new bundle, as ingest. Raises `SecretStoreError`; then nothing may be stored
        that was sealed under it."""
        secret = {
            "tenant_id": tenant_id,
            "keys": {slot.name: b64encode(key).decode() for slot, key in keys.items()},
        }
        with self._lock, _told():
            self._as(
                "ingest",
                lambda kv: kv.create_or_update_secret(
                    path=_path(bundle_id), secret=secret, cas=0, mount_point=MOUNT
                ),
            )
            self._growing.pop(bundle_id, None)
            self._remember(
                bundle_id, Bundle(tenant_id, {slot.name: key for slot, key in keys.items()})
            )

    def key(self, bundle_id: UUID, slot: Slot) -> tuple[bytes, int] | None:
        """The key and whose tenant's it is; None where it was destroyed. Raises
        `SecretStoreError` where Vault does not answer."""
        with self._lock:
            growing = self._growing.get(bundle_id)
            bundle = self._cached(bundle_id) if growing is None else growing.bundle
            if bundle is None:
                bundle = self.read(bundle_id)
                self._remember(bundle_id, bundle)
        key = bundle.keys.get(slot.name)
        return None if key is None else (key, bundle.tenant_id)

    def read(self, bundle_id: UUID, role: str = "opener") -> Bundle:
        """A bundle as Vault has it now; one without keys where it is gone. Raises
        `SecretStoreError`."""
        return self._read(bundle_id, role)[0]

    def _read(self, bundle_id: UUID, role: str) -> tuple[Bundle, int]:
        from hvac.exceptions import InvalidPath

        with self._lock, _told():
            try:
                answer = self._as(
                    role,
                    lambda kv: kv.read_secret_version(
                        path=_path(bundle_id), mount_point=MOUNT, raise_on_deleted_version=True
                    ),
                )
            except InvalidPath:
                return _GONE, 0
        found = answer["data"]["data"]
        keys = {name: b64decode(key) for name, key in found["keys"].items()}
        return Bundle(int(found["tenant_id"]), keys), int(answer["data"]["metadata"]["version"])

    def destroy(self, bundle_id: UUID, slots: Collection[Slot]) -> int:
        """Destroy keys of a bundle for good, as eraser; returns how many were there. Two that
        shrink one bundle at once do not bring a key back. Raises `SecretStoreError`."""
        from hvac.exceptions import InvalidRequest

        names = {slot.name for slot in slots}
        for remaining in reversed(range(_TRIES)):
            bundle, version = self._read(bundle_id, "eraser")
            kept = {
                name: b64encode(key).decode()
                for name, key in bundle.keys.items()
                if name not in names
            }
            n_there = len(bundle.keys) - len(kept)
            if not n_there:
                return 0
            with self._lock, _told():
                try:
                    self._as("eraser", partial(_shrink, bundle_id, bundle.tenant_id, kept, version))
                except InvalidRequest:
                    if remaining:
                        continue
                    raise
            self._forget(bundle_id)
            return n_there
        return 0

    def forget_all(self) -> None:
        """Ask Vault again for whatever is read next."""
        with self._lock:
            self._cache.clear()
            self._n_cached = 0

    def _cached(self, bundle_id: UUID) -> Bundle | None:
        found = self._cache.get(bundle_id)
        if found is None or time.monotonic() - found[0] > CACHE_SECONDS:
            return None
        self._cache.move_to_end(bundle_id)
        return found[1]

    def _remember(self, bundle_id: UUID, bundle: Bundle) -> None:
        self._forget(bundle_id)
        self._cache[bundle_id] = (time.monotonic(), bundle)
        self._n_cached += len(bundle.keys) + 1
        while self._n_cached > CACHED_KEYS and len(self._cache) > 1:
            self._forget(next(iter(self._cache)))

    def _forget(self, bundle_id: UUID) -> None:
        found = self._cache.pop(bundle_id, None)
        if found is not None:
            self._n_cached -= len(found[1].keys) + 1

    def _as(self, role: str, work: Callable[[Any], Any]) -> Any:
        """What `work` gives for the KV engine in a role, with a new login where the old one is
        over."""
        from hvac.exceptions import Forbidden

        try:
            return work(self._client(role).secrets.kv.v2)
        except Forbidden:
            self._clients.pop(role, None)
            return work(self._client(role).secrets.kv.v2)

    def _client(self, role: str) -> Any:
        made_at, client = self._clients.get(role, (0.0, None))
        if client is None or time.monotonic() - made_at > _LOGIN_SECONDS:
            client = self._login(role)
            self._clients[role] = (time.monotonic(), client)
        return client


def _shrink(
    bundle_id: UUID, tenant_id: int, kept: Mapping[str, str], version: int, kv: Any
) -> None:
    # written before it is removed: whoever shrinks it at the same time is refused
    kv.create_or_update_secret(
        path=_path(bundle_id),
        secret={"tenant_id": tenant_id, "keys": kept},
        cas=version,
        mount_point=MOUNT,
    )
    if not kept:
        kv.delete_metadata_and_all_versions(path=_path(bundle_id), mount_point=MOUNT)


def _path(bundle_id: UUID) -> str:
    return f"{FOLDER}/{bundle_id}"


@contextmanager
def _told() -> Iterator[None]:
    from hvac.exceptions import VaultError
    from requests.exceptions import RequestException

    try:
        yield
    except (VaultError, RequestException) as error:
        raise SecretStoreError(f"Vault and data keys: {type(error).__name__}") from None
