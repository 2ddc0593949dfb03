"""Keys of an installation that Vault keeps: made once, read by name."""

import base64
import contextlib
import secrets as random_bytes
from typing import Any

from memory_pipeline.governance.secrets import MOUNT, SecretStoreError


def installation_key(client: Any, name: str) -> bytes:
    """The 32-byte key `keys/<name>`, made at first use. `client` is Vault's, as ingest.

    Two processes that make it at once agree: the write asks that none exists. Raises
    `SecretStoreError`.
    """
    from hvac.exceptions import InvalidPath, InvalidRequest, VaultError
    from requests.exceptions import RequestException

    kv = client.secrets.kv.v2
    try:
        with contextlib.suppress(InvalidRequest):  # it exists
            kv.create_or_update_secret(
                path=f"keys/{name}",
                secret={"key": base64.b64encode(random_bytes.token_bytes(32)).decode()},
                cas=0,
                mount_point=MOUNT,
            )
        found = kv.read_secret_version(
            path=f"keys/{name}", mount_point=MOUNT, raise_on_deleted_version=True
        )
    except InvalidPath:
        raise SecretStoreError(f"Vault lost the key {name}") from None
    except (VaultError, RequestException) as error:
        raise SecretStoreError(f"Vault gave no key {name}: {type(error).__name__}") from None
    return base64.b64decode(found["data"]["data"]["key"])
