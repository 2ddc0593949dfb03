"""The stages of the main job for one home and tenant, each resumable and safe to repeat.

The command line runs them one after the other; Dagster runs each as an asset. Connections: the
ingest role writes the ledger, the builder the derived tables; nobody here reads as a person.
"""

import contextlib
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

import psycopg

from memory_pipeline.bitemporal.batches import EpochMoved, entered, in_one_epoch
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.bitemporal.registry import register
from memory_pipeline.bitemporal.tenants import set_setting, setting, tenant_id
from memory_pipeline.governance import audit, strays
from memory_pipeline.governance.content_store import attach
from memory_pipeline.governance.erasure.undecided import is_decided_soon
from memory_pipeline.governance.installation_keys import installation_key
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.governance.secrets import SecretStore
from memory_pipeline.index import full_text, vectors
from memory_pipeline.index.embedder import Embedder, make_embedder
from memory_pipeline.index.items import Kind
from memory_pipeline.ingest import quarantine
from memory_pipeline.ingest.landing import Policy, hand_over, log_files, waiting
from memory_pipeline.ingest.load import Loader, LoadReport, ReplayReport
from memory_pipeline.ingest.readers.base import zone
from memory_pipeline.local.errors import ServiceError
from memory_pipeline.local.files import make_folder
from memory_pipeline.local.services import Services
from memory_pipeline.understand.bulk_queue import BulkQueue
from memory_pipeline.understand.extract import ExtractReport, ExtractStage
from memory_pipeline.understand.interface import Extractor, ImportanceModel
from memory_pipeline.understand.label import LabelReport, LabelStage
from memory_pipeline.understand.registry import builtin_predicates, normalise_object

if TYPE_CHECKING:
    from memory_pipeline.contracts.sensitive import SensitiveSpan
    from memory_pipeline.index.graph import GraphRefreshed
    from memory_pipeline.index.parity import Parity
    from memory_pipeline.index.rebuild import Index
    from memory_pipeline.understand.bulk_calls import BulkReport
    from memory_pipeline.understand.openai_chat import StructuredChat
    from memory_pipeline.understand.sensitive.policy import SensitivePolicy

logger = logging.getLogger(__name__)

Progress = Callable[[str, int], None]
"""Called with the stage's name and how many more of its units are done."""


@dataclass
class IngestReport:
    """What became of some files."""

    files: list[tuple[str, LoadReport]] = field(default_factory=list)

    def _sum(self, name: str) -> int:
        return sum(getattr(report, name) for _, report in self.files)

    @property
    def n_files(self) -> int:
        """Files looked at, known ones included."""
        return len(self.files)

    @property
    def n_messages(self) -> int:
        """Messages added."""
        return self._sum("n_messages")

    @property
    def n_known(self) -> int:
        """Messages that were stored already."""
        return self._sum("n_known")

    @property
    def n_quarantined(self) -> int:
        """Records newly in quarantine."""
        return self._sum("n_quarantined")

    @property
    def n_suppressed(self) -> int:
        """Records that held what was erased, and were masked."""
        return self._sum("n_suppressed")

    @property
    def n_waiting(self) -> int:
        """Records left out until a request is settled that would erase what they hold."""
        return self._sum("n_waiting")


