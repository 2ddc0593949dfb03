"""What the last message takes back of what its speaker said before in the window."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import lru_cache

from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    Span,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import ClosureAction, Precision
from memory_pipeline.understand.extraction import answers
from memory_pipeline.understand.extraction.endings import ENDING, IT_GONE, ends_of
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.numbers import MONEY, find_money
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.periods import Period, midnight
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.redated import bare_date, redated
from memory_pipeline.understand.extraction.rules.births import DATE, iso_date
from memory_pipeline.understand.extraction.rules.contacts import EMAIL, PHONE
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

_NOT_BUT = Gated(
    r"\b(?:не|not)\s+(?P<old1>[^,.;!?\n]{1,30}?)\s*,?\s*(?:а|but|it's|rather)\s+(?P<new1>[^,.;!?\n]{1,40})"
    r"|(?:was|is|were|does|did)n't\s+(?P<old3>[^,.;!?\n]{1,30}?)\s*[,;—–-]\s*(?:it's|it\s+was|it\s+is|but|that\s+was)\s+(?P<new3>[^,.;!?\n]{1,40})"
    r"|(?P<new2>(?:[^,.;:!?\n]|(?<=\d)[,.](?=\d)){1,40}?)\s*,?\s*(?:а не|not(?![^,.;!?\n]*\sbut\s)|rather than|instead of)\s+(?P<old2>(?:[^,.;!?\n]|(?<=\d)[,.](?=\d)){1,30})"
)
_SLIP = Gated(
    r"\b(?:make (?:that|it)|call it|ой|прошу прощения|извин\w+|прости(?:те)?|виноват\w*|ошиб\w+|оговорил\w*|описал\w*с[ья]|опечат\w+|поправ\w+|исправл\w+|точнее|вернее|то есть нет|ошибочк\w+|correction|sorry|sry|apolog\w+|oops|whoops|typo|wrong (?:one|digit|digits|number|month|day|year|address|date)|не тот|не та\b|не та,|перепутал\w*|fat fingers|i meant|wait,? no|my mistake|i was wrong|got (?:it|that|the date|my dates?) wrong|misspoke|scratch that|actually)\b"
)
_MINE = Gated(
    rf"\b(?:mine is|mine's|my own is|my actual \w+ is|у меня|мой|моя|моё|мое)\s*[-—:]?\s*(?P<date>{DATE})"
)


@dataclass
class Fixes:
    """Corrections and ends; `replaced` are ids of statements that they stand for."""

    atoms: list[AtomDraft] = field(default_factory=list)
    closures: list[ClosureDraft] = field(default_factory=list)
    replaced: set[int] = field(default_factory=set)


@lru_cache(maxsize=4096)
def _said(message: WindowMessage, tz: str) -> tuple[Statement, ...]:
    """What an earlier message stated, read alone."""
    scene = Scene(People(speakers=(message.speaker,)), message.speaker, tz)
    reading = read(message.text, language_of(message), local_time(message, tz), scene)
    return tuple(
        s for s in reading.statements
        if s.found.mode not in (Mode.end, Mode.denial, Mode.cancel) and s.value is not None
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _answered(
    before: WindowMessage | None, message: WindowMessage, tz: str
) -> tuple[Statement, ...]:
    """What an earlier message stated as an answer to the one before it."""
    if before is None or before.speaker == message.speaker:
        return ()
    pair = Window(messages=(before, message), tz=tz)
    scene = Scene(People(speakers=(before.speaker, message.speaker)), message.speaker, tz)
    found = answers.read_answer(pair, scene, local_time(message, tz))
    return tuple(s for s, _ in found if s.value is not None)


_EVERYWHERE = frozenset(
    words(
        "the and for you was are but not had has its all our out now just this that with have been will what "
        "что это как мне мой моя для так все нет они она его уже вот еще меня только очень"
    )
)


@lru_cache(maxsize=4096)
def _beginnings(text: str) -> frozenset[str]:
    found = re.findall(r"[\w+#]{3,}", lower(text))
    return frozenset((tool_name(w) or w).lower()[:3] for w in found if w not in _EVERYWHERE)


def _meets(earlier: str, low: str) -> bool:
    """Whether an earlier message has a word that this one may name again: only then can this one
    end what it said."""
    return not _beginnings(earlier).isdisjoint(_beginnings(low))


def read_corrections(window: Window, told: datetime | None, statements: list[Statement]) -> Fixes:
    """The corrections and ends that the last message makes to its speaker's earlier statements."""
    fixes = Fixes()
    *earlier, message = window.messages
    low = lower(message.text)
    if low.rstrip().endswith("?"):
        return fixes
    slip = _SLIP.search(low)
    contrast = _NOT_BUT.search(low)
    ending = ENDING.is_in(low) or IT_GONE.search(low) is not None
    if not (slip or contrast or ending or _MINE.search(low)):
        return fixes
    meets_all = bool(slip or contrast or _MINE.search(low) or IT_GONE.search(low))
    said = [
        s
        for n, m in enumerate(earlier)
        if m.role == "user" and m.speaker == message.speaker and (meets_all or _meets(m.text, low))
        for s in (*_said(m, window.tz), *_answered(earlier[n - 1] if n else None, m, window.tz))
    ]
    if not said:
        return fixes
    latest: dict[tuple[str, str], Statement] = {}
    for s in said:
        latest[(s.subject.name, s.found.predicate)] = s
    for found in _NOT_BUT.finditer(low):
        old, new = (
            found["old1"] or found["old2"] or found["old3"],
            found["new1"] or found["new2"] or found["new3"],
        )
        for s in reversed(list(latest.values())):
            value = _swapped(s, old, new, window.tz, message)
            if value is not None:
                _correct(fixes, s, value, message, (found.start(), found.end()), statements)
                return fixes
        for s in reversed(said):
            period = _other_start(s, old, new, told, message)
            if period is not None:
                at = (found.start(), found.end())
                _correct(fixes, s, s.value, message, at, statements, period)
                return fixes
    if (
        slip
        and slip.start() < 40
        and _restarted(fixes, said, statements, message, low, slip.end(), told)
    ):
        return fixes
    birth = _MINE.search(low)
    birth_said = latest.get((message.speaker, "birth_date"))
    if birth and birth_said:
        iso = iso_date(birth["date"], language_of(message))
        if iso is not None and iso != birth_said.value:
            _correct(fixes, birth_said, iso, message, (birth.start(), birth.end()), statements)
            return fixes
    if slip and slip.start() < 40:
        for s in statements:
            was = latest.get((s.subject.name, s.found.predicate))
            if (
                was is not None
                and was.value != s.value
                and s.found.predicate
                in {"budget_limit", "deadline", "age", "birth_date", "address", "phone", "email"}
            ):
                _correct(fixes, was, s.value, message, (s.start, s.end), statements)
    if slip and slip.start() < 40 and not fixes.atoms:
        _contact(fixes, latest, message, statements)
    budget = latest.get((message.speaker, "budget_limit"))
    if slip and slip.start() < 40 and budget and not fixes.atoms and not statements:
        money = find_money(low, 0, language_of(message), window.tz)
        if (
            money
            and (money[3] or _is_alike(money[0], str(budget.value)))
            and money[0] != budget.value
        ):
            _correct(fixes, budget, money[0], message, (money[1], money[2]), statements)
    if ending:
        fixes.closures.extend(ends_of(said, earlier[-1], message, told, statements))
    return fixes


