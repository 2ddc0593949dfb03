"""The mask sweep: stored content read again by the present detectors.

A secret that an older detector passed over goes to Vault first, then a request of its own redacts
it wherever it stands, by the erasure's steps: hidden at once, masked at equal length, indexes made
anew, scrubbed, verified, certified. Values found in one message are looked for as they are written
in all of the tenant's content, those that may be plain words in their own dialog alone.

The same way is masked what was stored before it was told as a secret (`mask_told`): an ingestion ends
by looking for what it brought, by keyed hash.
"""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from importlib.resources import files
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from memory_pipeline.bitemporal.batches import alone, batch, in_one_epoch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.tenants import set_setting, setting, tenant_id
from memory_pipeline.contracts.erasure import ErasureState, Ground, RequestStatus
from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.governance import audit
from memory_pipeline.governance.content_store import attach
from memory_pipeline.governance.erasure import requests
from memory_pipeline.governance.erasure.detected import DETECTOR, Detector, Literals
from memory_pipeline.governance.erasure.eraser import Eraser
from memory_pipeline.governance.erasure.needles import Needles, destroy_needles, keep_needles
from memory_pipeline.governance.erasure.scope import read_sql as erasure_sql
from memory_pipeline.governance.erasure.stores_database import strings_of
from memory_pipeline.governance.known_secrets import SETTING as SOUGHT
from memory_pipeline.governance.known_secrets import News, find_repeats, news, telling_lock
from memory_pipeline.governance.secrets import MOUNT, SecretStore
from memory_pipeline.ingest.prepare import FoundSecret
from memory_pipeline.ingest.store_messages import put_found, using_secrets
from memory_pipeline.local.services import Services
from memory_pipeline.understand.sensitive.policy import load_policy
from memory_pipeline.understand.sensitive.repeated import is_telling

SETTING = "secret_detector"
"""The tenant's setting of the detectors' version that all of its content was read by."""
BATCH = 500
MOST_VALUES = 10_000
"""Distinct values of one request; what is beyond is found by the next round."""

Connection = psycopg.Connection[Any]

_WHOLE = frozenset({"snapshot", "snapshot_request"})
"""Kinds whose content goes whole: a packed context is what was shown, or is not."""
_PACKED = "snapshot"
"""The kind whose content is made of other items' texts; only its first part, the query, is own."""


class CannotMask(Exception):
    """What was found stays found after its request was certified."""


Items = frozenset[tuple[str, UUID]]
"""Rows of a plan, by kind and id."""
Hit = tuple[int, int, FoundSecret]
Texts = Sequence[tuple[UUID | None, str]]
"""Texts, each beside its dialog."""


@dataclass
class Sweep:
    """What a sweep did: `n_found` distinct secrets by type, `n_items` rows by kind, its requests.
    `is_current` says that the version stood already; `is_done` that all content was read."""

    detector: str
    is_current: bool = False
    is_done: bool = False
    n_found: dict[str, int] = field(default_factory=dict)
    n_items: dict[str, int] = field(default_factory=dict)
    requests: list[RequestStatus] = field(default_factory=list)


def detector_version(tenant: str) -> str:
    """A digest of the detectors' code, their libraries' versions and the tenant's policy: it
    changes with whatever may find more."""
    digest = hashlib.sha256()
    for part in sorted(files("memory_pipeline.understand.sensitive").iterdir(), key=_name):
        if part.name.endswith(".py"):
            digest.update(part.read_bytes())
    policy = load_policy(tenant)
    digest.update(json.dumps({k: str(v) for k, v in sorted(policy.classes.items())}).encode())
    for library in ("phonenumbers", "python-stdnum"):
        try:
            digest.update(metadata.version(library).encode())
        except metadata.PackageNotFoundError:
            continue
    return digest.hexdigest()[:16]


def _name(part: Any) -> str:
    return str(part.name)


