"""Own short lists of medical words. Stems carry no ending; "$" at the end means the whole word."""

from memory_pipeline.understand.word_blocks import words

RU_STEMS = frozenset(
    words("""
    астм аллерги диабет инсульт инфаркт гипертони гипотони стенокарди аритми тахикарди ишеми атеросклероз варикоз
    тромбоз тромбофлебит анеми гемофили лейкоз лейкеми лимфом онкологи рак$ рака$ раком$ раке$ меланом опухол$ опухоль$ опухоли$ метастаз
    карцином саркома миом фибром эндометриоз мастопати кист$ киста$ кисту$ кисты$ кистой$ полип$ полипы$ полипов$ аденом простатит цистит пиелонефрит
    гломерулонефрит нефрит почечнокаменн гастрит гастродуоденит панкреатит холецистит гепатит цирроз колит$ колита$ колитом$ дуоденит рефлюкс
    геморрой геморро язв$ язва$ язву$ язвы$ язвой$ аппендицит дисбактериоз целиаки бронхит пневмони туберкул плеврит хобл$ ковид$ ковида$ ковидом$ коронавирус
    грипп$ гриппом$ гриппа$ ангин$ ангина$ ангину$ ангины$ ангиной$ тонзиллит фарингит ларингит гайморит синусит отит$ отита$ отитом$ отите$ ринит менингит энцефалит
    эпилепси мигрен паркинсон альцгеймер деменци склероз$ склероза$ склерозом$ неврит невралги невропати нейропати радикулит остеохондроз сколиоз кифоз
    артрит артроз остеопороз подагр бурсит грыж ревматизм ревматоид волчанк фибромиалги псориаз экзем дерматит крапивниц витилиго герпес
    сифилис гоноре хламидио гонорея вич$ спид$ гпв$ впч$ цмв$ депресси$ депрессия$ депрессию$ депрессии$ депрессией$ биполярн шизофрени психоз невроз аутизм аутист дислекси
    анорекси булими бессонниц алкоголизм наркомани клептомани паническ птср$ окр$ сдвг$ дцп$ рас$ катаракт глауком близорукост дальнозоркост астигматизм конъюнктивит
    дальтонизм тугоух гипотиреоз гипертиреоз тиреоидит гипогликеми ожирени подагра бесплоди выкидыш беременн внематочн преэклампси токсикоз климакс менопауз
    перелом$ перелома$ переломы$ переломов$ переломе$ переломом$ переломах$ вывих сотрясени растяжени ожог$ ожога$ ожогом$ ожоги$ обморожени сепсис перитонит отеки$ асцит анафилакси анафилактическ обморок
    шунтировани стентировани химиотерапи лучев$ диализ гемодиализ трансплантаци колоноскопи гастроскопи эндоскопи биопси ампутаци мастэктоми
    аборт эко$ кесарев лапароскопи артроскопи вазэктоми резекци ветрянк корь$ корью$ краснух скарлатин коклюш дифтери малярия маляри столбняк бешенств
    варфарин сертралин флуоксетин пароксетин эсциталопрам циталопрам амитриптилин венлафаксин дулоксетин кветиапин оланзапин рисперидон
    галоперидол арипипразол ламотриджин литий$ лития$ вальпроат карбамазепин феназепам диазепам клоназепам алпразолам атаракс антидепрессант
    транквилизатор нейролептик метформин инсулин$ инсулина$ инсулине$ инсулином$ глюкофаж левотироксин тироксин эутирокс преднизолон дексаметазон метотрексат
    аспирин$ кардиомагнил клопидогрел ксарелто эликвис бисопролол метопролол эналаприл лизиноприл лозартан валсартан амлодипин каптоприл
    аторвастатин розувастатин омепразол пантопразол ибупрофен нурофен парацетамол кеторол диклофенак нимесулид трамадол морфин$ морфина$ морфине$
    амоксициллин азитромицин цефтриаксон пенициллин антибиотик супрастин лоратадин цетиризин зиртек сальбутамол вентолин будесонид симбикорт
    антикоагулянт бета-блокатор оземпик тамоксифен дюфастон виагр метадон нитроглицерин фурацилин реланиум донормил мелатонин велаксин золофт
    лейкопени тромбоцитопени гемоглобин$ кардиостимулятор инвалидност логоневроз заикани энурез нарколепси плоскостопи
    фенилкетонури муковисцидоз гемохроматоз саркоидоз мононуклеоз листериоз сальмонеллез ротавирус норовирус боррелиоз клаустрофоб
    хлорпротиксен азафен прозак паксил золпидем тегретол депакин конкор лозап престариум эгилок верапамил дигоксин фуросемид верошпирон
    сыпь$ сыпью$ сыпи$ мерцательн эмболи аневризм стеноз$ эзофагит илеостом колостом протрузи спондилез спондилоартрит коксартроз гонартроз
    """)
)

