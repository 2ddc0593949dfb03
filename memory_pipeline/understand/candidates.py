"""Which windows a changed registry concerns.

A new predicate, or a new version of one, has only those windows read again whose stored answer
speaks of it: as a candidate under its name or one that it is also called by, or as a statement of
an earlier version; and those whose message one of its patterns may fit. All other answers serve
on as they are.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import earlier_registries
from memory_pipeline.bitemporal.statements import Registered
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.understand.taught import TaughtPattern, may_state, patterns_of
from memory_pipeline.understand.windows import PlannedWindow

CANDIDATE = "candidate_predicate"
"""The kind of review that a fact outside the registry goes to."""

_CHUNK = 2_000


def plain(name: str) -> str:
    """A candidate's name as a predicate's: small letters, digits and `_`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return re.sub(r"\W+", "_", split.lower()).strip("_")


def names_in(answer: Mapping[str, Any]) -> set[str]:
    """The predicates that a stored answer speaks of."""
    return {draft["predicate"] for part in ("atoms", "closures") for draft in answer.get(part, ())}


def names_of(predicate: Predicate) -> set[str]:
    """What a predicate may be called in an answer."""
    return {predicate.name, *map(plain, predicate.also_called)}


class _Change:
    """The predicates that are new since an earlier registry."""

    def __init__(self, predicates: Sequence[Predicate]) -> None:
        self.names = {name for predicate in predicates for name in names_of(predicate)}
        self.patterns: tuple[TaughtPattern, ...] = patterns_of(predicates)

    def concerns(self, names: Collection[str], text: str) -> bool:
        return any(plain(name) in self.names for name in names) or (
            bool(self.patterns) and may_state(text, self.patterns)
        )


class EarlierRegistries:
    """What one extractor answered under the registries of a tenant, the present one included."""

    def __init__(
        self,
        connection: psycopg.Connection,
        keys: Keys,
        tenant_id: int,
        extractor_id: int,
        registry: Mapping[str, Registered],
    ) -> None:
        self._connection = connection
        self._extractor_id = extractor_id
        self._changes: dict[bytes, _Change] = {}
        earlier = earlier_registries(connection, keys, tenant_id)
        for registry_hash, then in earlier.items():
            if not set(then) <= set(registry):
                continue
            self._changes[registry_hash] = _Change(
                [
                    entry.predicate
                    for name, entry in registry.items()
                    if name not in then or then[name].predicate != entry.predicate
                ]
            )
        self.hashes = list(self._changes)
        self._ages = {registry_hash: -n for n, registry_hash in enumerate(self.hashes)}

    def age(self, registry_hash: bytes) -> int:
        """Sorts registries, the present one first."""
        return self._ages[registry_hash]

    def concerns(self, registry_hash: bytes, names: Collection[str], text: str) -> bool:
        """Whether what changed since a registry may change an answer that was given under it.
        Raises `KeyError` for a registry that was never the tenant's."""
        return self._changes[registry_hash].concerns(names, text)

    def texts(self, windows: Iterable[PlannedWindow]) -> dict[UUID, str]:
        """The texts that the windows read, by message, where a changed predicate has patterns."""
        if not any(change.patterns for change in self._changes.values()):
            return {}
        return dict(
            self._connection.execute(
                "select message_id, text from memory.message_content where message_id = any(%s)",
                ([window.last.message_id for window in windows],),
            ).fetchall()
        )

    def serving(self, planned: Sequence[PlannedWindow]) -> set[UUID]:
        """Messages whose result in use was given under an earlier registry and serves on."""
        used = [
            window
            for window in planned
            if window.last.extractor_id == self._extractor_id
            and window.last.window_hash == window.window_hash
            and self._has_changed_since(window.last.registry_hash)
        ]
        found: set[UUID] = set()
        for start in range(0, len(used), _CHUNK):
            found |= self._serving(used[start : start + _CHUNK])
        return found

    def _has_changed_since(self, registry_hash: bytes | None) -> bool:
        change = self._changes.get(registry_hash or b"")
        return change is not None and bool(change.names)

    def _serving(self, used: Sequence[PlannedWindow]) -> set[UUID]:
        read: dict[UUID, Any] = dict(
            self._connection.execute(
                "select extraction_id, case jsonb_typeof(answer) when 'string' then answer"
                # a sealed answer is opened whole
                " else jsonb_path_query_array(answer, '$.atoms[*].predicate')"
                " || jsonb_path_query_array(answer, '$.closures[*].predicate') end"
                " from memory.extraction_content where extraction_id = any(%s)",
                ([window.last.extraction_id for window in used],),
            ).fetchall()
        )
        names = {
            extraction_id: names_in(found) if isinstance(found, dict) else found
            for extraction_id, found in read.items()
        }
        texts = self.texts(used)
        return {
            last.message_id
            for last in (window.last for window in used)
            if last.extraction_id in names
            and last.registry_hash is not None
            and not self.concerns(
                last.registry_hash, names[last.extraction_id], texts.get(last.message_id, "")
            )
        }
