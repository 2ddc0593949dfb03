"""Ways of writing that hide a word or a number from a pattern and not from an eye: characters of no
width, letters of the other script that look the same, full-width forms, unusual spaces and hyphens.
"""

import re

_NO_WIDTH = "\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
_INVISIBLE = re.compile(f"[{_NO_WIDTH}]")
_ODD = "\u2000-\u200a\u202f\u205f\u3000\u2010-\u2012\uff01-\uff5e"
_VEILED = re.compile(f"[{_NO_WIDTH}{_ODD}]|[a-zA-Z][\u0400-\u045f]|[\u0400-\u045f][a-zA-Z]")
_FORMS = (
    dict.fromkeys((*range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
    | dict.fromkeys(range(0x2010, 0x2013), "-")
    | {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
)
_WORD = re.compile(r"[A-Za-z\u0400-\u045f]+")
_TO_CYRILLIC = str.maketrans(
    "ABCEHKMOPTXYaceopxykmtnu", "АВСЕНКМОРТХУасеорхукмтпи"
)  # fmt: skip
_TO_LATIN = str.maketrans(
    "АВСЕНКМОРТХУЅІЈасеорхуѕіјкмт", "ABCEHKMOPTXYSIJaceopxysijkmt"
)  # fmt: skip
_CYRILLIC_LETTER = re.compile("[\u0400-\u045f]")
_LATIN_LETTER = re.compile("[A-Za-z]")


class Unveiled:
    """A text as it looks: `shown` without characters of no width, `plain` with each mixed word in
    one script besides; both have the same length. Nothing is copied where nothing is veiled."""

    def __init__(self, text: str) -> None:
        self.shown = self.plain = text
        self._at: list[int] | None = None
        if text.isascii() or _VEILED.search(text) is None:
            return
        if _INVISIBLE.search(text) is not None:
            self._at = [i for i, char in enumerate(text) if _INVISIBLE.match(char) is None]
            self.shown = "".join(text[i] for i in self._at)
        self.plain = _WORD.sub(_in_one_script, self.shown.translate(_FORMS))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where [start, end) of the shown text stands in the text as written."""
        if self._at is None:
            return start, end
        return self._at[start], self._at[end - 1] + 1


def _in_one_script(match: re.Match[str]) -> str:
    """A word of both scripts in the one whose letters it has that the other lacks."""
    word = match.group()
    if _LATIN_LETTER.search(word) is None or _CYRILLIC_LETTER.search(word) is None:
        return word
    latin, cyrillic = word.translate(_TO_LATIN), word.translate(_TO_CYRILLIC)
    if _CYRILLIC_LETTER.search(latin) is None:
        return latin
    return cyrillic if _LATIN_LETTER.search(cyrillic) is None else word
