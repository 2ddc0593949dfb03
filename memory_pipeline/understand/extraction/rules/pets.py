"""Rules for `pet`."""

import re
from collections.abc import Iterator, Sequence

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.owners_ru import is_owner
from memory_pipeline.understand.extraction.people import (
    name_nominative,
)
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import cases_of, lemma, parses

_PETS_EN = (
    "dog cat puppy kitten parrot hamster rabbit bunny turtle tortoise horse pony goldfish snake lizard gecko ferret "
    "guinea pig rat canary budgie corgi labrador poodle beagle dachshund greyhound whippet terrier spaniel husky pug "
    "bulldog goat hen donkey pup kitty doggo retriever collie mutt mongrel tomcat tabby moggy labradoodle cockapoo "
    "cavapoo goldendoodle chihuahua dalmatian rottweiler dobermann doberman alsatian lurcher setter pointer samoyed akita "
    "malamute newfoundland mastiff pomeranian pekingese schnauzer bichon maltipoo sheepdog shepherd hound boxer staffie "
    "westie yorkie pinscher cockatiel cockatoo macaw parakeet lovebird finch duck chicken rooster pig sheep lamb llama "
    "alpaca hedgehog chinchilla gerbil mouse iguana chameleon dragon python axolotl newt frog tarantula coon ragdoll "
    "sphynx siamese persian bengal calico mare stallion gelding foal mule cob"
)
PET_EN = (
    "guinea pig|bearded dragon|jack russell|great dane|shih tzu|stick insect|hermit crab|sugar glider|black lab|yellow lab|chocolate lab|"
    + "|".join(w for w in _PETS_EN.split() if w not in ("guinea", "pig"))
)

