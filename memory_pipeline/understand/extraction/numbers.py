"""Sums of money and small numbers, in digits and in words."""

import re
from decimal import Decimal

from memory_pipeline.understand.gated import Gated

_RU_WORDS: dict[str, int | Decimal] = {
    "ноль": 0, "один": 1, "одна": 1, "одного": 1, "год": 1, "два": 2, "две": 2, "двух": 2,
    "три": 3, "трех": 3, "четыре": 4, "четырех": 4, "пять": 5, "пяти": 5, "шесть": 6, "шести": 6,
    "семь": 7, "семи": 7, "восемь": 8, "восьми": 8, "девять": 9, "девяти": 9, "десять": 10,
    "десяти": 10, "одиннадцать": 11, "двенадцать": 12, "тринадцать": 13, "четырнадцать": 14,
    "пятнадцать": 15, "пятнадцати": 15, "шестнадцать": 16, "семнадцать": 17, "восемнадцать": 18,
    "девятнадцать": 19, "двадцать": 20, "двадцати": 20, "тридцать": 30, "тридцати": 30, "сорок": 40,
    "сорока": 40, "пятьдесят": 50, "пятидесяти": 50, "шестьдесят": 60, "шестидесяти": 60,
    "семьдесят": 70, "семидесяти": 70, "восемьдесят": 80, "восьмидесяти": 80, "девяносто": 90,
    "сто": 100, "ста": 100, "двести": 200, "двухсот": 200, "триста": 300, "трехсот": 300,
    "четыреста": 400, "четырехсот": 400, "пятьсот": 500, "пятисот": 500, "шестьсот": 600,
    "шестисот": 600, "семьсот": 700, "семисот": 700, "восемьсот": 800, "восьмисот": 800,
    "девятьсот": 900, "девятисот": 900, "полтора": Decimal("1.5"), "полутора": Decimal("1.5"), "полмиллиона": 500_000, "полляма": 500_000,
}  # fmt: skip
_EN_WORDS: dict[str, int | Decimal] = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_WORD_NUMBER = r"(?:{words})(?:[\s-](?:{words}))*"
_HUNDREDS = r"(?:one|two|three|four|five|six|seven|eight|nine)[\s-]hundred(?:\s+and(?=\s+{words}))?|(?:one|two|three|four|five|six|seven|eight|nine)\s+and\s+a\s+half"
_HALVES = r"(?:один|два|две|три|четыре|пять|шесть|семь|восемь|девять)\s+с\s+половиной"
_PARTS = {
    "half a million": 500_000, "a quarter million": 250_000, "a quarter of a million": 250_000,
    "quarter of a million": 250_000, "three quarters of a million": 750_000,
}  # fmt: skip


def _any_of(words: dict[str, int | Decimal]) -> str:
    single = "|".join(sorted(words, key=len, reverse=True))
    compound = [_HUNDREDS.format(words=f"(?:{single})")] if "one" in words else []
    return "|".join([*compound, *([_HALVES] if "два" in words else []), single])


_SCALES = {
    "k": 1_000, "к": 1_000, "тыс": 1_000, "т": 1_000, "тр": 1_000, "тысяч": 1_000, "косар": 1_000,
    "thousand": 1_000, "grand": 1_000, "hundredthousand": 100_000, "hundred": 100, "m": 1_000_000, "mln": 1_000_000,
    "million": 1_000_000, "млн": 1_000_000, "миллион": 1_000_000, "лям": 1_000_000, "м": 1_000_000,
    "mil": 1_000_000, "bn": 1_000_000_000, "млрд": 1_000_000_000,
}  # fmt: skip
_CURRENCIES = (
    ("RUB", r"₽|руб(?:л[а-я]*|\.)?|р(?:\.|\b)|rub\b"),
    ("USD", r"\$|us\$|usd\b|dollars?\b|bucks?\b|долл[а-я]*\.?|бакс[а-я]*"),
    ("EUR", r"€|eur\b|euros?\b|евро\b"),
    ("GBP", r"£|gbp\b|quid\b|pounds?\b|фунт[а-я]*"),
    ("KZT", r"₸|тенге\b|kzt\b"),
    ("CHF", r"chf\b|francs?\b"),
    ("AUD", r"aud\b|a\$"),
    ("CAD", r"cad\b|c\$"),
)
_CURRENCY = "|".join(f"(?P<{code}{{n}}>{pattern})" for code, pattern in _CURRENCIES)
_SCALE = (
    r"тысяч[а-я]*|тыщ[а-я]*|тыс\.?(?![а-я])|т\.?\s?р\.?(?![а-я])|косар[а-я]*|миллион[а-я]*|млн\.?|"
    r"лям[а-я]*|млрд\.?|k\b|к(?![а-я])|hundred\s+thousand\b|thousand\b|grand\b|hundred\b|million\b|mil\b|mln\b|m\b|м(?![а-я])|bn\b"
)
MONEY = Gated(
    rf"(?:{_CURRENCY.format(n='_before')})?\s?"
    rf"(?:(?P<digits>\d{{1,3}}(?:[\s ,'_]\d{{3}})+(?![\d])(?:[.,]\d{{1,2}}\b)?|\d+(?:[.,]\d+)?)"
    rf"|(?P<words>\b(?:{'|'.join(map(re.escape, _PARTS))})\b|\b{_WORD_NUMBER.format(words=_any_of({**_RU_WORDS, **_EN_WORDS}))}\b))"
    rf"(?:\s?(?P<scale>{_SCALE}))?"
    rf"(?:\s?(?:{_CURRENCY.format(n='_after')}))?",
    re.IGNORECASE,
)
_MILLION_AND = Gated(
    r"(?<![\w])(?:один\s+)?(?:миллион|лям)\s+(?P<hundreds>(?:сто|двести|триста|четыреста|пятьсот|шестьсот|семьсот|восемьсот|девятьсот)(?:\s+(?:пятьдесят|двадцать|тридцать))?)\b(?:\s+тысяч\w*)?"
)
"""How a million and some hundreds of thousands are said ("миллион двести")."""
_EN_NUMBER = re.compile(_WORD_NUMBER.format(words=_any_of(_EN_WORDS)))
_RU_NUMBER = re.compile(_WORD_NUMBER.format(words=_any_of(_RU_WORDS)))


