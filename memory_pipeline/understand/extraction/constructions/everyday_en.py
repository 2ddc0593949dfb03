"""English constructions of everyday telling: what is left out, told in passing or in a row."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.body_en import ailment_en
from memory_pipeline.understand.extraction.constructions.clauses_en import (
    LEAD,
    being,
    by_owner,
    by_person,
    frame,
    of_first,
    told,
)
from memory_pipeline.understand.extraction.constructions.engine import Construction, Piece, Take
from memory_pipeline.understand.extraction.constructions.family_en import (
    ADORED,
    KEEP,
    OLD,
    PET_KEYS,
    kin_named,
    pets_named,
)
from memory_pipeline.understand.extraction.constructions.foods import FOOD_EN
from memory_pipeline.understand.extraction.constructions.limits_en import PAPER, clause_duty
from memory_pipeline.understand.extraction.constructions.open_takers_en import noun_en, slot_en
from memory_pipeline.understand.extraction.constructions.possessions import BRANDS_EN, DURABLE_EN
from memory_pipeline.understand.extraction.constructions.takers import (
    WORK_THINGS,
    const,
    drug,
    formed,
    known_tool,
    language,
    number,
    said,
)
from memory_pipeline.understand.extraction.constructions.takers_en import firm_en
from memory_pipeline.understand.extraction.constructions.wants_en import (
    DONE,
    able,
    moved_tool,
    named_tool,
)
from memory_pipeline.understand.extraction.constructions.work_en import (
    ANY_JOB,
    HOME,
    NEAR,
    NUM,
    by_agent,
    job_of,
    town_en,
    trade,
)
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.persons_en import persons_en
from memory_pipeline.understand.extraction.sentences import Sentence


def children_of(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The children named in a row behind "mum to"."""
    at = start
    while (found := re.compile(r"[A-Z][a-z'-]+").match(sentence.text, at, stop)) is not None:
        scene.people.learn(found[0])
        yield f"child: {found[0]}", found.start(), found.end()
        joint = re.compile(r"\s*(?:,\s*(?:and\s+)?|&\s*|and\s+)").match(sentence.text, found.end())
        if joint is None:
            return
        at = joint.end()


_UNTIL = (
    r"(?:from|until|till|til|through|for the (?:week|weekend|month|summer|winter|next|rest|whole)|"
    r"for (?:a|an|\w+|\d+) (?:days?|weeks?|months?|nights?|fortnight|week|month)(?! in\b| over\b| at\b)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?\s*(?:-|–|to)\s*\d{1,2}|(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\s*(?:-|–|to)\s*(?:the\s+)?\d{1,2}|this week|next week|all (?:week|month|summer))"
)


def mine(take: Take) -> Take:
    """What `take` reads, where nobody else is named before it in the clause."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        found = tuple(take(sentence, scene, start, stop))
        if not found:
            return
        clause = sentence.clause_at(max(0, start - 1))
        others = (
            p for p in persons_en(sentence, scene) if clause.start <= p.start and p.end <= start
        )
        if all(p.first for p in others):
            yield from found

    return taking


_INTRO = rf"{LEAD}(?:(?:i'm\s+|it's\s+)?[a-z]+(?:\s[a-z]+)?,\s+)?\d{{2}}(?:\s?[mf])?,\s+(?:(?:single|married|divorced|widowed|engaged|[mf]|male|female),\s+)?"
"""How one introduces oneself in a row: a name, an age, what one is."""


def own_intro(take: Take) -> Take:
    """What `take` reads in a row that begins with no name but the speaker's."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        found = re.compile(r"(?:hi,?\s+|hey,?\s+|hello,?\s+)?(?:i'm\s+)?([A-Z][a-z]+)(?:\s[A-Z][a-z]+)?,").match(sentence.text)  # fmt: skip
        if found is None or found[1] == scene.speaker.split()[0]:
            yield from take(sentence, scene, start, stop)

    return taking


