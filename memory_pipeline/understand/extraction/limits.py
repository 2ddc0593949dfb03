"""Rules for `budget_limit`, `deadline`, `legal_constraint` and `requirement`."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.numbers import find_money
from memory_pipeline.understand.extraction.phrases import sentence_case
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import parses, reading

TAG = re.compile(r"^\s*\[(?:!|critical|важно|критично)\]\s*", re.IGNORECASE)

_TRIGGER = re.compile(
    r"бюджет|лимит|потолок|потолк|максимум|предел|не больше|не более|не дороже|больше \w+ |уложи|уклад|потян|не выше|не превыш|смет|готов\w* потрат|про все|ни копейки|"
    r"дедлайн|срок|не поздн|не позже|сдать|сдаем|сдаю|к (?:\d|понед|вторн|сред|четв|пятн|субб|воскр|конц)|до \d|должн|обязат|требован|обязан|нельзя|запрещ|запрет|nda|фз|юрист|"
    r"договор|закон|лицензи|суд|правил|никогда|никаких|только через|подписал|строго|перенес|продлил|сдвинул|"
    r"budget|not a |nothing over|closes|cap\b|capped|limit|ceiling|spend|max\b|maximum|no more than|can't go|afford|up to|under|at most|deadline|due\b|by (?:the|\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|eod|end)|no later|"
    r"must|required|requirement|needs? to|has to|have to|never|barred|legal|nda\b|non-?compete|gdpr|hipaa|contract|court|compliance|restrain|prohibit|not allowed|forbidden|mandatory|ship|pushed|extended|moved|rule"
)
RU_BUDGET = re.compile(
    r"\b(?:бюджет\w*|лимит\w*|потолок|потолка|предел\w*|максимум|не больше|не более|не дороже|не выше|больше не потян\w+|смета|на все про все|ни копейки больше|уложиться|уложимся|укладыва\w+|в пределах|готов\w* потратить|больше)\b"
)
RU_RAISE = re.compile(r"\b(?:подня\w+|поднима\w+|увелич\w+|повыси\w+|урез\w+|сократи\w+|снизи\w+|снижа\w+|расшири\w+|теперь)\b")
EN_BUDGET = re.compile(
    r"\b(?:budget(?:'s| is| of| for)?|hard cap|cap(?:ped)?|limit(?:ed)?|ceiling|max(?:imum)?|no more than|can't (?:spend|go|do|pay)|cannot (?:spend|go|pay)|won't (?:spend|go|pay)|not (?:spend|going) (?:more|over|above|past)|at most|up to|spend(?:ing)?|keep it under|stay(?:ing)? under|under|tops|not a (?:cent|penny|dollar) (?:over|more than|above)|nothing over)\b"
)
_BUDGET_TOPIC = re.compile(r"бюджет|лимит|потолок|потолк|смет|потрат|не потян|на все про все|ни копейки|уложит|уложим|not a (?:cent|penny|dollar)|nothing over|не возьму|не дам|не выше|на все\b|на ремонт|на поезд|на свадьб|на двоих|"
                           r"budget|cap\b|capped|ceiling|can't (?:go|spend|do|pay)|spend|won't go|max\b|tops|afford|limit")  # fmt: skip
_NOT_BUDGET = re.compile(
    r"\b(?:speed|time|word|character|memory|weight|size|rate|rpm|mph|лимит (?:скорост|врем|символ|памят|запрос)\w*|запрос\w*|символ\w*|users?|requests?|km/?h|км|кг|процент\w*|salary|зарплат\w*|"
    r"earn|costs?|paid|price|стоит|стоила?|обошл\w+|заплатил\w*|возврат\w*|refund\w*|loan|кредит\w*|ипотек\w*|долг\w*)\b"
)
RU_DEADLINE = re.compile(
    r"\b(?:дедлайн\w*|крайний срок|срок сдачи|срок|не позже|не позднее|сдать|сдаем|сдаю|сдача|должн[аыо]? быть|должен быть|надо|нужно|уходит|подать|закрыть|успеть|запуск\w*|релиз\w*)\b"
)
RU_HARD = re.compile(r"\b(?:дедлайн\w*|крайний срок|срок сдачи|не позже|не позднее|сдать (?:надо|нужно)?\s*(?:до|к)|(?:надо|нужно|должн\w+|обязан\w*)\s+(?:\w+\s+){0,4}?(?:до|к)\b|срок\s*(?:[-—:]|до|у нас|жестк\w+)|\bк\s+\d{1,2}\s+[а-я]+\s+(?:все\s+|всё\s+|\w+\s+)?(?:должн\w+|надо|нужно|обязан\w*)|\bсда(?:ем|ю|ча)\s+(?:\w+\s+){0,2}?(?=\d{1,2}\s+[а-я]))")
EN_HARD = re.compile(
    r"\b(?:deadline(?:'s| is| for [\w\s]{1,30} is)?|due(?: date)?(?: is| on| by)?|(?:application|portal|registration|window|call|submission)s? closes?|(?:has|have) to be in by|no later than|(?:must|has to|have to|needs? to|need to|want(?:s)? to|got to|gotta)\s+(?:be\s+)?(?:\w+\s+){0,6}?(?:by|before)|ships? by|launch(?:es)? by|live by|deliver(?:ed)? by|submit(?:ted)? by|in by|pushed (?:\w+\s+){0,4}?to|extended (?:\w+\s+){0,3}?(?:to|until)|moved the (?:\w+\s+)?deadline to|new deadline)\b"
)
_NO_DEADLINE = re.compile(r"\b(?:no deadline|дедлайна нет|без дедлайна|нет дедлайна|дедлайнов нет|дедлайнов тут|no rush|не горит)\b")
_PERSONAL_TASK = re.compile(r"\b(?:wake|sleep|eat|go|leave|get up|call|see|meet|pick|bed|home|walk|встать|лечь|поспать|выехать|выйти|позвонить|забрать|встретить)\b")

LEGAL = re.compile(
    r"\b(?:nda|non-?disclosure|non-?compete|legally|by law|the law|gdpr|hipaa|ccpa|court order|restraining order|custody|probation|parole|barred from|prohibited from|visa (?:expires|runs out|ends)|not allowed to work|under investigation|"
    r"injunction|statute|compliance|copyright|licen[cs]e (?:forbids|requires)|per legal|legal says|"
    r"неразглашени\w+|по закону|законом|закон запрещает|152-фз|\d+-фз|суд\w* запрет\w*|решени\w+ суда|судебн\w+|подписк\w+ о невыезде|невыездн\w+|под следствием|арестован\w*|"
    r"лицензи\w+ (?:запрещ|не позвол|треб)\w+|персональн\w+ данн\w+|нда|коммерческ\w+ тайн\w+|алимент\w+|условн\w+ срок|запрет\w* на выезд)\b"
)
_LEGAL_FORCE = re.compile(
    r"\b(?:signed|sign|under|can't|cannot|must|mustn't|not allowed|barred|prohibited|forbidden|may not|until|through|expires|ends|runs out|have to|never|binding|bound|"
    r"подписал\w*|нельзя|не могу|не можем|запрещ\w+|запрет\w*|обязан\w*|действует|до|не имею права|не имеем права|должн\w+|только|никогда|храним)\b"
)
EN_LEGAL_OBJECT = re.compile(r"\b(?:barred|prohibited|banned)\s+from\s+(?P<what>[^,.;]+?)(?=\s+(?:through|until|till|before|for the next)\b|[,.;]|$)")
MUST = re.compile(
    r"\b(?P<en>must(?:n't)?(?: not)?|(?:is|are) (?:mandatory|required)|has to|have to|needs? to|mandatory|non-?negotiable|hard requirement|requirement(?:s)?(?: is|:| are)|only (?:allowed|supported)|never|under no circumstances|nothing gets|no exceptions)\b|"
    r"\b(?P<ru>обязательн\w*(?: требование| условие)?|требовани[ея]|должн[аоы]?|должен|обязан[аоы]?|нельзя|запрещен[аоы]?|запрещаем|строго|ни в коем случае|никогда не|никаких|жесткое требование|непременно)\b"
)
_THING = re.compile(r"(?:server|service|api|app|site|page|code|build|system|database|data|endpoint|response|report|product|release|component|package|library|solution|backup|log|deploy|query|test|screen|form|file|image|dashboard|model|pipeline|"
                    r"сервис|сервер|сайт|приложени|код|сборк|систем|баз[аыеу]|данны|ответ|отчет|релиз|компонент|библиотек|решени|бэкап|лог|деплой|запрос|экран|форм|файл|страниц|макет|тест|интерфейс|продукт|поставк|зависимост|репо|документ|дизайн|шрифт|проект)")  # fmt: skip
EN_RULES = re.compile(r"\b(?:rules?|requirements?|constraints?)\s+(?:for|of)\s+(?:the\s+)?(?P<thing>[\w -]{2,40}?)\s*:\s*(?P<list>.+)$", re.DOTALL)
RU_RULES = re.compile(r"\b(?:правила|требования|условия)\s+(?:для|к|по)\s+(?P<thing>[\w «»-]{2,40}?)\s*:\s*(?P<list>.+)$", re.DOTALL)


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Budgets, deadlines, legal constraints and requirements of the sentence."""
    if not _TRIGGER.search(sentence.low):
        return
    yield from _budgets(sentence, scene)
    deadlines = list(_deadlines(sentence, scene))
    yield from deadlines
    legal = list(_legal(sentence))
    yield from legal
    if not legal and not deadlines:
        yield from _requirements(sentence, scene)


