"""Answers of a provider's batch, line by line, into the store: kept, asked again, or refused."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from memory_pipeline.bitemporal.batches import Batch, batch, in_one_epoch
from memory_pipeline.bitemporal.tenants import Audiences
from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.statement import Extraction, Window
from memory_pipeline.governance.erasure.relearn import Relearning
from memory_pipeline.governance.erasure.suppress import Suppressions
from memory_pipeline.governance.sealing import Sealer
from memory_pipeline.ingest.quarantine import Refusal, quarantine
from memory_pipeline.understand.bulk_calls import (
    MAX_ATTEMPTS,
    BulkExtractor,
    BulkReport,
    Calls,
    Sent,
)
from memory_pipeline.understand.bulk_queue import Request
from memory_pipeline.understand.interface import ExtractionFailure
from memory_pipeline.understand.openai_provider import ProviderBatch
from memory_pipeline.understand.windows import PlannedWindow


@dataclass
class Answers:
    """Stores the answers of one tenant's batches."""

    calls: Calls
    sealer: Sealer
    _suppressions: Suppressions | None = field(default=None, repr=False)

    def store(
        self,
        sent: Sent,
        lines: Mapping[int, tuple[list[Request], Any]],
        report: BulkReport,
    ) -> None:
        if not lines:
            return
        predicates = self.calls.predicates(sent.registry_hash)
        audiences = Audiences(self.calls.connection, self.calls.tenant_id)

        def work(epoch: int) -> None:
            self._suppressions = Suppressions.load(
                self.calls.connection, self.calls.keys, self.calls.tenant_id
            )
            with batch(self.calls.connection, self.calls.tenant_id, "extraction", epoch) as running:
                refusals: list[Refusal] = []
                for requests, line in lines.values():
                    self._store_line(
                        running, requests, line, predicates, audiences, refusals, report
                    )
                quarantine(self.calls.connection, running, self.sealer, refusals)
                self._count(sent, (line for _, line in lines.values()), report)

        in_one_epoch(self.calls.connection, self.calls.tenant_id, work)

    def _store_line(
        self,
        running: Batch,
        requests: list[Request],
        line: Any,
        predicates: Sequence[Predicate] | None,
        audiences: Audiences,
        refusals: list[Refusal],
        report: BulkReport,
    ) -> None:
        call = self.calls.call(requests)
        windows = [call.windows.get(r.message_id) for r in requests]
        there = [window for window in windows if window is not None]
        is_there = len(there) == len(requests) and predicates is not None
        if (
            not is_there
            or predicates is None
            or self.calls.shown_hash(self.calls.body(there, predicates)) != requests[0].shown_hash
        ):
            # a late message, a redaction: the answer is to another text than is stored now
            report.n_dropped += len(requests)
            self.calls.again(requests, "changed_meanwhile")
            return
        answers: Sequence[Extraction | ExtractionFailure]
        if isinstance(line, ExtractionFailure):
            answers = [line] * len(requests)
        else:
            answers = _read(self.calls.extractor, line, there, predicates)
        for request, answer in zip(requests, answers, strict=True):
            if isinstance(answer, Extraction):
                self._keep(running, request, call.planned[request.message_id], answer, audiences)
                self.calls.set_requests([request.request_id], "done", None)
                report.n_answered += 1
            elif request.attempt < MAX_ATTEMPTS:
                self.calls.again([request], answer.code)
                report.n_asked_again += 1
            else:
                self.calls.set_requests([request.request_id], "failed", answer.code)
                report.n_failed += 1
                refusals.append(self._refusal(request, answer))

    def _keep(
        self,
        running: Batch,
        request: Request,
        window: PlannedWindow,
        answer: Extraction,
        audiences: Audiences,
    ) -> None:
        audience_id = audiences.union(*{turn.audience_id for turn in window.turns})
        row = self.calls.connection.execute(
            "insert into memory.extraction (extraction_id, tenant_id, audience_id, batch_id,"
            " message_id, window_hash, extractor_id, registry_hash)"
            " values (%s, %s, %s, %s, %s, %s, %s, %s) on conflict do nothing"
            " returning extraction_id",
            (
                uuid4(),
                self.calls.tenant_id,
                audience_id,
                running.batch_id,
                request.message_id,
                request.window_hash,
                request.extractor_id,
                request.registry_hash,
            ),
        ).fetchone()
        if row is not None:
            writing = running.content(self.calls.connection)
            kept = self._let_through(window, answer)
            stored = writing.json("extraction_content", "answer", row[0], kept)
            self.calls.connection.execute(
                "insert into memory.extraction_content (extraction_id, audience_id, answer)"
                " values (%s, %s, %s)",
                (row[0], audience_id, stored),
            )

    def _let_through(self, window: PlannedWindow, answer: Extraction) -> dict[str, Any]:
        """The answer without what was erased; its statements are barred when they are made."""
        if self._suppressions is not None and self._suppressions.scopes:
            row = self.calls.connection.execute(
                "select d.dialog_key from memory.message as m"
                " join memory.dialog as d using (dialog_id) where m.message_id = %s",
                (window.last.message_id,),
            ).fetchone()
            if row is not None:
                relearning = Relearning(self.calls.connection, self._suppressions, bytes(row[0]))
                answer = relearning.let_through(window, answer)
        return answer.model_dump(mode="json")

    def _refusal(self, request: Request, failure: ExtractionFailure) -> Refusal:
        return Refusal(
            stage="extract",
            reason=failure.code,
            problem=failure.detail,
            record_key=self.calls.keys.of(
                "refused window",
                request.window_hash,
                request.extractor_id,
                request.registry_hash,
                failure.code,
            ),
            message_id=request.message_id,
        )

    def _count(self, sent: Sent, lines: Iterable[Any], report: BulkReport) -> None:
        n_prompt = n_completion = 0
        for line in lines:
            usage = _part(line, "response", "body", "usage")
            n_prompt += _number(_part(usage, "prompt_tokens"))
            n_completion += _number(_part(usage, "completion_tokens"))
        self.calls.connection.execute(
            "update memory.provider_batch set n_prompt_tokens = n_prompt_tokens + %s,"
            " n_completion_tokens = n_completion_tokens + %s where provider_batch_id = %s",
            (n_prompt, n_completion, sent.provider_batch_id),
        )
        report.n_prompt_tokens += n_prompt
        report.n_completion_tokens += n_completion