def own_name(take: Take) -> Take:
    """What `take` reads behind the speaker's own name at the beginning."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        words = re.findall(r"[A-Z][\w'-]+", sentence.text[:start])
        if scene.speaker.split()[0] in words:
            yield from take(sentence, scene, start, stop)

    return taking


_PREMISES = r"(?:shop|post office|pub|cafe|café|bakery|farm|school|practice|clinic|studio|garage|salon|b&b|guesthouse|hotel|restaurant|store|bar|library|nursery|surgery|church|gym|bookshop|deli|kennels|stables|campsite|museum|theatre|gallery|workshop|brewery)"
PLACES: list[Construction] = [
    of_first(
        "location", "from in based living", rf"{_INTRO}(?:(?:an?\s+)?[a-z][a-z -]{{2,30}}?\s+)?(?:from|in|based in|living in)\s+", own_intro(town_en), dated=False, core=r"\d\d"),
    of_first(
        "location", "in", rf"{LEAD}(?:off to|off in|away in|over in|down in|up in|out in|back in|here in|in)\s+(?=[a-z][\w' -]{{2,25}}?\s+{_UNTIL}\b)", town_en, Mode.stay),
    of_first(
        "location", "back home usually otherwise normally", r"(?:\bthen\s+(?:it's\s+)?back\s+(?:home\s+)?(?:to|in)|\bback\s+(?:home\s+)?(?:in|to)(?=\s+(?:[\w'-]+\s+){1,3}?(?:after (?:that|this)|afterwards|from then|straight after)\b)|\b(?:otherwise|usually|normally)\s+(?:i'm\s+|we're\s+|it's\s+)?(?:based\s+|home\s+|at home\s+|back\s+|around\s+)*in)\s+", town_en, dated=False),
    of_first(
        "location", "not live living based", r"(?:\b(?:live|living|based|staying|am|are|i'm|we're)\s+(?:actually\s+)?not\s+(?:in\s+)?|\bit's not\s+)[a-z][\w'-]+(?:\s[a-z][\w'-]+)?\s*(?:i'm in|i live in|we live in|we're in|i'm based in)?\s*,?\s*(?:but|it's)\s+(?:in\s+)?", town_en, dated=False, negatable=False),
    of_first(
        "location", "staying living crashing lodging stopping", rf"(?:{LEAD}|\b(?:i'm|i am|im|we're|we are|been|i've been)\s+)(?:currently\s+|still\s+|back\s+)*(?:staying|living|crashing|lodging|stopping|sofa surfing)\s+(?:with|at)\s+(?:my|our|an?|the|his|her|some)\s+[\w' -]{{2,30}}?\s+in\s+", town_en, core=r"\b(?:staying|living|crashing|lodging|stopping|surfing)\s+(?:with|at)\s"),
    of_first(
        "location", "new", rf"(?:{LEAD}(?:the\s+)?|\bour\s+|\bmy\s+|\bthe\s+)new\s+{HOME}(?:'s|\s+is)\s+{NEAR}\s+", town_en, dated=False),
    of_first(
        "location", "close closing closed complete completed completing", rf"\b(?:clos(?:e|ed|ing)|complet(?:e|ed|ing))\s+on\s+(?:the|our|my|an?)\s+{HOME}\s+in\s+", town_en, Mode.change),
    of_first(
        "location", "at", r"\b(?:i'll be|i'm|i am|we're|we'll be|i've been|staying|living)\s+(?:staying\s+|back\s+|living\s+)?at\s+(?:my|our)\s+[a-z]+(?:\s[a-z]+)?'s?\s+(?:place\s+|house\s+|flat\s+)?in\s+", town_en),
    *told(
        "location", "share rent own", rf"(?:share|rent|own|'re renting|are renting|'m renting)\s+(?:an?|our|my)\s+(?:lovely\s+|cramped\s+|tiny\s+)?{HOME}\s+{NEAR}", town_en, third=None, dated=False, core=r"\b(?:share|rent|own|renting)\s"),
    of_first(
        "location", "run own manage keep operate", rf"\b(?:i|we)\s+(?:run|own|manage|keep|operate|look after)\s+(?:the|an?|my|our)\s+(?:[\w-]+\s+){{0,2}}?{_PREMISES}\s+in\s+", town_en, dated=False, core=_PREMISES),
    *told(
        "location", "work works operate operates trade trades", r"(?:work|operate|trade)\s+(?:mostly\s+|now\s+)?(?:out of|from)\s+(?:an?|the|my|our)\s+[\w' -]{2,30}?\s+(?:in|near|outside|by|above [\w ]{3,20} in)",
        town_en, third=r"(?:works|operates|trades)\s+(?:out of|from)\s+(?:an?|the|his|her)\s+[\w' -]{2,30}?\s+(?:in|near|outside)", dated=False),
    of_first(
        "location", "close closing closed complete completed completing exchange", r"\b(?:clos(?:e|ed|ing)|complet(?:e|ed|ing))\s+on\s+(?:the|our|my)\s+(?P<o>[a-z][\w'-]+(?:\s[a-z][\w'-]+)?)\s+(?:house|place|flat|condo|home|apartment|cottage|bungalow)\b", town_en, Mode.change),
]  # fmt: skip

_FROM_DAY = r"\b(?:as of|as from|from|starting|come)\s+(?:next\s+|this\s+|the\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?:\s+\d{1,2}(?:st|nd|rd|th)?)?|\d{1,2}(?:st|nd|rd|th)?(?:\s+(?:of\s+)?[a-z]+)?|tomorrow|today|week|month|year)[,:]?\s+"
_DEPARTMENT = r"(?:claims|sales|marketing|hr|it|legal|finance|accounts|accounting|procurement|logistics|ops|operations|r&d|engineering|design|support|tech support|customer (?:service|support|care)|compliance|risk|audit|tax|payroll|admin|pr|comms|product|data|security|research|purchasing|underwriting|recruitment|training|maintenance|catering|housekeeping|dispatch|the warehouse|the kitchen|the lab|quality control|qa)"
_WORKING = r"(?:working|teaching|nursing|lecturing|cooking|driving|coding|consulting|running|managing|heading(?: up)?|interning|temping|freelancing|contracting|volunteering|writing|designing|selling|training|tutoring|researching|based)"
_CALL_ME = r"(?:(?:it's|i'm|i am|i'll be|you (?:may|can) (?:address|call) me(?: as)?)\s+)?"
_STEERS = r"(?:snow ?plow|snow ?plough|lorry|truck|bus|tram|forklift|crane|digger|train|ambulance|taxi|cab|ferry|gritter|combine|tanker|coach|school bus|dump truck|tow truck|fire engine|street sweeper|bin lorry|delivery van|minicab|hgv)"
WORK: list[Construction] = [
    of_first("employer", "as from starting come", rf"{_FROM_DAY}{_CALL_ME}(?:an?\s+|the\s+|their\s+)?[a-z -]{{3,30}}?\s(?:at|for|with)\s+", by_agent, Mode.change),
    of_first("job_title", "as from starting come", rf"{_FROM_DAY}{_CALL_ME}(?:an?\s+|the\s+|their\s+)?(?P<o>[a-z][a-z -]{{2,30}}?)(?=\s(?:at|for|with)\s|\s*(?:[,.!]|$))", job_of(slot_en(4)), Mode.change),
    of_first("employer", "from starting as in next this", rf"\b(?:i'll|we'll|i will|i'm going to|i'm gonna)\s+be\s+(?P<verb>{_WORKING})\s+(?:[\w' -]{{2,25}}?\s+)?(?:at|for|with)\s+", firm_en, Mode.change),
    of_first("job_title", "teaching", r"\b(?:i'll|i will|i'm going to|i'm gonna)\s+be\s+teaching\s+(?P<o>[a-z][a-z ]{2,25}?)(?=\s+(?:at|in|to|for)\b|\s*(?:[,.!]|$))", formed(slot_en(3), "{} teacher"), Mode.change),
    of_first("employer", "haven't havent not", r"\b(?:haven't|have not|havent)\s+(?:been|worked)\s+(?:at|with|for)\s+", firm_en, Mode.end, negatable=False),
    of_first("employer", "went gone moved jumped switched over", r"\b(?:not|no longer|i'm|i was|am|still|been|working)\s+(?:at|with|working (?:at|for)|for)\s+[a-z][\w&' -]{2,30}?(?:\s+(?:any ?more|any longer|now))?\s*(?:[,;.—–-]+|\bbut|\band then)\s*(?:but\s+)?(?:i(?:'ve|'m)?\s+)?(?:just\s+|actually\s+|since\s+)*(?:went|moved|gone|jumped|switched)\s+(?:over\s+|across\s+)?(?:to|at|with)\s+", firm_en, Mode.change, negatable=False),
    of_first("employer", "in work", rf"\b(?:i'm|i am|im|i work|we're)\s+(?:now\s+|still\s+|currently\s+)?in\s+(?:the\s+)?{_DEPARTMENT}(?:\s+(?:department|dept|team|side))?\s+(?:at|for|with)\s+", firm_en, dated=None),
    of_first("employer", "first", r"\bmy\s+first\s+(?:day|shift|week)\s+(?:at|with)\s+(?!(?:the\s+)?(?:uni|school|college|university|work|home)\b)", firm_en, Mode.change, confidence=0.75),
    frame("employer", "job role gig position", r"(?P<third>'s\s+(?:new\s+|current\s+|day\s+)?(?:job|role|gig|position|internship)\s+is\s+(?:at|with))\s+", by_owner(firm_en, 8), dated=False),
    of_first("job_title", "currently moment now", r"(?:,|\bbut|\band)\s+(?:now|currently|at the moment|for now)\s+(?:i'm\s+|still\s+|just\s+|only\s+)*an?\s+", mine(ANY_JOB), dated=False),
    of_first("job_title", r"\d\d", rf"{_INTRO}(?:an?\s+)?(?P<o>[a-z][a-z -]{{2,30}}?)(?=\s+(?:from|in|at|based|living|with)\b|\s*(?:[,.!]|$))", own_intro(job_of(slot_en(3))), dated=False, core=r"\d\d"),
    of_first("job_title", "been", r"(?:^|[,;]\s*|\band\s+)(?:i've\s+)?been\s+(?:working as\s+)?an?\s+", mine(ANY_JOB), dated=None),
    *told("job_title", "drive drives", rf"drive\s+(?:an?\s+|the\s+)?(?P<o>{_STEERS})(?:s|es)?\b(?=\s+(?:for|at|with)\b)", trade, third=rf"drives\s+(?:an?\s+|the\s+)?(?P<o>{_STEERS})(?:s|es)?\b(?=\s+(?:for|at|with)\b)", dated=False),
]  # fmt: skip

_STATUS = r"(?:single|married|divorced|widowed|separated|engaged)"
_ABOUT_ONE = rf"(?:{_STATUS}|retired|female|male|never|no kids|one|two|three|four|five|from|living|based|born|working|unemployed|semi-retired|self-employed|an?)"
_NAMED = r"(?:(?:he|she|it|they)(?:'s|'re| is| are)\s+(?:called|named)|(?:his|her|its|their) names?(?:'s| is| are)|(?:we|i)(?:'ve)? (?:called|named|call) (?:him|her|it|them))"
PERSONAL: list[Construction] = [
    of_first("age", "turning turn", rf"{LEAD}(?:i'm\s+|i'll be\s+|i\s+)?turn(?:ing)?\s+(?P<o>{NUM})(?=\s+on\b)", number, Mode.change),
    of_first("age", "single married divorced widowed separated engaged retired female male never one two three four five from living based born working unemployed semi self", rf"{LEAD}(?P<o>\d{{2}}),\s+(?={_ABOUT_ONE}\b)", number, dated=False, core=r"\d\d,"),
    of_first("marital_status", "single married divorced widowed separated engaged", rf"{LEAD}(?:[a-z]+,\s+)?\d{{2}},\s+(?:[\w ]{{2,20}},\s+)?(?:happily\s+|recently\s+)?(?P<o>{_STATUS})(?=\s*(?:[,.;!]|$)|\s+(?:with|and)\b)", said(), dated=False),
    of_first("age", "i'm im", rf"\b(?:i'm|im|i am)\s+(?P<o>{NUM})\s+(?=on\s+(?:the\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)", number, Mode.change, core=r"\bon\s"),
    of_first("age", "be", rf"\b(?:i'll|i will|i'm going to|i'm gonna)\s+be\s+(?P<o>{NUM})(?=\s+(?:on|tomorrow|next|this)\b)(?!\s+(?:minutes|hours|days|weeks|miles))", number, Mode.change),
    of_first("relative", "mum mom dad father mother parent mama", r"\b(?:mum|mom|mama|dad|father|mother|parent)\s+(?:to|of)\s+(?:(?:twins?|two|three|four|boys|girls|kids|toddlers?|lovely|little|the)\s*[,:]?\s*)*(?=[a-z]+\b)", children_of, dated=False, confidence=0.8),
    of_first("age", r"\d\d", r"^(?:hi,?\s+|hey,?\s+|hello,?\s+)?[a-z]+(?:\s[a-z]+)?,\s+(?P<o>\d{2}),\s+[a-z]", own_name(number), dated=False),
    of_first("marital_status", "anniversary", r"\b(?:celebrated|celebrating|it's|it was|today is|today's|happy|had)\s+(?:(?:our|my wedding)\s+(?:[1-9]\d(?:st|nd|rd|th)|tenth|twentieth|thirtieth|fortieth|fiftieth|silver|golden|ruby|pearl|diamond|tin|paper)|our\s+(?:[\w]+\s+)?wedding|my\s+(?:[\w]+\s+)?wedding)\s+(?:wedding\s+)?anniversary\b", const("married"), dated=False),
    of_first("marital_status", "married engaged divorced widowed separated", rf"{LEAD}(?:we've been\s+|i've been\s+|been\s+)?(?:\w+|\d+)\s+(?:days?|weeks?|months?|years?)\s+(?:happily\s+)?(?P<o>married|engaged|divorced|widowed|separated)\b", said(), dated=None),
    of_first("marital_status", "popped proposed knee", r"\b[a-z]+\s+(?:finally\s+|just\s+)?(?:popped the question|proposed|got down on one knee)\b[^?]{0,60}?\b(?:i|we)\s+said\s+(?:yes|i do|hell yes)\b", const("engaged"), Mode.change),
    of_first("relative", "girl boy lad lass", rf"\b(?:my|our)\s+{OLD}(?:girl|boy|lad|lass)\s*,\s+(?=[a-z]+\s*,)", kin_named, dated=False, confidence=0.8),
    of_first("pet", PET_KEYS, rf"(?:\b(?:i|we|i've|we've)\s+|{LEAD})(?:just\s+|finally\s+|also\s+)?(?:got|have|adopted|rescued|bought|picked up|brought home)\s+(?:myself\s+|ourselves\s+|us\s+|me\s+)?(?:an?|two|another)\s+{ADORED}{KEEP}\s*[!.,;:)]+\s*{_NAMED}\s+", pets_named, Mode.change, confidence=0.8),
    of_first("relative", "boy girl son daughter baby", rf"\b(?:had|have|it's|is|welcomed|welcome)\s+(?:an?|our|another)\s+{OLD}(?:baby boy|baby girl|boy|girl|son|daughter|baby)\s*[!.,;:)]+\s*{_NAMED}\s+", kin_named, dated=False, confidence=0.8),
    of_first("marital_status", "engaged married divorced separated widowed", rf"{LEAD}(?P<o>engaged|married|divorced|separated|widowed)\s+(?:as of|since)\b", said(), Mode.change),
    of_first("marital_status", "tick put mark down", r"\b(?:tick|put (?:me )?down(?: as)?|put|mark(?: me)?(?: as)?)\s+(?:the\s+)?(?P<o>single|married|divorced|widowed|separated)\b", said(), dated=False),
    of_first("pet", PET_KEYS, rf"\b(?:an?|one|two|three|four|five)\s+{ADORED}{KEEP}\s*\((?:called\s+)?", mine(pets_named), dated=False, confidence=0.8, core=r"\("),
    of_first("pet", PET_KEYS, rf"\b(?:two|three|four|five)\s+{ADORED}{KEEP}s?(?:\s+(?:now|at the moment|these days|at home|currently))?\s*[,:—–-]\s*(?:called\s+|named\s+)?", mine(pets_named), dated=False, confidence=0.8),
    frame("pet", PET_KEYS, rf"(?P<third>'s)\s+{ADORED}{KEEP},?\s+(?:called\s+|named\s+|is called\s+|is named\s+)?", by_owner(pets_named, 4), dated=False, confidence=0.8),
]  # fmt: skip

_CRAFTS = (
    r"(?:weld|code|juggle|sew|knit|solder|sail|crochet|whittle|carve|plaster|lay bricks|tile|fence|fiddle|yodel|tap dance|salsa|waltz|box|wrestle|fence|kayak|ski|snowboard|surf|skate|ride (?:horses|a (?:unicycle|motorbike|horse))|"
    r"play (?:the\s+)?\w+|read music|sight-?read|sign|touch[- ]type|type (?:fast|\d+)|drive (?:a\s+)?(?:forklift|lorry|manual|stick|tractor|hgv|truck)\w*|fly (?:a\s+)?(?:plane|glider|drone|helicopter)s?|bake|butcher|forage|fix (?:bikes|cars|engines|anything)|build (?:websites|furniture|pcs)|draw|paint|sing|dance|program|edit (?:video|audio)s?|do (?:calligraphy|magic|card tricks|first aid|cpr|the splits|bookkeeping|taxes)|speak in public|shoot|fish|hunt|brew|pickle|upholster|restore \w+|spin (?:wool|fire|plates)|throw pots|blow glass|tune (?:pianos|guitars))"
)
_CHANNEL = r"(?:texts?|texting|e-?mails?|emailing|whatsapps?|voice ?notes?|calls?|phone calls|video calls|a (?:text|call|message|voicemail|voice note)|messages|signal|telegram|mornings?|evenings?|afternoons?|weekends|weekdays|morning (?:calls|slots?|appointments?)|afternoon (?:calls|slots?|appointments?))"
LEARNED: list[Construction] = [
    of_first("language", "home work family mum dad parents kids everywhere elsewhere otherwise office wife husband laws grandparents everyone", rf"(?:{LEAD}|,\s*|\band\s+)(?:we speak\s+|i speak\s+)?(?P<o>[a-z]+)\s+(?:at home|at work|with (?:my|the) (?:family|kids|parents|mum|mom|dad|wife|husband|in-laws|grandparents|everyone|neighbours|neighbors)|in the office|everywhere else|elsewhere|otherwise)\b", language, dated=False),
    frame("education", "off", r"(?P<third>\b(?:'s|is|are|he's|she's)\s+(?:now\s+)?off to\s+(?:do|study|read))\s+(?P<o>[a-z][\w' ]{2,30}?\s+at\s+[a-z][\w']*(?:\s[a-z][\w']*)?)(?=\s*(?:[,.;!]|$)|\s+(?:in|and|this|next)\b)", by_person(said()), Mode.change),
    of_first("skill", "can", r"(?:,|\band)\s+can\s+(?:also\s+)?do\s+(?:some\s+|a bit of\s+)?", mine(noun_en(3, limit=2, acts=False)), dated=False),
    *told("language", "learned learnt", r"(?:only\s+|also\s+)?(?:learned|learnt)(?=\s+[a-z]+\s+(?:at|in|from|as|when|by|growing)\b)", language, dated=False),
    *told("language", "grew raised get picked dream think muddle converse", r"(?:grew up (?:speaking|with)|was (?:raised|brought up) (?:speaking|in|on)|(?:can |could )?get by in|(?:can )?(?:hold|have) a (?:decent |basic )?conversation in|picked up(?:\s+(?:some|decent|a bit of|passable|enough|conversational))?|(?:can )?muddle through in|dream in|think in|converse in)(?:\s+(?:some|both|mostly))?", language, dated=False, third=r"(?:grew up speaking|was raised speaking|gets by in|picked up|converses in)"),
    of_first("skill", "can", rf"(?:{LEAD}|[,;]\s*(?:and\s+|plus\s+)?)can\s+(?:also\s+|even\s+|still\s+)?(?P<o>{_CRAFTS})(?=\s*(?:[,.;!]|$)|\s+(?:too|and|as well|but|really|pretty|like)\b)", able, dated=False),
    of_first("education", "year", r"\b(?:first|second|third|fourth|fifth|final|last|penultimate|1st|2nd|3rd|4th)[- ]year\s+(?:of\s+|doing\s+|studying\s+|reading\s+)?(?:an?\s+)?(?P<o>[a-z][\w' ]{2,30}?\s+(?:student\s+)?at\s+(?:the\s+)?[a-z][\w']*(?:\s[a-z][\w']*){0,2}?)(?=\s*(?:[,.;!]|$)|\s+(?:and|but|so|now|this|already|in|which)\b)", mine(said()), dated=False),
    of_first("tool", "the my our all", rf"(?:\band|,)\s+(?:the\s+|my\s+|our\s+|all\s+)*(?:[\w-]+\s+)?{WORK_THINGS}\s+(?:in|on|with|via|through)\s+", known_tool, dated=False, core=rf"\b{WORK_THINGS}\s+(?:in|on|with|via|through)\s"),
]  # fmt: skip

_DIETS = r"(?:vegan|vegetarian|veggie|pescatarian|keto|paleo|carnivore|whole30|gluten[- ]free|dairy[- ]free|plant[- ]based|low[- ]carb|sugar[- ]free|sober|teetotal|intermittent fasting|raw food)"
_BAR = r"(?:until|till|til|because of|due to|under|while|as long as|as part of|thanks to|per|by order of|for the (?:duration|term)|as a condition of)"
_FILL = r"(?:[\w'’]+\s+){0,3}?"


_BADLY = r"(?:really\s+|very\s+|so\s+|pretty\s+)?(?:badly|terribly|violently|horribly)"
_MINE_ILL = r"(?:(?:type\s+(?:1|2|one|two)\s+|rheumatoid\s+|chronic\s+)?(?:asthma|diabetes|epilepsy|migraines|insomnia|vertigo|tinnitus|scoliosis|eczema|gout|psoriasis|pcos|ptsd|ocd|adhd|ibs|copd|lupus|sciatica|hay ?fever|endometriosis|fibromyalgia|crohn's|dyslexia|arrhythmia|cataracts|glaucoma|angina|an[ae]+mia|narcolepsy|emphysema|parkinson's|arthritis|bronchitis|sinusitis|tendonitis|colitis|osteoporosis|endometritis))"
DAILY: list[Construction] = [
    of_first("medication", "start started starting beginning began", rf"(?:{LEAD}|,\s*(?:and\s+|so\s+)?|\band\s+|\bi'm\s+|\bi\s+|\bi've\s+)(?:just\s+)?(?:start(?:ed|ing)?|beginning|began)\s+(?:on\s+|taking\s+)?(?:the\s+|my\s+)?", mine(drug), Mode.change),
    of_first("allergy", "allergic allergy", r"\b(?:can't|cannot|cant)\s+(?:have|eat|do|touch)\s+(?:anything\s+(?:with|containing|made with)\s+)?(?P<o>[a-z][a-z -]{2,25}?)(?:\s+in it)?\s*[,(—–-]+\s*(?:i'm\s+|very\s+|badly\s+|severely\s+)*allerg(?:ic|y)\b", mine(slot_en(3)), dated=False, negatable=False, confidence=0.85),
    of_first("preference", "hobbies interests likes passions loves into fan", rf"{LEAD}(?:my\s+|our\s+)?(?:main\s+|other\s+)?(?:hobbies|interests|likes|passions|loves|favou?rites|things i (?:like|love)|hobby)\s*(?:\s(?:include|are)\s|:|—|–|\s-\s)\s*", noun_en(4, limit=5), dated=False, confidence=0.8),
    of_first("dislike", "dislikes hates things hate turn", rf"{LEAD}(?:my\s+|our\s+)?(?:dislikes|hates|pet hates|things i (?:hate|can't stand|dislike)|turn-?offs)\s*(?:\s(?:include|are)\s|:|—|–|\s-\s)\s*", noun_en(4, limit=5), dated=False, confidence=0.8),
    of_first("dislike", "don't can't cant dont hate", r",\s+(?:i\s+)?(?:just|simply|really)\s+(?:don't like|dont like|can't stand|hate)\s+", mine(noun_en(4, limit=2)), dated=False, negatable=False),
    of_first("dislike", "can't cant", rf"(?:{LEAD}|\bi\s+)(?:really|just|simply|honestly)\s+(?:can't|cant)\s+do\s+(?!\w+days?\b|mornings?\b|evenings?\b|weekends?\b|much\b|more\b|both\b|all\b|next\b|before\b|after\b|dates?\b|times?\b|{FOOD_EN}\b)", noun_en(3, limit=3, acts=False), dated=False, negatable=False, confidence=0.65),
    of_first("requirement", "must has have needs need", r"\b(?:must|has to|have to|needs? to)\b[^.!?;,]{3,60}?\s+and\s+(?P<o>(?:can't|cannot|must(?:n't| not)?|may not|has to|have to|needs? to|should never)\s+[^.!?;,]{4,60})", mine(clause_duty), dated=False, negatable=False, confidence=0.7),
    of_first("medical_condition", "asthma diabetes epilepsy migraines insomnia vertigo tinnitus scoliosis eczema gout psoriasis pcos ptsd ocd adhd ibs copd lupus sciatica hay endometriosis fibromyalgia crohn dyslexia arrhythmia cataracts glaucoma angina anaemia anemia narcolepsy emphysema parkinson arthritis bronchitis sinusitis tendonitis colitis osteoporosis type rheumatoid chronic", rf"\bmy\s+(?:bad\s+|stupid\s+|damn\s+)?(?P<o>{_MINE_ILL})\b(?!\s+(?:tests?|results?|appointment|awareness|charity|doctor|nurse|book|meds|medication|clinic|inhaler|diagnosis))", said(), dated=False, confidence=0.75),
    of_first("medical_condition", "for", r"\b(?:on|taking|take|using|use|prescribed)\s+[^.!?;,]{3,40}?\s+for\s+(?:my|the)\s+", mine(ailment_en(sure=False)), dated=False, core=r"\bfor (?:my|the)\s"),
    of_first("allergy", "allergies allergy", r"\b(?:for\s+|under\s+|my\s+|the\s+)?allerg(?:ies|y)\b[^.!?:]{0,15}?\s(?:put (?:me )?down|put|note|mark(?: me)? down|write|list|are|add)\s+(?:as\s+|for\s+)?(?!no\b|the\b|a\b|not\b|on\b)", noun_en(3, limit=5, acts=False), dated=False),
    of_first("medication", "changed switched swapped moved", r"\b(?:changed|switched|swapped|moved)\s+me\s+(?:over\s+)?from\s+[a-z]+(?:\s[a-z0-9]+)?\s+(?:over\s+)?(?:to|onto)\s+", drug, Mode.change),
    of_first("medication", "changed switched swapped moved", r"\b(?:changed|switched|swapped|moved)\s+me\s+(?:over\s+)?from\s+", drug, Mode.end),
    of_first("plan", "booked", r"\bbooked\s+(?:us\s+|me\s+|ourselves\s+|myself\s+)?(?P<o>(?:an?|two|three)\s+(?:long\s+)?(?:week|fortnight|weekend|weeks|nights|days)(?:'s|s')?\s+(?:[a-z]+ing\s+)?(?:in|at|away in|on)\s+[a-z][\w' -]{2,25}?)(?=\s*(?:[,.;!]|$)|\s+(?:for|in|and|at|with)\b)", mine(slot_en(8)), dated=False),
    of_first("preference", "better easier best fine works suit suits", rf"(?:{LEAD}|[,;—–-]\s*|\bbut\s+)(?P<o>{_CHANNEL})\s+(?:is|are|works?|suits? me)\s+(?:always\s+|much\s+|usually\s+|way\s+)*(?:better|easier|easiest|best|preferred)\b", slot_en(3), dated=False),
    of_first("preference", "keep stick to by only please", rf"(?:\b(?:keep (?:it|things) to|stick to|contact me by|reach me by|get me by|reply by|respond by|send me)\s+(?P<o>{_CHANNEL})(?=\s*(?:[,.!]|$)|\s+(?:please|only|pls|instead|if)\b))", slot_en(3), dated=False, core=_CHANNEL),
    of_first("preference", "only please pls", rf"(?:{LEAD}|[,;—–-]\s*)(?P<o>{_CHANNEL})\s+(?:only(?:,? please)?|please,? not \w+)\s*(?=[.!]|$)", slot_en(3), dated=False),
    *told("allergy", "react reacts", r"(?:react|respond)\s+(?:really\s+|very\s+|so\s+|pretty\s+)?(?:badly|terribly|violently|horribly)\s+to", noun_en(3, limit=3, acts=False), third=r"(?:reacts|responds)\s+(?:really\s+|very\s+|so\s+|pretty\s+)?(?:badly|terribly|violently|horribly)\s+to", dated=False),
    of_first("allergy", "react", rf"\b(?:i|we)\s+react\s+to\s+(?P<o>[a-z][a-z -]{{2,25}}?)\s+{_BADLY}\b", slot_en(3), dated=False),
    frame("allergy", "reacts", rf"(?P<third>\breacts\s+to)\s+(?P<o>[a-z][a-z -]{{2,25}}?)\s+{_BADLY}\b", by_person(slot_en(3)), dated=False),
    of_first("dislike", "started", r"\bdon't get me started on\s+", noun_en(4, limit=2), dated=False, negatable=False),
    *being("medical_condition", "deaf blind hearing sighted paralysed paralyzed", r"(?P<o>(?:profoundly\s+|partially\s+|totally\s+|legally\s+|half\s+|completely\s+|mostly\s+)?(?:deaf|blind|hard of hearing|partially sighted|paralysed|paralyzed)(?:\s+in\s+(?:one|both|the|my|his|her)\s+(?:left\s+|right\s+)?(?:ears?|eyes?))?)(?!\s+(?:to|drunk|spot|date|with|faith|luck))", said(), after=r"(?=\W|$)", dated=False),
    of_first("diet", "thing", rf"\b(?:doing|do|trying|on|tried)\s+(?:the\s+|this\s+|a\s+)(?:whole\s+)?(?P<o>{_DIETS})\s+(?:thing|kick|life|lifestyle|route)\b", said(), dated=None),
    of_first("diet", "wagon thing", rf"\b(?:fell off|fallen off)\s+the\s+{_DIETS}\s+wagon\b|\b(?:no longer|not|done|stopped)\s+doing\s+the\s+(?:whole\s+)?{_DIETS}\s+thing\b", const(None), Mode.end, negatable=False),
    of_first("legal_constraint", "until till til because due under while as per order duration term thanks", rf"(?:\b(?:i|we)(?:'m|'re|\s+am|\s+are)?\s+(?:still\s+)?|{LEAD}|[,;]\s*(?:but\s+|and\s+)?)(?P<o>(?:can't|cannot|can not|mustn't|must not|may not|not (?:allowed|permitted|able) to|banned from|barred from)\s+[^.!?;,]{{3,50}}?)(?=\s*,?\s+{_BAR}\s+{_FILL}(?:{PAPER}|probation|parole|bail|visa|injunction|court|judge|settlement|sentence|trial|tenancy|covenant|custody)\b)", clause_duty, negatable=False, dated=False, confidence=0.87, core=rf"(?:{PAPER}|probation|parole|bail|visa|injunction|court|judge|settlement|sentence|trial|tenancy|covenant|custody)\b"),
    of_first("preference", "favourites favorites faves loves hobbies", r"\bmy\s+(?:all[- ]time\s+|absolute\s+|current\s+|two\s+|three\s+|big\s+|main\s+)*(?:favou?rites|faves|favou?rite \w+s|great loves|hobbies|passions)\s+(?:are|include|have always been)\s+", noun_en(4, limit=4), dated=False, confidence=0.8),
]  # fmt: skip

_MAKES = "|".join(sorted((b for b in BRANDS_EN if len(b) > 2), key=len, reverse=True))


def lasting(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A thing that lasts, filling the slot."""
    found = tuple(slot_en(4)(sentence, scene, start, stop))
    if found and DURABLE_EN.search(str(found[0][0])):
        yield from found


