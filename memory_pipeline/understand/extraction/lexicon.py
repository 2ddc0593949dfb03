"""Word lists that rules share: occupations, tools, languages."""

import re
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, lemma, parses


@lru_cache(maxsize=8)
def _load(name: str) -> dict[str, Any]:
    text = files("memory_pipeline.understand").joinpath(f"data/{name}.yaml").read_text("utf-8")
    data: dict[str, Any] = yaml.safe_load(text)
    return data


@lru_cache(maxsize=1)
def _occupations() -> tuple[frozenset[str], frozenset[str]]:
    data = _load("occupations")
    return frozenset(fold(w) for w in data["ru"]), frozenset(data["en"])


def is_named_occupation(lemma_: str) -> bool:
    """Whether a Russian word in the nominative is a trade known by name, not by its shape."""
    return fold(lemma_) in _occupations()[0]


def is_occupation(word: str) -> bool:
    """Whether a word (Russian: in any form) is the head of a job title."""
    ru, en = _occupations()
    if is_russian(word):
        if any(p.normal_form.replace("ё", "е") in ru for p in parses(word)) or fold(word) in ru:
            return True
        if _shaped_like_job_ru(word):
            return True
        return "-" in word and any(is_occupation(part) for part in word.split("-") if part)
    low = fold(word)
    return low in en or low.removesuffix("s") in en or _JOB_SHAPE_EN.search(low) is not None


_JOB_SHAPE_RU = re.compile(
    r"(?:олог|хирург|терапевт|метрист|граф|вод|овед|иатр|щик|щица|льник|техник|дел|ист|истка|вар|ёвщик|евт)$"
)
_JOB_SHAPE_EN = Gated(
    r"(?:ologist|ician|smith|keeper|grapher|wright|ometrist|therapist|[a-z]opath|odontist|ienist|ynecologist|iatrist|onomer|ographer|ometer|maker|fighter|master|scaper|fitter|monger|layer|setter|worker|handler|planner|hand|wife|herd)$"
)
_NO_JOB_RU = frozenset(
    [
        "оптимист",
        "пессимист",
        "эгоист",
        "альтруист",
        "турист",
        "туристка",
        "перфекционист",
        "перфекционистка",
        "атеист",
        "атеистка",
        "реалист",
        "максималист",
        "минималист",
        "феминистка",
        "коммунист",
        "фашист",
        "расист",
        "нацист",
        "идеалист",
        "коммунистка",
        "буддист",
        "кальвинист",
        "велосипедист",
        "баптист",
        "фаталист",
        "нигилист",
        "аутист",
        "садист",
        "мазохист",
        "помощник",
        "спорщик",
        "болельщик",
        "заговорщик",
        "обманщик",
        "вещик",
        "ящик",
        "прапорщик",
        "помещик",
        "должник",
        "школьник",
        "дошкольник",
        "покойник",
        "народ",
        "завод",
        "повод",
        "приход",
        "вывод",
        "расход",
        "отвод",
        "отдел",
        "предел",
        "раздел",
        "товар",
        "повар",
        "самовар",
        "пожар",
        "школьник",
        "ровесник",
        "единомышленник",
        "начальник-самодур",
        "бездельник",
        "отличник",
        "двоечник",
    ]
)


def _shaped_like_job_ru(word: str) -> bool:
    """Whether a word is built as names of trades are ("нейрохирург", "крановщик")."""
    for parse in parses(word):
        if parse.tag.POS == "NOUN" and "anim" in parse.tag and "Name" not in parse.tag:
            form = parse.normal_form
            return _JOB_SHAPE_RU.search(form) is not None and form not in _NO_JOB_RU
    return False


@lru_cache(maxsize=1)
def _capital_tools() -> frozenset[str]:
    return frozenset(fold(str(name)) for name in _load("tools")["capital"])


def _is_named(word: str, text: str, start: int) -> bool:
    """Whether a word at `start` may be a tool's name: one of every sentence has to look like one."""
    return word not in _capital_tools() or (text[start].isupper() and text[:start].strip() != "")


