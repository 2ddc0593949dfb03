"""Facts that an exchange makes: a request answered, an announcement filled in later, a denial that
names whom it is true of, a question about somebody else confirmed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache

from memory_pipeline.contracts.statement import Span, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.extraction.constructions.requests_ru import REQUESTS_RU
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.people import relative_kind
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.rules.pets import PET_EN, pet_kind_ru
from memory_pipeline.understand.extraction.sentences import Sentence, lower, split_sentences
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated

Evidence = tuple[Span, ...]
Told = list[tuple[Statement, Evidence]]

MAX_ANSWER = 90
_LONGEST_WAIT = timedelta(hours=12)
_N_BACK = 5

_ASKED = re.compile(
    r"\?|\b(?:нуж(?:ен|на|но|ны)|укажите|назовите|напишите|подскажите|уточните|пришлите|сообщите|скажите|назови|напиши|подскажи|укажи|скинь|"
    r"i(?:'ll)? need|we need|please|could you|can you|tell me|give me|send me|what|which|confirm|need your)\b"
)
_REQUESTS: tuple[tuple[str, Gated, tuple[str, ...], tuple[str, ...]], ...] = (
    ("birth_date", Gated(r"\bдат\w+\s+(?:вашего\s+|твоего\s+)?рождения|когда (?:вы |ты |у вас |у тебя )?(?:родил\w+|день рождения)|ваша дата рожд|birth ?date|date of birth|\bdob\b|birthday|when were you born"), ("дата моего рождения ",), ("my date of birth is ",)),
    ("medication", Gated(r"\b(?:какие|что|какое) (?:\w+ )?(?:лекарства|препараты|таблетки|лекарство|препарат)|(?:лекарства|препараты) (?:вы |ты )?принима\w+|что (?:вы |ты )?(?:принимаете|принимаешь)|what (?:meds|medications?|medicines?|tablets|drugs)|taking (?:any|anything)|(?:any|which) (?:meds|medications?|medicines?)|medications? (?:do you|are you)"), ("принимаю ",), ("i take ",)),
    ("language", Gated(r"\bна каких языках|какими языками|какие языки|what languages|which languages|languages do you|(?:native|first|mother|other) (?:language|tongue)|any (?:other )?languages"), ("говорю на ", "владею языками: ", "говорю "), ("i speak ",)),
    ("pet", Gated(r"\bкак (?:зовут|звать) (?:ваш\w+|тво\w+|кота|кошку|собаку|пса|щенка|котенка|попугая)|кличка|what(?:'s| is) (?:your|the) (?:cat|dog|puppy|kitten|parrot|pet)(?:'s)? name|what(?:'s| is) (?:he|she) called|what did you (?:name|call) (?:him|her|it)|do you have (?:any )?(?:pets|animals|a (?:dog|cat|pet))|any (?:pets|animals)"), (), ()),
    ("tool", Gated(r"\b(?:чем|каким (?:редактором|инструментом)) (?:вы |ты )?пользу\w+|в чем (?:вы |ты )?(?:пишете|пишешь|рисуете|рисуешь|ведете|ведешь|верстаете|монтируете|монтируешь)|what (?:editor|tool|ide|app|software|crm|stack)s? (?:do|are|does)|which (?:editor|tool|ide|app|software)|what do you use|what are you using|you use"), ("пользуюсь ", "пишу в "), ("i use ",)),
    ("address", Gated(r"\b(?:какой|ваш|твой|точный|домашний) адрес|адрес доставки|куда (?:доставить|привезти|везти|прислать)|your (?:home |postal |mailing |delivery |street )?address|where (?:should|do) (?:we|i) (?:deliver|ship|send)|delivery address|(?:deliver|ship|send|post|mail)\b[^.?!]{0,25}\bto \d+[a-z]? [a-z]"), ("мой адрес: ",), ("my address is ",)),
    ("education", Gated(r"\bгде (?:вы |ты )?(?:учил\w+|училась|учишься|учитесь)|какой (?:вуз|университет) (?:вы |ты )?(?:окончил\w*|закончил\w*)|where did you (?:study|go to (?:school|college|university|uni))|what did you study|what(?:'s| is) your degree|your degree in|what are you studying|which (?:uni|university|school|college)|your (?:education|degree|qualifications)|highest qualification"), ("окончил ", "учился в "), ("i graduated from ", "i studied ", "my degree is in ")),
    ("goal", Gated(r"\b(?:какая|в чем) (?:у вас |у тебя |ваша |твоя )?(?:главная )?цель|what(?:'s| is) (?:your|the) (?:main |big )?goal"), ("моя цель — ",), ("my goal is to ", "my goal is ")),
    ("diet", Gated(r"\b(?:есть )?(?:ли )?(?:у вас |у тебя )?(?:ограничения|особенности) (?:в еде|по еде|в питании|питания)|чего (?:вы |ты )?не ед\w+|что (?:вы |ты )?не ед\w+|dietary (?:restrictions|requirements|needs|preferences)|any (?:dietary|diet|food) (?:\w+)|anything you (?:don't|can't|won't) eat|what (?:don't|can't) you eat"), ("я ", "не ем ", "мне без "), ("i'm ", "i don't eat ")),
    ("preference", Gated(r"\bwhat(?:'s| is| are) your (?:fav\w*|preferred|preference)|which (?:do|would) you (?:prefer|rather)|do you prefer|what do you (?:like|prefer)|your preference"), (), ("my favourite is ", "i prefer ")),
    ("dislike", Gated(r"\b(?:anything|what|is there anything) (?:do )?you (?:dislike|hate|don't like|can't stand|really dislike)|any dislikes|pet (?:hates|peeves)|what do you (?:dislike|hate)"), (), ("i hate ",)),
    ("skill", Gated(r"\bwhat are you (?:good|best|great) at|(?:any|what|which) (?:other |special |particular )?(?:skills?|talents?|strengths)|what can you do"), (), ("i'm good at ", "")),
    ("goal", Gated(r"\bwhat are you (?:working towards?|aiming for|hoping to)|(?:any|your|what) (?:big |main |long-term )?goals?|what do you want to achieve"), (), ("my goal is ", "i'm working towards ")),
    ("plan", Gated(r"\b(?:any|what(?:'s| are| is)) (?:your |the )?(?:big )?plans?|what are you (?:doing|up to|planning)|what's next"), (), ("my plan is to ", "the plan is: ", "")),
    ("owns", Gated(r"\bwhat (?:car |vehicle )?do you (?:drive|ride|own)|(?:do|have) you (?:have|own|got) an? (?:car|vehicle|bike|boat|van|house|motorbike|printer|camera|laptop)|which (?:car|phone|laptop|camera) do you"), (), ("i drive ", "i own ", "i have ")),
    ("medical_condition", Gated(r"\b(?:any|what) (?:(?:allergies|meds|medications?|injuries) (?:or|and) )?(?:other |known |existing |pre-existing )?(?:medical |health )?(?:conditions?|issues?|problems?|illness\w*|complaints)|health (?:problems|issues|conditions)|diagnos"), (), ("i suffer from ", "i have ")),
    ("requirement", Gated(r"\b(?:any|what(?: are)?) (?:your |the )?(?:hard |other |special |must-have |key )*(?:requirements?|must-?haves?|dealbreakers|deal-breakers|non-negotiables)"), (), ("requirement: ", "it ")),
    ("relative", Gated(r"\bwhat(?:'s| is| are) your \w+(?:-in-law)?(?:'s|s')? names?|what(?:'s| is) your \w+(?:-in-law)? called|do you have (?:any )?(?:siblings|kids|children|brothers|sisters|brothers or sisters|family)|any (?:kids|siblings|children)|who(?:'s| is) your (?:husband|wife|partner)"), (), ()),
    ("marital_status", Gated(r"\bсемейное положение|marital status|are you (?:married|single|divorced)|relationship status|вы (?:женаты|замужем) или|ты (?:женат|замужем) или"), ("я ",), ("i'm ",)),
)  # fmt: skip
"""What is asked for → the beginnings which make a bare answer a sentence."""

_GOT_RU = r"(?:взял[аи]?|завел[аи]?|купил[аи]?|приютил[аи]?|подобрал[аи]?|появил(?:ся|ась)|подарили|забрал[аи]?|прибил(?:ся|ась)|поселил(?:ся|ась))"
_ANIMAL_RU = r"кот|кош|соба|щен|пес|пса|попуг|хомя|крол|черепах|крыс|хорек|хорьк|такс"
_ANNOUNCED: tuple[tuple[Gated, tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]], ...] = (
    (Gated(r"\b(?:меня взяли|взяли (?:меня )?на работу|приняли на работу|устроил(?:ся|ась)|нашл[аи] работу|нашел работу|нов(?:ая|ую|ой) работ\w+|меняю работу|сменил[аи]? работу|выхожу на (?:новую )?работу|(?:got|landed|found|starting|scored) (?:a |the |my )(?:new )?(?:job|gig|role|position)|new (?:job|gig)\b|found work\b|i'm hired|they hired me|got hired|changing jobs|i start monday|starting (?:a )?new job|accepted an offer|got an offer)"),
     (("employer", ("работаю ", "работаю в "), ("i work ", "i work at ")), ("job_title", ("работаю ", "теперь я "), ("i'm now a ", "i work as a ")))),
    (Gated(r"\b(?:повысили|повышение|нов(?:ая|ую|ой) должност\w+|новую роль|new (?:job )?title|got promoted|promotion|new role|new position)\b"),
     (("job_title", ("работаю ", "теперь я ", "меня назначили "), ("i'm now a ", "i work as a ")),)),
    (Gated(r"\b(?:переезжа(?:ю|ем)|мы переехали|я переехал[аи]?|сменил[аи]? город|moving cities|we(?:'re| are) moving|i'm moving|we moved|i moved|relocating)\b"),
     (("location", ("переехал ", "переехал в "), ("i moved to ", "i moved ")),)),
    (Gated(r"\b(?:дедлайн\w*|срок\w*|дат[ау]\s+сдачи|сдач[ауи])\b"), (("deadline", ("дедлайн ", "сдать надо "), ()),)),
    (Gated(rf"\b{_GOT_RU}\b[^.!?]*\b(?:{_ANIMAL_RU})|\b(?:{_ANIMAL_RU})[а-я]*\b[^.!?]*\b{_GOT_RU}\b"), (("pet", (), ()),)),
    (Gated(r"\b(?:сын|доч|внук|внуч|племянни)[а-я]*\b[^.!?]*\bродил(?:ся|ась|и|а)\b|\bродил(?:ся|ась|и|а)\b[^.!?]*\b(?:сын|доч|внук|внуч|племянни)"), (("relative", (), ()),)),
)  # fmt: skip
"""News told without its value → what the value may be, and the beginnings that make it a sentence."""

_REFUSED = re.compile(
    r"^(?:no|nope|nah|not me|нет|не|неа|ничего|нигде|никак\w+|none|nothing|never)\b"
)
_SLIPS = re.compile(r"(?:oops|whoops|sorry|wait|typo|correction|scratch|i mean|not\b|ой|тьфу|упс)")
_NAY_BUT = re.compile(r"(?:нет|не|неа|no|nope)\s*[,.—–-]+\s*(?=\w)", re.IGNORECASE)
_AYE_AND = re.compile(
    r"(?:да|ага|угу|конечно|есть|yes|yeah|yep)\s*[,.—–-]+\s*(?=\w)", re.IGNORECASE
)
_SINGLE = frozenset(
    {"marital_status", "location", "employer", "job_title", "age", "birth_date", "address"}
)
_IT_IS = Gated(
    r"^(?:no|nope|nah|not me|нет|не|неа)\b[^.!?]{0,25}?(?:\b(?:that's|thats|it's|its)\b|[-—,]\s*это\b|\bэто\b)"
)
_YES = re.compile(
    r"^(?:да|ага|угу|верно|точно|так и есть|конечно|еще как|по-прежнему|yes|yep|yup|yeah|yea|correct|right|exactly|indeed|sure|still)\b(?!\s+(?:no|but|но|нет))"
)
_NO = re.compile(r"\b(?:нет|не|no|nope|not|только|уже)\b|n't\b")


_ALL_REQUESTS = (*REQUESTS_RU[:1], *_REQUESTS, *REQUESTS_RU[1:])


def asked_for(before: WindowMessage, message: WindowMessage, scene: Scene, told: datetime | None) -> Told:  # fmt: skip
    """The value that was asked for, given bare ("Нужна дата рождения." "3 ноября 1987")."""
    if "?" in message.text:
        return []
    refused = _REFUSED.match(lower(message.text)) is not None
    if refused and _NAY_BUT.match(message.text) is None:
        return []
    asked, requests = lower(before.text), _requests(before.text)
    for predicate, request, ru, en in _ALL_REQUESTS if requests else ():
        if request in requests and (not refused or predicate in _SINGLE):
            carriers = ru if language_of(message) == "ru" else en
            if predicate == "pet":
                carriers = tuple(_pet_carriers(asked, language_of(message)))
            elif predicate == "relative":
                carriers = _kin_carriers(asked)
            found = filled(message, predicate, carriers, scene, told)
            if found:
                return [(s, (Span(start=0, end=len(before.text), back=1), *e)) for s, e in found]
    return []


# a message is asked of in the window after it and read again in the next ones
@lru_cache(maxsize=2048)
def _requests(text: str) -> tuple[Gated, ...]:
    """What a message asks for."""
    low = lower(text)
    if not _ASKED.search(low):
        return ()
    return tuple(request for _, request, _, _ in _ALL_REQUESTS if request.search(low))


@lru_cache(maxsize=2048)
def _news(text: str) -> int | None:
    """Which news a message tells without their value, or None."""
    low = lower(text)
    if len(low) > MAX_ANSWER or low.rstrip().endswith("?"):
        return None
    return next((n for n, (news, _) in enumerate(_ANNOUNCED) if news.search(low)), None)


def _pet_carriers(asked: str, lang: str) -> Iterator[str]:
    """The kind of the animal whose name was asked for, as the beginning of an answer."""
    for word in re.findall(r"[\w-]+", asked):
        plain = word.removesuffix("'s").removesuffix("s")
        kind = pet_kind_ru(word) if lang == "ru" else plain if re.fullmatch(PET_EN, plain) else None
        if kind:
            yield f"у меня {kind} " if lang == "ru" else f"my {kind} is called "
    if lang == "en":
        yield "i have "


def _born_carriers(said: str) -> Iterator[str]:
    """The kind of the relative who was born, as the beginning of a sentence that names them."""
    for word in re.findall(r"[а-я]+", said):
        kind = relative_kind(word)
        if kind in ("сын", "дочь", "внук", "внучка", "племянник", "племянница"):
            yield f"у меня {kind} "


_WHOSE = re.compile(
    r"your ([a-z]+(?:-in-law)?)(?:'s|s')? (?:name|called)|(?:is|who's) your ([a-z]+(?:-in-law)?)"
)


def _kin_carriers(asked: str) -> tuple[str, ...]:
    """The kind of the relative whose name was asked for, as the beginning of an answer."""
    found = _WHOSE.search(asked)
    return (f"my {found[1] or found[2]} is called ",) if found else ("i have ",)


def tells_none(low: str) -> bool:
    """Whether an answer is that there is none."""
    return _NONE.fullmatch(low.strip()) is not None


_NONE = re.compile(
    r"(?:no|nope|nah|none|nothing|nil|n/a|not really|not any|none at all|none that i know of|nothing i know of|not that i know of|no allergies|nothing really)\W*"
)


def filled(
    message: WindowMessage,
    predicate: str,
    carriers: tuple[str, ...],
    scene: Scene,
    told: datetime | None,
) -> Told:
    """What a bare value states after each of some beginnings: the first that makes a sentence."""
    text = message.text
    for carrier in carriers:
        out: Told = []
        for start, piece in _pieces(text, predicate):
            shift = len(carrier) - start
            for s in read(carrier + piece, language_of(message), told, scene).statements:
                is_new = s.end > len(carrier) and s.found.mode not in (Mode.end, Mode.cancel)
                if s.found.predicate != predicate or not is_new or not s.subject.is_speaker:
                    continue
                begin = max(0, s.start - shift)
                span = Span(start=begin, end=min(len(text), max(begin + 1, s.end - shift)))
                sure = replace(s.found, confidence=min(s.found.confidence, 0.8))
                out.append((replace(s, sentence=text, found=sure), (span,)))
            if out:
                return out
    return []


def _pieces(text: str, predicate: str) -> Iterator[tuple[int, str]]:
    """The answer, and, where it tells more than was asked, each of its parts."""
    yield 0, text
    lead = _NAY_BUT.match(text) or _AYE_AND.match(text)
    if lead is not None:
        yield lead.end(), text[lead.end() :]
    if predicate in (
        "employer",
        "job_title",
        "location",
        "education",
        "address",
        "pet",
        "relative",
    ):
        at = 0
        for part in re.split(r"([,.!]+\s+)", text):
            if part.strip(" ,.!") and at:
                yield at, part
            at += len(part)
        first = re.match(r"[^,.!]+", text)
        if first and first.end() < len(text):
            yield 0, first[0]


_EITHER = re.compile(
    r"(?:^|[.!?]\s+)(?:(?:do|would) you (?:prefer|like|rather have)\s+|(?:so|and|ok|okay)[,:]?\s+)?(?P<a>[a-z][a-z' -]{2,22}?)\s+or\s+(?P<b>[a-z][a-z' -]{2,22})\?\s*$"
)
_CHOICE = re.compile(
    r"(?:(?:definitely|always|the|oh|probably|an?)\s+)*(?P<a>[a-z][a-z' -]{2,22}?)(?:,?\s+(?:please|thanks|definitely|always|every time|for sure|obviously|hands down|any day))*(?=\s*(?:[.,!;]|$))"
)
_PASSING = re.compile(
    r"\b(?:today|tomorrow|tonight|now|later|yes|no|this|that|first|second|both|either|neither|me|you|him|her|go|stay|call|text|wait|more|less|new|old|left|right|on|off|up|down|in|out|\w+day|next|before|after|one|two|keep|delete|send|skip|true|false|not)\b"
)


def chosen(before: WindowMessage, message: WindowMessage, scene: Scene, told: datetime | None) -> Told:  # fmt: skip
    """The one of two things that an answer takes ("Gas or induction?" "Induction.")."""
    if language_of(message) != "en" or " or " not in before.text or "?" in message.text:
        return []
    either = _EITHER.search(lower(before.text))
    choice = _CHOICE.match(lower(message.text))
    if either is None or choice is None or _PASSING.search(f"{either['a']} {either['b']}"):
        return []
    taken = [side for side in (either["a"], either["b"]) if side.split()[-1] == choice["a"].split()[-1]]  # fmt: skip
    if len(taken) != 1 or len(f"{either['a']} {either['b']}".split()) > 6:
        return []
    carrier = "i prefer "
    answer = message.text[choice.start("a") : choice.end("a")]
    return [
        (
            replace(s, sentence=message.text),
            (Span(start=0, end=len(before.text), back=1), Span(start=0, end=choice.end("a"))),
        )
        for s in read(carrier + answer, "en", told, scene).statements
        if s.found.predicate == "preference"
    ]


def announced(window: Window, scene: Scene, told: datetime | None, said: set[str]) -> Told:
    """The value of the speaker's own news of a moment ago ("меня взяли" … "в «Полиграф-Юг»")."""
    *earlier, message = window.messages
    text = message.text
    if len(text) > MAX_ANSWER or "?" in text or _REFUSED.match(lower(text)):
        return []
    if _SLIPS.match(lower(text)):
        return []
    for back, before in enumerate(reversed(earlier[-_N_BACK:]), start=1):
        if before.speaker != message.speaker or before.role is not Role.user:
            continue
        which = _news(before.text)
        if which is None:
            continue
        moment = local_time(before, window.tz)
        if told is not None and moment is not None and told - moment > _LONGEST_WAIT:
            return []
        out: Told = []
        for predicate, ru, en in _ANNOUNCED[which][1]:
            if predicate in said or _states(before, predicate, window.tz, scene):
                continue
            carriers = ru if language_of(message) == "ru" else en
            if predicate == "pet":
                carriers = tuple(_pet_carriers(lower(before.text), language_of(message)))
            elif predicate == "relative":
                carriers = tuple(_born_carriers(lower(before.text)))
            span = Span(start=0, end=len(before.text), back=back)
            for s, e in filled(message, predicate, carriers, scene, told)[:1]:
                out.append((_changed(s, told), (span, *e)))
        return out
    return []