def vehicle_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A vehicle by its make and model ("the old Saab 900")."""
    lead = re.compile(r"\s*(?:(?:old|trusty|rusty|little|battered|ancient|beat-up|new|used|second-?hand|\d{4})\s+)*").match(sentence.low, start)  # fmt: skip
    at = lead.end() if lead else start
    found = re.compile(rf"(?i:{_MAKES})\b(?:\s(?:[A-Z][\w-]*|\d[\w-]*|[a-z]\d+))?").match(
        sentence.text, at, stop
    )
    if found is not None and found[0][0].isupper():
        yield found[0], found.start(), found.end()


_TEAM = r"(?:(?:the\s+|our\s+|my\s+|whole\s+|entire\s+)*(?:team|company|office|department|dept|studio|lab|shop|firm|everyone at work))"
THINGS: list[Construction] = [
    of_first("tool", "hosted edited written built stored kept managed deployed recorded designed tracked", rf"\band\s+{DONE}\s+(?:on|with|via|through)\s+", named_tool, dated=False),
    of_first("owns", "mine ours", r"\b(?:the|that|this)\s+(?P<o>[a-z][\w' -]{2,25}?)(?:'s|\s+is)\s+(?:finally\s+|now\s+|officially\s+|all\s+)+(?:mine|ours)\b", lasting, Mode.change),
    of_first("tool", "moved switched migrated gone changed", rf"\b{_TEAM}\s+(?:has\s+|have\s+|just\s+|finally\s+)*(?:moved|switched|migrated|gone|changed|is moving|is switching|is migrating)\s+(?:everything\s+)?(?:from\s+[\w.+#-]+(?:\s[\w+#]+)?\s+)?(?:over\s+|across\s+)?(?:to|onto)\s+", moved_tool, Mode.change),
    of_first("tool", "moved switched migrated changed", rf"(?:\b(?:i|we|i've|we've)\s+(?:have\s+|just\s+|finally\s+)*|\b{_TEAM}\s+(?:has\s+|have\s+|just\s+|finally\s+)*|{LEAD})(?:moved|switched|migrated|changed)\s+(?:everything\s+|(?:all\s+)?(?:my|our|the)\s+\w+\s+)?(?:off|from|away from)\s+", known_tool, Mode.end),
    *told("owns", "drive drives driving run runs running ride rides riding", r"(?:drive|run|ride|'m driving|'m running|am driving|'m riding)\s+(?:an?|my|the|our)\s", vehicle_en, third=r"(?:drives|runs|rides|is driving|'s driving)\s+(?:an?|his|her|the)\s", clipped=r"(?:driving|running|riding|drive|ride)\s+(?:an?|my|the|our)\s", dated=False, core=rf"\b(?:{_MAKES})\b"),
]  # fmt: skip

EVERYDAY_EN: list[Construction] = [*PLACES, *WORK, *PERSONAL, *LEARNED, *DAILY, *THINGS]
