"""What Russian nouns state without a verb of their own: labels, sums, sides of a comparison."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import (
    Construction,
    Piece,
    Table,
    Take,
    construction,
)
from memory_pipeline.understand.extraction.constructions.foods import food_ru, without
from memory_pipeline.understand.extraction.constructions.illness import illness_ru
from memory_pipeline.understand.extraction.constructions.kin import (
    pet_ru,
    pets_many_ru,
    relative_ru,
)
from memory_pipeline.understand.extraction.constructions.open_takers_ru import (
    clause_said,
    intention,
    medicine,
    program,
    school,
    thing,
    thing_must,
    toward,
    trade,
    trade_people,
    workplace,
)
from memory_pipeline.understand.extraction.constructions.possessions import owned_ru
from memory_pipeline.understand.extraction.constructions.ru_work import DATE_RU, due
from memory_pipeline.understand.extraction.constructions.takers import (
    const,
    drug,
    formed,
    language,
    money,
    number,
    rest,
    said,
    tool,
)
from memory_pipeline.understand.extraction.constructions.takers_ru import (
    infinitive_ru,
    job_ru,
    organisation,
    place_ru,
    slot_ru,
)
from memory_pipeline.understand.extraction.constructions.verbs import skill_verb_ru
from memory_pipeline.understand.extraction.frames import Mode, Scene, Who
from memory_pipeline.understand.extraction.numbers import NUMBER_WORD_RU
from memory_pipeline.understand.extraction.people import (
    is_given_name,
    name_nominative,
    relative_kind,
)
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.rules.pets import pet_kind_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, nominative

_IN = ("loct", "loc2")
_NUM = rf"(?:\d{{1,3}}|{NUMBER_WORD_RU})"
_ADJ = r"(?:[а-я]+(?:ый|ий|ой|ая|яя|ое|ее|ые|ие)\s+){0,2}"
_OF = r"(?:\s+(?:у\s+(?:меня|нас)|на\s+[\w-]+(?:\s+[\w-]+)?|по\s+[\w-]+|за\s+[\w-]+|для\s+[\w-]+|в\s+(?:этом|следующем)\s+году|[а-я]+(?:ии|ия|ки|ва|та|ов|ей|ний|ы|и)\b)){0,2}?"
_OF_MINE = (
    r"(?:\s+(?:у\s+(?:меня|нас)|на\s+[\w-]+(?:\s+[\w-]+)?|в\s+(?:этом|следующем)\s+году)){0,2}?"
)
_IS = r"(?:\s*[-—–:=]+\s*|\s+(?:это|составляет|теперь|сейчас|пока|стал[аио]?|будет|был[аио]?)\s+)+(?:(?:это|теперь|сейчас|пока|примерно|около)\s+)*"
_MINE = r"(?<![\w-])(?:(?:мо[йяеи]|наш[аеи]?|у\s+меня|у\s+нас)\s+)"
_NOT_HIS = r"(?<!твой )(?<!ваш )(?<!его )(?<!ее )(?<!их )(?<!твоя )(?<!ваша )"
_SUM = (
    r"(?:\d[\d .,]*\d|\d|"
    + NUMBER_WORD_RU
    + r"|миллион\w*|пол\w*миллион\w*|поллям\w*|лям\w*)(?:\s*(?:тыс\w*\.?|тыщ\w*|т\.?\s?р\.?|к\b|млн\.?|миллион\w*|лям\w*))?(?:\s*(?:р\b|руб\w*\.?|₽|евро|доллар\w*|бакс\w*|\$|€))?"
)
_MAX_SUM = r"(?:край|максимум|потолок|предел|лимит|и\s+(?:ни|не)\s+(?:рубл|копе|цент)\w*|не\s+(?:больше|более)|больше\s+(?:нельзя|не\b)|превышать\s+нельзя|и\s+точка)"
_NOT_COST = r"(?!.*\b(?:стоил\w*|зарплат\w*|зарабатыва\w+|получаю|платят|заплатил\w*|потратил\w*|продал\w*|прода[юм]\w*|цен[аы]|накопил\w*|скинули?)\b)"


def label(
    predicate: str,
    keys: str,
    nouns: str,
    *takes: Take,
    of: str = _OF,
    who: Who = Who.first,
    confidence: float = 0.8,
) -> list[Construction]:
    """Constructions "noun — value" of a noun that names the predicate itself; the first of
    `takes` that reads the value wins. `of` is what may stand between the noun and its value."""
    pattern = rf"(?<![\w-]){_NOT_HIS}{_ADJ}(?:{nouns}){of}{_IS}"
    return [
        construction(predicate, keys, pattern, take, who=who, dated=False, confidence=confidence)
        for take in takes
    ]


def _beside(sentence: Sentence, start: int, stop: int, kind: str | None) -> Iterator[Piece]:
    name = sentence.text[start:stop]
    if kind and name[:1].isupper() and is_russian(name):
        plain = name_nominative(name)
        yield f"{kind}: {plain}", start, stop


def pet_before_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A pet whose name follows its kind and stands before the verb ("канарейку, Солнышком назвала")."""
    words = re.findall(r"[а-я]+", sentence.low[:start])
    yield from _beside(sentence, start, stop, pet_kind_ru(words[-1]) if words else None)


def pet_beside_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A pet's name before its kind ("с Рексом, это мой ротвейлер")."""
    words = re.findall(r"[а-я]+", sentence.low[stop:])[:4]
    yield from _beside(
        sentence, start, stop, next((k for w in words if (k := pet_kind_ru(w))), None)
    )


def relative_beside_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A relative's name before the word for what they are ("Витя, муж мой")."""
    words = re.findall(r"[а-я]+", sentence.low[stop:])[:2]
    kind = next((k for w in words if (k := relative_kind(w))), None)
    if not is_given_name(name_nominative(sentence.text[start:stop])):
        return
    for value, a, b in _beside(sentence, start, stop, kind):
        plain = str(value).split(": ")[1]
        scene.people.learn(plain)
        scene.people.by_relation[(fold(scene.speaker), str(kind))] = plain
        yield value, a, b


