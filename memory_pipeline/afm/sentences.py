"""Sentences of chat texts, Russian and English, and the cues that must survive compression."""

import re
from collections.abc import Sequence

_CLOSING = frozenset(".!?…\"'»”’)]")
_ABBREVIATIONS = frozenset(
    re.split(
        r"\s+",
        "mr mrs ms dr prof st vs etc approx dept fig inc ltd jr sr e.g i.e a.m p.m "
        "гг ул кв стр корп руб коп тыс млн млрд им см т.е т.к т.д т.п т.н напр проф ст рис мин "
        "обл пр просп пер",
    )
)
_END = re.compile(r"([.!?…]+[\"'»”’)\]]*)(\s+)|(\s*\n+\s*)")
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
_NUMBER = re.compile(r"\d+(?:[ \u00a0\u202f]\d{3}(?!\d))*(?:[.,:/\-]\d+)*")

_NEGATION = re.compile(
    r"\b(?:no|not|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|except|unless|"
    r"can['’]?t|won['’]?t|don['’]?t|\w+n['’]t|"
    r"не|нет|ни|никогда|никто|никого|никому|ничего|ничто|нигде|никуда|никак\w*|нельзя|без|кроме|"
    r"невозможно|незачем|некогда)\b",
    re.IGNORECASE,
)
_CONSTRAINT = re.compile(
    r"\b(?:must|mustn['’]t|required?|requires|mandatory|only|always|never|at most|at least|"
    r"no (?:more|less|later|earlier|fewer) than|max(?:imum)?|min(?:imum)?|limit|cap|deadline|"
    r"due|forbidden|prohibited|banned|allerg\w*|avoid|cannot|can['’]?t|under no|have to|has to|"
    r"need to|needs to|intoleran\w*|"
    r"долж(?:ен|на|но|ны)|обязательно|обязан\w*|надо|нужно|необходимо|только|всегда|никогда|"
    r"нельзя|запрещ\w*|строго|не (?:более|больше|менее|меньше|позже|раньше)|максимум|минимум|"
    r"лимит\w*|дедлайн\w*|срок\w*|бюджет\w*|аллерги\w*|непереносимост\w*|требовани\w*|"
    r"противопоказан\w*|потолок)\b",
    re.IGNORECASE,
)
_QUALIFIER = re.compile(
    r"\s*(?:but|except|unless|however|though|only if|not if|provided|"
    r"но|кроме|однако|хотя|зато|если только|при условии|за исключением|только если)\b",
    re.IGNORECASE,
)


def split(text: str) -> list[str]:
    """Sentences of a text in order, stripped, none empty. Lower-case chat style is split too."""
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if match.group(1) == "." and _is_abbreviation(text[start : match.start()]):
            continue
        end = match.end(1) if match.group(1) else match.start()
        _append(sentences, text[start:end].strip())
        start = match.end()
    _append(sentences, text[start:].strip())
    return sentences


def _append(sentences: list[str], part: str) -> None:
    if sentences and not any(map(str.isalnum, part)):
        sentences[-1] = join((sentences[-1], part)) if part else sentences[-1]
    elif part:
        sentences.append(part)


def join(parts: Sequence[str]) -> str:
    """Put neighbouring sentences together again; where one has no closing mark, on a new line, so
    that figures at the border do not run together."""
    text = parts[0]
    for part in parts[1:]:
        text += (" " if text[-1:] in _CLOSING else "\n") + part
    return text


def _is_abbreviation(before: str) -> bool:
    words = before.split()
    word = words[-1].lower().lstrip("(«\"'") if words else ""
    is_initial = len(word) == 1 and word.isalpha()
    is_list_number = word.isdigit() and len(words) == 1
    return is_initial or is_list_number or word in _ABBREVIATIONS


def units(text: str) -> list[str]:
    """Sentences with what they mean nothing without: a bare "No." or "Нет." joins what it answers,
    and a qualification ("But not…", "Кроме…") joins what it qualifies."""
    result: list[str] = []
    is_loose = False
    for sentence in split(text):
        is_bare_negation = has_negation(sentence) and len(words(sentence)) <= 3
        if result and (is_loose or is_bare_negation or _QUALIFIER.match(sentence)):
            result[-1] = join((result[-1], sentence))
            is_loose = False
        else:
            result.append(sentence)
            is_loose = is_bare_negation
    return result


def words(text: str) -> list[str]:
    """Words without numbers and punctuation, in order, as written."""
    return _WORD.findall(text)


def content_stems(text: str) -> set[str]:
    """Beginnings of the longer words: close enough to match inflected forms."""
    return {word.casefold()[:5] for word in words(text) if len(word) > 3}


def numbers(text: str) -> set[str]:
    """Numbers, dates and times of a text, spaces and commas between thousands taken out."""
    found = set()
    for number in _NUMBER.findall(text):
        plain = re.sub(r"[ \u00a0\u202f]", "", number)
        found.add(re.sub(r",(?=\d{3}(?:\D|$))", "", plain))
    return found


def has_negation(text: str) -> bool:
    """Whether the text denies, forbids or excepts something."""
    return bool(_NEGATION.search(text))


def has_constraint(text: str) -> bool:
    """Whether the text has a word that binds: must, only, limit, allergy, deadline and the like."""
    return bool(_CONSTRAINT.search(text))


def names(text: str) -> int:
    """How many words inside sentences are capitalised, as names are in both languages."""
    return sum(
        word[0].isupper() and len(word) > 1
        for sentence in split(text)
        for word in words(sentence)[1:]
    )
