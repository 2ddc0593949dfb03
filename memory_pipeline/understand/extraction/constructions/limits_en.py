"""English constructions of limits and duties: sums, days, laws, requirements, addresses."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.clauses_en import (
    LEAD,
    being,
    by_person,
    frame,
    of_first,
)
from memory_pipeline.understand.extraction.constructions.engine import Construction, Piece
from memory_pipeline.understand.extraction.constructions.open_takers_en import slot_en
from memory_pipeline.understand.extraction.constructions.ru_work import due
from memory_pipeline.understand.extraction.constructions.takers import money
from memory_pipeline.understand.extraction.frames import Mode, Scene
from memory_pipeline.understand.extraction.sentences import Sentence

_SUM = r"(?=(?:about\s+|around\s+|roughly\s+|exactly\s+|a\s+)?(?:[$£€₹]|rs\.?\s|inr\s|usd\s|gbp\s|eur\s|\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty|a hundred|hundred|half a)\b))(?:about\s+|around\s+|roughly\s+|exactly\s+|a\s+)?"
_CAN = r"(?:can|could|may|should|must|will|want to|wanna|like to|willing to|prepared to|able to|ready to|going to|plan to|allowed to)"
BUDGETS: list[Construction] = [
    of_first("budget_limit", "cap limit stretch", rf"\b(?:let's\s+|let us\s+|we'll\s+|i'll\s+|we should\s+)?(?:cap|limit|keep|hold)\s+(?:it|this|that|things|spending|the (?:cost|spend|budget|total))\s+(?:at|to)\s+{_SUM}", money, dated=False),
    of_first("budget_limit", "stretch go", rf"\b(?:i|we)\s+(?:can|could)\s+(?:just about\s+|maybe\s+|possibly\s+)?(?:stretch|go|push)\s+(?:up\s+|as high as\s+)?(?:to\s+)?{_SUM}(?=[^.!?]*\b(?:but|max|tops|no more|at most|that's it|limit)\b)", money, dated=False, ignores=frozenset({"hypothetical"})),
    of_first("budget_limit", "most maximum max", rf"\b(?:the\s+)?(?:most|maximum|max)\s+(?:(?:that\s+)?(?:i|we)(?:'d|'ll| can| could| would| will)?\s+(?:be willing to\s+|want to\s+)?(?:pay|spend|go|do|afford|stretch to)\s+)?(?:is|:)\s+{_SUM}", money, dated=False, ignores=frozenset({"hypothetical"})),
    of_first("budget_limit", "spend spending", rf"\b(?:please\s+)?(?:don't|do not|never|can't|cannot)\s+(?:spend|pay|go)\s+(?:more than|over|above|beyond)\s+{_SUM}", money, dated=False, negatable=False),
    of_first("budget_limit", "play spend work total max present have got", rf"\b(?:i|we)(?:'ve)?\s+(?:only\s+|just\s+|have\s+|got\s+)+(?:up to\s+|a maximum of\s+|at most\s+|no more than\s+)?{_SUM}(?=[^.!?;]{{1,25}}\b(?:to (?:play with|spend|work with)|for (?:the|this|it|everything|all|a)|max(?:imum)?|in total|tops|all in|left to spend|set aside|budgeted)\b)", money, dated=False),
    of_first("budget_limit", "up", rf"\b(?:i|we)(?:'ve)?\s+(?:have|got|have got)\s+up to\s+{_SUM}", money, dated=False),
    of_first("budget_limit", "keep stay under within below come", rf"(?:{LEAD}|\b(?:please|must|to|needs? to|has to|have to|should|let's|can we|would you)\s+)(?:try to\s+)?(?:keep|stay|come in|remain|bring)\s+(?:it\s+|this\s+|things\s+|everything\s+|the (?:total|cost|price|whole thing|bill)\s+|us\s+|all\s+)*(?:under|within|below|to|at or under|to under)\s+{_SUM}", money, dated=False),
    of_first("budget_limit", "exceed exceeding surpass", rf"\b(?:must|should|may|can|shall|will|do|does|to)\s?(?:not|n't|never)\s+(?:exceed|surpass|top|be (?:more|higher) than|go (?:over|above|beyond)|cost more than)\s+{_SUM}", money, dated=False, negatable=False),
    of_first("budget_limit", "more over above than beyond", rf"(?:{LEAD}|[,;]\s*)(?:absolutely\s+|definitely\s+)?(?:no more than|nothing (?:above|over|more than)|not (?:more than|over|above|a penny over|a cent over)|not to exceed|maximum(?: of)?|max|up to)\s+{_SUM}(?=[^.!?;]{{1,30}}(?:[,.!]|$|\bplease\b|\bmax\b|\btotal\b|\bfor\b))", money, dated=False, negatable=False, confidence=0.7),
    of_first("budget_limit", "up under anything", rf"\b(?:anything|something|one)\s+(?:up to|under|below|less than)\s+{_SUM}(?=[^.!?;]{{1,20}}\b(?:is (?:ok|okay|fine|good|doable|acceptable)|works|will do|would do|for me)\b)", money, dated=False, ignores=frozenset({"hypothetical"})),
    of_first("budget_limit", "spend pay afford go stretch more over", rf"\b(?:i|we)(?:'m|'re|\s+am|\s+are)?\s+(?:not\s+)?(?:{_CAN}|can't|cannot|cant|couldn't|won't|don't want to|refuse to|do not want to|not willing to|not going to)\s+(?:only\s+)?(?:spend|pay|afford|go|stretch|fork out|shell out|part with|do|splash out|invest|put in)\s+(?:up\s+)?(?:to\s+)?(?:more than|over|above|beyond|higher than|up to|at most|no more than|a maximum of|max(?:imum)?)\s+{_SUM}", money, dated=False, negatable=False, ignores=frozenset({"hypothetical"})),
    of_first("budget_limit", "limit cap ceiling maximum max top budget threshold allowance pot kitty fund", rf"\b(?:my|our|the|a|an|wedding|holiday|hard|upper|absolute|total|overall|spending|final|strict|price|max|approved)\s+(?:(?:hard|upper|absolute|total|overall|spending|final|strict|price|budget|max|maximum|approved|project|cost|monthly|weekly|weekly|wedding|travel|food|holiday|kitchen|renovation)\s+)*(?:limit|pot|kitty|fund|cap|ceiling|maximum|max|top end|budget|spend|threshold|allowance|outlay|cost)\s*(?:for\s+[\w' ]{{2,25}}?\s*)?(?:is|was set at|stands at|set at|:|=|of|may not be more than|can't be more than|can be|got cut to|was cut to|has been cut to|was reduced to|went up to|was raised to|is now|has gone up to|came down to|got bumped to)\s+(?:now\s+|still\s+|capped at\s+|set at\s+|strictly\s+|up to\s+|only\s+)*{_SUM}", money, dated=False, confidence=0.76),
    of_first("budget_limit", "cost total price bill", rf"\b(?:total|overall|final)\s+(?:cost|price|bill|spend)\s+(?:may|must|should|can|will|shall)\s*(?:not|n't)\s+(?:be\s+)?(?:more than|exceed|go over|above|over|higher than)?\s*(?:be\s+)?{_SUM}", money, dated=False, negatable=False),
    of_first("budget_limit", "max tops most total", rf"(?:{LEAD}|\b(?:about|around|say)\s+){_SUM}(?=[^.!?;]{{1,18}}?\s(?:max|maximum|tops|at (?:the )?most|absolute max|all in|is (?:my|our|the) (?:limit|max|ceiling|cap)|and not a (?:penny|cent) more|not more)\b)", money, dated=False, confidence=0.7),
    of_first("budget_limit", "set aside approved allocated earmarked given budgeted saved", rf"\b(?:i|we|they|the board|the council|the client|finance|head office|my \w+)(?:'ve|'s|\s+have|\s+has)?\s+(?:set aside|approved|allocated|earmarked|budgeted|ring-?fenced|given (?:us|me)|signed off(?: on)?|granted (?:us|me)|agreed)\s+(?:a (?:budget|maximum|total) of\s+)?{_SUM}", money, dated=False),
]  # fmt: skip

_DAY = r"(?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\b|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|tomorrow|next|end of|midnight|noon|close of)"
_TILL = r"(?:by|before|no later than|not later than|on or before|at the latest by|latest by|until|till|up to|ahead of)"
_HAND_IN = r"(?:submit|submitted|file|filed|lodge|lodged|deliver|delivered|hand in|handed in|hand it in|turn in|turned in|turn it in|send in|sent in|ship|shipped|finish|finished|complete|completed|launch|release|publish|pay|paid|renew|renewed|return|returned|register|apply|enrol|enroll|respond|reply|sign|signed|vacate|move out|be out|upload|uploaded|post|posted|invoice|settle|settled|reach|arrive|be with|be in|be ready|be done|be live|go live|be received|hear back|decide|book|claim|confirm|sort|get it (?:in|done|over)|get (?:this|that|everything) (?:in|done))"
DEADLINES: list[Construction] = [
    of_first("deadline", "final submission delivery handover launch due", rf"{LEAD}(?:final|last)?\s*(?:submission|delivery|handover|handin|hand-in|deadline|due date|due|cut-?off|closing date)\s*(?::|—|–|-|=)\s*(?={_DAY})", due, dated=False),
    of_first("deadline", "finish submit deliver file complete lose", rf"\b(?:i|we)(?:'ve|'ve got| have| got| need| must)\s+(?:got\s+)?(?:to\s+)?{_HAND_IN}\s*(?:[\w']+\s+){{0,4}}?{_TILL}\s+(?={_DAY})", due, dated=False),
    of_first("deadline", "wants out landlord gone", rf"\bwants?\s+(?:us|me|everyone|them)\s+(?:out|gone|packed|finished|done)\s+(?:by|before)\s+(?={_DAY})", due, dated=False),
    of_first("deadline", "until till got have has given extension extended", rf"\b(?:i|we|they|the team|students|applicants)(?:'ve)?\s+(?:have\s+|got\s+|only have\s+|now have\s+)+(?:until|till|up to)\s+(?={_DAY})(?=[^.!?;]{{3,30}}\bto\s+{_HAND_IN})", due, dated=False),
    of_first("deadline", "extension extended extra more time", rf"\b(?:gave|given|granted|got|have|received|with)\s+(?:us\s+|me\s+|everyone\s+)?(?:an?\s+|more\s+)?(?:extension|extra time|time|grace period|reprieve)\s+(?:until|till|to|up to)\s+(?={_DAY})", due, dated=False),
    of_first("deadline", "live latest launch", rf"\b(?:we|i|it|the \w+)\s+(?:go|goes|must|have to|has to|need to|needs to|will)\s+(?:live|launch|ship|open|finish|be (?:done|ready|live)|go live)\s+(?:[\w' ]{{0,20}}?\s)?(?:on|by|before)\s+(?={_DAY})(?=[^.!?;]{{2,30}}\b(?:at the (?:very )?latest|or else|no exceptions|without fail|no excuses)\b)", due, dated=False),
    of_first("deadline", "deadline date due cutoff cut closing submission", rf"\b(?:the|our|my|new|final|hard|closing|submission|filing|due|project)\s+(?:(?:new|final|hard|closing|submission|filing|application|due|delivery|payment|project|real|actual|revised)\s+)*(?:deadline|date|due date|cut-?off)(?:\s+for\s+[\w' ]{{2,30}}?)?\s*(?:is|was|:|has been|'s|got|=)\s*(?:now\s+|been\s+|set for\s+|fixed for\s+|moved to\s+|pushed (?:back\s+)?to\s+|brought forward to\s+|extended to\s+|on\s+|actually\s+|still\s+)*(?={_DAY})", due, dated=False),
    of_first("deadline", "moved pushed extended brought shifted changed postponed", rf"\b(?:they|he|she|we|the \w+|the client|my \w+)?\s*(?:'ve|have|has)?\s*(?:moved|pushed|extended|brought|shifted|changed|postponed)\s+(?:the\s+|our\s+|my\s+|back\s+)*(?:deadline|due date|cut-?off|submission date|closing date|launch date|delivery date)\s+(?:back\s+|forward\s+|up\s+|out\s+)?(?:to|until|till|by)\s+(?={_DAY})", due, dated=False),
    of_first("deadline", "submit submitted filed lodged delivered handed due vacate reach paid returned renewed sent", rf"\b(?:must|has to|have to|needs? to|kindly|please|shall|should|need|wants?|gotta|got to|required to|expected to|obliged to)\s+(?:(?!not\b|be at\b)[\w' -]{{1,60}}?\s)?(?:be\s+)?(?:{_HAND_IN}|in|with|delivered|done|ready|finished)\s+(?:[\w']+\s+){{0,6}}?{_TILL}\s+(?={_DAY})", due, dated=False, confidence=0.7),
    of_first("deadline", "due falls payable", rf"\b(?:is|are|it's|falls|comes|fall|that's|which is|was|now)\s+(?:now\s+|all\s+|actually\s+)?(?:due|payable|due in)\s+(?:in\s+)?(?:on\s+|by\s+|before\s+)?(?={_DAY})(?!next to)", due, dated=False, confidence=0.72),
    of_first("deadline", "wants needs client boss board", rf"\b(?:client|boss|manager|board|professor|teacher|landlord|editor|publisher|council|bank|customer|supervisor|tutor|they|he|she)\s+(?:wants?|needs?|expects?|requires?|is expecting|demands?)\s+(?:it|this|that|them|everything|the [\w' ]{{2,25}}?|all of it|my [\w' ]{{2,25}}?)\s+(?:[\w ]{{0,20}}?\s)?(?:by|before|no later than)\s+(?={_DAY})", due, dated=False),
]  # fmt: skip


def duty(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """What the law or a requirement says, from the slot to the clause's end."""
    end = re.compile(r"[.;!?()\n](?!\d)|,\s+(?:so|sorry|but|which|and i|i|it's|otherwise|or else|thanks|please)\b|\s(?:so|because|but|otherwise)\s|\s[—–-]\s").search(sentence.low, start, stop)  # fmt: skip
    value = sentence.text[start : end.start() if end else stop].strip(" ,:\"'")
    value = re.sub(r"^(?:an?|the|my|our)\s+", "", value, flags=re.IGNORECASE)
    if 1 <= len(value.split()) <= 14 and len(value) > 2:
        at = sentence.text.find(value, start)
        yield value, at, at + len(value)


