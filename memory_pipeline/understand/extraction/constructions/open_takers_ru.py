"""Takers of Russian objects by what kind of noun they are, where no list of names can be."""

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_pipeline.understand.extraction.constructions.clauses_ru import is_period
from memory_pipeline.understand.extraction.constructions.demonyms import home_by_adjective
from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.constructions.takers import NO_THING, drug
from memory_pipeline.understand.extraction.constructions.takers_ru import (
    infinitive_ru,
    organisation,
    place_ru,
)
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.lexicon import (
    LANGUAGES_RU,
    is_occupation,
    tool_name,
    tool_words,
)
from memory_pipeline.understand.extraction.people import is_given_name, relative_kind
from memory_pipeline.understand.extraction.phrases import phrase_list, quoted_at, russian_phrase
from memory_pipeline.understand.extraction.places import is_known_place
from memory_pipeline.understand.extraction.rules.medicines import SURE_DRUG_RU
from memory_pipeline.understand.extraction.sentences import STEM, Sentence
from memory_pipeline.understand.morphology import is_russian, lemma, parses, reading

_EMPTY = frozenset(
    {
        "вещь", "штука", "человек", "люди", "мысль", "идея", "дело", "вопрос", "ответ", "вид", "счет", "толк", "друг",
        "все", "всё", "помощь", "совет", "ссылка", "внимание", "участие", "место", "решение", "смысл", "слово", "рука",
        "голова", "глаз", "душа", "нос", "сторона", "ситуация", "момент", "случай", "раз", "сила", "правда", "конец",
        "начало", "кто", "что", "там", "хвост", "удовольствие", "надежда", "шанс", "повод", "рот", "проблема",
    }
)  # fmt: skip
"""Nouns that name nothing which could be liked, owned or used."""


def thing(*cases: str, words: int = 3, limit: int = 3, never: str = "") -> Take:
    """An enumeration of things, each of which names something: no person, time or empty word,
    nor a word that begins with `never`."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, words, limit):
            first = sentence.text[a:b].split()[0]
            low = name.lower().replace("ё", "е")
            if is_russian(first) and not quoted_at(sentence.text, max(0, a - 1)):
                fits = any(
                    p.tag.case in cases and str(p.tag.POS) in ("NOUN", "ADJF", "PRTF", "UNKN")
                    for p in parses(first)[:4]
                )
                if not fits or parses(first)[0].tag.POS in ("NPRO", "VERB", "INFN", "PREP", "CONJ", "ADVB"):  # fmt: skip
                    return
            head = next(
                (lemma(w) for w in low.split() if reading(w, "NOUN")), lemma(low.split()[0])
            )
            if (head in _EMPTY and " " not in low) or low in NO_THING or is_period(head):
                return
            if head in _MINE or (never and any(w.startswith(never) for w in low.split())):
                return
            if relative_kind(head) or is_given_name(name.split()[0]):
                return
            yield name, a, b

    return take


_MINE = frozenset({"свой", "мой", "твой", "ваш", "наш", "этот", "тот", "такой", "какой", "другой"})
_BODY = re.compile(
    r"(?:завод|фабрик|комбинат|больниц|поликлиник|клиник|роддом|аптек|школ|гимназ|лице|садик|детск\w+ сад|колледж|университет|институт|академи|училищ|"
    r"банк|почт|библиотек|музе|театр|филармони|редакци|издательств|типографи|газет|телеканал|магазин|супермаркет|гипермаркет|рынк|рынок|склад|"
    r"кафе|ресторан|столов|пекарн|кондитерск|кофейн|бар\b|отел|гостиниц|санатори|турбаз|турфирм|агентств|фирм|компани|контор|бюро|предприяти|"
    r"холдинг|корпораци|стартап|студи|ателье|мастерск|автосервис|шиномонтаж|автомойк|салон|парикмахерск|депо|вокзал|аэропорт|порт\b|порту\b|верф|"
    r"шахт|рудник|карьер\b|электростанци|подстанци|котельн|лесхоз|лесничеств|колхоз|совхоз|ферм|птицефабрик|теплиц|заповедник|зоопарк|цирк|"
    r"полици|прокуратур|суд\b|суде\b|таможн|налогов|администраци|мэри|министерств|департамент|управлени|соцзащит|пенсионн\w+ фонд|мфц|мчс|гаи|гибдд|росгварди|"
    r"лаборатори|\bнии\b|обсерватори|заповедник|приют|хоспис|ветклиник|стоматологи|травмпункт|скор\w+ помощ|молокозавод|хлебозавод|консалтинг|"
    r"интернат|музыкалк|спортшкол|автошкол|ясл|бассейн|фитнес|спортзал|страхов|ломбард|микрофинанс|нотариальн|адвокатск|охранн|чоп\b|жэк|жкх|тсж|водоканал)"
)
_SHELTER = re.compile(r"офис|дом\b|дома\b|отпуск|команд")


def workplace(*cases: str) -> Take:
    """Where one works: a firm's name, or an institution that its words tell from others of its kind."""
    named = organisation(*cases)

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        text = sentence.text[:stop]
        lead = re.compile(r"(?:(?:отдел\w*|бухгалтери\w|штат\w*|команд\w|филиал\w*|сет[иь]|структур\w|столов\w+|аппарат\w*|охран\w|администраци\w|колл-центр\w*|цех\w*)\s+(?=[«\"A-ZА-ЯЁ]))").match(text, start)  # fmt: skip
        begin = lead.end() if lead else start
        inner = organisation(*cases, "gent", "accs") if lead else named
        own = list(inner(sentence, scene, begin, stop))
        if own and not is_known_place(str(own[0][0])):
            yield from own
            return
        found = russian_phrase(text, start, cases, 4, frozenset())
        if found is None or not _BODY.search(found[0].lower()) or _SHELTER.search(found[0].lower()):
            return
        is_one_of_many = " " not in found[0] and not found[0][:1].isupper()
        mark = re.compile(r"\s+(?P<name>№\s?\d+|«[^»]{2,30}»|\"[^\"]{2,30}\")").match(
            text, found[2]
        )
        if (mark and mark["name"][0] in '«"') or mark:
            yield f"{found[0]} {mark['name']}", found[1], mark.end()
        elif not is_one_of_many:
            yield found

    return take


