"""Lasting wishes about how to be answered and written to ("отвечай мне покороче, без смайликов").

The aspect tells them from orders: "отвечай" is meant for every time, "ответь" for this one.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.extraction.constructions.clauses_ru import is_period
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import russian_phrase
from memory_pipeline.understand.extraction.sentences import STEM, Clause, Sentence
from memory_pipeline.understand.morphology import parses
from memory_pipeline.understand.word_blocks import words

_VERBS = frozenset(
    words(
        "отвечать писать говорить объяснять присылать слать скидывать обращаться звать называть формулировать излагать "
        "общаться рассказывать пояснять выражаться оформлять излагать комментировать звонить"
    )
)
_STEMS = frozenset(
    words(
        "отве пиши гово объя прис шли скид обра зови назы форм изла обща расс пояс выра офор комм звон"
    )
)
_ASIDES = frozenset(
    words(
        "мне нам ко пожалуйста плиз лучше всегда просто только давай давайте ты вы уж же тогда впредь в дальнейшем ну и а"
    )
)
_MANNER = re.compile(
    r"(?:только\s+|исключительно\s+|строго\s+)*(?:по\s+(?:делу|имени|отчеству|пунктам|существу|очереди|одному|русски|человечески)|без\s|на\s+(?:ты|вы)\b|на\s+[а-я]+ом\b|на\s+пальцах|одним\s|списк|тезис|текст|голосов|через\s+)"
)
_ONCE = re.compile(r"[@\d]|\b(?:завтра|сегодня|сейчас|потом|как|когда|если|что|где|кто|вечером|утром|днем|про|о|об|еще|срочно|скорее|быстрее|смело|сюда|туда|ему|ей|им)\b")  # fmt: skip


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:  # noqa: ARG001
    """Wishes of the speaker about the manner of answers."""
    if _STEMS.isdisjoint(sentence.stems):
        return
    clauses = sentence.clauses
    for n, clause in enumerate(clauses):
        if clause.blocked:
            continue
        value = _manner(sentence, clause)
        if value is None:
            continue
        yield _wish(value, clause.start, clause.end)
        for after in clauses[n + 1 : n + 3]:
            without = _without(sentence, after)
            if without is None:
                break
            yield _wish(without, after.start, after.end)


def _wish(value: str, start: int, end: int) -> Found:
    return Found("preference", value, start, end, Mode.state, Who.first, verb=start, confidence=0.7, dated=False)  # fmt: skip


def _manner(sentence: Sentence, clause: Clause) -> str | None:
    """The wish of a clause by its infinitive, where it says nothing but how."""
    said = sentence.low[clause.start : clause.end]
    parts = re.findall(r"[а-яa-z-]+", said)
    if not 2 <= len(parts) <= 9 or "не" in parts or _ONCE.search(said):
        return None
    at = next((n for n, word in enumerate(parts) if word[:STEM] in _STEMS and _wished(word)), None)
    if at is None or any(word not in _ASIDES for word in parts[:at]):
        return None
    rest = [word for word in parts[at + 1 :] if word not in _ASIDES or word == "только"]
    if not rest or not (_tells_how(rest[0]) or _MANNER.match(" ".join(rest))):
        return None
    return " ".join([_wished(parts[at]) or "", *rest])


@lru_cache(maxsize=4096)
def _wished(word: str) -> str | None:
    """The infinitive of an imperative of speaking that is meant for every time, or None."""
    for parse in parses(word):
        if "impr" in parse.tag and "impf" in parse.tag and parse.normal_form in _VERBS:
            return str(parse.normal_form)
    return None


@lru_cache(maxsize=4096)
def _tells_how(word: str) -> bool:
    return str(parses(word)[0].tag.POS) in ("ADVB", "COMP") and not is_period(word)


def _without(sentence: Sentence, clause: Clause) -> str | None:
    """What a clause wants left out ("без этих ваших смайликов" → "без смайликов"), or None."""
    lead = re.compile(r"\s*(?:и\s+)?без\s+(?:(?:эт|всяк|ваш|тво|лишн|все)[а-я]*\s+)*").match(sentence.low, clause.start, clause.end)  # fmt: skip
    if lead is None:
        return None
    found = russian_phrase(sentence.text[: clause.end], lead.end(), ("gent",), 3, frozenset())
    return None if found is None else f"без {sentence.low[found[1] : found[2]]}"
