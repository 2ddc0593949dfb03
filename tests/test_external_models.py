"""What leaves for an external model holds placeholders, and its answers are about the real text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import (
    AtomDraft,
    Extraction,
    ImportanceLabel,
    Span,
    SubjectRef,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import Importance, Role
from memory_pipeline.understand.external import GuardedExtractor, GuardedImportance
from memory_pipeline.understand.interface import ExtractionFailure, LabelFailure, Vectors
from memory_pipeline.understand.sensitive.find import find
from memory_pipeline.understand.sensitive.policy import load_policy

PHONE, MAIL = "+7 916 123-45-67", "olga@example.org"
TYPES = load_policy().placeholders


@dataclass
class Outside:
    """A model that states as a fact whatever stands after "это", and notes what it was shown."""

    name: str = "outside"
    version: str = "1"
    model: str = "m"
    prompt_hash: str = "p"
    window_size: int = 8
    shown: list[str] = field(default_factory=list)

    def extract(
        self,
        windows: Sequence[Window],
        predicates: Sequence[Predicate],  # noqa: ARG002 - the interface's
    ) -> list[Extraction | ExtractionFailure]:
        answers: list[Extraction | ExtractionFailure] = []
        for window in windows:
            self.shown.append(window.model_dump_json())
            last = window.messages[-1]
            start = last.text.index("это ") + 4
            atom = AtomDraft(
                subject=SubjectRef(name=last.speaker, is_speaker=True),
                predicate="phone",
                object=last.text[start:],
                text=last.text,
                confidence=1,
                spans=(Span(start=start, end=len(last.text)),),
            )
            answers.append(Extraction(atoms=(atom,)))
        return answers

    def label(
        self,
        texts: Sequence[str],
        vectors: Vectors | None = None,  # noqa: ARG002 - the interface's
    ) -> list[ImportanceLabel | LabelFailure]:
        self.shown += texts
        return [ImportanceLabel(label=Importance.trivial, probability=1, author="model")] * len(
            texts
        )


def window(*texts: str) -> Window:
    at = datetime(2025, 5, 1, tzinfo=UTC)
    messages = tuple(
        WindowMessage(speaker="Олег Тарасов", role=Role.user, sent_at=at, lang="ru", text=text)
        for text in texts
    )
    return Window(messages=messages, tz="UTC")


def test_an_extractor_outside_sees_placeholders_and_answers_about_the_real_text() -> None:
    outside = Outside()
    said = f"Почта {MAIL}, а мой телефон это {PHONE}"
    guarded = GuardedExtractor(outside, find, TYPES)
    (answer,) = guarded.extract([window(f"Мой номер {PHONE}", said)], [])
    assert isinstance(answer, Extraction)
    (atom,) = answer.atoms
    assert (atom.object, atom.text, atom.subject.name) == (PHONE, said, "Олег Тарасов")
    (span,) = atom.spans
    assert said[span.start : span.end] == PHONE
    (shown,) = outside.shown
    assert not any(value in shown for value in (PHONE, MAIL, "Тарасов"))
    assert shown.count("[PHONE_1]") == 2, "one value has one placeholder in all of a window"


def test_the_types_replaced_are_part_of_the_version() -> None:
    outside = Outside()
    versions = {
        GuardedExtractor(outside, find, types).prompt_hash for types in (TYPES, frozenset())
    }
    labels = {GuardedImportance(outside, find, types).version for types in (TYPES, frozenset())}
    assert (len(versions), len(labels)) == (2, 2)


def test_an_importance_model_outside_sees_placeholders() -> None:
    outside = Outside()
    labels = GuardedImportance(outside, find, TYPES).label([f"Мой номер {PHONE}"])
    assert len(labels) == 1
    assert PHONE not in outside.shown[0]
