"""The command line: what it prints, in which shape, and with which code it ends."""

import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from dagster_postgres.utils import DagsterPostgresException

from memory_pipeline import cli
from memory_pipeline.commands.output import say
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from tests.scenario import Scenario, message, write

ANSWER = [
    "predicate", "object", "status", "valid_from", "valid_to", "valid_precision", "known_from",
    "confidence", "importance", "tags", "atom_id", "supersedes", "supports", "evidence",
]  # fmt: skip

LINES = [
    message("Дмитрий", "2025-03-03T10:00+03:00", "Я Дмитрий, работаю из Москвы", message_id="m1"),
    message("Дмитрий", "2025-10-10T18:05+03:00", "Переезжаю в Казань с 19-го", message_id="m2"),
    message("Дмитрий", "2025-10-11T18:05+03:00", "[CRITICAL] Бюджет не больше 300 тысяч",
            message_id="m3"),
    message("Анна", "2025-10-11T19:00+03:00", "Я живу в Твери", speaker_id="1"),
    message("Анна", "2025-10-11T19:01+03:00", "Я живу в Туле", speaker_id="2", dialog_id="other"),
]  # fmt: skip


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
def scenario(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    """A tenant whose log was read by the program itself."""
    made = Scenario(ready(services.home.path), tmp_path_factory.mktemp("cli"))
    path = write(made.folder / "log.jsonl", LINES)
    path.write_text(path.read_text("utf-8") + '{"dialog_id": "chat", "tex\n', "utf-8")
    done = subprocess.run(
        [
            str(Path(sys.executable).parent / "memory-pipeline"), "ingest", str(path),
            "--tenant", made.tenant, "--tz", "Europe/Moscow", "--json",
        ],
        capture_output=True, text=True, env=dict(os.environ), check=False,
    )  # fmt: skip
    assert done.returncode == cli.Exit.quarantined, done.stderr
    report = json.loads(done.stdout)
    assert (report["n_messages"], report["n_quarantined"], report["n_critical"] >= 1) == (
        5,
        1,
        True,
    )
    assert "log.jsonl:6: invalid_json: " in done.stderr
    return made


def ask(run: Run, scenario: Scenario, *more: str) -> Ended:
    return run("ask", "--tenant", scenario.tenant, "--json", *more)


def test_ask_prints_the_documented_shape(run: Run, scenario: Scenario) -> None:
    found = ask(run, scenario, "--subject", "дмитрий", "--predicate", "location",
                "--valid-at", "2025-10-19").json  # fmt: skip
    assert list(found) == ["subject", "valid_at", "known_at", "answers"]
    assert found["valid_at"] == "2025-10-19T00:00:00+03:00"
    assert found["known_at"].endswith("+03:00")
    (answer,) = found["answers"]
    assert list(answer) == ANSWER
    assert answer["object"] == "Казань"
    assert answer["valid_from"] == "2025-10-19T00:00:00+03:00"
    assert (answer["status"], answer["valid_to"], answer["valid_precision"]) == (
        "known",
        None,
        "day",
    )
    assert uuid.UUID(answer["supersedes"]) != uuid.UUID(answer["atom_id"])
    assert answer["evidence"] == [{"message_id": "m2", "dialog_id": "chat", "turn": 2}]


@pytest.mark.parametrize(
    ("moments", "place"),
    [
        (("--valid-at", "2025-11-01"), "Казань"),
        (("--valid-at", "2025-10-17"), "Москва"),
        (("--valid-at", "2025-10-18T23:59"), "Москва"),
        (("--valid-at", "2025-10-19"), "Казань"),
        (("--valid-at", "2025-11-01", "--known-at", "2025-09-15"), "Москва"),
        (("--valid-at", "2025-11-01", "--recorded-at", "2020-01-01"), None),
    ],
)
def test_ask_answers_on_every_clock(
    run: Run, scenario: Scenario, moments: tuple[str, ...], place: str | None
) -> None:
    ended = ask(run, scenario, "--subject", "Дмитрий", "--predicate", "location", *moments)
    assert [a["object"] for a in ended.json["answers"]] == ([] if place is None else [place])


def test_people_read_words_in_the_language_of_the_log(run: Run, scenario: Scenario) -> None:
    said = run("ask", "--tenant", scenario.tenant, "--subject", "Дмитрий").out
    assert "Казань  since 2025-10-19  [chat turn 2]" in said
    assert "\\u" not in ask(run, scenario, "--subject", "Дмитрий").out


def test_a_day_told_in_another_zone_is_not_shown_as_the_day_before(
    run: Run, services: Services, tmp_path: Path
) -> None:
    made = Scenario(ready(services.home.path), tmp_path)
    first = write(tmp_path / "a.jsonl", [message("Rachel", "2026-02-01T10:00", "Hello")])
    later = message("Rachel", "2026-03-01T10:00", "I start at Globex on March 9th")
    second = write(tmp_path / "b.jsonl", [later])
    tenant = ("--tenant", made.tenant)
    ended = run("ingest", str(first), *tenant, "--tz", "UTC")
    assert (ended.code, "0 records in quarantine;" in ended.out) == (0, True)
    assert run("ingest", str(second), *tenant, "--tz", "Europe/Moscow").code == 0
    who = ("--subject", "Rachel", *tenant, "--predicate", "employer")
    for shown in (
        run("ask", *who, "--valid-at", "2026-04-01").out,
        run("history", *who).out,
        run("diff", "--from", "2026-01-01", *who).out,
    ):
        assert "2026-03-08 21:00+00:00" in shown
    assert "valid 2026-04-01, known" in run("ask", *who, "--valid-at", "2026-04-01").out


def test_a_name_that_fits_two_is_refused_with_the_candidates(run: Run, scenario: Scenario) -> None:
    ended = ask(run, scenario, "--subject", "Анна")
    assert ended.code == cli.Exit.ambiguous
    assert ended.out == ""
    first, *candidates = ended.err.splitlines()
    assert "--entity" in first
    assert len(candidates) == 2
    places = [
        ask(run, scenario, "--entity", line.split()[0]).json["answers"][0]["object"]
        for line in candidates
    ]
    assert sorted(places) == ["Тверь", "Тула"]


def test_search_and_context_print_their_shapes(
    run: Run, scenario: Scenario, tmp_path: Path
) -> None:
    tenant = ("--tenant", scenario.tenant)
    found = run("search", "куда он переезжает", *tenant, "--json", "--k", "3").json
    assert list(found) == ["query", "hits"]
    assert len(found["hits"]) == 3
    assert {"kind", "id", "text", "score", "dialog_id", "turn"} <= set(found["hits"][0])
    assert any("Казань" in hit["text"] for hit in found["hits"])

    base = ("context", "--dialog", "chat", "--query", "Где он живёт?", "--budget", "400", *tenant)
    messages = run(*base).json
    assert all(set(entry) >= {"role", "content"} for entry in messages)
    assert any("300 тысяч" in entry["content"] for entry in messages)
    snapshot = run(*base, "--format", "json").json
    assert snapshot["n_tokens"] <= 400
    assert snapshot["n_tokens"] == snapshot["n_tokens_frame"] + sum(
        item["n_tokens"] for item in snapshot["items"]
    )
    assert all(item["score"] >= 0 and item["reasons"] for item in snapshot["items"])
    out = tmp_path / "a" / "b.md"
    written = run(*base, "--format", "markdown", "--out", str(out))
    assert (written.code, "300 тысяч" in out.read_text("utf-8")) == (0, True)
    assert (str(out),) in scenario.rows(
        "select c.path from memory.export join memory.export_content as c using (export_id)"
        " where tenant_id = %(tenant)s"
    )


def test_status_shows_services_and_no_password(run: Run, services: Services) -> None:
    ended = run("status", "--json")
    found = ended.json
    assert list(found) == ["home", "pg_url", "services"]
    assert set(found["services"]) == {"postgres", "graph", "vault"}
    assert found["home"] == str(services.home.path)
    assert "mem_owner" in found["pg_url"]
    for login in ("mem_ingest", "mem_builder", "operator"):
        password = services.home.credentials().get("postgres", login)
        assert password
        assert password not in ended.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("ask", "--subject", "Никто"), cli.Exit.not_found, "nobody"),
        (("ask", "--entity", "xyz"), cli.Exit.usage, ""),
        (("ask", "--entity", str(uuid.uuid4())), cli.Exit.not_found, "no entity"),
        (("ask",), cli.Exit.usage, "--subject"),
        (("ask", "--subject", "Дмитрий", "--predicate", "no_such"), cli.Exit.not_found, "no_such"),
        (("ask", "--subject", "Дмитрий", "--valid-at", "вчера"), cli.Exit.usage, "2025-10-17"),
        (("context", "--dialog", "none", "--query", "x", "--budget", "9"), cli.Exit.not_found, "none"),
        (("context", "--dialog", "chat", "--query", "x", "--budget", "9"), cli.Exit.over_budget, ""),
        (("context", "--dialog", "chat", "--query", "x", "--budget", "99", "--strategy", "odd"),
         cli.Exit.usage, "known: published, ranked"),
        (("search", " "), cli.Exit.usage, "some words"),
        (("atom", "add", "--subject", "Дмитрий", "--predicate", "age", "--object", "много"),
         cli.Exit.usage, "as in 42"),
        (("ingest", "/no/such/file"), cli.Exit.not_found, "/no/such/file"),
        (("atom", "show", str(uuid.uuid4())), cli.Exit.not_found, "no atom"),
        (("atom", "retract", "xyz"), cli.Exit.usage, ""),
        (("atom", "add", "--subject", "Дмитрий", "--predicate", "location", "--object", "Омск",
          "--from", "2025-05-02", "--to", "2025-05-01"), cli.Exit.usage, "after its start"),
        (("quarantine", "show", str(uuid.uuid4())), cli.Exit.not_found, ""),
        (("rebuild", "everything"), cli.Exit.usage, "one of"),
    ],
)  # fmt: skip
def test_wrong_use_ends_with_its_code_and_says_what_helps(
    run: Run, scenario: Scenario, arguments: tuple[str, ...], code: cli.Exit, words: str
) -> None:
    tenant = () if arguments[0] == "rebuild" else ("--tenant", scenario.tenant)
    if arguments[0] in ("atom", "quarantine"):
        ended = run(*arguments, *tenant)
    else:
        ended = run(arguments[0], *tenant, *arguments[1:])
    assert (ended.code, ended.out) == (code, "")
    assert words in ended.err
    assert "Traceback" not in ended.err


