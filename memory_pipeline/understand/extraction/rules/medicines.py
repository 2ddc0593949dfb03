"""Rules for `medication`."""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.rules.grammar import absent
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses, reading

RU_MEDS = Gated(
    r"\b(?:(?P<first>принимаю|пью|колю|сижу на|я на)|(?P<third>принимает|пьет|колет|сидит на)|(?P<new>(?:назначил[аи]?|выписал[аи]?|прописал[аи]?|перевели на|посадили на|перевели на|перевел[аи]? (?:меня |ее |его )?на)(?:\s+(?:мне|ей|ему|маме|папе|врач|терапевт|кардиолог|эндокринолог|невролог|доктор|вчера|сегодня)){0,3}))\s+"
)
EN_MEDS = Gated(
    r"\b(?:(?P<first>(?:i|we)(?:'m| am|'ve been| have been)?\s+(?:still\s+|also\s+|currently\s+|now\s+|always\s+|already\s+)*(?:take|taking|on|prescribed)|im\s+(?:on|taking)|i was (?:put|started) on|i got (?:put|started) on)"
    r"|(?P<third>takes|'s\s+on|is\s+(?:now\s+|still\s+)?(?:on|taking)|'s\s+(?:now\s+|still\s+)?(?:on|taking)|has been (?:on|taking))"
    r"|(?P<bare>^on)|(?P<begun>started (?:on|taking)|starting (?:on|taking)|just started)|(?P<new>(?:put|started|has|prescribed)\s+(?P<obj>me|her|him|my \w+)\s+(?:on\s+)?))\s*(?:my\s+|the\s+)?(?:a\s+|\d+\s*(?:mg|mcg|g|ml)\s+of\s+|low dose\s+|daily\s+)*"
)
EN_STOP_MEDS = Gated(
    r"\b(?:stopped taking|came off|coming off|come off|off|quit taking|no longer (?:take|taking|on)|took (?:me|her|him) off|done with)\s+(?:the\s+|my\s+)?"
)
RU_STOP_MEDS = Gated(
    r"\b(?:(?:больше|уже) не (?:принимаю|пью)|перестал[аи]? (?:принимать|пить)|отменили|бросил[аи]? пить|слез(?:ла)? с)\s+(?:мне\s+|ей\s+|ему\s+|маме\s+|папе\s+)?"
)
RU_FINISH = Gated(r"(?P<what>[а-я]+)\s+(?:допиваю|допью|пропью)\s+")
RU_INSTEAD = Gated(r"\bвместо\s+(?:него|нее|них|этого)\s+")
_DRUG_RU = re.compile(
    r"(?:[а-я]+(?:ин|ол|ил|он|ат|ен|ам|ид|ан|ап|им|окс|экс|ум|аза|акс|ен|зин|фаг|рон|тин|пам|кор|тас|рил|лин|мет))(?:[а-я]{0,3})\b|инсулин\w*|аспирин\w*|витамин\w*\s+[дd]|антидепрессант\w*|антибиотик\w*|гормон\w*|железо\b|магний\b|омега\w*|таблетк\w+ от \w+|статин\w*|антигистаминн\w+"
)
SURE_DRUG_RU = re.compile(
    r"(?:прил|олол|[сз]артан|коксиб|лукаст|коназол|зосин|терол|сонид|глитазон|пидогрел|статин|формин|тироксин|зепам|золам|празол|циллин|мицин|флоксацин|инсулин|фарин|пирин|цетамол|профен|преднизолон|глиптин|флозин|оксетин|сертралин|тралин|прам|ратадин|тиризин|дипин|ксабан|антидепрессант\w*|антибиотик\w*|гормон\w*|статин\w*|витамин\s\w|магний|железо|омега\w*|триптан|лепсин|лактон|семид|метазон|тиамазол|пантенол|глюкофаж|эутирокс|конкор|кетонал|нурофен|но-шпа|феназепам|атаракс|золофт)(?:\s|$)"
)
_NOT_DRUG_RU = frozenset(
    [
        "меня",
        "тебя",
        "его",
        "нас",
        "вас",
        "я",
        "главным",
        "укол",
        "балкон",
        "лимон",
        "диван",
        "телефон",
        "экран",
        "стол",
        "день",
        "время",
        "встречу",
        "свидание",
        "созвон",
        "экзамен",
        "директором",
        "начальником",
        "премию",
        "штраф",
        "цену",
        "магазин",
        "магазина",
        "один",
        "стакан",
        "кофеин",
        "лимон",
        "батон",
        "бульон",
        "апельсин",
        "вина",
        "вино",
        "половина",
        "телефон",
        "домен",
        "бензин",
        "витрин",
        "картон",
        "кран",
        "план",
        "банан",
        "фонтан",
        "экран",
        "роман",
        "стол",
        "дом",
        "сон",
        "фон",
        "тон",
        "закон",
        "вагон",
        "сезон",
        "район",
        "салон",
        "салат",
        "чан",
        "капучино",
        "латте",
        "виски",
        "джин",
        "ром",
        "ванна",
        "диван",
        "туман",
        "урок",
        "килограмм",
        "грамм",
        "клиент",
        "пациент",
        "момент",
        "студент",
        "цемент",
        "документ",
        "мандарин",
        "самогон",
        "квас",
        "бокал",
        "ерунду",
        "решение",
        "душ",
        "дождь",
        "лекарство",
        "участие",
        "решения",
        "меры",
        "звонки",
        "заказы",
        "гостей",
        "оплату",
        "поздравления",
    ]
)
_DRUG_EN = re.compile(
    r"(?:[a-z]*(?:in|ine|ol|pril|statin|sartan|mab|zole|pam|lam|done|one|ide|ate|cillin|mycin|oxetine|azole|formin|profen|phen|tidine|prazole|tadine|oxin|arin|xin|zine|rone|olone|sone|lol|dipine|thyroxine|fil|vir|gliptin|gliflozin|tide|line|pine|lant|bid|ium|zepam|barbital|trate))\b|lithium|insulin|aspirin|warfarin|xarelto|eliquis|zoloft|prozac|lexapro|adderall|ritalin|concerta|xanax|ozempic|wegovy|humira|statins?|antibiotics|antidepressants|beta blockers|blood thinners|birth control|the pill|steroids|iron pills|prednisone|lipitor|synthroid|plavix|zyrtec|claritin|allegra|nexium|vyvanse|wellbutrin|cymbalta|effexor|lyrica|keppra|lamictal|seroquel|abilify|vitamin [a-z0-9]+",
)
_NOT_DRUG_EN = frozenset(
    [
        "the",
        "online",
        "line",
        "mine",
        "fine",
        "wine",
        "magazine",
        "routine",
        "caffeine",
        "time",
        "one",
        "none",
        "done",
        "phone",
        "alone",
        "everyone",
        "someone",
        "zone",
        "again",
        "main",
        "train",
        "pain",
        "plan",
        "rain",
        "captain",
        "cabin",
        "brain",
        "gain",
        "fountain",
        "mountain",
        "certain",
        "curtain",
        "villain",
        "coffee",
        "something",
        "anything",
        "vacation",
        "action",
        "private",
        "late",
        "date",
        "state",
        "plate",
        "rate",
        "climate",
        "chocolate",
        "update",
        "donate",
        "slide",
        "side",
        "ride",
        "guide",
        "inside",
        "wide",
        "bride",
        "outside",
        "pride",
        "decide",
        "provide",
        "hide",
        "tide",
        "take",
        "care",
        "part",
        "over",
        "charge",
        "medicine",
        "cuisine",
        "machine",
        "engine",
        "airline",
        "deadline",
        "pipeline",
        "headline",
        "baseline",
        "video",
        "school",
        "alcohol",
        "control",
        "protocol",
        "pool",
        "tool",
        "cool",
        "gasoline",
        "discipline",
        "berlin",
        "linkedin",
        "vaccine",
        "begin",
        "login",
        "admin",
        "maintain",
        "skin",
        "twin",
        "bin",
        "win",
        "thin",
        "spin",
        "chin",
        "margin",
        "origin",
        "virgin",
        "basin",
        "raisin",
        "muffin",
        "penguin",
        "dolphin",
        "dublin",
        "latin",
        "austin",
        "justin",
        "martin",
        "robin",
        "kevin",
        "colin",
        "shampoo",
        "notes",
        "turns",
        "offense",
        "estimate",
        "corporate",
        "delegate",
        "candidate",
        "private",
        "certificate",
        "chocolate",
        "moderate",
        "telephone",
        "saxophone",
        "microphone",
        "drone",
        "stone",
        "bone",
        "tone",
        "cologne",
        "clone",
        "marathon",
        "ballet",
        "aim",
        "magnesium",
        "stadium",
        "medium",
        "premium",
        "aquarium",
        "gymnasium",
        "podium",
        "auditorium",
        "tedium",
    ]
)
_DOSE = re.compile(r"\s+\d+(?:[.,]\d+)?\s*(?:mg|mcg|g|ml|iu|units|мг|мкг|г|мл|ед)\b", re.IGNORECASE)


