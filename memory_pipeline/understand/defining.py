"""Predicates that users add: checked, stored as a new version of the tenant's registry."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
import yaml

from memory_pipeline.bitemporal.batches import alone
from memory_pipeline.bitemporal.registry import register, registry_of, versions_of
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.understand.language import detect_language

Find = Callable[[str], Sequence[SensitiveSpan]]


def definitions(path: Path) -> list[dict[str, Any]]:
    """The definitions of a YAML file, one or a list, with the fields of `Predicate`. Raises
    `FileNotFoundError`, and `ValueError` that names file and line."""
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise ValueError(f"{path.name}{line}: this is no YAML; see the README's example") from None
    entries = found if isinstance(found, list) else [found]
    if not entries or not all(isinstance(entry, dict) for entry in entries):
        raise ValueError(f"{path.name}: a definition is a mapping of a predicate's fields")
    return entries


def sorted_examples(examples: Sequence[str]) -> dict[str, list[str]]:
    """Examples by the language that they are written in, as fields of `Predicate`."""
    by_language: dict[str, list[str]] = {"examples_ru": [], "examples_en": []}
    for example in examples:
        by_language[f"examples_{detect_language(example)}"].append(example)
    return by_language


def define(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    fields: Mapping[str, Any],
    find: Find,
) -> Predicate:
    """Add a predicate, or a new version of one, to the tenant's registry over a connection of the
    ingest role; returns it as it stands. An equal definition adds nothing.

    Raises `pydantic.ValidationError` and `ValueError` that name the field.
    """
    predicate = Predicate.model_validate({**fields, "version": 1})
    with alone(connection, f"predicate {tenant_id}"):
        registry = registry_of(connection, tenant_id)
        _check(connection, predicate, set(registry) - {predicate.name}, find)
        versions = versions_of(connection, tenant_id, predicate.name)
        if versions:
            last = versions[-1]
            predicate = predicate.model_copy(update={"version": last.version})
            if predicate == last:
                return last
            predicate = predicate.model_copy(update={"version": last.version + 1})
        register(connection, [predicate], tenant_id)
    return predicate


def _check(
    connection: psycopg.Connection[Any],
    predicate: Predicate,
    others: set[str],
    find: Find,
) -> None:
    is_common = connection.execute(
        "select from memory.predicate where tenant_id is null and name = %s", (predicate.name,)
    ).fetchone()
    if is_common is not None:
        raise ValueError(
            f"name: {predicate.name} serves every tenant and comes with the package; choose"
            " another name"
        )
    taken = sorted(others & set(predicate.also_called))
    if taken:
        raise ValueError(f"also_called: {taken[0]} is a predicate of its own")
    texts = {
        "label_ru": [predicate.label_ru],
        "label_en": [predicate.label_en],
        "examples": [*predicate.examples_ru, *predicate.examples_en],
        "patterns": predicate.patterns,
    }
    for field, values in texts.items():
        for text in values:
            for span in find(text):
                # the registry is kept for good: nobody's data may come to lie in it
                raise ValueError(
                    f"{field}: holds a value of the type {span.type}; write one of your own making"
                )