RU_ADJECTIVES = words(
    "бронхиальн сахарн хроническ остр тяжел сильн клиническ послеродов пищев лекарствен рассеян ревматоидн псориатическ "
    "атопическ контактн аллергическ вирусн бактериальн пневмоцистн двусторонн левосторонн правосторонн ишемическ геморрагическ "
    "обширн эндогенн маниакальн биполярн тревожн паническ закрыт открыт компрессионн межпозвоночн межпозвонков пахов пупочн "
    "диафрагмальн язвенн железодефицитн артериальн вегетососудист гестационн детск врожден височн поясничн шейн лицев злокачествен "
    "доброкачествен мерцательн субклиническ аутоиммунн неспецифическ алкогольн жиров лекарствен опоясывающ генитальн красн легк средн "
    "трансмуральн повторн микро глубок себорейн красный системн кесарев внебольничн рецидивир фокальн височн юношеск ювенильн старческ"
)
_AREA = (
    r" (?:груди|молочной железы|легких|легкого|желудка|кожи|крови|простаты|матки|шейки матки|яичников?|яичника|кишечника|печени|почки|"
    r"почек|поджелудочной(?: железы)?|щитовидной железы|щитовидки|мозга|головного мозга|горла|гортани|пищевода|языка|мочевого пузыря|"
    r"позвоночника|лодыжки|бедра|шейки бедра|запястья|ключицы|руки|ноги|ребра|ребер|пальца|голени|лучевой кости|плеча|колена|"
    r"мениска|связок|связки|суставов?|сустава|сетчатки|волос|глаза|желез)"
)
RU_TAILS: tuple[tuple[str, str], ...] = (
    (
        "аллерги",
        r" на (?:[а-яё]+(?:н|ск|ов)(?:ый|ую|ые|ое|ие|ой|ых)\s)?[а-яё]+(?: и (?:на )?[а-яё]+(?=[\s,.!?;]|$))?",
    ),
    ("диабет", r" (?:(?:1|2|первого|второго|i|ii)(?:-го)? типа)"),
    ("рак", _AREA),
    ("опухол", _AREA),
    ("перелом", _AREA),
    ("вывих", _AREA),
    ("растяжени", _AREA),
    ("ожог", _AREA),
    ("кист", _AREA),
    ("артроз", _AREA),
    ("артрит", _AREA),
    ("грыж", _AREA),
    ("биопси", _AREA),
    ("резекци", _AREA),
    ("трансплантаци", _AREA),
    ("метастаз", r" в [а-яё]+"),
    ("язв", r" (?:желудка|двенадцатиперстной кишки|роговицы)"),
    ("гепатит", r" (?:[abcавсс]|а|б|с|ц)(?!\w)"),
    ("сотрясени", r"(?: головного)? мозга"),
    ("болезн", r" (?:паркинсона|альцгеймера|крона|бехтерева|лайма|меньера|рейно)"),
    ("паническ", r" (?:атак[а-я]*|расстройств[а-я]*)"),
    ("биполярн", r" (?:расстройств[а-я]*(?: личности)?)"),
    ("порок", r" сердца"),
    ("кесарев", r" сечени[а-я]+"),
    ("анафилактическ", r" шок[а-я]*"),
    ("мерцательн", r" аритми[а-я]+"),
    ("инвалидност", r" (?:1|2|3|i{1,3}|первой|второй|третьей)(?:-й)? группы"),
    ("беременност", r" \d{1,2} недел[а-я]+"),
    ("склероз", r""),
    ("депресси", r""),
    ("псориаз", r""),
    ("сыпь", r" и температура(?: \d\d(?:[.,]\d)?)?"),
    ("внематочн", r" беременност[а-я]+"),
    ("почечнокаменн", r" болезн[а-я]+"),
)

