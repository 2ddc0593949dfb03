"""Passwords, logins and codes as people send them to each other, with no colon before the value.

A frame of words says where the value is, and the value must look drawn: letters with a digit or a sign
among them. So "use 1Password as my password manager" and "the password to Office365" tell nothing.
"""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, Candidate
from memory_pipeline.understand.sensitive.password_looks import looks_like_password, whole_value
from memory_pipeline.understand.sensitive.value_words import is_no_value

_LEAST = 5
_RU = r"(?:пар[о0]л[ьяюе]м?|пасс?[вс]орд\w?|пасс)"
_EN = r"(?:pass[ \-]?phrase|passw[o0]rd|passcode|passwd|pswd|pwd|pass|pw)"
_ANY = rf"(?:{_RU}|{_EN})"
_VALUE = r"[\"'«“`(]{0,2}(?P<value>(?<!\w)[^\s\"'«»“”`<>,;(\[][^\s«»“”;]{3,63})"
_FOR_RU = r"(?:\s(?:от|для|на|в|во|к|ко|из)(?:\s[^\W\d_][\w.\-]*){1,3}?){0,3}"
_FOR_EN = r"(?:\s(?:for|to|of|on|in|at)(?:\s[\w.'’\-]+){1,4}?){0,2}"
_THING_RU = r"(?:\s(?:вай-?фа\w+|wi-?fi|роутера|сети|почты|сервера|админки|аккаунта|архива|базы|карты|телефона|ноута|компа|домофона|банка|сайта))?"
_CHANGE_RU = (
    r"(?:сменил|поменял|изменил|обновил|сменю|поменяю|меняю|смени|поменяй|сменить|поменять)[аи]?"
)
_FROM_TO_RU = r"с[о]?\s(?P<old>\S{4,64})\s(?:(?:сменил|поменял)[аи]?\s)?на\s"
_SAME_RU = r"(?:такой же|тот же|прежний|старый|обычный|как (?:всегда|обычно|раньше|везде)|свежий|новый|временный)"
_SAME_EN = r"(?:as (?:always|usual|before|ever|the (?:old|last) one)|everywhere|again)"

# what follows each frame is the value
_AHEAD = r"(?=[\"'«“`(]{0,2}(?=\S*[\d!@#$%^&*+=?~])(?=\S*[^\W\d_])[^\s\[]{5})"
_BEFORE_VALUE = tuple(
    re.compile(pattern + _AHEAD, re.I)
    for pattern in (
        # "пароль от почты поменял с X на Y", "changed the password from X to Y"
        rf"(?<!\w){_RU}{_FOR_RU}\s(?:{_CHANGE_RU}\s)?{_FROM_TO_RU}",
        rf"(?<!\w){_CHANGE_RU}\s(?:[^\W\d_]+\s){{0,2}}?{_RU}{_FOR_RU}\s{_FROM_TO_RU}",
        rf"(?<!\w){_EN}{_FOR_EN}\s(?:(?:was|is|has been)\s)?(?:changed\s)?from\s(?P<old>\S{{4,64}})\sto\s",
        # "был X, стал Y", "was X, now it's Y"
        rf"(?<!\w){_ANY}[^\n.!?]{{0,50}}?\s(?:был|была|was)\s(?P<old>\S{{4,64}}?),?\s(?:а\s|и\s|and\s|but\s)?(?:теперь|стал[аи]?|сейчас|now)(?:\s(?:it['’]?s|is|это|стал))?\s",
        # "держи пароль, X", "пароль такой же, X", "same password as before, X"
        rf"(?<!\w){_RU}{_THING_RU}{_FOR_RU}(?:\s{_SAME_RU})?(?:\s?[,—–:\-])?\s",
        rf"(?<!\w){_EN}{_FOR_EN}(?:\s{_SAME_EN})?(?:['’]s|\s?[,—–])\s",
        rf"(?<!\w){_EN}\s(?:for|to|of|on)(?:\s[\w.'’\-]+){{1,4}}?\s",
        # what sort of password it is, in brackets
        rf"(?<!\w){_ANY}\s?\([^()\n]{{2,30}}\)\s?[:=\-—–]?\s?",
        rf"(?<!\w)(?:в качестве\s{_RU}|{_RU}ем)\s(?:[^\W\d_]+\s){{0,2}}?",
        # "SSID HomeNet key X", "ключ от вайфая X"
        r"(?<!\w)(?:ssid|network|wi-?fi|вай-?фа\w+|сет[ьи]|сетка)(?!\w)[^\n!?]{0,40}?(?<!\w)(?:key|ключ|пароль|password|pass|pwd)(?:\s(?:is|это)|\s?[:=\-—–])?\s",
        r"(?<!\w)(?:ключ|key)\s(?:от|к|для|for|to)\s(?:(?:the|our|my)\s)?(?:вай-?фа\w+|wi-?fi|сет[ьи]|роутера|network|router)(?:\s(?:is|это)|\s?[:=\-—–,])?\s",
        # a login, then the value
        r"(?<!\w)(?:(?:creds?|credentials|logins?|login details|доступы?|данные (?:для входа|доступа)|реквизиты для входа)\s?[:—–]|(?:creds?|уч[её]тка))"
        r"\s(?P<user>[\w.\-+@]{2,60})[\s,]\s?",
        r"(?<!\w)(?:зайди|заходи|войди|входи|логинься|log ?in|sign in)\s(?:под|как|as|with)\s(?P<user>[\w.\-+@]{2,60})(?:\s(?:and|и|with)|\s?[/:,])?\s",
        r"(?<!\w)(?:u|usr|user|l|login|л|лог|логин)\s?[:=]\s?(?P<user>[\w.\-+@]{2,60})[\s,;/|]{1,3}(?:p|pw|pass|п|пар)\s?[:=]\s?",
    )
)
# the value stands before the frame
_AFTER_VALUE = re.compile(
    rf"\s(?:(?:как|в качестве)\s(?:\w+\s)?{_RU}|парол[её]м)(?!\w)|"
    rf"\s(?:as|for)\s(?:my|our|the|a|your|his|her|their)\s(?:[^\W\d_]+\s){{0,2}}?{_EN}(?=\s?(?:[.,;!)\n]|$|(?:for|to|on|at)\s))|"
    rf"\s(?:is|was)\s(?:my|our|the|your|his|her|their)\s(?:[\w\-]+\s){{0,2}}?{_EN}(?=\s?(?:[.,;)\n]|$))",
    re.I,
)
_LIST = re.compile(
    r"(?<!\w)(?:парол[ьи]|passwords|pwds|passes)(?:\s(?:такие|вот|мои|все|наши|here|are|below)){0,2}\s?[:—–]\s?(?P<items>[^\n]{6,300}(?:\n[^\n]{4,80}){0,12})",
    re.I,
)
_LISTED_BEFORE = re.compile(
    r"\s[—–-]\s(?:это|these are|are)\s(?:мои |my |the )?(?:пароли|passwords)(?!\w)", re.I
)
_LIST_FAR = 200
_ITEM = re.compile(r"[^,;\n]+")
_TOKEN = re.compile(r"\S+")

