"""Bulk extraction by a provider's batches: nothing lost, doubled or read as "no facts", and no
file left at the provider."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memory_pipeline.bitemporal.tenants import set_setting
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.pipeline import Pipeline
from memory_pipeline.settings import settings as current_settings
from memory_pipeline.understand.bulk_answers import Answers
from memory_pipeline.understand.bulk_calls import MAX_ATTEMPTS, BulkReport
from memory_pipeline.understand.openai_provider import ProviderError
from tests.provider_server import ProviderServer, completion, fault, line, serving
from tests.scenario import Scenario, message, objects

N = 20


def city(text: str) -> str:
    return text.rsplit(" ", 1)[-1]


def located(body: dict[str, Any]) -> dict[str, Any]:
    """A right answer: each window's last word is where its speaker is."""
    payload = json.loads(body["messages"][-1]["content"])
    return {"windows": [window_answer(window) for window in payload["windows"]]}


def window_answer(window: dict[str, Any]) -> dict[str, Any]:
    last = window["messages"][-1]
    atom = {
        "kind": "semantic", "subject": {"name": last["speaker"], "is_speaker": True},
        "predicate": "location", "is_candidate": False, "object": city(last["text"]),
        "polarity": "affirmed", "valid_from": None, "valid_to": None, "start_inferred": False,
        "holds_when_told": True, "valid_precision": "day", "confidence": 0.9,
        "text": last["text"], "quotes": [{"back": 0, "text": city(last["text"])}],
    }  # fmt: skip
    return {"window": window["window"], "atoms": [atom], "closures": [], "flags": []}


@dataclass
class World:
    """A tenant that allows external models, and the provider's server."""

    scenario: Scenario
    server: ProviderServer

    def pipeline(self) -> Any:
        return self.scenario.pipeline()

    def read(self, n: int = N) -> None:
        """Each message in a dialog of its own kind, so that each is its own statement."""
        self.scenario.read(
            *(
                message(f"P{i}", f"2025-05-01T10:00:{i % 60:02}+03:00", f"I moved to City{i}",
                        dialog_id=f"d{i % 4}", message_id=f"m{i}")
                for i in range(n)
            )
        )  # fmt: skip

    def extract(self) -> Any:
        with self.pipeline() as pipeline:
            return pipeline.extract()

    def round(self) -> BulkReport:
        with self.pipeline() as pipeline:
            report: BulkReport = pipeline.run_bulk()
            return report

    def cities(self) -> list[str]:
        """Standing atoms, as often as they stand."""
        rows = self.scenario.rows(
            "select c.object #>> '{}' from memory.atom as a"
            " join memory.atom_content as c using (atom_id, subject_id)"
            " where a.tenant_id = %(tenant)s and not exists ("
            "  select from memory.withdrawal as w where w.statement_id = a.atom_id)"
        )
        return sorted(row[0] for row in rows)

    def states(self) -> dict[str, int]:
        return dict(
            self.scenario.rows(
                "select state::text, count(*) from memory.provider_request"
                " where tenant_id = %(tenant)s group by 1"
            )
        )

    def listed_files(self) -> int:
        rows = self.scenario.rows(
            "select count(*) from memory.provider_file"
            " where tenant_id = %(tenant)s and state = 'open'"
        )
        return int(rows[0][0])

    def refused(self) -> list[str]:
        return [
            row[0]
            for row in self.scenario.rows(
                "select reason from memory.quarantine where tenant_id = %(tenant)s order by 1"
            )
        ]


ALL = sorted(f"City{i}" for i in range(N))


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


@pytest.fixture
def world(started: Services, tmp_path: Path) -> Iterator[World]:
    server = ProviderServer(located)
    with serving(server) as url:
        settings = started.settings.model_copy(
            update={
                "openai_batch": True,
                "openai_base_url": url,
                "openai_api_key": SecretStr("none"),
                "openai_model": "m",
            }
        )
        scenario = Scenario(replace(started, settings=settings), tmp_path)
        with scenario.pipeline() as pipeline:
            set_setting(pipeline.ingest_connection, pipeline.tenant_id, "external_models", True)
        yield World(scenario, server)


