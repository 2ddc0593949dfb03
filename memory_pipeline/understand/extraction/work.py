"""Rules for `employer`, `job_title`, `education`, `skill`, `language` and `tool`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.lexicon import (
    LANGUAGES_EN,
    LANGUAGES_RU,
    is_occupation,
    tool_name,
    tools_in,
)
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    quoted_at,
    russian_phrase,
)
from memory_pipeline.understand.extraction.places import russian_place
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, like, nominative, parses, reading

_TRIGGER = re.compile(
    r"работ|редактир|рисую|монтир|верста|у нас|сижу|оффер|сдела|труж|служу|служит|уволи|уволь|сократ|устро|вышел|вышла|выхо[дж]|переш|перехо|взяли|приняли|ушел|ушла|ухожу|должност|повыси|назнач|стал[аи]?\b|"
    r"теперь|\bя\b|он[аи]?\b|[«]|учусь|учит|учил|закончил|окончил|диплом|вуз|универ|говорю|говорит|владе|знаю|знает|умею|умеет|язык|"
    r"польз|использ|пишу|пишем|сижу|сидим|стек|снес|пересел|шар[юи]|разбира|держ[иу]|удалил|редактор|тимлид|"
    r"work|employ|everything|\bat\b|made me|drives|drove|notice|freelanc|laid|job|join|hired|quit|left|leav|laid off|fired|resign|promot|i'm|i am|\bim\b|is\b|'s\b|as an?\b|title|role|studied|study|degree|graduat|phd|"
    r"major|mba|diploma|bilingual|ditched|replaced|my \w+ is|speak|fluent|know|good at|skill|use|using|switched|stack|editor|run(?:s|ning)? on|infra|\bci\b|migrat|dropped|gone|moved|start"
)

_GAP = r"(?:\s+(?!(?:в|во|на|у|не|из)\s)[\w-]+){0,3}?"
RU_WORK = re.compile(
    rf"\b(?:(?P<first>работаю|тружусь|служу|работаем|подрабатываю|сижу|вкалываю|пашу|впахиваю|батрачу|стажируюсь|числюсь|преподаю|дежурю)|(?P<third>работает|трудится|служит|подрабатывает|вкалывает|пашет|стажируется|преподает)|(?P<second>работаете|работаешь))(?P<gap>{_GAP})\s+(?:в|во|на|у)\s+"
)
RU_JOIN = re.compile(
    r"\b(?:(?P<open>устроил(?:ся|ась)|вышел|вышла|перешел|перешла|попал[аи]?|принял[аи]? оффер|подписал[аи]? оффер|получил[аи]? оффер|нашел работу|нашла работу|пошел работать|пошла работать|начал[аи]? работать|взяли|приняли|берут|позвали|наняли)"
    r"|(?P<first>устраиваюсь|перехожу|выхожу|иду работать|ухожу)|(?P<third>устраивается|переходит|выходит))"
    r"(?P<gap>(?:\s+(?!(?:в|во|на|у|не|из)\s)[\w.-]+){0,5}?)\s+(?:на работу\s+)?(?:в|во)\s+"
)
RU_LEAVE = re.compile(
    r"\b(?:уволил(?:ся|ась|и)|ушел|ушла|увольняюсь|ухожу|увольняется|уходит|сократили|уволили|уволен[аы]?|выгнали|попросили)(?P<gap>(?:\s+(?!(?:из|с|от)\s)[\w.-]+){0,4}?)(?P<from>\s+(?:из|с|от)\s+)?"
)
RU_LEFT = re.compile(r"\b(?:уволил(?:ся|ась)|увольняюсь|увольняется|меня (?:вчера |сегодня |на днях )?(?:сократили|уволили)|сократили меня|уволили меня)\b")
RU_NOT_IN = re.compile(r"\b(?:уже|больше) не (?:работаю |работает )?(?:в|во|на)\s+")
RU_AM = re.compile(r"(?<![\w-])(?:(?P<first>я|мы|по профессии|по специальности|сам|сама)|(?P<third>он|она)|(?P<name>[\w-]+))\s*(?:[-—–]\s*|\s)(?:(?:теперь|сейчас|уже|пока|еще|тоже|все еще|я|по профессии|по специальности|вообще|у нас|сам|сама|просто|как был|как была|с\s+\d{1,2}(?:-го)?(?:\s+[а-я]+)?|с\s+(?:понедельника|завтрашнего дня|сегодняшнего дня|\w+я)|[-—–])\s+){0,3}")
RU_AS = re.compile(r"\b(?:(?P<first>работаю|тружусь|подрабатываю|служу)|(?P<third>работает|трудится|подрабатывает)|(?P<change>стал[аи]?|сделали|назначили|поставили|взяли|устроил(?:ся|ась)|перешел|перешла|вышел|вышла|выхожу|выходит))\s+(?:(?:теперь|сейчас|меня|его|ее|у нас|удаленно|там|давно|уже|тоже|уже давно|на должность)\s+){0,2}")
RU_LAST_DAY = re.compile(r"\bпоследни[йе]\s+(?:рабочий\s+)?(?:день|дни|неделя|смена)\s+(?:в|во|на)\s+")
RU_IN = re.compile(r"(?:^|\s)(?:в|во|на)\s+(?=[«\"]?\w)")
RU_NO_MORE = re.compile(r"[»\"”]?\s+(?:я\s+)?(?:больше|уже)(?:\s+я)?\s+не\s+(?:работаю|работает|тружусь)")
RU_OFFER = re.compile(r"\bоффер\w*\s+(?:от|из)\s+")
RU_BEFORE = re.compile(r"(?P<job>[\w-]+(?:\s[\w-]+)?)\s+(?:(?P<first>работаю|тружусь|подрабатываю|служу)|(?P<third>работает|трудится|подрабатывает))\b")
RU_NOW = re.compile(r"(?:^|[\s,!.])(?P<job>[\w-]+(?:\s[\w-]+)?)\s+теперь\b")

EN_WORK = re.compile(
    r"\b(?:(?P<first>(?:i|we)\s+(?:still\s+|currently\s+|now\s+|also\s+|actually\s+)*(?:work|am working|have been working|teach|nurse)|(?:i'm|i am|im|we're|i've been|i have been)\s+(?:still\s+|currently\s+|now\s+|also\s+)*(?:working|employed|nursing|teaching|interning)|i\s+(?:do|run|handle|manage|lead)\s+\w+|(?:i've |i have )?been)"
    r"|(?P<third>works|(?:is|'s)\s+(?:still\s+|currently\s+|now\s+)*(?:working|employed)|has been working|teaches|drives|cooks|codes|writes|drove)|(?P<still>still))"
    r"(?:\s+as\s+(?P<job>(?:an?|the)\s+[\w\s-]{2,40}?))?(?:\s+(?!at\b|for\b|as\b|in\b|from\b|on\b|with\b)[\w-]+){0,2}?\s+(?:at|for|with)\s+"
)
EN_JOIN = re.compile(
    r"\b(?:(?P<past>(?:just\s+|finally\s+|recently\s+)?(?:joined|got hired (?:at|by)|was hired (?:at|by)|took (?:a |the )?(?:job|offer|position|role|gig) (?:at|with|from)|started (?:work(?:ing)? |a (?:new )?job |my new job |a new role )?at|got a (?:new )?job (?:at|with)|landed a job (?:at|with)|accepted (?:an offer|a job|a position|a role) (?:from|at|with)|signed with|switched to working at|moved over to|went to work for|now at|now with|now working (?:at|for)|my new (?:job|gig|employer) is(?: at| with)?))"
    r"|(?P<future>(?:i'm|i am|im|i'll be|i will be|we're|i)\s+(?:joining|starting (?:work |a (?:new )?job |my new job )?at|start (?:work |a new job )?at|going to work (?:at|for)|switching to))|(?P<hired>hired!?\s+(?:at|by)))\s+"
)
EN_LEAVE = re.compile(
    r"\b(?:(?P<verb>handed in my notice at|gave (?:my )?notice at|quit|quitting|left|leaving|resigned from|resigning from|got fired from|was fired from|got laid off (?:from|by)|was laid off (?:from|by)|am done at|wrapped up at|parted ways with|handed in my notice at|lost my job at|last day at|last shift at|finished at|done at)(?:\s+my\s+job\s+at)?\s+(?=[\w]))"
)
EN_QUIT = re.compile(
    r"(?:^|\b(?:i|i've|i have|i just|i finally)\s+|^so\s+|^well\s+)(?:just\s+|finally\s+|officially\s+)?(?:quit|resigned|got fired|got laid off|was laid off|was fired|left my job)\b(?!\s+(?:smoking|drinking|coffee|sugar|vaping|social|instagram|facebook|twitter|the gym|playing|eating))|"
    r"\b(?:quit|left|lost) my (?:\w+\s+)?job\b|\bi(?:'ve| have)? been (?:laid off|let go|fired)\b|\b(?:handed in|gave) my (?:two weeks'? )?notice\b"
)
EN_USED = re.compile(r"\b(?:used to work|worked|used to be employed)\s+(?:\w+\s+)?(?:at|for)\s+")
RU_USED = re.compile(r"\b(?:раньше|прежде|когда-то|до этого|одно время)\s+(?:я\s+)?работал[аи]?\s+(?:в|во|на|у)\s+|\bработал[аи]?\s+(?:раньше\s+|когда-то\s+|прежде\s+)?(?:в|во|на|у)\s+")
EN_AM = re.compile(
    r"(?:^|[\s,(])(?:(?P<first>(?:i'm|i am|im)|i(?:'ve| have) been|i was (?:just )?promoted to|i got promoted to|i just became|i became|i was made)|(?P<third>(?:he|she|\w+)(?:'s| is| was promoted to| got promoted to| just became| became)))\s+"
    r"(?:currently\s+|now\s+|still\s+|also\s+|actually\s+|officially\s+|just\s+|technically\s+|basically\s+|strictly speaking\s+|working as\s+|our\s+new\s+|our\s+|the\s+new\s+|the\s+|a\s+|an\s+)+"
)
EN_AS = re.compile(r"\b(?:(?P<first>(?:i|i'm|i am|im)\s+(?:currently\s+|now\s+)?(?:work|working|start|starting|freelance|freelancing|moonlight|trained|employed|joining \w+(?:\s+in \w+)?|joining \w+))|(?P<third>works|is working|started|starts)|(?P<open>promoted to|hired as|hired!|made me|new role as|promotion finally came through,|new job as|start as|starting as))\s*(?:as\s+)?(?:an?\s+|the\s+)?")

RU_STUDY = re.compile(r"\b(?:(?P<now>учусь|учится|поступил[аи]?)|(?P<done>закончил[аи]?|окончил[аи]?|отучил(?:ся|ась)|выпустил(?:ся|ась) из|получил[аи]? диплом))\s+(?:(?:уже|сейчас|заочно|очно|когда-то|давно)\s+)?(?P<prep>в|во|на|из)?\s*")
EN_STUDY = re.compile(
    r"\b(?:i\s+|we\s+|he\s+|she\s+)?(?:(?P<now>studying|am studying|majoring in|study)|(?P<done>studied|graduated (?:in [\w ]{2,20} )?(?:from|with)|did (?:my )?(?:\w+ )?(?:at|in)|did (?:cs|math|maths|physics|law|medicine|economics|english|history|biology|chemistry|engineering|philosophy|art|design|nursing)|got my (?:degree|masters?|master's|phd|bachelor'?s?|mba)(?: degree)? (?:in|from)|have an? (?:\w+ )?(?:degree|masters?|master's|phd|bachelor'?s?|mba|diploma|doctorate)(?: degree)? (?:in|from)))\s*"
)
RU_SPEAK = re.compile(r"\b(?:(?P<first>говорю|владею|знаю|говорим|понимаю|мой родной|родной)|(?P<third>говорит|владеет|знает)|(?P<noun>язык\w*))\b")
EN_SPEAK = re.compile(r"\b(?:(?P<first>(?:i|we)\s+(?:also\s+|can\s+|do\s+|only\s+|grew up speaking\s+|both\s+)*(?:speak)|(?:i'm|i am|im|we're)\s+(?:\w+\s+)?(?:fluent|bilingual|native|conversational)|my (?:native|first|mother) (?:language|tongue) is|i grew up speaking)|(?P<third>speaks|is fluent in|'s fluent in)|(?P<open>speak|fluent in|native|bilingual))\b")
EN_SKILL = re.compile(r"\b(?:(?:i'm|i am|im|is|'s)\s+(?:really\s+|pretty\s+|very\s+|quite\s+)?(?:good|great|skilled|proficient|experienced|comfortable|strong|handy)\s+(?:at|in|with)|comfortable (?:in|with)|proficient in|experienced (?:in|with)|(?:i|we)\s+(?:also\s+)?know(?:\s+how to)?|i can)\s+")
RU_SKILL = re.compile(r"\b(?:(?:хорошо|отлично|неплохо|уверенно|прилично)\s+(?:знаю|владею|умею|разбираюсь в|шарю в)|умею|знаю|владею|силен в|сильна в|шарю в|разбираюсь в)\s+")

EN_USE = re.compile(
    r"\b(?:(?P<first>(?:i|we)(?:'ve| have)?\s+(?:been\s+|still\s+|now\s+|mostly\s+|mainly\s+|also\s+|currently\s+|only\s+|just\s+|always\s+|actually\s+)*(?:use|using|write in|code in|work in|live in|run on|program in|rely on|develop in)|(?:i'm|i am|we're|im)\s+(?:still\s+|now\s+|currently\s+)*(?:using|on|writing in|coding in|running)|our (?:stack|infra|setup|toolchain|backend|frontend|ci|pipeline|database|db|crm) (?:is|runs on|uses|lives in)|my (?:editor|ide|stack|setup|shell|go-to|main tool) (?:is|of choice is)|editor of choice is|everything(?:'s| is) in|we run everything on|we do everything in|i live in)|(?P<third>uses|is using|runs on))\s+"
)
RU_USE = re.compile(
    r"\b(?:(?P<first>пользуюсь|пользуемся|(?:\w+(?:ую|юю|аю|яю|ишу|исую|еду|илю|ержу|ержим|едем|ишем|уем|аем|яем))(?:\s+[\w-]+){0,2}\s+(?:в|на)|использую|используем|пишу(?: код)? (?:в|на)|пишем (?:в|на)|программирую (?:в|на)|кодю (?:в|на)|кожу на|сижу (?:на|в)|сидим (?:на|в)|работаю (?:в|с)|рисую в|веду (?:все )?в|верстаю в|держим (?:все )?(?:в|на)|стек(?: у нас| у меня)?|редактор (?:у меня|мой)|у нас (?:все|вся \w+|документация|задачи|заметки|проекты) (?:в|на)|на проекте|в проекте)|(?P<third>пользуется|использует|пишет (?:в|на)))\s*(?:[-—–:]\s*)?"
)
EN_SWITCH = re.compile(r"\b(?:switched|switching|moved|moving|migrated|migrating|switch|migrate)(?:\s+(?!to\b|from\b)[\w'-]+){0,4}?(?:\s+from\s+(?P<old>[\w .+#-]{1,30}?))?\s+(?:over\s+)?to\s+")
RU_SWITCH = re.compile(r"\b(?:перешел|перешла|перешли|переехал[аи]?|перееха\w+|перевел[аи]?|перешли|пересел[аи]?|мигрировал[аи]?|перебрал(?:ся|ась|ись)|переходим|перехожу|мигрируем)(?:\s+(?!на\b|с\b)[\w-]+){0,3}?(?:\s+с\s+(?P<old>[\w .+#-]{1,30}?))?\s+на\s+")
EN_FOR = re.compile(r"\b(?:ditched|dropped|swapped|traded|left|replaced)\s+(?P<old>[\w .+#-]{2,20}?)\s+(?:for|with|in favou?r of)\s+(?P<new>[\w .+#-]{2,25})")
EN_MINE = re.compile(r"(?P<what>[\w .+#]{2,20}?)\s+is\s+my\s+(?:editor|ide|go-to|tool of choice|main tool|daily driver|browser|favou?rite (?:tool|editor|app))")
EN_DROP = re.compile(r"\b(?:(?P<verb>dropped|ditched|stopped using|uninstalled|got rid of|retired|decommissioned|no longer (?:use|using)|don't use|quit using|done with|gave up on|cancelled|killed)\s+(?:the\s+|our\s+|my\s+)?)|\b(?P<gone>[\w .+#-]{2,25}?)\s+(?:is|are|'s)\s+(?:gone|dead|out|retired|history|no more)\b")
RU_DROP = re.compile(r"\b(?:(?:больше|уже) не (?:пользуюсь|пользуемся|использую|используем|пишу на|пишу в)|отказал(?:ся|ась|ись) от|выпилили|выкинул[аи]?|снес(?:ла|ли)?|удалил[аи]?|забросил[аи]?|ушли с|слез(?:ла|ли)? с|похоронили|отключили)\s+")
RU_DROPPED = re.compile(r"(?P<what>[\w.+#-]+)\s+(?:снес(?:ла|ли)?|удалил[аи]?|выпилил[аи]?|выкинул[аи]?|забросил[аи]?)\b")


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Work, education, skills, languages and tools of the sentence."""
    if not _TRIGGER.search(sentence.low):
        return
    if sentence.lang == "ru":
        yield from _work_ru(sentence)
        yield from _learned_ru(sentence)
    else:
        yield from _work_en(sentence)
        yield from _learned_en(sentence)
    yield from _tools(sentence)


