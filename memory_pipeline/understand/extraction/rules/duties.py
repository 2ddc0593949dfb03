"""Rules for `legal_constraint` and `requirement`."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import sentence_case
from memory_pipeline.understand.extraction.rules.budgets import THEIRS, thing_before_en
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, nominative_word

TAG = re.compile(r"^\s*\[(?:!|critical|важно|критично)\]\s*", re.IGNORECASE)
LEGAL = Gated(
    r"\b(?:nda|non-?disclosure|non-?compete|legally|by law|the law|gdpr|hipaa|ccpa|court order|restraining order|custody|probation|parole|barred from|prohibited from|visa (?:expires|runs out|ends)|not allowed to work|under investigation|"
    r"injunction|statute|compliance|copyright|licen[cs]e (?:forbids|requires)|per legal|legal says|"
    r"неразглашени\w+|по закону|законом|закон запрещает|152-фз|\d+-фз|суд\w* запрет\w*|решени\w+ суда|судебн\w+|подписк\w+ о невыезде|невыездн\w+|под следствием|арестован\w*|"
    r"лицензи\w+ (?:запрещ|не позвол|треб)\w+|персональн\w+ данн\w+|нда|коммерческ\w+ тайн\w+|алимент\w+|условн\w+ срок|запрет\w* на выезд)\b"
)
_LEGAL_FORCE = Gated(
    r"\b(?:signed|sign|under|can't|cannot|must|mustn't|not allowed|barred|prohibited|forbidden|may not|until|through|expires|ends|runs out|have to|never|binding|bound|"
    r"подписал\w*|нельзя|не могу|не можем|запрещ\w+|запрет\w*|обязан\w*|действует|до|не имею права|не имеем права|должн\w+|только|никогда|храним)\b"
)
EN_LEGAL_OBJECT = Gated(
    r"\b(?:barred|prohibited|banned)\s+from\s+(?P<what>[^,.;]+?)(?=\s+(?:through|until|till|before|for the next)\b|[,.;]|$)"
)
MUST = Gated(
    r"\b(?P<en>must(?:n't)?(?: not)?|(?:is|are) (?:mandatory|required)|has to|have to|needs? to|mandatory|non-?negotiable|hard requirement|requirement(?:s)?(?: is|:| are)|only (?:allowed|supported)|never|under no circumstances|nothing gets|no exceptions)\b|"
    r"\b(?P<ru>обязательн\w*(?: требование| условие)?|требовани[ея]|должн[аоы]?|должен|обязан[аоы]?|нельзя|запрещен[аоы]?|запрещаем|строго|ни в коем случае|никогда не|никаких|жесткое требование|непременно)\b"
)
_THING = re.compile(r"(?:server|service|api|app|site|page|code|build|system|database|data|endpoint|response|report|product|release|component|package|library|solution|backup|log|deploy|query|test|screen|form|file|image|dashboard|model|pipeline|"
                    r"сервис|сервер|сайт|приложени|код|сборк|систем|баз[аыеу]|данны|ответ|отчет|релиз|компонент|библиотек|решени|бэкап|лог|деплой|запрос|экран|форм|файл|страниц|макет|тест|интерфейс|продукт|поставк|зависимост|репо|документ|дизайн|шрифт|проект)")  # fmt: skip
EN_RULES = Gated(
    r"\b(?:[Rr]ules?|[Rr]equirements?|[Cc]onstraints?)\s+(?:for|of)\s+(?:the\s+)?(?P<thing>[\w -]{2,40}?)\s*:\s*(?P<list>.+)$",
    re.DOTALL,
)
RU_RULES = Gated(
    r"\b(?:[Пп]равила|[Тт]ребования|[Уу]словия)\s+(?:для|к|по)\s+(?P<thing>[\w «»-]{2,40}?)\s*:\s*(?P<list>.+)$",
    re.DOTALL,
)


LEGAL_OVER = Gated(
    r"\b(?:сняли|снял[аи]?|снят[аоы]?|истек\w*|больше не действует|закончил(?:ся|ась|ось)|кончил(?:ся|ась|ось)|отменил[аи]?|lapsed|expired|ran out|is over|was lifted|were lifted|got lifted|been lifted|no longer (?:applies|binding|under|bound))\b"
)
"""Words that end a constraint: what they stand with binds no longer."""


def legal(sentence: Sentence) -> Iterator[Found]:
    """What law, a court or a contract demands."""
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
        yield Found(
            "legal_constraint",
            value,
            barred.start(),
            barred.end(),
            Mode.state,
            Who.open,
            verb=found.start(),
            confidence=0.8,
        )
        return
    if re.search(
        r"\b(?:thriller|exam|course|student|вуз|курс|экзамен|преподаю|учу|career|debate)\b", low
    ):
        return
    clause = _cut_dates(sentence)
    yield Found(
        "legal_constraint", clause, 0, len(sentence.text), Mode.state, Who.first, confidence=0.7
    )


def _cut_dates(sentence: Sentence) -> str:
    text = TAG.sub("", sentence.text)
    return sentence_case(text)[:200]


def requirements(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What a thing or a service must or must not do."""
    text, low = sentence.text, sentence.low
    rules = (RU_RULES if sentence.lang == "ru" else EN_RULES).search(text)
    if rules:
        thing = re.sub(r"\s+(?:service|project)$", "", rules["thing"].strip(" «»"))
        thing = re.sub(r"^(?:сервис|проект)(?:у|а)\s+|\s+(?:сервиса|проекта)$", "", thing).strip(
            " «»"
        )
        if is_russian(thing):
            thing = nominative_word(thing, ("datv", "gent"))
        scene.people.learn_thing(thing)
        subject = SubjectRef(name=thing, is_speaker=False)
        at = rules.start("list")
        for piece in re.finditer(r"[^,;]+?(?=,\s*(?:and\s+|и\s+)?|;|$)", rules["list"]):
            rule = re.sub(r"^(?:\s*(?:,|and|и)\s+)+", "", piece[0].strip(" ,;")).strip()
            rule = re.sub(r"^(?:and|и)\s+", "", rule)
            if 2 <= len(rule.split()) <= 15:
                yield Found(
                    "requirement",
                    sentence_case(rule),
                    at + piece.start(),
                    at + piece.end(),
                    Mode.state,
                    subject=subject,
                    confidence=0.8,
                    dated=False,
                )
        return
    must = MUST.search(low)
    if must is None or (THEIRS.search(low) and not scene.people.things):
        return
    ru = must["ru"] is not None
    mandatory = (
        re.search(
            r"mandatory|required|non-?negotiable|hard requirement|обязательн\w+ (?:требование|условие)|требовани|жестк\w+ требовани",
            must[0],
        )
        is not None
    )
    thing_before = _THING.search(low[: must.start()])
    thing_after = _THING.search(low[must.end() : must.end() + 40])
    if re.search(
        r"\b(?:must have|must be (?:nice|fun|hard|so|great|tough|the|a)|must've|must admit|must say|i must|you must|we must|never (?:been|seen|had|knew|thought|did|was|mind|know)|i never|i've never|should never|they must|she must|he must)\b",
        low,
    ):
        return
    if not ru:
        it = re.search(r"\bit must (?:run|work|support|fit|use|keep|stay|load|handle)\b", low)
        named = thing_before_en(text, must.start() - 1 if must.start() else 0)
        if it and scene.people.things:
            value = re.sub(r"^it\s+", "", low[it.start() :]).strip(" .!")
            yield Found(
                "requirement",
                value,
                it.start(),
                len(text),
                Mode.state,
                subject=SubjectRef(name=scene.people.things[-1], is_speaker=False),
                confidence=0.75,
                dated=False,
            )
            return
        if not (
            mandatory
            or (thing_before and re.match(r"must", must[0]))
            or (named and re.match(r"(?:must|has to|needs? to)", must[0]) and thing_after)
        ):
            return
    elif not (
        mandatory
        or (thing_before and re.match(r"должн|должен|обязан", must[0]))
        or (
            (thing_before or thing_after)
            and re.match(r"нельзя|запрещ|никогда не|ни в коем|строго", must[0])
        )
    ):
        return
    if (
        re.search(
            r"\b(?:by|before|до|к)\s+(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri)",
            low[must.end() :],
        )
        and not mandatory
    ):
        return
    value = re.sub(
        r"^(?:(?:and|also|plus|so|и|а|ещё|еще|кстати)[,:]?\s+)+",
        "",
        sentence_case(TAG.sub("", text)),
        flags=re.IGNORECASE,
    )
    value = re.sub(
        r"^(?:у заказчика\s+)?(?:жёсткое|жесткое|обязательное)\s+(?:требование|условие)\s*[,:—-]?\s*",
        "",
        value,
        flags=re.IGNORECASE,
    )
    if 2 <= len(value.split()) <= 25:
        yield Found(
            "requirement", value, 0, len(text), Mode.state, Who.first, confidence=0.7, dated=False
        )


