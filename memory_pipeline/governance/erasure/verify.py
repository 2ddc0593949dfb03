"""Verification: the verifier's role reads every registered store, whatever the plan says was done."""

import logging
from collections.abc import Collection

from memory_pipeline.contracts.erasure import StoreReport, StoreState
from memory_pipeline.governance.erasure.stores import Store, registered, undeclared
from memory_pipeline.governance.erasure.sweep import UNREACHABLE, keep_state
from memory_pipeline.governance.erasure.work import Work

logger = logging.getLogger(__name__)


def look(work: Work, stores: Collection[Store] | None = None) -> list[StoreReport]:
    """Ask every store what is left, as the verifier; a store that does not answer has failed. What
    a run before found and erased is added from its account."""
    work.look_again()
    reports = []
    for store in registered() if stores is None else stores:
        try:
            found = store.verify(work)
        except UNREACHABLE as error:
            logger.warning("store %s: %s", store.name, type(error).__name__)
            found = StoreReport(
                store=store.name, state=StoreState.failed, note=type(error).__name__
            )
        reports.append(_with_account(work, found))
    return reports


def _with_account(work: Work, found: StoreReport) -> StoreReport:
    row = work.verifier.execute(
        "select n_found, n_erased from memory.erasure_store where request_id = %s and store = %s",
        (work.request_id, found.store),
    ).fetchone()
    if row is None:
        return found
    return found.model_copy(update={"n_found": row[0], "n_erased": row[1]})


def keep_reports(work: Work, reports: Collection[StoreReport]) -> None:
    """Write the reports into the request's account of its stores, as the eraser."""
    for found in reports:
        keep_state(work, found.store, found.state, n_left=found.n_left, note=found.note)


def undeclared_places(work: Work) -> list[str]:
    """What no store declares, asked as the verifier, Vault included."""
    return undeclared(work.verifier, work.home, work.services.vault_client("verifier"))