def clause_duty(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:
    """As `duty`, where more than a word is said."""
    for value, a, b in duty(sentence, scene, start, stop):
        if len(str(value).split()) > 1:
            yield value, a, b


PAPER = (
    r"(?:nda|non-?disclosure(?: agreement)?|non-?compete(?: clause| agreement)?|non-?solicit(?:ation)?(?: clause| agreement)?|confidentiality (?:agreement|clause|order)|gag(?:ging)? (?:order|clause)|exclusivity (?:deal|clause|agreement|contract)|restraining order|court order|injunction|protective order|"
    r"restrictive covenant|garden(?:ing)? leave|probation|parole|bail|house arrest|suspended sentence|travel ban|driving ban|curfew|embargo|official secrets act|licen[cs]e (?:suspension|ban)|deportation order|visa restriction|lien|consent decree|settlement agreement|hipaa|gdpr|ccpa|pci(?: dss)?|sox|export controls?)"
)
_FORBID = r"(?:prohibited|barred|banned|forbidden|restricted|prevented|precluded|disqualified|stopped|suspended|excluded)"
_LAW_KEYS = "nda non disclosure compete solicit confidentiality gag gagging exclusivity restraining court injunction protective restrictive garden gardening probation parole bail house suspended travel driving curfew embargo official licence license deportation visa lien consent settlement hipaa gdpr ccpa pci sox export"
LAWS: list[Construction] = [
    of_first("legal_constraint", "agreement contract order lease licence license clause settlement visa policy law act regulations conditions terms", r"\bunder\s+(?:the|my|our)\s+(?:[\w-]+\s+){0,3}?(?:agreement|contract|order|lease|licen[cs]e|clause|settlement|visa|policy|law|act|regulations?|conditions|terms)\s*,?\s+(?:i'm|i|we're|we)\s+(?P<o>(?:can't|cannot|must|may not|mustn't|have to|not allowed to)\s+[^.!?;,]{3,60})", clause_duty, negatable=False, confidence=0.87),
    of_first("legal_constraint", "bail parole probation lease tenancy visa contract permit nda green work citizenship mortgage insurance licence license settlement", r"\b(?:my|our|the)\s+(?:bail|parole|probation|visa|tenancy|lease|contract|licen[cs]e|permit|settlement|nda|green card|work permit|citizenship|mortgage|insurance)\s+(?:conditions?|terms?|agreement|rules?)?\s*(?:says?|means?|states?|requires?|forbids?)\s+(?:that\s+)?(?P<o>(?:i|we|no|pets|smoking|subletting|nobody)\s+[^.!?;]{3,60})", clause_duty, negatable=False, confidence=0.87),
    of_first("legal_constraint", "under tenancy lease contract visa law", r"\bunder\s+(?:the|my|our)\s+(?:terms of (?:the|my|our)\s+)?(?:tenancy(?: agreement)?|lease|contract|visa|nda|settlement|licen[cs]e|permit|court order|agreement)\s*,?\s+(?P<o>[a-z][\w' ]{2,30}?\s+(?:is|are)\s+(?:not allowed|forbidden|prohibited|banned|not permitted)[^.!?;,]{0,30})", clause_duty, negatable=False, confidence=0.87),
    of_first("legal_constraint", "nda confidentiality gag", rf"\b(?:i|we)\s+(?:can't|cannot|can not|am not able to|aren't able to)\s+(?:name|discuss|share|say|tell|talk|disclose|mention|reveal)[^.!?;]{{0,40}}?[,;:(—–-]+\s*(?:it's\s+|because of\s+|due to\s+|under\s+|there's\s+)?(?:an?\s+|the\s+|my\s+)?(?P<o>{PAPER})\b", slot_en(5), negatable=False, confidence=0.86),
    of_first("legal_constraint", _LAW_KEYS, rf"(?:\b(?:i'm|i am|im|we're|we are|i've|i have|we have|we've|i|we)\s+(?:also\s+|still\s+|currently\s+|just\s+|both\s+|already\s+|all\s+|legally\s+|now\s+)*|{LEAD})(?:under|bound by|subject to|covered by|out on|on|signed|have|got|signed up to|tied (?:in |down )?by|governed by|have signed|restricted by|have to comply with|must comply with|serving)\s+(?:an?\s+|the\s+|my\s+|their\s+)?(?P<o>(?:(?:strict|[\w-]+ (?:year|month)|\w+-page|mutual|standard|lifetime|interim|permanent|temporary)\s+)?{PAPER}(?:\s+(?:with|on|against|from|for|about|covering)\s+[a-z][\w' -]{{2,35}}?)?)(?=\s*(?:[,.;!)]|$)|\s+(?:so|and|until|till|that|which|because|but|since|as|for (?:a|the|\w+) (?:year|month)|to|here|at|by|this|in|now|i)\b)", slot_en(9), confidence=0.86),
    frame("legal_constraint", _LAW_KEYS, rf"(?P<third>(?:'s|\bis|\bhas|\bsigned|\bgot|\bwas put)\s+(?:still\s+|now\s+)?(?:under|bound by|subject to|out on|on)?)\s*(?:an?\s+|the\s+|his\s+|her\s+)?(?P<o>{PAPER}(?:\s+(?:with|on|against)\s+[a-z][\w' -]{{2,30}}?)?)(?=\s*(?:[,.;!)]|$)|\s+(?:so|and|until|till|that|because|but|for|since)\b)", by_person(slot_en(8)), confidence=0.86),
    of_first("legal_constraint", _LAW_KEYS, rf"(?:{LEAD}|\bbecause\s+)(?:there's|there is|we've got|because of|due to)\s+(?:an?\s+|the\s+|my\s+)?(?P<o>{PAPER}(?:\s+(?:with|on|against|about)\s+[a-z][\w' -]{{2,30}}?)?)(?=\s*(?:[,.;!)]|$)|\s+(?:so|and|until|in place|that|because|but|on it)\b)", slot_en(8), confidence=0.86),
    of_first("legal_constraint", _LAW_KEYS, rf"\b(?:my|our|the)\s+(?P<o>(?:[\w-]+\s)?{PAPER})\s+(?:lasts?|runs?|is (?:in (?:force|place)|valid|binding|still)|means|applies|covers|doesn't|won't|says|still|stands|kicks in|prevents?|stops?)\b", slot_en(6), confidence=0.86),
    of_first("legal_constraint", _LAW_KEYS, rf"(?:\b(?:my|our|the)|{LEAD})\s*(?P<o>(?:[\w-]+\s)?{PAPER})(?:'s)?\s+(?:has\s+|just\s+|finally\s+|is\s+)*(?:expired|ran out|run out|lapsed|ended|ends|was lifted|got lifted|lifted|over|been lifted|is up|no longer applies|void|dropped|was dropped)\b", slot_en(6), Mode.end, negatable=False),
    *being("legal_constraint", "prohibited barred banned forbidden restricted allowed permitted legally prevented precluded disqualified supposed", rf"(?P<o>(?:legally |contractually |currently |strictly |by law )*(?:{_FORBID}\s+(?:by (?:law|contract|the court|my [a-z]+)\s+)?from\s+(?!work early)|(?:legally|contractually)\s+(?:not allowed|obliged|obligated|required|bound)\s+(?:not\s+)?to\s+|not (?:legally |currently )?(?:allowed|permitted)\s+to\s+(?=[^.!?;]*\b(?:while|until|by law|visa|contract|court|licence|license|case|probation|bail|nda|lease|under|legally|permit|country|judge|settlement|investigation)\b))[^.!?;,]{{3,70}}?)(?=\s*(?:[,.;!]|$)|\s+(?:while|until|so|because|but)\b)", clause_duty, after="", negatable=False, confidence=0.87),
    of_first("legal_constraint", "law legally gdpr hipaa regulations statute licence license visa lease contract settlement terms nda permit tenancy", r"\b(?:by law|legally|legally speaking|under (?:the|my|our|this) (?:law|lease|visa|contract|settlement|terms|nda|licen[cs]e|permit|tenancy|agreement|act|regulations?|deed)|under (?:gdpr|hipaa|ccpa)|as per (?:the|my|our) (?:law|lease|visa|contract)|(?:my|our|the) (?:visa|contract|lease|licen[cs]e|permit|tenancy(?: agreement)?|settlement|employer's contract) (?:says|states|means))\s*,?\s+(?:that\s+)?(?:i|we|you|nobody|employees|tenants|no one)\s+(?P<o>(?:can't|cannot|can not|may not|must not|mustn't|must|have to|are not allowed to|am not allowed to|aren't allowed to|'m not allowed to|are required to|am required to|shall not|shall|need to|can only|may only)\s+[^.!?;]{3,70})", clause_duty, negatable=False, confidence=0.87),
    of_first("legal_constraint", "law legally", r"\b(?:i|we)\s+(?P<o>(?:can't|cannot|may not|must|have to|mustn't|must not|aren't allowed to|are not allowed to|am not allowed to)\s+[^.!?;]{3,70}?)\s*,?\s+(?:by law|for legal reasons|legally|under gdpr|under hipaa|on legal grounds|it's the law)\b", clause_duty, negatable=False, confidence=0.87),
    of_first("legal_constraint", "contract visa licence license lease permit terms agreement forbids prohibits bars bans stops prevents allow allows let lets", r"\b(?:my|our|the)\s+(?P<o>(?:work\s+|student\s+|tourist\s+|rental\s+|employment\s+|current\s+|old\s+|tenancy\s+|driving\s+)?(?:contract|visa|licen[cs]e|lease|permit|agreement|injunction|court order|nda|settlement|probation|terms|judge|court|regulator|immigration status|non-?compete)\s+(?:forbids?|prohibits?|bars?|bans?|stops?|prevents?|doesn't (?:let|allow|permit)|does not (?:let|allow|permit)|won't (?:let|allow)|only (?:lets|allows|permits)|limits?|restricts?)\s+[^.!?;,]{3,70})", clause_duty, negatable=False, confidence=0.84),
    frame("legal_constraint", "banned barred disqualified", r"(?P<third>\b(?:was|has been|'s been|is|got|been))\s+(?P<o>(?:banned|barred|disqualified|prohibited)\s+from\s+[^.!?;,]{3,50})", by_person(clause_duty), negatable=False, confidence=0.87),
    of_first("legal_constraint", "lost licence license suspended revoked banned", r"\b(?P<o>(?:lost my|had my|they took my|they suspended my|they revoked my)\s+(?:driving\s+|driver's\s+|medical\s+|nursing\s+|pilot's\s+)?(?:licen[cs]e|permit|passport)(?:\s+(?:suspended|revoked|taken away|confiscated))?)\b", duty),
    of_first("legal_constraint", "gdpr hipaa law regulations means requires", r"\b(?:gdpr|hipaa|ccpa|the law|the regulations?|the act|regulators?|compliance|legal)\s+(?:means|says|requires?|demands?|obliges|forces)\s+(?:that\s+)?(?:us to\s+|me to\s+)?(?:i|we)?\s*(?P<o>(?:can't|cannot|must|have to|may not|need to|to|delete|keep|store|log)\s[^.!?;,]{3,60})", clause_duty, confidence=0.87, negatable=False),
]  # fmt: skip

_THING = r"(?:(?:the|whatever|any|every|each|all|our|my|this|that)\s+(?:[\w'-]+\s+){0,3}?[\w'-]+|it|everything|whatever (?:we|you|i|they) [\w ]{2,15}?)"
_NOT_DUTY = r"(?!be (?:joking|kidding|tired|mad|nice|hard|fun|great|crazy|true|wrong|right|the|a (?:joke|mistake|nightmare)|something|someone|lost|fate)\b|have (?:been|had|gone|got|missed|forgotten|left|lost|done|seen|done)\b|go\b|see\b|say\b|admit\b|do\b|leave\b|run\b(?! (?:offline|on|in|at|without|under|with|for|as|locally))|come\b|see\b|wait\b|stop\b|hear\b|try\b|tell\b|feel\b|think\b|happen\b|end\b|change\b(?! every)|be done\b(?!\s+(?:in|with|by hand))|know\b|get (?:out|home|back|going|some|up)\b|sleep\b|eat\b|wash|call|buy|pay)"
_NO_DUTY_SUBJECT = r"(?!(?:it|this|that)\s+(?:must|has to)\s+(?:be|have|feel)\b|all i\b|the (?:dog|cat|kids|boy|girl|man|woman|weather|train|bus|party|baby|wife|husband|doctor)\b|my (?:mum|dad|mother|father|wife|husband|son|daughter|brother|sister|boss|friend|dog|cat|car|knee|back)\b|our (?:dog|cat|son|daughter)\b)"
_ESSENTIAL = r"(?:non-?negotiables?|must-?haves?|musts?|hard requirements?|requirements?|mandatory|essential|compulsory|deal-?breakers?|critical|key requirements?|hard rules?|rules?|conditions?)"


def each_rule(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """The rules of a list, each up to its comma."""
    for found in re.finditer(r"[^,;]+", sentence.text[start:stop]):
        value = re.sub(r"^(?:\s*(?:and|plus)\s+)?", "", found[0]).strip(" .!")
        if 2 <= len(value.split()) <= 10:
            at = sentence.text.find(value, start + found.start())
            yield value, at, at + len(value)


REQUIREMENTS: list[Construction] = [
    of_first("requirement", "requirements requirement rules must non constraints conditions", rf"{LEAD}(?:the\s+|our\s+|my\s+|hard\s+|key\s+|some\s+)*(?:requirements?|rules|must-haves|constraints|non-negotiables|conditions)(?:\s+(?:from|by|here|so far|are)\b[\w ]{{0,20}}?)?\s*:\s*", each_rule, dated=False, confidence=0.8),
    of_first("requirement", "need needs want", r"\b(?:we|i)\s+(?:really\s+)?need\s+(?P<o>(?:the|this|our|every|each|all)\s+(?:new\s+|whole\s+|entire\s+|final\s+)?(?:app|site|website|system|design|house|venue|software|tool|report|page|kitchen|form|api|device|platform|documents?|files?|data|room|layout)\s+to\s+[^.!?;,]{3,50})", duty, dated=False, confidence=0.68),
    of_first("requirement", "must has have need needs shall should", rf"(?:{LEAD}|,\s*(?:and\s+|but\s+)?)(?P<o>{_NO_DUTY_SUBJECT}{_THING}\s+(?:absolutely\s+|also\s+|always\s+)?(?:must(?! have been)|has to|have to|needs? to|shall|should never|must never)\s+(?:always\s+|never\s+|not\s+|also\s+|only\s+)*{_NOT_DUTY}[^.!?;,]{{3,70}}?)(?=\s*(?:[.!;,]|$)|\s+(?:and (?:can't|cannot|must|mustn't|has to|have to|needs? to)|so|because|otherwise|or else|by (?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|monday|friday))\b)(?!\s+by\s+(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|fri))", clause_duty, dated=False, confidence=0.66, negatable=False),
    of_first("requirement", "need needs requires require", rf"(?:{LEAD})(?P<o>(?:whatever (?:we|you|i|they) \w+|(?:the|any|every|each|all|our)\s+(?:new\s+)?(?:app|site|website|system|design|house|flat|venue|hotel|room|building|office|car|phone|laptop|software|tool|product|service|report|document|page|supplier|candidate|applicant|kitchen|contract|space|place|school|machine|device|platform|server|database|api|code|form|release|order|shipment|delivery|event|reports|invoices|documents|files|passwords|accounts|samples|users|vendors)s?)\s+(?:needs?|requires?)\s+(?!to be (?:done|sent|finished)|some (?:time|work)|me|you|him|work\b|fixing|cleaning|help|a (?:clean|wash|hand))[^.!?;,]{{3,60}}?)(?=\s*(?:[.!;,]|$)|\s+(?:so|because|otherwise|and)\b)", clause_duty, dated=False, confidence=0.66),
    of_first("requirement", "require need needs insist insists demand demands requires", r"\b(?:we|the client|our client|the customer|legal|compliance|the board|the council|the landlord|the insurer|security|hr|head office|they)\s+(?:require|requires|insists? on|demands?|stipulates?|are insisting on|is insisting on)\s+(?P<o>(?!that you|a lot|more time|some time|help)[^.!?;]{4,70})", duty, dated=False, confidence=0.7),
    of_first("requirement", "negotiable must requirement requirements mandatory essential compulsory dealbreaker deal critical rule condition", rf"(?:{LEAD}|\b(?:my|our|the)\s+)(?:an?\s+|the\s+|one\s+|only\s+|absolute\s+|my\s+|our\s+|main\s+|biggest\s+|hard\s+)*{_ESSENTIAL}(?:\s+(?:from|for|here|of)\s+[\w' ]{{2,25}}?)?\s*(?::|is|are|—|–)\s+(?:that\s+)?(?!met|clear|simple|not\b|list|attached|below|the\b)(?P<o>[^.!?;]{{3,70}})", duty, dated=False, confidence=0.72),
    of_first("requirement", "essential vital crucial imperative important critical mandatory necessary", r"\b(?:it's|it is)\s+(?:absolutely\s+)?(?:essential|vital|crucial|imperative|mandatory|critical)\s+(?:that\s+|for us that\s+)(?P<o>[^.!?;]{5,80})", clause_duty, dated=False, confidence=0.7),
    of_first("requirement", "must essential mandatory non negotiable required compulsory", rf"(?:{LEAD})(?P<o>[a-z][\w' -]{{2,45}}?)\s+(?:is|are)\s+(?:an?\s+)?(?:absolute\s+|absolutely\s+|strictly\s+)?(?:must(?:-have)?|non-?negotiable|essential|mandatory|compulsory|required|a hard requirement|deal-?breaker)\b(?!\s+to\b)", slot_en(8), dated=False, confidence=0.68),
    of_first("requirement", "step wheelchair disabled level accessible ground quiet large gluten ramp lift subtitles captions sign", r"\b(?:i|we)\s+(?:always\s+)?need\s+(?P<o>(?:step-?free|wheelchair|disabled|level|accessible|ground[- ]floor|quiet|large[- ]print|gluten-free|ramp|lift|subtitles|captions|sign language)[\w -]{0,30}?)(?=\s*(?:[.!;,]|$)|\s+(?:everywhere|because|so|and|for|as|wherever|at|in|on)\b)", slot_en(5), dated=False, confidence=0.7),
]  # fmt: skip

_STREET = r"\d{1,5}[a-z]?\s+(?:[a-z][\w'-]+\s+){1,3}?(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|close|crescent|way|place|pl|terrace|grove|walk|row|square|hill|gardens|park|parade|wynd|boulevard|blvd|mews|rise|view|quay|circle|trail|bank|green|vale|mount|gate|yard|circus|path|highway|hwy|alley|loop|plaza|heights|ridge|bend|croft|dene|drift|garth|meadow|meadows|villas|cottages|buildings|wharf)\b\.?(?:,?\s*(?:apt|apartment|flat|unit|suite|floor|no|#)\.?\s*[\w-]+)?(?:,\s*[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)?"


def street(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """A street with its number, a flat and a town behind it."""
    found = re.compile(_STREET.replace("[A-Z]", "(?-i:[A-Z])"), re.IGNORECASE).match(sentence.text, start, stop)  # fmt: skip
    if found is not None:
        yield found[0].rstrip(" .,"), found.start(), found.end()


ADDRESSES: list[Construction] = [
    of_first("address", "new place flat house moved", r"(?:^|\b(?:my|our|the)\s+)(?:new\s+)(?:place|flat|house|home|pad|digs)\s*(?:is|is at|:|,)\s+(?:at\s+)?(?=\d)", street, dated=False),
    of_first("address", "moved from", r"\b(?:moved|moving|relocated)\s+from\s+[^.!?]{4,40}?\s+to\s+(?=\d)", street, Mode.change),
    of_first("address", "find me at number over live reside moved address post send deliver ship", r"(?:\b(?:you can|you'll|you will)\s+find\s+(?:me|us)\s+at\s+|\b(?:i'm|i am|im|we're|we are)\s+(?:now\s+|still\s+|over\s+|currently\s+|living\s+|staying\s+)*at\s+(?:number\s+|no\.?\s+)?|\b(?:i|we)\s+(?:now\s+|still\s+|currently\s+)?(?:live|reside|stay|rent)\s+at\s+(?:number\s+)?|\b(?:moved|relocated|moving)\s+(?:in\s+)?to\s+(?=\d)|\b(?:change|update)\s+my\s+address\s+to\s+|\b(?:my|our)\s+(?:new\s+|home\s+|postal\s+|mailing\s+|current\s+|delivery\s+|street\s+|full\s+|billing\s+|shipping\s+)*address(?:\s+for [\w ]{2,20}?)?\s*(?:is|:|has changed to|changed to|is now|=)\s*(?:now\s+)?|^(?:home |postal |mailing |delivery |new |billing |shipping )?address(?:\s+for [\w ]{2,20}?)?\s*(?:is|:)\s*)", street, dated=None, core=r"\b\d{1,5}[a-z]?\s+[a-z]"),
    of_first("address", "home place mine live flat house", r"\b(?:my|our)\s+(?:home|place|flat|house|apartment|new place)\s*(?:is|is at|:|,)\s+(?:at\s+)?(?=\d)", street, dated=False, core=r"\b\d{1,5}[a-z]?\s+[a-z]"),
    of_first("address", "post send deliver ship mail drop home live mine place", r"\b(?:post|send|deliver|ship|mail|drop)\s+(?:it|them|this|that|the \w+(?: \w+)?|everything|round)?\s*(?:off\s+)?(?:to|at)\s+(?:my (?:place|home|house|flat),?\s+)?(?=\d)(?=[^!?]{5,80}(?:\b(?:home|live|mine|my (?:place|flat|house|address)|please|pls)\b))", street, dated=False, core=r"\b\d{1,5}[a-z]?\s+[a-z]"),
    frame("address", "lives address is", r"(?P<third>(?:\blives at|\bhas moved to|\bmoved to|\breside[sd]? at|'s address is|'s at|\bis at))\s+(?:number\s+)?(?=\d)", by_person(street), dated=None, core=r"\b\d{1,5}[a-z]?\s+[a-z]"),
]  # fmt: skip

LIMITS_EN: list[Construction] = [
    *BUDGETS,
    *DEADLINES,
    *LAWS,
    *REQUIREMENTS,
    *ADDRESSES,
]
