"""Rules for `allergy`, `diet`, `medication` and `medical_condition`."""

import re
from collections.abc import Iterator

from memory_pipeline.contracts.statement import SubjectRef
from memory_pipeline.understand.extraction.frames import Found, Mode, Scene, Who
from memory_pipeline.understand.extraction.phrases import phrase_list, russian_phrase
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.extraction.subjects import persons
from memory_pipeline.understand.morphology import nominative_word, parses, reading

_TRIGGER = re.compile(
    r"аллерг|непереносим|не ем\b|не ест|не едим|не пью|не пьет|веган|вегетариан|халяль|кошер|безглютен|постн|пощусь|диет|кето|"
    r"принима|допи|вместо|пью\b|пьет|таблет|сижу на|назнач|выписа|прописа|посадил|перев[её]л|отмен|диабет|астм|гиперт|целиак|эпилеп|мигрен|диагн|болею|болеет|беремен|рак\b|"
    r"инсульт|инфаркт|давлени|гастрит|язв|артрит|артроз|депресс|сдвг|анеми|варфарин|на инсулине|без глютена|без сахара|без лактозы|пескетар|"
    r"allerg|intoleran|vegan|vegetarian|halal|kosher|gluten|pescatarian|keto|dairy|don't eat|do not eat|doesn't eat|eat meat|fasting|diet|"
    r"take\b|taking|takes|on \w+|prescri|medicat|meds|diabet|asthma|epilep|migraine|diagnos|celiac|coeliac|pregnan|cancer|arthrit|adhd|"
    r"deaf|blind|blood pressure|hypertens|anemi|stroke|came off|coming off|dyslexi|autis|anxiety|depress|lupus|crohn|ibs\b|insulin|pacemaker|eczema|put (?:me|him|her) on"
)
RU_ALLERGY = re.compile(r"\b(?:(?P<none>нет|не было|никакой|никаких|больше нет)\s+)?(?P<word>аллерги[яиюей]+|непереносимость|аллергик)(?:\s+(?:сильная|жуткая|подтвержденная|острая|давняя|дикая|жесткая|страшная))?(?:\s+(?P<on>на)\s+|\s+(?=(?:лактоз|глютен|фруктоз|орех)))")
RU_ALLERGIC = re.compile(r"\b(?:я|он|она)?\s*аллергик\s+на\s+")
EN_ALLERGY = re.compile(r"\b(?:(?P<not>not\s+|n't\s+|no longer\s+)?(?:\w+ly\s+)?allerg(?:ic|y|ies)\s+(?:to\s+)|intolerant to\s+|intolerance to\s+)")
EN_ALLERGY_NOUN = re.compile(r"\b(?:(?:have|has|got|with)\s+(?:an?|the|a severe|a bad|a serious)\s+(?:\w+\s+)?|the one with the\s+|'s\s+|his\s+|her\s+|my\s+)(?P<what>(?!severe|bad|serious|seasonal|mild|new|food|skin|old|worst)[a-z]+(?:\s(?:nut|fruit))?)\s+allerg(?:y|ies)\b")
EN_ALLERGY_LIST = re.compile(r"\ballerg(?:y|ies)\b[^:.!?]{0,30}:\s*")
RU_ALLERGY_LIST = re.compile(r"\bаллерги[яи]\b[^:.!?]{0,30}:\s*(?:на\s+)?")

