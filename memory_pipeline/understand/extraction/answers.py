"""Facts that take two messages: confirmed questions, short answers, a sentence sent in halves."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from memory_pipeline.contracts.statement import Span, Window, WindowMessage
from memory_pipeline.contracts.vocabulary import Role
from memory_pipeline.understand.extraction import exchanges
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.reading import Statement, language_of, local_time, read
from memory_pipeline.understand.extraction.sentences import lower, split_sentences
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, lemma, like, parses, reading

_YES = re.compile(
    r"^(?:да|ага|угу|верно|верн(?:ый|ая|ое|ы)|актуальн\w+|тот самый|он самый|так точно|само собой|естественно|есть такое|ну да|правильно|точно|именно|так и есть|все так|все верно|все правильно|подтверждаю|конечно|по-прежнему|"
    r"yes|yep|yup|yeah|yea|correct|right|exactly|that's right|that is right|still|indeed|sure|confirmed|absolutely|affirmative)\b(?!\s+(?:please|нет|пожалуйста|но|but))"
)
_YES_WITHIN = re.compile(
    r"\b(?:да|верно|yes|yep|correct|right|тот же|та же|те же|то же|без изменений|не (?:поменял|изменил)\w*|в силе|актуал\w+)\b"
)
_LABELS = {
    "budget_limit": re.compile(r"\b(?:бюджет|сумм|лимит)"), "deadline": re.compile(r"\b(?:срок|дедлайн|дат[аы]\b|сдач)"),
    "phone": re.compile(r"\b(?:телефон|номер)"), "email": re.compile(r"\b(?:почт|ящик|мейл|имейл)"),
    "address": re.compile(r"\bадрес"), "location": re.compile(r"\bгород"), "employer": re.compile(r"\b(?:работ|компани|контор)"),
    "job_title": re.compile(r"\bдолжност"), "diet": re.compile(r"\b(?:диет|питани)"), "allergy": re.compile(r"\bаллерги"),
}  # fmt: skip
"""What an answer may call a value by, to say that it stays ("бюджет тот же")."""
_NO = re.compile(
    r"\b(?:нет|не|no|nope|not|n't|кроме|except|but|только)\b|n't\b|\bуже\s+(?:в|во|на|у|из)\b"
)
_OPEN_QUESTION = re.compile(
    r"(?:(?:and|so|но|а|и|ну|кстати)[,]?\s+)*(?:what|where|when|who|why|how|which|any|do you have any|что|где|когда|кто|почему|как|какой|какая|какие|сколько|куда|зачем)\b"
)
_TAG_QUESTION = re.compile(
    r",?\s*(?:right|correct|yes|верно|правильно|да|так|не так ли)\s*$", re.IGNORECASE
)
_NO_BUT = re.compile(
    r"^(?:no|nope|нет|не|(?:уже|больше|теперь) (?:нет|не там)|(?:i |we )?moved|not any ?more)\s*[,.!—-]+\s*(?:(?:it's|i'm|i am|уже|я|теперь|now)\s+)*",
    re.IGNORECASE,
)
_TO_YOU = Gated(r"\b(?:you|your|you're|you've|вы|ты|вас|тебя|вам|тебе|ваш\w*|тво[йяеи]\w*)\b")
_GUESS = re.compile(
    r"(?:(?:still|still in|all|in|at|всё ещё|все еще|по-прежнему|в)\s+)?(?P<value>[\w&'’-]+(?:\s[\w&'’-]+){0,2})\s*\?+\s*$",
    re.IGNORECASE,
)
"""A guess at what was just asked ("Where are you these days? Still Norwich?")."""
_HANGS = re.compile(r"\b(?:at|in|to|for|with|from|is|called|named|my|the|an?|by|near|on|it's|now)$")
"""A word that a message cannot end with."""
_HALVES = timedelta(minutes=10)
_MAX_HALVES = 160

_PRESENT = {
    "lived": "live", "worked": "work", "used": "use", "took": "take", "had": "have", "owned": "own",
    "preferred": "prefer", "liked": "like", "needed": "need", "wanted": "want",
}  # fmt: skip
"""What an assistant recalls in the past, as it is told."""
_TO_FIRST_EN: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (
        r"^(?:(?:last time|earlier|before|previously),?\s+)?(?:you|i think you|i believe you)(?:'ve| had| have)?\s+(?:mentioned|said|told me|wrote|noted|indicated)\s+(?:that\s+)?(?=you)",
        "",
    ),
    (r"\byou were\b", "i'm"),
    (
        r"\byou (lived|worked|used|took|had|owned|preferred|liked|needed|wanted)\b",
        lambda m: f"i {_PRESENT[m[1].lower()]}",
    ),
    (r"\b(?:so\s+)?(?:do|did|are|were|have) you (still )?(?=\w)", r"i \1"),
    (r"\byou're\b|\byou are\b|\bare you\b", "i'm"),
    (r"\byou've\b", "i've"),
    (r"\byour\b", "my"),
    (r"\byou\b", "i"),
)
_TO_FIRST_RU = (
    (r"\bу (?:вас|тебя)\b", "у меня"),
    (r"\b(?:вам|тебе)\b", "мне"),
    (r"\b(?:вы|ты)\b", "я"),
    (r"\b(?:ваш|твой)\b", "мой"),
    (r"\b(?:ваша|твоя)\b", "моя"),
    (r"\b(?:ваше|твое)\b", "мое"),
    (r"\b(?:вас|тебя)\b", "меня"),
)
_QUESTIONS: tuple[tuple[str, re.Pattern[str], str, str], ...] = (
    ("location", re.compile(r"\b(?:где (?:вы|ты|сейчас|живе\w+)|в каком (?:вы |ты )?городе|из какого города|какой (?:у вас |ваш )?город|are you (?:still )?(?:based|living|in)\b|do you (?:still )?live|вы (?:все еще |по-прежнему )?(?:живете|находитесь)|where (?:are you|do you live|are u|you based|are you based)|which city|what city|where do you (?:stay|reside)|your home ?town|as your (?:city|town|location)|where (?:are|r) (?:you|u) (?:living|staying|located)|you live in|where's home)\b"), "живу в ", "i live in "),
    ("budget_limit", re.compile(r"\b(?:как(?:ой|ова?) (?:у вас |ваш |твой |будет )?(?:бюджет|лимит|потолок)|бюджет\b[^?]*\?|сколько (?:готовы|готов) потратить|what(?:'s| is) (?:your|the) (?:budget|limit|cap|ceiling)|budget\?|how much (?:can|do|could|would) you (?:want to |like to |be willing to )?(?:spend|pay|afford)|spending limit|price range)"), "бюджет ", "my budget is "),
    ("age", re.compile(r"\b(?:сколько (?:вам|тебе) лет|ваш возраст|how old are you|your age|age\?)\b"), "мне ", "i'm "),
    ("employer", re.compile(r"\b(?:где (?:вы |ты )?работае\w+|в какой компании|where do you work|where are you working|which company|who do you work for|who's your employer|your employer|you work (?:at|for))\b"), "работаю в ", "i work at "),
    ("job_title", re.compile(r"\b(?:кем (?:вы |ты )?работае\w+|кто (?:вы|ты) по профессии|какая (?:у вас |ваша )?должность|what do you do(?: for|\?| now| these days)|what(?:'s| is) your (?:job|title|role|occupation|profession|line of work|position)|your (?:occupation|profession|job title)\?|occupation\?|what do you work as)"), "я ", "i'm a "),
    ("allergy", re.compile(r"\b(?:на что (?:у вас |у тебя )?аллергия|есть (?:ли )?(?:у вас |у тебя )?аллерги\w+|аллерги\w+ (?:есть|у кого)|any allerg\w+|your allerg\w+|allergies\?|what are you allergic to|allergic to (?:anything|what))\b"), "у меня аллергия на ", "i'm allergic to "),
    ("email", re.compile(r"\b(?:как(?:ая|ой) (?:у вас |ваша |ваш )?(?:почта|e-?mail|имейл)|your e-?mail|e-?mail address|where (?:can|should) (?:i|we) (?:send|email)|which e-?mail|what e-?mail)"), "моя почта: ", "my email: "),
    ("phone", re.compile(r"\b(?:какой (?:у вас |ваш )?(?:номер|телефон)|ваш (?:номер|телефон)|your (?:phone|number|mobile|cell)|(?:phone|best|contact|mobile) number|what number|number to reach|how can (?:i|we) reach)"), "мой номер ", "my number is "),
    ("deadline", re.compile(r"\b(?:когда (?:у вас |ваш )?(?:дедлайн|срок)|какой (?:у вас )?(?:дедлайн|срок)|к какому числу|when(?:'s| is) (?:the|your) deadline|what(?:'s| is) (?:the|your) deadline|when(?:'s| is) (?:it|this|that|the \w+) due|due when|by when|deadline\?|when do you need)"), "дедлайн ", "the deadline is "),
)  # fmt: skip


def read_answer(
    window: Window, scene: Scene, told: datetime | None
) -> list[tuple[Statement, tuple[Span, ...]]]:
    """Statements that the last message makes only together with the one before it."""
    if len(window.messages) < 2:
        return []
    before, message = window.messages[-2], window.messages[-1]
    if before.speaker == message.speaker:
        return _halves(window, before, message, scene, told)
    is_short = len(message.text) <= exchanges.MAX_ANSWER
    out: list[tuple[Statement, tuple[Span, ...]]] = []
    low = lower(message.text).strip()
    told_back = before.role is not Role.user and _YES_WITHIN.search(low) is not None
    if "?" in before.text or told_back:
        out = _confirmed(before, message, low, scene, told)
        if not out and is_short:
            out = _slot(before, message, scene, told)
        if not out and before.role is Role.user:
            out = exchanges.confirmed_of_another(before, message, scene, told)
    if not out and is_short:
        out = exchanges.asked_for(before, message, scene, told)
    return out or exchanges.chosen(before, message, scene, told)


def _confirmed(
    before: WindowMessage, message: WindowMessage, low: str, scene: Scene, told: datetime | None
) -> list[tuple[Statement, tuple[Span, ...]]]:
    whole = _YES.match(low) is not None and not _NO.search(low.split(".")[0][:60])
    partly = not whole and _YES_WITHIN.search(low) is not None
    moved = exchanges.denied_for_another(low)
    if not whole and not partly and not moved:
        return []
    lang = language_of(before)
    asked = before.text.split("?")[-2].split(".")[-1].strip() if before.text.count("?") else ""
    if _OPEN_QUESTION.match(lower(asked)):
        return []
    from_assistant = before.role is not Role.user
    view = replace(scene, confirming=True)
    out: list[tuple[Statement, tuple[Span, ...]]] = []
    topic = ""
    carrier = None
    for sentence in split_sentences(before.text, lang):
        asks = sentence.text.rstrip().endswith("?")
        if carrier is not None and asks and (guess := _GUESS.match(sentence.text)):
            guessed = read(carrier + guess["value"], lang, told, scene)
            span = Span(start=sentence.start, end=sentence.start + len(sentence.text), back=1)
            out.extend(
                (replace(s, sentence=sentence.text), (span, Span(start=0, end=len(message.text))))
                for s in guessed.statements
                if whole and s.subject.is_speaker and s.found.mode is Mode.state
            )
        carrier = next((en if sentence.lang == "en" else ru for _, q, ru, en in _QUESTIONS if q.search(sentence.low)), carrier)  # fmt: skip
        if not (_TO_YOU.search(sentence.low) or from_assistant) or not (asks or from_assistant):
            continue
        turned = _turned(sentence.text, sentence.lang)
        turned_reading = read(turned, sentence.lang, told, view, answering=True)
        if not turned_reading.statements and topic:
            turned_reading = read(topic + turned, sentence.lang, told, view, answering=True)
        topic = exchanges.topic_of(sentence)
        for s in turned_reading.statements:
            if s.subject.name != message.speaker or s.found.mode in (
                Mode.end,
                Mode.denial,
                Mode.cancel,
            ):
                continue
            if not whole and not moved and not _affirmed(s, low):
                continue
            span = Span(start=sentence.start, end=sentence.start + len(sentence.text), back=1)
            answer = Span(start=0, end=len(message.text))
            sure = replace(s, found=replace(s.found, confidence=min(s.found.confidence, 0.8)))
            out.append((sure, (span, answer)))
    if moved:
        return exchanges.true_of_another(message, scene, out)
    return out


def _affirmed(s: Statement, low: str) -> bool:
    """Whether a clause of the answer names the value and says yes to it."""
    label = _LABELS.get(s.found.predicate)
    if label is not None and any(
        label.search(c) and _YES_WITHIN.search(c) for c in re.split(r"[,.;!?]", low)
    ):
        return True
    words = [lemma(w) for w in re.findall(r"\w+", str(s.value).lower()) if len(w) > 2]
    if not words:
        return False
    for clause in re.split(r"[,.;!?]", low):
        lemmas = {lemma(w) for w in re.findall(r"\w+", clause)}
        if words[-1] in lemmas and _YES_WITHIN.search(clause):
            return True
    return False


def _turned(text: str, lang: str) -> str:
    """A question to the speaker as the speaker's own statement."""
    out = _TAG_QUESTION.sub("", text.rstrip(" ?"))
    if lang == "en":
        low = re.sub(
            r"^(?:and|so|also|ok|okay|just to confirm|just checking)[,:]?\s+",
            "",
            out,
            flags=re.IGNORECASE,
        )
        for pattern, put in _TO_FIRST_EN:
            low = re.sub(pattern, put, low, flags=re.IGNORECASE)
        kept = re.sub(r"^is\s+(\S+@\S+)\s+still.*$", r"my email: \1", low, flags=re.IGNORECASE)
        calls = re.sub(
            r"\bprefer (mornings|evenings|afternoons|weekends) for (\w+)",
            r"prefer \2 in the \1",
            kept,
        )
        return calls.replace("in the mornings", "in the morning").replace(
            "in the evenings", "in the evening"
        )
    for pattern, put in _TO_FIRST_RU:
        out = re.sub(pattern, put, out, flags=re.IGNORECASE)
    return re.sub(r"[А-Яа-яёЁ]+", lambda m: _first_person(m[0]), out)


