"""English constructions of place, work, family, age, health and learning."""

from memory_pipeline.understand.extraction.constructions.engine import Table, construction
from memory_pipeline.understand.extraction.constructions.foods import foods_en
from memory_pipeline.understand.extraction.constructions.illness import illness_en
from memory_pipeline.understand.extraction.constructions.takers import (
    const,
    drug,
    formed,
    language,
    number,
    said,
)
from memory_pipeline.understand.extraction.constructions.takers_en import (
    firm_en,
    job_en,
    place_en,
    plain_verb_en,
    subject_en,
    things_en,
)
from memory_pipeline.understand.extraction.frames import Mode, Who
from memory_pipeline.understand.extraction.numbers import NUMBER_WORD_EN

_ADV = r"(?:currently\s+|now\s+|still\s+|also\s+|actually\s+|just\s+|recently\s+|finally\s+|temporarily\s+|mostly\s+|officially\s+|already\s+|really\s+|happily\s+|back\s+)*"
_NUM = rf"(?:\d{{1,3}}|{NUMBER_WORD_EN})"
_I = r"(?:i'm|i am|im|we're|we are|i've been|we've been)"

LIFE_EN = Table(
    [
        # location
        construction(
            "location", "home base city town location hometown", rf"(?:^|[,.]\s*|\band\s+)(?:my\s+|our\s+)?(?:current\s+)?(?:home(?: base)?|base|city|location)\s*(?:is|:)\s+{_ADV}(?:in\s+)?", place_en, who=Who.first, dated=False),
        construction(
            "location", "been", r"(?:^|\bi've\s+|\bi have\s+|\bwe've\s+|\bwe have\s+)been\s+(?:living\s+|based\s+|staying\s+)?(?:here\s+)?in\s+(?=[^,.]*\b(?:since|for)\b)", place_en, who=Who.first, dated=True, confidence=0.75),
        construction(
            "location", "flying heading going traveling travelling driving off", rf"\b(?P<first>{_I}|i|we)\s+{_ADV}(?:flying|heading|going|travell?ing|driving|off|will be|'ll be|fly|head)\s+(?:out\s+|up\s+|down\s+|over\s+)?(?:to|in)\s+", place_en, Mode.stay),
        construction(
            "location", "live living based staying reside work residing renting settled moved lives works", rf"(?:^|,\s*|\band\s+|\bbut\s+)(?:now\s+|currently\s+)?(?:(?P<first>live|living|based|staying|reside|working|settled|renting(?: a \w+)?)|(?P<third>lives))\s+{_ADV}(?:out of|in|near|outside)\s+", place_en, dated=False, confidence=0.75),
        construction(
            "location", "not longer", r"\b(?:not|no longer)\s+(?:living|based|staying|located|residing)\s+in\s+", place_en, Mode.end, negatable=False),
        construction(
            "location", "where", r"\b(?:from|in)\s+(?P<o>[a-z][\w .-]{2,25}?),?\s+where\s+i\s+(?:live|am based|moved|settled)\b", place_en, who=Who.first, dated=False),
        construction(
            "location", "from", rf"\b(?P<first>{_I})\s+(?:an?|the)\s+[\w -]{{3,30}}?\s+(?:from|in|based in|living in|out of)\s+(?=[a-z])", place_en, dated=False, confidence=0.7),
        construction(
            "location", "here", r"\b(?:it's|its|weather|time|morning|raining|snowing|sunny)\b[^,.!?]{0,25}\s+here\s+in\s+", place_en, who=Who.first, dated=False, confidence=0.7),
        construction(
            "location", "here", r"(?:^|[,.]\s*)(?:greetings|hello|hi|hey|writing|reporting|checking in|calling|coming to you)?\s*(?:live\s+)?(?:from|here in|over here in)\s+(?:rainy\s+|sunny\s+|cold\s+)?(?=[a-z]+(?:\s[a-z]+)?\s*(?:[,.!]|$|here))", place_en, who=Who.first, dated=False, confidence=0.65),
        construction(
            "location", "relocated moved settled emigrated immigrated landed moved transplanted bought", r"\b(?:relocated|emigrated|immigrated|transferred|moved(?: back| over| out| up| down)?|packed up and moved|uprooted|resettled|settled down|put down roots)\s+(?:\w+\s+){0,2}?(?:to|in)\s+(?=[a-z])", place_en, Mode.change, confidence=0.75),
        # employer and job
        construction(
            "employer", "employed employer company works work working gig job workplace", rf"\b(?:my\s+(?:current\s+|new\s+)?(?:employer|company|workplace|firm|day job|job)\s+is\s+(?:at\s+|with\s+)?|(?P<first>{_I})\s+{_ADV}(?:employed\s+(?:by|at|with)|on the payroll (?:at|of)|on staff at|contracting (?:for|at|with)|consulting (?:for|at)|interning (?:at|with|for)|part of the team at))\s*", firm_en, dated=False),
        construction(
            "employer", "with at", rf"\b(?P<first>{_I})\s+{_ADV}(?:with|at)\s+(?=\S+(?:\s\S+){{0,2}}\s+(?:these days|now|currently|since|for|as)\b)", firm_en, confidence=0.7),
        construction(
            "employer", "work works working", rf"(?:^|\b(?P<first>i|we|{_I})\s+{_ADV}|,\s*|\band\s+)(?:work|working)\s+(?:\w+\s+){{0,3}}?(?:for|at)\s+", firm_en, confidence=0.8),
        construction(
            "employer", "hired recruited poached headhunted brought joined signed onboarded started", r"\b(?:hired by|recruited by|poached by|headhunted by|brought on (?:by|at)|onboarded at|signed on with|came aboard at|started (?:out )?(?:at|with)|starting (?:at|with))\s+", firm_en, Mode.change),
        construction(
            "employer", "no longer not anymore stopped", r"\b(?:no longer|not|don't|do not|doesn't|stopped)\s+(?:work|works|working|employed)\s+(?:at|for|with|by)\s+", firm_en, Mode.end, negatable=False),
        construction(
            "employer", "laid fired let sacked canned", r"\b(?P<first>(?:laid|let|fired|sacked|canned|axed)\s+(?:me|us)(?:\s+(?:off|go))?)\s+(?:at|from)\s+", firm_en, Mode.end),
        construction(
            "employer", "laid fired let sacked canned", r"\b(?:(?:laid|let)\s+(?:me|us|him|her)\s+(?:off|go)|(?:fired|sacked|canned|axed)\s+(?:me|us)|got (?:sacked|canned|axed|let go|made redundant)|was (?:let go|made redundant|sacked))\s+(?:at|from|by)\s+", firm_en, Mode.end),
        construction(
            "job_title", "trade profession training occupation job title role position", r"\b(?:by\s+(?:trade|profession|training),?\s+i(?:'m| am)\s+|my\s+(?:current\s+|new\s+|official\s+)?(?:job title|title|occupation|profession|role|position|job)\s+(?:is|:)\s+(?!to\b|at\b|with\b|in\b|about\b|so\b|very\b|really\b|pretty\b|not\b|hard\b|great\b|killing\b|stress)|(?:occupation|job title|profession|position|role):\s+)", job_en, who=Who.first, dated=False),
        construction(
            "job_title", "as", r"(?:^|\b(?:and|but)\s+|,\s*)(?:speaking\s+)?as\s+an?\s+(?=[\w -]+,\s*i\b)(?!kid\b|child\b|result\b|rule\b|joke\b|\d)", job_en, who=Who.first, dated=False, confidence=0.65),
        construction(
            "job_title", "teach", r"\b(?P<first>i|we)\s+(?:currently\s+|now\s+)?teach\s+(?P<o>[a-z -]{3,30}?)(?=\s+(?:at|in|to|for)\b|[,.!?;]|$)", formed(subject_en(4), "{} teacher"), dated=False),
        construction(
            "job_title", "longer", r"\b(?:i'm|i am)\s+(?:no longer|not)\s+(?:an?|the)\s+(?P<o>[\w -]{3,30}?)(?=\s+(?:any\s?more|at|now)\b|[,.!]|$)", job_en, Mode.end, who=Who.first, negatable=False, confidence=0.7),
        construction(
            "job_title", "work works working employed freelance moonlight started hired promoted serve", rf"\b(?:(?P<first>(?:i|we)\s+{_ADV}(?:work|serve|freelance|moonlight|volunteer)|{_I}\s+{_ADV}(?:working|employed|serving|freelancing|moonlighting))|(?P<third>works|serves|freelances)|(?:hired|started|working|appointed)(?:\s+me)?)\s+(?:[\w-]+\s+){{0,2}}?as\s+(?:an?\s+|the\s+)?(?!part of|usual|well|hell|a team|\w+ly\b)", job_en, confidence=0.75),
        construction(
            "job_title", "run head lead manage oversee", r"\b(?P<first>i)\s+(?:run|head|lead|manage|oversee)\s+(?:the\s+|our\s+)?(?P<o>[a-z -]{3,25}? (?:team|department|division|group|(?<!post )office|branch|lab|unit))\b", formed(subject_en(4), "head of {}"), dated=False, confidence=0.7),
        construction(
            "job_title", "retired former", rf"\b(?P<first>{_I})\s+an?\s+(?P<o>retired\s+[a-z -]{{3,25}}?)(?=\s+(?:from|and|with|who|now)\b|[,.!]|$)", subject_en(4), dated=False),
        # age
        construction(
            "age", "year years old yo", rf"\b(?:as\s+an?\s+|{_I}\s+an?\s+)(?P<o>{_NUM})[\s-]+(?:years?[\s-]old|yo)\b", number, who=Who.first, dated=False),
        construction(
            "age", "age", rf"(?:^|\bmy\s+|,\s*)age\s*(?:is|:|-)\s*(?P<o>{_NUM})\b", number, who=Who.first, dated=False),
        construction(
            "age", "turned hit turning birthday", rf"\b(?P<first>i|just)\s+(?:just\s+|recently\s+)?(?:hit|reached)\s+(?P<o>{_NUM})\b(?=\s*(?:[.,!]|$|last|this|yesterday|in))", number, who=Who.first, dated=False),
        # family
        construction(
            "marital_status", "widow widower widowed", r"\b(?:i'm|i am|im)\s+(?:a\s+|now\s+a\s+)(?P<o>widower|widow|divorcee|divorcé|bachelor|newlywed)\b", said({"divorcee": "divorced", "divorcé": "divorced", "bachelor": "single", "newlywed": "married"}), who=Who.first, dated=False),
        construction(
            "marital_status", "separated split", r"\b(?:(?:my|his|her)\s+(?:wife|husband|spouse|partner)\s+and\s+i|we|i)\s+(?:have\s+|'ve\s+|recently\s+|finally\s+|just\s+|officially\s+)*(?:separated|split up|are separated)\b(?!.*divorc)", const("separated"), Mode.change, who=Who.first, confidence=0.9),
        construction(
            "marital_status", "divorce divorced", r"\b(?:finali[sz]ed|signed|filed|went through|completed)\s+(?:our\s+|my\s+|the\s+|a\s+)?divorce\b(?<!filed divorce)", const("divorced"), Mode.change, who=Who.first),
        construction(
            "marital_status", "not unmarried", r"\b(?:i'm|i am|im)\s+(?:not\s+(?:currently\s+)?married|unmarried)\b", const("not married"), who=Who.first, dated=False, negatable=False),
        construction(
            "marital_status", "married relationship partnership", rf"\b(?P<first>{_I})\s+{_ADV}(?:been\s+)?married\s+(?:to|for|since|with)\b(?!\s+(?:my|the)\s+(?:job|work|career|phone|sofa|desk|game))", const("married"), dated=False),
        construction(
            "marital_status", "relationship", r"\b(?P<first>i'm|i am|im)\s+in\s+an?\s+(?:long[- ]term\s+|serious\s+|committed\s+)?relationship\b", const("in a relationship"), dated=False),
        construction(
            "marital_status", "eloped wed wedding proposed engagement", r"\b(?:we\s+(?:just\s+|finally\s+)?(?:eloped|wed|said our vows|exchanged vows))\b", const("married"), Mode.change, who=Who.first),
        # diet
        construction(
            "diet", "avoid cut gave given quit stay steer skip off eliminated swear swore stopped ditched", rf"\b(?:(?P<first>(?:i|we|{_I})\s+(?:{_ADV}|try to\s+|have to\s+|always\s+|strictly\s+)(?:avoid|avoiding|skip|stay away from|steer clear of|staying off|off|abstain from))|(?:(?:i|i've|we|we've)\s+)?(?:{_ADV})(?:cut out|cutting out|gave up|given up|quit|eliminated|swore off|sworn off|stopped (?:eating|drinking|having|consuming)|went off|dropped))\s+", foods_en, confidence=0.8),
        construction(
            "diet", "don't don never can doesn do not", r"\b(?:(?P<first>(?:i|we)\s+(?:really\s+|just\s+|simply\s+)?(?:don't|do not|can't|cannot|never|no longer)\s+(?:ever\s+)?(?:eat|drink|have|do|consume|touch|tolerate|digest))|(?P<third>(?<=\w\s)(?:doesn't|does not|can't|never|no longer)\s+(?:eats?|drinks?|touch(?:es)?)))\s+", foods_en, dated=False, negatable=False),
        construction(
            "diet", "diet", rf"\b(?P<first>{_I}|i|my doctor put me|we)\s+{_ADV}(?:on|follow|following|stick to|eat|keep to|do)\s+(?:an?\s+|the\s+|my\s+)?(?:strict\s+|very\s+)?(?P<o>(?:[a-z-]+\s){{1,2}})diet\b", said(), dated=False),
        construction(
            "diet", "keto paleo vegan vegetarian halal kosher gluten whole30 carnivore omnivore", rf"\b(?P<first>{_I}|i|we)\s+{_ADV}(?:doing|do|on|gone|went|following|turned|switched to)\s+(?:an?\s+)?(?P<o>keto|paleo|carnivore|whole30|low[- ]carb|plant[- ]based|mediterranean|vegan|vegetarian|gluten[- ]free|dairy[- ]free)\b", said(), dated=False),
        construction(
            "diet", "eating eat meat", r"\b(?:i|we|i've|we've)\s+(?:\w+\s+)?(?:started|begun|began|went back to|am|resumed)\s+(?:to\s+)?eat(?:ing)?\s+(?:meat|dairy|fish|gluten)\s*(?:again|now)?\b(?=.*\bagain\b|.*\bwent back\b|$)", const(None), Mode.end, who=Who.first),
        construction(
            "diet", "vegetarian vegan pescatarian flexitarian", rf"\b(?P<first>{_I})\s+(?:all\s+|both\s+|an?\s+|a lifelong\s+|a strict\s+|mostly\s+)*(?P<o>vegetarian|vegan|pescatarian|pescetarian|flexitarian|lacto-vegetarian|teetotal(?:er)?)s?\b(?!\s+(?:restaurant|place|food))", said(), dated=False),
        # allergy
        construction(
            "allergy", "gives give makes make causes triggers hives swell anaphylaxis", r"(?:^|[,.]\s*|\band\s+)(?P<o>(?!\S*\s?(?:calls|meetings|emails|mondays|people|deadlines|crowds)\b)(?:[a-z-]+\s){1,3}?)(?:gives?|makes?|causes?|triggers?|sends?)\s+(?:me|my)\s+(?:to\s+|break out in\s+|get\s+|into\s+|throat\s+|face\s+|lips\s+|tongue\s+|a\s+|bad\s+|terrible\s+)*(?:hives|swell|anaphyla\w+|break out|rash|itch\w*|allergic reaction|sneeze)", subject_en(3), who=Who.first, dated=False),
        construction(
            "allergy", "break swell hives anaphylactic react", r"\b(?:i\s+(?:break out|swell up|get hives|go into anaphyla\w+|react badly|get a rash|itch)(?:\s+in\s+hives)?)\s+(?:\w+\s+)?(?:from|when i (?:eat|touch|have)|if i (?:eat|touch|have)|to|around)\s+", things_en(2, 2), who=Who.first, dated=False, ignores=frozenset({"hypothetical"})),
        construction(
            "allergy", "anaphylaxis anaphylactic hives epipen allergic", r"\b(?:i)\s+(?:can't|cannot)\s+(?:have|eat|touch|be around)\s+(?P<o>[a-z -]{3,25}?)\s*[,—–;(-]\s*(?:i\s+|it\s+|or i\s+)?(?:\w+\s+){0,4}?(?:anaphyla\w+|hives|allerg\w+|epipen|swell\w*)", subject_en(3), who=Who.first, dated=False, negatable=False, confidence=0.9),
        construction(
            "allergy", "allergy allergies", r"\b(?:i have|i've got|have|has|got|suffer from|with)\s+(?:an?\s+|the\s+)?(?:severe\s+|bad\s+|serious\s+|mild\s+|life-threatening\s+|nasty\s+|terrible\s+)*(?!food|any\b|no\b|seasonal|skin|many|new\b|some\b|the\b|an\b)(?P<o>[a-z]+(?:\s[a-z]+)?)\s+allerg(?:y|ies)\b", said(), dated=False),
        # illness
        construction(
            "medical_condition", "diagnosed diagnosis", r"\b(?:(?P<first>(?:i|i've|i have)\s+(?:\w+\s+)?(?:been\s+|was\s+|got\s+|were\s+)*(?:recently\s+|just\s+|finally\s+|officially\s+)?diagnosed\s+(?:with|as)|my diagnosis is|diagnosis:|they diagnosed me with|(?:the )?doctors? (?:says|said|confirmed|found) i have)|(?P<third>(?:was|got|has been)\s+diagnosed\s+with))\s+", illness_en(strict=False), dated=False),
        construction(
            "medical_condition", "suffer live struggle deal manage battling living dealing suffering struggling battle cope", rf"\b(?:(?P<first>(?:i|i've)\s+{_ADV}(?:suffer from|live with|struggle with|deal with|manage|battle|cope with|had|been dealing with|been living with)|{_I}\s+{_ADV}(?:suffering from|living with|dealing with|struggling with|battling|managing))|(?P<third>suffers from|lives with|struggles with|deals with))\s+", illness_en(strict=True), dated=False),
        construction(
            "medical_condition", "have got has ve", rf"\b(?:(?P<first>i\s+{_ADV}(?:have|got|was born with)|i've\s+{_ADV}(?:got|had))|(?P<third>has(?:\s+got)?|was born with))\s+(?:an?\s+|some\s+|really\s+|pretty\s+|this\s+)?", illness_en(strict=True), dated=False),
        construction(
            "medical_condition", "am im deaf blind disabled wheelchair colorblind nearsighted infertile paralyzed amputee bipolar autistic neurodivergent hypoglycemic", rf"\b(?P<first>i'm|i am|im)\s+{_ADV}(?:a\s+|an\s+|legally\s+|partially\s+|completely\s+|severely\s+|\d+\s+(?:weeks|months)\s+)*(?P<o>colou?r[- ]?blind|deaf|hard of hearing|legally blind|blind|nearsighted|bipolar|autistic|hypoglycemic|hypertensive|an[ae]mic|insulin[- ]resistant|immunocompromised|lactose[- ]intolerant|paraplegic|amputee|hemophiliac|pregnant|in a wheelchair|dyslexic|narcoleptic|arthritic|prediabetic|pre-diabetic)\b", said(), dated=False),
        # medication
        construction(
            "medication", "use inhaler inject take taking rely prescribed", rf"\b(?P<first>(?:i|{_I})\s+{_ADV}(?:use|inject|take|taking|using|injecting|rely on|carry|pop))\s+(?:an?\s+|my\s+|daily\s+)*(?P<o>(?:[a-z]+\s)?(?:inhaler|insulin|epipen|nasal spray|eye drops|patch|blood thinners?|beta blockers?|antidepressants?|statins?|antihistamines?|birth control|steroids?|painkillers?))\b", said(), dated=False),
        construction(
            "medication", "off stopped quit came weaned tapered discontinued", rf"\b(?:(?P<first>{_I}|i)\s+{_ADV}(?:off|quit|stopped(?: taking)?|came off|weaned off|tapered off|discontinued)|(?:weaned|tapered) off|took me off|stopped taking)\s+(?:of\s+|my\s+|the\s+)*", drug, Mode.end),
        construction(
            "medication", "put prescribed gave switched started", r"\b(?:prescribed me|put me on|switched me to|started me on|they gave me|was prescribed|got prescribed|been prescribed)\s+(?:a\s+course\s+of\s+|some\s+|daily\s+)?", drug, Mode.change, who=Who.first),
        # education
        construction(
            "education", "majored major minored degree graduated alma studied student attend attended alumnus alum phd master bachelor enrolled accepted", rf"\b(?:(?P<first>(?:i|i've|{_I})\s+{_ADV}(?:majored in|majoring in|minored in|graduated from|attend|attended|went to (?=\w+ (?:university|college|law|med))|enrolled (?:at|in)|enrolling (?:at|in)|attending|studying at|alumn\w+ of))|my alma mater is|my (?:degree|major|background|ba|bs|phd) (?:is|was) (?:in\s+|from\s+)?|(?:got|was) accepted (?:to|into|at)|degree in)\s*(?<=\s)(?:the\s+)?", things_en(4, 1, frozenset({"of", "at", "in"})), dated=False),
        construction(
            "education", "student sophomore freshman junior senior undergrad grad postgrad", rf"\b(?P<first>{_I})\s+an?\s+(?:[\w-]+\s+){{0,3}}?(?:student|sophomore|freshman|junior|senior|undergrad|grad student|postgrad|phd candidate|candidate)\s+(?:at|from)\s+(?:the\s+)?", things_en(4, 1, frozenset({"of", "at", "in"})), dated=False),
        construction(
            "education", "student studying", rf"\b(?P<first>{_I})\s+(?:an?\s+|currently\s+|still\s+)(?:[\w-]+\s+)?(?P<o>(?:law|medical|med|nursing|engineering|physics|math|biology|chemistry|history|art|music|business|psychology|cs|phd|dental|architecture|philosophy|economics|design)\s+student)\b", said(), dated=False),
        construction(
            "education", "hold holding earned completed finished got doing pursuing", rf"\b(?P<first>(?:i|i've|{_I})\s+{_ADV}(?:hold|holding|earned|completed|finished|got|did|doing|pursuing|working on|have|had))\s+(?:an?\s+|my\s+)?(?P<o>(?:\w+\s)?(?:phd|doctorate|master'?s?|mba|bachelor'?s?|ba|bsc|msc|ma|degree|diploma|associate'?s?|jd|md)\b(?:\s+degree)?(?:\s+(?:in|from|at|of)\s+[\w' ]+?)?)(?=\s+(?:last|this|in \d|and|but|so|back)\b|[,.!;]|$)", said(), dated=False),
        # language and skill
        construction(
            "language", "fluent native conversational bilingual trilingual proficient", r"\b(?P<first>i'm|i am|im|we're)\s+(?:\w+\s+){0,2}?(?:fluent|native|conversational|proficient|bilingual|trilingual|literate)\s*(?:in|,|:|speaker of|-)?\s*", language, dated=False),
        construction(
            "language", "first native mother language tongue second languages", r"(?:^|[,.]\s*|\band\s+)(?P<o>[a-z]+)\s+is\s+my\s+(?:first|native|mother|second|home|strongest)\s+(?:language|tongue)\b", language, who=Who.first, dated=False),
        construction(
            "language", "my languages language tongue", r"\bmy\s+(?:first|native|mother|second|main)?\s*(?:languages?|tongue)\s+(?:is|are|:)\s+", language, who=Who.first, dated=False),
        construction(
            "language", "native speaker", r"\bnative\s+(?P<o>[a-z]+)\s+speaker\b", language, dated=False),
        construction(
            "skill", "know learned learnt taught able", r"\b(?P<first>i|we)\s+(?:also\s+|actually\s+)?(?:know how|learned(?: how)?|learnt(?: how)?|taught myself(?: how)?|am able|have learned)\s+to\s+", plain_verb_en, dated=False),
        construction(
            "skill", "can", r"(?:^|[,.]\s*|\band\s+)(?P<first>i)\s+can\s+(?=(?:play|speak in public|juggle|knit|sew|weld|cook|bake|draw|paint|sing|dance|drive a|ride|swim|ski|surf|code in|program|type|solve a|do (?:a\s+)?(?:handstand|backflip|magic|calligraphy)|fix|repair|touch-type|crochet|whistle|read music)\b)", plain_verb_en, dated=False),
        construction(
            "skill", "good great skilled proficient decent expert pro experienced well versed", r"\b(?P<first>i'm|i am|im)\s+(?:\w+\s+)?(?:good|great|decent|skilled|proficient|an expert|a pro|experienced|well[- ]versed|well versed|handy|talented|fluent|adept|certified|trained)\s+(?:at|in|with)\s+(?=[a-z])", things_en(3, 3), dated=False, confidence=0.75),
        construction(
            "skill", "know", r"(?:^|[,.]\s*|\band\s+)(?P<first>i)\s+(?:really\s+)?know\s+(?P<o>[a-z+#. ]{1,25}?)\s+(?:pretty well|really well|very well|well|inside out|inside and out|by heart)\b", subject_en(3), dated=False),
    ]
)  # fmt: skip