def _fasting(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    yield (
        nominative(sentence.low[start:stop].strip(), ("loct", "accs", "nomn", "gent", "ablt")),
        start,
        stop,
    )


_TENS = {
    "полтинник": "50",
    "тридцатник": "30",
    "сороковник": "40",
    "двадцатник": "20",
    "полтос": "50",
    "пятьдесят": "50",
}


def _tens(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    yield int(_TENS[sentence.low[start:stop]]), start, stop


NOMINAL_RU = Table(
    [
        # labels
        *label("job_title", "должность профессия специальность занятие", r"должность|профессия|специальность|род занятий", job_ru("nomn")),
        *label("employer", "место работодатель компания работа", r"(?:нов\w+ )?место работы|работодатель|мо[йяе] (?:компания|фирма|контора|работа)", workplace("nomn"), organisation("nomn")),
        *label("budget_limit", "бюджет лимит потолок максимум предел планка порог черта граница смета сумма", r"бюджет|лимит|потолок|максимум|предел|планка|порог|красная черта|граница|смета|сумма", money),
        *label("deadline", "срок дедлайн дата день сдача релиз", rf"срок|дедлайн|(?:контрольная|крайняя|последняя) дата|дата (?:сдачи|релиза|запуска|подачи)|последний день|(?<!\w)сдача(?= )|релиз(?=\s*[-—:]\s*{DATE_RU})", due),
        *label("medical_condition", "диагноз заболевание заболевания болезнь болячки хронические", r"диагноз\w*|заболевани[ея]|болезн[ьи]|болячки|хронические", illness_ru(strict=False)),
        *label("medication", "терапия лекарства лекарство препарат препараты назначения схема лечение", r"терапия|лекарств[оа]|препараты?|схема лечения|лечение|назначения", medicine("nomn", "accs"), drug),
        *label("allergy", "аллергия аллергии непереносимость", r"аллерги[яи]|непереносимость", thing("nomn", "accs", limit=5)),
        *label("requirement", "требование требования условие важно обязательно критично пожелание", r"требовани[ея]|услови[ея]|(?<!\w)обязательно|(?<!\w)важно|(?<!\w)критично|(?<!\w)принципиально", rest, confidence=0.72, of=_OF_MINE),
        *label("tool", "редактор инструмент стек софт программа браузер среда", r"редактор|инструменты?|стек|софт|программа|браузер|среда разработки|(?:таск-?)?трекер|црм|срм|бухгалтерия|база данных|база", program("nomn"), tool),
        *label("skill", "навыки навык умения", r"навыки?|умения", program("nomn"), thing("nomn", limit=5), of=_OF_MINE),
        *label("language", "язык языки", r"языки?|языки общения", language),
        *label("goal", "цель цели мечта мечты задача амбиция главное", r"цел[ьи]|(?:моя|мои|наша)\s+мечт[аы]|(?:большая|главная|личная|моя) задача|амбици[яи]|(?<!\w)главное для меня", infinitive_ru, thing("nomn", limit=1), confidence=0.75, of=_OF_MINE),
        *label("plan", "план планы планах", r"планы?|в планах", infinitive_ru, toward(thing("nomn", limit=2, words=4)), confidence=0.7, of=_OF_MINE),
        *label("education", "образование вуз диплом высшее", r"образование|вуз|второе высшее|диплом|специальность по диплому", school("nomn"), trade("nomn"), job_ru("nomn"), rest),
        *label("owns", "машина авто автомобиль тачка велик велосипед мотоцикл", r"мо[йяе] (?:машина|авто|автомобиль|тачка|тачила|велик|велосипед|мотоцикл)", owned_ru("nomn"), rest, of=_OF_MINE),
        *label("preference", "слабость страсть хобби увлечение приоритет любимый любимая любимое любимые", r"слабость|страсть|хобби|увлечение|приоритет|отдушина|любим(?:ый|ая|ое|ые)\s+[а-я]+", infinitive_ru, thing("nomn", limit=2), of=_OF_MINE),
        construction("preference", "любимый любимая любимое любимые", r"\bмо[йяеи]\s+любим(?:ый|ая|ое|ые)\s+[а-я]+\s+(?=[А-ЯЁа-яё])", thing("nomn", limit=1), who=Who.first, dated=False, confidence=0.7),
        construction("goal", "мечта цель", rf"{_MINE}(?:[а-я]+\s+)?(?:мечта|цель)\s+(?=[а-я]+(?:ть|ти|чь|ться)\b)", infinitive_ru, who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        # aims told by a set phrase
        construction("goal", "задалась задался целью задачу цель поставил поставила", r"\b(?:задал(?:ся|ась)\s+целью|(?:по)?став(?:лю|ил[аи]?)\s+(?:перед\s+)?(?:себе|собой)\s+(?:задачу|цель|целью))\s*[-—–:]?\s*", infinitive_ru, dated=False),
        construction("goal", "готовлюсь готовимся", r"\b(?P<first>готовлюсь|готовимся)\s+(?:поступать|к\s+поступлению)\s+(?:в|на)\s+", formed(school("accs"), "поступить в {}"), dated=False),
        construction("goal", "хочу хотим хочется хотелось намерен намерена решил решила", r"\b(?:(?P<first>хочу|хотим)|(?:мне\s+)?хочется|(?P<third>хочет))\s+(?:[\w-]+\s+){0,3}?(?=(?:стать|научиться|выучить(?:ся)?|выйти\s+на|похудеть|накопить|построить|пробежать|защитить|поступить|достичь|добиться|закрыть\s+(?:ипотек|кредит)|выучиться|открыть\s+сво|получить\s+(?:прав|диплом|гражданств|второе)|бросить\s+(?:курить|пить)|сбросить|освоить|покорить|прочитать|сдать\s+на|заработать|издать|написать\s+(?:книг|роман)|выиграть)\b)", infinitive_ru, dated=False, confidence=0.75),
        construction("goal", "цели стремлюсь мечты", r"\b(?:отказал(?:ся|ась|ись)\s+от\s+(?:цели|мечты|идеи)|больше\s+не\s+(?:стремлюсь|мечтаю)(?:\s+к)?)\s+", infinitive_ru, Mode.end, Who.first, negatable=False),
        construction("goal", "стремлюсь мечтаю", r"\bбольше\s+не\s+(?:стремлюсь\s+к|мечтаю\s+о)\s+", thing("datv", "loct", limit=1), Mode.end, Who.first, negatable=False),
        construction("plan", "решил решила решили", r"\b(?P<first>решил[аи]?)\s+(?:в\s+\w+\s+|летом\s+|весной\s+|осенью\s+|зимой\s+)*(?=[а-я]+(?:ть|ти|чь|ться)\b)", infinitive_ru, dated=False, confidence=0.7),
        construction("plan", "планирую планируем собираюсь собираемся собирается", r"\b(?:(?P<first>планирую|планируем|собираюсь|собираемся)|(?P<third>собирается|планирует))\s+(?:\w+\s+)?(?P<o>(?:в\s+(?:отпуск|поездку|поход|путешествие|армию|декрет|экспедицию|санаторий|круиз|академ)|на\s+(?:пенсию|море|курорт|стажировку|курсы|байкал|алтай))[^,.!?;]{0,25})", said(), dated=False, confidence=0.75),
        construction("plan", "отменяется отменилась отменился отменили сорвалась сорвался накрылась накрылся откладывается", r"(?:^|[.!,;]\s*)(?P<o>(?:поездка|отпуск|ремонт|поход|свадьба|путешествие|покупка|командировка|круиз|стажировка)[^,.!?;]{0,30}?)\s+(?:отменяется|отмен(?:ил\w+|ен[аы]?)|сорвал\w+|накрыл\w+|не\s+состоится)", said(), Mode.cancel, Who.first),
        construction("plan", "мысли подумываю подумываем", r"\b(?P<first>подумываю|подумываем)\s+о\s+", thing("loct", limit=1), dated=False, confidence=0.65, ignores=frozenset({"hypothetical"})),
        # sums
        construction("budget_limit", "больше более дороже максимум пределах ограничены ограничен располагаем располагаю укладываемся уложиться отложили отложил отложила выделено потолок край", rf"{_NOT_COST}\b(?:не\s+(?:больше|более|дороже|выше|свыше)(?:\s+чем)?(?:\s+на)?|максимум|в\s+пределах|ограничен\w*\s+(?:суммой\s+|бюджетом\s+)?(?:в\s+)?|располага\w+\s+(?:суммой\s+)?(?:в\s+)?|укладыва\w+\s+в|уложиться\s+в|отложил[аи]?(?:\s+на\s+\w+)?|выделено|потолок|красная\s+черта|в\s+кармане)\s*(?:[-—–:]\s*)?(?:всего\s+|только\s+|примерно\s+)?(?={_SUM})", money, who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction("budget_limit", "край максимум потолок предел лимит копейки рубля рублем копейкой больше превышать точка", rf"{_NOT_COST}(?P<o>{_SUM})\s*[,—–-]?\s*(?:это\s+)?(?:[\w-]+\s+){{0,2}}?{_MAX_SUM}", money, who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction("budget_limit", "бюджет увеличил увеличили урезали подняли сократили расширили", r"\bбюджет\w*\b[^.!?]{0,20}?\b(?:увелич\w+|урез\w+|подня\w+|сократ\w+|расшир\w+|сниз\w+|теперь)\s+(?:нам\s+|до\s+|с\s+[^.]{2,20}?\s+до\s+)*", money, Mode.change, Who.first, dated=True),
        # days
        construction("deadline", "истекает заканчивается закрывается кончается завершается истекают", rf"\b(?:срок\w*|прием\w*|подача|регистрация|окно|набор)\b[^.!?]{{0,30}}?\b(?:истека\w+|заканчива\w+|закрыва\w+|конча\w+|заверша\w+)\s+(?={DATE_RU})", due, who=Who.first, dated=False),
        construction("deadline", "обязан обязана обязаны кровь", rf"\b(?:обязан[аыо]?|кровь\s+из\s+носу)\s+(?:[\w-]+\s+){{0,4}}?(?:до|к|не\s+позднее|не\s+позже)\s+(?={DATE_RU})(?!конц\w+\s+(?:жизни|света))", due, who=Who.first, dated=False, confidence=0.7),
        construction("deadline", "крайняк крайний последний кровь", r"\b\d{1,2}\s+(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря)\s*[,—–-]?\s*(?:это\s+)?(?:крайняк|край|крайний\s+срок|последний\s+(?:день|срок)|дедлайн)", due, who=Who.first, dated=False),
        # age
        construction("age", "полтинник тридцатник сороковник двадцатник полтос", r"\bмне\s+(?:уже\s+|вчера\s+|недавно\s+|скоро\s+)*(?:стукнул\s+|исполнился\s+)?(?P<o>полтинник|тридцатник|сороковник|двадцатник|полтос)", _tens, who=Who.first, dated=False),
        construction("age", "отмечал отмечала отметил отметила разменял разменяла тридцатник полтинник", r"\b(?:отмечал[аи]?|отметил[аи]?|справил[аи]?)\s+(?:вчера\s+|недавно\s+)?(?:сво[йе]\s+)?(?P<o>полтинник|тридцатник|сороковник|двадцатник)", _tens, who=Who.first, dated=False),
        construction("age", "мои", rf"\bв\s+(?:мои|свои)\s+(?P<o>{_NUM})(?=\s*(?:лет|год|$|[,.!]|[а-я]))", number, who=Who.first, dated=False),
        construction("age", "точнее мне вернее", rf"\bмне\b[^.!?]{{0,25}},\s*(?:точнее|вернее|а|если точно)\s+(?P<o>{_NUM})(?=\s*(?:лет|год|$|[,.!]))", number, who=Who.first, dated=False, negatable=False),
        construction("age", "мне", rf"(?:^|[.!?,;]\s*|\b(?:а|и|но)\s+)мне(?:,[^,]{{2,30}},)?\s+(?:вот\s+|уже\s+|сейчас\s+|всего\s+|только\s+|почти\s+){{0,3}}(?P<o>{_NUM})(?=\s*(?:лет\b|год\w*\b|$|[,.!)]))(?!\s*,\s*\d)", number, who=Who.first, dated=False, confidence=0.75),
        construction("age", "лет год года", r"^(?:[^.!?]{0,25}:\s*)?(?P<o>\d{2})\s+(?:лет|год\w?)\s*,", number, who=Who.first, dated=False, confidence=0.7),
        construction("age", "десяток", rf"\bдесяток\b[^.!?]{{0,15}},\s*(?P<o>{_NUM})(?:\s+мне)?(?=\s*(?:лет|год|$|[,.!]))", number, who=Who.first, dated=False),
        # marriage
        construction("marital_status", "вдовею вдовствую вдова вдовец", r"\b(?P<o>вдовею|вдовствую)\b", const("вдова"), who=Who.first, dated=False),
        construction("marital_status", "незамужняя незамужем", r"\b(?:я\s+)?(?P<o>незамужняя|незамужем)\b(?!\s+(?:сестра|подруга|дочь))", const("не замужем"), dated=False),
        construction("marital_status", "замужем женат", r"(?:^|[.,!;:]\s*)(?P<o>не\s+(?:замужем|женат))\b(?=\s*(?:[,.!;]|$))", said(), who=Who.first, dated=False, negatable=False),
        # diet
        construction("diet", "питаюсь питаемся придерживаюсь придерживаемся соблюдаю держу держим сижу живу голодании", r"\b(?P<first>питаюсь|питаемся|придерживаюсь|придерживаемся|соблюдаю|соблюдаем|держу|держим)\s+(?:[\w-]+\s+)??(?P<o>кашрут|халяль\w*|кошер\w*|пост|низкоуглеводк\w*|кето|палео|(?:[а-я]+(?:ой|ого|ую|ом)\s+(?:диет\w+|питани\w+|рацион\w*)))", said(), dated=False),
        construction("diet", "голодании голодание диете диету диета стол", r"\b(?:я\s+(?:теперь\s+|сейчас\s+)?на|сижу\s+на|посадил[аи]?(?:\s+меня)?\s+на|перешел\s+на|перешла\s+на|у\s+меня)\s+(?P<o>(?:интервальн\w+\s+голодани\w+|(?:диет\w+|стол\w*)\s+(?:номер\s+|№\s?)\w+|[а-я]+(?:ой|ую|ая)\s+диет\w+))", _fasting, dated=False),
        construction("diet", "только исключительно", r"\b(?:только|исключительно|строго)\s+(?P<o>(?:постн|халяльн|кошерн|вегетариан|веган|растительн|безглютенов|безлактозн)\w+)", said(), who=Who.first, dated=False, confidence=0.75),
        construction("diet", "противопоказан противопоказана противопоказано нельзя", r"(?:^|[.!,;]\s*)(?P<o>[а-я]+)\s+мне\s+(?:строго\s+|категорически\s+|вообще\s+)*(?:противопоказан[аоы]?|нельзя|под\s+запретом)", without(food_ru("nomn", "accs", "gent")), who=Who.first, dated=False),
        construction("diet", "нельзя", r"\bмне\s+(?:строго\s+|категорически\s+|вообще\s+)*нельзя\s+(?P<o>[а-я]+(?:ое|ого)(?:(?:,\s+|\s+и\s+)[а-я]+(?:ое|ого))*)(?=\s*(?:[.,!]|$))", formed(said(), "нельзя {}"), who=Who.first, dated=False),
        construction("diet", "рациона", r"\bиз\s+рациона\s+(?P<o>[а-я]+)", formed(said(), "без {}"), Mode.change, dated=True, confidence=0.75),
        construction("diet", "веган веганка вегетарианец вегетарианка сыроед пескетарианец фрукторианец", r"\b(?:у\s+меня\s+)?(?P<o>веган(?:ка)?|вегетариан(?:ец|ка)|сыроед(?:ка)?|пескетариан(?:ец|ка)|флекситариан(?:ец|ка))(?=\s*(?:[.,!;]|$|со?\s|уже))", said(), dated=False, confidence=0.75),
        construction("diet", "пью", r"\b(?:алкоголь|спиртное)\s+(?:я\s+)?(?:вообще\s+|совсем\s+)?не\s+пью|\bне\s+пью\s+(?:больше\s+)?(?:алкоголь|спиртно\w+)|(?:^|[,.]\s*)(?:я\s+)?(?:больше\s+)?не\s+пью(?:\s+больше)?(?=,?\s*(?:совсем|вообще|ни\s+капли))", const("не пьёт алкоголь"), who=Who.first, dated=False, negatable=False),
        # allergy
        construction("allergy", "аллергия аллергии аллергию аллергик аллергичка", r"(?<!про )(?<!об )(?<!о )(?<!от )\bаллерги(?:я|ю|к|чка|ческая\s+реакция)\b(?!\s+(?:нет|прошла))[^.!?,;:]{0,20}?\b(?:на|к)\s+", thing("accs", "datv", limit=5), owned=True, dated=False, confidence=0.75),
        construction("allergy", "аллергия аллергии", r"\b(?:на|к)\s+(?P<o>[а-я-]+(?:\s[а-я-]+){0,2}?)\s+(?:у\s+меня\s+|у\s+нас\s+|есть\s+|сильн\w+\s+|жутк\w+\s+)*аллерги[яю]\b(?!\s+(?:нет|прошла|не\b|у\s+меня\s+нет))", slot_ru("accs", "datv", words=3), owned=True, dated=False, confidence=0.75),
        construction("allergy", "сыпь отек отеки крапивница анафилаксия удушье зуд чихаю чешусь", r"\b(?:от|на)\s+(?P<o>[а-я-]+(?:\s[а-я-]+){0,2}?)\s+(?:у\s+меня\s+|меня\s+|сразу\s+|сильн\w+\s+|я\s+|жутк\w+\s+|весь\s+|вся\s+)*(?:сыпь|отек\w*|крапивница|анафилакс\w+|анафилакт\w+|удушье|зуд|чиха\w+|чешусь|раздува\w+|обсыпа\w+|задыхаюсь|отекаю|опухаю|распухаю)", slot_ru("gent", "accs", words=3), owned=True, dated=False, confidence=0.75),
        construction("allergy", "переношу выношу переносит принимает нельзя", r"\b(?:(?P<first>не\s+(?:переношу|выношу|перевариваю))|организм\s+не\s+(?:принимает|переносит|воспринимает)|(?:мне\s+)?нельзя)\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s*,\s*(?=[^.!?]*(?:отек|сыпь|аллерг|задых|анафилак|шок|крапивниц|чешусь|удушь))", slot_ru("accs", "gent", "nomn", words=2), who=Who.first, dated=False, negatable=False, confidence=0.9),
        construction("allergy", "нельзя", r"(?:^|[.!,;]\s*)(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:мне\s+)?нельзя\s*[,—–-]\s*(?=[^.!?]*(?:отек|сыпь|аллерг|задых|анафилак|крапивниц))", slot_ru("accs", "nomn", words=2), who=Who.first, dated=False, negatable=False),
        construction("allergy", "непереносимость непереносимостью реакция", r"\b(?:непереносимость\w?|(?:аллергическая\s+)?реакция\s+на)\s+", thing("gent", "accs", limit=3), owned=True, dated=False, confidence=0.75),
        construction("allergy", "него нее них", r"(?P<o>[а-я-]+)\s*[—–,-]\s*у\s+меня\s+на\s+(?:него|нее|них)\s+аллерги", slot_ru("nomn", "accs", words=1), who=Who.first, dated=False),
        # health
        construction("medical_condition", "беременна месяце положении жду ждем", r"\b(?:беременна|в\s+(?:интересном\s+)?положении|на\s+\w+\s+месяце(?:\s+я)?(?=\s*(?:[.,!]|$|я\b|беремен))|(?P<first>жду|ждем)\s+(?:ребенка|малыша|двойню))", const("беременность"), dated=False),
        construction("medical_condition", "инвалид инвалидность", r"\bинвалид(?:ность)?\s+(?P<o>(?:первой|второй|третьей|\d|i{1,3})\s*(?:-?[а-я]{1,2}\s+)?группы)", formed(said(), "инвалидность {}"), dated=False),
        construction("medical_condition", "диабетик гипертоник астматик эпилептик дальтоник сердечник язвенник аллергик", r"(?:^|[\s,])(?:я\s+)?(?P<o>диабетик|гипертоник|астматик|эпилептик|дальтоник|сердечник|язвенник)(?=\s*(?:я\b|[,.!]|$|со?\s))", said({"диабетик": "диабет", "гипертоник": "гипертония", "астматик": "астма", "эпилептик": "эпилепсия", "дальтоник": "дальтонизм", "сердечник": "болезнь сердца", "язвенник": "язва"}), dated=False),
        construction("medical_condition", "зрение слух", r"\b(?P<o>зрение\s+(?:минус|плюс|[-+])\s*\w+|слух\s+(?:плох\w+|слаб\w+)|плохой\s+слух|плохое\s+зрение)", said(), who=Who.first, dated=False),
        construction("medical_condition", "врач доктор врачи сказал сказала сказали обычный", r"\b(?:врач\w*|доктор\w*|терапевт|хирург|невролог)\s+(?:[\w-]+\s+){0,2}?(?:сказал[аи]?|подтвердил[аи]?|считает|говорит)[^.!?]{0,40}?,\s+(?:что\s+)?(?:у\s+меня\s+|это\s+(?!не))?(?:а\s+)?(?:это\s+)?(?:обычн\w+\s+|просто\s+)?", illness_ru(strict=True), who=Who.first, dated=False, confidence=0.7),
        construction("medical_condition", "больше нет прошла прошел", r"(?:^|[.!,;]\s*)(?P<o>[а-я]+)\s+(?:у\s+меня\s+)?больше\s+нет\b", illness_ru(strict=True), Mode.end, Who.first, negatable=False),
        # medicines
        construction("medication", "уколы укол таблетки таблетку капли курс дозу доза прием приема сироп ингалятор ингалятором пластырь мазь инъекции", r"\b(?P<first>ставлю|колю|делаю|пью|принимаю|капаю|мажу|пропиваю|глотаю|пользуюсь|прохожу)\s+(?:[\w-]+\s+){0,2}?(?:укол\w*|таблетк\w+|капл\w+|курс\w*|инъекци\w+|пластыр\w+|маз\w+|ингалятор\w*\s+с)\s+", medicine("gent", "ablt", "accs"), dated=False),
        construction("medication", "дозу доза дозировку", r"\bдоз(?:у|а|ировку|ировка)\s+", drug, who=Who.first, dated=False),
        construction("medication", "фоне", r"\bна\s+фоне\s+(?:при[её]ма\s+)?", drug, who=Who.first, dated=False),
        construction("medication", "курс", r"\b(?:закончил[аи]?|допил[аи]?|пропил[аи]?|завершил[аи]?|прошел|прошла)\s+курс\s+", medicine("gent"), Mode.end),
        # law
        construction("legal_constraint", "лишен лишена лишили лишили", r"\b(?:лишен[аы]?|лишили(?:\s+меня)?)\s+(?:\w+\s+)??прав\b", const("лишение водительских прав"), Mode.change, confidence=0.85),
        construction("legal_constraint", "арестом арест срок подписка подписку запрет запрета ограничение ограничения санкциями надзором учете", r"(?:^|[\s,])(?P<o>(?:под\s+)?(?:домашн\w+\s+арест\w*|условн\w+\s+срок\w*|подписк\w+\s+о\s+не\w+|санкци\w+|административн\w+\s+надзор\w*|арест\s+(?:на\s+)?счет\w*|испытательн\w+\s+срок\w*\s+по\s+приговору|судебн\w+\s+запрет\w*|запрет\s+на\s+[а-я]+(?:\s+(?:из|в)\s+\w+)?))(?![а-я])(?!\s+(?:снят|сняли|истек|отменил|закончил))", formed(_fasting, "{}"), who=Who.first, dated=False, confidence=0.85),
        construction("legal_constraint", "выпускают пускают выезд выездной невыездной невыездная", r"(?P<o>за\s+границу\s+(?:меня\s+)?не\s+(?:выпускают|пускают|выпустят))|\bя\s+(?:теперь\s+)?невыездн(?:ой|ая)", const("нельзя выезжать за границу"), who=Who.first, dated=False, negatable=False, confidence=0.85),
        construction("legal_constraint", "позволяет запрещает допускает закон опека договор", r"\b(?:опек\w+|опекунство|закон|договор|суд|контракт|устав|лицензия|виза|патент|брачный\s+контракт)\s+(?:[\w-]+\s+){0,2}?(?:не\s+(?:позволяет|разрешает|допускает|дает)|запрещает)\s+", formed(rest, "нельзя: {}"), who=Who.first, dated=False, negatable=False, confidence=0.85),
        construction("legal_constraint", "могу можем права", r"\b(?:банкротств\w+|суд\w*|приговор\w*|договор\w*|контракт\w*|соглашени\w+|допуск\w*)\b[^.!?]{0,25}\b(?:не\s+(?:могу|можем|имею\s+права|имеем\s+права|вправе))\s+", formed(rest, "нельзя {}"), who=Who.first, dated=False, negatable=False, confidence=0.86),
        construction("legal_constraint", "запрет подписку арест ограничение сняли снят снято права вернули истек истекло nda", r"\b(?P<o>запрет\s+на\s+\w+|подписк\w\s+о\s+не\w+|арест\s+\w*\s*счет\w*|nda|нда)\s+(?:с\s+меня\s+|наконец\s+|уже\s+)*(?:снял\w*|снят[аоы]?|отмен\w+|истек\w*|закончил\w+)", _fasting, Mode.end, Who.first),
        construction("legal_constraint", "права вернули отдали", r"\bправа\s+(?:мне\s+|наконец\s+|уже\s+)*(?:вернули|отдали)", const("лишение водительских прав"), Mode.end, Who.first),
        # duties
        construction("requirement", "должен должна должно должны обязан обязана обязаны обязано", r"^(?:[\w-]+\s+){1,3}?(?:обязан[аоы]?|долж(?:ен|на|но|ны))\s+(?:быть\s+)?(?!\w*\s*(?:до|к)\s+\d)(?:[\w-]+)", thing_must, who=Who.first, dated=False, confidence=0.68),
        construction("requirement", "нужен нужна нужно нужны", r"\b(?:нуж(?:ен|на|но|ны)|требуется|требуются|необходим[аоы]?)\s+(?:строго\s+|только\s+|именно\s+|исключительно\s+|обязательно\s+|не\s+(?:меньше|менее|ниже|больше|более)\s+)+[\w-]+", clause_said, who=Who.first, dated=False, negatable=False, confidence=0.7),
        construction("requirement", "критично принципиально важно обязательно", r"\b(?:нам|мне|для\s+(?:меня|нас|проекта))\s+(?:[\w-]+\s+)?(?:критично|принципиально|крайне\s+важно|жизненно\s+важно)\s*,?\s*чтобы\s+", rest, who=Who.first, dated=False, confidence=0.75),
        construction("requirement", "категорически строго нельзя никогда", r"(?:^|[.!,;]\s*)(?P<o>(?:категорически\s+|строго\s+|ни\s+в\s+коем\s+случае\s+)(?:нельзя|запрещено|не)\s+[а-я]+(?:ть|ти|чь|ться)\b[^,.!?;]{0,40})", said(), who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction("requirement", "обязательно обязательное", r"(?:^|[.!;]\s*)(?P<o>[^.!?;]{8,60}?)\s*[,—–-]\s*это\s+(?:обязательно|обязательное\s+условие|принципиально|критично|не\s+обсуждается)", said(), who=Who.first, dated=False, confidence=0.75),
        construction("requirement", "иначе без", r"^(?P<o>[^.!?;,]{6,50}?\b(?:долж\w+|обязательно|нужн?\w*|только)\b[^.!?;,]{2,40}),\s*(?:иначе|без\s+(?:него|нее|этого))", said(), who=Who.first, dated=False, confidence=0.75),
        construction("requirement", "без", r"(?:^|[.!,;]\s*)(?P<o>[^.!?;,]{3,50}?\bбез\s+[^.!?;,]{3,35}?\s+не\s+(?:отправлять|публиковать|менять|трогать|выкладывать|показывать|удалять|писать|звонить|запускать))", said(), who=Who.first, dated=False, negatable=False, confidence=0.7),
        construction("requirement", "только", r"^только\s+(?P<o>[а-я]+(?:ый|ая|ое|ые|ий|ой)\s+[а-я]+)(?=\s*(?:,\s*(?:карты|никак|ничего|остальн|друг)|$|[.!]))", formed(slot_ru("nomn", "accs", words=2), "только {}"), who=Who.first, dated=False, confidence=0.7),
        construction("legal_constraint", "nda нда неразглашении", r"\b(?:под|подписал[аи]?|подписан[ао]?|связан[аы]?|действует|у\s+меня)\s+(?:[а-я]+\s+)?(?:nda|нда)\b", const("NDA"), who=Who.first, dated=False, confidence=0.85),
        construction("legal_constraint", "судимость судимости арестованы арестован неконкуренция неконкуренции", r"(?P<o>(?:непогашенн\w+\s+)?судимост[ьи]|счета?\s+арестован\w*|имущество\s+арестован\w*|(?:соглашени\w+\s+о\s+)?неконкуренци\w+)(?!\s+(?:снят|погашен))", said(), who=Who.first, dated=False, confidence=0.85),
        construction("legal_constraint", "въезд выезд закрыт запрещен", r"\b(?P<o>(?:въезд|выезд)\s+(?:в|из|за)\s+[а-я]+)\s+(?:мне\s+|нам\s+)*(?:закрыт|запрещен)", formed(said(), "запрет: {}"), who=Who.first, dated=False, confidence=0.85),
        construction("pet", "имя кличка", r"\b(?P<k>[а-я]+)\s*,\s*(?:имя|кличка|зовут|звать)\s+(?:ему\s+|ей\s+|его\s+|ее\s+|у\s+него\s+|у\s+нее\s+)?[—–:-]?\s*", pet_ru, who=Who.first, dated=False),
        construction("preference", "болею болеем фанат", r"\b(?P<first>болею|болеем)\s+за\s+(?=[«\"А-ЯЁA-Zа-я])(?!тебя|вас|наших|него|нее|них|дело)", thing("accs", limit=1), dated=False, confidence=0.7),
        construction("preference", "лучше", r"(?:^|[.!,;]\s*)(?:по\s+мне|как\s+по\s+мне|для\s+меня)\s*(?:так\s+|,\s*)?лучше\s+(?:всего\s+)?", thing("nomn", limit=1), who=Who.first, dated=False),
        construction("dislike", "бесит раздражает ненавижу люблю", r"\b(?:меня\s+(?:[а-я]+\s+)?(?:бесит|раздражает|напрягает|коробит)|(?:бесит|раздражает)|(?P<first>ненавижу|не\s+люблю|терпеть\s+не\s+могу))\s*,?\s+(?P<o>когда\s+[^,.!?;]{3,45})", said(), dated=False, negatable=False),
        construction("dislike", "вкусу душе нутру", r"\bмне\s+(?:совсем\s+)?не\s+по\s+(?:вкусу|душе|нутру|нраву)\s+", thing("nomn"), who=Who.first, dated=False, negatable=False),
        construction("skill", "хорошо отлично неплохо отменно прилично уверенно знаю прекрасно", r"(?P<o>[A-Z]?[a-z+#.]{1,15})\s+(?P<first>знаю)\s+(?:хорошо|отлично|неплохо|уверенно|прилично|прекрасно|от\s+и\s+до)", program("nomn", "accs"), dated=False),
        construction("skill", "толк", r"\bзнаю\s+толк\s+в\s+", thing(*_IN), who=Who.first, dated=False),
        construction("skill", "отменно сносно мастерски профессионально шикарно виртуозно недурно прилично великолепно", r"(?:^|[.!,;]\s*|\bя\s+)(?:отменно|сносно|мастерски|профессионально|шикарно|виртуозно|недурно|великолепно|качественно)\s+(?P<o>(?P<first>[а-я]+(?:ю|у))(?:\s+[а-я]+){0,2})(?=\s*(?:[.,!]|$))", skill_verb_ru, dated=False),
        construction("marital_status", "окольцевали поженились", r"\b(?:меня\s+)?окольцевал[аи]?(?:\s+меня)?\b", const("в браке"), Mode.change, Who.first),
        construction("diet", "бросил бросила завязал завязала забросил забросила", r"\b(?:бросил|завязал|забросил|забил)[аи]?\s+(?:с\s+|на\s+)?(?P<o>кето|веганств\w+|вегетарианств\w+|диет\w+|палео|сыроедени\w+|голодани\w+)", said(), Mode.end),
        construction("diet", "веганство веганстве кето вегетарианство сыроедение", r"\b(?:пере(?:шел|шла|шли)|сел[аи]?|подсел[аи]?)\s+(?:всей\s+семьей\s+|дружно\s+|вместе\s+)?на\s+(?P<o>веганство|вегетарианство|кето|палео|сыроедение|низкоуглеводку|безглютен\w+|растительн\w+\s+[а-я]+)", said(), Mode.change),
        construction("diet", "только", r"\b(?P<first>ем|едим|питаюсь)\s+(?:только|исключительно)\s+(?P<o>[а-я]+(?:(?:,\s+|\s+и\s+)[а-я]+)*)(?=\s*(?:[.,!]|$))", formed(said(), "только {}"), dated=False),
        construction("employer", "распрощался распрощалась расстался рассталась попрощался попрощалась", r"\bс\s+(?P<o>[«\"][^»\"]{2,30}[»\"])\s+(?:я\s+|мы\s+|уже\s+)*(?:рас|по)(?:прощал|стал)(?:ся|ась|ись)", organisation("ablt"), Mode.end, Who.first),
        construction("job_title", "подался подалась ушел ушла выбился выбилась вышел вышла", r"\b(?:подал(?:ся|ась)|(?:ушел|ушла)\s+из\s+[а-я]+|выбил(?:ся|ась)|дослужил(?:ся|ась)\s+до|перевел(?:ся|ась)\s+из\s+[а-я]+)\s+(?:в\s+)?", trade_people, Mode.change),
        construction("job_title", "трудовой", r"\bв\s+трудовой\s+(?:у\s+меня\s+)?(?:написано|записано|значится)\s*[—–:-]?\s*[«\"]?", job_ru("nomn"), who=Who.first, dated=False),
        construction("location", "сменил сменила променял променяла поменял", r"\b(?:сменил|променял|поменял)[аи]?\s+[А-ЯЁа-яё-]+\s+на\s+", place_ru("accs", geo=True), Mode.change),
        construction("deadline", "открывается стартует", r"\b(?=[^.!?]*к\s+(?:этому|тому)\s+(?:дню|числу|сроку)\s+[^.!?]*(?:долж|нужно|надо|готов))[^.!?]{0,40}\b(?:открыва\w+|старту\w+|начина\w+)\s+", due, who=Who.first, dated=False),
        construction("plan", "летом весной осенью зимой через года январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре января февраля марта апреля мая июня июля августа сентября октября ноября декабря следующем", r"(?:^|[.!,;]\s*)(?:я\s+|мы\s+)?(?:этим\s+)?(?:летом|весной|осенью|зимой|(?:в|с)\s+(?:январ[еья]|феврал[еья]|март[еа]|апрел[еья]|ма[ея]|июн[еья]|июл[еья]|август[еа]|сентябр[еья]|октябр[еья]|ноябр[еья]|декабр[еья])|через\s+(?:год|полгода|пару\s+(?:лет|месяцев)|\w+\s+(?:года|лет|месяца|месяцев))|(?:в|со)\s+следующ\w+\s+(?:году|года|месяце|месяца))\s+(?:я\s+|мы\s+|точно\s+|наконец\s+|уже\s+)*(?P<o>[а-я]+(?:у|ю|ем|им|усь|юсь|емся|имся)\b[^.!?;,]*)", intention, who=Who.first, dated=False, confidence=0.68),
        construction("preference", "любимый любимая любимое любимые", r"\bлюбим(?:ый|ая|ое|ые)\s+(?:цвет|запах|вкус|жанр|стиль|формат|размер)\s*(?:у\s+меня\s*)?[—–:-]\s*", rest, who=Who.first, dated=False),
        construction("relative", "нарекли назвали окрестили", r"(?:^|[.!,;]\s*|\bи\s+)(?:сына|дочь|дочку|дочурку|внука|внучку|племянника|племянницу|первенца|малыша|малышку)\s+(?:мы\s+)?(?:нарекли|назвали|окрестили)\s+", relative_ru, who=Who.first, dated=False),
        # tastes
        construction("preference", "жить могу", r"\b(?:жить\s+не\s+могу|не\s+могу\s+жить|дня\s+не\s+могу)\s+без\s+", thing("gent", limit=2), who=Who.first, dated=False, negatable=False),
        construction("preference", "ума", r"\bбез\s+ума\s+от\s+", thing("gent"), who=Who.first, dated=False, negatable=False),
        construction("preference", "выбираю беру сажусь", r"\b(?P<first>выбираю|беру|заказываю)\s+(?:всегда|только|исключительно|неизменно)\s+", thing("accs", limit=1), dated=False, confidence=0.7),
        construction("preference", "теперь", r"(?:^|[.!,;]\s*)(?:теперь|отныне)\s+(?:я\s+)?только\s+(?P<o>[а-я]+(?:\s[а-я]+)?)(?=\s*(?:[.,!]|$))", slot_ru("nomn", "accs", words=2), who=Who.first, dated=False, confidence=0.65),
        construction("preference", "обращайтесь обращайся отвечай отвечайте пиши пишите зови зовите называй называйте говори говорите", r"(?:^|[.!;]\s*|\bпожалуйста,?\s+)(?:ко\s+мне\s+|мне\s+|пожалуйста,?\s+)*(?P<o>(?:обращай(?:тесь|ся)|отвечай(?:те)?|пиши(?:те)?|зови(?:те)?|называй(?:те)?|говори(?:те)?)\s+(?=(?:(?:ко\s+)?мне\s+)?(?:коротко|кратко|подробн\w+|развернут\w+|по\s+(?:делу|существу|имени|пунктам|отчеству)|на\s+(?:ты|вы|русском|английском)|без\s|только|лучше|сразу|прост\w+|списк\w+|в\s+(?:телегра\w+|личк\w+|мессенджер\w*|ватсап\w*|чат\w*)|голосом|текстом|сообщени\w+|официально|неформально|вежлив\w+|строго|честно)\b)[^,.!?;@\d]{2,45})(?=\s*(?:[.,!]|$))", said(), who=Who.first, dated=False, confidence=0.68),
        construction("preference", "мое", r"\b(?:хожу\s+на|занимаюсь|езжу\s+на)\s+(?P<o>[а-я-]+)\b[^.!?]{0,40},\s*это\s+(?:прям\s+|точно\s+)?мое", slot_ru("accs", "ablt", words=1), who=Who.first, dated=False),
        construction("dislike", "восторге", r"\bне\s+в\s+восторге\s+от\s+", thing("gent"), who=Who.first, dated=False, negatable=False),
        construction("dislike", "мне", r"\bне\s+по\s+мне\s+(?:все\s+)?(?:эт\w+\s+)?(?:ваш\w*\s+|тво\w+\s+)?", thing("nomn"), who=Who.first, dated=False, negatable=False),
        construction("dislike", "люблю", r"(?:^|[.!,;]\s*|\bа\s+|\bно\s+)(?P<o>[а-я-]+(?:ть|ти|чь|ться))\s+(?:я\s+|очень\s+|вообще\s+)*не\s+люблю\b", said(), who=Who.first, dated=False, negatable=False),
        construction("dislike", "люблю", r"(?:^|[.!,;]\s*|\bа\s+|\bно\s+)(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:я\s+|очень\s+|вообще\s+|совсем\s+)*(?:не\s+(?:люблю|перевариваю|выношу|переношу|жалую)|ненавижу|терпеть\s+не\s+могу)(?=\s*(?:[.,!]|$|с\s+детства|вообще))", slot_ru("accs", "gent", words=2), who=Who.first, dated=False, negatable=False),
        construction("dislike", "противна противен противно противны", r"\b(?:мне\s+)?(?:против(?:ен|на|но|ны)|отвратительн\w+)\s+(?:мне\s+)?", thing("nomn"), who=Who.first, dated=False, confidence=0.7),
        # work
        construction("job_title", "как", r"(?:^|[.!,;]\s*)(?:я\s+)?как\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s*,?\s+(?:я\s+)?(?:скажу|говорю|могу\s+сказать|заявляю|советую|подтверждаю|замечу|вижу)", job_ru("nomn", known=True), who=Who.first, dated=False),
        construction("job_title", "обязанности пост место ставку", r"\b(?:исполняю\s+обязанности|занимаю\s+(?:пост|должность|место)|занял[аи]?\s+(?:пост|должность|место)|(?:меня\s+)?назначили\s+на\s+(?:пост|должность)|врио)\s+", job_ru("gent", known=False), dated=False),
        construction("job_title", "сейчас теперь ныне", r"(?:^|[.!,;]\s*|\bа\s+)(?:сейчас|теперь|ныне|нынче|отныне)\s*[-—–]?\s*", job_ru("nomn", known=True), dated=False, confidence=0.75),
        construction("job_title", "просто", r"\bне\s+просто\s+[а-я-]+,?\s+а\s+", job_ru("nomn", known=True), who=Who.first, dated=False, negatable=False),
        construction("job_title", "вообще-то тоже сам сама же по", r"(?:^|[.!,;]\s*|\bтак\s+что\s+|\bи\s+)(?P<first>я|мы)\s+(?:[а-я-]+\s+){0,3}?(?:[-—–]\s*)?(?P<o>[а-я-]+(?:\s[а-я-]+)?)(?=\s*(?:,\s*если|,|[.!]|$))", job_ru("nomn", known=True), dated=False, confidence=0.7),
        construction("job_title", "жена муж мама папа отец мать брат сестра сын дочь дочка дед дедушка бабушка свекровь теща тесть дядя тетя", r"(?:^|[.!,;]\s*|\b(?:а|и|у\s+меня|мо[йя])\s+)(?P<third>жена|муж|мама|папа|отец|мать|брат|сестра|сын|дочь|дочка|дед|дедушка|бабушка|свекровь|теща|тесть|дядя|тетя)\s+(?:у\s+меня\s+|тоже\s+|сейчас\s+|теперь\s+|[-—–]\s*)*", job_ru("nomn", known=True), dated=False),
        construction("job_title", "больше уже", r"\b(?:больше|уже)\s+не\s+(?P<o>[а-я-]+)(?=\s*(?:[.,!]|$))", job_ru("nomn", known=True), Mode.end, negatable=False),
        construction("job_title", "был была начинал начинала начинал", r"\b(?P<o>[а-я-]+(?:ст|р|ик|ец|арь|тель|лог|ница|ка|ом|ем|ой|ей))\s+(?:в|на)\s+(?=(?:детск|школ|больниц|поликлин|садик|завод|банк|кафе|магазин|ресторан|университет|театр|музе|библиотек|суд|полици)\w*)", job_ru("nomn", known=True), dated=False, confidence=0.68),
        construction("employer", "пошел пошла вышел вышла попал попала перешел перешла", r"\b(?:пошел|пошла|вышел|вышла|попал[аи]?|перешел|перешла)\s+(?:[\w-]+\s+)?(?:в|на)\s+(?=[«\"A-ZА-ЯЁа-яё][^.!?]*?\b(?:стажер\w*|работать|на\s+работу|продавц\w+|менеджер\w*|курьер\w*|официант\w*|кладовщик\w*|инженер\w*|[а-я]+(?:истом|ером|иком|щиком|телем)\b))", organisation("accs"), Mode.change),
        construction("employer", "оффер оффера", r"\b(?:подписал|принял|получил)[аи]?\s+оффер\s+(?:с|со|от|из)\s+", organisation("ablt", "gent"), Mode.change),
        construction("employer", "новое место", r"\bна\s+новое\s+место\s*[:—–-]\s*", organisation("nomn"), Mode.change, Who.first),
        construction("employer", "контракт договор", r"\b(?:контракт|договор)\s+с\s+(?P<o>[«\"]?[\w-]+[»\"]?)\s+(?:истек|закончил\w+|расторг\w+|не\s+продл\w+)", organisation("ablt"), Mode.end, Who.first),
        construction("employer", "вожу водит веду", r"\b(?P<first>вожу|веду|рулю|развожу)\s+[а-я-]+\s+в\s+(?=[«\"])", organisation(*_IN), dated=False),
        construction("employer", "проработала проработал отработал отработала", r"\b(?:про|от)работал[аи]?\s+(?:в|на)\s+(?=[^.!?]*\bи\s+(?:сейчас|до\s+сих\s+пор|поныне))", workplace(*_IN), dated=False),
        # learning
        construction("education", "студент студентка аспирант аспирантка выпускник выпускница магистрант", r"\b(?:студент(?:ка)?|аспирант(?:ка)?|магистрант(?:ка)?|курсант|выпускни(?:к|ца)|ординатор)\s+(?:\w+\s+курса\s+|\d\s+курса\s+)?(?=[а-яёА-ЯЁA-Z«])", school("gent"), dated=False),
        construction("education", "диплом диплома корочка корочки", r"\b(?:у\s+меня|есть|имею|получил[аи]?)\s+(?:\w+\s+)?(?P<o>(?:диплом|корочк[аи])\s+[а-я]+)", said(), who=Who.first, dated=False),
        construction("education", "высшее образование заочно", r"\bполуча(?:ю|ем)\s+(?:второе\s+|первое\s+)?(?:высшее|образование)[^.!?]{0,20}\bна\s+", trade("accs"), who=Who.first, dated=False),
        construction("education", "диплом", r"\bдиплом\s+(?:получил[аи]?|защитил[аи]?)\s+в\s+", school(*_IN), dated=False),
        # where
        construction("location", "переезд переезда", r"\bпереезд\s+(?:в|во|на)\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:[\w-]+\s+)?(?:состоял\w+|позади|заверш\w+|случил\w+|удал\w+|прошел)", place_ru("accs"), Mode.change, Who.first),
        construction("location", "вернулся вернулась вернулись", r"\bвернул(?:ся|ась|ись)\s+(?:[\w-]+\s+)?(?:жить\s+)?(?:обратно\s+)?в\s+родн(?:ой|ую|ое)\s+", place_ru("accs"), Mode.change),
        construction("location", "где там", r"\b(?:все\s+)?там\s+же,?\s+(?:в|во)\s+", place_ru(*_IN), who=Who.first, dated=False),
        construction("location", "теперь нынче", r"\b(?:а\s+)?(?:теперь|сейчас|нынче)\s+(?:вот\s+|уже\s+|мы\s+|я\s+)*(?:в|во)\s+(?=(?:деревне|селе|поселке|городе|станице|хуторе)\s)", place_ru(*_IN), Mode.change),
        # family, animals
        construction("pet", "держу держим завели двух", r"\b(?:держ(?:у|им)|завел[аи]?|у\s+(?:меня|нас)|взял[аи]?)\s+(?:двух|трех|две|два|три|четырех)\s+(?P<k>[а-я]+)\s*[,:—–(-]\s*", pets_many_ru, who=Who.first, dated=False),
        construction("pet", "нарекли звать кличут", r"\b(?P<k>[а-я]+)\s*,?\s*(?:[а-я]+\s+)?(?:нарекл[аи]|звать|кличут|кличем)\s*[-—–:]?\s*[«\"]?", pet_ru, who=Who.first, dated=False),
        construction("pet", "назвал назвала назвали нарекли", r"\b(?P<k>[а-я]+)\s*,\s*(?P<o>[а-яё-]+)\s+(?:назвал[аи]?|нарекли|окрестил[аи]?)", pet_before_ru, who=Who.first, dated=False),
        construction("pet", "это мой моя наш наша", r"\b(?P<o>[а-яё-]+)\s*,\s*(?:это\s+)?(?:мо(?:им|ей|йя?|я)|наш(?:им|ей|а)?)\s+(?P<k>[а-я]+)", pet_beside_ru, who=Who.first, dated=False),
        construction("relative", "зовут звали звать величают кличут", r"\b[а-я]+\s+(?:мо\w+\s+|наш\w+\s+|у\s+(?:меня|нас)\s+)?(?:зовут|звали|звать|величают|кличут)\s*[-—–:]?\s*(?=[а-я])", relative_ru, who=Who.first, dated=False),
        construction("relative", "у", r"\b(?P<k>[а-я]+)\s+у\s+(?:меня|нас)\s*[-—–:]?\s*(?=[а-я])", relative_ru, who=Who.first, dated=False),
        construction("relative", "мой моя наш наша моей моим нашей нашим муж жена дочь дочкой сын сыном братом сестрой женой мужем", r"\b(?P<o>[а-яё-]+)\s*,\s*(?:(?:мо(?:им|ей|й|я)|наш(?:им|ей|а)?)\s+)?(?P<k>[а-я]+)(?:\s+мо[йя])?(?=\s*[,.!]|$)", relative_beside_ru, who=Who.first, dated=False),
        # things
        construction("owns", "есть имеется хозяин хозяйка хозяйкой владелец владелица обладатель обладатели обладательница", r"\b(?:(?:у\s+нас\s+|у\s+меня\s+)?имеется|есть\s+у\s+(?:нас|меня)|(?:стал[аи]?\s+)?(?:хозя(?:йкой|ином|ин|йка)|владел(?:ьцем|ицей|ец|ица)|обладател\w+))\s+", owned_ru("nomn", "gent"), dated=False, who=Who.first),
        # tools
        construction("tool", "команда отдел", r"\b(?:наша\s+)?(?:команда|отдел|компания)\s+(?:использует|пользуется|работает\s+(?:в|на)|сидит\s+(?:в|на)|перешла\s+на)\s+", program("accs", "ablt", *_IN), who=Who.first, dated=False),
        # skills
        construction("skill", "печатью печать", r"\b(?P<o>(?:слеп\w+\s+печат\w+|азбук\w+\s+морзе|стенографи\w+|скорочтени\w+|верхов\w+\s+езд\w+))", _fasting, who=Who.first, dated=False),
        construction("skill", "верхом играю", r"\b(?P<first>езжу)\s+верхом", const("ездить верхом"), dated=False),
        construction("skill", "играю", r"\bна\s+(?P<o>гитаре|пианино|фортепиано|скрипке|барабанах|аккордеоне|баяне|балалайке|саксофоне|флейте|трубе|виолончели|укулеле|басу|домре)\s+(?:я\s+|неплохо\s+|хорошо\s+|прилично\s+)*играю", formed(said(), "играть на {}"), who=Who.first, dated=False),
        construction("skill", "могу", r"\b(?P<first>могу)\s+(?:сам[аи]?\s+)?(?=(?:починить|собрать|сшить|связать|сварить|испечь|настроить|отремонтировать|построить|перевести|нарисовать)\s+(?:любо|что\s+угодно|почти))", infinitive_ru, dated=False),
        construction("skill", "опыт", r"\b(?:имею|есть|большой)\s+опыт\s+(?:работы\s+)?(?:с|в|на)\s+", program("ablt", *_IN), who=Who.first, dated=False),
        # languages
        construction("language", "билингв билингва", r"\bбилингва?\s*[:—–-]\s*", language, dated=False),
        construction("language", "зато свободно", r"\b(?:зато|но|а)\s+(?P<o>[а-я]+ский(?:(?:,\s+|\s+и\s+)[а-я]+ский)*)\s+(?:язык\w*\s+)?(?:знаю\s+|у\s+меня\s+)?(?:свободно|отлично|хорошо|в\s+совершенстве|на\s+уровне)", language, who=Who.first, dated=False),
    ]
)  # fmt: skip
