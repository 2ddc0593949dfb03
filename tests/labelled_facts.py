"""The labelled facts, read as what was said: gold atoms and the closures that end them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

SINGLE = {
    "location",
    "employer",
    "job_title",
    "age",
    "birth_date",
    "marital_status",
    "budget_limit",
    "deadline",
    "address",
}


@dataclass(frozen=True)
class GoldClosure:
    """The end or the taking back of a value, and the message that tells it."""

    told_by: int
    action: Literal["ended", "corrected"]
    ended_at: datetime | None


@dataclass(frozen=True)
class GoldAtom:
    """A labelled atom without the end that a later value brings about: `end` is told with it."""

    place: int
    subject: str
    predicate: str
    object: str
    told_by: int
    start: datetime | None
    end: datetime | None
    start_inferred: bool
    holds_when_told: bool
    closure: GoldClosure | None


def moment(text: str | None, zone: ZoneInfo) -> datetime | None:
    """A labelled moment; a date is local midnight."""
    if text is None:
        return None
    read = datetime.fromisoformat(text)
    return read if read.tzinfo else read.replace(tzinfo=zone)


def sent(dialog: dict[str, Any]) -> dict[int, datetime]:
    """When each message of a dialog was sent, by number."""
    return {m["n"]: datetime.fromisoformat(m["sent_at"]) for m in dialog["messages"]}


def gold(dialog: dict[str, Any]) -> Iterator[GoldAtom]:
    """The atoms of a dialog. An end that a later value brings about is withheld; an end told by
    another message is a closure of that message; an end told with the value is its own."""
    zone = ZoneInfo(dialog["tz"])
    told_at = sent(dialog)
    for place, atom in enumerate(dialog["atoms"]):
        key = (atom["subject"], atom["predicate"])
        told_by = max(atom["source"])
        start, end = moment(atom["valid_from"], zone), moment(atom["valid_to"], zone)
        succeeded = atom["predicate"] in SINGLE and any(
            moment(other["valid_from"], zone) == end
            for other in dialog["atoms"]
            if (other["subject"], other["predicate"]) == key and other is not atom
        )
        ended_by = atom.get("ended_by")
        retracted = atom.get("retracted", False)
        is_stay = end is not None and ended_by is None and not succeeded
        closure = None
        if ended_by is not None and (retracted or not succeeded):
            closure = GoldClosure(
                ended_by, "corrected" if retracted else "ended", None if retracted else end
            )
        yield GoldAtom(
            place,
            *key,
            atom["object"],
            told_by,
            start,
            end if is_stay else None,
            start is not None and start.date() == told_at[told_by].date(),
            not is_stay,
            closure,
        )


def ends_apart(atom: GoldAtom) -> GoldAtom:
    """The same without an end of its own: its message tells the end by a closure."""
    if atom.end is None:
        return atom
    closure = GoldClosure(atom.told_by, "ended", atom.end)
    return replace(atom, end=None, holds_when_told=True, closure=closure)


def periods(dialog: dict[str, Any]) -> dict[tuple[str, str], set[tuple[str, Any, Any]]]:
    """The labelled periods (object, from, to) that stand, by subject and predicate."""
    zone = ZoneInfo(dialog["tz"])
    found: dict[tuple[str, str], set[tuple[str, Any, Any]]] = {}
    for atom in dialog["atoms"]:
        if not atom.get("retracted"):
            start, end = moment(atom["valid_from"], zone), moment(atom["valid_to"], zone)
            found.setdefault((atom["subject"], atom["predicate"]), set()).add(
                (atom["object"], start, end)
            )
    return found


def dialogs(folder: Path) -> list[dict[str, Any]]:
    """The labelled dialogs of the data folder."""
    lines = (folder / "labelled" / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
