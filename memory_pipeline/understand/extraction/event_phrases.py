"""What an event is called: its verb as an infinitive with its object, or its noun; no date."""

import re
from collections.abc import Sequence

from memory_pipeline.understand.dates.resolve import DateMention
from memory_pipeline.understand.extraction.event_cores import Core, base_of
from memory_pipeline.understand.extraction.event_words import PAST_EN
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, parses
from memory_pipeline.understand.word_blocks import words

_MAX_WORDS = 5
_SOMEBODY_NAMED = re.compile(
    r"\b(?:к|ко|у|с|со|за|на|от|для|без|про|о|об)\s+(?:нему|ней|ним|ними|нам|нами|вам|вами|тебе|тебя|нас|вас|нее|неё|него|них)\b"
    r"|\b(?:to|with|for|at|from|on)\s+(?:him|her|them|us|you|me|it)\b",
    re.IGNORECASE,
)


def _is_verb(word: str) -> bool:
    return is_russian(word) and parses(word)[0].tag.POS in ("VERB", "INFN", "PRED")


_ASKS = frozenset(
    words(
        "кто что где когда как куда зачем почему какой какая какие сколько а и ну же ли бы за тебя тебе ты вы вас вам у в на с не мы нам нас уже то там это всё все или"
        " who what where when how why did do does you your the a an is are was were end up to will would so and have has had get got it that in on at still"
    )
)


def completed(
    verb: str,
    what: str,
    sentence: Sentence,
    start: int,
    mentions: Sequence[DateMention],
    asked: str,
) -> str:
    """A verb without an object with what stands before it in its clause, else with what the
    question before named ("а отчёт?" "сдам в пятницу")."""
    clause = sentence.clause_at(start)
    head = "".join(
        " " if any(m.start <= clause.start + i < m.end for m in mentions) else c
        for i, c in enumerate(sentence.text[clause.start : start])
    )
    before = _objects(head) if sentence.lang == "ru" else ""
    return " ".join([what, before or _from_question(verb, asked, sentence.lang)]).strip()


def _objects(text: str) -> str:
    """The noun phrase at the end of a text that stands before its verb, with its preposition."""
    words: list[str] = []
    for word in reversed(re.findall(r"[\w«»-]+", text)):
        bare = word.strip("«»")
        if not is_russian(bare):
            break
        parse = next(
            (p for p in parses(bare) if p.tag.POS in ("NOUN", "ADJF", "PREP", "NUMR")), None
        )
        if (
            parse is not None
            and {"Name", "Patr", "Surn"} & parse.tag.grammemes
            and word[:1].isupper()
        ):
            break
        if parse is None or bare.lower() in _FILLER or (bare.lower() in _EDGE and not words):
            break
        if parse.tag.POS == "NOUN" and words and is_noun(words[0]):
            break
        words.insert(0, word)
        if parse.tag.POS == "PREP":
            break
    nouns = [w for w in words if is_noun(w.strip("«»"))]
    if not nouns or "Name" in parses(nouns[-1])[0].tag:
        return ""
    return " ".join(words[-3:])


def is_noun(word: str) -> bool:
    """Whether a Russian word may be a noun."""
    return is_russian(word) and any(p.tag.POS == "NOUN" for p in parses(word)[:2])


def _from_question(verb: str, asked: str, lang: str) -> str:
    if not asked:
        return ""
    words = re.findall(r"[\w'’-]+", asked)
    if lang == "ru":
        verbs = [w for w in words if is_russian(w) and parses(w)[0].tag.POS == "VERB"]
        same = any(parses(w)[0].normal_form.replace("ё", "е") == verb for w in verbs)
        if verbs and not same:
            return ""
        nouns = [w for w in words if w not in verbs and w.lower() not in _ASKS and is_noun(w) and not w[0].isupper()]  # fmt: skip
        return " ".join(nouns[:2])
    for i, word in enumerate(words):
        plain = word.lower()
        if verb in (plain, base_of(plain) if plain.endswith("ed") or plain in PAST_EN else plain.removesuffix("ing")):  # fmt: skip
            return " ".join(_trimmed([w for w in words[i + 1 :] if w.lower() not in _FILLER]))
    return ""


def phrase_of(core: Core, sentence: Sentence, mentions: Sequence[DateMention]) -> str:
    """The phrase of an event: its verb as an infinitive and its object, or its noun; no date."""
    spans = [(m.start, m.end) for m in mentions if m.start < core.end and core.start < m.end]
    text = "".join(
        " " if any(a <= core.start + i < b for a, b in spans) else c
        for i, c in enumerate(sentence.text[core.start : core.end])
    )
    words = text.split()
    if core.what and not core.thing:
        rest = _SOMEBODY_NAMED.sub(" ", " ".join(words[1:])).split()
        rest = [w for w in rest if w.lower() not in _FILLER]
        return " ".join([core.what, *_trimmed(rest)])
    if core.thing and sentence.lang == "ru":
        noun = re.search(r"([а-яё-]+)\s*$", sentence.text[: core.start], re.IGNORECASE)
        return " ".join([core.what, noun[1].lower() if noun else ""]).strip()
    if sentence.lang == "en" and core.thing:
        *things, verb = [w for w in words if w.lower() not in {"the", "my", "our", "down", "up"}]
        return " ".join([*things, base_of(verb.lower())])
    if sentence.lang == "ru":
        at = next((i for i, w in enumerate(words) if _is_verb(w)), len(words))
        words = words[:at]
    kept = _trimmed([w for w in words if w.lower() not in _FILLER])
    if kept and sentence.lang == "ru" and is_russian(kept[0]):
        noun = next((p for p in parses(kept[0]) if p.tag.POS == "NOUN"), None)
        form = noun.inflect({"nomn"}) if noun is not None else None
        kept[0] = form.word if form is not None else kept[0].lower()
    elif kept:
        kept[0] = kept[0] if kept[0].isupper() else kept[0][:1].lower() + kept[0][1:]
    return " ".join(kept)


_FILLER = frozenset(
    words(
        "свою свой свое своё свои своего моя мой мою моё мои наш наша нашу ваш ваша ваши эти эта этот my our his her their your я мы он она они меня нас мне нам его ее её их это этот эту уже вот же бы там тут еще ещё опять всё все наконец-то очень "
        "в на с к у о по и а i we he she they me us him her them it just really already finally also"
    )
) - {"в", "на", "с", "к", "у", "о", "по"}
_EDGE = frozenset(
    words(
        "в на с со к ко у о об по от до из за для и а the a an at on in by to for with of from around about is was 's"
    )
)


def _trimmed(words: list[str]) -> list[str]:
    """At most a few words, without a preposition left over where a date stood."""
    out = [w.strip("-–—\"'") if not w.startswith(("«", "»")) else w for w in words][:_MAX_WORDS]
    out = [w for w in out if w]
    while out and out[-1].lower() in _EDGE:
        out.pop()
    return out