@lru_cache(maxsize=1)
def _tools() -> tuple[dict[str, str], frozenset[str], "re.Pattern[str]"]:
    data = _load("tools")
    names = {fold(str(n)): str(n) for n in [*data["names"], *data["capital"]]}
    names.update({fold(k): v for k, v in data["spoken_ru"].items()})
    pattern = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    return names, frozenset(data["ambiguous"]), re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])")


def tool_words() -> frozenset[str]:
    """The words that tools are known by, in lower case."""
    return frozenset(_tools()[0])


@lru_cache(maxsize=65536)
def tool_name(word: str) -> str | None:
    """The way a known tool is written ("vim" → "Vim"), or None."""
    names = _tools()[0]
    low = fold(word)
    found = names.get(low)
    if found is None and is_russian(word):
        found = names.get(lemma(word))
        if found is None and len(low) > 5 and not parses(word)[0].is_known:
            # a foreign name declined as if it were Russian ("в прокриейте")
            found = next(
                (
                    names[s]
                    for e in _CASE_ENDINGS
                    if low.endswith(e) and (s := low[: -len(e)]) in names
                ),
                None,
            )
    return found


_CASE_ENDINGS = ("е", "у", "а", "ом", "ы")


def tools_in(text: str, low: str, start: int, end: int, strict: bool) -> list[tuple[str, int, int]]:
    """Known tools between two offsets. `strict` asks ambiguous words to have a capital letter."""
    names, ambiguous, pattern = _tools()
    out = []
    for found in pattern.finditer(low, start, end):
        word = text[found.start() : found.end()]
        if strict and found[0] in ambiguous and not word[0].isupper():
            continue
        if not _is_named(found[0], text, found.start()):
            continue
        out.append((names[found[0]], found.start(), found.end()))
    return out


@lru_cache(maxsize=1)
def tools_called_as_people() -> frozenset[str]:
    """Tools whose names people bear as well, in lower case."""
    return frozenset(_load("tools")["people"])


def known_tools(text: str, low: str, lang: str) -> list[tuple[str, int, int, bool]]:
    """The known tools of a sentence, in order: how each is written, its characters [start, end), and
    whether its word names other things too. Russian ones in any case."""
    names, ambiguous, pattern = _tools()
    found = {
        match.start(): (
            names[match[0]], match.start(), match.end(),
            match[0] in ambiguous and (not text[match.start()].isupper() or not match.start()),
        )
        for match in pattern.finditer(low)
        if _is_named(match[0], text, match.start())
    }  # fmt: skip
    if lang == "ru":
        for match in _CYRILLIC_WORD.finditer(low):
            if match.start() not in found and (name := tool_name(match[0])) is not None:
                is_ambiguous = lemma(match[0]) in ambiguous or match[0] in ambiguous
                found[match.start()] = (name, match.start(), match.end(), is_ambiguous)
    out: list[tuple[str, int, int, bool]] = []
    for start in sorted(found):
        if not out or start >= out[-1][2]:
            out.append(found[start])
    return out


