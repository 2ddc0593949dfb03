"""The detector: cheap looks at the characters first, then only the rules that can apply."""

import re
from collections.abc import Iterator
from dataclasses import replace

from memory_pipeline.contracts.sensitive import SensitiveSpan
from memory_pipeline.understand.sensitive import (
    addresses,
    births,
    credentials,
    health,
    names,
    network,
    numbers,
)
from memory_pipeline.understand.sensitive.candidate import MARK, Candidate, settle
from memory_pipeline.understand.sensitive.chat_logins import find_login_pairs
from memory_pipeline.understand.sensitive.policy import SensitivePolicy, load_policy
from memory_pipeline.understand.sensitive.veils import Unveiled

_PIECE_CHARS = 4_000
_LITERAL = frozenset({"api_key", "password"})
_CYRILLIC = re.compile(r"[А-яЁё]")
_LATIN = re.compile(r"[A-Za-z]{2}")
_SECRET_WORD = re.compile(
    r"pass|парол|pwd|pw|psw|пасс|пасв|pin|пин|код|code|otp|cv[vc]|wi-?fi|вай|login|логин|cred|доступ|://|"
    r"network|сеть|сети|домофон|шифр|комбинац|слов|word|answer|lockbox|keypad|puk|phrase|фраз|seed|mnemonic|"
    r"сид|мнемо|ключ|ssid|уч[её]тк|цифр|comb|смс|sms|зайди|заход|войди|sign in|gate|door|garage|alarm|калитк|ворот|подъезд|сейф|шлагб|digits|ответ на|данные для|\bu\s?[:=]|authoriz|basic|bearer|curl|wget|secret|token|key|mysql|redis"
)
_KEY_WORD = re.compile(r"key|token|secret|bearer|credential|ключ|токен|секрет")
_LONG_TOKEN = re.compile(r"[A-Za-z0-9_\-+/=.~:]{16}")
_FIVE_DIGITS = re.compile(r"(?:\d[ \-\u00a0.()–—‑/_·,\n]{0,3}){5}\d")
_PASSPORT = re.compile(r"passport|паспорт", re.I)
_SAID_MAIL = re.compile(r"собак|собач|[(\[{<]\s?(?:at|эт|dog)\s?[)\]}>]| dot | точка ")
_SAID_DIGIT = re.compile(
    r"восем|девят|шест|семь|четыр|пять|ноль|zero|three|four|five|six|seven|eight|nine"
)
_FEW_SAID = 4
_RU_CAPITALS = re.compile(r"[А-ЯЁ][а-яё]+[ \u00a0-][А-ЯЁ][а-яё]")
_EN_CAPITALS = re.compile(
    r"[A-ZÀ-ÞŁŚŻŠČŽĐ][\w'’\-]*[ \u00a0](?:[A-ZÀ-ÞŁŚŻŠČŽĐ]|(?:van|von|de|da|di|del|bin|al|el|der) )"
)
_RU_STREET = re.compile(
    r"[А-ЯЁ][а-яё]+(?:\s[а-яё\-]+)?[.,]?\s?,?\s?(?:д(?:ом)?\.?\s?)?\d|\d{1,2}-?(?:я|й|ая|ой)\s|(?:ул|пр|пер|наб|просп|пл|мкр)\w*\.?\s?\d"
)
_EN_STREET = re.compile(r"\d[A-Za-z]?,?\s(?:[A-Z]|\d|[a-z]+ )|[a-zß.]\s\d")
_YEARISH = re.compile(
    r"\d\d[./\-]\d{1,2}[./\-]\d|(?:19|20)\d\d|\d[./\-]\d{1,2}[./\-]\d|тысяч|девяност|девятьсот|рожд|родил"
)


