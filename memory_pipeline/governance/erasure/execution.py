"""One run of a request: the steps in their order, each resumable, until done or held up."""

import logging
from collections.abc import Callable, Collection

import psycopg

from memory_pipeline.contracts.erasure import Block, ErasureState, StoreReport, StoreState
from memory_pipeline.governance import audit
from memory_pipeline.governance.erasure import (
    certificate,
    plan,
    replay,
    requests,
    scrub,
    sweep,
    verify,
)
from memory_pipeline.governance.erasure.needles import destroy_needles
from memory_pipeline.governance.erasure.rewriting import rewrite_originals
from memory_pipeline.governance.erasure.stores import Store, registered
from memory_pipeline.governance.erasure.stores_database import OwnWords
from memory_pipeline.governance.erasure.stores_files import OriginalFiles, rewrites
from memory_pipeline.governance.erasure.stores_services import DatabaseFiles, Vault
from memory_pipeline.governance.erasure.sweep import UNREACHABLE
from memory_pipeline.governance.erasure.work import Work

logger = logging.getLogger(__name__)

MAX_GROWN = 8
"""How often a plan may grow between its needles and its erasure before a run gives up for now."""


def fence(work: Work) -> ErasureState:
    """Hide what the request may touch, told to the audit log and to the ledger outside; returns the
    state, `received` where something holds it up. Raises what `plan.fence` raises."""
    with work.eraser.transaction():
        was = requests.status(work.eraser, work.request_id).state
        state = plan.fence(work.eraser, work.request_id, work.keys)
        if was is not state:
            sweep.told(work, "erasure.fenced", {})
    replay.record(work.eraser, work.home)
    return state


class HeldUp(Exception):
    """Something holds the request up; it stands in its block."""

    def __init__(self, block: Block) -> None:
        super().__init__(str(block))
        self.block = block


