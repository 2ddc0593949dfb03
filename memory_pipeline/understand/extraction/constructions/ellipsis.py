"""Verbless fragments, inverted order and set phrases of chat, in both languages."""

from memory_pipeline.understand.extraction.constructions.engine import Table, construction
from memory_pipeline.understand.extraction.constructions.foods import (
    FOOD_EN,
    FOOD_RU,
    foods_en,
    without,
)
from memory_pipeline.understand.extraction.constructions.illness import illness_en, illness_ru
from memory_pipeline.understand.extraction.constructions.kin import pet_en, relative_en
from memory_pipeline.understand.extraction.constructions.possessions import owned_en, owned_ru
from memory_pipeline.understand.extraction.constructions.ru_work import DATE_RU, due
from memory_pipeline.understand.extraction.constructions.takers import (
    const,
    drug,
    formed,
    language,
    money,
    number,
    said,
    tool,
    whole,
)
from memory_pipeline.understand.extraction.constructions.takers_en import (
    firm_en,
    infinitive_en,
    job_en,
    place_en,
    subject_en,
    things_en,
)
from memory_pipeline.understand.extraction.constructions.takers_ru import (
    infinitive_ru,
    job_ru,
    organisation,
    place_ru,
    slot_ru,
    things_ru,
)
from memory_pipeline.understand.extraction.frames import Mode, Who
from memory_pipeline.understand.extraction.numbers import NUMBER_WORD_EN

IN, FROM = ("loct", "loc2"), ("gent",)
_START = r"(?:^|[.!,;:—–]\s*|\b(?:и|а|но|ну|так что)\s+)"
_START_EN = r"(?:^|[.!,;:—–]\s*|\b(?:and|but|so)\s+)"
_YEARS = r"(?:(?:\w+|\d+)(?:-?й)?\s+(?:год|месяц|десяток)|(?:\w+|\d+)\s+(?:лет|года)|всю жизнь|сто лет|с \d{4}(?:-го)?|со студенчества|давно|давненько)"

_TRADE = {
    "truck": "truck driver", "cab": "cab driver", "bus": "bus driver", "taxi": "taxi driver", "semi": "truck driver",
    "rig": "truck driver", "forklift": "forklift driver", "bar": "bartender", "tables": "waiter", "hair": "hairdresser",
    "cars": "mechanic", "planes": "pilot", "code": "programmer",
}  # fmt: skip

