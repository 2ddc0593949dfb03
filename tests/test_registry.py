"""The predicate registry that comes with the package, and the equality of objects."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.understand.registry import builtin_predicates, normalise_object

BY_NAME = {p.name: p for p in builtin_predicates()}
TAGS = {
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
    "event",
}
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
MULTI = {
    "diet", "allergy", "medical_condition", "medication", "legal_constraint", "requirement", "preference",
    "dislike", "tool", "skill", "language", "goal", "plan", "relative", "pet", "owns", "education", "email", "phone", "event",
}  # fmt: skip
VALUE_TYPES = {"text", "place", "date", "integer", "money", "person", "email", "phone"}


def test_the_registry_holds_the_agreed_predicates_with_their_cardinality() -> None:
    assert {p.name for p in BY_NAME.values() if p.cardinality == "single"} == SINGLE
    assert {p.name for p in BY_NAME.values() if p.cardinality == "multi"} == MULTI


@pytest.mark.parametrize("predicate", BY_NAME.values(), ids=lambda p: p.name)
def test_every_predicate_is_labelled_and_shown_in_both_languages(predicate: Predicate) -> None:
    assert predicate.label_ru
    assert predicate.label_en
    assert all(re.search("[а-яё]", example.lower()) for example in predicate.examples_ru)
    assert predicate.examples_ru
    assert predicate.examples_en
    assert set(predicate.tags) <= TAGS
    assert predicate.value_type in VALUE_TYPES


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("location", "Казани", "Казань"),
        ("location", "питер", "Санкт-Петербург"),
        ("location", "NYC", "New York"),
        ("location", "Орёл", "орел"),
        ("budget_limit", "300 000 rub", "300000 RUB"),
        ("budget_limit", "12.50 EUR", "12.5 EUR"),
        ("employer", "«Ромашка»", "Ромашка"),
        ("employer", "The Acme", "acme"),
        ("birth_date", "1991-04-21T00:00:00", "1991-04-21"),
        ("age", 41, "41"),
        ("age", 41.0, "41"),
        ("phone", "8 (982) 555-01-08", "+7 982 555 01 08"),
        ("email", "Ana@Quillpost.example", "ana@quillpost.example"),
        ("allergy", "кошек", "кошки"),
        ("relative", "брат: Пётр", "брат: Петр"),
    ],
)
def test_spellings_of_one_object_have_one_form(
    predicate: str, one: JsonValue, other: JsonValue
) -> None:
    assert normalise_object(BY_NAME[predicate], one) == normalise_object(BY_NAME[predicate], other)


@pytest.mark.parametrize(
    ("predicate", "one", "other"),
    [
        ("location", "Москва", "Казань"),
        ("budget_limit", "300000 RUB", "300000 USD"),
        ("tool", "C++", "C#"),
        ("phone", "+7 982 555-01-08", "+7 982 555-01-09"),
        ("pet", "dog: Biscuit", "cat: Biscuit"),
    ],
)
def test_different_objects_keep_apart(predicate: str, one: str, other: str) -> None:
    assert normalise_object(BY_NAME[predicate], one) != normalise_object(BY_NAME[predicate], other)


@pytest.mark.parametrize("value", [None, [], {}])
def test_an_object_that_is_no_scalar_is_refused(value: JsonValue) -> None:
    with pytest.raises(ValueError, match="JSON scalar"):
        normalise_object(BY_NAME["tool"], value)


@given(predicate=st.sampled_from(list(BY_NAME.values())), value=st.text(min_size=1, max_size=60))
def test_a_normal_form_is_never_empty_of_what_was_said_and_repeats_exactly(
    predicate: Predicate, value: str
) -> None:
    first = normalise_object(predicate, value)
    assert first == normalise_object(predicate, value)
    if re.search(r"[a-zа-я0-9]", value.lower()):
        assert first
