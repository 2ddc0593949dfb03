"""The demo's logs read whole and tell the story that the demo asks about."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta

import pytest

from memory_pipeline.contracts.message import BadRecord, RawMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.ingest.readers.base import ReadOptions, choose
from memory_pipeline.samples import sample_files

OPTIONS = ReadOptions(now=datetime(2025, 12, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def messages() -> list[RawMessage]:
    found: list[RawMessage] = []
    for path in sample_files():
        with path.open("rb") as stream:
            head = stream.read(4096)
            stream.seek(0)
            for record in choose(head, path.name).read(stream, OPTIONS):
                assert not isinstance(record, BadRecord), f"{path.name}:{record.position}"
                found.append(record)
    return found


def test_there_are_enough_messages_people_and_dialogs(messages: list[RawMessage]) -> None:
    people = {m.speaker for m in messages if m.role is Role.user}
    assert len(messages) >= 400
    assert people >= {"Дмитрий", "Елена", "Rachel", "Дмитрий К."}
    assert len({m.dialog for m in messages}) >= 8


def test_every_message_is_timed_in_order_and_known_by_its_id(messages: list[RawMessage]) -> None:
    dialogs: dict[str, list[RawMessage]] = defaultdict(list)
    for message in messages:
        dialogs[message.dialog].append(message)
    for turns in dialogs.values():
        times = [turn.sent_at for turn in turns]
        assert None not in times
        assert times == sorted(times, key=lambda at: at or datetime.max.replace(tzinfo=UTC))
        first_told = [turn.message_id for turn in turns if turn.edited_at is None]
        assert None not in first_told
        assert len(first_told) == len(set(first_told))


def test_no_two_messages_say_the_same(messages: list[RawMessage]) -> None:
    assert len({m.text for m in messages}) == len(messages)


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ("2025-03-03", "Я Дмитрий, работаю из Москвы"),
        ("2025-05-12", "С 1 по 15 июня я в Сочи, едем с Ольгой и дочкой"),
        ("2025-10-10", "Переезжаю в Казань с 19-го"),
    ],
)
def test_the_story_is_told_by_dmitry_to_everybody(
    messages: list[RawMessage], day: str, text: str
) -> None:
    (told,) = [m for m in messages if m.text == text]
    assert told.speaker == "Дмитрий"
    assert told.role is Role.user
    assert told.audience == ()
    assert told.sent_at is not None
    assert told.sent_at.date().isoformat() == day
    assert told.sent_at.utcoffset() == timedelta(hours=3)


def test_nothing_is_told_between_the_day_before_the_move_and_the_move(
    messages: list[RawMessage],
) -> None:
    around = [m.sent_at for m in messages if m.sent_at and m.speaker == "Дмитрий"]
    assert not [at for at in around if at.date().isoformat() in ("2025-10-18", "2025-10-19")]


def test_the_launch_states_its_limits_early_and_needs_them_late(
    messages: list[RawMessage],
) -> None:
    launch = [m for m in messages if m.dialog == "launch-tihiy-chas"]
    assert len(launch) >= 150
    limits = [m for m in launch if m.text.startswith(("[!]", "[CRITICAL]"))]
    assert [
        word
        for word in ("300 тысяч", "шесть недель", "Аудитория")
        for m in limits
        if word in m.text
    ] == [
        "300 тысяч",
        "шесть недель",
        "Аудитория",
    ]
    assert max(m.ordinal or 0 for m in limits) < 12
    assert not [m for m in launch[12:] if "300" in m.text]
    assert any("сколько осталось до потолка" in m.text for m in launch[-10:])


def test_private_and_team_messages_name_their_audience(messages: list[RawMessage]) -> None:
    assert {a for m in messages for a in m.audience} == {"private", "team", "family"}
    assert {m.audience for m in messages if m.dialog == "team-backend"} == {("team",)}


def test_one_message_was_edited(messages: list[RawMessage]) -> None:
    (edited,) = [m for m in messages if m.edited_at is not None]
    (first,) = [m for m in messages if m.message_id == edited.message_id and m is not edited]
    assert first.text != edited.text
    assert first.sent_at == edited.sent_at
