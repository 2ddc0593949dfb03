"""Secrets that a tenant has told, found where they are said again without a word that tells.

The invariant: whatever the order in which logs are read, no text keeps in clear a value that another
text of the tenant (or, of a short number or a plain word, of the same dialog) told as a secret. Values
are matched by their keyed hash, which outlives their erasure; nobody reads one.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.batches import alongside
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import setting
from memory_pipeline.understand.sensitive.find import find
from memory_pipeline.understand.sensitive.mask import mask, mask_name
from memory_pipeline.understand.sensitive.policy import load_policy
from memory_pipeline.understand.sensitive.repeated import Form, forms

SETTING = "secrets_sought"
"""The tenant's setting of the batch up to which told secrets were looked for in all of its content."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Characters [start, end) of a text that are a known secret."""

    start: int
    end: int
    type: str
    value_key: bytes = field(repr=False)


def find_repeats(
    connection: psycopg.Connection,
    keys: Keys,
    tenant_id: int,
    texts: Sequence[tuple[Hashable, str]],
    told: Mapping[bytes, frozenset[Hashable]] | None = None,
    weak_in: Collection[Hashable] | None = None,
) -> list[list[Repeat]]:
    """Of each text, beside its dialog (by id or key), the known secrets, in order, not overlapping.

    `told` are secrets that are not stored yet, with the dialogs that tell them. Short values are looked
    for in the dialogs `weak_in` alone, if given. One query for all texts, and one more where short
    values match."""
    made: dict[tuple[str, str], bytes] = {}
    types: dict[bytes, str] = {}
    found = [
        list(forms(text, telling_only=weak_in is not None and dialog not in weak_in))
        for dialog, text in texts
    ]
    for form in (form for some in found for form in some):
        for kind in form.kinds:
            if kind not in made:
                made[kind] = keys.of("secret", tenant_id, *kind)
                types[made[kind]] = kind[0]
    rows = connection.execute(
        "select distinct value_key from memory.secret"
        " where tenant_id = %s and value_key = any(%s)",
        (tenant_id, list(types)),
    ).fetchall()  # fmt: skip
    known = {bytes(value_key) for (value_key,) in rows} | (types.keys() & (told or {}))
    if not known:
        return [[] for _ in texts]
    weak = {
        made[kind]
        for some in found
        for form in some
        if not form.is_telling
        for kind in form.kinds
    } & known  # fmt: skip
    dialogs = _dialogs(connection, tenant_id, weak)
    for value_key in weak:
        dialogs.setdefault(value_key, set()).update((told or {}).get(value_key, ()))

    def matches(form: Form, dialog: Hashable) -> Repeat | None:
        for kind in form.kinds:
            value_key = made[kind]
            if value_key in known and (form.is_telling or dialog in dialogs[value_key]):
                return Repeat(form.start, form.end, kind[0], value_key)
        return None

    return [
        _apart([one for form in some if (one := matches(form, dialog)) is not None])
        for (dialog, _), some in zip(texts, found, strict=True)
    ]


def marked(
    text: str, found: Sequence[Repeat], numbers: Mapping[bytes, str]
) -> tuple[str, list[tuple[Repeat, int, int]]]:
    """The text with marks for what was found, and where they stand in it."""
    marks = dict(numbers)
    parts: list[str] = []
    placed: list[tuple[Repeat, int, int]] = []
    at = length = 0
    for one in found:
        mark = marks.get(one.value_key)
        n = 0
        while mark is None:
            n += 1
            name = mask_name(one.type, n)
            mark = None if name in text or name in marks.values() else name
        marks[one.value_key] = mark
        parts += (text[at : one.start], mark)
        length += one.start - at
        placed.append((one, length, length + len(mark)))
        length += len(mark)
        at = one.end
    parts.append(text[at:])
    return "".join(parts), placed


def without_known(
    connection: psycopg.Connection,
    keys: Keys,
    tenant_id: int,
    text: str,
    dialog: Hashable = None,
) -> str:
    """One text, that may belong to no dialog, without the known secrets that are said in it again."""
    (found,) = find_repeats(connection, keys, tenant_id, [(dialog, text)])
    return marked(text, found, {})[0]


def as_stored(
    connection: psycopg.Connection,
    keys: Keys,
    tenant_id: int,
    text: str,
    dialog: Hashable = None,
) -> str:
    """A text that somebody typed, as ingestion would store it: secrets come in through logs alone,
    which put them into Vault."""
    row = connection.execute(
        "select name from memory.tenant where tenant_id = %s", (tenant_id,)
    ).fetchone()
    policy = load_policy(None if row is None else str(row[0]))
    text, _ = mask(text, find(text, policy=policy))
    return without_known(connection, keys, tenant_id, text, dialog)


def _dialogs(
    connection: psycopg.Connection, tenant_id: int, value_keys: set[bytes]
) -> dict[bytes, set[Hashable]]:
    """The dialogs, by id and by key, in which secrets are told."""
    found: dict[bytes, set[Hashable]] = {}
    if value_keys:
        rows = connection.execute(
            "select distinct s.value_key, d.dialog_id, d.dialog_key from memory.secret as s"
            " join memory.secret_use as u using (secret_id)"
            " join memory.message as m using (message_id)"
            " join memory.dialog as d on d.dialog_id = m.dialog_id"
            " where s.tenant_id = %s and s.value_key = any(%s)",
            (tenant_id, list(value_keys)),
        ).fetchall()
        for value_key, dialog_id, dialog_key in rows:
            found.setdefault(bytes(value_key), set()).update((dialog_id, bytes(dialog_key)))
    return found


def _apart(found: list[Repeat]) -> list[Repeat]:
    """The longest of those that overlap."""
    kept: list[Repeat] = []
    for one in sorted(found, key=lambda r: (r.start - r.end, r.start)):
        if all(one.end <= other.start or other.end <= one.start for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda r: r.start)


# ---------- what is read while it is told


def telling_lock(tenant_id: int) -> str:
    """The lock that is shared by whoever looks known secrets up and then stores what it read: once it
    was had alone, whatever was read before some secrets were known can be seen."""
    return f"secrets told {tenant_id}"


@contextmanager
def looking_up(connection: psycopg.Connection, tenant_id: int) -> Iterator[None]:
    """While what is read is compared with known secrets and stored."""
    with alongside(connection, telling_lock(tenant_id)):
        yield


@dataclass(frozen=True)
class News:
    """What was told as a secret since content was last compared: up to which batch, whether any value
    is new, and in which dialogs something was told."""

    batch_no: int
    has_new: bool
    dialogs: frozenset[UUID]


def news(connection: psycopg.Connection, tenant_id: int) -> News | None:
    """What content has to be compared with; None if nothing was told since."""
    since = int(setting(connection, tenant_id, SETTING, 0))
    row = connection.execute(
        "select coalesce(max(batch_no), 0) from memory.batch where tenant_id = %s", (tenant_id,)
    ).fetchone()
    new = connection.execute(
        "select 1 from memory.secret as s join memory.batch as b using (batch_id)"
        " where s.tenant_id = %s and b.batch_no > %s limit 1",
        (tenant_id, since),
    ).fetchone()
    told = connection.execute(
        "select distinct m.dialog_id from memory.secret_use as u"
        " join memory.batch as b using (batch_id) join memory.message as m using (message_id)"
        " where m.tenant_id = %s and b.batch_no > %s",
        (tenant_id, since),
    ).fetchall()
    if row is None or not (new or told):
        return None
    return News(int(row[0]), new is not None, frozenset(dialog_id for (dialog_id,) in told))
