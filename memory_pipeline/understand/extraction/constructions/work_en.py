"""English constructions of place, work, age, birth, marriage and learning, in words of any kind."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.calendar_words import CALENDAR_EN
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
from memory_pipeline.understand.extraction.constructions.open_takers_en import slot_en
from memory_pipeline.understand.extraction.constructions.takers import const, number, said
from memory_pipeline.understand.extraction.constructions.takers_en import firm_en, job_en, place_en
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.lexicon import is_occupation
from memory_pipeline.understand.extraction.numbers import NUMBER_WORD_EN
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.sentences import Sentence

NUM = rf"(?:\d{{1,3}}|{NUMBER_WORD_EN})"
NEAR = r"(?:just\s+)?(?:in|near|outside|just outside|by|around|close to|not far from|inside|on the edge of|at)"
HOME = r"(?:(?:small|little|tiny|big|new|lovely|nice|rented|old|two-bed|one-bed)\s+)*(?:place|flat|house|home|apartment|village|town|suburb|cottage|farm|studio|room|bungalow|condo|houseshare|duplex|loft|townhouse|houseboat|narrowboat|terrace|semi|cabin|bedsit|flatshare)"
_SOME_PLACE = rf"(?:(?:an?\s+|our\s+|my\s+|the\s+){HOME}\s+{NEAR}\s+|{NEAR}\s+)?"


def town_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """One place, but no person, month or weekday."""
    for value, a, b in place_en(sentence, scene, start, stop):
        first = str(value).split()[0]
        if first.lower() in CALENDAR_EN or (is_given_name(first) and not str(value)[1:].count(" ")):
            return
        if re.match(r"['’]s\b", sentence.text[b:]):
            return
        yield value, a, b


def job_of(take: Take) -> Take:
    """A job whose last or first word names an occupation."""

    def taking(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
        for value, a, b in take(sentence, scene, start, stop):
            words = re.findall(r"[\w-]+", str(value).lower())
            if words[:1] == ["dab"]:
                return
            if words and any(is_occupation(w) or _AGENT.search(w) for w in words):
                yield value, a, b

    return taking


_AGENT = re.compile(r"(?:[a-z]{3,}(?:ist|ician|itioner|ographer|ologist|eer|smith|keeper|grapher|worker|wright|fighter|manager|master|maker|monger|herd)|officer|supervisor|head|chief|lead|deputy|chair|treasurer|steward|fellow|partner|associate|deckhand|farmhand|stagehand|rep|mum|dad|mechanic)$")  # fmt: skip
ANY_JOB = job_of(job_en)
_RANK = r"(?:an?\s+|the\s+|our\s+|their\s+)?(?:new\s+|acting\s+|interim\s+)?"


def trade(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A job told by what is driven ("I drive trams for a living")."""
    thing = sentence.text[start:stop].strip()
    yield f"{re.sub(r's$', '', thing)} driver", start, stop