def program(*cases: str, known: bool = False, foreign: bool = False) -> Take:
    """Software or an instrument: a known one, or whatever is named in foreign letters or with a
    capital where such a name must stand; only the former where `known` says
    so, and no unknown Russian one where `foreign` does."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        at = start
        while True:
            found = re.compile(r"[«\"]?(?P<name>[A-Z][\w+#.-]*\w|[А-ЯЁ][\w-]*\w|1[СсCc]|[а-яё-]{3,}|[a-z][a-z0-9+#-]{2,})(?P<more>(?:\s[A-Z][\w+#]*){0,2})[»\"]?").match(sentence.text, at, stop)  # fmt: skip
            if found is None:
                return
            name = found["name"]
            called = tool_name(name + found["more"]) or tool_name(name)
            if called is None:
                if (
                    known
                    or (foreign and is_russian(name))
                    or not (name[0].isupper() or name.isascii())
                    or not _is_name_of_thing(name, cases)
                ):
                    return
                called = (_nominative_name(name, cases) if is_russian(name) else name) + found[
                    "more"
                ]
            yield called, found.start("name"), found.end()
            joint = re.compile(r"\s*(?:,|\+|/|&)\s*(?:и\s+)?|\s+и\s+").match(
                sentence.text, found.end()
            )
            if joint is None:
                return
            at = joint.end()

    return take


@lru_cache(maxsize=1)
def _tool_stems() -> frozenset[str]:
    return frozenset(name[:STEM] for name in tool_words() if not name.isascii()) | _DEVICE_STEMS


def names_a_tool(sentence: Sentence) -> bool:
    """Whether a sentence has a word that a tool may be called by: a foreign one, one with a
    capital within, or one that tools are spoken of by."""
    return (
        not _tool_stems().isdisjoint(sentence.stems) or _FOREIGN.search(sentence.text) is not None
    )


def names_a_language(sentence: Sentence) -> bool:
    """Whether a sentence has the beginning of a language's name."""
    return not _LANGUAGE_STEMS.isdisjoint(sentence.stems)


_FOREIGN = re.compile(r"[A-Za-z]|1[СCсc]\b|\s[«\"]?[А-ЯЁ]")
_LANGUAGE_STEMS = frozenset(stem[:STEM] for stem in LANGUAGES_RU)
_DEVICE_STEMS = frozenset(
    {"маши", "стан", "овер", "каме", "зерк", "плот", "прин", "фото", "синт", "лобз", "паял"}
)
_DEVICE = re.compile(
    r"машинк|станк|станок|оверлок|камер|зеркалк|плоттер|принтер|фотоаппарат|синтезатор|пяльц|спиц|лобзик|паяльник"
)


def device(*cases: str) -> Take:
    """A machine that one works on, with its make, or software."""
    named = program(*cases)

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        found = re.compile(r"(?P<kind>[а-яё]+)(?P<make>(?:\s[A-ZА-ЯЁ][\w-]*){0,2})").match(sentence.text, start, stop)  # fmt: skip
        if found and _DEVICE.match(found["kind"].lower()):
            noun = reading(found["kind"], "NOUN", cases=cases)
            form = noun.inflect({"nomn"}) if noun is not None else None
            kind = form.word if form is not None else found["kind"]
            yield kind + found["make"], found.start(), found.end()
        else:
            yield from named(sentence, scene, start, stop)

    return take