RU_DIET = re.compile(
    r"\b(?P<not>не\s+)?(?P<went>(?:перешел|перешла|перешли|сел[аи]?|сижу|сидим)\s+(?=на\s))?(?:(?P<word>веган(?:ка|ы)?|вегетариан(?:ец|ка|цы)|сыроед|пескетариан(?:ец|ка)|мясоед)|(?P<halal>халяль|кошер|кошерное|на кето|на кето-диете|на безглютеновой диете|на диете без глютена|на диете без лактозы|на палео))\b"
)
RU_NOT_EAT = re.compile(r"\b(?:(?P<first>(?:я\s+)?не\s+(?:ем|едим|употребляю|пью))|(?P<third>не\s+(?:ест|едят|употребляет|пьет))|(?P<pre>(?P<obj>глютен|мясо|молочное|молочку|рыбу|свинину|сахар|лактозу|яйца|орехи|хлеб|говядину|морепродукты)\s+не\s+(?:ем|едим|ест|пью)))\s*")
EN_DIET = re.compile(
    r"\b(?P<not>not\s+(?:a\s+|an\s+)?|n't\s+(?:a\s+)?|no longer\s+|used to be\s+|stopped being\s+)?(?:(?:strict(?:ly)?|fully|mostly)\s+)?(?P<word>vegan|vegetarian|pescatarian|halal|kosher|gluten[- ]free|dairy[- ]free|keto|lactose[- ]free|paleo|sugar[- ]free|plant[- ]based|low[- ]carb|low[- ]sodium)\b"
)
EN_DIET_SUBJECT = re.compile(r"\b(?:(?P<first>i'm|i am|im|we're|we are|i eat|we eat|i keep|we keep|i've been|i went|i've gone|i turned|we're strictly|i only eat|i do|back to|went|been|me,?)|(?P<third>(?:he|she|\w+)(?:'s| is| eats| keeps| has been| went| turned| are)))\s+(?:a\s+|an\s+|also\s+|still\s+|now\s+|strict(?:ly)?\s+|fully\s+|mostly\s+|basically\s+|officially\s+|only\s+|already\s+)*$")
EN_NOT_EAT = re.compile(r"\b(?:(?P<first>(?:i|we)\s+(?:really\s+)?(?:don't|do not|can't|cannot|never|no longer|stopped)\s+(?:eat|eating|have|do|touch|drink|drinking))|(?P<third>(?:doesn't|does not|can't|never|no longer|stopped)\s+(?:eats?|eating|drinks?|drinking)))\s+(?:any\s+)?")
EN_EAT_AGAIN = re.compile(r"\b(?:i|we)\s+(?:now\s+)?eat meat (?:again|now)|\b(?:i'm|i am|no longer|not) (?:not )?(?:a )?(?:vegan|vegetarian) any\s?more\b|\bback (?:to|on) (?:eating )?meat\b|\bquit being (?:a )?(?:vegan|vegetarian)\b|\bgave up (?:on )?(?:being )?(?:vegan|vegetarian)\w*")
RU_EAT_AGAIN = re.compile(r"\b(?:снова|опять) ем мясо|\b(?:уже|больше) не (?:веган\w*|вегетариан\w+)\b")
EN_FAST = re.compile(r"\b(?:i'm|i am|we're|im)\s+(?P<what>fasting(?:\s+from\s+\w+\s+to\s+\w+)?)")
RU_FAST = re.compile(r"\b(?:(?:держу|соблюдаю|держим|соблюдаем)\s+пост|пощусь)\b")

