"""What the words around a date expression make of it: a state that lasts, a habit, a booking."""

import re
from dataclasses import replace

from memory_pipeline.understand.dates.chart import Mention, Node
from memory_pipeline.understand.dates.pieces import Grain
from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.dates.tense import ClauseTense, ru_lasted, ru_present, tense_of
from memory_pipeline.understand.dates.values import When

NEAR_CHARS = 60
FAR_CHARS = 40
# words beside a length of time which say that a state lasts until now: "не курю 40 дней"
_STATE_RU = (
    r"(?:живу|живем|живет|живут|работаю|работает|работаем|учусь|учится|курю|курит|пью|пьет|болею|болеет|"
    r"встречаемся|встречаюсь|знаю|знаем|дружу|дружим|занимаюсь|хожу|ходит|езжу|служу|преподаю|изучаю|сижу|"
    r"принимаю|ем|ест|жду|снимаю|снимаем|женат\w*|замужем|вместе|знакомы|вегетарианствую|не \w+(?:[юу]|л|ла|ли|лся|лась|лись))"
)
_GOES_ON = {
    "ru": (
        re.compile(
            rf"(?<!\w){_STATE_RU} (?:(?:тут|здесь|там|уже|вместе|с \w+|в \w+|на \w+) ){{0,2}}$"
        ),
        re.compile(
            rf"(?: уже)? (?:не \w+(?:ю|у|ем|ет|ит|ишь|им|л|ла|ли|лся|лась|лись)(?!\w)|{_STATE_RU}(?!\w)|как (?!раз(?!\w)))"
        ),
    ),
    "en": (
        re.compile(
            r"(?:been (?:married|together|sober|clean|vegan|single|here)|sober|smoke-free)(?: for)? $"
        ),
        re.compile(r" (?:sober|clean|smoke-free|and counting)(?!\w)"),
    ),
}
_SINCE_THEN_RU = re.compile(r",? как (?!раз(?!\w))")
_NOT_DONE_RU = re.compile(r"(?<!\w)не (?:\w+ )?\w+(?:л|ла|ло|ли|лся|лась|лись)(?!\w)")
# beside "third week": what makes it the third of a state that goes on
_RUNNING = {
    "ru": (
        re.compile(r"(?:уже|вот|идет|пошел|пошла) $"),
        re.compile(r" (?:подряд|как(?! раз)|нет|без|не|на)(?!\w)"),
    ),
    "en": (
        re.compile(
            r"(?:^|[.!?;,\n] ?|(?:this is|it's|its|that's|that makes)(?: now)? |\b(?:my|our|his|her|their) |\b(?:for|already|now) )"
            r"(?:the )?$"
        ),
        re.compile(
            r",? (?:running|in a row|straight|now|already|with(?:out)?|at|in|on|here|as|i|he|she|we|they|of \w+ing|(?!morning|evening|during)\w+ing)\b"
        ),
    ),
}
_CLAUSE_START = re.compile(r"(?:^|[.!?;,\n] ?)$")
_NEXT_WORD = re.compile(r" ([а-яё]+)")
_NOT_RUNNING_RU = re.compile(
    r"(?:^|\W)(?:на|в|во|за|через|с|к|до|по|после|каждый|каждую|весь|всю) $"
)
_HABIT = re.compile(
    r"(?<!\w)(?:(?<!как )обычно|всегда|как правило|usually|always|normally|typically)(?!\w)"
)
# a verb whose object lies ahead though it is past itself: "записался через неделю"
_ARRANGED = re.compile(
    r"обеща|сказал|говор|договор|запис|назнач|план|перен[ео]|отлож|отодвин|заказ|брон|куп(?:ил|лен)|"
    r"promis|\bsaid|\btold|agreed|booked|schedul|planned|appointment|\bset\b|bought|moved|pushed|postpon|due|"
    r"expected|supposed"
)
_BOOKED = {
    "ru": (
        "на ",
        re.compile(
            r"запис(?:ал|ан)|назнач|перенес|отлож|заказ|брони|(?:купил|взял)\w* билет|договор|наметил|план"
        ),
    ),
    "en": (
        "for ",
        re.compile(r"ticket|book|appointment|reserv|schedul|planned|postponed|signed up"),
    ),
}
_CLAUSE_BEFORE = re.compile(r"[^.!?;:,()\n]*$")
# a verb that tells of what lasted, so that "until" names its end
_LASTED_EN = re.compile(
    r"\b(?:was|were|lived|worked|taught|studied|stayed|rented|ran|wrote|had|kept|played|dated|served|smoked|"
    r"drank|ate|used|went|owned|drove|slept)\b(?! (?:to|told|asked|extended|given))"
)


