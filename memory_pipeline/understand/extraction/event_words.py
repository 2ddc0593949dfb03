"""Words of events: nouns that name one, verbs that tell of one, and verbs that never do."""

import re

from memory_pipeline.understand.gated import Gated
from memory_pipeline.understand.word_blocks import words

NOUN_RU = (
    r"(?:встреч[аиуе]|созвон\w?|собеседовани\w+|экзамен\w?|зачет\w?|операци[яию]|свадьб[аыу]|концерт\w?|вечеринк\w|конференци[яию]|"
    r"презентаци[яию]|защит[аыу]|выписк[аиу]|прием(?=\s+у)|визит\w?|рейс\w?|вылет\w?|отгрузк\w|поездк\w|командировк[аиу]|поход\w?|обед\w?|ужин\w?|завтрак\w?|репетици[яию]|"
    r"тренировк[аиу]|матч\w?|заседани\w|суд|праздник\w?|корпоратив\w?|день рождения|юбилей|похороны|крестины|новоселье|выпускной|экскурси[яию]|"
    r"вебинар\w?|семинар\w?|лекци[яию]|мастер-класс\w?|планерк[аиу]|ретро|демо|спектакл[ья]|премьер[аыу]|открытие|переговоры|прогулк[аиу]|стрижк[аиу]|кастинг\w?|тренинг\w?|слет|квест\w?|съемк[аи]|консультаци[яию]|осмотр|"
    r"выездн\w+ школ[аыу]|сессия|марафон|забег|турнир|фестивал[ья]|показ|мероприяти[ея]|совещани[ея]|интервью|субботник|пикник|шашлыки|регистрация|сделк[аи]|доставка|монтаж)"
)
NOUN_EN = (
    r"(?:meeting|interview|review|exam|finals|test|surgery|operation|procedure|wedding|christening|baptism|funeral|memorial|concert|gig|party|leaving do|dinner|lunch|brunch|breakfast|"
    r"conference|presentation|appointment|follow[- ]up|check-?up|call|date|trip|flight|game|match|race|marathon|workshop|seminar|webinar|demo|hearing|trial|recital|rehearsal|graduation|"
    r"reunion|barbecue|bbq|picnic|camping|hike|retreat|offsite|standup|sync|launch|opening|premiere|screening|inspection|viewing|delivery|audition|tournament|festival|quiz|open house|"
    r"sale|fundraiser|ceremony|anniversary|birthday party|baby shower|housewarming|orientation|session|lesson|class|briefing|townhall|town hall|defen[cs]e|playdate|baby|haircut|field trip|sleepover)"
)
EVENT_NOUN_RU = Gated(rf"(?<![\w-]){NOUN_RU}(?![\w-])")
EVENT_NOUN_EN = Gated(
    rf"(?<![\w-]){NOUN_EN}(?![\w'-])|(?<![\w-]){NOUN_EN}(?='s\s+(?:on|at|this|next|tomorrow|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday))"
)

NOT_TOLD_RU = frozenset(
    words(
        "сказать подумать забыть понять решить узнать увидеть захотеть понравиться спросить ответить стать быть мочь оказаться "
        "начать перестать помочь попробовать полюбить привыкнуть устать заболеть поверить вспомнить показаться остаться смочь "
        "попросить рассказать заметить успеть суметь надеть прийтись предпочесть получиться случиться произойти удаться понадобиться "
        "хотеть поздравить послушать посмотреть подождать переехать уволиться устроиться перебраться продать жить работать "
        "родиться посоветовать обещать пообещать передумать скинуть прислать отправить написать дать взять поставить перевести "
        "сделать прописать назначить выписать исполниться стукнуть развестись расстаться перейти пересесть научиться выучить "
        "смотреть глянуть поискать проверить уточнить напомнить зайти выйти вырасти пройти прожить проснуться лечь поспать "
        "сидеть поесть выпить перевестись окончить закончить надумать сдвинуться потратить разменять заплатить решиться стесняться сдвинуть появиться исчезнуть подойти задуматься отменить перенести отказаться сократить уволить повысить опоздать"
    )
)
"""Perfective verbs of saying, thinking and being, and those whose news is a fact of the registry:
without a rule of their own they make no event."""
PLAIN_RU = frozenset(
    words(
        "сходить съездить слетать сломаться сломать сфотографироваться сфоткаться пожениться жениться сдать подписать защитить открыть "
        "запустить затопить встретиться встретить познакомиться упасть разбить потерять найти выиграть проиграть пробежать прооперировать "
        "сыграть выступить провести отпраздновать отметить похоронить родить "
        "побывать посетить спеть станцевать поругаться подраться помириться попасть врезаться сгореть взорваться украсть ограбить"
    )
)
"""Verbs that tell of an event even where no date is given."""