def _who(found: re.Match[str]) -> Who:
    groups = found.groupdict()
    if groups.get("first") or groups.get("future"):
        return Who.first
    if groups.get("third"):
        return Who.third
    if groups.get("second"):
        return Who.second
    return Who.open


def _not_before(low: str, at: int) -> bool:
    return re.search(r"(?:\bне|\bnot|n't|\bnever|no longer)\s+(?:\w+\s+)?$", low[:at]) is not None


def _organisation_ru(text: str, at: int, cases: tuple[str, ...]) -> tuple[str, int, int] | None:
    """A firm after a preposition: a name in quotes (with its kind before it), or capitalised."""
    kind = re.compile(r"(?:(?:компани\w+|фирм\w+|банк\w*|такси|завод\w*|клиник\w+|агентств\w+|студи\w+|стартап\w*|холдинг\w*|ооо|ао|пао|ип|сет\w+|магазин\w*|кафе|ресторан\w*|издательств\w+)\s+)?", re.IGNORECASE)
    lead = kind.match(text, at)
    begin = lead.end() if lead else at
    quoted = quoted_at(text, begin)
    if quoted:
        name, start, end = quoted
        prefix = lead[0].strip() if lead and lead[0].strip().lower() in {"такси", "кафе"} else ""
        return (f"{prefix} «{name}»" if prefix else _same_or_nominative(name, cases)), start, end
    found = re.compile(r"\s*([A-ZА-ЯЁ][\w&.-]*\w(?:\s+[A-ZА-ЯЁ][\w&.-]*\w){0,2})").match(text, begin)
    if found is None:
        return None
    name = found[1]
    if is_russian(name.split()[0]):
        geo = russian_place(text, found.start(1), cases)
        if geo is not None and reading(name.split()[0], "Geox", cases=cases) is not None:
            return None
        if reading(name.split()[0], "Name") and len(name.split()) > 1:
            return None
        end = found.end(1)
        noun = re.compile(r"\s+([а-яё-]+)").match(text, end)
        if " " not in name and parses(name)[0].tag.POS == "ADJF":
            if noun is None or reading(noun[1], "NOUN", cases=cases) is None:
                return None
            return nominative(f"{name} {noun[1]}", cases), found.start(1), noun.end(1)
        name = name if name.isupper() else _same_or_nominative(name, cases)
    elif tool_name(name) is not None and tool_name(name) not in {"Oracle", "Slack", "Stripe", "SAP", "Figma", "Zoom", "Datadog", "Snowflake", "Databricks", "Notion"}:
        return None
    return name, found.start(1), found.end(1)


