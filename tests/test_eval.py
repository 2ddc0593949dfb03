"""Evaluation: what is written for each record, what counts as right, and that nothing is left."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from memory_pipeline.evaluation import dates, facts_score, importance, run, sensitive
from memory_pipeline.evaluation.command import eval_app
from memory_pipeline.evaluation.database import PREFIX, own_database
from memory_pipeline.evaluation.records import (
    DatesRecord,
    FactsRecord,
    ImportanceRecord,
    SensitiveRecord,
    read_records,
)
from memory_pipeline.evaluation.report import Report, markdown
from memory_pipeline.evaluation.scores import Figures, Mark, figures
from memory_pipeline.governance.secrets import MOUNT
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services

DIALOG: dict[str, Any] = {
    "id": "d1",
    "lang": "ru",
    "tz": "Europe/Moscow",
    "messages": [
        {
            "n": 1,
            "speaker": "Анна",
            "role": "user",
            "sent_at": "2025-03-04T10:15:00+03:00",
            "text": "Я живу в Твери. У меня аллергия на пенициллин. Карта 4276 5500 1234 5677",
        },
        {
            "n": 2,
            "speaker": "Анна",
            "role": "user",
            "sent_at": "2025-10-10T18:05:00+03:00",
            "text": "Переезжаю в Казань с 19-го",
        },
    ],
    "asks": [
        {"subject": "Анна", "predicate": "location", "valid_at": "2025-11-01T12:00:00+03:00"},
        {
            "subject": "Анна",
            "predicate": "location",
            "valid_at": "2025-11-01T12:00:00+03:00",
            "known_at": "2025-09-15T00:00:00+03:00",
        },
        {"subject": "Анна", "predicate": "allergy", "valid_at": "2025-11-01T12:00:00+03:00"},
        {"subject": "Анна", "predicate": "pet", "valid_at": "2025-11-01T12:00:00+03:00"},
        {"subject": "Пётр", "predicate": "location", "valid_at": "2025-11-01T12:00:00+03:00"},
    ],
}


@pytest.fixture(scope="module")
def started(services: Services) -> Services:
    return ready(services.home.path)


def written(path: Path, *records: dict[str, Any]) -> Path:
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def databases(services: Services) -> list[str]:
    with psycopg.connect(services.pg_url) as connection:
        rows = connection.execute(
            "select datname from pg_database where starts_with(datname, %s)", (PREFIX,)
        ).fetchall()
    return [name for (name,) in rows]


def kept_secrets(services: Services) -> set[str]:
    from hvac.exceptions import InvalidPath

    kv = services.vault_client("verifier").secrets.kv.v2
    try:
        return set(kv.list_secrets(path="secrets", mount_point=MOUNT)["data"]["keys"])
    except InvalidPath:
        return set()


def test_facts_are_what_the_store_answers_and_leave_nothing_behind(
    started: Services, tmp_path: Path
) -> None:
    before = kept_secrets(started)
    out = tmp_path / "out.jsonl"
    data = written(tmp_path / "facts.jsonl", DIALOG)
    ran = CliRunner().invoke(
        eval_app, ["facts", "--data", str(data), "--predictions", str(out), "--json"],
        catch_exceptions=False,
    )  # fmt: skip
    (line,) = lines(out)
    assert list(line) == ["id", "atoms", "asks"]
    assert {
        ("Анна", "location", "Тверь", "2025-03-04", "2025-10-19"),
        ("Анна", "location", "Казань", "2025-10-19", None),
    } <= {tuple(atom.values()) for atom in line["atoms"]}
    assert list(line["atoms"][0]) == ["subject", "predicate", "object", "valid_from", "valid_to"]
    assert line["asks"] == [
        {"object": "Казань"},
        {"object": "Тверь"},
        {"object": ["пенициллин"]},
        {"object": None},
        {"object": None},
    ]
    (report,) = json.loads(ran.stdout)
    assert (report["n_records"], report["n_labelled"]) == (1, 0)
    assert databases(started) == []
    assert list((started.home.path / "evaluation").iterdir()) == []
    assert kept_secrets(started) == before


@pytest.mark.verify
def test_what_a_killed_evaluation_left_is_removed_and_a_running_one_is_not(
    started: Services,
) -> None:
    left = f"{PREFIX}left"
    with psycopg.connect(started.pg_dsn("mem_super", "postgres"), autocommit=True) as admin:
        admin.execute(f"create database {left} owner mem_owner")
    with own_database(started) as first, own_database(started) as second:
        assert sorted(databases(started)) == sorted([first.database, second.database])
    assert databases(started) == []


def test_predictions_of_texts_have_the_documented_lines(tmp_path: Path) -> None:
    told = {"id": "a", "lang": "ru", "text": "завтра в 10:00 созвон, почта a.b@mail.example"}
    out = tmp_path / "out.jsonl"

    def line_of(name: str) -> dict[str, Any]:
        data = written(tmp_path / f"{name}.jsonl", told | {"reference": "2025-10-10T12:00+03:00"})
        CliRunner().invoke(
            eval_app, [name, "--data", str(data), "--predictions", str(out)],
            catch_exceptions=False,
        )  # fmt: skip
        (line,) = lines(out)
        return line

    assert line_of("dates") == {
        "id": "a",
        "expect": [{"from": "2025-10-11T10:00:00+03:00", "to": None}],
    }
    assert line_of("sensitive") == {
        "id": "a",
        "spans": [{"start": 29, "end": 45, "type": "email"}],
    }
    line = line_of("importance")
    assert list(line) == ["id", "label", "probability"]
    assert line["label"] in ("CRITICAL", "RELEVANT", "TRIVIAL")
    assert 0 <= line["probability"] <= 1


def test_a_record_that_does_not_fit_is_named_by_file_line_and_field(tmp_path: Path) -> None:
    good = {"id": "a", "text": "да", "label": "TRIVIAL"}
    for bad, problem in (
        ({"id": "b", "text": "тайна", "label": "URGENT"}, r"x\.jsonl:2: label: "),
        ({"id": "b"}, r"x\.jsonl:2: text: "),
        (good, r"x\.jsonl:2: id: another record has it too"),
    ):
        path = written(tmp_path / "x.jsonl", good, bad)
        with pytest.raises(ValueError, match=problem) as raised:
            read_records(path, ImportanceRecord)
        assert "тайна" not in str(raised.value)


# ---------- what counts as right


def test_a_date_counts_only_with_both_ends_and_is_missed_or_read_without_cause() -> None:
    def record(name: str, *expect: tuple[str | None, str | None]) -> DatesRecord:
        periods = [{"from": start, "to": end} for start, end in expect]
        return DatesRecord.model_validate(
            {"id": name, "text": "", "reference": "2025-10-10T12:00+03:00", "expect": periods}
        )

    whole = {"from": "2025-10-11T00:00:00+03:00", "to": "2025-10-12T00:00:00+03:00"}
    day = ("2025-10-11", "2025-10-12")
    records = [record("right", day), record("off", day), record("missed", day), record("none")]
    said = [
        {"id": "right", "expect": [whole]},
        {"id": "off", "expect": [whole | {"to": None}]},
        {"id": "missed", "expect": []},
        {"id": "none", "expect": [whole]},
    ]
    report = dates.score(records, said, "dates")
    assert measures(report)["precision"] == pytest.approx(1 / 3, abs=1e-4)
    assert measures(report)["recall"] == pytest.approx(1 / 3, abs=1e-4)
    assert measures(report)["rows without a date empty"] == 0
    assert report.problems == {"wrong interval": 1, "missed": 1, "read where there is none": 1}


def test_an_atom_is_matched_loosely_once_and_its_dates_and_the_asks_apart() -> None:
    labelled = [
        {"subject": "Анна", "predicate": "location", "object": "Тверь", "valid_from": "2025-03-04"},
        {"subject": "Анна", "predicate": "diet", "object": "веган", "retracted": True},
        {"subject": "Анна", "predicate": "pet", "object": "кот: Мурзик"},
    ]
    asks = [ask | {"object": wanted} for ask, wanted in zip(
        DIALOG["asks"], ["Казань", "Тверь", ["пенициллин"], None, None], strict=True
    )]  # fmt: skip
    record = FactsRecord.model_validate(DIALOG | {"atoms": labelled, "asks": asks})
    place = {"subject": "анна", "predicate": "location", "object": "Твери", "valid_to": None}
    said = {
        "id": "d1",
        "atoms": [place | {"valid_from": "2025-03-05"}, place | {"valid_from": "2025-03-04"}],
        "asks": [{"object": o} for o in ("Казань", None, ["пенициллины", "орехи"], "кот", None)],
    }
    report = facts_score.score([record], [said], "facts")
    found = measures(report)
    assert (found["precision"], found["recall"]) == (0.5, 0.5)
    assert found["dates right among matched"] == 1
    assert found["asks answered"] == 0.4
    assert report.problems == {
        "atom missed": 1,
        "atom without cause": 1,
        "ask without answer": 1,
        "ask answered wrongly": 1,
        "ask answered where nothing holds": 1,
    }


def test_a_sensitive_miss_tells_place_and_type_and_never_the_value() -> None:
    text = "пароль qwerty12, карта 4276"
    span = {"start": 7, "end": 15, "type": "password"}
    record = SensitiveRecord.model_validate({"id": "a", "text": text, "spans": [span]})
    for said, problem in (
        ([], "password: missed"),
        ([span | {"end": 16}], "password: wrong ends"),
        ([span | {"type": "api_key"}], "password: wrong type"),
        ([span, span | {"start": 23, "end": 27}], "password: found where there is none"),
    ):
        report = sensitive.score([record], [{"id": "a", "spans": said}], "sensitive")
        assert list(report.problems) == [problem]
        assert "qwerty12" not in report.model_dump_json() + markdown([report])


def measures(report: Report) -> dict[str, float]:
    return {measure.name: measure.value for measure in report.measures}


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_figures_follow_from_the_counts_and_stay_between_none_and_all(
    pairs: list[tuple[bool, bool]],
) -> None:
    found = figures(Mark("r", "x", labelled, said) for labelled, said in pairs)
    assert isinstance(found, Figures)
    right = sum(labelled and said for labelled, said in pairs)
    assert found.n_right == right <= min(found.n_labelled, found.n_said)
    scores = (found.precision, found.recall)
    assert all(0 <= score <= 1 for score in scores)
    assert min(scores) - 1e-4 <= found.f1 <= max(scores) + 1e-4


def gold(shared_data: Path) -> Iterator[tuple[Report, int]]:
    """The reports of predictions that say exactly what the shared sets are labelled with."""
    folder = shared_data / "labelled"
    raw = {name: lines(folder / f"{name}.jsonl") for name in
           ("importance", "dates", "sensitive", "facts")}  # fmt: skip
    said: list[dict[str, Any]]
    said = [{"id": r["id"], "label": r["label"], "probability": 1.0} for r in raw["importance"]]
    yield (
        importance.score(read_records(folder / "importance.jsonl", ImportanceRecord), said, ""),
        200,
    )
    yield dates.score(read_records(folder / "dates.jsonl", DatesRecord), raw["dates"], ""), 150
    yield (
        sensitive.score(
            read_records(folder / "sensitive.jsonl", SensitiveRecord), raw["sensitive"], ""
        ),
        150,
    )
    for row in raw["facts"]:
        row["atoms"] = [atom for atom in row["atoms"] if not atom.get("retracted")]
    yield facts_score.score(read_records(folder / "facts.jsonl", FactsRecord), raw["facts"], ""), 80


def test_the_labels_themselves_score_everywhere_one(shared_data: Path) -> None:
    for report, n in gold(shared_data):
        assert report.n_labelled == n
        assert set(measures(report).values()) <= {1.0, 0.0}
        assert not report.misses
        assert all(group.figures.f1 == 1 for group in report.groups)


def test_cross_validation_serves_only_records_that_the_model_was_trained_on() -> None:
    unseen = ImportanceRecord.model_validate(
        {"id": "a", "text": "строка, которой в наборе нет", "label": "TRIVIAL"}
    )
    assert importance.n_trained_on([unseen]) == 0
    assert importance.cross_validated([unseen]) is None


CHAT = """01/01/2024, 10:00 - Анна: Привет
как дела
01/01/2024, 10:05 - Oleg: Fine
"""


def logs(folder: Path) -> Path:
    """Two logs with expectations and one without, and a file that is no log."""
    (folder / "a").mkdir()
    (folder / "a" / "chat.txt").write_text(CHAT, encoding="utf-8")
    target = [
        {"timestamp": "2024-01-01T10:05:00", "author": "Oleg", "message": "Fine"},
        {"timestamp": "2024-01-01T10:00:00", "author": "Анна", "message": "Привет как дела"},
    ]
    (folder / "a" / "target.json").write_text(json.dumps(target), encoding="utf-8")
    said = {
        "dialog_id": "d",
        "speaker": "Ann",
        "sent_at": "2024-01-01T10:00:00+03:00",
        "text": "Hi",
    }
    written(folder / "own.jsonl", said, said | {"text": "Bye"})
    expected = {"speaker": "Ann", "sent_at": "2024-01-01T07:00:00Z", "text": "Bye"}
    written(folder / "own.jsonl.expected.jsonl", expected, expected | {"text": "Hi"})
    written(folder / "free.jsonl", said, {"dialog_id": "d", "speaker": "Ann"})
    (folder / "LICENSE").write_text("Anybody may do anything.")
    return folder


def test_readers_are_held_against_what_lies_beside_the_logs(tmp_path: Path) -> None:
    folder, out = tmp_path / "logs", tmp_path / "out.jsonl"
    folder.mkdir()
    arguments = ["readers", "--data", str(logs(folder)), "--predictions", str(out), "--json"]
    ran = CliRunner().invoke(eval_app, arguments, catch_exceptions=False)
    [report] = [Report.model_validate(one) for one in json.loads(ran.stdout)]
    measures = {m.name: m.value for m in report.measures}
    assert measures == {
        "precision": 1, "recall": 1, "F1": 1, "logs exact, in order": 0.5, "logs read": 3,
        "files that are no log": 1, "messages": 5, "records refused": 1,
        "messages without a time": 0,
    }  # fmt: skip
    assert [(m.record, m.problem) for m in report.misses] == [("own.jsonl", "out of order")]
    said = {line["id"]: line for line in lines(out)}
    assert set(said) == {"a/chat.txt", "own.jsonl", "free.jsonl", "LICENSE"}
    assert [(m["speaker"], m["text"]) for m in said["a/chat.txt"]["messages"]] == [
        ("Анна", "Привет\nкак дела"),
        ("Oleg", "Fine"),
    ]
    assert (said["free.jsonl"]["reader"], said["free.jsonl"]["n_refused"]) == ("jsonl", 1)
    assert said["LICENSE"]["reader"] is None


def test_a_lost_message_and_a_wrong_speaker_cost_what_they_are(tmp_path: Path) -> None:
    folder = logs(tmp_path)
    target = json.loads((folder / "a" / "target.json").read_text(encoding="utf-8"))
    target[0]["author"] = "Ольга"
    target.append({"timestamp": "2024-01-02T10:00:00", "author": "Oleg", "message": "Lost"})
    (folder / "a" / "target.json").write_text(json.dumps(target), encoding="utf-8")
    [report] = run.evaluate_readers(folder, None, quiet=True)
    [whatsapp] = [g.figures for g in report.groups if g.value == "whatsapp"]
    assert (whatsapp.n_labelled, whatsapp.n_said, whatsapp.n_right) == (3, 2, 1)


def test_published_exports_are_read_exactly(shared_data: Path) -> None:
    [report] = run.evaluate_readers(shared_data / "chat_exports", None, quiet=True)
    assert report.misses == ()
    assert {m.name: m.value for m in report.measures}["logs exact, in order"] == 1


@pytest.mark.parametrize("content", ["{", '[{"author": "A"}]', '{"a": 1}'])
def test_an_expectation_that_does_not_fit_is_named(tmp_path: Path, content: str) -> None:
    folder = logs(tmp_path)
    (folder / "a" / "target.json").write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=r"target\.json beside chat\.txt"):
        run.evaluate_readers(folder, None, quiet=True)
