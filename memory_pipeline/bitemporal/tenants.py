"""Tenants, their settings and their audience sets."""

from collections.abc import Iterable
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

PUBLIC = "public"


class UnknownTenant(Exception):
    """No tenant has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"there is no tenant {name!r} that this login may read; the home's owner grants one:"
            f" memory-pipeline access grant LOGIN --tenant {name} --audience '*'"
        )


def tenant_id(connection: psycopg.Connection, name: str, *, create: bool = False) -> int:
    """The id of a tenant. Raises `UnknownTenant`, unless `create`; then `ValueError` for a name that
    could be no folder's."""
    row = connection.execute(
        "select tenant_id from memory.tenant where name = %s", (name,)
    ).fetchone()
    if row is None and create:
        # its logs land in a folder of its name
        if name in ("", ".", "..") or any(sign in name for sign in "/\\\0"):
            raise ValueError(f"{name!r} names no tenant: leave out / and \\, and not all of it")
        connection.execute(
            "insert into memory.tenant (name) values (%s) on conflict do nothing", (name,)
        )
        return tenant_id(connection, name)
    if row is None:
        raise UnknownTenant(name)
    return int(row[0])


def setting(connection: psycopg.Connection, tenant: int, name: str, default: Any = None) -> Any:
    """The last value of a tenant's setting, or `default`."""
    row = connection.execute(
        "select value from memory.tenant_setting where tenant_id = %s and name = %s"
        " order by setting_id desc limit 1",
        (tenant, name),
    ).fetchone()
    return default if row is None else row[0]


def set_setting(connection: psycopg.Connection, tenant: int, name: str, value: Any) -> None:
    """Append a setting; it counts from now on."""
    connection.execute(
        "insert into memory.tenant_setting (tenant_id, name, value) values (%s, %s, %s)",
        (tenant, name, Jsonb(value)),
    )


def audience_names(names: Iterable[str]) -> tuple[str, ...]:
    """A set of audiences in its stored form: sorted, without `public`, which everyone has. Raises
    `ValueError` for a single name, which is a sequence of letters."""
    if isinstance(names, str):
        raise ValueError(f"give audiences as a list: [{names!r}]")
    return tuple(sorted({name for name in names if name != PUBLIC}))


class Audiences:
    """Ids of a tenant's audience sets, made when first met."""

    def __init__(self, connection: psycopg.Connection, tenant: int) -> None:
        self._connection = connection
        self._tenant = tenant
        self._ids: dict[tuple[str, ...], int] = {}
        self._names: dict[int, tuple[str, ...]] = {}

    def id_of(self, names: Iterable[str]) -> int:
        """The id of the set of `names`."""
        key = audience_names(names)
        if key not in self._ids:
            self._connection.execute(
                "insert into memory.audience (tenant_id, names) values (%s, %s)"
                " on conflict do nothing",
                (self._tenant, list(key)),
            )
            row = self._connection.execute(
                "select audience_id from memory.audience where tenant_id = %s and names = %s",
                (self._tenant, list(key)),
            ).fetchone()
            if row is None:
                raise RuntimeError("an audience set vanished")
            self._remember(key, int(row[0]))
        return self._ids[key]

    def names_of(self, audience_id: int) -> tuple[str, ...]:
        """The names in a set. Raises `KeyError` for an id of another tenant."""
        if audience_id not in self._names:
            row = self._connection.execute(
                "select names from memory.audience where tenant_id = %s and audience_id = %s",
                (self._tenant, audience_id),
            ).fetchone()
            if row is None:
                raise KeyError(audience_id)
            self._remember(tuple(row[0]), audience_id)
        return self._names[audience_id]

    def union(self, *audience_ids: int, extra: Iterable[str] = ()) -> int:
        """The id of the union of sets: a reader must be granted all of it."""
        names = set(extra)
        for audience_id in audience_ids:
            names.update(self.names_of(audience_id))
        return self.id_of(names)

    def _remember(self, key: tuple[str, ...], audience_id: int) -> None:
        self._ids[key] = audience_id
        self._names[audience_id] = key
