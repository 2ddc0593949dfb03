"""The sample logs in any order and split give the same memory."""

import random
from pathlib import Path

import pytest

from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.samples import sample_files
from tests.verify.homes import ZONE, View, sample_lines, write_lines

pytestmark = [pytest.mark.verify, pytest.mark.timeout(900)]

SEED = 20251019
MOMENTS = ("2025-03-10", "2025-06-10", "2025-08-15", "2025-10-18", "2025-10-19", "2025-12-01")


def test_shuffled_single_messages_in_a_second_home_give_the_same_atoms_periods_and_answers(
    samples: Services, scratch: Services, tmp_path: Path
) -> None:
    lines = sample_lines()
    shuffled = random.Random(SEED).sample(lines, len(lines))
    half = len(lines) // 2
    for n, line in enumerate(shuffled):
        write_lines(tmp_path / str(n >= half) / f"{n:04}.jsonl", [line])
    with Pipeline.open(scratch, tz=ZONE) as pipeline:
        # what the first half leads to is taken back where the second half says otherwise
        for part in (tmp_path / "False", tmp_path / "True"):
            report = pipeline.ingest([part])
            assert report.n_quarantined == 0
            pipeline.extract()

    whole, split = View(samples), View(scratch)
    expected = whole.statements()
    assert len(expected["messages"]) == len(lines)
    assert expected["atoms"]
    found = split.statements()
    for name, rows in expected.items():
        assert found[name] == rows, name
    assert split.periods() == whole.periods()
    answers = whole.answers(MOMENTS)
    assert all(answers.values())
    assert split.answers(MOMENTS) == answers


def test_renamed_and_re_exported_files_add_nothing(samples: Services, tmp_path: Path) -> None:
    view = View(samples)
    before = view.statements()
    renamed = [
        write_lines(tmp_path / f"renamed-{n}.jsonl", path.read_text("utf-8").splitlines())
        for n, path in enumerate(sample_files())
    ]
    exported = write_lines(tmp_path / "export.jsonl", sorted(sample_lines(), reverse=True))
    with Pipeline.open(samples, tz=ZONE) as pipeline:
        reports = [report for _, report in pipeline.ingest(renamed).files]
        assert {report.status for report in reports} == {"known"}
        again = pipeline.ingest([exported])
        assert (again.n_messages, again.n_known) == (0, len(sample_lines()))
        extracted = pipeline.extract()
        assert (extracted.n_atoms, extracted.n_closures, extracted.n_withdrawn) == (0, 0, 0)
    assert view.statements() == before
