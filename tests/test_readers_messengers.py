"""Exports of messengers give what people wrote to one another, with who, when and in what order."""

from datetime import UTC, datetime
from typing import Any

import pytest

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role
from tests.reading import OPTIONS, messages, read_json, read_raw

# ---------- Telegram


def row(number: int, text: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "type": "message",
        "date": "2025-05-06T10:00:00",
        "date_unixtime": "1746514800",
        "from": "Инга",
        "from_id": "user7",
        "text": text,
        **more,
    }


CHAT = {"name": "Дача", "type": "private_group", "id": 42}


def test_telegram_joins_entities_and_keeps_what_lay_beside() -> None:
    found = messages(
        read_json(
            CHAT
            | {
                "messages": [
                    row(1, ["еду на ", {"type": "bold", "text": "дачу"}, "!"]),
                    {"id": 2, "type": "service", "actor": "Инга", "action": "pin_message"},
                    row(3, "", photo="(File not included.)", mime_type="image/jpeg"),
                    row(4, "смотри", forwarded_from="Глеб", reply_to_message_id=1),
                    row(5, "в 9", edited="2025-05-06T11:00:00", edited_unixtime="1746518400"),
                    row(6, "старое", edited="1970-01-01T03:00:00"),
                    row(7, ""),
                ]
            },
            "telegram",
        )
    )
    assert [(m.message_id, m.text, m.quoted, m.ordinal) for m in found] == [
        ("1", "еду на дачу!", False, 1),
        ("3", "", False, 3),
        ("4", "смотри", True, 4),
        ("5", "в 9", False, 5),
        ("6", "старое", False, 6),
    ]
    assert [[(a.kind, a.name) for a in m.attachments] for m in found[1:3]] == [
        [("image", None)],
        [("forward", "Глеб"), ("reply", "1")],
    ]
    assert [m.edited_at for m in found[3:]] == [datetime(2025, 5, 6, 8, tzinfo=UTC), None]
    assert {(m.dialog, m.dialog_title, m.speaker, m.speaker_id, m.role) for m in found} == {
        ("42", "Дача", "Инга", "user7", Role.user)
    }


def test_a_whole_account_of_telegram_is_its_chats() -> None:
    bot = {"name": "Погода", "type": "bot_chat", "id": 9}
    account = {
        "about": "here",
        "personal_information": {"user_id": 7},
        "contacts": {"list": [{"first_name": "canary"}]},
        "chats": {
            "about": "these",
            "list": [
                CHAT | {"messages": [row(1, "a")]},
                bot | {"messages": [row(1, "дождь?"), row(2, "да", from_id="user9")]},
                {"type": "saved_messages", "id": 7, "messages": []},
            ],
        },
        "left_chats": {"list": [{"name": "Old", "id": 5, "messages": [row(1, "b")]}]},
    }
    found = messages(read_json(account, "telegram"))
    assert [(m.dialog, m.text, m.role) for m in found] == [
        ("42", "a", Role.user),
        ("9", "дождь?", Role.user),
        ("9", "да", Role.assistant),
        ("5", "b", Role.user),
    ]


def test_a_time_of_telegram_without_seconds_since_1970_is_on_the_zones_clock() -> None:
    old = row(1, "a")
    del old["date_unixtime"]
    (only,) = messages(read_json(CHAT | {"messages": [old]}, "telegram"))
    assert only.sent_at == datetime(2025, 5, 6, 7, tzinfo=UTC)


def test_bad_rows_of_telegram_are_named_and_the_rest_is_read() -> None:
    found = read_json(
        CHAT | {"messages": [row(1, "a"), row(2, 5), "x", row(3, "b", date_unixtime="x")]},
        "telegram",
    )
    assert [r.text if isinstance(r, RawMessage) else (r.position, r.reason) for r in found] == [
        "a",
        (2, "bad_field"),
        (3, "not_object"),
        (4, "bad_field"),
    ]


# ---------- WhatsApp


def whatsapp(*lines: str) -> list[RawMessage | BadRecord]:
    return read_raw("\n".join(lines).encode(), "whatsapp")


def told(*lines: str) -> list[tuple[str, str, str]]:
    return [
        (f"{m.sent_at:%Y-%m-%d %H:%M:%S}", m.speaker, m.text) for m in messages(whatsapp(*lines))
    ]


