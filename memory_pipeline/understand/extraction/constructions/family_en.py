"""English constructions that name relatives and pets, in words of any kind."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.clauses_en import (
    LEAD,
    by_person,
    frame,
    of_first,
)
from memory_pipeline.understand.extraction.constructions.engine import Construction, Piece
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.people import relative_kind
from memory_pipeline.understand.extraction.places import fold
from memory_pipeline.understand.extraction.rules.pets import PET_EN
from memory_pipeline.understand.extraction.sentences import Sentence

_NAME = re.compile(r"\s*[\"“(]?([A-Z][\w'’-]*[a-z]\w*)")
_NOT_NAME = frozenset(["I", "The", "He", "She", "It", "We", "They", "My", "Our", "His", "Her", "This", "That", "And", "But", "So", "Yes", "No", "Ok", "Okay", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December", "God", "Mum", "Dad", "Mom", "Christmas", "Easter", "Not", "Who", "What", "When", "Where", "Which", "Both", "All"])  # fmt: skip
_TAIL = re.compile(r"['’]s$")


def _one_name(text: str, at: int, stop: int) -> tuple[str, int, int] | None:
    found = _NAME.match(text, at, stop)
    if found is None:
        return None
    name = _TAIL.sub("", found[1])
    if name in _NOT_NAME:
        return None
    return name, found.start(1), found.start(1) + len(name)


_KIN = (
    r"(?:mother|mom|mum|mama|mummy|mommy|father|dad|papa|daddy|brother|bro|sister|sis|son|daughter|husband|hubby|wife|missus|cousin|aunt|auntie|aunty|uncle|grandmother|grandma|granny|nana|nan|gran|grandfather|grandpa|granddad|grandad|"
    r"niece|nephew|(?:mother|father|sister|brother|daughter|son)[- ]in[- ]law|step-?(?:son|daughter|mother|father|mum|mom|dad|brother|sister)|half[- ](?:brother|sister)|grandson|granddaughter|grandchild|twin|godmother|godfather|godson|goddaughter|fianc[eé]+|partner|boyfriend|girlfriend|great-grand(?:mother|father|ma|pa)|ex-husband|ex-wife)"
)
OLD = r"(?:(?:older|younger|elder|little|big|baby|twin|youngest|oldest|eldest|middle|dear|late|lovely|own|first|second|only|new|beautiful|wonderful|teenage|adult|estranged|favourite|favorite|\d+[- ]year[- ]old)\s+)*"
_BABY = {"baby boy": "son", "boy": "son", "little boy": "son", "lad": "son", "son": "son", "baby girl": "daughter", "girl": "daughter", "little girl": "daughter", "daughter": "daughter", "baby": "child", "newborn": "child", "little one": "child", "child": "child", "kid": "child"}  # fmt: skip
_MANY = {"kids": "child", "children": "child", "twins": "child", "boys": "son", "sons": "son", "lads": "son", "girls": "daughter", "daughters": "daughter", "brothers": "brother", "sisters": "sister", "siblings": "sibling", "cousins": "cousin", "nieces": "niece", "nephews": "nephew", "grandkids": "grandchild", "grandchildren": "grandchild", "grandsons": "grandson", "granddaughters": "granddaughter", "aunts": "aunt", "uncles": "uncle", "parents": "parent", "in-laws": "parent-in-law"}  # fmt: skip


def _kind_before(low: str) -> str | None:
    words = re.findall(rf"\b{_KIN}\b", low)
    if words:
        return relative_kind(re.sub(r"\s+", "-", words[-1]) if "in" in words[-1].split() else words[-1])  # fmt: skip
    for word in sorted(_BABY, key=len, reverse=True):
        if re.search(rf"\b{word}\b", low):
            return _BABY[word]
    return None


_THEIR_CHILD = re.compile(
    r"\b(?:her|his|their)\s+(?:first\s+|second\s+|third\s+|new\s+|little\s+|own\s+)*(?:baby|child|kid|newborn)\b"
)
"""Somebody else's child: it is no relative of the speaker's that has a word."""


def kin_named(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The name behind the words that tell what relative bears it."""
    found = _one_name(sentence.text, start, stop)
    clause = sentence.low[max(0, start - 60) : start]
    kind = _kind_before(clause)
    if found is None or kind is None or found[0].isupper():
        return
    if _THEIR_CHILD.search(sentence.low, 0, start):
        return
    name, a, b = found
    scene.people.learn(name)
    scene.people.by_relation[(fold(scene.speaker), kind)] = name
    yield f"{kind}: {name}", a, b


