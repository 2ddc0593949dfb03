"""Ends of what was said before, told by a word that ends it beside the value, or by "sold it"."""

import itertools
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from memory_pipeline.contracts.statement import ClosureDraft, Span, WindowMessage
from memory_pipeline.contracts.vocabulary import ClosureAction
from memory_pipeline.understand.dates.resolve import DateMention
from memory_pipeline.understand.extraction.frames import Mode
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.periods import midnight
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.reading import Statement, language_of
from memory_pipeline.understand.extraction.sentences import lower
from memory_pipeline.understand.gated import AnyOf, Gated
from memory_pipeline.understand.morphology import is_russian, lemma, parses

_NEVER = Gated(
    r"\b(?:never was|never were|never had|after all|turned out (?:i|it) (?:wasn't|never)|was wrong|не было никогда|никогда не было|и не было|оказалось,? не|не подтвердил\w+|ошибочн\w+)\b"
)
_ENDS: dict[str, re.Pattern[str]] = {
    "allergy": re.compile(r"\b(?:off the list|not allergic to|no longer|outgrew|outgrown|gr[eo]wn? out of|cleared|gone|not allergic|can (?:now )?(?:eat|have)|прошла|снял\w*|теперь можно|можно|больше нет|перерос\w*|отменил\w*|отпустил\w*|исчез\w*|вылечил\w*|не подтвердил\w*|можно|ушл[аио]|ушел)\b"),
    "medication": re.compile(r"\b(?:stopped|(?:can|to|could|i\'ll|me) stop|c[oa]m(?:e|ing) off|weaned|tapered|last (?:tablet|dose|pill|injection|jab) of|off|done with|no longer|quit|finished|отменил\w*|бросил\w*|закончил\w*|больше не|перестал\w*|допил\w*|сняли|убрал\w*|исключил\w*|прекратил\w*|слез\w*|пропил\w*|завязал\w*|отказал\w*)\b"),
    "diet": re.compile(r"\b(?:no longer|not .* anymore|eat meat again|over|done(?: with)?|quit|quitting|packed it in|packed in|gave up on|off|больше не|уже не|снова ем|бросил\w*|закончил\w*|завязал\w*|сорвал\w*|отказал\w*|снова едим|опять ем|ем мясо|вернул\w*|перестал\w*)\b"),
    "tool": re.compile(r"\b(?:gone|dropped|ditched|uninstalled|removed|dead|retired|is out|are out|was out|axed|sunset|phased out|cancelled|canceled|снес\w*|удалил\w*|выкинул\w*|выпилил\w*|отказал\w*|больше не|уже не|забросил\w*|ушли с|ушел с|ушла с|съехали с|похоронил\w*|выбросил\w*|слез\w*|завязал\w*|расстал\w*|попрощал\w*)\b"),
    "owns": re.compile(r"\b(?:sold|flogged|shifted|nicked|pinched|got (?:shot|rid) of|part(?:ed with|-?exchanged)|wrote off|written off|donated|let go of|stole|stolen|crashed|totaled|totalled|scrapped|gave away|traded in|продал\w*|украли|угнали|разбил\w*|отдал\w*|подарил\w*|списал\w*|сдал\w* в утиль|утилизировал\w*|больше нет|загнал\w*|сплавил\w*|сбыл\w*|избавил\w*|потерял\w*|утопил\w*|утонул\w*|сгорел\w*|увели|выкинул\w*|расстал\w*)\b"),
    "pet": re.compile(r"\b(?:goodbye|lost|died|passed away|passed|put down|put .* to sleep|rehomed|no longer with us|умер\w*|не стало|похоронили|усыпили|ушел|ушла|потеряли|забрал\w*[^.!?]{0,30}\b(?:насовсем|навсегда|себе)|больше (?:с нами )?нет(?=\s*(?:[,.!)]|$))|отдал\w*(?![^.!?]*\b(?:стри[жч]|клиник|передерж|ветерин|грум|дрессир|школ|врем|выходн))|пристроил\w*|погиб\w*|сдох\w*|издох\w*|скончал\w*|радуг\w+)\b"),
    "goal": re.compile(r"\b(?:passed|finished|did it|done|completed|reached|achieved|made it|finally|giv(?:e|ing?|en) up|gave up|giving up|dropped|abandon\w*|off the table|scrapped|забил\w*|отказал\w*|закрыт\w*|закрыл\w*|отменя\w+|не актуальн\w*|сдаюсь|сдал\w*|пробежал\w*|выполнил\w*|достиг\w*|получил\w*|закончил\w*|сделал\w*|выполнил\w*|сделал\w*|сдал\w*|достиг\w*|добил\w*с[ья]|пробежал\w*|закончил\w*|осилил\w*|победил\w*|передумал\w*|сбылось|сбылась)\b"),
    "plan": re.compile(r"\b(?:cancell?ed|called off|not happening|changed my mind|scrapped|off|dropped|on hold|fell through|gave up|не(?:\s+\w+)?\s+(?:еду|едем|едет|беру|берем|берет|иду|идем|идет|лечу|летим|поеду|пойду|хочу|хотим|стану|станем|собираюсь|планирую|получится|выйдет|выгорел\w*|складывается|сложилось)|передумал\w*|отмен\w+|не буду|сорвал\w*|накрыл\w*|отказал\w*|не состо\w+|отклад\w+|отложил\w*|не сложил\w*|не вышло|не выйдет|откажусь|отменя\w+|рухнул\w*|обломал\w*|обломил\w*|пролете\w+|медным тазом|не состоит\w*)\b"),
    "requirement": re.compile(r"\b(?:lifted|dropped|no longer|waived|relaxed|снят\w*|снимаем|больше не|отмен\w+|не нужн\w+)\b"),
    "legal_constraint": re.compile(r"\b(?:lifted|expired|lapsed|ran out|run out|is over|was over|no longer|ended|terminated|released me|released us|снят\w*|сняли|снял[аи]?|истек\w*|закончил\w*|кончил\w*|отменил\w*|больше не действует|прекращ\w+)\b"),
    "employer": re.compile(r"\b(?:(?:с|со)\s+[^,.!?\s]+\s+(?:все(?=\s*(?:[,.!]|$))|покончено|расстал\w+|попрощал\w+|распрощал\w+|завязал\w*)|ушел оттуда|ушла оттуда|оттуда уш\w+|left there|left that job|(?:из|с|со|от)\s+[^.!?]{2,40}?(?:уволили|выперли|поперли|турнули|вышибли|погнали|выгнали|сократили|попросили|выставили|уволил(?:ся|ась)|ушел|ушла|свалил\w*)|(?:уволили|выперли|поперли|турнули|вышибли|выгнали|сократили|попросили|уволил(?:ся|ась)|ушел|ушла)\s+[^.!?]{0,25}?(?:из|с|со|от)\s|(?:sacked|fired|let go|laid off|booted|axed|made redundant)\b[^.!?]{0,20}?\b(?:from|at|by))\b"),
    "medical_condition": re.compile(r"\b(?:вылечил\w*|отпустил\w*|ремисси\w+|выздоров\w+|победил\w*|больше нет|не подтвердил\w*|исчез\w*|рассосал\w*|зажил\w*|gone|cleared up|healed|in remission|cured|recovered|all clear|over it)\b"),
    "dislike": re.compile(r"\b(?:полюбил\w*|распробовал\w*|больше не бес\w+|уже не бес\w+|привык\w*|смирил\w*)\b"),
    "education": re.compile(r"\b(?:бросил\w*|отчислил\w*|вылетел\w*|забрал\w* документы|ушел из|ушла из)\b"),
    "preference": re.compile(r"\b(?:no longer|not anymore|changed my mind|больше не|разлюбил\w*|передумал\w*|охладел\w*|остыл\w*|надоел\w*|наел\w*с[ья]|перестал\w*|уже не)\b"),
}  # fmt: skip
ENDING = AnyOf("|".join(pattern.pattern for pattern in _ENDS.values()))


