"""Message: one turn of a dialog, as a reader yields it."""

from pydantic import AwareDatetime, Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import Role, SentAtSource


class Attachment(Contract):
    """A file, picture or link beside a message's text; its caption is text that came with it."""

    kind: str
    name: str | None = None
    caption: str | None = None
    url: str | None = None
    media_type: str | None = None


class RawMessage(Contract):
    """One message as its file states it. Nothing here is inferred from neighbours.

    `dialog` is the log's own id of the dialog, unique inside `namespace`; `speaker_id` is the
    log's own id of the speaker, `speaker` the label people see, `speaker_alias` another name that
    the log knows that person by. `namespace` is where equal
    speaker labels mean one person (design: JSON Lines: the tenant, given as ""; LoCoMo: the
    sample; exports: the account). `ordinal` orders messages of equal time in the format's own
    terms. `position` counts records of the file from 1 (for JSON Lines: the line).
    """

    namespace: str = ""
    dialog: str = Field(min_length=1)
    dialog_title: str | None = None
    message_id: str | None = None
    speaker: str = Field(min_length=1)
    speaker_id: str | None = None
    speaker_alias: str | None = None
    role: Role = Role.user
    sent_at: AwareDatetime | None = None
    sent_at_source: SentAtSource = SentAtSource.none
    tz: str | None = None
    edited_at: AwareDatetime | None = None
    ordinal: int | None = None
    text: str
    attachments: tuple[Attachment, ...] = ()
    audience: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    quoted: bool = False
    position: int = Field(ge=1)


class BadRecord(Contract):
    """A record that a reader refused: named, kept whole for quarantine, the rest goes on.

    `reason` is a stable code (`invalid_json`, `missing_field`, `bad_field`, `not_utf8`,
    `too_large`, `future_time`, …); `problem` says it in words with the remedy and holds no
    content of the record.
    """

    position: int = Field(ge=1)
    field: str | None = None
    reason: str
    problem: str
    raw: bytes
