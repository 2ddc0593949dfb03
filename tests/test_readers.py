"""Readers take every sound record of a log, and name place, reason and remedy of the others."""

import io
import json
import os
import random
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers.base import ReadOptions, UnknownFormat, choose, readers
from memory_pipeline.ingest.readers.jsonl import JsonLinesReader
from memory_pipeline.ingest.readers.locomo import LocomoReader

OPTIONS = ReadOptions(now=datetime(2025, 12, 1, tzinfo=UTC), tz="Europe/Moscow")

LINE: dict[str, Any] = {
    "dialog_id": "d1",
    "speaker": "Инга",
    "role": "user",
    "sent_at": "2025-05-06T10:00:00+05:00",
    "text": "еду на дачу",
}

SHARED = Path(
    os.environ.get("MEMORY_PIPELINE_SHARED_DATA")
    or Path(__file__).parents[1].parent / "shared" / "data"
)


def line(**changes: Any) -> bytes:
    return json.dumps({**LINE, **changes}, ensure_ascii=False).encode()


def read(*lines: bytes, options: ReadOptions = OPTIONS) -> list[RawMessage | BadRecord]:
    return list(JsonLinesReader().read(io.BytesIO(b"\n".join(lines)), options))


def read_one(raw: bytes, options: ReadOptions = OPTIONS) -> RawMessage:
    (message,) = read(raw, options=options)
    assert isinstance(message, RawMessage), message
    return message


def refuse_one(raw: bytes, options: ReadOptions = OPTIONS) -> BadRecord:
    (bad,) = read(raw, options=options)
    assert isinstance(bad, BadRecord), bad
    return bad


def test_a_line_gives_the_message_as_it_states_it() -> None:
    message = read_one(
        line(
            message_id=17,
            turn=3,
            tz="Asia/Yekaterinburg",
            audience=["team", "team"],
            tags="дом",
            edited_at="2025-05-06T11:00:00+05:00",
            attachments=[{"kind": "image", "caption": "крыльцо", "width": 3}, "план.pdf"],
        )
    )
    assert message.message_id == "17"
    assert message.ordinal == 3
    assert message.tz == "Asia/Yekaterinburg"
    assert message.audience == ("team",)
    assert message.tags == ("дом",)
    assert message.sent_at == datetime(2025, 5, 6, 5, tzinfo=UTC)
    assert message.sent_at_source is SentAtSource.stated
    assert message.edited_at == datetime(2025, 5, 6, 6, tzinfo=UTC)
    assert [(a.kind, a.name, a.caption) for a in message.attachments] == [
        ("image", None, "крыльцо"),
        ("file", "план.pdf", None),
    ]


def test_bad_lines_are_named_and_the_rest_goes_on() -> None:
    records = read(
        line(text="first"),
        '{"text": "кириллица в cp1251"}'.encode("cp1251"),
        b"",
        line(sent_at="2025-12-03T00:00:00+03:00"),
        line(text="second"),
        line()[:-10],
    )
    assert [r.text if isinstance(r, RawMessage) else (r.position, r.reason) for r in records] == [
        "first",
        (2, "not_utf8"),
        (4, "future_time"),
        "second",
        (6, "invalid_json"),
    ]


