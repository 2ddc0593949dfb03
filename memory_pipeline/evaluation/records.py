"""Records to evaluate on: what a line may hold, with labels or without.

The shapes are those of the project's labelled sets; further fields are not read. A record without
labels is only predicted.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from memory_pipeline.contracts.vocabulary import Importance, Role


class Record(BaseModel):
    """What every record has. `lang` is `ru` or `en`; without it the letters decide."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    lang: str | None = None


class TextRecord(Record):
    """A record about one text."""

    text: str


class ImportanceRecord(TextRecord):
    """A message and how important it is. `trap`: words of a critical message, and it is none;
    `no_trigger`: critical without such words."""

    label: Importance | None = None
    category: str | None = None
    trap: bool = False
    no_trigger: bool = False


class LabelledSpan(BaseModel):
    """Characters [start, end) (code points) of the text, and their type."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    start: int
    end: int
    type: str


class SensitiveRecord(TextRecord):
    """A message and the sensitive values in it."""

    spans: tuple[LabelledSpan, ...] | None = None


class LabelledPeriod(BaseModel):
    """A half-open interval; dates are midnights of the reference's offset."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    start: str | None = Field(alias="from")
    end: str | None = Field(alias="to")
    kind: str = "span"


class DatesRecord(TextRecord):
    """A message, when it was told, and the intervals that it names."""

    reference: AwareDatetime
    expect: tuple[LabelledPeriod, ...] | None = None


class DialogMessage(BaseModel):
    """A message of a dialog, `n` counting from 1."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    n: int
    speaker: str
    role: Role
    sent_at: AwareDatetime | None = None
    text: str


class LabelledAtom(BaseModel):
    """A fact, its period in local dates, `valid_to` exclusive. A `retracted` one never held."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    subject: str
    predicate: str
    object: str
    valid_from: str | None = None
    valid_to: str | None = None
    retracted: bool = False


class Ask(BaseModel):
    """A question to the memory; with the answer, if `object` is given: a value, a list of them
    for a predicate that may have several, or null when none holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    subject: str
    predicate: str
    valid_at: AwareDatetime
    known_at: AwareDatetime | None = None
    object: str | tuple[str, ...] | None = None

    @property
    def is_labelled(self) -> bool:
        """Whether the answer is given, be it null."""
        return "object" in self.model_fields_set


class FactsRecord(Record):
    """A dialog, the facts that it tells, and questions about them."""

    tz: str = "UTC"
    kinds: tuple[str, ...] = ()
    messages: tuple[DialogMessage, ...]
    atoms: tuple[LabelledAtom, ...] | None = None
    asks: tuple[Ask, ...] = ()


R = TypeVar("R", bound=Record)


def read_records(path: Path, kind: type[R]) -> list[R]:
    """The records of a JSON Lines file. Raises `FileNotFoundError`, and `ValueError` that names
    file, line and field."""
    found: list[R] = []
    seen: set[str] = set()
    for number, line in _lines(path):
        where = f"{path.name}:{number}"
        try:
            record = kind.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(f"{where}: no JSON ({error.msg}); a record is one line") from None
        except ValidationError as error:
            raise ValueError(f"{where}: {_misfit(error)}") from None
        if record.id in seen:
            raise ValueError(f"{where}: id: another record has it too; give each its own")
        seen.add(record.id)
        found.append(record)
    return found


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield number, line


def _misfit(error: ValidationError) -> str:
    """The first field that does not fit and why, without its value."""
    first: Any = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'record'}: {first['msg']}"
