"""Passwords and codes told over two messages: "Какой пароль?", then "MmOne!99qwe".

The first message asks for a secret or ends by announcing one, the second is hardly more than a value.
"""

import re

from memory_pipeline.understand.sensitive.password_looks import looks_like_password, whole_value
from memory_pipeline.understand.sensitive.value_words import is_no_value

_MOST_CHARS = 80
_MOST_WORDS = 7
_LEAST = 3
_MOST_ASKED = 300

_CUE_WORD = r"(?:пар[о0]л[ьяюе]\w*|пасс?[вс]орд\w*|пасс|pass[ \-]?(?:word|phrase|code|wd)|(?:wi-?fi|network|login|router)[ \-]pass|pswd|pwd|pw|wi-?fi key|(?:ключ|key) (?:от|for|to) (?:the )?\S+)"
_CUE_CODE = (
    r"(?:pin(?:[ \-]?(?:code|number|код))?|пин(?:[ \-]?код\w*)?|cv[vc]2?|otp|"
    r"(?:(?:door|gate|access|entry|alarm|garage|lock|lockbox|building|verification|confirmation|security|sms|login|2fa|unlock)[ \-])code|"
    r"код\w*(?: (?:от|для|на|к|из) \S+(?: \S+)?| доступа| подтверждения| домофона| безопасности)|смс-?код\w*|код)"
)
_CUE_NAME = r"(?:(?:кодов|секретн)\w+ слов\w+|(?:secret|code|safe)[ \-]?word|security answer|ответ на (?:секретный|контрольный) вопрос)"
_CUE = re.compile(rf"(?<![\w\-])(?:(?P<password>{_CUE_WORD})|(?P<code>{_CUE_CODE})|(?P<word>{_CUE_NAME}))(?![\w\-])", re.I)  # fmt: skip
_ASKING = re.compile(
    r"(?<!\w)(?:как(?:ой|ая|ое|ие|им)|что за|скин\w*|кин[ьу]\w*|напомн\w+|пришли\w*|прислать|дай(?:те)?|подскаж\w+|скаж\w+|напиш\w+|сообщ\w+|"
    r"продиктуй\w*|назов\w+|введи\w*|нужен|нужно|нужна|what(?:['’]?s| is| was| are)?|which|send|give|share|tell|remind|need|got|have|know|forgot|enter|type)(?!\w)",
    re.I,
)
# of a chooser, a manager or a rule nobody tells a value
_ABOUT = re.compile(
    r"(?<!\w)(?:менеджер\w*|придумать|надёжн\w+|лучше|сложн\w+|длин\w+|reset|manager|requirements?|policy|strong|length|should|почему|зачем|why|how|"
    r"написал\w*|wrote|write|ошибк\w+|error|язык\w*|товар\w*|город\w*|python|java)(?!\w)",
    re.I,
)
_ANNOUNCED = re.compile(r"[:—–\-]\s*$|(?:(?:^|\s)(?:вот|лови|держи)|\s(?:is|это))\s*[.…:]*$", re.I)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_MOST_THANKS = 2
_TOKEN = re.compile(r"\S+")
_DIGITS = re.compile(r"[#*]?\d{3,8}[#*]?\Z|\d{2,4}[\- ]\d{2,4}\Z")
_LEAD = re.compile(
    r"(?:(?:ага|да|угу|ок(?:ей)?|конечно|лови|держи|вот|это|он|такой|там|sure|yes|yeah|yep|ok(?:ay)?|here(?: you go)?|it['’]?s|it is|that['’]?s|"
    r"the password is|пароль|код|пин|code|pin|password)[\s,:.!\-—–]+)*",
    re.I,
)


def is_short_answer(text: str) -> bool:
    """Whether a message may be little more than a value: looked at before anything dearer."""
    return (
        _LEAST <= len(text) <= _MOST_CHARS and text.count(" ") < _MOST_WORDS and "\n\n" not in text
    )


def find_answer(asked: str, answer: str) -> list[tuple[int, int]]:
    """Where the answer to a question for a secret tells it; nothing where none was asked for."""
    kind = _asked(asked)
    if kind is None or not is_short_answer(answer) or answer.rstrip().endswith("?"):
        return []
    at = _LEAD.match(answer)
    start = at.end() if at is not None else 0
    tokens = [
        (token.start() + lead, token.start() + lead + len(value))
        for token in _TOKEN.finditer(answer, start)
        for lead in (len(token.group()) - len(token.group().lstrip("«“\"'`(")),)
        if (value := whole_value(token.group()[lead:], token.group()[:lead][-1:], strong=False))
    ]
    if not tokens:
        return []
    if kind == "word":
        begin, end = tokens[0]
        word = answer[begin:end]
        alone = len(tokens) == 1 and len(word) > _LEAST and not is_no_value(word.lower())
        return [(begin, end)] if alone else []
    # what comes after other words is somebody's name as likely
    lead = tokens[0][0]
    looking = [
        (begin, end)
        for begin, end in tokens
        if len(value := answer[begin:end]) > _LEAST
        and not value.isdigit()
        and not value.startswith("[")
        and "/" not in value
        and (kind == "password" or sum(map(str.isdigit, value)) >= _LEAST)
        and looks_like_password(value, strong=False)
    ]
    if looking and looking[0][0] == lead:
        return looking if len(looking) == 1 or len(tokens) == len(looking) else []
    whole = (tokens[0][0], tokens[-1][1])
    few = len(tokens) <= (2 if kind == "password" else 3)
    numbers = [(b, e) for b, e in tokens if _DIGITS.match(answer[b:e])]
    if few and len(tokens) > 1 and _DIGITS.match(answer[slice(*whole)]):
        return [whole]
    return numbers if few and len(numbers) == 1 and numbers[0][0] == lead else []


def _asked(text: str) -> str | None:
    """Which kind of secret a message ends by asking for: "password", "code" or "word"."""
    said = [one for one in _SENTENCE.findall(text[-_MOST_ASKED:]) if one.strip()]
    # what is asked comes last, but for a word of thanks
    last = next(
        (one for one in reversed(said) if len(one.split()) > _MOST_THANKS or _CUE.search(one)), ""
    )
    cue = _CUE.search(last)
    if cue is None or _ABOUT.search(last):
        return None
    announced = _ANNOUNCED.search(last) is not None
    bare = "?" in last and len(last.split()) <= 5
    if not (announced or bare or _ASKING.search(last)):
        return None
    return cue.lastgroup
