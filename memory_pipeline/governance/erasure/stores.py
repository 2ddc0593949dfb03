"""The registry of stores: every place that can hold content, and how it is swept and verified."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import psycopg

from memory_pipeline.contracts.erasure import StoreReport
from memory_pipeline.governance.erasure.work import Unreachable, Work

__all__ = ["Passive", "Store", "Unreachable", "registered", "undeclared"]

PLAIN_FILES = (
    "home.json", "credentials.json", "lock", "run", "programs", "audit-heads.jsonl",
    "suppressions.jsonl", "policies", "evaluation",
)  # fmt: skip
"""Entries of the home that hold no content of a tenant, by what writes them: keys, hashes, ports,
programs, rules, and the evaluations' labelled dialogs."""
PLAIN_TABLES = (
    "derived.model",
    "derived.index_state",
)
"""Derived tables of names, numbers and calibrations."""
PLAIN_SECRETS = ("keys",)
"""Prefixes of Vault's KV mount that hold keys, no content."""


class Store(Protocol):
    """A place that can hold content.

    A store covers tables (`memory.atom_content`), schemas (`marts.*`), entries of the home
    (`home/archive`), databases (`database/dagster`) and Vault prefixes (`vault/secrets`). Every
    method is idempotent and may be called again after a run died in it. `find`, `erase` and `scrub`
    work with the eraser's and builder's rights, `verify` with the verifier's.
    """

    @property
    def name(self) -> str:
        """By what the store is called in reports."""
        ...

    @property
    def kind(self) -> str:
        """What it is: content, catalog, derived, file, service, outside."""
        ...

    @property
    def covers(self) -> tuple[str, ...]:
        """The places that it declares."""
        ...

    def find(self, work: Work) -> int:
        """How many items of the request the store holds now."""
        ...

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them; returns how many, and a code of what could not be."""
        ...

    def restore(self, work: Work) -> None:
        """Index again what stands, redacted, in their place; once every store was swept."""
        ...

    def scrub(self, work: Work) -> None:
        """Remove what they leave physically."""
        ...

    def verify(self, work: Work) -> StoreReport:
        """Look whether anything is left, independently of what `erase` said."""
        ...


class Passive:
    """A store in which nothing is to be done by itself."""

    def find(self, work: Work) -> int:  # noqa: ARG002 - others look
        """Nothing is looked for."""
        return 0

    def erase(self, work: Work) -> tuple[int, str | None]:  # noqa: ARG002 - others erase
        """Nothing is erased here: another step does, or nobody can."""
        return 0, None

    def restore(self, work: Work) -> None:
        """Nothing is made of content here."""

    def scrub(self, work: Work) -> None:
        """Nothing stays behind."""


def registered() -> tuple[Store, ...]:
    """Every store, in the order in which they are swept."""
    from memory_pipeline.governance.erasure.stores_database import DATABASE_STORES
    from memory_pipeline.governance.erasure.stores_derived import DERIVED_STORES
    from memory_pipeline.governance.erasure.stores_files import FILE_STORES
    from memory_pipeline.governance.erasure.stores_keys import KEY_STORES
    from memory_pipeline.governance.erasure.stores_services import SERVICE_STORES

    # data keys first: from then on no copy is readable; the database's files and log come last, since
    # the stores before write into them
    return (*KEY_STORES, *FILE_STORES, *DATABASE_STORES, *DERIVED_STORES, *SERVICE_STORES)


def undeclared(connection: psycopg.Connection[Any], home: Path, vault: Any = None) -> list[str]:
    """Places that can hold content and that no store declares: content, work and derived tables,
    relations of other schemas, entries of the home, prefixes of Vault's KV mount (where `vault`, a
    client of the verifier's, is given)."""
    covered = {place for store in registered() for place in store.covers}
    found = _tables(connection, covered)
    found += [
        f"home/{path.name}"
        for path in sorted(home.iterdir())
        if f"home/{path.name}" not in covered and not _is_plain(path.name)
    ]
    if vault is not None:
        found += [
            f"vault/{name}"
            for name in _prefixes(vault)
            if f"vault/{name}" not in covered and name not in PLAIN_SECRETS
        ]
    return found


def _is_plain(name: str) -> bool:
    # a file that is being written stands beside its name for a moment
    return name in PLAIN_FILES or any(name.startswith(f".{plain}.") for plain in PLAIN_FILES)


def _tables(connection: psycopg.Connection[Any], covered: Iterable[str]) -> list[str]:
    covered = set(covered) | set(PLAIN_TABLES)
    rows = connection.execute(
        "select n.nspname, coalesce(p.relname, c.relname),"
        " split_part(obj_description(c.oid, 'pg_class'), ':', 1),"
        # work rows are ids, states and times; words in one are content
        " exists (select from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0"
        "  and not a.attisdropped and a.atttypid in ('text'::regtype, 'jsonb'::regtype,"
        "  'text[]'::regtype, 'bytea'::regtype))"
        " from pg_class as c join pg_namespace as n on n.oid = c.relnamespace"
        " left join pg_inherits as i on i.inhrelid = c.oid"
        " left join pg_class as p on p.oid = i.inhparent"
        " where c.relkind in ('r', 'p', 'm', 'f') and c.relpersistence <> 't'"
        " and n.nspname not in ('pg_catalog', 'information_schema')"
        " and n.nspname not like 'pg\\_t%' order by 1, 2"
    ).fetchall()
    found: Mapping[str, None] = dict.fromkeys(
        f"{schema}.{name}"
        for schema, name, kind, has_words in rows
        if not _is_declared(schema, name, kind, has_words, covered)
    )
    return list(found)


def _is_declared(
    schema: str, name: str, kind: str | None, has_words: bool, covered: Iterable[str]
) -> bool:
    if (schema, name) == ("public", "alembic_version"):
        return True
    if f"{schema}.{name}" in covered or f"{schema}.*" in covered:
        return True
    if schema == "derived" and name.startswith("vector_"):
        return "derived.vector_*" in covered
    if schema == "memory" and kind == "ledger":
        # keyed hashes, enums and times by rule; `append_only` tables have no words of a log
        return True
    return schema == "memory" and kind == "work" and not has_words


def _prefixes(vault: Any) -> list[str]:
    from hvac.exceptions import InvalidPath

    from memory_pipeline.governance.secrets import MOUNT

    try:
        listed = vault.secrets.kv.v2.list_secrets(path="", mount_point=MOUNT)
    except InvalidPath:
        return []
    return [str(name).rstrip("/") for name in listed["data"]["keys"]]