def _first_person(word: str) -> str:
    if len(word) < 4 or not is_russian(word):
        return word
    parse = parses(word)[0]
    if parse.tag.POS != "VERB" or parse.tag.person != "2per" or parse.tag.mood == "impr":
        return word
    form = parse.inflect({"sing", "1per"})
    return str(form.word) if form is not None else word


def _slot(
    before: WindowMessage, message: WindowMessage, scene: Scene, told: datetime | None
) -> list[tuple[Statement, tuple[Span, ...]]]:
    asked = lower(before.text)
    lang = language_of(message)
    if "?" in message.text or exchanges.tells_none(lower(message.text)):
        return []
    for predicate, question, carrier_ru, carrier_en in _QUESTIONS:
        if not question.search(asked):
            continue
        if predicate == "allergy" and "allergic to" in lower(message.text):
            continue
        carrier = carrier_ru if lang == "ru" else carrier_en
        text = message.text
        refused = _NO_BUT.match(text)
        skipped = refused.end() if refused else 0
        lead = (
            _LEAD.match(text, skipped)
            if predicate in ("location", "employer", "job_title", "allergy")
            else None
        )
        skipped = lead.end() if lead else skipped
        mine = _MINE_IS.search(text) if predicate == "allergy" else None
        skipped = mine.end() if mine else skipped
        answer = text[skipped:]
        if lang == "ru":
            carrier, answer = _in_case(predicate, carrier, answer, lead is not None)
        shift = len(carrier) - skipped
        answered = read(carrier + answer, lang, told, scene)
        out: list[tuple[Statement, tuple[Span, ...]]] = []
        for s in answered.statements:
            if s.found.predicate != predicate or (
                s.end <= len(carrier) and predicate != "deadline"
            ):
                continue
            begin = max(0, s.start - shift)
            span = Span(start=begin, end=min(len(text), max(begin + 1, s.end - shift)))
            sure = replace(
                s, sentence=text, found=replace(s.found, confidence=min(s.found.confidence, 0.8))
            )
            out.append((sure, (Span(start=0, end=len(before.text), back=1), span)))
        if out:
            return out
    return []


