"""Which erased people a message that is read is near to, whatever its speaker is called."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memory_pipeline.bitemporal.keys import normal_text
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.governance.erasure.aliases import (
    LEAST_CHARS,
    introduces,
    names_nobody,
    quotations,
    told_span,
)
from memory_pipeline.governance.erasure.suppress import Place, Scope, Span, Suppressions
from memory_pipeline.ingest.prepare import Prepared


@dataclass
class Near:
    """Scopes whose person a message names or repeats (`scopes`), those whose person speaks in it
    (`speaks`) and does so under this label in the whole dialog (`speaks_throughout`), and the
    characters that go whatever else does."""

    scopes: list[Scope] = field(default_factory=list)
    speaks: list[Scope] = field(default_factory=list)
    speaks_throughout: list[Scope] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.scopes)

    def add(self, scope: Scope, *spans: Span) -> None:
        """A scope that the message is near to; of a whole person the characters go."""
        if scope not in self.scopes:
            self.scopes.append(scope)
        if scope.is_whole_subject:
            self.spans += spans

    def spoken_for(self, scope: Scope, *, throughout: bool) -> None:
        """The scope's person speaks."""
        self.add(scope)
        if scope not in self.speaks:
            self.speaks.append(scope)
        if throughout and scope not in self.speaks_throughout:
            self.speaks_throughout.append(scope)


def near(
    suppressions: Suppressions, messages: Sequence[Prepared], places: Mapping[int, Place]
) -> dict[int, Near]:
    """What each message of a dialog is near to, by its id."""
    found: dict[int, Near] = defaultdict(Near)
    if any(scope.who for scope in suppressions.scopes):
        for message in messages:
            one = _near(suppressions, message, places[id(message)])
            if one:
                found[id(message)] = one
    return found


def _near(suppressions: Suppressions, message: Prepared, place: Place) -> Near:
    found = Near()
    text = message.text
    is_persons = message.raw.role is Role.user and not message.raw.quoted
    # a label that stands for whoever writes stands for one person of a dialog
    throughout = names_nobody(message.raw.speaker)
    for named in suppressions.named(text):
        if not named.scope.is_at(place):
            continue
        told = told_span(text, named.start, named.end) if named.is_exact else None
        found.add(named.scope, (named.start, named.end), *([told] if told else []))
        if is_persons and introduces(text, named.start, named.end, is_exact=named.is_exact):
            found.spoken_for(named.scope, throughout=throughout)
    for scope in suppressions.tellers(message.text_hash, place.told_at):
        if scope.is_at(place):
            if is_persons:
                found.spoken_for(scope, throughout=throughout)
            else:
                found.add(scope, (0, len(text)))
    for clear, pieces in _repeated(message):
        for scope in suppressions.tellers(suppressions.keys.text(clear), None):
            if scope.is_at(place):
                found.add(scope, *pieces)
    return found


def _repeated(message: Prepared) -> Iterator[tuple[str, list[Span]]]:
    """Texts in a message that may be another's, as they were before secrets were masked."""
    for pieces in quotations(message.text):
        clear = "\n".join(_clear(message, start, end) for start, end in pieces).strip()
        if len(clear) >= LEAST_CHARS:
            yield normal_text(clear), pieces


def _clear(message: Prepared, start: int, end: int) -> str:
    out, at = [], start
    for secret in message.secrets:
        if start <= secret.start and secret.end <= end:
            out += [message.text[at : secret.start], secret.value]
            at = secret.end
    return "".join([*out, message.text[at:end]])
