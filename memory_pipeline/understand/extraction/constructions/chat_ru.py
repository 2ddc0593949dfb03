"""Russian constructions of chat: the value first, the verb last, the subject left out."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.demonyms import DEMONYM, demonym_ru
from memory_pipeline.understand.extraction.constructions.duties import imperative_ru
from memory_pipeline.understand.extraction.constructions.engine import Piece, Table, construction
from memory_pipeline.understand.extraction.constructions.foods import FOOD_RU, food_ru, without
from memory_pipeline.understand.extraction.constructions.illness import ILLNESS_RU, illness_ru
from memory_pipeline.understand.extraction.constructions.possessions import owned_ru
from memory_pipeline.understand.extraction.constructions.takers import (
    const,
    drug,
    formed,
    language,
    money,
    number,
    said,
    tool,
)
from memory_pipeline.understand.extraction.constructions.takers_ru import (
    infinitive_ru,
    job_ru,
    organisation,
    place_ru,
    plans_ru,
    slot_ru,
    things_ru,
)
from memory_pipeline.understand.extraction.constructions.verbs import skill_verb_ru
from memory_pipeline.understand.extraction.frames import Mode, Scene, Who
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import parses

IN, FROM = ("loct", "loc2"), ("gent",)
_START = r"(?:^|[.!,;:—–(]\s*|\b(?:и|а|но|ну|вот|что|зато|народ|короче)\s+)"
_WEATHER = (
    r"(?:[+−-]\s?\d|плюс \w+|минус \w+|жара|жарко|мороз\w*|снег\w*|дожд\w+|ливень|слякоть|холод\w*|тепло|солнечно|солнце|пасмурно|"
    r"метель|гроза|туман\w*|духота|ветер|ветрено|сыро|гололед|град|весна|лето|зима|осень|уже темно|еще темно|белые ночи)"
)
_DATE = r"(?:с\s+(?:\d{1,2}(?:-?го)?|[а-я]+)(?:\s+(?:января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|дня|недели|месяца))?)"
_VEGAN = {
    "веганка": "веган", "веганы": "веган", "веганом": "веган", "веганкой": "веган", "вегетарианка": "вегетарианец",
    "вегетарианцы": "вегетарианец", "вегетарианцем": "вегетарианец", "вегетарианкой": "вегетарианец",
    "пескетарианка": "пескетарианец",
}  # fmt: skip


def _skill_first(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A skill whose object stands before its verb ("кофе варить научился")."""
    words = sentence.low[start:stop].split()
    for value, _a, _b in skill_verb_ru(sentence, scene, start + len(" ".join(words[:-1])) + (len(words) > 1), stop):  # fmt: skip
        yield " ".join([str(value), *words[:-1]]), start, stop


