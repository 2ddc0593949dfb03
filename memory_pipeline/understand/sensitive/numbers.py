"""Identifiers in digits: cards, IBAN, accounts, INN, SNILS, passports, phones. Checks sums always
where the identifier has one (python-stdnum)."""

import re
from collections.abc import Iterator
from itertools import pairwise

from stdnum import iban, luhn
from stdnum.ru import inn

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, LIKELY, Candidate
from memory_pipeline.understand.sensitive.foreign_passports import find_foreign_passports
from memory_pipeline.understand.sensitive.insurance import (
    find_health_policies,
    find_social_numbers,
)
from memory_pipeline.understand.word_blocks import words

_NOT_DIGIT = re.compile(r"\D")
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ \-]?[A-Za-z0-9]{1,4}){3,8}(?![A-Za-z0-9])"
)
_DIGIT_RUN = re.compile(r"(?<![^\W_])\d+(?:[ \t\u00a0\r\n\-–—‑./_·,]{1,3}\d+)*(?![^\W_])")
_DIGIT_GROUP = re.compile(r"\d+")
# a number that goes on behind such a sign is another one
_TIGHT = frozenset(".,-_–—‑")
_CARD_WORDS = re.compile(r"card|карт|visa|mastercard|maestro|мир(?!\w)|сбер|тинь", re.I)
_CARD_GROUPS = {
    (4, 4, 4, 4),
    (4, 6, 5),
    (16,),
    (15,),
    (13,),
    (14,),
    (18,),
    (19,),
    (4, 4, 4, 4, 3),
    (4, 6, 4),
    (4, 4, 4, 6),
    (12,),
    (8, 8),
    (6, 10),
    (8, 10),
    (6, 13),
    (4, 4, 4, 4, 2),
    (4, 12),
}
# the month that a card ends in and its check number are shorter
_LEAST_LISTED = 4
_GROUP_COUNTS = sorted({len(groups) for groups in _CARD_GROUPS}, reverse=True)
_ACCOUNT = re.compile(r"(?<![^\W_])(?:\d[ .\-]?){19}\d(?![^\W_])")
# ISO 4217 numbers in places 6 to 8 of a Russian account
_CURRENCIES = frozenset(words("810 643 840 978 156 826 756 392 398 933 980 051 944 949 784 356"))
_EN_ACCOUNT = re.compile(
    r"(?<!\w)(?:bank |checking |savings |current |my |the |our )?(?:account|acct\.?|a/c)(?!\w)"
    r"(?P<gap>[^\d\n]{0,50}?)(?P<value>\d(?:[ \-]?\d){5,16})(?![\w]|[.,:/]\d)",
    re.I,
)
_RU_ACCOUNT_WORDS = re.compile(r"(?:сч[её]т|р/с|рас[сч]{1,2}[её]тн|к/с|л/с|лицев)", re.I)
_SNILS = re.compile(r"(?<![\w\-])\d{3}[ \-]?\d{3}[ \-]?\d{3}[ \-]?\d{2}(?![\w\-])")
_SNILS_SHAPE = re.compile(r"\d{3}-\d{3}-\d{3}[ \-]\d{2}")
_SNILS_WORDS = re.compile(r"снилс|snils|пенсионн|страхов|пфр|сфр", re.I)
_INN = re.compile(
    r"(?<![\w.\-])(?:\d{12}|\d{10}|\d{4} \d{6}|\d{4} \d{4} \d{4}|\d{2} \d{8})(?![\w\-])"
)
_INN_WORDS = re.compile(
    r"(?<!\w)инн(?!\w)|(?<!\w)inn(?!\w)|налогоплат|taxpayer|tax id|tax number|самозанят|фнс", re.I
)
_PASSPORT = re.compile(
    r"(?<![\w.\-/])\d{2}[ \-]?\d{2}[ \-,/]{0,2}(?:(?:и |and )?(?:№|#|n|no\.?|номер|number|num)\s?:?\s?)?\d{3}[ \-]?\d{3}(?![\w\-])"
    r"|(?<![\w.\-/])\d{6},? (?:серия|series) \d{2} ?\d{2}(?!\w)"
    r"|(?<![\w.\-/])\d{2} ?(?:№|номер)? ?\d{7}(?![\w\-])",
    re.I,
)
_PASSPORT_WORDS = re.compile(
    r"паспорт|passport|(?<!\w)сери[яиюей]\W{0,2}(?=\d)|(?<!\w)series\W{0,2}(?=\d)|russian|россий|(?<!\w)id(?!\w)|внутренн|загран|удостоверени|(?<!\w)выдан|"
    r"(?<!\w)выдав|оформля\w* билет|основной разворот|код подразделения|документ|прописк|(?<!\w)ufms|уфмс|мвд|овд",
    re.I,
)
_FOREIGN = re.compile(r"загран|foreign passport|international passport|travel passport", re.I)
_PASSPORT_WORDS_FAR = 120
_NOT_PASSPORT_WORDS = re.compile(r"(?:лот|заказ|трек|артикул|order|lot|тикет|ГОСТ)\W*$", re.I)