@pytest.mark.parametrize(
    ("first", "second", "days"),
    [
        ("13/05/25, 10:00 - ", "01/06/25, 10:00 - ", ("05-13", "06-01")),
        ("5/13/25, 10:00 - ", "6/1/25, 10:00 - ", ("05-13", "06-01")),
        ("13.05.2025, 10:00 - ", "01.06.2025, 10:00 - ", ("05-13", "06-01")),
        ("2025-05-13 10:00 - ", "2025-06-01 10:00 - ", ("05-13", "06-01")),
        ("[13.05.25, 10:00:00] ", "[01.06.25, 10:00:00] ", ("05-13", "06-01")),
        ("\u200e[5/13/25, 10:00:00\u202fAM] ", "[6/1/25, 10:00:00\u202fAM] ", ("05-13", "06-01")),
        # both could be either: time goes forward only with the day first, then only otherwise
        ("03/01/25, 10:00 - ", "02/02/25, 10:00 - ", ("01-03", "02-02")),
        ("01/03/25, 10:00 - ", "02/02/25, 10:00 - ", ("01-03", "02-02")),
        # nothing decides: the habits of those who write so
        ("03/04/25, 10:00 - ", "03/04/25, 10:00 - ", ("04-03", "04-03")),
        ("3/4/25, 10:00 AM - ", "3/4/25, 10:00 AM - ", ("03-04", "03-04")),
    ],
)
def test_the_order_of_day_and_month_is_the_whole_files(
    first: str, second: str, days: tuple[str, str]
) -> None:
    found = told(f"{first}Инга: a", f"{second}Глеб: b")
    assert found == [
        (f"2025-{days[0]} 10:00:00", "Инга", "a"),
        (f"2025-{days[1]} 10:00:00", "Глеб", "b"),
    ]


@pytest.mark.parametrize(
    ("stated", "shown"),
    [
        ("12:05 AM", "00:05"),
        ("12:05 PM", "12:05"),
        ("1:05 p. m.", "13:05"),
        ("1:05 ПП", "13:05"),
        ("1:05 ДП", "01:05"),
        ("13:05", "13:05"),
    ],
)
def test_twelve_hours_are_read_in_both_languages(stated: str, shown: str) -> None:
    ((at, _, _),) = told(f"13/05/25, {stated} - Инга: a")
    assert at == f"2025-05-13 {shown}:00"


def test_a_stamp_that_fits_only_the_other_order_is_refused() -> None:
    found = whatsapp(
        "13/05/25, 10:00 - Инга: a", "14/05/25, 10:00 - Инга: b", "05/15/25, 10:00 - Инга: c"
    )
    assert [r.text if isinstance(r, RawMessage) else (r.position, r.field) for r in found] == [
        "a",
        "b",
        (3, "sent_at"),
    ]


def test_lines_below_belong_to_a_message_and_rows_of_the_phone_are_no_messages() -> None:
    found = messages(
        whatsapp(
            "13.05.2025, 09:00 - Сообщения и звонки защищены сквозным шифрованием. Подробнее: см.",
            "13.05.2025, 09:00 - Инга создал(-а) группу «Дача: лето»",
            '13.05.2025, 09:00 - Ann changed the subject from "a: b" to "c"',
            "13.05.2025, 09:01 - Инга: купи:",
            "",
            "- хлеб: чёрный",
            "13.05.2025, 09:02 - +7 900 555-01-02: <Без медиафайлов>",
            "13.05.2025, 09:03 - Глеб: IMG-1.jpg (файл добавлен)",
            "вот полка",
            "13.05.2025, 09:04 - Глеб: Данное сообщение удалено",
            "13.05.2025, 09:05 - Ann: ok <This message was edited>",
            "13.05.2025, 09:06 - Ann: \u200esticker omitted",
            "13.05.2025, 09:06 - Дача: \u200eГлеб добавил(-а) Ann",
            "13.05.2025, 09:07 - Ann: see \u200e<attached: 0001-PHOTO.jpg>",
        )
    )
    assert [(m.position, m.speaker, m.text, [a.kind for a in m.attachments]) for m in found] == [
        (4, "Инга", "купи:\n\n- хлеб: чёрный", []),
        (7, "+7 900 555-01-02", "", ["file"]),
        (8, "Глеб", "вот полка", ["image"]),
        (11, "Ann", "ok", []),
        (12, "Ann", "", ["sticker"]),
        (14, "Ann", "see", ["image"]),
    ]


def test_a_chat_that_grew_is_the_same_dialog() -> None:
    lines = ["13.05.25, 09:00 - Инга: a", "13.05.25, 09:01 - Глеб: b"]
    grown = "\r\n".join([*lines, "14.05.25, 09:01 - Глеб: c"]).encode()
    before, after = messages(whatsapp(*lines)), messages(read_raw(b"\xef\xbb\xbf" + grown))
    assert before == after[:2]
    other = messages(whatsapp("13.05.25, 09:00 - Инга: A", *lines))
    assert other[0].dialog != before[0].dialog


