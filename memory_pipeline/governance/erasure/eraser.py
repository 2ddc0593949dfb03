"""The eraser of a tenant: asks, previews, runs requests to their certificate, re-verifies."""

import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID, uuid4

import psycopg

from memory_pipeline.bitemporal import moments
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.reading import find_subject
from memory_pipeline.bitemporal.tenants import setting, tenant_id
from memory_pipeline.contracts.base import Contract
from memory_pipeline.contracts.erasure import (
    ErasureState,
    Ground,
    Originals,
    Preview,
    RequestStatus,
    Selector,
    StoreReport,
)
from memory_pipeline.governance.erasure import (
    certificate,
    holds,
    plan,
    replay,
    requests,
    scrub,
)
from memory_pipeline.governance.erasure.execution import Execution, fence
from memory_pipeline.governance.erasure.stores_database import OwnWords
from memory_pipeline.governance.erasure.sweep import told
from memory_pipeline.governance.erasure.verify import look
from memory_pipeline.governance.erasure.work import (
    Connection,
    Connections,
    Work,
    quarantine_sealer,
)
from memory_pipeline.local.services import Services

Progress = Callable[[str], None]
"""Called with the name of each step that begins."""
Fault = Callable[[str], None]
"""Called at each boundary between steps; tests die there."""

LEASE_S = 15.0
"""A run that lives prolongs its lease, which others see, every third of this."""

ENDING_S = 5.0
"""How long a run waits for another one's session to end."""

CANCEL_WAIT_S = 2.0
"""How long a cancellation waits for readers of the words that it forgets."""

MENTION_CHARS = 60


class Mention(Contract):
    """An erased value found elsewhere, with what stands around it, for the person who decides."""

    mention_id: UUID
    dialog: str
    turn: int
    state: str
    text: str


