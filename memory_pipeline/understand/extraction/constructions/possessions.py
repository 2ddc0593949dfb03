"""Things that last and are owned: what sort of noun they are, and what they are called."""

import re
from collections.abc import Iterator

from memory_pipeline.understand.extraction.constructions.engine import Piece, Take
from memory_pipeline.understand.extraction.frames import Scene
from memory_pipeline.understand.extraction.phrases import english_phrase, russian_phrase
from memory_pipeline.understand.extraction.sentences import Sentence
from memory_pipeline.understand.morphology import is_russian, like, parses, reading

_DURABLE_RU = re.compile(
    r"двушк|однушк|трешк|четырешк|студи[яюией]+\b|новостройк|хрущевк|(?<!\w)сад(?:ик)?\b|огород|пасек|мотоблок|культиватор|газонокосилк|снегоуборщик|погреб|особняк|изб[аеуы]\b|хутор|ферм[аеуы]\b|лошад|коров|моторк|парусник|гидроцикл|скутер|гироскутер|моноколес|электрогитар|пианол|фортепиано|проигрыватель|колонк|наушник|стиралк|сушилк|микроволновк|мультиварк|духовк|робот-пылесос|швейн\w+ машинк|вязальн|верстак|токарн|сварочн|перфоратор|шуруповерт|квадрокоптер|видеокарт|ридер|электронн\w+ книг|кольц|ружь|машин|автомобил|тачк|велосипед|велик|мотоцикл|мопед|самокат|скутер|дач[аеуи]|квартир|(?<!\w)дом(?:ик)?\b|гараж|участ[ок]|яхт|лодк|катер|прицеп|ноутбук|(?<!\w)ноут\b|компьютер|фотоаппарат|камер[аеу]|телескоп|пианин|рояль|гитар|скрипк|синтезатор|"
    r"телевизор|дрон|принтер|станок|трактор|палатк|сапборд|сноуборд|лыж|коляск|смартфон|айфон|айпад|macbook|макбук|playstation|приставк|кофемашин|кофеварк|холодильник|посудомо|пылесос|квадроцикл|снегоход|автодом|фургон|байдарк|каяк|теплиц|бан[яюе]\b|"
    r"студи[яюе]\b|апартамент|комнат[ауе]\b|земл[юяи]\b|коттедж|таунхаус|магазин\b|кафе\b|мастерск|швейн|микроскоп|планшет|монитор|диван|робот|генератор|бензопил|часы|ружье|саксофон|барабан|укулеле|аккордеон|баян|беговел|электросамокат|электромобил|внедорожник|кроссовер|седан|пикап|минивэн|грузовик|газел"
)
_BRANDS = [
    "лада",
    "жигули",
    "нива",
    "уаз",
    "волга",
    "тойота",
    "хонда",
    "ниссан",
    "мазда",
    "субару",
    "мицубиси",
    "лексус",
    "киа",
    "хендай",
    "хёндэ",
    "форд",
    "шевроле",
    "опель",
    "фольксваген",
    "шкода",
    "рено",
    "пежо",
    "ситроен",
    "ауди",
    "бмв",
    "мерседес",
    "вольво",
    "порше",
    "тесла",
    "джип",
    "чери",
    "хавал",
    "джили",
    "гранта",
    "веста",
    "приора",
    "калина",
]
_BRAND_RU = {b.replace("ё", "е") for b in _BRANDS}
BRANDS_EN = [
    "subaru",
    "toyota",
    "honda",
    "ford",
    "tesla",
    "volvo",
    "bmw",
    "audi",
    "mazda",
    "prius",
    "jeep",
    "kia",
    "hyundai",
    "volkswagen",
    "vw",
    "mercedes",
    "chevy",
    "chevrolet",
    "nissan",
    "lexus",
    "porsche",
    "fiat",
    "peugeot",
    "renault",
    "skoda",
    "mini",
    "saab",
    "rover",
    "land rover",
    "range rover",
    "vauxhall",
    "opel",
    "jaguar",
    "citroen",
    "alfa romeo",
    "chrysler",
    "pontiac",
    "rivian",
    "polestar",
    "dacia",
    "isuzu",
    "daihatsu",
    "triumph",
    "brompton",
    "dodge",
    "ram",
    "gmc",
    "cadillac",
    "buick",
    "lincoln",
    "acura",
    "infiniti",
    "mitsubishi",
    "suzuki",
    "yamaha",
    "kawasaki",
    "ducati",
    "vespa",
    "harley",
    "haval",
    "lada",
]
DURABLE_EN = re.compile(
    r"\b(?:car|truck|van|suv|pickup|sedan|minivan|bike|bicycle|motorcycle|motorbike|scooter|house|condo|apartment|cottage|cabin|townhouse|bungalow|boat|kayak|canoe|yacht|camper|rv|motorhome|trailer|laptop|computer|camera|telescope|piano|guitar|violin|"
    r"synth|drone|printer|3d printer|tractor|lathe|macbook|ipad|iphone|kindle|playstation|ps5|xbox|switch|skis|surfboard|paddleboard|snowboard|sewing machine|kiln|loom|keyboard|farm|land|flat|moped|narrowboat|houseboat|caravan|campervan|allotment|motorhome|dinghy|sailboat|tent|drums?|drum kit|cello|saxophone|ukulele|"
    r"banjo|trumpet|e-bike|ebike|electric bike|wagon|treadmill|rowing machine|espresso machine|coffee machine|fridge|greenhouse|hot tub|pool|garage|shop|bakery|business|store|plot|smoker|grill|telescope|microscope|projector|turntable|record player|"
    + "|".join(BRANDS_EN)
    + r")\b",
    re.IGNORECASE,
)
_BORROWED = re.compile(r"(?:в аренду|на прокат|напрокат|служебн|компании|чуж|сосед|друга|подруги|брата|родител|отца|мамин|папин|прост|сломал|проблем|заболел|съел|скоро|нет\b)")  # fmt: skip


