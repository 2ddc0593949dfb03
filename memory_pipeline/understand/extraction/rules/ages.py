"""Rules for `age`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.numbers import (
    NUMBER_WORD_EN,
    NUMBER_WORD_RU,
    small_number,
)
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_NUM_RU = rf"(?:\d{{1,3}}|{NUMBER_WORD_RU})"
_NUM_EN = rf"(?:\d{{1,3}}|{NUMBER_WORD_EN})"
RU_AGE_ME = Gated(
    rf"\b(?:мне(?:\s+(?:уже|сейчас|всего|только|вот|недавно|вчера|сегодня|на днях|как раз|скоро будет))?(?:\s+(?:исполнилось|стукнуло))?|(?:исполнилось|стукнуло)(?:,?\s+мне)?(?:\s*,?\s*значит\s*,?)?)\s+(?P<n>{_NUM_RU})(?:\s+(?P<unit>лет|год(?:а|ик)?|стукнуло|исполнилось))?(?!\s*(?:\w+\s+)?(?:руб|тыс|%|раз|час|мин|дн|штук|месяц|недел|к\b|км|метр|кг|т\.|₽|\$|человек|мест|билет|и\s+\d|[-–]\s*\d|[.,:]\d|\d))"
)
RU_AGE_OTHER = re.compile(
    rf"(?:\s+(?:мо\w+|наш\w+))?(?:\s+(?:уже|сейчас|всего|только|недавно|вчера|сегодня|на днях|вот|как раз|тогда|скоро|в\s+(?:понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)))*(?:\s+(?:исполнилось|стукнуло|исполняется))?\s*[-—–]?\s*(?P<n>{_NUM_RU})(?:\s+(?P<unit>лет|год(?:а|ик)?|стукнуло|исполнилось|стукнет))?\b"
)
EN_AGE_ME = Gated(
    rf"\b(?:i'm|i am|im|i just turned|i turned|i'll be turning|turned)\s+(?:now\s+|only\s+|already\s+|almost\s+)?(?P<n>{_NUM_EN})(?P<old>\s*(?:-| )?\s*(?:years?[\s-]old|yo\b|y/o|yrs? old))?(?=\s*(?:[,.;!?)]|$|\s(?:and|now|but|this|so|today|yesterday|years|with|next|in)\b))(?!\s*(?:%|\$|k\b|minutes?|mins?|hours?|days?|weeks?|months?|miles?|pounds?|lbs|kg|percent|blocks?|people|of\b|and a half|(?:years? )(?:in|into|sober|clean|at|with)))"
)
EN_AGE_OTHER = re.compile(
    rf"(?:'s|\s+is|\s+just\s+turned|\s+turned|\s+turns|,?\s+who\s+is|,|\s*\()\s*(?:now\s+|only\s+|already\s+)?(?P<n>{_NUM_EN})(?P<old>\s*(?:-| )?(?:years?[\s-]old|yo\b|y/o))?(?=\s*(?:[,.;!?)]|$|\s(?:and|now|but|so|today|yesterday|already|years|who|last|this|in)\b))(?!\s*(?:%|\$|minutes?|hours?|days?|weeks?|months?|miles?|pounds?|percent|people|of\b|years? (?:in|into|sober|clean|at|with)))"
)


_NOT_YET = re.compile(
    r"\b(?:before|like|when|until|till|once|by the time|as if|as though|unless|after|since|think|thinks|thought)\s+$"
)
"""Words before "I'm fifty" which say that it is not so now."""


_GOES_ON = re.compile(r"\s+(?:и|а|но)\s+(?:я|мы|все|уже|еще|пока)\b")
"""Another clause after a bare number ("мне 62 и я всех перетанцевала")."""


def ages(sentence: Sentence, everyone: list[Person]) -> Iterator[Found]:
    """Ages of the speaker and of the persons named."""
    low = sentence.low
    russian = sentence.lang == "ru"
    for found in (RU_AGE_ME if russian else EN_AGE_ME).finditer(low):
        number = small_number(found["n"])
        if number is None or number < 5:
            continue
        explicit = (
            found.groupdict().get("unit")
            or found.groupdict().get("old")
            or (russian and re.search("исполн|стукн", found[0]))
        )
        if not explicit and not (10 <= number <= 110):
            continue
        if not russian and _NOT_YET.search(low[: found.start()]):
            continue
        if (
            russian
            and not explicit
            and sentence.clause_at(found.start()).end > found.end() + 3
            and not _GOES_ON.match(low, found.end())
        ):
            continue
        third = [p for p in everyone if p.end <= found.start() and not p.first]
        if not russian and found[0].startswith("turned") and third:
            continue
        told_of = [p for p in third if "datv" in p.cases and not p.pronoun and p.ref is not None]
        whose = told_of[-1].ref if russian and told_of and not re.search(r"\bмне\b", low) else None
        yield Found(
            "age",
            number,
            found.start(),
            found.end(),
            Mode.state,
            Who.first,
            whose,
            confidence=0.88,
            dated=False,
        )
    for person in everyone:
        if person.first or person.ref is None:
            continue
        if russian and not person.cases & {"datv"}:
            continue
        found_after = (RU_AGE_OTHER if russian else EN_AGE_OTHER).match(
            low, person.end if low[person.end - 2 : person.end] != "'s" else person.end - 2
        )
        if found_after is None:
            continue
        number = small_number(found_after["n"])
        if number is None or (
            russian
            and not (
                found_after["unit"]
                or re.match(r"\s*(?:$|[,.;!)]|\s+(?:а|и|но)\s)", low[found_after.end() :])
            )
        ):
            continue
        if (
            not russian
            and found_after[0].lstrip().startswith((",", "("))
            and not (found_after["old"] or person.kind)
        ):
            continue
        yield Found(
            "age",
            number,
            person.start,
            found_after.end(),
            Mode.state,
            subject=person.ref,
            confidence=0.85,
            dated=False,
        )
