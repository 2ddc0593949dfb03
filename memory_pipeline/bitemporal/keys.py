"""Keyed hashes: how rows of the ledger match without holding what they match.

Every key is HMAC-SHA256 under one key of the installation (kept in Vault), over the parts in an
unambiguous encoding, led by a domain word so that keys of different use never coincide. Cut to
16 bytes: 2^64 rows before a collision is likely.
"""

import hashlib
import hmac
import re
import unicodedata
from datetime import UTC, datetime

N_BYTES = 16

Part = str | bytes | int | float | bool | datetime | None

_SPACES = re.compile(r"\s+")


def normal_text(text: str) -> str:
    """NFC with LF line ends: the form in which texts are stored, compared and counted."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def normal_name(name: str) -> str:
    """The form under which two spellings of a name are one: case, ё and spaces folded."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace("ё", "е")
    return _SPACES.sub(" ", folded).strip()


def _encode(part: Part) -> bytes:
    # the commonest first: a message has a dozen keys
    if isinstance(part, bytes):
        return b"y" + part
    if isinstance(part, str):
        return b"s" + str(part).encode("utf-8", "surrogatepass")
    if part is None:
        return b"n"
    if isinstance(part, bool):
        return b"b1" if part else b"b0"
    if isinstance(part, datetime):
        return b"t" + part.astimezone(UTC).isoformat(timespec="microseconds").encode()
    return type(part).__name__[0].encode() + str(part).encode()


class Keys:
    """Makes keyed hashes under the key of one installation."""

    def __init__(self, key: bytes) -> None:
        if len(key) < N_BYTES:
            raise ValueError("the key of keyed hashes must have at least 16 bytes")
        self._key = key

    def __repr__(self) -> str:
        return "Keys(…)"

    def of(self, domain: str, *parts: Part) -> bytes:
        """The 16-byte keyed hash of `parts` in `domain`. Parts are length-prefixed, so that no
        two lists of parts encode alike."""
        pieces = [domain.encode()]
        for part in parts:
            encoded = _encode(part)
            pieces += (len(encoded).to_bytes(8, "big"), encoded)
        return hmac.digest(self._key, b"".join(pieces), "sha256")[:N_BYTES]

    def file(self, tenant_id: int) -> "hmac.HMAC":
        """A running HMAC for the bytes of a file; feed it with `update`, cut its digest with
        `short`."""
        return hmac.new(self._key, b"file" + tenant_id.to_bytes(8, "big"), hashlib.sha256)

    @staticmethod
    def short(mac: "hmac.HMAC") -> bytes:
        """The 16-byte form of a running HMAC."""
        return mac.digest()[:N_BYTES]

    def dialog(self, tenant_id: int, namespace: str, native_id: str) -> bytes:
        """Key of a dialog: tenant, namespace, native id."""
        return self.of("dialog", tenant_id, namespace, native_id)

    def native_message(self, tenant_id: int, dialog_key: bytes, native_id: str) -> bytes:
        """Key of a message that its log gave an id."""
        return self.of("message", tenant_id, dialog_key, "id", native_id)

    def name(self, tenant_id: int, name: str) -> bytes:
        """Look-up key of a name in its normalised form."""
        return self.of("name", tenant_id, normal_name(name))

    def text(self, text: str) -> bytes:
        """Key of a message's text as first read, before any masking."""
        return self.of("text", text)

    def object(self, tenant_id: int, value_type: str, normal: str) -> bytes:
        """Key of an object: what makes two objects of one value type equal."""
        return self.of("object", tenant_id, value_type, normal)
