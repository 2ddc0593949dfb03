"""Retention: rules by tag and kind, and requests to erase what has run out by them.

Rules stand in `policies/retention.yaml` of the home, else in the packaged file, which has none.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from uuid import UUID

import psycopg
import yaml
from pydantic import Field

from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.erasure import Ground, Selector
from memory_pipeline.contracts.vocabulary import AtomKind
from memory_pipeline.governance.erasure.scope import UnknownTag, known_tag

if TYPE_CHECKING:
    from memory_pipeline.governance.erasure.eraser import Eraser

POLICY = Path("policies") / "retention.yaml"
REQUEST_ATOMS = 5_000
"""Atoms that one request erases."""

_SUBJECTS = 1_000
_RULE = re.compile(r"(\d+) days? after (valid_to|told_at|recorded_at)")


class RetentionRule(Contract):
    """What of a tag, a kind or both is kept for `days` after a moment of its own."""

    tag: str | None
    kind: AtomKind | None
    days: int = Field(gt=0)
    after: Literal["valid_to", "told_at", "recorded_at"]

    def __str__(self) -> str:
        kind = f"/{self.kind}" if self.kind else ""
        return f"{self.tag or '*'}{kind}: {self.days} days after {self.after}"


def rules_of(home: Path, tenant: str) -> tuple[RetentionRule, ...]:
    """The rules of a tenant. Raises `ValueError` that names the file and the rule."""
    own = home / POLICY
    name = str(POLICY)
    if own.exists():
        text = own.read_text(encoding="utf-8")
    else:
        packaged = files("memory_pipeline.governance.erasure").joinpath("data", "retention.yaml")
        text = packaged.read_text(encoding="utf-8")
    try:
        stated = yaml.safe_load(text) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        raise ValueError(f"{name}{line}: no YAML") from None
    if not isinstance(stated, dict) or not set(stated) <= {"default", "tenants"}:
        raise ValueError(f"{name}: it has `default` and `tenants`, and nothing else")
    tenants = stated.get("tenants") or {}
    if not isinstance(tenants, dict):
        raise ValueError(f"{name}: `tenants` maps names to rules")
    chosen = tenants[tenant] if tenant in tenants else stated.get("default")
    if not isinstance(chosen or {}, dict):
        raise ValueError(f"{name}: rules are lines like `health: 180 days after valid_to`")
    return tuple(_rule(name, str(key), value) for key, value in (chosen or {}).items())


def _rule(name: str, key: str, value: object) -> RetentionRule:
    tag, _, kind = key.partition("/")
    told = _RULE.fullmatch(str(value))
    if told is None or int(told[1]) < 1:
        raise ValueError(
            f"{name}: {key}: say `N days after` valid_to, told_at or recorded_at, N at least 1"
        )
    if kind and kind not in set(AtomKind):
        raise ValueError(f"{name}: {key}: a kind is one of {', '.join(AtomKind)}")
    if not tag or (tag == "*" and not kind):
        raise ValueError(f"{name}: {key}: name a tag, or a kind as `*/kind`")
    return RetentionRule(
        tag=None if tag == "*" else tag,
        kind=AtomKind(kind) if kind else None,
        days=int(told[1]),
        after=cast(Literal["valid_to", "told_at", "recorded_at"], told[2]),
    )


def due(
    connection: psycopg.Connection[Any],
    tenant_id: int,
    rules: Sequence[RetentionRule],
    now: datetime,
) -> list[UUID]:
    """The atoms that have run out by any rule, over a role that reads all, sorted.

    What holds on, what is erased or in a request already, and what is under a legal hold is not
    among them. Raises `ValueError` for a rule whose tag no predicate has: it would keep for ever.
    """
    found: set[UUID] = set()
    for rule in rules:
        if rule.tag is not None:
            try:
                known_tag(connection, tenant_id, rule.tag)
            except UnknownTag as error:
                raise ValueError(
                    f"{POLICY}: {rule}: {error}; `predicate list` shows the tags"
                ) from None
        wanted = {
            "tenant_id": tenant_id,
            "tag": rule.tag,
            "kind": rule.kind,
            "after": rule.after,
            "until": now - timedelta(days=rule.days),
        }
        if rule.after == "valid_to":
            rows = connection.execute(_sql("retention_subjects.sql"), wanted).fetchall()
            for part in _parts([row[0] for row in rows], _SUBJECTS):
                ended = connection.execute(
                    _sql("retention_ended.sql"), wanted | {"subjects": list(part)}
                )
                found.update(row[0] for row in ended)
        else:
            told = connection.execute(_sql("retention_moment.sql"), wanted)
            found.update(row[0] for row in told)
    free = connection.execute(
        _sql("retention_free.sql"), {"tenant_id": tenant_id, "ids": list(found)}
    )
    return [row[0] for row in free]


def _parts(ids: Sequence[UUID], size: int) -> Iterator[tuple[UUID, ...]]:
    for start in range(0, len(ids), size):
        yield tuple(ids[start : start + size])


def file_due_requests(
    eraser: "Eraser",
    connection: psycopg.Connection[Any],
    tenant_id: int,
    rules: Sequence[RetentionRule],
    now: datetime,
) -> list[UUID]:
    """File and fence a request for each `REQUEST_ATOMS` atoms that have run out; returns their
    ids. The erasure sensor, or `eraser.run`, carries them on. What is due a second time is in a
    request already, so a run that died goes on where it stopped."""
    ids = due(connection, tenant_id, rules, now)
    return [
        eraser.request(Selector(atom_ids=part), Ground.retention)
        for part in _parts(ids, REQUEST_ATOMS)
    ]


def _sql(name: str) -> bytes:
    return files("memory_pipeline.governance.erasure").joinpath("sql", name).read_bytes()