def _digits(text: str) -> str:
    return _NOT_DIGIT.sub("", text)


def find_iban(text: str) -> Iterator[Candidate]:
    """IBANs of every country with a right check sum; trailing words are cut off first."""
    for match in _IBAN.finditer(text):
        value = match.group()
        end = len(value)
        while end >= 15:
            compact = re.sub(r"[ \-]", "", value[:end]).upper()
            if len(compact) >= 15 and iban.is_valid(compact, check_country=False):
                yield Candidate(match.start(), match.start() + end, "iban", compact, CHECKED)
                break
            cut = max(value.rfind(" ", 0, end), value.rfind("-", 0, end))
            if cut < 15:
                break
            end = cut


def find_cards(text: str) -> Iterator[Candidate]:
    """Payment cards: a known prefix, a usual grouping and a right Luhn sum, whatever separates the
    groups. What stands beside the number, such as the month it ends, is left out."""
    for run in _DIGIT_RUN.finditer(text):
        groups = [m.span() for m in _DIGIT_GROUP.finditer(text, *run.span())]
        first = 0
        while first < len(groups):
            taken = next(
                (n for n in _GROUP_COUNTS if _is_card(text, groups, first, first + n)),
                0,
            )
            if taken:
                start, end = groups[first][0], groups[first + taken - 1][1]
                yield Candidate(start, end, "card", _digits(text[start:end]), CHECKED)
            first += taken or 1


def _is_card(text: str, groups: list[tuple[int, int]], first: int, last: int) -> bool:
    """Whether groups [first, last) of a run of digits are one card's number."""
    if last > len(groups):
        return False
    if tuple(end - start for start, end in groups[first:last]) not in _CARD_GROUPS:
        return False
    start, end = groups[first][0], groups[last - 1][1]
    if text[start - 1 : start] in (".", ",") or re.match(r"[.,]\d", text[end : end + 2]):
        return False
    digits = _digits(text[start:end])
    if len(set(digits)) < 2 or not luhn.is_valid(digits):
        return False
    gaps = {text[left[1] : right[0]] for left, right in pairwise(groups[first:last])}
    named = _CARD_WORDS.search(text) is not None
    # one in ten of the longer rows and lists of numbers has such a sum somewhere
    listed = bool(gaps) and all("," in gap for gap in gaps)
    for one, other in ((first - 1, first), (last - 1, last)):
        if one < 0 or other == len(groups):
            continue
        gap = text[groups[one][1] : groups[other][0]]
        beside = groups[one if one < first else other]
        listed |= gap in gaps and beside[1] - beside[0] >= _LEAST_LISTED
        if gap in _TIGHT:
            return False
    if listed and not named:
        return False
    return _is_card_prefix(digits) or (len(digits) == 12 and digits[0] in "56" and named)


def _is_card_prefix(digits: str) -> bool:
    n, two, four = len(digits), int(digits[:2]), int(digits[:4])
    if digits[0] == "4":
        return n in (13, 16, 19)
    if 51 <= two <= 55 or 2221 <= four <= 2720:
        return n == 16
    if 2200 <= four <= 2204:
        return 16 <= n <= 19
    if two in (34, 37) or four in (1800, 2131):
        return n == 15
    if two in (36, 38, 39) or 300 <= int(digits[:3]) <= 305:
        return n == 14
    if two in (60, 64, 65, 62, 35, 81):
        return 16 <= n <= 19
    return two in (50, 56, 57, 58, 59, 61, 63, 66, 67, 68, 69) and 13 <= n <= 19