RU_MEDS = re.compile(r"\b(?:(?P<first>принимаю|пью|колю|сижу на|я на)|(?P<third>принимает|пьет|колет|сидит на)|(?P<new>(?:назначил[аи]?|выписал[аи]?|прописал[аи]?|перевели на|посадили на|перевели на|перевел[аи]? (?:меня |ее |его )?на)(?:\s+(?:мне|ей|ему|маме|папе|врач|терапевт|кардиолог|эндокринолог|невролог|доктор|вчера|сегодня)){0,3}))\s+")
EN_MEDS = re.compile(
    r"\b(?:(?P<first>(?:i|we)(?:'m| am|'ve been| have been)?\s+(?:still\s+|also\s+|currently\s+|now\s+|always\s+|already\s+)*(?:take|taking|on|prescribed)|im\s+(?:on|taking)|i was (?:put|started) on|i got (?:put|started) on)"
    r"|(?P<third>takes|'s\s+on|is\s+(?:now\s+|still\s+)?(?:on|taking)|'s\s+(?:now\s+|still\s+)?(?:on|taking)|has been (?:on|taking))"
    r"|(?P<begun>started (?:on|taking)|starting (?:on|taking)|just started)|(?P<new>(?:put|started|has|prescribed)\s+(?P<obj>me|her|him|my \w+)\s+(?:on\s+)?))\s*(?:my\s+|the\s+)?(?:a\s+|\d+\s*(?:mg|mcg|g|ml)\s+of\s+|low dose\s+|daily\s+)*"
)
EN_STOP_MEDS = re.compile(r"\b(?:stopped taking|came off|coming off|come off|off|quit taking|no longer (?:take|taking|on)|took (?:me|her|him) off|done with)\s+(?:the\s+|my\s+)?")
RU_STOP_MEDS = re.compile(r"\b(?:(?:больше|уже) не (?:принимаю|пью)|перестал[аи]? (?:принимать|пить)|отменили|бросил[аи]? пить|слез(?:ла)? с)\s+(?:мне\s+|ей\s+|ему\s+|маме\s+|папе\s+)?")
RU_FINISH = re.compile(r"(?P<what>[а-я]+)\s+(?:допиваю|допью|пропью)\s+")
RU_INSTEAD = re.compile(r"\bвместо\s+(?:него|нее|них|этого)\s+")
_DRUG_RU = re.compile(
    r"(?:[а-я]+(?:ин|ол|ил|он|ат|ен|ам|ид|ан|ап|им|окс|экс|ум|аза|акс|ен|зин|фаг|рон|тин|пам|кор|тас|рил|лин|мет))(?:[а-я]{0,3})\b|инсулин\w*|аспирин\w*|витамин\w*\s+[дd]|антидепрессант\w*|антибиотик\w*|гормон\w*|железо\b|магний\b|омега\w*|таблетк\w+ от \w+|статин\w*|антигистаминн\w+"
)
_SURE_DRUG_RU = re.compile(r"(?:прил|олол|сартан|статин|формин|тироксин|зепам|золам|празол|циллин|мицин|флоксацин|инсулин|фарин|пирин|цетамол|профен|преднизолон|глиптин|флозин|оксетин|сертралин|тралин|прам|ратадин|тиризин|дипин|ксабан|антидепрессант\w*|антибиотик\w*|гормон\w*|статин\w*|витамин\s\w|магний|железо|омега\w*|триптан|лепсин|лактон|семид|метазон|тиамазол|пантенол|глюкофаж|эутирокс|конкор|кетонал|нурофен|но-шпа|феназепам|атаракс|золофт)(?:\s|$)")
_NOT_DRUG_RU = frozenset(
    """магазин магазина один стакан кофеин лимон батон бульон апельсин вина вино половина телефон домен бензин витрин картон
    кран план банан фонтан экран роман стол дом сон фон тон закон вагон сезон район салон салат чан капучино латте виски
    джин ром ванна диван туман урок килограмм грамм клиент пациент момент студент цемент документ мандарин самогон квас
    бокал ерунду решение душ дождь лекарство участие решения меры звонки заказы гостей оплату поздравления""".split()
)
_DRUG_EN = re.compile(
    r"(?:[a-z]*(?:in|ine|ol|pril|statin|sartan|mab|zole|pam|lam|done|one|ide|ate|cillin|mycin|oxetine|azole|formin|profen|phen|tidine|prazole|tadine|oxin|arin|xin|zine|rone|olone|sone|lol|dipine|thyroxine|fil|vir|gliptin|gliflozin|tide|line|pine|lant|bid|ium|zepam|barbital|trate))\b|lithium|insulin|aspirin|warfarin|xarelto|eliquis|zoloft|prozac|lexapro|adderall|ritalin|concerta|xanax|ozempic|wegovy|humira|statins?|antibiotics|antidepressants|beta blockers|blood thinners|birth control|the pill|steroids|iron pills|prednisone|lipitor|synthroid|plavix|zyrtec|claritin|allegra|nexium|vyvanse|wellbutrin|cymbalta|effexor|lyrica|keppra|lamictal|seroquel|abilify|vitamin [a-z0-9]+",
)
_NOT_DRUG_EN = frozenset(
    """the online line mine fine wine magazine routine caffeine time one none done phone alone everyone someone zone again main train
    pain plan rain captain cabin brain gain fountain mountain certain curtain villain coffee something anything vacation action
    private late date state plate rate climate chocolate update donate slide side ride guide inside wide bride outside pride decide
    provide hide tide take care part over charge medicine cuisine machine engine airline deadline pipeline headline baseline
    video school alcohol control protocol pool tool cool gasoline discipline berlin linkedin vaccine begin login admin maintain
    skin twin bin win thin spin chin margin origin virgin basin raisin muffin penguin dolphin dublin latin austin justin martin
    robin kevin colin shampoo notes turns offense estimate corporate delegate candidate private certificate chocolate moderate
    telephone saxophone microphone drone stone bone tone cologne clone marathon ballet aim magnesium stadium medium premium
    aquarium gymnasium podium auditorium tedium""".split()
)
_DOSE = re.compile(r"\s+\d+(?:[.,]\d+)?\s*(?:mg|mcg|g|ml|iu|units|мг|мкг|г|мл|ед)\b", re.IGNORECASE)

