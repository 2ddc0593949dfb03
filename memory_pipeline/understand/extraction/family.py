"""Rules for `relative`, `pet`, `marital_status`, `age` and `birth_date`."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.numbers import (
    NUMBER_WORD_EN,
    NUMBER_WORD_RU,
    small_number,
)
from memory_pipeline.understand.extraction.people import NAME_WORD, is_given_name, name_nominative, relative_kind
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import Person, persons
from memory_pipeline.understand.morphology import grammemes, lemma, parses

_PETS_RU = {
    "кот": "кот", "кошка": "кошка", "котик": "кот", "котенок": "котёнок", "собака": "собака", "пес": "пёс",
    "щенок": "щенок", "попугай": "попугай", "хомяк": "хомяк", "кролик": "кролик", "черепаха": "черепаха",
    "крыса": "крыса", "хорек": "хорёк", "лошадь": "лошадь", "корги": "корги", "такса": "такса", "шпиц": "шпиц",
    "лабрадор": "лабрадор", "овчарка": "овчарка", "хаски": "хаски", "рыбка": "рыбка", "канарейка": "канарейка",
    "морская свинка": "морская свинка", "свинка": "морская свинка", "псина": "собака", "кошечка": "кошка", "дворняга": "дворняга",
    "пудель": "пудель", "мопс": "мопс", "бульдог": "бульдог", "шиншилла": "шиншилла", "еж": "ёж",
}  # fmt: skip
_PETS_EN = (
    "dog cat puppy kitten parrot hamster rabbit bunny turtle tortoise horse pony goldfish snake lizard gecko ferret "
    "guinea pig rat canary budgie corgi labrador poodle beagle dachshund greyhound whippet terrier spaniel husky pug "
    "bulldog goat hen donkey pup kitty doggo retriever collie"
)
_PET_EN = "guinea pig|" + "|".join(w for w in _PETS_EN.split() if w not in ("guinea", "pig"))
EN_PET = re.compile(
    rf"\b(?:my|our|have an?|have|got an?|got|adopted an?|adopt an?|a|an|the|own an?|his|her)\s+(?P<desc>(?:(?!(?:is|was|and|or|to)\b)[\w-]+\s+){{0,3}}?)(?P<kind>{_PET_EN})s?,?\s+(?:(?:named|called|whose name is|who's called)\s+)?(?P<name>[A-Z][\w'’-]+)"
)
EN_PET_NAME = re.compile(rf"\b(?P<name>[A-Z][\w-]+),?\s+(?:is\s+)?(?:my|our)\s+(?:[\w-]+\s+){{0,3}}?(?P<kind>{_PET_EN})\b")
EN_PETS = re.compile(rf"\b(?:my|our|have|got)\s+(?:(?:two|both)\s+)?(?:[\w-]+\s+)?(?P<kind>{_PET_EN})s\b,?:?\s+(?:named\s+|called\s+)?(?P<a>[A-Z][\w-]+)\s+(?:and|&)\s+(?P<b>[A-Z][\w-]+)")
EN_NEW_PET = re.compile(r"\b(?:adopted|got|bought|brought home|rescued|picked up|welcomed|new)\b")
EN_PET_LOST = re.compile(r"\b(?:said goodbye to|lost|put down|put to sleep|had to let go of|passed away|died|crossed the rainbow|rehomed|gave away)\b")
RU_PET_LOST = re.compile(r"\b(?:умер(?:ла)?|не стало|похоронили|усыпили|ушел на радугу|ушла на радугу|потеряли|пристроили|отдали)\b")
RU_NEW_PET = re.compile(r"\b(?:завел[аи]?|взял[аи]?|приютил[аи]?|купил[аи]?|подобрал[аи]?|появил(?:ся|ась)|подарили|забрал[аи]?)\b")

_SPOUSES = {"муж": "замужем", "жена": "женат", "husband": "married", "wife": "married"}
EN_NAMED = re.compile(r"\b(?:[Mm]y|[Oo]ur)\s+(?:[\w-]+\s+)?(?P<kind>[\w-]+(?:['’]s)?)(?:\s+name\s+is|\s+is\s+(?:called|named)|,? (?:named|called))\s+(?P<name>[A-Z][\w’'-]+)|\b(?:[Tt]his is|[Mm]eet)\s+(?:my|our)\s+(?P<kind2>\w+),?\s+(?P<name2>[A-Z][\w-]+)")
RU_MARITAL = re.compile(
    r"\b(?:(?P<not>не\s+)?(?P<word>замужем|женат[аы]?|разведен[аы]?|холост|холостяк|вдова|вдовец|помолвлен[аы]?)"
    r"|(?P<wed>расписались|поженились|вышла замуж|выхожу замуж|выходит замуж|женился|женюсь|сыграли свадьбу)|(?P<split>развелись|развелся|развелась|развод оформили|оформили развод|разводимся|развожусь))\b"
)
EN_MARITAL = re.compile(
    r"\b(?:(?P<am>(?:i'm|i am|im|we're|we are|he's|she's|is|are|officially|now|filling the form:|status:|still|happily|been)\s+(?:\w+\s+){0,2}?)(?P<not>not\s+)?(?P<word>married|single|divorced|widowed|engaged|separated)(?!\s+(?:mom|dad|parent|out|to the|by))"
    r"|(?P<wed>(?:we|i)\s+(?:just\s+|finally\s+)?(?:got|tied the)\s+(?:married|hitched|knot)|(?:got|getting) married|tied the knot)|(?P<split>(?:got|getting) divorced|divorce (?:is|was|came|got) (?:final\w*|through)|divorce is official)"
    r"|(?P<engaged>got engaged|said yes to))\b"
)

_NUM_RU = rf"(?:\d{{1,3}}|{NUMBER_WORD_RU})"
_NUM_EN = rf"(?:\d{{1,3}}|{NUMBER_WORD_EN})"
RU_AGE_ME = re.compile(rf"\b(?:мне(?:\s+(?:уже|сейчас|всего|только|вот|недавно|вчера|сегодня|скоро будет))?(?:\s+(?:исполнилось|стукнуло))?|(?:исполнилось|стукнуло)(?:,?\s+мне)?(?:\s*,?\s*значит\s*,?)?)\s+(?P<n>{_NUM_RU})(?:\s+(?P<unit>лет|год(?:а|ик)?))?(?!\s*(?:\w+\s+)?(?:руб|тыс|%|раз|час|мин|дн|штук|месяц|недел|к\b|км|метр|кг|т\.|₽|\$|человек|мест|билет|и\s+\d|[-–]\s*\d|[.,:]\d|\d))")
RU_AGE_OTHER = re.compile(rf"(?:\s+(?:уже|сейчас|всего|только|недавно|вчера|сегодня))?(?:\s+(?:исполнилось|стукнуло|исполняется))?\s*[-—–]?\s*(?P<n>{_NUM_RU})(?:\s+(?P<unit>лет|год(?:а|ик)?))?\b")
EN_AGE_ME = re.compile(rf"\b(?:i'm|i am|im|i just turned|i turned|i'll be turning|turned)\s+(?:now\s+|only\s+|already\s+|almost\s+)?(?P<n>{_NUM_EN})(?P<old>\s*(?:-| )?\s*(?:years?[\s-]old|yo\b|y/o|yrs? old))?(?=\s*(?:[,.;!?)]|$|\s(?:and|now|but|this|so|today|yesterday|years|with|next|in)\b))(?!\s*(?:%|\$|k\b|minutes?|mins?|hours?|days?|weeks?|months?|miles?|pounds?|lbs|kg|percent|blocks?|people|of\b|and a half|(?:years? )(?:in|into|sober|clean|at|with)))")
EN_AGE_OTHER = re.compile(rf"(?:'s|\s+is|\s+just\s+turned|\s+turned|\s+turns|,?\s+who\s+is|,|\s*\()\s*(?:now\s+|only\s+|already\s+)?(?P<n>{_NUM_EN})(?P<old>\s*(?:-| )?(?:years?[\s-]old|yo\b|y/o))?(?=\s*(?:[,.;!?)]|$|\s(?:and|now|but|so|today|yesterday|years|who|last|this|in)\b))(?!\s*(?:%|\$|minutes?|hours?|days?|weeks?|months?|miles?|pounds?|percent|people|of\b|years? (?:in|into|sober|clean|at|with)))")
_MONTHS = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*|январ\w|феврал\w|марта|апрел\w|мая|июн\w|июл\w|августа|сентябр\w|октябр\w|ноябр\w|декабр\w"
_DATE = rf"\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:{_MONTHS}),?\s+\d{{4}}|(?:{_MONTHS})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
BIRTH = re.compile(
    rf"\b(?P<cue>родил(?:ся|ась|ись)|род\.|дата рождения|день рождения|др\b|д\.\s?р\.|г\.\s?р\.|born|dob|bday|b-day|date of birth|birthday|birth date|birthdate)(?P<gap>[^.!?\n]{{0,40}}?)(?P<date>{_DATE})(?P<fix>(?:[.,!]*\s*(?:тьфу|ой|то есть|точнее|вернее|нет|no wait|sorry|i mean|wait|correction)[,.!]*\s*(?:нет,?\s*|i mean,?\s*|no,?\s*)?)(?P<date2>{_DATE}))?"
)
_MONTH_NUMBERS = {
    m: i + 1
    for i, group in enumerate(
        ("jan янв", "feb фев", "mar мар", "apr апр", "may мая май", "jun июн", "jul июл", "aug авг", "sep сен", "oct окт", "nov ноя", "dec дек")
    )
    for m in group.split()
}
_TRIGGER = re.compile(
    r"брат|сестр|мам|мать|пап|отец|отц|сын|доч|муж|жен|супруг|бабуш|дедуш|дед\b|тет|дяд|племян|свекр|тещ|тест|внук|внуч|зят|невест|кузен|жених|"
    r"кот|кош|собак|пес\b|пса|щен|попуг|хомяк|кролик|черепах|такс|корги|разве|холост|вдов|распис|помолв|"
    r"\bлет\b|\bмне\b|исполн|стукн|родил|рожд|\bдр\b|"
    r"brother|sister|mom|mum|mother|dad|father|son\b|daughter|husband|wife|cousin|aunt|uncle|grand|niece|nephew|fianc|twin|hubby|"
    r"dog|cat\b|pupp|kitten|pet\b|" + _PET_EN + r"|married|single|divorc|widow|engaged|hitched|knot|separated|years? old|yo\b|y/o|turned|turns|\bi'm \d|\bi am \d|born|dob|bday|birth|i'm \w+ty|aged?\b|\bis \d|goodbye|семь|шесть|пять|год"
)


def iso_date(text: str, lang: str) -> str | None:
    """The ISO form of a full date written in digits or with a month's name, or None.

    Digits with slashes are month first in English, day first in Russian.
    """
    low = text.lower()
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", low):
        return low
    digits = re.fullmatch(r"(\d{1,2})([./])(\d{1,2})[./](\d{4})", low)
    if digits:
        day, month, year = int(digits[1]), int(digits[3]), int(digits[4])
        if digits[2] == "/" and lang == "en" and month > 12 or digits[2] == "/" and lang == "en" and day <= 12:
            day, month = month, day
    else:
        numbers = [int(n) for n in re.findall(r"\d+", low)]
        name = re.search(_MONTHS, low)
        if name is None or len(numbers) < 2:
            return None
        day, year = numbers[0], numbers[-1]
        month = _MONTH_NUMBERS[name[0][:3]]
    if not (1 <= month <= 12 and 1 <= day <= 31 and 1900 <= year <= 2100):
        return None
    return f"{year:04d}-{month:02d}-{day:02d}"


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Relatives, pets, marriage, ages and birthdays of the sentence."""
    if not _TRIGGER.search(sentence.low):
        return
    everyone = persons(sentence, scene)
    yield from _relatives(sentence, everyone, scene)
    yield from _births(sentence, everyone)
    if sentence.lang == "ru":
        yield from _pets_ru(sentence)
        yield from _marital_ru(sentence, everyone, scene)
    else:
        yield from _pets_en(sentence)
        yield from _marital_en(sentence)
    yield from _ages(sentence, everyone)


