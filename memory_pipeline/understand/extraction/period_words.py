"""Words that tell of a state how long it holds: what begins it, ends it, or says that it is old."""

import re

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

BOUND = re.compile(
    r"\b(?:с|со|от|до|по|уже|вот|лет|год\w*|полгода|полтора|месяц\w*|недел\w+|since|from|until|till|through|"
    r"for|years?|months?|weeks?|starting|as of|effective)\b"
)
FILLERS = frozenset(
    words(
        "где то примерно уже вот еще ещё аж и а это как так теперь снова официально только ровно аккурат "
        "then like so maybe about around roughly just only as of and officially now again already at in on "
        "the it that this since s was is"
    )
)
# a clause that begins so begins what another clause states
STARTS = re.compile(
    r"\W*(?:(?:и|а|я|мы|он|она|они|уже|официально|and|but|i|we|he|she|they|will|'ll|officially|only)\s+|i'll\s+)*(?:\S+\s+)??"
    r"(?:выхо[дж]\w+|приступ\w+|начина\w+|начн\w+|начал\w*|старт\w+|заступ\w+|вступ\w+|оформл\w+|"
    r"start(?:ing|ed)?|begin(?:ning)?|began|effective|joining|onboard\w*)\b"
)
FOUND_OUT = re.compile(
    r"\b(?:выясн\w+|узнал\w*|обнаруж\w+|выявил\w*|диагност\w+|сказал врач|врач сказал|анализ\w* показал\w*|"
    r"found out|discovered|learned|learnt|diagnosed|tested|turned out)\b"
)
MOVING = re.compile(
    r"\b(?:mov(?:e|ed|ing)|relocat\w+|переезжа\w+|перее[хд]\w+|съезжа\w+|заезжа\w+)\b"
)
# "вернусь 25-го": the day ends a stay told before it
RETURNS = re.compile(
    r"\b(?:верн(?:усь|емся|ется|утся)|возвраща\w+|обратно|домой|уезжа(?:ю|ем|ет)|уеду|уедем|улета(?:ю|ем|ет)|улечу|отпуст(?:ят|ит)|выпиш(?:ут|ет)|"
    r"back|return\w*|home|leaving|leave|fly(?:ing)? out|head(?:ing)? out)\b"
)
# "I'm here until Friday", told after the place
THERE = re.compile(
    r"\W*(?:(?:я|мы|и|а|но|буду|будем|пробуду|останусь|останемся|and|but|i'm|we're|i'll be|we'll be|i|we|am|staying|stay|"
    r"only|just|только|пока)\s+)*(?:тут|здесь|там|here|there|staying|пробуду|останусь)\b"
)
LAST_DAY = re.compile(
    r"\bпоследн\w+ (?:рабоч\w+ )?(?:день|дня|смена)\b|\blast (?:working )?(?:day|shift)\b"
)
FIRST_DAY = re.compile(
    r"\bперв\w+ (?:рабоч\w+ )?(?:день|смена)\b|\b(?:выход|старт)\b|\bfirst (?:working )?(?:day|shift)\b|\bstart date\b"
)
# what goes on, in a clause of its own: "врач велел пить до мая"
CONTINUES = {
    "medication": re.compile(
        r"\b(?:пить|принимать|пропить|пью|курс\w*|on it|take it|taking|keep (?:on|taking)|course)\b"
    ),
    "diet": re.compile(r"\b(?:диет\w+|держ\w+|keep|diet|on it)\b"),
}
# what a clause of its own may tell of how a state began
APART = {"allergy": FOUND_OUT, "medical_condition": FOUND_OUT, "address": MOVING}
# the verbs that begin a state of a predicate whose rules tell states
BEGINS = {
    name: re.compile(pattern)
    for name, pattern in {
        "age": r"\b(?:исполн\w+|стукн\w+|turn(?:ed|s|ing)?)\b",
        "medical_condition": r"\b(?:диагност\w+|выяви\w+|обнаруж\w+|постави\w+|нашли|заболел\w*|появи\w+|развил\w+|diagnosed|developed|found|came down)\b",
        "allergy": r"\b(?:диагност\w+|выяви\w+|обнаруж\w+|появи\w+|diagnosed|developed|found)\b",
        "medication": r"\b(?:начал\w*|начну|начина\w+|прописал\w*|назначил\w*|выписал\w*|перев[её]л\w*|started|starting|start|prescribed|put me on|switched)\b",
        "diet": r"\b(?:стал\w*|перешел|перешла|started|went|became)\b",
        "pet": r"\b(?:завел\w*|взял\w*|подобрал\w*|adopted|got)\b",
        "owns": r"\b(?:купил\w*|приобрел\w*|взял\w*|bought|got|purchased)\b",
        "tool": r"\b(?:перешл\w+|перешел|внедрил\w*|начал\w*|switched|moved|started|adopted)\b",
        "language": r"\b(?:начал\w*|начну|started)\b",
        "marital_status": r"\b(?:жени\w+|вышла|развел\w*|разошл\w+|расписал\w*|обручил\w*|married|divorced|engaged|split)\b",
        "education": r"\b(?:окончил\w*|закончил\w*|выпустил\w*|graduated|finished|completed)\b",
        "job_title": r"\b(?:стал\w*|стану|повысил\w*|назначил\w*|promoted|became|made)\b",
        "phone": r"\b(?:сменил\w*|поменял\w*|changed)\b",
    }.items()
}
PERFECT = re.compile(r"(?:\b(?:i|we|you|they|he|she) ?(?:'ve|'s)|\b(?:have|has)) ")
LONG_AGO = Gated(
    r"\b(?:давно|давным-давно|с детства|с (?:самого )?рождения|всю (?:свою )?жизнь|с юности|с молодости|со школы|с института|"
    r"с универа|с университета|с армии|с декрета|с ковида|с пандемии|с тех пор|с (?:\d+|[а-я]+) лет|"
    r"со студенчества|с малых лет|сколько себя помню|(?:уже )?(?:много|несколько) лет|годами)\b(?! не\b)"
    r"|\bfor (?:ages|years|decades|a long time|so long|(?:many|several) years|as long as i can remember)\b"
    r"|\bsince (?:childhood|birth|forever|college|university|high school|school|uni|covid|the pandemic|the divorce|"
    r"(?:i|we|he|she|they) (?!am|are|is)\w+|"
    r"the age of \w+|age \w+|my (?:teens|twenties|thirties|divorce|surgery|childhood))\b"
    r"|\ball my life\b|\bmy (?:whole|entire) life\b"
)
