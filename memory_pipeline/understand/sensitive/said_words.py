"""Passwords of plain words: "password: correct horse battery staple", "пароль — ромашка".

Nothing in such a value tells that it is one. It takes a password's word in its plain form and a
colon, after which all words up to the end of the clause belong to it, or a verb such as "is" and one
word that ends the clause; a login before it stands for the verb. Words that describe a password are no value.
"""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import KEYED, Candidate
from memory_pipeline.understand.sensitive.value_words import CUT, is_no_value

_MOST_WORDS = 25
_LEAST_SAID = 4
_LEAST_PHRASE = 4
_LEAST_WRITTEN = 3
_LEAST_LOOSE = 6
_LOOSE = frozenset({"pass", "pw", "pwd", "psw", "pswd", "passwd", "пасс"})

_CUE = (
    r"(?<![\w\-])(?P<cue>pass[ \-]?phrase|passw[o0]rd|passcode|passwd|pswd|pwd|psw|pw|pass|"
    r"пар[о0]ль|пасс?[вс]орд|пасс|пассфраз\w|(?:парольн|кодов)(?:ая|ой|ую) фраз\w)(?![\w\-])"
)
# what it opens: one to six words after a preposition
_FOR = (
    r"(?:\s(?:for|to|of|on|in|at|from|от|на|для|к|ко|в|во|с|со)(?:\s[^\s:=.!?;,|\[\]—–]+){1,6}?)?"
)
_MARKS = r"[*_`\"'»”]{0,3}"
_COLON = re.compile(
    rf"{_CUE}{_FOR}(?:\s(?:is|was|это|такой|будет|теперь|now))?{_MARKS}\s?(?P<link>[:=]){_MARKS}[ \t]*(?P<line>\n[ \t]*)?",
    re.I,
)
_SAID = re.compile(
    rf"{_CUE}{_FOR}(?:['’]s\s|\s*(?:\s(?:is|was|=|-|это|такой|будет|теперь|стал|был)\s|[—–]|->|→))\s*(?:(?:now|still|это|теперь|такой)\s)?",
    re.I,
)
_CHANGED = re.compile(
    r"(?<!\w)(?:changed?|set|reset|updated?|switched)\s(?:the |my |our |his |her |their |your )?(?:\w+[ \-])?"
    r"(?P<cue>password|passphrase|passcode)(?:\s(?:for|of|on)(?:\s[\w.]+){1,3}?)?\sto\s",
    re.I,
)
_PAIR = re.compile(
    rf"(?<!\w)(?:login|user(?:name)?|логин|юзер(?:нейм)?|пользователь|уч[её]тка)\s?[:=\-—–]?\s?"
    rf"(?P<user>[A-Za-z0-9][\w.@\-]{{1,40}})\s?[,;/\n]\s?(?:и |and |the )?{_CUE}\s",
    re.I,
)
# beside a password's word with nothing between: what is quoted, and a Latin word in a Russian sentence
_BESIDE = re.compile(rf"(?<![\"'«“`]){_CUE}{_FOR}\s(?=[\"'«“`])", re.I)
_OWN = re.compile(
    r"(?<!\w)(?:мой|наш|твой|ваш|его|её|ее|их|вот|запиши|запомни)\s(?P<cue>пар[о0]ль)\s(?=[A-Za-z])",
    re.I,
)
_QUOTES = {'"': '"', "'": "'", "«": "»", "“": "”", "„": "“", "`": "`", "(": ")"}
_QUOTED_FAR = 120
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_TOKEN = re.compile(r"[ \t]*(\S+)")
_AFTER_SAID = re.compile(
    r"!*(?:[ \t]*$|[ \t]*[\n.,;)]|\s(?:and|but|btw|by the way|please|pls|thanks|thx|don'?t|just|if|и|а|но|если|спасибо|спс|пожалуйста|плиз|кстати|не|только)(?!\w))",
    re.I | re.M,
)
_NOT_BEFORE = re.compile(r"(?:boarding|season|ski|bus|guest|hall|parking|travel|metro|day|mountain|press)[ -]$", re.I)  # fmt: skip

# "login/password: petya / …": the login comes first
_PAIRED = re.compile(r"(?:логин|юзер|почта|login|user(?:name)?|e?mail)\s?/\s?$", re.I)


