"""What the last message takes back of what its speaker said before in the window."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
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
from memory_pipeline.understand.extraction.contrasts import contrasted, tells_more
from memory_pipeline.understand.extraction.endings import ENDING, IT_GONE, ends_of
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.numbers import (
    MONEY,
    are_alike,
    find_money,
    in_thousands_of,
)
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.periods import Period, deadline_date, midnight
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.reading import (
    Statement,
    dates_in,
    language_of,
    local_time,
    read,
)
from memory_pipeline.understand.extraction.redated import bare_date, redated
from memory_pipeline.understand.extraction.rules.births import DATE, iso_date
from memory_pipeline.understand.extraction.rules.contacts import EMAIL, PHONE
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.extraction.slips import SHIFT, other_day, shifted
from memory_pipeline.understand.extraction.slips_ru import bare_name_ru
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

_DENIES = re.compile(
    r"\bа\s+не\b|\b(?:rather\s+than|instead\s+of|not)\b|\bне\b[^.;!?\n]{1,33}?\bа\s|n't\s[^.;!?\n]{1,32}[,;—–-]"
)
"""What a contrast needs: searched for first, as the contrast itself looks at every word."""
_NOT_BUT = Gated(
    r"\b(?:не|not)\s+(?P<old1>[^,.;!?\n]{1,30}?)\s*,?\s*(?:(?<![\w-])а|but|it's|rather)\s+(?P<new1>[^,.;!?\n]{1,40})"
    r"|(?:was|is|were|does|did)n't\s+(?P<old3>[^,.;!?\n]{1,30}?)\s*[,;—–-]\s*(?:it's|it\s+was|it\s+is|but|that\s+was)\s+(?P<new3>[^,.;!?\n]{1,40})"
    r"|(?P<new2>(?=\S)(?:[^,.;:!?\n]|(?<=\d)[,.](?=\d)){1,40}?)\s*,?\s*(?:а не|not(?![^.;!?\n]{1,40}\sbut\s)|rather than|instead of)\s+(?P<old2>(?:[^,.;!?\n]|(?<=\d)[,.](?=\d)){1,30})"
)
_LISTED = frozenset({"allergy", "medication", "relative", "pet"})
"""What one has several of: a correction of one leaves the others that are told beside it."""
_STOP = re.compile(r"[.!?\n]")
_SLIP = Gated(
    r"\b(?:make (?:that|it)|call it|ой|тьфу|упс|блин|стоп|пусть будет|вру\b|хотя нет|не так|наврал\w*|соврал\w*|попутал\w*|спутал\w*|ввел\w* в заблуждение|погоди\w*|неверно|неправильно|прошу прощения|извин\w+|прости(?:те)?|виноват\w*|ошиб\w+|оговорил\w*|описал\w*с[ья]|опечат\w+|поправ\w+|исправл\w+|точнее|вернее|то есть нет|ошибочк\w+|correction|sorry|sry|apolog\w+|oops|whoops|typo|wrong (?:one|digit|digits|number|month|day|year|address|date)|не тот|не та\b|не та,|перепутал\w*|fat fingers|i meant|wait,? i mean|i mean(?=,?\s+[\d£$€])|wait,? no|my mistake|i was wrong|got (?:it|that|the date|my dates?) wrong|misspoke|scratch that|actually)\b"
)
_MINE = Gated(
    rf"\b(?:mine is|mine's|my own is|my actual \w+ is|у меня|мой|моя|моё|мое)\s*[-—:]?\s*(?P<date>{DATE})"
)


_YEAR = re.compile(r"[\s,.!—–-]*(?:(?:в|не|это|года?|же)\s+)*(?P<year>(?:19|20)\d\d)(?!\d)")
"""A year alone after a slip: the one of a date of birth said before."""


_BARE_NAME = re.compile(
    r"[\s,:.—–-]*(?:(?:[Ii]t's|[Ii]ts|I meant|I mean|i meant|at|in|with)\s+)*(?P<name>(?!I\b)[A-Z][\w&'’-]*(?:\s[A-Z][\w&'’-]*){0,2})\s*(?:[.,!;]|$)"
)
"""A name alone behind a slip ("correction, BP.")."""
_ENDS_IN = re.compile(
    r"\b(?:ends? (?:in|with)|ending in|last (?:two|three|four|bit|digits?)(?: \w+)? (?:is|are|should be)|заканчивается на)\s+(?P<digits>\d{2,6})\b"
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
    if _KIDDING.match(low) and earlier[-1].speaker == message.speaker:
        _unsaid(fixes, earlier[-1], message, window.tz)
    slip = _SLIP.search(low)
    contrast = _NOT_BUT.search(low) if _DENIES.search(low) else None
    ending = ENDING.is_in(low) or IT_GONE.search(low) is not None
    moved = _MOVED.search(low) or _RAISED.search(low) or SHIFT.search(low)
    if not (slip or contrast or ending or moved or _MINE.search(low)):
        return fixes
    meets_all = bool(slip or contrast or moved or _MINE.search(low) or IT_GONE.search(low))
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
    raised = _RAISED.search(low)
    limit = latest.get((message.speaker, "budget_limit"))
    if raised is not None and limit is not None and told is not None:
        _reset(fixes, limit, raised, message, told, statements, window.tz)
    put_off = _MOVED.search(low)
    if put_off is not None and told is not None:
        _put_off(fixes, latest, put_off, message, told, statements)
    if moved and told is not None and not fixes.atoms:
        _shift(fixes, latest, low, message, told, statements)
    for found in _NOT_BUT.finditer(low) if contrast else ():
        n = next(n for n in "123" if found[f"old{n}"])
        old, new = found[f"old{n}"], found[f"new{n}"]
        written = message.text[slice(*found.span(f"new{n}"))]
        before, behind = low[: found.start()], low[found.end() :]
        beside = f"{_STOP.split(before)[-1]} {_STOP.split(behind, maxsplit=1)[0]}"
        for s in reversed(list(latest.values())):
            is_named = s.found.predicate in _NAMED_VALUES
            if s.found.predicate == "location" and not slip and tells_more(beside):
                continue  # where one goes is not where one lives
            value = _swapped(s, old, written if is_named else new, window.tz, message)
            if value is not None:
                _correct(fixes, s, value, message, (found.start(), found.end()), statements)
                return fixes
        for s in reversed(said):
            period = _other_start(s, old, new, told, message)
            if period is not None:
                at = (found.start(), found.end())
                _correct(fixes, s, s.value, message, at, statements, period)
                return fixes
        taken = contrasted(
            said, statements, old, written, beside, language_of(message), slip is not None
        )
        if taken is not None:
            wrong, value = taken
            _correct(fixes, wrong, value, message, (found.start(), found.end()), statements)
            if wrong.found.predicate in _LISTED:
                others = (s for s in statements if s.value not in (wrong.value, value))
                fixes.replaced.difference_update(map(id, others))
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
    if slip and slip.start() < 40 and birth_said and not fixes.atoms:
        year = _YEAR.match(low, slip.end())
        iso = f"{year['year']}{str(birth_said.value)[4:]}" if year else None
        if year is not None and iso is not None and iso != birth_said.value:
            _correct(fixes, birth_said, iso, message, year.span(), statements)
            return fixes
    due = latest.get((message.speaker, "deadline"))
    if slip and slip.start() < 12 and due and not fixes.atoms and not statements:
        other = other_day(date.fromisoformat(str(due.value)), low, slip.end())
        if other is not None:
            _correct(fixes, due, other[0].isoformat(), message, other[1:], statements)
            return fixes
    if slip and slip.start() < 40 and not fixes.atoms and not statements:
        _other_age(fixes, latest, low[slip.end() :], slip.end(), message, statements)
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
    if slip and slip.start() < 12 and not fixes.atoms and not statements:
        bare = _BARE_NAME.match(message.text, slip.end())
        named = [s for s in _said(earlier[-1], window.tz) if s.found.predicate in _NAMED_VALUES]
        if bare and len(named) == 1 and earlier[-1].speaker == message.speaker:
            kind, _, _ = str(named[0].value).rpartition(": ")
            value = f"{kind}: {bare['name']}" if kind else bare["name"]
            _correct(fixes, named[0], value, message, bare.span("name"), statements)
            return fixes
        if len(named) == 1 and earlier[-1].speaker == message.speaker:
            was = named[0]
            alone = bare_name_ru(was.found.predicate, str(was.value), message.text, slip.end())
            if alone is not None:
                _correct(fixes, was, alone[0], message, alone[1:], statements)
                return fixes
    number, tail = latest.get((message.speaker, "phone")), _ENDS_IN.search(low)
    if slip and slip.start() < 40 and not fixes.atoms and number and tail:
        value = _with_ending(str(number.value), tail["digits"])
        _correct(fixes, number, value, message, tail.span(), statements)
    budget = latest.get((message.speaker, "budget_limit"))
    if slip and slip.start() < 40 and budget and not fixes.atoms and not statements:
        money = find_money(low, 0, language_of(message), window.tz)
        money = in_thousands_of(money, str(budget.value)) if money else None
        if (
            money
            and (money[3] or are_alike(money[0], str(budget.value)))
            and money[0] != budget.value
        ):
            _correct(fixes, budget, money[0], message, (money[1], money[2]), statements)
    if ending:
        fixes.closures.extend(ends_of(said, earlier[-1], message, told, statements))
    return fixes


_KIDDING = re.compile(
    r"(?:(?:ok(?:ay)?|haha|lol|no)[,.!]*\s+)?(?:(?:just|only|i'm|i am|totally|obviously)\s+)*(?:kidding|joking|jk|j/k|шучу|шутка)\b(?! (?:aside|apart))"
)


def _unsaid(fixes: Fixes, before: WindowMessage, message: WindowMessage, tz: str) -> None:
    """Takes back what the speaker's message right before said, where it was a joke."""
    if (
        before.sent_at is None
        or message.sent_at is None
        or message.sent_at - before.sent_at > _SOON
    ):
        return
    for s in _said(before, tz):
        fixes.closures.append(
            ClosureDraft(
                action=ClosureAction.retracted,
                subject=s.subject,
                predicate=s.found.predicate,
                object=s.value,
                ended_at=None,
                text=message.text[:1_000],
                confidence=0.75,
                quoted=message.quoted,
                spans=(Span(start=0, end=len(message.text)),),
            )
        )