class Execution:
    """Carries one request on. `fault` is called between steps, `skip` names stores left out."""

    def __init__(
        self,
        work: Work,
        fault: Callable[[str], None],
        skip: Collection[str],
        progress: Callable[[str], None],
    ) -> None:
        self._work = work
        self._fault = fault
        self._skip = skip
        self._progress = progress
        self._stores = registered()

    def carry_on(self) -> None:
        """Step by step from where the request stands; a hold-up is written down and ends it."""
        work = self._work
        try:
            self._steps()
        except HeldUp as held:
            requests.block(work.eraser, work.request_id, held.block)
        except scrub.ScrubPending as error:
            logger.warning("request %s: %s", work.request_id, error)
            requests.block(work.eraser, work.request_id, Block.scrub_pending)
        except UNREACHABLE as error:
            logger.warning("request %s: %s", work.request_id, type(error).__name__)
            try:
                requests.block(work.eraser, work.request_id, Block.store_unreachable)
            except psycopg.OperationalError:
                raise error from None

    def _state(self) -> ErasureState:
        return requests.status(self._work.eraser, self._work.request_id).state

    def _steps(self) -> None:
        work = self._work
        if self._state() is ErasureState.received:
            self._begin("fence")
            if fence(work) is ErasureState.received:
                return
        if self._state() is ErasureState.fenced:
            self._begin("discover")
            with work.eraser.transaction():
                state = plan.discover(work.eraser, work.request_id, work.keys, work.sealer)
                if state is ErasureState.discovered:
                    sweep.told(work, "erasure.discovered", {})
            if state is ErasureState.fenced:
                return
            replay.record(work.eraser, work.home)
        if self._state() is ErasureState.discovered:
            self._destroy_keys()
        if self._state() is ErasureState.keys_destroyed:
            self._erase_content()
        if self._state() is ErasureState.erased:
            self._sweep_and_scrub(ErasureState.scrubbed)
        if self._state() in (ErasureState.scrubbed, ErasureState.verified):
            self._prove()
        if self._state() is ErasureState.certified:
            audit.keep_head(work.services)
            replay.record(work.eraser, work.home)
            # nothing that was erased is kept any longer, not even to look for it
            destroy_needles(work.services.vault_client("eraser"), work.request_id)

    def _begin(self, step: str) -> None:
        self._fault(step)
        self._progress(step)

    def _destroy_keys(self) -> None:
        """Needles into Vault, originals rewritten while their texts are known, values destroyed."""
        work = self._work
        self._begin("keys")
        sweep.seal_needles(work)
        self._fault("needles")
        note = rewrite_originals(work, rewrites=rewrites(work))
        work.keep_note(OriginalFiles().name, note)
        if Vault().name not in self._skip:
            Vault().erase(work)
        self._fault("values")
        with work.eraser.transaction():
            requests.advance(work.eraser, work.request_id, ErasureState.keys_destroyed)
            sweep.told(work, "erasure.keys_destroyed", {})
        replay.record(work.eraser, work.home)

    def _erase_content(self) -> None:
        work = self._work
        self._begin("content")
        for _ in range(MAX_GROWN):
            is_done = sweep.erase_content(work)
            replay.record(work.eraser, work.home)
            if is_done:
                return
            sweep.seal_needles(work)
            Vault().erase(work)
        raise HeldUp(Block.preview_changed)

    def _sweep_and_scrub(self, then: ErasureState | None) -> None:
        """Every store, then the physical scrub. The content of mentions masked since goes first."""
        work = self._work
        if sweep.pending_spans(work):
            sweep.seal_more(work)
            self._begin("content")
            sweep.erase_content(work)
        self._begin("stores")
        work.look_again()
        if sweep.sweep(work, self._stores, self._skip, self._fault):
            raise HeldUp(Block.store_unreachable)
        if sweep.restore(work, self._stores, self._skip):
            raise HeldUp(Block.store_unreachable)
        self._fault("restored")
        self._begin("scrub")
        scrub.wait_for_horizon(work.eraser)
        for store in self._stores:
            if store.name not in self._skip:
                store.scrub(work)
                self._fault(f"scrub {store.name}")
        if then is not None:
            with work.eraser.transaction():
                requests.advance(work.eraser, work.request_id, then)
                sweep.told(work, f"erasure.{then}", {})

    def _prove(self) -> None:
        """Verify, and once no mention waits for a person, certify."""
        work = self._work
        if sweep.pending_spans(work):
            self._sweep_and_scrub(None)
        n_open = requests.status(work.eraser, work.request_id).n_open_mentions
        if not n_open:
            self._forget_own_words()
        self._begin("verify")
        reports = self._verified(is_last=not n_open)
        self._fault("verified")
        if self._state() is ErasureState.scrubbed:
            with work.eraser.transaction():
                requests.advance(work.eraser, work.request_id, ErasureState.verified)
                sweep.told(work, "erasure.verified", _by_state(reports))
        if n_open:
            raise HeldUp(Block.review_open)
        self._certify(reports)

    def _forget_own_words(self) -> None:
        work = self._work
        own = OwnWords()
        if own.name in self._skip:
            return
        requests.forget_words(work.eraser, work.request_id)
        scrub.wait_for_horizon(work.eraser)
        own.scrub(work)
        if DatabaseFiles().name not in self._skip:
            DatabaseFiles().scrub(work)

    def _verified(self, *, is_last: bool) -> list[StoreReport]:
        """The verifier's reports; a store with residue is swept once more before that counts."""
        work = self._work
        reports = self._look(is_last)
        failed = [found for found in reports if found.state is StoreState.failed]
        if failed:
            kinds = {store.name: store.kind for store in self._stores}
            if any(kinds[found.store] == "content" for found in failed):
                sweep.erase_content(work)
            work.is_thorough = True
            self._sweep_and_scrub(None)
            reports = self._look(is_last)
        verify.keep_reports(work, reports)
        failed = [found for found in reports if found.state is StoreState.failed]
        if failed:
            is_down = all(found.n_left is None for found in failed)
            raise HeldUp(Block.store_unreachable if is_down else Block.residue_found)
        return reports

    def _look(self, is_last: bool) -> list[StoreReport]:
        stores: list[Store] = [
            store for store in self._stores if is_last or store.name != OwnWords().name
        ]
        return verify.look(self._work, stores)

    def _certify(self, reports: list[StoreReport]) -> None:
        work = self._work
        self._begin("certify")
        places = verify.undeclared_places(work)
        try:
            with work.eraser.transaction():
                certificate.issue(work.eraser, work.tenant_id, work.request_id, reports, places)
                requests.advance(work.eraser, work.request_id, ErasureState.certified)
        except certificate.CertificateRefused as error:
            logger.warning("request %s: %s", work.request_id, error)
            raise HeldUp(Block.residue_found) from None
        self._fault("certified")


def _by_state(reports: list[StoreReport]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for found in reports:
        counts[found.state] = counts.get(found.state, 0) + 1
    return counts