def find_said_words(text: str) -> Iterator[Candidate]:
    """Words and phrases after a colon, quoted ones, and single words that end a clause."""
    for match in _COLON.finditer(text):
        before = max(0, match.start() - 12)
        if _NOT_BEFORE.search(text, before, match.start()) or _PAIRED.search(
            text, before, match.start()
        ):
            continue
        at = match.end()
        end = quoted_end(text, at)
        if end is not None:
            at += 1
        else:
            end = _phrase(text, match)
        if end is not None:
            yield Candidate(at, end, "password", text[at:end], KEYED)
    for pattern in (_SAID, _CHANGED, _PAIR, _BESIDE, _OWN):
        for match in pattern.finditer(text):
            cue, at = match.group("cue").lower(), match.end()
            if pattern is not _PAIR and cue == "pass":
                continue
            # a capital would be a service's name
            if pattern is _OWN and not text[at].islower():
                continue
            end = quoted_end(text, at)
            if end is not None:
                at += 1
            elif "phrase" in cue or "фраз" in cue:
                end = phrase_end(text, at)
            elif pattern is not _BESIDE:
                end = said_end(text, at)
            if end is not None:
                yield Candidate(at, end, "password", text[at:end], KEYED)


def quoted_end(text: str, at: int) -> int | None:
    """The end of what is quoted at a place, unless its first word says something of a password."""
    closing = _QUOTES.get(text[at : at + 1])
    if closing is None or closing == ")":
        return None
    end = text.find(closing, at + 1, at + _QUOTED_FAR)
    inside = text[at + 1 : end]
    if end < 0 or len(inside) < _LEAST_WRITTEN or "\n" in inside or "[" in inside:
        return None
    first = _WORD.match(inside)
    if first is not None and first.group() == inside and is_no_value(inside.lower()):
        return None
    return end


def _phrase(text: str, match: re.Match[str]) -> int | None:
    """The end of the words after a colon; after "=", and for words that stand for other things as
    well, only of one."""
    cue, at = match.group("cue").lower(), match.end()
    single = cue in _LOOSE or match.group("link") == "="
    ends: list[int] = []
    for token in _TOKEN.finditer(text, at, _line_end(text, at)):
        word = _WORD.match(token.group(1))
        if word is None or len(ends) == _MOST_WORDS or word.group().lower() in CUT:
            break
        rest = token.group(1)[word.end() :]
        if rest.strip(".,;:!?)]}»”\"'`*…") or (rest.startswith(":") and not ends):
            # a stronger look than that of a word is another rule's
            return None if not ends else _checked(text, at, ends, single)
        if rest.startswith(":"):
            break
        ends.append(token.start(1) + word.end() + len(rest) - len(rest.lstrip("!")))
        if rest:
            break
    return _checked(text, at, ends, single)


def phrase_end(text: str, at: int) -> int | None:
    """The end of a pass phrase after a verb: words enough, and nothing else in the clause."""
    words = [*_TOKEN.finditer(text, at, _line_end(text, at))]
    said = [re.sub(r"[.,;!)]+$", "", word.group(1)) for word in words]
    n = next((i + 1 for i, word in enumerate(words) if word.group(1) != said[i]), len(words))
    if not _LEAST_PHRASE <= n <= _MOST_WORDS or any(
        _WORD.fullmatch(word) is None or word.lower() in CUT for word in said[:n]
    ):
        return None
    if is_no_value(said[0].lower(), n):
        return None
    return words[n - 1].start(1) + len(said[n - 1])


def _checked(text: str, at: int, ends: list[int], single: bool) -> int | None:
    if not ends:
        return None
    first = text[at : ends[0]].rstrip("!")
    if any(map(str.isdigit, first)) or is_no_value(first.lower(), 1 if single else len(ends)):
        return None
    if single:
        return ends[0] if len(first) >= _LEAST_LOOSE else None
    return ends[-1] if ends[-1] - at >= _LEAST_WRITTEN else None


def said_end(text: str, at: int) -> int | None:
    """The end of one word that ends its clause."""
    word = _WORD.match(text, at)
    if word is None or len(word.group()) < _LEAST_SAID or not word.group().isalpha():
        return None
    after = _AFTER_SAID.match(text, word.end())
    if after is None or is_no_value(word.group().lower()):
        return None
    return word.end() + len(after.group()) - len(after.group().lstrip("!"))


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end
