"""The predicate registry in the store: versioned rows, read as contracts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.statements import Registered
from memory_pipeline.contracts.predicate import Predicate


def register(
    connection: psycopg.Connection, predicates: Iterable[Predicate], tenant_id: int | None = None
) -> int:
    """Append the predicates, or versions of them, that are not stored yet; returns how many."""
    n_new = 0
    for predicate in predicates:
        connection.execute(
            "insert into memory.predicate (tenant_id, name) values (%s, %s) on conflict do nothing",
            (tenant_id, predicate.name),
        )
        cursor = connection.execute(
            "insert into memory.predicate_version (predicate_id, version, value_type, cardinality,"
            " tags, sensitivity, default_importance, label_ru, label_en, examples)"
            " select predicate_id, %s, %s, %s, %s, %s, %s, %s, %s, %s from memory.predicate"
            " where tenant_id is not distinct from %s and name = %s"
            " on conflict (predicate_id, version) do nothing",
            (
                predicate.version,
                predicate.value_type,
                predicate.cardinality,
                list(predicate.tags),
                predicate.sensitivity,
                predicate.default_importance,
                predicate.label_ru,
                predicate.label_en,
                Jsonb(
                    {
                        "ru": predicate.examples_ru,
                        "en": predicate.examples_en,
                        "patterns": predicate.patterns,
                        "also_called": predicate.also_called,
                    }
                ),
                tenant_id,
                predicate.name,
            ),
        )
        n_new += cursor.rowcount
    return n_new


def registry_of(connection: psycopg.Connection, tenant_id: int) -> dict[str, Registered]:
    """The predicates that serve a tenant, by name; its own take precedence over the common."""
    return dict(_serving(_versions(connection, tenant_id)))


def versions_of(connection: psycopg.Connection, tenant_id: int, name: str) -> list[Predicate]:
    """All versions of a predicate that serves a tenant, the first first; none if there is none."""
    rows = [
        row for row in _versions(connection, tenant_id) if row.registered.predicate.name == name
    ]
    own = [row for row in rows if row.is_own]
    return [row.registered.predicate for row in sorted(own or rows, key=_by_version)]


def registry_hash(keys: Keys, registry: Mapping[str, Registered]) -> bytes:
    """The versions of the predicates offered to an extractor, as one key."""
    versions = sorted((name, entry.predicate.version) for name, entry in registry.items())
    return keys.of("registry", repr(versions))


def earlier_registries(
    connection: psycopg.Connection, keys: Keys, tenant_id: int
) -> dict[bytes, dict[str, Registered]]:
    """Every registry that served the tenant, the present one last, by `registry_hash`. It follows
    from when each version was set."""
    rows = _versions(connection, tenant_id)
    registries = (_serving(rows[:n]) for n in range(1, len(rows) + 1))
    return {registry_hash(keys, registry): registry for registry in registries}


@dataclass(frozen=True)
class _Version:
    registered: Registered
    is_own: bool


def _by_version(row: _Version) -> int:
    return row.registered.predicate.version


def _versions(connection: psycopg.Connection, tenant_id: int) -> list[_Version]:
    """All versions of all predicates that may serve a tenant, in the order in which they were
    set."""
    rows = connection.execute(
        "select p.predicate_id, p.tenant_id is not null, v.examples, p.name, v.version,"
        " v.value_type, v.cardinality, v.tags, v.sensitivity, v.default_importance, v.label_ru,"
        " v.label_en"
        " from memory.predicate as p join memory.predicate_version as v using (predicate_id)"
        " where p.tenant_id is null or p.tenant_id = %s"
        " order by v.set_at, p.predicate_id, v.version",
        (tenant_id,),
    ).fetchall()
    names = (
        "name",
        "version",
        "value_type",
        "cardinality",
        "tags",
        "sensitivity",
        "default_importance",
        "label_ru",
        "label_en",
    )
    return [
        _Version(
            Registered(
                predicate_id,
                Predicate.model_validate(
                    dict(zip(names, fields, strict=True))
                    | {"examples_ru": examples["ru"], "examples_en": examples["en"]}
                    | {
                        name: examples[name]
                        for name in ("patterns", "also_called")
                        if name in examples
                    }
                ),
            ),
            is_own,
        )
        for predicate_id, is_own, examples, *fields in rows
    ]


def _serving(rows: Sequence[_Version]) -> dict[str, Registered]:
    """The highest version of each name, a tenant's own before the common."""
    best: dict[str, _Version] = {}
    for row in rows:
        name = row.registered.predicate.name
        old = best.get(name)
        if old is None or (row.is_own, _by_version(row)) > (old.is_own, _by_version(old)):
            best[name] = row
    return {name: row.registered for name, row in sorted(best.items())}