ELLIPSIS_RU = Table(
    [
        construction(
            "location", "еще сих уже снова опять пока теперь обратно по-прежнему", rf"{_START}(?:я\s+|мы\s+)?(?:все еще|еще|до сих пор|по-прежнему|уже|снова|опять|пока|теперь|обратно|вновь)(?:\s+(?:тут|здесь|я|мы|как-то))?\s+(?:в|во)\s+", place_ru(*IN, geo=True), confidence=0.75),
        construction(
            "location", "привет приветы пишу читаю звоню передаю слушаю вещаю отвечаю слушаем смотрю здороваюсь", r"\b(?:привет(?:ы|ик|ствую)?|(?P<first>пишу|читаю|звоню|вещаю|отвечаю|слушаю|смотрю|на связи))\s+(?:[\w-]+\s+){0,3}?из\s+(?:\w+(?:ого|ой)\s+)?", place_ru(*FROM, geo=True), who=Who.first, dated=False, confidence=0.7),
        construction(
            "location", "год месяц лет года", rf"\b(?:сам|сама|сами|я|мы)\s+(?:уже\s+)?{_YEARS}(?:\s+как)?\s+(?:живу\s+)?(?:в|во)\s+", place_ru(*IN), who=Who.first, dated=False, confidence=0.7),
        construction(
            "location", "живу живем", r"\b(?:в|во)\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?),?\s+(?:так\s+|тут\s+|и\s+|я\s+|мы\s+|вот\s+|уже\s+|теперь\s+|сейчас\s+|пока\s+|там\s+|давно\s+)*(?P<first>живу|живем|обитаю|обитаем)\b", place_ru(*IN, "accs", geo=True), dated=False, confidence=0.8),
        construction(
            "location", "комнату квартиру студию угол дом жилье койку", r"\b(?:снял[аи]?|арендовал[аи]?|нашл[аи]|нашел|купил[аи]?)\s+(?:[а-я-]+\s+){0,2}?(?:комнату|квартиру|студию|угол|дом|жилье|однушку|двушку|койку)\s+(?:в|во)\s+", place_ru(*IN, geo=True), Mode.change, confidence=0.7),
        construction(
            "employer", "год лет года месяц", rf"(?:^|[.!,;—–]\s*|\b(?:я|и|а)\s+)(?:уже\s+)?{_YEARS}\s+(?:(?!назад\b|как\b|переех|перебр|вернул|жив|прожил|съехал|приехал|уехал|отдыха|гуля|хожу|езжу|учусь|учил)[\w-]+\s+){{0,3}}?(?:в|на)\s+(?=[«\"a-zа-я])", organisation(*IN), who=Who.first, dated=False, confidence=0.7),
        construction(
            "employer", "в я", r"(?:^|[.!,;]\s*)я\s+(?:теперь\s+|сейчас\s+|уже\s+|пока\s+|все еще\s+|давно\s+)*в\s+(?=[«\"a-zа-я])(?=\S+(?:\s\S+)?\s*(?:$|[.,!)]|уже|\w+\s+(?:год|лет|месяц)|с\s))", organisation(*IN), who=Who.first, confidence=0.7),
        construction(
            "employer", "кормит платит кормилец трудовая нанял нанимал зарплату", r"\b(?:кормит(?:\s+меня)?|зарплату\s+(?:мне\s+)?платит|платит\s+мне(?:\s+зарплату)?|трудовая\s+(?:моя\s+|у меня\s+)?(?:лежит\s+)?в|кормилец мой)\s+", organisation("nomn", *IN), who=Who.first, dated=False),
        construction(
            "employer", "выперли поперли турнули вышибли погнали слинял слиняла свалил свалила сбежал сбежала выгнали дембельнулся дембельнулась ушел ушла выкинули попросили", r"\b(?:меня\s+)?(?:выперли|поперли|турнули|вышибли|погнали|выгнали|выкинули|попросили|слинял[аи]?|свалил[аи]?|сбежал[аи]?|дембельнул(?:ся|ась)|ушел|ушла)\s+(?:я\s+|меня\s+|вчера\s+|наконец\s+|все-таки\s+)*из\s+(?=[«\"])", organisation(*FROM), Mode.end),
        construction(
            "employer", "пошел пошла иду подался подалась нанялся нанялась", r"\b(?:пошел|пошла|иду|подал(?:ся|ась)|нанял(?:ся|ась)|возвращаюсь|вернул(?:ся|ась))\s+(?:работать\s+|на работу\s+|трудиться\s+)в\s+", organisation("accs"), Mode.change, who=Who.first),
        construction(
            "job_title", "таксую", r"\b(?P<first>таксую)\b", const("таксист"), dated=False, confidence=0.75),
        construction(
            "job_title", "баранку баранкой фуру фуры фурой такси таксую таксует автобус автобусе камаз", r"\b(?P<first>кручу баранку|вожу (?:фуры?|автобусы?|такси|камаз|грузовик|трамвай)|рулю (?:фурой|автобусом)|шоферю)\b", const("водитель"), dated=False, confidence=0.75),
        construction(
            "job_title", "днем будням официально отныне теперь ныне сегодняшнего смену повысили по", rf"{_START}(?:днем|по будням|официально|отныне|теперь(?:\s+(?:я|официально))?|ныне|с сегодняшнего дня|в миру|по жизни)\s*(?:[-—–:]\s*)?(?:я\s+|уже\s+)?", job_ru("nomn", known=True), who=Who.first, confidence=0.7),
        construction(
            "job_title", "работаю подрабатываю тружусь служу", r"\b(?P<first>работаю|подрабатываю|тружусь)\s+(?:пока\s+|сейчас\s+|теперь\s+)?(?P<o>бариста|хостес|крупье|сомелье|коучем|няней|секретарем|скрам-мастером|продактом|проджектом|девопсом|тимлидом|техлидом)\b", job_ru("ablt", "nomn"), dated=False),
        construction(
            "job_title", "сделали поставили выбрали назначили утвердили произвели", r"\b(?:меня\s+)?(?:сделали|поставили|выбрали|назначили|утвердили|произвели)\s+(?:меня\s+|нас\s+|в\s+)*(?=[а-я-]+(?:ом|ем|ой|ей|ым|им|ью)\b)", job_ru("ablt", known=True), Mode.change, who=Who.first),
        construction(
            "marital_status", "свадьбу свадьба штамп", r"\b(?:свадьбу\s+(?:\w+\s+)?(?:сыграли|отгуляли|справили)|(?:отгуляли|справили)\s+свадьбу|(?:у нас|у меня)\s+(?:\w+\s+)?штамп в паспорте|штамп в паспорте)\b", const("в браке"), Mode.change, who=Who.first),
        construction(
            "marital_status", "официально законная законный жена муж", r"\bя\s+(?:теперь\s+|официально\s+|уже\s+|законн\w+\s+|сегодня\s+)+(?P<o>жена|муж|замужняя|женатый)\b", said({"жена": "замужем", "замужняя": "замужем", "муж": "женат", "женатый": "женат"}), Mode.change, who=Who.first),
        construction(
            "budget_limit", "край максимум потолок предел деньгам бюджету больше дальше", r"(?:\bпо\s+(?:деньгам|бюджету|финансам)\s*[:—–-]?\s*(?:край\s+|максимум\s+|до\s+|не больше\s+|потолок\s+|где-то\s+)*|\bкрай\s*[-—–:]?\s*|\bпредел\s+(?:мечтаний\s+|наш\s+|мой\s+)?[-—–:]?\s*)", money, who=Who.first, dated=False),
        construction(
            "budget_limit", "рублем рубля копейкой копейки", r"\b(?P<o>\d[\w ,.]{0,20}?)\s*,?\s*и\s+ни\s+(?:рублем|рубля|копейкой|копейки)\s+(?:больше|сверху)", money, who=Who.first, dated=False),
        construction(
            "deadline", "сдаемся сдаем стартуем запускаемся релизимся выкатываемся открываемся сдача релиз запуск выпуск отчетность", rf"\b(?:сдаемся|релизимся|выкатываемся|запускаемся|сда(?:ем|ю)|сдача|релиз|запуск)\s+(?:[а-я-]+\s+){{0,2}}?(?:у нас\s+)?(?:[-—–:]\s*)?(?:ровно\s+|строго\s+|уже\s+)?(?={DATE_RU})", due, who=Who.first, dated=False),
        construction(
            "deadline", "ждут ждет принимают принимает примут", r"\b(?:ждут|ждет|принимают|принимает|примут|нужны|нужен|нужно)\s+(?:[а-я-]+\s+){0,3}?(?:до|к|не позже|не позднее)\s+(?=\d{1,2}\s+[а-я])", due, who=Who.first, dated=False, confidence=0.7),
        construction(
            "diet", "рот касаюсь прикасаюсь", rf"\b(?P<o>{FOOD_RU})\s+(?:\w+\s+)?(?:в\s+рот\s+не\s+(?:беру|берем)|не\s+(?:трогаю|касаюсь|покупаю|признаю))", without(slot_ru("accs", "gent", words=2)), who=Who.first, dated=False, negatable=False),
        construction(
            "diet", "мне", rf"{_START}(?:мне|нам)\s+(?:все\s+|только\s+|пожалуйста\s+|лучше\s+)*без\s+(?P<o>{FOOD_RU})", without(slot_ru("gent", words=2)), who=Who.first, dated=False),
        construction(
            "diet", "никакого никакой никаких", rf"\bникак(?:ого|ой|их)\s+(?P<o>{FOOD_RU})", without(slot_ru("gent", words=2)), who=Who.first, dated=False, negatable=False),
        construction(
            "diet", "нельзя", rf"(?:\b(?:мне|нам)\s+(?:вообще\s+|категорически\s+|строго\s+|врач\w*\s+|совсем\s+)*нельзя\s+(?P<o>{FOOD_RU})(?!.*(?:аллерг|анафилак)))", without(slot_ru("accs", "gent", "nomn", words=2)), who=Who.first, dated=False, negatable=False),
        construction(
            "diet", "нельзя", rf"\b(?P<o>{FOOD_RU})\s+(?:мне|нам)\s+(?:вообще\s+|категорически\s+|строго\s+|совсем\s+)*нельзя", without(slot_ru("accs", "gent", "nomn", words=2)), who=Who.first, dated=False, negatable=False),
        construction(
            "diet", "перешел перешла перешли", r"\bпере(?:шел|шла|шли)\s+на\s+(?P<o>без(?:лактозн|глютенов|молочн|углеводн|сахарн)\w+|растительн\w+|правильн\w+ питание)", said(), Mode.change),
        construction(
            "diet", "убежденный строгий убежденная строгая заядлый веган веганка вегетарианец вегетарианка", r"\bя\s+(?:[а-я-]+(?:ый|ая|ий)\s+)(?P<o>веган(?:ка)?|вегетариан(?:ец|ка)|сыроед|пескетариан(?:ец|ка))\b", said(), who=Who.first, dated=False),
        construction(
            "allergy", "яд смерть отрава", r"(?:^|[.!,;]\s*)(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:для меня|мне)\s*(?:[-—–]\s*)?(?:это\s+)?(?:яд|смерть|отрава|верная смерть)\b", slot_ru("nomn", words=2), who=Who.first, dated=False, confidence=0.7),
        construction(
            "allergy", "на", r"\bна\s+(?P<o>[а-я-]+(?:\s[а-я-]+)??)\s+(?:я\s+|меня\s+|у меня\s+|сразу\s+|мгновенно\s+|жутко\s+|сильная\s+)*(?:опухаю|отекаю|чешусь|чихаю|задыхаюсь|обсыпает|сыпет|раздувает|реакция|анафилакси\w+|аллерги\w+)", slot_ru("accs", words=2), dated=False),
        construction(
            "allergy", "аллергичен аллергична", r"\bаллергич(?:ен|на)\s+(?:к|на)\s+", things_ru("datv", "accs"), dated=False),
        construction(
            "allergy", "вызывает вызывают", r"(?:^|[.!,;]\s*)(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+вызыва(?:ет|ют)\s+у\s+меня\s+(?:\w+\s+)?(?:аллерги|сыпь|отек|зуд|крапивниц|удушье)", slot_ru("nomn", words=2), who=Who.first, dated=False),
        construction(
            "medical_condition", "поставили диагностировали нашли обнаружили выявили", rf"{_START}(?:поставили|диагностировали|нашли|обнаружили|выявили)\s+", illness_ru(strict=True), who=Who.first, dated=False, confidence=0.75),
        construction(
            "medical_condition", "глухая глухой слепая слепой", r"\b(?P<o>(?:глух(?:ой|ая)|слеп(?:ой|ая))(?:\s+на\s+(?:\w+\s+)?(?:ухо|глаз|один глаз|одно ухо))?)(?=\s*(?:$|[.,!;)]|с детства|так что))", said(), who=None, dated=False, confidence=0.7),
        construction(
            "medical_condition", "был была перенес перенесла пережил пережила", r"\b(?:у\s+[а-я]+\s+был[аои]?|перенес(?:ла)?|пережил[аи]?)\s+(?P<o>(?:[а-я]+\s+)?(?:инфаркт|инсульт|рак\b(?:\s+[а-я]+)?|операци[яю]\s+на\s+[а-я]+))", said(), dated=False, confidence=0.7),
        construction(
            "medication", "на ночь утром вечером теперь", r"(?:\bна ночь|\bутром|\bвечером|\bс утра|\bкаждое утро|\bежедневно)\s+(?:теперь\s+|у меня\s+|пью\s+|принимаю\s+|по\s+)*", drug, who=Who.first, dated=False, confidence=0.75),
        construction(
            "medication", "посадил посадила посадили перевел перевела перевели подсадил подсадили", r"\b(?:посадил[аи]?|подсадил[аи]?|перевел[аи]?)\s+(?:меня\s+)?на\s+", drug, Mode.change, who=Who.first),
        construction(
            "medication", "на", rf"{_START}(?:я\s+)?(?:уже\s+\w+\s+)?на\s+(?P<o>[а-я]+(?:е|ах))\s+(?:уже\s+|вот уже\s+|\w+\s+)?(?:год|лет|месяц|недел|пожизненно|постоянно|живу|давно)", drug, who=Who.first, dated=False),
        construction(
            "legal_constraint", "неразглашении неразглашение", r"\b(?:бумаг\w+|бумажк\w+|соглашени\w+|подписк\w+|договор)\s+о\s+(?:неразглашении|конфиденциальности|неконкуренции)", whole, who=Who.first),
        construction(
            "preference", "без", r"\bбез\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:даже\s+|и\s+|можете\s+|мне\s+)*(?:не\s+(?:предлага|интересн|надо|нужн|звоните|жив|мог)|(?<!но без )никуда)", slot_ru("gent", words=2), who=Who.first, dated=False, confidence=0.7),
        construction(
            "dislike", "меня", r"(?:^|[.!,;]\s*)(?P<o>(?:[а-я-]+\s+)?[а-я-]+)\s*(?:[-—–]\s*)?(?:это\s+)?(?:не для меня|не мое|мимо|фу|гадость|зло)(?=\s*(?:$|[.!,)]))", slot_ru("nomn", words=2), who=Who.first, dated=False, confidence=0.65),
        construction(
            "dislike", "ненавижу выношу терплю перевариваю терпеть люблю переношу", r"(?:^|[.!,;]\s*|\bа\s+|\bи\s+|\bно\s+)(?P<o>(?:[а-я-]+\s+)?[а-я-]+)\s+(?:я\s+|просто\s+|вообще\s+)*(?P<first>ненавижу|терпеть не могу|не выношу|не терплю|не перевариваю|не люблю)(?=\s*(?:$|[.!,;)]|всей душой|с детства|больше))", slot_ru("accs", "gent", words=2), dated=False, confidence=0.85, negatable=False),
        construction(
            "dislike", "люблю ненавижу терпеть выношу", r"\b(?P<first>не люблю|ненавижу|терпеть не могу|не выношу)\s+(?=[а-я]+(?:ть|ти|чь|ться)\b)(?P<o>[^,.;!?()\n]{4,45})", said(), dated=False, negatable=False, confidence=0.75),
        construction(
            "dislike", "заходит заходят нравится нравятся", r"\b(?:мне|нам)\s+не\s+(?:заход[ия]т|нравится|нравятся|по душе|зашел|зашла|зашли)\s+(?!как|когда|что|то|твой|ваш|это|идея|мысль|в\b|на\b)", things_ru("nomn"), who=Who.first, dated=False, negatable=False),
        construction(
            "tool", "вся все весь задачи заметки проекты код документы документация учет переписка бухгалтерия календарь база переехали переехал лежит живет живут лежат", r"\b(?:вс[яею]|весь|задачи|заметки|проекты|код|документ\w+|учет|переписка|бухгалтерия|календарь|база|таблицы|макеты|почта)\s+(?:[\w-]+\s+){0,3}?(?:в|на)\s+(?=[a-z1-9])", tool, who=Who.first, dated=False),
        construction(
            "tool", "удалил удалила снес снесла бросил бросила выкинул выкинула закопал забросил забросила", r"(?:^|[.!,;]\s*)(?P<o>[\w.+#-]+)\s+(?:я\s+|уже\s+|наконец\s+)?(?:удалил|снес|бросил|выкинул|закопал|забросил)[аи]?\b", tool, Mode.end, who=Who.first),
        construction(
            "language", "свободно свободный немецкий английский болтаю говорю читаю изъясняюсь разговариваю шпрехаю", r"\bпо-(?P<o>[а-я]+(?:ски|цки))\s+(?:я\s+)?(?:\w+\s+)?(?P<first>болтаю|говорю|читаю|изъясняюсь|разговариваю|понимаю|общаюсь)", language, dated=False),
        construction(
            "language", "свободный родной разговорный беглый свободно", r"\b(?P<o>[а-я]+(?:ский|цкий))\s*(?:[-—–]\s*)?(?:у меня\s+)?(?:свободный|родной|разговорный|беглый|свободно|в совершенстве|с детства)\b", language, who=Who.first, dated=False),
        construction(
            "goal", "цель задача мечта", r"(?P<o>[а-я]+\s+[^,.!?]{3,40}?)\s*[,—–-]\s*(?:вот\s+)?(?:и\s+вся\s+)?(?:моя\s+|наша\s+)?(?:цель|мечта)(?=\s*(?:$|[.!]|на ))", infinitive_ru, who=Who.first, dated=False),
        construction(
            "plan", "собираемся собираюсь едем планируем планирую", r"\b(?P<first>собираемся|собираюсь|намылил(?:ся|ась|ись))\s+(?:[\w-]+\s+)?в\s+(?=поход|отпуск|путешестви|круиз|турпоход|экспедици|паломничеств)", things_ru("accs", words=4, limit=1), dated=False),
        construction(
            "plan", "собираюсь планирую хочу решил решила иду", r"\b(?P<first>собираюсь|планирую|решил[аи]?)\s+(?:пойти|идти)\s+на\s+(?P<o>[^,.;!?]{3,40})", formed(said(), "пойти на {}"), dated=False),
        construction(
            "owns", "продал продала продали угнали украли разбил разбила", r"(?:^|[.!,;]\s*|\b(?:и|а)\s+)(?P<o>(?:сво\w+\s+|наш\w+\s+)?[а-я-]+)\s+(?:я\s+|мы\s+|вчера\s+|наконец\s+|уже\s+)*(?:продал[аи]?|угнали|украли|разбил[аи]?)\b", owned_ru("accs"), Mode.end, who=Who.first),
        construction(
            "owns", "наша наш моя мой", r"(?:^|[.,!]\s*)(?!.*\b(?:угна|украл|прода|слома|разби|сгоре|потеря|сдох|умер))(?:наш[аеи]?|мо[йяеи])\s+(?:старая\s+|старенькая\s+|верная\s+|старый\s+|старенький\s+)?(?=[«\"a-zа-я])(?!дом\b|квартира|комната|студия|магазин|кафе|велик\b)", owned_ru("nomn"), who=Who.first, dated=False, confidence=0.7),
        construction(
            "education", "выпуск курс выпускник выпускница", r"(?:^|[.!,;]\s*|\bя\s+)(?P<o>[а-яa-z][\w-]+(?:\s[\w-]+){0,2}?)\s*,\s*(?:выпуск\s+\d{4}|(?:\w+|\d)(?:-?й)?\s+курс)", said(), who=Who.first, dated=False, confidence=0.7),
    ]
)  # fmt: skip