def _states(before: WindowMessage, predicate: str, tz: str, scene: Scene) -> bool:
    alone = read(before.text, language_of(before), local_time(before, tz), scene)
    return any(s.found.predicate == predicate for s in alone.statements)


def _changed(s: Statement, told: datetime | None) -> Statement:
    """News begin where they say, else when they are told."""
    return replace(s, found=replace(s.found, mode=Mode.change)) if told is not None else s


def denied_for_another(low: str) -> bool:
    """Whether an answer says that what was asked is true of somebody else."""
    return _IT_IS.search(low) is not None


def true_of_another(message: WindowMessage, scene: Scene, asked: Told) -> Told:
    """What was asked of the speaker, of whom it is true ("no, that's my brother Ewan")."""
    sentences = split_sentences(message.text, language_of(message))
    named = [
        p.ref
        for p in (persons(sentences[0], scene) if sentences else [])
        if not p.first and not p.pronoun and p.ref is not None
    ]
    if len(named) != 1:
        return []
    return [
        (replace(s, subject=named[0], found=replace(s.found, confidence=0.75)), e) for s, e in asked
    ]


_TOPIC = Gated(
    r"\b(?:your\s+date of birth|your birthday|your dob|дат\w+ (?:вашего |твоего )?рождения)\b"
)