def owner_ru(sentence: Sentence, scene: Scene, position: int) -> tuple[SubjectRef | None, bool]:
    """Who has what stands at `position`: "у сына Тёмы аллергия", "маме назначили". The flag is
    false where somebody is named who cannot be told."""
    clause = sentence.clause_at(position)
    near = [
        p for p in persons(sentence, scene)
        if clause.start - 40 <= p.start and p.end <= position and p.cases & {"gent", "datv", "nomn"}
    ]  # fmt: skip
    same = [p for p in near if p.start >= clause.start] or near
    if not same:
        return None, True
    person = same[-1]
    if person.pronoun:
        return None, False
    return person.ref, person.ref is not None


def _singular(word: str) -> str:
    parse = reading(word, "NOUN", "sing") or parses(word)[0]
    form = parse.inflect({"nomn", "sing"})
    return str(form.word) if form is not None else word


@lru_cache(maxsize=16_384)
def _is_no_drug(name: str) -> bool:
    """Whether the dictionary knows a word as a person, a place or a quality, and so as no drug."""
    best = parses(name.split()[0])[0]
    if not best.is_known or SURE_DRUG_RU.search(name):
        return False
    strange = {"Name", "Surn", "Geox", "Patr", "anim"} & best.tag.grammemes
    return bool(strange) or best.tag.POS in ("ADJF", "VERB", "ADVB")


