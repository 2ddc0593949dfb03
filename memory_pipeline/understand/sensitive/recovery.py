"""What opens an account when its password is lost: seed phrases and lists of recovery codes."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import CHECKED, KEYED, Candidate

_SEED_CUE = re.compile(
    r"(?<!\w)(?:(?:seed|recovery|mnemonic|backup|wallet|secret|bip-?39)[ \-]?(?:recovery |backup )?(?:phrase|words|mnemonic)|seed|mnemonic|"
    r"(?:сид|seed)[ \-]?фраз\w|мнемоник\w|мнемоническ\w+ фраз\w|(?:секретн|резервн)\w+ фраз\w|фраз\w (?:для )?восстановлени\w|сид)(?!\w)",
    re.I,
)
_SEED_FAR = 60
_LEAST_SEED = 12
# a listed word may carry its number
_SEED = re.compile(
    r"(?<![\w'’])(?:1[.):] ?)?(?P<value>[A-Za-z]{3,8}(?:(?:,? |,?\s{1,3}|,)(?:\d{1,2}[.):]? ?)?[A-Za-z]{3,8}){11,35})(?![\w'’])"
)
# words that a sentence has and the word list of BIP-39 has not
_NO_SEED = frozenset(
    ["the", "and", "for", "are", "was", "not", "but", "has", "had", "have", "from", "with", "your", "their", "them",
     "should", "would", "could", "because", "which", "these", "those", "been", "were", "its", "our", "his", "her"]
)  # fmt: skip

_CODES_CUE = re.compile(
    r"(?<!\w)(?:(?:2fa|mfa|two[ \-]factor|totp|google|github|discord|one[ \-]time)? ?(?:backup|recovery|scratch|emergency|rescue|2fa|mfa)[ \-](?:codes?|keys?)|"
    r"(?:резервн|запасн|аварийн|одноразов)\w+ (?:код|ключ)\w*|код\w* (?:восстановлени\w+|2fa|двухфакторк\w+))(?!\w)",
    re.I,
)
_CODES_FAR = 50
_CODE = r"(?:(?=[\w\-]*\d)[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12}){0,7}|[A-Za-z0-9]{4,6}-[A-Za-z0-9]{4,6})"
_GROUPED = r"\d{4} \d{4}"
_CODES = re.compile(
    rf"(?<![\w\-/.])(?:{_GROUPED}|{_CODE})(?:[\s,;]{{1,3}}(?:(?:and|и|[\-•*]|\d{{1,2}}[.)])\s+)?(?:{_GROUPED}|{_CODE})(?![\w\-]|[.:/]\w))*(?![\w\-]|[.:/]\w)"
)
_ONE_CODE = re.compile(rf"(?<![\w\-])(?:{_GROUPED}|{_CODE})(?![\w\-]|[.)]\s)")


def find_seed_phrases(text: str) -> Iterator[Candidate]:
    """12 to 24 words after the phrase's name, numbered or not, on one line or on many."""
    for cue in _SEED_CUE.finditer(text):
        match = _SEED.search(text, cue.end(), cue.end() + 600)
        if match is None or match.start() - cue.end() > _SEED_FAR:
            continue
        run = _run(match)
        if run is not None:
            yield Candidate(*run, "password", text[slice(*run)], CHECKED)


def _run(match: re.Match[str]) -> tuple[int, int] | None:
    """The first twelve or more words of a match among which none is of a sentence."""
    run: list[re.Match[str]] = []
    for word in [*re.finditer(r"[A-Za-z]+", match.group()), None]:
        if word is not None and word.group().lower() not in _NO_SEED:
            run.append(word)
        elif len(run) >= _LEAST_SEED:
            return match.start() + run[0].start(), match.start() + run[-1].end()
        else:
            run = []
    return None


def find_recovery_codes(text: str) -> Iterator[Candidate]:
    """Each code of a list after the words for it."""
    for cue in _CODES_CUE.finditer(text):
        window = text[cue.end() : cue.end() + 600]
        match = _CODES.search(window)
        if match is None or match.start() > _CODES_FAR:
            continue
        if re.search(r"(?<!\d)[.!?]\s", window[: match.start()]):
            continue
        listed = re.search(r"[:—–=]\s*$|\n", window[: match.start()]) is not None
        found = list(_ONE_CODE.finditer(match.group()))
        for code in found:
            if any(map(str.isdigit, code.group())) or (listed and len(found) > 1):
                start = cue.end() + match.start() + code.start()
                yield Candidate(start, start + len(code.group()), "password", code.group(), KEYED)
