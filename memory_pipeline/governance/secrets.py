"""Secret values in Vault: one random path a distinct value, written before any text is stored."""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

MOUNT = "kv"
N_WRITERS = 8  # the embedded server takes 80 writes a second from one writer, 175 from eight


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
        written before that stays and is harmless, since nothing refers to it."""
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
