"""Exports come into the store as any log does: once, whole, and sealed when landing took them."""

import json
import os
import time
from pathlib import Path
from uuid import UUID

import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.ingest.quarantine import record
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.reading import zipped
from tests.scenario import Scenario
from tests.test_readers_archives import SLACK, slack_folder


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def scenario(started: Services, tmp_path: Path) -> Scenario:
    return Scenario(started, tmp_path)


def stored(scenario: Scenario) -> list[str]:
    return [
        text
        for (text,) in scenario.rows(
            "select c.text from memory.message as m"
            " join memory.message_content as c using (message_id, dialog_id)"
            " where m.tenant_id = %(tenant)s order by m.sent_at"
        )
    ]


SAID = ["hi @robo & #general", "see план", "ok", "тайна"]


def test_an_export_as_a_folder_and_as_a_zip_counts_once(scenario: Scenario) -> None:
    packed = scenario.folder / "renamed.bin"
    packed.write_bytes(zipped(**SLACK))
    folder = slack_folder(scenario.folder / "export")
    with scenario.pipeline() as pipeline:
        first, again = (pipeline.ingest([folder]).files[0][1] for _ in range(2))
        other = pipeline.ingest([packed]).files[0][1]
    assert (first.status, first.n_messages, first.n_quarantined) == ("read", 4, 0)
    assert again.status == "known"
    assert (other.n_messages, other.n_known) == (0, 4)
    assert stored(scenario) == SAID


def test_a_person_is_found_by_both_names_of_an_export_and_once_erased_by_neither(
    scenario: Scenario,
) -> None:
    folder = slack_folder(scenario.folder / "export")
    packed = scenario.folder / "again.zip"
    packed.write_bytes(zipped(**SLACK))
    with scenario.pipeline() as pipeline:
        pipeline.ingest([folder])
    with scenario.memory() as memory:
        by_label, by_alias = memory.subject("Инга"), memory.subject("Инга Ветрова")
    assert by_label.entity_ids == by_alias.entity_ids
    with Eraser(scenario.services, scenario.tenant) as eraser:
        status = eraser.run(eraser.request(Selector(subject="Инга Ветрова"), Ground.operator))
    assert status.state is ErasureState.certified
    with scenario.pipeline() as pipeline:
        pipeline.ingest([packed])
    names = scenario.rows(
        "select n.name from memory.name_content as n join memory.entity as e using (entity_id)"
        " where e.tenant_id = %(tenant)s"
    )
    assert [name for (name,) in names if "Инга" in name] == []


def test_landing_seals_a_folder_that_is_one_log(scenario: Scenario) -> None:
    with scenario.pipeline() as pipeline:
        folder = slack_folder(pipeline.landing / "export")
        for path in folder.rglob("*"):
            os.utime(path, (time.time() - 60,) * 2)
        ((name, report),) = pipeline.ingest_landing().files
        assert (name, report.n_messages) == ("export", 4)
        assert not folder.exists()
        (sealed,) = pipeline.archive.iterdir()
        assert "тайна".encode() not in sealed.read_bytes()


def test_nothing_of_a_conversation_is_kept_that_is_not_to_be_remembered(
    scenario: Scenario,
) -> None:
    path = scenario.folder / "conversations.json"
    content = {"content_type": "text", "parts": ["canary"]}
    node = {"parent": None, "message": {"author": {"role": "user"}, "content": content}}
    whole = {"id": "c-1", "current_node": "q", "mapping": {"q": node}, "is_do_not_remember": True}
    path.write_text(json.dumps([whole]), encoding="utf-8")
    with scenario.pipeline() as pipeline:
        report = pipeline.ingest([path])
        (entry,) = pipeline.refusals(report)
        raw = record(
            pipeline.ingest_connection, pipeline.sealer("quarantine"), UUID(entry["quarantine_id"])
        )
    assert (entry["reason"], raw) == ("do_not_remember", b"conversation c-1")
    assert stored(scenario) == []
