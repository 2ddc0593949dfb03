"""What a message cites: the words of somebody else, of nobody, or of its own writer.

The first person inside quotation marks is the one whom the reporting clause names ("Олег пишет:
«…»", "…, she said"), and nobody where there is none. Only the writer's own words state facts of
the writer; others' words, lyrics, slogans and texts to be worked on state nothing here. A name or
a title in quotation marks («Яндекс», "Tom") is no quotation.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses

_MARKS = re.compile(
    r"«(?P<a>(?:[^«»\n]|«[^«»\n]*»)*)(?:»|(?=\n|$))"
    r"|[“„”](?P<b>[^“”„\n]*)(?:[”“]|(?=\n|$))"
    r"|(?<![\w\"])\"(?P<c>(?=\S)[^\"\n]*)(?:\"|(?=\n|$))"
    r"|(?<![\w'])''(?P<d>(?=\S)[^\n]*?)''"
    r"|(?<![\w'’])[‘'](?P<e>(?:i|i['’]\w+|we|my|я|мы|у меня)\s[^\n]*?(?<=[\w.!?…,]))['’](?!\w)",
    re.IGNORECASE,
)
_THIRD_RU = (
    r"(?:(?:сказа|написа|писа|ответи|сообщи|заяви|крикну|закрича|крича|шепну|прошепта|шепта|воскликну|повтори|повторя|"
    r"добави|добавля|объясни|рассказа|рассказыва|произнес|пробормота|буркну|подтверди|уточни|подума|дума|выда|проговори|говори|спе|пе|ора|"
    r"присла|скину|переда|процитирова|спроси|спрашива)(?:л|ла|ли|ло)"
    r"|(?:призна|похваста|хваста|пожалова|жалова)л(?:ся|ась|ись)|призн(?:ается|аются)|"
    r"(?:пиш|говор|отвеча|сообща|заявля|крич|шепч|повторя|добавля|объясня|рассказыва|утвержда|тверд|дума|по|ор|вопи|гласи?|звуч|спрашива|жалу|хваста|переда|начина|переводи)"
    r"(?:ет|ит|ют|ят|т|ат|ут)(?:ся)?|начиналась|начинался|произнес|поется|поются)"
)
_THIRD_EN = (
    r"(?:said|says|wrote|writes|told|tells|texted|texts|messaged|messages|replied|replies|answered|answers|asked|asks|goes|went|"
    r"yelled|shouted|whispered|added|announced|claimed|claims|posted|posts|tweeted|emailed|sang|sings|reads|quoted|mentioned|"
    r"admitted|bragged|complained|explained|insisted|repeated|repeats|thought|(?:was|were|is|are|'s)\s+(?:all\s+)?like)"
)
_FIRST_RU = (
    r"(?:говорю|говорим|пишу|пишем|повторяю|повторю|отвечаю|отвечу|сообщаю|напоминаю|напомню|уточняю|уточню|добавлю|добавляю|"
    r"скажу|расскажу|рассказываю|объясняю)"
)
_PLAIN_EN = r"(?:say|write|tell|text|reply|answer|repeat|saying|telling|writing)"
_FIRST_PERSON_SAYS = rf"(?:{_FIRST_RU}|{_PLAIN_EN})"
_SAYS = re.compile(rf"\b(?:{_THIRD_RU}|{_THIRD_EN}|{_FIRST_PERSON_SAYS})(?!\w)")
_TO_WHOM = r"(?:\s+(?!(?:что|that|в|во|на|for|at|in|on|и|а|and)\b)[^\s,:;.!?—–«»\"]+){0,4}"
_DIRECT = re.compile(
    rf"\b(?:{_THIRD_RU}|{_THIRD_EN}|{_FIRST_PERSON_SAYS})(?!\w)(?:{_TO_WHOM}\s*[:,—–-][\s—–-]*|\s*(?:me|us|мне|нам)?\s*)$"
    r"|\b(?:такой|такая|такие)(?:\s+мне)?\s*:\s*$"
)
"""A reporting verb, with whom it is told to, right before the quotation."""
_WORD = r"[^\s,.;:!?—–«»\"]+"
_AFTER = re.compile(
    rf"\s*[,.!?…]*\s*[—–-]*\s*(?:{_WORD}\s+){{0,3}}?(?:{_THIRD_RU}|{_THIRD_EN}|{_FIRST_PERSON_SAYS})(?!\w)(?:\s+(?:я|мы)\b)?"
)
_NOT_ME = r"(?!(?:и|а|но|как|что|он|она|они|оно|кто|and|but|as|that|he|she|they|who|when|my|our|мой|моя|мои)\b)"
_OWN = re.compile(
    rf"\b(?:я|мы)(?:\s+{_NOT_ME}{_WORD}){{0,5}}?(?:\s+и)?\s+(?:{_THIRD_RU})(?!\w)"
    rf"|\b(?:{_THIRD_RU})\s+(?:же\s+|уже\s+|тебе\s+|вам\s+)?(?:я|мы)\b"
    rf"|\b{_FIRST_RU}(?!\w)"
    rf"|\b(?:i|we)(?:'ve|'d|'m|'re)?(?:\s+{_NOT_ME}{_WORD}){{0,3}}?(?:\s+and)?\s+(?:{_THIRD_EN}|{_PLAIN_EN})(?!\w)"
)
_MADE = re.compile(
    r"\b(?:песн|рассказ(?!ал|ыва)|роман|стих|поэм|книг|сценари|пример|тест|фраз|строк|слоган|девиз|пол[ея]\b|припев|куплет|персонаж|геро[йяию])\w*"
    r"|\b(?:songs?|story|novels?|poems?|lyrics?|scripts?|lines?|slogans?|mottos?|phrases?|examples?|tests?|fields?|fiction|characters?|chorus|verse|placeholder)\b"
)
"""What is made up or only an example: its writer says nothing of themself in it."""
_FIRST = re.compile(
    r"\b(?:я|мы|меня|мне|мной|мною|нас|нам|нами)\b|\b(?:i|i'[a-z]+|im|ive|we|we'[a-z]+)\b"
    r"|\bmy\s+\S.*\s(?:is|are|was|has|lives?|works?)\b"
)
_DASHED = re.compile(
    rf"(?:^|(?<=\n))[ \t]*[—–-]\s*(?P<said>[^\n]*?)[,.!?…]+\s*[—–-]\s+(?P<who>(?:{_THIRD_RU}|{_THIRD_EN}|{_FIRST_PERSON_SAYS})(?!\w)(?:\s+(?:я|мы)\b)?)"
)
"""Speech told as in a book: a dash before it, and another before whom it is of."""
_WORDS = re.compile(r"[a-zа-яё'’-]+", re.IGNORECASE)
_STOP = re.compile(r"[.!?…]+[\"»”)]*\s|\n")
_COLON = Gated(
    rf"(?:^|(?<=[\n.!?…]))(?P<who>[^\n.!?…:«»\"]{{0,80}}?\b(?:{_THIRD_RU}|{_THIRD_EN})(?:\s+{_WORD}){{0,3}}):\s+(?=[^\s«»\"“„])"
)
"""A reporting clause with a colon and no quotation marks behind it."""
_ASKS = re.compile(r"\b(?:спрос|спраш|asked|asks|you (?:said|told))")
_SPEAKS_FIRST = re.compile(
    r"(?:(?:и|а|но|да|нет|привет|yes|no|hi|well|and|but)[,\s]+){0,2}(?:я|мы|i|i'm|i've|we|we're|we've|im)\b"
)
_ORDER = Gated(
    r"(?:^|(?<=[\n.!?…]))\s*(?:(?:пожалуйста|плиз|please|pls|а|и|can you|could you|эй|hey)[,\s]+)*"
    r"(?:(?:переведи\w*|перескажи\w*|перефразир\w+|озвучь\w*|произнеси\w*|прочитай\w*\s+вслух|как (?:перевести|сказать|будет)"
    r"|перепиши\w*(?!\s+(?:мо|адрес|телефон|данн|дат|бюджет))"
    r"|(?:исправь\w*|проверь\w*|отредактируй\w*|сократи\w*)\s+(?:\w+\s+){0,3}?(?:текст|грамматик|ошиб|орфограф|пунктуац|перевод|предложени|фраз)\w*"
    r"|(?:напиши|введи|впиши|набери|вставь)\w*\s+(?:\w+\s+){0,2}?(?:в\s+(?:пол|строк|форм|ячейк)|фраз)\w*"
    r"|(?:напиши|сочини|придумай)\w*\s+(?:\w+\s+){0,2}?(?:рассказ|стих|песн|сказк|истори|роман|диалог|сценк|анекдот)\w*"
    r"|(?:write|compose|make up|invent)\s+(?:\w+\s+){0,3}?(?:poem|story|song|lyrics|tale|dialogue|novel|joke)"
    r"|translate|rephrase|paraphrase|rewrite|reword|proofread|summari[sz]e|how do you say"
    r"|(?:correct|fix|check|edit|shorten)\s+(?:\w+\s+){0,3}?(?:text|grammar|spelling|sentence|phrase|translation)"
    r"|(?:type|enter|put|write|paste)\s+(?:\w+\s+){0,3}?(?:field|box|form|cell)|say after me|repeat after me)(?![\w-])"
    r"(?![^:\n]{0,60}\b(?:my|мой|мою|мои|моего)\s+(?:profile|details|data|info|bio|профил|данны|анкет|карточк))[^:\n.!?]{0,60}"
    r"|(?:тест|тестовая (?:фраза|строка)|пример(?:\s+(?:фразы|предложения|текста))?|test(?: phrase| string| message)?"
    r"|example(?: sentence| phrase)?|sample(?: text)?|placeholder))\s*:\s*(?=\S)"
)
"""An order to work on the words behind its colon, or that they are but an example."""
_WRITE_RU = r"(?:напиши|составь|сочини|придумай|сгенерируй|подготовь|оформи|набросай|сделай|допиши|дополни|опубликуй|создай|помоги (?:мне )?(?:написать|составить|сочинить|придумать))(?:те)?"
_TEXT_RU = (
    r"(?:био|биографи[юи]|автобиографи[юи]|резюме|пост[аы]?|объявлени[ея]|анкет[уы]|отзыв[ы]?|текст[аы]?"
    r"|стать[юи]|речь|тост|поздравлени[ея]|описани[ея]|профил[ья]|эссе|сочинени[ея]|монолог|интервью|легенд[уы]|самопрезентаци[юи]"
    r"|презентаци[юи]|рассказ|истори[юи]|диалог|сценари[йя]|реплик[уи]|стих\w*|песн[юи]|роль)"
)
_TASK = Gated(
    rf"(?:^|(?<=[\n.!?…]))\s*(?:(?:пожалуйста|плиз|слушай|привет|а|и|ну|можешь)[,\s]+)*{_WRITE_RU}\s+(?:[^\s:.!?]+\s+){{0,3}}?{_TEXT_RU}\b"
    r"(?![^:\n]{0,60}\b(?:обо мне|про меня|о себе|мо[йяюие]|моего|моей|моём|моем|наш[а-я]*)\b)"
    r"[^:.!?\n]{0,80}?(?P<rest>:|,\s(?=где|котор|что)|[.!]?\s*\n|\bот\s+(?:лица|имени)\b)"
    rf"|(?:^|(?<=[\n.!?…]))\s*{_WRITE_RU}\s[^:.!?\n]{{0,40}}?\b(?P<role>от\s+(?:лица|имени)\s+(?!мо|наш))"
)
"""A text to be written: what stands behind its colon, or behind "от лица …", is told by nobody. A
letter is one's own, unless it is in another's name."""
_FORWARDED = Gated(
    r"(?:^|(?<=\n))[\s\[(>*—–-]*(?:переслан[а-я]*|пересылаю|форвард(?![а-я])|репост|копирую|копипаст[а-я]*|forwarded (?:message|from))\b[^\n:]{0,60}(?::|\n|\])"
    r"|\b(?:here(?:'s| is)|got|received|check out|see)\s+(?:an?|the|this)\s+(?:e-?mail|message|text|letter|note|post|ad|listing|review|dm)\b(?!\s+(?:for you|from me))[^\n:.!?]{0,40}:\s"
    r"|\b(?:перешли|перешлите|передай|передайте|отправь|отправьте|ответь|ответьте|скинь|напиши|напишите)\s+(?:это\s+|вот\s+это\s+)?"
    r"(?:ему|ей|им|[а-я]{2,}(?:у|ю|е|ам|ям))(?:\s+(?:вот\s+)?(?:это|так|следующее|такое|от меня))*\s*:"
)
"""The head of a message that is passed on, or is to be passed on."""
_SIGNS = frozenset("«“„”\"'‘:—–-\n")


def without_quotations(text: str, low: str) -> str:
    """The text with what it cites of others, or of nobody, blanked character by character.

    `low` is the text in lower case, of the same length. The stop that ends a quotation stays, so
    that a sentence ends there.
    """
    if _SIGNS.isdisjoint(text) and not _TASK.search(low):
        return text
    out = text
    for start, end in _cited(text, low):
        tail = re.search(r"[.!?…]+(?=[»”“\"'’\s]*$)", text[start:end])
        at, stop = (tail.start(), tail[0]) if tail else (end - start, "")
        out = out[:start] + " " * at + stop + " " * (end - start - at - len(stop)) + out[end:]
    return out


def _cited(text: str, low: str) -> Iterator[tuple[int, int]]:
    for found in _TASK.finditer(low):
        yield found.start("rest" if found["rest"] else "role"), _paragraph_end(text, found.end())
    for found in _FORWARDED.finditer(low):
        yield found.end(), _paragraph_end(text, found.end())
    for found in _ORDER.finditer(low):
        yield found.end(), _paragraph_end(text, found.end())
    for found in _MARKS.finditer(text):
        kind = str(found.lastgroup)
        a, b = found.span(kind)
        if text[a:b].strip() and _is_others(text[a:b], low, found.start(), found.end()):
            yield found.start(), found.end()
    for found in _DASHED.finditer(low):
        if not _is_own(found["who"]):
            yield found.span("said")
    for found in _COLON.finditer(low):
        who = found["who"]
        if _SPEAKS_FIRST.match(low, found.end()) and not _is_own(who) and _ASKS.search(who) is None:
            stop = text.find("\n", found.end())
            yield found.end(), len(text) if stop < 0 else stop


def _paragraph_end(text: str, at: int) -> int:
    stop = text.find("\n\n", at)
    return len(text) if stop < 0 else stop


def _is_others(words: str, low: str, start: int, end: int) -> bool:
    """Whether words in quotation marks, at [start, end) with them, are another's or nobody's."""
    cuts = [found.end() for found in _STOP.finditer(low, 0, start)]
    before = low[cuts[-1] if cuts else 0 : start]
    after = _STOP.split(low[end:], maxsplit=1)[0]
    direct = _DIRECT.search(before) is not None
    follows = _AFTER.match(after)
    reported = (direct or follows is not None) and len(_WORDS.findall(words)) > 1
    if not reported and not in_first_person(words):
        return False
    if _MADE.search(before) or _MADE.search(after[:30]):
        return True
    if follows is not None and not direct:
        return not _is_own(follows[0])
    return not _is_own(before)


def _is_own(clause: str) -> bool:
    """Whether the last reporting verb of a clause is the writer's own."""
    own = [found.end() for found in _OWN.finditer(clause)]
    says = [found.end() for found in _SAYS.finditer(clause)]
    return bool(own) and own[-1] >= max(says, default=0)


def in_first_person(words: str) -> bool:
    """Whether somebody speaks of themself in these words; a title of capitals does not, unless it
    begins with the pronoun."""
    low = words.lower().replace("ё", "е").replace("’", "'")
    if _FIRST.search(low):
        named = _WORDS.findall(words)
        is_title = all(word[0].isupper() for word in named if len(word) > 3 or word == named[0])
        return not is_title or len(named) > 6 or _SPEAKS_FIRST.match(low) is not None
    return any(_is_first_verb(word) for word in _WORDS.findall(low))


@lru_cache(maxsize=8192)
def _is_first_verb(word: str) -> bool:
    likeliest = parses(word)[0]
    return "VERB" in likeliest.tag and "1per" in likeliest.tag
