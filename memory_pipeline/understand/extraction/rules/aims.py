"""Cutting the words of an aim."""

import re

from memory_pipeline.understand.extraction.phrases import (
    sentence_case,
)

VAGUE_PLAN = re.compile(
    r"^(?:be|have|get|go|do|see|try|check|make|say|ask|tell|let|need|take|give|keep|talk|call|sleep|eat|bed|cry|die|just|look|watch|use|show|send|miss|love|kill|not|"
    r"быть|спать|есть|пойти|идти|делать(?!\s+(?:ремонт|операци|карьер|пристро|тату|пирсинг|мебел|прививк))|посмотреть|сказать|спросить|написать|взять|дать|узнать|уточнить)\b"
)


_NEXT_AIM = re.compile(
    r"\s*,?\s+and\s+(?:also\s+|finally\s+|maybe\s+)?(?:to\s+)?(?=(?:get|run|learn|lose|pass|save|quit|write|master|become|climb|speak|finish|swim|read|buy|open|start|build|earn|pay|publish|win|move|travel|visit|retire|stop|hike|cycle|complete|sell|cook|play|launch|grow|qualify|train|go|see|do|take|give|cut|drink|eat|sleep|call|fix|clear)\s)"
)


def each_aim(value: str) -> list[str]:
    """The aims of an English phrase, each with a verb of its own ("read 30 books and get fit")."""
    return _NEXT_AIM.split(value)


def purpose(raw: str) -> str:
    """An infinitive phrase cut before dates and asides; empty where it is too long or vague."""
    value = re.split(
        r"\s+(?:но|а|если|когда|потому|чтобы|хотя|пока|but|because|when|if|since|so|though|once|before|after|and maybe|as soon|so that|this|next|tomorrow|today|tonight|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d)|on (?:mon|tue|wed|thu|fri|sat|sun)\w*|на следующ\w+|в (?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре|следующ\w+|понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)|завтра|сегодня|весной|летом|осенью|зимой|some day|someday|soon|too|again)\b",
        raw.strip(),
    )[0]
    value = re.sub(r"^(?:also|maybe|probably|finally|just)\s+", "", value)
    value = re.sub(r"\s+и\s+(?:может|потом)\b.*$", "", value)
    words = value.split()
    if len(words) > 1 and words[1] in ("и", "and", "or", "или"):
        return ""
    return (
        sentence_case(value) if 1 < len(words) <= 9 or (len(words) == 1 and len(value) > 6) else ""
    )