def _same_or_nominative(name: str, cases: tuple[str, ...]) -> str:
    """A firm's name in the nominative: quoted names decline too ("в «Ромашке»")."""
    first = name.split()[0]
    thing = reading(first, "NOUN", "inan", cases=cases)
    if thing is not None and " " not in name and "-" not in name:
        form = thing.inflect({"nomn"})
        return like(name, form.word) if form is not None else name
    if not is_russian(first) or parses(first)[0].tag.case == "nomn" and len(name.split()) > 1:
        return name
    if "-" in name and " " not in name and reading(name, "NOUN", cases=cases) is None:
        parts = name.split("-")
        return "-".join([*parts[:-1], nominative(parts[-1], cases)])
    return nominative(name, cases)


def _job_ru(text: str, at: int, cases: tuple[str, ...]) -> tuple[str, int, int] | None:
    phrase = russian_phrase(text, at, cases, max_words=4, keep=frozenset({"по"}))
    if phrase is None:
        return None
    name, start, end = phrase
    words = name.split()
    heads = [i for i, w in enumerate(words) if is_occupation(w)]
    if not heads or heads[0] > 2:
        return None
    raw = text[start:end].split()
    head = raw[heads[0]]
    if is_russian(head) and not any(p.tag.case in cases for p in parses(head) if p.tag.POS in ("NOUN", "ADJF")):
        return None
    if not all(not is_russian(w) or parses(w)[0].tag.POS in ("ADJF", "NOUN", "PREP", "PRTF") for w in raw):
        return None
    full = name.lower() if name.islower() or not name.isupper() else name
    return {"главбух": "главный бухгалтер"}.get(full, full), start, end


