"""The policy of sensitive values: the class of each type, per tenant, read from YAML."""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.vocabulary import SensitiveClass

_DEFAULT = files("memory_pipeline.understand") / "policy" / "sensitive.yaml"


class SensitivePolicy(Contract):
    """`classes` maps each type to its class; a type that is not listed is not looked for.
    `placeholders` are the personal types that are replaced before text leaves for a model."""

    classes: Mapping[str, SensitiveClass]
    placeholders: frozenset[str] = frozenset()


def load_policy(tenant: str | None = None, path: Path | None = None) -> SensitivePolicy:
    """The policy of a tenant (null = the default) from `path`, else from the packaged file.

    Raises ValueError naming the file and the field when the file has another shape."""
    if path is None:
        return _packaged(tenant)
    return _build(yaml.safe_load(path.read_text(encoding="utf-8")), tenant, path.name)


@lru_cache(maxsize=256)
def _packaged(tenant: str | None) -> SensitivePolicy:
    return _build(yaml.safe_load(_DEFAULT.read_text(encoding="utf-8")), tenant, "sensitive.yaml")


def _build(data: Any, tenant: str | None, name: str) -> SensitivePolicy:
    if not isinstance(data, dict) or not isinstance(data.get("default"), dict):
        raise ValueError(f"{name}: `default` is missing; it maps types to classes")
    base = data["default"]
    own = (data.get("tenants") or {}).get(tenant) or {}
    classes = {**(base.get("classes") or {}), **(own.get("classes") or {})}
    shown = own.get("placeholders", base.get("placeholders") or [])
    try:
        return SensitivePolicy(classes=classes, placeholders=frozenset(shown))
    except ValidationError as error:
        field = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise ValueError(f"{name}: {field} must be `secret` or `personal`") from None