def _car(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A thing by its name in quotation marks and its year."""
    yield sentence.text[start:stop].strip(), start, stop


def _tongue(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A language by its adjective ("на чувашском")."""
    found = parses(sentence.low[start:stop])[0]
    if found.tag.POS == "ADJF":
        yield found.normal_form, start, stop


CHAT_RU = Table(
    [
        construction(
            "allergy", "аллергия аллергии аллергию", r"\bна\s+(?P<o>[а-я-]+(?:\s[а-я-]+){0,2}?)\s+(?:у\s+(?P<me>меня|нас)\s+)?(?:же\s+|тоже\s+|очень\s+|[а-я]+(?:ая|ейшая)\s+)*аллерги[яю](?!\s+(?:нет|прошла|не\b))", slot_ru("accs", words=3), owned=True, dated=False, confidence=0.75),
        construction(
            "medical_condition", "у", rf"(?:^|[,.!;]\s*|\b(?:и|а|что|но)\s+)у\s+(?:моего\s+|моей\s+|нашего\s+|нашей\s+)?(?P<dat>(?!меня\b|нас\b|вас\b|тебя\b)[а-я]+)\s+(?:еще\s+|тоже\s+|давно\s+|сильн\w+\s+|с\s+детства\s+)*(?={ILLNESS_RU})", illness_ru(strict=True), owned=True, dated=False, confidence=0.75),
        construction(
            "diet", "не", rf"(?:^|[.!,;]\s*|\b(?:и|а|я)\s+)(?P<o>{FOOD_RU}(?:(?:\s+и\s+|,\s+|\s+да\s+){FOOD_RU})+)\s+(?:я\s+|мы\s+|вообще\s+|совсем\s+)*(?P<first>не\s+(?:ем|едим|употребляю|пью|ем-то))\b", without(food_ru("accs", "gent")), dated=False, negatable=False),
        construction(
            "legal_constraint", "запретил запретила запретили запрещает", r"\b(?:суд|судья|прокурор|следователь|пристав\w*|ведомств\w+|контракт|договор|полици[яи])\s+(?:мне\s+|нам\s+|официально\s+)*запре(?:тил[аи]?|щает)\s+(?:мне\s+|нам\s+)?(?P<o>[а-я]+(?:ть|ти|чь|ться)\b[^.!?;,]{0,60}?)(?=\s+до\s|[,.!;]|$)", formed(said(), "запрет: {}"), who=Who.first, dated=True, confidence=0.86),
        construction(
            "goal", "хочу хотим мечтаю", r"\b(?P<first>хочу|хотим)\s+(?:открыть\s+|завести\s+)?(?P<o>сво(?:ю|й|е)\s+(?:[а-я]+\s+)?(?:кофейн|пекарн|кафе|бизнес|студи|мастерск|магазин|дел|ресторан|бар\b|ферм|агентств|школ|бренд|салон|издательств)[а-я]*)", formed(said(), "открыть {}"), dated=False, confidence=0.7),
        construction(
            "owns", "у", r"(?:^|[.!;]\s*|,\s+(?:а\s+|и\s+)?)(?P<o>(?:[а-я]+\s+)?[а-я]+)\s+у\s+(?:меня|нас)(?=\s*(?:$|[,.!—–-]|под\s|в\s|за\s|на\s|с\s|есть|старая|старый|новая|новый|маленьк))", owned_ru("nomn"), who=Who.first, dated=False, confidence=0.7),
        construction(
            "legal_constraint", "мораторий запрет условный арест эмбарго обязательство", r"\bу\s+(?:меня|нас)\s+(?:[а-я]+\s+)?(?P<o>(?:мораторий|запрет|условн\w+\s+срок|домашний\s+арест|эмбарго|обязательство)(?:\s+(?:на|о|перед)\s+[а-я]+(?:\s(?!до\b)[а-я]+)?)?)", said(), who=Who.first, dated=True, confidence=0.8),
        construction(
            "legal_constraint", "вправе права", r"(?:\b(?:я|мы)\s+(?:[а-я]+\s+){0,4}?|\b(?:договор|закон|контракт|услови|соглашени)[^.!?]{0,70}?)\bне\s+(?:вправе|име(?:ю|ем)\s+права?)\s+(?:никак\s+)?(?P<o>[а-я]+(?:ть|ти|чь|ться)\b[^.!?;,]{3,60})", formed(said(), "не вправе {}"), dated=True, confidence=0.8, negatable=False),
        construction(
            "preference", "только лишь исключительно", r"(?:^|[.!;]\s*)(?:мне|нам)\s*,?\s*(?:пожалуйста\s*,?\s*|в\s+[а-я]+\s+)?(?:только|лишь|исключительно)\s+(?!бы\b|что\b|не\b|лучше\b)", things_ru("accs", "nomn", words=3, limit=2), who=Who.first, dated=False, confidence=0.7),
        construction(
            "preference", "только исключительно", r"^(?:в|на|из)\s+(?:[а-я]+\s+)?[а-я]+\s+(?:я\s+|мы\s+|беру\s+|всегда\s+|садимся\s+|сажусь\s+)*(?:только|исключительно)\s+(?P<o>[а-я]+(?:\s[а-я]+){0,2}?)(?=\s*(?:[.,!;]|$))", slot_ru("nomn", "accs", words=3), who=Who.first, dated=False, confidence=0.65),
        construction(
            "diet", "без", rf"\b(?:мне|нам)\s+(?:[а-я]+\s+)?без\s+[^.!?;]{{3,40}}?(?:,|\bи)\s*(?:[а-я]+,?\s+)?(?:и\s+)?без\s+(?P<o>{FOOD_RU})", without(food_ru("gent")), who=Who.first, dated=False, negatable=False),
        construction(
            "budget_limit", "больше выше дороже", r"\b(?:больше|выше|дороже|более)\s+(?P<o>\d[\w ,.]{0,20}?|[а-я]+\s+тысяч)\s+(?:[а-я-]+\s+){0,5}?не\s+[а-я]+(?:у|ю|ем|им|ешь|ишь)\b", money, who=Who.first, dated=False, negatable=False),
        construction(
            "legal_constraint", "запрещен запрещена запрещено запрещены запретили", r"\b(?:мне|нам)\s+(?:официально\s+|законом\s+|судом\s+|по суду\s+|пока\s+)*(?:запрещен[аоы]?|запретили)\s+(?P<o>(?:выезд\w*|выезжать|покидать|приближаться|въезд\w*|въезжать|управлять|занимать|вести\s+деятельность|работать\s+у\s+конкурент\w*|заниматься|разглашать|общаться\s+с)[^,.!?;]{0,50})", formed(said(), "запрет: {}"), who=Who.first, confidence=0.85, negatable=False),
        construction(
            "requirement", "без", r"\bбез\s+(?P<o>[а-я-]+(?:\s[а-я-]+)??)\s+(?:мне\s+|нам\s+|я\s+|вообще\s+|точно\s+)*(?:не\s+(?:подойдет|подходит|вариант|годится|получится|поеду|поедем|обойтись|обойдусь)|никак(?!\s+не)|нельзя)", formed(slot_ru("gent", words=2), "нужно: {}"), who=Who.first, dated=False, negatable=False, confidence=0.7),
        construction(
            "requirement", "обязателен обязательна обязательно обязательны", r"(?:^|[.!,;]\s*)(?P<o>[а-я-]+(?:\s[а-я-]+){0,2}?)\s*(?:[-—–]\s*)?(?:обязателен|обязательна|обязательны)(?=\s*(?:[.,!;]|$|для|и\s|на\s|в\s))", formed(slot_ru("nomn", words=3), "{} обязательно"), who=Who.first, dated=False, confidence=0.7),
        construction(
            "preference", "милее ближе роднее приятнее", r"(?:^|[.!,;]\s*|\bа\s+)(?P<o>[а-я-]+(?:\s[а-я-]+)??)\s+мне\s+(?:как-то\s+|всегда\s+|куда\s+)*(?:милее|ближе|роднее|приятнее)", slot_ru("nomn", words=2), who=Who.first, dated=False, confidence=0.75),
        construction(
            "dislike", "воротит тошнит мутит трясет колбасит", r"\bот\s+(?P<o>[а-я-]+(?:\s[а-я-]+)??)\s+(?:меня\s+|просто\s+|уже\s+)*(?:воротит|тошнит|мутит|трясет|колбасит|передергивает)", slot_ru("gent", words=2), who=Who.first, dated=False),
        construction(
            "diet", "без", rf"\b(?:я|мы)\s+(?:теперь\s+|уже\s+|давно\s+|полностью\s+)*без\s+(?P<o>{FOOD_RU}(?:\s+и\s+{FOOD_RU})?)(?=\s*(?:[.,!)]|$|уже\b|с\b))", without(food_ru("gent")), Mode.change, Who.first),
        construction(
            "language", "свободный разговорный беглый базовый родной технический уверенный", r"\b(?:свободный|разговорный|беглый|базовый|родной|технический|уверенный)\s+(?P<o>[а-я]+[сц]кий)\b(?!\s+(?:язык\s+)?(?:для|нужен|не\s+знаю))", language, who=Who.first, dated=False),
        construction(
            "owns", "взял взяла взяли", r"\bвзял[аи]?\s+(?:в ипотеку|в кредит|в рассрочку|с рук|себе)\s+", owned_ru("accs"), Mode.change, Who.first),
        construction(
            "employer", "понедельника вторника среды четверга пятницы завтрашнего января февраля марта апреля мая июня июля августа сентября октября ноября декабря", rf"{_DATE}\s+(?:я\s+|уже\s+|официально\s+)*в\s+(?=[«\"])", organisation(*IN), Mode.change, Who.first),
        construction(
            "tool", "бэкенд фронтенд фронт бэк сайт сервер проект бот приложение инфраструктура документация задачи", r"\b(?:бэк(?:енд)?|фронт(?:енд)?|сайт|сервер|проект|бот|приложение|инфраструктура|документация|задачи)\s+у\s+(?:нас|меня)\s+(?:теперь\s+|весь\s+|вся\s+|все\s+)?(?:на|в)\s+", tool, who=Who.first, dated=False, confidence=0.75),
        construction(
            "language", "на по", r"\b(?:общаемся|общаюсь|говорим|говорю|разговариваем|разговариваю|болтаем|переписываемся|думаю)\s+(?:дома\s+|только\s+|в основном\s+|с\s+[а-я]+\s+)*(?:на\s+(?P<o>[а-я]+[сц]ком)\b|по-[а-я]+[сц]ки\b)", _tongue, who=Who.first, dated=False),
        construction(
            "goal", "цель", r"(?:^|[.!;]\s*|\bа\s+)(?:цель|главная цель)(?:\s+(?:у меня|жизни|детства|года|на\s+(?:этот\s+)?(?:год|лето|сезон)|\d{4}))*(?:\s+одна)?\s*[-—–:]\s*", infinitive_ru, who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "location", "в во", rf"^(?:[а-я]+,\s+|у нас\s+|тут\s+|сегодня\s+|ух,?\s+)?(?:в|во)\s+(?P<o>[а-я-]+(?:\s[а-я-]+)??)\s+(?:сегодня\s+|сейчас\s+|опять\s+|уже\s+|у нас\s+|такая\s+|такой\s+)*{_WEATHER}[^.!?]*\b(?P<first>я|мы|нас|нам|меня|мне|сижу|сидим|лежу|гуляю|гуляем|иду|идем|еду|работаю|мерзну|жарюсь|потею|пишу|стою|бегу|греюсь|наш[аеи]?|мо[йяеи])\b", place_ru(*IN, geo=True), who=Who.first, dated=False, confidence=0.65),
        construction(
            "location", "я мы теперь официально отныне", rf"(?:{_START}{_DATE},?\s+(?:я|мы)\s+(?:официально\s+|уже\s+|теперь\s+|снова\s+)*|{_START}(?:я\s+|мы\s+)?(?:теперь|официально|отныне|уже|снова|наконец-то)\s+(?:я\s+|официально\s+|уже\s+|настоящ\w+\s+)*)(?P<o>{DEMONYM})(?![\w-])", demonym_ru, Mode.change, Who.first, confidence=0.7),
        construction(
            "location", "из", rf"{_START}из\s+(?P<o>[а-я-]+(?:\s[а-я-]+)?)\s+(?:я\s+|мы\s+)?(?:ни ногой|никуда)(?!\s+не\s+(?:уехал|выезжал))", place_ru(*FROM, geo=True), who=Who.first, dated=False, confidence=0.7),
        construction(
            "employer", "уволили выперли поперли турнули вышибли погнали выгнали сократили попросили ушли выставили", r"\b(?:из|с|со)\s+(?P<o>[«\"]?[\w-]+(?:[\s-][\w-]+){0,2}?[»\"]?)\s+(?:меня\s+|нас\s+|вчера\s+|сегодня\s+|тоже\s+)*(?:уволили|выперли|поперли|турнули|вышибли|погнали|выгнали|сократили|попросили|выставили|уволил(?:ся|ась))\b", organisation(*FROM), Mode.end, confidence=0.75),
        construction(
            "job_title", "хожу хожу езжу бегаю летаю пашу плаваю мотаюсь", r"\b(?P<first>хожу|езжу|летаю|пашу|плаваю)\s+(?:сейчас\s+|теперь\s+|давно\s+|уже\s+)*(?=[а-я-]+(?:ом|ем|ой|ей|ым)\b)", job_ru("ablt", known=True), dated=False, confidence=0.75),
        construction(
            "age", "исполнится исполняется стукнет будет станет", r"\b(?P<dat>(?P<first>мне)|ей|ему)\s+(?:[^.!?,;]{0,30}?\s)?(?:исполн(?:ится|яется)|стукнет)\s+(?:уже\s+|аж\s+)?(?P<o>\d{1,3})\b", number, Mode.change),
        construction(
            "age", "я лет", r"(?:^|[.!]\s*)(?:я|меня зовут|это)\s+[а-я-]+(?:\s[а-я-]+)?,\s*(?:мне\s+)?(?P<o>\d{2})(?:\s*(?:лет|год\w?))?(?=\s*(?:,|и\s|\.|$))", number, who=Who.first, dated=False, confidence=0.75),
        construction(
            "diet", "веган веганка вегетарианец вегетарианка пескетарианец пескетарианка", rf"(?:\b(?:теперь|{_DATE}|отныне|с сегодняшнего дня)\s+(?:я\s+)?(?:просто|всего лишь|уже|снова|только)?\s*(?:я\s+)?)(?P<o>веган(?:ка)?|вегетариан(?:ец|ка)|пескетариан(?:ец|ка))\b", said(_VEGAN), Mode.change, Who.first, negatable=True),
        construction(
            "medication", "посадили перевели подсадили посадил перевел перевела посадила", r"\bна\s+(?P<o>[а-я-]+)\s+(?:меня\s+|нас\s+|его\s+|ее\s+|ей\s+|ему\s+|врач\w*\s+|сразу\s+|теперь\s+)*(?:посадил[аи]?|перевел[аи]?|подсадил[аи]?)\b", drug, Mode.change, owned=True),
        construction(
            "medication", "он она мама папа бабушка дедушка муж жена сын дочь брат сестра отец мать", r"\b(?P<third>он|она|мама|папа|бабушка|дедушка|дед|муж|жена|сын|дочь|дочка|брат|сестра|отец|мать|тетя|дядя|теща|свекровь)\s+(?:у меня\s+|у нас\s+|теперь\s+|сейчас\s+|давно\s+|уже\s+|всю жизнь\s+)*на\s+(?!пенси|уд[ао]л|диет|больничн|карантин|работ|связи|море|дач|юге|севере|смене|учеб|практик|каникул|сессии|свадьб|похорон|машине|велосипед|самокат)(?=[а-я-]+(?:е|ах|ах|и)\b)", drug, dated=False, confidence=0.75),
        construction(
            "requirement", "нельзя противопоказан противопоказана противопоказано противопоказаны", r"\b(?P<dat>ей|ему|маме|папе|бабушке|дедушке|деду|сыну|дочке|дочери|жене|мужу|брату|сестре|отцу|матери|малышу|ребенку)\s+(?:вообще\s+|категорически\s+|строго\s+|теперь\s+|пока\s+|совсем\s+)*(?:нельзя|противопоказан\w?)\s+(?=[а-я])(?![а-я]+(?:ть|ти|чь|ться)\b|так|же\b|было|бы\b|ли\b|в\b|на\b|без\b)", formed(things_ru("accs", "gent", "nomn", words=2, limit=2), "нельзя {}"), dated=False, owned=True, negatable=False, confidence=0.75),
        construction(
            "requirement", "никогда категорически ни строго", r"\b(?:никогда|категорически|ни в коем случае|ни за что|ни при каких)\b[^.!?]*\bне\s+[а-я]+(?:йте|ите|ьте)\b|\bне\s+[а-я]+(?:йте|ите|ьте)\b[^.!?]*\b(?:никогда|категорически|ни в коем случае|ни за что|ни при каких)\b", imperative_ru, who=Who.first, dated=False, negatable=False, confidence=0.75),
        construction(
            "preference", "люблю обожаю предпочитаю ценю", r"\b(?P<first>люблю|обожаю|предпочитаю)\s+я\s+(?:и\s+правда\s+|правда\s+|действительно\s+|все-таки\s+|больше всего\s+|очень\s+|только\s+|все же\s+)*(?!тебя|вас|его|ее|их|это|когда|что|как)", things_ru("accs", words=3, limit=2), dated=False, confidence=0.75),
        construction(
            "preference", "обожаю люблю предпочитаю уважаю", r"\b(?:а\s+вот|зато|но|а|и)\s+(?:вот\s+)?(?P<o>(?:[а-я-]+\s+)?[а-я-]+)\s+(?:я\s+|очень\s+|просто\s+|прям\s+|реально\s+|безумно\s+)*(?P<first>люблю|обожаю|предпочитаю|уважаю)(?=\s*(?:[,.!;)]|$|больше|всей))", slot_ru("accs", words=2), dated=False, confidence=0.75),
        construction(
            "skill", "научился научилась научились умею умеет выучился выучилась освоил", r"(?:^|[.!,;]\s*|\b(?:и|а|но|зато|я|он|она)\s+)(?P<o>(?:[а-я-]+\s+)?[а-я]+(?:ть|ти|чь|ться))\s+(?:я\s+|он\s+|она\s+|наконец\s+|уже\s+|все-таки\s+)*(?:научил(?:ся|ась|ись)|(?P<first>умею)|(?P<third>умеет)|выучил(?:ся|ась))(?!\s+не\b)", _skill_first, dated=False, confidence=0.75),
        construction(
            "plan", "планирую планируем собираюсь собираемся намерен намерена", r"\b(?P<first>планирую|планируем|собираюсь|собираемся|намерен[аы]?)\s+(?:[\w-]+\s+){0,2}?(?=[а-я]+(?:ть|ти|чь|ться)\b)(?!переехать|перебраться|уволиться)", plans_ru, dated=False, confidence=0.75),
        construction(
            "owns", "меня нас", r"\bу\s+(?:меня|нас)\s+(?:есть\s+|своя\s+|свой\s+|стоит\s+|до сих пор\s+|старая\s+|старенькая\s+)*(?P<o>[«\"][а-яa-z][^»\"]{1,20}[»\"]\s+\d{4}(?:-?го)?\s+года?(?:\s+выпуска)?)", _car, who=Who.first, dated=False),
        construction(
            "owns", "меня нас", r"\bу\s+(?:меня|нас)\s+(?:есть\s+|имеется\s+|в гараже\s+|на балконе\s+)*(?:только|лишь|одна|один|одно|своя|свой|свое|собственн\w+)\s+(?!что\b|если|когда|пол)", owned_ru("nomn"), who=Who.first, dated=False, confidence=0.75),
        construction(
            "phone", "старый прежний номер телефон", r"\b(?:мой\s+)?(?:старый|прежний)\s+(?:номер|телефон)\b[^.!?]{0,45}?\b(?:не\s+(?:работает|актуален|активен|действует|обслуживается|мой)|отключ\w+|заблокирован\w*|умер|больше не)", const(None), Mode.end, Who.first, negatable=False),
        construction(
            "email", "старая прежняя старый прежний почта ящик мейл", r"\b(?:моя\s+|мой\s+)?(?:стар(?:ая|ый)|прежн(?:яя|ий))\s+(?:почт[аы]|ящик|мейл|имейл|адрес почты)\b[^.!?]{0,45}?\b(?:не\s+(?:работает|актуальна?|активна?|действует)|отключ\w+|заблокирован\w*|взлома\w+|удал\w+|больше не)", const(None), Mode.end, Who.first, negatable=False),
    ]
)  # fmt: skip
