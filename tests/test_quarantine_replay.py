"""What quarantine holds can be read again, once what refused it is mended."""

import functools
import json
from pathlib import Path
from uuid import uuid4

import pytest

from memory_pipeline.ingest import load
from memory_pipeline.ingest.quarantine import entries
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline


def test_a_refused_record_is_read_again_when_the_limit_that_refused_it_is_lifted(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(services.home.path)
    log = tmp_path / "replayed.jsonl"
    lines = [
        {"dialog_id": "d", "speaker": "Аня", "text": "Привет"},
        {"dialog_id": "d", "speaker": "Аня", "text": "Фото", "attachments": [{"kind": "image"}]},
    ]
    torn = '{"dialog_id": "d", "speaker"'
    log.write_text("\n".join([*map(json.dumps, lines), torn]), encoding="utf-8")
    with Pipeline.open(services, f"replay-{uuid4().hex[:8]}") as pipeline:
        strict = functools.partial(load.ReadOptions, max_depth=1)
        with monkeypatch.context() as patch:
            patch.setattr(load, "ReadOptions", strict)
            report = pipeline.ingest([log])
        assert (report.n_messages, report.n_quarantined) == (1, 2)

        replayed = pipeline.replay_quarantine()

        assert (replayed.n_waiting, replayed.n_replayed, replayed.n_messages) == (2, 1, 1)
        rows = pipeline.ingest_connection.execute(
            "select m.position, c.text from memory.message as m join memory.message_content as c"
            " using (message_id) where m.tenant_id = %s order by m.position",
            (pipeline.tenant_id,),
        ).fetchall()
        assert rows == [(1, "Привет"), (2, "Фото")]
        still = [e for e in entries(pipeline.ingest_connection) if e["file"] == "replayed.jsonl"]
        assert [(e["position"], e["reason"]) for e in still] == [(3, "invalid_json")]
        assert pipeline.replay_quarantine().n_replayed == 0