ELLIPSIS_EN = Table(
    [
        construction(
            "location", "still back stuck holed camped hunkered parked living based now", rf"{_START_EN}(?:i'm\s+|we're\s+)?(?:still|back|now|stuck|holed up|camped out|hunkered down|parked|crashing|posted up|currently|temporarily|happily)(?:\s+(?:home|here|living|over|down|up|out|at\s+[\w'’]+(?:\s\w+)?|holed up|working))*\s+in\s+(?!(?:[\w'-]+\s+){{1,3}}(?:after (?:that|this)|afterwards|from then|straight after)\b)", place_en, confidence=0.75),
        construction(
            "location", "home", r"(?:^|[.!,;]\s*|\band\s+)(?P<o>[a-z][\w-]+(?:\s[a-z][\w-]+)?)(?:'s|\s+is)\s+(?:my\s+|our\s+)?(?:new\s+)?home\s*(?:now|these days|for now|base)?(?=\s*(?:$|[.,!;]))", place_en, who=Who.first, dated=False, confidence=0.75),
        construction(
            "location", "call", r"\b(?P<first>i|we)\s+(?:now\s+)?call\s+(?P<o>[a-z][\w -]{2,25}?)\s+home\b", place_en, dated=False),
        construction(
            "location", "am", r"\bin\s+(?P<o>[a-z][\w -]{2,25}?)\s+and\s+so\s+am\s+i\b", place_en, who=Who.first),
        construction(
            "location", "ended landed wound washed", r"\b(?:ended up|wound up|washed up|landed|touched down|settled)\s+(?:living\s+)?in\s+", place_en, Mode.change),
        construction(
            "location", "traded swapped left moved relocated", r"\b(?:traded|swapped|left|moved from|relocated from|ditched)\s+[A-Za-z][\w -]{2,20}?\s+(?:for|to)\s+", place_en, Mode.change),
        construction(
            "location", "moved relocated traded swapped", r"\b(?:moved from|relocated from|traded|swapped)\s+(?P<o>[a-z][\w -]{2,20}?)\s+(?:to|for)\s+(?=[a-z])", place_en, Mode.end),
        construction(
            "employer", "year years month months", r"(?:^|[.!,;]\s*|\b(?:i've\s+(?:been|done|spent|clocked))\s+)(?:year\s+(?:\w+)|(?:\w+|\d+)\s+(?:years?|months?))\s+(?:now\s+|in\s+)?at\s+", firm_en, who=Who.first, dated=False, confidence=0.75),
        construction(
            "employer", "signs pays sign pay", r"(?:^|[.!,;]\s*)(?P<o>[a-z][\w &-]{2,25}?)\s+(?:signs|pays|covers|writes)\s+my\s+(?:pay\s?checks?|bills|salary|rent|wages|checks)\b", firm_en, who=Who.first, dated=False),
        construction(
            "employer", "keep do run handle manage design write cook drive clean", r"\b(?P<first>i)\s+(?:keep the books|do (?:the\s+)?(?:books|payroll|it|hr|pr|marketing|sales|legal|design|accounting)|run (?:the\s+)?(?:kitchen|lab|it|support|ops)|handle (?:\w+\s+)?\w+|write code|cook|drive|clean|design|moonlight)\s+(?:for|at)\s+", firm_en, dated=False, confidence=0.75),
        construction(
            "employer", "desk walked badge clocked", r"\b(?:cleaned out my desk|turned in my badge|handed (?:in|over) my (?:badge|laptop|keys)|walked out|clocked out for the last time)\s+(?:at|of|from)\s+", firm_en, Mode.end, who=Who.first),
        construction(
            "employer", "landed accepted offer job gig role", r"\b(?:landed|accepted|took|got)\s+(?:an?\s+|the\s+)?(?:job|offer|gig|role|position|spot|contract)?\s*(?:at|with|from)\s+(?=[a-z])", firm_en, Mode.change, confidence=0.7),
        construction(
            "employer", "currently at", r"\b(?P<first>i'm|i am|im)\s+(?:currently|now|still|also)\s+(?:at|with)\s+(?!\d|the\b|home|work|school|peace|least)", firm_en, confidence=0.7),
        construction(
            "job_title", "officially", r"(?:^|[.!,;]\s*)(?:i'm\s+|i am\s+|now\s+)?officially\s+(?:an?\s+|the\s+)", job_en, who=Who.first, confidence=0.7),
        construction(
            "job_title", "day job", r"\bday job\s*(?:is|:)\s*(?:an?\s+)?", job_en, who=Who.first, dated=False),
        construction(
            "job_title", "now officially", r"\b(?P<first>i'm|i am)\s+(?:the\s+)?(?P<o>(?:[a-z-]+\s)?(?:manager|director|lead|supervisor|captain|partner|head chef|foreman|principal|editor|engineer|president))\s+(?:now|as of)\b", subject_en(4), confidence=0.75),
        construction(
            "job_title", "appointed named made elected promoted", r"\b(?:i\s+was|i've been|i got|they|got)\s+(?:appointed|named|made me|elected|bumped (?:me\s+)?up to|promoted (?:me\s+)?to)\s+(?:as\s+)?(?:an?\s+|the\s+)?(?!happy|sad|do|feel|sure|fun)", job_en, Mode.change, who=Who.first),
        construction(
            "job_title", "drive tend wait cut fix fly teach", r"\b(?P<first>i)\s+(?:drive|tend|wait|cut|fix|fly|write)\s+(?:an?\s+|the\s+)?(?P<o>truck|cab|bus|taxi|semi|rig|forklift|bar|tables|hair|cars|planes|code)s?\s+(?:for a living|at|for|by day|full[- ]time|nights|in)", said(_TRADE), dated=False, confidence=0.75),
        construction(
            "age", "going", rf"\b(?:i'm|i am|im)\s+(?P<o>\d{{2}}|{NUMBER_WORD_EN})\s+going on\b", number, who=Who.first, dated=False),
        construction(
            "marital_status", "divorce divorced ink papers", r"\b(?:ink(?:'s| is) dry on (?:the|our|my) divorce|signed the (?:divorce )?papers so i'm divorced|divorce (?:papers|decree) (?:are|is|came|were|got) (?:signed|final|through|in))", const("divorced"), Mode.change, who=Who.first),
        construction(
            "marital_status", "ring proposed", r"\b(?:he|she)\s+(?:finally\s+)?(?:put a ring on it|popped the question|proposed)\b", const("engaged"), Mode.change, who=Who.first, confidence=0.7),
        construction(
            "budget_limit", "all past anything max most", r"(?:(?:^|[.!,;]\s*)(?:anything|everything)\s+(?:past|over|above|beyond|more than)\s+(?:the\s+)?|\b(?:not|no)\s+more\s+than\s+|\bthe\s+(?:max|most|maximum)\s+(?:i|we)(?:'d|\s+would|\s+can|\s+could)\s+(?:pay|spend|do|go)\s+is\s+|\bwe(?:'ve| have)\s+got\s+(?:about\s+|around\s+|roughly\s+)?)", money, who=Who.first, dated=False, negatable=False, confidence=0.75, ignores=frozenset({"hypothetical"})),
        construction(
            "budget_limit", "all", r"(?:^|[.!,;]\s*)(?P<o>[$€£]?\w[\w ,.]{0,20}?)\s+is\s+all\s+(?:we|i)(?:'ve|\s+have)?\s*(?:got|have|can spend|budgeted)?\b", money, who=Who.first, dated=False),
        construction(
            "deadline", "needs need wants want expects expect date", r"(?:\b(?:the\s+)?[a-z]+\s+(?:needs|wants|expects|is expecting)\s+(?:the|our|my|these|all|it|everything)?\s*(?:\w+\s+){0,2}?(?:by|before|no later than)\s+|\b(?:ship|launch|release|delivery|submission|go-live|due|closing|target)\s+date\s*(?:is|:)\s+)(?=(?:the\s+)?(?:\d{1,2}|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri))", due, who=Who.first, dated=False),
        construction(
            "diet", "touched eaten touch had", rf"\b(?:i\s+)?haven't\s+(?:touched|eaten|had|drunk)\s+(?:any\s+)?(?={FOOD_EN})", foods_en, who=Who.first, dated=False, negatable=False),
        construction(
            "diet", "no", rf"(?:^|[.!,;]\s*|\bso\s+|\band\s+)no\s+(?={FOOD_EN}(?:\s+(?:for me|please|thanks|in this house|at all|ever|or)\b|\s*$))", foods_en, who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction(
            "diet", "and", rf"(?:^|[.!,;]\s*)(?P<o>{FOOD_EN})\s+and\s+i\s+(?:are not on speaking terms|don't (?:get along|mix|agree)|broke up|parted ways|are done)", foods_en, who=Who.first, dated=False),
        construction(
            "allergy", "kill deadly poison wheeze sneeze itch", r"(?:^|[.!,;]\s*)(?P<o>(?:[a-z-]+\s){0,1}[a-z-]+)\s+(?:(?:could|would|can|will)\s+(?:literally\s+|actually\s+)?kill\s+me|(?:are|is)\s+(?:literally\s+)?(?:deadly|poison)\s+(?:to|for)\s+me)\b", subject_en(2), who=Who.first, dated=False, ignores=frozenset({"hypothetical"}), confidence=0.7),
        construction(
            "allergy", "allergic allergy", r"(?:^|[.!,;]\s*)(?P<o>[a-z-]+)\s+makes?\s+me\s+(?:wheeze|sneeze|itch|swell up|cough)[^.!?]{0,20}\ballerg", subject_en(2), who=Who.first, dated=False),
        construction(
            "medical_condition", "diabetic asthmatic epileptic celiac coeliac", r"(?:^|[.!,;]\s*)(?P<o>(?:type\s+(?:1|2|one|two)\s+)?(?:diabetic|asthmatic|epileptic|celiac|coeliac))\s+here\b", said({"diabetic": "diabetes", "asthmatic": "asthma", "epileptic": "epilepsy", "type 1 diabetic": "type 1 diabetes", "type 2 diabetic": "type 2 diabetes"}), who=Who.first, dated=False),
        construction(
            "medical_condition", "my", r"\bmy\s+(?:\w+\s+)?(?:knees?|back|hips?|hands?|joints?|eyes?|heart|lungs|thyroid|shoulders?)\s+(?:is|are)\s+(?:shot|bad|gone|toast|wrecked|killing me|acting up)\s*[,—–:]\s*(?:it's\s+)?", illness_en(strict=True), who=Who.first, dated=False),
        construction(
            "medication", "got has put had", r"\b(?:(?:doc|doctor|cardiologist|psychiatrist|gp|physician|dr\.? \w+)(?:'s| has| just)?\s+(?:got|put|has|started|switched)\s+me\s+(?:on|to))\s+", drug, Mode.change, who=Who.first),
        construction(
            "legal_constraint", "lawyer attorney solicitor legal court judge", r"\b(?:my\s+|our\s+|the\s+)?(?:lawyer|attorney|solicitor|counsel|legal|judge|court)(?:'s)?\s+(?:says?|said|told me|ordered|ruled|insists)\b[^.!?]*\b(?:no|can't|cannot|not|never|must|barred|banned|prohibited|forbidden|until|through)\b", whole, who=Who.first, confidence=0.7, negatable=False),
        construction(
            "requirement", "non negotiable requirement must mandatory dealbreaker hard rule", r"^(?:non-?negotiable|hard requirement|hard rule|dealbreaker|deal-breaker|must-have|mandatory|one rule|requirement)s?\s*[:—–-]\s*(?P<o>.{6,120}?)[.!]*$", said(), who=Who.first, dated=False),
        construction(
            "dislike", "and", r"(?:^|[.!,;]\s*)(?P<o>[a-z][\w -]{2,25}?)\s+and\s+i\s+(?:don't (?:get along|mix|agree)|are not friends|aren't friends|have never gotten along)\b", subject_en(3), who=Who.first, dated=False, confidence=0.75),
        construction(
            "preference", "or", r"(?:^|[.!,;]\s*)(?P<o>(?:[a-z-]+\s){0,2}[a-z-]+)\s+or\s+(?:i'm not (?:flying|going|coming|interested)|nothing|bust|i walk)\b", subject_en(3), who=Who.first, dated=False, confidence=0.7),
        construction(
            "tool", "live lives happens happen goes go sits sit tracked kept done gets managed", r"\b(?:everything|notes|docs|documents|tickets|tasks|issues|code|data|files|designs|specs|calendar|backlog|repos?|tests|stuff|work|planning|mockups|bugs|wiki|budget|schedule|invoices|photos)\s+(?:lives?|happens?|goes|go|sits?|is tracked|are tracked|is kept|is done|gets done|is managed)\s+(?:in|on|into|through|via)\s+", tool, who=Who.first, dated=False),
        construction(
            "tool", "shop", r"\b(?P<first>we're|we are)\s+(?:now\s+)?an?\s+(?P<o>[a-z][\w.+#-]+(?:\s[a-z][\w.+#-]+)?)\s+(?:shop|house|team|office)(?:\s+now)?\b", tool),
        construction(
            "goal", "goal dream target resolution", r"(?:^|[.!,;]\s*)(?:(?:my|one|the|our|big|only|new year's|main)\s+){0,2}(?:goal|dream|target|resolution)s?(?:\s+(?:for|this|in)\s+[\w ']{2,15}?)?\s*[:—–]\s*", infinitive_en, who=Who.first, dated=False),
        construction(
            "plan", "plan", r"(?:^|[.!,;]\s*)(?:the|my|our|current)\s+plan(?:\s+(?:for|this)\s+[\w ]{2,15}?)?\s*[:—–]\s*", infinitive_en, who=Who.first, dated=False),
        construction(
            "relative", "that's thats this meet", r"\b(?:that's|thats|this is|meet|here's)\s+(?:my|our)\s+(?:\w+\s+){0,2}?(?:brother|sister|son|daughter|cousin|uncle|aunt|nephew|niece|grandma|grandpa|mom|dad|wife|husband|stepdad|stepmom|kid|boy|girl)\s*,?\s+(?=[a-z])", relative_en, who=Who.first, dated=False),
        construction(
            "pet", "rescue adopted rescued cat dog puppy kitten got", r"\b(?:our|my|got|have|adopted|rescued)\s+(?:an?\s+)?(?:\w+\s+){0,2}?(?:cat|dog|puppy|kitten|parrot|hamster|rabbit|greyhound|corgi|beagle|labrador|lab|poodle|terrier|husky|pug|bulldog|dachshund|gecko|snake|turtle|tortoise|ferret|horse|pony)\s*[,—–:(]\s*(?=[a-z])", pet_en, who=Who.first, dated=False, confidence=0.75),
        construction(
            "owns", "died totaled sold stolen", r"\b(?:the|my|our)\s+(?:old\s+|trusty\s+|poor\s+)?(?P<o>[\w -]{3,25}?)\s+(?:finally\s+|just\s+)?(?:died on us|died|is gone|got stolen|was stolen|got totaled|was totaled|bit the dust)\b", owned_en, Mode.end, who=Who.first, confidence=0.7),
        construction(
            "education", "class", r"(?:^|[.!,;]\s*)(?P<o>[a-z][\w-]+(?:\s[a-z][\w-]+){0,2}?),?\s+class of\s+'?\d{2,4}\b", said(), who=Who.first, dated=False),
        construction(
            "education", "went studying study", r"\b(?P<first>i)\s+went\s+to\s+(?=[\w ]*(?:university|college|law school|med school|stanford|harvard|yale|mit|oxford|cambridge|princeton|ucla|berkeley|state\b))", things_en(4, 1, frozenset({"of"})), dated=False),
        construction(
            "education", "studying study", r"\b(?P<first>i'm|i am|im)\s+(?:currently\s+)?studying\s+(?:to be(?:come)?\s+an?\s+)?(?!for\b|hard|abroad|at\b|the\b|with\b|in\b)", things_en(3, 1, frozenset({"at", "of"})), dated=False, confidence=0.75),
    ]
)  # fmt: skip