def _work_ru(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for found in RU_NOT_IN.finditer(low):
        firm = _organisation_ru(text, found.end(), ("loct",))
        if firm is None and re.search(r"переш|уволил|работа", low):
            word = re.compile(r"[а-я-]+").match(low, found.end())
            if word and reading(word[0], "NOUN", cases=("loct",)) and reading(word[0], "Geox") is None:
                firm = (nominative(word[0], ("loct",)), word.start(), word.end())
        if firm:
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], Mode.end, Who.open, confidence=0.75)
    for found in RU_LAST_DAY.finditer(low):
        firm = _organisation_ru(text, found.end(), ("loct", "gent"))
        if firm:
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], Mode.end, Who.open, confidence=0.85)
    for found in RU_IN.finditer(low):
        firm = _organisation_ru(text, found.end(), ("loct", "loc2"))
        if firm and RU_NO_MORE.match(low, firm[2]):
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], Mode.end, Who.open, verb=firm[2], confidence=0.85)
    if re.search(r"приня|подписа|соглас", low):
        for found in RU_OFFER.finditer(low):
            firm = _organisation_ru(text, found.end(), ("gent",))
            if firm:
                taken.add(firm[1])
                yield Found("employer", firm[0], found.start(), firm[2], Mode.change, Who.open, confidence=0.82)
    for pattern, mode in ((RU_USED, Mode.past), (RU_WORK, Mode.state), (RU_JOIN, Mode.change)):
        for found in pattern.finditer(low):
            if _not_before(low, found.start()):
                continue
            cases = ("loct", "loc2", "gent") if mode is not Mode.change else ("accs",)
            firm = _organisation_ru(text, found.end(), cases)
            if firm is None or firm[1] in taken:
                continue
            if found[0].startswith("сижу") and text[firm[1] - 1] not in "«\"":
                continue
            taken.add(firm[1])
            who = _who(found)
            yield Found("employer", firm[0], found.start(), firm[2], mode, who, verb=found.start(), confidence=0.9)
            lead = re.compile(r"[»\"”]?\s+(?:(?:уже|сейчас|теперь|пока|там|главным|старшим)?\s*)").match(text, firm[2])
            after = _job_ru(text, lead.end(), ("ablt",)) if lead else None
            if after is not None:
                yield Found("job_title", after[0], found.start(), after[2], mode, who, verb=found.start(), confidence=0.85)
    for found in RU_LEAVE.finditer(low):
        if not found["from"] or _not_before(low, found.start()):
            continue
        firm = _organisation_ru(text, found.end(), ("gent",))
        if firm is None and found[0].startswith(("увол", "сократ")):
            piece = russian_phrase(text, found.end(), ("gent",), 2, frozenset())
            firm = piece if piece and piece[0].split()[0] not in {"работа", "должность", "завтра", "понедельник"} else None
        elif firm is not None and not found[0].startswith(("увол", "сократ")) and text[firm[1] - 1] not in "«\"" and is_russian(firm[0].split()[0]) and not re.search(r"работ|уволи|офис", low):
            continue
        if firm is None or firm[1] in taken:
            continue
        taken.add(firm[1])
        yield Found("employer", firm[0], found.start(), firm[2], Mode.end, Who.open, verb=found.start(), confidence=0.85)
        break
    else:
        left = RU_LEFT.search(low)
        if left and not taken and not _not_before(low, left.start()):
            yield Found("employer", None, left.start(), left.end(), Mode.end, Who.open, confidence=0.8)
    seen: set[str] = set()
    for found in re.finditer(r"\b(?:повысили|доросла?|дослужил(?:ся|ась))\s+(?:меня\s+|его\s+|ее\s+)?до\s+", low):
        job = _job_ru(text, found.end(), ("gent",))
        if job is not None:
            seen.add(job[0])
            yield Found("job_title", job[0], found.start(), job[2], Mode.change, Who.open, confidence=0.88)
    for found in RU_AS.finditer(low):
        job = _job_ru(text, found.end(), ("ablt",))
        if job is None or job[0] in seen or _not_before(low, found.start()):
            continue
        seen.add(job[0])
        mode = Mode.change if found["change"] else Mode.state
        yield Found("job_title", job[0], found.start(), job[2], mode, _who(found), verb=found.start(), confidence=0.9)
        firm_at = re.compile(r"\s+(?:в|во)\s+").match(low, job[2])
        firm = _organisation_ru(text, firm_at.end(), ("loct", "accs")) if firm_at else None
        if firm and firm[1] not in taken:
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], mode, _who(found), verb=found.start(), confidence=0.9)
    at = 0
    while (found := RU_AM.search(low, at)) is not None:
        at = found.start() + 1
        if found["name"] and not text[found.start("name")].isupper() and not found["name"].startswith(("сестр", "брат", "мам", "пап", "муж", "жен", "сын", "доч")):
            continue
        was = "как был" in found[0]
        job = _job_ru(text, found.end(), ("ablt",) if was else ("nomn",))
        if was and "остал" not in low[found.end() :]:
            continue
        if job is None or job[0] in seen or _not_before(low, found.end()) or low[: found.end()].rstrip().endswith(("как", "мой", "моя", "наш", "наша")):
            continue
        seen.add(job[0])
        change = re.search(r"теперь|\bс\s", found[0]) is not None
        who = _who(found)
        yield Found("job_title", job[0], found.start(), job[2], Mode.change if change else Mode.state, Who.third if who is Who.open else who, verb=job[1], confidence=0.85)
        firm_at = re.compile(r"\s+(?:в|во)\s+").match(low, job[2])
        firm = _organisation_ru(text, firm_at.end(), ("loct",)) if firm_at else None
        if firm and firm[1] not in taken:
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], Mode.state, Who.third if who is Who.open else who, verb=job[1], confidence=0.88)
    for found in RU_BEFORE.finditer(low):
        for start in (found.start("job"), found.start("job") + found["job"].find(" ") + 1):
            job = _job_ru(text[: found.end("job")], start, ("ablt",))
            if job is not None and job[2] == found.end("job") and job[0] not in seen:
                seen.add(job[0])
                yield Found("job_title", job[0], found.start(), found.end(), Mode.state, _who(found), verb=found.end("job"), confidence=0.88)
                break
    for found in RU_NOW.finditer(low):
        job = _job_ru(text, found.start("job"), ("nomn",))
        if job is not None and job[0] not in seen:
            yield Found("job_title", job[0], job[1], found.end(), Mode.change, Who.open, confidence=0.8)