def find_accounts(text: str) -> Iterator[Candidate]:
    """Russian accounts of 20 digits, and account numbers that English words announce."""
    for match in _ACCOUNT.finditer(text):
        digits = _digits(match.group())
        if digits[0] in "3457" and digits[5:8] in _CURRENCIES:
            yield Candidate(match.start(), match.end(), "bank_account", digits, CHECKED)
        elif _RU_ACCOUNT_WORDS.search(text, max(0, match.start() - 40), match.start()):
            yield Candidate(match.start(), match.end(), "bank_account", digits, KEYED)
    for match in _EN_ACCOUNT.finditer(text):
        gap = match.group("gap").lower()
        if re.search(
            r"[.!?]\s|\b(?:since|opened|in|by|with|has|over|for|balance|worth|after)\s*$|[$£€]", gap
        ):
            continue
        digits = _digits(match.group("value"))
        if 6 <= len(digits) <= 17:
            yield Candidate(*match.span("value"), "bank_account", digits, KEYED)


def find_snils(text: str) -> Iterator[Candidate]:
    """SNILS with a right check sum, without its dashes only where a word announces it; and the
    other numbers of insured persons."""
    yield from find_health_policies(text)
    yield from find_social_numbers(text)
    for match in _SNILS.finditer(text):
        digits = _digits(match.group())
        shaped = _SNILS_SHAPE.fullmatch(match.group()) is not None
        if (shaped or _SNILS_WORDS.search(text)) and _snils_ok(digits):
            yield Candidate(match.start(), match.end(), "snils", digits, CHECKED)


def _snils_ok(digits: str) -> bool:
    if int(digits[:9]) <= 1_001_998:
        return False
    total = sum((9 - i) * int(d) for i, d in enumerate(digits[:9])) % 101
    return total % 100 == int(digits[9:])


def find_inn(text: str) -> Iterator[Candidate]:
    """INN of persons (12) and companies (10) with right check sums, where a word announces it."""
    if not _INN_WORDS.search(text):
        return
    for match in _INN.finditer(text):
        digits = _digits(match.group())
        if inn.is_valid(digits):
            yield Candidate(match.start(), match.end(), "inn", digits, CHECKED)


def find_passports(text: str) -> Iterator[Candidate]:
    """Russian passports (4 + 6 digits) near a word for the document; they have no check sum. Other
    countries' come right after the word."""
    yield from find_foreign_passports(text)
    for match in _PASSPORT.finditer(text):
        left = max(0, match.start() - _PASSPORT_WORDS_FAR)
        right = match.end() + 40
        if not _PASSPORT_WORDS.search(text, left, min(len(text), right)):
            continue
        if len(_digits(match.group())) == 9 and not _FOREIGN.search(text):
            continue
        if _NOT_PASSPORT_WORDS.search(text[left : match.start()]):
            continue
        if re.search(r"(?:инн|inn|тел\.?|телефон|phone)\W{0,3}$", text[left : match.start()], re.I):
            continue
        yield Candidate(match.start(), match.end(), "passport_ru", _digits(match.group()), KEYED)