def kin_after(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A relative with a name right at the slot ("after my uncle Bernard")."""
    kin = re.compile(rf"{_KIN}\s+").match(sentence.low, start)
    if kin is not None:
        yield from kin_named(sentence, scene, kin.end(), stop)


def many_named(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Several names in a row behind the word for such relatives."""
    words = re.findall("|".join(sorted(_MANY, key=len, reverse=True)), sentence.low[:start])
    if not words:
        return
    at = start
    while (found := _one_name(sentence.text, at, stop)) is not None:
        name, a, b = found
        scene.people.learn(name)
        yield f"{_MANY[words[-1]]}: {name}", a, b
        joint = re.compile(r"\s*(?:\([^)]{1,12}\)\s*)?(?:,\s*(?:and\s+)?|and\s+|&\s*|\s+and\s+)").match(sentence.text, b)  # fmt: skip
        if joint is None:
            return
        at = joint.end()


def name_before(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A name that the words behind it tell to be a relative ("Kofi's my stepbrother")."""
    name = _TAIL.sub("", sentence.text[start:stop].strip())
    kind = re.search(_KIN, sentence.low[stop : stop + 45])
    if kind is None or not name or not all(w[:1].isupper() for w in name.split()) or name.split()[0] in _NOT_NAME:  # fmt: skip
        return
    relation = relative_kind(re.sub(r"\s+", "-", kind[0]))
    if relation is None:
        return
    scene.people.learn(name)
    scene.people.by_relation[(fold(scene.speaker), relation)] = name
    yield f"{relation}: {name}", start, start + len(name)


_KIN_KEYS = "mother mom mum mama mummy mommy father dad papa daddy brother bro sister sis son daughter husband hubby wife missus cousin aunt auntie aunty uncle grandmother grandma granny nana nan gran grandfather grandpa granddad grandad niece nephew law step half grandson granddaughter grandchild twin godmother godfather godson goddaughter fianc partner boyfriend girlfriend great ex fiance fiancee stepmother"
RELATIVES: list[Construction] = [
    of_first("relative", "named after call", r"\b(?:named|name)\s+(?:\w+\s+){1,3}?after\s+my\s+(?:late\s+)?", kin_after, dated=False),
    of_first("relative", "call", rf"\b(?:i|we)\s+call\s+(?:my|our)\s+{OLD}{_KIN}\s+", kin_named, dated=False),
    of_first("relative", _KIN_KEYS, rf"\b(?:my|our|a|an|have|had|got)\s+{OLD}{_KIN}(?:'s\s+name\s+(?:is|was)|,?\s+(?:is\s+)?(?:called|named)(?!\s+(?:in|me|to|him|her|it|them|on|off|round|back|for))|\s+(?:goes by|answers to))\s+", kin_named, dated=False, confidence=0.87),
    of_first("relative", "boy girl son daughter baby born had welcomed named called", r"\b(?:named|calling|called|call)\s+(?:him|her|them|the (?:baby|boy|girl|little one|newborn)|our (?:son|daughter|baby|boy|girl))\s+", kin_named, dated=False, confidence=0.8),
    of_first("relative", "boy girl son daughter baby born had welcomed", r"(?:\b(?:i|we|i've|we've)\s+|^)(?:just\s+)?(?:had|welcomed|have|got|have had|adopted)\s+(?:an?|our|another)\s+(?:(?:beautiful|healthy|gorgeous|little|first|second|third|bouncing|new)\s+)*(?:baby boy|baby girl|boy|girl|son|daughter|little boy|little girl|baby)\b(?:[^.!?;,:—–-]{0,30}?)(?:[,:—–-]+|\bnamed|\bcalled)\s*", kin_named, dated=False, confidence=0.8),
    of_first("relative", "brothers sisters kids children sons daughters twins boys girls cousins nieces nephews grandkids siblings grandchildren uncles aunts", rf"\b(?:my|our|have|got|i've|we've)\s+(?:[\w-]+\s+){{0,2}}?(?:{'|'.join(sorted(_MANY, key=len, reverse=True))})\s*(?:are\s+(?:called\s+|named\s+)?|,|:|—|–|-|named\s+|called\s+|\(|is\s+)+\s*", many_named, dated=False, confidence=0.86),
    of_first("relative", _KIN_KEYS, rf"(?:^|[,.:;]\s*|\band\s+|\b(?:to|with|meet|is)\s+)(?P<o>[a-z][\w-]+(?:\s[a-z][\w-]+)?)(?:'s|\s+is|\s+was|,)\s+(?:my|our)\s+{OLD}{_KIN}\b(?!\s+(?:and i|'s)|'s)", name_before, dated=False, confidence=0.8),
    of_first("relative", _KIN_KEYS, rf"\b(?:my|our)\s+{OLD}{_KIN}(?:'s|\s+is|,|\s*\(|\s*[—–:-])\s*(?:also\s+)?(?=[a-z])(?!a\b|an\b|the\b|my\b|so\b|in\b|at\b|not\b|on\b)", kin_named, dated=False, confidence=0.62),
    of_first("relative", "mum dad mom sister brother wife husband son daughter gran grandma grandad nan auntie", rf"(?:^|,\s*|\band\s+){_KIN}\s*\(", kin_named, dated=False, confidence=0.8),
    of_first("relative", "or everyone", rf"(?:^|\b(?:my|our)\s+){_KIN},?\s+or\s+(?=[a-z][\w-]+\s+(?:to everyone|as|to (?:her|his|the)))", kin_named, dated=False),
    of_first("relative", "law", rf"(?:^|\b(?:my|our)\s+){OLD}(?:mother|father|sister|brother|daughter|son)[- ]in[- ]law,?\s+", kin_named, dated=False, confidence=0.82),
    of_first("relative", "boyfriend girlfriend partner fiance fiancee missus", rf"\b(?:my|our)\s+{OLD}(?:boyfriend|girlfriend|partner|fianc[eé]+|missus|hubby),?\s+", kin_named, dated=False, confidence=0.8),
]  # fmt: skip

KEEP = rf"(?P<kind>(?:(?!named\b|called\b|is\b|was\b|and\b|to\b|for\b|my\b|our\b|the\b|a\b|new\b|old\b|rescue\b|little\b|lovely\b|beloved\b|elderly\b|two\b|cute\b|tiny\b|fat\b|big\b|young\b|crazy\b|lazy\b|second\b|first\b|other\b)[a-z]+[ -]){{0,1}}?(?:{PET_EN}))s?"
ADORED = r"(?:(?:new|old|rescue|little|lovely|beloved|elderly|two|cute|tiny|fat|big|young|crazy|lazy|second|first|other|dear|sweet|adorable|gorgeous|naughty|ginger|black|white|grey|gray|brown|tabby|\d+[- ]year[- ]old)\s+)*"


def _pet(kind: str, name: str, a: int, b: int) -> Piece:
    return f"{kind}: {name}", a, b


def pets_named(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The names behind the words that tell what animals bear them."""
    kinds = re.findall(rf"\b((?:(?:maine|shih|great|border|german|bernese|golden|guinea|jack|yorkshire|french|boston|cocker|springer|king|bearded|corn|english|irish|siamese|persian|british)\s+)?(?:\w+\s+)?(?:{PET_EN}))(?:s|es)?\b", sentence.low[:start])  # fmt: skip
    if not kinds:
        return
    kind = re.sub(rf"^(?:(?!(?:maine|shih|great|border|german|bernese|golden|guinea|jack|yorkshire|french|boston|cocker|springer|king|bearded|corn|english|irish|siamese|persian|british)\b)\w+)\s+(?=(?:{PET_EN})$)", "", kinds[-1])  # fmt: skip
    at = start
    while (found := _one_name(sentence.text, at, stop)) is not None:
        yield _pet(kind, *found)
        joint = re.compile(r"\s*(?:,\s*(?:and\s+)?|&\s*|\s+and\s+)").match(sentence.text, found[2])
        if joint is None:
            return
        at = joint.end()


def pet_before(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A name that the words behind it tell to be an animal's ("Sultan, our old tomcat")."""
    name = _TAIL.sub("", sentence.text[start:stop].strip())
    if start == 0 and re.search(r"(?:ed|took|fed|got)$", name):
        return
    kind = re.search(rf"\b({PET_EN})\b", sentence.low[stop : stop + 50])
    if kind is None or not name[:1].isupper() or name in _NOT_NAME or " " in name:
        return
    yield _pet(kind[1], name, start, start + len(name))


_MINE = r"(?:my|our)"
_DIED = r"(?:died|passed away|passed|was put (?:down|to sleep)|is gone|has gone|crossed the rainbow bridge|had to be put (?:down|to sleep)|ran away|got run over)"
PET_KEYS = " ".join(
    sorted({w[:4] for word in PET_EN.replace("|", " ").split() for w in (word, f"{word}s")})
)
PETS: list[Construction] = [
    of_first("pet", PET_KEYS, rf"\b(?:to|with|took|take|walking|walked|fed|feed|meet)\s+(?P<o>[a-z][\w-]+)\s+the\s+{ADORED}{KEEP}\b(?!\s+next door|'s)", pet_before, dated=False, confidence=0.75),
    of_first("pet", PET_KEYS, rf"\b(?:rip|r\.i\.p\.?|rest in peace|goodbye|farewell|sleep tight)[,:]?\s+(?:to\s+)?(?P<o>[a-z][\w-]+),?\s+(?:\w+\s+){{0,5}}?{KEEP}\b", pet_before, Mode.end, confidence=0.9),
    of_first("pet", PET_KEYS, rf"\b{_MINE}\s+(?:two|three|four|both)?\s*{ADORED}{KEEP}\s+are\s+(?:called\s+|named\s+)?", pets_named, dated=False),
    of_first("pet", PET_KEYS, rf"\b(?:welcomed|adopted|rescued|got|picked up|brought home|have|share (?:my|our|the) \w+ with|live with|living with)\s+(?:an?|our)\s+{ADORED}{KEEP},?\s*(?:called\s+|named\s+)?", pets_named, dated=None),
    of_first("pet", PET_KEYS, rf"(?:^|[,.;]\s*)(?P<o>[a-z][\w-]+),\s+{_MINE}\s+{ADORED}{KEEP}\b\s*,?\s+(?:\w+\s+){{0,2}}?{_DIED}\b", pet_before, Mode.end),
    of_first("pet", PET_KEYS, rf"\b(?:lost|put down|rehomed|buried|said goodbye to|gave away|had to let go of|had to put)\s+(?:{_MINE}|the|poor|dear|old|our old)\s*{ADORED}{KEEP},?\s+(?:called\s+|named\s+)?", pets_named, Mode.end),
    of_first("pet", PET_KEYS, rf"\b(?:lost|put|rehomed|buried|said goodbye to|had to put)\s+(?:poor |dear |old |our |my )*(?P<o>[a-z][\w-]+)\s+(?:the|our|my)\s+{ADORED}{KEEP}\b", pet_before, Mode.end),
    of_first("pet", "best lost died", rf"\b(?:lost|said goodbye to|put down)\s+(?P<o>[a-z][\w-]+)\b[^.!?]{{0,50}}?\b(?:best|sweetest|loveliest|good|greatest|loyal|dear)\s+(?:old\s+|little\s+)?{KEEP}\b", pet_before, Mode.end),
    of_first("pet", PET_KEYS, rf"(?:^|[,.;]\s*|\b(?:to|with|took|take|walking|walk|fed|feed|and)\s+)(?P<o>[a-z][\w-]+)(?:(?:'s|\s+is|,|\s+was)\s+(?:(?:also|now)\s+)?{_MINE})\s+{ADORED}{KEEP}\b(?!\s+(?:next door|of the|'s)|'s)", pet_before, dated=False, confidence=0.75),
    of_first("pet", PET_KEYS, rf"\b(?:took|take|walked|walking|fed|feeding|got|with|to|and|brought|bathed)\s+(?P<o>[a-z][\w-]+)\b[^.!?]{{0,25}},\s*(?:he's|she's|he is|she is)\s+(?:{_MINE})\s+{ADORED}{KEEP}\b", pet_before, dated=False),
    of_first("pet", PET_KEYS, rf"\b{_MINE}\s+{ADORED}{KEEP}(?:'s\s+name\s+is|\s+(?:is|are)\s+(?:called\s+|named\s+)?|'s\s+(?:called|named)|'s|,?\s+(?:called|named|aka)|\s*[,(:—–-]+|\s)\s*", pets_named, dated=False, confidence=0.8),
    of_first("pet", "pup dog cat puppy kitten name called", rf"(?:^|\b(?:and|but|so)\s+)the\s+{ADORED}{KEEP}(?:'s\s+name\s+is|'s\s+called|\s+is\s+called|\s+is\s+named)\s+", pets_named, dated=False, confidence=0.75),
    of_first("pet", PET_KEYS, rf"(?:\b(?:i|we|i've|we've|i'm|just)\s+(?:have\s+|also\s+|just\s+|now\s+)*|^)(?:have|keep|got|own|adopted|rescued|bought|brought home|'ve|'ve got|owned by|took in|foster|picked up)?\s*(?:an?|two|three|another|this)\s+{ADORED}{KEEP}(?:\s+for [\w ]{{2,15}}?)?,?\s+(?:called|named|whose name is|by the name of|who answers to|calling (?:him|her|it)|we(?:'ve)? (?:called|named) (?:him|her|it)|named (?:him|her|it))\s+", pets_named, dated=None, confidence=0.8),
    of_first("pet", PET_KEYS, rf"(?:\b(?:i|we)\s+(?:also\s+)?|^|\b(?:i've|we've)\s+)(?:have|keep|got|own|had|adopted|'ve got|brought home|rescued)?\s*(?:an?|two|three)\s+{ADORED}{KEEP}(?:\s+for [\w ]{{2,15}}?)?\s*[,:(—–-]+\s*(?:calling (?:him|her|it|them)\s+|called\s+|named\s+)?", pets_named, dated=None, confidence=0.72),
    frame("pet", PET_KEYS, rf"(?P<third>\b(?:has|got|adopted|keeps|owns|'s got|has got))\s+(?:an?|two)\s+{ADORED}{KEEP},?\s+(?:called|named)?\s*", by_person(pets_named), dated=None, confidence=0.8),
    of_first("pet", "dad mum mom dog cat", rf"(?:{LEAD}|\bi'm\s+|\bproud\s+)(?:proud\s+)?(?:dog|cat|bunny|puppy|rabbit|horse|parrot)\s+(?:dad|mum|mom|parent|owner|mama|papa|father|mother)\s+to\s+", pets_named, dated=False),
]  # fmt: skip

FAMILY_EN: list[Construction] = [*RELATIVES, *PETS]
