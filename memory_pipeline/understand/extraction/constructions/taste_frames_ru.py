"""What Russian verbs tell of tastes, tools, skills, aims and things owned."""

from memory_pipeline.understand.extraction.constructions.clauses_ru import frame, slot
from memory_pipeline.understand.extraction.constructions.open_takers_ru import (
    deed,
    device,
    journey,
    names_a_tool,
    program,
    thing,
    toward,
)
from memory_pipeline.understand.extraction.constructions.possessions import owned_ru
from memory_pipeline.understand.extraction.constructions.takers_ru import infinitive_ru
from memory_pipeline.understand.extraction.frames import Mode

_IN = ("loct", "loc2")
_STATE, _CHANGE, _END = Mode.state, Mode.change, Mode.end

TASTE_FRAMES = [
    frame(
        "preference", "любить обожать предпочитать ценить уважать",
        slot("", infinitive_ru), slot("", thing("accs")), dated=False),
    frame("preference", "полюбить оценить распробовать", slot("", infinitive_ru), slot("", thing("accs")), present=None, past=_CHANGE),
    frame("preference", "нравиться заходить импонировать", slot("", infinitive_ru), slot("", thing("nomn")), undergone=True, named=False, dated=False, confidence=0.7),
    frame("preference", "увлекаться интересоваться", slot("", thing("ablt")), dated=False),
    frame("preference", "увлечься заболеть загореться", slot("", thing("ablt")), present=None, past=_CHANGE, confidence=0.7),
    frame("preference", "тащиться фанатеть балдеть кайфовать торчать млеть переться угорать", slot("от по с", thing("gent", "datv", "ablt")), dated=False),
    frame("preference", "разлюбить", slot("", infinitive_ru), slot("", thing("accs")), present=None, past=_END),
    frame(
        "dislike", "ненавидеть презирать недолюбливать",
        slot("", infinitive_ru), slot("", thing("accs")), dated=False),
    frame(
        "dislike", "любить терпеть выносить переносить переваривать жаловать уважать",
        slot("", infinitive_ru), slot("", thing("accs", "gent")), present=None, negated=_STATE, dated=False),
    frame("dislike", "нравиться заходить", slot("", infinitive_ru), slot("", thing("nomn")), present=None, negated=_STATE, undergone=True, dated=False, confidence=0.7),
    frame("dislike", "убивать утомлять угнетать добивать коробить нервировать выматывать подбешивать", slot("", thing("nomn")), undergone=True, named=True, dated=False, confidence=0.7),
    frame("preference", "признавать", slot("", thing("accs")), dated=False, confidence=0.65),
    frame("dislike", "воротить тошнить мутить трясти", slot("от", thing("gent")), undergone=True, dated=False),
    frame("dislike", "бесить раздражать напрягать выбешивать выводить вымораживать", slot("", thing("nomn")), undergone=True, dated=False, confidence=0.7),
    frame("plan", "собираться планировать", slot("в во на", journey("accs")), dated=False, confidence=0.7),
    # tools
    frame("tool", "пользоваться обходиться", slot("", program("ablt")), dated=False, needs=names_a_tool),
    frame("tool", "использовать юзать применять", slot("", program("accs")), dated=False, needs=names_a_tool),
    frame(
        "tool", "рисовать писать чертить верстать монтировать вести держать хранить считать собирать делать планировать кодить программировать моделировать вертеть крутить проектировать записывать сводить обрабатывать",
        slot("в во на", program(*_IN, known=True)), dated=False, confidence=0.7, needs=names_a_tool),
    frame("tool", "сидеть крутиться жить висеть хоститься работать строиться держаться", slot("на в", program(*_IN, known=True)), dated=False, confidence=0.7, needs=names_a_tool),
    frame("tool", "шить вязать снимать печатать пилить точить", slot("на", device(*_IN)), dated=False, confidence=0.7, needs=names_a_tool),
    frame("tool", "деплоить общаться созваниваться переписываться", slot("через в", program(*_IN, "accs", known=True)), dated=False, confidence=0.7, needs=names_a_tool),
    frame("tool", "перейти переехать перебраться пересесть мигрировать подсесть переключиться", slot("на", program("accs", foreign=True)), slot("в", program("accs", known=True)), present=None, past=_CHANGE, needs=names_a_tool),
    frame("tool", "перенести перевести поменять заменить сменить перетащить", slot("на в", program("accs", foreign=True)), present=None, past=_CHANGE, needs=names_a_tool),
    frame("tool", "отказаться перейти переехать уйти слезть соскочить мигрировать", slot("от с", program("gent", known=True)), present=None, past=_END, needs=names_a_tool),
    frame("tool", "удалить снести выпилить забросить поменять заменить сменить выкинуть выбросить похоронить стереть бросить", slot("", program("accs", known=True)), present=None, past=_END, needs=names_a_tool),
    # possessions
    frame(
        "owns", "купить приобрести взять прикупить отхватить унаследовать получить построить забрать выкупить пригнать урвать сторговать выторговать добыть заполучить выменять достроить отстроить заказать оторвать",
        slot("", owned_ru("accs")), present=None, past=_CHANGE),
    frame("owns", "обзавестись разжиться владеть", slot("", owned_ru("ablt")), past=_CHANGE, dated=True),
    frame("owns", "подарить подогнать достаться отписать завещать перейти", slot("", owned_ru("accs", "nomn")), present=None, past=_CHANGE, undergone=True),
    frame("owns", "ездить кататься гонять рассекать", slot("на", owned_ru(*_IN)), dated=False),
    frame("owns", "поменять сменить обменять", slot("на", owned_ru("accs")), present=None, past=_CHANGE),
    frame("owns", "продать отдать сбыть сплавить сдать разбить потерять утопить загнать пропить", slot("", owned_ru("accs")), present=None, past=_END),
    frame("owns", "избавиться отказаться", slot("от", owned_ru("gent")), present=None, past=_END),
    frame("owns", "угнать украсть спереть сгореть", slot("", owned_ru("accs", "nomn")), present=None, past=_END, undergone=True),
    # skills
    frame("skill", "уметь", slot("", infinitive_ru), dated=False),
    frame("skill", "научиться наловчиться выучиться навостриться насобачиться", slot("", infinitive_ru), present=None, past=_STATE, dated=False),
    frame("skill", "разбираться шарить соображать сечь специализироваться", slot("в во на", thing(*_IN)), dated=False),
    frame("skill", "владеть", slot("", thing("ablt", words=2, limit=2, never="язык")), dated=False, confidence=0.6),
    frame("skill", "освоить изучить", slot("", thing("accs", words=2)), present=None, past=_STATE, dated=False, confidence=0.65),
    # aims
    frame("goal", "мечтать стремиться", slot("", deed), dated=False, ignores="hypothetical"),
    frame("goal", "добиваться", slot("", thing("gent", limit=1)), dated=False),
    frame("goal", "нацелиться замахнуться", slot("на", thing("accs", limit=1)), slot("", infinitive_ru), present=None, past=_STATE, dated=False),
    frame(
        "plan", "планировать собираться намереваться рассчитывать настроиться задумать замыслить запланировать наметить записаться готовиться",
        slot("", infinitive_ru), past=_STATE, dated=False),
    frame("plan", "планировать запланировать наметить намечать", slot("", toward(thing("accs", limit=1, words=4))), past=_STATE, dated=False, confidence=0.65),
    frame("plan", "передумать раздумать расхотеть", slot("", infinitive_ru), present=None, past=Mode.cancel),
]  # fmt: skip
