"""Rules for `education`, `skill` and `language`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import (
    LANGUAGES_EN,
    LANGUAGES_RU,
    tools_in,
)
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    quoted_at,
    russian_phrase,
)
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

RU_STUDY = Gated(
    r"\b(?:(?P<now>учусь|учится|поступил[аи]?)|(?P<done>закончил[аи]?|окончил[аи]?|отучил(?:ся|ась)|выпустил(?:ся|ась) из|получил[аи]? диплом))\s+(?:(?:уже|сейчас|заочно|очно|когда-то|давно)\s+)?(?P<prep>в|во|на|из)?\s*"
)
_DEGREE_AT = re.compile(r"\bdid my (?P<what>(?!degree\b|training\b|studies\b)\w+) (?:at|in)\b")
EN_STUDY = Gated(
    r"\b(?:i\s+|we\s+|he\s+|she\s+)?(?:(?P<now>studying|am studying|majoring in|study)|(?P<done>studied|graduated (?:in [\w ]{2,20} )?(?:from|with)|did (?:my )?(?:\w+ )?(?:at|in)|did (?:cs|math|maths|physics|law|medicine|economics|english|history|biology|chemistry|engineering|philosophy|art|design|nursing)|got my (?:degree|masters?|master's|phd|bachelor'?s?|mba)(?: degree)? (?:in|from)|(?:^|\b)(?:phd|mba|ma|msc|bsc|ba) (?:in|from)|have an? (?:\w+ )?(?:degree|masters?|master's|phd|bachelor'?s?|mba|diploma|doctorate)(?: degree)? (?:in|from)))\s*"
)
RU_SPEAK = Gated(
    r"\b(?:(?P<first>говорю|владею|знаю|говорим|понимаю|мой родной|родной)|(?P<third>говорит|владеет|знает)|(?P<noun>язык\w*))\b"
)
EN_SPEAK = Gated(
    r"\b(?:(?P<first>(?:i|we)\s+(?:also\s+|can\s+|do\s+|only\s+|grew up speaking\s+|both\s+)*(?:speak)|(?:i'm|i am|im|we're)\s+(?:\w+\s+)?(?:fluent|bilingual|native|conversational)|my (?:native|first|mother) (?:language|tongue) is|i grew up speaking)|(?P<third>speaks|is fluent in|'s fluent in)|(?P<open>speak|fluent in|fluent|native|bilingual))\b"
)
EN_SKILL = Gated(
    r"\b(?:(?:i'm|i am|im|is|'s)\s+(?:really\s+|pretty\s+|very\s+|quite\s+)?(?:good|great|skilled|proficient|experienced|comfortable|strong|handy)\s+(?:at|in|with)|comfortable (?:in|with)|proficient in|experienced (?:in|with)|(?:i|we)\s+(?:also\s+)?know(?:\s+how to)?|i can)\s+"
)
RU_SKILL = Gated(
    r"\b(?:(?:хорошо|отлично|неплохо|уверенно|прилично)\s+(?:знаю|владею|умею|разбираюсь в|шарю в)|умею|знаю|владею|силен в|сильна в|шарю в|разбираюсь в)\s+"
)
_FIELDS = {"cs": "computer science"}


def languages_in(low: str, start: int, end: int, lang: str) -> list[tuple[str, int, int]]:
    out = []
    if lang == "ru":
        for found in re.finditer(
            r"\b(?:по-)?([а-я]+?)(ск|цк)?(ий|ого|им|ому|ом|и|ом)?\b", low[start:end]
        ):
            word = found[0].removeprefix("по-")
            for stem, name in LANGUAGES_RU.items():
                if word.startswith(stem):
                    out.append((name, start + found.start(), start + found.end()))
                    break
    else:
        for found in re.finditer(r"\b[a-z]+\b", low[start:end]):
            if found[0] in LANGUAGES_EN:
                name = found[0].upper() if found[0] in ("asl", "bsl") else found[0].capitalize()
                out.append((name, start + found.start(), start + found.end()))
    return out


def _speech_end(low: str, start: int) -> int:
    stop = re.compile(
        r"[.!?;]|\s(?:but|но|а|зато|поэтому)\s|\s(?:with|to|at|when|in)\s(?!lang)"
    ).search(low, start)
    return stop.start() if stop else len(low)


def learned_ru(sentence: Sentence) -> Iterator[Found]:
    """Languages, skills and schools."""
    text, low = sentence.text, sentence.low
    for found in RU_SPEAK.finditer(low):
        if found["noun"] or negated(low, found.start()):
            continue
        clause = sentence.clause_at(found.start())
        spoken = languages_in(
            low, found.end(), min(_speech_end(low, found.end()), found.end() + 70), "ru"
        )
        if re.search(r"по-|\bна ", low[clause.start : found.start()]):
            spoken += languages_in(low, clause.start, found.start(), "ru")
        for name, a, b in spoken:
            if negated(low, a):
                continue
            yield Found(
                "language",
                name,
                found.start(),
                b,
                Mode.state,
                person_of(found),
                verb=found.start(),
                confidence=0.88,
                dated=False,
            )
    for found in RU_SKILL.finditer(low):
        if negated(low, found.start()):
            continue
        tools = tools_in(text, low, found.end(), min(len(low), found.end() + 60), strict=False)
        explicit = found[0].startswith(
            ("хорошо", "отлично", "неплохо", "уверенно", "прилично", "сил", "шарю", "разбира")
        )
        if tools:
            for name, a, b in tools:
                yield Found(
                    "skill",
                    name,
                    found.start(),
                    b,
                    Mode.state,
                    Who.open,
                    verb=a,
                    confidence=0.85,
                    dated=False,
                )
        elif found[0].startswith("умею"):
            verb = re.compile(r"([а-я]+(?:ть|ться|чь))\b(?:\s+(?:на\s+)?[а-я]+)?").match(
                low, found.end()
            )
            if verb:
                yield Found(
                    "skill",
                    text[verb.start() : verb.end()],
                    found.start(),
                    verb.end(),
                    Mode.state,
                    Who.first,
                    confidence=0.75,
                    dated=False,
                )
        elif explicit:
            phrase = russian_phrase(text, found.end(), ("accs", "ablt", "loct"), 3)
            if phrase and not languages_in(low, phrase[1], phrase[2], "ru"):
                yield Found(
                    "skill",
                    phrase[0],
                    found.start(),
                    phrase[2],
                    Mode.state,
                    Who.open,
                    confidence=0.7,
                    dated=False,
                )
    for found in RU_STUDY.finditer(low):
        if negated(low, found.start()):
            continue
        quoted = quoted_at(text, found.end())
        acronym = re.compile(r"([А-ЯЁA-Z]{2,}[\w-]*|[А-ЯЁ][а-яё]+(?:\s[А-ЯЁ][\w]+)?)").match(
            text, found.end()
        )
        unit = re.compile(
            r"(?:(?:[а-я]+\s+)?(?:университет|институт|колледж|академи|консерватори|училищ|техникум|факультет)[а-я]*|политех\w*|пед\b|мед\b|юриста|врача|экономиста|программиста|инженера|дизайнера|психолога|журналиста|юрфак\w*|мехмат\w*|физтех\w*|филфак\w*|журфак\w*|истфак\w*|биофак\w*|матфак\w*|физфак\w*|универ\w*)"
        ).match(low, found.end())
        if quoted:
            name, a, b = quoted
        elif acronym and (
            acronym[1].isupper() or re.match(r"(?:институт|университет)", acronym[1].lower())
        ):
            name, a, b = acronym[1], acronym.start(), acronym.end()
        elif unit:
            phrase = russian_phrase(text, found.end(), ("accs", "loct", "gent"), 4)
            if phrase is None:
                continue
            name, a, b = phrase
        else:
            continue
        mode = Mode.state if found["now"] and not found["now"].startswith("поступ") else Mode.change
        yield Found(
            "education", name, found.start(), b, mode, Who.open, verb=found.start(), confidence=0.8
        )


_TONGUE = re.compile(
    r"\s*(?:(?:and|or|both|some|a little|fluent|decent|,|&)\s+|,\s*)*([A-Z][a-z]{2,})\b"
)
_NO_TONGUE = frozenset({"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "Python", "Java", "Rust", "Internet"})  # fmt: skip


def _tongues(text: str, found: re.Match[str], stop: int) -> Iterator[tuple[str, int, int]]:
    """Names in a row right after "I speak", languages whether or not they are known."""
    if not re.search(r"speak|speaks|fluent in", found[0]):
        return
    at = found.end()
    while (name := _TONGUE.match(text, at, stop)) is not None:
        if name[1] in _NO_TONGUE:
            return
        yield name[1], name.start(1), name.end(1)
        at = name.end()


def learned_en(sentence: Sentence) -> Iterator[Found]:
    """Languages, skills and schools."""
    text, low = sentence.text, sentence.low
    spoken: set[str] = set()
    for found in EN_SPEAK.finditer(low):
        if negated(low, found.start()) or re.search(r"\bto\s+$", low[: found.start()]):
            continue
        if found["open"] == "speak" and not re.search(
            r"(?:^|[,;]|\band)\s*$", low[: found.start()]
        ):
            continue
        stop = min(_speech_end(low, found.end()), found.end() + 60)
        for name, _, b in sorted(
            {*languages_in(low, found.end(), stop, "en"), *_tongues(text, found, stop)},
            key=lambda piece: piece[1],
        ):
            if re.search(
                r"\b(?:get|become|becoming|getting|want to be|to be)\s+$", low[: found.start()]
            ):
                break
            if name not in spoken:
                spoken.add(name)
                yield Found(
                    "language",
                    name,
                    found.start(),
                    b,
                    Mode.state,
                    person_of(found),
                    verb=found.start(),
                    confidence=0.88,
                    dated=False,
                )
    for found in re.finditer(
        r"\bmy (?P<what>[a-z]+) is (?:pretty |quite |very |really )?(?:decent|good|fluent|great|solid|ok|okay|passable|excellent|native)\b",
        low,
    ):
        if found["what"] in LANGUAGES_EN:
            yield Found(
                "language",
                found["what"].capitalize(),
                found.start(),
                found.end(),
                Mode.state,
                Who.first,
                confidence=0.85,
                dated=False,
            )
    for found in EN_SKILL.finditer(low):
        if negated(low, found.start()):
            continue
        stop = _speech_end(low, found.end())
        tools = tools_in(text, low, found.end(), min(stop, found.end() + 40), strict=False)
        gap = low[found.end() : tools[0][1]] if tools else ""
        if tools and len(gap.split()) <= 2:
            for name, _, b in tools:
                yield Found(
                    "skill",
                    name,
                    found.start(),
                    b,
                    Mode.state,
                    Who.open,
                    verb=found.start(),
                    confidence=0.85,
                    dated=False,
                )
        elif re.search(
            r"\b(?:good|great|skilled|proficient|experienced|handy)\s+(?:at|in|with)\s+$", found[0]
        ):
            phrase = english_phrase(text, found.end(), max_words=3)
            if phrase and phrase[0].lower().split()[0] not in {
                "being",
                "me",
                "you",
                "him",
                "her",
                "people",
                "kids",
                "what",
                "this",
            }:
                yield Found(
                    "skill",
                    phrase[0],
                    found.start(),
                    phrase[2],
                    Mode.state,
                    Who.open,
                    verb=found.start(),
                    confidence=0.65,
                    dated=False,
                )
    for found in EN_STUDY.finditer(low):
        if negated(low, found.start()) or (
            found["now"]
            and found.start("now") > 2
            and not re.search(
                r"\b(?:i'm|i am|i|he's|she's|is|currently)\s+(?:\w+\s+)?$",
                low[: found.start("now")],
            )
        ):
            continue
        course = re.compile(
            r"\s*((?:in\s+|at\s+)?[\w&'-]+(?:\s+(?:(?:at|from|in|of)\s+)?(?:the\s+)?(?:University|College|Institute|School|[A-Z][\w&'-]+|(?!(?:since|from|until|till|and|but|because|while|after|before|now|with|this|last|next|for)\b)[a-z]{3,}))?(?:\s+(?:at|from|of)\s+(?:the\s+)?[A-Z][\w&'-]+(?:\s[A-Z][\w'-]+)?)?)"
        ).match(text, found.end())
        field = re.search(
            r"\bdid (cs|math|maths|physics|law|medicine|economics|english|history|biology|chemistry|engineering|philosophy|art|design|nursing)\b",
            found[0],
        )
        if course is None:
            continue
        value = re.sub(r"^(?:in|at|from)\s+", "", course[1].strip())
        degree = _DEGREE_AT.search(low, found.start(), found.end())
        school = re.match(r"[A-Z][\w&'-]*(?:\s(?:of\s)?[A-Z][\w&'-]*)*", value)
        if degree and school:
            value = f"{text[slice(*degree.span('what'))]} at {school[0]}"
        if field:
            school = re.compile(
                r"\s*at\s+((?:the\s+)?[A-Z][\w&'-]+(?:\s(?:of\s)?[A-Z][\w&'-]+)*)"
            ).match(text, found.end())
            if school is None:
                continue
            value = f"{_FIELDS.get(field[1], field[1])}, {school[1]}"
            end = school.end()
        else:
            if not any(w[0].isupper() for w in value.split()) and not re.search(
                r"degree|masters?|phd|bachelor|mba|diploma|doctorate|graduated", found[0]
            ):
                continue
            if value.lower() in {
                "it",
                "that",
                "this",
                "the",
                "a",
                "my",
                "hard",
                "abroad",
            } or value.split()[0].lower() in {"a", "the", "my", "it", "that", "this", "hard"}:
                continue
            end = course.end()
        yield Found(
            "education",
            value,
            found.start(),
            end,
            Mode.state if found["now"] else Mode.change,
            Who.open,
            verb=found.start(),
            confidence=0.8,
        )