def _other_start(
    s: Statement, old: str, new: str, told: datetime | None, message: WindowMessage
) -> Period | None:
    """The period from another start, where the words taken back are this statement's start."""
    was = s.period.valid_from
    if s.period.inferred or was is None:
        return None
    moved = redated(was.date(), old, new, told, language_of(message))
    if moved is None:
        return None
    day, precision = moved
    start = midnight(was.replace(year=day.year, month=day.month, day=day.day))
    if s.period.valid_to is not None and start >= s.period.valid_to:
        return None
    return replace(s.period, valid_from=start, precision=precision)


def _restarted(
    fixes: Fixes,
    said: list[Statement],
    statements: list[Statement],
    message: WindowMessage,
    low: str,
    behind: int,
    told: datetime | None,
) -> bool:
    """After a slip, the same told again with another start ("I was wrong, I moved on April 1"), or
    the other start alone ("sorry, April 1"): takes the old start back."""
    for s in statements:
        for was in reversed(said):
            same = (was.subject, was.found.predicate, was.value) == (
                s.subject,
                s.found.predicate,
                s.value,
            )
            stated = not (was.period.inferred or s.period.inferred)
            if same and stated and was.period.valid_from != s.period.valid_from:
                _correct(fixes, was, s.value, message, (s.start, s.end), statements, s.period)
                return True
    alone = bare_date(low[behind:]) if not statements else None
    dated = [s for s in said if not s.period.inferred and s.period.valid_from is not None]
    if alone is None or not dated:
        return False
    was = dated[-1]
    start = was.period.valid_from
    assert start is not None  # noqa: S101 - chosen so
    period = _other_start(was, f"{start:%d.%m.%Y}", alone, told, message)
    if period is None:
        return False
    _correct(fixes, was, was.value, message, (behind, len(low)), statements, period)
    return True