def _thing_before_en(text: str, end: int) -> str | None:
    """The capitalised thing that a clause begins with ("Orion beta has to ship…")."""
    head = re.split(r"[,.;:!?—–]\s*", text[:end])[-1].strip()
    found = re.match(r"(?:(?:and|but|so|also|the|our)\s+)*([A-Z][\w&.'’-]*(?:\s+[\w&'’-]+){0,3})$", head)
    if found is None:
        return None
    name = found[1]
    if name.split()[0] in {"I", "We", "My", "Our", "The", "It", "This", "That", "He", "She", "They", "You", "There", "What", "Everything", "Everyone", "If", "When", "And", "But", "So", "I'm", "Please", "Just", "No", "Yes", "All", "Not"}:
        return None
    if re.search(r"\b(?:is|are|was|has|that|who|which|i|we|the|said|says)\b", name, re.IGNORECASE):
        return None
    return name


def _thing_before_ru(sentence: Sentence, position: int) -> str | None:
    """The noun in the nominative that a clause begins with ("каталог уходит…")."""
    clause = sentence.clause_at(position)
    head = sentence.text[clause.start : position].strip(" ,:—–-")
    found = re.search(r"(?:^|[\s:])([«\"]?[А-ЯЁA-Zа-яё][\w-]*[»\"]?)\s*$", head)
    if found is None:
        return None
    word = found[1].strip("«»\"")
    if word.lower() in {"я", "мы", "он", "она", "они", "это", "все", "всё", "мне", "нам", "срок", "дедлайн", "надо", "нужно", "там", "тут"}:
        return None
    if re.fullmatch(r"[A-Z][\w-]+", word):
        return word
    if re.fullmatch(r"[А-ЯЁа-яё-]+", word) and reading(word, "NOUN", cases=("nomn",)) and parses(word)[0].tag.POS == "NOUN":
        return word
    if re.fullmatch(r"[А-ЯЁ][а-яё]+[А-ЯЁ][а-яё]+", word):
        return word
    return None


