"""Hostile exports: each is refused with its reason, at once, and what is sound around it is read."""

import io
import json
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.ingest.readers.base import UnknownFormat, readers
from memory_pipeline.ingest.readers.slack import read_export
from tests.reading import ENDLESS_S, OPTIONS, read_raw

MESSAGE = '{"id": 1, "type": "message", "date_unixtime": "1746514800", "from": "A", "text": "a"}'


def chat(*rows: str, end: str = "]}") -> bytes:
    return ('{"id": "4", "name": "x", "messages": [' + ", ".join(rows) + end).encode()


def row(**changes: Any) -> str:
    return json.dumps({**json.loads(MESSAGE), "id": 2, **changes}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("hostile", "reason"),
    [
        ('{"id": 2, "id": 3}', "duplicate_key"),
        ('{"id": NaN}', "bad_number"),
        ('{"id": -Infinity}', "bad_number"),
        ('{"id": ' + "9" * 5000 + "}", "bad_number"),
        ('{"text": "\\ud83d"}', "bad_text"),
        ('{"text": "\\u0000"}', "bad_text"),
        ('{"text": "a\tb"}', "invalid_json"),
        ('{"a" "b"}', "invalid_json"),
        ('{"a": tru}', "invalid_json"),
        ('{"a": [1, 2}]', "invalid_json"),
        ("[" * 70 + "]" * 70, "too_complex"),
        ("[" * 100_000 + "]" * 100_000, "too_complex"),
        ("[" + "{}," * 250_000 + "{}]", "too_complex"),
        ("7", "not_object"),
        ('"text"', "not_object"),
        ("null", "not_object"),
        (row(text={"a": 1}), "bad_field"),
        (row(text=[{"type": "bold"}]), "bad_field"),
        (row(text="я" * 600_000), "too_large"),
        (row(date_unixtime="1e400"), "bad_field"),
        (row(date_unixtime="5"), "bad_field"),
        (row(date_unixtime=10**30), "bad_field"),
        (row(**{"from": "x" * 5000}), "bad_field"),
        (row(**{"from": ["x"]}), "bad_field"),
    ],
    ids=lambda value: value[:24],
)
def test_a_hostile_message_is_refused_alone_and_at_once(hostile: str, reason: str) -> None:
    raw = chat(MESSAGE, hostile, MESSAGE)
    started = time.process_time()
    first, bad, last = read_raw(raw, "telegram")
    assert time.process_time() - started < ENDLESS_S
    assert isinstance(bad, BadRecord)
    assert (bad.reason, bad.position) == (reason, 2)
    # a row that could be parsed is kept as an export of its own
    kept = hostile.encode() if b'"messages"' not in bad.raw else chat(hostile)
    assert bad.raw == kept[: 1024 * 1024]
    assert isinstance(first, RawMessage)
    assert isinstance(last, RawMessage)


@pytest.mark.parametrize(
    ("raw", "n_read", "reason"),
    [
        (chat(MESSAGE, MESSAGE, end=""), 2, "invalid_json"),
        (chat(MESSAGE, MESSAGE[:-20], end=""), 1, "invalid_json"),
        (chat(MESSAGE) + b"]", 1, "invalid_json"),
        (chat(MESSAGE, MESSAGE + " " + MESSAGE), 2, "invalid_json"),
        (chat(MESSAGE, end='], "messages": []}'), 1, "duplicate_key"),
        (chat(MESSAGE, '"' + "x" * 3_000_000, end=""), 1, "too_large"),
        (chat(MESSAGE, '{"a": "' + "x" * 3_000_000 + '"}', MESSAGE), 1, "too_large"),
        (chat(MESSAGE, '{"a": [' + "1," * 1_500_000 + "1]}", MESSAGE), 1, "too_large"),
        (chat(MESSAGE, '{"a": [' + "[1]," * 700_000 + "1]}", MESSAGE), 2, "too_large"),
    ],
    ids=lambda value: str(value)[-24:],
)
def test_after_a_defect_between_messages_what_came_before_stays(
    raw: bytes, n_read: int, reason: str
) -> None:
    small = replace(OPTIONS, max_document_bytes=1024 * 1024)
    found = read_raw(raw, "telegram", small)
    assert sum(isinstance(record, RawMessage) for record in found) == n_read
    assert [r.reason for r in found if isinstance(r, BadRecord)] == [reason]


def test_keys_that_are_passed_over_may_hold_anything_and_an_export_may_be_empty() -> None:
    raw = b'{"about": {"messages": [{}], "x": "]}\\"{"}, "id": 4, "messages": [], "from_id": 1}'
    assert read_raw(raw, "telegram") == []


SAMPLES = {
    "chatgpt": b'[{"conversation_id": "c", "current_node": "q", "mapping": {"q": {"parent": null,'
    b' "message": {"id": "m", "author": {"role": "user"}, "content": {"parts": ["a"]}}}}}]',
    "claude": b'[{"uuid": "c", "chat_messages": [{"uuid": "m", "sender": "human", "text": "a",'
    b' "created_at": "2025-05-06T00:00:00Z"}]}]',
    "telegram": chat(MESSAGE),
    "discord": b'{"guild": {}, "channel": {"id": "2"}, "messages": [{"id": "1", "type": "Default",'
    b' "timestamp": "2025-05-06T10:00:00Z", "content": "a", "author": {"id": "7", "name": "A"}}]}',
    "instagram": b'{"messages": [{"sender_name": "A", "timestamp_ms": 1746514800000,'
    b' "content": "a"}]}',
    "signal": b"[2025-05-06, 10:00] A: a\n",
    "whatsapp": b"06.05.25, 10:00 - A: a\n",
}


