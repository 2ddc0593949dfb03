"""Numbers of insured persons besides the SNILS: American, Canadian, British, and the Russian policy
of medical insurance. All are of one type, `snils`, as each is its country's number of that kind.
"""

import re
from collections.abc import Iterator

from stdnum import luhn

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, LIKELY, Candidate

_SOCIAL_WORDS = re.compile(
    r"(?<!\w)(?:ssns?|itin|tin|sin|s\.s\.n\.?|social security|social insurance|social(?= (?:number|no|#))|"
    r"taxpayer identification|сс[нн]|номер\w* соци?альн\w+ страховани\w+|соци?альн\w+ страховани\w+|соцстрах\w*)(?!\w)",
    re.I,
)
_NINE = re.compile(r"(?<![\w.,\-/])\d{3}(?P<sep>[ \-.]?)\d{2}(?P=sep)\d{4}(?![\w\-/]|[.,]\d)")
_THREES = re.compile(r"(?<![\w.,\-/])\d{3}(?P<sep>[ \-]?)\d{3}(?P=sep)\d{3}(?![\w\-/]|[.,]\d)")
_CANADIAN = re.compile(r"(?<!\w)(?:SIN|[Ss]ocial [Ii]nsurance)(?!\w)")
_SOCIAL_FAR = 48
_NO_NUMBER_OF_ONE = re.compile(
    r"(?:заказ\w*|трек\w*|order|tracking|ticket|тикет|артикул|part|invoice|case|sku|№|isbn|call|phone|cell|"
    r"mobile|tel|dial|fax|тел\w*|звон\w*|позвон\w*|набер\w*|факс)\W{0,3}$",
    re.I,
)
_BRITISH = re.compile(
    r"(?<!\w)(?:national insurance|nino|ni (?:number|no\.?|#))(?!\w)[^\d\n.!?]{0,30}?"
    r"(?<!\w)(?P<value>[A-Za-z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-Da-d])(?!\w)",
    re.I,
)
_POLICY_WORDS = re.compile(
    r"(?<!\w)(?:омс|енп|oms|полис\w*|мед(?:ицинск\w+ )?полис\w*|медицинск\w+ страхов\w+|медстрах\w*|health insurance)(?!\w)",
    re.I,
)
_POLICY = re.compile(r"(?<![\w.,\-])\d{4}(?P<sep>[ \-]?)\d{4}(?P=sep)\d{4}(?P=sep)\d{4}(?![\w\-]|[.,]\d)")  # fmt: skip
_POLICY_FAR = 60


def find_social_numbers(text: str) -> Iterator[Candidate]:
    """American numbers (3 + 2 + 4) and Canadian ones (with a Luhn sum) beside their words; British
    ones after theirs. Dashes alone tell an American one of a possible area, group and serial."""
    for match in _NINE.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if _is_near(_SOCIAL_WORDS, text, match, _SOCIAL_FAR):
            yield Candidate(*match.span(), "snils", digits, CHECKED)
        elif match.group("sep") == "-" and _can_be_american(digits):
            before = text[max(0, match.start() - 24) : match.start()]
            if _NO_NUMBER_OF_ONE.search(before) is None:
                yield Candidate(*match.span(), "snils", digits, LIKELY)
    for match in _THREES.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if luhn.is_valid(digits) and _is_near(_CANADIAN, text, match, _SOCIAL_FAR):
            yield Candidate(*match.span(), "snils", digits, CHECKED)
    for match in _BRITISH.finditer(text):
        number = match.group("value").replace(" ", "").upper()
        yield Candidate(*match.span("value"), "snils", number, KEYED)


def _can_be_american(digits: str) -> bool:
    """Areas 000, 666 and from 900, group 00 and serial 0000 are not given to anybody."""
    area = digits[:3]
    return area not in ("000", "666") and area < "900" and digits[3:5] != "00" and digits[5:] != "0000"  # fmt: skip


def find_health_policies(text: str) -> Iterator[Candidate]:
    """Policies of Russian medical insurance: 16 digits beside their word.

    The last is the check digit of HL7's modulus 10: the digits in odd places from the right, read
    as one number and doubled, the others before it, the sum of all digits up to a multiple of ten.
    Carrying in the doubling takes off nine as Luhn's rule does, so the two are one."""
    for match in _POLICY.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if luhn.is_valid(digits) and _is_near(_POLICY_WORDS, text, match, _POLICY_FAR):
            yield Candidate(*match.span(), "snils", digits, CHECKED)


def _is_near(words: re.Pattern[str], text: str, match: re.Match[str], far: int) -> bool:
    """Whether a word stands in the same sentence shortly before a number, or right after it."""
    before = re.split(r"[.!?;]\s|\n\n", text[max(0, match.start() - far) : match.start()])[-1]
    after = text[match.end() : match.end() + 28]
    return words.search(before) is not None or (
        re.match(r"\W{1,3}(?:is|was|are|это|мой|—|–|-|\()", after) is not None
        and words.search(re.split(r"[.!?;]\s|\n", after)[0]) is not None
    )
