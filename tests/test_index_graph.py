"""The graph holds entities and facts without content, the same on both servers."""

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import neo4j
import pytest

from memory_pipeline.index import graph
from memory_pipeline.index.parity import graph_parity
from memory_pipeline.local.services import Services
from memory_pipeline.settings import settings
from tests.index_rows import Rows

MOSCOW = timezone(timedelta(hours=3))


@pytest.fixture
def rows(services: Services, database: str) -> Rows:
    return Rows(services, database)


@pytest.fixture
def driver(services: Services) -> Iterator[neo4j.Driver]:
    """A driver on an empty graph."""
    with neo4j.GraphDatabase.driver(services.graph_uri, auth=services.graph_auth) as opened:
        opened.execute_query("MATCH (n) DETACH DELETE n", database_=services.graph_database)
        yield opened
        opened.execute_query("MATCH (n) DETACH DELETE n", database_=services.graph_database)


class Story:
    """Dmitry and Olga in Kazan, who does not know Dmitry; a private fact; another tenant."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.tenant, self.other_tenant = rows.tenant("a"), rows.tenant("b")
        self.team = rows.audience(self.tenant, "team")
        self.private = rows.audience(self.tenant, "private")
        kazan = b"\x01" * 32
        with rows.batch(self.tenant) as batch:
            self.dmitry, self.olga, self.boris = (batch.entity() for _ in range(3))
            self.company = batch.entity(kind="mention")
            self.dmitry_lives = batch.atom(
                self.dmitry, "lives_in", "Дмитрий живёт в Казани", self.team, object_key=kazan,
                valid_from=datetime(2025, 10, 19, tzinfo=MOSCOW),
                told_at=datetime(2025, 10, 10, 12, 30, tzinfo=UTC),
            )  # fmt: skip
            self.olga_lives = batch.atom(
                self.olga, "lives_in", "Ольга живёт в Казани", self.team, object_key=kazan
            )
            self.olga_works = batch.atom(
                self.olga, "works_at", "Ольга работает в «Волге»", self.team,
                object_entity_id=self.company,
            )  # fmt: skip
            self.boris_works = batch.atom(
                self.boris, "works_at", "Борис работает в «Волге»", self.private,
                object_entity_id=self.company,
            )  # fmt: skip
        with rows.batch(self.other_tenant) as batch:
            self.stranger = batch.entity()
            batch.atom(
                self.stranger, "lives_in", "Чужой живёт в Казани",
                rows.audience(self.other_tenant, "team"), object_key=kazan,
            )  # fmt: skip

    def refresh(self, driver: neo4j.Driver) -> graph.GraphRefreshed:
        """Refresh as the pipeline does."""
        with self.rows.connect("mem_builder") as builder:
            return graph.refresh(builder, driver, self.rows.services.graph_database)

    def reach(self, driver: neo4j.Driver, *audiences: str, **options: Any) -> set[uuid.UUID]:
        """Facts that a reader of these audiences reaches from Dmitry."""
        found = graph.neighbours(
            driver,
            self.rows.services.graph_database,
            [self.dmitry],
            tenant_id=self.tenant,
            audiences=[[name] for name in audiences],
            **options,
        )
        return {neighbour.fact_id for neighbour in found}


@pytest.fixture
def story(rows: Rows) -> Story:
    return Story(rows)


def nodes(driver: neo4j.Driver, services: Services) -> list[dict[str, Any]]:
    found = driver.execute_query(
        "MATCH (n) RETURN properties(n) AS p", database_=services.graph_database
    )
    return [record["p"] for record in found.records]


def check_graph_follows_the_ledger(driver: neo4j.Driver, story: Story) -> None:
    assert story.refresh(driver).n_written == 5
    assert story.refresh(driver).n_written == 0
    services = story.rows.services
    # 5 entities with facts, 5 facts, Kazan once for each tenant
    assert len(nodes(driver, services)) == 5 + 5 + 2
    fact = next(
        n
        for n in nodes(driver, services)
        if n["id" if "id" in n else "key"] == str(story.dmitry_lives)
    )
    assert graph.as_utc(fact["valid_from"]) == datetime(2025, 10, 18, 21, tzinfo=UTC)
    assert graph.as_utc(fact["told_at"]) == datetime(2025, 10, 10, 12, 30, tzinfo=UTC)
    assert fact["audience"] == ["team"]
    assert fact["predicate"] == "lives_in"
    with story.rows.connect("mem_builder") as builder:
        assert graph_parity(builder, driver, services.graph_database).is_equal


def check_readers_reach_what_they_may(driver: neo4j.Driver, story: Story) -> None:
    story.refresh(driver)
    assert story.reach(driver, "team") == {story.dmitry_lives}
    near = {story.dmitry_lives, story.olga_lives}
    assert story.reach(driver, "team", depth=2) == near
    assert story.reach(driver, "team", depth=3) == near | {story.olga_works}
    assert story.reach(driver, "team", depth=9) == near | {story.olga_works}
    assert story.reach(driver, "team", "private", depth=4) == near | {
        story.olga_works,
        story.boris_works,
    }
    assert story.reach(driver, "private", depth=4) == set()
    assert story.reach(driver, "team') OR true //", depth=4) == set()
    with_same = story.reach(driver, "team", same=lambda seen: seen | {story.olga})
    assert with_same == near | {story.olga_works}


def check_gone_facts_leave_no_trace(driver: neo4j.Driver, story: Story) -> None:
    story.refresh(driver)
    with story.rows.batch(story.tenant) as batch:
        batch.withdraw(story.dmitry_lives, story.team)
        batch.withdraw(story.olga_works, story.team)
        batch.restrict(story.olga_lives, story.private)
    done = story.refresh(driver)
    assert (done.n_written, done.n_removed) == (1, 2)
    services = story.rows.services
    left = {n.get("id", n.get("key")) for n in nodes(driver, services)}
    assert {str(story.dmitry), str(story.dmitry_lives), str(story.olga_works)} & left == set()
    assert {str(story.olga), str(story.company)} <= left
    with story.rows.connect("mem_builder") as builder:
        assert graph_parity(builder, driver, services.graph_database).is_equal
        # what a crash lost or an old run left is seen
        graph.remove(driver, services.graph_database, [story.boris_works])
        report = graph_parity(builder, driver, services.graph_database)
        assert (report.n_missing, report.n_extra, report.is_equal) == (1, 0, False)
        graph.clear(builder, driver, services.graph_database)
        assert nodes(driver, services) == []
        graph.refresh(builder, driver, services.graph_database)
        assert graph_parity(builder, driver, services.graph_database).is_equal


def check_no_content_is_in_the_graph(driver: neo4j.Driver, story: Story) -> None:
    story.refresh(driver)
    allowed = {
        "id", "key", "tenant", "kind", "predicate", "subject", "object_entity", "audience",
        "valid_from", "valid_to", "told_at", "polarity", "batch_no",
    }  # fmt: skip
    for node in nodes(driver, story.rows.services):
        assert set(node) <= allowed
        assert not any(word in str(node) for word in ("Казан", "Дмитрий", "Волг"))


CHECKS = [
    check_graph_follows_the_ledger,
    check_readers_reach_what_they_may,
    check_gone_facts_leave_no_trace,
    check_no_content_is_in_the_graph,
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_embedded_server(check: Any, driver: neo4j.Driver, story: Story) -> None:
    check(driver, story)


@pytest.mark.neo4j
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_real_neo4j(check: Any, driver: neo4j.Driver, story: Story) -> None:
    if settings().neo4j_uri is None:
        pytest.skip("MEMORY_NEO4J_URI names no server")
    assert driver.get_server_info().agent.startswith("Neo4j/5")
    check(driver, story)
