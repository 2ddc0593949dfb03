"""English rules for `preference`, `dislike`, `goal`, `plan` and `owns`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import POINTING_EN
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.phrases import (
    english_phrase,
    phrase_list,
    sentence_case,
)
from memory_pipeline.understand.extraction.rules.aims import VAGUE_PLAN, each_aim, purpose
from memory_pipeline.understand.extraction.rules.grammar import negated
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EN_PREFER = Gated(
    r"\b(?:(?P<first>(?:i|we)(?:'d)?\s+(?:really\s+|always\s+|much\s+|usually\s+|still\s+|generally\s+|also\s+|just\s+|absolutely\s+|totally\s+|definitely\s+)*(?P<v>prefer|love|adore|enjoy|rather have))|(?P<third>(?:he|she|they|[a-z]+)\s+(?:really\s+|always\s+|also\s+)*(?P<v3>prefers?|loves|adores|enjoys))|(?P<fav>my (?:all[- ]time |absolute )?favou?rite (?P<kind>[\w ]{2,25}?) (?:is|are|has to be|was always)))\s+"
)
EN_PREFER_TAIL = Gated(
    r"\b(?:(?:big|huge|massive)\s+fan of|really into|super into|obsessed with)\s+"
)
EN_DISLIKE = Gated(
    r"\b(?:(?P<first>(?:i|we)\s+(?:really\s+|absolutely\s+|just\s+|always\s+|still\s+)*(?:hate|dislike|despise|detest|loathe|can't stand|cannot stand|can't bear|don't like|do not like|don't enjoy)|(?:i'm|i am|im) not (?:a (?:big |huge )?fan of|into|keen on|fond of))|(?P<third>hates|dislikes|despises|detests|can't stand|doesn't like|does not like|is not a fan of|isn't a fan of))\s+"
)
EN_GOAL = Gated(
    r"\b(?:my\s+(?:\w+\s+){0,2}?goals?(?:\s+(?:for|this|in)\s+[\w\s]{2,20}?)?\s*(?:is|are|:|=)\s*(?:to\s+)?|(?:learning\s+)?goals?(?:\s+for\s+[\w\s]{2,20}?)?:\s*|i(?:'m| am) aiming to\s+|i aim to\s+|i set (?:myself )?a goal (?:to|of)\s+)(?P<list>[^.;!?\n]+)"
)
EN_WISH = Gated(
    r"\b(?:i|we)\s+(?:really\s+|also\s+|finally\s+)*want to\s+(?P<verb>(?:learn|lose|run a|run the|get into|pass (?:the|my|our)|save up|quit (?:smoking|drinking)|write a (?:book|novel)|master|become|climb|hold a conversation|speak|finish a|swim|read \d+)\b[^,.;!?\n]*)"
)
EN_PLAN = Gated(
    r"\b(?:(?P<first>(?:i'm|i am|im|we're|we are)\s+(?:\w+ly\s+|also\s+|still\s+|now\s+)*(?:planning (?:to|on)|intending to|gonna|going to)|(?:i|we)\s+(?:\w+ly\s+|also\s+|still\s+)*(?:plan to|plan on|intend to|have plans to|decided to)|the plan is to|(?:my|our) plan is to)|(?P<third>(?:is|'s) planning to|plans to|intends to))\s+(?P<verb>[^,.;!?()\n]+)"
)
EN_OWN = Gated(
    r"\b(?:(?P<state>(?:i|we)\s+(?:\w+\s+)?(?:own|drive|ride)|i(?:'ve| have) got|(?:we|i) get (?:about|around) in)|(?P<new>(?:^|(?:i|we)\s+)(?:just\s+|finally\s+|recently\s+|also\s+)*(?:bought(?:\s+(?:myself|ourselves))?|purchased|picked up|got (?:myself|ourselves))))\s+"
)
EN_SOLD = Gated(
    r"\b(?:(?:i|we)?\s*(?:just\s+|finally\s+|have\s+)*(?:sold|got rid of|traded in|gave away|scrapped))\s+(?:the|my|our)\s+"
)
_DURABLE_EN = re.compile(
    r"\b(?:car|truck|van|suv|bike|bicycle|motorcycle|motorbike|scooter|house|condo|apartment|cottage|cabin|boat|kayak|canoe|camper|rv|trailer|laptop|computer|camera|telescope|piano|guitar|violin|synth|drone|printer|tractor|lathe|"
    r"subaru|toyota|honda|ford|tesla|volvo|bmw|audi|mazda|prius|jeep|kia|hyundai|volkswagen|vw|mercedes|chevy|nissan|macbook|ipad|iphone|playstation|xbox|telescope|skis|surfboard|snowboard|sewing machine|kiln|loom|keyboard|farm|land|flat|moped|sailboat|tent|drums?|cello|saxophone|ukulele|e-bike|ebike|wagon)\b",
    re.IGNORECASE,
)
_WEAK_OBJECT_EN = POINTING_EN | frozenset(
    [
        "being",
        "having",
        "doing",
        "the",
        "fact",
        "to",
        "idea",
        "those",
        "these",
        "one",
        "here",
        "there",
        "seeing",
        "hearing",
        "watching",
        "your",
        "yours",
        "hers",
        "his",
        "their",
        "theirs",
        "yourself",
        "myself",
        "ya",
        "u",
        "y'all",
    ]
)


_MORE = re.compile(r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*[&/]\s*)")
_BOUND = re.compile(
    r"\s*(?:[.!?;:,)(—–]|$)|\s+(?:and|or|but|so|because|since|more than|too|as well|with|in|on|for|these days|lol|tbh)\b"
)
_NO_MEMBER = re.compile(
    r"(?:i|we|he|she|it|they|you|my|your|his|her|our|their|the|that|this|not|no|so|but|which|who|what|how|when|then|also|now|always|never|can|will|is|am|are|was|have|has|had|do|don't|get|got|go|went|hate|want|need|think|everyone|people|one|it's|i'm|i've|let|please|thanks|\w+ly)\b",
    re.IGNORECASE,
)


def others_en(text: str, end: int) -> Iterator[tuple[str, int]]:
    """The members of a list behind its first one, which ends at `end`, each a bare noun phrase."""
    for _ in range(4):
        joint = _MORE.match(text, end)
        if joint is None or _NO_MEMBER.match(text, joint.end()):
            return
        found = english_phrase(text, joint.end(), max_words=3)
        if found is None or _BOUND.match(text, found[2]) is None:
            return
        words = found[0].split()
        if (
            is_given_name(words[0])
            or words[0].endswith("'s")
            or found[0].lower().split()[0] in _WEAK_OBJECT_EN
        ):
            return
        if len(words) > 1 and _VERBAL.match(words[1].lower()):
            return
        yield found[0], found[2]
        end = found[2]


_VERBAL = re.compile(
    r"(?:is|are|was|makes?|helps?|gets?|keeps?|goes|comes|takes?|gives?|works?|always|never|really|just)$"
)


def find_en(sentence: Sentence) -> Iterator[Found]:
    """Likes, dislikes, aims, plans and things owned."""
    text, low = sentence.text, sentence.low
    for found in EN_PREFER_TAIL.finditer(low):
        phrase = english_phrase(text, found.end(), max_words=3)
        if (
            phrase
            and not negated(low, found.start())
            and phrase[0].lower().split()[0] not in _WEAK_OBJECT_EN
            and not re.match(r"(?:the|that|this|your|how)\b", low[found.end() :])
        ):
            yield Found(
                "preference",
                phrase[0],
                found.start(),
                phrase[2],
                Mode.state,
                Who.open,
                verb=found.start(),
                confidence=0.75,
                dated=False,
            )
    for found in EN_DISLIKE.finditer(low):
        for name, _, end in phrase_list(text, found.end(), "en", max_words=4, limit=3):
            if name.lower().split()[0] in _WEAK_OBJECT_EN:
                break
            who = Who.third if found["third"] and found.start() > 2 else Who.first
            yield Found(
                "dislike",
                name,
                found.start(),
                end,
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.82,
                dated=False,
            )
    for found in EN_PREFER.finditer(low):
        if negated(low, found.start()):
            continue
        verb = found["v"] or found["v3"] or ""
        infinitive = re.compile(r"(?:to\s+)([a-z]+[^,.;!?()\n]{0,50})").match(low, found.end())
        if found["third"]:
            head = found["third"].split()[0]
            if head in {
                "who",
                "everyone",
                "everybody",
                "nobody",
                "that",
                "which",
                "it",
                "i",
                "we",
                "you",
                "people",
                "and",
                "also",
                "my",
                "the",
            }:
                continue
        if re.search(r"'d (?:\w+ )?(?:love|enjoy|adore)", found[0]):
            continue
        who = Who.first if found["first"] or found["fav"] else Who.third
        position = found.start() if who is Who.first else found.start("v3")
        if infinitive:
            value = sentence_case(text[infinitive.start(1) : infinitive.end(1)])
            value = re.split(r"\s+(?:because|but|so|when|since|if|and|though)\b", value)[0]
            if re.search(r"'d (?:\w+ )?(?:love|enjoy|adore)", found[0]):
                continue
            if 1 < len(value.split()) <= 7 and not re.match(
                r"(?:hear|see|know|think|say|have|be|get|try)\b", value
            ):
                yield Found(
                    "preference",
                    value,
                    found.start(),
                    infinitive.end(),
                    Mode.state,
                    who,
                    verb=position,
                    confidence=0.7,
                    dated=False,
                    ignores=frozenset({"hypothetical"}) if "'d" in found[0] else frozenset(),
                )
            continue
        keep = (
            frozenset({"over", "to", "than", "with", "in", "without"})
            if verb.startswith("prefer") or verb == "rather have"
            else frozenset()
        )
        phrase = english_phrase(text, found.end(), keep, 6 if keep else 3)
        if phrase is None or phrase[0].lower().split()[0] in _WEAK_OBJECT_EN:
            continue
        if (
            not keep
            and not found["fav"]
            and re.match(
                r"\s*(?:all )?(?:the|that|this|your|his|her|their|these|those|how)\b",
                low[found.end() :],
            )
        ):
            continue
        if (
            not keep
            and not found["fav"]
            and re.match(r"\s*(?:and|,)?\s*(?:you|him|her)\b", low[phrase[2] :])
        ):
            continue
        value = (
            re.sub(r"\bto (?=phone|calls|meetings|\w+s\b)", "over ", phrase[0])
            if verb.startswith("prefer")
            else phrase[0]
        )
        if found["fav"]:
            value = (
                f"{value} ({found['kind'].strip()})"
                if found["kind"].strip() not in value.lower()
                else value
            )
        rest = () if keep or found["fav"] else others_en(text, phrase[2])
        for one, end in ((value, phrase[2]), *rest):
            yield Found(
                "preference",
                one,
                found.start(),
                end,
                Mode.state,
                who,
                verb=position,
                confidence=0.85 if keep or found["fav"] else 0.7,
                dated=False,
                ignores=frozenset({"hypothetical"}) if "'d" in found[0] else frozenset(),
            )
    for found in EN_GOAL.finditer(low):
        at = found.start("list")
        for piece in re.finditer(
            r".+?(?=\s+and\s+(?:finally\s+)?(?:to\s+)?[a-z]+|,\s*|$)", found["list"]
        ):
            value = re.sub(r"^(?:,?\s*and\s+|,\s*)?(?:finally\s+)?(?:to\s+)?", "", piece[0].strip())
            value = (
                sentence_case(text[at + found["list"].find(value, piece.start()) :][: len(value)])
                if value
                else ""
            )
            value = purpose(value)
            if 1 < len(value.split()) <= 9 and not value.split()[0].endswith("ing"):
                yield Found(
                    "goal",
                    value,
                    found.start(),
                    at + piece.end(),
                    Mode.state,
                    Who.first,
                    confidence=0.8,
                    dated=False,
                )
    for found in EN_WISH.finditer(low):
        value = purpose(
            re.sub(
                r"\s+(?:by (?:the|my|this|summer|winter|spring|christmas)|this year|next year|before)\b.*$",
                "",
                text[found.start("verb") : found.end("verb")],
            )
        )
        if (
            value
            and len(value.split()) > 1
            and not re.match(
                r"(?:learn|learn more|become) (?:more|about|how you|a better)\b|become\s+(?:more|less|better)\b",
                value,
            )
        ):
            for one in each_aim(value):
                yield Found(
                    "goal",
                    one,
                    found.start(),
                    found.end(),
                    Mode.state,
                    Who.first,
                    confidence=0.72,
                    dated=False,
                )
    for found in EN_PLAN.finditer(low):
        if negated(low, found.start()):
            continue
        on = re.search(r"\bon\s*$", found[0][: found.start("verb") - found.start()])
        value = purpose(text[found.start("verb") : found.end("verb")])
        if not value or VAGUE_PLAN.match(value.lower()) or len(value.split()) < 2:
            continue
        loose = re.search(r"\b(?:gonna|going to|decided to)\b", found[0])
        if re.match(r"(?:mov(?:e|ing)|relocat\w+|quit\w*)\b", value) or loose:
            continue
        if on and not value.split()[0].endswith("ing"):
            continue
        who = Who.third if found["third"] else Who.first
        yield Found(
            "plan",
            value,
            found.start(),
            found.end(),
            Mode.state,
            who,
            verb=found.start(),
            confidence=0.78,
            dated=False,
        )
    for found in EN_SOLD.finditer(low):
        phrase = english_phrase(text, found.end(), max_words=3)
        if phrase and _DURABLE_EN.search(phrase[0]):
            yield Found(
                "owns", phrase[0], found.start(), phrase[2], Mode.end, Who.open, confidence=0.8
            )
    for found in EN_OWN.finditer(low):
        if negated(low, found.start()):
            continue
        mode = Mode.change if found["new"] else Mode.state
        for name, _, end in phrase_list(text, found.end(), "en", max_words=4, limit=3):
            if not _DURABLE_EN.search(name):
                break
            plain = re.sub(
                r"^(?:(?:rusty|old|new|used|second-?hand|brand new|cheap|little|small|big|beautiful|nice)\s+)+",
                "",
                name,
            )
            yield Found(
                "owns",
                plain,
                found.start(),
                end,
                mode,
                Who.open,
                verb=found.start(),
                confidence=0.8,
                dated=mode is Mode.change,
            )