def tens(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """An age given as an ordinal ("my 60th birthday", "the big five-oh")."""
    word = sentence.low[start:stop]
    for name, value in {"three-oh": 30, "four-oh": 40, "five-oh": 50, "six-oh": 60, "seven-oh": 70, "3-0": 30, "4-0": 40, "5-0": 50, "6-0": 60, "7-0": 70}.items():  # fmt: skip
        if name == word:
            yield value, start, stop
            return
    digits = re.match(r"\d{1,3}", word)
    if digits:
        yield int(digits[0]), start, stop
        return
    plain = re.sub(r"ieth$", "y", re.sub(r"(?<=h)$", "", word))
    plain = re.sub(r"th$", "", plain)
    yield from number(_as_text(sentence, plain, start), scene, start, start + len(plain))


def _as_text(sentence: Sentence, word: str, start: int) -> Sentence:
    text = sentence.text[:start] + word
    return Sentence(text, sentence.start, sentence.lang, sentence.blocked)


def _by_job(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The place that stands after one's job ("electrician from Bergen")."""
    before = re.search(r"([\w-]+)\s+(?:from|in|based in|out of)\s+$", sentence.low[:start])
    if before and is_occupation(before[1]):
        yield from town_en(sentence, scene, start, stop)


def by_agent(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """The firm that stands after one's job ("software tester at Plumtree Labs")."""
    before = re.search(r"([\w-]+)\s+(?:at|for|with)\s+$", sentence.low[:start])
    if before and is_occupation(before[1]) and sentence.text[start : start + 1].isupper():
        yield from firm_en(sentence, scene, start, stop)


PLACES: list[Construction] = [
    of_first(
        "location", "months weeks years year month week days", rf"{LEAD}(?:[a-z]+|\d+)\s+(?:years?|months?|weeks?)\s+(?:here\s+)?in\s+(?=[^,.!?]{{2,30}}?\s+(?:and|now|already|so far|today|but)\b)", town_en, dated=False, confidence=0.68),
    of_first(
        "location", "based", r"\b(?:i'm|i am|im|we're|we are)\s+(?:now\s+|all\s+|both\s+)?(?P<o>(?!based|home|here|now|still|well|also|not)[a-z][\w'-]+(?:\s[a-z][\w'-]+)?)[ -]based\b", town_en, dated=False),
    of_first(
        "location", "swapped traded left exchanged", r"\b(?:i|we|i've|we've)\s+(?:just\s+|finally\s+)?(?:swapped|traded|exchanged)\s+[a-z][\w' -]{2,25}?\s+for\s+(?:an?\s+(?:\w+\s+){0,2}?(?:village|town|place|farm|cottage|house|flat)\s+(?:in|near|outside)\s+)", town_en, Mode.change),
    of_first(
        "location", "flat place house home apartment studio room office base family household farm cottage hq", rf"\b(?:my|our)\s+(?:new\s+|current\s+|little\s+|tiny\s+)?(?:flat|place|house|home|apartment|studio|room|base|family home|farm|cottage|bungalow|condo)(?:'s|\s+is|\s+are)\s+(?:now\s+|just\s+|currently\s+)?{NEAR}\s+", town_en, dated=False),
    of_first(
        "location", "family", r"\b(?:the|my|our)\s+(?:whole\s+)?(?:family|household|lot of us)\s+(?:is|are|lives?|has moved|moved|relocated)\s+(?:now\s+|currently\s+|all\s+)?(?:based\s+|living\s+|settled\s+|over\s+)?(?:in|to|near|outside)\s+", town_en, dated=None),
    of_first(
        "location", "girl boy lad lass native resident guy local kid woman man", r"\b(?:i'm|i am|im)\s+(?:an?\s+)(?:proper\s+|true\s+|proud\s+|real\s+)?(?P<o>[a-z][a-z-]+(?:\s[a-z]+)?)\s+(?:girl|boy|lad|lass|resident|guy|local)\s+(?:now|these days|at last|by (?:choice|adoption))\b", town_en, dated=False, confidence=0.65),
    of_first(
        "location", "called calling call", r"\b(?:i've|i have|we've|we have|i|we)\s+(?:called|been calling|now call|call)\s+(?P<o>[a-z][\w' -]{2,25}?)\s+home\b", town_en, dated=None),
    *told(
        "location", "moved gone came relocated transferred posted shifted settled emigrated immigrated returned headed decamped upped downsized",
        rf"(?:moved|gone|relocated|transferred|shifted|emigrated|immigrated|decamped|downsized|returned|migrated|retired|resettled|settled|upped sticks|come home|came home|moved home|came down|came up|came over|come down|come over)\s+(?:(?:back|over|out|up|down|away|across|here|home|permanently|for good|abroad|off|in with \w+(?: \w+)?)\s+)*(?:to live in|to|into|in|near|outside|home to|from [a-z]+ to)\s+{_SOME_PLACE}",
        town_en, Mode.change, third=rf"(?:just\s+|recently\s+|finally\s+|now\s+)*(?:moved|gone|relocated|transferred|shifted|emigrated|immigrated|retired|resettled|settled|returned|gone off)\s+(?:(?:back|over|out|up|down|away|across|here|home|permanently|for good|abroad|off)\s+)*(?:to live in|to|into|near|outside|from [a-z]+ to)\s+{_SOME_PLACE}", confidence=0.74),
    of_first(
        "location", "upped sticks packed came", r"\b(?:i|we)\s+(?:upped sticks|packed up|packed our bags|packed my bags|sold up|came back|came home|came over)\s+(?:and\s+(?:came|moved|went|left)\s+)?(?:here\s+)?(?:to|for)\s+", town_en, Mode.change),
    of_first(
        "location", "posted transferred relocated seconded assigned stationed", r"\b(?:i|we)(?:'ve|'m| have| am| are| was| were| got| been)+\s+(?:just\s+)?(?:been\s+)?(?:posted|transferred|relocated|seconded|assigned|sent|moved)\s+(?:over\s+)?to\s+", town_en, Mode.change),
    *being(
        "location", "based living located residing settled stationed staying resident", rf"(?:based|living|located|residing|settled|stationed|staying|resident|renting|holed up|parked|(?:house|pet|dog|cat)[ -]?sitting|lodging|bunking|stranded|wintering|summering|shacked up)\s+(?:(?:mostly|mainly|now|happily|out|over|here|back|alone)\s+)*(?:out of|{NEAR})", town_en, dated=None, confidence=0.75),
    *told(
        "location", "live lives stay stays reside resides dwell rent rents", rf"(?:live|stay|reside|rent|dwell)\s+(?:(?:mostly|mainly|now|alone|currently|over|here|back|out|on my own|with [a-z ]{{3,20}}?)\s+)*{NEAR}", town_en,
        third=rf"(?:lives|resides|rents|lives with [a-z ]{{3,15}})\s+(?:(?:mostly|now|alone|currently|over|here|back|out|still)\s+)*{NEAR}", clipped=None, dated=None),
    *told(
        "location", "bought buying house flat signed", rf"(?:just\s+)?(?:bought|rented|got|found|signed (?:the|a) lease on|closed on)\s+(?:ourselves\s+|myself\s+)?(?:an?|our|my)\s+(?:first\s+)?{HOME}\s+(?:down\s+|up\s+|over\s+)?{NEAR}", town_en, Mode.change, third=None, joined=False, confidence=0.7),
    of_first(
        "location", "move", r"\b(?:the|our|my)\s+move\s+to\s+(?P<o>[a-z][\w' -]{2,25}?)\s+(?:went|was|is (?:done|over|behind|complete)|has|took|cost|nearly killed)\b", town_en, dated=False),
    of_first(
        "location", "now", r"\b(?:now|since|ever since)\s+(?:that\s+)?(?:i'm|i am|we're|we are|i live|we live)\s+(?:back\s+|living\s+|based\s+)?in\s+", town_en, dated=False),
    of_first(
        "location", "now currently these", r"(?:,|\bbut|\band)\s+(?:now\s+|currently\s+|i'm now\s+|these days\s+)(?:i'm\s+|i live\s+|we're\s+|living\s+|live\s+|based\s+|we live\s+)?(?:in|near|outside)\s+", town_en, dated=False),
    of_first(
        "location", "from originally but", r"\bi'm\s+(?:originally\s+)?from\s+[a-z][\w' -]{2,25}?(?:\s+originally)?,?\s+but\s+(?:i\s+)?(?:now\s+)?(?:live|living|based|am)\s+(?:now\s+)?in\s+", town_en, dated=False),
    frame(
        "location", "from in based", r"(?P<first>\b(?:i'm|i am|im)\b[^.!?;]{1,40}?(?:,\s*|\s)(?:an?\s+)?[a-z-]+(?:\s[a-z-]+)?\s+(?:from|in|based in|out of))\s+", _by_job, dated=False, confidence=0.68),
]  # fmt: skip


_AGENT_AT = r"(?:er|or|ist|ian|ant|eer|ess|man|woman|nurse|chef|cook|clerk|pilot|vet|lead|analyst|architect|dev|intern|rep|manager|nanny|officer|tech|coach|guard|guide|host|aide|trainee|head|mechanic)\s+(?:at|for|with)\s"
_COMPANY = re.compile(
    r"\b(?:pharma|bank|capital|motors?|media|foods?|labs?|systems|software|energy|insurance|telecom|airlines?|airways|group|holdings|partners|solutions|technologies|tech|robotics|health|hospital|college|university|school|council|consulting|logistics|freight|shipping|steel|aerospace|dental|publishing|studios?|games|bros|ltd|inc|plc|llc|gmbh|corp|company|co|mutual|financial|electric|brewing|brewery|hotels?|rail|marine|glass|paper|data|digital|analytics|networks?|power|water|oil|gas|mining|trust|institute|foundation|associates|sons|& \w+)$",
    re.IGNORECASE,
)


def _company(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A firm whose name says that it is one, where a place could stand as well."""
    for value, a, b in firm_en(sentence, scene, start, stop):
        if _COMPANY.search(str(value)):
            yield value, a, b


_FIRM_WORK = r"(?:work|teach|do [a-z]+|drive [a-z ]{1,15}?|clean [a-z ]{2,15}?|cook|nurse|code|design|write|run [a-z ]{3,20}?|manage [a-z ]{3,20}?|freelance|consult|contract|lecture|intern|volunteer|am employed|am contracted|sell [a-z]+)"
WORK: list[Construction] = [
    of_first(
        "employer", "moved jumped switched transferred secondment seconded loan", r"\b(?:i'm|i am|i've been|been|i was|currently)\s+(?:on (?:secondment|loan|assignment|contract)|seconded|on the books|on a (?:placement|contract|fellowship|traineeship))\s+(?:to|at|with)\s+", firm_en, dated=None),
    frame(
        "employer", "moved jumped switched defected", rf"(?P<first>\b(?:i|i've)\s+(?:just\s+|recently\s+)?|{LEAD})(?:moved|jumped ship|switched|defected|went over|jumped)\s+(?:over\s+)?to\s+", _company, Mode.change, confidence=0.68),
    of_first(
        "employer", "contract time stint run job internship placement", r"\bmy\s+(?:contract|time|stint|run|job|internship|placement)\s+(?:with|at)\s+(?P<o>[a-z][\w&' -]{2,35}?)\s+(?:has\s+|just\s+|finally\s+)*(?:ended|ended|is over|came to an end|come to an end|finished|ran out|expired|is up)\b", firm_en, Mode.end),
    of_first(
        "employer", "years months year month yrs", rf"{LEAD}(?:[a-z]+|\d+)\s+(?:years?|months?|yrs)\s+(?:at|with)\s+(?=[^,.!?]{{2,30}}?\s+(?:and|now|already|so far|today|but)\b)", firm_en, dated=False, confidence=0.68),
    frame(
        "employer", "employer", r"(?P<third>'s\s+(?:new\s+|current\s+)?(?:employer|company|workplace)\s+is)\s+", by_owner(firm_en), dated=False),
    of_first(
        "employer", "employer employers company firm", r"\bmy\s+(?:new\s+|current\s+)?(?:employers?|company|firm)\s*[,(:—–-]+\s*", firm_en, dated=False),
    of_first(
        "employer", "job role position gig post", r"(?<!lost )(?<!left )(?<!quit )(?<!lose )\bmy\s+(?:new\s+|current\s+|day\s+)?(?:job|role|position|gig|post|contract|apprenticeship|internship|placement)\s+(?:at|with|for)\s+", firm_en, dated=None),
    *told(
        "employer", "work works teach do clean drive cook run lecture nurse intern", rf"{_FIRM_WORK}\s+(?:(?:part[- ]time|full[- ]time|remotely|nights|shifts|mostly|now|currently|days)\s+)*(?:at|for|with)\s+(?:an?\s+(?:[a-z]+\s+){{0,2}}?(?:called|named)\s+|the\s+council,\s+)?", firm_en,
        third=r"(?:works|teaches|does [a-z]+|drives [a-z ]{1,15}?|cooks|cleans [a-z ]{0,12}?|lectures|interns|freelances)\s*(?:(?:part[- ]time|full[- ]time|remotely|nights|now|currently)\s+)*\s(?:at|for)", clipped=r"(?:work|working)\s+(?:at|for|with)", dated=False, confidence=0.74),
    *being("employer", "working employed contracted with at been", r"(?:working|employed|contracted|interning|freelancing|consulting|on placement|on contract|temping|apprenticed)\s+(?:as [a-z ]{3,30}?\s+)?(?:at|for|with|by)", firm_en, dated=None),
    frame(
        "employer", "been with at", r"(?:\b(?P<first>i'm|i am|i've been|i have been|we've been)|(?P<third>'s been|'s|\bhas been|\bis))\s+(?:now\s+|still\s+)?(?:at|with)\s+(?=(?:the\s+)?[a-z][\w&' -]{2,35}?(?:\s+(?:for|since|these days|now|going on|coming up)\b|,\s*(?:[a-z]+\s+)?(?:side|department|team|division|claims|sales|legal|marketing)\b))", firm_en, dated=None, confidence=0.72),
    *told(
        "employer", "joined accepted started signed hired taken begun", r"(?:joined|(?:accepted|signed|got|received|taken|took)\s+(?:an?|the|my|their)\s+(?:job |new |great |full-time |formal )*(?:offer|contract|job|role|position|post)\s+(?:from|with|at)|started\s+(?:work\s+|working\s+|a new job\s+|my new job\s+)?(?:at|with|for)|begun at|began at|been hired (?:by|at)|got hired (?:by|at)|been taken on (?:by|at)|got taken on (?:by|at))", firm_en, Mode.change, confidence=0.78,
        third=r"(?:has joined|joined|accepted an offer from|started (?:at|with)|got a job (?:at|with)|has started (?:at|with)|was hired by|got hired by)"),
    of_first(
        "employer", "hired", r"\b(?:they|[a-z]+)\s+(?:hired|took)\s+me\s+(?:on\s+)?at\s+", firm_en, Mode.change),
    *told(
        "employer", "quit left resigned notice fired sacked laid redundant retired", r"(?:quit|left|(?:lost|quit|left) my (?:job|position|role) (?:at|with)|resigned from|handed in my (?:notice|resignation) (?:at|to)|gave (?:my )?notice (?:at|to)|given notice at|walked out of|parted ways with|got (?:fired|sacked|laid off|let go|made redundant) (?:from|by|at)|been (?:fired|sacked|laid off|let go|made redundant) (?:from|by|at)|was (?:fired|sacked|laid off|let go|made redundant) (?:from|by|at)|retired from|finished (?:up )?at|stopped working (?:at|for))", firm_en, Mode.end, confidence=0.78,
        third=r"(?:quit|has quit|has left|resigned from|(?:got|was|has been|'s been) (?:fired|sacked|laid off|let go|made redundant) (?:from|by|at)|retired from|handed in (?:his|her) notice at|walked out of|stopped working (?:at|for))"),
    *being("employer", "longer", r"no longer (?:with|at|working (?:for|at)|employed (?:by|at))", firm_en, Mode.end, negatable=False),
    # jobs
    of_first("job_title", "been", r"\b(?:i've|i have)\s+(?:always\s+|now\s+)?been\s+(?:working as\s+)?an?\s+", ANY_JOB, dated=None),
    of_first("job_title", "living", r"\bi\s+(?:do|sell|fix|repair|make|write|design|paint|train|teach|build|clean|cut|bake|grow|drive)\s+(?P<o>[a-z][a-z -]{2,25}?)\s+for\s+a\s+living\b", slot_en(3), dated=False, confidence=0.6),
    of_first("job_title", "bumped moved promoted kicked", rf"\b(?:they|he|she|my boss|the (?:board|company|school))(?:'ve|'s| have| has)?\s+(?:just\s+)?(?:bumped|moved|kicked|pushed|promoted)\s+me\s+(?:up\s+)?(?:to|into)\s+{_RANK}", job_en, Mode.change),
    of_first("job_title", "qualified", r"\b(?:i|i've|i have)\s+(?:just\s+|finally\s+|recently\s+)*(?:qualified|graduated|registered)\s+as\s+(?:an?\s+)?", ANY_JOB, Mode.change, confidence=0.68),    of_first("job_title", "living drive", r"\bi\s+(?:drive|fly)\s+(?P<o>trams?|buses|taxis?|cabs?|lorr(?:y|ies)|trucks?|trains?|ambulances?|forklifts?|coaches|hgvs?)\b(?=[^.!?]*\b(?:for a living|for work|full[- ]time|by day|nights|at|for)\b)", trade, dated=False),
    of_first("job_title", "living", r"\bi\s+(?:make|earn)\s+(?:my|a)\s+(?:living|crust|keep|money)\s+as\s+", job_en, dated=False),
    of_first("job_title", "role position post job", r"(?<!lost )(?<!left )(?<!quit )\bmy\s+(?:new\s+|current\s+|latest\s+)?(?:role|position|post|job|appointment|promotion)\s+(?:as|is)\s+(?:an?\s+|the\s+)?(?!to\b|at\b|with\b|in\b|about\b|so\b|very\b|really\b|pretty\b|not\b|hard\b|great\b|killing\b|stress|going\b|fine\b|boring\b|ok\b|good\b|a\b|driving\b)", ANY_JOB, dated=None),
    of_first("job_title", "speaking speak", rf"(?:{LEAD}|[,;]\s*)(?:speaking|talking)\s+as\s+", job_en, dated=False),
    of_first("job_title", "as", rf"{LEAD}as\s+an?\s+(?P<o>[a-z][a-z -]{{2,30}}?)\s*,?\s+(?:i|we|my)\b", job_of(slot_en(4)), dated=False),
    of_first("job_title", "profession trade day training", r"\b(?:by\s+(?:profession|trade|training|day|vocation),?\s+(?:i'm|i am|im)\s+|(?:i'm|i am|im)\s+(?=an?\s+[a-z -]{3,30}?\s+by\s+(?:profession|trade|training|day|vocation)\b))", job_en, dated=False),
    *told(
        "job_title", "promoted made appointed named elected hired", rf"(?:(?:been |was |got |am |'m )*(?:promoted|upgraded|bumped up|moved up|made up)\s+to|(?:been |was |got |am |'m )+(?:appointed|named|elected)(?:\s+as)?|(?:been |got |was )(?:made|hired as|taken on as|signed as))\s*{_RANK}", ANY_JOB, Mode.change,
        third=rf"(?:(?:been |was |got |has been |'s been )(?:promoted to|appointed|named|elected|made|hired as))\s*{_RANK}", clipped=rf"(?:been |got |just |was )*(?:promoted to|appointed|made|hired as|named)\s*{_RANK}", confidence=0.74),
    of_first("job_title", "made promoted appointed gave", rf"\b(?:they|he|she|we|the (?:board|company|school|boss)|my boss)(?:'ve|'s| have| has)?\s+(?:just\s+)?(?:made|promoted|appointed|named|elected)\s+me\s+(?:to\s+)?{_RANK}(?!feel|want|laugh|cry|think|happy|sad|work|wait|do|go|so|look|sick|smile)", ANY_JOB, Mode.change),
    *told(
        "job_title", "got landed accepted took position role job post", r"(?:got|landed|accepted|took|taken|secured|bagged|been offered)\s+(?:an?|the)\s+(?:new\s+)?(?P<o>[a-z][a-z -]{2,35}?)\s+(?:position|role|job|post|gig)\b", job_of(slot_en(4)), Mode.change),
    *told(
        "job_title", "started working acting serving doing filling training", r"(?:started (?:work )?as|started out as|work as|freelance as|moonlight as|serve as|served as|been serving as|retrained as|requalified as|became|become|have become)\s*(?:an?|the)?", ANY_JOB, dated=None,
        third=r"(?:works as|freelances as|serves as|retrained as|became|has become|started as)\s*(?:an?|the)?"),
    *being("job_title", "working serving acting employed freelancing", r"(?:working|serving|employed|freelancing|filling in|moonlighting|now working)\s+as\s*(?:an?|the)?", job_en, dated=None),
    frame(
        "job_title", "'s is now", r"(?P<third>(?:'s|\bis)\s+(?:now\s+|currently\s+|also\s+|just\s+|still\s+)?an?)\s+", by_person(ANY_JOB, 3), dated=False, confidence=0.68),
    of_first("job_title", "now trained retrained these", r"(?:,|\bbut|\band)\s+(?:now|these days|nowadays|currently)\s+(?:i'm|i am|im)\s+(?:an?\s+|the\s+)?", ANY_JOB, dated=False),
    of_first("job_title", "lost", r"\b(?:lost|quit|left)\s+my\s+(?:job|position|role|post)\s+as\s+", job_en, Mode.end),
    *told("job_title", "stepped retired resigned quit stopped", r"(?:(?:stepped down|retired|resigned|stood down|quit|stopped working)\s+as|gave up being|stopped being)\s+(?:an?\s+|the\s+|from being an?\s+)?(?=[a-z])", ANY_JOB, Mode.end, confidence=0.74),
    of_first("job_title", "intro name years", rf"{LEAD}(?P<o>[a-z][a-z -]{{2,30}}?)\s+(?:at|for|with|from|by trade|by day|here\b)(?=\s)", job_of(slot_en(3)), dated=False, confidence=0.66),
    of_first("job_title", "i'm im", r"\b(?:i'm|i am|im)\s+[a-z]+,\s*(?:\d{2},\s*)?(?P<o>[a-z][a-z -]{2,25}?)(?=\s+(?:from|in|at|by|and|with)\b|[,.])", job_of(slot_en(3)), dated=False, confidence=0.68),
    frame("employer", "at for with", rf"(?P<first>{LEAD}[a-z][a-z -]{{2,30}}?\s+(?:at|for|with))\s+", by_agent, dated=False, confidence=0.66, core=_AGENT_AT),
]  # fmt: skip


_COUNT = rf"\b(?:\d{{1,3}}|{NUMBER_WORD_EN})\b"
_AGED = r"(?=\s*(?:[,.;!)]|$)|\s+(?:and|so|now|but|years?|yrs?|today|tomorrow|this|last|yesterday|with|next|on)\b)"
AGES: list[Construction] = [
    of_first("age", "only just still", rf"{LEAD}(?:only|just|still)\s+(?P<o>\d{{2}})(?=\s*(?:[,.;!)]|$)|\s+(?:and|but|so|years old)\b)(?!\s+(?:people|minutes|hours|days|weeks|miles|left|pages|of))", number, dated=False, confidence=0.65),
    of_first("age", "age aged", rf"(?:{LEAD}|[,;(]\s*)aged?\s*(?:is|:|-)?\s*(?P<o>{NUM})\b", number, dated=False),
    of_first("age", "at", rf"{LEAD}at\s+(?:the (?:ripe old |tender )?age of\s+|age\s+)?(?P<o>{NUM})\s*,?\s+(?:i've|i'm|i am|i still|i can|i don't|i need|i feel|i have)\b", number, dated=False),
    of_first("age", "birthday", r"\b(?:celebrated|had|it was|it's|today is|is|was|for)\s+my\s+(?P<o>\d{2}th|\d{1,2}(?:st|nd|rd)|thirtieth|fortieth|fiftieth|sixtieth|seventieth|eightieth|ninetieth)(?:\s+birthday)?\b(?!\s+(?:week|month|soon))(?![^.!?]*\bago\b)", tens),
    of_first("age", "big", r"\b(?:hit|turned|reached)\s+(?:the\s+)?big\s+(?P<o>(?:three|four|five|six|seven)-oh|[3-7]-0)\b", tens),
    of_first("age", "completed turned reached hit", rf"(?:\b(?:i|i've|i have)\s+(?:just\s+|recently\s+|finally\s+|officially\s+)?|{LEAD})(?:completed|turned|reached|hit)\s+(?P<o>{NUM})(?=\s*(?:years?|[,.;!]|$)|\s+(?:yesterday|today|on|last|in|this|and|at)\b)", number, Mode.change),
    of_first("age", "years", rf"\b(?:i'm|i am|im)\s+(?P<o>{NUM})\s+(?:years?\s+(?:of age|young|old)|yrs? old|yo)\b", number, dated=False),
    of_first("age", "i'm im", r"(?:^|[,.;!:]\s*|\band\s+)(?:hi,?\s+)?(?:i'm|i am|im|we're both|we are both)\s+(?:only\s+|just\s+|now\s+|already\s+)?(?P<o>\d{2}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[\s-](?:one|two|three|four|five|six|seven|eight|nine))?)(?=\s*(?:[,.;!)]|$)|\s+(?:and|so|now|but|today|with)\b)", number, dated=False, core=_COUNT),
    frame("age", "'s is turned turns", rf"(?P<third>(?:'s|\bis|\bturned|\bjust turned|\bhas turned|\bcompleted|\breached)\s+(?:now\s+|only\s+|almost an?\s+|already\s+|just\s+)?)(?P<o>{NUM}){_AGED}(?!\s+(?:years?|months?|days?|weeks?)\s+(?:ago|late|into|in))", by_person(number, 3), dated=None, core=_COUNT),
]  # fmt: skip

_YEARS = r"(?:\w+|\d+)\s+(?:happy\s+|long\s+|wonderful\s+)?years?"
MARRIAGE: list[Construction] = [
    of_first("marital_status", "missus hubby spouse wifey", r"\b(?:my|the)\s+(?:missus|hubby|wifey|better half|spouse)\b", const("married"), dated=False, confidence=0.8),
    of_first("marital_status", "widow widower", r"\b(?:i'm|i am|im|i've been|i have been)\s+an?\s+(?:young\s+)?(?:widow|widower)\b", const("widowed"), dated=None),
    of_first("marital_status", "newlywed newlyweds bachelor spinster divorcee", rf"(?:{LEAD}|\b(?:i'm|i am|im|we're|we are)\s+(?:an?\s+)?)(?P<o>newlyweds?|bachelor|divorcee)\b", said({"newlywed": "married", "newlyweds": "married", "bachelor": "single", "divorcee": "divorced"}), dated=False),
    of_first("marital_status", "divorce", r"\b(?:my|our|the)\s+divorce\s+(?:came through|went through|is (?:final|finali[sz]ed|official|done|complete)|was finali[sz]ed|got finali[sz]ed|has been finali[sz]ed|has come through)", const("divorced"), Mode.change),
    of_first("marital_status", "marriage", r"\bmy\s+marriage\s+(?:ended|broke down|broke up|fell apart|is over|collapsed)\b", const("divorced"), Mode.change, confidence=0.68),
    of_first("marital_status", "single", rf"{LEAD}(?:recently|newly|happily|still|back to being|currently)\s+(?P<o>single|divorced|married|engaged|widowed|separated)\b", said(), dated=None),
    of_first("marital_status", "lost husband wife", r"\bi\s+lost\s+my\s+(?:husband|wife|spouse)\b(?!\s+(?:in the|at the|for a minute))", const("widowed"), dated=None),
    frame("marital_status", "question popped proposed", r"(?P<third>\b(?:finally\s+)?(?:popped the question|proposed)\b[^.!?]{0,40}?\b(?:said yes|accepted|she did|yes))", by_person(const("engaged")), Mode.change),
    of_first("marital_status", "proposed said yes engaged ring", r"\b(?:(?:he|she)\s+proposed|(?:he|she) popped the question|i proposed|i popped the question)\b[^?]{0,40}?\b(?:i said yes|said yes|we're engaged|accepted)", const("engaged"), Mode.change),
    frame("marital_status", "single divorced married engaged widowed separated", r"(?P<third>(?:'s|\bis|\bgot|\bhas been|'s been)\s+(?:now\s+|still\s+|finally\s+|just\s+|recently\s+|happily\s+|both\s+|already\s+)*)(?P<o>divorced|married|engaged|widowed|separated)(?=\s*(?:[,.;!)]|$)|\s+(?:now|to|in|on|and|with|last|since|again|but|too|yesterday|at)\b)(?!\s+to\s+(?:his|her|their)\s+(?:job|work|phone))", by_person(said()), dated=None),
    of_first("marital_status", "tied knot hitched vows", rf"(?:\b(?:i|we)(?:'ve)?\s+(?:just\s+|finally\s+)*|{LEAD})(?:tied the knot|got hitched|got wed|exchanged vows|said i do|eloped|got spliced)\b", const("married"), Mode.change),
]  # fmt: skip

_COURSE = r"(?:degree|diploma|certificate|certification|doctorate|phd|dphil|masters?|master's|mba|bachelors?|bachelor's|ba|bsc|msc|ma|mphil|mfa|llb|llm|b\.?tech|m\.?tech|b\.?com|m\.?com|b\.ed|gcses?|a-?levels|ged|hnd|nvq|pgce|btec|apprenticeship|qualification|licen[cs]e to practi[sc]e|course|foundation year|bootcamp|postgrad|undergrad)"
_SUBJECT = r"(?:law|medicine|physics|chemistry|maths|mathematics|history|english|biology|economics|engineering|philosophy|psychology|sociology|theology|geography|geology|music|art|fine art|drama|architecture|nursing|dentistry|accounting|accountancy|business|marketing|journalism|politics|linguistics|classics|computer science|computing|statistics|education|anthropology|archaeology|design|fashion|film|media|finance|pharmacy|veterinary \w+|social work|literature|languages|french|german|spanish|civil engineering|mechanical engineering|electrical engineering|software engineering|agriculture|forestry|horticulture|culinary arts|urban planning|international relations|public health)"


def school_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A course with its school, or either: up to the clause's end, its year or an aside."""
    end = re.compile(
        r"[,.;!?()\n](?!\w)|\s(?:straight|right after|just|after|before|following|immediately|ages|years ago)\b|\s(?:in|since|until|from)\s+(?:\d{4}|january|february|march|april|may|june|july|august|september|october|november|december)|\s(?:last|this|next)\s|\s(?:and|but|so|which|while|when|because|then|before|after|where|who|class of|back in|years?|though|at the moment|right now|part[- ]time|online)\b|\s+(?:at|on|by)\s+(?:\d|night|weekends|the moment)"
    ).search(sentence.low, start, stop)
    value = sentence.text[start : end.start() if end else stop].strip(" ,")
    bare = re.sub(r"^(?:an?|the|my|his|her|their|our|some)\s+", "", value, flags=re.IGNORECASE)
    words = bare.split()
    if not 1 <= len(words) <= 9 or re.match(r"(?:it|that|this|how|what|why|for|hard|to|with|more|abroad|together|again|all|him|her|them)\b", bare.lower()):  # fmt: skip
        return
    at = start + sentence.text[start:].find(bare)
    yield bare, at, at + len(bare)


def _named_school(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    for value, a, b in school_en(sentence, scene, start, stop):
        if str(value)[:1].isupper() or re.search(r"\b(?:university|college|school|academy|institute|polytechnic|uni|seminary|conservatoire)\b", str(value).lower()):  # fmt: skip
            yield value, a, b


def _capital_school(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A school named in capitals right at the slot."""
    lead = re.compile(r"\s*(?:the\s+)?").match(sentence.low, start)
    at = lead.end() if lead else start
    if sentence.text[at : at + 1].isupper():
        yield from school_en(sentence, scene, start, stop)


def _course(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    for value, a, b in school_en(sentence, scene, start, stop):
        if re.search(
            r"\b(?:sheet music|(?:the|a) (?:book|news|paper)|course of)\b", str(value).lower()
        ):
            return
        if re.search(rf"\b(?:{_COURSE}|{_SUBJECT})(?![\w-])", str(value).lower()):
            yield value, a, b


LEARNING: list[Construction] = [
    *told("education", "studied trained educated schooled learned", r"(?:studied|trained|was educated|was schooled|did my (?:degree|training|studies|undergrad|masters|phd)|took my degree|got my degree)\s+(?:[a-z ]{2,25}?\s+)?(?:at|from|in)(?=\s+(?:the\s+)?[a-z])", _capital_school, third=r"(?:studied|trained|was educated|did (?:his|her) (?:degree|training|undergrad|masters|phd))\s+(?:[a-z ]{2,25}?\s+)?(?:at|from)", dated=None, confidence=0.68),
    frame("education", "studied study studies read majored minored reading studying", rf"(?:\b(?P<first>(?:i|we)\s+(?:also\s+|once\s+|originally\s+|actually\s+|currently\s+)?(?=\w)|(?:i'm|i am|im)\s+(?:now\s+|currently\s+)?(?=\w+ing\b)|{LEAD})|(?P<third>(?<=\w\s)))(?:studied|study|read|majored in|minored in|did|reading|studying)\s+(?=(?:[a-z]+\s)?{_SUBJECT}\b)", _course, dated=None, confidence=0.76),
    frame("education", "studied studies majored studying reading", rf"(?P<third>(?:\bstudied|\bstudies|\bread|\bmajored in|\bmajors in|(?:'s|\bis)\s+(?:now\s+|currently\s+)?(?:studying|reading|doing)))\s+(?=(?:[a-z]+\s)?{_SUBJECT}\b)", by_person(_course), dated=None, confidence=0.78),
    *told(
        "education", "completed finished did doing got earned hold have has obtained received pursuing passed", rf"(?:completed|finished|did|got|earned|hold|have|obtained|received|passed|am doing|'m doing|am finishing|am pursuing|'ve got|was awarded|'ve|have just finished)\s+(?:an?\s+|my\s+|the\s+)?(?=(?:[\w'’.-]+\s){{0,3}}?{_COURSE}(?![\w-]))", _course, dated=None,
        third=rf"(?:completed|finished|did|got|earned|holds|has|obtained|received|is doing|'s doing|is pursuing|has got)\s+(?:an?\s+|his\s+|her\s+)?(?=(?:[\w'’.-]+\s){{0,3}}?{_COURSE}(?![\w-]))",
        clipped=rf"(?:completed|finished|did|got|earned|doing|pursuing|passed)\s+(?:an?\s+|my\s+)(?=(?:[\w'’.-]+\s){{0,3}}?{_COURSE}(?![\w-]))", confidence=0.74, core=rf"\b{_COURSE}(?![\w-])"),
    of_first("education", "doing taking pursuing year studying finishing halfway partway midway middle nearly", rf"\b(?:i'm|i am|im)\s+(?:currently\s+|now\s+|still\s+|about\s+|nearly\s+|halfway through\s+)*(?:(?:halfway|partway|most of the way|midway|nearly) through|in the middle of|doing|taking|pursuing|finishing|completing|on|in (?:my|the) (?:first|second|third|fourth|final|last) year of|studying for)\s+(?:an?\s+|my\s+|the\s+)?(?=(?:[\w'’-]+\s){{0,3}}?{_COURSE}(?![\w-]))", _course, dated=None),
    of_first("education", "first second 2:1 distinction", r"\bi(?:'ve| have| got| hold)\s+(?:got\s+)?an?\s+(?P<o>(?:first|2:1|2:2|third|distinction|merit|double first)\s+in\s+[a-z][\w' ]{2,40}?)(?=\s*(?:[,.;!]|$))", said(), dated=False),
    of_first("education", "degree major phd masters background bachelor", r"\bmy\s+(?:first\s+|undergrad\s+|postgrad\s+|university\s+)?(?:degree|major|phd|doctorate|masters?|master's|mba|bachelor's|diploma|thesis)\s+(?:is|was)\s+(?:in\s+|from\s+)", school_en, dated=False),
    of_first("education", "graduate alumna alumnus alum student enrolled registered", r"\b(?:i'm|i am|im)\s+(?:an?\s+|currently\s+|now\s+|a proud\s+|an?\s+\w+\s+)?(?:graduate|alumn\w+|alum|student|enrolled|registered|postgrad|undergrad|postgraduate|undergraduate)\s+(?:of|from|at|in|with)\s+(?:the\s+)?", _named_school, dated=None),
    *told(
        "education", "graduated passed went attended enrolled finished", r"(?:graduated from|passed out (?:of|from)|attended|enrolled (?:at|in|with)|got into|was educated at|went to(?=\s+[a-z][\w' ]{2,30}?(?:,\s*class|\s+(?:university|uni|college|school|law school|academy|institute|polytechnic)\b)))", _named_school, dated=None,
        third=r"(?:graduated from|passed out (?:of|from)|attended|enrolled (?:at|in)|got into)(?=\s+[a-z][\w' ]{2,40}?(?:\s+(?:university|uni|college|school|academy|institute)\b|$|[.,]|\s+in\s+\d{4}|\s+last\b))"),
    of_first("education", "went class", rf"{LEAD}(?:went to|graduated(?: from)?)\s+(?P<o>[a-z][\w' ]{{2,30}}?),\s*class of\b", said(), dated=False),
    of_first("education", "phd dphil masters", rf"{LEAD}(?P<o>(?:phd|dphil|msc|mba|masters?|master's|doctoral|law|medical|nursing|engineering)\s+(?:candidate|student)(?:\s+in\s+[a-z][\w' ]{{2,25}}?)?)(?=\s+(?:here|at|from|and)\b|\s*(?:[,.;!]|$))", said(), dated=False),
    of_first("education", "chartered trained", r"\bi\s+(?:trained)\s+as\s+(?:an?\s+)?(?P<o>[a-z][a-z -]{2,30}?)(?=\s+(?:in|at|back|but|and|last|years?|before|with)\b|\s*(?:[,.;!]|$))", job_of(slot_en(4)), dated=None, confidence=0.66),
]  # fmt: skip

WORK_EN: list[Construction] = [*PLACES, *WORK, *AGES, *MARRIAGE, *LEARNING]
