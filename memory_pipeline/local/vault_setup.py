"""What a Vault or OpenBao server is given once: engines, policies, AppRoles, the HMAC key.

Paths under `kv/`: `secrets/<random>` sensitive values; `keys/hmac` the key of keyed hashes, never
rewritten; `keys/subjects/<bundle>` data keys of sealed content; `erasure/<request>/<n>` what a request under
way erases, until its certificate.
"""

import base64
import hashlib
import secrets
import time
from typing import TYPE_CHECKING, Any

from memory_pipeline.local.credentials import Credentials
from memory_pipeline.local.errors import RightsError, ServiceError

if TYPE_CHECKING:
    import hvac

KV = "kv"
HMAC_PATH = "keys/hmac"
TOKEN_TTL = "1h"  # noqa: S105 - a duration
LOOPBACK_ADDRESSES = ["127.0.0.1/32"]

_KEEP_HMAC = f"""
path "{KV}/data/{HMAC_PATH}" {{ capabilities = ["read"] }}
path "{KV}/metadata/{HMAC_PATH}" {{ capabilities = ["deny"] }}
"""

POLICIES = {
    # writes values and never reads one back
    "ingest": f"""
path "{KV}/data/secrets/*" {{ capabilities = ["create", "update"] }}
path "{KV}/data/keys/*" {{ capabilities = ["create", "read", "update"] }}
{_KEEP_HMAC}""",
    "reveal": f"""
path "{KV}/data/secrets/*" {{ capabilities = ["read"] }}
""",
    # opens sealed content for who may read it in the database
    "opener": f"""
path "{KV}/data/keys/subjects/*" {{ capabilities = ["read"] }}
""",
    # deletes, and rewrites a bundle of data keys without the destroyed ones; reads no value
    "eraser": f"""
path "{KV}/metadata/*" {{ capabilities = ["list", "delete"] }}
path "{KV}/data/keys/subjects/*" {{ capabilities = ["read", "update"] }}
path "{KV}/data/erasure/*" {{ capabilities = ["create", "read", "update"] }}
path "transit/keys/*" {{ capabilities = ["read", "update", "delete"] }}
{_KEEP_HMAC}""",
    # sees which paths exist, no value; of an erasure under way what must be found nowhere
    "verifier": f"""
path "{KV}/metadata/*" {{ capabilities = ["list", "read"] }}
path "{KV}/data/erasure/*" {{ capabilities = ["read"] }}
path "transit/keys/*" {{ capabilities = ["list", "read"] }}
""",
    # repeats this set-up: new secret ids, newer policies
    "admin": f"""
path "sys/mounts" {{ capabilities = ["read"] }}
path "sys/mounts/*" {{ capabilities = ["create", "read", "update", "sudo"] }}
path "sys/auth" {{ capabilities = ["read"] }}
path "sys/auth/*" {{ capabilities = ["create", "read", "update", "sudo"] }}
path "sys/policies/acl/*" {{ capabilities = ["create", "read", "update"] }}
path "auth/approle/role/*" {{ capabilities = ["create", "read", "update", "delete", "list"] }}
path "{KV}/config" {{ capabilities = ["create", "read", "update"] }}
path "{KV}/data/{HMAC_PATH}" {{ capabilities = ["create", "read"] }}
""",
}


def client(addr: str, token: str | None = None) -> "hvac.Client":
    """A client of the server; no proxy of the environment is asked for a loopback address."""
    import hvac
    import requests

    session = requests.Session()
    session.trust_env = not addr.startswith("http://127.")
    # an empty token keeps hvac from looking for one in the environment and the home folder
    return hvac.Client(url=addr, token=token or "", session=session, timeout=30)


def login(addr: str, credentials: Credentials, section: str, role: str) -> "hvac.Client":
    """A client that has logged in as one of `POLICIES`; its token lives an hour.

    Raises `ServiceError` where the home has no credentials for the role or they are refused.
    """
    import hvac.exceptions

    role_id = credentials.get(section, f"{role}_role_id")
    secret_id = credentials.get(section, f"{role}_secret_id")
    if role_id is None or secret_id is None:
        raise ServiceError(f"the home has no credentials for the vault's role {role}")
    entered = client(addr)
    try:
        entered.auth.approle.login(role_id=role_id, secret_id=secret_id)
    except hvac.exceptions.VaultError as error:
        raise ServiceError(
            f"the vault refused the role {role} ({type(error).__name__}); set it up again"
        ) from None
    return entered