PAST_EN = {
    "went": "go", "met": "meet", "flew": "fly", "drove": "drive", "ran": "run", "won": "win", "lost": "lose", "broke": "break",
    "fell": "fall", "sang": "sing", "gave": "give", "took": "take", "bought": "buy", "sold": "sell", "caught": "catch",
    "threw": "throw", "made": "make", "built": "build", "held": "hold", "led": "lead", "left": "leave", "shot": "shoot",
    "spoke": "speak", "stole": "steal", "swam": "swim", "rode": "ride", "came": "come", "saw": "see", "tore": "tear",
    "died": "die", "tied": "tie", "eloped": "elope", "had": "have", "got": "get", "did": "do", "ate": "eat", "hit": "hit",
    "set": "set", "cut": "cut", "blew": "blow", "froze": "freeze", "sank": "sink", "wrote": "write", "sent": "send",
    "began": "begin", "dug": "dig", "fought": "fight", "hung": "hang", "paid": "pay", "put": "put", "burst": "burst",
}  # fmt: skip
NOT_TOLD_EN = frozenset(
    words(
        "was were be had said told thought knew felt liked loved wanted needed seemed lived worked used decided heard saw got did made "
        "put took gave came set cut asked hoped tried looked planned moved prefered preferred hated believed remembered realized realised noticed "
        "happened turned started stopped changed kept stayed owned meant guessed wished worried appreciated enjoyed agreed called texted "
        "mentioned supposed married divorced promised pushed postponed cancelled canceled scheduled joined quit left sold bought adopted switched "
        "ditched died rained snowed poured born retired rested relaxed slept woke learned learnt studied graduated hired sent wrote emailed replied messaged answered posted shared taught helped showed supported accepted inspired motivated reminded painted baked cooked cleaned packed ordered downloaded uploaded watched listened bored tired excited "
        "interested based located allergic diagnosed prescribed required need wed thanks added updated noted sorted begun missed forwarded relocated separated split finalized finalised swapped settled ended cost spent"
    )
)
PLAIN_EN = frozenset(
    words(
        "flew drove fell sang broke crashed eloped signed won lost met toured towed drained knighted danced performed hiked climbed visited "
        "attended celebrated buried caught stole swam raced launched opened ran rode burst exploded collapsed"
    )
)
"""Past forms that tell of an event even where no date is given."""
THING_DIES_EN = re.compile(
    r"\b(?P<thing>(?:the|my|our)\s+(?:\w+\s+){0,2}?[a-z]+|transmission|boiler|engine|laptop|car|truck)\s+(?P<verb>died|broke(?: down)?|exploded|burst|flooded|crashed|collapsed|blew up|caught fire|quit|gave out|froze|cracked)\b"
)
CANCELLED_RU = Gated(
    r"\b(?:отмен(?:или|ил|ила|яем|яется|яются|ена|ено|ен|ены|илась|илось|ился|им|яю)|сорвал(?:ась|ся|ось|ись)|накрыл(?:ась|ся|ось|ись)|не состо(?:ится|ялась|ялось|ялся)|не будет|"
    r"отбой|никуда не (?:еду|едем|летим|лечу)|не (?:еду|едем|лечу|летим|пойдем|пойду|иду|идем))(?![\w-])"
)
CANCELLED_EN = Gated(
    r"\b(?:cancell?ed|called off|call(?:ing)? (?:it )?off|(?:is|are|'s|it's)\s+off\b(?!\s+(?:to|limits|the|on|his|her|my))|not happening|scrapped|bail(?:ing|ed)? on|fell through|"
    r"no longer (?:going|happening)|not going(?: any ?more)?\b|axed)\b"
)
MOVED_RU = Gated(
    r"\b(?:перенес(?:ли|ла|ено|ена|ен)?|перенос(?:им|ится|ят)|сдвинули|сдвигаем|передвинули|переназначили)\b"
)
MOVED_EN = Gated(r"\b(?:pushed|moved|rescheduled|bumped|shifted|brought forward|postponed)\b")
