"""Logs written line by line, and a tenant of the run's home that reads them."""

import json
import random
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from memory_pipeline.governance.access import grant
from memory_pipeline.local.roles import OPERATOR
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import IngestReport, Pipeline
from memory_pipeline.understand.interface import Extractor

Message = dict[str, Any]


def message(speaker: str, sent_at: str | None, text: str, **more: Any) -> Message:
    """One line of a log; `dialog_id` is "chat" and `message_id` of its own unless given."""
    line = {"dialog_id": "chat", "message_id": uuid.uuid4().hex, "speaker": speaker, "text": text}
    return line | ({} if sent_at is None else {"sent_at": sent_at}) | more


STORY: tuple[Message, ...] = tuple(
    message(speaker, sent_at, text, dialog_id=dialog, message_id=message_id, **more)
    for dialog, message_id, speaker, sent_at, text, more in (
        ("work", "w1", "Дмитрий", "2025-03-03T10:00+03:00", "Я Дмитрий, работаю из Москвы", {}),
        ("work", "w2", "Дмитрий", "2025-03-03T10:05+03:00", "Работаю в Яндексе аналитиком", {}),
        ("work", "w3", "Анна", "2025-03-03T10:10+03:00", "Привет! А я живу в Твери", {}),
        ("work", "w4", "Rachel", "2025-03-04T09:00+00:00", "I live in Berlin.", {}),
        ("work", "w5", "Rachel", "2025-03-04T09:01+00:00", "I work at Acme as a designer.", {}),
        ("work", "w6", "assistant", "2025-03-04T09:02+00:00", "Noted, thanks!", {"role": "assistant"}),
        ("work", "w7", "Дмитрий", "2025-05-12T12:00+03:00", "С 1 по 15 июня я в Сочи", {}),
        ("work", "w8", "Анна", "2025-06-01T12:00+03:00", "У меня аллергия на пенициллин", {}),
        ("work", "w9", "Дмитрий", "2025-10-10T18:05+03:00", "Переезжаю в Казань с 19-го", {}),
        ("work", "w10", "Rachel", "2025-10-11T09:00+00:00", "I moved to Munich.", {}),
        ("work", "w10", "Rachel", "2025-10-11T09:00+00:00", "I moved to Hamburg.",
         {"edited_at": "2025-10-11T09:30+00:00"}),
        ("work", "w11", "Анна", "2025-10-12T09:00+03:00", "Уволилась вчера", {}),
        ("work", "w12", "Анна", "2025-10-13T09:00+03:00", "Ладно", {}),
        ("home", "h1", "Дмитрий", "2025-04-01T20:00+03:00", "Мою жену зовут Ольга", {}),
        ("home", "h2", "Ольга", "2025-04-01T20:01+03:00", "Я работаю врачом", {}),
        ("home", "h3", "Дмитрий", "2025-04-02T20:00+03:00", "Я предпочитаю Postgres", {}),
        ("home", "h4", "Ольга", "2025-04-03T20:00+03:00", "Я живу в Туле", {}),
        ("home", "h4", "Ольга", "2025-04-03T20:00+03:00", "Я живу в Калуге",
         {"edited_at": "2025-04-03T20:15+03:00"}),
        ("home", "h5", "Ольга", "2025-04-04T20:00+03:00", "Моя почта olga@example.org", {}),
        ("home", "h6", "Rachel", "2025-04-05T10:00+00:00", "My birthday is May 4, 1990.", {}),
        ("home", "h7", "Rachel", "2025-04-06T10:00+00:00", "I don't live in Berlin anymore.", {}),
        ("home", "h8", "Дмитрий", "2025-04-07T10:00+03:00", "Я вегетарианец", {}),
        ("home", "h9", "Дмитрий", "2025-04-08T10:00+03:00", "Не Яндекс, а Озон", {}),
        ("home", "h10", "Ольга", "2025-11-01T10:00+03:00", "С понедельника работаю в Сбере", {}),
        ("home", "h11", "Ольга", "2025-11-02T10:00+03:00", "Ура", {}),
    )
)  # fmt: skip
"""Two dialogs of four people, ru and en, with moves, a trip, edits, ends and a correction."""

PEOPLE = ("Дмитрий", "Анна", "Rachel", "Ольга")
MOMENTS = ("2025-03-05", "2025-06-10", "2025-10-12", "2025-10-18", "2025-10-19", "2025-12-01")


