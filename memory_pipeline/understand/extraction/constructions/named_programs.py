"""What is said around a known program's name: used, taken up, given up, in whatever words.

The name is the anchor, so that neither the verb nor its form has to be known: a verb of the first
person and "in X", "X at our place", "goodbye, X". Words that name other things too count only behind
a preposition of use.
"""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.lexicon import known_tools
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_BETWEEN_RU = r"(?:(?:наш\w*|мо[йяеию]\w?|свой|свою|эт\w+|стар\w+|нов\w+|любим\w+|родн\w+|весь|всю|нафиг|к черту|вчера|сегодня|уже|наконец|этот|проклят\w+)\s+){0,2}"
_DROPS_RU = (
    r"снес\w{0,2}|сношу|сносим|выпил\w+|выкинул\w*|выкидыва\w+|выкинем|вырезал\w*|потушил\w*|погасил\w*|выброс\w+|удалил\w*|удаляю|удаляем|стер(?:ла|ли)?"
    r"|закопал\w*|похоронил\w*|забросил\w*|бросил\w*|бросаю|бросаем|прибил\w*|вычеркнул\w*|разлюбил\w*|отменил\w*|списал\w*|отключил[аи]? подписк\w+ на"
    r"|(?:отпис\w+|отказ\w+|отказыва\w+|избав\w+|уш(?:ел|ла|ли)|уход\w+|ухожу|сбежал\w*)\s+от|(?:уш(?:ел|ла|ли)|уход\w+|ухожу|уедем|съехал\w*|съезжа\w+|слез\w{0,3}|слезаю|соскочил\w*|спрыгнул\w*|свалил\w*|сбежал\w*|перешел|перешла|перешли|переехал\w*|пересел\w*|перебрал\w+|мигрировал\w*)\s+с"
    r"|(?:завязал\w*|завязыва\w+|покончил\w*|покончен\w*|попрощал\w+|простил\w+сь|расстал\w+|расстаюсь|распрощал\w+)\s+со?|забил\w*\s+на|прощай|пока-пока|долой"
    r"|больше не (?:использу\w+|пользу\w+|плачу за|юза\w+|сижу в|открываю|продлева\w+)"
)
_DROPPED_LEFT_RU = Gated(rf"\b(?P<verb>{_DROPS_RU}),?\s+{_BETWEEN_RU}$")
_DROPPED_RIGHT_RU = Gated(
    r"^\s*[,—–-]?\s*(?:(?:мы|я|вчера|сегодня|уже|наконец|наконец-то|в итоге|все|таки|все-таки|совсем|давно|окончательно|подчистую|полностью)\s+){0,3}"
    r"(?P<verb>снес\w{0,2}|сносим|выпил\w+|выкинул\w*|выкидыва\w+|потушил\w*|погасил\w*|удалил\w*|удаляю|закопал\w*|похоронил\w*|забросил\w*|бросил\w*|выброс\w+|вырезал\w*"
    r"|больше не (?:использу\w+|пользу\w+|открываю|нужен|нужна|юза\w+)|(?:все|теперь) в прошлом|в прошлом|был[аои]? в прошл\w+|на (?:помойк|свалк)\w+|в (?:топк|мусор)\w+|до свидания|отправил(?:ся|ась) на пенсию)"
    r"(?=\s*(?:$|[,.;:!?)(…—–]|\s(?:подчистую|совсем|нафиг|навсегда|к черту|и|а|но|с|еще|сегодня|вчера|с концами|окончательно)\b))"
)
_TAKES_RU = (
    r"(?:перешел|перешла|перешли|переходим|перехожу|переехал\w*|переезжа\w+|пересел\w*|пересаж\w+|пересажива\w+|переполз\w*|перекатил\w+|перебрал\w+|переключил\w+|мигрир\w+|заехал\w*|вкатил\w+|вкатыва\w+|подсел\w*|подсадил\w*|присел\w*|обратно|вернул(?:ся|ась|ись)|возвраща\w+|заменил\w*(?:\s+\S+){1,2}|променял\w*(?:\s+\S+){1,2}|сменил\w*(?:\s+\S+){1,2}|поменял\w*(?:\s+\S+){1,2}|перевел\w*(?:\s+\S+){0,3}|переводят(?:\s+\S+){0,2}|перевез\w*(?:\s+\S+){0,3}|перетащил\w*(?:\s+\S+){0,3}|перенес\w*(?:\s+\S+){0,3}|переписал\w*(?:\s+\S+){0,3}|переписываем(?:\s+\S+){0,3})"
    r"\s+(?:(?:на|в|к|под)\s+)"
    r"|(?:поставил[аи]?|установил[аи]?|накатил[аи]?|внедрил[аи]?|завел[аи]?|завели|прикрутил[аи]?|развернул[аи]?|подключил[аи]?|подняли|скачал[аи]?|затащил[аи]?|притащил[аи]?|освоил[аи]?|осваиваю|осваиваем|распробовал[аи]?)\s+(?:(?:себе|нам|туда|вчера|сегодня|наконец|уже)\s+){0,2}"
    r"|(?:отныне|теперь|с сегодняшнего дня|с этой недели|с понедельника|с завтрашнего дня)\s+(?:(?:у (?:нас|меня)|все|всё|я|мы|там|тут|уже|только|исключительно|[а-я]{3,}(?:ю|у|ем|им))\s+){0,3}(?:(?:на|в|через)\s+)?"
)
_TAKEN_LEFT_RU = Gated(rf"(?:^|(?<=[\s,;:(]))(?P<verb>{_TAKES_RU}){_BETWEEN_RU}$")
_USED_LEFT_RU = Gated(
    r"(?:^|(?<=[\s,;:(—–-]))(?P<verb>(?!шарю|шарим|разбираюсь|соображаю|понимаю|умею|секу|хочу|хотим|могу|можем|думаю|думаем|буду|будем|учу|учим|ищу|ищем|жду|ждем|люблю|любим|смотрю|смотрим|помню|читаю|читаем|слышу|вижу|видим|скачаю|поставлю|куплю|возьму|перейду|попробую)"
    r"[а-я]{2,}(?:юсь|усь|емся|имся|аю|яю|ую|юю|ею|аем|яем|уем|ем|им|лю|шу|щу|чу|жу|ржу|ду|кожу|дю|ю|у))"
    r"(?:\s+(?!в\s|на\s|через\s|из\s|с\s|не\s|чтобы\s|если\s|бы\s)[\w-]+){0,3}?\s+(?P<in>в|на|через|из|с|со|под|между)\s+"
    + _BETWEEN_RU
    + "$"
)
_OURS_LEFT_RU = Gated(
    r"(?:^|(?<=[\s,;:(—–-]))(?P<verb>у (?:нас|меня)|(?:на|в)\s+(?:фронте|бэке|беке|бэкенде|бекенде|фронтенде|проде|серваке|сервере|серверах|клиенте|мобилке|работе|проекте|телефоне|ноуте|компе|конторе|команде)|стек|мой (?:[а-я]+ )?(?:инструмент|редактор|браузер|выбор|набор)|рабочий инструмент|спасаюсь|спасает|выручает|живу|мои инструменты|держится|крут[ия]тся|(?:пишу|пишем|юзаю|юзаем|гоняю|гоняем|мучаю|ковыряю|ковыряем|использую|используем|открываю))"
    r"(?:\s+(?!не\s|нет\s|был|будет)[\w-]+){0,6}?\s*(?:[—–:-]\s*)?(?P<in>\s(?:на|в|через|из|с)\s+)?"
    + _BETWEEN_RU
    + "$"
)
_OURS_RIGHT_RU = Gated(
    r"^\s*[,—–-]?\s*(?P<verb>(?:все еще\s+|до сих пор\s+|по-прежнему\s+)?(?:у (?:нас|меня)(?! (?:не|нет|был))|наш[ае]? все|мо[йяе] все|хватает|на (?:фронте|бэке|бэкенде|фронтенде|проде|сервере)|(?:остался|осталась|осталось|остается|остаются|остались)\b|крутится|не трога\w+|мой основной|моя основная))(?!\w)"
)
_DENIED_RU = re.compile(
    r"\b(?:не|нет|ни|без|вместо|кроме|против|про|о|об|знаю|слышал\w*|видел\w*|хочу|хотим|надо|нужно|пора|может|давай\w*|думаю|думаем|подумываю|попробу\w+|будущ\w+|если|бы|учу|учусь|курс\w*|вакансия|статья|вебинар|конференц\w+)\s+(?:[\w-]+\s+)?$"
)
_NOT_SAID_RU = re.compile(r"\bбы\b|\bне\s+(?:понимаю|знаю)\b|\bхотя\s+бы\b")

