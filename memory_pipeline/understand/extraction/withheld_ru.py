"""Russian findings that their sentence takes back: doubted, denied further on, told of fiction."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.owners_ru import owned_by_next
from memory_pipeline.understand.extraction.rules.pets import pet_kind_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses

_DOUBT = Gated(
    r"\b(?:боюсь|опасаюсь|подозрева\w+|кажется|не уверен\w*|не факт|вряд ли|думал\w*,? что|исключили|исключил|не подтвердил\w*|под вопросом|вроде(?: бы| как)?|походу|как будто|предположительно|наверно\w*)\b"
)
_SET_ELSEWHERE = Gated(
    r"\bв (?:кино|фильме|сериале|книге|книжке|мультике|мультфильме|романе|игре|анекдоте|клипе|рекламе|сказке|пьесе|опере)\b"
)
_NO_ALLERGY = Gated(
    r"\bаллерги\w+(?:\s+(?:у\s+\w+|ни\s+на\s+\w+|на\s+\w+|больше|уже|никакой|точно))*\s+(?:нет|не\s+было|прошл\w+|не\s+обнаруж\w+|не\s+подтверд\w+|исчезл\w+)|\bнет\s+(?:никакой\s+)?аллерги\w+"
)
_NO_SPEECH = Gated(
    r"\bне\s+(?:говор\w+|зна\w+|владе\w+|понима\w+|учил\w*|изъясня\w+|шар\w+)|\bосваива\w+|\bтолько\s+(?:начал[аи]?\s+)?уч\w+|\b(?:туго|никак|ноль|плохо|слабо)\b"
)
_PAST_NOT = Gated(r"\b(?:еще|пока)\s+не\s+[а-я]+(?:л|ла|ли|ло|н|на|ны)\b")
_OF_OTHERS = Gated(
    r"\bу\s+(?:подруг\w+|друга|приятел\w+|сосед\w+|коллег\w+|знаком\w+|начальни\w+|одноклассни\w+|него|нее|них)\s+(?:[а-я]+\s+)?$"
)
_TRANSLATE = Gated(
    r"\b(?:перевед\w+|фраз\w+|предложени\w+|напиши\w*|цитат\w+|слоган\w*|надпис\w+|песн\w+|стих\w*)\b"
)
FLEETING = re.compile(
    r"причин|ситуаци|вопрос|детал|проблем|происход|чувств|бюджет|средств|деньг|слов|бумаг|последстви|задани"
)
"""What one is busy with and not versed in."""
_ON_THE_WAY = Gated(
    r"\b(?:аэропорт\w*|вокзал\w*|пробк[еиа]\w*|пересадк\w+|рейс\w*|в поезде|в автобусе|в такси|в очереди|проездом|транзитом|на остановке|мимо)\b"
)
_LIKE = Gated(
    r"\b(?:я|мы|он|она|они|сижу|живу|живем|прямо?|тут|там|здесь)\s+(?:[а-я]+\s+){0,2}?как\s+(?!(?:в|во|на|из|с)\b|был|раз\b|и\b|обычно|всегда|прежде|раньше)"
)
"""Somebody is like something and not that ("я тут как белка в колесе")."""
_NOT_QUITE = Gated(
    r"\b(?:почти|практически|немного|немножко|чуть-чуть|чуточку|отчасти|слегка|наполовину|типа|как будто|словно|будто|в душе|по жизни|за)\s+(?:[а-я]+\s+)?$"
)
"""Before a trade that somebody does not quite have ("почти айтишник", "я сегодня за водителя")."""
_POINTED = re.compile(
    r"(?:эт|тво|ваш|так(?:ой|ая|ое|ие|ую)\b|т(?:от|а|о|е|у|ого|ой|ех)\b|чуж|их\b|его\b|ее\b)"
)
"""What is pointed at or is somebody else's: praise, and no lasting taste."""
_GIVEN = Gated(r"\b(?:купи|взя|приобре|заказа|наш[её]?л|подари)")
_MONTH = re.compile(
    r"январь|февраль|март|апрель|май|июнь|июль|август|сентябрь|октябрь|ноябрь|декабрь|весна|лето|осень|зима"
)
_CHEERS = Gated(r"\bболе(?:ю|ем|ет|ют|л|ла|ли)\s+(?:[а-я]+\s+)?за\s")
_SOME_MEDICINE = frozenset(
    {"витамин", "витамины", "таблетка", "таблетки", "лекарство", "капли", "мазь", "укол"}
)
"""Words for medicines that name none."""
_FOR = re.compile(r"\b(?:к|ко|по|благодаря|вопреки)\s+$")
_HEALTH = frozenset({"medical_condition", "allergy", "medication"})
_DOUBTED = _HEALTH | {"location", "employer", "job_title", "marital_status", "education"}
_PEOPLE = frozenset(
    {"relative", "pet", "marital_status", "location", "job_title", "employer", "age"}
)
_COURSE = re.compile(
    r"^курс\s+(?!.*(?:кройк|шить|язык|вожден|англ|програм|дизайн|маникюр|массаж))", re.IGNORECASE
)


