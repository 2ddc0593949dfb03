"""The predicate registry in the store: versioned rows, read as contracts."""

from collections.abc import Iterable, Mapping

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
                Jsonb({"ru": predicate.examples_ru, "en": predicate.examples_en}),
                tenant_id,
                predicate.name,
            ),
        )
        n_new += cursor.rowcount
    return n_new


def registry_of(connection: psycopg.Connection, tenant_id: int) -> dict[str, Registered]:
    """The predicates that serve a tenant, by name; its own take precedence over the common."""
    rows = connection.execute(
        "select distinct on (p.name) p.predicate_id, p.name, v.version, v.value_type,"
        " v.cardinality, v.tags, v.sensitivity, v.default_importance, v.label_ru, v.label_en,"
        " v.examples"
        " from memory.predicate as p join memory.predicate_version as v using (predicate_id)"
        " where p.tenant_id is null or p.tenant_id = %s"
        " order by p.name, p.tenant_id nulls last, v.version desc",
        (tenant_id,),
    ).fetchall()
    registry = {}
    for predicate_id, *fields, examples in rows:
        names = [
            "name",
            "version",
            "value_type",
            "cardinality",
            "tags",
            "sensitivity",
            "default_importance",
            "label_ru",
            "label_en",
        ]
        values = dict(zip(names, fields, strict=True))
        predicate = Predicate.model_validate(
            values | {"examples_ru": examples["ru"], "examples_en": examples["en"]}
        )
        registry[predicate.name] = Registered(predicate_id, predicate)
    return registry


def registry_hash(keys: Keys, registry: Mapping[str, Registered]) -> bytes:
    """The versions of the predicates offered to an extractor, as one key."""
    versions = sorted((name, entry.predicate.version) for name, entry in registry.items())
    return keys.of("registry", repr(versions))
