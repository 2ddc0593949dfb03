"""Rules for `budget_limit`, and the things that limits are set for."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.numbers import (
    Money,
    are_alike,
    find_money,
    in_thousands_of,
)
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import nominative

THEIRS = re.compile(
    r"[»\"”]\s+(?:[а-я]+\s+){0,2}?(?:пиш[уе]т|сообщил\w*|сообща[ею]т|требу[ею]т|прос[ия]т|попросил\w*|хот[ея]т|хочет|ответил\w*|написал\w*|поставил\w*|дал[аи]?|да[ею]т|выделил\w*|заложил\w*|прислал\w*|уточнил\w*|определил\w*|объявил\w*|жд[еу]т|назвал\w*|обозначил\w*|лимитировал\w*|урезал\w*|готов\w*)\b"
    r"|\b(?:от|из)\s+[«\"][^»\"]{2,40}[»\"]\s+(?:[а-я]+\s+)?(?:ответ|письмо|весточка|правки|звонок|требовани|условие|вводные|новости)"
    r"|\b(?:у них|они|им нужно|им надо|их (?:бюджет|лимит|потолок|срок)|they|their (?:budget|limit|cap|deadline))\b"
)

RU_BUDGET = Gated(
    r"\b(?:бюджет\w*|лимит\w*|потолок|потолка|предел\w*|максимум|не больше|не более|не дороже|не выше|больше не потян\w+|смета|на все про все|ни\s+(?:копе|рубл|цент)\w+\s+(?:больше|сверх\w*|выше)|отложено|отложил[аи]?|уложиться|уложимся|укладыва\w+|в пределах|готов\w* потратить|больше|надо влезть|влезть)\b"
)
RU_RAISE = Gated(
    r"\b(?:подня\w+|поднима\w+|увелич\w+|повыси\w+|урез\w+|сократи\w+|снизи\w+|снижа\w+|расшири\w+|теперь)\b"
)
EN_BUDGET = Gated(
    r"\b(?:budget(?:'s| is| of| for)?|hard cap|cap(?:ped)?|limit(?:ed)?|ceiling|max(?:imum)?|no more than|can't (?:spend|go|do|pay)|cannot (?:spend|go|pay)|won't (?:spend|go|pay)|not (?:spend|going) (?:more|over|above|past)|at most|up to|spend(?:ing)?|keep(?: it| this| everything)? under|stay(?:ing)? under|under|tops|not a (?:cent|penny|dollar) (?:over|more than|above)|nothing over)\b"
)
_BUDGET_TOPIC = re.compile(r"бюджет|лимит|потолок|потолк|смет|потрат|не потян|на все про все|ни копе|ни рубл|отложен|отложил|уложит|уложим|влезть|не дам\b|keep it under|stay under|not a (?:cent|penny|dollar)|nothing over|не возьму|не дам|не выше|на все\b|на ремонт|на поезд|на свадьб|на двоих|"
                           r"budget|cap\b|capped|ceiling|can't (?:go|spend|do|pay)|spend|won't go|max\b|tops|afford|limit")  # fmt: skip
_NOT_BUDGET = re.compile(
    r"\b(?:speed|time|word|character|memory|weight|size|rate|rpm|mph|лимит (?:скорост|врем|символ|памят|запрос)\w*|запрос\w*|символ\w*|users?|requests?|km/?h|км|кг|процент\w*|salary|зарплат\w*|"
    r"earn|costs?|paid|price|стоит|стоила?|обошл\w+|заплатил\w*|возврат\w*|refund\w*|loan|кредит\w*|ипотек\w*|долг\w*)\b"
)


_OF_OLD = Gated(r"\b(?:раньше|прежде|used to be|previously|formerly)\b")
_BEFORE = Gated(
    r"\b(?:раньше|прежде|до этого|сначала|изначально|был(?:а|о|и)?|was|used to be|previously|formerly|originally|initially)\b"
)
_NOW = re.compile(
    r"\s*(?:рубл\w+|руб\b\.?|р\.|dollars|euros?|bucks)?\s*[,;.—–-]*\s*(?:(?:а|но|and|but)\s+)?"
    r"(?:(?:теперь|сейчас|нынче|а?\s*стал[ои]?|now|today|these days)\s+(?:(?:это|уже|только|всего|он|it's|it is|is|i have|we have|only|up to|down to)\s+)*"
    r"|(?:it's|it is|is)\s+now\s+)(?:[-—–:]\s*)?(?=[$€£\d])"
)


def _sum_now(sentence: Sentence, end: int, was: str, scene: Scene) -> Money | None:
    """The sum told right behind one that held before ("был 100 тысяч, теперь 200"), its unit taken
    from that one where it has none."""
    now = _NOW.match(sentence.low, end)
    money = find_money(sentence.low, now.end(), sentence.lang, scene.tz) if now else None
    if now is None or money is None or money[1] > now.end() + 1:
        return None
    money = in_thousands_of(money, was)
    if not money[3]:
        if not are_alike(money[0], was):
            return None
        money = (f"{money[0].split()[0]} {was.split()[-1]}", *money[1:])
    return money


def thing_before_en(text: str, end: int) -> str | None:
    """The capitalised thing that a clause begins with ("Orion beta has to ship…")."""
    head = re.split(r"[,.;:!?—–]\s*", text[:end])[-1].strip()
    found = re.match(
        r"(?:(?:and|but|so|also|the|our)\s+)*([A-Z][\w&.'’-]*(?:\s+[\w&'’-]+){0,3})$", head
    )
    if found is None:
        return None
    name = found[1]
    if name.split()[0] in {
        "I",
        "Let's",
        "Let",
        "We",
        "My",
        "Our",
        "The",
        "It",
        "This",
        "That",
        "He",
        "She",
        "They",
        "You",
        "There",
        "What",
        "Everything",
        "Everyone",
        "If",
        "When",
        "And",
        "But",
        "So",
        "I'm",
        "Please",
        "Just",
        "No",
        "Yes",
        "All",
        "Not",
        "Final",
        "First",
        "Draft",
        "Version",
        "Report",
        "Release",
        "Launch",
        "Delivery",
        "Documents",
        "Applications",
        "Submissions",
        "Payment",
        "Project",
        "Work",
    }:
        return None
    if re.search(r"\b(?:is|are|was|has|that|who|which|i|we|the|said|says)\b", name, re.IGNORECASE):
        return None
    return name


def their_thing(sentence: Sentence, scene: Scene) -> str | None:
    """The firm that "they" are: one named in quotation marks here, else the last one named."""
    quoted = re.search(
        r"(?P<of>\b(?:от|из|у)\s+)?[«\"](?P<name>[^»\"]{2,40})[»\"]", sentence.text, re.IGNORECASE
    )
    if quoted:
        name = nominative(quoted["name"], ("gent",)) if quoted["of"] else quoted["name"]
        scene.people.learn_thing(name)
        return name
    return scene.people.things[-1] if scene.people.things else None


def budgets(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """The limit of money that the sentence sets."""
    low = sentence.low
    if not _BUDGET_TOPIC.search(low) and not re.search(
        r"не больше|не более|не дороже|максимум|no more than|at most|up to", low
    ):
        return
    cue = RU_BUDGET if sentence.lang == "ru" else EN_BUDGET
    raised = re.search(r"\bс\s+\d+[\w ]{0,8}?\s+до\s+(?=\d)", low)
    for found in cue.finditer(low):
        money = find_money(low, found.end(), sentence.lang, scene.tz)
        before = False
        if (
            money is None
            or money[1] - found.end() > 45
            or re.search(r"[.;!?]", low[found.end() : money[1]])
        ):
            money = None
            for start in range(max(0, found.start() - 40), found.start()):
                probe = find_money(low, start, sentence.lang, scene.tz)
                if probe and probe[1] < found.start() and probe[3]:
                    money, before = probe, True
                    break
        if money is None:
            continue
        if raised and money[1] < raised.end():
            money = find_money(low, raised.end(), sentence.lang, scene.tz) or money
        value, start, end, said = money
        amount = float(value.split()[0])
        around = low[max(0, min(start, found.start()) - 25) : max(end, found.end()) + 25]
        if (not said and amount < 1000) or amount <= 0:
            continue
        if re.match(
            r"\s*(?:%|процент|percent|minutes?|hours?|days?|weeks?|people|мин|час|дн|недел|человек|штук|слов|words|ms|мс|gb|mb|км|kg|кг|символ|раз\b|лет\b|год)",
            low[end:],
        ):
            continue
        if _NOT_BUDGET.search(around) and not re.search(
            r"бюджет|budget|cap\b|ceiling|потолок", around
        ):
            continue
        if not _BUDGET_TOPIC.search(around) and not re.search(
            r"не больше|не более|не дороже|no more than|at most|up to", around
        ):
            continue
        if re.search(r"\b(?:up to|under|over|больше)\b", found[0]) and not _BUDGET_TOPIC.search(
            low
        ):
            continue
        correct = re.match(r"(?:,?\s*(?:а\s+)?не\s+[\d\s]+\w*,?\s*а\s+)", low[end:])
        if correct:
            continue
        subject = None
        if sentence.lang == "en":
            verb = re.search(r"\s(?:can't|cannot|won't|has a budget|'s budget|has capped)\b", low)
            thing = (
                thing_before_en(sentence.text, verb.start())
                if verb and verb.start() < found.start() + 6
                else None
            )
            owned = re.search(
                r"([A-Z][\w&.-]+(?:\s[A-Z][\w&.-]+)*)['’]s (?:hard )?(?:budget|cap|limit|ceiling)",
                sentence.text,
            )
            if owned:
                thing = owned[1]
            if thing:
                scene.people.learn_thing(thing)
                subject = SubjectRef(name=thing, is_speaker=False)
        if subject is None and THEIRS.search(low):
            thing = their_thing(sentence, scene)
            if thing is None:
                return
            subject = SubjectRef(name=thing, is_speaker=False)
        who = Who.first if subject is None else Who.open
        mode = (
            Mode.change
            if RU_RAISE.search(low)
            or re.search(r"\b(?:raise|raised|bumped|bump|cut|now|new|increase)\w*\b", low)
            else Mode.state
        )
        now = _sum_now(sentence, end, value, scene) if _BEFORE.search(low[:end]) else None
        if now is not None or _OF_OLD.search(low[:end]):
            yield Found(
                "budget_limit",
                value,
                min(found.start(), start),
                end,
                Mode.past,
                who,
                subject,
                verb=found.start(),
                confidence=0.8,
                dated=False,
            )
            if now is not None:
                yield Found(
                    "budget_limit",
                    now[0],
                    now[1],
                    now[2],
                    Mode.change,
                    who,
                    subject,
                    verb=found.start(),
                    confidence=0.85,
                    dated=False,
                )
            return
        yield Found(
            "budget_limit",
            value,
            min(found.start(), start),
            max(found.end() if not before else end, end),
            mode,
            who,
            subject,
            verb=found.start(),
            confidence=0.88,
            dated=mode is Mode.change,
        )
        return