_PHONE_WORDS = re.compile(
    r"(?<!\w)(?:тел(?:ефон\w*|\.)?|моб\w*|звон\w+|позвон\w+|набер\w+|набир\w+|перезвон\w+|сотов\w+|"
    r"номер\w*|вотс?ап\w*|whats ?app|viber|вайбер\w*|смс|call|phone|cell|mobile|tel|text|ring|dial|reach|"
    r"landline|number|sms|fax|факс|signal|helpline|direct line|telegram|телег\w*)(?!\w)",
    re.I,
)
_PHONE_RU = re.compile(
    r"(?<![\w.\-+])(?:\+7|8|7)[ \-\u00a0]?\(?(?:9\d{2}|[348]\d{2})\)?[ \-\u00a0]?\d{3}[ \-\u00a0]?\d{2}[ \-\u00a0]?\d{2}(?![\w\-])"
    r"|(?<![\w.\-+])(?:\+7|8)[ \-]?\(?\d{4,5}\)?[ \-]?\d{1,3}[ \-]?\d{2}[ \-]?\d{2}(?![\w\-])"
)
_PHONE_CITY = re.compile(r"(?<![\w+\d]\s)(?<![\w+])\(\d{3,5}\)\s?\d{1,3}-\d{2}-\d{2}(?![\w\-])")
_PHONE_INTL = re.compile(
    r"(?<![\w.])(?:\+|(?<!\d[ \-\u00a0])00)[1-9]\d{0,2}(?:[ \-\u00a0.]?\(?\d{1,5}\)?){2,6}(?![\w])"
)
_PHONE_US = re.compile(
    r"(?<![\w.\-+/])(?:1[ \-.])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[\-. ])[2-9]\d{2}[\-. ]\d{4}(?![\w\-])"
)
_PHONE_UK = re.compile(
    r"(?<![\w.\-+])0(?:7\d{3}[ \-]?\d{3}[ \-]?\d{3}|[12]\d{1,3}[ \-]\d{3,4}[ \-]?\d{3,4})(?![\w\-])"
)
_PHONE_BARE = re.compile(
    r"(?<![\w.,\-+/:])(?:\d{10,11}|9\d{2}[ \-]\d{3}[ \-]\d{2}[ \-]\d{2}|\(\d{3}\) ?\d{3}[ \-]?\d{2}[ \-]?\d{2}"
    r"|\d{3}[ \-]\d{2}[ \-]\d{2}|\d{3}-\d{4}|9\d{2}[ \-]\d{3}[ \-]?\d{4})(?![\w\-]|[.,]\d)"
)
_PHONE_GROUPS = re.compile(
    r"(?<![\w.,\-+/:$£€])(?:\+?\d{1,3}[ \-.])?\(?\d{2,4}\)?(?:[ \-.]{1,2}\d{2,4}){1,4}(?:\s?(?:x|ext\.?)\s?\d{2,5})?(?![\w\-/:]|[.,]\d)"
)
_PHONE_NEAR = re.compile(
    r"(?:тел(?:ефон\w*|\.)?|моб\w*|звон\w+|позвон\w+|набер\w+|набир\w+|сотов\w+|вотс?ап\w*|whats ?app|viber|call|phone(?: number)?|cell|"
    r"mobile|tel|text|ring|dial|reach|landline|sms|fax|факс|cell number|номер телефона)\W[^\d\n]{0,24}$",
    re.I,
)
_NOT_PHONE_BEFORE = re.compile(
    r"(?:заказ\w*|трек\w*|order|tracking|ticket|ИНН|inn|снилс|snils|счет\w*|сч[её]т\w*|id|isbn|imei|part no\.?|"
    r"артикул|партия|лот|zoom|зум|рейс|договор\w*|invoice|case|sku|штрихкод|barcode|№|#)\W{0,3}$",
    re.I,
)
_NOT_PHONE_AFTER = re.compile(
    r"\s*(?:requests|запрос\w*|руб\w*|₽|\$|шт|units|rows|строк\w*|bytes|байт|users|hits|км|кг|%)",
    re.I,
)


def find_phones(text: str) -> Iterator[Candidate]:
    """Phone numbers: by their full written form, or a bare run of digits beside a word for one."""
    for pattern in (_PHONE_RU, _PHONE_INTL, _PHONE_US, _PHONE_UK, _PHONE_CITY):
        for match in pattern.finditer(text):
            digits = _digits(match.group())
            if not 9 <= len(digits) <= 15 or len(set(digits)) < 3:
                continue
            if pattern is _PHONE_RU and len(digits) != 11:
                continue
            if _excluded(text, match.start(), match.end()):
                continue
            yield _phone(match, KEYED)
    for match in _PHONE_BARE.finditer(text):
        near = text[max(0, match.start() - 40) : match.start()]
        if _PHONE_WORDS.search(near) and not _excluded(text, match.start(), match.end()):
            yield _phone(match, LIKELY)

    for match in _PHONE_GROUPS.finditer(text):
        digits = _digits(match.group().split("x")[0])
        if not 7 <= len(digits) <= 13 or re.fullmatch(
            r"\d{1,4}[.\-]\d{1,2}[.\-]\d{1,4}", match.group()
        ):
            continue
        near = text[max(0, match.start() - 40) : match.start()]
        if _PHONE_NEAR.search(near) and not _excluded(text, match.start(), match.end()):
            yield _phone(match, LIKELY)


