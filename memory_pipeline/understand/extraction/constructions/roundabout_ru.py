"""What Russian chat tells in passing: by what goes with it and not by its own word ("сдал пропуск",
"забрали свидетельство о разводе", "на пыльцу сопли до колен")."""

from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.constructions.demonyms import (
    DEMONYM,
    demonym_ru,
    home_by_adjective,
)
from memory_pipeline.understand.extraction.constructions.engine import Piece, Table, construction
from memory_pipeline.understand.extraction.constructions.illness import ILLNESS_RU, illness_ru
from memory_pipeline.understand.extraction.constructions.takers import const, money
from memory_pipeline.understand.extraction.constructions.takers_ru import (
    job_ru,
    organisation,
    place_ru,
    slot_ru,
)
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.people import name_nominative
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_IN = ("loct", "loc2")
_START = r"(?:^|[.!,;:—–(]\s*|\b(?:и|а|но|ну|вот|что|короче)\s+)"
_END = r"(?=\s*(?:$|[.,!;)(]))"
_SINCE = r"\bс\s+(?:\d{1,2}(?:-?го)?|понедельника|вторника|среды|четверга|пятницы|субботы|воскресенья|завтрашнего|следующ\w+|нового|январ\w+|феврал\w+|март\w+|апрел\w+|ма[яй]|июн\w+|июл\w+|август\w+|сентябр\w+|октябр\w+|ноябр\w+|декабр\w+)\b"


