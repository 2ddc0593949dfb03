"""Sealing bytes and files under a key that lives in Vault: AES-256-GCM (NIST SP 800-38D).

A sealed file is a sequence of chunks, so that files of any size are sealed and opened in flat
memory. Each chunk's nonce is the file's random prefix and the chunk's number; the last chunk is
marked in the associated data, so that a cut file does not open.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"MPSEAL1\n"
CHUNK_BYTES = 1 << 20
_NONCE_BYTES = 12
_PREFIX_BYTES = 8
_TAG_BYTES = 16


class SealError(Exception):
    """A sealed value does not open: wrong key, cut or altered."""


class Sealer:
    """Seals and opens under one 32-byte key."""

    def __init__(self, key: bytes) -> None:
        self._aead = AESGCM(key)

    def __repr__(self) -> str:
        return "Sealer(…)"

    def seal(self, value: bytes, context: bytes) -> bytes:
        """Nonce and ciphertext of `value`; `context` must be given again to open it."""
        nonce = os.urandom(_NONCE_BYTES)
        return nonce + self._aead.encrypt(nonce, value, context)

    def open(self, sealed: bytes, context: bytes) -> bytes:
        """The value. Raises `SealError`."""
        try:
            return self._aead.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], context)
        # a cut value has no whole nonce, which the cipher refuses by itself
        except (InvalidTag, ValueError):
            raise SealError("the sealed value does not open under this key") from None

    def seal_file(self, source: BinaryIO, target: Path) -> None:
        """Write `source` sealed to `target`: readable by the owner alone, whole or not at all."""
        partial = target.with_name(target.name + ".part")
        prefix = os.urandom(_PREFIX_BYTES)
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as out:
            out.write(MAGIC + prefix)
            chunk, number = source.read(CHUNK_BYTES), 0
            while True:
                following = source.read(CHUNK_BYTES)
                out.write(self._aead.encrypt(_nonce(prefix, number), chunk, _last(not following)))
                if not following:
                    break
                chunk, number = following, number + 1
            out.flush()
            os.fsync(out.fileno())
        partial.replace(target)

    def open_file(self, source: Path) -> Iterator[bytes]:
        """The chunks of a sealed file in clear. Raises `SealError`."""
        with source.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                raise SealError(f"{source.name} is not a sealed file")
            prefix = stream.read(_PREFIX_BYTES)
            size = CHUNK_BYTES + _TAG_BYTES
            chunk, number = stream.read(size), 0
            while True:
                following = stream.read(size)
                try:
                    yield self._aead.decrypt(_nonce(prefix, number), chunk, _last(not following))
                except (InvalidTag, ValueError):
                    raise SealError(f"{source.name} is cut or altered") from None
                if not following:
                    return
                chunk, number = following, number + 1


def _nonce(prefix: bytes, number: int) -> bytes:
    return prefix + number.to_bytes(4, "big")


def _last(is_last: bool) -> bytes:
    return b"last" if is_last else b"more"