def write(path: Path, lines: Iterable[Message]) -> Path:
    """A log file of these lines."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
    return path


def split(folder: Path, lines: Sequence[Message], seed: int) -> list[Path]:
    """The lines in random order, cut at random places into files of random order."""
    draw = random.Random(seed)
    shuffled = draw.sample(list(lines), len(lines))
    cuts = sorted(draw.sample(range(1, len(lines)), 4))
    parts = [shuffled[a:b] for a, b in zip([0, *cuts], [*cuts, len(lines)], strict=True)]
    paths = [write(folder / f"{seed}-{n}.jsonl", part) for n, part in enumerate(parts)]
    return draw.sample(paths, len(paths))


@dataclass
class Scenario:
    """A tenant of its own, that the operator reads wholly."""

    services: Services
    folder: Path
    tenant: str = field(default_factory=lambda: f"t{uuid.uuid4().hex[:10]}")
    tz: str = "Europe/Moscow"

    def __post_init__(self) -> None:
        with psycopg.connect(self.services.pg_url, autocommit=True) as owner:
            grant(owner, OPERATOR, self.tenant, "*")

    @contextmanager
    def pipeline(self, extractor: Extractor | None = None) -> Iterator[Pipeline]:
        """The tenant's pipeline, with another extractor than its own if given."""
        with Pipeline.open(self.services, self.tenant, self.tz) as pipeline:
            if extractor is not None:
                pipeline.extractor = extractor
            yield pipeline

    def read(self, *lines: Message, name: str | None = None) -> IngestReport:
        """Ingest the lines as one file; nothing is extracted."""
        path = write(self.folder / (name or f"{uuid.uuid4().hex}.jsonl"), lines)
        with self.pipeline() as pipeline:
            return pipeline.ingest([path])

    def tell(self, *lines: Message) -> None:
        """Ingest the lines as one file and extract."""
        path = write(self.folder / f"{uuid.uuid4().hex}.jsonl", lines)
        with self.pipeline() as pipeline:
            pipeline.ingest([path])
            pipeline.extract()

    def memory(self, login: str = OPERATOR, audiences: Sequence[str] | None = None) -> Memory:
        """The tenant as a login sees it."""
        return Memory(self.services, login=login, tenant=self.tenant, audiences=audiences)

    def reader(self, login: str, *audiences: str) -> str:
        """A login that was granted these audiences of the tenant."""
        self.services.add_login(login)
        with psycopg.connect(self.services.pg_url, autocommit=True) as owner:
            for audience in audiences:
                grant(owner, login, self.tenant, audience)
        return login

    def rows(self, query: str, **bound: Any) -> list[tuple[Any, ...]]:
        """Rows of the store as the ingest role reads it; %(tenant)s is the tenant's id."""
        with psycopg.connect(self.services.pg_dsn("mem_ingest"), autocommit=True) as connection:
            tenant = connection.execute(
                "select tenant_id from memory.tenant where name = %s", [self.tenant]
            ).fetchone()
            assert tenant is not None
            return connection.execute(query, bound | {"tenant": tenant[0]}).fetchall()


Fact = tuple[Any, ...]


def facts(memory: Memory, name: str, **moments: Any) -> list[Fact]:
    """What is answered of a person, without ids, comparable."""
    found = memory.as_of(name, **moments)
    return sorted(
        (
            (
                a.predicate, str(a.object), a.status.value, str(a.valid_from), str(a.valid_to),
                str(a.known_from), a.confidence, a.importance.value, len(a.supports),
                a.supersedes is not None,
                tuple(sorted((e.dialog_id, e.message_id, e.turn) for e in a.evidence)),
            )
            for a in found.answers
        ),
        key=repr,
    )  # fmt: skip


def objects(memory: Memory, name: str, predicate: str, **moments: Any) -> list[Any]:
    """The values that hold of a person."""
    return [a.object for a in memory.as_of(name, predicate=predicate, **moments).answers]


def story_answers(memory: Memory) -> dict[tuple[str, str, str], list[Fact]]:
    """What is answered of everybody in the story, at every pair of its moments."""
    return {
        (name, valid, known): facts(memory, name, valid_at=valid, known_at=known)
        for name in PEOPLE
        for valid in MOMENTS
        for known in MOMENTS
    }