def sweep(
    services: Services,
    tenant: str = "default",
    *,
    dry_run: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Sweep:
    """Read all content of a tenant again, unless this version of the detectors did, and mask what
    is found; requests that a killed sweep left are carried on first. `dry_run` only counts.

    Raises `UnknownTenant`, `SecretStoreError`, and `CannotMask` where a certified request left what
    it was filed for. A request that is held up stands in `requests`, and `is_done` is false.
    """
    return _swept(services, tenant, detects=True, dry_run=dry_run, progress=progress)


def mask_told(services: Services, tenant: str = "default") -> Sweep:
    """Mask what was stored before another text told it as a secret, since that was last looked for.
    Cheap where nothing was told. Raises as `sweep`."""
    return _swept(services, tenant, detects=False)


def _swept(
    services: Services,
    tenant: str,
    *,
    detects: bool,
    dry_run: bool = False,
    progress: Callable[[str], None] | None = None,
) -> Sweep:
    done = Sweep(detector_version(tenant))
    with psycopg.connect(services.pg_dsn("mem_ingest"), autocommit=True) as ingest:
        of = tenant_id(ingest, tenant)
        if not detects and news(ingest, of) is None:
            done.is_current = done.is_done = True
            return done
        with psycopg.connect(services.pg_dsn("mem_eraser"), autocommit=True) as eraser:
            attach(ingest, services)
            attach(eraser, services)
            with alone(eraser, "mask sweep"):
                waiting = _waiting(eraser, of)
                is_read = setting(eraser, of, SETTING) == done.detector or not detects
                done.is_current = not waiting and is_read and news(eraser, of) is None
                if done.is_current:
                    done.is_done = True
                    return done
                reader = _Reader(services, eraser, ingest, of, tenant, done, detects)
                if dry_run:
                    reader.count()
                    return done
                reader.forget_strays()
                if not _carried_out(services, tenant, reader, waiting, progress):
                    return done
                if detects:
                    set_setting(ingest, of, SETTING, done.detector)
                if reader.told is not None:
                    set_setting(ingest, of, SOUGHT, reader.told.batch_no)
                done.is_done = True
    return done


def _carried_out(
    services: Services,
    tenant: str,
    reader: "_Reader",
    waiting: Sequence[UUID],
    progress: Callable[[str], None] | None,
) -> bool:
    """Carry requests out and plan anew until nothing is found; false where one is held up."""
    before: Items = frozenset()
    while True:
        if waiting:
            with Eraser(services, tenant) as erasing:
                for request_id in waiting:
                    reader.done.requests.append(erasing.run(request_id, progress))
                    if reader.done.requests[-1].state is not ErasureState.certified:
                        return False
        planned, items = reader.plan()
        if planned is None:
            return True
        if items == before:
            raise CannotMask(
                f"{len(items)} rows hold secrets still after their request;"
                " run `memory-pipeline erase verify`"
            )
        before, waiting = items, [planned]


def _waiting(connection: Connection, of: int) -> list[UUID]:
    rows = connection.execute(
        "select request_id from memory.erasure_request where tenant_id = %s and scope ? %s"
        " and state < 'certified' order by received_at",
        (of, DETECTOR),
    ).fetchall()
    return [row[0] for row in rows]


@dataclass
class _Values:
    """Values found, as they are written: telling ones are looked for everywhere, others where they
    were found."""

    by_text: dict[str, FoundSecret] = field(default_factory=dict)
    telling: set[str] = field(default_factory=set)
    in_dialog: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))

    def add(self, secret: FoundSecret, dialog_id: UUID | None) -> None:
        self.by_text.setdefault(secret.value, secret)
        if is_telling(secret.value):
            self.telling.add(secret.value)
        elif dialog_id is not None:
            self.in_dialog[dialog_id].add(secret.value)


