"""Full names: a given name with a family name, Cyrillic by morphology, Latin by a list of given
names and by the words that introduce a person. A given name alone is none."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.sensitive.candidate import KEYED, LIKELY, LOOSE, Candidate
from memory_pipeline.understand.sensitive.name_lists import (
    CITIES,
    GIVEN_NAMES,
    NOT_NAMES,
    NOT_RU_SURNAMES,
    RU_GIVEN,
)

_RU_RUN = re.compile(
    r"(?<![\w«\"„/@.])[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?(?:[ \u00a0][А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?){1,3}(?![\w])"
)
_RU_LOWER = re.compile(r"[а-яё]+(?:-[а-яё]+)?")
_RU_GIVEN = frozenset(name[:4] for name in RU_GIVEN)
_SHORT_SURNAME = 5
_STREET_BEFORE = re.compile(
    r"(?:ул(?:иц\w+|\.)?|пр(?:оспект\w*|-т|\.)|пер(?:еулок|\.)|наб(?:ережн\w+|\.)|площад\w+|пл\.|имени|им\.|музе\w+|"
    r"памятник\w*|роман\w*|книг\w+|повест\w+|стих\w*|театр\w*|фильм\w*|школ\w+|метро|станци\w+|бульвар\w*|"
    r"парк\w*|дворец|проезд|шоссе|песн\w+|группа|теплоход|премия)\W{0,2}$",
    re.I,
)
_COMPANY_BEFORE = re.compile(r"(?:ООО|ОАО|ЗАО|АО|ПАО|фирм\w+|компани\w+|бренд\w*)\W{0,3}$")
_EN_WORD = r"(?:[A-ZÀ-ÖØ-ÞŁŚŻŠČŽĐÇĞİ](?:['’][A-ZÀ-Þ])?[a-zà-öø-ÿłśżźćńęąšžčřěďťňůąđğışçőű]+(?:[A-Z][a-zà-ÿ]+)?)"
_EN_PART = rf"(?:{_EN_WORD}(?:[-’']{_EN_WORD})*)"
_EN_RUN = re.compile(
    rf"(?<![\w@./\-'’#&])(?:{_EN_PART})(?:[ \u00a0](?:Mc{_EN_WORD}|Mac{_EN_WORD}|[OD]['’]{_EN_WORD}(?:-{_EN_WORD})?|[A-Z]\.?(?![\w'’])|{_EN_PART}|(?:van|von|der|den|de|da|di|do|del|della|la|le|dos|das|bin|ibn|bint|al|el|ter|ten|af|av|zu|y|e|ní|ap|ben)(?= ))){{1,4}}(?![\w@])"
)
_INTRO = re.compile(
    r"(?:(?:my|his|her|the|full|legal|maiden|real|patient|client|first and last|account) ?name(?:'s| is| was|:| as [^:\n]{0,40}:| on [^:\n]{0,40}:)?|"
    r"name(?:'s| is|:| as [^:\n]{0,40}:| on [^:\n]{0,40}:)|(?:hi|hello|hey),? (?:this is|it'?s|i'?m)|this is|i'?m|i am|"
    r"signed(?:,| by)?|beneficiary:?|payee:?|recipient:?|cardholder:?|holder:?|patient:?|client:?|tenant:?|landlord:?|"
    r"passenger:?|guest:?|attendee:?|candidate:?|applicant:?|employee:?|contact:?|attn:?|c/o|under|registered to|"
    r"belongs to|account of|in the name of|on behalf of|named|called|from|meet|dear|regards,|best,|sincerely,|thanks,|cheers,|"
    r"mr\.?|mrs\.?|ms\.?|miss|dr\.?|prof\.?|update:|with|by|for|to|ask(?: for)?|tell|call|email|my (?:wife|husband|"
    r"brother|sister|boss|manager|doctor|son|daughter|neighbou?r|friend|lawyer|accountant|dentist|landlord|mom|dad|partner|"
    r"therapist|colleague|coworker|roommate|aunt|uncle|cousin|teacher))[\s,]*$",
    re.I,
)
_STRONG_INTRO = re.compile(
    r"(?:name(?:'s| is|:| as [^:\n]{0,40}:| on [^:\n]{0,40}:)|this is|beneficiary:?|payee:?|cardholder:?|holder:?|patient:?|"
    r"tenant:?|passenger:?|guest:?|attendee:?|candidate:?|applicant:?|registered to|account of|in the name of|mr\.?|mrs\.?|"
    r"ms\.?|miss|dr\.?|prof\.?|regards,|sincerely,|contact:|client:|employee:|recipient:|best,|thanks,|cheers,|"
    r"(?:tenant|landlord|manager|boss|doctor|teacher|lawyer|accountant|owner|driver|witness|author|caller|applicant|"
    r"patient|client|guest|neighbou?r|wife|husband|brother|sister|son|daughter|friend|mom|mum|dad|mother|father|aunt|uncle|cousin|"
    r"colleague|coworker|roommate|therapist|dentist|partner|girlfriend|boyfriend|fianc[eé]e?|grandma|grandpa|nephew|niece)"
    r"(?:'s name)?(?: is| was|,|:)?|(?:ask|tell|met|meet|contact|email|ping|cc|invite|interview(?:ed)?|hired|married|call)(?: for)?|"
    r"named|called|spoke (?:to|with)|talked to|signed by|on behalf of|c/o|attn:?)[\s,]*$",
    re.I,
)
# endings that only family names have
_EN_SURNAME = re.compile(
    r"(?:ova|eva|[a-z]ov|enko|[a-z]sky|[a-z]skaya|[a-z]ski|[a-z]ska|wicz|escu|opoulos|[a-z]{2}sson|[a-z]{3}sen|sdottir|oğlu|oglu|yan|shvili|"
    r"dze|nez|guez|[a-z]dez|[a-z]rez|[a-z]tez|quist|qvist|strand|[a-z]{3}stein|[a-z]{3}berg|[a-z]{3}mann|[a-z]wala|[a-z]{2}singh|[a-z]{2}chuk|"
    r"[a-z]{2}czyk|[a-z]{2}elli|[a-z]{2}etti|[a-z]{2}ucci|[a-z]{2}worth|[a-z]{2}bottom|[a-z]{3}shaw)\Z"
)
_EN_AFTER_NOT = re.compile(
    r"\s(?:Inc|Ltd|LLC|GmbH|Corp|Co|Bank|Group|Partners|University|College|School|Street|St|Road|Rd|Avenue|Ave|Lane|"
    r"Way|Drive|Park|Hotel|Airport|Station|Hospital|Church|Museum|Stadium|Foundation|Award|Prize)\b|\s&\s|'s (?:Law|Day)"
)


_LABEL = re.compile(r"[a-z)]{2,}: ?$")
_CONTACT_AFTER = re.compile(
    r"(?:,| -|\s?\(| /)?\s?(?:\+?\d{1,4}[ \-/.(]\d|dob\b|d\.o\.b|born\b|passport\b|phone\b|tel\b|cell\b|mobile\b|e-?mail\b|[\w.]+@)",
    re.I,
)


def find_russian_names(text: str) -> Iterator[Candidate]:
    """Runs of two to four capitalised Cyrillic words that hold a given name and a family name."""
    for match in _RU_RUN.finditer(text):
        words = [(m.start(), m.end(), m.group()) for m in re.finditer(r"[\w-]+", match.group())]
        found = _russian_span([w for _, _, w in words])
        if found is None:
            continue
        first, last, rank = found
        start, end = match.start() + words[first][0], match.start() + words[last][1]
        before = text[max(0, start - 24) : start]
        if _STREET_BEFORE.search(before) or _COMPANY_BEFORE.search(before):
            continue
        yield Candidate(start, end, "name_full", _ru_normal(text[start:end]), rank)


@lru_cache(maxsize=32768)
def _ru_kinds(word: str) -> frozenset[str]:
    """Which of given name, surname and patronymic a word can be; `word` for a common word."""
    kinds = set()
    readings = parses(word.lower())
    for normal, tag in readings:
        if tag & {"Geox", "Orgn", "Trad"} and not tag & {"Surn", "Name"}:
            kinds.add("place")
        for kind in ("Name", "Surn", "Patr"):
            if kind in tag and normal not in NOT_RU_SURNAMES:
                kinds.add(kind)
    if not kinds & {"Name", "Surn", "Patr", "place"}:
        kinds.add("word")
    if readings[0][1] & {"VERB", "PREP", "CONJ", "ADVB", "PRCL", "NPRO", "INFN", "INTJ", "PRED"}:
        kinds.add("function")
    elif not readings[0][1] & {"Name", "Surn", "Patr"}:
        kinds.add("common")
    lower = word.lower()
    if re.search(
        r"(?:[оеё]в|[иы]н|ск(?:ий|ая|ого|ому|ой|ую|им)|цк(?:ий|ая|ого|ой)|[оеё]в(?:а|у|ым|ой|е|ы)|[иы]н(?:а|у|ым|ой|е)"
        r"|енко|чук|юк|ян|дзе|швили|ко|ич|ук|их|ых|вец|як)\Z",
        lower,
    ):
        kinds.add("surnamelike")
    if "-" in lower and all(_ru_kinds(p) & {"Surn", "surnamelike"} for p in lower.split("-") if p):
        kinds.add("Surn")
    return frozenset(kinds)


def _russian_span(words: list[str]) -> tuple[int, int, int] | None:
    kinds = [_ru_kinds(w) for w in words]
    n = len(words)
    for size in (3, 2):
        for i in range(n - size + 1):
            rank = _russian_rank(words[i : i + size], kinds[i : i + size], first=i == 0)
            if rank is not None:
                return i, i + size - 1, rank
    return None


def _russian_rank(words: list[str], kinds: list[frozenset[str]], first: bool) -> int | None:
    if len(words) == 3:
        for patr, name, surname in ((2, 1, 0), (1, 0, 2)):
            if (
                "Patr" in kinds[patr]
                and (
                    "Name" in kinds[name]
                    or ("function" not in kinds[name] and "Surn" not in kinds[name])
                )
                and "function" not in kinds[surname]
            ):
                return KEYED
        return None
    for name, surname in ((0, 1), (1, 0)):
        if "Name" not in kinds[name] or "Patr" in kinds[surname]:
            continue
        other = kinds[surname]
        if words[surname].lower() in NOT_RU_SURNAMES or words[name].lower() in NOT_RU_SURNAMES:
            continue
        if "Surn" in other and not (surname == 0 and first and "common" in other):
            return LIKELY
        if "function" in other or words[surname].lower() in CITIES:
            continue
        if "surnamelike" in other and "place" not in other:
            return LIKELY
        # any other capitalised word is a surname only after a word that is nothing but a given name
        if surname > name and "common" not in kinds[name]:
            return LOOSE
    return None


def _ru_normal(value: str) -> str:
    return " ".join(parses(w)[0][0] for w in _RU_LOWER.findall(value.lower()))


def find_lower_names(low: str) -> Iterator[Candidate]:
    """Russian full names in lower case: a given name beside a word that is nothing but a surname,
    in the same case and number."""
    words = [(m.start(), m.end(), m.group()) for m in _RU_LOWER.finditer(low)]
    for (start, end, word), (begin, stop, following) in pairwise(words):
        if low[end:begin] != " ":
            continue
        for given, surname in ((word, following), (following, word)):
            if given[:4] in _RU_GIVEN and _lower_pair(given, surname):
                yield Candidate(start, stop, "name_full", _ru_normal(low[start:stop]), LOOSE)
                break


@lru_cache(maxsize=8192)
def _lower_pair(given: str, surname: str) -> bool:
    """Both read first of all as what they are, and a case fits both."""
    name, family = parses(given), parses(surname)
    if "Name" not in name[0][1] or "Surn" not in family[0][1] or len(surname) < _SHORT_SURNAME:
        return False
    cases = {"nomn", "gent", "datv", "accs", "ablt", "loct"}
    of_name = {c for _, tag in name if "Name" in tag for c in tag & cases}
    return any("Surn" in tag and tag & cases & of_name for _, tag in family)


def _is_form_line(text: str, start: int, end: int) -> bool:
    """After "label:", or a line of its own, or followed by a date of birth or a contact."""
    after = text[end : end + 24]
    if _LABEL.search(text[max(0, start - 24) : start]) and re.match(r"\s*(?:$|[,.;)\n(])", after):
        return True
    if (start == 0 or text[start - 1] == "\n") and re.match(r"\s*(?:\n)", after) and start > 0:
        return True
    return _CONTACT_AFTER.match(after) is not None


def find_latin_names(text: str) -> Iterator[Candidate]:
    """Runs of capitalised Latin words with a known given name, or introduced as a person."""
    for match in _EN_RUN.finditer(text):
        words = re.split(r"[ \u00a0]", match.group())
        starts = [match.start()]
        for word in words[:-1]:
            starts.append(starts[-1] + len(word) + 1)
        while words and words[0].lower() in NOT_NAMES:
            words, starts = words[1:], starts[1:]
        while words and (words[-1].lower() in NOT_NAMES or words[-1].endswith(".")):
            words, starts = words[:-1], starts[:-1]
        if words and (words[-1].endswith("'s") or words[-1].endswith("’s")):
            words[-1] = words[-1][:-2]
        if len(words) < 2 or len(words) > 4:
            continue
        if any(w.lower() in NOT_NAMES for w in words):
            continue
        start, end = starts[0], starts[-1] + len(words[-1])
        before = text[max(0, start - 60) : start]
        if _EN_AFTER_NOT.match(text, end):
            continue
        given = words[0].split("-")[0].lower() in GIVEN_NAMES
        middle = any(w.lower() in GIVEN_NAMES for w in words[1:-1])
        form = _is_form_line(text, start, end)
        surname = _EN_SURNAME.search(words[-1].lower()) is not None
        if given or middle or surname or form or _STRONG_INTRO.search(before):
            rank = KEYED if given and _INTRO.search(before) else LIKELY
            yield Candidate(start, end, "name_full", text[start:end].lower(), rank)