def test_a_bulk_load_is_sent_collected_and_deleted(world: World) -> None:
    world.read()
    report = world.extract()
    assert (report.n_waiting, report.n_extracted, report.n_failed) == (N, 0, 0)
    assert world.cities() == []
    assert world.states() == {"running": N}
    assert world.listed_files() == 1
    assert world.extract().n_waiting == N, "what waits is not sent again"
    assert len(world.server.batches) == 1
    assert world.round().n_running == 1

    world.server.end("batch-0")
    answered = world.round()
    assert (answered.n_answered, answered.n_files_deleted) == (N, 2)
    assert answered.n_prompt_tokens == 10 * len(world.server.batches) * 3  # three calls of eight
    assert world.server.files == {}
    assert world.listed_files() == 0
    report = world.extract()
    assert (report.n_waiting, report.n_extracted, report.n_atoms) == (0, 0, N)
    assert world.cities() == ALL
    assert world.extract().n_dialogs == 0
    with world.scenario.memory() as memory:
        assert objects(memory, "P7", "location") == ["City7"]


def test_what_leaves_holds_placeholders_and_no_ids_of_the_log(world: World) -> None:
    world.scenario.read(
        message("Олег Тарасов", "2025-05-01T10:00+03:00",
                "Почта oleg@example.org, карта 4276 5500 1234 5677, живу в Твери",
                message_id="secret-id", dialog_id="our-dialog")
    )  # fmt: skip
    world.extract()
    sent = b"".join(world.server.seen).decode("utf-8", "replace")
    assert "EMAIL_1" in sent
    for hidden in ("oleg@example.org", "4276 5500", "Тарасов", "secret-id", "our-dialog"):
        assert hidden not in sent


def test_no_text_leaves_for_a_tenant_that_did_not_allow_it(world: World) -> None:
    with world.pipeline() as pipeline:
        set_setting(pipeline.ingest_connection, pipeline.tenant_id, "external_models", False)
    world.read()
    assert world.extract().n_atoms > 0, "the local extractor reads"
    assert world.server.calls == []


def test_a_tenant_that_takes_its_word_back_has_nothing_left_there(world: World) -> None:
    world.read()
    world.extract()
    with world.pipeline() as pipeline:
        set_setting(pipeline.ingest_connection, pipeline.tenant_id, "external_models", False)
    world.round()
    assert world.server.batches["batch-0"]["status"] == "cancelling"
    assert world.listed_files() == 1, "until the batch has ended its answers may still come"
    world.server.end("batch-0", "cancelled", output=world.server.written([]))
    world.round()
    assert (world.server.files, world.listed_files()) == ({}, 0)
    assert world.states() == {"dismissed": N}


def right(i: str, body: dict[str, Any]) -> dict[str, Any]:
    return line(i, completion(located(body)))


def written(world: World, make: Callable[[int, str, dict[str, Any]], Any]) -> bytes:
    """A file of what is made for each call of the first batch; None is no line."""
    asked = world.server.asked("batch-0")
    return world.server.written(
        made for n, (i, body) in enumerate(asked) if (made := make(n, i, body)) is not None
    )


Change = Callable[[dict[str, Any]], Any]


def changed(change: Change) -> Callable[[str, dict[str, Any]], list[Any]]:
    """A line whose answer about its one window is changed."""
    return lambda i, body: [line(i, completion({"windows": change(located(body)["windows"][0])}))]


def atom(**changes: Any) -> Callable[[str, dict[str, Any]], list[Any]]:
    return changed(lambda window: [window | {"atoms": [window["atoms"][0] | changes]}])


