"""Russian rules for `employer` and `job_title`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import (
    is_occupation,
    tool_name,
)
from memory_pipeline.understand.extraction.phrases import (
    quoted_at,
    russian_phrase,
)
from memory_pipeline.understand.extraction.places import russian_place
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, like, nominative, parses, reading
from memory_pipeline.understand.word_blocks import words

_FIRM_WORD = re.compile(
    r"(?:атом|нефт|газ|банк|маш|строй|снаб|телеком|транс|энерго|софт|тех|пром|хим|агро|медиа|маркет|трейд|логистик|инвест|холдинг|груп|лаб)[а-яь]{0,2}$"
)
"""How firms are compounded ("Росатом", "Стройснаб"), which the dictionary may take for towns."""
_GAP = r"(?:\s+(?!(?:в|во|на|у|не|из)\s)[\w-]+){0,3}?"
RU_WORK = Gated(
    rf"\b(?:(?P<first>работаю|тружусь|служу|работаем|подрабатываю|сижу|вкалываю|пашу|впахиваю|батрачу|стажируюсь|числюсь|преподаю|дежурю)|(?P<third>работает|трудится|служит|подрабатывает|вкалывает|пашет|стажируется|преподает)|(?P<second>работаете|работаешь))(?P<gap>{_GAP})\s+(?:в|во|на|у)\s+"
)
RU_JOIN = Gated(
    r"\b(?:(?P<open>устроил(?:ся|ась)|вышел|вышла|перешел|перешла|попал[аи]?|принял[аи]? оффер|подписал[аи]? оффер|получил[аи]? оффер|нашел работу|нашла работу|пошел работать|пошла работать|начал[аи]? работать|взяли|приняли|берут|позвали|наняли)"
    r"|(?P<first>устраиваюсь|перехожу|выхожу|иду работать|ухожу)|(?P<third>устраивается|переходит|выходит))"
    r"(?P<gap>(?:\s+(?!(?:в|во|на|у|не|из)\s)[\w.-]+){0,5}?)\s+(?:на работу\s+)?(?:в|во)\s+"
)
RU_LEAVE = Gated(
    r"\b(?:уволил(?:ся|ась|и)|ушел|ушла|увольняюсь|ухожу|увольняется|уходит|сократили|уволили|уволен[аы]?|выгнали|попросили)(?P<gap>(?:\s+(?!(?:из|с|от)\s)[\w.-]+){0,4}?)(?P<from>\s+(?:из|с|от)\s+)?"
)
_LEFT_FIRM = Gated(
    r"\b(?:из|с|со)\s+(?P<firm>[^,.!?:;]{2,40}?)\s+(?:(?:я|мы|он|она|меня|нас|его|ее|вчера|сегодня|недавно|наконец|уже|давно|сам|сама|все-таки|на днях|(?:в|с)\s+[а-я]+)\s+){0,4}?"
    r"(?P<verb>уволил(?:ся|ась|ись|и)|увольняюсь|увольняется|ушел|ушла|ушли|ухожу|уходим|сократили|уволили|выгнали|попросили)(?![\w-])"
)
"""A firm told before the word for leaving it ("из «Альфы» я уволился")."""
_FOR_A_WHILE = re.compile(
    r"\s+(?:домой|рано|пораньше|раньше|поздно|последн\w+|пешком|обедать|гулять|спать|на\s+(?:обед|перерыв|перекур|прогулку|минут\w+|час))\b"
)
_NEXT_WORD = re.compile(r"\s+([а-я-]+)")


def _left_by_another(low: str, found: re.Match[str]) -> bool:
    """Whether nobody leaves a job: it is for a while, or something or all others that leave ("из
    «Альфы» ушли все программисты")."""
    verb = found["verb"]
    if verb.startswith(("увол", "сократ", "выгнали", "попросили")):
        return False
    if _FOR_A_WHILE.match(low, found.end()):
        return True
    said = low[found.end("firm") : found.start("verb")]
    if re.search(r"\b(?:я|мы)\b", said):
        return False
    behind = _NEXT_WORD.match(low, found.end())
    word = parses(behind[1])[0].tag if behind else None
    is_subject = word is not None and word.case == "nomn" and "Name" not in word
    return verb == "ушли" or is_subject


RU_LEFT = Gated(
    r"\b(?:уволил(?:ся|ась)|увольняюсь|увольняется|меня (?:вчера |сегодня |на днях )?(?:сократили|уволили)|сократили меня|уволили меня)\b"
)
RU_NOT_IN = Gated(r"\b(?:уже|больше) не (?:работаю |работает )?(?:в|во|на)\s+")
RU_AM = Gated(
    r"(?<![\w-])(?:(?P<first>я|мы|по профессии|по специальности|сам|сама)|(?P<third>он|она)|(?P<name>[\w-]+))\s*(?:[-—–]\s*|\s)(?:(?:теперь|сейчас|уже|пока|еще|тоже|все еще|я|по профессии|по специальности|вообще|у нас|у меня|сам|сама|просто|как был|как была|с\s+\d{1,2}(?:-го)?(?:\s+[а-я]+)?|с\s+(?:понедельника|завтрашнего дня|сегодняшнего дня|\w+я)|[-—–])\s+){0,3}"
)
RU_AS = Gated(
    r"\b(?:(?P<first>работаю|тружусь|подрабатываю|служу)|(?P<third>работает|трудится|подрабатывает)|(?P<change>стал[аи]?|сделали|назначили|поставили|взяли|устроил(?:ся|ась)|перешел|перешла|вышел|вышла|выхожу|выходит))\s+(?:(?:теперь|сейчас|меня|его|ее|у нас|удаленно|там|давно|уже|тоже|уже давно|на должность)\s+){0,2}"
)
RU_LAST_DAY = Gated(r"\bпоследни[йе]\s+(?:рабочий\s+)?(?:день|дни|неделя|смена)\s+(?:в|во|на)\s+")
RU_IN = Gated(r"(?:^|\s)(?:в|во|на)\s+(?=[«\"]?\w)")
RU_NO_MORE = re.compile(
    r"[»\"”]?\s+(?:я\s+)?(?:больше|уже)(?:\s+я)?\s+не\s+(?:работаю|работает|тружусь)"
)
RU_OFFER = Gated(r"\bоффер\w*\s+(?:от|из)\s+")
RU_BEFORE = Gated(
    r"(?P<job>[\w-]+(?:\s[\w-]+)?)\s+(?:(?P<first>работаю|тружусь|подрабатываю|служу)|(?P<third>работает|трудится|подрабатывает))\b"
)
RU_AFTER = Gated(r"(?:^|[,.!]\s*)(?P<job>[а-яё-]+(?:\s[а-яё-]+)?)\s+я(?=[,.!]|$)")
RU_AT_NOW = Gated(
    r"\b(?:теперь|сейчас|уже)\s+(?:я\s+)?(?:в|во)\s+|(?:^|\s)я\s+(?:теперь|сейчас|уже)\s+(?:в|во)\s+(?=[«\"])"
)
RU_JOBLESS = Gated(
    r"\b(?:я\s+)?(?:теперь\s+|официально\s+)?(?:безработн(?:ый|ая)|без работы)\b|\bзаявление(?: об увольнении)? написал[аи]?\b|\bнаписал[аи]? заявление\b"
)
RU_NOT_THERE = Gated(
    r"\bне\s+там\b(?!\s+где)|\bтам\s+(?:я\s+)?(?:уже|больше)\s+не\s+(?:работаю|числюсь|тружусь)|\bоттуда\s+(?:я\s+)?(?:ушел|ушла|уволил(?:ся|ась)|свалил[аи]?)\b"
)
RU_I_AM_NOT = Gated(
    r"\b(?:в|на)\s+(?P<o>[«\"][^»\"]{2,30}[»\"]|[а-яё-]+)\s+меня\s+(?:больше\s+|уже\s+|давно\s+)*нет\b"
)
"""An end whose firm was named before ("я с апреля уже не там")."""
RU_NO_JOB = Gated(r"\b(?:я|он|она)\s+(?:больше|уже)\s+не\s+")
RU_NOW = Gated(r"(?:^|[\s,!.])(?P<job>[\w-]+(?:\s[\w-]+)?)\s+теперь\b")
RU_USED = Gated(
    r"\b(?:раньше|прежде|когда-то|до этого|одно время)\s+(?:я\s+)?работал[аи]?\s+(?:в|во|на|у)\s+|\bработал[аи]?\s+(?:раньше\s+|когда-то\s+|прежде\s+)?(?:в|во|на|у)\s+"
)


def organisation_ru(text: str, at: int, cases: tuple[str, ...]) -> tuple[str, int, int] | None:
    """A firm after a preposition: a name in quotes (with its kind before it), or capitalised."""
    kind = re.compile(
        r"(?:(?:(?:it|ит|айти)-компани\w+|компани\w+|фирм\w+|банк\w*|такси|завод\w*|клиник\w+|агентств\w+|студи\w+|стартап\w*|холдинг\w*|ооо|ао|пао|ип|сет\w+|магазин\w*|кафе|ресторан\w*|издательств\w+)\s+)?",
        re.IGNORECASE,
    )
    lead = kind.match(text, at)
    begin = lead.end() if lead else at
    quoted = quoted_at(text, begin)
    if quoted:
        name, start, end = quoted
        prefix = lead[0].strip() if lead and lead[0].strip().lower() in {"такси", "кафе"} else ""
        return (f"{prefix} «{name}»" if prefix else _same_or_nominative(name, cases)), start, end
    found = re.compile(r"\s*([A-ZА-ЯЁ][\w&.-]*\w(?:\s+[A-ZА-ЯЁ][\w&.-]*\w){0,2})").match(
        text, begin
    )
    if found is None:
        return known_firm(text, begin)
    name = found[1]
    if is_russian(name.split()[0]):
        geo = russian_place(text, found.start(1), cases)
        if (
            geo is not None
            and any(reading(word, "Geox", cases=cases) is not None for word in name.split())
            and not _FIRM_WORD.search(name)
        ):
            return None
        if reading(name.split()[0], "Name") and len(name.split()) > 1:
            return None
        end = found.end(1)
        noun = re.compile(r"\s+([а-яё-]+)").match(text, end)
        if " " not in name and parses(name)[0].tag.POS == "ADJF":
            if noun is None or reading(noun[1], "NOUN", cases=cases) is None:
                return None
            return nominative(f"{name} {noun[1]}", cases), found.start(1), noun.end(1)
        name = name if name.isupper() else _same_or_nominative(name, cases)
    elif tool_name(name) is not None and tool_name(name) not in {
        "Oracle",
        "Slack",
        "Stripe",
        "SAP",
        "Figma",
        "Zoom",
        "Datadog",
        "Snowflake",
        "Databricks",
        "Notion",
    }:
        return None
    return name, found.start(1), found.end(1)


FIRMS = {
    firm.lower(): firm
    for firm in words(
        "Яндекс Сбер Сбербанк Озон Вайлдберриз Тинькофф Газпром Роснефть Лукойл Росатом Ростех Ростелеком Мегафон Билайн "
        "МТС Теле2 РЖД ВТБ Альфа-банк Авито Касперский Пятёрочка Ашан Икеа Макдональдс Аэрофлот Норникель "
        "Северсталь НЛМК КАМАЗ АвтоВАЗ Росгосстрах Роскосмос Аэроэкспресс Сдэк СДЭК ВКонтакте Гугл Эппл "
        "Майкрософт Амазон Нетфликс Эльдорадо Спортмастер Декатлон Леруа Мосэнерго Россети Транснефть Сибур Уралкалий Новатэк "
        "Мосводоканал Мосметро Алроса Почтабанк Райффайзен Совкомбанк Промсвязьбанк Росбанк"
    )
} | {"пятерочка": "Пятёрочка", "вайлдберрис": "Вайлдберриз", "вб": "Вайлдберриз"}  # fmt: skip
"""Firms that everybody knows and writes in small letters, as places are known by heart."""


def known_firm(text: str, start: int) -> tuple[str, int, int] | None:
    """The firm known by heart that is written at `start`: (name, start, end), or None."""
    found = re.compile(r"\s*([а-яё][а-яё0-9-]+)").match(text, start)
    if found is None:
        return None
    word = found[1].lower().replace("ё", "е")
    for form in (word, *(str(p.normal_form).replace("ё", "е") for p in parses(word)[:4])):
        if form in FIRMS:
            return FIRMS[form], found.start(1), found.end(1)
    return None


def _same_or_nominative(name: str, cases: tuple[str, ...]) -> str:
    """A firm's name in the nominative: quoted names decline too ("в «Ромашке»")."""
    first = name.split()[0]
    thing = reading(first, "NOUN", "inan", cases=cases) if "-" not in first else None
    if thing is not None and not thing.is_known and "neut" in thing.tag and first.endswith("е"):
        # a made-up name is hardly ever a neuter: "в «Трансойле»" is «Трансойл»
        return name[:-1] if " " not in name else name
    if thing is not None and " " not in name and "-" not in name:
        form = thing.inflect({"nomn"})
        return like(name, form.word) if form is not None else name
    if not is_russian(first) or (parses(first)[0].tag.case == "nomn" and len(name.split()) > 1):
        return name
    if "-" in name and " " not in name:
        parts = name.split("-")
        return "-".join([*parts[:-1], nominative(parts[-1], cases)])
    form = nominative(name, cases)
    # "устроился на завод" and "на заводе" are both said
    return form if form != name else nominative(name, ("loct", "loc2", "accs"))


def job_ru(text: str, at: int, cases: tuple[str, ...]) -> tuple[str, int, int] | None:
    phrase = russian_phrase(text, at, cases, max_words=4, keep=frozenset({"по"}))
    if phrase is None:
        return None
    name, start, end = phrase
    heads = [i for i, w in enumerate(name.split()) if is_occupation(w)]
    if not heads or heads[0] > 2:
        return None
    raw = text[start:end].split()
    head = raw[heads[0]]
    if is_russian(head) and not any(
        p.tag.case in cases for p in parses(head) if p.tag.POS in ("NOUN", "ADJF")
    ):
        return None
    if not all(
        not is_russian(w) or parses(w)[0].tag.POS in ("ADJF", "NOUN", "PREP", "PRTF") for w in raw
    ):
        return None
    full = name.lower() if name.islower() or not name.isupper() else name
    return {"главбух": "главный бухгалтер"}.get(full, full), start, end


def work_ru(sentence: Sentence) -> Iterator[Found]:
    """Employers and jobs: held, begun, left."""
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for found in RU_NOT_IN.finditer(low):
        firm = organisation_ru(text, found.end(), ("loct",))
        if firm is None and re.search(r"переш|уволил|работа", low):
            word = re.compile(r"[а-я-]+").match(low, found.end())
            if (
                word
                and reading(word[0], "NOUN", cases=("loct",))
                and reading(word[0], "Geox") is None
            ):
                firm = (nominative(word[0], ("loct",)), word.start(), word.end())
        if firm:
            taken.add(firm[1])
            yield Found(
                "employer", firm[0], found.start(), firm[2], Mode.end, Who.open, confidence=0.75
            )
    for found in RU_LAST_DAY.finditer(low):
        firm = organisation_ru(text, found.end(), ("loct", "gent"))
        if firm:
            taken.add(firm[1])
            yield Found(
                "employer", firm[0], found.start(), firm[2], Mode.end, Who.open, confidence=0.85
            )
    for found in RU_IN.finditer(low):
        firm = organisation_ru(text, found.end(), ("loct", "loc2"))
        if firm and RU_NO_MORE.match(low, firm[2]):
            taken.add(firm[1])
            yield Found(
                "employer",
                firm[0],
                found.start(),
                firm[2],
                Mode.end,
                Who.open,
                verb=firm[2],
                confidence=0.85,
            )
    if re.search(r"приня|подписа|соглас", low):
        for found in RU_OFFER.finditer(low):
            firm = organisation_ru(text, found.end(), ("gent",))
            if firm:
                taken.add(firm[1])
                yield Found(
                    "employer",
                    firm[0],
                    found.start(),
                    firm[2],
                    Mode.change,
                    Who.open,
                    confidence=0.82,
                )
    for pattern, mode in ((RU_USED, Mode.past), (RU_WORK, Mode.state), (RU_JOIN, Mode.change)):
        for found in pattern.finditer(low):
            if negated(low, found.start()):
                continue
            cases = ("loct", "loc2", "gent") if mode is not Mode.change else ("accs",)
            firm = organisation_ru(text, found.end(), cases)
            if firm is None or firm[1] in taken:
                continue
            if found[0].startswith("сижу") and text[firm[1] - 1] not in '«"':
                continue
            taken.add(firm[1])
            who = person_of(found)
            yield Found(
                "employer",
                firm[0],
                found.start(),
                firm[2],
                mode,
                who,
                verb=found.start(),
                confidence=0.9,
            )
            lead = re.compile(
                r"[»\"”]?\s+(?:(?:уже|сейчас|теперь|пока|там|главным|старшим)?\s*)"
            ).match(text, firm[2])
            after = job_ru(text, lead.end(), ("ablt",)) if lead else None
            if after is not None:
                yield Found(
                    "job_title",
                    after[0],
                    found.start(),
                    after[2],
                    mode,
                    who,
                    verb=found.start(),
                    confidence=0.85,
                )
    for found in _LEFT_FIRM.finditer(low):
        firm = organisation_ru(text, found.start("firm"), ("gent", "ablt"))
        is_sure = found["verb"].startswith(("увол", "сократ"))
        if firm is None or firm[1] in taken or firm[2] > found.start("verb"):
            continue
        is_quoted = text[firm[1] - 1] in '«"'
        if negated(low, found.start("verb")) or _left_by_another(low, found):
            continue
        if not (is_sure or is_quoted or known_firm(low, firm[1]) or firm[0].isascii()):
            continue
        taken.add(firm[1])
        yield Found(
            "employer",
            firm[0],
            found.start(),
            found.end(),
            Mode.end,
            Who.open,
            verb=found.start("verb"),
            confidence=0.85,
        )
    for found in RU_LEAVE.finditer(low):
        if not found["from"] or negated(low, found.start()):
            continue
        firm = organisation_ru(text, found.end(), ("gent",))
        if firm is None and found[0].startswith(("увол", "сократ")):
            piece = russian_phrase(text, found.end(), ("gent",), 2, frozenset())
            firm = (
                piece
                if piece
                and piece[0].split()[0] not in {"работа", "должность", "завтра", "понедельник"}
                else None
            )
        elif (
            firm is not None
            and not found[0].startswith(("увол", "сократ"))
            and text[firm[1] - 1] not in '«"'
            and is_russian(firm[0].split()[0])
            and not re.search(r"работ|уволи|офис", low)
        ):
            continue
        if firm is None or firm[1] in taken:
            continue
        taken.add(firm[1])
        yield Found(
            "employer",
            firm[0],
            found.start(),
            firm[2],
            Mode.end,
            Who.open,
            verb=found.start(),
            confidence=0.85,
        )
        break
    else:
        left = RU_LEFT.search(low) or RU_JOBLESS.search(low)
        named = quoted_at(text, max(0, text.find("«"))) if left and "«" in text else None
        if left and named and not taken and RU_JOBLESS.search(low):
            taken.add(named[1])
            yield Found(
                "employer", named[0], left.start(), left.end(), Mode.end, Who.first, confidence=0.75
            )
        if left and not taken and not negated(low, left.start()):
            yield Found(
                "employer", None, left.start(), left.end(), Mode.end, Who.open, confidence=0.8
            )
    for found in RU_I_AM_NOT.finditer(low):
        firm = organisation_ru(text, found.start("o"), ("loct", "loc2"))
        if firm and firm[1] not in taken:
            taken.add(firm[1])
            yield Found("employer", firm[0], found.start(), found.end(), Mode.end, Who.first, confidence=0.8)  # fmt: skip
    there = RU_NOT_THERE.search(low)
    if there is not None:
        yield Found(
            "employer", None, there.start(), there.end(), Mode.end, Who.open, confidence=0.7
        )
    seen: set[str] = set()
    for found in re.finditer(
        r"\b(?:повысили|доросла?|дослужил(?:ся|ась))\s+(?:меня\s+|его\s+|ее\s+)?до\s+", low
    ):
        job = job_ru(text, found.end(), ("gent",))
        if job is not None:
            seen.add(job[0])
            yield Found(
                "job_title", job[0], found.start(), job[2], Mode.change, Who.open, confidence=0.88
            )
    for found in RU_AS.finditer(low):
        job = job_ru(text, found.end(), ("ablt",))
        if job is None or job[0] in seen or negated(low, found.start()):
            continue
        seen.add(job[0])
        mode = Mode.change if found["change"] else Mode.state
        yield Found(
            "job_title",
            job[0],
            found.start(),
            job[2],
            mode,
            person_of(found),
            verb=found.start(),
            confidence=0.9,
        )
        firm_at = re.compile(r"\s+(?:в|во)\s+").match(low, job[2])
        firm = organisation_ru(text, firm_at.end(), ("loct", "accs")) if firm_at else None
        if firm and firm[1] not in taken:
            taken.add(firm[1])
            yield Found(
                "employer",
                firm[0],
                found.start(),
                firm[2],
                mode,
                person_of(found),
                verb=found.start(),
                confidence=0.9,
            )
    at = 0
    while (state := RU_AM.search(low, at)) is not None:
        found, at = state, state.start() + 1
        if (
            found["name"]
            and not text[found.start("name")].isupper()
            and not found["name"].startswith(
                ("сестр", "брат", "мам", "пап", "муж", "жен", "сын", "доч")
            )
        ):
            continue
        if found["name"] and re.match(r"[А-ЯЁ]", text[found.end() :]):
            continue
        was = "как был" in found[0]
        job = job_ru(text, found.end(), ("ablt",) if was else ("nomn",))
        if was and "остал" not in low[found.end() :]:
            continue
        if (
            job is None
            or job[0] in seen
            or negated(low, found.end())
            or low[: found.end()].rstrip().endswith(("как", "мой", "моя", "наш", "наша"))
        ):
            continue
        seen.add(job[0])
        change = re.search(r"теперь|\bс\s", found[0]) is not None
        who = person_of(found)
        yield Found(
            "job_title",
            job[0],
            found.start(),
            job[2],
            Mode.change if change else Mode.state,
            Who.third if who is Who.open else who,
            verb=job[1],
            confidence=0.85,
        )
        firm_at = re.compile(r"\s+(?:в|во)\s+").match(low, job[2])
        firm = organisation_ru(text, firm_at.end(), ("loct",)) if firm_at else None
        if firm and firm[1] not in taken:
            taken.add(firm[1])
            yield Found(
                "employer",
                firm[0],
                found.start(),
                firm[2],
                Mode.state,
                Who.third if who is Who.open else who,
                verb=job[1],
                confidence=0.88,
            )
    for found in RU_BEFORE.finditer(low):
        for start in (found.start("job"), found.start("job") + found["job"].find(" ") + 1):
            job = job_ru(text[: found.end("job")], start, ("ablt",))
            if job is not None and job[2] == found.end("job") and job[0] not in seen:
                seen.add(job[0])
                yield Found(
                    "job_title",
                    job[0],
                    found.start(),
                    found.end(),
                    Mode.state,
                    person_of(found),
                    verb=found.end("job"),
                    confidence=0.88,
                )
                break
    for found in RU_AFTER.finditer(low):
        job = job_ru(text[: found.end("job")], found.start("job"), ("nomn",))
        if job is not None and job[0] not in seen:
            seen.add(job[0])
            yield Found(
                "job_title", job[0], job[1], found.end(), Mode.state, Who.first, confidence=0.85
            )
    for found in RU_NO_JOB.finditer(low):
        job = job_ru(text, found.end(), ("nomn",))
        if job is not None:
            yield Found(
                "job_title",
                job[0],
                found.start(),
                job[2],
                Mode.end,
                Who.open,
                verb=found.end(),
                confidence=0.85,
            )
    for found in RU_AT_NOW.finditer(low):
        firm = organisation_ru(text, found.end(), ("loct",))
        if firm and firm[1] not in taken and text[firm[1] - 1] in '«"“':
            taken.add(firm[1])
            yield Found(
                "employer", firm[0], found.start(), firm[2], Mode.change, Who.open, confidence=0.8
            )
            lead = re.compile(r"[»\"”],?\s+").match(text, firm[2])
            job = job_ru(text, lead.end(), ("nomn",)) if lead else None
            if job is not None:
                yield Found(
                    "job_title",
                    job[0],
                    found.start(),
                    job[2],
                    Mode.change,
                    Who.open,
                    confidence=0.8,
                )
    for found in RU_NOW.finditer(low):
        job = job_ru(text, found.start("job"), ("nomn",))
        if job is not None and job[0] not in seen:
            yield Found(
                "job_title", job[0], job[1], found.end(), Mode.change, Who.open, confidence=0.8
            )
