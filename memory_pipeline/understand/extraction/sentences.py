"""A message cut into sentences and clauses, and which of them state nothing.

What a question, a wish, a joke or a story says is no fact: such stretches are blocked with the
reason, and a rule takes only what stands in an open stretch.
"""

import itertools
import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from memory_pipeline.understand.extraction.contrasts_en import without_denied_en
from memory_pipeline.understand.extraction.contrasts_ru import without_denied
from memory_pipeline.understand.extraction.quotations import without_quotations
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.language import detect_language

_END = Gated(
    r"(?:[.!?…]+|(?<![(\d])\){2,}|(?<=[\wа-я])\)(?=\s|$))(?=\s|$)|[\n;]+|\s[—–]\s(?=[А-ЯA-Z])"
)
_COPULA = re.compile(r"(?:\S+\s+){0,4}\S+\s*$")
_CLAUSE_AFTER = re.compile(
    r"(?:я|мы|он|она|они|ты|вы|это|i|we|he|she|they|you|it|this|that|the|my|i'm)\b"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(«,])(?:г|ул|кв|д|стр|корп|пр|просп|пер|наб|тел|тыс|млн|млрд|руб|т\.р|т\.е|т\.д|им|св|ст|mr|mrs"
    r"|ms|dr|st|vs|e\.g|i\.e|approx|no|ave|inc|jr|sr|\d|[A-ZА-Я])$",
    re.IGNORECASE,
)
_MONTH_CUT = re.compile(
    r"\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|янв|фев(?:р)?|мар|апр|июн|июл|авг|сент?|окт|ноя(?:б)?|дек)$",
    re.IGNORECASE,
)
"""A month cut short: its full stop ends no sentence where a number follows ("on Sept. 3")."""
_NUMBER_NEXT = re.compile(r"\s\d")
_INITIAL = re.compile(r"(?:^|\s)[A-ZА-ЯЁ]$")
_CLAUSE_END = Gated(
    r"[,:;()]+(?=\s|$)|\s[—–-]{1,2}\s|\s(?=(?:но|зато|однако|but|however|though|although|so|because|"
    r"потому что|так что|and then)\s)",
)