_BETWEEN_EN = r"(?:(?:my|our|the|good|old|trusty|plain|new|whole|entire|that|darn|damn|bloody|stupid)\s+){0,3}"
_DROPPED_LEFT_EN = Gated(
    r"(?:^|(?<=[\s,;:(]))(?P<verb>dropped|dropping|ditched|ditching|dumped|nuked|binned|deleted|uninstalled|scrapped|axed|killed(?: off)?|sunset(?:ted)?|ripped out|tore out|got rid of|canned|kicked|cancell?ed|let|no more|unsubscribed from|quit|done with|through with|goodbye|bye bye|bye|farewell|so long|rip|abandoned|gave up on|given up on|giving up|gave up|moved off(?: of)?|got off(?: of)?|weaned (?:myself|us|ourselves) off(?: of)?|stopped (?:paying for|using|opening)|quit using|no longer (?:use|using|on|pay for)|out of|said goodbye to|said bye to|broke up with|parted ways with|phased out|swapped out|turned off|shut down|pulled the plug on)\s+"
    + _BETWEEN_EN
    + "$"
)
_DROPPED_RIGHT_EN = Gated(
    r"^(?:'s|\s+(?:is|was|got|has been|had|didn't))\s+(?:(?:finally|officially|now|just|already)\s+)?(?P<verb>gone|dead|out|history|toast|binned|axed|no more|closed|archived|to go|the boot|the axe|the chop|make the cut|over|behind (?:me|us)|in the (?:rear-?view|bin|past))\b(?!\s+(?:of the box|there|to|for))"
    r"|^\s+(?P<verb2>(?:sub|subscription|licen[cs]e|plan|account)\s+(?:lapse|expire|run out|go|die))\b"
)
_TAKEN_LEFT_EN = Gated(
    r"(?:^|(?<=[\s,;:(]))(?P<verb>(?:switched|switching|moved|moving|jumped|migrated|migrating|hopped|hopping|gone|converted|came|went|going|crawled|crawling|back|graduated|upgraded|ported(?:\s+\S+){0,3}|porting(?:\s+\S+){0,3}|rewrote(?:\s+\S+){0,3}|rewriting(?:\s+\S+){0,3}|defected)\s+(?:back\s+|over\s+|across\s+|everything\s+|us\s+|all\s+in\s+){0,2}(?:to|onto|on to|into|on|in|with)|replaced (?:it|\S+) with|swapped (?:it|\S+) (?:out )?for|traded (?:it|\S+)(?: in)? for|settled on|standardi[sz]ed on|adopted|installed|rolled out|picked up|started (?:using|on|with)|(?:i|we)(?:'ve| have)? started|got (?:us|the team|everyone|me) (?:on|onto|using)|signed up for|now on|now using|now it's|these days it's|nowadays it's|from now on it's|(?:starting|as of|from|effective)\s+(?:today|now|tomorrow|monday|this \w+|next \w+)[^.;!?]{0,40}?\s(?:is|are|it's|in|on))\s+"
    + _BETWEEN_EN
    + "$"
)
_USED_LEFT_EN = Gated(
    r"(?:^|(?<=[\s,;:(]))(?P<verb>(?:i|we)(?:'m|'re|'ve)?\s+(?!(?:prefer|like|love|want|wish|hope|might|may|could|would|should|think|tried|try|saw|heard|hate|need|will|was|were|had|once|used to|never|don't|didn't|can't|won't)\b)(?:(?:still|always|mostly|mainly|just|also|now|currently|basically|only|pretty much)\s+){0,2}[a-z]+(?<!ed)(?:\s+(?!not\b|never\b|if\b|to\b)[\w'-]+){0,4}?\s+(?P<in>in|on|with|via|through|using|inside|out of)"
    r"|(?:i|we)\s+(?:(?:still|always|mostly|mainly|just|also|now|currently|basically|only)\s+){0,2}(?:use|run|rock|daily|swear by|rely on|stick with|stick to)"
    r"|(?P<third>(?:lives|works|codes|writes|draws|designs)\s+(?:inside|in|on|with))"
    r"|(?:the|my|our)\s+(?:whole\s+|entire\s+)?(?:team|studio|office|company|shop|department)(?:'s|\s+is|\s+are|\s+runs)\s+(?:now\s+|all\s+|still\s+)*(?:on|in)"
    r"|(?:my|our)\s+(?:whole\s+|entire\s+)?(?:team|stack|setup|notes|backend|frontend|pipeline|site|blog|store|shop|code|docs|tickets|calendar|inbox|office|company|infra|server|servers|day job|workflow|go-to|editor|ide|browser|main|default|kit|toolkit|studio|daily driver|brain|life|paid work|side project|team chat)\b[^.;!?]{0,40}?"
    r"|(?:^|(?<=[.;,] ))(?:back ?end|front ?end|team chat|paid work|work|infra|ci|hosting|notes|tickets|calls|chat|docs|email|invoicing|accounting|editing|design|(?:[a-z]+ )?stack)(?:'s|\s+is|\s+are|\s+runs on|\s+lives in|\s+in|\s+on|[^.;:!?]{0,14}:)(?:\s+(?:all|mostly|just|still|on|in))*)\s+"
    + _BETWEEN_EN
    + "$"
)
_OURS_RIGHT_EN = Gated(
    r"^\s+(?P<verb>(?:is|are|'s)\s+(?:still\s+)?(?:my|our)\s+(?:jam|thing|go-to|weapon|home|daily|main|default|bread)|(?:person|guy|girl|gal|user|shop|house|gang|crew)\b|for\s+(?:me|us|everything)\b|all the way|all day|stays\b|does the job for (?:me|us)|from (?:here|now|today) on\b|boards? (?:is|are) my|is my (?:whole |entire )?(?:personality|life|religion|everything))"
)
_DENIED_EN = re.compile(
    r"\b(?:not|no|never|without|instead of|about|unlike|than|wish|want|learn|learning|try|trying|if|should|could|would|might|consider|considering|course|class|tutorial|job)\s+(?:[\w'-]+\s+)?$"
)
_MINE_RU = re.compile(r"\b(?:я|мы|меня|мне|мной|нас|нам|нами|мой|моя|мое|мои|наш\w*)\b")
_LIST_RU = re.compile(r"\s*(?:,\s*(?:и\s+|а\s+|еще\s+)?|\s+и\s+|\s*\+\s*|\s*/\s*)(?:на\s+|в\s+)?")
_LIST_EN = re.compile(
    r"\s*(?:,\s*(?:and\s+|plus\s+)?|\s+and\s+|\s+plus\s+|\s*\+\s*|\s*/\s*)(?:on\s+|in\s+)?"
)
_LIST_FOR = re.compile(
    r"\s+(?:для|под|for)\s+[^,;.]{2,30}?,\s*(?:а\s+|and\s+)?$|,\s*(?:and\s+)?(?:[a-z]+\s+){1,2}(?:on|in|via|with)\s+"
)
_REACH = 70

