"""What quarantine holds can be read again, once what refused it is mended."""

import functools
import json
from pathlib import Path
from uuid import UUID, uuid4
from zipfile import ZipFile

import psycopg
import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.ingest import load
from memory_pipeline.ingest.quarantine import DamagedRecord, entries, record
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from tests.scenario import Scenario, message


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


def test_a_record_of_which_nothing_was_kept_or_that_is_damaged_stops_nothing(
    services: Services, tmp_path: Path
) -> None:
    scenario = Scenario(ready(services.home.path), tmp_path)
    scenario.tell(message("Анна", "2025-03-03T10:00+03:00", "Я живу в Твери"))
    whole = tmp_path / "whole.zip"
    with ZipFile(whole, "w") as archive:
        archive.writestr("a.jsonl", json.dumps(message("Анна", None, "Привет")))
    cut, torn = tmp_path / "cut.zip", tmp_path / "torn.jsonl"
    cut.write_bytes(whole.read_bytes()[:-30])
    torn.write_text('{"speaker": "Анна",')
    with scenario.pipeline() as pipeline:
        assert [pipeline.ingest([path]).n_quarantined for path in (cut, torn)] == [1, 1]
        shown = {
            entry["reason"]: UUID(entry["quarantine_id"])
            for entry in entries(pipeline.ingest_connection)
            if entry["file"] in ("cut.zip", "torn.jsonl")
        }
        empty, damaged = shown["bad_archive"], shown["invalid_json"]
        with psycopg.connect(services.pg_dsn("mem_super")) as faulty:
            faulty.execute("set session_replication_role = replica")
            # as older versions kept it, and as a fault of the disk leaves it
            for raw, quarantine_id in ((b"", empty), (b"short", damaged)):
                faulty.execute(
                    "update memory.quarantine_content set raw = %s where quarantine_id = %s",
                    (raw, quarantine_id),
                )
        sealer = pipeline.sealer("quarantine")
        assert record(pipeline.ingest_connection, sealer, empty) is None
        with pytest.raises(DamagedRecord, match=f"{damaged} does not open.*read its file again"):
            record(pipeline.ingest_connection, sealer, damaged)
        replayed = pipeline.replay_quarantine()
        assert (replayed.n_waiting, replayed.n_replayed, replayed.n_not_kept) == (2, 0, 2)
    with Eraser(services, scenario.tenant) as eraser:
        status = eraser.run(eraser.request(Selector(subject="Анна"), Ground.operator))
    assert (status.state, status.block) == (ErasureState.certified, None)
