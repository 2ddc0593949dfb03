"""The labels written for this project hold together: shape, dates, sources, and answers."""

import itertools
import json
from collections import Counter
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

DATA = Path(__file__).parent / "data"
FACTS = ("facts_fresh.jsonl", "facts_fresh_apart.jsonl")
EVENTS = ("events.jsonl", "events_apart.jsonl")

SINGLE = frozenset(
    [
        "location",
        "employer",
        "job_title",
        "age",
        "birth_date",
        "marital_status",
        "budget_limit",
        "deadline",
        "address",
    ]
)
MULTI = frozenset(
    [
        "diet",
        "allergy",
        "medical_condition",
        "medication",
        "legal_constraint",
        "requirement",
        "preference",
        "dislike",
        "tool",
        "skill",
        "language",
        "goal",
        "plan",
        "relative",
        "pet",
        "owns",
        "education",
        "email",
        "phone",
    ]
)
TAGS = frozenset(
    [
        "location",
        "health",
        "finance",
        "contact",
        "work",
        "family",
        "religion",
        "legal",
        "identity",
        "preference",
    ]
)
TIMELESS = "birth_date"
MESSAGE_KEYS = {"n", "speaker", "role", "sent_at", "text"}
RECORD_KEYS = {"id", "lang", "tz", "kinds", "messages", "split", "fake"}
ATOM_KEYS = {"subject", "predicate", "object", "valid_from", "valid_to", "source", "tags"} | {
    "importance"
}
EVENT_KEYS = {"participants", "what", "from", "to", "precision", "evidence"}

Record = dict[str, Any]


def read(names: tuple[str, ...]) -> list[Record]:
    """Records of the files, each with the name of its file under `file`."""
    return [
        {**json.loads(line), "file": name}
        for name in names
        for line in (DATA / name).read_text(encoding="utf-8").splitlines()
    ]


facts = pytest.mark.parametrize("record", read(FACTS), ids=lambda record: record["id"])
events = pytest.mark.parametrize("record", read(EVENTS), ids=lambda record: record["id"])
dialogs = pytest.mark.parametrize("record", read(FACTS + EVENTS), ids=lambda record: record["id"])


def moment(text: str, zone: ZoneInfo) -> datetime:
    """A date is its local midnight; a time carries its own offset."""
    if "T" in text:
        return datetime.fromisoformat(text)
    return datetime.combine(date.fromisoformat(text), time(), zone)


def sent_at(record: Record, n: int) -> datetime:
    return datetime.fromisoformat(record["messages"][n - 1]["sent_at"])


def held(record: Record, ask: Record) -> list[str]:
    """What the atoms alone say to an ask, by the conventions of the labelled facts."""
    zone = ZoneInfo(record["tz"])
    at = datetime.fromisoformat(ask["valid_at"])
    known = datetime.fromisoformat(ask["known_at"]) if ask["known_at"] else None
    answer = []
    for atom in record["atoms"]:
        if (atom["subject"], atom["predicate"]) != (ask["subject"], ask["predicate"]):
            continue
        if known and sent_at(record, max(atom["source"])) > known:
            continue
        ended_by = atom.get("ended_by")
        end_unknown = ended_by is not None and known and sent_at(record, ended_by) > known
        start, end = atom["valid_from"], None if end_unknown else atom["valid_to"]
        if (start is None or moment(start, zone) <= at) and (end is None or at < moment(end, zone)):
            answer.append(atom["object"])
    return answer


def test_ids_are_unique_and_a_third_of_each_set_is_kept_apart() -> None:
    for names, apart in ((FACTS, 30), (EVENTS, 13)):
        records = read(names)
        assert len({record["id"] for record in records}) == len(records)
        assert Counter(record["split"] for record in records)["apart"] == apart
        for record in records:
            assert (record["split"] == "apart") == record["file"].endswith("_apart.jsonl")


