"""English rules for `employer` and `job_title`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.lexicon import (
    is_occupation,
)
from memory_pipeline.understand.extraction.rules.grammar import negated, person_of
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EN_WORK = Gated(
    r"\b(?:(?P<first>(?:i|we)\s+(?:still\s+|currently\s+|now\s+|also\s+|actually\s+)*(?:work|am working|have been working|teach|nurse)|(?:i'm|i am|im|we're|i've been|i have been)\s+(?:still\s+|currently\s+|now\s+|also\s+)*(?:working|employed|nursing|teaching|interning)|i\s+(?:do|run|handle|manage|lead)\s+\w+|(?:i've |i have )?been(?: (?:working|driving|nursing|teaching|cooking|coding|consulting|contracting|freelancing|writing|designing|managing|selling|temping|interning|volunteering|pulling pints|tending bar|waiting tables))?|^working)"
    r"|(?P<third>works|(?:is|'s)\s+(?:still\s+|currently\s+|now\s+)*(?:working|employed)|has been working|teaches|drives|cooks|codes|writes|drove)|(?P<still>still))"
    r"(?:\s+as\s+(?P<job>(?:an?|the)\s+[\w\s-]{2,40}?))?(?:\s+(?!at\b|for\b|as\b|in\b|from\b|on\b|with\b)[\w-]+){0,2}?\s+(?:at|for|with)\s+"
)
EN_JOIN = Gated(
    r"\b(?:(?P<past>(?:just\s+|finally\s+|recently\s+)?(?:joined|got hired (?:at|by)|was hired (?:at|by)|took (?:a |the )?(?:job|offer|position|role|gig) (?:at|with|from)|start(?:ed|ing) (?:work(?:ing)? |a (?:new )?job |my new job |a new role )?at|got a (?:new )?job (?:at|with)|landed a job (?:at|with)|accepted (?:an offer|a job|a position|a role) (?:from|at|with)|signed with|switched to working at|moved over to|went to work for|now at|now with|now working (?:at|for)|my new (?:job|gig|employer) is(?: at| with)?))"
    r"|(?P<future>(?:i'm|i am|im|i'll be|i will be|we're|i)\s+(?:joining|starting (?:work |a (?:new )?job |my new job )?at|start (?:work |a new job )?at|going to work (?:at|for)|switching to))|(?P<hired>hired!?\s+(?:at|by)))\s+"
)
EN_LEAVE = Gated(
    r"\b(?:(?P<verb>handed (?:in my notice|my notice in) at|gave (?:my )?notice at|quit|quitting|left|leaving|resigned from|resigning from|got fired from|was fired from|got laid off (?:from|by)|was laid off (?:from|by)|am done at|wrapped up at|parted ways with|handed in my notice at|lost my job at|last day at|last shift at|finished at|done at)(?:\s+my\s+job\s+at)?\s+(?=[\w]))"
)
EN_QUIT = Gated(
    r"(?:^|\b(?:i|i've|i have|i just|i finally)\s+|^so\s+|^well\s+)(?:just\s+|finally\s+|officially\s+)?(?:quit|resigned|got fired|got laid off|was laid off|was fired|left my job)\b(?!\s+(?:\w+ing\b|eating|meat|dairy|gluten|smoking|drinking|coffee|sugar|vaping|social|instagram|facebook|twitter|the gym|playing|eating))|"
    r"\b(?:quit|left|lost) my (?:\w+\s+)?job\b|\bi(?:'ve| have)? been (?:laid off|let go|fired)\b|\b(?:handed (?:in|over)|gave|put in|turned in|hung up) my (?:(?:two|four) weeks'? |month's )?(?:notice(?: in)?|resignation|apron|badge|lanyard|uniform|pager|hard hat|stethoscope)\b"
)
EN_NO_LONGER = Gated(
    r"\b(?:no longer|not)\s+(?:working\s+|employed\s+)?(?:at|with|for|by)\s+(?=\w)"
)
_HAS = re.compile(r"(?:\bhas|\bhad|'s|\bthey've|\bthey have)\s+(?:\w+\s+){0,2}$")
"""What makes a perfect somebody else's."""
_ANY_MORE = re.compile(r"[^,.;!?]{0,25}?\s(?:any\s?more|any longer|these days)\b")
EN_USED = Gated(r"\b(?:used to work|worked|used to be employed)\s+(?:\w+\s+)?(?:at|for)\s+")
EN_AM = Gated(
    r"(?:^|[\s,(])(?:(?P<first>(?:i'm|i am|im)|i(?:'ve| have) been|i was (?:just )?promoted to|i got promoted to|i just became|i became|i was made)|(?P<third>(?:he|she|\w+)(?:'s| is| was promoted to| got promoted to| just became| became)))\s+"
    r"(?:currently\s+|now\s+|still\s+|also\s+|actually\s+|officially\s+|just\s+|technically\s+|basically\s+|strictly speaking\s+|working as\s+|our\s+new\s+|our\s+|the\s+new\s+|the\s+|a\s+|an\s+)+"
)
EN_AS = Gated(
    r"\b(?:(?P<first>(?:i|i'm|i am|im)\s+(?:currently\s+|now\s+)?(?:work(?: nights| days| part[- ]time| full[- ]time)?|working|start|starting|freelance|freelancing|moonlight|trained|employed|joining \w+(?:\s+in \w+)?|joining \w+))|(?P<third>works|is working|started|starts)|(?P<open>promoted to|hired as|hired!|made me|new role as|promotion finally came through,|new job as|start as|starting as))\s*(?:as\s+)?(?:an?\s+|the\s+)?"
)