@pytest.mark.parametrize(
    ("raw", "reason", "field"),
    [
        (b'{"dialog_id": "a", "dialog_id": "b"}', "duplicate_key", None),
        (b'{"dialog_id": "a", "turn": NaN}', "bad_number", None),
        (b'{"turn": ' + b"9" * 5000 + b"}", "bad_number", None),
        (b'{"text": "\\ud83d"}', "bad_text", None),
        (b'{"text": "a\\u0000b"}', "bad_text", None),
        (b'{"text": "a\tb"}', "invalid_json", None),
        (b'{"x": ' + b"[" * 70 + b"]" * 70 + b"}", "too_complex", None),
        (b"[" * 100_000, "too_complex", None),
        (b"[" + b"{}," * 300_000 + b"{}]", "too_complex", None),
        (b"[1, 2]", "not_object", None),
        (b'"text"', "not_object", None),
        (line(text=None), "missing_field", "text"),
        (line(dialog_id=None), "missing_field", "dialog_id"),
        (line(speaker=None), "missing_field", "speaker"),
        (line(speaker=" "), "bad_field", "speaker"),
        (line(dialog_id="x" * 2000), "bad_field", "dialog_id"),
        (line(dialog_id=True), "bad_field", "dialog_id"),
        (line(role="narrator"), "bad_field", "role"),
        (line(text=["a"]), "bad_field", "text"),
        (line(sent_at="yesterday"), "bad_field", "sent_at"),
        (line(sent_at=12), "bad_field", "sent_at"),
        (line(sent_at=True), "bad_field", "sent_at"),
        (line(sent_at="0001-01-01T00:00:00+14:00"), "bad_field", "sent_at"),
        (line(sent_at="2031-01-01T00:00:00"), "future_time", "sent_at"),
        (line(edited_at="2025-05-05T00:00:00Z"), "bad_field", "edited_at"),
        (line(tz="Moscow/../.."), "bad_field", "tz"),
        (line(turn=-1), "bad_field", "turn"),
        (line(audience=[""]), "bad_field", "audience"),
        (line(audience={"team": 1}), "bad_field", "audience"),
        (line(attachments=[{"url": 5}]), "bad_field", "attachments"),
        (line(text="я" * 2_600_000), "too_large", "text"),
        (line(text="a" * 9_000_000), "too_large", None),
    ],
    ids=lambda value: value[:30].decode("utf-8", "replace") if isinstance(value, bytes) else value,
)
def test_a_hostile_line_is_refused_with_its_reason(
    raw: bytes, reason: str, field: str | None
) -> None:
    bad = refuse_one(raw)
    assert (bad.reason, bad.field, bad.position) == (reason, field, 1)
    kept = raw[: OPTIONS.max_record_bytes]
    assert bad.raw == kept
    if len(kept) < len(raw):
        assert "are kept here" in bad.problem


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1))
def test_any_text_comes_through_unchanged(text: str) -> None:
    assert read_one(line(text=text)).text == text


@given(st.lists(st.binary(max_size=40)))
def test_any_bytes_are_read_or_refused_and_never_raise(lines: list[bytes]) -> None:
    joined = b"\n".join(lines)
    # a byte order mark counts for nothing at a file's beginning alone
    n_filled = sum(1 for part in joined.removeprefix(b"\xef\xbb\xbf").split(b"\n") if part.strip())
    assert len(read(joined)) <= n_filled + 1
    assert all(isinstance(record, BadRecord) for record in read(joined))


def test_a_refusal_repeats_nothing_of_the_record() -> None:
    for raw in (
        b'{"text": "canary',
        b'{"canary": 1, "canary": 2}',
        line(role="canary"),
        line(sent_at="canary"),
        line(tz="canary"),
        line(dialog_id=None, text="canary"),
        '{"text": "canary" é'.encode("latin-1"),
    ):
        bad = refuse_one(raw)
        assert "canary" not in bad.problem
        assert b"canary" in bad.raw


def test_a_message_without_a_time_is_read_as_one() -> None:
    message = read_one(line(sent_at=None))
    assert message.sent_at is None
    assert message.sent_at_source is SentAtSource.none


@pytest.mark.parametrize(
    ("stated", "tz", "moment"),
    [
        ("2025-05-06T10:00:00", None, "2025-05-06T07:00:00Z"),
        ("2025-05-06T10:00:00", "Europe/London", "2025-05-06T09:00:00Z"),
        ("2025-05-06T10:00:00Z", "Europe/London", "2025-05-06T10:00:00Z"),
        ("2025-05-06 10:00", None, "2025-05-06T07:00:00Z"),
        ("2025-05-06", None, "2025-05-05T21:00:00Z"),
        # shown twice: the first pass, still summer time
        ("2025-10-26T01:30:00", "Europe/London", "2025-10-26T00:30:00Z"),
        # skipped: as if the clock had not been moved yet
        ("2025-03-30T01:30:00", "Europe/London", "2025-03-30T01:30:00Z"),
        (1746514800, "Europe/London", "2025-05-06T07:00:00Z"),
        (1746514800.5, None, "2025-05-06T07:00:00.5Z"),
        (1746514800123, None, "2025-05-06T07:00:00.123Z"),
    ],
)
def test_times_are_read_in_the_zone_that_is_stated_nearest(
    stated: object, tz: str | None, moment: str
) -> None:
    message = read_one(line(sent_at=stated, tz=tz))
    assert message.sent_at == datetime.fromisoformat(moment)
    assert message.tz == tz


