"""Postal addresses with a house number, Russian, English and common European forms."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.sensitive.candidate import KEYED, LIKELY, Candidate

_RU_TYPE_FULL = (
    r"улиц[аыеу]|проспект[аеу]?|переулок|переулк[аеу]|шоссе|набережн(?:ая|ой|ую)|бульвар[аеу]?|площад[ьи]|проезд[аеу]?|"
    r"микрорайон[аеу]?|аллея|аллее|тупик[аеу]?|линия|квартал[аеу]?|тракт[аеу]?|дорога|спуск|вал"
)
_RU_TYPE = rf"(?:(?:ул|пр|пр-т|просп|пер|ш|наб|б-р|бул|пл|мкр|пр-д|ал|туп|кв-л)\.?|{_RU_TYPE_FULL})"
_RU_NAME = r"(?:(?:(?:реки|канала|имени|им\.|академика|ак\.|маршала|генерала|капитана|адмирала|космонавта|героя|героев|братьев|летчика|л[её]тчика|лейтенанта|профессора|писателя|композитора|художника|архитектора)\s)?(?:\d{1,2}-?(?:я|й|ая|ой|го)\s)?[А-ЯЁ][а-яё]+(?:-[А-ЯЁа-яё]+)*(?:\s(?:[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)*|[А-ЯЁ]\.\s?[А-ЯЁ][а-яё]+)){0,3}|\d{1,2}-?(?:я|й|ая|ой) [А-ЯЁа-яё]+|\d{2} лет [А-ЯЁ][а-яё]+(?: [А-ЯЁа-яё]+)?|[А-ЯЁ]\.\s?[А-ЯЁ][а-яё]+)"
_RU_HOUSE = r"(?:(?:д(?:ом)?\.?|владение|вл\.)\s?)?№?\s?\d{1,4}\s?(?:[А-Яа-яЁё](?![А-Яа-яёЁ\w]))?(?:[/\-]\d{1,4}[А-Яа-я]?(?!\w))?"
_RU_REST = (
    r"(?:\s*,?\s*(?:корп(?:ус|\.)?|к\.?|стр(?:оение|\.)?|лит(?:ера|\.)?|кв(?:артира|\.)?|квартир[аеу]|оф(?:ис|\.)?|под(?:ъезд|\.)?|эт(?:аж|\.)?|"
    r"комн(?:ата|\.)?|пом(?:ещение|\.)?|секция)\s?№?\s?\d{1,4}[А-Яа-я]?(?!\w)(?:\s?[А-Я](?!\w))?|\s*,\s*\d{1,3}\s?(?:этаж|подъезд)|(?<=\d)-\d{1,4}(?!\w))*"
)
_RU_CITY = (
    r"(?:(?:(?:Россия|РФ)\s?,\s*)?(?:\d{6}\s?,?\s*)?(?:(?:Россия|РФ)\s?,\s*)?(?:(?:[А-ЯЁ][а-яё\-]+(?:ая|ий)\s(?:область|обл\.?|край|респ(?:ублика|\.)?)|Республика\s[А-ЯЁ][а-яё]+)\s?,\s*)?"
    r"(?:[А-ЯЁ][а-яё\-]+(?:ий|ый)\s(?:район|р-н)\s?,\s*)?"
    r"(?:(?:г|гор|город[аеу]?|пос|с|дер|д|п|пгт|ст-ца|станица|село|пос[её]лок|деревня)\.?\s?[А-ЯЁ][а-яё]+(?:[- ](?:на-)?[А-ЯЁ][а-яё]+){0,2}\s?,\s*"
    r"|[А-ЯЁ][а-яё]+(?:[- ](?:на-)?[А-ЯЁ][а-яё]+){0,2}\s?,\s*)?(?:мкр\.?\s[А-ЯЁ][а-яё]+\s?,\s*)?)"
)
_RU = re.compile(
    rf"(?<![\w\-]){_RU_CITY}(?:(?<!\w){_RU_TYPE}\s?{_RU_NAME}|{_RU_NAME}\s(?:{_RU_TYPE_FULL}|ул\.?|пр-т|просп\.?|пер\.?|наб\.?|б-р|ш\.)(?!\w))"
    rf"\s*,?\s*{_RU_HOUSE}(?!(?!(?:к|с|стр|корп)\.?\s?\d)[\w]|[.,:]\d){_RU_REST}"
)
# "на Гагарина 14, кв 52": no word for the street, so a flat or a word for living must follow or stand before
_RU_BARE = re.compile(
    rf"(?<![\w\-«]){_RU_CITY}(?P<name>[А-ЯЁ][а-яё]+(?:-[А-ЯЁ][а-яё]+)?(?:\s[А-ЯЁ][а-яё]+)?)\s*,?\s*(?P<house>(?:д(?:ом)?\.?\s?)?\d{{1,3}}\s?[А-Яа-я]?(?:/\d{{1,3}})?(?![\w]|[.,:]\d)){_RU_REST}"
)
_RU_FLAT = re.compile(
    r"(?:кв(?:артира|\.)?|корп(?:ус|\.)?|оф(?:ис|\.)?|подъезд|д(?:ом)?\.)\s?\d|\d-\d{1,4}$|д(?:ом)?\.?\s?\d",
    re.I,
)
_RU_LIVING = re.compile(
    r"(?:адрес\w*|жив\w+|прожив\w+|прописан\w*|прописк\w*|регистраци\w+|зарегистрирован\w*|доставк\w*|доставить|привез\w+|"
    r"приезжа\w+|курьер\w*|переехал\w*|снима\w+|квартир\w+|дом[ау]?|вызов\w*|вызвать|такси|забрать|жду|находи\w+)[^.!?\n]{0,30}$",
    re.I,
)
_RU_NOT_STREET = re.compile(
    r"^(?:январ|феврал|март|апрел|ма[йя]|июн|июл|август|сентябр|октябр|ноябр|декабр|зовут|метод|техник|правил|формул|вариант|способ|упражнен|шаг|мне|нас|лет|кабинет|комнат|глав|стать|пункт|"
    r"том|част|урок|рейс|поезд|вагон|серия|сезон|номер|всего|осталось|уже|после|через|до|ровно|примерно|около|зум|скидк|цен|ещё|гост|"
    r"windows|версия|задач|тикет|слайд|страниц|год|сейчас|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень|заказ|лот|паспорт|"
    r"серия|инн|снилс|карта|код|пин|пароль|температур|давлени|размер|рост|вес|билет|место|ряд|матч|счет|счёт)",
    re.I,
)

_EN_TYPE = (
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Close|Crescent|Cres|Terrace|Ter|Place|Pl|"
    r"Square|Sq|Highway|Hwy|Parkway|Pkwy|Row|Walk|Gardens|Gdns|Mews|Way|Circle|Cir|Trail|Trl|Alley|Loop|Grove|Hill|Park|Green|"
    r"Quay|Wharf|Yard|Rise|View|Path|Pike|Plaza|Plz|Turnpike|Broadway|Embankment|Esplanade|Crossing|Run|Ridge|Bend|Cove|Point)"
)
_EN_NAME = r"(?:(?:North|South|East|West|N|S|E|W|NE|NW|SE|SW|Old|New|Upper|Lower|Great|Little|St|Mt|The)\.?\s)?(?:[A-Z][\w'’\-]+|\d{1,3}(?:st|nd|rd|th))(?:\s(?:of\s|the\s)?[A-Z][\w'’\-]+){0,3}?"
_EN_UNIT = r"(?:(?:[Ff]lat|[Aa]pt|[Aa]partment|[Uu]nit|[Ss]uite|Ste|Room|[Ff]loor|[Ss]tudio|#)\.?\s?#?\w{1,5}(?:[A-Z])?(?!\w))"
_UK_CODE = r"[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}"
_EN_TAIL = (
    rf"(?:\s*,?\s*{_EN_UNIT})?(?:\s*,\s*(?!(?:and|but|or|so|I|it)\b)[A-Z][a-zà-ÿ'’\-]+(?:[ \-][A-Z][a-zà-ÿ'’\-]+){{0,2}})?"
    rf"(?:\s*,?\s*(?:[A-Z]{{2}}\s\d{{5}}(?:-\d{{4}})?|{_UK_CODE}|[A-Z]{{2}}(?![\w])|\d{{5}}(?:-\d{{4}})?(?!\w)))?(?:\s*,?\s*(?:USA|UK|Ireland|Canada|Australia|England|Scotland|Wales)(?!\w))?"
)
_EN = re.compile(
    rf"(?<![\w\-/.$£€#])(?:{_EN_UNIT}\s*,\s*)?\d{{1,5}}[A-Za-z]?(?:-\d{{1,4}})?,?\s{_EN_NAME}\s{_EN_TYPE}\b\.?(?:\s(?:North|South|East|West|N|S|E|W|NE|NW|SE|SW)\b\.?)?{_EN_TAIL}"
)
_EN_BROADWAY = re.compile(
    rf"(?<![\w\-/.$£€#])\d{{1,5}}[A-Za-z]?\s(?:Broadway|The [A-Z][a-z]+){_EN_TAIL}"
)
_EN_LOWER = re.compile(
    r"(?:(?<=address is )|(?<=address: )|(?<=live at )|(?<=lives at )|(?<=living at )|(?<=ship to )|(?<=send to )|(?<=deliver to )|(?<=moved to )|(?<=it to )|(?<=at ))\d{1,5}[a-z]?\s(?:[a-z]+\s){1,2}(?:street|road|rd|avenue|ave|lane|ln|drive|blvd|boulevard|court|crescent|terrace)\b"
    r"(?:\s*,?\s*(?:apt|apartment|flat|unit|suite)\.?\s?#?\w{1,5})?",
)
_EN_RURAL = re.compile(
    rf"(?<!\w)(?:(?:Rural Route|RR|R\.R\.|HC|County Road|CR|Highway|Hwy)\s?\d+\s*,?\s*(?:Box\s\d+)|P\.?\s?O\.?\s?Box\s\d+|(?:BFPO|PSC)\s\d+(?:\s?,?\s?Box\s\d+)?){_EN_TAIL}",
    re.I,
)
_EURO = re.compile(
    r"(?<![\w\-])(?:(?:[A-ZÄÖÜÅØÆ][\wäöüåøæéß\-]*(?:gatan|vägen|gränd|straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|laan|straat|gracht|plein|kade|veien|vegen|gata|gade|vej|katu|tie|utca))"
    r"|(?:Calle|Carrer|Avenida|Avda\.?|Paseo|Plaza|Rua|Via|Viale|Piazza|Corso|Rue|ul\.|ulica|Am|An der|Unter den)\s(?:d[aeio]l?l?[aeos]?\s|de la\s)?[A-ZÀ-ÞŚŁŻ][\wà-ÿśłżźćńęą'’\-]+(?:\s[A-ZÀ-Þ][\wà-ÿ'’\-]+){0,2})"
    r"\s?,?\s\d{1,4}\s?[a-zA-Z]?(?!\w)(?:[/\-]\d{1,4})?(?:\s*,?\s*(?:\d{3} \d{2}|\d{4,5}(?:\s?[A-Z]{2})?|\d{2}-\d{3}|\d{4}-\d{3})\s[A-ZÄÖÜÅØÀ-Þ][\wäöüåøæéà-ÿ\-]+|\s*,\s*[A-ZÄÖÜÅØ][\wäöüåøæé\-]+)?"
)
_FR = re.compile(
    r"(?<![\w\-])\d{1,4}(?:\s?(?:bis|ter))?,?\s(?:rue|avenue|boulevard|place|quai|chemin|allée|impasse)\s(?:d[eu]s?\s|de la\s|de l['’])?[A-ZÀ-Þ][\wà-ÿ'’\-]+(?:\s[A-ZÀ-Þ][\wà-ÿ'’\-]+){0,2}(?:\s*,?\s*\d{5}\s[A-ZÀ-Þ][\wà-ÿ\-]+|\s*,\s*[A-ZÀ-Þ][\wà-ÿ\-]+)?"
)


def find_russian_addresses(text: str) -> Iterator[Candidate]:
    """Addresses in Russian; without a word for the street, only with a flat or a word for living."""
    for match in _RU.finditer(text):
        yield _candidate(match.start(), match.end(), text, KEYED)
    for match in _RU_BARE.finditer(text):
        if _RU_NOT_STREET.match(match.group("name")):
            continue
        tail = text[match.start("house") : match.end()]
        if _RU_FLAT.search(tail) or _RU_LIVING.search(
            text[max(0, match.start() - 60) : match.start()]
        ):
            yield _candidate(match.start(), match.end(), text, LIKELY)


def find_latin_addresses(text: str) -> Iterator[Candidate]:
    """Addresses in Latin letters."""
    for pattern in (_EN, _EN_BROADWAY, _EN_RURAL, _EURO, _FR, _EN_LOWER):
        for match in pattern.finditer(text):
            yield _candidate(
                match.start(), match.end(), text, LIKELY if pattern is _EN_LOWER else KEYED
            )


def _candidate(start: int, end: int, text: str, rank: int) -> Candidate:
    value = text[start:end].rstrip(" ,.;")
    return Candidate(start, start + len(value), "address", " ".join(value.lower().split()), rank)