_CONDITIONS_RU = re.compile(
    r"(?:диабет\w*(?:\s+(?:\d|первого|второго|1|2)(?:[-\s](?:го)?\s*)?\s*типа)?|(?:бронхиальн\w+\s+)?астм\w+|гипертони\w+|целиаки\w+|(?:фотосенситивн\w+\s+)?эпилепси\w+|мигрен\w+|гастрит\w*|язв\w+\s+желудка|"
    r"артрит\w*|артроз\w*|депресси\w+|сдвг|анеми\w+|гипотиреоз\w*|рак\s+[а-я]+|болезн\w+\s+крона|кардиостимулятор\w*|сколиоз\w*|грыж\w+\s+[а-я]+|псориаз\w*|экзем\w*|аутизм\w*|дислекси\w+|волчанк\w+|порок\w*\s+сердца|"
    r"ревматизм\w*|подагр\w+|глауком\w+|катаракт\w+|нарколепси\w+|фенилкетонури\w+|гемофили\w+|панкреатит\w*|холецистит\w*|тахикарди\w+|аритми\w+|протез\w*)"
)
RU_HAVE = re.compile(r"\b(?:у\s+(?P<whose>меня|нас|него|нее|[\w-]+(?:\s+[А-ЯЁ][\w-]+)?)|(?P<me>мне)\s+(?:поставили|диагностировали)|болею|страдаю|диагноз|живу с)\b", re.IGNORECASE)
RU_PREGNANT = re.compile(r"\b(?:я|жена|она)?\s*(?:я\s+)?(?:на \w+ (?:неделе|месяце)\s+)?беременн[аы]\b|\bна \d+(?:-?\w{1,2})? (?:неделе|месяце) беременности")
_CONDITIONS_EN = re.compile(
    r"(?:(?:type (?:1|2|one|two|i|ii) )?diabet(?:es|ic)|asthma(?:tic)?|epilep(?:sy|tic)|celiac(?: disease)?|coeliac(?: disease)?|migraines?|high blood pressure|hypertension|hypothyroidism|an[ae]mi(?:a|c)|arthritis|"
    r"rheumatoid arthritis|adhd|autis(?:m|tic)|dyslexi(?:a|c)|depression|an anxiety disorder|anxiety|bipolar(?: disorder)?|ptsd|ocd|lupus|crohn's(?: disease)?|ulcerative colitis|ibs|gout|glaucoma|"
    r"scoliosis|psoriasis|eczema|multiple sclerosis|parkinson's|alzheimer's|sleep apnea|narcolepsy|endometriosis|pcos|fibromyalgia|chronic fatigue|a pacemaker|a heart condition|a heart murmur|a bad back|"
    r"(?:deaf|blind)(?: in (?:the|my|one|his|her) (?:left |right )?(?:ear|eye))?|colou?r[- ]?blind|hard of hearing|lactose intolerant|(?:breast|lung|colon|skin|prostate) cancer|leukemia|hemophilia|hepatitis [a-c]|pregnant)"
)
EN_HAVE = re.compile(
    r"\b(?:(?P<first>i\s+(?:also\s+|actually\s+|still\s+)?(?:have|got|suffer from|live with|deal with)|i've (?:got|had)|i(?:'m| am)(?:\s+(?:also|a|an|legally|partially))*|im(?:\s+(?:a|an))?|i was (?:\w+\s+)?diagnosed with|i got diagnosed with|diagnosed me with)"
    r"|(?P<third>has(?:\s+(?:got|been diagnosed with))?|'s\s+(?:a\s+|got\s+)?|is(?:\s+(?:a|an))?|was (?:\w+\s+)?diagnosed with|suffers from|got diagnosed with)|(?P<bare>and|^))\s+(?P<more>(?:\d+\s+and\s+)?)(?P<mod>(?:severe|mild|chronic|bad|really bad|a history of)\s+)?$"
)
RU_CURED = re.compile(r"\b(?:сняли|снял|сняла) диагноз|диагноз (?:сняли|не подтвердил\w+)|аллерги\w+ (?:прошла|больше нет|сняли|не подтвердилась)|(?:нет|больше нет) (?:никакой )?аллергии на")


