"""Whom a statement is about: the person that a verb belongs to."""

import re
from collections.abc import Callable
from dataclasses import replace

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.introductions import introduction
from memory_pipeline.understand.extraction.limit_owners import OWNED_RU, limit_owner
from memory_pipeline.understand.extraction.owners_ru import owned_animate
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.persons_en import persons_en
from memory_pipeline.understand.extraction.persons_ru import persons_ru
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import is_russian, parses

_SELF_CONTAINED = frozenset(
    {"address", "email", "phone", "budget_limit", "tool", "preference", "dislike", "pet"}
)


Latest = Callable[[], SubjectRef | None]
"""The last person of the message, or of those before it, that a pronoun may stand for."""


def persons(sentence: Sentence, scene: Scene) -> list[Person]:
    """The persons of a sentence in order, pronouns among them."""
    found = persons_ru(sentence, scene) if sentence.lang == "ru" else persons_en(sentence, scene)
    own = introduction(sentence)
    if own is None:
        return found
    out = []
    for person in found:
        if person.start < own.end and own.start < person.end:
            # a name's written form may be read as a case of another name ("Ника", "Влада")
            scene.people.introduce(own.name, scene.speaker, taken_for=person.name)
            me = SubjectRef(name=scene.speaker, is_speaker=True)
            person = replace(person, ref=me, name=own.name, first=True)
        out.append(person)
    return out


_GOVERNED = re.compile(r"(?:\w\s+у|\b(?:к|ко|с|со|от|для|без|из|при|через|про|о|об|за|на|по))\s+$")
"""A preposition right before a person, who is no subject then ("в Минске у тётки")."""
_STRANGER = (
    r"friends?|neighbou?rs?|colleagues?|cowork(?:er|mate)s?|roommates?|flatmates?|classmates?|guys?|man|men|woman|women|"
    r"girls?|boys?|lad|lady|persons?|people|folks|bloke|dude|kids?|clients?|customers?|boss|mate|"
    r"dogs?|cats?|puppy|kitten|horse|hamster|parrot"
)
_OF_STRANGER = re.compile(
    rf"(?:(?<!i'm )(?<!i am )\b(?:an?|the|some|that|this|my|our|one|another|two|few|many|of|old|new|good|best|close)\s+(?:{_STRANGER})"
    r"|\b(?:someone|somebody|anyone|anybody))\s+"
    r"(?:who(?:'s|\s+is|\s+are|\s+has|\s+have)?\s+)?(?:(?:is|are|was|were|has|have)\s+)?(?:\w+ly\s+|now\s+|also\s+|just\s+)?$"
)
"""Somebody of whom no more is said, right before a verb that tells of them ("a friend who lives in …")."""


