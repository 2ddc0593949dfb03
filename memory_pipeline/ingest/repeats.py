"""Secrets of a chunk that only other texts tell: said again without their word, or asked for before.

What detectors find in one text alone is masked already (`prepare`). Here the chunk's texts are compared
with what the tenant has told, in the store and in the chunk itself, and short answers with the question
that they answer.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import psycopg

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.message import RawMessage
from memory_pipeline.governance.known_secrets import Repeat, find_repeats, marked
from memory_pipeline.ingest.prepare import FoundSecret, Prepared
from memory_pipeline.understand.sensitive.asked import find_answer, is_short_answer
from memory_pipeline.understand.sensitive.mask import is_opaque

_BESIDE = (
    "namespace",
    "dialog",
    "dialog_title",
    "message_id",
    "speaker",
    "speaker_id",
    "speaker_alias",
)
_START = datetime.min.replace(tzinfo=UTC)


def mask_repeats(
    connection: psycopg.Connection, keys: Keys, tenant_id: int, chunk: Sequence[Prepared]
) -> list[Prepared]:
    """The messages with every secret masked that another text of the store or of the chunk tells."""
    answers = _answers(connection, keys, tenant_id, chunk)
    answered = [
        _masked(message, answers[n]) if n in answers else message for n, message in enumerate(chunk)
    ]
    told: dict[bytes, set[Hashable]] = defaultdict(set)
    for message in answered:
        for secret in message.secrets:
            told[secret.value_key].add(message.dialog_key)
    texts = list(dict.fromkeys(one for message in answered for one in _texts(message)))
    found = find_repeats(
        connection, keys, tenant_id, texts, {key: frozenset(told[key]) for key in told}
    )
    repeats = {text: some for text, some in zip(texts, found, strict=True) if some}
    if not repeats:
        return answered
    return [_without(message, repeats) for message in answered]


def _texts(message: Prepared) -> Iterator[tuple[Hashable, str]]:
    """All that is stored of a message as it was written, beside its dialog."""
    yield message.dialog_key, message.text
    beside = (getattr(message.raw, name) for name in _BESIDE)
    for text in (*beside, *message.raw.tags):
        if text and not is_opaque(text):
            yield message.dialog_key, text
    for attachment in message.attachments:
        for text in attachment.values():
            yield message.dialog_key, text


def _without(
    message: Prepared, repeats: Mapping[tuple[Hashable, str], Sequence[Repeat]]
) -> Prepared:
    def less(text: str) -> str:
        return marked(text, repeats.get((message.dialog_key, text), ()), {})[0]

    raw = message.raw
    beside: dict[str, object] = {
        name: less(text) for name in _BESIDE if (text := getattr(raw, name))
    }
    beside["tags"] = tuple(map(less, raw.tags))
    changed = {name: value for name, value in beside.items() if value != getattr(raw, name)}
    attachments = tuple(
        {name: less(text) for name, text in attachment.items()}
        for attachment in message.attachments
    )
    own = repeats.get((message.dialog_key, message.text), ())
    if changed or attachments != message.attachments:
        message = replace(message, raw=raw.model_copy(update=changed), attachments=attachments)
    return _masked(message, own) if own else message


def _masked(message: Prepared, found: Sequence[Repeat]) -> Prepared:
    """The message with further secrets taken out; one that it tells already keeps its number."""
    numbers = {s.value_key: message.text[s.start : s.end] for s in message.secrets}
    text, marks = marked(message.text, found, numbers)
    moved = [
        replace(secret, start=start, end=start + secret.end - secret.start)
        for secret in message.secrets
        for start in (
            secret.start
            + sum(end - begin - (one.end - one.start)
                  for one, begin, end in marks if one.end <= secret.start),
        )
    ]  # fmt: skip
    new = [
        FoundSecret(one.type, one.value_key, message.text[one.start : one.end], start, end)
        for one, start, end in marks
    ]
    return replace(
        message, text=text, secrets=tuple(sorted((*moved, *new), key=lambda secret: secret.start))
    )


# ---------- answers


def _answers(
    connection: psycopg.Connection, keys: Keys, tenant_id: int, chunk: Sequence[Prepared]
) -> dict[int, list[Repeat]]:
    """What messages of the chunk tell as the answer to the message before them, by their place."""
    by_dialog: dict[bytes, list[int]] = defaultdict(list)
    for n, message in enumerate(chunk):
        by_dialog[message.dialog_key].append(n)
    found: dict[int, list[Repeat]] = {}
    for dialog_key, places in by_dialog.items():
        if not any(is_short_answer(chunk[n].text) for n in places):
            continue
        for before, n in zip([None, *(order := _in_order(chunk, places))], order, strict=False):
            message = chunk[n]
            if not is_short_answer(message.text):
                continue
            asked = (
                chunk[before].text
                if before is not None
                else _stored_before(connection, tenant_id, dialog_key, message.raw)
            )
            spans = find_answer(asked, message.text) if asked else []
            if spans:
                found[n] = [
                    Repeat(
                        start,
                        end,
                        "password",
                        keys.of("secret", tenant_id, "password", message.text[start:end]),
                    )
                    for start, end in spans
                ]
    return found


def _in_order(chunk: Sequence[Prepared], places: Sequence[int]) -> list[int]:
    """Places of one dialog's messages as they were sent; one without a time stands where the file
    has it."""
    last = _START
    order: list[tuple[datetime, int]] = []
    for n in places:
        last = chunk[n].raw.sent_at or last
        order.append((last, n))
    return [n for _, n in sorted(order)]


def _stored_before(
    connection: psycopg.Connection, tenant_id: int, dialog_key: bytes, raw: RawMessage
) -> str | None:
    """The last stored message of a dialog that was sent before one that is being read."""
    row = connection.execute(
        "select c.text from memory.message as m"
        " join memory.dialog as d on d.dialog_id = m.dialog_id"
        " join memory.message_content as c on c.message_id = m.message_id"
        "  and c.dialog_id = m.dialog_id"
        " where d.tenant_id = %s and d.dialog_key = %s"
        "  and (%s::timestamptz is null or m.sent_at <= %s)"
        " order by m.sent_at desc nulls last, m.ordinal desc nulls last limit 1",
        (tenant_id, dialog_key, raw.sent_at, raw.sent_at),
    ).fetchone()
    return None if row is None else str(row[0])
