"""Rules for `deadline`. The day itself is put in where dates are read."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.rules.budgets import THEIRS, their_thing, thing_before_en
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, nominative_word, parses, reading

RU_HARD = Gated(
    r"\b(?:срок\w*\s+(?:\w+\s+){0,2}?(?:перенесли|сдвинули|продлили)|(?:подать|сдать|прислать|закрыть|отправить|оплатить)\s+(?:\w+\s+){0,3}?(?:до|к)\s+\d|дедлайн\w*|крайний срок|срок сдачи|не позже|не позднее|сдать (?:надо|нужно)?\s*(?:до|к)|(?:надо|нужно|должн\w+|обязан\w*)\s+(?:\w+\s+){0,4}?(?:до|к)\b|(?:уложиться|управиться|успеть|завершить|закончить|доделать)\s+(?:\w+\s+){0,3}?(?:до|к)\s+(?=\d|конца|понед|вторн|сред|четв|пятн)|срок\s*(?:[-—:]|до|у нас|жестк\w+)|\bк\s+\d{1,2}\s+[а-я]+\s+(?:все\s+|всё\s+|\w+\s+)?(?:должн\w+|надо|нужно|обязан\w*)|\bсда(?:ем|ю|ча)\s+(?:\w+\s+){0,2}?(?=\d{1,2}\s+[а-я]))"
)
EN_HARD = Gated(
    r"\b(?:deadline(?:'s| is| for [\w\s]{1,30} is)?|due(?: date)?(?: is| on| by)?|(?:application|portal|registration|window|call|submission|tender|bid|bidding|entrie|entry|competition|ballot|consultation|nomination|enrol?lment)s? closes?|(?:has|have) to be in by|no later than|(?:must|has to|have to|needs? to|need to|want(?:s)? to|got to|gotta)\s+(?:be\s+)?(?:\w+\s+){0,6}?(?:by|before)|ships? by|launch(?:es)? by|live by|deliver(?:ed)? by|submit(?:ted)? by|in by|pushed (?:\w+\s+){0,4}?to|extended (?:\w+\s+){0,3}?(?:to|until)|moved the (?:\w+\s+)?deadline to|new deadline)\b"
)
_NO_DEADLINE = Gated(
    r"\b(?:no deadline|дедлайна нет|без дедлайна|нет дедлайна|дедлайнов нет|дедлайнов тут|no rush|не горит)\b"
)
_PERSONAL_TASK = re.compile(
    r"\b(?:wake|sleep|eat|go(?! to (?:print|press|the (?:client|printer|publisher|board|lawyer)\w*)| (?:live|out|in|off)\b)|leave|get up|call|see|meet|pick|bed|home|walk|встать|лечь|поспать|выехать|выйти|позвонить|забрать|встретить)\b"
)


_OWN_WORK_EN = re.compile(
    r"(?:^|\s)(?:report|filing|application|proposal|draft|thesis|paper|essay|assignment|homework|slides|deck|invoice|paperwork|tax return|taxes|manuscript|abstract|form|forms|review|presentation|grant|dissertation|article|chapter|translation|contract|audit|estimate|quote|bid)s?$",
    re.IGNORECASE,
)
_OWN_WORK_RU = re.compile(
    r"(?:смет|отчет|отчёт|заявк|доклад|диплом|курсов|стать|презентаци|договор|документ|реферат|перевод|рукопис|макет|чертеж|чертёж|анкет|декларац|справк|проект$|текст|рецензи|резюме|работ)",
    re.IGNORECASE,
)
"""Somebody's own work that is due: its deadline is the writer's, as of a named thing it is the
thing's."""


def _thing_before_ru(sentence: Sentence, position: int) -> str | None:
    """The noun in the nominative that a clause begins with ("каталог уходит…")."""
    clause = sentence.clause_at(position)
    head = sentence.text[clause.start : position].strip(" ,:—–-")
    found = re.search(r"(?:^|[\s:])([«\"]?[А-ЯЁA-Zа-яё][\w-]*[»\"]?)\s*$", head)
    if found is None:
        return None
    word = found[1].strip('«»"')
    if word.lower() in {
        "я",
        "мы",
        "он",
        "она",
        "они",
        "это",
        "все",
        "всё",
        "мне",
        "нам",
        "срок",
        "дедлайн",
        "надо",
        "нужно",
        "там",
        "тут",
    }:
        return None
    if re.fullmatch(r"[A-Z][\w-]+", word):
        return word
    if re.search(
        r"\b(?:в|во|на|из|от|до|для|к|по|с|у|о|об|за|под)\s+$", head[: found.start(1)].lower()
    ):
        return None
    if (
        re.fullmatch(r"[А-ЯЁа-яё-]+", word)
        and reading(word, "NOUN", cases=("nomn",))
        and parses(word)[0].tag.POS == "NOUN"
    ):
        return word
    if re.fullmatch(r"[А-ЯЁ][а-яё]+[А-ЯЁ][а-яё]+", word):
        return word
    return None


