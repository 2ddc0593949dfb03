"""Names that fit several people, asked through the command line's own candidates."""

import json
from pathlib import Path

import pytest

from memory_pipeline.bitemporal.reading import AmbiguousSubject
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.verify.homes import View, write_lines

pytestmark = [pytest.mark.verify, pytest.mark.timeout(300)]

N_PEOPLE = 12


def test_every_candidate_of_an_ambiguous_name_can_be_asked_by_the_id_that_is_shown(
    scratch: Services, tmp_path: Path
) -> None:
    # ids are random: with many people some person's smallest id is one that no reader sees
    lines = [
        {"dialog_id": f"d{n}", "message_id": f"m{n}", "speaker": "Анна", "speaker_id": f"s{n}",
         "sent_at": f"2025-03-{n + 1:02}T10:00+03:00", "text": f"У меня {n + 2} кота"}
        for n in range(N_PEOPLE)
    ]  # fmt: skip
    path = write_lines(tmp_path / "annas.jsonl", (json.dumps(line) for line in lines))
    with Pipeline.open(scratch, "names") as pipeline:
        pipeline.ingest([path])
    with View(scratch, "names").memory() as memory:
        with pytest.raises(AmbiguousSubject) as refused:
            memory.as_of("Анна")
        assert len(refused.value.candidates) == N_PEOPLE
        for entity_id, names, n_dialogs in refused.value.candidates:
            assert memory.as_of(entity_id=entity_id).subject == "Анна"
            assert (names, n_dialogs) == (("Анна",), 1)