def subject_of(found: Found, sentence: Sentence, scene: Scene, latest: Latest) -> SubjectRef | None:
    """The subject of what a rule found, or None where it cannot be told."""
    me = SubjectRef(name=scene.speaker, is_speaker=True)
    may_be_owned = found.predicate == "budget_limit" or (
        sentence.lang == "ru" and found.predicate in OWNED_RU
    )
    if may_be_owned and (found.subject is None or found.subject.is_speaker):
        holder = limit_owner(found, sentence, persons(sentence, scene))
        if holder is not None:
            return latest() if holder.pronoun else holder.ref
    verb = found.start if found.verb is None else found.verb
    is_own = found.subject is None or found.subject.is_speaker
    if is_own and sentence.lang == "ru" and found.predicate in _DONE_TO:
        everyone = persons(sentence, scene)
        other = _done_to(sentence, verb, everyone)
        if other is not None and other.pronoun:
            named = [p for p in everyone if not p.pronoun and not p.first]
            before = [p for p in named if "nomn" in p.cases and p.end <= other.start]
            return before[-1].ref if before else None if named else latest()
        if other is not None:
            return other.ref
    if is_own and sentence.lang == "en" and found.predicate in ("pet", "relative"):
        keeper = _KEEPER.search(sentence.low, sentence.clause_at(verb).start, found.end)
        if keeper is not None and keeper["who"] not in _OWN_KEEPER:
            named = [
                p
                for p in persons(sentence, scene)
                if "nomn" in p.cases and p.start <= keeper.start() < p.end
            ]
            if keeper["who"] in ("he", "she", "they"):
                return latest()
            return named[0].ref if named else None
    if found.subject is not None:
        return found.subject
    if found.who in (Who.first, Who.second):
        return me
    if _OF_STRANGER.search(sentence.low[:verb]) is not None:
        return None
    if found.predicate == "marital_status" and _wedded(found, sentence) is not None:
        return me
    clause = sentence.clause_at(verb)
    if sentence.lang == "ru" and owned_animate(sentence.text[clause.start : verb]):
        return None
    everyone = persons(sentence, scene)
    here = [
        p
        for p in everyone
        if "nomn" in p.cases and clause.start <= p.start < verb and p.end <= verb + 3
    ]
    if not here and found.who is Who.third:
        # the words found begin with their subject ("мама на инсулине")
        here = [p for p in everyone if p.start == verb and "nomn" in p.cases and not p.pronoun]
    if not here and found.predicate not in _SELF_CONTAINED:
        here = [
            p for p in everyone
            if "nomn" in p.cases and verb < p.start < clause.end and p.start < found.end + 25
            and sentence.lang == "ru" and not p.pronoun
            and _GOVERNED.search(sentence.low, 0, p.start) is None
        ][:1]  # fmt: skip
    if found.who is Who.third and sentence.lang == "en":
        owners = [p for p in everyone if "gent" in p.cases and verb <= p.end <= verb + 3 and p.ref]
        if owners:
            return owners[-1].ref
    if here and sentence.low[here[-1].start : here[-1].end] == "who":
        whose = [p for p in everyone if p.end <= here[-1].start and not p.pronoun]
        name = whose[-1].name if whose else None
        if not whose or whose[-1].ref is not None or name is None:
            return whose[-1].ref if whose else None
        return scene.people.resolve(name)
    is_done = sentence.lang == "ru" and found.predicate in _DONE
    if not here and is_done and _is_of_stranger_ru(sentence, clause.start, verb):
        return None
    if here:
        if here[-1].pronoun:
            named = [
                p
                for p in everyone
                if p.end <= here[-1].start and not p.pronoun and not p.first and p.ref is not None
            ]
            agreeing = [p for p in named if _may_stand_for(here[-1], p, sentence)]
            if agreeing or named:
                named = agreeing or named
                return named[-1].ref
        return _named_after(here[-1], everyone, sentence) or _resolved(here[-1], latest)
    if found.who is Who.third:
        owner = [p for p in everyone if "gent" in p.cases and verb <= p.end <= verb + 3 and p.ref]
        if owner:
            return owner[-1].ref
    earlier = [p for p in everyone if "nomn" in p.cases and p.end <= clause.start]
    if found.who is Who.third:
        oblique = [p for p in everyone if p.end <= clause.start and not p.pronoun and not p.first]
        earlier = [p for p in earlier if not p.first] or oblique
    if earlier and found.who is Who.third:
        return _resolved(earlier[-1], latest)
    if found.who is Who.third:
        return latest()
    if earlier and not earlier[-1].first:
        return _resolved(earlier[-1], latest)
    is_doing = found.predicate in ("location", "employer") and found.mode is Mode.change
    if is_doing and _OF_WHOM_EN.search(sentence.low, clause.start, verb) is not None:
        return None
    return me


_DONE = frozenset(
    {"location", "employer", "job_title", "owns", "marital_status", "education", "tool", "language", "skill", "goal", "plan"}
)  # fmt: skip
"""What somebody does; an illness or a medicine somebody else finds or prescribes."""
_BETWEEN = frozenset(
    {
        "уже",
        "тоже",
        "теперь",
        "сейчас",
        "давно",
        "недавно",
        "наконец",
        "снова",
        "опять",
        "пока",
        "все",
        "еще",
    }
)


def _is_of_stranger_ru(sentence: Sentence, start: int, verb: int) -> bool:
    """Whether somebody of whom no more is said stands right before the verb ("одноклассник стал
    депутатом")."""
    words = [w for w, a, b in sentence.tokens if start <= a and b <= verb]
    while words and words[-1].lower() in _BETWEEN:
        words.pop()
    if not words or not is_russian(words[-1]) or not words[-1].islower():
        return False
    likeliest = parses(words[-1])[0]
    tag = likeliest.tag
    return likeliest.is_known and "NOUN" in tag and "anim" in tag and tag.case == "nomn"


