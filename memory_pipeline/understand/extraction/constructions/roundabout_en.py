"""What English chat tells in passing: by what goes with it and not by its own word ("I've been a
Dubliner since March", "Acme pays me", "handed in my badge")."""

from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.clauses_en import frame, of_first
from memory_pipeline.understand.extraction.constructions.engine import Construction, Piece
from memory_pipeline.understand.extraction.constructions.open_takers_en import noun_en
from memory_pipeline.understand.extraction.constructions.possessions import owned_en
from memory_pipeline.understand.extraction.constructions.takers import const, number, said
from memory_pipeline.understand.extraction.constructions.takers_en import firm_en, job_en
from memory_pipeline.understand.extraction.constructions.work_en import job_of, town_en
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.people import is_given_name
from memory_pipeline.understand.extraction.sentences import Sentence

_PEOPLE = {
    "aberdonian": "Aberdeen", "angeleno": "Los Angeles", "atlantan": "Atlanta", "aucklander": "Auckland",
    "austinite": "Austin", "berliner": "Berlin", "bostonian": "Boston", "bristolian": "Bristol",
    "brummie": "Birmingham", "calgarian": "Calgary", "chicagoan": "Chicago", "denverite": "Denver",
    "dubliner": "Dublin", "edinburgher": "Edinburgh", "glaswegian": "Glasgow", "houstonian": "Houston",
    "liverpudlian": "Liverpool", "londoner": "London", "mancunian": "Manchester", "melburnian": "Melbourne",
    "montrealer": "Montreal", "muscovite": "Moscow", "new yorker": "New York", "parisian": "Paris",
    "philadelphian": "Philadelphia", "portlander": "Portland", "san franciscan": "San Francisco",
    "scouser": "Liverpool", "seattleite": "Seattle", "sydneysider": "Sydney", "torontonian": "Toronto",
    "vancouverite": "Vancouver", "venetian": "Venice", "wellingtonian": "Wellington",
}  # fmt: skip
_START = r"(?:^|[.!,;:—–(]\s*|\b(?:and|but|so|then|that)\s+)"
_FIRM = r"(?P<o>[a-z][\w&'.-]*(?:\s[a-z][\w&'.-]*){0,2}?)"
_JOB = job_of(job_en)


