"""Erasure as a user asks for it over the command line: the story, and every way a request may go."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import dagster as dg
import psycopg
import pytest

from memory_pipeline.commands.outcome import Exit
from memory_pipeline.contracts.answer import Answers
from memory_pipeline.governance import audit
from memory_pipeline.governance.access import grant
from memory_pipeline.governance.erasure.inbox import inbox
from memory_pipeline.installation import ready
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.orchestration.erasure import erasure_job, erasure_requests_sensor
from memory_pipeline.orchestration.resources import MemoryHome
from memory_pipeline.pipeline import Pipeline
from tests.scenario import message, write
from tests.verify.homes import ZONE, run, superuser

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1200)]

WHERE = ("--subject", "Дмитрий", "--tag", "location")
VALID = ("2025-02-01", "2025-04-01", "2025-10-17", "2025-10-19", "2025-11-01")
KNOWN = ("2025-03-02", "2025-09-01", "2025-10-11", "2025-12-01")
LINES = [
    message(speaker, sent_at, text, dialog_id=dialog)
    for dialog, speaker, sent_at, text in (
        ("work", "Дмитрий", "2025-03-03T10:00+03:00", "Я Дмитрий, работаю из Москвы"),
        ("work", "Дмитрий", "2025-04-02T20:00+03:00", "Я предпочитаю Postgres"),
        ("work", "Дмитрий", "2025-10-10T18:05+03:00", "Переезжаю в Казань с 19-го"),
    )
]
TRIP = message("Анна", "2025-10-12T18:05+03:00", "Летим в Казань на выходные", dialog_id="trip")
GRID = {(valid, known): ("Казань" if known >= "2025-10-10" and valid >= "2025-10-19" else "Москва")
        for valid in VALID for known in KNOWN if known >= "2025-03-03"}  # fmt: skip


@dataclass
class Told:
    """A tenant that was told the story, and the command line in it."""

    services: Services
    tenant: str
    folder: Path

    def tell(self, *lines: dict[str, Any]) -> None:
        path = write(self.folder / f"{time.monotonic_ns()}.jsonl", lines)
        with Pipeline.open(self.services, self.tenant, ZONE) as pipeline:
            pipeline.run([path])

    def run(self, *arguments: str | Path) -> tuple[int, str, str]:
        return run(self.services.home.path, *arguments, "--tenant", self.tenant)

    def done(self, *arguments: str | Path, code: Exit = Exit.done) -> str:
        """A command that ends with this exit code; gives its output."""
        found, output, errors = self.run(*arguments)
        assert found == code, output + errors
        return output

    def json(self, *arguments: str | Path, code: Exit = Exit.done) -> Any:
        return json.loads(self.done(*arguments, "--json", code=code))

    def memory(self) -> Memory:
        return Memory(self.services, tenant=self.tenant)

    def location(self, valid: str, known: str) -> list[tuple[str, Any]]:
        with self.memory() as memory:
            found: Answers = memory.as_of(
                "Дмитрий", predicate="location", valid_at=valid, known_at=known
            )
        return [(answer.status.value, answer.object) for answer in found.answers]

    def grid(self) -> dict[tuple[str, str], list[tuple[str, Any]]]:
        return {at: self.location(*at) for at in GRID}


@pytest.fixture
def told(scratch: Services, tmp_path: Path) -> Told:
    services = ready(scratch.home.path)
    made = Told(services, f"story-{time.monotonic_ns()}", tmp_path)
    with psycopg.connect(services.pg_url, autocommit=True) as owner:
        grant(owner, OPERATOR, made.tenant, "*")
    made.tell(*LINES)
    return made


def test_the_story_where_somebody_lives_is_forgotten_everywhere_and_all_else_stays(
    told: Told,
) -> None:
    before = {at: [value for _, value in found] for at, found in told.grid().items()}
    assert before == {at: [value] for at, value in GRID.items() if at[0] >= "2025-03-03"} | {
        at: before[at] for at in GRID if at[0] < "2025-03-03"
    }
    answered = [at for at, found in before.items() if found]
    context = told.folder / "context.md"
    told.done("context", "--dialog", "work", "--query", "где он", "--budget", "2000",
              "--format", "markdown", "--out", context)  # fmt: skip
    given = told.json("subject", "export", "Дмитрий")["paths"]
    assert "Казань" in context.read_text("utf-8")
    assert all("Казань" in Path(path).read_text("utf-8") for path in given)

    told.done("erase", *WHERE, "--yes")

    after = told.grid()
    assert {at: after[at] for at in answered} == {at: [("erased", None)] for at in answered}
    assert "erased" in told.done("ask", "--subject", "Дмитрий", "--predicate", "location")
    assert "Postgres" in told.done("ask", "--subject", "Дмитрий", "--predicate", "preference")
    for words in ("Казань", "Москва", "где живёт Дмитрий"):
        found = told.done("search", words)
        assert "Казан" not in found
        assert "Москв" not in found
    facts = told.json("neighbours", "--subject", "Дмитрий")["facts"]
    assert {fact["predicate"] for fact in facts} == {"preference"}
    assert not context.exists()
    assert not [path for path in given if Path(path).exists()]
    packed = told.done("context", "--dialog", "work", "--query", "где он", "--budget", "2000")
    assert "Postgres" in packed
    assert "Казан" not in packed
    (request,) = told.json("erase", "list")
    assert request["state"] == "certified"
    certificate = told.json("erase", "certificate", request["request_id"])
    assert certificate["categories"] == ["location"]
    told.done("erase", "verify", "--all")


def test_of_one_erased_atom_what_it_replaced_holds_until_then_and_erased_after(told: Told) -> None:
    asked = ("ask", "--subject", "Дмитрий", "--predicate", "location", "--valid-at")
    (kazan,) = told.json(*asked, "2025-11-01")["answers"]
    told.done("erase", "--atom", kazan["atom_id"], "--yes")
    (moscow,) = told.json(*asked, "2025-10-17")["answers"]
    assert (moscow["status"], moscow["object"]) == ("known", "Москва")
    assert datetime.fromisoformat(moscow["valid_to"]) == datetime.fromisoformat(
        "2025-10-19T00:00+03:00"
    )
    (later,) = told.json(*asked, "2025-11-01")["answers"]
    assert (later["status"], later["object"]) == ("erased", None)


def test_a_dry_run_tells_counts_changes_nothing_and_its_fingerprint_is_held_to(told: Told) -> None:
    preview = told.json("erase", *WHERE, "--dry-run")
    assert preview["counts"]["atom erase"] == 2
    assert told.location("2025-11-01", "2025-12-01") == [("known", "Казань")]
    assert told.json("erase", "list") == []
    told.tell(message("Дмитрий", "2025-05-12T12:00+03:00", "С 1 по 15 июня я в Сочи",
                      dialog_id="work"))  # fmt: skip
    told.done("erase", *WHERE, "--yes", "--expect", preview["digest"], code=Exit.refused)
    (request,) = told.json("erase", "list")
    assert (request["state"], request["block"]) == ("fenced", "preview_changed")
    told.done("erase", "cancel", request["request_id"])
    assert told.location("2025-11-01", "2025-12-01") == [("known", "Казань")]
    again = told.json("erase", *WHERE, "--dry-run")
    told.done("erase", *WHERE, "--yes", "--expect", again["digest"])


def test_a_name_of_two_people_is_refused_with_the_candidates(told: Told) -> None:
    told.tell(
        message("Дмитрий", "2025-03-03T10:00+03:00", "Я живу в Туле", speaker_id="7", dialog_id="x")
    )
    code, output, errors = told.run("erase", *WHERE, "--yes")
    assert code == Exit.ambiguous, output + errors
    assert errors.count("Дмитрий") >= 2
    assert told.json("erase", "list") == []


def test_a_mention_elsewhere_waits_for_a_person_who_waives_it_with_a_reason(told: Told) -> None:
    told.tell(TRIP)
    told.done("erase", *WHERE, "--yes", code=Exit.review_open)
    (request,) = told.json("erase", "list")
    (mention,) = told.json("erase", "mentions", request["request_id"])
    assert "Казань" in mention["text"]
    told.done("erase", "certificate", request["request_id"], code=Exit.not_found)
    told.done("erase", "waive", request["request_id"], "--reason", "another person's trip")
    assert told.json("erase", "status", request["request_id"])["state"] == "certified"
    assert "Летим в Казань" in told.done("search", "Казань")


def test_a_hold_refuses_the_erasure_until_it_is_lifted(told: Told) -> None:
    told.done("erase", "hold", "--subject", "Дмитрий")
    told.done("erase", *WHERE, "--yes", code=Exit.refused)
    (request,) = told.json("erase", "list")
    assert (request["state"], request["block"]) == ("received", "legal_hold")
    assert told.location("2025-11-01", "2025-12-01") == [("known", "Казань")]
    told.done("erase", "hold", "--subject", "Дмитрий", "--lift")
    told.done("erase", "run", request["request_id"])
    assert told.location("2025-11-01", "2025-12-01") == [("erased", None)]


TAMPERED = {
    "altered": "update memory.audit_event set details = details || '{\"stores\": {}}' where seq = %(seq)s",
    "removed": "delete from memory.audit_event where seq = %(seq)s",
    "moved": "update memory.audit_event set seq = case seq when %(seq)s then %(before)s"
    " when %(before)s then %(seq)s else seq end where seq in (%(seq)s, %(before)s)",
}


def test_an_altered_removed_or_moved_certificate_is_named_by_the_audit(told: Told) -> None:
    told.done("erase", *WHERE, "--yes")
    home = told.services.home.path
    code, output, errors = run(home, "audit", "verify")
    assert code == Exit.done, output + errors
    with superuser(told.services) as connection:
        row = connection.execute(
            "select max(seq) from memory.audit_event where action = 'erasure.certified'"
        ).fetchone()
        assert row is not None
        connection.execute("set session_replication_role = replica")
        for query in TAMPERED.values():
            with connection.transaction(force_rollback=True):
                if "case seq" in query:
                    connection.execute(
                        "alter table memory.audit_event drop constraint audit_event_pkey"
                    )
                connection.execute(query.encode(), {"seq": row[0], "before": row[0] - 1})
                found = audit.verify(connection, None, home / audit.HEADS_FILE)
                assert row[0] in {broken.place for broken in found.breaks}
        assert audit.verify(connection, None, home / audit.HEADS_FILE).holds


def tick(told: Told) -> None:
    """What the daemon does: the sensor's tick, and the runs that it asks for in this tenant."""
    home = MemoryHome(home=str(told.services.home.path))
    with dg.DagsterInstance.ephemeral() as instance:
        with dg.build_sensor_context(instance) as context:
            evaluated = erasure_requests_sensor(context, memory_home=home)
            assert isinstance(evaluated, Iterator)
            asked = list(evaluated)
        for one in asked:
            if (
                isinstance(one, dg.RunRequest)
                and one.run_config["resources"]["memory_home"]["config"]["tenant"] == told.tenant
            ):
                own = MemoryHome(home=home.home, tenant=told.tenant)
                done = erasure_job.execute_in_process(
                    instance=instance,
                    run_config={"ops": one.run_config["ops"]},
                    resources={"memory_home": own},
                )
                assert done.success


def test_without_waiting_it_is_fenced_at_once_and_the_sensors_run_does_the_rest(told: Told) -> None:
    told.done("erase", *WHERE, "--yes", "--no-wait")
    (request,) = told.json("erase", "list")
    assert request["state"] == "fenced"
    assert told.location("2025-11-01", "2025-12-01") == [("erased", None)]
    tick(told)
    assert told.json("erase", "status", request["request_id"])["state"] == "certified"


def test_a_request_file_in_the_watched_folder_is_carried_out_and_shredded(told: Told) -> None:
    folder = inbox(told.services, told.tenant)
    stated = {"selector": {"subject": "Дмитрий", "tags": ["location"]}, "ground": "gdpr_consent"}
    path = folder / "ask.json"
    path.write_text(json.dumps(stated), encoding="utf-8")
    os.utime(path, (1e9, 1e9))
    # a second name of the same bytes outlives the first
    link = told.folder / "bytes"
    os.link(path, link)
    tick(told)
    assert not list(folder.iterdir())
    assert set(link.read_bytes()) == {0}
    (request,) = told.json("erase", "list")
    assert (request["state"], request["ground"]) == ("certified", "gdpr_consent")
    assert told.location("2025-11-01", "2025-12-01") == [("erased", None)]