_DUE = Gated(
    r"\b(?:запуск\w*|запускаем\w*|релиз\w*|сдать|сдача|сдаем|открытие|launch\w*|release|ship\w*|due|deliver\w*|go live)\b[^.!?]{0,30}?\d"
)


def tagged_duties(sentence: Sentence) -> Iterator[Found]:
    """What a sentence that its writer marked as critical demands, where nothing finer was found."""
    low = sentence.low
    due = _DUE.search(low)
    if due:
        yield Found("deadline", "", due.start(), due.end(), Mode.state, Who.first, confidence=0.75)
    elif LEGAL.search(low):
        yield Found(
            "legal_constraint",
            sentence_case(TAG.sub("", sentence.text))[:200],
            0,
            len(sentence.text),
            Mode.state,
            Who.first,
            confidence=0.75,
        )
    elif re.search(
        r"\b(?:must|never|always|only|no\b|not|don't|do not|cannot|can't|required|mandatory|every|нельзя|никогда|всегда|только|никаких|не\b|без|обязательн\w+|строго|запрещ\w+|должн\w+|должен|каждый|каждая)\b",
        low,
    ):
        yield Found(
            "requirement",
            sentence_case(TAG.sub("", sentence.text))[:200],
            0,
            len(sentence.text),
            Mode.state,
            Who.first,
            confidence=0.75,
            dated=False,
        )
