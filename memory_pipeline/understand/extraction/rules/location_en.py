"""English rules for `location`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import tool_name
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.places import (
    english_place,
    is_known_place,
)
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.rules.location_ru import (
    moves_something,
    visits,
)
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EN_STATE = Gated(
    r"\b(?:(?P<first>i|we)\s+(?:currently\s+|now\s+|still\s+|actually\s+|mostly\s+|just\s+)*(?:live|reside|stay|work|rent)"
    r"|(?P<firsting>i'm|i am|im|we're|we are)\s+(?:currently\s+|now\s+|still\s+|temporarily\s+|already\s+|actually\s+|just\s+|mostly\s+)*(?:living|residing|staying|based|working|stuck|settled|settling down|settling|located|stationed|posted|holed up|hunkered down|renting|camped out|camping out|crashing|holed up)"
    r"|(?P<third>lives|resides|stays|works|(?:is|'s|are)\s+(?:currently\s+|now\s+|still\s+)*(?:living|based|staying|working|located|settled|stuck|stationed|renting))"
    r"|(?P<open>working|living|staying|based|put down roots|putting down roots|got a place|set up camp|set up shop|posting|writing|writing to you|checking in|new place|our place|bought a (?:house|flat|place|condo)|renting a (?:flat|place|room)))"
    r"(?P<fill>(?:\s+(?!in\b|at\b|from\b|near\b|to\b|with\b|for\b|as\b|on\b)[\w'-]+){0,3}?)(?:\s+(?P<prep>in|at|from|near|out of|just outside|outside)\s+)"
    r"(?:(?:my|our|the|his|her|their)\s+(?:[\w'’]+\s+){1,3}(?:in|near)\s+)?(?:downtown\s+|central\s+|north\s+|south\s+|sunny\s+|rainy\s+)?"
)
EN_BE = Gated(
    r"(?:^|[\s,(])(?:(?P<first>i'm|i am|im|we're|we are|still(?= in)|stuck(?= in)|i'll be|we'll be|i will be|we will be|i've been|we've been|i have been|we have been)|(?P<third>(?:he|she|they|\w+)(?:'s| is| has been| have been|'ll be| will be|'s been|'re| are)))\s+"
    r"(?:currently\s+|now\s+|still\s+|back\s+|home\s+|already\s+|actually\s+|just\s+|out\s+|over\s+|here\s+|down\s+|up\s+|temporarily\s+|also\s+|both\s+)*(?:in|at)\s+(?:downtown\s+|sunny\s+|rainy\s+|central\s+)?"
)
EN_HOME = Gated(
    r"\b(?:calling|i now call|we call|(?<!at )home is|(?<!at )home's|home base is|it's home in|hometown now is|my desk is in the|my desk's in the|my office is in|i call)\s+(?:now\s+|still\s+|in\s+)?"
)
EN_CHANGE = Gated(
    r"\b(?:(?P<future>(?:i'm|i am|im|we're|we are|i'll be|we'll be|i will be|i'll|we'll|i will|we will|going to|gonna|about to)\s+(?:\w+\s+){0,2}?(?:moving|relocating|transferring|heading back|moving back|returning|move|relocate|be moving))"
    r"|(?P<future3>(?:is|are|'s|he's|she's|they're|will)\s+(?:\w+\s+){0,1}?(?:moving|relocating|transferring|returning|move|relocate))"
    r"|(?P<bare>moving|relocating)"
    r"|(?P<past>(?:just\s+|finally\s+|recently\s+|already\s+|officially\s+)?(?:moved|relocated|resettled|settled|transferred|got back|came back|landed)))"
    r"(?P<fill>(?:\s+(?!to\b|in\b)[\w'-]+){0,4}?)\s+(?:back\s+)?(?P<prep>to|in|into)\s+(?:my\s+\w+\s+in\s+|(?:an?|our|my|the)\s+(?:[\w-]+\s+){0,2}?(?:place|flat|house|apartment|condo|cottage|bungalow|studio|room|home)\s+(?:in|near|outside|by)\s+|the\s+)?"
)
_EN_NAME = r"[A-Z][\w’'-]+(?:\s[A-Z][\w’'-]+)?"
EN_IS_HOME = Gated(
    rf"\b(?:(?P<place>{_EN_NAME})(?:\s+is|['’]s)\s+(?:(?:now|our|my|finally|officially|new)\s+)*(?:home|base)\b(?!\s+(?:to|is|was|in|are|town|page|address|phone|office)\b)|I['’]?(?:m| am)\s+(?:now\s+)?a\s+(?P<place2>{_EN_NAME})\s+(?:resident|local))"
)
EN_SWAPPED = Gated(
    rf"\b(?:[Ss]wapped|[Tt]raded|[Ll]eft)\s+(?P<old>{_EN_NAME})(?:\s+(?:winters|summers|rain|life|snow|traffic|weather))?\s+(?:for|behind for)\s+(?P<new>{_EN_NAME})"
)
EN_PAST = Gated(
    r"\b(?:used to live|used to be based|used to stay|lived|was living|were living|was based|grew up and lived|spent \w+ \w+)\s+(?:\w+\s+)?(?:in|at)\s+"
)
EN_END = Gated(
    r"\b(?:moved out of|moved away from|left|moving out of|leaving)\s+(?=[A-Z])", re.IGNORECASE
)
EN_DENY = Gated(
    r"\b(?:i'm|i am|im|we're|we are|i|we|he's|she's)\s+(?:(?P<more>no longer|not\s+(?=[\w\s]*any ?more)|don't\s+(?=[\w\s]*any ?more))|not|don't|do not)\s*(?:actually\s+|even\s+)?(?:live|living|based|staying|located)?\s*(?:in|at)\s+"
)
EN_CANCEL = Gated(
    r"\b(?:the|our|my)\s+(?:\w+\s+)?(?:move|relocation)\b.{0,40}?\b(?:is off|was off|cancell?ed|called off|fell through|not happening|won't happen|scrapped|isn't happening)|"
    r"\b(?:not|no longer|aren't|isn't)\s+(?:moving|relocating)\b|\bcalled off (?:the|our|my) (?:\w+\s+)?move\b|\bdecided (?:not to|against) mov(?:e|ing)\b"
)


_AT_SOMEBODYS = re.compile(r"\bat\s+(?:my|our|his|her|their|the)\s+(?:\w+\s+)?$")
"""Before somebody whose home it is ("I'm at my mother's in Tampa")."""


_OWNED_BY_ANOTHER = re.compile(
    r"(?<!where)(?<!it)(?<!that)(?<!here)['’]s\s+(?:\w+\s+)?$|\b(?:his|her|their|your)\s+(?:\w+\s+)?$"
)
"""Somebody else's, right before a home ("Boris's home is in Duluth")."""


