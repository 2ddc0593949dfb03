"""English rules for `allergy`, `diet` and `medical_condition`."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.frames import Found, Mode, Who
from memory_pipeline.understand.extraction.phrases import phrase_list
from memory_pipeline.understand.extraction.rules.grammar import absent
from memory_pipeline.understand.extraction.rules.medicines import medicine_en
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

EN_ALLERGY = Gated(
    r"\b(?:(?P<not>not\s+|n't\s+|no longer\s+)?(?:\w+ly\s+)?allerg(?:ic|y|ies)\s+(?:to\s+)|intolerant to\s+|intolerance to\s+)"
)
EN_ALLERGY_NOUN = Gated(
    r"\b(?:(?:have|has|got|with)\s+(?:an?|the|a severe|a bad|a serious)\s+(?:\w+\s+)?|the one with the\s+|^|'s\s+|his\s+|her\s+|my\s+)(?P<what>(?!no\b|not\b|any\b|the\b|severe|bad|serious|seasonal|mild|new|food|skin|old|worst)[a-z]+(?:\s(?:nut|fruit))?)\s+allerg(?:y|ies)\b"
)
EN_ALLERGY_LIST = Gated(r"\ballerg(?:y|ies)\b[^:.!?]{0,30}:\s*")
EN_DIET = Gated(
    r"\b(?P<not>not\s+(?:a\s+|an\s+)?|n't\s+(?:a\s+)?|no longer\s+|used to be\s+|stopped being\s+)?(?:(?:strict(?:ly)?|fully|mostly)\s+)?(?P<word>vegan|vegetarian|pescatarian|halal|kosher|gluten[- ]free|dairy[- ]free|keto|lactose[- ]free|paleo|sugar[- ]free|plant[- ]based|low[- ]carb|low[- ]sodium)\b"
)
EN_DIET_SUBJECT = re.compile(
    r"\b(?:(?P<first>i'm|i am|im|we're|we are|i eat|we eat|i keep|we keep|i've been|i went|i've gone|i turned|we're strictly|i only eat|i do|back to|went|been|me,?)|(?P<third>(?:he|she|\w+)(?:'s| is| eats| keeps| has been| went| turned| are)))\s+(?:a\s+|an\s+|also\s+|still\s+|now\s+|strict(?:ly)?\s+|fully\s+|mostly\s+|basically\s+|officially\s+|only\s+|already\s+)*$"
)
EN_NOT_EAT = Gated(
    r"\b(?:(?P<first>(?:i|we)\s+(?:really\s+)?(?:don't|do not|can't|cannot|never|no longer|stopped)\s+(?:eat|eating|have|do|touch|drink|drinking))|(?P<third>(?:doesn't|does not|can't|never|no longer|stopped)\s+(?:eats?|eating|drinks?|drinking)))\s+(?:any\s+)?"
)
EN_EAT_AGAIN = Gated(
    r"\b(?:i|we)\s+(?:now\s+)?eat meat (?:again|now)|\b(?:i'm|i am|no longer|not) (?:not )?(?:a )?(?:vegan|vegetarian) any\s?more\b|\bback (?:to|on) (?:eating )?meat\b|\bquit being (?:a )?(?:vegan|vegetarian)\b|\bgave up (?:on )?(?:being )?(?:vegan|vegetarian)\w*"
)
EN_FAST = Gated(r"\b(?:i'm|i am|we're|im)\s+(?P<what>fasting(?:\s+from\s+\w+\s+to\s+\w+)?)")
_CONDITIONS_EN = Gated(
    r"(?:(?:type (?:1|2|one|two|i|ii) )?diabet(?:es|ic)|asthma(?:tic)?|epilep(?:sy|tic)|celiac(?: disease)?|coeliac(?: disease)?|migraines?|high blood pressure|hypertension|hypothyroidism|an[ae]mi(?:a|c)|arthritis|"
    r"rheumatoid arthritis|adhd|autis(?:m|tic)|dyslexi(?:a|c)|depression|an anxiety disorder|anxiety|bipolar(?: disorder)?|ptsd|ocd|lupus|crohn's(?: disease)?|ulcerative colitis|ibs|gout|glaucoma|"
    r"scoliosis|psoriasis|eczema|multiple sclerosis|parkinson's|alzheimer's|sleep apnea|narcolepsy|endometriosis|pcos|fibromyalgia|chronic fatigue|a pacemaker|a heart condition|a heart murmur|a bad back|"
    r"(?:deaf|blind)(?: in (?:the|my|one|his|her) (?:left |right )?(?:ear|eye))?|colou?r[- ]?blind|hard of hearing|lactose intolerant|(?:breast|lung|colon|skin|prostate) cancer|leukemia|hemophilia|hepatitis [a-c]|pregnant)"
)
EN_HAVE = re.compile(
    r"\b(?:(?P<first>i\s+(?:also\s+|actually\s+|still\s+)?(?:have|got|suffer from|live with|deal with)|i've (?:got|had)|i(?:'m| am)(?:\s+(?:also|a|an|legally|partially))*|im(?:\s+(?:a|an))?|i was (?:\w+\s+)?diagnosed with|i got diagnosed with|diagnosed me with)"
    r"|(?P<third>has(?:\s+(?:got|been diagnosed with))?|'s\s+(?:a\s+|got\s+)?|is(?:\s+(?:a|an))?|was (?:\w+\s+)?diagnosed with|suffers from|got diagnosed with)|(?P<bare>and|^))\s+(?P<more>(?:\d+\s+and\s+)?)(?P<mod>(?:severe|mild|chronic|bad|really bad|a history of)\s+)?$"
)


def find_en(sentence: Sentence) -> Iterator[Found]:
    """Allergies, diets, medicines and conditions."""
    text, low = sentence.text, sentence.low
    listed = EN_ALLERGY_LIST.search(low)
    if listed:
        for name, _, end in phrase_list(text, listed.end(), "en", max_words=3):
            yield Found(
                "allergy",
                name,
                listed.start(),
                end,
                Mode.state,
                Who.first,
                confidence=0.85,
                dated=False,
            )
    for found in EN_ALLERGY.finditer(low):
        before = low[: found.start()]
        if re.search(
            r"\b(?:book|article|post|video|test|research|study|podcast|talk|blog|paper|chapter|medicine)s?\s+(?:about|on|for|regarding)\s+(?:\w+\s+)?$",
            before,
        ):
            continue
        negated = (
            bool(found["not"])
            or re.search(r"(?:\bnot|n't|\bno longer|\bnever)\s+(?:\w+\s+){0,2}$", before)
            is not None
            or re.search(r"\bno (?:\w+ )?$", before) is not None
        )
        for name, _, end in phrase_list(text, found.end(), "en", max_words=3):
            if name.lower() in {
                "anything",
                "everything",
                "something",
                "it",
                "them",
                "small talk",
                "mornings",
                "work",
                "you",
                "nothing",
                "drama",
                "bullshit",
            }:
                break
            mode = (
                (Mode.end if re.search("no longer|anymore", low) else Mode.denial)
                if negated
                else Mode.state
            )
            yield Found(
                "allergy",
                name,
                found.start(),
                end,
                mode,
                Who.open,
                verb=found.start(),
                confidence=0.9,
                dated=False,
            )
    for found in EN_ALLERGY_NOUN.finditer(low):
        what = found["what"]
        if absent(low, found.start()) or what in {"an", "the", "my"}:
            continue
        if re.search(r"\b(?:outgrew|outgrown|lost|over|cured|no more)\b", low[: found.start() + 4]):
            yield Found(
                "allergy",
                what,
                found.start(),
                found.end(),
                Mode.end,
                Who.open,
                verb=found.start(),
                confidence=0.8,
            )
            continue
        plural = (
            what
            if what.endswith("s")
            else {
                "nut": "nuts",
                "peanut": "peanuts",
                "cat": "cats",
                "dog": "dogs",
                "bee": "bees",
                "egg": "eggs",
            }.get(what, what)
        )
        yield Found(
            "allergy",
            plural,
            found.start(),
            found.end(),
            Mode.state,
            Who.open,
            verb=found.start(),
            confidence=0.85,
            dated=False,
        )
    again = EN_EAT_AGAIN.search(low)
    if again:
        named = re.search(r"vegan|vegetarian", again[0])
        yield Found(
            "diet",
            named[0] if named else "vegetarian",
            again.start(),
            again.end(),
            Mode.end,
            Who.open,
            confidence=0.8,
        )
    for found in EN_DIET.finditer(low):
        if again:
            break
        before = low[: found.start("word")]
        subject = EN_DIET_SUBJECT.search(re.sub(r"\bnot\s+(?:an?\s+)?$", "", before))
        label = re.search(r"^\W*$", before) and re.match(
            r"\s+(?:here|household|family|for|since)\b", low[found.end() :]
        )
        only = re.match(r"\s+only\b", low[found.end() :])
        if re.match(
            r"\s+(?:restaurant|place|recipe|food|option|cafe|dish|meal|butcher|market|bakery|friend|leather|cheese|burger|chili|pizza|lasagna|spot|menu)\w*",
            low[found.end() :],
        ):
            continue
        if subject is None and not label and not only:
            continue
        if found["not"] and found["not"].startswith(("used", "stopped", "no longer")):
            mode = Mode.end
        elif found["not"]:
            mode = Mode.denial
        else:
            mode = (
                Mode.change
                if re.search(r"\b(?:back to|went|gone|turned|now|since|as of)\b", low)
                else Mode.state
            )
        who = Who.third if subject and subject["third"] and not subject["first"] else Who.open
        verb = found.start()
        if subject and subject["third"]:
            head = subject["third"].split("'")[0].split(" ")[0]
            if head in {
                "it",
                "that",
                "this",
                "what",
                "there",
                "food",
                "everything",
                "dinner",
                "lunch",
                "menu",
                "recipe",
            }:
                continue
            verb = subject.start("third") + len(head)
        yield Found(
            "diet",
            found["word"],
            found.start(),
            found.end(),
            mode,
            who,
            verb=verb,
            confidence=0.85,
            dated=mode is not Mode.state,
        )
    for found in EN_NOT_EAT.finditer(low):
        drinks = re.search(r"drink", found[0]) is not None
        for name, _, end in phrase_list(text, found.end(), "en", max_words=2):
            if name.lower().split()[0] in {
                "much",
                "anything",
                "that",
                "enough",
                "out",
                "it",
                "well",
                "lunch",
                "breakfast",
                "dinner",
                "here",
                "there",
                "them",
                "time",
                "a",
                "many",
                "any",
            }:
                break
            if re.search(r"\b(?:have|do|touch)\s+(?:any\s+)?$", found[0]) and name.lower() not in {
                "dairy",
                "gluten",
                "pork",
                "meat",
                "sugar",
                "nuts",
                "alcohol",
                "shellfish",
                "eggs",
                "caffeine",
            }:
                break
            if drinks and name.lower() not in {"alcohol", "coffee", "caffeine", "milk", "soda"}:
                break
            who = Who.first if found["first"] else Who.third
            yield Found(
                "diet",
                f"no {name.lower()}",
                found.start(),
                end,
                Mode.state,
                who,
                verb=found.start(),
                confidence=0.8,
                dated=False,
            )
    fasting = EN_FAST.search(low)
    if fasting:
        yield Found(
            "diet",
            re.sub(r"\bfrom\s+", "", fasting["what"]),
            fasting.start(),
            fasting.end(),
            Mode.stay,
            Who.first,
            confidence=0.8,
        )
    yield from medicine_en(sentence)
    for found in _CONDITIONS_EN.finditer(low):
        has = EN_HAVE.search(low, max(0, found.start() - 60), found.start())
        if (
            has is None
            or absent(low, found.start())
            or re.search(
                r"(?:\bnot|n't|\bno longer|\bonce|\bused to|thought|convinced)\b[^,]*$",
                low[: found.start()],
            )
        ):
            continue
        name = found[0]
        if has["bare"] is not None and name.split()[0] not in {"deaf", "blind", "type"}:
            continue
        if name in {"blind", "deaf", "depression", "anxiety"} and has["third"] in ("is", "'s "):
            continue
        name = {
            "diabetic": "diabetes",
            "asthmatic": "asthma",
            "epileptic": "epilepsy",
            "anemic": "anemia",
            "autistic": "autism",
            "dyslexic": "dyslexia",
            "pregnant": "pregnancy",
        }.get(name, name)
        name = re.sub(r"^(?:an?)\s+", "", name.replace(" diabetic", " diabetes"))
        who = Who.first if has["first"] else Who.third if has["third"] else Who.open
        yield Found(
            "medical_condition",
            name,
            has.start(),
            found.end(),
            Mode.state,
            who,
            verb=has.start(),
            confidence=0.85,
            dated=False,
        )