def test_a_setting_that_does_not_fit_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from memory_pipeline import settings

    monkeypatch.setenv("MEMORY_PIPELINE_LOG_LEVEL", "LOUD")
    settings._cached.cache_clear()
    ended = run("status")
    assert ended.code == cli.Exit.usage
    assert "MEMORY_PIPELINE_LOG_LEVEL" in ended.err


def test_a_human_states_corrects_and_takes_back(run: Run, scenario: Scenario) -> None:
    tenant = ("--tenant", scenario.tenant)
    made = run("atom", "add", "--subject", "Дмитрий", "--predicate", "employer", "--object", "Сбер",
               "--reason", "договор", "--json", *tenant).json  # fmt: skip
    atom_id = made["atom_id"]
    said = run("atom", "confirm", atom_id, *tenant).out
    assert said.startswith(f"confirmed atom {atom_id}: ")
    corrected = run("atom", "correct", atom_id, "--object", "Озон", "--json", *tenant).json
    run("atom", "confirm", corrected["atom_id"], *tenant)
    (held,) = ask(run, scenario, "--subject", "Дмитрий", "--predicate", "employer").json["answers"]
    assert (held["object"], len(held["supports"])) == ("Озон", 1)
    shown = run("atom", "show", atom_id, "--json", *tenant).json
    assert (shown["atom"]["author"], shown["atom"]["reason"]) == ("operator", "договор")
    taken = run("atom", "retract", held["atom_id"], "--json", *tenant)
    assert list(taken.json) == ["closure_id"]
    assert (
        ask(run, scenario, "--subject", "Дмитрий", "--predicate", "employer").json["answers"] == []
    )