_THEIRS = re.compile(r"\b(?:у них|они|им нужно|им надо|их (?:бюджет|лимит|потолок|срок)|they|their (?:budget|limit|cap|deadline))\b")


def _their_thing(sentence: Sentence, scene: Scene) -> str | None:
    """The firm that "they" are: one named in quotation marks here, else the last one named."""
    quoted = re.search(r"[«\"]([^»\"]{2,40})[»\"]", sentence.text)
    if quoted:
        scene.people.learn_thing(quoted[1])
        return quoted[1]
    return scene.people.things[-1] if scene.people.things else None


def _budgets(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    if not _BUDGET_TOPIC.search(low) and not re.search(r"не больше|не более|не дороже|максимум|no more than|at most|up to", low):
        return
    cue = RU_BUDGET if sentence.lang == "ru" else EN_BUDGET
    for found in cue.finditer(low):
        money = find_money(low, found.end(), sentence.lang, scene.tz)
        before = False
        if money is None or money[1] - found.end() > 45 or re.search(r"[.;!?]", low[found.end() : money[1]]):
            money = None
            for start in range(max(0, found.start() - 40), found.start()):
                probe = find_money(low, start, sentence.lang, scene.tz)
                if probe and probe[1] < found.start() and probe[3]:
                    money, before = probe, True
                    break
        if money is None:
            continue
        value, start, end, said = money
        amount = float(value.split()[0])
        around = low[max(0, min(start, found.start()) - 25) : max(end, found.end()) + 25]
        if not said and amount < 1000 or amount <= 0:
            continue
        if re.match(r"\s*(?:%|процент|percent|minutes?|hours?|days?|weeks?|people|мин|час|дн|недел|человек|штук|слов|words|ms|мс|gb|mb|км|kg|кг|символ|раз\b|лет\b|год)", low[end:]):
            continue
        if _NOT_BUDGET.search(around) and not re.search(r"бюджет|budget|cap\b|ceiling|потолок", around):
            continue
        if not _BUDGET_TOPIC.search(around) and not re.search(r"не больше|не более|не дороже|no more than|at most|up to", around):
            continue
        if re.search(r"\b(?:up to|under|over|больше)\b", found[0]) and not _BUDGET_TOPIC.search(low):
            continue
        correct = re.match(rf"(?:,?\s*(?:а\s+)?не\s+[\d\s]+\w*,?\s*а\s+)", low[end:])
        if correct:
            continue
        subject = None
        if sentence.lang == "en":
            verb = re.search(r"\s(?:can't|cannot|won't|has a budget|'s budget|has capped)\b", low)
            thing = _thing_before_en(sentence.text, verb.start()) if verb and verb.start() < found.start() + 6 else None
            owned = re.search(r"([A-Z][\w&.-]+(?:\s[A-Z][\w&.-]+)*)['’]s (?:hard )?(?:budget|cap|limit|ceiling)", sentence.text)
            if owned:
                thing = owned[1]
            if thing:
                scene.people.learn_thing(thing)
                subject = SubjectRef(name=thing, is_speaker=False)
        if subject is None and _THEIRS.search(low):
            thing = _their_thing(sentence, scene)
            if thing is None:
                return
            subject = SubjectRef(name=thing, is_speaker=False)
        who = Who.first if subject is None else Who.open
        mode = Mode.change if RU_RAISE.search(low) or re.search(r"\b(?:raise|raised|bumped|bump|cut|now|new|increase)\w*\b", low) else Mode.state
        yield Found("budget_limit", value, min(found.start(), start), max(found.end() if not before else end, end), mode, who, subject, verb=found.start(), confidence=0.88, dated=mode is Mode.change)
        return


def _deadlines(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    if _NO_DEADLINE.search(low):
        return
    hard = (RU_HARD if sentence.lang == "ru" else EN_HARD).search(low)
    if hard is None:
        return
    cue = hard[0]
    if _PERSONAL_TASK.search(cue):
        return
    explicit = re.search(r"дедлайн|срок|не позже|не позднее|deadline|due|no later|closes", cue) is not None
    subject = None
    if sentence.lang == "en":
        thing = None
        named = re.search(r"\bdeadline for (?:the\s+)?([\w][\w\s&'-]{1,40}?) is\b", sentence.text)
        if named:
            thing = named[1]
        else:
            verb = re.search(r"\s(?:must|has to|have to|needs? to|is due|are due|want|wants|ships|launches)\b", low)
            if verb and verb.start() <= hard.end():
                thing = _thing_before_en(sentence.text, verb.start())
            pushed = re.search(r"\b(?:pushed|moved|extended)\s+(?:the\s+)?([A-Z][\w-]+(?:\s[\w-]+)?)\s+(?:back\s+)?to\b", sentence.text)
            if pushed:
                thing = pushed[1]
        they = re.search(r"\bthey (?:want|need|have|must)\b", low)
        if thing is not None:
            if not re.match(r"[A-Z]", thing) or thing.split()[0] not in {"The"}:
                subject = SubjectRef(name=_known_thing(thing, scene), is_speaker=False)
                scene.people.learn_thing(subject.name)
        elif they and scene.people.things:
            subject = SubjectRef(name=scene.people.things[-1], is_speaker=False)
        elif they:
            return
        if not explicit and subject is None and not re.search(r"\b(?:must|has to|have to|needs to|gotta)\b", cue):
            return
        if not explicit and subject is None and re.search(r"\bi\s+(?:need|have|want|gotta|got)\b", low):
            return
    else:
        verb_at = hard.start()
        verbs = re.search(r"\b(?:уходит|должн\w+|должен|надо|нужно|сдать|сдаем|обязан\w*)\b", low)
        if verbs:
            verb_at = min(verb_at, verbs.start())
        ru_thing = _thing_before_ru(sentence, verb_at)
        after = re.search(r"\b(?:дедлайн|срок сдачи|крайний срок)\s+(?:по|для|у)\s+([А-ЯЁA-Zа-яё«][\w»-]*)", sentence.text)
        if ru_thing and ru_thing.lower() not in {"дедлайн", "срок", "напоминаю"}:
            subject = SubjectRef(name=ru_thing, is_speaker=False)
            scene.people.learn_thing(ru_thing)
        elif after and reading(after[1].strip("«»"), "NOUN"):
            pass
        if not explicit and subject is None and re.search(r"\b(?:мне|надо)\b", low) and re.search(r"\bк\s+\d+\s*(?:час|утра|вечера)|\bк\s+(?:врачу|маме)", low):
            return
    if subject is None and _THEIRS.search(low):
        thing = _their_thing(sentence, scene)
        if thing is None:
            return
        subject = SubjectRef(name=thing, is_speaker=False)
    moved = re.search(r"перенес|продлил|сдвинул|pushed|extended|moved", cue + low[:0]) is not None
    yield Found("deadline", "", hard.start(), hard.end(), Mode.change if moved else Mode.state, Who.first if subject is None else Who.open, subject, verb=hard.start(), confidence=0.85, dated=False)


def _known_thing(thing: str, scene: Scene) -> str:
    """The fuller name of a thing named before, where this one begins it ("Orion" → "Orion beta")."""
    fuller = [n for n in scene.people.things if n.lower().startswith(thing.lower())]
    return fuller[-1] if fuller else thing


def _legal(sentence: Sentence) -> Iterator[Found]:
    low = sentence.low
    found = LEGAL.search(low)
    if found is None or not _LEGAL_FORCE.search(low):
        return
    barred = EN_LEGAL_OBJECT.search(low)
    if barred:
        words = barred["what"].split()
        verb = re.sub(r"ing$", "", words[0])
        value = f"no {verb} {' '.join(words[1:])}".strip()
        value = value.replace("no contact former", "no contact with former")
        yield Found("legal_constraint", value, barred.start(), barred.end(), Mode.state, Who.open, verb=found.start(), confidence=0.8)
        return
    if re.search(r"\b(?:thriller|exam|course|student|вуз|курс|экзамен|преподаю|учу|career|debate)\b", low):
        return
    clause = _cut_dates(sentence)
    yield Found("legal_constraint", clause, 0, len(sentence.text), Mode.state, Who.first, confidence=0.7)


def _cut_dates(sentence: Sentence) -> str:
    text = TAG.sub("", sentence.text)
    return sentence_case(text)[:200]


def _requirements(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    rules = (RU_RULES if sentence.lang == "ru" else EN_RULES).search(text)
    if rules:
        thing = re.sub(r"\s+(?:service|project|сервиса|проекта)$", "", rules["thing"].strip(" «»"))
        scene.people.learn_thing(thing)
        subject = SubjectRef(name=thing, is_speaker=False)
        at = rules.start("list")
        for piece in re.finditer(r"[^,;]+?(?=,\s*(?:and\s+|и\s+)?|;|$)", rules["list"]):
            rule = re.sub(r"^(?:\s*(?:,|and|и)\s+)+", "", piece[0].strip(" ,;")).strip()
            rule = re.sub(r"^(?:and|и)\s+", "", rule)
            if 2 <= len(rule.split()) <= 15:
                yield Found("requirement", sentence_case(rule), at + piece.start(), at + piece.end(), Mode.state, subject=subject, confidence=0.8, dated=False)
        return
    must = MUST.search(low)
    if must is None:
        return
    ru = must["ru"] is not None
    mandatory = re.search(r"mandatory|required|non-?negotiable|hard requirement|обязательн\w+ (?:требование|условие)|требовани|жестк\w+ требовани", must[0]) is not None
    thing_before = _THING.search(low[: must.start()])
    thing_after = _THING.search(low[must.end() : must.end() + 40])
    if re.search(r"\b(?:must have|must be (?:nice|fun|hard|so|great|tough|the|a)|must've|must admit|must say|i must|you must|we must|never (?:been|seen|had|knew|thought|did|was|mind|know)|i never|i've never|should never|they must|she must|he must)\b", low):
        return
    if not ru:
        it = re.search(r"\bit must (?:run|work|support|fit|use|keep|stay|load|handle)\b", low)
        named = _thing_before_en(text, must.start() - 1 if must.start() else 0)
        if it and scene.people.things:
            value = re.sub(r"^it\s+", "", low[it.start() :]).strip(" .!")
            yield Found("requirement", value, it.start(), len(text), Mode.state, subject=SubjectRef(name=scene.people.things[-1], is_speaker=False), confidence=0.75, dated=False)
            return
        if not (mandatory or (thing_before and re.match(r"must", must[0])) or named and re.match(r"(?:must|has to|needs? to)", must[0]) and thing_after):
            return
    elif not (mandatory or thing_before and re.match(r"должн|должен|обязан", must[0]) or (thing_before or thing_after) and re.match(r"нельзя|запрещ|никогда не|ни в коем|строго", must[0])):
        return
    if re.search(r"\b(?:by|before|до|к)\s+(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri)", low[must.end() :]) and not mandatory:
        return
    value = re.sub(r"^(?:(?:and|also|plus|so|и|а|ещё|еще|кстати)[,:]?\s+)+", "", sentence_case(TAG.sub("", text)), flags=re.IGNORECASE)
    value = re.sub(r"^(?:у заказчика\s+)?(?:жёсткое|жесткое|обязательное)\s+(?:требование|условие)\s*[,:—-]?\s*", "", value, flags=re.IGNORECASE)
    if 2 <= len(value.split()) <= 25:
        yield Found("requirement", value, 0, len(text), Mode.state, Who.first, confidence=0.7, dated=False)


def tagged(sentence: Sentence) -> Iterator[Found]:
    """What a sentence that its writer marked as critical demands, where nothing finer was found."""
    low = sentence.low
    if LEGAL.search(low):
        yield Found("legal_constraint", sentence_case(TAG.sub("", sentence.text))[:200], 0, len(sentence.text), Mode.state, Who.first, confidence=0.75)
    elif re.search(r"\b(?:must|never|always|only|no\b|not|don't|do not|cannot|can't|required|mandatory|every|нельзя|никогда|всегда|только|никаких|не\b|без|обязательн\w+|строго|запрещ\w+|должн\w+|должен|каждый|каждая)\b", low):
        yield Found("requirement", sentence_case(TAG.sub("", sentence.text))[:200], 0, len(sentence.text), Mode.state, Who.first, confidence=0.75, dated=False)
