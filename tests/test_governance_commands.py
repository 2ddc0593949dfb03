"""Commands of proof and rights: the audit log, what a person may ask for, retention."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline import cli
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure.retention import POLICY
from memory_pipeline.installation import ready
from memory_pipeline.settings import settings
from tests.scenario import Scenario, message

LINES = (
    message("Анна", "2025-10-11T19:00+03:00", "Я живу в Твери", speaker_id="1"),
    message("Анна", "2025-10-11T19:01+03:00", "Я живу в Туле", speaker_id="2", dialog_id="other"),
    message("Ольга", "2025-10-12T19:01+03:00", "У меня аллергия на орехи"),
)


@dataclass
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ended]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program in this process."""

    def run(*arguments: str) -> Ended:
        monkeypatch.setattr(sys, "argv", ["memory-pipeline", *arguments])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        said = capsys.readouterr()
        return Ended(int(ended.value.code or 0), said.out, said.err)

    return run


@pytest.fixture(scope="module")
def scenario(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    made = Scenario(ready(home), tmp_path_factory.mktemp("commands"))
    made.tell(*LINES)
    return made


def test_the_log_is_verified_against_the_heads_that_were_kept(
    scenario: Scenario, home: Path, tmp_path: Path, run: Run
) -> None:
    copy = tmp_path / "copy.jsonl"
    kept = run("audit", "head", "--out", str(copy), "--json")
    assert kept.code == 0
    assert kept.json.keys() == {"seq", "hash", "at"}
    found = run("audit", "verify", "--json")
    assert (found.code, found.json["holds"], found.json["breaks"]) == (0, True, [])
    assert found.json["n_events"] >= found.json["n_batches"] > 0
    assert run("audit", "verify", "--heads", str(copy)).code == 0
    assert copy.stat().st_mode & 0o777 == 0o600

    # what was exported is more than what the log still has
    line = json.loads(copy.read_text())
    copy.write_text(json.dumps(line | {"seq": 10**9}) + "\n")
    broken = run("audit", "verify", "--heads", str(copy), "--json")
    assert broken.code == cli.Exit.check_failed
    assert broken.json["breaks"] == [
        {"what": "head", "place": 1, "fault": "altered"},
        {"what": "event", "place": 10**9, "fault": "missing_though_exported"},
    ]
    said = run("audit", "verify", "--heads", str(copy))
    assert said.code == cli.Exit.check_failed
    assert "the log does NOT hold" in said.out
    assert "event 1000000000 is missing, and an exported head has it" in said.out
    assert run("audit", "verify", "--heads", str(tmp_path / "no")).code == cli.Exit.not_found
    assert (home / audit.HEADS_FILE).exists()


def test_a_message_or_file_that_may_be_several_is_refused_with_the_candidates(
    scenario: Scenario, run: Run
) -> None:
    for dialog in ("here", "there"):
        line = message("Олег", "2025-10-14T09:00+03:00", "Да", dialog_id=dialog, message_id="m1")
        scenario.read(line, name="same.jsonl")
    for option, what in (("--message", "m1"), ("--file", "same.jsonl")):
        refused = run("erase", option, what, "--dry-run", "--tenant", scenario.tenant)
        assert refused.code == cli.Exit.ambiguous
        candidates = [line.split()[0] for line in refused.err.splitlines()[1:]]
        assert len(candidates) == 2
        for found in candidates:
            shown = run("erase", option, found, "--dry-run", "--json", "--tenant", scenario.tenant)
            assert shown.json["counts"]["message erase"] == 1


def test_a_restore_is_recorded_only_where_an_exported_head_is_gone(run: Run) -> None:
    assert run("audit", "head").code == 0
    refused = run("audit", "restored")
    assert (refused.code, "no restore to record" in refused.err) == (cli.Exit.usage, True)


def test_a_persons_export_lies_in_the_home_and_names_are_looked_up(
    scenario: Scenario, home: Path, run: Run
) -> None:
    tenant = ("--tenant", scenario.tenant)
    written = run("subject", "export", "Ольга", *tenant, "--lang", "en", "--json")
    assert written.code == 0, written.err
    told, document = map(Path, written.json["paths"])
    assert told.parent == home / "exports"
    assert document.read_text(encoding="utf-8").startswith("# What is held about a person")
    assert written.json["counts"]["facts"] == 1
    ambiguous = run("subject", "export", "Анна", *tenant)
    assert ambiguous.code == cli.Exit.ambiguous
    candidates = [line.split()[0] for line in ambiguous.err.splitlines()[1:]]
    assert len(candidates) == 2
    assert run("subject", "export", "--entity", candidates[0], *tenant).code == 0
    assert run("subject", "export", "Никто", *tenant).code == cli.Exit.not_found
    assert run("subject", "export", *tenant).code == cli.Exit.usage
    assert run("subject", "export", "Ольга", "--lang", "de", *tenant).code == cli.Exit.usage


def test_a_dry_run_of_retention_says_what_has_run_out_and_asks_for_nothing(
    scenario: Scenario, home: Path, run: Run
) -> None:
    tenant = ("--tenant", scenario.tenant)
    assert "no rules of retention" in run("retention", *tenant).out
    path = home / POLICY
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_text(f"tenants:\n  {scenario.tenant}:\n    health: 30 days after told_at\n")
    try:
        found = run("retention", "--dry-run", *tenant, "--json").json
        assert found["rules"] == ["health: 30 days after told_at"]
        assert (len(found["due"]), found["requests"]) == (1, [])
        path.write_text("default:\n  health: soon\n")
        refused = run("retention", *tenant)
    finally:
        path.unlink()
    assert refused.code == cli.Exit.usage
    assert "policies/retention.yaml: health: say `N days after`" in refused.err
    assert scenario.rows(
        "select count(*) from memory.erasure_request where tenant_id = %(tenant)s"
    ) == [(0,)]


def test_an_erasure_without_a_target_or_with_an_empty_range_is_refused_in_plain_words(
    scenario: Scenario, run: Run
) -> None:
    for asked, words in (
        ((), "name what is to go"),
        (("--dialog", "chat", "--from", "2026-08-06", "--to", "2026-08-01"), "range is empty"),
        (("--dialog", "chat", "--from", "2026-08-06", "--to", "2026-08-06"), "range is empty"),
    ):
        refused = run("erase", *asked, "--yes")
        assert refused.code == cli.Exit.usage
        assert refused.err.startswith(words) or words in refused.err
        assert "Value error" not in refused.err


def test_a_tag_to_be_sealed_that_no_predicate_has_is_refused_by_its_name(
    scenario: Scenario, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def under(tags: str) -> Ended:
        with monkeypatch.context() as patch:
            patch.setenv("MEMORY_PIPELINE_SEALED_TAGS", tags)
            settings(reread=True)
            return run("erase", "list", "--tenant", scenario.tenant)

    try:
        refused, done = under("location,locaton"), under("location")
    finally:
        settings(reread=True)
    assert refused.code == cli.Exit.usage
    assert "MEMORY_PIPELINE_SEALED_TAGS: no predicate has the tag 'locaton'" in refused.err
    assert done.code == cli.Exit.done
