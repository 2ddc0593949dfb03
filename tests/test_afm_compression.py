"""Extractive compression keeps whole sentences, and the check sees what a compression changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.afm import sentences
from memory_pipeline.afm.compression import ExtractiveCompressor, NoCompressor, check

RU = (
    "Привет! Как твои дела сегодня? Бюджет 300 тысяч, больше не дадут. "
    "Погода была чудесная, мы долго гуляли в парке у реки. Запуск через 6 недель."
)
EN = (
    "Hey there! The weather was lovely and we walked along the river for hours. "
    "I must not eat peanuts, I'm allergic. How are you doing these days?"
)


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        (RU, ["Бюджет 300 тысяч, больше не дадут.", "Запуск через 6 недель."], "Погода"),
        (EN, ["I must not eat peanuts, I'm allergic."], "weather"),
    ],
)
def test_figures_and_constraints_stay_verbatim_and_small_talk_goes(
    text: str, kept: list[str], dropped: str
) -> None:
    short = ExtractiveCompressor().compress(text, "ru")
    assert all(sentence in short for sentence in kept)
    assert dropped not in short
    assert check(text, short).is_faithful


def test_a_bare_no_stays_with_what_it_answers() -> None:
    assert sentences.units("Можно с орехами? Нет. Спасибо за вопрос.")[0].endswith("Нет.")
    assert sentences.units("You may call. But not before 9. I like tea.") == [
        "You may call. But not before 9.",
        "I like tea.",
    ]


@pytest.mark.parametrize(
    "text", ["Живу на ул. Ленина с 2020 г. и рад.", "Dr. Smith and J. Doe came at 5 p.m. today."]
)
def test_abbreviations_and_initials_end_no_sentence(text: str) -> None:
    assert sentences.split(text) == [text]


def test_a_text_of_one_sentence_is_left_whole() -> None:
    assert ExtractiveCompressor().compress("just one thing here", "en") == "just one thing here"
    assert NoCompressor().compress(EN, "en") == EN


@pytest.mark.parametrize(
    ("original", "compressed", "field"),
    [
        ("The budget cap is $500 for this run.", "The budget cap is $900.", "n_lost_numbers"),
        ("Не присылайте письма клиентам.", "Присылайте письма клиентам.", "n_lost_negations"),
        ("Send letters to customers.", "Never send letters to customers.", "n_added_negations"),
        ("You must encrypt the archive.", "You encrypt the archive.", "n_lost_constraints"),
        ("We met some friends.", "We met 12 friends.", "n_invented_numbers"),
    ],
)
def test_the_check_names_what_a_compression_changed(
    original: str, compressed: str, field: str
) -> None:
    result = check(original, compressed)
    assert getattr(result, field) > 0
    assert not result.is_faithful


PHRASES = [
    "I do not eat meat.",
    "Нет.",
    "Бюджет 10 000 рублей",
    "500 people came!",
    "But never on Monday.",
    "ok",
    "Maria lives in Tver…",
    "lovely weather today, really",
]


@given(st.lists(st.sampled_from(PHRASES), max_size=8), st.sampled_from([" ", "\n", "  \n"]))
def test_any_extract_is_shorter_faithful_and_stable(parts: list[str], gap: str) -> None:
    text = gap.join(parts)
    short = ExtractiveCompressor().compress(text, "ru")
    assert len(short) <= len(text)
    assert bool(short) == bool(text)
    assert short == ExtractiveCompressor().compress(text, "ru")
    if short != text:
        assert check(text, short).is_faithful
