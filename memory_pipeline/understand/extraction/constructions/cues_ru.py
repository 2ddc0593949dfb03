"""Russian facts told by a telling word and what stands about it, whatever the construction.

An illness, a medicine, an allergen, a sum or a day says by itself what it is; what remains is
that the sentence states it, and of whom. Each reader asks for its cue and for a sign that it is
somebody's, and passes over what belongs to something else.
"""

import re
from collections.abc import Callable, Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.constructions.engine import Piece
from memory_pipeline.understand.extraction.constructions.foods import FOOD_RU
from memory_pipeline.understand.extraction.constructions.illness import ILLNESS_RU, illness_ru
from memory_pipeline.understand.extraction.constructions.open_takers_ru import sure_drug, thing
from memory_pipeline.understand.extraction.constructions.ru_work import DATE_RU
from memory_pipeline.understand.extraction.constructions.takers import language
from memory_pipeline.understand.extraction.constructions.takers_ru import organisation
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.lexicon import tools_in
from memory_pipeline.understand.extraction.numbers import find_money
from memory_pipeline.understand.extraction.rules.employers_ru import known_firm
from memory_pipeline.understand.extraction.rules.health_ru import without_ru
from memory_pipeline.understand.extraction.sentences import STEM, Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses

_ABOUT = re.compile(
    r"(?:^|\s)(?:про|о|об|от|для|против|при|из-за|насчет|вместо|без|после|кроме|лечит|лечить|статья|лекция|книга|врач|больные|центр)\s+(?:[а-я-]+\s+)?$"
)
_DENIED = re.compile(r"\b(?:не|нет|ни|без)\s+(?:[а-я-]+\s+)?$")
_MINE = re.compile(r"\b(?:я|мы|меня|мне|мной|нас|нам|мой|моя|мое|мои|наш\w*)\b")
_MY_VERB = re.compile(
    r"\b[а-я]{2,}(?:юсь|усь|емся|имся|аю|яю|ую|юю|ею|аем|яем|уем|лю|шу|щу|чу|жу)\b"
)
_ACTS = re.compile(r"\b[а-я]{2,}(?:ет|ит|ют|ут|ат|ят)(?:ся)?\b")

Reader = Callable[[Sentence, Scene], Iterator[Found]]


def _owner(sentence: Sentence, scene: Scene, at: int) -> tuple[SubjectRef | None, bool]:
    """Whose something is: the nearest person named before it, else the speaker (None). The flag
    is false where somebody is named who cannot be told."""
    near = [p for p in persons(sentence, scene) if p.end <= at]
    if not near:
        return None, True
    person = near[-1]
    if person.first:
        return None, True
    if person.pronoun:
        known = scene.people.last_relative()
        return known, known is not None
    return person.ref, person.ref is not None


def _told(
    predicate: str, value: str | int, a: int, b: int, sentence: Sentence, scene: Scene,
    *, mode: Mode = Mode.state, confidence: float = 0.7,
) -> Iterator[Found]:  # fmt: skip
    owner, is_known = _owner(sentence, scene, a)
    if is_known:
        subject = owner or SubjectRef(name=scene.speaker, is_speaker=True)
        yield Found(predicate, value, a, b, mode, Who.open, subject, verb=a, confidence=confidence, dated=mode is not Mode.state)  # fmt: skip


_ILLNESS = Gated(
    rf"(?<![\w-])(?:{ILLNESS_RU}|[а-я]{{3,}}(?:ит|оз)(?:ом|а|у|е)\b|[а-я]{{4,}}(?:емией|алгией|патией|плегией|филией|склерозом)\b)"
)
_ILL_FRAME = Gated(
    r"\b(?:загрем\w+|слег\w*|лежу|лежит|попал\w*|мучает|беспокоит|шалит|пошаливает|доконал\w*|замучил\w*|диагноз\w*|болезн\w+|болею|болеет|здоровь\w+|врач\w*|доктор\w*|хроническ\w+|обострени\w+|обнаружил\w*|нашли|выявил\w*|поставили|подтвердил\w*|перен[её]с\w*|из-за|стадии?|степени?|с детства|врожденн\w+|инвалид\w*)\b"
)