_QUESTION_EN = Gated(
    r"^(?:(?:so|and|but|hey|hi|ok|okay|well|question|quick question|um|also)[,:]?\s+)*(?:(?:does|do|did|is|are|was|were|"
    r"can|could|will|would|should|has|have)\s+(?:you|he|she|it|they|we|i|u|anyone|anybody|someone|somebody|everyone|the|your|his|her|their|this|that|there|these|those|any)\b"
    r"|(?:what|where|when|who|whose|why|how|which)\b(?!\s+(?:not|nothing|(?:i|we)\b)))"
)
_QUESTION_TAIL = re.compile(
    r"(?:,\s*(?:right|ok|okay|yeah|huh|eh|innit|you know|remember|правда|да|ок|ладно|хорошо|так|а|ага|помнишь|помните|знаешь|знаете|представляешь|прикинь|слышал[аи]?|(?:я\s+)?(?:не\s+)?(?:говорил|рассказывал|писал|знал)[аи]?(?:\s+(?:разве|же|еще|тебе|вам))*|разве\s+(?:я\s+|мы\s+)?(?:вам\s+|тебе\s+)?не\s+[а-я]+(?:л|ла|ли|лся|лась|лись)))\s*\?+$"
)
_TELLING = Gated(
    r"^(?:(?:and|oh|so|btw|by the way|wait|hey|а|ну|кстати|слушай)[,]?\s+)*(?:did i (?:ever )?mention|have i mentioned|remember,? i (?:told you|mentioned|said)|"
    r"(?:ты|вы)\s+же\s+(?:помнишь|помните|знаешь|знаете)\s*,\s*что|помнишь\s*,\s*(?:я\s+)?(?:говорил[аи]?|рассказывал[аи]?|писал[аи]?)\s*,\s*что)"
    r"\s*(?:that\s+)?(?!(?:what|where|when|who|whose|why|how|which|if|whether|anything|something|about|это|об|про|где|кто|какой)\b)"
)
"""A question that tells: it asks only whether that was heard."""
_QUESTION_RU = Gated(
    r"\b\w+\s+ли\b|^(?:(?:а|и|ну|слушай|привет)[,]?\s+)*(?:где|кто|что|как|когда|почему|зачем|сколько|какой|"
    r"какая|какие|какое|куда|откуда|чей|разве|неужели)\s.*\b(?:ты|вы|он|она|они|мне|можно|лучше|стоит)\b"
)
_IF = Gated(
    r"\b(?:if(?! anything\b| that helps\b| it matters\b| it helps\b| you must know\b| you're (?:curious|wondering|asking)\b| you(?: are)? (?:ask|asked) me\b| you need (?:it|to know)\b| i'm honest\b)"
    r"|unless|what if|in case|suppose|supposing|imagine|let's say"
    r"|если(?! что\b(?!\s+(?:случ|пойдет|не так))| (?:вдруг )?кто(?:-то)? (?:не|за|спрос|спраш|вдруг|еще)\w*| (?:вдруг )?кому\b| (?:вдруг )?(?:надо|нужно|интересно)\b| честно\b| кратко\b| коротко\b| интересно\b| уж на то пошло\b| кому интересно\b| быть точн\w+)|если бы|вдруг|представь|допустим|предположим)\b"
)
_WHOLE_IF = Gated(
    r"^(?:(?:and|but|well|so|а|и|ну|но|вот)\s+)*(?:if\b(?!\s+(?:you|u|anyone|anybody)\s+(?:ever\s+)?(?:need|want|wanna|have to|can\'t)\s+(?:to\s+)?(?:me|us|reach|call|contact|find|get (?:hold of|in touch)))|unless\b|what if|suppose|supposing|imagine|hypothetically|"
    r"theoretically|in theory|если\b(?!\s+(?:вдруг\s+)?(?:кому|кто)\b)|представь|допустим|предположим|гипотетически|теоретически|чисто теоретически|"
    r"в теории)"
)
_UNREAL = re.compile(
    r"\b(?:would(?!n't mind)|wouldn't (?:it|that|you|they|go|be|have|want|live|move|work|take|use|switch)|wish|wishes|might|maybe|perhaps|probably|could|if only|should|hopefully|pretend|dream(?:ing|s|ed)?|"
    r"fantasi[sz]\w+|thinking (?:of|about)|considering|tempted|(?:almost|nearly)(?!\s+(?:\d|an?\s+(?:year|month|week|decade|day)\b|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty)\b|every\b|all\b|always\b))|supposedly|apparently not|"
    r"бы|б|(?<!не )может|может быть|возможно|наверно|наверное|мечта(?:ю|ет|ем|л|ла|ли|ть)|вряд ли|думаю о|подумыва\w+|хотел(?:а|и)?|"
    r"чуть не|едва не|якобы|прикинь|прикидыва\w+)\b|\b(?:i|we|he|she|they|you)'d\b"
)
_GUESSED = re.compile(
    r"(?:^|[,;(]\s*|\b(?:а|и|но|and|but)\s+)(?:возможно|может быть|может|наверное|наверно|скорее всего|вероятно|вероятнее всего|maybe|perhaps|possibly)\s*,\s*$"
)
"""A guess that a comma parts from what is guessed."""
_BY = Gated(r"\bбы\b|\bб\b|\bwould\b|'d\b|\bwish\b")
_JOKE_ALL = re.compile(
    r"\b(?:шучу|шутка|шутк[аи] юмора|сарказм|прикалываюсь|just kidding|only kidding|i kid|jk|j/k|april fools?|с первым апреля|с 1 апреля дур\w+|первоапрельск\w+)\b|(?:^|\s)/s\b"
)
_JOKE = Gated(
    r"^(?:oh sure|yeah,? (?:right|sure)|sure,|oh yeah|right,? because|obviously,? i|totally,? i'?m|totally (?:love|enjoy)|(?:oh )?great,? another|yep,? i'?m totally|"
    r"ага,? (?:я|конечно|у меня|щас|сейчас|как же)|ну конечно|ну да,|да конечно|конечно,? (?:же )?(?:у меня|я)|разумеется,? (?:я|у меня)|ой да конечно|ой да,? (?:я|у меня|мы)\b)"
    r"|\w\s*,\s*(?:ага,? (?:конечно|как же|щас)|yeah,? right|as if|sure,? sure)\W*$|[🙃🤡]|\b(?:миллионер|миллиардер|on the moon|to the moon|на луне|на луну|на марсе|на марс|on mars|to mars)\b"
)
_FICTION = Gated(
    r"\b(?:геро(?:й|я|ем|ю|иня|ини)|персонаж\w*|по сюжету|в (?:моем|моей|этом|этой) (?:романе|книге|рассказе|повести|игре|сериале|фильме)"
    r"|роман про|роман о|protagonist|character(?:s)?|my novel|my story|my book|short story|the lead is|in the (?:game|movie|film|novel|book|show)"
    r"|my d&d|my sim|npc|role-?play|сериал\w*|приснил\w*|сон приснился|i dreamed|i dreamt|in my dream)\b"
)
_HEARSAY = Gated(
    r"\b(?:говорят|ходят слухи|по слухам|слышал\w*,? что|rumou?rs? (?:has|says|is)|heard a rumou?r|i heard|they say|people say|word is|somebody said|someone said|кто-то сказал|some guy|some dude|какой-то (?:мужик|тип|парень))\b"
)
_CITED = Gated(
    r"^(?:translate|how do you say|переведи|как сказать|как будет)\b[^:]{0,40}:"
    r"|\b(?:lyrics|текст песни|цитата|анекдот|пословица)\b"
)
INSTRUCTION = Gated(
    r"\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+)?(?:your|the|previous|prior|above|earlier|my)?\s*(?:previous\s+|prior\s+|system\s+)?"
    r"(?:instructions?|rules|guidelines|prompts?|safety)\b|\bsystem prompt\b|\byou are now\b|\bact as (?:an? )?(?:admin|root|system)\b|"
    r"\bi(?:'m| am) (?:an? |the |your )?(?:admin|administrator|developer|root|superuser|creator)\b|"
    r"\b(?:игнорируй|забудь|отмени|нарушь|обойди)\s+(?:все\s+|свои\s+|твои\s+|эти\s+|предыдущие\s+)*(?:инструкции|правила|указания|ограничения|запреты)\b|"
    r"\bя (?:твой |теперь |здесь )*(?:админ|администратор|разработчик этой|создатель)\b|\bсистемн\w+ промпт\w*\b|\bты теперь\b"
)
_SLIP_START = re.compile(
    r"\s*(?:(?:he|she|it|they)(?:'s|'re| is| are) (?:called|named)\b|(?:his|her|its|their) names?(?:'s| is| are)\b|тьфу|ой[, ]|точнее|вернее|то есть нет|no wait|wait[, ]no|i mean|scratch that)\b"
)
STEM = 4
"""How many first letters of a word tell which rules may fit a sentence."""
_STEMS = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"[\w’'-]*\w(?:\.(?=\s[A-ZА-Я]))?")
_DIGIT = re.compile(r"\d")
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_NOT_MINE = re.compile(r"https?://\S+|```.*?```|`[^`\n]+`", re.DOTALL)


