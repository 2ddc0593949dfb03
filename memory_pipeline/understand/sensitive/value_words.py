"""Words after a word for a password that say something of it and are none."""

from functools import lru_cache

from memory_pipeline.understand.dates.ru_words import parses
from memory_pipeline.understand.word_blocks import words

_CUT_EN = words(
    "and but or so because since if when while then btw please pls thanks thank thx dont don't do does just only "
    "i i'm i'll i've he she it it's its we we'll they you you'll your my our his her their them us me is isn't was are has have had "
    "will won't would should shouldn't can can't could must not no for to of on in at from with by as until till "
    "the a an this that these those there which who what where how user username login email e-mail mail host url port"
)
_CUT_RU = words(
    "и а но или если когда потому чтобы что как это пожалуйста плиз пжл спасибо спс только кстати не ни никому нет я ты он она оно мы вы они "
    "его её ее их мой моя моё мне тебе нам вам ему ей им от для на в во к ко с со по из у за до при без про под над о об "
    "логин почта юзер пользователь"
)
CUT = frozenset(_CUT_EN) | frozenset(_CUT_RU)
"""Words that end a pass phrase: what follows is the sentence again."""

_NEVER_EN = words(
    "incorrect wrong right correct required invalid valid expired mandatory optional necessary needed ready fine okay "
    "short shorter long longer weak weaker strong stronger good bad better best easy hard difficult simple complex old older new newer same different "
    "safe safer secure secured insecure secret important sensitive case-sensitive unknown known empty blank public private hidden visible unique random enough "
    "temporary permanent default mine yours hers ours theirs one none null nil nothing something anything everything here there above below somewhere everywhere nowhere now "
    "today tomorrow yesterday tonight soon later again too also still yet already maybe probably always never ever overdue obvious ridiculous stupid silly crazy annoying "
    "terrible awful great perfect sufficient plaintext plain alphanumeric numeric trash garbage essential crucial vital critical free gone lost broken stolen "
    "written forgotten forgot taken given shown sent set reset kept held locked stuck leaked changed stored saved encrypted hashed protected compromised "
    "true false yes any string str text varchar char bool boolean int input prompt getpass process config env option field value type click enter see ask check use change try "
    "update create type choose pick select confirm verify show hide remember save store minimum maximum length characters "
    "tbd todo n/a redacted masked password passwords passphrase passcode manager managers login username user policy requirements recovery "
    "generator generation storage management protection hygiene length strength reminder hint security authentication very really quite pretty kind rather "
    "more less most least between over under after before about using based different like such stay being getting up out due off back down case key expire work match unlock open contain include start end avoid prevent allow access "
    "problem issue trouble question reason every each single all most many few whole entire almost"
)
_NEVER_RU = words(
    "штука вещь тайна секрет проблема боль ерунда мелочь основа защита залог ключ набор строка слово пароль пароли логин почта телефон "
    "да нет нету тут там здесь где потом позже завтра сегодня вчера скоро ниже выше пусто ошибка дата имя фамилия год номер число минимум максимум символ символов "
    "забыл забыла сброс смена восстановление надо нужно можно нельзя прежний старый новый тот другой сам сама "
    "готов утерян неверный дома вопрос"
)
_NEVER = frozenset(_NEVER_EN) | frozenset(_NEVER_RU)
_NO_VALUE_TAGS = frozenset(
    {"VERB", "INFN", "PREP", "CONJ", "PRCL", "NPRO", "ADVB", "PRED", "GRND", "PRTS", "COMP", "INTJ", "ADJS"}
)  # fmt: skip
_DESCRIBING_TAGS = frozenset({"ADJF", "PRTF", "NUMR", "Apro"})
_DESCRIBING_ENDS = ("ing", "able", "ible", "ed")
_NOT_ENDS = ("eed", "ring")
_PHRASE = 4


def is_no_value(word: str, n_words: int = 1) -> bool:
    """Whether a word in lower case says something of a password, as the first of `n_words`. One that
    only describes may well begin a phrase ("correct horse battery staple")."""
    if word in CUT:
        return True
    if word in _NEVER:
        return n_words < _PHRASE
    if word.isascii():
        return n_words == 1 and word.endswith(_DESCRIBING_ENDS) and not word.endswith(_NOT_ENDS)
    return _is_no_russian_value(word, n_words == 1)


@lru_cache(maxsize=4096)
def _is_no_russian_value(word: str, alone: bool) -> bool:
    tags = parses(word)[0][1]
    return bool(tags & _NO_VALUE_TAGS) or (alone and bool(tags & _DESCRIBING_TAGS))
