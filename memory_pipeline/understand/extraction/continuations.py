"""What a follow-up adds to what its speaker has just said: "назначили магний" … "и витамин D", "I'm
allergic to cats" … "and birch", "жила в Томске до 2021" … "потом в Омске".

A message that begins as such and states nothing by itself is read as a further clause of the one that
it follows. Only what stands in it counts, and only of a predicate that the first one states.
"""

import re
from dataclasses import replace
from datetime import datetime, timedelta

from memory_pipeline.contracts.statement import Span, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.extraction.exchanges import Told, filled
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.morphology import is_russian, parses

MAX_ADDED = 80
_MAX_WHOLE = 220
_N_BACK = 4
_LONGEST_WAIT = timedelta(hours=1)
_GOES_ON = re.compile(
    r"(?:(?:и|а|но|да|зато|ну|ой)\s+)?(?:ещ[её]|также|тоже|плюс|потом|затем|позже|теперь|сейчас)\b|(?:и|а|зато)\s+(?!что\b|как\b|где\b|кто\b|ты\b|вы\b|он\b|она\b|они\b|если\b|вот\b)"
    r"|(?:(?:and|but|oh|ah|well)[,]?\s+)*(?:also|plus|then|later|now|since)\b|(?:and|oh and)\s+(?!what|how|where|who|you|he|she|they|it\b|if\b|that\b|i\b|we\b|so\b|yes|no\b)"
    r"|(?:please\s+)?add\s|(?:пожалуйста,?\s+)?добав(?:ь|ьте|лю)\s"
    r"|(?:some|a bit of|a little)\s[^.!?]{2,30}\s(?:too|also|as well)\b"
)
_LEAD = re.compile(
    r"(?:(?:и|а|но|зато|ну|ой|ещ[её]|также|тоже|плюс|теперь|сейчас|пожалуйста|добав(?:ь|ьте|лю)|and|but|also|plus|oh|now|please|add|some|a bit of|a little)\b[\s,]*)+",
    re.IGNORECASE,
)
_FEELINGS = re.compile(
    r"(?:so |very |really |a bit )?(?:tired|hungry|sick|sorry|busy|late|fine|sad|happy|done|cold|hot|bored|ready|sleepy|thirsty|dizzy|\w+ed|\w+ing)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"(?:please\s+)?add\s|(?:пожалуйста,?\s+)?добав(?:ь|ьте|лю)\s")
"""What is to be added to a list is so whenever the list was told."""
_ADDS = frozenset(
    {"location", "employer", "job_title", "allergy", "medication", "tool", "language", "preference", "dislike", "medical_condition"}
)  # fmt: skip


def continued(window: Window, scene: Scene, told: datetime | None, stated: list[Statement]) -> Told:
    """What the last message adds, with the evidence of all messages that it takes to read it."""
    *earlier, message = window.messages
    if not _is_added(message.text) or any(s.found.predicate in _ADDS for s in stated):
        return []
    is_order = _ORDER.match(lower(message.text)) is not None
    parts: list[tuple[int, WindowMessage]] = []
    for back, before in enumerate(reversed(earlier[-_N_BACK:]), start=1):
        if before.speaker != message.speaker or before.role is not Role.user:
            return []
        moment = local_time(before, window.tz)
        is_late = told and moment and told - moment > _LONGEST_WAIT
        if "?" in before.text or (is_late and not is_order):
            return []
        parts.insert(0, (back, before))
        alone = read(before.text, language_of(before), moment, scene).statements
        known = {s.found.predicate for s in alone if s.subject.is_speaker} & _ADDS
        if known:
            found = [] if is_order else _added(parts, message, known, scene, told)
            return found or _listed(back, before, message, known, scene, told)
        if not _is_added(before.text):
            return []
    return []


def _is_added(text: str) -> bool:
    if len(text) > MAX_ADDED or "?" in text or _GOES_ON.match(lower(text)) is None:
        return False
    lead = _LEAD.match(text)
    return _FEELINGS.match(text, lead.end() if lead else 0) is None


def _added(
    parts: list[tuple[int, WindowMessage]],
    message: WindowMessage,
    known: set[str],
    scene: Scene,
    told: datetime | None,
) -> Told:
    head = _joined([part.text for _, part in parts])
    whole = _joined([head, message.text])
    if len(whole) > _MAX_WHOLE:
        return []
    lang = language_of(parts[0][1])
    before = {(s.found.predicate, s.value) for s in read(head, lang, told, scene).statements}
    spans = tuple(Span(start=0, end=len(part.text), back=back) for back, part in parts)
    return [
        (s, (*spans, Span(start=0, end=len(message.text))))
        for s in read(whole, lang, told, scene).statements
        if s.found.predicate in known
        and s.subject.is_speaker
        and s.found.mode in (Mode.state, Mode.change, Mode.stay)
        and (s.found.predicate, s.value) not in before
    ]


_LISTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "allergy": (("у меня аллергия на ", "у меня аллергия "), ("i'm allergic to ",)),
    "medication": (("принимаю ",), ("i take ",)),
    "tool": (("пользуюсь ", "работаю в "), ("i use ",)),
    "language": (("говорю на ", "выучил "), ("i speak ",)),
}
"""What there may be several of, and how one more begins."""
_TAIL = re.compile(
    r"(?:[\s,]+(?:тоже|понемногу|немного|пожалуйста|в список|please|to the list|добавил(?:ся|ась|ись|ось)|too|also|as well|got added|has been added))+\s*[.!…]*$",
    re.IGNORECASE,
)
_MOST_WORDS = 4


def _names_a_thing(rest: str) -> bool:
    """Whether words begin as the name of a thing does, and not as one of a deed or a feeling."""
    word = re.sub(r"^(?:на|в|to|in)\s+", "", rest, flags=re.IGNORECASE).split()[:1]
    if not word:
        return False
    if is_russian(word[0]):
        return str(parses(word[0])[0].tag.POS) in ("NOUN", "ADJF")
    return _FEELINGS.match(rest) is None


def _listed(
    back: int,
    before: WindowMessage,
    message: WindowMessage,
    known: set[str],
    scene: Scene,
    told: datetime | None,
) -> Told:
    """One more of a list, by itself: "и витамин D", "some Serbian too"."""
    lead = _LEAD.match(message.text)
    start = lead.end() if lead else 0
    rest = _TAIL.sub("", message.text[start:].split(",")[0].split(".")[0]).rstrip(" .!…")
    named = known & _LISTS.keys()
    if len(named) != 1 or not 1 <= len(rest.split()) <= _MOST_WORDS or not _names_a_thing(rest):
        return []
    predicate = next(iter(named))
    piece = message.model_copy(update={"text": rest})
    lang = language_of(message)
    found = filled(piece, predicate, _LISTS[predicate][lang != "ru"], scene, told)
    evidence = (
        Span(start=0, end=len(before.text), back=back),
        Span(start=0, end=len(message.text)),
    )
    return [
        (replace(s, sentence=message.text), evidence)
        for s, _ in found
        if str(s.value) and s.found.mode is Mode.state
    ]


def _joined(texts: list[str]) -> str:
    """Messages as clauses of one sentence."""
    out = texts[0].rstrip(" .!…")
    for text in texts[1:]:
        glue = " " if re.match(r"(?:и|and)\s", text, re.IGNORECASE) else ", "
        out += glue + text[:1].lower() + text[1:].rstrip(" .!…")
    return out
