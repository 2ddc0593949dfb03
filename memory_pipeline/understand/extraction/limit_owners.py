"""Whose a limit of money, a deadline or an address is, where its words give it to somebody else
than the speaker ("my boss's budget", "у сестры бюджет", "адрес мамы")."""

from dataclasses import dataclass

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found
from memory_pipeline.understand.extraction.lexicon import is_occupation
from memory_pipeline.understand.extraction.people import is_other_person, relative_kind
from memory_pipeline.understand.extraction.persons import Person
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.morphology import parses

_LIMIT_EN = r"(?:[\w-]+\s+){0,2}?(?:budget|limit|cap|ceiling|maximum|max)\b"
_OWNED_EN = Gated(
    rf"\b(?P<owner>[\w-]+)'s?\s+(?:hard\s+|new\s+|total\s+|spending\s+|max\s+)*(?:budget|limit|cap|ceiling|maximum)\b"
    rf"|\b(?P<has>[\w-]+)\s+(?:has|had|has got)\s+(?:an?|the|only|her|his)\s+{_LIMIT_EN}"
    rf"|\b(?P<pronoun>his|her|your)\s+{_LIMIT_EN}"
)
_GROUPS = frozenset(
    {
        "boss", "company", "firm", "employer", "client", "customer", "manager", "landlord", "landlady", "supplier",
        "agency", "government", "council", "bank", "university", "school", "club", "startup", "competitor", "investor",
        "компания", "фирма", "организация", "контора", "работодатель", "министерство", "государство", "банк", "вуз",
        "университет", "школа", "агентство", "конкурент",
    }
)  # fmt: skip
"""Who has money of their own besides persons."""
_ADJECTIVES_RU = r"(?:[а-я-]+(?:ого|его|ой|ей|их|ых)\s+)?"
_LIMIT_RU = r"(?:бюджет|лимит|потолок|смета)"
_OWNED_RU = Gated(
    rf"\bу\s+{_ADJECTIVES_RU}(?P<at>[а-я-]+)\s+(?:[а-я-]+\s+){{0,3}}?{_LIMIT_RU}\b"
    rf"|\b{_LIMIT_RU}\s+(?:у\s+)?{_ADJECTIVES_RU}(?P<of>[а-я-]+)\b"
    rf"|\b(?P<pronoun>его|ее)\s+{_LIMIT_RU}\b"
)
_OF_RU = {
    "budget_limit": _OWNED_RU,
    "address": Gated(
        rf"\bадрес\s+(?:у\s+)?{_ADJECTIVES_RU}(?P<of>[а-я-]+)\b|\b(?P<pronoun>его|ее)\s+адрес\b"
    ),
    "deadline": Gated(
        rf"\b(?:дедлайн|срок)\s+(?:у\s+)?{_ADJECTIVES_RU}(?P<of>[а-я-]+)\b"
        rf"|\bу\s+{_ADJECTIVES_RU}(?P<at>[а-я-]+)\s+(?:[а-я-]+\s+){{0,2}}?(?:дедлайн|срок)\b"
        r"|\b(?P<pronoun>его|ее)\s+(?:дедлайн|срок)\b"
        r"|\b(?P<to>[а-я-]+)\s+(?:[а-я-]+\s+)?(?:надо|нужно|необходимо|придется|велено|велели|поручили|предстоит)\b"
    ),
}
OWNED_RU = frozenset(_OF_RU)
"""What a Russian genitive may give to somebody else."""
_BEHIND = 12
"""How far behind its owner something may stand in a clause of its own ("адрес мамы: ул. …")."""
_OBLIQUE = ("gent", "gen2", "datv")


@dataclass(frozen=True)
class Owner:
    """Somebody else whose limit it is; `ref` is null for one who is no person of the memory."""

    ref: SubjectRef | None
    pronoun: bool = False


def limit_owner(found: Found, sentence: Sentence, everyone: list[Person]) -> Owner | None:
    """Who else has the limit that was found, or None where it is the speaker's."""
    pattern = _OF_RU[found.predicate] if sentence.lang == "ru" else _OWNED_EN
    clause = sentence.clause_at(found.start)
    for owned in pattern.finditer(sentence.low):
        is_here = clause.start <= owned.start() < max(clause.end, found.end)
        if not is_here and not 0 <= found.start - owned.end() <= _BEHIND:
            continue
        if owned["pronoun"]:
            return Owner(None, pronoun=owned["pronoun"] != "your")
        groups = owned.groupdict()
        group = next(g for g in ("owner", "has", "at", "of", "to") if groups.get(g))
        owner = _owner(owned[group], owned.start(group), sentence, everyone)
        if owner is not None:
            return owner
    return None


def _owner(word: str, at: int, sentence: Sentence, everyone: list[Person]) -> Owner | None:
    named = next((p for p in everyone if p.start <= at < p.end), None)
    if named is not None:
        if named.first or (named.ref is not None and named.ref.is_speaker):
            return None
        return Owner(named.ref, pronoun=named.pronoun)
    if sentence.lang == "en":
        is_anothers = (
            word in _GROUPS or relative_kind(word) is not None
            or is_other_person(word) or is_occupation(word)
        )  # fmt: skip
        return Owner(None) if is_anothers else None
    for parse in parses(word):
        if parse.tag.POS == "NOUN" and parse.tag.case in _OBLIQUE:
            return Owner(None) if "anim" in parse.tag or parse.normal_form in _GROUPS else None
    return None
