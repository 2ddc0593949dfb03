"""What a read looks at: the plans of the function that answers, as a reader's login sees them."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from psycopg import sql

from memory_pipeline.governance.access import ALL, grant
from memory_pipeline.local.services import Services
from tests.databases import fresh_database

READER = "reader_of_plans"
Plan = dict[str, Any]


@pytest.fixture(scope="module")
def reader(services: Services) -> Iterator[psycopg.Connection[Any]]:
    """A reading login of a fresh database, whose plans are those that serve any arguments."""
    services.add_login(READER)
    with fresh_database(services) as name, ExitStack() as open_until_the_end:
        with psycopg.connect(services.pg_dsn("mem_owner", name), autocommit=True) as owner:
            grant(owner, READER, "plans", ALL)
        opened = open_until_the_end.enter_context(
            psycopg.connect(services.pg_dsn(READER, name), autocommit=True)
        )
        opened.execute("set plan_cache_mode = force_generic_plan")
        # an empty table is read as fast without an index
        opened.execute("set enable_seqscan = off")
        opened.execute(
            "prepare answers (uuid[], int, timestamptz) as"
            " select * from memory.as_of($1, $2, $3, $3)"
        )
        yield opened


def nodes(reader: psycopg.Connection[Any], predicate_id: int | None) -> list[Plan]:
    """Where an answer's plan reads a table."""
    call = sql.SQL("explain (format json) execute answers (array[{}]::uuid[], {}, now())")
    found = reader.execute(call.format(uuid.uuid4(), predicate_id)).fetchone()
    assert found

    def below(plan: Plan) -> Iterator[Plan]:
        if "Relation Name" in plan:
            yield plan
        for child in plan.get("Plans", ()):
            yield from below(child)

    return list(below(found[0][0]["Plan"]))


def scans(reader: psycopg.Connection[Any], predicate_id: int | None) -> list[tuple[str, str]]:
    """Which tables an answer reads, and what their indexes are asked."""
    return [(n["Relation Name"], n.get("Index Cond", "")) for n in nodes(reader, predicate_id)]


@pytest.mark.parametrize("predicate_id", [7, None])
def test_statements_are_found_by_subject_and_predicate_whether_or_not_one_is_given(
    reader: psycopg.Connection[Any], predicate_id: int | None
) -> None:
    asked = dict(scans(reader, predicate_id))
    for table in ("atom", "closure"):
        assert "subject_id" in asked[table]
        assert "predicate_id" in asked[table]


def test_an_answer_looks_its_predicates_up_once_and_weighs_no_labels_unless_there_are_some(
    reader: psycopg.Connection[Any],
) -> None:
    read = [table for table, _ in scans(reader, None)]
    assert read.count("predicate_version") == 1
    assert read.count("label") == 2
    assert "batch" not in read


@pytest.mark.parametrize("predicate_id", [7, None])
def test_contents_are_found_where_those_of_a_subject_lie_together(
    reader: psycopg.Connection[Any], predicate_id: int | None
) -> None:
    contents = [n for n in nodes(reader, predicate_id) if "atom_content" in n["Relation Name"]]
    assert contents
    for content in contents:
        columns = reader.execute(
            "select array(select attname::text from pg_attribute where attrelid = %s::regclass"
            " order by attnum)",
            [f"memory.{content['Index Name']}"],
        ).fetchone()
        assert columns == (["subject_id", "atom_id"],)
        assert all(column in content["Index Cond"] for column in ("subject_id", "atom_id"))


def test_a_plan_expects_a_reader_to_see_nearly_all_contents_and_not_a_third(
    services: Services, reader: psycopg.Connection[Any]
) -> None:
    whole = "explain (format json) select object from memory.atom_content"

    def expected_rows(connection: psycopg.Connection[Any]) -> float:
        found = connection.execute(whole.encode()).fetchone()
        assert found
        return float(found[0][0]["Plan"]["Plan Rows"])

    with psycopg.connect(services.pg_dsn("mem_owner", reader.info.dbname)) as owner:
        assert expected_rows(reader) > 0.8 * expected_rows(owner)
