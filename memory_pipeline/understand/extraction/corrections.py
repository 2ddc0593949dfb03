"""What the last message takes back of what its speaker said before in the window."""

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache

from memory_pipeline.contracts.statement import (
    AtomDraft,
    ClosureDraft,
    Span,
    Window,
    WindowMessage,
)
from memory_pipeline.contracts.vocabulary import ClosureAction
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.numbers import MONEY, find_money
from memory_pipeline.understand.extraction.people import People
from memory_pipeline.understand.extraction.periods import midnight
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.rules.births import DATE, MONTH_NUMBERS, MONTHS, iso_date
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.morphology import lemma

_NOT_BUT = re.compile(
    r"\b(?:не|not)\s+(?P<old1>[^,.;!?\n]{1,30}?)\s*,?\s*(?:а|but|it's|rather)\s+(?P<new1>[^,.;!?\n]{1,40})"
    r"|(?P<new2>(?:[^,.;:!?\n]|(?<=\d)[,.](?=\d)){1,40}?)\s*,?\s*(?:а не|not|rather than|instead of)\s+(?P<old2>(?:[^,.;!?\n]|(?<=\d)[,.](?=\d)){1,30})"
)
_SLIP = re.compile(
    r"\b(?:ошиб\w+|оговорил\w*|описал\w*с[ья]|опечат\w+|поправ\w+|исправл\w+|точнее|вернее|то есть нет|correction|sorry|oops|typo|fat fingers|i meant|wait,? no|my mistake|misspoke|scratch that|actually)\b"
)
_MINE = re.compile(
    rf"\b(?:mine is|mine's|my own is|my actual \w+ is|у меня|мой|моя|моё|мое)\s*[-—:]?\s*(?P<date>{DATE})"
)
_NEVER = re.compile(
    r"\b(?:never was|never were|never had|turned out (?:i|it) (?:wasn't|never)|was wrong|не было никогда|никогда не было|и не было|оказалось,? не|не подтвердил\w+|ошибочн\w+)\b"
)
_ENDS: dict[str, re.Pattern[str]] = {
    "allergy": re.compile(r"\b(?:off the list|no longer|outgrew|outgrown|cleared|gone|not allergic|can (?:now )?(?:eat|have)|прошла|снял\w*|теперь можно|можно|больше нет|перерос\w*|отменил\w*)\b"),
    "medication": re.compile(r"\b(?:stopped|off|done with|no longer|quit|finished|отменил\w*|бросил\w*|закончил\w*|больше не|перестал\w*|допил\w*|сняли)\b"),
    "diet": re.compile(r"\b(?:no longer|not .* anymore|eat meat again|over|done with|больше не|уже не|снова ем|бросил\w*)\b"),
    "tool": re.compile(r"\b(?:gone|dropped|ditched|uninstalled|removed|dead|retired|снес\w*|удалил\w*|выкинул\w*|выпилил\w*|отказал\w*|больше не|забросил\w*)\b"),
    "owns": re.compile(r"\b(?:sold|stolen|crashed|totaled|totalled|scrapped|gave away|traded in|продал\w*|украли|угнали|разбил\w*|отдал\w*)\b"),
    "pet": re.compile(r"\b(?:goodbye|died|passed away|passed|put down|put .* to sleep|rehomed|no longer with us|умер\w*|не стало|похоронили|усыпили|ушел|ушла|потеряли)\b"),
    "goal": re.compile(r"\b(?:passed|finished|did it|done|completed|reached|achieved|made it|finally|сдал\w*|пробежал\w*|выполнил\w*|достиг\w*|получил\w*|закончил\w*|сделал\w*)\b"),
    "plan": re.compile(r"\b(?:cancell?ed|called off|not happening|changed my mind|scrapped|off|передумал\w*|отмен\w+|не буду|сорвал\w*)\b"),
    "requirement": re.compile(r"\b(?:lifted|dropped|no longer|waived|relaxed|снят\w*|снимаем|больше не|отмен\w+|не нужн\w+)\b"),
    "legal_constraint": re.compile(r"\b(?:lifted|expired|no longer|ended|снят\w*|истек\w*|больше не действует)\b"),
    "employer": re.compile(r"\b(?:ушел оттуда|ушла оттуда|оттуда уш\w+|left there|left that job)\b"),
    "preference": re.compile(r"\b(?:no longer|not anymore|changed my mind|больше не|разлюбил\w*|передумал\w*)\b"),
}  # fmt: skip
_SINGLE_VALUED_ONCE = frozenset({"birth_date"})


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