def _from_tool(words: str) -> bool:
    """Whether what something moves from is a tool ("moved from Trello to Linear")."""
    named = re.search(r"\bfrom\s+([\w.+#-]+)", words)
    return named is not None and tool_name(named[1]) is not None


def find_en(sentence: Sentence) -> Iterator[Found]:
    """Places: lived in, moved to, left, denied; a move called off."""
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for found in EN_IS_HOME.finditer(text):
        group = "place" if found["place"] else "place2"
        if is_given_name(found[group].split()[0]) and not is_known_place(found[group]):
            continue
        taken.add(found.start(group))
        yield Found(
            "location",
            found[group],
            found.start(),
            found.end(),
            Mode.state,
            Who.first,
            confidence=0.85,
        )
    for found in EN_SWAPPED.finditer(text):
        if is_known_place(found["old"]) or is_known_place(found["new"]):
            taken.update((found.start("old"), found.start("new")))
            yield Found(
                "location",
                found["old"],
                found.start(),
                found.end(),
                Mode.end,
                Who.open,
                confidence=0.8,
            )
            yield Found(
                "location",
                found["new"],
                found.start(),
                found.end(),
                Mode.change,
                Who.open,
                confidence=0.85,
            )
    cancelled = EN_CANCEL.search(low)
    if cancelled:
        yield Found(
            "location",
            None,
            cancelled.start(),
            cancelled.end(),
            Mode.cancel,
            verb=cancelled.start(),
            dated=False,
        )
    for pattern, mode, confidence in (
        (EN_DENY, Mode.denial, 0.8),
        (EN_CHANGE, Mode.change, 0.9),
        (EN_PAST, Mode.past, 0.8),
        (EN_STATE, Mode.state, 0.92),
        (EN_HOME, Mode.state, 0.8),
        (EN_BE, Mode.state, 0.85),
        (EN_END, Mode.end, 0.75),
    ):
        for found in pattern.finditer(low):
            spot = english_place(text, found.end())
            if spot is None or spot[1] in taken:
                continue
            groups = found.groupdict()
            if pattern is EN_CHANGE and (
                cancelled
                or (
                    groups["past"]
                    and groups["prep"] == "in"
                    and not found["fill"].strip()
                    and "settled" not in found[0]
                    and "landed" not in found[0]
                )
            ):
                continue
            if pattern in (EN_STATE, EN_CHANGE, EN_PAST) and negated(low, found.start()):
                continue
            if pattern is EN_STATE and "work" in found[0] and groups["prep"] in ("at", "near"):
                continue
            if pattern is EN_BE and (groups.get("third") or "").split("'")[0].split(" ")[0] in {
                "it",
                "there",
                "that",
                "this",
                "what",
                "which",
                "here",
                "who",
                "where",
            }:
                continue
            if pattern is EN_BE and groups.get("third") and _AT_SOMEBODYS.search(low, 0, found.start("third")):  # fmt: skip
                continue
            if pattern is EN_BE and (
                found[0].rstrip().endswith(" at") or visits(sentence, spot[1])
            ):
                continue
            if pattern is EN_CHANGE and (moves_something(low, found) or _from_tool(found["fill"])):
                continue
            if (
                pattern is EN_DENY
                and found[0].rstrip().endswith(" at")
                and not is_known_place(spot[0])
            ):
                continue
            if (
                pattern is EN_BE
                and groups.get("third")
                and groups["third"].startswith(("office", "company", "store", "site"))
            ):
                continue
            if pattern is EN_HOME and _OWNED_BY_ANOTHER.search(low[: found.start()]):
                continue
            if pattern is EN_END and (not is_known_place(spot[0]) or negated(low, found.start())):
                continue
            who = person_of(found)
            if groups.get("future"):
                who = Who.first
            elif groups.get("future3"):
                who = Who.third
            taken.add(spot[1])
            kind = Mode.end if pattern is EN_DENY and groups["more"] else mode
            verb = found.start() + (len(found[0]) - len(found[0].lstrip(" ,(")))
            if pattern is EN_BE and who is Who.third:
                verb = found.start("third") + len(re.match(r"[\w]+", found["third"])[0])  # type: ignore[index]
            yield Found(
                "location",
                spot[0],
                found.start(),
                spot[2],
                kind,
                who,
                verb=verb,
                confidence=confidence,
            )
