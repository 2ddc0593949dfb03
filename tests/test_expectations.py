"""Great Expectations suites: they pass on an empty ledger, see what is wrong, and tell counts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.expectations import (
    COUNTS,
    Suite,
    SuiteError,
    read_suite,
    suites,
    validate,
)
from tests.index_rows import Rows

PLANTED = "-----BEGIN RSA PRIVATE KEY-----\nЗубробизон\n-----END RSA PRIVATE KEY-----"


@pytest.fixture
def rows(services: Services, database: str) -> Rows:
    return Rows(services, database)


def results(rows: Rows, suite: Suite) -> Mapping[str, Any]:
    name = rows.dsn("mem_builder").split("dbname=")[1].split()[0]
    url = rows.services.pg_uri("mem_builder", name, "postgresql+psycopg2")
    return {str(result.check_name): result for result in validate(url, suite)}


def suite(name: str) -> Suite:
    return next(found for found in suites() if found.name == name)


def test_suites_pass_on_an_empty_ledger_and_catch_what_is_planted_without_showing_it(
    rows: Rows,
) -> None:
    for found in suites():
        failed = [name for name, result in results(rows, found).items() if not result.passed]
        assert failed == [], found.name

    tenant = rows.tenant("default")
    with rows.batch(tenant) as batch:
        batch.messages([PLANTED, "Всё хорошо", "All is well"], rows.audience(tenant))
    with rows.connect("mem_ingest") as ingest:
        ingest.execute(
            "insert into memory.quarantine (quarantine_id, tenant_id, batch_id, stage, reason,"
            " record_key) select gen_random_uuid(), tenant_id, batch_id, 'read',"
            " 'Зубробизон was here', 'k' from memory.batch limit 1"
        )

    texts = results(rows, suite("message_texts"))
    assert not texts["no_private_key_in_text"].passed
    assert texts["no_private_key_in_text"].severity.value == "ERROR"
    assert texts["no_private_key_in_text"].metadata == {}
    assert texts["no_provider_key_in_text"].passed

    refused = results(rows, suite("quarantine"))
    assert not refused["every_refusal_has_a_place"].passed
    assert not refused["reasons_are_closed_words"].passed
    counts = refused["reasons_are_closed_words"].metadata
    assert counts["unexpected_count"].value == 1
    assert set(counts) <= {*COUNTS, "observed"}
    shown = str([*texts.values(), *refused.values()])
    assert "Зубробизон" not in shown
    assert "BEGIN RSA" not in shown


def test_queries_select_a_constant_so_that_no_row_leaves_the_database() -> None:
    for found in suites():
        for expectation in found.expectations:
            query = expectation["kwargs"].get("unexpected_rows_query", "select 1 as n from {batch}")
            assert query.startswith("select 1 as n from {batch}"), expectation["meta"]["check"]


def test_a_suite_that_lacks_something_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"name": "broken", "meta": {}, "expectations": []}')
    with pytest.raises(SuiteError, match=r"broken\.json.*asset"):
        read_suite(path)