class Pipeline:
    """The main job of one tenant of one home. Use it as a context manager.

    `tz` is the zone of times that state none; a tenant without a zone keeps the first one given.
    """

    def __init__(self, services: Services, tenant: str = "default", tz: str | None = None) -> None:
        if tz is not None and zone(tz) is None:
            # before it is kept: a tenant with such a zone could be read by nobody
            raise ValueError(f"there is no time zone {tz!r}; give an IANA name like Europe/Moscow")
        self.services = services
        self.tenant = tenant
        self.tz = tz
        self._stack = contextlib.ExitStack()
        self.ingest_connection = self._connect("mem_ingest")
        self.builder_connection = self._connect("mem_builder")
        self.tenant_id = tenant_id(self.ingest_connection, tenant, create=True)
        if tz is not None and setting(self.ingest_connection, self.tenant_id, "tz") is None:
            set_setting(self.ingest_connection, self.tenant_id, "tz", tz)
        register(self.ingest_connection, builtin_predicates())

    @classmethod
    def open(cls, services: Services, tenant: str = "default", tz: str | None = None) -> "Pipeline":
        """The pipeline of a tenant, which is made if it is new. Raises what the services raise."""
        return cls(services, tenant, tz)

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def _connect(self, login: str) -> psycopg.Connection[Any]:
        connection = self._stack.enter_context(
            psycopg.connect(self.services.pg_dsn(login), autocommit=True)
        )
        return attach(connection, self.services)

    @cached_property
    def keys(self) -> Keys:
        """Keyed hashes of this installation."""
        return Keys(self.services.keyed_hash_key())

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the settings name."""
        return make_embedder(self.services.settings)

    def sealer(self, name: str) -> Sealer:
        """What seals `quarantine` or `archive`."""
        return Sealer(installation_key(self.services.vault_client("ingest"), name))

    @cached_property
    def extractor(self) -> Extractor:
        """The tenant's extractor: local, unless it allowed external models."""
        if self.allows_external_models:
            from memory_pipeline.understand.external import GuardedExtractor
            from memory_pipeline.understand.openai_extraction import OpenAIExtractor

            inner = OpenAIExtractor(self.chat)
            return GuardedExtractor(inner, self.find, self._policy.placeholders)
        from memory_pipeline.understand.extraction.local import LocalExtractor

        return LocalExtractor(self.services.settings.extraction_processes)

    @cached_property
    def importance_model(self) -> ImportanceModel:
        """The tenant's importance model: local, unless it allowed external models."""
        if self.allows_external_models:
            from memory_pipeline.understand.external import GuardedImportance
            from memory_pipeline.understand.openai_importance import OpenAIImportance

            inner = OpenAIImportance(self.chat)
            return GuardedImportance(inner, self.find, self._policy.placeholders)
        from memory_pipeline.understand.importance import LocalImportance

        return LocalImportance()

    @cached_property
    def chat(self) -> "StructuredChat":
        """The endpoint of external models, with this run's budget and usage."""
        from memory_pipeline.understand.openai_chat import StructuredChat

        settings = self.services.settings
        key = settings.openai_api_key
        return StructuredChat(
            settings.openai_model,
            api_key=None if key is None else key.get_secret_value(),
            base_url=settings.openai_base_url,
            token_budget=settings.openai_token_budget,
        )

    def costs(self) -> dict[str, int]:
        """Calls and tokens that this run spent at the endpoint so far; empty where it asked
        nothing of one."""
        return vars(self.chat.usage).copy() if "chat" in self.__dict__ else {}

    @cached_property
    def _policy(self) -> "SensitivePolicy":
        from memory_pipeline.understand.sensitive.policy import load_policy

        return load_policy(self.tenant)

    def find(self, text: str) -> "Sequence[SensitiveSpan]":
        """Sensitive values of a text, by the tenant's policy."""
        from memory_pipeline.understand.sensitive.find import find

        return find(text, policy=self._policy)

    @property
    def allows_external_models(self) -> bool:
        """Whether the tenant's text may go to an external model; never by default."""
        return bool(setting(self.ingest_connection, self.tenant_id, "external_models", False))

    # ---------- ingestion

    @property
    def landing(self) -> Path:
        """The tenant's landing folder."""
        folder = self.services.home.path / "landing" / self.tenant
        make_folder(folder.parent)
        make_folder(folder)
        return folder

    @property
    def archive(self) -> Path:
        """Where the tenant's sealed logs lie."""
        return self.services.home.path / "archive" / str(self.tenant_id)

    def landing_files(self) -> list[Path]:
        """Finished files that wait in the landing folder."""
        return waiting(self.landing)

    def ingest(
        self, paths: Sequence[Path], *, day: date | None = None, progress: Progress | None = None
    ) -> IngestReport:
        """Read files and folders outside the landing folder; the originals stay as they are.

        Raises `FileNotFoundError`, and what the stores raise; what was read before stays.
        """
        report = IngestReport()
        self._destroy_strays()
        loader = self._loader()
        for path in log_files(list(paths)):
            report.files.append((path.name, self._load(loader, path, day, progress)))
        self._mask_told()
        return report

    def ingest_landing(
        self, *, day: date | None = None, progress: Progress | None = None
    ) -> IngestReport:
        """Read what waits in the landing folder, and hand each file over once it is read whole."""
        report = IngestReport()
        self._destroy_strays()
        loader = self._loader()
        policy = setting(self.ingest_connection, self.tenant_id, "landing_policy", "seal")
        sealer = self.sealer("archive")
        for path in self.landing_files():
            loaded = self._take(loader, path, sealer, policy, day, progress)
            report.files.append((path.name, loaded))
        self._mask_told()
        return report

    def _take(
        self,
        loader: Loader,
        path: Path,
        sealer: Sealer,
        policy: Policy,
        day: date | None,
        progress: Progress | None,
    ) -> LoadReport:
        """Read a file of the landing folder and hand it over, but where some of it waits. One that
        holds what was erased is not archived; while something is being erased it is looked through
        again."""
        report: LoadReport | None = None
        while True:
            loaded = self._load(
                loader, path, day, progress, to_archive=policy == "seal", has_landed=True
            )
            report = replace(
                report or loaded, n_suppressed=loaded.n_suppressed, n_waiting=loaded.n_waiting
            )
            if loaded.n_waiting:
                return report
            is_whole = policy != "seal" or not loaded.n_suppressed
            with contextlib.suppress(EpochMoved):
                hand_over(
                    path,
                    loaded.file_id,
                    self.archive,
                    sealer,
                    policy if is_whole else "delete",
                    partial(entered, self.ingest_connection, self.tenant_id, loaded.epoch),
                )
                return report

    def _destroy_strays(self) -> None:
        """Destroy what dead runs left in Vault; not in a database that was restored, whose operator
        may still take another backup, before that was recorded."""
        if not self._is_behind():
            strays.destroy(self.services)

    def _is_behind(self) -> bool:
        return audit.is_behind(self.ingest_connection, self.services.home.path / audit.HEADS_FILE)

    def _mask_told(self) -> None:
        """Mask what was stored in clear before what was read now told it as a secret; in a database
        that was restored, once its operator recorded that."""
        from memory_pipeline.governance.mask_sweep import CannotMask, mask_told

        if self._is_behind():
            return
        try:
            done = mask_told(self.services, self.tenant)
        except CannotMask as error:
            # what was read stays read; the next ingestion looks again
            logger.warning("%s", error)
            return
        if done.n_items:
            logger.info("masked %d rows that held told secrets", sum(done.n_items.values()))
        for status in done.requests:
            if not done.is_done:
                logger.warning(
                    "request %s masks stored secrets and is %s; they are hidden until it is done",
                    status.request_id,
                    status.state,
                )

    def _loader(self) -> Loader:
        return Loader(
            connection=self.ingest_connection,
            tenant_id=self.tenant_id,
            keys=self.keys,
            secrets=SecretStore(self.services.vault_client("ingest")),
            sealer=self.sealer("quarantine"),
            find=self.find,
            tz=self.tz,
        )

    def _load(
        self,
        loader: Loader,
        path: Path,
        day: date | None,
        progress: Progress | None,
        to_archive: bool = False,
        has_landed: bool = False,
    ) -> LoadReport:
        load = partial(
            loader.load,
            path,
            day=day,
            progress=progress and partial(progress, "messages"),
            to_archive=to_archive,
            has_landed=has_landed,
        )
        report = load()
        if report.n_waiting and is_decided_soon(self.ingest_connection, self.tenant_id):
            return load().after(report)
        return report

    def replay_quarantine(self) -> ReplayReport:
        """Read the records that readers refused once more, as the readers and limits are now."""
        report = self._loader().replay()
        self._mask_told()
        return report

    def refusals(self, report: IngestReport) -> list[dict[str, Any]]:
        """Open quarantine entries of the files that brought new ones, without content."""
        file_ids = [str(loaded.file_id) for _, loaded in report.files if loaded.n_quarantined]
        return [
            entry
            for entry in quarantine.entries(self.ingest_connection)
            if entry["file_id"] in file_ids
        ]

    # ---------- understanding and indexes

    def embed_messages(self) -> vectors.Refreshed:
        """Bring the vectors of messages up to date."""
        return self._embed("message")

    def embed_atoms(self) -> vectors.Refreshed:
        """Bring the vectors of atoms up to date."""
        return self._embed("atom")

    def _embed(self, kind: Kind) -> vectors.Refreshed:
        return vectors.refresh(self.builder_connection, self.embedder, items=(kind,))

    def label(self, *, day: date | None = None) -> LabelReport:
        """Label the messages that the active importance model has not labelled."""
        return LabelStage(
            self.ingest_connection,
            self.builder_connection,
            self.tenant_id,
            self.keys,
            self.sealer("quarantine"),
            self.importance_model,
            self.embedder,
        ).run(day=day)

    def extract(
        self, *, day: date | None = None, progress: Progress | None = None
    ) -> ExtractReport:
        """Bring the statements of every dialog up to the active extractor and registry. With the
        setting `openai_batch`, windows are left to a provider's batches, which are sent here."""
        report = self._stage().run(
            day=day, progress=progress and (lambda n: progress("dialogs", n))
        )
        if report.n_waiting and self._is_bulk:
            try:
                self.run_bulk()
            except ServiceError as error:
                # what waits is recorded, and the sensor's next round goes on
                logger.warning("bulk extraction: %s", error)
        return report

    def _stage(self) -> ExtractStage:
        is_external = self.allows_external_models
        return ExtractStage(
            self.ingest_connection,
            self.tenant_id,
            self.keys,
            self.sealer("quarantine"),
            self.extractor,
            normalise_object,
            BulkQueue(self.ingest_connection, self.tenant_id, self._is_bulk)
            if is_external
            else None,
        )

    @property
    def _is_bulk(self) -> bool:
        return self.allows_external_models and self.services.settings.openai_batch

    def run_bulk(self) -> "BulkReport":
        """One round of bulk extraction: collect what a provider answered, send what waits, have
        it delete its files. Where the tenant allows external models no more, what it holds is
        cancelled and deleted, and no answer is taken. Raises `ProviderError`."""
        from memory_pipeline.understand.bulk import Bulk
        from memory_pipeline.understand.external import GuardedExtractor
        from memory_pipeline.understand.openai_extraction import OpenAIExtractor
        from memory_pipeline.understand.openai_provider import Provider

        settings = self.services.settings
        key = settings.openai_api_key
        inner = OpenAIExtractor(self.chat)
        stage = self._stage()
        stage.extractor = GuardedExtractor(inner, self.find, self._policy.placeholders)
        bulk = Bulk(
            connection=self.ingest_connection,
            tenant_id=self.tenant_id,
            keys=self.keys,
            sealer=self.sealer("quarantine"),
            extractor=stage.extractor,
            extractor_id=stage.extractor_id(),
            provider=Provider(
                None if key is None else key.get_secret_value(), settings.openai_base_url
            ),
            tz=str(setting(self.ingest_connection, self.tenant_id, "tz", "UTC")),
            token_budget=settings.openai_token_budget,
        )
        return bulk.run() if self.allows_external_models else bulk.drop()

    def refresh_full_text(self) -> full_text.TextRefreshed:
        """Bring the full text up to date."""
        return full_text.refresh(self.builder_connection)

    def refresh_graph(self) -> "GraphRefreshed":
        """Bring the graph up to date."""
        from memory_pipeline.index import graph

        with self.services.graph_driver() as driver:
            return graph.refresh(self.builder_connection, driver, self.services.graph_database)

    def parity(self) -> "list[Parity]":
        """Compare every derived index with the truth."""
        from memory_pipeline.index.parity import parity

        with self.services.graph_driver() as driver:
            return parity(
                self.builder_connection, self.embedder, driver, self.services.graph_database
            )

    def rebuild(self, what: Collection["Index"]) -> "list[Parity]":
        """Drop the named indexes, build them anew from the truth and compare."""
        from memory_pipeline.index.rebuild import rebuild

        with self.services.graph_driver() as driver:
            return rebuild(
                self.builder_connection,
                what,
                embedder=self.embedder,
                driver=driver,
                graph_database=self.services.graph_database,
            )

    # ---------- contexts

    def open_snapshot_requests(self) -> list[UUID]:
        """Contexts that were asked for and not yet packed, oldest first."""
        rows = self.builder_connection.execute(
            "select request_id from memory.snapshot_request"
            " where tenant_id = %s and state in ('open', 'running') order by requested_at",
            (self.tenant_id,),
        ).fetchall()
        return [row[0] for row in rows]

    def pack_requests(self, limit: int = 50) -> list[UUID]:
        """Pack up to `limit` open requests as the logins that asked; returns the snapshots' ids.

        A request that cannot be packed (its critical items exceed the budget, its dialog is not
        visible to the login) fails and stays failed; the others go on.
        """
        from memory_pipeline.afm.packing import CriticalBudgetError

        packed = []
        for request_id in self.open_snapshot_requests()[:limit]:

            def packed_in(epoch: int, request_id: UUID = request_id) -> UUID | None:
                return self._pack(request_id, epoch)

            snapshot_id = None
            try:
                snapshot_id = in_one_epoch(self.builder_connection, self.tenant_id, packed_in)
            except (CriticalBudgetError, LookupError) as error:
                logger.warning("snapshot request %s: %s", request_id, type(error).__name__)
            if snapshot_id is not None:
                packed.append(snapshot_id)
            self.builder_connection.execute(
                "update memory.snapshot_request set state = %s::memory.work_state,"
                " snapshot_id = %s where request_id = %s",
                ("done" if snapshot_id else "failed", snapshot_id, request_id),
            )
        return packed

    def _pack(self, request_id: UUID, epoch: int) -> UUID | None:
        """Pack one request as it was read in `epoch`; None where its query is erased, or about to
        be."""
        from memory_pipeline.memory import Memory

        row = self.builder_connection.execute(
            "select r.login, r.dialog_id, r.budget, c.query from memory.snapshot_request as r"
            " join memory.snapshot_request_content as c using (request_id)"
            " where request_id = %s and not exists (select from memory.erasure_item as i"
            "  join memory.erasure_request as e on e.request_id = i.request_id"
            "  where i.item_id = r.request_id and i.action <> 'keep' and e.state <> 'cancelled')",
            (request_id,),
        ).fetchone()
        if row is None:
            return None
        login, dialog_id, budget, query = row
        with Memory(self.services, login=login, tenant=self.tenant) as memory:
            return UUID(memory.context(str(dialog_id), query, budget, read_epoch=epoch).id)

    def run(
        self, paths: Sequence[Path] | None, *, progress: Progress | None = None
    ) -> tuple[IngestReport, LabelReport, ExtractReport]:
        """The whole main job in this process: `paths`, or the landing folder if None.

        Vectors are made beside reading, since the embedder is the slowest part.
        """
        with vectors.following(
            self.services.pg_dsn("mem_builder"),
            self.embedder,
            prepare=lambda connection: attach(connection, self.services),
        ) as follower:

            def told(stage: str, n: int) -> None:
                follower.wake()
                if progress:
                    progress(stage, n)

            if paths is None:
                ingested = self.ingest_landing(progress=told)
            else:
                ingested = self.ingest(paths, progress=told)
            extracted = self.extract(progress=progress)
        labelled = self.label()
        self.embed_atoms()
        self.refresh_full_text()
        self.refresh_graph()
        return ingested, labelled, extracted