_FRAGMENTS = (". or ", ". nor ", ". Or ", ". Nor ")
_FRAGMENT = re.compile(
    r"(?<=[a-z])\.(?=\s+(?:[Oo]r|[Nn]or)\s+(?:[a-z'-]+\s?){1,3}(?:[.!](?:\s|$)|$))"
)
"""A full stop before a further member of the list that the sentence ends with ("not a fan of
balloons. or clowns")."""
_OFFER = Gated(
    r"\s(?=if (?:you|u|anyone|anybody|someone|somebody|ya)\s+(?:ever\s+|still\s+|get\b|gets\b|need|want|wanna|wants|fancy|fancies|like|are|is|have|has|can)\b)"
)
"""Where a condition begins that is put to the reader: what stands before it holds ("text me at … if
you get lost")."""
_COMING_EN = re.compile(
    r"\b(?:will|won't|gonna|going to|would|could|might|can come|moving|quitting|leaving|buying|selling)\b|'ll\b|'d\b"
)


def lower(text: str) -> str:
    """Lower case with ё as е, character by character, so that offsets stay."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.replace("ё", "е").replace("’", "'")


@dataclass(frozen=True)
class Clause:
    """Characters [start, end) of a sentence; `blocked` is why nothing is learned from them."""

    start: int
    end: int
    blocked: str | None


@dataclass(frozen=True)
class Sentence:
    """One sentence; `start` is its offset in the message. `blocked` holds for the whole of it."""

    text: str
    start: int
    lang: str
    blocked: str | None

    @cached_property
    def low(self) -> str:
        """The text in lower case with ё as е, offsets kept."""
        return lower(self.text)

    @cached_property
    def tokens(self) -> tuple[tuple[str, int, int], ...]:
        """The words that may name somebody, each with its characters [start, end)."""
        return tuple((found[0], found.start(), found.end()) for found in _TOKEN.finditer(self.text))

    @cached_property
    def found(self) -> dict[Hashable, dict[Hashable, object]]:
        """What was found in its words already, by who speaks and by rule: it is read several
        times, and people repeat themselves."""
        return _found_in(self.text, self.lang, self.blocked)

    @cached_property
    def stems(self) -> frozenset[str]:
        """The beginnings of its words."""
        return frozenset(word[:STEM] for word in _STEMS.findall(self.low))

    @cached_property
    def has_digit(self) -> bool:
        """Whether the sentence holds a digit."""
        return _DIGIT.search(self.text) is not None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses in order."""
        cuts = [0]
        cuts.extend(found.end() for found in _CLAUSE_END.finditer(self.low))
        offer = _OFFER.search(self.low) if " if " in self.low else None
        if offer is not None and not _COMING_EN.search(self.low, 0, offer.start()):
            cuts = sorted({*cuts, offer.end()})
        cuts.append(len(self.low))
        return tuple(
            Clause(a, b, self.blocked or _clause_block(self.low, a, b))
            for a, b in itertools.pairwise(cuts)
            if b > a
        )

    def clause_at(self, position: int) -> Clause:
        """The clause that holds the character at `position`."""
        for clause in self.clauses:
            if clause.start <= position < clause.end:
                return clause
        return self.clauses[-1]

    def block_between(self, start: int, end: int) -> str | None:
        """Why characters [start, end) state nothing, or None where they do."""
        for clause in self.clauses:
            if clause.blocked and clause.start < end and start < clause.end:
                return clause.blocked
        return None


