"""Passwords told by a sentence: "I changed my password to sunflower", "Kite77 is my password".

No colon stands before the value. A frame of the sentence says where it is; a value that looks like a
password is taken as it stands, a plain word only where it ends its clause, four plain words or more
where they are all of it.
"""

import re
from collections.abc import Iterator

from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.sensitive.candidate import KEYED, Candidate
from memory_pipeline.understand.sensitive.password_looks import looks_like_password, whole_value
from memory_pipeline.understand.sensitive.said_words import phrase_end, quoted_end, said_end
from memory_pipeline.understand.sensitive.value_words import CUT, is_no_value
from memory_pipeline.understand.word_blocks import words

_CUE_EN = r"pass[ \-]?phrase|passw[o0]rd|passcode|passwd|pswd|pwd|psw"
_CUE_RU = r"пар[о0]ль|пасс?[вс]орд|пассфраза"
_FOR_EN = r"(?:\s(?:for|of|on)(?:\s[\w.'’\-]+){1,4}?)?"
_FOR_RU = r"(?:\s(?:от|для|к|ко|на|в|во)(?:\s[\w.\-]+){1,3}?)?"
_NEW_EN = (
    r"(?:change|changes|changed|changing|set|sets|setting|reset|resets|resetting|update|updates|updated|updating|"
    r"switch|switched|switching|rotate|rotated|make|made|making|put)"
)
_OWNED_EN = r"(?:my|our|his|her|their|your|the|this|that|new|[\w\-]+['’]s)"
_IS_EN = r"(?:(?:is|was|will be|is going to be|has been|had been|got|gets)\s)?"

# each frame ends where the value begins
_CHANGED_EN = re.compile(
    rf"(?<!\w){_NEW_EN}\s(?:[\w'’\-]+\s){{0,4}}?(?:{_CUE_EN}){_FOR_EN}\s(?:back\s)?to\s(?:be\s)?",
    re.I,
)
_BECAME_EN = re.compile(
    rf"(?<![\w\-])(?:{_CUE_EN}){_FOR_EN}\s(?:{_IS_EN}(?:now\s)?(?:changed|set|reset|updated|switched|rotated)\s(?:back\s)?to|"
    r"will\s(?:now\s)?be|is\sgoing\sto\sbe|is\sgonna\sbe|shall\sbe|became|becomes)\s",
    re.I,
)
# here a plain word would say what the password is like
_STRONG_EN = re.compile(
    rf"(?<!\w)(?:{_NEW_EN}\s(?:[\w'’\-]+\s){{0,4}}?(?:{_CUE_EN}){_FOR_EN}|(?:{_CUE_EN}){_FOR_EN}\s(?:to|should|must|can|would)\sbe)\s",
    re.I,
)
_PHRASE_EN = re.compile(
    rf"(?<!\w){_OWNED_EN}\s(?:[\w'’\-]+\s){{0,2}}?(?:{_CUE_EN}){_FOR_EN}"
    r"(?:['’]s|\s(?:is|was)|\swill\sbe|\sis\sgoing\sto\sbe)\s(?:now\s|still\s)?",
    re.I,
)
_WHO_RU = r"у\s(?:меня|нас|него|неё|нее|них|тебя|вас|[А-ЯЁ]?[а-яё]+)"
_BETWEEN_RU = (
    rf"(?:\s(?:{_WHO_RU}|теперь|сейчас|пока|снова|опять|уже|сегодня|он|это|такой|такое|будет|стал|был|"
    r"поставил[аи]?|сделал[аи]?|придумал[аи]?|взял[аи]?|задал[аи]?|я|мы)(?!\w)){1,4}"
)
_NOW_RU = re.compile(rf"(?<!\w)(?:{_CUE_RU}){_FOR_RU}{_BETWEEN_RU}\s?[,:=\-–—]?\s", re.I)
_CHANGED_RU = re.compile(
    rf"(?<!\w)(?:сменил|поменял|изменил|обновил|меняю|меняем|сменить|поменять|сменим|поменяем|смени|поменяй)[аи]?\s"
    rf"(?:[\w\-]+\s){{0,3}}?(?:{_CUE_RU}){_FOR_RU}\sна\s",
    re.I,
)
_STRONG_RU = re.compile(
    rf"(?<!\w)(?:(?:{_CUE_RU}){_FOR_RU}\s(?:сменил|поменял|изменил|обновил|поставил|установил|задал|сделал)[аи]?\s(?:на\s)?|"
    rf"(?:поставил|установил|задал|сделал|сбросил)[аи]?\s(?:[\w\-]+\s){{0,2}}?(?:{_CUE_RU}){_FOR_RU}\s(?:на\s)?)",
    re.I,
)
# what a password is for stands after the same "на" as the new one
_THINGS_RU = frozenset(
    words(
        "роутер сервер почта вайфай вай-фай wi-fi wifi ноутбук комп компьютер телефон айфон планшет сайт аккаунт акк карта архив папка "
        "файл сейф госуслуги банк приложение инстаграм инста телеграм телега вк вход домофон база админка учётка учетка сеть рутер симка диск"
    )
)
_AFTER = re.compile(
    r"(?:\s?[\-–—]\s?(?:это\s)?|\s(?:это|is|was|will be|is going to be)\s)(?P<of>(?:now\s|теперь\s)?"
    r"(?:(?:my|our|his|her|their|your|the|мой|наш|его|её|ее|их|твой|ваш|новый)\s)(?:[\w'’\-]+\s){0,2}?|)"
    rf"(?:{_CUE_EN}|{_CUE_RU})(?=\s?(?:[.,;!)\n]|$)|\s(?:for|to|of|on|now|от|для|на|к|в|и|and)(?!\w))",
    re.I,
)
_CLAUSE = re.compile(r"[.!?:;,\n(]|(?<!\S)(?:and|so|but|и|а|но|что|that)(?!\S)", re.I)
_TOKEN = re.compile(r"\S+")
_CLOSED = re.compile(r"[\"'»”`]\Z")
_OPENS = {'"': '"', "'": "'", "»": "«", "”": "“", "`": "`"}
_OPENING = frozenset("«“„\"'`([{<*_")
_PLAIN = re.compile(r"[^\W\d_]{4,}")
_LEAST_PHRASE = 4
_FAR = 160

