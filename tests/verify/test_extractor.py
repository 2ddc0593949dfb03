"""An extractor's version changed and changed back in a whole home, with its indexes."""

from collections.abc import Sequence

import pytest

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import Extraction, Window
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.understand.extract import ExtractReport
from memory_pipeline.understand.extraction.local import LocalExtractor
from memory_pipeline.understand.interface import ExtractionFailure, Extractor
from tests.verify.homes import View

pytestmark = [pytest.mark.verify, pytest.mark.timeout(600)]

MOMENTS = ("2025-06-10", "2025-10-18", "2025-12-01")


class WithoutPlaces(LocalExtractor):
    """Another version, which finds no locations."""

    version = "without-places"

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        return super().extract(windows, [p for p in predicates if p.name != "location"])


def extract(services: Services, extractor: Extractor) -> ExtractReport:
    """Extract and bring the indexes along; they are equal to the truth after."""
    with Pipeline.open(services) as pipeline:
        pipeline.extractor = extractor
        report = pipeline.extract()
        pipeline.embed_atoms()
        pipeline.refresh_full_text()
        pipeline.refresh_graph()
        assert all(parity.is_equal for parity in pipeline.parity())
    return report


def test_a_version_changed_and_changed_back_ends_where_it_began(samples: Services) -> None:
    view = View(samples)
    before = view.statements(), view.answers(MOMENTS), view.periods()

    upgraded = extract(samples, WithoutPlaces())
    assert upgraded.n_withdrawn > 0
    predicates = {row[1] for row in view.statements()["atoms"]}
    assert predicates
    assert "location" not in predicates

    back = extract(samples, LocalExtractor())
    assert back.n_extracted == 0
    assert (view.statements(), view.answers(MOMENTS), view.periods()) == before
