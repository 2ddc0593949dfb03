"""Takers of both languages: how the slot of a construction is cut."""

import re
from collections.abc import Iterator, Mapping

from memory_pipeline.understand.extraction.calendar_words import CALENDAR_EN
from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import (
    LANGUAGES_EN,
    POINTING_EN,
    tool_name,
    tools_in,
)
from memory_pipeline.understand.extraction.numbers import find_money, small_number
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import (
    sentence_case,
)
from memory_pipeline.understand.extraction.places import (
    is_known_place,
)
from memory_pipeline.understand.extraction.rules.aims import VAGUE_PLAN, purpose
from memory_pipeline.understand.extraction.rules.learned import languages_in
from memory_pipeline.understand.extraction.rules.medicines import drug_en, drug_ru
from memory_pipeline.understand.extraction.sentences import Sentence

NO_THING = POINTING_EN | frozenset(
    [
        "все",
        "всё",
        "это",
        "то",
        "что",
        "вас",
        "тебя",
        "его",
        "ее",
        "её",
        "их",
        "себя",
        "меня",
        "нас",
        "ничего",
        "что-то",
        "кого-то",
        "вообще",
        "так",
        "там",
        "тут",
        "один",
        "идея",
        "вариант",
        "мысль",
        "ответ",
        "раз",
        "день",
        "время",
        "дело",
        "место",
        "люди",
        "человек",
        "пора",
        "момент",
        "случай",
        "вопрос",
        "проблема",
        "one",
        "here",
        "there",
        "the",
        "to",
        "those",
        "these",
        "way",
        "time",
        "lot",
        "idea",
        "your",
        "his",
        "their",
        "fact",
        "things",
        "stuff",
    ]
)


def const(value: str | None) -> Take:
    """A value that the frame itself states."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        yield value, start, start

    return take


_WORK_OF_LIFE = re.compile(r"роман|книг|диссертац|диплом|музык|альбом|novel|book|thesis|album")


def aim(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What is aimed at: an infinitive phrase up to the clause's end."""
    end = re.compile(r"[,.;!?()\n]|\s[—–-]\s").search(sentence.text, start, stop)
    raw = sentence.text[start : end.start() if end else stop]
    value = purpose(raw)
    vague = VAGUE_PLAN.match(value.lower()) and not _WORK_OF_LIFE.search(value.lower())
    if value and not vague and len(value.split()) > 1:
        yield value, start, start + len(raw)


def whole(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The whole sentence, as a rule is stated."""
    value = sentence_case(sentence.text)[:200]
    if 2 <= len(value.split()) <= 30:
        yield value, 0, len(sentence.text)


def said(names: Mapping[str, str] | None = None) -> Take:
    """The words of the slot themselves, or what `names` calls them."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        words = sentence.text[start:stop].strip()
        yield (names or {}).get(words.lower().replace("ё", "е"), words), start, stop

    return take


def rest(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What follows, up to the end of the clause."""
    end = re.compile(r"[,.;!?()\n]|\s[—–]\s").search(sentence.text, start, stop)
    value = sentence_case(sentence.text[start : end.start() if end else stop])
    if 1 <= len(value.split()) <= 8:
        yield value, start, start + len(value)


def money(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A sum of money within the slot."""
    found = find_money(sentence.low[:stop], start, sentence.lang, scene.tz)
    if found is None or found[1] - start > 30:
        return
    value, a, b, said = found
    if not said and float(value.split()[0]) < 1_000:
        return
    if re.match(r"\s*(?:%|процент|percent|people|человек|мин|час|дн|недел|раз|лет|год|км|кг|hours?|days?|words|miles)", sentence.low[b:]):  # fmt: skip
        return
    yield value, a, b


def number(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """An age within the slot."""
    value = small_number(sentence.low[start:stop])
    if value is not None and value >= 3:
        yield value, start, stop


WORK_THINGS = (
    r"(?:payroll|invoic\w+|accounting|bookkeeping|books|billing|expenses|tickets?|bugs?|issues?|notes?|docs?|documentation|tasks?|to-?dos?|code|"
    r"designs?|mockups?|wireframes?|planning|roadmaps?|sprints?|standups?|projects?|backlogs?|repos?|tests?|files?|photos?|wiki|budgets?|schedul\w+|"
    r"calendars?|contracts?|contacts|leads|emails?|newsletters?|surveys?|recruiting|hiring|onboarding|deploy\w*|builds?|support|drafts?|slides|decks?|"
    r"spreadsheets?|reports?|dashboards?|videos?|podcasts?|music|edits?|editing|interviews?|meetings|calls|payments?|inventory|orders|analytics|time sheets|timesheets|everything)"
)
DONE_SOMEWHERE = re.compile(
    rf"\b(?:run|keep|manage|host|train|cook|study|build|store|shoot|film|measure|cut|sew|paint|teach|own|sell)\s+(?!(?:[\w'-]+\s+){{0,3}}?(?:everything|all|{WORK_THINGS})\b)(?:[\w'-]+\s+){{1,4}}?in\s+$"
)
"""What is kept or run "in" something of a name that is no known tool: it may be a place."""


def known_tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Tools known by name alone, where the words before announce other things too."""
    for value, a, b in tool(sentence, scene, start, stop):
        if tool_name(str(value)) is None:
            return
        yield value, a, b


def tool(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Tools right after a verb of use: known ones, or names in foreign letters or capitals."""
    text, low = sentence.text[:stop], sentence.low[:stop]
    at = start
    while True:
        known = tools_in(text, low, at, min(stop, at + 30), strict=False)[:1]
        if known and not low[at : known[0][1]].strip():
            name, a, b = known[0]
        else:
            latin = re.compile(
                r"\s*(?P<name>[A-Z][\w+#]*(?:[.-]\w+)*(?:\s[A-Z][\w+#]*){0,2})(?!['’\w])"
            ).match(text, at)
            if latin is None or latin["name"].split()[0] in {"I", "My", "The", "It", "We", "He", "She"}:  # fmt: skip
                return
            if sentence.lang == "en" and DONE_SOMEWHERE.search(low, 0, start):
                return
            name, a, b = latin["name"], latin.start("name"), latin.end("name")
            if (
                is_known_place(name)
                or is_given_name(name.split()[0])
                or name.lower() in LANGUAGES_EN
                or name.split()[0].lower() in CALENDAR_EN
            ):
                return
        yield name, a, b
        joint = re.compile(r"\s*(?:,|\+|/|&)\s*(?:and\s+|и\s+)?|\s+(?:and|и)\s+").match(low, b)
        if joint is None:
            return
        at = joint.end()


def language(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """Languages within the slot's next words."""
    yield from languages_in(sentence.low, start, min(stop, start + 40), sentence.lang)


def drug(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One medicine."""
    low = sentence.low[:stop]
    found = drug_ru(low, start) if sentence.lang == "ru" else drug_en(low, start)
    if found is not None:
        yield found


def formed(inner: Take, form: str) -> Take:
    """What `inner` takes, put into words (`{}`)."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            yield form.format(value), a, b

    return take