LINES: dict[str, Callable[[str, dict[str, Any]], list[Any]]] = {
    "no line": lambda _i, _: [],
    "half a line": lambda i, body: [json.dumps(right(i, body)).encode()[:90]],
    "a line that is a list": lambda i, body: [[right(i, body)]],
    "a line with its id twice": lambda i, _: [
        f'{{"custom_id": "{i}", "custom_id": "{i}", "response": null, "error": null}}'.encode()
    ],
    "no UTF-8": lambda _i, _: [b"\xff\xfe{}"],
    "a right line, then an empty one": lambda i, body: [
        right(i, body), line(i, completion({"windows": []}))
    ],
    "a line for a stranger": lambda i, body: [right(f"x{i}", body), right("", body)],
    "a line without its number": lambda i, body: [right(i[:36], body), right(i + "²", body)],
    "429 in the line": lambda i, _: [line(i, {}, 429)],
    "500 in the line": lambda i, _: [line(i, {}, 500)],
    "400 in the line": lambda i, _: [line(i, {}, 400)],
    "an error beside an answer": lambda i, body: [right(i, body) | {"error": {"code": "x"}}],
    "an expired call": lambda i, _: [fault(i, "batch_expired")],
    "a cancelled call": lambda i, _: [fault(i, "batch_cancelled")],
    "a failed call": lambda i, _: [fault(i, "server_error", 500)],
    "a body that is no completion": lambda i, _: [line(i, {"object": "nothing"})],
    "a null body": lambda i, _: [line(i, None)],
    "no choice": lambda i, _: [line(i, completion("") | {"choices": []})],
    "a refusal": lambda i, _: [line(i, completion("", refusal="no"))],
    "a cut answer": lambda i, _: [line(i, completion('{"windows": [', "length"))],
    "no JSON": lambda i, _: [line(i, completion("well"))],
    "NaN": lambda i, _: [line(i, completion('{"windows": NaN}'))],
    "a nested answer": lambda i, _: [line(i, completion("[" * 50_000 + "]" * 50_000))],
    "NUL in a text": lambda i, body: [
        line(i, completion(json.dumps(located(body)).replace("moved", "\\u0000oved")))
    ],
    "half a surrogate": lambda i, body: [
        line(i, completion(json.dumps(located(body)).replace("moved", "\\ud800oved")))
    ],
    "another window": changed(lambda window: [window | {"window": 5}]),
    "the window twice": changed(lambda window: [window, window]),
    "no window": changed(lambda _: []),
    "an invented quote": atom(quotes=[{"back": 0, "text": "Omsk"}]),
    "a quote from nowhere": atom(quotes=[{"back": 7, "text": "City"}]),
    "no quote": atom(quotes=[]),
    "a date that is none": atom(valid_from="soon"),
    "a confidence over one": atom(confidence=7),
    "a predicate of its own": atom(predicate="rights"),
    "a stranger as speaker": atom(subject={"name": "Somebody", "is_speaker": True}),
    "a field too many": atom(secret="x"),
}  # fmt: skip


