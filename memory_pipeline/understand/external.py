"""What an external model may see: windows and texts whose personal values are placeholders.

The tenant's policy says which types are replaced. Of the answers the placeholders are put back and
the spans moved to where they lie in the stored text, so that nothing after knows of them.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import JsonValue

from memory_pipeline.contracts.predicate import Predicate
from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    Extraction,
    ImportanceLabel,
    Span,
    Window,
)
from memory_pipeline.understand.interface import (
    ExtractionFailure,
    Extractor,
    ImportanceModel,
    LabelFailure,
    Vectors,
)
from memory_pipeline.understand.sensitive.mask import Replaced, placeholders

Draft = TypeVar("Draft", AtomDraft, ClosureDraft)

Find = Callable[[str], Sequence[SensitiveSpan]]

_BETWEEN = "\n\x1e\n"
"""Stands between the texts of a window while they are replaced together: one value, one number."""


class _Guarded:
    """A window with placeholders, and the way back."""

    def __init__(self, window: Window, find: Find, types: frozenset[str]) -> None:
        clear = [part for m in window.messages for part in (m.speaker, m.text)]
        self._starts: list[int] = []
        spans: list[SensitiveSpan] = []
        at = 0
        for part in clear:
            self._starts.append(at)
            spans += [
                span.model_copy(update={"start": span.start + at, "end": span.end + at})
                for span in find(part)
            ]
            at += len(part) + len(_BETWEEN)
        self._replaced: Replaced = placeholders(_BETWEEN.join(clear), spans, types)
        parts = self._replaced.text.split(_BETWEEN)
        self.window = window.model_copy(
            update={
                "messages": tuple(
                    message.model_copy(update={"speaker": speaker, "text": text})
                    for message, speaker, text in zip(
                        window.messages, parts[::2], parts[1::2], strict=True
                    )
                )
            }
        )
        self._shown_starts = [
            sum(len(part) + len(_BETWEEN) for part in parts[:n]) for n in range(len(parts))
        ]

    def restored(self, answer: Extraction) -> Extraction:
        """The answer about the window as it is stored."""
        return answer.model_copy(
            update={
                "atoms": tuple(map(self._draft, answer.atoms)),
                "closures": tuple(map(self._draft, answer.closures)),
            }
        )

    def _draft(self, draft: "Draft") -> "Draft":
        name = self._replaced.restore(draft.subject.name)
        return draft.model_copy(
            update={
                "subject": draft.subject.model_copy(update={"name": name}),
                "object": self._value(draft.object),
                "text": self._replaced.restore(draft.text),
                "spans": tuple(map(self._span, draft.spans)),
            }
        )

    def _value(self, value: JsonValue) -> JsonValue:
        return self._replaced.restore(value) if isinstance(value, str) else value

    def _span(self, span: Span) -> Span:
        part = len(self._starts) - 1 - 2 * span.back
        start, shown = self._starts[part], self._shown_starts[part]
        offsets = self._replaced.offsets
        return Span(
            start=offsets.to_original(span.start + shown) - start,
            end=offsets.to_original(span.end + shown, end=True) - start,
            back=span.back,
        )


class GuardedExtractor:
    """An extractor of an external model that is shown placeholders. See `Extractor`."""

    def __init__(self, inner: Extractor, find: Find, types: frozenset[str]) -> None:
        self._inner = inner
        self._find = find
        self._types = types

    @property
    def name(self) -> str:
        """The inner extractor's."""
        return self._inner.name

    @property
    def version(self) -> str:
        """The inner extractor's."""
        return self._inner.version

    @property
    def model(self) -> str:
        """The inner extractor's."""
        return self._inner.model

    @property
    def prompt_hash(self) -> str:
        """Of the inner prompt and the types replaced, since both decide what the model reads."""
        return _digest(self._inner.prompt_hash, self._types)

    @property
    def window_size(self) -> int:
        """The inner extractor's."""
        return self._inner.window_size

    def extract(
        self, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        """One result a window, in order, about the texts as they are stored."""
        guarded = self._guarded(windows)
        answers = self._inner.extract([g.window for g in guarded], predicates)
        return _restored(guarded, answers)

    def request(self, windows: Sequence[Window], predicates: Sequence[Predicate]) -> dict[str, Any]:
        """The body of a call that asks for these windows; the inner extractor writes it."""
        shown = [g.window for g in self._guarded(windows)]
        found: dict[str, Any] = self._inner.request(shown, predicates)  # type: ignore[attr-defined]
        return found

    def read(
        self, completion: Any, windows: Sequence[Window], predicates: Sequence[Predicate]
    ) -> list[Extraction | ExtractionFailure]:
        """What a completion answers to `request`, about the texts as they are stored."""
        guarded = self._guarded(windows)
        shown = [g.window for g in guarded]
        answers = self._inner.read(completion, shown, predicates)  # type: ignore[attr-defined]
        return _restored(guarded, answers)

    def _guarded(self, windows: Sequence[Window]) -> list[_Guarded]:
        return [_Guarded(window, self._find, self._types) for window in windows]


def _restored(
    guarded: Sequence[_Guarded], answers: Sequence[Extraction | ExtractionFailure]
) -> list[Extraction | ExtractionFailure]:
    return [
        answer if isinstance(answer, ExtractionFailure) else g.restored(answer)
        for g, answer in zip(guarded, answers, strict=True)
    ]


class GuardedImportance:
    """An importance model outside that is shown placeholders. See `ImportanceModel`."""

    def __init__(self, inner: ImportanceModel, find: Find, types: frozenset[str]) -> None:
        self._inner = inner
        self._find = find
        self._types = types

    @property
    def version(self) -> str:
        """Of the inner model and the types replaced."""
        return f"{self._inner.version}-{_digest('', self._types)}"

    def label(
        self, texts: Sequence[str], vectors: Vectors | None = None
    ) -> list[ImportanceLabel | LabelFailure]:
        """One label a text, in order."""
        shown = [placeholders(text, self._find(text), self._types).text for text in texts]
        return self._inner.label(shown, vectors)


def _digest(prompt_hash: str, types: frozenset[str]) -> str:
    return hashlib.sha256("\n".join([prompt_hash, *sorted(types)]).encode()).hexdigest()[:16]