def _job_en(text: str, at: int) -> tuple[str, int, int] | None:
    found = re.compile(r"((?:[\w&/+#.-]+\s+){0,4}?)([A-Za-z]+(?:/[A-Za-z]+)?)(?=\s+(?:at|for|with|in|on|from|and|but|who|now|by|here|since|until|of|as|these|currently|again|too|effective)\b|\s*[,.;:!?)(—–]|\s+-|\s*$|\s+[^\w\s])").match(text, at)
    if found is None or not is_occupation(found[2]):
        return None
    phrase = f"{found[1]}{found[2]}".strip()
    of = re.compile(r"\s+of\s+((?:the\s+)?\w+(?:\s+\w+)?)(?=\s*(?:[,.;!?]|$|\s(?:at|for|and|in|since)\b))").match(text, found.end())
    if of:
        phrase = f"{phrase} of {of[1]}"
    elif found[2].lower() in {"head", "lead", "model", "guide", "server", "judge", "guard", "cook", "officer"} and found[2].lower() in {"head", "model", "server", "lead"} and " " not in phrase:
        return None
    words = phrase.lower().split()
    if set(words) & {"not", "no", "the", "my", "your", "his", "her", "their", "our", "big", "good", "bad", "huge", "terrible", "great", "if", "when", "because", "sure", "happy", "glad", "seeing", "looking", "calling", "waiting", "dating"}:
        return None
    end = of.end() if of else found.end()
    return re.sub(r"^(?:an?|the)\s+", "", phrase), found.start(), end