def _is_alike(one: str, other: str) -> bool:
    """Whether two sums are of one order, so that a bare number is the other corrected."""
    a, b = float(one.split()[0]), float(other.split()[0])
    return min(a, b) >= 100 and max(a, b) <= 5 * min(a, b)


def _contact(
    fixes: Fixes,
    latest: Mapping[tuple[str, str], Statement],
    message: WindowMessage,
    statements: list[Statement],
) -> None:
    """A bare number or address after a slip stands for the one given before."""
    for predicate, shape in (("phone", PHONE), ("email", EMAIL)):
        was = latest.get((message.speaker, predicate))
        if was is None:
            continue
        for found in shape.finditer(message.text):
            value = found[0].strip().rstrip(".")
            n_digits = len(re.sub(r"\D", "", value))
            if value != was.value and (predicate == "email" or n_digits >= 7):
                _correct(fixes, was, value, message, (found.start(), found.end()), statements)
                return


def _swapped(s: Statement, old: str, new: str, tz: str, message: WindowMessage) -> str | int | None:
    """The corrected value, where the words taken back are this statement's value."""
    lang = language_of(message)
    predicate = s.found.predicate
    if predicate == "budget_limit":
        return _swapped_money(str(s.value), old, new, lang, tz)
    if predicate == "deadline":
        told = local_time(message, tz)
        moved = redated(date.fromisoformat(str(s.value)), old, new, told, lang, ahead=True)
        return moved[0].isoformat() if moved and moved[1] is Precision.day else None
    if predicate == "birth_date" and re.fullmatch(r"\d{4}-\d\d-\d\d", str(s.value)):
        moved = redated(date.fromisoformat(str(s.value)), old, new, None, lang)
        return moved[0].isoformat() if moved and moved[1] is Precision.day else None
    if predicate == "address":
        number = re.fullmatch(r"\s*(\d{1,5}\w?)\s*", old)
        if number and re.search(rf"\b{number[1]}\b", str(s.value)):
            fresh = re.search(r"\b(\d{1,5}[a-zа-я]?)\b", new)
            if fresh:
                return re.sub(rf"\b{number[1]}\b", fresh[1], str(s.value), count=1)
        return None
    if predicate == "age":
        numbers = [re.search(r"\b(\d{1,3})\b", part) for part in (old, new)]
        if numbers[0] and numbers[1] and str(s.value) == numbers[0][1]:
            return int(numbers[1][1])
    return None


def _swapped_money(value: str, old: str, new: str, lang: str, tz: str) -> str | None:
    amount, currency = value.split()
    was = find_money(old, 0, lang, tz)
    now = find_money(new, 0, lang, tz)
    if was is None or now is None:
        return None
    factor = 1
    if not was[3]:
        scale = MONEY.search(new)
        if scale is not None and scale["scale"]:
            factor = round(
                float(now[0].split()[0])
                / float(re.sub(r"[^\d.]", "", scale["digits"] or "1").rstrip(".") or 1)
            )
    if float(was[0].split()[0]) * factor not in (float(amount), float(amount) / 1000):
        return None
    fresh = float(now[0].split()[0])
    if not now[3] and fresh < 1000 <= float(amount):
        fresh *= 1000
    return f"{int(fresh) if fresh.is_integer() else fresh} {currency}"


def _correct(
    fixes: Fixes,
    was: Statement,
    value: str | int | None,
    message: WindowMessage,
    at: tuple[int, int],
    statements: list[Statement],
    period: Period | None = None,
) -> None:
    """Takes `was` back and states `value` for the same time, or for the `period` given."""
    span = Span(start=at[0], end=at[1])
    text = message.text[:1_000]
    told = period or was.period
    fixes.closures.append(
        ClosureDraft(
            action=ClosureAction.corrected,
            subject=was.subject,
            predicate=was.found.predicate,
            object=was.value,
            planned_start=was.period.valid_from if period else None,
            text=text,
            confidence=0.85,
            quoted=message.quoted,
            spans=(span,),
        )
    )
    fixes.atoms.append(
        AtomDraft(
            subject=was.subject,
            predicate=was.found.predicate,
            object=value,
            text=text,
            valid_from=told.valid_from,
            valid_to=told.valid_to,
            start_inferred=told.inferred,
            holds_when_told=told.holds,
            valid_precision=told.precision,
            confidence=0.85,
            quoted=message.quoted,
            spans=(span,),
        )
    )
    fixes.replaced.update(
        id(s)
        for s in statements
        if s.found.predicate == was.found.predicate and s.subject == was.subject
    )