def find(
    text: str,
    lang: str | None = None,  # noqa: ARG001 - callers know it; the letters tell more
    policy: SensitivePolicy | None = None,
) -> list[SensitiveSpan]:
    """The sensitive values of a text as spans of code points, in order, not overlapping.

    `lang` is not needed: both languages are looked for, by the letters that occur, as people mix
    them, and what no eye sees is looked through. Types that the policy does not list are not looked for. Check sums decide wherever a type
    has one. The time grows with the length only: a long text is read in pieces, cut at line ends
    or spaces."""
    rules = policy if policy is not None else load_policy()
    seen = Unveiled(text)
    marks = [m.span() for m in MARK.finditer(seen.plain)] if "[" in text else []
    spans = []
    for one in settle(
        c for c in _all_candidates(seen.plain) if c.type in rules.classes and not _in_mark(c, marks)
    ):
        start, end = seen.span(one.start, one.end)
        # of a password every letter counts, also which script it is of
        literal = one.type in _LITERAL and seen.plain is not seen.shown
        spans.append(
            SensitiveSpan(
                start=start,
                end=end,
                type=one.type,
                sensitive_class=rules.classes[one.type],
                normal=seen.shown[one.start : one.end] if literal else one.normal,
            )
        )
    return spans


def _in_mark(one: Candidate, marks: list[tuple[int, int]]) -> bool:
    return any(start <= one.start and one.end <= end for start, end in marks)


def _all_candidates(text: str) -> Iterator[Candidate]:
    if "PRIVATE KEY" in text:
        yield from credentials.find_key_blocks(text)
    if len(text) <= _PIECE_CHARS:
        yield from _candidates(text)
        return
    at = 0
    while at < len(text):
        end = at + _PIECE_CHARS
        if end < len(text):
            cut = max(text.rfind("\n", at, end), text.rfind(". ", at, end))
            cut = cut if cut > at else text.rfind(" ", at, end)
            end = cut + 1 if cut > at else end
        for one in settle(_candidates(text[at:end])):
            yield replace(one, start=one.start + at, end=one.end + at)
        at = end


def _candidates(text: str) -> list[Candidate]:
    found: list[Candidate] = []
    cyrillic = _CYRILLIC.search(text) is not None
    latin = _LATIN.search(text) is not None
    digits = any(map(text.__contains__, "0123456789"))
    low = text.lower()
    if digits:
        _digit_rules(text, found, latin)
    if "@" in text:
        found.extend(network.find_emails(text))
    if _SAID_MAIL.search(low):
        found.extend(network.find_said_emails(text))
    if text.count(":") >= 2:
        found.extend(c for c in network.find_ips(text) if c not in found)
    if len(_SAID_DIGIT.findall(low)) >= _FEW_SAID:
        found.extend(numbers.find_spoken_phones(text))
    if _LONG_TOKEN.search(text):
        found.extend(credentials.find_keys(text))
        if _KEY_WORD.search(low):
            found.extend(credentials.find_announced_keys(text))
    if "@" in text or " / " in text:
        found.extend(find_login_pairs(text))
    if _SECRET_WORD.search(low):
        found.extend(credentials.find_passwords(text))
    _word_rules(text, low, found, cyrillic, latin, digits)
    return found


def _digit_rules(text: str, found: list[Candidate], latin: bool) -> None:
    if "." in text or "°" in text or "," in text or "градус" in text:
        found.extend(network.find_geo(text))
        if text.count(".") >= 3:
            found.extend(network.find_ips(text))
    if not _FIVE_DIGITS.search(text):
        if _PASSPORT.search(text):
            found.extend(numbers.find_passports(text))
        return
    # a policy of medical insurance has a card's sum and grouping, and a word of its own
    found.extend(numbers.find_snils(text))
    found.extend(numbers.find_cards(text))
    found.extend(numbers.find_accounts(text))
    if latin:
        found.extend(numbers.find_iban(text))
    found.extend(numbers.find_inn(text))
    found.extend(numbers.find_passports(text))
    found.extend(numbers.find_phones(text))


def _word_rules(
    text: str, low: str, found: list[Candidate], cyrillic: bool, latin: bool, digits: bool
) -> None:
    people: list[Candidate] = []
    if cyrillic:
        if _RU_CAPITALS.search(text):
            people.extend(names.find_russian_names(text))
        people.extend(names.find_lower_names(low))
        if digits and _RU_STREET.search(text):
            found.extend(addresses.find_russian_addresses(text))
        found.extend(health.find_russian_health(low.replace("ё", "е")))
    if latin:
        if _EN_CAPITALS.search(text):
            people.extend(names.find_latin_names(text))
        if digits and _EN_STREET.search(text):
            found.extend(addresses.find_latin_addresses(text))
        if len(low) == len(text):
            found.extend(health.find_english_health(low))
    if _YEARISH.search(low):
        found.extend(births.find_birth_dates(text, people))
    found.extend(people)
