"""A state of the body that a sentence tells of as over ("I used to be allergic", "в детстве была")."""

from dataclasses import replace

from memory_pipeline.understand.extraction.frames import Found, Mode
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.gated import Gated

_OF_THE_BODY = frozenset({"allergy", "medical_condition"})
_USED_TO = Gated(r"\bused to (?:be|have|suffer|get|react)\b")
_WAS = Gated(r"\b(?:was|were|had|был(?:а|о|и)?|болел(?:а|и)?|страдал(?:а|и)?)\b")
_LONG_AGO = Gated(
    r"\b(?:as an? (?:small |little |young )?(?:kid|child|baby|toddler|teen|teenager|boy|girl)|in (?:my |his |her |early )?childhood|"
    r"when (?:i|he|she|we|they) (?:was|were) (?:an? |very |really |so )?(?:kids?|child|children|little|small|young(?:er)?|teenagers?|babies|baby)|"
    r"growing up|once allergic|в (?:раннем |глубоком )?(?:детстве|юности|молодости|младенчестве)|раньше|когда-то|"
    r"(?:ребенком|подростком)|(?:маленьк(?:им|ой|ими)|мал(?:ым|ой)) (?:был|была|были)|(?:был|была|были) маленьк(?:им|ой|ими))\b"
)
_BEGAN = Gated(
    r"\b(?:diagnosed|diagnosis|found|discovered|developed|born|got|became|диагност\w+|поставил\w*|обнаруж\w+|выяви\w+|появил\w*|возник\w*|нача\w+)\b"
)
"""What began in old days need not be over."""
_STILL = Gated(
    r"\b(?:still|even now|to this day|ever since|never (?:went|passed|left|outgrew|grew)|came back|is back|returned|до сих пор|по сей день|"
    r"(?:и|да и|есть и) (?:сейчас|теперь)|(?:сейчас|теперь) (?:тоже|есть)|не прош\w+|остал(?:ась|ось|ся|ись)|вернул(?:ась|ось|ся|ись)|"
    r"все еще|так и)\b"
)


def bygone(found: Found, sentence: Sentence) -> Found:
    """What was found, as past where its sentence tells of it as of old days and of no return."""
    if found.predicate not in _OF_THE_BODY or found.mode is not Mode.state:
        return found
    low = sentence.low
    used = _USED_TO.search(low)
    is_over = used is not None and used.start() < found.end
    if not is_over and _LONG_AGO.search(low) is not None:
        begin = max(sentence.clause_at(found.start).start, found.start - _NEAR)
        is_over = _WAS.search(low[begin : found.end]) is not None and not _BEGAN.search(low)
    if not is_over or _STILL.search(low) is not None:
        return found
    return replace(found, mode=Mode.past)


_NEAR = 25
"""How far before what was found its verb may stand ("была у меня сильная аллергия")."""