_UNSURE = re.compile(
    r"\b(?:plan|план|if|если|when|когда|hope|надеюсь|some day|would|might|может|хочу|думаю|собираюсь)\b"
)
IT_GONE = Gated(
    r"(?:^|[\s,])(?:so\s+|yeah,?\s+|i\s+|we\s+|already\s+|just\s+)*(?:sold|gave away|scrapped|traded in|donated|totaled|totalled|crashed)\s+(?:it|him|her|that one)\b|\b(?:нет|нету)\s+(?:ее|его|их)\s+(?:больше|уже)|(?:больше|уже)\s+(?:нет|нету)\s+(?:ее|его|их)?|(?:^|[\s,])(?:я\s+|мы\s+|ее\s+|его\s+|их\s+|уже\s+|давно\s+|вчера\s+)*(?:продал[аи]?|отдал[аи]?|подарил[аи]?|разбил[аи]?)\s*(?:ее|его|их|я\s+ее|я\s+его)?(?=\s*(?:[.,!)]|$|вчера|сегодня|на\s|в\s|еще|давно|месяц|недел))"
)
"""An end whose object is a pronoun or left out: what the message before it named is meant."""
_LEGAL_HEAD = re.compile(
    r"\b(?:nda|non-?disclosure|non-?compete|visa|injunction|restraining|probation|parole|bail|custody|permit|gag|ban|подписк\w+|неразглашени\w+|нда|запрет\w*|виз[аыу]|арест\w*|условн\w+|мораторий|судимост\w+|карантин\w*)\b"
)
_STATED = re.compile(r"[^.!?;\n]+")