def test_every_predicate_is_labelled_in_both_languages() -> None:
    seen = {
        (record["lang"], atom["predicate"]) for record in read(FACTS) for atom in record["atoms"]
    }
    assert seen == set(itertools.product(("ru", "en"), SINGLE | MULTI))


@dialogs
def test_messages_are_numbered_in_order_and_carry_the_offset_of_their_zone(record: Record) -> None:
    assert set(record) >= RECORD_KEYS
    assert record["kinds"]
    zone = ZoneInfo(record["tz"])
    messages = record["messages"]
    assert [message["n"] for message in messages] == list(range(1, len(messages) + 1))
    times = [datetime.fromisoformat(message["sent_at"]) for message in messages]
    assert times == sorted(times)
    for message, sent in zip(messages, times, strict=True):
        assert set(message) == MESSAGE_KEYS
        assert message["role"] in {"user", "assistant"}
        assert sent.utcoffset() == sent.astimezone(zone).utcoffset()
    letters = "".join(message["text"] for message in messages).lower()
    assert any("а" <= letter <= "я" for letter in letters) == (record["lang"] == "ru")


@facts
def test_an_atom_has_a_registry_predicate_a_source_and_a_period(record: Record) -> None:
    for atom in record["atoms"]:
        assert set(atom) - {"ended_by", "retracted"} == ATOM_KEYS
        assert atom["predicate"] in SINGLE | MULTI
        assert set(atom["tags"]) <= TAGS
        assert atom["importance"] in {"CRITICAL", "RELEVANT", "TRIVIAL"}
        numbers = [*atom["source"], atom.get("ended_by", 1)]
        assert all(1 <= n <= len(record["messages"]) for n in numbers)
        start, end = atom["valid_from"], atom["valid_to"]
        if atom["predicate"] == TIMELESS:
            assert start is None
            assert end is None
            date.fromisoformat(atom["object"])
            continue
        assert start is not None
        date.fromisoformat(start)
        if atom.get("retracted"):
            assert start == end
            assert atom["ended_by"] not in atom["source"]
        elif end is not None:
            assert date.fromisoformat(start) < date.fromisoformat(end)
        if "ended_by" in atom:
            assert end is not None


@facts
def test_values_of_typed_predicates_are_in_their_normal_form(record: Record) -> None:
    for atom in record["atoms"]:
        value = atom["object"]
        match atom["predicate"]:
            case "deadline" | "birth_date":
                date.fromisoformat(value)
            case "age":
                assert value.isdigit()
            case "budget_limit":
                amount, currency = value.split()
                assert amount.isdigit()
                assert currency in {"RUB", "USD"}
            case "relative" | "pet":
                kind, name = value.split(": ")
                assert kind.islower()
                assert name.istitle()


@facts
def test_every_ask_is_answered_by_its_atoms(record: Record) -> None:
    assert record["asks"]
    for ask in record["asks"]:
        want = ask["object"]
        if ask["predicate"] in SINGLE:
            assert held(record, ask) == ([] if want is None else [want])
        else:
            assert want is None or isinstance(want, list)
            assert sorted(held(record, ask)) == sorted(want or [])


@events
def test_an_event_has_people_a_phrase_a_message_and_a_period_of_its_precision(
    record: Record,
) -> None:
    assert 3 <= len(record["messages"]) <= 10
    assert len(record["events"]) <= 4
    zone = ZoneInfo(record["tz"])
    for event in record["events"]:
        assert set(event) == EVENT_KEYS
        assert event["participants"]
        assert event["what"].strip()
        assert 1 <= event["evidence"] <= len(record["messages"])
        start, end = event["from"], event["to"]
        match event["precision"]:
            case None:
                assert start is None
                assert end is None
            case "instant":
                assert "T" in start
                assert end is None
                at = datetime.fromisoformat(start)
                assert at.utcoffset() == at.astimezone(zone).utcoffset()
            case precision:
                days = (date.fromisoformat(end) - date.fromisoformat(start)).days
                low, high = {"day": (1, 10), "month": (28, 31), "year": (365, 366)}[precision]
                assert low <= days <= high
