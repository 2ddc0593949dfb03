"""Everything derived is dropped and rebuilt by one command, and comes out equal."""

import json
from typing import Any

import pytest

from memory_pipeline.local.services import Services
from memory_pipeline.orchestration.dbt_project import rebuild_marts
from tests.verify.homes import Row, View, run, superuser

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1200)]

MOMENTS = ("2025-06-10", "2025-10-18", "2025-10-19", "2025-12-01")
QUESTIONS = ("Где живёт Дмитрий?", "бюджет запуска", "kitchen budget", "аллергия", "мастер Лев")
MARTS = ("staging", "intermediate", "marts")
WITH_TIME_OF_BUILD = ("int_refresh",)


def found(view: View) -> dict[str, Any]:
    """Answers and search results, with the store's own ids."""
    with view.memory() as memory:
        return {
            question: [hit.model_dump() for hit in memory.search(question, 10)]
            for question in QUESTIONS
        } | {
            f"{name} {valid} {known}": memory.as_of(name, valid_at=valid, known_at=known).answers
            for name in ("Дмитрий", "Rachel", "Елена")
            for valid in MOMENTS
            for known in MOMENTS
        }


def marts(services: Services) -> dict[str, list[Row]]:
    """Every relation that dbt made, with its rows."""
    with superuser(services) as connection:
        relations = connection.execute(
            "select relnamespace::regnamespace::text, relname from pg_class"
            " where relnamespace = any(%s::regnamespace[]) and relkind in ('r', 'v', 'm')",
            [list(MARTS)],
        ).fetchall()
        return {
            f"{schema}.{name}": connection.execute(
                f'select t::text from "{schema}"."{name}" as t order by 1'.encode()
            ).fetchall()
            for schema, name in relations
            if name not in WITH_TIME_OF_BUILD
        }


def graph_facts(services: Services) -> list[dict[str, Any]]:
    with services.graph_driver() as driver:
        rows = driver.execute_query(
            "MATCH (f:Fact) RETURN properties(f) AS facts ORDER BY f.id",
            database_=services.graph_database,
        ).records
    return [row["facts"] for row in rows]


def test_all_that_is_derived_is_dropped_and_rebuilt_equal(samples: Services) -> None:
    view = View(samples)
    rebuild_marts(samples)
    before, tables, facts = found(view), marts(samples), graph_facts(samples)
    assert all(before[question] for question in QUESTIONS)
    assert tables["marts.atom_periods"]
    assert facts

    with superuser(samples) as connection:
        for schema in ("derived", *MARTS):
            connection.execute(f"drop schema {schema} cascade".encode())
    with samples.graph_driver() as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n", database_=samples.graph_database)

    code, output, errors = run(samples.home.path, "rebuild", "all", "--json")
    assert code == 0, errors
    reports = json.loads(output)
    assert {report["index"].split(":")[0] for report in reports} >= {"full_text", "graph"}
    assert len(reports) >= 3
    for report in reports:
        assert report["n_expected"] == report["n_found"] > 0
    assert found(view) == before
    assert graph_facts(samples) == facts
    rebuilt = marts(samples)
    assert set(rebuilt) == set(tables)
    for name, rows in tables.items():
        assert rebuilt[name] == rows, name