def test_an_atom_shows_its_chain(run: Run, scenario: Scenario) -> None:
    tenant = ("--tenant", scenario.tenant)
    (held,) = ask(run, scenario, "--subject", "Дмитрий", "--predicate", "location",
                  "--valid-at", "2025-12-01").json["answers"]  # fmt: skip
    shown = run("atom", "show", held["atom_id"], *tenant).out
    assert "chat turn 2 (log.jsonl:2)" in shown
    assert "Казань" in shown


def test_access_and_quarantine(run: Run, scenario: Scenario) -> None:
    login, tenant = f"{scenario.tenant}_r", ("--tenant", scenario.tenant)
    as_login = ("--subject", "Дмитрий", "--as", login)
    assert ask(run, scenario, *as_login).code == cli.Exit.not_found
    assert run("access", "grant", login, *tenant, "--audience", "team").code == 0
    assert ask(run, scenario, *as_login).code == 0
    listed = run("access", "list", "--json").json
    assert [(r["tenant"], r["audience"]) for r in listed if r["login"] == login] == [
        (scenario.tenant, "team")
    ]
    refused = run("atom", "add", *as_login, *tenant, "--predicate", "location", "--object", "Омск",
                  "--audience", "board")  # fmt: skip
    assert refused.code == cli.Exit.refused
    assert run("quarantine", "--as", login, *tenant, "--json").json == []
    assert run("access", "revoke", login, *tenant, "--audience", "team").code == 0
    assert ask(run, scenario, *as_login).code == cli.Exit.not_found

    (entry,) = run("quarantine", *tenant, "--json").json
    assert (entry["file"], entry["position"], entry["reason"]) == ("log.jsonl", 6, "invalid_json")
    again = run("ingest", str(scenario.folder / "log.jsonl"), *tenant).out
    assert "0 records in quarantine (1 stand open)" in again
    raw = run("quarantine", "show", entry["quarantine_id"], *tenant).out
    assert raw.strip() == '{"dialog_id": "chat", "tex'


