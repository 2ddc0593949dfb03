"""English constructions of tastes, tools, aims, money, duties, possessions, relatives and pets."""

from memory_pipeline.understand.extraction.constructions.engine import Table, construction
from memory_pipeline.understand.extraction.constructions.kin import (
    children_en,
    pet_en,
    pet_named_en,
    relative_en,
    relative_named_en,
)
from memory_pipeline.understand.extraction.constructions.possessions import owned_en
from memory_pipeline.understand.extraction.constructions.ru_work import due
from memory_pipeline.understand.extraction.constructions.takers import (
    known_tool,
    money,
    said,
    tool,
    whole,
)
from memory_pipeline.understand.extraction.constructions.takers_en import (
    dropped_aim,
    infinitive_en,
    subject_en,
    things_en,
)
from memory_pipeline.understand.extraction.frames import Mode, Who

_ADV = r"(?:currently\s+|now\s+|still\s+|also\s+|actually\s+|just\s+|recently\s+|finally\s+|mostly\s+|really\s+|always\s+|usually\s+|mainly\s+|generally\s+|absolutely\s+|definitely\s+|only\s+)*"
_NO_VERB = (
    r"(?!(?:has|have|had|got|is|was|are|owns?|keeps?|adopted|bought|wants?|and|or|to|who|that)\b)"
)
_I = r"(?:i'm|i am|im|we're|we are)"
_ARTEFACT = (
    r"(?:reports?|drafts?|versions?|papers?|thesis|manuscript|proposals?|applications?|submissions?|slides|deck|presentation|project|release|launch|prototype|demo|mvp|documents?|paperwork|invoices?|taxes|tax return|essay|assignment|homework|"
    r"chapter|article|translation|designs?|mockups?|contract|grant|code|app|site|website|build|deliverables?|budget|plan|audit|review|form|quote|bid|copy|edits|specs?|data|analysis|payment|deposit|rent|dissertation|portfolio|order|shipment)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = rf"(?:the\s+)?(?:\d{{1,2}}|{_MONTH}|mon|tues?|wed|thu|fri|sat|sun|end of|eod|eow|eom|tomorrow|next|close of|noon|midnight)"

TASTE_EN = Table(
    [
        # preference
        construction(
            "preference", "favorite favourite", r"\b(?:my|our)\s+(?:all[- ]time\s+|absolute\s+)?favou?rite\s+(?P<k>[\w ]{2,25}?)\s+(?:is|are|has to be|would be)\s+(?!when|that|how|not)", things_en(3, 2), who=Who.first, dated=False, confidence=0.75),
        construction(
            "preference", "into fan sucker obsessed keen partial fond passionate crazy", rf"\b(?P<first>{_I})\s+(?!not\b)(?:(?:an?|the|really|so|super|very|totally|such|quite|pretty|also|still|always)\s+)*(?:(?:big|huge|massive|total|real|true|avid)\s+)?(?:into|fan of|sucker for|obsessed with|keen on|partial to|fond of|passionate about|crazy about|nuts about|addicted to|enthusiast of|fanatic about|a lover of)\s+", things_en(3, 2), dated=False, confidence=0.75),
        construction(
            "preference", "rather", r"\b(?P<first>i'd|i would|we'd)\s+(?:much\s+)?rather\s+(?:get|have|receive|use|take|see|keep|read|hear|eat|drink|fly|drive)\s+", things_en(4, 1, frozenset({"in", "over", "with", "without"})), dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "preference", "like", r"\b(?P<first>i|we)\s+(?:\w+\s+)?(?:like|take|drink|have|want|need)\s+my\s+(?P<o>[a-z]+\s+[a-z]+(?:\s(?:and|with)\s\w+)?)(?=[,.!;]|$)", said(), dated=False),
        construction(
            "preference", "like enjoy", rf"(?:^|[,.]\s*|\band\s+|\bbut\s+)(?P<first>i|we)\s+{_ADV}(?:like|enjoy|dig|appreciate|adore|cherish)\s+(?!to\b|how|when|that|it|what|the idea|your|you|this|being)", things_en(3, 2), dated=False, confidence=0.7),
        construction(
            "preference", "preference", r"(?:^|[,.]\s*|\band\s+)(?P<o>[a-z][\w -]{2,25}?)\s+(?:is|are)\s+(?:my|our)\s+(?:strong\s+|personal\s+)?(?:preference|favou?rite|go-to|jam|cup of tea|thing|happy place|comfort food|passion)\b", subject_en(4), who=Who.first, dated=False),
        construction(
            "preference", "preference", r"\bmy\s+(?:strong\s+)?preference\s+(?:is|would be|goes to)\s+(?:for\s+)?", things_en(4, 1, frozenset({"over", "in", "with"})), who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "preference", "hobby hobbies passion", r"\bmy\s+(?:main\s+|favou?rite\s+|biggest\s+)?(?:hobby|hobbies|passion|pastime)\s+(?:is|are|:)\s+", things_en(3, 3), who=Who.first, dated=False),
        construction(
            "preference", "prefer prefers", rf"\b(?:(?P<first>(?:i|we)(?:'d)?\s+{_ADV}prefer)|(?P<third>prefers))\s+(?!to\b|that|it|not|if|when|you)", things_en(6, 1, frozenset({"over", "to", "in", "with", "without", "on", "than"})), dated=False, ignores=frozenset({"hypothetical"})),
        # dislike
        construction(
            "dislike", "drive drives annoys annoy bothers irritates makes make stress stresses", r"(?:^|[,.]\s*|\band\s+)(?P<o>[a-z][\w -]{2,25}?)\s+(?:really\s+|just\s+)?(?:(?:drives?|makes?)\s+me\s+(?:crazy|nuts|insane|mad|up the wall|angry|cringe|sick|anxious)|annoys?\s+me|bothers?\s+me|irritates?\s+me|stress(?:es)?\s+me\s+out|gross(?:es)?\s+me\s+out|(?:is|are)\s+(?:not\s+my\s+(?:thing|cup of tea|jam)|my\s+pet\s+peeve|the\s+worst))", subject_en(4), who=Who.first, dated=False),
        construction(
            "dislike", "keen fan into fond big wild crazy sick tired", rf"\b(?P<first>{_I})\s+(?:really\s+)?(?:not\s+(?:\w+\s+)?(?:a\s+(?:big\s+|huge\s+)?fan of|keen on|into|fond of|wild about|crazy about|big on)|(?:so\s+)?(?:sick|tired|sick and tired) of)\s+", things_en(3, 2), dated=False, negatable=False),
        construction(
            "dislike", "can't stand hate despise loathe detest dislike bear tolerate abhor like", rf"(?:^|[,.]\s*|\band\s+|\bbut\s+)(?P<first>i|we)\s+{_ADV}(?:can't (?:stand|bear|tolerate|deal with)|cannot (?:stand|bear)|hate|despise|loathe|detest|dislike|abhor|couldn't stand|don't (?:like|enjoy|care for)|do not like)\s+(?!to\b|that|when|how|it\b|being|you|the fact|having|doing|asking|bothering)", things_en(3, 2), dated=False, negatable=False),
        construction(
            "dislike", "peeve", r"\bmy\s+(?:biggest\s+)?pet\s+peeve\s+is\s+(?!when)", things_en(3, 1), who=Who.first, dated=False),
        # tools
        construction(
            "tool", "use using used rely uses run running stack work write code develop build track keep manage do host store program notes draw design edit", rf"\b(?P<first>(?:i|we)\s+{_ADV}(?:use|rely on|work with|work in|code in|write in|program in|develop in|build (?:\w+\s+)?(?:in|with|on)|run (?:\w+\s+){{0,2}}?on|host (?:\w+\s+)?on|(?:do|keep|track|take|manage|write|store|edit|draw|plan|record|log|organi[sz]e|handle|test|ship|deploy)\s+(?:\w+\s+){{0,3}}?(?:in|on|with|using|through|to))|(?:{_I}|i've been|we've been)\s+{_ADV}(?:using|coding in|working in|running|writing in|building (?:\w+\s+)?(?:in|with|on)|on))\s+(?=[A-Za-z])", tool, dated=False),
        construction(
            "tool", "stack setup editor ide shell browser database framework distro os phone", r"\b(?:my|our|the)\s+(?:\w+\s+)?(?:stack|setup|editor|ide|shell|browser|database|db|framework|distro|os|crm|ci|backend|frontend|infra|toolchain|main tool|go-to tool|daily driver|notes app|task tracker)\s+(?:is|runs on|consists of|includes|lives in|uses|:)\s+(?:mostly\s+|mainly\s+|all\s+)?", tool, who=Who.first, dated=False),
        construction(
            "tool", "switched moved migrated switching migrating moving went", r"\b(?:switched|moved|migrated|switching|migrating|jumped|converted|transitioned|went)\s+(?:\w+\s+){0,3}?(?:from\s+[\w .+#-]{2,25}?\s+)?(?:over\s+|back\s+)?to\s+(?=[a-z])", known_tool, Mode.change),
        # goal and plan
        construction(
            "goal", "dream goal aim ambition mission target objective resolution", r"\bmy\s+(?:\w+\s+){0,2}?(?:dream|goal|aim|ambition|mission|target|objective|resolution|north star)\s+(?:for\s+[\w ]{2,15}?\s+|this\s+\w+\s+|right now\s+)?(?:is|was always|remains)\s+(?:to\s+)?", infinitive_en, who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "goal", "working aiming striving training hoping saving trying", rf"\b(?P<first>{_I})\s+{_ADV}(?:aiming|striving|working|training|saving up|determined)\s+to\s+", infinitive_en, dated=False),
        construction(
            "goal", "working saving training aiming", rf"\b(?P<first>{_I})\s+{_ADV}(?:working\s+towards?|saving\s+(?:up\s+)?for|training\s+for|aiming\s+for|gunning for|chasing)\s+(?:an?\s+|the\s+|my\s+)?", things_en(4, 1, frozenset({"in", "at", "of"})), dated=False),
        construction(
            "goal", "want dream", r"\b(?P<first>i|we)\s+(?:really\s+|eventually\s+|ultimately\s+|one day\s+|someday\s+|still\s+|just\s+)*(?:want to|wanna|dream of|hope to|aspire to|aim to)\s+(?=(?:become|becoming|learn|run a|run the|lose|publish|write a|open a|start a (?:business|company|nonprofit)|get (?:my|a|into)|pass (?:the|my|our)|save|buy a (?:house|home)|pay off|retire|climb|master|finish (?:my|a|the)|quit (?:smoking|drinking)|hike|read \d|earn|win|build a|own a|visit every|speak|hit)\b)", infinitive_en, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "plan", "plan planning plans going gonna intend decided signed thinking looking intending set", rf"\b(?P<first>(?:i|we)\s+{_ADV}(?:plan|intend|decided|have decided|'ve decided|have plans|are set|am set)\s+to|{_I}\s+{_ADV}(?:planning|intending|set|scheduled)\s+to|{_I}\s+{_ADV}(?:going\s+to|gonna)(?=\s+(?:start|open|learn|study|apply|build|renovate|launch|write|sign up|train|adopt|buy|enroll|take up|join|volunteer|run|host|sell)\b)|{_I}\s+planning\s+on|(?:my|our|the)\s+plan\s+(?:is|for \w+ is)\s+to)\s+(?!move|relocate|quit|be\b|have\b|try\b|go\b|need|see\b|do\b|say\b|leave|die|cry|kill|miss|let|ask|call|check|make sure|fly|stay|work\b|tell|get\b|take\b|use\b|look|eat|sleep|bed)", infinitive_en, dated=False, confidence=0.72),
        construction(
            "plan", "decided changed longer scrapped dropped shelved gave cancelled canceled", r"\b(?:decided\s+(?:against|not\s+to)|changed\s+my\s+mind\s+about|no\s+longer\s+planning\s+(?:to|on)|scrapped\s+(?:the|my|our)\s+plans?\s+to|gave\s+up\s+on\s+(?:the\s+idea\s+of\s+)?)\s+", dropped_aim, Mode.cancel, who=Who.first, negatable=False),
        # money
        construction(
            "budget_limit", "nothing above over have spend budget cap capped limit afford willing max most range between allocated set ceiling allocate price", r"\b(?:nothing\s+(?:above|over|more than)|(?:i|we)\s+(?:only\s+|just\s+)?(?:have|got|'ve got)\s+(?:about\s+|around\s+|only\s+)?(?=\S+(?:\s\S+)?\s+(?:to\s+spend|for\s+(?:this|it|the)|total|max|to\s+work\s+with|budgeted))|(?:i|we)\s+can\s+(?:only\s+)?(?:spend|afford|do|pay|go up to)\s+(?:up to\s+|about\s+|around\s+|at most\s+|no more than\s+)?|willing to (?:spend|pay)\s+(?:up to\s+|around\s+|at most\s+)?|(?:set aside|allocated|earmarked|budgeted|approved)\s+(?:about\s+|around\s+|up to\s+)?|price\s+(?:range|limit|ceiling)\s*(?:is|:)\s*(?:up to\s+)?|spending limit\s*(?:is|:)\s*|the most (?:i|we) can (?:spend|pay|do|afford) is\s+|don't want to (?:spend|pay|go) (?:more than|over|above)\s+)\s*", money, who=Who.first, dated=False, negatable=False),
        # deadline
        construction(
            "deadline", "need needs needed want wants expect expects due must has supposed should requires waiting", rf"\b(?:{_ARTEFACT}\s+(?:\w+\s+){{0,2}}?(?:must|has to|have to|needs? to|is needed|are needed|is expected|should|is supposed to|is due|are due|due)\s*(?:to\s+)?(?:be\s+)?(?:\w+\s+){{0,3}}?(?:by|before|on|no later than)|(?:needs?|want|wants|expect|expects|require|requires|promised|owe)\s+(?:\w+\s+){{0,3}}?{_ARTEFACT}\s+(?:\w+\s+){{0,3}}?(?:by|before|no later than))\s+(?={_DATE})", due, who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "deadline", "supposed required expected", rf"\b(?:we|i)(?:'re|'m| are| am)\s+(?:supposed|required|expected|scheduled|on the hook|committed)\s+to\s+(?:launch|submit|deliver|ship|release|finish|complete|hand in|turn in|file|send|present|publish|go live)\s*(?:\w+\s+){{0,4}}?(?:by|before|on|no later than)\s+(?={_DATE})", due, who=Who.first, dated=False),
        construction(
            "deadline", "cutoff cut closing closes close applications entries last due", rf"\b(?:(?:cut-?off|closing date|due date|final date|last day)(?:\s+(?:for|to)\s+[\w ]{{2,30}}?)?\s+is|(?:applications|entries|submissions|registration|nominations|enrollment)\s+(?:close|closes|end|ends|are due|is due)\s+(?:on|by)?)\s+(?={_DATE})", due, who=Who.first, dated=False),
        construction(
            "deadline", "submit deliver ship turn hand file finish launch finalize wrap", rf"\b(?:i|we)\s+(?:have|need|must|got|gotta|ought)\s+(?:to\s+)?(?:submit|deliver|ship|turn in|hand in|file|finish|launch|finali[sz]e|wrap up|release|publish|send (?:in|out|over)|complete|present)\s*(?:[\w'-]+\s+){{0,5}}?(?:by|before|no later than)\s+(?={_DATE})", due, who=Who.first, dated=False),
        # duties
        construction(
            "legal_constraint", "law court legally visa nda contract compete injunction probation parole license regulation policy statute", r"(?:\b(?:by law|legally|under (?:gdpr|hipaa|ccpa|the law|the nda|our contract|my contract|the settlement|court order))\b[^.!?]*\b(?:can't|cannot|must|have to|not allowed|prohibited|required|may not|barred|obligated|forbidden)|\b(?:visa|nda|contract|court order|court|law|license|restraining order|injunction|settlement|non-?compete|gdpr|hipaa|probation|parole)\b[^.!?]{0,30}\b(?:doesn't let|does not let|doesn't allow|does not allow|forbids?|prohibits?|bars?|prevents?|requires?|bans?|stops me|restricts?)|\b(?:i'm|i am|we're|we are)\s+(?:currently\s+|still\s+|both\s+)?(?:under|bound by|subject to|on)\s+(?:an?\s+|my\s+|the\s+)?(?:\w+\s+)?(?:nda|non-?disclosure|non-?compete|gag order|court order|restraining order|injunction|probation|parole|house arrest|confidentiality)|\bi\s+(?:have|signed|got)\s+an?\s+(?:\w+\s+)?(?:nda|non-?compete|non-?disclosure|restraining order))", whole, who=Who.first, negatable=False, confidence=0.75),
        construction(
            "requirement", "must has have need needs", r"^(?:and\s+|also\s+|but\s+|importantly,?\s+|remember,?\s+)*(?:it|this|everything|all\s+\w+(?:\s\w+)?|every\s+\w+(?:\s\w+)?|each\s+\w+(?:\s\w+)?|any\s+\w+(?:\s\w+)?|the\s+(?:app|site|code|output|report|design|system|api|service|page|tool|script|solution|product|build|layout|logo|text|file|document|backend|frontend|database|ui|final\s+\w+|whole\s+\w+))\s+(?:must|has to|have to|needs? to)\s+(?:always\s+|also\s+|never\s+)?(?:work|run|support|fit|be\s+(?:in|signed|encrypted|compatible|accessible|offline|responsive|tested|reviewed|documented|written|under|at least|readable|printable|available|stored|approved|logged|backed|able)|load|pass|include|handle|comply|use|stay|come|keep|follow)", whole, who=Who.first, dated=False, confidence=0.7),
        construction(
            "requirement", "need support must", r"^(?:and\s+|also\s+)*we\s+(?:need to|have to|must|are required to)\s+(?:support|comply with|stay compatible|keep compatib\w+|be compatible|maintain|conform|run on|work on|encrypt|log every|meet)\b", whole, who=Who.first, dated=False, confidence=0.7),
        construction(
            "requirement", "no allowed", r"^(?:and\s+|also\s+|absolutely\s+|strictly\s+)*no\s+[\w -]{3,40}?\s*(?:allowed|permitted|whatsoever|under any circumstances|of any kind|please)\s*[.!]*$", whole, who=Who.first, dated=False, confidence=0.65, negatable=False),
        # possessions
        construction(
            "owns", "have own drive ride got has", rf"\b(?P<first>(?:i|we)\s+{_ADV}(?:have|own|drive|ride|restored|built|inherited)|i've\s+(?:got|owned|had)|we've\s+(?:got|owned))\s+(?:an?\s+|my\s+|our\s+|two\s+|three\s+|this\s+|the\s+)?", owned_en, dated=False),
        construction(
            "owns", "bought purchased got picked treated ordered inherited leased", r"\b(?:i|we|just|finally)\s+(?:just\s+|finally\s+|recently\s+)*(?:bought|purchased|picked up|treated myself to|got (?:myself|ourselves)|closed on|inherited|splurged on|upgraded to)\s+(?:an?\s+|my\s+|our\s+|the\s+|some\s+)?", owned_en, Mode.change),
        construction(
            "owns", "sold totaled crashed scrapped stolen wrecked", r"\b(?:sold|totall?ed|scrapped|wrecked|got rid of|traded in|gave away|donated)\s+(?:the|my|our)\s+", owned_en, Mode.end, who=Who.first),
        # relatives and pets
        construction(
            "relative", "two three kids children daughters sons brothers sisters twins cousins nieces nephews boys girls grandkids siblings", r"\b(?:my|our|have|got|raising|i've)\s+(?:\w+\s+){0,2}?(?:kids|children|twins|sons|daughters|brothers|sisters|cousins|nieces|nephews|boys|girls|grandkids|grandchildren|siblings)\s*(?:are\s+|,|:|—|–|-|named\s+|called\s+|\()*\s*", children_en, who=Who.first, dated=False, confidence=0.88),
        construction(
            "relative", "called named name", rf"\b(?:my|our|a|had)\s+(?:{_NO_VERB}\w+\s+){{0,3}}?(?:\w+(?:-in-law)?)(?:'s\s+name\s+is|\s+is\s+(?:called|named)|,?\s+(?:his|her|their)\s+name\s+is|\s+(?:called|named)|,?\s+we\s+named\s+(?:him|her))\s+", relative_en, who=Who.first, dated=False, confidence=0.85),
        construction(
            "relative", "my our", r"(?:^|[,.]\s*|\band\s+)(?P<o>[a-z][\w-]+(?:\s[a-z][\w-]+)?)\s+is\s+(?:my|our)\s+(?:\w+\s+){0,1}?(?=[a-z]+\b)", relative_named_en, who=Who.first, dated=False),
        construction(
            "pet", "name named called", rf"\b(?:my|our|a|an|the|got|have|adopted|rescued)\s+(?:{_NO_VERB}[\w-]+\s+){{0,4}}?[\w-]+(?:'s\s+name\s+is|\s+is\s+(?:called|named)|,?\s+(?:his|her|its|their)\s+names?\s+(?:is|are)|,?\s+(?:called|named)|,?\s+(?:we|i)\s+named\s+(?:him|her|it))\s+", pet_en, who=Who.first, dated=False, confidence=0.88),
        construction(
            "pet", "my our", r"(?:^|[,.]\s*|\band\s+)(?P<o>[a-z][\w-]+)\s+is\s+(?:my|our)\s+", pet_named_en, who=Who.first, dated=False, confidence=0.88),
    ]
)  # fmt: skip