def _nominative_name(name: str, cases: tuple[str, ...]) -> str:
    parse = reading(name, "NOUN", cases=cases)
    form = parse.inflect({"nomn"}) if parse is not None else None
    return name if form is None else form.word[:1].upper() + form.word[1:]


def _is_name_of_thing(name: str, cases: tuple[str, ...]) -> bool:
    if not is_russian(name):
        return not (is_known_place(name) or is_given_name(name))
    parse = reading(name, "NOUN", cases=cases)
    return parse is not None and not (
        {"Geox", "Name", "Surn", "Patr", "Orgn"} & parse.tag.grammemes or "anim" in parse.tag
    )


def clause_said(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The clause in which the words stand, as it is said."""
    clause = sentence.clause_at(start)
    value = re.sub(r"^(?:и|а|но|еще|также|важно|главное)\s+", "", sentence.text[clause.start : clause.end].strip(" ,;:—–-.!"))  # fmt: skip
    if 2 <= len(value.split()) <= 16:
        yield value, clause.start, clause.end


_NO_MEDICINE = re.compile(
    r"кроссфит|йог|массаж|душ|ванн|капельниц|английск|курс|покой|воздух|мат\b|слез"
)


def medicine(*cases: str) -> Take:
    """What is taken, where the words before say that it is a medicine."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, 2, 4):
            low = name.lower()
            if _NO_MEDICINE.search(low) or is_period(low.split()[0]) or low in NO_THING:
                return
            yield low, a, b

    return take


def trade_people(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A trade by the plural of those who follow it ("в риелторы"), or by one of them."""
    found = re.compile(r"[а-яё-]+").match(sentence.low, start, stop)
    if found is None:
        return
    for parse in parses(found[0])[:4]:
        one = parse.inflect({"nomn", "sing"}) if parse.tag.POS == "NOUN" and "anim" in parse.tag else None  # fmt: skip
        if one is not None and is_occupation(str(one.word)):
            yield str(one.word), found.start(), found.end()
            return


_WAY = frozenset({"ехать", "поехать", "лететь", "полететь", "съездить", "идти", "пойти", "быть", "жить", "приехать", "вернуться", "вернусь", "переехать", "переезжать", "ждать", "думать", "знать", "мочь", "хотеть", "надеяться", "бывать", "видеть", "любить"})  # fmt: skip
_HELPING = frozenset(
    {"начинать", "начать", "хотеть", "планировать", "собираться", "быть", "решить"}
)


def intention(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """What one says one will do, by the verb's infinitive ("уйду на пенсию" → "уйти на пенсию")."""
    words = re.split(r"\s+(?:и|а|но|потому|чтобы|если|когда)\b", sentence.low[start:stop])[
        0
    ].split()
    if not 2 <= len(words) <= 8:
        return
    verb = next(
        (p for p in parses(words[0]) if p.tag.POS == "VERB" and p.tag.person == "1per"), None
    )
    if verb is None:
        return
    base = str(verb.normal_form)
    if base in _HELPING and reading(words[1], "INFN") is not None:
        yield from infinitive_ru(sentence, scene, start + len(words[0]) + 1, stop)
    elif verb.tag.tense == "futr" and base not in _WAY | _HELPING:
        yield " ".join([base, *words[1:]]), start, start + len(" ".join(words))


_STATIVE = re.compile(
    r"(?:жить|быть|оказаться|очутиться|поехать|съездить|увидеть|спать|выспаться|отдохнуть)\b"
)


def deed(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """What one may set oneself to do: an infinitive, not one of a state that is dreamt of."""
    for value, a, b in infinitive_ru(sentence, scene, start, stop):
        if not _STATIVE.match(str(value).lower()):
            yield value, a, b


def thing_must(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The clause that says what a thing, not a person, has to do."""
    clause = sentence.clause_at(start)
    words = re.findall(r"[а-яё-]+", sentence.low[clause.start : stop])
    nouns = [p for w in words if (p := parses(w)[0]).tag.POS == "NOUN" and p.tag.case == "nomn"]
    if nouns and all("inan" in p.tag for p in nouns):
        yield from clause_said(sentence, scene, start, stop)


def home(*cases: str, geo: bool = False) -> Take:
    """A place that is no street: no house number follows."""
    inner = place_ru(*cases, geo=geo)

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            if not re.match(r",?\s*(?:д\.?|дом)?\s*\d", sentence.low[b:]):
                yield value, a, b
            return
        branch = _BRANCH.match(sentence.low, start, stop)
        town = home_by_adjective(branch["town"]) if branch else None
        if branch and town:
            yield town, branch.start(), branch.end()

    return take


def _is_thing(word: str) -> bool:
    """Whether a word is an object: a noun in the accusative, no time."""
    return not is_period(word) and reading(word, "NOUN", "inan", cases=("accs",)) is not None


def toward(inner: Take) -> Take:
    """What `inner` takes with where it leads ("поход на Алтай", "переезд в Тверь")."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in inner(sentence, scene, start, stop):
            way = _WAY_TO.match(sentence.low, b, stop)
            goal = russian_phrase(sentence.text[:stop], way.end(), ("accs", "loct", "datv"), 2, frozenset()) if way else None  # fmt: skip
            if (
                way is None
                or goal is None
                or is_period(sentence.text[goal[1] : goal[2]].split()[0])
            ):
                yield value, a, b
            else:
                yield f"{value}{sentence.text[b : goal[2]]}", a, goal[2]

    return take


_WAY_TO = re.compile(r"\s+(?:в|во|на|по|к|ко|вокруг|через)\s+(?=[а-я])")


def journey(*cases: str) -> Take:
    """A journey by the place that it goes to ("в Карелию" → "поездка в Карелию")."""
    inner = place_ru(*cases, geo=True)

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        before = sentence.low[:start].split()
        if len(before) > 1 and _is_thing(before[-2]):
            return  # that thing is planned, not the way to it
        for _, a, b in inner(sentence, scene, start, stop):
            yield f"поездка {sentence.low[:start].split()[-1]} {sentence.text[a:b]}", a, b

    return take


_BRANCH = re.compile(
    r"(?P<town>[а-я-]+(?:[сц]к(?:ий|ом|ого|ую|ой|ая|ое)))\s+(?:офис|филиал|отделени|представительств|кампус|штаб|площадк|подразделени|контор)[а-я]*"
)
"""The town of an office by its adjective ("в казанский офис")."""
_SYRUP = re.compile(
    r"(?:сироп\w*|капл\w+|таблетк\w+|порошк\w+|витамин\w*|мазь\w*|спрей\w*|микстур\w*)(?:\s+(?:от|для)\s+[а-яё]+)?"
)


def syrup(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A medicine by its form and what it is against ("сироп от кашля")."""
    found = _SYRUP.match(sentence.low, start, stop)
    if found is not None and " " in found[0]:
        yield found[0], found.start(), found.end()


def sure_drug(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A medicine by a name that only medicines have, or that no dictionary knows."""
    for value, a, b in drug(sentence, scene, start, stop):
        word = str(value).split()[0]
        if SURE_DRUG_RU.search(str(value)) or not (is_russian(word) and parses(word)[0].is_known):
            yield value, a, b


_SCHOOL = re.compile(
    r"вуз|универ|институт|академи|колледж|техникум|училищ|путяг|школ|факультет|фак\b|магистратур|аспирантур|бакалавриат|ординатур|"
    r"политех|консерватор|лице|гимнази|курс|семинари|программ|отделени|корпус|мореходк|бауманк|мехмат|физтех|журфак|[а-я]+фак\b|заочк|вечерк|шараг|"
    r"гнесинк|щук|щепк|плешк|вышк"
)
_NO_SCHOOL = re.compile(r"курс (?:лечени|терап|доллар|евро|валют|таблет|укол|антиб)|школ\w+ жизни")


def school(*cases: str, named: bool = True) -> Take:
    """A school, faculty or course: a noun of that kind, or, where `named` lets it, a proper name
    that is no town's."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        for name, a, b in phrase_list(sentence.text[:stop], start, "ru", cases, 4, 1):
            first = sentence.text[a:b].split()[0]
            low = name.lower().replace("ё", "е")
            if _NO_SCHOOL.search(low) or is_period(first):
                return
            town = is_known_place(name) or (reading(first, "Geox", cases=cases) is not None and " " not in name)  # fmt: skip
            is_name = first[0].isupper() and not town and not is_given_name(first)
            if _SCHOOL.search(low) or (named and is_name and a > 0):
                yield name, a, b

    return take


def trade(*cases: str) -> Take:
    """What one trains for: a noun of a person or a field of study."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        found = russian_phrase(sentence.text[:stop], start, cases, 3, frozenset({"по"}))
        if found is None:
            return
        words = sentence.text[found[1] : found[2]].split()
        noun = next((r for w in words if (r := reading(w, "NOUN", cases=cases)) is not None), None)
        if noun is None or is_period(words[0]) or "курс" in noun.normal_form:
            return
        if "anim" in noun.tag or re.search(
            r"(?:ия|ика|ство|ние|фак|право|дело)$", noun.normal_form
        ):
            yield found

    return take
