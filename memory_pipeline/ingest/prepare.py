"""From a reader's message to the rows of one: normalised, secrets taken out, keys made.

Nothing here touches a store. What leaves this module holds masks where the file held secrets.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory_pipeline.bitemporal.keys import Keys, normal_name, normal_text
from memory_pipeline.contracts.message import RawMessage
from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.contracts.vocabulary import SensitiveClass
from memory_pipeline.understand.language import detect_language
from memory_pipeline.understand.sensitive.mask import is_opaque, mask

Find = Callable[[str], Sequence[SensitiveSpan]]


@dataclass(frozen=True)
class FoundSecret:
    """A secret of a text: its type, key and normal form, and where its mask stands."""

    type: str
    value_key: bytes
    value: str
    start: int
    end: int

    def __repr__(self) -> str:
        return f"FoundSecret({self.type}, {self.start}..{self.end})"


@dataclass(frozen=True)
class Prepared:
    """One message ready to be stored. Offsets are code points of the masked `text`."""

    raw: RawMessage
    dialog_key: bytes
    message_key: bytes
    text_hash: bytes
    text: str
    lang: str
    secrets: tuple[FoundSecret, ...]
    speaker_key: bytes
    person_key: bytes
    attachments: tuple[dict[str, str], ...]


class Preparer:
    """Prepares the messages of one file, in its order.

    Memory grows only with the messages that have no native id: the how-manieth equal one of a
    file is part of such a message's key.
    """

    def __init__(self, keys: Keys, tenant_id: int, find: Find) -> None:
        self._keys = keys
        self._tenant_id = tenant_id
        self._find = find
        self._n_equal: Counter[bytes] = Counter()
        # titles and tags repeat with every message of a dialog
        self._masked = lru_cache(maxsize=4_096)(lambda text: self.take_out(text)[0])

    def prepare(self, raw: RawMessage) -> Prepared:
        """The message with keys, masked text and the secrets that were taken out."""
        keys, tenant_id = self._keys, self._tenant_id
        clear = normal_text(raw.text)
        dialog_key = keys.dialog(tenant_id, raw.namespace, raw.dialog)
        speaker = normal_name(raw.speaker)
        person = ("native", raw.speaker_id) if raw.speaker_id else ("label", speaker)
        text, secrets = self.take_out(clear)
        attachments = tuple(
            {
                name: self.take_out(normal_text(str(value)))[0]
                for name, value in attachment.model_dump(exclude_none=True).items()
            }
            for attachment in raw.attachments
        )
        # the log's own ids and names are content too; keys are made of what the log has
        beside = {
            "dialog_title": raw.dialog_title and self._masked(raw.dialog_title),
            "tags": tuple(map(self._masked, raw.tags)),
            "message_id": raw.message_id and self._masked_id(raw.message_id),
            **{
                name: self._masked(label)
                for name in ("namespace", "dialog", "speaker", "speaker_id", "speaker_alias")
                if (label := getattr(raw, name)) and not is_opaque(label)
            },
        }
        return Prepared(
            raw=raw.model_copy(update=beside),
            dialog_key=dialog_key,
            message_key=self._message_key(raw, dialog_key, speaker, clear),
            text_hash=keys.text(clear),
            text=text,
            lang=detect_language(clear),
            secrets=secrets,
            speaker_key=keys.of("entity", tenant_id, dialog_key, "speaker", *person),
            person_key=keys.of("person", tenant_id, raw.namespace, *person),
            attachments=attachments,
        )

    def _masked_id(self, native_id: str) -> str:
        return native_id if is_opaque(native_id) else self.take_out(native_id)[0]

    def take_out(self, clear: str) -> tuple[str, tuple[FoundSecret, ...]]:
        """The text with a numbered mask for every secret, and the secrets in order; equal values
        share a number."""
        secrets = [
            span for span in self._find(clear) if span.sensitive_class is SensitiveClass.secret
        ]
        if not secrets:
            return clear, ()
        text, offsets = mask(clear, secrets)
        return text, tuple(
            FoundSecret(
                span.type,
                self._keys.of("secret", self._tenant_id, span.type, span.normal),
                clear[span.start : span.end],
                start,
                end,
            )
            for span, (_, _, start, end) in zip(
                sorted(secrets, key=lambda span: span.start), offsets.pieces, strict=True
            )
        )

    def _message_key(self, raw: RawMessage, dialog_key: bytes, speaker: str, clear: str) -> bytes:
        if raw.message_id is not None:
            return self._keys.native_message(self._tenant_id, dialog_key, raw.message_id)
        equal = self._keys.of("message", self._tenant_id, dialog_key, raw.sent_at, speaker, clear)
        self._n_equal[equal[:8]] += 1
        return self._keys.of("message", equal, self._n_equal[equal[:8]])