def test_a_day_ahead_is_still_the_present() -> None:
    ahead = OPTIONS.now + timedelta(hours=23, minutes=59)
    assert read_one(line(sent_at=ahead.isoformat())).sent_at == ahead


def test_byte_order_mark_and_crlf_change_nothing() -> None:
    plain = read(line(text="a"), line(text="b"))
    marked = b"\xef\xbb\xbf" + line(text="a") + b"\r\n" + line(text="b") + b"\r\n"
    assert read(marked) == plain


def test_a_line_without_a_role_is_a_persons_unless_its_label_is_a_roles_word() -> None:
    assert read_one(line(role=None)).role is Role.user
    assert read_one(line(role=None, speaker="Assistant")).role is Role.assistant


def test_a_dialog_line_gives_its_messages_in_order() -> None:
    dialog = {
        "id": "chat-9",
        "title": "Ремонт",
        "tz": "Europe/Moscow",
        "audience": ["family"],
        "messages": [
            {"role": "developer", "content": "Отвечай кратко."},
            {"role": "user", "name": "Инга", "content": "сколько краски на 12 м²?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "calc", "arguments": "{}"},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "2.4"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "вот стена"},
                    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
                    {"type": "image_url", "image_url": {"url": "https://files.example/wall.png"}},
                    {"type": "hologram"},
                ],
                "audience": ["private"],
            },
        ],
    }
    messages = [
        record
        for record in read(json.dumps(dialog, ensure_ascii=False).encode())
        if isinstance(record, RawMessage)
    ]
    assert [(m.speaker, m.role, m.text) for m in messages] == [
        ("system", Role.system, "Отвечай кратко."),
        ("Инга", Role.user, "сколько краски на 12 м²?"),
        ("assistant", Role.assistant, ""),
        ("tool", Role.tool, "2.4"),
        ("user", Role.user, "вот стена"),
    ]
    assert {(m.dialog, m.dialog_title, m.position) for m in messages} == {("chat-9", "Ремонт", 1)}
    assert [m.ordinal for m in messages] == [1, 2, 3, 4, 5]
    assert [m.speaker_id for m in messages[:2]] == ["chat-9#system", None]
    assert [m.audience for m in messages[3:]] == [("family",), ("private",)]
    assert all(m.sent_at is None for m in messages)
    assert [(a.kind, a.name) for a in messages[2].attachments] == [("tool_call", "calc")]
    assert [(a.kind, a.url, a.media_type) for a in messages[4].attachments] == [
        ("image", None, "image/png"),
        ("image", "https://files.example/wall.png", None),
        ("unknown", None, None),
    ]


def test_a_bad_message_of_a_dialog_line_does_not_take_the_others_with_it() -> None:
    raw = json.dumps(
        {
            "dialog_id": "d",
            "messages": [
                {"role": "user", "content": "a"},
                {"role": "user"},
                {"role": "bard", "content": "b"},
                {"role": "assistant", "content": "c"},
            ],
        }
    ).encode()
    *good, bad = read(raw)
    assert [m.ordinal for m in good if isinstance(m, RawMessage)] == [1, 4]
    assert isinstance(bad, BadRecord)
    assert (bad.reason, bad.field, bad.raw) == ("missing_field", "messages[1].content", raw)
    assert "2 of 4" in bad.problem


def test_a_dialog_without_an_id_is_the_same_wherever_it_stands() -> None:
    def dialog(text: str, **order: str) -> bytes:
        return json.dumps({"messages": [{**order, "role": "user", "content": text}]}).encode()

    def names(*lines: bytes) -> list[str]:
        return [m.dialog for m in read(*lines) if isinstance(m, RawMessage)]

    first, second = names(dialog("caf\u00e9\n"), dialog("tea"))
    assert first != second
    assert names(line(), dialog("tea"), dialog("cafe\u0301\r\n")) == ["d1", second, first]


def test_an_unnamed_user_is_tied_to_the_dialog() -> None:
    lines = [
        json.dumps({"id": i, "messages": [{"role": "user", "content": "hi"}]}).encode()
        for i in ("a", "b")
    ]
    assert [m.speaker_id for m in read(*lines) if isinstance(m, RawMessage)] == ["a#user", "b#user"]


