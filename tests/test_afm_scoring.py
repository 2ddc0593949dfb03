"""Scores follow the published formulas, and what is stored adds up to them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from memory_pipeline.afm.items import Candidate
from memory_pipeline.afm.scoring import score_all, wanted_fidelity
from memory_pipeline.contracts.snapshot import ItemKind, Levers, Mode
from memory_pipeline.contracts.vocabulary import Fidelity, Importance

START = datetime(2025, 3, 1, 9, tzinfo=UTC)


def message(turn: int, **fields: object) -> Candidate:
    values = {"sent_at": START + timedelta(hours=turn), "sim": 0.5, **fields}
    return Candidate(kind=ItemKind.message, id=f"m{turn}", text="t", turn=turn, **values)


def atom(**fields: object) -> Candidate:
    return Candidate(kind=ItemKind.atom, id="a", text="t", sim=0.5, **fields)


def test_weight_halves_every_half_life_counted_from_the_newest_message() -> None:
    scored = score_all([message(turn) for turn in range(1, 26)], Levers(half_life=12))
    by_turn = {s.candidate.turn: s for s in scored}
    assert (by_turn[25].w, by_turn[13].w, by_turn[1].w) == (1.0, 0.5, 0.25)
    assert by_turn[13].score == pytest.approx(0.5 * (0.4 + 0.4 * 0.5))


@pytest.mark.parametrize(
    ("importance", "in_force", "expected"),
    [
        (Importance.critical, True, 1.0),
        (Importance.critical, None, 1.0),
        (Importance.critical, False, 0.4),
        (Importance.relevant, None, 0.4),
        (Importance.trivial, None, 0.125),
    ],
)
def test_each_class_has_its_formula_and_closed_critical_competes_as_relevant(
    importance: Importance, in_force: bool | None, expected: float
) -> None:
    (scored,) = score_all([message(1, importance=importance, in_force=in_force)], Levers())
    assert scored.score == pytest.approx(expected)


def test_an_atom_is_as_old_as_the_turns_sent_after_it_was_told() -> None:
    dialog = [message(turn) for turn in range(1, 6)]
    told = atom(told_at=START + timedelta(hours=2))
    assert score_all([*dialog, told], Levers())[-1].turns_ago == 3


def test_an_atom_without_a_time_is_as_old_as_its_evidence_or_older_than_the_dialog() -> None:
    dialog = [message(turn, sent_at=None) for turn in range(1, 6)]
    assert score_all([*dialog, atom(evidence_of=("m4",))], Levers())[-1].turns_ago == 1
    assert score_all([*dialog, atom()], Levers())[-1].turns_ago == 5


def test_thresholds_include_their_own_value() -> None:
    levers = Levers()
    wanted = [wanted_fidelity(score, levers) for score in (0.45, 0.25, 0.2499)]
    assert wanted == [Fidelity.full, Fidelity.compressed, Fidelity.placeholder]
    assert wanted_fidelity(0.0, Levers(mode=Mode.off)) is Fidelity.full


def test_crossed_thresholds_are_refused() -> None:
    with pytest.raises(ValidationError, match="compressed"):
        Levers(full=0.2, compressed=0.3)


@given(st.floats(-1, 1), st.integers(1, 80), st.sampled_from(Importance))
def test_stored_terms_add_up_to_the_score(sim: float, n: int, importance: Importance) -> None:
    dialog = [message(turn, sim=sim, importance=importance) for turn in range(1, n + 1)]
    for s in score_all(dialog, Levers()):
        terms = s.weights.constant + max(0.0, sim) * (s.weights.base + s.weights.recency * s.w)
        assert s.score == terms
        assert 0 <= s.score <= 1
