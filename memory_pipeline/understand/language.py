"""Which of the two languages a text is written in."""

import re

_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)


def detect_language(text: str, default: str = "en") -> str:
    """`ru` or `en` by the letters; `default` where there are none.

    Russian chat is full of Latin names ("пишу в vim"), so a third of Cyrillic letters decides.
    """
    n_cyrillic = len(_CYRILLIC.findall(text))
    n_latin = len(_LATIN.findall(text))
    if not n_cyrillic and not n_latin:
        return default
    return "ru" if n_cyrillic * 2 >= n_latin else "en"