def job_en(text: str, at: int) -> tuple[str, int, int] | None:
    found = re.compile(
        r"((?:[\w&/+#.-]+\s+){0,4}?)([A-Za-z]+(?:/[A-Za-z]+)?)(?=\s+(?:at|for|with|in|on|from|and|but|who|now|by|here|since|until|of|as|these|currently|again|too|effective)\b|\s*[,.;:!?)(—–]|\s+-|\s*$|\s+[^\w\s])"
    ).match(text, at)
    if found is None or not is_occupation(found[2]):
        return None
    phrase = f"{found[1]}{found[2]}".strip()
    of = re.compile(
        r"\s+of\s+((?:the\s+)?\w+(?:\s+\w+)?)(?=\s*(?:[,.;!?]|$|\s(?:at|for|and|in|since)\b))"
    ).match(text, found.end())
    if of:
        phrase = f"{phrase} of {of[1]}"
    elif (
        found[2].lower()
        in {"head", "lead", "model", "guide", "server", "judge", "guard", "cook", "officer"}
        and found[2].lower() in {"head", "model", "server", "lead"}
        and " " not in phrase
    ):
        return None
    words = phrase.lower().split()
    if set(words) & {
        "not",
        "no",
        "the",
        "my",
        "your",
        "his",
        "her",
        "their",
        "our",
        "big",
        "good",
        "bad",
        "huge",
        "terrible",
        "great",
        "if",
        "when",
        "because",
        "sure",
        "happy",
        "glad",
        "seeing",
        "looking",
        "calling",
        "waiting",
        "dating",
    }:
        return None
    end = of.end() if of else found.end()
    return re.sub(r"^(?:an?|the)\s+", "", phrase), found.start(), end


def organisation_en(text: str, at: int) -> tuple[str, int, int] | None:
    found = re.compile(
        r"(?:the\s+|a\s+(?:company|startup|firm|place|studio)\s+(?:called|named)\s+)?((?:[A-Z0-9]|[a-z]{1,4}[A-Z])[\w&'’.-]*(?:\s+(?:of\s+|and\s+|&\s+)?[A-Z][\w&'’.-]*){0,3})"
    ).match(text, at)
    if found is None:
        return None
    name = re.sub(r"[.,]+$", "", found[1])
    if re.search(r"\s(?:Street|Road|Avenue|Lane|Close|Crescent|Drive|Rd|Ave)$", name):
        return None
    if (
        name.isdigit()
        or name.lower() in {"i", "i'm", "home", "monday", "the"}
        or re.match(
            r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?s?)$",
            name,
        )
    ):
        return None
    if name.split()[0] in {
        "I",
        "My",
        "Your",
        "His",
        "Her",
        "Our",
        "Their",
        "This",
        "That",
        "It",
        "A",
        "An",
    }:
        return None
    return name, found.start(1), found.start(1) + len(name)


