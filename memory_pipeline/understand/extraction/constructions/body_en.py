"""English constructions of the body: medicines, allergies, illnesses, food, in words of any kind."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.clauses_en import (
    LEAD,
    being,
    by_person,
    frame,
    of_first,
    told,
)
from memory_pipeline.understand.extraction.constructions.engine import (
    Construction,
    Piece,
    Take,
)
from memory_pipeline.understand.extraction.constructions.foods import FOOD_EN, foods_en
from memory_pipeline.understand.extraction.constructions.illness import _NOT_ILLNESS_EN, ILLNESS_EN
from memory_pipeline.understand.extraction.constructions.open_takers_en import (
    formed_of,
    noun_en,
    slot_en,
)
from memory_pipeline.understand.extraction.constructions.takers import const, said
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.phrases import english_phrase
from memory_pipeline.understand.extraction.rules.medicines import drug_en
from memory_pipeline.understand.extraction.sentences import Sentence

_FORM = (
    r"(?:tablets?|pills?|capsules?|inhalers?|injections?|jabs?|drops|creams?|ointment|patch(?:es)?|supplements?|spray|acid|syrup|shots|gel|lozenges|"
    r"antibiotics?|antihistamines?|steroids?|painkillers?|antidepressants?|statins?|blockers?|thinners?|diuretics?|sedatives?|hormones?|insulin|lithium|morphine|codeine|hrt|the pill|birth control|epipen)"
)
_DRUG_SHAPE = re.compile(
    r"(?:[a-z]{2,}(?:formin|pril|statin|sartan|mab|prazole|zepam|cillin|mycin|oxetine|profen|thyroxine|gliptin|gliflozin|dipine|olol|zolam|triptan|tidine|tadine|conazole|"
    r"parin|farin|xaban|lukast|terol|tamol|butamol|sone|solone|tyline|faxine|giline|azepine|gabalin|pentin|traline|azine|irizine|tropin|glutide|tinib|floxacin|cycline|thiazide|semide|"
    r"lactone|oxin|ridone|apine|idone|pram|phenidate|codone|trexate|prine|dronate|fenac|coxib|quine|relin|mide|vir|dazole|nazole|caine|setron|zosin|steride|barbital|melatonin|aspirin|naproxen|xifen|trigine|pezil|trozole|platin|fenadine|ratadine|rizine|stigmine|mantine|gepant|ciclib|zumab|ximab|parib|ferol|tegravir|bactam|mustine|rubicin|taxel|globin))\b"
)
_BRANDS = re.compile(
    r"(?:xarelto|eliquis|zoloft|prozac|lexapro|adderall|ritalin|concerta|xanax|ozempic|wegovy|mounjaro|humira|enbrel|stelara|entyvio|dupixent|lipitor|crestor|synthroid|plavix|zyrtec|claritin|"
    r"allegra|nexium|prilosec|vyvanse|strattera|wellbutrin|cymbalta|effexor|lyrica|keppra|lamictal|depakote|seroquel|abilify|risperdal|ventolin|symbicort|advair|tylenol|advil|nurofen|gaviscon|benadryl|ambien|valium|lantus|novorapid|humalog|trulicity|victoza|saxenda|jardiance|januvia|topamax|botox|roaccutane|accutane|zopiclone|tramadol)\b"
)
_DOSES = re.compile(
    r"\s*(?:(?:an?|the|my|some|daily|nightly|weekly|more|another|his|her|their|low|high|small|large|maximum|dose|doses|dosage|course|of|round|prescription|prescribed|regular|half a|two|\d+(?:\.\d+)?\s*(?:mg|mcg|g|ml|units?|puffs?|tablets?|pills?)?)\s+)*"
)
_AND = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|\+|&|/|\s(?:and|plus|with)\s)\s*(?:my\s+|the\s+|some\s+|a\s+)?"
)


def meds_en(sure: bool) -> Take:
    """Medicines in a row. `sure`: the words before speak of medicine, so that any name serves."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        low, at = sentence.low[:stop], start
        for n in range(4):
            lead = _DOSES.match(low, at)
            begin = lead.end() if lead else at
            found = _medicine(sentence, begin, stop, sure and n == 0)
            if found is None:
                return
            yield found
            joint = _AND.match(low, found[2])
            if joint is None:
                joint = re.compile(r",\s*(?:[a-z]+\s){0,2}(?=[a-z]{6,}\b)").match(low, found[2])
            if joint is None:
                return
            at = joint.end()

    return take


def _medicine(sentence: Sentence, at: int, stop: int, sure: bool) -> Piece | None:
    known = drug_en(sentence.low[:stop], at)
    if known is not None:
        return known
    shape = _BRANDS.match(sentence.low, at) or _DRUG_SHAPE.match(sentence.low, at)
    kind = re.compile(rf"(?:[a-z][\w-]*\s){{0,2}}?{_FORM}(?![\w-])").match(sentence.low, at, stop)
    if kind is not None:
        return sentence.text[kind.start() : kind.end()], kind.start(), kind.end()
    if shape is not None and shape.end() <= stop:
        return sentence.text[shape.start() : shape.end()], shape.start(), shape.end()
    if not sure:
        return None
    found = english_phrase(sentence.text[:stop], at, max_words=3)
    if found is None or _NO_MEDICINE.match(found[0].lower()):
        return None
    return found


_NO_MEDICINE = re.compile(
    r"(?:it|them|that|this|something|anything|nothing|me|him|her|us|you|my|rest|bed|physio\w*|exercise\w*|sleep|time|more|less|some|stuff|things?|lots?|fluids|water|a|an|the|glasses|surgery|to|off|\d+$|expensive|cheap|late|ready|gone|finished|here|there|free|working|helping|making|driving|killing|[a-z-]+ diet|diet|[a-z-]+ list|list|leave|nights?|early|shifts?|hold|notice|edge|speed)\b"
)