RU_PHRASES = (
    r"(?:повышенн|высок|низк|пониженн)\w+ давлени\w+",
    r"давлени\w+ \d{3} ?(?:на|/) ?\d{2,3}",
    r"(?:высок\w+ )?температур\w+ (?:под |за )?(?:3[789]|4[01])(?:[.,]\d)?",
    r"операци\w+ на (?:открытом )?[а-яё]+",
    r"удалени\w+ (?:аппендикса|желчного(?: пузыря)?|миндалин|матки|почки|катаракты|грыжи|гланд|щитовидки|опухоли|полипов|родинки|зуба мудрости|аденоидов)",
    r"болезн\w+ (?:паркинсона|альцгеймера|крона|бехтерева|лайма|меньера|рейно)",
    r"(?:аутизм|расстройств\w+ аутистического спектра)",
    r"синдром\w* (?:дауна|туретта|аспергера|раздраженн\w+ кишечника|хроническ\w+ усталости|запястн\w+ канала|поликистозных яичников|ранней детской смерти|сухого глаза|жильбера|бругада)",
    r"порок\w* сердца|сердечн\w+ недостаточност\w+|почечн\w+ недостаточност\w+|(?:пересадк|замен)\w+ (?:почки|печени|сердца|сустава|костного мозга|роговицы)",
    r"камн(?:и|ей|ями|ях) в (?:почках|желчном(?: пузыре)?)|лишн\w+ хромосом\w+",
    r"(?:тревожн|биполярн|пограничн|обсессивн\w*-компульсивн)\w+ расстройств\w+(?: личности)?",
    r"вич(?:-инфекци\w+|-положительн\w+|-статус\w*)",
    r"непереносимост\w+ (?:лактозы|глютена|фруктозы|глюкозы)",
    r"эпилептическ\w+ (?:припад\w+|приступ\w*)",
    r"(?:рассеянн\w+) склероз\w*",
    r"(?:[1-9]|1\d|2\d|3\d)-?(?:я|ой|й)? недел\w+ беременности|беременн\w+ на \d{1,2}-?(?:й|ой)? неделе",
    r"(?:перв|втор|трет)(?:ая|ей|ой|ую|ья|ью) групп\w+ инвалидности",
    r"слабослыш\w+|слабовид\w+",
    r"постродов\w+ депресси\w+|тревожн\w+ синдром\w*",
    r"химиотерапи\w+|лучев\w+ терапи\w+|заместительн\w+ терапи\w+",
)

EN_TERMS = frozenset(
    words("""
    asthma diabetes epilepsy cancer leukemia leukaemia lymphoma melanoma tumor tumour stroke hypertension arrhythmia angina
    anemia anaemia hemophilia haemophilia arthritis osteoporosis osteoarthritis gout lupus fibromyalgia psoriasis eczema dermatitis
    hepatitis cirrhosis gastritis colitis pancreatitis appendicitis appendectomy diverticulitis ulcer gerd ibs pneumonia bronchitis
    tuberculosis covid flu influenza tonsillitis sinusitis meningitis migraine migraines parkinson's alzheimer's dementia
    sclerosis neuropathy sciatica scoliosis hernia adhd autism bipolar schizophrenia depression anxiety ptsd ocd anorexia bulimia insomnia
    alcoholism hiv aids syphilis gonorrhea chlamydia herpes hpv endometriosis pcos fibroids miscarriage preeclampsia infertility menopause
    pregnancy ivf hysterectomy mastectomy vasectomy chemotherapy chemo radiotherapy dialysis transplant biopsy colonoscopy endoscopy
    angioplasty bypass stent pacemaker amputation concussion fracture cataract cataracts glaucoma astigmatism hypothyroidism hyperthyroidism
    hypoglycemia anaphylaxis celiac coeliac crohn's lactose-intolerant narcolepsy apnea apnoea tinnitus vertigo vitiligo shingles measles
    mono mononucleosis sepsis thrombosis embolism aneurysm hemorrhoids prostatitis cystitis uti kidney-stones endocarditis cardiomyopathy
    diabetic diabetics autistic pregnant epileptic epileptics asthmatic bipolar seizure seizures schizophrenic dyslexic
    warfarin sertraline zoloft fluoxetine prozac paroxetine paxil citalopram escitalopram lexapro venlafaxine duloxetine cymbalta bupropion
    wellbutrin quetiapine seroquel olanzapine risperidone aripiprazole abilify lamotrigine lithium valproate carbamazepine diazepam valium
    xanax alprazolam clonazepam klonopin lorazepam ativan adderall ritalin vyvanse methylphenidate antidepressants antidepressant metformin insulin ozempic
    semaglutide levothyroxine synthroid prednisone prednisolone methotrexate humira aspirin clopidogrel eliquis xarelto metoprolol bisoprolol
    lisinopril losartan amlodipine atorvastatin lipitor rosuvastatin omeprazole ibuprofen paracetamol acetaminophen tramadol oxycodone morphine
    amoxicillin azithromycin penicillin antibiotics albuterol ventolin epipen cetirizine loratadine tamoxifen viagra methadone suboxone statins
    beta-blockers gabapentin pregabalin naproxen hydroxychloroquine tacrolimus propranolol spironolactone truvada prep biktarvy mounjaro wegovy
    chickenpox rubella mumps cystic-fibrosis sarcoidosis hemochromatosis dyslexia dyspraxia stutter psychosis paranoia agoraphobia
    """)
) - {"prep", "mono", "anxiety", "bypass", "stroke", "flu"}