def _relatives(sentence: Sentence, everyone: list[Person], scene: Scene) -> Iterator[Found]:
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    for person in everyone:
        if person.kind is None:
            continue
        if person.name is not None:
            yield Found("relative", f"{person.kind}: {person.name}", person.start, person.end, Mode.state, subject=me, confidence=0.9, dated=False)
        spouse = _SPOUSES.get(person.kind)
        late = re.search(r"\b(?:ex|late|former|бывш\w+|покойн\w+|future|будущ\w+)[\s-]+(?:\w+\s+)?$", sentence.low[: person.start])
        owned = re.search(r"\b(?:мой|моя|моего|моей|моему|моим|my|наш\w*|у меня)\s*$", sentence.low[: person.start])
        if spouse and not late and (person.name is not None or owned):
            yield Found("marital_status", spouse, person.start, person.end, Mode.state, subject=me, confidence=0.8, dated=False)
    for found in EN_NAMED.finditer(sentence.text):
        name = found["name"] or found["name2"]
        kind = relative_kind(re.sub(r"['’]s$", "", found["kind"] or found["kind2"]))
        if kind:
            scene.people.learn(name)
            scene.people.by_relation[(fold(scene.speaker), kind)] = name
            yield Found("relative", f"{kind}: {name}", found.start(), found.end(), Mode.state, subject=me, confidence=0.88, dated=False)
    apposition = re.compile(rf"(?P<name>{NAME_WORD}(?:\s{NAME_WORD})?)(?:\s+(?:is|[-—–])|,)\s+(?:my|our|мой|моя|мне)\s+(?:(?:older|younger|elder|little|big|baby|twin|dear|младший|младшая|старший|старшая|родной|родная|двоюродный|двоюродная)\s+)?(?P<kind>[\w-]+)")
    for found in apposition.finditer(sentence.text):
        kind = relative_kind(found["kind"])
        name = found["name"]
        if "," in found[0] and not all(is_given_name(part) for part in name.split()[:1]):
            continue
        if kind and not any(p.start == found.start("kind") and p.name for p in everyone):
            scene.people.learn(name)
            yield Found("relative", f"{kind}: {name}", found.start(), found.end(), Mode.state, subject=me, confidence=0.88, dated=False)
            spouse = _SPOUSES.get(kind)
            if spouse:
                yield Found("marital_status", spouse, found.start(), found.end(), Mode.state, subject=me, confidence=0.8, dated=False)