def ends_of(
    said: Sequence[Statement],
    before: WindowMessage | None,
    message: WindowMessage,
    told: datetime | None,
    statements: Sequence[Statement],
) -> Iterator[ClosureDraft]:
    """Ends of things said before, named again beside a word that ends them, or meant by "it"."""
    low = lower(message.text)
    mentions = _past(message, told)
    done: set[tuple[str, str, str]] = set()
    for was in reversed(said):
        predicate = was.found.predicate
        pattern = _ENDS.get(predicate)
        key = (was.subject.name, predicate, fold(str(was.value)))
        if pattern is None or key in done:
            continue
        taken_back = _NEVER.search(low) is not None
        if any(
            fold(str(s.value)) == key[2]
            and s.found.predicate == predicate
            and not (taken_back and s.found.mode is Mode.denial)
            for s in statements
        ):
            continue
        for sentence in _STATED.finditer(low):
            named = pattern.search(sentence[0]) is not None and (
                _names(sentence[0], str(was.value), predicate)
                or _names_kind(sentence[0], was, said)
            )
            if not named and not _meant(sentence[0], was, before, said):
                continue
            if named and not _apart(sentence[0], was, said, pattern):
                continue
            if _UNSURE.search(sentence[0]):
                continue
            done.add(key)
            never = _NEVER.search(low) is not None and predicate in ("allergy", "medical_condition")
            yield ClosureDraft(
                action=ClosureAction.retracted if never else ClosureAction.ended,
                subject=was.subject,
                predicate=predicate,
                object=was.value,
                ended_at=None if never or told is None else _ended(sentence, mentions, told),
                text=message.text[sentence.start() : sentence.end()].strip()[:1_000],
                confidence=0.75,
                quoted=message.quoted,
                spans=(Span(start=sentence.start(), end=sentence.end()),),
            )
            break


def _apart(
    sentence: str, was: Statement, said: Sequence[Statement], pattern: re.Pattern[str]
) -> bool:
    """Whether a sentence ends this one of the things that it names: the clause of the ending verb
    names it, where another clause names another ("Жужу забрала мама, остались мы с Бубликом")."""
    predicate = was.found.predicate
    values = {str(s.value) for s in said if s.found.predicate == predicate}
    if sum(_names(sentence, value, predicate) for value in values) < 2:
        return True
    return any(
        pattern.search(clause) and _names(clause, str(was.value), predicate)
        for clause in re.split(r"[,:—–]|\s(?:а|но)\s", sentence)
    )


