"""Who lives somewhere by a word for it: "калининградец", "иркутянка"."""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.extraction.constructions.engine import Piece
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.places import place_alias
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import lemma, parses

DEMONYM = r"[а-я]{3,}(?:чан(?:ин|ка)|[ая]н(?:ин|ка)|ец|ка|[ия]ч(?:ка)?|як|ячка)"
_SUFFIX = re.compile(r"(?:чан(?:ин|ка)|[ая]н(?:ин|ка)|ец|ка|[ия]ч(?:ка)?|як|ячка)$")
_ENDINGS = ("", "ск", "ь", "а", "и", "ы", "ов", "град")
_IRREGULAR = {
    "петербуржец": "Санкт-Петербург", "петербурженка": "Санкт-Петербург", "питерец": "Санкт-Петербург",
    "москвич": "Москва", "москвичка": "Москва", "уфимец": "Уфа", "уфимка": "Уфа", "ростовчанин": "Ростов-на-Дону",
    "ростовчанка": "Ростов-на-Дону", "нижегородец": "Нижний Новгород", "нижегородка": "Нижний Новгород",
    "пермяк": "Пермь", "пермячка": "Пермь", "туляк": "Тула", "тулячка": "Тула", "екатеринбуржец": "Екатеринбург",
    "екатеринбурженка": "Екатеринбург", "алматинец": "Алматы", "минчанин": "Минск", "минчанка": "Минск",
}  # fmt: skip
_COUNTRIES = frozenset(
    {"украина", "куба", "канада", "америка", "европа", "япония", "мексика", "африка", "сибирь"}
)
"""Not lived in as a town is: who calls herself by one tells of a nation."""


@lru_cache(maxsize=4096)
def home_of(word: str) -> str | None:
    """The town whose inhabitant a word names, or None: its stem with a town's ending must be a
    place that the dictionary knows."""
    low = word.lower().replace("ё", "е")
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    stem = _SUFFIX.sub("", low)
    if stem == low or len(stem) < 3:
        return None
    for ending in _ENDINGS:
        name = stem + ending
        best = parses(name)[0]
        if (
            best.is_known
            and "Geox" in best.tag
            and best.normal_form == name
            and name not in _COUNTRIES
        ):
            return place_alias(name) or name[:1].upper() + name[1:]
    return None


def demonym_ru(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The town of one who is called by it."""
    home = home_of(sentence.low[start:stop])
    if home is not None:
        yield home, start, stop


_HOME_STEMS = ("ск", "", "а", "ь", "и", "ы", "я", "ов", "во")


@lru_cache(maxsize=4096)
def home_by_adjective(word: str) -> str | None:
    """The town that an adjective is made of ("питерская" → Санкт-Петербург), or None."""
    base = lemma(word)
    for ending in ("инский", "енский", "овский", "ский", "цкий"):
        if not base.endswith(ending) or len(base) - len(ending) < 3:
            continue
        stem = base.removesuffix(ending)
        tails = ("ец", "ц", "ки") if ending == "цкий" else _HOME_STEMS
        for tail in (*tails, *(("ин", "ен", "ов")[:1] if ending == "ский" else ())):
            name = stem + tail
            best = parses(name)[0]
            if name == "питер" or (
                best.is_known and "Geox" in best.tag and best.normal_form == name
            ):
                return place_alias(name) or name[:1].upper() + name[1:]
    return None
