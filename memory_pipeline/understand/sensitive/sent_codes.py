"""Codes that a service sends or a bank asks for, and code words: "Ваш код: 482913", "кодовое слово Ромашка"."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import KEYED, Candidate
from memory_pipeline.understand.sensitive.value_words import is_no_value

_DIGITS = r"(?P<value>\d{4,8}|\d{3}[ \-]\d{3})(?![\w]|[.,:]\d|\s?[%₽$€£]|\s(?:руб|лет|строк|раз|мин|lines|years|days|times|usd|eur)\w*)"
_IS = r"(?:\s(?:is|was|это)|\s?[:=\-—–])?"
# of a town, a shop or a program anybody may know the code
_PUBLIC = re.compile(
    r"(?<!\w)(?:zip|postal|area|country|promo|discount|coupon|gift|referral|product|order|tracking|error|status|exit|qr|bar|source|dress|"
    r"почт\w+|город\w*|стран\w+|товар\w*|ошибк\w+|заказ\w*|окпо|регион\w*|скидк\w+|промо\w*|тн|вэд)(?!\w)",
    re.I,
)
_WORDS = r"(?:[^\W\d_][\w.\-]*\s){0,3}?"
_SENT = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?<!\w)(?:ваш|твой|мой|your|my)\s{_WORDS}(?:код|code|otp|пароль)(?:\s(?:для|в|на|от|for|to)(?:\s[^\W\d_]+){{1,2}})?{_IS}\s(?<!\w){_DIGITS}",
        rf"(?<![\w.,])(?:[A-Z]-)?{_DIGITS}(?:\s?[\-—–:]\s?(?:это\s)?|\s(?:is|это)\s)(?:ваш|твой|мой|your|my|the)\s{_WORDS}(?:код|code|otp|pin|пин)(?!\w)",
        rf"(?:никому не|никому их не|не)\s(?:говори\w*|сообщай\w*|называй\w*|показывай\w*|пересылай\w*)[^.\n\d]{{0,30}}код\w*{_IS}\s{_DIGITS}",
        rf"(?<!\w)код\w*{_IS}\s{_DIGITS}[^\n\d]{{0,20}}никому",
        rf"(?:don['’]?t|do not|never)\s(?:share|tell|give|forward)[^.\n\d]{{0,30}}code{_IS}\s{_DIGITS}",
        rf"(?<!\w)(?:смс|sms)[^.\n\d]{{0,20}}(?:код|code){_IS}\s{_DIGITS}",
        r"(?<!\w)(?:gate|door|garage|alarm|keypad|калитка|ворота|подъезд|сейф|шлагбаум)\s?[:=]\s?(?P<value>[#*]?\d{4,6}[#*]?)(?![\w#*]|[.,:]\d)",
        rf"(?<!\w)(?:use|punch in|type(?: in)?|enter|dial|key in|press|tap|набери\w*|набирай\w*|вводи\w*|введи\w*|жми\w*|нажми\w*)\s{_DIGITS}\s(?:to|for|and|чтобы|и)\s(?:the\s)?(?:unlock|open|get\sin|enter|disarm|unarm|log\sin|door|gate|войти|открыть|зайти|откро\w+|попасть|снять)",
        rf"(?<![\w.,]){_DIGITS}\s(?:opens|unlocks|disarms|открывает|отпирает|снимает\sс\sохраны)\s",
        rf"(?<!\w)(?:enter|use|введи\w*|используй\w*)\s(?:the\s)?(?:code|код|otp)\s{_DIGITS}\s(?:to|for|для|чтобы)\s",
    )
)
_CARD_BACK = re.compile(
    r"(?<!\w)(?:(?:тр[её]х?значн\w+\s)?код\w*|(?:три|3|последние\s(?:три|3))\sцифр\w|(?:three|3)(?:[\- ]digits?)?(?:\s(?:code|number))?|(?:security\s)?code|digits)"
    r"\s(?:сзади|(?:на|с)\s(?:обороте?|обратн\w+\sсторон\w|задн\w+\sсторон\w)|(?:on|from|at)\sthe\sback|behind)(?:\s(?:мо\w+\s)?карт\w|\sof\s(?:the|my)\scard)?"
    r"(?:\s(?:is|are|это)|\s?[:=\-—–,])?\s(?P<value>\d{3,4})(?!\w|[.,:]\d)",
    re.I,
)
_THREE_DIGITS = re.compile(r"(?<!\w)(?:[A-Z]-)?\d{3}")
_NAME = (
    r"(?:(?:кодов\w+|секретн\w+|контрольн\w+)\sслов\w+|ответ\w*\sна\s(?:секретн\w+|контрольн\w+)\sвопрос\w*|"
    r"(?:safe|code|secret|memorable)[ \-]?word|security\s(?:question\s)?answer|answer\sto\s(?:the|my)\ssecurity\squestion)"
)
_NAME_FOR = r"(?:\s(?:в|во|для|от|на|к|at|for|to|with|in|of)(?:\s(?:the|my|our))?(?:\s[^\W\d_][\w.\-]*){1,2}?)?"
_CODE_WORD = re.compile(
    rf"(?<!\w){_NAME}{_NAME_FOR}(?P<link>\s?[:=—–\-]\s?|\s(?:это|было?|такое|теперь|is|was)\s(?:now\s)?|\s)[\"'«“]?(?P<value>[^\s\"'«»“”,.;!?]{{3,40}})(?P<end>[\"'»”]?\s*(?:[.,;!\n)]|$))?",
    re.I,
)


def find_sent_codes(text: str) -> Iterator[Candidate]:
    """Codes beside whose they are or a warning, the digits on a card's back, and code words."""
    if _THREE_DIGITS.search(text) is not None:
        for pattern in _SENT:
            for match in pattern.finditer(text):
                if not _PUBLIC.search(match.group()) and not _is_year(match):
                    yield _candidate(match)
        for match in _CARD_BACK.finditer(text):
            yield _candidate(match)
    for match in _CODE_WORD.finditer(text):
        value, linked = match.group("value"), match.group("link").strip() != ""
        # with nothing between, a name ends its clause or is quoted
        named = value[0].isupper() or text[match.start("value") - 1] in "\"'«“"
        if is_no_value(value.lower()) or (
            not linked and not (named and match.group("end") is not None)
        ):
            continue
        yield _candidate(match)


def _is_year(match: re.Match[str]) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d", match.group("value")) is not None


def _candidate(match: re.Match[str]) -> Candidate:
    return Candidate(*match.span("value"), "password", match.group("value"), KEYED)