def test_a_vault_that_is_not_there_ends_with_its_own_exit_code(
    services: Services, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "MEMORY_PIPELINE_HOME": str(services.home.path),
        "MEMORY_VAULT_ADDR": "http://127.0.0.1:9",
        "MEMORY_VAULT_ROLE_ID": "role",
        "MEMORY_VAULT_SECRET_ID": "secret",
    }
    ended = subprocess.run(
        [str(Path(sys.executable).with_name("memory-pipeline")), "ask", "--subject", "Дмитрий"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == cli.Exit.unreachable
    assert "vault" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_run_whose_database_went_away_ends_as_unreachable(
    run: Run, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise DagsterPostgresException("too many retries for DB connection")

    scenario.tell(message("Агния", "2025-10-10T12:00:00+03:00", "Живу в Казани", dialog_id="gone"))
    monkeypatch.setattr("memory_pipeline.orchestration.instance.in_process_run", broken)
    asked = ("erase", "--subject", "Агния", "--tenant", scenario.tenant)
    refused = run(*asked, "--expect", "zz", "--yes")
    assert (refused.code, "64 hexadecimal" in refused.err) == (cli.Exit.usage, True)
    ended = run(*asked, "--yes")
    assert ended.code == cli.Exit.unreachable
    assert re.search("erase run [0-9a-f-]{36} --tenant", ended.err)


def test_what_is_critical_over_the_budget_is_told_on_a_terminal_alone(
    run: Run, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = ("context", "--dialog", "chat", "--query", "x", "--budget", "9", "--tenant")
    ended = run(*over, scenario.tenant)
    assert (ended.code, "300" in ended.err) == (cli.Exit.over_budget, False)
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda _: True)
    assert "300 тысяч" in run(*over, scenario.tenant).err


def test_what_a_log_holds_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    say("Ян\x1b[31m\x1b]0;title\x07\x9b2J \u202eabc\nтак\tй")
    assert capsys.readouterr().out == (
        "Ян\\u001b[31m\\u001b]0;title\\u0007\\u009b2J \\u202eabc\nтак\tй\n"
    )