def _phone(match: re.Match[str], rank: int) -> Candidate:
    """The number without a bracket that belongs to the sentence around it."""
    start, end = match.span()
    if match.group().count("(") < match.group().count(")"):
        end -= match.group().endswith(")")
    elif match.group().count("(") > match.group().count(")"):
        start += match.group().startswith("(")
    return Candidate(start, end, "phone", _phone_normal(match.group()), rank)


def _excluded(text: str, start: int, end: int) -> bool:
    return (
        _NOT_PHONE_BEFORE.search(text[max(0, start - 24) : start]) is not None
        or _NOT_PHONE_AFTER.match(text, end) is not None
    )


def _phone_normal(written: str) -> str:
    """Digits with the country's code; a Russian 8 in front is a 7."""
    digits = _digits(written)
    if len(digits) == 11 and digits[0] == "8":
        return "7" + digits[1:]
    return digits.removeprefix("00")


_SAID_RU = (
    r"(?:ноль|нуль|один|одна|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|"
    r"двенадцать|тринадцать|четырнадцать|пятнадцать|шестнадцать|семнадцать|восемнадцать|девятнадцать|"
    r"двадцать|тридцать|сорок|пятьдесят|шестьдесят|семьдесят|восемьдесят|девяносто|сто|двести|триста|"
    r"четыреста|пятьсот|шестьсот|семьсот|восемьсот|девятьсот)"
)
_SAID_EN = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple)"
_SAID = re.compile(
    rf"(?<!\w)(?:плюс\s)?{_SAID_RU}(?:[ ,\-]{{1,2}}{_SAID_RU}){{6,}}(?!\w)"
    rf"|(?<!\w)(?:plus )?{_SAID_EN}(?:[ ,\-]{{1,2}}{_SAID_EN}){{6,}}(?!\w)",
    re.I,
)
_RU_VALUES = (
    {
        w: n
        for n, w in enumerate(
            words(
                "ноль один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать "
                "тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать"
            )
        )
    }
    | {
        w: 10 * n
        for n, w in enumerate(
            words("двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто"),
            2,
        )
    }
    | {
        w: 100 * n
        for n, w in enumerate(
            words("сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот"), 1
        )
    }
    | {"нуль": 0, "одна": 1, "две": 2}
)
_EN_VALUES = {
    w: n for n, w in enumerate(words("zero one two three four five six seven eight nine"))
} | {"oh": 0}


def find_spoken_phones(text: str) -> Iterator[Candidate]:
    """Phone numbers in words, as people dictate them."""
    for match in _SAID.finditer(text):
        words = re.findall(r"\w+", match.group().lower())
        digits = _spoken_digits([w for w in words if w not in ("плюс", "plus")])
        said = _PHONE_WORDS.search(text, max(0, match.start() - 50), match.start())
        if 10 <= len(digits) <= 12 or (said and 7 <= len(digits) <= 12):
            yield Candidate(match.start(), match.end(), "phone", _phone_normal(digits), KEYED)


def _spoken_digits(words: list[str]) -> str:
    digits, repeat, i = "", 1, 0
    while i < len(words):
        word = words[i]
        if word in ("double", "triple"):
            repeat = 2 if word == "double" else 3
        elif word in _EN_VALUES:
            digits += str(_EN_VALUES[word]) * repeat
            repeat = 1
        else:
            value = _RU_VALUES.get(word, 0)
            room = 100 if value >= 100 else (10 if value >= 20 else 1)
            while room > 1 and i + 1 < len(words):
                following = _RU_VALUES.get(words[i + 1], 0)
                if not 0 < following < room:
                    break
                value += following
                room = 10 if following >= 20 else 1
                i += 1
            digits += str(value)
        i += 1
    return digits
