"""Archives are read in place, as the logs in them, and what is hostile in one is refused by number."""

import io
import json
import time
import warnings
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.ingest import archives
from memory_pipeline.ingest.folder_log import MAGIC, is_folder_log, open_log
from memory_pipeline.ingest.landing import log_files, waiting
from memory_pipeline.ingest.readers.base import HEAD_BYTES, choose
from tests.reading import ENDLESS_S, OPTIONS, messages, read_raw, zipped

CHAT = "13.05.25, 09:00 - Инга: a\n13.05.25, 09:01 - Глеб: b\n"

SLACK: dict[str, Any] = {
    "users.json": [
        {
            "id": "U1",
            "team_id": "T1",
            "name": "inga",
            "profile": {"display_name": "Инга", "real_name": "Инга Ветрова"},
        },
        {"id": "U2", "team_id": "T1", "name": "robo", "is_bot": True, "profile": {}},
    ],
    "channels.json": [{"id": "C1", "name": "general", "members": ["U1"]}],
    "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
    "general/2025-05-06.json": [
        {
            "type": "message",
            "user": "U1",
            "text": "hi <@U2> &amp; <#C1>",
            "ts": "1746514800.000100",
        },
        {"type": "message", "subtype": "channel_join", "user": "U1", "text": "x", "ts": "1.0"},
        {
            "type": "message",
            "user": "U1",
            "text": "see <https://x.example/a|план>",
            "ts": "1746514801.000000",
            "edited": {"user": "U1", "ts": "1746514900.000000"},
            "files": [{"name": "p.png", "mimetype": "image/png"}],
        },
    ],
    "general/2025-05-07.json": [
        {
            "type": "message",
            "user": "U2",
            "bot_id": "B2",
            "text": "ok",
            "ts": "1746600000.000000",
            "thread_ts": "1746514801.000000",
        }
    ],
    "D1/2025-05-07.json": [
        {"type": "message", "user": "U1", "text": "тайна", "ts": "1746600001.000000"}
    ],
}


def slack_folder(folder: Path) -> Path:
    for name, rows in SLACK.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(rows), encoding="utf-8")
    return folder


def read_folder(folder: Path) -> list[RawMessage]:
    with open_log(folder) as stream:
        reader = choose(stream.read(HEAD_BYTES), folder.name)
        stream.seek(0)
        return messages(list(reader.read(stream, OPTIONS)))


def test_slack_is_one_log_in_a_folder_and_in_a_zip(tmp_path: Path) -> None:
    found = read_folder(slack_folder(tmp_path / "export"))
    assert sorted((m.dialog, m.speaker, m.role, m.text) for m in found) == [
        ("C1", "robo", Role.assistant, "ok"),
        ("C1", "Инга", Role.user, "hi @robo & #general"),
        ("C1", "Инга", Role.user, "see план"),
        ("D1", "Инга", Role.user, "тайна"),
    ]
    assert {(m.namespace, m.dialog_title) for m in found} == {
        ("slack:T1", "general"),
        ("slack:T1", "D1"),
    }
    assert {(m.speaker, m.speaker_alias) for m in found} == {
        ("Инга", "Инга Ветрова"),
        ("robo", None),
    }
    edited = next(m for m in found if m.text == "see план")
    assert edited.edited_at == datetime.fromtimestamp(1746514900, UTC)
    assert edited.sent_at == datetime.fromtimestamp(1746514801, UTC)
    answer = next(m for m in found if m.text == "ok")
    assert [(a.kind, a.name) for a in answer.attachments] == [("reply", "1746514801.000000")]
    for root in ("", "Team export/"):
        in_zip = messages(read_raw(zipped(**{root + k: v for k, v in SLACK.items()}), "archive"))
        assert in_zip == found


def test_a_folder_of_slack_is_handed_over_as_one_log(tmp_path: Path) -> None:
    folder = slack_folder(tmp_path / "export")
    (tmp_path / "a.jsonl").write_text("{}")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text(CHAT)
    expected = [tmp_path / "a.jsonl", folder, tmp_path / "other" / "b.txt"]
    assert list(log_files([tmp_path])) == expected
    assert list(log_files([folder])) == [folder]
    assert waiting(tmp_path, now=time.time() + 60) == expected
    assert waiting(tmp_path, now=time.time()) == []
    assert not is_folder_log(tmp_path)


def test_the_stream_of_a_folder_is_the_same_for_the_same_files(tmp_path: Path) -> None:
    first, second = (slack_folder(tmp_path / name) for name in ("a", "b"))
    (second / "link.json").symlink_to(first / "users.json")
    with open_log(first) as one, open_log(second) as two:
        whole = one.read()
        assert two.read() == whole
        one.seek(0)
        assert one.read(10) == whole[:10]


@pytest.mark.parametrize("header", [b"{", b"[]", b'{"name": "a"}', b'{"name": "a", "n_bytes": -1}'])
def test_a_torn_stream_of_a_folder_is_refused(header: bytes) -> None:
    for raw in (MAGIC + header, MAGIC + header + b"\n", MAGIC + b'{"name": "a", "n_bytes": 9}\nx'):
        (bad,) = read_raw(raw, "archive")
        assert isinstance(bad, BadRecord)
        assert bad.reason == "bad_archive"