_MAIL = r"(?<![\w.+\-])[\w][\w.+\-]*@[\w\-]+(?:\.[\w\-]+)+"
_MAIL_PAIR = re.compile(
    rf"{_MAIL}(?:(?P<tight>[:|;])|\s?[/|]\s?)(?P<value>[^\s,;/|@]{{4,64}})(?![/@])"
)
_HOST_PAIR = re.compile(
    r"(?<![\w/.@])(?P<user>[A-Za-z][\w.\-]{1,30}):(?P<value>[^\s:/@]{3,64})@(?P<host>\d{1,3}(?:\.\d{1,3}){3}|localhost|[\w\-]+(?:\.[\w\-]+)+)(?![\w@])"
)
_NO_USER = frozenset(
    [
        "mailto",
        "email",
        "mail",
        "to",
        "from",
        "cc",
        "bcc",
        "sip",
        "xmpp",
        "acct",
        "skype",
        "contact",
        "id",
    ]
)
_LINE_PAIR = re.compile(r"^[ \t]*(?P<user>[a-z][\w.\-]{2,30}\s/|[\w.+\-]+@[\w.\-]+(?:\s/)?)\s(?P<value>\S{6,40})[ \t]*$", re.M)  # fmt: skip
_MIXED = re.compile(r"[^\W\d_].*\d.*[a-zа-яё]|[^\W_].*[!#$%^&*+=?~]")

# what any drawn value has, looked for before all frames
_ANY_DRAWN = re.compile(
    r"[^\W\d_]\S{0,40}?\d|\d\S{0,40}?[^\W\d_]|[^\W\d_]\S{0,40}?[!@#$%^&*+=?~][\w!@#$%^&*+=~]|[^\W\d_]{4}[@#$%^&*+=~](?!\w)"
)
_CLAUSE_ENDS = re.compile(r"[\"'»”`)!?*_]*\s*(?:$|[.,;:\n)—–]|[^\w\s])")
# a unit, an ordinal, a version, a ticket
_UNIT = re.compile(
    r"v?\d+(?:\.\d+)+\Z|[A-ZА-Я]{2,8}-\d+\Z|\d+(?:[.,]\d+)?[^\W\d_]{1,7}\Z|[^\W\d_]\d{1,3}\Z"
)
_FILE = re.compile(r"[\w\-/\\]+\.[A-Za-z]{2,5}\d?\Z")
_OPENS = re.compile(
    r"(?<!\w)(?:от|для|на|в|во|к|ко|из|с|for|to|of|on|in|at|with|from|user|login|логин|юзер|версии|version|менее|минимум|не|my|our|the|your|his|her|their|a|an|this|that|new|мой|моего|моём|моем|мою|наш|нашего|этот|этого|новый|нового)\s[\"'«“`(]{0,2}\Z",
    re.I,
)