def currency_of(lang: str, tz: str) -> str:
    """The currency meant where none is said: by language, else by the dialog's zone."""
    if lang == "ru":
        return "RUB"
    if tz in {"Europe/London", "Europe/Belfast"}:
        return "GBP"
    if tz == "Europe/Zurich":
        return "CHF"
    if tz == "Europe/Moscow":
        return "RUB"
    if tz.startswith("Europe/"):
        return "EUR"
    if tz.startswith("Australia/"):
        return "AUD"
    if tz in {"America/Toronto", "America/Vancouver", "America/Montreal"}:
        return "CAD"
    return "USD"


def find_money(low: str, start: int, lang: str, tz: str) -> tuple[str, int, int, bool] | None:
    """The first sum at or after `start` in a lower-cased text with ё folded.

    Returns ("300000 RUB", start, end, whether a currency or a scale was said), or None.
    """
    spoken = _MILLION_AND.search(low, start)
    if spoken is not None:
        hundreds = word_number(spoken["hundreds"])
        first = MONEY.search(low, start)
        if hundreds is not None and (first is None or first.start() + 1 >= spoken.start()):
            total = 1_000_000 + int(hundreds) * 1_000
            return f"{total} {currency_of(lang, tz)}", spoken.start(), spoken.end(), True
    for found in MONEY.finditer(low, start):
        value = _value(found["digits"], found["words"])
        if value is None:
            continue
        said = value >= 500_000 and found["words"] is not None
        scale = found["scale"]
        code = None
        if scale:
            key = re.sub(r"[.\s]", "", scale)
            if key.startswith("тыс"):
                key = "тыс"
            elif key.startswith(("миллион", "лям")):
                key = "млн"
            elif key.startswith(("косар", "тыщ")):
                key = "тыс"
            if key == "тр":
                code = "RUB"
            value *= _SCALES.get(key, 1)
            said = True
        for name, _ in _CURRENCIES:
            if found[f"{name}_before"] or found[f"{name}_after"]:
                code, said = name, True
        amount = format(value.normalize(), "f") if value % 1 else str(int(value))
        begin = found.start() + (len(found[0]) - len(found[0].lstrip()))
        return f"{amount} {code or currency_of(lang, tz)}", begin, found.end(), said
    return None


def _value(digits: str | None, words: str | None) -> Decimal | None:
    if digits is not None:
        plain = re.sub(r"[\s '_]", "", digits)
        if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", plain):
            plain = plain.replace(",", "")
        return Decimal(plain.replace(",", "."))
    if words is not None:
        value = word_number(words)
        return None if value is None else Decimal(value)
    return None


def word_number(words: str) -> int | Decimal | None:
    """The number that words say ("сорок один", "twenty-two"), or None."""
    if (part := _PARTS.get(words.strip())) is not None:
        return part
    total: int | Decimal = 0
    for word in re.split(r"[\s-]+", words.strip()):
        if word in ("год", "and", "a", "с") and total:
            continue
        if word in ("half", "половиной") and total:
            total += Decimal("0.5")
            continue
        if word == "hundred":
            total = (total or 1) * 100
            continue
        value = _RU_WORDS.get(word, _EN_WORDS.get(word))
        if value is None:
            return None
        total += value
    return total


def small_number(text: str) -> int | None:
    """A whole number below 130 from digits or words, or None."""
    text = text.strip()
    if re.fullmatch(r"\d{1,3}", text):
        value: int | Decimal | None = int(text)
    else:
        value = word_number(text)
    if value is None or value % 1 or not 0 < value < 130:
        return None
    return int(value)


NUMBER_WORD_RU = _RU_NUMBER.pattern
NUMBER_WORD_EN = _EN_NUMBER.pattern


Money = tuple[str, int, int, bool]
"""A sum as `find_money` gives it: value, start, end, whether its unit was said."""


def in_thousands_of(money: Money, was: str) -> Money:
    """A bare small number as thousands, where the sum told before it was in thousands ("60k …
    scratch that, 65")."""
    value, start, end, said = money
    amount, currency = float(value.split()[0]), was.split()[-1]
    old = float(was.split()[0])
    if said or old < 1_000 or old % 1_000 or not amount.is_integer():
        return money
    scaled = f"{int(amount) * 1_000} {currency}"
    return (scaled, start, end, said) if are_alike(scaled, was) else money


def are_alike(one: str, other: str) -> bool:
    """Whether two sums are of one order, so that a bare number is the other changed."""
    a, b = float(one.split()[0]), float(other.split()[0])
    return min(a, b) >= 100 and max(a, b) <= 5 * min(a, b)