def withheld(found: Found, founds: Sequence[Found], sentence: Sentence) -> bool:
    """Whether the sentence itself takes a finding back."""
    low = sentence.low
    is_told = found.mode in (Mode.state, Mode.change)
    if is_told and found.predicate in _DOUBTED:
        doubt = _DOUBT.search(low[max(0, found.start - 45) : found.end + 25])
        if doubt is not None:
            return True
    if _TRANSLATE.search(low) and re.search(r"[«\"“][^»\"”]*$", low[: found.start + 1]):
        return True
    if found.predicate in _PEOPLE and _SET_ELSEWHERE.search(low[: found.start + 1]):
        return True
    if found.predicate == "medical_condition" and _CHEERS.search(low):
        return True
    if found.predicate == "allergy":
        if _MONTH.fullmatch(str(found.value).lower()):
            return True
        return is_told and _NO_ALLERGY.search(low) is not None
    if found.predicate == "language" and is_told:
        clause = sentence.clause_at(found.end - 1)
        begin = max(clause.start, found.start - 25)
        return _NO_SPEECH.search(low[begin : clause.end]) is not None
    if found.predicate in ("dislike", "preference") and _GOVERNED.search(low[: _at(found, low)]):
        return True
    if found.predicate == "diet" and is_told:
        is_illness = _NO_FOOD.match(str(found.value)) is not None
        return is_illness or _RELAPSED.search(low[found.end :]) is not None
    if found.predicate == "dislike":
        return any(f.predicate == "allergy" and f.start < found.end + 30 and found.start < f.end + 30 for f in founds)  # fmt: skip
    if found.predicate == "skill":
        return FLEETING.search(str(found.value).lower()) is not None or any(f.predicate in ("owns", "language") and f.start < found.end and found.start < f.end for f in founds)  # fmt: skip
    if found.predicate == "requirement":
        return _PAST_NOT.search(low) is not None
    if found.predicate == "education" and _INTERVIEW.search(
        low[max(0, found.start - 40) : found.end]
    ):
        return True
    if found.predicate == "education":
        return _COURSE.match(str(found.value)) is not None and any(f.predicate == "medication" for f in founds)  # fmt: skip
    if found.predicate in ("location", "job_title") and _LIKE.search(low[: found.end + 1]):
        return True
    if found.predicate == "job_title" and found.mode is not Mode.end:
        return _is_no_trade(found, low)
    if found.predicate == "owns":
        if _RENTED.search(low, found.start):
            return True
        if low.startswith(_OWNERS, found.start) and _NEXT_VERB.match(low, found.end):
            return True
        return _bought_for_another(found, sentence)
    is_stay = found.predicate == "location" and found.mode is not Mode.end
    if is_stay and _FOR_HOURS.search(low) and not _MOVED.search(low[found.start : found.end]):
        return True
    if is_told and found.predicate == "employer" and _UNDECIDED.search(low):
        return True
    if found.predicate == "location" and low.startswith(("прописан", "зарегистрир"), found.start):
        return any(f.predicate == "location" and f.mode is Mode.state and f.value != found.value for f in founds)  # fmt: skip
    if found.predicate == "location" and found.mode is Mode.state and _ON_THE_WAY.search(low):
        return True
    if found.predicate == "location" and found.mode is not Mode.change and _done_there(found, low):
        return True
    if found.predicate == "location" and found.mode is Mode.stay:
        return any(
            f.predicate == "location"
            and f.mode in (Mode.state, Mode.change)
            and f.value == found.value
            for f in founds
        )
    if found.predicate == "tool" and found.who is not Who.third:
        clause = sentence.clause_at(found.start)
        acts = _ACTS_ITSELF.match(low, clause.start) if found.mode is Mode.end else None
        if acts is not None and tool_name(acts["who"]) == found.value:
            return True
        return _AT_OTHERS.search(low, clause.start, found.end) is not None
    if found.predicate == "relative":
        return _OF_OTHERS.search(low[: found.start]) is not None
    if found.predicate == "marital_status":
        return _OF_OTHERS.search(low[: found.start]) is not None
    if found.predicate == "medication":
        return str(found.value).lower() in _SOME_MEDICINE
    if found.predicate == "pet":
        return _has_keeper(sentence)
    if found.predicate == "preference":
        if _POINTED.match(str(found.value).lower().replace("ё", "е")):
            return True
        return _of_an_animal(found, sentence)
    return False