_SOON = timedelta(minutes=30)


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


_NUMBER = re.compile(r"[^\d]{0,12}\b(?P<n>\d{1,3})\b(?!\s*(?:тыс|руб|к\b|%))")


def _other_age(
    fixes: Fixes,
    latest: Mapping[tuple[str, str], Statement],
    behind: str,
    at: int,
    message: WindowMessage,
    statements: list[Statement],
) -> None:
    """A number alone after a slip, where an age was said last ("ой вру, 65")."""
    if not latest or list(latest)[-1][1] != "age":
        return
    was = list(latest.values())[-1]
    found = _NUMBER.match(behind)
    if (
        found is not None
        and str(was.value) != found["n"]
        and abs(int(found["n"]) - int(str(was.value))) <= 20
    ):
        _correct(fixes, was, int(found["n"]), message, (at, at + found.end()), statements)


_MOVED = Gated(
    r"\b(?:перенес\w+|перенос\w+|сдвину\w+|сдвига\w+|передвину\w+|отодвину\w+|подвину\w+|продлил\w*|продлева\w+|отсроч\w+|дали\s+время)\s+(?:[а-я]+\s+){0,3}?(?:на|до|к)\s+(?=[\dа-я])"
)


def _only_deadline(
    latest: Mapping[tuple[str, str], Statement], statements: list[Statement]
) -> Statement | None:
    """The one deadline spoken of before, where the message states none itself."""
    due = [s for (_, predicate), s in latest.items() if predicate == "deadline"]
    is_stated = any(s.found.predicate == "deadline" for s in statements)
    return due[0] if len(due) == 1 and not is_stated else None