def going_on(node: Node, text: str, lang: str) -> Node:
    """A length of time with what its sentence says of it: that it lasts until now."""
    form = node.value.form
    if form == "elapsed_maybe" and _goes_on(node, text, lang):
        return replace(node, value=replace(node.value, form="goes_on", tense="past"))
    if form == "elapsed" and lang == "ru" and node.value.tense is None:
        around = text[max(0, node.start - NEAR_CHARS) : node.end + NEAR_CHARS]
        if _NOT_DONE_RU.search(around) or _SINCE_THEN_RU.match(text, node.end):
            return replace(node, value=replace(node.value, tense="past"))
    if form == "running_maybe" and _is_running(node, text, lang):
        return replace(node, value=replace(node.value, form="running"))
    return node


def _is_running(node: Node, text: str, lang: str) -> bool:
    """Whether "third week" counts the weeks of a state, and is no week of something else."""
    before, after = _RUNNING[lang]
    left = text[max(0, node.start - NEAR_CHARS) : node.start]
    if before.search(left):
        return lang == "ru" or after.match(text, node.end) is not None
    if lang == "ru":
        return not _NOT_RUNNING_RU.search(left) and (
            after.match(text, node.end) is not None
            or tense_of(text, node.start, node.end, lang) == "present"
            or _GOES_ON[lang][0].search(left) is not None
            or (_CLAUSE_START.search(left) is not None and _names_a_state(text, node.end))
        )
    return False


def _names_a_state(text: str, end: int) -> bool:
    """Whether a noun in the nominative follows: "четвёртый месяц ремонт"."""
    following = _NEXT_WORD.match(text, end)
    read = parses(following.group(1)) if following else ()
    return any("NOUN" in tag and "nomn" in tag for _, tag in read)


def _goes_on(node: Node, text: str, lang: str) -> bool:
    """Whether a bare length of days or more belongs to a state that lasts: a unit without its
    number ("третью неделю") only before "как"."""
    if node.value.first.unit < Grain.day:
        return False
    if " " not in text[node.start : node.end] and not _SINCE_THEN_RU.match(text, node.end):
        return False
    before, after = _GOES_ON[lang]
    return bool(
        before.search(text, max(0, node.start - NEAR_CHARS), node.start)
        or after.match(text, node.end)
    )


def of_a_habit(node: Node, nodes: list[Node], text: str) -> bool:
    """Whether a clock time belongs to what is repeated: "каждую субботу играем в 10"."""
    first = node.value.first
    if not isinstance(first, When) or first.clock is None or first.has_date:
        return False
    for other in nodes:
        if other.value.form == "habit":
            gap = text[min(node.end, other.end) : max(node.start, other.start)]
            if len(gap) <= FAR_CHARS and not re.search(r"[.!?;\n]", gap):
                return True
    return False


def in_its_clause(node: Node, spoken: ClauseTense, text: str, lang: str) -> Mention:
    """The mention as its clause means it. What is counted on from now ("через неделю") counts from
    then beside a past verb that arranges nothing, a moment unknown. "Until" beside a past verb that
    tells of a state names the state's end, which is past as well. A weekday or an hour of a habit
    ("по субботам обычно", "usually on Sunday") is none."""
    mention: Mention = node.value
    if mention.form == "point" and _is_any(mention.first):
        habit = _HABIT.search(text, max(0, node.start - NEAR_CHARS), node.end + NEAR_CHARS)
        return replace(mention, form="undated") if habit else mention
    if mention.state and mention.tense is None and spoken == "present" and lang == "ru":
        # "живу тут с мая" lasts already, "с мая живу тут" may be announced
        clause = _CLAUSE_BEFORE.search(text, max(0, node.start - NEAR_CHARS), node.start)
        if clause is not None and ru_present(clause.group()):
            return replace(mention, tense="past")
    if spoken != "past":
        return mention
    left = text[max(0, node.start - NEAR_CHARS) : node.start]
    if mention.form == "point" and mention.first.ahead:
        around = text[max(0, node.start - NEAR_CHARS) : node.end + NEAR_CHARS]
        return mention if _ARRANGED.search(around) else replace(mention, form="undated")
    if mention.form == "until" and mention.tense == "future" and mention.first.year is None:
        words = text[node.start : node.end]
        lasted = (
            words.startswith(("до ", "вплоть")) and ru_lasted(left or text[node.end :])
            if lang == "ru"
            else words.startswith(("until", "till", "til ", "up ")) and _LASTED_EN.search(left)
        )
        if lasted:
            return replace(mention, tense="past")
    return mention


def _is_any(when: When) -> bool:
    """A bare weekday or clock time, which a habit may name too."""
    if when.fixed or when.moment or when.of or when.turn:
        return False
    fields = when.date_fields().keys()
    return fields == {"weekday"} or (not fields and when.clock is not None)


def is_booked(node: Node, text: str, lang: str) -> bool:
    """Whether a past verb arranges something for the day: "записалась на 15 апреля"."""
    preposition, booked = _BOOKED[lang]
    n_chars = len(preposition)
    beside = (
        text[node.start : node.start + n_chars],
        text[max(0, node.start - n_chars) : node.start],
    )
    if preposition not in beside:
        return False
    around = text[max(0, node.start - NEAR_CHARS) : node.end + NEAR_CHARS]
    return booked.search(around) is not None