_CYRILLIC_WORD = re.compile(r"(?<![\w-])[а-я][а-я-]+(?![\w-])")
POINTING_EN = frozenset(
    [
        "it",
        "that",
        "this",
        "them",
        "you",
        "him",
        "her",
        "everything",
        "nothing",
        "something",
        "anything",
        "me",
        "us",
        "what",
        "how",
        "when",
        "who",
    ]
)
"""English words that only point at something: no value of any slot."""
LANGUAGES_RU = {
    "английск": "английский", "немецк": "немецкий", "французск": "французский", "испанск": "испанский",
    "итальянск": "итальянский", "китайск": "китайский", "японск": "японский", "корейск": "корейский",
    "турецк": "турецкий", "польск": "польский", "чешск": "чешский", "сербск": "сербский",
    "грузинск": "грузинский", "армянск": "армянский", "татарск": "татарский", "казахск": "казахский",
    "украинск": "украинский", "белорусск": "белорусский", "португальск": "португальский",
    "арабск": "арабский", "финск": "финский", "шведск": "шведский", "норвежск": "норвежский",
    "греческ": "греческий", "фарси": "фарси", "иврит": "иврит", "хинди": "хинди", "русск": "русский",
    "башкирск": "башкирский", "узбекск": "узбекский", "голландск": "голландский", "датск": "датский",
    "венгерск": "венгерский", "румынск": "румынский", "болгарск": "болгарский", "вьетнамск": "вьетнамский",
    "латинск": "латинский", "эстонск": "эстонский", "латышск": "латышский", "литовск": "литовский",
    "жестов": "жестовый", "мокшанск": "мокшанский", "эрзянск": "эрзянский", "чувашск": "чувашский",
    "якутск": "якутский", "бурятск": "бурятский", "осетинск": "осетинский", "чеченск": "чеченский",
    "аварск": "аварский", "лезгинск": "лезгинский", "удмуртск": "удмуртский", "марийск": "марийский",
    "тувинск": "тувинский", "калмыцк": "калмыцкий", "ногайск": "ногайский", "кумыкск": "кумыкский",
    "кабардинск": "кабардинский", "адыгейск": "адыгейский", "абхазск": "абхазский", "карельск": "карельский",
    "ненецк": "ненецкий", "азербайджанск": "азербайджанский", "туркменск": "туркменский",
    "таджикск": "таджикский", "киргизск": "киргизский", "кыргызск": "киргизский", "монгольск": "монгольский",
    "албанск": "албанский", "македонск": "македонский", "словацк": "словацкий", "словенск": "словенский",
    "хорватск": "хорватский", "боснийск": "боснийский", "исландск": "исландский", "ирландск": "ирландский",
    "каталонск": "каталанский", "каталанск": "каталанский", "баскск": "баскский", "тайск": "тайский",
    "индонезийск": "индонезийский", "малайск": "малайский", "бенгальск": "бенгальский", "тамильск": "тамильский",
    "курдск": "курдский", "ассирийск": "ассирийский", "молдавск": "молдавский", "гагаузск": "гагаузский",
    "цыганск": "цыганский", "персидск": "персидский", "ингушск": "ингушский", "дагестанск": "дагестанский",
    "хакасск": "хакасский", "алтайск": "алтайский", "идиш": "идиш", "урду": "урду", "суахили": "суахили",
    "эсперанто": "эсперанто", "латын": "латынь", "африкаанс": "африкаанс", "пушту": "пушту", "дари": "дари",
    "италянск": "итальянский", "англиск": "английский",
}  # fmt: skip
LANGUAGES_EN = [
    "english",
    "french",
    "spanish",
    "german",
    "italian",
    "portuguese",
    "russian",
    "ukrainian",
    "polish",
    "czech",
    "slovak",
    "serbian",
    "croatian",
    "bulgarian",
    "romanian",
    "hungarian",
    "greek",
    "turkish",
    "arabic",
    "hebrew",
    "farsi",
    "persian",
    "hindi",
    "urdu",
    "bengali",
    "punjabi",
    "tamil",
    "telugu",
    "gujarati",
    "mandarin",
    "cantonese",
    "chinese",
    "japanese",
    "korean",
    "vietnamese",
    "thai",
    "tagalog",
    "malay",
    "indonesian",
    "dutch",
    "flemish",
    "swedish",
    "norwegian",
    "danish",
    "finnish",
    "estonian",
    "latvian",
    "lithuanian",
    "georgian",
    "armenian",
    "kazakh",
    "swahili",
    "yoruba",
    "igbo",
    "hausa",
    "amharic",
    "somali",
    "zulu",
    "afrikaans",
    "irish",
    "welsh",
    "gaelic",
    "catalan",
    "basque",
    "galician",
    "latin",
    "esperanto",
    "icelandic",
    "albanian",
    "macedonian",
    "slovenian",
    "mongolian",
    "nepali",
    "sinhala",
    "khmer",
    "burmese",
    "lao",
    "pashto",
    "kurdish",
    "uzbek",
    "asl",
    "bsl",
]
