"""Rules for `preference`, `dislike`, `goal`, `plan` and `owns`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    phrase_list,
    russian_phrase,
    sentence_case,
)
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, nominative_word, parses

_TRIGGER = re.compile(
    r"предпочита|заход[яи]т|тащусь|переношу|бесят|люблю|любим|любит|обожа|нрав|хочется|ненавиж|терпеть|не перевар|не выношу|раздража|бесит|не люблю|не любит|цель|мечта|план|собира|намерен|"
    r"купил|угнал|украл|picked|ditch|велик|приобр|у меня есть|у нас есть|владе|машин|велосипед|дач|мотоцикл|самокат|квартир|продал|беру|лишь бы|"
    r"prefer|love|favou?rite|hate|dislike|can't stand|cannot stand|not a fan|despise|goal|aim|plan|going to|intend|own\b|bought|sold|have a\b|got a|got myself|drive|ride|rather|like\b|enjoy|adore|detest|loathe|allergic to small|not into|fan of|get about in|wanna|gonna|hoping|want to|хочу|хотим|езжу|вожу"
)
RU_PREFER = re.compile(r"\b(?P<first>предпочитаю|предпочитаем|обожаю|обожаем|тащусь от|балдею от|фанатею от|кайфую от|люблю|любим)\b|\b(?P<third>предпочитает|предпочитают|обожает|любит|любят)\b")
RU_LIKE = re.compile(r"\b(?P<me>мне|нам)\s+(?:очень\s+|больше\s+|всегда\s+|безумно\s+)*(?:нравит(?:ся|сь)|нравятся|по душе|заходит|заходят|зашел|зашла|зашли|по кайфу)\s+")
RU_WANT = re.compile(r"(?P<obj>[а-я]+)\s+(?:хочется|хотелось бы)\s+(?P<rest>[а-я]+(?:,?\s+без\s+[а-я]+)?)")
RU_DISLIKE = re.compile(r"\b(?:(?P<first>ненавижу|терпеть не могу|не перевариваю|не выношу|не люблю|не терплю|на дух не переношу|не переношу|не любим|ненавидим)|(?P<third>ненавидит|терпеть не может|не переваривает|не выносит|не любит|не терпит)|(?P<annoy>(?:меня )?(?:бесит|бесят|раздражает|раздражают)(?: меня)?))\b")
RU_DISLIKE_TAIL = re.compile(r"(?P<what>(?:[а-я]+\s+){0,2}?[а-я]+)\s+(?P<verb>терпеть не могу|ненавижу|не перевариваю|не выношу|не терплю|не люблю)\b")
EN_PREFER = re.compile(
    r"\b(?:(?P<first>(?:i|we)(?:'d)?\s+(?:really\s+|always\s+|much\s+|usually\s+|still\s+|generally\s+|also\s+|just\s+|absolutely\s+|totally\s+|definitely\s+)*(?P<v>prefer|love|adore|enjoy|rather have))|(?P<third>(?:he|she|they|[a-z]+)\s+(?:really\s+|always\s+|also\s+)*(?P<v3>prefers?|loves|adores|enjoys))|(?P<fav>my (?:all[- ]time |absolute )?favou?rite (?P<kind>[\w ]{2,25}?) (?:is|are|has to be|was always)))\s+"
)
EN_PREFER_TAIL = re.compile(r"\b(?:big|huge|massive)\s+fan of\s+")
EN_DISLIKE = re.compile(
    r"\b(?:(?P<first>(?:i|we)\s+(?:really\s+|absolutely\s+|just\s+|always\s+|still\s+)*(?:hate|dislike|despise|detest|loathe|can't stand|cannot stand|can't bear|don't like|do not like|don't enjoy)|(?:i'm|i am|im) not (?:a (?:big |huge )?fan of|into|keen on|fond of))|(?P<third>hates|dislikes|despises|detests|can't stand|doesn't like|does not like|is not a fan of|isn't a fan of))\s+"
)
RU_GOAL = re.compile(r"\b(?:моя\s+(?:главная\s+)?цель|цель\s+(?:у меня|на (?:этот\s+)?год|на \d{4})(?:\s+одна)?|у меня цель|поставил[аи]? себе цель|поставил[аи]? цель|цель)\s*(?:[-—–:]|,)?\s*(?P<verb>[а-я]+(?:ть|ти|ться|чь)\b[^,.;!?\n]*)")
EN_GOAL = re.compile(r"\b(?:my\s+(?:\w+\s+){0,2}?goals?(?:\s+(?:for|this|in)\s+[\w\s]{2,20}?)?\s*(?:is|are|:|=)\s*(?:to\s+)?|(?:learning\s+)?goals?(?:\s+for\s+[\w\s]{2,20}?)?:\s*|i(?:'m| am) aiming to\s+|i aim to\s+|i set (?:myself )?a goal (?:to|of)\s+)(?P<list>[^.;!?\n]+)")
RU_WISH = re.compile(r"\b(?:хочу|хотим)\s+(?:\w+\s+)?(?P<verb>(?:выучить|научиться|похудеть|набрать|пробежать|получить (?:сертификат|права|диплом|второе)|сдать|накопить|поступить|освоить|бросить (?:курить|пить)|написать (?:книгу|роман|диссертацию)|дойти|подтянуть|сесть на шпагат|стать)\b[^,.;!?\n]*)")
EN_WISH = re.compile(r"\b(?:i|we)\s+(?:really\s+|also\s+|finally\s+)*want to\s+(?P<verb>(?:learn|lose|run a|run the|get into|pass (?:the|my|our)|save up|quit (?:smoking|drinking)|write a (?:book|novel)|master|become|climb|hold a conversation|speak|finish a|swim|read \d+)\b[^,.;!?\n]*)")
RU_PLAN = re.compile(r"\b(?:(?P<first>(?:я\s+)?(?:планирую|планируем|собираюсь|собираемся|намерен[аы]?|намереваюсь|решил[аи]? (?=\w+(?:ть|ти|ться|чь)\b))|в планах|план(?: такой)?(?:\s*[-—–:])|есть план)|(?P<third>планирует|собирается|намерен[а]?))\s+(?P<adv>(?:в |на |с |к )?(?:(?!не\b)[\w-]+\s+){0,3}?)(?P<verb>[а-я]+(?:ть|ти|ться|тись|чь)\b[^,.;!?()\n]*)")
EN_PLAN = re.compile(
    r"\b(?:(?P<first>(?:i'm|i am|im|we're|we are)\s+(?:\w+ly\s+|also\s+|still\s+|now\s+)*(?:planning (?:to|on)|intending to|gonna|going to)|(?:i|we)\s+(?:\w+ly\s+|also\s+|still\s+)*(?:plan to|plan on|intend to|have plans to|decided to)|the plan is to|(?:my|our) plan is to)|(?P<third>(?:is|'s) planning to|plans to|intends to))\s+(?P<verb>[^,.;!?()\n]+)"
)
_VAGUE_PLAN = re.compile(
    r"^(?:be|have|get|go|do|see|try|check|make|say|ask|tell|let|need|take|give|keep|talk|call|sleep|eat|bed|cry|die|just|look|watch|use|show|send|miss|love|kill|not|"
    r"быть|спать|есть|пойти|идти|делать|посмотреть|сказать|спросить|написать|взять|дать|узнать|уточнить)\b"
)
EN_OWN = re.compile(
    r"\b(?:(?P<state>(?:i|we)\s+(?:\w+\s+)?(?:own|drive|ride)|i(?:'ve| have) got|(?:we|i) get (?:about|around) in)|(?P<new>(?:^|(?:i|we)\s+)(?:just\s+|finally\s+|recently\s+|also\s+)*(?:bought(?:\s+(?:myself|ourselves))?|purchased|picked up|got (?:myself|ourselves))))\s+"
)
EN_SOLD = re.compile(r"\b(?:(?:i|we)?\s*(?:just\s+|finally\s+|have\s+)*(?:sold|got rid of|traded in|gave away|scrapped))\s+(?:the|my|our)\s+")
RU_OWN = re.compile(r"\b(?:(?P<new>купил[аи]?|приобрел[аи]?|взял[аи]? в кредит)|(?P<state>у меня есть|у нас есть|владею|вожу|езжу на|ездим на|катаюсь на))\s+(?:(?:вчера|сегодня|наконец|недавно|себе|наконец-то|таки|уже|новый|новую)\s+)*")
RU_SOLD = re.compile(r"\b(?:продал[аи]?|сдал[аи]? в трейд-ин|избавил(?:ся|ась|ись) от|украли|угнали|разбил[аи]?|подарил[аи]?|отдал[аи]?)\s+(?:(?:вчера|сегодня|наконец|свой|свою|нашу|наш|мой|мою)\s+)*")
_DURABLE_RU = re.compile(
    r"машин|автомобил|тачк|велосипед|велик|мотоцикл|мопед|самокат|скутер|дач|квартир|дом(?:ик)?\b|гараж|участ|яхт|лодк|катер|прицеп|ноутбук|ноут\b|компьютер|фотоаппарат|камер|телескоп|пианин|гитар|скрипк|синтезатор|"
    r"телевизор|дрон|принтер|станок|трактор|лад[ауы]|тойот|киа|хендай|рено|шкод|фольксваген|bmw|бмв|мерседес|палатк|сап|сноуборд|лыж|коляск|телефон|айфон|iphone|macbook|макбук|playstation|приставк"
)
_DURABLE_EN = re.compile(
    r"\b(?:car|truck|van|suv|bike|bicycle|motorcycle|motorbike|scooter|house|condo|apartment|cottage|cabin|boat|kayak|canoe|camper|rv|trailer|laptop|computer|camera|telescope|piano|guitar|violin|synth|drone|printer|tractor|lathe|"
    r"subaru|toyota|honda|ford|tesla|volvo|bmw|audi|mazda|prius|jeep|kia|hyundai|volkswagen|vw|mercedes|chevy|nissan|macbook|ipad|iphone|playstation|xbox|telescope|skis|surfboard|snowboard|sewing machine|kiln|loom|keyboard|farm|land|flat|moped|sailboat|tent|drums?|cello|saxophone|ukulele|e-bike|ebike|wagon)\b",
    re.IGNORECASE,
)
_WEAK_OBJECT_EN = frozenset(
    """it that this them you him her everything nothing something anything me us what how when who being having doing the fact to idea
    those these one here there seeing hearing watching your yours hers his their theirs yourself myself ya u y'all""".split()
)
_WEAK_OBJECT_RU = frozenset("это все тебя вас его ее их что как когда себя тут там вообще меня нас друг людей жизнь".split())


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Tastes, aims and possessions of the sentence."""
    if not _TRIGGER.search(sentence.low):
        return
    if sentence.lang == "ru":
        yield from _russian(sentence)
    else:
        yield from _english(sentence)


def _not_before(low: str, at: int) -> bool:
    return re.search(r"(?:\bне|\bnot|n't|\bnever|\bно longer)\s+(?:\w+\s+)?$", low[:at]) is not None


def _russian(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    disliked: list[tuple[int, int]] = []
    for found in RU_DISLIKE.finditer(low):
        if re.match(r"\s*,?\s*(?:когда|что|если|чтобы)\b", low[found.end() :]):
            continue
        case = ("nomn",) if found["annoy"] else ("accs", "gent")
        for name, _, end in phrase_list(text, found.end(), "ru", case, 3, limit=3):
            if name.lower() in _WEAK_OBJECT_RU:
                break
            disliked.append((found.start(), end))
            who = Who.third if found["third"] else Who.first
            yield Found("dislike", name, found.start(), end, Mode.state, who, verb=found.start(), confidence=0.85, dated=False)
    for found in RU_DISLIKE_TAIL.finditer(low):
        if any(a <= found.start("verb") < b for a, b in disliked):
            continue
        words = found["what"].split()
        for n in range(min(2, len(words)), 0, -1):
            start = found.end("what") - len(" ".join(words[-n:]))
            phrase = russian_phrase(text[: found.end("what")], start, ("accs", "gent"), 3)
            if phrase and phrase[2] == found.end("what") and phrase[0].lower() not in _WEAK_OBJECT_RU:
                disliked.append((phrase[1], found.end()))
                yield Found("dislike", phrase[0], phrase[1], found.end(), Mode.state, Who.first, confidence=0.85, dated=False)
                break
    for found in RU_PREFER.finditer(low):
        verb = found["first"] or found["third"]
        if _not_before(low, found.start()) or any(a <= found.start() < b for a, b in disliked):
            continue
        if re.match(r"\s*,?\s*(?:когда|что|если|чтобы|тебя|вас|его|ее|их|меня)\b", low[found.end() :]):
            continue
        who = Who.third if found["third"] else Who.first
        infinitive = re.compile(r"\s+((?:не\s+)?[а-я]+(?:ть|ти|ться|чь)\b[^,.;!?()\n]{0,40})").match(low, found.end())
        strong = verb.startswith("предпоч")
        if infinitive:
            value = sentence_case(text[infinitive.start(1) : infinitive.end(1)])
            if len(value.split()) <= 5:
                yield Found("preference", value, found.start(), infinitive.end(), Mode.state, who, verb=found.start(), confidence=0.75, dated=False)
            continue
        for name, _, end in phrase_list(text, found.end(), "ru", ("accs", "gent"), 4, limit=3):
            if name.lower() in _WEAK_OBJECT_RU or (not strong and _person_like(name)):
                break
            yield Found("preference", name, found.start(), end, Mode.state, who, verb=found.start(), confidence=0.88 if strong else 0.75, dated=False)
    for found in RU_LIKE.finditer(low):
        if _not_before(low, found.start()) or re.match(r"(?:в|на|у|с|к|из|за|то|как|что|когда)\s", low[found.end() :]):
            continue
        for name, _, end in phrase_list(text, found.end(), "ru", ("nomn",), 3, limit=3):
            if name.lower() in _WEAK_OBJECT_RU or _person_like(name) or name.lower() in {"идея", "вариант", "мысль", "ответ"}:
                break
            yield Found("preference", name, found.start(), end, Mode.state, Who.first, confidence=0.75, dated=False)
    for found in RU_WANT.finditer(low):
        noun, rest = found["obj"], found["rest"]
        head = parses(noun)[0].tag
        adjective = parses(rest.split(",")[0].split()[0])[0].tag
        if head.POS == "NOUN" and head.case == "accs" and adjective.POS == "ADJF":
            tail = re.search(r"\s+без\s+[а-я]+", rest)
            base = russian_phrase(f"{rest.split(',')[0].split()[0]} {noun}", 0, ("accs",), 2)
            if base:
                yield Found("preference", base[0] + (tail[0] if tail else ""), found.start(), found.end(), Mode.state, Who.first, confidence=0.8, dated=False, ignores=frozenset({"hypothetical"}))
    for found in RU_GOAL.finditer(low):
        value = _purpose(text[found.start("verb") : found.end("verb")])
        if value:
            yield Found("goal", value, found.start(), found.start("verb") + len(value), Mode.state, Who.first, confidence=0.85, dated=False)
    for found in RU_WISH.finditer(low):
        value = _purpose(re.sub(r"\s+(?:к|до)\s+(?:лету|зиме|весне|осени|новому году|концу \w+|\d+\s\w+)\b.*$", "", text[found.start("verb") : found.end("verb")]))
        if value and not _not_before(low, found.start()):
            yield Found("goal", value, found.start(), found.end(), Mode.state, Who.first, confidence=0.75, dated=False)
    for found in RU_PLAN.finditer(low):
        if _not_before(low, found.start()) or _VAGUE_PLAN.match(found["verb"]):
            continue
        value = _purpose(text[found.start("verb") : found.end("verb")])
        if value and not re.match(r"перее\w+|переб\w+|уволит\w+", value):
            who = Who.third if found["third"] else Who.first
            yield Found("plan", value, found.start(), found.end(), Mode.state, who, verb=found.start(), confidence=0.8, dated=False)
    for found in RU_SOLD.finditer(low):
        phrase = russian_phrase(text, found.end(), ("accs", "gent"), 3, frozenset())
        if phrase and _DURABLE_RU.search(phrase[0].lower()) and not re.match(r"подар|отдал", found[0]):
            yield Found("owns", phrase[0], found.start(), phrase[2], Mode.end, Who.open, confidence=0.8)
    for found in RU_OWN.finditer(low):
        if _not_before(low, found.start()):
            continue
        dative = re.compile(r"([А-ЯЁ][а-яё]+)\s+").match(text, found.end())
        at = found.end()
        subject = None
        if found["new"] and dative and any(p.tag.case == "datv" for p in parses(dative[1])):
            at = dative.end()
            subject = dative[1]
        brand = re.compile(r"(?:(?:старой|своей|нашей|моей|старом|своем)\s+)?[«\"](?P<name>[^»\"]+)[»\"]").match(low, at)
        if brand and re.match(r"езжу|ездим|вожу", found[0]):
            name = text[brand.start("name") : brand.end("name")]
            yield Found("owns", nominative_word(name, ("loct", "accs")), found.start(), brand.end(), Mode.state, Who.open, verb=found.start(), confidence=0.75, dated=False)
            continue
        phrase = russian_phrase(text, at, ("accs", "loct", "nomn", "ablt"), 3, frozenset())
        if phrase is None or not _DURABLE_RU.search(phrase[0].lower()):
            continue
        mode = Mode.change if found["new"] else Mode.state
        if subject is None:
            yield Found("owns", phrase[0], found.start(), phrase[2], mode, Who.open, verb=found.start(), confidence=0.8, dated=mode is Mode.change)
    mine = re.compile(r"\b(?:из транспорта у меня|у меня|у нас|на мне)\s+(?P<what>(?:(?!есть\b)[а-я]+\s+){0,2}(?:велик|велосипед|мотоцикл|самокат|машина|дача)(?:\s+[a-zа-я]+)?)").search(low)
    if mine and not re.search(r"\b(?:слом|украл|угнал|нет)\w*", low):
        value = re.sub(r"\bвелик\b", "велосипед", mine["what"])
        value = re.sub(r"^(?:[а-я]+(?:ый|ая|ий|ой)\s+)+", "", value)
        brand = re.sub(r"\b([a-z]+)\b", lambda m: m[1].capitalize(), value)
        yield Found("owns", brand, mine.start(), mine.end(), Mode.state, Who.first, confidence=0.75, dated=False)


def _person_like(name: str) -> bool:
    word = name.split()[0]
    return is_russian(word) and ("Name" in parses(word)[0].tag or word.lower() in {"мама", "муж", "жена", "сын", "дочь", "дети"})


def _purpose(raw: str) -> str | None:
    """An infinitive phrase cut before dates and asides, or None where it is too long or empty."""
    value = re.split(r"\s+(?:но|а|если|когда|потому|чтобы|хотя|пока|but|because|when|if|since|so|though|once|before|after|and maybe|as soon|so that|this|next|tomorrow|today|tonight|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d)|on (?:mon|tue|wed|thu|fri|sat|sun)\w*|на следующ\w+|в (?:январе|феврале|марте|апреле|мае|июне|июле|августе|сентябре|октябре|ноябре|декабре|следующ\w+|понедельник|вторник|среду|четверг|пятницу|субботу|воскресенье)|завтра|сегодня|весной|летом|осенью|зимой|some day|someday|soon|too|again)\b", raw.strip())[0]
    value = re.sub(r"^(?:also|maybe|probably|finally|just)\s+", "", value)
    value = re.sub(r"\s+и\s+(?:может|потом)\b.*$", "", value)
    words = value.split()
    if len(words) > 1 and words[1] in ("и", "and", "or", "или"):
        return None
    return sentence_case(value) if 1 < len(words) <= 9 or (len(words) == 1 and len(value) > 6) else None


def _english(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    for found in EN_PREFER_TAIL.finditer(low):
        phrase = english_phrase(text, found.end(), max_words=3)
        if phrase and not _not_before(low, found.start()) and phrase[0].lower().split()[0] not in _WEAK_OBJECT_EN and not re.match(r"(?:the|that|this|your|how)\b", low[found.end() :]):
            yield Found("preference", phrase[0], found.start(), phrase[2], Mode.state, Who.open, verb=found.start(), confidence=0.75, dated=False)
    for found in EN_DISLIKE.finditer(low):
        for name, _, end in phrase_list(text, found.end(), "en", max_words=4, limit=3):
            if name.lower().split()[0] in _WEAK_OBJECT_EN:
                break
            who = Who.third if found["third"] and found.start() > 2 else Who.first
            yield Found("dislike", name, found.start(), end, Mode.state, who, verb=found.start(), confidence=0.82, dated=False)
    for found in EN_PREFER.finditer(low):
        if _not_before(low, found.start()):
            continue
        verb = found["v"] or found["v3"] or ""
        infinitive = re.compile(r"(?:to\s+)([a-z]+[^,.;!?()\n]{0,50})").match(low, found.end())
        if found["third"]:
            head = found["third"].split()[0]
            if head in {"who", "everyone", "everybody", "nobody", "that", "which", "it", "i", "we", "you", "people", "and", "also", "my", "the"}:
                continue
        who = Who.first if found["first"] or found["fav"] else Who.third
        position = found.start() if who is Who.first else found.start("v3")
        if infinitive:
            value = sentence_case(text[infinitive.start(1) : infinitive.end(1)])
            value = re.split(r"\s+(?:because|but|so|when|since|if|and|though)\b", value)[0]
            if re.search(r"'d (?:\w+ )?(?:love|enjoy|adore)", found[0]):
                continue
            if 1 < len(value.split()) <= 7 and not re.match(r"(?:hear|see|know|think|say|have|be|get|try)\b", value):
                yield Found("preference", value, found.start(), infinitive.end(), Mode.state, who, verb=position, confidence=0.7, dated=False, ignores=frozenset({"hypothetical"}) if "'d" in found[0] else frozenset())
            continue
        keep = frozenset({"over", "to", "than", "with", "in", "without"}) if verb.startswith("prefer") or verb == "rather have" else frozenset()
        phrase = english_phrase(text, found.end(), keep, 6 if keep else 3)
        if phrase is None or phrase[0].lower().split()[0] in _WEAK_OBJECT_EN:
            continue
        if not keep and not found["fav"] and re.match(r"\s*(?:all )?(?:the|that|this|your|his|her|their|these|those|how)\b", low[found.end() :]):
            continue
        if not keep and not found["fav"] and re.match(r"\s*(?:and|,)?\s*(?:you|him|her)\b", low[phrase[2] :]):
            continue
        value = re.sub(r"\bto (?=phone|calls|meetings|\w+s\b)", "over ", phrase[0]) if verb.startswith("prefer") else phrase[0]
        if found["fav"]:
            value = f"{value} ({found['kind'].strip()})" if found["kind"].strip() not in value.lower() else value
        yield Found("preference", value, found.start(), phrase[2], Mode.state, who, verb=position, confidence=0.85 if keep or found["fav"] else 0.7, dated=False, ignores=frozenset({"hypothetical"}) if "'d" in found[0] else frozenset())
    for found in EN_GOAL.finditer(low):
        at = found.start("list")
        for piece in re.finditer(r".+?(?=\s+and\s+(?:finally\s+)?(?:to\s+)?[a-z]+|,\s*|$)", found["list"]):
            value = re.sub(r"^(?:,?\s*and\s+|,\s*)?(?:finally\s+)?(?:to\s+)?", "", piece[0].strip())
            value = sentence_case(text[at + found["list"].find(value, piece.start()) :][: len(value)]) if value else ""
            value = _purpose(value) or ""
            if 1 < len(value.split()) <= 9 and not value.split()[0].endswith("ing"):
                yield Found("goal", value, found.start(), at + piece.end(), Mode.state, Who.first, confidence=0.8, dated=False)
    for found in EN_WISH.finditer(low):
        value = _purpose(re.sub(r"\s+(?:by (?:the|my|this|summer|winter|spring|christmas)|this year|next year|before)\b.*$", "", text[found.start("verb") : found.end("verb")]))
        if value and len(value.split()) > 1 and not re.match(r"(?:learn|learn more|become) (?:more|about|how you|a better)\b|become\s+(?:more|less|better)\b", value):
            yield Found("goal", value, found.start(), found.end(), Mode.state, Who.first, confidence=0.72, dated=False)
    for found in EN_PLAN.finditer(low):
        if _not_before(low, found.start()):
            continue
        on = re.search(r"\bon\s*$", found[0][: found.start("verb") - found.start()])
        value = _purpose(text[found.start("verb") : found.end("verb")])
        if value is None or _VAGUE_PLAN.match(value.lower()) or len(value.split()) < 2:
            continue
        loose = re.search(r"\b(?:gonna|going to|decided to)\b", found[0])
        if re.match(r"(?:mov(?:e|ing)|relocat\w+|quit\w*)\b", value) or loose:
            continue
        if on and not value.split()[0].endswith("ing"):
            continue
        who = Who.third if found["third"] else Who.first
        yield Found("plan", value, found.start(), found.end(), Mode.state, who, verb=found.start(), confidence=0.78, dated=False)
    for found in EN_SOLD.finditer(low):
        phrase = english_phrase(text, found.end(), max_words=3)
        if phrase and _DURABLE_EN.search(phrase[0]):
            yield Found("owns", phrase[0], found.start(), phrase[2], Mode.end, Who.open, confidence=0.8)
    for found in EN_OWN.finditer(low):
        if _not_before(low, found.start()):
            continue
        mode = Mode.change if found["new"] else Mode.state
        for name, _, end in phrase_list(text, found.end(), "en", max_words=4, limit=3):
            if not _DURABLE_EN.search(name):
                break
            plain = re.sub(r"^(?:(?:rusty|old|new|used|second-?hand|brand new|cheap|little|small|big|beautiful|nice)\s+)+", "", name)
            yield Found("owns", plain, found.start(), end, mode, Who.open, verb=found.start(), confidence=0.8, dated=mode is Mode.change)