def _by_adjective(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The town of one who is called by its adjective ("сургутский")."""
    home = home_by_adjective(sentence.low[start:stop])
    if home is not None:
        yield home, start, stop


ROUNDABOUT_RU = Table(
    [
        construction(
            "employer", "пропуск обходной", r"\b(?:сдал[аи]?|сдаю)\s+(?:[а-я]+\s+)?пропуск(?!\s+(?:гост|на\s))|\bподписал[аи]?\s+обходной", const(None), Mode.end, Who.first),
        construction(
            "employer", "ногой", r"\bв\s+(?P<o>[«\"]?[\w-]+[»\"]?)\s+(?:я\s+)?больше\s+ни\s+ногой", organisation("accs"), Mode.end, Who.first),
        construction(
            "employer", "числится числюсь", rf"\b(?:в|на)\s+(?P<o>[«\"][^»\"]+[»\"]|[\w-]+)\s+(?:{_SINCE}[^,.!?]{{0,20}}?\s+)?(?:я\s+|он\s+|она\s+|уже\s+|больше\s+)*не\s+числ(?:ится|юсь)", organisation(*_IN), Mode.end, negatable=False),
        construction(
            "job_title", "буду", rf"{_SINCE}[^.!?]{{0,60}}?\bбуду\s+(?!ли\b|не\b)", job_ru("ablt", known=True), Mode.change, Who.first),
        construction(
            "marital_status", "развод разводе", r"\b(?:забрал[аи]?|получил[аи]?|выдали|пришло|на руках)\s+(?:[а-я]+\s+){0,2}?(?:свидетельство|бумаг\w+|штамп)\s+о\s+разводе|\bразвод\s+(?:официально\s+)?(?:оформлен|оформили|состоялся)", const("в разводе"), Mode.change, Who.first),
        construction(
            "budget_limit", "влезло влезть влезли уложиться уложились вписаться вписались хватило", r"\b(?:чтоб|чтобы|надо|нужно|хочу|хотим|должн\w+|и)\s+(?:[а-я]+\s+){0,3}?в\s+(?P<o>\d[\w ,.]{0,22}?|[а-я]+(?:\s[а-я]+)?\s+(?:тысяч\w*|тыщ\w*|миллион\w*))\s+(?:влез\w+|улож\w+|впис\w+|хватил\w+)", money, who=Who.first, dated=False, negatable=False),
        construction(
            "budget_limit", "копейки рубля копейкой", r"\b(?P<o>\d[\d\s,.]*\s*[\w₽$€]*)[^.!?\d]{0,30}?\b(?:сверху|сверх|больше|выше)\s+(?:этого\s+)?ни\s+(?:копейк|рубл)", money, who=Who.first, dated=False, negatable=False),
        construction(
            "location", "я", rf"(?:^|[.!,;]\s*)я\s+(?:же\s+|сам\w?\s+)?(?P<o>{DEMONYM}){_END}", demonym_ru, who=Who.first, dated=False, confidence=0.68),
        construction(
            "location", "пока теперь снова официально уже", rf"{_START}(?:(?:я|мы)\s+)?(?:пока|теперь|снова|официально|уже)\s+(?:(?:я|мы|еще|что)\s+)*(?P<o>[а-я]{{3,}}[сц]к(?:ий|ая|ие))(?=\s*(?:$|[.,!;)]))", _by_adjective, who=Who.first, dated=False, confidence=0.65),
        construction(
            "location", "жить пмж концами насовсем навсегда", r"\b(?:в|во|на)\s+(?P<o>[а-я]+(?:[\s-][а-я]+)?)\s+(?:уже\s+|теперь\s+)?(?:жить|на\s+пмж|с\s+концами|насовсем|навсегда)(?!\s+(?:не|нельзя|можно|хоч))", place_ru("accs", geo=True), Mode.change, confidence=0.7),
        construction(
            "location", "сейчас щас ща пока временно", rf"{_START}(?:я\s+|мы\s+)?(?:сейчас|щас|ща|пока|временно)\s+(?:я\s+|мы\s+|тут\s+|еще\s+)*(?:у|с)\s+[а-я]+(?:\s[а-я]+)?\s+(?:в|во|на)\s+", place_ru(*_IN, geo=True), who=Who.first, dated=False, confidence=0.7),
        construction(
            "location", "выдвигаюсь выдвигаемся еду едем возвращаюсь возвращаемся лечу летим отчаливаю отбываю отправляюсь приземлился приземлилась приземлились прилетел прилетела прилетели", r"\b(?P<first>выдвига\w+|еду|едем|возвраща(?:юсь|емся)|лечу|летим|отчалива(?:ю|ем)|отбыва(?:ю|ем)|отправля(?:юсь|емся)|приземлил(?:ся|ась|ись)|прилетел[аи]?|добрал(?:ся|ась|ись))\s+(?:[а-я]+\s+)?(?:к\s+себе|домой|обратно|насовсем|с\s+концами|жить)\s+(?:домой\s+)?(?:в|во|на)\s+", place_ru("accs", geo=True), Mode.change),
        construction(
            "location", "теперь ныне", rf"(?:^|[\s,])(?:в|во)\s+(?P<o>[а-я]+(?:-[а-я]+)*)\s+(?:теперь|ныне){_END}", place_ru(*_IN, geo=True), Mode.change, confidence=0.66),
        construction(
            "location", "отчалил отчалила отчалили умотал умотала усвистал усвистала укатил укатила укатили упорхнула упорхнул смылся смылась", r"\b(?:отчалил[аи]?|умотал[аи]?|усвистал[аи]?|укатил[аи]?|упорхнул[аи]?|смыл(?:ся|ась|ись))\s+(?:[а-я]+\s+)?(?:в|во|на)\s+", place_ru("accs", geo=True), Mode.change, confidence=0.7),
        construction(
            "medical_condition", "мой моя мое моего моей", rf"\bмо(?:й|я|е|его|ей)\s+(?:[а-я]+(?:ый|ая|ий|ое)\s+)?(?={ILLNESS_RU})", illness_ru(strict=True), who=Who.first, dated=False, confidence=0.7),
        construction(
            "medical_condition", "мой моя мое", rf"(?<![\w-])(?P<o>{ILLNESS_RU})\s+мо(?:й|я|е)\b", illness_ru(strict=True), who=Who.first, dated=False, confidence=0.7),
        construction(
            "medication", "дышу пшикаю пшикаюсь брызгаю брызгаюсь ингалирую рассасываю", r"\b(?P<first>дышу|пшикаю(?:сь)?|брызгаю(?:сь)?|ингалирую|рассасываю)\s+(?P<o>[а-я]{5,}(?:ом|ем|ой))(?=\s+(?:\d|дважды|трижды|раз|по\s|утром|вечером|на\s+ночь|каждый|перед|после))", slot_ru("ablt", words=1), Mode.change),
    ]
)  # fmt: skip

_INTRODUCED = Gated(
    r"(?:^|[\s:(])(?P<name>[А-ЯЁ][а-яё]{2,}),\s+(?:(?P<ours>наш[аи]?|нов(?:ый|ая)|главн(?:ый|ая)|старш(?:ий|ая))\s+)(?P<job>[а-яё-]+)(?=\s*(?:$|[.,!;)]))"
    r"|(?:^|[\s:(])(?P<name2>[А-ЯЁ][а-яё]{2,}),\s+(?P<job2>[а-яё-]+)\s+(?:наш[аи]?|мой|моя)(?=\s*(?:$|[.,!;)]))"
)


def introduced(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """A colleague by name and trade, set beside each other ("Аглая, дизайнер наш, …")."""
    for found in _INTRODUCED.finditer(sentence.text):
        name, trade = ("name", "job") if found["name"] else ("name2", "job2")
        person = name_nominative(found[name])
        if person is None:
            continue
        for value, start, stop in job_ru("nomn", known=True)(
            sentence, scene, found.start(trade), found.end(trade)
        ):
            if stop <= found.end(trade):
                subject = SubjectRef(name=person, is_speaker=False)
                yield Found("job_title", value, start, stop, Mode.state, Who.third, subject, verb=start, confidence=0.7, dated=False)  # fmt: skip