def _births(sentence: Sentence, everyone: list[Person]) -> Iterator[Found]:
    for found in BIRTH.finditer(sentence.low):
        value = iso_date(found["date2"] or found["date"], sentence.lang)
        if value is None:
            continue
        before = [p for p in everyone if p.end <= found.start("date") and not p.pronoun]
        owner = before[-1].ref if before else None
        if before and owner is None:
            continue
        whose = Who.first if owner is None else Who.open
        yield Found("birth_date", value, found.start(), found.end(), Mode.timeless, whose, subject=owner, confidence=0.92, dated=False)


def _pets_ru(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    for found in re.finditer(r"(?P<kind>[а-яё]+)(?:\s*[-—–]\s*|,?\s+)(?:(?:по имени|по кличке|зовут|назвали|назвал|назвала)\s+)?[«\"]?(?P<name>[А-ЯЁA-Z][\w-]+)", text):
        kind = _PETS_RU.get(lemma(found["kind"]))
        if kind is None or parses(found["kind"])[0].tag.POS != "NOUN":
            continue
        named = re.search(r"зовут|назва", found[0])
        own = named or re.search(r"(?:\bу (?:меня|нас)|\bмо[йяиеуг]\w*|\bнаш\w*|\bзавел\w*|\bвзял\w*|\bкупил\w*|\bприютил\w*|\bпохоронили|\bусыпили|\bэто|\bживет|\bмы с)\b[^.!?]{0,30}$", low[: found.start()])
        if own is None and found.start() > 2:
            continue
        cases = tuple(sorted({p.tag.case for p in parses(found["kind"]) if p.tag.case}))
        name = name_nominative(found["name"], cases if parses(found["kind"])[0].tag.case != "nomn" else ())
        if RU_PET_LOST.search(low):
            yield Found("pet", f"{kind}: {name}", found.start(), found.end(), Mode.end, Who.first, confidence=0.8)
            continue
        mode = Mode.change if RU_NEW_PET.search(low) else Mode.state
        yield Found("pet", f"{kind}: {name}", found.start(), found.end(), mode, Who.first, confidence=0.88, dated=mode is Mode.change)


def _pets_en(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    several = EN_PETS.search(text)
    if several:
        for name in (several["a"], several["b"]):
            yield Found("pet", f"{several['kind'].lower()}: {name}", several.start(), several.end(), Mode.state, Who.first, confidence=0.85, dated=False)
        return
    for pattern in (EN_PET, EN_PET_NAME):
        for found in pattern.finditer(text):
            name = re.sub(r"['’]s$", "", found["name"])
            if name in {"I", "The", "He", "She", "It", "And", "But", "So"}:
                continue
            kind = found["kind"].lower()
            lead = found[0].split()[0].lower()
            if lead in ("his", "her"):
                continue
            if lead in ("a", "an", "the") and pattern is EN_PET and not re.search(r"named|called", found[0]) and not re.search(r"\b(?:i|we|my|our|have|got|adopted|just me and)\b", low[: found.start()]):
                continue
            mode = Mode.end if EN_PET_LOST.search(low) else Mode.change if EN_NEW_PET.search(low[: found.start() + 12]) else Mode.state
            yield Found("pet", f"{kind}: {name}", found.start(), found.end(), mode, Who.first, confidence=0.88, dated=mode is not Mode.state)


def _married(speaker: str) -> str:
    """"Married" in the speaker's gender, as far as the name tells it."""
    genders = grammemes(speaker.split()[0])
    if "femn" in genders and "masc" not in genders:
        return "замужем"
    return "женат" if "masc" in genders and "femn" not in genders else "в браке"


def _marital_ru(sentence: Sentence, everyone: list[Person], scene: Scene) -> Iterator[Found]:
    low = sentence.low
    for found in RU_MARITAL.finditer(low):
        if found["word"]:
            word = {"женаты": "в браке", "холостяк": "холост", "разведены": "в разводе"}.get(found["word"], found["word"])
            if found["not"] and word.startswith("в "):
                continue
            value = f"не {word}" if found["not"] else word
            before = low[: found.start()].rstrip(" ,")
            subjects = [p for p in everyone if p.end <= found.start() + 1 and "nomn" in p.cases]
            if not subjects and not re.search(r"(?:^|я|сейчас|теперь|официально|снова|уже|пока|:)$", before):
                continue
            mode = Mode.change if re.search(r"\b(?:теперь|официально|сегодня)\b", before) else Mode.state
            yield Found("marital_status", value, found.start(), found.end(), mode, Who.open, confidence=0.85, dated=mode is Mode.change)
        elif found["wed"]:
            if re.search(r"\bне\s+$", low[: found.start()]):
                continue
            value = "замужем" if "замуж" in found["wed"] else "женат" if found["wed"].startswith("жен") else _married(scene.speaker)
            yield Found("marital_status", value, found.start(), found.end(), Mode.change, Who.open, confidence=0.8)
        else:
            value = "разведена" if found["split"].endswith("лась") else "разведён" if found["split"].endswith("лся") else "в разводе"
            if found["split"] in ("разводимся", "развожусь"):
                continue
            yield Found("marital_status", value, found.start(), found.end(), Mode.change, Who.open, confidence=0.8)


def _marital_en(sentence: Sentence) -> Iterator[Found]:
    low = sentence.low
    for found in EN_MARITAL.finditer(low):
        if re.search(r"(?:\bnot|n't|\bnever|\bwhen (?:i|we)|\bbefore (?:i|we)|\bgetting)\s+(?:\w+\s+)?$", low[: found.start()]):
            continue
        if found["word"]:
            if found["not"]:
                continue
            mode = Mode.change if re.search(r"\b(?:officially|now|as of|today)\b", low[: found.end()]) else Mode.state
            who = Who.first if re.match(r"(?:i'm|i am|im|we're|we are)", found["am"]) else Who.third if re.match(r"(?:he's|she's|is|are)", found["am"]) else Who.open
            yield Found("marital_status", found["word"], found.start(), found.end(), mode, who, verb=found.start(), confidence=0.85, dated=mode is Mode.change)
        elif found["wed"]:
            if "getting" in found["wed"]:
                continue
            yield Found("marital_status", "married", found.start(), found.end(), Mode.change, Who.open, confidence=0.85)
        elif found["split"]:
            if "getting" in found["split"]:
                continue
            yield Found("marital_status", "divorced", found.start(), found.end(), Mode.change, Who.open, confidence=0.85)
        else:
            yield Found("marital_status", "engaged", found.start(), found.end(), Mode.change, Who.open, confidence=0.7)


def _ages(sentence: Sentence, everyone: list[Person]) -> Iterator[Found]:
    low = sentence.low
    russian = sentence.lang == "ru"
    for found in (RU_AGE_ME if russian else EN_AGE_ME).finditer(low):
        number = small_number(found["n"])
        if number is None or number < 5:
            continue
        explicit = found.groupdict().get("unit") or found.groupdict().get("old") or (russian and re.search("исполн|стукн", found[0]))
        if not explicit and not (10 <= number <= 110):
            continue
        if russian and not explicit and (sentence.clause_at(found.start()).end > found.end() + 3):
            continue
        third = [p for p in everyone if p.end <= found.start() and not p.first]
        if not russian and found[0].startswith("turned") and third:
            continue
        yield Found("age", number, found.start(), found.end(), Mode.state, Who.first, confidence=0.88, dated=False)
    for person in everyone:
        if person.first or person.ref is None:
            continue
        if russian and not person.cases & {"datv"}:
            continue
        found_after = (RU_AGE_OTHER if russian else EN_AGE_OTHER).match(low, person.end if not low[person.end - 2 : person.end] == "'s" else person.end - 2)
        if found_after is None:
            continue
        number = small_number(found_after["n"])
        if number is None or (russian and not (found_after["unit"] or re.match(r"\s*(?:$|[,.;!)]|\s+(?:а|и|но)\s)", low[found_after.end() :]))):
            continue
        if not russian and found_after[0].lstrip().startswith((",", "(")) and not (found_after["old"] or person.kind):
            continue
        yield Found("age", number, person.start, found_after.end(), Mode.state, subject=person.ref, confidence=0.85, dated=False)
