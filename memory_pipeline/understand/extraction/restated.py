"""Sentences told in a roundabout order, put into the plain one and read by the rules.

"What I'm allergic to is nuts" says that I'm allergic to nuts, "переехав в Казань в мае, я …" that I moved
there in May. A form says nothing of what is told in it, so one form serves every predicate. What the
plain words say is said by all the characters that they were made of.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import subject_of
from memory_pipeline.understand.gated import Gated, Gates
from memory_pipeline.understand.morphology import lemma, like, parses

Read = Callable[[Sentence, Scene], Sequence[Found]]
Plain = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True)
class _Form:
    """An expression over a sentence as written, the plain words for what it matches (None: it is no such
    form after all), whether the rules misread what stands there, and whether it is to come."""

    expression: Gated
    plain: Plain
    is_misread: bool = False
    is_coming: bool = False


def restated(
    founds: Sequence[Found], sentence: Sentence, scene: Scene, read: Read
) -> tuple[Found, ...]:
    """The findings of a sentence with those of its roundabout parts."""
    out = list(founds)
    forms, gates = _FORMS["ru" if sentence.lang == "ru" else "en"]
    for form in (forms[n] for n in gates.passed(sentence.text)):
        said = form.expression.search(sentence.text)
        if said is None:
            continue
        words = form.plain(said)
        if words is None:
            continue
        start, end = said.span()
        plain = list(_read(words, sentence, scene, read))
        if form.is_misread and plain:
            out = [f for f in out if not (f.start < end and start < f.end)]
        for found in plain:
            same = [f for f in out if f.predicate == found.predicate and _is_same(f, found)]
            if found.subject is not None:
                # what the rules read in the clause alone says of nobody
                out = [f for f in out if f not in same or f.who is not Who.third or f.subject]
            elif same:
                continue
            if form.is_coming:
                found = replace(found, is_later=True, dated=True)
                if found.mode is Mode.state:
                    found = replace(found, mode=Mode.change)
            out.append(replace(found, start=start, end=end, verb=start))
    return tuple(out)


def _is_same(one: Found, other: Found) -> bool:
    """Whether two values are one, or one of them a part of the other ("nut", "nuts")."""
    if not isinstance(one.value, str) or not isinstance(other.value, str):
        return one.value == other.value
    a, b = fold(one.value), fold(other.value)
    return a in b or b in a


def _read(words: str, sentence: Sentence, scene: Scene, read: Read) -> Iterator[Found]:
    plain = Sentence(words, 0, sentence.lang, None)
    for found in read(plain, scene):
        if plain.block_between(found.start, found.end) is not None:
            continue
        subject = subject_of(found, plain, scene, _nobody)
        if subject is None:
            continue
        if subject.is_speaker:
            yield replace(found, who=Who.first, subject=None)
        else:
            yield replace(found, who=Who.third, subject=subject)


def _nobody() -> SubjectRef | None:
    return None


def _form(
    expression: str, plain: str | Plain, *, is_misread: bool = False, is_coming: bool = False
) -> _Form:
    made = plain if callable(plain) else _expanded(plain)
    return _Form(Gated(expression, re.IGNORECASE), made, is_misread, is_coming)


_STRESS = re.compile(
    r" (?:really|most|actually|absolutely|truly|simply|definitely|always)\b", re.IGNORECASE
)


def _expanded(template: str) -> Plain:
    return lambda said: _STRESS.sub("", said.expand(template))


_KIN = (
    r"brother|sister|son|daughter|husband|wife|mother|father|mom|mum|dad|cousin|uncle|aunt|nephew|niece|"
    r"grandmother|grandfather|grandma|grandpa|partner|girlfriend|boyfriend|fiancée?|stepson|stepdaughter"
)
_I = r"(?:i|we)"
_REST = r"[^.,;!?()]+"

_FORMS_EN: tuple[_Form, ...] = (
    # a relative of whom a clause tells: "I have a brother who lives in York"
    _form(
        rf"\b{_I}(?:'ve|’ve| have)(?: got)? (?:an?|one|another) (?:\w+ )?(?P<kin>{_KIN}) who(?P<vp>(?:'s|’s)? {_REST})",
        r"my \g<kin>\g<vp>",
    ),
    # the main clause after one that is put in: "my sister, who works at Acme, is 34"
    _form(
        rf"\b(?P<np>(?:my|our) (?:{_KIN})(?: [A-Z][\w-]+)?), who {_REST}, (?P<vp>{_REST})",
        r"\g<np> \g<vp>",
    ),
    # "my brother Tom, a nurse at Acme, …"
    _form(
        rf"\b(?P<np>(?:my|our) (?:{_KIN})(?: [A-Z][\w-]+)?), (?P<vp>an? {_REST}), ",
        r"\g<np> is \g<vp>",
    ),
    # "what I'm allergic to is nuts", "the one thing I can't eat is gluten", "the city I live in is York"
    _form(
        rf"^(?:(?:so|well|and|but) )?(?:what|the (?:(?:one|only|main|first|other) )?(?:thing|food|foods|company|firm|place|city|town|language|tool|"
        rf"drug|medicine|medication|sport|drink)s?(?: that| which)?) (?P<c>{_I}(?:'m|’m| am|'ve|’ve)?(?: (?!(?:at|in|on|for|with|about|of) (?!is |are |was )\w+ )[\w'’-]+)+?) (?:is|are|was) (?!when\b|where\b|why\b|how\b|that\b|to\b)(?P<o>{_REST})",
        r"\g<c> \g<o>",
        is_misread=True,
    ),
    # "nuts are something I'm allergic to", "Acme is the company I work for"
    _form(
        rf"^(?P<o>[\w' -]{{2,40}}?) (?:is|are) (?:something|what|the (?:one |only )?(?:thing|food|company|firm|place|city|town|language|tool)|an? (?:thing|company|firm|place|food|city|town))"
        rf"(?: that| which)? (?P<c>{_I}(?:'m|’m| am|'ve|’ve)? {_REST})(?=[.!]*$)",
        r"\g<c> \g<o>",
    ),
    # "York is where I live now"
    _form(
        rf"^(?P<o>[A-Z][\w' -]{{1,30}}?) is where (?P<c>{_I}(?:'m|’m| am)? (?:\w+ )?(?P<v>live|living|based|work|stay|staying|working))\b",
        lambda said: (
            f"{said['c']} {'at' if said['v'].lower().startswith('work') else 'in'} {said['o']}"
        ),
    ),
    # "having moved to York last year, I …", "being vegetarian, I …"
    _form(rf"^having (?P<vp>\w+ {_REST}), (?={_I}\b)", r"I \g<vp>", is_misread=True),
    _form(rf"^being (?P<vp>{_REST}), (?={_I}\b)", r"I'm \g<vp>"),
    _form(
        rf"^(?P<vp>(?:working|living|studying) {_REST}), (?={_I}(?:'m|’m| am|'ve|’ve|\b))",
        r"I'm \g<vp>",
    ),
    # "as a nurse at Acme, I …"
    _form(rf"^as (?P<vp>an? (?!kid|child|teen|student|result|rule|joke|test|gift|favou?r|side|last|first|final|backup)\w{_REST}), (?={_I}\b(?! (?:was|used|had)))", r"I'm \g<vp>", is_misread=True),
    # what was decided is planned
    _form(
        rf"\b(?P<i>{_I})(?:'ve|’ve| have)? (?:(?:finally|already|just) )?(?:decided|agreed|chosen|committed) to (?P<vp>(?:move|relocate|join|go back|return) {_REST})",
        r"\g<i>'m going to \g<vp>", is_coming=True,
    ),
    _form(
        rf"\boffered me (?P<o>(?:an?|the) (?:job|position|role|place){_REST}?) (?:and|so|,) ?i (?:\w+ )?(?:accepted|took it|said yes|signed)",
        r"I accepted \g<o>",
    ),
    # "I happen to live in York", "I'm supposed to take metformin"
    _form(rf"\b(?P<i>{_I}) (?:happen|get) to (?P<vp>(?:live|work|own|speak|love|hate|know) {_REST})", r"\g<i> \g<vp>"),
    _form(rf"\b(?P<i>{_I})(?:'m|’m| am) supposed to (?P<vp>(?:take|avoid|eat) {_REST})", r"\g<i> have to \g<vp>"),
    # "I kinda hate mushrooms"
    _form(rf"\b(?P<i>{_I}(?:'m|’m| am)?)(?: (?:kinda|sorta|kind of|sort of|lowkey|low-key|legit|straight up|def|deffo|fr))+ (?P<vp>{_REST})", r"\g<i> \g<vp>"),
    # "I used to be vegetarian but now I eat fish"
    _form(rf"\b{_I} used to be (?:an? )?(?P<o>[\w-]+(?: [\w-]+)?),? (?:but|though) (?:now|not (?:any ?more|these days)|i)\b", r"I'm no longer \g<o>"),
    _form(rf"\b{_I} used to (?P<vp>(?:work|live|take|use|play|eat|drink|own|have) {_REST}?),? (?:but|though) (?:not (?:any ?more|these days|now)|no longer)\b", r"I no longer \g<vp>"),
    _form(rf"\bneither of us (?P<v>eat|drink|like|own|use)s? (?P<o>{_REST})", r"we don't \g<v> \g<o>"),
    # an age to come
    _form(r"\b(?P<i>i)(?:'ll|’ll| will) (?:be|turn) (?P<o>\d{1,2})(?= (?:in|on|next|this|tomorrow|come)\b)", r"I'm \g<o>", is_coming=True),
    _form(rf"\b(?P<np>my (?:{_KIN})(?: [A-Z][\w-]+)?)(?:'s|’s| is| will be| turns| is going to be|'ll be)(?: turning)? (?P<o>\d{{1,2}})(?= (?:in|on|next|this|tomorrow|come)\b)", r"\g<np> is \g<o>", is_coming=True),
    # "my contract with Acme ends in June"
    _form(rf"\bmy (?:contract|employment|job|stint|internship|fellowship|time) (?:with|at) (?P<o>[A-Z][\w&.' -]*?) (?:ends|expires|runs out|is up|finishes|is over)\b(?P<when>(?: {_REST})?)", r"I'm leaving \g<o>\g<when>", is_coming=True),
    # a wife in brackets, and where somebody works put in: "at Acme, where I work, …"
    _form(rf"^(?P<n>[A-Z][a-z]+) \((?P<k>(?:my|our) (?:{_KIN}))\) (?P<vp>[^.;!?()]+)", r"\g<k> \g<n> \g<vp>"),
    _form(rf"\b(?P<at>at|in) (?P<o>[A-Z][\w&.' -]*?), where (?P<c>{_I}(?:'m|’m| am)? (?:\w+ )?(?:work|live|working|living|based))\b", r"\g<c> \g<at> \g<o>"),
    _form(rf"\b{_I}(?:'d|’d| would)? (?:describe|consider|call|see) myself (?:as )?(?P<o>(?:an? )?[\w-]+(?: [\w-]+)?)(?=[.,!;]|$)", r"I'm \g<o>"),
    # how strict a diet or how bad an allergy is
    _form(rf"\b{_I}(?: (?:strictly|religiously|mostly|always|only|try to))? (?:follow|adhere to|keep to|stick to|observe|maintain) (?:an? )?(?:(?:very |fairly )?strict(?:ly)? )?(?P<o>vegan|vegetarian|pescatarian|plant-based|kosher|halal) diet", r"I'm \g<o>"),
    _form(rf"\b{_I} have (?:an? )?(?:very )?(?:severe|serious|bad|mild|life-threatening|terrible|strong|deadly) (?P<o>[\w -]+?) allerg(?:y|ies)\b", r"I'm allergic to \g<o>"),
    _form(rf"\b{_I} (?:always |strictly )?avoid (?:any |all )?(?:foods?|products?|dishes|anything|everything)(?: that| which)? (?:contains?|containing|with|made with|made of) (?P<o>{_REST})", r"I don't eat \g<o>"),
    _form(rf"\b{_I} (?:never|don't|don’t) eat (?:anything|foods?|dishes) (?:that contains?|containing|with) (?P<o>{_REST})", r"I don't eat \g<o>"),
    # words put in: "I am, as you know, vegetarian"
    _form(
        rf"\b(?P<i>{_I}(?:'m|’m| am| have|'ve|’ve)?), (?:as (?:you|i) (?:may |might )?(?:know|said|mentioned)|of course|by the way|alas|believe it or not|like (?:my \w+|you)|like everyone else|surprise|as ever|as always), (?P<vp>{_REST})",
        r"\g<i> \g<vp>",
    ),
)  # fmt: skip


def _past_of(word: str) -> str | None:
    """The past of a participle that tells of a thing done ("переехав": "переехал")."""
    for parse in parses(word):
        if parse.tag.POS == "GRND" and "past" in parse.tag:
            made = parse.inflect({"VERB", "past", "masc", "sing"})
            if made is None:
                done = next((p for p in parses(parse.normal_form) if p.tag.POS == "INFN"), None)
                made = done.inflect({"past", "masc", "sing"}) if done else None
            return made.word if made else None
    return None


def _present_of(word: str) -> str | None:
    """The first person of a participle that tells of what goes on ("работая": "работаю")."""
    for parse in parses(word):
        if parse.tag.POS == "GRND" and "pres" in parse.tag:
            done = next((p for p in parses(parse.normal_form) if p.tag.POS == "INFN"), None)
            made = done.inflect({"pres", "1per", "sing"}) if done else None
            return made.word if made else None
    return None


_ONGOING = {"живя": "живу"}
"""Those that are read as forms of a rarer verb, too."""


def _participle(said: re.Match[str]) -> str | None:
    word = said["v"].lower()
    verb = _ONGOING.get(word) or _past_of(word) or _present_of(word)
    return f"Я {verb}{said['rest']}" if verb else None


def _in_case(words: str, case: str) -> str | None:
    """A short phrase in another case, word by word; None where a word has none."""
    out = []
    for word in words.split():
        parse = next((p for p in parses(word) if p.tag.case in ("nomn", "accs")), None)
        made = parse.inflect({case}) if parse else None
        if made is None:
            return None
        out.append(like(word, made.word))
    return " ".join(out)


_CASE_OF = {"в": "loct", "на": "loct"}


def _cleft_place(said: re.Match[str]) -> str | None:
    value = said["o"].strip()
    if value[:1] in '«"':
        return f"{said['c']} в {value}"
    where = _in_case(value, "loct")
    return f"{said['c']} в {where}" if where else None


def _cleft_object(said: re.Match[str]) -> str | None:
    """ "чего я не ем, так это мяса": the words after are in the case that the verb asks for, or named."""
    return f"{said['c']} {said['o']}"


def _being(said: re.Match[str]) -> str | None:
    """ "Считаю себя веганом", "как диабетику": what somebody is, in the nominative."""
    parse = next((p for p in parses(said["vp"]) if p.tag.case in ("ablt", "datv")), None)
    made = parse.inflect({"nomn"}) if parse else None
    return f"Я {made.word}" if made else None


def _leaving(said: re.Match[str]) -> str | None:
    """Whom somebody leaves whose contract with them ends."""
    firm = said["o"].strip()
    if firm[:1] not in '«"':
        parse = next((p for p in parses(firm) if p.tag.case in ("ablt", "loct")), None)
        made = parse.inflect({"gent"}) if parse else None
        if made is None:
            return None
        firm = like(firm, made.word)
    return f"Я увольняюсь из {firm}{said['when']}"


def _arrival(said: re.Match[str]) -> str | None:
    parse = next((p for p in parses(said["v"]) if p.tag.POS == "INFN"), None)
    if parse is None or lemma(said["v"]) not in ("переехать", "перебраться", "вернуться", "уехать"):
        return None
    made = parse.inflect({"futr", "1per", "sing"})
    return f"Я {said['when'] or ''}{made.word}{said['rest']}" if made else None


_FORMS_RU: tuple[_Form, ...] = (
    _form(r"^(?P<v>[а-яё]+(?:вшись|вши|в|ясь|я|а|учи))(?P<rest>\s[^,.;!?]+),\s+(?=(?:я|мы)\b)", _participle),
    _form(r"^будучи\s+(?P<vp>[^,.;!?]+),", lambda said: f"Я {_named(said['vp'])}" if _named(said["vp"]) else None),
    # "город, в котором я живу, — Казань", "Казань — город, где я живу"
    _form(
        r"^(?:город|место|компания|фирма|контора|посёлок|деревня|страна)\s?,\s+(?:где|в которо[мй])\s+(?P<c>(?:я|мы)\s+(?:\w+\s+)?(?:живу|живем|живём|работаю|работаем))\s?,?\s+(?:[—–-]\s+)?(?:это\s+)?(?P<o>[«\"A-ZА-ЯЁ][^,.;!?]*)",
        _cleft_place,
    ),
    _form(
        r"^(?P<o>[«\"A-ZА-ЯЁ][^,.;!?—–]*?)\s+[—–-]\s+(?:это\s+)?(?:тот\s+)?(?:город|место|компания|фирма|контора|посёлок|деревня)\s?,\s+(?:где|в которо[мй])\s+(?P<c>(?:я|мы)\s+(?:\w+\s+)?(?:живу|живем|живём|работаю|работаем))\b",
        _cleft_place,
    ),
    _form(r"^то,\s+на\s+что\s+(?P<c>у\s+меня\s+аллергия)\s?,?\s+(?:[—–-]\s+)?это\s+(?P<o>[^,.;!?]+)", r"\g<c> на \g<o>"),
    _form(r"^(?:то|единственное|вот)\s?,?\s+чего\s+(?P<c>я\s+(?:\w+\s+)?не\s+\w+)\s?,?\s+(?:[—–-]\s+|так\s+)?(?:это\s+)?(?P<o>[^,.;!?]+)", _cleft_object),
    _form(r"^чего\s+(?P<c>я\s+(?:\w+\s+)?не\s+\w+)\s?,?\s+так\s+это\s+(?P<o>[^,.;!?]+)", _cleft_object),
    _form(r"\b(?:я|мы)?\s*реши(?:л|ла|ли)\s+(?P<when>(?:в|с|со|через)\s[^,.;!?]+?\s)?(?P<v>\w+(?:ть|ться|ти))(?P<rest>\s[^,.;!?]+)", _arrival, is_coming=True),
    _form(r"\bпредложил[аи]?\s+(?:мне\s+)?(?P<o>работу\s[^,.;!?]+),\s+(?:и\s+)?(?:я\s+)?соглас\w+", r"Я устроился на \g<o>"),
    _form(r"\bраньше\s+(?:я\s+)?был[аи]?\s+(?P<vp>[а-яё-]+)\s?,\s+(?:а\s+|но\s+)?(?:теперь|сейчас)\b", lambda said: f"Я больше не {_named(said['vp'])}" if _named(said["vp"]) else None),
    _form(r"\bмой\s+(?:контракт|договор)\s+(?:с|со)\s+(?P<o>[«\"A-ZА-ЯЁ][^,.;!?]*?)\s+(?:заканчивается|кончается|истекает)\b(?P<when>(?:\s[^,.;!?]+)?)", _leaving, is_coming=True),
    # "считаю себя веганом", "как диабетику, мне …"
    _form(r"\b(?:я\s+)?считаю\s+себя\s+(?P<vp>[а-яё-]+)(?=\s*(?:[.,!;]|$))", _being),
    _form(r"^как\s+(?P<vp>[а-яё-]+у)\s?,\s+(?=мне\b)", _being),
    # who somebody is, in brackets
    _form(r"^(?P<n>[А-ЯЁ][а-яё]+)\s+\((?P<k>(?:мо[йя]|наш[а]?)\s+[а-яё]+)\)\s*(?P<vp>[—–-]?\s*[^.;!?()]+)", r"\g<k> \g<n> \g<vp>"),
    # "в Казани, где я живу, дожди"
    _form(r"\b(?P<o>(?:в|на)\s+[«\"A-ZА-ЯЁ][^,.;!?]*),\s+где\s+(?P<c>(?:я|мы)\s+(?:\w+\s+)?(?:живу|живем|живём|работаю|работаем))\b", r"\g<c> \g<o>"),
    # "кофе — мой любимый напиток"
    _form(r"^(?P<o>[\w -]{2,30}?)\s+[—–-]\s+(?:это\s+)?(?P<c>(?:мой|моя|моё|мое|наш|наша)\s+(?:самы[йе]\s+)?(?:любим\w+)\s+[а-яё]+)(?=\s*(?:[.,!;]|$))", r"\g<c> — \g<o>"),
    # "уже два года, как я переехал в Казань"
    _form(r"\b(?:год\w*|лет|месяц\w*|недел\w+),?\s+как\s+(?P<c>(?:я|мы)\s+[^,.;!?]+)", r"\g<c>"),
    # "проект надо сдать 5 мая", "у нас время до 5 мая"
    _form(r"\b(?:проект|отчёт|отчет|диплом|курсовую|работу|заказ|макет|макеты|статью|заявку|документы|всё|все)\s+(?:нам\s+|мне\s+)?(?:надо|нужно|необходимо|должны|должен|должна)\s+(?:нам\s+|мне\s+)?(?:сдать|закончить|отправить|доделать|подать|завершить)\s+(?:(?:до|к)\s+)?(?P<d>\d{1,2}\s+[а-яё]+)", r"Дедлайн \g<d>"),
    _form(r"\b(?:у\s+(?:нас|меня))\s+(?:есть\s+)?(?:время|срок)\s+(?:только\s+)?до\s+(?P<d>\d{1,2}\s+[а-яё]+)", r"Дедлайн \g<d>"),
    # the first and the last day of a job
    _form(r"\bперв(?:ый|ого)\s+(?:рабочий\s+)?день\s+(?P<o>в\s+[«\"A-ZА-ЯЁ][^,.;!?]*)", r"Я начинаю работать \g<o>", is_coming=True),
    _form(r"\bпоследний\s+(?:рабочий\s+)?день\s+в\s+(?P<o>[«\"A-ZА-ЯЁ][^,.;!?]*)(?P<when>)", _leaving, is_coming=True),
    _form(r"\bмоя\s+работа\s+(?P<o>[а-яё-]+(?:ом|ем|ой|ей|ым|им)\s[^,.;!?]*?)\s*(?=\s(?:мне|меня|нравится|бесит|надоел\w*|такая|очень|не)\b|\s[—–-]\s)", r"Я работаю \g<o>"),
    # an age to come
    _form(r"\b(?:мне\s+(?:скоро\s+|уже\s+)?(?:стукнет|исполнится|исполняется)|стукнет)\s+(?P<o>[а-яё]+|\d{1,2})(?=\s*(?:[.,!;]|$))", r"Мне \g<o>", is_coming=True),
    _form(r"\b(?P<who>(?:дочке|дочери|сыну|жене|мужу|брату|сестре|маме|папе)(?:\s+[А-ЯЁ][а-яё]+)?)\s+(?:на следующей неделе|завтра|послезавтра|через\s\w+|в\s\w+|\d{1,2}(?:-го)?(?:\s\w+)?)\s+(?:исполнится\s+|будет\s+|исполняется\s+|стукнет\s+)?(?P<o>\d{1,2})(?:\s+(?:лет|год|года))?(?=\s*(?:[.,!;]|$))", r"\g<who> \g<o> лет", is_coming=True),
    _form(r"\b(?:я\s+)?избегаю\s+(?P<o>[а-яё-]+(?:\s[а-яё-]+)?)(?=\s*(?:[.,!;]|$))", r"Я не ем \g<o>"),
    # words put in: "живу, как и раньше, в Казани"
    _form(r"\b(?P<v>живу|живём|живем|работаю|работаем|люблю|ненавижу|предпочитаю),\s+(?:как\s+(?:и\s+)?(?:раньше|прежде|всегда|обычно|вы знаете|ты знаешь|говорил[аи]?)|к сожалению|к счастью|кстати|между прочим|увы|слава богу),\s+(?P<rest>[^,.;!?]+)", r"\g<v> \g<rest>"),
)  # fmt: skip
_FORMS = {
    lang: (forms, Gates([form.expression] for form in forms))
    for lang, forms in (("ru", _FORMS_RU), ("en", _FORMS_EN))
}


def _named(words: str) -> str | None:
    """What somebody is, told in the instrumental, in the nominative."""
    first, *rest = words.split()
    parse = next((p for p in parses(first) if p.tag.case == "ablt"), None)
    made = parse.inflect({"nomn"}) if parse else None
    return " ".join([made.word, *rest]) if made else None
