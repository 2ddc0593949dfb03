"""Stores of files: exports, the sealed archive, the landing folder, originals outside, the home."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from memory_pipeline.contracts.erasure import Originals, StoreReport, StoreState
from memory_pipeline.governance.erasure import rewriting, scrub
from memory_pipeline.governance.erasure.stores import Passive, Store, Unreachable
from memory_pipeline.governance.erasure.stores_database import report
from memory_pipeline.governance.erasure.stores_services import Scanned, scan
from memory_pipeline.governance.erasure.work import Connection, Work
from memory_pipeline.ingest.folder_log import remove
from memory_pipeline.ingest.landing import log_files

_REWRITTEN = re.compile(r"(\d+)_rewritten")


def note_of(work: Work, connection: Connection, store: str) -> str | None:
    """The code that a store's erasure left, of what it could not do."""
    row = connection.execute(
        "select note from memory.erasure_store where request_id = %s and store = %s",
        (work.request_id, store),
    ).fetchone()
    return row[0] if row else None


@dataclass(frozen=True)
class Exports(Passive):
    """Exported snapshots, and what was written for a person: removed where they lie, if they are
    still what was written (as far as their size was kept)."""

    name: str = "exports"
    kind: str = "file"
    covers: tuple[str, ...] = (
        "memory.export_content", "memory.subject_export_content", "home/exports",
    )  # fmt: skip

    def find(self, work: Work) -> int:
        """Exports of the plan whose place is known."""
        return len(self._paths(work, work.eraser))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove the files, then their paths. What was changed since, or is not there, is said."""
        missing = changed = n_gone = 0
        paths = self._paths(work, work.eraser)
        for _, text, n_bytes in paths:
            path = Path(text)
            try:
                if path.is_symlink() or n_bytes not in (None, path.stat().st_size):
                    changed += 1
                    continue
                path.unlink()
                n_gone += 1
                sync_folder(path.parent)
            except FileNotFoundError:
                missing += 1
            except OSError as error:
                raise Unreachable(f"exports: {type(error).__name__}") from None
        note = ",".join(
            f"{n}_{word}" for n, word in ((changed, "changed"), (missing, "missing")) if n
        )
        if paths:
            # said before the paths are forgotten: nobody could find the files again
            work.keep_note(self.name, note or None)
            work.eraser.execute(
                "select memory.erase_file_names(%s, 'export', %s)",
                (work.request_id, [export_id for export_id, _, _ in paths]),
            )
        return n_gone, note or None

    def scrub(self, work: Work) -> None:
        """Write the table of paths anew."""
        if work.ids(work.eraser, "export", "erase"):
            tables = ("export_content", "subject_export_content")
            scrub.rewrite(work.eraser, (("memory", table) for table in tables))

    def verify(self, work: Work) -> StoreReport:
        """No path of the plan is kept; files that were changed before are beyond us."""
        n_left = len(self._paths(work, work.verifier))
        note = note_of(work, work.verifier, self.name)
        if not n_left and note and "changed" in note:
            return StoreReport(
                store=self.name, state=StoreState.not_verifiable, n_left=0, note=note
            )
        return report(self, n_left, note)

    @staticmethod
    def _paths(work: Work, connection: Connection) -> list[tuple[UUID, str, int | None]]:
        rows = connection.execute(
            "with planned as (select item_id as export_id from memory.erasure_item"
            "  where request_id = %s and kind = 'export' and action = 'erase')"
            " select export_id, c.path, x.n_bytes from planned"
            "  join memory.export_content as c using (export_id)"
            "  join memory.export as x using (export_id)"
            " union all select export_id, c.path, null from planned"
            "  join memory.subject_export_content as c using (export_id)",
            (work.request_id,),
        ).fetchall()
        return [(row[0], str(row[1]), row[2]) for row in rows]


@dataclass(frozen=True)
class Archive(Passive):
    """Sealed logs that landed: destroyed whole, since their messages stand in the database, those
    of others unchanged. With them go the files' names, where the plan says so."""

    name: str = "archive"
    kind: str = "file"
    covers: tuple[str, ...] = ("memory.log_file_content", "home/archive")

    def find(self, work: Work) -> int:
        """Sealed files of the plan."""
        return sum(1 for _ in self._files(work, work.eraser))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them, and the names."""
        n_gone = 0
        try:
            for path in list(self._files(work, work.eraser)):
                path.unlink(missing_ok=True)
                n_gone += 1
            sync_folder(self._folder(work))
        except OSError as error:
            raise Unreachable(f"archive: {type(error).__name__}") from None
        work.eraser.execute(
            "select memory.erase_file_names(%s, 'file', %s)",
            (work.request_id, work.ids(work.eraser, "file", "erase")),
        )
        return n_gone, None

    def scrub(self, work: Work) -> None:
        """Write the table of names anew."""
        if work.ids(work.eraser, "file", "erase"):
            scrub.rewrite(work.eraser, [("memory", "log_file_content")])

    def verify(self, work: Work) -> StoreReport:
        """No sealed file and no name of the plan is left."""
        n_left = sum(1 for _ in self._files(work, work.verifier))
        row = work.verifier.execute(
            "select count(*) from memory.log_file_content where file_id = any(%s)",
            (work.ids(work.verifier, "file", "erase"),),
        ).fetchone()
        return report(self, n_left + (int(row[0]) if row else 0))

    def _files(self, work: Work, connection: Connection) -> Iterator[Path]:
        for file_id in work.ids(connection, "file", "erase", "redact"):
            for name in (f"{file_id}.sealed", f"{file_id}.sealed.part"):
                path = self._folder(work) / name
                if path.exists():
                    yield path

    @staticmethod
    def _folder(work: Work) -> Path:
        return work.home / "archive" / str(work.tenant_id)


@dataclass(frozen=True)
class Landing(Passive):
    """Logs of the landing folder that were read already and not taken out: handed over like those
    of the archive, so destroyed like them. One that was not read yet passes through the ledger of
    suppressions when it is."""

    name: str = "landing"
    kind: str = "file"
    covers: tuple[str, ...] = ("home/landing",)

    def find(self, work: Work) -> int:
        """Files of the plan that lie there."""
        return len(self._files(work, work.eraser))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them."""
        found = self._files(work, work.eraser)
        try:
            for path in found:
                remove(path)
        except OSError as error:
            raise Unreachable(f"landing: {type(error).__name__}") from None
        return len(found), None

    def verify(self, work: Work) -> StoreReport:
        """No file of the plan lies there."""
        return report(self, len(self._files(work, work.verifier)))

    @staticmethod
    def _files(work: Work, connection: Connection) -> list[Path]:
        row = connection.execute(
            "select name from memory.tenant where tenant_id = %s", (work.tenant_id,)
        ).fetchone()
        folder = work.home / "landing" / (row[0] if row else "")
        if not folder.is_dir():
            return []
        return list(rewriting.files_of_plan(work, connection, log_files([folder])))