EN_MODIFIERS = frozenset(
    words("""
    severe chronic acute mild clinical major postpartum postnatal bronchial rheumatoid psoriatic ulcerative gestational juvenile multiple breast lung skin
    prostate colon colorectal ovarian cervical thyroid pancreatic brain bone blood stomach kidney liver bladder testicular stage atrial
    deep vein pulmonary iron deficiency sleep obstructive generalized generalised social food peanut nut shellfish penicillin latex
    hip knee back rotator torn broken emergency coronary bacterial viral walking strep bipolar borderline alcoholic fatty metastatic
    inguinal hiatal stress hairline compound temporal frontotemporal early-onset treatment-resistant manic seasonal prenatal perinatal
    atopic contact genital oral stomach peptic duodenal double triple heart kidney corneal uterine bleeding
    """)
)

EN_PHRASES = (
    r"(?:celiac|coeliac|crohn'?s|parkinson'?s|alzheimer'?s|lyme|heart|kidney|liver|graves'?|huntington'?s|addison'?s|hodgkin'?s|"
    r"sickle cell|inflammatory bowel|pelvic inflammatory|raynaud'?s|meniere'?s|hashimoto'?s|coronary artery|autoimmune|thyroid) disease",
    r"(?:heart|kidney|liver) failure|heart murmur|crohn'?s|parkinson'?s|alzheimer'?s",
    r"(?:high|low) blood pressure",
    r"(?:heart|panic|asthma|anxiety|ischemic) attacks?",
    r"(?:mini[- ])?stroke(?= (?:last|in|two|three|at|when|recovery|patient))",
    r"(?:peanut|nut|tree nut|shellfish|penicillin|latex|egg|dairy|milk|gluten|soy|fish|bee|wasp|pollen|cat|dust|sulfa|wheat|sesame|strawberry|kiwi|pet|dog) (?:allergy|allergies|intolerance)",
    r"allergic to [a-z]+(?: (?:and|or) [a-z]+(?=[\s,.!?;]|$))?|allergy to [a-z]+",
    r"(?:lactose|gluten|fructose|histamine)[ -]intoleran(?:t|ce)",
    r"(?:down|tourette'?s?|asperger'?s?|irritable bowel|chronic fatigue|carpal tunnel|polycystic ovary|turner|ehlers-danlos|guillain-barré|long qt|restless legs?) syndrome",
    r"(?:multiple sclerosis|cystic fibrosis|cerebral palsy|muscular dystrophy|sleep apn(?:o)?ea|deep vein thrombosis|atrial fibrillation|spina bifida|macular degeneration|motor neurone? disease)",
    r"(?:bipolar|anxiety|eating|panic|personality|borderline personality|seasonal affective|obsessive[- ]compulsive|post[- ]traumatic stress|attention deficit|social anxiety|generali[sz]ed anxiety|autism spectrum)(?: hyperactivity)? disorder",
    r"(?:hip|knee|heart valve|valve) replacement|(?:back|knee|hip|heart|eye|bypass|hernia|spinal|brain|gallbladder|jaw|open[- ]heart|shoulder|bariatric|cataract|lasik|gastric|gender[- ]affirming|acl) surgery|gastric (?:bypass|sleeve)",
    r"(?:kidney|liver|heart|bone marrow|lung|cornea) transplants?|kidney stones?|gall ?stones?|gallbladder removal|root canal|c-section",
    r"torn (?:acl|meniscus|ligament|rotator cuff|achilles)|broken (?:arm|leg|wrist|ankle|hip|collarbone|rib|ribs|foot|nose|toe|finger|jaw)|herniated dis[ck]|slipped dis[ck]|(?:hairline |stress )?fractured (?:wrist|ankle|hip|rib|skull|tibia|femur)",
    r"hiv[- ]positive|hiv\+|hiv status|hepatitis [abc]|type [12] diabet(?:es|ic)|type (?:one|two) diabetes|birth control pills?|blood thinners?|beta[- ]blockers?|sleeping pills|insulin pump|post-?partum depression",
    r"(?:\d{1,2}|three|four|five|six|seven|eight) (?:weeks|months) pregnant|ectopic pregnancy|high-risk pregnancy",
    r"anxiety (?:meds|medication|disorder)|panic disorder|suicidal (?:thoughts|ideation)",
)