class _Reader:
    """Reads a tenant's content in batches and writes what is to be masked into a plan."""

    def __init__(
        self,
        services: Services,
        eraser: Connection,
        ingest: Connection,
        of: int,
        tenant: str,
        done: Sweep,
        detects: bool,
    ) -> None:
        self._services = services
        self._eraser = eraser
        self._ingest = ingest
        self._of = of
        self._detector = Detector(load_policy(tenant))
        self._keys = Keys(services.keyed_hash_key())
        self.done = done
        self._detects = detects
        self.told: News | None = None
        self._values = _Values()
        self._store: SecretStore | None = None
        self._everywhere = Literals(())
        self._nearby: dict[UUID, Literals] = {}

    def count(self) -> None:
        """Find without writing anything."""
        with self._eraser.transaction(force_rollback=True):
            self._told(self._planned(uuid4()))

    def plan(self) -> tuple[UUID | None, Items]:
        """One transaction: a request, all that it masks, and the fence over it. Returns its id (None
        where nothing was found) and its items. Values go to Vault before."""
        self._store = SecretStore(self._services.vault_client("ingest"))
        with self._eraser.transaction():
            request_id = uuid4()
            items = self._planned(request_id)
            if not items:
                raise psycopg.Rollback
            self._told(items)
            keep_needles(
                self._services.vault_client("eraser"),
                request_id,
                Needles(texts=tuple(sorted(self._values.by_text))),
            )
            self._eraser.execute(
                "select memory.enter_alone(%s, %s, 'fenced')", (self._of, request_id)
            )
            self._eraser.execute(
                "update memory.erasure_request set plan_digest = memory.plan_fingerprint(request_id)"
                " where request_id = %s",
                (request_id,),
            )
            requests.advance(self._eraser, request_id, ErasureState.discovered)
            audit.append(
                self._eraser,
                self._of,
                "erasure.discovered",
                request_id,
                {DETECTOR: self.done.detector} | _n_by_kind(items),
            )
        return (request_id if items else None), items

    def forget_strays(self) -> None:
        """Destroy what sweeps kept for requests that were taken back, or that they did not live to
        write."""
        from hvac.exceptions import InvalidPath

        client = self._services.vault_client("eraser")
        try:
            kept = client.secrets.kv.v2.list_secrets(path="erasure", mount_point=MOUNT)
        except InvalidPath:
            return
        ids = [UUID(name.rstrip("/")) for name in kept["data"]["keys"]]
        rows = self._eraser.execute(
            "select id from unnest(%s::uuid[]) as id where not exists"
            " (select from memory.erasure_request as r where r.request_id = id"
            "  and r.state <> 'cancelled')",
            (ids,),
        ).fetchall()
        for (stray,) in rows:
            destroy_needles(client, stray)

    def _told(self, items: Items) -> None:
        for kind, n in _n_by_kind(items).items():
            self.done.n_items[kind] = self.done.n_items.get(kind, 0) + n
        keys = {secret.value_key: secret.type for secret in self._values.by_text.values()}
        for kind, n in Counter(keys.values()).items():
            self.done.n_found[kind] = self.done.n_found.get(kind, 0) + n

    def _planned(self, request_id: UUID) -> Items:
        self._values, self._everywhere, self._nearby = _Values(), Literals(()), {}
        # what was compared with fewer secrets is stored once this lock was had
        with alone(self._eraser, telling_lock(self._of)):
            self.told = news(self._eraser, self._of)
        self._eraser.execute(
            "insert into memory.erasure_request (request_id, tenant_id, ground, scope)"
            " values (%s, %s, %s::memory.erasure_ground, %s)",
            # no atom of any id: what is planned is what is written beside it
            (
                request_id,
                self._of,
                Ground.operator,
                Jsonb({"atom_ids": [], DETECTOR: self.done.detector}),
            ),
        )
        self._read(request_id, self._detected, own_texts)
        if self._values.by_text:
            self._everywhere = Literals(self._values.telling)
            self._nearby = {d: Literals(v) for d, v in self._values.in_dialog.items()}
            self._read(request_id, self._repeated, all_texts)
            bound = {"request_id": request_id, "tenant": self._of}
            self._eraser.execute(_sql("mask_follow.sql"), bound)
            self._eraser.execute(erasure_sql("follow_exports.sql").encode(), bound)
        rows = self._eraser.execute(
            "select kind::text, item_id from memory.erasure_item where request_id = %s",
            (request_id,),
        ).fetchall()
        return frozenset((kind, item_id) for kind, item_id in rows)

    def _read(
        self,
        request_id: UUID,
        found_in: Callable[[Texts], Sequence[Sequence[Hit]]],
        texts_of: Callable[[str, Any], Iterable[str]],
    ) -> None:
        """One pass over everything: texts of messages by spans, the rest by row. Each text is read
        alone: no value begins in one and ends in the next."""
        dialogs = None
        if (
            found_in == self._detected
            and self._near is not None
            and not (self.told and self.told.has_new)
        ):
            dialogs = list(self._near)
        with self._eraser.cursor(name=f"mask_{uuid4().hex}") as cursor:
            cursor.execute(_sql("mask_contents.sql"), {"tenant": self._of, "dialogs": dialogs})
            while rows := cursor.fetchmany(BATCH):
                parts = [
                    (row, is_own, part)
                    for row in rows
                    for is_own, some in ((True, [row[4]]), (False, texts_of(row[0], row[5])))
                    for part in some
                    if part
                ]
                found = found_in([(row[3], part) for row, _, part in parts])
                spans: list[tuple[UUID, int, int, FoundSecret]] = []
                items: dict[Any, Any] = {}
                for ((kind, item_id, audience_id, *_), is_own, _), hits in zip(
                    parts, found, strict=True
                ):
                    if is_own:
                        spans += [(item_id, start, end, secret) for start, end, secret in hits]
                    if hits:
                        action = "erase" if kind in _WHOLE else "redact"
                        items[kind, item_id] = (request_id, kind, item_id, audience_id, action)
                self._keep(request_id, spans)
                insert_rows(
                    self._eraser,
                    "erasure_item",
                    ("request_id", "kind", "item_id", "item_audience_id", "action"),
                    list(items.values()),
                    skip_known=True,
                )

    def _detected(self, texts: Texts) -> list[list[Hit]]:
        """What the detectors find and what is known, until a request is full."""
        if len(self._values.by_text) >= MOST_VALUES:
            return [[] for _ in texts]
        found: list[list[Hit]] = []
        repeats = find_repeats(
            self._eraser, self._keys, self._of, texts, weak_in=self._near
        )  # fmt: skip
        for (dialog_id, text), again in zip(texts, repeats, strict=True):
            spans = self._detector.secrets(text) if self._detects else []
            secrets = [
                self._secret(text, span.start, span.end, span.type, self._key(span))
                for span in spans
            ]
            secrets += [
                self._secret(text, one.start, one.end, one.type, one.value_key)
                for one in again
                if all(one.end <= span.start or span.end <= one.start for span in spans)
            ]
            for secret in secrets:
                self._values.add(secret, dialog_id)
            found.append([(secret.start, secret.end, secret) for secret in secrets])
        return found

    @property
    def _near(self) -> frozenset[UUID] | None:
        """The dialogs in which short values are looked for: None = all. Where nothing is detected,
        those that told something since."""
        if self._detects:
            return None
        return frozenset() if self.told is None else self.told.dialogs

    def _key(self, span: SensitiveSpan) -> bytes:
        return self._keys.of("secret", self._of, span.type, span.normal)

    @staticmethod
    def _secret(text: str, start: int, end: int, kind: str, value_key: bytes) -> FoundSecret:
        return FoundSecret(kind, value_key, text[start:end], start, end)

    def _repeated(self, texts: Texts) -> list[list[Hit]]:
        """Values that were found, where they are written again."""
        return [self._repeated_in(text, dialog_id) for dialog_id, text in texts]

    def _repeated_in(self, text: str, dialog_id: UUID | None) -> list[Hit]:
        found = list(self._everywhere.spans(text))
        if dialog_id in self._nearby:
            found += self._nearby[dialog_id].spans(text)
        return [(start, end, self._values.by_text[value]) for start, end, value in found]

    def _keep(
        self,
        request_id: UUID,
        spans: Sequence[tuple[UUID, int, int, FoundSecret]],
    ) -> None:
        """Values of messages into Vault, then what refers to them, then the plan's spans. A value
        that stands beside messages alone is kept nowhere, as at ingestion: nothing would refer to
        it."""
        if self._store is not None and spans:
            store = self._store
            with using_secrets(self._ingest, self._of):
                in_one_epoch(self._ingest, self._of, lambda epoch: self._put(store, spans, epoch))
        insert_rows(
            self._eraser,
            "erasure_span",
            ("request_id", "message_id", "span_start", "span_end"),
            ((request_id, message_id, start, end) for message_id, start, end, _ in spans),
            skip_known=True,
        )

    def _put(
        self, store: SecretStore, spans: Sequence[tuple[UUID, int, int, FoundSecret]], epoch: int
    ) -> None:
        put_found(self._ingest, self._of, store, [secret for *_, secret in spans], epoch)
        with batch(self._ingest, self._of, "secrets", epoch) as running:
            self._ingest.execute(
                "insert into memory.secret_use"
                " (secret_id, message_id, audience_id, batch_id, span_start, span_end)"
                " select s.secret_id, m.message_id, m.audience_id, %s, x.span_start, x.span_end"
                " from unnest(%s::uuid[], %s::int[], %s::int[], %s::bytea[])"
                "  as x (message_id, span_start, span_end, value_key)"
                " join memory.message as m using (message_id)"
                " join memory.live_secret as s on s.tenant_id = m.tenant_id"
                "  and s.value_key = x.value_key on conflict do nothing",
                (
                    running.batch_id,
                    [message_id for message_id, *_ in spans],
                    [start for _, start, _, _ in spans],
                    [end for _, _, end, _ in spans],
                    [secret.value_key for *_, secret in spans],
                ),
            )


def own_texts(kind: str, content: Any) -> Iterable[str]:
    """The texts of a row that came in by themselves, which is how ingestion reads them.

    A packed context sets lines of messages and atoms under each other, where one's last words
    announce the next one's first. What it carries is read where it is stored, and `mask_follow.sql`
    takes the contexts that carry it."""
    return strings_of(content[0] if kind == _PACKED else content)


def all_texts(kind: str, content: Any) -> Iterable[str]:  # noqa: ARG001 - as `own_texts`
    """All texts of a row, in which values that were found are looked for as they are written."""
    return strings_of(content)


def _n_by_kind(items: Items) -> dict[str, int]:
    return dict(Counter(kind for kind, _ in items))


def _sql(name: str) -> bytes:
    return files("memory_pipeline.governance").joinpath("sql", name).read_bytes()