_Said = tuple[Mode, Who, int]


def find(sentence: Sentence, _scene: Scene) -> Iterator[Found]:
    """The known programs of a sentence, with what is said of them."""
    named = known_tools(sentence.text, sentence.low, sentence.lang)
    before: tuple[int, _Said] | None = None
    for name, start, end, is_ambiguous in named:
        begin = sentence.clause_at(start).start
        if sentence.low[:begin].rstrip().endswith(":"):
            # what is listed behind a colon is told before it
            begin = sentence.clause_at(sentence.low.rindex(":", 0, begin) - 1).start
        said = _said(sentence, begin, start, end, is_ambiguous)
        if said is None and before is not None and _goes_on(sentence, before[0], start):
            said = before[1]
        if said is None:
            before = None
            continue
        mode, who, verb = said
        before = (end, said)
        yield Found(
            "tool", name, start, end, mode, who, verb=verb, confidence=0.7,
            dated=mode is not Mode.state,
        )  # fmt: skip


def _goes_on(sentence: Sentence, end: int, start: int) -> bool:
    """Whether a name follows another one of its list."""
    between = sentence.low[end:start]
    listed = (_LIST_RU if sentence.lang == "ru" else _LIST_EN).fullmatch(between)
    return listed is not None or _LIST_FOR.fullmatch(between) is not None