def _put_off(
    fixes: Fixes,
    latest: Mapping[tuple[str, str], Statement],
    moved: re.Match[str],
    message: WindowMessage,
    told: datetime,
    statements: list[Statement],
) -> None:
    """The new day of the one deadline spoken of ("дали отсрочку до 28-го"): the old one held till now."""
    due = _only_deadline(latest, statements)
    if due is None:
        return
    near = [m for m in dates_in(message.text, told, language_of(message)) if moved.end() - 4 <= m.start <= moved.end() + 3]  # fmt: skip
    day = deadline_date(near[0], lower(message.text[near[0].start : near[0].end])) if near else None
    if day is None or day < told.date() or day.isoformat() == due.value:
        return
    _hold_from_now(fixes, due, day.isoformat(), message, told, (moved.start(), near[0].end))


def _shift(
    fixes: Fixes,
    latest: Mapping[tuple[str, str], Statement],
    low: str,
    message: WindowMessage,
    told: datetime,
    statements: list[Statement],
) -> None:
    """The one deadline spoken of, shifted by a while ("сдвинули на неделю")."""
    due = _only_deadline(latest, statements)
    if due is None:
        return
    found = shifted(date.fromisoformat(str(due.value)), low)
    if found is not None and found[0] >= told.date():
        _hold_from_now(fixes, due, found[0].isoformat(), message, told, found[1:])