def owned_ru(*cases: str) -> Take:
    """One lasting thing in a Russian sentence; cars also by their make."""

    def take(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
        text = sentence.text[:stop]
        brand = re.compile(r"\s*[«\"]?(?P<name>[A-ZА-ЯЁa-zа-яё]+)[»\"]?(?P<model>(?:\s+[A-ZА-ЯЁ][\w-]*|\s+\d+|\s?[A-Z]\d+){0,2})").match(text, start)  # fmt: skip
        if brand:
            name = brand["name"]
            form = reading(name, "NOUN", cases=cases) or reading(name, "NOUN")
            forms = (
                {p.normal_form.replace("ё", "е") for p in parses(name)}
                if form is not None
                else {name.lower()}
            )
            makes = forms & _BRAND_RU
            base = next(iter(makes), name.lower())
            if makes or base in BRANDS_EN or name.lower().replace("ё", "е") in _BRAND_RU:
                model = []
                for word in brand["model"].split():
                    bases = [p.normal_form for p in parses(word)] if is_russian(word) else [word]
                    known = [b for b in bases if b in _BRAND_RU]
                    model.append(like(word, (known or bases)[0]))
                shown = base if makes else name
                yield (
                    " ".join([shown[:1].upper() + shown[1:], *model]),
                    brand.start("name"),
                    brand.end(),
                )
                return
        found = russian_phrase(text, start, cases, 3, frozenset())
        if found is None or not _DURABLE_RU.search(found[0].lower().replace("ё", "е")):
            return
        if _BORROWED.search(sentence.low[found[2] : found[2] + 25]) or _BORROWED.search(
            found[0].lower()
        ):
            return
        yield found

    return take


def owned_en(sentence: Sentence, scene: Scene, start: int, stop: int) -> Iterator[Piece]:  # noqa: ARG001
    """One lasting thing in an English sentence."""
    found = english_phrase(sentence.text[:stop], start, max_words=5)
    if found is None:
        return
    name = re.split(r"\s+(?:called|named)\b", found[0])[0]
    found = (name, found[1], found[1] + len(name))
    if not DURABLE_EN.search(name):
        return
    if re.search(r"\b(?:rental|company|problem|trouble|issue|rented|lot|accident|trip|loan|insurance|ride|key|keys|race)\b", found[0].lower()):  # fmt: skip
        return
    plain = re.sub(r"^(?:(?:rusty|old|new|used|second-?hand|brand|cheap|little|small|big|beautiful|nice|beat-up|trusty)\s+)+", "", found[0])  # fmt: skip
    yield plain, found[2] - len(plain), found[2]