_UNDECIDED = Gated(
    r"\b(?:оффер\w*|зовут|позвали|предложил\w*|предлагают|приглашают|пригласили|собеседовани\w+)\b[^.!?]*\b(?:думаю|подумаю|размышля\w+|сомнева\w+|жду|не решил\w*|не знаю|отказал\w*|откажусь|взвешива\w+)\b"
)
"""A place of work that is offered and not taken yet."""
_INTERVIEW = re.compile(r"собеседован|интервью|отбор|кастинг|медкомисси|техосмотр|обследован")
_MOVED = re.compile(r"\b(?:пере|уе[хз]|верн|возвращ)")
_FOR_HOURS = Gated(
    r"\b(?:с\s+(?:самого\s+)?утра|(?:к|до)\s+(?:обед[ау]|вечер[ау]|ужин[ау])|на\s+(?:пару\s+)?час(?:ов|ик|а)?|на\s+(?:полдня|денек))\b"
)
"""A place where one is for hours is no stay."""
_GOVERNED = re.compile(r"\b(?:из|от|для|без|про|у)\s+(?:[а-я]+(?:ой|ей|ого|его|ых|их)\s+)?$")
_FEELS_BEHIND = re.compile(r"бес(?:ит|ят)|раздража|нерв|нрав|выбеш|достал|надоел|заходит|радует")
"""What calls up a feeling stands before these verbs."""
_RELAPSED = Gated(
    r"\bно\s+(?:[а-я]+\s+){0,2}?(?:сорвал|не\s+(?:смог|выдерж|получ|удержал)|вернул|снова|опять)"
)


_NO_FOOD = re.compile(
    r"без (?:[а-я]+(?:ия|ома|оз|ит)|аллергии|непереносимости|диабета|целиакии|гастрита)$"
)
"""An illness that is told for the reason ("не ем глютен, целиакия")."""


_ACTS_ITSELF = re.compile(
    r"\s*(?P<who>[a-zа-я0-9.+#-]+)\s+(?:опять\s+|снова\s+|сам\w?\s+|вчера\s+|сегодня\s+|уже\s+)*(?:удалил|снес|закрыл|отключил|заблокировал|стер|выкинул|выпилил|бросил|забросил|похоронил)[ао]?\s+(?!подчистую|совсем|нафиг|навсегда|к черту|и\b|а\b|но\b|с\b|вчера|сегодня|я\b|окончательно|еще|уже)[a-zа-я]"
)
"""A program at the beginning that does something to something ("Telegram удалил каналы")."""
_AT_OTHERS = re.compile(r"\bу\s+(?:них|него|нее|вас|тебя)\b")