class Eraser:
    """Erasure in one tenant. Use it as a context manager.

    `originals` are files and folders outside in which a request's source files are looked for, to
    be rewritten. `fault` is called at each step boundary; `skip` names stores that are left out of
    purge and scrub (tests of the verifier only).
    """

    def __init__(
        self,
        services: Services,
        tenant: str = "default",
        *,
        originals: Sequence[Path] = (),
        fault: Fault | None = None,
        skip: Collection[str] = (),
    ) -> None:
        self.services = services
        self.tenant = tenant
        self._originals = tuple(originals)
        self._fault = fault or (lambda _: None)
        self._skip = frozenset(skip)
        self._stack = ExitStack()
        self._connections = self._stack.enter_context(Connections(services))
        self.tenant_id = tenant_id(self._connection, tenant)
        self._keys = Keys(services.keyed_hash_key())

    def __enter__(self) -> "Eraser":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def _connection(self) -> Connection:
        return self._connections.get("mem_eraser")

    def moment(self, text: str | None) -> datetime | None:
        """A moment as the command line gives it, in the tenant's zone; None for none."""
        if text is None:
            return None
        return moments.moment(text, str(setting(self._connection, self.tenant_id, "tz", "UTC")))

    def preview(self, selector: Selector) -> Preview:
        """What a request would reach, without filing it. Raises what `requests.file_request`
        raises."""
        return plan.preview(
            self._connection,
            self.tenant_id,
            self._keys,
            selector,
            quarantine_sealer(self.services),
        )

    def request(
        self,
        selector: Selector,
        ground: Ground,
        *,
        originals: Originals = Originals.report,
        stops_learning: bool = False,
        reference: str | None = None,
        preview_digest: str | None = None,
    ) -> UUID:
        """File a request and fence its scope at once; returns its id. Raises what
        `requests.file_request` raises."""
        request_id = requests.file_request(
            self._connection,
            self.tenant_id,
            self._keys,
            selector,
            ground,
            originals=originals,
            stops_learning=stops_learning,
            reference=reference,
            preview_digest=preview_digest,
        )
        fence(self._work(request_id))
        return request_id

    def run(self, request_id: UUID, progress: Progress | None = None) -> RequestStatus:
        """Carry a request on as far as it goes, from wherever a run before left it; what holds it
        up stands in the status. Another run's request is left to it. Raises `UnknownRequest`."""
        self._own(request_id)
        with self._leased(request_id) as is_ours:
            if is_ours:
                work = self._work(request_id)
                Execution(work, self._fault, self._skip, progress or (lambda _: None)).carry_on()
        return self.status(request_id)

    @contextmanager
    def _leased(self, request_id: UUID) -> Iterator[bool]:
        """One run a request: a lock of the session, which ends with the process, and the lease
        that others see."""
        worker = uuid4()
        with (
            psycopg.connect(self.services.pg_dsn("mem_eraser"), autocommit=True) as connection,
            ExitStack() as stack,
        ):
            if not _alone(connection, request_id):
                yield False
                return
            # the lock is ours, so whoever has the lease is dead
            row = connection.execute(
                "select leased_by from memory.erasure_request where request_id = %s", (request_id,)
            ).fetchone()
            if row is not None and row[0] is not None:
                requests.release(connection, request_id, row[0])
            requests.lease(connection, request_id, worker, LEASE_S)
            ended = threading.Event()
            keeper = threading.Thread(
                target=_keep_lease, args=(connection, request_id, worker, ended), daemon=True
            )
            keeper.start()
            stack.callback(_end_lease, connection, request_id, worker, ended, keeper)
            yield True

    def status(self, request_id: UUID) -> RequestStatus:
        """The request as it stands. Raises `UnknownRequest`."""
        self._own(request_id)
        return requests.status(self._connection, request_id)

    def _own(self, request_id: UUID) -> None:
        row = self._connection.execute(
            "select tenant_id from memory.erasure_request where request_id = %s", (request_id,)
        ).fetchone()
        if row is None or row[0] != self.tenant_id:
            raise requests.UnknownRequest(
                f"there is no erasure request {request_id} in tenant {self.tenant}"
            )

    def list(self) -> Sequence[RequestStatus]:
        """All requests of the tenant, newest first."""
        return requests.requests(self._connection, self.tenant_id)

    def cancel(self, request_id: UUID) -> None:
        """Take a request back, until keys are destroyed, and forget its words. Raises
        `UnknownRequest`, and `WrongState`, also where a restored database does not know how far the
        request had come."""
        self._own(request_id)
        if replay.is_settled(self.services.home.path, request_id):
            raise requests.WrongState(
                f"request {request_id} destroyed keys already, by this home's ledger of erasures: too"
                " late to take it back"
            )
        work = self._work(request_id)
        with self._connection.transaction():
            requests.cancel(self._connection, request_id)
            told(work, "erasure.cancelled", {})
        replay.record(self._connection, self.services.home.path)
        # what holds this up is no reason to keep the request: the next erasure writes them anew
        with suppress(scrub.ScrubPending):
            scrub.wait_for_horizon(self._connection, CANCEL_WAIT_S)
            OwnWords().scrub(work)

    def mentions(self, request_id: UUID) -> Sequence[Mention]:
        """Erased values found in other dialogs, those that wait for a person first."""
        self._own(request_id)
        rows = self._connection.execute(
            "select n.mention_id, coalesce(d.native_id, m.dialog_id::text),"
            " coalesce((select t.turn from memory.message_turn as t"
            "  where t.dialog_id = m.dialog_id and t.message_id = m.message_id), 0),"
            " n.state::text, c.text, n.span_start, n.span_end"
            " from memory.erasure_mention as n join memory.message as m using (message_id)"
            " join memory.message_content as c using (message_id, dialog_id)"
            " left join memory.dialog_content as d using (dialog_id)"
            " where n.request_id = %(request)s order by n.state, 2, m.sent_at, n.span_start",
            {"request": request_id},
        ).fetchall()
        return [
            Mention(
                mention_id=mention_id,
                dialog=dialog,
                turn=turn,
                state=state,
                text=_around(text, start, end),
            )
            for mention_id, dialog, turn, state, text, start, end in rows
        ]

    def waive(
        self, request_id: UUID, reason: str, mention_ids: Sequence[UUID] | None = None
    ) -> int:
        """Let mentions elsewhere (all open ones, or those named) stay, with a reason; returns how
        many. Raises `ValueError` without a reason."""
        self._own(request_id)
        return requests.waive_mentions(self._connection, request_id, reason, mention_ids)

    def mask(self, request_id: UUID, mention_ids: Sequence[UUID] | None = None) -> int:
        """Let mentions elsewhere (all open ones, or those named) go as well; returns how many. The
        request's next run redacts them."""
        self._own(request_id)
        chosen = (
            [row["mention_id"] for row in requests.open_mentions(self._connection, request_id)]
            if mention_ids is None
            else list(mention_ids)
        )
        for mention_id in chosen:
            requests.mask_mention(self._connection, mention_id)
        return len(chosen)

    def hold(
        self,
        *,
        subject: str | None = None,
        entity_id: UUID | None = None,
        is_held: bool = True,
    ) -> None:
        """Set or lift a legal hold over a person, by name or entity, or over the whole tenant.
        Raises `UnknownSubject`, `AmbiguousSubject`."""
        if subject is not None:
            found = find_subject(self._connection, self._keys, self.tenant_id, subject)
            entity_id = found.canonical_id
        change = holds.hold if is_held else holds.release
        change(self._connection, self.tenant_id, entity_id)

    def verify(self, request_id: UUID | None = None) -> Sequence[StoreReport]:
        """Read every registered store again for one request, or for all whose content was erased;
        of several requests' reports on a store the worst counts."""
        if request_id is not None:
            self._own(request_id)
            chosen = [request_id]
        else:
            chosen = [
                status.request_id
                for status in self.list()
                if status.state
                in (
                    ErasureState.erased,
                    ErasureState.scrubbed,
                    ErasureState.verified,
                    ErasureState.certified,
                )
            ]
        worst: dict[str, StoreReport] = {}
        for one in chosen:
            for found in look(self._work(one)):
                before = worst.get(found.store)
                if before is None or _SEVERITY[found.state] > _SEVERITY[before.state]:
                    worst[found.store] = found
        return [*worst.values()]

    def certificate(self, request_id: UUID) -> dict[str, Any]:
        """The certificate of a request. Raises `LookupError` where there is none yet."""
        self._own(request_id)
        return certificate.certificate(self._connection, request_id)

    def _work(self, request_id: UUID) -> Work:
        return Work(self.services, self.tenant_id, request_id, self._connections, self._originals)


