"""Papers for the authorities and the person: every field that is asked for, filled."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from memory_pipeline.contracts.erasure import ErasureState, Ground
from memory_pipeline.governance.erasure import act as papers
from memory_pipeline.governance.erasure.act import ActFacts
from memory_pipeline.understand.registry import builtin_predicates
from memory_pipeline.understand.sensitive.policy import load_policy

REQUEST = "5f0e2a8e-9a3a-4a06-93a6-6f4f3ab6a111"
FACTS: dict[str, Any] = {
    "operator_name": "ООО «Пример»",
    "operator_address": "101000, Москва, ул. Примерная, д. 1",
    "subject": "Иванов Дмитрий Петрович",
    "information_system": "Память агентов",
    "destroyed_by": [{"name": "Петрова А. И.", "position": "администратор"}],
}
CERTIFICATE: dict[str, Any] = {
    "request_id": REQUEST,
    "ground": "consent_withdrawn",
    "received_at": "2026-02-27T09:00:00+00:00",
    "issued_at": "2026-02-28T11:00:00+00:00",
    "backups_until": None,
    "categories": ["health", "location"],
    "steps": [
        {"step": "fenced", "at": "2026-02-27T09:00:01+00:00", "seq": 11},
        {"step": "erased", "at": "2026-02-28T10:00:00+00:00", "seq": 12},
        {"step": "scrubbed", "at": "2026-02-28T10:30:00+00:00", "seq": 13},
    ],
}


def facts(**changed: Any) -> ActFacts:
    return ActFacts.model_validate(FACTS | changed)


def test_the_act_has_every_field_of_order_179_and_each_is_filled() -> None:
    fields = papers.act(CERTIFICATE, facts())
    # point 3 of the requirements, а to к
    asked: dict[str, Any] = {
        "operator": {"name": "ООО «Пример»", "address": "101000, Москва, ул. Примерная, д. 1"},
        "processor": None,
        "subject": "Иванов Дмитрий Петрович",
        "destroyed_by": [{"name": "Петрова А. И.", "position": "администратор"}],
        "categories": [
            "сведения о состоянии здоровья", "сведения о месте нахождения и проживания",
        ],
        "information_system": "Память агентов",
        "destroyed_at": "2026-02-28T10:30:00+00:00",
        "keep_until": "2029-02-28",
    }  # fmt: skip
    assert {name: fields[name] for name in asked} == asked
    assert "часть 5 статьи 21" in fields["reason"]
    assert len(fields["method"]) > 20
    assert fields["carriers"]
    text = papers.act_text(fields)
    numbered = [line for line in text.splitlines() if line[:1].isdigit()]
    assert len(numbered) == 9
    assert all(line.split(": ", 1)[1].strip() for line in numbered)
    for said in (*asked["operator"].values(), asked["subject"], "Петрова А. И.: ____", "нет"):
        assert said in text


def test_the_act_names_destroyed_secrets_in_russian_and_the_day_of_the_tenants_zone() -> None:
    certificate = CERTIFICATE | {
        "categories": ["event", "tag_of_their_own"],
        "secret_types": ["passport_ru", "password", "snils", "type_of_their_own"],
        "tz": "Asia/Vladivostok",
        "steps": [{"step": "scrubbed", "at": "2026-02-28T20:30:00.5+00:00", "seq": 13}],
    }
    fields = papers.act(certificate, facts())
    assert fields["categories"] == [
        "сведения о событиях и мероприятиях", "паспортные данные", "пароли", "СНИЛС", "иные сведения",
    ]  # fmt: skip
    assert (fields["destroyed_at"], fields["keep_until"]) == (
        "2026-03-01T06:30:00+10:00", "2029-03-01",
    )  # fmt: skip
    extract = papers.log_extract(certificate, facts())
    assert "паспортные данные" in extract
    assert "2026-03-01T06:30:00+10:00" in extract


def test_every_tag_and_type_that_can_be_destroyed_has_a_russian_name() -> None:
    tags = sorted({tag for predicate in builtin_predicates() for tag in predicate.tags})
    types = sorted(load_policy().classes)
    for named in ({"categories": tags}, {"categories": [], "secret_types": types}):
        said = papers.act(CERTIFICATE | named, facts())["categories"]
        assert "иные сведения" not in said
        assert len(said) == len(tags if named["categories"] else types)


def test_a_processor_is_named_with_its_address_or_not_at_all() -> None:
    named = facts(processor_name="ООО «Обработка»", processor_address="Тула, д. 2")
    text = papers.act_text(papers.act(CERTIFICATE, named))
    assert (
        "2. Лицо, обрабатывавшее данные по поручению оператора: ООО «Обработка», Тула, д. 2" in text
    )
    with pytest.raises(ValidationError, match="processor_address"):
        facts(processor_name="ООО «Обработка»")


@pytest.mark.parametrize("missing", sorted(FACTS))
@pytest.mark.parametrize("how", ["left out", "blank"])
def test_what_the_operator_leaves_out_is_refused_by_its_name(missing: str, how: str) -> None:
    given = dict(FACTS)
    if how == "left out":
        del given[missing]
    else:
        given[missing] = [] if missing == "destroyed_by" else "  "
    with pytest.raises(ValidationError) as refused:
        ActFacts.model_validate(given)
    assert [problem["loc"][0] for problem in refused.value.errors()] == [missing]


def test_the_template_is_refused_until_it_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "facts.yaml"
    path.write_text(papers.TEMPLATE, encoding="utf-8")
    with pytest.raises(ValidationError) as refused:
        papers.read_facts(path)
    named = {".".join(map(str, problem["loc"])) for problem in refused.value.errors()}
    assert named == {
        "operator_name", "operator_address", "subject", "information_system",
        "destroyed_by", "destroyed_by.0.name", "destroyed_by.0.position",
    }  # fmt: skip
    path.write_text("a: [", encoding="utf-8")
    with pytest.raises(ValueError, match=r"facts\.yaml, line 1: no YAML"):
        papers.read_facts(path)


@pytest.mark.parametrize("ground", Ground)
def test_every_ground_is_told_in_words(ground: Ground) -> None:
    certificate = CERTIFICATE | {"ground": ground.value}
    assert papers.act(certificate, facts())["reason"] != ground.value
    if ground.startswith("gdpr_"):
        assert "article 17(1)" in papers.confirmation(certificate, facts())


def test_the_extract_of_the_log_has_its_five_fields_on_every_line() -> None:
    rows = list(csv.DictReader(io.StringIO(papers.log_extract(CERTIFICATE, facts()))))
    assert [row["событие"] for row in rows] == [
        "доступ закрыт", "записи удалены", "остатки на носителе затёрты",
    ]  # fmt: skip
    for row in rows:
        assert row["субъект"] == FACTS["subject"]
        assert row["категории"].startswith("сведения о состоянии здоровья; ")
        assert row["информационная система"] == FACTS["information_system"]
        assert "часть 5 статьи 21" in row["причина"]
        assert row["дата"].startswith("2026-02-2")


@pytest.mark.parametrize("value", ["=1+1", "+7 900", "-1", "@x", "\t=1+1", " =1+1"])
def test_no_cell_is_taken_for_a_formula(value: str) -> None:
    extract = papers.log_extract(CERTIFICATE, facts().model_copy(update={"subject": value}))
    (first, *_) = csv.DictReader(io.StringIO(extract))
    assert first["субъект"] == f"'{value}"


def test_papers_are_private_and_overwrite_nothing(tmp_path: Path) -> None:
    written = papers.write_papers(CERTIFICATE, facts(), tmp_path)
    assert [path.name for path in written] == [
        f"act_{REQUEST}.json", f"act_{REQUEST}.md", f"log_{REQUEST}.csv",
    ]  # fmt: skip
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}
    assert json.loads(written[0].read_text(encoding="utf-8"))["subject"] == FACTS["subject"]
    written[0].unlink()
    with pytest.raises(FileExistsError):
        papers.write_papers(CERTIFICATE, facts(), tmp_path)
    assert not written[0].exists(), "nothing is written where one paper is there already"


def test_a_ground_of_gdpr_gets_a_confirmation_in_english(tmp_path: Path) -> None:
    certificate = CERTIFICATE | {
        "ground": "gdpr_consent",
        "backups_until": "2026-05-01T00:00:00+00:00",
    }
    (path,) = papers.write_papers(certificate, facts(), tmp_path)
    text = path.read_text(encoding="utf-8")
    for said in ("consent withdrawn (article 17(1)(b))", "health, location", REQUEST,
                 "until 2026-05-01", FACTS["subject"], "2026-02-28T10:30:00"):  # fmt: skip
        assert said in text


def test_every_state_has_a_name_in_the_extract() -> None:
    reached = [s for s in ErasureState if s not in (ErasureState.received, ErasureState.cancelled)]
    steps = [
        {"step": s.value, "at": "2026-02-28T10:00:00+00:00", "seq": n}
        for n, s in enumerate(reached)
    ]
    extract = papers.log_extract(CERTIFICATE | {"steps": steps}, facts())
    named = [row["событие"] for row in csv.DictReader(io.StringIO(extract))]
    assert len(set(named)) == len(reached)
    assert not any(name.isascii() for name in named)
