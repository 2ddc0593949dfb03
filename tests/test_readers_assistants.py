"""Exports of assistants give what their owner saw on the screen, and nothing of what it hides."""

import json
import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BufferedReader, RawIOBase
from typing import Any

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role, SentAtSource
from memory_pipeline.ingest.readers.chatgpt import ChatGptReader
from tests.reading import OPTIONS, messages, read_json, read_raw

T0 = 1_746_514_800.0


def node(
    name: str, parent: str | None, role: str, *parts: Any, at: float | None = T0, **more: Any
) -> tuple[str, dict[str, Any]]:
    content = more.pop("content", {"content_type": "text", "parts": list(parts)})
    message = {
        "id": f"m-{name}",
        "author": {"role": role, "name": None},
        "content": content,
        "create_time": at,
        "recipient": "all",
        "metadata": {},
        **more,
    }
    return name, {"id": name, "parent": parent, "children": [], "message": message}


def conversation(*nodes: tuple[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "title": "Ремонт",
        "create_time": T0,
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": []},
            **dict(nodes),
        },
        "current_node": nodes[-1][0] if nodes else "root",
        "conversation_id": "c-1",
        **more,
    }


def test_only_the_branch_that_was_last_seen_is_read() -> None:
    branched = conversation(
        node("q", "root", "user", "сколько краски?"),
        node("old", "q", "assistant", "много"),
        node("edited", "root", "user", "сколько краски на 12 м²?"),
        node("new", "edited", "assistant", "2,4 литра", at=T0 + 5),
    )
    found = messages(read_json([branched], "chatgpt"))
    assert [(m.message_id, m.role, m.text, m.ordinal) for m in found] == [
        ("m-edited", Role.user, "сколько краски на 12 м²?", 1),
        ("m-new", Role.assistant, "2,4 литра", 2),
    ]
    assert {(m.namespace, m.dialog, m.dialog_title) for m in found} == {
        ("chatgpt", "c-1", "Ремонт")
    }
    assert found[1].sent_at == datetime.fromtimestamp(T0 + 5, UTC)
    # without the mark the newest leaf ends the branch
    del branched["current_node"]
    assert messages(read_json([branched], "chatgpt")) == found