def drug_ru(low: str, at: int) -> tuple[str, int, int] | None:
    found = _DRUG_RU.match(low, at)
    if found is None or found[0] in _NOT_DRUG_RU:
        return None
    word = found[0]
    name = _singular(word) if " " not in word else word
    if name in _NOT_DRUG_RU or _is_no_drug(name):
        return None
    dose = _DOSE.match(low, found.end())
    return (
        (f"{name}{dose[0]}", found.start(), dose.end())
        if dose
        else (name, found.start(), found.end())
    )


def medicine_ru(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Medicines taken, begun, stopped, changed."""
    low = sentence.low
    joint = re.compile(r"\s*(?:,|\+|и|а также|плюс)\s+")
    stopped: set[str] = set()
    for found in RU_STOP_MEDS.finditer(low):
        drug = drug_ru(low, found.end())
        if drug:
            stopped.add(drug[0])
            yield Found(
                "medication", drug[0], found.start(), drug[2], Mode.end, Who.open, confidence=0.85
            )
    for found in re.finditer(
        r"\b(?:переш(?:ел|ла)|перевел[аи]?)\s+(?:меня\s+)?с\s+(?P<old>[а-я]+)\s+на\s+(?P<new>[а-я]+)",
        low,
    ):
        old, new = drug_ru(low, found.start("old")), drug_ru(low, found.start("new"))
        if old and SURE_DRUG_RU.search(old[0]):
            stopped.add(old[0])
            yield Found(
                "medication", old[0], found.start(), found.end(), Mode.end, Who.open, confidence=0.8
            )
            if new:
                yield Found(
                    "medication",
                    new[0],
                    found.start(),
                    found.end(),
                    Mode.change,
                    Who.open,
                    confidence=0.8,
                )
    for found in RU_FINISH.finditer(low):
        drug = drug_ru(low, found.start("what"))
        if drug:
            stopped.add(drug[0])
            yield Found(
                "medication",
                drug[0],
                found.start(),
                found.end(),
                Mode.end,
                Who.first,
                confidence=0.85,
            )
    for found in RU_INSTEAD.finditer(low):
        drug = drug_ru(low, found.end())
        if drug:
            yield Found(
                "medication",
                drug[0],
                found.start(),
                drug[2],
                Mode.change,
                Who.open,
                confidence=0.85,
            )
    for found in RU_MEDS.finditer(low):
        if absent(low, found.start()):
            continue
        at = found.end()
        weak = found[0].startswith(("пью", "пьет", "сижу", "сидит", "я на"))
        owner: SubjectRef | None = None
        if found["new"]:
            owner, told = owner_ru(sentence, scene, found.end())
            if not told:
                continue
        while True:
            drug = drug_ru(low, at)
            if (
                drug is None
                or drug[0] in stopped
                or (weak and SURE_DRUG_RU.search(drug[0]) is None)
            ):
                break
            who = Who.first if found["first"] else Who.third if found["third"] else Who.open
            yield Found(
                "medication",
                drug[0],
                found.start(),
                drug[2],
                Mode.change if found["new"] else Mode.state,
                who,
                owner,
                verb=found.start(),
                confidence=0.75 if weak else 0.88,
                dated=bool(found["new"]) or "с " in low[:at],
            )
            more = joint.match(low, drug[2])
            if more is None:
                break
            at = more.end()


def drug_en(low: str, at: int) -> tuple[str, int, int] | None:
    vitamin = re.compile(r"vitamin [a-z]\d*\b").match(low, at)
    if vitamin:
        return vitamin[0][:-1] + vitamin[0][-1].upper(), vitamin.start(), vitamin.end()
    found = _DRUG_EN.match(low, at)
    if found is None or found[0] in _NOT_DRUG_EN or len(found[0]) < 5:
        return None
    known = re.fullmatch(
        r"lithium|insulin|aspirin|warfarin|xarelto|eliquis|zoloft|prozac|lexapro|adderall|ritalin|concerta|xanax|ozempic|wegovy|humira|statins?|antibiotics|antidepressants|beta blockers|blood thinners|birth control|the pill|steroids|iron pills|prednisone|lipitor|synthroid|plavix|zyrtec|claritin|allegra|nexium|vyvanse|wellbutrin|cymbalta|effexor|lyrica|keppra|lamictal|seroquel|abilify|vitamin [a-z0-9]+|"
        r"[a-z]+(?:formin|pril|statin|sartan|mab|prazole|zepam|cillin|mycin|oxetine|profen|thyroxine|gliptin|gliflozin|dipine|olol|zolam|triptan|tidine|tadine|conazole|vudine|parin|farin|xaban|lukast|terol|sone|solone|tyline|faxine|giline|azepine|gabalin|pentin|traline|azine|tropin|glutide|tinib|floxacin|cycline|triptyline|thiazide|semide|lactone|olone|oxin|ridone|apine|uride|idone|pram|phenidate|codone|morphine|codeine|amine|bital|lone)",
        found[0],
    )
    if known is None:
        return None
    dose = _DOSE.match(low, found.end())
    return (
        (f"{found[0]}{dose[0]}", found.start(), dose.end())
        if dose
        else (found[0], found.start(), found.end())
    )


def medicine_en(sentence: Sentence) -> Iterator[Found]:
    """Medicines taken, begun, stopped, changed."""
    low = sentence.low
    joint = re.compile(r"\s*(?:,\s*(?:and\s+)?|\+|and\s+|plus\s+|&\s*)\s*")
    stopped: set[str] = set()
    for found in re.finditer(
        r"\bswitch(?:ed|ing)\s+(?:(?:me|her|him)\s+)?from\s+(?P<old>[a-z]+)\s+to\s+(?P<new>[a-z]+)",
        low,
    ):
        old, new = drug_en(low, found.start("old")), drug_en(low, found.start("new"))
        if old and new:
            stopped.update((old[0], new[0]))
            who = Who.first if " me " in found[0] else Who.open
            yield Found(
                "medication", old[0], found.start(), found.end(), Mode.end, who, confidence=0.85
            )
            yield Found(
                "medication", new[0], found.start(), found.end(), Mode.change, who, confidence=0.85
            )
    for found in EN_STOP_MEDS.finditer(low):
        drug = drug_en(low, found.end())
        if drug:
            stopped.add(drug[0])
            yield Found(
                "medication",
                drug[0],
                found.start(),
                drug[2],
                Mode.end,
                Who.open,
                verb=found.start(),
                confidence=0.85,
            )
    for found in EN_MEDS.finditer(low):
        if absent(low, found.start()):
            continue
        at = found.end()
        while True:
            drug = drug_en(low, at)
            if drug is None or drug[0] in stopped:
                break
            who = (
                Who.first
                if found["first"] or found["obj"] == "me"
                else Who.open
                if found["begun"] or found["bare"]
                else Who.third
            )
            yield Found(
                "medication",
                drug[0],
                found.start(),
                drug[2],
                Mode.change if found["new"] or found["begun"] else Mode.state,
                who,
                verb=found.start(),
                confidence=0.88,
                dated=bool(found["new"] or found["begun"]) or "since" in low,
            )
            more = joint.match(low, drug[2])
            if more is None:
                break
            at = more.end()
