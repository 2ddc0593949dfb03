"""Rules for `location` and `address`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.places import english_place, is_known_place, place_alias, russian_place
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, reading

_IN = ("loct", "loc2")
_TO = ("accs",)
_FROM = ("gent",)

_FILL = r"(?:\s+(?!(?:не|в|во|на|из|с|под)\s)[\w-]+){0,3}?"
RU_STATE = re.compile(
    r"\b(?:(?P<first>буду работать|будем работать|буду жить|будем жить|кантуюсь|ютимся|ютюсь|квартирую|обретаюсь|тусуюсь|застрял[аи]?|завис(?:ла|ли)?|окопал(?:ся|ась|ись)|прописан[аы]?|зарегистрирован[аы]?|арендую|арендуем|числюсь|ночую|ночуем|живу|живем|проживаю|проживаем|обитаю|обитаем|нахожусь|находимся|базируюсь|базируемся|зимую|"
    r"остаюсь|остаемся|сижу|торчу|снимаю|работаю|работаем|удаленю|торчим|сидим|снимаем)"
    r"|(?P<third>будет жить|будет работать|гостит|кантуется|живет|живут|проживает|проживают|находится|находятся|обитает|базируется|базируются|остается|остаются|сидит|снимает|работает|работают)"
    r"|(?P<second>живешь|живете|находитесь|находишься|работаете|работаешь))"
    rf"{_FILL}(?:\s+на\s+(?:удаленке|карантине|больничном|даче|каникулах|пенсии|вахте|практике))?\s+(?P<prep>в|во|на|под|из)\s+"
)
RU_BE = re.compile(
    r"(?:^|[\s,(])(?:(?P<first>я|мы)|(?P<third>он|она|они)|(?P<bare>сейчас|теперь|пока|пока что|снова|опять|временно|уже|дома))"
    r"(?:\s*[-—]\s*|\s+)(?:(?:сейчас|теперь|пока|еще|ещё|что|уже|снова|опять|тут|здесь|временно|сегодня|вот|тоже|все|дома|буду|будем|будет|с\s+\w+(?:\s+\w+)?|до\s+\w+(?:\s+\w+)?)\s+){0,5}"
    r"(?P<prep>в|во)\s+"
)
_VISIT = re.compile(r"\b(?:был[аи]?|побывал\w*|ездил\w*|съездил\w*|летал\w*|гулял\w*|видел\w*|родил\w*|учил\w*|отдыхал\w*|гостил\w*|познакомил\w*|купил\w*|нашел\w*|нашла|was|were|went|visited|saw|met|grew up|born)\b")
RU_CHANGE = re.compile(
    r"\b(?:(?P<future>переезжаю|переезжаем|перееду|переедем|перебираюсь|перебираемся|переберусь|переберемся|релоцируюсь|релоцируемся|"
    r"возвращаюсь|возвращаемся|вернусь|вернемся|перевожусь|перебазируюсь|переселяюсь|переселяемся)"
    r"|(?P<future3>переезжает|переезжают|переедет|переедут|перебирается|перебираются|переберется|возвращается|возвращаются|вернется|переводится|релоцируется|переселяется)"
    r"|(?P<past>переехал[аи]?|перебрал(?:ся|ась|ись)|релоцировал(?:ся|ась|ись)|вернул(?:ся|ась|ись)|перевел(?:ся|ась|ись)|осел[аи]?|обосновал(?:ся|ась|ись)|"
    r"обустроил(?:ся|ась|ись)|поселил(?:ся|ась|ись)|переселил(?:ся|ась|ись)|перебазировал(?:ся|ась|ись)|перекочевал[аи]?|свалил[аи]?|эмигрировал[аи]?|укатил[аи]?|съехал(?:ся|ись)|уехал[аи]? (?:жить|насовсем|навсегда)|приземлил(?:ся|ась|ись)|пустил[аи]? корни|обжил(?:ся|ась|ись)|устроил(?:ся|ась|ись) жить|перевезли (?:семью|вещи|детей)|перевез(?:ла)? (?:семью|вещи|детей)|купил[аи]? (?:квартиру|дом|жилье)))"
    r"(?P<fill>(?:\s+(?!(?:не|в|во|на|под|обратно)\s)[\w.-]+){0,6}?)\s+(?:обратно\s+|назад\s+)?(?P<prep>в|во|на|под)\s+"
)
RU_STAY = re.compile(
    r"\b(?:буду|будем|будет|еду|едем|едет|лечу|летим|летит|уезжаю|уезжаем|уезжает|улетаю|улетаем|улетает|"
    r"командировк[аеуи]|в отпуске|отпуск|отдыхаю|отдыхаем|отдыхает|гощу|гостим|сижу|живу|живем|живет|снял[аи]?|на даче|работаю|работает|работаем|"
    r"я|мы)\b[^,.;!?]{0,45}?\s(?P<prep>в|во)\s+"
)
RU_RANGE = re.compile(r"(?:^|\s)(?P<prep>в|во)\s+")
RU_END = re.compile(
    r"\b(?:уехал[аи]?|съехал[аи]?|свалил[аи]?|выписал(?:ся|ась)|перебрал(?:ся|ась|ись)|уезжаю насовсем|уезжаю)\s+(?:насовсем\s+|навсегда\s+|вчера\s+|сегодня\s+)?из\s+"
)
RU_DENY = re.compile(
    r"\b(?P<no_more>больше не|уже не|давно не|теперь не)?(?(no_more)|не)\s+(?:(?:живу|живем|работаю|нахожусь|проживаю)\s+)?(?:в|во)\s+"
)
RU_CANCEL = re.compile(
    r"\bпереезд\b.{0,40}?(?:отмен\w+|сорвал\w+|накрыл\w+|не состо\w+|не будет|откладывается на неопредел\w+)|"
    r"\b(?:отмен\w+|сорвал\w+|накрыл\w+)\s+(?:\w+\s+)?переезд\b|\bникуда (?:я |мы )?не (?:переезжа\w+|переед\w+|еду|едем)|"
    r"\bпередумал[аи]?\s+(?:\w+\s+)?(?:переезжать|ехать|перебираться)|\bне переезжа(?:ю|ем)\b|\bпереезда не будет"
)
RU_PAST = re.compile(
    r"\b(?:раньше|когда-то|прежде|до этого|в детстве)\s+(?:я\s+|мы\s+)?(?:жил[аи]?|работал[аи]?)\s+(?P<prep>в|во|на|под)\s+"
    r"|\b(?:жил[аи]?|прожил[аи]?)(?:\s+[\w-]+){0,3}?\s+(?P<prep2>в|во|на|под)\s+"
)
RU_FROM = re.compile(r"(?:^|[\s,])(?:я|мы)\s+(?:сам[аи]?\s+)?из\s+")
RU_TRIGGER = re.compile(
    r"жив[уеё]|прожива|обита|нахо[жд]|базиру|зиму|оста[юе]|сижу|сидит|торч|снима|работа|перее|перебир|перебр|релоц|вернул|вернус|верне|возвращ|"
    r"перево|перевел|осел|обоснов|обустро|посел|пересел|буду|будем|будет|еду|едем|едет|лечу|летим|летит|уезж|улета|команди|отпуск|отдых|гощу|гости|"
    r"уехал|съехал|свал|жил|переезд|сейчас|теперь|пока|снова|опять|\bя\b|\bмы\b|он[аи]?\b|не в\b|приземл"
)

EN_STATE = re.compile(
    r"\b(?:(?P<first>i|we)\s+(?:currently\s+|now\s+|still\s+|actually\s+|mostly\s+|just\s+)*(?:live|reside|stay|work|rent)"
    r"|(?P<firsting>i'm|i am|im|we're|we are)\s+(?:currently\s+|now\s+|still\s+|temporarily\s+|already\s+|actually\s+|just\s+|mostly\s+)*(?:living|residing|staying|based|working|stuck|settled|settling down|settling|located|stationed|posted|holed up|hunkered down|renting|camped out|camping out|crashing|holed up)"
    r"|(?P<third>lives|resides|stays|works|(?:is|'s|are)\s+(?:currently\s+|now\s+|still\s+)*(?:living|based|staying|working|located|settled|stuck|stationed|renting))"
    r"|(?P<open>working|living|staying|based|put down roots|putting down roots|got a place|set up camp|set up shop|posting|writing to you|checking in|new place|our place|bought a (?:house|flat|place|condo)|renting a (?:flat|place|room)))"
    r"(?P<fill>(?:\s+(?!in\b|at\b|from\b|near\b|to\b|with\b|for\b|as\b|on\b)[\w'-]+){0,3}?)(?:\s+(?P<prep>in|at|from|near|out of)\s+)"
    r"(?:(?:my|our|the|his|her|their)\s+(?:[\w'’]+\s+){1,3}(?:in|near)\s+)?(?:downtown\s+|central\s+|north\s+|south\s+|sunny\s+|rainy\s+)?"
)
EN_BE = re.compile(
    r"(?:^|[\s,(])(?:(?P<first>i'm|i am|im|we're|we are|i'll be|we'll be|i will be|we will be|i've been|we've been|i have been|we have been)|(?P<third>(?:he|she|they|\w+)(?:'s| is| has been| have been|'ll be| will be|'s been|'re| are)))\s+"
    r"(?:currently\s+|now\s+|still\s+|back\s+|home\s+|already\s+|actually\s+|just\s+|out\s+|over\s+|here\s+|down\s+|up\s+|temporarily\s+|also\s+|both\s+)*(?:in|at)\s+(?:downtown\s+|sunny\s+|rainy\s+|central\s+)?"
)
EN_HOME = re.compile(r"\b(?:calling|i now call|we call|home is|home's|home base is|it's home in|hometown now is|my desk is in the|my desk's in the|my office is in|i call)\s+(?:now\s+|still\s+|in\s+)?")
EN_CHANGE = re.compile(
    r"\b(?:(?P<future>(?:i'm|i am|im|we're|we are|i'll be|we'll be|i will be|i'll|we'll|i will|we will|going to|gonna|about to)\s+(?:\w+\s+){0,2}?(?:moving|relocating|transferring|heading back|moving back|returning|move|relocate|be moving))"
    r"|(?P<future3>(?:is|are|'s|he's|she's|they're|will)\s+(?:\w+\s+){0,1}?(?:moving|relocating|transferring|returning|move|relocate))"
    r"|(?P<bare>moving|relocating)"
    r"|(?P<past>(?:just\s+|finally\s+|recently\s+|already\s+|officially\s+)?(?:moved|relocated|resettled|settled|transferred|got back|came back|landed)))"
    r"(?P<fill>(?:\s+(?!to\b|in\b)[\w'-]+){0,4}?)\s+(?:back\s+)?(?P<prep>to|in|into)\s+(?:my\s+\w+\s+in\s+|the\s+)?"
)
_EN_NAME = r"[A-Z][\w’'-]+(?:\s[A-Z][\w’'-]+)?"
EN_IS_HOME = re.compile(rf"\b(?:(?P<place>{_EN_NAME})(?:\s+is|['’]s)\s+(?:(?:now|our|my|finally|officially|new)\s+)*(?:home|base)\b(?!\s+to\b)|I['’]?(?:m| am)\s+(?:now\s+)?a\s+(?P<place2>{_EN_NAME})\s+(?:resident|local))")
EN_SWAPPED = re.compile(rf"\b(?:[Ss]wapped|[Tt]raded|[Ll]eft)\s+(?P<old>{_EN_NAME})\s+(?:for|behind for)\s+(?P<new>{_EN_NAME})")
EN_PAST = re.compile(
    r"\b(?:used to live|used to be based|used to stay|lived|was living|were living|was based|grew up and lived|spent \w+ \w+)\s+(?:\w+\s+)?(?:in|at)\s+"
)
EN_END = re.compile(r"\b(?:moved out of|moved away from|left|moving out of|leaving)\s+(?=[A-Z])", re.IGNORECASE)
EN_DENY = re.compile(
    r"\b(?:i'm|i am|im|we're|we are|i|we|he's|she's)\s+(?:(?P<more>no longer|not\s+(?=[\w\s]*anymore)|don't\s+(?=[\w\s]*anymore))|not|don't|do not)\s*(?:actually\s+|even\s+)?(?:live|living|based|staying|located)?\s*(?:in|at)\s+"
)
EN_CANCEL = re.compile(
    r"\b(?:the|our|my)\s+(?:\w+\s+)?(?:move|relocation)\b.{0,40}?\b(?:is off|was off|cancell?ed|called off|fell through|not happening|won't happen|scrapped|isn't happening)|"
    r"\b(?:not|no longer|aren't|isn't)\s+(?:moving|relocating)\b|\bcalled off (?:the|our|my) (?:\w+\s+)?move\b|\bdecided (?:not to|against) mov(?:e|ing)\b"
)
EN_TRIGGER = re.compile(
    r"'s (?:in|at|back|now|still)\b|\b(?:liv(?:e|es|ed|ing)|resid|stay|based|mov(?:e|ed|ing|es)|relocat|work(?:s|ing)?\b|i'm|i am|im|we're|we are|he's|she's|they're|is|are|been|home|left|leaving|returning|transferr|settled|desk|be in|rent|swapped|traded|resident|posting|set up|landed|came back|got back|stuck|camping|crashing)"
)

_HOUSE = r"(?:,?\s*(?:д\.?|дом|no\.?|№)?\s*\d+\w?(?:\s*[/-]\s*\d+)?)"
RU_ADDRESS = re.compile(
    r"(?:\b(?:город|г\.)\s*[А-ЯЁ][\w-]+,\s*|(?<![\w.])[А-ЯЁ][а-яё-]+,\s+(?=(?:ул|улица|пр|просп|пер|наб|б-р|ш)\b))?"
    r"(?:\b(?:ул\.?|улиц[аеуы]|пр-т|просп\.?|проспект[ае]?|пер\.?|переул\w+|наб\.?|набережн\w+|ш\.|шоссе|б-р|бульвар[ае]?|проезд[ае]?|площадь|пл\.)\s+[А-ЯЁ\d][\w.-]*(?:\s+[А-ЯЁа-яё][\w-]*){0,2}"
    r"|\b[А-ЯЁ][а-яё]+(?:\s+[А-ЯЁа-яё][а-яё]+)?(?:\s+(?:проезд|переулок|проспект|шоссе|бульвар|улица|набережная|пр-т|ул\.))?)"
    r",?\s*(?:д\.?\s*|дом\s+)?\d{1,4}[а-яА-Я]?(?:\s?[/к-]\s?\d{1,3})?(?:,?\s*(?:корп\.?|к\.|стр\.?)\s*\d+)?(?:,?\s*(?:кв\.?|квартира|оф\.?|офис)\s*\d+)?(?![\d.:]|\s*(?:%|лет|руб|тыс|час|мин|дн|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек|год|мес|км|кг|шт))"
)
EN_ADDRESS = re.compile(
    r"\b\d{1,5}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][\w'’.-]*\s+){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Place|Pl|Way|Close|Crescent|Terrace|Square|Sq|Row|Hill|Gardens|Grove|Parade|Walk|Highway|Hwy|Quay|Mews|Circle|Cir|Parkway|Pkwy|Trail|Alley)\b\.?"
    r"(?:,?\s*(?:Apt|Apartment|Unit|Flat|Suite|Ste|#)\.?\s*#?\w+)?(?:,\s+[A-Z][\w'’-]+(?:\s+[A-Z][\w'’-]+)?(?:,\s+[A-Z]{2}\b)?(?:\s+\d{5})?)?"
)
ADDRESS_CUE = re.compile(
    r"\b(?:адрес\w*|доставк\w+|доставля\w+|привоз\w+|вез(?:и|ите)|возите|курьер\w*|посылк\w+|присыл\w+|прописан\w*|живу|живем|переехал\w*|переезжа\w+|квартир\w+ на|"
    r"address|parcels?|deliver\w*|ship(?:ping|ped)?|mail|post|send|live at|living at|moved to|moving to|courier|package|packages|drop|we're at|i'm at|now at)\b|(?:^|\s)(?:на|с\s+\S+(?:\s+\S+)?\s+(?:уже\s+)?на|it's|from .* it's)\s+$"
)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """`location` and `address` of the sentence."""
    if sentence.lang == "ru":
        if RU_TRIGGER.search(sentence.low) or " в " in sentence.low:
            yield from _russian(sentence, scene)
    elif EN_TRIGGER.search(sentence.low):
        yield from _english(sentence)
    if sentence.has_digit:
        yield from _addresses(sentence)


def _who(found: re.Match[str]) -> Who:
    groups = found.groupdict()
    if groups.get("first") or groups.get("firsting"):
        return Who.first
    if groups.get("second"):
        return Who.second
    if groups.get("third"):
        return Who.third
    return Who.open


def _negated(low: str, position: int) -> bool:
    return re.search(r"(?:\bне|\bни|\bnot|n't|\bnever|\bникогда не|\bno longer)\s+(?:\w+\s+)?$", low[:position]) is not None


def _cases(prep: str | None) -> tuple[str, ...]:
    return _FROM if prep in ("из", "с") else _IN


def _russian(sentence: Sentence, scene: Scene) -> Iterator[Found]:
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
        yield Found("location", None, cancel.start(), cancel.end(), Mode.cancel, verb=cancel.end(), dated=False)
    cancelled = RU_CANCEL.search(low) is not None
    for found in RU_DENY.finditer(low):
        spot = place(found.end(), _IN, latin=False)
        if spot:
            taken.add(spot[1])
            mode = Mode.end if found["no_more"] else Mode.denial
            yield Found("location", spot[0], found.start(), spot[2], mode, confidence=0.8)
    for found in RU_CHANGE.finditer(low):
        if _negated(low, found.start()) or cancelled or _moves_something(low, found):
            continue
        spot = place(found.end(), _TO if found["prep"] in ("в", "во", "на") else _IN) or place(found.end(), _IN)
        if spot is None:
            continue
        taken.add(spot[1])
        who = Who.first if found["future"] else Who.third if found["future3"] else Who.open
        yield Found("location", spot[0], found.start(), spot[2], Mode.change, who, verb=found.start(), confidence=0.9)
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
        if _negated(low, found.start()):
            continue
        verb = found["first"] or found["third"] or found["second"] or ""
        works = verb.startswith("работа")
        spot = place(found.end(), _cases(found["prep"]), latin=not works or found["prep"] == "из")
        if spot is None or (works and found["prep"] in ("на", "под")):
            continue
        if works and found["prep"] != "из" and not _surely_place(spot[0]):
            continue
        taken.add(spot[1])
        yield Found("location", spot[0], found.start(), spot[2], Mode.state, _who(found), verb=found.start(), confidence=0.92)
    for found in RU_BE.finditer(low):
        spot = place(found.end(), _IN, latin=False)
        if spot is None or _negated(low, found.end() - 2) or _visits(sentence, spot[1]):
            continue
        taken.add(spot[1])
        yield Found("location", spot[0], found.start(), spot[2], Mode.state, _who(found), verb=found.start() + 1, confidence=0.8)
    for found in RU_STAY.finditer(low):
        spot = place(found.end(), _IN, latin=False) or place(found.end(), _TO, latin=False)
        if spot is None or _visits(sentence, spot[1]):
            continue
        yield Found("location", spot[0], found.start(), spot[2], Mode.stay, Who.open, verb=spot[1], confidence=0.8)
        taken.add(spot[1])
    for found in RU_RANGE.finditer(low) if re.search(r"\d|\bдо\b", low) else ():
        spot = place(found.end(), _IN, latin=False)
        if spot is not None and _surely_place(spot[0]) and not _visits(sentence, spot[1]):
            taken.add(spot[1])
            yield Found("location", spot[0], found.start(), spot[2], Mode.stay, Who.open, verb=spot[1], confidence=0.7)
    for found in RU_FROM.finditer(low):
        spot = place(found.end(), _FROM, latin=False)
        if spot and _surely_place(spot[0]) and "родом" not in low:
            taken.add(spot[1])
            yield Found("location", spot[0], found.start(), spot[2], Mode.state, Who.first, confidence=0.7, dated=False)


_MOVED_THING = re.compile(r"\b(?:офис|компания|фирма|сайт|сервер\w*|проект|магазин|склад|база|данные|репозитори\w+|завод|отдел|команда|office|company|site|server\w*|project|store|warehouse|data|repo)\s+(?:\w+\s+){0,2}$")


def _moves_something(low: str, found: re.Match[str]) -> bool:
    """Whether it is not a person that moves: an office, a server, or tools from one to another."""
    fill = found.groupdict().get("fill") or ""
    if _MOVED_THING.search(low[: found.start()]) is not None:
        return True
    return re.search(r"\bс\s+[a-z]", fill) is not None or (found.groupdict().get("prep") == "на" and re.match(r"[a-z]", low[found.end() :]) is not None)


def _visits(sentence: Sentence, position: int) -> bool:
    """Whether the clause tells of a visit that is over, or of something else done there."""
    clause = sentence.clause_at(position)
    return _VISIT.search(sentence.low, clause.start, clause.end) is not None


def _surely_place(name: str) -> bool:
    word = name.split()[-1]
    return reading(word, "Geox") is not None or place_alias(name) is not None or "-" in name


def _english(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for found in EN_IS_HOME.finditer(text):
        group = "place" if found["place"] else "place2"
        taken.add(found.start(group))
        yield Found("location", found[group], found.start(), found.end(), Mode.state, Who.first, confidence=0.85)
    for found in EN_SWAPPED.finditer(text):
        if is_known_place(found["old"]) or is_known_place(found["new"]):
            taken.update((found.start("old"), found.start("new")))
            yield Found("location", found["old"], found.start(), found.end(), Mode.end, Who.open, confidence=0.8)
            yield Found("location", found["new"], found.start(), found.end(), Mode.change, Who.open, confidence=0.85)
    cancelled = EN_CANCEL.search(low)
    if cancelled:
        yield Found("location", None, cancelled.start(), cancelled.end(), Mode.cancel, verb=cancelled.start(), dated=False)
    for pattern, mode, confidence in (
        (EN_DENY, Mode.denial, 0.8),
        (EN_CHANGE, Mode.change, 0.9),
        (EN_PAST, Mode.past, 0.8),
        (EN_STATE, Mode.state, 0.92),
        (EN_HOME, Mode.state, 0.8),
        (EN_BE, Mode.state, 0.85),
        (EN_END, Mode.end, 0.75),
    ):
        for found in pattern.finditer(low):
            spot = english_place(text, found.end())
            if spot is None or spot[1] in taken:
                continue
            groups = found.groupdict()
            if pattern is EN_CHANGE and (cancelled or (groups["past"] and groups["prep"] == "in" and not found["fill"].strip() and "settled" not in found[0] and "landed" not in found[0])):
                continue
            if pattern in (EN_STATE, EN_CHANGE) and _negated(low, found.start()):
                continue
            if pattern is EN_STATE and "work" in found[0] and groups["prep"] in ("at", "near"):
                continue
            if pattern is EN_BE and (groups.get("third") or "").split("'")[0].split(" ")[0] in {"it", "there", "that", "this", "what", "which", "here", "who", "where"}:
                continue
            if pattern is EN_BE and (found[0].rstrip().endswith(" at") or _visits(sentence, spot[1])):
                continue
            if pattern is EN_CHANGE and _moves_something(low, found):
                continue
            if pattern is EN_BE and groups.get("third") and groups["third"].startswith(("office", "company", "store", "site")):
                continue
            if pattern is EN_END and (not is_known_place(spot[0]) or _negated(low, found.start())):
                continue
            who = _who(found)
            if groups.get("future"):
                who = Who.first
            elif groups.get("future3"):
                who = Who.third
            taken.add(spot[1])
            kind = Mode.end if pattern is EN_DENY and groups["more"] else mode
            verb = found.start() + (len(found[0]) - len(found[0].lstrip(" ,(")))
            if pattern is EN_BE and who is Who.third:
                verb = found.start("third") + len(re.match(r"[\w]+", found["third"])[0])  # type: ignore[index]
            yield Found("location", spot[0], found.start(), spot[2], kind, who, verb=verb, confidence=confidence)


def _addresses(sentence: Sentence) -> Iterator[Found]:
    pattern = RU_ADDRESS if sentence.lang == "ru" else EN_ADDRESS
    for n, found in enumerate(pattern.finditer(sentence.text)):
        if sentence.lang == "ru" and not re.search(r"(?:ул|улиц|пр-т|просп|пер\.|переул|наб|ш\.|шоссе|б-р|бульвар|проезд|площад|пл\.|кв\.?|квартира)", found[0], re.IGNORECASE):
            continue
        before = sentence.low[: found.start()]
        if not ADDRESS_CUE.search(before) and not (n and ADDRESS_CUE.search(sentence.low)) and found.end() - found.start() < len(sentence.text) * 0.7:
            continue
        value = re.sub(r"\bкв\.?\s*(?=\d)", "кв. ", found[0]).strip(" ,")
        begins = re.search(r"\b(?:с|from|starting|as of|переез\w+|перее\w+|mov\w+)\b", before[-40:]) is not None
        yield Found("address", value, found.start(), found.end(), Mode.change if begins else Mode.state, Who.open, confidence=0.85)