def set_up(admin: "hvac.Client", credentials: Credentials, section: str) -> None:
    """Make what is missing, bring policies up to date, keep new credentials of every role.

    Raises `RightsError` where the token may not.
    """
    import hvac.exceptions

    try:
        _engines(admin)
        _roles(admin, credentials, section)
        _hmac_key(admin)
        credentials.put(section, policies=_policies_hash())
    except hvac.exceptions.Forbidden:
        raise RightsError(
            "MEMORY_VAULT_TOKEN may not set the vault up; it needs what the policy admin of "
            "memory_pipeline/local/vault_setup.py lists"
        ) from None


def is_current(credentials: Credentials, section: str) -> bool:
    """Whether the server was set up with the policies as they are now."""
    return credentials.get(section, "policies") == _policies_hash()


def _policies_hash() -> str:
    return hashlib.sha256(repr(sorted(POLICIES.items())).encode()).hexdigest()


def _engines(admin: "hvac.Client") -> None:
    mounted = admin.sys.list_mounted_secrets_engines()["data"]
    if f"{KV}/" not in mounted:
        admin.sys.enable_secrets_engine("kv", path=KV, options={"version": "2"})
    if "transit/" not in mounted:
        admin.sys.enable_secrets_engine("transit")
    if "approle/" not in admin.sys.list_auth_methods()["data"]:
        admin.sys.enable_auth_method("approle")
    _patiently(lambda: admin.secrets.kv.v2.configure(max_versions=1, mount_point=KV))


def _roles(admin: "hvac.Client", credentials: Credentials, section: str) -> None:
    bound: dict[str, Any] = {}
    if admin.url.startswith("http://127."):
        bound = {
            "token_bound_cidrs": LOOPBACK_ADDRESSES,
            "secret_id_bound_cidrs": LOOPBACK_ADDRESSES,
        }
    for role, policy in POLICIES.items():
        name = f"memory-{role}"
        admin.sys.create_or_update_acl_policy(name, policy)
        admin.auth.approle.create_or_update_approle(
            name,
            token_policies=[name],
            token_no_default_policy=True,
            token_ttl=TOKEN_TTL,
            token_max_ttl=TOKEN_TTL,
            # not stored by the server: a login is no write
            token_type="batch",  # noqa: S106 - a kind of token
            **bound,
        )
        role_id = admin.auth.approle.read_role_id(name)["data"]["role_id"]
        secret_id = admin.auth.approle.generate_secret_id(name)["data"]["secret_id"]
        credentials.put(section, **{f"{role}_role_id": role_id, f"{role}_secret_id": secret_id})


def _hmac_key(admin: "hvac.Client") -> None:
    import hvac.exceptions

    try:
        admin.secrets.kv.v2.read_secret_version(
            HMAC_PATH, mount_point=KV, raise_on_deleted_version=True
        )
    except hvac.exceptions.InvalidPath:
        key = base64.b64encode(secrets.token_bytes(32)).decode()
        # cas=0: of two makers the first wins
        admin.secrets.kv.v2.create_or_update_secret(HMAC_PATH, {"key": key}, cas=0, mount_point=KV)


def read_hmac_key(reader: "hvac.Client") -> bytes:
    """The 32 bytes of the key of keyed hashes."""
    answer = reader.secrets.kv.v2.read_secret_version(
        HMAC_PATH, mount_point=KV, raise_on_deleted_version=True
    )
    return base64.b64decode(answer["data"]["data"]["key"])


def _patiently(attempt: Any, tries: int = 40) -> None:
    """KV v2 refuses requests for a moment after it was mounted."""
    import hvac.exceptions

    for remaining in reversed(range(tries)):
        try:
            attempt()
            return
        except (hvac.exceptions.InvalidRequest, hvac.exceptions.InternalServerError):
            if remaining == 0:
                raise
            time.sleep(0.1)