def read_corrections(window: Window, told: datetime | None, statements: list[Statement]) -> Fixes:
    """The corrections and ends that the last message makes to its speaker's earlier statements."""
    fixes = Fixes()
    *earlier, message = window.messages
    low = lower(message.text)
    if low.rstrip().endswith("?"):
        return fixes
    slip = _SLIP.search(low)
    contrast = _NOT_BUT.search(low)
    ending = any(pattern.search(low) for pattern in _ENDS.values())
    if not (slip or contrast or ending or _MINE.search(low)):
        return fixes
    said = [
        s
        for m in earlier
        if m.role == "user" and m.speaker == message.speaker
        for s in _said(m, window.tz)
    ]
    if not said:
        return fixes
    latest: dict[tuple[str, str], Statement] = {}
    for s in said:
        latest[(s.subject.name, s.found.predicate)] = s
    for found in _NOT_BUT.finditer(low):
        old, new = found["old1"] or found["old2"], found["new1"] or found["new2"]
        for s in reversed(list(latest.values())):
            value = _swapped(s, old, new, window.tz, message)
            if value is not None:
                _correct(fixes, s, value, message, (found.start(), found.end()), statements)
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
    budget = latest.get((message.speaker, "budget_limit"))
    if slip and slip.start() < 40 and budget and not fixes.atoms and not statements:
        money = find_money(low, 0, language_of(message), window.tz)
        if money and money[3] and money[0] != budget.value:
            _correct(fixes, budget, money[0], message, (money[1], money[2]), statements)
    if ending:
        _end_mentioned(fixes, said, message, told, low, statements)
    return fixes


def _swapped(s: Statement, old: str, new: str, tz: str, message: WindowMessage) -> str | int | None:
    """The corrected value, where the words taken back are this statement's value."""
    lang = language_of(message)
    predicate = s.found.predicate
    if predicate == "budget_limit":
        return _swapped_money(str(s.value), old, new, lang, tz)
    if predicate == "deadline":
        days = [re.search(r"\b(\d{1,2})\b", part) for part in (old, new)]
        was = date.fromisoformat(str(s.value))
        other_month = re.search(MONTHS, new)
        if other_month and MONTH_NUMBERS[other_month[0][:3]] != was.month:
            return None
        if days[0] and days[1] and int(days[0][1]) == was.day:
            try:
                return was.replace(day=int(days[1][1])).isoformat()
            except ValueError:
                return None
        return None
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
) -> None:
    """Takes `was` back and states `value` for the same time."""
    span = Span(start=at[0], end=at[1])
    text = message.text[:1_000]
    fixes.closures.append(
        ClosureDraft(
            action=ClosureAction.corrected,
            subject=was.subject,
            predicate=was.found.predicate,
            object=was.value,
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
            valid_from=was.period.valid_from,
            valid_to=was.period.valid_to,
            start_inferred=was.period.inferred,
            holds_when_told=was.period.holds,
            valid_precision=was.period.precision,
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


def _end_mentioned(
    fixes: Fixes,
    said: list[Statement],
    message: WindowMessage,
    told: datetime | None,
    low: str,
    statements: list[Statement],
) -> None:
    """Ends of things said before, named again beside a word that ends them."""
    from memory_pipeline.understand.dates.resolve import resolve

    done: set[tuple[str, str, str]] = set()
    for was in said:
        predicate = was.found.predicate
        pattern = _ENDS.get(predicate)
        if pattern is None:
            continue
        key = (was.subject.name, predicate, fold(str(was.value)))
        if key in done or any(
            fold(str(s.value)) == key[2] and s.found.predicate == predicate for s in statements
        ):
            continue
        for sentence in re.finditer(r"[^.!?;\n]+", low):
            cue = pattern.search(sentence[0])
            if cue is None or not _names(sentence[0], str(was.value), predicate):
                continue
            if re.search(
                r"\b(?:plan|план|if|если|when|когда|hope|надеюсь|some day|would)\b", sentence[0]
            ):
                continue
            done.add(key)
            never = _NEVER.search(low) is not None and predicate in ("allergy", "medical_condition")
            ended = None
            if told is not None:
                dates = [
                    m
                    for m in resolve(message.text, told, language_of(message))
                    if m.valid_from is not None
                    and sentence.start() <= m.start < sentence.end() + 1
                    and m.direction in ("point", "from")
                    and m.valid_from <= told
                ]
                ended = dates[0].valid_from if dates else midnight(told)
            fixes.closures.append(
                ClosureDraft(
                    action=ClosureAction.retracted if never else ClosureAction.ended,
                    subject=was.subject,
                    predicate=predicate,
                    object=was.value,
                    ended_at=None if never else ended,
                    text=message.text[sentence.start() : sentence.end()].strip()[:1_000],
                    confidence=0.75,
                    quoted=message.quoted,
                    spans=(Span(start=sentence.start(), end=sentence.end()),),
                )
            )
            break


def _names(sentence: str, value: str, predicate: str) -> bool:
    """Whether the sentence names a value: all its telling words, in any form."""
    core = value.split(": ", 1)[-1] if predicate in ("pet", "relative") else value
    words = [w for w in re.findall(r"[\w+#]+", fold(core)) if len(w) > 2]
    if not words:
        return False
    present = {lemma(w) for w in re.findall(r"[\w+#]+", fold(sentence))}
    if predicate in ("goal", "plan", "requirement", "legal_constraint"):
        telling = [w for w in words if len(w) > 2][1:] or words
        return sum(lemma(w) in present for w in telling) >= max(1, round(len(telling) * 0.6))
    return all(lemma(w) in present for w in words) or (
        predicate == "allergy" and lemma(words[-1]) in present
    )