def topic_of(sentence: Sentence) -> str:
    """What a sentence asks for, as the beginning of the one that guesses at it."""
    if not _TOPIC.search(sentence.low):
        return ""
    return "дата моего рождения " if sentence.lang == "ru" else "my date of birth: "


def says_yes(low: str) -> bool:
    """Whether an answer begins with a yes and takes nothing of it back."""
    low = low.strip()
    return _YES.match(low) is not None and not _NO.search(re.split(r"[.!]", low)[0][:40])


_DOES = re.compile(
    r"\b(?:does|do)\s+(?P<who>[A-Z][\w'-]+|(?:your|my)\s+\w+)\s+(?P<adv>still\s+|also\s+)?(?P<verb>[a-z]+)\b"
)
_IS = re.compile(r"(?:^|(?<=[.,!]\s))[Ii]s\s+(?P<who>[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)\s+")


def _stated(asked: str) -> str:
    """An English question about somebody in the order of a statement; it keeps its mark."""
    turned = _DOES.sub(lambda m: f"{m['who']} {m['adv'] or ''}{m['verb']}s", asked)
    return _IS.sub(lambda m: f"{m['who']} is ", turned)


_OF_YOU = re.compile(r"\b(?:you|your|u|we|i|ты|вы|тебя|тебе|вас|вам|тво\w+|ваш\w*|мы|я)\b")


def confirmed_of_another(before: WindowMessage, message: WindowMessage, scene: Scene, told: datetime | None) -> Told:  # fmt: skip
    """What was asked about somebody named, and confirmed ("Артур собирается…?" "да")."""
    if not says_yes(lower(message.text)):
        return []
    if _OF_YOU.search(lower(re.split(r"[.!?]\s", before.text.rstrip("? "))[-1])):
        return []
    speakers = set(scene.people.speakers)
    asked = _stated(before.text[: before.text.rfind("?") + 1])
    found = read(asked, language_of(before), told, scene, answering=True)
    return [
        (
            replace(s, found=replace(s.found, confidence=0.75)),
            (Span(start=s.start, end=s.end, back=1), Span(start=0, end=len(message.text))),
        )
        for s in found.statements
        if not s.subject.is_speaker
        and s.subject.name not in speakers
        and s.found.mode in (Mode.state, Mode.change)
        and s.sentence.rstrip().endswith("?")
    ]