@pytest.mark.parametrize("name", SAMPLES)
@given(st.integers(0, 400), st.binary(max_size=6), st.integers(0, 6))
def test_a_damaged_export_is_read_or_refused_and_never_raises(
    name: str, at: int, put: bytes, n_cut: int
) -> None:
    raw = SAMPLES[name]
    at %= len(raw)
    damaged = raw[:at] + put + raw[at + n_cut :]
    try:
        found = read_raw(damaged)
    except UnknownFormat:
        return
    assert all(isinstance(record, RawMessage | BadRecord) for record in found)


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=3)
    | st.sampled_from([10**400, -1, 2**63, "1746514800", "q", [["q"]], {"q": {"q": "q"}}]),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.text(max_size=3), below),
    max_leaves=4,
)  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values below a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, item in inner:
        found.append((*path, key))
        found += places(item, (*path, key)) if isinstance(item, dict | list) else []
    return found


SLACK_ROW = {
    "type": "message",
    "subtype": "file_share",
    "user": "U1",
    "text": "<@U1>",
    "ts": "1746514800.0001",
    "edited": {"ts": "1746514801.0"},
    "files": [{"name": "a"}],
    "attachments": [{"text": "a", "author_name": "A"}],
}


@pytest.mark.parametrize("name", [*[*SAMPLES][:5], "slack"])
@given(st.data())
def test_any_value_in_any_place_is_read_or_refused_and_never_raises(
    name: str, data: st.DataObject
) -> None:
    whole = [SLACK_ROW] if name == "slack" else json.loads(SAMPLES[name])
    whole = json.loads(json.dumps(whole))
    *path, last = data.draw(st.sampled_from(places(whole)))
    holder = whole
    for key in path:
        holder = holder[key]
    holder[last] = data.draw(VALUES)
    stream = io.BytesIO(json.dumps(whole).encode())
    if name == "slack":
        found = list(read_export([("general/2025-05-06.json", stream)], OPTIONS))
    else:
        reader = next(reader for reader in readers() if reader.name == name)
        found = list(reader.read(stream, OPTIONS))
    assert all(isinstance(record, RawMessage | BadRecord) for record in found)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_one_message_of_its_own_format(name: str) -> None:
    (only,) = read_raw(SAMPLES[name], name)
    assert isinstance(only, RawMessage)
    assert (only.text, only.position) == ("a", 1)
    recognising = [r.name for r in readers() if r.recognises(SAMPLES[name], "export")]
    assert recognising[0] == name


@pytest.mark.parametrize("name", SAMPLES)
def test_a_refusal_repeats_nothing_of_the_export(name: str) -> None:
    spoilt = SAMPLES[name].replace(b'"a"', b'"canary\\u0000"').replace(b": a", b": canary\x00")
    (bad,) = read_raw(spoilt, name)
    assert isinstance(bad, BadRecord)
    assert "canary" not in bad.problem


LATER = [
    (
        "chatgpt",
        b'[{"conversation_id": "c", "title": "T", "current_node": "a", "mapping": {"q": {"parent":'
        b' null, "message": {"id": "m", "author": {"role": "user"}, "content": {"parts": ["q"]}}},'
        b' "a": {"parent": "q", "message": {"id": "n", "author": {"role": "assistant"},'
        b' "create_time": 1770000000, "content": {"parts": ["a"]}}}}}]',
    ),
    ("claude", SAMPLES["claude"].replace(b"2025", b"2026")),
    ("telegram", SAMPLES["telegram"].replace(b"1746514800", b"1770000000")),
    ("discord", SAMPLES["discord"].replace(b"2025", b"2026")),
    ("instagram", SAMPLES["instagram"].replace(b"1746514800000", b"1770000000000")),
    ("signal", SAMPLES["signal"].replace(b"2025", b"2026") + b"[2025-05-07, 10:00] A: b"),
    ("whatsapp", SAMPLES["whatsapp"] + b"13.05.26, 10:00 - A: b"),
]


@pytest.mark.parametrize(("name", "raw"), LATER)
def test_a_message_read_again_from_quarantine_is_the_one_its_file_holds(
    name: str, raw: bytes
) -> None:
    early = replace(OPTIONS, now=datetime(2025, 12, 1, tzinfo=UTC))
    (waiting,) = (r for r in read_raw(raw, name, early) if isinstance(r, BadRecord))
    reader = next(reader for reader in readers() if reader.name == name)
    in_archive = next(reader for reader in readers() if reader.name == "archive")
    whole = {r.model_copy(update={"ordinal": None, "position": 1}) for r in read_raw(raw, name)}
    for again in (reader, in_archive):
        found = list(again.read(io.BytesIO(waiting.raw), OPTIONS))
        if name in ("signal", "whatsapp"):
            # alone it does not say which chat it is of: only its file can be read again
            assert any(isinstance(record, BadRecord) for record in found)
        else:
            (only,) = found
            assert only.model_copy(update={"ordinal": None, "position": 1}) in whole