_PETS_RU = {
    "кот": "кот", "кошка": "кошка", "котик": "кот", "котенок": "котёнок", "собака": "собака", "пес": "пёс",
    "щенок": "щенок", "попугай": "попугай", "хомяк": "хомяк", "кролик": "кролик", "черепаха": "черепаха",
    "крыса": "крыса", "хорек": "хорёк", "лошадь": "лошадь", "корги": "корги", "такса": "такса", "шпиц": "шпиц",
    "лабрадор": "лабрадор", "овчарка": "овчарка", "хаски": "хаски", "рыбка": "рыбка", "канарейка": "канарейка",
    "морская свинка": "морская свинка", "свинка": "морская свинка", "псина": "собака", "кошечка": "кошка", "дворняга": "дворняга",
    "пудель": "пудель", "мопс": "мопс", "бульдог": "бульдог", "шиншилла": "шиншилла", "еж": "ёж", "ротвейлер": "ротвейлер", "доберман": "доберман",
    "бигль": "бигль", "самоед": "самоед", "терьер": "терьер", "йорк": "йорк", "спаниель": "спаниель", "дог": "дог",
    "ретривер": "ретривер", "колли": "колли", "далматинец": "далматинец", "чихуахуа": "чихуахуа", "болонка": "болонка",
    "борзая": "борзая", "гончая": "гончая", "сеттер": "сеттер", "лайка": "лайка", "боксер": "боксёр", "кобель": "пёс",
    "собачка": "собака", "песик": "пёс", "дворняжка": "дворняга", "кошак": "кот", "котяра": "кот", "сфинкс": "сфинкс",
    "мейн-кун": "мейн-кун", "перс": "перс", "игуана": "игуана", "ящерица": "ящерица", "геккон": "геккон", "змея": "змея",
    "питон": "питон", "уж": "уж", "удав": "удав", "паук": "паук", "улитка": "улитка", "мышь": "мышь", "мышка": "мышь",
    "крыска": "крыса", "хомячок": "хомяк", "дегу": "дегу", "кенар": "кенар", "волнистик": "попугай", "корелла": "корелла",
    "какаду": "какаду", "ара": "ара", "ворон": "ворон", "петух": "петух", "курица": "курица", "гусь": "гусь", "утка": "утка",
    "коза": "коза", "козел": "козёл", "корова": "корова", "телка": "тёлка", "поросенок": "поросёнок", "свинья": "свинья",
    "осел": "осёл", "пони": "пони", "конь": "конь", "кобыла": "кобыла", "мерин": "мерин", "жеребец": "жеребец",
    "енот": "енот", "лиса": "лиса", "норка": "норка", "сова": "сова", "аксолотль": "аксолотль", "тритон": "тритон",
}  # fmt: skip
EN_PET = Gated(
    rf"\b(?i:my|our|have an?|have|got an?|got|adopted an?|adopt an?|a|an|the|own an?|his|her)\s+(?P<desc>(?:(?!(?:is|was|and|or|to)\b)[\w-]+\s+){{0,3}}?)(?P<kind>{PET_EN})s?,?\s+(?:(?:named|called|whose name is|who's called|(?:(?:home|today|yesterday|tonight|in)\b,?\s*)*(?:his|her|its)\s+name(?:'s|\s+is))\s+)?(?P<name>[A-Z][\w'’-]+)"
)
EN_PET_NAME = Gated(
    rf"\b(?P<name>[A-Z][\w-]+),?\s+(?:is\s+|\()?(?:my|our)\s+(?:[\w-]+\s+){{0,3}}?(?P<kind>{PET_EN})\b"
)
EN_PETS = Gated(
    rf"\b(?i:my|our|have|got)\s+(?:(?:two|both)\s+)?(?:[\w-]+\s+)?(?P<kind>{PET_EN})s\b,?:?\s+(?:named\s+|called\s+)?(?P<a>[A-Z][\w-]+)\s+(?:and|&)\s+(?P<b>[A-Z][\w-]+)"
)
_OTHERS_PET = re.compile(
    r"\b(?:want|wants|wanted|wish|neighbou?rs?'?|met|saw|dreamt|book about|film about|has|has got|has just got)\s+$"
)
"""Words right before an animal that is not the speaker's, or not yet."""
EN_NEW_PET = re.compile(r"\b(?:adopted|got|bought|brought home|rescued|picked up|welcomed|new)\b")
EN_PET_LOST = Gated(
    r"\b(?:said goodbye to|lost|put down|put (?:our|my|the) \w+(?: \w+)? (?:down|to sleep)|put to sleep|had to let go of|passed away|died|crossed the rainbow|re-?homed?|gave (?:him|her|it|them)? ?away|(?:had|have) to give (?:up|away)|surrendered)\b"
)
RU_PET_LOST = Gated(
    r"\b(?:умер(?:ла)?|не стало|похоронили|усыпили|ушел на радугу|ушла на радугу|потеряли|пристроили|отдали)\b"
)
RU_NEW_PET = Gated(
    r"\b(?:завел[аи]?|взял[аи]?|приютил[аи]?|купил[аи]?|подобрал[аи]?|появил(?:ся|ась)|подарили|забрал[аи]?)\b"
)


PET_STEMS = frozenset(word[:4] for word in _PETS_RU)
"""How the words for pets begin."""


def pet_kind_ru(word: str) -> str | None:
    """The kind of pet that a word in any form names ("попугая" → "попугай"), or None."""
    known = _PETS_RU.get(lemma(word)) or _PETS_RU.get(word.lower().replace("ё", "е"))
    if known is None and len(word) > 3:
        forms = (
            str(p.normal_form).replace("ё", "е")
            for p in parses(word)[:4]
            if "NOUN" in p.tag and p.is_known
        )
        known = next((kind for form in forms if (kind := _PETS_RU.get(form))), None)
    return known