def test_memory_stays_flat_over_a_long_file() -> None:
    class Endless(io.RawIOBase):
        """Sixty megabytes: lines of a kilobyte, and one line of forty megabytes."""

        def __init__(self) -> None:
            small = line(text="x" * 1000) + b"\n"
            self.parts: Iterator[bytes] = iter(
                [small * 1000] * 10 + [b"y" * 1_000_000] * 40 + [b"\n"] + [small * 1000] * 10
            )
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.rest = self.rest or next(self.parts, b"")
            n = min(len(buffer), len(self.rest))
            buffer[:n], self.rest = self.rest[:n], self.rest[n:]
            return n

    stream = io.BufferedReader(Endless())
    tracemalloc.start()
    n_read = n_refused = 0
    for record in JsonLinesReader().read(stream, OPTIONS):
        n_read += isinstance(record, RawMessage)
        n_refused += isinstance(record, BadRecord)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (n_read, n_refused) == (20_000, 1)
    assert peak < 4 * OPTIONS.max_line_bytes


LOCOMO: dict[str, Any] = {
    "qa": [],
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "later"}],
        "session_2_date_time": "12:09 am on 13 September, 2023",
        "session_10_date_time": "in spring",
        "session_10": [{"speaker": "Ana", "dia_id": "D10:1", "text": "last"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "hello"},
            {"speaker": "Bo", "dia_id": "D1:2"},
            {
                "speaker": "Bo",
                "dia_id": "D1:3",
                "img_url": ["https://img.example/dog.jpg"],
                "blip_caption": "a photo of a dog",
                "query": "dog",
            },
        ],
    },
}


def read_locomo(document: Any) -> list[RawMessage | BadRecord]:
    stream = io.BytesIO(json.dumps(document).encode())
    return list(LocomoReader().read(stream, OPTIONS))


def test_a_locomo_sample_is_one_dialog_with_the_times_of_its_sessions() -> None:
    records = read_locomo([LOCOMO])
    assert [
        (r.message_id, r.ordinal) if isinstance(r, RawMessage) else (r.reason, r.field)
        for r in records
    ] == [
        ("D1:1", 1),
        ("missing_field", "[0].session_1[1].text"),
        ("D1:3", 3),
        ("D2:1", 4),
        ("bad_field", "[0].session_10_date_time"),
        ("D10:1", 5),
    ]
    messages = [r for r in records if isinstance(r, RawMessage)]
    assert {(m.dialog, m.namespace, m.role) for m in messages} == {("conv-1", "conv-1", Role.user)}
    assert [m.sent_at and m.sent_at.isoformat() for m in messages] == [
        "2023-05-08T13:56:00+03:00",
        "2023-05-08T13:56:00+03:00",
        "2023-09-13T00:09:00+03:00",
        None,
    ]
    assert [m.sent_at_source.value for m in messages] == ["dialog", "dialog", "dialog", "none"]
    (picture,) = messages[1].attachments
    assert (messages[1].text, picture.caption, picture.name, picture.url) == (
        "",
        "a photo of a dog",
        "dog",
        "https://img.example/dog.jpg",
    )


def test_a_locomo_sample_or_a_bare_conversation_reads_like_a_list_of_them() -> None:
    assert read_locomo(LOCOMO) == read_locomo([LOCOMO])
    bare = [r for r in read_locomo(LOCOMO["conversation"]) if isinstance(r, RawMessage)]
    assert [m.message_id for m in bare] == ["D1:1", "D1:3", "D2:1", "D10:1"]
    assert len({m.dialog for m in bare}) == 1