def test_bad_bytes_and_too_much_text_spoil_one_message() -> None:
    raw = (
        b"preface\n13.05.25, 09:00 - A: \xff\n13.05.25, 09:01 - A: b\n13.05.25, 09:02 - A: "
        + (b"x" * 999 + b"\n") * 1_100
        + b"13.05.25, 09:03 - A: c\n13.05.25, 09:04 - A: d\x00"
    )
    found = read_raw(raw, "whatsapp")
    assert [r.text if isinstance(r, RawMessage) else (r.position, r.reason) for r in found] == [
        (1, "bad_field"),
        (2, "not_utf8"),
        "b",
        (4, "too_large"),
        "c",
        (1_105, "bad_text"),
    ]


# ---------- Signal, Instagram, Discord


def test_signal_keeps_a_quotation_apart_from_the_answer() -> None:
    found = messages(
        read_raw(
            "[2025-05-06, 10:00] Инга: когда?\n"
            "[2025-05-06, 10:05] Me: \n> когда?\n\nв 9 ![план](./media/p.png)\n(- Инга: 👍 -)\n"
            "[2025-05-06 10:06] Me: > only this\n".encode(),
            "signal",
        )
    )
    assert [(m.speaker, m.text) for m in found] == [
        ("Инга", "когда?"),
        ("Me", "в 9"),
        ("Me", "> only this"),
    ]
    assert [(a.kind, a.caption) for a in found[1].attachments] == [
        ("file", None),
        ("quote", "когда?"),
    ]
    assert found[0].sent_at == datetime(2025, 5, 6, 7, tzinfo=UTC)


def test_instagram_is_read_oldest_first_and_its_letters_are_put_right() -> None:
    def wrong(text: str) -> str:
        return text.encode().decode("latin-1")

    found = messages(
        read_json(
            {
                "participants": [{"name": wrong("Инга")}, {"name": "Bo"}],
                "messages": [
                    {"sender_name": "Bo", "timestamp_ms": 1746514802000, "content": "yes"},
                    {"sender_name": "Bo", "timestamp_ms": 1746514801000, "is_unsent": True},
                    {
                        "sender_name": "Bo",
                        "timestamp_ms": 1746514801000,
                        "content": "Bo sent an attachment.",
                        "photos": [{"uri": "p.jpg"}],
                    },
                    {
                        "sender_name": wrong("Инга"),
                        "timestamp_ms": 1746514800000,
                        "content": wrong("едешь? 🚆"),
                    },
                ],
                "thread_path": "inbox/x",
                "title": wrong("Инга"),
            },
            "instagram",
        )
    )
    assert [(m.speaker, m.text, m.dialog, m.dialog_title) for m in found] == [
        ("Инга", "едешь? 🚆", "inbox/x", "Инга"),
        ("Bo", "", "inbox/x", "Инга"),
        ("Bo", "yes", "inbox/x", "Инга"),
    ]


def test_discord_gives_messages_replies_and_edits() -> None:
    def line(number: int, content: str, **more: Any) -> dict[str, Any]:
        return {
            "id": str(number),
            "type": "Default",
            "timestamp": "2025-05-06T10:00:00+03:00",
            "timestampEdited": None,
            "content": content,
            "author": {"id": "7", "name": "inga", "nickname": "Инга", "isBot": False},
            "attachments": [],
            **more,
        }

    bot = {"id": "8", "name": "helper", "isBot": True}
    found = messages(
        read_json(
            {
                "guild": {"id": "1", "name": "G"},
                "channel": {"id": "2", "type": "GuildTextChat", "name": "general"},
                "exportedAt": "2025-05-07T00:00:00+00:00",
                "messages": [
                    line(1, "a", timestampEdited="2025-05-06T10:01:00+03:00"),
                    line(2, "joined", type="GuildMemberJoin"),
                    line(3, "b", type="Reply", reference={"messageId": "1"}, author=bot),
                    line(4, "", attachments=[{"fileName": "p.png", "url": "https://x.example"}]),
                    line(5, "", forwardedMessage={"content": "c"}),
                ],
                "messageCount": 5,
            },
            "discord",
        )
    )
    assert [(m.message_id, m.speaker, m.role, m.text, m.quoted) for m in found] == [
        ("1", "Инга", Role.user, "a", False),
        ("3", "helper", Role.assistant, "b", False),
        ("4", "Инга", Role.user, "", False),
        ("5", "Инга", Role.user, "c", True),
    ]
    assert found[0].edited_at == datetime(2025, 5, 6, 7, 1, tzinfo=UTC)
    assert [(a.kind, a.name) for a in found[1].attachments] == [("reply", "1")]


def test_a_message_ahead_of_the_clock_waits_in_every_format() -> None:
    ahead = "4102444800"
    (bad,) = read_json(CHAT | {"messages": [row(1, "a", date_unixtime=ahead)]}, "telegram")
    assert (bad.reason, bad.field) == ("future_time", "date_unixtime")
    (bad,) = read_raw(b"[2099-05-06, 10:00] Me: a", "signal", OPTIONS)
    assert isinstance(bad, BadRecord)
    assert bad.reason == "future_time"