@lru_cache(maxsize=4096)
def _found_in(
    *_words: Hashable,
) -> dict[Hashable, dict[Hashable, object]]:
    return {}


def _clause_block(low: str, start: int, end: int) -> str | None:
    clause = low[start:end]
    condition = _IF.search(low)
    if condition is not None and condition.start() < end:
        if condition.start() >= start:
            return "hypothetical"
        if _BY.search(low):
            return "hypothetical"
    if _UNREAL.search(clause) or _GUESSED.search(low, 0, start):
        return "hypothetical"
    return None


def split_sentences(text: str, lang: str, offset: int = 0) -> list[Sentence]:
    """The sentences of a message, in order, each with why it states nothing, where it does not.

    `lang` is the message's language; a sentence that is clearly in the other one is read in it.
    """
    return list(_sentences(text, lang, offset))


# a message is read again in each of the windows that it belongs to
@lru_cache(maxsize=4096)
def _sentences(text: str, lang: str, offset: int) -> tuple[Sentence, ...]:
    masked = _NOT_MINE.sub(lambda found: " " * len(found[0]), text)
    unquoted = without_quotations(masked, lower(masked))
    if unquoted != masked and not INSTRUCTION.search(lower(masked)):
        # orders are orders, whoever is said to give them
        masked = unquoted
    if lang == "ru":
        masked = without_denied(masked, lower(masked))
    elif lang == "en" and "not " in masked and "but " in masked:
        masked = without_denied_en(masked, lower(masked))
    if lang != "ru" and any(joint in masked for joint in _FRAGMENTS):
        masked = _FRAGMENT.sub(",", masked)
    cuts = [0]
    for found in _END.finditer(masked):
        before = masked[cuts[-1] : found.start()]
        if found[0] == "." and (_ABBREVIATION.search(before) or _INITIAL.search(before)):
            continue
        if (
            found[0] == "."
            and _MONTH_CUT.search(before)
            and _NUMBER_NEXT.match(masked, found.end())
        ):
            continue
        if (
            found[0].strip() in ("—", "–")
            and _COPULA.match(before.strip())
            and not _CLAUSE_AFTER.match(lower(masked[found.end() : found.end() + 6]))
        ):
            continue
        if found[0] == ")" and before.count("(") > before.count(")"):
            continue
        cuts.append(found.end())
    cuts.append(len(masked))
    cuts = [c for c in cuts if c == 0 or not _SLIP_START.match(lower(masked[c : c + 24]))]
    joke = _JOKE_ALL.search(lower(masked)) is not None
    out: list[Sentence] = []
    for a, b in itertools.pairwise(cuts):
        piece = masked[a:b]
        stripped = piece.lstrip(" \t\n—–->•*")
        if not stripped.strip():
            continue
        start = a + len(piece) - len(stripped)
        sentence = stripped.rstrip()
        own = (
            detect_language(sentence, lang)
            if lang not in ("ru", "en")
            else _language(sentence, lang)
        )
        blocked = "joke" if joke else _sentence_block(lower(sentence), own)
        out.append(Sentence(sentence, offset + start, own, blocked))
    return tuple(out)


def _language(sentence: str, lang: str) -> str:
    """The message's language, unless the sentence has no letter of it."""
    has_cyrillic = _CYRILLIC.search(sentence) is not None
    if lang == "ru" and not has_cyrillic:
        return "en"
    return "ru" if has_cyrillic else lang


def _sentence_block(low: str, lang: str) -> str | None:
    if INSTRUCTION.search(low):
        return "instruction"
    bare = low.rstrip(" \"'»)")
    is_telling = _TELLING.search(low) is not None
    if bare.endswith("?") and not is_telling and not _QUESTION_TAIL.search(bare):
        return "question"
    if not is_telling and (_QUESTION_EN if lang == "en" else _QUESTION_RU).search(low):
        return "question"
    if _WHOLE_IF.search(low) or low.startswith(("вот бы", "хорошо бы", "как бы я хотел")):
        return "hypothetical"
    if _JOKE.search(low):
        return "joke"
    if _FICTION.search(low):
        return "fiction"
    if _HEARSAY.search(low):
        return "hearsay"
    if _CITED.search(low):
        return "quotation"
    return None