@pytest.mark.skipif(not (SHARED / "locomo").is_dir(), reason="the shared data is not here")
def test_the_locomo_file_is_read_whole() -> None:
    path = SHARED / "locomo" / "locomo_dev.json"
    turns = [
        (sample["sample_id"], turn, sample["conversation"][f"{session}_date_time"])
        for sample in json.loads(path.read_bytes())
        for session, listed in sample["conversation"].items()
        if isinstance(listed, list)
        for turn in listed
    ]
    with path.open("rb") as stream:
        assert choose(stream.read(4096), path.name).name == "locomo"
        stream.seek(0)
        messages = list(LocomoReader().read(stream, OPTIONS))
    by_id = {(m.dialog, m.message_id): m for m in messages if isinstance(m, RawMessage)}
    assert len(by_id) == len(messages) == len(turns)
    for sample_id, turn, stated in turns:
        message = by_id[sample_id, turn["dia_id"]]
        assert message.text == turn["text"]
        assert message.sent_at is not None
        assert f"{message.sent_at:%-I:%M %p on %-d %B, %Y}".lower() == stated.lower()
        captions = [a.caption for a in message.attachments if a.caption]
        assert captions == ([turn["blip_caption"]] if turn.get("blip_caption") else [])


@pytest.mark.parametrize(
    ("head", "name", "reader"),
    [
        (line() + b"\n", "a.txt", "jsonl"),
        (line()[:40], "a", "jsonl"),
        (line()[-30:] + b"\n" + line(), "a", "jsonl"),
        (b"\xef\xbb\xbf\r\n" + line(), "a", "jsonl"),
        (b'{"id": "c", "messages": [', "a.json", "jsonl"),
        (b"{broken", "a.jsonl", "jsonl"),
        (b"", "a.jsonl", "jsonl"),
        (json.dumps(LOCOMO).encode(), "a.jsonl", "locomo"),
        (json.dumps([LOCOMO], indent=1).encode()[:300], "a.txt", "locomo"),
        (b'[{"qa": [{"question": "?", "answer": "!", "evidence": ["D1:3"]', "a", "locomo"),
    ],
)
def test_a_format_is_chosen_by_content(head: bytes, name: str, reader: str) -> None:
    assert choose(head, name).name == reader


@pytest.mark.parametrize(
    ("head", "name", "said"),
    [
        (b"", "a.txt", "empty"),
        (line().decode().encode("utf-16"), "a.jsonl", "UTF-8"),
        ("Dear all,".encode("utf-16-le"), "a.txt", "UTF-8"),
        (b"\x8f\x00\xc3Q\x12\xfe", "a.zip", "no zip file"),
        (b"\x8f\x00\xc3Q\x12\xfe", "a.bin", "neither text nor"),
        (b"Dear all,\nplease find attached", "a.jsonl", "no reader"),
        (json.dumps([LINE], indent=1).encode(), "a.jsonl", "no reader"),
        (b'{\n "messages": [\n  {"role": "user"}]}', "a.jsonl", "no reader"),
    ],
)
def test_an_unknown_format_is_refused_in_words(head: bytes, name: str, said: str) -> None:
    with pytest.raises(UnknownFormat, match=said):
        choose(head, name)


def test_lines_read_in_any_order_are_the_same_messages() -> None:
    lines = [line(text=str(number), turn=number) for number in range(50)]
    shuffled = random.Random(3).sample(lines, len(lines))

    def told(records: list[RawMessage | BadRecord]) -> list[RawMessage]:
        found = [r.model_copy(update={"position": 1}) for r in records if isinstance(r, RawMessage)]
        return sorted(found, key=lambda message: message.ordinal or 0)

    assert told(read(*lines)) == told(read(*shuffled))


def test_options_refuse_a_clock_without_offset_and_an_unknown_zone() -> None:
    with pytest.raises(ValueError, match="offset"):
        ReadOptions(now=datetime(2025, 1, 1))  # noqa: DTZ001 - the case under test
    with pytest.raises(ValueError, match="IANA"):
        ReadOptions(now=datetime(2025, 1, 1, tzinfo=UTC), tz="Mars/Olympus")


def test_an_installed_reader_takes_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "haiku_reader.py").write_text(
        "class HaikuReader:\n"
        "    name, version, has_edits = 'haiku', 1, False\n"
        "    def recognises(self, head, file_name): return head.startswith(b'HAIKU')\n"
        "    def read(self, stream, options): return iter(())\n"
    )
    info = tmp_path / "haiku-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: haiku\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[memory_pipeline.readers]\nhaiku = haiku_reader:HaikuReader\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    readers.cache_clear()
    try:
        assert choose(b"HAIKU\n", "a.txt").name == "haiku"
        assert choose(line(), "a.txt").name == "jsonl"
    finally:
        readers.cache_clear()