def test_a_day_file_alone_is_refused_with_what_to_do() -> None:
    raw = json.dumps(SLACK["general/2025-05-07.json"]).encode()
    (bad,) = read_raw(raw, "slack")
    assert isinstance(bad, BadRecord)
    assert "folder" in bad.problem


def test_the_logs_of_an_archive_are_read_and_its_pictures_passed_over() -> None:
    conversation = {
        "conversation_id": "c",
        "current_node": "q",
        "mapping": {
            "q": {
                "parent": None,
                "message": {
                    "id": "m",
                    "author": {"role": "user"},
                    "content": {"content_type": "text", "parts": ["вопрос"]},
                },
            }
        },
    }
    raw = zipped(
        **{
            "conversations.json": [conversation],
            "user.json": {"id": "user-1", "email": "canary"},
            "chat.html": "<html>",
            "file-1.png": b"\x89PNG",
            "WhatsApp Chat.txt": CHAT,
            "notes.txt": "dear all",
        }
    )
    found = read_raw(raw, "archive")
    assert [(r.position, r.text) for r in found if isinstance(r, RawMessage)] == [
        (1, "a"),
        (2, "b"),
        (3, "вопрос"),
    ]
    assert [r.speaker_id for r in found if isinstance(r, RawMessage)][-1] == "user-1"
    (bad,) = (r for r in found if isinstance(r, BadRecord))
    assert (bad.reason, bad.field, bad.position) == ("unknown_format", "member[6]", 4)
    assert "notes" not in bad.problem


def test_a_zip_and_its_unpacked_log_give_the_same_messages() -> None:
    inside = read_raw(zipped(**{"chat.txt": CHAT}), "archive")
    assert inside == read_raw(CHAT.encode(), "whatsapp")


def packed(*members: tuple[zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # two members of one name are one of the cases
        for info, raw in members:
            archive.writestr(info, raw, compress_type=info.compress_type)
    return out.getvalue()


def member(name: str, mode: int = 0, method: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    info.compress_type = method
    return info


def encrypted() -> bytes:
    raw = bytearray(packed((member("a.txt"), CHAT.encode())))
    for magic, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        raw[raw.index(magic) + offset] |= 1
    return bytes(raw)


def broken() -> bytes:
    raw = packed((member("a.txt", method=zipfile.ZIP_STORED), CHAT.encode()))
    return raw.replace("Глеб".encode(), "Глеа".encode(), 1)


@pytest.mark.parametrize(
    ("raw", "reason", "said"),
    [
        (packed((member("../a.txt"), CHAT.encode())), "bad_archive", "leads out"),
        (packed((member("/etc/a.txt"), CHAT.encode())), "bad_archive", "leads out"),
        (packed((member("C:/a.txt"), CHAT.encode())), "bad_archive", "leads out"),
        (packed((member("a.txt", 0o120777), b"/etc/passwd")), "bad_archive", "link"),
        (packed((member("a.txt"), b"\0" * 5_000_000)), "bad_archive", "compressed"),
        (packed((member("a.zip"), zipped(b="x"))), "bad_archive", "archive in an archive"),
        (packed((member("a", method=zipfile.ZIP_LZMA), b"x" * 99)), "bad_archive", "deflate"),
        (encrypted(), "bad_archive", "encrypted"),
        (broken(), "bad_archive", "broken"),
        (packed((member("a"), b"1"), (member("a"), b"2")), "bad_archive", "one name"),
        (zipped(a=CHAT)[:-30], "bad_archive", "cut short"),
        (zipped(a=CHAT)[:60] + zipped(a=CHAT)[90:], "bad_archive", "broken"),
        (b"PK\x03\x04", "bad_archive", "cut short"),
        (packed((member("canary.txt"), b"\xff\xfe\0")), "unknown_format", "UTF-8"),
        (packed((member("canary.json"), b"")), "unknown_format", "empty"),
    ],
)
def test_a_hostile_archive_is_refused_at_once(raw: bytes, reason: str, said: str) -> None:
    started = time.process_time()
    bad = [record for record in read_raw(raw, "archive") if isinstance(record, BadRecord)]
    assert time.process_time() - started < ENDLESS_S
    assert {record.reason for record in bad} == {reason}
    assert said in bad[0].problem
    assert "canary" not in bad[0].problem


def test_an_archive_is_bounded_by_members_size_and_directory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = zipped(**{f"{number}.txt": CHAT for number in range(5)})
    for name, limit in (
        ("MAX_MEMBERS", 4),
        ("MAX_TOTAL_BYTES", 100),
        ("MAX_MEMBER_BYTES", 10),
        ("MAX_DIRECTORY_BYTES", 100),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(archives, name, limit)
            found = read_raw(raw, "archive")
            assert {getattr(record, "reason", None) for record in found} == {"too_large"}, name
    assert len(messages(read_raw(raw, "archive"))) == 10
