"""Russian rules for `allergy`, `diet` and `medical_condition`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import phrase_list, russian_phrase
from memory_pipeline.understand.extraction.rules.grammar import absent
from memory_pipeline.understand.extraction.rules.medicines import medicine_ru, owner_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import nominative_word, parses

RU_ALLERGY = Gated(
    r"\b(?:(?P<none>нет|не было|никакой|никаких|больше нет)\s+)?(?P<word>аллерги[яиюей]+|непереносимость|аллергик)(?:\s+(?:сильная|жуткая|подтвержденная|острая|давняя|дикая|жесткая|страшная))?(?:\s+(?P<on>на)\s+|\s+(?=(?:лактоз|глютен|фруктоз|орех)))"
)
RU_ALLERGIC = Gated(r"\b(?:я|он|она)?\s*аллергик\s+на\s+")
RU_ALLERGY_LIST = Gated(r"\bаллерги[яи]\b[^:.!?]{0,30}:\s*(?:на\s+)?")
RU_DIET = Gated(
    r"\b(?P<not>не\s+)?(?P<went>(?:перешел|перешла|перешли|сел[аи]?|сижу|сидим)\s+(?=на\s))?(?:(?P<word>веган(?:ка|ы)?|вегетариан(?:ец|ка|цы)|сыроед|пескетариан(?:ец|ка)|мясоед)|(?P<halal>халяль|кошер|кошерное|на кето|на кето-диете|на безглютеновой диете|на диете без глютена|на диете без лактозы|на палео))\b"
)
RU_NOT_EAT = Gated(
    r"\b(?:(?P<first>(?:я\s+)?не\s+(?:ем|едим|употребляю|пью))|(?P<third>не\s+(?:ест|едят|употребляет|пьет))|(?P<pre>(?P<obj>глютен|мясо|молочное|молочку|рыбу|свинину|сахар|лактозу|яйца|орехи|хлеб|говядину|морепродукты)\s+не\s+(?:ем|едим|ест|пью)))\s*"
)
RU_EAT_AGAIN = Gated(r"\b(?:снова|опять) ем мясо|\b(?:уже|больше) не (?:веган\w*|вегетариан\w+)\b")
_ABOUT_RU = re.compile(
    r"\b(?:стать\w+|книг\w+|лекци\w+|пост|видео|ролик\w*|лекарств\w+|таблетк\w+|средств\w+|крем|анализ\w*|тест\w*|форум\w*|сайт\w*|подкаст\w*|исследовани\w+|передач\w+)\s+(?:про|о|об|от|на|по)\s+(?:\w+\s+)?$"
)
RU_FAST = Gated(r"\b(?:(?:держу|соблюдаю|держим|соблюдаем)\s+пост|пощусь)\b")
_CONDITIONS_RU = Gated(
    r"(?:диабет\w*(?:\s+(?:\d|первого|второго|1|2)(?:[-\s](?:го)?\s*)?\s*типа)?|(?:бронхиальн\w+\s+)?астм\w+|гипертони\w+|целиаки\w+|(?:фотосенситивн\w+\s+)?эпилепси\w+|мигрен\w+|гастрит\w*|язв\w+\s+желудка|"
    r"артрит\w*|артроз\w*|депресси\w+|сдвг|анеми\w+|гипотиреоз\w*|рак\s+[а-я]+|болезн\w+\s+крона|кардиостимулятор\w*|сколиоз\w*|грыж\w+\s+[а-я]+|псориаз\w*|деменци\w+|паркинсон\w*|альцгеймер\w*|экзем\w*|аутизм\w*|дислекси\w+|волчанк\w+|порок\w*\s+сердца|"
    r"ревматизм\w*|подагр\w+|глауком\w+|катаракт\w+|нарколепси\w+|фенилкетонури\w+|гемофили\w+|панкреатит\w*|холецистит\w*|тахикарди\w+|аритми\w+|протез\w*)"
)
RU_HAVE = re.compile(
    r"\b(?:у\s+(?P<whose>меня|нас|него|нее|[\w-]+(?:\s+[А-ЯЁ][\w-]+)?)|(?P<me>мне)\s+(?:поставили|диагностировали)|болею|страдаю|диагноз|живу с)\b",
    re.IGNORECASE,
)
RU_IS_ILL = Gated(
    r"(?:^|[\s,])(?:я|он|она|муж|жена|мама|папа|сын|дочь)\s+(?:же\s+|сам\s+|у нас\s+)?(?P<word>диабетик|астматик|эпилептик|гипертоник|аутист|сердечник)\b"
)
RU_PREGNANT = Gated(
    r"\b(?:я|жена|она)?\s*(?:я\s+)?(?:на \w+ (?:неделе|месяце)\s+)?беременн[аы]\b|\bна \d+(?:-?\w{1,2})? (?:неделе|месяце) беременности"
)
RU_CURED = Gated(
    r"\b(?:сняли|снял|сняла) диагноз|диагноз (?:сняли|не подтвердил\w+)|аллерги\w+ (?:прошла|больше нет|сняли|не подтвердилась)|(?:нет|больше нет) (?:никакой )?аллергии на"
)


def find_ru(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Allergies, diets, medicines and conditions."""
    text, low = sentence.text, sentence.low
    for found in [
        *RU_ALLERGY_LIST.finditer(low),
        *RU_ALLERGY.finditer(low),
        *RU_ALLERGIC.finditer(low),
    ]:
        owner, told = owner_ru(sentence, scene, found.start())
        if not told:
            continue
        groups = found.groupdict()
        gone = (
            bool(groups.get("none"))
            or re.search(r"больше нет|прошла|сняли", low[found.end() :]) is not None
            or absent(low, found.start())
            or RU_CURED.search(low) is not None
        )
        never = re.search(r"\bнет\b(?!\s*,)", low[found.end() :]) is not None and not re.search(
            r"больше|уже", low
        )
        if _ABOUT_RU.search(low[: found.start()]):
            continue
        case = (
            ("accs",)
            if groups.get("on") or "на" in found[0].split()[-1:] or ":" in found[0]
            else ("gent",)
        )
        for name, _, end in phrase_list(text, found.end(), "ru", case, max_words=3):
            if name.lower() in {"все", "это", "меня", "нее", "него", "что"}:
                continue
            yield Found(
                "allergy",
                name,
                found.start(),
                end,
                Mode.denial if never else Mode.end if gone else Mode.state,
                Who.open,
                owner,
                confidence=0.9,
                dated=gone and not never,
            )
        break
    again = RU_EAT_AGAIN.search(low)
    if again:
        named = re.search(r"веган\w*|вегетариан\w+", again[0])
        yield Found(
            "diet",
            named[0] if named else None,
            again.start(),
            again.end(),
            Mode.end,
            Who.open,
            confidence=0.75,
        )
    for found in RU_DIET.finditer(low):
        if again:
            break
        subject = re.search(
            r"(?:^|\bя\b|\bмы\b|\bона\b|\bон\b|\bу нас\b|[,:—-]|\b(?:муж|жена|дочь|дочка|сын|мама|папа|сестра|брат)\b(?:\s\w+)?)\s*(?:(?:уже|теперь|вообще|строгая|строгий|тоже|давно|сейчас|все|же|год|снова)\s+)*$",
            low[: found.start()],
        )
        if subject is None and not found["went"]:
            continue
        word = found["word"] or found["halal"]
        word = re.sub(r"^на\s+", "", word)
        mode = (
            Mode.denial
            if found["not"]
            else Mode.change
            if (found["went"] and found["went"].startswith(("пере", "сел")))
            or re.search(r"\b(?:теперь|с \w+)\s", low[: found.start()])
            else Mode.state
        )
        yield Found(
            "diet",
            word,
            found.start(),
            found.end(),
            mode,
            Who.open,
            confidence=0.85,
            dated=mode is Mode.change,
        )
    for found in RU_NOT_EAT.finditer(low):
        if found["pre"]:
            thing = nominative_word(found["obj"], ("accs",))
            yield Found(
                "diet",
                without_ru(thing),
                found.start("pre"),
                found.end("pre"),
                Mode.state,
                Who.open,
                verb=found.start("pre"),
                confidence=0.85,
                dated=False,
            )
            continue
        verb = found["first"] or found["third"]
        for name, _, end in phrase_list(text, found.end(), "ru", ("accs", "gent"), max_words=2):
            if name.lower() in {
                "ничего",
                "кофе",
                "много",
                "это",
                "воды",
                "вода",
                "это все",
                "чай",
                "день",
                "утро",
            }:
                break
            if verb.endswith(("пью", "пьет")) and name.lower() not in {
                "алкоголь",
                "молоко",
                "кофеин",
                "спиртное",
                "вино",
            }:
                break
            who = Who.first if found["first"] else Who.third
            yield Found(
                "diet",
                without_ru(name),
                found.start(),
                end,
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.8,
                dated=False,
            )
    fast = RU_FAST.search(low)
    if fast:
        yield Found("diet", "пост", fast.start(), fast.end(), Mode.state, Who.first, confidence=0.7)
    yield from medicine_ru(sentence, scene)
    for found in _CONDITIONS_RU.finditer(low):
        if (
            absent(low, found.start())
            or "лекарство от" in low[: found.start()]
            or "средств" in low[: found.start()][-15:]
        ):
            continue
        clause = sentence.clause_at(found.start())
        has = RU_HAVE.search(low, clause.start, min(clause.end, found.end() + 15))
        answers = found.start() < 3
        if has is None and not answers:
            continue
        owner, told = owner_ru(sentence, scene, max(found.start(), has.end() if has else 0))
        if not told or (answers and has is None and not scene.confirming):
            continue
        phrase = russian_phrase(
            text, found.start(), ("nomn", "accs", "ablt", "gent"), 4, frozenset()
        )
        name = phrase[0].lower() if phrase else found[0]
        gone = RU_CURED.search(low) is not None
        yield Found(
            "medical_condition",
            name,
            found.start(),
            max(found.end(), phrase[2] if phrase else 0),
            Mode.end if gone else Mode.state,
            Who.open,
            owner,
            confidence=0.85,
            dated=False,
        )
    for found in RU_IS_ILL.finditer(low):
        name = {
            "диабетик": "диабет",
            "астматик": "астма",
            "эпилептик": "эпилепсия",
            "гипертоник": "гипертония",
            "аутист": "аутизм",
            "сердечник": "больное сердце",
        }[found["word"]]
        yield Found(
            "medical_condition",
            name,
            found.start(),
            found.end(),
            Mode.state,
            Who.open,
            verb=found.start("word"),
            confidence=0.85,
            dated=False,
        )
    pregnant = RU_PREGNANT.search(low)
    if pregnant and not absent(low, pregnant.end() - len(pregnant[0].split()[-1])):
        yield Found(
            "medical_condition",
            "беременность",
            pregnant.start(),
            pregnant.end(),
            Mode.state,
            Who.open,
            verb=pregnant.end(),
            confidence=0.8,
            dated=False,
        )


def without_ru(thing: str) -> str:
    low = thing.lower()
    if low in {"глютен", "лактоза", "сахар", "молочное", "молочка"}:
        return {"глютен": "без глютена", "лактоза": "без лактозы", "сахар": "без сахара"}.get(
            low, "без молочного"
        )
    form = parses(low.split()[-1])[0].inflect({"gent"}) if " " not in low else None
    return f"без {form.word}" if form is not None else f"не ест: {low}"