def _employer(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """A firm as the one that does something; a person does it too."""
    for value, a, b in firm_en(sentence, scene, start, stop):
        first = str(value).split()[0]
        if b >= stop and not is_given_name(first) and first[:1].isupper():
            yield value, a, b


ROUNDABOUT_EN: list[Construction] = [
    of_first(
        "location", " ".join(word.split()[-1] for word in _PEOPLE), rf"\b(?:i'm|i am|im|i've been|ive been|i have been|we're|officially|now)\s+(?:officially\s+|now\s+|finally\s+|still\s+)*an?\s+(?:proud\s+|proper\s+|fully[ -]fledged\s+|real\s+)?(?P<o>{'|'.join(_PEOPLE)})\b(?!\s+(?:by birth|at heart|born|in exile))", said(_PEOPLE), dated=True),
    of_first(
        "location", "trading swapping leaving ditching", r"\b(?:i'm|im|i am|we're|we are|i'll be|we'll be)\s+(?:\w+ly\s+)?(?:trading|swapping|leaving|ditching)\s+[a-z][\w' -]{2,25}?\s+for\s+", town_en, Mode.change),
    of_first(
        "location", "good keeps", r"\b(?:then|and|now|so|from\s+there)\s+it's\s+(?P<o>[a-z][\w' -]{2,25}?)\s+for\s+(?:good|keeps)\b", town_en, Mode.change),
    of_first(
        "location", "find catch", r"\b(?:you(?:'ll|\s+will|\s+can|'d)?\s+find\s+me|catch\s+me)\s+(?:over\s+|up\s+|down\s+)?in\s+", town_en, dated=True, confidence=0.68),
    of_first(
        "location", "decamp ship sticks", r"\b(?:i|we)\s+(?:decamp|ship\s+out|up\s+sticks)\s+(?:and\s+move\s+)?to\s+", town_en, Mode.change),
    frame(
        "location", "sent shipped posted seconded transferred flown", r"(?:'s|\s+is|\s+are|\s+was|\s+got)\s+(?:being\s+|getting\s+)(?:sent|shipped|posted|seconded|transferred|flown)\s+(?:off\s+|out\s+|over\s+)?to\s+(?:the\s+|our\s+)?", town_en, Mode.change, confidence=0.7),
    of_first(
        "location", "live", r"\bin\s+(?P<o>[a-z][\w' -]{2,25}?),?\s+where\s+(?:i|we)\s+(?:actually\s+|really\s+|currently\s+|now\s+|do\s+)?live\b", town_en, dated=False),
    of_first(
        "employer", "hired poached nabbed snagged headhunted recruited", rf"{_START}{_FIRM}\s+(?:has\s+|have\s+|just\s+|finally\s+|officially\s+)*(?:hired|poached|nabbed|snagged|headhunted|recruited)\s+me\b(?!\s+to\s)", _employer, Mode.change),
    of_first(
        "employer", "took takes gets", rf"{_START}{_FIRM}\s+(?:has\s+|just\s+|finally\s+)*(?:(?:took|takes|is\s+taking)\s+me\s+(?:on|back)|gets\s+me\s+(?:from|starting|on)\b)", _employer, Mode.change),
    of_first(
        "employer", "where", rf"{_START}(?:yeah,?\s+)?{_FIRM}(?:'s|\s+is)\s+where\s+(?:i|we)\s+(?:work|clock|toil|earn|spend\s+my\s+(?:days|weekdays|working|9|nine))", _employer, dated=False),
    of_first(
        "employer", "pays", rf"{_START}{_FIRM}\s+pays\s+(?:me\b|my\s+(?:bills|rent|salary|wages))", _employer, dated=False),
    of_first(
        "employer", "day week", rf"{_START}(?:day\s+(?:one|1)|(?:my\s+)?first\s+(?:day|week)|week\s+one)\s+(?:at|with)\s+(?:my\s+new\s+job\s+at\s+)?", firm_en, Mode.change, dated=True),
    of_first(
        "employer", "here", rf"^[a-z][\w -]{{3,30}}?\s+(?:at|for|with)\s+{_FIRM}\s+here\b", _employer, dated=False),
    of_first(
        "job_title", "here", r"^(?P<o>[a-z][\w -]{3,30}?)\s+(?:at|for|with)\s+[a-z][\w&'. -]{1,30}?\s+here\b", _JOB, dated=False),
    of_first(
        "job_title", "only just merely", r"\b(?:i'm|im|i am)\s+(?:only|just|merely)\s+an?\s+", _JOB, dated=False),
    frame(
        "job_title", "bumped kicked promoted moved pushed", r"\b(?P<third>(?:got|was|been|getting|being)\s+(?:bumped|kicked|moved|promoted|pushed)\s+up\s+to\s+)", _JOB, Mode.change),
    of_first(
        "job_title", "stepping filling covering", r"\b(?:i'm|im|i am|i'll be)\s+(?:stepping\s+(?:in|up)|filling\s+in|covering)\s+as\s+", _JOB, Mode.change),
    of_first(
        "employer", "badge lanyard keycard notice", r"\b(?:handed|turned|handing|turning|gave)\s+(?:in\s+|back\s+|over\s+)?my\s+(?:(?:work\s+|company\s+)?(?:laptop|phone|keys)\s+(?:n|and|&)\s+)?(?:badge|lanyard|key\s?card|notice)\b", const(None), Mode.end),
    of_first(
        "employer", "payroll job", r"\bmy\s+last\s+day\s+(?:on\s+(?:the\s+)?payroll|on\s+the\s+job|of\s+work)\s+(?:is|was|will\s+be)\b", const(None), Mode.end),
    of_first(
        "allergy", "epipen pen", r"\bepi-?pen(?:'s|\s+is)\s+(?:there\s+)?(?:bc|because|due|cause|cuz|on\s+account)\s+(?:of|to)\s+", noun_en(3, limit=3, acts=False), dated=False),
    of_first(
        "owns", "shed garage driveway barn", r"\b(?:there's|theres|there\s+is)\s+(?=[^.!?]{3,40}?\bin\s+(?:my|our)\s+(?:shed|garage|driveway|barn)\b)(?:an?\s+)?(?P<o>[a-z][\w -]{2,25}?)\s+(?:in\b|and\b)", owned_en, dated=False),
    of_first(
        "age", "hitting turning", rf"{_START}(?:hitting|turning)\s+(?P<o>\d{{2}})\s+(?:made|has|was|did|feels)\b", number, dated=False),
]  # fmt: skip