def find_chat_logins(text: str) -> Iterator[Candidate]:
    """Values after or before a frame of words, and in lists of passwords."""
    if _ANY_DRAWN.search(text) is None:
        return
    for pattern in _BEFORE_VALUE:
        for match in pattern.finditer(text):
            found = _value_at(text, match.end())
            if found is None:
                continue
            value = whole_value(text[slice(*found)], "", strong=False)
            is_mixed = _MIXED.search(value) is not None
            if "old" in pattern.groupindex:
                # "с телефона на ноутбук2"
                if not (is_mixed or is_drawn(match.group("old"))):
                    continue
                yield from _drawn(text, *match.span("old"))
            elif not is_mixed and _CLAUSE_ENDS.match(text, found[0] + len(value)) is None:
                continue
            elif "user" in pattern.groupindex:
                listed = re.search(r"[:=—–]", text[match.start() : match.start("user")])
                if listed is None and is_no_value(match.group("user").lower()):
                    continue
            elif _OPENS.search(text, match.start(), match.end()):
                continue
            yield from _drawn(text, *found)
    for match in _AFTER_VALUE.finditer(text):
        yield from _before(text, match.start())
    for match in _LIST.finditer(text):
        yield from _listed(text, *match.span("items"))
    for match in _LISTED_BEFORE.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        yield from _listed(text, max(line, match.start() - _LIST_FAR), match.start())


def find_login_pairs(text: str) -> Iterator[Candidate]:
    """A login and its password beside each other: "mail@x:pass", "root:pass@host", "ivan / pass"."""
    if "@" in text:
        for match in _MAIL_PAIR.finditer(text):
            yield from _drawn(text, *match.span("value"), mixed=True)
        for match in _HOST_PAIR.finditer(text):
            is_address = (
                match.group("host").replace(".", "").isdigit() or match.group("host") == "localhost"
            )
            if match.group("user").lower() not in _NO_USER and (
                is_address
                or re.search(r"[!#$%^&*+=?~]", match.group("value"))
                or (
                    match.group("user") in ("root", "admin")
                    and any(map(str.isdigit, match.group("value")))
                )
            ):
                yield Candidate(*match.span("value"), "password", match.group("value"), CHECKED)
    if "@" in text or " / " in text:
        for match in _LINE_PAIR.finditer(text):
            yield from _drawn(text, *match.span("value"), mixed=True)


_NEXT = re.compile(_VALUE)


def _value_at(text: str, at: int) -> tuple[int, int] | None:
    match = _NEXT.match(text, at)
    return None if match is None else match.span("value")


def _before(text: str, end: int) -> Iterator[Candidate]:
    tokens = [*_TOKEN.finditer(text, max(0, text.rfind("\n", 0, end) + 1, end - 80), end)]
    if tokens:
        value = tokens[-1].group().lstrip("«“\"'`(*")
        yield from _drawn(text, tokens[-1].end() - len(value), tokens[-1].end())


def _listed(text: str, start: int, end: int) -> Iterator[Candidate]:
    for item in _ITEM.finditer(text, start, end):
        tokens = [*_TOKEN.finditer(text, *item.span())]
        if 2 <= len(tokens) <= 5:
            yield from _drawn(text, *tokens[-1].span())


def _drawn(text: str, start: int, end: int, *, mixed: bool = False) -> Iterator[Candidate]:
    """The value at a place if it looks drawn; `mixed`: also within, as no word announces it."""
    value = whole_value(text[start:end], text[start - 1 : start], strong=False)
    if is_drawn(value) and not (mixed and _MIXED.search(value) is None):
        yield Candidate(start, start + len(value), "password", value, KEYED)


def is_drawn(value: str) -> bool:
    """Whether letters stand with a digit or a sign in it, as in no word, unit, file or address."""
    if len(value) < _LEAST or not any(map(str.isalpha, value)) or value[0] in "[{<":
        return False
    if "@" in value[1:-1] and "." in value.partition("@")[2]:
        return False
    if not (any(map(str.isdigit, value)) or re.search(r"[!@#$%^&*+=?~]", value.rstrip("!?"))):
        return False
    if _UNIT.match(value) or _FILE.match(value):
        return False
    return looks_like_password(value, strong=False)