def find(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    """Allergies, diets, medicines and conditions of the sentence."""
    if not _TRIGGER.search(sentence.low):
        return
    if sentence.lang == "ru":
        yield from _russian(sentence, scene)
    else:
        yield from _english(sentence, scene)


def _owner_ru(sentence: Sentence, scene: Scene, position: int) -> tuple[SubjectRef | None, bool]:
    """Who has what stands at `position`: "у сына Тёмы аллергия", "маме назначили". The flag is
    false where somebody is named who cannot be told."""
    clause = sentence.clause_at(position)
    near = [
        p for p in persons(sentence, scene)
        if clause.start - 40 <= p.start and p.end <= position and p.cases & {"gent", "datv", "nomn"}
    ]  # fmt: skip
    same = [p for p in near if p.start >= clause.start] or near
    if not same:
        return None, True
    person = same[-1]
    if person.pronoun:
        return None, False
    return person.ref, person.ref is not None


def _not_before(low: str, at: int) -> bool:
    return re.search(r"(?:\bне|\bнет|\bnot|n't|\bno|\bnever|no longer|\bwithout|\bбез)\s+(?:\w+\s+)?$", low[:at]) is not None


def _russian(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    for found in [*RU_ALLERGY_LIST.finditer(low), *RU_ALLERGY.finditer(low), *RU_ALLERGIC.finditer(low)]:
        owner, told = _owner_ru(sentence, scene, found.start())
        if not told:
            continue
        groups = found.groupdict()
        gone = bool(groups.get("none")) or _not_before(low, found.start()) or RU_CURED.search(low) is not None
        case = ("accs",) if groups.get("on") or "на" in found[0].split()[-1:] or ":" in found[0] else ("gent",)
        for name, _, end in phrase_list(text, found.end(), "ru", case, max_words=3):
            if name.lower() in {"все", "это", "меня", "нее", "него", "что"}:
                continue
            yield Found("allergy", name, found.start(), end, Mode.end if gone else Mode.state, Who.open, owner, confidence=0.9, dated=gone)
        break
    again = RU_EAT_AGAIN.search(low)
    if again:
        yield Found("diet", None, again.start(), again.end(), Mode.end, Who.open, confidence=0.75)
    for found in RU_DIET.finditer(low):
        if again:
            break
        subject = re.search(r"(?:^|\bя\b|\bмы\b|\bона\b|\bон\b|\bу нас\b|[,:—-]|\b(?:муж|жена|дочь|дочка|сын|мама|папа|сестра|брат)\b(?:\s\w+)?)\s*(?:(?:уже|теперь|вообще|строгая|строгий|тоже|давно|сейчас|все|же|год|снова)\s+)*$", low[: found.start()])
        if subject is None and not found["went"]:
            continue
        word = found["word"] or found["halal"]
        word = re.sub(r"^на\s+", "", word)
        mode = Mode.denial if found["not"] else Mode.change if found["went"] and found["went"].startswith(("пере", "сел")) or re.search(r"\b(?:теперь|с \w+)\s", low[: found.start()]) else Mode.state
        yield Found("diet", word, found.start(), found.end(), mode, Who.open, confidence=0.85, dated=mode is Mode.change)
    for found in RU_NOT_EAT.finditer(low):
        if found["pre"]:
            thing = nominative_word(found["obj"], ("accs",))
            yield Found("diet", _without_ru(thing), found.start("pre"), found.end("pre"), Mode.state, Who.open, verb=found.start("pre"), confidence=0.85, dated=False)
            continue
        verb = found["first"] or found["third"]
        for name, _, end in phrase_list(text, found.end(), "ru", ("accs", "gent"), max_words=2):
            if name.lower() in {"ничего", "кофе", "много", "это", "воды", "вода", "это все", "чай", "день", "утро"}:
                break
            if verb.endswith(("пью", "пьет")) and name.lower() not in {"алкоголь", "молоко", "кофеин", "спиртное", "вино"}:
                break
            who = Who.first if found["first"] else Who.third
            yield Found("diet", _without_ru(name), found.start(), end, Mode.state, who, verb=found.start(), confidence=0.8, dated=False)
    fast = RU_FAST.search(low)
    if fast:
        yield Found("diet", "пост", fast.start(), fast.end(), Mode.stay, Who.first, confidence=0.7)
    yield from _medicine_ru(sentence, scene)
    for found in _CONDITIONS_RU.finditer(low):
        if _not_before(low, found.start()) or "лекарство от" in low[: found.start()] or "средств" in low[: found.start()][-15:]:
            continue
        clause = sentence.clause_at(found.start())
        has = RU_HAVE.search(low, clause.start, min(clause.end, found.end() + 15))
        answers = found.start() < 3
        if has is None and not answers:
            continue
        owner, told = _owner_ru(sentence, scene, max(found.start(), has.end() if has else 0))
        if not told or (answers and has is None and not scene.confirming):
            continue
        phrase = russian_phrase(text, found.start(), ("nomn", "accs", "ablt", "gent"), 4, frozenset())
        name = phrase[0].lower() if phrase else found[0]
        gone = RU_CURED.search(low) is not None
        yield Found("medical_condition", name, found.start(), max(found.end(), phrase[2] if phrase else 0), Mode.end if gone else Mode.state, Who.open, owner, confidence=0.85, dated=False)
    pregnant = RU_PREGNANT.search(low)
    if pregnant and not _not_before(low, pregnant.start()):
        yield Found("medical_condition", "беременность", pregnant.start(), pregnant.end(), Mode.state, Who.open, verb=pregnant.end(), confidence=0.8, dated=False)


def _without_ru(thing: str) -> str:
    low = thing.lower()
    if low in {"глютен", "лактоза", "сахар", "молочное", "молочка"}:
        return {"глютен": "без глютена", "лактоза": "без лактозы", "сахар": "без сахара"}.get(low, "без молочного")
    form = parses(low.split()[-1])[0].inflect({"gent"}) if " " not in low else None
    return f"без {form.word}" if form is not None else f"не ест: {low}"


def _singular(word: str) -> str:
    parse = reading(word, "NOUN", "sing") or parses(word)[0]
    form = parse.inflect({"nomn", "sing"})
    return str(form.word) if form is not None else word


def _drug_ru(low: str, at: int) -> tuple[str, int, int] | None:
    found = _DRUG_RU.match(low, at)
    if found is None or found[0] in _NOT_DRUG_RU:
        return None
    word = found[0]
    name = _singular(word) if " " not in word else word
    if name in _NOT_DRUG_RU:
        return None
    dose = _DOSE.match(low, found.end())
    return (f"{name}{dose[0]}", found.start(), dose.end()) if dose else (name, found.start(), found.end())


def _medicine_ru(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    low = sentence.low
    joint = re.compile(r"\s*(?:,|\+|и|а также|плюс)\s+")
    stopped: set[str] = set()
    for found in RU_STOP_MEDS.finditer(low):
        drug = _drug_ru(low, found.end())
        if drug:
            stopped.add(drug[0])
            yield Found("medication", drug[0], found.start(), drug[2], Mode.end, Who.open, confidence=0.85)
    for found in RU_FINISH.finditer(low):
        drug = _drug_ru(low, found.start("what"))
        if drug:
            stopped.add(drug[0])
            yield Found("medication", drug[0], found.start(), found.end(), Mode.end, Who.first, confidence=0.85)
    for found in RU_INSTEAD.finditer(low):
        drug = _drug_ru(low, found.end())
        if drug:
            yield Found("medication", drug[0], found.start(), drug[2], Mode.change, Who.open, confidence=0.85)
    for found in RU_MEDS.finditer(low):
        if _not_before(low, found.start()):
            continue
        at = found.end()
        weak = found[0].startswith(("пью", "пьет", "сижу", "сидит", "я на"))
        owner: SubjectRef | None = None
        if found["new"]:
            owner, told = _owner_ru(sentence, scene, found.end())
            if not told:
                continue
        while True:
            drug = _drug_ru(low, at)
            if drug is None or drug[0] in stopped or (weak and _SURE_DRUG_RU.search(drug[0]) is None):
                break
            who = Who.first if found["first"] else Who.third if found["third"] else Who.open
            yield Found("medication", drug[0], found.start(), drug[2], Mode.change if found["new"] else Mode.state, who, owner, verb=found.start(), confidence=0.75 if weak else 0.88, dated=bool(found["new"]) or "с " in low[:at])
            more = joint.match(low, drug[2])
            if more is None:
                break
            at = more.end()


def _english(sentence: Sentence, scene: Scene) -> Iterator[Found]:
    text, low = sentence.text, sentence.low
    listed = EN_ALLERGY_LIST.search(low)
    if listed:
        for name, _, end in phrase_list(text, listed.end(), "en", max_words=3):
            yield Found("allergy", name, listed.start(), end, Mode.state, Who.first, confidence=0.85, dated=False)
    for found in EN_ALLERGY.finditer(low):
        before = low[: found.start()]
        negated = bool(found["not"]) or re.search(r"(?:\bnot|n't|\bno longer|\bnever)\s+(?:\w+\s+){0,2}$", before) is not None or re.search(r"\bno (?:\w+ )?$", before) is not None
        for name, _, end in phrase_list(text, found.end(), "en", max_words=3):
            if name.lower() in {"anything", "everything", "something", "it", "them", "small talk", "mornings", "work", "you", "nothing", "drama", "bullshit"}:
                break
            mode = (Mode.end if re.search("no longer|anymore", low) else Mode.denial) if negated else Mode.state
            yield Found("allergy", name, found.start(), end, mode, Who.open, verb=found.start(), confidence=0.9, dated=False)
    for found in EN_ALLERGY_NOUN.finditer(low):
        what = found["what"]
        if _not_before(low, found.start()) or what in {"an", "the", "my"}:
            continue
        plural = what if what.endswith("s") else {"nut": "nuts", "peanut": "peanuts", "cat": "cats", "dog": "dogs", "bee": "bees", "egg": "eggs"}.get(what, what)
        yield Found("allergy", plural, found.start(), found.end(), Mode.state, Who.open, verb=found.start(), confidence=0.85, dated=False)
    again = EN_EAT_AGAIN.search(low)
    if again:
        named = re.search(r"vegan|vegetarian", again[0])
        yield Found("diet", named[0] if named else "vegetarian", again.start(), again.end(), Mode.end, Who.open, confidence=0.8)
    for found in EN_DIET.finditer(low):
        if again:
            break
        before = low[: found.start("word")]
        subject = EN_DIET_SUBJECT.search(re.sub(r"\bnot\s+(?:an?\s+)?$", "", before))
        label = re.search(r"^\W*$", before) and re.match(r"\s+(?:here|household|family|for|since)\b", low[found.end() :])
        only = re.match(r"\s+only\b", low[found.end() :])
        if re.match(r"\s+(?:restaurant|place|recipe|food|option|cafe|dish|meal|butcher|market|bakery|friend|leather|cheese|burger|chili|pizza|lasagna|spot|menu)\w*", low[found.end() :]):
            continue
        if subject is None and not label and not only:
            continue
        if found["not"] and found["not"].startswith(("used", "stopped", "no longer")):
            mode = Mode.end
        elif found["not"]:
            mode = Mode.denial
        else:
            mode = Mode.change if re.search(r"\b(?:back to|went|gone|turned|now|since|as of)\b", low) else Mode.state
        who = Who.third if subject and subject["third"] and not subject["first"] else Who.open
        verb = found.start()
        if subject and subject["third"]:
            head = subject["third"].split("'")[0].split(" ")[0]
            if head in {"it", "that", "this", "what", "there", "food", "everything", "dinner", "lunch", "menu", "recipe"}:
                continue
            verb = subject.start("third") + len(head)
        yield Found("diet", found["word"], found.start(), found.end(), mode, who, verb=verb, confidence=0.85, dated=mode is not Mode.state)
    for found in EN_NOT_EAT.finditer(low):
        drinks = re.search(r"drink", found[0]) is not None
        for name, _, end in phrase_list(text, found.end(), "en", max_words=2):
            if name.lower().split()[0] in {"much", "anything", "that", "enough", "out", "it", "well", "lunch", "breakfast", "dinner", "here", "there", "them", "time", "a", "many", "any"}:
                break
            if re.search(r"\b(?:have|do|touch)\s+(?:any\s+)?$", found[0]) and name.lower() not in {"dairy", "gluten", "pork", "meat", "sugar", "nuts", "alcohol", "shellfish", "eggs", "caffeine"}:
                break
            if drinks and name.lower() not in {"alcohol", "coffee", "caffeine", "milk", "soda"}:
                break
            who = Who.first if found["first"] else Who.third
            yield Found("diet", f"no {name.lower()}", found.start(), end, Mode.state, who, verb=found.start(), confidence=0.8, dated=False)
    fasting = EN_FAST.search(low)
    if fasting:
        yield Found("diet", re.sub(r"\bfrom\s+", "", fasting["what"]), fasting.start(), fasting.end(), Mode.stay, Who.first, confidence=0.8)
    yield from _medicine_en(sentence)
    for found in _CONDITIONS_EN.finditer(low):
        has = EN_HAVE.search(low, max(0, found.start() - 60), found.start())
        if has is None or _not_before(low, found.start()) or re.search(r"(?:\bnot|n't|\bno longer|\bonce|\bused to|thought|convinced)\b[^,]*$", low[: found.start()]):
            continue
        name = found[0]
        if has["bare"] is not None and name.split()[0] not in {"deaf", "blind", "type"}:
            continue
        if name in {"blind", "deaf", "depression", "anxiety"} and has["third"] in ("is", "'s "):
            continue
        name = {"diabetic": "diabetes", "asthmatic": "asthma", "epileptic": "epilepsy", "anemic": "anemia", "autistic": "autism", "dyslexic": "dyslexia", "pregnant": "pregnancy"}.get(name, name)
        name = re.sub(r"^(?:an?)\s+", "", name.replace(" diabetic", " diabetes"))
        who = Who.first if has["first"] else Who.third if has["third"] else Who.open
        yield Found("medical_condition", name, has.start(), found.end(), Mode.state, who, verb=has.start(), confidence=0.85, dated=False)


def _drug_en(low: str, at: int) -> tuple[str, int, int] | None:
    found = _DRUG_EN.match(low, at)
    if found is None or found[0] in _NOT_DRUG_EN or len(found[0]) < 5:
        return None
    known = re.fullmatch(
        r"lithium|insulin|aspirin|warfarin|xarelto|eliquis|zoloft|prozac|lexapro|adderall|ritalin|concerta|xanax|ozempic|wegovy|humira|statins?|antibiotics|antidepressants|beta blockers|blood thinners|birth control|the pill|steroids|iron pills|prednisone|lipitor|synthroid|plavix|zyrtec|claritin|allegra|nexium|vyvanse|wellbutrin|cymbalta|effexor|lyrica|keppra|lamictal|seroquel|abilify|vitamin [a-z0-9]+|"
        r"[a-z]+(?:formin|pril|statin|sartan|mab|prazole|zepam|cillin|mycin|oxetine|profen|thyroxine|gliptin|gliflozin|dipine|olol|zolam|triptan|tidine|tadine|conazole|vudine|parin|farin|xaban|lukast|terol|sone|solone|tyline|faxine|giline|azepine|gabalin|pentin|traline|azine|tropin|glutide|tinib|floxacin|cycline|triptyline|thiazide|semide|lactone|olone|oxin|ridone|apine|uride|idone|pram|phenidate|codone|morphine|codeine|amine|bital|lone)",
        found[0],
    )
    if known is None:
        return None
    dose = _DOSE.match(low, found.end())
    return (f"{found[0]}{dose[0]}", found.start(), dose.end()) if dose else (found[0], found.start(), found.end())


def _medicine_en(sentence: Sentence) -> Iterator[Found]:
    low = sentence.low
    joint = re.compile(r"\s*(?:,\s*(?:and\s+)?|\+|and\s+|plus\s+|&\s*)\s*")
    stopped: set[str] = set()
    for found in EN_STOP_MEDS.finditer(low):
        drug = _drug_en(low, found.end())
        if drug:
            stopped.add(drug[0])
            yield Found("medication", drug[0], found.start(), drug[2], Mode.end, Who.open, verb=found.start(), confidence=0.85)
    for found in EN_MEDS.finditer(low):
        if _not_before(low, found.start()):
            continue
        at = found.end()
        while True:
            drug = _drug_en(low, at)
            if drug is None or drug[0] in stopped:
                break
            who = Who.first if found["first"] or found["obj"] == "me" else Who.open if found["begun"] else Who.third
            yield Found("medication", drug[0], found.start(), drug[2], Mode.change if found["new"] or found["begun"] else Mode.state, who, verb=found.start(), confidence=0.88, dated=bool(found["new"] or found["begun"]) or "since" in low)
            more = joint.match(low, drug[2])
            if more is None:
                break
            at = more.end()


