"""The predicates that come with the package, and when two of their objects are equal."""

import re
import unicodedata
from datetime import date, datetime
from functools import lru_cache
from importlib.resources import files

import yaml
from pydantic import JsonValue

from memory_pipeline.contracts.predicate import Predicate, ValueType
from memory_pipeline.understand.extraction.places import fold, place_alias
from memory_pipeline.understand.morphology import lemma

_WORDS = re.compile(r"[\w@+%#.&/'’-]+")
_EDGES = ".'’-/&"
_ARTICLES = frozenset({"a", "an", "the"})
_INTEGER = re.compile(r"[+]?(\d+)(?:[.,]0+)?")
_MONEY = re.compile(r"(\d[\d\s ]*(?:[.,]\d+)?)\s*([A-Za-z]{3})")
_PHONE = re.compile(r"\+?(?:[\s().\-–/]*\d){5,15}[\s)]*(?:\s?(?:x|ext\.?|доб\.?)\s?\d{1,6})?", re.I)
_EMAIL = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@.]+")
_WRITTEN: dict[ValueType, str] = {
    "date": "a date, as in 1990-03-08",
    "integer": "a whole number, as in 42",
    "money": "an amount and its currency, as in '350000 RUB'",
    "phone": "a phone number, as in '+7 495 123-45-67'",
    "email": "an e-mail address, as in ana@mail.example",
    "place": "the name of a place, as in Kazan",
    "person": "the name of a person, as in Anna",
    "text": "words",
}


@lru_cache(maxsize=1)
def builtin_predicates() -> list[Predicate]:
    """The registry's first content, in the order of `data/predicates.yaml`.

    Raises `pydantic.ValidationError` when the file breaks the contract.
    """
    text = files("memory_pipeline.understand").joinpath("data/predicates.yaml").read_text("utf-8")
    return [Predicate.model_validate(entry) for entry in yaml.safe_load(text)]


def normalise_object(predicate: Predicate, value: JsonValue) -> str:
    """The form under which two objects of a predicate are equal; pure and deterministic.

    Places and texts: lemmas of Russian words, lower case, ё as е, no articles, quotes or
    punctuation, spaces single. Money: `<amount> <CUR>`. Dates: ISO. Integers, phones: digits (a
    Russian 8 is +7). E-mails: lower case. A value that does not have its type's shape is treated
    as text. An event (`EpisodicObject`): its `what` as text. Raises `ValueError` for a null, a list
    or another object.
    """
    if isinstance(value, dict) and isinstance(value.get("what"), str):
        value = value["what"]
    if value is None or isinstance(value, list | dict):
        raise ValueError(f"predicate {predicate.name}: the object must be a JSON scalar")
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = unicodedata.normalize("NFC", str(value)).strip()
    match predicate.value_type:
        case "money":
            return _money(text)
        case "integer":
            digits = _INTEGER.fullmatch(text)
            return str(int(digits[1])) if digits else _text(text)
        case "phone":
            return _phone(text)
        case "email":
            return text.casefold()
        case "place":
            return _text(place_alias(text) or text)
        case "date":
            found = re.match(r"\d{4}-\d{2}-\d{2}(?=$|[T ])", text)
            return found[0] if found else _text(text)
        case _:
            return _text(text)


def check_object(predicate: Predicate, value: JsonValue) -> None:
    """Refuse what a person states of a predicate in another shape than that of its type: it would
    equal nothing that a log says. Raises `ValueError` with an example and without the value."""
    if value is None or isinstance(value, list | dict):
        normalise_object(predicate, value)
        return
    text = unicodedata.normalize("NFC", str(value)).strip()
    if not _fits(predicate.value_type, text):
        raise ValueError(f"the object of {predicate.name} is {_WRITTEN[predicate.value_type]}")


def _fits(value_type: ValueType, text: str) -> bool:
    match value_type:
        case "date":
            return _is_date(text)
        case "integer":
            return _INTEGER.fullmatch(text) is not None
        case "money":
            return _MONEY.fullmatch(text) is not None
        case "phone":
            return _PHONE.fullmatch(text) is not None
        case "email":
            return _EMAIL.fullmatch(text) is not None
        case "place" | "person":
            return any(map(str.isalpha, text))
        case _:
            return bool(text)


def _is_date(text: str) -> bool:
    """ISO, also with a time, as normal forms are read."""
    if re.match(r"\d{4}-\d{2}-\d{2}(?=$|[T ])", text) is None:
        return False
    try:
        date.fromisoformat(text) if len(text) == len("2025-10-17") else datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _money(text: str) -> str:
    shape = _MONEY.fullmatch(text)
    if shape is None:
        return _text(text)
    whole, _, cents = re.sub(r"\s", "", shape[1]).replace(",", ".").partition(".")
    cents = cents.rstrip("0")
    return f"{int(whole)}{'.' + cents if cents else ''} {shape[2].upper()}"


def _phone(text: str) -> str:
    digits = re.sub(r"\D", "", text)
    if len(digits) == 11 and digits.startswith("8"):
        return f"7{digits[1:]}"
    return digits or _text(text)


def _text(text: str) -> str:
    words = (word.strip(_EDGES) for word in _WORDS.findall(fold(text)))
    kept = [lemma(word) for word in words if word and word not in _ARTICLES]
    return " ".join(kept) if kept else fold(text).strip()
