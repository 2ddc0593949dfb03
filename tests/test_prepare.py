"""What leaves preparation: numbered masks where a message held secrets, and which is which."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.message import Attachment, RawMessage
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import AtomDraft, Extraction, Span, SubjectRef, Window
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.governance.secrets import SecretStore
from memory_pipeline.ingest.prepare import Preparer
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.interface import ExtractionFailure
from memory_pipeline.understand.sensitive.find import find
from tests.scenario import Scenario, message

CARD, OTHER = "4276 5500 1234 5677", "5555 5555 5555 4444"
MASK = re.compile(r"\[[A-Z]+(?:_[A-Z]+)?_\d+\]")


def preparer() -> Preparer:
    return Preparer(Keys(b"k" * 32), 1, find)


def test_different_secrets_of_a_text_get_different_masks_and_equal_ones_share_theirs() -> None:
    text, secrets = preparer().take_out(f"карта {CARD}, другая {OTHER}, опять {CARD}, пин 4821")
    assert text == "карта [CARD_1], другая [CARD_2], опять [CARD_1], пин [PASSWORD_1]"
    assert [text[s.start : s.end] for s in secrets] == [
        "[CARD_1]",
        "[CARD_2]",
        "[CARD_1]",
        "[PASSWORD_1]",
    ]
    assert [s.value for s in secrets] == [CARD, OTHER, CARD, "4821"]
    assert secrets[0].value_key == secrets[2].value_key != secrets[1].value_key


def test_titles_tags_and_attachments_are_masked_too() -> None:
    raw = RawMessage(
        namespace="",
        dialog="d",
        speaker="Анна",
        role=Role.user,
        sent_at=None,
        text="см. вложение",
        position=1,
        dialog_title=f"карта {CARD}",
        tags=(f"карта {CARD}",),
        attachments=(Attachment(kind="image", caption=f"карта {CARD}"),),
    )
    prepared = preparer().prepare(raw)
    assert prepared.raw.dialog_title == prepared.raw.tags[0] == "карта [CARD_1]"
    assert prepared.attachments[0]["caption"] == "карта [CARD_1]"


_PIECES = st.sampled_from(
    (f"карта {CARD}", f"card {OTHER}", "[CARD_1]", "пароль: x9Y-z", "😀", "да")
)


@given(st.lists(_PIECES | st.text(max_size=8), max_size=7).map(" ".join))
def test_putting_the_values_back_gives_the_text_that_was_read(clear: str) -> None:
    text, secrets = preparer().take_out(clear)
    for secret in reversed(secrets):
        assert MASK.fullmatch(text[secret.start : secret.end])
        text = text[: secret.start] + secret.value + text[secret.end :]
    assert text == clear


class OwnsSecondCard(LocalExtractor):
    """Draws one atom from every message: that the speaker owns the second card of the text."""

    version = "1-cards"

    def extract(
        self,
        windows: Sequence[Window],
        predicates: Sequence[Predicate],  # noqa: ARG002
    ) -> list[Extraction | ExtractionFailure]:
        return [Extraction(atoms=(self._atom(window),)) for window in windows]

    def _atom(self, window: Window) -> AtomDraft:
        told = window.messages[-1]
        start = told.text.index("[CARD_2]")
        return AtomDraft(
            subject=SubjectRef(name=told.speaker, is_speaker=True),
            predicate="owns",
            object="[CARD_2]",
            text=told.text,
            confidence=0.9,
            spans=(Span(start=start, end=start + len("[CARD_2]")),),
        )


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


def test_an_atom_about_one_of_two_secrets_refers_to_that_one(
    started: Services, tmp_path: Path
) -> None:
    scenario = Scenario(started, tmp_path)
    scenario.read(message("Анна", "2025-05-01T10:00+03:00", f"одна {CARD}, вторая {OTHER}"))
    with scenario.pipeline(OwnsSecondCard()) as pipeline:
        pipeline.extract()
    ((secret_id,),) = scenario.rows(
        "select secret_id from memory.atom where tenant_id = %(tenant)s"
    )
    assert SecretStore(started.vault_client("reveal")).get(secret_id) == OTHER
    with scenario.memory() as memory:
        (answer,) = memory.as_of("Анна").answers
        assert (answer.status, answer.object) == ("secret", None)
