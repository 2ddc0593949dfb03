"""The data keys of sealed content: destroyed once what they open is gone from the database."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from memory_pipeline.contracts.erasure import StoreReport
from memory_pipeline.governance.content_store import ring_of
from memory_pipeline.governance.erasure.stores import Passive, Store
from memory_pipeline.governance.erasure.stores_database import report
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.governance.sealed_keys import Slot


@dataclass(frozen=True)
class DataKeys(Passive):
    """Keys that the request ends. Not before its content goes: a plan that grows reads the values
    again, and what is redacted has its new key by then."""

    name: str = "data_keys"
    kind: str = "service"
    covers: tuple[str, ...] = ("memory.key_end", "vault/keys/subjects")

    def find(self, work: Work) -> int:
        """Ended keys that are still there."""
        return self._n_there(work, work.eraser)

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Destroy them; no backup of the database gives the values back."""
        ring = ring_of(work.services)
        n_destroyed = sum(
            ring.destroy(bundle_id, slots) for bundle_id, slots in ended(work, work.eraser).items()
        )
        return n_destroyed, None

    def verify(self, work: Work) -> StoreReport:
        """None of them is there, whatever `erase` said."""
        return report(self, self._n_there(work, work.verifier))

    @staticmethod
    def _n_there(work: Work, connection: Connection) -> int:
        ring = ring_of(work.services)
        return sum(
            sum(slot.name in keys for slot in slots)
            for bundle_id, slots in ended(work, connection).items()
            for keys in (ring.read(bundle_id).keys,)
        )


def ended(work: Work, connection: Connection) -> dict[UUID, list[Slot]]:
    """The keys that a request ends, by bundle."""
    found: dict[UUID, list[Slot]] = defaultdict(list)
    rows = connection.execute(
        "select bundle_id, record_id, place from memory.key_end where request_id = %s",
        (work.request_id,),
    )
    for bundle_id, record_id, place in rows:
        found[bundle_id].append(Slot(record_id, place))
    return found


KEY_STORES: tuple[Store, ...] = (DataKeys(),)