_RAISED = Gated(
    r"\b(?:подня\w+|поднима\w+|увелич\w+|повы[сш]\w+|урез\w+|сократи\w+|сниз\w+|опусти\w+|расшири\w+|ужал\w*|подвину\w+)\s+(?:[а-я]+\s+){0,2}?до\s+(?=[\dа-я])"
)


def _reset(
    fixes: Fixes,
    limit: Statement,
    raised: re.Match[str],
    message: WindowMessage,
    told: datetime,
    statements: list[Statement],
    tz: str,
) -> None:
    """The new sum of the limit spoken of ("подняли до 320к"): the old one held till now."""
    if any(s.found.predicate == "budget_limit" for s in statements):
        return
    money = find_money(lower(message.text), raised.end(), language_of(message), tz)
    if money is None or money[1] > raised.end() + 1 or money[0] == limit.value:
        return
    if money[3] or are_alike(money[0], str(limit.value)):
        _hold_from_now(fixes, limit, money[0], message, told, (raised.start(), money[2]))


def _hold_from_now(
    fixes: Fixes,
    was: Statement,
    value: str,
    message: WindowMessage,
    told: datetime,
    at: tuple[int, int],
) -> None:
    fixes.atoms.append(
        AtomDraft(
            subject=was.subject,
            predicate=was.found.predicate,
            object=value,
            text=message.text[:1_000],
            valid_from=midnight(told),
            valid_to=None,
            start_inferred=True,
            holds_when_told=True,
            valid_precision=Precision.day,
            confidence=0.75,
            quoted=message.quoted,
            spans=(Span(start=at[0], end=at[1]),),
        )
    )


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
    if predicate == "phone":
        wrong, right = re.sub(r"\D", "", old), re.search(r"\d[\d -]*\d", new)
        digits = re.sub(r"\D", "", str(s.value))
        if right and 2 <= len(wrong) <= 8 and digits.endswith(wrong):
            return _with_ending(str(s.value), re.sub(r"\D", "", right[0]))
        return None
    if predicate in _NAMED_VALUES:
        return _renamed(str(s.value), old, new)
    if predicate == "age":
        numbers = [re.search(r"\b(\d{1,3})\b", part) for part in (old, new)]
        if numbers[0] and numbers[1] and str(s.value) == numbers[0][1]:
            return int(numbers[1][1])
    return None


_NAMED_VALUES = frozenset({"employer", "location", "relative", "pet", "medication", "tool"})


_SOMEBODY = re.compile(r"(?:I|We|You|He|She|It|They)\b")
"""What begins a clause, no name."""


def _renamed(value: str, old: str, new: str) -> str | None:
    """A name put for the one that is taken back ("not Etsy, it's eBay"), with the kind before it."""
    kind, _, name = value.rpartition(": ")
    if fold(old.strip()) != fold(name) or not re.search(r"[A-Z]", name):
        return None
    found = re.match(
        r"\s*(?:(?:it's|it is|at|in|with|to|called|named)\s+)*(?P<name>(?:[A-Z]|[a-z]{1,4}[A-Z])[\w&'’.-]*(?:\s(?:of\s|&\s)?[A-Z][\w&'’.-]*){0,3})",
        new,
    )
    if found is None:
        return None
    said = found["name"].rstrip(".")
    if _SOMEBODY.match(said):
        return None
    return f"{kind}: {said}" if kind else said


def _with_ending(number: str, digits: str) -> str:
    """A number whose last digits are others, its spaces and signs kept."""
    left = list(digits)
    backwards = [left.pop() if c.isdigit() and left else c for c in reversed(number)]
    return "".join(reversed(backwards))


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