def _organisation_en(text: str, at: int) -> tuple[str, int, int] | None:
    found = re.compile(r"(?:the\s+|a\s+(?:company|startup|firm|place|studio)\s+(?:called|named)\s+)?([A-Z0-9][\w&'’.-]*(?:\s+(?:of\s+|and\s+|&\s+)?[A-Z][\w&'’.-]*){0,3})").match(text, at)
    if found is None:
        return None
    name = re.sub(r"[.,]+$", "", found[1])
    if name.lower() in {"i", "i'm", "home", "monday", "the"} or re.match(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*$", name):
        return None
    if name.split()[0] in {"I", "My", "Your", "His", "Her", "Our", "Their", "This", "That", "It", "A", "An"}:
        return None
    return name, found.start(1), found.start(1) + len(name)


def _work_en(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for pattern, mode, confidence in (
        (EN_USED, Mode.past, 0.85),
        (EN_JOIN, Mode.change, 0.9),
        (EN_WORK, Mode.state, 0.9),
    ):
        for found in pattern.finditer(low):
            if _not_before(low, found.start()):
                continue
            firm = _organisation_en(text, found.end())
            if firm is None or firm[1] in taken:
                continue
            if pattern is EN_WORK and found["still"] and not re.search(r"\bat\s+$", found[0]):
                continue
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), firm[2], mode, _who(found), verb=found.start(), confidence=confidence)
            as_job = re.compile(r"\s+as\s+(?:an?\s+|the\s+)?").match(low, firm[2])
            job = _job_en(text, as_job.end()) if as_job else None
            if job:
                yield Found("job_title", job[0], found.start(), job[2], mode, _who(found), verb=found.start(), confidence=0.85)
    for found in EN_LEAVE.finditer(low):
        firm = _organisation_en(text, found.end())
        if firm is None or firm[1] in taken or _not_before(low, found.start()):
            continue
        if found["verb"] in ("left", "leaving") and not re.search(r"\b(?:job|work|company|employ|team|joined|joining|startup|notice|nurs\w+|engineer|position|role|now at|been at|started)\b", low):
            from memory_pipeline.understand.extraction.places import is_known_place

            if is_known_place(firm[0]) or firm[0].split()[0] in {"Mom", "Dad"}:
                continue
        taken.add(firm[1])
        yield Found("employer", firm[0], found.start(), firm[2], Mode.end, Who.open, verb=found.start(), confidence=0.8)
    quit_job = EN_QUIT.search(low)
    if quit_job and re.search(r"\b(?:since|because|'cause|cause|when|after|before|why|how|if)\s+(?:i\s+)?(?:just\s+)?$", low[: quit_job.start()]):
        quit_job = None
    if quit_job and not taken:
        yield Found("employer", None, quit_job.start(), quit_job.end(), Mode.end, Who.open, confidence=0.8)
    seen: set[int] = set()
    for pattern in (EN_AM, EN_AS):
        for found in pattern.finditer(low):
            job = _job_en(text, found.end())
            if job is None or job[1] in seen or _not_before(low, found.end()):
                continue
            groups = found.groupdict()
            third = groups.get("third") or ""
            if third.split("'")[0].split(" ")[0] in {"it", "that", "this", "there", "what", "here", "who", "name", "which"}:
                continue
            seen.add(job[1])
            change = re.search(r"promot|became|hired|new role|new job|start", found[0]) is not None
            before = re.search(r"\b(?:starting|from|as of|since|effective)\b", low[: found.start() + 1]) is not None
            who = Who.first if groups.get("first") else Who.third if third else Who.open
            verb = found.start() + 1
            if third and pattern is EN_AM:
                verb = found.start("third") + len(re.match(r"\w+", third)[0])  # type: ignore[index]
            mode = Mode.change if change or before else Mode.state
            yield Found("job_title", job[0], found.start() + 1 if found[0][0] in " ,(" else found.start(), job[2], mode, who, verb=verb, confidence=0.88)
            at_firm = re.compile(r"\s+(?:at|for|with)\s+").match(low, job[2])
            firm = _organisation_en(text, at_firm.end()) if at_firm else None
            if firm and firm[1] not in taken:
                taken.add(firm[1])
                yield Found("employer", firm[0], found.start(), firm[2], mode, who, verb=verb, confidence=0.88)
    bare = _job_en(text, 0)
    at_firm = re.compile(r"\s+at\s+").match(low, bare[2]) if bare and bare[1] not in seen and low.find(" at ") > 0 else None
    firm = _organisation_en(text, at_firm.end()) if at_firm else None
    if bare and firm and firm[1] not in taken:
        mode = Mode.change if re.search(r"\b(?:starting|from|as of|since)\b", low) else Mode.state
        yield Found("job_title", bare[0], 0, bare[2], mode, Who.first, confidence=0.75)
        yield Found("employer", firm[0], 0, firm[2], mode, Who.first, confidence=0.75)
    promoted = re.compile(r"\bpromot(?:ion|ed)\b[^,.]*,\s+").search(low)
    if promoted:
        job = _job_en(text, promoted.end())
        if job is not None and job[1] not in seen:
            yield Found("job_title", job[0], promoted.start(), job[2], Mode.change, Who.open, confidence=0.85)


def _languages(low: str, start: int, end: int, lang: str) -> list[tuple[str, int, int]]:
    out = []
    if lang == "ru":
        for found in re.finditer(r"\b(?:по-)?([а-я]+?)(ск|цк)?(ий|ого|им|ому|ом|и|ом)?\b", low[start:end]):
            word = found[0].removeprefix("по-")
            for stem, name in LANGUAGES_RU.items():
                if word.startswith(stem):
                    out.append((name, start + found.start(), start + found.end()))
                    break
    else:
        for found in re.finditer(r"\b[a-z]+\b", low[start:end]):
            if found[0] in LANGUAGES_EN:
                name = found[0].upper() if found[0] in ("asl", "bsl") else found[0].capitalize()
                out.append((name, start + found.start(), start + found.end()))
    return out


