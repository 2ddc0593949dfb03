"""What Russian verbs tell of place, work, learning, health and family."""

from memory_pipeline.understand.extraction.constructions.clauses_ru import frame, slot
from memory_pipeline.understand.extraction.constructions.illness import illness_ru
from memory_pipeline.understand.extraction.constructions.open_takers_ru import (
    home,
    names_a_language,
    school,
    sure_drug,
    syrup,
    trade,
    workplace,
)
from memory_pipeline.understand.extraction.constructions.takers import language
from memory_pipeline.understand.extraction.constructions.takers_ru import job_ru, organisation
from memory_pipeline.understand.extraction.frames import Mode

_IN = ("loct", "loc2")
_STATE, _CHANGE, _END = Mode.state, Mode.change, Mode.end

LIFE_FRAMES = [
    # where somebody lives
    frame(
        "location", "жить ночевать проживать обитать поживать базироваться дислоцироваться квартировать обретаться зимовать вахтовать обживаться обустраиваться",
        slot("в во", home(*_IN)), slot("на", home(*_IN, geo=True)), dated=True),
    frame("location", "находиться пребывать торчать сидеть гостить работать остаться застрять тусоваться", slot("в во", home(*_IN, geo=True)), past=_CHANGE),
    frame(
        "location", "осесть обосноваться поселиться устроиться обжиться окопаться пустить закрепиться прописаться обустроиться бросить",
        slot("в во на под", home(*_IN, geo=True)), past=_CHANGE, present=None),
    frame(
        "location", "переехать перебраться переселиться релоцироваться эмигрировать перекочевать вернуться перевестись махнуть переместиться податься",
        slot("в во на", home("accs", geo=True)), past=_CHANGE, present=None),
    frame("location", "перевести отправить командировать перебросить увезти сослать закинуть", slot("в во на", home("accs", geo=True)), past=_CHANGE, present=None, future=_CHANGE, undergone=True),
    frame("location", "переводить отправлять перебрасывать ссылать командировать", slot("в во на", home("accs", geo=True)), present=_CHANGE, undergone=True),
    frame("location", "съехать", slot("в во на", home("accs", geo=True)), past=_CHANGE, present=None),
    frame("location", "съехать уехать выехать перебраться свалить убраться переехать", slot("из с со", home("gent", geo=True)), past=_END, present=None),
    # work
    frame(
        "employer", "работать трудиться служить вкалывать пахать впахивать числиться подрабатывать преподавать дежурить стажироваться батрачить ишачить таксовать заведовать тренировать админить бухгалтерить",
        slot("в во на у", workplace(*_IN, "gent"))),
    frame("employer", "остаться оставаться сидеть", slot("в во на", workplace(*_IN)), past=_STATE, confidence=0.7),
    frame("employer", "устроиться перевестись наняться трудоустроиться оформиться внедриться", slot("в во на к", workplace("accs", "datv")), past=_CHANGE, present=_CHANGE),
    frame("employer", "уйти перейти", slot("в во на к", workplace("accs", "datv")), past=_CHANGE, present=None, confidence=0.7),
    frame("employer", "взять принять нанять переманить зачислить схантить перекупить оформить позвать перевести", slot("в во на к", workplace("accs", "datv")), past=_CHANGE, present=None, undergone=True),
    frame("employer", "уволиться уйти сократить уволить попросить выгнать вылететь увольняться", slot("из с со", workplace("gent")), past=_END, present=_END),
    frame("job_title", "работать трудиться подрабатывать служить числиться вкалывать сидеть пахать впахивать батрачить ишачить ходить стажироваться оставаться тянуть халтурить", slot("", job_ru("ablt", known=True)), past=None),
    frame("job_title", "идти выходить переходить устраиваться", slot("", job_ru("ablt", known=True)), present=_CHANGE),
    frame("employer", "идти выходить устраиваться", slot("в во на к", organisation("accs", "datv")), present=_CHANGE, confidence=0.7),
    frame("job_title", "устроиться пойти наняться стать оформиться перейти выйти попасть дослужиться вернуться поработать", slot("", job_ru("ablt", known=True)), past=_CHANGE, present=None),
    frame("job_title", "взять принять назначить поставить нанять утвердить избрать выбрать оформить сделать перевести позвать посадить", slot("", job_ru("ablt", known=True)), past=_CHANGE, present=None, undergone=True),
    frame("job_title", "ставить назначать переводить брать принимать сажать", slot("", job_ru("ablt", known=True)), present=_CHANGE, undergone=True),
    frame("job_title", "выучиться переучиться переквалифицироваться", slot("на", job_ru("accs", known=True)), slot("в", job_ru("nomn", known=True)), past=_CHANGE, present=None),
    frame("job_title", "разжаловать", slot("из", job_ru("gent")), past=_END, present=None, undergone=True),
    *(
        frame("job_title", verb, value=job)
        for verb, job in (
            ("таксовать", "таксист"), ("слесарить", "слесарь"), ("учительствовать", "учитель"), ("плотничать", "плотник"),
            ("шоферить", "водитель"), ("дальнобоить", "дальнобойщик"), ("репетиторствовать", "репетитор"), ("официантить", "официант"),
            ("барменить", "бармен"), ("сторожить", "сторож"), ("курьерить", "курьер"), ("малярить", "маляр"), ("малярничать", "маляр"),
            ("портняжить", "портной"), ("столярничать", "столяр"), ("сапожничать", "сапожник"), ("бухгалтерить", "бухгалтер"),
            ("админить", "администратор"), ("директорствовать", "директор"), ("кашеварить", "повар"), ("фрилансить", "фрилансер"),
            ("батрачить", "разнорабочий"), ("учительствовать", "учитель"), ("тренерствовать", "тренер"), ("рыбачить", ""),
        )
        if job
    ),
    # learning
    frame("education", "учиться обучаться доучиваться числиться", slot("в во на", school(*_IN)), slot("на", trade("accs")), slot("", school("ablt"))),
    frame("education", "окончить закончить отучиться выпуститься окончивать оканчивать заканчивать", slot("", school("accs")), slot("в во на из", school("gent", *_IN)), slot("на", trade("accs")), past=_STATE, dated=False),
    frame("education", "поступить зачислить пройти восстановиться перевестись", slot("в во на", school("accs")), past=_CHANGE, present=None),
    frame("education", "пройти освоить", slot("", school("accs")), past=_STATE, present=None, dated=False),
    frame("education", "бросить", slot("", school("accs")), past=_END, present=None),
    frame("education", "отчислиться отчислить вылететь уйти", slot("из с", school("gent", named=False)), past=_END, present=None),
    # languages
    frame(
        "language", "говорить болтать общаться изъясняться шпарить разговаривать владеть читать писать понимать переписываться знать объясняться лопотать шарить балакать",
        slot("на", language), slot("", language), needs=names_a_language),
    frame("language", "выучить освоить подтянуть", slot("", language), past=_STATE, present=None, dated=False, needs=names_a_language),
    # health
    frame(
        "medical_condition", "болеть страдать мучиться маяться хворать",
        slot("", illness_ru(strict=True)), slot("от с", illness_ru(strict=True))),
    frame("medical_condition", "загреметь попасть угодить", slot("с со", illness_ru(strict=True)), past=_CHANGE, present=None),
    frame("medical_condition", "жить бороться состоять лежать слечь свалиться ходить мучиться", slot("с со", illness_ru(strict=True)), past=_CHANGE),
    frame("medical_condition", "заболеть захворать переболеть", slot("", illness_ru(strict=False)), past=_CHANGE),
    frame(
        "medical_condition", "подхватить перенести схватить заработать словить подцепить приобрести пережить",
        slot("", illness_ru(strict=True)), past=_CHANGE, present=None),
    frame(
        "medical_condition", "поставить подтвердить диагностировать обнаружить найти выявить установить определить подтвердиться обнаружиться выявиться обостриться замучить одолеть мучить беспокоить развиться начаться вылезти прихватить скрутить",
        slot("", illness_ru(strict=True)), past=_CHANGE, undergone=True),
    frame("medical_condition", "вылечить победить", slot("", illness_ru(strict=True)), past=_END, present=None),
    frame("medical_condition", "пройти вылечиться отступить", slot("", illness_ru(strict=True)), past=_END, present=None, undergone=True),
    frame("diet", "поститься", value="пост", dated=False),
    *(frame("diet", verb, value=eater, past=None) for verb, eater in (("веганить", "веган"), ("вегетарианить", "вегетарианец"), ("вегетарианствовать", "вегетарианец"), ("сыроедить", "сыроед"))),
    # medicines
    frame("medication", "принимать пить колоть глотать капать употреблять пропивать вкалывать ставить мазать лечиться пользоваться закапывать колоться", slot("", sure_drug), slot("с", sure_drug)),
    frame("medication", "сидеть жить держаться", slot("на", sure_drug)),
    frame("medication", "подсесть перейти сесть", slot("на", sure_drug), past=_CHANGE, present=None),
    frame("medication", "назначить прописать выписать подобрать", slot("", sure_drug), past=_CHANGE, present=_STATE, undergone=True),
    frame("medication", "посадить перевести", slot("на", sure_drug), past=_CHANGE, present=None, undergone=True),
    frame("medication", "заменить поменять сменить", slot("на", sure_drug), past=_CHANGE, present=None, undergone=True),
    frame("medication", "давать", slot("", sure_drug), slot("", syrup), undergone=True, named=True),
    frame("medication", "отменить закончить допить пропить завязать убрать снять исключить прекратить бросить", slot("", sure_drug), past=_END, present=None, undergone=True),
    frame("medication", "слезть перейти отказаться соскочить", slot("с со от", sure_drug), past=_END, present=None),
]  # fmt: skip