_DEADLINE_OF = re.compile(
    r"\b[Dd]eadline for (?:the\s+)?(?P<for>\w[\w\s&'-]{1,40}?)(?:\s+project)?\s*(?:\sis\b|:|\s[—–-]\s)"
    r"|(?<![\w'])(?:[Tt]he\s+)?(?P<whose>(?!The\b|Our\b|My\b|Your\b|His\b|Her\b|Their\b|New\b|Hard\b|Final\b|Next\b|This\b|That\b|A\b|And\b|But\b|So\b|No\b|Is\b)[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)(?:\s+(?:project|release|launch))?(?:['’]s)?\s+deadline\b"
)
"""What or who a deadline is said to be of ("the deadline for Falcon is", "Leo's deadline")."""
_PAST_IT = Gated(
    r"\b(?:met|made|hit|missed|beat|blew)\s+(?:the|our|my|that|every)\s+(?:[\w-]+\s+){0,3}?(?:deadline|cut-?off)\b"
)


def deadlines(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Where a deadline is set; its value is empty until dates are read."""
    low = sentence.low
    if _NO_DEADLINE.search(low) or _PAST_IT.search(low):
        return
    hard = (RU_HARD if sentence.lang == "ru" else EN_HARD).search(low)
    if hard is None:
        return
    cue = hard[0]
    if _PERSONAL_TASK.search(cue):
        return
    explicit = (
        re.search(r"дедлайн|срок|не позже|не позднее|deadline|due|no later|closes", cue) is not None
    )
    subject = None
    if sentence.lang == "en":
        thing = None
        named = _DEADLINE_OF.search(sentence.text)
        if named:
            thing = named["for"] or named["whose"]
        else:
            verb = re.search(
                r"\s(?:must|has to|have to|needs? to|is due|are due|want|wants|ships|launches)\b",
                low,
            )
            if verb and verb.start() <= hard.end():
                thing = thing_before_en(sentence.text, verb.start())
            pushed = re.search(
                r"\b(?:pushed|moved|extended)\s+(?:the\s+)?([A-Z][\w-]+(?:\s[\w-]+)?)\s+(?:back\s+)?to\b",
                sentence.text,
            )
            if pushed:
                thing = pushed[1]
        they = re.search(r"\bthey (?:want|need|have|must)\b", low)
        if thing is not None and _OWN_WORK_EN.search(thing):
            thing = None
            explicit = True
        if thing is not None:
            if not re.match(r"[A-Z]", thing) or thing.split()[0] not in {"The"}:
                subject = SubjectRef(name=_known_thing(thing, scene), is_speaker=False)
                scene.people.learn_thing(subject.name)
        elif they and scene.people.things:
            subject = SubjectRef(name=scene.people.things[-1], is_speaker=False)
        elif they:
            return
        if (
            not explicit
            and subject is None
            and not re.search(r"\b(?:must|has to|have to|needs to|gotta)\b", cue)
        ):
            return
        if (
            not explicit
            and subject is None
            and re.search(r"\bi\s+(?:need|have|want|gotta|got)\b", low)
        ):
            return
    else:
        verb_at = hard.start()
        verbs = re.search(r"\b(?:уходит|должн\w+|должен|надо|нужно|сдать|сдаем|обязан\w*)\b", low)
        if verbs:
            verb_at = min(verb_at, verbs.start())
        ru_thing = _thing_before_ru(sentence, verb_at)
        is_named = ru_thing is not None and f"«{ru_thing}»" in sentence.text
        if ru_thing and not is_named and re.match(r"\W*(?:[а-я]+\s+)?(?:сда|пода|отправ|готов|закрыва|выпуска|запуска)[а-я]*(?:ем|им|ю|у|ею)\b", low[verb_at - 1 :]):  # fmt: skip
            ru_thing, explicit = None, True
        if (
            ru_thing
            and _OWN_WORK_RU.match(ru_thing)
            and re.match(r"должн|надо|нужно|обязан", low[verb_at:])
        ):
            ru_thing, explicit = None, True
        after = re.search(
            r"\b(?:[Дд]едлайн|[Сс]рок сдачи|[Кк]райний срок)\s+(?:по|для|у)\s+([А-ЯЁA-Zа-яё«][\w»-]*)",
            sentence.text,
        )
        if ru_thing and ru_thing.lower() not in {"дедлайн", "срок", "напоминаю"}:
            subject = SubjectRef(name=ru_thing, is_speaker=False)
            scene.people.learn_thing(ru_thing)
        elif after and after[1].strip("«»")[:1].isupper():
            called = after[1].strip("«»")
            case = () if not is_russian(called) else ("datv", "gent", "loct", "accs")
            subject = SubjectRef(name=nominative_word(called, case), is_speaker=False)
            scene.people.learn_thing(subject.name)
        if (
            not explicit
            and subject is None
            and re.search(r"\b(?:мне|надо)\b", low)
            and re.search(r"\bк\s+\d+\s*(?:час|утра|вечера)|\bк\s+(?:врачу|маме)", low)
        ):
            return
    if subject is None and THEIRS.search(low):
        thing = their_thing(sentence, scene)
        if thing is None:
            return
        subject = SubjectRef(name=thing, is_speaker=False)
    moved = re.search(r"перенес|продлил|сдвинул|pushed|extended|moved", cue + low[:0]) is not None
    yield Found(
        "deadline",
        "",
        hard.start(),
        hard.end(),
        Mode.change if moved else Mode.state,
        Who.first if subject is None else Who.open,
        subject,
        verb=hard.start(),
        confidence=0.85,
        dated=False,
    )


def _known_thing(thing: str, scene: Scene) -> str:
    """The fuller name of a thing named before, where this one begins it ("Orion" → "Orion beta")."""
    fuller = [n for n in scene.people.things if n.lower().startswith(thing.lower())]
    return fuller[-1] if fuller else thing