_SEVERITY = {"verified": 0, "not_verifiable": 1, "scrubbed": 2, "erased": 2, "open": 2, "failed": 3}


def _alone(connection: psycopg.Connection[Any], request_id: UUID) -> bool:
    """Whether no other run has the request; the session of one that died ends a moment later."""
    deadline = time.monotonic() + ENDING_S
    while True:
        row = connection.execute(
            "select pg_try_advisory_lock(hashtextextended(%s, 0))", (f"erasure {request_id}",)
        ).fetchone()
        if row is not None and row[0]:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)


def _keep_lease(
    connection: psycopg.Connection[Any], request_id: UUID, worker: UUID, ended: threading.Event
) -> None:
    while not ended.wait(LEASE_S / 3):
        try:
            requests.lease(connection, request_id, worker, LEASE_S)
        except psycopg.OperationalError:
            return


def _end_lease(
    connection: psycopg.Connection[Any],
    request_id: UUID,
    worker: UUID,
    ended: threading.Event,
    keeper: threading.Thread,
) -> None:
    ended.set()
    keeper.join()
    if not connection.closed:
        requests.release(connection, request_id, worker)


def _around(text: str, start: int, end: int) -> str:
    first = max(start - MENTION_CHARS, 0)
    return text[first : first + end - start + 2 * MENTION_CHARS]