_MINE_IS = re.compile(r"\b(?:у меня|у нас)\s+на\s+|\bmine(?:'s|\s+is)\s+", re.IGNORECASE)
"""A short "I have one too" that names another allergen than the question."""
_LEAD = re.compile(
    r"(?:(?:just|only|mainly|mostly)\s+)?(?:just outside|just|outside|near|в|во|на|in|at|a|an|the|on|to|my|мой|моя)\s+",
    re.IGNORECASE,
)


def _in_case(predicate: str, carrier: str, answer: str, led: bool) -> tuple[str, str]:
    """A bare Russian answer in the case that its carrier asks for ("Омск" → "живу в Омске")."""
    first = re.match(r"[А-Яа-яЁё-]+", answer)
    if first is None:
        return carrier, answer
    if predicate == "location" and not led:
        if str(parses(first[0])[0].tag.POS) != "NOUN":
            return carrier, answer
        parse = reading(first[0], "NOUN", cases=("nomn",))
        form = parse.inflect({"loct"}) if parse is not None else None
        if form is not None:
            return carrier, like(first[0], form.word) + answer[first.end() :]
    if predicate == "job_title" and reading(first[0], cases=("ablt",)) is not None:
        return "работаю ", answer
    return carrier, answer


def _halves(
    window: Window,
    before: WindowMessage,
    message: WindowMessage,
    scene: Scene,
    told: datetime | None,
) -> list[tuple[Statement, tuple[Span, ...]]]:
    """A sentence sent in two messages: only what neither says alone."""
    if before.role is not Role.user or before.text.rstrip().endswith((".", "?", "…")):
        return []
    head = before.text.rstrip()
    if message.text[:1].isupper() and not (
        head.endswith((":", ",", "—", "-")) or _HANGS.search(lower(head))
    ):
        return []
    earlier = local_time(before, window.tz)
    if told is not None and earlier is not None and told - earlier > _HALVES:
        return []
    head = before.text.rstrip()
    if len(head) + len(message.text) > _MAX_HALVES:
        return []
    cut = len(head)
    glue = ": " if head[-1:].isalpha() and re.match(r"\s*\+?\d", message.text) else " "
    joined = read(head + glue + message.text, language_of(message), told, scene)
    across = [s for s in joined.statements if s.start < cut and s.end > cut + len(glue)]
    if not across:
        return []
    alone = {
        s.found.predicate for s in read(before.text, language_of(before), told, scene).statements
    }
    out: list[tuple[Statement, tuple[Span, ...]]] = []
    for s in across:
        if s.found.predicate in alone:
            continue
        if (
            fold(str(s.value)) not in fold(head + glue + message.text)
            and is_russian(str(s.value))
            and s.found.mode is Mode.state
            and s.end <= cut
        ):
            continue
        spans = (
            Span(start=s.start, end=cut, back=1),
            Span(start=0, end=s.end - cut - len(glue)),
        )
        out.append((s, spans))
    return out