def unanswered(found: ProviderBatch) -> ExtractionFailure:
    """Why a call of an ended batch has no line."""
    if found.status == "failed":
        return ExtractionFailure(
            "rejected",
            "the provider refused the batch; check model, limits and key",
            True,
        )
    if found.status in ("expired", "cancelled"):
        return ExtractionFailure(
            found.status, "the provider ended the batch before this call; it is asked again", True
        )
    return ExtractionFailure("missing_answer", "the batch ended without a line for this call", True)


def _read(
    extractor: BulkExtractor,
    line: Mapping[str, Any],
    windows: Sequence[Window],
    predicates: Sequence[Predicate],
) -> Sequence[Extraction | ExtractionFailure]:
    from openai.types.chat import ChatCompletion

    status = _part(line, "response", "status_code")
    failure = None
    if line.get("error") or status != 200:
        code = _part(line, "error", "code")
        failure = _line_failure(status, code if isinstance(code, str) else "")
    else:
        try:
            completion = ChatCompletion.model_validate(_part(line, "response", "body"))
        except ValidationError:
            failure = ExtractionFailure(
                "invalid_json", "the line's body is not in the chat format", True
            )
    if failure is not None:
        return [failure] * len(windows)
    return extractor.read(completion, windows, predicates)


def _line_failure(status: Any, code: str) -> ExtractionFailure:
    if code == "batch_expired":
        return ExtractionFailure("expired", "the provider had no time for this call", True)
    if code == "batch_cancelled":
        return ExtractionFailure("cancelled", "the batch was cancelled before this call", True)
    if status == 429:
        return ExtractionFailure("rate_limited", "the provider answered 429 to this call", True)
    if isinstance(status, int) and 400 <= status < 500:
        return ExtractionFailure(
            "rejected", f"the provider answered {status} to this call; check model and size", True
        )
    return ExtractionFailure("server_error", "the provider failed at this call", True)


def _part(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _number(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 1_000_000_000 else 0