def _speech_end(low: str, start: int) -> int:
    stop = re.compile(r"[.!?;]|\s(?:but|но|а|зато|поэтому)\s|\s(?:with|to|at|when|in)\s(?!lang)").search(low, start)
    return stop.start() if stop else len(low)


def _learned_ru(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    for found in RU_SPEAK.finditer(low):
        if found["noun"] or _not_before(low, found.start()):
            continue
        clause = sentence.clause_at(found.start())
        spoken = _languages(low, found.end(), min(_speech_end(low, found.end()), found.end() + 70), "ru")
        if "по-" in low[clause.start : found.start()]:
            spoken += _languages(low, clause.start, found.start(), "ru")
        for name, a, b in spoken:
            if _not_before(low, a):
                continue
            yield Found("language", name, found.start(), b, Mode.state, _who(found), verb=found.start(), confidence=0.88, dated=False)
    for found in RU_SKILL.finditer(low):
        if _not_before(low, found.start()):
            continue
        tools = tools_in(text, low, found.end(), min(len(low), found.end() + 60), strict=False)
        explicit = found[0].startswith(("хорошо", "отлично", "неплохо", "уверенно", "прилично", "сил", "шарю", "разбира"))
        if tools:
            for name, a, b in tools:
                yield Found("skill", name, found.start(), b, Mode.state, Who.open, verb=a, confidence=0.85, dated=False)
        elif found[0].startswith("умею"):
            verb = re.compile(r"([а-я]+(?:ть|ться|чь))\b(?:\s+(?:на\s+)?[а-я]+)?").match(low, found.end())
            if verb:
                yield Found("skill", text[verb.start() : verb.end()], found.start(), verb.end(), Mode.state, Who.first, confidence=0.75, dated=False)
        elif explicit:
            phrase = russian_phrase(text, found.end(), ("accs", "ablt", "loct"), 3)
            if phrase and not _languages(low, phrase[1], phrase[2], "ru"):
                yield Found("skill", phrase[0], found.start(), phrase[2], Mode.state, Who.open, confidence=0.7, dated=False)
    for found in RU_STUDY.finditer(low):
        if _not_before(low, found.start()):
            continue
        quoted = quoted_at(text, found.end())
        acronym = re.compile(r"([А-ЯЁA-Z]{2,}[\w-]*|[А-ЯЁ][а-яё]+(?:\s[А-ЯЁ][\w]+)?)").match(text, found.end())
        unit = re.compile(r"(?:(?:[а-я]+\s+)?(?:университет|институт|колледж|академи|консерватори|училищ|техникум|факультет)[а-я]*|юриста|врача|экономиста|программиста|инженера|дизайнера|психолога|журналиста|юрфак\w*|мехмат\w*|физтех\w*|филфак\w*|журфак\w*|истфак\w*|биофак\w*|матфак\w*|физфак\w*|универ\w*)").match(low, found.end())
        if quoted:
            name, a, b = quoted
        elif acronym and (acronym[1].isupper() or re.match(r"(?:институт|университет)", acronym[1].lower())):
            name, a, b = acronym[1], acronym.start(), acronym.end()
        elif unit:
            phrase = russian_phrase(text, found.end(), ("accs", "loct", "gent"), 4)
            if phrase is None:
                continue
            name, a, b = phrase
        else:
            continue
        mode = Mode.state if found["now"] and not found["now"].startswith("поступ") else Mode.change
        yield Found("education", name, found.start(), b, mode, Who.open, verb=found.start(), confidence=0.8)


_FIELDS = {"cs": "computer science"}


def _learned_en(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    spoken: set[str] = set()
    for found in EN_SPEAK.finditer(low):
        if _not_before(low, found.start()) or re.search(r"\bto\s+$", low[: found.start()]):
            continue
        if found["open"] == "speak" and not re.search(r"(?:^|[,;]|\band)\s*$", low[: found.start()]):
            continue
        for name, _, b in _languages(low, found.end(), min(_speech_end(low, found.end()), found.end() + 60), "en"):
            if re.search(r"\b(?:get|become|becoming|getting|want to be|to be)\s+$", low[: found.start()]):
                break
            if name not in spoken:
                spoken.add(name)
                yield Found("language", name, found.start(), b, Mode.state, _who(found), verb=found.start(), confidence=0.88, dated=False)
    for found in re.finditer(r"\bmy (?P<what>[a-z]+) is (?:pretty |quite |very |really )?(?:decent|good|fluent|great|solid|ok|okay|passable|excellent|native)\b", low):
        if found["what"] in LANGUAGES_EN:
            yield Found("language", found["what"].capitalize(), found.start(), found.end(), Mode.state, Who.first, confidence=0.85, dated=False)
    for found in EN_SKILL.finditer(low):
        if _not_before(low, found.start()):
            continue
        stop = _speech_end(low, found.end())
        tools = tools_in(text, low, found.end(), min(stop, found.end() + 40), strict=False)
        gap = low[found.end() : tools[0][1]] if tools else ""
        if tools and len(gap.split()) <= 2:
            for name, _, b in tools:
                yield Found("skill", name, found.start(), b, Mode.state, Who.open, verb=found.start(), confidence=0.85, dated=False)
        elif re.search(r"\b(?:good|great|skilled|proficient|experienced|handy)\s+(?:at|in|with)\s+$", found[0]):
            phrase = english_phrase(text, found.end(), max_words=3)
            if phrase and phrase[0].lower().split()[0] not in {"me", "you", "him", "her", "people", "kids", "what", "this"}:
                yield Found("skill", phrase[0], found.start(), phrase[2], Mode.state, Who.open, verb=found.start(), confidence=0.65, dated=False)
    for found in EN_STUDY.finditer(low):
        if _not_before(low, found.start()) or (found["now"] and found.start("now") > 2 and not re.search(r"\b(?:i'm|i am|i|he's|she's|is|currently)\s+(?:\w+\s+)?$", low[: found.start("now")])):
            continue
        phrase = re.compile(r"\s*((?:in\s+|at\s+)?[\w&'-]+(?:\s+(?:(?:at|from|in|of)\s+)?(?:the\s+)?(?:University|College|Institute|School|[A-Z][\w&'-]+|[a-z]{3,}))?(?:\s+(?:at|from|of)\s+(?:the\s+)?[A-Z][\w&'-]+(?:\s[A-Z][\w'-]+)?)?)").match(text, found.end())
        field = re.search(r"\bdid (cs|math|maths|physics|law|medicine|economics|english|history|biology|chemistry|engineering|philosophy|art|design|nursing)\b", found[0])
        if phrase is None:
            continue
        value = re.sub(r"^(?:in|at|from)\s+", "", phrase[1].strip())
        if field:
            school = re.compile(r"\s*at\s+((?:the\s+)?[A-Z][\w&'-]+(?:\s(?:of\s)?[A-Z][\w&'-]+)*)").match(text, found.end())
            if school is None:
                continue
            value = f"{_FIELDS.get(field[1], field[1])}, {school[1]}"
            end = school.end()
        else:
            if not any(w[0].isupper() for w in value.split()) and not re.search(r"degree|masters?|phd|bachelor|mba|diploma|doctorate|graduated", found[0]):
                continue
            if value.lower() in {"it", "that", "this", "the", "a", "my", "hard", "abroad"} or value.split()[0].lower() in {"a", "the", "my", "it", "that", "this", "hard"}:
                continue
            end = phrase.end()
        yield Found("education", value, found.start(), end, Mode.state if found["now"] else Mode.change, Who.open, verb=found.start(), confidence=0.8)


def _tools(sentence: Sentence) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    russian = sentence.lang == "ru"
    taken: set[str] = set()
    if not russian:
        for found in EN_FOR.finditer(low):
            old = tools_in(text, low, found.start("old"), found.end("old"), strict=False)[:1]
            new = tools_in(text, low, found.start("new"), found.end("new"), strict=False)[:1]
            if old and new:
                taken.update((old[0][0], new[0][0]))
                yield Found("tool", old[0][0], found.start(), found.end(), Mode.end, Who.open, confidence=0.85)
                yield Found("tool", new[0][0], found.start(), found.end(), Mode.change, Who.open, confidence=0.85)
        for found in EN_MINE.finditer(low):
            for name, _, _ in tools_in(text, low, found.start("what"), found.end("what"), strict=False)[-1:]:
                taken.add(name)
                yield Found("tool", name, found.start(), found.end(), Mode.state, Who.first, confidence=0.85)
    for found in (RU_DROP if russian else EN_DROP).finditer(low):
        if not russian and found["gone"] is not None:
            hits = tools_in(text, low, found.start("gone"), found.end("gone"), strict=False)[-1:]
        else:
            hits = tools_in(text, low, found.end(), min(len(low), found.end() + 25), strict=False)[:1]
        for name, a, b in hits:
            if name in taken:
                continue
            taken.add(name)
            yield Found("tool", name, min(found.start(), a), max(found.end(), b), Mode.end, Who.first, verb=found.start(), confidence=0.85)
    if russian:
        for found in RU_DROPPED.finditer(low):
            name = tool_name(found["what"])
            if name and name not in taken:
                taken.add(name)
                yield Found("tool", name, found.start(), found.end(), Mode.end, Who.first, confidence=0.85)
    for found in (RU_SWITCH if russian else EN_SWITCH).finditer(low):
        hits = tools_in(text, low, found.end(), min(len(low), found.end() + 30), strict=False)[:1]
        if not hits or low[found.end() : hits[0][1]].strip():
            continue
        name, _, b = hits[0]
        taken.add(name)
        yield Found("tool", name, found.start(), b, Mode.change, Who.open, verb=found.start(), confidence=0.88)
        if found["old"]:
            for old, _, _ in tools_in(text, low, found.start("old"), found.end("old"), strict=False):
                taken.add(old)
                yield Found("tool", old, found.start(), b, Mode.end, Who.open, verb=found.start(), confidence=0.85)
    for found in (RU_USE if russian else EN_USE).finditer(low):
        if _not_before(low, found.start()) or re.search(r"\b(?:used to|to)\s+$", low[: found.start()]):
            continue
        stop = _list_end(low, found.end())
        hits = tools_in(text, low, found.end(), stop, strict=False)
        if not hits or len(low[found.end() : hits[0][1]].split()) > 3:
            continue
        for name, _, b in hits:
            if name not in taken:
                taken.add(name)
                yield Found("tool", name, found.start(), b, Mode.state, _who(found), verb=found.start(), confidence=0.85)
    now = re.compile(r"(?:\bс сегодняшнего дня|\bтеперь|\bснова|\bтеперь уже|\bback to|\bnow on|\bback on)\s+").finditer(low)
    for found in now:
        for name, a, b in tools_in(text, low, found.end(), min(len(low), found.end() + 20), strict=False)[:1]:
            if name not in taken and low[found.end() : a].strip() in ("", "на", "в"):
                taken.add(name)
                yield Found("tool", name, found.start(), b, Mode.change, Who.first, confidence=0.8)
    ci = re.compile(r"\bci (?:is )?on\s+").search(low)
    if ci:
        for name, _, b in tools_in(text, low, ci.end(), min(len(low), ci.end() + 25), strict=False)[:1]:
            if name not in taken:
                yield Found("tool", name, ci.start(), b, Mode.state, Who.first, confidence=0.8)


def _list_end(low: str, start: int) -> int:
    stop = re.compile(r"[.!?;]|\s(?:but|because|since|for|to|when|if|so|not|instead|но|а|чтобы|потому|вместо|не|для)\s").search(low, start)
    return min(stop.start() if stop else len(low), start + 90)