_RENTED = re.compile(
    r"\b(?:взял|взяли|взяла|сняли|снял|сняла|нашли)\s+(?:[а-я]+\s+)?на\s+(?:год|полгода|лето|зиму|сезон|месяц|неделю|пару|два|две|три|[а-я]+\s+(?:месяц|недел|дн))|\bв\s+аренду\b|\bпосуточно\b"
)
"""A home or a thing that one has for a time."""


def _at(found: Found, low: str) -> int:
    """Where the value stands that is before its verb, else 0."""
    stem = str(found.value).lower().replace("ё", "е")[:4]
    at = low.find(stem, found.start, found.end)
    return at if at >= 0 and _FEELS_BEHIND.search(low, at) is not None else 0


def _is_no_trade(found: Found, low: str) -> bool:
    """Whether a trade is somebody's only in part or in play."""
    value = str(found.value).lower().replace("ё", "е")
    if value.startswith(("дома ", "тут ", "там ")):
        return True
    at = low.find(value.split()[0][:4], found.start, found.end)
    return at >= 0 and _NOT_QUITE.search(low[:at]) is not None


def _bought_for_another(found: Found, sentence: Sentence) -> bool:
    """Whether a thing is got for somebody else ("купил сыну ноутбук")."""
    low = sentence.low
    clause = sentence.clause_at(found.start)
    if found.mode is Mode.end or not _GIVEN.search(low[clause.start : clause.end]):
        return False
    return any(
        clause.start <= start < clause.end
        and any(p.tag.case == "datv" and "anim" in p.tag and p.is_known for p in parses(word)[:1])
        and _FOR.search(low[:start]) is None
        for word, start, _ in sentence.tokens
    )


_OWNERS = ("хозя", "владел", "обладател")
_NEXT_VERB = re.compile(r"\s+(?:[а-я]+\s+)?[а-я]+(?:л|ла|ли|ет|ит|ют|ят|ется|ится|лся|лась)\b")
"""What the owner of something does, who is not the speaker then ("хозяйка квартиры уехала")."""
_NEXT = re.compile(r"\s+(?:[а-я]+\s+)?([а-я]+(?:л|ла|ли|лся|лась|лись))\b")
_STAYED = re.compile(
    r"жил|остал|осел|поселил|родил|застря|завис|пустил|обосновал|работал|был|закрепил|прижил"
)
_PLAIN = re.compile(r"\b(?:я|мы|он|она|они)\s+(?:[а-я]+\s+)?(?:в|во|на)\s")


def _done_there(found: Found, low: str) -> bool:
    """Whether something else than staying is done at what was taken for a place ("мы в Озоне заказали
    кресло")."""
    if _PLAIN.search(low[max(0, found.start - 1) : found.end]) is None:
        return False
    behind = _NEXT.match(low, found.end)
    return (
        behind is not None
        and parses(behind[1])[0].tag.POS == "VERB"
        and _STAYED.search(behind[1]) is None
    )


def _has_keeper(sentence: Sentence) -> bool:
    """Whether an animal is named with the person whose it is ("кошку Марины зовут Муся")."""
    tokens = sentence.tokens
    return any(
        pet_kind_ru(word) is not None and owned_by_next(tokens, n, sentence.text)
        for n, (word, _, _) in enumerate(tokens)
    )


def _of_an_animal(found: Found, sentence: Sentence) -> bool:
    """Whether an animal stands as the subject before the verb ("мой пёс Дик любит снег")."""
    at = found.start if found.verb is None else found.verb
    clause = sentence.clause_at(at)
    before = [w for w, a, b in sentence.tokens if clause.start <= a and b <= at][-4:]
    return any(
        pet_kind_ru(w) is not None and any(p.tag.case == "nomn" and p.tag.POS == "NOUN" for p in parses(w)[:2])
        for w in before
    ) and not re.search(r"(?:лю|ем)\s*$|\b(?:я|мы)\b", sentence.low[clause.start : at])  # fmt: skip