# "three spaces and then the word Kite77": a value spelt out, to its last token that looks like one
_SPELT = re.compile(
    rf"(?<![\w\-])(?:{_CUE_EN}){_FOR_EN}(?:['’]s|\sis|\swas)?\s?[:=\-–—]?\s|(?<![\w\-])(?:{_CUE_RU}){_FOR_RU}(?:{_BETWEEN_RU})?\s?[:=\-–—]\s",
    re.I,
)
_SPELLING = re.compile(
    r"(?<!\w)(?:пробел\w*|слов[оа]м?|цифр\w+|букв\w+|символ\w*|дефис\w*|тире|подч[её]ркивани\w+|заглавн\w+|большой|"
    r"spaces?|words?|digits?|letters?|dash|hyphen|underscore|uppercase|lowercase|capital)(?!\w)",
    re.I,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n")
_LOGIN = re.compile(
    r"(?<!\w)(?:логин|почта|юзер|пользователь|login|user(?:name)?|e-?mail|не менее|не короче|минимум|at least|minimum|must|should|долж\w+)(?!\w)",
    re.I,
)


def find_told_passwords(text: str) -> Iterator[Candidate]:
    """Values that a sentence names as a password, before its word or after it."""
    for pattern, plain in (
        (_CHANGED_EN, True),
        (_BECAME_EN, True),
        (_STRONG_EN, False),
        (_NOW_RU, True),
        (_CHANGED_RU, True),
        (_STRONG_RU, False),
    ):
        thing = pattern is _CHANGED_RU
        for match in pattern.finditer(text):
            yield from _value_at(text, match.end(), plain=plain, thing=thing)
    for match in _PHRASE_EN.finditer(text):
        yield from _candidate(text, match.end(), _phrase_end(text, match.end()))
    yield from _before(text)
    yield from _spelt(text)


def _candidate(text: str, at: int, end: int | None) -> Iterator[Candidate]:
    if end is not None:
        yield Candidate(at, end, "password", text[at:end], KEYED)


def _value_at(text: str, at: int, *, plain: bool, thing: bool) -> Iterator[Candidate]:
    end = quoted_end(text, at)
    if end is not None:
        yield from _candidate(text, at + 1, end)
        return
    token = _TOKEN.match(text, at)
    if token is None or token.group()[0] in _OPENING:
        return
    value = whole_value(token.group(), "", strong=False)
    if len(value) >= _LEAST_PHRASE and looks_like_password(value, strong=False):
        yield from _candidate(text, at, at + len(value))
    elif plain:
        end = said_end(text, at)
        if end is not None and not (thing and _is_thing(text[at:end])):
            yield from _candidate(text, at, end)
        elif end is None:
            yield from _candidate(text, at, _phrase_end(text, at))


def _is_thing(word: str) -> bool:
    """Whether a word after "на" is what the password opens: named here, or in the locative alone."""
    readings = parses(word.lower().rstrip("!"))
    if any(normal in _THINGS_RU for normal, _ in readings):
        return True
    return all("nomn" not in tags and "accs" not in tags for _, tags in readings)


def _phrase_end(text: str, at: int) -> int | None:
    """The end of a phrase of plain words that is all of its clause, of which at most one in four
    says something of a password."""
    end = phrase_end(text, at)
    if end is None:
        return None
    said = [word.lower() for word in text[at:end].split()]
    return end if 4 * sum(map(is_no_value, said)) <= len(said) else None


def _before(text: str) -> Iterator[Candidate]:
    """What stands before "is my password": the last token if it looks like one, else the plain words
    of the clause, where somebody's own password is meant."""
    for match in _AFTER.finditer(text):
        left = max(0, match.start() - _FAR)
        start = max((m.end() for m in _CLAUSE.finditer(text, left, match.start())), default=left)
        tokens = [*_TOKEN.finditer(text, start, match.start())]
        if not tokens:
            continue
        last = tokens[-1]
        closed = _CLOSED.search(last.group())
        if closed is not None:
            opened = text.rfind(_OPENS[closed.group()], left, last.end() - 1)
            if opened >= 0 and quoted_end(text, opened) is not None:
                yield from _candidate(text, opened + 1, last.end() - 1)
                continue
        value = last.group().lstrip("«“\"'`(*_")
        at = last.end() - len(value)
        if len(value) >= _LEAST_PHRASE and looks_like_password(value, strong=False):
            yield from _candidate(text, at, last.end())
        elif _is_owned(match.group("of")) and (start > left or left == 0):
            yield from _plain_before(text, [token.span() for token in tokens])


def _is_owned(said: str) -> bool:
    """Whether somebody's own password is meant, or a certain one, and no figure of speech."""
    return said.split()[-1:] not in ([], ["the"], ["The"])


def _plain_before(text: str, tokens: list[tuple[int, int]]) -> Iterator[Candidate]:
    said = [text[start:end] for start, end in tokens]
    if len(said) != 1 and len(said) < _LEAST_PHRASE:
        return
    if not all(map(_PLAIN.fullmatch, said)) or any(word.lower() in CUT for word in said):
        return
    n_saying = sum(is_no_value(word.lower()) for word in said)
    if 4 * n_saying <= len(said):
        yield from _candidate(text, tokens[0][0], tokens[-1][1])


def _spelt(text: str) -> Iterator[Candidate]:
    for match in _SPELT.finditer(text):
        at = match.end()
        stop = _SENTENCE_END.search(text, at, at + _FAR)
        end = min(stop.start() if stop else len(text), at + _FAR)
        login = _LOGIN.search(text, at, end)
        end = login.start() if login else end
        spelling = _SPELLING.search(text, at, end)
        if spelling is None:
            continue
        strong = [
            token.start() + len(value)
            for token in _TOKEN.finditer(text, at, end)
            if len(value := whole_value(token.group(), "", strong=False)) >= _LEAST_PHRASE
            and looks_like_password(value, strong=False)
        ]
        if strong and strong[-1] > spelling.end():
            yield from _candidate(text, at, strong[-1])
