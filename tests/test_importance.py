"""Importance, local: tags, policy, classifier, and its training."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray
from pydantic import ValidationError

from memory_pipeline.contracts.statement import ImportanceLabel
from memory_pipeline.contracts.vocabulary import Importance
from memory_pipeline.understand import importance_training as training
from memory_pipeline.understand.importance import CLASSES, LocalImportance, builtin_weights
from memory_pipeline.understand.importance_cues import Cues, load_policy
from memory_pipeline.understand.interface import Vectors

POLICY = Path(training.__file__).parent / "data" / "importance_policy.yaml"
SHARED = Path(
    os.environ.get("MEMORY_PIPELINE_SHARED_DATA", Path(__file__).parents[2] / "shared" / "data")
)


def _label(
    text: str, vectors: Vectors | None = None, model: LocalImportance | None = None
) -> ImportanceLabel:
    [label] = (model or LocalImportance()).label([text], vectors)
    assert isinstance(label, ImportanceLabel)
    return label


@pytest.mark.parametrize(
    "text", ["[!] купи хлеб", "[CRITICAL] hello", " [ВАЖНО] привет", "[критично] ок"]
)
def test_a_manual_tag_at_the_start_makes_any_message_critical(text: str) -> None:
    label = _label(text)
    assert (label.label, label.probability, label.author) == (Importance.critical, 1.0, "manual")


def test_a_tag_inside_a_message_marks_nothing() -> None:
    assert _label("the docs say to write [!] first").author != "manual"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("у меня аллергия на арахис, даже следы исключить", Importance.critical),
        ("I'm diabetic, no sugar in any recipe, ever", Importance.critical),
        ("бюджет 500 тысяч и ни рублём больше", Importance.critical),
        ("переехали в Тулу в прошлом году", Importance.relevant),
        ("I run a small bakery, mostly rye on weekends", Importance.relevant),
        ("спасибо!", Importance.trivial),
        ("haha nice", Importance.trivial),
        ("у меня аллергия на понедельники, хаха", Importance.trivial),
    ],
)
def test_plain_messages_are_labelled_with_and_without_vectors(
    text: str, wanted: Importance
) -> None:
    assert _label(text).label is wanted
    assert _label(text, training.embed([text])).label is wanted


@pytest.mark.parametrize(
    "text",
    [
        "Наташа ответила! Говорит, неделя, если её не трогать",
        "дядю он совсем не помнит, тот умер раньше",
        "вообще ничего не нашёл, зайду в другой магазин",
        "отчёты за июнь никто не открывал, вот и зависло",
        "подарок обязательно будет, у неё же день рождения",
        "не могу уснуть, набросай способов быстрого отдыха",
        "а скидки для пенсионеров бывают?",
        "my uncle did it last year and he never shuts up about it",
        "Antibodies are made by B cells. Select one: True False",
        "nobody came, so we just had pizza",
        "the account number is [IBAN_1]",
    ],
)
def test_a_word_that_forbids_elsewhere_makes_nothing_critical(text: str) -> None:
    assert _label(text, training.embed([text])).label is not Importance.critical


def test_what_no_kind_speaks_for_must_be_surer_to_be_critical() -> None:
    policy = load_policy()
    silent, speaking = "ступеньки для меня беда", "у меня аллергия на мёд"
    cues = Cues(policy)
    assert cues.thresholds(cues.of([silent, speaking])).tolist() == pytest.approx(
        [policy.thresholds.without_kind, policy.thresholds.critical]
    )
    off = policy.model_copy(
        update={
            "kinds": {n: k.model_copy(update={"critical": False}) for n, k in policy.kinds.items()}
        }
    )
    limits = Cues(off).thresholds(cues.of([speaking]))
    assert limits.tolist() == pytest.approx([policy.thresholds.without_kind])


def test_a_label_depends_on_its_text_alone() -> None:
    texts = ["спасибо!", "бюджет 500 тысяч и ни рублём больше", "learning the cello", ""]
    together = LocalImportance().label(texts, training.embed(texts))
    assert together == [_label(text, training.embed([text])) for text in texts]


def test_a_tenants_policy_can_switch_a_kind_off(tmp_path: Path) -> None:
    policy = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    for kind in ("money_limit", "prohibition", "consequence", "lasting_instruction"):
        policy["kinds"][kind]["critical"] = False
    path = tmp_path / "policy.yaml"
    path.write_text(yaml.safe_dump(policy, allow_unicode=True), encoding="utf-8")
    own = LocalImportance(load_policy(path))
    text = "бюджет 500 тысяч и ни рублём больше"
    assert _label(text, model=own).label is Importance.relevant
    assert own.version != LocalImportance().version


def test_a_policy_with_a_broken_pattern_names_the_field(tmp_path: Path) -> None:
    policy = yaml.safe_load(POLICY.read_text(encoding="utf-8"))
    policy["kinds"]["allergy"]["patterns"] = ["("]
    path = tmp_path / "policy.yaml"
    path.write_text(yaml.safe_dump(policy, allow_unicode=True), encoding="utf-8")
    with pytest.raises(ValidationError, match=r"kinds\.allergy\.patterns"):
        load_policy(path)


def test_a_policy_with_other_kinds_than_the_classifier_knows_is_refused() -> None:
    policy = load_policy()
    fewer = policy.model_copy(update={"kinds": dict(list(policy.kinds.items())[1:])})
    with pytest.raises(ValueError, match="allergy"):
        LocalImportance(fewer)


@dataclass(frozen=True)
class _Rows:
    cues: NDArray[np.float32]
    vectors: Vectors
    labels: NDArray[np.int64]
    scored: NDArray[np.bool_]
    langs: NDArray[np.str_]
    names: tuple[str, ...]


@pytest.fixture(scope="module")
def rows() -> _Rows:
    """The training rows, embedded once."""
    data = training.rows()
    texts = [row["text"] for row in data]
    cues = Cues(load_policy())
    return _Rows(
        cues.of(texts),
        training.embed(texts),
        np.array([CLASSES.index(Importance(row["label"])) for row in data]),
        np.array([row["set"] == "labelled" for row in data]),
        np.array([row["lang"] for row in data]),
        cues.names,
    )


def test_the_stored_model_is_what_training_gives(rows: _Rows) -> None:
    again = training.train(rows.cues, rows.vectors, rows.labels, rows.names)
    stored = builtin_weights()
    assert np.allclose(again.cues_only, stored.cues_only, atol=1e-4)
    assert np.allclose(again.full, stored.full, atol=1e-2)


def test_cross_validation_reaches_the_targets_in_each_language(rows: _Rows) -> None:
    full, _ = training.cross_validate(
        rows.cues, rows.vectors, rows.labels, rows.scored, rows.names, repeats=1
    )
    said = training.decide(full, Cues(load_policy()).thresholds(rows.cues[rows.scored]))
    truth, langs = rows.labels[rows.scored], rows.langs[rows.scored]
    for group in ("ru", "en"):
        figures = training.report(said[langs == group], truth[langs == group])
        assert figures["macro_f1"] >= 0.88, (group, figures)
        assert figures["critical_recall"] >= 0.95, (group, figures)
        assert figures["critical_precision"] >= 0.75, (group, figures)


def _locomo() -> list[str]:
    dialogs = json.loads((SHARED / "locomo" / "locomo_dev.json").read_text(encoding="utf-8"))
    return [
        turn["text"]
        for dialog in dialogs
        for name, session in dialog["conversation"].items()
        if name.startswith("session_") and isinstance(session, list)
        for turn in session
    ]


def _gigamemory() -> list[str]:
    lines = (SHARED / "gigamemory" / "dialogs_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        message["content"]
        for line in lines
        for session in json.loads(line)["sessions"]
        for message in session["messages"]
        if message["role"] == "user"
    ]


@pytest.mark.verify
@pytest.mark.skipif(
    not (SHARED / "locomo").exists(), reason="the shared test data is not beside the checkout"
)
@pytest.mark.parametrize("texts_of", [_locomo, _gigamemory])
def test_chat_that_holds_hardly_a_constraint_is_hardly_ever_called_critical(
    texts_of: Callable[[], list[str]],
) -> None:
    texts = texts_of()
    labels = LocalImportance().label(texts, training.embed(texts))
    n_critical = sum(
        isinstance(x, ImportanceLabel) and x.label is Importance.critical for x in labels
    )
    assert n_critical / len(texts) <= 0.005