def _past(message: WindowMessage, told: datetime | None) -> list[DateMention]:
    """The dates of a message that are not to come, an end being told as done."""
    from memory_pipeline.understand.dates.resolve import resolve

    if told is None:
        return []
    found = []
    lang = language_of(message)
    for m in resolve(message.text, told, lang):
        if m.valid_from is not None and m.valid_from > told:
            again = [p for p in resolve(message.text, told, lang, "past") if p.start == m.start]
            m = again[0] if again else m
        if m.valid_from is not None and m.valid_from <= told and m.direction in ("point", "from"):
            found.append(m)
    return found


def _ended(sentence: re.Match[str], mentions: Sequence[DateMention], told: datetime) -> datetime:
    """The end that the sentence dates, else the message's one date, else the telling."""
    here = [m for m in mentions if sentence.start() <= m.start < sentence.end() + 1]
    chosen = here[:1] or (list(mentions) if len(mentions) == 1 else [])
    start = chosen[0].valid_from if chosen else None
    return midnight(told) if start is None else start


def _meant(
    sentence: str, was: Statement, before: WindowMessage | None, said: Sequence[Statement]
) -> bool:
    """Whether an end without an object is of this thing: the message before names it, or there
    is no other."""
    if was.found.predicate != "owns" or not IT_GONE.search(sentence):
        return False
    others = {fold(str(s.value)) for s in said if s.found.predicate == "owns"}
    if before is not None and _names(lower(before.text), str(was.value), "owns"):
        return True
    return len(others) == 1


_BESIDE = re.compile(
    r"\b(?:с|со|из|у|от|к|за|на|для|про|о|об)\s+(?:наш\w+\s+|мо\w+\s+)?$|\bу\s+(?!меня|нас)\w|\b(?:его|ее|их|твой|твоя|ваш\w*)\s+$"
)
_GONE_FOR_GOOD = re.compile(
    r"\b(?:умер\w*|не стало|похорон\w+|усыпил\w*|погиб\w*|сдох\w*|издох\w*|скончал\w*|больше нет|пристроил\w*|отдал\w*)\b"
)


def _names_kind(sentence: str, was: Statement, said: Sequence[Statement]) -> bool:
    """Whether a pet is named by what it is, there being no other of the kind ("кота я отдал")."""
    kind, _, name = str(was.value).partition(": ")
    if was.found.predicate != "pet" or not name:
        return False
    alike = {
        fold(str(s.value)) for s in said
        if s.found.predicate == "pet" and str(s.value).startswith(f"{kind}:")
    }  # fmt: skip
    if len(alike) != 1 or _GONE_FOR_GOOD.search(sentence) is None:
        return False
    words = list(re.finditer(r"[\w-]+", fold(sentence)))
    for found, behind in itertools.zip_longest(words, words[1:]):
        if is_russian(found[0]) and lemma(found[0]) == lemma(kind):
            is_owned = behind is not None and "anim" in parses(behind[0])[0].tag
            return not is_owned and _BESIDE.search(sentence, 0, found.start()) is None
    return False


def _names(sentence: str, value: str, predicate: str) -> bool:
    """Whether the sentence names a value: all its telling words, in any form."""
    core = value.split(": ", 1)[-1] if predicate in ("pet", "relative") else value
    words = [w for w in re.findall(r"[\w+#]+", fold(core)) if len(w) > 2]
    if predicate == "medication":
        words = [w for w in words if not re.search(r"\d", w)]
    if predicate == "owns":
        words = [w for w in words if not re.search(r"\d", w) and w not in ("года", "год", "half")]
    if not words:
        return False
    present = {lemma(w) for w in re.findall(r"[\w+#]+", fold(sentence))}
    if predicate == "legal_constraint":
        heads = _LEGAL_HEAD.findall(fold(value))
        return any(lemma(head) in present for head in heads)
    if predicate in ("goal", "plan", "requirement"):
        telling = [w for w in words if len(w) > 2 and w != "the"][1:] or words
        return sum(lemma(w) in present for w in telling) >= max(1, round(len(telling) * 0.6))
    if predicate == "tool":
        spoken = {tool_name(w) for w in re.findall(r"[\w+#.]+", sentence)}
        if value in spoken:
            return True
    return all(lemma(w) in present for w in words) or (
        predicate == "allergy" and lemma(words[-1]) in present
    )
