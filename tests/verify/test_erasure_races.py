"""Ingestion of a person and packing of a dialog race with the person's erasure, two hundred times:
no content after, no deadlock, and nothing is lost that was told later."""

import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from memory_pipeline.contracts.erasure import ErasureState, Ground, Selector
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure import requests
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.installation import ready
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline
from tests.canaries import cyrillic
from tests.scenario import Scenario, message, objects, write
from tests.verify.homes import superuser

pytestmark = [pytest.mark.verify, pytest.mark.timeout(1800)]

N_TENANTS, N_ROUNDS = 8, 25
SEED = 20251019
FIRST = 500
STEM = cyrillic(FIRST)[:5]
"""Of these canaries and of none of the home's other tenants."""
LATEST_START_S = 0.15
DEADLOCK_S = 120
LATER = timedelta(hours=1)
"""After the request, the move is told."""


class Erased(Exception):
    """The content of a request is erased; what follows races with nobody."""


def stop_before_the_sweep(step: str) -> None:
    if step == "stores":
        raise Erased


class Race:
    """One tenant and three who work in it at a time, each over connections of its own."""

    def __init__(self, services: Services, folder: Path, draw: random.Random) -> None:
        self.scenario = Scenario(services, folder)
        self.services, self.folder, self.draw = services, folder, draw

    def start(self, pipeline: Pipeline, memory: Memory, eraser: Eraser) -> None:
        self.pipeline, self.memory, self.eraser = pipeline, memory, eraser
        # contexts need the table of vectors, full or not
        pipeline.embed_messages()

    def before(self, n: int) -> None:
        """What is known of the round's person when the race begins."""
        town = f"{cyrillic(FIRST + n)}нск"
        self._read(n, "old", message(f"Зоя{n}", "2025-03-03T10:00+03:00", f"Я живу в {town}е"))

    def _read(self, n: int, name: str, *lines: dict[str, object]) -> None:
        told = [line | {"dialog_id": f"d{n}"} for line in lines]
        self.pipeline.ingest([write(self.folder / f"{n}-{name}.jsonl", told)])
        self.pipeline.extract()

    def ingest(self, n: int) -> None:
        """The same again in other words, an echo, and a move told after the request."""
        town, later = f"{cyrillic(FIRST + n)}нск", datetime.now(UTC) + LATER
        self._read(
            n, "again",
            message(f"Зоя{n}", "2025-03-04T10:00+03:00", f"Да, живу в {town}е"),
            message("assistant", "2025-03-04T10:01+03:00", f"За {town}ом леса", role="assistant"),
            message(f"Зоя{n}", later.isoformat(), "Я живу в Твери"),
        )  # fmt: skip

    def pack(self, n: int) -> None:
        """A context of the same dialog."""
        self.memory.context(f"d{n}", "где она живёт", 2000)

    def erase(self, n: int) -> UUID:
        """Where the round's person lives is to be forgotten, and its content is."""
        request_id = self.eraser.request(
            Selector(subject=f"Зоя{n}", tags=("location",)), Ground.operator
        )
        try:
            status = self.eraser.run(request_id)
            pytest.fail(f"held up as {status.state}: {status.block}")
        except Erased:
            assert self.eraser.status(request_id).state is ErasureState.erased
        return request_id

    def round(self, n: int, pool: ThreadPoolExecutor) -> UUID:
        """All three at once, each a random moment late."""

        def late(work: Callable[[int], UUID | None], delay_s: float) -> UUID | None:
            time.sleep(delay_s)
            return work(n)

        self.before(n)
        racing = [
            pool.submit(late, work, self.draw.random() * LATEST_START_S)
            for work in (self.ingest, self.pack, self.erase)
        ]
        *_, request_id = [done.result(DEADLOCK_S) for done in racing]
        assert request_id is not None
        assert self.left() == []
        after = datetime.now(UTC) + LATER + timedelta(minutes=1)
        found = objects(self.memory, f"Зоя{n}", "location", valid_at=after, known_at=after)
        assert found == ["Тверь"], "told later"
        return request_id

    def left(self) -> list[str]:
        """Tables in which a canary stands."""
        with superuser(self.services) as connection:
            return [
                row[0]
                for table, text in (
                    ("message_content", "text"), ("atom_content", "object::text"),
                    ("atom_content", "text"), ("extraction_content", "answer::text"),
                    ("snapshot_content", "snapshot::text"), ("review_content", "item::text"),
                )
                for row in connection.execute(
                    f"select '{table}' from memory.{table} where {text} like %s limit 1".encode(),
                    [f"%{STEM}%"],
                )
            ]  # fmt: skip


@pytest.mark.parametrize("seed", range(SEED, SEED + N_TENANTS))
def test_ingestion_and_packing_race_with_erasure_and_nothing_is_left_or_lost(
    scratch: Services, tmp_path: Path, seed: int
) -> None:
    services = ready(scratch.home.path)
    race = Race(services, tmp_path, random.Random(seed))
    with (
        race.scenario.pipeline() as pipeline,
        race.scenario.memory() as memory,
        Eraser(services, race.scenario.tenant, fault=stop_before_the_sweep) as eraser,
        ThreadPoolExecutor(3) as pool,
    ):
        race.start(pipeline, memory, eraser)
        filed = [race.round(n, pool) for n in range(N_ROUNDS)]
    # what follows is the same for all: the last goes to its certificate
    with Eraser(services, race.scenario.tenant) as eraser:
        status = eraser.run(filed[-1])
        assert (status.state, status.block) == (ErasureState.certified, None)
    assert audit.verify_home(services).holds


def test_evidence_that_is_handed_over_waits_for_a_discovery_that_finds_the_same(
    scratch: Services, tmp_path: Path
) -> None:
    """Both write the same span: whoever has the request to itself goes first, and none for ever."""
    scenario = Scenario(ready(scratch.home.path), tmp_path)
    scenario.tell(message("Зоя", "2025-03-03T10:00+03:00", "Я живу в Твери"))
    with Eraser(scenario.services, scenario.tenant) as eraser:
        request_id = eraser.request(Selector(subject="Зоя", tags=("location",)), Ground.operator)
    ((suppression_id, message_id),) = scenario.rows(
        "select suppression_id, message_id from memory.suppression join memory.message"
        " using (tenant_id) where tenant_id = %(tenant)s"
    )

    def hand_over() -> int:
        with psycopg.connect(scenario.services.pg_dsn("mem_ingest")) as ingest:
            row = ingest.execute(
                "select memory.enter(tenant_id), memory.file_follow_up(%s, %s, %s, %s)"
                " from memory.suppression where suppression_id = %s",
                (suppression_id, [message_id], [0], [3], suppression_id),
            ).fetchone()
            assert row is not None
            return int(row[1])

    with (
        ThreadPoolExecutor(1) as pool,
        psycopg.connect(scenario.services.pg_dsn("mem_eraser")) as discovering,
        superuser(scenario.services) as watching,
    ):
        requests.locked(discovering, request_id)
        handed = pool.submit(hand_over)
        waiting = (
            "select from pg_stat_activity where usename = 'mem_ingest' and wait_event_type = 'Lock'"
        )
        while watching.execute(waiting).fetchone() is None:
            assert not handed.done()
            time.sleep(0.01)
        discovering.execute(
            "insert into memory.erasure_span values (%s, %s, 0, 3) on conflict do nothing",
            (request_id, message_id),
        )
        discovering.commit()
        assert handed.result(DEADLOCK_S) == 0