_OF_WHOM_EN = re.compile(
    r"(?:^|[,;.!]\s*|\b(?:and|but|so|because|since|when|that)\s+)(?:my|our|the|his|her|their|your|this|that)\s+(?!whole\b|entire\b|family\b|wife and\b|husband and\b|partner and\b)"
    r"(?:[a-z'’-]+\s+){0,2}?[a-z'’-]+(?<!where)(?<!when)(?<!i)\s+(?:(?:just|recently|finally|also|now|has|have|had)\s+)*$"
)
"""Somebody or something of which no more is known, right before a verb ("my doctor moved to Texas")."""
_KEEPER = re.compile(
    r"(?<![\w'’])(?P<who>[a-z][\w-]*)(?:['’](?:s|ve|d))?\s+(?:(?:also|just|now|still|already|recently|finally|only)\s+)*"
    r"(?:has|have|had|owns?|keeps?|got|gets?|adopted|bought|rescued)\b"
)
"""Whoever has an animal or a child, right before the verb."""
_OWN_KEEPER = frozenset(
    ["i", "we", "and", "just", "finally", "also", "recently", "now", "still", "already", "so", "but", "oh", "well", "to", "who", "family"]
)  # fmt: skip


_DONE_TO = frozenset(
    {"employer", "job_title", "location", "medication", "medical_condition", "budget_limit", "diet"}
)
_OTHERS_DO = re.compile(r"\b(?!если\b|или\b|ли\b)[а-я]+[аеиуыюя]ли\b")
"""A verb of others: what they do they may do to somebody ("уволили", "назначили")."""


def _done_to(sentence: Sentence, verb: int, everyone: list[Person]) -> Person | None:
    """Who else than the speaker others do to what is told ("уволили Олега", "ему назначили
    метформин"), or None."""
    clause = sentence.clause_at(verb)
    here = [p for p in everyone if clause.start <= p.start < clause.end]
    if any(p.first for p in here) or not _OTHERS_DO.search(sentence.low, clause.start, clause.end):
        return None
    for person in here:
        is_pronoun = sentence.low[person.start : person.end] in _OBLIQUE
        if (is_pronoun or (not person.pronoun and person.cases & {"accs", "datv"})) and (
            "nomn" not in person.cases
            and _GOVERNED.search(sentence.low, 0, person.start) is None
            and not _PLACED.search(sentence.low, 0, person.start)
        ):
            return person
    return None


_OBLIQUE = frozenset({"его", "ее", "их", "ему", "ей", "им"})
_PLACED = re.compile(r"\b(?:в|во|под|над|перед|между)\s+$")


_REPORTS = Gated(
    r"\b(?:сказал|говорит|говорил|написал|пишет|писал|сообщил|сообщает|объявил|объявляет|рассказал|рассказывает|хвастает|похвастал|хвалит|"
    r"признал|позвонил|звонил|ответил|отвечает|уверяет|утверждает|жалует|пожаловал)[а-я]{0,4}\b"
)
_MY_WORDS = re.compile(
    r"\b(?:я|мы|мне|нам|меня|нас|мной|мой|моя|мое|мои|моего|моей|моему|моим|моих|наш[а-я]*)\b|\b[а-я]{3,}(?:ю|юсь|ем|им|емся|имся)\b"
)
_OF_LIFE = frozenset(
    {
        "location", "employer", "job_title", "pet", "owns", "marital_status", "education", "language", "diet",
        "allergy", "medical_condition", "medication", "age", "preference", "dislike", "plan", "goal",
    }
)  # fmt: skip


def reporter(found: Found, sentence: Sentence, scene: Scene) -> SubjectRef | None:
    """Who tells of themself in a sentence that passes it on ("дед написал, что завёл козу"), or None
    where the words found have somebody of their own."""
    if sentence.lang != "ru" or found.predicate not in _OF_LIFE:
        return None
    said = _REPORTS.search(sentence.low)
    if said is None or said.end() > found.start:
        return None
    begin = sentence.clause_at(found.start).start
    if _MY_WORDS.search(sentence.low[max(begin, said.end()) : found.end]):
        return None
    near = [
        p for p in persons(sentence, scene)
        if "nomn" in p.cases and not p.pronoun and p.end <= found.start
        and sentence.clause_at(p.start) == sentence.clause_at(said.start())
    ]  # fmt: skip
    return near[-1].ref if near and not near[-1].first else None


