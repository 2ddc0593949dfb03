"""E-mail addresses (also dictated or disguised), IP addresses and coordinates."""

import ipaddress
import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, Candidate

_EMAIL = re.compile(
    r"(?<![\w.+\-])[\w][\w.+\-']*@(?:[\w](?:[\w\-]*[\w])?\.)+[^\W\d_][\w\-]*[\w](?![\w@])"
)
_DISGUISED = re.compile(
    r"(?<![\w.])[\w][\w.+\-]*\s?[(\[{<]\s?(?:at|собака|dog|эт)\s?[)\]}>]\s?"
    r"[\w\-]+(?:(?:\s?[(\[{<]\s?(?:dot|точка)\s?[)\]}>]\s?|\.)[\w\-]+)+(?!\w)",
    re.I,
)
_SAID = re.compile(
    r"(?<!\w)[A-Za-z0-9_]+(?:\s(?:точка|дефис|тире|подч[её]ркивание|нижнее подч[её]ркивание|плюс|dot|dash|"
    r"underscore|plus)\s[A-Za-z0-9_]+)*\s(?:собака|собачка|эт|at)\s[A-Za-z0-9\-]+"
    r"(?:\s(?:дефис|тире|dash)\s[A-Za-z0-9]+)*(?:\s?(?:\s(?:точка|dot)\s|\.)[A-Za-z]+)+(?!\w)",
    re.I,
)
_IP4 = re.compile(r"(?<![\w.\-])(?:\d{1,3}\.){3}\d{1,3}(?![\w\-]|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*[0-9A-Fa-f:](?![\w])")
_VERSION = re.compile(
    r"(?:верси\w*|сборк\w*|билд\w*|релиз\w*|прошивк\w*|version|ver\.?|build|release|firmware|"
    r"v|update|обновлени\w*|after|chrome|ios|драйвер\w*|driver|sdk|пункт\w*|section|§)\s*(?:to|до|на|с|is|was)?\s*[:=]?\s*$",
    re.I,
)
_GEO = re.compile(
    r"(?<![\w.,\-])[-−]?\d{1,3}\.\d{3,}°?\s?(?:[NSns]|с\.?\s?ш\.?|ю\.?\s?ш\.?)?\s?[,;/ ]\s?[-−]?\d{1,3}\.\d{3,}(?:°\s?(?:[EWew]|[вз]\.?\s?д\.?)?|\s?[EWew](?!\w)|\s?[вз]\.?\s?д\.?)?(?![\w.])"
)
# three decimals alone may be any two numbers
_FINE = re.compile(r"\.\d{4}|°|[NSEWСЮВЗсювз]")
_GEO_WORDS = re.compile(
    r"\d{1,2} градус\w*(?: \d{1,2} минут\w*)?(?: \d{1,2} секунд\w*)? (?:северной|южной) широты,?(?: и)? "
    r"\d{1,3} градус\w*(?: \d{1,2} минут\w*)?(?: \d{1,2} секунд\w*)? (?:восточной|западной) долготы",
    re.I,
)
_GEO_COMMAS = re.compile(r"(?<![\w.,])-?\d{1,2},\d{4,}°?[;,]?\s{1,2}-?\d{1,3},\d{4,}°?(?![\w,])")
_GEO_PREFIXED = re.compile(
    r"(?<!\w)[NS]\s?\d{1,2}(?:\.\d+)?°?[\d.'′\s]*,?\s?[EW]\s?\d{1,3}(?:\.\d+)?°?[\d.'′]*"
)
_GEO_NAMED = re.compile(
    r"(?:координат\w*|coord\w*|gps|geo\w*|локаци\w*|location|точк\w*|pin|position|широт\w*|lat\w*|маячок|tracker|трекер)\W[^\d\n]{0,30}?"
    r"(?P<value>-?\d{1,2}[.,]\d{2,}°?\s?[,;/]?\s{0,2}-?\d{1,3}[.,]\d{2,}°?)(?![\w])",
    re.I,
)
_GEO_LABELLED = re.compile(
    r"(?:lat(?:itude)?|шир(?:ота|\.)?)\W{0,3}(-?\d{1,2}\.\d{2,})(\W{1,3}(?:lon(?:gitude)?|lng|long|долг(?:ота|\.)?)\W{0,3})(-?\d{1,3}\.\d{2,})",
    re.I,
)
_DMS = re.compile(
    r"(?:[NS]\s?)?\d{1,2}°\s?\d{1,2}[′']\s?(?:\d{1,2}(?:\.\d+)?(?:[″\"]|''|′′)\s?)?(?:[NSСЮсю](?:\.?\s?ш\.?)?)?[,;]?\s?\d{1,3}°\s?\d{1,2}[′']\s?(?:\d{1,2}(?:\.\d+)?(?:[″\"]|''|′′)\s?)?(?:[EWВЗвз](?:\.?\s?д\.?)?)?(?!\w)"
)