_STRONG = meds_en(sure=True)
_WEAK = meds_en(sure=False)
_CLINIC = r"(?:doctors?|doc|psychiatrists?|gp|nurse|consultant|specialist|surgeon|psychiatrist|dentist|clinic|hospital|pharmacist|[a-z]+ologist|they|she|he)"
_BODY = r"(?:left |right |lower |upper |big |little |both )?(?:wrist|ankle|arm|leg|foot|toe|finger|thumb|hand|knee|hip|shoulder|elbow|collarbone|rib|ribs|nose|jaw|back|neck|acl|mcl|achilles|hamstring|meniscus|ligament|ligaments|calf|heel|spine|pelvis|skull|tendon|muscle|groin|tailbone|eardrum|cheekbone|disc|disk|rotator cuff)"
_HURT = {
    "broke": "broken", "broken": "broken", "breaking": "broken", "tore": "torn", "torn": "torn", "sprained": "sprained", "fractured": "fractured",
    "dislocated": "dislocated", "twisted": "twisted", "ruptured": "ruptured", "pulled": "pulled", "snapped": "snapped", "shattered": "broken", "slipped": "slipped", "herniated": "herniated", "busted": "broken",
}  # fmt: skip
_SORE = r"(?:bad|dodgy|gammy|bum|weak|sore|stiff|arthritic|frozen|trapped|slipped|herniated|bulging|broken|torn|sprained|fractured|dislocated|twisted|ruptured|swollen|replaced|artificial|prosthetic)"
_AILING = (
    r"infection|murmur|stones?|fever|flu|covid|pneumonia|shingles|sepsis|anaemia|anemia|leuk[ae]+mia|stroke|"
    r"parkinson's|alzheimer's|crohn's|hashimoto's|hodgkin's|huntington's|ms|mnd|als|coeliac(?: disease)?|celiac(?: disease)?|apnoea|dementia|angina|psoriasis|rosacea|fibroids|endometriosis|osteoporosis|fibromyalgia|hay ?fever|thyroid|gallstones|cysts?|polyps?|piles|varicose veins|pre-?eclampsia|rickets|malaria|dengue|typhoid|tb|tuberculosis|measles|mumps|chickenpox|tonsils|migraines?|concussion|whiplash|dyspraxia|dyscalculia|aphasia|stammer|stutter|lisp|squint|allergic rhinitis|hypertension|hypotension|high blood pressure|low blood pressure"
)
_ANY_WORDS = r"(?:[\w'-]+\s+){0,3}?"
_AILMENT = re.compile(
    rf"\s*(?:an?\s+|the\s+|this\s+|some\s+|my\s+)?(?P<o>{_SORE}\s+{_BODY}\b|(?:(?:[a-z][\w'-]*)\s){{1,3}}?(?:problems?|trouble|issues?|failure|attacks?|loss|pain)(?!\s+(?:with|of|at|getting|finding|sleeping\b))|(?:(?:[a-z][\w'-]*)\s){{0,3}}?(?:{_AILING}))(?![\w'-])"
)
_ILL = rf"\b(?:problems?|trouble|issues?|failure|attacks?|loss|pain)\b|\b{_SORE}\s+{_BODY}\b|(?:{ILLNESS_EN.pattern.removeprefix(_ANY_WORDS)}|\b(?:{_AILING}))"
_MENTAL = re.compile(
    r"allerg|\b(?:a lot|my (?:boss|ex|mother|printer|laptop)|wifi|money|trust|commitment|parking|car|computer|software|work|homework|engine|the (?:app|site|server|wifi))\b"
)


def ailment_en(sure: bool) -> Take:
    """One illness or injury. `sure`: the words before speak of illness, so that any noun serves."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        low = sentence.low[:stop]
        found = _AILMENT.match(low, start)
        if found is not None and not _MENTAL.search(found["o"]):
            yield _plain(found["o"]), found.start("o"), found.end("o")
            return
        shape = ILLNESS_EN.match(low, start)
        if (
            shape is not None
            and not _MENTAL.search(shape[0])
            and not _NOT_ILLNESS_EN.search(_plain(shape[0].strip()))
        ):
            yield _plain(shape[0].strip()), shape.start(), shape.end()
            return
        if sure:
            some = english_phrase(sentence.text[:stop], start, frozenset({"in", "on"}), 5)
            if some is not None and not _NO_MEDICINE.match(some[0].lower()) and not _MENTAL.search(some[0].lower()):  # fmt: skip
                yield _plain(some[0]), some[1], some[2]

    return take


def _plain(name: str) -> str:
    return re.sub(r"^(?:(?:an?|the|some|my|really|pretty|very|severe|mild|terrible|awful|nasty|touch of|bit of|a touch of|case of|bout of|what is called)\s+)+", "", name, flags=re.IGNORECASE)  # fmt: skip


_SICK = ailment_en(sure=True)
_SHAPE = ailment_en(sure=False)
_TO_ACT = frozenset({"to"})

_ALLERGEN = noun_en(3, limit=5, acts=False)
_RASH = r"(?:(?:hives|a rash|rashes|spots|welts|blotches|an? [a-z]+ rash)\b)"
_DEGREE = r"(?:severe|severely|bad|badly|serious|mild|mildly|life-threatening|nasty|terrible|terribly|deathly|deadly|highly|extremely|violently|massive|proper|known|slight|huge|really|very|super)"


def _one_allergen(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    for value, a, b in slot_en(3)(sentence, scene, start, stop):
        bare = re.sub(rf"^(?:(?:{_DEGREE}|food|skin|seasonal|an?|any|no|new|old)\s+)+", "", str(value).lower())  # fmt: skip
        if re.search(
            r"\b(?:about|of|for|to|on|with|in|and|or|by|from|like|my|outgrew|outgrown)\b", bare
        ):
            return
        if bare and bare not in {"food", "skin", "seasonal", "an", "any", "no", "new", "the", "this", "his", "her", "my"} and not re.match(r"(?:no|any|without|you|if|not)\b", bare):  # fmt: skip
            yield bare, a, b


_DIET_WORD = (
    r"(?:vegan|vegetarian|veggie|pescatarian|pescetarian|flexitarian|lacto-vegetarian|ovo-vegetarian|fruitarian|teetotal(?:l?er)?|plant[- ]based|pure veg|keto|paleo|kosher|halal|"
    r"(?:gluten|dairy|sugar|lactose|grain|wheat|alcohol|caffeine|nut|egg|meat|carb|salt|soy|oil)[- ]free|low[- ](?:carb|fat|salt|sodium|fodmap|sugar|gi|residue))"
)
_DIETS_BESIDE = r"(?!\s+(?:restaurant|place|food|recipe|recipes|option|options|menu|cheese|burger|cafe|café|friend|friends|dish|meal|cake|sausage|stuff|chocolate|cookbook|society|festival)s?\b)"
_STRICTLY = r"(?:(?:strictly|strict|a strict|a lifelong|lifelong|mostly|fully|completely|100%|pure|proper|practising|practicing|devout|a|an|ovo|lacto|now|currently|still)\s+)*"
_EAT_NOT = r"(?:don't|dont|do not|won't|can't|cannot|cant|never|no longer|am not|'m not|'re not)"
_EAT = (
    r"(?:ever\s+)?(?:eat|eating|touch|touching|drink|drinking|have|having|do|doing|consume|go near)"
)
_EATS_NOT = r"(?:doesn't|does not|doesnt|won't|can't|cannot|never|no longer|isn't|is not)\s+(?:eats?|eating|touch(?:es)?|touching|drinks?|drinking)"
_NO_DISH = re.compile(
    r"\s*(?:any\s+|all\s+)?(?:much|enough|that|it|this|here|there|breakfast|lunch|dinner|supper|brunch|out|anything(?! with)|well|before|after|as|at|alone|in|on|with|for|them|and|or|too|so|more|less|like|a lot|when|while|until|unless|because|water|your|his|the|my|a|an|i|you|yet|properly|together|again|these days|anymore|any\s?more|to|up)\b"
)


def dishes_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """Foods of any name, as what is not eaten, where the verb speaks of eating."""
    if _NO_DISH.match(sentence.low, start):
        return
    for value, a, b in noun_en(3, limit=5, acts=False)(sentence, scene, start, stop):
        plain = re.sub(r"^(?:any|all|most|the)\s+", "", str(value))
        plain = re.sub(r"\s+(?:any\s?more|either|ever|anymore|at home|at all)$", "", plain)
        if re.search(r"\d|\b(?:day|days|time|times|week|morning|night|years?|months?)\b", plain):
            return
        yield f"no {plain}", a, b


def _only(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The kind of food that alone is eaten ("only eats organic")."""
    found = re.compile(r"\s*(organic|halal|kosher|raw|plant[- ]based|vegan|vegetarian|gluten[- ]free|fish|wholefoods?|local(?:ly grown)?)\b").match(sentence.low, start)  # fmt: skip
    if found is not None:
        yield found[1], found.start(1), found.end(1)


