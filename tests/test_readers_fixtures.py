"""Exports that others published give the messages that a person reads in them."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from memory_pipeline.contracts.message import RawMessage
from tests.reading import OPTIONS, messages, read_raw

# what those who published them expect is written on the clocks of UTC
UTC_OPTIONS = replace(OPTIONS, tz="UTC")

STAMPED = {
    "instagram": ("test_export.json",),
    "signal": ("test_export.txt",),
    "telegram": ("test_single_export.json", "test_batch_export.json"),
    "whatsapp": (
        "test_ddmmyy_24hrs.txt",
        "test_mmddyy_24hrs.txt",
        "test_[mmddyy]_24hrs.txt",
        "test_mmddyyyy_12hrs.txt",
        "test_yyyymmdd_24hrs.txt",
    ),
}


@pytest.mark.parametrize(
    ("reader", "name"), [(reader, name) for reader, names in STAMPED.items() for name in names]
)
def test_messages_are_those_their_publisher_expects(
    shared_data: Path, reader: str, name: str
) -> None:
    folder = shared_data / "chat_exports" / "chat-miner" / "test" / reader
    expected = sorted(
        (row["timestamp"], row["author"], row["message"])
        for row in json.loads((folder / "target.json").read_text(encoding="utf-8"))
    )
    found = messages(read_raw((folder / name).read_bytes(), reader, UTC_OPTIONS))
    # a target has a message's lines on one line, and some list the newest first
    assert [
        (f"{m.sent_at:%Y-%m-%dT%H:%M:%S}", m.speaker, " ".join(m.text.split("\n"))) for m in found
    ] == expected


def shown(shared_data: Path, reader: str, name: str) -> list[RawMessage]:
    path = shared_data / "chat_exports" / "polylogue" / name
    return messages(read_raw(path.read_bytes(), reader, UTC_OPTIONS))


@pytest.mark.parametrize("kind", ["conversation", "browser-capture"])
def test_a_conversation_with_a_tool_is_its_question_and_its_answer(
    shared_data: Path, kind: str
) -> None:
    found = shown(shared_data, "chatgpt", f"fixture_chatgpt_native-{kind}-v1.json")
    assert [(m.message_id, m.speaker, m.sent_at and m.sent_at.timestamp()) for m in found] == [
        ("user-message", "user", 1784164540.0),
        ("answer-active-message", "assistant", 1784169733.0),
    ]
    assert [[a.kind for a in m.attachments] for m in found] == [["image", "file"], ["image"]]


@pytest.mark.parametrize("number", ["00", "01"])
def test_a_chatgpt_sample_is_its_branch_from_the_root(shared_data: Path, number: str) -> None:
    name = f"chatgpt_representatives_sample-{number}.json"
    whole = json.loads((shared_data / "chat_exports" / "polylogue" / name).read_bytes())
    branch, at = [], whole["current_node"]
    while at is not None:
        branch.insert(0, whole["mapping"][at]["message"])
        at = whole["mapping"][at]["parent"]
    assert [
        (m.message_id, m.role, m.text, m.sent_at and m.sent_at.timestamp())
        for m in shown(shared_data, "chatgpt", name)
    ] == [
        (
            message["id"],
            message["author"]["role"],
            "\n".join(message["content"]["parts"]),
            pytest.approx(message["create_time"]),
        )
        for message in branch
    ]


@pytest.mark.parametrize(
    "name",
    [
        "claude-ai_representatives_sample-00.json",
        "claude-ai_representatives_sample-01.json",
        "claude_minimal_from_test_facade.json",
    ],
)
def test_a_claude_sample_is_its_messages_in_order(shared_data: Path, name: str) -> None:
    whole = json.loads((shared_data / "chat_exports" / "polylogue" / name).read_bytes())
    assert [
        (m.dialog, m.message_id, m.speaker, m.text, m.sent_at)
        for m in shown(shared_data, "claude", name)
    ] == [
        (
            whole["uuid"],
            message["uuid"],
            message["sender"],
            message["text"],
            datetime.fromisoformat(message["created_at"].rstrip("+Z") + "+00:00"),
        )
        for message in whole["chat_messages"]
    ]