def work_en(sentence: Sentence) -> Iterator[Found]:
    """Employers and jobs: held, begun, left."""
    text, low = sentence.text, sentence.low
    taken: set[int] = set()
    for pattern, mode, confidence in (
        (EN_USED, Mode.past, 0.85),
        (EN_JOIN, Mode.change, 0.9),
        (EN_WORK, Mode.state, 0.9),
    ):
        for found in pattern.finditer(low):
            if negated(low, found.start()):
                continue
            firm = organisation_en(text, found.end())
            if firm is None or firm[1] in taken:
                continue
            if pattern is EN_WORK and found["still"] and not re.search(r"\bat\s+$", found[0]):
                continue
            taken.add(firm[1])
            who = person_of(found)
            if found[0].startswith("been") and _HAS.search(low, 0, found.start()):
                who = Who.third
            yield Found(
                "employer",
                firm[0],
                found.start(),
                firm[2],
                mode,
                who,
                verb=found.start(),
                confidence=confidence,
            )
            as_job = re.compile(r"\s+as\s+(?:an?\s+|the\s+)?").match(low, firm[2])
            job = job_en(text, as_job.end()) if as_job else None
            if job:
                yield Found(
                    "job_title",
                    job[0],
                    found.start(),
                    job[2],
                    mode,
                    person_of(found),
                    verb=found.start(),
                    confidence=0.85,
                )
    for found in EN_NO_LONGER.finditer(low):
        firm = organisation_en(text, found.end())
        if firm and ("no longer" in found[0] or _ANY_MORE.match(low, firm[2])):
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
    for found in EN_LEAVE.finditer(low):
        firm = organisation_en(text, found.end())
        if firm is None or firm[1] in taken or negated(low, found.start()):
            continue
        if found["verb"] in ("left", "leaving") and not re.search(
            r"\b(?:job|work|company|employ|team|joined|joining|startup|notice|nurs\w+|engineer|position|role|now at|been at|started)\b",
            low,
        ):
            from memory_pipeline.understand.extraction.places import is_known_place

            if is_known_place(firm[0]) or firm[0].split()[0] in {"Mom", "Dad"}:
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
            confidence=0.8,
        )
    quit_job = EN_QUIT.search(low)
    if quit_job and re.search(
        r"\b(?:since|because|'cause|cause|when|after|before|why|how|if)\s+(?:i\s+)?(?:just\s+)?$",
        low[: quit_job.start()],
    ):
        quit_job = None
    if quit_job and not taken:
        yield Found(
            "employer", None, quit_job.start(), quit_job.end(), Mode.end, Who.open, confidence=0.8
        )
    seen: set[int] = set()
    for pattern in (EN_AM, EN_AS):
        for found in pattern.finditer(low):
            job = job_en(text, found.end())
            if job is None or job[1] in seen or negated(low, found.end()):
                continue
            groups = found.groupdict()
            third = groups.get("third") or ""
            if third.split("'")[0].split(" ")[0] in {
                "it",
                "that",
                "this",
                "there",
                "what",
                "here",
                "who",
                "name",
                "which",
            }:
                continue
            seen.add(job[1])
            change = re.search(r"promot|became|hired|new role|new job|start", found[0]) is not None
            before = (
                re.search(r"\b(?:starting|from|as of|since|effective)\b", low[: found.start() + 1])
                is not None
            )
            who = Who.first if groups.get("first") else Who.third if third else Who.open
            verb = found.start() + 1
            if third and pattern is EN_AM:
                verb = found.start("third") + len(re.match(r"\w+", third)[0])  # type: ignore[index]
            mode = Mode.change if change or before else Mode.state
            yield Found(
                "job_title",
                job[0],
                found.start() + 1 if found[0][0] in " ,(" else found.start(),
                job[2],
                mode,
                who,
                verb=verb,
                confidence=0.88,
            )
            at_firm = re.compile(r"\s+(?:at|for|with)\s+").match(low, job[2])
            firm = organisation_en(text, at_firm.end()) if at_firm else None
            if firm and firm[1] not in taken:
                taken.add(firm[1])
                yield Found(
                    "employer",
                    firm[0],
                    found.start(),
                    firm[2],
                    mode,
                    who,
                    verb=verb,
                    confidence=0.88,
                )
    bare = job_en(text, 0)
    at_firm = (
        re.compile(r"\s+at\s+").match(low, bare[2])
        if bare and bare[1] not in seen and low.find(" at ") > 0
        else None
    )
    firm = organisation_en(text, at_firm.end()) if at_firm else None
    if bare and firm and firm[1] not in taken:
        mode = Mode.change if re.search(r"\b(?:starting|from|as of|since)\b", low) else Mode.state
        yield Found("job_title", bare[0], 0, bare[2], mode, Who.first, confidence=0.75)
        yield Found("employer", firm[0], 0, firm[2], mode, Who.first, confidence=0.75)
    promoted = re.compile(r"\bpromot(?:ion|ed)\b[^,.]*,\s+").search(low)
    if promoted:
        job = job_en(text, promoted.end())
        if job is not None and job[1] not in seen:
            yield Found(
                "job_title",
                job[0],
                promoted.start(),
                job[2],
                Mode.change,
                Who.open,
                confidence=0.85,
            )
