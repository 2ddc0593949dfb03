"""Secret values in Vault: one random path a distinct value, written before any text is stored.

The id of a value is marked as its database's own, for several may share one Vault: nobody else takes
it for a value that he lost.
"""

import hashlib
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg

MOUNT = "kv"
N_MARK = 6
"""The last bytes of an id, which tell whose it is."""
N_WRITERS = 8  # the embedded server takes 80 writes a second from one writer, 175 from eight


def secrets_lock(tenant_id: int) -> str:
    """The lock of a tenant (`batches.alone`) under which a value goes to Vault and gets its row: who
    has held it knows that what lies in Vault without a row is a dead run's."""
    return f"secrets {tenant_id}"


def use_lock(tenant_id: int) -> str:
    """The lock that is shared by whoever makes secrets known and then stores what uses them: a row
    that stood before it could be had alone, and that nothing uses after, is a dead run's."""
    return f"secrets in use {tenant_id}"


def identity(connection: psycopg.Connection[Any]) -> bytes:
    """What the database is known by, after a restore too; as ingest, verifier or eraser."""
    row = connection.execute("select memory.identity()").fetchone()
    if row is None or row[0] is None:
        raise SecretStoreError("the database's audit log has no first event")
    return bytes(row[0])


def new_id(identity: bytes) -> UUID:
    """A random id of a value of the database that is known by `identity`."""
    random = uuid4().bytes[:-N_MARK]
    return UUID(bytes=random + _mark(identity, random))


def is_own(identity: bytes, secret_id: UUID) -> bool:
    """Whether an id was made for the database that is known by `identity`."""
    return _mark(identity, secret_id.bytes[:-N_MARK]) == secret_id.bytes[-N_MARK:]


def _mark(identity: bytes, random: bytes) -> bytes:
    return hashlib.sha256(b"secret" + identity + random).digest()[:N_MARK]


class SecretStoreError(Exception):
    """Vault refused or could not be reached; carries no value."""


class SecretStore:
    """Writes and reads secret values under `secrets/<id>` of the KV mount.

    `client` is an authenticated `hvac.Client`; its role decides what is allowed.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def put(self, values: Mapping[UUID, str]) -> None:
        """Write every value under its id, concurrently. Raises `SecretStoreError`; what was
        written before that stays until the next run destroys it, since nothing refers to it."""
        if not values:
            return
        with ThreadPoolExecutor(N_WRITERS) as pool:
            list(pool.map(self._put_one, values.items()))

    def _put_one(self, item: tuple[UUID, str]) -> None:
        from hvac.exceptions import VaultError
        from requests.exceptions import RequestException

        secret_id, value = item
        try:
            self._client.secrets.kv.v2.create_or_update_secret(
                path=f"secrets/{secret_id}", secret={"value": value}, mount_point=MOUNT
            )
        except (VaultError, RequestException) as error:
            raise SecretStoreError(f"Vault did not take a value: {type(error).__name__}") from None

    def ids(self) -> set[UUID]:
        """Which values there are, as the verifier or eraser. Raises `SecretStoreError`."""
        from hvac.exceptions import InvalidPath, VaultError
        from requests.exceptions import RequestException

        try:
            listed = self._client.secrets.kv.v2.list_secrets(path="secrets", mount_point=MOUNT)
        except InvalidPath:
            return set()
        except (VaultError, RequestException) as error:
            raise SecretStoreError(f"Vault lists no values: {type(error).__name__}") from None
        return {found for name in listed["data"]["keys"] if (found := _id(name)) is not None}

    def destroy(self, secret_ids: Collection[UUID]) -> None:
        """Destroy values for good, as the eraser: with their metadata, since the deletion of a
        version alone can be undone. Raises `SecretStoreError`."""
        with ThreadPoolExecutor(N_WRITERS) as pool:
            list(pool.map(self._destroy_one, secret_ids))

    def _destroy_one(self, secret_id: UUID) -> None:
        from hvac.exceptions import VaultError
        from requests.exceptions import RequestException

        try:
            self._client.secrets.kv.v2.delete_metadata_and_all_versions(
                path=f"secrets/{secret_id}", mount_point=MOUNT
            )
        except (VaultError, RequestException) as error:
            raise SecretStoreError(f"Vault destroys no value: {type(error).__name__}") from None

    def get(self, secret_id: UUID) -> str:
        """The value. Raises `SecretStoreError` where the role may not read it or it is gone."""
        from hvac.exceptions import VaultError
        from requests.exceptions import RequestException

        try:
            answer = self._client.secrets.kv.v2.read_secret_version(
                path=f"secrets/{secret_id}", mount_point=MOUNT, raise_on_deleted_version=True
            )
        except (VaultError, RequestException) as error:
            raise SecretStoreError(f"Vault gave no value: {type(error).__name__}") from None
        return str(answer["data"]["data"]["value"])


def _id(name: str) -> UUID | None:
    """The id in a name of Vault; None for a name that nobody here gave."""
    try:
        return UUID(name)
    except ValueError:
        return None