def test_each_call_goes_wrong_in_its_own_way_and_no_window_is_lost_or_doubled(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_pipeline.understand.bulk_calls.WINDOWS_PER_CALL", 1)
    world.read(len(LINES) + 2)
    world.extract()
    output, faults = [], []
    for (i, body), bad in zip_longest(world.server.asked("batch-0"), LINES.values()):
        for made in [right(i, body)] if bad is None else bad(i, body):
            raw = made if isinstance(made, bytes) else json.dumps(made).encode()
            (faults if b'"code"' in raw else output).append(raw + b"\n")
    world.server.end("batch-0", output=b"".join(output), error=b"".join(faults))
    world.server.at_once = True
    report = world.round()
    assert (report.n_answered, report.n_asked_again) == (3, len(LINES) - 1)
    world.round()
    world.extract()
    assert world.cities() == sorted(f"City{i}" for i in range(len(LINES) + 2))
    assert world.refused() == []
    assert (world.server.files, world.listed_files()) == ({}, 0)


@pytest.mark.parametrize(("output", "error"), [(b"", None), (None, b"\n"), (b"\n\n", b"")])
def test_a_batch_that_ends_with_nothing_in_its_files_is_asked_again(
    world: World, output: bytes | None, error: bytes | None
) -> None:
    world.read()
    world.extract()
    world.server.end("batch-0", output=output, error=error)
    world.server.at_once = True
    assert world.round().n_asked_again == N
    world.round()
    world.extract()
    assert world.cities() == ALL
    assert (world.server.files, world.listed_files()) == ({}, 0)


@pytest.mark.parametrize("status", ["failed", "expired", "cancelled"])
def test_a_batch_that_ends_early_gives_what_it_has_and_is_asked_again(
    world: World, status: str
) -> None:
    world.read()
    world.extract()
    some = written(world, lambda n, i, body: right(i, body) if n else None)
    world.server.end("batch-0", status, output=None if status == "failed" else some)
    again = world.round()
    assert again.n_answered + again.n_asked_again == N
    assert again.n_sent == again.n_asked_again
    world.server.end("batch-1")
    world.round()
    world.extract()
    assert world.cities() == ALL


def test_a_lasting_fault_ends_in_quarantine_and_never_as_no_facts(world: World) -> None:
    def bad(body: dict[str, Any]) -> Any:
        answer = located(body)
        for window in answer["windows"]:
            if window["atoms"][0]["object"] == "City3":
                window["atoms"][0]["confidence"] = 7
        return answer

    world.server.answer = bad
    world.server.at_once = True
    world.read()
    world.extract()
    rounds = [world.round() for _ in range(MAX_ATTEMPTS + 1)]
    assert sum(r.n_failed for r in rounds) == 1
    assert world.refused() == ["invalid_answer"]
    report = world.extract()
    assert (report.n_waiting, report.n_extracted) == (0, 0)
    assert world.cities() == sorted(set(ALL) - {"City3"})
    assert world.extract().n_dialogs == 0
    assert len(world.server.batches) == MAX_ATTEMPTS
    assert world.listed_files() == 0


STEPS = {
    "before the file was uploaded": "POST /v1/files",
    "before the batch was started": "POST /v1/batches",
    "before the state was told": "GET /v1/batches/*",
    "before the answers were read": "GET /v1/files/*/content",
    "before a file was deleted": "DELETE /v1/files/*",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("was_heard", [pytest.param(False, marks=pytest.mark.verify), True])
def test_a_run_that_dies_at_any_call_is_taken_up_by_the_next(
    world: World, step: str, was_heard: bool
) -> None:
    """The call fails, heard by the provider or not, and the process ends there."""
    world.server.at_once = True
    died: list[str] = []
    real = world.server._reply

    def dying(method: str, path: str, headers: Any, body: bytes) -> Any:
        made = real(method, path, headers, body) if was_heard else None
        if world.server.calls[-1].partition("?")[0] == STEPS[step] and not died:
            made = made or (500, {}, b"{}")
            died.append(step)
            return 409, {"x-should-retry": "false"}, b"{}"
        return made or real(method, path, headers, body)

    world.server._reply = dying  # type: ignore[method-assign]
    world.read()
    world.extract()
    for _ in range(3):
        with suppress(ProviderError):
            world.round()
    world.extract()
    assert died == [step]
    assert world.cities() == ALL
    assert (world.server.files, world.listed_files()) == ({}, 0)
    assert len(world.server.batches) == 1


def test_a_killed_store_of_answers_is_taken_up_without_doubling(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_pipeline.understand.bulk._CHUNK", 1)
    world.server.at_once = True
    world.read()
    world.extract()
    real = Answers.store
    n_stored = 0

    def dying(self: Answers, *arguments: Any) -> None:
        nonlocal n_stored
        if n_stored == 2:
            n_stored += 1
            raise KeyboardInterrupt
        n_stored += 1
        real(self, *arguments)

    monkeypatch.setattr(Answers, "store", dying)
    with pytest.raises(KeyboardInterrupt):
        world.round()
    assert 0 < world.states()["done"] < N
    assert world.round().n_answered == N - 16
    world.extract()
    assert world.cities() == ALL


def test_the_budget_of_a_run_leaves_the_rest_to_the_next(world: World) -> None:
    settings = world.scenario.services.settings.model_copy(update={"openai_token_budget": 9_000})
    world.scenario.services = replace(world.scenario.services, settings=settings)
    world.server.at_once = True
    world.read()
    world.extract()
    sent = world.states()
    assert 0 < sent.get("running", 0) < N
    for _ in range(6):
        world.round()
    world.extract()
    assert world.cities() == ALL
    assert len(world.server.batches) > 1


def test_an_answer_to_a_text_that_was_redacted_meanwhile_is_not_taken(world: World) -> None:
    world.read(4)
    world.extract()
    real = Pipeline.find
    with pytest.MonkeyPatch.context() as patch:
        # stands in for the redaction: what would be shown now differs from what was sent
        patch.setattr(
            Pipeline,
            "find",
            lambda self, text: _covering(text) if "City2" in text else real(self, text),
        )
        world.server.end("batch-0")
        report = world.round()
    assert report.n_answered == 0
    assert report.n_dropped == 4
    assert world.states() == {"dismissed": 4, "running": 4}


@pytest.mark.verify
def test_the_sensor_asks_for_a_round_while_anything_waits_and_its_job_ends_the_work(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    import dagster as dg

    from memory_pipeline.orchestration.jobs import bulk_extraction_job
    from memory_pipeline.orchestration.resources import MemoryHome
    from memory_pipeline.orchestration.triggers import bulk_answers_sensor

    settings = world.scenario.services.settings
    monkeypatch.setenv("MEMORY_PIPELINE_OPENAI_BASE_URL", str(settings.openai_base_url))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("MEMORY_PIPELINE_OPENAI_MODEL", "m")
    monkeypatch.setenv("MEMORY_PIPELINE_OPENAI_BATCH", "true")
    current_settings(reread=True)
    home = MemoryHome(home=str(world.scenario.services.home.path), tenant=world.scenario.tenant)

    def requests(instance: dg.DagsterInstance) -> list[dg.RunRequest]:
        with dg.build_sensor_context(instance=instance) as context:
            found = list(bulk_answers_sensor(context, memory_home=home))
        return [
            one for one in found
            if isinstance(one, dg.RunRequest) and world.scenario.tenant in str(one.run_config)
        ]  # fmt: skip

    with dg.DagsterInstance.ephemeral() as instance:
        assert requests(instance) == []
        world.read(4)
        world.extract()
        [asked] = requests(instance)
        assert "City" not in str(asked)
        world.server.end("batch-0")
        done = bulk_extraction_job.execute_in_process(
            instance=instance, resources={"memory_home": home}
        )
        assert done.success
        told = str([event.message for event in done.all_events])
        assert "City" not in told
        assert requests(instance) == []
    assert world.cities() == ["City0", "City1", "City2", "City3"]
    assert world.listed_files() == 0


def test_the_commands_tell_what_waits_and_do_a_round(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    from typer.testing import CliRunner

    from memory_pipeline.commands import bulk

    monkeypatch.setattr(bulk, "ready", lambda: world.scenario.services)
    world.read(4)
    world.extract()

    def run(*arguments: str) -> Any:
        ran = CliRunner().invoke(
            bulk.bulk_app, [*arguments, "--tenant", world.scenario.tenant, "--json"],
            catch_exceptions=False,
        )  # fmt: skip
        return json.loads(ran.stdout)

    waiting = {"windows": {"running": 4}, "files": {"input": 1}, "n_open": 2}
    assert run("status") == waiting
    world.server.end("batch-0")
    assert run("run")["n_answered"] == 4
    assert run("status") == {"windows": {"done": 4}, "files": {}, "n_open": 0}
    assert world.cities() == ["City0", "City1", "City2", "City3"]


def _covering(text: str) -> Any:
    from memory_pipeline.contracts.sensitive import SensitiveSpan
    from memory_pipeline.contracts.vocabulary import SensitiveClass

    at = text.index("City2")
    return [
        SensitiveSpan(
            start=at, end=at + 5, type="email", sensitive_class=SensitiveClass.personal, normal=""
        )
    ]