@dataclass(frozen=True)
class OriginalFiles(Passive):
    """Logs outside the landing folder, which their owner keeps: rewritten where the request says so
    and they are shown to us, else named."""

    name: str = "originals"
    kind: str = "outside"
    covers: tuple[str, ...] = ()

    def find(self, work: Work) -> int:
        """Files that the plan's messages came from and that did not land."""
        return sum(original.holds for original in rewriting.outside(work, work.eraser))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Nothing after the content is gone: `rewriting.rewrite_originals` ran before, and its note
        says how many files it rewrote."""
        note = note_of(work, work.eraser, self.name)
        rewritten = _REWRITTEN.match(note or "")
        return int(rewritten[1]) if rewritten else 0, note

    def verify(self, work: Work) -> StoreReport:
        """What was rewritten or left, as it was said then; other copies are beyond us."""
        note = note_of(work, work.verifier, self.name)
        if note is None or note == "none_outside":
            return StoreReport(store=self.name, state=StoreState.verified, n_left=0, note=note)
        return StoreReport(store=self.name, state=StoreState.not_verifiable, note=note)


@dataclass(frozen=True)
class RefusedRequests(Passive):
    """Request files that were no request and wait for their writer: they may name somebody."""

    name: str = "refused_requests"
    kind: str = "file"
    covers: tuple[str, ...] = ("home/erasure-requests",)

    def find(self, work: Work) -> int:
        """Refused files with a needle."""
        return len(self._found(work))

    def erase(self, work: Work) -> tuple[int, str | None]:
        """Remove them."""
        found = self._found(work)
        for path in found:
            path.unlink(missing_ok=True)
        return len(found), None

    def verify(self, work: Work) -> StoreReport:
        """No refused file with a needle."""
        if work.needles is None:
            return StoreReport(
                store=self.name, state=StoreState.not_verifiable, note="values_no_longer_kept"
            )
        return report(self, len(self._found(work)))

    @staticmethod
    def _found(work: Work) -> list[Path]:
        folder = work.home / "erasure-requests"
        waiting = sorted(folder.rglob("*.refused")) + sorted(folder.rglob("*.reason"))
        return [path for path in waiting if scan(work, RefusedRequests(), (path,)).n_left]


def sync_folder(folder: Path) -> None:
    """Make removals in a folder durable."""
    if not folder.is_dir():
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def rewrites(work: Work) -> bool:
    """Whether the request says that originals are rewritten."""
    row = work.eraser.execute(
        "select originals from memory.erasure_request where request_id = %s", (work.request_id,)
    ).fetchone()
    return row is not None and row[0] == Originals.rewrite


FILE_STORES: tuple[Store, ...] = (
    OriginalFiles(),
    Exports(),
    Archive(),
    Landing(),
    RefusedRequests(),
    Scanned("exports_folder", "exports"),
)