_PAIR = Gated(
    r"(?:\b(?:my\s+)?[\w'’-]+(?:\s[\w'’-]+)?\s+and\s+(?:i|me)|\b(?:me|i)\s+and\s+(?:my\s+)?[\w'’-]+|\bмы\s+со?\s+[а-я-]+(?:\s[а-я-]+)?|\bя\s+и\s+[а-я-]+(?:\s[а-я-]+)?|\b[а-я-]+\s+и\s+я)"
    r"\s+(?:(?:are|have|finally|just|officially|recently|now|are now|are finally|got|наконец|недавно|официально|теперь|вчера|сегодня|уже)\s+)*$"
)
"""The speaker and somebody else right before what holds of both ("Jane and I got married")."""
_OWN_WORD = re.compile(r"(?:i|me|я)\s+")


def _wedded(found: Found, sentence: Sentence) -> re.Match[str] | None:
    """The speaker with whom a state of marriage is shared, or None."""
    verb = found.start if found.verb is None else found.verb
    own = _OWN_WORD.match(sentence.low, found.start)
    head = own.end() if own else verb
    return _PAIR.search(sentence.low[:head])


_SHARED = frozenset(
    {
        "location",
        "employer",
        "diet",
        "education",
        "language",
        "preference",
        "dislike",
        "plan",
        "goal",
    }
)
"""What holds of each of several who do it together; a pet or a car they may have between them."""
_WITH = re.compile(
    r"\b(?:мы|живем|переехали|уехали|вернулись|[а-я]{3,}(?:ем|им|емся|имся|ли|лись))\s+(?:вместе\s+)?(?:с|со)\s+$"
)
_AND = re.compile(r"\s+(?:и|да)\s+")


def companions(
    found: Found, subject: SubjectRef, sentence: Sentence, scene: Scene
) -> list[SubjectRef]:
    """Who else does what is stated of `subject`, and is named ("мы с женой Аней живём в Туле")."""
    if sentence.lang != "ru" or found.predicate not in _SHARED:
        return []
    if found.subject is not None and not found.subject.is_speaker:
        return []
    verb = found.start if found.verb is None else found.verb
    clause = sentence.clause_at(verb)
    low = sentence.low
    others = []
    everyone = [p for p in persons(sentence, scene) if clause.start <= p.start < clause.end]
    for n, person in enumerate(everyone):
        if person.first or person.pronoun or person.ref is None or person.ref == subject:
            continue
        if person.name is None:
            continue
        if subject.is_speaker and "ablt" in person.cases:
            is_beside = _WITH.search(low[: person.start]) is not None
        else:
            is_beside = any(
                "nomn" in person.cases & near.cases
                and (near.first or near.ref == subject)
                and _AND.fullmatch(low[min(person.end, near.end) : max(person.start, near.start)])
                for near in everyone[max(0, n - 1) : n + 2]
            )
        if is_beside:
            others.append(person.ref)
    return others


def _named_after(pronoun: Person, everyone: list[Person], sentence: Sentence) -> SubjectRef | None:
    """Whom an English pronoun stands for that is named at the sentence's end ("She knows
    shorthand, my mum")."""
    last = everyone[-1]
    if sentence.lang != "en" or not pronoun.pronoun or last.pronoun or last.first:
        return None
    tail = sentence.low[last.end :].strip(" .!")
    lead = sentence.low[pronoun.end : last.start].rstrip()
    if tail not in ("", "did", "does", "has", "is") or not lead.removesuffix(" my").endswith(","):
        return None
    return last.ref


_MASCULINE = frozenset({"он", "его", "ему", "него", "нему", "ним"})
_FEMININE = frozenset({"она", "ее", "ей", "нее", "ней"})


def _may_stand_for(pronoun: Person, person: Person, sentence: Sentence) -> bool:
    """Whether a Russian pronoun has a person's gender, as far as the name shows one."""
    said = sentence.low[pronoun.start : pronoun.end]
    other = "femn" if said in _MASCULINE else "masc" if said in _FEMININE else None
    if other is None:
        return True
    word = sentence.text[person.start : person.end].split()[0]
    genders = {
        str(p.tag.gender)
        for p in parses(word)
        if "NOUN" in p.tag and p.tag.gender in ("masc", "femn")
    }
    return genders != {other}


def _resolved(person: Person, latest: Latest) -> SubjectRef | None:
    return latest() if person.pronoun else person.ref