_LIGHT = re.compile(r"(?:и|а|еще|уже|тоже|теперь|плюс|вдобавок|к тому же)\s+")


def _illnesses(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    for found in _ILLNESS.finditer(low):
        before = low[: found.start()]
        if _ABOUT.search(before) or _DENIED.search(before):
            continue
        clause = sentence.clause_at(found.start())
        alone = re.fullmatch(r"[\s,.!;:—–-]*(?:хроническ\w+\s+|и\s+|уже\s+|еще\s+|у\s+меня\s+)*", low[clause.start : found.start()])  # fmt: skip
        mine = _MINE.search(low) or any(p.kind for p in persons(sentence, scene))
        if not (_ILL_FRAME.search(low) or (alone and mine)):
            continue
        begin = found.start()
        while (light := _LIGHT.match(low, begin)) is not None:
            begin = light.end()
        for value, a, b in illness_ru(strict=True)(sentence, scene, begin, len(low)):
            if a < found.end() <= b:
                yield from _told("medical_condition", str(value), a, b, sentence, scene)


_OFTEN = Gated(
    r"\b(?:\d+\s?(?:мг|мкг|мл|ед)\b|по\s+(?:утрам|вечерам|схеме|\d+|полтаблетки|таблетке)|на\s+ночь|натощак|ежедневно|кажд\w+\s+(?:день|утро|вечер)|(?:раз|раза)\s+в\s+(?:день|неделю|сутки|месяц)|дважды\s+в|трижды\s+в|пожизненно|постоянно|всю жизнь|никуда|курсом)"
)


def _medicines(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    if not _OFTEN.search(sentence.low):
        return
    for word, start, _end in sentence.tokens:
        if len(word) < 5 or _DENIED.search(sentence.low[:start].removesuffix("без ")):
            continue
        for value, a, b in sure_drug(sentence, scene, start, len(sentence.low)):
            if a == start and _sure(str(value)):
                yield from _told("medication", str(value), a, b, sentence, scene)


def _sure(name: str) -> bool:
    from memory_pipeline.understand.extraction.rules.medicines import SURE_DRUG_RU

    return SURE_DRUG_RU.search(name) is not None


_REACTION = Gated(
    r"\b(?:аллерг\w+|высыпа\w+|обсыпа\w+|сып(?:ь|лет)\b|отек\w*|крапивниц\w*|анафила\w+|слез(?:ятся|ы)\b|чиха\w+|чеш\w+|раздува\w+|сопл\w+|зуд\w*|волдыр\w+|опухаю|распуха\w+|задыха\w+|удушь\w+|квинке|реакци\w+)\b"
)
_TO_WHAT = re.compile(r"\b(?:на|от|к)\s+(?=[а-я])")


_BANNED = Gated(
    r"\b(?:мне|нам|ей|ему)\s+(?:категорически\s+|строго\s+|вообще\s+)*нельзя\b|\b(?:мне|ей|ему)\s+противопоказан\w*"
)


def _forbidden(sentence: Sentence, scene: Scene, banned: re.Match[str]) -> Iterator[Piece]:
    """What is said to be forbidden to somebody, before the word that forbids it or behind it."""
    clause = sentence.clause_at(banned.start())
    for case in ("accs", "nomn", "gent"):
        for begin, stop in ((clause.start, banned.start()), (banned.end(), clause.end)):
            at = begin
            while at < stop and not sentence.low[at].isalnum():
                at += 1
            pieces = list(thing(case, limit=3)(sentence, scene, at, stop))
            if pieces:
                yield from pieces
                return


def _allergens(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    cue = _REACTION.search(low)
    if cue is None:
        return
    is_named = "аллерг" in low
    banned = None if is_named else _BANNED.search(low)
    forbidden = list(_forbidden(sentence, scene, banned)) if banned is not None else []
    if forbidden:
        for value, a, b in forbidden:
            yield from _told("allergy", str(value), a, b, sentence, scene)
        return
    listed = re.compile(r"аллерг\w+[^:.!?]{0,20}:\s*").search(low)
    if listed is not None:
        for value, a, b in thing("nomn", "accs", limit=6)(sentence, scene, listed.end(), len(low)):
            yield from _told("allergy", str(value), a, b, sentence, scene, confidence=0.75)
        return
    for found in _TO_WHAT.finditer(low):
        clause = sentence.clause_at(found.start())
        apart = sentence.clause_at(cue.start())
        if not is_named and clause != apart:
            continue
        if abs(found.start() - cue.start()) > 45 or _ABOUT.search(low[: found.start()]):
            continue
        case = (
            ("accs",)
            if found[0].startswith("на")
            else ("gent",)
            if found[0].startswith("от")
            else ("datv",)
        )
        for value, a, b in thing(*case, limit=5)(sentence, scene, found.end(), len(low)):
            if "аллерг" not in str(value).lower():
                yield from _told("allergy", str(value), a, b, sentence, scene)


_LIMIT = Gated(
    r"\b(?:бюджет\w*|лимит\w*|потолок|потолк\w+|максимум|предел\w*|порог|планк\w+|(?:верхн\w+|крайн\w+)\s+(?:границ\w+|цен\w+|сумм\w+)|не\s+(?:больше|более|дороже|выше|превыша\w+|выйти за)|уложиться|укладыва\w+|красн\w+\s+черт\w+)\b"
)
_PRICE = Gated(
    r"\b(?:стоил\w*|стоит|зарплат\w*|зарабатыва\w+|получаю|платят|заплатил\w*|потратил\w*|продал\w*|прода[юм]\w*|накопил\w*|скинули?|штраф\w*|долг\w*|должен|должна|оклад\w*|выручк\w+|оборот\w*|освоил\w*|перерасход\w*|был\b|была\b|было\b)\b"
)


def _budgets(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    cue = _LIMIT.search(low)
    if cue is None or _PRICE.search(low):
        return
    found = find_money(low, 0, "ru", scene.tz)
    sums: list[tuple[str, int, int, bool]] = []
    while found is not None and len(sums) < 3:
        sums.append(found)
        found = find_money(low, found[2], "ru", scene.tz)
    sums = [s for s in sums if s[3] or float(s[0].split()[0]) >= 5_000]
    if len(sums) != 1 or abs(sums[0][1] - cue.start()) > 45:
        return
    value, a, b, _ = sums[0]
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    yield Found("budget_limit", value, min(a, cue.start()), max(b, cue.end()), Mode.state, Who.first, me, confidence=0.7, dated=False)  # fmt: skip


_DUE = Gated(
    rf"\b(?:(?:дедлайн\w*|крайн\w+\s+срок\w*|последн\w+\s+(?:срок\w*|день)|срок\w*\s+(?:сдачи|подачи)?|кровь\s+из\s+носу|не\s+(?:позднее|позже)|(?:тендер|конкурс|прием\w*|регистрация|окно|набор|подача)\s+(?:[а-я]+\s+)?(?:закрыва\w+|заканчива\w+|истека\w+|заверша\w+))\b[^.!?]{{0,45}}?(?=\b{DATE_RU})"
    rf"|(?:сда(?:ем|ть|ю|дим)|пода(?:ем|ть|ю|дим)|отправить|закончить|завершить|доделать|успеть|запустить(?:ся)?|выпустить|оплатить|закрыть|готово)\s+(?:[а-я-]+\s+){{0,3}}?(?:до|к|не\s+позднее)\s+(?={DATE_RU})|ждут\s+(?:[а-я-]+\s+){{0,3}}?(?:к\s+)?(?=\d{{1,2}}\s+[а-я]))"
)
_NOT_DUE = Gated(
    r"\b(?:вчера|прошл\w+|сдали|успели|прошел|пропустил\w*|нет|без|дедлайнов|отпуск\w*|билет\w*|магазин\w*|приехать|приедет|зайти|встрет\w+|врач\w*)\b"
)


def _deadlines(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    found = _DUE.search(sentence.low)
    if found is None or _NOT_DUE.search(sentence.low):
        return
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    yield Found("deadline", "", found.start(), found.end(), Mode.state, Who.first, me, confidence=0.7, dated=False)  # fmt: skip


_RESTRICTED = Gated(
    r"\b(?:не\s+(?:ем|едим|ест|едят|пью|пьем|пьет|употребля\w+|потребля\w+|переношу)|запрещ\w+|запретил\w*|исключ\w+|под\s+запретом|отказал\w+\s+от|завязал\w*\s+с|убрал\w*\s+из|противопоказ\w+|нельзя)\b"
)
_FOODS = Gated(rf"(?<![\w-]){FOOD_RU}(?![\w-])")
_NOT_FOOD = re.compile(
    r"\b(?:сегодня|вчера|еще не|пока не|собак\w+|кот\w*|кошк\w+|щенк\w+|аллерг\w+|в самолет\w*|в офис\w*|продава\w+)\b"
)


def _restrictions(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    cue = _RESTRICTED.search(low)
    if cue is None or _NOT_FOOD.search(low):
        return
    for found in _FOODS.finditer(low):
        if abs(found.start() - cue.start()) > 35 or sentence.clause_at(found.start()) != sentence.clause_at(cue.start()):  # fmt: skip
            continue
        parse = parses(found[0].split()[-1])[0]
        if cue[0] == "нельзя" and (
            re.search(r"\b(?!есть|пить|кушать)[а-я]+(?:ть|ти)\b", low[cue.end() : found.start()])
            or any(p.kind and p.end <= cue.start() for p in persons(sentence, scene))
        ):
            continue
        if cue[0].startswith("запретил") and not re.search(
            r"\b(?:врач|доктор|диетолог|терапевт|медик)", low
        ):
            continue
        word = parse.normal_form if parse.tag.POS == "NOUN" else found[0]
        yield from _told("diet", without_ru(str(word)), found.start(), found.end(), sentence, scene)


_ATTACHED = Gated(
    r"\b(?:у\s+нас\s+в\s+(?:команде|отделе|проекте|компании|офисе)|(?:у\s+(?:нас|меня)|только)\s+(?:все\s+)?(?:в|на)|все\s+(?:в|на)|(?P<without>без)|(?:живу|живем|сижу)\s+в)\s+(?=[a-z0-9а-я])"
)
_NEEDED = Gated(r"\bкак\s+без\s+рук\b|\bникуда\b|\bне\s+обхо|\bне\s+мо[гж]")


def _programs(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    for found in _ATTACHED.finditer(low):
        if found["without"] and not _NEEDED.search(low):
            continue
        at = found.end()
        for name, a, b in tools_in(sentence.text, low, at, min(len(low), at + 25), strict=True)[:1]:
            if a == at and sentence.clause_at(a).blocked is None:
                me = SubjectRef(name=scene.speaker, is_speaker=True)
                yield Found("tool", name, a, b, Mode.state, Who.first, me, confidence=0.7, dated=False)  # fmt: skip


_AT_WORK = Gated(
    r"\b(?:работ\w+|смен[ауые]\b|касс\w+|вахт\w+|выхож\w+|стою|штат\w*|должност\w+|контор\w*|компани\w+|работодател\w+|оффер\w*|стажир\w+|цех\w*|испытательн\w+|зарплат\w+|коллектив\w*|теперь|сейчас)\b"
)
_IN_FIRM = re.compile(r"\b(?:в|во|на)\s+(?=[«\"A-ZА-ЯЁ]|(?P<small>[а-яё]))")
_SINCE = (
    r"(?:\s*(?:ж|же|ведь|вообще-то|теперь|сейчас|уже|снова|опять|давно|тоже|все еще|пока|там|официально|[—–-]|"
    r"(?:с|со)\s+(?:\d{1,2}(?:-?го)?\s+)?[а-я]+(?:\s+\d{4}(?:\s+года)?)?|(?:уже\s+)?(?:\d+|[а-я]+(?:ый|ой|ий|ая|ую|ь|а|е|о))\s+(?:год|года|лет|месяц|месяца|месяцев|неделю|недели))\s*)*"
)
_CALLED = Gated(
    r"\b(?:мо\w+\s+)?(?:контор\w*|компани\w*|фирм\w*|работодател\w*)(?:\s+мо\w+)?\s+(?:называется|зовется|является)\s+(?:(?:ооо|ао|пао|зао|ип)\s+)?"
)


def _firms(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low, text = sentence.low, sentence.text
    called = _CALLED.search(low)
    if called is not None:
        for value, a, b in organisation("nomn", "ablt")(sentence, scene, called.end(), len(text)):
            yield from _told("employer", str(value), a, b, sentence, scene, confidence=0.8)
        return
    works = _AT_WORK.search(low) is not None
    for found in _IN_FIRM.finditer(text):
        if not (works or found["small"]) or (
            found["small"] and known_firm(text, found.end()) is None
        ):
            continue
        clause = sentence.clause_at(found.start())
        part = low[clause.start : clause.end]
        named = [p for p in persons(sentence, scene) if clause.start <= p.start < found.start()]
        if not (named and "nomn" in named[-1].cases and not named[-1].pronoun) or _DENIED.search(
            part
        ):
            continue
        between = low[named[-1].end : found.start()]
        if not re.fullmatch(_SINCE, between):
            continue
        begins = Mode.change if re.search(r"\b(?:с|со|теперь)\s", between) else Mode.state
        for value, a, b in organisation("loct", "loc2")(sentence, scene, found.end(), len(text)):
            if (
                text[a - 1 : a] in '«"'
                or re.search(r"банк|сбер|нефт|газ|ком\b|строй|\b[A-ZА-Я]{2,}", str(value))
                or found["small"]
            ):
                yield from _told("employer", str(value), a, b, sentence, scene, mode=begins)


_LEVEL = Gated(
    r"(?<![\w-])(?P<o>[а-я]+(?:ский|цкий))\s*(?:у\s+меня\s*)?[—–:-]\s*(?:на\s+уровне\s+|уровень\s+)?(?:[abc][12]\b|upper|intermediate|advanced|fluent|native|свободн\w+|родной|разговорн\w+|базов\w+|средн\w+|начальн\w+|в\s+совершенстве)"
)


def _levels(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    for found in _LEVEL.finditer(sentence.low):
        pieces: Iterator[Piece] = iter(language(sentence, scene, found.start("o"), found.end("o")))
        for value, a, b in pieces:
            yield from _told("language", str(value), a, b, sentence, scene)


_READERS: tuple[tuple[str, Reader], ...] = (
    (
        "болеть болею диаг загрем слег лежу лежит попал шали бесп замуч докон мучае хрон врач докт здор обна нашл выяв пост подтв пере из стад степ детс врож инва обос меня",
        _illnesses,
    ),
    (
        "мг мкг утрам вечерам схеме ночь нато ежед кажд раз раза дваж триж пожи пост нику",
        _medicines,
    ),
    (
        "алле высы обсы сыпь сыпл отек крап анаф слез чиха чешу чеше разд зады удуш квин реак",
        _allergens,
    ),
    (
        "бюдж лими пото макс пред поро план верх край боль боле доро выше прев улож укла крас",
        _budgets,
    ),
    (
        "дедл край посл срок кров позд позж тенд конк прие реги окно набо пода сдае сдат сдаю сдад отпр зако заве доде успе запу выпу опла закр гото ждут",
        _deadlines,
    ),
    ("ем еди ест едят пью пьем пьет упот потр запр искл отка завя убра прот нель", _restrictions),
    ("у толь все всё без живу живе сижу", _programs),
    (
        "работ смен касс вахт выхо стою штат долж конт комп рабо оффе стаж цех испы зарп колл тепе сейч я мы он она",
        _firms,
    ),
    ("уров upper inter advan fluent nativ своб родн разг базо сред нача", _levels),
)


class _Gate:
    """Which readers a sentence may need, by how its words begin."""

    def __init__(self) -> None:
        self._by_stem: dict[str, tuple[int, ...]] = {}
        for n, (stems, _) in enumerate(_READERS):
            for stem in {s[:STEM].replace("ё", "е") for s in stems.split()}:
                self._by_stem[stem] = (*self._by_stem.get(stem, ()), n)

    def readers(self, sentence: Sentence) -> list[int]:
        """The numbers of the readers, in order."""
        hits = self._by_stem.keys() & sentence.stems
        return sorted({n for stem in hits for n in self._by_stem[stem]}) if hits else []


_GATE = _Gate()


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """What telling words of a sentence say."""
    for n in _GATE.readers(sentence):
        for found in _READERS[n][1](sentence, scene):
            if sentence.clause_at(found.start).blocked is None:
                yield found