def _diet_word(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    words = sentence.text[start:stop].strip()
    plain = "vegetarian" if words.lower() == "veggie" else words
    yield re.sub(r"([a-z]) free$", r"\1-free", plain), start, stop


MEDICINES: list[Construction] = [
    of_first("medication", "put started prescribed", r"\b(?:i've|i have|i)\s+(?:just\s+|also\s+|now\s+)?(?:been|was|got|get)\s+(?:put|started|moved|switched)\s+(?:back\s+)?(?:on|onto|to)\s+", _WEAK, Mode.change),
    of_first("medication", "get have gets", r"\bi\s+(?:get|have)\s+(?:an?\s+|my\s+)?(?=(?:[a-z0-9-]+\s){0,2}?(?:injections?|jabs?|shots?|infusions?|patch(?:es)?)\s+(?:every|once|twice|monthly|weekly|each|daily))", _WEAK, dated=False),
    of_first("medication", "tablets pills daily", rf"{LEAD}(?:[a-z -]{{2,25}}?\s)?(?:tablets|pills|meds|medication)\s+(?:daily|every (?:day|night|morning)|twice a day)\s*[,:(—–-]+\s*", _WEAK, dated=False),
    frame("medication", "give gives giving", r"(?P<third>\b(?:give|giving|gave)\s+(?:grandma|grandpa|grandad|gran|nan|mum|mom|dad|my \w+|our \w+|him|her))\s+(?:his\s+|her\s+)?", by_person(_WEAK), dated=False),
    of_first("medication", "told said says advised", rf"\b(?:my\s+|the\s+)?{_CLINIC}\s+(?:said|says|told me|advised me|wants me|recommended|suggested)\s+(?:to\s+(?:take|use|start)|taking|starting|i (?:take|use))\s+(?=[^.!?]*\b(?:so|and)\s+i(?:'m| am| do| take)\b)", _WEAK, dated=False),
    *being(
        "medication", "on taking using injecting", r"(?:on|taking|using|injecting|being treated with)",
        _WEAK, confidence=0.8, dated=None,
    ),
    *told(
        "medication", "take takes use uses inject injects need needs swallow pop apply popping rely",
        r"(?:have to |need to |must |got to |'ve got to |usually |normally )?(?:take|use|inject|need|swallow|pop|apply|rely on|live on)",
        _WEAK, third=r"(?:has to take|needs to take|takes|uses|injects|needs|relies on|swallows)",
        clipped=r"(?:take|taking|using|popping|injecting|been taking|been popping|been using)", joined=True, confidence=0.78, dated=False,
    ),
    of_first(
        "medication", "been taking popping using", r"\b(?:i've|i have|we've)\s+been\s+(?:taking|popping|using|injecting)\s+", _WEAK, dated=None),
    of_first(
        "medication", "prescribed prescribe prescription", rf"\b{_CLINIC}(?:'s|'ve| has| have)?\s+(?:just |now |finally |also )?prescribed\s+(?:me\s+)?(?!him\b|her\b|my\b|them\b|us\b)", _STRONG, Mode.change, confidence=0.8),
    of_first(
        "medication", "prescribed", r"\b(?:i was|i've been|i got|i have been|been|was)\s+(?:just |recently |also )?prescribed\s+", _STRONG, Mode.change, confidence=0.78),
    frame(
        "medication", "prescribed", r"(?P<third>(?:\bwas|\bgot|\bhas been|'s been|\bbeen)\s+(?:just |recently |also )?prescribed)\s+", by_person(_STRONG), Mode.change, confidence=0.82),
    of_first(
        "medication", "put started moved switched gave given", rf"\b(?:my\s+)?{_CLINIC}(?:'s|'ve| has| have)?\s+(?:just |now |finally |also )?(?:put|started|moved|switched|gave|given)\s+me\s+(?:(?:back\s+)?(?:on|onto|to|with)\s+)?", _WEAK, Mode.change, confidence=0.8),
    of_first("medication", "put started moved switched", r"\b(?:doctors?|doc|psychiatrists?|gp|consultant|specialist|dermatologist|[a-z]+ologist)(?:'s|'ve| has| have)?\s+(?:just |now |finally |also )?(?:put|started|moved|switched)\s+me\s+(?:back\s+)?(?:on|onto|to)\s+", _STRONG, Mode.change, confidence=0.78),
    of_first(
        "medication", "gave given", r"\b(?:doctor|doc|gp|nurse|hospital|consultant|clinic)\b[^.!?;]{0,40}?\b(?:and|has|have|they)\s+(?:gave|given)\s+(?:me\s+)?", _WEAK, Mode.change),
    *told(
        "medication", "swapped switched changed moved replaced", r"(?:swapped|switched|changed|moved|replaced|went)\s+(?:from\s+)?(?:my\s+)?[a-z]+\s+(?:for|to|with|onto)",
        _WEAK, Mode.change, joined=False),
    *told(
        "medication", "swapped switched changed moved replaced", r"(?:swapped|switched|changed|moved|replaced|went)\s+(?:from\s+)?(?=[a-z]+\s+(?:for|to|with|onto)\s)",
        _WEAK, Mode.end, joined=False, clipped=r"(?:swapped|switched|changed)\s+(?:from\s+)?(?=[a-z]+\s+(?:for|to|with|onto)\s)"),
    of_first(
        "medication", "upped increased raised lowered halved doubled reduced adjusted cut", r"\b(?:upped|increased|raised|lowered|halved|doubled|reduced|adjusted|cut|changed)\s+(?:my\s+)(?:dose of\s+|dosage of\s+)?", _WEAK, dated=False),
    of_first(
        "medication", "tablets tablet meds medication medications medicine inhaler pills pill injection prescription antidepressant painkiller drops", r"\b(?:my|current|regular|daily)\s+(?:(?:current|regular|daily|new|heart|blood pressure|asthma|sleeping|migraine|thyroid|morning|evening)\s+)*(?:tablets?|meds?|medications?|medicines?|inhaler|pills?|injections?|prescriptions?|antidepressants?|painkillers?|drops|drugs)\s*(?:is|are|:|=|-|is called|are called)\s+", _STRONG, dated=False),
    of_first(
        "medication", "meds medication medications medicines prescriptions rx", rf"{LEAD}(?:meds?|medications?|medicines?|prescriptions?|rx)\s*(?::|=|-)\s*", _STRONG, dated=False),
    of_first(
        "medication", "down mg mcg dose doses", r"\b(?:i'm|i am|im|i'm now|i take|i'm down to|down to|up to|taking|on|take)\s+(?:down to\s+|up to\s+|just\s+|about\s+)?\d+(?:\.\d+)?\s*(?:mg|mcg|g|ml|units)\s+(?:of\s+)?", _WEAK, dated=False),
    *told(
        "medication", "came come coming stopped quit finished completed weaned tapered discontinued dropped ditched",
        r"(?:came off|come off|been off|am off|stopped(?: taking| using)?|quit(?: taking)?|finished|completed|weaned (?:myself )?off|tapered off|discontinued|dropped|ditched|gave up)(?: of| with)?(?:\s+(?:my|the|his|her|a))?(?:\s+course of|\s+last dose of)?",
        _WEAK, Mode.end, third=r"(?:came off|has come off|stopped taking|stopped|finished|completed|weaned off|tapered off|is off)(?:\s+(?:his|her|the|a))?(?:\s+course of)?", confidence=0.8),
    of_first(
        "medication", "more longer off", rf"(?:{LEAD}|[,;]\s*)no more\s+", _WEAK, Mode.end, negatable=False),
    of_first("medication", "longer", rf"{LEAD}(?:no longer|not)\s+(?:on|taking|needing)\s+(?:my\s+|the\s+)?", _WEAK, Mode.end, negatable=False),
    *being("medication", "off longer", r"(?:off(?: of)?|no longer (?:on|taking)|not (?:on|taking))(?:\s+(?:my|the))?", _WEAK, Mode.end, clipped=False, negatable=False, confidence=0.8),
    of_first(
        "medication", "longer anymore", r"\b(?:i|we)\s+(?:no longer|don't|do not)\s+(?:take|need|use)\s+(?:my\s+|the\s+)?(?=[^.!?,]*\b(?:any\s?more|now)\b|(?<=longer take )|(?<=longer need )|(?<=longer use ))", _WEAK, Mode.end, negatable=False),
]  # fmt: skip

ALLERGIES: list[Construction] = [
    of_first("allergy", "brings bring gives give sends send makes make hives rash wheezing", rf"(?:{LEAD}|[,;]\s*)(?P<o>(?!you|this|that|it|he|she|they|my|stress|work)(?:[a-z-]+\s){{1,3}}?)(?:brings?|sends?|leaves?|gives?|makes?|breaks?)\s+me\s+(?:out\s+)?(?:in|into|to|with)?\s*(?:hives|a rash|rashes|spots|welts|anaphyla\w+|wheez\w+|swell\w*|sneez\w+|itch\w*)\b", slot_en(3), dated=False),
    of_first("allergy", "epipen anaphylaxis anaphylactic hospital", rf"{LEAD}(?P<o>(?:[a-z-]+\s){{1,2}}?)(?:is|are)\s+(?:an?\s+)?(?:absolute\s+|total\s+|strict\s+)?(?:no[- ]?go|off[- ]limits|out|dangerous|deadly|fatal|lethal|poison)\b(?=[^.!?]*\b(?:epi-?pen|anaphyla\w+|allerg\w+|hospital|hives|swell\w*)\b|\s+(?:to|for) me\b)", slot_en(2), dated=False, confidence=0.7),
    frame("allergy", "allergy", r"(?P<third>\bthere's\s+an?)\s+(?P<o>(?:[a-z-]+\s){1,2}?)allergy\b", by_person(_one_allergen, 12), dated=False),
    *being(
        "allergy", "allergic anaphylactic", rf"(?:{_DEGREE}\s+)*(?:allergic|anaphylactic)\s+to", _ALLERGEN, after=r"\s+(?:both\s+|all\s+|most\s+)?", confidence=0.8, dated=False),
    frame(
        "allergy", "allergy allergies", rf"\b(?:(?P<first>(?:i|we)(?:'ve|'m| am| have)?(?:\s+always|\s+also|\s+got|\s+had)*\s+(?:have|got|developed|with|has|suffer from|suffering from|had|carry|live with)?|{LEAD}(?:with\s+)?))\s*an?\s+(?P<o>(?:[a-z-]+\s){{1,3}}?)allerg(?:y|ies)\b(?!\s+(?:to|test|tests|season|meds|tablets|pills|list|form|clinic))", _one_allergen, dated=False),
    frame(
        "allergy", "allergy", r"(?P<third>(?:\bhas|\bhas got|'s got|\bdeveloped|\bsuffers from)\s+an?)\s+(?P<o>(?:[a-z-]+\s){1,3}?)allerg(?:y|ies)\b(?!\s+(?:to|test|tests))", by_person(_one_allergen), dated=False),
    frame(
        "allergy", "allergy", r"(?P<third>(?:\bhas|'s got|\bsuffers from)\s[^.!?;]{3,40}?\band\s+an?)\s+(?P<o>(?:[a-z-]+\s){1,2}?)allergy\b(?!\s+to)", by_person(_one_allergen, 9), dated=False),
    of_first(
        "allergy", "allergy", rf"{LEAD}(?P<o>(?:[a-z-]+\s){{1,3}}?)allergy(?=\s+(?:here|over here|since|so|for me|in the|on the|sufferer)\b|\s*[,.;!]|\s*$)", _one_allergen, dated=False),
    *told(
        "allergy", "allergy allergies reaction", rf"(?:have|got|developed|suffer from|had|'ve got)\s+(?:an?\s+)?(?:{_DEGREE}\s+)*(?:allerg(?:y|ies)|allergic reactions?)\s+(?:to|from|against)",
        _ALLERGEN, third=rf"(?:has|has got|developed|suffers from|have)\s+(?:an?\s+)?(?:{_DEGREE}\s+)*(?:allerg(?:y|ies)|allergic reactions?)\s+(?:to|from|against)",
        clipped=rf"(?:an?\s+)?(?:{_DEGREE}\s+)*allerg(?:y|ies)\s+(?:to|from)", dated=False),
    of_first(
        "allergy", "allergy", r"\bmy\s+(?P<o>(?:(?!only|biggest|main|worst|food|skin)[a-z-]+\s){1,2}?)allergy\s+(?:is|means|makes|got|flares?|has|acts|kicks|keeps|plays|was|still)\b", _one_allergen, dated=False, confidence=0.7),
    of_first(
        "allergy", "allergies allergy allergens", rf"{LEAD}(?:my\s+)?(?:known\s+|food\s+|drug\s+)?(?:allergies|allergy|allergens)\s*(?::|are|=|-|include|is)\s+(?:to\s+)?(?!none|no\b|n/a|nil|bad|the\b|back|killing|acting|playing|so\b|really|terrible|awful|getting)", _ALLERGEN, dated=False),
    *told(
        "allergy", "react reacts reacted", r"(?:react|reacted|have reacted)\s+(?:very\s+|really\s+)?(?:badly|terribly|violently|severely|strongly)\s+to",
        _ALLERGEN, third=r"(?:reacts|reacted)\s+(?:very\s+)?(?:badly|terribly|violently|severely|strongly)\s+to", dated=False),
    frame(
        "allergy", "hives rash rashes spots welts blotches wheeze swell sneeze throat", rf"\b(?P<first>i|my (?:skin|face|throat|lips|tongue|eyes))\s+(?:always\s+|usually\s+)?(?:(?:come|comes|came|break|breaks|broke)\s+out\s+in\s+{_RASH}|get\s+{_RASH}|start (?:wheezing|sneezing|itching)|swells?(?: up)?|closes? up|can't breathe|stop breathing|sneeze|wheeze|itch)\s+(?:if|when|whenever|every time|after|from|around|near)\s+(?:i\s+)?(?:(?:so much as\s+|even\s+)?(?:eat|eats|touch|have|wear|drink|eating|touching|wearing|drinking|i'm near|am near|i'm around|look at|smell)\s+)?", _ALLERGEN, dated=False, ignores=frozenset({"hypothetical"})),
    of_first(
        "allergy", "kill kills hospital", rf"(?:{LEAD}|[,;:]\s*)(?P<o>(?!you|this|that|it|he|she|they|my|work|boss)(?:[a-z-]+\s){{1,3}}?)(?:could|would|will|can|might)\s+(?:literally\s+|actually\s+)?(?:kill|finish|hospitali[sz]e)\s+me\b", slot_en(3), dated=False, ignores=frozenset({"hypothetical"}), confidence=0.65),
    frame(
        "allergy", "anaphylaxis anaphylactic hives throat swells swell allergic allergy epipen rash", r"(?:\b(?P<first>i|we)|(?P<third>))\s*\b(?:can't|cannot|can not|cant|mustn't|must not)\s+(?:have|eat|do|touch|go near|be near|be around|drink|wear)\s+(?P<o>[a-z][a-z' -]{2,25}?)\s*(?:[,;:(—–-]+|\bor|\bbecause|\bas|\bsince)\s*[^.!?]{0,30}?\b(?:anaphyla\w+|hives|throat|swell\w*|allerg\w+|epi-?pen|rash|hospital|a&e|er)\b", noun_en(3, limit=3, acts=False), dated=False, negatable=False, confidence=0.8),
    of_first(
        "allergy", "can't cant cannot", rf"{LEAD}(?:can't|cannot|cant)\s+(?:have|eat|do|touch|go near)\s+(?P<o>[a-z][a-z' -]{{2,25}}?)\s*[,;:(—–-]+\s*[^.!?]{{0,30}}?\b(?:anaphyla\w+|hives|throat|swell\w*|allerg\w+|epi-?pen|rash)\b", noun_en(3, limit=3, acts=False), dated=False, negatable=False, confidence=0.8),
    frame(
        "allergy", "anaphylaxis anaphylactic hives throat allergic allergy epipen", r"(?P<third>\b(?:can't|cannot|can not)\s+(?:have|eat|do|touch|go near|be near|be around|drink))\s+(?P<o>[a-z][a-z' -]{2,25}?)\s*[,;:(—–-]+\s*[^.!?]{0,30}?\b(?:anaphyla\w+|hives|throat|swell\w*|allerg\w+|epi-?pen)\b", by_person(noun_en(3, limit=3, acts=False)), dated=False, negatable=False, confidence=0.8),
    of_first(
        "allergy", "allergic", rf"{LEAD}no\s+(?P<o>[a-z][a-z' -]{{2,25}}?)\s+(?:for me|please)?[,;:—–-]*\s*(?:as |because |since )?(?:i'm|im|i am)\s+(?:{_DEGREE}\s+)*allergic\s*(?:[.!,]|$)", noun_en(3, limit=3, acts=False), dated=False, negatable=False, confidence=0.8),
    of_first(
        "allergy", "allergic", rf"(?:{LEAD}|[,;]\s*)(?P<o>(?!you|this|that|it|he|she|they|my|the|stuff)(?:[a-z-]+\s){{1,3}}?)(?:makes?|has|have|gets?)\s+me\s+(?:sneez\w+|itch\w*|wheez\w+|cough\w*|swell\w*|come out in \w+|break out in \w+)\b", slot_en(3), dated=False, confidence=0.7),
    of_first(
        "allergy", "grew grown outgrew outgrown", r"\b(?:grew out of|grown out of|outgrew|outgrown|got over|no longer have)\s+(?:my|the)\s+(?P<o>(?:[a-z-]+\s){1,2}?)allergy\b", _one_allergen, Mode.end, negatable=False),
]  # fmt: skip

ILLNESSES: list[Construction] = [
    *told("medical_condition", "caught picked contracted get gets suffered having had", r"(?:caught|picked up|contracted|come out with|got (?=a bad case|a case|a bout)|had (?=a (?:stroke|heart attack|seizure|miscarriage|breakdown|concussion|relapse)\b)|suffered(?! with| from))(?:\s+(?:a bad case of|a case of|a bout of|another bout of|a touch of))?", _SHAPE, Mode.change, third=r"(?:caught|contracted|had (?=a (?:stroke|heart attack|seizure|breakdown|concussion)\b)|suffered(?! with| from))", core=_ILL),
    *told("medical_condition", "born", r"was born with", _SICK, third=r"was born with", dated=False),
    frame("medical_condition", "diagnosed", r"(?P<third>\b(?:diagnosed)\s+(?:him|her|them|my \w+)\s+with)\s+", by_person(_SICK, 9), dated=False),
    of_first("medical_condition", "with bad", rf"\b(?:i'm|i am|im)\s+[^.!?;]{{3,40}}?\bwith\s+(?:an?\s+)?(?P<o>{_SORE}\s+{_BODY})\b", slot_en(3), dated=False),
    of_first("medical_condition", "my", r"\bmy\s+(?P<o>[a-z][a-z' -]{2,28}?)\s+(?:means?|makes it|prevents|keeps me|has been (?:bad|awful|terrible|playing up)|came back|returned|is (?:back|playing up|acting up|flaring))\b", _SHAPE, dated=False, core=_ILL),
    *told(
        "medical_condition", "diagnosed told suffer suffers suffering diagnosis tested struggle battle live lives living battling recovering",
        r"(?:was |am |were |been |got |just got |have been )*(?:diagnosed (?:with|as)|told (?:that )?(?:i|we) (?:have|had|'ve got)|told it's|suffer(?:ed)? from|tested positive for|hospitali[sz]ed with|treated for|come down with|came down with|went down with|gone down with|have a history of|have a diagnosis of|developed (?=[a-z ]*(?:itis|osis|aemia|emia|betes|asthma|ache|pain|disease|syndrome|disorder|migraines?)\b))",
        _SICK, third=r"(?:(?:was |got |has been |'s been |been |has )?(?:diagnosed (?:with|as)|suffers from|suffering from|tested positive for|hospitali[sz]ed with|treated for|come down with|came down with|went down with))",
        clipped=r"(?:got |been |was |just got )*(?:diagnosed with|told i have|told i've got|suffering from|suffer from|tested positive for|come down with|came down with)", confidence=0.78, dated=False),
    *being("medical_condition", "recovering battling suffering dealing living struggling fighting coping prone laid hospital", r"(?:recovering from|battling|suffering (?:from|with)|fighting|coping with|prone to|laid up with|in hospital with|in bed with|undergoing treatment for|being treated for|recently diagnosed with|down with)", _SICK, dated=False),
    *being("medical_condition", "dealing living struggling", r"(?:dealing with|living with|struggling with)", _SHAPE, dated=False, core=_ILL),
    *told(
        "medical_condition", "live lives struggle struggles deal deals battle have has got had get gets", r"(?:always |often |sometimes |usually |really |regularly )*(?:live with|struggle with|deal with|battle|have|got|'ve got|have got|have always had|still have|get|had (?=.*\bsince\b)|was born with)",
        _SHAPE, third=r"(?:lives with|struggles with|deals with|battles|has|has got|'s got|gets|was born with)", clipped=r"(?:living with|dealing with|struggling with|battling|having|got)", dated=False, confidence=0.75, core=_ILL),
    of_first("medical_condition", "having", r"\b(?:i am|i'm|im)\s+having\s+", _SHAPE, dated=None, core=_ILL),
    frame(
        "medical_condition", "broke broken tore torn sprained fractured dislocated twisted ruptured pulled snapped shattered slipped herniated busted",
        rf"(?:\b(?P<first>(?:i|i've|we)\s+(?:have\s+|just\s+|also\s+|managed to\s+)*(?=\w+\s+my|\w+\s+an?\s)|{LEAD})|(?P<third>))\b(?:broke|broken|tore|torn|sprained|fractured|dislocated|twisted|ruptured|pulled|snapped|shattered|slipped|herniated|busted)\s+(?:my|a|both)\s+(?P<o>{_BODY})\b",
        formed_of(slot_en(4), _HURT, "{verb} {value}"), Mode.change),
    frame(
        "medical_condition", "broke broken tore torn sprained fractured dislocated twisted ruptured pulled snapped shattered slipped herniated busted",
        rf"(?P<third>\b(?:broke|broken|tore|torn|sprained|fractured|dislocated|twisted|ruptured|pulled|snapped|shattered|slipped|herniated|busted)\s+(?:his|her|their|a))\s+(?P<o>{_BODY})\b",
        by_person(formed_of(slot_en(4), _HURT, "{verb} {value}")), Mode.change),
    of_first(
        "medical_condition", "doctor doctors doc says said gp consultant scan tests test mri xray biopsy results specialist", rf"\b(?:{_CLINIC}|(?:the |my |a )?(?:scan|mri|x-?ray|blood tests?|tests?|biopsy|results?|ultrasound|ct))\s+(?:says?|said|thinks?|reckons?|confirmed|confirms|showed|shows|found|revealed|picked up|came back (?:with|as)|diagnosed|suspects?)\s+(?:(?:that\s+)?(?:i have|i've got|it's|it is|this is|me with|i had|a case of)\s+)?", _SHAPE, dated=False),
    of_first(
        "medical_condition", "found gallstones", r"\b(?:they|doctors)\s+(?:found|discovered|spotted|detected)\s+(?:an?\s+|some\s+)?", _SHAPE, Mode.change),
    of_first(
        "medical_condition", "according turns turned", r"(?:^|[,;:]\s*|\bit's\s+|\bits\s+)(?P<o>[a-z][a-z' -]{2,30}?)\s*,?\s+(?:according to (?:the|my) (?:gp|doctor|doc|consultant|specialist|physio)|(?:the|my) (?:gp|doctor|doc|consultant|specialist) (?:says|reckons|said))", _SHAPE, dated=False),
    of_first(
        "medical_condition", "turns turned", r"\bturns out\s+(?:that\s+)?(?:it's|it was|i have|i've got|i had|i'm|it is)\s+", _SHAPE, dated=False),
    of_first(
        "medical_condition", "back flaring flared playing acting", rf"(?:{LEAD}|[,;]\s*)(?:the|my)\s+(?P<o>[a-z][a-z' -]{{2,25}}?)(?:'s|\s+is|\s+has|\s+are|\s+keeps?)?\s+(?:back(?:\s+again)?\s*(?:[.,!]|$)|flaring|flared|playing (?:me )?up|acting up|killing me|getting worse)", _SHAPE, dated=False),
    of_first(
        "medical_condition", "my", r"\bmy\s+(?:(?:old|chronic|bloody|stupid|damn)\s+)*(?P<o>[a-z][a-z' -]{2,25}?)\s+(?:makes?|means|stops?|limits?|affects?|is (?:under control|well controlled|worse|bad|stable|manageable))\b", _SHAPE, dated=False),
    of_first(
        "medical_condition", "wheelchair amputee survivor diabetic epileptic asthmatic coeliac celiac haemophiliac hemophiliac insomniac alcoholic color colour bipolar autistic dyslexic dyspraxic neurodivergent hearing sighted impaired blind anaemic anemic immunocompromised menopausal perimenopausal arthritic deaf pregnant", rf"(?:{LEAD}|\b(?:i'm|i am|im|as)\s+)(?:an?\s+)?(?:full[- ]time\s+|part[- ]time\s+|permanent\s+)?(?P<o>wheelchair user|amputee|cancer survivor|stroke survivor|type [12] diabetic|diabetic|epileptic|asthmatic|coeliac|celiac|haemophiliac|hemophiliac|insomniac|recovering alcoholic|colou?r[- ]?blind|bipolar|autistic|dyslexic|dyspraxic|neurodivergent|hard of hearing|partially sighted|visually impaired|hearing impaired|registered blind|an[ae]+mic|lactose intolerant|gluten intolerant|immunocompromised|menopausal|perimenopausal|arthritic|deaf(?: in (?:my|one|the) ?(?:left|right)? ?(?:ear)?)?|blind in one eye|(?:\w+ (?:weeks|months) )?pregnant)(?=\s*(?:[,.;!)]|$)|\s+(?:and|so|since|for|now|but|here|with|who|from|in|again|too|myself|i)\b)", said(), dated=False),
    frame(
        "medical_condition", "diabetic epileptic asthmatic coeliac celiac blind autistic dyslexic deaf pregnant anaemic bipolar", r"(?P<third>(?:'s|\bis)\s+(?:an?\s+|also\s+|now\s+|severely\s+|profoundly\s+|registered\s+)*)(?P<o>type [12] diabetic|diabetic|epileptic|asthmatic|coeliac|celiac|haemophiliac|colou?r[- ]?blind|bipolar|autistic|dyslexic|dyspraxic|neurodivergent|hard of hearing|partially sighted|visually impaired|an[ae]+mic|lactose intolerant|immunocompromised|arthritic|deaf|blind|(?:\w+ (?:weeks|months) )?pregnant)(?=\s*(?:[,.;!)]|$)|\s+(?:and|so|since|for|now|but|with|from|in|again|too)\b)", by_person(said()), dated=False),
    of_first(
        "medical_condition", "clear cured recovered remission over longer shot gone", r"\b(?:(?:got |had |given )?the all[- ]clear (?:on|from|for)|cured of|recovered from|fully over|finally over|over the worst of|in remission from|no longer have|shot of|beat|kicked)\s+(?:my\s+|the\s+)?", _SHAPE, Mode.end, negatable=False),
    of_first(
        "medical_condition", "more remission gone", r"(?:\bno more|\bthe|\bmy)\s+(?P<o>[a-z][a-z' -]{2,25}?)(?:(?<=shingles)|(?<=migraines)|(?:'s|\s+is|\s+has)\s+(?:finally |completely |all )?(?:gone|cleared up|cured|in remission|healed))(?=\s*(?:[.,!]|$))", _SHAPE, Mode.end, negatable=False),
]  # fmt: skip

DIETS: list[Construction] = [
    *told("diet", "only eat eats", r"only\s+(?:ever\s+)?(?:eat|buy|cook|drink)", _only, third=r"only\s+(?:ever\s+)?(?:eats|drinks)", clipped=r"only\s+(?:eat|eating)", dated=False, confidence=0.66),
    of_first("diet", "vegan vegetarian veggie veggies pescatarian veganism halal kosher", r"\b(?:we're|we are)\s+(?:all|both)\s+(?P<o>vegans?|vegetarians?|veggies?|pescatarians?|teetotal|coeliacs?)\b", said({"veggies": "vegetarian", "veggie": "vegetarian", "vegans": "vegan", "vegetarians": "vegetarian", "pescatarians": "pescatarian"}), dated=False),
    of_first("diet", "sober clean dry booze drink alcohol", r"\b(?:i'm|i am|im|i've been|i have been|been)\s+(?:now\s+|completely\s+|stone cold\s+)?(?:sober|dry|off the (?:booze|drink|sauce)|alcohol[- ]free)\s+(?:for|since|now|these)\b", const("no alcohol"), dated=None),
    *told("diet", "ditched dropped binned sacked kicked", r"(?:ditched|dropped|binned|kicked|cut|quit)", foods_en, Mode.change, third=None),
    of_first("diet", "diet", r"\b(?:i|we)\s+(?:follow|keep to|stick to|am on|do|try to follow)\s+(?:an?\s+|the\s+)?(?P<o>(?:[a-z-]+\s){1,3}?diet)\b", said(), dated=False),
    *being(
        "diet", "vegan vegetarian veggie pescatarian pescetarian flexitarian teetotal teetotaller plant pure keto paleo kosher halal gluten dairy sugar lactose grain wheat free low fruitarian",
        rf"{_STRICTLY}(?P<o>{_DIET_WORD})s?\b{_DIETS_BESIDE}", _diet_word, after=r"(?=\s*(?:[,.;!)(:—–-]|$)|\s+(?:and|so|since|for|now|but|here|over|btw|with|because|as|at|by|too|again|again|myself|household|family|diet|these|this|in|who|eater|lol|please)\b)", confidence=0.78),
    frame(
        "diet", "went gone turned going became become keep stay follow eat switched need have", rf"(?:\b(?P<first>i|we|i've|we've)\s+(?:have\s+|just\s+|recently\s+|all\s+|both\s+|only\s+|finally\s+)*)(?:went|gone|go|turned|became|become|keep|stay|follow|eat|switched to|have to go|need to go|am going|'m going)\s+(?:an?\s+|only\s+)?{_STRICTLY}(?P<o>{_DIET_WORD})\b{_DIETS_BESIDE}", _diet_word, dated=None),
    frame(
        "diet", "went gone turned became keeps eats", rf"(?P<third>\bhas\s+gone|\bwent|\bturned|\bbecame|\bkeeps|\beats)\s+(?:an?\s+|only\s+)?{_STRICTLY}(?P<o>{_DIET_WORD})\b{_DIETS_BESIDE}", by_person(_diet_word), dated=None),
    of_first(
        "diet", "need go diet says", rf"\b(?:i|we)\s+(?:need|have|had|ought|got)\s+to\s+(?:go|be|stay|eat)\s+(?P<o>{_DIET_WORD})\b{_DIETS_BESIDE}", _diet_word),
    of_first(
        "diet", "don't dont won't can't never longer not cannot cant", rf"\b(?:i|we|i'm|im|we're)\s+(?:really\s+|just\s+|simply\s+|generally\s+|also\s+)?(?:{_EAT_NOT}|not)\s+(?:ever\s+|really\s+)?(?:eat|eating|drink|drinking)\s+", dishes_en, dated=False, negatable=False, confidence=0.75),
    of_first(
        "diet", "don't dont won't can't never longer not touch cannot cant", rf"(?:\b(?:i|we|i'm|im|we're)\s+(?:really\s+|just\s+|simply\s+|also\s+)?|{LEAD})(?:{_EAT_NOT}|not)\s+{_EAT}\s+(?:any\s+)?", foods_en, dated=False, negatable=False, confidence=0.75, core=FOOD_EN),
    of_first(
        "diet", "don't dont can't never", rf"{LEAD}(?:don't|dont|can't|cant|never)\s+(?:eat|drink)\s+", dishes_en, dated=False, negatable=False),
    frame(
        "diet", "doesn't won't can't never longer isn't avoids avoid doesnt", rf"(?P<third>\b(?:{_EATS_NOT}|avoids|stays away from|steers clear of|cut out|has cut out|gave up eating|has given up eating|abstains from))\s+", by_person(dishes_en), dated=False, negatable=False, confidence=0.75),
    frame(
        "diet", "can't cannot have", r"(?P<third>\b(?:can't|cannot|mustn't|isn't allowed(?: to)?|can not)\s+(?:have|do|eat))\s+(?:any\s+)?", by_person(foods_en), dated=False, negatable=False, core=FOOD_EN),
    *told(
        "diet", "avoid given gave quit cut off stopped abstain eliminated ditched sworn swore", r"(?:avoid|stay away from|steer clear of|abstain from|given up|gave up|quit|cut out|stopped (?:eating|drinking|having)|eliminated|ditched|swore off|sworn off|am off|cut down on|'m off)(?:\s+eating|\s+drinking)?(?:\s+all)?",
        foods_en, third=r"(?:avoids|stays away from|abstains from|has given up|gave up|quit|cut out|stopped (?:eating|drinking))(?:\s+all)?", dated=None),
    *being("diet", "off avoiding", r"(?:off|avoiding|cutting out|staying off|giving up)(?:\s+all)?", foods_en, confidence=0.72),
    of_first(
        "diet", "drink drinking", rf"(?:\b(?:i|i've|we)\s+(?:have\s+|actually\s+|just\s+)?|{LEAD})(?:(?:quit|stopped|gave up|given up)\s+(?:drinking|the drink|the booze)|(?:don't|do not|dont|never)\s+drink)(?=\s*(?:[,.;!)]|$)|\s+(?:in|since|any\s?more|at all|alcohol|for|last|and|so|because|years)\b)", const("no alcohol"), negatable=False),
    frame(
        "diet", "drink drinking", r"(?P<third>\b(?:quit|stopped|gave up)\s+drinking|\bdoesn't\s+drink|\bdoes not\s+drink)(?=\s*(?:[,.;!)]|$)|\s+(?:since|any\s?more|at all|alcohol)\b)", by_person(const("no alcohol")), negatable=False),
    of_first(
        "diet", "diet", r"\b(?:put|got|have)\s+me\s+on\s+(?:an?\s+|the\s+|this\s+)?(?P<o>(?:[a-z-]+\s){1,3}?)diet\b", said(), Mode.change),
    of_first(
        "diet", "fasting", rf"(?:{LEAD}|\b(?:i'm|i am|im|we're|i)\s+(?:currently\s+)?)(?:doing|do|practise|practice|following|on|trying)\s+(?P<o>(?:intermittent )?fasting)\b", said(), dated=None),
    of_first(
        "diet", "longer any more anymore stopped", rf"(?:{LEAD}|\b(?:i'm|i am|im|we're)\s+)(?:no longer|not)\s+(?:an?\s+)?(?:strictly\s+)?(?P<o>{_DIET_WORD})\b{_DIETS_BESIDE}", _diet_word, Mode.end, negatable=False),
    of_first(
        "diet", "back eating", r"\b(?:i'm|i am|im|we're|i'm now)\s+back\s+(?:on|to(?: eating)?)\s+(?:meat|dairy|bread|gluten|fish|carbs)\b", const(None), Mode.end),
]  # fmt: skip

BODY_EN: list[Construction] = [*MEDICINES, *ALLERGIES, *ILLNESSES, *DIETS]