def find_emails(text: str) -> Iterator[Candidate]:
    """E-mail addresses as written."""
    for match in _EMAIL.finditer(text):
        yield Candidate(match.start(), match.end(), "email", match.group().lower(), KEYED)


def find_said_emails(text: str) -> Iterator[Candidate]:
    """E-mail addresses that are spelled out: "ivan точка lesnoy собака …", "sven(at)…(dot)…"."""
    for pattern in (_DISGUISED, _SAID):
        for match in pattern.finditer(text):
            said = match.group().lower()
            if pattern is _SAID and " at " in said and " dot " not in said:
                continue
            yield Candidate(match.start(), match.end(), "email", _plain(match.group()), KEYED)


def _plain(said: str) -> str:
    value = said.lower()
    for pattern, sign in (
        (r"\s*[(\[{<]?\b(?:собака|собачка|эт|at|dog)\b[)\]}>]?\s*", "@"),
        (r"\s*[(\[{<]?\b(?:точка|dot)\b[)\]}>]?\s*", "."),
        (r"\s*\b(?:дефис|тире|dash)\b\s*", "-"),
        (r"\s*\b(?:нижнее )?(?:подч[её]ркивание|underscore)\b\s*", "_"),
        (r"\s*\b(?:плюс|plus)\b\s*", "+"),
    ):
        value = re.sub(pattern, sign, value)
    return value


def find_ips(text: str) -> Iterator[Candidate]:
    """IP addresses of both families; four numbers after a word for a version are none."""
    for match in _IP4.finditer(text):
        if _VERSION.search(text[max(0, match.start() - 24) : match.start()]):
            continue
        yield from _address(match.start(), match.group())
    for match in _IP6.finditer(text):
        value = match.group().rstrip(":") if not match.group().endswith("::") else match.group()
        if value.count(":") >= 2 and len(value) > 3:
            yield from _address(match.start(), value)


def _address(start: int, value: str) -> Iterator[Candidate]:
    try:
        normal = str(ipaddress.ip_address(value))
    except ValueError:
        return
    yield Candidate(start, start + len(value), "ip", normal, CHECKED)


def find_geo(text: str) -> Iterator[Candidate]:
    """Pairs of latitude and longitude in decimals or in degrees and minutes."""
    for match in _GEO.finditer(text):
        if not _FINE.search(match.group()):
            continue
        numbers = [float(n.replace("−", "-")) for n in re.findall(r"[-−]?\d+\.\d+", match.group())]
        if len(numbers) == 2 and abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180:
            yield Candidate(match.start(), match.end(), "geo", f"{numbers[0]},{numbers[1]}", KEYED)
    for pattern in (_DMS, _GEO_PREFIXED, _GEO_WORDS, _GEO_COMMAS):
        for match in pattern.finditer(text):
            n_numbers = len(re.findall(r"\d+", match.group()))
            if n_numbers >= 4 or "." in match.group() or pattern is _GEO_WORDS:
                value = match.group().rstrip(" ,")
                yield Candidate(match.start(), match.start() + len(value), "geo", value, KEYED)
    for match in _GEO_NAMED.finditer(text):
        numbers = [
            float(n.replace(",", ".")) for n in re.findall(r"-?\d+[.,]\d+", match.group("value"))
        ]
        if len(numbers) == 2 and abs(numbers[0]) <= 90 and abs(numbers[1]) <= 180:
            normal = f"{numbers[0]},{numbers[1]}"
            yield Candidate(*match.span("value"), "geo", normal, KEYED)
    for match in _GEO_LABELLED.finditer(text):
        normal = f"{match.group(1)},{match.group(3)}"
        yield Candidate(match.start(1), match.end(3), "geo", normal, KEYED)
