"""What fits a query comes first: by meaning, by words, beside what fits, and from whom it names."""

from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.afm.gather import read_sql
from memory_pipeline.afm.relevance import relevance
from memory_pipeline.installation import ready

NOBODY = np.zeros(20, dtype=bool)
NEARER = np.linspace(0.2, 0.4, 20)
"""Each item a little nearer to the query in meaning than the one before it."""


def hit(place: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Words of the query in one of twenty items."""
    return 4.0 * np.eye(20)[place]


def order(dealt: np.ndarray[Any, np.dtype[np.float64]]) -> list[int]:
    """Places, best first."""
    return list(np.argsort(-dealt, kind="stable"))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 9), st.booleans()), max_size=12), st.data())
def test_the_values_stay_those_of_the_cosine(
    rows: list[tuple[float, float, bool]], data: st.DataObject
) -> None:
    cosines, words, named = (
        np.array([row[n] for row in rows], dtype=kind)
        for n, kind in enumerate((float, float, bool))
    )
    n_messages = data.draw(st.integers(0, len(rows)))
    if cosines.any():
        assert sorted(relevance(cosines, words, named, n_messages)) == sorted(cosines)


def test_without_any_other_sign_the_cosine_decides() -> None:
    assert list(relevance(NEARER, np.zeros(20), NOBODY, 0)) == list(NEARER)


def test_before_anything_was_embedded_words_decide_and_then_what_is_newer() -> None:
    dealt = relevance(np.zeros(20), hit(5), NOBODY, 0)
    assert order(dealt)[:3] == [5, 19, 18]
    assert (dealt.min(), dealt.max()) == (0.0, 1.0)


def test_a_rare_word_beats_a_somewhat_nearer_meaning() -> None:
    assert order(relevance(NEARER, hit(5), NOBODY, 0))[:2] == [5, 19]


def test_the_turn_beside_one_that_fits_comes_before_nearer_ones_far_from_it() -> None:
    ranked = order(relevance(NEARER, hit(5), NOBODY, 20))
    assert ranked.index(6) < ranked.index(9) < ranked.index(8)
    assert ranked.index(4) < ranked.index(7)


def test_what_is_no_turn_has_no_neighbours() -> None:
    ranked = order(relevance(NEARER, hit(5), NOBODY, 6))
    assert ranked.index(8) < ranked.index(7) < ranked.index(6)


def test_turns_of_the_person_asked_about_rise() -> None:
    named = hit(8) > 0
    assert order(relevance(NEARER, np.zeros(20), named, 0)).index(8) < 11 - 3
    assert order(relevance(NEARER, np.zeros(20), NOBODY, 0)).index(8) == 11


def fit(home: Path, query: str, *said: tuple[str, str | None]) -> list[tuple[float, bool]]:
    """What the database says of texts and their speakers."""
    bound = {"query": query, "texts": [t for t, _ in said], "speakers": [s for _, s in said]}
    with psycopg.connect(ready(home).pg_dsn("mem_verifier")) as connection:
        rows = connection.execute(read_sql("word_fit.sql").encode(), bound).fetchall()
    return [(float(words), bool(is_named)) for words, is_named in rows]


def test_words_count_in_every_inflected_form_and_rare_ones_more(home: Path) -> None:
    said = fit(
        home, "Когда мы летали в Казань?",
        ("Летали мы летом", "Анна"), ("В Казани было жарко", "Олег"), ("Летали все", None),
        ("Ничего", None),
    )  # fmt: skip
    words = [n for n, _ in said]
    assert words[1] > words[0] > 0
    assert words[2] > 0
    assert words[3] == 0


def test_a_speaker_is_named_in_a_declined_form_too(home: Path) -> None:
    said = fit(
        home, "Что любит Дмитрий? What does Rachel like?",
        ("Чай", "Дмитрия"), ("Tea", "Rachel"), ("Кофе", "Анна"), ("Coffee", None),
    )  # fmt: skip
    assert [is_named for _, is_named in said] == [True, True, False, False]


def test_nothing_asked_and_nothing_said_fit_nothing(home: Path) -> None:
    assert fit(home, "", ("Чай", "Анна"), ("", None)) == [(0.0, False), (0.0, False)]
    assert fit(home, "Чай") == []
