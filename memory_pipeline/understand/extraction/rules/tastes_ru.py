"""Russian rules for `preference`, `dislike`, `goal`, `plan` and `owns`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.phrases import (
    phrase_list,
    russian_phrase,
    sentence_case,
)
from memory_pipeline.understand.extraction.rules.aims import VAGUE_PLAN, purpose
from memory_pipeline.understand.extraction.rules.grammar import negated
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, nominative_word, parses

RU_PREFER = Gated(
    r"\b(?P<first>предпочитаю|предпочитаем|обожаю|обожаем|тащусь от|балдею от|фанатею от|кайфую от|люблю|любим)\b|\b(?P<third>предпочитает|предпочитают|обожает|любит|любят)\b"
)
RU_LIKE = Gated(
    r"\b(?P<me>мне|нам)\s+(?:очень\s+|больше\s+|всегда\s+|безумно\s+)*(?:нравит(?:ся|сь)|нравятся|по душе|заходит|заходят|зашел|зашла|зашли|по кайфу)\s+"
)
RU_WANT = Gated(
    r"(?P<obj>[а-я]+)\s+(?:хочется|хотелось бы)\s+(?P<rest>[а-я]+(?:,?\s+без\s+[а-я]+)?)"
)
RU_DISLIKE = Gated(
    r"\b(?:(?P<first>ненавижу|терпеть не могу|не перевариваю|не выношу|не люблю|не терплю|на дух не переношу|не переношу|не любим|ненавидим)|(?P<third>ненавидит|терпеть не может|не переваривает|не выносит|не любит|не терпит)|(?P<annoy>(?:меня )?(?:бесит|бесят|раздражает|раздражают)(?: меня)?))\b"
)
RU_DISLIKE_TAIL = Gated(
    r"(?P<what>(?:[а-я]+\s+){0,2}?[а-я]+)\s+(?P<verb>терпеть не могу|ненавижу|не перевариваю|не выношу|не терплю|не люблю)\b"
)
RU_GOAL = Gated(
    r"\b(?:моя\s+(?:главная\s+)?цель|цель\s+(?:у меня|на (?:этот\s+)?год|на \d{4})(?:\s+одна)?|у меня цель|поставил[аи]? себе цель|поставил[аи]? цель|цель)\s*(?:[-—–:]|,)?\s*(?P<verb>[а-я]+(?:ть|ти|ться|чь)\b[^,.;!?\n]*)"
)
RU_WISH = Gated(
    r"\b(?:хочу|хотим)\s+(?:\w+\s+)?(?P<verb>(?:выучить|научиться|похудеть|набрать|пробежать|получить (?:сертификат|права|диплом|второе)|сдать|накопить|поступить|освоить|бросить (?:курить|пить)|написать (?:книгу|роман|диссертацию)|дойти|подтянуть|сесть на шпагат|стать)\b[^,.;!?\n]*)"
)
RU_PLAN = Gated(
    r"\b(?:(?P<first>(?:я\s+)?(?:планирую|планируем|собираюсь|собираемся|намерен[аы]?|намереваюсь|решил[аи]? (?=\w+(?:ть|ти|ться|чь)\b))|в планах|план(?: такой)?(?:\s*[-—–:])|есть план)|(?P<third>планирует|собирается|намерен[а]?))\s+(?P<adv>(?:в |на |с |к )?(?:(?!не\b)[\w-]+\s+){0,3}?)(?P<verb>[а-я]+(?:ть|ти|ться|тись|чь)\b[^,.;!?()\n]*)"
)
RU_OWN = Gated(
    r"\b(?:(?P<new>купил[аи]?|приобрел[аи]?|взял[аи]? в кредит)|(?P<state>у меня есть|у нас есть|владею|вожу|езжу на|ездим на|катаюсь на))\s+(?:(?:вчера|сегодня|наконец|недавно|себе|наконец-то|таки|уже|новый|новую)\s+)*"
)
RU_SOLD = Gated(
    r"\b(?:продал[аи]?|сдал[аи]? в трейд-ин|избавил(?:ся|ась|ись) от|украли|угнали|разбил[аи]?|подарил[аи]?|отдал[аи]?)\s+(?:(?:вчера|сегодня|наконец|свой|свою|нашу|наш|мой|мою)\s+)*"
)
_DURABLE_RU = re.compile(
    r"машин|автомобил|тачк|велосипед|велик|мотоцикл|мопед|самокат|скутер|дач|квартир|дом(?:ик)?\b|гараж|участ|яхт|лодк|катер|прицеп|ноутбук|ноут\b|компьютер|фотоаппарат|камер|телескоп|пианин|гитар|скрипк|синтезатор|"
    r"телевизор|дрон|принтер|станок|трактор|лад[ауы]|тойот|киа|хендай|рено|шкод|фольксваген|bmw|бмв|мерседес|палатк|сап|сноуборд|лыж|коляск|телефон|айфон|iphone|macbook|макбук|playstation|приставк"
)
_WEAK_OBJECT_RU = frozenset(
    [
        "это",
        "все",
        "тебя",
        "вас",
        "его",
        "ее",
        "их",
        "что",
        "как",
        "когда",
        "себя",
        "тут",
        "там",
        "вообще",
        "меня",
        "нас",
        "друг",
        "людей",
        "жизнь",
    ]
)


def find_ru(sentence: Sentence) -> Iterator[Found]:
    """Likes, dislikes, aims, plans and things owned."""
    text, low = sentence.text, sentence.low
    disliked: list[tuple[int, int]] = []
    for found in RU_DISLIKE.finditer(low):
        if re.match(r"\s*,?\s*(?:когда|что|если|чтобы)\b", low[found.end() :]):
            continue
        if "перенош" in found[0] and re.search(r"аллерг|отек|сыпь|анафилак|задых|крапивн", low):
            continue
        case = ("nomn",) if found["annoy"] else ("accs", "gent")
        for name, _, end in phrase_list(text, found.end(), "ru", case, 3, limit=3):
            if name.lower() in _WEAK_OBJECT_RU:
                break
            disliked.append((found.start(), end))
            who = Who.third if found["third"] else Who.first
            yield Found(
                "dislike",
                name,
                found.start(),
                end,
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.85,
                dated=False,
            )
    for found in RU_DISLIKE_TAIL.finditer(low):
        if any(a <= found.start("verb") < b for a, b in disliked):
            continue
        words = found["what"].split()
        for n in range(min(2, len(words)), 0, -1):
            start = found.end("what") - len(" ".join(words[-n:]))
            phrase = russian_phrase(text[: found.end("what")], start, ("accs", "gent"), 3)
            if (
                phrase
                and phrase[2] == found.end("what")
                and phrase[0].lower() not in _WEAK_OBJECT_RU
            ):
                disliked.append((phrase[1], found.end()))
                yield Found(
                    "dislike",
                    phrase[0],
                    phrase[1],
                    found.end(),
                    Mode.state,
                    Who.first,
                    confidence=0.85,
                    dated=False,
                )
                break
    for found in RU_PREFER.finditer(low):
        verb = found["first"] or found["third"]
        if negated(low, found.start()) or any(a <= found.start() < b for a, b in disliked):
            continue
        if re.match(
            r"\s*,?\s*(?:когда|что|если|чтобы|тебя|вас|его|ее|их|меня)\b", low[found.end() :]
        ):
            continue
        who = Who.third if found["third"] else Who.first
        infinitive = re.compile(
            r"\s+((?:не\s+)?[а-я]+(?:ть|ти|ться|чь)\b[^,.;!?()\n]{0,40})"
        ).match(low, found.end())
        strong = verb.startswith("предпоч")
        if infinitive:
            value = sentence_case(text[infinitive.start(1) : infinitive.end(1)])
            if len(value.split()) <= 5:
                yield Found(
                    "preference",
                    value,
                    found.start(),
                    infinitive.end(),
                    Mode.state,
                    who,
                    verb=found.start(),
                    confidence=0.75,
                    dated=False,
                )
            continue
        for name, _, end in phrase_list(text, found.end(), "ru", ("accs", "gent"), 4, limit=3):
            if name.lower() in _WEAK_OBJECT_RU or (not strong and _person_like(name)):
                break
            yield Found(
                "preference",
                name,
                found.start(),
                end,
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.88 if strong else 0.75,
                dated=False,
            )
    for found in RU_LIKE.finditer(low):
        if negated(low, found.start()) or re.match(
            r"(?:в|на|у|с|к|из|за|то|как|что|когда)\s", low[found.end() :]
        ):
            continue
        for name, _, end in phrase_list(text, found.end(), "ru", ("nomn",), 3, limit=3):
            if (
                name.lower() in _WEAK_OBJECT_RU
                or _person_like(name)
                or name.lower() in {"идея", "вариант", "мысль", "ответ"}
            ):
                break
            yield Found(
                "preference",
                name,
                found.start(),
                end,
                Mode.state,
                Who.first,
                confidence=0.75,
                dated=False,
            )
    for found in RU_WANT.finditer(low):
        noun, rest = found["obj"], found["rest"]
        head = parses(noun)[0].tag
        adjective = parses(rest.split(",")[0].split()[0])[0].tag
        if head.POS == "NOUN" and head.case == "accs" and adjective.POS == "ADJF":
            tail = re.search(r"\s+без\s+[а-я]+", rest)
            base = russian_phrase(f"{rest.split(',')[0].split()[0]} {noun}", 0, ("accs",), 2)
            if base:
                yield Found(
                    "preference",
                    base[0] + (tail[0] if tail else ""),
                    found.start(),
                    found.end(),
                    Mode.state,
                    Who.first,
                    confidence=0.8,
                    dated=False,
                    ignores=frozenset({"hypothetical"}),
                )
    for found in RU_GOAL.finditer(low):
        value = purpose(text[found.start("verb") : found.end("verb")])
        if value:
            yield Found(
                "goal",
                value,
                found.start(),
                found.start("verb") + len(value),
                Mode.state,
                Who.first,
                confidence=0.85,
                dated=False,
            )
    for found in RU_WISH.finditer(low):
        value = purpose(
            re.sub(
                r"\s+(?:к|до)\s+(?:лету|зиме|весне|осени|новому году|концу \w+|\d+\s\w+)\b.*$",
                "",
                text[found.start("verb") : found.end("verb")],
            )
        )
        if value and not negated(low, found.start()):
            yield Found(
                "goal",
                value,
                found.start(),
                found.end(),
                Mode.state,
                Who.first,
                confidence=0.75,
                dated=False,
            )
    for found in RU_PLAN.finditer(low):
        if negated(low, found.start()) or VAGUE_PLAN.match(found["verb"]):
            continue
        value = purpose(text[found.start("verb") : found.end("verb")])
        if value and not re.match(r"перее\w+|переб\w+|уволит\w+", value):
            who = Who.third if found["third"] else Who.first
            yield Found(
                "plan",
                value,
                found.start(),
                found.end(),
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.8,
                dated=False,
            )
    for found in RU_SOLD.finditer(low):
        phrase = russian_phrase(text, found.end(), ("accs", "gent"), 3, frozenset())
        if (
            phrase
            and _DURABLE_RU.search(phrase[0].lower())
            and not re.match(r"подар|отдал", found[0])
        ):
            yield Found(
                "owns", phrase[0], found.start(), phrase[2], Mode.end, Who.open, confidence=0.8
            )
    for found in RU_OWN.finditer(low):
        if negated(low, found.start()):
            continue
        dative = re.compile(r"([А-ЯЁ][а-яё]+)\s+").match(text, found.end())
        at = found.end()
        subject = None
        if found["new"] and dative and any(p.tag.case == "datv" for p in parses(dative[1])):
            at = dative.end()
            subject = dative[1]
        brand = re.compile(
            r"(?:(?:старой|своей|нашей|моей|старом|своем)\s+)?[«\"](?P<name>[^»\"]+)[»\"]"
        ).match(low, at)
        if brand and re.match(r"езжу|ездим|вожу", found[0]):
            name = text[brand.start("name") : brand.end("name")]
            yield Found(
                "owns",
                nominative_word(name, ("loct", "accs")),
                found.start(),
                brand.end(),
                Mode.state,
                Who.open,
                verb=found.start(),
                confidence=0.75,
                dated=False,
            )
            continue
        phrase = russian_phrase(text, at, ("accs", "loct", "nomn", "ablt"), 3, frozenset())
        if phrase is None or not _DURABLE_RU.search(phrase[0].lower()):
            continue
        mode = Mode.change if found["new"] else Mode.state
        if subject is None:
            yield Found(
                "owns",
                phrase[0],
                found.start(),
                phrase[2],
                mode,
                Who.open,
                verb=found.start(),
                confidence=0.8,
                dated=mode is Mode.change,
            )
    mine = re.compile(
        r"\b(?:из транспорта у меня|у меня|у нас|на мне)\s+(?P<what>(?:(?!есть\b)[а-я]+\s+){0,2}(?:велик|велосипед|мотоцикл|самокат|машина|дача)(?:\s+[a-zа-я]+)?)"
    ).search(low)
    if mine and not re.search(r"\b(?:слом|украл|угнал|нет)\w*", low):
        value = re.sub(r"\bвелик\b", "велосипед", mine["what"])
        value = re.sub(r"^(?:[а-я]+(?:ый|ая|ий|ой)\s+)+", "", value)
        vehicle = re.sub(r"\b([a-z]+)\b", lambda m: m[1].capitalize(), value)
        yield Found(
            "owns",
            vehicle,
            mine.start(),
            mine.end(),
            Mode.state,
            Who.first,
            confidence=0.75,
            dated=False,
        )


def _person_like(name: str) -> bool:
    word = name.split()[0]
    return is_russian(word) and (
        "Name" in parses(word)[0].tag
        or word.lower() in {"мама", "муж", "жена", "сын", "дочь", "дети"}
    )
