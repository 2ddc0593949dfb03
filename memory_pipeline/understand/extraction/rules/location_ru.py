"""Russian rules for `location`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.places import (
    place_alias,
    russian_place,
)
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, parses, reading

_IN = ("loct", "loc2")
_TO = ("accs",)
_FROM = ("gent",)
_FILL = r"(?:\s+(?!(?:не|в|во|на|из|с|под)\s)[\w-]+){0,3}?"
RU_STATE = Gated(
    r"\b(?:(?P<first>буду работать|будем работать|буду жить|будем жить|кантуюсь|ютимся|ютюсь|квартирую|обретаюсь|тусуюсь|застрял[аи]?|завис(?:ла|ли)?|окопал(?:ся|ась|ись)|прописан[аы]?|зарегистрирован[аы]?|арендую|арендуем|числюсь|остал(?:ся|ась|ись)|пишу(?: вам)?|на связи|ночую|ночуем|живу|живем|проживаю|проживаем|обитаю|обитаем|нахожусь|находимся|базируюсь|базируемся|зимую|"
    r"остаюсь|остаемся|сижу|торчу|снимаю|работаю|работаем|удаленю|торчим|сидим|снимаем)"
    r"|(?P<third>будет жить|будет работать|гостит|кантуется|живет|живут|проживает|проживают|находится|находятся|обитает|базируется|базируются|остается|остаются|сидит|снимает|работает|работают)"
    r"|(?P<second>живешь|живете|находитесь|находишься|работаете|работаешь))"
    rf"{_FILL}(?:\s+на\s+(?:удаленке|карантине|больничном|даче|каникулах|пенсии|вахте|практике))?\s+(?P<prep>в|во|на|под|из)\s+"
)
RU_BE = Gated(
    r"(?:^|[\s,(])(?:(?P<first>я|мы)|(?P<third>он|она|они)|(?P<bare>сейчас|теперь|пока|пока что|снова|опять|временно|уже|дома))"
    r"(?:\s*[-—]\s*|\s+)(?:(?:сейчас|теперь|пока|еще|ещё|что|уже|снова|опять|тут|здесь|временно|сегодня|вот|тоже|все|дома|буду|будем|будет|с\s+\w+(?:\s+\w+)?|до\s+\w+(?:\s+\w+)?)\s+){0,5}"
    r"(?P<prep>в|во)\s+"
)
_VISIT = re.compile(
    r"\b(?:был[аи]?|побывал\w*|ездил\w*|съездил\w*|летал\w*|гулял\w*|видел\w*|родил\w*|учил\w*|отдыхал\w*|гостил\w*|познакомил\w*|купил\w*|нашел\w*|нашла|was|were|went|visited|saw|met|grew up|born)\b"
)
RU_CHANGE = Gated(
    r"\b(?:(?P<future>переезжаю|переезжаем|перееду|переедем|перебираюсь|перебираемся|переберусь|переберемся|релоцируюсь|релоцируемся|"
    r"возвращаюсь|возвращаемся|вернусь|вернемся|перевожусь|перебазируюсь|переселяюсь|переселяемся)"
    r"|(?P<future3>переезжает|переезжают|переедет|переедут|перебирается|перебираются|переберется|возвращается|возвращаются|вернется|переводится|релоцируется|переселяется)"
    r"|(?P<past>переехал[аи]?|перебрал(?:ся|ась|ись)|релоцировал(?:ся|ась|ись)|вернул(?:ся|ась|ись)|перевел(?:ся|ась|ись)|осел[аи]?|обосновал(?:ся|ась|ись)|"
    r"обустроил(?:ся|ась|ись)|поселил(?:ся|ась|ись)|переселил(?:ся|ась|ись)|перебазировал(?:ся|ась|ись)|перекочевал[аи]?|свалил[аи]?|эмигрировал[аи]?|укатил[аи]?|съехал(?:ся|ись)|уехал[аи]? (?:жить|насовсем|навсегда)|приземлил(?:ся|ась|ись)|пустил[аи]? корни|обжил(?:ся|ась|ись)|устроил(?:ся|ась|ись) жить|перевезли (?:семью|вещи|детей)|перевез(?:ла)? (?:семью|вещи|детей)|купил[аи]? (?:квартиру|дом|жилье)))"
    r"(?P<fill>(?:\s+(?!(?:не|в|во|на|под|обратно)\s)[\w.-]+){0,6}?)\s+(?:обратно\s+|назад\s+)?(?P<prep>в|во|на|под)\s+"
)
RU_STAY = Gated(
    r"\b(?:буду|будем|будет|еду|едем|едет|лечу|летим|летит|уезжаю|уезжаем|уезжает|улетаю|улетаем|улетает|"
    r"командировк[аеуи]|в отпуске|отпуск|отдыхаю|отдыхаем|отдыхает|гощу|гостим|сижу|живу|живем|живет|снял[аи]?|на даче|работаю|работает|работаем|"
    r"я|мы)\b[^,.;!?]{0,45}?\s(?P<prep>в|во)\s+"
)
RU_RANGE = Gated(r"(?:^|\s)(?P<prep>в|во)\s+")
RU_END = Gated(
    r"\b(?:уехал[аи]?|съехал[аи]?|свалил[аи]?|выписал(?:ся|ась)|перебрал(?:ся|ась|ись)|уезжаю насовсем|уезжаю)\s+(?:насовсем\s+|навсегда\s+|вчера\s+|сегодня\s+)?из\s+"
)
RU_DENY = Gated(
    r"\b(?P<no_more>больше не|уже не|давно не|теперь не)?(?(no_more)|не)\s+(?:(?:живу|живем|работаю|нахожусь|проживаю)\s+)?(?:в|во)\s+"
)
RU_CANCEL = Gated(
    r"\bпереезд\b.{0,40}?(?:отмен\w+|сорвал\w+|накрыл\w+|не состо\w+|не будет|откладывается(?! на \d))|"
    r"\b(?:отмен\w+|сорвал\w+|накрыл\w+)\s+(?:\w+\s+)?переезд\b|\bникуда (?:я |мы )?не (?:переезжа\w+|переед\w+|еду|едем)|"
    r"\bпередумал[аи]?\s+(?:\w+\s+)?(?:переезжать|ехать|перебираться)|\bне переезжа(?:ю|ем)\b|\bпереезда не будет"
)
RU_PAST = Gated(
    r"\b(?:раньше|когда-то|прежде|до этого|в детстве)\s+(?:я\s+|мы\s+)?(?:жил[аи]?|работал[аи]?)\s+(?P<prep>в|во|на|под)\s+"
    r"|\b(?:жил[аи]?|прожил[аи]?)(?:\s+[\w-]+){0,3}?\s+(?P<prep2>в|во|на|под)\s+"
)
RU_FROM = Gated(r"(?:^|[\s,])(?:я|мы)\s+(?:сам[аи]?\s+)?из\s+")
_MOVED_THING = re.compile(
    r"\b(?:офис|компания|фирма|сайт|сервер\w*|проект|магазин|склад|база|данные|репозитори\w+|завод|отдел|команда|office|company|site|server\w*|project|store|warehouse|data|repo)\s+(?:\w+\s+){0,2}$"
)


_FOR_ANOTHER = re.compile(
    r"\s(?:ему|ей|им|дочк?[еи]|дочери|сыну|маме|папе|матери|отцу|брату|сестре|родителям|бабушке|дедушке|детям)\s"
)


def _cases(prep: str | None) -> tuple[str, ...]:
    return _FROM if prep in ("из", "с") else _IN


def find_ru(sentence: Sentence) -> Iterator[Found]:
    """Places: lived in, moved to, left, denied; a move called off."""
    text, low = sentence.text, sentence.low
    taken: set[int] = set()

    def place(at: int, cases: tuple[str, ...], latin: bool = True) -> tuple[str, int, int] | None:
        found = russian_place(text, at, cases)
        if found is None or found[1] in taken:
            return None
        if text[max(0, found[1] - 1) : found[1]] in ("«", '"', "“", "„"):
            return None
        if not latin and not is_russian(found[0].split()[0]):
            return None
        return found

    for cancel in RU_CANCEL.finditer(low):
        yield Found(
            "location",
            None,
            cancel.start(),
            cancel.end(),
            Mode.cancel,
            verb=cancel.end(),
            dated=False,
        )
    cancelled = RU_CANCEL.search(low) is not None
    for found in RU_DENY.finditer(low):
        spot = place(found.end(), _IN, latin=False)
        if spot:
            taken.add(spot[1])
            mode = Mode.end if found["no_more"] else Mode.denial
            yield Found("location", spot[0], found.start(), spot[2], mode, confidence=0.8)
            instead = re.compile(
                r"(?:\s+(?:я|мы))?,?\s+а\s+(?:теперь\s+|уже\s+)?(?:в|во)\s+"
            ).match(low, spot[2])
            other = place(instead.end(), _IN, latin=False) if instead else None
            if other:
                taken.add(other[1])
                yield Found(
                    "location",
                    other[0],
                    found.start(),
                    other[2],
                    Mode.state,
                    confidence=0.8,
                    dated=False,
                )
    for found in RU_CHANGE.finditer(low):
        if negated(low, found.start()) or cancelled or moves_something(low, found):
            continue
        spot = place(found.end(), _TO if found["prep"] in ("в", "во", "на") else _IN) or place(
            found.end(), _IN
        )
        if spot is None:
            continue
        taken.add(spot[1])
        who = Who.first if found["future"] else Who.third if found["future3"] else Who.open
        yield Found(
            "location",
            spot[0],
            found.start(),
            spot[2],
            Mode.change,
            who,
            verb=found.start(),
            confidence=0.9,
        )
    for found in RU_END.finditer(low):
        spot = place(found.end(), _FROM)
        if spot:
            taken.add(spot[1])
            yield Found("location", spot[0], found.start(), spot[2], Mode.end, confidence=0.8)
    for found in RU_PAST.finditer(low):
        spot = place(found.end(), _IN)
        if spot:
            taken.add(spot[1])
            yield Found("location", spot[0], found.start(), spot[2], Mode.past, confidence=0.8)
    for found in RU_STATE.finditer(low):
        if negated(low, found.start()):
            continue
        verb = found["first"] or found["third"] or found["second"] or ""
        works = verb.startswith("работа")
        if verb.startswith(("снима", "аренду")) and _FOR_ANOTHER.search(found[0]):
            continue
        spot = place(
            found.end(),
            ("ablt",) if found["prep"] == "под" else _cases(found["prep"]),
            latin=not works or found["prep"] == "из",
        )
        if spot is None or (works and found["prep"] in ("на", "под")):
            continue
        if spot[0].isascii() and tool_name(spot[0]) is not None:
            continue
        if works and found["prep"] != "из" and not _surely_place(spot[0]):
            continue
        taken.add(spot[1])
        yield Found(
            "location",
            spot[0],
            found.start(),
            spot[2],
            Mode.state,
            person_of(found),
            verb=found.start(),
            confidence=0.92,
        )
    for found in RU_BE.finditer(low):
        spot = place(found.end(), _IN, latin=False)
        if spot is None or negated(low, found.end() - 2) or visits(sentence, spot[1]):
            continue
        taken.add(spot[1])
        yield Found(
            "location",
            spot[0],
            found.start(),
            spot[2],
            Mode.state,
            person_of(found),
            verb=found.start() + 1,
            confidence=0.8,
        )
    for found in RU_STAY.finditer(low):
        if _does_else(found[0]):
            continue
        spot = place(found.end(), _IN, latin=False) or place(found.end(), _TO, latin=False)
        if spot is None or visits(sentence, spot[1]):
            continue
        yield Found(
            "location",
            spot[0],
            found.start(),
            spot[2],
            Mode.stay,
            Who.open,
            verb=spot[1],
            confidence=0.8,
        )
        taken.add(spot[1])
    for found in RU_RANGE.finditer(low) if re.search(r"\d|\bдо\b", low) else ():
        spot = place(found.end(), _IN, latin=False)
        if spot is not None and _surely_place(spot[0]) and not visits(sentence, spot[1]):
            taken.add(spot[1])
            yield Found(
                "location",
                spot[0],
                found.start(),
                spot[2],
                Mode.stay,
                Who.open,
                verb=spot[1],
                confidence=0.7,
            )
    for found in RU_FROM.finditer(low):
        spot = place(found.end(), _FROM, latin=False)
        if (
            spot
            and _surely_place(spot[0])
            and "родом" not in low
            and not ("сам" in found[0] and re.search(r"\b(?:но|а|сейчас|теперь|живу)\b", low))
        ):
            taken.add(spot[1])
            yield Found(
                "location",
                spot[0],
                found.start(),
                spot[2],
                Mode.state,
                Who.first,
                confidence=0.7,
                dated=False,
            )


def moves_something(low: str, found: re.Match[str]) -> bool:
    """Whether it is not a person that moves: an office, a server, or tools from one to another."""
    fill = found.groupdict().get("fill") or ""
    if _MOVED_THING.search(low[: found.start()]) is not None:
        return True
    return re.search(r"\bс\s+[a-z]", fill) is not None or (
        found.groupdict().get("prep") == "на" and re.match(r"[a-z]", low[found.end() :]) is not None
    )


def visits(sentence: Sentence, position: int) -> bool:
    """Whether the clause tells of a visit that is over, or of something else done there."""
    clause = sentence.clause_at(position)
    return _VISIT.search(sentence.low, clause.start, clause.end) is not None


_DID = re.compile(r"\b[а-я]{2,}(?:л|ла|ли|лся|лась|лись)\b")
_STAYED = re.compile(r"жил|остал|снял|прилетел|приехал|работал|был|застря|завис|отдыхал|гост")


def _does_else(words: str) -> bool:
    """Whether words that lead to a place tell of something done, which is no stay ("мы вчера играли в
    Динамо")."""
    return any(
        _STAYED.search(word) is None and parses(word)[0].tag.POS == "VERB"
        for word in _DID.findall(words)
    )


def _surely_place(name: str) -> bool:
    word = name.split()[-1]
    return reading(word, "Geox") is not None or place_alias(name) is not None or "-" in name
