"""Names of illnesses, by their endings where medicine builds them, else by a list."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import english_phrase, russian_phrase
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import lemma, reading

ILLNESS_RU = (
    r"(?:[\w-]+\s+){0,2}?(?:[а-я]{3,}(?:ит|оз|ома|емия|алгия|патия|пения|плегия|филия|фобия|мания|зия|френия|кардия|термия|ургия|урия|склероз|дистрофия)\b|грыж\w+|диабет\w*|астм\w+|порок\w*\s+сердца|болезн\w+|синдром\w*|расстройств\w+|"
    r"(?:сдвг|окр|рас|вич|спид|рак)\b|опухол\w+|киста|язв\w+|мигрен\w+|подагр\w+|экзем\w+|витилиго|гепатит\w*|волчанк\w+|бессонниц\w+|апноэ|камн\w+\s+в\s+(?:почк\w+|желчн\w+)|онкологи\w+|разрыв\w*\s+связ\w+|гемофили\w+|[а-я]*вирус\w*|грипп\w*|ковид\w*|корон[аыу]\b|орви|орз|ветрянк\w+|краснух\w+|кор[ьи]\b|скарлатин\w+|коклюш\w*|простуд\w+|ангин\w+|отравлени\w+|ожог\w*|перелом\w*|вывих\w*|растяжени\w+|сотрясени\w+|инсульт\w*|инфаркт\w*|стенокарди\w+|туберкулез\w*|аневризм\w+|деменци\w+|паркинсон\w*|альцгеймер\w*|бехтерев\w*|целиаки\w+|плоскостоп\w+|эпилепси\w+|глауком\w+|псориаз\w*|нейропати\w+|депресси\w+|выгорани\w+|аденом\w+|миом\w+|рассеянн\w+\s+склероз\w*|дцп|вегетососудист\w+|всд|гэрб|хобл|иммунодефицит\w*|токсикоз\w*|анеми\w+|гепатит\w*|невроз\w*|ринит\w*|заикани\w+|катаракт\w+|близорукост\w+|дальтонизм|сколиоз|протрузи\w+|давление|"
    r"гипертиреоз|гипотиреоз|дисплази\w+|аутизм|дислекси\w+|аритмия|тремор|варикоз|геморрой|панически\w+ атак\w+|слаб\w+ (?:сердце|зрение|слух)|больн\w+ (?:сердце|спина|колен\w+|желудок|почки)|проблем\w+ с (?:сердцем|давлением|спиной|щитовидкой|почками|желудком|суставами|легкими))"
)
_SHAPE_RU = re.compile(ILLNESS_RU)
_NOT_ILLNESS = frozenset(
    [
        "кредит",
        "лимит",
        "визит",
        "аппетит",
        "дефицит",
        "транзит",
        "санузит",
        "хит",
        "профит",
        "прогноз",
        "диагноз",
        "амброзия",
        "гортензия",
        "фрезия",
        "анализ",
        "отзыв",
        "мороз",
        "паровоз",
        "навоз",
        "обоз",
        "вопрос",
        "магнит",
        "гранит",
        "алфавит",
        "микрофинансы",
        "работа",
        "ремонт",
        "проект",
        "проблема",
        "диплом",
        "экзамен",
        "сын",
        "дочь",
        "муж",
        "ошибка",
        "дома",
        "алиби",
        "талант",
        "монолит",
        "спрос",
        "аудит",
        "бандит",
        "битва",
        "мания",
        "поэзия",
        "фантазия",
        "иллюзия",
        "азия",
        "грузия",
        "сервис",
        "программа",
        "система",
        "премия",
        "химия",
        "магия",
        "компания",
        "теплоход",
        "лауреат",
        "реквизит",
        "депозит",
        "депозита",
        "антибиотик",
        "семья",
        "пробка",
        "привычка",
        "надежда",
        "мысль",
        "идея",
        "мечта",
    ]
)


def illness_ru(strict: bool) -> Take:
    """One illness; `strict` asks for the shape of an illness's name, else any noun serves."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_phrase(
            sentence.text[:stop], start, ("nomn", "accs", "ablt", "gent"), 4, frozenset({"с", "в"})
        )
        if found is None:
            return
        words = found[0].lower().replace("ё", "е").split()
        if {lemma(w) for w in words} & _NOT_ILLNESS or set(words) & _NOT_ILLNESS:
            return
        shape = _SHAPE_RU.match(sentence.low, found[1])
        named = _SHAPE_RU.fullmatch(found[0].lower().replace("ё", "е")) is not None
        if strict and not named and (shape is None or shape.end() > found[2] + 2):
            return
        head = next((r for w in words if (r := reading(w, "NOUN"))), None)
        if (head is None and not words[0].isascii()) or (
            head is not None and "anim" in head.tag and shape is None
        ):
            return
        yield found[0].lower(), found[1], found[2]

    return take


ILLNESS_EN = re.compile(
    r"(?:[\w'-]+\s+){0,3}?(?:\w{3,}(?:itis|osis|emia|aemia|algia|pathy|plegia|philia|phobia|cardia|rrhea|rrhoea|sclerosis|dystrophy|oma)|syndrome|disease|disorder|condition|deficiency|intolerance|palsy|apnea|diabetes|asthma|"
    r"epilepsy|migraines?|insomnia|vertigo|tinnitus|scoliosis|eczema|gout|pcos|ptsd|ocd|adhd|add|ibs|copd|hiv|gerd|pots|lupus|cancer|tumou?r|hernia|ulcers?|allergies|anxiety|depression|dyslexia|autism|celiac|arthritis|blood pressure|"
    r"cholesterol|heart murmur|arrhythmia|pacemaker|sciatica|reflux|sleep paralysis|bad (?:back|knees?|hip|heart)|kidney stones|cataracts?|glaucoma)(?![\w-])"
)
_NOT_ILLNESS_EN = re.compile(
    r"\b(?:tacoma|sonoma|oklahoma|roma|paloma|loma|mint|good|great|excellent|perfect|working|air|terms and|living|one|diploma|aroma|coma|new|weather|market|road|hypnosis|my|your|test|questions?|tickets?|plans?)\b"
)


def illness_en(strict: bool) -> Take:
    """One illness; `strict` asks for the shape of an illness's name."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        low = sentence.low[:stop]
        shape = ILLNESS_EN.match(low, start)
        if shape is not None:
            value = re.sub(r"^(?:an?|the|some|really|pretty|very|severe|mild|chronic|bad(?! (?:back|knee|hip|heart)))\s+", "", shape[0])  # fmt: skip
            if _NOT_ILLNESS_EN.search(value):
                return
            yield value, shape.end() - len(value), shape.end()
        elif not strict:
            found = english_phrase(sentence.text[:stop], start, max_words=4)
            if found is not None and not _NOT_ILLNESS_EN.search(found[0].lower()):
                yield found

    return take