def _said(sentence: Sentence, begin: int, start: int, end: int, is_ambiguous: bool) -> _Said | None:
    low = sentence.low
    is_russian = sentence.lang == "ru"
    left = low[max(begin, start - _REACH) : start]
    shift = max(begin, start - _REACH)
    right = low[end : end + _REACH]
    dropped_left, dropped_right, taken, used, ours_right = (
        (_DROPPED_LEFT_RU, _DROPPED_RIGHT_RU, _TAKEN_LEFT_RU, _USED_LEFT_RU, _OURS_RIGHT_RU)
        if is_russian
        else (_DROPPED_LEFT_EN, _DROPPED_RIGHT_EN, _TAKEN_LEFT_EN, _USED_LEFT_EN, _OURS_RIGHT_EN)
    )
    who = Who.first if is_russian and _MINE_RU.search(left + right) else Who.open
    if found := dropped_left.search(left):
        if _is_denied(left[: found.start("verb")], is_russian):
            return None
        return Mode.end, who, shift + found.start("verb")
    if found := dropped_right.search(right):
        return Mode.end, who, start
    if found := taken.search(left):
        if _is_denied(left[: found.start("verb")], is_russian):
            return None
        return Mode.change, who, shift + found.start("verb")
    if (_DENIED_RU if is_russian else _DENIED_EN).search(left):
        return None
    if is_russian and (_NOT_SAID_RU.search(low)):
        return None
    for pattern in (used, *((_OURS_LEFT_RU,) if is_russian else ())):
        found = pattern.search(left)
        if found is None or _is_denied(left[: found.start("verb")], is_russian):
            continue
        if is_ambiguous and not _may_be_meant(found, is_russian):
            continue
        is_third = not is_russian and found["third"] is not None
        return Mode.state, Who.third if is_third else Who.first, shift + found.start("verb")
    if not is_ambiguous and ours_right.search(right):
        return Mode.state, who, start
    return None


def _may_be_meant(found: re.Match[str], is_russian: bool) -> bool:
    """Whether a word that names other things too is one's program there: behind a preposition of
    use ("в опере"), or a verb of work ("we code in java", not "we travel in spring")."""
    if is_russian:
        return found["in"] is not None
    return found["in"] is None or _WORKS_EN.search(found["verb"]) is not None


_WORKS_EN = re.compile(
    r"\b(?:work|cod|writ|program|build|develop|draw|design|edit|track|keep|plan|log|clock|host|deploy|run|chat|brows|manag|stor|invoic)[a-z]*\b"
)


def _is_denied(before: str, is_russian: bool) -> bool:
    return (_DENIED_RU if is_russian else _DENIED_EN).search(before) is not None