def pets_ru(sentence: Sentence) -> Iterator[Found]:
    """Pets with their names: kept, got, lost."""
    text, low = sentence.text, sentence.low
    for found in re.finditer(
        r"(?<!\w)(?P<kind>[А-ЯЁа-яё][а-яё]+)(?:\s*[-—–]\s*|,?\s+)(?:(?:по имени|по кличке|зовут|назвали|назвал|назвала)\s+)?[«\"]?(?P<name>[А-ЯЁA-Z][\w-]+)",
        text,
    ):
        kind = pet_kind_ru(found["kind"])
        if kind is None or parses(found["kind"])[0].tag.POS in ("VERB", "PREP", "CONJ"):
            continue
        named = re.search(r"зовут|назва", found[0])
        own = named or re.search(
            r"(?:\bу (?:меня|нас)|\bмо[йяиеуг]\w*|\bнаш\w*|\bзавел\w*|\bвзял\w*|\bкупил\w*|\bприютил\w*|\bпохоронили|\bусыпили|\bэто|\bжив[еу]т|\bсо мной|\bдома|\bмы с)\b[^.!?]{0,30}$",
            low[: found.start()],
        )
        if own is None and found.start() > 2:
            continue
        cases = tuple(sorted({p.tag.case for p in parses(found["kind"]) if p.tag.case}))
        if is_owner(found["name"], found["kind"]):
            continue
        is_plain = named is not None or parses(found["kind"])[0].tag.case == "nomn"
        is_foreign = not any("Name" in parse.tag for parse in parses(found["name"]))
        as_written = is_plain and (is_foreign or "nomn" in cases_of(found["name"]))
        name = (
            found["name"]
            if as_written
            else name_nominative(found["name"], () if is_plain else cases)
        )
        if RU_PET_LOST.search(low):
            yield Found(
                "pet",
                f"{kind}: {name}",
                found.start(),
                found.end(),
                Mode.end,
                Who.first,
                confidence=0.8,
            )
            continue
        mode = Mode.change if RU_NEW_PET.search(low) else Mode.state
        yield Found(
            "pet",
            f"{kind}: {name}",
            found.start(),
            found.end(),
            mode,
            Who.first,
            confidence=0.88,
            dated=mode is Mode.change,
        )


_OBLIQUE = re.compile(r"\b(?:with|for|to|from|of|by|at)\s+(?:(?:my|our)\s+)?$")
"""Before somebody who does nothing in the clause."""


def pets_en(sentence: Sentence, everyone: Sequence[Person]) -> Iterator[Found]:
    """Pets with their names: kept, got, lost."""
    text, low = sentence.text, sentence.low
    several = EN_PETS.search(text)
    if several:
        for name in (several["a"], several["b"]):
            yield Found(
                "pet",
                f"{several['kind'].lower()}: {name}",
                several.start(),
                several.end(),
                Mode.state,
                Who.first,
                confidence=0.85,
                dated=False,
            )
        return
    called = re.compile(
        rf"\b(?i:my|our)\s+(?:[\w-]+\s+){{0,2}}?(?P<kind>{PET_EN})(?:['’]s name is|\s+is (?:called|named))\s+(?P<name>[A-Z][\w-]+)"
    ).search(text)
    if called:
        yield Found(
            "pet",
            f"{called['kind']}: {called['name']}",
            called.start(),
            called.end(),
            Mode.state,
            Who.first,
            confidence=0.88,
            dated=False,
        )
        return
    for pattern in (EN_PET, EN_PET_NAME):
        for found in pattern.finditer(text):
            name = re.sub(r"['’]s$", "", found["name"])
            if name in {"I", "The", "He", "She", "It", "And", "But", "So"}:
                continue
            kind = found["kind"].lower()
            lead = found[0].split()[0].lower()
            if lead in ("his", "her") or _OTHERS_PET.search(low[: found.start()]):
                continue
            if (
                lead in ("a", "an", "the")
                and pattern is EN_PET
                and not re.search(r"named|called", found[0])
                and not re.search(
                    r"\b(?:i|we|my|our|have|got|adopted|just me and)\b", low[: found.start()]
                )
            ):
                continue
            keeper = None
            if pattern is EN_PET and lead not in ("my", "our"):
                clause = sentence.clause_at(found.start())
                before = [
                    p for p in everyone
                    if clause.start <= p.start and p.end <= found.start() and "nomn" in p.cases
                    and not _OBLIQUE.search(low, 0, p.start)
                ]  # fmt: skip
                if before and not before[-1].first:
                    if before[-1].ref is None or before[-1].pronoun:
                        continue
                    keeper = before[-1].ref
            mode = (
                Mode.end
                if EN_PET_LOST.search(low)
                else Mode.change
                if EN_NEW_PET.search(low[: found.start() + 12])
                else Mode.state
            )
            yield Found(
                "pet",
                f"{kind}: {name}",
                found.start(),
                found.end(),
                mode,
                Who.first if keeper is None else Who.third,
                keeper,
                confidence=0.88,
                dated=mode is not Mode.state,
            )