def test_what_the_screen_hides_is_not_read() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://p"}
    hidden = {"is_visually_hidden_from_conversation": True}
    shown = conversation(
        node("s", "root", "system", ""),
        node(
            "c",
            "s",
            "user",
            content={"content_type": "user_editable_context", "user_profile": "canary"},
        ),
        node("h", "c", "user", "canary", metadata=hidden),
        node("q", "h", "user", "нарисуй", picture, metadata={"attachments": [{"name": "a.txt"}]}),
        node("t", "q", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("call", "t", "assistant", '{"prompt": "canary"}', recipient="dalle.text2im"),
        node("made", "call", "tool", "canary", picture),
        node("out", "made", "tool", content={"content_type": "execution_output", "text": "canary"}),
        node("a", "out", "assistant", "готово\ue200cite\ue202turn0\ue201"),
    )
    found = messages(read_json(shown, "chatgpt"))
    assert [(m.role, m.text, [a.kind for a in m.attachments]) for m in found] == [
        (Role.user, "нарисуй", ["image", "file"]),
        (Role.tool, "", ["image"]),
        (Role.assistant, "готово", []),
    ]


def test_a_conversation_that_is_not_to_be_remembered_leaves_its_id_alone() -> None:
    forgotten = conversation(node("q", "root", "user", "canary"), is_do_not_remember=True)
    kept = conversation(node("q", "root", "user", "hello"), conversation_id="c-2")
    bad, good = read_json([forgotten, kept], "chatgpt")
    assert isinstance(bad, BadRecord)
    assert (bad.reason, bad.raw) == ("do_not_remember", b"conversation c-1")
    assert isinstance(good, RawMessage)
    assert good.dialog == "c-2"


def test_a_message_without_a_time_has_none_and_a_whole_conversation_has_its_own() -> None:
    some = conversation(
        node("q", "root", "user", "a", at=None), node("a", "q", "assistant", "b", at=T0)
    )
    none = conversation(node("q", "root", "user", "a", at=None), create_time=str(T0))
    assert [m.sent_at_source for m in messages(read_json([some], "chatgpt"))] == [
        SentAtSource.none,
        SentAtSource.stated,
    ]
    (only,) = messages(read_json([none], "chatgpt"))
    assert (only.sent_at, only.sent_at_source) == (
        datetime.fromtimestamp(T0, UTC),
        SentAtSource.dialog,
    )


def test_users_of_two_accounts_stay_two() -> None:
    question = node("q", "root", "user", "a")
    found = messages(
        read_json(
            [
                conversation(question, user_id="user-1"),
                conversation(question, user_id="user-1", conversation_id="c-2"),
                conversation(question, conversation_id="c-3"),
                conversation(question, conversation_id="c-4"),
            ],
            "chatgpt",
        )
    )
    assert [m.speaker_id for m in found] == ["user-1", "user-1", "c-3#user", "c-4#user"]
    assert {(m.namespace, m.speaker) for m in found} == {("chatgpt", "user")}


def test_a_loop_and_a_missing_parent_end_the_branch() -> None:
    looped = conversation(node("a", "b", "user", "one"), node("b", "a", "assistant", "two"))
    torn = conversation(node("a", "gone", "user", "one"), node("b", "a", "assistant", "two"))
    for whole in (looped, torn):
        assert [m.text for m in messages(read_json([whole], "chatgpt"))] == ["one", "two"]


def test_a_broken_conversation_does_not_take_the_others_with_it() -> None:
    good = json.dumps(conversation(node("q", "root", "user", "a")))
    raw = f'[{good}, {{"mapping": {{"x": NaN}}}}, {{"mapping": 5}}, 7, {good}'.encode()
    found = read_raw(raw, "chatgpt")
    assert [r.text if isinstance(r, RawMessage) else (r.reason, r.field) for r in found] == [
        "a",
        ("bad_number", None),
        ("missing_field", "mapping"),
        ("not_object", None),
        "a",
        ("invalid_json", None),
    ]
    assert [r.position for r in found] == [1, 2, 3, 4, 5, 6]


def claude(*chat: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"uuid": "c-1", "name": "Ремонт", "chat_messages": list(chat), **more}


def said(key: str, sender: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "uuid": key,
        "sender": sender,
        "text": text,
        "created_at": "2025-05-06T07:00:00.5Z",
        **more,
    }


def test_claude_gives_text_blocks_and_names_of_files() -> None:
    blocks = [
        {"type": "thinking", "thinking": "canary"},
        {"type": "text", "text": "Смотрю."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "tool_result", "content": [{"type": "text", "text": "canary"}]},
        {"type": "text", "text": "2,4 литра"},
    ]
    found = messages(
        read_json(
            [
                claude(
                    said(
                        "1",
                        "human",
                        "сколько краски?",
                        content=[],
                        attachments=[{"file_name": "план.txt", "extracted_content": "canary"}],
                        files=[{"file_name": "фото.png"}],
                    ),
                    said("2", "assistant", "This block is not supported", content=blocks),
                    said("3", "assistant", ""),
                    account={"uuid": "acc"},
                )
            ],
            "claude",
        )
    )
    assert [(m.speaker, m.speaker_id, m.role, m.text) for m in found] == [
        ("human", "acc", Role.user, "сколько краски?"),
        ("assistant", "c-1#assistant", Role.assistant, "Смотрю.\n2,4 литра"),
    ]
    assert [a.name for a in found[0].attachments] == ["план.txt", "фото.png"]
    assert found[0].sent_at == datetime(2025, 5, 6, 7, 0, 0, 500_000, tzinfo=UTC)


def test_claude_leaves_answers_out_that_were_tried_again() -> None:
    chat = [
        said("1", "human", "q", parent_message_uuid="0"),
        said("2", "assistant", "first", parent_message_uuid="1"),
        said("3", "assistant", "second", parent_message_uuid="1"),
    ]
    assert [m.text for m in messages(read_json(claude(*chat), "claude"))] == ["q", "second"]
    first = claude(*chat, current_leaf_message_uuid="2")
    assert [m.text for m in messages(read_json(first, "claude"))] == ["q", "first"]


def test_memory_is_bounded_by_the_largest_conversation() -> None:
    size = 5_000_000
    texts = [node(str(n), str(n - 1) if n else "root", "user", "x" * 1000) for n in range(50)]
    one = json.dumps(conversation(*texts)).encode()

    class Endless(RawIOBase):
        """Many equal conversations, made while they are read."""

        def __init__(self) -> None:
            self.parts: Iterator[bytes] = iter(
                [b"[", *[one + b","] * (size // len(one)), one, b"]"]
            )
            self.rest = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            self.rest = self.rest or next(self.parts, b"")
            n = min(len(buffer), len(self.rest))
            buffer[:n], self.rest = self.rest[:n], self.rest[n:]
            return n

    tracemalloc.start()
    n_read = sum(
        isinstance(record, RawMessage)
        for record in ChatGptReader().read(BufferedReader(Endless()), OPTIONS)
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_read == 50 * (size // len(one) + 1)
    assert peak < 2_500_000
